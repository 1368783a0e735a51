//! Guarantees of every export: the same bytes for any number of threads and any memory limit, no
//! value that is not finite, errors that name their place, and no file left after a cancellation.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod scenes;

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use lariat_core::geometry::{Footage, Strand};
use lariat_core::motion::FrameRate;
use lariat_export::file::{IfExists, save};
use lariat_export::{
    ExportError, Format, NoProgress, Options, Progress, Summary, Timing, TubeOptions, csv, json,
    usda,
};
use scenes::{Fleet, oddities, rope, shaped, take};

fn everything() -> Options {
    Options {
        tubes: Some(TubeOptions { sides: 4, caps: true }),
        velocities: true,
        axes: true,
        ..Options::default()
    }
}

fn shot(frames: i64) -> Timing {
    Timing::new(FrameRate::FILM, 1..=frames).unwrap()
}

fn bytes(format: Format, footage: &dyn Footage, options: &Options) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    let summary = format.write(footage, &shot(12), options, &mut out, &NoProgress).unwrap();
    (out, summary)
}

#[test]
fn threads_change_no_byte() {
    let fleet = Fleet::new(40);
    for format in Format::ALL {
        let (expected, _) = bytes(format, &fleet, &everything());
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (ours, _) = pool.install(|| bytes(format, &fleet, &everything()));
            assert!(ours == expected, "{format:?} differs with {threads} threads");
        }
    }
}

#[test]
fn memory_changes_no_byte() {
    let fleet = Fleet::new(30);
    for format in Format::ALL {
        for (label, footage) in [("fleet", &fleet as &dyn Footage), ("oddities", &oddities())] {
            let (expected, summary) = bytes(format, footage, &everything());
            // From 0, where strands are evaluated repeatedly, through groups of strands, to
            // all.
            for memory in [0, 10_000, 40_000, 100_000, 400_000, 2_000_000] {
                let options = Options { memory_per_thread: memory, ..everything() };
                let (ours, again) = bytes(format, footage, &options);
                assert!(ours == expected, "{format:?} of {label} differs with {memory} bytes");
                assert_eq!(again, summary);
            }
        }
    }
}

#[test]
fn the_summary_counts_what_was_written() {
    let (_, summary) = bytes(Format::Csv, &oddities(), &Options::default());
    assert_eq!((summary.bodies, summary.strands, summary.frames), (7, 8, 12));
    let (text, summary) = bytes(Format::Csv, &Fleet::new(9), &Options::default());
    let rows = String::from_utf8_lossy(&text).lines().count() - 1;
    assert_eq!(summary.points, rows as u64);
    assert_eq!(summary.bytes, text.len() as u64);
}

