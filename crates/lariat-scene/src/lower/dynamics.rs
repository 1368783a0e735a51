//! What a simulated body is told in vain, and models that cannot be simulated.
//!
//! Only what can be known without a step is looked at here: whether a rope is held further apart
//! than it reaches, and whether its steps are short enough, is told where it is simulated.
//!
//! Tests: `what_a_simulation_has_no_use_for_is_told`, `a_length_that_is_keyed_in_vain_is_told`,
//! `closed_ropes_and_several_cannot_be_simulated`, `what_a_string_has_no_use_for_is_told`,
//! `a_string_hangs_on_no_string`, `a_string_is_tied_to_a_solid_itself`.

use lariat_core::motion::Channel;

use super::{
    Lowering, Record,
    model::{fixed, is_clamped},
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema,
};

impl Lowering<'_> {
    /// A body that may be simulated.
    pub(super) fn check_dynamics(&mut self, body: &Record) {
        let Some(dynamics) = body.record("dynamics") else { return };
        if !schema::can_be_simulated(body.record_type()) {
            self.cannot_simulate(body);
            return;
        }
        self.check_start(dynamics);
        self.check_length(body, dynamics);
        match dynamics.kind() {
            "string" => self.check_string(body, dynamics),
            "rigid" => self.check_rigid(body, dynamics),
            _ => self.check_spline_rope(body, dynamics),
        }
    }

    fn check_spline_rope(&mut self, body: &Record, dynamics: &Record) {
        if dynamics.choice("elasticity") == Some("springs") {
            for name in ["bend-stiffness", "compression"] {
                let why = "`elasticity = \"springs\"` only pulls";
                self.no_effect_if_given(dynamics, name, why, "leave it out, or `elasticity`");
            }
        } else {
            let why = "`elasticity` is not \"springs\"";
            let help = "add `elasticity = \"springs\"`, or leave it out";
            self.no_effect_if_given(dynamics, "springs", why, help);
        }
        if !is_clamped(body) {
            for name in ["friction", "contact-points"] {
                let why = "the rope has no floor and no clamp to touch";
                let help = "give the body a `floor` or a clamp in its `layers`, or leave it out";
                self.no_effect_if_given(dynamics, name, why, help);
            }
        }
    }

    /// A string that is told something in vain.
    fn check_string(&mut self, body: &Record, dynamics: &Record) {
        let is = |name: &str, word: &str| dynamics.choice(name) == Some(word);
        let off = |name: &str| {
            let switch = dynamics.switch(name);
            switch.is_some_and(|switch| *switch == Channel::Constant(false))
        };
        if off("tears") {
            let strength = ["yield-stress", "rupture-stress", "yield-shear", "rupture-shear"];
            let slopes = ["plastic-modulus", "plastic-shear-modulus", "plastic-by"];
            for name in strength.into_iter().chain(slopes) {
                let why = "`tears = false` lets it neither yield nor tear";
                self.no_effect_if_given(dynamics, name, why, "leave it out, or `tears`");
            }
        }
        if is("bend-by", "published") {
            let why = "`bend-by = \"published\"` goes by regions, whatever it is made of";
            self.no_effect_if_given(dynamics, "bend-stiffness", why, "leave it out, or `bend-by`");
        }
        if is("twist-by", "none") {
            let turned = ["twist-start", "twist-end", "swivel-start", "swivel-end", "torques"];
            let made = ["shear-modulus", "plastic-shear-modulus", "yield-shear", "rupture-shear"];
            for name in turned.into_iter().chain(made).chain(["twist-along"]) {
                let why = "`twist-by = \"none\"` gives it no twist";
                self.no_effect_if_given(dynamics, name, why, "leave it out, or `twist-by`");
            }
        }
        for (hold, turned) in [("hold-start", "twist-start"), ("hold-end", "twist-end")] {
            if off(hold) {
                let why = "nothing holds that end";
                self.no_effect_if_given(dynamics, turned, why, "hold the end, or leave it out");
            }
        }
        if off("contact") && !is_clamped(body) {
            let why = "it has nothing to touch";
            let help = "let it touch strings, give it a `floor` or a clamp, or leave it out";
            self.no_effect_if_given(dynamics, "friction", why, help);
        }
    }

    /// A solid that is told something in vain.
    fn check_rigid(&mut self, body: &Record, dynamics: &Record) {
        for touch in dynamics.records("touches") {
            if touch.text("against") == Some("floor") && !dynamics.is_given("floor") {
                let help = "say how high it is, like `floor = 0`, or name a collider";
                self.no_effect(touch, "against", "there is no floor", help);
            }
        }
        // Thrown, its keys say where from and no longer how fast.
        let moves = |name: &str| body.vector(name).is_some_and(|channel| !channel.is_constant());
        let first = self.frames.start as f64;
        let start = dynamics.scalar("start").and_then(fixed).unwrap_or(first);
        if start <= first {
            let both = dynamics.is_given("velocity") && dynamics.is_given("spin");
            for name in ["position", "rotation"] {
                let why = "it is let go before it is seen, and thrown as told";
                if both && moves(name) {
                    self.no_effect(
                        body,
                        name,
                        why,
                        "start later, or give one place instead of keys",
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
            "simulate its parts instead, or leave `dynamics` out"
        } else {
            "choose a model with two ends, like \"suspended-rope\" or \"loose-rope\", or leave `dynamics` out"
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

    /// A rope that is let go keeps the length that it has then, whatever is keyed after.
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
                "from frame {} on `{}` is simulated, and keeps the {:.3} m that it has there",
                number(start),
                body.name(),
                at(start)
            );
            let help = "key it up to there only, or move what holds the rope: a hand that takes \
                        rope in is a pin that moves";
            self.no_effect(body, "length", &why, help);
        }
    }

    /// What begins after the shot is never seen.
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
                .help(format!("start at frame {last} or earlier, or leave `start` out")),
            );
        }
    }
}
