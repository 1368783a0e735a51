//! Modes of recorded motion, and documents that drive them.

use serde_json::Value;

use crate::harness::{Folder, Ran};

/// A wave that travels along a rope, twice from start to end in the shot.
const WAVE: &str = r#"lariat = 2

[shot]
frames = [1, 96]

[[body]]
name = "rein"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
length = 3.6
keep-length = false
samples = 25
radius = 0.03
waves = [{ height = 0.1, ripples = 2, travel = 1 }]
"#;

/// The same rope, swinging at 1.5 Hz with a half-life of 0.8 s.
fn ringing() -> String {
    let swing =
        "{ wiggle = [[1, 0.1]], hertz = 1.5, half-life = 0.8, around = 0, start = \"free\" }";
    WAVE.replace("[1, 96]", "[1, 120]")
        .replace("height = 0.1, ripples = 2, travel = 1", &format!("height = {swing}, ripples = 1"))
}

fn modes(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).expect("it is JSON")
}

/// Points of every frame, as `lariat eval` prints them: frame, x, y, z, in order.
fn points(folder: &Folder, document: &str, frames: &str) -> Vec<[f64; 4]> {
    let ran = folder.run(&format!("eval {document} --frames {frames} --format csv")).expect(0);
    let mut lines = ran.out.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let wanted = ["frame", "x", "y", "z"].map(at);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        wanted.map(|column| cells[column].parse().unwrap())
    };
    let mut rows: Vec<[f64; 4]> = lines.map(row).collect();
    rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
    rows
}

/// Root mean square and worst distance of two lists of points.
fn distance(a: &[[f64; 4]], b: &[[f64; 4]]) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    let (mut sum, mut worst) = (0.0, 0.0_f64);
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a[0], b[0], "frames");
        let squared: f64 = (1..4).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
        sum += squared;
        worst = worst.max(squared);
    }
    ((sum / a.len() as f64).sqrt(), worst.sqrt())
}

/// RMS and largest distance from the recording, as printed.
fn stated(ran: &Ran) -> (f64, f64) {
    let line = ran.out.lines().find(|line| line.starts_with("document: ")).expect("a line");
    let metres: Vec<f64> = line
        .split(" m")
        .filter_map(|part| part.rsplit(' ').next().and_then(|word| word.parse().ok()))
        .collect();
    (metres[0], metres[1])
}

/// Phase of the first mode along its points, from its weights, in radians over the whole rope;
/// negative if the wave travels towards the end.
fn phase_along(file: &Value) -> f64 {
    let weights = file["modes"][0]["weights"].as_array().unwrap();
    let z = |k: usize| (weights[k][4].as_f64().unwrap(), weights[k][5].as_f64().unwrap());
    let mut turned = 0.0;
    for k in 2..weights.len() - 2 {
        let ((a, b), (c, d)) = (z(k), z(k + 1));
        turned += lariat_core::num::ops::atan2(a * d - b * c, a * c + b * d);
    }
    turned
}

#[test]
fn a_travelling_wave_keeps_its_direction() {
    for (travel, runs, sign) in [("1", "to the end", -1.0), ("-1", "to the start", 1.0)] {
        let folder =
            Folder::with("rope.lariat", &WAVE.replace("travel = 1", &format!("travel = {travel}")));
        let line = "modes rope.lariat -o wave.modes --document wave.lariat --share 0.999";
        let ran = folder.run(line).expect(0);
        let first = ran.out.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
        assert!(first.contains("2.0") && first.contains(runs), "{}", ran.out);
        // Two ripples are a phase of 4π; the ends, which are held, are omitted.
        let turned = phase_along(&modes(&folder, "wave.modes"));
        assert!(turned * sign > 9.0, "{turned}");
        assert_eq!(folder.run("check wave.lariat").expect(0).out.lines().count(), 1);

        // `lariat eval` gives the distance from the recording that the table states.
        let (rms, worst) = stated(&ran);
        let document = folder.read("wave.lariat");
        assert!(document.contains(&format!("{rms} m RMS")), "{document}");
        let frames = document.lines().find_map(|line| line.strip_prefix("frames = [")).unwrap();
        let frames = frames.trim_end_matches(']').replace(", ", "-");
        let ours = points(&folder, "wave.lariat", &frames);
        let theirs = points(&folder, "rope.lariat", &frames);
        let (ours_rms, ours_worst) = distance(&ours, &theirs);
        assert!((ours_rms - rms).abs() <= 1e-3 * rms, "{ours_rms} for {rms}");
        assert!((ours_worst - worst).abs() <= 1e-3 * worst, "{ours_worst} for {worst}");
        assert!(rms < 0.004 && worst < 0.02, "{rms} {worst}");
    }
}

