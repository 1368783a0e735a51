//! libFuzzer program of the target `edits`.
#![no_main]

lariat_fuzz_programs::program!("edits");
