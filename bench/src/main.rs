//! Every claim about speed and memory, measured: `cargo run --release -p lariat-bench`.
//!
//! Each job is run many times and reported by its median, next to its target; the fastest run is
//! shown too, because on a shared machine the difference between the two indicates the noise.
//! Growth is shown as ratios within one run, which noise hardly affects.
//!
//! `--quick` takes fewer runs and skips the long export; a word selects jobs whose name contains
//! it.

mod card;
mod command;
mod core;
mod edits;
mod live;
mod modes;
mod panels;
mod pictures;
mod python;
mod rig;
mod rivals;
mod sampled;
mod scenes;
mod spline_rope;
mod strings;
mod table;
mod wiggly;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|a| a == "--quick");
    let filter = arguments.into_iter().find(|a| !a.starts_with("--"));
    let mut table = table::Table::new(quick, filter);
    core::run(&mut table);
    edits::run(&mut table);
    modes::run(&mut table);
    panels::run(&mut table);
    spline_rope::run(&mut table);
    strings::run(&mut table);
    wiggly::run(&mut table);
    sampled::run(&mut table);
    rig::run(&mut table);
    pictures::run(&mut table);
    card::run(&mut table);
    live::run(&mut table);
    command::run(&mut table);
    table.finish();
}
