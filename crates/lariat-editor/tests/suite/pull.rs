//! Bodies that are pulled by their points: reach, limits, and the rest of the document unchanged.

use glam::DVec3;
use lariat_editor::{
    Editor, Options,
    handle::Ray,
    pull::{BodyPoint, Pull, PullError, PullGroup, PullOptions, PullParameter, Pulled},
    tool::add_body,
};
use lariat_eval::{BodyMoment, MemoryFiles};
use lariat_scene::{Edit, Path, Table, Value};

use crate::{SAMPLE, open};

/// Distance at which a target counts as reached, in metres.
const REACHED: f64 = 1e-6;

fn rope(more: &str) -> Editor {
    open(&format!(
        "lariat = 2\n\n[[body]]\nname = \"rope\" # a comment\nmodel = \"suspended-rope\"\n\
         from = [0, 0, 2]\nto = [3, 0, 2]\n{more}\n"
    ))
}

fn point(editor: &Editor, body: &str, at: BodyPoint, frame: f64) -> DVec3 {
    let index = editor.scene().body_index(body).expect("a body");
    at.on(&editor.scene().evaluate_body(index, frame)).expect("a point")
}

/// Pulls a point by a vector, applies the edit, and checks that the point is where it is said to be and
/// that undoing gives the same bytes.
fn pull(editor: &mut Editor, body: &str, u: f64, by: DVec3, options: &PullOptions) -> Pulled {
    let (frame, at, text) = (1.0, BodyPoint::Along(u), editor.text());
    let mut pull = Pull::new(editor, body, at, frame, options).expect("it can be pulled");
    let target = pull.point() + by;
    let pulled = pull.to(target);
    assert_eq!(editor.text(), text, "trials do not change the document");
    if let Some(edit) = &pulled.edit {
        editor.apply("Pull", edit).expect("it fits");
        let found = point(editor, body, at, frame);
        assert!(found.distance(pulled.point) < 1e-9, "{found} {}", pulled.point);
        assert!((found.distance(target) - pulled.remaining).abs() < 1e-9);
        editor.undo();
        assert_eq!(editor.text(), text);
        editor.redo();
    }
    pulled
}

fn fields(pulled: &Pulled) -> Vec<String> {
    let names = pulled
        .changed
        .iter()
        .map(|path: &Path| path.to_string().rsplit('.').next().unwrap_or_default().to_owned());
    names.collect()
}

#[test]
fn the_middle_of_a_rope_pulled_down_changes_its_length_or_sag_only() {
    for (given, field) in [("length = 4", "length"), ("sag = 0.8", "sag")] {
        let mut editor = rope(given);
        let before = editor.text();
        let pulled = pull(&mut editor, "rope", 0.5, DVec3::NEG_Z * 0.4, &PullOptions::default());
        assert!(pulled.remaining < REACHED, "{given}: {}", pulled.remaining);
        assert_eq!(fields(&pulled), [field]);
        // Only that line differs.
        let after = editor.text();
        let differs: Vec<_> =
            before.lines().zip(after.lines()).filter(|(before, after)| before != after).collect();
        assert_eq!(differs.len(), 1, "{after}");
        assert!(differs[0].1.starts_with(field), "{after}");
    }
}

#[test]
fn a_rope_pulled_sideways_swings() {
    let mut editor = rope("length = 4");
    let pulled = pull(&mut editor, "rope", 0.5, DVec3::Y * 0.5, &PullOptions::default());
    assert!(pulled.remaining < REACHED, "{}", pulled.remaining);
    assert!(fields(&pulled).contains(&"swing".to_owned()), "{:?}", pulled.changed);
    let swing: Path = "body.rope.swing".parse().unwrap();
    let degrees = editor.value_at(&swing, 1.0).unwrap().number().unwrap();
    assert!(degrees.abs() > 5.0 && degrees.abs() < 60.0, "{degrees}");
}

#[test]
fn a_taut_rope_is_pulled_down_too() {
    let mut editor = rope("length = 3");
    let pulled = pull(&mut editor, "rope", 0.5, DVec3::NEG_Z * 0.4, &PullOptions::default());
    assert!(pulled.remaining < REACHED, "{}", pulled.remaining);
    assert_eq!(fields(&pulled), ["length"]);
}

