//! Simulated solids: bounce and friction.
//!
//! References are closed forms. Solids are stepped as in a document, 240 times per second unless the row
//! says otherwise.

use glam::{DQuat, DVec3};
use lariat_core::model::layer::Collider;
use lariat_rigid::{Shape, Solid, Tied};

use super::check::{Outcome, topic};
use super::reference::worst;

const BOUNCE: &str = "e² h";
const SLIDE: &str = "the closed form v²/2μg";

topic! { "solids": "solids: bounce and friction";

    "solid-bounce": "a ball dropped from 1 m, bounces 0.3, 0.5, 0.8 and 1: worst height",
        BOUNCE, 1e-3 ["of 1 m"], bounces(ball(), 240.0);
    "solid-bounce-coarse": "the same, 60 steps a second",
        BOUNCE, 1e-3 ["of 1 m"], bounces(ball(), 60.0);
    "solid-bounce-box": "the same of a box that lands flat",
        BOUNCE, 1e-3 ["of 1 m"], bounces(slab(), 240.0);
    "solid-bounce-elastic": "a ball with bounce 1 dropped from 1 m: height after a minute" ["m"],
        "1 m", 1e-3 ["m"], elastic();
    "solid-bounce-pair": "balls with bounces 0.2 and 0.8 meet with 2 m/s: speed apart" ["m/s"],
        "mean of both times 2 m/s", 1e-6 ["relative"], pair();
    "solid-slide": "a box pushed with 2 m/s, frictions 0.1, 0.5, 1 and 1.2: worst distance",
        SLIDE, 5e-3 ["relative"], slides(240.0);
    "solid-slide-coarse": "the same, 60 steps a second",
        SLIDE, 5e-3 ["relative"], slides(60.0);
    "solid-ice": "the same without friction, after 2 s" ["m"],
        "v t", 1e-9 ["relative"], ice();
    "solid-slide-pair": "a box with friction 0.1 on a board with 0.9: sliding distance" ["m"],
        "the closed form with the mean of both", 5e-3 ["relative"], slides_on_board();
    "solid-slope-holds": "a box on a slope 2 % below its friction: worst distance in 2 s" ["m"],
        "0: tan φ < μ", 1e-4 ["m"], slopes(0.98);
    "solid-slope-slides": "the same 2 % above it: worst distance",
        "g (sin φ − μ cos φ) t²/2", 5e-3 ["relative"], slopes(1.02);
}

/// Gravity of solids, in m/s².
const GRAVITY: f64 = 9.81;

/// Half the height of the box, and the radius of the ball, in metres.
const LOW: f64 = 0.05;

fn ball() -> Solid {
    Solid::new(Shape::Ball { radius: LOW }, 1.0, DVec3::Z * LOW)
}

fn slab() -> Solid {
    Solid::new(Shape::Box { half: DVec3::new(0.2, 0.2, LOW) }, 2.0, DVec3::Z * LOW)
}

fn world(solids: Vec<Solid>, ground: Vec<Collider>) -> Tied {
    let mut tied = Tied::new();
    tied.solids.solids = solids;
    tied.solids.ground = ground;
    tied
}

fn run(tied: &mut Tied, seconds: f64, rate: f64) -> Option<()> {
    for _ in 0..(seconds * rate).round() as u32 {
        tied.step(1.0 / rate).ok()?;
    }
    Some(())
}

/// Height above the floor at which a solid would be at rest, with the energy that it has.
fn height(solid: &Solid) -> f64 {
    solid.position.z - LOW + solid.velocity.length_squared() / (2.0 * GRAVITY)
}

fn bounces(solid: Solid, rate: f64) -> Option<f64> {
    let mut off = [0.0; 4];
    for (off, bounce) in off.iter_mut().zip([0.3, 0.5, 0.8, 1.0]) {
        let position = DVec3::Z * (LOW + 1.0);
        let mut tied = world(vec![Solid { position, bounce, ..solid }], vec![Collider::floor(0.0)]);
        // It meets the floor after 0.45 s, and the slowest is back there after 0.27 s more.
        run(&mut tied, 0.5, rate)?;
        *off = (height(&tied.solids.solids[0]) - bounce * bounce).abs();
    }
    Some(worst(off))
}

