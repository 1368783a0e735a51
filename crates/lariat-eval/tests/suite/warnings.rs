//! Warnings of whole shots, with their frames and numbers.

use lariat_eval::{Assets, Scene, survey};
use lariat_scene::Limits;
use lariat_scene::check::{Code, Diagnostic, check};

use crate::lowered;

fn surveyed(text: &str) -> Vec<Diagnostic> {
    let lowered = lowered(text);
    survey(&Scene::bind(&lowered), &lowered, |_| true)
}

#[test]
fn a_rope_too_short_is_one_diagnostic_with_its_worst_frame() {
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
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::RopeTooShort);
    assert!(diagnostic.message.contains("`rein`"));
    // Longer than 3 m from frame 12 to frame 30, 4 m at frame 21.
    let label = &diagnostic.labels[0].text;
    assert_eq!(label, "3.000 m of rope; it needs 4.000 m in frames 12–30, worst at frame 21");
    assert!(diagnostic.helps[0].contains("`length` to 4.001 or more"), "{diagnostic}");
    let remedy = diagnostic.remedy.as_ref().expect("one edit is the remedy");
    assert_eq!(remedy.edit().to_string(), "set body[0].length = 4.001");
    assert!(diagnostic.span().is_some());
}

#[test]
fn waves_without_slack_are_reported() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 3.01\nwaves = [{ height = 0.4, ripples = 4 }]",
    );
    assert_eq!(found[0].code, Code::NotEnoughSlack);
    assert!(found[0].helps[0].contains("keep-length = false"));
}

#[test]
fn a_wire_too_short_and_a_number_out_of_range_are_reported() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"coiled-cord\"\nfrom = [0,0,1]\nto = [3,0,1]\nwire-length = 2\n\
         radius = { keys = [{ frame = 1, value = 0.02, ease = \"back-out\" }, [10, 0.001], [20, 0.02]] }",
    );
    let codes: Vec<Code> = found.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Code::WireTooShort, Code::LeavesRange]);
}

#[test]
fn too_much_rope_for_the_floor_is_reported() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 9\nfloor = 0",
    );
    assert_eq!(found[0].code, Code::ExcessRope);
}

/// Evaluates the examples of the pages: each reports its diagnostic and nothing else, and its fixed
/// form reports nothing.
#[test]
fn examples_of_pages_cause_their_diagnostics() {
    for code in [
        Code::PincersLeaveNoRoom,
        Code::BendPastEndAtFrame,
        Code::SpanTooLongAtFrame,
        Code::WavesTooFine,
        Code::WireTooLong,
        Code::CameraAtTarget,
    ] {
        let mut blocks = code.page().split("```").skip(1).step_by(2).map(|block| {
            let text = block.split_once("lariat = 2").unwrap().1;
            surveyed(text).iter().map(|f| f.code).collect::<Vec<_>>()
        });
        assert_eq!(blocks.next(), Some(vec![code]), "{code}");
        assert_eq!(blocks.next(), Some(vec![]), "{code}, fixed");
    }
}

#[test]
fn a_clean_shot_has_no_diagnostics() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 4\nwaves = [{ height = 0.1, ripples = 3, travel = 1 }]",
    );
    assert_eq!(found, []);
}

#[test]
fn returning_false_stops_a_survey() {
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
    // The radius is read for the clamp and for the surface, and dips below zero between keys.
    let found = surveyed(
        "[shot]\nframes = [1, 30]\n[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 3.2\nfloor = -9\n\
         radius = { keys = [[1, 0.05], [12, 0.001], [24, 0.001], [36, 0.08]], tangents = \"auto\" }",
    );
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    let label = &diagnostic.labels[0].text;
    assert!(label.contains(" in frames "), "frames without a gap: {label}");
}

