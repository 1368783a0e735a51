//! The command itself, from process start to exit: checking and exporting.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::scenes::ship;
use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    let Some(lariat) = binary() else {
        table.row("`lariat` is not built: cargo build --release -p lariat-cli", "", "", None);
        return;
    };
    let folder = std::env::temp_dir().join(format!("lariat-bench-{}", std::process::id()));
    if std::fs::create_dir_all(&folder).is_err() {
        table.row("no temporary folder", "", "", None);
        return;
    }
    check(table, &lariat, &folder);
    if !table.quick() {
        export(table, &lariat, &folder);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// The release build of the command, beside this one.
fn binary() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.with_file_name("lariat");
    beside.exists().then_some(beside)
}

fn check(table: &mut Table, lariat: &Path, folder: &Path) {
    let Some(largest) = lariat_museum::SCENES.iter().max_by_key(|e| e.text.len()) else { return };
    let file = folder.join("largest.lariat");
    if std::fs::write(&file, largest.text).is_err() {
        return;
    }
    let name = format!(
        "`lariat check` on the largest museum scene ({}), process start included",
        largest.name
    );
    table.time(&name, 1.0, Some(50e-3), || {
        let status = Command::new(lariat)
            .arg("check")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok_and(|s| s.success()), "check failed");
    });
}

fn export(table: &mut Table, lariat: &Path, folder: &Path) {
    if !table.wants("export") {
        return;
    }
    let mut times = Vec::new();
    for frames in [60, 120, 240] {
        let file = folder.join(format!("ship-{frames}.lariat"));
        if std::fs::write(&file, ship(5000, 48, frames, true)).is_err() {
            return;
        }
        let start = Instant::now();
        let spawned = Command::new(lariat)
            .args(["export", "--format", "usda", "-o", "-"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = spawned else { return };
        let Some(peak) = watch(child) else {
            table.row("export failed", "", "", Some(false));
            return;
        };
        let seconds = start.elapsed().as_secs_f64();
        times.push((frames as f64, seconds));
        let row = format!("export of 5,000 x 48 points x {frames} frames to usda, peak memory");
        let met = (frames == 240).then_some(peak <= 300.0);
        table.row(&row, &format!("{peak:.0} MB in {seconds:.1} s"), "300 MB", met);
    }
    table.growth("export growth with frames: 60, 120, 240", &times);
}

/// Waits for a process and returns its peak memory in megabytes.
fn watch(mut child: Child) -> Option<f64> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak: f64 = 0.0;
    loop {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(line) = text.lines().find(|l| l.starts_with("VmHWM:"))
            && let Some(kilobytes) =
                line.split_whitespace().nth(1).and_then(|k| k.parse::<f64>().ok())
        {
            peak = peak.max(kilobytes / 1000.0);
        }
        match child.try_wait() {
            Ok(Some(status)) => return status.success().then_some(peak),
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => return None,
        }
    }
}
