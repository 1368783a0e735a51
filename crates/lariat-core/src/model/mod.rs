//! Ropes, cords and springs, each a pure function from a handful of numbers to a shape.
pub mod layer;
