//! An evaluator that poses only the bodies an edit changed.
//!
//! It owns a document, caches the frames it was asked for, and applies edits. After an edit, bodies that
//! are unchanged and attached to nothing that changed keep their shapes. The others are posed again
//! when their frame is next asked for, and only at frames that the edit affects. A cached frame is
//! always equal to a fresh evaluation.
//!
//! Tests: `an_edit_poses_its_body_and_its_followers`,
//! `a_key_affects_only_frames_where_its_curve_changes`,
//! `a_changed_rest_distance_affects_every_frame`,
//! `an_edit_restarts_a_simulation_at_the_first_frame_it_affects`,
//! `looks_and_the_end_of_the_shot_leave_a_simulation_unchanged`.

use std::collections::BTreeMap;

use lariat_scene::check::Diagnostic;
use lariat_scene::edit::{Applied, Edit, EditError, FrameSpan};
use lariat_scene::lower::{Anchor, Lowered, Record, lower};
use lariat_scene::schema::Kind;
use lariat_scene::{Document, Limits, Places};

use crate::assets::{Assets, Files, NoFiles};
use crate::moment::{BodyMoment, Moment};
use crate::scene::Scene;

/// A document that is edited and evaluated alternately.
#[derive(Debug)]
pub struct Evaluator {
    document: Document,
    limits: Limits,
    files: Box<dyn Files>,
    assets: Assets,
    lowered: Lowered,
    diagnostics: Vec<Diagnostic>,
    scene: Scene,
    frames: BTreeMap<u64, CachedFrame>,
    most: usize,
    /// Counts requests, to find the least recently used frame.
    clock: u64,
    posed: u64,
}

#[derive(Debug)]
struct CachedFrame {
    moment: Moment,
    /// Bodies to be posed again.
    stale: Vec<bool>,
    last_used: u64,
}

/// Default number of cached frames: a few seconds of scrubbing.
pub const FRAMES_REMEMBERED: usize = 96;

impl Evaluator {
    /// Evaluates `document`, caching up to `most` frames (at least one).
    pub fn new(document: Document, limits: Limits, most: usize) -> Self {
        Self::with_files(document, limits, most, Box::new(NoFiles))
    }

    /// [`new`](Self::new) for a document that names files.
    pub fn with_files(
        document: Document,
        limits: Limits,
        most: usize,
        files: Box<dyn Files>,
    ) -> Self {
        let (lowered, mut diagnostics) = lower(&document, &Places::none(), &limits);
        let assets = Assets::load(&lowered, &limits, &*files);
        diagnostics.extend(assets.diagnostics(&lowered, &limits));
        let scene = Scene::bind_with(&lowered, &assets);
        let frames = BTreeMap::new();
        Self {
            document,
            limits,
            files,
            assets,
            lowered,
            diagnostics,
            scene,
            frames,
            most: most.max(1),
            clock: 0,
            posed: 0,
        }
    }

    /// The document in its current state.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document as typed parameters; bodies with errors are left out.
    pub fn lowered(&self) -> &Lowered {
        &self.lowered
    }

    /// Its diagnostics; bodies with errors are left out of the scene.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The bound document.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Number of times that a body was posed, over all frames.
    pub fn bodies_posed(&self) -> u64 {
        self.posed
    }

    /// All bodies at a frame.
    pub fn at(&mut self, frame: f64) -> &Moment {
        self.clock += 1;
        let (clock, count) = (self.clock, self.scene.body_count());
        let key = frame.to_bits();
        if !self.frames.contains_key(&key) && self.frames.len() >= self.most {
            self.evict_oldest();
        }
        let cached = self.frames.entry(key).or_insert_with(|| CachedFrame {
            moment: Moment { frame, bodies: vec![BodyMoment::default(); count] },
            stale: vec![true; count],
            last_used: clock,
        });
        cached.last_used = clock;
        let stale = cached.stale.iter().filter(|s| **s).count();
        if stale == count {
            // All bodies are posed on all threads.
            self.scene.evaluate_into(frame, &mut cached.moment);
        } else if stale > 0 {
            self.scene.evaluate_some(&mut cached.moment, &cached.stale);
        }
        self.posed += stale as u64;
        cached.stale.fill(false);
        &cached.moment
    }

