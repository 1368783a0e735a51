//! Placeholder until edits exist.

/// Placeholder.
#[derive(Debug)]
pub struct Evaluator;
/// Placeholder.
#[derive(Debug)]
pub struct CannotEdit;
