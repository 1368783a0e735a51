//! Simulations that stop before the end of the shot: reported once, with the frame and the reason.
//!
//! Tests: `a_simulation_that_diverges_is_reported_and_can_be_scrubbed`.

use lariat_eval::{
    Scene, TakeState,
    warning::{SimulationStopped, Variant},
};

use super::Studio;

impl Studio {
    /// Reports simulations that stopped since the last pass, once nothing is simulated any more: the
    /// reason is in a pose, which must not wait for another simulation.
    pub(super) fn report_stops(&mut self) {
        let Some(session) = &self.session else { return };
        let (takes, scene) = (session.editor.takes(), session.editor.scene());
        let last = scene.shot().last as f64;
        let is_over = |take: &TakeState| {
            take.stopped || take.recorded.is_some_and(|recorded| recorded.last >= last)
        };
        if self.host.simulation().is_some() || !takes.iter().all(is_over) {
            return;
        }
        let stopped: Vec<&TakeState> = takes.iter().filter(|take| take.stopped).collect();
        let fresh = stopped.iter().filter(|take| !self.stopped.contains(&take.name));
        let texts: Vec<String> = fresh.filter_map(|take| stop(scene, take)).collect();
        self.stopped = stopped.iter().map(|take| take.name.clone()).collect();
        if !texts.is_empty() {
            self.fail(texts.join(". "));
        }
    }
}

/// The stop of a recording as a sentence. The last frame of the shot keeps the pose of the stop.
fn stop(scene: &Scene, take: &TakeState) -> Option<String> {
    let last = scene.shot().last as f64;
    take.bodies.iter().find_map(|body| {
        let moment = scene.evaluate_body(*body, last);
        let stop = moment.warnings.iter().find_map(|one| SimulationStopped::of(&one.kind))?;
        let (name, frame) = (scene.body_name(*body), stop.frame);
        let why = stop.why.replace('`', "");
        Some(format!("The simulation of {name} stops at frame {frame:.1}: {why}"))
    })
}
