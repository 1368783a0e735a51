//! Panels, components and rows of a plot, and effective springs.

use crate::harness::Folder;

/// A rope whose swing and one end oscillate, and whose sway is a loop.
const MIXED_UNITS: &str = "lariat = 2\n[shot]\nframes = [1, 48]\n\
    [[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 2]\nlength = 5\n\
    to = { wiggle = [[1, [3, 0, 2]], [12, [3.2, 0.1, 2]]], hertz = 1 }\n\
    swing = { wiggle = [[6, 30], [20, -10]], hertz = 2, around = 0 }\n\
    sway = { wiggle = [[3, 0], [8.5, 30], [27.5, 0]], hertz = 1, loop = true }\n";

fn folder() -> Folder {
    Folder::with("rein.lariat", MIXED_UNITS)
}

/// Frame and one more column of the rows of a channel.
fn column(table: &str, channel: &str, name: &str) -> Vec<(f64, Option<f64>)> {
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let at = head.iter().position(|column| *column == name).unwrap();
    let rows = lines.filter(|row| row[0] == channel);
    rows.map(|row| (row[1].parse().unwrap(), row[at].parse().ok())).collect()
}

#[test]
fn every_unit_has_its_own_panel() {
    let folder = folder();
    let titles = |line: &str, title: &str| {
        folder.run(&format!("plot rein.lariat -o a.svg --force {line}")).expect(0);
        folder.read("a.svg").matches(&format!(">{title}<")).count()
    };
    let both = "-c rein.swing -c rein.to -c rein.sway";
    assert_eq!(titles(both, "degrees"), 1, "parameters of one unit share a panel");
    assert_eq!(titles(both, "metres"), 1);
    assert_eq!(titles(both, "push, degrees per second squared"), 1);
    assert_eq!(titles(both, "push, metres per second squared"), 1);
    assert_eq!(titles("-c rein.swing -c rein.sway", "degrees"), 1);
    assert_eq!(titles("-c rein.swing -c rein.sway", "push, per second squared"), 1);
    assert_eq!(titles(&format!("{both} --stack"), "degrees"), 2);
}

#[test]
fn every_curve_shows_its_components() {
    let folder = folder();
    let drawn = |line: &str| {
        folder.run(&format!("plot rein.lariat -o a.svg --force {line}")).expect(0);
        folder.read("a.svg")
    };
    let alone = drawn("-c rein.swing --show imaginary,around");
    assert!(alone.contains(">imaginary<") && alone.contains(">rests at<"));
    let two = drawn("-c rein.swing -c rein.sway --show imaginary,around");
    for name in ["rein.swing", "rein.sway"] {
        assert!(two.contains(&format!(">{name} imaginary<")), "{name}");
        assert!(two.contains(&format!(">{name} rests at<")), "{name}");
    }
    // Every component of a vector has an imaginary part.
    let curves = |text: &str| text.matches("stroke-linejoin").count();
    let plain = drawn("-c rein.to --show phase");
    let vector = drawn("-c rein.to --show phase,imaginary");
    assert_eq!(curves(&vector), curves(&plain) + 6, "a line and its entry for x, y and z");
    assert!(vector.contains(">rein.to y imaginary<"));
}

#[test]
fn the_last_key_of_a_loop_has_a_dot_and_a_row() {
    let folder = folder();
    folder.run("plot rein.lariat -c rein.sway -o a.svg").expect(0);
    assert_eq!(folder.read("a.svg").matches("<circle").count(), 3);
    let table = folder.run("plot rein.lariat -c rein.sway").expect(0).out;
    let rows = column(&table, "rein.sway", "value");
    assert!(rows.contains(&(27.5, Some(0.0))), "{table}");
}

#[test]
fn a_curve_held_by_its_key_has_no_push() {
    let folder = folder();
    let table = folder.run("plot rein.lariat -c rein.swing -c rein.to").expect(0).out;
    for (frame, push) in column(&table, "rein.swing", "push") {
        assert_eq!(push.is_none(), frame < 6.0, "frame {frame}: {push:?}");
    }
    // A curve that rests where its key holds it needs no push: zero, not empty.
    folder.write("late.lariat", MIXED_UNITS.replace(", around = 0", ", around = 30"));
    let table = folder.run("plot late.lariat -c rein.swing").expect(0).out;
    assert_eq!(column(&table, "rein.swing", "push")[0], (1.0, Some(0.0)));
}

