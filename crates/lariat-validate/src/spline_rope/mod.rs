//! Ropes that move by forces: falling, held, hung, swinging, stretched, blown, sliding.
//!
//! References are closed forms, the catenary of 31 digits, the zeros of Bessel's function from the
//! tables, and for the fastest vibration a dense matrix put together from the paper's own
//! polynomials. Rows about orders compare runs with each other, which needs no reference but the
//! order; where one method of the library judges another, the row says so.
//!
//! ```text
//! rest.rs     at rest: catenary, Hooke, tension, a beam, wind
//! motion.rs   falling, held, swinging, energy, orders, viscosity, other methods
//! contact.rs  sliding and the capstan
//! limits.rs   the fastest vibration, and where a step turns diverged
//! shot.rs     a document at several frame rates
//! ```
//!
//! Tests: `another_gravity_would_be_seen`, and in the files.

mod contact;
mod limits;
mod motion;
mod rest;
mod shot;

use glam::DVec3;
use lariat_core::dynamics::material::{Material, Section};
use lariat_core::dynamics::spline_rope::{Build, Method, SplineRope};

use super::check::{Check, Outcome, Topic};
use super::reference::worst;

const FALL: &str = "the closed form p + vt + gt²/2";
const CATENARY: &str = "y = A cosh((x − x₀)/A), 31 digits";
const BESSEL: &str = "j/2 √(g/L), j the zeros of J₀ (Abramowitz and Stegun, table 9.5)";
const HOOKE: &str = "Hooke: (weight + half its own) · length / EA";
const WEIGHT: &str = "what hangs below, times g";
const ENERGY: &str = "energy does not come from nowhere";
const HALVED: &str = "3 at least: cubic splines, tensions of fourth order";
const CAPSTAN: &str = "Euler's e^(μπ)";
const SLIDE: &str = "the closed form v²/2μg";
const DENSE: &str = "dense matrices from eq. 3, power iteration in 4,000 rounds";

