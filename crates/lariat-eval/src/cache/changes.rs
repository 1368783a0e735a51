//! Bodies that an edit changes, and the frames at which it does.
//!
//! A body changes if its record does, a thing that it refers to, a body that it is attached to, or,
//! if it is simulated, the world. Records are compared by their revisions.

use std::sync::Arc;

use lariat_scene::Thing;
use lariat_scene::edit::{FrameSpan, Touched};
use lariat_scene::lower::{Lowered, Record};

use crate::assets::Assets;
use crate::scene::{Before, Scene};

/// Bodies that an edit changes.
pub(super) struct Changes {
    /// Bodies that look different at frames within `reach`.
    dirty: Vec<bool>,
    reach: FrameSpan,
    /// Simulated bodies, and those attached to them, whose motion changes from a frame on.
    simulated: Vec<bool>,
    affected_from: f64,
    /// Springs whose measured rest distance changed, and bodies attached to them: at all frames.
    everywhere: Vec<bool>,
}

impl Changes {
    /// Finds the changes; takes recordings over and measures springs again.
    pub(super) fn apply(
        before: Before<'_>,
        lowered: &Lowered,
        assets: &Assets,
        touched: &Touched,
        scene: &mut Scene,
    ) -> Self {
        let count = lowered.bodies.len();
        // Another frame rate changes the times of all keys.
        let dirty = match touched.shot {
            true => vec![true; count],
            false => changed(before, lowered, scene, |_, _| false),
        };
        // Neither looks nor the length of the shot affect a simulation.
        let moved = match before.lowered.shot.rate == lowered.shot.rate {
            true => changed(before, lowered, scene, Record::same_motion_as),
            false => vec![true; count],
        };
        let reach = match (touched.shot || touched.structure, touched.frames) {
            (true, _) => FrameSpan::ALL,
            (false, Some(frames)) => frames,
            // No value changes at any frame; only new bodies have to be posed.
            (false, None) => FrameSpan { first: f64::INFINITY, last: f64::NEG_INFINITY },
        };
        // A change affects all later frames of a simulation.
        let mut simulated: Vec<bool> =
            (0..count).map(|b| moved[b] && scene.simulated_from(b).is_some()).collect();
        mark_followers(&mut simulated, scene);
        // Frames just before it are affected too: they interpolate between two records.
        let affected_from = reach.first - scene.frames_between_records();
        scene.take_over(before, lowered, |b| if moved[b] { affected_from } else { f64::INFINITY });
        // A rest distance is measured at one frame and affects all of them.
        let everywhere = measure_springs(before, lowered, assets, scene, &dirty);
        Self { dirty, reach, simulated, affected_from, everywhere }
    }

    /// Whether a body changes at a frame.
    pub(super) fn affects(&self, body: usize, frame: f64) -> bool {
        self.everywhere[body]
            || (self.dirty[body] && self.reach.contains(frame))
            || (self.simulated[body] && frame >= self.affected_from)
    }
}

/// Marks the bodies that may differ from those before; `same` compares records with different
/// revisions.
fn changed(
    before: Before<'_>,
    lowered: &Lowered,
    scene: &Scene,
    same: impl Fn(&Record, &Record) -> bool,
) -> Vec<bool> {
    let old = before.lowered;
    let index = |thing: Thing, name: &str| match thing {
        Thing::Body => old.body_index(name),
        Thing::Locator => old.locator_index(name),
        Thing::Collider => old.collider_index(name),
        Thing::Camera => old.camera_index(name),
    };
    let differ = |thing: Thing| -> Vec<bool> {
        let (was, is) = (records(old, thing), records(lowered, thing));
        let differs = |(i, record): (usize, &Arc<Record>)| {
            let revision = lowered.revision(thing, i);
            if i < was.len() && old.revision(thing, i) == revision {
                return false;
            }
            index(thing, record.name())
                .is_none_or(|i| old.revision(thing, i) != revision && !same(&was[i], record))
        };
        is.iter().enumerate().map(differs).collect()
    };
    let (locators, colliders) = (differ(Thing::Locator), differ(Thing::Collider));
    let mut changed = differ(Thing::Body);
    let other_world = old.world_revision() != lowered.world_revision();
    for (b, changed) in changed.iter_mut().enumerate() {
        let link = |(thing, index): &(Thing, usize)| match thing {
            Thing::Locator => locators[*index],
            Thing::Collider => colliders[*index],
            Thing::Body | Thing::Camera => false,
        };
        let points = || {
            let was = old.body_index(scene.body_name(b));
            was.is_some_and(|was| old.max_points(was) != lowered.max_points(b))
        };
        *changed = *changed
            || lowered.links(b).iter().any(link)
            || (other_world && scene.simulated_from(b).is_some())
            || (scene.has_lights(b) && points());
    }
    // Adding or removing a string affects all others.
    let strings = |scene: &Scene| -> Vec<String> {
        scene.strings().map(|b| scene.body_name(b).to_owned()).collect()
    };
    if strings(before.scene) != strings(scene) {
        scene.strings().for_each(|b| changed[b] = true);
    }
    mark_followers(&mut changed, scene);
    changed
}

