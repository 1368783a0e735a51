//! Some of the bodies of a scene: those named with `--body`, or all that are drawn.

use lariat_core::geometry::{Camera, Footage, Mesh, Strand};
use lariat_eval::{BodyMoment, Handles, Moment, Scene};
use lariat_scene::{lower::Lowered, schema::did_you_mean};

use crate::{ahead, console::Console, exit::Failure, wardrobe::Wardrobe, words};

/// Bodies of a scene, in the order of the document.
pub(crate) struct Bodies<'s> {
    scene: &'s Scene,
    chosen: Vec<usize>,
    wardrobe: Wardrobe,
}

impl<'s> Bodies<'s> {
    /// The bodies of these names; without any, all that are drawn. Parts of a compound can be
    /// asked for by name.
    pub(crate) fn choose(
        scene: &'s Scene,
        lowered: &Lowered,
        names: &[String],
    ) -> Result<Self, Failure> {
        let mut chosen = Vec::new();
        for name in names {
            match lowered.body_index(name) {
                Some(body) => chosen.push(body),
                None => return Err(unknown(lowered, name)),
            }
        }
        if names.is_empty() {
            chosen = (0..scene.body_count()).filter(|body| scene.is_drawn(*body)).collect();
        }
        chosen.sort_unstable();
        chosen.dedup();
        Ok(Self { scene, chosen, wardrobe: Wardrobe::default() })
    }

    /// The same bodies made of what `--material` asks for.
    pub(crate) fn wearing(self, lowered: &Lowered, wishes: &[String]) -> Result<Self, Failure> {
        let index = |name: &str| lowered.body_index(name).ok_or_else(|| unknown(lowered, name));
        let wardrobe = Wardrobe::read(wishes, self.scene.body_count(), index)?;
        Ok(Self { wardrobe, ..self })
    }

    /// The scene that they are of.
    pub(crate) fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// Their indices in the scene, rising.
    pub(crate) fn indices(&self) -> &[usize] {
        &self.chosen
    }

    /// Whether these are all bodies that are drawn, and no others.
    pub(crate) fn is_everything(&self) -> bool {
        self.chosen.len() == Footage::body_count(self.scene)
            && self.chosen.iter().all(|body| self.scene.is_drawn(*body))
    }

    /// Whether they look the same at every frame.
    pub(crate) fn are_still(&self) -> bool {
        self.chosen.iter().all(|body| self.scene.is_still(*body))
    }

    /// Simulates them, and what cameras ride on, up to the last of some frames.
    pub(crate) fn simulate(
        &self,
        cameras: &[usize],
        frames: &[f64],
        console: Console,
    ) -> Result<(), Failure> {
        let ridden = cameras.iter().flat_map(|camera| self.scene.camera_dependencies(*camera));
        let wanted = self.chosen.iter().chain(ridden).copied();
        let last = frames.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        ahead::simulate(self.scene, wanted, last, console)
    }

    /// Poses them at a frame; the entries of all other bodies are left as they are.
    pub(crate) fn pose_into(&self, frame: f64, moment: &mut Moment) {
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
            self.wardrobe.dress(body, &mut moment.bodies[body]);
        }
    }

    /// One of them at a frame.
    pub(crate) fn body_at(&self, body: usize, frame: f64) -> BodyMoment {
        self.scene.evaluate_body(body, frame)
    }

    /// What an animator would take hold of on one of them.
    pub(crate) fn handles(&self, body: usize, frame: f64) -> Handles {
        self.scene.handles(body, frame)
    }

    /// A camera of the scene at a frame.
    pub(crate) fn camera(&self, camera: usize, frame: f64) -> Camera {
        self.scene.evaluate_camera(camera, frame).camera
    }

    /// What an exporter sees of them; a whole scene knows best how to show itself.
    pub(crate) fn footage(&self) -> &dyn Footage {
        if self.is_everything() { self.scene } else { self }
    }
}

fn unknown(lowered: &Lowered, name: &str) -> Failure {
    let shown = words::shown(name);
    if lowered.left_out.iter().any(|out| out == name) {
        return Failure::new(format!(
            "body `{shown}` is left out because of errors: mend them, or ask for other bodies"
        ));
    }
    let names = || lowered.bodies.iter().map(lariat_scene::lower::Record::name);
    let way_out = match (did_you_mean(name, names()), lowered.bodies.len()) {
        (Some(near), _) => format!("did you mean `{}`?", words::shown(near)),
        (None, 0) => "the document has none".to_owned(),
        (None, 1..=12) => {
            let all: Vec<String> =
                names().map(|name| format!("`{}`", words::shown(name))).collect();
            format!("there are {}", all.join(", "))
        }
        (None, many) => format!("the document has {many} others"),
    };
    Failure::new(format!("there is no body `{shown}`: {way_out}"))
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
