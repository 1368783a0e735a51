//! Bodies that are drawn or exported: those of given names, or all that are drawn.
//!
//! Tests: `a_name_that_does_not_exist_gets_a_suggestion`.

use std::sync::atomic::{AtomicU64, Ordering};

use lariat_core::geometry::{Camera, Footage, Mesh, Strand};
use lariat_eval::{BodyMoment, Handles, Moment, Scene};
use lariat_export::Progress;
use lariat_scene::{lower::Lowered, printable, schema::did_you_mean};

use crate::{
    error::ShootError,
    looks::Looks,
    simulate::{simulate_ahead, with_dependencies},
};

/// Number of names that an error lists at most.
const NAMED: usize = 12;

/// Bodies of a scene, in the order of the document.
#[derive(Debug)]
pub struct Bodies<'s> {
    scene: &'s Scene,
    chosen: Vec<usize>,
    looks: Looks,
    evaluations: AtomicU64,
}

impl<'s> Bodies<'s> {
    /// Selects bodies by name; without names, all that are drawn. Members of a compound can be
    /// selected too.
    pub fn choose(
        scene: &'s Scene,
        lowered: &Lowered,
        names: &[String],
    ) -> Result<Self, ShootError> {
        let mut chosen = Vec::new();
        for name in names {
            chosen.push(lowered.body_index(name).ok_or_else(|| unknown(lowered, name))?);
        }
        if names.is_empty() {
            chosen = (0..scene.body_count()).filter(|body| scene.is_drawn(*body)).collect();
        }
        chosen.sort_unstable();
        chosen.dedup();
        let (looks, evaluations) = (Looks::default(), AtomicU64::new(0));
        Ok(Self { scene, chosen, looks, evaluations })
    }

    /// Replaces looks: an entry is `LOOK` for all bodies or `BODY=LOOK` for one.
    pub fn with_looks(self, lowered: &Lowered, entries: &[String]) -> Result<Self, ShootError> {
        let index = |name: &str| lowered.body_index(name).ok_or_else(|| unknown(lowered, name));
        let looks = Looks::read(entries, self.scene.body_count(), index)?;
        Ok(Self { looks, ..self })
    }

    /// Scene of the bodies.
    pub fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// Indices of the bodies in the scene, rising.
    pub fn indices(&self) -> &[usize] {
        &self.chosen
    }

    /// Whether these are all bodies that are drawn, and no others.
    pub fn is_everything(&self) -> bool {
        self.chosen.len() == Footage::body_count(self.scene)
            && self.chosen.iter().all(|body| self.scene.is_drawn(*body))
    }

    /// Whether the bodies are the same at every frame.
    pub fn are_still(&self) -> bool {
        self.chosen.iter().all(|body| self.scene.is_still(*body))
    }

    /// Number of times that one of the bodies was evaluated at a frame.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Simulates the bodies, and the bodies that cameras are attached to, up to the last of the
    /// frames. [`simulate_ahead`] describes `watch`.
    pub fn simulate<'w>(
        &self,
        cameras: &[usize],
        frames: &[f64],
        watch: &(dyn Fn(usize) -> Box<dyn Progress + 'w> + Sync),
    ) -> Result<(), ShootError> {
        let last = frames.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        simulate_ahead(self.scene, &self.needed(cameras), last, watch)
    }

    /// Marks the bodies, the bodies that cameras are attached to, and all their dependencies.
    pub(crate) fn needed(&self, cameras: &[usize]) -> Vec<bool> {
        let attached = cameras.iter().flat_map(|camera| self.scene.camera_dependencies(*camera));
        with_dependencies(self.scene, self.chosen.iter().chain(attached).copied())
    }

    /// Evaluates the bodies at a frame; the entries of all other bodies stay as they are.
    pub fn evaluate_into(&self, frame: f64, moment: &mut Moment) {
        self.evaluations.fetch_add(self.chosen.len() as u64, Ordering::Relaxed);
        if self.is_everything() {
            self.scene.evaluate_into(frame, moment);
        } else {
            moment.frame = frame;
            moment.bodies.resize_with(self.scene.body_count(), Default::default);
            for &body in &self.chosen {
                moment.bodies[body] = self.scene.evaluate_body(body, frame);
            }
        }
        for &body in &self.chosen {
            self.looks.apply(body, &mut moment.bodies[body]);
        }
    }

