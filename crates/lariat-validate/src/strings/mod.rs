//! Strings: at rest, swinging, twisted, torn, touching.
//!
//! References are closed forms, the catenary of 31 digits, zeros of Bessel's function, 100 pendulums in
//! angles for the falling rope, and strings as published (`lariat-papers`).
//!
//! ```text
//! rest.rs     tension, stretch, a beam, the catenary
//! motion.rs   falling, swinging, momentum, recoil
//! twist.rs    twist: distribution, torsion pendulum, a loop
//! tear.rs     order of tears, permanent strain
//! contact.rs  touching pairs, sliding
//! ties.rs     strings tied to solids
//! ```

mod contact;
mod motion;
mod rest;
mod tear;
mod ties;
mod twist;

use std::f64::consts::PI;

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::{Build, Clamp, Strings};

use super::check::topic;

const BESSEL: &str = "j/2 √(g/L), j the first zero of J₀ (Abramowitz and Stegun, table 9.5)";
const SUMMED: &str = "Σ m v and Σ m x × v + I ω t, before the step";
const ORDER: &str = "figure 7 of the paper";

topic! { "strings": "strings: twist, tearing, contact";

    "string-tension": "a chain with a weight at its tip: worst of 40 tensions",
        "weight below", 1e-6 ["relative"], rest::tension(GRAVITY);
    "string-tension-published": "the same without the weight, by the simulator of the paper (R6 corrected)",
        "weight below", 1e-6 ["relative"], rest::tension_as_published();
    "string-sag-tension": "1.2 m between clamps 1 m apart, 40 segments: worst tension",
        "the simulator of the paper", 0.03 ["relative"], rest::methods_apart(0.1)?[0];
    "string-sag-place": "the same: worst place" ["m"],
        "the simulator of the paper", 0.01 ["m"], rest::methods_apart(0.1)?[1];
    "string-hooke": "a rubber cord of 1 m with 100 g: elongation" ["m"],
        "Hooke: (weight + half its own) · length / EA", 1e-4 ["relative"], rest::hooke();
    "string-catenary": "1.5 m between clamps 1 m apart, 100 segments: worst place" ["m"],
        "y = A cosh((x − x₀)/A), 31 digits", 1e-3 ["m"], rest::catenary(100);
    "string-cantilever": "a rod held level at one end, by shape matching: sag of its tip" ["m"],
        "Euler and Bernoulli: ρ A g L⁴ / 8 EI", 5e-3 ["relative"], rest::cantilever();
    "string-momentum": "a spinning rubber string in free flight: worst change in a step",
        SUMMED, 1e-12 ["of Σ m |v|"], motion::kept()?.0;
    "string-angular-momentum": "the same, with spins: worst change in a step",
        SUMMED, 1e-12 ["of Σ m |v| |x|"], motion::kept()?.1;
    "string-tip":
        "a rope of 1 m let go level, 100 segments, 80 steps a second: tip after 0.4 s" ["m"],
        "100 pendulums, angles by Runge-Kutta", 2e-3 ["m"], motion::tip(1.0 / 80.0);
    "string-tip-fine": "the same, 250 steps a second" ["m"],
        "100 pendulums, angles by Runge-Kutta", 4e-4 ["m"], motion::tip(1.0 / 250.0);
    "string-mode-1": "a hanging string of 1.5 m: first natural frequency" ["rad/s"],
        BESSEL, 2e-3 ["relative"], motion::first_mode();
    "string-recoil": "rubber stretched by 2 % and let go: speed behind the wave" ["m/s"],
        "ε √(E/ρ)", 0.05 ["relative"], motion::recoil();
    "string-twist-even": "turned at one end: worst joint",
        "a line from end to end", 1e-6 ["relative"], twist::profile(&[1.0, 1.0, 1.0]);
    "string-twist-piecewise": "the same, stiffness 1 : 4 : 1 in thirds: worst joint",
        "one torque everywhere: twist as 4 : 1 : 4",
        1e-4 ["relative"], twist::profile(&[1.0, 4.0, 1.0]);
    "string-twist-pendulum": "a body on a twisted string of 1 m, 20 segments: torsional period" ["s"],
        "2π √((I + I′/3) L / GJ), I′ of the string, L = 0.95 m between first and last segment centre",
        0.01 ["relative"], twist::pendulum();
    "string-loop": "a straight string bent into one full loop: rotation of its sides" ["turns"],
        "1: the solid angle of half a sphere", 1e-3 ["turns"], twist::one_loop();
    "string-tears-by-strength": "four strings pulled, strength rising: number that tear in order",
        ORDER,
        0.0 ["strings"], tear::in_turn(|k, material| material.rupture_stress *= 0.5 + 0.1 * k as f64);
    "string-tears-by-softness":
        "four strings pulled, Young's modulus falling: number that tear in order",
        ORDER, 0.0 ["strings"], tear::in_turn(|k, material| material.modulus /= 1.0 + 0.2 * k as f64);
    "string-tears-at": "the first of the former: strain at which it tore",
        "σ/E of its rupture point", 0.05 ["relative"], tear::longer();
    "string-tears-by-twist": "four strings wound up, shear rising: worst angle at which one tears",
        "γ L / r, in the order of figure 7", 0.05 ["relative"], tear::wound();
    "string-set": "licorice pulled to 1.6 times its yield point and released: permanent strain",
        "(σ − σ_y)(1/E_p − 1/E)", 0.02 ["relative"], tear::stays_longer();
    "string-contacts-missed":
        "a million pairs of random capsules: found wrongly or missed" ["pairs"],
        "each pair by ternary search", 0.0 ["pairs"], contact::missed(1000);
    "string-slide": "pushed across a floor with 1 m/s and a friction of 0.3: sliding distance" ["m"],
        "the closed form v²/2μg", 0.05 ["relative"], contact::slide();
    "tie-weight": "a box of 1.5 kg on half a metre of hemp: force on its clamp" ["N"],
        "(box + string) · g", 1e-6 ["relative"], ties::weight();
    "tie-pendulum": "a box on 0.5 m of twisted rubber cord, 25 segments: torsional period" ["s"],
        "2π √((I + I′/3) L / GJ), I′ of the string, L = 0.48 m between first and last segment centre",
        1e-3 ["relative"], ties::pendulum();
    "tie-swing": "a ball swings on a light thread: period" ["s"],
        "slower period of a double pendulum", 1e-3 ["relative"], ties::swing();
    "tie-momentum": "a spinning box and a ball on a string in free flight, 4 s: worst change",
        SUMMED, 1e-11 ["of Σ m |v|"], ties::kept()?.0;
    "tie-angular-momentum": "the same, with spins: worst change in 4 s",
        SUMMED, 1e-9 ["relative"], ties::kept()?.1;
}

