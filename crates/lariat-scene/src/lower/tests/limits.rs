//! Limits: points are counted before they are allocated.

use super::*;

#[test]
fn points_are_counted_before_they_are_allocated() {
    let body = |model: &str, words: &str| {
        codes(&format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = '{model}'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n{words}\n"
        ))
    };
    assert!(body("suspended-rope", "length = 2\nsamples = 1000000").is_empty());
    assert_eq!(body("suspended-rope", "length = 2\nsamples = 1000001"), ["L0502"]);
    assert_eq!(body("spring", "coils = 1e9"), ["L0502"]);
    assert_eq!(body("spring", "points-per-coil = 1000000"), ["L0502"]);
    assert_eq!(body("spring", "backbone-samples = 2000000"), ["L0502"]);
    assert_eq!(body("string-of-lights", "length = 2\nbulb-spacing = 1e-9"), ["L0502"]);
    assert_eq!(body("string-of-lights", "length = 2\npair-turns = 1e9"), ["L0502"]);
    assert!(body("string-of-lights", "length = 20").is_empty());
}

#[test]
fn points_of_lights_are_counted_over_the_gap() {
    let lights = |from: &str, to: &str| {
        codes(&format!(
            "lariat = 2\n[[locator]]\nname = 'far'\nposition = [1e6, 0, 0]\n[[locator]]\nname = \
             'near'\n[[body]]\nname = 'a'\nmodel = 'string-of-lights'\nfrom = {from}\nto = {to}\n\
             sag = 1\n[[body]]\nname = 'b'\nmodel = 'suspended-rope'\nfrom = {{ locator = 'far' }}\n\
             to = {{ locator = 'near' }}\nsag = 1\n"
        ))
    };
    assert!(lights("[0, 0, 0]", "[9, 0, 0]").is_empty());
    assert_eq!(lights("[0, 0, 0]", "[1e6, 0, 0]"), ["L0502"]);
    assert_eq!(lights("{ locator = 'near' }", "{ locator = 'far' }"), ["L0502"]);
    // A metre has 20 turns of 10 points in each of two wires, and 6 bulbs of 14.
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'string-of-lights'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 1\n";
    let mut limits = Limits { samples_per_body: 486, ..Limits::DEFAULT };
    assert!(check(text.as_bytes(), &limits).diagnostics.is_empty());
    limits.samples_per_body -= 1;
    assert_eq!(check(text.as_bytes(), &limits).diagnostics[0].code, Code::TooManySamples);
}

#[test]
fn points_of_nested_parts_are_counted() {
    // Two ropes of 1000 points, and then compounds of the two before: 2000, 3000, 5000, …
    let mut text = "lariat = 2\n".to_owned();
    for name in 0..2 {
        text += &format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 0]\nlength = 1\nsamples = 1000\n"
        );
    }
    for name in 2..30 {
        text += &format!(
            "[[body]]\nname = '{name}'\nmodel = 'compound'\nparts = ['{}', '{}']\n",
            name - 2,
            name - 1
        );
    }
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.max_points(lowered.body_index("4").unwrap()), 5000);
    // The sixteenth has 1,597,000 points, and everything that contains it is skipped.
    assert_eq!(lowered.bodies.last().unwrap().name(), "15");
    assert!(checked.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::TooManySamples));
    let all: u64 = (0..lowered.bodies.len()).map(|body| lowered.max_points(body)).sum();
    assert!(all <= Limits::DEFAULT.samples_in_all);
}
