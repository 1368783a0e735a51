//! Parameters over time: keys, interpolation, extrapolation, wiggly curves.
//!
//! ```text
//! time.rs       frames and seconds
//! animate.rs    types that can be keyed: numbers, vectors, colours, switches; colour.rs
//! key.rs        one key: value, time, interpolation, tangents
//! tangent.rs    slopes at keys, set by hand or automatic
//! bezier.rs     weighted Bezier handles, with monotonic time
//! ease.rs       easing presets
//! segment.rs    the precomputed curve between two keys
//! extrapolation.rs  before the first key and after the last
//! keys.rs       a keyed curve; value and slope at any time
//! edit.rs       edits of keys, with the interval that changes
//! wiggly/       oscillating curves through keys; phase, and followers
//! channel.rs    a parameter: a constant, keys, a wiggly curve, or a follower
//! integral.rs   integrals over time; product.rs and factor.rs for products
//! names.rs      names of all choices
//! ```
//!
//! Guarantees: the value at a key is the key's, bit for bit; times may be evaluated in any order;
//! every value is finite; evaluation allocates nothing.

mod animate;
mod bezier;
mod channel;
mod colour;
mod ease;
mod edit;
mod extrapolation;
mod factor;
mod integral;
mod interval;
mod key;
mod keys;
mod names;
mod product;
mod segment;
mod tangent;
mod time;
pub mod wiggly;

pub use animate::{Animate, Blend};
pub use channel::Channel;
pub(crate) use colour::linear_from_srgb;
pub use colour::{Colour, ColourError};
pub use ease::{Ease, EaseShape, EaseSide};
pub use extrapolation::Extrapolation;
pub use integral::Integral;
pub use interval::Interval;
pub use key::{Handle, Interpolation, Key, Tangent};
pub use keys::{Keys, KeysError, MAX_TIME, MAX_VALUE};
pub use names::{Name, Named, UnknownName};
pub use tangent::TangentKind;
pub use time::{FrameRate, FrameRateError};
