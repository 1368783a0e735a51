//! Takes with flipped bits, with missing, doubled and exchanged chunks, and cut short.
//!
//! `lariat eval` prints the same motion as without takes and succeeds. A note says that a take is
//! damaged, unless the take merely ends early, as after a crash.
//!
//! The format of takes is not repeated here: a take that is recorded up to an earlier frame has the
//! same whole chunks and then another one, so the bytes that both begin with end where a chunk does.
//!
//! Tests: `chunks_end_where_shorter_takes_differ`, `every_bit_of_the_header_is_flipped`.

use std::{
    fs,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    job::{Bench, DOCUMENT, Files, SIMULATED, files, grows, write},
    report::Report,
};

use crate::random::Random;

/// Frames that are compared.
const EVAL: [&str; 4] = ["eval", DOCUMENT, "--frames", "1,17,48"];

/// Last frames of shorter takes: one in each quarter of a second, the length of a chunk.
const SHORTER: [&str; 8] = ["3", "9", "15", "21", "27", "33", "39", "45"];

/// Numbers of damaged files.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// Every n-th bit of the header.
    pub header_step: usize,
    /// Bits after the header.
    pub bits: usize,
    /// Random lengths.
    pub cuts: usize,
}

/// A damaged take.
struct Damage {
    what: String,
    bytes: Vec<u8>,
    /// Whether a note must name the damage.
    noted: bool,
}

pub(super) fn run(
    bench: &Bench,
    amount: Amount,
    random: &mut Random,
    report: &mut Report,
) -> Result<(), String> {
    let folder = bench.fresh("damage", SIMULATED)?;
    let without = bench.run(&mut bench.command(&folder, &EVAL))?;
    let recorded = record(bench, &[])?;
    let shorter: Vec<Files> =
        SHORTER.iter().map(|last| record(bench, &["--to", last])).collect::<Result<_, _>>()?;
    for (path, bytes) in recorded.iter().filter(|(path, _)| grows(path)) {
        report.begin(&format!("damage {}", path.rsplit('/').next().unwrap_or(path)));
        let ends = ends(bytes, shorter.iter().filter_map(|files| files.get(path)));
        if ends.len() != SHORTER.len() {
            return Err(format!("`{path}`: {} chunks found, not {}", ends.len(), SHORTER.len()));
        }
        let damages = damages(bytes, &ends, amount, random);
        for (damage, text) in check(bench, path, &recorded, &damages, &without.out)? {
            let folder = lay_out(bench, "damage", &recorded, path, &damage.bytes)?;
            report.failure(&damage.what, &text, Path::new(&folder));
        }
        for _ in &damages {
            report.count(true);
        }
    }
    Ok(())
}

/// Files after `lariat simulate` with some options.
fn record(bench: &Bench, options: &[&str]) -> Result<Files, String> {
    let folder = bench.fresh("damage", SIMULATED)?;
    let arguments = [["simulate", DOCUMENT].as_slice(), options].concat();
    let ran = bench.run(&mut bench.command(&folder, &arguments))?;
    if ran.code != Some(0) {
        return Err(format!("`simulate` fails undisturbed: {}", ran.err));
    }
    files(&folder)
}

