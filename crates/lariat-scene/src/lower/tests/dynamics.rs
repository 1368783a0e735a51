//! Simulated bodies of a document, and their errors.

use glam::DVec3;
use lariat_core::motion::Channel;

use super::*;
use crate::check::Diagnostic;

/// A rope over a floor, with lines for the body and for `[body.dynamics]`.
fn document(lines: &str, dynamics: &str) -> String {
    format!(
        "lariat = 2\n[shot]\nframes = [1, 96]\n[[locator]]\nname = 'hand'\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = {{ locator = 'hand' }}\nto = [1, 0, 0]\nlength = 2\n{lines}\n[body.dynamics]\nkind = 'spline-rope'\n{dynamics}\n"
    )
}

fn found(lines: &str, dynamics: &str) -> Vec<Diagnostic> {
    check(document(lines, dynamics).as_bytes(), &Limits::DEFAULT).diagnostics
}

fn codes_of(dynamics: &str) -> Vec<&'static str> {
    found("floor = 0", dynamics).iter().map(|diagnostic| diagnostic.code.name()).collect()
}

fn rope(dynamics: &str) -> Record {
    let text = format!(
        "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\n{dynamics}\n"
    );
    (*lowered(&text).bodies[0]).clone()
}

#[test]
fn one_word_of_dynamics_gives_all_defaults() {
    let body = rope("dynamics = 'spline-rope'");
    let dynamics = body.record("dynamics").unwrap();
    assert_eq!(dynamics.kind(), "spline-rope");
    assert_eq!(dynamics.path().to_string(), "body[0].dynamics");
    assert_eq!(dynamics.choice("material"), Some("hemp"));
    let number = |name: &str| dynamics.scalar(name).and_then(model::fixed);
    let numbers = ["rate", "viscosity", "air-drag", "friction"].map(number);
    assert_eq!(numbers, [Some(240.0), Some(0.0), Some(1.2), Some(0.4)]);
    assert_eq!(dynamics.choice("method"), Some("implicit"));
    // Values that depend on others have no default.
    for name in ["start", "mass-per-metre", "stretch-stiffness", "bend-stiffness"] {
        assert_eq!(dynamics.scalar(name), None, "{name}");
    }
    assert_eq!((dynamics.scalar("compression"), dynamics.scalar("inner-friction")), (None, None));
    for name in ["control-points", "contact-points", "springs"] {
        assert_eq!(dynamics.integer(name), None, "{name}");
    }
    assert_eq!((dynamics.switch("hold-start"), dynamics.switch("hold-end")), (None, None));
    assert_eq!(dynamics.along("mass-along"), None);
    for name in ["pins", "forces", "weights"] {
        assert!(dynamics.records(name).is_empty(), "{name}");
    }
    // The three forms, and none.
    let table = rope("dynamics = { kind = 'spline-rope' }");
    assert_eq!(table.record("dynamics"), Some(dynamics));
    let untagged = rope("dynamics = { control-points = 12 }");
    assert_eq!(untagged.record("dynamics").unwrap().kind(), "spline-rope");
    assert_eq!(rope("").record("dynamics"), None);
}

