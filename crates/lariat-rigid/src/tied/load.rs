//! What a solid weighs where a string is tied to it, and taking and leaving hold.
//!
//! While strings step, a tied particle has besides its own mass that which its solid shows there:
//! along the way `t` of the string `1 / t·G·t`, where `G` says how fast a newton second makes the
//! place (`Solid::gives`). With one string that is the whole truth along it. Where several hold one
//! solid, a pull at one moves the places of all, `Gᵢⱼ`, and each weighs `1 / Σⱼ |tᵢ·Gᵢⱼ·tⱼ|`: in the
//! sense of matrices the strings then never think the solid heavier than it is, which would swing
//! itself up, only lighter, which corrects itself. Where a string runs through a tie, or pulls so hard
//! that it is stiff sideways as well, it feels the solid in all directions, and norms of `Gᵢⱼ` take
//! the place of its numbers along `t`.
//!
//! About the axis of the string the solid has the inertia `1 / t·I⁻¹·t`, shared by all ties that
//! turn it.
//!
//! Tests: `four_strings_hold_a_board_level`, `a_heavy_solid_is_stable`,
//! `a_tie_that_is_let_go_leaves_nothing_behind`, `norms_are_bounds`.

use glam::{DMat3, DVec3};
use lariat_string::Strings;

use super::{Hold, Tied, TiedError};
use crate::solid::Solid;

/// A load is changed when it is off by this much: every change lets strings forget the sums of their
/// regions. Larger: tensions are off by as much.
const OFF: f64 = 0.002;

/// A string that is less stiff sideways than this, over what the solid weighs in a part, cannot swing
/// it up. More: short taut segments may. Less: loads are too light where they need not be.
const ROOM: f64 = 0.25;

impl Tied {
    /// Whether all ties can hold.
    pub(super) fn check_ties(&self) -> Result<(), TiedError> {
        let (particles, solids) = (self.strings.state.particles(), self.solids.solids.len());
        for (k, tie) in self.ties.iter().enumerate() {
            let (particle, solid) = (tie.particle, tie.solid);
            let nowhere = tie.on && (solid >= solids || !tie.local.is_finite());
            if particle >= particles || nowhere {
                return Err(TiedError::NoSuch { tie: k, particle, solid, particles, solids });
            }
            let same = |other: &&super::Tie| other.on && other.particle == particle;
            if tie.on && self.ties[..k].iter().any(|other| same(&other)) {
                return Err(TiedError::Twice { particle });
            }
        }
        Ok(())
    }

    /// Lets go of what is no longer tied, and takes hold of what is now.
    pub(super) fn take_hold(&mut self) {
        for k in 0..self.holds.len() {
            let hold = self.holds[k];
            let stays = self.ties.get(k).is_some_and(|tie| {
                tie.on && (tie.particle, tie.solid) == (hold.particle, hold.solid)
            });
            if hold.active && (!stays || self.is_clamped(hold.particle)) {
                self.leave(k);
            }
        }
        self.holds.resize(self.ties.len(), Hold::default());
        for k in 0..self.ties.len() {
            let tie = self.ties[k];
            if tie.on && !self.holds[k].active && !self.is_clamped(tie.particle) {
                let own = self.strings.mass(tie.particle);
                let (particle, solid) = (tie.particle, tie.solid);
                self.holds[k] = Hold { active: true, particle, solid, own, ..Hold::default() };
            }
        }
    }

    /// A particle weighs what it did before it was tied.
    pub(super) fn leave(&mut self, k: usize) {
        let hold = &mut self.holds[k];
        self.strings.set_mass(hold.particle, hold.own, 0.0);
        if let Some(segment) = hold.segment.take() {
            self.strings.set_turned(segment, 0.0);
        }
        *hold = Hold::default();
    }

    pub(super) fn is_clamped(&self, particle: usize) -> bool {
        self.strings.clamps.iter().any(|clamp| clamp.on && clamp.particle == particle)
    }

    /// Loads tied particles and segments with what their solids weigh there, for a part of `h`
    /// seconds.
    pub(super) fn load(&mut self, h: f64) {
        for k in 0..self.holds.len() {
            if !self.holds[k].active {
                continue;
            }
            let wanted = 1.0 / self.lightness(k, h);
            let hold = &mut self.holds[k];
            if (hold.load - wanted).abs() > OFF * wanted {
                hold.load = wanted;
                self.strings.set_mass(hold.particle, hold.own, wanted);
            }
            self.load_turning(k);
        }
    }

