//! Initial values of starter documents.

use std::borrow::Cow;

use lariat_scene::{
    Value, format,
    schema::{Field, Kind, Preset, RecordType},
};

/// Initial values of a model.
pub(super) struct Start {
    /// Name of the body.
    pub(super) name: &'static str,
    /// Text before the body.
    pub(super) before: &'static str,
    /// Parameters and their values, as TOML.
    pub(super) values: Vec<(&'static str, Cow<'static, str>)>,
}

/// Names of parameters and their values, as TOML.
type Values = &'static [(&'static str, &'static str)];

/// Back and forth in two seconds, cyclic.
const SWING: &str = "{ keys = [[1, 0], [13, 25], [37, -25], [49, 0]], after = \"cycle\" }";

/// Away and back in four seconds.
const STRETCH: &str =
    "{ keys = [[1, [0.5, 0, 1]], [49, [1.2, 0, 1.2]], [97, [0.5, 0, 1]]], after = \"cycle\" }";

/// The two halves of a compound.
const HALVES: &str = r#"
[[body]]
name = "near half"
model = "suspended-rope"
from = [0, 0, 2]
to = { keys = [[1, [1.5, 0, 2]], [49, [1.5, 0, 1.7]], [97, [1.5, 0, 2]]], after = "cycle" }
length = 1.8

[[body]]
name = "far half"
model = "suspended-rope"
from = { body = "near half", at = 1 }
to = [3, 0, 2]
length = 1.8
"#;