#[test]
fn dynamics_can_be_written_under_headers() {
    let text = "lariat = 2
[shot]
fps = 24
frames = [1, 96]
[[locator]]
name = 'hand'
[[body]]
name = 'rein'
model = 'suspended-rope'
from = [0, 0, 2]
to = [1, 0, 2]
length = 2
floor = 0

[body.dynamics]
kind = 'spline-rope'
material = 'chain'
start = 12.5
control-points = 64
rate = 1000
mass-per-metre = 0.4
mass-along = [[0, 1], [1, 3]]
stretch-stiffness = 5e4
bend-stiffness = 0
compression = 0
inner-friction = 0.01
viscosity = { keys = [[1, 0], [24, 2]] }
air-drag = 1
friction = 0.6
contact-points = 200
hold-start = true
hold-end = { keys = [[1, true], [48, false]] }
method = 'implicit'

[[body.dynamics.pins]]
at = 0.5
to = { locator = 'hand', offset = [0, 0, 0.1] }

[[body.dynamics.pins]]
at = 0.75
to = { keys = [[1, [0, 0, 0]], [24, [1, 0, 0]]] }
on = { keys = [[1, false], [24, true]] }

[[body.dynamics.forces]]
at = { keys = [[1, 0], [24, 1]] }
force = [0, 30, 0]

[[body.dynamics.weights]]
mass = 2

[[body]]
name = 'lead'
model = 'loose-rope'
from = { body = 'rein', at = 0.5 }
length = 1
";
    let lowered = lowered(text);
    let dynamics = lowered.bodies[0].record("dynamics").unwrap();
    assert_eq!(&text[dynamics.place().unwrap().range()], "[body.dynamics]");
    assert_eq!(dynamics.scalar("start"), Some(&Channel::Constant(12.5)));
    assert_eq!(dynamics.along("mass-along"), Some(&[(0.0, 1.0), (1.0, 3.0)][..]));
    assert_eq!(dynamics.integer("contact-points"), Some(200));
    assert!(dynamics.switch("hold-end").is_some_and(|hold| hold.at(0.0) && !hold.at(3.0)));
    let [knee, boot] = dynamics.records("pins") else { panic!("two pins") };
    assert_eq!(boot.path_of("to").to_string(), "body[0].dynamics.pins[1].to");
    assert_eq!(knee.scalar("at"), Some(&Channel::Constant(0.5)));
    assert!(matches!(knee.anchor("to"), Some(Anchor::Locator { name, .. }) if &**name == "hand"));
    assert_eq!(knee.switch("on"), Some(&Channel::Constant(true)));
    let Some(Anchor::Point(boot)) = boot.anchor("to") else { panic!("a point") };
    assert_eq!(boot.at(1.0), DVec3::X);
    let force = &dynamics.records("forces")[0];
    assert_eq!(force.vector("force"), Some(&Channel::Constant(DVec3::Y * 30.0)));
    assert_eq!(force.scalar("at").unwrap().at(1.0), 1.0);
    let weight = &dynamics.records("weights")[0];
    assert_eq!(
        (weight.scalar("at").unwrap().at(0.0), weight.scalar("mass").unwrap().at(0.0)),
        (1.0, 2.0)
    );
    // Points are counted as usual.
    assert_eq!(lowered.max_points(0), 49);
    // The document reads back.
    let document = read(text).unwrap().document;
    let written = crate::format::write(&document);
    assert_eq!(read(&written).unwrap().document, document, "{written}");
    assert_eq!(super::lowered(&written).bodies, lowered.bodies);
}

#[test]
fn numbers_of_dynamics_have_ranges() {
    for (line, code) in [
        ("control-points = 3", "L0205"),
        ("control-points = 100001", "L0205"),
        ("control-points = 8.5", "L0206"),
        ("rate = 0.5", "L0205"),
        ("rate = { keys = [[1, 240]] }", "L0211"),
        ("start = { keys = [[1, 2]] }", "L0211"),
        ("start = 'later'", "L0203"),
        ("material = 'hempp'", "L0207"),
        ("mass-per-metre = 0", "L0205"),
        ("mass-along = [[0, 0], [1, 1]]", "L0205"),
        ("mass-along = [[1, 1], [0, 1]]", "L0219"),
        ("stretch-stiffness = 0", "L0205"),
        ("bend-stiffness = -1", "L0205"),
        ("compression = 1.5", "L0205"),
        ("inner-friction = -0.1", "L0205"),
        ("viscosity = { keys = [[1, -1]] }", "L0205"),
        ("air-drag = -1", "L0205"),
        ("friction = -1", "L0205"),
        ("contact-points = -1", "L0205"),
        ("contact-points = 0", ""),
        ("hold-start = 'yes'", "L0203"),
        ("method = 'verlet'", "L0207"),
        ("method = 'published'\nsprings = 0", "L0205"),
        // Settings of version 1, which version 2 does not have.
        ("hold-by = 'glue'", "L0201"),
        ("knots = 'clampt'", "L0201"),
        ("stiffness = 3", "L0201"),
        ("pins = { at = 0.5 }", "L0203"),
        ("pins = [{ at = 0.5 }]", "L0202"),
        ("pins = [{ to = [0, 0, 0] }]", "L0202"),
        ("pins = [{ at = 1.5, to = [0, 0, 0] }]", "L0205"),
        ("pins = [{ at = { keys = [[1, 0]] }, to = [0, 0, 0] }]", "L0211"),
        ("pins = [{ at = 0.5, to = 'hand' }]", "L0203"),
        ("forces = [{ at = 0.5 }]", "L0202"),
        ("forces = [{ force = 3 }]", "L0203"),
        ("weights = [{ at = 0.5 }]", "L0202"),
        ("weights = [{ mass = 0 }]", "L0205"),
    ] {
        let expected: Vec<&str> = if code.is_empty() { vec![] } else { vec![code] };
        assert_eq!(codes_of(line), expected, "{line}");
    }
    let heavy = found("floor = 0", "weights = [{ mass = -2 }]").remove(0).to_string();
    assert!(heavy.contains("`mass` is -2 kg, which is out of range"), "{heavy}");
}

