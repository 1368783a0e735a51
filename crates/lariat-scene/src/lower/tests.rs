//! Lowering gives the values of the document, and never panics.

mod cameras;
mod dynamics;
mod held_loads;
mod help;
mod incremental;
mod limits;
mod messages;
mod wiggles;
mod world;

use glam::DVec3;
use lariat_core::motion::{Channel, Colour, Extrapolation, Interpolation, TangentKind};
use proptest::prelude::*;

use super::*;
use crate::{
    check::{Severity, check},
    format::read,
    testing::{self, SAMPLE},
};

fn lowered(text: &str) -> Lowered {
    let read = read(text).unwrap();
    let (lowered, diagnostics) = lower(&read.document, &read.places, &Limits::DEFAULT);
    let reported: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(reported.is_empty(), "{reported:#?}");
    lowered
}

fn codes(text: &str) -> Vec<&'static str> {
    check(text.as_bytes(), &Limits::DEFAULT)
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.name())
        .collect()
}

/// Codes for one additional line in a valid rope.
fn codes_of_line(line: &str) -> Vec<&'static str> {
    codes(&format!(
        "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n{line}\n"
    ))
}

#[test]
fn the_sample_lowers_without_a_diagnostic() {
    let lowered = lowered(SAMPLE);
    assert_eq!((lowered.bodies.len(), lowered.cameras.len()), (8, 2));
    assert_eq!(lowered.shot, Shot::default());
    assert_eq!(lowered.shot.frame_count(), 120);
    assert!(lowered.skipped.is_empty());
}

#[test]
fn a_shot_has_a_ground() {
    let body = "[[body]]\nname = 'ball'\nmodel = 'solid'\n";
    let shot = |lines: &str| lowered(&format!("lariat = 2\n[shot]\n{lines}\n{body}")).shot;
    assert_eq!(shot("fps = 24").ground, ShotGround::Floor);
    assert_eq!(shot("fps = 24").ground_height, None);
    assert_eq!(shot("ground = 'water'").ground, ShotGround::Water);
    assert_eq!(shot("ground = 'none'").ground, ShotGround::None);
    let raised = shot("ground = 'floor'\nground-height = -0.5");
    assert_eq!((raised.ground, raised.ground_height), (ShotGround::Floor, Some(-0.5)));
    let code = |line: &str| codes(&format!("lariat = 2\n[shot]\n{line}\n{body}"));
    assert_eq!(code("ground = 'watr'"), ["L0207"]);
    assert_eq!(code("ground-height = 'low'"), ["L0203"]);
}

#[test]
fn parameters_come_by_technical_name_with_defaults_filled_in() {
    let lowered = lowered(SAMPLE);
    let body = |name: &str| &lowered.bodies[lowered.body_index(name).unwrap()];
    let rein = body("rein");
    assert_eq!(rein.kind(), "suspended-rope");
    assert_eq!(rein.scalar("length"), Some(&Channel::Constant(4.2)));
    assert_eq!(rein.scalar("sag"), None);
    assert_eq!(rein.scalar("radius"), Some(&Channel::Constant(0.01)));
    assert_eq!(rein.integer("samples"), Some(49));
    assert_eq!(rein.choice("axes"), Some("world"));
    assert_eq!(rein.switch("keep-length"), Some(&Channel::Constant(true)));
    assert_eq!(rein.text("look"), Some("rope"));
    assert_eq!(rein.cross_section("profile"), Some(&CrossSection::Round));
    assert_eq!(rein.along("taper"), None);
    let colour = Colour::from_hex("#c08040").unwrap();
    assert_eq!(rein.colour("colour"), Some(&Channel::Constant(colour)));
    assert!(rein.is_given("length") && !rein.is_given("radius"));
    // Plain names.
    let waves = rein.records("waves");
    assert_eq!(waves[0].scalar("magnitude"), Some(&Channel::Constant(0.08)));
    assert_eq!(waves[0].scalar("frequency"), Some(&Channel::Constant(3.0)));
    assert_eq!(waves[0].record("envelope"), None);
    assert_eq!(waves[1].record("envelope").unwrap().kind(), "flat");
    assert_eq!(body("lead").scalar("env"), Some(&Channel::Constant(0.25)));
    assert_eq!(body("coil").records("pincers")[0].scalar("count"), Some(&Channel::Constant(12.0)));
    // Defaults of a model.
    assert_eq!(body("girth").text("look"), Some("leather"));
    assert_eq!(body("girth").scalar("width"), Some(&Channel::Constant(0.04)));
    assert_eq!(body("cord").integer("points-per-coil"), Some(24));
    // Lists of a fixed length.
    assert_eq!(body("cord").scalars("leads").unwrap()[0], Channel::Constant(0.2));
    assert_eq!(body("coil").vectors("inner").unwrap().len(), 2);
    assert_eq!(body("lights").colours("bulb-colours").unwrap().len(), 3);
    assert_eq!(body("whole").names("parts").unwrap().len(), 2);
    let grid = lowered.colliders[1].grid("heights").unwrap();
    assert_eq!((grid.columns(), grid.rows(), grid.cells()[4]), (3, 3, 0.2));
    let envelope = body("lasso").records("hoop-waves")[0].record("envelope").unwrap();
    assert_eq!(envelope.along("points").unwrap()[1], (0.5, 1.0));
    assert_eq!(body("lead").along("taper"), Some(&[(0.0, 1.0), (0.9, 1.0), (1.0, 0.2)][..]));
}

