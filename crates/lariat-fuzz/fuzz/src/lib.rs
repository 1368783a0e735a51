//! A libFuzzer program for a target: its function, and its mutations besides those of libFuzzer.

pub use libfuzzer_sys;

use lariat_fuzz::mutate::{Random, mutate};
use lariat_fuzz::{Target, find, seeds};

/// Finds the target of a program, and its seeds.
pub fn target(name: &str) -> (&'static Target, Vec<Vec<u8>>) {
    let target = find(name).expect("a target");
    let seeds = seeds::of(target).into_iter().map(|(_, bytes)| bytes);
    (target, seeds.collect())
}

/// Changes `bytes[..size]` in place, and returns the new size: half of the time as libFuzzer does, half
/// of the time by words, lines and numbers, which reaches deeper into formats made of text.
pub fn change(
    target: &Target,
    seeds: &[Vec<u8>],
    bytes: &mut [u8],
    size: usize,
    seed: u32,
) -> usize {
    let mut random = Random::new(u64::from(seed));
    if random.below(2) == 0 {
        let most = bytes.len();
        return libfuzzer_sys::fuzzer_mutate(bytes, size, most);
    }
    let other = random.pick(seeds);
    let mutant = mutate(&bytes[..size], other, target.form, &mut random, bytes.len());
    bytes[..mutant.len()].copy_from_slice(&mutant);
    mutant.len()
}

/// The entry points that libFuzzer calls.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        static TARGET: std::sync::LazyLock<(&lariat_fuzz::Target, Vec<Vec<u8>>)> =
            std::sync::LazyLock::new(|| $crate::target($name));

        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.0.run)(bytes));

        $crate::libfuzzer_sys::fuzz_mutator!(
            |bytes: &mut [u8], size: usize, max_size: usize, seed: u32| {
                $crate::change(TARGET.0, &TARGET.1, &mut bytes[..max_size], size, seed)
            }
        );
    };
}
