//! What a simulated body is told in vain, and models that cannot be simulated.
//!
//! Only what can be known without a step is looked at here: whether a rope is held further apart
//! than it reaches, and whether its steps are short enough, is told where it is simulated.
//!
//! Tests: `what_a_simulation_has_no_use_for_is_told`, `closed_ropes_and_several_cannot_be_simulated`.

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
                format!("`{}` cannot be simulated as a spline rope: {why}", body.name()),
            )
            .label(
                body.name_span("dynamics"),
                body.path_of("dynamics"),
                format!("not with `model = \"{model}\"`"),
            )
            .help(help),
        );
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
