//! Checks of single models: overlapping pincers, a span longer than its rope, parameters without
//! effect.
//!
//! Only constants are checked here; evaluation checks keyed parameters frame by frame.

use lariat_core::motion::{Animate, Channel};

use super::{CrossSection, Lowering, Record};
use crate::{
    check::{Code, Diagnostic},
    format::number,
};

/// Tolerance for rounding errors of decimal fractions: `0.3 + 0.1` is not `0.4`.
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

    /// Reports sizes that belong to another shape.
    fn check_solid(&mut self, record: &Record) {
        let (others, help): (&[&str], _) = match record.choice("shape") {
            Some("ball") => (&["size", "height"], "use `radius`"),
            Some("cylinder") => (&["size"], "use `radius` and `height`"),
            _ => (&["radius", "height"], "use `size`, or another `shape`"),
        };
        let shape = record.choice("shape").unwrap_or("box");
        for name in others {
            let why = format!("the shape is a {shape}");
            self.no_effect_if_given(record, name, &why, help);
        }
    }

    /// Reports modes of a mesh without a file.
    fn check_modes(&mut self, record: &Record) {
        for mode in record.records("modes").iter().filter(|mode| !mode.is_given("file")) {
            self.find(
                Diagnostic::new(
                    Code::MissingField,
                    format!("a mode of `{}` needs a `file`", record.name()),
                )
                .label(mode.place(), mode.path(), "`file` is missing")
                .help("add one: `file = \"hula.modes\"`"),
            );
        }
    }

    /// Reports the direction of a jiggle along normals.
    fn check_jiggles(&mut self, record: &Record) {
        for jiggle in record.records("jiggles") {
            if jiggle.choice("along") == Some("normal") {
                let why = "`along = \"normal\"` moves every point along its own normal";
                let help = "remove it, or remove `along`";
                self.no_effect_if_given(jiggle, "direction", why, help);
            }
        }
    }

    /// Reports a lag without an oscillation.
    fn check_tail(&mut self, record: &Record) {
        let swings = |name: &str| {
            let channel = record.scalar(name);
            channel.is_some_and(|channel| channel.phasor(0, 0.0).is_some())
        };
        if !swings("swing") && !swings("lift") {
            const WHY: &str = "neither `swing` nor `lift` oscillates";
            let help = "make `swing` a wiggle: `{ wiggle = [[1, 0], [12, 60]], hertz = 1.5 }`";
            for name in ["lag", "pace"] {
                self.no_effect_if_given(record, name, WHY, help);
            }
        } else if record.choice("pace") == Some("weight") {
            let why = "`pace = \"weight\"` determines the lag";
            self.no_effect_if_given(record, "lag", why, "remove it, or choose another `pace`");
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
                        format!(
                            "a pincer of `{}` extends past the end of the spring",
                            record.name()
                        ),
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
                    .help(format!("set `length` to {} or less", number(rounded(1.0 - position)))),
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
                            "extends from {} to {}",
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
                        "the pincers of `{}` hold {} coils, but the spring has {}",
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
                .note("until then each pincer holds a proportional share of the coils"),
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
                        "the pincers of `{}` cover the whole spring but hold only {} of its {} coils",
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
                        format!("a bend of `{}` extends past the end of the rope", record.name()),
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
                    .help(format!("set `length` to {} or less", number(rounded(1.0 - position))))
                    .note("until then only the part on the rope is bent"),
                );
            }
        }
    }

    /// Reports parameters without effect.
    fn check_effect(&mut self, record: &Record) {
        const REMOVE: &str = "remove it";
        let clamped = is_clamped(record);
        let flat = record.cross_section("profile") == Some(&CrossSection::Flat);
        match record.kind() {
            "slinky" => {
                for name in ["swing", "sway", "axes", "sag-form"] {
                    self.no_effect_if_given(
                        record,
                        name,
                        "the shape of a Slinky depends only on its ends, `inner` and `sag`",
                        REMOVE,
                    );
                }
            }
            "string-of-lights" => {
                for name in ["taper", "twist", "profile", "width", "thickness", "frames", "frayed"]
                {
                    let why = "wires and bulbs are always round and uniform";
                    self.no_effect_if_given(record, name, why, REMOVE);
                }
                for layer in record.records("layers") {
                    if matches!(layer.kind(), "twist" | "torsion-wave") {
                        self.no_effect(
                            layer,
                            "kind",
                            "the wires are twisted by `pair-turns` only",
                            "remove the layer",
                        );
                    }
                }
                // The mass of a simulated cable depends on its radius.
                if !clamped && !record.is_given("dynamics") {
                    self.no_effect_if_given(
                        record,
                        "radius",
                        "the wires use `wire-radius`, and there is no floor or clamp",
                        "use `wire-radius` instead",
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
                        "a flat profile uses `width` and `thickness`",
                        "set these instead",
                    );
                }
            }
        }
        if record.kind() == "hoop" {
            self.no_effect_if_given(record, "frayed", "a hoop has no ends", REMOVE);
        }
        if record.has("sag-form") && record.kind() != "slinky" && !record.is_given("sag") {
            let help = "add `sag`, or remove it";
            self.no_effect_if_given(record, "sag-form", "there is no `sag`", help);
        }
        for layer in record.records("layers") {
            if layer.kind() == "clamp"
                && layer.is_given("height")
                && layer.text("against") != Some("floor")
            {
                self.no_effect(layer, "height", "only the floor has a height", REMOVE);
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

/// Returns true if a rope has a floor or a clamp.
pub(super) fn is_clamped(record: &Record) -> bool {
    record.is_given("floor") || record.records("layers").iter().any(|l| l.kind() == "clamp")
}

/// Value of a constant parameter.
fn constant(record: &Record, name: &str) -> Option<f64> {
    record.scalar(name).and_then(fixed)
}

pub(super) fn fixed<T: Animate>(channel: &Channel<T>) -> Option<T> {
    match channel {
        Channel::Constant(value) => Some(*value),
        Channel::Keyed(_) | Channel::Wiggly(_) | Channel::Following(_) => None,
    }
}

/// Removes the rounding errors of decimal fractions.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
