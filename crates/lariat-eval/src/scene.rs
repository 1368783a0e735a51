//! A bound document: bodies ordered by attachment.
//!
//! Bodies that are attached to nothing are posed first, then their followers, level by level. Bodies of
//! one level are independent, so that threads share them and results do not depend on the schedule. A
//! single body is posed with its leaders only.

mod leader_cache;
mod simulated;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lariat_core::geometry::{Camera, Footage, Mesh, Strand};
use lariat_scene::lower::{Lowered, Shot};
use rayon::prelude::*;

use crate::assets::Assets;
use crate::bind::{Body, BoundCamera, BoundCollider, BoundLocator, Placement, Work};
use crate::handles::Handles;
use crate::moment::{BodyMoment, CameraMoment, Moment};
use crate::simulate::StringWorld;
use leader_cache::LeaderCache;

/// A bound document, which can be evaluated at any frame.
#[derive(Debug)]
pub struct Scene {
    shot: Shot,
    pub(crate) bodies: Vec<Body>,
    pub(crate) locators: Vec<BoundLocator>,
    pub(crate) colliders: Vec<BoundCollider>,
    cameras: Vec<BoundCamera>,
    /// All simulated strings and solids; they are simulated together.
    pub(crate) string_world: Option<Box<StringWorld>>,
    /// For each body, the bodies that it is attached to.
    dependencies: Vec<Vec<usize>>,
    /// Bodies by level of attachment, and the level of each.
    levels: Vec<Vec<usize>>,
    depth: Vec<usize>,
    /// Bodies that are drawn: all but the parts of compounds.
    drawn: Vec<usize>,
    /// For each body, true if others are attached to it.
    leads: Vec<bool>,
    leader_cache: LeaderCache,
    poses: AtomicU64,
}

/// The world at one time, for a body that is posed.
pub(crate) struct World<'a> {
    pub t: f64,
    pub scene: &'a Scene,
    posed: Posed<'a>,
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

