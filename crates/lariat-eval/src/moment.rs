//! What bodies look like and cameras see at one frame, and what could not be done as told.

use std::sync::{Arc, OnceLock};

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_core::geometry::{Camera, Mesh, Strand};
use lariat_core::model::PoseWarning;
use lariat_core::model::layer::coils::PincerWarning;
use lariat_scene::check::Code;
use lariat_scene::lower::{Lowered, Record};
use lariat_scene::{Path, Step};
use lariat_string::Cause;

use crate::bind::Placement;

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
    /// Its mesh, if it is one and its file could be read; drawn if it is visible.
    pub mesh: Option<Mesh>,
    /// Whether it is drawn; a hidden body still holds what hangs on it.
    pub visible: bool,
    /// Metres of rope beyond the straight gap, for ropes that span one.
    pub slack: Option<f64>,
    /// What could not be done as told.
    pub warnings: Vec<Warning>,
    /// The curve that others attach to, where it is not the first strand.
    pub(crate) spine: Option<Spine>,
    /// Where it is, for a mesh; what hangs on it is held there.
    pub(crate) placement: Option<Placement>,
    smooth: Smooth,
}

/// One camera at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraMoment {
    /// Where it stands and what it sees.
    pub camera: Camera,
    /// What could not be done as told.
    pub warnings: Vec<Warning>,
}

/// The smooth curve through a spine, made when something first attaches to it. It follows from the
/// points, so it has no say in whether two bodies are equal.
#[derive(Clone, Debug, Default)]
struct Smooth(OnceLock<Option<Spline>>);

impl PartialEq for Smooth {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A curve that is not drawn itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spine {
    pub(crate) points: Vec<DVec3>,
    /// Chooses the first normal along it.
    pub(crate) up: DVec3,
}

impl BodyMoment {
    /// Makes ready for another pose, in the same memory.
    pub(crate) fn clear(&mut self) {
        self.warnings.clear();
        self.slack = None;
        self.spine = None;
        self.placement = None;
        self.smooth = Smooth::default();
    }

    /// The smooth curve that others attach to; `None` where there are fewer than two points.
    pub(crate) fn smooth_spine(&self) -> Option<&Spline> {
        let through = || Polyline::new(self.spine().to_vec()).ok().map(|p| Spline::through(&p));
        self.smooth.0.get_or_init(through).as_ref()
    }

    /// The curve that others attach to; none for a mesh.
    pub fn spine(&self) -> &[DVec3] {
        match (&self.spine, self.strands.first()) {
            (Some(spine), _) => &spine.points,
            (None, Some(strand)) => strand.points(),
            (None, None) => &[],
        }
    }
}

/// Something that could not be done as told, at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// What has the parameter that it is about.
    pub of: Subject,
    /// That parameter.
    pub field: &'static str,
    /// What it is.
    pub trouble: Trouble,
}

