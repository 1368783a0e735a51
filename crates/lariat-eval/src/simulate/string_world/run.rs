//! The simulation of a string world.
//!
//! Floors and colliders of any string are obstacles of all strings; one that several are clamped
//! against is an obstacle once.
//!
//! Tests, in `tests/suite/strings.rs`: `frames_in_any_order_are_the_same_bits`,
//! `the_frame_rate_does_not_change_the_motion`,
//! `a_late_string_is_posed_and_starts_with_its_velocity`,
//! `a_resumed_take_of_strings_has_the_same_bits`,
//! `an_edit_restarts_a_simulation_at_the_first_frame_it_affects`.

use glam::DVec3;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::model::layer::Clamp as LayerClamp;
use lariat_rigid::{Tie, TiedError, Unfit};
use lariat_string::Cause;

use super::StringWorld;
use super::layout::{Layout, along, shape};
use super::simulator::{StepError, StringSimulator};
use super::solid::{SolidBody, soon};
use super::string::EndTwists;
use super::take::StringWorldTake;
use crate::bind::{Placement, Work};
use crate::scene::{Scene, World};
use crate::simulate::file::Take;
use crate::simulate::history::Stopped;
use crate::simulate::progress::{Progress, Simulated, Stepper};

/// Running state of strings and solids.
#[derive(Debug)]
pub(crate) struct Active {
    strings: StringSimulator,
    end_twists: Vec<EndTwists>,
    /// For each obstacle, the string or solid that brings it in, and the number of its clamp.
    clamp_keys: Vec<(usize, usize)>,
    /// Tears since the last record: string, segment, cause and time.
    tears: Vec<(usize, usize, Cause, f64)>,
}

pub(super) type Run = Progress<StringWorldTake, Active>;

/// Tolerance for a step that ends at the start of a string, as a share of a step.
const ON_TIME: f64 = 1e-6;

impl Simulated for StringWorld {
    type Take = StringWorldTake;
    type Active = Active;

    fn progress(&self) -> &Run {
        &self.run
    }

    fn is_prepared(&self) -> bool {
        self.layout.get().is_some()
    }

    fn prepare_from(&self, was: &Self, until: f64) {
        let strings = self.string_bodies.iter().map(|string_body| string_body.start);
        let starts = strings.chain(self.solids.iter().map(|solid| solid.start));
        // A string has the rest shape of its own start.
        let last = starts.fold(self.start, f64::max);
        if let (true, Some(layout)) = (until > last, was.layout.get()) {
            self.layout.get_or_init(|| layout.clone());
        }
    }

