//! Kinds of things that are placed in the view: bodies of a model, solids and colliders of a shape.
//!
//! Tests: `crates/lariat-studio/tests/studio/hands.rs`.

use lariat_editor::tool::{Added, ToolError, add_body, add_collider, add_solid};
use lariat_scene::{
    Document, Table, Thing, Value,
    schema::{self, Kind},
};

use super::place::Spot;
use crate::label;

/// A kind of thing that is placed in the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeable {
    /// A body of a model, between two ends.
    Body(&'static str),
    /// A solid of a shape, from its foot upwards.
    Solid(&'static str),
    /// A collider of a shape, between two corners.
    Collider(&'static str),
}

impl Placeable {
    /// Models of bodies that need no further values, such as a file.
    pub(crate) fn bodies() -> impl Iterator<Item = (Self, &'static str)> {
        let models = schema::models().filter(|model| model.name != "solid");
        let bodies = models.map(|model| (Self::Body(model.name), model.help));
        bodies
            .filter(|(body, _)| body.add(&Document::new(), &Spot::default(), &Spot::unit()).is_ok())
    }

    /// Shapes of solids.
    pub(crate) fn solids() -> impl Iterator<Item = (Self, &'static str)> {
        let shape = schema::BODY.find("solid").and_then(|solid| solid.field("shape"));
        let shapes = shape.and_then(|field| match field.kind {
            Kind::Choice(shapes) => Some(shapes),
            _ => None,
        });
        shapes.unwrap_or_default().iter().map(|shape| (Self::Solid(shape.name), shape.help))
    }

    /// Shapes of colliders.
    pub(crate) fn colliders() -> impl Iterator<Item = (Self, &'static str)> {
        schema::COLLIDER.types.iter().map(|shape| (Self::Collider(shape.name), shape.help))
    }

    /// Its name in menus.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Body(name) | Self::Solid(name) => label::words(name),
            Self::Collider(name) => format!("{} collider", label::words(name)),
        }
    }

    /// Kind of the thing that is added.
    pub(crate) fn thing(self) -> Thing {
        match self {
            Self::Body(_) | Self::Solid(_) => Thing::Body,
            Self::Collider(_) => Thing::Collider,
        }
    }

    /// Whether a click without a drag places it, since it has a usual size.
    pub(super) fn has_size(self) -> bool {
        matches!(self, Self::Solid(_) | Self::Collider(_))
    }

    /// Whether it hangs from its ends, which then do not belong on the floor.
    pub(super) fn hangs(self) -> bool {
        matches!(self, Self::Body(model) if model != "hoop")
    }

    /// The edit that adds it between two places.
    pub(super) fn add(
        self,
        document: &Document,
        from: &Spot,
        to: &Spot,
    ) -> Result<Added, ToolError> {
        match self {
            Self::Body(model) => {
                let record = schema::BODY.find(model);
                let mut values = Table::new();
                for (field, spot) in [("from", from), ("to", to)] {
                    let has = record.is_some_and(|record| record.field(field).is_some());
                    if let (Some(locator), true) = (&spot.locator, has) {
                        values.set(field, Value::from(Table::new().with("locator", &**locator)));
                    }
                }
                add_body(document, model, from.rounded(), to.rounded(), &values)
            }
            Self::Solid(shape) => {
                let height = (to.at.distance(from.at) * 1e3).round() / 1e3;
                add_solid(document, shape, from.rounded(), (height > 0.0).then_some(height))
            }
            Self::Collider(shape) => add_collider(document, shape, from.rounded(), to.rounded()),
        }
    }
}
