//! libFuzzer program of the target `journals`.
#![no_main]

lariat_fuzz_programs::program!("journals");
