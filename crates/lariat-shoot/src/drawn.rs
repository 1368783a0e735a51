//! An evaluated frame as a moment that renderers draw and that can be picked from, with the body of
//! every strand and mesh.
//!
//! Tests: `a_pick_names_its_body_and_strand`, `hidden_bodies_are_not_drawn`.

use lariat_eval::Moment as Evaluated;
use lariat_render::{
    Appearance, Camera, DrawnStrand, Moment, Pick, Picked, Picker, RenderError, Size,
};

/// Strands and meshes of some bodies at one frame, seen by a camera.
#[derive(Clone, Debug)]
pub struct DrawnMoment<'a> {
    /// The moment; more strands may be appended, such as ghosts, which belong to no body.
    pub moment: Moment<'a>,
    /// Body of every strand, and the index of the strand within it.
    strands: Vec<(usize, usize)>,
    /// Body of every mesh.
    meshes: Vec<usize>,
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyPart {
    /// Index of the body in the scene.
    pub body: usize,
    /// Index of the strand within the body; `None` for its mesh.
    pub strand: Option<usize>,
}

impl<'a> DrawnMoment<'a> {
    /// Visible bodies of an evaluated frame, by their indices, with their own looks.
    pub fn new(
        evaluated: &'a Evaluated,
        bodies: impl IntoIterator<Item = usize>,
        camera: Camera,
    ) -> Self {
        let mut drawn =
            Self { moment: Moment::new([], camera), strands: Vec::new(), meshes: Vec::new() };
        for body in bodies {
            let Some(shown) = evaluated.bodies.get(body).filter(|shown| shown.visible) else {
                continue;
            };
            for (index, strand) in shown.strands.iter().enumerate() {
                let appearance = Appearance::Look;
                drawn.moment.strands.push(DrawnStrand { strand, appearance });
                drawn.strands.push((body, index));
            }
            if let Some(mesh) = &shown.mesh {
                drawn.moment.meshes.push(mesh);
                drawn.meshes.push(body);
            }
        }
        drawn
    }

    /// The body of a picked strand or mesh; `None` if it belongs to none.
    pub fn part_of(&self, object: Picked) -> Option<BodyPart> {
        match object {
            Picked::Strand(index) => self
                .strands
                .get(index)
                .map(|(body, strand)| BodyPart { body: *body, strand: Some(*strand) }),
            Picked::Mesh(index) => {
                self.meshes.get(index).map(|body| BodyPart { body: *body, strand: None })
            }
        }
    }

    /// All strands and meshes of a body, for highlights.
    pub fn objects_of(&self, body: usize) -> impl Iterator<Item = Picked> {
        let strands = self.strands.iter().enumerate().filter(move |(_, (of, _))| *of == body);
        let meshes = self.meshes.iter().enumerate().filter(move |(_, of)| **of == body);
        let strands = strands.map(|(index, _)| Picked::Strand(index));
        strands.chain(meshes.map(|(index, _)| Picked::Mesh(index)))
    }

    /// The part of a body at a position in a picture, in pixels, or within a tolerance, and where it
    /// was hit. For several picks at one frame, a [`Picker`] of the moment is faster.
    pub fn pick(
        &self,
        size: Size,
        (x, y): (f64, f64),
        tolerance: f64,
    ) -> Result<Option<(BodyPart, Pick)>, RenderError> {
        let pick = Picker::new(&self.moment, size)?.at(x, y, tolerance);
        Ok(pick.and_then(|pick| Some((self.part_of(pick.object)?, pick))))
    }
}

#[cfg(test)]
mod tests {
    use lariat_eval::Scene;
    use lariat_render::{NamedView, bounds_of};
    use lariat_scene::{Limits, check::check};

    use super::*;

    fn scene(name: &str) -> Scene {
        let text = lariat_museum::find(name).unwrap().text;
        Scene::bind(&check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered)
    }

    fn camera(evaluated: &Evaluated, aspect: f64) -> Camera {
        let bounds = bounds_of(evaluated.bodies.iter().flat_map(|body| &body.strands));
        Camera::framing(&bounds, NamedView::Front.direction(), aspect)
    }

    #[test]
    fn a_pick_names_its_body_and_strand() {
        let scene = scene("barzel-17-lights");
        let evaluated = scene.evaluate(12.0);
        let size = Size::new(960, 540).unwrap();
        let camera = camera(&evaluated, size.aspect());
        let drawn_bodies = (0..scene.body_count()).filter(|body| scene.is_drawn(*body));
        let drawn = DrawnMoment::new(&evaluated, drawn_bodies, camera);
        let projection = camera.projection(size).unwrap();
        let mut found = 0;
        for (index, shown) in drawn.moment.strands.iter().enumerate() {
            let part = drawn.part_of(Picked::Strand(index)).unwrap();
            let strand = &evaluated.bodies[part.body].strands[part.strand.unwrap()];
            assert!(std::ptr::eq(strand, shown.strand));
            assert!(drawn.objects_of(part.body).any(|object| object == Picked::Strand(index)));
            // A point of the axis is under the pixel that it projects to, unless it is hidden.
            let k = strand.points().len() / 2;
            let (x, y, _) = projection.project(strand.points()[k]).unwrap();
            let (picked, pick) = drawn.pick(size, (x, y), 3.0).unwrap().unwrap();
            if picked == part {
                found += 1;
                let u = k as f64 / (strand.points().len() - 1) as f64;
                let near = strand.points()[(pick.u * (strand.points().len() - 1) as f64) as usize];
                assert!((pick.u - u).abs() < 0.2 || near.distance(strand.points()[k]) < 0.1);
            }
        }
        assert!(2 * found > drawn.moment.strands.len(), "{found}");
        assert!(drawn.part_of(Picked::Strand(10_000)).is_none());
    }

    #[test]
    fn hidden_bodies_are_not_drawn() {
        let scene = scene("barzel-17-lights");
        let mut evaluated = scene.evaluate(1.0);
        let camera = camera(&evaluated, 1.0);
        for body in &mut evaluated.bodies {
            body.visible = false;
        }
        let drawn = DrawnMoment::new(&evaluated, 0..scene.body_count(), camera);
        assert!(drawn.moment.strands.is_empty() && drawn.moment.meshes.is_empty());
    }
}
