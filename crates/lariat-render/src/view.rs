//! What is drawn and how well, and the interface that every renderer has.
//!
//! A view is one picture: strands and meshes at one or several moments, each with its camera, the stage,
//! the size, the quality. Several moments within the time that a shutter is open give motion blur:
//! their light is averaged, not their bytes.
//!
//! Tests: `a_quality_without_samples_is_refused`, `the_box_around_a_view_holds_its_moments`,
//! `a_map_has_a_colour_for_every_point`.

use lariat_core::geometry::{Bounds, Mesh, Strand};

use crate::{Camera, Picture, RenderError, Size, Stage};

/// Makes pictures.
pub trait Renderer {
    /// What it is called: `cpu`, …
    fn name(&self) -> &'static str;

    /// Draws one picture.
    fn draw(&mut self, view: &View<'_>) -> Result<Picture, RenderError>;
}

/// One picture to be drawn.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// What is seen; several moments blur into each other. One at least.
    pub moments: &'a [Moment<'a>],
    /// What is around it.
    pub stage: &'a Stage,
    /// Pixels across and down.
    pub size: Size,
    /// How much work is spent.
    pub quality: Quality,
}

/// The strands, the meshes and the camera at one time.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// Every strand that is there.
    pub strands: Vec<DrawnStrand<'a>>,
    /// Every mesh that is there, each as what it is made of, or in the colours of its points.
    pub meshes: Vec<&'a Mesh>,
    /// From where it is seen.
    pub camera: Camera,
}

impl<'a> Moment<'a> {
    /// Strands as one camera sees them, each as what it is made of.
    pub fn new(strands: impl IntoIterator<Item = &'a Strand>, camera: Camera) -> Self {
        let strands = strands.into_iter().map(DrawnStrand::from).collect();
        Self { strands, meshes: Vec::new(), camera }
    }

    /// The same with meshes.
    #[must_use]
    pub fn with_meshes(mut self, meshes: impl IntoIterator<Item = &'a Mesh>) -> Self {
        self.meshes.extend(meshes);
        self
    }

    /// The box around all that casts shadows: all but ghosts.
    pub(crate) fn bounds(&self) -> Bounds {
        let solid = self.strands.iter().filter(|drawn| !drawn.is_ghost());
        let strands = bounds_of(solid.map(|drawn| drawn.strand));
        self.meshes.iter().fold(strands, |bounds, mesh| bounds.union(Bounds::of_mesh(mesh)))
    }
}

/// A strand, and as what it is shown.
#[derive(Clone, Copy, Debug)]
pub struct DrawnStrand<'a> {
    /// Where it is.
    pub strand: &'a Strand,
    /// What it looks like.
    pub appearance: Appearance<'a>,
}

impl<'a> From<&'a Strand> for DrawnStrand<'a> {
    fn from(strand: &'a Strand) -> Self {
        Self { strand, appearance: Appearance::Look }
    }
}

impl DrawnStrand<'_> {
    /// Whether it belongs to a neighbouring moment and must leave no trace on this one.
    pub fn is_ghost(&self) -> bool {
        matches!(self.appearance, Appearance::Ghost { .. })
    }

    /// Refuses a map that does not have a colour, and a true one, for every point.
    pub fn check(&self) -> Result<(), RenderError> {
        let Appearance::Map(colours) = self.appearance else { return Ok(()) };
        let (points, strand) = (self.strand.points().len(), self.strand.name.to_string());
        if colours.len() != points {
            return Err(RenderError::Map { strand, points, colours: colours.len() });
        }
        for (point, colour) in colours.iter().enumerate() {
            if let Some(value) = colour.iter().find(|c| !c.is_finite()) {
                let (what, value) = ("colour", f64::from(*value));
                return Err(RenderError::NotFinite { strand, point, what, value });
            }
        }
        Ok(())
    }
}