/// Ends of the header and of the whole chunks, from shorter takes.
fn ends<'f>(take: &[u8], shorter: impl Iterator<Item = &'f Vec<u8>>) -> Vec<usize> {
    let same = |other: &Vec<u8>| take.iter().zip(other).take_while(|(a, b)| a == b).count();
    let mut ends: Vec<usize> = shorter.map(same).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// All damaged versions of a take.
fn damages(take: &[u8], ends: &[usize], amount: Amount, random: &mut Random) -> Vec<Damage> {
    let header = ends[0];
    let mut damages = Vec::new();
    let mut add = |what: String, bytes: Vec<u8>, noted: bool| {
        damages.push(Damage { what, bytes, noted });
    };
    let in_header = (0..8 * header).step_by(amount.header_step);
    let after = (0..amount.bits).map(|_| 8 * header + random.below(8 * (take.len() - header)));
    for bit in in_header.chain(after.collect::<Vec<_>>()) {
        let mut bytes = take.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        add(format!("bit {} of byte {} is flipped", bit % 8, bit / 8), bytes, true);
    }
    // Chunks 0 to n - 2 are whole; the last one ends with the file.
    let chunk = |k: usize| &take[ends[k]..ends.get(k + 1).copied().unwrap_or(take.len())];
    let count = ends.len();
    let built = |order: Vec<usize>| {
        let mut bytes = take[..header].to_vec();
        for k in order {
            bytes.extend_from_slice(chunk(k));
        }
        bytes
    };
    for k in 0..count {
        let without = (0..count).filter(|other| *other != k);
        add(format!("chunk {k} is missing"), built(without.collect()), k + 1 < count);
        let doubled = (0..count).flat_map(|other| vec![other; 1 + usize::from(other == k)]);
        add(format!("chunk {k} is doubled"), built(doubled.collect()), true);
        if k + 1 < count {
            let swapped = |other| match other {
                other if other == k => k + 1,
                other if other == k + 1 => k,
                other => other,
            };
            let order = (0..count).map(swapped).collect();
            add(format!("chunks {k} and {} are exchanged", k + 1), built(order), true);
        }
    }
    let around = ends.iter().flat_map(|end| [end - 1, *end, end + 1]);
    let anywhere = (0..amount.cuts).map(|_| random.below(take.len()));
    let in_header = (0..header).step_by(amount.header_step.min(header));
    for length in around.chain(anywhere).chain(in_header) {
        add(format!("cut after {length} bytes"), take[..length].to_vec(), false);
    }
    damages
}

/// Evaluates with each damaged take, on all processors; returns those with another result.
fn check<'d>(
    bench: &Bench,
    path: &str,
    recorded: &Files,
    damages: &'d [Damage],
    expected: &[u8],
) -> Result<Vec<(&'d Damage, String)>, String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Ok(Vec::new())));
    let worker = |name: String| {
        while let Some(damage) = damages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = one(bench, &name, path, recorded, damage, expected);
            let Ok(mut found) = found.lock() else { return };
            match (result, found.as_mut()) {
                (Ok(Some(text)), Ok(list)) => list.push((damage, text)),
                (Err(error), Ok(_)) => *found = Err(error),
                _ => {}
            }
        }
    };
    thread::scope(|scope| {
        for k in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(move || worker(format!("damage-{k}")));
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Evaluates with a damaged take.
fn one(
    bench: &Bench,
    name: &str,
    path: &str,
    recorded: &Files,
    damage: &Damage,
    expected: &[u8],
) -> Result<Option<String>, String> {
    let folder = lay_out(bench, name, recorded, path, &damage.bytes)?;
    let child = bench.start(&mut bench.command(Path::new(&folder), &EVAL), name)?;
    let ran = bench.finish(child, name)?;
    Ok(if ran.code != Some(0) {
        Some(format!("exit code {:?}: {}", ran.code, ran.err.trim_end()))
    } else if ran.out != expected {
        Some("another motion than without takes".to_owned())
    } else if damage.noted && !ran.err.contains("L0674") {
        Some("no note".to_owned())
    } else {
        None
    })
}

/// A folder with the document and its takes, one of them with other bytes.
fn lay_out(
    bench: &Bench,
    name: &str,
    recorded: &Files,
    path: &str,
    bytes: &[u8],
) -> Result<String, String> {
    let folder = bench.fresh(name, SIMULATED)?;
    for (file, its) in recorded {
        let target = folder.join(file);
        fs::create_dir_all(target.parent().unwrap_or(&folder))
            .map_err(|error| error.to_string())?;
        write(&target, if file == path { bytes } else { its })?;
    }
    Ok(folder.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKE: &[u8] = b"head|Wone|Wtwo|Pthree";

    fn damaged(amount: Amount) -> Vec<Damage> {
        damages(TAKE, &[5, 10, 15], amount, &mut Random::new(1))
    }

    #[test]
    fn chunks_end_where_shorter_takes_differ() {
        let shorter: Vec<Vec<u8>> = ["head|Pon", "head|Wone|Ptw", "head|Wone|Wtwo|Qth", "head|Po"]
            .map(|text| text.as_bytes().to_vec())
            .to_vec();
        assert_eq!(ends(TAKE, shorter.iter()), [5, 10, 15]);
    }

    #[test]
    fn every_bit_of_the_header_is_flipped() {
        let list = damaged(Amount { header_step: 1, bits: 4, cuts: 2 });
        let flips = list.iter().filter(|damage| damage.what.contains("flipped"));
        let flips: Vec<&Damage> = flips.collect();
        assert_eq!(flips.len(), 8 * 5 + 4);
        for (bit, damage) in flips.iter().take(40).enumerate() {
            let other = TAKE.iter().zip(&damage.bytes).map(|(a, b)| (a ^ b).count_ones());
            assert_eq!(
                (other.sum::<u32>(), damage.bytes[bit / 8] ^ TAKE[bit / 8]),
                (1, 1 << (bit % 8))
            );
        }
        let of = |what: &str| {
            let found = list.iter().find(|damage| damage.what == what).expect("listed");
            (String::from_utf8_lossy(&found.bytes).into_owned(), found.noted)
        };
        assert_eq!(of("chunk 1 is missing"), ("head|Wone|Pthree".to_owned(), true));
        assert_eq!(of("chunk 2 is missing"), ("head|Wone|Wtwo|".to_owned(), false));
        assert_eq!(of("chunk 0 is doubled"), ("head|Wone|Wone|Wtwo|Pthree".to_owned(), true));
        assert_eq!(of("chunks 0 and 1 are exchanged"), ("head|Wtwo|Wone|Pthree".to_owned(), true));
        assert_eq!(of("cut after 4 bytes"), ("head".to_owned(), false));
        assert_eq!(of("cut after 10 bytes"), ("head|Wone|".to_owned(), false));
        assert_eq!(of("cut after 0 bytes"), (String::new(), false));
    }
}
