//! Extent of a shot, for the automatic camera and the stage.
//!
//! The whole shot is framed before the first picture, so that all its pictures have the same view,
//! on any machine. Only the extent of each frame is kept.
//!
//! Everything that is drawn is framed, with one exception: a piece of a torn string while it is
//! farther than [`FARTHEST`] from the first frame of the shot. Otherwise a piece that falls for
//! some seconds would shrink everything else to a dot.
//!
//! Tests: `torn_pieces_stay_in_the_picture`, `museum_scenes_that_tear_are_not_cropped`,
//! `every_frame_is_taken_from_the_same_place`.

use glam::DVec3;
use lariat_core::geometry::{Bounds, Strand};
use lariat_eval::Moment;
use lariat_export::Progress;
use lariat_render::{Framing, surface::Surface};

use crate::{
    bodies::{Bodies, meshes},
    error::ShootError,
    moments::Moments,
    overlay::{Measure, Range},
};

/// Distance up to which a torn piece is framed: from the bounds of the first frame, in diagonals of
/// these bounds. A piece that flies off in one direction leaves the rest about a fifth of the
/// picture. Smaller: pieces that fall beside the rope are cropped. Larger: the rest shrinks to a
/// dot.
pub(crate) const FARTHEST: f64 = 4.0;

/// Extent of everything over many frames.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) framing: Framing,
    pub(crate) bounds: Bounds,
    /// Whether anything glows.
    pub(crate) glows: bool,
    measure: Option<Measure>,
    /// Values of the measure.
    pub(crate) range: Range,
}

impl Extent {
    /// Empty extent for a view direction and an aspect ratio.
    pub(crate) fn new(direction: DVec3, aspect: f64, measure: Option<Measure>) -> Self {
        let framing = Framing::new(direction, aspect);
        Self { framing, bounds: Bounds::EMPTY, glows: false, measure, range: Range::EMPTY }
    }

    /// Includes frames of a shot.
    pub(crate) fn include_frames(
        &mut self,
        moments: &Moments<'_>,
        frames: &[f64],
        progress: &dyn Progress,
    ) -> Result<(), ShootError> {
        let bodies = moments.bodies();
        let Some((first, rest)) = frames.split_first() else { return Ok(()) };
        let empty = *self;
        let moment = moments.at(*first);
        self.include(bodies, &moment, Bounds::EMPTY);
        moments.recycle(moment);
        if moments.are_still() {
            return Ok(());
        }
        let home = self.bounds;
        let extent = |moment: &Moment| {
            let mut extent = empty;
            extent.include(bodies, moment, home);
            extent
        };
        moments.summarise(rest, progress, extent, |_, other| {
            self.framing.include_all_of(&other.framing);
            self.bounds = self.bounds.union(other.bounds);
            self.glows |= other.glows;
            self.range.include_all_of(other.range);
        })
    }

    fn include(&mut self, bodies: &Bodies<'_>, moment: &Moment, home: Bounds) {
        let visible = bodies.indices().iter().map(|body| &moment.bodies[*body]);
        // A body with several strands is torn; a single strand with a torn end is only frayed.
        let strands = visible
            .filter(|body| body.visible)
            .flat_map(|body| body.strands.iter().map(|strand| (strand, body.strands.len() > 1)));
        for (strand, is_piece) in strands {
            let bounds = Bounds::of(strand);
            if !(is_piece && is_too_far(strand, &bounds, &home)) {
                self.framing.include_strands([strand]);
                self.bounds = self.bounds.union(bounds);
            }
            // Colours of a measure are drawn in daylight.
            self.glows |= self.measure.is_none() && Surface::of(&strand.look).glow > 0.0;
            self.range.include(self.measure, strand);
        }
        for mesh in meshes(bodies, moment) {
            self.framing.include_meshes([mesh]);
            self.bounds = self.bounds.union(Bounds::of_mesh(mesh));
        }
    }
}