#[test]
fn a_number_out_of_range_is_reported_at_its_place() {
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
    let reported: Vec<(&str, String)> =
        found.iter().map(|f| (&*f.message, f.path().expect("a place").to_string())).collect();
    let reported: Vec<(&str, &str)> = reported.iter().map(|(m, p)| (*m, &**p)).collect();
    assert_eq!(
        reported,
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
fn lights_beyond_the_limit_are_reduced_and_reported() {
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
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::TooManyPointsAtFrame);
    assert!(diagnostic.labels[0].text.contains("in frames 2–3"), "{diagnostic}");
}

const ROPE: &str = "[shot]\nframes = [1, 48]\n[[body]]\nname = \"a\"\nmodel = \"suspended-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\n";

#[test]
fn a_warning_about_a_still_body_covers_every_frame() {
    let label = |text: &str| surveyed(text).first().expect("a diagnostic").labels[0].text.clone();
    let short = format!("{ROPE}length = 2");
    assert_eq!(label(&short), "2.000 m of rope; it needs 3.000 m in frames 1–48");
    let moves = "\n[[body]]\nname = \"b\"\nmodel = \"jump-rope\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 4\nturn = { keys = [[1, 0], [24, 360]] }";
    assert_eq!(label(&(short.clone() + moves)), label(&short), "with a moving body beside it");
    let wavy = label(&format!("{ROPE}length = 3.01\nwaves = [{{ height = 0.4, ripples = 4 }}]"));
    assert!(wavy.contains(" more rope in frames 1–48;"), "{wavy}");
}

#[test]
fn diagnostics_carry_frames_and_numbers() {
    let found = surveyed(&format!("{ROPE}length = 2"));
    let frames = found[0].frames.expect("frames");
    assert_eq!((frames.first, frames.last, frames.count, frames.worst), (1, 48, 48, 1));
    assert_eq!(found[0].values, [("length", 2.0), ("needed", 3.0)]);
}

#[test]
fn a_stopped_survey_of_a_still_shot_reports_nothing() {
    let lowered = lowered(&format!("{ROPE}length = 2"));
    let found = survey(&Scene::bind(&lowered), &lowered, |_| false);
    assert_eq!(found, []);
}

#[test]
fn a_lasso_whose_span_is_too_short_is_reported_at_its_span() {
    let found = surveyed(
        "[[body]]\nname = \"a\"\nmodel = \"lasso\"\ncentre = [0,0,3]\nhand = [0,2,1]\nlength = 6\nspan-length = 0.3",
    );
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::RopeTooShort);
    assert_eq!(diagnostic.path().expect("a place").to_string(), "body[0].span-length");
    assert!(diagnostic.message.contains("the span of `a`"), "{diagnostic}");
    assert!(diagnostic.helps[0].starts_with("set `span-length` to "), "{diagnostic}");
}

#[test]
fn a_floor_above_both_ends_is_named_as_the_cause() {
    let found = surveyed(&format!("{ROPE}length = 3.5\nfloor = 2"));
    let short = found.iter().find(|f| f.code == Code::RopeTooShort).expect("too short");
    assert!(short.labels[0].text.contains("its ends are 3.000 m apart"), "{short}");
    assert!(short.helps[0].contains("floor"), "{short}");
}

#[test]
fn an_end_inside_a_collider_is_reported_with_its_depth() {
    let post =
        "[[collider]]\nname = \"ball\"\nshape = \"sphere\"\ncentre = [3,0,1]\nradius = 0.2\n";
    let clamped = "length = 4\nlayers = [{ kind = \"clamp\", against = \"ball\" }]";
    let found = surveyed(&format!("{ROPE}{clamped}\n{post}"));
    let [diagnostic] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(diagnostic.code, Code::EndInside);
    assert_eq!(diagnostic.path().expect("a place").to_string(), "body[0].to");
    assert_eq!(diagnostic.labels[0].text, "0.200 m below the surface of `ball` in frames 1–48");
    // An end inside two colliders is reported for each.
    let both = surveyed(
        &format!("{ROPE}floor = 0.9\n{clamped}\n{post}")
            .replace("to = [3,0,1]", "to = [3,0,0.85]")
            .replace("length = 4", "length = 3.02"),
    );
    let labels: Vec<&str> =
        both.iter().filter(|f| f.code == Code::EndInside).map(|f| &*f.labels[0].text).collect();
    assert_eq!(
        labels,
        [
            "0.050 m below the surface of the floor in frames 1–48",
            "0.050 m below the surface of `ball` in frames 1–48"
        ]
    );
    // An end on the surface, up to rounding, is not reported.
    let tied = post.replace("[3,0,1]", "[3.2,0,1]");
    assert_eq!(surveyed(&format!("{ROPE}{clamped}\n{tied}")), []);
    let below = surveyed(&format!("{ROPE}length = 4\nfloor = 1.5"));
    let codes: Vec<Code> = below.iter().map(|f| f.code).collect();
    assert_eq!(codes.iter().filter(|c| **c == Code::EndInside).count(), 2, "{below:#?}");
}

#[test]
fn the_remedy_for_a_range_fits_its_cause() {
    let help = |sag: &str| {
        let found = surveyed(&format!("{ROPE}sag = {sag}"));
        let [diagnostic] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(diagnostic.code, Code::LeavesRange);
        diagnostic.helps[0].clone()
    };
    let ease = help("{ keys = [[1, 0], [20, 0.5]], ease = \"back-in\" }");
    assert!(ease.contains("does not overshoot") && !ease.contains("tangents"), "{ease}");
    let line =
        help("{ keys = [[1, 0.5], [20, 0.1]], interpolation = \"linear\", after = \"line\" }");
    assert!(line.contains("`after = \"hold\"`"), "{line}");
    let tangents = help("{ keys = [[1, 0.5], [12, 0], [14, 0], [24, 0.5]], tangents = \"auto\" }");
    assert!(tangents.contains("tangents"), "{tangents}");
}