    fn evict_oldest(&mut self) {
        let oldest = self.frames.iter().min_by_key(|(_, c)| c.last_used).map(|(key, _)| *key);
        if let Some(key) = oldest {
            self.frames.remove(&key);
        }
    }

    /// Reads all files again after they have changed, and drops all cached frames.
    pub fn reload_files(&mut self) {
        self.assets = Assets::load(&self.lowered, &self.limits, &*self.files);
        let (_, mut diagnostics) = lower(&self.document, &Places::none(), &self.limits);
        diagnostics.extend(self.assets.diagnostics(&self.lowered, &self.limits));
        self.diagnostics = diagnostics;
        self.scene = Scene::bind_with(&self.lowered, &self.assets);
        self.frames.clear();
    }

    /// Replaces the whole document, and drops all cached frames.
    pub fn replace(&mut self, document: Document) {
        (self.lowered, _) = lower(&document, &Places::none(), &self.limits);
        self.document = document;
        self.reload_files();
    }

    /// Applies an edit, and returns it with its inverse.
    pub fn apply(&mut self, edit: &Edit) -> Result<Applied, EditError> {
        let applied = self.document.apply(edit)?;
        let (lowered, mut diagnostics) = lower(&self.document, &Places::none(), &self.limits);
        self.assets.catch_up(&lowered, &self.limits, &*self.files);
        diagnostics.extend(self.assets.diagnostics(&lowered, &self.limits));
        let scene = Scene::bind_with(&lowered, &self.assets);
        let touched = &applied.touched;
        // Another frame rate changes the times of all keys.
        let dirty = match touched.shot {
            true => vec![true; lowered.bodies.len()],
            false => changed(&self.lowered, &lowered, &scene, |a, b| a == b),
        };
        // Neither looks nor the length of the shot affect a simulation.
        let moved = match self.lowered.shot.rate == lowered.shot.rate {
            true => changed(&self.lowered, &lowered, &scene, Record::same_motion_as),
            false => vec![true; lowered.bodies.len()],
        };
        let reach = match (touched.shot || touched.structure, touched.frames) {
            (true, _) => FrameSpan::ALL,
            (false, Some(frames)) => frames,
            // No value changes at any frame; only new bodies have to be posed.
            (false, None) => FrameSpan { first: f64::INFINITY, last: f64::NEG_INFINITY },
        };
        // A rest distance is measured at one frame and affects all of them.
        let everywhere = rest_moved(&self.lowered, &self.scene, &lowered, &scene);
        // A change affects all later frames of a simulation.
        let mut simulated: Vec<bool> = (0..lowered.bodies.len())
            .map(|b| moved[b] && scene.simulated_from(b).is_some())
            .collect();
        mark_followers(&mut simulated, &scene);
        // Frames just before it are affected too: they interpolate between two records.
        let affected_from = reach.first - scene.frames_between_records();
        scene.take_over(&self.scene, |b| match (moved[b], everywhere[b]) {
            (false, false) => f64::INFINITY,
            (true, false) => affected_from,
            (_, true) => f64::NEG_INFINITY,
        });
        let same_bodies = self.lowered.bodies.len() == lowered.bodies.len()
            && self.lowered.bodies.iter().zip(&lowered.bodies).all(|(a, b)| a.name() == b.name());
        for cached in self.frames.values_mut() {
            if !same_bodies {
                cached.rearrange(&self.lowered, &lowered);
            }
            let reached = reach.contains(cached.moment.frame);
            let later = cached.moment.frame >= affected_from;
            for (b, stale) in cached.stale.iter_mut().enumerate() {
                *stale |= everywhere[b] || (reached && dirty[b]) || (later && simulated[b]);
            }
        }
        (self.lowered, self.diagnostics, self.scene) = (lowered, diagnostics, scene);
        Ok(applied)
    }
}

impl CachedFrame {
    /// Matches cached bodies by name after bodies were added, removed or reordered.
    fn rearrange(&mut self, old: &Lowered, new: &Lowered) {
        let mut bodies = std::mem::take(&mut self.moment.bodies);
        let mut stale = Vec::with_capacity(new.bodies.len());
        for record in &new.bodies {
            let before = old.body_index(record.name());
            stale.push(before.is_none_or(|b| self.stale[b]));
            self.moment
                .bodies
                .push(before.map(|b| std::mem::take(&mut bodies[b])).unwrap_or_default());
        }
        self.stale = stale;
    }
}

