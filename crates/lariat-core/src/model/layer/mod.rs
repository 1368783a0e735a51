//! The changes of shape that models are stacked from.
//!
//! Barzel's outline (section 4) is one order for every model: rest shape, gross shape, a
//! deformation envelope, wave deformations, clamp. The gross shapes are curves
//! (`curve::catenary`, `curve::bend`); everything after them is a layer, one file each:
//!
//! ```text
//! envelope.rs     how much of a deformation each place feels        sections 3.1, 3.2, A.8
//! wave.rs         a transverse wave                                 A.3
//! pulse.rs        one hump instead of many: pulse and soliton       section 4
//! noise.rs        restlessness with a seed                          beyond the paper
//! rotation.rs     twist and torsion waves                           section 4, A.4
//! collider.rs     floor, planes, spheres, boxes, cylinders, ground  sections 2, 3.2
//! coils.rs        pincers and compression waves of springs          A.7, A.9
//! ```
//!
//! Layers of displacement are measured on the same undeformed gross shape and added, as the
//! paper asks; then come the clamps, in their order. Every layer is a pure function of its own
//! numbers and never sees time.

pub mod coils;
pub mod collider;
mod envelope;
mod noise;
mod pulse;
mod rotation;
mod wave;

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::DVec3;

use crate::curve::Frame;

pub use coils::{Coils, CompressionWave, Pincer};
pub use collider::{Clamp, Collider};
pub use envelope::Envelope;
pub use noise::Noise;
pub use pulse::{Hump, Pulse};
pub use rotation::Rotation;
pub use wave::Wave;

/// A displacement at one place: sideways along the frame's normal (`x`) and binormal (`y`), in
/// metres, and how both change per unit of `u`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Offset {
    /// Along the normal.
    pub x: f64,
    /// Along the binormal.
    pub y: f64,
    /// Change of `x` per unit of `u`.
    pub dx: f64,
    /// Change of `y` per unit of `u`.
    pub dy: f64,
}

/// A layer that pushes a rope sideways.
#[derive(Clone, Debug, PartialEq)]
pub enum Displacement {
    /// A travelling or standing wave.
    Wave(Wave),
    /// One hump.
    Pulse(Pulse),
    /// Restlessness.
    Noise(Noise),
}

impl Displacement {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        match self {
            Self::Wave(wave) => wave.at(u),
            Self::Pulse(pulse) => pulse.at(u),
            Self::Noise(noise) => noise.at(u),
        }
    }

    /// How many ups and downs it makes along the rope: what a quadrature must resolve.
    fn busyness(&self) -> f64 {
        match self {
            Self::Wave(wave) => wave.frequency.abs() + 1.0,
            Self::Pulse(pulse) => 1.0 / pulse.width.abs().max(1e-3),
            Self::Noise(noise) => 2.0 * noise.scale.abs() + 1.0,
        }
    }

    fn magnitude(&self) -> f64 {
        match self {
            Self::Wave(wave) => wave.magnitude,
            Self::Pulse(pulse) => pulse.magnitude,
            Self::Noise(noise) => noise.magnitude,
        }
    }

    fn is_still(&self) -> bool {
        self.magnitude() == 0.0
    }
}

impl From<Wave> for Displacement {
    fn from(wave: Wave) -> Self {
        Self::Wave(wave)
    }
}

impl From<Pulse> for Displacement {
    fn from(pulse: Pulse) -> Self {
        Self::Pulse(pulse)
    }
}

impl From<Noise> for Displacement {
    fn from(noise: Noise) -> Self {
        Self::Noise(noise)
    }
}

/// The sum of all displacements at `u`.
pub fn superposed(layers: &[Displacement], u: f64) -> Offset {
    let mut sum = Offset::default();
    for layer in layers {
        let o = layer.at(u);
        sum = Offset { x: sum.x + o.x, y: sum.y + o.y, dx: sum.dx + o.dx, dy: sum.dy + o.dy };
    }
    sum
}

