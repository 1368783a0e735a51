//! A colour sampled at a time, and clamped to its allowed range.
//!
//! Keys are checked when the document is read, but a curve that overshoots them could become negative
//! or brighter than any key. Each of the three numbers is clamped to 0–1, or to the brightest of its
//! keys if that is more; the worst of them is reported once per frame.
//!
//! Tests: `colours_are_held_in_their_range`.

use lariat_core::motion::{Animate, Channel, Colour};

use crate::warning::{LeftRange, Warning};

/// A colour or keys, with the upper limit of each component.
#[derive(Clone, Debug)]
pub(crate) struct Tint {
    channel: Channel<Colour>,
    high: [f64; 3],
    field: &'static str,
}

impl Tint {
    /// The colour parameter `field` of a body.
    pub(crate) fn new(channel: Channel<Colour>, field: &'static str) -> Self {
        let keys: Vec<Colour> = match &channel {
            Channel::Constant(colour) => vec![*colour],
            Channel::Keyed(keys) => keys.keys().iter().map(|key| key.value).collect(),
            Channel::Wiggly(wiggly) => wiggly.knots().iter().map(|knot| knot.value).collect(),
            Channel::Following(_) => Vec::new(),
        };
        let brightest = |i: usize| keys.iter().map(|key| key.part(i)).fold(1.0, f64::max);
        let high = [brightest(0), brightest(1), brightest(2)];
        Self { channel, high, field }
    }

    /// Its linear red, green and blue at `t` seconds.
    pub(crate) fn at(&self, t: f64, warnings: &mut Vec<Warning>) -> [f64; 3] {
        let value = self.channel.at(t).0;
        let mut held = value;
        let mut worst: Option<(f64, f64)> = None;
        for ((held, value), high) in held.iter_mut().zip(value).zip(self.high) {
            *held = value.clamp(0.0, high);
            let off = (value - *held).abs();
            if off > worst.map_or(0.0, |(value, held)| (value - held).abs()) {
                worst = Some((value, *held));
            }
        }
        if let Some((value, held)) = worst {
            warnings.push(Warning::new(self.field, LeftRange { value, held }));
        }
        held
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.channel.is_constant()
    }
}
