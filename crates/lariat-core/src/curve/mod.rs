//! Curves in space: sampled, measured, framed, hung and bent.

mod frame;

pub use frame::Frame;