/// Whether a strand is a torn piece farther than [`FARTHEST`] from the bounds of the first frame.
fn is_too_far(strand: &Strand, bounds: &Bounds, home: &Bounds) -> bool {
    if strand.torn == [false; 2] || home.is_empty() || bounds.is_empty() {
        return false;
    }
    let apart = (bounds.low - home.high).max(home.low - bounds.high).max(DVec3::ZERO);
    apart.length() > FARTHEST * (home.high - home.low).length()
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Camera as SceneCamera, Look, Sweep};
    use lariat_eval::Scene;
    use lariat_export::NoProgress;
    use lariat_render::{Camera, Size};
    use lariat_scene::{Limits, check::check, lower::Lowered};

    use super::*;
    use crate::{bodies::strands, camera::render_camera, viewpoint::Viewpoint};

    fn lowered(text: &str) -> Lowered {
        check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered
    }

    fn size() -> Size {
        Size::new(400, 230).unwrap()
    }

    /// Whether a ball is inside the picture.
    fn is_inside(camera: &Camera, p: DVec3, radius: f64) -> bool {
        let size = size();
        let projection = camera.projection(size).unwrap();
        projection.project(p).is_some_and(|(x, y, distance)| {
            let r = radius / projection.pixel_at(distance);
            let inside = |at: f64, side: u32| at >= r && at <= f64::from(side) - r;
            inside(x, size.width()) && inside(y, size.height())
        })
    }

    fn assert_is_inside(camera: &Camera, bodies: &Bodies<'_>, moment: &Moment, context: &str) {
        for strand in strands(bodies, moment) {
            let points = strand.points().iter().zip(strand.radius());
            for (k, (p, r)) in points.enumerate() {
                assert!(is_inside(camera, *p, *r), "{context}: `{}`, point {k}", strand.name);
            }
        }
        for mesh in meshes(bodies, moment) {
            assert!(mesh.points().iter().all(|p| is_inside(camera, *p, 0.0)), "{context}: a mesh");
        }
    }

    /// Two pieces of a rope of 2 m, one of them `distance` below.
    fn torn(distance: f64, moment: &mut Moment) {
        let piece = |from: DVec3| {
            let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
            strand.sweep(&[from, from + DVec3::X], &Sweep::round(DVec3::Z, 0.01));
            strand.torn = [true, false];
            strand
        };
        let body = &mut moment.bodies[0];
        let start = body.strands[0].points()[0];
        body.strands = vec![piece(start), piece(start - DVec3::Z * distance)];
    }

    #[test]
    fn torn_pieces_stay_in_the_picture() {
        let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'suspended-rope'\nfrom = [0, 0, 9]\n\
                    to = [2, 0, 9]\nsag = 0\n";
        let lowered = lowered(text);
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let mut moment = Moment::default();
        bodies.evaluate_into(1.0, &mut moment);
        let framed = |distance: f64| {
            let direction = Viewpoint::default().direction();
            let mut extent = Extent::new(direction, size().aspect(), None);
            extent.include(&bodies, &moment, Bounds::EMPTY);
            let home = extent.bounds;
            let mut later = moment.clone();
            torn(distance, &mut later);
            extent.include(&bodies, &later, home);
            (extent.framing.camera(), later)
        };
        for distance in [0.5, 3.0, 7.9] {
            let (camera, later) = framed(distance);
            assert_is_inside(&camera, &bodies, &later, &format!("{distance} m"));
        }
        // The rope stays visible when a piece is out of view.
        let (camera, _) = framed(300.0);
        let projection = camera.projection(size()).unwrap();
        let ends = [DVec3::new(0.0, 0.0, 9.0), DVec3::new(2.0, 0.0, 9.0)];
        let [a, b] = ends.map(|end| projection.project(end).unwrap().0);
        assert!(b - a > 0.15 * f64::from(size().width()), "{a}, {b}");
    }

    #[test]
    fn museum_scenes_that_tear_are_not_cropped() {
        for name in ["rung-07a-rupture", "rung-07b-modulus", "rung-07c-torsion"] {
            let lowered = lowered(lariat_museum::find(name).unwrap().text);
            let scene = Scene::bind(&lowered);
            let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
            let moments = Moments::transient(&bodies);
            let shot = scene.shot();
            let frames: Vec<f64> = (shot.first..=shot.last).map(|frame| frame as f64).collect();
            let direction = Viewpoint::default().direction();
            let mut extent = Extent::new(direction, size().aspect(), None);
            extent.include_frames(&moments, &frames, &NoProgress).unwrap();
            let automatic = extent.framing.camera();
            for frame in frames {
                let moment = moments.at(frame);
                let own: SceneCamera = bodies.camera(0, frame, &moment);
                let context = format!("{name}, frame {frame}");
                assert_is_inside(&automatic, &bodies, &moment, &format!("{context}, automatic"));
                assert_is_inside(&render_camera(&own), &bodies, &moment, &context);
            }
        }
    }
}
