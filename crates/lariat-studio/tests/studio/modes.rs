//! Modes in the window: extracted as on the command line, played alone, driven by wiggles.

use std::{
    fs,
    ops::ControlFlow,
    thread::sleep,
    time::{Duration, Instant},
};

use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use glam::DVec3;
use lariat::import::mode_file;
use lariat_core::modes::{ExtractOptions, Recording};
use lariat_core::num::ops;
use lariat_eval::Files;
use lariat_scene::{Thing, Value};
use lariat_studio::{Panel, host::DocumentFiles};

use crate::harness::{ROPE, Window};

/// Clicks one of several widgets with a label, by its role.
fn click(window: &mut Window, role: Role, label: &str) {
    window.harness.get_by_role_and_label(role, label).click();
    window.run();
}

/// Chooses from a list. The list of things, at the left of it, may have the same name.
fn choose(window: &mut Window, list: &str, name: &str) {
    click(window, Role::ComboBox, list);
    let rows = window.harness.get_all_by_role_and_label(Role::Button, name);
    rows.max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap().click();
    window.run();
}

/// Shows the window until nothing is extracted any more.
fn wait(window: &mut Window) {
    let start = Instant::now();
    window.run();
    while window.studio().is_working() {
        assert!(start.elapsed() < Duration::from_mins(2), "it takes too long");
        sleep(Duration::from_millis(10));
        window.harness.step();
    }
    window.run();
}

/// Opens the panel and extracts the modes of the active body.
fn extract_modes(window: &mut Window) {
    click(window, Role::Button, "Modes");
    click(window, Role::Button, "Extract");
    wait(window);
}

/// Text of the row of a mode.
fn row(window: &Window, name: &str) -> String {
    let name = format!("{name}:");
    let row = window.harness.get_by_label_contains(&name);
    row.accesskit_node().label().unwrap_or_default()
}

/// Files of the open document.
fn files(window: &Window) -> DocumentFiles {
    window.studio().session().expect("a document is open").files.clone()
}

/// Two damped oscillations of a rope in two directions, in closed form: 2 Hz with a half-life of 2 s and
/// 5 Hz with one of 1.5 s.
fn ringing() -> String {
    let mut text = String::from("frame,point,x,y,z\n");
    for frame in 1..=240 {
        let t = f64::from(frame - 1) / 24.0;
        let slow = 0.2 * ops::exp(-t * std::f64::consts::LN_2 / 2.0) * ops::cos_turns(2.0 * t);
        let fast = 0.05 * ops::exp(-t * std::f64::consts::LN_2 / 1.5) * ops::cos_turns(5.0 * t);
        for point in 0..9 {
            let u = f64::from(point) / 8.0;
            let (first, second) = (ops::sin_cos_turns(0.5 * u).0, ops::sin_cos_turns(u).0);
            text += &format!("{frame},{point},{u},{},{}\n", slow * first, fast * second);
        }
    }
    text
}

#[test]
fn two_known_oscillations_give_back_their_frequencies_half_lives_and_shares() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("ringing.csv"), ringing()).unwrap();
    let before = window.text();
    click(&mut window, Role::Button, "Modes");
    open_motion(&mut window, "ringing.csv");
    click(&mut window, Role::Button, "Extract");
    wait(&mut window);
    let number = |text: &str, after: &str, before: &str| -> f64 {
        let from = text.find(after).unwrap_or_else(|| panic!("{after} in {text}")) + after.len();
        let to = from + text[from..].find(before).unwrap();
        text[from..to].trim().parse().unwrap()
    };
    // Energies over the frames between the margins, of which there are 60 at each end: the sum of
    // squares of an oscillation of amplitude a is about half the sum of its decaying squares.
    let energy = |amplitude: f64, half: f64, shape: f64| -> f64 {
        let squares = (60..180).map(|frame| {
            let t = f64::from(frame) / 24.0;
            let now = amplitude * ops::exp(-t * std::f64::consts::LN_2 / half);
            0.5 * now * now
        });
        shape * squares.sum::<f64>()
    };
    // Both shapes have the same sum of squares over nine points.
    let energies = [energy(0.2, 2.0, 4.0), energy(0.05, 1.5, 4.0)];
    let whole: f64 = energies.iter().sum();
    for (name, hertz, half, own) in
        [("Mode 1", 2.0, 2.0, energies[0]), ("Mode 2", 5.0, 1.5, energies[1])]
    {
        let text = row(&window, name);
        let found = number(&text, ":", "Hz");
        assert!((found - hertz).abs() < 0.005 * hertz, "{text}");
        let found = number(&text, "half-life ", " s");
        assert!((found - half).abs() < 0.05 * half, "{text}");
        let found = number(&text, "s, ", " %");
        let expected = 100.0 * own / whole;
        assert!((found - expected).abs() < 0.05 * expected + 0.05, "{text}, expected {expected}");
    }
    // Nothing was written, and the document is as it was.
    assert_eq!((window.text(), window.changes()), (before, 0));
}

