//! Broken files, full disks, huge documents, simulations that fail, errors of the picture.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use glam::DVec3;
use lariat_eval::TakeState;
use lariat_studio::{Opening, Panel};

use crate::harness::{ROPE, Window, place};

const CTRL: Modifiers = Modifiers::COMMAND;

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_file(window: &mut Window, path: &Path) {
    let file = Arc::new(Dropped(path.to_owned()));
    window.harness.input_mut().dropped_files.push(file);
    window.run();
}

#[test]
fn a_file_that_is_no_document_leaves_the_open_one_as_it_is() {
    let mut window = Window::with(ROPE);
    window.select("rein");
    window.press(CTRL, Key::D);
    let text = window.text();
    let name = |name: &str| window.folder.path().join(name);
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0xff; 64]].concat();
    fs::write(name("picture.png"), picture).unwrap();
    fs::write(name("binary"), [0_u8, 159, 146, 150]).unwrap();
    fs::write(name("notes.txt"), "To do: buy rope").unwrap();
    fs::create_dir(name("folder")).unwrap();
    // Sparse: it takes no room.
    fs::File::create(name("huge.lariat")).unwrap().set_len(1 << 40).unwrap();
    let files: [(PathBuf, &str); 5] = [
        (name("picture.png"), "not text"),
        (name("binary"), "not text"),
        (name("notes.txt"), "cannot be opened"),
        (name("folder"), "not a file"),
        (name("huge.lariat"), "the limit is"),
    ];
    for (path, why) in files {
        drop_file(&mut window, &path);
        assert!(window.harness.query_by_label("Leave without saving").is_none(), "{path:?}");
        let message = window.studio().message().unwrap_or_default().to_owned();
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(message.contains(why) && message.contains(name), "{message}");
        assert_eq!((window.text(), window.changes()), (text.clone(), 1));
    }
}

