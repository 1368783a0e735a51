//! The window of Lariat: a document on the screen, taken hold of by hand.
//!
//! State is in three parts. The *document* is in [`lariat_editor::Editor`]: undoable, saved, and
//! changed only by edits. The [`Workspace`] is what a person arranges: frame, selection, view, panels;
//! it is not undone. The *moment* (hover, a drag that is going on) is in the panels and forgotten.
//!
//! Every panel is one file. It reads the editor and the workspace, and asks for changes with
//! [`Action`]s; only [`Studio`] applies them. Nothing here opens files, starts threads or waits: that is
//! the [`Host`]'s, which is native in [`host::native`] and will be another one in a browser.
//!
//! ```text
//! app.rs        the studio: one pass of the window, drawn only when something changed
//! app/          its parts: layout, dialogs, actions, commands, time; documents, the disk, markers, modes, stops
//! action.rs     requests of panels
//! command.rs    one table of commands, for menus, shortcuts, palette and tooltips
//! edit.rs       edits of commands
//! session.rs    the open document and the place it comes from
//! visibility.rs things hidden from the view, or shown alone
//! workspace.rs  frame, selection, view, panels, appearance
//! kept.rs       the arrangement from one run to the next
//! playback.rs   the frame that is shown while time passes
//! theme.rs      colours, type scale and spacing, light and dark
//! icon.rs       icons, painted as shapes
//! label.rs      names and numbers as people read them
//! screenshot.rs the window without a display
//! host/         files and workers of the machine
//! viewport/     the picture of the scene, and hands in it
//! panel/        one file per panel
//! ```

mod action;
mod app;
mod command;
mod edit;
pub mod host;
mod icon;
mod kept;
mod label;
mod panel;
mod playback;
#[cfg(not(target_arch = "wasm32"))]
mod screenshot;
mod session;
mod theme;
mod viewport;
mod visibility;
mod workspace;

pub use action::Action;
pub use app::{Opening, Studio};
pub use command::{COMMANDS, Command, CommandRow};
pub use host::Host;
#[cfg(not(target_arch = "wasm32"))]
pub use screenshot::HiddenWindow;
pub use session::Session;
pub use visibility::Visibility;
pub use workspace::{Appearance, Overlay, Panel, Selection, Workspace};
