//! Files become what Lariat works with: meshes, recorded motion, and the modes that were found in it.
//!
//! ```text
//! mesh/          meshes of other programs: OBJ and glTF
//! recording/     point caches of other programs, and our own exports: CSV and USD as text
//! mode_file/     `.modes`: a set of modes, written and read back bit for bit
//! ```
//!
//! Bytes come in. Nothing here opens a file, so all of it works in a browser as well.
//!
//! ```
//! use std::ops::ControlFlow;
//! use lariat_core::modes::{ExtractOptions, extract};
//! use lariat_import::{mode_file, recording};
//!
//! // A weight that goes up and down twice a second, as some other program recorded it.
//! let mut cache = String::from("frame,point,x,y,z\n");
//! for frame in 1..=96 {
//!     let height = lariat_core::num::ops::cos_turns(f64::from(frame) / 12.0);
//!     cache += &format!("{frame},0,0,0,{height}\n");
//! }
//! let recording = recording::csv::read(cache.as_bytes(), &recording::ReadOptions::default())?;
//! let mut go_on = |_done: f64| ControlFlow::Continue(());
//! let modes = extract(&recording, &ExtractOptions::default(), &mut go_on)?;
//! assert!((modes.modes()[0].pole.hertz - 2.0).abs() < 1e-3);
//!
//! let text = mode_file::write(&modes);
//! assert_eq!(mode_file::read(text.as_bytes())?, modes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod mesh;
pub mod mode_file;
pub mod recording;

pub use mesh::{Format, Import, ImportError, MAX_POINTS, ResourceLoader, Up};
