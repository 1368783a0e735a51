//! Temporary files of killed runs.

#![cfg(unix)]

use std::{
    fs::{self, File},
    process::{Child, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::harness::{Folder, ROPE};

/// A shot whose export takes a while.
fn long() -> Folder {
    let folder = Folder::with("long.lariat", &ROPE.replace("[1, 24]", "[1, 400000]"));
    fs::create_dir(folder.path("work")).unwrap();
    folder
}

/// Hidden files of a folder, sorted.
fn hidden(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with(".lariat-")).collect()
}

/// An export that has begun to write, and the name of its temporary file in the folder `work`.
fn exporting(folder: &Folder) -> (Child, String) {
    let mut command = folder.command("export long.lariat -o work/long.usda".split(' '));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        let mut entries = fs::read_dir(folder.path("work")).unwrap();
        if let Some(entry) = entries.next() {
            return (child, entry.unwrap().file_name().into_string().unwrap());
        }
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
        sleep(Duration::from_millis(5));
    }
}

/// Leaves temporary files of killed exports.
fn killed(folder: &Folder, count: usize) {
    for _ in 0..count {
        let (mut child, name) = exporting(folder);
        child.kill().unwrap();
        child.wait().unwrap();
        // The next export would remove it.
        fs::rename(folder.path("work").join(&name), folder.path(&name)).unwrap();
    }
    assert_eq!(hidden(folder).len(), count);
}

#[test]
fn the_next_run_removes_what_killed_ones_left() {
    let folder = long();
    folder.write("rope.lariat", ROPE);
    killed(&folder, 3);
    for name in hidden(&folder) {
        File::options().write(true).open(folder.path(&name)).unwrap().set_len(500_000).unwrap();
    }
    let ran = folder.run("export rope.lariat -o rope.csv").expect(0);
    let note = "removed 3 temporary files of killed runs from `.`, 1.5 MB\n";
    assert!(ran.err.starts_with(note), "{}", ran.err);
    assert_eq!(folder.names(), ["long.lariat", "rope.csv", "rope.lariat", "work"]);
    // Every command that writes into the folder does, and says nothing with --quiet.
    for line in [
        "render rope.lariat -o rope.png --frame 1 --size 64x48 --quality draft",
        "render rope.lariat -o rope-#.png --frames 1-2 --size 64x48 --quality draft",
        "plot rope.lariat -c rein.swing -o swing.svg",
        "modes rope.lariat -o rope.modes",
        "new starter.lariat",
        "museum copy party-lights",
    ] {
        killed(&folder, 1);
        let ran = folder.run(&format!("{line} --quiet")).expect(0);
        assert!(!ran.err.contains("temporary"), "{line}: {}", ran.err);
        assert_eq!(hidden(&folder), [""; 0], "{line}");
    }
}

#[test]
fn a_running_export_keeps_its_file() {
    let folder = long();
    folder.write("rope.lariat", ROPE);
    let (mut child, name) = exporting(&folder);
    let ran = folder.run("export rope.lariat -o work/rope.csv").expect(0);
    assert!(!ran.err.contains("temporary"), "{}", ran.err);
    let ran = folder.run("clean work").expect(0);
    assert_eq!(ran.out, "");
    assert_eq!(
        ran.err,
        "kept 1 temporary file in `work` that a running program is writing\n\
         removed 0 temporary files of killed runs, 0 bytes\n"
    );
    let temporary = folder.path("work").join(name);
    assert!(temporary.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    folder.run("clean work").expect(0);
    assert!(!temporary.exists());
}

#[test]
fn clean_removes_temporary_files_and_nothing_else() {
    let folder = long();
    killed(&folder, 1);
    let [temporary] = hidden(&folder).try_into().unwrap();
    fs::create_dir(folder.path("out")).unwrap();
    fs::rename(folder.path(&temporary), folder.path(&format!("out/{temporary}"))).unwrap();
    File::options()
        .write(true)
        .open(folder.path(&format!("out/{temporary}")))
        .unwrap()
        .set_len(2500)
        .unwrap();
    for mine in ["out/.lariat-notes.tmp", "out/.lariat-0123456789abcdef.tmp", "out/rope.usda"] {
        folder.write(mine, "mine");
    }
    let listed = format!("out/{temporary}, 2.5 kB\n");
    let ran = folder.run("clean . out --dry-run").expect(0);
    assert_eq!(
        (&*ran.out, &*ran.err),
        (&*listed, "found 1 temporary file of killed runs, 2.5 kB\n")
    );
    assert!(folder.path(&format!("out/{temporary}")).exists());
    let ran = folder.run("clean . out").expect(0);
    assert_eq!(
        (&*ran.out, &*ran.err),
        (&*listed, "removed 1 temporary file of killed runs, 2.5 kB\n")
    );
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 3);
    let ran = folder.run("clean nowhere").expect(2);
    assert!(ran.err.starts_with("error: cannot list `nowhere`: "), "{}", ran.err);
}

#[test]
fn names_of_255_bytes_can_be_written() {
    let folder = Folder::with("rope.lariat", ROPE);
    let name = |ending: &str| format!("{}{ending}", "x".repeat(255 - ending.len()));
    for name in [name(".usda"), name(".csv"), name(".svg")] {
        folder.run(&format!("export rope.lariat -o {name}")).expect(0);
        folder.run(&format!("export rope.lariat -o {name} --force")).expect(0);
    }
    let marked = name("-####.png");
    let line = format!("render rope.lariat -o {marked} --frames 1-2 --size 64x48 --quality draft");
    folder.run(&line).expect(0);
    let ran = folder.run(&format!("export rope.lariat -o x{}", name(".usda"))).expect(2);
    assert!(ran.err.contains("name too long"), "{}", ran.err);
    assert_eq!(folder.names().len(), 6);
}
