//! Bodies that are moved by modes of recorded motion.

use glam::DVec3;
use lariat_core::geometry::{Footage, Look};
use lariat_core::modes::{Mode, ModeSet, Origin, Part, PartKind, Pole};
use lariat_core::motion::FrameRate;
use lariat_core::num::{complex, ops};
use lariat_eval::{Assets, Evaluator, MemoryFiles, Scene};
use lariat_import::mode_file;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::{Edit, Limits};
use num_complex::Complex64;

use super::lowered;
use super::meshes::BELLY;

fn w(re: f64, im: f64) -> Complex64 {
    Complex64::new(re, im)
}

/// A `.modes` file of these parts; every mode has a weight for `x`, `y` and `z` of every point.
fn file(parts: Vec<Part>, mean: Vec<f64>, modes: &[Vec<Complex64>]) -> String {
    let rate = FrameRate::FILM;
    let origin = Origin { rate, first: 1, margin: 0, periodic: false, rms: 0.0, worst: 0.0 };
    let mode = |weights: &Vec<Complex64>| Mode {
        weights: weights.clone(),
        pole: Pole { hertz: 2.0, decay: 0.5 },
        sigma: 1.0,
        share: 0.9,
        residual: 0.1,
        gauge: 0.0,
        coefficients: vec![w(0.0, 0.0); 3],
    };
    let modes = modes.iter().map(mode).collect();
    mode_file::write(&ModeSet::new(origin, parts, mean, modes).expect("they fit"))
}

fn mesh_part(name: &str) -> Part {
    let faces =
        PartKind::Mesh { counts: vec![3; 4], corners: vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
    Part { name: name.to_owned(), points: 4, kind: faces }
}

fn rope_part(name: &str, points: usize) -> Part {
    let kind = PartKind::Strand {
        closed: false,
        radius: (0..points).map(|i| 0.02 + 0.001 * i as f64).collect(),
        twist: (0..points).map(|i| 0.5 * i as f64).collect(),
        look: Some(Look { name: "leather".into(), colour: [0.1, 0.2, 0.3] }),
    };
    Part { name: name.to_owned(), points, kind }
}

/// All points but the first move up and down, the last one late.
fn bob() -> Vec<Complex64> {
    let z = [w(0.0, 0.0), w(0.5, 0.0), w(0.5, 0.0), w(0.0, -0.5)];
    z.iter().flat_map(|z| [w(0.0, 0.0), w(0.0, 0.0), *z]).collect()
}

/// All points move sideways at once.
fn sway() -> Vec<Complex64> {
    (0..4).flat_map(|_| [w(0.25, 0.0), w(0.0, 0.0), w(0.0, 0.0)]).collect()
}

const CORNERS: [f64; 12] = [0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0];

/// Every file that a test or an example of a page names.
pub(crate) fn files() -> MemoryFiles {
    let rope_mean = vec![0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 0.0, 1.0];
    let travelling: Vec<_> = (0..3)
        .flat_map(|i| [w(0.0, 0.0), complex::cis_turns(-0.25 * f64::from(i)) * 0.3, w(0.0, 0.0)])
        .collect();
    let both: Vec<f64> = CORNERS.into_iter().chain(rope_mean.clone()).collect();
    let all: Vec<_> = bob().into_iter().chain(travelling.clone()).collect();
    MemoryFiles::default()
        .with("belly.obj", BELLY)
        .with("belly.modes", file(vec![mesh_part("belly")], CORNERS.to_vec(), &[bob()]))
        .with("sway.modes", file(vec![mesh_part("belly")], CORNERS.to_vec(), &[bob(), sway()]))
        .with("rope.modes", file(vec![rope_part("rope", 3)], rope_mean, &[travelling]))
        .with(
            "several.modes",
            file(vec![mesh_part("belly"), rope_part("rein/rope", 3)], both, &[all]),
        )
}

fn assets(text: &str) -> (lariat_scene::lower::Lowered, Assets) {
    let lowered = lowered(text);
    let assets = Assets::load(&lowered, &Limits::DEFAULT, &files());
    (lowered, assets)
}

fn scene(text: &str) -> Scene {
    let (lowered, assets) = assets(text);
    assert_eq!(assets.diagnostics(&lowered, &Limits::DEFAULT), []);
    Scene::bind_with(&lowered, &assets)
}

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let (lowered, assets) = assets(text);
    assets.diagnostics(&lowered, &Limits::DEFAULT)
}

