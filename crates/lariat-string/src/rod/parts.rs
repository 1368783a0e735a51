//! Constant properties of strings, their particles, segments and joints.
//!
//! Tests: `a_weight_stretches_its_string_by_hookes_law`, `a_cantilever_sags_as_euler_says`.

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;

use super::super::build::{Bend, Build, Twist};
use super::super::strings::KEPT;

/// Stretch of a segment without elasticity by its own inertial force over a substep.
const RIGID: f64 = 1e-7;

/// Constant properties of a string.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(super) struct Kind {
    pub material: Material,
    pub twist: Twist,
    pub curved: bool,
    pub tears: bool,
    pub pushes: bool,
    pub stretches: bool,
    /// Whether its joints resist bending.
    pub bends: bool,
    /// Force that folds a segment between two particles, in newtons.
    pub buckling: f64,
    /// Energy of the string folded at every joint, in joules.
    pub folded: f64,
    pub first: usize,
    pub count: usize,
}

/// Constant properties of particles and segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Mass of particles in kilograms.
    pub mass: Vec<f64>,
    /// Rest length and radius of segments as built, in metres.
    pub length: Vec<f64>,
    pub radius: Vec<f64>,
    /// Factors on strength and stiffness.
    pub strength: Vec<f64>,
    pub stiffness: Vec<f64>,
    /// Moment of inertia of a segment about its axis, and of bodies that turn with it, in kg m².
    pub inertia: Vec<f64>,
    pub turned: Vec<f64>,
    /// Torsional stiffness of segments (GJ), in N m².
    pub torsion: Vec<f64>,
    /// Stress curves of segments, and the longest substep that they are for.
    pub curves: Vec<Curve>,
    curves_for: f64,
    /// Random directions in which joints are not straight.
    pub crooked: Vec<DVec3>,
    /// Bending stiffness of joints over their length, in N m.
    pub joint_bend: Vec<f64>,
    /// Curvature of joints at rest, in material axes.
    pub bent: Vec<[f64; 2]>,
}

/// Constants of the stress curve of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// Newtons per metre of a pulled and of a pushed segment, and metres per newton of the latter.
    pub stiffness: f64,
    pub compression: f64,
    pub slack: f64,
    /// Slope beyond the yield point over that before it.
    pub slope: f64,
}

impl Kind {
    /// Whether its joints resist bending or twist.
    pub(super) fn resists(&self) -> bool {
        self.bends || self.twist != Twist::Free
    }

    /// The stress curve of a segment; `rigid` is the least that it gives, in metres per newton.
    fn curve(&self, parts: &Parts, segment: usize, rigid: f64) -> Curve {
        let (length, radius) = (parts.length[segment], parts.radius[segment]);
        let strong = parts.stiffness[segment] * PI * radius * radius;
        // Give belongs to the length as built: what has yielded is not softer.
        let give = if self.stretches {
            length / (self.material.modulus * strong)
        } else if self.material.yield_stress < f64::INFINITY {
            KEPT * length / (self.material.yield_stress * strong)
        } else {
            0.0
        };
        let give = give.max(rigid);
        let folds = if self.pushes { 0.0 } else { length / self.buckling };
        let flow = if self.tears { length * self.material.flow() / strong } else { 0.0 };
        Curve {
            stiffness: 1.0 / give,
            compression: 1.0 / (give + folds),
            slack: give + folds,
            slope: give / (give + flow),
        }
    }
}

/// Everything that does not change during a substep.
#[derive(Clone, Copy)]
pub(super) struct Constants<'a> {
    pub kinds: &'a [Kind],
    pub parts: &'a Parts,
    /// Coefficient of friction of particles.
    pub friction: &'a [f64],
    /// Torque on segments from outside, in newton metres.
    pub torque: &'a [f64],
    pub spin_viscosity: f64,
}

impl Parts {
    /// Sets the stress curves of all segments, for substeps of `h` seconds, unless they are set.
    pub(super) fn set_curves(&mut self, kinds: &[Kind], h: f64) {
        if self.curves.len() == self.length.len() && self.curves_for == h {
            return;
        }
        self.curves_for = h;
        let mut curves = std::mem::take(&mut self.curves);
        curves.clear();
        for kind in kinds {
            for i in kind.first..kind.first + kind.count {
                let mass = self.mass[i].min(self.mass[(i + 1).min(self.mass.len() - 1)]);
                let rigid = RIGID * 0.5 * h * h / mass.max(f64::MIN_POSITIVE);
                curves.push(kind.curve(self, i, rigid));
            }
        }
        self.curves = curves;
    }

    /// Torsional stiffness of a joint in N m, given the shares of the segments before and after it
    /// that wind.
    pub(super) fn joint_twist(&self, joint: usize, shares: [f64; 2]) -> f64 {
        let gives = shares[0] * self.length[joint - 1] / self.torsion[joint - 1]
            + shares[1] * self.length[joint] / self.torsion[joint];
        if gives.is_finite() && gives > 0.0 { 1.0 / gives } else { 0.0 }
    }
}

/// Bending stiffness (EI) of a segment of a material.
pub(super) fn bend_of(build: &Build, radius: f64) -> f64 {
    let material = &build.material;
    match build.bend {
        Bend::Limp => 0.0,
        Bend::Material if material.rigidity > 0.0 => {
            material.rigidity * material.modulus * PI * radius * radius * radius * radius / 4.0
        }
        Bend::Material => 0.0,
        Bend::Stiffness { bend, .. } => bend,
    }
}
