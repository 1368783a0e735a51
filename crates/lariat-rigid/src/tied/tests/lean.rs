//! Solids that lean on taut strings without a tie.

use super::*;

/// Lines of hemp along X at some Y, 1.2 m long and held at both ends.
fn lines(tied: &mut Tied, along: &[f64], segments: usize) {
    for y in along {
        let from = DVec3::new(-0.6, *y, 0.0);
        let to = DVec3::new(0.6, *y, 0.0);
        let mut build = Build::straight(from, to, segments, 0.003, material("hemp"));
        build.bend = Bend::Limp;
        build.tears = false;
        let string = tied.strings.add(&build).unwrap();
        for (u, place) in [(0.0, from), (1.0, to)] {
            tied.strings.clamps.push(Clamp::at(tied.strings.particle(string, u), place));
        }
    }
}

/// All joules there are: motion, height, stretch.
fn joules(tied: &Tied) -> f64 {
    let energy = tied.strings.energy();
    let solids = tied.solids.solids.iter();
    energy.kinetic
        + energy.stretch
        + solids.map(|s| s.energy() + s.mass * G * s.position.z).sum::<f64>()
}

/// How far a line of hemp with this radius sags below a crate of half a width `half` that it carries with
/// `force` newtons.
fn sag(force: f64, half: f64) -> f64 {
    let pull = material("hemp").modulus * PI * 0.003 * 0.003;
    let free = 0.6 - half;
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..60 {
        let d = 0.5 * (low + high);
        let slant = (free * free + d * d).sqrt();
        let carried = 2.0 * pull * (2.0 * (slant - free) / 1.2) * d / slant;
        if carried < force {
            low = d;
        } else {
            high = d;
        }
    }
    low
}

/// A crate of some kilograms that falls on lines from some height.
fn dropped(along: &[f64], segments: usize, mass: f64, height: f64) -> Tied {
    let mut tied = Tied::new();
    lines(&mut tied, along, segments);
    let half = DVec3::new(0.15, 0.2, 0.05);
    tied.solids.solids.push(cuboid(DVec3::Z * (0.053 + height), half, mass));
    tied
}

#[test]
fn a_crate_dropped_on_lines_is_carried_by_them() {
    // Two lines and four, coarse and fine: it bounces, and nothing gains energy.
    let (two, four) = (&[-0.1, 0.1][..], &[-0.15, -0.05, 0.05, 0.15][..]);
    for (along, segments) in [(two, 24), (four, 24), (four, 96)] {
        let mut tied = dropped(along, segments, 5.0, 0.3);
        let start = joules(&tied);
        let mut lowest = 0.0_f64;
        for step in 0..90 {
            tied.step(DT).unwrap();
            let height = tied.solids.solids[0].position.z - 0.053;
            lowest = lowest.min(height);
            let said = format!("{} lines of {segments}, step {step}", along.len());
            assert!(height > -0.2, "{said}: through, at {height} m");
            let now = joules(&tied);
            assert!(now < 1.01 * start, "{said}: {now} J of {start} J");
        }
        assert!(lowest < -0.06, "lines give way: {lowest} m");
    }
}

#[test]
fn a_crate_comes_to_rest_where_lines_carry_it() {
    for (along, mass) in [(&[-0.1, 0.1][..], 5.0), (&[-0.15, -0.05, 0.05, 0.15][..], 5.0)] {
        let mut tied = dropped(along, 24, mass, 0.1);
        run(&mut tied, 14.0);
        let crate_ = tied.solids.solids[0];
        let (found, wanted) = (0.053 - crate_.position.z, sag(mass * G / along.len() as f64, 0.15));
        assert!((found / wanted - 1.0).abs() < 0.02, "{found} m for {wanted} m");
        assert!(crate_.velocity.length() < 0.03, "{}", crate_.velocity);
        assert!((crate_.rotation * DVec3::Z).z > 0.999);
    }
}

#[test]
fn what_leans_keeps_momentum() {
    // In free space a stone flies into a cord with weights at its ends.
    let mut tied = Tied::new();
    tied.strings.gravity = DVec3::ZERO;
    tied.solids.gravity = DVec3::ZERO;
    let mut build = Build::straight(DVec3::X * -0.5, DVec3::X * 0.5, 25, 0.003, material("hemp"));
    build.bend = Bend::Limp;
    build.tears = false;
    build.weights = vec![(0.0, 1.0), (1.0, 1.0)];
    tied.strings.add(&build).unwrap();
    let mut stone = ball(DVec3::new(0.05, 0.01, 0.1), 0.06, 1.0);
    stone.velocity = DVec3::Z * -3.0;
    tied.solids.solids.push(stone);
    let (mut leant, start) = (0, joules(&tied));
    let turning = tied.momentum().1;
    for step in 0..30 {
        tied.step(DT).unwrap();
        leant += tied.work.leans.len();
        let momentum = tied.momentum().0;
        assert!(momentum.distance(DVec3::Z * -3.0) < 1e-9, "step {step}: {momentum}");
        let turns = tied.momentum().1.distance(turning) / turning.length();
        assert!(turns < 0.02, "step {step}: {turns} of angular momentum");
        let now = joules(&tied);
        assert!(now < 1.02 * start, "step {step}: {now} J of {start} J");
    }
    assert!(leant > 0);
    let stone = tied.solids.solids[0].velocity.z;
    assert!(stone > -2.5, "the cord slows it: {stone} m/s");
}

