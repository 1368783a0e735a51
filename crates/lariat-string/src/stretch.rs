//! How long a segment is under a pull: the stress-strain curve, and which of its branches it is on.
//!
//! A segment is pushed together, pulled and comes back, or flows beyond its yield point. One that
//! stretches says by its length which it is. One that keeps its length until it yields does not: all pulls
//! up to the yield point go with all but one length, so that its pull says it, and where it changes the
//! branch, the pull that it was solved for says nothing any more and is put right.
//!
//! Tests: `a_weight_stretches_its_string_by_hookes_law`, `what_was_pulled_too_far_stays_longer`,
//! `what_does_not_stretch_yields_as_far_as_hands_pull_it`, `what_is_held_too_tight_yields_until_it_sags`.

/// How much longer at its yield point is as long as before. More: lengths say less than pulls. Less: what
/// hardly stretches is jerked from branch to branch.
const HARDLY: f64 = 1e-3;

/// How far a pull may be beyond its branch, over the yield point. Less: rounding asks for one more round.
const ROUNDED: f64 = 1e-6;

/// A branch of the stress-strain curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// Pushed together.
    Pressed,
    /// Pulled, and comes back.
    Taut,
    /// Beyond the yield point.
    Flowing,
}

/// How long a segment is under a pull.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Law {
    pub base: f64,
    pub soft: f64,
    pub knee: f64,
    pub softer: f64,
    /// Shorter by so much where it is pushed together, `Λ < 0`.
    pub pressed: f64,
    /// Give of `LEAST_GIVE`, in m² per unit of `Λ`.
    pub least: f64,
}

/// What a segment asks for in a round of Newton's method.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Its pull now.
    pub lambda: f64,
    /// How much longer it is than that pull makes it, times its length, in m².
    pub gap: f64,
    /// How much of that goes with one unit of pull.
    pub gives: f64,
}

impl Law {
    /// Whether it stays all but as long as it is until it yields. Its pull says which branch it is on, for
    /// its length does not.
    pub(super) fn only_yields(&self) -> bool {
        self.softer > 0.0 && self.soft * self.knee < HARDLY * self.base
    }

    /// The branch for a length, squared, and a pull.
    pub(super) fn branch(&self, was: Branch, square: f64, pull: f64, may_switch: bool) -> Branch {
        let even = self.base * self.base;
        // What is short must never be as stiff as what is pulled, nor what is long as soft as what is
        // pushed; between the two it may choose for a while.
        if square < (1.0 - 4e-3) * even {
            Branch::Pressed
        } else if self.only_yields() {
            if pull > self.knee {
                Branch::Flowing
            } else if pull < 0.0 {
                Branch::Pressed
            } else {
                Branch::Taut
            }
        } else if square > even {
            if pull > self.knee { Branch::Flowing } else { Branch::Taut }
        } else if may_switch {
            if pull < 0.0 { Branch::Pressed } else { Branch::Taut }
        } else {
            was
        }
    }

    /// The pull of a length, squared, where it is on another branch than it was solved for: what keeps
    /// its length may have any.
    pub(super) fn pull_on(&self, branch: Branch, square: f64, pull: f64) -> f64 {
        let longer = square.sqrt() - self.base;
        match branch {
            // A rod that is pushed stays as long as it is.
            Branch::Pressed if self.pressed == 0.0 => pull.min(0.0),
            Branch::Pressed => (longer / self.pressed).min(0.0),
            Branch::Taut => pull.clamp(0.0, self.knee),
            Branch::Flowing => {
                let flowed = longer - self.soft * self.knee;
                self.knee + (flowed / (self.soft + self.softer)).max(0.0)
            }
        }
    }

    /// What a segment asks for in a round: its branch is chosen, and its pull put right where it changed it.
    #[inline]
    pub(super) fn ask(
        &self,
        branch: &mut Branch,
        pull: &mut f64,
        square: f64,
        may_switch: bool,
        switched: &mut bool,
    ) -> Asked {
        let was = *branch;
        let mut lambda = *pull;
        let now = self.branch(was, square, lambda, may_switch);
        *branch = now;
        if was != now {
            *switched = true;
            if self.only_yields() {
                lambda = self.pull_on(now, square, lambda);
                *pull = lambda;
            }
        }
        let Self { base, soft, knee, softer, pressed, least } = *self;
        // Metres for one unit of Λ, and the length.
        let (gives, length) = match now {
            Branch::Pressed => (pressed, base + pressed * lambda),
            Branch::Taut => (soft, base + soft * lambda),
            Branch::Flowing => (soft + softer, base + soft * lambda + softer * (lambda - knee)),
        };
        let length = length.max(1e-3 * base);
        let (gap, arm) = if now == Branch::Flowing {
            // It may have been far too tight a round before: as lengths, not as squares, it is
            // right in one round.
            let long = square.sqrt();
            (square - long * length, long)
        } else {
            (0.5 * (square - length * length), length)
        };
        Asked { lambda, gap: gap - least * lambda, gives: gives * arm + least }
    }

    /// Whether a branch has such a pull, but for rounding.
    pub(super) fn admits(&self, branch: Branch, pull: f64) -> bool {
        let some = ROUNDED * self.knee;
        match branch {
            Branch::Pressed => pull <= some,
            Branch::Taut => (-some..=self.knee + some).contains(&pull),
            Branch::Flowing => pull >= self.knee - some,
        }
    }
}

/// How long a segment is at a tension: the stress-strain curve in metres and newtons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stretch {
    /// Metres without tension.
    pub rest: f64,
    /// Metres per newton.
    pub give: f64,
    /// Newtons where it yields.
    pub knee: f64,
    /// Further metres per newton beyond.
    pub flow: f64,
    /// Metres per newton where it is pushed together.
    pub press: f64,
}

impl Stretch {
    /// Metres per newton at a tension, in quick motion: even what flows comes back by its first slope.
    pub(super) fn gives(&self, tension: f64) -> f64 {
        if tension < 0.0 { self.press } else { self.give }
    }

    /// Newtons at a length; none where it has none.
    pub(super) fn tension_at(&self, length: f64) -> f64 {
        let longer = length - self.rest;
        let elastic = self.knee * self.give;
        if longer <= 0.0 || self.give + self.flow <= 0.0 {
            0.0
        } else if longer <= elastic {
            longer / self.give
        } else {
            self.knee + (longer - elastic) / (self.give + self.flow)
        }
    }
}
