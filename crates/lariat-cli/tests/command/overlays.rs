//! `lariat render --show` and `--look`: overlays and looks.

use std::fs;

use crate::harness::{Folder, ROPE};

/// Flags that make drawing fast; large enough for marks.
const SMALL: &str = "--size 160x120 --quality draft";

const LOOSE: &str = "lariat = 2\n[[body]]\nname = 'tail'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\n\
                     length = 1\n";

fn folder() -> Folder {
    let folder = Folder::with("rope.lariat", ROPE);
    fs::write(folder.path("loose.lariat"), LOOSE).unwrap();
    folder
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_overlay_changes_the_picture() {
    let folder = folder();
    let draw = |name: &str, more: &str| {
        let line = format!("render rope.lariat -o {name}.png --frame 12 {SMALL} {more}");
        folder.run(&line).expect(0);
        bytes(&folder, &format!("{name}.png"))
    };
    let mut seen = vec![draw("plain", "")];
    for show in [
        "control-points",
        "frames",
        "names",
        "tension",
        "slack",
        "ghosts:2x3",
        "trails",
        "frames,trails",
    ] {
        let picture = draw(&show.replace(':', "-"), &format!("--show {show}"));
        assert!(!seen.contains(&picture), "{show} changes nothing");
        seen.push(picture);
    }
    assert_eq!(draw("again", "--show ghosts:2+2x3"), seen[6], "2x3 is 2+2x3");
}

#[test]
fn overlays_are_in_every_kind_of_picture() {
    let folder = folder();
    for (output, frames) in
        [("a-##.png", "--frames 3-4"), ("a.mp4", "--frames 3-5"), ("s.png", "--contact-sheet")]
    {
        for show in ["", "--show ghosts,trails,control-points,tension"] {
            folder
                .run(&format!("render rope.lariat -o {output} {frames} {SMALL} --force {show}"))
                .expect(0);
            let name = output.replace("##", "03");
            let with = folder.path(&format!("{}.{name}", show.is_empty()));
            fs::rename(folder.path(&name), with).unwrap();
        }
        let name = output.replace("##", "03");
        let [plain, shown] = ["true", "false"].map(|k| bytes(&folder, &format!("{k}.{name}")));
        assert!(plain != shown, "{output}");
    }
}

#[test]
fn colours_mean_the_same_in_every_frame() {
    let folder = folder();
    let line = format!("render rope.lariat {SMALL} --show tension,trails");
    folder.run(&format!("{line} -o a-##.png --frames 1-24x8")).expect(0);
    folder.run(&format!("{line} -o alone.png --frame 17")).expect(0);
    assert_eq!(bytes(&folder, "a-17.png"), bytes(&folder, "alone.png"));
}

#[test]
fn a_shot_without_tensions_is_refused() {
    let folder = folder();
    let ran = folder.run(&format!("render loose.lariat -o a.png {SMALL} --show tension")).expect(2);
    assert!(ran.err.contains("no strand in this shot has a tension"), "{}", ran.err);
    assert!(ran.err.contains("try `--show slack`"), "{}", ran.err);
    folder.run(&format!("render loose.lariat -o a.png {SMALL} --show slack")).expect(0);
}

#[test]
fn unknown_overlays_and_looks_are_refused_with_the_list() {
    let folder = folder();
    let ran = folder.run("render rope.lariat -o a.png --show ghost").expect(2);
    let names =
        "supported: control-points, frames, names, tension, twist, slack, ghosts and trails";
    assert!(ran.err.contains("unknown overlay `ghost`"), "{}", ran.err);
    assert!(ran.err.contains(names), "{}", ran.err);
    let ran = folder.run("render rope.lariat -o a.png --look stele").expect(2);
    assert!(ran.err.contains("unknown look `stele`"), "{}", ran.err);
    assert!(ran.err.contains("wire-rope"), "{}", ran.err);
    let ran = folder.run("render rope.lariat -o a.png --look nobody=steel").expect(2);
    assert!(ran.err.contains("there is no body `nobody`"), "{}", ran.err);
    assert_eq!(folder.names(), ["loose.lariat", "rope.lariat"]);
}

#[test]
fn bodies_can_be_drawn_with_another_look() {
    let folder = folder();
    let draw = |name: &str, more: &str| {
        folder.run(&format!("render loose.lariat -o {name}.png {SMALL} {more}")).expect(0);
        bytes(&folder, &format!("{name}.png"))
    };
    let plain = draw("plain", "");
    let steel = draw("steel", "--look steel");
    assert_ne!(plain, steel);
    assert_eq!(
        steel,
        draw("own", "--look wood --look tail=steel"),
        "the look of a single body has precedence"
    );
}
