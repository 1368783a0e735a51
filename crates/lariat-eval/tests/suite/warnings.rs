//! What could not be done as told is said, with the frame and the numbers.

use lariat_eval::{Scene, survey};
use lariat_scene::check::{Code, Diagnostic};

use crate::lowered;

fn surveyed(text: &str) -> Vec<Diagnostic> {
    let lowered = lowered(text);
    survey(&Scene::bind(&lowered), &lowered, |_| true)
}

#[test]
fn a_rope_too_short_is_one_finding_with_its_worst_frame() {
    let found = surveyed(
        r#"
        [shot]
        frames = [1, 50]
        [[body]]
        name = "rein"
        model = "suspended-rope"
        from = [0, 0, 1]
        to = { keys = [[1, [2, 0, 1]], [21, [4, 0, 1]], [41, [2, 0, 1]]], interpolation = "linear" }
        length = 3
        "#,
    );
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(finding.code, Code::RopeTooShort);
    assert!(finding.message.contains("`rein`"));
    // Longer than 3 m from frame 12 to frame 30, 4 m at frame 21.
    let label = &finding.labels[0].text;
    assert_eq!(label, "3.000 m of rope; it needs 4.000 m in frames 12–30, worst at frame 21");
    assert!(finding.helps[0].contains("4.001 m"), "{finding}");
    assert!(finding.span().is_some());
}

#[test]
fn waves_without_slack_are_said() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 3.01\nwaves = [{ height = 0.4, ripples = 4 }]",
    );
    assert_eq!(found[0].code, Code::NotEnoughSlack);
    assert!(found[0].helps[0].contains("keep-length = false"));
}

#[test]
fn a_wire_too_short_and_a_number_that_strays_are_said() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"coiled-cord\"\nfrom = [0,0,1]\nto = [3,0,1]\nwire-length = 2\n\
         radius = { keys = [{ frame = 1, value = 0.02, ease = \"back-out\" }, [10, 0.001], [20, 0.02]] }",
    );
    let codes: Vec<Code> = found.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Code::WireTooShort, Code::LeftItsRange]);
}

#[test]
fn too_much_rope_for_the_floor_is_said() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 9\nfloor = 0",
    );
    assert_eq!(found[0].code, Code::CannotBeLaid);
}

/// The examples of the pages, evaluated: each brings about its own finding and nothing else, and
/// mended nothing at all.
#[test]
fn examples_of_pages_bring_their_findings_about() {
    for code in [
        Code::PincersLeaveNoRoom,
        Code::BendPastEndAtFrame,
        Code::SpanTooLongAtFrame,
        Code::WavesTooFine,
        Code::WireTooLong,
    ] {
        let mut blocks = code.page().split("```").skip(1).step_by(2).map(|block| {
            let text = block.split_once("lariat = 1").unwrap().1;
            surveyed(text).iter().map(|f| f.code).collect::<Vec<_>>()
        });
        assert_eq!(blocks.next(), Some(vec![code]), "{code}");
        assert_eq!(blocks.next(), Some(vec![]), "{code}, mended");
    }
}

#[test]
fn a_clean_shot_has_no_findings() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 4\nwaves = [{ height = 0.1, ripples = 3, travel = 1 }]",
    );
    assert_eq!(found, []);
}

#[test]
fn stopping_a_survey_stops_it() {
    let lowered = lowered(
        "[[body]]\nname = \"a\"\nmodel = \"jump-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 4\nturn = { keys = [[1, 0], [24, 360]] }",
    );
    let mut seen = Vec::new();
    survey(&Scene::bind(&lowered), &lowered, |frame| {
        seen.push(frame);
        frame < 5
    });
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}
