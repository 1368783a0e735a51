//! Every parameter in the schema has an effect: changing it changes the body.
//!
//! Binding reads parameters by name, so the compiler cannot find one that is never read. Here each is
//! given another value than its default; the result must differ, or a diagnostic must report that it
//! has no effect.

use std::collections::BTreeMap;

use lariat_core::geometry::{Mesh, Strand};
use lariat_eval::{Assets, Files, Scene};
use lariat_scene::check::{Code, check};
use lariat_scene::{Limits, Step, schema};

use super::meshes::BELLY;

/// Fields of a body for each model, chosen so that every parameter can have an effect.
fn stage(model: &str) -> BTreeMap<&'static str, &'static str> {
    if model == "mesh" {
        return BTreeMap::from([("file", "\"belly.obj\""), ("visible", "true")]);
    }
    if model == "shape" {
        return BTreeMap::from([("file", "\"several.modes\""), ("part", "\"rein\"")]);
    }
    let mut fields = BTreeMap::from([("radius", "0.03"), ("visible", "true")]);
    let ends = [("from", "[0, 0, 1]"), ("to", "[2, 0.5, 1.2]")];
    let waves = "[{ magnitude = 0.05, frequency = 2 }]";
    let bends = "[{ position = 0.2, length = 0.3, angle = 40 }]";
    match model {
        "suspended-rope" | "string-of-lights" => {
            fields.extend(ends);
            fields.extend([("sag", "0.6"), ("waves", waves), ("swing", "20"), ("sway", "5")]);
        }
        "jump-rope" => {
            fields.extend(ends);
            fields.extend([("length", "2.6"), ("waves", waves)]);
        }
        "loose-rope" | "strap" => {
            fields.extend([
                ("from", "[0, 0, 1]"),
                ("length", "0.9"),
                ("waves", waves),
                ("bends", bends),
            ]);
        }
        "tail" => fields.extend([
            ("from", "[0, 0, 1]"),
            ("length", "0.9"),
            ("waves", waves),
            ("bends", bends),
            ("swing", "{ wiggle = [[1, 0], [12, 60]], hertz = 2 }"),
        ]),
        "coiled-cord" | "microphone-cord" | "spring" | "slinky" => {
            fields.extend(ends);
            fields.extend([
                ("sag", "0.3"),
                ("waves", waves),
                ("coils", "12"),
                ("swing", "20"),
                ("sway", "5"),
            ]);
            if matches!(model, "spring" | "slinky") {
                fields.insert("pincers", "[{ position = 0.3, length = 0.2, count = 6 }]");
                fields.insert("coil-waves", "[{ magnitude = 1, frequency = 1.5 }]");
                fields.insert("compression", "\"published\"");
            }
        }
        "hoop" => fields.extend([("centre", "[0, 0, 1]"), ("tilt", "20"), ("waves", waves)]),
        "lasso" => fields.extend([
            ("centre", "[0, 0, 2]"),
            ("hand", "[2, 0, 1]"),
            ("length", "5"),
            ("span-length", "3"),
            ("hoop-waves", waves),
            ("span-waves", waves),
            ("tail-waves", waves),
            ("bends", bends),
            ("tilt", "20"),
            ("swing", "10"),
            ("sway", "5"),
        ]),
        "compound" => fields.extend([("parts", "[\"part\"]")]),
        "solid" => fields.extend([("shape", "\"cylinder\"")]),
        other => panic!("no stage for {other}: add one"),
    }
    fields
}

/// Another value for a parameter than the stage or the schema gives.
fn other(model: &str, field: &str) -> &'static str {
    match field {
        "samples" => "33",
        "radius" => "0.05",
        "taper" => "[[0, 1], [1, 0.5]]",
        "twist" => "2",
        "profile" => "[[1, 0], [0, 1], [-1, 0]]",
        "width" => "0.2",
        "thickness" => "0.02",
        "look" => "\"brass\"",
        "colour" => "[0.1, 0.9, 0.2]",
        "visible" | "keep-length" => "false",
        "floor" => "0.9",
        "layers" => "[{ kind = \"noise\", magnitude = 0.1 }]",
        "frames" => "\"frenet\"",
        "frayed" => "\"both\"",
        "dynamics" if model == "solid" => "\"rigid\"",
        "dynamics" => "\"spline-rope\"",
        "from" | "centre" => "[0.2, 0.1, 1.3]",
        "to" | "hand" => "[2.3, -0.3, 1]",
        "length" if model == "lasso" => "6",
        "length" => "3.1",
        "sag" => "0.7",
        "sag-form" => "\"true\"",
        "lift" => "30",
        "lag" => "300",
        "pace" => "\"even\"",
        "joints" => "5",
        "jiggles" => "[{ drive = 1 }]",
        "swing" | "sway" | "turn" | "tilt" | "tilt-azimuth" | "twirl" => "77",
        "axes" => "\"chord\"",
        "direction" => "[1, 0, -1]",
        "waves" | "hoop-waves" | "span-waves" | "tail-waves" => "[{ height = 0.09, ripples = 3 }]",
        "bends" => "[{ position = 0.5, length = 0.3, angle = 90 }]",
        "env" => "0.7",
        "pair-turns" => "7",
        "wire-radius" => "0.005",
        "bulb-spacing" => "0.3",
        "bulb-size" => "0.05",
        "bulb-colours" => "[[0.5, 0.5, 0.5]]",
        "coil-radius" => "0.07",
        "coils" => "17",
        "points-per-coil" => "31",
        "wire-length" => "9",
        "backbone-samples" => "31",
        "leads" => "[0.4, 0.1]",
        "pincers" => "[{ position = 0.6, length = 0.2, count = 3 }]",
        "coil-waves" => "[{ tightness = 2, bunches = 3 }]",
        "compression" => "\"pinned\"",
        "plateau" => "0.3",
        "rounding" => "0.9",
        "from-normal" | "to-normal" => "[0, 1, 0]",
        "reach" => "0.9",
        "inner" => "[[0, 0, 0.2], [0, 0.1, 0]]",
        "rest-distance" => "1",
        "hoop-radius" => "0.8",
        "span-length" => "3.5",
        "parts" => "[\"other\"]",
        "file" if model == "shape" => "\"larger.modes\"",
        "part" => "\"belly\"",
        "modes" if model == "mesh" => "[{ file = \"belly.modes\", drive = 0.1 }]",
        "modes" => "[{ drive = 0.1 }]",
        "file" => "\"larger.obj\"",
        "up" => "\"y\"",
        "position" | "rotation" => "[1, 2, 3]",
        "size" if model == "solid" => "[0.1, 0.2, 0.3]",
        "size" => "3",
        "shape" => "\"ball\"",
        "height" => "0.9",
        unknown => panic!("no other value for `{unknown}` of {model}: add one"),
    }
}

