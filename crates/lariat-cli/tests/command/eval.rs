//! `lariat eval`: points at frames.

use crate::harness::{Folder, MIXED, ROPE, SHORT};

#[test]
fn points_are_printed_as_a_table() {
    let ran = Folder::with("rope.lariat", ROPE).run("eval rope.lariat --frames 1,24").expect(0);
    insta::assert_snapshot!("table", ran.out);
    assert!(ran.err.starts_with("slack of `rein`: 1.000 m"), "{}", ran.err);
}

#[test]
fn the_first_frame_is_the_default() {
    let folder = Folder::with("rope.lariat", ROPE);
    let first = folder.run("eval rope.lariat --frames 1").expect(0).out;
    assert_eq!(folder.run("eval rope.lariat").expect(0).out, first);
}

#[test]
fn every_format_has_the_same_points() {
    let folder = Folder::with("rope.lariat", ROPE);
    let csv = folder.run("eval rope.lariat --frames 3-9x3,12.5 --format csv").expect(0).out;
    let json = folder.run("eval rope.lariat --frames 3-9x3,12.5 --json").expect(0).json();
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("body,strand,frame,index,u,x,y,z,radius,twist_degrees"));
    let mut seen = 0;
    for frame in json["frames"].as_array().unwrap() {
        let body = &frame["bodies"][0];
        assert_eq!(body["name"], "rein");
        assert_eq!(body["visible"], true);
        assert!((body["slack"].as_f64().unwrap() - 1.0).abs() < 1e-9);
        let strand = &body["strands"][0];
        for (index, point) in strand["points"].as_array().unwrap().iter().enumerate() {
            let cells: Vec<&str> = rows.next().unwrap().split(',').collect();
            assert_eq!(cells[2].parse::<f64>().unwrap(), frame["frame"].as_f64().unwrap());
            assert_eq!(cells[3], index.to_string());
            for axis in 0..3 {
                let number: f64 = cells[5 + axis].parse().unwrap();
                assert_eq!(number.to_bits(), point[axis].as_f64().unwrap().to_bits());
            }
            seen += 1;
        }
    }
    assert_eq!((seen, rows.next()), (4 * 5, None));
    let frames: Vec<f64> =
        json["frames"].as_array().unwrap().iter().map(|f| f["frame"].as_f64().unwrap()).collect();
    assert_eq!(frames, [3.0, 6.0, 9.0, 12.5]);
}

#[test]
fn points_equal_those_of_an_export() {
    let folder = Folder::with("rope.lariat", ROPE);
    let eval = folder.run("eval rope.lariat --frames 7 --format csv").expect(0).out;
    let export = folder.run("export rope.lariat --frames 7 -o - --format csv").expect(0).out;
    assert_eq!(eval, export);
}

#[test]
fn frames_may_be_negative() {
    let folder = Folder::with("rope.lariat", ROPE);
    let ran = folder.run("eval rope.lariat --frames -2-1 --format csv").expect(0);
    assert_eq!(ran.out.lines().count(), 1 + 4 * 5);
    assert!(ran.out.contains("rein,rope,-2,0,"), "{}", ran.out);
}

#[test]
fn an_invalid_frame_set_is_reported_with_its_position() {
    let folder = Folder::with("rope.lariat", ROPE);
    let ran = folder.run("eval rope.lariat --frames 1-10,5-x9").expect(2);
    assert!(
        ran.err.contains(
            "'1-10,5-x9' for '--frames <SET>': at character 8: expected a frame number, found `x9`"
        ),
        "{}",
        ran.err
    );
    folder.run("eval rope.lariat --frames 1-1000000000").expect_failure(
        "1000000000 frames exceed the limit of 1000000; choose fewer, or raise it with `--limit \
         frames=1000000000`",
    );
}

#[test]
fn bodies_are_chosen_by_name() {
    let parts = r#"lariat = 2
[[body]]
name = "near"
model = "suspended-rope"
from = [0, 0, 2]
to = [1, 0, 2]
length = 1.5
samples = 3
[[body]]
name = "far"
model = "suspended-rope"
from = [1, 0, 2]
to = [2, 0, 2]
length = 1.5
samples = 3
[[body]]
name = "both"
model = "compound"
parts = ["near", "far"]
"#;
    let folder = Folder::with("rope.lariat", parts);
    let names = |line: &str| {
        let ran = folder.run(&format!("eval rope.lariat --format csv {line}")).expect(0);
        let mut names: Vec<String> =
            ran.out.lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect();
        names.dedup();
        names
    };
    assert_eq!(names(""), ["both"], "parts of a compound are not drawn separately");
    assert_eq!(names("--body far"), ["far"], "but can be selected");
    assert_eq!(names("--body both --body near --body near"), ["near", "both"]);
    folder
        .run("eval rope.lariat --body botth")
        .expect_failure("there is no body `botth`; did you mean `both`?");
    folder
        .run("eval rope.lariat --body elephant")
        .expect_failure("there is no body `elephant`; there are `near`, `far`, `both`");
}

#[test]
fn hidden_bodies_have_no_points() {
    let text = ROPE.to_owned() + "visible = { keys = [[1, true], [10, false]] }\n";
    let folder = Folder::with("rope.lariat", &text);
    let ran = folder.run("eval rope.lariat --frames 9,10 --json").expect(0);
    let frames = ran.json();
    let strands =
        |frame: usize| frames["frames"][frame]["bodies"][0]["strands"].as_array().unwrap().len();
    assert_eq!((strands(0), strands(1)), (1, 0));
    assert!(ran.err.contains("`rein` is not visible in 1 of 2 frames"), "{}", ran.err);
}

#[test]
fn a_document_with_errors_gives_no_output() {
    let folder = Folder::with("mixed.lariat", MIXED);
    let ran = folder.run("eval mixed.lariat").expect(1);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("error[L0201]"), "{}", ran.err);
    assert!(
        ran.err.ends_with("or continue without the affected bodies with --keep-going\n"),
        "{}",
        ran.err
    );

    let ran = folder.run("eval mixed.lariat --keep-going --format csv").expect(1);
    assert_eq!(ran.out.lines().count(), 1 + 3, "{}", ran.out);
    assert!(ran.out.lines().skip(1).all(|row| row.starts_with("good,")), "{}", ran.out);
    assert!(ran.err.contains("skipped because of errors: `bad`, `hanger`"), "{}", ran.err);
    folder.run("eval mixed.lariat --keep-going --quiet --body bad").expect(2);
}

#[test]
fn a_frame_that_cannot_be_posed_is_an_error_at_that_frame_only() {
    let folder = Folder::with("short.lariat", SHORT);
    folder.run("eval short.lariat --frames 1").expect(0);
    let ran = folder.run("eval short.lariat --frames 24").expect(1);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("error[L0601]: rope `rein` is shorter"), "{}", ran.err);
    let ran = folder.run("eval short.lariat --frames 24 --keep-going --json").expect(1);
    let json = ran.json();
    assert_eq!(json["frames"][0]["bodies"][0]["warnings"][0]["code"], "L0601");
}

#[test]
fn quiet_prints_only_points() {
    let ran = Folder::with("rope.lariat", ROPE).run("eval rope.lariat --quiet").expect(0);
    assert_eq!(ran.err, "");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::with("rope.lariat", ROPE);
    for format in ["table", "csv", "json"] {
        let ran =
            folder.run_into_head(&format!("eval rope.lariat --frames 1-9000 --format {format}"));
        let ran = ran.expect(0);
        assert!(!ran.out.is_empty());
        assert!(!ran.err.contains("error"), "{}", ran.err);
    }
}
