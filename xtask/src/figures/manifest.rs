//! Table of all still pictures in the documentation: scene, frames, view, size.
//!
//! Each row is the picture `docs/pictures/SCENE.png`, and every scene has one (`tidy/pictures.rs`
//! checks that). A row with channels is a plot; a row with arguments of `lariat play` is a game and
//! has no scene. A row with several frames is a contact sheet. A figure of a paper that varies one
//! parameter from left to right is one wide picture of a scene with panels side by side.
//!
//! Tests: `rows_can_be_drawn`, `the_check_is_of_rows_that_exist`.

/// One picture in the documentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    /// Name of the scene and of the picture.
    pub scene: &'static str,
    /// Frame, or several for a contact sheet.
    pub frames: &'static str,
    /// Degrees around and above, or `camera` for the camera of the scene, with its name if it has
    /// several.
    pub view: &'static str,
    /// Width and height of each frame, in pixels.
    pub size: &'static str,
    /// The only body that is drawn; `None` draws all.
    pub body: Option<&'static str>,
    /// Further arguments of `lariat render`.
    pub flags: &'static [&'static str],
    /// Plot that replaces the picture.
    pub plot: Option<Curves>,
    /// Game that replaces the scene, as arguments of `lariat play`.
    pub game: Option<&'static [&'static str]>,
}

/// Plot of parameters over time, as arguments of `lariat plot`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Curves {
    /// The parameters.
    pub channels: &'static [&'static str],
    /// All other arguments.
    pub flags: &'static [&'static str],
}

impl Figure {
    const fn new(
        scene: &'static str,
        frames: &'static str,
        view: &'static str,
        size: &'static str,
    ) -> Self {
        Self { scene, frames, view, size, body: None, flags: &[], plot: None, game: None }
    }

    /// Creates a plot of the whole shot.
    const fn plot(
        scene: &'static str,
        channels: &'static [&'static str],
        flags: &'static [&'static str],
        size: &'static str,
    ) -> Self {
        let plot = Some(Curves { channels, flags });
        Self { plot, ..Self::new(scene, "", "", size) }
    }

    /// Creates a contact sheet of a game; no scene has its name.
    const fn game(name: &'static str, words: &'static [&'static str]) -> Self {
        Self { game: Some(words), ..Self::new(name, "", "", "") }
    }

    /// Returns whether the picture is a contact sheet.
    pub(crate) fn is_sheet(&self) -> bool {
        self.frames.contains(',')
    }
}

/// Folder of the pictures.
pub(crate) const FOLDER: &str = "docs/pictures";

/// Value of `lariat render --quality`.
pub(crate) const QUALITY: &str = "final";

/// Largest total size of still and moving pictures in bytes: every clone of the repository fetches
/// them.
pub(crate) const ROOM: u64 = 24_000_000;

/// Pictures that `--check` draws without `--all`: laid rope, steel, leather, plastic, rubber, wood,
/// glowing bulbs, single pictures and contact sheets, in a few seconds.
pub(crate) const CHECKED: &[&str] = &[
    "barzel-03-magnitude",
    "barzel-17-lights",
    "barzel-18-strap",
    "barzel-19-microphone",
    "barzel-21-lasso",
    "edge-wire",
    "kass-02-equilibrium",
    "kass-03-response",
];

