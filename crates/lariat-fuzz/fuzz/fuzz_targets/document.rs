//! libFuzzer program of the target `document`.
#![no_main]

lariat_fuzz_programs::program!("document");
