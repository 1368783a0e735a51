//! Warnings about values out of range: keyed numbers that leave theirs, and limits on points.
//!
//! Tests, in `tests/suite/warnings.rs`: `the_remedy_for_a_range_fits_its_cause`,
//! `lights_beyond_the_limit_are_reduced_and_reported`.

use lariat_core::motion::{Animate, Channel, Extrapolation, Interpolation};
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;
use lariat_scene::schema::Kind;

use super::{Context, Describe};

family! {
    /// Values out of range.
    RangeWarning in Range:
    LeftRange, TooManyPoints
}

/// A keyed number left its range and was held at the edge.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftRange {
    /// Value of the curve.
    pub value: f64,
    /// Value that was used instead.
    pub held: f64,
}

impl Describe for LeftRange {
    fn code(&self) -> Code {
        Code::LeavesRange
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("value", self.value), ("held", self.held)]
    }

    fn size(&self) -> f64 {
        (self.value - self.held).abs()
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { value, held }, Context { parameter, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("{parameter} leaves its range between keys"),
                format!("it reaches {value:.4} {when} and is held at {held:.4}"),
            )
            .help(remedy(context.record, context.given_field(), context.time))
    }
}

const TANGENTS: &str =
    "add a key there, or give the keys next to it `tangents = \"clamped-auto\"` or `\"flat\"`";

const EASE: &str = "choose an ease that does not overshoot, like `ease = \"cubic-in-out\"`, or \
                    leave some room between its keys and the limit";

const SWINGS: &str = "set a key where it swings furthest, move it `around` another value, or make it \
                      less bouncy: fewer `swings`";

/// The remedy for a curve that left its range at a time: it depends on whether an ease, an extension
/// or tangents led there.
fn remedy(record: &Record, field: &str, t: f64) -> &'static str {
    match record.record_type().field(field).map(|row| row.kind) {
        Some(Kind::Scalar(_)) => record.scalar(field).map(|number| channel_remedy(number, t)),
        Some(Kind::Colour) => record.colour(field).map(|colour| channel_remedy(colour, t)),
        Some(Kind::Colours) => {
            // The warning does not say which one; an animated one is the most likely.
            let mut colours = record.colours(field).unwrap_or_default().iter();
            colours.find(|colour| !colour.is_constant()).map(|colour| channel_remedy(colour, t))
        }
        _ => None,
    }
    .unwrap_or(TANGENTS)
}

fn channel_remedy<T: Animate>(channel: &Channel<T>, t: f64) -> &'static str {
    let keys = match channel {
        Channel::Keyed(keys) => keys,
        Channel::Wiggly(_) | Channel::Following(_) => return SWINGS,
        Channel::Constant(_) => return TANGENTS,
    };
    let overshoots =
        |i: usize| matches!(keys.keys()[i].interpolation, Interpolation::Ease(e) if e.overshoots());
    let times = keys.key_times();
    let passed = times.partition_point(|time| *time <= t);
    let continues =
        |extend: Extrapolation| matches!(extend, Extrapolation::Line | Extrapolation::CycleOffset);
    if passed == 0 && continues(keys.before()) {
        "add a key before it, or set `before = \"hold\"`"
    } else if passed == times.len() && times.last().is_some_and(|last| t > *last) {
        if continues(keys.after()) {
            "add a key after it, or set `after = \"hold\"`"
        } else if (0..times.len()).any(overshoots) {
            EASE
        } else {
            TANGENTS
        }
    } else if passed.checked_sub(1).is_some_and(overshoots) {
        EASE
    } else {
        TANGENTS
    }
}

/// A string of lights would need more points than the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct TooManyPoints {
    /// Points that it would need.
    pub needed: f64,
    /// The limit.
    pub most: u64,
}

impl Describe for TooManyPoints {
    fn code(&self) -> Code {
        Code::TooManyPointsAtFrame
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("needed", self.needed), ("most", self.most as f64)]
    }

    fn size(&self) -> f64 {
        self.needed
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { needed, most }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the string of lights `{name}` needs more points than the limit of {most}"),
                format!("{needed:.0} points {when}"),
            )
            .help("bring its ends nearer, put the bulbs further apart, or raise the limit with `--limit samples-per-body=N`")
            .note("until then it has fewer turns and fewer bulbs")
    }
}
