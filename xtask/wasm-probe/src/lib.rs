//! The same results, hashed here and in WebAssembly, so that `cargo xtask wasm` can compare them.
//!
//! A probe is a name and a hash of every bit of a result. They are listed in [`results`]. Natively
//! it is a program (`main.rs` prints every hash with its name); for WebAssembly it is a module, and
//! `run.mjs` reads the same hashes through the two functions below. They take and return plain
//! numbers, so no binding generator is needed.

pub mod fnv;
pub mod results;

/// Number of hashes.
#[expect(unsafe_code, reason = "JavaScript finds the function by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn probe_count() -> u32 {
    u32::try_from(results::all().len()).unwrap_or(u32::MAX)
}

/// Hash of one result; 0 if there is none.
#[expect(unsafe_code, reason = "JavaScript finds the function by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn probe_hash(index: u32) -> u64 {
    results::all().get(index as usize).map_or(0, results::Probe::hash)
}
