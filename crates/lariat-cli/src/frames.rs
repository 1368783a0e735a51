//! Sets of frames as they are said on the command line: `1-10`, `1,5-9`, `1-100x2`, `-5-3`, `12.5`.
//!
//! Parts are separated by commas. A part is one frame, or a range from first to last, both of
//! them included, with `xN` for every N-th frame from the first on. Frames may be negative
//! (`-5--3` is minus five to minus three), and a single one may lie between two (`12.5`). The
//! dash of a range may be the long one that diagnostics are written with (`12–40`).
//!
//! A set is kept as it was said: `1-1000000000` costs nothing until its frames are asked for, and
//! that needs a bound.
//!
//! Tests: `sets_mean_what_they_say`, `a_mistake_is_found_where_it_is`,
//! `a_huge_set_costs_nothing_until_it_is_refused`.

use std::{fmt, str::FromStr};

/// Frames beyond this are out of reach, as they are in documents.
const FURTHEST: i64 = 1_000_000_000;

/// A set of frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameSet {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// Every `step`-th from `first` on, up to `last`.
    Range { first: i64, last: i64, step: i64 },
    /// One that lies between two frames.
    Between(f64),
}

/// More frames than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany {
    pub(crate) frames: u64,
    pub(crate) limit: u64,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, limit } = self;
        write!(
            f,
            "{frames} frames are asked for, more than the limit of {limit}: name fewer, or raise \
             it with `--limit frames={frames}`"
        )
    }
}

impl FrameSet {
    /// The frames from first to last.
    pub(crate) fn range(first: i64, last: i64) -> Self {
        Self { parts: vec![Part::Range { first, last, step: 1 }] }
    }

    /// How many frames were named; one that was named twice counts twice.
    fn named(&self) -> u64 {
        let count = |part: &Part| match *part {
            Part::Range { first, last, step } => last.abs_diff(first) / step.unsigned_abs() + 1,
            Part::Between(_) => 1,
        };
        self.parts.iter().map(count).fold(0, u64::saturating_add)
    }

    /// The frames, rising, each once.
    pub(crate) fn frames(&self, limit: u64) -> Result<Vec<f64>, TooMany> {
        let named = self.named();
        if named > limit {
            return Err(TooMany { frames: named, limit });
        }
        let mut frames = Vec::with_capacity(named as usize);
        for part in &self.parts {
            match *part {
                Part::Range { first, last, step } => {
                    let mut frame = first;
                    while frame <= last {
                        frames.push(frame as f64);
                        frame += step;
                    }
                }
                Part::Between(frame) => frames.push(frame),
            }
        }
        frames.sort_by(f64::total_cmp);
        frames.dedup();
        Ok(frames)
    }

    /// A frame of the set that lies between two, if there is one.
    pub(crate) fn between(&self) -> Option<f64> {
        self.parts.iter().find_map(|part| match part {
            Part::Between(frame) => Some(*frame),
            Part::Range { .. } => None,
        })
    }
}

/// Why a text is no set of frames, and where in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameSetError {
    /// Which character, from 1.
    at: usize,
    kind: Mistake,
}

#[derive(Clone, Debug, PartialEq)]
enum Mistake {
    NoFrame { found: String },
    NoStep { found: String },
    Left { found: String },
    Backwards { first: i64, last: i64 },
    TooFar { written: String },
    Fraction { written: String },
}

impl fmt::Display for FrameSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = |found: &str| {
            if found.is_empty() { "nothing".to_owned() } else { format!("`{found}`") }
        };
        write!(f, "at character {}: ", self.at)?;
        match &self.kind {
            Mistake::NoFrame { found: what } => {
                write!(f, "a frame number belongs here, not {}", found(what))
            }
            Mistake::NoStep { found: what } => {
                write!(f, "a step of 1 or more belongs after the `x`, not {}", found(what))
            }
            Mistake::Left { found: what } => {
                write!(f, "{} does not belong here; separate parts with commas", found(what))
            }
            Mistake::Backwards { first, last } => {
                write!(f, "{first}-{last} runs backwards; write {last}-{first}")
            }
            Mistake::TooFar { written } => write!(
                f,
                "frame {written} is out of reach; frames lie between -{FURTHEST} and {FURTHEST}"
            ),
            Mistake::Fraction { written } => write!(
                f,
                "{written} lies between two frames; ranges go from whole frame to whole frame"
            ),
        }?;
        f.write_str(" (sets look like 1-10 or 1,5-9 or 1-100x2)")
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
                return Err(reader.mistake(reader.at, |found| Mistake::Left { found }));
            }
        }
    }
}

