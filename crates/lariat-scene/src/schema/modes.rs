//! Modes of recorded motion, driven by keyed curves.
//!
//! A `.modes` file holds the modes that `lariat modes` found in a recording. A mesh takes modes from
//! such files; a `shape` is the recorded body itself.

use super::{
    Family, Field, Kind, Preset, Range, RecordType, Unit,
    common::{HEMP, ORIGIN, ROTATION, VISIBLE, colour, look, size},
    document::NAME,
    table::fields,
    wave::ON,
};

/// Part of a modes file.
const PART: Field = Field::new(
    "part",
    Kind::Text,
    "Part of the file, by its name or the beginning of it up to a `/`; if not set, all parts.",
);

/// Whether a mesh is coloured by a motion.
pub(super) const PAINTED: Field = Field::new(
    "painted",
    Kind::Switch,
    "Whether the mesh is coloured by this motion: the hue of a point is its lag, the saturation its amplitude.",
)
.preset(Preset::Switch(false));

/// A mode and its drive.
pub static MODE: Family = Family {
    noun: "mode",
    tag: None,
    shorthand: None,
    types: &[&RecordType {
        name: "mode",
        help: "One mode of a recorded motion, driven by a curve: every point has the amplitude and lag that it had in the recording.",
        fields: fields![&[
            Field::new(
                "file",
                Kind::File,
                "Path of the modes file, relative to the document; if not set, that of the body.",
            ),
            PART,
            Field::new("mode", Kind::Integer, "Number of the mode; 1 is the most important.")
                .range(Range::at_least(1.0))
                .number(1.0),
            Field::new(
                "drive",
                Kind::Scalar(Unit::Metres),
                "Curve that drives the mode, in metres of the point that moves farthest: usually a wiggle around 0, or a follower of one. A curve without phase moves all points at once.",
            )
            .keyed()
            .required(),
            Field::new(
                "gain",
                Kind::Scalar(Unit::Number),
                "Factor on the motion; negative values mirror it.",
            )
            .keyed()
            .number(1.0),
            Field::new(
                "lag",
                Kind::Scalar(Unit::Degrees),
                "Lag behind the drive, in degrees: 360 is one swing; negative values lead.",
            )
            .keyed()
            .number(0.0),
            Field::new(
                "slosh",
                Kind::Scalar(Unit::Number),
                "How fluid the motion looks: 0 is stiff, all points at once; 1 is as recorded; 2.3 is sloshy.",
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

/// Modes of a body.
pub(super) const MODES: Field = Field::new(
    "modes",
    Kind::Records(&MODE),
    "Modes of recorded motion that move its points; they add up.",
)
.preset(Preset::Empty);

/// Recorded ropes or a recorded mesh.
pub(super) static SHAPE: RecordType = RecordType {
    name: "shape",
    help: "Recorded ropes or a recorded mesh, moved by its modes.",
    fields: fields![&[
        NAME,
        Field::new(
            "file",
            Kind::File,
            "Path of a modes file, relative to the document; `lariat modes` writes one.",
        )
        .required(),
        PART,
        MODES,
        Field::new(
            "position",
            Kind::Vector(Unit::Metres),
            "Position of the recording's origin, in metres.",
        )
        .keyed()
        .preset(ORIGIN),
        ROTATION,
        size("Scale factor; 1 is the recorded size."),
        Field::new(
            "radius",
            Kind::Scalar(Unit::Metres),
            "Radius of its ropes, half their thickness, in metres; not scaled by `size`.",
        )
        .range(Range::POSITIVE)
        .keyed()
        .preset(Preset::Computed("recorded radius times `size`, or 0.01 m")),
        Field {
            preset: Preset::Computed("as recorded, or \"rope\", \"plain\" for a mesh"),
            ..look("rope")
        },
        Field { preset: Preset::Computed("as recorded"), ..colour(HEMP) },
        VISIBLE,
    ]],
    one_of: &[],
};
