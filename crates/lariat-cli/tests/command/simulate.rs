//! `lariat simulate`: takes that are recorded, resumed, used and never mixed up.

use std::fs;

use crate::harness::{Folder, ROPE};

/// A rope in a hand that moves, and a tassel at its end.
pub(crate) const SWUNG: &str = r#"lariat = 2

[shot]
frames = [1, 48]

[[locator]]
name = "hand"
position = { keys = [[1, [0, 0, 1.2]], [24, [0.4, 0, 1.4]], [36, [0.4, 0.3, 1.2]]] }

[[body]]
name = "rope"
model = "loose-rope"
from = { locator = "hand" }
length = 1.5
direction = [1, 0, -0.4]
floor = 0
dynamics = { kind = "spline-rope", control-points = 8 }

[[body]]
name = "tassel"
model = "loose-rope"
from = { body = "rope", at = 1 }
length = 0.3
samples = 5
dynamics = { kind = "spline-rope", control-points = 6 }
"#;

pub(crate) fn folder() -> Folder {
    Folder::with("swing.lariat", SWUNG)
}

pub(crate) fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn names(folder: &Folder, inside: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path(inside)).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A document whose simulation takes longer than a test waits.
pub(crate) fn endless() -> String {
    SWUNG.replace("[1, 48]", "[1, 200000]").replace("control-points = 8", "control-points = 40")
}

/// The cells of a table.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn takes_are_written_beside_the_document_and_listed() {
    let folder = folder();
    let ran = folder.run("simulate swing.lariat").expect(0);
    assert_eq!(ran.err, "");
    let lines: Vec<Vec<&str>> = ran.out.lines().map(cells).collect();
    assert_eq!(lines[0], ["body", "frames", "steps", "steps/s", "time", "size", "file"]);
    assert_eq!(lines[1][..4], ["rope", "1–48", "470", "240"]);
    assert_eq!(lines[2][..4], ["tassel", "1–48", "470", "240"]);
    assert!(lines[1][4].ends_with(" s") && lines[1][5].ends_with(" kB"), "{}", ran.out);
    assert_eq!(lines[2][6], "swing.takes/tassel.take");
    // Materials follow.
    assert_eq!(lines[3], [""; 0]);
    assert_eq!(lines[4], ["body", "kg/m", "EA, N", "EI, N m²", "inner friction, s", "material"]);
    assert_eq!((lines[5][0], lines[6][0], lines.len()), ("rope", "tassel", 7));
    assert_eq!(folder.names(), ["swing.lariat", "swing.takes"]);
    assert_eq!(names(&folder, "swing.takes"), ["rope.take", "tassel.take"]);

    let ran = folder.run("simulate swing.lariat --json -o again").expect(0);
    let json = ran.json();
    let rope = &json["takes"][0];
    assert_eq!((&rope["body"], &rope["file"]), (&"rope".into(), &"again/rope.take".into()));
    assert_eq!((&rope["first"], &rope["steps"]), (&1.into(), &470.into()));
    assert_eq!((&rope["rate"], &rope["frames_there"]), (&240.into(), &0.into()));
    assert_eq!(rope["bytes"], bytes(&folder, "again/rope.take").len());
    assert_eq!(json["diagnostics"], serde_json::json!([]));
    assert!(bytes(&folder, "again/rope.take") == bytes(&folder, "swing.takes/rope.take"));
}

