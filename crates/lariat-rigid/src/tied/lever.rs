//! Light solids that strings pull at from several sides: a bead between two cords, a ring, a button.
//!
//! A solid that is turned by an angle `φ` while a string pulls with `T` at a place `r` from its middle
//! is turned back with up to `T r (1 + r/l) φ`, `l` being the segment there: the lever turns against
//! the pull, and the segment turns with the lever. Strings know their own tension when they step, but
//! solids are turned after it, so a part must be short beside `√(I / Σ T r (1 + r/l))`. A board of a
//! bridge never asks for that; a bead of ten grams does. Where strings have become so taut within a part
//! that it was too long, it is taken back and made in two.
//!
//! Tests: `a_bead_between_strings_carries_what_hangs_on_it`, `a_bead_that_is_snatched_is_not_thrown`.

use super::Tied;

/// How far a solid may swing about its middle in a part, in radians of its own swing, squared. More than
/// 4: it swings itself up. Less: beads take many parts.
const SWUNG: f64 = 0.06;

/// How many times more that may have become by the end of a part before it is taken back. More: what is
/// snatched gains energy. Less: parts are made twice that need not be.
const SNATCHED: f64 = 1.5;

impl Tied {
    /// The longest part in which light solids do not swing themselves up, in seconds.
    pub(super) fn longest_by_levers(&self) -> f64 {
        (SWUNG / self.swing()).sqrt()
    }

    /// Whether strings have become too taut within a part.
    pub(super) fn is_snatched(&self, h: f64) -> bool {
        h * h * self.swing() > SNATCHED * SWUNG
    }

    /// Square of the fastest swing of a solid about its middle, in 1/s².
    fn swing(&self) -> f64 {
        let strings = &self.strings;
        let mut fastest = 0.0_f64;
        for (k, solid) in self.solids.solids.iter().enumerate() {
            let mut stiff = 0.0;
            for (hold, tie) in self.holds.iter().zip(&self.ties) {
                if !hold.active || hold.solid != k {
                    continue;
                }
                let Some(span) = strings.span_of(hold.particle) else { continue };
                let arm = tie.local.length();
                for i in [hold.particle.wrapping_sub(1), hold.particle] {
                    if span.segments().contains(&i) {
                        let pull = strings.state.tensions[i].max(0.0);
                        stiff += pull * arm * (1.0 + arm / strings.segment_length(i).max(1e-9));
                    }
                }
            }
            let inertia = solid.mass * solid.shape.moments().min_element();
            fastest = fastest.max(stiff / inertia);
        }
        fastest
    }
}
