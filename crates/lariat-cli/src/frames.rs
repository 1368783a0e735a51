//! Frame sets of the command line: `1-10`, `1,5-9`, `1-100x2`, `-5-3`, `12.5`.
//!
//! Parts are separated by commas. A part is one frame or an inclusive range, with `xN` for every
//! N-th frame from the first on. Frames may be negative (`-5--3`), and single frames may be
//! fractional (`12.5`). The dash of a range may be an en dash, as diagnostics print it (`12–40`).
//!
//! A set stores its ranges, so `1-1000000000` costs nothing until its frames are listed, which
//! takes a limit.
//!
//! Tests: `sets_list_their_frames`, `errors_state_their_position`,
//! `a_huge_set_is_rejected_before_it_is_listed`.

use std::{fmt, str::FromStr};

/// Largest frame number, as in documents.
const MAX_FRAME: i64 = 1_000_000_000;

/// A set of frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameSet {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Every `step`-th from `first` on, up to `last`.
    Range { first: i64, last: i64, step: i64 },
    /// A fractional frame.
    Fractional(f64),
}

/// Error: more frames than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyFrames {
    pub(crate) frames: u64,
    pub(crate) limit: u64,
}

impl fmt::Display for TooManyFrames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, limit } = self;
        write!(
            f,
            "{frames} frames exceed the limit of {limit}; choose fewer, or raise it with `--limit \
             frames={frames}`"
        )
    }
}

impl FrameSet {
    /// Frames from `first` to `last`, inclusive.
    pub(crate) fn range(first: i64, last: i64) -> Self {
        Self { parts: vec![Part::Range { first, last, step: 1 }] }
    }

    /// Number of frames, counting repeated ones again.
    fn count(&self) -> u64 {
        let frames = |part: &Part| match *part {
            Part::Range { first, last, step } => last.abs_diff(first) / step.unsigned_abs() + 1,
            Part::Fractional(_) => 1,
        };
        self.parts.iter().map(frames).fold(0, u64::saturating_add)
    }

    /// Lists the frames in ascending order, each once.
    pub(crate) fn frames(&self, limit: u64) -> Result<Vec<f64>, TooManyFrames> {
        let count = self.count();
        if count > limit {
            return Err(TooManyFrames { frames: count, limit });
        }
        let mut frames = Vec::with_capacity(count as usize);
        for part in &self.parts {
            match *part {
                Part::Range { first, last, step } => {
                    let mut frame = first;
                    while frame <= last {
                        frames.push(frame as f64);
                        frame += step;
                    }
                }
                Part::Fractional(frame) => frames.push(frame),
            }
        }
        frames.sort_by(f64::total_cmp);
        frames.dedup();
        Ok(frames)
    }

    /// The first fractional frame of the set.
    pub(crate) fn fractional(&self) -> Option<f64> {
        self.parts.iter().find_map(|part| match part {
            Part::Fractional(frame) => Some(*frame),
            Part::Range { .. } => None,
        })
    }
}

/// Syntax error in a frame set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameSetError {
    /// Position in characters, from 1.
    at: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    ExpectedFrame { found: String },
    ExpectedStep { found: String },
    Unexpected { found: String },
    Backwards { first: i64, last: i64 },
    OutOfRange { written: String },
    Fraction { written: String },
}

impl fmt::Display for FrameSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = |found: &str| {
            if found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") }
        };
        write!(f, "at character {}: ", self.at)?;
        match &self.kind {
            Kind::ExpectedFrame { found: what } => {
                write!(f, "expected a frame number, found {}", found(what))
            }
            Kind::ExpectedStep { found: what } => {
                write!(f, "expected a step of 1 or more after `x`, found {}", found(what))
            }
            Kind::Unexpected { found: what } => {
                write!(f, "unexpected {}; separate parts with commas", found(what))
            }
            Kind::Backwards { first, last } => {
                write!(f, "range {first}-{last} is reversed; write {last}-{first}")
            }
            Kind::OutOfRange { written } => write!(
                f,
                "frame {written} is out of range; frames go from -{MAX_FRAME} to {MAX_FRAME}"
            ),
            Kind::Fraction { written } => {
                write!(f, "{written} is not a whole frame; ranges begin and end at whole frames")
            }
        }?;
        f.write_str(" (examples: 1-10, 1,5-9, 1-100x2)")
    }
}

