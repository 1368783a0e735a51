//! Takes that are damaged, cut short, too large or elsewhere.

use std::fs;

use crate::{
    harness::Folder,
    simulate::{SWUNG, bytes, endless, folder, names},
};

#[test]
fn a_damaged_take_is_reported_and_repaired() {
    let folder = folder();
    folder.run("simulate swing.lariat").expect(0);
    let path = folder.path("swing.takes/rope.take");
    let whole = fs::read(&path).unwrap();
    let motion = |folder: &Folder| folder.run("eval swing.lariat --frames 1,40").expect(0);
    let before = motion(&folder);
    assert_eq!(before.err, "");
    for at in [1, 60, whole.len() / 2] {
        let mut damaged = whole.clone();
        damaged[at] ^= 16;
        fs::write(&path, &damaged).unwrap();
        let ran = motion(&folder);
        assert_eq!(ran.out, before.out, "byte {at}");
        assert_eq!(ran.err.matches("note[L0674]").count(), 1, "{}", ran.err);
        assert!(ran.err.contains("is simulated again"), "{}", ran.err);
        assert!(fs::read(&path).unwrap() == damaged, "only `simulate` writes takes");
        let ran = folder.run("simulate swing.lariat").expect(0);
        assert!(ran.err.contains("the take is damaged at byte"), "{}", ran.err);
        assert!(fs::read(&path).unwrap() == whole, "byte {at}");
    }
}

#[test]
fn a_recording_that_is_too_large_is_refused_with_its_numbers() {
    let far = SWUNG.replace("control-points = 8", "control-points = 8, start = -1e9");
    let folder = Folder::with("far.lariat", &far);
    for line in
        ["check far.lariat", "eval far.lariat --frames 1", "simulate far.lariat --body rope"]
    {
        let ran = folder.run(line).expect(1);
        assert!(
            ran.err.contains("error[L0673]") || ran.out.contains("error[L0673]"),
            "{}",
            ran.err
        );
        let text = ran.out + &ran.err;
        assert!(text.contains("would have 4.7 TB, more than the limit"), "{text}");
        assert!(text.contains("--limit bytes-per-take=47"), "{text}");
    }
    // The limit in the help is enough, for shots of any length.
    for last in [50, 77, 200, 201] {
        let shot = SWUNG.replace("[1, 48]", &format!("[1, {last}]"));
        folder.write("swing.lariat", &shot);
        let line = format!("eval swing.lariat --body rope --frames {last}");
        let ran = folder.run(&format!("{line} --limit bytes-per-take=1000")).expect(1);
        let needed = ran.err.split("bytes-per-take=").nth(1).unwrap();
        let needed: String = needed.chars().take_while(char::is_ascii_digit).collect();
        folder.run(&format!("{line} --limit bytes-per-take={needed}")).expect(0);
    }
    // The limit can be raised, and lowered.
    folder.write("swing.lariat", SWUNG);
    let ran = folder.run("eval swing.lariat --frames 48 --limit bytes-per-take=100_000").expect(1);
    assert!(ran.err.contains("error[L0673]"), "{}", ran.err);
    folder.run("eval swing.lariat --frames 48 --limit bytes-per-take=1_000_000").expect(0);
}

#[test]
fn a_shot_that_is_too_long_to_record_is_refused_by_every_command() {
    // Recording it up to its limit would take hours.
    let long = endless().replace("200000", "20000000");
    let folder = Folder::with("long.lariat", &long);
    let limits = "--limit frames=100_000_000";
    for line in [
        "check long.lariat",
        "simulate long.lariat",
        "export long.lariat -o a.usda",
        "eval long.lariat --frames 20000000",
        "render long.lariat -o a.png --frame 20000000 --size 64x48",
        // The camera frames the whole shot.
        "render long.lariat -o a.png --frame 1 --size 64x48",
    ] {
        let ran = folder.run(&format!("{line} {limits}")).expect(1);
        let text = ran.out + &ran.err;
        // One for the recording that the other one depends on.
        assert_eq!(text.matches("error[L0673]").count(), 1, "{line}: {text}");
        assert!(text.contains("--limit bytes-per-take="), "{line}: {text}");
    }
    // A body that starts late at the end of one that is too long does not simulate it.
    let late = long.replace("control-points = 6", "control-points = 6, start = 1000000");
    assert_ne!(late, long);
    folder.write("long.lariat", &late);
    let ran = folder.run(&format!("check long.lariat {limits}")).expect(1);
    assert_eq!(ran.out.matches("error[L0673]").count(), 1, "{}", ran.out);
    assert_eq!(folder.names(), ["long.lariat"]);
}

