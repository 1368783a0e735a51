//! libFuzzer program of the target `csv`.
#![no_main]

lariat_fuzz_programs::program!("csv");
