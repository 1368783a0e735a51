//! `lariat studio`: finds the window, or says how to get it.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::harness::{Folder, ROPE};

/// A program in place of the studio that writes down its arguments.
fn install(folder: &Folder) {
    fs::create_dir(folder.path("bin")).unwrap();
    folder.write("script", "#!/bin/sh\nprintf '%s\\n' \"$@\" > arguments\n");
    let path = folder.path("bin/lariat-studio");
    copy(&folder.path("script"), &path);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Copies a program by another process. Were it written by this one, a process that another test starts
/// at the same moment would hold it open for writing, and it could not be run.
fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").args([from, to]).status().unwrap();
    assert!(status.success(), "{status}");
}

/// Runs `lariat` with arguments, with the studio only in `bin`.
fn run(folder: &Folder, args: &[&str], display: &str) -> (Option<i32>, String, String) {
    // A copy, so that no studio of a build is beside it.
    let program = folder.path("lariat");
    if !program.exists() {
        copy(Path::new(folder.command(args).get_program()), &program);
    }
    let mut command = Command::new(&program);
    command.args(args).current_dir(folder.path("")).env_remove("WAYLAND_DISPLAY");
    command.env("DISPLAY", display).env("PATH", format!("{}:/bin", folder.path("bin").display()));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_studio_is_started_with_its_document() {
    let folder = Folder::with("rope.lariat", ROPE);
    install(&folder);
    let (code, _, err) = run(&folder, &["studio", "rope.lariat", "--", "--frame", "7"], "");
    assert_eq!(code, Some(0), "{err}");
    assert_eq!(folder.read("arguments"), "rope.lariat\n--frame\n7\n");
}

#[test]
fn without_the_studio_the_command_says_how_to_get_it() {
    let folder = Folder::with("rope.lariat", ROPE);
    let (code, _, err) = run(&folder, &["studio"], "");
    assert_eq!(code, Some(2));
    assert!(err.contains("cargo run --release -p lariat-studio"), "{err}");
}

#[test]
fn lariat_alone_opens_the_studio_on_a_desktop() {
    let folder = Folder::new();
    let (code, _, help) = run(&folder, &[], ":0");
    assert_eq!(code, Some(2));
    assert!(help.contains("Usage: lariat"), "{help}");
    install(&folder);
    let (code, _, help) = run(&folder, &[], "");
    assert_eq!(code, Some(2), "opened without a display");
    assert!(help.contains("Usage: lariat"), "{help}");
    let (code, _, err) = run(&folder, &[], ":0");
    assert_eq!(code, Some(0), "{err}");
    assert!(folder.path("arguments").exists());
}
