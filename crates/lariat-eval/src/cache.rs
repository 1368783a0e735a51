//! An evaluator that lowers, binds and poses only the things an edit changed, and that poses
//! without waiting for simulations if asked to.
//!
//! It owns a document, caches the frames it was asked for, and applies edits. After an edit, bodies that
//! are unchanged and attached to nothing that changed keep their shapes. The others are posed again
//! when their frame is next asked for, and only at frames that the edit affects. A cached frame is
//! always equal to a fresh evaluation.
//!
//! [`Evaluator::at`] simulates up to its frame. [`Evaluator::pose`] answers at once with what is
//! recorded; a worker drives a [`SimulationJob`] meanwhile.
//!
//! ```text
//! changes.rs  bodies that an edit changes
//! takes.rs    recordings: what is recorded, stale and running
//! ```
//!
//! Tests: `an_edit_poses_its_body_and_its_followers`,
//! `a_key_affects_only_frames_where_its_curve_changes`,
//! `a_changed_rest_distance_affects_every_frame`,
//! `an_edit_restarts_a_simulation_at_the_first_frame_it_affects`,
//! `looks_and_the_end_of_the_shot_leave_a_simulation_unchanged`,
//! `any_edits_evaluate_as_a_fresh_document`,
//! `keyed_bodies_are_current_while_others_are_pending`.

mod changes;
mod takes;

use std::collections::BTreeMap;
use std::sync::Arc;

use lariat_scene::check::Diagnostic;
use lariat_scene::edit::{Applied, Edit, EditError, FrameSpan, Touched};
use lariat_scene::lower::{Lowered, Lowerer, lower};
use lariat_scene::{Document, Limits, Places};

pub use takes::TakeState;

use crate::assets::{Assets, Files, NoFiles};
use crate::moment::{BodyMoment, Moment};
use crate::scene::{Before, Rebound, Scene, Wanted};
use crate::simulate::SimulationJob;
use changes::Changes;
use takes::TakeHistory;

/// A document that is edited and evaluated alternately.
#[derive(Debug)]
pub struct Evaluator {
    document: Document,
    limits: Limits,
    files: Box<dyn Files>,
    assets: Assets,
    lowerer: Lowerer,
    asset_diagnostics: Vec<Diagnostic>,
    diagnostics: Vec<Diagnostic>,
    scene: Arc<Scene>,
    frames: BTreeMap<u64, CachedFrame>,
    most: usize,
    takes: TakeHistory,
    /// Counts requests, to find the least recently used frame.
    clock: u64,
    posed: u64,
    bound: u64,
}

/// All bodies at a frame, without waiting for simulations.
#[derive(Debug)]
pub enum Pose<'e> {
    /// All bodies as they are.
    Ready(&'e Moment),
    /// Some bodies wait for a simulation.
    Pending {
        /// All bodies: those that wait have the last good shape that they had at this frame, or, if
        /// there is none, that of the last record of their simulation.
        last: &'e Moment,
        /// The bodies that wait, in ascending order.
        waiting: Vec<usize>,
    },
}

impl<'e> Pose<'e> {
    /// The bodies, those that wait with their last good shapes.
    pub fn moment(&self) -> &'e Moment {
        let (Self::Ready(moment) | Self::Pending { last: moment, .. }) = self;
        moment
    }

    /// True if no body waits for a simulation.
    pub fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }
}

#[derive(Debug)]
struct CachedFrame {
    moment: Moment,
    /// State of each body of the moment.
    shapes: Vec<Shape>,
    last_used: u64,
}