#[test]
fn materials_are_listed_with_their_numbers() {
    let rope = |name: &str, how: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n\
             radius = 0.005\ndynamics = {{ kind = 'spline-rope', control-points = 6, {how} }}\n"
        )
    };
    let given = "material = 'rubber', mass-per-metre = 0.5, stretch-stiffness = 1234.5";
    let bodies = [
        rope("lead", "material = 'hemp'"),
        rope("cord", given),
        // Explicit steps allow less friction than the material has: the number in use is printed.
        rope("stiff", "material = 'chain', method = 'published', viscosity = 1"),
    ];
    let text = format!("lariat = 2\n[shot]\nframes = [1, 2]\n{}", bodies.concat());
    let folder = Folder::with("three.lariat", &text);
    let out = folder.run("simulate three.lariat").expect(0).out;
    let lines: Vec<Vec<&str>> = out.lines().map(cells).collect();
    // As in the table of the guide, for this radius.
    assert_eq!(lines[6], ["lead", "0.073", "70700", "0.00884", "0.08", "hemp"]);
    assert_eq!(lines[7], ["cord", "0.5", "1230", "0.000982", "0.01", "rubber"]);
    assert_eq!(lines[8][..4], ["stiff", "0.204", "1570000", "0"]);
    assert!(lines[8][4].parse::<f64>().unwrap() < 0.001, "{out}");

    let json = folder.run("simulate three.lariat --json").expect(0).json();
    let cord = &json["takes"][1];
    assert_eq!((&cord["made_of"], &cord["mass_per_metre"]), (&"rubber".into(), &0.5.into()));
    assert_eq!(cord["stretch_stiffness"], 1234.5);
    let bend = cord["bend_stiffness"].as_f64().unwrap();
    // A solid rod: E π r⁴ / 4.
    let rod = 2e6 * std::f64::consts::PI * 6.25e-10 / 4.0;
    assert!((bend / rod - 1.0).abs() < 1e-12, "{bend} for {rod}");
    assert_eq!((&cord["compression"], &cord["inner_friction"]), (&1.into(), &0.01.into()));
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = folder();
    folder.run("simulate swing.lariat --threads 1").expect(0);
    let whole = ["rope", "tassel"].map(|name| bytes(&folder, &format!("swing.takes/{name}.take")));
    let run = |line: &str| folder.run(&format!("simulate swing.lariat -o p {line}")).expect(0).err;
    assert_eq!(run("--to 11"), "");
    let err = run("--to 30 --body rope");
    assert_eq!(err, "`rope`: resuming; 11 of 30 frames already recorded\n");
    // Truncated within a chunk, as after a crash.
    let cut = &bytes(&folder, "p/rope.take")[..whole[0].len() / 2];
    folder.write("p/rope.take", cut);
    folder.write("p/tassel.take", b"lariat ta");
    let err = run("");
    assert!(err.starts_with("`rope`: ") && err.ends_with(" of 48 frames already recorded\n"));
    assert!(bytes(&folder, "p/rope.take") == whole[0]);
    assert!(bytes(&folder, "p/tassel.take") == whole[1]);
    // Nothing is left to simulate, and nothing is written.
    let written = |name: &str| fs::metadata(folder.path(name)).unwrap().modified().unwrap();
    let before = written("p/rope.take");
    assert!(run("").contains("`rope`: all 48 frames are already recorded\n"));
    assert_eq!(written("p/rope.take"), before);
    // Except with --again.
    assert_eq!(run("--again"), "");
    assert!(written("p/rope.take") > before && bytes(&folder, "p/rope.take") == whole[0]);
}

#[test]
fn a_body_includes_those_it_is_attached_to() {
    let folder = folder();
    folder.run("simulate swing.lariat --body rope --to 3").expect(0);
    assert_eq!(names(&folder, "swing.takes"), ["rope.take"]);
    folder.run("simulate swing.lariat --body tassel --to 3 -o both").expect(0);
    assert_eq!(names(&folder, "both"), ["rope.take", "tassel.take"]);
}

#[test]
fn takes_do_not_change_results() {
    let folder = folder();
    let export = |name: &str| {
        folder.run(&format!("export swing.lariat -o {name}")).expect(0);
        folder.read(name)
    };
    let without = export("a.csv");
    let points = folder.run("eval swing.lariat --frames 7.5,48").expect(0).out;
    folder.run("simulate swing.lariat").expect(0);
    assert_eq!(export("b.csv"), without);
    let ran = folder.run("eval swing.lariat --frames 7.5,48").expect(0);
    assert_eq!((ran.out, ran.err.contains("take")), (points, false));
    assert_eq!(folder.run("check swing.lariat").expect(0).err, "");
    // A take whose header is forged is not used.
    let other = SWUNG.replace("[0, 0, 1.2]", "[0, 0, 1.5]");
    folder.write("other.lariat", &other);
    folder.run("simulate other.lariat").expect(0);
    let mut forged = bytes(&folder, "other.takes/rope.take");
    let hash = bytes(&folder, "swing.takes/rope.take")[22..38].to_vec();
    forged[22..38].copy_from_slice(&hash);
    folder.write("swing.takes/rope.take", forged);
    assert_eq!(export("c.csv"), without);
}