#[cfg(unix)]
#[test]
fn a_link_among_takes_does_not_lead_elsewhere() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    for inner in ["shots", "shots/swing.takes", "elsewhere"] {
        fs::create_dir(folder.path(inner)).unwrap();
    }
    folder.write("shots/swing.lariat", SWUNG);
    for (target, before) in [("elsewhere/new", None), ("elsewhere/rope.take", Some("mine"))] {
        if let Some(text) = before {
            folder.write(target, text);
        }
        let link = folder.path("shots/swing.takes/rope.take");
        symlink(folder.path(target), &link).unwrap();
        for again in ["", " --again"] {
            let ran = folder.run(&format!("simulate shots/swing.lariat{again}")).expect(2);
            assert!(ran.err.contains("leads out of the folder of the takes"), "{}", ran.err);
            assert!(ran.err.contains("--allow-path"), "{}", ran.err);
        }
        let found = fs::read_to_string(folder.path(target)).ok();
        assert_eq!(found.as_deref(), before, "{target}");
        let ran = folder.run("eval shots/swing.lariat --frames 2").expect(0);
        assert!(
            ran.err.contains("is not used: it cannot be read: it leads out of the folder"),
            "{}",
            ran.err
        );
        fs::remove_file(&link).unwrap();
    }
    // The whole folder may be elsewhere if the user allows it.
    fs::remove_dir(folder.path("shots/swing.takes")).unwrap();
    symlink(folder.path("elsewhere"), folder.path("shots/swing.takes")).unwrap();
    fs::remove_file(folder.path("elsewhere/rope.take")).unwrap();
    folder.run("simulate shots/swing.lariat").expect(2);
    folder.run("simulate shots/swing.lariat --allow-path elsewhere").expect(0);
    assert_eq!(names(&folder, "elsewhere"), ["rope.take", "tassel.take"]);
    let ran = folder.run("eval shots/swing.lariat --frames 48 --allow-path elsewhere").expect(0);
    assert_eq!(ran.err, "");
    // So may a folder that the user names.
    folder.run("simulate shots/swing.lariat -o elsewhere").expect(0);
}

#[test]
fn a_take_that_ends_early_is_reported_with_its_last_frame() {
    let folder = folder();
    folder.run("simulate swing.lariat --to 20").expect(0);
    let ran = folder.run("eval swing.lariat --frames 48").expect(0);
    let note = "the takes of `rope` and 1 more end at frame 20, the shot at frame 48; `lariat simulate` \
                records the rest\n";
    assert_eq!(ran.err, note);
    assert_eq!(folder.run("eval swing.lariat --frames 48 --quiet").expect(0).err, "");
    // A complete take is not mentioned, neither here nor when it is recorded again.
    folder.run("simulate swing.lariat").expect(0);
    assert_eq!(folder.run("eval swing.lariat --frames 48").expect(0).err, "");
    let ran = folder.run("simulate swing.lariat").expect(0);
    assert!(!ran.err.contains("resuming"), "{}", ran.err);
}

#[test]
fn little_memory_gives_the_same_motion() {
    let folder = folder();
    let plenty = folder.run("eval swing.lariat --frames 1-48x5").expect(0).out;
    let little = "eval swing.lariat --frames 1-48x5 --limit take-memory=0";
    assert!(folder.run(little).expect(0).out == plenty);
    folder.run("simulate swing.lariat --limit take-memory=0 -o little").expect(0);
    folder.run("simulate swing.lariat").expect(0);
    assert!(folder.run(little).expect(0).out == plenty, "from takes");
    for name in ["rope.take", "tassel.take"] {
        assert!(
            bytes(&folder, &format!("little/{name}"))
                == bytes(&folder, &format!("swing.takes/{name}"))
        );
    }
}

#[test]
fn without_memory_and_disk_a_simulation_stops_with_the_reason() {
    let text = "lariat = 2\n[shot]\nframes = [1, 100]\n[[body]]\nname = 'rope'\nmodel = 'suspended-rope'\n\
                from = [0, 0, 1]\nto = [1, 0, 1]\nlength = 1.2\ndynamics = 'spline-rope'\n";
    let folder = Folder::with("rope.lariat", text);
    let line = "eval rope.lariat --frames 100 --limit take-memory=1000";
    folder.run(line).expect(0);
    let mut command = folder.command(line.split(' '));
    let ran = command.env("TMPDIR", folder.path("missing")).output().unwrap();
    let err = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{err}");
    for words in ["error[L0660]", "temporary file cannot be written", "`TMPDIR`"] {
        assert!(err.contains(words), "{words}: {err}");
    }
}