#[test]
fn an_unreachable_target_gives_the_nearest_pose_and_the_distance() {
    // Above its ends, a rope can only be taut: it does not swing over.
    let mut editor = rope("length = 4");
    let at = point(&editor, "rope", BodyPoint::Along(0.5), 1.0);
    let up = DVec3::new(0.0, 0.0, 2.5 - at.z);
    let pulled = pull(&mut editor, "rope", 0.5, up, &PullOptions::default());
    assert!((pulled.remaining - 0.5).abs() < 1e-3, "{}", pulled.remaining);
    assert!((pulled.point - DVec3::new(1.5, 0.0, 2.0)).length() < 1e-3, "{}", pulled.point);
}

#[test]
fn a_pull_does_not_depend_on_its_way() {
    let editor = rope("length = 4\nwaves = [{ height = 0.1, ripples = 3 }]");
    let options = PullOptions {
        switches: [("waves.magnitude".to_owned(), true)].into(),
        ..PullOptions::default()
    };
    let start = || Pull::new(&editor, "rope", BodyPoint::Along(0.4), 1.0, &options).unwrap();
    let (mut direct, mut detour) = (start(), start());
    let target = direct.point() + DVec3::new(0.0, 0.1, -0.2);
    let one = direct.to(target);
    for step in [DVec3::Y, DVec3::new(0.3, 0.0, -0.5), DVec3::Z * 0.1] {
        detour.to(direct.point() + step * 0.3);
    }
    let other = detour.to(target);
    assert!(one.remaining < REACHED && other.remaining < REACHED);
    assert_eq!(one.changed, other.changed);
    let back = detour.to(direct.point());
    assert_eq!((back.edit, back.changed.len()), (None, 0), "back at the start nothing changes");
}

#[test]
fn switched_off_parameters_stay() {
    let mut editor = rope("length = 4");
    let options =
        PullOptions { switches: [("length".to_owned(), false)].into(), ..PullOptions::default() };
    let pulled = pull(&mut editor, "rope", 0.5, DVec3::NEG_Z * 0.4, &options);
    assert!(!fields(&pulled).contains(&"length".to_owned()));
    assert!(pulled.remaining > 0.1);
    let all_off = PullOptions {
        switches: ["length", "swing", "sway"].map(|key| (key.to_owned(), false)).into(),
        ..PullOptions::default()
    };
    let error = Pull::new(&editor, "rope", BodyPoint::Along(0.5), 1.0, &all_off).unwrap_err();
    assert_eq!(error, PullError::NoParameter { name: "rope".to_owned() });
}

#[test]
fn keyed_parameters_get_a_key_or_are_moved_as_a_whole() {
    let keys = "length = { keys = [[1, 4], [24, 4.5]] }";
    for auto_key in [true, false] {
        let mut editor = rope(keys);
        let options = PullOptions { auto_key, ..PullOptions::default() };
        let mut pull = Pull::new(&editor, "rope", BodyPoint::Along(0.5), 12.0, &options).unwrap();
        let target = pull.point() + DVec3::NEG_Z * 0.3;
        let pulled = pull.to(target);
        assert!(pulled.remaining < REACHED, "{}", pulled.remaining);
        let edit = pulled.edit.unwrap();
        let is_key = matches!(&edit, Edit::SetKey { frame, .. } if *frame == 12.0);
        assert_eq!(is_key, auto_key, "{edit:?}");
        editor.apply("Pull", &edit).unwrap();
        let found = point(&editor, "rope", BodyPoint::Along(0.5), 12.0);
        assert!(found.distance(target) < REACHED);
    }
}

#[test]
fn the_end_of_a_rope_takes_its_end_along() {
    let mut editor = rope("length = 4");
    let pulled =
        pull(&mut editor, "rope", 1.0, DVec3::new(-0.3, 0.2, 0.4), &PullOptions::default());
    assert!(pulled.remaining < REACHED);
    assert_eq!(fields(&pulled), ["to"]);
}

