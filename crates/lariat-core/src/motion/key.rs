//! A key: a value at a time, its interpolation and its tangents.

use super::ease::{EASES, Ease};
use super::names::{Name, Named, by_name};
use super::{Animate, TangentKind};

/// Interpolation from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Keeps the value and jumps at the next key.
    Step,
    /// A straight line.
    Linear,
    /// A Bezier curve by the handles of both keys.
    #[default]
    Bezier,
    /// An easing preset.
    Ease(Ease),
}

impl Named for Interpolation {
    const WHAT: &'static str = "an interpolation";

    const NAMES: &'static [Name<Self>] = &INTERPOLATIONS;
}

/// The three basic interpolations, then every preset.
const INTERPOLATIONS: [Name<Interpolation>; 3 + EASES.len()] = {
    let step = Name {
        name: "step",
        value: Interpolation::Step,
        help: "Keeps the value and jumps at the next key.",
    };
    let mut rows = [step; 3 + EASES.len()];
    rows[1] = Name { name: "linear", value: Interpolation::Linear, help: "A straight line." };
    rows[2] = Name {
        name: "bezier",
        value: Interpolation::Bezier,
        help: "Follows the handles of both keys.",
    };
    let mut i = 0;
    while i < EASES.len() {
        rows[3 + i] = Name {
            name: EASES[i].name,
            value: Interpolation::Ease(EASES[i].value),
            help: EASES[i].help,
        };
        i += 1;
    }
    rows
};

by_name!(Interpolation);

/// End of a Bezier handle, relative to its key.
///
/// An incoming handle has a `time` of zero or less, an outgoing one of zero or more. It may extend
/// beyond the neighbouring key: both handles of a segment are shortened together until time is
/// monotonic (see `bezier.rs`). For vectors every component has its own `value`; the time is
/// shared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle<T> {
    /// Seconds from the key.
    pub time: f64,
    /// Value minus the key's value.
    pub value: T,
}

/// One side of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent<T> {
    /// Rule for the slope.
    pub kind: TangentKind,
    /// Handle, if set. Free and aligned tangents take slope and length from it, the others only
    /// the length. Without it a handle spans a third of the interval to the next key, a free
    /// tangent has the slope of a clamped-auto one, and an aligned one has the length of the other
    /// side.
    pub handle: Option<Handle<T>>,
}

impl<T> Tangent<T> {
    /// A tangent of this kind without a handle.
    pub const fn new(kind: TangentKind) -> Self {
        Self { kind, handle: None }
    }

    /// A free tangent with this handle.
    pub const fn free(time: f64, value: T) -> Self {
        Self { kind: TangentKind::Free, handle: Some(Handle { time, value }) }
    }

    /// An aligned tangent with this handle.
    pub const fn aligned(time: f64, value: T) -> Self {
        Self { kind: TangentKind::Aligned, handle: Some(Handle { time, value }) }
    }
}

impl<T> Default for Tangent<T> {
    fn default() -> Self {
        Self::new(TangentKind::default())
    }
}

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<T> {
    /// Time in seconds.
    pub time: f64,
    /// Value of the channel at that time, bit for bit.
    pub value: T,
    /// Interpolation to the next key.
    pub interpolation: Interpolation,
    /// Tangent towards the previous key.
    pub incoming: Tangent<T>,
    /// Tangent towards the next key.
    pub outgoing: Tangent<T>,
}

impl<T: Animate> Key<T> {
    /// A key with the defaults of documents: Bezier, clamped-auto on both sides.
    pub fn new(time: f64, value: T) -> Self {
        Self {
            time,
            value,
            interpolation: Interpolation::default(),
            incoming: Tangent::default(),
            outgoing: Tangent::default(),
        }
    }

    /// The same key with another interpolation.
    #[must_use]
    pub fn with_interpolation(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// The same key with other tangents.
    #[must_use]
    pub fn with_tangents(self, incoming: Tangent<T>, outgoing: Tangent<T>) -> Self {
        Self { incoming, outgoing, ..self }
    }
}
