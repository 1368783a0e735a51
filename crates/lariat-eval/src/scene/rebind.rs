//! Binding after an edit: bodies, locators, colliders and cameras that did not change are shared with
//! the scene before.
//!
//! A bound body depends on its record, on the indices of the things that it refers to, on whether
//! those move, and on its maximum number of points. If none of that changed, its parts are shared.
//! Simulations are shared too, until an edit affects their motion: then they start again with the
//! records before that ([`Scene::take_over`]).
//!
//! Tests, in `tests/suite/incremental.rs`: `an_edit_binds_only_its_body`,
//! `any_edits_evaluate_as_a_fresh_document`.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use lariat_scene::Thing;
use lariat_scene::lower::{Link, Lowered, Record};

use super::graph::Graph;
use super::{LeaderCache, Posed, Scene, World};
use crate::assets::Assets;
use crate::bind::{Body, BoundCamera, BoundCollider, BoundLocator, Model, Work};
use crate::simulate::{Dynamics, Simulated, StringWorld};

/// The state of a document before an edit.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    pub scene: &'a Scene,
    pub lowered: &'a Lowered,
}

/// A scene bound after an edit.
pub(crate) struct Rebound {
    pub scene: Scene,
    /// Number of bodies that are not shared.
    pub bound: u64,
}

impl Scene {
    /// Binds a document; things that did not change are shared with `before`. Rest distances of
    /// springs are still to be measured.
    pub(crate) fn rebind(
        lowered: &Lowered,
        assets: &Assets,
        before: Option<Before<'_>>,
    ) -> Rebound {
        let matched = |thing| before.map(|before| Matched::new(before.lowered, lowered, thing));
        let [bodies, locators, colliders, cameras] = Thing::ALL.map(matched);
        let still = Stillness { lowered, before, locators: &locators, colliders: &colliders };
        let old = |matched: &Option<Matched>, index| matched.as_ref().and_then(|m| m.old(index));
        let (mut shared, mut bound): (Vec<Option<usize>>, Vec<Body>) = (Vec::new(), Vec::new());
        for (b, record) in lowered.bodies.iter().enumerate() {
            let reused = before.zip(old(&bodies, b)).filter(|(before, was)| {
                before.lowered.max_points(*was) == lowered.max_points(b)
                    && still.same(before.lowered.links(*was), lowered.links(b))
            });
            let Some((before, was)) = reused else {
                shared.push(None);
                bound.push(Body::bind(record, lowered, assets));
                continue;
            };
            let mut body = before.scene.bodies[was].clone();
            (body.part, body.string, body.solid) = (false, None, None);
            body.still = body.own_still;
            if body.dynamics.is_some() && !(was == b && same_world(before.lowered, lowered)) {
                body.dynamics = Dynamics::bind(record, lowered).map(Arc::new);
            }
            shared.push(Some(was));
            bound.push(body);
        }
        let mut bodies = bound;
        let string_world = rebind_strings(lowered, before, &shared, &mut bodies);
        let graph = before.map(|before| &before.scene.graph).filter(|graph| graph.is_of(lowered));
        let graph = graph.cloned().unwrap_or_else(|| Arc::new(Graph::new(lowered)));
        let parts = bodies.iter().flat_map(|body| match &*body.model {
            Model::Compound(parts) => parts.as_slice(),
            _ => &[],
        });
        for part in parts.copied().collect::<Vec<_>>() {
            bodies[part].part = true;
        }
        // A body attached to a moving one moves.
        for b in graph.in_order() {
            bodies[b].still &= graph.dependencies[b].iter().all(|d| bodies[*d].still);
        }
        let camera = |c: usize| {
            let reused = before.zip(old(&cameras, c)).filter(|(before, was)| {
                still.same(before.lowered.camera_links(*was), lowered.camera_links(c))
            });
            match reused {
                Some((before, was)) => before.scene.cameras[was].clone(),
                None => Arc::new(BoundCamera::bind(&lowered.cameras[c], lowered)),
            }
        };
        let cameras: Vec<_> = (0..lowered.cameras.len()).map(camera).collect();
        let locator = |(i, record): (usize, &Arc<Record>)| match before.zip(old(&locators, i)) {
            Some((before, was)) => before.scene.locators[was].clone(),
            None => Arc::new(BoundLocator::bind(record)),
        };
        let collider = |(i, record): (usize, &Arc<Record>)| match before.zip(old(&colliders, i)) {
            Some((before, was)) => before.scene.colliders[was].clone(),
            None => Arc::new(BoundCollider::bind(record)),
        };
        let camera_still =
            cameras.iter().map(|c| c.still && c.on.iter().all(|b| bodies[*b].still)).collect();
        let drawn = (0..bodies.len()).filter(|b| !bodies[*b].part).collect();
        let scene = Self {
            shot: lowered.shot,
            locators: lowered.locators.iter().enumerate().map(locator).collect(),
            colliders: lowered.colliders.iter().enumerate().map(collider).collect(),
            bodies,
            cameras,
            camera_still,
            string_world,
            pull_spring: None,
            graph,
            drawn,
            leader_cache: LeaderCache::default(),
            poses: AtomicU64::default(),
        };
        let bound = shared.iter().filter(|shared| shared.is_none()).count() as u64;
        Rebound { scene, bound }
    }

