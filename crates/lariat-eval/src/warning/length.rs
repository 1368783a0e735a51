//! Warnings about length and slack: ropes too short for their gap or too long for their room, waves
//! that need more rope than there is, bends past the end.
//!
//! Tests, in `tests/suite/warnings.rs`: `a_rope_too_short_is_one_diagnostic_with_its_worst_frame`,
//! `waves_without_slack_are_reported`, `too_much_rope_for_the_floor_is_reported`,
//! `a_lasso_whose_span_is_too_short_is_reported_at_its_span`, `a_floor_above_both_ends_is_named_as_the_cause`.

use lariat_core::motion::Channel;
use lariat_scene::Value;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;

use super::text::{at_least, suffices};
use super::{Context, Describe};

family! {
    /// Length and slack.
    LengthWarning in Length:
    TooShort, TooShortOver, TooWavy, TooFine, TooLong, SpanTooLong, BendPastEnd
}

/// The rope, or the part of a lasso that spans the gap.
fn rope(context: &Context<'_>) -> &'static str {
    if context.field == "span-length" { "the span of" } else { "rope" }
}

/// The remedy for a rope that is too short.
fn lengthen(context: &Context<'_>, needed: f64) -> String {
    if context.record.has("sag") && context.record.is_given("sag") {
        "give it more `sag`".to_owned()
    } else {
        format!("set `{}` to {} or more", context.field, at_least(needed))
    }
}

/// The length that is the remedy, if it is one number in the document.
fn longer(context: &Context<'_>, needed: f64) -> Option<Value> {
    let is_constant = matches!(context.record.scalar(context.field), Some(Channel::Constant(_)));
    (is_constant && context.record.is_given(context.field)).then(|| Value::from(suffices(needed)))
}

/// A rope is shorter than the gap between its ends.
#[derive(Clone, Debug, PartialEq)]
pub struct TooShort {
    /// Metres of rope.
    pub length: f64,
    /// Metres between the ends.
    pub gap: f64,
}

impl Describe for TooShort {
    fn code(&self) -> Code {
        Code::RopeTooShort
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("length", self.length), ("needed", self.gap)]
    }

    fn size(&self) -> f64 {
        self.gap - self.length
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { length, gap }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("{} `{name}` is shorter than the gap it must span", rope(context)),
                format!("{length:.3} m of rope; it needs {gap:.3} m {when}"),
            )
            .help(format!("{}, or bring its ends nearer", lengthen(context, *gap)))
            .maybe_remedy(&context.path(), longer(context, *gap))
            .note(format!("until then `{name}` is drawn as a straight line"))
    }
}

/// A rope can span its gap, but not the path over a floor or around colliders.
#[derive(Clone, Debug, PartialEq)]
pub struct TooShortOver {
    /// Metres of rope.
    pub length: f64,
    /// Metres along that path.
    pub needed: f64,
    /// Metres between the ends.
    pub gap: f64,
}

impl Describe for TooShortOver {
    fn code(&self) -> Code {
        Code::RopeTooShort
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("length", self.length), ("needed", self.needed), ("gap", self.gap)]
    }

    fn size(&self) -> f64 {
        self.needed - self.length
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { length, needed, gap }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("{} `{name}` is too short to pass over the floor or a collider", rope(context)),
                format!("{length:.3} m of rope; its ends are {gap:.3} m apart, but the path between them needs {needed:.3} m {when}"),
            )
            .help(format!("lower the floor or move the collider, or {}", lengthen(context, *needed)))
            .maybe_remedy(&context.path(), longer(context, *needed))
            .note(format!("until then `{name}` is drawn longer than it is"))
    }
}

/// Waves need more slack than the rope has.
#[derive(Clone, Debug, PartialEq)]
pub struct TooWavy {
    /// Share of the waves that is drawn, 0–1.
    pub share: f64,
    /// Metres of rope that the whole waves would need in addition.
    pub missing: f64,
}

impl Describe for TooWavy {
    fn code(&self) -> Code {
        Code::NotEnoughSlack
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("missing", self.missing), ("share", self.share)]
    }

    fn size(&self) -> f64 {
        self.missing
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { share, missing }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the waves of `{name}` need more slack than there is"),
                format!("they would need {missing:.3} m more rope {when}; only {:.0} % of them is drawn", share * 100.0),
            )
            .help(format!(
                "make the rope {} m longer, make the waves lower or fewer, or set `keep-length = false`",
                at_least(*missing)
            ))
    }
}

/// Waves are too fine to measure the length of the rope.
#[derive(Clone, Debug, PartialEq)]
pub struct TooFine {
    /// Possible error of the length, in metres.
    pub doubt: f64,
}

impl Describe for TooFine {
    fn code(&self) -> Code {
        Code::WavesTooFine
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("doubt", self.doubt)]
    }

    fn size(&self) -> f64 {
        self.doubt
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { doubt }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the waves of `{name}` are too fine to be measured"),
                format!("its length may be off by {doubt:.6} m {when}"),
            )
            .help("give the waves fewer ripples, or set `keep-length = false`")
            .note("ripples finer than the samples of a rope are not visible anyway")
    }
}

/// Clamps leave no room for the whole rope.
#[derive(Clone, Debug, PartialEq)]
pub struct TooLong {
    /// Metres of rope that do not fit.
    pub left_over: f64,
}

impl Describe for TooLong {
    fn code(&self) -> Code {
        Code::ExcessRope
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("left_over", self.left_over)]
    }

    fn size(&self) -> f64 {
        self.left_over
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { left_over }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("`{name}` has more rope than there is room for"),
                format!("{left_over:.3} m do not fit above the floor or collider {when}"),
            )
            .help(format!(
                "make it {left_over:.3} m shorter, move its ends, or set `keep-length = false` to let it be flattened"
            ))
    }
}

/// The span of a lasso takes more rope than there is.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanTooLong {
    /// Metres between knot and hand.
    pub span: f64,
    /// Metres of rope.
    pub length: f64,
}

impl Describe for SpanTooLong {
    fn code(&self) -> Code {
        Code::SpanTooLongAtFrame
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("span", self.span), ("length", self.length)]
    }

    fn size(&self) -> f64 {
        self.span - self.length
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { span, length }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the span of `{name}` is longer than its rope"),
                format!("{span:.3} m between knot and hand, of {length:.3} m of rope {when}"),
            )
            .help(format!("make the rope {} m long or more, or shorten the span", at_least(*span)))
            .note("until then the span keeps its length, and there is no tail")
    }
}

/// A bend runs past the end of the rope.
#[derive(Clone, Debug, PartialEq)]
pub struct BendPastEnd {
    /// Index of the bend in its list.
    pub bend: usize,
    /// Where it ends, as a fraction of the rope.
    pub end: f64,
}

impl Describe for BendPastEnd {
    fn code(&self) -> Code {
        Code::BendPastEndAtFrame
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("bend", self.bend as f64), ("end", self.end)]
    }

    fn size(&self) -> f64 {
        self.end
    }

    /// A constant bend is checked with the text of the document.
    fn is_found_by_reading(&self, body: &Record) -> bool {
        let constant =
            |bend: &Record, name| matches!(bend.scalar(name), Some(Channel::Constant(_)));
        let bend = body.records("bends").get(self.bend);
        bend.is_some_and(|bend| constant(bend, "position") && constant(bend, "length"))
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { bend, end }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("bend {} of `{name}` runs past the end of the rope", bend + 1),
                format!("it ends at {end:.4} {when}; 1 is the end of the rope"),
            )
            .help("begin it earlier, or make it shorter")
            .note("until then the part of the bend past the end has no effect")
    }
}