#[test]
fn messages_about_dynamics_are_grammatical() {
    let reported = |line: &str| {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 2\n{line}\n"
        );
        let found = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
        let [diagnostic] = &found[..] else { panic!("{line}: {found:#?}") };
        (diagnostic.message.clone(), diagnostic.helps[0].clone())
    };
    let texts = |message: &str, help: &str| (message.to_owned(), help.to_owned());
    assert_eq!(
        reported("dynamics = true"),
        texts(
            "dynamics must be a table, not the switch `true`",
            "write it like `\"spline-rope\"`, or like `{ kind = \"spline-rope\" }`"
        )
    );
    assert_eq!(
        reported("dynamics = 'splin-rope'"),
        texts("unknown dynamics kind \"splin-rope\"", "did you mean \"spline-rope\"?")
    );
    assert_eq!(
        reported("dynamics = { rate = 600 }"),
        texts("the dynamics has no `kind`", "add `kind = …`, one of \"spline-rope\", \"string\"")
    );
    assert_eq!(
        reported("dynamics = { kind = 'spline-rope', rat = 600 }"),
        texts("a spline-rope dynamics has no parameter `rat`", "did you mean `rate`?")
    );
    assert_eq!(
        reported("dynamics = { kind = 'spline-rope', weights = [{ at = 1 }] }"),
        texts("the weight has no `mass`", "add `mass = 0.5`: Mass in kilograms.")
    );
}

#[test]
fn pins_count_as_attachments() {
    let pin = |to: &str| format!("pins = [{{ at = 0.5, to = {to} }}]");
    assert_eq!(codes_of(&pin("{ locator = 'hnd' }")), ["L0302"]);
    assert_eq!(codes_of(&pin("{ body = 'lead' }")), ["L0303"]);
    assert_eq!(codes_of(&pin("{ body = 'rein', at = 1 }")), ["L0306"]);
    // A locator used only by a pin counts as used; a body becomes a dependency.
    let text = document("floor = 0", &pin("{ body = 'lead', at = 1 }"))
        + "[[locator]]\nname = 'nail'\n[[body]]\nname = 'lead'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n[body.dynamics]\nkind = 'spline-rope'\npins = [{ at = 1, to = { locator = 'nail' } }]\n";
    let good = lowered(&text);
    assert_eq!(good.dependencies(0), [1]);
    // A cycle through a pin.
    let cycle = text.replace("from = [0, 0, 2]", "from = { body = 'rein' }");
    assert_eq!(codes(&cycle), ["L0306"]);
    // A body pinned to something with errors is skipped.
    let broken = check(text.replace("length = 1\n", "length = -1\n").as_bytes(), &Limits::DEFAULT);
    assert_eq!(broken.content.unwrap().lowered.skipped, ["rein", "lead"]);
}

