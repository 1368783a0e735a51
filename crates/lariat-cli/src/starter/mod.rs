//! Documents to start from, one for each model.
//!
//! What must be given is given, and something moves. Every other parameter of the model stands
//! below as a comment, with what it does and its default, so that a newcomer finds the whole of
//! it without leaving the editor. The parameters come from the schema; only what to begin with is
//! written down here (`values.rs`), and a model that nobody has thought of yet gets numbers by
//! their kind.
//!
//! Tests: `every_starter_checks_clean_and_moves`, `every_commented_line_can_be_taken_in`.

mod ball;
mod values;
mod wave;

use std::fmt::Write as _;

use lariat_scene::schema::{Field, RecordType, can_be_simulated, parameters};

use crate::{markdown, words};

/// Comments are broken at this column.
const WIDTH: usize = 96;

/// The file that the document of a model names, if it does: what it is called, and what is in it.
pub(crate) fn file(model: &RecordType) -> Option<(&'static str, String)> {
    match model.name {
        "mesh" => Some((ball::NAME, ball::text())),
        "shape" => Some((wave::NAME, wave::text())),
        _ => None,
    }
}

/// A document with one body of a model.
pub(crate) fn document(model: &RecordType) -> String {
    let start = values::start(model);
    let mut out = String::new();
    comment(&mut out, &format!("{}: {}", model.name, model.help));
    out.push_str("#\n");
    comment(
        &mut out,
        "Metres, degrees and frames; Z is up. Any number that says \"or keys\" can move:",
    );
    out.push_str("#   swing = { keys = [[1, 0], [24, 35], [48, 0]] }\n");
    comment(&mut out, "or oscillate like a spring through its keys, and ring down after them:");
    out.push_str("#   swing = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }\n");
    let _ = writeln!(out, "# All of it in one page: lariat explain {}\n", model.name);
    out.push_str("lariat = 1 # version of the format\n\n[shot]\nfps = 24\n");
    out.push_str("frames = [1, 96] # first and last, both of them played\n");
    out.push_str(start.before);
    let _ = write!(out, "\n[[body]]\nname = \"{}\"\nmodel = \"{}\"\n", start.name, model.name);
    let rows = markdown::rows(&parameters(model));
    let takes = |field: &Field| {
        let row = rows.iter().find(|row| row[0].starts_with(&format!("`{}`", field.name)));
        row.map_or("", |row| row[1].as_str())
    };
    let given = |field: &&Field| start.values.iter().any(|(name, _)| field.is_called(name));
    for field in model.fields.iter().filter(given) {
        if let Some((name, value)) = start.values.iter().find(|(name, _)| field.is_called(name)) {
            comment(&mut out, field.help);
            let _ = writeln!(out, "{name} = {value}");
        }
    }
    out.push_str("\n# What else it can do. Take a `#` away to make use of it.\n");
    let offered =
        |field: &&Field| field.name != "name" && !given(field) && is_good_for(field, model);
    for field in model.fields.iter().filter(offered) {
        out.push('\n');
        comment(&mut out, &format!("{} ({})", field.help, takes(field)));
        let _ = writeln!(out, "#{} = {}", field.name, values::example(field));
    }
    out
}

/// Whether a parameter does anything in a body of this model: not all of them can be simulated.
fn is_good_for(field: &Field, model: &RecordType) -> bool {
    field.name != "dynamics" || can_be_simulated(model)
}

fn comment(out: &mut String, text: &str) {
    for line in words::wrap(text, WIDTH - 2) {
        let _ = writeln!(out, "# {line}");
    }
}

#[cfg(test)]
mod tests {
    use lariat_eval::{Assets, MemoryFiles, Scene, survey};
    use lariat_scene::{
        Limits,
        check::{Diagnostic, check},
        lower::Lowered,
        schema,
    };

    use super::*;

    /// Everything there is to say about a document, frames included.
    fn diagnostics(text: &str) -> (Vec<Diagnostic>, Lowered) {
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let content =
            checked.content.unwrap_or_else(|| panic!("{:?}\n{text}", checked.diagnostics));
        let mut diagnostics = checked.diagnostics;
        let assets = assets(&content.lowered);
        diagnostics.extend(assets.diagnostics(&content.lowered, &Limits::DEFAULT));
        let scene = Scene::bind_with(&content.lowered, &assets);
        diagnostics.extend(survey(&scene, &content.lowered, |_| true));
        (diagnostics, content.lowered)
    }

    /// With the file that a starter may bring.
    fn assets(lowered: &Lowered) -> Assets {
        let files = schema::models().filter_map(file);
        let shelf =
            files.fold(MemoryFiles::default(), |shelf, (name, text)| shelf.with(name, text));
        Assets::load(lowered, &Limits::DEFAULT, &shelf)
    }

    #[test]
    fn every_starter_checks_clean_and_moves() {
        for model in schema::models() {
            let text = document(model);
            let (diagnostics, lowered) = diagnostics(&text);
            assert!(diagnostics.is_empty(), "{}: {diagnostics:?}\n{text}", model.name);
            let scene = Scene::bind_with(&lowered, &assets(&lowered));
            let body = lowered.bodies.iter().position(|body| body.kind() == model.name).unwrap();
            let [now, then] = [1.0, 20.0].map(|frame| scene.evaluate_body(body, frame));
            let there = !now.strands.is_empty() || now.mesh.is_some();
            assert!(there && now != then, "{} stands still", model.name);
        }
    }

    #[test]
    fn every_starter_speaks_of_every_parameter() {
        for model in schema::models() {
            let text = document(model);
            for field in model.fields.iter().filter(|field| is_good_for(field, model)) {
                let is_it = |line: &str| {
                    let name = line.trim_start_matches('#').split(" = ").next();
                    name.is_some_and(|name| field.is_called(name))
                };
                assert!(text.lines().any(is_it), "{} of {}", field.name, model.name);
            }
        }
    }

    #[test]
    fn every_commented_line_can_be_taken_in() {
        for model in schema::models() {
            let text = document(model);
            let lines: Vec<&str> = text.lines().collect();
            let commented = |line: &str| line.starts_with('#') && line.chars().nth(1) != Some(' ');
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| commented(line)) {
                let Some((name, _)) = line[1..].split_once(" = ") else { continue };
                // What excludes the parameter gives way to it.
                let rivals: Vec<&str> = model
                    .one_of
                    .iter()
                    .filter(|one_of| one_of.fields.contains(&name))
                    .flat_map(|one_of| one_of.fields.iter().copied())
                    .collect();
                let gives_way =
                    |line: &str| rivals.iter().any(|rival| line.starts_with(&format!("{rival} =")));
                let changed: Vec<&str> = lines
                    .iter()
                    .enumerate()
                    .map(|(i, line)| match line {
                        line if i == at => &line[1..],
                        line if gives_way(line) => "",
                        line => line,
                    })
                    .collect();
                let (found, _) = diagnostics(&changed.join("\n"));
                let errors: Vec<String> =
                    found.iter().filter(|f| f.is_error()).map(ToString::to_string).collect();
                assert!(errors.is_empty(), "{} with {line}: {errors:?}", model.name);
            }
        }
    }

    #[test]
    fn a_model_nobody_has_thought_of_gets_numbers_by_their_kind() {
        for field in schema::models().flat_map(|model| model.fields) {
            assert!(!values::by_kind(field).is_empty(), "{}", field.name);
        }
    }
}
