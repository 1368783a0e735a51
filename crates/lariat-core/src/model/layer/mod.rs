//! The layers that models are composed of.
//!
//! Barzel's outline (section 4) is one order for every model: rest shape, gross shape, a
//! deformation envelope, wave deformations, clamp. The gross shapes are curves
//! (`curve::catenary`, `curve::bend`); everything after them is a layer, one file each:
//!
//! ```text
//! envelope.rs     weight of a deformation along the rope            sections 3.1, 3.2, A.8
//! wave.rs         a transverse wave                                 A.3
//! pulse.rs        a single hump: pulse and soliton                  section 4
//! noise.rs        smooth seeded noise                               not in the paper
//! sampled.rs      a displacement given by samples                   Kass & Anderson 6.2
//! rotation.rs     twist and torsion waves                           section 4, A.4
//! collider.rs     floor, planes, spheres, boxes, beams, ground      sections 2, 3.2
//! coils.rs        pincers and compression waves of springs          A.7, A.9
//! ```
//!
//! Displacements are measured on the same undeformed gross shape and added, as in the paper; then
//! the clamps are applied in order. Every layer is a pure function of its parameters and does not
//! depend on time.

pub mod coils;
pub mod collider;
mod envelope;
mod noise;
mod pulse;
mod rotation;
mod sampled;
mod wave;

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::curve::Frame;
use crate::num::{quadrature::gauss8_nodes, rotor};

pub use coils::{Coils, CompressionWave, Pincer};
pub use collider::{Clamp, Collider};
pub use envelope::Envelope;
pub use noise::Noise;
pub use pulse::{Pulse, PulseShape};
pub use rotation::Rotation;
pub use sampled::SampledDisplacement;
pub use wave::Wave;

/// A displacement at one parameter: sideways along the frame's normal (`x`) and binormal (`y`), in
/// metres, and its derivative with respect to `u`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Offset {
    /// Along the normal.
    pub x: f64,
    /// Along the binormal.
    pub y: f64,
    /// Derivative of `x` with respect to `u`.
    pub dx: f64,
    /// Derivative of `y` with respect to `u`.
    pub dy: f64,
}

/// A layer that pushes a rope sideways.
#[derive(Clone, Debug, PartialEq)]
pub enum Displacement {
    /// A travelling or standing wave.
    Wave(Wave),
    /// One hump.
    Pulse(Pulse),
    /// Smooth noise.
    Noise(Noise),
    /// Given by samples.
    Sampled(SampledDisplacement),
}

impl Displacement {
    /// The displacement at `u`.
    pub fn at(&self, u: f64) -> Offset {
        match self {
            Self::Wave(wave) => wave.at(u),
            Self::Pulse(pulse) => pulse.at(u),
            Self::Noise(noise) => noise.at(u),
            Self::Sampled(sampled) => sampled.at(u),
        }
    }

    /// Number of half waves of its slope along the rope, which a quadrature must resolve.
    pub(crate) fn half_waves(&self) -> f64 {
        match self {
            Self::Wave(wave) => 2.0 * wave.frequency.abs() + 1.0,
            Self::Pulse(pulse) => 2.0 / pulse.width.abs().max(1e-3) + 1.0,
            Self::Noise(noise) => 2.0 * noise.scale.abs() + 1.0,
            Self::Sampled(sampled) => 2.0 * sampled.extrema() + 4.0,
        }
    }

    /// Approximate largest slope, in metres per unit of `u`.
    pub(crate) fn steepness(&self) -> f64 {
        0.5 * TAU * self.half_waves() * self.magnitude().abs()
    }

    /// Returns true for a smooth displacement that is fully described by its number of half waves: a
    /// wave under an envelope of the paper.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Self::Wave(w) if matches!(w.envelope, Envelope::Sine { .. } | Envelope::Flat))
    }

    /// Appends the parameters at which its slope has corners.
    pub(crate) fn corners(&self, out: &mut Vec<f64>) {
        if let Self::Noise(noise) = self
            && noise.scale.abs() <= MAX_CORNERS
        {
            let lattice = noise.scale.abs();
            out.extend((1..=lattice as u32).map(|k| f64::from(k) / lattice));
        }
        self.envelope().cuts(out);
    }

    pub(crate) fn magnitude(&self) -> f64 {
        match self {
            Self::Wave(wave) => wave.magnitude,
            Self::Pulse(pulse) => pulse.magnitude,
            Self::Noise(noise) => noise.magnitude,
            Self::Sampled(sampled) => sampled.magnitude(),
        }
    }

    fn is_zero(&self) -> bool {
        self.magnitude() == 0.0
    }

    fn envelope(&self) -> &Envelope {
        match self {
            Self::Wave(wave) => &wave.envelope,
            Self::Pulse(pulse) => &pulse.envelope,
            Self::Noise(noise) => &noise.envelope,
            Self::Sampled(sampled) => &sampled.envelope,
        }
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

impl From<SampledDisplacement> for Displacement {
    fn from(sampled: SampledDisplacement) -> Self {
        Self::Sampled(sampled)
    }
}

impl From<Noise> for Displacement {
    fn from(noise: Noise) -> Self {
        Self::Noise(noise)
    }
}

/// Largest number of noise features whose corners are listed; finer corners are left to adaptive
/// halving.
const MAX_CORNERS: f64 = 1000.0;

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

/// Correction that keeps held ends in place: a linear function that is subtracted from the
/// displacements.
///
/// Most envelopes are zero where a rope is held. Under one that is not (`flat`, or a free far end on
/// a rope that is held there) the displacement would move the end. Resetting only the end sample
/// would leave a step beside it that is missing from the measured length. So a linear function that
/// equals the displacement at the held ends is subtracted over the whole rope. A wave keeps its
/// period and height; a constant displacement vanishes.
///
/// It is zero for envelopes that hold the ends themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hold {
    /// Subtracted at the start, along normal and binormal.
    start: DVec2,
    /// Subtracted at the end.
    end: DVec2,
    /// Ends whose displacement is exactly zero.
    held: (bool, bool),
}

