//! Looks common to all bodies: radius, taper, profile, look, colour, twist, frayed ends.

use std::sync::Arc;

use lariat_core::curve::Framing;
use lariat_core::geometry::{Look, Profile, Strand, Sweep, natural_colour};
use lariat_core::model::Pose;
use lariat_core::model::layer::Rotation;
use lariat_core::motion::{Channel, Colour};
use lariat_scene::lower::{CrossSection, Record};

use super::{Body, Model};
use crate::number::Number;
use crate::scene::World;
use crate::tint::Tint;
use crate::warning::Warning;

/// Name of the only strand of a body.
pub(super) const ROPE: &str = "rope";

#[derive(Debug)]
pub(crate) struct Looks {
    pub radius: Number,
    taper: Vec<(f64, f64)>,
    twist: Number,
    profile: CrossSection,
    /// The cross-section, made once; none if it changes with time.
    fixed: Option<Profile>,
    width: Number,
    thickness: Number,
    pub look: Arc<str>,
    pub colour: Tint,
    pub visible: Channel<bool>,
    /// True for each end that is torn.
    torn: [bool; 2],
    pub(super) grain: u32,
    framing: Framing,
}

/// Hash of a name (FNV-1a), which seeds the grain of a body.
pub(super) fn grain_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The given colour; otherwise the natural colour of a given look; otherwise the model's default.
fn colour_of(record: &Record) -> Tint {
    let natural = || {
        let look = record.text("look").filter(|_| record.is_given("look"))?;
        natural_colour(look).map(|colour| Channel::Constant(Colour(colour)))
    };
    let given = record.colour("colour").cloned();
    let natural = if record.is_given("colour") { None } else { natural() };
    let channel = natural.or(given).unwrap_or(Channel::Constant(Colour([0.5; 3])));
    Tint::new(channel, "colour")
}

impl Looks {
    pub(super) fn bind(record: &Record) -> Self {
        let profile = record.cross_section("profile").cloned().unwrap_or(CrossSection::Round);
        let (width, thickness) = (Number::of(record, "width"), Number::of(record, "thickness"));
        let fixed = match &profile {
            CrossSection::Round => Some(Profile::Round),
            CrossSection::Points { points, closed: true } => {
                Some(Profile::Closed(points.as_slice().into()))
            }
            CrossSection::Points { points, closed: false } => {
                Some(Profile::Open(points.as_slice().into()))
            }
            CrossSection::Flat if width.is_constant() && thickness.is_constant() => {
                let ignored = &mut Vec::new();
                Some(Profile::flat(width.at(0.0, ignored), thickness.at(0.0, ignored)))
            }
            CrossSection::Flat => None,
        };
        Self {
            radius: Number::of(record, "radius"),
            taper: match record.along("taper") {
                Some(taper) => taper.to_vec(),
                None if record.kind() == "tail" => super::tail::TAPER.to_vec(),
                None => Vec::new(),
            },
            twist: Number::of(record, "twist"),
            profile,
            fixed,
            width,
            thickness,
            look: record.text("look").unwrap_or("rope").into(),
            colour: colour_of(record),
            visible: record.switch("visible").cloned().unwrap_or(Channel::Constant(true)),
            torn: match record.choice("frayed") {
                Some("start") => [true, false],
                Some("end") => [false, true],
                Some("both") => [true; 2],
                _ => [false; 2],
            },
            grain: grain_of(record.name()),
            framing: match record.choice("frames") {
                Some("fixed") => Framing::Fixed(glam::DVec3::Z),
                Some("frenet") => Framing::Frenet,
                _ => Framing::RotationMinimising,
            },
        }
    }

    /// Looks of a mesh, which has no radius.
    pub(super) fn of_mesh(record: &Record) -> Self {
        let none = || Number::constant(0.0);
        Self {
            radius: none(),
            taper: Vec::new(),
            twist: none(),
            profile: CrossSection::Round,
            fixed: Some(Profile::Round),
            width: none(),
            thickness: none(),
            look: record.text("look").unwrap_or("plain").into(),
            colour: colour_of(record),
            visible: record.switch("visible").cloned().unwrap_or(Channel::Constant(true)),
            torn: [false; 2],
            grain: grain_of(record.name()),
            framing: Framing::RotationMinimising,
        }
    }

