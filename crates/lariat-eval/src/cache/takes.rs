//! Recordings of the simulations of an edited document: what is recorded, stale and running.
//!
//! Tests, in `tests/suite/pending.rs`: `a_take_shows_recorded_stale_and_running_frames`.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use lariat_scene::edit::FrameSpan;

use crate::scene::Scene;
use crate::simulate::{JobFlags, SimulationJob};

/// State of one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeState {
    /// Name of the simulation: that of its body, or `strings`, `solids` or `strings and solids`.
    pub name: String,
    /// The simulated bodies.
    pub bodies: Vec<usize>,
    /// Frames that are recorded and valid.
    pub recorded: Option<FrameSpan>,
    /// Frames that were recorded before an edit that affects them, and are not recorded again yet.
    pub stale: Option<FrameSpan>,
    /// True if a job is simulating it.
    pub running: bool,
    /// True if it stopped early; the warnings of its bodies give the reason.
    pub stopped: bool,
}

/// Recordings before the last edits, and jobs.
#[derive(Debug, Default)]
pub(super) struct TakeHistory {
    /// The last frame that was recorded before an edit, by the name of the take.
    reached: BTreeMap<String, f64>,
    jobs: Vec<NotedJob>,
}

#[derive(Debug)]
struct NotedJob {
    flags: Weak<JobFlags>,
    scene: Weak<Scene>,
    bodies: Vec<usize>,
}

impl TakeHistory {
    pub(super) fn note_job(&mut self, job: &SimulationJob) {
        self.jobs.retain(|job| job.flags.upgrade().is_some_and(|flags| flags.is_open()));
        self.jobs.push(NotedJob {
            flags: Arc::downgrade(job.flags()),
            scene: Arc::downgrade(job.scene()),
            bodies: job.bodies().collect(),
        });
    }

    /// Notes how far the simulations of a scene are recorded that an edit replaces.
    pub(super) fn replace(&mut self, old: &Scene, new: &Scene) {
        let before = std::mem::take(&mut self.reached);
        if !new.has_simulations() {
            return;
        }
        let end = |scene: &Scene, body: usize| {
            let simulation = scene.simulation(body).filter(|s| s.to > s.from);
            simulation.map_or(f64::NEG_INFINITY, |simulation| simulation.to)
        };
        let all = old.simulated_groups().into_iter().flatten();
        let ends: BTreeMap<&str, f64> =
            all.map(|body| (old.take_name(body), end(old, body))).collect();
        for body in new.simulated_groups().into_iter().flatten() {
            let name = new.take_name(body);
            let was = [ends.get(name), before.get(name)].into_iter().flatten().copied();
            let was = was.fold(f64::NEG_INFINITY, f64::max);
            if was > end(new, body) {
                self.reached.insert(name.to_owned(), was);
            }
        }
    }

    pub(super) fn states(&self, scene: &Scene) -> Vec<TakeState> {
        let state = |body: usize| {
            let simulation = scene.simulation(body)?;
            let (from, to) = (simulation.from, simulation.to);
            let until = self.reached.get(scene.take_name(body)).copied();
            let until = until.filter(|until| *until > to);
            Some(TakeState {
                name: scene.run_name(body).to_owned(),
                bodies: scene.simulated_with(body),
                recorded: (to > from).then_some(FrameSpan { first: from, last: to }),
                stale: until.map(|until| FrameSpan { first: to, last: until }),
                running: self.is_running(scene, body),
                stopped: simulation.stopped,
            })
        };
        scene.simulated_groups().into_iter().flatten().filter_map(state).collect()
    }

    fn is_running(&self, scene: &Scene, body: usize) -> bool {
        self.jobs.iter().any(|job| {
            let is_open = job.flags.upgrade().is_some_and(|flags| flags.is_open());
            let runs = |its: &Scene| {
                job.bodies.iter().any(|its_body| scene.shares_simulation(body, its, *its_body))
            };
            is_open && job.scene.upgrade().is_some_and(|its| runs(&its))
        })
    }
}
