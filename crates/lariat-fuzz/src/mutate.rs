//! Changes of an input, the same for the same seed: bits, ranges, lines, numbers and words.
//!
//! Words and lines come from the input itself and from another seed of the same target, so mutated
//! documents use the vocabulary of the museum without a dictionary.
//!
//! Tests: `the_same_seed_gives_the_same_mutant`, `every_form_changes_something`,
//! `a_mutant_is_not_longer_than_its_limit`.

use std::ops::Range;

/// Form of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines, words and numbers.
    Text,
    /// Little-endian words and doubles.
    Binary,
    /// Both in one file.
    Mixed,
}

/// Pseudo-random numbers: `SplitMix64` of Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % (count.max(1) as u64)) as usize
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A short range of indices below `count`.
    fn range(&mut self, count: usize) -> Range<usize> {
        let start = self.below(count + 1);
        let most = [1, 4, 16, 64, count][self.below(5)];
        let length = self.below(most.min(count - start) + 1);
        start..start + length
    }
}

/// Numbers near limits, as text.
const NUMBERS: [&str; 36] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "0.5",
    "1e-9",
    "-1e-9",
    "1e-300",
    "5e-324",
    "1e3",
    "1e6",
    "1e9",
    "-1e9",
    "1e15",
    "1e18",
    "1e100",
    "1e154",
    "-1e154",
    "1e300",
    "1.7976931348623157e308",
    "-1e308",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
];

/// The same as doubles.
const DOUBLES: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    0.5,
    1e-300,
    5e-324,
    1e-9,
    240.0,
    1e6,
    1e9,
    1e18,
    1e154,
    f64::MAX,
    f64::MIN,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// The same as counts and sizes.
const COUNTS: [u64; 12] =
    [0, 1, 2, 7, 8, 255, 65_535, 65_536, 0x7fff_ffff, 0xffff_ffff, u64::MAX / 8, u64::MAX];

/// Returns a changed `input` of at most `most` bytes. `other` is another input of the same target.
pub fn mutate(input: &[u8], other: &[u8], form: Form, random: &mut Random, most: usize) -> Vec<u8> {
    let mut out = input.to_vec();
    for _ in 0..=random.below(4) {
        let as_text = match form {
            Form::Text => random.below(8) > 0,
            Form::Binary => false,
            Form::Mixed => random.below(2) > 0,
        };
        if as_text {
            change_text(&mut out, other, random);
        } else {
            change_bytes(&mut out, other, form, random);
        }
    }
    out.truncate(most);
    out
}

fn change_text(out: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    match random.below(10) {
        // A number becomes another number.
        0..=2 => {
            let numbers = tokens(out, is_numeric, |first| first.is_ascii_digit() || first == b'-');
            if let Some(at) = some(&numbers, random) {
                out.splice(at, random.pick(&NUMBERS).bytes());
            }
        }
        // A number changes a little.
        3 => {
            let numbers = tokens(out, is_numeric, |first| first.is_ascii_digit());
            if let Some(at) = some(&numbers, random) {
                let text = String::from_utf8_lossy(&out[at.clone()]).into_owned();
                let x: f64 = text.parse().unwrap_or(1.0);
                let changed = [x + 1.0, x - 1.0, -x, 10.0 * x, 0.1 * x, 1000.0 * x];
                out.splice(at, random.pick(&changed).to_string().into_bytes());
            }
        }
        // A word becomes one of the other input, or of this one.
        4 | 5 => {
            let words = tokens(out, is_of_word, |first| first.is_ascii_alphabetic());
            let donor = if random.below(2) == 0 { out.clone() } else { other.to_vec() };
            let new = tokens(&donor, is_of_word, |first| first.is_ascii_alphabetic());
            if let (Some(at), Some(new)) = (some(&words, random), some(&new, random)) {
                out.splice(at, donor[new].iter().copied());
            }
        }
        // Lines are dropped, repeated, moved, or come from the other input.
        6 => {
            let gone = some_lines(out, random);
            out.drain(gone);
        }
        7 => {
            let (from, at) = (some_lines(out, random), some_lines(out, random).start);
            let again = out[from].to_vec();
            out.splice(at..at, again);
        }
        8 => {
            let (from, at) = (some_lines(other, random), some_lines(out, random).start);
            out.splice(at..at, other[from].iter().copied());
        }
        // A sign of the grammar.
        _ => {
            let at = random.below(out.len() + 1);
            let signs = b"[]{}()\"'=,.;:#\\/<>@\n\t -+_\r\0";
            out.insert(at, *random.pick(signs));
        }
    }
}

