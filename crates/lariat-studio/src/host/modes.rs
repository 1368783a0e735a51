//! Modes that are extracted in the background.

use std::sync::Arc;

use lariat::{extraction::Extracted, modes_document::ModesDocument, modes_replay::Replay};
use lariat_core::modes::ExtractOptions;
use lariat_eval::Scene;
use lariat_scene::lower::Lowered;

/// Largest number of modes that are extracted for a share of the motion. More: the table is longer than
/// anyone drives by hand, and noise becomes modes. Fewer: motion with many frequencies loses some.
pub const MOST_MODES: usize = 12;

/// Recorded motion, and how its modes are extracted.
#[derive(Clone, Debug)]
pub struct ModesRequest {
    /// The motion.
    pub source: ModesSource,
    /// Frames, and number of modes.
    pub options: ExtractOptions,
}

/// Recorded motion.
#[derive(Clone, Debug)]
pub enum ModesSource {
    /// A body of a document; frames that are not simulated yet are simulated first.
    Body {
        /// The scene.
        scene: Arc<Scene>,
        /// The document.
        lowered: Arc<Lowered>,
        /// Name of the body.
        name: String,
    },
    /// A point cache, by its place.
    File(String),
}

/// Modes, and everything that is needed to show and to drive them.
#[derive(Clone, Debug)]
pub struct ExtractedModes {
    /// The modes, their distance from the recording, and notes.
    pub extracted: Extracted,
    /// Wiggles that drive the modes as they moved in the recording.
    pub document: ModesDocument,
    /// Text of the file of modes.
    pub file: String,
    /// The recorded motion, rebuilt from its modes.
    pub replay: Replay,
}
