//! `lariat check`: diagnostics as text and JSON.

use crate::harness::{Folder, MIXED, ROPE, SHORT, WARNED};

/// Output of `check` for a document called `barn.lariat`.
fn output_of(text: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    folder.write("barn.lariat", text);
    let ran = folder.run("check barn.lariat");
    assert_eq!(ran.err, "");
    format!("{}\nexit code {}\n", ran.out, ran.code)
}

#[test]
fn a_clean_document_is_one_line() {
    assert_eq!(output_of(ROPE), "0 errors, 0 warnings in 1 body, 24 frames\n\nexit code 0\n");
}

#[test]
fn diagnostics_are_drawn_under_the_line_they_are_about() {
    insta::assert_snapshot!("rope_too_short", output_of(SHORT));
    insta::assert_snapshot!("errors_and_dependents", output_of(MIXED));
    insta::assert_snapshot!("warning", output_of(WARNED));
}

#[test]
fn all_errors_are_reported_in_one_run() {
    let text = r##"[shot]
fps = 0
frames = [10, 1]

[[locator]]
name = "hand"
position = [0, nan, 2]

[[body]]
name = "rein"
model = "suspended-rop"

[[body]]
name = "rein"
model = "suspended-rope"
from = { locator = "hnad" }
to = [3, 0, "two"]
length = -4
sag = 0.5
colour = "#12345"
swing = { keys = [[5, 0], [1, 10], [1, 20]] }
waves = [{ height = 0.1, magnitude = 0.2 }, { ripples = 3 }]

[[body]]
name = "a"
model = "loose-rope"
from = { body = "b", at = 0.5 }
length = 1

[[body]]
name = "b"
model = "loose-rope"
from = { body = "a", at = 0.5 }
length = 1
samples = 10000000
"##;
    insta::assert_snapshot!("all_at_once", output_of(text));
}

#[test]
fn files_that_are_not_documents_are_reported() {
    insta::assert_snapshot!(
        "not_toml",
        output_of("lariat = 2\n[[body]\nname = \"rein\nlength = = 4\n")
    );
    insta::assert_snapshot!("not_text", output_of(b"lariat = 2\nname = \"\xe9\"\n"));
    insta::assert_snapshot!("empty", output_of(""));
    insta::assert_snapshot!("of_the_future", output_of("lariat = 99\n"));
}

#[test]
fn places_that_cannot_be_drawn_are_listed() {
    // A grid of many rows is shown by its first row, and an overlong line not at all.
    let row = format!("[{}],\n", ["0"; 9].join(", "));
    let ragged = format!(
        "lariat = 2\n[[collider]]\nname = \"ground\"\nshape = \"height-field\"\ncell = 1\nheights = [\n{}[0, 0],\n]\n",
        row.repeat(40)
    );
    insta::assert_snapshot!("tall", output_of(ragged));
    let long = format!("lariat = 2\nxs = [{}]\n", vec!["1"; 5000].join(", "));
    insta::assert_snapshot!("long", output_of(long));
}

#[test]
fn control_characters_of_a_document_are_escaped() {
    let hostile = r#"lariat = 2
[[locator]]
name = "\u001b[31mred\u0007"
[[body]]
name = "\u001b[31mred\u0007\n"
model = "suspended-rope"
from = { locator = "\u001b]0;title\u0007" }
to = [1, 0, 0]
length = 2
"#;
    let out = output_of(hostile);
    assert!(out.contains("error[L0302]") && out.contains("help: use it"), "{out}");
    assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "{out:?}");
}

#[test]
fn warnings_are_errors_only_with_strict() {
    let folder = Folder::with("barn.lariat", WARNED);
    let ran = folder.run("check barn.lariat").expect(0);
    assert!(ran.out.ends_with("0 errors, 1 warning in 1 body, 120 frames\n"), "{}", ran.out);
    folder.run("check barn.lariat --strict").expect(1);
}

#[test]
fn frames_can_be_left_out() {
    let folder = Folder::with("barn.lariat", SHORT);
    folder.run("check barn.lariat").expect(1);
    let ran = folder.run("check barn.lariat --no-frames").expect(0);
    assert_eq!(ran.out, "0 errors, 0 warnings in 1 body, frames not checked\n");
}

#[test]
fn limits_can_be_set() {
    let folder = Folder::with("barn.lariat", &ROPE.replace("samples = 5", "samples = 2000000"));
    let ran = folder.run("check barn.lariat --no-frames").expect(1);
    assert!(ran.out.contains("error[L0502]"), "{}", ran.out);
    folder.run("check barn.lariat --no-frames --limit samples-per-body=2_000_000").expect(0);
    let ran = folder.run("check barn.lariat --limit file-bytes=10").expect(1);
    assert!(ran.out.contains("more than the limit of 10"), "{}", ran.out);
}

#[test]
fn a_missing_file_does_not_stop_the_check_of_others() {
    let folder = Folder::with("good.lariat", ROPE);
    folder.write("short.lariat", SHORT);
    folder.write("warned.lariat", WARNED);
    let ran = folder.run("check good.lariat short.lariat warned.lariat").expect(1);
    let lines: Vec<&str> = ran.out.lines().filter(|line| line.contains(" in ")).collect();
    assert_eq!(lines[0], "good.lariat: 0 errors, 0 warnings in 1 body, 24 frames");
    assert_eq!(lines.last(), Some(&"1 error, 1 warning in 3 files"));

    let ran = folder.run("check gone.lariat short.lariat good.lariat").expect(2);
    assert!(ran.err.starts_with("error: there is no file `gone.lariat`"), "{}", ran.err);
    assert!(ran.out.ends_with("1 error, 0 warnings in 2 files\n"), "{}", ran.out);
}

