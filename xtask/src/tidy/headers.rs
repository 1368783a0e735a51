//! Every Rust file opens with a `//!` header that describes it.
//!
//! Newcomers read the first line while looking for the right file, so it must have [`SENTENCE`]
//! words or more.
//!
//! Tests: `a_file_without_a_header_is_found`, `a_header_that_says_nothing_is_found`.

use super::{tree::Tree, violation::Violation};

/// Fewest words of a first line.
const SENTENCE: usize = 3;

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in tree.rust() {
        let first = file.text.lines().next().unwrap_or_default();
        let Some(words) = first.strip_prefix("//!") else {
            violations.push(Violation::failure(
                &file.path,
                1,
                "does not open with a `//!` header",
                "describe the purpose of the file in the first line",
            ));
            continue;
        };
        let words_found = words.split_whitespace().count();
        if words_found < SENTENCE {
            violations.push(Violation::failure(
                &file.path,
                1,
                format!("the first line of the header has {words_found} words"),
                format!("make the first line a sentence of {SENTENCE} words or more"),
            ));
        }
    }
    violations
}

/// The lines of a file's header, without comment marks.
pub(crate) fn header(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_header_is_found() {
        let tree = Tree::of(&[
            ("crates/lariat-core/src/a.rs", "use std::f64;\n//! Too late, this comes second.\n"),
            ("crates/lariat-core/tests/b.rs", "// Only a plain comment.\n"),
            ("xtask/src/c.rs", ""),
            ("bench/src/d.rs", "//! What the ropes cost.\n"),
            ("docs/e.rs", "fn not_checked() {}\n"),
        ]);
        let files: Vec<String> = check(&tree).into_iter().map(|violation| violation.file).collect();
        assert_eq!(files, tree.files[..3].iter().map(|f| f.path.clone()).collect::<Vec<_>>());
    }

    #[test]
    fn a_header_that_says_nothing_is_found() {
        let violations = check(&Tree::of(&[("museum/src/lib.rs", "//! Museum.\n")]));
        assert_eq!(violations.len(), 1);
        assert!(violations[0].message.contains("1 words"), "{}", violations[0]);
    }

    #[test]
    fn a_header_ends_where_the_code_begins() {
        let lines: Vec<&str> = header("//! One.\n//!\n//! Two.\nuse x;\n//! Three.").collect();
        assert_eq!(lines, ["One.", "", "Two."]);
    }
}
