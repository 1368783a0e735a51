//! Writes the hard cases of the tests as USD and as CSV into a folder, for
//! `xtask/usd/check_usd.py` to compare.

#[path = "../tests/scenes/mod.rs"]
mod scenes;

use std::error::Error;
use std::path::PathBuf;

use lariat_core::geometry::Footage;
use lariat_core::motion::FrameRate;
use lariat_export::file::{IfExists, save};
use lariat_export::{Format, NoProgress, Options, Timing, TubeOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: oddities FOLDER")?);
    let options =
        Options { tubes: Some(TubeOptions::default()), velocities: true, ..Options::default() };
    let scenes: [(&str, &dyn Footage, i64); 3] = [
        ("oddities", &scenes::oddities(), 4),
        ("fleet", &scenes::Fleet::new(30), 12),
        ("tearing", &scenes::tearing(), 8),
    ];
    for (name, footage, last) in scenes {
        let timing = Timing::new(FrameRate::FILM, 1..=last)?;
        for format in [Format::Usda, Format::Csv] {
            let path = folder.join(name).with_extension(format.name());
            save(&path, IfExists::Replace, |out| {
                format.write(footage, &timing, &options, out, &NoProgress)
            })?;
        }
    }
    Ok(())
}
