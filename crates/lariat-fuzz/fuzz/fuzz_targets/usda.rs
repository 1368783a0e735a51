//! libFuzzer program of the target `usda`.
#![no_main]

lariat_fuzz_programs::program!("usda");