pub(crate) const TOPIC: Topic = Topic {
    name: "spline-ropes",
    title: "ropes that move by forces",
    checks: &[
        Check {
            name: "spline-rope-fall",
            what: "hemp thrown, after 1 s in 240 steps: worst of 21 places",
            unit: "m",
            source: FALL,
            counted: "m",
            bar: 1e-10,
            run: || Some(Outcome::worst(motion::fall(GRAVITY)?)),
        },
        Check {
            name: "spline-rope-fall-euler",
            what: "the same by rounds, semi-implicit and explicit, with Euler's half step",
            unit: "m",
            source: "the closed form p + vt + g(t² ± t dt)/2",
            counted: "m",
            bar: 1e-9,
            run: || Some(Outcome::worst(motion::fall_by_euler()?)),
        },
        Check {
            name: "spline-rope-pins",
            what: "four moving pins that come and go, hemp, 2 s: worst miss",
            unit: "m",
            source: "where each is held",
            counted: "m",
            bar: 1e-14,
            run: || Some(Outcome::worst(motion::pins(&hemp()?, Method::Implicit, 1.0 / 240.0)?)),
        },
        Check {
            name: "spline-rope-pins-other-methods",
            what: "the same, rubber, by rounds, semi-implicit and explicit: worst miss",
            unit: "m",
            source: "where each is held",
            counted: "m",
            bar: 1e-13,
            run: || Some(Outcome::worst(motion::pins_by_other_methods()?)),
        },
        Check {
            name: "spline-rope-catenary-12",
            what: "hung, after a swing, 12 segments: worst of 101 places",
            unit: "m",
            source: CATENARY,
            counted: "m",
            bar: 2e-4,
            run: || Some(Outcome::worst(rest::catenary(12)?)),
        },
        Check {
            name: "spline-rope-catenary-24",
            what: "the same, 24 segments",
            unit: "m",
            source: CATENARY,
            counted: "m",
            bar: 1e-5,
            run: || Some(Outcome::worst(rest::catenary(24)?)),
        },
        Check {
            name: "spline-rope-catenary-48",
            what: "the same, 48 segments",
            unit: "m",
            source: CATENARY,
            counted: "m",
            bar: 1e-6,
            run: || Some(Outcome::worst(rest::catenary(48)?)),
        },
        Check {
            name: "spline-rope-catenary-order-12",
            what: "the same: power of the segments, 12 to 24",
            unit: "",
            source: HALVED,
            counted: "short of it",
            bar: 0.0,
            run: || Some(Outcome::at_least(3.0, order(rest::catenary(12)?, rest::catenary(24)?))),
        },
        Check {
            name: "spline-rope-catenary-order-24",
            what: "the same, 24 to 48",
            unit: "",
            source: HALVED,
            counted: "short of it",
            bar: 0.0,
            run: || Some(Outcome::at_least(3.0, order(rest::catenary(24)?, rest::catenary(48)?))),
        },
        Check {
            name: "spline-rope-mode-1",
            what: "a hanging rope of 1 m: its first way of swinging",
            unit: "rad/s",
            source: BESSEL,
            counted: "relative",
            bar: 5e-4,
            run: || motion::mode_of(0, 40),
        },
        Check {
            name: "spline-rope-mode-2",
            what: "its second",
            unit: "rad/s",
            source: BESSEL,
            counted: "relative",
            bar: 5e-4,
            run: || motion::mode_of(1, 40),
        },
        Check {
            name: "spline-rope-mode-3",
            what: "its third",
            unit: "rad/s",
            source: BESSEL,
            counted: "relative",
            bar: 5e-4,
            run: || motion::mode_of(2, 40),
        },
        Check {
            name: "spline-rope-mode-order",
            what: "its third: power of the segments that the error falls with, 20 to 40",
            unit: "",
            source: "2.5 at least, measured",
            counted: "short of it",
            bar: 0.0,
            run: || {
                let error = |segments| Some(motion::mode_of(2, segments)?.error);
                Some(Outcome::at_least(2.5, order(error(20)?, error(40)?)))
            },
        },
        Check {
            name: "spline-rope-energy-told",
            what: "a swinging rope: joules of motion and height, worst of 20 frames",
            unit: "",
            source: "∫ ½ρ|v|² and ∫ ρgz by Simpson",
            counted: "of its weight times its length",
            bar: 1e-12,
            run: || Some(Outcome::worst(motion::energy_told()?)),
        },
        Check {
            name: "spline-rope-energy-air",
            what: "swinging 2 s in thick air: largest rise of energy from frame to frame",
            unit: "",
            source: ENERGY,
            counted: "of its weight times its length",
            bar: 0.0,
            run: || Some(Outcome::worst(motion::swing(1.0, 0.0)?.rise)),
        },
        Check {
            name: "spline-rope-energy-inner-friction",
            what: "the same, damped by nothing but its inner friction",
            unit: "",
            source: ENERGY,
            counted: "of its weight times its length",
            bar: 0.0,
            run: || Some(Outcome::worst(motion::swing(0.0, 0.01)?.rise)),
        },
        Check {
            name: "spline-rope-energy-bounded",
            what: "the same, undamped: largest energy above that of the start",
            unit: "",
            source: ENERGY,
            counted: "of its weight times its length",
            bar: 1e-6,
            run: || Some(Outcome::worst(motion::swing(0.0, 0.0)?.above)),
        },
        Check {
            name: "spline-rope-energy-kept",
            what: "the same: energy that the method has lost after 2 s",
            unit: "",
            source: "undamped, it loses none",
            counted: "of its weight times its length",
            bar: 1e-3,
            run: || Some(Outcome::worst(motion::swing(0.0, 0.0)?.lost)),
        },
        Check {
            name: "spline-rope-doubled",
            what: "swung by a hand for 1 s: power of the segments, tips with 8, 16, 32",
            unit: "",
            source: HALVED,
            counted: "short of it",
            bar: 0.0,
            run: || {
                let tip = |segments| motion::tip(segments, 480);
                let (a, b, c) = (tip(8)?, tip(16)?, tip(32)?);
                Some(Outcome::at_least(3.0, order(a.distance(b), b.distance(c))))
            },
        },
        Check {
            name: "spline-rope-halved",
            what: "the same, 16 segments: power of the step, 480, 960, 1,920 a second",
            unit: "",
            source: "2: backward differences of second order",
            counted: "",
            bar: 0.3,
            run: || {
                let tip = |rate| motion::tip(16, rate);
                let (a, b, c) = (tip(480)?, tip(960)?, tip(1920)?);
                Some(Outcome::absolute(2.0, order(a.distance(b), b.distance(c))))
            },
        },
        Check {
            name: "spline-rope-elongation",
            what: "2 m with 3 kg at the end, EA 5,000 N: how much longer it is",
            unit: "m",
            source: HOOKE,
            counted: "relative",
            bar: 1e-9,
            run: || Some(rest::loaded()?.elongation),
        },
        Check {
            name: "spline-rope-tension",
            what: "the same: tension at the top",
            unit: "N",
            source: WEIGHT,
            counted: "relative",
            bar: 1e-9,
            run: || Some(rest::loaded()?.top),
        },
        Check {
            name: "spline-rope-tension-along",
            what: "the same: worst tension of 21 places",
            unit: "N",
            source: WEIGHT,
            counted: "relative",
            bar: 1e-9,
            run: || Some(rest::loaded()?.along),
        },
        Check {
            name: "spline-rope-reaction",
            what: "the same: what the pin holds",
            unit: "N",
            source: WEIGHT,
            counted: "relative",
            bar: 1e-9,
            run: || Some(rest::loaded()?.reaction),
        },
        Check {
            name: "spline-rope-beam",
            what: "a stiff rod on two supports under its own weight: sag of its middle",
            unit: "m",
            source: "5 w L⁴ / 384 EI",
            counted: "relative",
            bar: 1e-6,
            run: rest::beam,
        },
        Check {
            name: "spline-rope-wind",
            what: "2 m of rope in a wind of 6 m/s: how far it leans",
            unit: "degrees",
            source: "drag and weight across it: sin φ / cos² φ = ½ ρ C d w² / mg",
            counted: "degrees",
            bar: 1e-6,
            run: rest::wind,
        },
        Check {
            name: "spline-rope-viscosity",
            what: "viscosity 1.5, 1,000 steps: speed left after 1 s",
            unit: "m/s",
            source: "e^(−ct)",
            counted: "relative",
            bar: 2e-6,
            run: || motion::slowed(Method::Implicit),
        },
        Check {
            name: "spline-rope-viscosity-published",
            what: "the same by the published step",
            unit: "m/s",
            source: "(1 − c dt)ⁿ, which is e^(−ct) to first order",
            counted: "relative",
            bar: 1e-12,
            run: || motion::slowed(Method::Explicit),
        },
        Check {
            name: "spline-rope-slide",
            what: "pushed along a floor with 2 m/s, friction 0.5: how far it slides",
            unit: "m",
            source: SLIDE,
            counted: "relative",
            bar: 2e-3,
            run: || contact::slide(Method::Implicit, 1.0 / 240.0),
        },
        Check {
            name: "spline-rope-slide-semi-implicit",
            what: "the same, semi-implicit, 1,000 steps a second",
            unit: "m",
            source: SLIDE,
            counted: "relative",
            bar: 1e-2,
            run: || contact::slide(Method::SemiImplicit, 1e-3),
        },
        Check {
            name: "spline-rope-capstan",
            what: "half a turn around a beam, friction 0.4: most that one weight holds",
            unit: "",
            source: CAPSTAN,
            counted: "relative",
            bar: 0.03,
            run: contact::capstan,
        },
        Check {
            name: "spline-rope-fastest-11",
            what: "the paper's rope, 11 control points and 20 springs: fastest ω² m/k",
            unit: "",
            source: DENSE,
            counted: "relative",
            bar: 1e-4,
            run: || limits::fastest(11, 20),
        },
        Check {
            name: "spline-rope-fastest-21",
            what: "the same, 21 and 40",
            unit: "",
            source: DENSE,
            counted: "relative",
            bar: 1e-4,
            run: || limits::fastest(21, 40),
        },
        Check {
            name: "spline-rope-limit-semi-implicit",
            what: "the paper's rope, taut: step above which it turns diverged, times ω/2",
            unit: "",
            source: "1: 2/ω, ω from the dense matrices",
            counted: "relative",
            bar: 1e-4,
            run: || limits::turns(Method::SemiImplicit),
        },
        Check {
            name: "spline-rope-limit-explicit",
            what: "the same by the published step in air with c = ω: times ω²/c",
            unit: "",
            source: "1: c/ω², ω from the dense matrices",
            counted: "relative",
            bar: 5e-3,
            run: || limits::turns(Method::Explicit),
        },
        Check {
            name: "spline-rope-limit-told",
            what: "the longest step it tells, semi-implicit, over the limit",
            unit: "",
            source: "0.8 of 2/ω, ω from the dense matrices",
            counted: "relative",
            bar: 1e-4,
            run: limits::told,
        },
        Check {
            name: "spline-rope-rounds",
            what: "a soft rope by 10 rounds, 2,000 steps a second: tip after 0.4 s",
            unit: "m",
            source: "the implicit step",
            counted: "m",
            bar: 5e-3,
            run: || Some(Outcome::worst(motion::apart(Method::LocalGlobal { rounds: 10 }, 2000)?)),
        },
        Check {
            name: "spline-rope-semi-implicit",
            what: "the same rope, semi-implicit, 20,000 steps a second",
            unit: "m",
            source: "the implicit step",
            counted: "m",
            bar: 1e-3,
            run: || Some(Outcome::worst(motion::apart(Method::SemiImplicit, 20_000)?)),
        },
        Check {
            name: "spline-rope-frame-rates",
            what: "one document at 24, 60 and 144 frames a second: worst difference",
            unit: "m",
            source: "the same motion",
            counted: "m",
            bar: 1e-9,
            run: || Some(Outcome::worst(shot::frame_rates()?)),
        },
    ],
};

