//! Crates depend only on the crates they may, and all of them share the lints.
//!
//! Cargo enforces the manifests; this rule checks that no manifest allows too much, directly or
//! through another crate of the project. Tests are included, because a test that needs a forbidden
//! crate belongs to the other crate.
//!
//! Tests: `a_forbidden_dependency_is_found`, `an_indirect_dependency_is_found`,
//! `tests_keep_the_boundaries`, `a_crate_without_the_lints_is_found`.

use super::{
    tree::{Package, Tree},
    violation::Violation,
};

/// A crate that must not reach others, and why.
struct Boundary {
    of: &'static str,
    /// Names, or prefixes of names that end in `*`.
    never: &'static [&'static str],
    because: &'static str,
}

const BOUNDARIES: &[Boundary] = &[
    Boundary {
        of: "lariat-core",
        never: &["lariat", "lariat-*"],
        because: "the mathematics does not depend on its users",
    },
    Boundary {
        of: "lariat-scene",
        never: &[
            "lariat",
            "lariat-import",
            "lariat-eval",
            "lariat-export",
            "lariat-render",
            "lariat-shoot",
            "lariat-studio",
            "lariat-cli",
        ],
        because: "a document is plain data, independent of its use",
    },
    Boundary {
        of: "lariat-papers",
        never: &["lariat", "lariat-s*", "lariat-e*", "lariat-r*", "lariat-i*", "lariat-cli"],
        because: "a reference shares no code with the method it verifies",
    },
    Boundary {
        of: "lariat-string",
        never: &["lariat", "lariat-scene", "lariat-eval", "lariat-rigid", "lariat-cli"],
        because: "a solver takes numbers and is independent of its callers",
    },
    Boundary {
        of: "lariat-rigid",
        never: &["lariat", "lariat-scene", "lariat-eval", "lariat-cli"],
        because: "a solver takes numbers and is independent of its callers",
    },
    Boundary {
        of: "lariat-twist",
        never: &[
            "lariat",
            "lariat-scene",
            "lariat-eval",
            "lariat-export",
            "lariat-render",
            "lariat-cli",
        ],
        because: "a game is rules and state; programs that draw it read its state",
    },
    Boundary {
        of: "lariat-eval",
        never: &[
            "lariat",
            "lariat-export",
            "lariat-render",
            "lariat-shoot",
            "lariat-studio",
            "lariat-cli",
        ],
        because: "evaluation returns strands; pictures and files are made from them",
    },
    Boundary {
        of: "lariat-import",
        never: &[
            "lariat",
            "lariat-scene",
            "lariat-eval",
            "lariat-render",
            "lariat-studio",
            "lariat-cli",
        ],
        because: "a reader turns bytes into plain data, independent of its use",
    },
    Boundary {
        of: "lariat-validate",
        never: &["lariat", "lariat-export", "lariat-render", "lariat-studio", "lariat-cli"],
        because: "checks compare numbers; the command line prints them",
    },
    Boundary {
        of: "lariat-export",
        never: &["lariat", "lariat-scene", "lariat-eval", "lariat-studio", "lariat-cli"],
        because: "an exporter is independent of documents; put the information on Strand",
    },
    Boundary {
        of: "lariat-shoot",
        never: &["lariat", "lariat-studio", "lariat-cli"],
        because: "drawing a shot is a library; arguments and printing belong to its callers",
    },
    Boundary {
        of: "lariat-render",
        never: &["lariat", "lariat-scene", "lariat-eval", "lariat-studio", "lariat-cli"],
        because: "a renderer is independent of documents; put the information on Strand",
    },
];

/// The only crate with its own lints: a function that another language calls by name needs an
/// attribute that `unsafe_code = "forbid"` refuses.
const OWN_LINTS: &str = "xtask/wasm-probe/Cargo.toml";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for boundary in BOUNDARIES {
        let Some(package) = find(tree, boundary.of) else { continue };
        for name in package.builds_on.iter().chain(&package.tests_with) {
            let mut path = vec![name.as_str()];
            if !forbidden(boundary, name) && !reaches_forbidden(tree, boundary, &mut path) {
                continue;
            }
            let text = tree.file(&package.manifest).map_or("", |file| file.text.as_str());
            let line = text.lines().position(|line| line.starts_with(name.as_str()));
            violations.push(Violation::failure(
                &package.manifest,
                line.map_or(0, |line| line + 1),
                format!("{} reaches {}", boundary.of, path.join(", which reaches ")),
                format!("{}: do without it, or move the code", boundary.because),
            ));
        }
    }
    for package in tree.packages.iter().filter(|package| package.manifest != OWN_LINTS) {
        let text = tree.file(&package.manifest).map_or("", |file| file.text.as_str());
        if !text.contains("[lints]\nworkspace = true") {
            violations.push(Violation::failure(
                &package.manifest,
                0,
                "does not use the lints of the workspace",
                "add `[lints]` with `workspace = true`",
            ));
        }
    }
    violations
}