    /// Factors on the radius along it.
    pub(crate) fn taper(&self) -> &[(f64, f64)] {
        &self.taper
    }

    /// Unit of the profile's points in metres: the radius, or half the width of a flat profile.
    pub(crate) fn reach(&self, t: f64) -> f64 {
        let ignored = &mut Vec::new();
        match self.profile {
            CrossSection::Flat => 0.5 * self.width.at(t, ignored),
            _ => self.radius.at(t, ignored),
        }
    }

    pub(super) fn is_still(&self) -> bool {
        [&self.radius, &self.twist, &self.width, &self.thickness].iter().all(|n| n.is_constant())
            && self.colour.is_constant()
            && self.visible.is_constant()
    }

    /// An empty strand of this body's material.
    pub(crate) fn strand(&self, name: &str) -> Strand {
        let ignored = &mut Vec::new();
        let colour = self.colour.at(0.0, ignored);
        Strand::empty(name, Look { name: self.look.clone(), colour })
    }

    /// Distance at which clamps keep the axis of the rope, unless given.
    pub(super) fn margin(&self, t: f64, warnings: &mut Vec<Warning>) -> f64 {
        match self.profile {
            CrossSection::Flat => 0.5 * self.thickness.at(t, warnings),
            _ => self.radius.at(t, warnings),
        }
    }

    /// Radius of a round rope with the same cross-sectional area, in metres.
    pub(crate) fn girth(&self, t: f64) -> f64 {
        let ignored = &mut Vec::new();
        match self.profile {
            CrossSection::Flat => {
                let area = self.width.at(t, ignored) * self.thickness.at(t, ignored);
                (area / std::f64::consts::PI).sqrt()
            }
            _ => self.radius.at(t, ignored),
        }
    }

    /// Sweeps `strand` along `pose` and sets its look. The memory may have been used by another
    /// body, or by this one before an edit.
    pub(crate) fn sweep(
        &self,
        pose: &Pose,
        body: &Body,
        world: &World<'_>,
        strand: &mut Strand,
        warnings: &mut Vec<Warning>,
    ) {
        let t = world.t;
        let mut radius = self.radius.at(t, warnings);
        if matches!(self.profile, CrossSection::Flat) {
            radius = 0.5 * self.width.at(t, warnings);
        }
        match &self.fixed {
            // Shared by all frames; changing the reference count is the expensive part.
            Some(profile) if is_same(profile, &strand.profile) => {}
            Some(profile) => strand.profile = profile.clone(),
            None => strand.profile = Profile::flat(2.0 * radius, self.thickness.at(t, warnings)),
        }
        if *strand.name != *ROPE {
            strand.name = ROPE.into();
        }
        if *strand.look.name != *self.look {
            strand.look.name = self.look.clone();
        }
        strand.look.colour = self.colour.at(t, warnings);
        // A closed curve has no ends.
        (strand.grain, strand.piece) = (self.grain, None);
        strand.torn = self.torn.map(|torn| torn && !pose.closed);
        let turns = self.twist.at(t, warnings);
        // Around a backbone, rotation layers turn the winding; elsewhere, the profile.
        let layered =
            !body.layers.rotations.is_empty() && !matches!(&*body.model, Model::Coiled(_));
        let mut rotations = Vec::new();
        if layered {
            body.layers.rotations(t, &mut rotations, warnings);
        }
        if turns != 0.0 {
            rotations.push(Rotation::even(turns));
        }
        let total = |u: f64| Rotation::total(&rotations, u);
        let sweep = Sweep {
            up: pose.up,
            framing: self.framing,
            closed: pose.closed,
            radius,
            taper: &self.taper,
            rotation: if rotations.is_empty() { None } else { Some(&total) },
        };
        strand.sweep(&pose.points, &sweep);
        strand.tension.clone_from(&pose.tension);
    }
}

/// True if two cross-sections are the same object, without comparing their points.
fn is_same(a: &Profile, b: &Profile) -> bool {
    match (a, b) {
        (Profile::Round, Profile::Round) => true,
        (Profile::Closed(a), Profile::Closed(b)) | (Profile::Open(a), Profile::Open(b)) => {
            Arc::ptr_eq(a, b)
        }
        _ => false,
    }
}
