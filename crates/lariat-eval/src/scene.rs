//! A bound document: bodies ordered by attachment.
//!
//! Bodies that are attached to nothing are posed first, then their followers, level by level. Bodies of
//! one level are independent, so that threads share them and results do not depend on the schedule. A
//! single body is posed with its leaders only.

mod graph;
mod leader_cache;
mod provisional;
mod rebind;
mod simulated;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lariat_core::geometry::{Camera, Footage, Mesh, Strand};
use lariat_core::model::layer::Collider;
use lariat_scene::lower::{Lowered, Shot};
use rayon::prelude::*;

use crate::assets::Assets;
use crate::bind::{Body, BoundCamera, BoundCollider, BoundLocator, Placement, Work};
use crate::handles::Handles;
use crate::moment::{BodyMoment, CameraMoment, Moment};
use crate::simulate::{PullSpring, StringWorld};
use graph::Graph;
use leader_cache::LeaderCache;
pub(crate) use provisional::Wanted;
pub(crate) use rebind::{Before, Rebound};

/// A bound document, which can be evaluated at any frame.
#[derive(Debug)]
pub struct Scene {
    shot: Shot,
    pub(crate) bodies: Vec<Body>,
    pub(crate) locators: Vec<Arc<BoundLocator>>,
    pub(crate) colliders: Vec<Arc<BoundCollider>>,
    cameras: Vec<Arc<BoundCamera>>,
    /// For each camera, true if it is the same at every frame.
    camera_still: Vec<bool>,
    /// All simulated strings and solids; they are simulated together.
    pub(crate) string_world: Option<Arc<StringWorld>>,
    /// A spring that pulls at a simulated body.
    pub(crate) pull_spring: Option<PullSpring>,
    graph: Arc<Graph>,
    /// Bodies that are drawn: all but the parts of compounds.
    drawn: Vec<usize>,
    leader_cache: LeaderCache,
    poses: AtomicU64,
}

/// The world at one time, for a body that is posed.
pub(crate) struct World<'a> {
    pub t: f64,
    pub scene: &'a Scene,
    posed: Posed<'a>,
    /// True if simulations run up to its time; otherwise their last records are used.
    pub waits: bool,
}

