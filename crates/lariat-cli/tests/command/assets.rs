//! Files that a document refers to: they stay in its folder and in those of `--allow-path`.

use std::{fs, path::Path};

use crate::harness::Folder;

const BELLY: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A glTF triangle whose buffer is a file.
fn gltf(buffer: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
  "nodes": [{{"mesh": 0}}],
  "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
  "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
  "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
  "buffers": [{{"uri": "{buffer}", "byteLength": 36}}]}}"#
    )
}

/// A document with one mesh.
fn shot(file: &str) -> String {
    format!(
        "lariat = 2\n\n[shot]\nframes = [1, 2]\n\n[[body]]\nname = \"belly\"\nmodel = \"mesh\"\n\
         file = {file:?}\n"
    )
}

/// A document in `shots`, with a mesh and a buffer both there and outside.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("shots")).unwrap();
    fs::create_dir(folder.path("library")).unwrap();
    for place in ["shots", "library"] {
        folder.write(&format!("{place}/belly.obj"), BELLY);
        folder.write(&format!("{place}/belly.bin"), [0; 36]);
    }
    folder
}

/// Checks a document with one mesh and returns what is reported.
fn check(folder: &Folder, file: &str, rest: &str, code: i32) -> String {
    folder.write("shots/shot.lariat", shot(file));
    folder.run(&format!("check shots/shot.lariat {rest}")).expect(code).out
}

#[test]
fn a_file_outside_the_folder_is_refused() {
    let folder = folder();
    let found = check(&folder, "../library/belly.obj", "", 1);
    assert_eq!(
        found,
        "\
error[L0646]: the file `../library/belly.obj` of body `belly` is outside the folder of the document
  ╭▸ shots/shot.lariat:9:8
  │
8 │ model = \"mesh\"
9 │ file = \"../library/belly.obj\"
  │        ━━━━━━━━━━━━━━━━━━━━━━ tried `shots/../library/belly.obj`
  │
  ├ help: move the file into that folder, or, if you trust the document, allow this one with `--allow-path shots/../library`
  ├ note: until then `belly` is not drawn
  ╰ more: lariat explain L0646

1 error, 0 warnings in 1 body, 2 frames
"
    );
    let absolute = folder.path("library/belly.obj");
    for file in [
        absolute.to_str().unwrap(),
        "../library/gone.obj",
        "/nowhere/belly.obj",
        "../../../../../../../../etc/passwd.obj",
    ] {
        let found = check(&folder, file, "", 1);
        assert!(found.starts_with("error[L0646]: "), "{file}: {found}");
    }
    // `..` that comes back is fine, and so is the folder's own absolute path.
    let inside = folder.path("shots/belly.obj");
    for file in ["../shots/belly.obj", inside.to_str().unwrap(), "./belly.obj"] {
        check(&folder, file, "", 0);
    }
    // The text is read from the document's folder, from wherever the command runs.
    folder.write("shots/shot.lariat", shot("../shots/belly.obj"));
    let mut inside = folder.command(["check", "shot.lariat"]);
    assert!(inside.current_dir(folder.path("shots")).status().unwrap().success());
}

#[test]
fn every_command_can_allow_a_folder() {
    let folder = folder();
    folder.write("shots/shot.lariat", shot("../library/belly.obj"));
    let tiny = "--quality draft --size 64x48 --frame 1";
    for (line, refused) in [
        ("check shots/shot.lariat", 1),
        ("eval shots/shot.lariat", 1),
        ("export shots/shot.lariat -o a.usda", 1),
        (&*format!("render shots/shot.lariat -o a.png {tiny}"), 1),
        ("modes shots/shot.lariat -o a.modes", 1),
    ] {
        let ran = folder.run(line).expect(refused);
        assert!(format!("{}{}", ran.out, ran.err).contains("L0646"), "{line}: {ran:?}");
    }
    assert_eq!(folder.names(), ["library", "shots"]);
    let absolute = folder.path("library");
    for allowed in ["library", absolute.to_str().unwrap(), "shots --allow-path ."] {
        for line in [
            "check shots/shot.lariat",
            "eval shots/shot.lariat",
            "export shots/shot.lariat -o a.usda --force",
            &*format!("render shots/shot.lariat -o a.png --force {tiny}"),
            "plot shots/shot.lariat",
        ] {
            let ran = folder.run(&format!("{line} --allow-path {allowed}"));
            assert!(!format!("{}{}", ran.out, ran.err).contains("L0646"), "{line}: {ran:?}");
            ran.expect(0);
        }
    }
    folder.run("check shots/shot.lariat --allow-path nowhere").expect_failure(
        "--allow-path `nowhere`: there is no such folder; create it, or omit the option",
    );
    folder
        .run("check shots/shot.lariat --allow-path library/belly.obj")
        .expect_failure("--allow-path `library/belly.obj` is a file; name its folder");
    // Standard input has the current folder.
    let text = shot("../library/belly.obj");
    let ran = folder.run_with_input("check -", text.as_bytes()).expect(1);
    assert!(ran.out.contains("L0646"), "{}", ran.out);
    folder.run_with_input("check -", shot("library/belly.obj").as_bytes()).expect(0);
}

