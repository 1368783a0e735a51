//! Extent of a shot, for the automatic camera and the stage.
//!
//! The whole shot is framed before the first picture, so that all its pictures have the same view,
//! on any machine. Only the extent of each frame is kept. If the viewpoint is automatic, the shot is
//! framed from several directions at once, and [`Spread`] chooses one of them.
//!
//! Everything that is drawn is framed, with one exception: a piece of a torn string while it is
//! farther than [`FARTHEST`] from the first frame of the shot. Otherwise a piece that falls for
//! some seconds would shrink everything else to a dot. Shadows on the ground are framed if there is
//! room.
//!
//! Tests: `torn_pieces_stay_in_the_picture`, `museum_scenes_that_tear_are_not_cropped`,
//! `the_motion_chooses_the_viewpoint`, `shadows_are_framed`,
//! `every_frame_is_taken_from_the_same_place`.

use glam::DVec3;
use lariat_core::geometry::{Bounds, Mesh, Strand};
use lariat_eval::{BodyMoment, Moment};
use lariat_export::Progress;
use lariat_render::{Camera, Framing, Stage, surface::Surface};

use crate::{
    bodies::Bodies,
    error::ShootError,
    moments::Moments,
    overlay::{Measure, MeasureRange},
    viewpoint::{Spread, Viewpoint},
};

/// Distance up to which a torn piece is framed: from the bounds of the first frame, in diagonals of
/// these bounds. A piece that flies off in one direction leaves the rest about a fifth of the
/// picture. Smaller: pieces that fall beside the rope are cropped. Larger: the rest shrinks to a
/// dot.
pub(crate) const FARTHEST: f64 = 4.0;

/// Largest number of points per strand or mesh that take part in the choice of the viewpoint.
const MOST_POINTS: usize = 64;

/// A direction of view, and everything seen in it.
#[derive(Clone, Copy)]
struct Seen {
    viewpoint: Viewpoint,
    framing: Framing,
    /// Shadows on a ground at height 0.
    shadow: Framing,
}

/// Extent of everything over many frames.
#[derive(Clone)]
pub(crate) struct Extent {
    /// Possible views, the preferred one first.
    seen: Vec<Seen>,
    spread: Spread,
    aspect: f64,
    /// From the shadow of a point towards the light, per metre of height.
    shift: DVec3,
    pub(crate) bounds: Bounds,
    /// Whether anything glows.
    pub(crate) glows: bool,
    measure: Option<Measure>,
    /// Values of the measure.
    pub(crate) range: MeasureRange,
}

/// First frame of a shot: its pose, and its bounds.
type Home<'m> = Option<(&'m Moment, Bounds)>;

impl Extent {
    /// Empty extent for a viewpoint and an aspect ratio.
    pub(crate) fn new(viewpoint: Viewpoint, aspect: f64, measure: Option<Measure>) -> Self {
        let seen = |viewpoint: Viewpoint| {
            let framing = Framing::new(viewpoint.direction(), aspect);
            Seen { viewpoint, framing, shadow: framing }
        };
        // All stages have the same key light.
        let light = Stage::day(&Bounds::EMPTY).key.towards;
        Self {
            seen: viewpoint.candidates().into_iter().map(seen).collect(),
            spread: Spread::EMPTY,
            aspect,
            shift: light / light.z,
            bounds: Bounds::EMPTY,
            glows: false,
            measure,
            range: MeasureRange::EMPTY,
        }
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
        let empty = self.clone();
        let start = moments.at(*first);
        self.include(bodies, &start, None);
        let home = self.bounds;
        self.spread.include_all_of(&spread(bodies, &start, (&start, home)));
        if !moments.are_still() {
            let extent = |moment: &Moment| {
                let mut extent = empty.clone();
                extent.include(bodies, moment, Some((&start, home)));
                extent
            };
            moments.summarise(rest, progress, extent, |_, other| self.include_all_of(&other))?;
        }
        moments.recycle(start);
        Ok(())
    }

