//! Table of recipes: short documents that are made to be changed.
//!
//! A recipe is a file, `recipes/NAME.lariat`, with a page of the same name in the guide. The rope
//! comes first in it, the scenery after. Three comments suggest a change: `# Try: sag = 1.1` stands
//! above the line that it replaces.
//!
//! Tests: `museum/tests/suite/recipes.rs`.

/// One recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// File name without its extension; the argument of `lariat new --recipe`.
    pub name: &'static str,
    /// Short description.
    pub title: &'static str,
    /// Subject of the recipe, in one sentence.
    pub teaches: &'static str,
    /// Whether the frame after the last one is the first one again.
    pub loops: bool,
    /// Files that the recipe comes with, by their names in [`FILES`](crate::FILES).
    pub files: &'static [&'static str],
    /// Text of the document.
    pub text: &'static str,
}

/// Prefix of the comments that suggest a change.
const SUGGESTION: &str = "# Try: ";

impl Recipe {
    /// Suggested changes: each line without the prefix of the comment, and the document in which
    /// it replaces the line below the comment.
    pub fn suggestions(&self) -> Vec<(&'static str, String)> {
        let lines: Vec<&'static str> = self.text.lines().collect();
        let with = |at: usize, line: &'static str| {
            let below = lines.iter().skip(at + 2);
            let changed: Vec<&str> =
                lines[..at].iter().chain([&line]).chain(below).copied().collect();
            (line, changed.join("\n") + "\n")
        };
        let suggested =
            |(at, line): (usize, &&'static str)| Some(with(at, line.strip_prefix(SUGGESTION)?));
        lines.iter().enumerate().filter_map(suggested).collect()
    }
}

/// Returns the recipe with this name.
pub fn recipe(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.name == name)
}

/// Every recipe, in the order of the guide.
pub const RECIPES: &[Recipe] = &[
    Recipe {
        name: "party-lights",
        title: "Party lights in front of a fence",
        teaches: "A string of lights: sag, a swing from three keys, ripples, and bulbs.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/party-lights.lariat"),
    },
    Recipe {
        name: "dog-tail",
        title: "A dog wags its tail",
        teaches: "A tail that follows one wiggle, each part a little later than the one before.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/dog-tail.lariat"),
    },
    Recipe {
        name: "telephone-cord",
        title: "The cord of a telephone on the wall",
        teaches: "A coiled cord between a fixed and a moving end, with a sag that overshoots.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/telephone-cord.lariat"),
    },
    Recipe {
        name: "rope-snaps",
        title: "A rope snaps under a falling ball",
        teaches: "A simulated rope with a load, and a strength at which it tears.",
        loops: false,
        files: &[],
        text: include_str!("../recipes/rope-snaps.lariat"),
    },
    Recipe {
        name: "hanging-sign",
        title: "A sign swings in the wind",
        teaches: "Wind and gusts that move a simulated board on two ropes.",
        loops: false,
        files: &[],
        text: include_str!("../recipes/hanging-sign.lariat"),
    },
    Recipe {
        name: "rope-bridge",
        title: "A barrel rolls over a rope bridge",
        teaches: "A pulse that moves along a rope, and a body that is attached to that rope.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/rope-bridge.lariat"),
    },
    Recipe {
        name: "looping-spring",
        title: "A jack-in-the-box for a game",
        teaches: "A spring with running coils in a loop that closes exactly.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/looping-spring.lariat"),
    },
    Recipe {
        name: "lasso",
        title: "A lasso is swung overhead",
        teaches: "The parts of a lasso: hoop, span, hand and tail, in one turn that repeats.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/lasso.lariat"),
    },
    Recipe {
        name: "jump-rope",
        title: "A ball jumps over a jump rope",
        teaches: "A rope that turns about the line between its ends, and timing to the frame.",
        loops: true,
        files: &[],
        text: include_str!("../recipes/jump-rope.lariat"),
    },
    Recipe {
        name: "ship-rigging-roll",
        title: "A small ship rolls in the swell",
        teaches: "Many ropes on one locator: one keyed rotation moves the whole rigging.",
        loops: true,
        files: &["boat.obj"],
        text: include_str!("../recipes/ship-rigging-roll.lariat"),
    },
    Recipe {
        name: "jiggling-belly",
        title: "A penguin's belly jiggles",
        teaches: "A mesh whose points follow one wiggle, by formulas for amplitude and lag.",
        loops: true,
        files: &["penguin.obj", "penguin-front.obj"],
        text: include_str!("../recipes/jiggling-belly.lariat"),
    },
    Recipe {
        name: "learned-motion",
        title: "Reeds move as a recorded one did",
        teaches: "A mode that `lariat modes` extracted from a recording, driven by new curves.",
        loops: true,
        files: &["reed.csv", "reed.modes"],
        text: include_str!("../recipes/learned-motion.lariat"),
    },
];