#[test]
fn parameters_without_effect_on_a_simulation_are_reported() {
    let at = |lines: &str, dynamics: &str| -> Vec<(String, String)> {
        let reported = |diagnostic: &Diagnostic| {
            (diagnostic.code.name().to_owned(), diagnostic.path().unwrap().to_string())
        };
        found(lines, dynamics).iter().map(reported).collect()
    };
    let no_effect = |field: &str| vec![("L0407".to_owned(), format!("body[0].dynamics.{field}"))];
    let none: Vec<(String, String)> = Vec::new();
    assert_eq!(at("", "springs = 40"), no_effect("springs"));
    assert_eq!(at("", "method = 'implicit'\nsprings = 40"), no_effect("springs"));
    assert_eq!(at("", "method = 'published'\nsprings = 40\nstretch-stiffness = 900"), none);
    for field in ["bend-stiffness", "compression"] {
        let line = format!("method = 'published'\n{field} = 0.5");
        assert_eq!(at("", &line), no_effect(field));
        assert_eq!(at("", &format!("{field} = 0.5")), none);
    }
    for (field, value) in [("friction", "0.5"), ("contact-points", "90")] {
        let line = format!("{field} = {value}");
        assert_eq!(at("", &line), no_effect(field));
        assert_eq!(at("floor = 0", &line), none);
        assert_eq!(at("layers = [{ kind = 'clamp', against = 'floor' }]", &line), none);
        assert_eq!(at("layers = [{ kind = 'noise', height = 0.1 }]", &line), no_effect(field));
    }
    assert_eq!(at("", "start = 97"), no_effect("start"));
    assert_eq!(at("", "start = 96.5"), no_effect("start"));
    assert_eq!(at("", "start = 96"), none);
    assert_eq!(at("", "start = -10"), none);
    // The radius of a flat rope or of a cable of lights determines its mass.
    assert_eq!(at("profile = 'flat'\nradius = 0.02", ""), none);
    let lights = document("radius = 0.02", "").replace("suspended-rope", "string-of-lights");
    assert_eq!(codes(&lights), [""; 0]);
}

#[test]
fn a_length_keyed_after_the_start_is_reported() {
    let reported = |keys: &str, dynamics: &str| {
        let text = format!(
            "lariat = 2\n[shot]\nframes = [1, 96]\n[[body]]\nname = 'winch'\nmodel = 'loose-rope'\nfrom = [0, 0, 4]\nlength = {{ keys = {keys} }}\ndynamics = {{ kind = '{dynamics} }}\n"
        );
        codes(&text)
    };
    assert_eq!(reported("[[1, 3], [48, 2.2]]", "spline-rope'"), ["L0407"]);
    assert_eq!(reported("[[1, 3], [48, 2.2]]", "string'"), ["L0407"]);
    // Before the start it is posed.
    assert_eq!(reported("[[1, 3], [48, 2.2]]", "spline-rope', start = 48"), [""; 0]);
    assert_eq!(reported("[[1, 3], [48, 3]]", "spline-rope'"), [""; 0]);
}

#[test]
fn closed_and_compound_models_cannot_be_simulated() {
    let of = |model: &str, lines: &str| {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = '{model}'\n{lines}\ndynamics = {{ kind = 'spline-rope', springs = 3 }}\n[[body]]\nname = 'b'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|f| f.code.name()).collect();
        (codes, checked.content.unwrap().lowered.skipped)
    };
    let not = (vec!["L0410"], vec!["a".to_owned()]);
    assert_eq!(of("hoop", "centre = [0, 0, 1]"), not);
    assert_eq!(
        of("lasso", "centre = [0, 0, 1]\nhand = [1, 0, 1]\nlength = 5\nspan-length = 3"),
        not
    );
    assert_eq!(of("compound", "parts = ['b']"), not);
    // Meshes and recorded bodies have no such parameter.
    assert_eq!(of("mesh", "file = 'a.obj'").0, ["L0201"]);
    for model in schema::models().filter(|model| schema::can_be_simulated(model)) {
        assert!(!matches!(model.name, "hoop" | "lasso" | "compound" | "mesh" | "shape"));
    }
    assert_eq!(schema::models().filter(|model| schema::can_be_simulated(model)).count(), 11);
}