impl Hold {
    /// Both ends stay.
    pub(crate) fn both(layers: &[Displacement]) -> Self {
        if layers.iter().all(|l| l.envelope().holds_both_ends()) {
            return Self::default();
        }
        Self {
            start: superposed_xy(layers, 0.0),
            end: superposed_xy(layers, 1.0),
            held: (true, true),
        }
    }

    /// The start stays; the far end is free.
    pub(crate) fn start(layers: &[Displacement]) -> Self {
        if layers.iter().all(|l| l.envelope().at(0.0).0 == 0.0) {
            return Self::default();
        }
        Self { start: superposed_xy(layers, 0.0), end: DVec2::ZERO, held: (true, false) }
    }

    /// Both ends move to their mean, so that a ring closes.
    pub(crate) fn ring(layers: &[Displacement]) -> Self {
        let half = (superposed_xy(layers, 1.0) - superposed_xy(layers, 0.0)) * 0.5;
        Self { start: -half, end: half, held: (false, false) }
    }

    /// The corrected displacement at `u`.
    pub(crate) fn at(&self, u: f64, o: Offset) -> Offset {
        if (u == 0.0 && self.held.0) || (u == 1.0 && self.held.1) {
            let slope = self.slope();
            return Offset { x: 0.0, y: 0.0, dx: o.dx - slope.x, dy: o.dy - slope.y };
        }
        let (correction, slope) = (self.start * (1.0 - u) + self.end * u, self.slope());
        Offset {
            x: o.x - correction.x,
            y: o.y - correction.y,
            dx: o.dx - slope.x,
            dy: o.dy - slope.y,
        }
    }

    /// Change of the correction over the rope.
    pub(crate) fn slope(&self) -> DVec2 {
        self.end - self.start
    }

    fn is_zero(&self) -> bool {
        self.start == DVec2::ZERO && self.end == DVec2::ZERO
    }
}

fn superposed_xy(layers: &[Displacement], u: f64) -> DVec2 {
    let o = superposed(layers, u);
    DVec2::new(o.x, o.y)
}

/// The displacements of one rope, with the correction for its held ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers<'a> {
    pub(crate) list: &'a [Displacement],
    pub(crate) hold: Hold,
}

impl<'a> Layers<'a> {
    /// For a rope held at both ends.
    pub(crate) fn between(list: &'a [Displacement]) -> Self {
        Self { list, hold: Hold::both(list) }
    }

    /// For a rope held at its start.
    pub(crate) fn from_start(list: &'a [Displacement]) -> Self {
        Self { list, hold: Hold::start(list) }
    }

    /// For a ring.
    pub(crate) fn around(list: &'a [Displacement]) -> Self {
        Self { list, hold: Hold::ring(list) }
    }

    /// The displacement at `u`.
    pub(crate) fn at(&self, u: f64) -> Offset {
        let sum = superposed(self.list, u);
        if self.hold.is_zero() { sum } else { self.hold.at(u, sum) }
    }
}

/// Displacements of a whole rope as arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offsets {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) dx: Vec<f64>,
    pub(crate) dy: Vec<f64>,
    /// Cache of the sine envelopes used last: ropes often share them.
    envelopes: Vec<Arc<Tabulated>>,
}

/// Parameters at which displacements are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// At this many equal steps, the ends included.
    Even(usize),
    /// At the eight Gauss points of each of this many panels.
    Gauss(usize),
}

impl Layout {
    /// Number of parameters.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Even(n) => n,
            Self::Gauss(panels) => 8 * panels,
        }
    }

    /// The first eight parameters, and the stride to the next eight.
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

    /// The `i`-th parameter.
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
    /// Computes the sum of `layers` at `n` equal steps; returns false if all of them are zero.
    pub(crate) fn fill(&mut self, layers: Layers<'_>, n: usize) -> bool {
        self.fill_layout(layers, Layout::Even(n))
    }

    pub(crate) fn fill_layout(&mut self, layers: Layers<'_>, layout: Layout) -> bool {
        self.clear(layout.len());
        let mut moves = false;
        for layer in layers.list.iter().filter(|l| !l.is_zero()) {
            moves = true;
            match layer {
                Displacement::Wave(wave) => wave.add_to(self, layout),
                other => (0..layout.len()).for_each(|i| self.add(i, other.at(layout.place(i)))),
            }
        }
        if !layers.hold.is_zero() {
            (0..layout.len()).for_each(|i| self.hold(i, layout.place(i), layers.hold));
        }
        moves
    }

    /// Computes the sum of `layers` at the parameters `places`.
    pub(crate) fn fill_at(&mut self, layers: Layers<'_>, places: &[f64]) {
        self.clear(places.len());
        for layer in layers.list.iter().filter(|l| !l.is_zero()) {
            for (i, u) in places.iter().enumerate() {
                self.add(i, layer.at(*u));
            }
        }
        if !layers.hold.is_zero() {
            places.iter().enumerate().for_each(|(i, u)| self.hold(i, *u, layers.hold));
        }
    }

    fn hold(&mut self, i: usize, u: f64, hold: Hold) {
        let o = hold.at(u, self.at(i));
        (self.x[i], self.y[i], self.dx[i], self.dy[i]) = (o.x, o.y, o.dx, o.dy);
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

    /// The displacement at index `i`.
    pub(crate) fn at(&self, i: usize) -> Offset {
        Offset { x: self.x[i], y: self.y[i], dx: self.dx[i], dy: self.dy[i] }
    }
}
