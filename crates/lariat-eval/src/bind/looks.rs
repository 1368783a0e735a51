//! What every body has: radius, taper, profile, material, colour, twist.

use std::sync::Arc;

use lariat_core::curve::Framing;
use lariat_core::geometry::{Material, Profile, Strand, Sweep};
use lariat_core::model::Pose;
use lariat_core::model::layer::Rotation;
use lariat_core::motion::{Channel, Colour};
use lariat_scene::lower::{Outline, Record};

use super::{Body, Model};
use crate::moment::Warning;
use crate::number::Number;
use crate::scene::World;

#[derive(Debug)]
pub(crate) struct Looks {
    pub radius: Number,
    taper: Vec<(f64, f64)>,
    twist: Number,
    profile: Outline,
    /// The outline of a profile by hand, made once.
    by_hand: Option<Profile>,
    width: Number,
    thickness: Number,
    pub material: Arc<str>,
    pub colour: Channel<Colour>,
    pub visible: Channel<bool>,
    framing: Framing,
}

impl Looks {
    pub(super) fn bind(record: &Record) -> Self {
        let profile = record.outline("profile").cloned().unwrap_or(Outline::Round);
        let by_hand = match &profile {
            Outline::Points { points, closed: true } => {
                Some(Profile::Closed(points.as_slice().into()))
            }
            Outline::Points { points, closed: false } => {
                Some(Profile::Open(points.as_slice().into()))
            }
            Outline::Round | Outline::Flat => None,
        };
        Self {
            radius: Number::of(record, "radius"),
            taper: record.along("taper").unwrap_or_default().to_vec(),
            twist: Number::of(record, "twist"),
            profile,
            by_hand,
            width: Number::of(record, "width"),
            thickness: Number::of(record, "thickness"),
            material: record.text("material").unwrap_or("rope").into(),
            colour: record.colour("colour").cloned().unwrap_or(Channel::Constant(Colour([0.5; 3]))),
            visible: record.switch("visible").cloned().unwrap_or(Channel::Constant(true)),
            framing: match record.choice("frames") {
                Some("fixed") => Framing::Fixed(glam::DVec3::Z),
                Some("frenet") => Framing::Frenet,
                _ => Framing::RotationMinimising,
            },
        }
    }

    pub(super) fn is_still(&self) -> bool {
        [&self.radius, &self.twist, &self.width, &self.thickness].iter().all(|n| n.is_constant())
            && self.colour.is_constant()
            && self.visible.is_constant()
    }

    /// An empty strand of this body's material.
    pub(super) fn strand(&self, name: &str) -> Strand {
        Strand::empty(name, Material { name: self.material.clone(), colour: self.colour.at(0.0).0 })
    }

    /// How far clamps keep the middle of the rope away, if they do not say.
    pub(super) fn margin(&self, t: f64, warnings: &mut Vec<Warning>) -> f64 {
        match self.profile {
            Outline::Flat => 0.5 * self.thickness.at(t, warnings),
            _ => self.radius.at(t, warnings),
        }
    }

    /// Sweeps `strand` along `pose`.
    pub(super) fn sweep(
        &self,
        pose: &Pose,
        body: &Body,
        world: &World<'_>,
        strand: &mut Strand,
        warnings: &mut Vec<Warning>,
    ) {
        let t = world.t;
        let mut radius = self.radius.at(t, warnings);
        match (&self.profile, &self.by_hand) {
            (Outline::Flat, _) => {
                let width = self.width.at(t, warnings);
                radius = 0.5 * width;
                strand.profile = Profile::flat(width, self.thickness.at(t, warnings));
            }
            (_, Some(profile)) => strand.profile = profile.clone(),
            _ => {}
        }
        if !self.colour.is_constant() {
            strand.material.colour = self.colour.at(t).0;
        }
        let turns = self.twist.at(t, warnings);
        // Around a backbone, rotation layers turn the winding; elsewhere, the profile.
        let layered = !body.layers.rotations.is_empty() && !matches!(body.model, Model::Coiled(_));
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
    }
}
