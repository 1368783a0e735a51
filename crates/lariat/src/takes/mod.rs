//! Takes (simulation caches) on disk, in files beside the document.
//!
//! A shot `swing.lariat` has its takes in the folder `swing.takes`: one file for each simulated
//! body, and one for all strings and solids, which move together. A take belongs to one version of
//! its document and of the files that the document refers to ([`TrackedFiles::motion_hash`]); other
//! takes are reported and not used. Only [`TakeFile`] writes here, and it never overwrites a file
//! that is not a take, nor a file outside [`TakeFolder`].
//!
//! ```text
//! place.rs     paths of takes, and their status
//! tracked.rs   files that a motion depends on
//! load.rs      loading takes into a scene
//! file.rs      recording a simulation while it runs
//! storage.rs   files of takes, and temporary files for records that do not fit into memory
//! ```

mod file;
mod load;
mod place;
mod storage;
mod tracked;

pub use file::{RecordError, Recording, TakeFile};
pub use load::{UnusedTake, load, notes};
pub use place::{TakeFolder, TakeStatus, file_of, folder_of, status};
pub use tracked::TrackedFiles;