/// A point of the gross shape with `share` of a displacement added.
pub fn displaced(point: DVec3, frame: Frame, offset: Offset, share: f64) -> DVec3 {
    point + frame.normal() * (share * offset.x) + frame.binormal() * (share * offset.y)
}

/// Displacements of a whole rope at equal steps, as arrays for the loops that use them.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) dx: Vec<f64>,
    pub(crate) dy: Vec<f64>,
    /// The last sine envelope used, at as many steps: every rope of a ship has the same one.
    envelope: Arc<Tabulated>,
}

/// Weights and slopes of a sine envelope at equal steps.
#[derive(Debug, Default)]
struct Tabulated {
    env: f64,
    weights: Vec<f64>,
    slopes: Vec<f64>,
}

impl Offsets {
    /// Fills in the sum of `layers` at `n` equal steps; returns false if nothing moves at all.
    pub fn fill(&mut self, layers: &[Displacement], n: usize) -> bool {
        self.clear(n);
        let last = (n.max(2) - 1) as f64;
        let mut moves = false;
        for layer in layers.iter().filter(|l| !l.is_still()) {
            moves = true;
            match layer {
                Displacement::Wave(wave) => wave.add_to(self),
                other => (0..n).for_each(|i| self.add(i, other.at(i as f64 / last))),
            }
        }
        moves
    }

    /// The same at places of one's own.
    pub(crate) fn fill_at(&mut self, layers: &[Displacement], places: &[f64]) -> bool {
        self.clear(places.len());
        let mut moves = false;
        for layer in layers.iter().filter(|l| !l.is_still()) {
            moves = true;
            for (i, u) in places.iter().enumerate() {
                self.add(i, layer.at(*u));
            }
        }
        moves
    }

    fn clear(&mut self, n: usize) {
        for v in [&mut self.x, &mut self.y, &mut self.dx, &mut self.dy] {
            v.clear();
            v.resize(n, 0.0);
        }
    }

    /// Weights and slopes of the sine envelope `env` at as many steps as there are.
    fn envelope(&mut self, env: f64) -> Arc<Tabulated> {
        let n = self.x.len();
        if self.envelope.env != env || self.envelope.weights.len() != n {
            let last = (n.max(2) - 1) as f64;
            let (weights, slopes) = (0..n).map(|i| envelope::sine(env, i as f64 / last)).unzip();
            self.envelope = Arc::new(Tabulated { env, weights, slopes });
        }
        self.envelope.clone()
    }

    fn add(&mut self, i: usize, o: Offset) {
        self.x[i] += o.x;
        self.y[i] += o.y;
        self.dx[i] += o.dx;
        self.dy[i] += o.dy;
    }

    /// How many steps it holds.
    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    /// The displacement at step `i`.
    pub(crate) fn at(&self, i: usize) -> Offset {
        Offset { x: self.x[i], y: self.y[i], dx: self.dx[i], dy: self.dy[i] }
    }

    /// How many steps it takes to integrate over `layers` upon `length` metres to nine digits or
    /// so, `n` at least.
    ///
    /// The integrand `√(1 + slope²)` has harmonics that fall off the slower, the steeper the
    /// waves; every ripple gets more steps for it.
    pub fn steps_needed(layers: &[Displacement], length: f64, n: usize) -> usize {
        let busy = layers.iter().map(Displacement::busyness).fold(1.0, f64::max);
        let steep: f64 = layers.iter().map(|l| TAU * l.busyness() * l.magnitude().abs()).sum();
        let steep = (steep / length.max(f64::MIN_POSITIVE)).min(4.0);
        let needed = (5.0 * busy.min(5_000.0) * (1.0 + 2.0 * steep)) as usize + 12;
        // A few steps too few are no harm, and the samples themselves come for free.
        if needed <= n + n / 6 { n } else { needed }
    }
}