/// A number as it was written.
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
                Written::Fraction(frame, _) => Part::Between(frame),
            });
        }
        let first = Self::whole(first, start)?;
        self.spaces();
        let middle = self.at;
        let last = Self::whole(self.number()?, middle)?;
        if last < first {
            return Err(FrameSetError { at: start + 1, kind: Mistake::Backwards { first, last } });
        }
        self.spaces();
        let step = if self.take(&['x', 'X', '×']) { self.step()? } else { 1 };
        Ok(Part::Range { first, last, step })
    }

    fn number(&mut self) -> Result<Written, FrameSetError> {
        let start = self.at;
        let negative = self.take(&['-']);
        if !self.digits() {
            return Err(self.mistake(start, |found| Mistake::NoFrame { found }));
        }
        let fraction = self.take(&['.']) && self.digits();
        let written: String = self.text[start..self.at].iter().collect();
        let too_far = |written| FrameSetError { at: start + 1, kind: Mistake::TooFar { written } };
        // Whatever the number of digits, a number can be made of them.
        let value: f64 = written.parse().unwrap_or(f64::INFINITY);
        if value.abs() > FURTHEST as f64 {
            return Err(too_far(written));
        }
        if self.text[self.at - 1] == '.' {
            return Err(self.mistake(start, |found| Mistake::NoFrame { found }));
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
                Err(FrameSetError { at: start + 1, kind: Mistake::Fraction { written } })
            }
        }
    }

    fn step(&mut self) -> Result<i64, FrameSetError> {
        self.spaces();
        let start = self.at;
        self.digits();
        let digits: String = self.text[start..self.at].iter().collect();
        match digits.parse::<i64>() {
            Ok(step) if step > 0 => Ok(step.min(2 * FURTHEST)),
            // More digits than a number has: larger than any range.
            Err(_) if digits.chars().any(|digit| digit != '0') => Ok(2 * FURTHEST),
            _ => Err(self.mistake(start, |found| Mistake::NoStep { found })),
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

    /// A mistake at a place; what was found there goes up to the next comma.
    fn mistake(&self, at: usize, kind: impl FnOnce(String) -> Mistake) -> FrameSetError {
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
    fn sets_mean_what_they_say() {
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
    fn minus_nought_is_nought() {
        assert!(frames("-0")[0].is_sign_positive());
    }

    #[test]
    fn a_mistake_is_found_where_it_is() {
        for (set, message) in [
            ("", "at character 1: a frame number belongs here, not nothing"),
            ("1-10,", "at character 6: a frame number belongs here, not nothing"),
            ("1-10,5-x9", "at character 8: a frame number belongs here, not `x9`"),
            ("1,,3", "at character 3: a frame number belongs here, not nothing"),
            ("1-", "at character 3: a frame number belongs here, not nothing"),
            ("all", "at character 1: a frame number belongs here, not `all`"),
            ("1-10x0,4", "at character 6: a step of 1 or more belongs after the `x`, not `0`"),
            ("1-10x-2", "at character 6: a step of 1 or more belongs after the `x`, not `-2`"),
            ("1-10 20", "at character 6: `20` does not belong here"),
            ("1..10", "at character 1: a frame number belongs here, not `1..10`"),
            ("2,10-1", "at character 3: 10-1 runs backwards; write 1-10"),
            ("1-2000000000", "at character 3: frame 2000000000 is out of reach"),
            ("1.5-3", "at character 1: 1.5 lies between two frames"),
            ("1-3.5", "at character 3: 3.5 lies between two frames"),
            ("é", "at character 1: a frame number belongs here, not `é`"),
        ] {
            let error = set.parse::<FrameSet>().expect_err(set).to_string();
            assert!(error.starts_with(message), "{set}: {error}");
        }
    }

    #[test]
    fn a_huge_set_costs_nothing_until_it_is_refused() {
        let set: FrameSet = "-1000000000-1000000000,1".parse().unwrap();
        let refused = set.frames(1_000_000).unwrap_err();
        assert_eq!(refused, TooMany { frames: 2_000_000_002, limit: 1_000_000 });
        assert!(refused.to_string().contains("--limit frames=2000000002"));
        let many = vec!["0-1000000000"; 100].join(",");
        assert!(many.parse::<FrameSet>().unwrap().frames(1 << 20).is_err());
        assert_eq!(
            "1-1000000000x500000000".parse::<FrameSet>().unwrap().frames(2).unwrap().len(),
            2
        );
    }

    #[test]
    fn the_frames_between_are_known() {
        assert_eq!("1-10,12.5".parse::<FrameSet>().unwrap().between(), Some(12.5));
        assert_eq!("1-10,12.0".parse::<FrameSet>().unwrap().between(), None);
        assert_eq!(FrameSet::range(3, 5), "3-5".parse().unwrap());
    }
}
