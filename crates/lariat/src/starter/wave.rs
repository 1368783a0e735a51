//! Mode file of the starter document for a shape: a wave that travels along a rope.

use lariat_core::geometry::Look;
use lariat_core::modes::{Mode, ModeSet, Origin, Part, PartKind, Pole};
use lariat_core::motion::FrameRate;
use lariat_core::num::{complex, ops};
use lariat_import::mode_file;
use num_complex::Complex64;

/// Name of the file.
pub(super) const NAME: &str = "wave.modes";

/// Number of points of the rope.
const POINTS: u32 = 33;

/// A rope of two metres at a height of one, with one mode.
pub(super) fn text() -> String {
    let along = (0..POINTS).map(|i| f64::from(i) / f64::from(POINTS - 1));
    let (mut mean, mut weights) = (Vec::new(), Vec::new());
    for u in along {
        mean.extend([2.0 * u, 0.0, 1.0]);
        let aside = complex::cis_turns(-1.5 * u) * ops::sin_turns(0.5 * u);
        weights.extend([Complex64::ZERO, aside, Complex64::ZERO]);
    }
    let size: f64 = weights.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
    for weight in &mut weights {
        *weight /= size;
    }
    let kind = PartKind::Strand {
        closed: false,
        radius: vec![0.03; POINTS as usize],
        twist: Vec::new(),
        look: Some(Look { name: "rope".into(), colour: [0.45, 0.29, 0.13] }),
    };
    let part = Part { name: "rope".to_owned(), points: POINTS as usize, kind };
    let mode = Mode {
        weights,
        pole: Pole { hertz: 1.5, decay: 0.3 },
        sigma: 1.0,
        share: 1.0,
        residual: 0.0,
        gauge: 0.0,
        coefficients: (0..24).map(|t| complex::cis_turns(1.5 * f64::from(t) / 24.0)).collect(),
    };
    let origin =
        Origin { rate: FrameRate::FILM, first: 1, margin: 0, periodic: true, rms: 0.0, worst: 0.0 };
    let set = ModeSet::new(origin, vec![part], mean, vec![mode]);
    set.map(|set| mode_file::write(&set)).unwrap_or_default()
}
