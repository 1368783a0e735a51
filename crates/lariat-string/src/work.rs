//! Room for a step of all strings.
//!
//! Rows of particles and segments that a step needs besides the state: made as large as there are particles
//! before the step begins, so that nothing is asked for within it.
//!
//! Tests: `a_step_allocates_nothing_after_the_first`.

use glam::DVec3;

use super::batches::Scratch;
use super::contact::Contacts;
use super::match_shape::Regions;
use super::stretch::Stretch;
use super::twist::Turning;
use lariat_core::dynamics::contact::Obstacle;

/// Room for a step; nothing in it outlives one, but for what is worth keeping between.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// One over mass; and the same with 0 for what is held.
    pub heft: Vec<f64>,
    pub light: Vec<f64>,
    pub goal: Vec<DVec3>,
    /// Friction of particles.
    pub rub: Vec<f64>,
    /// Accelerations by pushes; by those and by what presses; and by everything but tension.
    pub pushed: Vec<DVec3>,
    pub pressed: Vec<DVec3>,
    pub pull: Vec<DVec3>,
    pub stretch: Vec<Stretch>,
    /// How fast segments lengthen, times their length, in m²/s.
    pub rates: Vec<f64>,
    /// Ways of clamps through the step: particle, from, to.
    pub ways: Vec<(usize, DVec3, DVec3)>,
    /// Which segments are turned, and how fast.
    pub turning: Turning,
    pub regions: Regions,
    pub contacts: Contacts,
    /// Obstacles within a part of a step.
    pub solids: Vec<Obstacle>,
    /// Positions when a part began.
    pub before: Vec<DVec3>,
    /// Lengths of segments, and how fast their squares change (by half), before contact.
    pub lengths: Vec<f64>,
    pub paces: Vec<f64>,
    /// Particles that touched something in this part.
    pub touched: Vec<bool>,
    /// Where particles were pushed to by something else.
    pub shoved: Vec<DVec3>,
    /// What held particles were pushed with besides tension and weight, in N s.
    pub grips: Vec<DVec3>,
    /// Directions of segments in this part, times the seconds that they had them.
    pub leant: Vec<DVec3>,
    pub scratch: Vec<Scratch>,
    /// Whether this is the second, fourth, … part of the step.
    pub odd: bool,
}

impl Work {
    /// Room for so many particles and batches.
    pub(super) fn fit(&mut self, count: usize, batches: usize) {
        self.light.resize(count, 0.0);
        for row in
            [&mut self.goal, &mut self.pushed, &mut self.pull, &mut self.before, &mut self.grips]
        {
            row.resize(count, DVec3::ZERO);
        }
        self.pressed.resize(count, DVec3::ZERO);
        self.leant.resize(count, DVec3::ZERO);
        for row in [&mut self.rates, &mut self.lengths, &mut self.paces] {
            row.resize(count, 0.0);
        }
        self.stretch.resize(count, Stretch::default());
        self.touched.resize(count, false);
        self.turning.fit(count);
        if self.scratch.len() < batches {
            self.scratch.resize(batches, Scratch::default());
        }
    }
}