impl World<'_> {
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
        let mut bodies: Vec<_> =
            lowered.bodies.iter().map(|r| Body::bind(r, lowered, assets)).collect();
        let string_world = StringWorld::bind(lowered, &mut bodies).map(Box::new);
        let dependencies: Vec<Vec<usize>> =
            (0..bodies.len()).map(|b| lowered.dependencies(b).to_vec()).collect();
        for record in lowered.bodies.iter().filter(|r| r.kind() == "compound") {
            for part in record.names("parts").unwrap_or_default() {
                if let Some(index) = lowered.body_index(part) {
                    bodies[index].part = true;
                }
            }
        }
        let (levels, depth) = levels(&dependencies);
        // A body attached to a moving one moves.
        for level in &levels {
            for &b in level {
                bodies[b].still &= dependencies[b].iter().all(|d| bodies[*d].still);
            }
        }
        let mut cameras: Vec<_> =
            lowered.cameras.iter().map(|r| BoundCamera::bind(r, lowered)).collect();
        for camera in &mut cameras {
            camera.still &= camera.on.iter().all(|b| bodies[*b].still);
        }
        let drawn = (0..bodies.len()).filter(|b| !bodies[*b].part).collect();
        let mut leads = vec![false; bodies.len()];
        dependencies.iter().flatten().for_each(|leader| leads[*leader] = true);
        let mut scene = Self {
            shot: lowered.shot,
            bodies,
            locators: lowered.locators.iter().map(BoundLocator::bind).collect(),
            colliders: lowered.colliders.iter().map(BoundCollider::bind).collect(),
            cameras,
            string_world,
            dependencies,
            levels,
            depth,
            drawn,
            leads,
            leader_cache: LeaderCache::default(),
            poses: AtomicU64::new(0),
        };
        scene.measure_rest();
        scene
    }

    /// Measures the rest distance of springs without a given one. It is measured at frame 0, wherever
    /// the shot begins, so that trimming the shot changes nothing.
    fn measure_rest(&mut self) {
        let in_order: Vec<usize> = self.in_order().collect();
        for b in in_order {
            if !self.bodies[b].needs_rest_distance() {
                continue;
            }
            // Not cached: springs yet to be measured would be posed without their rest distance.
            let t = self.shot.seconds(0.0);
            let leaders = self.pose_leaders_at(&self.dependencies[b], t, &mut Work::default());
            let world = World { t, scene: self, posed: Posed::Few(&leaders) };
            let distance = self.bodies[b].distance(&world);
            self.bodies[b].set_rest_distance(distance);
        }
    }

    /// The measured rest distance of a body, if none is given.
    pub(crate) fn measured_rest(&self, body: usize) -> Option<f64> {
        self.bodies[body].rest
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
        self.bodies.iter().position(|b| b.name == name)
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
        &self.dependencies[body]
    }

    /// The bodies, each after all that it is attached to.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().flatten().copied()
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
        if self.levels.len() == 1 {
            // No body is attached to another: all bodies are posed in place.
            let world = World { t, scene: self, posed: Posed::All(&[]) };
            let pose = |work: &mut Work, (b, out): (usize, &mut BodyMoment)| {
                self.pose(b, &world, work, out);
            };
            pose_parallel(&mut moment.bodies, pose);
            return;
        }
        for level in &self.levels {
            // Moved out while they are posed, so that the others can be read.
            let mut posed: Vec<(usize, BodyMoment)> =
                level.iter().map(|&b| (b, std::mem::take(&mut moment.bodies[b]))).collect();
            let world = World { t, scene: self, posed: Posed::All(&moment.bodies) };
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
        let leaders = self.pose_leaders(&self.dependencies[body], frame, &mut work);
        let t = self.shot.seconds(frame);
        let world = World { t, scene: self, posed: Posed::Few(&leaders) };
        let (mut posed, mut handles) = (BodyMoment::default(), Handles::default());
        self.pose(body, &world, &mut work, &mut posed);
        self.bodies[body].handles(body, &world, &posed, &mut handles);
        handles
    }

    /// [`handles`](Self::handles) with all bodies of the scene already evaluated at this frame.
    pub fn handles_in(&self, body: usize, frame: f64, bodies: &[BodyMoment]) -> Handles {
        let world = World { t: self.shot.seconds(frame), scene: self, posed: Posed::All(bodies) };
        let mut handles = Handles::default();
        self.bodies[body].handles(body, &world, &bodies[body], &mut handles);
        handles
    }

    fn evaluate_body_into(&self, body: usize, frame: f64, out: &mut BodyMoment) {
        let mut work = Work::default();
        let leaders = self.pose_leaders(&self.dependencies[body], frame, &mut work);
        let t = self.shot.seconds(frame);
        let world = World { t, scene: self, posed: Posed::Few(&leaders) };
        self.pose(body, &world, &mut work, out);
        if self.leads[body] {
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
        self.leader_cache.keep(body, frame, kept.clone(), &self.dependencies[body]);
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
        self.cameras[camera].still
    }

    /// One camera at a frame, posed with its leaders only; fractions are between frames.
    pub fn evaluate_camera(&self, camera: usize, frame: f64) -> CameraMoment {
        let camera = &self.cameras[camera];
        let leaders = self.pose_leaders(&camera.on, frame, &mut Work::default());
        let t = self.shot.seconds(frame);
        camera.pose(&World { t, scene: self, posed: Posed::Few(&leaders) })
    }

    /// [`evaluate_camera`](Self::evaluate_camera) with all bodies of the scene already evaluated at
    /// this frame.
    pub fn evaluate_camera_in(
        &self,
        camera: usize,
        frame: f64,
        bodies: &[BodyMoment],
    ) -> CameraMoment {
        let world = World { t: self.shot.seconds(frame), scene: self, posed: Posed::All(bodies) };
        self.cameras[camera].pose(&world)
    }

    /// Calls `f` with the world at a time in seconds, in which the leaders of a body are posed.
    pub(crate) fn at_time(
        &self,
        body: usize,
        t: f64,
        work: &mut Work,
        f: impl FnOnce(&World<'_>, &mut Work),
    ) {
        self.at_time_on(&self.dependencies[body], t, work, f);
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
        f(&World { t, scene: self, posed: Posed::Few(&leaders) }, work);
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
        f(&World { t, scene: self, posed: Posed::Few(&leaders) }, work);
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
                    open.extend_from_slice(&self.dependencies[b]);
                }
            }
        }
        let which: Vec<usize> = needed.keys().copied().collect();
        let known: Vec<bool> = needed.values().map(Option::is_some).collect();
        let moments = needed.into_values().map(Option::unwrap_or_default).collect();
        let mut leaders = Leaders { which, moments };
        // Leaders come first.
        let mut slots: Vec<usize> = (0..known.len()).filter(|slot| !known[*slot]).collect();
        slots.sort_by_key(|slot| self.depth[leaders.which[*slot]]);
        for slot in slots {
            let (body, mut posed) = (leaders.which[slot], BodyMoment::default());
            let world = World { t, scene: self, posed: Posed::Few(&leaders) };
            self.pose(body, &world, work, &mut posed);
            leaders.moments[slot] = keep(body, posed);
        }
        leaders
    }

    /// Poses the bodies marked in `wanted`, in order, with the leaders in `moment`.
    pub(crate) fn evaluate_some(&self, moment: &mut Moment, wanted: &[bool]) {
        let t = self.shot.seconds(moment.frame);
        let mut work = Work::default();
        for &b in self.levels.iter().flatten().filter(|b| wanted[**b]) {
            let mut posed = std::mem::take(&mut moment.bodies[b]);
            let world = World { t, scene: self, posed: Posed::All(&moment.bodies) };
            self.pose(b, &world, &mut work, &mut posed);
            moment.bodies[b] = posed;
        }
    }
}

