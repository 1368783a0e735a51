//! A few thousand inputs of every target, always the same ones: seeds, and mutated seeds.
//!
//! `LARIAT_FUZZ_RUNS=100000` runs that many mutants of each target, `LARIAT_FUZZ_SEED=7` other
//! ones. An input that breaks a promise is written to a file, whose path is in the message; copy it to
//! `corpus/TARGET/found-NAME` once it is understood.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::{env, fs};

use lariat_core::num::fnv::Fnv64;
use lariat_fuzz::mutate::{Random, mutate};
use lariat_fuzz::{Target, find, seeds};

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Runs one input; writes it to a file if it breaks a promise.
fn run(target: &Target, name: &str, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_ok() {
        return;
    }
    let mut hash = Fnv64::new();
    hash.bytes(input.iter().copied());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "found-{}-{:016x}",
        target.name,
        hash.finish()
    ));
    fs::write(&file, input).expect("the folder of temporary files exists");
    panic!("`{}` broke a promise with {name}: {}", target.name, file.display());
}

fn explore(name: &str) {
    let target = find(name).expect("a target");
    let seeds = seeds::of(target);
    assert!(seeds.len() > 2, "{} seeds", seeds.len());
    for (seed, input) in &seeds {
        run(target, seed, input);
    }
    let runs = number("LARIAT_FUZZ_RUNS").unwrap_or(u64::from(target.executions));
    let choice = number("LARIAT_FUZZ_SEED").unwrap_or(0);
    let mut random = Random::new(choice);
    for _ in 0..runs {
        let ((seed, input), (_, other)) = (random.pick(&seeds), random.pick(&seeds));
        let mutant = mutate(input, other, target.form, &mut random, seeds::MAX_BYTES);
        run(target, &format!("a mutant of {seed}"), &mutant);
    }
}

#[test]
fn no_document_breaks_a_promise() {
    explore("document");
}

#[test]
fn no_scene_breaks_a_promise() {
    explore("scene");
}

#[test]
fn no_edit_breaks_a_promise() {
    explore("edits");
}

#[test]
fn no_text_of_an_edit_breaks_a_promise() {
    explore("edit-text");
}

#[test]
fn no_journal_breaks_a_promise() {
    explore("journals");
}

#[test]
fn no_obj_breaks_a_promise() {
    explore("obj");
}

#[test]
fn no_gltf_breaks_a_promise() {
    explore("gltf");
}

#[test]
fn no_csv_breaks_a_promise() {
    explore("csv");
}

#[test]
fn no_usda_breaks_a_promise() {
    explore("usda");
}

#[test]
fn no_mode_file_breaks_a_promise() {
    explore("modes");
}

#[test]
fn no_take_breaks_a_promise() {
    explore("takes");
}
