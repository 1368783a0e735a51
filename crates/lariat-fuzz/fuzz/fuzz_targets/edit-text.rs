//! libFuzzer program of the target `edit-text`.
#![no_main]

lariat_fuzz_programs::program!("edit-text");