/// Opens a file with recorded motion in the panel, which is shown.
fn open_motion(window: &mut Window, name: &str) {
    click(window, Role::ComboBox, "Motion of");
    window.click("A file…");
    let place = window.path(name).to_str().unwrap().to_owned();
    window.type_text(&place);
    click(window, Role::Button, "Open");
}

/// The recipe's modes were written by `lariat modes reed.csv -o reed.modes --modes 1`.
#[test]
fn a_file_gives_the_modes_of_the_command_line() {
    let mut window = Window::with(ROPE);
    fs::write(window.path("reed.csv"), lariat_museum::file("reed.csv").unwrap()).unwrap();
    click(&mut window, Role::Button, "Modes");
    open_motion(&mut window, "reed.csv");
    click(&mut window, Role::ComboBox, "How many");
    window.click("1 mode");
    click(&mut window, Role::Button, "Extract");
    wait(&mut window);
    click(&mut window, Role::Button, "Drive all modes");
    let written = fs::read(window.path("shot-reed.modes")).unwrap();
    assert!(written == lariat_museum::file("reed.modes").unwrap(), "other modes");
}

#[test]
fn a_body_gives_the_modes_of_the_command_line() {
    let mut window = Window::with(&swinging());
    window.select("rein");
    extract_modes(&mut window);
    click(&mut window, Role::Button, "Drive all modes");
    let session = window.studio().session().expect("a document is open");
    let scene = session.editor.scene();
    let footage = lariat_shoot::Bodies::choose(scene, session.editor.lowered(), &["rein".into()]);
    let footage = footage.unwrap();
    let shot = scene.shot();
    let recording =
        Recording::from_footage(footage.footage(), shot.rate, shot.first..=shot.last).unwrap();
    let mut go_on = |_| ControlFlow::Continue(());
    let expected =
        lariat_core::modes::extract(&recording, &ExtractOptions::default(), &mut go_on).unwrap();
    let written = fs::read_to_string(window.path("shot-rein.modes")).unwrap();
    assert!(written == mode_file::write(&expected), "other modes");
}

/// A rope that swings and is let go.
fn swinging() -> String {
    ROPE.replace(
        "swing = { keys = [[1, 0], [24, 35]] }",
        "swing = { wiggle = [[1, 30]], hertz = 1.5, half-life = 2, around = 0, start = \"free\" }",
    )
    .replace("[1, 48]", "[1, 120]")
}

#[test]
fn cancel_leaves_nothing() {
    // Some seconds of work: a long simulation.
    let text = ROPE.replace("[1, 48]", "[1, 2400]") + "dynamics = \"string\"\n";
    let mut window = Window::with(&text);
    window.harness.state_mut().workspace.simulates = false;
    window.select("rein");
    click(&mut window, Role::Button, "Modes");
    click(&mut window, Role::Button, "Extract");
    assert!(window.studio().is_working());
    window.harness.step();
    click(&mut window, Role::Button, "Cancel");
    wait(&mut window);
    window.get("Cancelled; no modes were extracted");
    assert!(window.harness.query_by_label_contains("Mode 1:").is_none());
    assert_eq!((window.text(), window.changes()), (text, 0));
    let names = fs::read_dir(window.folder.path()).unwrap().flatten();
    let names: Vec<_> = names.map(|one| one.file_name()).filter(|one| one != "state").collect();
    assert_eq!(names, ["shot.lariat"]);
}

/// The pixels of the picture of the scene.
fn view(window: &mut Window) -> Vec<u8> {
    let rect = window.get("View of the scene").rect();
    let whole = window.harness.render().unwrap();
    let rows = rect.top() as u32..rect.bottom() as u32;
    let columns = rect.left() as u32..rect.right() as u32;
    let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    pixels.flat_map(|(x, y)| whole.get_pixel(x, y).0).collect()
}

/// Number of pixels that differ.
fn differing(a: &[u8], b: &[u8]) -> usize {
    a.chunks_exact(4).zip(b.chunks_exact(4)).filter(|(a, b)| a != b).count()
}

#[test]
fn a_mode_alone_changes_the_view_and_no_byte() {
    let mut window = Window::with(&swinging());
    window.select("rein");
    extract_modes(&mut window);
    // The first row plays the rebuilt motion; a second click shows the document again.
    window.harness.get_by_label_contains("All:").click();
    window.run();
    let before = view(&mut window);
    let row = window.harness.get_by_label_contains("Mode 1:");
    row.click();
    window.run();
    window.get("Mode 1 of rein, alone.");
    let slider = window.harness.get_by_role_and_label(Role::Slider, "Amplify").rect();
    window.drag(slider.left_center() + egui::vec2(8.0, 0.0), slider.center());
    let alone = differing(&view(&mut window), &before);
    window.harness.get_by_label_contains("Mode 1:").click();
    window.run();
    let again = differing(&view(&mut window), &before);
    assert!(alone > 20 * again.max(50), "{alone} pixels of a mode alone, {again} of the document");
    assert_eq!((window.text(), window.changes()), (swinging(), 0));
}

