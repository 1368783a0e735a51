//! Writes the seeds of every target to `FOLDER/TARGET`, for libFuzzer: `write_seeds FOLDER`.

use std::{env, fs, path::Path};

use lariat_fuzz::{TARGETS, seeds};

fn main() -> std::io::Result<()> {
    let folder =
        env::args_os().nth(1).ok_or_else(|| std::io::Error::other("no folder is given"))?;
    for target in TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds::of(target) {
            fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}
