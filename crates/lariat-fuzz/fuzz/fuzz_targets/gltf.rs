//! libFuzzer program of the target `gltf`.
#![no_main]

lariat_fuzz_programs::program!("gltf");