    /// The measured rest distance of a body, if none is given.
    pub(crate) fn measured_rest(&self, body: usize) -> Option<f64> {
        self.bodies[body].rest
    }

    /// True for a spring whose rest distance is measured.
    pub(crate) fn measures_rest(&self, body: usize) -> bool {
        self.bodies[body].rest.is_some() || self.bodies[body].needs_rest_distance()
    }

    /// True for a simulated spline rope.
    pub(crate) fn is_rope(&self, body: usize) -> bool {
        self.bodies[body].dynamics.is_some()
    }

    /// True for a string of lights.
    pub(crate) fn has_lights(&self, body: usize) -> bool {
        self.bodies[body].has_lights()
    }

    /// Measures the rest distance of a spring without a given one at frame 0, wherever the shot begins,
    /// so that trimming the shot changes nothing. Returns true if it is not as before.
    pub(crate) fn measure_rest(&mut self, b: usize, lowered: &Lowered, assets: &Assets) -> bool {
        let measured = self.bodies[b].rest;
        if measured.is_none() && !self.bodies[b].needs_rest_distance() {
            return false;
        }
        // Not cached: springs yet to be measured would be posed without their rest distance.
        let t = self.shot.seconds(0.0);
        let leaders = self.pose_leaders_at(&self.graph.dependencies[b], t, &mut Work::default());
        let world = World { t, scene: self, posed: Posed::Few(&leaders), waits: true };
        let distance = self.bodies[b].distance(&world);
        if measured.is_some_and(|measured| measured.to_bits() == distance.to_bits()) {
            return false;
        }
        if measured.is_some() {
            let model = Body::bind(&lowered.bodies[b], lowered, assets).model;
            self.bodies[b].model = model;
        }
        self.bodies[b].set_rest_distance(distance);
        true
    }

    /// Starts the simulation of a spline rope again, without records.
    pub(crate) fn restart(&mut self, body: usize, lowered: &Lowered) {
        self.bodies[body].dynamics.iter().for_each(|was| was.supersede());
        self.bodies[body].dynamics = Dynamics::bind(&lowered.bodies[body], lowered).map(Arc::new);
    }

    /// Starts the simulation of all strings and solids again, without records.
    pub(crate) fn restart_strings(&mut self, lowered: &Lowered) {
        self.string_world.iter().for_each(|was| was.supersede());
        self.string_world = StringWorld::bind(lowered, &mut self.bodies).map(Arc::new);
    }
}

/// Whether everything that simulations depend on besides bodies is the same.
fn same_world(before: &Lowered, lowered: &Lowered) -> bool {
    let start = |lowered: &Lowered| (lowered.shot.rate, lowered.shot.first);
    before.world_revision() == lowered.world_revision() && start(before) == start(lowered)
}

