//! Starter documents, one for each model, as written by `lariat new`.
//!
//! Required parameters are filled in, and something moves. Every other parameter is listed as a
//! comment with its description and default. Parameters come from the schema; `values.rs` contains
//! the initial values, and models without an entry get values by the kinds of their parameters.
//!
//! ```
//! let model = lariat::scene::schema::BODY.find("suspended-rope").expect("a model");
//! let text = lariat::starter::document(model);
//! assert!(lariat::open(text.as_bytes(), &lariat::scene::Limits::DEFAULT).scene.is_some());
//! ```
//!
//! Tests: `every_starter_checks_clean_and_moves`, `every_commented_line_can_be_uncommented`.

mod ball;
mod values;
mod wave;

use std::fmt::Write as _;

use lariat_scene::schema::{Field, RecordType, accepts, can_be_simulated};

/// Maximum width of comments.
const WIDTH: usize = 96;

/// Name and content of the file that the starter document of a model refers to, if any.
pub fn file(model: &RecordType) -> Option<(&'static str, String)> {
    match model.name {
        "mesh" => Some((ball::NAME, ball::text())),
        "shape" => Some((wave::NAME, wave::text())),
        _ => None,
    }
}

/// Starter document with one body of a model.
pub fn document(model: &RecordType) -> String {
    let start = values::start(model);
    let mut out = String::new();
    comment(&mut out, &format!("{}: {}", model.name, model.help));
    out.push_str("#\n");
    comment(
        &mut out,
        "Metres, degrees and frames; Z is up. Parameters marked \"or keys\" can be animated:",
    );
    out.push_str("#   swing = { keys = [[1, 0], [24, 35], [48, 0]] }\n");
    comment(&mut out, "or oscillate like a spring through the keys:");
    out.push_str("#   swing = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }\n");
    let _ = writeln!(out, "# Reference: lariat explain {}\n", model.name);
    out.push_str("lariat = 2 # format version\n\n[shot]\nfps = 24\n");
    out.push_str("frames = [1, 96] # first and last, inclusive\n");
    out.push_str(start.before);
    let _ = write!(out, "\n[[body]]\nname = \"{}\"\nmodel = \"{}\"\n", start.name, model.name);
    let given = |field: &&Field| start.values.iter().any(|(name, _)| field.is_called(name));
    for field in model.fields.iter().filter(given) {
        if let Some((name, value)) = start.values.iter().find(|(name, _)| field.is_called(name)) {
            comment(&mut out, field.help);
            let _ = writeln!(out, "{name} = {value}");
        }
    }
    out.push_str("\n# Other parameters, with their defaults. Remove the `#` to use one.\n");
    let offered =
        |field: &&Field| field.name != "name" && !given(field) && applies_to(field, model);
    for field in model.fields.iter().filter(offered) {
        out.push('\n');
        comment(&mut out, &format!("{} ({})", field.help, accepts(field)));
        let _ = writeln!(out, "#{} = {}", field.name, values::example(field));
    }
    out
}

/// Whether a parameter applies to a model: not all models can be simulated.
fn applies_to(field: &Field, model: &RecordType) -> bool {
    field.name != "dynamics" || can_be_simulated(model)
}

/// Writes a comment, wrapped at spaces.
fn comment(out: &mut String, text: &str) {
    let mut line = "#".to_owned();
    for word in text.split_whitespace() {
        if line.len() > 1 && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
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

    /// All diagnostics of a document, including its frames.
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

    /// Assets with the files of all starters.
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
    fn every_starter_lists_every_parameter() {
        for model in schema::models() {
            let text = document(model);
            for field in model.fields.iter().filter(|field| applies_to(field, model)) {
                let is_it = |line: &str| {
                    let name = line.trim_start_matches('#').split(" = ").next();
                    name.is_some_and(|name| field.is_called(name))
                };
                assert!(text.lines().any(is_it), "{} of {}", field.name, model.name);
            }
        }
    }

    #[test]
    fn every_commented_line_can_be_uncommented() {
        for model in schema::models() {
            let text = document(model);
            let lines: Vec<&str> = text.lines().collect();
            let commented = |line: &str| line.starts_with('#') && line.chars().nth(1) != Some(' ');
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| commented(line)) {
                let Some((name, _)) = line[1..].split_once(" = ") else { continue };
                // Parameters that exclude this one are removed.
                let rivals: Vec<&str> = model
                    .one_of
                    .iter()
                    .filter(|one_of| one_of.fields.contains(&name))
                    .flat_map(|one_of| one_of.fields.iter().copied())
                    .collect();
                let is_excluded =
                    |line: &str| rivals.iter().any(|rival| line.starts_with(&format!("{rival} =")));
                let changed: Vec<&str> = lines
                    .iter()
                    .enumerate()
                    .map(|(i, line)| match line {
                        line if i == at => &line[1..],
                        line if is_excluded(line) => "",
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
    fn every_parameter_has_a_value_by_its_kind() {
        for field in schema::models().flat_map(|model| model.fields) {
            assert!(!values::by_kind(field).is_empty(), "{}", field.name);
        }
    }
}
