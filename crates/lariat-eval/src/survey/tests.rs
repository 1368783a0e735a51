//! Diagnostics of recordings that are refused before they start.

use lariat_scene::Limits;
use lariat_scene::check::{Diagnostic, check};

use super::*;

/// The diagnostic of a body that is simulated from a long time ago.
fn refused(body: &str) -> Diagnostic {
    let text = format!("lariat = 2\n[shot]\nframes = [1, 2]\n[[body]]\nname = 'it'\n{body}\n");
    let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.expect("it can be read").lowered;
    let scene = Scene::bind(&lowered);
    let mut survey = Survey::default();
    // The last frame first: the answer does not depend on the order.
    for frame in [2, 1] {
        survey.note(frame, &scene.evaluate(frame as f64));
    }
    let run = scene.simulation(0).expect("it is simulated");
    assert_eq!(run.to, run.from, "nothing was simulated");
    let found = survey.diagnostics(&lowered);
    found.into_iter().find(Diagnostic::is_error).expect("an error")
}

#[test]
fn a_recording_that_is_too_large_is_refused_before_it_starts() {
    let rope = "model = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\ndynamics = ";
    for (body, fewer) in [
        (format!("{rope}{{ kind = 'string', start = -1e9 }}"), "`segments`"),
        (format!("{rope}{{ kind = 'spline-rope', start = -1e9 }}"), "`control-points`"),
        ("model = 'solid'\ndynamics = { kind = 'rigid', start = -1e9 }".to_owned(), "fewer solids"),
    ] {
        let diagnostic = refused(&body);
        assert_eq!(diagnostic.code, Code::RecordingTooLarge);
        assert!(diagnostic.message.contains("TB, more than the limit"), "{diagnostic}");
        assert!(diagnostic.labels[0].text.contains("the limit of 2.1 GB"), "{diagnostic}");
        let help = diagnostic.helps.join(" ");
        for words in ["end the shot earlier", fewer, "with `lariat simulate`"] {
            assert!(help.contains(words), "{help}");
        }
    }
}

#[test]
fn a_shot_that_is_too_long_to_record_is_not_simulated() {
    let rope = |name: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n\
             dynamics = 'string'\n"
        )
    };
    let text =
        format!("lariat = 2\n[shot]\nframes = [1, 100_000]\n{}{}", rope("one"), rope("other"));
    let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.expect("it can be read").lowered;
    let scene = Scene::bind(&lowered);
    let found = survey(&scene, &lowered, |_| panic!("a frame was evaluated"));
    // Both strings have one recording, so there is one diagnostic.
    let [diagnostic] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(diagnostic.code, Code::RecordingTooLarge);
    assert!(diagnostic.message.starts_with("the recording of all strings and solids would have"));
    let run = scene.simulation(0).expect("it is simulated");
    assert_eq!(run.to, run.from, "nothing was simulated");
}
