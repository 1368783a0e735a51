//! Topics: the scenes and recipes that teach one subject.
//!
//! A scene may be in several topics. `lariat museum list --topic NAME` lists those of one.
//!
//! Tests: `every_scene_and_recipe_has_a_topic`, `every_topic_has_several_scenes` in
//! `museum/tests/suite/recipes.rs`.

/// One topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// One word; the argument of `lariat museum list --topic`.
    pub name: &'static str,
    /// Subject of the topic, in a few words.
    pub about: &'static str,
    /// Names of its recipes and scenes, in the order of their tables.
    pub scenes: &'static [&'static str],
}

/// Returns the topics of a scene or a recipe.
pub fn topics_of(name: &str) -> impl Iterator<Item = &'static Topic> {
    TOPICS.iter().filter(move |topic| topic.scenes.contains(&name))
}

/// Every topic, from first steps to limits.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "hanging",
        about: "ropes that hang between two points: length, sag, swing",
        scenes: &[
            "party-lights",
            "ship-rigging-roll",
            "barzel-02-suspended",
            "barzel-17-lights",
            "barzel-19-microphone",
            "solid-swing",
            "ship-rigging",
        ],
    },
    Topic {
        name: "waves",
        about: "ripples, pulses and noise that run along a rope",
        scenes: &[
            "party-lights",
            "telephone-cord",
            "rope-bridge",
            "barzel-03-magnitude",
            "barzel-04-frequency",
            "barzel-05-phase",
            "barzel-06-azimuth",
            "barzel-17-lights",
            "layer-envelopes",
            "layer-humps",
            "layer-noise",
        ],
    },
    Topic {
        name: "loose",
        about: "ropes with a free end: bends, tails, straps, lassos, jump ropes",
        scenes: &[
            "dog-tail",
            "lasso",
            "jump-rope",
            "barzel-08-loose",
            "barzel-16-lasso",
            "barzel-18-strap",
            "barzel-21-lasso",
            "kass-06-tail",
            "jump-rope-double-dutch",
        ],
    },
    Topic {
        name: "coils",
        about: "coiled cords, springs and Slinkys",
        scenes: &[
            "telephone-cord",
            "looping-spring",
            "barzel-10-coiled-cord",
            "barzel-13-spring",
            "barzel-19-microphone",
            "barzel-20-slinky",
            "edge-compression",
            "edge-pincers",
            "edge-wire",
        ],
    },
    Topic {
        name: "keys",
        about: "timing by keys: tangents, easing, cycles",
        scenes: &[
            "rope-bridge",
            "jump-rope",
            "barzel-17-lights",
            "barzel-18-strap",
            "barzel-20-slinky",
            "barzel-21-lasso",
            "keys-extend",
            "keys-tangents",
        ],
    },
    Topic {
        name: "wiggle",
        about: "springs that pass through keys",
        scenes: &[
            "dog-tail",
            "looping-spring",
            "kass-01-frequency",
            "kass-02-equilibrium",
            "kass-03-response",
            "kass-04-complex",
            "kass-05-stretch",
            "wiggle-few-keys",
            "wiggle-loop",
        ],
    },
    Topic {
        name: "overlap",
        about: "parts that follow each other later: follow, lag, jiggle",
        scenes: &[
            "dog-tail",
            "jiggling-belly",
            "learned-motion",
            "barzel-19-microphone",
            "kass-04-complex",
            "kass-06-tail",
            "kass-07-belly",
            "layer-jiggle",
            "wiggle-follow",
            "wiggle-loop",
        ],
    },
    Topic {
        name: "modes",
        about: "motion learned from recordings, and meshes that move",
        scenes: &["jiggling-belly", "learned-motion", "kass-07-belly", "kass-08-mode", "kass-hula"],
    },
    Topic {
        name: "attachments",
        about: "locators, bodies on bodies, compounds, solids",
        scenes: &[
            "rope-bridge",
            "lasso",
            "ship-rigging-roll",
            "barzel-16-lasso",
            "attach-chain",
            "compound-lead",
            "solid-swing",
            "ship-rigging",
        ],
    },
    Topic {
        name: "simulation",
        about: "ropes, strings and solids that move by forces",
        scenes: &[
            "rope-snaps",
            "hanging-sign",
            "tuzel-swung",
            "tuzel-dropped",
            "tuzel-pins",
            "tuzel-dragged",
            "tuzel-whip",
            "tuzel-weight",
            "tuzel-bungee",
            "tuzel-materials",
            "tuzel-curtain",
            "tuzel-published",
            "rung-06a-boxes",
            "rung-09-flick",
            "rung-10-bridge",
            "string-lines",
        ],
    },
    Topic {
        name: "contact",
        about: "floors, colliders and friction, posed and simulated",
        scenes: &[
            "tuzel-dropped",
            "tuzel-dragged",
            "tuzel-curtain",
            "rung-06c-coil",
            "edge-floor",
            "clamp-solids",
            "clamp-ground",
            "string-lines",
        ],
    },
    Topic {
        name: "tearing",
        about: "strings that yield, snap and flick back",
        scenes: &[
            "rope-snaps",
            "rung-07a-rupture",
            "rung-07b-modulus",
            "rung-07c-torsion",
            "rung-08-set",
            "rung-09-flick",
            "rung-10-bridge",
            "look-torn",
        ],
    },
    Topic {
        name: "twist",
        about: "twist that is drawn, and twist that winds strings up",
        scenes: &[
            "rung-06a-boxes",
            "rung-06b-loop",
            "rung-06c-coil",
            "rung-06d-rigidity",
            "rung-07c-torsion",
            "edge-frames",
            "layer-twist",
        ],
    },
    Topic {
        name: "looks",
        about: "materials, colours, bulbs, torn ends and cameras",
        scenes: &[
            "party-lights",
            "barzel-17-lights",
            "tuzel-materials",
            "camera-travel",
            "look-materials",
            "look-torn",
        ],
    },
    Topic {
        name: "limits",
        about: "behaviour at the edge: no slack, steep ends, few points, large numbers",
        scenes: &[
            "edge-taut",
            "edge-vertical",
            "edge-floor",
            "edge-length",
            "edge-compression",
            "edge-pincers",
            "edge-sag",
            "edge-wire",
            "edge-frames",
            "edge-few-points",
            "edge-scale",
            "edge-time",
        ],
    },
];