fn change_bytes(out: &mut Vec<u8>, other: &[u8], form: Form, random: &mut Random) {
    let count = out.len();
    match random.below(if form == Form::Text { 6 } else { 10 }) {
        0 if count > 0 => out[random.below(count)] ^= 1 << random.below(8),
        1 if count > 0 => out[random.below(count)] = random.bits() as u8,
        2 => {
            let gone = random.range(count);
            out.drain(gone);
        }
        3 => {
            let again = out[random.range(count)].to_vec();
            let at = random.below(count + 1);
            out.splice(at..at, again);
        }
        4 => {
            let from = random.range(other.len());
            let at = random.range(count);
            out.splice(at, other[from].iter().copied());
        }
        5 => out.truncate(random.below(count + 1)),
        6 => put(out, &random.pick(&COUNTS).to_le_bytes()[..4], random),
        7 => put(out, &random.pick(&COUNTS).to_le_bytes(), random),
        _ => put(out, &random.pick(&DOUBLES).to_le_bytes(), random),
    }
}

/// Overwrites some bytes.
fn put(out: &mut [u8], bytes: &[u8], random: &mut Random) {
    if let Some(places) = (out.len() + 1).checked_sub(bytes.len()).filter(|places| *places > 0) {
        let at = random.below(places);
        out[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_')
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Runs of bytes of one kind, whose first byte passes a test.
fn tokens(bytes: &[u8], kind: fn(u8) -> bool, first: fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| kind(**byte)).count();
        if length > 0 && first(bytes[at]) {
            found.push(at..at + length);
        }
        at += length.max(1);
    }
    found
}

fn some(ranges: &[Range<usize>], random: &mut Random) -> Option<Range<usize>> {
    (!ranges.is_empty()).then(|| random.pick(ranges).clone())
}

/// One to four whole lines.
fn some_lines(bytes: &[u8], random: &mut Random) -> Range<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = [0].into_iter().chain(ends).chain([bytes.len()]).collect();
    let first = random.below(starts.len() - 1);
    let last = (first + 1 + random.below(4)).min(starts.len() - 1);
    starts[first]..starts[last]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"lariat = 2\n[[body]]\nname = \"rein\"\nlength = 4.2\nfrom = [0, -1, 2]\n";

    #[test]
    fn the_same_seed_gives_the_same_mutant() {
        let of = |seed| mutate(TEXT, b"other = 1\n", Form::Mixed, &mut Random::new(seed), 4096);
        for seed in 0..200 {
            assert_eq!(of(seed), of(seed));
        }
        let mutants: std::collections::BTreeSet<Vec<u8>> = (0..200).map(of).collect();
        assert!(mutants.len() > 150, "{} different mutants of 200", mutants.len());
    }

    #[test]
    fn every_form_changes_something() {
        for form in [Form::Text, Form::Binary, Form::Mixed] {
            for input in [TEXT, b"", b"\n", b"1", b"\x00\xff"] {
                let mut random = Random::new(1);
                let of = |random: &mut Random| mutate(input, TEXT, form, random, 4096);
                let changed = (0..100).filter(|_| of(&mut random) != input).count();
                assert!(changed > 10, "{changed} of 100 mutants of {input:?} as {form:?} differ");
            }
        }
    }

    #[test]
    fn a_mutant_is_not_longer_than_its_limit() {
        let mut random = Random::new(2);
        for _ in 0..1000 {
            assert!(mutate(TEXT, TEXT, Form::Text, &mut random, 40).len() <= 40);
        }
    }

    #[test]
    fn numbers_become_limits() {
        let mut random = Random::new(3);
        let mut texts = (0..3000).map(|_| mutate(b"x = 4.2", b"", Form::Text, &mut random, 99));
        assert!(texts.any(|text| text == b"x = 1e400"));
    }
}