#[test]
fn a_take_of_another_state_is_reported_and_not_used() {
    let folder = folder();
    folder.run("simulate swing.lariat").expect(0);
    let before = bytes(&folder, "swing.takes/rope.take");
    let changed = SWUNG.replace("length = 1.5", "length = 1.25");
    folder.write("swing.lariat", &changed);
    folder.write("fresh.lariat", &changed);
    let fresh = folder.run("export fresh.lariat -o - --format csv").expect(0).out;
    for line in ["eval swing.lariat", "export swing.lariat -o - --format csv"] {
        let ran = folder.run(line).expect(0);
        assert_eq!(ran.err.matches("note[L0664]").count(), 1, "{}", ran.err);
        assert!(ran.err.contains("the takes of `rope` and `tassel` belong to another"));
        assert!(!folder.run(&format!("{line} --quiet")).expect(0).err.contains("L0664"));
        assert!(!line.starts_with("export") || ran.out == fresh, "{line}");
    }
    let ran = folder.run("check swing.lariat").expect(0);
    assert!(ran.out.ends_with("0 errors, 0 warnings, 1 note in 2 bodies, 48 frames\n"));
    assert!(
        bytes(&folder, "swing.takes/rope.take") == before,
        "the take was replaced without --again"
    );

    // `simulate` replaces it.
    let ran = folder.run("simulate swing.lariat").expect(0);
    assert_eq!(ran.err.matches("note[L0664]").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("note: the take is replaced"), "{}", ran.err);
    assert!(bytes(&folder, "swing.takes/rope.take") != before);
    let ran = folder.run("export swing.lariat -o - --format csv").expect(0);
    assert_eq!((ran.out == fresh, ran.err), (true, String::new()));

    // Changes that do not affect the motion keep the take.
    let dressed = changed.replace("floor = 0", "floor = 0\ncolour = \"#aa0000\"");
    folder.write("swing.lariat", dressed.replace("[1, 48]", "[1, 60]"));
    let err = folder.run("simulate swing.lariat").expect(0).err;
    assert!(err.contains("`rope`: resuming; 48 of 60 frames already recorded\n"), "{err}");
}

#[test]
fn a_take_depends_on_the_files_of_the_document() {
    let hung = "lariat = 2\n[shot]\nframes = [1, 6]\n[[body]]\nname = \"hook\"\nmodel = \"mesh\"\n\
                file = \"hook.obj\"\n[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\n\
                from = { body = \"hook\", at = 0 }\nlength = 1\ndynamics = \"spline-rope\"\n";
    let folder = Folder::with("hung.lariat", hung);
    folder.write("hook.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.run("simulate hung.lariat").expect(0);
    assert!(!folder.run("eval hung.lariat").expect(0).err.contains("L0664"));
    folder.write("hook.obj", "v 0 0 2\nv 1 0 2\nv 0 1 2\nf 1 2 3\n");
    assert!(folder.run("eval hung.lariat").expect(0).err.contains("note[L0664]"));
}

#[test]
fn files_that_are_not_takes_are_never_overwritten() {
    let folder = folder();
    fs::create_dir(folder.path("swing.takes")).unwrap();
    folder.write("swing.takes/tassel.take", "mine");
    folder.write("swing.takes/notes.txt", "mine too");
    for line in ["simulate swing.lariat", "simulate swing.lariat --again"] {
        folder.run(line).expect_failure(
            "`swing.takes/tassel.take` is not a take, or was written by a newer version; it is never \
             overwritten; move it, or choose another folder with -o",
        );
    }
    assert_eq!(names(&folder, "swing.takes"), ["notes.txt", "tassel.take"], "all or nothing");
    let err = folder.run("eval swing.lariat").expect(0).err;
    assert!(
        err.contains(
            "`swing.takes/tassel.take` is not used: it is not a take, or was written by a newer version\n"
        ),
        "{err}"
    );
    fs::remove_file(folder.path("swing.takes/tassel.take")).unwrap();
    folder.run("simulate swing.lariat --body rope").expect(0);
    fs::rename(folder.path("swing.takes/rope.take"), folder.path("swing.takes/tassel.take"))
        .unwrap();
    folder.run("simulate swing.lariat").expect_failure(
        "`swing.takes/tassel.take` is a take of another body, `rope`; replace it with --again, \
         move it, or choose another folder with -o",
    );
    folder.run("simulate swing.lariat --again").expect(0);
    assert_eq!(folder.read("swing.takes/notes.txt"), "mine too");
}

#[test]
fn invalid_locations_are_errors() {
    let folder = folder();
    folder.run("simulate museum:barzel-07-suspended").expect_failure(
        "`museum:barzel-07-suspended` is not a file, so there is no default folder for takes; choose \
         one with -o, as in `-o takes`",
    );
    let ran = folder.run_with_input("simulate -", SWUNG.as_bytes()).expect(2);
    assert!(ran.err.contains("`-` is not a file"), "{}", ran.err);
    folder.run_with_input("simulate - -o here --to 2", SWUNG.as_bytes()).expect(0);
    assert_eq!(names(&folder, "here"), ["rope.take", "tassel.take"]);
    folder
        .run("simulate swing.lariat -o swing.lariat")
        .expect_failure("`swing.lariat` is not a folder; choose another with -o");
    folder.run("simulate swing.lariat -o no/where").expect_failure(
        "cannot create folder `no/where`: there is no folder `no`; create it, or choose another location",
    );
    folder
        .run("simulate swing.lariat --to -3")
        .expect_failure("frame -3 is before the first frame of the shot, 1");
    let ran = folder.run("simulate swing.lariat --to 999999999").expect(2);
    assert!(ran.err.contains("--limit frames="), "{}", ran.err);
    assert_eq!(folder.names(), ["here", "swing.lariat"]);
}

#[test]
fn a_document_without_dynamics_is_not_an_error() {
    let folder = Folder::with("rope.lariat", ROPE);
    let ran = folder.run("simulate rope.lariat").expect(0);
    let hint = "nothing in this document has `dynamics`; add `dynamics = \"spline-rope\"` or \
                `\"string\"` to a body, or `\"rigid\"` to a solid\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", hint));
    assert_eq!(folder.names(), ["rope.lariat"]);
    folder.write("slip.lariat", ROPE.replace("length", "lenght"));
    assert!(folder.run("simulate slip.lariat").expect(1).err.contains("nothing was written"));
}

