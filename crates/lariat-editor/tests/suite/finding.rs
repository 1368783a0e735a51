//! Diagnostics on the field they belong to.

use lariat_scene::{Path, check::Code, schema};

use crate::{SAMPLE, open, set};

#[test]
fn a_diagnostic_is_found_on_its_field() {
    let mut editor = open(SAMPLE);
    editor.apply("Set", &set("body.rein.waves[1].ripples", "many")).unwrap();
    let at = |path: &str| {
        editor.diagnostics_at(&path.parse().unwrap()).map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(at("body.rein.waves[1].ripples"), [Code::WrongType]);
    assert_eq!(at("body.rein.waves[1].frequency"), [Code::WrongType], "by its technical name");
    assert_eq!(at("body.rein"), [Code::WrongType], "of the body");
    assert_eq!(at("body.rein.waves[0]"), []);
    assert_eq!(at("body.rein.length"), []);
}

#[test]
fn a_located_diagnostic_points_into_the_current_text() {
    let mut editor = open(SAMPLE);
    editor.apply("Set", &set("body.rein.colour", "#12345g")).unwrap();
    let text = editor.text();
    let located = editor.located_diagnostics(&text);
    let wrong = located.iter().find(|found| found.is_error()).expect("an error");
    let span = wrong.span().expect("a position");
    assert_eq!(&text[span.range()], "\"#12345g\"");
}

#[test]
fn a_warning_at_a_frame_names_its_field() {
    let mut editor = open(SAMPLE);
    editor.apply("Set", &set("body.rein.length", 1)).unwrap();
    let warnings = editor.diagnostics_at_frame(1.0);
    let short = warnings.iter().find(|found| found.code == Code::RopeTooShort).expect("too short");
    assert_eq!(editor.field_of(short), Some("body[0].length".parse().unwrap()));
}

/// One wrong value for every field of every model: each error is on that field.
#[test]
fn every_wrong_value_is_reported_on_its_field() {
    let mut tried = 0;
    for model in schema::models() {
        for field in model.fields.iter().filter(|field| field.name != "name") {
            let text = format!("lariat = 2\n[[body]]\nname = 'a'\nmodel = '{}'\n", model.name);
            let mut editor = open(&text);
            let path = Path::root().field("body").index(0).field(field.name);
            // No parameter takes a table with an unknown field.
            let wrong = lariat_scene::Table::new().with("no-such-field", 1);
            editor.apply("Set", &set(&path.to_string(), wrong)).unwrap();
            let found: Vec<_> =
                editor.diagnostics_at(&path).filter(|found| found.is_error()).collect();
            assert!(
                !found.is_empty(),
                "{} of {}: {:#?}",
                field.name,
                model.name,
                editor.diagnostics()
            );
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}
