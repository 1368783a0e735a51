//! Parameters through time: keys, the curves between them, and what goes on beyond them.
//!
//! An animator sets a handful of numbers at a handful of frames; everything else follows here.
//!
//! ```text
//! time.rs       frames and seconds
//! animate.rs    what can be keyed: numbers, vectors, colours, switches; colour.rs
//! key.rs        one key: value, time, how it is left, its two sides
//! tangent.rs    slopes by hand, or by looking at the neighbours
//! bezier.rs     handles with weight; time never runs backwards
//! ease.rs       presets from one key to the next
//! segment.rs    the curve between two keys, worked out
//! extrapolation.rs     before the first key and after the last
//! keys.rs       keys put together; the value and slope at any time
//! edit.rs       keys changed, and the interval that touches
//! wiggly/       keys that are hit by a curve that oscillates; phase, and what follows it
//! channel.rs    a parameter: a number, keys, a wiggly curve, what follows one
//! integral.rs   how far a speed has carried something; product.rs and factor.rs for two speeds
//! names.rs      the words for all choices, each list written once
//! ```
//!
//! What holds everywhere: the value at a key is the key's, bit for bit; any time may be asked for
//! in any order; no time gives a NaN; asking allocates nothing.

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
