//! Warnings: faults of one body or camera at one frame, where the document cannot be followed exactly.
//!
//! Each warning is a struct with its numbers, and one implementation of `Describe` right below it:
//! its code, its numbers for programs, its texts, its size, which decides the worst frame, and the key
//! that distinguishes it from others of its code. A new warning is a struct, its implementation, and a
//! line in the list of its family, all in one file; its code and page are in `lariat-scene/src/check`.
//!
//! ```text
//! length.rs      ropes too short or too long, waves without slack, bends past the end
//! coils.rs       pincers and wires of coiled cords and springs
//! range.rs       keyed numbers that leave their range, limits on points
//! collider.rs    ends inside a collider that a rope is clamped against
//! attachment.rs  places beyond the end of a body, cameras without a direction
//! simulation.rs  runs that stop, steps that are too long, pins out of reach
//! start.rs       poses that a simulation cannot start from as they are
//! string.rs      tears, strength and stiffness of strings
//! text.rs        numbers in sentences
//! ```
//!
//! `survey.rs` collects the warnings of a shot into diagnostics.

/// Lists the warnings of a family: an enum with one variant per struct, and the conversions between
/// struct, family and [`WarningKind`].
macro_rules! family {
    ($(#[$doc:meta])* $family:ident in $slot:ident: $($kind:ident),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $family {
            $(
                #[doc = concat!("See [`", stringify!($kind), "`].")]
                $kind($kind),
            )+
        }

        impl $family {
            pub(super) fn described(&self) -> &dyn crate::warning::Describe {
                match self {
                    $(Self::$kind(warning) => warning,)+
                }
            }
        }

        $(
            impl From<$kind> for crate::warning::WarningKind {
                fn from(warning: $kind) -> Self {
                    Self::$slot($family::$kind(warning))
                }
            }

            impl crate::warning::Variant for $kind {
                fn of(kind: &crate::warning::WarningKind) -> Option<&Self> {
                    match kind {
                        crate::warning::WarningKind::$slot($family::$kind(warning)) => Some(warning),
                        _ => None,
                    }
                }
            }
        )+
    };
}

mod attachment;
mod coils;
mod collider;
mod length;
mod range;
mod simulation;
mod start;
mod string;
mod text;

use std::sync::Arc;

use lariat_core::model::PoseWarning;
use lariat_core::model::layer::coils::PincerWarning;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::{Lowered, Record};
use lariat_scene::{Path, Step};

pub use attachment::{AttachmentWarning, BeyondEnd, CameraAtTarget};
pub use coils::{
    CoilWarning, PincersLeaveNoRoom, PincersOverlap, PinchedTooMany, WireTooLong, WireTooShort,
};
pub use collider::{ColliderWarning, EndInside};
pub use length::{
    BendPastEnd, LengthWarning, SpanTooLong, TooFine, TooLong, TooShort, TooShortOver, TooWavy,
};
pub use range::{LeftRange, RangeWarning, TooManyPoints};
pub use simulation::{
    Overstretched, PinOutOfReach, PinsMeet, RecordingTooLarge, SimulationStopped,
    SimulationWarning, StepTooLong,
};
pub use start::{ObstacleName, PinMissed, PoseMissed, RunsThrough, StartWarning, StartsInside};
pub use string::{HeldTight, OutOfOrder, StringWarning, TooStiff, Torn, TornMore};

/// A warning about one parameter of a body or camera at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Owner of the parameter.
    pub subject: Subject,
    /// Name of the parameter.
    pub field: &'static str,
    /// The condition, with its numbers.
    pub kind: WarningKind,
}

/// The families of warnings.
#[derive(Clone, Debug, PartialEq)]
pub enum WarningKind {
    /// Length and slack.
    Length(LengthWarning),
    /// Coils and pincers.
    Coils(CoilWarning),
    /// Values out of range.
    Range(RangeWarning),
    /// Colliders and floors.
    Collider(ColliderWarning),
    /// Attachments and cameras.
    Attachment(AttachmentWarning),
    /// Runs of simulations.
    Simulation(SimulationWarning),
    /// Starts of simulations.
    Start(StartWarning),
    /// Strings.
    String(StringWarning),
}

