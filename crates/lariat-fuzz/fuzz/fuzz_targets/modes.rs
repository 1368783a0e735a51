//! libFuzzer program of the target `modes`.
#![no_main]

lariat_fuzz_programs::program!("modes");