const MESH: &str = "[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\n";
const SHAPE: &str = "[[body]]\nname = \"rein\"\nmodel = \"shape\"\nfile = \"rope.modes\"\n";
const WIGGLE: &str = "{ wiggle = [[1, 0.2], [13, -0.1], [40, 0.3]], hertz = 2, around = 0 }";

fn corners(text: &str, frame: f64) -> Vec<DVec3> {
    scene(text).evaluate_body(0, frame).mesh.expect("it is a mesh").points().to_vec()
}

/// The curve `WIGGLE` through the library, with its phase.
fn wiggle(frame: f64) -> Complex64 {
    use lariat_core::motion::wiggly::{Knot, Setup, Spring, Wiggly};
    let rate = FrameRate::FILM;
    let knots = [(1.0, 0.2), (13.0, -0.1), (40.0, 0.3)];
    let mut setup = Setup::new(Spring::new(2.0));
    setup.around = Some(0.0.into());
    let knots = knots.iter().map(|(frame, value)| Knot::new(rate.seconds(*frame), *value));
    Wiggly::new(knots.collect(), setup).expect("a curve").phasor(0, rate.seconds(frame))
}

#[test]
fn a_mode_follows_its_formula() {
    for (slosh, gain, lag) in
        [(1.0, 1.0, 0.0), (0.0, 1.0, 0.0), (2.3, 0.5, 70.0), (1.0, -2.0, 30.0)]
    {
        let text = format!(
            "{MESH}modes = [{{ file = \"belly.modes\", drive = {WIGGLE}, gain = {gain}, lag = {lag}, slosh = {slosh} }}]\n"
        );
        for frame in [1.0, 5.0, 17.5, 60.0] {
            let moved = corners(&text, frame);
            let x = wiggle(frame) * complex::cis(-ops::radians(lag)) * gain;
            for (i, point) in moved.iter().enumerate() {
                // The largest weight of the mode is 0.5, which is normalised to 1 m per metre.
                let weight = bob()[3 * i + 2] * 2.0;
                let up = (w(weight.re, slosh * weight.im) * x).re;
                let rest = DVec3::from_slice(&CORNERS[3 * i..]);
                assert!(point.distance(rest + DVec3::Z * up) < 1e-14, "{point} at {frame}");
            }
        }
    }
}

#[test]
fn two_modes_of_two_files_mix_on_one_mesh() {
    let one = format!("{{ file = \"belly.modes\", drive = {WIGGLE} }}");
    let two = "{ file = \"sway.modes\", mode = 2, drive = { follow = \"belly.modes[0].drive\", lag = 90 }, gain = 3 }";
    let at = |modes: &str| corners(&format!("{MESH}modes = [{modes}]\n"), 20.0);
    let both = at(&format!("{one}, {two}"));
    let x = wiggle(20.0);
    for (i, point) in both.iter().enumerate() {
        let up = (bob()[3 * i + 2] * 2.0 * x).re;
        let aside = 3.0 * (complex::cis_turns(-0.25) * x).re;
        let rest = DVec3::from_slice(&CORNERS[3 * i..]);
        assert!(point.distance(rest + DVec3::new(aside, 0.0, up)) < 1e-14, "{point}");
    }
    assert!(both[1].distance(at(&one)[1]) > 0.01, "the second does nothing");
}

