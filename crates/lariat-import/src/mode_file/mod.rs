//! `.modes` files: mode sets as text, without loss of precision.
//!
//! JSON, formatted for reading and for version control: one line per point of the mean pose, per
//! point of a mode's weights, per frame of a mode's coefficients. Numbers have the fewest digits
//! that read back as the same 64 bits.
//!
//! ```text
//! lariat-modes   version of the format: 1
//! rate           frames per second of the recording: "24", "24000/1001"
//! first          frame of the first coefficient
//! margin         frames dropped at each end of the recording
//! periodic       whether the motion was analysed as a loop
//! rms, worst     distance of rebuilt points from the recording, in metres
//! parts          name, points, and kind: radius, twist and material of a strand, or faces of a
//!                mesh
//! mean           mean pose: [x, y, z] of every point, in metres
//! modes          in order of falling energy:
//!   hertz        frequency
//!   decay        decay rate per second; the half-life is ln 2 / decay
//!   sigma        singular value
//!   share        share of the motion's energy, 0–1
//!   missing      relative error with this mode and all before it
//!   gauge        rotation from the phase that the analysis chooses, in radians
//!   weights      [x re, x im, y re, y im, z re, z im] of every point
//!   course       coefficient [re, im] at every frame, in metres
//! ```
//!
//! The half-life is not written: it duplicates the decay, and a mode without decay has none.
//! Unknown names are ignored, so a file may carry comments. All names above are required.
//!
//! Tests: `a_written_file_reads_back_bit_for_bit`, `a_file_has_one_line_per_row`,
//! `errors_name_their_place`.

mod read;
mod write;

pub use read::{ModeFileError, read};
pub use write::write;

/// Version that is written; older versions are read too.
pub const VERSION: u64 = 1;

#[cfg(test)]
mod tests;
