//! Documents for benchmarks.

use std::fmt::Write;

use lariat_eval::Scene;
use lariat_scene::Limits;
use lariat_scene::check::check;

/// A ship: `ropes` suspended ropes of `samples` points, each with swing and one wave, all keyed.
pub(crate) fn ship(ropes: usize, samples: usize, frames: usize, keep_length: bool) -> String {
    let mut text = format!("lariat = 2\n[shot]\nframes = [1, {frames}]\n");
    for i in 0..ropes {
        let (x, y, z) = ((i % 100) as f64 * 0.4, (i / 100) as f64 * 0.8, (i % 17) as f64 * 0.05);
        let length = 3.3 + (i % 11) as f64 * 0.06;
        let phase = (i * 37) % 360;
        let _ = write!(
            text,
            "[[body]]\nname = \"rope {i}\"\nmodel = \"suspended-rope\"\nsamples = {samples}\n\
             from = [{x}, {y}, 4]\nto = [{}, {}, {}]\nlength = {length}\n\
             swing = {{ keys = [[1, -20], [24, 20]], after = \"ping-pong\" }}\n\
             waves = [{{ height = 0.06, ripples = 3, phase = {phase}, travel = 0.4 }}]\n",
            x + 2.4,
            y + 0.3,
            3.5 + z
        );
        if !keep_length {
            text.push_str("keep-length = false\n");
        }
    }
    text
}

/// Binds a document without errors.
pub(crate) fn bound(text: &str) -> Scene {
    let checked = check(text.as_bytes(), &Limits::default());
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics.first());
    Scene::bind(&checked.content.expect("a valid document").lowered)
}
