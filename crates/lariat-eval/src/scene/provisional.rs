//! Poses of bodies without waiting for simulations.
//!
//! A body is pending at a frame if its own simulation, or that of a body that it is attached to, has
//! not been recorded up to there. Its provisional pose takes simulated bodies from their last record,
//! or from their models if there is none.
//!
//! Tests, in `tests/suite/pending.rs`: `keyed_bodies_are_current_while_others_are_pending`,
//! `a_pending_body_keeps_its_last_good_shape`.

use super::{Posed, Scene, World};
use crate::bind::Work;
use crate::moment::Moment;
use crate::simulate::Simulated;

/// Way in which a body is posed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Not at all.
    No,
    /// As it is.
    Yes,
    /// As far as simulations are recorded.
    Provisionally,
}

impl Scene {
    /// Marks the bodies that cannot be posed at a frame without simulating first; `None` if all can.
    pub(crate) fn pending(&self, frame: f64) -> Option<Vec<bool>> {
        if !self.has_simulations() {
            return None;
        }
        let t = self.shot.seconds(frame);
        let world = self.string_world.as_ref();
        let strings = world.map(|world| world.is_ready(t));
        let starts = |solid: usize| world.map_or(t, |world| world.start_of_solid(solid));
        let mut pending = vec![false; self.bodies.len()];
        for b in self.in_order() {
            let body = &self.bodies[b];
            let waits = match (&body.dynamics, body.string, body.solid) {
                // Until they start, ropes and solids are posed by their models.
                (Some(rope), ..) if t < rope.start() && !body.has_lights() => false,
                (None, None, Some(solid)) if t < starts(solid) => false,
                (Some(rope), ..) => !rope.is_ready(t),
                (None, Some(_), _) | (None, _, Some(_)) => strings == Some(false),
                (None, None, None) => false,
            };
            pending[b] = waits || self.graph.dependencies[b].iter().any(|d| pending[*d]);
        }
        pending.contains(&true).then_some(pending)
    }

    /// Poses the wanted bodies of a moment, in order, with the leaders in it.
    pub(crate) fn pose_wanted(&self, moment: &mut Moment, wanted: &[Wanted]) {
        let t = self.shot.seconds(moment.frame);
        let mut work = Work::default();
        for b in self.in_order().filter(|b| wanted[*b] != Wanted::No) {
            let mut posed = std::mem::take(&mut moment.bodies[b]);
            let waits = wanted[b] == Wanted::Yes;
            let world = World { t, scene: self, posed: Posed::All(&moment.bodies), waits };
            self.pose(b, &world, &mut work, &mut posed);
            moment.bodies[b] = posed;
        }
    }
}