/// All pictures, in the order of the museum.
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new("barzel-02-suspended", "11", "camera strip", "1200x353"),
    Figure::new("barzel-03-magnitude", "1", "camera strip", "1200x280"),
    Figure::new("barzel-04-frequency", "1", "camera strip", "1200x280"),
    Figure::new("barzel-05-phase", "17", "camera strip", "1200x240"),
    Figure::new("barzel-06-azimuth", "7", "camera strip", "1200x292"),
    Figure::new("barzel-08-loose", "72", "camera", "1000x460"),
    Figure::new("barzel-10-coiled-cord", "7", "camera strip", "1200x332"),
    Figure::new("barzel-13-spring", "20", "8,12", "1200x480"),
    Figure::new("barzel-16-lasso", "5", "camera", "800x450"),
    Figure::new("barzel-17-lights", "4,13", "camera", "760x428"),
    Figure::new("barzel-18-strap", "14,21,26,30,48,56", "camera", "340x300"),
    Figure::new("barzel-19-microphone", "8,54", "camera", "560x440"),
    Figure::new("barzel-20-slinky", "14,44,68,77", "20,14", "600x320"),
    Figure::new("barzel-21-lasso", "25,62,77,110", "camera", "600x340"),
    Figure::plot(
        "kass-01-frequency",
        &["aerial.swing.hertz", "aerial.swing"],
        &["--stack", "--show", "around"],
        "900x420",
    ),
    Figure::plot(
        "kass-02-equilibrium",
        &["moved.swing", "passive.swing", "edited.swing"],
        &["--stack", "--show", "around"],
        "900x520",
    ),
    Figure::plot("kass-03-response", &["complex.swing"], &["--response", "--stack"], "900x520"),
    Figure::plot(
        "kass-04-complex",
        &["rein.swing"],
        &["--show", "around,imaginary,phase"],
        "900x420",
    ),
    Figure::plot(
        "kass-05-stretch",
        &["near.swing", "far.swing"],
        &["--stack", "--show", "around"],
        "900x420",
    ),
    Figure::new("kass-06-tail", "58,62,66,70,74,78", "camera", "400x300"),
    Figure::new("kass-07-belly", "24,27,30,33", "camera", "500x225"),
    Figure::new("kass-08-mode", "36,42", "camera strip", "760x230"),
    Figure::new("kass-hula", "61,64,67,70,73,76,79,82", "camera", "300x300"),
    Figure::new("tuzel-swung", "1,36,46,71,81,96,106,116", "camera", "300x260"),
    Figure::new("tuzel-dropped", "18,26,31,36,42,60", "camera", "330x230"),
    Figure::new("tuzel-pins", "1,19,50,69,88,100", "camera", "330x220"),
    Figure::new("tuzel-dragged", "12,43,67,85,91,120", "camera", "400x240"),
    Figure::new("tuzel-whip", "9,12,14,16,17,18", "camera", "480x210"),
    Figure::new("tuzel-weight", "1,20,25,37,49,61", "camera", "400x250"),
    Figure::new("tuzel-bungee", "12,20,26,34,42,49,55,71,86,101", "camera", "240x320"),
    Figure::new("tuzel-materials", "9,65,105", "camera strip", "1200x240"),
    Figure::new("tuzel-curtain", "24,33,41,68,78,86", "camera", "320x230"),
    Figure::new("tuzel-published", "1,22,36,50,64,110", "camera", "400x240"),
    Figure::new("rung-06a-boxes", "1,36,60,84,108,144", "camera", "400x260"),
    Figure::new("rung-06b-loop", "24,48,70,78,84,96", "camera", "400x230"),
    Figure::new("rung-06c-coil", "44,62,68,76,84,96", "camera", "400x200"),
    Figure::new("rung-06d-rigidity", "1,24,40,60", "camera", "440x240"),
    Figure::new("rung-07a-rupture", "20,24,35,46,57,84", "camera", "400x260"),
    Figure::new("rung-07b-modulus", "18,20,31,46,61,84", "camera", "400x260"),
    Figure::new("rung-07c-torsion", "30,38,53,70,86,96", "camera", "400x260"),
    Figure {
        flags: &[
            "--caption",
            "pulled little, far; wrung little, far",
            "--caption",
            "pulled and twisted",
            "--caption",
            "before the release",
            "--caption",
            "released",
        ],
        ..Figure::new("rung-08-set", "1,30,47,84", "camera", "480x260")
    },
    Figure::new("rung-09-flick", "12,14,15,16,18,22", "camera", "360x260"),
    Figure::new("rung-10-bridge", "1,14,19,35,43,46,50,58,100", "camera", "360x260"),
    Figure::game("rung-11-game", &["twist", "--auto", "--skill", "0.9", "--seed", "1"]),
    Figure::new("edge-taut", "20", "camera", "560x460"),
    Figure::new("edge-vertical", "13", "camera", "800x360"),
    Figure::new("edge-floor", "45", "camera strip", "1200x286"),
    Figure::new("edge-length", "25", "camera strip", "1200x324"),
    Figure::new("edge-compression", "1", "camera", "700x480"),
    Figure::new("edge-pincers", "13", "camera", "600x480"),
    Figure::new("edge-sag", "24", "camera strip", "1200x364"),
    Figure::new("edge-wire", "1,25", "camera strip", "760x200"),
    Figure::new("edge-frames", "72", "camera", "640x400"),
    Figure::new("edge-few-points", "1", "camera", "640x400"),
    Figure { body: Some("ten-kilometres"), ..Figure::new("edge-scale", "1", "23,17", "640x360") },
    Figure::new("edge-time", "-4,6,14,26", "camera", "400x260"),
    Figure::new("clamp-solids", "60", "camera strip", "1200x332"),
    Figure::new("clamp-ground", "66", "camera", "800x450"),
    Figure::new("layer-envelopes", "1", "camera", "640x400"),
    Figure::new("layer-humps", "22,30,36,40", "camera", "560x270"),
    Figure::new("layer-jiggle", "16,20,24,28", "camera", "400x300"),
    Figure::new("layer-noise", "40", "camera", "640x400"),
    Figure::new("layer-twist", "48", "camera", "640x480"),
    Figure::new("attach-chain", "19", "camera", "640x480"),
    Figure::new("compound-lead", "30", "camera", "800x450"),
    Figure::new("solid-swing", "7", "20,12", "640x480"),
    Figure::new("string-lines", "1,8,12,16,24,72", "camera", "330x260"),
    Figure::new("jump-rope-double-dutch", "1,4,9,14", "18,10", "480x270"),
    Figure::new("keys-extend", "13,25,49,80", "camera strip", "600x206"),
    Figure::new("keys-tangents", "15,31,50,68", "camera", "480x300"),
    Figure::plot(
        "wiggle-few-keys",
        &["by-hand.bends[0].angle", "by-spring.bends[0].angle"],
        &["--stack", "--show", "around"],
        "900x420",
    ),
    Figure::new("wiggle-follow", "20,24,28,32", "55,16", "400x260"),
    Figure::new("wiggle-loop", "1,8,14,20", "20,14", "400x260"),
    Figure::new("camera-travel", "1,60,96,110", "camera", "480x280"),
    Figure::new("look-materials", "1", "6,8", "1200x480"),
    Figure::new("look-torn", "1", "camera", "1200x420"),
    Figure::new("ship-rigging", "40", "camera", "1280x720"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_can_be_drawn() {
        for figure in FIGURES {
            let name = figure.scene;
            if let Some(words) = figure.game {
                assert!(words.contains(&"--auto"), "{name}: --auto is missing");
                continue;
            }
            let whole = |word: &str| word.parse::<i64>().is_ok();
            let size: Vec<u32> = figure.size.split('x').flat_map(str::parse).collect();
            let [width, height] = size[..] else { panic!("{name}: size {}", figure.size) };
            assert!((200..=1280).contains(&width) && (200..=720).contains(&height), "{name}");
            if let Some(Curves { channels, flags }) = figure.plot {
                assert!(!channels.is_empty() && !flags.contains(&"--channel"), "{name}");
                assert!(figure.frames.is_empty() && figure.view.is_empty(), "{name}");
                continue;
            }
            assert!(figure.frames.split(',').all(whole), "{name}: frames {}", figure.frames);
            let angles = figure.view.split(',').filter(|word| whole(word)).count();
            let own = figure.view.starts_with("camera");
            assert!(angles == 2 || own, "{name}: view {}", figure.view);
        }
    }

    #[test]
    fn the_check_is_of_rows_that_exist() {
        for name in CHECKED {
            assert!(FIGURES.iter().any(|figure| figure.scene == *name), "{name}");
        }
    }
}