#[test]
fn keys_have_the_times_of_their_frames() {
    let lowered = lowered(SAMPLE);
    let rein = &lowered.bodies[0];
    let Some(Channel::Keyed(swing)) = rein.scalar("swing") else { panic!("swing is keyed") };
    let frames: Vec<f64> = swing.key_times().iter().map(|t| lowered.shot.rate.frame(*t)).collect();
    assert_eq!(frames, [1.0, 24.0, 96.0]);
    for (frame, value) in [(1.0, 0.0), (24.0, 35.0), (96.0, -10.0)] {
        assert_eq!(swing.at(lowered.shot.seconds(frame)), value);
    }
    assert_eq!((swing.before(), swing.after()), (Extrapolation::Line, Extrapolation::Hold));
    let key = &swing.keys()[1];
    assert_eq!((key.incoming.kind, key.outgoing.kind), (TangentKind::Free, TangentKind::Free));
    let handle = key.outgoing.handle.unwrap();
    assert_eq!((handle.time, handle.value), (lowered.shot.seconds(4.0), 2.5));
    let twirl = lowered.bodies[6].scalar("twirl").unwrap().keys().unwrap();
    assert_eq!(twirl.keys()[0].interpolation, Interpolation::Linear);
    assert_eq!(twirl.after(), Extrapolation::CycleOffset);
}

#[test]
fn a_side_with_a_handle_is_free_and_one_without_uses_the_channel() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nfrom = [0, 0, 0]\nlength = { keys = [[1, 1], { frame = 9, value = 2, in = [-2, 0], ease = 'sine-in' }], tangents = 'flat', ease = 'linear' }\n";
    let lowered = lowered(text);
    let keys = lowered.bodies[0].scalar("length").unwrap().keys().unwrap().keys().to_vec();
    assert_eq!(keys[0].interpolation, Interpolation::Linear);
    assert_eq!(keys[1].interpolation.to_string(), "sine-in");
    assert_eq!(
        (keys[1].incoming.kind, keys[1].outgoing.kind),
        (TangentKind::Free, TangentKind::Flat)
    );
}

#[test]
fn anchors_are_lowered_with_their_targets() {
    let lowered = lowered(SAMPLE);
    let anchor = |body: &str, field: &str| {
        lowered.bodies[lowered.body_index(body).unwrap()].anchor(field).unwrap().clone()
    };
    assert_eq!(
        anchor("rein", "to"),
        Anchor::Locator {
            name: "hand".into(),
            offset: Channel::Constant(DVec3::new(0.0, 0.0, 0.1))
        }
    );
    assert_eq!(
        anchor("lead", "from"),
        Anchor::Body {
            name: "rein".into(),
            at: Channel::Constant(0.5),
            offset: Channel::Constant(DVec3::ZERO)
        }
    );
    assert_eq!(anchor("coil", "to"), Anchor::Point(Channel::Constant(DVec3::ONE)));
}

#[test]
fn dependencies_are_indices_of_bodies() {
    let lowered = lowered(SAMPLE);
    let index = |name| lowered.body_index(name).unwrap();
    assert_eq!(lowered.dependencies(index("lead")), [index("rein")]);
    assert_eq!(lowered.dependencies(index("whole")), [index("cord"), index("girth")]);
    assert!(lowered.dependencies(index("rein")).is_empty());
    assert_eq!(lowered.locator_index("bit"), Some(1));
    assert_eq!(lowered.collider_index("barrel"), Some(0));
    assert_eq!(lowered.body_index("bit"), None);
}