#[test]
fn a_buffer_that_a_mesh_names_stays_inside_too() {
    let folder = folder();
    let secret = "root:x:0:0:root:/root:/bin/sh, 36 bytes";
    folder.write("passwd", secret);
    let absolute = folder.path("passwd");
    for buffer in ["../passwd", "%2e%2e/passwd", absolute.to_str().unwrap()] {
        folder.write("shots/belly.gltf", gltf(buffer));
        folder.write("shots/shot.lariat", shot("belly.gltf"));
        let ran = folder.run("export shots/shot.lariat -o a.usda").expect(1);
        let message = "error[L0646]: the file `belly.gltf` of body `belly` refers to a file outside \
                       the folder of the document";
        assert!(ran.err.contains(message), "{buffer}: {}", ran.err);
        assert!(ran.err.contains("--allow-path"), "{}", ran.err);
        assert!(!folder.path("a.usda").exists());
    }
    folder.write("shots/belly.gltf", gltf("../library/belly.bin"));
    assert!(check(&folder, "belly.gltf", "", 1).contains("L0646"));
    check(&folder, "belly.gltf", "--allow-path library", 0);
    folder.write("shots/belly.gltf", gltf("belly.bin"));
    check(&folder, "belly.gltf", "", 0);
    // Relative to the mesh, not to the document.
    folder.write("library/belly.gltf", gltf("belly.bin"));
    check(&folder, "../library/belly.gltf", "--allow-path library", 0);
}