/// Three frames of a rope, the last of them changed.
fn spoilt(spoil: impl Fn(&Strand) -> Strand) -> impl Footage {
    let good = rope("rope", &[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    take(&[
        ("good", vec![vec![good.clone()]; 3]),
        ("bad", vec![vec![good.clone()], vec![good.clone()], vec![spoil(&good)]]),
    ])
}

#[test]
fn a_value_that_is_not_finite_is_located() {
    let nan = spoilt(|_| rope("rope", &[[0.0; 3], [1.0, f64::NAN, 0.0], [2.0, 0.0, 0.0]]));
    let thick = spoilt(|good| shaped(good, &[0.1, 0.1, f64::INFINITY], &[0.0; 3]));
    let wound = spoilt(|good| shaped(good, &[0.1; 3], &[f64::NEG_INFINITY, 0.0, 0.0]));
    let streamed = Options { memory_per_thread: 0, ..Options::default() };
    let tubes =
        Options { curves: false, tubes: Some(TubeOptions::default()), ..Options::default() };
    for format in Format::ALL {
        for options in [&Options::default(), &streamed, &tubes] {
            let error = |footage: &dyn Footage| {
                format.write(footage, &shot(3), options, &mut io::sink(), &NoProgress).unwrap_err()
            };
            let message = error(&nan).to_string();
            let expected = "position of body `bad`, strand `rope`, is NaN at frame 3, point 1";
            assert!(message.starts_with(expected), "{format:?}: {message}");
            for (footage, at) in [(&thick as &dyn Footage, 2), (&wound, 0)] {
                match error(footage) {
                    ExportError::NotFinite { body, strand, frame, index, value, .. } => {
                        assert_eq!((&*body, &*strand, frame, index), ("bad", "rope", 3, at));
                        assert!(value.is_infinite() || value.is_nan());
                    }
                    other => panic!("{format:?}: {other}"),
                }
            }
        }
    }
}

#[test]
fn a_value_beyond_the_range_of_usd_is_an_error_only_there() {
    let far = spoilt(|_| rope("rope", &[[0.0; 3], [1.0, 0.0, 0.0], [-4e38, 0.0, 0.0]]));
    let error = usda::write(&far, &shot(3), &Options::default(), &mut io::sink(), &NoProgress);
    let message = error.unwrap_err().to_string();
    assert!(message.contains("is -4e38 at frame 3, point 2; the limit of USD is"), "{message}");
    csv::write(&far, &shot(3), &Options::default(), &mut io::sink(), &NoProgress).unwrap();
}

#[test]
fn two_strands_of_one_name_are_an_error() {
    let good = rope("rope", &[[0.0; 3], [1.0, 0.0, 0.0]]);
    let twice = take(&[("pair", vec![vec![good.clone()], vec![good.clone(), good]])]);
    for memory in [0, 1 << 20] {
        let options = Options { memory_per_thread: memory, ..Options::default() };
        let error =
            json::write(&twice, &shot(2), &options, &mut io::sink(), &NoProgress).unwrap_err();
        assert!(
            matches!(&error, ExportError::SameName { body, frame: 2, .. } if body == "pair"),
            "{error}"
        );
    }
}

/// Records the progress and cancels after a given number of items.
struct Watch {
    seen: RefCell<Vec<(u64, u64)>>,
    stop_after: Cell<Option<u64>>,
}

impl Watch {
    fn new(stop_after: Option<u64>) -> Self {
        Self { seen: RefCell::default(), stop_after: Cell::new(stop_after) }
    }
}

impl Progress for Watch {
    fn advance(&self, done: u64, total: u64) {
        self.seen.borrow_mut().push((done, total));
    }

    fn cancelled(&self) -> bool {
        let done = self.seen.borrow().last().map_or(0, |&(done, _)| done);
        self.stop_after.get().is_some_and(|stop| done >= stop)
    }
}

#[test]
fn progress_rises_to_the_total() {
    for memory in [0, 200_000, 1 << 26] {
        let watch = Watch::new(None);
        let options = Options { memory_per_thread: memory, ..everything() };
        usda::write(&Fleet::new(20), &shot(12), &options, &mut io::sink(), &watch).unwrap();
        let seen = watch.seen.into_inner();
        assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0), "{seen:?}");
        assert!(seen.len() >= 20);
        assert_eq!(seen.last(), Some(&(240, 240)));
    }
}

#[test]
fn a_cancelled_export_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fleet.usda");
    for memory in [0, 1 << 26] {
        for stop_after in [0, 1, 100] {
            let options = Options { memory_per_thread: memory, ..everything() };
            let watch = Watch::new(Some(stop_after));
            let outcome = save(&path, IfExists::Fail, |out| {
                usda::write(&Fleet::new(20), &shot(12), &options, out, &watch)
            });
            assert!(matches!(outcome, Err(ExportError::Cancelled)));
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_closed_pipe_ends_the_export() {
    /// Accepts a number of bytes and then closes.
    struct Pipe(usize);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    for format in Format::ALL {
        let error =
            format.write(&Fleet::new(20), &shot(12), &everything(), &mut Pipe(1000), &NoProgress);
        assert!(error.unwrap_err().is_broken_pipe(), "{format:?}");
    }
}
