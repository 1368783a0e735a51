//! Takes on disk: what simulations recorded, in files beside the document.
//!
//! A shot `swing.lariat` has its takes in the folder `swing.takes`, one file for each body that is
//! simulated, and one for all strings and solids, which move together. A take belongs to one state of its document and of the files that this names
//! ([`TrackedFiles::motion_hash`]): one of any other state is not used, and says so. Nothing is ever
//! written here but by a [`TakeFile`], and that never writes over what is no take.
//!
//! ```text
//! place.rs   where takes lie, and what lies there
//! tracked.rs files that a motion depends on
//! load.rs    takes that are there are taken up by a scene
//! file.rs    a simulation is recorded while it runs
//! ```

mod file;
mod load;
mod place;
mod tracked;

pub use file::{RecordError, TakeFile};
pub use load::{UnusedTake, load, note};
pub use place::{TakeStatus, file_of, file_of_run, folder_of, status};
pub use tracked::TrackedFiles;