impl std::error::Error for FrameSetError {}

impl FromStr for FrameSet {
    type Err = FrameSetError;

    fn from_str(text: &str) -> Result<Self, FrameSetError> {
        let mut reader = Reader { text: text.chars().collect(), at: 0 };
        let mut parts = Vec::new();
        loop {
            parts.push(reader.part()?);
            reader.spaces();
            if reader.at == reader.text.len() {
                return Ok(Self { parts });
            }
            if !reader.take(&[',']) {
                return Err(reader.error(reader.at, |found| Kind::Unexpected { found }));
            }
        }
    }
}

/// A number, with its text if it is fractional.
enum Written {
    Whole(i64),
    Fraction(f64, String),
}

struct Reader {
    text: Vec<char>,
    at: usize,
}

impl Reader {
    fn part(&mut self) -> Result<Part, FrameSetError> {
        self.spaces();
        let start = self.at;
        let first = self.number()?;
        self.spaces();
        if !self.take(&['-', '–']) {
            return Ok(match first {
                Written::Whole(frame) => Part::Range { first: frame, last: frame, step: 1 },
                Written::Fraction(frame, _) => Part::Fractional(frame),
            });
        }
        let first = Self::whole(first, start)?;
        self.spaces();
        let middle = self.at;
        let last = Self::whole(self.number()?, middle)?;
        if last < first {
            return Err(FrameSetError { at: start + 1, kind: Kind::Backwards { first, last } });
        }
        self.spaces();
        let step = if self.take(&['x', 'X', '×']) { self.step()? } else { 1 };
        Ok(Part::Range { first, last, step })
    }

    fn number(&mut self) -> Result<Written, FrameSetError> {
        let start = self.at;
        let negative = self.take(&['-']);
        if !self.digits() {
            return Err(self.error(start, |found| Kind::ExpectedFrame { found }));
        }
        let fraction = self.take(&['.']) && self.digits();
        let written: String = self.text[start..self.at].iter().collect();
        let too_far = |written| FrameSetError { at: start + 1, kind: Kind::OutOfRange { written } };
        // Any number of digits parses.
        let value: f64 = written.parse().unwrap_or(f64::INFINITY);
        if value.abs() > MAX_FRAME as f64 {
            return Err(too_far(written));
        }
        if self.text[self.at - 1] == '.' {
            return Err(self.error(start, |found| Kind::ExpectedFrame { found }));
        }
        // 12.0 is frame 12.
        if fraction && value.fract() != 0.0 {
            return Ok(Written::Fraction(value, written));
        }
        let whole = value.abs() as i64;
        Ok(Written::Whole(if negative { -whole } else { whole }))
    }

    fn whole(number: Written, start: usize) -> Result<i64, FrameSetError> {
        match number {
            Written::Whole(frame) => Ok(frame),
            Written::Fraction(_, written) => {
                Err(FrameSetError { at: start + 1, kind: Kind::Fraction { written } })
            }
        }
    }

    fn step(&mut self) -> Result<i64, FrameSetError> {
        self.spaces();
        let start = self.at;
        self.digits();
        let digits: String = self.text[start..self.at].iter().collect();
        match digits.parse::<i64>() {
            Ok(step) if step > 0 => Ok(step.min(2 * MAX_FRAME)),
            // Too many digits: larger than any range.
            Err(_) if digits.chars().any(|digit| digit != '0') => Ok(2 * MAX_FRAME),
            _ => Err(self.error(start, |found| Kind::ExpectedStep { found })),
        }
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.text.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        self.at > start
    }

    fn take(&mut self, any_of: &[char]) -> bool {
        let found = self.text.get(self.at).is_some_and(|c| any_of.contains(c));
        self.at += usize::from(found);
        found
    }

    fn spaces(&mut self) {
        while self.take(&[' ']) {}
    }

