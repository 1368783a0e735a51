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
use crate::num::{quadrature::gauss8_nodes, rotor};

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

    /// Half waves of its slope along the rope: what a quadrature must resolve.
    pub(crate) fn busyness(&self) -> f64 {
        match self {
            Self::Wave(wave) => 2.0 * wave.frequency.abs() + 1.0,
            Self::Pulse(pulse) => 2.0 / pulse.width.abs().max(1e-3) + 1.0,
            Self::Noise(noise) => 2.0 * noise.scale.abs() + 1.0,
        }
    }

    /// Its steepest slope, about, in metres per unit of `u`.
    pub(crate) fn steepness(&self) -> f64 {
        0.5 * TAU * self.busyness() * self.magnitude().abs()
    }

    /// Whether it is smooth all along and no sharper than its busyness says: a wave under an
    /// envelope of the paper.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::Wave(w) if matches!(w.envelope, Envelope::Sine { .. } | Envelope::Flat))
    }

    /// Where its slope has corners, within the rope.
    pub(crate) fn corners(&self, out: &mut Vec<f64>) {
        let envelope = match self {
            Self::Wave(wave) => &wave.envelope,
            Self::Pulse(pulse) => &pulse.envelope,
            Self::Noise(noise) => {
                let lattice = noise.scale.abs().min(1e4);
                out.extend((1..=lattice as u32).map(|k| f64::from(k) / lattice));
                &noise.envelope
            }
        };
        match envelope {
            Envelope::Plateau { width } => out.extend([*width, 1.0 - width]),
            Envelope::Points(points) => out.extend(points.iter().map(|p| p.0)),
            Envelope::Sine { .. } | Envelope::Flat => {}
        }
    }

    pub(crate) fn magnitude(&self) -> f64 {
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

/// Displacements of a whole rope, as arrays for the loops that use them.
#[derive(Clone, Debug, Default)]
pub struct Offsets {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) dx: Vec<f64>,
    pub(crate) dy: Vec<f64>,
    /// The last sine envelopes used: every rope of a ship has the same ones.
    envelopes: Vec<Arc<Tabulated>>,
}

/// Where along the rope displacements are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// At this many equal steps, the ends included.
    Even(usize),
    /// At the eight Gauss points of each of this many panels.
    Gauss(usize),
}

impl Layout {
    /// How many places.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Even(n) => n,
            Self::Gauss(panels) => 8 * panels,
        }
    }

    /// The places of the first eight, and how far on the next eight are.
    fn lanes(self) -> ([f64; rotor::LANES], f64) {
        match self {
            Self::Even(n) => {
                let step = 1.0 / (n.max(2) - 1) as f64;
                (std::array::from_fn(|k| k as f64 * step), rotor::LANES as f64 * step)
            }
            Self::Gauss(panels) => {
                let width = 1.0 / panels as f64;
                (gauss8_nodes().map(|(x, _)| x * width), width)
            }
        }
    }

    /// The `i`-th place.
    pub(crate) fn place(self, i: usize) -> f64 {
        match self {
            Self::Even(n) => i as f64 / (n.max(2) - 1) as f64,
            Self::Gauss(panels) => ((i / 8) as f64 + gauss8_nodes()[i % 8].0) / panels as f64,
        }
    }
}

/// Weights and slopes of a sine envelope.
#[derive(Debug)]
struct Tabulated {
    env: f64,
    layout: Layout,
    weights: Vec<f64>,
    slopes: Vec<f64>,
}

impl Offsets {
    /// Fills in the sum of `layers` at `n` equal steps; returns false if nothing moves at all.
    pub fn fill(&mut self, layers: &[Displacement], n: usize) -> bool {
        self.fill_layout(layers, Layout::Even(n))
    }

    pub(crate) fn fill_layout(&mut self, layers: &[Displacement], layout: Layout) -> bool {
        self.clear(layout.len());
        let mut moves = false;
        for layer in layers.iter().filter(|l| !l.is_still()) {
            moves = true;
            match layer {
                Displacement::Wave(wave) => wave.add_to(self, layout),
                other => (0..layout.len()).for_each(|i| self.add(i, other.at(layout.place(i)))),
            }
        }
        moves
    }

    /// The same at places of one's own.
    pub(crate) fn fill_at(&mut self, layers: &[Displacement], places: &[f64]) {
        self.clear(places.len());
        for layer in layers.iter().filter(|l| !l.is_still()) {
            for (i, u) in places.iter().enumerate() {
                self.add(i, layer.at(*u));
            }
        }
    }

    fn clear(&mut self, n: usize) {
        for v in [&mut self.x, &mut self.y, &mut self.dx, &mut self.dy] {
            v.clear();
            v.resize(n, 0.0);
        }
    }

    /// Weights and slopes of the sine envelope `env`.
    fn envelope(&mut self, env: f64, layout: Layout) -> Arc<Tabulated> {
        if let Some(known) = self.envelopes.iter().find(|e| e.env == env && e.layout == layout) {
            return known.clone();
        }
        let (weights, slopes) =
            (0..layout.len()).map(|i| envelope::sine(env, layout.place(i))).unzip();
        let table = Arc::new(Tabulated { env, layout, weights, slopes });
        self.envelopes.truncate(3);
        self.envelopes.insert(0, table.clone());
        table
    }

    fn add(&mut self, i: usize, o: Offset) {
        self.x[i] += o.x;
        self.y[i] += o.y;
        self.dx[i] += o.dx;
        self.dy[i] += o.dy;
    }

    /// The displacement at step `i`.
    pub(crate) fn at(&self, i: usize) -> Offset {
        Offset { x: self.x[i], y: self.y[i], dx: self.dx[i], dy: self.dy[i] }
    }
}
