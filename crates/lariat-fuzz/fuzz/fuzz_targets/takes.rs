//! libFuzzer program of the target `takes`.
#![no_main]

lariat_fuzz_programs::program!("takes");