#[test]
fn a_simulated_body_is_pulled_at_its_start() {
    let editor = rope("length = 4\ndynamics = { kind = \"spline-rope\", start = 5 }");
    let pull = |frame: f64| {
        Pull::new(&editor, "rope", BodyPoint::Along(0.5), frame, &PullOptions::default())
    };
    assert!(pull(5.0).is_ok(), "{:?}", pull(5.0));
    let error = pull(6.0).unwrap_err().to_string();
    assert_eq!(
        error,
        "`rope` is simulated from frame 5; pull it at frame 5, or move its ends and pins"
    );
    let error = Pull::new(&editor, "none", BodyPoint::Along(0.5), 1.0, &PullOptions::default());
    assert_eq!(error.unwrap_err(), PullError::NoBody { name: "none".to_owned() });
    assert!(open(SAMPLE).scene().body_count() > 0);
}

#[test]
fn bodies_of_the_museum_follow_a_small_pull() {
    let add = |files: MemoryFiles, file: &(&str, &[u8])| files.with(file.0, file.1);
    let files = || lariat_museum::FILES.iter().fold(MemoryFiles::default(), add);
    let (mut tried, mut reached) = (0, 0);
    for scene in lariat_museum::SCENES {
        let options = Options { files: Box::new(files()), ..Options::default() };
        let editor = Editor::open(scene.text, options).expect("museum scenes are documents");
        if editor.scene().body_count() > 60 {
            continue;
        }
        let frame = editor.lowered().shot.first as f64;
        let name = editor.scene().body_name(0).to_owned();
        let posed = editor.scene().evaluate_body(0, frame);
        let at =
            if posed.spine().is_empty() { BodyPoint::Vertex(0) } else { BodyPoint::Along(0.6) };
        let Ok(mut pull) = Pull::new(&editor, &name, at, frame, &PullOptions::default()) else {
            continue;
        };
        let has_shape = pull.parameters().iter().any(|one| one.group == PullGroup::Shape);
        let before = editor.text();
        let pulled = pull.to(pull.point() + DVec3::new(0.01, -0.02, -0.015));
        assert!(pulled.point.is_finite() && pulled.remaining < 0.03, "{}", scene.name);
        assert_eq!(editor.text(), before);
        tried += 1;
        reached += usize::from(pulled.remaining < REACHED);
        assert!(has_shape || pulled.remaining < REACHED, "{}: {}", scene.name, pulled.remaining);
    }
    assert!(tried > 10 && 2 * reached > tried, "{reached} of {tried}");
}

/// Bodies of the menu that have a shape of their own.
const MODELS: [&str; 12] = [
    "suspended-rope",
    "jump-rope",
    "string-of-lights",
    "loose-rope",
    "strap",
    "tail",
    "coiled-cord",
    "microphone-cord",
    "spring",
    "slinky",
    "hoop",
    "lasso",
];

/// A pinhole before a ball around a body, which fills the 720 pixels of the height.
struct Pinhole {
    eye: DVec3,
    axes: [DVec3; 3],
    /// Pixels across at a distance of a metre.
    focal: f64,
    /// Radius of the ball, in metres.
    radius: f64,
}

impl Pinhole {
    fn before(editor: &Editor, name: &str, frame: f64) -> Self {
        let posed = posed(editor, name, frame);
        let mesh = posed.mesh.iter().flat_map(lariat_core::geometry::Mesh::points);
        let (low, high) = posed
            .spine()
            .iter()
            .chain(mesh)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(*p), high.max(*p))
            });
        let (centre, radius) = (low.midpoint(high), 0.5 * low.distance(high).max(0.1));
        let back = DVec3::new(0.4, -1.0, 0.3).normalize_or_zero();
        let (right, distance) = (DVec3::Z.cross(back).normalize_or_zero(), 3.0 * radius);
        Self {
            eye: centre + back * distance,
            axes: [right, back.cross(right), -back],
            focal: 360.0 * (distance * distance - radius * radius).sqrt() / radius,
            radius,
        }
    }

    /// Size of a pixel at a point, in metres.
    fn pixel_at(&self, point: DVec3) -> f64 {
        self.axes[2].dot(point - self.eye) / self.focal
    }

    fn pixel(&self, point: DVec3) -> [f64; 2] {
        let [x, y, z] = self.axes.map(|axis| axis.dot(point - self.eye));
        [self.focal * x / z, self.focal * y / z]
    }

    fn pixels_between(&self, a: DVec3, b: DVec3) -> f64 {
        let ([ax, ay], [bx, by]) = (self.pixel(a), self.pixel(b));
        ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
    }
}

