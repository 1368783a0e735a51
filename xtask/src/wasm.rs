//! Builds the libraries for the browser and compares their bits: `cargo xtask wasm`.
//!
//! The compiler is the toolchain in use if it has the standard library for `wasm32-unknown-unknown`
//! (`rustup target add wasm32-unknown-unknown`), otherwise Debian's `rustc-web`, which builds the
//! standard library from its sources. It builds into `target/wasm`, because two compilers in one
//! folder would invalidate each other's files.
//!
//! If `node` is on the path, the probe (`xtask/wasm-probe`) runs natively and in WebAssembly, and
//! the hashes of all its results must agree: the same document gives the same bits.
//!
//! Tests: `a_differing_bit_is_found`, `a_missing_answer_is_found`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::shell;

const TARGET: &str = "wasm32-unknown-unknown";

/// Crates that must build, and the probe.
const PACKAGES: [&str; 6] =
    ["lariat-core", "lariat-scene", "lariat-import", "lariat-eval", "lariat-editor", "wasm-probe"];

/// A compiler with the sources of its standard library, and a linker.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];

/// `cargo xtask wasm`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(extra) = arguments.first() {
        return Err(format!("`wasm` takes no arguments, but was given `{extra}`"));
    }
    let folder = shell::target().join("wasm");
    let mut build = if has_target() { shell::cargo() } else { debian_cargo()? };
    build.arg("build").args(["--lib", "--target", TARGET, "--target-dir"]).arg(&folder);
    for package in PACKAGES {
        build.args(["--package", package]);
    }
    shell::run(&mut build)?;

    let Some(node) = shell::which("node") else {
        println!("node is not on the path: built, but the bits were not compared");
        return Ok(());
    };
    let module = folder.join(TARGET).join("debug/wasm_probe.wasm");
    let script = shell::root().join("xtask/wasm-probe/run.mjs");
    let here = shell::read(shell::cargo().args(["run", "--quiet", "--package", "wasm-probe"]))?;
    let there = shell::read(Command::new(node).arg(script).arg(module))?;
    let compared = compare(&here, &there)?;
    println!("{compared} hashes, each the same here and in WebAssembly");
    Ok(())
}

/// Returns whether the toolchain in use can build for the target.
fn has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut ask = Command::new(rustc);
    ask.args(["--print", "target-libdir", "--target", TARGET]);
    let Ok(folder) = shell::read(&mut ask) else { return false };
    let is_std = |name: &str| name.starts_with("libstd-");
    fs::read_dir(Path::new(folder.trim())).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_std))
    })
}

/// Debian's cargo for the web, set up to build the standard library as well.
fn debian_cargo() -> Result<Command, String> {
    let missing: Vec<&str> = DEBIAN
        .into_iter()
        .filter(|package| !shell::works(Command::new("dpkg").args(["-L", package])))
        .collect();
    if !missing.is_empty() {
        let what_for = format!("building for {TARGET} without `rustup target add {TARGET}`");
        shell::install(&missing, &what_for)?;
    }
    let files = shell::read(Command::new("dpkg").args(["-L", "rustc-web"]))?;
    let compiler = files.lines().find(|line| line.ends_with("bin/rustc")).map(PathBuf::from);
    let compiler = compiler.ok_or("the package rustc-web has no bin/rustc")?;
    let folder = compiler.parent().unwrap_or(Path::new("/"));

    let mut path = vec![folder.to_path_buf()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(path).map_err(|error| error.to_string())?;
    let mut cargo = Command::new(folder.join("cargo"));
    cargo
        .current_dir(shell::root())
        .env("PATH", path)
        .env("RUSTC", &compiler)
        .env("RUSTC_BOOTSTRAP", "1") // `-Z` on a released compiler
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld")
        // Set by the calling cargo for its own compiler.
        .env_remove("LD_LIBRARY_PATH")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("RUSTDOC")
        .args(["-Z", "build-std=std,panic_abort"]);
    Ok(cargo)
}

/// Number of hashes compared; the error lists every one that differs. Lines of `here` are hash and
/// name, lines of `there` only hashes.
fn compare(here: &str, there: &str) -> Result<usize, String> {
    let here: Vec<(&str, &str)> = here.lines().filter_map(|line| line.split_once(' ')).collect();
    let there: Vec<&str> = there.lines().collect();
    if here.is_empty() || here.len() != there.len() {
        let (here, there) = (here.len(), there.len());
        return Err(format!("the probe gave {here} hashes here and {there} in WebAssembly"));
    }
    let differing: Vec<String> = here
        .iter()
        .zip(&there)
        .filter(|((ours, _), theirs)| ours != *theirs)
        .map(|((ours, name), theirs)| format!("  {name}: {ours} here, {theirs} in WebAssembly"))
        .collect();
    if differing.is_empty() {
        return Ok(here.len());
    }
    Err(format!(
        "{} of {} results differ in their bits:\n{}\n\
         look for a function that is not in lariat_core::num::ops, a sum in the order of threads, \
         or iteration over a hash map",
        differing.len(),
        here.len(),
        differing.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bits_are_counted() {
        assert_eq!(compare("0a sines\n0b cosines of waves\n", "0a\n0b\n"), Ok(2));
    }

    #[test]
    fn a_differing_bit_is_found() {
        let Err(message) = compare("0a sines\n0b cosines\n", "0a\n0c\n") else { panic!("equal") };
        assert!(message.contains("1 of 2"), "{message}");
        assert!(message.contains("cosines: 0b here, 0c in WebAssembly"), "{message}");
        assert!(!message.contains("  sines"), "{message}");
    }

    #[test]
    fn a_missing_answer_is_found() {
        assert!(compare("0a sines\n0b cosines\n", "0a\n").is_err());
        assert!(compare("", "").is_err());
    }
}