#[test]
fn a_curve_without_phase_drives_with_its_real_part() {
    let text = format!(
        "{MESH}modes = [{{ file = \"belly.modes\", drive = {{ keys = [[1, 0], [25, 0.4]], interpolation = \"linear\" }} }}]\n"
    );
    let moved = corners(&text, 13.0);
    assert!((moved[1].z - 0.2).abs() < 1e-15, "{}", moved[1]);
    // The last point has a purely imaginary weight, and the curve has no phase.
    assert_eq!(moved[3], DVec3::Z);
    // The rest value of a wiggle counts too.
    let around = WIGGLE.replace("around = 0", "around = 0.5");
    let text = format!("{MESH}modes = [{{ file = \"belly.modes\", drive = {around} }}]\n");
    assert_eq!(corners(&text, 13.0)[1].z, -0.1);
    assert!((corners(&text, 4000.0)[1].z - 0.5).abs() < 1e-9);
}

#[test]
fn slosh_can_be_keyed_and_a_mode_switched_off() {
    let modes = |more: &str| {
        format!("{MESH}modes = [{{ file = \"belly.modes\", drive = {WIGGLE}, {more} }}]\n")
    };
    let keyed = modes("slosh = { keys = [[1, 0], [25, 2]], interpolation = \"linear\" }");
    let middle = modes("slosh = 1");
    assert_eq!(corners(&keyed, 13.0), corners(&middle, 13.0));
    assert_ne!(corners(&keyed, 20.0), corners(&middle, 20.0));
    assert_eq!(corners(&modes("on = false"), 20.0), corners(MESH, 20.0));
    assert!(!scene(&middle).is_still(0));
    assert!(scene(&modes("on = false").replace(WIGGLE, "0.1")).is_still(0));
}

#[test]
fn wrong_counts_are_refused_with_numbers() {
    let reported = |text: &str| {
        let found = diagnostics(text);
        assert_eq!(found.len(), 1, "{found:?}");
        (found[0].code, found[0].message.clone(), found[0].labels[0].text.clone())
    };
    let (code, message, label) =
        reported(&format!("{MESH}modes = [{{ file = \"rope.modes\", drive = 1 }}]\n"));
    assert_eq!(code, Code::ModePointMismatch);
    assert_eq!(message, "a mode of body `belly` has 3 points, but the body has 4");
    assert_eq!(label, "moves 3 points: `rope`");
    let (code, message, label) = reported(&format!("{SHAPE}modes = [{{ mode = 4, drive = 1 }}]\n"));
    assert_eq!(code, Code::UnknownMode);
    assert_eq!(
        (&*message, &*label),
        ("body `rein` uses mode 4, but its file has only 1", "valid modes: 1 to 1")
    );
    let (code, _, label) = reported(&format!("{SHAPE}part = \"reins\"\n"));
    assert_eq!((code, &*label), (Code::UnknownModesPart, "the file has `rope`"));
    let several = SHAPE.replace("rope.modes", "several.modes");
    let (code, _, label) = reported(&several);
    assert_eq!((code, &*label), (Code::NotOneShape, "there are 1 meshes and 1 ropes"));
    let (code, ..) = reported(&SHAPE.replace("rope.modes", "belly.obj"));
    assert_eq!(code, Code::InvalidModes);
    let (code, ..) = reported(&SHAPE.replace("rope.modes", "gone.modes"));
    assert_eq!(code, Code::UnreadableFile);
    // The mesh is still there, without the mode.
    let text = format!("{MESH}modes = [{{ file = \"rope.modes\", drive = 1 }}]\n");
    let (lowered, assets) = assets(&text);
    let body = Scene::bind_with(&lowered, &assets).evaluate_body(0, 1.0);
    assert_eq!(body.mesh.unwrap().points()[1], DVec3::X * 3.0);
}

#[test]
fn a_shape_stands_at_the_mean_of_its_recording() {
    let body = scene(SHAPE).evaluate_body(0, 1.0);
    let [strand] = &body.strands[..] else { panic!("one strand") };
    assert_eq!(strand.points(), [DVec3::Z, DVec3::new(1.0, 0.0, 1.0), DVec3::new(2.0, 0.0, 1.0)]);
    assert_eq!(strand.radius(), [0.02, 0.021, 0.022]);
    assert_eq!(strand.twist(), [0.0, 0.5, 1.0]);
    assert_eq!((&*strand.name, &*strand.look.name), ("rope", "leather"));
    assert_eq!(strand.look.colour, [0.1, 0.2, 0.3]);
    let reported = format!("{SHAPE}radius = 0.5\nlook = \"brass\"\n");
    let strand = &scene(&reported).evaluate_body(0, 1.0).strands[0];
    assert_eq!(strand.radius(), [0.5; 3]);
    assert_eq!(&*strand.look.name, "brass");
    assert_ne!(strand.look.colour, [0.1, 0.2, 0.3]);
}

