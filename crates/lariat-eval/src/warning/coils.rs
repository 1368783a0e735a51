//! Warnings about coils: pincers that hold too many or leave no room, wires too short or too long.
//!
//! Tests, in `tests/suite/warnings.rs`: `examples_of_pages_cause_their_diagnostics`,
//! `a_wire_too_short_and_a_number_out_of_range_are_reported`.

use lariat_core::motion::Channel;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;

use super::text::at_least;
use super::{Context, Describe};

family! {
    /// Coils and pincers.
    CoilWarning in Coils:
    PinchedTooMany, PincersOverlap, PincersLeaveNoRoom, WireTooShort, WireTooLong
}

/// Pincers hold more coils than there are.
#[derive(Clone, Debug, PartialEq)]
pub struct PinchedTooMany {
    /// Coils that they hold together.
    pub held: f64,
    /// Coils of the spring.
    pub coils: f64,
}

impl Describe for PinchedTooMany {
    fn code(&self) -> Code {
        Code::PincersHoldTooManyAtFrame
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("held", self.held), ("coils", self.coils)]
    }

    fn size(&self) -> f64 {
        self.held - self.coils
    }

    /// Constant counts are checked with the text of the document.
    fn is_found_by_reading(&self, body: &Record) -> bool {
        let constant = |record: &Record, name: &str| match record.scalar(name) {
            Some(Channel::Constant(value)) => Some(*value),
            _ => None,
        };
        constant(body, "coils").is_some_and(|coils| {
            let held = body.records("pincers").iter().filter_map(|p| constant(p, "count"));
            held.sum::<f64>() > coils
        })
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { held, coils }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the pincers of `{name}` hold more coils than there are"),
                format!("{held:.2} of {coils} coils {when}"),
            )
            .help("let the pincers hold fewer coils, or give the spring more")
            .note("until then every pincer holds proportionally fewer")
    }
}

/// Two pincers overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct PincersOverlap {
    /// Index of the first in its list.
    pub first: usize,
    /// Index of the second.
    pub second: usize,
}

impl Describe for PincersOverlap {
    fn code(&self) -> Code {
        Code::PincersMeetAtFrame
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("first", self.first as f64), ("second", self.second as f64)]
    }

    fn size(&self) -> f64 {
        1.0
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { first, second }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("pincers {} and {} of `{name}` run into each other", first + 1, second + 1),
                format!("they overlap {when}"),
            )
            .help("move one of them away, or make it shorter")
            .note("where they overlap, both bunch the coils, and neither holds its count")
    }
}

/// Pincers cover the whole spring and hold fewer coils than there are.
#[derive(Clone, Debug, PartialEq)]
pub struct PincersLeaveNoRoom {
    /// Coils that they hold together.
    pub held: f64,
    /// Coils of the spring.
    pub coils: f64,
}

impl Describe for PincersLeaveNoRoom {
    fn code(&self) -> Code {
        Code::PincersLeaveNoRoom
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("held", self.held), ("coils", self.coils)]
    }

    fn size(&self) -> f64 {
        self.coils - self.held
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { held, coils }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the pincers of `{name}` leave no room for the other coils"),
                format!("they cover the whole spring and hold {held:.2} of {coils} coils {when}"),
            )
            .help("shorten a pincer, or let them hold all coils")
            .note("until then every pincer holds proportionally more")
    }
}

/// A wire is too short to be coiled around its backbone.
#[derive(Clone, Debug, PartialEq)]
pub struct WireTooShort {
    /// Metres of wire.
    pub wire: f64,
    /// Metres of backbone.
    pub backbone: f64,
}

impl Describe for WireTooShort {
    fn code(&self) -> Code {
        Code::WireTooShort
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("wire", self.wire), ("backbone", self.backbone)]
    }

    fn size(&self) -> f64 {
        self.backbone - self.wire
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { wire, backbone }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the wire of `{name}` is too short to be coiled"),
                format!("{wire:.3} m of wire along a backbone of {backbone:.3} m {when}"),
            )
            .help(format!(
                "give it more than {} m of wire, or bring its ends nearer",
                at_least(*backbone)
            ))
            .note("until then it is drawn without coils")
    }
}

/// A wire is longer than its coils can take up.
#[derive(Clone, Debug, PartialEq)]
pub struct WireTooLong {
    /// Metres of wire.
    pub wire: f64,
    /// Metres that are drawn.
    pub wound: f64,
}

impl Describe for WireTooLong {
    fn code(&self) -> Code {
        Code::WireTooLong
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![("wire", self.wire), ("wound", self.wound)]
    }

    fn size(&self) -> f64 {
        self.wire - self.wound
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { wire, wound }, Context { name, when, .. }) = (self, context);
        context
            .diagnostic(
                format!("the wire of `{name}` is longer than its coils can take up"),
                format!("{wire:.3} m of wire, of which {wound:.3} m are drawn {when}"),
            )
            .help("give it more coils, or less wire")
            .note("until then its coils have the `coil-radius`")
    }
}
