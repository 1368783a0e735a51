//! Modes of recorded motion: shapes that swing, driven by curves that people key.
//!
//! A `.modes` file holds what `lariat modes` found in a recording. A mesh takes modes from such
//! files; a `shape` is itself what was recorded.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    common::{HEMP, ORIGIN, ROTATION, VISIBLE, colour, look, size},
    document::NAME,
    table::fields,
    wave::ON,
};

/// Which parts of a file, if not all of them.
const PART: Field = Field::new(
    "part",
    Kind::Text,
    "Which part of the file, by its name or the beginning of it up to a `/`; all of them if not given.",
);

/// Whether the points of a mesh show a field.
pub(super) const PAINTED: Field = Field::new(
    "painted",
    Kind::Switch,
    "Whether the mesh shows it instead of its own colour: the hue of a point is how late it moves, its saturation how far.",
)
.preset(Preset::Switch(false));

/// A mode and what drives it.
pub static MODE: Family = Family {
    noun: "mode",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "mode",
        help: "One mode of a recorded motion: every point swings as far as it did there, and as late, driven by a curve.",
        fields: fields![&[
            Field::new(
                "file",
                Kind::File,
                "The file of modes, as seen from the document; that of the body if it has one.",
            ),
            PART,
            Field::new("mode", Kind::Integer, "Which mode of the file; 1 is the most important.")
                .range(Range::at_least(1.0))
                .number(1.0),
            Field::new(
                "drive",
                Kind::Scalar(Unit::Metres),
                "What drives it, in metres of the point that moves farthest: mostly a wiggle around 0, or what follows one. What has no phase moves all points at once.",
            )
            .keyed()
            .required(),
            Field::new("gain", Kind::Scalar(Unit::Number), "How much of it; negative is mirrored.")
                .keyed()
                .number(1.0),
            Field::new(
                "lag",
                Kind::Scalar(Unit::Degrees),
                "How far the mode is behind its drive: 360 is one swing; negative is ahead.",
            )
            .keyed()
            .number(0.0),
            Field::new(
                "slosh",
                Kind::Scalar(Unit::Number),
                "How fluid it looks: 0 stiff, all at once; 1 as recorded; 2.3 sloshy.",
            )
            .range(Range::NOT_NEGATIVE)
            .keyed()
            .number(1.0),
            ON,
            PAINTED,
        ]],
        one_of: &[],
    }],
};

/// The modes of a body.
pub(super) const MODES: Field = Field::new(
    "modes",
    Kind::Records(&MODE),
    "Modes of recorded motion that move its points; their pushes add up.",
)
.preset(Preset::Empty);

/// Recorded ropes or a recorded mesh.
pub(super) static SHAPE: RecordType =
    RecordType {
        name: "shape",
        help: "What was recorded, moved by its modes: ropes, or a mesh.",
        fields: fields![&[
            NAME,
            Field::new(
                "file",
                Kind::File,
                "A file of modes, as seen from the document; `lariat modes` writes one.",
            )
            .required(),
            PART,
            MODES,
            Field::new(
                "position",
                Kind::Vector(Unit::Metres),
                "Where the origin of the recording is.",
            )
            .keyed()
            .preset(ORIGIN),
            ROTATION,
            size("How many times as large as recorded."),
            Field::new(
                "radius",
                Kind::Scalar(Unit::Metres),
                "Half the thickness of its ropes, whatever the size.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .preset(Preset::Computed("as recorded times `size`, or else 0.01 m")),
            Field {
                preset: Preset::Computed("as recorded, or else \"rope\", \"plain\" for a mesh"),
                ..look("rope")
            },
            Field { preset: Preset::Computed("as recorded"), ..colour(HEMP) },
            VISIBLE,
        ]],
        one_of: &[],
    };
