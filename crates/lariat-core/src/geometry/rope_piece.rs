//! Which part of a rope a strand is, when the rope may tear.
//!
//! A rope that tears becomes more strands, and each of these may tear again. So that a piece stays
//! the same thing from frame to frame, it is called by where it begins: the part that has the old
//! start keeps the old name, the other one gets that of the tear ([`piece_name`]). Numbers counted
//! from the first piece on would not do: a tear near the start would give every later piece the
//! name of its neighbour.
//!
//! What looks random about a torn end, and where the pattern of a rope is along it, belong to the
//! place on the whole rope, which a piece knows for both of its ends. So one end does not change its
//! look because the rope has torn elsewhere.
//!
//! Tests: `a_piece_is_called_by_where_it_begins`, `places_of_the_rope_are_found_on_its_pieces`.

use std::sync::Arc;

/// A part of a rope, as it was made: what has happened to it since changes none of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopePiece {
    /// Where on the rope it starts, 0–1.
    pub from: f64,
    /// Where on the rope it ends, 0–1.
    pub to: f64,
    /// Length of the whole rope, in its radii.
    pub radii: f64,
}

impl RopePiece {
    /// The whole of a rope that may tear, of a length and a radius in metres.
    pub fn whole(length: f64, radius: f64) -> Self {
        let radii = if radius > 0.0 { length / radius } else { 0.0 };
        Self { from: 0.0, to: 1.0, radii }
    }

    /// The part of it between two places of the whole rope.
    #[must_use]
    pub fn part(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// The place of the whole rope that is `u` along the piece.
    pub fn place(&self, u: f64) -> f64 {
        // The ends are exact.
        if u == 1.0 { self.to } else { self.from + (self.to - self.from) * u }
    }

    /// How far along the piece a place of the whole rope is; nothing if it is on another one.
    pub fn along(&self, place: f64) -> Option<f64> {
        let wide = self.to - self.from;
        let inside = wide > 0.0 && (self.from..=self.to).contains(&place);
        inside.then(|| if place == self.to { 1.0 } else { (place - self.from) / wide })
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
    fn a_piece_is_called_by_where_it_begins() {
        let rope: Arc<str> = "rope".into();
        assert_eq!(&*piece_name(&rope, 0), "rope");
        assert_eq!(&*piece_name(&rope, 40), "rope-40");
    }

    #[test]
    fn places_of_the_rope_are_found_on_its_pieces() {
        let whole = RopePiece::whole(2.0, 0.01);
        assert_eq!(whole.radii, 200.0);
        let piece = whole.part(0.25, 0.75);
        assert_eq!([0.0, 0.5, 1.0].map(|u| piece.place(u)), [0.25, 0.5, 0.75]);
        assert_eq!(
            [0.2, 0.25, 0.5, 0.75, 0.8].map(|place| piece.along(place)),
            [None, Some(0.0), Some(0.5), Some(1.0), None]
        );
        assert_eq!(whole.part(0.5, 0.5).along(0.5), None, "nothing is left of it");
        assert_eq!(RopePiece::whole(2.0, 0.0).radii, 0.0);
    }
}