/// A disk with room for some files, if the tests may mount one, which takes an administrator.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir(&at).ok()?;
        let mut mount = Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&at);
        mount.output().ok().filter(|output| output.status.success()).map(|_| Self(at))
    }

    fn make_read_only(&self) {
        let mut mount = Command::new("mount");
        assert!(mount.args(["-o", "remount,ro"]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_disk_that_cannot_be_written_to_loses_nothing() {
    for is_full in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let Some(disk) = SmallDisk::mount(folder.path().join("disk")) else {
            eprintln!("not allowed to mount a small disk");
            return;
        };
        fs::write(disk.0.join("shot.lariat"), ROPE).unwrap();
        let opening = |folder: &_| Opening::Document(place(folder, "disk/shot.lariat"));
        let mut window = Window::open_in(folder, opening);
        window.select("rein");
        window.press(CTRL, Key::D);
        let text = window.text();
        if is_full {
            let _ = fs::write(disk.0.join("filler"), vec![0; 128 << 10]);
        } else {
            disk.make_read_only();
        }
        window.press(CTRL, Key::S);
        let message = window.studio().message().unwrap().to_owned();
        let why = if is_full { "No space left" } else { "Read-only" };
        assert!(message.contains(why), "{message}");
        assert_eq!(fs::read_to_string(disk.0.join("shot.lariat")).unwrap(), ROPE);
        assert_eq!(window.text(), text);
        assert!(window.studio().session().unwrap().editor.is_modified());
        window.click("Save as…");
        let elsewhere = window.path("elsewhere.lariat").to_str().unwrap().to_owned();
        window.press(CTRL, Key::A);
        window.type_text(&elsewhere);
        window.press(Modifiers::NONE, Key::Enter);
        assert_eq!(fs::read_to_string(elsewhere).unwrap(), text);
        assert!(!window.studio().session().unwrap().editor.is_modified());
        drop(disk);
    }
}

/// A rope whose swing has a key on every frame.
fn keys(count: usize) -> String {
    let mut text =
        format!("lariat = 2\n[shot]\nframes = [1, {count}]\n[[body]]\nname = \"rein\"\n");
    text.push_str("model = \"suspended-rope\"\nfrom = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\nswing = { keys = [");
    for frame in 1..=count {
        let _ = write!(text, "[{frame}, {}],", frame % 60);
    }
    text + "] }\n"
}

/// Seconds that a pass of the window takes.
fn pass_once(window: &mut Window) -> f64 {
    let start = Instant::now();
    window.harness.step();
    start.elapsed().as_secs_f64()
}

/// The same, the best of some.
fn pass(window: &mut Window) -> f64 {
    (0..8).map(|_| pass_once(window)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_channel_with_a_hundred_thousand_keys_stays_usable() {
    let (mut many, mut few) = (Window::with(&keys(100_000)), Window::with(&keys(100)));
    for panel in [Panel::Timeline, Panel::Graph] {
        for window in [&mut many, &mut few] {
            window.harness.state_mut().workspace.panel = panel;
            window.select("rein");
        }
        // Ten times a short channel and a twentieth of a second: drawing is bounded by pixels. One
        // shape for each key would take seconds.
        let (long, short) = (pass(&mut many), pass(&mut few));
        assert!(long < 10.0 * short + 0.05, "{panel:?}: {long} s, {short} s for a short one");
        // Closer, each key is there again.
        many.harness.state_mut().workspace.visible_frames = Some([50_000.0, 50_040.0]);
        many.run();
        assert!(many.harness.query_all_by_label_contains("50020 of rein.swing").count() > 0);
        many.harness.state_mut().workspace.visible_frames = None;
    }
}

#[test]
fn two_hundred_bodies_open_and_are_selected() {
    let mut text = "lariat = 2\n[shot]\nframes = [1, 24]\n".to_owned();
    for k in 0..200 {
        let _ = write!(
            text,
            "[[body]]\nname = \"rope {k}\"\nmodel = \"suspended-rope\"\nfrom = [0, {k}, 2]\n\
             to = [3, {k}, 2]\nlength = 4\nswing = {{ keys = [[1, 0], [24, {k}]] }}\n"
        );
    }
    let mut window = Window::with(&text);
    window.press(CTRL, Key::A);
    assert_eq!(window.studio().workspace.selected.len(), 200);
    window.press(Modifiers::NONE, Key::End);
    let seconds = pass(&mut window);
    assert!(seconds < 1.0, "{seconds} s for a pass");
    window.press(CTRL, Key::D);
    window.press(CTRL, Key::Z);
    assert_eq!(window.text(), text);
}

/// Shows the window until its simulation stops or a time in seconds is over; no pass takes long.
fn simulate(window: &mut Window, seconds: f64) -> Vec<TakeState> {
    let start = Instant::now();
    let takes = |window: &Window| window.studio().session().unwrap().editor.takes();
    while start.elapsed().as_secs_f64() < seconds && !takes(window).iter().any(|one| one.stopped) {
        std::thread::sleep(Duration::from_millis(20));
        let one = pass_once(window);
        assert!(one < 1.0, "{one} s for a pass");
    }
    window.harness.run_steps(3);
    takes(window)
}

/// The rope at a frame.
fn spine(window: &mut Window, frame: f64) -> Vec<DVec3> {
    window.harness.state_mut().workspace.frame = frame;
    window.harness.run_steps(2);
    assert!(window.studio().session().unwrap().waiting().is_empty(), "frame {frame} is there");
    let pose = window.studio().session().unwrap().shown().unwrap();
    assert!(pose.bodies[0].spine().iter().all(|at| at.is_finite()));
    pose.bodies[0].spine().to_vec()
}

#[test]
fn a_simulation_that_diverges_is_reported_and_can_be_scrubbed() {
    // Before frame 20 it is calm.
    let torque = "{ at = 0.5, torque = { keys = [[20, 0], [21, 1e12]] } }";
    let text = format!("{ROPE}dynamics = {{ kind = \"string\", torques = [{torque}] }}\n");
    let mut window = Window::with(&text);
    let takes = simulate(&mut window, 60.0);
    assert!(takes[0].stopped, "{takes:?}");
    let message = window.studio().message().unwrap_or_default().to_owned();
    let start = "The simulation of rein stops at frame 20.";
    assert!(message.starts_with(start) && message.contains("energy"), "{message}");
    let (before, after, end) =
        (spine(&mut window, 10.0), spine(&mut window, 19.0), spine(&mut window, 48.0));
    assert!(before != after && after != end);
    assert_eq!(end, spine(&mut window, 30.0), "it keeps its last pose");
}

#[test]
fn a_simulation_that_takes_for_ever_is_stopped_and_can_be_scrubbed() {
    let text = format!("{ROPE}dynamics = \"string\"\n[world]\ngravity = [0, 0, -1e9]\n");
    let mut window = Window::with(&text);
    let takes = simulate(&mut window, 3.0);
    let reached = takes[0].recorded.unwrap().last;
    assert!(reached < 40.0 && takes[0].running, "{takes:?}");
    let progress = window.harness.get_by_label_contains("Simulating frame ").rect();
    let stop = window.harness.get_by_role_and_label(egui::accesskit::Role::Button, "Stop");
    assert!(!progress.intersects(stop.rect()), "both can be read");
    stop.click();
    window.run();
    assert_ne!(spine(&mut window, 1.0), spine(&mut window, reached.floor()));
}

#[test]
fn a_message_has_one_line() {
    let mut window = Window::with(ROPE);
    let height = |window: &Window| window.get("View of the scene").rect().height();
    let before = height(&window);
    let path = window.path("a\nname\nof lines.txt");
    fs::write(&path, "To do: buy rope").unwrap();
    drop_file(&mut window, &path);
    let message = window.studio().message().unwrap().to_owned();
    assert!(message.contains("a\nname\nof lines.txt"), "{message}");
    assert_eq!(height(&window), before);
    let shown = window.harness.get_by_label_contains("a name of lines.txt").rect();
    assert!(shown.height() < 24.0 && shown.right() < 1280.0, "{shown}");
}

#[test]
fn an_error_of_the_picture_is_gone_with_the_next_good_one() {
    let mut window = Window::with(ROPE);
    window.harness.set_size(egui::vec2(40_000.0, 720.0));
    window.run();
    let message = window.studio().message().unwrap_or_default().to_owned();
    assert!(message.contains("too large for the graphics card"), "{message}");
    window.harness.set_size(egui::vec2(1280.0, 720.0));
    window.run();
    assert_eq!(window.studio().message(), None);
}

#[test]
fn things_of_the_same_name_have_their_own_rows() {
    let mut window = Window::museum("tuzel-curtain");
    window.harness.state_mut().workspace.panel = Panel::Timeline;
    window.run();
    // A body and a collider.
    assert_eq!(window.harness.query_all_by_label("Fold ball").count(), 2);
}
