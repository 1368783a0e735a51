//! Strings that twist, tear and flick: at rest, swinging, twisted, torn, touching.
//!
//! References are closed forms, the catenary of 31 digits, the zeros of Bessel's function, and for
//! the falling rope a hundred pendulums in angles, which know no tension. Momentum is summed up here
//! from places and speeds, and contacts are looked for between all pairs by another search.
//!
//! ```text
//! rest.rs     at rest: tension, stretch, a beam, the catenary
//! motion.rs   falling, swinging, keeping momentum, recoiling
//! twist.rs    spreading, turning back and forth, a loop
//! tear.rs     what tears first, and what stays
//! contact.rs  pairs that touch, sliding, a knot
//! ties.rs     tied to solids: hanging, turning, swinging, flying
//! ```
//!
//! Tests: in the files.

mod contact;
mod motion;
mod rest;
mod tear;
mod ties;
mod twist;

use glam::DVec3;
use lariat_string::{Build, Clamp, Fibre, Strings};

use super::check::{Check, Outcome, Topic};

const BESSEL: &str = "j/2 √(g/L), j the first zero of J₀ (Abramowitz and Stegun, table 9.5)";
const SUMMED: &str = "Σ m v and Σ m x × v + I ω t, summed up here, before the step";
const ORDER: &str = "figure 7 of the paper";