    /// Error at a position; the text found there ends at the next comma.
    fn error(&self, at: usize, kind: impl FnOnce(String) -> Kind) -> FrameSetError {
        let found = self.text[at..].iter().take_while(|c| **c != ',').collect::<String>();
        FrameSetError { at: at + 1, kind: kind(found.trim_end().to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(set: &str) -> Vec<f64> {
        let parsed: FrameSet = set.parse().unwrap_or_else(|error| panic!("{set}: {error}"));
        parsed.frames(1000).unwrap()
    }

    #[test]
    fn sets_list_their_frames() {
        for (set, expected) in [
            ("7", &[7.0][..]),
            ("1-4", &[1.0, 2.0, 3.0, 4.0]),
            ("1,5-7", &[1.0, 5.0, 6.0, 7.0]),
            ("1-10x3", &[1.0, 4.0, 7.0, 10.0]),
            ("1-9x3", &[1.0, 4.0, 7.0]),
            ("-2-1", &[-2.0, -1.0, 0.0, 1.0]),
            ("-5--3", &[-5.0, -4.0, -3.0]),
            ("-7", &[-7.0]),
            ("12.5", &[12.5]),
            ("-0.25", &[-0.25]),
            ("12.0-13.00", &[12.0, 13.0]),
            ("1–3", &[1.0, 2.0, 3.0]),
            (" 3 , 1 - 2 ", &[1.0, 2.0, 3.0]),
            ("5,1-5x2,5", &[1.0, 3.0, 5.0]),
            ("3-3x9", &[3.0]),
            ("1-3x99999999999999999999999", &[1.0]),
        ] {
            assert_eq!(frames(set), expected, "{set}");
        }
    }

    #[test]
    fn minus_zero_is_zero() {
        assert!(frames("-0")[0].is_sign_positive());
    }

    #[test]
    fn errors_state_their_position() {
        for (set, message) in [
            ("", "at character 1: expected a frame number, found nothing"),
            ("1-10,", "at character 6: expected a frame number, found nothing"),
            ("1-10,5-x9", "at character 8: expected a frame number, found `x9`"),
            ("1,,3", "at character 3: expected a frame number, found nothing"),
            ("1-", "at character 3: expected a frame number, found nothing"),
            ("all", "at character 1: expected a frame number, found `all`"),
            ("1-10x0,4", "at character 6: expected a step of 1 or more after `x`, found `0`"),
            ("1-10x-2", "at character 6: expected a step of 1 or more after `x`, found `-2`"),
            ("1-10 20", "at character 6: unexpected `20`"),
            ("1..10", "at character 1: expected a frame number, found `1..10`"),
            ("2,10-1", "at character 3: range 10-1 is reversed; write 1-10"),
            ("1-2000000000", "at character 3: frame 2000000000 is out of range"),
            ("1.5-3", "at character 1: 1.5 is not a whole frame"),
            ("1-3.5", "at character 3: 3.5 is not a whole frame"),
            ("é", "at character 1: expected a frame number, found `é`"),
        ] {
            let error = set.parse::<FrameSet>().expect_err(set).to_string();
            assert!(error.starts_with(message), "{set}: {error}");
        }
    }

    #[test]
    fn a_huge_set_is_rejected_before_it_is_listed() {
        let set: FrameSet = "-1000000000-1000000000,1".parse().unwrap();
        let error = set.frames(1_000_000).unwrap_err();
        assert_eq!(error, TooManyFrames { frames: 2_000_000_002, limit: 1_000_000 });
        assert!(error.to_string().contains("--limit frames=2000000002"));
        let many = vec!["0-1000000000"; 100].join(",");
        assert!(many.parse::<FrameSet>().unwrap().frames(1 << 20).is_err());
        assert_eq!(
            "1-1000000000x500000000".parse::<FrameSet>().unwrap().frames(2).unwrap().len(),
            2
        );
    }

    #[test]
    fn fractional_frames_are_found() {
        assert_eq!("1-10,12.5".parse::<FrameSet>().unwrap().fractional(), Some(12.5));
        assert_eq!("1-10,12.0".parse::<FrameSet>().unwrap().fractional(), None);
        assert_eq!(FrameSet::range(3, 5), "3-5".parse().unwrap());
    }
}
