//! Strands of a recorded state: one for each piece of a string, with its torn ends, radius, twist
//! and tension. Stretched pieces are thinner.
//!
//! Half of a torn segment is drawn at each of the two ends, since each of its particles has half of
//! its mass. It continues in the direction of the end, so that no length is lost and a stub stays
//! in a clamp.
//!
//! A piece is named by its first particle, so that it keeps its name when another one tears.
//! Followers of a torn string are attached to its particles.
//!
//! Tests, in `tests/suite/strings.rs`: `a_torn_string_is_two_pieces_from_then_on`,
//! `a_tear_keeps_the_total_length`, `a_stretched_string_is_thinner`,
//! `an_inextensible_string_held_straight_is_reported`, `tears_that_are_not_listed_are_counted`.

use std::sync::MutexGuard;

use glam::DVec3;
use lariat_core::geometry::Tension;
use lariat_core::motion::FrameRate;

use super::StringWorld;
use super::layout::{StringLayout, along};
use super::solid::placement;
use super::string::StringBody;
use super::take::{Piece, StringWorldTake, Tear};
use crate::bind::{Body, Work};
use crate::moment::{BodyMoment, Spine};
use crate::scene::World;
use crate::simulate::history::Ended;
use crate::simulate::inputs::HeldPoints;
use crate::simulate::progress::Simulated;
use crate::warning::{
    HeldTight, OutOfOrder, PinOutOfReach, PinsMeet, PoseMissed, TooStiff, Torn, TornMore, Warning,
    WarningKind,
};

/// The state of one string at a time, for drawing.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    pieces: Vec<Piece>,
    /// All its tears, earlier and later.
    tears: Vec<Tear>,
    ended: Option<Ended>,
}

/// Number of tears of one string that are reported individually.
const MAX_LISTED_TEARS: usize = 8;

impl StringWorld {
    /// Poses one of its strings from the simulation; not before that has started.
    pub(crate) fn pose(
        &self,
        slot: usize,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) -> bool {
        let string_body = &self.string_bodies[slot];
        if !world.waits && !self.is_prepared() {
            return false;
        }
        if world.t < string_body.start {
            return self.pose_ahead(slot, body, world, work, out);
        }
        let drawn = self.drawn(slot, world);
        let layout = match self.layout(world.scene) {
            Ok(layout) if !drawn.pieces.is_empty() => &layout.string_bodies[slot],
            _ => {
                // The simulation could not start.
                let why = drawn.ended.as_ref();
                out.warnings.extend(why.map(|ended| ended.warning(world.scene)));
                return false;
            }
        };
        if let ([whole], true) = (drawn.pieces.as_slice(), body.has_lights()) {
            work.pose.points.clone_from(&whole.points);
            (work.pose.closed, work.pose.up, work.pose.slack) = (false, whole.side, None);
            work.pose.warnings.clear();
            work.pose.tension = None;
            body.dress(world, work, out);
        } else {
            drawn.strands(string_body, layout, body, world, work, out);
        }
        drawn.warn(string_body, layout, body, world, out);
        true
    }

    /// Poses a string by its model before it starts, with the number of points of the simulation,
    /// so that all frames have the same number.
    fn pose_ahead(
        &self,
        slot: usize,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) -> bool {
        let Ok(layout) = self.layout(world.scene) else { return false };
        body.pose_model(world, work, out);
        let points = along(out, layout.string_bodies[slot].count - 1);
        out.clear_spine();
        work.pose.points = points;
        work.pose.warnings.clear();
        body.dress(world, work, out);
        true
    }

