//! Every test that a header names exists.
//!
//! A header ends with `Tests:` and the names of the tests that guard its statements. A name with a
//! `/` is a file.
//!
//! Tests: `a_test_that_is_gone_is_found`, `a_function_is_not_a_test`.

use std::collections::BTreeSet;

use super::{headers::header, tree::Tree, violation::Violation};

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let known = tests(tree);
    let mut violations = Vec::new();
    for file in tree.rust() {
        for (line, name) in named(&file.text) {
            let last = name.rsplit("::").next().unwrap_or(name);
            let exists = if name.contains('/') { tree.has(name) } else { known.contains(last) };
            if !exists {
                violations.push(Violation::failure(
                    &file.path,
                    line,
                    format!("the header names `{name}`, which is not a test of the workspace"),
                    "update the name, or write the test",
                ));
            }
        }
    }
    violations
}

/// Names in backticks from `Tests:` to the next empty line, each with its line.
fn named(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut listing = false;
    for (i, line) in header(text).enumerate() {
        listing = line.starts_with("Tests:") || (listing && !line.is_empty());
        if listing {
            names.extend(line.split('`').skip(1).step_by(2).map(|name| (i + 1, name)));
        }
    }
    names
}

/// Names of all functions marked `#[test]`.
fn tests(tree: &Tree) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in tree.rust() {
        let source = file.source();
        let tokens = source.tokens();
        let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
        let marks =
            words.windows(4).enumerate().filter(|(_, four)| *four == ["#", "[", "test", "]"]);
        for (at, _) in marks {
            let function = words[at..].iter().position(|word| *word == "fn");
            if let Some(name) = function.and_then(|function| words.get(at + function + 1)) {
                names.insert((*name).to_owned());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let tree = Tree::of(&[("bench/src/a.rs", text), ("docs/proof.md", "")]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_test_that_exists_is_fine() {
        let text = "//! Ropes hang.\n//!\n//! Tests: `ends_meet`, and `docs/proof.md`,\n\
                    //! `tests::it_hangs`.\n//!\n//! Also `speaks of things`.\n\
                    #[test]\n#[ignore = \"slow\"]\nfn ends_meet() {}\n\
                    proptest! { #[test] fn it_hangs(x in 0..3) {} }\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn a_test_that_is_gone_is_found() {
        let found = found("//! Ropes hang.\n//!\n//! Tests: `ends_meet`,\n//! `it_hangs`.\n");
        assert_eq!(found.len(), 2);
        assert!(found[1].contains("a.rs:4: the header names `it_hangs`"), "{}", found[1]);
    }

    #[test]
    fn a_function_is_not_a_test() {
        assert_eq!(found("//! Tests: `helper`.\nfn helper() {}\n").len(), 1);
        assert_eq!(found("//! Tests: `docs/gone.md`.\n").len(), 1);
    }
}
