//! What particles weigh and segments turn, and what is hung on them for a while.
//!
//! A string that is tied to something heavy, or that something leans on, carries it in the mass of its
//! particles while it steps: tension is solved for with it then.
//!
//! Tests, in `lariat-rigid`: `a_ball_hangs_with_its_weight_and_swings_with_its_period`,
//! `a_crate_comes_to_rest_where_lines_carry_it`.

use super::strings::Strings;

impl Strings {
    /// Kilograms of a particle.
    pub fn mass(&self, particle: usize) -> f64 {
        self.parts.mass[particle]
    }

    /// Makes a particle heavier, as by something that hangs on it.
    pub fn add_mass(&mut self, particle: usize, kilograms: f64) {
        self.parts.mass[particle] += kilograms.max(0.0);
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
        self.parts.mass[particle] = own + load;
        self.parts.slowed[particle] = if load > 0.0 { own / (own + load) } else { 1.0 };
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
        if let Some(light) = self.work.light.get_mut(particle).filter(|light| **light > 0.0) {
            *light = own.recip();
        }
    }
}
