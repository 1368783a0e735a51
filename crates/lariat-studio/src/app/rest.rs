//! Whether a simulated body comes to rest before the end of the shot.
//!
//! Tests: `the_default_rope_falls_and_its_rest_is_reported`.

use egui::Context;
use glam::DVec3;
use lariat_eval::Scene;

use super::Studio;

/// Speed below which a body rests, in metres per second: 0.4 mm from frame to frame. Larger: a rope that
/// still slides is said to rest. Smaller: one that only settles within its own thickness is not.
const RESTS: f64 = 0.01;

/// Frames that one pass compares. More: a long shot makes the window stutter. Fewer: the answer comes
/// later.
const FRAMES: usize = 24;

/// A body whose rest is reported.
#[derive(Debug)]
pub(super) struct Watched {
    name: String,
    /// The first frame that is known to be at rest, and its points.
    rests: Option<(f64, Vec<DVec3>)>,
}

impl Watched {
    pub(super) fn new(name: String) -> Self {
        Self { name, rests: None }
    }
}

/// Knowledge of the rest of a body.
enum Rest {
    /// It rests from this frame on.
    From(f64),
    /// It moves at the end.
    Never,
    /// More frames are to be compared.
    Unknown,
}

impl Studio {
    /// Once the watched body is recorded to the end of the shot, reports where it comes to rest.
    pub(super) fn report_rest(&mut self, context: &Context) {
        let (Some(watched), Some(session)) = (&mut self.watched, &self.session) else { return };
        let name = &watched.name;
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
            watched.rests = None;
            return;
        }
        let rest =
            if is_complete { rest(scene, body, last, &mut watched.rests) } else { Rest::Never };
        let text = match rest {
            Rest::Unknown => return context.request_repaint(),
            Rest::From(frame) => Some(format!("{name} comes to rest at frame {frame}")),
            Rest::Never => is_complete.then(|| {
                format!("{name} still moves at frame {last}; a longer shot shows it come to rest")
            }),
        };
        self.watched = None;
        if let Some(text) = text {
            self.report(text);
        }
    }
}

/// Compares some frames more, from the end of the shot to its begin. All frames are recorded.
fn rest(scene: &Scene, body: usize, last: f64, rests: &mut Option<(f64, Vec<DVec3>)>) -> Rest {
    let Some(start) = scene.simulated_from(body) else { return Rest::Never };
    let start = start.ceil().max(scene.shot().first as f64);
    let most = RESTS / scene.shot().rate.per_second();
    let points = |frame: f64| {
        let moment = scene.evaluate_body(body, frame);
        let mesh = moment.mesh.iter().flat_map(|mesh| mesh.points().to_vec());
        moment.spine().iter().copied().chain(mesh).collect::<Vec<_>>()
    };
    let (frame, after) = rests.get_or_insert_with(|| (last, points(last)));
    for _ in 0..FRAMES {
        let before = if *frame > start { points(*frame - 1.0) } else { Vec::new() };
        let moves = before.iter().zip(&*after).any(|(a, b)| a.distance(*b) > most);
        if before.is_empty() || moves {
            return if *frame < last { Rest::From(*frame) } else { Rest::Never };
        }
        (*frame, *after) = (*frame - 1.0, before);
    }
    Rest::Unknown
}