#[test]
fn a_record_has_the_positions_of_its_fields() {
    let lowered = lowered(SAMPLE);
    let rein = &lowered.bodies[0];
    assert_eq!(&SAMPLE[rein.span("length").unwrap().range()], "4.2");
    assert_eq!(&SAMPLE[rein.name_span("length").unwrap().range()], "length");
    assert_eq!(&SAMPLE[rein.place().unwrap().range()], "[[body]]");
    assert_eq!(rein.span("radius"), rein.place(), "a missing field has the position of its record");
    assert_eq!(rein.path().to_string(), "body[0]");
    let wave = &rein.records("waves")[1];
    assert_eq!(wave.path_of("magnitude").to_string(), "body[0].waves[1].magnitude");
    assert_eq!(&SAMPLE[wave.span("magnitude").unwrap().range()], "0.02");
    let envelope = wave.record("envelope").unwrap();
    assert_eq!(envelope.path().to_string(), "body[0].waves[1].envelope");
}

#[test]
#[should_panic(expected = "`lenght` is no parameter of suspended-rope in the schema")]
#[cfg(debug_assertions)]
fn reading_an_unknown_parameter_panics_in_debug_builds() {
    let _ = lowered(SAMPLE).bodies[0].scalar("lenght");
}

#[test]
#[should_panic(expected = "`length` is no vector of suspended-rope in the schema")]
#[cfg(debug_assertions)]
fn reading_a_parameter_as_another_type_panics_in_debug_builds() {
    let _ = lowered(SAMPLE).bodies[0].vector("length");
}

#[test]
fn every_getter_works_for_every_type() {
    use crate::schema::Kind;
    let lowered = lowered(SAMPLE);
    let all = lowered.bodies.iter().chain(&lowered.colliders);
    let mut records: Vec<&Record> = all.map(|record| &**record).collect();
    records.extend(lowered.bodies.iter().flat_map(|body| body.records("layers")));
    for record in records {
        for field in record.record_type().fields {
            let name = field.name;
            let answered = match field.kind {
                Kind::Scalar(_) => record.scalar(name).is_some(),
                Kind::Integer => record.integer(name).is_some(),
                Kind::Vector(_) | Kind::Direction => record.vector(name).is_some(),
                Kind::Colour => record.colour(name).is_some(),
                Kind::Switch => record.switch(name).is_some(),
                Kind::Text | Kind::File | Kind::Against | Kind::LocatorName | Kind::BodyName => {
                    record.text(name).is_some()
                }
                Kind::Choice(_) => record.choice(name).is_some(),
                Kind::Anchor => record.anchor(name).is_some(),
                Kind::Along(_) => record.along(name).is_some(),
                Kind::PerPoint(..) => record.per_point(name).is_some(),
                Kind::Records(_) => !record.records(name).is_empty(),
                Kind::Record(_) => record.record(name).is_some(),
                Kind::Outline => record.cross_section(name).is_some(),
                Kind::Grid(_) => record.grid(name).is_some(),
                Kind::Scalars(..) => record.scalars(name).is_some(),
                Kind::Vectors(..) => record.vectors(name).is_some(),
                Kind::Colours => record.colours(name).is_some(),
                Kind::Bodies => record.names(name).is_some(),
                Kind::Rate | Kind::Frames | Kind::Anything => true,
            };
            let expected = record.is_given(name)
                || !matches!(
                    field.preset,
                    schema::Preset::None | schema::Preset::Computed(_) | schema::Preset::Empty
                );
            assert_eq!(answered, expected, "{name} of {}", record.kind());
        }
    }
}