/// Marks the bodies of `new` that may differ from those of `old`; `same` compares records.
fn changed(
    old: &Lowered,
    new: &Lowered,
    scene: &Scene,
    same: impl Fn(&Record, &Record) -> bool,
) -> Vec<bool> {
    let differs =
        |before: Option<&Record>, after: &Record| before.is_none_or(|before| !same(before, after));
    let locators: Vec<bool> = new
        .locators
        .iter()
        .map(|r| differs(old.locator_index(r.name()).map(|i| &old.locators[i]), r))
        .collect();
    let colliders: Vec<bool> = new
        .colliders
        .iter()
        .map(|r| differs(old.collider_index(r.name()).map(|i| &old.colliders[i]), r))
        .collect();
    let mut changed: Vec<bool> = new
        .bodies
        .iter()
        .map(|record| {
            differs(old.body_index(record.name()).map(|i| &old.bodies[i]), record)
                || locators_of(record)
                    .any(|name| new.locator_index(name).is_none_or(|i| locators[i]))
                || colliders_of(record)
                    .any(|name| new.collider_index(name).is_some_and(|i| colliders[i]))
                || (dynamics_of(record).is_some() && old.world != new.world)
        })
        .collect();
    // Adding or removing a string affects all others.
    let strings = |lowered: &Lowered| -> Vec<String> {
        let is = |record: &&Record| {
            dynamics_of(record).is_some_and(|how| matches!(how.kind(), "string" | "rigid"))
        };
        lowered.bodies.iter().filter(is).map(|record| record.name().to_owned()).collect()
    };
    if strings(old) != strings(new) {
        scene.strings().for_each(|b| changed[b] = true);
    }
    mark_followers(&mut changed, scene);
    changed
}

/// Marks all bodies attached to marked ones, from leaders to followers.
fn mark_followers(marks: &mut [bool], scene: &Scene) {
    let down = |marks: &mut [bool]| {
        for b in scene.in_order() {
            if scene.dependencies(b).iter().any(|d| marks[*d]) {
                marks[b] = true;
            }
        }
    };
    down(marks);
    // Strings are simulated together, and none is attached to another.
    if scene.strings().any(|b| marks[b]) {
        scene.strings().for_each(|b| marks[b] = true);
        down(marks);
    }
}

/// Springs whose measured rest distance changed, and all bodies attached to them.
fn rest_moved(old: &Lowered, before: &Scene, new: &Lowered, after: &Scene) -> Vec<bool> {
    let moved = |(b, record): (usize, &Record)| {
        let was = old.body_index(record.name()).and_then(|b| before.measured_rest(b));
        after.measured_rest(b) != was
    };
    let mut moved: Vec<bool> = new.bodies.iter().enumerate().map(moved).collect();
    mark_followers(&mut moved, after);
    moved
}

/// The dynamics of a body, if it is simulated.
fn dynamics_of(record: &Record) -> Option<&Record> {
    if record.has("dynamics") { record.record("dynamics") } else { None }
}

/// A list in the dynamics of a body; empty if there is none.
fn listed<'r>(record: &'r Record, name: &str) -> &'r [Record] {
    let dynamics = dynamics_of(record).filter(|dynamics| dynamics.has(name));
    dynamics.map_or(&[], |dynamics| dynamics.records(name))
}

fn locators_of(record: &Record) -> impl Iterator<Item = &str> {
    let pins = listed(record, "pins");
    std::iter::once(record).chain(pins).flat_map(|record| {
        let fields = record.record_type().fields.iter();
        fields.filter(|f| matches!(f.kind, Kind::Anchor)).filter_map(|f| {
            match record.anchor(f.name) {
                Some(Anchor::Locator { name, .. }) => Some(&**name),
                _ => None,
            }
        })
    })
}

fn colliders_of(record: &Record) -> impl Iterator<Item = &str> {
    let layers = if record.has("layers") { record.records("layers") } else { &[] };
    let touches = listed(record, "touches");
    let clamps = layers.iter().filter(|l| l.kind() == "clamp");
    clamps.chain(touches).filter_map(|l| l.text("against"))
}