pub(crate) const TOPIC: Topic = Topic {
    name: "strings",
    title: "strings that twist, tear and flick",
    checks: &[
        Check {
            name: "string-tension",
            what: "a chain with a weight at its tip: worst of 40 tensions",
            unit: "",
            source: "what hangs below, times g",
            counted: "relative",
            bar: 1e-6,
            run: || Some(Outcome::worst(rest::tension(GRAVITY)?)),
        },
        Check {
            name: "string-tension-sweeps",
            what: "the same without the weight, by the published sweeps (R6 mended)",
            unit: "",
            source: "what hangs below, times g",
            counted: "relative",
            bar: 1e-6,
            run: || Some(Outcome::worst(rest::tension_by_sweeps()?)),
        },
        Check {
            name: "string-hooke",
            what: "a rubber cord of 1 m with 100 g: how much longer",
            unit: "m",
            source: "Hooke: (weight + half its own) · length / EA",
            counted: "relative",
            bar: 1e-4,
            run: rest::hooke,
        },
        Check {
            name: "string-catenary",
            what: "1.5 m between clamps 1 m apart, 100 segments: worst place",
            unit: "m",
            source: "y = A cosh((x − x₀)/A), 31 digits",
            counted: "m",
            bar: 1e-3,
            run: || Some(Outcome::worst(rest::catenary(100)?)),
        },
        Check {
            name: "string-cantilever",
            what: "a rod held level at one end, by shape matching: sag of its tip",
            unit: "m",
            source: "Euler and Bernoulli: ρ A g L⁴ / 8 EI",
            counted: "relative",
            bar: 5e-3,
            run: rest::cantilever,
        },
        Check {
            name: "string-momentum",
            what: "a spinning rubber string in free flight: worst change in a step",
            unit: "",
            source: SUMMED,
            counted: "of Σ m |v|",
            bar: 1e-12,
            run: || Some(Outcome::worst(motion::kept()?.0)),
        },
        Check {
            name: "string-angular-momentum",
            what: "the same, with spins: worst change in a step",
            unit: "",
            source: SUMMED,
            counted: "of Σ m |v| |x|",
            bar: 1e-12,
            run: || Some(Outcome::worst(motion::kept()?.1)),
        },
        Check {
            name: "string-tip",
            what: "a rope of 1 m let go level, 100 segments, 80 steps a second: tip after 0.4 s",
            unit: "m",
            source: "100 pendulums, angles by Runge and Kutta",
            counted: "m",
            bar: 2e-3,
            run: || Some(Outcome::worst(motion::tip(1.0 / 80.0)?)),
        },
        Check {
            name: "string-tip-fine",
            what: "the same, 250 steps a second",
            unit: "m",
            source: "100 pendulums, angles by Runge and Kutta",
            counted: "m",
            bar: 4e-4,
            run: || Some(Outcome::worst(motion::tip(1.0 / 250.0)?)),
        },
        Check {
            name: "string-mode-1",
            what: "a hanging string of 1.5 m: its first way of swinging",
            unit: "rad/s",
            source: BESSEL,
            counted: "relative",
            bar: 2e-3,
            run: motion::first_mode,
        },
        Check {
            name: "string-recoil",
            what: "rubber stretched by 2 % and let go: speed behind the wave",
            unit: "m/s",
            source: "ε √(E/ρ)",
            counted: "relative",
            bar: 0.05,
            run: motion::recoil,
        },
        Check {
            name: "string-twist-even",
            what: "turned at one end: worst joint",
            unit: "",
            source: "a line from end to end",
            counted: "relative",
            bar: 1e-6,
            run: || Some(Outcome::worst(twist::profile(&[1.0, 1.0, 1.0])?)),
        },
        Check {
            name: "string-twist-piecewise",
            what: "the same, stiffness 1 : 4 : 1 in thirds: worst joint",
            unit: "",
            source: "one torque everywhere: twist as 4 : 1 : 4",
            counted: "relative",
            bar: 1e-4,
            run: || Some(Outcome::worst(twist::profile(&[1.0, 4.0, 1.0])?)),
        },
        Check {
            name: "string-twist-pendulum",
            what: "a body on a string turns back and forth: its period",
            unit: "s",
            source: "2π √((I + I′/3) Σ 1/k), I′ the string's own",
            counted: "relative",
            bar: 0.01,
            run: twist::pendulum,
        },
        Check {
            name: "string-loop",
            what: "a straight string bent into one full loop: how its sides have turned",
            unit: "turns",
            source: "1: the solid angle of half a sphere",
            counted: "turns",
            bar: 1e-3,
            run: twist::one_loop,
        },
        Check {
            name: "string-tears-by-strength",
            what: "four strings pulled, strength rising: how many tear in their turn",
            unit: "",
            source: ORDER,
            counted: "strings",
            bar: 0.0,
            run: || tear::in_turn(|k, fibre| fibre.rupture_stress *= 0.5 + 0.1 * k as f64),
        },
        Check {
            name: "string-tears-by-softness",
            what: "four strings pulled, Young's modulus falling: how many tear in their turn",
            unit: "",
            source: ORDER,
            counted: "strings",
            bar: 0.0,
            run: || tear::in_turn(|k, fibre| fibre.modulus /= 1.0 + 0.2 * k as f64),
        },
        Check {
            name: "string-tears-at",
            what: "the first of the former: how much longer it was when it tore",
            unit: "",
            source: "σ/E of its rupture point",
            counted: "relative",
            bar: 0.05,
            run: tear::longer,
        },
        Check {
            name: "string-tears-by-twist",
            what: "four strings wound up, shear rising: worst angle at which one tears",
            unit: "",
            source: "γ L / r, in the order of figure 7",
            counted: "relative",
            bar: 0.05,
            run: || Some(Outcome::worst(tear::wound()?)),
        },
        Check {
            name: "string-set",
            what: "licorice pulled to 1.6 times its yield point and let go: what stays",
            unit: "",
            source: "(σ − σ_y)(1/E_p − 1/E)",
            counted: "relative",
            bar: 0.02,
            run: tear::stays_longer,
        },
        Check {
            name: "string-contacts-missed",
            what: "a million pairs of random capsules: found wrongly or not at all",
            unit: "pairs",
            source: "each pair by itself, by thirds",
            counted: "pairs",
            bar: 0.0,
            run: || Some(Outcome::worst(contact::missed(1000)?)),
        },
        Check {
            name: "string-slide",
            what: "pushed across a floor with 1 m/s and a friction of 0.3: how far",
            unit: "m",
            source: "the closed form v²/2μg",
            counted: "relative",
            bar: 0.05,
            run: contact::slide,
        },
        Check {
            name: "tie-weight",
            what: "a box of 1.5 kg on half a metre of hemp: what its clamp holds",
            unit: "N",
            source: "(box + string) · g",
            counted: "relative",
            bar: 1e-6,
            run: ties::weight,
        },
        Check {
            name: "tie-pendulum",
            what: "a box on a wound rubber cord turns back and forth: its period",
            unit: "s",
            source: "2π √((I + I′/3) L / GJ), I′ the string's own",
            counted: "relative",
            bar: 1e-3,
            run: ties::pendulum,
        },
        Check {
            name: "tie-swing",
            what: "a ball on a light thread swings: its period",
            unit: "s",
            source: "the slower of a double pendulum's two",
            counted: "relative",
            bar: 1e-3,
            run: ties::swing,
        },
        Check {
            name: "tie-momentum",
            what: "a spinning box and a ball on a string in free flight, 4 s: worst change",
            unit: "",
            source: SUMMED,
            counted: "of Σ m |v|",
            bar: 1e-11,
            run: || Some(Outcome::worst(ties::kept()?.0)),
        },
        Check {
            name: "tie-angular-momentum",
            what: "the same, with spins: worst change in 4 s",
            unit: "",
            source: SUMMED,
            counted: "relative",
            bar: 1e-9,
            run: || Some(Outcome::worst(ties::kept()?.1)),
        },
    ],
};

/// As strings have it unless told otherwise.
const GRAVITY: f64 = 9.81;

fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

/// A chain of a tenth of a kilogram a metre, held at its first point, that touches nothing.
fn chain(points: Vec<DVec3>) -> Option<Strings> {
    let first = *points.first()?;
    let mut strings = Strings::of(&Build::chain(points, 0.1)).ok()?;
    strings.settings.contact = false;
    strings.clamps.push(Clamp::at(0, first));
    Some(strings)
}

fn rubber() -> Option<Fibre> {
    Fibre::find("rubber-cord").copied()
}

fn run(strings: &mut Strings, seconds: f64, dt: f64) -> Option<()> {
    for _ in 0..(seconds / dt).round() as u32 {
        strings.step(dt).ok()?;
    }
    Some(())
}
