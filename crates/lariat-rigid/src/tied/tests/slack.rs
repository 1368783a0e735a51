//! Solids on slack strings: what slows the string does not slow the solid.

use super::*;

/// A box that flies with a curled thread of next to no mass, tied to one of its corners.
fn flying(gravity: f64, viscosity: f64) -> Tied {
    let mut tied = Tied::new();
    tied.meets = false;
    tied.strings.gravity = DVec3::Z * -gravity;
    tied.solids.gravity = DVec3::Z * -gravity;
    tied.strings.viscosity = viscosity;
    let half = DVec3::new(0.05, 0.04, 0.03);
    let points = (0..=10).map(|i| {
        let i = f64::from(i);
        half + DVec3::new(0.002 * i, 0.01 * (i % 2.0), 0.01 * i)
    });
    let thin = Material { density: 1.0, ..material("cotton-thread") };
    let mut build = Build::new(points.collect(), 0.0005, thin);
    (build.bend, build.tears) = (Bend::Limp, false);
    tied.strings.add(&build).unwrap();
    let mut solid = cuboid(DVec3::ZERO, half, 1.0);
    solid.velocity = DVec3::new(0.7, -0.4, 0.2);
    tied.solids.solids.push(solid);
    tied.strings.state.velocities.fill(solid.velocity);
    tied.strings.settings.tolerance = 1e-21;
    tied.tie(0, 0, false);
    tied
}

#[test]
fn a_solid_on_a_slack_string_flies_as_if_it_were_free() {
    for (gravity, viscosity) in [(0.0, 5.0), (G, 0.0), (G, 5.0), (G, 60.0)] {
        let mut tied = flying(gravity, viscosity);
        let thread: f64 = (0..=10).map(|i| tied.strings.mass(i)).sum();
        let start = tied.solids.solids[0];
        let (seconds, g) = (0.5, DVec3::Z * -gravity);
        run(&mut tied, seconds);
        let solid = tied.solids.solids[0];
        let speed = start.velocity + g * seconds;
        let place = start.position + start.velocity * seconds + g * (0.5 * seconds * seconds);
        // All that viscosity can have held the thread back with, in newton seconds, at the corner of
        // a kilogram.
        let held = thread * viscosity * speed.length().max(start.velocity.length()) * seconds;
        let half = DVec3::new(0.05, 0.04, 0.03);
        let lever = half.length() / start.shape.moments().min_element();
        let said = format!("{gravity} m/s², {viscosity} 1/s");
        let off = solid.velocity.distance(speed);
        assert!(off < held + 1e-10, "{said}: {off} m/s, at most {held}");
        let off = solid.position.distance(place);
        assert!(off < held * seconds + 1e-10, "{said}: {off} m");
        let off = solid.spin.length();
        assert!(off < held * lever + 1e-9, "{said}: {off} rad/s, at most {}", held * lever);
    }
}
