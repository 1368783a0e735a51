//! Schema of documents: all models, records and parameters in one table.
//!
//! A parameter is described only here: its technical and plain names, the kind of its value, unit,
//! range and default, whether it can be keyed, and one sentence of help. Lowering, checks,
//! suggestions, the order of written files, the tables of the guide and `lariat explain` all use
//! this table.
//!
//! ```text
//! kind.rs        kinds of values, units, ranges, defaults
//! table.rs       records: fields joined from shared sets, families of records
//! document.rs    top level of a document: version, shot, locators
//! world.rs       gravity, wind and air for simulated bodies
//! channel.rs     keyed parameters, and anchors, at which ropes are held
//! wiggle.rs      oscillating parameters and their followers
//! jiggle.rs      amplitude and lag per point
//! wave.rs        waves, bends, pincers, coil waves, envelopes
//! layer.rs       layers for any body
//! camera.rs      cameras
//! collider.rs    obstacles for ropes
//! common.rs      parameters that all bodies share
//! dynamics.rs    simulated bodies: section, pins, forces, weights, methods
//! rigid.rs       simulated solids
//! string.rs      strings that twist and tear
//! suspended.rs   suspended rope, jump rope, string of lights
//! loose.rs       loose rope, strap
//! tail.rs        tail
//! coiled.rs      coiled cord, microphone cord, spring, slinky
//! compound.rs    hoop, lasso, compound
//! material.rs    materials of both simulators
//! mesh.rs        a mesh from a file
//! solid.rs       boxes, boards, balls and barrels
//! modes.rs       modes of recorded motion, and recorded shapes
//! locate.rs      schema of a place in a document
//! suggest.rs     "did you mean"
//! render.rs      the table as Markdown
//! ```
//!
//! A new parameter is one row; a new model is one file and one line in [`BODY`].

mod camera;
mod channel;
mod coiled;
mod collider;
mod common;
mod compound;
mod document;
mod dynamics;
mod jiggle;
mod kind;
mod layer;
mod locate;
mod loose;
mod material;
mod mesh;
mod modes;
mod render;
mod rigid;
mod solid;
mod string;
mod suggest;
mod suspended;
mod table;
mod tail;
mod wave;
mod wiggle;
mod world;

pub use camera::CAMERA;
pub use channel::{ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, CHANNEL, KEY};
pub use collider::COLLIDER;
pub use common::LOOKS;
pub use document::{DOCUMENT, LOCATOR, MARKER, SHOT};
pub use dynamics::{DYNAMICS, FORCE, PIN, WEIGHT, can_be_simulated};
pub use jiggle::JIGGLE;
pub use kind::{Bound, Choice, Kind, On, Preset, Range, Unit};
pub use layer::LAYER;
pub(crate) use locate::{ValueType, keyable_at, parameter_at};
pub use locate::{field_at, record_at};
pub use material::{material, materials};
pub use modes::MODE;
pub(crate) use render::takes;
pub use render::{accepts, page, parameters};
pub use rigid::{RIGID, TOUCH};
pub use string::TORQUE;
pub use suggest::did_you_mean;
pub(crate) use suggest::{removed, removed_word, renamed, renamed_words};
pub use table::{Family, Field, OneOf, RecordType, Shorthand};
pub use wave::{BEND, COIL_WAVE, ENVELOPE, PINCER, WAVE};
pub use wiggle::{FOLLOW, KNOT, WIGGLE};
pub use world::WORLD;

/// All models, in the order of the guide.
pub static BODY: Family = Family {
    noun: "body",
    tag: Some("model"),
    shorthand: None,
    types: &[
        &suspended::SUSPENDED_ROPE,
        &suspended::JUMP_ROPE,
        &suspended::STRING_OF_LIGHTS,
        &loose::LOOSE_ROPE,
        &loose::STRAP,
        &tail::RECORD,
        &coiled::COILED_CORD,
        &coiled::MICROPHONE_CORD,
        &coiled::SPRING,
        &coiled::SLINKY,
        &compound::HOOP,
        &compound::LASSO,
        &compound::COMPOUND,
        &mesh::MESH,
        &solid::SOLID,
        &modes::SHAPE,
    ],
};

