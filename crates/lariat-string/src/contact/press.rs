//! What presses two segments together goes on pressing: contact takes part in the motion.
//!
//! Strands of a coil are pressed together by their bending with thousands of times their weight. Were they
//! moved without knowing of each other and pushed apart afterwards, only parts of a fraction of a millisecond
//! would keep them apart, and every push would kink them. So a pair remembers the force that held it apart,
//! and has it in the next part from the start (`pull`, `drift.rs`); what is pushed afterwards is only what
//! it was wrong by. A force that was too much is taken back: speeds that lead apart are stopped as far
//! as it gave them, and it is smaller the next time.
//!
//! The force that would have kept a pair as it was, had it come nearer by `d`, is `2 d / h² Σ G a²` with `G`
//! what a particle gives to a push: `1/m`, or for strings whose bending is solved for (`beam.rs`) that of
//! a beam that takes its neighbours along, `1 / m (1 + 4 s)^¼`, `s` being how stiff it is in the part.
//!
//! Tests: `strands_that_press_each_other_lie_still`, `what_presses_goes_on_from_a_checkpoint`,
//! `a_coil_does_not_pass_through_itself`, `a_snapping_cord_gains_nothing_from_touching_itself`.

use super::super::state::State;
use super::super::strings::Strings;
use super::capsule;
use super::near::{Contacts, Pair};

/// How much of what a force was wrong by is put right for the next part. More: forces of pairs that share
/// particles chase each other. Less: they come late.
const LEARNS: f64 = 0.2;

/// The furthest that a force may move a pair apart within a part, over its thickness. More: what snaps back
/// and hits itself is thrown.
const MOST: f64 = 0.1;

/// What moves by more than so many of its thicknesses a second does not rest on each other. More: what hits
/// is pushed back with more than it had. Less: coils that tighten press only when they are tight.
const RESTS: f64 = 100.0;

/// A pair is let go of when it is further apart than touching by this share of its thickness.
const GONE: f64 = 0.1;

/// Seconds for which a pair must have rested on each other before it presses. More: coils that tighten press
/// late. Less: what is caught and hits itself on the way is thrown.
const RIPE: f64 = 0.01;

/// Two segments that rest on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Pressed {
    pub pair: [u32; 2],
    /// With how many newtons they press each other.
    pub force: f64,
    /// For how many seconds they have rested.
    pub rested: f64,
}

impl Strings {
    /// Lets pairs press that did in the last part, for `h` seconds.
    pub(in super::super) fn press(&mut self, h: f64) {
        self.work.pressed.copy_from_slice(&self.work.pushed);
        for k in 0..self.state.pressed.len() {
            let Pressed { pair, force, .. } = self.state.pressed[k];
            if force <= 0.0 {
                continue;
            }
            let [i, j] = pair.map(|i| i as usize);
            let x = &self.state.positions;
            let (s, t, gap) = capsule::nearest([x[i], x[i + 1]], [x[j], x[j + 1]]);
            let ends = [(i, 1.0 - s), (i + 1, s), (j, t - 1.0), (j + 1, -t)];
            let ease = [i, j].map(|i| self.ease(i, h));
            let gives = |k: usize| self.work.light[ends[k].0] * ease[k / 2] * ends[k].1 * ends[k].1;
            let gives: f64 = (0..4).map(gives).sum();
            let thick = self.parts.radius[i] + self.parts.radius[j];
            let most = (2.0 * MOST / h).min(RESTS) * thick / (h * gives.max(f64::MIN_POSITIVE));
            let force = force.min(most);
            self.state.pressed[k].force = force;
            let push = gap.normalize_or_zero() * force;
            let work = &mut self.work;
            for (p, share) in ends {
                work.pressed[p] += push * (share * work.light[p]);
                if work.light[p] == 0.0 {
                    work.grips[p] += push * (share * h);
                }
            }
        }
        self.work.contacts.recall(&self.state);
    }

    /// How much less a particle gives to a push in a part of `h` seconds than by its mass alone.
    fn ease(&self, particle: usize, h: f64) -> f64 {
        let spans = &self.state.spans;
        let s = spans.partition_point(|span| span.first <= particle).saturating_sub(1);
        let kind = &self.kinds[spans[s].string];
        if !self.work.regions.beams[s] {
            return 1.0;
        }
        let l2 = kind.spacing * kind.spacing;
        let fastest = 4.0 * h * h * kind.stiffness / (l2 * l2 * kind.mass_per_metre);
        let stiff = fastest * (1.0 + 2.0 * kind.material.inner_friction / h);
        1.0 / (1.0 + 4.0 * stiff).sqrt().sqrt()
    }

    /// What pairs shall be pressed with in the next part, after one of `h` seconds.
    pub(super) fn learn(&mut self, h: f64) {
        self.state.pressed.clear();
        for k in 0..self.work.contacts.pairs.len() {
            let Pair { segments, off: Some(off), press, rested, at: [s, t], .. } =
                self.work.contacts.pairs[k]
            else {
                continue;
            };
            let crossed = &self.state.crossed;
            if crossed.binary_search_by_key(&segments, |(pair, _)| *pair).is_ok() {
                // On the wrong side of each other they must not be pressed on.
                continue;
            }
            let [i, j] = segments.map(|i| i as usize);
            let light = &self.work.light;
            let gives = |i: usize, s: f64| {
                let own = light[i] * (1.0 - s) * (1.0 - s) + light[i + 1] * s * s;
                own * self.ease(i, h)
            };
            let gives = gives(i, s) + gives(j, t);
            let change = if gives > 0.0 { 2.0 * off / (h * h * gives) } else { 0.0 };
            let force = if rested > RIPE { (press + LEARNS * change).max(0.0) } else { 0.0 };
            let rested = rested + h;
            self.state.pressed.push(Pressed { pair: segments, force, rested });
        }
    }
}

impl Contacts {
    /// What pairs are pressed with in this part, as they were in the last.
    pub(super) fn recall(&mut self, state: &State) {
        let mut known = state.pressed.iter().peekable();
        for pair in &mut self.pairs {
            while known.next_if(|known| known.pair < pair.segments).is_some() {}
            let found = known.next_if(|known| known.pair == pair.segments);
            (pair.press, pair.rested) =
                found.map_or((0.0, 0.0), |known| (known.force, known.rested));
        }
    }
}

impl Pair {
    /// Remembers how far it was nearer than touching after the motion, and how fast that was; what is far
    /// apart or passes by is forgotten.
    pub(super) fn note(&mut self, off: f64, fast: f64, thick: f64, at: [f64; 2]) {
        self.off = (off > -GONE * thick && fast < RESTS * thick).then_some(off);
        self.at = at;
    }
}