/// The bodies that have been posed.
enum Posed<'a> {
    /// All bodies of the scene, by index; those not yet posed are empty.
    All(&'a [BodyMoment]),
    /// Only the leaders of a body.
    Few(&'a Leaders),
}

/// The bodies that one body is attached to, directly or not.
#[derive(Default)]
struct Leaders {
    /// Their indices, ascending.
    which: Vec<usize>,
    /// One moment for each of them.
    moments: Vec<Arc<BodyMoment>>,
}

impl<'a> World<'a> {
    /// The world at an evaluated frame.
    pub(crate) fn posed(scene: &'a Scene, moment: &'a Moment) -> Self {
        let t = scene.shot.seconds(moment.frame);
        World { t, scene, posed: Posed::All(&moment.bodies), waits: true }
    }

    pub(crate) fn body(&self, index: usize) -> &BodyMoment {
        match self.posed {
            Posed::All(bodies) => &bodies[index],
            Posed::Few(Leaders { which, moments }) => match which.binary_search(&index) {
                Ok(slot) => &moments[slot],
                Err(_) => unreachable!("a body reads one that it is not attached to"),
            },
        }
    }
}

/// Fewer bodies than this are posed on one thread: scheduling would cost more than posing.
const PARALLEL_MIN: usize = 16;

/// Calls `pose` for every item with its index, on several threads if there are enough items.
fn pose_parallel<T: Send>(all: &mut [T], pose: impl Fn(&mut Work, (usize, &mut T)) + Sync + Send) {
    if all.len() < PARALLEL_MIN {
        let mut work = Work::default();
        for one in all.iter_mut().enumerate() {
            pose(&mut work, one);
        }
    } else {
        let batches = all.par_iter_mut().enumerate().with_min_len(PARALLEL_MIN);
        batches.for_each_init(Work::default, pose);
    }
}

impl Scene {
    /// Binds a document without errors that needs no files; meshes are left empty.
    pub fn bind(lowered: &Lowered) -> Self {
        Self::bind_with(lowered, &Assets::default())
    }

    /// Binds a document without errors, with the contents of its files.
    pub fn bind_with(lowered: &Lowered, assets: &Assets) -> Self {
        let mut scene = Self::rebind(lowered, assets, None).scene;
        for b in scene.in_order().collect::<Vec<_>>() {
            scene.measure_rest(b, lowered, assets);
        }
        scene
    }

    /// Frames and frame rate.
    pub fn shot(&self) -> &Shot {
        &self.shot
    }

    /// Number of bodies, including parts of compounds.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// The name of a body.
    pub fn body_name(&self, body: usize) -> &str {
        &self.bodies[body].name
    }

    /// Index of the body with a name.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| *b.name == *name)
    }

    /// True if a body is drawn by itself; parts of compounds are not.
    pub fn is_drawn(&self, body: usize) -> bool {
        !self.bodies[body].part
    }

    /// True if a body looks the same at every frame.
    pub fn is_still(&self, body: usize) -> bool {
        self.bodies[body].still
    }

    /// True if a body is a mesh and has no strands; the others have no mesh.
    pub fn is_mesh(&self, body: usize) -> bool {
        self.bodies[body].is_mesh()
    }

    /// The bodies that a body is attached to or composed of.
    pub fn dependencies(&self, body: usize) -> &[usize] {
        &self.graph.dependencies[body]
    }

    /// The bodies, each after all that it is attached to.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        self.graph.in_order()
    }

    /// All bodies at a frame; fractions are between frames.
    pub fn evaluate(&self, frame: f64) -> Moment {
        let mut moment = Moment::default();
        self.evaluate_into(frame, &mut moment);
        moment
    }

    /// [`evaluate`](Self::evaluate) in the memory of an earlier moment.
    pub fn evaluate_into(&self, frame: f64, moment: &mut Moment) {
        moment.frame = frame;
        moment.bodies.resize_with(self.bodies.len(), BodyMoment::default);
        let t = self.shot.seconds(frame);
        if self.graph.levels.len() == 1 {
            // No body is attached to another: all bodies are posed in place.
            let world = World { t, scene: self, posed: Posed::All(&[]), waits: true };
            let pose = |work: &mut Work, (b, out): (usize, &mut BodyMoment)| {
                self.pose(b, &world, work, out);
            };
            pose_parallel(&mut moment.bodies, pose);
            return;
        }
        for level in &self.graph.levels {
            // Moved out while they are posed, so that the others can be read.
            let mut posed: Vec<(usize, BodyMoment)> =
                level.iter().map(|&b| (b, std::mem::take(&mut moment.bodies[b]))).collect();
            let world = World { t, scene: self, posed: Posed::All(&moment.bodies), waits: true };
            let pose = |work: &mut Work, (_, (b, out)): (usize, &mut (usize, BodyMoment))| {
                self.pose(*b, &world, work, out);
            };
            pose_parallel(&mut posed, pose);
            for (b, out) in posed {
                moment.bodies[b] = out;
            }
        }
    }

    /// One body at a frame, posed with its leaders only.
    pub fn evaluate_body(&self, body: usize, frame: f64) -> BodyMoment {
        let mut out = BodyMoment::default();
        self.evaluate_body_into(body, frame, &mut out);
        out
    }

    /// The handles of a body at a frame.
    pub fn handles(&self, body: usize, frame: f64) -> Handles {
        let mut work = Work::default();
        let leaders = self.pose_leaders(&self.graph.dependencies[body], frame, &mut work);
        let t = self.shot.seconds(frame);
        let world = World { t, scene: self, posed: Posed::Few(&leaders), waits: true };
        let (mut posed, mut handles) = (BodyMoment::default(), Handles::default());
        self.pose(body, &world, &mut work, &mut posed);
        self.bodies[body].handles(body, &world, &posed, &mut handles);
        handles
    }

    /// [`handles`](Self::handles) with all bodies of the scene already evaluated at this frame.
    pub fn handles_in(&self, body: usize, frame: f64, bodies: &[BodyMoment]) -> Handles {
        let world = World {
            t: self.shot.seconds(frame),
            scene: self,
            posed: Posed::All(bodies),
            waits: true,
        };
        let mut handles = Handles::default();
        self.bodies[body].handles(body, &world, &bodies[body], &mut handles);
        handles
    }

    fn evaluate_body_into(&self, body: usize, frame: f64, out: &mut BodyMoment) {
        let mut work = Work::default();
        let leaders = self.pose_leaders(&self.graph.dependencies[body], frame, &mut work);
        let t = self.shot.seconds(frame);
        let world = World { t, scene: self, posed: Posed::Few(&leaders), waits: true };
        self.pose(body, &world, &mut work, out);
        if self.graph.leads[body] {
            self.keep(body, frame, out);
        }
    }

    /// Poses one body, and counts it.
    fn pose(&self, body: usize, world: &World<'_>, work: &mut Work, out: &mut BodyMoment) {
        self.poses.fetch_add(1, Ordering::Relaxed);
        self.bodies[body].pose(world, work, out);
    }

    /// Number of times that a body was posed so far, over all bodies and frames.
    pub fn bodies_posed(&self) -> u64 {
        self.poses.load(Ordering::Relaxed)
    }

    /// Caches the parts of a pose that followers of the body need.
    fn keep(&self, body: usize, frame: f64, posed: &BodyMoment) -> Arc<BodyMoment> {
        let kept = Arc::new(posed.for_followers());
        self.leader_cache.keep(body, frame, kept.clone(), &self.graph.dependencies[body]);
        kept
    }

    /// Number of cameras.
    pub fn camera_count(&self) -> usize {
        self.cameras.len()
    }

    /// The name of a camera.
    pub fn camera_name(&self, camera: usize) -> &str {
        &self.cameras[camera].name
    }

    /// The bodies that a camera is attached to.
    pub fn camera_dependencies(&self, camera: usize) -> &[usize] {
        &self.cameras[camera].on
    }

    /// True if a camera is the same at every frame.
    pub fn is_camera_still(&self, camera: usize) -> bool {
        self.camera_still[camera]
    }

    /// One camera at a frame, posed with its leaders only; fractions are between frames.
    pub fn evaluate_camera(&self, camera: usize, frame: f64) -> CameraMoment {
        let camera = &self.cameras[camera];
        let leaders = self.pose_leaders(&camera.on, frame, &mut Work::default());
        let t = self.shot.seconds(frame);
        camera.pose(&World { t, scene: self, posed: Posed::Few(&leaders), waits: true })
    }

    /// [`evaluate_camera`](Self::evaluate_camera) with all bodies of the scene already evaluated at
    /// this frame.
    pub fn evaluate_camera_in(
        &self,
        camera: usize,
        frame: f64,
        bodies: &[BodyMoment],
    ) -> CameraMoment {
        let world = World {
            t: self.shot.seconds(frame),
            scene: self,
            posed: Posed::All(bodies),
            waits: true,
        };
        self.cameras[camera].pose(&world)
    }

    /// A collider at a frame, by its index in the document.
    pub fn evaluate_collider(&self, collider: usize, frame: f64) -> Option<Collider> {
        let bound = self.colliders.get(collider)?;
        Some(bound.at(self.shot.seconds(frame), &mut Vec::new()))
    }

    /// Calls `f` with the world at a time in seconds, in which the leaders of a body are posed.
    pub(crate) fn at_time(
        &self,
        body: usize,
        t: f64,
        work: &mut Work,
        f: impl FnOnce(&World<'_>, &mut Work),
    ) {
        self.at_time_on(&self.graph.dependencies[body], t, work, f);
    }

    /// [`at_time`](Self::at_time) with these bodies and their leaders posed.
    pub(crate) fn at_time_on(
        &self,
        on: &[usize],
        t: f64,
        work: &mut Work,
        f: impl FnOnce(&World<'_>, &mut Work),
    ) {
        let leaders = self.pose_leaders_at(on, t, work);
        f(&World { t, scene: self, posed: Posed::Few(&leaders), waits: true }, work);
    }

    /// [`at_time_on`](Self::at_time_on) with solids at given placements.
    pub(crate) fn at_time_with(
        &self,
        on: &[usize],
        solids: &[(usize, Placement)],
        t: f64,
        work: &mut Work,
        f: impl FnOnce(&World<'_>, &mut Work),
    ) {
        let mut leaders = self.pose_leaders_at(on, t, work);
        for (solid, placement) in solids {
            if let Err(slot) = leaders.which.binary_search(solid) {
                let mut moment = BodyMoment::default();
                moment.placement = Some(*placement);
                leaders.which.insert(slot, *solid);
                leaders.moments.insert(slot, Arc::new(moment));
            }
        }
        f(&World { t, scene: self, posed: Posed::Few(&leaders), waits: true }, work);
    }

    /// These bodies and everything that they are attached to, posed at a frame or cached by an
    /// earlier request.
    fn pose_leaders(&self, on: &[usize], frame: f64, work: &mut Work) -> Leaders {
        let kept = |body: usize| self.leader_cache.get(body, frame);
        let keep = |body: usize, posed: BodyMoment| self.keep(body, frame, &posed);
        self.pose_leaders_with(on, self.shot.seconds(frame), work, kept, keep)
    }

    /// [`pose_leaders`](Self::pose_leaders) at a time in seconds, for the steps of simulations.
    /// Nothing is cached, since each step is made once.
    fn pose_leaders_at(&self, on: &[usize], t: f64, work: &mut Work) -> Leaders {
        self.pose_leaders_with(on, t, work, |_| None, |_, posed| Arc::new(posed))
    }

    /// Poses leaders; `kept` finds poses of earlier requests, and `keep` stores new ones.
    fn pose_leaders_with(
        &self,
        on: &[usize],
        t: f64,
        work: &mut Work,
        kept: impl Fn(usize) -> Option<Arc<BodyMoment>>,
        keep: impl Fn(usize, BodyMoment) -> Arc<BodyMoment>,
    ) -> Leaders {
        if on.is_empty() {
            return Leaders::default();
        }
        let mut needed = BTreeMap::new();
        let mut open = on.to_vec();
        while let Some(b) = open.pop() {
            if let Entry::Vacant(place) = needed.entry(b) {
                // The leaders of a cached body are not needed.
                let known = place.insert(kept(b));
                if known.is_none() {
                    open.extend_from_slice(&self.graph.dependencies[b]);
                }
            }
        }
        let which: Vec<usize> = needed.keys().copied().collect();
        let known: Vec<bool> = needed.values().map(Option::is_some).collect();
        let moments = needed.into_values().map(Option::unwrap_or_default).collect();
        let mut leaders = Leaders { which, moments };
        // Leaders come first.
        let mut slots: Vec<usize> = (0..known.len()).filter(|slot| !known[*slot]).collect();
        slots.sort_by_key(|slot| self.graph.depth[leaders.which[*slot]]);
        for slot in slots {
            let (body, mut posed) = (leaders.which[slot], BodyMoment::default());
            let world = World { t, scene: self, posed: Posed::Few(&leaders), waits: true };
            self.pose(body, &world, work, &mut posed);
            leaders.moments[slot] = keep(body, posed);
        }
        leaders
    }
}

/// The view of exporters and renderers: the bodies that are drawn, and the cameras.
impl Footage for Scene {
    fn body_count(&self) -> usize {
        self.drawn.len()
    }

    fn body_name(&self, body: usize) -> &str {
        &self.bodies[self.drawn[body]].name
    }

    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        if self.bodies[self.drawn[body]].is_mesh() {
            out.clear();
            return;
        }
        let mut moment = BodyMoment::default();
        moment.strands = std::mem::take(out);
        self.evaluate_body_into(self.drawn[body], frame, &mut moment);
        *out = moment.strands;
        if !moment.visible {
            out.clear();
        }
    }

    fn mesh(&self, body: usize, frame: f64, out: &mut Option<Mesh>) {
        let body = self.drawn[body];
        if !self.bodies[body].is_mesh() {
            *out = None;
            return;
        }
        let mut moment = BodyMoment::default();
        moment.mesh = out.take();
        self.evaluate_body_into(body, frame, &mut moment);
        *out = moment.mesh.filter(|_| moment.visible);
    }

    fn camera_names(&self) -> Vec<&str> {
        self.cameras.iter().map(|camera| &*camera.name).collect()
    }

    fn camera(&self, camera: usize, frame: f64) -> Option<Camera> {
        (camera < self.cameras.len()).then(|| self.evaluate_camera(camera, frame).camera)
    }
}