#[test]
fn a_diverged_run_is_a_diagnostic_and_its_take_ends_there() {
    let diverged = SWUNG.replace("[36, [0.4, 0.3, 1.2]]", "[36, [0.4, 0.3, 1e99]]");
    let folder = Folder::with("diverged.lariat", &diverged);
    let ran = folder.run("simulate diverged.lariat --body rope").expect(1);
    assert!(ran.err.contains("error[L0660]"), "{}", ran.err);
    // The frame and the seconds of the message agree.
    let stopped =
        ran.err.split("stopped at frame ").nth(1).and_then(|stopped| stopped.lines().next());
    let (frame, rest) = stopped.and_then(|stopped| stopped.split_once(", ")).expect("a frame");
    let (seconds, why) = rest.split_once(" s: ").expect("a reason");
    let (frame, seconds): (f64, f64) = (frame.parse().unwrap(), seconds.parse().unwrap());
    assert!((frame / 24.0 - seconds).abs() < 1e-3, "{frame} and {seconds}");
    assert!(why.starts_with("it") && !why.contains(" s "), "{why}");
    let line = cells(ran.out.lines().nth(1).unwrap()).join("|");
    assert!(line.starts_with("rope|1–") && line.contains(", stopped|"), "{line}");
    let whole = bytes(&folder, "diverged.takes/rope.take");
    // It stays stopped, with the same message.
    let again = folder.run("simulate diverged.lariat --body rope").expect(1);
    assert!(again.err.contains("error[L0660]"), "{}", again.err);
    assert!(bytes(&folder, "diverged.takes/rope.take") == whole);
    assert!(folder.run("eval diverged.lariat --frames 48").expect(1).err.contains("error[L0660]"));
    // A simulation that cannot start leaves no file.
    let stiff = SWUNG.replace("control-points = 8", "method = \"published\"");
    folder.write("stiff.lariat", &stiff);
    let ran = folder.run("simulate stiff.lariat --body rope").expect(1);
    assert!(ran.err.contains("error[L0660]"), "{}", ran.err);
    assert_eq!(names(&folder, "stiff.takes"), [""; 0]);
}

#[test]
fn the_number_of_threads_does_not_change_takes() {
    let more = "[[body]]\nname = \"lead\"\nmodel = \"loose-rope\"\nfrom = [0, 1, 2]\nlength = 1\n\
                direction = [1, 0, 0]\ndynamics = \"spline-rope\"\n";
    let folder = Folder::with("swing.lariat", &format!("{SWUNG}{more}"));
    for threads in [1, 3] {
        folder.run(&format!("simulate swing.lariat -o t{threads} --threads {threads}")).expect(0);
    }
    for name in ["rope.take", "tassel.take", "lead.take"] {
        assert!(bytes(&folder, &format!("t1/{name}")) == bytes(&folder, &format!("t3/{name}")));
    }
}