    fn start(&self) -> f64 {
        self.start
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn blank(&self, take: &mut StringWorldTake, scene: &Scene) -> bool {
        self.layout(scene).map(|layout| self.begin(take, layout)).is_ok()
    }

    fn start_or_resume(&self, stepper: &mut Stepper<Active>, scene: &Scene) -> bool {
        let layout = match self.layout(scene) {
            Ok(layout) => layout,
            Err(stopped) => {
                self.lock_take().history.stopped = Some(stopped.clone());
                return false;
            }
        };
        let mut strings = self.fresh(layout);
        let particles = strings.particles();
        let mut take = self.lock_take();
        let fits = (take.particles, take.solids) == (particles, self.solids.len());
        let history = &mut take.history;
        let steps = history.before_checkpoint() as u64 * self.stride();
        let last = history.last_checkpoint().filter(|_| fits);
        let read =
            last.and_then(|numbers| self.read_numbers(numbers, self.time(steps), &mut strings));
        let begins = read.is_none();
        if begins {
            self.begin(&mut take, layout);
            stepper.steps = 0;
        } else {
            take.history.rewind();
            take.trim();
            stepper.steps = steps;
        }
        drop(take);
        // Restores the obstacles at the time when that state was recorded.
        let mut clamp_keys = Vec::new();
        let now = self.time(stepper.steps);
        scene.at_time_on(&self.on, now, &mut stepper.work, |world, _| {
            self.set_obstacles(&mut strings, &mut clamp_keys, world, scene);
        });
        let end_twists = read.unwrap_or_else(|| vec![[None; 2]; self.string_bodies.len()]);
        let tears = Vec::new();
        stepper.active = Some(Box::new(Active { strings, end_twists, clamp_keys, tears }));
        if begins {
            self.record(&mut self.lock_take(), stepper, scene);
        }
        stepper.active.is_some() || self.start_or_resume(stepper, scene)
    }

    fn step(&self, stepper: &mut Stepper<Active>, scene: &Scene) -> Result<(), Stopped> {
        let (from, to) = (self.time(stepper.steps), self.time(stepper.steps + 1));
        let h = 1.0 / self.rate;
        let Stepper { active: Some(active), work, .. } = stepper else { return Ok(()) };
        let layout = self.layout(scene).map_err(Stopped::clone)?;
        let Active { strings, clamp_keys, end_twists, tears } = &mut **active;
        if let Some(tied) = strings.tied() {
            while let Some(solid) = self.solids.get(tied.solids.solids.len()) {
                if self.is_posed(solid.start, to) {
                    break;
                }
                tied.solids.solids.push(solid.let_go(&scene.bodies[solid.index], from, h));
            }
        }
        let solids = self.solids_after_step(strings, scene, to);
        scene.at_time_with(&self.on, &solids, to, work, |world, work| {
            self.apply_inputs(strings, layout, end_twists, world, work, from);
            self.set_obstacles(strings, clamp_keys, world, scene);
        });
        let with_solids = !self.solids.is_empty();
        let pulled = self.pull(strings, layout, scene, to);
        let made = strings.step(h, with_solids);
        if let Some(particle) = pulled {
            strings.release_spring(particle);
        }
        if let Err(error) = made {
            let why = match error {
                StepError::Strings(why) => why,
                StepError::Solids(error) => self.why(&error, scene),
            };
            return Err(Stopped { time: to, why });
        }
        self.reset_posed_strings(strings, layout, to);
        let torn = strings.tears(with_solids).into_iter();
        tears.extend(torn.map(|(string, segment, cause)| (string, segment, cause, from)));
        stepper.steps += 1;
        Ok(())
    }

    fn record_events(&self, take: &mut StringWorldTake, stepper: &mut Stepper<Active>) {
        for (string, segment, cause, time) in
            stepper.active.iter_mut().flat_map(|active| active.tears.drain(..))
        {
            take.add_tear(string, segment, cause, time);
        }
    }

    fn record(&self, take: &mut StringWorldTake, stepper: &mut Stepper<Active>, scene: &Scene) {
        let Some(active) = &stepper.active else { return };
        let Active { strings, end_twists, .. } = &**active;
        let checkpoint = take.history.is_due();
        if checkpoint {
            take.history.add_checkpoint(to_numbers(strings, end_twists));
        }
        let (t, h) = (self.time(stepper.steps), 1.0 / self.rate);
        let free = strings.solids();
        let now = |(slot, solid): (usize, &SolidBody)| {
            let posed = || solid.posed(&scene.bodies[solid.index], t, h);
            free.get(slot).copied().unwrap_or_else(posed)
        };
        take.record(strings, self.solids.iter().enumerate().map(now));
        if checkpoint {
            // The run restarts from those numbers.
            stepper.active = None;
        }
    }
}

impl StringWorld {
    /// Starts the recording of a run.
    fn begin(&self, take: &mut StringWorldTake, layout: &Layout) {
        let strings = layout.string_bodies.iter().map(|one| one.first..one.first + one.count);
        let rate = self.rate / self.stride() as f64;
        take.begin((self.start, rate), strings.collect(), self.solids.len());
    }

