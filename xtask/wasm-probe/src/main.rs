//! Prints every hash with its name, one per line, as `run.mjs` does for WebAssembly.

fn main() {
    for probe in wasm_probe::results::all() {
        println!("{:016x} {}", probe.hash(), probe.name);
    }
}