#[test]
fn parameters_without_effect_on_a_string_are_reported() {
    let at = |lines: &str, dynamics: &str| -> Vec<(String, String)> {
        let text = document(lines, dynamics).replace("'spline-rope'", "'string'");
        let reported = |diagnostic: &Diagnostic| {
            (diagnostic.code.name().to_owned(), diagnostic.path().unwrap().to_string())
        };
        check(text.as_bytes(), &Limits::DEFAULT).diagnostics.iter().map(reported).collect()
    };
    let no_effect = |field: &str| vec![("L0407".to_owned(), format!("body[0].dynamics.{field}"))];
    let none: Vec<(String, String)> = Vec::new();
    assert_eq!(at("", "material = 'nylon-line'\nsegments = 40\nfriction = 0.2"), none);
    // Mass per metre and density exclude each other.
    let twice = at("", "mass-per-metre = 0.1\ndensity = 900");
    assert_eq!(twice[0].0, "L0209", "{twice:?}");
    assert_eq!(at("", "tears = false\nrupture-stress = 1e6"), no_effect("rupture-stress"));
    for (field, value) in [
        ("bend-stiffness", "0.1"),
        ("inner-friction", "0.1"),
        ("segment-damping", "4"),
        ("twist-by", "'torque'"),
    ] {
        let line = format!("method = 'published'\n{field} = {value}");
        assert_eq!(at("", &line), no_effect(field));
        assert_eq!(at("", &format!("{field} = {value}")), none);
    }
    let paper = "method = 'published'\nbend-width = 0.1\ntwist-by = 'none'\nmodulus = 1e8";
    assert_eq!(at("", paper), none);
    assert_eq!(at("", "twist-by = 'none'\ntwist-end = 2"), no_effect("twist-end"));
    assert_eq!(at("", "hold-end = false\ntwist-end = 2"), no_effect("twist-end"));
    let let_go = "hold-end = { keys = [[1, true], [9, false]] }\ntwist-end = 2";
    assert_eq!(at("", let_go), none);
    assert_eq!(at("", "contact = false\nfriction = 0.2"), no_effect("friction"));
    assert_eq!(at("floor = 0", "contact = false\nfriction = 0.2"), none);
    assert_eq!(at("", "start = 97"), no_effect("start"));
}

/// A string with these settings, and a solid.
fn with(name: &str, settings: &str) -> String {
    format!(
        "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\ndynamics = {{ kind = 'string'{settings} }}\n"
    )
}

#[test]
fn strings_of_two_methods_are_reported() {
    let of = |second: &str, third: &str| {
        let [a, b, c] = [with("a", ", method = 'published'"), with("b", second), with("c", third)];
        let checked = check(format!("lariat = 2\n{a}{b}{c}").as_bytes(), &Limits::DEFAULT);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|f| f.code.name()).collect();
        let shown = checked.diagnostics.first().map(ToString::to_string).unwrap_or_default();
        (codes, checked.content.unwrap().lowered.skipped, shown)
    };
    let published = ", method = 'published'";
    assert!(of(published, published).0.is_empty());
    let (codes, skipped, shown) = of("", published);
    assert_eq!((codes, skipped), (vec!["L0413"], vec!["b".to_owned()]));
    for words in ["`a` and `b`", "add `method = \"published\"` here", "body[1].dynamics"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let (codes, skipped, shown) = of(", method = 'implicit'", ", method = 'implicit'");
    assert_eq!((codes, skipped), (vec!["L0413"; 2], vec!["b".to_owned(), "c".to_owned()]));
    assert!(shown.contains("set `method = \"published\"` here too"), "{shown}");
}

#[test]
fn published_strings_beside_solids_are_reported() {
    let of = |settings: &str| {
        let solid = "[[body]]\nname = 'crate'\nmodel = 'solid'\nsize = [1, 1, 1]\nposition = [5, 0, 1]\ndynamics = 'rigid'\n";
        let text = format!("lariat = 2\n{solid}{}", with("line", settings));
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let codes: Vec<&str> = checked.diagnostics.iter().map(|f| f.code.name()).collect();
        (codes, checked.content.unwrap().lowered.skipped)
    };
    assert!(of("").0.is_empty());
    let refused = of(", method = 'published'");
    assert_eq!(refused, (vec!["L0414"], vec!["line".to_owned()]));
}