fn elastic() -> Option<Outcome> {
    let position = DVec3::Z * (LOW + 1.0);
    let solid = Solid { position, bounce: 1.0, ..ball() };
    let mut tied = world(vec![solid], vec![Collider::floor(0.0)]);
    run(&mut tied, 60.0, 240.0)?;
    Some(Outcome::absolute(1.0, height(&tied.solids.solids[0])))
}

fn pair() -> Option<Outcome> {
    let one = Solid { bounce: 0.2, velocity: DVec3::X * 2.0, ..ball() };
    let two = Solid { bounce: 0.8, position: DVec3::new(0.5, 0.0, LOW), ..ball() };
    let mut tied = world(vec![one, two], Vec::new());
    tied.solids.gravity = DVec3::ZERO;
    run(&mut tied, 1.0, 240.0)?;
    let [one, two] = [0, 1].map(|k| tied.solids.solids[k].velocity.x);
    Some(Outcome::relative(0.5 * (0.2 + 0.8) * 2.0, two - one))
}

/// Distance that a box slides with 2 m/s on a floor.
fn slid(friction: f64, seconds: f64, rate: f64) -> Option<f64> {
    let solid = Solid { friction, velocity: DVec3::X * 2.0, ..slab() };
    let mut tied = world(vec![solid], vec![Collider::floor(0.0)]);
    run(&mut tied, seconds, rate)?;
    Some(tied.solids.solids[0].position.x)
}

fn slides(rate: f64) -> Option<f64> {
    let mut off = [0.0; 4];
    for (off, friction) in off.iter_mut().zip([0.1, 0.5, 1.0, 1.2]) {
        let known = 2.0 / (friction * GRAVITY);
        *off = (slid(friction, 2.5, rate)? - known).abs() / known;
    }
    Some(worst(off))
}

fn ice() -> Option<Outcome> {
    Some(Outcome::relative(4.0, slid(0.0, 2.0, 240.0)?))
}

fn slides_on_board() -> Option<Outcome> {
    let shape = Shape::Box { half: DVec3::new(4.0, 0.5, 0.1) };
    let board = Solid { friction: 0.9, ..Solid::new(shape, 50.0, DVec3::Z * 0.1) };
    let position = DVec3::Z * (0.2 + LOW);
    let slider = Solid { position, friction: 0.1, velocity: DVec3::X * 2.0, ..slab() };
    let mut tied = world(vec![board, slider], vec![Collider::floor(0.0)]);
    run(&mut tied, 2.0, 240.0)?;
    let [board, slider] = [0, 1].map(|k| tied.solids.solids[k].position.x);
    Some(Outcome::relative(2.0 / (0.5 * GRAVITY), slider - board))
}

/// Worst distance of a box on slopes that are so much steeper than its friction: in metres if it should
/// stay, otherwise relative to the closed form.
fn slopes(steeper: f64) -> Option<f64> {
    let mut off = [0.0; 4];
    for (off, friction) in off.iter_mut().zip([0.1, 0.5, 1.0, 1.2]) {
        let slope = steeper * friction;
        let steep = (slope * slope + 1.0).sqrt();
        let normal = DVec3::new(slope, 0.0, 1.0) / steep;
        // Long enough not to tip over.
        let shape = Shape::Box { half: DVec3::new(0.4, 0.2, 0.02) };
        let start = normal * 0.02;
        let rotation = DQuat::from_rotation_arc(DVec3::Z, normal);
        let solid = Solid { rotation, friction, ..Solid::new(shape, 2.0, start) };
        let mut tied = world(vec![solid], vec![Collider::Plane { point: DVec3::ZERO, normal }]);
        run(&mut tied, 2.0, 240.0)?;
        let found = tied.solids.solids[0].position.distance(start);
        let known = 0.5 * GRAVITY * (slope - friction).max(0.0) / steep * 4.0;
        *off = if known > 0.0 { (found - known).abs() / known } else { found };
    }
    Some(worst(off))
}
