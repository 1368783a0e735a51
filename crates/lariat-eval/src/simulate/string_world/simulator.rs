//! The simulator that steps all strings: ours, together with solids, or the one of the paper if the
//! document asks for it.
//!
//! Everything else in this folder is the same for both. Neither simulator knows the other. Documents with
//! strings of both methods, or with published strings beside solids, are refused when they are read
//! (`L0413`, `L0414`).
//!
//! Tests, in `tests/suite/strings.rs`: `published_strings_are_stepped_by_the_papers_simulator`,
//! `a_published_string_take_continues_with_the_same_bits`,
//! `a_published_string_that_is_pulled_too_hard_becomes_two`.

use std::ops::Range;

use glam::DVec3;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_papers::rungjiratananon as published;
use lariat_rigid::{Solid, Tie, Tied, TiedError};
use lariat_string::{Cause, Clamp, Event, Force, Overrides, Spring, Torque, Turn};

use super::string::StringBody;
use crate::bind::Body;
use crate::simulate::pull_spring::PullSpringStep;

/// Marks the checkpoint of published strings. A checkpoint of ours starts with a count.
const PUBLISHED: f64 = -1.0;

/// Method that a document asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Implicit,
    Published,
}

/// All strings and the simulator that steps them.
#[derive(Debug)]
pub(super) enum StringSimulator {
    /// Our strings, and the solids that have started.
    Implicit(Box<Tied>),
    Published(Box<published::Strings>),
}

/// Reason why a step was not made.
pub(super) enum StepError {
    /// Message of the simulator of the strings.
    Strings(String),
    /// An error of a solid; the caller adds its name.
    Solids(TiedError),
}

impl StringSimulator {
    /// A simulator without strings.
    pub(super) fn new(method: Method) -> Self {
        match method {
            Method::Implicit => Self::Implicit(Box::default()),
            Method::Published => Self::Published(Box::default()),
        }
    }

    /// The same strings from their start, with these ties and no solids.
    pub(super) fn fresh(&self, ties: Vec<Tie>) -> Self {
        match self {
            Self::Implicit(laid) => {
                let mut tied = Tied::new();
                tied.strings = laid.strings.clone();
                tied.ties = ties;
                Self::Implicit(Box::new(tied))
            }
            Self::Published(strings) => Self::Published(strings.clone()),
        }
    }

    /// Adds a string along points and returns its index, or the reason why it cannot be added.
    pub(super) fn add(
        &mut self,
        string_body: &StringBody,
        points: Vec<DVec3>,
        body: &Body,
    ) -> Result<usize, String> {
        match self {
            Self::Implicit(tied) => {
                let added = tied.strings.add(&string_body.built(points, body));
                added.map_err(|error| error.to_string())
            }
            Self::Published(strings) => {
                let added = strings.add(&string_body.built_as_published(points, body));
                added.map_err(|error| error.to_string())
            }
        }
    }

    /// Sets whether any string can collide with another. Published strings have a setting each.
    pub(super) fn set_contact(&mut self, contact: bool) {
        if let Self::Implicit(tied) = self {
            tied.strings.settings.contact = contact;
        }
    }

    /// `EI` of a string in N m², and the largest that steps of `h` seconds can follow. Published
    /// strings have no `EI`: their stiffness does not come from a material.
    pub(super) fn stiffness(&self, string: usize, h: f64) -> [f64; 2] {
        match self {
            Self::Implicit(tied) => tied.strings.stiffness(string, h),
            Self::Published(_) => [0.0, f64::INFINITY],
        }
    }

    /// Strength of a segment: newtons, and turns per metre.
    pub(super) fn strength(&self, segment: usize) -> [f64; 2] {
        match self {
            Self::Implicit(tied) => tied.strings.bears(segment),
            Self::Published(strings) => strings.strength(segment),
        }
    }

    /// Number of particles.
    pub(super) fn particles(&self) -> usize {
        self.positions().len()
    }

    pub(super) fn positions(&self) -> &[DVec3] {
        match self {
            Self::Implicit(tied) => &tied.strings.state.positions,
            Self::Published(strings) => &strings.state.positions,
        }
    }

    pub(super) fn velocities(&self) -> &[DVec3] {
        match self {
            Self::Implicit(tied) => &tied.strings.state.velocities,
            Self::Published(strings) => &strings.state.velocities,
        }
    }

    /// Tensions of the segments, in newtons.
    pub(super) fn tensions(&self) -> &[f64] {
        match self {
            Self::Implicit(tied) => &tied.strings.state.tensions,
            Self::Published(strings) => &strings.state.tensions,
        }
    }

    /// Pieces of all strings: first particle and number of particles.
    pub(super) fn pieces(&self) -> Vec<(usize, usize)> {
        match self {
            Self::Implicit(tied) => {
                tied.strings.state.spans.iter().map(|span| (span.first, span.count)).collect()
            }
            Self::Published(strings) => {
                strings.state.spans.iter().map(|span| (span.first, span.count)).collect()
            }
        }
    }

