//! Ids of the objects in a world.
//!
//! An id belongs to the world that returned it. Ids are never reused.

/// Id of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RopeId(pub(super) usize);

/// Id of a hold of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HoldId(pub(super) usize);

/// Id of a collider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColliderId(pub(super) usize);

/// Id of a solid (feature `rigid`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SolidId(pub(super) usize);
