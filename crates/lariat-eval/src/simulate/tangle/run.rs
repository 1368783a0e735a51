//! The simulation of a tangle, as far as it has come.
//!
//! What one string touches, all touch: floors and colliders of all of them are there for each, and
//! one that several are clamped against is there once.
//!
//! Tests, in `tests/suite/strings.rs`: `frames_in_any_order_are_the_same_bits`,
//! `the_frame_rate_does_not_change_the_motion`,
//! `a_late_string_is_posed_and_then_let_go_as_fast_as_it_moves`,
//! `a_run_in_pieces_is_the_same_bits_as_one`, `an_edit_simulates_again_from_where_it_touches`.

use std::sync::Mutex;

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Clamp as LayerClamp;
use lariat_rigid::{Tie, Tied, TiedError, Unfit};
use lariat_string::{Clamp, Event, Strings};

use super::Tangle;
use super::lay::{Laid, along, shape};
use super::member::Grips;
use super::solid::{Rigid, soon};
use super::take::{TangleTake, Tear};
use crate::bind::{Stand, Work};
use crate::scene::{Scene, World};
use crate::simulate::file::Take;
use crate::simulate::progress::{Progress, Simulated};
use crate::simulate::reel::Stopped;

/// Strings and solids under way.
#[derive(Debug)]
pub(crate) struct Moving {
    tied: Tied,
    grips: Vec<Grips>,
    /// For each obstacle, whose clamp it is: string and clamp.
    met: Vec<(usize, usize)>,
}

pub(super) type Run = Progress<TangleTake, Moving>;

/// Steps that end this much after a string starts, in parts of one, still end where it does.
const ON_TIME: f64 = 1e-6;

impl Simulated for Tangle {
    type Take = TangleTake;
    type Moving = Moving;

    fn progress(&self) -> &Mutex<Run> {
        &self.run
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn set_out(&self, run: &mut Run, scene: &Scene) -> bool {
        let laid = match self.laid(scene) {
            Ok(laid) => laid,
            Err(stopped) => {
                run.take.reel.stopped = Some(stopped.clone());
                return false;
            }
        };
        let mut tied = self.tied(laid);
        let particles = tied.strings.state.particles();
        let fits = (run.take.particles, run.take.solids) == (particles, self.solids.len());
        let reel = &run.take.reel;
        let steps = reel.before_checkpoint() as u64 * self.stride();
        let last = reel.checkpoints.last().filter(|_| fits);
        let read = last.and_then(|numbers| self.read_numbers(numbers, self.time(steps), &mut tied));
        let begins = read.is_none();
        if begins {
            run.take = TangleTake::new(particles, self.solids.len());
            run.take.reel.start = self.start;
            run.take.reel.rate = self.rate / self.stride() as f64;
            run.steps = 0;
        } else {
            run.take.reel.rewind();
            run.take.trim();
            run.steps = steps;
        }
        // Obstacles are where, and which, they were when that state was recorded.
        let mut met = Vec::new();
        scene.at_time_on(&self.on, self.time(run.steps), &mut run.work, |world, _| {
            self.meet(&mut tied, &mut met, world, scene);
        });
        let grips = read.unwrap_or_else(|| vec![[None; 2]; self.members.len()]);
        run.moving = Some(Box::new(Moving { tied, grips, met }));
        if begins {
            self.record(run, scene);
        }
        run.moving.is_some() || self.set_out(run, scene)
    }

    fn step(&self, run: &mut Run, scene: &Scene) -> bool {
        let (from, to) = (self.time(run.steps), self.time(run.steps + 1));
        let h = 1.0 / self.rate;
        let Run { moving: Some(moving), work, .. } = run else { return false };
        let Ok(laid) = self.laid(scene) else { return false };
        let Moving { tied, met, grips } = &mut **moving;
        while let Some(solid) = self.solids.get(tied.solids.solids.len()) {
            if self.is_posed(solid.start, to) {
                break;
            }
            tied.solids.solids.push(solid.let_go(&scene.bodies[solid.index], from, h));
        }
        let solids = self.solids_soon(tied, scene, to);
        scene.at_time_with(&self.on, &solids, to, work, |world, work| {
            self.tell(tied, laid, grips, world, work, from);
            self.meet(tied, met, world, scene);
        });
        let made = if self.solids.is_empty() {
            tied.strings.step(h).map(|_| ()).map_err(|diverged| diverged.why())
        } else {
            tied.step(h).map(|_| ()).map_err(|error| self.why(&error, scene))
        };
        if let Err(why) = made {
            run.take.reel.stopped = Some(Stopped { time: to, why });
            return false;
        }
        self.leave_alone_what_is_posed(&mut tied.strings, laid, to);
        let record = run.take.reel.len();
        let events = if self.solids.is_empty() { &tied.strings.events } else { &tied.events };
        for Event::Torn { string, segment, cause, .. } in events.iter().copied() {
            run.take.tears.push(Tear { record, string, segment, cause, time: from });
        }
        run.steps += 1;
        true
    }

    fn record(&self, run: &mut Run, scene: &Scene) {
        let Some(moving) = &run.moving else { return };
        let Moving { tied, grips, .. } = &**moving;
        let checkpoint = run.take.reel.is_due();
        if checkpoint {
            run.take.reel.checkpoints.push(to_numbers(tied, grips));
        }
        let (t, h) = (self.time(run.steps), 1.0 / self.rate);
        let free = &tied.solids.solids;
        let now = |(slot, solid): (usize, &Rigid)| {
            let posed = || solid.posed(&scene.bodies[solid.index], t, h);
            free.get(slot).copied().unwrap_or_else(posed)
        };
        run.take.record(&tied.strings.state, self.solids.iter().enumerate().map(now));
        if checkpoint {
            // It begins anew from those numbers.
            run.moving = None;
        }
    }
}

impl Tangle {
    /// The strings as they are laid, with ties that do not hold yet, and no solids: they come when
    /// they start.
    fn tied(&self, laid: &Laid) -> Tied {
        let mut tied = Tied::new();
        tied.strings = laid.strings.clone();
        let ties = self.members.iter().zip(&laid.members).flat_map(|(member, laid)| {
            let tie =
                Tie { particle: laid.first, solid: 0, local: DVec3::ZERO, turns: false, on: false };
            member.ties.iter().flatten().map(move |_| tie)
        });
        tied.ties = ties.collect();
        tied
    }