    /// Poses one of its solids from the simulation; not before that has started.
    pub(crate) fn pose_solid(
        &self,
        slot: usize,
        body: &Body,
        world: &World<'_>,
        out: &mut BodyMoment,
    ) -> bool {
        if world.t < self.solids[slot].start {
            return false;
        }
        if !world.waits && !self.is_prepared() {
            return false;
        }
        let take = self.recorded(world);
        let ended = take.history.ended_by(world.t);
        out.warnings.extend(ended.as_ref().map(|ended| ended.warning(world.scene)));
        self.warn_of_solid(slot, world, out);
        if matches!(ended, Some(Ended::TooLarge { .. })) {
            return false;
        }
        let Some((place, turn)) = take.solid_at(world.t, slot) else { return false };
        drop(take);
        body.pose_solid(placement(place, turn), world, out);
        true
    }

    /// The recording, up to the world's time if that is waited for.
    fn recorded(&self, world: &World<'_>) -> MutexGuard<'_, StringWorldTake> {
        if world.waits { self.reach(world.scene, world.t) } else { self.lock_take() }
    }

    /// Reports the obstacles that a solid starts inside, on its first frame.
    fn warn_of_solid(&self, slot: usize, world: &World<'_>, out: &mut BodyMoment) {
        let shot = world.scene.shot();
        let start = shot.rate.frame(self.solids[slot].start);
        let since = shot.rate.frame(world.t) - start.max(shot.first as f64);
        let Ok(layout) = self.layout(world.scene) else { return };
        if !(0.0..1.0).contains(&since) {
            return;
        }
        let inside = layout.starts_inside[slot].iter().cloned();
        out.warnings.extend(inside.map(|inside| Warning::new("position", inside)));
    }

    /// One of its strings at the world's time.
    fn drawn(&self, slot: usize, world: &World<'_>) -> Drawn {
        let take = self.recorded(world);
        let ended = take.history.ended_by(world.t);
        let layout = match self.layout(world.scene) {
            Ok(layout) if !matches!(ended, Some(Ended::TooLarge { .. })) => layout,
            _ => return Drawn { ended, ..Drawn::default() },
        };
        let StringLayout { first, count, .. } = layout.string_bodies[slot];
        Drawn {
            pieces: take.at(world.t, slot, first, count),
            tears: take.tears.iter().filter(|tear| tear.string == slot).copied().collect(),
            ended,
        }
    }
}

impl Drawn {
    /// A strand for each piece.
    fn strands(
        &self,
        string_body: &StringBody,
        layout: &StringLayout,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        out.strands.truncate(self.pieces.len());
        out.slack = None;
        let radius = body.looks.girth(string_body.start);
        let material = string_body.material(radius);
        let mass = material.density * std::f64::consts::PI * radius * radius;
        let weight = string_body.inputs.weight(world.t, mass);
        let pose = &mut work.pose;
        pose.warnings.clear();
        (pose.closed, pose.slack, pose.tension) = (false, None, None);
        for (which, piece) in self.pieces.iter().enumerate() {
            if which == out.strands.len() {
                out.strands.push(body.looks.strand("rope"));
            }
            let strand = &mut out.strands[which];
            pose.points.clone_from(&piece.points);
            lengthen(&mut pose.points, piece, layout);
            pose.up = piece.side;
            body.looks.sweep(pose, body, world, strand, &mut out.warnings);
            strand.add_twist(&widened(&piece.twist, piece));
            let radii = thickness(piece, layout, body.looks.reach(world.t));
            strand.set_radius(&widened(&radii, piece));
            for (end, torn) in piece.torn.into_iter().enumerate() {
                let own = [piece.first == 0, piece.first + piece.points.len() == layout.count][end];
                strand.torn[end] = torn || (own && strand.torn[end]);
            }
            if piece.first > 0 {
                strand.name = format!("rope-{}", piece.first).into();
                strand.grain = strand.grain.wrapping_add(piece.first as u32);
            }
            strand.tension = (weight > 0.0).then(|| Tension::Measured {
                newtons: widened(&piece.tensions, piece).into(),
                weight_per_metre: weight,
            });
        }
        if self.pieces.len() > 1 {
            let points = self.pieces.iter().flat_map(|piece| piece.points.iter().copied());
            out.spine = Some(Spine { points: points.collect(), up: self.pieces[0].side });
        }
    }

