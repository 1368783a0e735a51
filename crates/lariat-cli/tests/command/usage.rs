//! Help, suggestions, exit codes, completions.

use crate::harness::{Folder, ROPE};

#[test]
fn without_a_command_help_is_shown() {
    let ran = Folder::new().run("").expect(2);
    assert!(ran.err.contains("Usage: lariat"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn help_lists_the_exit_codes() {
    let ran = Folder::new().run("--help").expect(0);
    for line in [
        "Exit codes:",
        "  0    success",
        "  1    errors in",
        "  2    invalid command line",
        "  130  interrupted by Ctrl-C (SIGINT)",
        "  143  interrupted by a termination request (SIGTERM)",
    ] {
        assert!(ran.out.contains(line), "{line} is not in\n{}", ran.out);
    }
    assert_eq!(ran.err, "");
}

#[test]
fn every_command_has_help() {
    let folder = Folder::new();
    for command in [
        "new",
        "check",
        "eval",
        "export",
        "render",
        "explain",
        "museum",
        "play",
        "validate",
        "completions",
    ] {
        let ran = folder.run(&format!("{command} --help")).expect(0);
        assert!(ran.out.contains(&format!("Usage: lariat {command}")), "{}", ran.out);
    }
}

#[test]
fn the_version_is_printed() {
    let ran = Folder::new().run("--version").expect(0);
    assert_eq!(ran.out, format!("lariat {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn typing_errors_get_a_suggestion() {
    let folder = Folder::with("rope.lariat", ROPE);
    for (line, meant) in [
        ("chekc rope.lariat", "'check'"),
        ("check rope.lariat --formt json", "'--format'"),
        ("export rope.lariat -o a.usda --mesh", "'--meshes'"),
        ("new a.lariat --model suspended-rop", "'suspended-rope'"),
        ("museum lst", "'list'"),
        ("completions bsh", "'bash'"),
        ("check rope.lariat --limit bodie=3", "`bodies`"),
    ] {
        let ran = folder.run(line).expect(2);
        assert!(ran.err.contains(meant), "{line}: {}", ran.err);
        assert_eq!(ran.out, "", "{line}");
    }
}

#[test]
fn the_number_of_threads_is_limited() {
    let folder = Folder::with("rope.lariat", ROPE);
    folder.run("check rope.lariat --threads 3").expect(0);
    folder.run("--threads 1 check rope.lariat").expect(0);
    for threads in ["0", "many", "100000"] {
        let ran = folder.run(&format!("check rope.lariat --threads {threads}")).expect(2);
        assert!(ran.err.contains("--threads"), "{}", ran.err);
    }
}

#[test]
fn colours_are_for_terminals_unless_requested() {
    let folder = Folder::with("rope.lariat", &ROPE.replace("length", "lenght"));
    assert!(!folder.run("check rope.lariat").expect(1).out.contains('\x1b'));
    assert!(folder.run("check rope.lariat --color always").expect(1).out.contains('\x1b'));
    assert!(!folder.run("check rope.lariat --color never").expect(1).out.contains('\x1b'));
    assert!(folder.run("--color always chekc").expect(2).err.contains('\x1b'));
    assert!(!folder.run("--color=never chekc").expect(2).err.contains('\x1b'));
}

#[test]
fn every_shell_has_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&format!("completions {shell}")).expect(0);
        for word in ["lariat", "export", "keep-going", "suspended-rope"] {
            let values = !["elvish", "powershell"].contains(&shell); // these complete names only
            if values || word != "suspended-rope" {
                assert!(ran.out.contains(word), "{word} is not completed in {shell}");
            }
        }
        assert_eq!(ran.err, "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    use std::{fs::OpenOptions, process::Stdio};

    let folder = Folder::with("rope.lariat", ROPE);
    for line in [
        "check rope.lariat",
        "eval rope.lariat",
        "export rope.lariat -o - --format csv",
        "explain",
        "museum list --json",
        "completions bash",
        "new -",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = folder.command(line.split(' '));
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {err}");
        assert!(err.contains("error: cannot write to standard output: No space"), "{err}");
        assert_eq!(err.matches("error").count(), 2, "{err}");
    }
}
