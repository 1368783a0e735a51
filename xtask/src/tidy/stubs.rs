//! No stubs, debug prints or reminders.
//!
//! Open work belongs in an issue. Macros are searched in code, marks in whole files. The words are
//! split here, so that this file passes its own rule.
//!
//! Tests: `stubs_are_found_in_code`, `words_in_text_are_fine`, `marks_are_found_anywhere`.

use super::{
    tree::{File, Tree, has_extension, line_of},
    violation::Violation,
};

/// Macros that must not stay in code.
const MACROS: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// Marks that must not stay anywhere.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// Kinds of files that are programs.
const PROGRAMS: [&str; 5] = ["rs", "py", "mjs", "toml", "wgsl"];

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in tree.rust() {
        macros(file, &mut violations);
    }
    let is_program = |path: &str| PROGRAMS.iter().any(|extension| has_extension(path, extension));
    for file in tree.files.iter().filter(|file| is_program(&file.path)) {
        marks(file, &mut violations);
    }
    violations
}

fn macros(file: &File, violations: &mut Vec<Violation>) {
    let source = file.source();
    for three in source.tokens().windows(3) {
        let [name, mark, next] = [three[0], three[1], three[2]].map(|token| token.text);
        if mark == "!" && next != "=" && MACROS.contains(&name) {
            violations.push(Violation::failure(
                &file.path,
                line_of(&file.text, three[0].offset),
                format!("`{name}!` is left in the code"),
                "implement it, or remove it",
            ));
        }
    }
}

fn marks(file: &File, violations: &mut Vec<Violation>) {
    for (i, line) in file.text.lines().enumerate() {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(mark) = words.find(|word| MARKS.contains(word)) {
            violations.push(Violation::failure(
                &file.path,
                i + 1,
                format!("`{mark}` is a reminder"),
                "do it now, or open an issue and remove the reminder",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        check(&Tree::of(&[("bench/src/a.rs", text)]))
            .iter()
            .map(|violation| violation.line)
            .collect()
    }

    #[test]
    fn stubs_are_found_in_code() {
        for name in MACROS {
            assert_eq!(found(&format!("fn f() {{\n    {name}!()\n}}")), [2]);
            assert_eq!(found(&format!("std::{name} ! (x)")), [1]);
        }
    }

    #[test]
    fn words_in_text_are_fine() {
        for name in MACROS {
            assert_eq!(
                found(&format!("//! Not a {name}!\nlet x = \"{name}!\"; {name} != 3")),
                [0; 0]
            );
        }
    }

    #[test]
    fn marks_are_found_anywhere() {
        for mark in MARKS {
            assert_eq!(found(&format!("fn f() {{}}\n// {mark}(ann): the knot slips")), [2]);
            assert_eq!(found(&format!("// {mark}S are another word")), [0; 0]);
        }
        let python = Tree::of(&[("xtask/a.py", &format!("# {}", MARKS[1]))]);
        assert_eq!(check(&python).len(), 1);
    }
}
