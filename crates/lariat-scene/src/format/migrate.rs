//! Migration of files of older format versions.
//!
//! The first line of a document is its version, `lariat = 2`. Every incompatible change of the format
//! adds a migration from one version to the next; an older file goes through all migrations since its
//! version. A newer file is rejected.
//!
//! A migration renames fields and replaces choices in place. Every value keeps its position in the
//! file, so that a diagnostic about an older file points at the original text, with the current name
//! in its message. Renamed fields and choices are also recorded as edits of the text, with which
//! [`upgrade`] writes current names into an older file and preserves its comments. Settings that are
//! gone are removed from the document only; the next save removes them from the text.
//!
//! | version | changes |
//! |---|---|
//! | 2 | `material` of a body is `look`; `made-of` of dynamics is `material`; `nylon` is `nylon-rope` or `nylon-line`, `rubber-cord` is `rubber`; `calm` of a wiggle is `overshoot-penalty`, of a string `segment-damping`; mixed methods of spline ropes and strings are `implicit` (`published.rs`) |
//!
//! Tests: `version_1_gives_the_scene_of_version_2`, `a_wrong_value_of_version_1_keeps_its_place`,
//! `an_upgraded_file_keeps_its_comments`, `a_newer_file_is_rejected`.

mod published;

use super::tree;
use crate::{
    check::{Code, Diagnostic},
    document::Document,
    path::Path,
    place::{Place, Places, Span},
    value::{Table, Value},
};

/// Current format version.
pub const VERSION: u32 = 2;

/// Migration of a document from version `from` to `from + 1`.
struct Migration {
    from: u32,
    change: fn(&mut Table, &mut Upgrade<'_>),
}

/// All migrations, oldest first.
const MIGRATIONS: &[Migration] = &[Migration { from: 1, change: to_version_2 }];

/// Migrates a document to the current version; returns notes about the file.
pub(super) fn migrate(
    document: &mut Document,
    places: &mut Places,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    migrate_with(document, &mut Upgrade::new(places), MIGRATIONS, VERSION)
}

/// Returns the text of an older file with current names; `None` if the file has the current version
/// or cannot be read.
pub(super) fn upgrade(text: &str) -> Option<String> {
    let (root, mut places) = tree::build(text).ok()?;
    let version = match root.get("lariat") {
        Some(version) if version.number()? >= f64::from(VERSION) => return None,
        Some(_) => places.value(&Path::root().field("lariat")),
        None => None,
    };
    let mut upgrade = Upgrade::new(&mut places);
    upgrade.edits.extend(version.map(|span| (span, VERSION.to_string())));
    migrate_with(&mut Document { root }, &mut upgrade, MIGRATIONS, VERSION).ok()?;
    let mut edits = upgrade.edits;
    if edits.is_empty() {
        return None;
    }
    edits.sort_by_key(|(span, _)| *span);
    let (mut upgraded, mut done) = (String::with_capacity(text.len()), 0);
    for (span, new) in edits {
        upgraded.push_str(text.get(done..span.start as usize)?);
        upgraded.push_str(&new);
        done = span.end as usize;
    }
    upgraded.push_str(text.get(done..)?);
    Some(upgraded)
}

/// Changes of a document's positions and text that accompany a migration.
struct Upgrade<'p> {
    places: &'p mut Places,
    /// Byte ranges of the file, and their replacements.
    edits: Vec<(Span, String)>,
    /// Notes about settings that have no equivalent.
    notes: Vec<Diagnostic>,
}

impl<'p> Upgrade<'p> {
    fn new(places: &'p mut Places) -> Self {
        Self { places, edits: Vec::new(), notes: Vec::new() }
    }

    /// Position of a field.
    fn field(&self, place: Option<Place>, name: &str) -> Option<Place> {
        self.places.field(&place?, name, 0)
    }

    /// Position of an element of a list.
    fn element(&self, place: Option<Place>, index: usize) -> Option<Place> {
        self.places.element(&place?, index)
    }

