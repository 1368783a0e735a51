//! Bodies put together of others: hoop, lasso, compound.

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
    anchor("centre", "The middle of the hoop."),
    Field::new("hoop-radius", Kind::Scalar(Unit::Metres), "How wide the hoop is, from its middle.")
        .range(Range::POSITIVE)
        .keyed()
        .number(0.5),
    Field::new("tilt", Kind::Scalar(Unit::Degrees), "How far the hoop leans from lying flat.")
        .keyed()
        .number(0.0),
    Field::new(
        "tilt-azimuth",
        Kind::Scalar(Unit::Degrees),
        "Which way it leans, turned about the vertical from X.",
    )
    .plain(&["tilt-direction"])
    .keyed()
    .number(0.0),
    Field::new(
        "twirl",
        Kind::Scalar(Unit::Degrees),
        "How far the hoop has turned about its own middle; key it to twirl.",
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
    help: "A lasso: a twirling hoop, a span of rope from its knot to the hand, and a loose tail beyond the hand, all of one rope.",
    fields: fields![
        &common(&ROPE),
        &[samples(145.0)],
        &RING,
        &[
            waves("hoop-waves", "Waves around the hoop."),
            anchor("hand", "Where the rope is held."),
            Field::new(
                "length",
                LENGTH.kind,
                "How long the rope is from the knot to its free end: span and tail together.",
            )
            .range(Range::POSITIVE)
            .keyed()
            .required(),
            Field::new(
                "span-length",
                Kind::Scalar(Unit::Metres),
                "How much of that length hangs between the knot and the hand.",
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
    help: "Several bodies joined end to end into one; the parts are then not drawn themselves.",
    fields: fields![
        &common(&ROPE),
        &[Field::new("parts", Kind::Bodies, "Names of the bodies, in the order they are joined.")
            .required()],
    ],
    one_of: &[],
};