#[test]
fn driving_is_one_entry_whose_undo_gives_the_same_bytes() {
    let mut window = Window::with(&swinging());
    window.select("rein");
    extract_modes(&mut window);
    click(&mut window, Role::Button, "Drive all modes");
    assert_eq!(window.changes(), 1);
    let driven = window.text();
    assert!(driven.contains("wiggle = [") && driven.contains("model = \"shape\""), "{driven}");
    let session = window.studio().session().unwrap();
    assert!(session.editor.diagnostics().iter().all(|one| !one.is_error()), "{driven}");
    assert_eq!(window.studio().workspace.panel, Panel::Graph);
    // Its knots are in the graph.
    window.harness.get_by_label("Knot 1 of rein-2.modes[0].drive");
    window.press(egui::Modifiers::COMMAND, egui::Key::Z);
    assert_eq!(window.text(), swinging());
    window.press(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::Z);
    assert_eq!(window.text(), driven);
}

#[test]
fn few_frames_and_no_motion_are_reported_with_numbers() {
    let mut window = Window::with(&ROPE.replace("[1, 48]", "[1, 2]"));
    window.select("rein");
    extract_modes(&mut window);
    window.harness.get_by_label_contains("2 frames are too few");
    assert_eq!(window.changes(), 0);
    let still = ROPE.replace("swing = { keys = [[1, 0], [24, 35]] }\n", "");
    let mut window = Window::with(&still);
    window.select("rein");
    extract_modes(&mut window);
    window.harness.get_by_label_contains("Nothing moves in frames 1–48");
    assert_eq!((window.text(), window.changes()), (still, 0));
}

/// Number of modes of a body, and of its keys.
fn driven(window: &Window, body: &str) -> (usize, usize) {
    let session = window.studio().session().expect("a document is open");
    let (_, body) = session.editor.document().find(Thing::Body, body).expect("a body");
    let modes = body.get("modes").and_then(Value::list).expect("modes");
    let keys = |mode: &Value| {
        let drive = mode.table()?.get("drive")?.table()?;
        Some(drive.get("wiggle")?.list()?.len())
    };
    (modes.len(), modes.iter().filter_map(keys).sum())
}

/// Area of the path of the hip that moves farthest over one swing at 2 Hz, seen from the front, as a
/// share of the ellipse in its box.
fn roundness(window: &Window, body: &str) -> f64 {
    let scene = window.studio().session().expect("a document is open").editor.scene();
    let body = scene.body_index(body).expect("a body");
    let frames = (40..52).map(|frame| scene.evaluate_body(body, f64::from(frame)));
    let frames: Vec<Vec<DVec3>> =
        frames.map(|posed| posed.mesh.expect("a mesh").points().to_vec()).collect();
    let of_point = |point: usize| {
        let path: Vec<DVec3> = frames.iter().map(|points| points[point]).collect();
        let (low, high) = path.iter().fold((path[0], path[0]), |(l, h), p| (l.min(*p), h.max(*p)));
        let next = path.iter().skip(1).chain(&path[..1]);
        let area: f64 = path.iter().zip(next).map(|(a, b)| 0.5 * (a.x * b.z - b.x * a.z)).sum();
        let ellipse = 0.25 * std::f64::consts::PI * (high.x - low.x) * (high.z - low.z);
        (ellipse, area.abs() / ellipse)
    };
    let hips = (0..frames[0].len()).filter(|point| (0.36..0.48).contains(&frames[0][*point].z));
    hips.map(of_point).max_by(|a, b| a.0.total_cmp(&b.0)).expect("hips").1
}

