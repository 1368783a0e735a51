//! Cameras of a document: the choice of the camera, and its pictures.

use std::fs;

use crate::harness::{Folder, ROPE};

/// Flags that make drawing fast.
const TINY: &str = "--size 48x36 --quality draft";

const LEFT: &str = r#"
[[camera]]
name = "left"
position = [-3, -6, 2]
target = [1.5, 0, 1.5]
"#;

const RIGHT: &str = r#"
[[camera]]
name = "right"
position = [6, -5, 3]
target = { body = "rein", at = 0.5 }
roll = 10
height = 4
"#;

/// A rope that stands still, and a camera that moves.
const DOLLY: &str = r#"lariat = 2
[shot]
frames = [1, 25]
[[camera]]
name = "dolly"
position = { keys = [[1, [0, -6, 2]], [25, [4, -8, 4]]], interpolation = "linear" }
target = [1.5, 0, 1.5]
[[body]]
name = "rein"
model = "suspended-rope"
from = [0, 0, 2]
to = [3, 0, 2]
length = 4
radius = 0.05
"#;

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Draws a picture; returns the messages and its bytes.
fn drawn(folder: &Folder, document: &str, flags: &str) -> (String, Vec<u8>) {
    let line = format!("render {document} -o picture.png --force {TINY} {flags}");
    let ran = folder.run(&line).expect(0);
    (ran.err, bytes(folder, "picture.png"))
}

fn folder() -> Folder {
    let folder = Folder::with("both.lariat", &format!("{ROPE}{LEFT}{RIGHT}"));
    folder.write("left.lariat", format!("{ROPE}{LEFT}"));
    folder.write("none.lariat", ROPE);
    folder
}

#[test]
fn two_cameras_give_two_pictures() {
    let folder = folder();
    let (messages, left) = drawn(&folder, "both.lariat", "--camera left");
    assert!(messages.ends_with(" s per frame, camera `left`, rendered by the CPU\n"), "{messages}");
    let (messages, right) = drawn(&folder, "both.lariat", "--camera right");
    assert!(
        messages.ends_with(" s per frame, camera `right`, rendered by the CPU\n"),
        "{messages}"
    );
    assert_ne!(left, right);

    let (messages, first) = drawn(&folder, "both.lariat", "");
    let note = "using `left`, the first of 2 cameras; choose another with --camera\n\
                wrote picture.png";
    assert!(messages.starts_with(note), "{messages}");
    assert_eq!(first, left);
}

#[test]
fn a_single_camera_is_used_by_default() {
    let folder = folder();
    let (messages, left) = drawn(&folder, "left.lariat", "");
    assert!(messages.starts_with("wrote picture.png: 1 frame, 48x36, "), "{messages}");
    assert!(messages.ends_with(", camera `left`, rendered by the CPU\n"), "{messages}");
    let (_, automatic) = drawn(&folder, "none.lariat", "");
    assert_ne!(left, automatic);
    for flags in ["--camera auto", "--view 23,17"] {
        let (messages, picture) = drawn(&folder, "left.lariat", flags);
        assert!(messages.ends_with(" s per frame, rendered by the CPU\n"), "{flags}: {messages}");
        assert!(picture == automatic, "{flags}");
    }
    let (_, front) = drawn(&folder, "left.lariat", "--view front");
    assert!(front == drawn(&folder, "none.lariat", "--view front").1);
}

#[test]
fn an_unknown_camera_is_refused_with_the_list() {
    let folder = folder();
    let refused = |document: &str, name: &str, messages: &str| {
        let line = format!("render {document} -o out.png --camera {name}");
        folder.run(&line).expect_failure(messages);
        assert!(!folder.path("out.png").exists());
    };
    refused(
        "both.lariat",
        "nobody",
        "there is no camera `nobody`; there are `left`, `right`, and `auto` for the automatic camera",
    );
    refused(
        "left.lariat",
        "right",
        "there is no camera `right`; there is `left`, and `auto` for the automatic camera",
    );
    refused(
        "none.lariat",
        "left",
        "there is no camera `left`; there is only `auto`, the automatic camera",
    );
    let ran = folder.run("render both.lariat -o out.png --camera left --view 0,0").expect(2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
}

#[test]
fn a_camera_follows_its_keys_between_frames_too() {
    let folder = Folder::with("dolly.lariat", DOLLY);
    let keys = "{ keys = [[1, [0, -6, 2]], [25, [4, -8, 4]]], interpolation = \"linear\" }";
    // Frame 7 is a quarter of the way; frame 8.5 lies between two frames.
    for (frame, place) in
        [("1", "[0, -6, 2]"), ("7", "[1, -6.5, 2.5]"), ("8.5", "[1.25, -6.625, 2.625]")]
    {
        folder.write("still.lariat", DOLLY.replace(keys, place));
        let (_, moving) = drawn(&folder, "dolly.lariat", &format!("--frame {frame}"));
        let (_, still) = drawn(&folder, "still.lariat", &format!("--frame {frame}"));
        assert!(moving == still, "frame {frame}");
    }
    let frames = ["1", "12", "12.5", "13"];
    let pictures =
        frames.map(|frame| drawn(&folder, "dolly.lariat", &format!("--frame {frame}")).1);
    for (i, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..i].contains(picture), "frame {}", frames[i]);
    }
}