#[test]
fn without_slosh_waves_stand() {
    let folder = Folder::with("rope.lariat", WAVE);
    folder
        .run("modes rope.lariat -o wave.modes --document stiff.lariat --modes 1 --slosh 0")
        .expect(0);
    let ran = folder.run("modes stiff.lariat -o stiff.modes --modes 1").expect(0);
    let first = ran.out.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(first.contains("standing"), "{}", ran.out);
    assert!(folder.read("stiff.lariat").contains("slosh = 0\n"));
    // As recorded, with the same sign of the phase, it travels.
    folder.run("modes wave.modes --document fluid.lariat").expect(0);
    let ran = folder.run("modes fluid.lariat -o fluid.modes --modes 1").expect(0);
    assert!(ran.out.contains("to the end"), "{}", ran.out);
}

#[test]
fn a_decaying_swing_keeps_its_pole() {
    let folder = Folder::with("rope.lariat", &ringing());
    let ran = folder
        .run("modes rope.lariat -o ring.modes --document ring.lariat --modes 1 --lowest 1.2")
        .expect(0);
    let mode = &modes(&folder, "ring.modes")["modes"][0];
    let (hertz, decay) = (mode["hertz"].as_f64().unwrap(), mode["decay"].as_f64().unwrap());
    assert!((hertz - 1.5).abs() < 0.01, "{hertz}");
    assert!((std::f64::consts::LN_2 / decay - 0.8).abs() < 0.05, "{decay}");
    // Nothing drives it, so few keys are enough, and it returns to the same equilibrium.
    let keys: usize =
        ran.out.split("document: ").nth(1).and_then(|t| t.split(' ').next()?.parse().ok()).unwrap();
    assert!(keys <= 4, "{}", ran.out);
    let (rms, worst) = stated(&ran);
    assert!(rms < 0.003 && worst < 0.015, "{}", ran.out);
}

#[test]
fn caches_give_the_modes_of_their_document() {
    let folder = Folder::with("rope.lariat", WAVE);
    folder.run("modes rope.lariat -o own.modes --modes 2").expect(0);
    let own = modes(&folder, "own.modes");
    for (file, tolerance) in [("rope.csv", 1e-9), ("rope.usda", 1e-4)] {
        folder.run(&format!("export rope.lariat -o {file}")).expect(0);
        folder.run(&format!("modes {file} -o theirs.modes --modes 2 --force")).expect(0);
        let theirs = modes(&folder, "theirs.modes");
        assert_eq!((&own["rate"], &own["first"]), (&theirs["rate"], &theirs["first"]), "{file}");
        for k in 0..2 {
            let (own, theirs) = (&own["modes"][k], &theirs["modes"][k]);
            for what in ["hertz", "decay", "share", "missing"] {
                let gap = (own[what].as_f64().unwrap() - theirs[what].as_f64().unwrap()).abs();
                assert!(gap < 10.0 * tolerance, "{what} of mode {k} of {file}: {gap}");
            }
            for (a, b) in
                own["weights"].as_array().unwrap().iter().zip(theirs["weights"].as_array().unwrap())
            {
                for axis in 0..6 {
                    let gap = (a[axis].as_f64().unwrap() - b[axis].as_f64().unwrap()).abs();
                    assert!(gap < tolerance, "weights of mode {k} of {file}: {gap}");
                }
            }
        }
    }
    // A cache may lack a rate; a document has one.
    let ran = folder.run("modes rope.csv -o slow.modes --modes 1 --fps 12").expect(0);
    assert!(ran.out.contains("at 12 per second"), "{}", ran.out);
    folder
        .run("modes rope.lariat -o x.modes --fps 12")
        .expect_failure("--fps does not apply to documents; omit it, or change `[shot]`");
}