/// How a strand is shown.
#[derive(Clone, Copy, Debug, Default)]
pub enum Appearance<'a> {
    /// With its own look.
    #[default]
    Look,
    /// Coloured by a measure: a linear colour per point. It is matte and does not glow; of its
    /// look only the bumps are left, without their tint.
    Map(&'a [[f32; 3]]),
    /// A neighbouring moment. It has one colour, lets through what is behind, casts no shadow, is
    /// not mirrored and does not glow. Where it is nearly in the same place as a strand that is
    /// there, that strand is seen.
    Ghost {
        /// Linear colour.
        tint: [f32; 3],
        /// How much of what is behind it covers, 0–1.
        opacity: f32,
    },
}

/// The box around all strands; what [`Camera::framing`] frames and [`Stage`] is laid out for.
pub fn bounds_of<'a>(strands: impl IntoIterator<Item = &'a Strand>) -> Bounds {
    strands.into_iter().fold(Bounds::EMPTY, |bounds, strand| bounds.union(Bounds::of(strand)))
}

/// How much work is spent on a picture.
///
/// Rays are counted per sample, so more samples make everything better at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel: how smooth edges are.
    pub samples: u32,
    /// Rays to the key light per sample: how smooth soft shadows are.
    pub shadow_rays: u32,
    /// Rays to the sky per sample: how smooth contact is. None leaves it out.
    pub sky_rays: u32,
}

impl Quality {
    /// For a first look.
    pub const DRAFT: Self = Self { samples: 1, shadow_rays: 1, sky_rays: 0 };
    /// For working.
    pub const PREVIEW: Self = Self { samples: 8, shadow_rays: 2, sky_rays: 1 };
    /// For showing.
    pub const FINAL: Self = Self { samples: 24, shadow_rays: 2, sky_rays: 2 };

    /// The most samples; 64 by 64 would already be a day's work.
    pub const MOST: u32 = 4096;

    /// Refuses what draws nothing or never ends.
    pub fn check(&self) -> Result<(), RenderError> {
        let rays = self.shadow_rays.max(self.sky_rays);
        if self.samples == 0 || self.samples > Self::MOST || rays > Self::MOST {
            let samples = if rays > Self::MOST { rays } else { self.samples };
            return Err(RenderError::Quality { samples, most: Self::MOST });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_core::geometry::{Look, Sweep};

    use super::*;

    #[test]
    fn a_quality_without_samples_is_refused() {
        let error = Quality { samples: 0, ..Quality::DRAFT }.check().unwrap_err().to_string();
        assert_eq!(error, "a quality of 0 samples draws nothing: 1 to 4096 do");
        assert!(Quality { samples: 5000, ..Quality::DRAFT }.check().is_err());
        assert!(Quality { sky_rays: 5000, ..Quality::DRAFT }.check().is_err());
        for quality in [Quality::DRAFT, Quality::PREVIEW, Quality::FINAL] {
            assert!(quality.check().is_ok());
        }
    }

    #[test]
    fn a_map_has_a_colour_for_every_point() {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [1.0; 3] });
        strand.sweep(&[DVec3::ZERO, DVec3::X], &Sweep::round(DVec3::Z, 0.5));
        let says = |colours: &[[f32; 3]]| {
            let drawn = DrawnStrand { strand: &strand, appearance: Appearance::Map(colours) };
            drawn.check().map_err(|error| error.to_string())
        };
        assert_eq!(says(&[[0.5; 3]; 2]), Ok(()));
        let error = says(&[[0.5; 3]; 3]).unwrap_err();
        assert_eq!(error, "the map of strand `x` has 3 colours for its 2 points");
        let error = says(&[[0.5; 3], [0.5, f32::NAN, 0.5]]).unwrap_err();
        assert_eq!(error, "strand `x` has NaN for its colour at point 1, which cannot be drawn");
    }

    #[test]
    fn the_box_around_a_view_holds_its_moments() {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [1.0; 3] });
        strand.sweep(&[DVec3::ZERO, DVec3::X], &Sweep::round(DVec3::Z, 0.5));
        let bounds = bounds_of([&strand]);
        assert_eq!((bounds.low.x, bounds.high.x, bounds.high.z), (-0.5, 1.5, 0.5));
        assert!(bounds_of([]).is_empty());
    }
}