#[test]
fn a_shape_is_sized_turned_and_shifted() {
    let text = format!(
        "{SHAPE}size = 2\nrotation = [0, 0, 90]\nposition = [5, 0, 0]\nmodes = [{{ drive = {WIGGLE} }}]\n"
    );
    let strand = &scene(&text).evaluate_body(0, 7.0).strands[0];
    for (i, point) in strand.points().iter().enumerate() {
        let aside = (complex::cis_turns(-0.25 * i as f64) * wiggle(7.0)).re;
        let expected = DVec3::new(5.0 - 2.0 * aside, 2.0 * i as f64, 2.0);
        assert!(point.distance(expected) < 1e-14, "{point} for {expected}");
    }
    assert_eq!(strand.radius(), [0.04, 0.042, 0.044]);
}

#[test]
fn a_shape_can_be_a_mesh() {
    let shape = SHAPE.replace("rope.modes", "several.modes");
    let mesh = format!("{shape}part = \"belly\"\nmodes = [{{ drive = {WIGGLE} }}]\n");
    let rope = shape.replace("\"rein\"", "\"other\"") + "part = \"rein\"\n";
    let leash = "[[body]]\nname = \"leash\"\nmodel = \"loose-rope\"\nlength = 1\nfrom = { body = \"other\", at = 1 }\n";
    let scene = scene(&format!("{mesh}{rope}{leash}"));
    assert!(scene.is_mesh(0) && !scene.is_mesh(1));
    let (mut strands, mut seen) = (Vec::new(), None);
    scene.strands(0, 5.0, &mut strands);
    scene.mesh(0, 5.0, &mut seen);
    assert!(strands.is_empty());
    assert!((seen.unwrap().points()[1].z - wiggle(5.0).re).abs() < 1e-14);
    scene.strands(1, 5.0, &mut strands);
    assert_eq!(strands[0].points()[2], DVec3::new(2.0, 0.0, 1.0));
    assert_eq!(scene.evaluate_body(2, 5.0).strands[0].points()[0], DVec3::new(2.0, 0.0, 1.0));
    // A mesh has no ends that a compound could join.
    let compound = "[[body]]\nname = \"c\"\nmodel = \"compound\"\nparts = [\"rein\"]\n";
    assert_eq!(diagnostics(&format!("{mesh}{compound}"))[0].code, Code::MeshInCompound);
}

#[test]
fn reused_memory_keeps_nothing_of_the_other_body() {
    let rope = "[[body]]\nname = \"r\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\nprofile = \"flat\"\nfrayed = \"both\"\n";
    let (shapes, ropes) = (scene(SHAPE), scene(rope));
    let mut moment = ropes.evaluate(1.0);
    shapes.evaluate_into(1.0, &mut moment);
    assert_eq!(moment, shapes.evaluate(1.0));
    ropes.evaluate_into(1.0, &mut moment);
    assert_eq!(moment, ropes.evaluate(1.0));
}

#[test]
fn an_edit_of_a_drive_moves_the_body() {
    let text = format!("lariat = 2\n{SHAPE}modes = [{{ drive = 0.1 }}]\n");
    let document = lariat_scene::format::read(&text).unwrap().document;
    let mut evaluator = Evaluator::with_files(document, Limits::DEFAULT, 8, Box::new(files()));
    let aside = |evaluator: &mut Evaluator| evaluator.at(1.0).bodies[0].strands[0].points()[0].y;
    assert!((aside(&mut evaluator) - 0.1).abs() < 1e-15);
    let path = "body.rein.modes[0].drive".parse().unwrap();
    evaluator.apply(&Edit::Set { path, value: 0.3.into() }).unwrap();
    assert!((aside(&mut evaluator) - 0.3).abs() < 1e-15);
}