/// Model, name of the body, text before it, values.
const STARTS: &[(&str, &str, &str, Values)] = &[
    (
        "suspended-rope",
        "rope",
        "",
        &[
            ("from", "[0, 0, 2]"),
            ("to", "[3, 0, 2]"),
            ("length", "3.6"),
            ("swing", SWING),
            ("waves", "[{ height = 0.03, ripples = 3, travel = 0.5 }]"),
        ],
    ),
    (
        "jump-rope",
        "jump rope",
        "",
        &[
            ("from", "[0, 0, 1]"),
            ("to", "[3, 0, 1]"),
            ("length", "3.6"),
            (
                "turn",
                "{ keys = [[1, 0], [25, 360]], interpolation = \"linear\", after = \"cycle-offset\" }",
            ),
        ],
    ),
    (
        "string-of-lights",
        "lights",
        "",
        &[("from", "[0, 0, 2.5]"), ("to", "[4, 0, 2.5]"), ("length", "4.5"), ("swing", SWING)],
    ),
    (
        "loose-rope",
        "tail",
        "",
        &[
            ("from", "[0, 0, 2]"),
            ("length", "1.5"),
            (
                "bends",
                "[{ position = 0, length = 1, angle = { keys = [[1, -30], [25, 30], [49, -30]], after = \"cycle\" } }]",
            ),
            ("waves", "[{ height = 0.05, ripples = 1.5, travel = 0.7 }]"),
        ],
    ),
    (
        "strap",
        "strap",
        "",
        &[
            ("from", "[0, 0, 2]"),
            ("length", "1.2"),
            ("twist", "{ keys = [[1, 0], [49, 0.5], [97, 0]], after = \"cycle\" }"),
            (
                "bends",
                "[{ position = 0, length = 0.6, angle = { keys = [[1, -20], [25, 20], [49, -20]], after = \"cycle\" } }]",
            ),
        ],
    ),
    (
        "tail",
        "tail",
        "",
        &[
            ("from", "[0, 0, 1]"),
            ("direction", "[1, 0, 0]"),
            ("length", "1"),
            (
                "swing",
                "{ wiggle = [[1, 0], [12, 70], [49, 0], [60, -90], [97, 0]], hertz = 1.2, loop = true }",
            ),
            ("lag", "150"),
        ],
    ),
    (
        "coiled-cord",
        "cord",
        "",
        &[("from", "[0, 0, 1]"), ("to", STRETCH), ("sag", "0.1"), ("swing", SWING)],
    ),
    (
        "microphone-cord",
        "cord",
        "",
        &[("from", "[0, 0, 1]"), ("to", STRETCH), ("sag", "0.1"), ("swing", SWING)],
    ),
    (
        "spring",
        "spring",
        "",
        &[
            ("from", "[0, 0, 1]"),
            ("to", STRETCH),
            ("sag", "0.1"),
            ("coil-waves", "[{ tightness = 0.5, bunches = 2, travel = 0.5 }]"),
        ],
    ),
    (
        "slinky",
        "slinky",
        "",
        &[
            ("from", "[0, 0, 1]"),
            ("to", STRETCH),
            ("sag", "0.1"),
            ("coil-waves", "[{ tightness = 0.5, bunches = 2, travel = 0.5 }]"),
        ],
    ),
    (
        "hoop",
        "hoop",
        "",
        &[
            ("centre", "[0, 0, 1]"),
            ("tilt", "{ keys = [[1, 10], [25, 40], [49, 10]], after = \"cycle\" }"),
            ("waves", "[{ height = 0.03, ripples = 4, travel = 0.25 }]"),
        ],
    ),
    (
        "lasso",
        "lasso",
        "",
        &[
            ("centre", "[0, 0, 2]"),
            ("hoop-radius", "0.6"),
            ("tilt", "{ keys = [[1, 5], [25, 20], [49, 5]], after = \"cycle\" }"),
            (
                "twirl",
                "{ keys = [[1, 0], [25, 360]], interpolation = \"linear\", after = \"cycle-offset\" }",
            ),
            ("hand", "[1, 0, 1.2]"),
            ("length", "3.5"),
            ("span-length", "2"),
        ],
    ),
    (
        "solid",
        "seat",
        "",
        &[
            ("size", "[0.6, 0.2, 0.03]"),
            (
                "position",
                "{ keys = [[1, [0, -0.5, 0.6]], [13, [0, 0, 0.5]], [25, [0, 0.5, 0.6]]], after = \"ping-pong\" }",
            ),
            ("rotation", "{ keys = [[1, [-16, 0, 0]], [25, [16, 0, 0]]], after = \"ping-pong\" }"),
        ],
    ),
    (
        "mesh",
        "ball",
        "",
        &[
            ("file", "\"ball.obj\""),
            (
                "position",
                "{ keys = [[1, [0, 0, 0.5]], [13, [0.5, 0, 1.2]], [25, [1, 0, 0.5]]], after = \"cycle\" }",
            ),
            (
                "rotation",
                "{ keys = [[1, [0, 0, 0]], [25, [0, 120, 0]]], after = \"cycle-offset\" }",
            ),
        ],
    ),
    (
        "shape",
        "rope",
        "",
        &[
            ("file", "\"wave.modes\""),
            (
                "modes",
                "[{ drive = { wiggle = [[1, 0.1], [60, 0.15]], hertz = 1.5, swings = 3, around = 0 }, slosh = 1 }]",
            ),
        ],
    ),
    ("compound", "rope", HALVES, &[("parts", "[\"near half\", \"far half\"]")]),
];

/// Initial values of a model.
pub(super) fn start(model: &RecordType) -> Start {
    if let Some((_, name, before, values)) = STARTS.iter().find(|(known, ..)| *known == model.name)
    {
        let values = values.iter().map(|(name, value)| (*name, Cow::Borrowed(*value))).collect();
        return Start { name, before, values };
    }
    let first_of = |name: &str| {
        model.one_of.iter().any(|one_of| one_of.required && one_of.fields.first() == Some(&name))
    };
    let needed = model.fields.iter().filter(|field| field.required || first_of(field.name));
    let values = needed.filter(|field| field.name != "name").map(|f| (f.name, by_kind(f)));
    Start { name: "rope", before: "", values: values.collect() }
}