impl WarningKind {
    fn described(&self) -> &dyn Describe {
        match self {
            Self::Length(warning) => warning.described(),
            Self::Coils(warning) => warning.described(),
            Self::Range(warning) => warning.described(),
            Self::Collider(warning) => warning.described(),
            Self::Attachment(warning) => warning.described(),
            Self::Simulation(warning) => warning.described(),
            Self::Start(warning) => warning.described(),
            Self::String(warning) => warning.described(),
        }
    }
}

/// Everything about one kind of warning.
pub(crate) trait Describe {
    /// Code of the page that explains it. The code sets the severity.
    fn code(&self) -> Code;

    /// Its numbers, for programs.
    fn numbers(&self) -> Vec<(&'static str, f64)>;

    /// Size of the fault: the frame with the largest is the worst. Comparable within one code.
    fn size(&self) -> f64;

    /// Distinguishes warnings of one code about one parameter that are reported separately.
    fn key(&self) -> Option<Arc<str>> {
        None
    }

    /// True if checking the text of the document has reported it already.
    fn is_found_by_reading(&self, body: &Record) -> bool {
        let _ = body;
        false
    }

    /// True if it may follow from other warnings, and is therefore reported after them.
    fn is_consequence(&self) -> bool {
        false
    }

    /// Message, label, remedy and note.
    fn describe(&self, context: &Context<'_>) -> Diagnostic;
}

/// A struct that a [`WarningKind`] may hold.
#[expect(private_bounds, reason = "descriptions are made by surveys only")]
pub trait Variant: Describe {
    /// The warning, if it is of this kind.
    fn of(kind: &WarningKind) -> Option<&Self>;
}

/// The document around a warning, for its sentences.
pub(crate) struct Context<'a> {
    pub code: Code,
    /// Name of the body or camera.
    pub name: &'a str,
    /// Record that the parameter belongs to.
    pub record: &'a Record,
    /// Name of the parameter.
    pub field: &'static str,
    /// The parameter and its owner in words.
    pub parameter: String,
    /// "at frame 12", or "in frames 12–40, worst at frame 31".
    pub when: String,
    /// Time of the worst frame, in seconds.
    pub time: f64,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        warning: &'a Warning,
        body: &'a Record,
        lowered: &'a Lowered,
        worst: i64,
        when: String,
    ) -> Self {
        let name = body.name();
        Self {
            code: warning.code(),
            name,
            record: warning.subject.find(lowered, body).unwrap_or(body),
            field: warning.field,
            parameter: match &warning.subject {
                Subject::Body | Subject::Part(_) => {
                    format!("`{}` of `{name}`", warning.parameter())
                }
                Subject::Collider(name) => {
                    format!("`{}` of the collider `{name}`", warning.field)
                }
            },
            when,
            time: lowered.shot.seconds(worst as f64),
        }
    }

    /// Starts a diagnostic at the parameter; at the record itself if that does not have it.
    fn diagnostic(&self, message: String, label: String) -> Diagnostic {
        let span = self.record.span(self.given_field());
        Diagnostic::new(self.code, message).label(span, self.path(), label)
    }

    /// Path of the parameter; that of the name if the record does not have the parameter.
    fn path(&self) -> Path {
        self.record.path_of(self.given_field())
    }

    fn given_field(&self) -> &'static str {
        if self.record.has(self.field) { self.field } else { "name" }
    }

    /// The dynamics record of the body.
    fn dynamics(&self) -> Option<&'a Record> {
        self.record.record("dynamics")
    }
}

/// Owner of a parameter, relative to the body that is posed, so that it stays valid when other bodies
/// are added or removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The body or the camera itself.
    Body,
    /// A record in it: `waves[0]`, `layers[1].envelope`.
    Part(Arc<Path>),
    /// A collider that the body is clamped against, by its name.
    Collider(Arc<str>),
}

impl Subject {
    /// The subject of the parameters of a record.
    pub(crate) fn record(record: &Record) -> Self {
        let path = record.path();
        match path.steps() {
            [Step::Field(list), ..] if **list == *"collider" => {
                Self::Collider(record.name().into())
            }
            [_, _, part @ ..] if !part.is_empty() => {
                Self::Part(Arc::new(part.iter().cloned().collect()))
            }
            _ => Self::Body,
        }
    }

