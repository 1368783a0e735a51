//! A mesh from a file: a belly, a ball, a tree.
//!
//! It has none of a rope's parameters: no radius, no profile, no layers. What it shares with ropes
//! is what it is made of.

use super::{
    Choice, Field, JIGGLE, Kind, Preset, RecordType, Unit,
    common::{ORIGIN, ROTATION, VISIBLE, colour, look, size},
    document::NAME,
    modes::MODES,
    table::fields,
};

/// A light grey, linear.
const GREY: &[f64] = &[0.5, 0.5, 0.5];

/// A mesh from a file.
pub(super) static MESH: RecordType = RecordType {
    name: "mesh",
    help: "A mesh from an OBJ or glTF file: placed, turned and sized.",
    fields: fields![&[
        NAME,
        Field::new("file", Kind::File, "The file, as seen from the document: .obj, .gltf or .glb.")
            .required(),
        Field::new(
            "up",
            Kind::Choice(&[
                Choice {
                    name: "y",
                    help: "Y is up in the file; what faces along Z faces along −Y here."
                },
                Choice { name: "z", help: "Z is up in the file, as it is here." },
            ]),
            "Which way is up in the file.",
        )
        .preset(Preset::Computed("\"y\" for glTF, \"z\" for OBJ")),
        Field::new("position", Kind::Vector(Unit::Metres), "Where the origin of the file is.")
            .keyed()
            .preset(ORIGIN),
        ROTATION,
        size("How many times as large as in the file."),
        Field::new(
            "jiggles",
            Kind::Records(&JIGGLE),
            "What jiggles on it, and with which oscillation; all of it is added.",
        )
        .preset(Preset::Empty),
        MODES,
        look("plain"),
        colour(GREY),
        VISIBLE,
    ]],
    one_of: &[],
};