/// As ropes have it unless told otherwise.
const GRAVITY: f64 = 9.81;

/// 21 points from one to the other.
fn line(from: DVec3, to: DVec3) -> Vec<DVec3> {
    (0..=20).map(|i| from.lerp(to, f64::from(i) / 20.0)).collect()
}

/// A hemp rope of 1 cm.
fn hemp() -> Option<Section> {
    Some(Material::find("hemp")?.at_radius(0.005))
}

/// A rope of 0.1 kg/m that neither bends back nor loses motion.
fn ideal(stretch: f64) -> Section {
    Section { mass_per_metre: 0.1, stretch, bend: 0.0, compression: 0.1, inner_friction: 0.0 }
}

/// A rope laid straight.
fn laid(from: DVec3, to: DVec3, build: &Build) -> Option<SplineRope> {
    SplineRope::along(&line(from, to), build).ok()
}

/// Lets a rope come to rest; nothing if it does not.
fn settle(rope: &mut SplineRope, viscosity: f64, dt: f64, steps: usize) -> Option<()> {
    rope.viscosity = viscosity;
    for _ in 0..steps {
        rope.step(dt).ok()?;
    }
    let fastest = worst(rope.state.velocities.iter().map(|v| v.length()));
    (fastest < 1e-6).then_some(())
}

/// The power of the refinement that errors fall with, if it doubles.
fn order(coarse: f64, fine: f64) -> f64 {
    lariat_core::num::ops::ln(coarse / fine) / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_gravity_would_be_seen() {
        assert!(motion::fall(GRAVITY).unwrap() < 1e-10);
        assert!(motion::fall(GRAVITY + 1e-9).unwrap() > 2e-10);
    }
}