    /// Where all solids are, or will be at a time a step away.
    fn solids_soon(&self, tied: &Tied, scene: &Scene, to: f64) -> Vec<(usize, Stand)> {
        let free = &tied.solids.solids;
        let at = |(slot, solid): (usize, &Rigid)| {
            let keyed = || scene.bodies[solid.index].keyed_stand(to).unwrap_or_default();
            let now = free.get(slot).map(|now| soon(now, 1.0 / self.rate));
            (solid.index, now.unwrap_or_else(keyed))
        };
        self.solids.iter().enumerate().map(at).collect()
    }

    /// Tells all strings and solids what holds from the world's time on.
    fn tell(
        &self,
        tied: &mut Tied,
        laid: &Laid,
        grips: &mut [Grips],
        world: &World<'_>,
        work: &mut Work,
        before: f64,
    ) {
        let (t, scene) = (world.t, world.scene);
        tied.strings.clamps.clear();
        tied.strings.forces.clear();
        tied.strings.torques.clear();
        tied.strings.overrides.clear();
        tied.ties.iter_mut().for_each(|tie| tie.on = false);
        for ((member, laid), grips) in self.members.iter().zip(&laid.members).zip(grips) {
            let body = &scene.bodies[member.index];
            tied.strings.overrides.push(member.overrides(t));
            if !self.is_posed(member.start, t) {
                member.tell(tied, laid, grips, world, before);
                continue;
            }
            let strings = &mut tied.strings;
            // It has not started: it is where its model has it, whatever the others do.
            let pose = along(&shape(body, world, work), laid.count - 1);
            for (i, pair) in pose.windows(2).enumerate() {
                strings.state.rests[laid.first + i] = pair[0].distance(pair[1]);
            }
            let targets = pose.into_iter().enumerate();
            strings.clamps.extend(targets.map(|(i, at)| Clamp::at(laid.first + i, at)));
        }
        tied.strings.gravity = self.weather.gravity(t);
        self.weather.tell_air(t, &mut tied.strings.air);
        if !self.solids.is_empty() {
            tied.solids.gravity = tied.strings.gravity;
            tied.solids.air.clone_from(&tied.strings.air);
        }
    }

    /// Whether a string that starts at a time is held along its pose in the step that ends at another.
    fn is_posed(&self, start: f64, to: f64) -> bool {
        to * self.rate <= start * self.rate + ON_TIME
    }

    /// What is held along its pose neither yields nor stays twisted.
    fn leave_alone_what_is_posed(&self, strings: &mut Strings, laid: &Laid, to: f64) {
        let (state, fresh) = (&mut strings.state, &laid.strings.state);
        for (member, laid) in self.members.iter().zip(&laid.members) {
            if self.is_posed(member.start, to) {
                let all = laid.first..laid.first + laid.count;
                state.rests[all.clone()].copy_from_slice(&fresh.rests[all.clone()]);
                state.yields[all.clone()].copy_from_slice(&fresh.yields[all.clone()]);
                state.rest_twists[all.clone()].copy_from_slice(&fresh.rest_twists[all.clone()]);
                state.twist_yields[all.clone()].copy_from_slice(&fresh.twist_yields[all]);
            }
        }
    }

