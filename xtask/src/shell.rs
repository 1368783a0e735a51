//! Runs other programs, finds folders, and installs system packages.
//!
//! Every command is printed before it runs, so that a reader of the log can repeat it by hand. A
//! task that needs a system package installs it if possible (as root, on a system with `apt-get`);
//! otherwise it names the package and stops.

use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Number of arguments of a command that are printed.
const WORDS: usize = 24;

/// The root of the repository: the folder above this crate.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Build folder of cargo: `CARGO_TARGET_DIR` if it is set, else `target` at the root.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |set| root().join(set))
}

/// The cargo that runs this task, at the root of the repository.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The `lariat` command, built if it is not up to date.
pub(crate) fn lariat() -> Result<PathBuf, String> {
    run(cargo().args(["build", "--quiet", "--package", "lariat-cli"]))?;
    Ok(built("debug"))
}

/// The same as `cargo lariat` builds it: optimised, without the graphics card and .webp movies.
pub(crate) fn quick_lariat() -> Result<PathBuf, String> {
    run(cargo().args(["lariat", "--version"]))?;
    Ok(built("quick"))
}

/// The same with the graphics card and .webp movies.
pub(crate) fn quick_lariat_with_all_features() -> Result<PathBuf, String> {
    run(cargo().args(["build", "--quiet", "--profile", "quick", "--package", "lariat-cli"]))?;
    Ok(built("quick"))
}

fn built(profile: &str) -> PathBuf {
    target().join(profile).join(format!("lariat{}", env::consts::EXE_SUFFIX))
}

/// Runs a command with inherited output; an `Err` gives the command and its exit status.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    print_command(command);
    let status = command.status().map_err(|error| format!("{}: {error}", command_line(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", command_line(command))) }
}

/// Runs a command and returns its standard output; standard error stays visible.
pub(crate) fn read(command: &mut Command) -> Result<String, String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", command_line(command)))?;
    if !output.status.success() {
        return Err(format!("{}: {}", command_line(command), output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("{}: the output is not UTF-8", command_line(command)))
}

/// Returns whether a command can be started and succeeds, without printing anything.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The full path of a program, if it is on `PATH`.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Installs Debian packages, or fails with their names and the command to install them.
pub(crate) fn install(packages: &[&str], what_for: &str) -> Result<(), String> {
    let list = packages.join(" ");
    let by_hand = format!("{what_for} needs the packages: {list}\n  apt-get install {list}");
    if which("apt-get").is_none() {
        return Err(format!("{by_hand}\n(or their equivalents on this system)"));
    }
    if !is_root() {
        return Err(format!("{by_hand}\n(as root, this task installs them)"));
    }
    // Package lists of a fresh machine are missing or name compilers that are too old. Without a
    // network, the installed lists may be enough.
    let update = run(Command::new("apt-get").args(["update", "--quiet"]).stdout(Stdio::null()));
    if let Err(error) = update {
        println!("package lists were not updated: {error}");
    }
    let mut command = Command::new("apt-get");
    command.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages);
    run(command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

/// Whether this process runs as root.
pub(crate) fn is_root() -> bool {
    read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn print_command(command: &Command) {
    println!("$ {}", command_line(command));
    // Output of the child must come after.
    let _ = std::io::stdout().flush();
}

/// Command line as typed by hand, with paths relative to the repository.
fn command_line(command: &Command) -> String {
    let root = root();
    let shorten = |word: &std::ffi::OsStr| {
        let path = Path::new(word);
        path.strip_prefix(&root).unwrap_or(path).display().to_string()
    };
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let mut words = vec![program.to_string_lossy().into_owned()];
    words.extend(command.get_args().take(WORDS).map(shorten));
    if command.get_args().len() > WORDS {
        words.push(format!("… ({} more)", command.get_args().len() - WORDS));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_is_named() {
        let mut command = cargo();
        command.args(["no-such-verb", "--quiet"]).stderr(Stdio::null());
        let Err(message) = run(&mut command) else { panic!("cargo succeeded") };
        assert!(message.starts_with("cargo no-such-verb --quiet: exit"), "{message}");
    }

    #[test]
    fn a_missing_program_is_not_found() {
        assert_eq!(which("no-such-program-anywhere"), None);
        assert!(!works(&mut Command::new("no-such-program-anywhere")));
    }

    #[test]
    fn the_root_holds_this_crate() {
        assert!(root().join("xtask/src/shell.rs").is_file());
    }
}
