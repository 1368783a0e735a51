//! Full disks and read-only folders.
//!
//! Both are mounted in a mount namespace of their own (`unshare`), which vanishes with the command, so
//! no mount stays behind and no privileges are needed where user namespaces are allowed. Without
//! `unshare`, a limit of the file size stands in for the full disk, and the permissions of the folder
//! for the read-only mount, which do not stop root.

use std::{fs, path::Path, process::Command};

use super::{
    job::{Bench, DOCUMENT, Files, JOBS, Job, Ran, SIMULATE, difference, empty, files, grows},
    report::Report,
};
use crate::shell;

/// Runs `"$@"` on a disk of `$SIZE` kB with the files of `$FROM`, then again with enough space. Copies
/// the files after each run to `$TO`.
const FULL: &str = r#"
mount -t tmpfs -o size=$SIZE\k none "$DISK" && cp -R "$FROM"/. "$DISK" && cd "$DISK" || exit 99
"$@" 2>"$TO/first.err"; echo $? >"$TO/first.code"; cp -R . "$TO/first"
mount -o remount,size=256m "$DISK" || exit 99
"$@" 2>"$TO/second.err"; echo $? >"$TO/second.code"; cp -R . "$TO/second"
"#;

/// The same with a limit of the size of a file, in blocks of 512 bytes.
const LIMITED: &str = r#"
cp -R "$FROM"/. "$DISK" && cd "$DISK" || exit 99
(trap '' XFSZ; ulimit -f $((SIZE * 2)); "$@" 2>"$TO/first.err")
echo $? >"$TO/first.code"; cp -R . "$TO/first"
"$@" 2>"$TO/second.err"; echo $? >"$TO/second.code"; cp -R . "$TO/second"
"#;

/// Runs `"$@"` in a read-only folder.
const READ_ONLY: &str = r#"
mount --bind "$DISK" "$DISK" && mount -o remount,ro,bind "$DISK" && cd "$DISK" || exit 99
"$@"
"#;

/// Shares of the space that a job needs.
const SHARES: [f64; 4] = [0.0, 0.3, 0.6, 0.9];

/// Whether commands can have a mount namespace of their own.
fn has_namespaces() -> bool {
    shell::works(Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]))
}

/// A script in a mount namespace of its own.
fn in_namespace(script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, "sh"]);
    command
}

/// Every job on disks that are too small.
pub(super) fn full(bench: &Bench, short: bool, report: &mut Report) -> Result<(), String> {
    report.begin("full disk");
    let namespaces = has_namespaces();
    if !namespaces {
        println!("  no mount namespaces: a limit of the file size stands in for the full disk");
    }
    let shares = if short { &SHARES[1..3] } else { &SHARES };
    for job in JOBS.iter().flat_map(|(_, jobs)| *jobs) {
        let (reference, _) = bench.reference(job)?;
        for share in shares {
            on_small_disk(bench, job, &reference, *share, namespaces, report)?;
        }
    }
    Ok(())
}

