//! Warnings about attachments beyond the end of a body, and about cameras without a direction.
//!
//! Tests, in `tests/suite/warnings.rs`: `every_example_of_a_page_is_found`.

use glam::DVec3;
use lariat_scene::check::{Code, Diagnostic};

use super::text::place;
use super::{Context, Describe};

family! {
    /// Attachments and cameras.
    AttachmentWarning in Attachment:
    BeyondEnd, CameraAtTarget
}

/// A body is attached before the start or beyond the end of its leader.
#[derive(Clone, Debug, PartialEq)]
pub struct BeyondEnd {
    /// Place along the leader; 0–1 is on it.
    pub at: f64,
}

impl Describe for BeyondEnd {
    fn code(&self) -> Code {
        Code::AttachedBeyondEnd
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("at", self.at)]
    }

    fn size(&self) -> f64 {
        (self.at - 0.5).abs()
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { at }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("`{name}` is attached beyond the end of a body"),
                format!("`at` is {at:.4} {when}; 0 is the start and 1 the end"),
            )
            .help("keep `at` between 0 and 1")
            .note("until then it is attached to the end itself")
    }
}

/// A camera is at its target.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraAtTarget {
    /// Position of both, in metres.
    pub eye: DVec3,
}

impl Describe for CameraAtTarget {
    fn code(&self) -> Code {
        Code::CameraAtTarget
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("x", self.eye.x), ("y", self.eye.y), ("z", self.eye.z)]
    }

    fn size(&self) -> f64 {
        1.0
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let Context { name, when, .. } = context;
        context
            .diagnostic(
                format!("camera `{name}` is at its target"),
                format!("both are at {} {when}", place(self.eye)),
            )
            .help("move `target` away from `position`, or the camera away from its target")
            .note("until then it looks along Y")
    }
}