    /// One over the mass that a tie feels.
    fn lightness(&self, k: usize, h: f64) -> f64 {
        let Hold { solid: s, particle, .. } = self.holds[k];
        let solid = &self.solids.solids[s];
        let place = solid.rotation * self.ties[k].local;
        let way = pulls(&self.strings, particle);
        let (mut along, mut around) = (0.0, 0.0);
        for (other, tie) in self.holds.iter().zip(&self.ties) {
            if !other.active || other.solid != s {
                continue;
            }
            let gives = between(solid, place, solid.rotation * tie.local);
            let norm = norm(&gives);
            around += norm;
            along += match (way, pulls(&self.strings, other.particle)) {
                (Some(t), Some(u)) => t.dot(gives * u).abs(),
                _ => norm,
            };
        }
        let Some(segment) = self.strings.segment_at(particle) else { return around };
        // How stiff it is sideways, over what the solid weighs.
        let tension = self.strings.state.tensions[segment].max(0.0);
        let length = self.strings.segment_length(segment).max(1e-9);
        let taut = (h * h * tension * around / length - ROOM).clamp(0.0, 1.0);
        along + (around - along) * taut
    }

    /// Loads the segment at a tie, if it turns.
    fn load_turning(&mut self, k: usize) {
        let tie = self.ties[k];
        let wanted = self.strings.segment_at(tie.particle).filter(|_| tie.turns);
        let solid = self.solids.solids[tie.solid];
        if self.holds[k].segment != wanted {
            // Tied just now, or torn right beside the knot: what turns is tied as it is.
            if let Some(segment) = self.holds[k].segment {
                self.strings.set_turned(segment, 0.0);
            }
            let hold = &mut self.holds[k];
            hold.segment = wanted;
            if let Some(segment) = wanted {
                let home = solid.rotation.inverse();
                hold.axis = home * self.strings.tangent(segment);
                hold.side = home * self.strings.material_side(segment);
                hold.own_inertia = self.strings.inertia(segment);
            }
        }
        let Some(segment) = wanted else { return };
        let shared = self
            .holds
            .iter()
            .filter(|hold| hold.active && hold.solid == tie.solid && hold.segment.is_some());
        let t = self.strings.tangent(segment);
        let inertia = 1.0 / (t.dot(solid.turns() * t) * shared.count().max(1) as f64);
        let hold = &mut self.holds[k];
        hold.inertia = inertia;
        self.strings.set_turned(segment, inertia);
    }
}

/// Which way a string pulls at its end; nothing where it runs through or is nothing.
fn pulls(strings: &Strings, particle: usize) -> Option<DVec3> {
    let span = strings.span_of(particle)?;
    let x = &strings.state.positions;
    let last = span.first + span.count - 1;
    let other = match (particle == span.first, particle == last) {
        (true, false) => particle + 1,
        (false, true) => particle - 1,
        _ => return None,
    };
    (x[other] - x[particle]).try_normalize()
}

/// How fast a newton second at one place makes another; places from the solid's middle.
pub(super) fn between(solid: &Solid, at: DVec3, pushed: DVec3) -> DMat3 {
    let arm = |r: DVec3| {
        DMat3::from_cols(
            DVec3::new(0.0, r.z, -r.y),
            DVec3::new(-r.z, 0.0, r.x),
            DVec3::new(r.y, -r.x, 0.0),
        )
    };
    DMat3::from_diagonal(DVec3::splat(solid.mass.recip()))
        + arm(at).transpose() * solid.turns() * arm(pushed)
}

/// No less than the most that a matrix makes of a unit vector, and at most 8 % more: the eighth root
/// of the trace of the eighth power. It is the same in all axes.
pub(super) fn norm(m: &DMat3) -> f64 {
    let size = |m: &DMat3| {
        let [a, b, c] = [m.x_axis, m.y_axis, m.z_axis].map(DVec3::length_squared);
        (a + b + c).sqrt()
    };
    let whole = size(m);
    if whole <= 0.0 {
        return 0.0;
    }
    let m = *m * whole.recip();
    let square = m.transpose() * m;
    let fourth = square * square;
    let eighth = fourth * fourth;
    whole * size(&eighth).sqrt().sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_are_bounds() {
        let m = DMat3::from_cols(
            DVec3::new(1.0, -2.0, 0.3),
            DVec3::new(0.2, 3.0, -1.0),
            DVec3::new(0.0, 0.7, 2.0),
        );
        // The largest by trying many directions.
        let mut most = 0.0_f64;
        for i in 0..100 {
            for j in 0..100 {
                let v = DVec3::new(f64::from(i) - 50.0, f64::from(j) - 50.0, 25.0);
                most = most.max((m * v).length() / v.length());
            }
        }
        let bound = norm(&m);
        assert!(bound >= most && bound < 1.09 * most, "{bound} for {most}");
        assert!((norm(&DMat3::IDENTITY) / 1.0 - 1.0).abs() < 0.08);
        assert_eq!(norm(&DMat3::ZERO), 0.0);
    }
}
