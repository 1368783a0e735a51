//! libFuzzer program of the target `obj`.
#![no_main]

lariat_fuzz_programs::program!("obj");
