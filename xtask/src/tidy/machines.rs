//! No paths or addresses of one machine, in any file.
//!
//! A path into a home folder or the address of a private package registry works on one machine
//! only; both come from pasted logs and lock files.
//!
//! Each forbidden text is written in two halves, so that this file passes its own rule.
//!
//! Tests: `a_home_folder_is_found`, `a_private_registry_is_found`,
//! `paths_inside_the_project_are_fine`.

use super::{tree::Tree, violation::Violation};

/// Beginnings of absolute paths that differ from machine to machine.
const FOLDERS: [&str; 8] = [
    concat!("/", "root/"),
    concat!("/", "home/"),
    concat!("/", "Users/"),
    concat!("\\", "Users\\"),
    concat!("/", "work/"),
    concat!("/", "farm/"),
    concat!("/", "workspace/"),
    concat!("/", "builds/"),
];

/// Settings that direct a package manager to a particular registry.
const REGISTRIES: [&str; 10] = [
    concat!("registry", "+http"),
    concat!("sparse", "+http"),
    concat!("index.", "crates.io"),
    concat!("[source", "."),
    concat!("replace-", "with"),
    concat!("index", "-url"),
    concat!("registry.", "npmjs"),
    concat!("files.", "pythonhosted"),
    concat!("//", "10."),
    concat!("//", "192.168."),
];

/// Address in every lock file of cargo.
const CRATES_IO: &str =
    concat!("source = \"registry", "+https://github.com/rust-lang/crates.io-index\"");

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in &tree.files {
        for (i, line) in file.text.lines().enumerate() {
            if let Some(folder) = FOLDERS.iter().find(|folder| is_absolute(line, folder)) {
                violations.push(Violation::failure(
                    &file.path,
                    i + 1,
                    format!("a path that starts with `{folder}` exists on one machine only"),
                    "use a path relative to the repository, or a run-time argument",
                ));
            }
            let registry = REGISTRIES.iter().find(|piece| line.contains(**piece));
            if let Some(registry) = registry.filter(|_| line != CRATES_IO) {
                violations.push(Violation::failure(
                    &file.path,
                    i + 1,
                    format!("`{registry}` directs a package manager to a particular address"),
                    "leave the choice of the registry to the user",
                ));
            }
        }
    }
    violations
}

/// Whether `folder` starts an absolute path in `line`, and is not part of a longer one.
fn is_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + folder.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | ')'))
            && after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&Tree::of(&[(path, text)])).into_iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn a_home_folder_is_found() {
        for folder in FOLDERS {
            let text = format!("fine\nopen {folder}ann/barn.lariat\n");
            assert_eq!(lines("docs/a.md", &text), [2], "{text}");
            let drive = format!("\"C:{folder}ann\"");
            assert_eq!(lines("notes.toml", &drive), [1], "{drive}");
        }
    }

    #[test]
    fn a_private_registry_is_found() {
        for piece in REGISTRIES {
            assert_eq!(lines(".cargo/config.toml", &format!("\n\n{piece}example.org\n")), [3]);
        }
        assert_eq!(lines("Cargo.lock", &format!("{CRATES_IO}\n")), [0; 0]);
        let other = CRATES_IO.replace("github.com", "crates.example.org");
        assert_eq!(lines("Cargo.lock", &other), [1]);
    }

    #[test]
    fn paths_inside_the_project_are_fine() {
        let text = format!("docs{0}x and target{0}x, even ~{0} alone", FOLDERS[4]);
        assert_eq!(lines("docs/a.md", &text), [0; 0]);
    }
}
