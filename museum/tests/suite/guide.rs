//! Checks of the guide: its examples are clean, its tables match the schema, and the functions and
//! tests that it names exist.
//!
//! A block marked `lariat` is a whole document and must be clean at every frame; a block marked
//! `toml` is a part of one and must at least be TOML. The text between `<!-- generated: NAME -->`
//! and `<!-- end -->` is generated; after a change of the schema,
//!
//! ```sh
//! UPDATE_GUIDE=1 cargo test -p lariat-museum guide
//! ```
//!
//! writes it again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lariat_core::dynamics::material::MATERIALS;
use lariat_core::motion::{Ease, Extrapolation, Interpolation, Named, TangentKind};
use lariat_museum::{SCENES, Scene};
use lariat_scene::check::{Code, check};
use lariat_scene::schema::{self, Choice, Family, Kind};
use lariat_scene::{Limits, format};

use super::surveyed;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every page below `docs/`, with its path from there.
fn pages() -> Vec<(String, String)> {
    fn walk(folder: &Path, pages: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the guide is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                walk(&path, pages);
            } else if path.extension().is_some_and(|e| e == "md") {
                pages.push(path);
            }
        }
    }
    let docs = root().join("docs");
    let mut paths = Vec::new();
    walk(&docs, &mut paths);
    paths.sort();
    let name = |path: &Path| {
        let below = path.strip_prefix(&docs).expect("it was found there");
        below.to_string_lossy().replace('\\', "/")
    };
    paths
        .iter()
        .map(|path| (name(path), std::fs::read_to_string(path).expect("pages are text")))
        .collect()
}

