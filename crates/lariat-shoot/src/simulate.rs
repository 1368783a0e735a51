//! Simulates bodies up to a frame before anything is drawn, with progress and cancellation.
//!
//! Evaluating a frame simulates up to it, but without progress and cancellation. Bodies that do not
//! depend on each other are simulated in parallel, which does not affect the result.
//!
//! Tests: `a_cancelled_simulation_names_body_and_frame`.

use lariat_eval::{Scene, Simulation};
use lariat_export::Progress;
use rayon::prelude::*;

use crate::error::ShootError;

/// Marks bodies, all their dependencies, and everything that is simulated together with them.
pub fn with_dependencies(scene: &Scene, bodies: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut needed = vec![false; scene.body_count()];
    let mut open: Vec<usize> = bodies.into_iter().collect();
    while let Some(body) = open.pop() {
        if !std::mem::replace(&mut needed[body], true) {
            open.extend_from_slice(scene.dependencies(body));
            open.extend(scene.simulated_with(body));
        }
    }
    needed
}

/// Simulates needed bodies ([`with_dependencies`]) up to a frame. If one of the recordings would be
/// larger than its limit there, nothing is simulated: [`survey`](crate::survey()) then says which.
///
/// `watch` is called once per simulation, on the thread that runs it, and returns the observer of
/// that simulation. Progress counts frames from the first simulated one.
pub fn simulate_ahead<'w>(
    scene: &Scene,
    needed: &[bool],
    frame: f64,
    watch: &(dyn Fn(usize) -> Box<dyn Progress + 'w> + Sync),
) -> Result<(), ShootError> {
    let mut groups = scene.simulated_groups();
    if !scene.oversized_recordings(|body| needed[body], frame).is_empty() {
        return Ok(());
    }
    let is_open = |body: usize| scene.simulation(body).is_some_and(|run| is_unfinished(run, frame));
    for group in &mut groups {
        group.retain(|body| needed[*body] && is_open(*body));
    }
    for group in groups {
        let finished: Vec<bool> =
            group.par_iter().map(|body| simulate(scene, *body, frame, &*watch(*body))).collect();
        if finished.contains(&false) {
            let open = group.iter().copied().find(|body| is_open(*body));
            let body = open.map_or("", |body| scene.run_name(body)).to_owned();
            let frame = open.and_then(|body| scene.simulation(body)).map_or(frame, |run| run.to);
            return Err(ShootError::SimulationCancelled { body, frame });
        }
    }
    Ok(())
}

/// Whether a simulation must run to reach a frame.
pub fn is_unfinished(run: Simulation, frame: f64) -> bool {
    !run.stopped && run.from < frame && run.to < frame
}

/// Number of frames of a simulation from `from` up to `frame`, inclusive.
pub fn frames_done(from: f64, frame: f64) -> u64 {
    (frame - from + 1.0).max(0.0) as u64
}

/// Returns false if the simulation was cancelled.
fn simulate(scene: &Scene, body: usize, last: f64, progress: &dyn Progress) -> bool {
    let from = scene.simulation(body).map_or(last, |run| run.from);
    scene.simulate(body, last, |reached| {
        progress.advance(frames_done(from, reached), frames_done(from, last));
        !progress.cancelled()
    });
    !progress.cancelled()
}

#[cfg(test)]
mod tests {
    use lariat_scene::{Limits, check::check};

    use super::*;

    struct Stop;

    impl Progress for Stop {
        fn advance(&self, _done: u64, _total: u64) {}

        fn cancelled(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_cancelled_simulation_names_body_and_frame() {
        let text = lariat_museum::find("tuzel-swung").unwrap().text;
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let body = scene.simulated()[0];
        let result =
            simulate_ahead(&scene, &with_dependencies(&scene, [body]), 100.0, &|_| Box::new(Stop));
        let Err(ShootError::SimulationCancelled { body: name, frame }) = result else {
            panic!("{result:?}")
        };
        assert_eq!(name, scene.run_name(body));
        assert!(frame < 100.0, "{frame}");
    }
}
