//! A mesh from a file: a belly, a ball, a tree.
//!
//! It has no radius, profile or layers; it shares only the parameters of the look with ropes.

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
    help: "A mesh from an OBJ or glTF file, placed, rotated and scaled.",
    fields: fields![&[
        NAME,
        Field::new(
            "file",
            Kind::File,
            "Path of an .obj, .gltf or .glb file, relative to the document."
        )
        .required(),
        Field::new(
            "up",
            Kind::Choice(&[
                Choice {
                    name: "y",
                    help: "Y is up in the file; its Z axis becomes −Y in the world."
                },
                Choice { name: "z", help: "Z is up in the file, as in the world." },
            ]),
            "Axis that points up in the file.",
        )
        .preset(Preset::Computed("\"y\" for glTF, \"z\" for OBJ")),
        Field::new(
            "position",
            Kind::Vector(Unit::Metres),
            "Position of the file's origin, in metres."
        )
        .keyed()
        .preset(ORIGIN),
        ROTATION,
        size("Scale factor; 1 is the size in the file."),
        Field::new(
            "jiggles",
            Kind::Records(&JIGGLE),
            "Jiggling motions of its points; they add up.",
        )
        .preset(Preset::Empty),
        MODES,
        look("plain"),
        colour(GREY),
        VISIBLE,
    ]],
    one_of: &[],
};
