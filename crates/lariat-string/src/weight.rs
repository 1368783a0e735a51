//! What particles weigh and segments turn, and what is hung on them for a while.
//!
//! A string that is tied to something heavy, or that something leans on, carries it in the mass of its
//! particles while it steps: tension is solved for with it then.
//!
//! Tests, in `lariat-rigid`: `a_ball_hangs_with_its_weight_and_swings_with_its_period`,
//! `a_crate_comes_to_rest_where_lines_carry_it`.

use super::strings::Strings;

impl Strings {
    /// Kilograms of a particle, without what springs add during a step ([`Strings::pull`]).
    pub fn mass(&self, particle: usize) -> f64 {
        self.unsprung(particle).0
    }

    /// Mass of a particle without springs, and the share of it that viscosity slows.
    pub(super) fn unsprung(&self, particle: usize) -> (f64, f64) {
        let sprung = self.sprung.iter().find(|sprung| sprung.particle == particle);
        let all = (self.parts.mass[particle], self.parts.slowed[particle]);
        sprung.map_or(all, |sprung| (sprung.mass, sprung.slowed))
    }

    /// Makes a particle heavier, as by something that hangs on it.
    pub fn add_mass(&mut self, particle: usize, kilograms: f64) {
        let (mass, slowed) = self.unsprung(particle);
        self.weigh(particle, mass + kilograms.max(0.0), slowed);
        self.work.regions.forget();
    }

    /// Makes a segment harder to spin, as by something that it turns; in kg m².
    pub fn add_inertia(&mut self, segment: usize, inertia: f64) {
        self.parts.inertia[segment] += inertia.max(0.0);
    }

    /// Sets what a particle weighs, in kilograms: its own, and what goes along with it as long as it is
    /// tied to it, which viscosity does not slow down.
    pub fn set_mass(&mut self, particle: usize, own: f64, load: f64) {
        let (own, load) = (own.max(0.0), load.max(0.0));
        let slowed = if load > 0.0 { own / (own + load) } else { 1.0 };
        self.weigh(particle, own + load, slowed);
    }

    /// Sets the mass of a particle without springs, and the share of it that viscosity slows.
    pub(super) fn weigh(&mut self, particle: usize, mass: f64, slowed: f64) {
        let (mut all, mut share) = (mass, slowed);
        if let Some(sprung) = self.sprung.iter_mut().find(|sprung| sprung.particle == particle) {
            (sprung.mass, sprung.slowed) = (mass, slowed);
            all = mass + sprung.load;
            share = slowed * mass / all;
        }
        self.parts.mass[particle] = all;
        self.parts.slowed[particle] = share;
        self.reweigh(particle);
    }

    /// Inertia of a segment itself about its axis, in kg m².
    pub fn inertia(&self, segment: usize) -> f64 {
        self.parts.inertia[segment]
    }

    /// Sets the inertia of something that turns with a segment about its axis, in kg m², but does
    /// not tilt with it: a box on a string.
    pub fn set_turned(&mut self, segment: usize, inertia: f64) {
        self.parts.turned[segment] = inertia.max(0.0);
    }

    /// Takes from a particle what [`Strings::set_mass`] put on it, right after a step: what it is pushed
    /// by and passes on then is so by its own kilograms alone.
    pub fn unload(&mut self, particle: usize, own: f64) {
        self.set_mass(particle, own, 0.0);
        self.lighten(particle);
    }

    /// The particle is pushed by its present mass from now on, also in what is left of the step.
    pub(super) fn lighten(&mut self, particle: usize) {
        let mass = self.parts.mass[particle];
        if let Some(light) = self.work.light.get_mut(particle).filter(|light| **light > 0.0) {
            *light = mass.recip();
        }
    }
}
