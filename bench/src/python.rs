//! Runs a Python script of `bench/` on one core.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Output of a script, or the reason why there is none. Status 3 means that a package is missing.
pub(crate) fn ask(
    script: &str,
    package: &str,
    arguments: &[impl AsRef<OsStr>],
) -> Result<String, String> {
    let output = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
        .args(arguments)
        // One core against one core.
        .envs([("OPENBLAS_NUM_THREADS", "1"), ("OMP_NUM_THREADS", "1")])
        .stderr(Stdio::null())
        .output()
        .map_err(|_| "there is no python3".to_owned())?;
    match output.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Some(3) => Err(format!("not installed; python3 -m pip install {package}")),
        _ => Err(format!("{script} failed; run it directly for details")),
    }
}