#[test]
fn settings_of_version_1_lead_to_the_method() {
    let help = |line: &str| {
        let text = format!("lariat = 2\n{}", with("a", &format!(", {line}")));
        check(text.as_bytes(), &Limits::DEFAULT).diagnostics[0].to_string()
    };
    for line in [
        "length-by = 'sweeps'",
        "bend-by = 'published'",
        "plastic-by = 'published'",
        "twist-by = 'averaged'",
    ] {
        assert!(help(line).contains("`method = \"published\"`"), "{}", help(line));
    }
}

#[test]
fn a_string_cannot_be_attached_to_a_string() {
    let body = |name: &str, from: &str, how: &str| {
        format!(
            "[[body]]\nname = '{name}'\nmodel = 'loose-rope'\nfrom = {from}\nlength = 1\n{how}\n"
        )
    };
    let string = "dynamics = 'string'";
    let on = |name: &str| format!("{{ body = '{name}', at = 1 }}");
    let found = |bodies: &[String]| {
        let text = format!("lariat = 2\n{}", bodies.concat());
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let reported: Vec<(&str, String)> =
            checked.diagnostics.iter().map(|f| (f.code.name(), f.message.clone())).collect();
        (reported, checked.content.unwrap().lowered.skipped)
    };
    let line = body("line", "[0, 0, 2]", string);
    let (reported, skipped) = found(&[line.clone(), body("tassel", &on("line"), string)]);
    assert_eq!(
        reported,
        [("L0411", "string `tassel` is attached to the string `line`".to_owned())]
    );
    assert_eq!(skipped, ["tassel"]);
    // Through another body, in either order.
    let bodies = [body("tip", &on("lead"), string), line.clone(), body("lead", &on("line"), "")];
    let (reported, skipped) = found(&bodies);
    let message = "string `tip` is attached to `lead`, which depends on the string `line`";
    assert_eq!(reported, [("L0411", message.to_owned())]);
    assert_eq!(skipped, ["tip"]);
    // Strings on posed bodies, and ropes on strings, are valid.
    let post = body("post", "[0, 0, 2]", "");
    let bodies = [
        post,
        body("line", &on("post"), string),
        body("a", &on("line"), "dynamics = 'spline-rope'"),
    ];
    assert_eq!(found(&bodies), (vec![], vec![]));
}