/// The fenced blocks of one kind on a page, with the line they start on.
fn blocks<'p>(page: &'p str, kind: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &'p str, String)> = None;
    for (i, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some((i + 1, info.trim(), String::new())),
            (Some(_), Some((start, info, text))) => {
                if *info == kind {
                    blocks.push((*start, std::mem::take(text)));
                }
                open = None;
            }
            (None, Some((_, _, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

#[test]
fn whole_documents_of_the_guide_are_clean() {
    let mut seen = 0;
    for (name, page) in pages() {
        for (line, text) in blocks(&page, "lariat") {
            seen += 1;
            let checked = check(text.as_bytes(), &Limits::default());
            let mut found: Vec<String> =
                checked.diagnostics.iter().map(ToString::to_string).collect();
            if let Some(content) = &checked.content {
                found.extend(surveyed(content));
            }
            // A tear is reported as a note; some examples show one.
            found.retain(|diagnostic| !diagnostic.contains("L0666"));
            assert!(found.is_empty(), "docs/{name}:{line}: {}", found.join("\n"));
        }
    }
    assert!(seen >= schema::models().count(), "only {seen} examples: is the guide still there?");
}

#[test]
fn parts_of_documents_are_toml() {
    for (name, page) in pages() {
        for (line, text) in blocks(&page, "toml") {
            if let Err(found) = format::read(&text) {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                panic!("docs/{name}:{line}: {}", found.join("\n"));
            }
        }
    }
}

/// Generated text of a marker; `None` if the marker is unknown.
fn generated(marker: &str) -> Option<String> {
    let (what, of) = marker.split_once(' ').unwrap_or((marker, ""));
    match what {
        "parameters" => Some(schema::parameters(schema::find(of)?)),
        "choices" => {
            let (record, field) = of.split_once('.')?;
            let Kind::Choice(choices) = schema::find(record)?.field(field)?.kind else {
                return None;
            };
            Some(choice_table(choices))
        }
        "layers" => Some(family_pages(&schema::LAYER)),
        "envelopes" => Some(family_pages(&schema::ENVELOPE)),
        "colliders" => Some(family_pages(&schema::COLLIDER)),
        "models" => Some(models()),
        "codes" => Some(codes()),
        "limits" => Some(limits()),
        "tangents" => Some(names(TangentKind::NAMES.iter().map(|row| (row.name, row.help)))),
        "extensions" => Some(names(Extrapolation::NAMES.iter().map(|row| (row.name, row.help)))),
        "interpolations" => {
            let eases: Vec<&str> = Ease::NAMES.iter().map(|row| row.name).collect();
            let plain = Interpolation::NAMES.iter().filter(|row| !eases.contains(&row.name));
            Some(names(plain.map(|row| (row.name, row.help))))
        }
        "eases" => Some(names(Ease::NAMES.iter().map(|row| (row.name, row.help)))),
        "museum" => Some(museum()),
        "sections" => Some(sections()),
        "materials" => Some(schema::materials()),
        _ => None,
    }
}

fn choice_table(choices: &[Choice]) -> String {
    names(choices.iter().map(|choice| (choice.name, choice.help)))
}

fn names<'n>(rows: impl Iterator<Item = (&'n str, &'n str)>) -> String {
    let mut out = "| word | what it does |\n|---|---|\n".to_owned();
    for (name, help) in rows {
        let _ = writeln!(out, "| `{name}` | {help} |");
    }
    out
}

/// A heading, a sentence and a table for every record of a family.
fn family_pages(family: &Family) -> String {
    let mut out = String::new();
    for (i, record) in family.types.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        let table = schema::parameters(record);
        let _ = write!(out, "{gap}#### {}\n\n{}\n\n{table}", record.name, record.help);
    }
    out
}

fn models() -> String {
    let mut out = "| model | what it is |\n|---|---|\n".to_owned();
    for model in schema::models() {
        let _ = writeln!(out, "| [`{0}`](models/{0}.md) | {1} |", model.name, model.help);
    }
    out
}

fn codes() -> String {
    let mut out = "| code | severity | meaning |\n|---|---|---|\n".to_owned();
    for code in Code::ALL {
        let _ = writeln!(out, "| `{}` | {} | {} |", code.name(), code.severity(), code.title());
    }
    out
}

fn limits() -> String {
    let mut out = "| limit | unless raised | what it bounds |\n|---|---|---|\n".to_owned();
    for row in Limits::ROWS {
        let _ = writeln!(out, "| `{}` | {} | {} |", row.name, row.of(&Limits::DEFAULT), row.help);
    }
    out
}

/// Cross-section properties of ropes that are a centimetre thick, by material.
fn sections() -> String {
    let mut out = "| material | mass, kg/m | stretch (EA), N | bending (EI), N m² | compression | inner friction, s | breaks at |\n|---|---|---|---|---|---|---|\n".to_owned();
    for material in &MATERIALS {
        let section = material.at_radius(0.005);
        let (mass, stretch, bend) = (section.mass_per_metre, section.stretch, section.bend);
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | +{:.0} % |",
            material.name,
            three_digits(mass),
            three_digits(stretch),
            three_digits(bend),
            section.compression,
            section.inner_friction,
            100.0 * material.breaking_strain()
        );
    }
    out
}

/// A number with three significant digits, without an exponent.
fn three_digits(number: f64) -> String {
    let scientific = format!("{number:.2e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if number == 0.0 {
        return "0".to_owned();
    }
    if exponent <= 2 {
        return format!("{number:.0$}", (2 - exponent).unsigned_abs() as usize);
    }
    let zeros = "0".repeat((exponent - 2).unsigned_abs() as usize);
    let whole = digits.replace('.', "") + &zeros;
    let first = (whole.len() - 1) % 3 + 1;
    let (head, rest) = whole.split_at(first);
    rest.as_bytes()
        .chunks(3)
        .filter_map(|group| std::str::from_utf8(group).ok())
        .fold(head.to_owned(), |all, group| all + " " + group)
}

/// A heading, a sentence, a picture and the command that renders a movie, for every scene.
fn museum() -> String {
    let mut out = String::new();
    for Scene { name, title, figure, why, .. } in SCENES {
        let figure = figure.map_or(String::new(), |figure| format!(" ({figure})"));
        let _ = writeln!(out, "### {name}\n\n{title}{figure}. {why}\n");
        let _ = writeln!(out, "![{title}](../pictures/{name}.png)\n");
        let _ = writeln!(out, "`lariat render museum:{name} -o {name}.mp4`\n");
    }
    out
}

/// A page with all generated parts up to date.
fn regenerated(name: &str, page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some(start) = rest.find("<!-- generated: ") {
        let (before, from) = rest.split_at(start);
        let Some((head, after)) = from.split_once(" -->\n") else {
            panic!("docs/{name}: a marker does not end with ` -->` and its line");
        };
        let marker = &head["<!-- generated: ".len()..];
        let Some((_, after)) = after.split_once("<!-- end -->\n") else {
            panic!("docs/{name}: `{marker}` has no `<!-- end -->` on a line of its own");
        };
        let Some(text) = generated(marker) else {
            panic!("docs/{name}: nobody generates `{marker}`");
        };
        let _ = write!(out, "{before}{head} -->\n\n{}\n\n<!-- end -->\n", text.trim_end());
        rest = after;
    }
    out + rest
}

#[test]
fn tables_of_the_guide_are_those_of_the_schema() {
    let update = std::env::var_os("UPDATE_GUIDE").is_some();
    for (name, page) in pages() {
        let fresh = regenerated(&name, &page);
        if update && fresh != page {
            std::fs::write(root().join("docs").join(&name), &fresh)
                .expect("the page can be written");
        } else {
            let line = page.lines().zip(fresh.lines()).position(|(old, new)| old != new);
            assert!(
                page == fresh,
                "docs/{name}:{}: the table is not that of the code; \
                 run UPDATE_GUIDE=1 cargo test -p lariat-museum guide",
                line.map_or(0, |line| line + 1)
            );
        }
    }
}

#[test]
fn every_model_has_a_page_with_its_table_and_an_example() {
    let pages = pages();
    for model in schema::models() {
        let name = format!("guide/models/{}.md", model.name);
        let page = pages.iter().find(|(page, _)| *page == name);
        let (_, page) = page.unwrap_or_else(|| panic!("docs/{name} is missing"));
        assert!(page.contains(&format!("<!-- generated: parameters {} -->", model.name)), "{name}");
        let example = format!("model = \"{}\"", model.name);
        let shown = blocks(page, "lariat").iter().any(|(_, text)| text.contains(&example));
        assert!(shown, "docs/{name} has no example");
        // Parameters of single models are described in prose as well as in the table.
        for field in model.fields.iter().filter(|field| !is_common(field.name)) {
            // As `axes`, or as `axes = "world"`.
            let count =
                ["`", " ="].map(|end| page.matches(&format!("`{}{end}", field.name)).count());
            assert!(count[0] + count[1] >= 2, "docs/{name} does not describe `{}`", field.name);
        }
    }
}

/// Whether all ropes have the parameter; solids and bodies from files share few parameters with
/// them.
fn is_common(field: &str) -> bool {
    let mut ropes =
        schema::models().filter(|model| !matches!(model.name, "mesh" | "shape" | "solid"));
    ropes.all(|model| model.field(field).is_some())
}

/// All Rust source of a crate as one text.
fn source(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("the crate is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            all += &source(&path);
        } else if path.extension().is_some_and(|e| e == "rs") {
            all += &std::fs::read_to_string(&path).expect("source is text");
        }
    }
    all
}