fn find<'a>(tree: &'a Tree, name: &str) -> Option<&'a Package> {
    tree.packages.iter().find(|package| package.name == name)
}

fn forbidden(boundary: &Boundary, name: &str) -> bool {
    boundary.never.iter().any(|never| match never.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *never,
    })
}

/// Whether the last crate of `path` depends on a forbidden one; if so, appends it to `path`.
fn reaches_forbidden<'a>(tree: &'a Tree, boundary: &Boundary, path: &mut Vec<&'a str>) -> bool {
    let Some(package) = path.last().and_then(|last| find(tree, last)) else { return false };
    for name in &package.builds_on {
        // Tests of a crate may depend on a crate that depends on it, so cycles are skipped.
        if name == boundary.of || path.contains(&name.as_str()) {
            continue;
        }
        path.push(name);
        if forbidden(boundary, name) || reaches_forbidden(tree, boundary, path) {
            return true;
        }
        path.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINTS: &str = "[lints]\nworkspace = true\n";

    fn tree(packages: &[(&str, &[&str], &[&str])]) -> Tree {
        let owned = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let paths: Vec<String> =
            packages.iter().map(|(name, ..)| format!("crates/{name}/Cargo.toml")).collect();
        let texts: Vec<String> = packages
            .iter()
            .map(|(_, builds_on, _)| format!("{LINTS}[dependencies]\n{}", builds_on.join("\n")))
            .collect();
        let files: Vec<(&str, &str)> =
            paths.iter().zip(&texts).map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut tree = Tree::of(&files);
        for ((name, builds_on, tests_with), manifest) in packages.iter().zip(paths) {
            tree.packages.push(Package {
                name: (*name).to_owned(),
                manifest,
                builds_on: owned(builds_on),
                tests_with: owned(tests_with),
            });
        }
        tree
    }

    #[test]
    fn the_flow_of_the_design_is_allowed() {
        let tree = tree(&[
            ("lariat-core", &["glam", "libm"], &["proptest"]),
            ("lariat-scene", &["lariat-core", "toml_edit"], &[]),
            ("lariat-import", &["lariat-core", "serde_json"], &[]),
            ("lariat-eval", &["lariat-core", "lariat-scene", "lariat-import"], &["lariat-museum"]),
            ("lariat-export", &["lariat-core"], &["insta"]),
            ("lariat-cli", &["lariat-scene", "lariat-eval", "lariat-export"], &[]),
        ]);
        assert_eq!(check(&tree), []);
    }

    #[test]
    fn a_forbidden_dependency_is_found() {
        let tree = tree(&[("lariat-export", &["lariat-core", "lariat-scene"], &[])]);
        let violations = check(&tree);
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].message, "lariat-export reaches lariat-scene");
        assert_eq!(violations[0].line, 5);
    }

    #[test]
    fn an_indirect_dependency_is_found() {
        let tree = tree(&[
            ("lariat-render", &["pictures"], &[]),
            ("pictures", &["lariat-core", "shots"], &[]),
            ("shots", &["lariat-eval"], &[]),
        ]);
        let violations = check(&tree);
        assert_eq!(violations.len(), 1);
        let path = "lariat-render reaches pictures, which reaches shots, which reaches lariat-eval";
        assert_eq!(violations[0].message, path);
    }

    #[test]
    fn tests_keep_the_boundaries() {
        let tree = tree(&[("lariat-core", &[], &["lariat-museum"])]);
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn a_crate_without_the_lints_is_found() {
        let mut tree = tree(&[("lariat-core", &[], &[])]);
        assert_eq!(check(&tree), []);
        tree.files[0].text = "[package]\n".to_owned();
        assert!(check(&tree)[0].message.contains("lints"));
    }
}
