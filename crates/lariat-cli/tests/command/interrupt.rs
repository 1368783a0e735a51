//! Signals: exit codes, and commands that cannot stop in time.

#![cfg(unix)]

use std::{
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::harness::{Folder, ROPE};

/// A string of which one step takes many seconds.
const ONE_LONG_STEP: &str = "lariat = 2\n[shot]\nframes = [1, 100]\n[[body]]\nname = \"rope\"\n\
                             model = \"loose-rope\"\nfrom = [0, 0, 2]\nlength = 1\n\
                             direction = [1, 0, 0]\n[body.dynamics]\nkind = \"string\"\n\
                             segments = 100000\ncontact = false\nrate = 1\n";

/// Message of a process that did not wait for its command.
const ENDED: &str = "error: interrupted; everything that was complete is kept\n";

fn start(folder: &Folder, line: &str) -> Child {
    let mut command = folder.command(line.split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// Exit code and messages of a process that ends by itself.
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Waits until a condition holds.
fn wait_for(child: &mut Child, is_there: impl Fn() -> bool) {
    while !is_there() {
        assert!(child.try_wait().unwrap().is_none(), "ended before it began");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_long_step_does_not_keep_a_command_running() {
    let folder = Folder::with("long.lariat", ONE_LONG_STEP);
    let take = folder.path("long.takes/strings.tangle");
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        // The step begins a moment after its file exists; slow machines get more time. A command that
        // is not in it yet ends by itself.
        let result = [100, 1000, 4000].into_iter().find_map(|wait| {
            let mut child = start(&folder, "simulate long.lariat");
            wait_for(&mut child, || take.exists());
            sleep(Duration::from_millis(wait));
            send(&child, signal);
            let (ended, err) = ended(child);
            assert_eq!(ended, Some(code), "{err}");
            let _ = std::fs::remove_file(&take);
            (err == ENDED).then_some(())
        });
        assert_eq!(result, Some(()), "{signal}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let folder = Folder::with("long.lariat", ONE_LONG_STEP);
    let take = folder.path("long.takes/strings.tangle");
    // After the first signal alone, the code is 130. On a slow machine the second may come too late.
    let result = [500, 1000, 4000].into_iter().find_map(|wait| {
        let mut child = start(&folder, "simulate long.lariat");
        wait_for(&mut child, || take.exists());
        sleep(Duration::from_millis(wait));
        send(&child, "-INT");
        sleep(Duration::from_millis(50));
        let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        let (code, err) = ended(child);
        let _ = std::fs::remove_file(&take);
        (sent.is_ok() && code == Some(143)).then_some(err)
    });
    assert_eq!(result.as_deref(), Some(ENDED));
}

#[test]
fn a_command_that_waits_for_its_input_can_be_interrupted() {
    let folder = Folder::new();
    for line in ["check -", "modes - -o a.modes", "plot - -o a.svg"] {
        // The start is not observable from outside; slow machines get more time.
        let result = [300, 2000, 8000, 30_000].into_iter().find_map(|wait| {
            let mut child = start(&folder, line);
            let input = child.stdin.take();
            sleep(Duration::from_millis(wait));
            send(&child, "-INT");
            let (code, err) = ended(child);
            drop(input);
            code.map(|code| (code, err))
        });
        assert_eq!(result, Some((130, ENDED.to_owned())), "{line}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_that_takes_long_leaves_no_temporary_file() {
    let folder = Folder::with("rope.lariat", ROPE);
    // Twenty thousand million samples before the first frame of the movie.
    let line = "render rope.lariat -o rope.mp4 --size 3840x2160 --quality final --motion-blur 100";
    // The picture begins a moment after its file exists; a command that has not begun it yet ends by
    // itself.
    let result = [100, 1000, 4000].into_iter().find_map(|wait| {
        let mut child = start(&folder, line);
        wait_for(&mut child, || folder.names().iter().any(|name| name.starts_with(".lariat-")));
        sleep(Duration::from_millis(wait));
        send(&child, "-INT");
        let (code, err) = ended(child);
        assert_eq!(code, Some(130), "{err}");
        assert_eq!(folder.names(), ["rope.lariat"], "{err}");
        err.ends_with(ENDED).then_some(())
    });
    assert_eq!(result, Some(()));
}
