//! Parameters that all ropes share: how thick, of what, how many points, what lies on top. Meshes
//! share what they are made of.

use super::{Choice, Field, Kind, LAYER, Preset, Range, Unit, document::NAME, dynamics};

/// The point at nought.
pub(super) const ORIGIN: Preset = Preset::Numbers(&[0.0, 0.0, 0.0]);

/// Hemp, linear.
pub(super) const HEMP: &[f64] = &[0.45, 0.29, 0.13];
/// Steel, linear.
pub(super) const STEEL: &[f64] = &[0.52, 0.53, 0.55];
/// Black rubber, linear.
pub(super) const RUBBER: &[f64] = &[0.02, 0.02, 0.022];
/// Brown leather, linear.
pub(super) const LEATHER: &[f64] = &[0.17, 0.075, 0.03];

/// What a body looks like, whatever its shape.
pub(super) struct Looks {
    pub(super) radius: f64,
    pub(super) look: &'static str,
    pub(super) colour: &'static [f64],
    pub(super) profile: &'static str,
    /// How it tapers unless told, in words.
    pub(super) taper: &'static str,
}

/// No taper.
pub(super) const EVEN: &str = "1 everywhere";

/// The parameters of every body, with the defaults of one kind of rope.
pub(super) const fn common(looks: &Looks) -> [Field; 15] {
    [
        NAME,
        Field::new("radius", Kind::Scalar(Unit::Metres), "Half the thickness of the rope.")
            .range(Range::POSITIVE)
            .keyed()
            .number(looks.radius),
        Field::new(
            "taper",
            Kind::Along(Unit::Number),
            "How the radius changes along the rope, as factors: `[[0, 1], [1, 0.3]]`.",
        )
        .range(Range::NOT_NEGATIVE)
        .preset(Preset::Computed(looks.taper)),
        Field::new(
            "twist",
            Kind::Scalar(Unit::Turns),
            "How often the rope is turned about itself from start to end.",
        )
        .keyed()
        .number(0.0),
        Field::new(
            "profile",
            Kind::Outline,
            "The cross-section: \"round\", \"flat\", or points `[[x, y], …]` in units of the radius.",
        )
        .preset(Preset::Text(looks.profile)),
        Field::new("width", Kind::Scalar(Unit::Metres), "Width of a flat profile.")
            .range(Range::POSITIVE)
            .keyed()
            .number(0.04),
        Field::new("thickness", Kind::Scalar(Unit::Metres), "Thickness of a flat profile.")
            .range(Range::POSITIVE)
            .keyed()
            .number(0.003),
        look(looks.look),
        colour(looks.colour),
        Field::new(
            "frayed",
            Kind::Choice(&[
                Choice { name: "start", help: "The start, where `from` is." },
                Choice { name: "end", help: "The far end." },
                Choice { name: "both", help: "Both ends." },
            ]),
            "Which ends are torn off and frayed; none if not given.",
        ),
        VISIBLE,
        Field::new(
            "floor",
            Kind::Scalar(Unit::Metres),
            "Height of the floor that the rope stays above; no floor if not given.",
        )
        .keyed(),
        Field::new(
            "layers",
            Kind::Records(&LAYER),
            "Further changes of shape, in order, on top of the model's own.",
        )
        .preset(Preset::Empty),
        Field::new(
            "frames",
            Kind::Choice(&[
                Choice {
                    name: "rotation-minimising",
                    help: "Sideways is carried along and turns only as the rope turns.",
                },
                Choice { name: "fixed", help: "Sideways is measured from the world's Z axis." },
                Choice {
                    name: "frenet",
                    help: "Sideways is towards the inside of the bend; flips where the bend changes side.",
                },
            ]),
            "How sideways is chosen for the cross-section; waves always ride on the carried frame.",
        )
        .preset(Preset::Text("rotation-minimising")),
        dynamics::FIELD,
    ]
}

/// Parameters of a body that say only what it looks like: no motion feels them.
pub const LOOKS: [&str; 5] = ["look", "colour", "color", "visible", "frayed"];

/// Appearance of a body.
pub(super) const fn look(default: &'static str) -> Field {
    Field::new("look", Kind::Text, "Appearance, by name: `rope`, `steel`, `leather`, …; `lariat explain look` lists all names.")
        .preset(Preset::Text(default))
}

/// The colour of a body.
pub(super) const fn colour(default: &'static [f64]) -> Field {
    Field::new(
        "colour",
        Kind::Colour,
        "Its colour: `[r, g, b]` linear in 0–1, or \"#rrggbb\"; unless given, that of its look.",
    )
    .plain(&["color"])
    .range(Range::NOT_NEGATIVE)
    .keyed()
    .preset(Preset::Numbers(default))
}

/// Whether a body is drawn.
pub(super) const VISIBLE: Field = Field::new("visible", Kind::Switch, "Whether it is drawn.")
    .keyed()
    .preset(Preset::Switch(true));

/// How many points the body has.
pub(super) const fn samples(default: f64) -> Field {
    Field::new("samples", Kind::Integer, "Number of points along the rope.")
        .range(Range::at_least(2.0))
        .number(default)
}

/// An end that is held.
pub(super) const fn anchor(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Kind::Anchor, help).keyed().required()
}

/// Whether waves use up slack instead of growing the rope.
pub(super) const KEEP_LENGTH: Field = Field::new(
    "keep-length",
    Kind::Switch,
    "Whether waves, swing and clamping use up slack instead of making the rope longer.",
)
.keyed()
.preset(Preset::Switch(true));

/// Leaning of a rope that hangs between two points.
pub(super) const SWING: [Field; 3] = [
    Field::new("swing", Kind::Scalar(Unit::Degrees), "Swings the sag from side to side.")
        .keyed()
        .number(0.0),
    Field::new("sway", Kind::Scalar(Unit::Degrees), "Sways the sag back and forth.")
        .keyed()
        .number(0.0),
    Field::new(
        "axes",
        Kind::Choice(&[
            Choice { name: "world", help: "Swing about the world's X, sway about its Y." },
            Choice { name: "chord", help: "Swing about the line between the ends." },
        ]),
        "About which axes swing and sway turn.",
    )
    .preset(Preset::Text("world")),
];

/// How a sag is turned into a length.
pub(super) const SAG_FORM: Field = Field::new(
    "sag-form",
    Kind::Choice(&[
        Choice {
            name: "published",
            help: "The triangle of the paper; the dip is 0.87 to 1 of it.",
        },
        Choice { name: "true", help: "The rope dips by exactly that much between level ends." },
    ]),
    "What `sag` means.",
)
.preset(Preset::Text("published"));

/// How a body from a file is turned.
pub(super) const ROTATION: Field = Field::new(
    "rotation",
    Kind::Vector(Unit::Degrees),
    "How it is turned, about X, then Y, then Z of the world.",
)
.keyed()
.preset(ORIGIN);

/// How large a body from a file is.
pub(super) const fn size(help: &'static str) -> Field {
    Field::new("size", Kind::Scalar(Unit::Number), help).range(Range::POSITIVE).keyed().number(1.0)
}
