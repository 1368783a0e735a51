//! Modes of a mesh whose recording has no faces, and invalid recordings.

use std::fmt::Write as _;

use lariat_core::num::ops;

use crate::harness::Folder;

const BALL: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// The points of the ball.
const POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rows of points of the ball moving up and down twice a second, by `height` metres at its top.
fn cache(frames: u32, height: f64) -> String {
    let mut out = "frame,point,x,y,z\n".to_owned();
    for frame in 1..=frames {
        let up = height * ops::sin(std::f64::consts::TAU * f64::from(frame - 1) / 12.0);
        for (point, [x, y, z]) in POINTS.iter().enumerate() {
            let _ = writeln!(out, "{frame},{point},{x},{y},{}", z + up * (1.0 + z) / 2.0);
        }
    }
    out
}

fn folder() -> Folder {
    let folder = Folder::with("ball.obj", BALL);
    folder.write("ball.csv", cache(96, 0.1));
    folder
}

#[test]
fn points_without_faces_get_those_of_a_mesh() {
    let folder = folder();
    let line = "modes ball.csv -o ball.modes --document again.lariat --periodic --mesh ball.obj";
    let ran = folder.run(line).expect(0);
    let document = folder.read("again.lariat");
    for line in ["name = \"ball\"", "model = \"mesh\"", "file = \"ball.obj\""] {
        assert!(document.contains(&format!("\n{line}\n")), "{line}: {document}");
    }
    assert!(document.contains("[[body.modes]]\nfile = \"ball.modes\"\nmode = 1\n"), "{document}");
    assert_eq!(folder.run("check again.lariat").expect(0).out.lines().count(), 1);
    // The mesh rests at the mean of the recording and swings as far.
    let line = ran.out.lines().last().unwrap();
    assert!(line.starts_with("mesh at rest: below 0.000001 m RMS"), "{line}");
    for (frame, up) in [(1, 0.0), (4, 0.1), (10, -0.1)] {
        let line = format!("eval again.lariat --frames {frame} --format csv");
        let points = folder.run(&line).expect(0).out;
        let mut rows = points.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let z = rows.next().unwrap().iter().position(|column| *column == "z").unwrap();
        let heights: Vec<f64> = rows.map(|row| row[z].parse().unwrap()).collect();
        assert_eq!(heights.len(), 4);
        for (height, [_, _, z]) in heights.iter().zip(POINTS) {
            let recorded = z + up * (1.0 + z) / 2.0;
            assert!((height - recorded).abs() < 1e-3, "{height} for {recorded} at {frame}");
        }
    }
}

