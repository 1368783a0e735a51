//! What bodies look like at one frame, and what could not be done as told.

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_core::model::Finding;
use lariat_core::model::layer::coils::PincerTrouble;
use lariat_scene::check::Code;

/// All bodies at one frame, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Which frame; fractions are between frames.
    pub frame: f64,
    /// One entry per body of the scene.
    pub bodies: Vec<BodyMoment>,
}

/// One body at one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMoment {
    /// What is drawn of it, if it is visible.
    pub strands: Vec<Strand>,
    /// Whether it is drawn; a hidden body still holds what hangs on it.
    pub visible: bool,
    /// Metres of rope beyond the straight gap, for ropes that span one.
    pub slack: Option<f64>,
    /// What could not be done as told.
    pub warnings: Vec<Warning>,
    /// The curve that others attach to, where it is not the first strand.
    pub(crate) spine: Option<Vec<DVec3>>,
}

impl BodyMoment {
    /// The curve that others attach to.
    pub fn spine(&self) -> &[DVec3] {
        match (&self.spine, self.strands.first()) {
            (Some(spine), _) => spine,
            (None, Some(strand)) => strand.points(),
            (None, None) => &[],
        }
    }
}

/// Something that could not be done as told, at one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warning {
    /// The parameter it is about; empty if it is about the body as a whole.
    pub field: &'static str,
    /// What it is.
    pub trouble: Trouble,
}

/// What can go wrong at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trouble {
    /// The model could only come near to what was asked.
    Model(Finding),
    /// A keyed number swung out of its range and was held at the edge.
    LeftRange {
        /// What the curve said.
        value: f64,
        /// What was used.
        held: f64,
    },
    /// Something is attached before the start or beyond the end of a body.
    BeyondEnd {
        /// Where, 0–1 being the body.
        at: f64,
    },
}

impl Warning {
    pub(crate) fn model(finding: Finding) -> Self {
        let field = match finding {
            Finding::TooShort { .. } | Finding::TooLong { .. } => "length",
            Finding::TooWavy { .. } | Finding::TooFine { .. } => "waves",
            Finding::Pincers(_) => "pincers",
            Finding::WireTooShort { .. } | Finding::WireTooLong { .. } => "wire-length",
            Finding::BendPastEnd { .. } => "bends",
            Finding::SpanTooLong { .. } => "span-length",
        };
        Self { field, trouble: Trouble::Model(finding) }
    }

    /// The code under which it is explained.
    pub fn code(&self) -> Code {
        match self.trouble {
            Trouble::Model(Finding::TooShort { .. }) => Code::RopeTooShort,
            Trouble::Model(Finding::TooWavy { .. }) => Code::NotEnoughSlack,
            Trouble::Model(Finding::TooLong { .. }) => Code::CannotBeLaid,
            Trouble::Model(Finding::Pincers(PincerTrouble::TooMany { .. })) => {
                Code::PinchedTooManyAtFrame
            }
            Trouble::Model(Finding::Pincers(PincerTrouble::Overlap { .. })) => {
                Code::PincersMeetAtFrame
            }
            Trouble::Model(Finding::Pincers(PincerTrouble::NoRoom { .. })) => {
                Code::PincersLeaveNoRoom
            }
            Trouble::Model(Finding::WireTooShort { .. }) => Code::WireTooShort,
            Trouble::Model(Finding::WireTooLong { .. }) => Code::WireTooLong,
            Trouble::Model(Finding::TooFine { .. }) => Code::WavesTooFine,
            Trouble::Model(Finding::BendPastEnd { .. }) => Code::BendPastEndAtFrame,
            Trouble::Model(Finding::SpanTooLong { .. }) => Code::SpanTooLongAtFrame,
            Trouble::LeftRange { .. } => Code::LeftItsRange,
            Trouble::BeyondEnd { .. } => Code::AttachedBeyondEnd,
        }
    }

    /// How bad it is, to find the worst frame of a shot; comparable within one code.
    pub fn size(&self) -> f64 {
        match self.trouble {
            Trouble::Model(Finding::TooShort { length, gap }) => gap - length,
            Trouble::Model(Finding::TooWavy { missing, .. }) => missing,
            Trouble::Model(Finding::TooLong { left_over }) => left_over,
            Trouble::Model(Finding::Pincers(PincerTrouble::TooMany { held, coils })) => {
                held - coils
            }
            Trouble::Model(Finding::Pincers(PincerTrouble::Overlap { .. })) => 1.0,
            Trouble::Model(Finding::Pincers(PincerTrouble::NoRoom { held, coils })) => coils - held,
            Trouble::Model(Finding::WireTooLong { wire, wound }) => wire - wound,
            Trouble::Model(Finding::TooFine { doubt }) => doubt,
            Trouble::Model(Finding::BendPastEnd { end, .. }) => end,
            Trouble::Model(Finding::SpanTooLong { span, length }) => span - length,
            Trouble::Model(Finding::WireTooShort { wire, backbone }) => backbone - wire,
            Trouble::LeftRange { value, held } => (value - held).abs(),
            Trouble::BeyondEnd { at } => (at - 0.5).abs(),
        }
    }
}
