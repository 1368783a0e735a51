//! Meshes and solids: files, placement, attached ropes.

use std::sync::Mutex;

use glam::DVec3;
use lariat_core::geometry::Footage;
use lariat_eval::{Assets, Evaluator, FileError, Files, MemoryFiles, NoFiles, Scene};
use lariat_scene::check::{Code, Diagnostic, check};
use lariat_scene::{Edit, Limits};

use super::lowered;

/// Files in memory, with a list of the paths that were read.
#[derive(Debug, Default)]
struct Watched {
    files: MemoryFiles,
    asked: Mutex<Vec<String>>,
}

impl Files for Watched {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        self.asked.lock().expect("no test panics with it").push(path.to_owned());
        self.files.read(path, most)
    }
}

/// A tetrahedron with a corner on each axis, three, two and one metres from the origin.
pub(crate) const BELLY: &str = "v 0 0 0 1 0 0\nv 3 0 0 0 1 0\nv 0 2 0 0 0 1\nv 0 0 1 1 1 1\n\
                                f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn files() -> MemoryFiles {
    MemoryFiles::default().with("belly.obj", BELLY)
}

fn scene(text: &str) -> Scene {
    let lowered = lowered(text);
    let assets = Assets::load(&lowered, &Limits::DEFAULT, &files());
    assert_eq!(assets.diagnostics(&lowered, &Limits::DEFAULT), []);
    Scene::bind_with(&lowered, &assets)
}

const MESH: &str = "[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\n";

fn points(text: &str, frame: f64) -> Vec<DVec3> {
    let moment = scene(text).evaluate(frame);
    moment.bodies[0].mesh.as_ref().expect("it is a mesh").points().to_vec()
}

#[test]
fn a_mesh_is_placed_as_in_its_file_by_default() {
    let belly = points(MESH, 1.0);
    assert_eq!(belly[1..], [DVec3::X * 3.0, DVec3::Y * 2.0, DVec3::Z]);
    // With Y up in the file, its Y becomes Z, and its Z becomes −Y.
    let upright = points(&format!("{MESH}up = \"y\"\n"), 1.0);
    assert_eq!(upright[1..], [DVec3::X * 3.0, DVec3::Z * 2.0, DVec3::NEG_Y]);
}

#[test]
fn a_mesh_is_sized_then_turned_then_shifted() {
    let text = format!("{MESH}size = 2\nrotation = [0, 0, 90]\nposition = [10, 0, 5]\n");
    let belly = points(&text, 1.0);
    for (at, expected) in [(0, [10.0, 0.0, 5.0]), (1, [10.0, 6.0, 5.0]), (2, [6.0, 0.0, 5.0])] {
        assert!(belly[at].distance(expected.into()) < 1e-12, "{at}: {}", belly[at]);
    }
    let keyed =
        format!("{MESH}size = {{ keys = [[0, 1], [10, 3]], interpolation = \"linear\" }}\n");
    assert_eq!(points(&keyed, 5.0)[1], DVec3::X * 6.0);
}

#[test]
fn a_mesh_that_stands_still_is_shared() {
    let still = scene(&format!(
        "{MESH}position = [1, 0, 0]\ncolour = {{ keys = [[1, [1, 0, 0]], [9, [0, 1, 0]]] }}\n"
    ));
    let [a, b] = [1.0, 9.0].map(|frame| still.evaluate_body(0, frame).mesh.unwrap());
    assert!(std::ptr::eq(a.points(), b.points()));
    assert_ne!(a.look.colour, b.look.colour);
    let moving =
        scene(&format!("{MESH}position = {{ keys = [[1, [0, 0, 0]], [9, [8, 0, 0]]] }}\n"));
    assert!(!moving.is_still(0));
    let [a, b] = [1.0, 9.0].map(|frame| moving.evaluate_body(0, frame).mesh.unwrap());
    assert_eq!(b.points()[1] - a.points()[1], DVec3::X * 8.0);
    assert!(std::sync::Arc::ptr_eq(a.shape(), b.shape()));
}

#[test]
fn footage_of_a_mesh_has_no_strands() {
    let rope = "[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\n";
    let scene = scene(&format!("{MESH}visible = {{ keys = [[1, true], [5, false]] }}\n{rope}"));
    let (mut strands, mut mesh) = (Vec::new(), None);
    scene.strands(0, 1.0, &mut strands);
    scene.mesh(0, 1.0, &mut mesh);
    assert!(strands.is_empty() && mesh.is_some());
    scene.mesh(0, 5.0, &mut mesh);
    assert_eq!(mesh, None);
    scene.strands(1, 1.0, &mut strands);
    scene.mesh(1, 1.0, &mut mesh);
    assert!(strands.len() == 1 && mesh.is_none());
    assert!(scene.is_mesh(0) && !scene.is_mesh(1));
}

#[test]
fn memory_of_a_mesh_leaves_nothing_on_a_rope() {
    let rope = "[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\n";
    let (meshes, ropes) = (scene(MESH), scene(rope));
    let mut moment = meshes.evaluate(1.0);
    ropes.evaluate_into(1.0, &mut moment);
    assert_eq!(moment, ropes.evaluate(1.0));
    meshes.evaluate_into(1.0, &mut moment);
    assert_eq!(moment, meshes.evaluate(1.0));
}

