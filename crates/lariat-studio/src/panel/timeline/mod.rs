//! Playback, and the keys of all channels.
//!
//! ```text
//! controls.rs  playback
//! sheet.rs     the dope sheet: one lane for each animated channel
//! row.rs       rows of the sheet: things that can be folded, and their channels
//! ```

mod controls;
mod row;
mod sheet;

pub(crate) use controls::controls;
pub(crate) use sheet::{NAMES, State, choose, timeline};