    /// Sets the obstacles: each begins its step where it ended the last one, and one that was not
    /// there stands.
    fn meet(
        &self,
        tied: &mut Tied,
        met: &mut Vec<(usize, usize)>,
        world: &World<'_>,
        scene: &Scene,
    ) {
        let unheard = &mut Vec::new();
        let mut clamps: Vec<LayerClamp> = Vec::new();
        let mut which = Vec::new();
        let mut now: Vec<LayerClamp> = Vec::new();
        for (slot, member) in self.members.iter().enumerate() {
            let body = &scene.bodies[member.index];
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, unheard);
            for (clamp, number) in clamps.drain(..).zip(body.layers.clamps_on(world.t)) {
                // Every particle keeps its radius away anyway.
                match now.iter_mut().find(|one| one.collider == clamp.collider) {
                    Some(one) => one.margin = one.margin.min(clamp.margin),
                    None => {
                        now.push(clamp);
                        which.push((slot, number));
                    }
                }
            }
        }
        for (slot, solid) in self.solids.iter().enumerate() {
            let (body, key) = (&scene.bodies[solid.index], self.members.len() + slot);
            solid.layers.clamps(world, &body.looks, 0.0, &mut clamps, unheard);
            for (clamp, number) in clamps.drain(..).zip(solid.layers.clamps_on(world.t)) {
                if now.iter().all(|one| one.collider != clamp.collider) {
                    now.push(LayerClamp { margin: 0.0, ..clamp });
                    which.push((key, number));
                }
            }
            // One that has not started stands in the way.
            if slot >= tied.solids.solids.len() {
                let posed = solid.posed(body, world.t, 1.0 / self.rate);
                now.push(LayerClamp { collider: posed.collider(), margin: 0.0 });
                which.push((key, usize::MAX));
            }
        }
        let before = std::mem::take(&mut tied.strings.obstacles);
        let was = |key: &(usize, usize)| met.iter().position(|was| was == key);
        let obstacles = which.iter().zip(now).map(|(key, LayerClamp { collider, margin })| {
            let was = was(key).and_then(|was| before.get(was));
            let before = was.map_or_else(|| collider.clone(), |was| was.now.clone());
            Obstacle { before, now: collider, margin }
        });
        tied.strings.obstacles = obstacles.collect();
        if !self.solids.is_empty() {
            // What was another thing before has another shape.
            if *met != which {
                tied.forget();
            }
            let ground = tied.strings.obstacles.iter().map(|obstacle| obstacle.now.clone());
            tied.solids.ground = ground.collect();
        }
        *met = which;
    }

    /// Reads what was at a time; nothing if it is something else.
    fn read_numbers(&self, numbers: &[f64], t: f64, tied: &mut Tied) -> Option<Vec<Grips>> {
        let (grips, state) = numbers.split_at_checked(4 * self.members.len())?;
        let started = self.solids.iter().filter(|solid| !self.is_posed(solid.start, t));
        tied.solids.solids = started.map(Rigid::empty).collect();
        if tied.set_numbers(state).is_none() {
            tied.solids.solids.clear();
            return None;
        }
        let grip = |pair: &[f64]| (pair[0] != 0.0).then_some(pair[1]);
        let grips = grips.chunks_exact(4).map(|both| [grip(&both[..2]), grip(&both[2..])]);
        Some(grips.collect())
    }

    /// What went wrong, with the name of who did.
    fn why(&self, error: &TiedError, scene: &Scene) -> String {
        let name = |slot: usize| {
            let solid = self.solids.get(slot);
            solid.map_or("", |solid| scene.bodies[solid.index].name.as_str())
        };
        match *error {
            TiedError::Diverged(diverged) => diverged.why(),
            TiedError::Unfit(Unfit::Mass { solid, mass }) => {
                format!("`{}` weighs {mass} kg", name(solid))
            }
            TiedError::Unfit(Unfit::Shape { solid }) => {
                format!("the motion of `{}` has no finite answer", name(solid))
            }
            TiedError::NoSuch { .. } | TiedError::Twice { .. } => error.to_string(),
        }
    }
}

fn to_numbers(tied: &Tied, grips: &[Grips]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for grip in grips.iter().flatten() {
        numbers.extend([f64::from(u8::from(grip.is_some())), grip.unwrap_or(0.0)]);
    }
    tied.to_numbers(&mut numbers);
    numbers
}