    /// Renames a field, unless the new name exists.
    fn rename(&mut self, table: &mut Table, place: Option<Place>, from: &str, to: &'static str) {
        if table.position(to).is_some() || !table.rename(from, to) {
            return;
        }
        if let Some(place) = place
            && let Some(span) = self.places.rename(&place, from, to)
        {
            self.edits.push((span, to.to_owned()));
        }
    }

    /// Replaces a text value of a field by another.
    fn replace(&mut self, table: &mut Table, place: Option<Place>, name: &str, words: [&str; 2]) {
        let [from, to] = words;
        if table.text(name) != Some(from) {
            return;
        }
        table.set(name, to);
        if let Some(span) = self.field(place, name).and_then(|place| place.known()) {
            self.edits.push((span, format!("\"{to}\"")));
        }
    }
}

fn to_version_2(root: &mut Table, upgrade: &mut Upgrade<'_>) {
    let top = Some(upgrade.places.root);
    let list = upgrade.field(top, "body");
    if let Some(Value::List(bodies)) = root.get_mut("body") {
        for (index, body) in bodies.iter_mut().enumerate() {
            let Value::Table(body) = body else { continue };
            let place = upgrade.element(list, index);
            upgrade.rename(body, place, "material", "look");
            let inside = upgrade.field(place, "dynamics");
            let Some(Value::Table(dynamics)) = body.get_mut("dynamics") else { continue };
            let is_string = dynamics.text("kind") == Some("string");
            upgrade.rename(dynamics, inside, "made-of", "material");
            let nylon = if is_string { "nylon-line" } else { "nylon-rope" };
            upgrade.replace(dynamics, inside, "material", ["nylon", nylon]);
            upgrade.replace(dynamics, inside, "material", ["rubber-cord", "rubber"]);
            if is_string {
                upgrade.rename(dynamics, inside, "calm", "segment-damping");
            }
        }
    }
    wiggles(root, top, upgrade);
    published::migrate(root, upgrade);
}

/// Renames `calm` in all wiggles.
fn wiggles(table: &mut Table, place: Option<Place>, upgrade: &mut Upgrade<'_>) {
    if table.position("wiggle").is_some() {
        upgrade.rename(table, place, "calm", "overshoot-penalty");
    }
    for (index, (name, value)) in table.iter_mut().enumerate() {
        if matches!(value, Value::Table(_) | Value::List(_)) {
            let inside = place.and_then(|place| upgrade.places.field(&place, name, index));
            wiggles_within(value, inside, upgrade);
        }
    }
}

fn wiggles_within(value: &mut Value, place: Option<Place>, upgrade: &mut Upgrade<'_>) {
    match value {
        Value::Table(table) => wiggles(table, place, upgrade),
        Value::List(list) => {
            for (index, value) in list.iter_mut().enumerate() {
                if matches!(value, Value::Table(_) | Value::List(_)) {
                    let inside = upgrade.element(place, index);
                    wiggles_within(value, inside, upgrade);
                }
            }
        }
        _ => {}
    }
}