/// Numbers between -1 and 1 that look random.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A body that is pulled at a frame.
struct Subject {
    /// Its model, or the museum scene that it is from.
    of: &'static str,
    editor: Editor,
    name: String,
    frame: f64,
}

/// A body of each model, bodies that modes move, and a tail that wiggles.
fn subjects() -> Vec<Subject> {
    let of_model = |of: &'static str| {
        let mut editor = open("lariat = 2\n");
        let (from, to) = (DVec3::new(-1.0, 0.2, 2.0), DVec3::new(1.5, 0.0, 1.8));
        let added = add_body(editor.document(), of, from, to, &Table::new()).expect(of);
        editor.apply("Add", &added.edit).expect(of);
        Subject { of, editor, name: added.name, frame: 1.0 }
    };
    let of_museum = |(of, frame): (&'static str, f64)| {
        let scene = lariat_museum::SCENES.iter().find(|one| one.name == of).expect(of);
        let add = |files: MemoryFiles, file: &(&str, &[u8])| files.with(file.0, file.1);
        let files = lariat_museum::FILES.iter().fold(MemoryFiles::default(), add);
        let options = Options { files: Box::new(files), ..Options::default() };
        let editor = Editor::open(scene.text, options).expect("museum scenes are documents");
        Subject { of, name: editor.scene().body_name(0).to_owned(), editor, frame }
    };
    let scenes = [("kass-08-mode", 9.0), ("kass-hula", 30.0), ("kass-06-tail", 20.0)];
    MODELS.into_iter().map(of_model).chain(scenes.into_iter().map(of_museum)).collect()
}

fn posed(editor: &Editor, name: &str, frame: f64) -> BodyMoment {
    let index = editor.scene().body_index(name).expect("a body");
    editor.scene().evaluate_body(index, frame)
}

/// Grips of a body.
fn grips(editor: &Editor, name: &str, frame: f64) -> Vec<BodyPoint> {
    let posed = posed(editor, name, frame);
    match (&posed.mesh, posed.spine()) {
        (Some(mesh), []) => {
            let count = mesh.points().len();
            [0, count / 3, count - 1].map(BodyPoint::Vertex).to_vec()
        }
        _ => [0.2, 0.5, 0.8, 1.0].map(BodyPoint::Along).to_vec(),
    }
}

/// Edit that changes a parameter at a frame by parts of its scale, within its range. Its motion is
/// moved as a whole.
fn change(
    editor: &Editor,
    one: &PullParameter,
    frame: f64,
    mut by: impl FnMut() -> f64,
) -> Option<Edit> {
    let moved = |now: &f64| {
        let next = now + by() * one.scale();
        if one.range().contains(next) { next } else { *now }
    };
    let value = match &*one.values().iter().map(moved).collect::<Vec<_>>() {
        [number] => Value::from(*number),
        [x, y, z] => Value::from(vec![*x, *y, *z]),
        list => {
            let vectors = list.chunks(3).map(|vector| Value::from(vector.to_vec()));
            let (path, value) = (one.path.clone(), Value::List(vectors.collect()));
            return Some(Edit::Set { path, value });
        }
    };
    editor.set_at(&one.path, frame, &value, false).ok()
}

/// Position of a point after an edit, which is undone; none where the body has errors or warnings then.
fn point_after(
    editor: &mut Editor,
    edit: &Edit,
    name: &str,
    at: BodyPoint,
    frame: f64,
) -> Option<DVec3> {
    let changes = editor.history().done().len();
    editor.apply("Try", edit).ok()?;
    if editor.history().done().len() == changes {
        return None;
    }
    let scene = editor.scene();
    let posed = scene.body_index(name).map(|body| scene.evaluate_body(body, frame));
    let found = posed.filter(|posed| posed.warnings.is_empty()).and_then(|posed| at.on(&posed));
    editor.undo();
    found
}

