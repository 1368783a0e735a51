//! Anchors of ropes and cameras: points, locators, places on other bodies.
//!
//! Tests: `a_rope_follows_its_locator`, `the_middle_of_a_body_is_the_middle_of_its_length`,
//! `an_offset_follows_the_frames_of_its_body`, `a_place_stays_on_its_piece_of_a_torn_rope`.

use glam::{DMat3, DVec3};
use lariat_core::curve::{Frame, Framing, surface::Axis};
use lariat_core::geometry::Strand;
use lariat_core::motion::Channel;
use lariat_core::num::ops;
use lariat_scene::lower::{Anchor, Lowered, Record};

use crate::handles::HandleKind;
use crate::moment::BodyMoment;
use crate::scene::World;
use crate::warning::{BeyondEnd, Warning};

/// A named place.
#[derive(Debug)]
pub(crate) struct BoundLocator {
    position: Channel<DVec3>,
    rotation: Channel<DVec3>,
}

/// Rotation about X, then Y, then Z of the world, in degrees; columns are the rotated axes.
pub fn rotation(degrees: DVec3) -> DMat3 {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.to_array().map(|d| ops::sin_cos(ops::radians(d)));
    DMat3::from_cols(
        DVec3::new(cy * cz, cy * sz, -sy),
        DVec3::new(sx * sy * cz - cx * sz, sx * sy * sz + cx * cz, sx * cy),
        DVec3::new(cx * sy * cz + sx * sz, cx * sy * sz - sx * cz, cx * cy),
    )
}

impl BoundLocator {
    pub(crate) fn bind(record: &Record) -> Self {
        let vector = |name| record.vector(name).cloned().unwrap_or(Channel::Constant(DVec3::ZERO));
        Self { position: vector("position"), rotation: vector("rotation") }
    }

    fn at(&self, t: f64, offset: DVec3) -> DVec3 {
        let position = self.position.at(t);
        if offset == DVec3::ZERO { position } else { position + self.axes(t) * offset }
    }

    fn axes(&self, t: f64) -> DMat3 {
        rotation(self.rotation.at(t))
    }

    pub(crate) fn is_still(&self) -> bool {
        self.position.is_constant() && self.rotation.is_constant()
    }
}

/// A place at which a rope or a camera is attached.
#[derive(Debug)]
pub(crate) enum Place {
    Point(Channel<DVec3>),
    Locator { index: usize, offset: Channel<DVec3>, still: bool },
    Body { index: usize, at: Channel<f64>, offset: Channel<DVec3>, field: &'static str },
}

impl Place {
    pub(crate) fn bind(record: &Record, lowered: &Lowered, field: &'static str) -> Self {
        let nowhere = Self::Point(Channel::Constant(DVec3::ZERO));
        match record.anchor(field) {
            Some(Anchor::Point(channel)) => Self::Point(channel.clone()),
            Some(Anchor::Locator { name, offset }) => {
                lowered.locator_index(name).map_or(nowhere, |index| {
                    let still = BoundLocator::bind(&lowered.locators[index]).is_still();
                    Self::Locator { index, offset: offset.clone(), still }
                })
            }
            Some(Anchor::Body { name, at, offset }) => {
                lowered.body_index(name).map_or(nowhere, |index| Self::Body {
                    index,
                    at: at.clone(),
                    offset: offset.clone(),
                    field,
                })
            }
            None => nowhere,
        }
    }

    pub(crate) fn at(&self, world: &World<'_>, warnings: &mut Vec<Warning>) -> DVec3 {
        match self {
            Self::Point(channel) => channel.at(world.t),
            Self::Locator { index, offset, .. } => {
                world.scene.locators[*index].at(world.t, offset.at(world.t))
            }
            Self::Body { index, at, offset, field } => {
                let at = at.at(world.t);
                if !(0.0..=1.0).contains(&at) {
                    warnings.push(Warning::new(field, BeyondEnd { at }));
                }
                on_body(world.body(*index), at.clamp(0.0, 1.0), offset.at(world.t))
            }
        }
    }

    /// The object that a handle at this place moves.
    pub(crate) fn handle_kind(&self) -> HandleKind {
        match self {
            Self::Point(_) => HandleKind::Point,
            Self::Locator { .. } => HandleKind::Locator,
            Self::Body { .. } => HandleKind::Body,
        }
    }

    /// The axes of the offset at the world's time.
    pub(crate) fn offset_axes(&self, world: &World<'_>) -> DMat3 {
        match self {
            Self::Point(_) => DMat3::IDENTITY,
            Self::Locator { index, .. } => world.scene.locators[*index].axes(world.t),
            Self::Body { index, at, .. } => {
                let (body, at) = (world.body(*index), at.at(world.t).clamp(0.0, 1.0));
                let origin = on_body(body, at, DVec3::ZERO);
                DMat3::from_cols_array_2d(
                    &DVec3::AXES.map(|axis| (on_body(body, at, axis) - origin).to_array()),
                )
            }
        }
    }

    /// The X axis of a locator: the direction in which a spring leaves it.
    pub(crate) fn outward(&self, world: &World<'_>) -> Option<DVec3> {
        match self {
            Self::Locator { index, .. } => Some(world.scene.locators[*index].axes(world.t).x_axis),
            Self::Point(_) | Self::Body { .. } => None,
        }
    }

