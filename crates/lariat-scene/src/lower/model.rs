//! What only one model can know: pincers that overlap, a span longer than its rope, words
//! without effect.
//!
//! Only constants are looked at here. What is keyed may go wrong at some frame, and evaluation
//! tells which.

use lariat_core::motion::{Animate, Channel};

use super::{Lowering, Outline, Record};
use crate::{
    check::{Code, Diagnostic},
    format::number,
};

/// Fractions that a person writes as tenths and hundredths may miss each other by a rounding
/// error: `0.3 + 0.1` is not `0.4`.
const ROUNDING: f64 = 1e-9;

impl Lowering<'_> {
    pub(super) fn check_model(&mut self, record: &Record) {
        match record.kind() {
            "spring" | "slinky" => self.check_pincers(record),
            "lasso" => self.check_span(record),
            "mesh" => {
                self.check_modes(record);
                self.check_jiggles(record);
            }
            "solid" => self.check_solid(record),
            "tail" => self.check_tail(record),
            _ => {}
        }
        if record.has("bends") {
            self.check_bends(record);
        }
        if record.has("profile") {
            self.check_effect(record);
        }
        if record.has("dynamics") {
            self.check_dynamics(record);
        }
    }

    /// Every shape has its own sizes.
    fn check_solid(&mut self, record: &Record) {
        let (others, help): (&[&str], _) = match record.choice("shape") {
            Some("ball") => (&["size", "height"], "give `radius`"),
            Some("cylinder") => (&["size"], "give `radius` and `height`"),
            _ => (&["radius", "height"], "give `size`, or another `shape`"),
        };
        let shape = record.choice("shape").unwrap_or("box");
        for name in others {
            let why = format!("the shape is a {shape}");
            self.no_effect_if_given(record, name, &why, help);
        }
    }

    /// A mesh has no file of modes that its modes could be from.
    fn check_modes(&mut self, record: &Record) {
        for mode in record.records("modes").iter().filter(|mode| !mode.is_given("file")) {
            self.find(
                Diagnostic::new(
                    Code::MissingField,
                    format!("a mode of `{}` needs a `file`", record.name()),
                )
                .label(mode.place(), mode.path(), "says no file that the mode is in")
                .help("add one: `file = \"hula.modes\"`"),
            );
        }
    }

    /// Points that move along their normals have no common direction.
    fn check_jiggles(&mut self, record: &Record) {
        for jiggle in record.records("jiggles") {
            if jiggle.choice("along") == Some("normal") {
                let why = "`along = \"normal\"` moves every point along its own normal";
                let help = "leave it out, or leave out `along`";
                self.no_effect_if_given(jiggle, "direction", why, help);
            }
        }
    }

    /// A lag is one of phase: it needs something that has one.
    fn check_tail(&mut self, record: &Record) {
        let swings = |name: &str| {
            let channel = record.scalar(name);
            channel.is_some_and(|channel| channel.phasor(0, 0.0).is_some())
        };
        if !swings("swing") && !swings("lift") {
            const WHY: &str = "neither `swing` nor `lift` oscillates, and nothing else has a phase";
            let help = "give `swing` a wiggle: `{ wiggle = [[1, 0], [12, 60]], hertz = 1.5 }`";
            for name in ["lag", "pace"] {
                self.no_effect_if_given(record, name, WHY, help);
            }
        } else if record.choice("pace") == Some("weight") {
            let why = "`pace = \"weight\"` takes the lag from the rope itself";
            self.no_effect_if_given(record, "lag", why, "leave it out, or choose another pace");
        }
    }

    fn check_pincers(&mut self, record: &Record) {
        let pincers = record.records("pincers");
        let mut fixed: Vec<(f64, f64, &Record)> = pincers
            .iter()
            .filter_map(|pincer| {
                Some((constant(pincer, "position")?, constant(pincer, "length")?, pincer))
            })
            .collect();
        for (position, length, pincer) in &fixed {
            if position + length > 1.0 + ROUNDING {
                self.find(
                    Diagnostic::new(
                        Code::PincersTooLong,
                        format!("a pincer of `{}` runs past the end of the spring", record.name()),
                    )
                    .label(
                        pincer.span("length"),
                        pincer.path_of("length"),
                        format!(
                            "{} + {} = {} of the spring",
                            number(*position),
                            number(*length),
                            number(rounded(position + length))
                        ),
                    )
                    .help(format!("make it {} or shorter", number(rounded(1.0 - position)))),
                );
            }
        }
        fixed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in fixed.windows(2) {
            let [(start, length, first), (next, _, second)] = pair else { continue };
            if start + length > next + ROUNDING {
                self.find(
                    Diagnostic::new(
                        Code::PincersOverlap,
                        format!("two pincers of `{}` overlap", record.name()),
                    )
                    .label(
                        second.span("position"),
                        second.path_of("position"),
                        format!("starts at {}", number(*next)),
                    )
                    .label(
                        first.place(),
                        first.path(),
                        format!(
                            "reaches from {} to {}",
                            number(*start),
                            number(rounded(start + length))
                        ),
                    )
                    .help(format!(
                        "move the second to {} or beyond, or shorten the first to {}",
                        number(rounded(start + length)),
                        number(rounded(next - start))
                    )),
                );
            }
        }
        let Some(coils) = constant(record, "coils") else { return };
        let counts: Vec<Option<f64>> =
            pincers.iter().map(|pincer| constant(pincer, "count")).collect();
        let held: f64 = counts.iter().flatten().sum();
        if held > coils * (1.0 + ROUNDING) {
            self.find(
                Diagnostic::new(
                    Code::PincersHoldTooMany,
                    format!(
                        "the pincers of `{}` hold {} coils, and there are {}",
                        record.name(),
                        number(rounded(held)),
                        number(coils)
                    ),
                )
                .label(
                    record.span("pincers"),
                    record.path_of("pincers"),
                    format!("{} coils held", number(rounded(held))),
                )
                .label(
                    record.span("coils"),
                    record.path_of("coils"),
                    format!("{} coils", number(coils)),
                )
                .help(format!(
                    "raise `coils` to {} or more, or hold fewer",
                    number(rounded(held).ceil())
                ))
                .note("until then every pincer holds its share of the coils there are"),
            );
        }
        let all_fixed = fixed.len() == pincers.len() && counts.iter().all(Option::is_some);
        let covered: f64 = fixed.iter().map(|(_, length, _)| length).sum();
        if all_fixed
            && !fixed.is_empty()
            && covered >= 1.0 - ROUNDING
            && held < coils * (1.0 - ROUNDING)
        {
            self.find(
                Diagnostic::new(
                    Code::PincersTooLong,
                    format!(
                        "the pincers of `{}` cover the whole spring and hold only {} of its {} coils",
                        record.name(),
                        number(rounded(held)),
                        number(coils)
                    ),
                )
                .label(record.span("pincers"), record.path_of("pincers"), "no room for the other coils")
                .help("shorten a pincer, or let them hold all coils"),
            );
        }
    }

    fn check_span(&mut self, record: &Record) {
        let (Some(length), Some(span)) =
            (constant(record, "length"), constant(record, "span-length"))
        else {
            return;
        };
        if span > length {
            self.find(
                Diagnostic::new(
                    Code::SpanLongerThanRope,
                    format!("the span of `{}` is longer than its rope", record.name()),
                )
                .label(
                    record.span("span-length"),
                    record.path_of("span-length"),
                    format!("{} m between knot and hand", number(span)),
                )
                .label(
                    record.span("length"),
                    record.path_of("length"),
                    format!("{} m of rope", number(length)),
                )
                .help(format!("set `length` to {} or more, or shorten the span", number(span))),
            );
        }
    }

    fn check_bends(&mut self, record: &Record) {
        for bend in record.records("bends") {
            let (Some(position), Some(length)) =
                (constant(bend, "position"), constant(bend, "length"))
            else {
                continue;
            };
            if position + length > 1.0 + ROUNDING {
                self.find(
                    Diagnostic::new(
                        Code::BendPastEnd,
                        format!("a bend of `{}` runs past the end of the rope", record.name()),
                    )
                    .label(
                        bend.span("length"),
                        bend.path_of("length"),
                        format!(
                            "{} + {} = {} of the rope",
                            number(position),
                            number(length),
                            number(rounded(position + length))
                        ),
                    )
                    .help(format!("make it {} or shorter", number(rounded(1.0 - position))))
                    .note("until then only the part on the rope is bent"),
                );
            }
        }
    }

    /// Words that are allowed but change nothing.
    fn check_effect(&mut self, record: &Record) {
        const LEAVE_OUT: &str = "leave it out";
        let clamped = is_clamped(record);
        let flat = record.outline("profile") == Some(&Outline::Flat);
        match record.kind() {
            "slinky" => {
                for name in ["swing", "sway", "axes", "sag-form"] {
                    self.no_effect_if_given(
                        record,
                        name,
                        "a Slinky's shape follows its ends, `inner` and `sag`",
                        LEAVE_OUT,
                    );
                }
            }
            "string-of-lights" => {
                for name in ["taper", "twist", "profile", "width", "thickness", "frames", "frayed"]
                {
                    let why = "wires and bulbs are round and even";
                    self.no_effect_if_given(record, name, why, LEAVE_OUT);
                }
                for layer in record.records("layers") {
                    if matches!(layer.kind(), "twist" | "torsion-wave") {
                        self.no_effect(
                            layer,
                            "kind",
                            "the wires turn by `pair-turns` alone",
                            "leave the layer out",
                        );
                    }
                }
                // What is simulated weighs as much as its radius says.
                if !clamped && !record.is_given("dynamics") {
                    self.no_effect_if_given(
                        record,
                        "radius",
                        "wires have their `wire-radius`, and nothing keeps the cable off",
                        "give `wire-radius` instead",
                    );
                }
            }
            _ => {
                for name in ["width", "thickness"].into_iter().filter(|_| !flat) {
                    self.no_effect_if_given(
                        record,
                        name,
                        "the profile is not flat",
                        "add `profile = \"flat\"`",
                    );
                }
                if flat && !record.is_given("dynamics") {
                    self.no_effect_if_given(
                        record,
                        "radius",
                        "a flat profile has `width` and `thickness`",
                        "give these instead",
                    );
                }
            }
        }
        if record.kind() == "hoop" {
            self.no_effect_if_given(record, "frayed", "a hoop has no ends", LEAVE_OUT);
        }
        if record.has("sag-form") && record.kind() != "slinky" && !record.is_given("sag") {
            let help = "give `sag`, or leave it out";
            self.no_effect_if_given(record, "sag-form", "there is no `sag`", help);
        }
        for layer in record.records("layers") {
            if layer.kind() == "clamp"
                && layer.is_given("height")
                && layer.text("against") != Some("floor")
            {
                self.no_effect(layer, "height", "only the floor has a height", LEAVE_OUT);
            }
        }
    }

    pub(super) fn no_effect_if_given(
        &mut self,
        record: &Record,
        name: &str,
        why: &str,
        help: &str,
    ) {
        if record.is_given(name) {
            self.no_effect(record, name, why, help);
        }
    }

    pub(super) fn no_effect(&mut self, record: &Record, name: &str, why: &str, help: &str) {
        self.find(
            Diagnostic::new(Code::NoEffect, format!("`{name}` has no effect here: {why}"))
                .label(record.name_span(name), record.path_of(name), "has no effect")
                .help(help),
        );
    }
}

/// Whether a rope has a floor, or anything else that it is kept out of.
pub(super) fn is_clamped(record: &Record) -> bool {
    record.is_given("floor") || record.records("layers").iter().any(|l| l.kind() == "clamp")
}

/// The value of a parameter that never changes.
fn constant(record: &Record, name: &str) -> Option<f64> {
    record.scalar(name).and_then(fixed)
}

pub(super) fn fixed<T: Animate>(channel: &Channel<T>) -> Option<T> {
    match channel {
        Channel::Constant(value) => Some(*value),
        Channel::Keyed(_) | Channel::Wiggly(_) | Channel::Following(_) => None,
    }
}

/// Without the rounding errors of adding tenths.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