#[cfg(unix)]
#[test]
fn a_link_that_leaves_the_folder_is_refused() {
    use std::os::unix::fs::symlink;

    let folder = folder();
    symlink(folder.path("library/belly.obj"), folder.path("shots/away.obj")).unwrap();
    symlink(folder.path("library"), folder.path("shots/models")).unwrap();
    symlink("belly.obj", folder.path("shots/here.obj")).unwrap();
    for file in ["away.obj", "models/belly.obj", "models/gone.obj"] {
        let found = check(&folder, file, "", 1);
        assert!(found.starts_with("error[L0646]: "), "{file}: {found}");
    }
    // The help names the folder that the link leads to, and works.
    let found = check(&folder, "away.obj", "", 1);
    let library = fs::canonicalize(folder.path("library")).unwrap();
    let help = format!("--allow-path {}`", library.display());
    assert!(found.contains(&help) && found.contains("which leads to `"), "{found}");
    check(&folder, "away.obj", &format!("--allow-path {}", library.display()), 0);
    check(&folder, "models/belly.obj", "--allow-path library", 0);
    check(&folder, "here.obj", "", 0);
    // The folder itself may be a link.
    symlink(folder.path("shots"), folder.path("link")).unwrap();
    folder.write("shots/shot.lariat", shot("belly.obj"));
    folder.run("check link/shot.lariat").expect(0);
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_output_does_not_wait_for_a_named_pipe() {
    let folder = Folder::with("rope.lariat", crate::harness::ROPE);
    for (name, line) in [
        ("a.png", "render rope.lariat --frame 1 --size 64x48"),
        ("a.mp4", "render rope.lariat --frames 1-2 --size 64x48"),
        ("a.usda", "export rope.lariat"),
        ("a.svg", "plot rope.lariat --channel rein.swing"),
    ] {
        make_pipe(&folder.path(name));
        for force in ["", " --force"] {
            let ran = folder.run(&format!("{line} -o {name}{force}")).expect(2);
            assert!(ran.err.contains("it is a named pipe, which may never be read"), "{}", ran.err);
        }
    }
    folder.run("export rope.lariat -o /dev/null --format csv").expect(0);
    // Neither do files of a recipe.
    make_pipe(&folder.path("penguin.obj"));
    folder.run("new --recipe jiggling-belly belly.lariat").expect(2);
    folder.run("new --recipe jiggling-belly belly.lariat --force").expect(2);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_socket_is_refused_and_not_waited_for() {
    let folder = folder();
    make_pipe(&folder.path("shots/pipe.obj"));
    let _listener =
        std::os::unix::net::UnixListener::bind(folder.path("shots/socket.obj")).unwrap();
    for (file, kind) in [("pipe.obj", "a named pipe"), ("socket.obj", "a socket")] {
        let found = check(&folder, file, "", 1);
        let label = format!("tried `shots/{file}`: it is {kind}, not a file");
        assert!(found.contains("error[L0640]") && found.contains(&label), "{found}");
    }
    folder.write("shots/belly.gltf", gltf("pipe.obj"));
    let found = check(&folder, "belly.gltf", "", 1);
    assert!(found.contains("it is a named pipe, not a file"), "{found}");
    let found = check(&folder, "/dev/zero.obj", "--allow-path /dev", 1);
    assert!(found.contains("there is no such file"), "{found}");
    std::os::unix::fs::symlink("/dev/zero", folder.path("shots/zero.obj")).unwrap();
    let found = check(&folder, "zero.obj", "--allow-path /dev", 1);
    assert!(found.contains("it is a device, not a file"), "{found}");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_no_document_but_a_shells_pipe_is() {
    let folder = folder();
    make_pipe(&folder.path("pipe.lariat"));
    make_pipe(&folder.path("pipe.csv"));
    folder.run("check pipe.lariat").expect_failure(
        "`pipe.lariat` is a named pipe, which may never be written to; pass it as standard input: `- \
         < pipe.lariat`",
    );
    folder.run("modes pipe.csv -o a.modes").expect_failure(
        "`pipe.csv` is a named pipe, which may never be written to; pass it as standard input: `- < \
         pipe.csv`",
    );
    // Shared memory is a folder that everybody can write to, not a list of open files.
    #[cfg(target_os = "linux")]
    if let Ok(shared) = tempfile::tempdir_in("/dev/shm") {
        let pipe = shared.path().join("pipe.lariat");
        make_pipe(&pipe);
        let found = folder.run(&format!("check {}", pipe.display())).expect(2);
        assert!(found.err.contains("is a named pipe"), "{}", found.err);
    }
    // `lariat check <(cat shot.lariat)`: the pipe has no name, and files come from the current
    // folder as they do for standard input.
    folder.write("shots/shot.lariat", shot("shots/belly.obj"));
    let lariat = env!("CARGO_BIN_EXE_lariat");
    let line = format!("cat shots/shot.lariat | '{lariat}' check /dev/fd/0");
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "0 errors, 0 warnings in 1 body, 2 frames\n");
    // So does a recording.
    let rows: String = (1..=9)
        .flat_map(|frame| [0, 1].map(|point| format!("{frame},{point},{point},0,{frame}\n")))
        .collect();
    folder.write("rows.csv", format!("frame,point,x,y,z\n{rows}"));
    std::os::unix::fs::symlink("/dev/fd/0", folder.path("stdin.csv")).unwrap();
    let line = format!("cat rows.csv | '{lariat}' modes stdin.csv -o a.modes --fps 24");
    let mut command = std::process::Command::new("sh");
    let status = command.args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    // A device that never ends is read up to the limit.
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.csv")).unwrap();
    folder.run("modes zero.csv -o b.modes --limit bytes-per-asset=1000000").expect_failure(
        "cannot read `zero.csv`: more bytes than the limit of 1000000; raise it with `--limit \
         bytes-per-asset=N`",
    );
}

#[test]
fn a_mesh_named_on_the_command_line_is_the_users_choice() {
    let folder = folder();
    let rows: String = (1..=24)
        .flat_map(|frame: i32| {
            let lift = f64::from(frame % 6) * 0.01;
            [(0, 0.0, 0.0), (1, 1.0, 0.0), (2, 0.0, 1.0)].map(|(point, x, y)| {
                format!("{frame},{point},{x},{y},{}\n", lift * f64::from(point))
            })
        })
        .collect();
    folder.write("rows.csv", format!("frame,point,x,y,z\n{rows}"));
    let line = "modes rows.csv -o shots/a.modes --document shots/a.lariat --fps 24 --mesh";
    let ran = folder.run(&format!("{line} library/belly.obj")).expect(0);
    let note = "`shots/a.lariat` refers to files outside its folder; use it with `--allow-path \
                library`\n";
    assert!(ran.err.contains(note), "{}", ran.err);
    let ran = folder.run("check shots/a.lariat").expect(1);
    assert!(ran.out.contains("L0646"), "{}", ran.out);
    folder.run("check shots/a.lariat --allow-path library").expect(0);
    let ran = folder.run(&format!("{line} shots/belly.obj --force")).expect(0);
    assert!(!ran.err.contains("--allow-path"), "{}", ran.err);
    folder.run("check shots/a.lariat").expect(0);
}