/// A rope over a beam, with a weight at each end.
fn over_a_beam(friction: f64, weights: [f64; 2], segments: usize) -> Tied {
    let mut tied = Tied::new();
    tied.strings.friction = friction;
    tied.solids.gravity = DVec3::ZERO;
    let around = 0.053;
    let arc = PI * around;
    let length = 1.6 + arc;
    let points = (0..=segments).map(|i| {
        let s = length * i as f64 / segments as f64;
        let (before, after) = (s - 0.8, s - 0.8 - arc);
        if before < 0.0 {
            DVec3::new(-around, 0.0, before)
        } else if after > 0.0 {
            DVec3::new(around, 0.0, -after)
        } else {
            let (sin, cos) = ops::sin_cos(before / around);
            DVec3::new(-around * cos, 0.0, around * sin)
        }
    });
    let mut build = Build::new(points.collect(), 0.003, material("hemp"));
    build.bend = Bend::Limp;
    build.weights = vec![(0.0, weights[0]), (1.0, weights[1])];
    tied.strings.add(&build).unwrap();
    let mut beam = Solid::new(Shape::Cylinder { half: 0.3, radius: 0.05 }, 1e5, DVec3::ZERO);
    beam.rotation = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    tied.solids.solids.push(beam);
    tied
}

#[test]
fn a_segment_that_is_held_at_one_end_is_put_out_as_far() {
    // Above a ball, held at one side of it and pulled down at the other.
    let sunk = |held: bool| {
        let mut tied = Tied::new();
        (tied.strings.gravity, tied.solids.gravity) = (DVec3::ZERO, DVec3::ZERO);
        let mut build = Build::straight(DVec3::ZERO, DVec3::X * 0.5, 5, 0.003, material("hemp"));
        build.bend = Bend::Limp;
        build.tears = false;
        tied.strings.add(&build).unwrap();
        for end in [0, 3, 4, 5] {
            tied.strings.state.positions[end].z = -0.05;
        }
        if held {
            tied.strings.clamps.push(Clamp::at(1, DVec3::X * 0.1));
        }
        tied.solids.solids.push(ball(DVec3::new(0.15, 0.0, -0.0225), 0.02, 1e6));
        tied.strings.state.tensions.fill(500.0);
        tied.lean(1e-3);
        let mut leans = tied.work.leans.iter();
        let lean = *leans.find(|lean| lean.particles == [1, 2]).expect("it leans there");
        assert!((lean.depth - 0.0005).abs() < 1e-12, "{}", lean.depth);
        // The middle sinks in by half a millimetre.
        tied.strings.state.positions[2].z = -0.001;
        tied.give_back(1e-3);
        let x = &tied.strings.state.positions;
        let (distance, _) = tied.solids.solids[0].collider().distance((x[1] + x[2]) * 0.5);
        0.003 - distance
    };
    let (free, held) = (sunk(false), sunk(true));
    assert!(free < 0.0005, "{free} m below");
    assert!(held < 0.0005, "{held} m below");
}

#[test]
fn a_rope_slides_over_a_beam() {
    // What is let down falls by what friction around half the beam leaves of the difference.
    for (friction, weights, segments) in [
        (0.1, [0.3, 1.0], 30),
        (0.1, [0.3, 1.0], 60),
        (0.1, [0.9, 1.0], 60),
        (0.1, [3.0, 10.0], 60),
    ] {
        let mut tied = over_a_beam(friction, weights, segments);
        let from = tied.strings.state.positions[segments].z;
        // Half of the rope hangs on each side.
        let hangs = 0.8 * 930.0 * PI * 9e-6;
        let (up, down) = (weights[0] + hangs, weights[1] + hangs);
        let holds = ops::exp(friction * PI);
        let pulled = (G * (down - holds * up) / (down + holds * up)).max(0.0);
        run(&mut tied, 0.3);
        let (fell, wanted) = (from - tied.strings.state.positions[segments].z, 0.5 * pulled * 0.09);
        let said = format!("{friction}, {weights:?}, {segments} segments");
        assert!((fell - wanted).abs() < 0.03, "{said}: {fell} m for {wanted} m");
        let near = tied.strings.state.positions.iter().map(|x| ops::hypot(x.x, x.z));
        let near = near.fold(f64::INFINITY, f64::min);
        assert!(near > 0.05 && near < 0.062, "{said}: {near} m from its middle");
    }
}
