//! An open document without a window: edits with history, a journal for recovery, handles and tools.
//!
//! [`Editor`] holds a document together with its original text, its evaluation, its diagnostics and
//! its history. A studio, a browser page and a script use it alike: panels read from it, and all
//! changes go through it as [`Edit`](lariat_scene::Edit)s.
//!
//! ```text
//! editor.rs   open document: text, diagnostics, poses, saved state
//! gesture.rs  gestures: previews that become one entry or leave no trace; undo and redo
//! history.rs  named entries, within a limit on memory
//! reload.rs   another text, after the file was changed by another program
//! finding.rs  diagnostics by the field they belong to
//! journal/    events as text, for recovery after a crash
//! handle/     handles, and the edits that drag them
//! pull/       a body pulled by any of its points
//! tool/       edits that a person asks for: add, duplicate, key, wiggle, move keys
//! channel.rs  values of parameters over time: constants, keys, wiggles
//! ```
//!
//! A drag is a gesture. Each preview replaces the one before:
//!
//! ```
//! use lariat_editor::{Editor, Options};
//! use lariat_scene::Edit;
//!
//! let text = "lariat = 2\n[[body]]\nname = \"rein\"\nmodel = \"suspended-rope\"\n\
//!             from = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4 # metres\n";
//! let mut editor = Editor::open(text, Options::default()).expect("a document");
//! let length = |metres: f64| Edit::Set {
//!     path: "body.rein.length".parse().expect("a path"),
//!     value: metres.into(),
//! };
//!
//! editor.begin("Set length")?;
//! for metres in [4.1, 4.2, 4.3] {
//!     editor.preview(&length(metres))?;
//! }
//! assert!(editor.commit());
//! assert_eq!(editor.text(), text.replace("= 4 #", "= 4.3 #"));
//! assert!(editor.is_modified());
//!
//! let undone = editor.undo().expect("an entry");
//! assert_eq!((&*undone.name, &*undone.touched.bodies), ("Set length", &["rein".to_owned()][..]));
//! assert_eq!(editor.text(), text);
//! assert!(!editor.is_modified());
//! # Ok::<(), lariat_editor::EditorError>(())
//! ```
//!
//! This crate opens no files, reads no clock and starts no threads.

mod channel;
mod editor;
mod finding;
mod gesture;
pub mod handle;
mod history;
pub mod journal;
pub mod pull;
mod reload;
pub mod tool;

pub use channel::ChannelForm;
pub use editor::{Editor, EditorError, Options, SaveState};
pub use gesture::Change;
pub use history::{Entry, History, HistoryLimit};
pub use reload::ReloadError;