#[test]
fn every_moment_of_a_blurred_picture_has_its_own_camera() {
    let folder = Folder::with("dolly.lariat", DOLLY);
    // The camera crosses the picture within a single frame.
    let fast = DOLLY.replace("[25, [4, -8, 4]]", "[2, [4, -8, 4]]");
    folder.write("fast.lariat", &fast);
    folder.write("stays.lariat", fast.replace("[4, -8, 4]", "[0, -6, 2]"));
    let blurred = |name: &str| drawn(&folder, name, "--frame 1 --motion-blur 4").1;
    assert_ne!(blurred("fast.lariat"), blurred("stays.lariat"), "the camera moves in the frame");
    let sharp = |name: &str| drawn(&folder, name, "--frame 1").1;
    assert_eq!(
        sharp("fast.lariat"),
        sharp("stays.lariat"),
        "a sharp picture shows the start of the frame"
    );
}

#[test]
fn a_camera_can_target_a_body_that_is_not_drawn() {
    let other =
        "\n[[body]]\nname = \"other\"\nmodel = \"loose-rope\"\nfrom = [1, 1, 2]\nlength = 1\n";
    let folder = Folder::with("rope.lariat", &format!("{ROPE}{other}{RIGHT}"));
    let (_, all) = drawn(&folder, "rope.lariat", "");
    let (messages, some) = drawn(&folder, "rope.lariat", "--body other");
    assert!(messages.ends_with("camera `right`, rendered by the CPU\n"), "{messages}");
    assert_ne!(all, some);
}

#[test]
fn a_camera_at_its_own_target_is_an_error() {
    let stuck =
        "\n[[camera]]\nname = \"stuck\"\nposition = [0, 0, 2]\ntarget = { body = \"rein\" }\n";
    let folder = Folder::with("stuck.lariat", &format!("{ROPE}{stuck}{LEFT}"));
    let ran = folder.run("check stuck.lariat").expect(1);
    assert!(ran.out.contains("error[L0620]: camera `stuck` is at its target"), "{}", ran.out);
    assert!(ran.out.contains("both are at [0.000, 0.000, 2.000] in frames 1–24"), "{}", ran.out);
    let line = format!("render stuck.lariat -o out.png {TINY}");
    let ran = folder.run(&line).expect(1);
    assert!(ran.err.contains("error[L0620]"), "{}", ran.err);
    assert!(!folder.path("out.png").exists());
    folder.run(&format!("{line} --keep-going")).expect(1);
    assert!(folder.path("out.png").exists());
    // Outputs that do not use the camera have no error.
    folder.run(&format!("{line} --force --camera left")).expect(0);
    folder.run(&format!("{line} --force --camera auto")).expect(0);
    folder.run("eval stuck.lariat --json").expect(0);
    folder.run("export stuck.lariat -o out.csv").expect(0);
    let ran = folder.run("export stuck.lariat -o out.usda").expect(1);
    assert!(ran.err.contains("error[L0620]"), "{}", ran.err);
}

#[test]
fn keep_going_leaves_out_a_camera_with_errors() {
    let bent = LEFT.replace("target", "tarket");
    let folder = Folder::with("bent.lariat", &format!("{ROPE}{bent}"));
    let line = format!("render bent.lariat -o out.png {TINY}");
    let ran = folder.run(&line).expect(1);
    assert!(ran.err.contains("did you mean `target`?"), "{}", ran.err);
    let ran = folder.run(&format!("{line} --keep-going")).expect(1);
    assert!(ran.err.contains("skipped because of errors: `left`\n"), "{}", ran.err);
    let ran = folder.run(&format!("{line} --keep-going --force --camera left")).expect(2);
    let message = "error: camera `left` has errors; fix them, or choose another camera\n";
    assert!(ran.err.ends_with(message), "{}", ran.err);
}

#[test]
fn cameras_go_into_usd_files() {
    let folder = folder();
    folder.run("export both.lariat -o rope.usda").expect(0);
    let text = folder.read("rope.usda");
    assert!(text.contains("    def Camera \"left\"\n"), "{text}");
    assert!(text.contains("        token projection = \"orthographic\"\n"), "{text}");
    folder.run("export none.lariat -o none.usda").expect(0);
    assert!(!folder.read("none.usda").contains("Camera"));
}