/// State of a cached body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// It was never posed.
    Missing,
    /// It was posed as far as simulations were recorded.
    Provisional,
    /// It was right before an edit.
    Stale,
    /// It equals a fresh evaluation.
    Current,
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
        let lowerer = Lowerer::new(&document, limits);
        let lowered = lowerer.lowered();
        let assets = Assets::load(lowered, &limits, &*files);
        let asset_diagnostics = assets.diagnostics(lowered, &limits);
        let diagnostics = [lowerer.diagnostics(), &asset_diagnostics].concat();
        let scene = Scene::bind_with(lowered, &assets);
        let bound = scene.body_count() as u64;
        Self {
            document,
            limits,
            files,
            assets,
            lowerer,
            asset_diagnostics,
            diagnostics,
            scene: Arc::new(scene),
            frames: BTreeMap::new(),
            most: most.max(1),
            takes: TakeHistory::default(),
            clock: 0,
            posed: 0,
            bound,
        }
    }

    /// Another evaluator of the same document, to try edits that this one does not see. It keeps the
    /// files that were read, reads no others, and has recorded no simulation.
    #[must_use]
    pub fn branch(&self) -> Self {
        let lowerer = Lowerer::new(&self.document, self.limits);
        let scene = Scene::bind_with(lowerer.lowered(), &self.assets);
        let bound = scene.body_count() as u64;
        Self {
            document: self.document.clone(),
            limits: self.limits,
            files: Box::new(NoFiles),
            assets: self.assets.clone(),
            lowerer,
            asset_diagnostics: self.asset_diagnostics.clone(),
            diagnostics: self.diagnostics.clone(),
            scene: Arc::new(scene),
            frames: BTreeMap::new(),
            most: 1,
            takes: TakeHistory::default(),
            clock: 0,
            posed: 0,
            bound,
        }
    }

    /// The document in its current state.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document in its current state, lowered; its indices are those of the scene.
    pub fn lowered(&self) -> &Arc<Lowered> {
        self.lowerer.lowered()
    }

    /// Its diagnostics; bodies with errors are left out of the scene. Labels have paths, but no
    /// positions in a file, which an edit moves: see [`located_diagnostics`](Self::located_diagnostics).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Its diagnostics with positions in a file, which has the document in its current state: `places`
    /// are those of its text. The whole document is lowered.
    pub fn located_diagnostics(&self, places: &Places) -> Vec<Diagnostic> {
        let (lowered, mut diagnostics) = lower(&self.document, places, &self.limits);
        diagnostics.extend(self.assets.diagnostics(&lowered, &self.limits));
        diagnostics
    }

    /// The bound document.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The bound document once more, with copies of the recordings that a pull at a body changes, up to a
    /// frame. Everything else is shared.
    pub(crate) fn branch_scene(&self, body: usize, frame: f64) -> Scene {
        let lowered = self.lowerer.lowered();
        let before = Before { scene: &self.scene, lowered };
        let mut scene = Scene::rebind(lowered, &self.assets, Some(before)).scene;
        scene.branch_runs(&self.scene, lowered, body, frame);
        scene
    }

    /// The bound document, to be kept while this one is edited.
    pub fn snapshot(&self) -> Arc<Scene> {
        self.scene.clone()
    }

    /// Number of times that a body was posed, over all frames.
    pub fn bodies_posed(&self) -> u64 {
        self.posed
    }

    /// Number of times that a body was bound.
    pub fn bodies_bound(&self) -> u64 {
        self.bound
    }

    /// Number of times that a body, locator, collider, camera or world was lowered.
    pub fn records_lowered(&self) -> u64 {
        self.lowerer.records_lowered()
    }

    /// All bodies at a frame, simulated up to there.
    pub fn at(&mut self, frame: f64) -> &Moment {
        let scene = self.scene.clone();
        let cached = self.cached(frame);
        let wanted = |shape: &Shape| match shape {
            Shape::Current => Wanted::No,
            Shape::Missing | Shape::Provisional | Shape::Stale => Wanted::Yes,
        };
        let wanted: Vec<Wanted> = cached.shapes.iter().map(wanted).collect();
        let count = wanted.iter().filter(|wanted| **wanted == Wanted::Yes).count();
        if count == wanted.len() {
            // All bodies are posed on all threads.
            scene.evaluate_into(frame, &mut cached.moment);
        } else if count > 0 {
            scene.pose_wanted(&mut cached.moment, &wanted);
        }
        cached.shapes.fill(Shape::Current);
        self.posed += count as u64;
        &self.frames[&frame.to_bits()].moment
    }

    /// All bodies at a frame, at once: nothing is simulated. Bodies without a simulation are always
    /// current. Cameras and handles of such a moment come from [`Scene::evaluate_camera_in`] and
    /// [`Scene::handles_in`].
    pub fn pose(&mut self, frame: f64) -> Pose<'_> {
        let scene = self.scene.clone();
        let pending = scene.pending(frame);
        let cached = self.cached(frame);
        let waits = |b: usize| pending.as_ref().is_some_and(|pending| pending[b]);
        let wanted = |(b, shape): (usize, &Shape)| match (shape, waits(b)) {
            (Shape::Current, _) | (Shape::Stale, true) => Wanted::No,
            (_, false) => Wanted::Yes,
            (_, true) => Wanted::Provisionally,
        };
        let wanted: Vec<Wanted> = cached.shapes.iter().enumerate().map(wanted).collect();
        let count = wanted.iter().filter(|wanted| **wanted != Wanted::No).count();
        if wanted.iter().all(|wanted| *wanted == Wanted::Yes) {
            scene.evaluate_into(frame, &mut cached.moment);
        } else if count > 0 {
            scene.pose_wanted(&mut cached.moment, &wanted);
        }
        for (shape, wanted) in cached.shapes.iter_mut().zip(&wanted) {
            match wanted {
                Wanted::No => {}
                Wanted::Yes => *shape = Shape::Current,
                Wanted::Provisionally => *shape = Shape::Provisional,
            }
        }
        let shapes = cached.shapes.iter().enumerate();
        let waiting = shapes.filter(|(_, shape)| **shape != Shape::Current).map(|(b, _)| b);
        let waiting: Vec<usize> = waiting.collect();
        self.posed += count as u64;
        let moment = &self.frames[&frame.to_bits()].moment;
        match waiting.is_empty() {
            true => Pose::Ready(moment),
            false => Pose::Pending { last: moment, waiting },
        }
    }

    /// The cache of a frame, which may be empty.
    fn cached(&mut self, frame: f64) -> &mut CachedFrame {
        self.clock += 1;
        let (clock, count) = (self.clock, self.scene.body_count());
        let key = frame.to_bits();
        if !self.frames.contains_key(&key) && self.frames.len() >= self.most {
            self.evict_oldest();
        }
        let cached = self.frames.entry(key).or_insert_with(|| CachedFrame {
            moment: Moment { frame, bodies: vec![BodyMoment::default(); count] },
            shapes: vec![Shape::Missing; count],
            last_used: clock,
        });
        cached.last_used = clock;
        cached
    }

    fn evict_oldest(&mut self) {
        let oldest = self.frames.iter().min_by_key(|(_, c)| c.last_used).map(|(key, _)| *key);
        if let Some(key) = oldest {
            self.frames.remove(&key);
        }
    }

    /// A job that simulates everything that is not recorded up to a frame; `None` if there is nothing
    /// to simulate. Its records are visible here as they are made.
    pub fn simulation_job(&mut self, frame: f64) -> Option<SimulationJob> {
        let job = SimulationJob::new(self.scene.clone(), frame)?;
        self.takes.note_job(&job);
        Some(job)
    }

    /// The recordings of all simulations, in the order in which they run.
    pub fn takes(&self) -> Vec<TakeState> {
        self.takes.states(&self.scene)
    }

    /// Reads all files again after they have changed, and drops all cached frames.
    pub fn reload_files(&mut self) {
        let lowered = self.lowerer.lowered();
        self.assets = Assets::load(lowered, &self.limits, &*self.files);
        self.asset_diagnostics = self.assets.diagnostics(lowered, &self.limits);
        self.diagnostics = [self.lowerer.diagnostics(), &self.asset_diagnostics].concat();
        let scene = Scene::bind_with(lowered, &self.assets);
        self.bound += scene.body_count() as u64;
        self.takes.replace(&self.scene, &scene);
        self.scene = Arc::new(scene);
        self.frames.clear();
    }

    /// Applies an edit, and returns it with its inverse.
    pub fn apply(&mut self, edit: &Edit) -> Result<Applied, EditError> {
        let applied = self.document.apply(edit)?;
        self.update(&applied.touched);
        Ok(applied)
    }

    /// Replaces the document by another state of it, for example after its file was changed by another
    /// program. Everything that is the same in both is kept.
    pub fn replace(&mut self, document: Document) {
        self.document = document;
        let frames = Some(FrameSpan::ALL);
        self.update(&Touched { shot: true, structure: true, frames, ..Touched::default() });
    }

    fn update(&mut self, touched: &Touched) {
        let (old_scene, old_lowered) = (self.scene.clone(), self.lowerer.lowered().clone());
        let before = Before { scene: &old_scene, lowered: &old_lowered };
        self.lowerer.update(&self.document);
        let lowered = self.lowerer.lowered().clone();
        if changes::uses_other_files(&old_lowered, &lowered) {
            self.assets.catch_up(&lowered, &self.limits, &*self.files);
            self.asset_diagnostics = self.assets.diagnostics(&lowered, &self.limits);
        }
        self.diagnostics = [self.lowerer.diagnostics(), &self.asset_diagnostics].concat();
        let Rebound { mut scene, bound } = Scene::rebind(&lowered, &self.assets, Some(before));
        self.bound += bound;
        let changes = Changes::apply(before, &lowered, &self.assets, touched, &mut scene);
        let names = |lowered: &Lowered| lowered.bodies.len();
        let same_bodies = names(&old_lowered) == names(&lowered)
            && (0..names(&lowered)).all(|b| old_scene.body_name(b) == scene.body_name(b));
        for cached in self.frames.values_mut() {
            if !same_bodies {
                cached.rearrange(&old_lowered, &scene);
            }
            for (b, shape) in cached.shapes.iter_mut().enumerate() {
                if *shape == Shape::Current && changes.affects(b, cached.moment.frame) {
                    *shape = Shape::Stale;
                }
            }
        }
        self.takes.replace(&old_scene, &scene);
        self.scene = Arc::new(scene);
    }
}

impl CachedFrame {
    /// Matches cached bodies by name after bodies were added, removed or reordered.
    fn rearrange(&mut self, old: &Lowered, scene: &Scene) {
        let mut bodies = std::mem::take(&mut self.moment.bodies);
        let mut shapes = Vec::with_capacity(scene.body_count());
        for b in 0..scene.body_count() {
            let before = old.body_index(scene.body_name(b));
            shapes.push(before.map_or(Shape::Missing, |b| self.shapes[b]));
            self.moment
                .bodies
                .push(before.map(|b| std::mem::take(&mut bodies[b])).unwrap_or_default());
        }
        self.shapes = shapes;
    }
}