    /// Angle of a segment about its axis in radians, and the unit vector that it is measured from.
    pub(super) fn turned(&self, segment: usize) -> (f64, DVec3) {
        match self {
            Self::Implicit(tied) => {
                (tied.strings.state.angles[segment], tied.strings.state.sides[segment])
            }
            Self::Published(strings) => {
                (strings.state.angles[segment], strings.state.normals[segment])
            }
        }
    }

    /// Twist of a joint in radians.
    pub(super) fn twist(&self, joint: usize) -> f64 {
        match self {
            Self::Implicit(tied) => tied.strings.state.twist(joint),
            Self::Published(strings) => strings.state.twist(joint),
        }
    }

    /// Sets position and velocity of a particle at the start.
    pub(super) fn set_motion(&mut self, particle: usize, position: DVec3, velocity: DVec3) {
        let (positions, velocities) = match self {
            Self::Implicit(tied) => {
                let state = &mut tied.strings.state;
                (&mut state.positions, &mut state.velocities)
            }
            Self::Published(strings) => {
                let state = &mut strings.state;
                (&mut state.positions, &mut state.velocities)
            }
        };
        (positions[particle], velocities[particle]) = (position, velocity);
    }

    /// Turns a segment at the start, in radians.
    pub(super) fn turn(&mut self, segment: usize, angle: f64) {
        match self {
            Self::Implicit(tied) => tied.strings.state.angles[segment] = angle,
            Self::Published(strings) => strings.state.angles[segment] = angle,
        }
    }

    /// Sets the length of a segment at rest, in metres.
    pub(super) fn set_rest(&mut self, segment: usize, length: f64) {
        match self {
            Self::Implicit(tied) => tied.strings.state.rests[segment] = length,
            Self::Published(strings) => strings.state.rests[segment] = length,
        }
    }

    /// Takes back all yielding of some particles, as they were laid.
    pub(super) fn forget_yielding(&mut self, laid: &Self, all: Range<usize>) {
        let copy = |rows: [(&mut Vec<f64>, &Vec<f64>); 4]| {
            for (now, fresh) in rows {
                now[all.clone()].copy_from_slice(&fresh[all.clone()]);
            }
        };
        match (self, laid) {
            (Self::Implicit(tied), Self::Implicit(laid)) => {
                let (now, fresh) = (&mut tied.strings.state, &laid.strings.state);
                copy([
                    (&mut now.rests, &fresh.rests),
                    (&mut now.yields, &fresh.yields),
                    (&mut now.rest_twists, &fresh.rest_twists),
                    (&mut now.twist_yields, &fresh.twist_yields),
                ]);
            }
            (Self::Published(strings), Self::Published(laid)) => {
                let (now, fresh) = (&mut strings.state, &laid.state);
                now.strains[all.clone()].fill(0.0);
                copy([
                    (&mut now.rests, &fresh.rests),
                    (&mut now.kept_strains, &fresh.kept_strains),
                    (&mut now.rest_twists, &fresh.rest_twists),
                    (&mut now.twist_yields, &fresh.twist_yields),
                ]);
            }
            _ => {}
        }
    }

    /// Solids that have started.
    pub(super) fn solids(&self) -> &[Solid] {
        match self {
            Self::Implicit(tied) => &tied.solids.solids,
            Self::Published(_) => &[],
        }
    }

    /// Ours, with everything that solids need; published strings have no solids.
    pub(super) fn tied(&mut self) -> Option<&mut Tied> {
        match self {
            Self::Implicit(tied) => Some(tied),
            Self::Published(_) => None,
        }
    }

    /// Removes everything that acted on strings in the last step, but for obstacles.
    pub(super) fn release(&mut self) {
        match self {
            Self::Implicit(tied) => {
                tied.strings.clamps.clear();
                tied.strings.forces.clear();
                tied.strings.torques.clear();
                tied.strings.overrides.clear();
                tied.ties.iter_mut().for_each(|tie| tie.on = false);
            }
            Self::Published(strings) => {
                strings.clamps.clear();
                strings.forces.clear();
                strings.torques.clear();
                strings.overrides.clear();
            }
        }
    }

    /// Adds the values of the next string.
    pub(super) fn override_next(&mut self, values: Overrides) {
        match self {
            Self::Implicit(tied) => tied.strings.overrides.push(values),
            Self::Published(strings) => {
                let Overrides { friction, viscosity, drag, touches: contact } = values;
                strings.overrides.push(published::Overrides { friction, viscosity, drag, contact });
            }
        }
    }

    /// Holds a particle at a place, and its segment at an angle in radians.
    pub(super) fn hold(&mut self, particle: usize, target: DVec3, angle: Option<f64>) {
        match self {
            Self::Implicit(tied) => {
                let turn = angle.map(Turn::Angle);
                tied.strings.clamps.push(Clamp { particle, target, turn, on: true });
            }
            Self::Published(strings) => {
                strings.clamps.push(published::Clamp { particle, target, angle });
            }
        }
    }

