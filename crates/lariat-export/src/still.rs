//! One strand at one frame, with the velocities of its points.

use glam::DVec3;
use lariat_core::geometry::{Footage, Strand};

use crate::{ExportError, Timing};

/// A strand at one frame.
#[derive(Clone, Debug)]
pub(crate) struct Still {
    /// The strand itself.
    pub(crate) strand: Strand,
    /// Velocity of every point in metres per second; empty unless requested.
    pub(crate) velocities: Vec<DVec3>,
}

impl Still {
    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.strand.points().len()
    }
}

/// Location of a value, for error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The body.
    pub(crate) body: &'a str,
    /// The strand of that body.
    pub(crate) strand: &'a str,
    /// The frame.
    pub(crate) frame: i64,
}

impl Place<'_> {
    /// Refuses NaN and infinities.
    pub(crate) fn finite(
        &self,
        index: usize,
        what: &'static str,
        value: f64,
    ) -> Result<f64, ExportError> {
        if value.is_finite() { Ok(value) } else { Err(self.not_finite(index, what, value)) }
    }

    /// Rounds to the 32 bits of USD; refuses values out of range.
    pub(crate) fn single(
        &self,
        index: usize,
        what: &'static str,
        value: f64,
    ) -> Result<f32, ExportError> {
        let single = value as f32;
        if single.is_finite() { Ok(single) } else { Err(self.not_finite(index, what, value)) }
    }

    #[cold]
    fn not_finite(&self, index: usize, what: &'static str, value: f64) -> ExportError {
        let (body, strand, frame) = (self.body.to_owned(), self.strand.to_owned(), self.frame);
        if value.is_finite() {
            ExportError::TooFarAway { body, strand, frame, index, what, value }
        } else {
            ExportError::NotFinite { body, strand, frame, index, what, value }
        }
    }
}

/// Strands of one body at one frame.
pub(crate) fn evaluate(
    footage: &dyn Footage,
    timing: &Timing,
    body: usize,
    frame: i64,
    velocities: bool,
) -> Vec<Still> {
    let at = |offset: f64| {
        let mut strands = Vec::new();
        footage.strands(body, frame as f64 + offset, &mut strands);
        strands
    };
    let still = |strand| Still { strand, velocities: Vec::new() };
    let mut stills: Vec<Still> = at(0.0).into_iter().map(still).collect();
    if velocities {
        // Central difference over one frame, the exposure of a shutter open for the whole frame.
        let (before, after) = (at(-0.5), at(0.5));
        for (index, still) in stills.iter_mut().enumerate() {
            let now = &still.strand;
            still.velocities = speeds(
                now.points(),
                same_strand(now, index, &before),
                same_strand(now, index, &after),
                timing.rate().per_second(),
            );
        }
    }
    stills
}

/// Points of the strand with the same name and the same number of points, if it exists and has not
/// torn meanwhile.
fn same_strand<'a>(strand: &Strand, hint: usize, others: &'a [Strand]) -> Option<&'a [DVec3]> {
    find(others, hint, |other| other.name == strand.name)
        .filter(|found| others[*found].piece == strand.piece)
        .map(|found| others[found].points())
        .filter(|points| points.len() == strand.points().len())
}

/// Index of the matching item; `hint` is tried first, since strands rarely change their order.
pub(crate) fn find<T>(items: &[T], hint: usize, fits: impl Fn(&T) -> bool) -> Option<usize> {
    if items.get(hint).is_some_and(&fits) { Some(hint) } else { items.iter().position(fits) }
}

/// Velocities in metres per second from half a frame before to half a frame after. Next to a tear
/// they are one-sided, on the side with the same points; zero if neither side has them.
fn speeds(
    now: &[DVec3],
    before: Option<&[DVec3]>,
    after: Option<&[DVec3]>,
    frames_per_second: f64,
) -> Vec<DVec3> {
    let (from, to, frames) = match (before, after) {
        (Some(before), Some(after)) => (before, after, 1.0),
        (Some(before), None) => (before, now, 0.5),
        (None, Some(after)) => (now, after, 0.5),
        (None, None) => return vec![DVec3::ZERO; now.len()],
    };
    let scale = frames_per_second / frames;
    from.iter().zip(to).map(|(from, to)| (*to - *from) * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_per_second_on_either_side() {
        let (a, b, c) = ([DVec3::ZERO], [DVec3::X], [DVec3::X * 2.0]);
        assert_eq!(speeds(&b, Some(&a), Some(&c), 24.0), [DVec3::X * 48.0]);
        assert_eq!(speeds(&b, Some(&a), None, 24.0), [DVec3::X * 48.0]);
        assert_eq!(speeds(&b, None, Some(&c), 24.0), [DVec3::X * 48.0]);
        assert_eq!(speeds(&b, None, None, 24.0), [DVec3::ZERO]);
    }

    #[test]
    fn a_strand_is_found_at_any_index() {
        assert_eq!(find(&[1, 2, 3], 1, |&x| x == 2), Some(1));
        assert_eq!(find(&[1, 2, 3], 9, |&x| x == 3), Some(2));
        assert_eq!(find(&[1, 2, 3], 0, |&x| x == 4), None);
    }
}
