//! Warnings about strings: tears, and inconsistent material parameters.
//!
//! Tests, in `tests/suite/strings.rs`: `a_torn_string_is_two_pieces_from_then_on`,
//! `tears_that_are_not_listed_are_counted`; in `warnings.rs`: `every_example_of_a_page_is_found`.

use std::sync::Arc;

use lariat_core::motion::Channel;
use lariat_scene::check::{Code, Diagnostic};
use lariat_string::Cause;

use super::text::{HIGHEST_RATE, STEEL, at_least, digits};
use super::{Context, Describe};

family! {
    /// Strings.
    StringWarning in String:
    Torn, TornMore, HeldTight, TooStiff, OutOfOrder
}

/// A string tears.
#[derive(Clone, Debug, PartialEq)]
pub struct Torn {
    /// Number of earlier tears of the same string.
    pub which: usize,
    /// Frame of the tear.
    pub frame: f64,
    /// Place along the string, 0–1.
    pub at: f64,
    /// Cause of the tear.
    pub cause: Cause,
    /// Strength there, in newtons.
    pub newtons: f64,
    /// Twist at which it breaks there, in turns per metre.
    pub turns: f64,
}

impl Describe for Torn {
    fn code(&self) -> Code {
        Code::StringTorn
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("frame", self.frame),
            ("at", self.at),
            ("newtons", self.newtons),
            ("turns_per_metre", self.turns),
        ]
    }

    fn size(&self) -> f64 {
        1.0
    }

    fn key(&self) -> Option<Arc<str>> {
        Some(self.which.to_string().into())
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { frame, at, cause, newtons, turns, .. }, name) = (self, context.name);
        let why = match cause {
            Cause::Pull => {
                format!("its tension exceeded its strength of {} N there", digits(*newtons))
            }
            Cause::Twist => {
                format!("its twist exceeded its strength of {turns:.1} turns per metre there")
            }
            Cause::Cut => "it was cut".to_owned(),
        };
        context
            .diagnostic(format!("`{name}` tears at frame {frame:.1}, at {at:.3} of its length"), why)
            .help("if it must hold: pull or twist it less, make it thicker or of a stronger material, or set `tears = false`")
    }
}

/// Further tears of a string, which are not reported individually.
#[derive(Clone, Debug, PartialEq)]
pub struct TornMore {
    /// Number of further tears up to this frame.
    pub more: usize,
    /// Frame of the last of them.
    pub frame: f64,
}

impl Describe for TornMore {
    fn code(&self) -> Code {
        Code::StringTorn
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("more", self.more as f64), ("frame", self.frame)]
    }

    fn size(&self) -> f64 {
        self.more as f64
    }

    fn key(&self) -> Option<Arc<str>> {
        Some("more".into())
    }

    fn is_consequence(&self) -> bool {
        true
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { more, frame }, name) = (self, context.name);
        context
            .diagnostic(
                format!("`{name}` tears {more} more time{}", if *more == 1 { "" } else { "s" }),
                format!("the last one at frame {frame:.1}"),
            )
            .help("a string that falls to pieces is stiffer, weaker or pulled harder than intended: look at the first tears")
            .note("only the first eight tears of a string are reported individually")
    }
}

/// An inextensible string is held so tight that its weight tears it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldTight {
    /// Metres from one held point to the next.
    pub apart: f64,
    /// Metres of string between them.
    pub rope: f64,
    /// Tension from its weight, in newtons; infinite if it is straight.
    pub newtons: f64,
    /// Strength, in newtons.
    pub bears: f64,
    /// Sag that would suffice, in metres.
    pub sag: f64,
}

impl Describe for HeldTight {
    fn code(&self) -> Code {
        Code::TooTight
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        let &Self { apart, rope, newtons, bears, sag } = self;
        let mut numbers = vec![("apart", apart), ("rope", rope), ("bears", bears), ("sag", sag)];
        // JSON cannot hold infinity.
        numbers.extend(newtons.is_finite().then_some(("newtons", newtons)));
        numbers
    }

