//! Messages about settings without effect or in conflict, with frames and the words of the guide.

use super::*;
use crate::check::Diagnostic;

fn document(lines: &str) -> String {
    format!(
        "lariat = 2\n[shot]\nfps = 24\nframes = [1, 96]\n[[locator]]\nname = 'hand'\nposition = \
         {{ wiggle = [[1, [0, 0, 1]], [12, [0, 1, 1]]], hertz = 2 }}\n[[body]]\nname = 'rein'\n\
         model = 'suspended-rope'\nfrom = {{ locator = 'hand' }}\nto = [1, 0, 0]\nlength = \
         4\n{lines}\n"
    )
}

fn found(lines: &str) -> Vec<Diagnostic> {
    check(document(lines).as_bytes(), &Limits::DEFAULT).diagnostics
}

/// Returns the only diagnostic about a line, and checks its code.
fn only(line: &str, code: &str) -> Diagnostic {
    let found = found(line);
    let [diagnostic] = &found[..] else { panic!("{line}: {found:#?}") };
    assert_eq!(diagnostic.code.name(), code, "{line}: {diagnostic}");
    diagnostic.clone()
}

fn says(diagnostic: &Diagnostic, words: &[&str]) {
    let reported = diagnostic.to_string();
    for word in words {
        assert!(reported.contains(word), "`{word}` is not in: {reported}");
    }
}

#[test]
fn a_spring_out_of_range_reports_its_frames() {
    let line = "swing = { wiggle = [[1, 0], [12, 30]], hertz = { keys = [[1, 1], [20, 0], [30, 0], [40, 2]], tangents = 'auto' } }";
    let dips = only(line, "L0607");
    says(&dips, &["`hertz` of `swing`", "between keys", "worst at frame", "0 to 1000"]);
    let frames = dips.frames.expect("frames");
    assert!((20..=30).contains(&frames.worst), "{frames:?}");
    assert_eq!(dips.path().unwrap().to_string(), "body[0].swing.hertz");
    // The same through a leader.
    let wiggle = "sway = { wiggle = [[1, 0], [12, 2]], hertz = 1 }";
    let line = format!(
        "{wiggle}\nswing = {{ wiggle = [[1, 0], [12, 30]], hertz = {{ follow = 'rein.sway' }} }}"
    );
    let follows = only(&line, "L0607");
    says(&follows, &["`hertz` of `swing`", "gain"]);
    for line in [
        "swing = { wiggle = [[1, 0], [12, 30]], hertz = { keys = [[1, 1], [20, 0], [30, 0], [40, 2]] } }",
        "swing = { wiggle = [[1, 0], [12, 30]], hertz = 1, damping = { keys = [[1, 0], [30, 1]] } }",
    ] {
        assert!(found(line).is_empty(), "{line}");
    }
}

#[test]
fn a_key_has_one_slope_on_a_side() {
    for key in ["slope = 0, in = 3", "in = 3, slope = 0", "slope = 0, out = 3"] {
        let line = format!(
            "swing = {{ wiggle = [[1, 0], {{ frame = 24, value = 5, {key} }}], hertz = 1 }}"
        );
        says(&only(&line, "L0209"), &["`slope`"]);
    }
}

#[test]
fn ineffective_settings_of_a_key_are_reported() {
    let soft = only(
        "swing = { wiggle = [[1, 0], { frame = 24, value = 5, soft = 3 }], hertz = 1 }",
        "L0224",
    );
    says(&soft, &["`soft`", "slope"]);
    let first = |words: &str, key: &str| {
        format!(
            "swing = {{ wiggle = [{{ frame = 10, value = 0, {key} }}, [24, 5], [58, 0]], hertz = 1{words} }}"
        )
    };
    says(&only(&first("", "in = 3"), "L0224"), &["`in`", "first key", "`out`"]);
    assert_eq!(codes(&document(&first("", "in = 3, out = 4"))), ["L0224"]);
    assert_eq!(codes(&document(&first(", start = 'free'", "in = 3, out = 4"))), ["L0224"]);
    // With a curve before the key, `in` has an effect.
    let moves = ", around = { keys = [[1, 0], [5, 3]] }";
    for words in [", around = 0, rest-until = 3", ", loop = true", moves] {
        assert_eq!(codes(&document(&first(words, "in = 3"))), [""; 0], "{words}");
    }
    assert_eq!(codes(&document(&first("", "slope = 3"))), [""; 0]);
    // The last key of a loop is the first.
    let last = "swing = { wiggle = [[1, 0], [19, 5], { frame = 49, value = 0, slope = 3 }], hertz = 1, loop = true }";
    says(&only(last, "L0224"), &["last key", "first"]);
}

#[test]
fn ineffective_settings_of_a_spring_are_reported() {
    let wiggle =
        |words: &str| format!("swing = {{ wiggle = [[1, 0], [19, 5], [49, 0]], {words} }}");
    let real = only(&wiggle("hertz = 1, kind = 'real', bandwidth = 0.1"), "L0407");
    says(&real, &["`bandwidth`", "real"]);
    assert_eq!(real.path().unwrap().to_string(), "body[0].swing.bandwidth");
    let wide = only(&wiggle("hertz = 1, bandwidth = 0.8"), "L0407");
    says(&wide, &["0.8 Hz", "0.5 Hz", "half of `hertz`"]);
    assert_eq!(codes(&document(&wiggle("hertz = 1, bandwidth = 0.5"))), [""; 0]);
    says(&only(&wiggle("hertz = 1, loop = true, start = 'free'"), "L0407"), &["`start`", "loop"]);
}

