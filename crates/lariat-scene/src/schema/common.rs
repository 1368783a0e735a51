//! Parameters that all ropes share: thickness, look, number of points, layers. Meshes share the
//! parameters of the look.

use super::{Choice, Field, Kind, LAYER, Preset, Range, Unit, document::NAME, dynamics};

/// The origin.
pub(super) const ORIGIN: Preset = Preset::Numbers(&[0.0, 0.0, 0.0]);

/// Hemp, linear.
pub(super) const HEMP: &[f64] = &[0.45, 0.29, 0.13];
/// Steel, linear.
pub(super) const STEEL: &[f64] = &[0.52, 0.53, 0.55];
/// Black rubber, linear.
pub(super) const RUBBER: &[f64] = &[0.02, 0.02, 0.022];
/// Brown leather, linear.
pub(super) const LEATHER: &[f64] = &[0.17, 0.075, 0.03];

/// Defaults of the parameters that all ropes share.
pub(super) struct Looks {
    pub(super) radius: f64,
    pub(super) look: &'static str,
    pub(super) colour: &'static [f64],
    pub(super) profile: &'static str,
    /// Default taper, in words.
    pub(super) taper: &'static str,
}

/// No taper.
pub(super) const EVEN: &str = "1 everywhere";

/// Parameters of every rope, with the defaults of one model.
pub(super) const fn common(looks: &Looks) -> [Field; 15] {
    [
        NAME,
        Field::new(
            "radius",
            Kind::Scalar(Unit::Metres),
            "Radius of the rope, half its thickness, in metres.",
        )
        .range(Range::POSITIVE)
        .keyed()
        .number(looks.radius),
        Field::new(
            "taper",
            Kind::Along(Unit::Number),
            "Factors on the radius along the rope, as `[[u, factor], …]`: `[[0, 1], [1, 0.3]]` narrows it to 30 % at its end.",
        )
        .range(Range::NOT_NEGATIVE)
        .preset(Preset::Computed(looks.taper)),
        Field::new(
            "twist",
            Kind::Scalar(Unit::Turns),
            "Number of turns of the cross-section from start to end.",
        )
        .keyed()
        .number(0.0),
        Field::new(
            "profile",
            Kind::Outline,
            "Cross-section: \"round\", \"flat\", or the corners `[[x, y], …]` of an outline, in units of the radius.",
        )
        .preset(Preset::Text(looks.profile)),
        Field::new("width", Kind::Scalar(Unit::Metres), "Width of a flat profile, in metres.")
            .range(Range::POSITIVE)
            .keyed()
            .number(0.04),
        Field::new(
            "thickness",
            Kind::Scalar(Unit::Metres),
            "Thickness of a flat profile, in metres.",
        )
        .range(Range::POSITIVE)
        .keyed()
        .number(0.003),
        look(looks.look),
        colour(looks.colour),
        Field::new(
            "frayed",
            Kind::Choice(&[
                Choice { name: "start", help: "The start of the rope, at `from`." },
                Choice { name: "end", help: "The end of the rope." },
                Choice { name: "both", help: "Both ends." },
            ]),
            "Ends that are drawn torn and frayed; if not set, none.",
        ),
        VISIBLE,
        Field::new(
            "floor",
            Kind::Scalar(Unit::Metres),
            "Height of the floor that the rope stays above, in metres; if not set, there is no floor.",
        )
        .keyed(),
        Field::new(
            "layers",
            Kind::Records(&LAYER),
            "Further changes of shape, applied in order after those of the model.",
        )
        .preset(Preset::Empty),
        Field::new(
            "frames",
            Kind::Choice(&[
                Choice {
                    name: "rotation-minimising",
                    help: "It turns as little as possible along the rope.",
                },
                Choice { name: "fixed", help: "It is measured from the world's Z axis." },
                Choice {
                    name: "frenet",
                    help: "It points to the inside of the bend, and flips where the bend changes sides.",
                },
            ]),
            "Orientation of the cross-section along the rope; waves always use \"rotation-minimising\".",
        )
        .preset(Preset::Text("rotation-minimising")),
        dynamics::FIELD,
    ]
}

/// Parameters of a body that change only its look, not its motion.
pub const LOOKS: [&str; 5] = ["look", "colour", "color", "visible", "frayed"];

/// Appearance of a body.
pub(super) const fn look(default: &'static str) -> Field {
    Field::new(
        "look",
        Kind::Text,
        "Name of its appearance: `rope`, `steel`, `leather`, …; `lariat explain look` lists all of them.",
    )
    .preset(Preset::Text(default))
}

/// Colour of a body.
pub(super) const fn colour(default: &'static [f64]) -> Field {
    Field::new(
        "colour",
        Kind::Colour,
        "Colour: `[r, g, b]` with linear components from 0 to 1, or \"#rrggbb\"; if not set, the colour of the look.",
    )
    .plain(&["color"])
    .range(Range::NOT_NEGATIVE)
    .keyed()
    .preset(Preset::Numbers(default))
}

/// Whether a body is drawn.
pub(super) const VISIBLE: Field = Field::new("visible", Kind::Switch, "Whether the body is drawn.")
    .keyed()
    .preset(Preset::Switch(true));

/// Number of points of a body.
pub(super) const fn samples(default: f64) -> Field {
    Field::new("samples", Kind::Integer, "Number of points along the rope.")
        .range(Range::at_least(2.0))
        .number(default)
}

/// Point at which a body is held.
pub(super) const fn anchor(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Kind::Anchor, help).keyed().required()
}

/// Whether waves use up slack instead of lengthening the rope.
pub(super) const KEEP_LENGTH: Field = Field::new(
    "keep-length",
    Kind::Switch,
    "Whether waves, swing and clamping take up slack instead of lengthening the rope.",
)
.keyed()
.preset(Preset::Switch(true));

/// Rotation of the sag of a rope between two points.
pub(super) const SWING: [Field; 3] = [
    Field::new(
        "swing",
        Kind::Scalar(Unit::Degrees),
        "Angle by which the sag swings from side to side, in degrees.",
    )
    .keyed()
    .number(0.0),
    Field::new(
        "sway",
        Kind::Scalar(Unit::Degrees),
        "Angle by which the sag sways back and forth, in degrees.",
    )
    .keyed()
    .number(0.0),
    Field::new(
        "axes",
        Kind::Choice(&[
            Choice {
                name: "world",
                help: "Swing about the world's X axis, sway about its Y axis.",
            },
            Choice { name: "chord", help: "Swing about the line between the ends." },
        ]),
        "Axes about which `swing` and `sway` turn.",
    )
    .preset(Preset::Text("world")),
];

/// Definition of the sag of a rope.
pub(super) const SAG_FORM: Field = Field::new(
    "sag-form",
    Kind::Choice(&[
        Choice {
            name: "published",
            help: "As in the paper, by a triangle; the actual dip is 0.87 to 1 times `sag`.",
        },
        Choice { name: "true", help: "The rope dips by exactly `sag` between level ends." },
    ]),
    "Definition of `sag`.",
)
.preset(Preset::Text("published"));

/// Rotation of a body.
pub(super) const ROTATION: Field = Field::new(
    "rotation",
    Kind::Vector(Unit::Degrees),
    "Rotation in degrees about the world's X, then Y, then Z axis.",
)
.keyed()
.preset(ORIGIN);

/// Scale of a body from a file.
pub(super) const fn size(help: &'static str) -> Field {
    Field::new("size", Kind::Scalar(Unit::Number), help).range(Range::POSITIVE).keyed().number(1.0)
}
