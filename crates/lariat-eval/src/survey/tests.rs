//! Diagnostics that would need gigabytes or hours to occur in a document.

use lariat_scene::Limits;
use lariat_scene::check::{Diagnostic, check};

use super::*;
use crate::moment::BodyMoment;
use crate::simulate::history::History;

/// The diagnostic of a body whose recording has reached its limit.
fn full(body: &str) -> Diagnostic {
    let text = format!("lariat = 2\n[[body]]\nname = 'it'\n{body}\n");
    let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.expect("it can be read").lowered;
    let mut history =
        History { rate: 240.0, row: 10, numbers: vec![0.0; 100], ..History::default() };
    assert!(!history.stop_beyond(800), "it fits");
    assert!(history.stop_beyond(799), "it does not");
    let warning = history.stopped.expect("it stopped").warning(&Scene::bind(&lowered));
    let mut moment = Moment::default();
    moment.bodies.push(BodyMoment::default());
    moment.bodies[0].warnings.push(warning);
    let mut survey = Survey::default();
    survey.note(9, &moment);
    survey.diagnostics(&lowered).pop().expect("one diagnostic")
}

#[test]
fn the_remedy_for_a_full_recording_is_a_shorter_shot() {
    let rope = "model = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\ndynamics = ";
    for (body, fewer) in [
        (format!("{rope}'string'"), "`segments`"),
        (format!("{rope}'spline-rope'"), "`control-points`"),
        (format!("{rope}{{ kind = 'spline-rope', method = 'published' }}"), "`control-points`"),
        ("model = 'solid'\ndynamics = 'rigid'".to_owned(), "fewer solids"),
    ] {
        let diagnostic = full(&body);
        assert_eq!(diagnostic.code, Code::SimulationStopped);
        assert!(diagnostic.labels[0].text.contains("its recording has reached"), "{diagnostic}");
        let help = diagnostic.helps.join(" ");
        assert!(help.contains("end the shot earlier") && help.contains(fewer), "{help}");
        for wrong in ["weaken", "`rate`", "softer", "slowly"] {
            assert!(!help.contains(wrong), "{help}");
        }
    }
}