fn on_small_disk(
    bench: &Bench,
    job: &Job,
    reference: &Files,
    share: f64,
    namespaces: bool,
    report: &mut Report,
) -> Result<(), String> {
    let from = bench.fresh("full-from", job.document)?;
    let [disk, to] = ["full-disk", "full-to"].map(|name| bench.folder.join(name));
    for folder in [&disk, &to] {
        empty(folder)?;
    }
    // Pages of 4 kB: the document needs one, its folder of takes none.
    let written = reference.iter().filter(|(path, _)| path.as_str() != DOCUMENT);
    let size = if namespaces {
        let pages: usize = written.map(|(_, bytes)| bytes.len().div_ceil(4096)).sum();
        4 + 4 * (share * pages as f64) as usize
    } else {
        let largest = written.map(|(_, bytes)| bytes.len()).max().unwrap_or(0);
        (share * largest as f64 / 1024.0) as usize
    };
    let mut command = if namespaces {
        in_namespace(FULL)
    } else {
        let mut command = Command::new("sh");
        command.args(["-c", LIMITED, "sh"]);
        command
    };
    command.arg(&bench.lariat).args(job.arguments).env("SIZE", size.to_string());
    command.env("FROM", &from).env("TO", &to).env("DISK", &disk);
    let ran = bench.run(&mut command)?;
    if ran.code == Some(99) {
        return Err(format!("a disk of {size} kB cannot be mounted: {}", ran.err));
    }
    let word = |name: &str| fs::read_to_string(to.join(name)).unwrap_or_default();
    let (code, message) = (word("first.code"), word("first.err"));
    let what = format!("{}, {size} kB", job.name);
    report.count(code.trim() == "2");
    let after = files(&to.join("first"))?;
    match code.trim() {
        "0" => {
            if let Some(text) = difference(&after, reference) {
                report.failure(&what, &format!("exit code 0, but {text}"), &to);
            }
        }
        "2" if !message.trim().is_empty() => {}
        _ => report.failure(&what, &format!("exit code {}: {message}", code.trim()), &to),
    }
    for (path, bytes) in &after {
        match reference.get(path) {
            None => report.failure(&what, &format!("`{path}` is left behind"), &to),
            Some(whole) if whole != bytes && !grows(path) => {
                report.failure(&what, &format!("`{path}` is partial"), &to);
            }
            Some(_) => {}
        }
    }
    if word("second.code").trim() != "0" {
        let text = format!("the run with enough space fails: {}", word("second.err").trim_end());
        report.failure(&what, &text, &to);
    } else if let Some(text) = difference(&files(&to.join("second"))?, reference) {
        report.failure(&what, &format!("after the run with enough space, {text}"), &to);
    }
    Ok(())
}

/// Every job in a read-only folder, and a document with takes that is only read.
pub(super) fn read_only(bench: &Bench, report: &mut Report) -> Result<(), String> {
    report.begin("read-only folder");
    let namespaces = has_namespaces();
    if !namespaces && shell::is_root() {
        report.skip("as root, only a mount makes a folder read-only, and there are no namespaces");
        return Ok(());
    }
    for job in JOBS.iter().flat_map(|(_, jobs)| *jobs) {
        let folder = bench.fresh("read-only", job.document)?;
        let before = files(&folder)?;
        let ran = run_read_only(bench, &folder, job.arguments, namespaces)?;
        report.count(true);
        if ran.code != Some(2) || ran.err.trim().is_empty() {
            let text = format!("exit code {:?}: {}", ran.code, ran.err);
            report.failure(job.name, &text, &folder);
        }
        if let Some(text) = difference(&files(&folder)?, &before) {
            report.failure(job.name, &text, &folder);
        }
    }
    let folder = bench.fresh("read-only", SIMULATE.document)?;
    bench.run(&mut bench.command(&folder, SIMULATE.arguments))?;
    let eval = ["eval", DOCUMENT, "--frames", "1,48"];
    let writable = bench.run(&mut bench.command(&folder, &eval))?;
    let ran = run_read_only(bench, &folder, &eval, namespaces)?;
    report.count(true);
    if (ran.code, &ran.out, &ran.err) != (writable.code, &writable.out, &writable.err) {
        let text = format!("another result than in a writable folder: {}", ran.err);
        report.failure("eval with takes", &text, &folder);
    }
    Ok(())
}

/// Runs the program in a folder in which it cannot write.
fn run_read_only(
    bench: &Bench,
    folder: &Path,
    arguments: &[&str],
    namespaces: bool,
) -> Result<Ran, String> {
    if namespaces {
        let mut command = in_namespace(READ_ONLY);
        return bench.run(command.arg(&bench.lariat).args(arguments).env("DISK", folder));
    }
    let was = fs::metadata(folder).map_err(|error| error.to_string())?.permissions();
    let mut locked = was.clone();
    locked.set_readonly(true);
    fs::set_permissions(folder, locked).map_err(|error| error.to_string())?;
    let ran = bench.run(&mut bench.command(folder, arguments));
    fs::set_permissions(folder, was).map_err(|error| error.to_string())?;
    ran
}
