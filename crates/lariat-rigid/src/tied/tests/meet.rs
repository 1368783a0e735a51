//! Strings that touch solids they are not tied to.

use super::*;

#[test]
fn a_string_falls_on_a_box_and_pushes_it() {
    let mut tied = Tied::new();
    tied.solids.gravity = DVec3::ZERO;
    let mut build = Build::straight(
        DVec3::new(-0.1, 0.0, 0.1),
        DVec3::new(0.1, 0.0, 0.1),
        10,
        0.005,
        material("hemp"),
    );
    build.bend = Bend::Limp;
    tied.strings.add(&build).unwrap();
    tied.solids.solids.push(cuboid(DVec3::Z * -0.1, DVec3::new(0.3, 0.3, 0.1), 1.0));
    let mass: f64 = (0..=10).map(|i| tied.strings.mass(i)).sum();
    let mut touched = 0;
    for _ in 0..40 {
        touched = touched.max(tied.step(DT).unwrap().meeting);
        let solid = tied.solids.solids[0];
        for x in &tied.strings.state.positions {
            let top = (solid.rotation.inverse() * (*x - solid.position)).z;
            assert!(top > 0.1, "{top}: in the box");
        }
    }
    assert_eq!(touched, 11);
    // Both fall on together, with the momentum that weight has given the string.
    let solid = tied.solids.solids[0];
    let wanted = -mass * G * (40.0 * DT);
    let found = tied.momentum().0.z;
    assert!((found / wanted - 1.0).abs() < 1e-6, "{found} for {wanted}");
    let together = wanted / (1.0 + mass);
    assert!((solid.velocity.z / together - 1.0).abs() < 0.02, "{} for {together}", solid.velocity);
}

#[test]
fn a_ball_thrown_at_a_string_is_slowed_by_it() {
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    let mut build = Build::straight(
        DVec3::new(-0.5, 0.0, 0.0),
        DVec3::new(0.5, 0.0, 0.0),
        50,
        0.005,
        material("hemp"),
    );
    build.bend = Bend::Limp;
    tied.strings.add(&build).unwrap();
    let mut stone = ball(DVec3::Y * -0.1, 0.06, 0.02);
    stone.velocity = DVec3::Y * 2.0;
    tied.solids.solids.push(stone);
    run(&mut tied, 0.3);
    let after = tied.solids.solids[0].velocity.y;
    assert!(after < 1.7 && after > 0.0, "{after} m/s");
    let momentum = tied.momentum().0;
    assert!(momentum.distance(DVec3::Y * 0.04) < 1e-9, "{momentum}");
}

#[test]
fn a_nail_does_not_pass_between_two_particles() {
    // A string of four long segments falls across a heavy rod as thin as itself, which lies across
    // the middle of one of them.
    for x in [-0.13, 0.04, 0.2] {
        let mut tied = Tied::new();
        tied.solids.gravity = DVec3::ZERO;
        let from = DVec3::new(-0.4, 0.0, 0.3);
        let mut build = Build::straight(from, from + DVec3::X * 0.8, 4, 0.003, material("hemp"));
        build.bend = Bend::Limp;
        tied.strings.add(&build).unwrap();
        let mut rod =
            Solid::new(Shape::Cylinder { half: 0.5, radius: 0.003 }, 1000.0, DVec3::X * x);
        rod.rotation = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        tied.solids.solids.push(rod);
        // It is there after a quarter of a second, and has not slid off for another tenth.
        for step in 0..21 {
            tied.step(DT).unwrap();
            let points = &tied.strings.state.positions;
            let over = points.windows(2).find(|pair| pair[0].x < x && pair[1].x >= x).unwrap();
            let height = over[0].lerp(over[1], (x - over[0].x) / (over[1].x - over[0].x)).z;
            assert!(height > 0.0059, "at {x}, step {step}: {height} m above the rod's middle");
            assert!(step < 15 || height < 0.012, "at {x}, step {step}: it has come down: {height}");
        }
    }
}

#[test]
fn what_is_fast_makes_shorter_parts() {
    // A marble is shot through a free string, between two of its particles: it takes it along.
    for speed in [2.0, 20.0, 60.0] {
        let mut tied = Tied::new();
        tied.solids.gravity = DVec3::ZERO;
        tied.strings.gravity = DVec3::ZERO;
        let (from, to) = (DVec3::X * -0.5, DVec3::X * 0.5);
        let mut build = Build::straight(from, to, 20, 0.003, material("hemp"));
        build.bend = Bend::Limp;
        build.tears = false;
        tied.strings.add(&build).unwrap();
        let mut shot = ball(DVec3::new(0.02, -0.31, 0.0), 0.008, 0.02);
        shot.velocity = DVec3::Y * speed;
        tied.solids.solids.push(shot);
        run(&mut tied, (0.45 / speed).max(DT));
        let shot = tied.solids.solids[0];
        assert!(shot.velocity.y < 0.95 * speed, "{speed} m/s: {}", shot.velocity);
        let momentum = tied.momentum().0;
        assert!(momentum.distance(DVec3::Y * 0.02 * speed) < 1e-10 * speed, "{momentum}");
    }
}

