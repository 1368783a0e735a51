//! Spline ropes: falling, held, hung, swinging, stretched, blown, sliding.
//!
//! References are closed forms, the catenary with 31 digits, zeros of the Bessel function, and a dense
//! matrix for the fastest vibration. Rows about orders compare runs with each other; rows that compare
//! with the rope of the paper (`lariat-papers`) say so.
//!
//! ```text
//! rest.rs     catenary, Hooke's law, tension, a beam, wind
//! motion.rs   falling, pins, swinging, energy, orders, viscosity, the rope of the paper
//! contact.rs  sliding and the capstan
//! limits.rs   stability limits
//! shot.rs     a document at several frame rates
//! ```
//!
//! Tests: `another_gravity_would_be_seen`, and those of the files.

mod contact;
mod limits;
mod motion;
mod rest;
mod shot;

use glam::DVec3;
use lariat_core::dynamics::material::{Material, Section};
use lariat_core::dynamics::spline_rope::{Build, SplineRope};
use lariat_papers::tuzel::{self, Step};

use super::check::{Outcome, topic};
use super::reference::{order, worst};

const FALL: &str = "the closed form p + vt + gt²/2";
const CATENARY: &str = "y = A cosh((x − x₀)/A), 31 digits";
const BESSEL: &str = "j/2 √(g/L), j the zeros of J₀ (Abramowitz and Stegun, table 9.5)";
const HOOKE: &str = "Hooke: (load + half the weight of the rope) · length / EA";
const WEIGHT: &str = "weight below each point";
const ENERGY: &str = "0: energy does not increase";
const HALVED: &str = "at least 3: cubic splines, tensions of fourth order";
const CAPSTAN: &str = "Euler's e^(μπ)";
const SLIDE: &str = "the closed form v²/2μg";
const DENSE: &str = "dense matrices from eq. 3, 4,000 power iterations";