    /// Index of the body that the place is on, if it is on one.
    pub(crate) fn body(&self) -> Option<usize> {
        match self {
            Self::Body { index, .. } => Some(*index),
            Self::Point(_) | Self::Locator { .. } => None,
        }
    }

    pub(crate) fn is_still(&self) -> bool {
        match self {
            Self::Point(channel) => channel.is_constant(),
            Self::Locator { offset, still, .. } => *still && offset.is_constant(),
            Self::Body { at, offset, .. } => at.is_constant() && offset.is_constant(),
        }
    }
}

/// The place `at` (a fraction of arc length) along a body, shifted in the frame there.
pub(crate) fn on_body(body: &BodyMoment, at: f64, offset: DVec3) -> DVec3 {
    // A mesh is held at its origin; `at` has no meaning for it.
    if let Some(placement) = &body.placement {
        return placement.position + placement.axes * offset;
    }
    // On a torn rope, a follower stays with its piece.
    if body.spine.is_none() && body.strands.len() > 1 {
        // Of two ends at a tear, that of the piece before it.
        let on = body.strands.iter().find_map(|strand| Some((strand, strand.piece?.along(at)?)));
        if let Some((strand, u)) = on {
            let mut own = BodyMoment::default();
            own.strands.push(strand.clone());
            return on_body(&own, u, offset);
        }
    }
    let spine = body.spine();
    let (Some(first), Some(last)) = (spine.first(), spine.last()) else { return DVec3::ZERO };
    let still = offset == DVec3::ZERO;
    // The ends are exact.
    if still && at == 0.0 {
        return *first;
    }
    if still && at == 1.0 {
        return *last;
    }
    let Some(spline) = body.smooth_spine() else { return *first };
    let u = if at == 1.0 { 1.0 } else { spline.parameter_at(at * spline.length()) };
    let point = spline.point(u);
    if still {
        return point;
    }
    // A drawn strand has frames; otherwise they are rotation-minimising.
    let drawn = if body.spine.is_none() { body.strands.first() } else { None };
    let frame = drawn.and_then(|strand| frame_of(strand, u)).unwrap_or_else(|| {
        let up = body.spine.as_ref().map_or(DVec3::Z, |spine| spine.up);
        Axis::around(spline.clone(), up, Framing::RotationMinimising).at(u).1
    });
    point + frame.tangent() * offset.x + frame.normal() * offset.y + frame.binormal() * offset.z
}

/// The frame of a strand at `u`, interpolated between those of its points.
fn frame_of(strand: &Strand, u: f64) -> Option<Frame> {
    let frames = strand.frames();
    let place = u * frames.len().checked_sub(1)? as f64;
    let before = (place.floor() as usize).min(frames.len().checked_sub(2)?);
    let (a, b, share) = (&frames[before], &frames[before + 1], place - before as f64);
    let between = |a: DVec3, b: DVec3| a + (b - a) * share;
    let tangent = between(a.tangent(), b.tangent());
    let normal = between(a.normal(), b.normal());
    // Opposite frames at neighbouring points have no middle.
    let has_middle = tangent.length_squared() > 1e-12 && normal.length_squared() > 1e-12;
    Some(if has_middle { Frame::new(tangent, normal) } else { *a })
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, RopePiece, Sweep};

    use super::*;

    #[test]
    fn a_place_stays_on_its_piece_of_a_torn_rope() {
        let piece = |from: f64, to: f64, drop: f64| {
            let points: Vec<DVec3> = (0..=4)
                .map(|i| from + (to - from) * f64::from(i) / 4.0)
                .map(|u| DVec3::new(u, 0.0, drop))
                .collect();
            let look = Look { name: "rope".into(), colour: [0.5; 3] };
            let mut strand = Strand::empty("rope", look);
            strand.sweep(&points, &Sweep::round(DVec3::Z, 0.01));
            strand.piece = Some(RopePiece::whole(1.0, 0.01).part(from, to));
            strand
        };
        let mut body = BodyMoment::default();
        body.strands = vec![piece(0.0, 0.25, 0.0), piece(0.25, 1.0, -2.0)];
        assert_eq!(on_body(&body, 1.0, DVec3::ZERO), DVec3::new(1.0, 0.0, -2.0));
        assert_eq!(on_body(&body, 0.25, DVec3::ZERO), DVec3::X * 0.25);
        let inside = on_body(&body, 0.5, DVec3::ZERO);
        assert!(inside.distance(DVec3::new(0.5, 0.0, -2.0)) < 1e-9, "{inside}");
    }

    #[test]
    fn rotation_goes_about_x_then_y_then_z() {
        let about = |axis: DVec3, v: DVec3| rotation(axis * 90.0) * v;
        assert!(about(DVec3::X, DVec3::Y).distance(DVec3::Z) < 1e-15);
        assert!(about(DVec3::Y, DVec3::Z).distance(DVec3::X) < 1e-15);
        assert!(about(DVec3::Z, DVec3::X).distance(DVec3::Y) < 1e-15);
        // First X, then Z: Y goes to Z and stays there.
        assert!((rotation(DVec3::new(90.0, 0.0, 90.0)) * DVec3::Y).distance(DVec3::Z) < 1e-15);
    }
}
