//! The textbook catenary `y = A cosh((x − x₀)/A)`.
//!
//! Bisection of `2A sinh(h/2A) = √(L² − v²)` with 31 digits gives `A`; `x₀` follows from the rise,
//! `v = 2A sinh(h/2A) sinh((h − 2x₀)/2A)`. At arc length `s`,
//! `A (sinh((x − x₀)/A) + sinh(x₀/A)) = s`. [`Rest`] is the same in ordinary numbers; its frames turn
//! over at least a hundredth of the shorter leg.

use glam::DVec3;
use lariat_core::num::ops;

use super::wide::Wide;

/// A vector of wide numbers.
pub(crate) type Wide3 = [Wide; 3];

fn wide(v: DVec3) -> Wide3 {
    v.to_array().map(Wide::from)
}

fn dot(a: &Wide3, b: &Wide3) -> Wide {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Unit vector, to all 31 digits.
pub(crate) fn unit(v: DVec3) -> Wide3 {
    let v = wide(v);
    let length = dot(&v, &v).sqrt();
    v.map(|x| x / length)
}

/// `a + b k`.
fn plus(a: &Wide3, b: &Wide3, k: Wide) -> Wide3 {
    [0, 1, 2].map(|i| a[i] + b[i] * k)
}

/// The nearest ordinary vector.
pub(crate) fn rounded(v: &Wide3) -> DVec3 {
    DVec3::from_array(v.map(Wide::round))
}

/// Distance of an ordinary point from a wide one, without rounding the wide one first.
pub(crate) fn distance(ours: DVec3, truth: &Wide3) -> f64 {
    let miss = plus(truth, &wide(ours), Wide::from(-1.0));
    rounded(&miss).length()
}

/// Up vector leaned by swing and sway about the world's axes: `Rx(swing) Ry(sway) Z`.
pub(crate) fn leaned(swing: f64, sway: f64) -> Wide3 {
    let ((sin_swing, cos_swing), (sin_sway, cos_sway)) =
        (Wide::from(swing).sin_cos(), Wide::from(sway).sin_cos());
    [sin_sway, -(sin_swing * cos_sway), cos_swing * cos_sway]
}

/// A rope longer than its gap, hung between two points that are not above each other.
#[derive(Clone, Debug)]
pub(crate) struct Hung {
    start: Wide3,
    along: Wide3,
    up: Wide3,
    /// `A`.
    scale: Wide,
    /// `x₀`.
    vertex: Wide,
    length: Wide,
}

impl Hung {
    /// Hangs `length` metres between `start` and `end`; `up` must be of unit length.
    pub(crate) fn between(start: DVec3, end: DVec3, length: f64, up: Wide3) -> Self {
        let (start, length) = (wide(start), Wide::from(length));
        let chord = plus(&wide(end), &start, Wide::from(-1.0));
        let v = dot(&chord, &up);
        let across = plus(&chord, &up, -v);
        let h = dot(&across, &across).sqrt();
        let along = across.map(|x| x / h);

        let ratio = (length * length - v * v).sqrt() / h;
        // sinh(a)/a grows from 1; at a = 300 it exceeds that of any rope.
        let (mut low, mut high) = (Wide::ZERO, Wide::from(300.0));
        for _ in 0..125 {
            let a = (low + high) * 0.5;
            if (a.sinh() / a - ratio).round() > 0.0 {
                high = a;
            } else {
                low = a;
            }
        }
        let a = (low + high) * 0.5;
        let scale = h / (a * 2.0);
        let vertex = h * 0.5 - scale * (v / (scale * 2.0 * a.sinh())).asinh();
        Self { start, along, up, scale, vertex, length }
    }

    /// `A`: horizontal tension over weight per length, in metres.
    pub(crate) fn scale(&self) -> f64 {
        self.scale.round()
    }

    /// The slope at arc length `s`.
    fn slope(&self, s: Wide) -> Wide {
        s / self.scale - (self.vertex / self.scale).sinh()
    }

    /// Point at arc length `s`.
    pub(crate) fn at(&self, s: f64) -> Wide3 {
        self.at_wide(Wide::from(s))
    }

    fn at_wide(&self, s: Wide) -> Wide3 {
        let angle = self.slope(s).asinh();
        let x = self.vertex + self.scale * angle;
        let y = self.scale * (angle.cosh() - (self.vertex / self.scale).cosh());
        plus(&plus(&self.start, &self.along, x), &self.up, y)
    }

    /// Unit tangent at arc length `s`.
    pub(crate) fn tangent(&self, s: f64) -> Wide3 {
        let slope = self.slope(Wide::from(s));
        let cos = Wide::ONE / (slope * slope + Wide::ONE).sqrt();
        let level = self.along.map(|x| x * cos);
        plus(&level, &self.up, slope * cos)
    }

    /// Lowest point of the rope, and its height above the start, which is negative or zero.
    pub(crate) fn lowest(&self) -> (Wide3, f64) {
        let s = self.scale * (self.vertex / self.scale).sinh();
        let s = if s.round() < 0.0 {
            Wide::ZERO
        } else if (s - self.length).round() > 0.0 {
            self.length
        } else {
            s
        };
        let place = self.at_wide(s);
        let drop = dot(&plus(&place, &self.start, Wide::from(-1.0)), &self.up);
        (place, drop.round())
    }

    /// The same rope in ordinary numbers.
    pub(crate) fn rest(&self) -> Rest {
        Rest {
            start: rounded(&self.start),
            along: rounded(&self.along),
            up: rounded(&self.up),
            length: self.length.round(),
            shape: Shape::Hung { scale: self.scale.round(), first: self.slope(Wide::ZERO).round() },
        }
    }
}

/// A rope at rest, in ordinary numbers: about twelve digits.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    start: DVec3,
    along: DVec3,
    up: DVec3,
    length: f64,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Along `along`.
    Straight,
    Hung {
        scale: f64,
        /// Slope at the start.
        first: f64,
    },
}

