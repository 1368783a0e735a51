//! The simulations of a scene, their progress, and their takes (simulation caches).
//!
//! Each spline rope is one simulation. All strings and simulated solids together are one more, and
//! any of them identifies it.
//!
//! Tests, in `tests/suite/dynamics.rs` and `strings.rs`: `a_run_can_be_cancelled_and_resumed`,
//! `bodies_not_attached_to_each_other_share_a_group`,
//! `all_strings_are_one_simulation_and_ropes_can_hang_on_them`.

use std::io;
use std::sync::Arc;

use lariat_scene::Limits;
use lariat_scene::lower::Lowered;

use super::{Before, Scene};
use crate::live::LiveError;
use crate::simulate::{
    Dynamics, History, RecordingLimits, ResolvedMaterial, Simulated, Simulation, Storage,
    StringWorld, Take, TakeEnd, TakeError, TapeUse, string_world,
};
use crate::warning::Warning;

impl Scene {
    /// The simulated bodies, each after those that it is attached to.
    pub fn simulated(&self) -> Vec<usize> {
        self.in_order().filter(|b| self.is_simulated(*b)).collect()
    }

    fn is_simulated(&self, body: usize) -> bool {
        self.bodies[body].is_simulated()
    }

    /// True if any body is simulated.
    pub(crate) fn has_simulations(&self) -> bool {
        self.string_world.is_some() || self.bodies.iter().any(|body| body.dynamics.is_some())
    }

    /// The string world, if the body is one of its strings or solids.
    fn string_world_of(&self, body: usize) -> Option<&StringWorld> {
        let bound = &self.bodies[body];
        bound.string.or(bound.solid).and(self.string_world.as_deref())
    }

    /// The bodies that are simulated together with one: itself, or all strings and solids.
    pub fn simulated_with(&self, body: usize) -> Vec<usize> {
        self.string_world_of(body)
            .map_or_else(|| vec![body], |string_world| string_world.bodies().collect())
    }

    /// Name of the simulation of a body: that of the body, or `strings`, `solids` or `strings and
    /// solids` for the string world.
    pub fn run_name(&self, body: usize) -> &str {
        match self.string_world_of(body).map(StringWorld::is_of) {
            None => self.body_name(body),
            Some([true, false]) => "strings",
            Some([false, _]) => "solids",
            Some(_) => "strings and solids",
        }
    }

    /// True if a body's simulation consists of solids only.
    pub fn is_of_solids_alone(&self, body: usize) -> bool {
        self.string_world_of(body).is_some_and(|string_world| string_world.is_of() == [false, true])
    }

    /// Name of this body's simulation in a take file. No body can have the name of the string world.
    pub fn take_name(&self, body: usize) -> &str {
        if self.string_world_of(body).is_some() {
            string_world::STRING_WORLD_NAME
        } else {
            self.body_name(body)
        }
    }