    /// The record, if the document still has it.
    fn find<'l>(&self, lowered: &'l Lowered, body: &'l Record) -> Option<&'l Record> {
        match self {
            Self::Body => Some(body),
            Self::Collider(name) => lowered.collider_index(name).map(|i| &*lowered.colliders[i]),
            Self::Part(path) => {
                let mut record = body;
                let mut steps = path.steps().iter().peekable();
                while let Some(Step::Field(name)) = steps.next() {
                    record = match steps.next_if(|step| matches!(step, Step::Index(_))) {
                        Some(Step::Index(index)) => record.records(name).get(*index)?,
                        _ => record.record(name)?,
                    };
                }
                Some(record)
            }
        }
    }
}

impl Warning {
    /// A warning about a parameter of the body itself.
    pub(crate) fn new(field: &'static str, kind: impl Into<WarningKind>) -> Self {
        Self { subject: Subject::Body, field, kind: kind.into() }
    }

    /// The warning of a model that posed a rope whose ends are `gap` metres apart.
    pub(crate) fn from_pose(warning: PoseWarning, gap: f64) -> Self {
        match warning {
            PoseWarning::TooShort { length, gap: needed } if length >= gap => {
                Self::new("length", TooShortOver { length, needed, gap })
            }
            PoseWarning::TooShort { length, gap } => Self::new("length", TooShort { length, gap }),
            PoseWarning::TooLong { left_over } => Self::new("length", TooLong { left_over }),
            PoseWarning::TooWavy { share, missing } => {
                Self::new("waves", TooWavy { share, missing })
            }
            PoseWarning::TooFine { error_bound } => {
                Self::new("waves", TooFine { doubt: error_bound })
            }
            PoseWarning::Pincers(PincerWarning::TooMany { held, coils }) => {
                Self::new("pincers", PinchedTooMany { held, coils })
            }
            PoseWarning::Pincers(PincerWarning::NoRoom { held, coils }) => {
                Self::new("pincers", PincersLeaveNoRoom { held, coils })
            }
            PoseWarning::Pincers(PincerWarning::Overlap { first, second }) => {
                Self::new("pincers", PincersOverlap { first, second })
            }
            PoseWarning::WireTooShort { wire, backbone } => {
                Self::new("wire-length", WireTooShort { wire, backbone })
            }
            PoseWarning::WireTooLong { wire, wound } => {
                Self::new("wire-length", WireTooLong { wire, wound })
            }
            PoseWarning::BendPastEnd { bend, end } => Self::new("bends", BendPastEnd { bend, end }),
            PoseWarning::SpanTooLong { span, length } => {
                Self::new("span-length", SpanTooLong { span, length })
            }
        }
    }

    /// The warning as one kind, if it is of that kind.
    ///
    /// ```
    /// use lariat_eval::warning::{BeyondEnd, Warning};
    ///
    /// fn place(warning: &Warning) -> Option<f64> {
    ///     warning.get::<BeyondEnd>().map(|beyond| beyond.at)
    /// }
    /// ```
    pub fn get<V: Variant>(&self) -> Option<&V> {
        V::of(&self.kind)
    }

    /// Address of the parameter as seen from its body: `length`, `waves[0].magnitude`; or from the
    /// document: `collider.barrel.radius`.
    pub fn parameter(&self) -> String {
        match &self.subject {
            Subject::Body => self.field.to_owned(),
            Subject::Part(path) => Path::clone(path).field(self.field).to_string(),
            Subject::Collider(name) => {
                Path::root().field("collider").field(name.clone()).field(self.field).to_string()
            }
        }
    }

    /// Code of the page that explains it.
    pub fn code(&self) -> Code {
        self.kind.described().code()
    }

    /// Size of the fault, to find the worst frame of a shot; comparable within one code.
    pub fn size(&self) -> f64 {
        self.kind.described().size()
    }

    /// Its numbers with their names, for programs.
    pub fn numbers(&self) -> Vec<(&'static str, f64)> {
        self.kind.described().numbers()
    }

    pub(crate) fn described(&self) -> &dyn Describe {
        self.kind.described()
    }
}

/// Removes repeated warnings: a radius is read for the clamps and again for the surface.
pub(crate) fn deduplicate(warnings: &mut Vec<Warning>) {
    let mut kept = 0;
    for next in 0..warnings.len() {
        if !warnings[..kept].contains(&warnings[next]) {
            warnings.swap(kept, next);
            kept += 1;
        }
    }
    warnings.truncate(kept);
}