/// Default gravity of strings, in m/s².
const GRAVITY: f64 = 9.81;

fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

/// A chain of 0.1 kg/m, held at its first point, without contact.
fn chain(points: Vec<DVec3>) -> Option<Strings> {
    let first = *points.first()?;
    let mut strings = Strings::of(&Build::chain(points, 0.1)).ok()?;
    strings.settings.contact = false;
    strings.clamps.push(Clamp::at(0, first));
    Some(strings)
}

fn rubber() -> Option<Material> {
    Material::find("rubber").copied()
}

/// Period of a body with this moment of inertia on a twisted string: 2π √((I + I′/3) L / GJ).
///
/// A segment has one angle, so the string twists between the centres of its first and last
/// segment: `length` is (n − 1)/n of that of a string with n segments.
fn torsional_period(material: &Material, radius: f64, length: f64, inertia: f64) -> f64 {
    let polar = 0.5 * PI * radius * radius * radius * radius;
    let (stiffness, own) =
        (material.shear_modulus * polar / length, material.density * polar * length);
    2.0 * PI * ((inertia + own / 3.0) / stiffness).sqrt()
}

fn run(strings: &mut Strings, seconds: f64, dt: f64) -> Option<()> {
    for _ in 0..(seconds / dt).round() as u32 {
        strings.step(dt).ok()?;
    }
    Some(())
}
