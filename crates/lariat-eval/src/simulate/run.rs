//! The simulation of one body, as far as it has come.
//!
//! It starts at the shape that the model has at the start, as fast as the model moves there, and
//! steps at its own rate: `start + k/rate`, never a sum of steps, so that no rounding gathers.
//!
//! Tests: `frames_in_any_order_are_the_same_bits`, `the_frame_rate_does_not_change_the_motion`,
//! `before_its_start_a_body_is_posed_and_then_let_go_as_fast_as_it_moves`,
//! `a_take_goes_on_where_it_was_cut_short_with_the_same_bits`,
//! `a_rope_starts_where_its_pose_was_however_wavy`.

use std::sync::{Mutex, MutexGuard, OnceLock};

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::{Material, Stuff};
use lariat_core::dynamics::spline_rope::{
    Basis, Build, BuildError, Elasticity, Ends, Hold, Method, SplineRope, State, Wild,
};
use lariat_core::geometry::Tension;
use lariat_core::model::Finding;
use lariat_scene::lower::{Lowered, Record};

use super::MadeOf;
use super::inputs::{Holds, Inputs, Met};
use super::take::{BodyTake, Checkpoint, RECORDS_BETWEEN, Stopped};
use crate::bind::{Body, Work};
use crate::moment::{BodyMoment, Of, Trouble, Warning};
use crate::number::Number;
use crate::scene::{Scene, World};

/// Records a second, at most: fast enough for a whip between them.
pub(super) const RECORDS: f64 = 240.0;
/// Bytes that one body's recording may take. A rope of 32 control points lasts for more than an hour.
pub(super) const MOST_BYTES: usize = 2 << 30;
/// Rounds of the local and global step, as the notes suggest.
const ROUNDS: usize = 10;

/// Control points of a rope that needs no more, and the most that it is given without being asked.
const LEAST: usize = 32;
const MOST: usize = 2048;
/// Places that touch, at most, without being asked for. More: a nail makes a long rope slow.
const MOST_TOUCHING: f64 = 2000.0;
/// How far from its pose a rope may start beside its length, if that is more than its radius. Who
/// leaves the control points to us gets a quarter of it.
const UNSEEN: f64 = 2e-3;
/// Places of a pose that are as near as this to even ones are even: what is held in the middle is
/// shown where it is held.
const EVEN: f64 = 1e-6;

/// A body's simulation: what it is told, and how far it has come.
#[derive(Debug)]
pub(crate) struct Dynamics {
    /// Which body of the scene it is.
    index: usize,
    /// When it starts, in seconds.
    start: f64,
    rate: f64,
    /// What depends neither on the radius nor on the pose it starts from.
    build: Build,
    material: &'static Material,
    given: Given,
    outset: OnceLock<Outset>,
    inputs: Inputs,
    run: Mutex<Run>,
}

/// Numbers that the document says itself.
#[derive(Debug, Default)]
struct Given {
    control_points: Option<usize>,
    contact_points: Option<usize>,
    springs: Option<usize>,
    mass_per_metre: Option<f64>,
    stretch: Option<f64>,
    bend: Option<f64>,
    compression: Option<f64>,
    inner_friction: Option<f64>,
}

/// The pose that it starts from, and what follows from that.
#[derive(Debug)]
struct Outset {
    points: Vec<DVec3>,
    /// How far along it these are, 0–1: the same places are shown from then on.
    places: Vec<f64>,
    /// Which way is up at its start.
    up: DVec3,
    control_points: usize,
    /// How far its curve is from that pose, in metres; and how far it may be.
    missed: f64,
    bearable: f64,
    /// What the model had to say about that pose.
    told: Vec<Warning>,
    /// How far apart places may be, in metres, for the thinnest thing that it could lie on then.
    finest: f64,
}

/// Metres of rope that there are, where its model had to draw more to span its gap.
fn length_told(told: &[Warning]) -> Option<f64> {
    told.iter().find_map(|warning| match warning.trouble {
        Trouble::Model(Finding::TooShort { length, .. }) | Trouble::TooShortOver { length, .. } => {
            Some(length)
        }
        _ => None,
    })
}

/// As far as it has come.
#[derive(Debug, Default)]
struct Run {
    rope: Option<Box<SplineRope>>,
    /// Steps that the rope has made.
    steps: u64,
    /// In how many parts each is made, for methods that take only short ones.
    parts: u32,
    up: DVec3,
    take: BodyTake,
    tensions: Vec<f64>,
    met: Met,
    work: Work,
}

