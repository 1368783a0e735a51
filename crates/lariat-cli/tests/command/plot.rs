//! `lariat plot`: parameters over time and frequency responses, as plots and tables.

use std::fs;

use crate::harness::{Folder, MIXED, ROPE};

/// A rope whose swing oscillates through keys, one of them between frames, and a follower.
const SWING: &str = "lariat = 2\n[shot]\nframes = [1, 48]\n\
    [[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n\
    swing = { wiggle = [[1, 0], [12.3, 35.7], [30, -0.1]], hertz = 1.4, decay = 0.5, bandwidth = 0.2 }\n\
    [[body]]\nname = 'other'\nmodel = 'suspended-rope'\nfrom = [0, 1, 2]\nto = [3, 1, 2]\nlength = 4\n\
    swing = { follow = 'rein.swing', lag = 40 }\nsway = { keys = [[1, 0], [24, 5]] }\n";

fn folder() -> Folder {
    Folder::with("swing.lariat", SWING)
}

/// The cells of a table, without its head.
fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn value_at(rows: &[Vec<&str>], channel: &str, frame: &str) -> f64 {
    let row = rows.iter().find(|row| row[0] == channel && row[1] == frame);
    row.unwrap_or_else(|| panic!("no row of {channel} at {frame}"))[3].parse().unwrap()
}

#[test]
fn a_plot_is_a_drawing_a_picture_or_a_table() {
    let folder = folder();
    for name in ["a.svg", "a.png", "a.csv"] {
        let ran = folder.run(&format!("plot swing.lariat -c rein.swing -o {name}")).expect(0);
        assert_eq!(ran.out, "");
        assert!(ran.err.contains(&format!("{name}: rein.swing")), "{}", ran.err);
    }
    let drawing = folder.read("a.svg");
    assert!(drawing.starts_with("<svg") && drawing.contains("rests at"));
    assert_eq!(drawing.matches("<circle").count(), 3, "three keys");
    assert!(drawing.contains(">frames<") && drawing.contains(">degrees<"));
    let picture = fs::read(folder.path("a.png")).unwrap();
    assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
    // 960 by 600, in the header's own order of bytes.
    assert_eq!(&picture[16..24], &[0, 0, 3, 192, 0, 0, 2, 88]);
    let table = folder.read("a.csv");
    assert!(table.starts_with("channel,frame,seconds,value,around,imaginary,swing,phase,push\n"));
    let to_pipe = folder.run("plot swing.lariat -c rein.swing").expect(0);
    assert_eq!(to_pipe.out, table);
}

#[test]
fn keys_are_in_the_table_bit_for_bit() {
    let folder = folder();
    let table = folder.run("plot swing.lariat -c rein.swing").expect(0).out;
    let rows = rows(&table);
    assert_eq!(rows.len(), 49, "every frame, and a key between two");
    for (frame, value) in [("1", 0.0), ("12.3", 35.7), ("30", -0.1)] {
        assert_eq!(value_at(&rows, "rein.swing", frame).to_bits(), f64::to_bits(value), "{frame}");
    }
    // A range that starts between two frames still has rows at whole frames.
    let part = folder.run("plot swing.lariat -c rein.swing -f 11.7-13.2").expect(0).out;
    let frames: Vec<String> = self::rows(&part).iter().map(|row| row[1].to_owned()).collect();
    assert_eq!(frames, ["12", "12.3", "13"]);
}

#[test]
fn a_follower_has_no_keys_of_its_own() {
    let folder = folder();
    folder.run("plot swing.lariat -c other.swing -o a.svg").expect(0);
    let drawn = folder.read("a.svg");
    assert_eq!(drawn.matches("<circle").count(), 0);
    assert!(drawn.contains("phase, degrees") && !drawn.contains("push"), "an empty panel");
    folder.run("plot swing.lariat -c other.sway -o b.svg").expect(0);
    assert_eq!(folder.read("b.svg").matches("<circle").count(), 2);
}

#[test]
fn without_a_channel_animated_parameters_are_listed() {
    let folder = folder();
    let ran = folder.run("plot swing.lariat").expect(0);
    assert_eq!(ran.out, "rein.swing\nother.swing\nother.sway\n");
    folder.write("still.lariat", SWING.split("swing =").next().unwrap());
    let ran = folder.run("plot still.lariat").expect(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("no parameter in this document is animated"), "{}", ran.err);
}

#[test]
fn stacked_panels_are_one_for_each_parameter() {
    let folder = folder();
    let line = "plot swing.lariat -c rein.swing -c other.swing";
    folder.run(&format!("{line} -o one.svg --show around")).expect(0);
    folder.run(&format!("{line} -o two.svg --show around --stack")).expect(0);
    let degrees = |name: &str| folder.read(name).matches(">degrees<").count();
    assert_eq!((degrees("one.svg"), degrees("two.svg")), (1, 2), "the unit of the second panel");
    // Both have the same numbers.
    let plain = folder.run(line).expect(0).out;
    assert_eq!(folder.run(&format!("{line} --stack")).expect(0).out, plain);
    assert_eq!(rows(&plain).len(), 2 * 48 + 1);
}