    /// The strings as laid out, with inactive ties and without solids, which are added when they
    /// start.
    fn fresh(&self, layout: &Layout) -> StringSimulator {
        let ties = self.string_bodies.iter().zip(&layout.string_bodies).flat_map(
            |(string_body, layout)| {
                let tie = Tie {
                    particle: layout.first,
                    solid: 0,
                    local: DVec3::ZERO,
                    turns: false,
                    on: false,
                };
                string_body.ties.iter().flatten().map(move |_| tie)
            },
        );
        layout.strings.fresh(ties.collect())
    }

    /// Placements of all solids at the end of a step.
    fn solids_after_step(
        &self,
        strings: &StringSimulator,
        scene: &Scene,
        to: f64,
    ) -> Vec<(usize, Placement)> {
        let free = strings.solids();
        let at = |(slot, solid): (usize, &SolidBody)| {
            let keyed = || scene.bodies[solid.index].keyed_placement(to).unwrap_or_default();
            let now = free.get(slot).map(|now| soon(now, 1.0 / self.rate));
            (solid.index, now.unwrap_or_else(keyed))
        };
        self.solids.iter().enumerate().map(at).collect()
    }

    /// Sets the inputs of all strings and solids to those of the world's time.
    fn apply_inputs(
        &self,
        strings: &mut StringSimulator,
        layout: &Layout,
        end_twists: &mut [EndTwists],
        world: &World<'_>,
        work: &mut Work,
        before: f64,
    ) {
        let (t, scene) = (world.t, world.scene);
        strings.release();
        for ((string_body, layout), end_twists) in
            self.string_bodies.iter().zip(&layout.string_bodies).zip(end_twists)
        {
            let body = &scene.bodies[string_body.index];
            strings.override_next(string_body.overrides(t));
            if !self.is_posed(string_body.start, t) {
                string_body.apply_inputs(strings, layout, end_twists, world, before);
                continue;
            }
            // It has not started, so its model alone determines its pose.
            let pose = along(&shape(body, world, work), layout.count - 1);
            for (i, pair) in pose.windows(2).enumerate() {
                strings.set_rest(layout.first + i, pair[0].distance(pair[1]));
            }
            for (i, at) in pose.into_iter().enumerate() {
                strings.hold(layout.first + i, at, None);
            }
        }
        let (gravity, air) = strings.weather();
        *gravity = self.weather.gravity(t);
        self.weather.set_air(t, air);
        if let Some(tied) = strings.tied().filter(|_| !self.solids.is_empty()) {
            tied.solids.gravity = tied.strings.gravity;
            tied.solids.air.clone_from(&tied.strings.air);
        }
    }

    /// Pulls by the spring of the scene in the step that ends at `to`; returns the particle.
    fn pull(
        &self,
        strings: &mut StringSimulator,
        layout: &Layout,
        scene: &Scene,
        to: f64,
    ) -> Option<usize> {
        let pulling = scene.pull_spring.as_ref()?;
        let slot = self.string_bodies.iter().position(|one| one.index == pulling.body)?;
        let (one, h) = (&layout.string_bodies[slot], 1.0 / self.rate);
        let mass = strings.mass(one.first..one.first + one.count);
        let spring = pulling.spring(pulling.body, [to, h], mass, one.length)?;
        let particle = one.particle(spring.u);
        strings.spring(particle, &spring, h);
        Some(particle)
    }

    /// True if a string that starts at `start` is held along its pose in the step that ends at `to`.
    fn is_posed(&self, start: f64, to: f64) -> bool {
        to * self.rate <= start * self.rate + ON_TIME
    }

    /// Resets yield and twist of strings that are held along their pose.
    fn reset_posed_strings(&self, strings: &mut StringSimulator, laid: &Layout, to: f64) {
        for (string_body, layout) in self.string_bodies.iter().zip(&laid.string_bodies) {
            if self.is_posed(string_body.start, to) {
                let all = layout.first..layout.first + layout.count;
                strings.forget_yielding(&laid.strings, all);
            }
        }
    }