#[test]
fn values_of_every_wrong_type_are_reported() {
    for (line, code) in [
        ("swing = '20'", "L0203"),
        ("swing = true", "L0203"),
        ("swing = [1]", "L0203"),
        ("swing = {}", "L0203"),
        ("swing = nan", "L0204"),
        ("swing = -inf", "L0204"),
        ("swing = 1e200", "L0205"),
        ("swing = { keys = 3 }", "L0203"),
        ("swing = { keys = [[1]] }", "L0216"),
        ("swing = { keys = [1] }", "L0216"),
        ("swing = { keys = [{ frame = 1 }] }", "L0216"),
        ("swing = { keys = [['x', 1]] }", "L0203"),
        ("swing = { keys = [[nan, 1]] }", "L0204"),
        ("swing = { keys = [[1, inf]] }", "L0204"),
        ("swing = { keys = [[1, 0], [1.0000000001, 1]] }", "L0214"),
        ("swing = { keys = [[1e99, 0]] }", "L0205"),
        ("radius = 1e-17", "L0205"),
        ("radius = { keys = [[1, 1], [2, 5e-324]] }", "L0205"),
        ("swing = { keys = [[1, 0]], after = 'loop' }", "L0207"),
        ("swing = { keys = [[1, 0]], after = 3 }", "L0203"),
        ("swing = { keys = [[1, 0]], afer = 'cycle' }", "L0201"),
        ("swing = { keys = [{ frame = 1, value = 0, out = 3 }] }", "L0203"),
        ("swing = { keys = [{ frame = 1, value = 0, eas = 'sine-in' }] }", "L0201"),
        (
            "swing = { keys = [{ frame = 1, value = 0, ease = 'sine-in', interpolation = 'step' }] }",
            "L0208",
        ),
        ("radius = 0", "L0205"),
        ("radius = { keys = [[1, 0.1], [2, -0.1]] }", "L0205"),
        ("samples = 1", "L0205"),
        ("samples = 1e17", "L0206"),
        ("visible = 1", "L0203"),
        ("visible = 'true'", "L0203"),
        ("colour = [1, 0]", "L0217"),
        ("colour = [1, 0, -1]", "L0205"),
        ("colour = true", "L0203"),
        ("look = 3", "L0203"),
        ("axes = 'wrld'", "L0207"),
        ("axes = 7", "L0203"),
        ("taper = 1", "L0203"),
        ("taper = []", "L0217"),
        ("taper = [[0, 1, 2]]", "L0217"),
        ("taper = [[-0.1, 1]]", "L0205"),
        ("profile = 'square'", "L0207"),
        ("profile = [[0, 1], [1, 0]]", "L0217"),
        ("profile = [[0, 1], [1, 0], [1]]", "L0217"),
        ("profile = { points = [[0, 1], [1, 0]], closed = false }", ""),
        ("profile = { point = [[0, 1], [1, 0]] }", "L0201"),
        ("profile = { closed = true }", "L0203"),
        ("profile = 3", "L0203"),
        ("waves = { height = 1 }", "L0203"),
        ("waves = [3]", "L0203"),
        ("waves = [{ ripples = 2 }]", "L0202"),
        ("waves = [{ height = 1, envelope = 'half-sin' }]", "L0207"),
        ("waves = [{ height = 1, envelope = 3 }]", "L0203"),
        ("waves = [{ height = 1, envelope = { width = 1 } }]", "L0202"),
        ("waves = [{ height = 1, envelope = { kind = 'half-sine', width = 1 } }]", "L0201"),
        ("layers = [{ kind = 3 }]", "L0203"),
        ("layers = [{ height = 1 }]", "L0202"),
        ("layers = [{ kind = 'waves' }]", "L0207"),
        ("layers = [{ kind = 'clamp', against = 7 }]", "L0203"),
    ] {
        let expected: Vec<&str> = if code.is_empty() { vec![] } else { vec![code] };
        assert_eq!(codes_of_line(line), expected, "{line}");
    }
}

#[test]
fn anchors_of_every_wrong_type_are_reported() {
    for (anchor, code) in [
        ("'hand'", "L0203"),
        ("{ locater = 'hand' }", "L0203"),
        ("{ body = 3 }", "L0203"),
        ("{ body = 'rein', at = 2 }", "L0205"),
        ("{ locator = 'hand' }", "L0302"),
        ("{ body = 'b' }", "L0303"),
        ("{ body = 'a' }", "L0306"),
        ("[1, 2]", "L0217"),
        ("{ keys = [[1, 2]] }", "L0203"),
        ("7", "L0203"),
    ] {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = 1\nfrom = {anchor}\n"
        );
        let text =
            text + "[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nlength = 1\nfrom = [0, 0, 0]\n";
        assert_eq!(codes(&text), [code], "{anchor}");
    }
}