    /// Adds the warnings of the string, and its tears.
    fn warn(
        &self,
        string_body: &StringBody,
        layout: &StringLayout,
        body: &Body,
        world: &World<'_>,
        out: &mut BodyMoment,
    ) {
        let scene = world.scene;
        out.warnings.extend(self.ended.iter().map(|ended| ended.warning(scene)));
        let mut warn = |kind: WarningKind| out.warnings.push(Warning::new("dynamics", kind));
        let rate = scene.shot().rate;
        let frame = rate.frame(world.t);
        // Reported at the first whole frame that shows it.
        for (which, tear) in self.tears.iter().take(MAX_LISTED_TEARS).enumerate() {
            let torn = frame_of(rate, tear);
            if torn < frame && frame - 1.0 <= torn {
                let at = layout.place(tear.segment) + 0.5 / (layout.count - 1) as f64;
                let [newtons, turns] =
                    layout.strengths[(tear.segment - layout.first).min(layout.count - 2)];
                let cause = tear.cause;
                warn(Torn { which, frame: torn, at, cause, newtons, turns }.into());
            }
        }
        let further = self.tears.iter().skip(MAX_LISTED_TEARS).map(|tear| frame_of(rate, tear));
        let seen: Vec<f64> = further.filter(|torn| *torn < frame).collect();
        if let Some(last) = seen.last().copied().filter(|last| frame - 1.0 <= *last) {
            warn(TornMore { more: seen.len(), frame: last }.into());
        }
        let (missed, tolerance) = (layout.off, layout.tolerance);
        if missed > tolerance {
            let control_points = layout.count - 1;
            warn(PoseMissed { missed, tolerance, control_points }.into());
        }
        let [stiffness, most, steps] = layout.stiffness;
        if stiffness > most {
            warn(TooStiff { stiffness, most, rate: steps }.into());
        }
        for (fields, values) in string_body.out_of_order() {
            warn(OutOfOrder { fields, values }.into());
        }
        layout.pins_missed.iter().cloned().for_each(|missed| warn(missed.into()));
        let mut holds = HeldPoints::new();
        let mut warnings = Vec::new();
        string_body.inputs.holds(body, world, &mut warnings, &mut holds);
        // Reported at the first frame that shows the string.
        let seen = rate.frame(string_body.start).max(scene.shot().first as f64);
        if (0.0..1.0).contains(&(frame - seen)) {
            held_tight(string_body, layout, body, world, &holds, &mut warn);
            layout.runs_through.iter().cloned().for_each(|through| warn(through.into()));
        }
        holds.retain(|pin| pin.on);
        holds.sort_by(|a, b| a.u.total_cmp(&b.u));
        let most = string_body.material(body.looks.girth(string_body.start)).breaking_strain();
        let segment = layout.length / (layout.count - 1) as f64;
        for pair in holds.windows(2) {
            let apart = pair[0].target.distance(pair[1].target);
            let (first, second) = (pair[0].u, pair[1].u);
            let between = layout.particle(second) - layout.particle(first);
            let rope = between as f64 * segment;
            if between == 0 && apart > 0.01 * segment {
                warn(PinsMeet { first, second, apart }.into());
            } else if between > 0 && !string_body.tears() && apart > rope * (1.0 + most) {
                warn(PinOutOfReach { first, second, apart, rope, most }.into());
            }
        }
        out.warnings.append(&mut warnings);
    }
}

/// Reports a string that keeps its length and is held so tight that its own weight tears it at the start.
///
/// A string of length `l` that spans `d` with little slack sags by `√(3/8 d (l − d))`; its tension is
/// `w d² / 8 sag`. Strings tied to solids are not reported: solids move.
fn held_tight(
    string_body: &StringBody,
    layout: &StringLayout,
    body: &Body,
    world: &World<'_>,
    holds: &HeldPoints,
    warn: &mut impl FnMut(WarningKind),
) {
    if !string_body.tears() || string_body.stretches() {
        return;
    }
    let mut fixed: Vec<(usize, DVec3)> = Vec::new();
    for (which, pin) in holds.iter().enumerate().filter(|(_, pin)| pin.on) {
        if string_body.ties.get(which).copied().flatten().is_none() {
            fixed.push((layout.particle(pin.u) - layout.first, pin.target));
        }
    }
    fixed.sort_by_key(|(particle, _)| *particle);
    for pair in fixed.windows(2) {
        let [(first, a), (second, b)] = [pair[0], pair[1]];
        let rope: f64 = layout.rests[first..second].iter().sum();
        let apart = a.distance(b);
        let thinnest = layout.taper[first..=second].iter().copied().fold(f64::INFINITY, f64::min);
        let radius = body.looks.girth(string_body.start) * thinnest;
        let material = string_body.material(radius);
        let area = std::f64::consts::PI * radius * radius;
        let across = string_body.inputs.weight_across(world.t, b - a) * material.density * area;
        let bears = layout.strengths[first..second].iter().map(|bears| bears[0]);
        let bears = bears.fold(f64::INFINITY, f64::min);
        let slack = (rope - apart).max(0.0);
        let newtons = across * apart * apart / (8.0 * (0.375 * apart * slack).sqrt());
        if first < second && across * rope > 0.0 && newtons > bears {
            let sag = across * apart * apart
                / (8.0 * material.yield_stress.min(0.5 * material.rupture_stress) * area);
            warn(HeldTight { apart, rope, newtons, bears, sag }.into());
        }
    }
}

/// Tolerance for a step that begins at a frame, in frames: rounding, and far less than a step.
const AT: f64 = 1e-6;

/// Frame of a tear. A step begins at a frame only up to rounding. A tear in that step is not
/// visible at the frame yet, and is shown at the next one.
fn frame_of(rate: FrameRate, tear: &Tear) -> f64 {
    let frame = rate.frame(tear.time);
    if (frame - frame.round()).abs() < AT { frame.round() } else { frame }
}

/// Adds the remaining half of each torn segment to the torn ends of a piece.
fn lengthen(points: &mut Vec<DVec3>, piece: &Piece, layout: &StringLayout) {
    let last = piece.first + points.len() - 1;
    if piece.torn[1] {
        points.extend(points.last().map(|end| *end + piece.ways[1] * (0.5 * layout.rests[last])));
    }
    if piece.torn[0] {
        let start = points[0] + piece.ways[0] * (0.5 * layout.rests[piece.first - 1]);
        points.insert(0, start);
    }
}

/// Values at the points of a piece, repeated at its added torn ends.
fn widened(numbers: &[f64], piece: &Piece) -> Vec<f64> {
    let mut all = Vec::with_capacity(numbers.len() + 2);
    all.extend(numbers.first().filter(|_| piece.torn[0]));
    all.extend_from_slice(numbers);
    all.extend(numbers.last().filter(|_| piece.torn[1]));
    all
}

/// Radii at the points of a piece, which keeps its volume.
fn thickness(piece: &Piece, layout: &StringLayout, radius: f64) -> Vec<f64> {
    let stretched = |i: usize| {
        let long = piece.points[i].distance(piece.points[i + 1]);
        let rest = layout.rests[piece.first + i];
        if long > rest { (rest / long).sqrt() } else { 1.0 }
    };
    let last = piece.points.len() - 1;
    if last == 0 {
        return vec![radius * layout.taper[piece.first]];
    }
    let factors: Vec<f64> = (0..last).map(stretched).collect();
    let at = |i: usize| 0.5 * (factors[i.max(1) - 1] + factors[i.min(last - 1)]);
    (0..=last).map(|i| radius * layout.taper[piece.first + i] * at(i)).collect()
}