#[test]
fn only_chosen_bodies_are_recorded() {
    let two = WAVE.replace("lariat = 2\n", "").replace("[shot]\nframes = [1, 96]\n", "");
    let other = two.replace("\"rein\"", "\"other\"").replace("[0, 0, 2]", "[0, 1, 2]");
    let folder = Folder::with("two.lariat", &format!("{WAVE}{other}"));
    folder.run("modes two.lariat -o one.modes --body other --modes 1").expect(0);
    let one = modes(&folder, "one.modes");
    assert_eq!(one["parts"].as_array().unwrap().len(), 1);
    assert_eq!(one["parts"][0]["name"], "other/rope");
    // Both become bodies; the second follows the first.
    folder.run("modes two.lariat -o two.modes --document again.lariat --modes 1").expect(0);
    let again = folder.read("again.lariat");
    assert!(again.contains("name = \"rein\"") && again.contains("part = \"other\""), "{again}");
    assert!(again.contains("drive = { follow = \"rein.modes[0].drive\" }"), "{again}");
    folder.run("check again.lariat").expect(0);
}

#[test]
fn a_mesh_is_recorded_and_comes_back_as_a_shape() {
    let ball = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let document = r#"lariat = 2
[shot]
frames = [1, 72]
[[body]]
name = "belly"
model = "mesh"
file = "belly.obj"
rotation = { keys = [[1, [0, 0, 0]], [7, [10, 0, 0]], [13, [0, 0, 0]]], after = "cycle" }
"#;
    let folder = Folder::with("belly.lariat", document);
    folder.write("belly.obj", ball);
    let ran = folder
        .run(
            "modes belly.lariat -o belly.modes --document again.lariat --share 0.9999 --lowest 1.5",
        )
        .expect(0);
    assert_eq!(modes(&folder, "belly.modes")["parts"][0]["name"], "belly");
    let (rms, _) = stated(&ran);
    let document = folder.read("again.lariat");
    let frames = document.lines().find_map(|line| line.strip_prefix("frames = [")).unwrap();
    let frames = frames.trim_end_matches(']').replace(", ", "-");
    let (ours, theirs) =
        (points(&folder, "again.lariat", &frames), points(&folder, "belly.lariat", &frames));
    let (again, _) = distance(&ours, &theirs);
    assert!((again - rms).abs() <= 1e-3 * rms && rms < 0.01, "{again} for {rms}");
    // The mesh itself accepts the modes too, also from two files.
    folder.write(
        "both.lariat",
        "lariat = 2\n[[body]]\nname = \"b\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\n\
         modes = [{ file = \"belly.modes\", drive = 0.1 }, { file = \"copy.modes\", drive = 0.2 }]\n",
    );
    folder.write("copy.modes", folder.read("belly.modes"));
    folder.run("check both.lariat").expect(0);
    // Another number of points is an error that states both numbers.
    folder.write("belly.obj", format!("{ball}v 9 9 9\n"));
    let ran = folder.run("check both.lariat").expect(1);
    assert!(
        ran.out.contains("error[L0652]: a mode of body `b` has 4 points, but the body has 5"),
        "{}",
        ran.out
    );
}

#[test]
fn a_loop_needs_no_frames_at_its_ends() {
    let folder = Folder::with("rope.lariat", WAVE);
    let line = "modes rope.lariat -o loop.modes --document loop.lariat --periodic --frames 1-48";
    let ran = folder.run(line).expect(0);
    assert!(ran.out.contains("frames 1–48 at 24 per second, as a loop"), "{}", ran.out);
    let (rms, _) = stated(&ran);
    assert!(rms < 1e-5, "{}", ran.out);
    assert!(folder.read("loop.lariat").contains("loop = true"));
    // It continues after the recorded frames.
    let (ours, theirs) =
        (points(&folder, "loop.lariat", "49-96"), points(&folder, "rope.lariat", "49-96"));
    let (after, _) = distance(&ours, &theirs);
    assert!(after < 1e-5, "{after}");
}