#[test]
fn a_cycle_is_reported_once_and_its_dependents_are_skipped() {
    let rope = |name: &str, on: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nlength = 1\nfrom = {{ body = '{on}' }}\n"
        )
    };
    let text = format!(
        "lariat = 2\n{}{}{}{}[[body]]\nname = 'e'\nmodel = 'loose-rope'\nlength = 1\nfrom = [0, 0, 0]\n",
        rope("a", "b"),
        rope("b", "c"),
        rope("c", "a"),
        rope("d", "a")
    );
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let messages: Vec<&str> =
        checked.diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(
        messages,
        [
            "3 bodies are attached to each other in a cycle: a → b → c → a",
            "body `d` is skipped because body `a` has errors",
        ]
    );
    let lowered = checked.content.unwrap().lowered;
    assert_eq!(lowered.skipped, ["a", "b", "c", "d"]);
    assert_eq!(lowered.bodies.len(), 1);
    assert_eq!(lowered.body_index("e"), Some(0));
}

#[test]
fn a_chain_of_thousands_of_bodies_is_lowered() {
    let mut text = String::from("lariat = 2\n");
    for i in 0..20_000 {
        let from = match i {
            0 => "[0, 0, 0]".to_owned(),
            _ => format!("{{ body = 'b{}', at = 1 }}", i - 1),
        };
        text += &format!(
            "[[body]]\nname = 'b{i}'\nmodel = 'loose-rope'\nlength = 1\nsamples = 2\nfrom = {from}\n"
        );
    }
    let good = lowered(&text);
    assert_eq!(good.dependencies(19_999), [19_998]);
    let bent = text.replacen("from = [0, 0, 0]", "from = { body = 'b19999' }", 1);
    let checked = check(bent.as_bytes(), &Limits::DEFAULT);
    assert_eq!(checked.diagnostics.len(), 1);
    assert_eq!(checked.diagnostics[0].code, Code::AttachmentCycle);
}

#[test]
fn rounding_errors_of_decimal_fractions_are_tolerated() {
    let spring = |pincers: &str| {
        codes(&format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'spring'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\npincers = [{pincers}]\n"
        ))
    };
    // 0.1 + 0.2 is slightly more than 0.3, and 0.7 + 0.3 could be more than 1.
    let touching = "{ position = 0.3, length = 0.4, count = 5 }, { position = 0.1, length = 0.2, count = 5 }, { position = 0.7, length = 0.3, count = 5 }";
    assert!(spring(touching).is_empty());
    assert_eq!(spring(&touching.replace("0.2,", "0.21,")), ["L0401"]);
    assert_eq!(spring(&touching.replace("0.3, count", "0.31, count")), ["L0402"]);
    // Keyed pincers are checked frame by frame, by evaluation.
    assert!(spring(&touching.replace("0.2,", "{ keys = [[1, 0.2], [9, 0.9]] },")).is_empty());
    let all = "{ position = 0, length = 1, count = 7 }";
    assert_eq!(spring(all), ["L0402"]);
    assert!(spring(&all.replace('7', "30")).is_empty());
    assert_eq!(spring(&all.replace('7', "31")), ["L0403"]);
}

#[test]
fn parameters_without_effect_on_a_model_are_reported() {
    let ends = "name = 'a'\nfrom = [0, 0, 0]\nto = [1, 0, 0]";
    let of = |model: &str, line: &str| {
        codes(&format!("lariat = 2\n[[body]]\nmodel = '{model}'\n{ends}\n{line}\n"))
    };
    for line in ["swing = 10", "sway = 10", "axes = 'chord'", "sag = 0.1\nsag-form = 'true'"] {
        assert_eq!(of("slinky", line), ["L0407"], "{line}");
        assert!(of("spring", line).is_empty(), "{line}");
    }
    for line in [
        "taper = [[0, 1], [1, 0.5]]",
        "twist = 2",
        "profile = 'flat'",
        "frames = 'frenet'",
        "radius = 0.01",
        "layers = [{ kind = 'twist', turns = 2 }]",
    ] {
        assert_eq!(of("string-of-lights", &format!("sag = 1\n{line}")), ["L0407"], "{line}");
        assert!(of("suspended-rope", &format!("sag = 1\n{line}")).is_empty(), "{line}");
    }
    for line in ["width = 0.1", "thickness = 0.1"] {
        assert_eq!(of("string-of-lights", &format!("sag = 1\n{line}")), ["L0407"], "{line}");
    }
    // The radius keeps the cable off the floor.
    assert!(of("string-of-lights", "sag = 1\nradius = 0.01\nfloor = -1").is_empty());
    assert_eq!(of("suspended-rope", "sag = 1\nprofile = 'flat'\nradius = 0.1"), ["L0407"]);
}

