//! Recorded motion rebuilt from its modes: all of them, or one alone.
//!
//! The modes are driven by their recorded coefficients instead of by a curve: at every frame, `gain` and
//! `lag` of a mode are the size and the phase of its coefficient. So a replay is a scene like any other,
//! with the ropes and meshes of the recording. Before the first frame of the modes and after the last it
//! stands still.
//!
//! Tests: `all_modes_together_are_the_recording`, `one_mode_alone_moves_as_its_formula`.

use std::f64::consts::TAU;

use lariat_core::{
    modes::{Mode, ModeSet, PartKind},
    num::complex,
};
use lariat_eval::{Assets, MemoryFiles, Scene};
use lariat_scene::{Limits, Value, check::check, format, lower::Lowered};
use num_complex::Complex64;

use crate::modes_document::{bodies_text, groups, shot, unlimited};

/// Name of the file of modes, which is not on a disk.
const FILE: &str = "replay.modes";

/// Choice of the modes that move, and how they are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Replayed {
    /// Index of the mode that moves alone; all if none.
    pub only: Option<usize>,
    /// Factor on the motion.
    pub gain: f64,
    /// Whether a mode that moves alone colours its mesh: hue for lag, saturation for amplitude.
    pub painted: bool,
}

/// Modes that can be replayed.
#[derive(Clone, Debug)]
pub struct Replay {
    assets: Assets,
    limits: Limits,
}

impl Replay {
    /// Reads the modes of a set, which are given as the text of their file.
    pub fn new(set: &ModeSet, file: &str) -> Self {
        let limits = unlimited();
        let none = Replayed { only: None, gain: 0.0, painted: false };
        let files = MemoryFiles::default().with(FILE, file);
        let assets = lowered(&text(set, &none), &limits)
            .map(|lowered| Assets::load(&lowered, &limits, &files))
            .unwrap_or_default();
        Self { assets, limits }
    }

    /// The bodies of the recording, moved by the chosen modes.
    pub fn scene(&self, set: &ModeSet, replayed: &Replayed) -> Option<Scene> {
        let lowered = lowered(&text(set, replayed), &self.limits)?;
        Some(Scene::bind_with(&lowered, &self.assets))
    }
}

fn lowered(text: &str, limits: &Limits) -> Option<Lowered> {
    let content = check(text.as_bytes(), limits).content;
    debug_assert!(content.is_some(), "{text}");
    content.map(|content| content.lowered)
}

fn text(set: &ModeSet, replayed: &Replayed) -> String {
    let modes = replayed.only.map_or(0..set.modes().len(), |mode| mode..mode + 1);
    let is_mesh = set.parts().iter().any(|part| matches!(part.kind, PartKind::Mesh { .. }));
    let painted = is_mesh && replayed.painted && replayed.only.is_some();
    let motion = |_: usize, k: usize| {
        let mut keys = keys(&set.modes()[k], set.origin().first, replayed.gain);
        if painted {
            keys += "painted = true\n";
        }
        keys
    };
    shot(set) + &bodies_text(set, &groups(set, &[]), modes, (FILE, None), motion)
}

/// Gain and lag of a mode at every frame.
fn keys(mode: &Mode, first: i64, gain: f64) -> String {
    let scale = gain * mode.max_displacement();
    let number = |number: f64| format::write_value(&Value::from(number));
    let (mut gains, mut lags) = (String::new(), String::new());
    let mut turns = 0.0;
    for (frame, c) in (first..).zip(&mode.coefficients) {
        turns = unwrapped(turns, c);
        gains += &format!("[{frame}, {}], ", number(scale * complex::abs(*c)));
        lags += &format!("[{frame}, {}], ", number(-360.0 * turns));
    }
    format!("drive = 1\ngain = {{ keys = [{gains}] }}\nlag = {{ keys = [{lags}] }}\n")
}

/// Phase of a number in turns, the nearest to the phase before it: between two frames, a phase that
/// jumps by a turn would turn back.
fn unwrapped(before: f64, c: &Complex64) -> f64 {
    let phase = complex::arg(*c) / TAU;
    phase + (before - phase).round()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use glam::DVec3;
    use lariat_core::{
        modes::{ExtractOptions, ModeCount, Part, Recording},
        motion::FrameRate,
        num::ops,
    };
    use lariat_import::mode_file;

    use super::*;
    use crate::extraction::extract;

    /// Two oscillations of a rope of six points: the ends do not move.
    fn found() -> (Recording, ModeSet, Replay) {
        let mut rows = Vec::new();
        for frame in 0..96 {
            for point in 0..6 {
                let (u, t) = (f64::from(point) / 5.0, f64::from(frame) / 24.0);
                let one = 0.2 * ops::sin_cos_turns(0.5 * u).0 * ops::cos_turns(1.5 * t - u);
                let other = 0.05 * ops::sin_cos_turns(u).0 * ops::cos_turns(4.0 * t);
                rows.extend([u, one, other]);
            }
        }
        let part = Part { name: "a/rope".into(), points: 6, kind: PartKind::plain_strand() };
        let recording = Recording::new(FrameRate::FILM, 1, vec![part], 96, rows).unwrap();
        let options = ExtractOptions {
            mode_count: ModeCount::Count(4),
            periodic: true,
            ..Default::default()
        };
        let set = extract(&recording, &options, &mut |_| ControlFlow::Continue(())).unwrap().set;
        let replay = Replay::new(&set, &mode_file::write(&set));
        (recording, set, replay)
    }

    fn points(scene: &Scene, frame: f64) -> Vec<DVec3> {
        scene.evaluate_body(0, frame).strands[0].points().to_vec()
    }

    #[test]
    fn all_modes_together_are_the_recording() {
        let (recording, set, replay) = found();
        let scene =
            replay.scene(&set, &Replayed { only: None, gain: 1.0, painted: false }).unwrap();
        for (frame, row) in (1..).zip(recording.rows().chunks_exact(recording.width())) {
            for (point, at) in points(&scene, f64::from(frame)).iter().zip(row.chunks_exact(3)) {
                let off = point.distance(DVec3::new(at[0], at[1], at[2]));
                assert!(off < 1e-9, "{off} m at frame {frame}");
            }
        }
    }

    #[test]
    fn one_mode_alone_moves_as_its_formula() {
        let (_, set, replay) = found();
        let scene =
            replay.scene(&set, &Replayed { only: Some(1), gain: 3.0, painted: true }).unwrap();
        let mode = &set.modes()[1];
        for frame in [0, 17, 40] {
            let shown = points(&scene, (frame + 1) as f64);
            for (k, shown) in shown.iter().flat_map(DVec3::to_array).enumerate() {
                let own = mode.weights[k] * mode.coefficients[frame];
                assert!((shown - set.mean()[k] - 3.0 * own.re).abs() < 1e-9, "{k} at {frame}");
            }
        }
    }
}