/// Iterates over all models, in the order of the guide.
pub fn models() -> impl Iterator<Item = &'static RecordType> {
    BODY.types.iter().copied()
}

/// All families of records.
pub fn families() -> impl Iterator<Item = &'static Family> {
    [
        &BODY,
        &LOCATOR,
        &CAMERA,
        &COLLIDER,
        &SHOT,
        &MARKER,
        &WORLD,
        &WAVE,
        &BEND,
        &PINCER,
        &COIL_WAVE,
        &LAYER,
        &JIGGLE,
        &MODE,
        &ENVELOPE,
        &CHANNEL,
        &KEY,
        &WIGGLE,
        &KNOT,
        &FOLLOW,
        &ANCHOR_TO_LOCATOR,
        &ANCHOR_TO_BODY,
        &DYNAMICS,
        &RIGID,
        &TOUCH,
        &PIN,
        &FORCE,
        &WEIGHT,
        &TORQUE,
    ]
    .into_iter()
}

/// Finds a record type by name in any family: a model, a layer, a collider, `wave`, `bend`, …
/// Models come first.
pub fn find(name: &str) -> Option<&'static RecordType> {
    families().find_map(|family| family.find(name))
}

/// All field names in the order of writing, each with its plain names.
pub(crate) fn names_in_order() -> Vec<Vec<&'static str>> {
    let field = |field: &'static Field| {
        std::iter::once(field.name).chain(field.plain.iter().copied()).collect()
    };
    let mut names: Vec<Vec<&'static str>> = DOCUMENT.fields.iter().map(field).collect();
    names.push(vec!["name"]);
    names.extend(families().filter_map(|family| family.tag).map(|tag| vec![tag]));
    // Bodies last: fields that they share with smaller records keep the order of those.
    for family in families().skip(1).chain([&BODY]) {
        // Fields of a lens keep the order of waves and bends; the world's `seed`, that of noise.
        let later = |field: &&Field| match family.noun {
            "camera" => camera::LENS.contains(&field.name),
            "world" => world::SHARED.contains(&field.name),
            _ => false,
        };
        for record in family.types {
            names.extend(record.fields.iter().filter(|field| !later(field)).map(field));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn records() -> Vec<&'static RecordType> {
        families().flat_map(|family| family.types.iter().copied()).collect()
    }

    #[test]
    fn names_are_unique_in_a_record() {
        for record in records() {
            let mut seen = HashSet::new();
            for field in record.fields {
                for name in std::iter::once(&field.name).chain(field.plain) {
                    assert!(seen.insert(*name), "`{name}` is twice in {}", record.name);
                }
            }
        }
    }

    #[test]
    fn every_help_text_is_a_sentence() {
        for record in records() {
            assert!(record.help.ends_with('.'), "{}: {}", record.name, record.help);
            for field in record.fields {
                let help = field.help;
                assert!(help.ends_with('.') && help.len() >= 12, "{}: {help}", field.name);
                assert!(
                    field.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'),
                    "{}",
                    field.name
                );
            }
        }
    }

    #[test]
    fn defaults_have_their_kind_and_range() {
        for record in records() {
            for field in record.fields {
                let what = format!("{} of {}", field.name, record.name);
                assert!(field.preset_fits(), "{what}: {:?} for {:?}", field.preset, field.kind);
                if field.required {
                    assert!(matches!(field.preset, Preset::None), "{what} is required, no default");
                }
            }
            for one_of in record.one_of {
                for name in one_of.fields {
                    let field = record.field(name).expect("mutually exclusive fields exist");
                    assert!(!field.required, "{name} of {}", record.name);
                }
            }
        }
    }

    #[test]
    fn every_record_type_is_found_by_name() {
        for record in records() {
            assert!(find(record.name).is_some(), "{}", record.name);
        }
        assert_eq!(find("suspended-rope").unwrap().name, "suspended-rope");
        assert!(find("rope").is_none());
    }
}
