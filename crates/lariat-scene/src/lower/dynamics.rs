//! Checks of simulated bodies: parameters without effect, and models that cannot be simulated.
//!
//! Only checks that need no simulation are made here. Overstretched ropes and steps that are too long
//! are reported by the simulation.
//!
//! Tests: `parameters_without_effect_on_a_simulation_are_reported`,
//! `a_length_keyed_after_the_start_is_reported`, `closed_and_compound_models_cannot_be_simulated`,
//! `parameters_without_effect_on_a_string_are_reported`, `strings_of_two_methods_are_reported`,
//! `a_string_cannot_be_attached_to_a_string`, `a_string_is_tied_directly_to_a_solid`,
//! `keys_of_a_pose_after_the_start_of_a_simulation_are_reported`.

use lariat_core::motion::Channel;

use super::{
    Lowering, Record,
    model::{fixed, is_clamped},
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema::{self, Kind},
};

impl Lowering<'_> {
    /// Checks the dynamics of a body.
    pub(super) fn check_dynamics(&mut self, body: &Record) {
        let Some(dynamics) = body.record("dynamics") else { return };
        if !schema::can_be_simulated(body.record_type()) {
            self.cannot_simulate(body);
            return;
        }
        self.check_start(dynamics);
        self.check_length(body, dynamics);
        self.check_pose_keys(body, dynamics);
        match dynamics.kind() {
            "string" => self.check_string(body, dynamics),
            "rigid" => self.check_rigid(body, dynamics),
            _ => self.check_spline_rope(body, dynamics),
        }
    }

    fn check_spline_rope(&mut self, body: &Record, dynamics: &Record) {
        if dynamics.choice("method") == Some("published") {
            for name in ["bend-stiffness", "compression"] {
                let why = "the springs of `method = \"published\"` only pull";
                self.no_effect_if_given(dynamics, name, why, "remove it, or remove `method`");
            }
        } else {
            let why = "`method` is not \"published\"";
            let help = "add `method = \"published\"`, or remove it";
            self.no_effect_if_given(dynamics, "springs", why, help);
        }
        if !is_clamped(body) {
            for name in ["friction", "contact-points"] {
                let why = "the rope has no floor and no clamp to touch";
                let help = "give the body a `floor` or a clamp in its `layers`, or remove it";
                self.no_effect_if_given(dynamics, name, why, help);
            }
        }
    }

    /// Reports parameters of a string without effect.
    fn check_string(&mut self, body: &Record, dynamics: &Record) {
        let is = |name: &str, word: &str| dynamics.choice(name) == Some(word);
        let off = |name: &str| {
            let switch = dynamics.switch(name);
            switch.is_some_and(|switch| *switch == Channel::Constant(false))
        };
        if off("tears") {
            let strength = ["yield-stress", "rupture-stress", "yield-shear", "rupture-shear"];
            let slopes = ["plastic-modulus", "plastic-shear-modulus"];
            for name in strength.into_iter().chain(slopes) {
                let why = "with `tears = false` it neither yields nor tears";
                self.no_effect_if_given(dynamics, name, why, "remove it, or remove `tears`");
            }
        }
        if is("method", "published") {
            self.check_published_string(dynamics);
        }
        if is("twist-by", "none") {
            let turned = ["twist-start", "twist-end", "swivel-start", "swivel-end", "torques"];
            let made = ["shear-modulus", "plastic-shear-modulus", "yield-shear", "rupture-shear"];
            for name in turned.into_iter().chain(made).chain(["twist-along"]) {
                let why = "`twist-by = \"none\"` disables twist";
                self.no_effect_if_given(dynamics, name, why, "remove it, or remove `twist-by`");
            }
        }
        for (hold, turned) in [("hold-start", "twist-start"), ("hold-end", "twist-end")] {
            if off(hold) {
                let why = "that end is not held";
                self.no_effect_if_given(dynamics, turned, why, "hold the end, or remove it");
            }
        }
        if off("contact") && !is_clamped(body) {
            let why = "there is nothing that it can touch";
            let help = "remove `contact = false`, add a `floor` or a clamp, or remove it";
            self.no_effect_if_given(dynamics, "friction", why, help);
        }
    }

    /// Reports parameters that strings as published do not have.
    fn check_published_string(&mut self, dynamics: &Record) {
        let help = "remove it, or remove `method`";
        let regions = "regions keep the shape with `method = \"published\"`";
        let losses = "`method = \"published\"` loses motion by itself";
        for (name, why) in
            [("bend-stiffness", regions), ("inner-friction", losses), ("segment-damping", losses)]
        {
            self.no_effect_if_given(dynamics, name, why, help);
        }
        if dynamics.choice("twist-by") == Some("torque") {
            let why = "`method = \"published\"` averages the twist of neighbours";
            self.no_effect_if_given(dynamics, "twist-by", why, help);
        }
    }

    /// Reports parameters of a solid without effect.
    fn check_rigid(&mut self, body: &Record, dynamics: &Record) {
        for touch in dynamics.records("touches") {
            if touch.text("against") == Some("floor") && !dynamics.is_given("floor") {
                let help = "set its height, like `floor = 0`, or use the name of a collider";
                self.no_effect(touch, "against", "there is no floor", help);
            }
        }
        // With a given velocity and spin, its keys set only the start.
        let moves = |name: &str| body.vector(name).is_some_and(|channel| !channel.is_constant());
        let first = self.frames.start as f64;
        let start = dynamics.scalar("start").and_then(fixed).unwrap_or(first);
        if start <= first {
            let both = dynamics.is_given("velocity") && dynamics.is_given("spin");
            for name in ["position", "rotation"] {
                let why = "the solid is released at the first frame, with the given `velocity` and `spin`";
                if both && moves(name) {
                    self.no_effect(
                        body,
                        name,
                        why,
                        "start later, or use a constant instead of keys",
                    );
                }
            }
        }
    }

    fn cannot_simulate(&mut self, body: &Record) {
        let model = body.kind();
        let why = match model {
            "hoop" => "a hoop is closed",
            "lasso" => "a lasso is a hoop, a span and a tail",
            _ => "a compound is made of other bodies",
        };
        let help = if model == "compound" {
            "simulate its parts instead, or remove `dynamics`"
        } else {
            "choose a model with two ends, like \"suspended-rope\" or \"loose-rope\", or remove `dynamics`"
        };
        self.find(
            Diagnostic::new(
                Code::CannotSimulate,
                format!("`{}` cannot be simulated: {why}", body.name()),
            )
            .label(
                body.name_span("dynamics"),
                body.path_of("dynamics"),
                format!("not with `model = \"{model}\"`"),
            )
            .help(help),
        );
    }

    /// Reports a length that is keyed after the start: a simulated rope keeps its length.
    fn check_length(&mut self, body: &Record, dynamics: &Record) {
        if body.record_type().field("length").is_none() {
            return;
        }
        let Some(length) = body.scalar("length").filter(|length| !length.is_constant()) else {
            return;
        };
        let start = dynamics.scalar("start").and_then(fixed).unwrap_or(self.frames.start as f64);
        let at = |frame: f64| length.at(self.rate.seconds(frame));
        let later = self.frames.clone().map(|frame| frame as f64).filter(|frame| *frame > start);
        let keyed = later.clone().any(|frame| (at(frame) / at(start) - 1.0).abs() > 1e-9);
        if keyed {
            let why = format!(
                "from frame {} on `{}` is simulated and keeps its length of {:.3} m",
                number(start),
                body.name(),
                at(start)
            );
            let help = "end its keys at that frame; to take rope in, move a pin";
            self.no_effect(body, "length", &why, help);
        }
    }

    /// Keys of a pose that lie after the start of the simulation, which does not read them.
    ///
    /// A key after the start that still shapes the motion before it is left alone: keys at frames 14
    /// and 27 throw a rope that starts at frame 20.
    fn check_pose_keys(&mut self, body: &Record, dynamics: &Record) {
        let start = dynamics.scalar("start").and_then(fixed).unwrap_or(self.frames.start as f64);
        let names: &[&str] = match body.kind() {
            // `check_rigid` reports keys of a solid that is thrown from the first frame on.
            "solid" if start > self.frames.start as f64 => &["position", "rotation"],
            "suspended-rope" | "jump-rope" | "string-of-lights" => POSED_BY,
            // A free end that is held is held where its keys have it.
            "loose-rope" | "strap" | "tail" if !dynamics.is_given("hold-end") => POSED_BY,
            // The ends of a coil follow its keys.
            _ => &[],
        };
        let fields = body.record_type().fields.iter();
        for field in fields.filter(|field| names.contains(&field.name)) {
            match field.kind {
                Kind::Scalar(_) => self.check_keys(body, body, field.name, start),
                Kind::Vector(_) | Kind::Direction => {
                    self.check_vector_keys(body, field.name, start);
                }
                Kind::Records(_) => {
                    let posing = body.records(field.name).iter().filter(|r| r.kind() != "clamp");
                    for record in posing {
                        let scalars = record.record_type().fields.iter();
                        let scalars = scalars.filter(|row| matches!(row.kind, Kind::Scalar(_)));
                        for row in scalars {
                            self.check_keys(body, record, row.name, start);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn check_keys(&mut self, body: &Record, record: &Record, name: &str, start: f64) {
        let Some(channel) = record.scalar(name) else { return };
        let from = self.rate.seconds(start);
        let moves = |t: f64| (channel.at(t) - channel.at(from)).abs() > 1e-9;
        if let Some(key) = ignored_key(channel.key_times(), from, moves) {
            self.keyed_after_start(body, record, name, start, key);
        }
    }

    fn check_vector_keys(&mut self, body: &Record, name: &str, start: f64) {
        let Some(channel) = body.vector(name) else { return };
        let from = self.rate.seconds(start);
        let moves = |t: f64| channel.at(t).distance(channel.at(from)) > 1e-9;
        if let Some(key) = ignored_key(channel.key_times(), from, moves) {
            self.keyed_after_start(body, body, name, start, key);
        }
    }

    fn keyed_after_start(
        &mut self,
        body: &Record,
        record: &Record,
        name: &str,
        start: f64,
        key: f64,
    ) {
        let (start, key) = (number(start), self.frame_text(key));
        let message = format!(
            "keys of `{name}` after frame {start} have no effect: from there on `{}` is simulated",
            body.name()
        );
        let help = if body.kind() == "solid" {
            format!("remove the keys from frame {key} on, or set `start = {key}` or later")
        } else {
            format!(
                "remove the keys from frame {key} on, set `start = {key}` or later, or move the rope by `pins` and `forces`"
            )
        };
        self.find(
            Diagnostic::new(Code::NoEffect, message)
                .label(
                    record.span(name),
                    record.path_of(name),
                    format!("the key at frame {key} is the first without effect"),
                )
                .help(help),
        );
    }

    /// Reports a start after the end of the shot.
    fn check_start(&mut self, dynamics: &Record) {
        let Some(start) = dynamics.scalar("start").and_then(fixed) else { return };
        let last = self.frames.end.saturating_sub(1);
        if start > last as f64 {
            self.find(
                Diagnostic::new(
                    Code::NoEffect,
                    "`dynamics` has no effect here: it starts after the last frame of the shot",
                )
                .label(
                    dynamics.span("start"),
                    dynamics.path_of("start"),
                    format!("frame {}; the shot ends with frame {last}", number(start)),
                )
                .help(format!("start at frame {last} or earlier, or remove `start`")),
            );
        }
    }
}

/// Parameters that pose a rope and are not read after its simulation has started. `length` is checked
/// by itself.
const POSED_BY: &[&str] =
    &["sag", "swing", "sway", "turn", "lift", "direction", "waves", "bends", "layers"];

/// The first key after a start that shapes no motion before it, if the value moves after the start.
fn ignored_key(times: &[f64], start: f64, moves: impl Fn(f64) -> bool) -> Option<f64> {
    let after = times.partition_point(|time| *time <= start);
    let throws = after > 0 && times[after - 1] < start;
    let ignored = times.get(after + usize::from(throws)..)?;
    ignored.iter().any(|time| moves(*time)).then(|| ignored[0])
}