    fn include_all_of(&mut self, other: &Self) {
        for (seen, other) in self.seen.iter_mut().zip(&other.seen) {
            seen.framing.include_all_of(&other.framing);
            seen.shadow.include_all_of(&other.shadow);
        }
        self.spread.include_all_of(&other.spread);
        self.bounds = self.bounds.union(other.bounds);
        self.glows |= other.glows;
        self.range.include_all_of(other.range);
    }

    /// Includes a frame.
    fn include(&mut self, bodies: &Bodies<'_>, moment: &Moment, home: Home<'_>) {
        let bounds_at_home = home.map_or(Bounds::EMPTY, |(_, bounds)| bounds);
        if let Some(home) = home {
            self.spread.include_all_of(&spread(bodies, moment, home));
        }
        for body in visible(bodies, moment) {
            // A body with several strands is torn; a single strand with a torn end is only frayed.
            let are_pieces = body.strands.len() > 1;
            for strand in &body.strands {
                let bounds = Bounds::of(strand);
                if !(are_pieces && is_too_far(strand, &bounds, &bounds_at_home)) {
                    for seen in &mut self.seen {
                        seen.framing.include_strands([strand]);
                    }
                    self.include_shadow(strand.points());
                    self.bounds = self.bounds.union(bounds);
                }
                // Colours of a measure are drawn in daylight.
                self.glows |= self.measure.is_none() && Surface::of(&strand.look).glow > 0.0;
                if let Some(measure) = self.measure {
                    self.range.include(measure, strand);
                }
            }
            if let Some(mesh) = &body.mesh {
                for seen in &mut self.seen {
                    seen.framing.include_meshes([mesh]);
                }
                self.include_shadow(mesh.points());
                self.bounds = self.bounds.union(Bounds::of_mesh(mesh));
            }
        }
    }

    fn include_shadow(&mut self, points: &[DVec3]) {
        for p in points.iter().filter(|p| p.z >= 0.0) {
            let shadow = *p - self.shift * p.z;
            self.seen.iter_mut().for_each(|seen| seen.shadow.include(shadow, 0.0));
        }
    }

    /// The automatic camera, for a ground at this height, if any.
    pub(crate) fn camera(&self, ground: Option<f64>) -> Camera {
        let best = self.spread.best(self.seen.iter().map(|seen| seen.viewpoint.direction()));
        let Seen { viewpoint, framing, shadow } = &self.seen[best];
        if let Viewpoint::Along(view) = viewpoint {
            return Camera::orthographic(&self.bounds, *view, self.aspect);
        }
        // Shadows were included for height 0. A ground elsewhere is mostly just below everything,
        // and so are its shadows.
        match ground {
            Some(0.0) => framing.camera_with_shadow(shadow),
            _ => framing.camera(),
        }
    }
}

/// Visible bodies of a frame.
fn visible<'m>(bodies: &'m Bodies<'_>, moment: &'m Moment) -> impl Iterator<Item = &'m BodyMoment> {
    bodies.indices().iter().map(|body| &moment.bodies[*body]).filter(|body| body.visible)
}

