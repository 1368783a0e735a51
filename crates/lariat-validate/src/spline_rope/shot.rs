//! One shot with a simulated rope, written for several frame rates.
//!
//! Tests: `a_key_one_frame_late_would_be_seen`.

use glam::DVec3;
use lariat_eval::Scene;
use lariat_scene::{Limits, check};

use super::super::reference::worst;

/// A rope swung by a hand over a floor, in gusts, with keys at the same seconds for any frame rate;
/// `late` delays one of them, in seconds.
fn swung(fps: f64, late: f64) -> Option<Scene> {
    let frame = |seconds: f64| seconds * fps;
    let text = format!(
        "lariat = 2\n[shot]\nfps = {fps}\nframes = [0, {}]\n[world]\nwind = [1, 0.5, 0]\n\
         turbulence = 1\n[[locator]]\nname = \"hand\"\nposition = {{ keys = [[0, [0, 0, 1.2]], \
         [{}, [0.4, 0, 1.4]], [{}, [0.4, 0.3, 1.2]]] }}\n[[body]]\nname = \"rope\"\nmodel = \
         \"loose-rope\"\nfrom = {{ locator = \"hand\" }}\nlength = 1.5\ndirection = [1, 0, \
         -0.4]\nfloor = 0\ndynamics = \"spline-rope\"\n",
        frame(2.0),
        frame(1.0),
        frame(1.5 + late),
    );
    let checked = check::check(text.as_bytes(), &Limits::default());
    (!checked.has_errors()).then_some(())?;
    Some(Scene::bind(&checked.content?.lowered))
}

/// Points of the rope at five times.
fn sampled(scene: &Scene, fps: f64) -> Vec<DVec3> {
    let at = |seconds: f64| scene.evaluate(seconds * fps).bodies.swap_remove(0).strands;
    let strands = [0.25, 0.5, 1.0, 1.25, 2.0].into_iter().flat_map(at);
    strands.flat_map(|strand| strand.points().to_vec()).collect()
}

/// Worst difference between a shot at 24 frames per second and the same at 60 and 144.
pub(super) fn frame_rates() -> Option<f64> {
    apart(0.0)
}

fn apart(late: f64) -> Option<f64> {
    let film = sampled(&swung(24.0, 0.0)?, 24.0);
    let mut most = Vec::new();
    for fps in [60.0, 144.0] {
        let other = sampled(&swung(fps, late)?, fps);
        (other.len() == film.len()).then_some(())?;
        most.push(worst(film.iter().zip(&other).map(|(a, b)| a.distance(*b))));
    }
    Some(worst(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_one_frame_late_would_be_seen() {
        assert!(apart(1.0 / 24.0).unwrap() > 1e-3);
    }
}