    /// Sets the obstacles. Each begins its step where it ended the last one; a new one does not
    /// move.
    fn set_obstacles(
        &self,
        strings: &mut StringSimulator,
        clamp_keys: &mut Vec<(usize, usize)>,
        world: &World<'_>,
        scene: &Scene,
    ) {
        let ignored = &mut Vec::new();
        let mut clamps: Vec<LayerClamp> = Vec::new();
        let mut which = Vec::new();
        let mut now: Vec<LayerClamp> = Vec::new();
        for (slot, string_body) in self.string_bodies.iter().enumerate() {
            let body = &scene.bodies[string_body.index];
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, ignored);
            for (clamp, number) in clamps.drain(..).zip(body.layers.clamps_on(world.t)) {
                // The smallest margin is enough: every particle also keeps its radius as a
                // distance.
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
            let (body, key) = (&scene.bodies[solid.index], self.string_bodies.len() + slot);
            solid.layers.clamps(world, &body.looks, 0.0, &mut clamps, ignored);
            for (clamp, number) in clamps.drain(..).zip(solid.layers.clamps_on(world.t)) {
                if now.iter().all(|one| one.collider != clamp.collider) {
                    now.push(LayerClamp { margin: 0.0, ..clamp });
                    which.push((key, number));
                }
            }
            // A solid that has not started is an obstacle.
            if slot >= strings.solids().len() {
                let posed = solid.posed(body, world.t, 1.0 / self.rate);
                now.push(LayerClamp { collider: posed.collider(), margin: 0.0 });
                which.push((key, usize::MAX));
            }
        }
        let before = std::mem::take(strings.obstacles());
        let was = |key: &(usize, usize)| clamp_keys.iter().position(|was| was == key);
        let obstacles = which.iter().zip(now).map(|(key, LayerClamp { collider, margin })| {
            let was = was(key).and_then(|was| before.get(was));
            let before = was.map_or_else(|| collider.clone(), |was| was.now.clone());
            Obstacle { before, now: collider, margin }
        });
        *strings.obstacles() = obstacles.collect();
        if let Some(tied) = strings.tied().filter(|_| !self.solids.is_empty()) {
            // The same index may now belong to another obstacle with another shape.
            if *clamp_keys != which {
                tied.forget();
            }
            let ground = tied.strings.obstacles.iter().map(|obstacle| obstacle.now.clone());
            tied.solids.ground = ground.collect();
        }
        *clamp_keys = which;
    }

    /// Reads a checkpoint; none if it belongs to another simulation.
    fn read_numbers(
        &self,
        numbers: &[f64],
        t: f64,
        strings: &mut StringSimulator,
    ) -> Option<Vec<EndTwists>> {
        let (end_twists, state) = numbers.split_at_checked(4 * self.string_bodies.len())?;
        let started = self.solids.iter().filter(|solid| !self.is_posed(solid.start, t));
        strings.continue_from(state, started.map(SolidBody::empty).collect())?;
        let twist = |pair: &[f64]| (pair[0] != 0.0).then_some(pair[1]);
        let end_twists =
            end_twists.chunks_exact(4).map(|both| [twist(&both[..2]), twist(&both[2..])]);
        Some(end_twists.collect())
    }

    /// Message of an error, with the name of the body.
    fn why(&self, error: &TiedError, scene: &Scene) -> String {
        let name = |slot: usize| {
            let solid = self.solids.get(slot);
            solid.map_or("", |solid| &*scene.bodies[solid.index].name)
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

fn to_numbers(strings: &StringSimulator, end_twists: &[EndTwists]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for twist in end_twists.iter().flatten() {
        numbers.extend([f64::from(u8::from(twist.is_some())), twist.unwrap_or(0.0)]);
    }
    strings.checkpoint(&mut numbers);
    numbers
}