/// The tables of `docs/papers/` have a column `here`, functions with their files, and one `tests`.
#[test]
fn functions_and_tests_of_the_papers_exist() {
    let all = source(&root().join("crates")) + &source(&root().join("museum"));
    let mut looked_at = 0;
    for (name, page) in pages().iter().filter(|(name, _)| name.starts_with("papers/")) {
        let mut columns = None;
        for (i, line) in page.lines().enumerate() {
            let at = format!("docs/{name}:{}", i + 1);
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let called = |head: &str| cells.iter().position(|cell| *cell == head);
            if !line.starts_with('|') {
                columns = None;
            } else if let (Some(here), Some(tests)) = (called("here"), called("tests")) {
                columns = Some((here, tests));
                continue;
            }
            // Prose, another table, or the line below the head.
            let Some((here, tests)) = columns.filter(|_| !line.starts_with("|---")) else {
                continue;
            };
            assert!(cells.len() > tests.max(here), "{at}: a column is missing");
            for word in quoted(cells[here]) {
                let there = if word.contains('/')
                    || Path::new(word).extension().is_some_and(|e| e == "rs")
                {
                    is_file(word)
                } else {
                    let last = word.rsplit("::").next().unwrap_or(word);
                    ["fn ", "struct ", "enum ", "trait ", "const ", "    "]
                        .iter()
                        .any(|kind| all.contains(&format!("{kind}{last}")))
                };
                assert!(there, "{at}: there is no `{word}`");
                looked_at += 1;
            }
            for word in quoted(cells[tests]) {
                // A test, or a row of `lariat validate`.
                let there = all.contains(&format!("fn {word}("))
                    || word.contains('-') && all.contains(&format!("\"{word}\""));
                assert!(there, "{at}: there is no test `{word}`");
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 60, "only {looked_at} names: is the table still there?");
}

/// Whether a path on a paper's page is a file: relative to the root, to core, to its spline rope,
/// to the strings or to the published methods.
fn is_file(path: &str) -> bool {
    let core = root().join("crates/lariat-core/src");
    let strings = root().join("crates/lariat-string/src");
    let papers = root().join("crates/lariat-papers/src");
    let folders = [root(), core.clone(), core.join("dynamics/spline_rope"), strings, papers];
    folders.iter().any(|folder| folder.join(path).exists())
}

/// Texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}
