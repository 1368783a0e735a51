//! Warnings about colliders and floors that ropes are clamped against.
//!
//! Tests, in `tests/suite/warnings.rs`: `an_end_inside_a_collider_is_reported_with_its_depth`.

use std::sync::Arc;

use lariat_scene::check::{Code, Diagnostic};

use super::text::at_least;
use super::{Context, Describe};

family! {
    /// Colliders and floors.
    ColliderWarning in Collider:
    EndInside
}

/// An end is held inside a solid that its rope is clamped against.
#[derive(Clone, Debug, PartialEq)]
pub struct EndInside {
    /// Metres below the surface.
    pub depth: f64,
    /// Name of the collider; none for the floor.
    pub collider: Option<Arc<str>>,
}

impl Describe for EndInside {
    fn code(&self) -> Code {
        Code::EndInside
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("depth", self.depth)]
    }

    fn size(&self) -> f64 {
        self.depth
    }

    fn key(&self) -> Option<Arc<str>> {
        self.collider.clone()
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { depth, collider }, Context { name, field, when, .. }) = (self, context);
        let solid = collider.as_ref().map_or("the floor".to_owned(), |name| format!("`{name}`"));
        context
            .diagnostic(
                format!("`{field}` of `{name}` lies inside {solid}"),
                format!("{depth:.3} m below the surface of {solid} {when}"),
            )
            .help(format!("move the end {} m out of it, or move {solid}", at_least(*depth)))
            .note("ends stay where they are; only the rope between them is kept outside")
    }
}