/// A further field that a parameter needs to have an effect.
fn needs(model: &str, field: &str) -> Option<(&'static str, &'static str)> {
    match field {
        "size" if model == "solid" => Some(("shape", "\"box\"")),
        "width" | "thickness" => Some(("profile", "\"flat\"")),
        _ => None,
    }
}

/// Fields of a model that cannot have an effect, each with its reason.
fn idle(model: &str, field: &str) -> bool {
    match (model, field) {
        // A flat profile has a width instead of a radius.
        ("strap", "radius") => true,
        // The backbone of a Slinky is a Bezier curve: it neither swings nor hangs as a catenary.
        ("slinky", "swing" | "sway" | "axes" | "sag-form") => true,
        // Wires and bulbs are round and untwisted; their radius is the wire radius.
        (
            "string-of-lights",
            "radius" | "taper" | "twist" | "profile" | "width" | "thickness" | "frames" | "frayed",
        ) => true,
        // A ring has no ends.
        ("hoop", "frayed") => true,
        _ => false,
    }
}

/// Strands, mesh and visibility.
type Appearance = (Vec<Strand>, Option<Mesh>, bool);

/// The appearance of a body, and the parameters that diagnostics report as having no effect.
fn appearance(model: &str, fields: &BTreeMap<&str, &str>) -> (Appearance, Vec<String>) {
    let mut text = format!("[[body]]\nname = \"tried\"\nmodel = \"{model}\"\n");
    for (field, value) in fields {
        text += &format!("{field} = {value}\n");
    }
    if model == "compound" {
        for (name, x) in [("part", 0.0), ("other", 1.0)] {
            text += &format!(
                "[[body]]\nname = \"{name}\"\nmodel = \"suspended-rope\"\nfrom = [{x}, 0, 1]\nto = [{x}, 2, 1]\nlength = 2.5\n"
            );
        }
    }
    let checked = check(format!("lariat = 2\n{text}").as_bytes(), &Limits::default());
    let mut idle = Vec::new();
    for diagnostic in &checked.diagnostics {
        assert_eq!(diagnostic.code, Code::NoEffect, "{diagnostic}");
        if let Some(Step::Field(name)) = diagnostic.path().and_then(|path| path.steps().last()) {
            idle.push(name.to_string());
        }
    }
    let lowered = checked.content.expect("it could be read").lowered;
    let files = super::modes::files().with("larger.obj", BELLY.replace("v 3", "v 4"));
    let larger = files.read("several.modes", u64::MAX).expect("it is there");
    let larger = String::from_utf8(larger).expect("it is text").replace("[2, 0, 1]", "[2, 0, 7]");
    let files = files.with("larger.modes", larger);
    let assets = Assets::load(&lowered, &Limits::default(), &files);
    let body = Scene::bind_with(&lowered, &assets).evaluate_body(0, 9.0);
    ((body.strands, body.mesh, body.visible), idle)
}

#[test]
fn every_parameter_has_an_effect() {
    for model in schema::models() {
        // Dynamics of a model that cannot be simulated are an error.
        let tried = |field: &&schema::Field| match field.name {
            "name" | "model" => false,
            "dynamics" => schema::can_be_simulated(model),
            _ => true,
        };
        for field in model.fields.iter().filter(tried) {
            let mut fields = stage(model.name);
            fields.extend(needs(model.name, field.name));
            if field.name == "length" {
                fields.remove("sag");
            }
            if field.name == "sag-form" || field.name == "frames" {
                fields.remove("keep-length");
            }
            let (before, _) = if field.name == "length"
                && model.one_of.iter().any(|o| o.fields.contains(&"sag"))
            {
                appearance(model.name, &stage(model.name))
            } else {
                appearance(model.name, &fields)
            };
            fields.insert(field.name, other(model.name, field.name));
            let (after, reported) = appearance(model.name, &fields);
            let changed = before != after;
            assert_eq!(
                changed,
                !idle(model.name, field.name),
                "`{}` of {}: changed is {changed}",
                field.name,
                model.name
            );
            assert_eq!(
                reported.iter().any(|name| name == field.name),
                !changed,
                "`{}` of {}: ignored without a diagnostic, or reported without reason",
                field.name,
                model.name
            );
        }
    }
}
