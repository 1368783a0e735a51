//! Readers of meshes, recorded motion and mode files.
//!
//! ```text
//! mesh/          meshes of other programs: OBJ and glTF
//! recording/     point caches of other programs, and our own exports: CSV and USD as text
//! mode_file/     `.modes`: mode sets, written and read without loss
//! ```
//!
//! All readers take bytes and open no files, so they also work in a browser.
//!
//! ```
//! use std::ops::ControlFlow;
//! use lariat_core::modes::{ExtractOptions, extract};
//! use lariat_import::{mode_file, recording};
//!
//! // A weight that moves up and down twice a second, recorded by another program.
//! let mut cache = String::from("frame,point,x,y,z\n");
//! for frame in 1..=96 {
//!     let height = lariat_core::num::ops::cos_turns(f64::from(frame) / 12.0);
//!     cache += &format!("{frame},0,0,0,{height}\n");
//! }
//! let recording = recording::csv::read(cache.as_bytes(), &recording::ReadOptions::default())?;
//! let mut progress = |_done: f64| ControlFlow::Continue(());
//! let modes = extract(&recording, &ExtractOptions::default(), &mut progress)?;
//! assert!((modes.modes()[0].pole.hertz - 2.0).abs() < 1e-3);
//!
//! let text = mode_file::write(&modes);
//! assert_eq!(mode_file::read(text.as_bytes())?, modes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod json;
pub mod mesh;
pub mod mode_file;
pub mod recording;

pub use mesh::{Format, Import, ImportError, MAX_POINTS, ResourceLoader, Up};