/// Shape and motion of a frame. Each strand counts by its length, each mesh by its diagonal; a body
/// that is torn has no motion.
fn spread(bodies: &Bodies<'_>, moment: &Moment, (start, home): (&Moment, Bounds)) -> Spread {
    let mut spread = Spread::EMPTY;
    let centre = if home.is_empty() { DVec3::ZERO } else { (home.low + home.high) * 0.5 };
    let mut add = |points: &[DVec3], before: Option<&[DVec3]>, size: f64| {
        let step = points.len().div_ceil(MOST_POINTS).max(1);
        let weight = size / points.len().div_ceil(step).max(1) as f64;
        let before = before.filter(|before| before.len() == points.len());
        for k in (0..points.len()).step_by(step) {
            let moved = before.map_or(DVec3::ZERO, |before| points[k] - before[k]);
            spread.include(points[k] - centre, moved, weight);
        }
    };
    for &body in bodies.indices().iter().filter(|body| moment.bodies[**body].visible) {
        let (now, then) = (&moment.bodies[body], &start.bodies[body]);
        let is_whole = now.strands.len() == then.strands.len();
        for (k, strand) in now.strands.iter().enumerate() {
            let points = strand.points();
            let length = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let before = then.strands.get(k).filter(|_| is_whole && then.visible);
            add(points, before.map(Strand::points), length);
        }
        if let Some(mesh) = &now.mesh {
            let bounds = Bounds::of_mesh(mesh);
            let size = (bounds.high - bounds.low).length();
            add(mesh.points(), then.mesh.as_ref().map(Mesh::points), size);
        }
    }
    spread
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
    use crate::{
        bodies::{meshes, strands},
        camera::render_camera,
    };

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
            let mut extent = Extent::new(Viewpoint::PREFERRED, size().aspect(), None);
            extent.include(&bodies, &moment, None);
            let home = extent.bounds;
            let mut later = moment.clone();
            torn(distance, &mut later);
            extent.include(&bodies, &later, Some((&moment, home)));
            (extent.camera(None), later)
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

    /// Automatic camera of a document.
    fn automatic(text: &str, viewpoint: Viewpoint) -> Camera {
        let lowered = lowered(text);
        let scene = Scene::bind(&lowered);
        let bodies = Bodies::choose(&scene, &lowered, &[]).unwrap();
        let shot = scene.shot();
        let frames: Vec<f64> = (shot.first..=shot.last).map(|frame| frame as f64).collect();
        let mut extent = Extent::new(viewpoint, size().aspect(), None);
        extent.include_frames(&Moments::transient(&bodies), &frames, &NoProgress).unwrap();
        extent.camera(Some(0.0))
    }

    fn rope(to: &str, height: f64) -> String {
        format!(
            "lariat = 2\n[shot]\nframes = [1, 24]\n[[body]]\nname = 'a'\n\
             model = 'suspended-rope'\nfrom = [0, 0, {height}]\nto = {to}\nlength = 2.5\n"
        )
    }

    #[test]
    fn the_motion_chooses_the_viewpoint() {
        let way = |camera: Camera| (camera.target - camera.eye).normalize_or_zero();
        let preferred = way(automatic(&rope("[2, 0, 1]", 1.0), Viewpoint::PREFERRED));
        let across = way(automatic(&rope("[2, 0, 1]", 1.0), Viewpoint::Automatic));
        assert!(across.distance(preferred) < 1e-12, "{across}");
        let along = way(automatic(&rope("[-0.8, 1.8, 1]", 1.0), Viewpoint::Automatic));
        assert!(along.dot(preferred) < 0.6, "{along}");
        // A tail that wags in a level plane is seen from higher above.
        let tail = "lariat = 2\n[shot]\nframes = [1, 96]\n[[body]]\nname = 'a'\nmodel = 'tail'\n\
                    from = [0, 0, 1]\nlength = 1\ndirection = [1, 0, 0]\n\
                    swing = { wiggle = [[1, 0], [12, 70], [49, 0], [60, -90], [97, 0]], hertz = 1.2, \
                    loop = true }\nlag = 150\n";
        let wagging = way(automatic(tail, Viewpoint::Automatic));
        assert!(wagging.z < preferred.z - 0.2, "{wagging}");
        let asked = way(automatic(tail, Viewpoint::PREFERRED));
        assert!(asked.distance(preferred) < 1e-12, "a given viewpoint is kept");
    }

    #[test]
    fn shadows_are_framed() {
        let document = rope("[2, 0, 0.8]", 0.8);
        let camera = automatic(&document, Viewpoint::Automatic);
        // Shadows of both ends.
        let light = Stage::day(&Bounds::EMPTY).key.towards;
        for end in [DVec3::new(0.0, 0.0, 0.8), DVec3::new(2.0, 0.0, 0.8)] {
            assert!(is_inside(&camera, end, 0.01));
            assert!(is_inside(&camera, end - light * (end.z / light.z), 0.0), "{end}");
        }
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
            let mut extent = Extent::new(Viewpoint::Automatic, size().aspect(), None);
            extent.include_frames(&moments, &frames, &NoProgress).unwrap();
            let automatic = extent.camera(Some(0.0));
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
