//! Simulated bodies that are pulled while time goes on.
//!
//! Time runs at true speed as long as the machine is fast enough; otherwise it runs slower and the window
//! stays responsive: each pass makes a limited number of steps.
//!
//! Tests: `crates/lariat-studio/tests/studio/live.rs`.

use egui::{Pos2, Vec2};
use lariat_editor::pull::{BodyPoint, LivePull, PullError};
use lariat_eval::Moment;

use super::{Offer, Pointer, motion::Motion};
use crate::{label, panel::PanelContext, viewport::Eye};

/// Longest time that one pass lets go on, in seconds. Larger: after a hiccup of the window the body
/// jumps. Smaller: time slows down in a window that is drawn slowly.
const LONGEST: f64 = 0.1;

/// Seconds between two passes above which a pass makes fewer steps: 20 passes a second still follow a
/// pointer.
const SLOW: f64 = 0.05;

/// Steps of the first pass, a quarter of a second of most simulations; later ones make more or fewer.
const FIRST: u64 = 64;

/// A simulated body that is held at a point while time goes on.
#[derive(Debug)]
pub(crate) struct LivePulling {
    pub(crate) motion: Motion,
    pull: LivePull,
    /// Time of the window in the last pass, in seconds.
    last: f64,
    /// Steps that a pass may make, and whether the last one made all that it wanted.
    steps: u64,
    is_in_time: bool,
    /// Offset of the point from the pointer at the start.
    off: Vec2,
    /// Counts poses.
    version: u64,
}

impl LivePulling {
    /// Takes hold of a simulated body at a time of the window.
    pub(crate) fn new(
        context: &PanelContext<'_>,
        eye: &Eye,
        body: &str,
        at: BodyPoint,
        (pressed, now): (Pos2, f64),
    ) -> Result<Self, PullError> {
        let pull = LivePull::begin(&context.session.editor, body, at, context.workspace.frame)?;
        let point = pull.point();
        Ok(Self {
            motion: Motion::new(point, pressed),
            off: eye.project(point).map_or(Vec2::ZERO, |at| at - pressed),
            pull,
            last: now,
            steps: FIRST,
            is_in_time: true,
            version: 0,
        })
    }

    pub(crate) fn go_on(
        &mut self,
        eye: &Eye,
        pointer: Pointer,
        context: &PanelContext<'_>,
        ui: &egui::Ui,
    ) {
        let (now, took) = ui.input(|input| (input.time, f64::from(input.unstable_dt)));
        let seconds = (now - self.last).clamp(0.0, LONGEST);
        self.last = now;
        let target = self.motion.to_grid(eye, pointer);
        if let (true, Some(target)) = (self.is_in_time, target) {
            let rate = context.session.editor.scene().shot().rate.per_second();
            self.pull.aim(seconds * rate, target);
        }
        self.is_in_time = self.pull.run(self.steps);
        self.steps = match (self.is_in_time, took > SLOW) {
            (false, true) => (self.steps / 2).max(1),
            (false, false) => self.steps + self.steps / 4 + 1,
            (true, _) => self.steps,
        };
        self.pull.pose();
        self.version += 1;
        ui.ctx().request_repaint();
    }

    /// The pose that is shown, and a number that changes with it.
    pub(crate) fn shown(&self) -> (&Moment, u64) {
        (self.pull.moment(), self.version)
    }

    /// The held point.
    pub(crate) fn point(&self) -> glam::DVec3 {
        self.pull.point()
    }

    /// The held point, and the place of the pointer where it should be.
    pub(crate) fn line(&self, eye: &Eye, pointer: Pos2) -> Option<[Pos2; 2]> {
        Some([eye.project(self.pull.point())?, pointer + self.off])
    }

    /// The offer to keep the pull.
    pub(crate) fn offer(&self, context: &PanelContext<'_>, at: Pos2) -> Option<Offer> {
        let edit = self.pull.keep(&context.session.editor)?;
        let (label, entry) = ("Keep as pin".to_owned(), "Keep pull as pin".to_owned());
        Some(Offer { label, entry, edit, at })
    }

    /// Distance of the point from its target, in metres.
    pub(crate) fn stretch(&self) -> f64 {
        self.pull.stretch()
    }

    pub(crate) fn words(&self) -> String {
        let (body, frame) = (self.pull.body(), label::number(self.pull.reached().floor()));
        format!("Pull {body}, frame {frame}: {} m stretched", label::number(self.stretch()))
    }
}
