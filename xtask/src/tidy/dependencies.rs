//! Every dependency has its sentence in ARCHITECTURE.md, and every sentence its dependency.
//!
//! A row in the table under the heading `Dependencies` gives the reason for each.
//!
//! Tests: `a_dependency_without_a_sentence_is_found`, `a_sentence_without_a_dependency_is_found`.

use std::collections::BTreeMap;

use super::{tree::Tree, violation::Violation};

const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Dependencies";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(page) = tree.file(PAGE) else { return Vec::new() };
    let rows = rows(&page.text);
    let used = used(tree);
    let mut violations = Vec::new();
    for (name, manifest) in &used {
        if !rows.iter().any(|(_, row)| row == name) {
            violations.push(Violation::failure(
                *manifest,
                0,
                format!("`{name}` has no sentence in {PAGE}"),
                format!("give its reason in the table under `{HEADING}`, or remove the dependency"),
            ));
        }
    }
    for (line, name) in rows {
        if !used.contains_key(name) {
            violations.push(Violation::failure(
                PAGE,
                line,
                format!("no crate depends on `{name}` any more"),
                "remove the row",
            ));
        }
    }
    violations
}

/// Every external dependency, with the first manifest that names it.
fn used(tree: &Tree) -> BTreeMap<&str, &str> {
    let mut used = BTreeMap::new();
    for package in &tree.packages {
        for name in package.builds_on.iter().chain(&package.tests_with) {
            if tree.packages.iter().all(|ours| ours.name != *name) {
                used.entry(name.as_str()).or_insert(package.manifest.as_str());
            }
        }
    }
    used
}

/// First column of the table under the heading, with line numbers.
fn rows(text: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("## ") {
            inside = line == HEADING;
        }
        let cell = line.strip_prefix('|').and_then(|line| line.split('|').next()).map(str::trim);
        let is_name = |cell: &&str| *cell != "crate" && !cell.starts_with("--");
        if let Some(name) = cell.filter(is_name).filter(|_| inside) {
            rows.push((i + 1, name.trim_matches('`')));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{super::tree::Package, *};

    fn found(rows: &str) -> Vec<String> {
        let page = format!(
            "# The page\n\n| crate | other table |\n|---|---|\n| attic | no |\n\n{HEADING}\n\n\
             | crate | why |\n|---|---|\n{rows}\n## More\n\n| cellar | no |\n"
        );
        let mut tree = Tree::of(&[(PAGE, &page)]);
        for (name, builds_on) in [("lariat-core", "glam"), ("lariat-scene", "lariat-core")] {
            tree.packages.push(Package {
                name: name.to_owned(),
                manifest: format!("crates/{name}/Cargo.toml"),
                builds_on: vec![builds_on.to_owned()],
                tests_with: vec!["proptest".to_owned()],
            });
        }
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_complete_table_is_fine() {
        assert_eq!(found("| glam | vectors |\n| `proptest` | tests |\n"), [""; 0]);
    }

    #[test]
    fn a_dependency_without_a_sentence_is_found() {
        let found = found("| glam | vectors |\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("lariat-core/Cargo.toml: `proptest` has no"), "{}", found[0]);
    }

    #[test]
    fn a_sentence_without_a_dependency_is_found() {
        let found = found("| glam | vectors |\n| serde | gone |\n| proptest | tests |\n");
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("ARCHITECTURE.md:12: no crate depends on `serde`"),
            "{}",
            found[0]
        );
    }
}