    fn size(&self) -> f64 {
        self.newtons
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { apart, rope, newtons, bears, sag }, name) = (self, context.name);
        let pulls = if newtons.is_finite() {
            format!("its weight gives it a tension of {} N", digits(*newtons))
        } else {
            "it is straight, so its weight gives it unlimited tension".to_owned()
        };
        context
            .diagnostic(
                format!("`{name}` does not stretch, and is held too tight for its weight"),
                format!("{rope:.6} m of it span {apart:.6} m: {pulls}; its strength is {} N", digits(*bears)),
            )
            .help(format!(
                "let it sag by {} m or more, or let it stretch: `stretches = true`, without `flick`",
                at_least(*sag)
            ))
            .note("until then it yields until it sags enough, and stays longer; a material that does not yield tears")
    }
}

/// A string is stiffer in bending than its steps can follow.
#[derive(Clone, Debug, PartialEq)]
pub struct TooStiff {
    /// EI as asked, in N m².
    pub stiffness: f64,
    /// Largest EI that the steps can follow, in N m².
    pub most: f64,
    /// Steps per second.
    pub rate: f64,
}

impl Describe for TooStiff {
    fn code(&self) -> Code {
        Code::TooStiff
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("stiffness", self.stiffness), ("most", self.most), ("rate", self.rate)]
    }

    fn size(&self) -> f64 {
        self.stiffness / self.most
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (&Self { stiffness, most, rate }, name) = (self, context.name);
        let needed = (rate * (stiffness / most).sqrt()).ceil();
        let dynamics = context.dynamics();
        let given = |name: &str| dynamics.filter(|how| how.is_given(name))?.scalar(name);
        let modulus = match (given("modulus"), given("bend-stiffness")) {
            (Some(Channel::Constant(modulus)), None) if stiffness * STEEL <= most * modulus => {
                ", or set a realistic `modulus`: steel has 2e11"
            }
            _ => "",
        };
        let stay = if needed <= HIGHEST_RATE {
            format!(
                "if it must be that stiff, set `rate = {needed:.0}` and let it start straight: a bent string of that stiffness flies to pieces"
            )
        } else {
            "no `rate` is high enough for that stiffness".to_owned()
        };
        context
            .diagnostic(
                format!("`{name}` is stiffer in bending than its steps can follow"),
                format!(
                    "EI is {} N m²; {rate} steps per second follow up to {} N m²",
                    digits(stiffness),
                    digits(most)
                ),
            )
            .help(format!(
                "set `bend-stiffness`, which affects only bending, to {} or less{modulus}",
                digits(most / 10.0)
            ))
            .help(stay)
            .note("until then it bends with the largest EI that its steps follow, and may jerk and tear")
    }
}

/// A material parameter of a string exceeds another one that must be larger.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfOrder {
    /// Names of the parameter and of its upper bound.
    pub fields: [&'static str; 2],
    /// Their values.
    pub values: [f64; 2],
}

impl Describe for OutOfOrder {
    fn code(&self) -> Code {
        Code::YieldOrder
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("value", self.values[0]), ("bound", self.values[1])]
    }

    fn size(&self) -> f64 {
        self.values[0] / self.values[1]
    }

    fn key(&self) -> Option<Arc<str>> {
        Some(self.fields[0].into())
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { fields: [field, bound], values }, name) = (self, context.name);
        let dynamics = context.dynamics().filter(|how| how.is_given(field));
        let given = dynamics.is_some_and(|how| how.is_given(bound));
        let whose = if given { "" } else { " of its material" };
        let [value, most] = values.map(digits);
        let message = format!("`{field}` of `{name}` is above its `{bound}`");
        let label = format!("{value}; `{bound}`{whose} is {most}");
        let diagnostic = match dynamics {
            Some(how) => Diagnostic::new(context.code, message).label(
                how.span(field),
                how.path_of(field),
                label,
            ),
            None => context.diagnostic(message, label),
        };
        diagnostic.help(format!("set `{field}` to {most} or less, or raise `{bound}`")).note(
            if bound.starts_with("rupture") {
                "until then it tears before it yields"
            } else {
                "until then it does not soften where it yields"
            },
        )
    }
}
