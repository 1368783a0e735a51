//! Light solids between strings.

use lariat_core::curve::catenary::Catenary;

use super::*;

/// A line hangs between two hooks, a bead is tied into its middle, and a cord hangs down from that with a
/// weight of 0.2 kg at its end, held out level.
fn beaded(section: &str, thin: f64, bead: f64, segments: usize) -> Tied {
    let mut tied = Tied::new();
    let hooks = [DVec3::Z, DVec3::new(1.0, 0.0, 1.0)];
    let hung = Catenary::between(hooks[0], hooks[1], 1.1, DVec3::Z).unwrap().sample(41);
    let middle = hung[20];
    let mut line = Build::straight(hooks[0], hooks[1], 40, 0.004 * thin, material(section));
    line.points = hung;
    line.tears = false;
    tied.strings.add(&line).unwrap();
    for (particle, hook) in [0, 40].into_iter().zip(hooks) {
        tied.strings.clamps.push(Clamp::at(particle, hook));
    }
    tied.solids.solids.push(ball(middle - DVec3::Z * 0.012, 0.012, bead));
    let from = middle - DVec3::Z * 0.024;
    let to = from + DVec3::new(0.45, 0.0, -0.22);
    let mut cord = Build::straight(from, to, segments, 0.003 * thin, material(section));
    cord.tears = false;
    cord.weights = vec![(1.0, 0.2)];
    tied.strings.add(&cord).unwrap();
    tied.tie(20, 0, true);
    tied.tie(41, 0, true);
    tied
}

#[test]
fn a_bead_between_strings_carries_what_hangs_on_it() {
    let mut tied = beaded("hemp", 1.0, 0.01, 32);
    tied.strings.viscosity = 8.0;
    run(&mut tied, 4.0);
    let (state, bead) = (&tied.strings.state, tied.solids.solids[0]);
    // It hangs in the middle, the weight half a metre below it; the bead trembles by centimetres a second.
    let weight = state.positions[41 + 32];
    assert!((bead.position.x - 0.5).abs() < 2e-3, "{}", bead.position);
    let below = bead.position - weight;
    assert!((below.z - 0.512).abs() < 2e-3 && below.x.abs() < 2e-3, "{below}");
    assert!(state.velocities[41 + 32].length() < 0.01, "{}", state.velocities[41 + 32]);
    assert!(bead.velocity.length() < 0.1, "{}", bead.velocity);
    // Above the weight and half a metre of cord.
    let below = 0.2 + 0.5 * 0.003 * 0.003 * PI * material("hemp").density;
    let pull = state.tensions[41];
    assert!((pull / (below * G) - 1.0).abs() < 0.05, "{pull} N for {} N", below * G);
}

#[test]
fn a_bead_that_is_snatched_is_not_thrown() {
    // The weight falls into the cord again and again, and the bead is tugged about.
    for (section, thin, bead, segments) in [
        ("hemp", 1.0, 0.001, 64),
        ("hemp", 1.0, 0.01, 16),
        ("hemp", 1.0, 0.01, 64),
        ("hemp", 1.0, 0.5, 64),
        ("nylon-line", 0.5, 0.01, 64),
        ("cotton-thread", 0.2, 0.01, 64),
        ("rubber", 1.0, 0.01, 64),
    ] {
        let mut tied = beaded(section, thin, bead, segments);
        for step in 0..360 {
            tied.step(1.0 / 240.0).unwrap();
            // It falls by half a metre at most.
            let fast = tied.strings.state.velocities.iter().map(|v| v.length());
            let weight = tied.strings.state.velocities[41 + segments].length();
            let bead = tied.solids.solids[0];
            let said = format!("{section}, {} kg, {segments} segments, step {step}", bead.mass);
            assert!(weight < 4.5, "{said}: the weight has {weight} m/s");
            assert!(bead.velocity.length() < 9.0, "{said}: the bead has {} m/s", bead.velocity);
            let fast = fast.fold(0.0, f64::max);
            // A tenth of a gram of nylon, for a moment.
            assert!(fast < 45.0, "{said}: {fast} m/s");
        }
    }
}

#[test]
fn a_bead_on_a_cord_hangs_and_is_not_wound() {
    // Half a kilogram on forty centimetres below a bead of ten grams, the hook two centimetres aside.
    let mut tied = Tied::new();
    let (hook, top) = (DVec3::new(0.02, 0.0, 0.5), DVec3::Z * 0.02);
    tied.strings.add(&Build::straight(hook, top, 64, 0.003, material("hemp"))).unwrap();
    tied.strings.clamps.push(Clamp { turn: Some(Turn::Angle(0.0)), ..Clamp::at(0, hook) });
    tied.solids.solids.push(ball(DVec3::ZERO, 0.02, 0.01));
    let mut below = Build::straight(-top, DVec3::Z * -0.42, 64, 0.003, material("hemp"));
    below.weights = vec![(1.0, 0.5)];
    tied.strings.add(&below).unwrap();
    tied.tie(64, 0, true);
    tied.tie(65, 0, true);
    for step in 0..480 {
        assert_eq!(tied.step(1.0 / 240.0).unwrap().torn, 0, "at step {step}");
        let twist = (1..64).map(|j| tied.strings.twist_at(j).abs()).fold(0.0, f64::max);
        assert!(twist < 0.2, "step {step}: {twist} rad at one joint");
        let bead = tied.solids.solids[0].position;
        assert!(bead.length() < 0.12, "step {step}: the bead is at {bead}");
    }
}

#[test]
fn parts_that_were_too_long_are_counted() {
    let mut tied = beaded("hemp", 1.0, 0.01, 64);
    let (mut back, mut parts) = (0, 0);
    for _ in 0..360 {
        let made = tied.step(1.0 / 240.0).unwrap();
        back += made.taken_back;
        parts += made.parts;
    }
    assert!(back > 0 && back < parts / 4, "{back} of {parts}");
    // Nothing pulls at a ball that flies.
    let mut tied = Tied::new();
    tied.solids.solids.push(ball(DVec3::ZERO, 0.1, 1.0));
    assert_eq!(tied.step(DT).unwrap().taken_back, 0);
}
