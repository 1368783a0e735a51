//! Fuzz targets: one function per kind of untrusted input, which panics if a promise is broken.
//!
//! The promises hold for every input: no panic, no NaN in a result, the same bits twice, a document
//! reads back as written, an edit and its inverse cancel, memory in proportion to the input.
//!
//! ```text
//! targets/    the functions, with the seeds that are made by code
//! promise.rs  checks that several targets share
//! mutate.rs   changes an input: bits, lines, numbers, words; the same changes for the same seed
//! seeds.rs    inputs that others are mutated from: corpus/TARGET/ and the museum
//! corpus/     small files by target; `found-*` once broke a promise
//! fuzz/       the same targets for libFuzzer; not a member of the workspace
//! ```
//!
//! The targets run in two ways. `cargo test -p lariat-fuzz` runs a few thousand mutated seeds of
//! each, always the same ones; `LARIAT_FUZZ_RUNS` changes their number and `LARIAT_FUZZ_SEED` the
//! choice. `cargo xtask fuzz` runs libFuzzer, which follows the coverage, for a given time.

pub mod mutate;
pub mod promise;
pub mod seeds;
pub mod targets;

pub use targets::{TARGETS, Target, find};