    /// Evaluates one body at a frame.
    pub fn evaluate_body(&self, body: usize, frame: f64) -> BodyMoment {
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.scene.evaluate_body(body, frame)
    }

    /// Control points of a body, at a frame that is already evaluated.
    pub fn handles(&self, body: usize, frame: f64, moment: &Moment) -> Handles {
        if self.is_everything() {
            return self.scene.handles_in(body, frame, &moment.bodies);
        }
        self.evaluations.fetch_add(1, Ordering::Relaxed);
        self.scene.handles(body, frame)
    }

    /// A camera of the scene, at a frame that is already evaluated.
    pub fn camera(&self, camera: usize, frame: f64, moment: &Moment) -> Camera {
        if self.is_everything() {
            return self.scene.evaluate_camera_in(camera, frame, &moment.bodies).camera;
        }
        let attached = self.scene.camera_dependencies(camera).len() as u64;
        self.evaluations.fetch_add(attached, Ordering::Relaxed);
        self.scene.evaluate_camera(camera, frame).camera
    }

    /// The bodies as footage for an exporter.
    pub fn footage(&self) -> &dyn Footage {
        // A whole scene evaluates its bodies together.
        if self.is_everything() { self.scene } else { self }
    }
}

/// Visible strands of bodies at a moment.
pub(crate) fn strands<'m>(
    bodies: &'m Bodies<'_>,
    moment: &'m Moment,
) -> impl Iterator<Item = &'m Strand> {
    let chosen = bodies.indices().iter().map(|body| &moment.bodies[*body]);
    chosen.filter(|body| body.visible).flat_map(|body| &body.strands)
}

/// Visible meshes of bodies at a moment.
pub(crate) fn meshes<'m>(
    bodies: &'m Bodies<'_>,
    moment: &'m Moment,
) -> impl Iterator<Item = &'m Mesh> {
    let chosen = bodies.indices().iter().map(|body| &moment.bodies[*body]);
    chosen.filter(|body| body.visible).filter_map(|body| body.mesh.as_ref())
}

fn unknown(lowered: &Lowered, name: &str) -> ShootError {
    if lowered.skipped.iter().any(|out| out == name) {
        return ShootError::BodyLeftOut { name: name.to_owned() };
    }
    let names = || lowered.bodies.iter().map(|record| record.name());
    let help = match (did_you_mean(name, names()), lowered.bodies.len()) {
        (Some(near), _) => format!("did you mean `{}`?", printable(near)),
        (None, 0) => "the document has none".to_owned(),
        (None, count) if count <= NAMED => {
            let all: Vec<String> = names().map(|name| format!("`{}`", printable(name))).collect();
            format!("there are {}", all.join(", "))
        }
        (None, many) => format!("the document has {many} others"),
    };
    ShootError::UnknownBody { name: name.to_owned(), help }
}

impl Footage for Bodies<'_> {
    fn body_count(&self) -> usize {
        self.chosen.len()
    }

    fn body_name(&self, body: usize) -> &str {
        self.scene.body_name(self.chosen[body])
    }

    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        if self.scene.is_mesh(self.chosen[body]) {
            out.clear();
            return;
        }
        let moment = self.scene.evaluate_body(self.chosen[body], frame);
        *out = if moment.visible { moment.strands } else { Vec::new() };
    }

    fn mesh(&self, body: usize, frame: f64, out: &mut Option<Mesh>) {
        *out = None;
        if self.scene.is_mesh(self.chosen[body]) {
            let moment = self.scene.evaluate_body(self.chosen[body], frame);
            *out = moment.mesh.filter(|_| moment.visible);
        }
    }

    fn camera_names(&self) -> Vec<&str> {
        self.scene.camera_names()
    }

    fn camera(&self, camera: usize, frame: f64) -> Option<Camera> {
        Footage::camera(self.scene, camera, frame)
    }
}

#[cfg(test)]
mod tests {
    use lariat_scene::{Limits, check::check};

    use super::*;

    #[test]
    fn a_name_that_does_not_exist_gets_a_suggestion() {
        let text = "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\n\
                    length = 1\n";
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let error = |name: &str| {
            Bodies::choose(&scene, &lowered, &[name.to_owned()]).unwrap_err().to_string()
        };
        assert_eq!(error("rien"), "there is no body `rien`; did you mean `rein`?");
        assert_eq!(error("elephant"), "there is no body `elephant`; there are `rein`");
    }
}
