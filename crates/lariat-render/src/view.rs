//! The view to draw, its quality, and the interface of all renderers.
//!
//! A view is one picture: strands and meshes at one or several moments, each with its camera, the
//! stage, the size, the quality. Several moments within the time that a shutter is open give motion
//! blur: their light is averaged, not their bytes.
//!
//! Tests: `a_quality_without_samples_is_refused`, `bounds_hold_all_strands`,
//! `a_map_has_a_colour_for_every_point`.

use lariat_core::geometry::{Bounds, Mesh, Strand};

use crate::{Camera, Picture, RenderError, Size, Stage};

/// A renderer.
pub trait Renderer {
    /// Name: `cpu`, …
    fn name(&self) -> &'static str;

    /// Draws one picture.
    fn draw(&mut self, view: &View<'_>) -> Result<Picture, RenderError>;
}

/// A picture to draw.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// Content; several moments blur into each other. At least one.
    pub moments: &'a [Moment<'a>],
    /// Lights, ground and background.
    pub stage: &'a Stage,
    /// Pixels across and down.
    pub size: Size,
    /// Samples and rays.
    pub quality: Quality,
}

/// The strands, the meshes and the camera at one time.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// Strands.
    pub strands: Vec<DrawnStrand<'a>>,
    /// Meshes, with their own look or with colours per point.
    pub meshes: Vec<&'a Mesh>,
    /// Camera.
    pub camera: Camera,
}

impl<'a> Moment<'a> {
    /// Strands with their own looks, seen by a camera.
    pub fn new(strands: impl IntoIterator<Item = &'a Strand>, camera: Camera) -> Self {
        let strands = strands.into_iter().map(DrawnStrand::from).collect();
        Self { strands, meshes: Vec::new(), camera }
    }

    /// Adds meshes.
    #[must_use]
    pub fn with_meshes(mut self, meshes: impl IntoIterator<Item = &'a Mesh>) -> Self {
        self.meshes.extend(meshes);
        self
    }

    /// Bounding box of everything that casts shadows: everything except ghosts.
    #[cfg(feature = "gpu")]
    pub(crate) fn bounds(&self) -> Bounds {
        let solid = self.strands.iter().filter(|drawn| !drawn.is_ghost());
        let strands = bounds_of(solid.map(|drawn| drawn.strand));
        self.meshes.iter().fold(strands, |bounds, mesh| bounds.union(Bounds::of_mesh(mesh)))
    }
}

/// A strand and the appearance it is drawn with.
#[derive(Clone, Copy, Debug)]
pub struct DrawnStrand<'a> {
    /// Geometry.
    pub strand: &'a Strand,
    /// Appearance.
    pub appearance: Appearance<'a>,
}

impl<'a> From<&'a Strand> for DrawnStrand<'a> {
    fn from(strand: &'a Strand) -> Self {
        Self { strand, appearance: Appearance::Look }
    }
}

impl DrawnStrand<'_> {
    /// Whether it is a ghost of a neighbouring frame, which does not affect the light.
    pub fn is_ghost(&self) -> bool {
        matches!(self.appearance, Appearance::Ghost { .. })
    }

    /// Checks that a colour map has a finite colour for every point.
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

/// Appearance of a strand.
#[derive(Clone, Copy, Debug, Default)]
pub enum Appearance<'a> {
    /// Its own look.
    #[default]
    Look,
    /// Colours of a measured quantity: a linear colour per point. The strand is matte and does not
    /// glow; its relief stays, without tint.
    Map(&'a [[f32; 3]]),
    /// A ghost of a neighbouring frame. It has one colour, is translucent, casts no shadow, is not
    /// reflected and does not glow. Where it nearly coincides with a strand of this frame, only
    /// that strand is drawn.
    Ghost {
        /// Linear colour.
        tint: [f32; 3],
        /// Opacity, 0–1.
        opacity: f32,
    },
}

/// Bounding box of all strands, for [`Camera::framing`] and [`Stage`].
pub fn bounds_of<'a>(strands: impl IntoIterator<Item = &'a Strand>) -> Bounds {
    strands.into_iter().fold(Bounds::EMPTY, |bounds, strand| bounds.union(Bounds::of(strand)))
}

/// Samples and rays per pixel of a picture.
///
/// Rays are counted per sample, so more samples improve everything at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Samples per pixel; more give smoother edges.
    pub samples: u32,
    /// Rays to the key light per sample; more give smoother soft shadows.
    pub shadow_rays: u32,
    /// Rays to the sky per sample; more give smoother contact shadows. 0 disables them.
    pub sky_rays: u32,
    /// Whether a strand is shaded once per pixel instead of once per sample: faster, with smooth
    /// edges, but coarser textures and shadows. The GPU renderer always does so.
    pub shades_once: bool,
}

impl Quality {
    /// For views that move in a window: hard edges and the fewest samples.
    pub const MOVING: Self = Self { samples: 1, shadow_rays: 1, sky_rays: 0, shades_once: true };
    /// Fastest with smooth edges.
    pub const DRAFT: Self = Self { samples: 4, shadow_rays: 1, sky_rays: 0, shades_once: true };
    /// For interactive work.
    pub const PREVIEW: Self = Self { samples: 8, shadow_rays: 2, sky_rays: 1, shades_once: false };
    /// For final pictures.
    pub const FINAL: Self = Self { samples: 24, shadow_rays: 2, sky_rays: 2, shades_once: false };

    /// Largest number of samples or rays.
    pub const MOST: u32 = 4096;

    /// Checks that the numbers of samples and rays are within limits.
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
        assert_eq!(error, "0 samples or rays per pixel are out of range; supported: 1 to 4096");
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
        let message = |colours: &[[f32; 3]]| {
            let drawn = DrawnStrand { strand: &strand, appearance: Appearance::Map(colours) };
            drawn.check().map_err(|error| error.to_string())
        };
        assert_eq!(message(&[[0.5; 3]; 2]), Ok(()));
        let error = message(&[[0.5; 3]; 3]).unwrap_err();
        assert_eq!(error, "the colour map of strand `x` has 3 colours for 2 points");
        let error = message(&[[0.5; 3], [0.5, f32::NAN, 0.5]]).unwrap_err();
        assert_eq!(error, "colour of strand `x` is NaN at point 1; expected a finite number");
    }

    #[test]
    fn bounds_hold_all_strands() {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [1.0; 3] });
        strand.sweep(&[DVec3::ZERO, DVec3::X], &Sweep::round(DVec3::Z, 0.5));
        let bounds = bounds_of([&strand]);
        assert_eq!((bounds.low.x, bounds.high.x, bounds.high.z), (-0.5, 1.5, 0.5));
        assert!(bounds_of([]).is_empty());
    }
}
