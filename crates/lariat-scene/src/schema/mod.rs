//! Every model, every record, every parameter, in one table.
//!
//! The table is the only place where a parameter is described: its name and plain words, what
//! kind of value it takes, its unit, range and default, whether it can be keyed, and what it
//! does in one sentence. Lowering, checks, suggestions, the order in which files are written,
//! the guide's tables and `lariat explain` all read it here.
//!
//! ```text
//! kind.rs        what a parameter can be: kinds of values, units, ranges, defaults
//! table.rs       what a record is: fields joined from shared sets, families of records
//! document.rs    the top of a document: version, shot, locators
//! world.rs       what simulated bodies live in: gravity, wind, air
//! channel.rs     a parameter that moves: keys; and an anchor: where a rope is held
//! wiggle.rs      a parameter that oscillates, or follows one that does
//! jiggle.rs      fields of amplitude and lag
//! wave.rs        waves, bends, pincers, coil waves, envelopes
//! layer.rs       layers that can be put on any body
//! camera.rs      where pictures are taken from
//! collider.rs    what ropes can be clamped against
//! common.rs      parameters that all bodies share
//! dynamics.rs    bodies that are simulated: section, pins, forces, weights, methods
//! string.rs      strings that twist and tear
//! suspended.rs   suspended rope, jump rope, string of lights
//! loose.rs       loose rope, strap
//! tail.rs        tail
//! coiled.rs      coiled cord, microphone cord, spring, slinky
//! compound.rs    hoop, lasso, compound
//! material.rs    materials of both simulators
//! mesh.rs        a mesh from a file
//! solid.rs       boxes, boards, balls and barrels
//! modes.rs       modes of recorded motion, and what was recorded
//! locate.rs      which row describes a place in a document
//! suggest.rs     "did you mean"
//! render.rs      the table as a page for people
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
pub use document::{DOCUMENT, LOCATOR, SHOT};
pub use dynamics::{DYNAMICS, FORCE, PIN, WEIGHT, can_be_simulated};
pub use jiggle::JIGGLE;
pub use kind::{Bound, Choice, Kind, On, Preset, Range, Unit};
pub use layer::LAYER;
pub use locate::field_at;
pub(crate) use locate::{Stand, keyable_at, parameter_at, record_at};
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

/// The models, in the order of the guide.
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

/// Every model, in the order of the guide.
pub fn models() -> impl Iterator<Item = &'static RecordType> {
    BODY.types.iter().copied()
}

/// Every family of records that stands in a list or a field of its own.
pub fn families() -> impl Iterator<Item = &'static Family> {
    [
        &BODY,
        &LOCATOR,
        &CAMERA,
        &COLLIDER,
        &SHOT,
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

/// The record of that name in any family: a model, a layer, a collider, `wave`, `bend`, …
/// Models come first.
pub fn find(name: &str) -> Option<&'static RecordType> {
    families().find_map(|family| family.find(name))
}

/// All names that can stand before an `=`, in the order files are written; the plain words stand
/// with the technical one.
pub(crate) fn names_in_order() -> Vec<Vec<&'static str>> {
    let field = |field: &'static Field| {
        std::iter::once(field.name).chain(field.plain.iter().copied()).collect()
    };
    let mut names: Vec<Vec<&'static str>> = DOCUMENT.fields.iter().map(field).collect();
    names.push(vec!["name"]);
    names.extend(families().filter_map(|family| family.tag).map(|tag| vec![tag]));
    // Bodies last: what they share with smaller records is ordered as there.
    for family in families().skip(1).chain([&BODY]) {
        // A lens has names that are ordered as in waves and bends, the world one as in noise.
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
    fn no_record_has_one_name_twice() {
        for record in records() {
            let mut seen = HashSet::new();
            for field in record.fields {
                for name in std::iter::once(&field.name).chain(field.plain) {
                    assert!(seen.insert(*name), "`{name}` stands twice in {}", record.name);
                }
            }
        }
    }

    #[test]
    fn every_row_can_be_read_by_people() {
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
    fn defaults_are_of_their_kind_and_within_their_range() {
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
                    let field = record.field(name).expect("fields that exclude each other exist");
                    assert!(!field.required, "{name} of {}", record.name);
                }
            }
        }
    }

    #[test]
    fn every_kind_of_record_is_found_by_name() {
        for record in records() {
            assert!(find(record.name).is_some(), "{}", record.name);
        }
        assert_eq!(find("suspended-rope").unwrap().name, "suspended-rope");
        assert!(find("rope").is_none());
    }
}
