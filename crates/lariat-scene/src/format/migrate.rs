//! A file of an older version becomes one of today.
//!
//! The first line of a document says its version, `lariat = 1`. Every change of the format that
//! an older file would notice adds one step here, from one version to the next; an older file
//! walks through all that it missed. A newer file is refused with the version that reads it,
//! rather than half understood.

mod published;

use crate::{
    check::{Code, Diagnostic},
    document::Document,
    path::Path,
    place::Places,
    value::{Table, Value},
};

/// The version that this program writes.
pub const VERSION: u32 = 1;

/// Turns a document of version `from` into one of version `from + 1`.
struct Migration {
    from: u32,
    change: fn(&mut Table),
}

/// All steps, oldest first. Version 1 is the first there is.
const MIGRATIONS: &[Migration] = &[];

/// Brings the document to today's version; says what is good to know about it.
pub(super) fn migrate(
    document: &mut Document,
    places: &Places,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if matches!(document.root.get("lariat"), None | Some(Value::Number(1.0))) {
        published::migrate(&mut document.root);
    }
    migrate_with(document, places, MIGRATIONS, VERSION)
}

fn migrate_with(
    document: &mut Document,
    places: &Places,
    migrations: &[Migration],
    newest: u32,
) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let path = Path::root().field("lariat");
    let span = places.value(&path);
    let mut diagnostics = Vec::new();
    let version = match document.root.get("lariat") {
        Some(Value::Number(number)) if *number >= 1.0 && number.fract() == 0.0 => *number,
        Some(other) => {
            return Err(vec![
                Diagnostic::new(
                    Code::VersionUnknown,
                    format!("the version of a file cannot be {}", other.describe()),
                )
                .label(span, path, format!("versions are whole numbers, 1 to {newest}"))
                .help(format!("write `lariat = {newest}`")),
            ]);
        }
        None => {
            diagnostics.push(
                Diagnostic::new(Code::VersionMissing, "the file does not say its version")
                    .label(None, Path::root(), "")
                    .help(format!("begin it with `lariat = {newest}`"))
                    .note("until then it is read as version 1"),
            );
            1.0
        }
    };
    if version > f64::from(newest) {
        return Err(vec![
            Diagnostic::new(
                Code::VersionTooNew,
                format!("the file is of version {version}, and this program reads up to {newest}"),
            )
            .label(span, path, format!("version {version}"))
            .help("open it with a newer lariat"),
        ]);
    }
    let mut version = version as u32;
    while version < newest {
        if let Some(step) = migrations.iter().find(|step| step.from == version) {
            (step.change)(&mut document.root);
        }
        version += 1;
    }
    // A file without a version stays one, as long as that still means today's.
    if diagnostics.is_empty() || newest > 1 {
        document.root.set("lariat", f64::from(newest));
    }
    Ok(diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invented: `rope` became `body` in version 2, its `stretch` became `sag` in version 3.
    const INVENTED: &[Migration] = &[
        Migration {
            from: 1,
            change: |root| {
                if let Some(ropes) = root.remove("rope") {
                    root.set("body", ropes);
                }
            },
        },
        Migration {
            from: 2,
            change: |root| {
                if let Some(Value::List(bodies)) = root.get_mut("body") {
                    for body in bodies {
                        if let Value::Table(body) = body
                            && let Some(sag) = body.remove("stretch")
                        {
                            body.set("sag", sag);
                        }
                    }
                }
            },
        },
    ];

    fn run(text: &str) -> Result<(Document, Vec<Code>), Vec<Code>> {
        let (root, places) = super::super::tree::build(text).unwrap();
        let mut document = Document { root };
        let codes =
            |list: Vec<Diagnostic>| list.into_iter().map(|diagnostic| diagnostic.code).collect();
        migrate_with(&mut document, &places, INVENTED, 3)
            .map(|diagnostics| (document, codes(diagnostics)))
            .map_err(codes)
    }

    #[test]
    fn an_older_file_walks_through_every_step_it_missed() {
        let today = run("lariat = 3\n[[body]]\nsag = 0.5\n").unwrap().0;
        assert_eq!(run("lariat = 1\n[[rope]]\nstretch = 0.5\n").unwrap().0, today);
        assert_eq!(run("lariat = 2\n[[body]]\nstretch = 0.5\n").unwrap().0, today);
    }

    #[test]
    fn a_newer_file_is_rejected() {
        assert_eq!(run("lariat = 4").unwrap_err(), [Code::VersionTooNew]);
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
    fn a_file_without_a_version_is_read_with_a_note() {
        let (document, codes) = run("[[rope]]\nstretch = 0.5\n").unwrap();
        assert_eq!(codes, [Code::VersionMissing]);
        assert_eq!(document, run("lariat = 3\n[[body]]\nsag = 0.5\n").unwrap().0);
    }
}