#[test]
fn rest_until_excludes_a_free_start_and_a_loop() {
    let both = "swing = { wiggle = [[10, 4], [20, 3]], hertz = 1, around = 0, rest-until = 2, start = 'free' }";
    says(&only(both, "L0209"), &["`rest-until`", "`start = \"free\"`"]);
    let ring =
        "swing = { wiggle = [[10, 4], [20, 3], [30, 4]], hertz = 1, rest-until = 2, loop = true }";
    says(&only(ring, "L0209"), &["`rest-until`", "`loop"]);
    let rest = "swing = { wiggle = [[10, 4], [20, 3]], hertz = 1, around = 0, rest-until = 2, start = 'rest' }";
    assert_eq!(codes(&document(rest)), [""; 0]);
}

#[test]
fn around_of_a_loop_is_equal_at_both_ends() {
    let ring = |around: &str| {
        format!(
            "swing = {{ wiggle = [[1, 0], [19, 5], [49, 0]], hertz = 1, loop = true, around = {around} }}"
        )
    };
    let jump = only(&ring("{ keys = [[1, 0], [49, 40]] }"), "L0227");
    says(&jump, &["0 on frame 1", "40 on frame 49"]);
    for around in [
        "7",
        "{ keys = [[1, 0], [20, 9], [49, 0]] }",
        "{ keys = [[1, 3], [24, 9], [49, 3]], interpolation = 'step' }",
    ] {
        assert_eq!(codes(&document(&ring(around))), [""; 0], "{around}");
    }
}

#[test]
fn a_direction_with_normals_is_reported() {
    let jiggle = |words: &str| {
        codes(&format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'mesh'\nfile = 'a.obj'\njiggles = [{{ drive = {{ wiggle = [[1, 0], [9, 1]], hertz = 2 }}, {words} }}]\n"
        ))
    };
    assert_eq!(jiggle("along = 'normal', direction = [1, 0, 0]"), ["L0407"]);
    assert_eq!(jiggle("direction = [1, 0, 0]"), [""; 0]);
    assert_eq!(jiggle("along = 'normal'"), [""; 0]);
}

#[test]
fn a_formula_of_a_rope_has_no_coordinates() {
    let layer = |amplitude: &str| {
        format!(
            "layers = [{{ kind = 'jiggle', drive = {{ wiggle = [[1, 0], [9, 1]], hertz = 2 }}, amplitude = '{amplitude}' }}]"
        )
    };
    for formula in ["x", "1e-3 * sin(2*z)", "max(u, y)"] {
        says(&only(&layer(formula), "L0226"), &["unknown name", "`u`", "along the rope"]);
    }
    // They are not suggested for misspelt names.
    let unknown = only(&layer("sin(v)"), "L0226").to_string();
    assert!(!unknown.contains("x, y"), "{unknown}");
    for formula in ["exp(u)", "max(u, 1e-3)", "mix(0, 1, u)"] {
        assert_eq!(codes(&document(&layer(formula))), [""; 0], "{formula}");
    }
    for formula in ["1/u", "1/(u - 0.5)", "sqrt(0.9 - u)"] {
        let fails = only(&layer(formula), "L0645");
        says(&fails, &["is not defined everywhere", "u = "]);
        assert!(!fails.to_string().contains("invalid formula"), "{fails}");
    }
}

#[test]
fn times_in_messages_are_frames() {
    let late = only(
        "swing = { wiggle = [[10, 4], [20, 3]], hertz = 1, around = 0, rest-until = 20 }",
        "L0225",
    );
    says(&late, &["until frame 20", "first key is on frame 10"]);
    for word in ["keys", "wiggle"] {
        let hertz = if word == "wiggle" { ", hertz = 1" } else { "" };
        let far = only(&format!("swing = {{ {word} = [[1, 0], [1e15, 30]]{hertz} }}"), "L0205");
        let reported = far.to_string();
        assert!(reported.contains("frame 1000000000000000"), "{reported}");
        assert!(!reported.contains("e13") && !far.helps.is_empty(), "{reported}");
    }
}

#[test]
fn messages_use_the_names_of_the_guide() {
    let missing = only("swing = { wiggle = [[1, 0], [24, 5]] }", "L0202");
    says(&missing, &["has no `hertz`", "Also called `fast`."]);
    let unknown = only("swing = { wiggle = [[1, 0]], hertz = 1, colourful = 1 }", "L0201");
    says(&unknown, &["hertz, swings", "bandwidth, around"]);
    assert!(!unknown.to_string().contains("bouncy"), "{unknown}");
}