topic! { "spline-ropes": "spline ropes (Tuzel et al.)";

    "spline-rope-fall": "thrown hemp rope after 1 s in 240 steps: worst of 21 points" ["m"],
        FALL, 1e-10 ["m"], motion::fall(GRAVITY);
    "spline-rope-fall-euler":
        "the rope of the paper, semi-implicit and explicit: worst of 21 points" ["m"],
        "the closed form p + vt + g(t² ± t dt)/2", 1e-9 ["m"], motion::fall_by_euler();
    "spline-rope-pins": "hemp, 2 s, four moving pins, switched on and off: worst distance" ["m"],
        "target of each pin", 1e-14 ["m"], motion::pins(&hemp()?, 1.0 / 240.0);
    "spline-rope-catenary-12": "hanging at rest after a swing, 12 segments: worst of 101 points" ["m"],
        CATENARY, 2e-4 ["m"], rest::catenary(12);
    "spline-rope-catenary-24": "the same, 24 segments" ["m"],
        CATENARY, 1e-5 ["m"], rest::catenary(24);
    "spline-rope-catenary-48": "the same, 48 segments" ["m"],
        CATENARY, 1e-6 ["m"], rest::catenary(48);
    "spline-rope-catenary-order-12": "the same: order in the number of segments, 12 to 24",
        HALVED,
        0.0 ["short"], Outcome::at_least(3.0, order(rest::catenary(12)?, rest::catenary(24)?));
    "spline-rope-catenary-order-24": "the same, 24 to 48",
        HALVED,
        0.0 ["short"], Outcome::at_least(3.0, order(rest::catenary(24)?, rest::catenary(48)?));
    "spline-rope-mode-1": "a hanging rope of 1 m: first natural frequency" ["rad/s"],
        BESSEL, 2e-4 ["relative"], motion::mode_of(0, 40);
    "spline-rope-mode-2": "the same: second natural frequency" ["rad/s"],
        BESSEL, 2e-4 ["relative"], motion::mode_of(1, 40);
    "spline-rope-mode-3": "the same: third natural frequency" ["rad/s"],
        BESSEL, 2e-4 ["relative"], motion::mode_of(2, 40);
    "spline-rope-mode-order":
        "third frequency: order in the number of segments, 20 to 40",
        "at least 2.5, measured", 0.0 ["short"], {
            let error = |segments| Some(motion::mode_by_steps(2, segments, 2000)?.error);
            Some(Outcome::at_least(2.5, order(error(20)?, error(40)?)))
        };
    "spline-rope-energy-reported": "a swinging rope: kinetic and potential energy, worst of 20 frames",
        "∫ ½ρ|v|² and ∫ ρgz by Simpson",
        1e-12 ["of its weight times its length"], motion::energy_reported();
    "spline-rope-energy-air":
        "swinging 2 s in thick air: largest rise of energy from frame to frame",
        ENERGY, 0.0 ["of its weight times its length"], motion::swing(1.0, 0.0)?.rise;
    "spline-rope-energy-inner-friction": "the same, damped by inner friction only",
        ENERGY, 0.0 ["of its weight times its length"], motion::swing(0.0, 0.01)?.rise;
    "spline-rope-energy-bounded": "the same, undamped: largest energy above that of the start",
        ENERGY, 1e-6 ["of its weight times its length"], motion::swing(0.0, 0.0)?.above;
    "spline-rope-energy-kept": "the same: energy lost by the method after 2 s",
        "0: undamped",
        1e-3 ["of its weight times its length"], motion::swing(0.0, 0.0)?.lost;
    "spline-rope-doubled": "end moved for 1 s: order in the number of segments, tips with 8, 16, 32",
        HALVED, 0.0 ["short"], {
            let tip = |segments| motion::tip(segments, 480);
            let (a, b, c) = (tip(8)?, tip(16)?, tip(32)?);
            Some(Outcome::at_least(3.0, order(a.distance(b), b.distance(c))))
        };
    "spline-rope-halved": "the same, 16 segments: order in the step, 480, 960, 1,920 per second",
        "2: backward differences of second order", 0.3, {
            let tip = |rate| motion::tip(16, rate);
            let (a, b, c) = (tip(480)?, tip(960)?, tip(1920)?);
            Some(Outcome::absolute(2.0, order(a.distance(b), b.distance(c))))
        };
    "spline-rope-elongation": "2 m with 3 kg at the end, EA 5,000 N: elongation" ["m"],
        HOOKE, 1e-9 ["relative"], rest::loaded()?.elongation;
    "spline-rope-tension": "the same: tension at the top" ["N"],
        WEIGHT, 1e-9 ["relative"], rest::loaded()?.top;
    "spline-rope-tension-along": "the same: worst tension error of 21 points",
        WEIGHT, 1e-9 ["relative"], rest::loaded()?.along;
    "spline-rope-reaction": "the same: reaction at the pin" ["N"],
        WEIGHT, 1e-9 ["relative"], rest::loaded()?.reaction;
    "spline-rope-beam": "a stiff rod on two supports under its own weight: sag at the middle" ["m"],
        "5 w L⁴ / 384 EI", 1e-6 ["relative"], rest::beam();
    "spline-rope-wind": "2 m of rope in a wind of 6 m/s: angle of lean" ["degrees"],
        "balance of drag and weight: sin φ / cos² φ = ½ ρ C d w² / mg",
        1e-6 ["degrees"], rest::wind();
    "spline-rope-viscosity": "viscosity 1.5, 1,000 steps: speed after 1 s" ["m/s"],
        "e^(−ct)", 2e-6 ["relative"], motion::slowed();
    "spline-rope-viscosity-published": "the same with the published step" ["m/s"],
        "(1 − c dt)ⁿ, which is e^(−ct) to first order",
        1e-12 ["relative"], motion::slowed_as_published();
    "spline-rope-slide": "sliding on a floor from 2 m/s, friction 0.5: distance" ["m"],
        SLIDE, 2e-3 ["relative"], contact::slide();
    "spline-rope-slide-semi-implicit": "the same, rope of the paper, semi-implicit, 1,000 steps per second" ["m"],
        SLIDE, 1e-2 ["relative"], contact::slide_as_published();
    "spline-rope-capstan": "half a turn around a beam, friction 0.4: largest ratio of loads that holds",
        CAPSTAN, 0.03 ["relative"], contact::capstan();
    "spline-rope-fastest-11": "the paper's rope, 11 control points and 20 springs: fastest ω² m/k",
        DENSE, 1e-4 ["relative"], limits::fastest(11, 20);
    "spline-rope-fastest-21": "the same, 21 and 40",
        DENSE, 1e-4 ["relative"], limits::fastest(21, 40);
    "spline-rope-limit-semi-implicit":
        "the paper's rope, taut: step above which it diverges, times ω/2",
        "1: 2/ω, ω from the dense matrices", 1e-4 ["relative"], limits::diverging_step(Step::SemiImplicit);
    "spline-rope-limit-explicit": "the same with the published step in air with c = ω: times ω²/c",
        "1: c/ω², ω from the dense matrices", 5e-3 ["relative"], limits::diverging_step(Step::Explicit);
    "spline-rope-limit-reported": "reported longest step, semi-implicit, relative to the limit",
        "0.8 of 2/ω, ω from the dense matrices", 1e-4 ["relative"], limits::reported();
    "spline-rope-published": "a hanging rope set swinging: tip after 0.5 s" ["m"],
        "the rope of the paper, 60 springs, semi-implicit", 1e-3 ["m"], motion::beside_published();
    "spline-rope-frame-rates":
        "one document at 24, 60 and 144 frames per second: worst difference" ["m"],
        "the same motion", 1e-9 ["m"], shot::frame_rates();
}

/// Default gravity, in m/s².
const GRAVITY: f64 = 9.81;

/// 21 points from `from` to `to`.
fn line(from: DVec3, to: DVec3) -> Vec<DVec3> {
    (0..=20).map(|i| from.lerp(to, f64::from(i) / 20.0)).collect()
}

/// Section of a hemp rope, 1 cm thick.
fn hemp() -> Option<Section> {
    Some(Material::find("hemp")?.at_radius(0.005))
}

/// Section of 0.1 kg/m without bending stiffness and inner friction.
fn ideal(stretch: f64) -> Section {
    Section { mass_per_metre: 0.1, stretch, bend: 0.0, compression: 0.1, inner_friction: 0.0 }
}

/// A straight rope.
fn laid(from: DVec3, to: DVec3, build: &Build) -> Option<SplineRope> {
    SplineRope::along(&line(from, to), build).ok()
}

/// A straight rope of the paper.
fn published(from: DVec3, to: DVec3, build: &tuzel::Build) -> Option<tuzel::Rope> {
    tuzel::Rope::along(&line(from, to), build).ok()
}

/// Lets a rope come to rest; `None` if it does not.
fn settle(rope: &mut SplineRope, viscosity: f64, dt: f64, steps: usize) -> Option<()> {
    rope.viscosity = viscosity;
    for _ in 0..steps {
        rope.step(dt).ok()?;
    }
    let fastest = worst(rope.state.velocities.iter().map(|v| v.length()));
    (fastest < 1e-6).then_some(())
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
