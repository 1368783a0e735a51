//! Pieces of a rope that may tear.
//!
//! A torn rope becomes several strands, each of which may tear again. So that a piece keeps
//! its identity from frame to frame, it is named by its first segment: the piece with the old start
//! keeps the old name, the other one is named after the tear ([`piece_name`]). With consecutive
//! numbers a tear near the start would rename every later piece.
//!
//! The random fraying of an end and the pattern along the rope depend on the position on the whole
//! rope, so that the look of an end does not change when the rope tears elsewhere.
//!
//! Tests: `a_piece_is_named_by_its_first_segment`, `positions_convert_between_rope_and_piece`.

use std::sync::Arc;

/// A piece of a rope, in coordinates of the undeformed whole rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopePiece {
    /// Start on the rope, 0–1.
    pub from: f64,
    /// End on the rope, 0–1.
    pub to: f64,
    /// Length of the whole rope, in radii.
    pub radii: f64,
}

impl RopePiece {
    /// The whole of a rope that may tear; `length` and `radius` in metres.
    pub fn whole(length: f64, radius: f64) -> Self {
        let radii = if radius > 0.0 { length / radius } else { 0.0 };
        Self { from: 0.0, to: 1.0, radii }
    }

    /// The piece between two positions on the whole rope.
    #[must_use]
    pub fn part(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// Position on the whole rope at `u` along the piece.
    pub fn place(&self, u: f64) -> f64 {
        // The ends are exact.
        if u == 1.0 { self.to } else { self.from + (self.to - self.from) * u }
    }

    /// Position along the piece, 0–1, of a position on the whole rope; `None` if it is on another piece.
    pub fn along(&self, place: f64) -> Option<f64> {
        let width = self.to - self.from;
        let inside = width > 0.0 && (self.from..=self.to).contains(&place);
        inside.then(|| if place == self.to { 1.0 } else { (place - self.from) / width })
    }
}

/// The name of the piece of a rope that begins with its segment `first`, counted from 0.
pub fn piece_name(rope: &Arc<str>, first: usize) -> Arc<str> {
    if first == 0 { rope.clone() } else { format!("{rope}-{first}").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_named_by_its_first_segment() {
        let rope: Arc<str> = "rope".into();
        assert_eq!(&*piece_name(&rope, 0), "rope");
        assert_eq!(&*piece_name(&rope, 40), "rope-40");
    }

    #[test]
    fn positions_convert_between_rope_and_piece() {
        let whole = RopePiece::whole(2.0, 0.01);
        assert_eq!(whole.radii, 200.0);
        let piece = whole.part(0.25, 0.75);
        assert_eq!([0.0, 0.5, 1.0].map(|u| piece.place(u)), [0.25, 0.5, 0.75]);
        assert_eq!(
            [0.2, 0.25, 0.5, 0.75, 0.8].map(|place| piece.along(place)),
            [None, Some(0.0), Some(0.5), Some(1.0), None]
        );
        assert_eq!(whole.part(0.5, 0.5).along(0.5), None, "an empty piece");
        assert_eq!(RopePiece::whole(2.0, 0.0).radii, 0.0);
    }
}
