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

#[test]
fn a_frame_counts_once_however_often_a_parameter_is_read() {
    // The radius is read for the clamp and for the surface, and dips below zero on the way.
    let found = surveyed(
        "[shot]\nframes = [1, 30]\n[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 3.2\nfloor = -9\n\
         radius = { keys = [[1, 0.05], [12, 0.001], [24, 0.001], [36, 0.08]], tangents = \"auto\" }",
    );
    let [finding] = &found[..] else { panic!("{found:#?}") };
    let label = &finding.labels[0].text;
    assert!(label.contains(" in frames "), "frames without a gap: {label}");
}

#[test]
fn a_number_that_strays_is_told_where_it_stands() {
    let strays = "{ keys = [[1, 0.3], [12, 0.001], [14, 0.001], [24, 0.5]], tangents = \"auto\" }";
    let found = surveyed(&format!(
        r#"
        [shot]
        frames = [1, 30]
        [[collider]]
        name = "ball"
        shape = "sphere"
        radius = {strays}
        [[body]]
        name = "a"
        model = "loose-rope"
        from = [0, 0, 3]
        length = 1
        radius = 0.02
        bends = [{{ position = 0.1, length = {strays}, angle = 20 }}]
        layers = [{{ kind = "clamp", against = "ball" }}, {{ kind = "pulse", height = 0.1, width = {strays} }}]
        [[body]]
        name = "b"
        model = "loose-rope"
        from = [5, 0, 3]
        length = 1
        layers = [{{ kind = "clamp", against = "ball" }}]
        "#
    ));
    let told: Vec<(&str, String)> =
        found.iter().map(|f| (&*f.message, f.path().expect("a place").to_string())).collect();
    let told: Vec<(&str, &str)> = told.iter().map(|(m, p)| (*m, &**p)).collect();
    assert_eq!(
        told,
        [
            ("`radius` of the collider `ball` leaves its range between keys", "collider[0].radius"),
            ("`bends[0].length` of `a` leaves its range between keys", "body[0].bends[0].length"),
            ("`layers[1].width` of `a` leaves its range between keys", "body[0].layers[1].width"),
        ]
    );
    let spans: Vec<_> = found.iter().map(|f| f.span().map(|s| s.start)).collect();
    assert!(spans.windows(2).all(|pair| pair[0] < pair[1]), "{spans:?}");
}

#[test]
fn lights_that_would_fill_the_memory_are_cut_and_said() {
    let text = r#"
        [shot]
        frames = [1, 3]
        [[body]]
        name = "lights"
        model = "string-of-lights"
        from = [0, 0, 3]
        to = { keys = [[1, [5, 0, 3]], [2, [1e12, 0, 3]]], interpolation = "linear" }
        sag = 0.5
        "#;
    let lowered = lowered(text);
    let scene = Scene::bind(&lowered);
    let points = |frame: f64| -> usize {
        scene.evaluate(frame).bodies[0].strands.iter().map(|s| s.points().len()).sum()
    };
    assert!(points(1.0) < 5_000);
    assert!((900_000..1_100_000).contains(&points(2.0)), "{}", points(2.0));
    let found = survey(&scene, &lowered, |_| true);
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(finding.code, Code::TooManyAtFrame);
    assert!(finding.labels[0].text.contains("in frames 2–3"), "{finding}");
}

#[test]
fn every_example_of_a_page_is_found() {
    for code in Code::ALL.iter().filter(|code| code.name().starts_with("L06")) {
        let mut blocks = code.page().split("```lariat").skip(1);
        let mut block = |info: &str| {
            let block = blocks.next().and_then(|b| b.strip_prefix(info)).expect("a block");
            let text = block.split("```").next().expect("its text").replace("lariat = 1\n", "");
            surveyed(&text).iter().map(|f| f.code).collect::<Vec<_>>()
        };
        assert!(block("\n").contains(code), "{code}");
        assert!(!block(" mended\n").contains(code), "{code}");
    }
}
