//! Requests of panels, which the studio applies after all panels are drawn.

use lariat_scene::{Edit, Path, Thing};

use crate::{command::Command, viewport::hands::Placeable};

/// A request of a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// An edit as one entry of the history.
    Apply {
        /// Name of the entry: "Set length".
        name: String,
        /// The edit.
        edit: Edit,
    },
    /// Begins a gesture, such as a drag.
    Begin {
        /// Name of its entry.
        name: String,
    },
    /// Replaces the preview of the open gesture.
    Preview(Edit),
    /// Makes the open gesture an entry of the history.
    Commit,
    /// Ends the open gesture without a trace.
    Cancel,
    /// Takes back a number of changes.
    Undo(usize),
    /// Makes a number of changes again.
    Redo(usize),
    /// Selects the thing that a path belongs to, and shows the row of the path in the inspector.
    Reveal(Path),
    /// Selects a thing and nothing else.
    Select(Thing, String),
    /// Reports, once a body is simulated, whether it rests at the end of the shot.
    Watch(String),
    /// Asks for the name of a marker, by its index in the document.
    AskMarker(usize),
    /// Begins to place a thing with clicks in the view.
    Place(Placeable),
    /// A command of the table.
    Run(Command),
    /// Opens a document; see [`Host::read`](crate::Host::read) for names.
    Open(String),
    /// Opens a text as a new document without a place.
    New {
        /// Name in the title.
        title: String,
        /// Text of the document.
        text: String,
    },
    /// Recovers a document from a journal, as the host names it.
    Recover(String),
    /// Discards a journal.
    Discard(String),
    /// Stops the simulation that is running; its frames are kept.
    StopSimulation,
    /// Asks for a file with recorded motion.
    OpenMotion,
    /// Cancels the extraction of modes.
    CancelModes,
    /// Drives the modes that were extracted by wiggles.
    DriveModes {
        /// Index of the mode; all if none.
        only: Option<usize>,
        /// The body that they move; a new one if none.
        onto: Option<String>,
    },
    /// Shows a message at the bottom of the window.
    Report(String),
}

/// Collects the requests of one pass over the panels.
#[derive(Debug, Default)]
pub(crate) struct Actions(Vec<Action>);

impl Actions {
    pub(crate) fn push(&mut self, action: Action) {
        self.0.push(action);
    }

    /// An edit as one entry of the history.
    pub(crate) fn apply(&mut self, name: impl Into<String>, edit: Edit) {
        self.push(Action::Apply { name: name.into(), edit });
    }

    pub(crate) fn take(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.0)
    }
}