impl Dynamics {
    pub(crate) fn bind(body: &Record, lowered: &Lowered) -> Option<Self> {
        if !body.has("dynamics") {
            return None;
        }
        let record = body.record("dynamics").filter(|record| record.kind() == "spline-rope")?;
        let fixed = |name: &'static str| {
            Number::read(record, name).map(|number| number.at(0.0, &mut Vec::new()))
        };
        let count = |name: &str| record.integer(name).map(|count| count.max(0) as usize);
        let material = record.choice("made-of").and_then(Material::find)?;
        let mut build = Build::new(LEAST, material.at_radius(1.0));
        build.ends = match record.choice("knots") {
            Some("uniform") => Ends::Uniform,
            _ => Ends::Clamped,
        };
        build.method = match record.choice("method") {
            Some("local-global") => Method::LocalGlobal { rounds: ROUNDS },
            Some("semi-implicit") => Method::SemiImplicit,
            Some("explicit") => Method::Explicit,
            _ => Method::Implicit,
        };
        if record.choice("elasticity") == Some("springs") {
            build.elasticity = Elasticity::Springs { count: 0 };
        }
        if record.choice("hold-by") == Some("penalty") {
            build.hold = Hold::Penalty;
        }
        build.mass_along = record.along("mass-along").unwrap_or_default().to_vec();
        let number =
            |weight: &Record, name: &'static str| Number::of(weight, name).at(0.0, &mut Vec::new());
        let weight = |weight: &Record| (number(weight, "at"), number(weight, "mass"));
        build.weights = record.records("weights").iter().map(weight).collect();
        let shot = &lowered.shot;
        Some(Self {
            index: lowered.body_index(body.name())?,
            start: shot.seconds(fixed("start").unwrap_or(shot.first as f64)),
            rate: fixed("rate").unwrap_or(RECORDS),
            build,
            material,
            given: Given {
                control_points: count("control-points").map(|count| count.max(4)),
                contact_points: count("contact-points"),
                springs: count("springs"),
                mass_per_metre: fixed("mass-per-metre"),
                stretch: fixed("stretch-stiffness"),
                bend: fixed("bend-stiffness"),
                compression: fixed("compression"),
                inner_friction: fixed("inner-friction"),
            },
            outset: OnceLock::new(),
            inputs: Inputs::bind(record, lowered),
            run: Mutex::default(),
        })
    }

    /// When it starts, in seconds.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    /// Steps a second.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    /// Steps from one record to the next.
    fn stride(&self) -> u64 {
        (self.rate / RECORDS).ceil().max(1.0) as u64
    }

    /// Seconds from one record to the next.
    pub(crate) fn seconds_between_records(&self) -> f64 {
        self.stride() as f64 / self.rate
    }

    /// Poses the body from its simulation; not before it has started.
    pub(crate) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) -> bool {
        if world.t < self.start {
            return false;
        }
        let mut recorded = std::mem::take(&mut work.recorded);
        let (stopped, needed, mass) = {
            let mut run = self.lock();
            while self.advance(&mut run, body, world.scene, world.t) {}
            run.take.at(world.t, &mut recorded);
            let stopped = run.take.stopped.clone().filter(|stopped| world.t >= stopped.time);
            (stopped, run.take.needed, self.mass_per_metre(body))
        };
        if recorded.positions.is_empty() {
            // It could not even start.
            work.recorded = recorded;
            if let Some(stopped) = stopped {
                out.warnings.push(Self::stopped(&stopped, world.scene));
            }
            return false;
        }
        let basis = Basis::new(recorded.positions.len() - 3, self.build.ends);
        let segments = basis.segments() as f64;
        let pose = &mut work.pose;
        pose.points.clear();
        let rows = self.outset(body, world.scene).places.iter().map(|u| basis.at(segments * u));
        pose.points.extend(rows.map(|row| row.of(&recorded.positions)));
        pose.findings.clear();
        (pose.closed, pose.up, pose.slack) = (false, recorded.up, None);
        let weight = self.inputs.weight(world.t, mass);
        pose.tension = (weight > 0.0 && self.build.elasticity == Elasticity::Energy).then(|| {
            let newtons = recorded.tensions.as_slice().into();
            Tension::Measured { newtons, weight_per_metre: weight }
        });
        work.recorded = recorded;
        let long = pose.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        body.dress(world, work, out);
        self.warn(body, world, stopped.as_ref(), needed, long, out);
        true
    }

    /// What a metre of it weighs, in kilograms.
    fn mass_per_metre(&self, body: &Body) -> f64 {
        let radius = body.looks.girth(self.start);
        self.given.mass_per_metre.unwrap_or(self.material.at_radius(radius).mass_per_metre)
    }

    fn warn(
        &self,
        body: &Body,
        world: &World<'_>,
        stopped: Option<&Stopped>,
        needed: Option<f64>,
        long: f64,
        out: &mut BodyMoment,
    ) {
        let tell = |trouble: Trouble, out: &mut BodyMoment| {
            out.warnings.push(Warning { of: Of::Body, field: "dynamics", trouble });
        };
        if let Some(stopped) = stopped {
            out.warnings.push(Self::stopped(stopped, world.scene));
        }
        if let Some(needed) = needed {
            tell(Trouble::StepTooLong { rate: self.rate, needed }, out);
        }
        let outset = self.outset(body, world.scene);
        let &Outset { control_points, missed, bearable, .. } = outset;
        // What was wrong with the pose that it starts from is told at the first frame that it is
        // seen at.
        let shot = world.scene.shot();
        let seen = self.start.max(shot.seconds(shot.first as f64));
        if world.t < seen + shot.seconds(1.0) - shot.seconds(0.0) {
            out.warnings.extend_from_slice(&outset.told);
        }
        if missed > bearable {
            tell(Trouble::PoseMissed { missed, bearable, control_points }, out);
        }
        let mut holds = Holds::new();
        let mut warnings = std::mem::take(&mut out.warnings);
        self.inputs.holds(body, world, &mut warnings, &mut holds);
        out.warnings = warnings;
        holds.retain(|pin| pin.on);
        holds.sort_by(|a, b| a.u.total_cmp(&b.u));
        let length = self.take(|take| take.length);
        let segment = length / (control_points - 3) as f64;
        let most = self.material.breaks_at;
        let mut told = false;
        for pair in holds.windows(2) {
            let apart = pair[0].target.distance(pair[1].target);
            let rope = (pair[1].u - pair[0].u) * length;
            if rope < 0.1 * segment && apart > rope + 0.01 * segment {
                let (first, second) = (pair[0].u, pair[1].u);
                tell(Trouble::PinsMeet { first, second, apart }, out);
            } else if length > 0.0 && apart > rope * (1.0 + most) {
                let (first, second) = (pair[0].u, pair[1].u);
                tell(Trouble::PinOutOfReach { first, second, apart, rope, most }, out);
                told = true;
            }
        }
        if !told && length > 0.0 && long > length * (1.0 + most) {
            tell(Trouble::Overstretched { long, length, most }, out);
        }
    }

    fn stopped(stopped: &Stopped, scene: &Scene) -> Warning {
        let trouble = Trouble::SimulationStopped {
            time: stopped.time,
            frame: scene.shot().rate.frame(stopped.time),
            why: stopped.why.as_str().into(),
        };
        Warning { of: Of::Body, field: "dynamics", trouble }
    }

    fn lock(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(|poisoned| {
            // Whoever panicked while it held this may have left a step or a record half made: the
            // rope is laid anew, from the last checkpoint.
            self.run.clear_poison();
            let mut run = poisoned.into_inner();
            run.rope = None;
            run.take.drop_what_is_half_recorded();
            run
        })
    }

    /// Simulates up to a time, asking before every record whether to go on; `false` if it was told
    /// not to. Calls `each` with the time reached, and holds nothing meanwhile: `each` may ask for
    /// any frame of any body.
    pub(crate) fn simulate(
        &self,
        body: &Body,
        scene: &Scene,
        until: f64,
        each: &mut dyn FnMut(f64) -> bool,
    ) -> bool {
        loop {
            let mut run = self.lock();
            if !self.is_under_way(&mut run, body, scene, until) {
                return true;
            }
            let reached = run.take.end();
            drop(run);
            if !each(reached) {
                return false;
            }
            // Whatever somebody else has simulated since is not simulated again.
            self.advance(&mut self.lock(), body, scene, until);
        }
    }

    /// What is recorded.
    pub(crate) fn take<T>(&self, look: impl FnOnce(&BodyTake) -> T) -> T {
        look(&self.lock().take)
    }

    /// Goes on from a recording of an earlier run of the same simulation.
    pub(crate) fn set_take(&self, take: BodyTake) {
        let mut run = self.lock();
        *run = Run { take, ..Run::default() };
    }

    /// Takes the recording away, for another scene in which this simulation is the same.
    pub(crate) fn take_away(&self) -> BodyTake {
        std::mem::take(&mut *self.lock()).take
    }

    /// Whether there is a way to go to a time, and a rope to go it.
    fn is_under_way(&self, run: &mut Run, body: &Body, scene: &Scene, until: f64) -> bool {
        run.take.stopped.is_none()
            && !run.take.reaches(until)
            && (run.rope.is_some() || self.set_out(run, body, scene))
    }

    /// Simulates up to the next record on the way to a time; whether there was one to make.
    fn advance(&self, run: &mut Run, body: &Body, scene: &Scene, until: f64) -> bool {
        if !self.is_under_way(run, body, scene, until) {
            return false;
        }
        if run.take.numbers.len() * size_of::<f64>() > MOST_BYTES {
            let time = run.take.end();
            let why = format!("its recording has reached {} GB", MOST_BYTES >> 30);
            run.take.stopped = Some(Stopped { time, why });
            return false;
        }
        for _ in 0..self.stride() {
            if !self.step(run, body, scene) {
                return false;
            }
        }
        Self::record(run);
        true
    }

    /// What it is made of, with its numbers.
    pub(crate) fn made_of(&self, body: &Body, scene: &Scene) -> MadeOf {
        let outset = self.outset(body, scene);
        let (mut stuff, _) = self.lay(
            &outset.points,
            length_told(&outset.told),
            outset.control_points,
            outset.finest,
            body,
        );
        if self.build.elasticity != Elasticity::Energy {
            // Springs only pull.
            (stuff.bend, stuff.compression) = (0.0, 0.0);
        }
        MadeOf { name: self.material.name, stuff, is_string: false, strength: None }
    }

    /// The pose that it starts from. Unless the document says how many control points there are, they
    /// are doubled until its curve is as near to that pose as nobody would see.
    fn outset(&self, body: &Body, scene: &Scene) -> &Outset {
        self.outset.get_or_init(|| {
            let (points, up, told) = self.shape(self.start, body, scene, &mut Work::default());
            let length = length_told(&told);
            let finest = self.finest(body, scene);
            let mut places = SplineRope::places(&points);
            let last = (points.len().max(2) - 1) as f64;
            let even = |(i, u): (usize, &f64)| (u - i as f64 / last).abs() < EVEN;
            if places.iter().enumerate().all(even) {
                places = (0..points.len()).map(|i| i as f64 / last).collect();
            }
            let long: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let bearable = body.looks.girth(self.start).max(UNSEEN * long);
            let mut control_points = self.given.control_points.unwrap_or(LEAST);
            loop {
                let (_, laid) = self.lay(&points, length, control_points, finest, body);
                let missed = laid.map_or(0.0, |rope| rope.misses(&points));
                let more = self.given.control_points.is_none() && control_points < MOST;
                if missed <= 0.25 * bearable || !more {
                    return Outset {
                        points,
                        places,
                        up,
                        control_points,
                        missed,
                        bearable,
                        told,
                        finest,
                    };
                }
                control_points *= 2;
            }
        })
    }

    /// Half of the thinnest thing that it is kept out of when it starts, with the rope's own
    /// thickness: places further apart would let that through between them.
    fn finest(&self, body: &Body, scene: &Scene) -> f64 {
        let (mut clamps, mut unheard) = (Vec::new(), Vec::new());
        scene.at_time(self.index, self.start, &mut Work::default(), |world, _| {
            body.layers.clamps(world, &body.looks, 0.0, &mut clamps, &mut unheard);
        });
        let solids =
            clamps.into_iter().map(|clamp| Obstacle::standing(clamp.collider, clamp.margin));
        0.5 * solids.map(|solid| solid.thinnest()).fold(f64::INFINITY, f64::min)
    }

    /// The curve that its model has at a time, which way is up at its start, and what the model has
    /// to say about it.
    fn shape(
        &self,
        t: f64,
        body: &Body,
        scene: &Scene,
        work: &mut Work,
    ) -> (Vec<DVec3>, DVec3, Vec<Warning>) {
        let mut moment = BodyMoment::default();
        scene.at_time(self.index, t, work, |world, work| {
            moment.clear();
            body.pose_model(world, work, &mut moment);
        });
        let first = moment.strands.first().and_then(|strand| strand.frames().first());
        let up = first.map_or(DVec3::Z, Frame::normal);
        (moment.spine().to_vec(), up, std::mem::take(&mut moment.warnings))
    }

    /// A rope along a curve, and the numbers of its stuff.
    fn lay(
        &self,
        now: &[DVec3],
        length: Option<f64>,
        control_points: usize,
        finest: f64,
        body: &Body,
    ) -> (Stuff, Result<SplineRope, BuildError>) {
        let mut build = self.build.clone();
        build.length = length;
        build.control_points = control_points;
        let long: f64 = now.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let enough = (long / finest).ceil().min(MOST_TOUCHING) as usize;
        let enough = enough.max(2 * control_points);
        build.contact_points = self.given.contact_points.unwrap_or(enough);
        if let Elasticity::Springs { count } = &mut build.elasticity {
            *count = self.given.springs.unwrap_or(2 * control_points);
        }
        build.stuff = self.material.at_radius(body.looks.girth(self.start));
        let stuff = &mut build.stuff;
        stuff.mass_per_metre = self.given.mass_per_metre.unwrap_or(stuff.mass_per_metre);
        stuff.stretch = self.given.stretch.unwrap_or(stuff.stretch);
        stuff.bend = self.given.bend.unwrap_or(stuff.bend);
        stuff.compression = self.given.compression.unwrap_or(stuff.compression);
        stuff.inner_friction = self.given.inner_friction.unwrap_or(stuff.inner_friction);
        let mut laid = SplineRope::along(now, &build);
        // Explicit steps are as short as the stiffest damping wants them: no more than they can bear.
        let explicit = matches!(build.method, Method::Explicit | Method::SemiImplicit);
        if let (true, None, Ok(rope)) = (explicit, self.given.inner_friction, &laid) {
            let most = LIGHTLY / rope.fastest_squared().sqrt();
            if build.stuff.inner_friction > most {
                build.stuff.inner_friction = most;
                laid = SplineRope::along(now, &build);
            }
        }
        (build.stuff, laid)
    }

    /// Builds the rope: at its start, or as the last checkpoint has it; whether there is one.
    fn set_out(&self, run: &mut Run, body: &Body, scene: &Scene) -> bool {
        let h = 1.0 / self.rate;
        let Outset { points, up, control_points, told, finest, .. } = self.outset(body, scene);
        let (earlier, ..) = self.shape(self.start - h, body, scene, &mut run.work);
        let (_, laid) = self.lay(points, length_told(told), *control_points, *finest, body);
        let mut rope = match laid {
            Ok(rope) => rope,
            Err(error) => {
                run.take.stopped = Some(Stopped { time: self.start, why: error.to_string() });
                return false;
            }
        };
        rope.throw(&earlier, h);
        run.met = Met::default();
        scene.at_time(self.index, self.start, &mut run.work, |world, _| {
            self.inputs.tell(&mut rope, body, world, &mut run.met);
        });
        run.parts = 1;
        let mut needed = None;
        if let Some(longest) = rope.longest_step() {
            let parts = (h / longest).ceil();
            if parts > 1.0 {
                needed = Some(1.0 / longest);
            }
            if parts > MOST_PARTS {
                let why = if longest == 0.0 {
                    "explicit steps are stable only with `viscosity`, and it has none".to_owned()
                } else {
                    format!(
                        "its method takes steps of {longest:.1e} s at most, {parts:.0} for each of the {} a second",
                        self.rate
                    )
                };
                run.take.stopped = Some(Stopped { time: self.start, why });
                return false;
            }
            run.parts = parts.max(1.0) as u32;
        }
        let stride = self.stride();
        match run.take.checkpoints.last() {
            Some(last) if last.state.positions.len() == rope.control_points() => {
                let records = (run.take.checkpoints.len() - 1) * RECORDS_BETWEEN;
                run.steps = records as u64 * stride;
                run.up = last.up;
                let row = run.take.row();
                run.take.numbers.truncate((records + 1) * row);
                // Obstacles are where, and which, they were when that state was recorded.
                let t = self.time(run.steps);
                run.met = Met::default();
                rope.obstacles.clear();
                scene.at_time(self.index, t, &mut run.work, |world, _| {
                    self.inputs.tell(&mut rope, body, world, &mut run.met);
                });
                rope.state = last.state.clone();
                run.rope = Some(Box::new(rope));
            }
            _ => {
                run.take = BodyTake {
                    start: self.start,
                    rate: self.rate / stride as f64,
                    length: rope.length(),
                    points: rope.control_points(),
                    nodes: rope.control_points(),
                    needed,
                    ..BodyTake::default()
                };
                run.steps = 0;
                run.up = *up;
                run.rope = Some(Box::new(rope));
                Self::record(run);
            }
        }
        true
    }

    /// The time after so many steps.
    fn time(&self, steps: u64) -> f64 {
        self.start + steps as f64 / self.rate
    }

    /// One step; whether it was made.
    fn step(&self, run: &mut Run, body: &Body, scene: &Scene) -> bool {
        let Run { rope: Some(rope), work, met, .. } = run else { return false };
        let (to, h) = (self.time(run.steps + 1), 1.0 / self.rate);
        let before: Vec<DVec3> = match run.parts {
            1 => Vec::new(),
            _ => rope.pins.iter().map(|pin| pin.target).collect(),
        };
        scene.at_time(self.index, to, work, |world, _| {
            self.inputs.tell(rope, body, world, met);
        });
        let mut made = Ok(());
        if run.parts == 1 {
            made = rope.step(h).map(|_| ());
        } else {
            let after: Vec<DVec3> = rope.pins.iter().map(|pin| pin.target).collect();
            let solids = rope.obstacles.clone();
            for part in 1..=run.parts {
                let share = f64::from(part) / f64::from(run.parts);
                let from = f64::from(part - 1) / f64::from(run.parts);
                for (obstacle, whole) in rope.obstacles.iter_mut().zip(&solids) {
                    *obstacle = whole.within(from, share);
                }
                for (pin, (a, b)) in rope.pins.iter_mut().zip(before.iter().zip(&after)) {
                    pin.target = a.lerp(*b, share);
                }
                made = rope.step(h / f64::from(run.parts)).map(|_| ());
                if made.is_err() {
                    break;
                }
            }
            rope.obstacles = solids;
        }
        if let Err(wild) = made {
            let why = cause(wild, rope);
            run.take.stopped = Some(Stopped { time: to, why });
            return false;
        }
        run.steps += 1;
        // The way up goes along with the start of the rope, turning only as that turns.
        let way = rope.tangent(0.0);
        run.up = (run.up - way * way.dot(run.up)).normalize_or(run.up);
        true
    }

    fn record(run: &mut Run) {
        let Some(rope) = &run.rope else { return };
        if run.take.len().is_multiple_of(RECORDS_BETWEEN) {
            let state: State = rope.state.clone();
            run.take.checkpoints.push(Checkpoint { state, up: run.up });
        }
        let last = (rope.control_points() - 1) as f64;
        run.tensions.clear();
        run.tensions.extend((0..rope.control_points()).map(|i| rope.tension(i as f64 / last)));
        run.take.record(&rope.state, &run.tensions, run.up);
    }
}

/// What went wrong, without the time: the rope counts from its own start, and people by the shot.
fn cause(wild: Wild, rope: &SplineRope) -> String {
    let strongest = rope.pushes.iter().map(|push| push.force.length()).fold(0.0, f64::max);
    let weight = rope.gravity.length() * rope.mass();
    let pulled = if strongest > ABSURD * weight {
        format!("; a force of {strongest:.1e} N pulls at its {:.3} kg", rope.mass())
    } else {
        String::new()
    };
    let how = match wild {
        Wild::Energy { energy, bound, .. } => {
            format!("it has {energy:.3e} J, more than the {bound:.3e} J that it can have come by")
        }
        Wild::NotFinite { .. } => "its motion has no finite answer".to_owned(),
    };
    how + &pulled
}

/// Forces beside the weight of a rope that are the likely cause when it goes wild.
const ABSURD: f64 = 1e4;

/// Damping of explicit steps beside the fastest vibration, unless it is given: lively, but it dies.
const LIGHTLY: f64 = 0.2;

/// Parts that one step may be made in before it is refused: a minute of waiting for a second of rope.
const MOST_PARTS: f64 = 100_000.0;

#[cfg(test)]
mod tests;