/// A point with its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) point: DVec3,
    pub(crate) tangent: DVec3,
    pub(crate) normal: DVec3,
}

impl Standing {
    /// The point displaced by `x` along the normal and `y` along the binormal.
    pub(crate) fn pushed(&self, x: f64, y: f64) -> DVec3 {
        self.point + self.normal * x + self.tangent.cross(self.normal) * y
    }
}

impl Rest {
    /// Straight from `start` to `end`.
    pub(crate) fn taut(start: DVec3, end: DVec3, up: DVec3) -> Self {
        let chord = end - start;
        let along = chord / chord.length();
        Self { start, along, up, length: chord.length(), shape: Shape::Straight }
    }

    /// Point and frame at `u` in 0–1.
    pub(crate) fn at(&self, u: f64) -> Standing {
        let s = u * self.length;
        let (along, up) = (self.along, self.up);
        match self.shape {
            Shape::Straight => {
                let normal = up - along * along.dot(up);
                let normal = normal / normal.length();
                Standing { point: self.start + along * s, tangent: along, normal }
            }
            Shape::Hung { scale, first } => {
                let slope = first + s / scale;
                let (begun, angle) = (ops::asinh(first), ops::asinh(slope));
                let x = scale * (angle - begun);
                let y = scale * (ops::cosh(angle) - ops::cosh(begun));
                // The frame of a rope with a sharper turn than a hundredth of its shorter leg turns
                // over that hundredth.
                let lowest = -first * scale;
                let turn = 0.01 * lowest.min(self.length - lowest);
                let slope = if scale < turn { (s - lowest) / turn } else { slope };
                let cos = 1.0 / ops::hypot(1.0, slope);
                let sin = slope * cos;
                Standing {
                    point: self.start + along * x + up * y,
                    tangent: along * cos + up * sin,
                    normal: up * cos - along * sin,
                }
            }
        }
    }
}