    /// The simulations in groups, each identified by a body. The simulations of a group do not depend
    /// on each other, so they can run in parallel once the earlier groups have run. The string world
    /// is identified by its first body.
    pub fn simulated_groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        // The depth of the string world follows from that of its leaders.
        let above = self.simulations_above(0);
        let strings =
            self.string_world.as_ref().map_or(&[][..], |string_world| string_world.leaders());
        let deep = strings.iter().map(|b| above[*b]).max().unwrap_or(0);
        let above = self.simulations_above(deep + 1);
        for b in self.in_order() {
            let first = self
                .string_world_of(b)
                .is_none_or(|string_world| string_world.bodies().next() == Some(b));
            if self.is_simulated(b) && first {
                groups.resize(groups.len().max(above[b]), Vec::new());
                groups[above[b] - 1].push(b);
            }
        }
        groups
    }

    /// For each body, the length of the chain of simulations that it depends on, including its own.
    /// `strings` is that number for the string world.
    fn simulations_above(&self, strings: usize) -> Vec<usize> {
        let mut above = vec![0; self.bodies.len()];
        for b in self.in_order() {
            let on = self.graph.dependencies[b].iter().map(|d| above[*d]).max().unwrap_or(0);
            above[b] = match &self.bodies[b] {
                body if body.string.is_some() || body.solid.is_some() => strings,
                body if body.dynamics.is_some() => on + 1,
                _ => on,
            };
        }
        above
    }

    /// Number of frames before a change at which a simulated body is already affected by it, through
    /// interpolation: one record for each simulation in a chain.
    pub(crate) fn frames_between_records(&self) -> f64 {
        let longest = self.seconds_between_records();
        if longest == 0.0 {
            return 0.0;
        }
        (self.shot.rate.frame(longest) - self.shot.rate.frame(0.0))
            * self.simulated_groups().len() as f64
    }

    /// Longest time between two records of any simulation, in seconds; 0 if there is none.
    pub(crate) fn seconds_between_records(&self) -> f64 {
        let simulated = self.bodies.iter().filter_map(|body| body.dynamics.as_ref());
        let ropes = simulated.map(|dynamics| dynamics.seconds_between_records());
        let strings =
            self.string_world.iter().map(|string_world| string_world.seconds_between_records());
        ropes.chain(strings).fold(0.0, f64::max)
    }

    /// Frame at which the simulation of a body starts, if it is simulated.
    pub fn simulated_from(&self, body: usize) -> Option<f64> {
        let bound = &self.bodies[body];
        let start = match (&bound.dynamics, bound.string, &self.string_world) {
            (Some(dynamics), ..) => dynamics.start(),
            (_, Some(slot), Some(string_world)) => string_world.start_of(slot),
            (.., Some(string_world)) => string_world.start_of_solid(bound.solid?),
            _ => return None,
        };
        Some(self.shot.rate.frame(start))
    }

    /// Material of a simulated body, with the numbers it is simulated with.
    pub fn resolved_material(&self, body: usize) -> Option<ResolvedMaterial> {
        let bound = &self.bodies[body];
        match (bound.string, &self.string_world) {
            (Some(slot), Some(string_world)) => Some(string_world.resolved_material(slot, bound)),
            _ => bound.dynamics.as_ref().map(|dynamics| dynamics.resolved_material(bound, self)),
        }
    }

    /// Progress of the simulation of a body, if it is simulated; for a string, that of all strings.
    pub fn simulation(&self, body: usize) -> Option<Simulation> {
        let frame = |t: f64| {
            let frame = self.shot.rate.frame(t);
            // Rounding may move a whole frame by a few ulps.
            if (frame - frame.round()).abs() < 1e-6 { frame.round() } else { frame }
        };
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(string_world), _) => Some(progress_of(string_world, frame)),
            (None, dynamics) => dynamics.as_deref().map(|dynamics| progress_of(dynamics, frame)),
        }
    }

    /// Simulations of needed bodies whose recordings up to a frame would be larger than their limit, as
    /// the first body of each and its warning. A body that is attached to one of them is not asked, since
    /// its start would simulate the other; one that is attached to a smaller recording is simulated up to
    /// its start.
    pub fn oversized_recordings(
        &self,
        is_needed: impl Fn(usize) -> bool,
        frame: f64,
    ) -> Vec<(usize, Warning)> {
        let until = self.shot.seconds(frame);
        let simulated = self.simulated_groups().into_iter().flatten();
        let needed =
            simulated.filter(|body| self.simulated_with(*body).into_iter().any(&is_needed));
        let mut refused = vec![false; self.body_count()];
        let mut oversized = Vec::new();
        // Bodies come after those that they are attached to.
        for body in needed {
            let together = self.simulated_with(body);
            if together.iter().any(|one| self.follows_any(*one, &refused)) {
                continue;
            }
            let ended = match (self.string_world_of(body), &self.bodies[body].dynamics) {
                (Some(string_world), _) => string_world.too_large(self, until),
                (None, Some(dynamics)) => dynamics.too_large(self, until),
                (None, None) => None,
            };
            if let Some(ended) = ended {
                for one in together {
                    refused[one] = true;
                }
                oversized.push((body, ended.warning(self)));
            }
        }
        oversized
    }

    /// True if a body is attached to one of the marked bodies, directly or through others.
    fn follows_any(&self, body: usize, marked: &[bool]) -> bool {
        let leaders = self.dependencies(body).iter();
        leaders.copied().any(|leader| marked[leader] || self.follows_any(leader, marked))
    }

    /// Simulates a body up to a frame, so that evaluating it there is fast. Every few steps, `each`
    /// receives the frame that is reached; it stops the run by returning false. The states simulated
    /// until then are kept. Returns false if the run was stopped. `each` may evaluate any body of the
    /// scene, this one too.
    ///
    /// Calling this is optional, since evaluating a frame simulates up to it. Use it to show progress
    /// or to be able to cancel.
    pub fn simulate(&self, body: usize, frame: f64, mut each: impl FnMut(f64) -> bool) -> bool {
        let until = self.shot.seconds(frame);
        let mut report = |t: f64| each(self.shot.rate.frame(t));
        if let Some(string_world) = self.string_world_of(body) {
            return string_world.simulate(self, until, &mut report);
        }
        let dynamics = self.bodies[body].dynamics.as_ref();
        dynamics.is_none_or(|dynamics| dynamics.simulate(self, until, &mut report))
    }

    /// Makes one step of a body's simulation on the way to a time in seconds; returns false if none was
    /// needed or the run stopped.
    pub(crate) fn advance_step(&self, body: usize, until: f64) -> bool {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.advance_step(&mut world.lock(), self, until),
            (None, Some(rope)) => rope.advance_step(&mut rope.lock(), self, until),
            (None, None) => false,
        }
    }

    /// Whether a body's simulation needs no further steps for a time in seconds.
    pub(crate) fn is_recorded(&self, body: usize, t: f64) -> bool {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.is_ready(t),
            (None, Some(rope)) => rope.is_ready(t),
            (None, None) => true,
        }
    }

    /// Time of the last record of a body's simulation, in seconds; its start if there is none.
    pub(crate) fn recorded_until(&self, body: usize) -> f64 {
        let end = |take: &History, start: f64| if take.is_empty() { start } else { take.end() };
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.take(|take| end(take.history(), world.start())),
            (None, Some(rope)) => rope.take(|take| end(take.history(), rope.start())),
            (None, None) => f64::INFINITY,
        }
    }

    /// Time of the last record of a body's simulation that is due by a time, in seconds; that time if
    /// there is none.
    pub(crate) fn last_record_by(&self, body: usize, t: f64) -> f64 {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.last_record_by(t),
            (None, Some(rope)) => rope.last_record_by(t),
            (None, None) => t,
        }
    }

    /// Start of a body's simulation, in seconds.
    pub(crate) fn simulation_start(&self, body: usize) -> f64 {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.start(),
            (None, Some(rope)) => rope.start(),
            (None, None) => f64::NEG_INFINITY,
        }
    }

    /// Whether an edit has replaced a body's simulation by another.
    pub(crate) fn is_superseded(&self, body: usize) -> bool {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => world.is_superseded(),
            (None, dynamics) => dynamics.as_ref().is_some_and(|rope| rope.is_superseded()),
        }
    }

    /// Whether both scenes share the simulation of a body of each.
    pub(crate) fn shares_simulation(&self, body: usize, other: &Self, its: usize) -> bool {
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(world), _) => {
                other.string_world_of(its).is_some_and(|other| std::ptr::eq(world, other))
            }
            (None, Some(rope)) => {
                other.bodies[its].dynamics.as_ref().is_some_and(|other| Arc::ptr_eq(rope, other))
            }
            (None, None) => false,
        }
    }

    /// Simulates a body up to a frame, as [`simulate`](Self::simulate), and writes everything to the
    /// storage of its take ([`load_take`](Self::load_take), [`start_take`](Self::start_take)).
    pub fn record(
        &self,
        body: usize,
        frame: f64,
        mut each: impl FnMut(f64) -> bool,
    ) -> io::Result<bool> {
        let until = self.shot.seconds(frame);
        let mut report = |t: f64| each(self.shot.rate.frame(t));
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(string_world), _) => string_world.record_to(self, until, &mut report),
            (None, Some(dynamics)) => dynamics.record_to(self, until, &mut report),
            (None, None) => Ok(true),
        }
    }

    /// Returns the recording of a body's simulation as the bytes of a file. `hash` is that of the
    /// document ([`Document::motion_hash`](lariat_scene::Document::motion_hash)).
    pub fn take_bytes(&self, body: usize, hash: u128) -> Vec<u8> {
        let name = self.take_name(body);
        match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(string_world), _) => string_world.bytes(name, hash),
            (None, Some(dynamics)) => dynamics.bytes(name, hash),
            (None, None) => Vec::new(),
        }
    }

    /// Loads the take of a body's simulation, up to its last valid chunk; the simulation continues from
    /// there. Records that do not fit into memory are read from `storage` when they are needed, and
    /// further ones are written to it as `used_for` says. Returns the state of its end, and the frame
    /// that is reached. After an error, the scene has not changed.
    pub fn load_take(
        &self,
        body: usize,
        hash: u128,
        storage: Box<dyn Storage>,
        used_for: TapeUse,
    ) -> Result<(TakeEnd, f64), TakeError> {
        let take_id = (self.take_name(body), hash);
        let (end, reached) = match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(string_world), _) => string_world.load(self, storage, take_id, used_for)?,
            (None, Some(dynamics)) => dynamics.load(self, storage, take_id, used_for)?,
            (None, None) => return Err(TakeError::NotATake),
        };
        Ok((end, self.shot.rate.frame(reached)))
    }

    /// Starts the simulation of a body again, with records written to `storage` as `used_for` says.
    /// Bytes in the storage are replaced.
    pub fn start_take(
        &self,
        body: usize,
        hash: u128,
        storage: Box<dyn Storage>,
        used_for: TapeUse,
    ) {
        let take_id = (self.take_name(body), hash);
        if let Some(string_world) = self.string_world_of(body) {
            string_world.start_tape(storage, take_id, used_for);
        } else if let Some(dynamics) = &self.bodies[body].dynamics {
            dynamics.start_tape(storage, take_id, used_for);
        }
    }

    /// Limits the memory and the size of all recordings.
    pub fn limit_recordings(&self, limits: &Limits) {
        let dynamics = || self.bodies.iter().filter_map(|body| body.dynamics.as_ref());
        let count = dynamics().count() + usize::from(self.string_world.is_some());
        let limits = RecordingLimits::among(limits, count);
        dynamics().for_each(|dynamics| dynamics.set_limits(limits));
        self.string_world.iter().for_each(|string_world| string_world.set_limits(limits));
    }

    /// Takes over the recordings of the scene before an edit. `kept` gives for each body the frame up
    /// to which its motion is unchanged; bodies are matched by name. Simulations that are shared and
    /// whose motion changes start again.
    pub(crate) fn take_over(
        &mut self,
        before: Before<'_>,
        lowered: &Lowered,
        kept: impl Fn(usize) -> f64,
    ) {
        let old = before.scene;
        for b in 0..self.bodies.len() {
            let Some(dynamics) = &self.bodies[b].dynamics else { continue };
            let was = before.lowered.body_index(&self.bodies[b].name);
            let Some(was) = was.and_then(|was| old.bodies[was].dynamics.as_ref()) else { continue };
            let until = kept(b);
            if Arc::ptr_eq(was, dynamics) {
                if until == f64::INFINITY {
                    continue;
                }
                self.restart(b, lowered);
            }
            let Some(dynamics) = &self.bodies[b].dynamics else { continue };
            copy_take(&**was, &**dynamics, self.shot.seconds(until));
        }
        if let (Some(string_world), Some(was)) = (&self.string_world, &old.string_world) {
            let until = string_world.bodies().map(&kept).fold(f64::INFINITY, f64::min);
            if Arc::ptr_eq(was, string_world) && until < f64::INFINITY {
                self.restart_strings(lowered);
            }
            let names = |scene: &Self| -> Vec<Arc<str>> {
                scene.strings().map(|b| scene.bodies[b].name.clone()).collect()
            };
            if let Some(string_world) = &self.string_world
                && !Arc::ptr_eq(was, string_world)
                && names(self) == names(old)
            {
                copy_take(&**was, &**string_world, self.shot.seconds(until));
            }
        }
        // Jobs that still simulate them end.
        let is_kept = |was: &Arc<Dynamics>| {
            let b = lowered.body_index(&old.bodies[was.index()].name);
            let is = b.and_then(|b| self.bodies[b].dynamics.as_ref());
            is.is_some_and(|is| Arc::ptr_eq(was, is))
        };
        let ropes = old.bodies.iter().filter_map(|body| body.dynamics.as_ref());
        ropes.filter(|was| !is_kept(was)).for_each(|was| was.supersede());
        if let Some(was) = &old.string_world
            && self.string_world.as_ref().is_none_or(|is| !Arc::ptr_eq(was, is))
        {
            was.supersede();
        }
    }

    /// Whether a body can be pulled while it is simulated.
    pub(crate) fn can_be_pulled(&self, body: usize, frame: f64) -> Result<(), LiveError> {
        let name = || self.body_name(body).to_owned();
        if self.simulated_from(body).is_none_or(|from| frame < from) {
            return Err(LiveError::NotSimulated { name: name(), frame });
        }
        let published = match (self.string_world_of(body), &self.bodies[body].dynamics) {
            (Some(string_world), _) => string_world.is_published(),
            (None, dynamics) => dynamics.as_ref().is_some_and(|rope| rope.is_published()),
        };
        match self.bodies[body].solid {
            Some(_) => Err(LiveError::Solid { name: name() }),
            None if published => Err(LiveError::Published { name: name() }),
            None => Ok(()),
        }
    }

    /// Place along a simulated body of a point of its curve, 0–1, given the point's index and share.
    pub(crate) fn material_place(&self, body: usize, sample: usize, share: f64) -> f64 {
        let rope = self.bodies[body].dynamics.as_ref();
        rope.and_then(|rope| rope.material_place(sample)).unwrap_or(share)
    }

    /// Which bodies have simulations that a change in the motion of a simulated body affects, with its own.
    pub(crate) fn simulated_after(&self, body: usize) -> Vec<bool> {
        let mut affected = vec![false; self.body_count()];
        self.simulated_with(body).into_iter().for_each(|b| affected[b] = true);
        // Bodies come after those that they are attached to.
        for b in self.simulated() {
            let together = self.simulated_with(b);
            if together.iter().any(|one| self.follows_any(*one, &affected)) {
                for b in together {
                    affected[b] = true;
                }
            }
        }
        affected
    }

    /// Gives the simulations that a change of a body from a frame on affects recordings of their own:
    /// copies of those of the scene that this one was bound from. They keep the other's steps up to the
    /// checkpoint before the frame.
    pub(crate) fn branch_runs(&mut self, of: &Self, lowered: &Lowered, body: usize, frame: f64) {
        let until = self.shot.seconds(frame);
        let affected = self.simulated_after(body);
        for b in (0..affected.len()).filter(|b| affected[*b]) {
            let Some(was) = &of.bodies[b].dynamics else { continue };
            let rope = Dynamics::bind(&lowered.bodies[b], lowered).map(Arc::new);
            if let Some(rope) = &rope {
                branch_take(&**was, &**rope, until);
            }
            self.bodies[b].dynamics = rope;
        }
        if let Some(was) =
            of.string_world.as_deref().filter(|was| was.bodies().any(|b| affected[b]))
        {
            self.string_world = StringWorld::bind(lowered, &mut self.bodies).map(Arc::new);
            self.string_world.iter().for_each(|world| branch_take(was, &**world, until));
        }
    }

    /// The bodies of the string world.
    pub(crate) fn strings(&self) -> impl Iterator<Item = usize> {
        self.string_world.iter().flat_map(|string_world| string_world.bodies())
    }
}

/// Progress of a simulation; `frame` converts times to frames.
fn progress_of(simulated: &impl Simulated, frame: impl Fn(f64) -> f64) -> Simulation {
    let start = simulated.start();
    simulated.take(|take| {
        let history = take.history();
        Simulation {
            from: frame(start),
            to: frame(if history.is_empty() { start } else { history.end() }),
            rate: simulated.rate(),
            stopped: history.stopped.is_some(),
        }
    })
}

/// Copies the recording of a simulation to another run of it, up to a time. The first keeps its tape.
fn branch_take<S: Simulated>(was: &S, is: &S, until: f64) {
    let mut take = was.copy_take(until);
    take.cut(until);
    is.set_take(take);
    is.prepare_from(was, until);
}

/// Copies the recording of a simulation to the same simulation of another scene, up to a time.
fn copy_take<S: Simulated>(was: &S, is: &S, until: f64) {
    if until == f64::NEG_INFINITY || was.start() != is.start() {
        is.set_limits(was.take(|take| take.history().limits));
        return;
    }
    let mut take = was.share_take();
    take.history_mut().stop_writing();
    if until < f64::INFINITY {
        take.cut(until);
    }
    is.set_take(take);
    is.prepare_from(was, until);
}
