//! `lariat export`: files for other tools.

use std::fmt::Write as _;

use crate::harness::{Folder, MIXED, ROPE, SHORT};

/// Many ropes that swing, some hanging on others.
fn rigging(ropes: usize, frames: usize) -> String {
    let mut text = format!("lariat = 2\n[shot]\nframes = [1, {frames}]\n");
    for i in 0..ropes {
        let from = if i % 5 == 4 {
            format!("{{ body = \"rope {}\", at = 0.5 }}", i - 1)
        } else {
            format!("[0, {i}, 4]")
        };
        let _ = write!(
            text,
            "[[body]]\nname = \"rope {i}\"\nmodel = \"suspended-rope\"\nfrom = {from}\n\
             to = [3, {i}, 4]\nlength = 5\nswing = {{ keys = [[1, 0], [10, {i}]], after = \"ping-pong\" }}\n\
             waves = [{{ height = 0.1, ripples = 3, travel = 0.4 }}]\n"
        );
    }
    text
}

#[test]
fn the_extension_selects_the_format() {
    let folder = Folder::with("rope.lariat", ROPE);
    for (name, start) in [
        ("rope.usda", "#usda 1.0"),
        ("rope.csv", "body,strand,frame,index,u,x,y,z,radius,twist_degrees\nrein,rope,1,0,"),
        ("rope.json", "{\"shot\":{\"fps\":24,"),
        ("rope.svg", "<svg "),
    ] {
        let ran = folder.run(&format!("export rope.lariat -o {name}")).expect(0);
        assert!(folder.read(name).starts_with(start), "{name}");
        assert_eq!(ran.out, "");
        assert!(ran.err.starts_with(&format!("wrote {name}: 1 body, 24 frames, ")), "{}", ran.err);
    }
    folder.run("export rope.lariat -o rope.txt --format csv").expect(0);
    assert_eq!(folder.read("rope.txt"), folder.read("rope.csv"));
    serde_json::from_str::<serde_json::Value>(&folder.read("rope.json")).unwrap();
    assert_eq!(folder.names().len(), 6, "{:?}", folder.names());
}

#[test]
fn an_unknown_extension_is_an_error() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.run("export rope.lariat -o rope.abc").expect_failure(
        "unknown format `.abc`; supported: .usda, .csv, .json, .svg, or choose one with --format",
    );
    folder
        .run("export rope.lariat -o -")
        .expect_failure("choose a format for standard output with --format: usda, csv, json, svg");
    let ran = folder.run("export rope.lariat -o a.b --format usdc").expect(2);
    assert!(ran.err.contains("supported formats: usda, csv, json, svg"), "{}", ran.err);
    assert_eq!(folder.names(), ["rope.lariat"]);
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.write("rope.usda", "mine");
    folder.run("export rope.lariat -o rope.usda").expect_failure(
        "`rope.usda` already exists; choose another name, or replace it with --force",
    );
    assert_eq!(folder.read("rope.usda"), "mine");
    folder.run("export rope.lariat -o rope.usda --force").expect(0);
    assert!(folder.read("rope.usda").starts_with("#usda"));
    assert_eq!(folder.names(), ["rope.lariat", "rope.usda"]);
}

#[test]
fn the_document_is_never_overwritten() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.run("export rope.lariat -o ./rope.lariat --format usda --force").expect_failure(
        "`./rope.lariat` is the input document and is never overwritten; choose another name",
    );
    assert_eq!(folder.read("rope.lariat"), ROPE);
}

#[test]
fn an_invalid_location_is_an_error() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.run("export rope.lariat -o out/rope.usda").expect_failure(
        "cannot write `out/rope.usda`: there is no folder `out`; create it, or choose another location",
    );
    std::fs::create_dir(folder.path("out.usda")).unwrap();
    folder
        .run("export rope.lariat -o out.usda --force")
        .expect_failure("cannot write `out.usda`: it is a folder; choose another location");
}

#[test]
fn standard_output_gets_the_same_bytes() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.run("export rope.lariat -o rope.usda").expect(0);
    let ran = folder.run("export rope.lariat -o - --format usda").expect(0);
    assert_eq!(ran.out, folder.read("rope.usda"));
    assert_eq!(ran.err, "");
}

#[test]
fn frames_and_bodies_can_be_chosen() {
    let folder = Folder::with("ship.lariat", &rigging(5, 10));
    let ran = folder.run_args(&[
        "export",
        "ship.lariat",
        "-o",
        "-",
        "--format",
        "csv",
        "--frames",
        "-1,2-10x4",
        "--body",
        "rope 4",
        "--body",
        "rope 1",
    ]);
    let rows: Vec<Vec<String>> = ran
        .expect(0)
        .out
        .lines()
        .skip(1)
        .map(|row| row.split(',').take(3).map(str::to_owned).collect())
        .collect();
    assert_eq!(rows.len(), 2 * 4 * 49);
    assert_eq!(rows[0], ["rope 1", "rope", "-1"]);
    assert_eq!(rows.last().unwrap(), &["rope 4", "rope", "10"]);
    folder.run("export ship.lariat -o a.csv --frames 12.5").expect_failure(
        "frame 12.5 is fractional, and files contain whole frames only; use `lariat eval` for \
         fractional frames",
    );
}