#[test]
fn quiet_prints_only_diagnostics() {
    let folder = Folder::with("good.lariat", ROPE);
    folder.write("short.lariat", SHORT);
    assert_eq!(folder.run("check -q good.lariat").expect(0).out, "");
    let ran = folder.run("check -q short.lariat").expect(1);
    assert!(ran.out.contains("L0601") && !ran.out.contains("1 error"), "{}", ran.out);
}

#[test]
fn json_has_the_same_fields() {
    let folder = Folder::with("short.lariat", SHORT);
    folder.write("good.lariat", ROPE);
    for line in ["--format json", "--json"] {
        let ran = folder.run(&format!("check short.lariat good.lariat gone.lariat {line}"));
        let json = ran.expect(2).json();
        assert_eq!(json["errors"], 1);
        let [short, good, gone] = [&json["files"][0], &json["files"][1], &json["files"][2]];
        assert_eq!(short["file"], "short.lariat");
        assert_eq!((&short["bodies"], &short["frames"]), (&1.into(), &48.into()));
        let diagnostic = &short["diagnostics"][0];
        assert_eq!(diagnostic["code"], "L0601");
        assert_eq!(diagnostic["severity"], "error");
        let label = &diagnostic["labels"][0];
        assert_eq!(label["path"], "body.rein.length");
        assert_eq!((&label["line"], &label["column"]), (&11.into(), &10.into()));
        let place =
            label["start"].as_u64().unwrap() as usize..label["end"].as_u64().unwrap() as usize;
        assert_eq!(&SHORT[place], "4");
        assert!(diagnostic["helps"][0].as_str().unwrap().contains("`length` to"));
        let frames = serde_json::json!({ "first": 13, "last": 48, "count": 36, "worst": 24 });
        assert_eq!(diagnostic["frames"], frames);
        assert_eq!(diagnostic["values"], serde_json::json!({ "length": 4, "needed": 5 }));
        assert_eq!(good["diagnostics"].as_array().unwrap().len(), 0);
        assert!(gone["failure"].as_str().unwrap().starts_with("there is no file"));
    }
}

#[test]
fn thousands_of_diagnostics_are_counted_and_not_listed() {
    let body =
        "[[body]]\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlenght = 4\n";
    let bodies = body.repeat(3000);
    let folder = Folder::with("ship.lariat", &format!("lariat = 2\n{bodies}"));
    let ran = folder.run("check ship.lariat").expect(1);
    let last = ran.out.lines().rfind(|line| line.starts_with("error[")).unwrap();
    assert!(last.starts_with("error[L0508]"), "further diagnostics are counted: {last}");
    let listed = ran.out.lines().filter(|line| line.starts_with("error[")).count();
    assert_eq!(listed, 1001, "a thousand, and one that counts the others");
    let counts = ran.out.lines().last().unwrap();
    assert!(counts.starts_with("9000 errors, 0 warnings in 3000 bodies"), "{counts}");
    let ran = folder.run("eval ship.lariat --quiet").expect(1);
    assert!(ran.err.contains("nothing was written because of 9000 errors;"), "{}", ran.err);
}

#[test]
fn possible_causes_are_listed_before_tears() {
    // The thread tears; the mistake is further down in the file.
    let thread = "[[body]]\nname = \"thread\"\nmodel = \"suspended-rope\"\nfrom = [-1, 0, 1]\nto = [1, 0, 1]\nlength = 2.0001\nradius = 0.002\n[body.dynamics]\nkind = \"string\"\nmaterial = \"cotton-thread\"\nsegments = 20\nforces = [{ at = 0.5, force = [0, 0, -9000] }]\n";
    let line = "[[body]]\nname = \"line\"\nmodel = \"suspended-rope\"\nfrom = [-1, 3, 1]\nto = [1, 3, 1]\nlength = 2.4\n[body.dynamics]\nkind = \"string\"\nsegments = 20\nforces = [{ force = [0, 0, -9] }]\n";
    let shot = "lariat = 2\n[shot]\nframes = [1, 3]\n";
    let folder = Folder::with("torn.lariat", &format!("{shot}{thread}{line}"));
    let out = folder.run("check torn.lariat").expect(0).out;
    let heads: Vec<&str> = out
        .lines()
        .filter(|line| line.contains("[L0"))
        .map(|line| line.split(']').next().unwrap())
        .collect();
    assert_eq!(heads[..2], ["warning[L0407", "note[L0666"], "{out}");
    assert!(heads[1..].iter().all(|head| *head == "note[L0666"), "{out}");
}

#[test]
fn default_frames_of_a_wrong_shot_are_named() {
    let folder = Folder::with("shot.lariat", &ROPE.replace("[1, 24]", "96"));
    let ran = folder.run("check shot.lariat").expect(1);
    let last = ran.out.lines().last().unwrap();
    assert_eq!(
        last,
        "1 error, 0 warnings in 1 body, frames 1–120 at 24 per second because `[shot]` has errors"
    );
    let ran = folder.run("export shot.lariat -o a.csv --keep-going").expect(1);
    let note = "`[shot]` has errors; using frames 1–120 at 24 per second";
    assert!(ran.err.contains(note), "{}", ran.err);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let bodies = "[[body]]\nname = \"rope\"\n".repeat(900);
    let folder = Folder::with("ship.lariat", &format!("lariat = 2\n{bodies}"));
    let ran = folder.run_into_head("check ship.lariat").expect(0);
    assert!(ran.out.starts_with("error[L02"), "{}", ran.out);
    assert_eq!(ran.err, "");
}