#[test]
fn a_rope_hangs_on_a_mesh_that_moves() {
    let text = format!(
        "{MESH}rotation = [0, 0, 90]\nposition = {{ keys = [[1, [3, 0, 1]], [9, [3, 2, 1]]] }}\n\
         [[body]]\nname = \"lead\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 2]\nlength = 6\n\
         to = {{ body = \"belly\", at = 0, offset = [0.5, 0, 0.25] }}\n"
    );
    let scene = scene(&text);
    assert!(!scene.is_still(1));
    for (frame, y) in [(1.0, 0.5), (9.0, 2.5)] {
        let lead = scene.evaluate_body(1, frame);
        let end = lead.strands[0].points().last().copied().unwrap();
        assert!(end.distance(DVec3::new(3.0, y, 1.25)) < 1e-12, "{end}");
    }
}

fn diagnostics(text: &str, files: &dyn Files, limits: &Limits) -> Vec<Diagnostic> {
    let checked = check(format!("lariat = 2\n{text}").as_bytes(), limits);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let lowered = checked.content.expect("it could be read").lowered;
    Assets::load(&lowered, limits, files).diagnostics(&lowered, limits)
}

#[test]
fn a_missing_file_is_reported_with_the_path_that_was_tried() {
    let text = format!(
        "{MESH}\n[[body]]\nname = \"rope\"\nmodel = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\n"
    );
    let found = diagnostics(&text, &MemoryFiles::default(), &Limits::DEFAULT);
    assert_eq!(found.len(), 1);
    let reported = found[0].to_string();
    assert_eq!(
        reported.split("; help").next().unwrap(),
        "error[L0640]: body `belly` needs the file `belly.obj`, which cannot be read (at body[0].file): \
         tried `belly.obj`: there is no such file"
    );
    assert!(found[0].span().is_some() && !found[0].helps.is_empty());
    // The rope is still there.
    let moment = Scene::bind(&lowered(&text)).evaluate(1.0);
    assert!(moment.bodies[0].mesh.is_none() && moment.bodies[1].strands.len() == 1);
    assert_eq!(diagnostics(&text, &NoFiles, &Limits::DEFAULT)[0].code, Code::UnreadableFile);
}

#[test]
fn an_error_in_a_file_is_reported_with_its_line() {
    let files = files()
        .with("broken.obj", "v 0 0 0\nf 1 2 3\n")
        .with("deep/tri.gltf", r#"{"asset": {"version": "2.0"}, "buffers": [{"uri": "tri.bin"}]}"#);
    let file = |file: &str| MESH.replace("belly.obj", file);
    let reported = |name: &str, limits: Limits| {
        let found = diagnostics(&file(name), &files, &limits);
        (found[0].code, found[0].labels[0].text.clone())
    };
    assert_eq!(
        reported("broken.obj", Limits::DEFAULT),
        (
            Code::InvalidMesh,
            "line 2: a face refers to point 2, but only 1 points are defined so far".to_owned()
        )
    );
    assert_eq!(
        reported("deep/tri.gltf", Limits::DEFAULT),
        (
            Code::InvalidMesh,
            "`buffers[0].uri` refers to the file `tri.bin`: tried `deep/tri.bin`: there is no such file".to_owned()
        )
    );
    assert_eq!(reported("belly.fbx", Limits::DEFAULT).0, Code::UnknownFileFormat);
    let few = Limits { points_per_mesh: 3, ..Limits::DEFAULT };
    assert_eq!(reported("belly.obj", few).0, Code::MeshTooLarge);
    let small = Limits { bytes_per_asset: 10, ..Limits::DEFAULT };
    assert_eq!(reported("belly.obj", small).0, Code::UnreadableFile);
}

#[test]
fn a_file_is_read_once() {
    let second = MESH.replace("\"belly\"", "\"other\"");
    let lowered = lowered(&format!("{MESH}{second}"));
    let files = Watched { files: files(), asked: Mutex::default() };
    let assets = Assets::load(&lowered, &Limits::DEFAULT, &files);
    assert_eq!(*files.asked.lock().unwrap(), ["belly.obj"]);
    let moment = Scene::bind_with(&lowered, &assets).evaluate(1.0);
    let [a, b] = [0, 1].map(|b| moment.bodies[b].mesh.clone().unwrap());
    assert!(std::sync::Arc::ptr_eq(a.shape(), b.shape()));
}

#[test]
fn an_edit_reads_only_new_files() {
    let document = lariat_scene::format::read(&format!("lariat = 2\n{MESH}")).unwrap().document;
    let files = files().with("ball.obj", BELLY.replace("v 3", "v 7"));
    let mut evaluator = Evaluator::with_files(document, Limits::DEFAULT, 8, Box::new(files));
    let corner = |evaluator: &mut Evaluator| {
        evaluator.at(1.0).bodies[0].mesh.as_ref().map(|mesh| mesh.points()[1].x)
    };
    assert_eq!(corner(&mut evaluator), Some(3.0));
    let set =
        |path: &str, value: lariat_scene::Value| Edit::Set { path: path.parse().unwrap(), value };
    evaluator.apply(&set("body.belly.size", 2.0.into())).unwrap();
    assert_eq!(corner(&mut evaluator), Some(6.0));
    let back = evaluator.apply(&set("body.belly.file", "ball.obj".to_owned().into())).unwrap();
    assert_eq!(corner(&mut evaluator), Some(14.0));
    evaluator.apply(&set("body.belly.file", "gone.obj".to_owned().into())).unwrap();
    assert_eq!((corner(&mut evaluator), evaluator.diagnostics().len()), (None, 1));
    evaluator.apply(&back.inverse).unwrap();
    assert_eq!((corner(&mut evaluator), evaluator.diagnostics().len()), (Some(6.0), 0));
    evaluator.reload_files();
    assert_eq!(corner(&mut evaluator), Some(6.0));
}

const BOARD: &str = "[[body]]\nname = \"seat\"\nmodel = \"solid\"\nsize = [0.6, 0.2, 0.04]\n";

#[test]
fn a_board_is_turned_then_shifted() {
    let text = format!("{BOARD}rotation = [0, 0, 90]\nposition = [10, 0, 5]\n");
    let board = points(&text, 1.0);
    let high = board.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let low = board.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    assert!(high.distance(DVec3::new(10.1, 0.3, 5.02)) < 1e-12, "{high}");
    assert!(low.distance(DVec3::new(9.9, -0.3, 4.98)) < 1e-12, "{low}");
    // The default is a crate.
    let size =
        |text: &str| points(text, 1.0).iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max) * 2.0;
    let plain = "[[body]]\nname = \"x\"\nmodel = \"solid\"\n";
    assert_eq!(size(plain), DVec3::splat(0.4));
    let round = size(&format!("{plain}shape = \"ball\"\nradius = 0.3\n"));
    assert!(round.distance(DVec3::splat(0.6)) < 1e-12, "{round}");
    let barrel = size(&format!("{plain}shape = \"cylinder\"\nradius = 0.3\nheight = 2\n"));
    assert!(barrel.distance(DVec3::new(0.6, 0.6, 2.0)) < 1e-12, "{barrel}");
}

