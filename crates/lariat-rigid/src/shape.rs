//! What solids look like, and how their mass is spread.
//!
//! Tests: `moments_are_those_of_rapier`.

use std::f64::consts::PI;

use glam::DVec3;

/// A shape about its middle; long ones lie along Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A box, a board, a crate.
    Box {
        /// Half its edge lengths, in metres.
        half: DVec3,
    },
    /// A ball.
    Ball {
        /// In metres.
        radius: f64,
    },
    /// A barrel, with flat ends.
    Cylinder {
        /// Half its length, in metres.
        half: f64,
        /// In metres.
        radius: f64,
    },
}

impl Shape {
    /// In cubic metres.
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box { half } => 8.0 * half.x * half.y * half.z,
            Self::Ball { radius } => 4.0 / 3.0 * PI * radius * radius * radius,
            Self::Cylinder { half, radius } => 2.0 * half * PI * radius * radius,
        }
    }

    /// How hard it is to turn about its own axes, in kg m² for each kilogram.
    pub fn moments(&self) -> DVec3 {
        match *self {
            Self::Box { half } => {
                let square = half * half;
                DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y) / 3.0
            }
            Self::Ball { radius } => DVec3::splat(0.4 * radius * radius),
            Self::Cylinder { half, radius } => {
                let across = 0.25 * radius * radius + half * half / 3.0;
                DVec3::new(across, across, 0.5 * radius * radius)
            }
        }
    }

    /// Half of what it fills along its own axes.
    pub fn half(&self) -> DVec3 {
        match *self {
            Self::Box { half } => half,
            Self::Ball { radius } => DVec3::splat(radius),
            Self::Cylinder { half, radius } => DVec3::new(radius, radius, half),
        }
    }

    /// Whether it fills anything.
    pub(crate) fn is_sound(&self) -> bool {
        let half = self.half();
        half.is_finite() && half.min_element() > 0.0
    }
}