#[test]
fn rows_between_frames_can_be_requested() {
    let folder = folder();
    let line = "plot rein.lariat -c rein.swing --frames 11.7-13";
    let frames = |step: &str| -> Vec<f64> {
        let table = folder.run(&format!("{line} {step}")).expect(0).out;
        column(&table, "rein.swing", "value").iter().map(|row| row.0).collect()
    };
    assert_eq!(frames(""), [12.0, 13.0]);
    assert_eq!(frames("--step 0.5"), [11.7, 12.2, 12.7]);
    assert_eq!(frames("--step 0.1").len(), 14);
    assert_eq!(frames("--step 0.1")[3], 12.0);
    // Rows contain the value of the curve.
    let whole = folder.run("plot rein.lariat -c rein.swing").expect(0).out;
    let fine = folder.run("plot rein.lariat -c rein.swing --step 0.25").expect(0).out;
    let (whole, fine) =
        (column(&whole, "rein.swing", "value"), column(&fine, "rein.swing", "value"));
    assert_eq!(fine.len(), 4 * 47 + 1);
    assert!(whole.iter().all(|row| fine.contains(row)));
    // Keys have rows at any step.
    let table = folder.run("plot rein.lariat -c rein.sway --step 10").expect(0).out;
    assert!(column(&table, "rein.sway", "value").contains(&(8.5, Some(30.0))), "{table}");
    folder
        .run(&format!("{line} --step 0.1 -o a.svg"))
        .expect_failure("--step applies to .csv files only; omit it, or write a .csv");
    let fails = |line: &str, message: &str| {
        let ran = folder.run(line).expect(2);
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    };
    fails(&format!("{line} --step 0"), "expected a number of frames above 0, as in 0.25");
    fails("plot rein.lariat -c rein.swing --step 1e-9", "exceed the limit of 1000000");
}

#[test]
fn the_effective_spring_is_plotted() {
    let keyed = MIXED_UNITS.replace("hertz = 2", "hertz = { keys = [[1, 0.2], [41, 2.2]] }");
    let folder = Folder::with("rein.lariat", &keyed);
    let table = folder.run("plot rein.lariat -c rein.swing --spring").expect(0).out;
    let at = |name: &str, frame: f64| {
        let rows = column(&table, &format!("rein.swing {name}"), "value");
        rows.iter().find(|row| row.0 == frame).unwrap().1.unwrap()
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} for {b}");
    // The default is one swing, so the half-life equals the period.
    for frame in [1.0, 11.0, 41.0] {
        near(at("swings", frame), 1.0);
        near(at("half-life", frame) * at("hertz", frame), 1.0);
    }
    near(at("hertz", 41.0), 2.2);
    // The bandwidth is at most half of the frequency.
    near(at("bandwidth", 1.0), 0.1);
    near(at("bandwidth", 41.0), 1.2 / std::f64::consts::TAU);
    folder.run("plot rein.lariat -c rein.swing --spring -o a.svg").expect(0);
    let drawing = folder.read("a.svg");
    for title in ["hertz", "seconds", "swings"] {
        assert_eq!(drawing.matches(&format!(">{title}<")).count(), 1, "{title}");
    }
    // With a damping ratio the spring is slower than its `hertz`.
    folder.write("damped.lariat", MIXED_UNITS.replace("hertz = 2", "hertz = 2, damping = 0.6"));
    let table = folder.run("plot damped.lariat -c rein.swing --spring").expect(0).out;
    near(column(&table, "rein.swing hertz", "value")[0].1.unwrap(), 1.6);
    // An undamped spring has no half-life, and a real one no bandwidth.
    let endless = MIXED_UNITS.replace("hertz = 2", "hertz = 2, decay = 0, kind = 'real'");
    folder.write("endless.lariat", endless);
    let table = folder.run("plot endless.lariat -c rein.swing --spring").expect(0).out;
    assert_eq!(column(&table, "rein.swing half-life", "value")[0].1, None);
    assert!(!table.contains("bandwidth"), "{table}");
}

#[test]
fn unset_parameters_of_a_spring_are_reported() {
    let folder = folder();
    folder.run("plot rein.lariat -c rein.swing.swings").expect_failure(
        "`rein.swing` does not set `swings`; `-c rein.swing --spring` plots its effective spring",
    );
    folder.run("plot rein.lariat -c rein.swing.half-life").expect_failure(
        "`rein.swing` does not set `half-life`; `-c rein.swing --spring` plots its effective spring",
    );
    folder
        .run("plot rein.lariat -c rein.length --spring")
        .expect_failure("`rein.length` has no spring; only a `wiggle` and its followers have one");
}
