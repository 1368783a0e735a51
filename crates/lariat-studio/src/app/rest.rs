//! Whether a simulated body comes to rest before the end of the shot.
//!
//! Tests: `the_default_rope_falls_and_its_rest_is_told`.

use lariat_eval::Scene;

use super::Studio;

/// Speed below which a body rests, in metres per second: 0.4 mm from frame to frame. Larger: a rope that
/// still slides is said to rest. Smaller: one that only settles within its own thickness is not.
const RESTS: f64 = 0.01;

impl Studio {
    /// Once the watched body is recorded to the end of the shot, reports where it comes to rest.
    pub(super) fn report_rest(&mut self) {
        let (Some(name), Some(session)) = (&self.watched, &self.session) else { return };
        let scene = session.editor.scene();
        let last = scene.shot().last as f64;
        let body = scene.body_index(name).filter(|body| scene.simulated_from(*body).is_some());
        let takes = session.editor.takes();
        let of_body = |body| takes.iter().find(|take| take.bodies.contains(&body));
        let Some((body, take)) = body.and_then(|body| Some((body, of_body(body)?))) else {
            self.watched = None;
            return;
        };
        let is_complete = take.recorded.is_some_and(|span| span.last >= last);
        if !is_complete && !take.stopped {
            return;
        }
        let text = is_complete.then(|| match rest(scene, body, last) {
            Some(frame) => format!("{name} comes to rest at frame {frame}"),
            None => {
                format!("{name} still moves at frame {last}; a longer shot shows it come to rest")
            }
        });
        self.watched = None;
        if let Some(text) = text {
            self.tell(text);
        }
    }
}

/// The frame from which on a body rests; none if it moves at the end. All frames are recorded.
fn rest(scene: &Scene, body: usize, last: f64) -> Option<f64> {
    let start = scene.simulated_from(body)?.ceil().max(scene.shot().first as f64);
    let most = RESTS / scene.shot().rate.per_second();
    let points = |frame: f64| {
        let moment = scene.evaluate_body(body, frame);
        let mesh = moment.mesh.iter().flat_map(|mesh| mesh.points().to_vec());
        moment.spine().iter().copied().chain(mesh).collect::<Vec<_>>()
    };
    let (mut frame, mut after) = (last, points(last));
    while frame > start {
        let before = points(frame - 1.0);
        if before.iter().zip(&after).any(|(a, b)| a.distance(*b) > most) {
            break;
        }
        (frame, after) = (frame - 1.0, before);
    }
    (frame < last).then_some(frame)
}
