//! Ropes on floors and around beams.

use super::*;

#[test]
fn a_sliding_rope_stops_after_v_squared_over_two_mu_g_and_stays() {
    let build = Build { contact_points: 30, ..Build::new(12, ideal(20.0)) };
    let points = line(DVec3::Z * 0.01, DVec3::new(1.0, 0.0, 0.01));
    let mut rope = SplineRope::along(&points, &build).unwrap();
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
    rope.friction = 0.5;
    rope.state.velocities.fill(DVec3::Y * 2.0);
    let mut last = 0.0;
    for _ in 0..240 {
        rope.step(1.0 / 240.0).unwrap();
        let slid = rope.point(0.5).y;
        // A rope held by friction creeps, by 1e-4 m/s at most.
        assert!(slid > last - 1e-6, "slid back from {last} to {slid}");
        last = slid;
    }
    let wanted = 4.0 / (2.0 * 0.5 * 9.81);
    assert!((last / wanted - 1.0).abs() < 0.01, "{last} for {wanted}");
    assert!(rope.velocity(0.5).length() < 1e-3);
    let height = rope.point(0.3).z;
    assert!((height - 0.01).abs() < 2e-4, "lies at {height}");
}

/// Distance that a rope over a beam has slipped in a second; the weights at its ends have this `ratio`.
fn over_a_beam(ratio: f64, friction: f64) -> f64 {
    let (radius, hang) = (0.1, 0.4);
    let section = Section { mass_per_metre: 0.01, ..ideal(2e4) };
    let mut points: Vec<DVec3> =
        (0..=8).map(|i| DVec3::new(-radius, 0.0, -hang * (1.0 - f64::from(i) / 8.0))).collect();
    points.extend((1..=16).map(|i| {
        let (sin, cos) = ops::sin_cos(PI * (1.0 - f64::from(i) / 16.0));
        DVec3::new(radius * cos, 0.0, radius * sin)
    }));
    points.extend((1..=8).map(|i| DVec3::new(radius, 0.0, -hang * f64::from(i) / 8.0)));
    let mut build = Build::new(60, section);
    build.weights.extend([(0.0, 1.0), (1.0, ratio)]);
    build.contact_points = 200;
    let mut rope = SplineRope::along(&points, &build).unwrap();
    let beam = Collider::Cylinder { from: DVec3::Y, to: DVec3::NEG_Y, radius: radius - 0.005 };
    rope.obstacles.push(Obstacle::standing(beam, 0.005));
    rope.friction = friction;
    rope.viscosity = 0.5;
    let start = rope.point(1.0).z;
    for _ in 0..240 {
        rope.step(1.0 / 240.0).unwrap();
    }
    start - rope.point(1.0).z
}

#[test]
fn a_rope_around_a_beam_holds_as_the_capstan_does() {
    // Half a turn holds up to e^(μ π): 3.5 times the weight for μ = 0.4.
    let most = ops::exp(0.4 * PI);
    let held = over_a_beam(0.85 * most, 0.4);
    let slipped = over_a_beam(1.15 * most, 0.4);
    assert!(held < 0.03, "below the capstan's limit it slipped {held} m");
    assert!(slipped > 0.1, "above the limit it slipped only {slipped} m");
}

#[test]
fn a_rope_dropped_on_the_floor_lies_still() {
    let mut rope = SplineRope::along(
        &line(DVec3::new(0.0, 0.0, 0.8), DVec3::new(0.6, 0.2, 1.4)),
        &Build::new(24, hemp()),
    )
    .unwrap();
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
    let mut lowest: f64 = 1.0;
    for step in 0..720 {
        rope.step(1.0 / 240.0).unwrap();
        if step > 240 {
            let low = (0..=200).map(|i| rope.point(f64::from(i) / 200.0).z).fold(1.0, f64::min);
            lowest = lowest.min(low);
        }
    }
    assert!(lowest > 0.0, "its axis went below the floor: {lowest}");
    let energy = rope.energy().kinetic;
    assert!(energy < 1e-5, "{energy} J of motion are left");
    let long: f64 = (0..400)
        .map(|i| rope.point(f64::from(i) / 400.0).distance(rope.point(f64::from(i + 1) / 400.0)))
        .sum();
    assert!((long / rope.length() - 1.0).abs() < 0.01, "{long} of {}", rope.length());
}

/// A rope released at one end and then at the other hits the floor. At every rate it only loses energy,
/// apart from the little that contact returns.
#[test]
fn an_impact_adds_no_energy() {
    let hung = |i: i32| {
        let x = f64::from(i) / 40.0;
        DVec3::new(2.4 * x, 0.0, 1.6 - 3.6 * x * (1.0 - x))
    };
    let points: Vec<DVec3> = (0..=40).map(hung).collect();
    for rate in [120.0, 240.0, 480.0, 960.0] {
        let section = Material::find("hemp").unwrap().at_radius(0.022);
        let mut rope = SplineRope::along(&points, &Build::new(24, section)).unwrap();
        rope.pins.push(Pin::at(1.0, points[40]));
        rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.022));
        let (mut before, mut gained) = (rope.energy().total(), 0.0);
        for step in 0..(1.2 * rate) as u32 {
            rope.pins[0].on = f64::from(step) < 0.375 * rate;
            rope.step(1.0 / rate).unwrap();
            let now = rope.energy().total();
            gained += (now - before).max(0.0);
            before = now;
        }
        // Contact is a spring; the energy that it returns counts as gained.
        assert!(gained < 0.15, "{rate} Hz: gained {gained} J");
        assert!(before < 5.0, "{rate} Hz: {before} J of 48 are left");
    }
}

#[test]
fn a_rising_floor_carries_the_rope() {
    let points = line(DVec3::Z * 0.01, DVec3::new(1.0, 0.0, 0.01));
    let mut rope = SplineRope::along(&points, &Build::new(12, hemp())).unwrap();
    rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.01));
    let dt = 1.0 / 240.0;
    // The floor moves sideways, like a belt, and up.
    for step in 1..=480 {
        let t = dt * f64::from(step);
        let floor =
            |t: f64| Collider::Plane { point: DVec3::new(0.0, 0.5 * t, 0.1 * t), normal: DVec3::Z };
        rope.obstacles[0] = Obstacle { before: floor(t - dt), now: floor(t), margin: 0.01 };
        rope.step(dt).unwrap();
    }
    let middle = rope.point(0.5);
    assert!((middle.z - 0.21).abs() < 2e-3, "{middle}");
    // The first jolt of the floor, 0.1 m/s upwards, gives the rope 0.04 m/s at once. Then it slides until
    // friction has accelerated it to the speed of the belt, v²/2μg behind.
    let behind = 0.46 * 0.46 / (2.0 * 0.4 * 9.81);
    assert!((middle.y - (1.0 - behind)).abs() < 1e-3, "{middle} for {behind}");
}