/// Runs a line until `is_there` holds, then sends a signal. Returns the exit code and the messages.
#[cfg(unix)]
fn signalled(
    folder: &Folder,
    line: &str,
    signal: &str,
    is_under_way: impl Fn() -> bool,
) -> (Option<i32>, String) {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::Duration,
    };

    let mut command = folder.command(line.split(' '));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !is_under_way() {
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_frames() {
    let folder = Folder::with("long.lariat", &endless());
    let size = || fs::metadata(folder.path("long.takes/rope.take")).map_or(0, |found| found.len());
    let line = "simulate long.lariat";
    let (code, err) = signalled(&folder, line, "-INT", || size() > 0);
    assert_eq!(code, Some(130), "{err}");
    let reached = err
        .strip_prefix("error: interrupted: `rope` recorded up to frame ")
        .unwrap_or_else(|| panic!("{err}"));
    let (frame, rest) = reached.split_once(' ').unwrap();
    assert_eq!(rest, "of 200000; run the same command to continue\n");
    // It resumes there, and a crash loses only the last moment.
    let before = size();
    let (code, err) = signalled(&folder, line, "-KILL", || size() > before + 100_000);
    assert_eq!(code, None);
    assert_eq!(err, format!("`rope`: resuming; {frame} of 200000 frames already recorded\n"));
    let before = size();
    let (code, err) = signalled(&folder, line, "-TERM", || size() > before + 100_000);
    assert_eq!(code, Some(143), "{err}");
    let there: u64 = err
        .split("resuming; ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .unwrap()
        .parse()
        .unwrap();
    assert!(there > frame.parse().unwrap(), "{err}");
    // Three partial runs record the same as one.
    let to = format!("simulate long.lariat --to {frame} --body rope");
    folder.run(&format!("{to} -o one")).expect(0);
    let (one, many) = (bytes(&folder, "one/rope.take"), bytes(&folder, "long.takes/rope.take"));
    let same = one.iter().zip(&many).take_while(|(a, b)| a == b).count();
    // Except for the rest after the last whole chunk.
    assert!(one.len() - same < 60 * 8 * (6 * 40 + 40 + 3) + 10_000, "{same} of {}", one.len());
}

#[cfg(unix)]
#[test]
fn other_commands_can_interrupt_a_simulation() {
    use std::time::{Duration, Instant};

    let folder = Folder::with("long.lariat", &endless());
    for line in ["export long.lariat -o a.csv", "check long.lariat", "render long.lariat -o a.png"]
    {
        // The start is not observable from outside; slow machines get more time.
        let ended =
            [500, 2000, 8000, 30_000].map(Duration::from_millis).into_iter().find_map(|wait| {
                let begun = Instant::now();
                let (code, err) = signalled(&folder, line, "-INT", || begun.elapsed() > wait);
                code.map(|code| (code, err))
            });
        let (code, err) = ended.expect("it is interrupted at some time");
        assert_eq!(code, 130, "{line}: {err}");
        assert!(
            err.contains("error: interrupted: the simulation of `rope` at frame "),
            "{line}: {err}"
        );
        assert!(err.contains("was cancelled, and nothing was written; `lariat simulate`"), "{err}");
    }
    assert_eq!(folder.names(), ["long.lariat"]);
}

#[test]
fn tension_is_shown_on_ropes_that_are_simulated() {
    let folder = folder();
    let line = "render swing.lariat -o a.png --frame 24 --size 160x120 --quality draft";
    folder.run(&format!("{line} --show tension")).expect(0);
    let plain = line.replace("a.png", "b.png");
    folder.run(&plain).expect(0);
    assert!(bytes(&folder, "a.png") != bytes(&folder, "b.png"));
}

/// A thread that is pulled until it tears.
const TORN: &str = "lariat = 2\n[shot]\nframes = [1, 24]\n[[body]]\nname = \"thread\"\n\
                    model = \"suspended-rope\"\nfrom = [0, 0, 1]\n\
                    to = { keys = [[1, [0.5, 0, 1]], [24, [0.6, 0, 1]]], interpolation = \"linear\" }\n\
                    length = 0.5\nradius = 0.0005\n[body.dynamics]\nkind = \"string\"\n\
                    material = \"cotton-thread\"\nsegments = 16\n";

#[test]
fn tears_are_reported() {
    let folder = Folder::with("thread.lariat", TORN);
    let ran = folder.run("simulate thread.lariat").expect(0);
    let torn: Vec<&str> = ran.out.lines().filter(|line| line.contains(" tears at frame")).collect();
    let [line] = torn.as_slice() else { panic!("{}", ran.out) };
    assert!(line.starts_with("`thread` tears at frame "), "{line}");
    assert!(
        line.contains(" of its length: its tension exceeded its strength of 1")
            && line.contains(" N there")
    );
    // The same as JSON, and nothing for a rope that does not tear.
    let json = folder.run("simulate thread.lariat --json").expect(0).json();
    assert_eq!(json["diagnostics"][0]["code"], "L0666");
    folder.write("thread.lariat", TORN.replace("cotton-thread", "rubber"));
    assert!(!folder.run("simulate thread.lariat").expect(0).out.contains("tears at frame"));
}

#[test]
fn a_single_frame_reports_why_the_shot_is_simulated() {
    let folder = Folder::with("thread.lariat", TORN);
    let line = "render thread.lariat -o one.png --force --size 48x36 --quality draft --frame 2";
    let why = "simulating up to frame 24";
    assert!(folder.run(line).expect(0).err.contains(why));
    assert!(!folder.run(&format!("{line} --quiet")).expect(0).err.contains(why));
    assert!(!folder.run(&line.replace("--frame 2", "--frame 24")).expect(0).err.contains(why));
    assert!(!folder.run(&format!("{line} --so-far")).expect(0).err.contains(why));
    folder.run("simulate thread.lariat").expect(0);
    assert!(!folder.run(line).expect(0).err.contains(why));
}

#[test]
fn so_far_equals_a_shot_that_ends_there() {
    // It falls, so ground and camera of the whole shot differ.
    let fall = "lariat = 2\n[shot]\nframes = [1, 24]\n[[body]]\nname = \"cord\"\nmodel = \"loose-rope\"\n\
                from = [0, 0, 1]\ndirection = [1, 0, 0]\nlength = 0.5\n[body.dynamics]\nkind = \"string\"\n\
                segments = 8\nhold-start = false\n";
    let folder = Folder::with("fall.lariat", fall);
    folder.write("short.lariat", fall.replace("[1, 24]", "[1, 3]"));
    let draw = |file: &str, name: &str, more: &str| {
        let how = "--size 48x36 --quality draft --renderer cpu --frame 3";
        folder.run(&format!("render {file}.lariat -o {name}.png {how}{more}")).expect(0);
        fs::read(folder.path(&format!("{name}.png"))).unwrap()
    };
    let (whole, so_far) = (draw("fall", "whole", ""), draw("fall", "so-far", " --so-far"));
    assert!(so_far == draw("short", "short", ""), "differs from a shot that ends there");
    assert!(so_far != whole, "the whole shot is framed differently");
}

#[test]
fn json_is_written_even_if_nothing_is_simulated() {
    let folder = Folder::with("rope.lariat", ROPE);
    let json = folder.run("simulate rope.lariat --json").expect(0).json();
    assert_eq!(json, serde_json::json!({ "takes": [], "diagnostics": [] }));
    folder.write("slip.lariat", ROPE.replace("length", "lenght"));
    let json = folder.run("simulate slip.lariat --json").expect(1).json();
    assert_eq!(json["takes"], serde_json::json!([]));
    assert_eq!(json["diagnostics"][0]["severity"], "error", "{json}");
    // Also for a file that is not a document.
    folder.write("broken.lariat", "lariat = [");
    let json = folder.run("simulate broken.lariat --json").expect(1).json();
    assert_eq!(json["diagnostics"][0]["severity"], "error", "{json}");
}

#[test]
fn two_runs_at_once_share_the_work() {
    use std::process::Stdio;

    let body = |i: usize| {
        format!(
            "[[body]]\nname = \"rope {i}\"\nmodel = \"loose-rope\"\nfrom = [0, {i}, 2]\nlength = 1\n\
             direction = [1, 0, 0]\ndynamics = {{ kind = \"spline-rope\", control-points = 16 }}\n"
        )
    };
    let ropes: String = (0..6).map(body).collect();
    let text = format!("lariat = 2\n[shot]\nframes = [1, 240]\n{ropes}");
    let folder = Folder::with("six.lariat", &text);
    folder.run("simulate six.lariat -o alone").expect(0);
    let start = |_: usize| {
        let mut command = folder.command("simulate six.lariat --threads 2".split(' '));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<_> = (0..3).map(start).collect();
    for run in runs {
        let ran = run.wait_with_output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    for i in 0..6 {
        let name = format!("rope {i}.take");
        let alone = bytes(&folder, &format!("alone/{name}"));
        assert!(bytes(&folder, &format!("six.takes/{name}")) == alone, "{name}");
    }
}
