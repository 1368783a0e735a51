//! `.modes` files: the modes of a recording as text, exact to the last bit.
//!
//! JSON, laid out for eyes and for comparing versions: one line per point of the mean pose, per
//! point of a mode's weights, per frame of a mode's course. Numbers are the shortest that read back
//! as the same 64 bits.
//!
//! ```text
//! lariat-modes   the version of the format: 1
//! rate           frames per second of the recording: "24", "24000/1001"
//! first          the frame of the first coefficient
//! margin         frames that were spent at each end of the recording
//! periodic       whether it was taken for a loop
//! rms, worst     how far rebuilt points are from the recording, in metres
//! parts          name, points, and what joins them: a strand's radius, twist and material, or a
//!                mesh's faces
//! mean           the mean pose: [x, y, z] of every point, in metres
//! modes          most important first:
//!   hertz        how fast it swings
//!   decay        how fast it dies away, per second; its half-life is ln 2 / decay
//!   sigma        its singular value
//!   share        the share of the motion that it explains, 0–1
//!   missing      what is missing with it and all before it, as a share of the motion
//!   gauge        how far it was turned from the phase that the analysis chooses, in radians
//!   weights      [x re, x im, y re, y im, z re, z im] of every point
//!   course       [re, im] of the coefficient at every frame, in metres
//! ```
//!
//! The half-life is not written: it would be the decay a second time, and a mode that does not die
//! away has none. Names that are not known are passed over, so that a file may carry remarks; all
//! of the above must be there.
//!
//! Tests: `what_is_written_reads_back_bit_for_bit`, `a_file_is_laid_out_in_lines`,
//! `what_is_wrong_is_named_by_its_place`.

mod read;
mod write;

pub use read::{ModeFileError, read};
pub use write::write;

/// The version that is written; older ones will be read too.
pub const VERSION: u64 = 1;

#[cfg(test)]
mod tests;
