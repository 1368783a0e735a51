//! Extent of everything that a shot shows: what the automatic camera frames and the stage is laid
//! out for.
//!
//! The whole shot is framed before the first picture, so that every picture of it is taken from the
//! same place, on whichever machine. Of each frame only the extent is kept.
//!
//! Tests: `torn_pieces_that_fly_off_are_not_framed`, `every_frame_is_taken_from_the_same_place`.

use glam::DVec3;
use lariat_core::geometry::{Bounds, Strand};
use lariat_eval::Moment;
use lariat_export::Progress;
use lariat_render::{Framing, surface::Surface};

use crate::{
    bodies::{Bodies, meshes},
    error::ShootError,
    moments::Moments,
    overlay::{Measure, Range},
};

/// Distance of a torn piece from the initial bounds above which it is not framed, in diagonals of
/// these bounds. Smaller: pieces that fall beside the rope are cropped. Larger: a piece that flies off
/// makes everything else a dot.
const STRAY: f64 = 1.0;

/// Extent of everything over many frames.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) framing: Framing,
    pub(crate) bounds: Bounds,
    /// Whether anything glows.
    pub(crate) glows: bool,
    measure: Option<Measure>,
    /// Values of the measure.
    pub(crate) range: Range,
}

impl Extent {
    /// Extent of nothing, seen in a direction in pictures of an aspect ratio.
    pub(crate) fn new(direction: DVec3, aspect: f64, measure: Option<Measure>) -> Self {
        let framing = Framing::new(direction, aspect);
        Self { framing, bounds: Bounds::EMPTY, glows: false, measure, range: Range::EMPTY }
    }

    /// Includes frames of a shot.
    pub(crate) fn include_frames(
        &mut self,
        moments: &Moments<'_>,
        frames: &[f64],
        progress: &dyn Progress,
    ) -> Result<(), ShootError> {
        let bodies = moments.bodies();
        let Some((first, rest)) = frames.split_first() else { return Ok(()) };
        let empty = *self;
        let moment = moments.at(*first);
        self.include(bodies, &moment, Bounds::EMPTY);
        moments.recycle(moment);
        if moments.are_still() {
            return Ok(());
        }
        let home = self.bounds;
        let extent = |moment: &Moment| {
            let mut extent = empty;
            extent.include(bodies, moment, home);
            extent
        };
        moments.summarise(rest, progress, extent, |_, other| {
            self.framing.include_all_of(&other.framing);
            self.bounds = self.bounds.union(other.bounds);
            self.glows |= other.glows;
            self.range.include_all_of(other.range);
        })
    }

    fn include(&mut self, bodies: &Bodies<'_>, moment: &Moment, home: Bounds) {
        let visible = bodies.indices().iter().map(|body| &moment.bodies[*body]);
        // A body of several strands is torn; a single strand with a torn end is only drawn frayed.
        let strands = visible
            .filter(|body| body.visible)
            .flat_map(|body| body.strands.iter().map(|strand| (strand, body.strands.len() > 1)));
        for (strand, is_piece) in strands {
            let bounds = Bounds::of(strand);
            if !(is_piece && is_stray(strand, &bounds, &home)) {
                self.framing.include_strands([strand]);
                self.bounds = self.bounds.union(bounds);
            }
            // Colours that show a measure are drawn by day.
            self.glows |= self.measure.is_none() && Surface::of(&strand.look).glow > 0.0;
            self.range.include(self.measure, strand);
        }
        for mesh in meshes(bodies, moment) {
            self.framing.include_meshes([mesh]);
            self.bounds = self.bounds.union(Bounds::of_mesh(mesh));
        }
    }
}

/// Whether a strand is a torn piece far from the initial bounds.
fn is_stray(strand: &Strand, bounds: &Bounds, home: &Bounds) -> bool {
    if strand.torn == [false; 2] || home.is_empty() || bounds.is_empty() {
        return false;
    }
    let apart = (bounds.low - home.high).max(home.low - bounds.high).max(DVec3::ZERO);
    apart.length() > STRAY * (home.high - home.low).length()
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, Sweep};

    use super::*;

    #[test]
    fn torn_pieces_that_fly_off_are_not_framed() {
        let piece = |from: DVec3, torn: bool| {
            let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
            strand.sweep(&[from, from + DVec3::X], &Sweep::round(DVec3::Z, 0.1));
            strand.torn = [torn, false];
            strand
        };
        let mut home = Bounds::EMPTY;
        home.include(DVec3::ZERO, 0.0);
        home.include(DVec3::new(3.0, 0.0, 4.0), 0.0);
        // The diagonal is 5 m.
        let stray = |strand: &Strand| is_stray(strand, &Bounds::of(strand), &home);
        assert!(stray(&piece(DVec3::new(0.0, 0.0, -5.2), true)));
        assert!(!stray(&piece(DVec3::new(0.0, 0.0, -5.0), true)));
        assert!(
            !stray(&piece(DVec3::new(0.0, 0.0, -50.0), false)),
            "a whole rope is always framed"
        );
    }
}
