//! Warnings about runs of simulations: divergence, steps that are too long, pins out of reach, ropes
//! stretched beyond their breaking strain.
//!
//! Tests, in `survey/tests.rs`: `a_recording_that_is_too_large_is_refused_before_it_starts`; in
//! `tests/suite/warnings.rs`: `every_example_of_a_page_is_found`.

use std::sync::Arc;

use lariat_scene::check::{Code, Diagnostic};

use super::text::{HIGHEST_RATE, at_least};
use super::{Context, Describe};

family! {
    /// Runs of simulations.
    SimulationWarning in Simulation:
    SimulationStopped, RecordingTooLarge, StepTooLong, PinOutOfReach, Overstretched, PinsMeet
}

/// A simulation stopped before the end of the shot.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationStopped {
    /// Time in seconds.
    pub time: f64,
    /// The same as a frame.
    pub frame: f64,
    /// The reason, as a clause that does not name the body.
    pub why: Arc<str>,
}

impl Describe for SimulationStopped {
    fn code(&self) -> Code {
        Code::SimulationStopped
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("time", self.time), ("frame", self.frame)]
    }

    fn size(&self) -> f64 {
        1.0
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { time, frame, why }, Context { name, .. }) = (self, context);
        context
            .diagnostic(
                format!("the simulation of `{name}` stopped early"),
                format!("stopped at frame {frame:.2}, {time:.3} s: {why}"),
            )
            .help(self.remedy(context))
            .note(format!("from there on `{name}` keeps its last pose"))
    }
}

impl SimulationStopped {
    fn remedy(&self, context: &Context<'_>) -> &'static str {
        let dynamics = context.dynamics();
        let with = |name: &str| dynamics.filter(|how| how.record_type().field(name).is_some());
        let method = with("method").and_then(|how| how.choice("method"));
        if with("rate").is_none() {
            "weaken the forces on it, throw it more slowly, or give the strings that are tied to it a higher `rate`"
        } else if self.why.contains("`viscosity`") {
            "give it `viscosity`, or `method = \"implicit\"`, which is stable at any step"
        } else if method.is_none_or(|method| method == "implicit") {
            // Strings have a modulus, spline ropes a stiffness.
            if with("modulus").is_some() {
                "weaken the forces and torques on it, move its pins more slowly, make it softer (`modulus`, `shear-modulus`, `bend-stiffness`), or give it a higher `rate`"
            } else {
                "weaken the forces on it, move its pins more slowly, make it softer (`stretch-stiffness`, `bend-stiffness`), or give it a higher `rate`"
            }
        } else {
            "give it a higher `rate`, fewer or slower pins, or `method = \"implicit\"`, which is stable at any step"
        }
    }
}

/// A recording that would be larger than its limit; it is refused before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingTooLarge {
    /// First frame without motion.
    pub frame: f64,
    /// Bytes of the recording up to the requested frame.
    pub bytes: f64,
    /// Limit in bytes.
    pub limit: f64,
    /// True if the limit is a setting, false if the recording has nowhere to go but memory.
    pub adjustable: bool,
}

impl Describe for RecordingTooLarge {
    fn code(&self) -> Code {
        Code::RecordingTooLarge
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("frame", self.frame), ("bytes", self.bytes), ("limit", self.limit)]
    }

    fn size(&self) -> f64 {
        self.bytes
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { frame, bytes, limit, adjustable }, Context { name, .. }) = (self, context);
        let dynamics = context.dynamics();
        let has =
            |field: &str| dynamics.is_some_and(|how| how.record_type().field(field).is_some());
        let (owner, fewer) = if has("segments") {
            ("all strings and solids".to_owned(), "give strings fewer `segments`")
        } else if has("control-points") {
            (format!("`{name}`"), "give it fewer `control-points`")
        } else {
            ("all strings and solids".to_owned(), "simulate fewer solids and strings")
        };
        let [bytes_text, limit_text] = [*bytes, *limit].map(gigabytes);
        context
            .diagnostic(
                format!("the recording of {owner} would have {bytes_text}, more than the limit"),
                format!("the limit of {limit_text} is reached at frame {frame:.0}"),
            )
            .help(format!("end the shot earlier, start the simulation later, or {fewer}"))
            .help(if *adjustable {
                format!("or raise the limit with `--limit bytes-per-take={:.0}`", bytes.ceil())
            } else {
                "or record it into a file with `lariat simulate`: here it stays in memory"
                    .to_owned()
            })
            .note("until then it is not simulated")
    }
}