/// What a parameter belongs to, as the body sees it that is posed; so that bodies may come and go
/// around it.
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
    /// Where the parameters of a record belong.
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
    pub(crate) fn find<'l>(&self, lowered: &'l Lowered, body: &'l Record) -> Option<&'l Record> {
        match self {
            Self::Body => Some(body),
            Self::Collider(name) => lowered.collider_index(name).map(|i| &lowered.colliders[i]),
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

/// What strings and solids are kept out of, and may yet lie in when they start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObstacleName {
    /// The floor of a body, by its name.
    Floor(Arc<str>),
    /// A collider, by its name.
    Collider(Arc<str>),
    /// A solid that is simulated, by its name.
    Solid(Arc<str>),
}

impl ObstacleName {
    /// What a body calls it.
    pub(crate) fn called_by(&self, body: &str) -> String {
        match self {
            Self::Floor(of) if **of == *body => "its floor".to_owned(),
            Self::Floor(of) => format!("the floor of `{of}`"),
            Self::Collider(name) | Self::Solid(name) => format!("`{name}`"),
        }
    }
}

/// What can go wrong at a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The model could only come near to what was asked.
    Model(PoseWarning),
    /// A rope could span its gap, but not the way over a floor or around colliders.
    TooShortOver {
        /// Metres of rope.
        length: f64,
        /// Metres that the way takes.
        needed: f64,
        /// Metres between the ends.
        gap: f64,
    },
    /// An end is held inside what the rope is clamped against.
    EndInside {
        /// Metres below the surface.
        depth: f64,
        /// The collider; nothing for the floor.
        collider: Option<Arc<str>>,
    },
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
    /// A camera stands where it looks.
    NowhereToLook {
        /// Where that is, in metres.
        eye: DVec3,
    },
    /// A simulation went no further.
    SimulationStopped {
        /// When, in seconds.
        time: f64,
        /// The same as a frame.
        frame: f64,
        /// Why, as a sentence without its body.
        why: Arc<str>,
    },
    /// A rope is held further apart than it could bear.
    PinOutOfReach {
        /// Where along the rope the first place is, 0–1.
        first: f64,
        /// And the second.
        second: f64,
        /// Metres between the two places.
        apart: f64,
        /// Metres of rope between them.
        rope: f64,
        /// How much longer it could become before it breaks, 0.1 being a tenth.
        most: f64,
    },
    /// A rope is pulled longer than it could bear.
    Overstretched {
        /// Metres that it is long.
        long: f64,
        /// Metres at rest.
        length: f64,
        /// How much longer it could become before it breaks, 0.1 being a tenth.
        most: f64,
    },
    /// A rope has too few control points for the curve that it starts from.
    PoseMissed {
        /// Metres that it is off.
        missed: f64,
        /// Metres that nobody would see.
        bearable: f64,
        /// How many it has.
        control_points: usize,
    },
    /// A pin holds a place of a string that is elsewhere.
    PinMissed {
        /// Where along the string, 0–1.
        at: f64,
        /// Metres between the two when the simulation starts.
        missed: f64,
        /// Where the string is there, in metres.
        place: DVec3,
        /// The solid that it is tied to, if to one that is simulated.
        solid: Option<Arc<str>>,
    },
    /// The pose that a string starts from runs through something that it touches.
    RunsThrough {
        /// What that is.
        through: ObstacleName,
        /// Whether its model keeps it out of that, or it is tied to it.
        own: bool,
        /// When it starts, as a frame.
        frame: f64,
        /// From where to where along the string, 0–1.
        part: [f64; 2],
        /// Metres of it that are inside.
        long: f64,
        /// Metres below the surface, at most.
        depth: f64,
        /// Where it comes in on its way to an end that is tied there, from the middle of the solid along
        /// its own axes.
        offset: Option<DVec3>,
    },
    /// A solid starts inside of something that it bumps into.
    StartsInside {
        /// What that is.
        inside: ObstacleName,
        /// When it starts, as a frame.
        frame: f64,
        /// Metres that it is inside.
        depth: f64,
        /// Where it would be outside, in metres.
        place: DVec3,
    },
    /// The steps of a simulation are longer than its method bears, and are made in parts.
    StepTooLong {
        /// Steps a second.
        rate: f64,
        /// Steps a second that it would take.
        needed: f64,
    },
    /// Two pins hold nearly the same place of a rope in different places.
    PinsMeet {
        /// Where along the rope the first is, 0–1.
        first: f64,
        /// And the second.
        second: f64,
        /// Metres between where they hold it.
        apart: f64,
    },
    /// A string became two.
    Torn {
        /// How many times it had torn before.
        which: usize,
        /// When, as a frame.
        frame: f64,
        /// Where along it, 0–1.
        at: f64,
        /// Why.
        cause: Cause,
        /// The pull that it bears there.
        newtons: f64,
        /// The turns in a metre that it bears there.
        turns: f64,
    },
    /// A string tore more often than is told one by one.
    TornOn {
        /// How many more times by now.
        more: usize,
        /// When last, as a frame.
        frame: f64,
    },
    /// A string that keeps its length is held so tight that its own weight would tear it.
    HeldTight {
        /// Metres from one hold to the next.
        apart: f64,
        /// Metres of string between them.
        rope: f64,
        /// What its weight pulls with; infinite if it is straight.
        newtons: f64,
        /// The pull that it bears.
        bears: f64,
        /// Metres of sag that would do.
        sag: f64,
    },
    /// A string is stiffer against bending than its steps can follow.
    TooStiff {
        /// What it was told, in N m².
        stiffness: f64,
        /// The most that its steps follow.
        most: f64,
        /// Steps a second.
        rate: f64,
    },
    /// A number of what a string is made of lies beyond the one that must be larger.
    OutOfOrder {
        /// Which was given, and which it must not exceed.
        fields: [&'static str; 2],
        /// What they are.
        values: [f64; 2],
    },
    /// A string of lights would need more points than it may have.
    TooMany {
        /// How many it would need.
        needed: f64,
        /// How many it may have.
        most: u64,
    },
}

impl Warning {
    /// What a model found while it posed a rope whose ends are `gap` apart.
    pub(crate) fn model(diagnostic: PoseWarning, gap: f64) -> Self {
        let field = match diagnostic {
            PoseWarning::TooShort { .. } | PoseWarning::TooLong { .. } => "length",
            PoseWarning::TooWavy { .. } | PoseWarning::TooFine { .. } => "waves",
            PoseWarning::Pincers(_) => "pincers",
            PoseWarning::WireTooShort { .. } | PoseWarning::WireTooLong { .. } => "wire-length",
            PoseWarning::BendPastEnd { .. } => "bends",
            PoseWarning::SpanTooLong { .. } => "span-length",
        };
        let trouble = match diagnostic {
            PoseWarning::TooShort { length, gap: needed } if length >= gap => {
                Trouble::TooShortOver { length, needed, gap }
            }
            _ => Trouble::Model(diagnostic),
        };
        Self { of: Subject::Body, field, trouble }
    }

    /// The address of the parameter, as seen from its body: `length`, `waves[0].magnitude`; or
    /// from the document: `collider.barrel.radius`.
    pub fn parameter(&self) -> String {
        match &self.of {
            Subject::Body => self.field.to_owned(),
            Subject::Part(path) => Path::clone(path).field(self.field).to_string(),
            Subject::Collider(name) => {
                Path::root().field("collider").field(name.clone()).field(self.field).to_string()
            }
        }
    }

    /// The code under which it is explained.
    pub fn code(&self) -> Code {
        match self.trouble {
            Trouble::Model(PoseWarning::TooShort { .. }) | Trouble::TooShortOver { .. } => {
                Code::RopeTooShort
            }
            Trouble::EndInside { .. } => Code::EndInside,
            Trouble::Model(PoseWarning::TooWavy { .. }) => Code::NotEnoughSlack,
            Trouble::Model(PoseWarning::TooLong { .. }) => Code::ExcessRope,
            Trouble::Model(PoseWarning::Pincers(PincerWarning::TooMany { .. })) => {
                Code::PincersHoldTooManyAtFrame
            }
            Trouble::Model(PoseWarning::Pincers(PincerWarning::Overlap { .. })) => {
                Code::PincersMeetAtFrame
            }
            Trouble::Model(PoseWarning::Pincers(PincerWarning::NoRoom { .. })) => {
                Code::PincersLeaveNoRoom
            }
            Trouble::Model(PoseWarning::WireTooShort { .. }) => Code::WireTooShort,
            Trouble::Model(PoseWarning::WireTooLong { .. }) => Code::WireTooLong,
            Trouble::Model(PoseWarning::TooFine { .. }) => Code::WavesTooFine,
            Trouble::Model(PoseWarning::BendPastEnd { .. }) => Code::BendPastEndAtFrame,
            Trouble::Model(PoseWarning::SpanTooLong { .. }) => Code::SpanTooLongAtFrame,
            Trouble::LeftRange { .. } => Code::LeavesRange,
            Trouble::BeyondEnd { .. } => Code::AttachedBeyondEnd,
            Trouble::TooMany { .. } => Code::TooManyPointsAtFrame,
            Trouble::NowhereToLook { .. } => Code::CameraAtTarget,
            Trouble::SimulationStopped { .. } => Code::SimulationStopped,
            Trouble::PinOutOfReach { .. } | Trouble::Overstretched { .. } => Code::Overstretched,
            Trouble::PoseMissed { .. } => Code::StartPoseMissed,
            Trouble::PinMissed { .. } => Code::PinAwayFromString,
            Trouble::RunsThrough { .. } => Code::StartPoseIntersects,
            Trouble::StartsInside { .. } => Code::SolidStartsInside,
            Trouble::StepTooLong { .. } => Code::StepTooLong,
            Trouble::PinsMeet { .. } => Code::PinsMeet,
            Trouble::Torn { .. } | Trouble::TornOn { .. } => Code::StringTorn,
            Trouble::HeldTight { .. } => Code::TooTight,
            Trouble::TooStiff { .. } => Code::TooStiff,
            Trouble::OutOfOrder { .. } => Code::YieldOrder,
        }
    }

    /// How bad it is, to find the worst frame of a shot; comparable within one code.
    pub fn size(&self) -> f64 {
        match self.trouble {
            Trouble::Model(PoseWarning::TooShort { length, gap }) => gap - length,
            Trouble::TooShortOver { length, needed, .. } => needed - length,
            Trouble::EndInside { depth, .. } => depth,
            Trouble::Model(PoseWarning::TooWavy { missing, .. }) => missing,
            Trouble::Model(PoseWarning::TooLong { left_over }) => left_over,
            Trouble::Model(PoseWarning::Pincers(PincerWarning::TooMany { held, coils })) => {
                held - coils
            }
            Trouble::Model(PoseWarning::Pincers(PincerWarning::Overlap { .. })) => 1.0,
            Trouble::Model(PoseWarning::Pincers(PincerWarning::NoRoom { held, coils })) => {
                coils - held
            }
            Trouble::Model(PoseWarning::WireTooLong { wire, wound }) => wire - wound,
            Trouble::Model(PoseWarning::TooFine { doubt }) => doubt,
            Trouble::Model(PoseWarning::BendPastEnd { end, .. }) => end,
            Trouble::Model(PoseWarning::SpanTooLong { span, length }) => span - length,
            Trouble::Model(PoseWarning::WireTooShort { wire, backbone }) => backbone - wire,
            Trouble::LeftRange { value, held } => (value - held).abs(),
            Trouble::BeyondEnd { at } => (at - 0.5).abs(),
            Trouble::TooMany { needed, .. } => needed,
            Trouble::NowhereToLook { .. } => 1.0,
            Trouble::SimulationStopped { .. } => 1.0,
            Trouble::PinOutOfReach { apart, rope, .. } => apart - rope,
            Trouble::Overstretched { long, length, .. } => long - length,
            Trouble::PoseMissed { missed, .. } | Trouble::PinMissed { missed, .. } => missed,
            Trouble::RunsThrough { depth, .. } | Trouble::StartsInside { depth, .. } => depth,
            Trouble::StepTooLong { rate, needed } => needed / rate,
            Trouble::PinsMeet { apart, .. } => apart,
            Trouble::Torn { .. } => 1.0,
            Trouble::TornOn { more, .. } => more as f64,
            Trouble::HeldTight { newtons, .. } => newtons,
            Trouble::TooStiff { stiffness, most, .. } => stiffness / most,
            Trouble::OutOfOrder { values: [one, other], .. } => one / other,
        }
    }
}

/// Leaves out what is said again: a radius is read for the clamps and for the surface.
pub(crate) fn each_once(warnings: &mut Vec<Warning>) {
    let mut kept = 0;
    for next in 0..warnings.len() {
        if !warnings[..kept].contains(&warnings[next]) {
            warnings.swap(kept, next);
            kept += 1;
        }
    }
    warnings.truncate(kept);
}