#[test]
fn diagnostics_of_reading_are_not_repeated() {
    let codes = |text: &str| {
        let checked = check(format!("lariat = 2\n{text}").as_bytes(), &Limits::DEFAULT);
        let lowered = checked.content.expect("a document").lowered;
        let later = survey(&Scene::bind(&lowered), &lowered, |_| true);
        checked.diagnostics.iter().chain(&later).map(|f| f.code).collect::<Vec<_>>()
    };
    let spring = |count: &str| {
        codes(&format!(
            "[[body]]\nname = \"s\"\nmodel = \"spring\"\nfrom = [0,0,1]\nto = [3,0,1]\ncoils = 8\npincers = [{{ position = 0.1, length = 0.2, count = {count} }}]"
        ))
    };
    let rope = |length: &str| {
        codes(&format!(
            "[[body]]\nname = \"r\"\nmodel = \"loose-rope\"\nfrom = [0,0,2]\nlength = 2\nbends = [{{ position = 0.9, length = {length}, angle = 40 }}]"
        ))
    };
    assert_eq!(rope("0.3"), [Code::BendPastEnd]);
    assert_eq!(rope("{ keys = [[1, 0.05], [20, 0.3]] }"), [Code::BendPastEndAtFrame]);
    assert_eq!(spring("9"), [Code::PincersHoldTooMany]);
    assert_eq!(spring("{ keys = [[1, 3], [20, 9]] }"), [Code::PincersHoldTooManyAtFrame]);
}

#[test]
fn every_example_of_a_page_is_found() {
    let most = Limits::DEFAULT.points_per_mesh as usize;
    let files = super::modes::files()
        .with("broken.obj", "v 0 0\n")
        .with("forest.obj", "v 0 0 0\n".repeat(most + 1));
    // Takes on disk are checked by the command line.
    let here = |code: &&Code| {
        code.name().starts_with("L06") && ![Code::StaleTake, Code::DamagedTake].contains(code)
    };
    for code in Code::ALL.iter().filter(here) {
        let mut blocks = code.page().split("```lariat").skip(1);
        let mut block = |info: &str| {
            let block = blocks.next().and_then(|b| b.strip_prefix(info)).expect("a block");
            let text = block.split("```").next().expect("its text").replace("lariat = 2\n", "");
            let lowered = lowered(&text);
            let assets = Assets::load(&lowered, &Limits::DEFAULT, &files);
            let mut found = assets.diagnostics(&lowered, &Limits::DEFAULT);
            let scene = Scene::bind_with(&lowered, &assets);
            found.extend(survey(&scene, &lowered, |_| true));
            found.iter().map(|f| f.code).collect::<Vec<_>>()
        };
        assert!(block("\n").contains(code), "{code}");
        assert!(!block(" fixed\n").contains(code), "{code}");
    }
}

#[test]
fn colours_are_held_in_their_range() {
    let rope = |model: &str, colour: &str| {
        let text = format!(
            "[shot]\nframes = [1, 60]\n[[body]]\nname = \"a\"\nmodel = \"{model}\"\nfrom = [0,0,1]\nto = [3,0,1]\nlength = 4\n{colour}"
        );
        let lowered = lowered(&text);
        let scene = Scene::bind(&lowered);
        for frame in 1..=60 {
            for strand in &scene.evaluate(f64::from(frame)).bodies[0].strands {
                for component in strand.look.colour {
                    let allowed = (0.0..=2.0).contains(&component);
                    assert!(allowed, "{component} at frame {frame} of {colour}");
                }
            }
        }
        survey(&scene, &lowered, |_| true)
    };
    let wiggle = "{ wiggle = [[1, \"#000000\"], [20, \"#ffffff\"]], hertz = 1 }";
    for (model, field, colour) in [
        ("suspended-rope", "colour", wiggle.to_owned()),
        ("string-of-lights", "colour", wiggle.to_owned()),
        ("string-of-lights", "bulb-colours", format!("[\"#ff0000\", {wiggle}]")),
    ] {
        let found = rope(model, &format!("{field} = {colour}"));
        let [diagnostic] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(diagnostic.code, Code::LeavesRange);
        let start = format!("`{field}` of `a` leaves its range");
        assert!(diagnostic.message.starts_with(&start), "{diagnostic}");
        assert!(diagnostic.helps[0].contains("swings"), "{diagnostic}");
    }
    // A colour brighter than white is held at its brightest key.
    let bright = rope(
        "suspended-rope",
        "colour = { keys = [[1, [0.5, 0.5, 0.5]], [20, [2, 1, 1]], [40, [2, 1, 1]], [60, [0.5, 0.5, 0.5]]], tangents = \"auto\" }",
    );
    let [diagnostic] = &bright[..] else { panic!("{bright:#?}") };
    assert!(diagnostic.labels[0].text.contains("held at 2.0"), "{diagnostic}");
    assert!(diagnostic.helps[0].contains("tangents"), "{diagnostic}");
    let still = rope("suspended-rope", "colour = { keys = [[1, [0, 0.5, 2]], [40, [1, 1, 1]]] }");
    assert_eq!(still, []);
}
