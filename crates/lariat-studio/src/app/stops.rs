//! Simulations that stop before the end of the shot: reported once, with the frame and the reason.
//!
//! Tests: `a_simulation_that_diverges_is_reported_and_can_be_scrubbed`.

use lariat_eval::{
    Scene, TakeState,
    warning::{SimulationStopped, Variant},
};

use super::Studio;

impl Studio {
    /// Reports simulations that stopped since the last pass.
    pub(super) fn report_stops(&mut self) {
        let Some(session) = &self.session else { return };
        let takes = session.editor.takes();
        let stopped: Vec<&TakeState> = takes.iter().filter(|take| take.stopped).collect();
        let fresh = stopped.iter().find(|take| !self.stopped.contains(&take.name));
        let text = fresh.and_then(|take| stop(session.editor.scene(), take));
        self.stopped = stopped.iter().map(|take| take.name.clone()).collect();
        if let Some(text) = text {
            self.fail(text);
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