#[test]
fn help_describes_the_bead_that_ties_two_strings() {
    let string = |name: &str, rest: &str, how: &str| {
        format!(
            "[[body]]\nname = '{name}'\nradius = 0.004\n{rest}\n[body.dynamics]\nkind = 'string'\n{how}\n"
        )
    };
    let line = "model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = [1, 0, 2]\nlength = 1.4";
    let tassel = |from: &str| format!("model = 'loose-rope'\nlength = 0.4\nfrom = {from}");
    let diagnostics =
        |text: &str| check(format!("lariat = 2\n{text}").as_bytes(), &Limits::DEFAULT).diagnostics;
    let hung =
        string("line", line, "") + &string("tassel", &tassel("{ body = 'line', at = 0.5 }"), "");
    let [diagnostic] = &diagnostics(&hung)[..] else { panic!("one diagnostic") };
    let help = &diagnostic.helps[1];
    for words in ["`name = \"bead\"`", "hold `tassel` by", "pin `line` to"] {
        assert!(help.contains(words), "{help}");
    }
    // Following the help fixes it.
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let anchors: Vec<&&str> = quoted.iter().filter(|words| words.starts_with("{ body")).collect();
    let bead = quoted[1..6].join("\n");
    let pin = format!("pins = [{{ at = 0.5, to = {} }}]", anchors[1]);
    let tied = format!("[[body]]\n{bead}\nposition = [0.5, 0, 1.54]\n")
        + &string("line", line, &pin)
        + &string("tassel", &tassel(anchors[0]), "");
    assert_eq!(diagnostics(&tied).iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn a_string_is_tied_directly_to_a_solid() {
    let found = |how: &str, crate_: &str| {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'crate'\nmodel = 'solid'\n{crate_}\n[[body]]\nname = 'pole'\nmodel = 'loose-rope'\nfrom = {{ body = 'crate' }}\nlength = 1\n[[body]]\nname = 'line'\nmodel = 'loose-rope'\nlength = 1\n{how}\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let reported = checked.diagnostics.iter();
        reported.map(|f| (f.code.name(), f.message.clone())).collect::<Vec<_>>()
    };
    let tied = "from = { body = 'crate', offset = [0, 0, 0.2] }\ndynamics = 'string'";
    assert_eq!(found(tied, "dynamics = 'rigid'"), []);
    let hung = "from = { body = 'pole', at = 1 }\ndynamics = 'string'";
    assert_eq!(found(hung, ""), []);
    let message = "string `line` is attached to `pole`, which depends on the solid `crate`";
    assert_eq!(found(hung, "dynamics = 'rigid'"), [("L0411", message.to_owned())]);
    // It cannot start later than the solid that it is tied to.
    let late = "from = { body = 'crate', offset = [0, 0, 0.2] }\ndynamics = { kind = 'string', start = 20 }";
    let codes = |crate_: &str| found(late, crate_).iter().map(|f| f.0).collect::<Vec<_>>();
    assert_eq!(codes("dynamics = 'rigid'"), ["L0407"]);
    assert_eq!(codes("dynamics = { kind = 'rigid', start = 20 }"), [""; 0]);
    // Mass and density exclude each other, and colliders must exist.
    let crate_ = |how: &str| found(tied, how).iter().map(|f| f.0).collect::<Vec<_>>();
    assert_eq!(
        crate_("dynamics = { kind = 'rigid', mass = 3, density = 500 }"),
        ["L0209", "L0311", "L0311"]
    );
    assert_eq!(
        crate_("dynamics = { kind = 'rigid', touches = [{ against = 'floor' }] }"),
        ["L0407"]
    );
    assert_eq!(crate_("dynamics = { kind = 'rigid', floor = 0 }"), [""; 0]);
    assert_eq!(
        crate_("dynamics = { kind = 'rigid', touches = [{ against = 'ramp' }] }")[0],
        "L0304"
    );
    assert_eq!(crate_("dynamics = 'string'")[0], "L0207");
}

/// Diagnostics about a string from a point to a solid: code, message, path, help.
fn tied_to_a_solid(to: &str, crate_: &str, string: &str) -> Vec<[String; 4]> {
    let text = format!(
        "lariat = 2\n[shot]\nframes = [1, 40]\n[[body]]\nname = 'crate'\nmodel = 'solid'\n{crate_}\n[[body]]\nname = 'line'\nmodel = 'suspended-rope'\nfrom = [0, 0, 2]\nto = {to}\nlength = 2\nradius = 0.004\n[body.dynamics]\nkind = 'string'\n{string}\n"
    );
    let reported = |f: &Diagnostic| {
        [
            f.code.name().to_owned(),
            f.message.clone(),
            f.path().unwrap().to_string(),
            f.helps.join(" "),
        ]
    };
    check(text.as_bytes(), &Limits::DEFAULT).diagnostics.iter().map(reported).collect()
}

#[test]
fn a_knot_inside_a_solid_is_reported() {
    let rigid = "size = [0.4, 0.4, 0.2]\ndynamics = 'rigid'";
    let found = |to: &str, crate_: &str| -> Vec<(String, String)> {
        let reported = tied_to_a_solid(to, crate_, "").into_iter();
        reported.map(|[code, _, at, help]| (format!("{code} {at}"), help)).collect()
    };
    // In the centre: the top is suggested.
    let [(code, help)] = &found("{ body = 'crate' }", rigid)[..] else { panic!("one diagnostic") };
    assert_eq!(code, "L0412 body[1].to");
    assert!(help.contains("offset = [0, 0, 0.1]"), "{help}");
    // Elsewhere: the nearest point of the surface.
    let beside = "{ body = 'crate', offset = [-0.17, 0.05, 0] }";
    assert!(found(beside, rigid)[0].1.contains("offset = [-0.2, 0.05, 0]"));
    // On the surface, or at most as deep as the string is thick, it is valid; so is a posed solid.
    assert_eq!(found("{ body = 'crate', offset = [0, 0.1, 0.1] }", rigid), []);
    assert_eq!(found("{ body = 'crate', offset = [0, 0.1, 0.093] }", rigid), []);
    assert_eq!(found("{ body = 'crate' }", "size = [0.4, 0.4, 0.2]"), []);
    let ball = "shape = 'ball'\nradius = 0.3\ndynamics = 'rigid'";
    assert!(found("{ body = 'crate' }", ball)[0].1.contains("offset = [0, 0, 0.3]"));
    // Pins are knots too.
    let pin = "pins = [{ at = 0.5, to = { body = 'crate' } }]";
    let reported = tied_to_a_solid("[1, 0, 2]", rigid, pin);
    assert_eq!((reported.len(), &*reported[0][0]), (1, "L0412"));
    assert_eq!(reported[0][2], "body[1].dynamics.pins[0].to");
}

#[test]
fn a_twist_keyed_at_a_solid_is_reported() {
    let rigid = |start: u32| format!("dynamics = {{ kind = 'rigid', start = {start} }}");
    let top = "{ body = 'crate', offset = [0, 0, 0.2] }";
    let keyed = "twist-end = { keys = [[1, 0], [20, 3]] }";
    let reported = tied_to_a_solid(top, &rigid(5), keyed);
    assert_eq!((reported.len(), &*reported[0][0]), (1, "L0407"), "{reported:?}");
    assert_eq!(reported[0][2], "body[1].dynamics.twist-end");
    assert!(
        reported[0][1].contains("after frame 5") && reported[0][1].contains("`crate`"),
        "{reported:?}"
    );
    assert!(reported[0][3].contains("spin") && reported[0][3].contains("torques"), "{reported:?}");
    // Before the solid starts its twist may be keyed; so may the other end; and a constant is fine.
    assert_eq!(tied_to_a_solid(top, &rigid(20), keyed), [[""; 4]; 0]);
    assert_eq!(tied_to_a_solid(top, &rigid(1), &keyed.replace("end", "start")), [[""; 4]; 0]);
    assert_eq!(tied_to_a_solid(top, &rigid(1), "twist-end = 3"), [[""; 4]; 0]);
}

#[test]
fn keys_of_a_pose_after_the_start_of_a_simulation_are_reported() {
    let found = |model: &str, pose: &str, start: u32| -> Vec<String> {
        let text = format!(
            "lariat = 2\n[shot]\nframes = [1, 96]\n[[body]]\nname = 'rein'\nmodel = '{model}'\n{pose}\ndynamics = {{ kind = 'string', start = {start} }}\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        checked.diagnostics.iter().map(|f| format!("{f} {}", f.helps.join(" "))).collect()
    };
    let hung = "from = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n";
    let swing = format!("{hung}swing = {{ keys = [[1, 0], [24, 40], [36, 0]] }}");
    let [one] = &found("suspended-rope", &swing, 24)[..] else { panic!("one diagnostic") };
    for words in ["L0407", "`swing`", "after frame 24", "`rein`", "key at frame 36", "`start = 36`"]
    {
        assert!(one.contains(words), "{words}: {one}");
    }
    let waves = format!(
        "{hung}waves = [{{ height = {{ keys = [[1, 0], [30, 0.1], [48, 0]] }}, ripples = 2 }}]"
    );
    assert_eq!(found("suspended-rope", &waves, 1).len(), 1);
    let wiggle = format!("{hung}sway = {{ wiggle = [[1, 0], [24, 40], [60, 0]], hertz = 1 }}");
    assert_eq!(found("suspended-rope", &wiggle, 24).len(), 1);
    let bends = "from = [0, 0, 2]\nlength = 1\nbends = [{ position = 0.2, length = 0.3, angle = { keys = [[1, 0], [40, 50]] } }]";
    assert_eq!(found("loose-rope", bends, 1).len(), 1);
    // Keys up to the start, keys that throw the rope, and keys of a clamp are read.
    assert_eq!(found("suspended-rope", &swing, 36), [""; 0]);
    assert_eq!(found("suspended-rope", &swing, 30), [""; 0]);
    let radius = format!("{hung}radius = {{ keys = [[1, 0.01], [40, 0.02]] }}");
    assert_eq!(found("suspended-rope", &radius, 1), [""; 0]);
    let floor = format!("{hung}floor = {{ keys = [[1, 0], [40, 0.5]] }}");
    assert_eq!(found("suspended-rope", &floor, 1), [""; 0]);
}