#[test]
fn a_response_has_the_three_filters_of_the_paper() {
    let folder = folder();
    folder.run("plot swing.lariat -c rein.swing --response -o a.svg").expect(0);
    let drawing = folder.read("a.svg");
    for word in ["two-pole real, poles ±1.4 Hz, decay 0.5/s", "four-pole real", ">hertz<"] {
        assert!(drawing.contains(word), "{word}");
    }
    assert!(drawing.contains("two-pole complex, poles 1.2 and 1.6 Hz, decay 0.5/s"));
    folder.run("plot swing.lariat -c rein.swing --response --stack -o b.png").expect(0);
    let table = folder.run("plot swing.lariat -c rein.swing --response").expect(0).out;
    assert!(table.starts_with("channel,filter,hertz,gain,decibels\n"));
    // Closed forms at frequency 0: 1/(d² + ω²), and 1/|p₀||p₁|.
    let first = |filter: &str| -> f64 {
        let rows = rows(&table);
        let row = rows.iter().find(|row| row[1] == filter && row[2] == "0").unwrap();
        row[3].parse().unwrap()
    };
    let size = |hertz: f64| {
        let w = std::f64::consts::TAU * hertz;
        0.25 + w * w
    };
    assert!((first("two-pole real") * size(1.4) - 1.0).abs() < 1e-12);
    let both = (size(1.2) * size(1.6)).sqrt();
    assert!((first("two-pole complex") * both - 1.0).abs() < 1e-12);
    // Several parameters: one curve each.
    let line = "plot swing.lariat -c rein.swing -c other.swing --response";
    let both = folder.run(line).expect(0).out;
    assert_eq!(rows(&both).len() * 3, rows(&table).len() * 2);
}

#[test]
fn parameters_without_a_response_are_errors() {
    let folder = folder();
    folder
        .run("plot swing.lariat -c other.sway --response")
        .expect_failure("`other.sway` has no spring; only a `wiggle` and its followers have one");
    folder.write("endless.lariat", SWING.replace("decay = 0.5", "decay = 0"));
    let ran = folder.run("plot endless.lariat -c rein.swing --response").expect(2);
    assert!(
        ran.err.contains("is undamped at frame 1, so its response at 1.4 Hz is infinite"),
        "{}",
        ran.err
    );
    folder.write("slack.lariat", SWING.replace("hertz = 1.4, decay = 0.5", "hertz = 0, decay = 0"));
    let ran = folder.run("plot slack.lariat -c rein.swing --response").expect(2);
    assert!(ran.err.contains("a frequency of 0 Hz at frame 1"), "{}", ran.err);
}

#[test]
fn invalid_arguments_are_reported_with_a_remedy() {
    let folder = folder();
    let fails = |line: &str, message: &str| {
        let ran = folder.run(line).expect(2);
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    };
    fails(
        "plot swing.lariat -c rein.swnig",
        "animated parameters: rein.swing, other.swing, other.sway",
    );
    fails("plot swing.lariat -c nobody.swing", "unknown parameter `nobody.swing`");
    fails(
        "plot swing.lariat -c rein.swing -o a.pdf",
        "unknown format `.pdf`; supported: .svg, .png, .csv",
    );
    fails("plot swing.lariat -c rein.swing -f 40-2", "last frame 2 is not after first frame 40");
    fails("plot swing.lariat -c rein.swing -f seven", "as in 1-120");
    // A minus sign (U+2212) instead of a hyphen, and other characters of several bytes.
    fails("plot swing.lariat -c rein.swing -f −5-10", "as in 1-120");
    fails("plot swing.lariat -c rein.swing -f é", "as in 1-120");
    fails("plot swing.lariat -c rein.swing --size 20x20", "at least 200x120 pixels");
    folder.write("a.svg", "mine");
    fails("plot swing.lariat -c rein.swing -o a.svg", "a.svg");
    assert_eq!(folder.read("a.svg"), "mine");
    folder.run("plot swing.lariat -c rein.swing -o a.svg --force").expect(0);
    assert!(folder.read("a.svg").starts_with("<svg"));
    fails("plot swing.lariat -c rein.swing -o swing.lariat", "unknown format `.lariat`");
}

#[test]
fn more_frames_than_the_limit_are_an_error() {
    let folder = folder();
    folder.run("plot swing.lariat -c rein.swing -f 0-1e12").expect_failure(
        "1000000000001 frames exceed the limit of 1000000; choose fewer, or raise it with `--limit \
         frames=1000000000001`",
    );
    let line = "plot swing.lariat -c rein.swing --limit frames=48";
    let ran = folder.run(&format!("{line} -f 1-49")).expect(2);
    assert!(ran.err.contains("49 frames exceed"), "{}", ran.err);
    folder.run(line).expect(0);
    // A response depends on one frame only.
    folder.run("plot swing.lariat -c rein.swing --response -f 1-1e12").expect(0);
}

#[test]
fn a_list_is_not_written_to_a_file() {
    let folder = folder();
    folder.run("plot swing.lariat -o a.csv").expect_failure(
        "choose parameters for `a.csv` with --channel; animated parameters: rein.swing, other.swing, \
         other.sway",
    );
    assert_eq!(folder.names(), ["swing.lariat"]);
}

#[test]
fn errors_in_another_body_do_not_prevent_a_plot() {
    let folder = Folder::with(
        "mixed.lariat",
        &MIXED.replace("samples = 3", "swing = { keys = [[1, 0], [4, 9]] }"),
    );
    let ran = folder.run("plot mixed.lariat -c good.swing").expect(1);
    assert_eq!(value_at(&rows(&ran.out), "good.swing", "4"), 9.0);
    assert!(ran.err.contains("lenght"), "the error is reported: {}", ran.err);
    assert_eq!(folder.run("plot mixed.lariat").expect(1).out, "good.swing\n");
    let plain = Folder::with("rope.lariat", ROPE);
    plain.run("plot rope.lariat -c rein.swing").expect(0);
}