#[test]
fn the_number_of_keys_can_be_limited() {
    let folder = Folder::with("rope.lariat", &ringing());
    let line = "modes rope.lariat -o a.modes --document a.lariat --share 0.9999 --most-keys";
    let few = stated(&folder.run(&format!("{line} 1")).expect(0)).0;
    let more = stated(&folder.run(&format!("{line} 40 --tolerance 0.001 --force")).expect(0)).0;
    assert!(more < few, "{more} {few}");
}

#[test]
fn existing_files_are_kept_without_force() {
    let folder = Folder::with("rope.lariat", WAVE);
    folder.write("a.lariat", "mine");
    folder.run("modes rope.lariat -o a.modes --document a.lariat").expect_failure(
        "`a.lariat` already exists; choose another name, or replace it with --force",
    );
    assert_eq!(folder.names(), ["a.lariat", "rope.lariat"]);
    folder.run("modes rope.lariat -o a.modes --document a.lariat --force").expect(0);
    assert!(folder.read("a.lariat").contains("model = \"shape\""));
    let ran = folder.run("modes rope.lariat -o rope.lariat --force").expect(2);
    assert!(ran.err.contains("is the input document"), "{}", ran.err);
    assert_eq!(folder.read("rope.lariat"), WAVE);
}

#[test]
fn two_paths_of_one_file_are_detected() {
    let folder = Folder::with("rope.lariat", WAVE);
    std::fs::create_dir(folder.path("in")).unwrap();
    let line = "modes rope.lariat --modes 1 -o a.modes";
    for document in ["a.modes", "./a.modes", "in/../a.modes"] {
        folder
            .run(&format!("{line} --document {document}"))
            .expect_failure("the modes and the document need different files");
    }
    folder.run(line).expect(0);
    let before = folder.read("a.modes");
    let ran = folder.run(&format!("{line} --document in/../a.modes --force")).expect(2);
    assert!(ran.err.contains("need different files"), "{}", ran.err);
    assert_eq!(folder.read("a.modes"), before);
    folder.run(&format!("{line} --document in/a.lariat --force")).expect(0);
}

#[test]
fn limits_of_a_recording_are_reported() {
    let folder = Folder::with("rope.lariat", WAVE);
    folder.run("export rope.lariat -o rope.csv").expect(0);
    let ran = folder.run("modes rope.csv -o a.modes").expect(0);
    assert!(ran.err.contains("assuming 24 frames per second"), "{}", ran.err);
    assert!(ran.err.contains("--fps"), "{}", ran.err);
    let ran = folder.run("modes rope.csv -o a.modes --force --fps 24").expect(0);
    assert!(!ran.err.contains("assumed") && !ran.err.contains("little"), "{}", ran.err);
    let ran = folder.run("modes rope.lariat -o b.modes --frames 1-5").expect(0);
    assert!(ran.out.contains("; 1 frame discarded at each end"), "{}", ran.out);
    assert!(ran.err.contains("the recording is short, 3 frames"), "{}", ran.err);
    assert!(ran.err.contains("frequencies below 8.0 Hz"), "{}", ran.err);
}

#[test]
fn a_take_gives_the_modes_of_its_body() {
    let rope = |name: &str, y: i32| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, {y}, 2]\nlength = 1\n\
             direction = [1, 0, -0.4]\ndynamics = {{ kind = 'spline-rope', control-points = 6 }}\n"
        )
    };
    let text =
        format!("lariat = 2\n[shot]\nframes = [1, 24]\n{}{}", rope("rope", 0), rope("a/b", 1));
    let folder = Folder::with("swing.lariat", &text);
    folder.run("simulate swing.lariat").expect(0);
    for (take, body) in [("rope", "rope"), ("a%2Fb", "a/b")] {
        let ran = folder.run(&format!("modes swing.takes/{take}.take -o x.modes --force"));
        ran.expect(0);
        folder.run(&format!("modes swing.lariat --body {body} -o y.modes --force")).expect(0);
        assert_eq!(folder.read("x.modes"), folder.read("y.modes"));
    }
    let ran = folder.run("modes swing.takes/rope.take --body a/b -o x.modes --force").expect(2);
    assert!(ran.err.contains("is the take of one body"), "{}", ran.err);
    folder.write("lost.take", "lariat take");
    let ran = folder.run("modes lost.take -o x.modes --force").expect(2);
    assert!(ran.err.contains("there is no document for the take"), "{}", ran.err);
}