#[test]
fn what_touches_beside_where_it_is_held_is_not_thrown() {
    // Half a millimetre of a heavy rod is in the string, right beside a particle that is held, at rest
    // or on its way through: as a lever it would throw the next one fifty times as far and as fast.
    for (share, speed) in [0.002, 0.02, 0.2].into_iter().flat_map(|s| [(s, 0.0), (s, 1.0)]) {
        let mut tied = Tied::new();
        tied.strings.gravity = DVec3::ZERO;
        tied.solids.gravity = DVec3::ZERO;
        let middle = DVec3::X * 0.1;
        let mut build = Build::straight(DVec3::ZERO, middle * 2.0, 10, 0.002, material("hemp"));
        build.bend = Bend::Limp;
        tied.strings.add(&build).unwrap();
        tied.strings.clamps.push(Clamp::at(5, middle));
        let place = middle + DVec3::new(0.02 * share, 0.0, -0.0035);
        let mut rod = Solid::new(Shape::Cylinder { half: 0.1, radius: 0.002 }, 1000.0, place);
        rod.rotation = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        rod.velocity = DVec3::Z * speed;
        tied.solids.solids.push(rod);
        for step in 0..30 {
            let was = tied.strings.state.positions[6];
            tied.step(1.0 / 240.0).unwrap();
            let moved = tied.strings.state.positions[6].distance(was);
            let at = format!("{share}, {speed} m/s, step {step}");
            assert!(moved < 1.1e-3 + 3.0 * speed / 240.0, "{at}: {moved} m");
            let fast = tied.strings.state.velocities[6].length();
            assert!(fast < 0.05 + 2.5 * speed, "{at}: {fast} m/s");
        }
    }
}

/// A box, and a short string that lies on it as the first or as the second of two that are metres apart.
fn two_strings(first: bool) -> Tied {
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    let mut builds = [0.0045, 3.0].map(|z| {
        let from = DVec3::new(-0.1, 0.0, z);
        let mut build = Build::straight(from, from + DVec3::X * 0.2, 10, 0.005, material("hemp"));
        build.bend = Bend::Limp;
        build
    });
    if !first {
        builds.reverse();
    }
    for build in &builds {
        tied.strings.add(build).unwrap();
    }
    tied.solids.solids.push(cuboid(DVec3::Z * -0.1, DVec3::new(0.3, 0.3, 0.1), 1000.0));
    tied
}

#[test]
fn the_end_of_a_string_is_as_thick_as_the_rest_of_it() {
    // Half a millimetre in a box: all of it comes out, whichever string comes next.
    for first in [true, false] {
        let mut tied = two_strings(first);
        run(&mut tied, 0.1);
        let own = if first { 0..11 } else { 11..22 };
        for i in own {
            let height = tied.strings.state.positions[i].z;
            assert!((height - 0.005).abs() < 1e-6, "first: {first}, particle {i}: {height} m");
        }
    }
}

#[test]
fn a_string_far_away_makes_no_parts_shorter() {
    // The box flies past, further from the string than it moves in a step, and the other is far off.
    for first in [true, false] {
        let mut tied = two_strings(first);
        tied.solids.solids[0].position.z = -3.0;
        let still = tied.step(DT).unwrap().parts;
        tied.solids.solids[0].velocity = DVec3::Y * 60.0;
        let parts = tied.step(DT).unwrap().parts;
        assert_eq!(parts, still, "first: {first}");
    }
}

#[test]
fn what_touches_between_two_particles_is_close() {
    // A rod lies under the middle of a long segment, a hair away from it or a centimetre.
    for (apart, wanted) in [(1e-4, 16), (0.01, 4)] {
        let mut tied = Tied::new();
        tied.strings.gravity = DVec3::ZERO;
        tied.solids.gravity = DVec3::ZERO;
        let from = DVec3::X * -0.3;
        let build = Build::straight(from, -from, 3, 0.003, material("hemp"));
        tied.strings.add(&build).unwrap();
        let place = DVec3::Z * (-0.006 - apart);
        let mut rod = Solid::new(Shape::Cylinder { half: 0.1, radius: 0.003 }, 1.0, place);
        rod.rotation = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        tied.solids.solids.push(rod);
        assert_eq!(tied.step(DT).unwrap().parts, wanted, "{apart} m apart");
    }
}

