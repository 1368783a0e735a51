//! Modes in the view, in place of the body they come from; the document does not change.
//!
//! The ropes of the body itself are ghosts meanwhile.

use std::sync::Arc;

use lariat::modes_replay::Replayed;
use lariat_core::geometry::Strand;
use lariat_eval::{BodyMoment, Moment as Pose, Scene};

use super::{Found, Source};
use crate::session::Session;

/// A frame of modes that are played.
#[derive(Debug)]
pub(crate) struct ReplayMoment {
    /// All bodies of the document, with the modes in place of the one they come from; none if they come
    /// from a file.
    pub(crate) pose: Option<Pose>,
    /// Recorded bodies of a file.
    pub(crate) bodies: Vec<BodyMoment>,
    /// Ropes as they are in the document.
    pub(crate) original: Vec<Strand>,
    /// Number that changes with every frame.
    pub(crate) version: u64,
}

/// Modes that are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Played {
    /// All together.
    All,
    /// One alone, by its index.
    Mode(usize),
}

impl Played {
    /// The mode that is played alone.
    pub(super) fn only(self) -> Option<usize> {
        match self {
            Self::All => None,
            Self::Mode(mode) => Some(mode),
        }
    }
}

/// Settings of the playback, and its last frame.
#[derive(Debug)]
pub(super) struct State {
    /// The modes that are played; none plays the document.
    shown: Option<Played>,
    /// Factor on the motion.
    pub(super) gain: f64,
    /// Whether a mode colours its mesh.
    pub(super) painted: bool,
    scene: Option<(Replayed, Scene)>,
    /// The last frame, and the pose of the document that it belongs to.
    last: Option<(u64, Arc<ReplayMoment>)>,
    version: u64,
}

impl Default for State {
    fn default() -> Self {
        Self { shown: None, gain: 1.0, painted: true, scene: None, last: None, version: 0 }
    }
}

impl State {
    /// Plays other modes than before.
    pub(super) fn begin(&mut self) {
        self.shown = Some(Played::All);
        self.gain = 1.0;
        self.forget();
    }

    pub(super) fn stop(&mut self) {
        self.shown = None;
        self.forget();
    }

    /// Plays modes; the document if they are played already.
    pub(super) fn toggle(&mut self, modes: Played) {
        self.shown = if self.shown == Some(modes) { None } else { Some(modes) };
    }

    pub(super) fn shown(&self) -> Option<Played> {
        self.shown
    }

    fn forget(&mut self) {
        self.scene = None;
        self.last = None;
    }

    /// The modes at the frame of the pose that is shown.
    pub(super) fn moment(&mut self, found: &Found, session: &Session) -> Option<Arc<ReplayMoment>> {
        let replayed =
            Replayed { only: self.shown?.only(), gain: self.gain, painted: self.painted };
        if self.scene.as_ref().is_none_or(|(of, _)| *of != replayed) {
            let scene = found.modes.replay.scene(&found.modes.extracted.set, &replayed)?;
            self.scene = Some((replayed, scene));
            self.last = None;
        }
        let of = session.pose_version();
        if let Some((version, last)) = &self.last
            && *version == of
        {
            return Some(last.clone());
        }
        let (_, scene) = self.scene.as_ref()?;
        let pose = session.shown()?;
        let bodies = scene.evaluate(pose.frame).bodies;
        self.version += 1;
        let moment = Arc::new(match &found.source {
            Source::File(_) => {
                ReplayMoment { pose: None, bodies, original: Vec::new(), version: self.version }
            }
            Source::Body(name) => {
                let body = session.editor.scene().body_index(name)?;
                in_place(pose, body, bodies, self.version)?
            }
        });
        self.last = Some((of, moment.clone()));
        Some(moment)
    }
}

/// A pose with other bodies in place of one.
fn in_place(
    pose: &Pose,
    body: usize,
    bodies: Vec<BodyMoment>,
    version: u64,
) -> Option<ReplayMoment> {
    let mut pose = pose.clone();
    let place = pose.bodies.get_mut(body)?;
    let original = std::mem::take(&mut place.strands);
    let before = place.mesh.take();
    for mut shown in bodies {
        place.strands.append(&mut shown.strands);
        place.mesh = shown.mesh.or(place.mesh.take());
    }
    // Recordings of meshes have no look.
    if let (Some(mesh), Some(before)) = (&mut place.mesh, before) {
        mesh.look = before.look;
    }
    Some(ReplayMoment { pose: Some(pose), bodies: Vec::new(), original, version })
}