#[test]
fn the_hula_is_made_by_hand_from_two_motions() {
    let mut window = Window::museum("kass-08-mode");
    // Figure 8. One: the body. Two: the panel. Three and four: one mode. Five: extract.
    click(&mut window, Role::Button, "aside");
    click(&mut window, Role::Button, "Modes");
    click(&mut window, Role::ComboBox, "How many");
    window.click("1 mode");
    click(&mut window, Role::Button, "Extract");
    wait(&mut window);
    // Six: the mode alone, in colours.
    let mode = window.harness.get_by_label_contains("Mode 1:");
    mode.click();
    window.run();
    assert!(row(&window, "Mode 1").contains("2.0"), "{}", row(&window, "Mode 1"));
    // The hula. Seven: a body that the mode moves.
    click(&mut window, Role::Button, "Drive mode 1");
    assert_eq!(driven(&window, "aside-2").0, 1);
    // Eight to eleven: the other motion. Twelve and thirteen: onto the same body. Fourteen: drive.
    click(&mut window, Role::Button, "Modes");
    choose(&mut window, "Motion of", "up");
    click(&mut window, Role::Button, "Extract");
    wait(&mut window);
    choose(&mut window, "Moves", "aside-2");
    click(&mut window, Role::Button, "Drive all modes");
    let (modes, keys) = driven(&window, "aside-2");
    assert!(modes == 2 && keys >= 2, "{modes} modes, {keys} keys");
    assert_eq!(window.changes(), 2);
    // It is moved by the modes of two files.
    let session = window.studio().session().unwrap();
    let paths = session.editor.lowered().files().map(|file| file.path.to_owned());
    let paths: Vec<String> = paths.filter(|path| path.starts_with("kass-08-mode-")).collect();
    assert_eq!(paths, ["kass-08-mode-aside.modes", "kass-08-mode-aside-2.modes"]);
    let read = |path: &str| files(&window).read(path, u64::MAX).unwrap();
    assert_ne!(read(&paths[0]), read(&paths[1]));
    // A hip goes round: its path encloses most of the ellipse in its box.
    assert!(roundness(&window, "aside-2") > 0.6, "{}", roundness(&window, "aside-2"));
    // A knot of the new curve is dragged.
    let knot = window.get("Knot 1 of aside-2.modes[1].drive").rect().center();
    window.drag(knot, knot + egui::vec2(0.0, -20.0));
    assert_eq!(window.changes(), 3);
    // It is saved with its files.
    window.press(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::S);
    window.press(egui::Modifiers::COMMAND, egui::Key::A);
    let place = window.path("hula.lariat").to_str().unwrap().to_owned();
    window.type_text(&place);
    window.press(egui::Modifiers::NONE, egui::Key::Enter);
    let opened = lariat::open_file(&window.path("hula.lariat"), &lariat_scene::Limits::DEFAULT);
    let opened = opened.unwrap();
    assert!(!opened.has_errors(), "{:?}", opened.diagnostics);
}

#[test]
fn modes_are_driven_beside_the_new_place_of_a_document() {
    let mut window = Window::museum("kass-08-mode");
    window.press(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::S);
    window.press(egui::Modifiers::COMMAND, egui::Key::A);
    let place = window.path("hula.lariat").to_str().unwrap().to_owned();
    window.type_text(&place);
    window.press(egui::Modifiers::NONE, egui::Key::Enter);
    click(&mut window, Role::Button, "aside");
    extract_modes(&mut window);
    click(&mut window, Role::Button, "Drive all modes");
    let editor = &window.studio().session().unwrap().editor;
    let errors: Vec<_> = editor.diagnostics().iter().filter(|one| one.is_error()).collect();
    assert!(errors.is_empty() && window.changes() == 1, "{errors:?}");
    assert!(window.path("hula-aside.modes").exists());
}

#[test]
fn modes_of_a_document_without_a_place_outlive_the_program() {
    let mut window = Window::museum("kass-08-mode");
    click(&mut window, Role::Button, "aside");
    extract_modes(&mut window);
    click(&mut window, Role::Button, "Drive all modes");
    let (text, name) = (window.text(), "kass-08-mode-aside.modes");
    let modes = files(&window).read(name, u64::MAX).unwrap();
    let folder = window.kill();
    fs::rename(folder.path().join("state"), folder.path().join("lariat")).unwrap();
    // Without a window.
    let recover = std::process::Command::new(env!("CARGO_BIN_EXE_lariat-studio"))
        .args(["--recover", "saved"])
        .current_dir(folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .output();
    assert!(recover.unwrap().status.success());
    let saved = folder.path().join("saved");
    assert_eq!(fs::read(saved.join(name)).unwrap(), modes);
    let opened = lariat::open_file(&saved.join("untitled.lariat"), &lariat_scene::Limits::DEFAULT);
    assert!(!opened.unwrap().has_errors());
    // In the window.
    fs::rename(folder.path().join("lariat"), folder.path().join("state")).unwrap();
    let mut window = Window::open_in(folder, |_| lariat_studio::Opening::Welcome);
    window.click("Recover");
    assert_eq!((window.text(), files(&window).read(name, u64::MAX).unwrap()), (text, modes));
    let editor = &window.studio().session().unwrap().editor;
    assert!(!editor.diagnostics().iter().any(lariat_scene::check::Diagnostic::is_error));
    // They are removed with the journal.
    window.press(egui::Modifiers::COMMAND, egui::Key::N);
    window.click("Leave without saving");
    let left = fs::read_dir(window.path("state/journals")).unwrap().count();
    assert_eq!(left, 0);
}