#[test]
fn a_solid_is_built_once_and_holds_ropes() {
    let text = format!(
        "{BOARD}position = {{ keys = [[1, [0, 0, 1]], [9, [0, 2, 1]]] }}\nrotation = [0, 0, 90]\n\
         [[body]]\nname = \"left\"\nmodel = \"suspended-rope\"\nfrom = [0, 0, 3]\nlength = 4\n\
         to = {{ body = \"seat\", at = 0, offset = [0.25, 0, 0.02] }}\n"
    );
    let scene = scene(&text);
    assert!(scene.is_mesh(0) && !scene.is_still(0));
    let [a, b] = [1.0, 9.0].map(|frame| scene.evaluate(frame));
    let shape =
        |moment: &lariat_eval::Moment| moment.bodies[0].mesh.as_ref().unwrap().shape().clone();
    assert!(std::sync::Arc::ptr_eq(&shape(&a), &shape(&b)));
    let held = |moment: &lariat_eval::Moment| *moment.bodies[1].spine().last().unwrap();
    assert!(held(&a).distance(DVec3::new(0.0, 0.25, 1.02)) < 1e-12, "{}", held(&a));
    assert_eq!(held(&b) - held(&a), DVec3::Y * 2.0);
}

#[test]
fn no_two_boards_have_the_same_grain() {
    let two = scene(&format!("{BOARD}{}", BOARD.replace("seat", "step")));
    let moment = two.evaluate(1.0);
    let grain = |body: usize| {
        let mesh = moment.bodies[body].mesh.as_ref().unwrap();
        mesh.shape().grain().unwrap()[0]
    };
    assert_ne!(grain(0), grain(1));
    assert_eq!(moment.bodies[0].mesh.as_ref().unwrap().look.name.as_ref(), "wood");
}

#[test]
fn sizes_that_a_shape_does_not_have_are_reported() {
    let codes = |text: &str| -> Vec<Code> {
        check(text.as_bytes(), &Limits::DEFAULT)
            .diagnostics
            .iter()
            .map(|found| found.code)
            .collect()
    };
    assert_eq!(codes(&format!("lariat = 2\n{BOARD}radius = 0.2\n")), [Code::NoEffect]);
    let ball = BOARD.replace("size = [0.6, 0.2, 0.04]", "shape = \"ball\"\nradius = 0.1");
    assert_eq!(codes(&format!("lariat = 2\n{ball}")), []);
    assert_eq!(codes(&format!("lariat = 2\n{ball}height = 1\n")), [Code::NoEffect]);
    let flat = BOARD.replace("0.04", "0");
    assert_eq!(codes(&format!("lariat = 2\n{flat}")).len(), 1, "a board needs a height");
}