    /// Pulls at a particle, in newtons.
    pub(super) fn pull(&mut self, particle: usize, force: DVec3) {
        match self {
            Self::Implicit(tied) => tied.strings.forces.push(Force { particle, force }),
            Self::Published(strings) => {
                strings.forces.push(published::Force { particle, force });
            }
        }
    }

    /// Mass of some particles, with solids that hang on them, in kilograms; 0 for published strings.
    pub(super) fn mass(&self, particles: Range<usize>) -> f64 {
        match self {
            Self::Implicit(tied) => particles.map(|i| tied.strings.mass(i)).sum(),
            Self::Published(_) => 0.0,
        }
    }

    /// Pulls at a particle by a spring, in the next step of `h` seconds. Published strings are not
    /// pulled.
    pub(super) fn spring(&mut self, particle: usize, spring: &PullSpringStep, h: f64) {
        let Self::Implicit(tied) = self else { return };
        let PullSpringStep { target, velocity, stiffness, damping, .. } = *spring;
        let spring = Spring { particle, target, velocity, stiffness, damping };
        tied.strings.pull(&spring, h);
    }

    /// Removes the spring at a particle after its step.
    pub(super) fn release_spring(&mut self, particle: usize) {
        if let Self::Implicit(tied) = self {
            tied.strings.release(particle);
        }
    }

    /// Adds a torque about the axis of a segment, in newton metres.
    pub(super) fn add_torque(&mut self, segment: usize, torque: f64) {
        match self {
            Self::Implicit(tied) => tied.strings.torques.push(Torque { segment, torque }),
            Self::Published(strings) => {
                strings.torques.push(published::Torque { segment, torque });
            }
        }
    }

    /// Gravity in m/s², and the air.
    pub(super) fn weather(&mut self) -> (&mut DVec3, &mut Air) {
        match self {
            Self::Implicit(tied) => (&mut tied.strings.gravity, &mut tied.strings.air),
            Self::Published(strings) => (&mut strings.gravity, &mut strings.air),
        }
    }

    pub(super) fn obstacles(&mut self) -> &mut Vec<Obstacle> {
        match self {
            Self::Implicit(tied) => &mut tied.strings.obstacles,
            Self::Published(strings) => &mut strings.obstacles,
        }
    }

    /// One step of `h` seconds, with solids or without.
    pub(super) fn step(&mut self, h: f64, with_solids: bool) -> Result<(), StepError> {
        let made = match self {
            Self::Implicit(tied) if with_solids => {
                return tied.step(h).map(|_| ()).map_err(StepError::Solids);
            }
            Self::Implicit(tied) => tied.strings.step(h).map(|_| ()),
            Self::Published(strings) => strings.step(h),
        };
        made.map_err(|diverged| StepError::Strings(diverged.why()))
    }

    /// Tears of the last step: string, segment and cause.
    pub(super) fn tears(&self, with_solids: bool) -> Vec<(usize, usize, Cause)> {
        match self {
            Self::Implicit(tied) => {
                let events = if with_solids { &tied.events } else { &tied.strings.events };
                let tear = |event: &Event| {
                    let Event::Torn { string, segment, cause, .. } = *event;
                    (string, segment, cause)
                };
                events.iter().map(tear).collect()
            }
            Self::Published(strings) => {
                let cause = |cause| match cause {
                    published::Cause::Tension => Cause::Pull,
                    published::Cause::Shear => Cause::Twist,
                };
                let tears = strings.torn.iter();
                tears.map(|tear| (tear.string, tear.segment, cause(tear.cause))).collect()
            }
        }
    }

    /// Appends a checkpoint that [`StringSimulator::continue_from`] reads.
    pub(super) fn checkpoint(&self, out: &mut Vec<f64>) {
        match self {
            Self::Implicit(tied) => tied.to_numbers(out),
            Self::Published(strings) => {
                out.push(PUBLISHED);
                strings.state.to_numbers(out);
            }
        }
    }

    /// Continues from a checkpoint at which these solids had started; `None` if it is not one of this
    /// simulator and these strings.
    pub(super) fn continue_from(&mut self, numbers: &[f64], solids: Vec<Solid>) -> Option<()> {
        match self {
            Self::Implicit(tied) => {
                tied.solids.solids = solids;
                let read = tied.set_numbers(numbers);
                if read.is_none() {
                    tied.solids.solids.clear();
                }
                read
            }
            Self::Published(strings) => {
                let (&PUBLISHED, rest) = numbers.split_first()? else { return None };
                let state = published::State::from_numbers(rest)?;
                let strings_fit = state.spans.iter().all(|span| span.string < strings.strings());
                if state.particles() != strings.state.particles() || !strings_fit {
                    return None;
                }
                strings.state = state;
                Some(())
            }
        }
    }
}