#[test]
fn invalid_arguments_are_reported() {
    let folder = Folder::with("rope.lariat", WAVE);
    let fails = |line: &str, why: &str| {
        let ran = folder.run(line).expect(2);
        assert!(ran.err.contains(why), "{line}: {}", ran.err);
        assert_eq!(ran.out, "");
    };
    fails("modes rope.lariat", "missing output file; use -o");
    fails("modes rope.lariat -o a.modes --share 1.5", "expected a share above 0, up to 1");
    fails("modes rope.lariat -o a.modes --frames 1-9x2", "are not contiguous");
    fails("modes rope.lariat -o a.modes --frames 1-2", "2 frames are too few");
    fails("modes rope.lariat -o a.modes --lowest 99", "invalid lowest frequency 99 Hz");
    fails("modes rope.lariat -o a.modes --body reins", "did you mean `rein`?");
    fails("modes gone.csv -o a.modes", "cannot read `gone.csv`");
    folder.write("bad.csv", "frame,point,x,y\n");
    fails("modes bad.csv -o a.modes", "`bad.csv`: the header has no column `z`");
    folder.write("bad.modes", "{}");
    fails("modes bad.modes --document a.lariat", "`bad.modes`: not a `.modes` file");
    folder.run("modes rope.lariat -o a.modes").expect(0);
    fails("modes a.modes --document b.lariat --modes 1", "--modes applies to recordings only");
    fails("modes a.modes -o b.modes", "the input already contains modes");
    fails("modes rope.lariat -o - --document b.lariat", "--document needs the modes in a file");
    assert_eq!(folder.names(), ["a.modes", "bad.csv", "bad.modes", "rope.lariat"]);
    // Modes can go to standard output; the table then goes to standard error.
    let ran = folder.run("modes rope.lariat -o - --modes 1").expect(0);
    assert_eq!(ran.json()["lariat-modes"], 1);
    assert!(ran.err.contains("half-life"), "{}", ran.err);
}

/// Largest difference of the numbers in two values; everything else must be equal.
fn numbers_apart(a: &Value, b: &Value, place: &str) -> f64 {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs(),
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            let one = |(a, b)| numbers_apart(a, b, place);
            a.iter().zip(b).map(one).fold(0.0, f64::max)
        }
        (Value::Object(a), Value::Object(b)) => {
            assert!(a.keys().eq(b.keys()), "{place}");
            a.iter().map(|(key, a)| numbers_apart(a, &b[key], key)).fold(0.0, f64::max)
        }
        _ => {
            assert_eq!(a, b, "{place}");
            0.0
        }
    }
}

/// The scene of figure 8 lists the commands that extracted its modes; running them gives the same.
#[test]
fn the_modes_of_the_museum_can_be_reproduced() {
    let folder = Folder::new();
    let scene = lariat_museum::find("kass-08-mode").expect("it is in the museum");
    let mut made = Vec::new();
    for line in scene.text.lines().filter_map(|line| line.strip_prefix("#   lariat ")) {
        folder.run(line).expect(0);
        made.push(line.split_whitespace().skip_while(|word| *word != "-o").nth(1).unwrap());
    }
    assert_eq!(made, ["alien-up.modes", "alien-aside.modes"]);
    for name in made {
        let kept = lariat_museum::file(name).expect("the museum has it");
        let kept: Value = serde_json::from_slice(kept).expect("it is JSON");
        let apart = numbers_apart(&modes(&folder, name), &kept, name);
        // Weights are up to 0.1, places up to 3 m.
        assert!(apart < 1e-9, "{name} is {apart} from the result");
    }
}