#[test]
fn a_knot_of_one_string_is_none_of_the_next() {
    // The last particle of a string is tied to a box, and the next string begins half a millimetre in
    // it.
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    tied.solids.solids.push(cuboid(DVec3::Z * -0.1, DVec3::new(0.3, 0.3, 0.1), 1000.0));
    for (x, z) in [(-0.2, 0.1), (0.2, 0.0045)] {
        let from = DVec3::new(x, 0.0, z);
        let to = DVec3::new(x, 0.2, if z > 0.05 { 0.0 } else { z });
        let mut build = Build::straight(from, to, 10, 0.005, material("hemp"));
        build.bend = Bend::Limp;
        tied.strings.add(&build).unwrap();
    }
    tied.tie(10, 0, true);
    run(&mut tied, 0.1);
    let next = tied.strings.state.positions[11].z - tied.strings.state.positions[10].z;
    assert!((next - 0.005).abs() < 1e-6, "{next} m above the box");
}

/// A solid thrown up on 0.95 m of string.
fn thrown(section: &str, segments: usize, shape: Shape, velocity: DVec3) -> Tied {
    let mut tied = Tied::new();
    let top = DVec3::Z * 1.0;
    let mut build = Build::straight(top, DVec3::Z * 0.05, segments, 0.003, material(section));
    build.tears = false;
    tied.strings.add(&build).unwrap();
    tied.strings.clamps.push(Clamp::at(0, top));
    let mut solid = Solid::new(shape, 0.3, DVec3::ZERO);
    solid.velocity = velocity;
    tied.solids.solids.push(solid);
    tied.tie(segments, 0, true);
    tied
}

/// Joules of motion, height and stretch; what is bent or turned has some besides.
fn joules(tied: &Tied, own: f64) -> f64 {
    let state = &tied.strings.state;
    let solid = &tied.solids.solids[0];
    let mut sum = solid.energy() + solid.mass * G * solid.position.z;
    sum += tied.strings.energy().stretch;
    for (i, (x, v)) in state.positions.iter().zip(&state.velocities).enumerate() {
        let tied_here = i + 1 == state.positions.len();
        let mass = if tied_here { own } else { tied.strings.mass(i) };
        sum += mass * (0.5 * v.length_squared() + G * x.z);
    }
    sum
}

/// The most that a solid thrown up on its string has within 1.5 s beyond what it was given, over that.
fn gained(section: &str, segments: usize, shape: Shape, velocity: DVec3) -> f64 {
    let mut tied = thrown(section, segments, shape, velocity);
    let own = tied.strings.mass(segments);
    let start = joules(&tied, own);
    let mut most = 0.0_f64;
    for _ in 0..360 {
        tied.step(1.0 / 240.0).unwrap();
        most = most.max(joules(&tied, own) - start);
    }
    most / (0.15 * velocity.length_squared())
}

#[test]
fn a_box_thrown_up_on_its_string_is_not_thrown_by_it() {
    let bar = Shape::Box { half: DVec3::new(0.2, 0.05, 0.05) };
    let (ball, cube) = (Shape::Ball { radius: 0.05 }, Shape::Box { half: DVec3::splat(0.05) });
    // A share of what it was given. Moved out without regard to stretch, a bar on hemp had two thousand
    // times as much; turned in parts that were too long, a ball on nylon a hundred and thirty times.
    // Of all of these, three on hemp still gain 0.24, 0.31 and 0.46: pushed about by what touches them.
    let known = [
        ("rubber", &[16, 64, 128][..], &[bar, ball, cube][..], 0.02),
        ("hemp", &[64, 128], &[bar], 0.02),
        ("nylon-line", &[16, 64, 128], &[bar], 0.02),
        ("hemp", &[16], &[bar], 0.5),
        ("hemp", &[16, 64], &[ball, cube], 1.0),
    ];
    for (section, counts, shapes, bound) in known {
        for (segments, shape) in counts.iter().flat_map(|n| shapes.iter().map(move |s| (*n, *s))) {
            for (x, y, z) in [(0.3, 0.1, 3.0), (0.6, 0.2, 3.5), (1.5, 0.0, 2.5)] {
                let gained = gained(section, segments, shape, DVec3::new(x, y, z));
                assert!(gained < bound, "{section}, {segments} segments, {shape:?}, {x}: {gained}");
            }
        }
    }
}

#[test]
fn a_string_that_lies_on_its_own_box_stays_outside() {
    let half = DVec3::new(0.2, 0.05, 0.05);
    for section in ["hemp", "rubber"] {
        let mut tied = thrown(section, 64, Shape::Box { half }, DVec3::new(0.3, 0.1, 3.0));
        let mut meeting = 0;
        for step in 0..480 {
            meeting += tied.step(1.0 / 240.0).unwrap().meeting;
            let solid = tied.solids.solids[0];
            // Beside the knot it may be where it is: three segments, which bend there as far as they can.
            for i in 0..61 {
                let x = tied.strings.state.positions[i] - solid.position;
                let inside = (solid.rotation.inverse() * x).abs() - half;
                let deep = -inside.max_element();
                // A tenth of how far it was pulled in when nothing held it out in the end.
                assert!(deep < 0.005, "{section}, step {step}, particle {i}: its axis {deep} m in");
            }
        }
        assert!(meeting > 50, "{section}: {meeting}");
    }
}
