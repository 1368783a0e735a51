//! Colours along strands by a measure: tension or twist.
//!
//! The measures and their colours are those of `lariat render --show`. A window does not know
//! all frames, so the range is that of the frames shown since the last change of the document: it
//! grows while the shot plays, and a colour keeps its meaning after that.
//!
//! Tests: `crates/lariat-studio/tests/studio/view.rs`.

use lariat_core::geometry::Strand;
use lariat_eval::Moment as Pose;
use lariat_render::overlay::Legend;
use lariat_shoot::{Measure, MeasureRange};

use crate::{
    session::Session,
    workspace::{Overlay, Workspace},
};

/// Measure of the view, and the range of the frames that it showed.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The measure, and the revision of the document that the range belongs to.
    of: Option<(Measure, u64)>,
    /// The last pose in the range.
    pose: Option<u64>,
    range: MeasureRange,
    /// Whether a strand that is shown does not have the measure.
    has_unknown: bool,
}

impl Default for Measured {
    fn default() -> Self {
        Self { of: None, pose: None, range: MeasureRange::OF_SIMULATIONS, has_unknown: false }
    }
}

impl Measured {
    /// Includes the pose that is shown.
    pub(crate) fn update(&mut self, session: &Session, workspace: &Workspace, pose: &Pose) {
        let Some(measure) = workspace.overlay.and_then(Overlay::measure) else {
            *self = Self::default();
            return;
        };
        let editor = &session.editor;
        // During a drag the colours keep their meaning.
        let revision = match self.of {
            Some((_, revision)) if editor.gesture_name().is_some() => revision,
            _ => editor.revision(),
        };
        if self.of != Some((measure, revision)) {
            *self = Self { of: Some((measure, revision)), ..Self::default() };
        }
        let version = session.pose_version();
        // A pose that waits for its simulation is that of another frame.
        let is_old = self.pose.is_some() && !session.waiting().is_empty();
        if self.pose == Some(version) || is_old {
            return;
        }
        (self.pose, self.has_unknown) = (Some(version), false);
        let scene = editor.scene();
        let shown = pose.bodies.iter().enumerate().take(scene.body_count());
        let shown = shown.filter(|(body, posed)| {
            let is_shown = workspace.shows(scene.body_name(*body));
            scene.is_drawn(*body) && posed.visible && is_shown
        });
        for (_, posed) in shown {
            for strand in &posed.strands {
                self.range.include(measure, strand);
                self.has_unknown |= self.range.values(measure, strand).is_none();
            }
            self.has_unknown |= posed.mesh.is_some();
        }
    }

    /// Forgets the frames before the one that is shown.
    pub(crate) fn fit(&mut self) {
        (self.range, self.pose) = (MeasureRange::OF_SIMULATIONS, None);
    }

    /// The measure and its range; none if colours are those of the document.
    pub(crate) fn of(&self) -> Option<(Measure, MeasureRange)> {
        self.of.map(|(measure, _)| (measure, self.range))
    }

    /// Legend of the colours; none if nothing that is shown has the measure.
    pub(crate) fn legend(&self) -> Option<Legend> {
        self.range.legend(self.of?.0).ok()
    }

    /// Whether something is grey because it does not have the measure.
    pub(crate) fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Value at a place of a strand, 0–1.
    pub(crate) fn value(&self, strand: &Strand, u: f64) -> Option<f64> {
        let values = self.range.values(self.of?.0, strand)?;
        let last = values.len().checked_sub(1)?;
        let at = u.clamp(0.0, 1.0) * last as f64;
        let before = (at as usize).min(last);
        let (a, b) = (values[before], values[(before + 1).min(last)]);
        Some(a + (at - before as f64) * (b - a))
    }
}