fn migrate_with(
    document: &mut Document,
    upgrade: &mut Upgrade<'_>,
    migrations: &[Migration],
    newest: u32,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let path = Path::root().field("lariat");
    let span = upgrade.places.value(&path);
    let mut missing = false;
    let version = match document.root.get("lariat") {
        Some(Value::Number(number)) if *number >= 1.0 && number.fract() == 0.0 => *number,
        Some(other) => {
            return Err(vec![
                Diagnostic::new(
                    Code::VersionUnknown,
                    format!("the format version cannot be {}", other.describe()),
                )
                .label(span, path, format!("versions are whole numbers, 1 to {newest}"))
                .help(format!("write `lariat = {newest}`")),
            ]);
        }
        None => {
            missing = true;
            1.0
        }
    };
    if version > f64::from(newest) {
        return Err(vec![
            Diagnostic::new(
                Code::VersionTooNew,
                format!("the file has format version {version}, but this program reads versions up to {newest}"),
            )
            .label(span, path, format!("version {version}"))
            .help("open it with a newer version of lariat"),
        ]);
    }
    let mut version = version as u32;
    while version < newest {
        if let Some(step) = migrations.iter().find(|step| step.from == version) {
            (step.change)(&mut document.root, upgrade);
        }
        version += 1;
    }
    let mut diagnostics = std::mem::take(&mut upgrade.notes);
    if missing {
        // Without a change it is already a document of the current version.
        let version = if upgrade.edits.is_empty() && diagnostics.is_empty() { newest } else { 1 };
        diagnostics.insert(
            0,
            Diagnostic::new(Code::VersionMissing, "the file has no format version")
                .label(None, Path::root(), "")
                .help(format!("begin it with `lariat = {version}`"))
                .note("until then it is read as version 1, with current names allowed"),
        );
    } else {
        // A file without a version stays without one, because it may use names of all versions.
        document.root.set("lariat", f64::from(newest));
    }
    Ok(diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, check::check, format};

    /// All changed names of version 1, in all syntactic forms of TOML.
    const OLD: &str = r#"lariat = 1 # the first

[[body]]
name = "a"
model = "suspended-rope"
from = [0, 0, 1]
to = [1, 0, 1]
length = 1.2
material = "leather" # how it looks
swing = { wiggle = [[1, 0], [24, 35]], hertz = 2, calm = 0.2 }
dynamics = { kind = "spline-rope", made-of = "nylon" }

[[body]]
name = "b"
model = "suspended-rope"
from = [0, 1, 1]
to = [1, 1, 1]
length = 1.2
"material" = "steel"

[body.dynamics]
kind = "string"
made-of = 'nylon' # a fishing line
calm = 4

[[body]]
name = "c"
model = "suspended-rope"
from = [0, 2, 1]
to = [1, 2, 1]
length = 1.2
dynamics.kind = "string"
dynamics.made-of = "rubber-cord"
"#;

    const NEW: &str = r#"lariat = 2 # the first

[[body]]
name = "a"
model = "suspended-rope"
from = [0, 0, 1]
to = [1, 0, 1]
length = 1.2
look = "leather" # how it looks
swing = { wiggle = [[1, 0], [24, 35]], hertz = 2, overshoot-penalty = 0.2 }
dynamics = { kind = "spline-rope", material = "nylon-rope" }

[[body]]
name = "b"
model = "suspended-rope"
from = [0, 1, 1]
to = [1, 1, 1]
length = 1.2
look = "steel"

[body.dynamics]
kind = "string"
material = "nylon-line" # a fishing line
segment-damping = 4

[[body]]
name = "c"
model = "suspended-rope"
from = [0, 2, 1]
to = [1, 2, 1]
length = 1.2
dynamics.kind = "string"
dynamics.material = "rubber"
"#;

    fn run(text: &str) -> Result<(Document, Vec<Code>), Vec<Code>> {
        let codes =
            |list: Vec<Diagnostic>| list.into_iter().map(|diagnostic| diagnostic.code).collect();
        format::read(text).map(|read| (read.document, codes(read.diagnostics))).map_err(codes)
    }

    #[test]
    fn version_1_gives_the_scene_of_version_2() {
        let old = check(OLD.as_bytes(), &Limits::default());
        let new = check(NEW.as_bytes(), &Limits::default());
        for checked in [&old, &new] {
            let found: Vec<String> = checked
                .diagnostics
                .iter()
                .filter(|d| d.is_error())
                .map(ToString::to_string)
                .collect();
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
        let (old, new) = (old.content.unwrap(), new.content.unwrap());
        assert_eq!(old.document, new.document);
        assert_eq!(old.document.motion_hash(), new.document.motion_hash());
    }

    #[test]
    fn a_wrong_value_of_version_1_keeps_its_place() {
        for (right, wrong, name, at) in [
            (
                "made-of = \"nylon\"",
                "made-of = \"nlyon-rope\"",
                "`material` cannot be",
                "\"nlyon-rope\"",
            ),
            ("material = \"leather\"", "material = 3", "`look`", "3"),
            ("calm = 4", "calm = -4", "`segment-damping`", "-4"),
            ("calm = 0.2", "calm = 7", "`overshoot-penalty`", "7"),
        ] {
            let text = OLD.replace(right, wrong);
            let checked = check(text.as_bytes(), &Limits::default());
            let errors: Vec<&Diagnostic> =
                checked.diagnostics.iter().filter(|d| d.is_error()).collect();
            let [error] = errors[..] else { panic!("{wrong}: {errors:?}") };
            let shown = format!("{} {}", error.message, error.labels[0].path);
            assert!(shown.contains(name.trim_matches('`')), "{wrong}: {shown}");
            let start = text.find(wrong).unwrap() + wrong.len() - at.len();
            assert_eq!(error.span().unwrap().range(), start..start + at.len(), "{wrong}");
        }
    }

    #[test]
    fn an_upgraded_file_keeps_its_comments() {
        assert_eq!(upgrade(OLD).as_deref(), Some(NEW));
        assert_eq!(upgrade(NEW), None);
        // An edit of an older file writes current names and preserves all other bytes.
        let mut document = format::read(OLD).unwrap().document;
        assert_eq!(format::patch(&document, OLD), NEW);
        let Some(Value::List(bodies)) = document.root.get_mut("body") else { panic!("no bodies") };
        let Value::Table(first) = &mut bodies[0] else { panic!("no table") };
        first.set("look", "brass");
        assert_eq!(format::patch(&document, OLD), NEW.replace("leather", "brass"));
    }

    #[test]
    fn a_current_name_in_an_older_file_is_kept() {
        let text = OLD.replace("material = \"leather\"", "look = \"leather\"");
        assert_eq!(run(&text).unwrap().0, run(OLD).unwrap().0);
    }

    #[test]
    fn a_newer_file_is_rejected() {
        assert_eq!(run("lariat = 3").unwrap_err(), [Code::VersionTooNew]);
        assert_eq!(run("lariat = 1e300").unwrap_err(), [Code::VersionTooNew]);
    }

    #[test]
    fn an_invalid_version_is_rejected() {
        for text in ["0", "-1", "1.5", "nan", "'one'", "true", "[1]"] {
            let text = format!("lariat = {text}");
            assert_eq!(run(&text).unwrap_err(), [Code::VersionUnknown], "{text}");
        }
        assert_eq!(run("lariat = inf").unwrap_err(), [Code::VersionUnknown]);
    }

    #[test]
    fn a_file_without_a_version_is_advised_to_state_its_own_version() {
        for (text, version) in [
            ("[[body]]\nlook = 'leather'\n", "`lariat = 2`"),
            ("[[body]]\nmaterial = 'leather'\n", "`lariat = 1`"),
            ("[[body]]\ndynamics = { kind = 'string', length-by = 'sweeps' }\n", "`lariat = 1`"),
        ] {
            let checked = check(text.as_bytes(), &Limits::DEFAULT);
            let missing = checked.diagnostics.iter().find(|d| d.code == Code::VersionMissing);
            assert!(missing.unwrap().helps[0].contains(version), "{text}");
        }
    }

    #[test]
    fn a_file_without_a_version_is_read_with_old_and_new_names() {
        let (new, codes) = run("[[body]]\nlook = \"leather\"\n").unwrap();
        assert_eq!(codes, [Code::VersionMissing]);
        assert_eq!(new.root.get("lariat"), None, "no version is added");
        assert_eq!(run("[[body]]\nmaterial = \"leather\"\n").unwrap().0, new);
    }
}