#[test]
fn the_up_axis_of_a_mesh_is_detected() {
    let folder = folder();
    // The same mesh with Y up: (x, z, −y).
    let swapped: String = BALL
        .lines()
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            ["v", x, y, z] => format!("v {x} {z} -{y}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    folder.write("back.obj", swapped);
    let line = "modes ball.csv -o ball.modes --document again.lariat --periodic --mesh back.obj";
    folder.run(line).expect(0);
    let document = folder.read("again.lariat");
    assert!(document.contains("file = \"back.obj\"\nup = \"y\"\n"), "{document}");
    folder.run("check again.lariat").expect(0);
}

#[test]
fn a_mesh_with_another_number_of_points_is_an_error() {
    let folder = folder();
    folder.write("more.obj", format!("v 9 9 9\n{BALL}"));
    let line = "modes ball.csv -o ball.modes --fps 24 --periodic --mesh";
    folder.run(&format!("{line} more.obj --document a.lariat")).expect_failure(
        "`more.obj` has 5 points, but the recording has 4; record the motion of this mesh, or choose \
         its part with --body",
    );
    let fails = |line: &str, message: &str| {
        let ran = folder.run(line).expect(2);
        assert!(ran.err.contains(message), "{line}: {}", ran.err);
    };
    fails(&format!("{line} ball.obj"), "--document");
    fails(&format!("{line} gone.obj --document a.lariat"), "there is no such file");
    fails(
        &format!("{line} ball.csv --document a.lariat"),
        "unsupported mesh format `ball.csv`; supported: .obj, .gltf, .glb",
    );
    folder.write("flat.obj", "v 0 0 0\n");
    fails(&format!("{line} flat.obj --document a.lariat"), "`flat.obj`: ");
    assert_eq!(folder.names(), ["ball.csv", "ball.obj", "flat.obj", "more.obj"]);
}

#[test]
fn files_that_are_not_recordings_are_errors() {
    let folder = folder();
    let takes = "use a document that animates it, or a point cache: .usda, or .csv with the \
                 columns frame, point, x, y, z";
    for (name, is) in [
        ("ball.obj", "a mesh at rest"),
        ("ball.gltf", "a mesh at rest"),
        ("ball.GLB", "a mesh at rest"),
        ("ball.png", "a picture"),
        ("ball.mp4", "a movie"),
    ] {
        folder
            .run(&format!("modes {name} -o a.modes"))
            .expect_failure(&format!("`{name}` is {is}, not a recording; {takes}"));
    }
    folder.run("modes ball.abc -o a.modes").expect_failure(
        "unsupported recording format .abc; supported: .usda, or .csv with the columns \
         frame, point, x, y, z",
    );
}

#[test]
fn output_files_need_their_extension() {
    let folder = folder();
    folder
        .run("modes ball.csv -o up.png")
        .expect_failure("modes are written as .modes files; name it `up.modes`");
    folder
        .run("modes ball.csv -o up")
        .expect_failure("modes are written as .modes files; name it `up.modes`");
    folder
        .run("modes ball.csv -o up.modes --document up.txt")
        .expect_failure("documents are written as .lariat files; name it `up.lariat`");
    assert_eq!(folder.names(), ["ball.csv", "ball.obj"]);
}

#[test]
fn fewer_modes_than_requested_are_reported() {
    let folder = folder();
    let ran = folder.run("modes ball.csv -o a.modes --periodic --modes 50").expect(0);
    assert!(
        ran.err.contains(
            "found only 1 mode of 50: the rest of 4 points over 96 frames is rounding error"
        ),
        "{}",
        ran.err
    );
    let ran = folder.run("modes ball.csv -o b.modes --periodic --modes 1").expect(0);
    assert!(!ran.err.contains("only"), "{}", ran.err);
}

#[test]
fn a_loop_that_does_not_close_is_reported() {
    let folder = folder();
    // The period is twelve frames; frame 100 is on a crest.
    folder.write("open.csv", cache(100, 0.1));
    let line = "modes open.csv -o a.modes --force --modes 1 --periodic";
    let ran = folder.run(line).expect(0);
    assert!(
        ran.err.contains("the loop does not close: the step from frame 100 back to frame 1 is 0.0"),
        "{}",
        ran.err
    );
    for frames in ["1-96", "1-12", "4-87"] {
        let ran = folder.run(&format!("{line} --frames {frames}")).expect(0);
        assert!(!ran.err.contains("no loop"), "{frames}: {}", ran.err);
    }
    let ran = folder.run("modes open.csv -o b.modes --modes 1").expect(0);
    assert!(!ran.err.contains("loop"), "{}", ran.err);
}

#[test]
fn a_cache_can_be_piped() {
    let folder = folder();
    folder.run("modes ball.csv -o file.modes --periodic").expect(0);
    let line = "modes - -o pipe.modes --periodic";
    folder.run_with_input(line, cache(96, 0.1).as_bytes()).expect(0);
    assert_eq!(folder.read("pipe.modes"), folder.read("file.modes"));
    let ran = folder.run_with_input("modes - -o a.modes", b"frame,point,x,y\n1,0,0,0\n").expect(2);
    assert!(ran.err.contains("standard input: the header has no column `z`"), "{}", ran.err);
    // Documents refer to modes by path, so modes cannot come through a pipe.
    let modes = folder.read("file.modes");
    let ran = folder.run_with_input("modes - -o a.modes", modes.as_bytes()).expect(2);
    assert!(ran.err.contains("use the .modes file"), "{}", ran.err);
    // A document can.
    let ran = folder.run_with_input("modes - -o a.modes", b"lariat = 2\nframe = 'x,y,z'\n");
    assert!(ran.expect(1).err.contains("standard input:2"));
}