/// Groups bodies so that each is attached only to bodies of earlier groups; also returns the group
/// of each body. Every body and attachment is visited once. Cycles, which reading a document rules
/// out, would be left out.
fn levels(dependencies: &[Vec<usize>]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut missing: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    for (b, on) in dependencies.iter().enumerate() {
        for d in on {
            followers[*d].push(b);
        }
    }
    let mut depth = vec![0; dependencies.len()];
    let mut levels = Vec::new();
    let mut level: Vec<usize> = (0..missing.len()).filter(|b| missing[*b] == 0).collect();
    while !level.is_empty() {
        let mut next = Vec::new();
        for &b in &level {
            depth[b] = levels.len();
            for &f in &followers[b] {
                missing[f] -= 1;
                if missing[f] == 0 {
                    next.push(f);
                }
            }
        }
        next.sort_unstable();
        levels.push(std::mem::replace(&mut level, next));
    }
    (levels, depth)
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

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn bodies_come_after_their_leaders() {
        // 0 hangs on 3, 3 on 1; 2 on its own.
        let (groups, depth) = levels(&[vec![3], vec![], vec![], vec![1]]);
        assert_eq!(groups, [vec![1, 2], vec![3], vec![0]]);
        assert_eq!(depth, [2, 0, 0, 1]);
        assert_eq!(levels(&[]).0, Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_long_chain_in_the_wrong_order_takes_one_pass() {
        // Each hangs on the one after it. Repeated passes over all bodies would take minutes.
        let chain: Vec<Vec<usize>> =
            (1..=200_000).map(|b| if b < 200_000 { vec![b] } else { Vec::new() }).collect();
        let (groups, depth) = levels(&chain);
        assert_eq!((groups.len(), depth[0]), (200_000, 199_999));
    }
}
