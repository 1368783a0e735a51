//! The studio as a person uses it: widgets are found by their accessibility labels.
//!
//! ```text
//! harness.rs     a studio in a window that is not on a display
//! pointer.rs     drags and clicks on keys and knots
//! disk.rs        a file that another program changed
//! kept.rs        the arrangement of the window
//! welcome.rs     the page without a document
//! document.rs    opening, changing, saving, leaving and recovering documents
//! recovery.rs    documents that a crash left behind
//! hands.rs       hands in the view
//! gizmo.rs       arrows, rings and offers in the view, and every model of the menu
//! view.rs        overlays, colliders, cameras, the ground and copies of the view
//! outliner.rs    the list of things
//! live.rs        simulated bodies, pulled while time goes on
//! graph.rs       the graph
//! timeline.rs    the dope sheet
//! markers.rs     markers on the rulers
//! history.rs     history, problems, first steps
//! inspector.rs   parameters
//! simulation.rs  physics
//! modes.rs       modes of recorded motion
//! trouble.rs     broken files, full disks, huge documents, failing simulations
//! output.rs      pictures, movies and exports
//! snapshots.rs  small pictures of panels
//! tasks.rs       tasks of a first-time user, with the number of actions
//! ```

#![allow(clippy::unwrap_used, reason = "a test ends there")]

mod disk;
mod document;
mod gizmo;
mod graph;
mod hands;
mod harness;
mod history;
mod inspector;
mod kept;
mod live;
mod markers;
mod modes;
mod outliner;
mod output;
mod pointer;
mod recovery;
mod simulation;
mod snapshots;
mod tasks;
mod timeline;
mod trouble;
mod view;
mod welcome;
