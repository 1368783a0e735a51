//! Frames along curves by the classical Runge-Kutta rule.
//!
//! A rotation-minimising normal obeys `n′ = −(n · t′) t`; a curve given by its curvatures obeys
//! `t′ = κₙ n + κᵦ b`, `n′ = −κₙ t`, `b′ = −κᵦ t`, `p′ = t`.

use glam::{DVec2, DVec3};

/// Point and frame of a bent line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bent {
    pub(crate) point: DVec3,
    pub(crate) tangent: DVec3,
    pub(crate) normal: DVec3,
    pub(crate) binormal: DVec3,
}

impl Bent {
    /// Starts at the origin, along `tangent`.
    pub(crate) fn start(tangent: DVec3, normal: DVec3) -> Self {
        Self { point: DVec3::ZERO, tangent, normal, binormal: tangent.cross(normal) }
    }

    fn rate(&self, bending: DVec2) -> Self {
        Self {
            point: self.tangent,
            tangent: self.normal * bending.x + self.binormal * bending.y,
            normal: self.tangent * -bending.x,
            binormal: self.tangent * -bending.y,
        }
    }

    fn plus(&self, rate: &Self, h: f64) -> Self {
        Self {
            point: self.point + rate.point * h,
            tangent: self.tangent + rate.tangent * h,
            normal: self.normal + rate.normal * h,
            binormal: self.binormal + rate.binormal * h,
        }
    }

    /// Advances by `length` metres with constant curvature `bending` (towards normal and binormal, in
    /// radians per metre), in `steps` steps.
    pub(crate) fn on(mut self, bending: DVec2, length: f64, steps: usize) -> Self {
        let h = length / steps as f64;
        for _ in 0..steps {
            let k1 = self.rate(bending);
            let k2 = self.plus(&k1, 0.5 * h).rate(bending);
            let k3 = self.plus(&k2, 0.5 * h).rate(bending);
            let k4 = self.plus(&k3, h).rate(bending);
            self = self.plus(&k1, h / 6.0).plus(&k2, h / 3.0).plus(&k3, h / 3.0).plus(&k4, h / 6.0);
        }
        self
    }
}

/// The rotation-minimising normal at `u = 1` of a curve, from `normal` at `u = 0`. `tangent` returns the
/// unit tangent and its derivative by `u`.
pub(crate) fn normal_at_end(
    steps: usize,
    normal: DVec3,
    tangent: impl Fn(f64) -> (DVec3, DVec3),
) -> DVec3 {
    let rate = |u: f64, n: DVec3| {
        let (t, change) = tangent(u);
        t * -n.dot(change)
    };
    let h = 1.0 / steps as f64;
    let mut n = normal;
    for i in 0..steps {
        let u = i as f64 * h;
        let k1 = rate(u, n);
        let k2 = rate(u + 0.5 * h, n + k1 * (0.5 * h));
        let k3 = rate(u + 0.5 * h, n + k2 * (0.5 * h));
        let k4 = rate(u + h, n + k3 * h);
        n += (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0);
    }
    n
}