/// A size in words.
fn gigabytes(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (unit, name) = units.into_iter().find(|(unit, _)| bytes >= *unit).unwrap_or((1.0, "bytes"));
    format!("{:.1} {name}", bytes / unit)
}

/// Steps are longer than the method is stable for, and are made in substeps.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTooLong {
    /// Steps per second.
    pub rate: f64,
    /// Steps per second that the method needs.
    pub needed: f64,
}

impl Describe for StepTooLong {
    fn code(&self) -> Code {
        Code::StepTooLong
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("rate", self.rate), ("needed", self.needed)]
    }

    fn size(&self) -> f64 {
        self.needed / self.rate
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { rate, needed }, Context { name, .. }) = (self, context);
        context
            .diagnostic(
                format!("the steps of `{name}` are too long for its method"),
                format!("{rate} steps per second; the method needs {needed:.0}"),
            )
            .help(match needed.ceil() {
                needed if needed <= HIGHEST_RATE => format!(
                    "set `rate = {needed:.0}`, or `method = \"implicit\"`, which is stable at any step"
                ),
                _ => "set `method = \"implicit\"`, which is stable at any step, or make it softer or heavier: no `rate` is high enough".to_owned(),
            })
            .note(format!("until then each step is made in {:.0} substeps", (needed / rate).ceil()))
    }
}

/// Two pins are further apart than the rope between them can stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct PinOutOfReach {
    /// Place of the first pin along the rope, 0–1.
    pub first: f64,
    /// Place of the second.
    pub second: f64,
    /// Metres between the two pins.
    pub apart: f64,
    /// Metres of rope between them.
    pub rope: f64,
    /// Strain at which the rope breaks, 0.1 being a tenth.
    pub most: f64,
}

impl Describe for PinOutOfReach {
    fn code(&self) -> Code {
        Code::Overstretched
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("first", self.first),
            ("second", self.second),
            ("apart", self.apart),
            ("rope", self.rope),
            ("most", self.most),
        ]
    }

    fn size(&self) -> f64 {
        self.apart - self.rope
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { first, second, apart, rope, most }, Context { name, when, .. }) =
            (self, context);
        context
            .diagnostic(
                format!("the pins of `{name}` are further apart than it can reach"),
                format!(
                    "{apart:.3} m from {first:.4} to {second:.4} of it, with {rope:.3} m of rope between them {when}; it would break at {:.3} m",
                    rope * (1.0 + most)
                ),
            )
            .help(format!(
                "make the rope {} m longer, bring the pins nearer, or release one with `on`, `hold-start` or `hold-end`",
                at_least(apart - rope)
            ))
            .note("until then it is stretched that far, whatever the force")
    }
}

/// A rope is stretched beyond its breaking strain.
#[derive(Clone, Debug, PartialEq)]
pub struct Overstretched {
    /// Stretched length in metres.
    pub long: f64,
    /// Rest length in metres.
    pub length: f64,
    /// Strain at which the rope breaks, 0.1 being a tenth.
    pub most: f64,
}

impl Describe for Overstretched {
    fn code(&self) -> Code {
        Code::Overstretched
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("long", self.long), ("length", self.length), ("most", self.most)]
    }

    fn size(&self) -> f64 {
        self.long - self.length
    }

    /// Pins out of reach have the same code and are reported separately.
    fn key(&self) -> Option<Arc<str>> {
        Some("pulled".into())
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { long, length, most }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("`{name}` is stretched beyond its breaking point"),
                format!(
                    "{long:.3} m long {when}, {length:.3} m at rest; it would break at {:.3} m",
                    length * (1.0 + most)
                ),
            )
            .help("pull it less, hang less on it, or make it stronger: `radius`, `stretch-stiffness` or `material`")
            .note("a spline rope never breaks: until then it stretches as far as it is pulled")
    }
}

/// Two pins hold nearly the same place of a rope at different points.
#[derive(Clone, Debug, PartialEq)]
pub struct PinsMeet {
    /// Place of the first pin along the rope, 0–1.
    pub first: f64,
    /// Place of the second.
    pub second: f64,
    /// Metres between the two pins.
    pub apart: f64,
}

impl Describe for PinsMeet {
    fn code(&self) -> Code {
        Code::PinsMeet
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("first", self.first), ("second", self.second), ("apart", self.apart)]
    }

    fn size(&self) -> f64 {
        self.apart
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { first, second, apart }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("two pins of `{name}` hold nearly the same place of the rope"),
                format!("at {first:.4} and {second:.4} of it, but {apart:.3} m apart {when}"),
            )
            .help("hold it at places further apart, or turn one pin off while the other holds")
            .note("until then that place is held between the two pins")
    }
}