/// Examples for parameters whose default is not instructive.
const EXAMPLES: Values = &[
    ("taper", "[[0, 1], [1, 0.3]]"),
    ("floor", "0"),
    ("layers", "[{ kind = \"noise\", height = 0.02, speed = 1 }]"),
    ("sag", "0.8"),
    ("waves", "[{ height = 0.02, ripples = 2, travel = 0.5 }]"),
    ("hoop-waves", "[{ height = 0.02, ripples = 3, travel = 0.5 }]"),
    ("span-waves", "[{ height = 0.02, ripples = 2, travel = 0.5 }]"),
    ("tail-waves", "[{ height = 0.02, ripples = 2, travel = 0.5 }]"),
    ("bends", "[{ position = 0.2, length = 0.5, angle = 40 }]"),
    ("pincers", "[{ position = 0.1, length = 0.1, count = 6 }]"),
    ("coil-waves", "[{ tightness = 0.5, bunches = 2, travel = 0.5 }]"),
    ("plateau", "0.05"),
    ("wire-length", "8"),
    ("from-normal", "[1, 0, 0]"),
    ("to-normal", "[1, 0, 0]"),
    ("rest-distance", "1"),
    ("part", "\"rope\""),
];

/// Value for a comment: an example, or the default.
pub(super) fn example(field: &Field) -> Cow<'static, str> {
    if let ("dynamics", Kind::Record(family)) = (field.name, field.kind) {
        // The first solver of the family.
        return Cow::Owned(format!("\"{}\"", family.types[0].name));
    }
    if let Some((_, value)) = EXAMPLES.iter().find(|(name, _)| *name == field.name) {
        return Cow::Borrowed(value);
    }
    match default(field) {
        Some(value) => Cow::Owned(format::write_value(&value)),
        None => by_kind(field),
    }
}

/// The default as a value.
fn default(field: &Field) -> Option<Value> {
    let list = |numbers: &[f64]| Value::from(numbers.to_vec());
    Some(match (field.preset, field.kind) {
        (Preset::Number(number), _) => Value::from(number),
        (Preset::Numbers(numbers), Kind::Vectors(..)) => {
            Value::List(numbers.chunks(3).map(list).collect())
        }
        (Preset::Numbers(numbers), _) => list(numbers),
        (Preset::Colours(colours), _) => Value::List(colours.iter().map(|c| list(c)).collect()),
        (Preset::Switch(switch), _) => Value::Switch(switch),
        (Preset::Text(text), _) => Value::from(text),
        (Preset::None | Preset::Computed(_) | Preset::Empty, _) => return None,
    })
}

/// A value by the kind of a parameter.
pub(super) fn by_kind(field: &Field) -> Cow<'static, str> {
    let listed = |one: &str, count: usize| format!("[{}]", vec![one; count].join(", "));
    Cow::Owned(match field.kind {
        Kind::Scalar(_) | Kind::Integer | Kind::Anything => "1".to_owned(),
        Kind::Rate => "24".to_owned(),
        Kind::Vector(_) | Kind::Direction => "[1, 0, 0]".to_owned(),
        Kind::Colour => "[0.5, 0.5, 0.5]".to_owned(),
        Kind::Colours => "[[0.5, 0.5, 0.5]]".to_owned(),
        Kind::Switch => "true".to_owned(),
        Kind::Text | Kind::LocatorName | Kind::BodyName => "\"rope\"".to_owned(),
        Kind::File => "\"mesh.obj\"".to_owned(),
        Kind::Choice(choices) => format!("\"{}\"", choices.first().map_or("", |c| c.name)),
        Kind::Anchor if field.name == "to" => "[1, 0, 2]".to_owned(),
        Kind::Anchor => "[0, 0, 2]".to_owned(),
        Kind::Along(_) => "[[0, 1], [1, 1]]".to_owned(),
        Kind::PerPoint(..) => "1".to_owned(),
        Kind::Records(_) | Kind::Bodies => "[]".to_owned(),
        Kind::Record(_) => "{}".to_owned(),
        Kind::Outline => "\"round\"".to_owned(),
        Kind::Grid(_) => "[[0, 0], [0, 0]]".to_owned(),
        Kind::Scalars(count, _) => listed("1", count),
        Kind::Vectors(count, _) => listed("[0, 0, 0]", count),
        Kind::Against => "\"floor\"".to_owned(),
        Kind::Frames => "[1, 96]".to_owned(),
    })
}
