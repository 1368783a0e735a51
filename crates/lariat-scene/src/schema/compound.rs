//! Closed and compound bodies: hoop, lasso, compound.

use super::{
    Field, Kind, Preset, Range, RecordType, Unit, WAVE,
    common::{EVEN, HEMP, KEEP_LENGTH, Looks, SWING, anchor, common, samples},
    loose::{BENDS, ENV},
    suspended::{LENGTH, WAVES},
    table::fields,
};

const ROPE: Looks =
    Looks { radius: 0.01, look: "rope", colour: HEMP, profile: "round", taper: EVEN };

/// A ring of rope.
const RING: [Field; 5] = [
    anchor("centre", "Centre of the hoop."),
    Field::new("hoop-radius", Kind::Scalar(Unit::Metres), "Radius of the hoop, in metres.")
        .range(Range::POSITIVE)
        .keyed()
        .number(0.5),
    Field::new("tilt", Kind::Scalar(Unit::Degrees), "Tilt from the horizontal, in degrees.")
        .keyed()
        .number(0.0),
    Field::new(
        "tilt-azimuth",
        Kind::Scalar(Unit::Degrees),
        "Direction of the tilt, in degrees about the vertical from the X axis.",
    )
    .plain(&["tilt-direction"])
    .keyed()
    .number(0.0),
    Field::new(
        "twirl",
        Kind::Scalar(Unit::Degrees),
        "Rotation of the hoop about its centre, in degrees; key it to twirl the hoop.",
    )
    .keyed()
    .number(0.0),
];

const fn waves(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Kind::Records(&WAVE), help).preset(Preset::Empty)
}

/// A closed ring.
pub(super) static HOOP: RecordType = RecordType {
    name: "hoop",
    help: "A closed ring of rope that tilts and twirls.",
    fields: fields![&common(&ROPE), &[samples(65.0)], &RING, &[WAVES]],
    one_of: &[],
};

/// Hoop, span and tail.
pub(super) static LASSO: RecordType = RecordType {
    name: "lasso",
    help: "A lasso: a twirling hoop, a span of rope from its knot to the hand, and a loose tail beyond the hand, all one rope.",
    fields: fields![
        &common(&ROPE),
        &[samples(145.0)],
        &RING,
        &[
            waves("hoop-waves", "Waves around the hoop."),
            anchor("hand", "Point at which the rope is held."),
            Field::new(
                "length",
                LENGTH.kind,
                "Length of the rope from the knot to its free end, span and tail together, in metres.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .required(),
            Field::new(
                "span-length",
                Kind::Scalar(Unit::Metres),
                "Length of the span between the knot and the hand, in metres; part of `length`.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .required(),
        ],
        &SWING,
        &[
            waves("span-waves", "Waves along the span."),
            BENDS,
            waves("tail-waves", "Waves along the tail."),
            ENV,
            KEEP_LENGTH,
        ],
    ],
    one_of: &[],
};

/// Bodies joined end to end.
pub(super) static COMPOUND: RecordType = RecordType {
    name: "compound",
    help: "Several bodies joined end to end into one; the parts themselves are not drawn.",
    fields: fields![
        &common(&ROPE),
        &[Field::new(
            "parts",
            Kind::Bodies,
            "Names of the bodies, in the order in which they are joined."
        )
        .required()],
    ],
    one_of: &[],
};