#[test]
fn a_misspelt_wiggle_is_recognised() {
    let slip = only("swing = { wigle = [[1, 0], [12, 3]], hertz = 1 }", "L0203");
    says(&slip, &["did you mean `wiggle`", "`keys`"]);
    let other = only("swing = { elephant = 3 }", "L0203");
    says(&other, &["keys = [[1, ", "wiggle = [[1, "]);
    let twice = only("swing = { wiggle = [[12, 0], [12, 35]], hertz = 1 }", "L0214");
    assert!(!twice.to_string().contains("step"), "{twice}");
    says(&only("swing = { keys = [[12, 0], [12, 35]] }", "L0214"), &["step"]);
}

#[test]
fn a_followed_parameter_is_named_by_its_path() {
    let follow = |name: &str| only(&format!("swing = {{ follow = '{name}' }}"), "L0312");
    let empty = follow("");
    says(&empty, &["a body and its parameter", "tail.swing"]);
    assert!(!empty.message.contains("cannot set"), "{empty}");
    says(&follow("rein"), &["add the name of a parameter"]);
    says(&only("swing = { follow = 3 }", "L0203"), &["follow = \"tail.swing\""]);
    says(&follow("rein.swong"), &["did you mean `rein.swing`"]);
    says(&follow("hand.position"), &["`hand` is a locator", "`locator.hand.position`"]);
    assert_eq!(
        codes(&document("to = { follow = 'locator.hand.position' }").replacen(
            "to = [1, 0, 0]\n",
            "",
            1
        )),
        [""; 0]
    );
}

#[test]
fn help_for_resonant_keys_matches_the_guide() {
    let keys = "wiggle = [[1, 0], [13, 1]], hertz = 1.01, decay = 0, around = 0, start = 'free'";
    let changed =
        only(&format!("swing = {{ {keys}, kind = 'real', overshoot-penalty = 0 }}"), "L0408");
    says(&changed, &["add a key between them", "remove `overshoot-penalty`"]);
    // Keys so far apart that the number of half periods is not shown.
    let far = "wiggle = [[1, 0], [9601, 1]], hertz = 1, decay = 0, around = 0, start = 'free'";
    for (calm, reported) in [("", false), (", overshoot-penalty = 0", true)] {
        for diagnostic in found(&format!("swing = {{ {far}, kind = 'real'{calm} }}")) {
            assert_eq!(diagnostic.code.name(), "L0408");
            let help = diagnostic.helps.concat();
            assert!(!help.contains("raise"), "{help}");
            assert_eq!(help.contains("remove `overshoot-penalty`"), reported, "{help}");
        }
    }
}

#[test]
fn an_overshoot_reports_its_cause() {
    let keys = "wiggle = [[1, 0], [10, 5], [11, -25], [12, 35], [24, 10]]";
    let jerk = only(&format!("swing = {{ {keys}, hertz = 1 }}"), "L0408");
    says(&jerk, &["keys at frames 11 and 12 are so close", "half a period is 12.0 frames"]);
    let slow = "wiggle = [[1, 0], [2, 5], [3, -25], [96, 0]], hertz = 0.2, damping = 0";
    says(
        &only(&format!("swing = {{ {slow} }}"), "L0408"),
        &["keys at frames 2 and 3 are so close"],
    );
    // A little more than twice the keys: 13 frames are 1.08 half periods.
    let ring = "wiggle = [[1, 0], [14, 30], [49, 0]], hertz = 1, loop = true";
    says(
        &only(&format!("swing = {{ {ring} }}"), "L0408"),
        &[
            "between its keys at frames 1 and 14",
            "half a period is 12.0 frames",
            "1.08 half periods apart",
        ],
    );
    let cubic =
        only("swing = { wiggle = [[1, 0], [12, 35], [13, -30], [30, 5]], hertz = 0 }", "L0408");
    says(&cubic, &["keys at frames 12 and 13 are so close"]);
    assert!(!format!("{cubic:?}").contains("half a period"), "{cubic:?}");
    let thrown = "wiggle = [[1, 0], { frame = 24, value = 3, slope = 9000 }], hertz = 1";
    says(
        &only(&format!("swing = {{ {thrown} }}"), "L0408"),
        &["key at frame 24 with a slope of 9000", "at most 19 per second", "remove it"],
    );
    let kick = "wiggle = [[1, 0], { frame = 24, value = 0, slope = 9000 }], hertz = 1";
    assert_eq!(
        codes(&document(&format!("swing = {{ {kick} }}"))),
        [""; 0],
        "as the slope requires"
    );
    // A change of the spring is not a key.
    let jumps = "hertz = { keys = [[1, 1.3], [16, 1.3], [17, 0], [200, 0]] }";
    let held = format!("wiggle = [[1, 0], [8, 35], [24, 10]], {jumps}");
    assert_eq!(codes(&document(&format!("swing = {{ {held} }}"))), [""; 0]);
}

#[test]
fn a_number_out_of_range_gets_a_suggestion() {
    says(&only("swing = { wiggle = [[1, 0]], hertz = 1, damping = 2 }", "L0205"), &["help: ", "1"]);
    says(&only("swing = { wiggle = [[1, 0]], hertz = -2 }", "L0205"), &["help: ", "0 Hz"]);
}