fn start(editor: &Editor, name: &str, at: BodyPoint, frame: f64) -> Pull {
    Pull::new(editor, name, at, frame, &PullOptions::default()).expect("it can be pulled")
}

fn allowed(pull: &Pull) -> Vec<PullParameter> {
    pull.parameters().iter().filter(|one| one.allowed).cloned().collect()
}

#[test]
fn every_pose_of_a_body_is_reached_by_a_drag() {
    let (mut missed, mut tried) = (Vec::new(), 0);
    for Subject { of, mut editor, name, frame } in subjects() {
        let view = Pinhole::before(&editor, &name, frame);
        for at in grips(&editor, &name, frame) {
            let used = allowed(&start(&editor, &name, at, frame));
            let mut noise = Noise(7);
            let alone = |one| [-0.4, 0.4].map(|by| change(&editor, one, frame, || by));
            let mut edits: Vec<Option<Edit>> = used.iter().flat_map(alone).collect();
            for _ in 0..4 {
                let all = used.iter().map(|one| change(&editor, one, frame, || 0.5 * noise.next()));
                edits.push(all.collect::<Option<Vec<_>>>().map(Edit::Batch));
            }
            for edit in edits.into_iter().flatten() {
                let Some(target) = point_after(&mut editor, &edit, &name, at, frame) else {
                    continue;
                };
                let mut pull = start(&editor, &name, at, frame);
                let in_space = pull.to(target);
                let ray = Ray { origin: view.eye, direction: target - view.eye };
                let off = [
                    view.pixels_between(pull.to_ray(&ray).point, target),
                    in_space.remaining / view.pixel_at(target),
                ];
                tried += 1;
                if off.iter().any(|off| *off >= 1.0) {
                    missed.push(format!("{of} {at:?}: {off:.1?} px after {edit:?}"));
                }
            }
        }
    }
    assert!(tried > 400, "{tried}");
    assert!(missed.is_empty(), "{} of {tried}:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn no_pose_is_nearer_to_a_target_out_of_reach() {
    let (mut nearer, mut tried) = (Vec::new(), 0);
    for Subject { of, mut editor, name, frame } in subjects() {
        let view = Pinhole::before(&editor, &name, frame);
        let mut noise = Noise(11);
        for at in grips(&editor, &name, frame) {
            let mut pull = start(&editor, &name, at, frame);
            let way = DVec3::new(noise.next(), noise.next(), noise.next()).normalize_or_zero();
            let target = pull.point() + way * view.radius;
            let pulled = pull.to(target);
            if pulled.remaining < REACHED {
                continue;
            }
            let changes = editor.history().done().len();
            if let Some(edit) = &pulled.edit {
                editor.apply("Pull", edit).expect("it fits");
            }
            let used = allowed(&start(&editor, &name, at, frame));
            for size in [0.3, 0.03, 0.003].repeat(8) {
                let all = used.iter().map(|one| {
                    // Some of them stay.
                    let by = if noise.next() > 0.0 { size } else { 0.0 };
                    change(&editor, one, frame, || by * noise.next())
                });
                let Some(edit) = all.collect::<Option<Vec<_>>>().map(Edit::Batch) else { continue };
                tried += 1;
                if let Some(point) = point_after(&mut editor, &edit, &name, at, frame)
                    && pulled.remaining - point.distance(target) > 0.1 * view.pixel_at(target)
                {
                    let found = point.distance(target);
                    nearer.push(format!(
                        "{of} {at:?}: {found} instead of {} m after {edit:?}",
                        pulled.remaining
                    ));
                }
            }
            while editor.history().done().len() > changes {
                editor.undo();
            }
        }
    }
    assert!(nearer.is_empty(), "{} of {tried}:\n{}", nearer.len(), nearer.join("\n"));
    assert!(tried > 100, "{tried}");
}