/// Binds the string world, or shares it if its bodies, the world and the start of the shot are the
/// same.
fn rebind_strings(
    lowered: &Lowered,
    before: Option<Before<'_>>,
    shared: &[Option<usize>],
    bodies: &mut [Body],
) -> Option<Arc<StringWorld>> {
    let is_in_it = |(b, was): (usize, &Option<usize>)| match (was, before) {
        (Some(was), Some(before)) => {
            let was = &before.scene.bodies[*was];
            was.string.or(was.solid).is_some()
        }
        _ => {
            let record = &lowered.bodies[b];
            let dynamics = if record.has("dynamics") { record.record("dynamics") } else { None };
            dynamics.is_some_and(|dynamics| matches!(dynamics.kind(), "string" | "rigid"))
        }
    };
    let all = shared.iter().enumerate();
    let all: Vec<usize> = all.filter(|one| is_in_it(*one)).map(|(b, _)| b).collect();
    if all.is_empty() {
        return None;
    }
    let kept = before.filter(|before| {
        let world = before.scene.string_world.as_ref();
        same_world(before.lowered, lowered)
            && world.is_some_and(|world| world.bodies().eq(all.iter().copied()))
            && all.iter().all(|b| shared[*b] == Some(*b))
    });
    let Some(before) = kept else { return StringWorld::bind(lowered, bodies).map(Arc::new) };
    for &b in &all {
        let was = &before.scene.bodies[b];
        (bodies[b].string, bodies[b].solid, bodies[b].still) = (was.string, was.solid, false);
    }
    before.scene.string_world.clone()
}

/// Things of one kind before and after an edit that have the same record.
struct Matched {
    old: Vec<Option<usize>>,
}

impl Matched {
    fn new(before: &Lowered, lowered: &Lowered, thing: Thing) -> Self {
        let (was, is) = (count(before, thing), count(lowered, thing));
        let mut by_revision: Option<HashMap<u64, usize>> = None;
        let old = |i: usize| {
            let revision = lowered.revision(thing, i);
            if i < was && before.revision(thing, i) == revision {
                return Some(i);
            }
            let by_revision = by_revision
                .get_or_insert_with(|| (0..was).map(|i| (before.revision(thing, i), i)).collect());
            by_revision.get(&revision).copied()
        };
        Self { old: (0..is).map(old).collect() }
    }

    fn old(&self, index: usize) -> Option<usize> {
        self.old[index]
    }
}

fn count(lowered: &Lowered, thing: Thing) -> usize {
    match thing {
        Thing::Body => lowered.bodies.len(),
        Thing::Locator => lowered.locators.len(),
        Thing::Collider => lowered.colliders.len(),
        Thing::Camera => lowered.cameras.len(),
    }
}

/// Whether things that bodies refer to stand still.
struct Stillness<'a> {
    lowered: &'a Lowered,
    before: Option<Before<'a>>,
    locators: &'a Option<Matched>,
    colliders: &'a Option<Matched>,
}

impl Stillness<'_> {
    /// Whether two lists of references lead to the same indices, and to things that move or stand
    /// still as before.
    fn same(&self, was: &[Link], is: &[Link]) -> bool {
        was == is && is.iter().all(|(thing, index)| self.is_same(*thing, *index))
    }

    fn is_same(&self, thing: Thing, index: usize) -> bool {
        let Some(before) = self.before else { return false };
        match thing {
            Thing::Locator => {
                let is_still =
                    |lowered: &Lowered| BoundLocator::bind(&lowered.locators[index]).is_still();
                self.locators.as_ref().is_some_and(|m| m.old(index) == Some(index))
                    || is_still(before.lowered) == is_still(self.lowered)
            }
            Thing::Collider => {
                let is_still =
                    |lowered: &Lowered| BoundCollider::is_still(&lowered.colliders[index]);
                self.colliders.as_ref().is_some_and(|m| m.old(index) == Some(index))
                    || is_still(before.lowered) == is_still(self.lowered)
            }
            Thing::Body | Thing::Camera => true,
        }
    }
}