#[test]
fn equal_documents_lower_to_equal_records() {
    let one = lowered(SAMPLE);
    let other = lowered(&SAMPLE.replace("# film", "# film, as ever\n\n"));
    assert_eq!(one.bodies, other.bodies);
    assert_ne!(one.bodies[0].place(), other.bodies[0].place());
    let changed = lowered(&SAMPLE.replace("length = 4.2", "length = 4.3"));
    let same: Vec<bool> = one.bodies.iter().zip(&changed.bodies).map(|(a, b)| a == b).collect();
    assert_eq!(same, [false, true, true, true, true, true, true, true]);
}

#[test]
fn diagnostics_of_a_document_without_a_file_have_paths() {
    let mut document = testing::sample();
    document.root.get_mut("shot").unwrap().clone_from(&Value::from(3));
    let (_, diagnostics) = lower(&document, &Places::none(), &Limits::DEFAULT);
    assert_eq!(diagnostics[0].span(), None);
    assert_eq!(diagnostics[0].path().unwrap().to_string(), "shot");
}

proptest! {
    #[test]
    fn lowering_never_panics(document in testing::document()) {
        let (lowered, diagnostics) = lower(&document, &Places::none(), &Limits::DEFAULT);
        let errors = diagnostics.iter().any(Diagnostic::is_error);
        prop_assert!(lowered.skipped.is_empty() || errors);
        for body in 0..lowered.bodies.len() {
            for on in lowered.dependencies(body) {
                prop_assert!(*on < lowered.bodies.len());
            }
        }
    }

    #[test]
    fn checking_a_mutated_sample_never_panics(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8, ".{0,3}"), 1..6)
    ) {
        let mut text = SAMPLE.to_owned();
        for (at, kind, words) in edits {
            mutate(&mut text, at, kind, &words);
        }
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        for diagnostic in &checked.diagnostics {
            if let Some(span) = diagnostic.span() {
                prop_assert!(text.get(span.range()).is_some(), "{diagnostic} at {span:?}");
            }
        }
    }

    #[test]
    fn checking_random_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let checked = check(&bytes, &Limits::DEFAULT);
        // Random bytes are not a valid document: at least the version is missing.
        prop_assert!(!checked.diagnostics.is_empty());
    }
}

/// Changes a text like a typing error, a bad merge or an attacker.
fn mutate(text: &mut String, at: prop::sample::Index, kind: u8, words: &str) {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return;
    }
    let line = at.index(lines.len());
    let mut lines = lines;
    match kind {
        0 => {
            lines.remove(line);
        }
        1 => {
            let again = lines[line].clone();
            lines.insert(line, again);
        }
        2 => lines.swap(line, line / 2),
        3 => {
            let middle = lines[line].char_indices().nth(lines[line].chars().count() / 2);
            let middle = middle.map_or(0, |(byte, _)| byte);
            lines[line].insert_str(middle, words);
        }
        4 => lines[line] = lines[line].replace('=', ""),
        5 => lines[line] = lines[line].replace(|c: char| c.is_ascii_digit(), "nan"),
        6 => lines[line] = lines[line].replace('[', "{").replace(']', "}"),
        _ => lines[line] = lines[line].replace("0.", "-1e308"),
    }
    *text = lines.join("\n");
}

#[test]
fn a_shot_with_errors_is_invalid() {
    let good = |shot: &str| {
        let text = format!("lariat = 2\n[shot]\n{shot}\n");
        check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered.shot_valid
    };
    assert!(good("fps = 25\nframes = [1, 96]"));
    for bad in ["fps = 0", "frames = 96", "frame = [1, 96]"] {
        assert!(!good(bad), "{bad}");
    }
}

#[test]
fn markers_are_lowered_in_the_order_of_their_frames() {
    let text = "lariat = 2\n[shot]\nmarkers = [{ frame = 40, name = 'snap' }, { frame = 12 }, \
                { frame = 1.5 }, { name = 'x' }, 3, { frame = 3, nmae = 'y' }]\n";
    let found = check(text.as_bytes(), &Limits::DEFAULT);
    let lowered = &found.content.unwrap().lowered;
    let markers: Vec<_> = lowered.markers.iter().map(|m| (m.frame, &*m.name, m.index)).collect();
    assert_eq!(markers, [(12, "", 1), (40, "snap", 0)]);
    let errors = found.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let codes: Vec<Code> =
        errors.map(|one| one.code).filter(|code| *code != Code::NoBodies).collect();
    assert_eq!(codes, [Code::NotWhole, Code::MissingField, Code::WrongType, Code::UnknownField]);
}
