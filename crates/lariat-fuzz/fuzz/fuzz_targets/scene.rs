//! libFuzzer program of the target `scene`.
#![no_main]

lariat_fuzz_programs::program!("scene");
