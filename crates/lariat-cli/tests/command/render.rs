//! `lariat render`: pictures, movies and contact sheets, small and few, because all are rendered.

use std::fs;

use crate::harness::{Folder, ROPE, SHORT};

/// Flags that make drawing fast.
const TINY: &str = "--size 64x48 --quality draft";

fn folder() -> Folder {
    Folder::with("rope.lariat", ROPE)
}

fn bytes(folder: &Folder, name: &str) -> Vec<u8> {
    fs::read(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Width, height, number of channels and pixels of a PNG.
fn decoded(folder: &Folder, name: &str) -> (u32, u32, usize, Vec<u8>) {
    let file = std::io::Cursor::new(bytes(folder, name));
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, info.color_type.samples(), pixels)
}

#[test]
fn a_picture_has_the_requested_size() {
    let folder = folder();
    let ran = folder.run(&format!("render rope.lariat -o rope.png --frame 12 {TINY}")).expect(0);
    let (width, height, channels, pixels) = decoded(&folder, "rope.png");
    assert_eq!((width, height, channels), (64, 48, 3));
    assert!(pixels.chunks(3).any(|pixel| pixel != &pixels[..3]), "the picture is empty");
    assert_eq!(ran.out, "");
    assert!(ran.err.starts_with("wrote rope.png: 1 frame, 64x48, "), "{}", ran.err);
    assert!(ran.err.ends_with(" s per frame, rendered by the CPU\n"), "{}", ran.err);
    assert_eq!(folder.names(), ["rope.lariat", "rope.png"]);
}

#[test]
fn the_first_frame_is_drawn_unless_another_is_named() {
    let folder = folder();
    for (name, frame) in [("a", ""), ("b", "--frame 1"), ("c", "--frames 1"), ("d", "--frame 12.5")]
    {
        folder.run(&format!("render rope.lariat -o {name}.png {frame} {TINY}")).expect(0);
    }
    assert_eq!(bytes(&folder, "a.png"), bytes(&folder, "b.png"));
    assert_eq!(bytes(&folder, "a.png"), bytes(&folder, "c.png"));
    assert_ne!(bytes(&folder, "a.png"), bytes(&folder, "d.png"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = folder();
    for ending in ["png", "mp4", "webp"] {
        for threads in [1, 2] {
            let line = format!(
                "render rope.lariat -o {threads}.{ending} --size 64x48 --frames 3-4 \
                 --motion-blur 2 --threads {threads}"
            );
            folder.run(&line).expect(0);
        }
    }
    for name in ["-0003.png", "-0004.png", ".mp4", ".webp"] {
        let [one, two] = [1, 2].map(|threads| bytes(&folder, &format!("{threads}{name}")));
        assert!(one == two, "{name}");
    }
}

#[test]
fn every_frame_is_taken_from_the_same_place() {
    let folder = folder();
    folder.run(&format!("render rope.lariat -o a-##.png --frames 1-24x8 {TINY}")).expect(0);
    folder.run(&format!("render rope.lariat -o alone.png --frame 17 {TINY}")).expect(0);
    assert_eq!(bytes(&folder, "a-17.png"), bytes(&folder, "alone.png"));
}

#[test]
fn frames_are_numbered_and_gaps_are_filled() {
    let folder = folder();
    fs::create_dir(folder.path("out")).unwrap();
    let line = format!("render rope.lariat -o out/f-####.png {TINY}");
    folder.run(&format!("{line} --frames 2-5")).expect(0);
    let name = |frame: i32| format!("out/f-000{frame}.png");
    let whole: Vec<Vec<u8>> = (2..=5).map(|frame| bytes(&folder, &name(frame))).collect();
    assert!(whole.windows(2).all(|two| two[0] != two[1]), "nothing moves");

    fs::remove_file(folder.path(&name(3))).unwrap();
    let written = |frame| fs::metadata(folder.path(&name(frame))).unwrap().modified().unwrap();
    let before = [2, 4, 5].map(written);
    folder.run(&format!("{line} --frames 2-5")).expect_failure(
        "`out/f-0002.png` already exists; replace it with --force, keep it with --skip-existing, \
         or choose another name",
    );
    let ran = folder.run(&format!("{line} --frames 2-5 --skip-existing")).expect(0);
    assert!(ran.err.starts_with("wrote out/f-0002.png to out/f-0005.png: 1 frame"), "{}", ran.err);
    assert!(ran.err.ends_with("; 3 pictures kept\n"), "{}", ran.err);
    assert_eq!([2, 4, 5].map(written), before);
    let again: Vec<Vec<u8>> = (2..=5).map(|frame| bytes(&folder, &name(frame))).collect();
    assert!(again == whole);
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 4);

    let ran = folder.run(&format!("{line} --frames 2-5 --skip-existing")).expect(0);
    let nothing =
        "nothing to render in out/f-0002.png to out/f-0005.png; 4 pictures already complete\n";
    assert_eq!(ran.err, nothing);
    folder.run(&format!("{line} --frames 2-3 --force")).expect(0);
}

#[test]
fn other_files_and_other_sizes_are_not_kept_silently() {
    let folder = folder();
    let line = "render rope.lariat -o #.png --frames 1-2 --skip-existing --quality draft";
    folder.write("2.png", "not a picture");
    folder.run(&format!("{line} --size 64x48")).expect_failure(
        "`2.png` exists but is not a picture; remove it, or replace all files with --force",
    );
    assert_eq!(folder.read("2.png"), "not a picture");
    fs::remove_file(folder.path("2.png")).unwrap();
    folder.run(&format!("{line} --size 32x24")).expect(0);
    folder.run(&format!("{line} --size 64x48")).expect_failure(
        "`1.png` has 32x24 pixels instead of 64x48; use the same --size or another name, or replace \
         all files with --force",
    );
}

#[test]
fn damaged_pictures_are_rendered_again() {
    let folder = folder();
    let line = "render rope.lariat -o #.png --frames 1-5 --quality draft --size 64x48";
    folder.run(line).expect(0);
    let whole: Vec<Vec<u8>> = (1..=5).map(|k| bytes(&folder, &format!("{k}.png"))).collect();
    let mut wrong = whole[1].clone();
    // A bit within the compressed pixels.
    let middle = wrong.len() / 2;
    wrong[middle] ^= 4;
    folder.write("2.png", &wrong);
    folder.write("3.png", &whole[2][..whole[2].len() - 20]);
    folder.write("4.png", "");
    let ran = folder.run(&format!("{line} --skip-existing")).expect(0);
    let note = "rendering 3 damaged pictures again: `2.png`, `3.png`, `4.png`\n\
                wrote 1.png to 5.png: 3 frames, ";
    assert!(ran.err.starts_with(note), "{}", ran.err);
    assert!(ran.err.contains("; 2 pictures kept\n"), "{}", ran.err);
    let again: Vec<Vec<u8>> = (1..=5).map(|k| bytes(&folder, &format!("{k}.png"))).collect();
    assert!(again == whole);
    assert_eq!(folder.names().len(), 6);
}

#[cfg(unix)]
#[test]
fn pictures_are_numbered_in_names_that_are_not_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let folder = folder();
    let name = OsStr::from_bytes(b"\xff-####.png");
    let mut args: Vec<&OsStr> = "render rope.lariat --frames 1-2 --size 64x48 --quality draft -o"
        .split(' ')
        .map(OsStr::new)
        .collect();
    args.push(name);
    assert!(folder.command(args).status().unwrap().success());
    for frame in [&b"\xff-0001.png"[..], b"\xff-0002.png"] {
        assert!(folder.path("").join(OsStr::from_bytes(frame)).is_file());
    }
}

#[test]
fn several_frames_become_numbered_pictures_and_a_note_says_so() {
    let folder = folder();
    let ran = folder.run(&format!("render rope.lariat -o rope.png --frames 1,9 {TINY}")).expect(0);
    let note = "writing 2 frames as numbered pictures: `rope-0001.png` and so on\n\
                wrote rope-0001.png to rope-0009.png: 2 frames, 64x48, ";
    assert!(ran.err.starts_with(note), "{}", ran.err);
    assert_eq!(folder.names(), ["rope-0001.png", "rope-0009.png", "rope.lariat"]);
}

#[test]
fn a_contact_sheet_is_one_picture() {
    let folder = folder();
    let line = format!("render rope.lariat --contact-sheet {TINY}");
    let ran = folder.run(&format!("{line} -o some.png --frames 1,8,16,24")).expect(0);
    assert!(ran.err.starts_with("wrote some.png: 4 frames, 64x48, "), "{}", ran.err);
    let (width, height, ..) = decoded(&folder, "some.png");
    assert!(width > 2 * 64 && height > 48, "{width} by {height}");
    let ran = folder.run(&format!("{line} -o all.png")).expect(0);
    assert!(ran.err.starts_with("wrote all.png: 12 frames, "), "{}", ran.err);
    let (width, height, ..) = decoded(&folder, "all.png");
    assert!(width > 4 * 64 && height > 2 * 48, "{width} by {height}");
    for name in ["some.mp4", "#.png"] {
        folder
            .run(&format!("{line} -o {name}"))
            .expect_failure("a contact sheet is one picture; use the extension .png, without `#`");
    }
}

#[test]
fn captions_are_one_per_frame() {
    let folder = folder();
    let line = format!("render rope.lariat --contact-sheet --frames 1,12,24 {TINY}");
    folder.run(&format!("{line} -o plain.png")).expect(0);
    folder.run(&format!("{line} -o s.png --caption a --caption b --caption c")).expect(0);
    assert_ne!(bytes(&folder, "plain.png"), bytes(&folder, "s.png"));
    folder
        .run(&format!("{line} -o t.png --caption a --caption b"))
        .expect_failure("2 captions for 3 frames; expected one caption per frame");
    let line = format!("render rope.lariat --frame 3 {TINY}");
    folder.run(&format!("{line} -o one.png --caption pulled")).expect(0);
    folder.run(&format!("{line} -o none.png")).expect(0);
    assert_ne!(bytes(&folder, "one.png"), bytes(&folder, "none.png"));
    folder.run(&format!("render rope.lariat -o a.mp4 {TINY} --caption a")).expect_failure(
        "captions apply to a single picture or a contact sheet only; add --contact-sheet or \
             omit them",
    );
}

#[test]
fn the_extension_chooses_the_movie_format() {
    let folder = folder();
    for (ending, at, mark) in [("mp4", 4, "ftyp"), ("gif", 0, "GIF89a"), ("webp", 0, "RIFF")] {
        let name = format!("rope.{ending}");
        let ran =
            folder.run(&format!("render rope.lariat -o {name} --frames 1-3 {TINY}")).expect(0);
        assert!(bytes(&folder, &name)[at..].starts_with(mark.as_bytes()), "{name}");
        assert!(ran.err.starts_with(&format!("wrote {name}: 3 frames, 64x48, ")), "{}", ran.err);
    }
    let ran = folder.run(&format!("render rope.lariat -o all.mp4 {TINY}")).expect(0);
    assert!(ran.err.starts_with("wrote all.mp4: 24 frames, "), "{}", ran.err);
}

#[cfg(feature = "webp")]
#[test]
fn a_webp_of_lower_quality_is_smaller() {
    let folder = folder();
    let bytes = |flag: &str| {
        let line = "render rope.lariat -o rope.webp --frames 1-3 --size 160x120 --force";
        folder.run(&format!("{line} {flag}")).expect(0);
        fs::read(folder.path("rope.webp")).unwrap().len()
    };
    assert!(bytes("--webp-quality 30") < bytes(""), "{} bytes", bytes(""));
    folder.run("render rope.lariat -o rope.mp4 --webp-quality 30").expect_failure(
        "--webp-quality applies to .webp movies only; omit it, or use the extension .webp",
    );
}

#[test]
fn draft_is_the_default_and_says_so() {
    let folder = folder();
    let line = "render rope.lariat -o rope.png --force --renderer cpu --size 64x48";
    let picture = || fs::read(folder.path("rope.png")).unwrap();
    let by_default = folder.run(line).expect(0);
    assert!(by_default.err.contains("draft quality"), "{}", by_default.err);
    let plain = picture();
    let chosen = folder.run(&format!("{line} --quality draft")).expect(0);
    assert!(!chosen.err.contains("draft quality"), "{}", chosen.err);
    assert!(plain == picture());
}

#[test]
fn a_transparent_background_needs_a_format_with_transparency() {
    let folder = folder();
    let line = format!("render rope.lariat --frames 5 --background transparent {TINY}");
    folder.run(&format!("{line} -o rope.png")).expect(0);
    let (.., channels, pixels) = decoded(&folder, "rope.png");
    assert_eq!(channels, 4);
    assert!(pixels.chunks(4).any(|pixel| pixel[3] == 0));
    // A rope thinner than a pixel covers it partially.
    assert!(pixels.chunks(4).any(|pixel| pixel[3] > 0));
    folder.run(&format!("{line} -o rope.webp")).expect(0);
    for ending in ["mp4", "gif"] {
        folder.run(&format!("{line} -o rope.{ending}")).expect_failure(&format!(
            ".{ending} files cannot be transparent; write a .png or .webp, or omit --background"
        ));
    }
}

#[test]
fn views_and_bodies_change_the_picture() {
    let folder = folder();
    let views = ["23,17", "-60,30", "front", "side", "top"];
    let pictures = views.map(|view| {
        folder.run(&format!("render rope.lariat -o a.png --force --view {view} {TINY}")).expect(0);
        bytes(&folder, "a.png")
    });
    for (i, one) in pictures.iter().enumerate() {
        assert!(pictures[i + 1..].iter().all(|other| other != one), "{}", views[i]);
    }
    folder
        .run(&format!("render rope.lariat -o b.png --body rien {TINY}"))
        .expect_failure("there is no body `rien`; did you mean `rein`?");
}

#[test]
fn impossible_requests_fail_before_anything_is_drawn() {
    let folder = folder();
    for (line, message) in [
        ("-o rope.avi", "unknown format of `rope.avi`; supported: .png, .mp4, .gif, .webp"),
        (
            "-o -",
            "pictures cannot be written to standard output; choose a file with the extension .png, \
             .mp4, .gif or .webp",
        ),
        (
            "-o out/#.png",
            "cannot write `out/1.png`: there is no folder `out`; create it, or choose another location",
        ),
        ("-o #-#.png", "`#-#.png`: `#` may occur in one place only"),
        (
            "-o a.mp4 --size 4000x3000",
            "a .mp4 of 4000x3000 pixels is too large; the limit is 3840x2160, upright or \
             sideways; choose a smaller --size",
        ),
        (
            "-o a.mp4 --size 8x8",
            "a .mp4 of 8x8 pixels is too small; the minimum is 16x16; choose a larger --size",
        ),
        (
            "-o a.mp4 --skip-existing",
            "--skip-existing applies to numbered pictures only, not to movies; omit it, or write to \
             `frame-####.png`",
        ),
        (
            "-o a.png --skip-existing",
            "--skip-existing applies to numbered pictures only; omit it, or write to `frame-####.png`",
        ),
        (
            "-o a.mp4 --frames 1,2.5",
            "frame 2.5 is fractional, which only a single picture supports; render it with `--frame \
             2.5` to a .png",
        ),
    ] {
        folder.run(&format!("render rope.lariat {line}")).expect_failure(message);
    }
    for (line, part) in [
        ("--size 0x48", "a picture of 0x48 pixels is empty"),
        ("--size 100000x100000", "is too large; the limit is 134217728 pixels"),
        ("--size large", "expected WIDTHxHEIGHT in pixels, as in 1280x720"),
        ("--frames 5-1", "range 5-1 is reversed; write 1-5"),
        ("--frame 1-2", "more than one frame; use --frames for sets"),
        ("--view behind", "expected front, side or top, or two angles as in 25,15"),
        ("--quality best", "[possible values: draft, preview, final]"),
        ("--motion-blur 0", "0 is not in 1..=256"),
        ("--force --skip-existing", "cannot be used with"),
    ] {
        let ran = folder.run(&format!("render rope.lariat -o a.png {line}")).expect(2);
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
    }
    assert_eq!(folder.names(), ["rope.lariat"]);
}

#[test]
fn a_frame_rate_that_no_player_supports_is_refused() {
    let fast = ROPE.replace("[shot]", "[shot]\nfps = 60");
    let folder = Folder::with("fast.lariat", &fast);
    folder.run(&format!("render fast.lariat -o a.gif {TINY}")).expect_failure(
        "a .gif cannot play at 60 frames per second; players support 0.1 to 50; write a .mp4, or \
         change `fps`",
    );
    folder.run(&format!("render fast.lariat -o a.mp4 --frames 1-2 {TINY}")).expect(0);
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = folder();
    for name in ["rope.png", "rope.mp4"] {
        folder.write(name, "mine");
        folder.run(&format!("render rope.lariat -o {name} {TINY}")).expect_failure(&format!(
            "`{name}` already exists; choose another name, or replace it with --force"
        ));
        assert_eq!(folder.read(name), "mine");
        folder.run(&format!("render rope.lariat -o {name} --frames 1 --force {TINY}")).expect(0);
        assert_ne!(bytes(&folder, name), b"mine");
    }
    folder.write("scene.png", ROPE);
    folder.write("1.png", ROPE);
    for (document, output) in [("scene.png", "./scene.png"), ("1.png", "#.png")] {
        let ran = folder
            .run(&format!("render {document} -o {output} --frames 1-2 --force {TINY}"))
            .expect(2);
        assert!(ran.err.contains("is the input document and is never overwritten"), "{}", ran.err);
        assert_eq!(folder.read(document), ROPE);
    }
}

#[test]
fn errors_stop_the_command_without_keep_going() {
    let folder = Folder::with("short.lariat", SHORT);
    let line = format!("render short.lariat -o a.png --frame 24 {TINY}");
    let ran = folder.run(&line).expect(1);
    assert!(ran.err.contains("nothing was written because of 1 error;"), "{}", ran.err);
    assert_eq!(folder.names(), ["short.lariat"]);
    folder.run(&format!("{line} --keep-going")).expect(1);
    assert_eq!(decoded(&folder, "a.png").0, 64);
}

#[test]
fn a_document_without_bodies_shows_the_stage() {
    let folder = Folder::with("empty.lariat", "lariat = 2\n");
    folder.run(&format!("render empty.lariat -o a.png --quiet {TINY}")).expect(0);
    assert_eq!(decoded(&folder, "a.png").0, 64);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = folder();
    for name in ["a.png", "a.mp4", "a.gif", "a.webp"] {
        std::os::unix::fs::symlink("/dev/full", folder.path(name)).unwrap();
        let ran = folder.run(&format!("render rope.lariat -o {name} --frames 1 {TINY}")).expect(2);
        assert!(ran.err.starts_with(&format!("error: cannot write `{name}`: ")), "{}", ran.err);
        assert!(ran.err.ends_with("; choose another location\n"), "{}", ran.err);
    }
}

/// Runs a line until a file exists, then interrupts it. Returns its messages.
#[cfg(unix)]
fn interrupted(folder: &Folder, line: &str, is_there: impl Fn(&String) -> bool) -> String {
    use std::{
        process::{Command, Stdio},
        thread::sleep,
        time::Duration,
    };

    let mut command = folder.command(line.split(' '));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.names().iter().any(&is_there) {
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
        sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{err}");
    let stopped = "error: interrupted: rendering was cancelled; no incomplete file is left\n";
    assert!(err.ends_with(stopped), "{err}");
    assert!(folder.names().iter().all(|name| !name.contains("tmp")), "{:?}", folder.names());
    err
}

#[cfg(unix)]
#[test]
fn an_interrupted_sequence_keeps_its_pictures_and_can_continue() {
    let folder = folder();
    let line = "render rope.lariat -o f-##.png --size 160x120 --motion-blur 8";
    let err = interrupted(&folder, &format!("{line} --frames 1-600"), |name| name == "f-02.png");
    assert!(err.contains(" of 600 frames; continue with --skip-existing"), "{err}");
    let written = folder.names().len() - 1;
    assert!((2..600).contains(&written), "{written}");
    let first = bytes(&folder, "f-01.png");
    folder.run(&format!("{line} --frames 1-{} --skip-existing", written + 2)).expect(0);
    assert_eq!(folder.names().len(), written + 3);
    assert!(bytes(&folder, "f-01.png") == first);
}

#[cfg(unix)]
#[test]
fn an_interrupted_movie_leaves_nothing_behind() {
    let folder = folder();
    let line = "render rope.lariat -o f.mp4 --size 160x120 --motion-blur 8 --frames 1-600";
    interrupted(&folder, line, |name| name.starts_with(".lariat-"));
    assert_eq!(folder.names(), ["rope.lariat"]);
}

#[test]
fn without_a_card_the_cpu_renders() {
    let folder = folder();
    // A graphics backend that no test machine has.
    let run = |renderer: &str| {
        let line = format!("render rope.lariat -o {renderer}.png {TINY} --renderer {renderer}");
        let mut command = folder.command(line.split(' '));
        let out = command.env("WGPU_BACKEND", "webgpu").output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, messages) = run("auto");
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.ends_with(", rendered by the CPU\n"), "{messages}");
    let (code, messages) = run("gpu");
    assert_eq!(code, Some(2), "{messages}");
    assert!(messages.contains("no graphics card found: "), "{messages}");
    assert!(messages.ends_with("; use --renderer cpu\n"), "{messages}");
    assert_eq!(folder.names(), ["auto.png", "rope.lariat"]);
}