#[test]
fn meshes_are_optional() {
    let folder = Folder::with("rope.lariat", ROPE);
    let usd = |line: &str| {
        folder
            .run(&format!("export rope.lariat -o - --format usda --frames 1 {line}"))
            .expect(0)
            .out
    };
    let plain = usd("");
    assert!(plain.contains("def BasisCurves") && !plain.contains("def Mesh"), "{plain}");
    let both = usd("--meshes");
    assert!(both.contains("def BasisCurves") && both.contains("def Mesh"), "{both}");
    assert_eq!(both, usd("--meshes 12"));
    assert!(usd("--meshes=8 --no-curves").len() < usd("--meshes=16 --no-curves").len());
    assert!(!usd("--meshes --no-curves").contains("def BasisCurves"));
    assert!(usd("--velocities").contains("velocities"));
    assert!(plain.contains("quatf[] primvars:frame"));
    assert!(!usd("--no-orientations").contains("quatf[] primvars:frame"));

    for (line, message) in [
        ("--meshes 2", "2 sides are out of range; tubes have 3 to 1024"),
        ("--no-curves", "--meshes"),
    ] {
        let ran = folder.run(&format!("export rope.lariat -o a.usda {line}")).expect(2);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    let ran = folder.run("export --meshes rope.lariat -o a.usda").expect(2);
    assert!(ran.err.contains("write `--meshes=12`"), "{}", ran.err);
}

#[test]
fn options_of_other_formats_are_errors() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder
        .run("export rope.lariat -o a.csv --meshes")
        .expect_failure("--meshes does not apply to .csv files; omit it, or export to .usda");
    folder.run("export rope.lariat -o a.usda --axes").expect_failure(
        "--axes does not apply to .usda files; omit it, or export to .csv or .json",
    );
    folder
        .run("export rope.lariat -o a.usda --view 0,0")
        .expect_failure("--view does not apply to .usda files; omit it, or export to .svg");
    let ran = folder.run("export rope.lariat -o - --format csv --axes").expect(0);
    assert!(ran.out.starts_with("body,strand,frame,index,u,x,y,z,radius,twist_degrees,tx,"));
}

#[test]
fn the_view_of_a_drawing_can_be_chosen() {
    let folder = Folder::with("rope.lariat", ROPE);
    let drawing = |view: &str| {
        folder
            .run(&format!("export rope.lariat -o - --format svg --frames 24 {view}"))
            .expect(0)
            .out
    };
    assert_eq!(drawing(""), drawing("--view 25,15"));
    assert_ne!(drawing(""), drawing("--view -90,0"));
    let ran = folder.run("export rope.lariat -o a.svg --view 25").expect(2);
    assert!(ran.err.contains("expected two angles in degrees, as in 25,15"), "{}", ran.err);
}

#[test]
fn the_number_of_threads_does_not_change_the_export() {
    let folder = Folder::with("ship.lariat", &rigging(40, 6));
    for ending in ["usda", "csv", "json", "svg"] {
        let file = |threads: usize| {
            let name = format!("ship{threads}.{ending}");
            let meshes = if ending == "usda" { "--meshes 5 --velocities" } else { "" };
            folder
                .run(&format!("export ship.lariat -o {name} --threads {threads} {meshes}"))
                .expect(0);
            folder.read(&name)
        };
        let one = file(1);
        for threads in [2, 3, 8] {
            assert!(file(threads) == one, "{ending} differs with {threads} threads");
        }
    }
}

#[test]
fn a_document_with_errors_gives_no_output() {
    let folder = Folder::with("mixed.lariat", MIXED);
    folder.write("short.lariat", SHORT);
    for (file, code) in [("mixed", "L0201"), ("short", "L0601")] {
        let ran = folder.run(&format!("export {file}.lariat -o a.usda")).expect(1);
        assert!(ran.err.contains(&format!("error[{code}]")), "{}", ran.err);
        assert_eq!(folder.names(), ["mixed.lariat", "short.lariat"]);
    }
    let ran = folder.run("export mixed.lariat -o a.csv --keep-going").expect(1);
    assert!(ran.err.contains("wrote a.csv: 1 body, 4 frames"), "{}", ran.err);
    // A rope that is too short is a straight line, as its diagnostic says.
    folder.run("export short.lariat -o b.csv --keep-going").expect(1);
    assert!(
        folder.read("b.csv").lines().last().unwrap().contains(",48,48,1,5,0,2,"),
        "the far end"
    );
    // Errors at other frames do not matter.
    folder.run("export short.lariat -o c.csv --frames 1-5").expect(0);
}

#[test]
fn an_unreadable_document_is_an_error_even_with_keep_going() {
    let folder = Folder::with("bad.lariat", "lariat = = 1\n");
    let ran = folder.run("export bad.lariat -o a.usda --keep-going").expect(1);
    assert!(ran.err.ends_with("nothing was written because of 1 error; fix the document\n"));
    assert_eq!(folder.names(), ["bad.lariat"]);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = Folder::with("ship.lariat", &rigging(20, 200));
    for format in ["usda", "csv", "json"] {
        let line = format!("export ship.lariat -o - --format {format}");
        let ran = folder.run_into_head(&line).expect(0);
        assert!(!ran.out.is_empty());
        assert_eq!(ran.err, "");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_no_file() {
    use std::{
        io::Read,
        process::{Command, Stdio},
        thread::sleep,
        time::Duration,
    };

    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = Folder::with("ship.lariat", &rigging(40, 4000));
        let mut command = folder.command("export ship.lariat -o ship.usda".split(' '));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let is_draft = |name: &String| name.starts_with(".lariat-");
        while !folder.names().iter().any(is_draft) {
            assert!(child.try_wait().unwrap().is_none(), "ended before it began");
            sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );
        let status = child.wait().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(status.code(), Some(code), "{err}");
        assert_eq!(err, "error: interrupted: nothing was written\n");
        assert_eq!(folder.names(), ["ship.lariat"]);
    }
}