fn records(lowered: &Lowered, thing: Thing) -> &[Arc<Record>] {
    match thing {
        Thing::Body => &lowered.bodies,
        Thing::Locator => &lowered.locators,
        Thing::Collider => &lowered.colliders,
        Thing::Camera => &lowered.cameras,
    }
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

/// Measures the rest distances of springs that are new or changed. Returns the springs whose distance
/// is not as before, and all bodies attached to them; their simulations start again.
fn measure_springs(
    before: Before<'_>,
    lowered: &Lowered,
    assets: &Assets,
    scene: &mut Scene,
    dirty: &[bool],
) -> Vec<bool> {
    let mut everywhere = vec![false; dirty.len()];
    let springs: Vec<usize> = scene.in_order().filter(|b| scene.measures_rest(*b)).collect();
    for &b in &springs {
        let is_new = scene.measured_rest(b).is_none();
        if is_new || dirty[b] || everywhere[b] {
            scene.measure_rest(b, lowered, assets);
        }
        let was = before.lowered.body_index(scene.body_name(b));
        let was = was.and_then(|was| before.scene.measured_rest(was));
        let bits = |rest: Option<f64>| rest.map(f64::to_bits);
        if bits(was) == bits(scene.measured_rest(b)) || everywhere[b] {
            continue;
        }
        // Simulations of followers start again before a later spring is measured on them.
        let marked = everywhere.clone();
        everywhere[b] = true;
        mark_followers(&mut everywhere, scene);
        let new = |b: &usize| everywhere[*b] && !marked[*b];
        let has_strings = scene.strings().any(|b| new(&b));
        for b in (0..dirty.len()).filter(new).filter(|b| scene.is_rope(*b)).collect::<Vec<_>>() {
            scene.restart(b, lowered);
        }
        if has_strings {
            scene.restart_strings(lowered);
        }
    }
    // Strings started again may have moved the ends of springs that were measured before.
    for b in springs.into_iter().filter(|b| everywhere[*b]) {
        scene.measure_rest(b, lowered, assets);
    }
    everywhere
}

/// Whether the bodies that use files, or their places in the document, are not as before.
pub(super) fn uses_other_files(old: &Lowered, new: &Lowered) -> bool {
    let count = old.bodies.len().max(new.bodies.len());
    let revision = |lowered: &Lowered, b: usize| {
        (b < lowered.bodies.len()).then(|| lowered.revision(Thing::Body, b))
    };
    (0..count).any(|b| {
        let at = |lowered: &Lowered| lowered.bodies.get(b).is_some_and(|body| uses_files(body));
        let moved = || !Arc::ptr_eq(&old.bodies[b], &new.bodies[b]);
        (revision(old, b) != revision(new, b) || moved()) && (at(old) || at(new))
    })
}

/// Whether diagnostics of files may concern a body: its own, or those of its parts.
fn uses_files(body: &Record) -> bool {
    matches!(body.kind(), "mesh" | "shape" | "solid" | "compound")
        || (body.has("modes") && !body.records("modes").is_empty())
}
