//! Springs that pull where a string is tied to a solid.

use lariat_string::Spring;

use super::*;

#[test]
fn a_spring_at_a_tie_leaves_the_masses_as_they_are() {
    let mut tied = Tied::new();
    // A ball at the first particle, the string hanging from it.
    let top = DVec3::Z * 2.0;
    let mut build =
        Build::straight(top, top - DVec3::Z * 0.5, 10, 0.002, material("cotton-thread"));
    build.bend = Bend::Limp;
    let string = tied.strings.add(&build).unwrap();
    let first = tied.strings.particle(string, 0.0);
    let string: f64 = (first..=first + 10).map(|i| tied.strings.mass(i)).sum();
    let own = tied.strings.mass(first);
    tied.solids.solids.push(ball(top + DVec3::Z * 0.03, 0.03, 0.2));
    let (stiffness, damping) = (400.0, 20.0);
    for step in 0..600 {
        // The tie begins while the spring pulls, and what the solid weighs there changes.
        if step == 0 {
            tied.tie(first, 0, false);
        }
        let velocity = DVec3::ZERO;
        let spring = Spring { particle: first, target: top, velocity, stiffness, damping };
        tied.strings.pull(&spring, DT);
        assert!(step > 0 || tied.strings.mass(first) == own);
        tied.step(DT).unwrap();
        tied.strings.release(first);
        let hold = tied.holds[0];
        assert_eq!(hold.own, own, "step {step}");
        assert_eq!(tied.strings.mass(first), own + hold.load, "step {step}");
    }
    // All of it hangs from the spring.
    let wanted = (string + 0.2) * G / stiffness;
    let offset = top - tied.strings.state.positions[first];
    assert!((offset - DVec3::Z * wanted).length() < 2e-3 * wanted, "{offset} for {wanted}");
}
