//! Every diagnostic code has a page, and every page a code.
//!
//! A code is `L` and four digits. Codes are collected from code and string literals of all crates,
//! except tests, which may use codes that do not exist. `lariat explain` prints the page.
//!
//! Tests: `a_code_without_a_page_is_found`, `a_page_without_a_code_is_found`,
//! `a_page_opens_with_its_code`, `a_page_has_enough_words`.

use std::collections::BTreeMap;

use super::{
    tree::{Tree, line_of},
    violation::Violation,
};

/// Fewest words of a page.
const PAGE: usize = 20;

const PAGES: &str = "crates/lariat-scene/src/check/pages/";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    let codes = codes(tree);
    for (code, (file, line)) in &codes {
        if tree.file(&format!("{PAGES}{code}.md")).is_none() {
            violations.push(Violation::failure(
                file,
                *line,
                format!("{code} has no page"),
                format!("write {PAGES}{code}.md: what it means, why it matters, the fix"),
            ));
        }
    }
    for page in tree.pages() {
        let Some(name) = page.path.strip_prefix(PAGES) else { continue };
        let code = name.trim_end_matches(".md");
        if !codes.contains_key(code) {
            violations.push(Violation::failure(
                &page.path,
                0,
                format!("no crate uses {code}"),
                "remove the page, or report the code",
            ));
        }
        let words = page.text.split_whitespace().count();
        if words < PAGE {
            violations.push(Violation::failure(
                &page.path,
                0,
                format!("the page has only {words} words"),
                "describe the meaning of the code, why it matters, the cause and the fix",
            ));
        }
        if !page.text.starts_with(&format!("# {code}")) {
            violations.push(Violation::failure(
                &page.path,
                1,
                "does not start with its code",
                format!("make the first line `# {code}: ` and what happened in a few words"),
            ));
        }
    }
    violations
}

/// Every code that a crate uses outside its tests, with its first place.
fn codes(tree: &Tree) -> BTreeMap<String, (String, usize)> {
    let mut codes = BTreeMap::new();
    let is_source = |path: &str| path.starts_with("crates/") && path.contains("/src/");
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    for file in tree.rust().filter(|file| is_source(&file.path) && !is_test(&file.path)) {
        let source = file.source();
        let tests = source.test_modules();
        let tokens = source.tokens();
        let words = tokens.iter().map(|token| (token.offset, token.text));
        let literals = source.literals.iter().map(|text| (text.offset, text.text.as_str()));
        for (offset, text) in words.chain(literals) {
            if tests.iter().any(|module| module.contains(&offset)) {
                continue;
            }
            for code in codes_in(text) {
                let place = (file.path.clone(), line_of(&file.text, offset));
                codes.entry(code.to_owned()).or_insert(place);
            }
        }
    }
    codes
}

/// Every `L` with four digits that is a separate word.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| {
        word.len() == 5 && word.starts_with('L') && word[1..].bytes().all(|b| b.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "crates/lariat-scene/src/check/codes.rs";

    fn good(code: &str) -> String {
        format!("# {code}: a rope is too short\n\n{}", "It does not reach. ".repeat(5))
    }

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_code_with_its_page_is_fine() {
        let page = format!("{PAGES}L0203.md");
        let table = (TABLE, "//! Codes.\nconst SHORT: Code = Code(\"L0203\");");
        assert_eq!(found(&[table, (&page, &good("L0203"))]), [""; 0]);
    }

    #[test]
    fn a_code_without_a_page_is_found() {
        let found = found(&[(TABLE, "//! Codes.\nconst SHORT: Code = Code(\"L0203\");")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("codes.rs:2: L0203 has no page"), "{}", found[0]);
    }

    #[test]
    fn tests_may_ask_for_codes_that_do_not_exist() {
        let text = "#[cfg(test)]\nmod tests { fn f() { explain(\"L9999\"); } }\n";
        assert_eq!(found(&[(TABLE, text)]), [""; 0]);
        for path in ["tests/a.rs", "src/check/tests/a.rs", "src/check/tests.rs"] {
            let path = format!("crates/lariat-scene/{path}");
            assert_eq!(found(&[(&path, "f(\"L9999\")")]), [""; 0], "{path}");
        }
        assert_eq!(found(&[(TABLE, "let x = (\"L99\", \"XL9999\", \"L12345\");")]), [""; 0]);
    }

    #[test]
    fn a_page_without_a_code_is_found() {
        let found = found(&[(&format!("{PAGES}L0999.md"), &good("L0999"))]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("no crate uses L0999"), "{}", found[0]);
    }

    #[test]
    fn a_page_opens_with_its_code() {
        let page = format!("{PAGES}L0203.md");
        let found = found(&[(TABLE, "Code(\"L0203\")"), (&page, &good("Too short"))]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("does not start with its code"), "{}", found[0]);
    }

    #[test]
    fn a_page_has_enough_words() {
        let page = format!("{PAGES}L0203.md");
        let found = found(&[(TABLE, "Code(\"L0203\")"), (&page, "# L0203: a rope is too short\n")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("the page has only 7 words"), "{}", found[0]);
    }
}
