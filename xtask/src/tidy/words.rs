//! Retired words stay retired, and doc comments start with the thing they describe.
//!
//! `xtask/retired-words.txt` lists words that the project no longer uses, with their replacements.
//! Names are searched in code, as whole words of identifiers (`tangle` is found in `old_tangle`);
//! phrases are searched in whole files, comments and string literals included.
//!
//! A doc comment that opens with a question word ("What moves …", "How far …") hides its subject,
//! so the first word of every doc comment is checked as well. "Whether" is allowed: it is the
//! established opening for booleans.
//!
//! Tests: `retired_names_are_found_in_identifiers`, `retired_phrases_are_found_in_comments`,
//! `exempt_files_are_not_searched`, `bad_lines_of_the_list_are_reported`,
//! `doc_comments_that_open_with_a_question_word_are_found`.

use super::{
    tree::{File, Tree, has_extension, line_of},
    violation::Violation,
};

/// The list, from the root.
const LIST: &str = "xtask/retired-words.txt";

/// First words of doc comments that hide the noun.
const QUESTION_WORDS: [&str; 6] =
    ["What", "How", "Who", concat!("Who", "ever"), "Whatever", "Whichever"];

/// One row of the list.
#[derive(Debug)]
struct Retired<'t> {
    word: &'t str,
    replacement: &'t str,
}

/// The whole list.
#[derive(Debug, Default)]
struct List<'t> {
    names: Vec<Retired<'t>>,
    phrases: Vec<Retired<'t>>,
    exempt: Vec<&'t str>,
}

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let Some(file) = tree.file(LIST) else { return Vec::new() };
    let mut violations = Vec::new();
    let list = List::read(file, &mut violations);
    let searched = |file: &&File| !list.exempt.iter().any(|exempt| file.path.starts_with(exempt));
    for file in tree.rust().filter(searched) {
        names(file, &list.names, &mut violations);
        openings(file, &mut violations);
    }
    let has_prose = |file: &&File| {
        ["rs", "md", "lariat", "py"].iter().any(|kind| has_extension(&file.path, kind))
    };
    for file in tree.files.iter().filter(has_prose).filter(searched) {
        phrases(file, &list.phrases, &mut violations);
    }
    violations
}

impl<'t> List<'t> {
    /// Reads the list; lines that are neither a row nor a comment are violations themselves.
    fn read(file: &'t File, violations: &mut Vec<Violation>) -> Self {
        let mut list = Self::default();
        for (i, line) in file.text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(path) = line.strip_prefix("exempt ") {
                list.exempt.push(path.trim());
                continue;
            }
            let Some((word, replacement)) = line.split_once(" -> ") else {
                violations.push(Violation::failure(
                    &file.path,
                    i + 1,
                    format!("`{line}` is neither a retired word nor an exempt path"),
                    "write `Name -> replacement`, `\"phrase\" -> replacement` or `exempt PATH`",
                ));
                continue;
            };
            let quoted = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
            match quoted {
                Some(word) => list.phrases.push(Retired { word, replacement }),
                None => list.names.push(Retired { word, replacement }),
            }
        }
        list
    }
}

fn names(file: &File, retired: &[Retired<'_>], violations: &mut Vec<Violation>) {
    let source = file.source();
    for token in source.tokens() {
        let is_retired = |row: &&Retired<'_>| {
            token.text == row.word || token.text.split('_').any(|word| word == row.word)
        };
        if let Some(row) = retired.iter().find(is_retired) {
            let line = line_of(&file.text, token.offset);
            violations.push(found(file, line, token.text, row));
        }
    }
}

fn phrases(file: &File, retired: &[Retired<'_>], violations: &mut Vec<Violation>) {
    for (i, line) in file.text.lines().enumerate() {
        let lower = line.to_lowercase();
        for row in retired {
            if contains_phrase(&lower, row.word) {
                violations.push(found(file, i + 1, row.word, row));
            }
        }
    }
}

/// Returns whether `text` contains `phrase` as whole words.
fn contains_phrase(text: &str, phrase: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(phrase).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + phrase.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn found(file: &File, line: usize, word: &str, row: &Retired<'_>) -> Violation {
    Violation::failure(
        &file.path,
        line,
        format!("`{word}` is a retired word"),
        format!("use: {} ({LIST})", row.replacement),
    )
}

fn openings(file: &File, violations: &mut Vec<Violation>) {
    let mut in_comment = false;
    for (i, line) in file.text.lines().enumerate() {
        let line = line.trim_start();
        let text = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"));
        if let Some(text) = text
            && !in_comment
            && let Some(word) = text.split_whitespace().next()
            && QUESTION_WORDS.contains(&word)
        {
            violations.push(Violation::failure(
                &file.path,
                i + 1,
                format!("the doc comment opens with `{word}`"),
                "start with the noun, or with a verb in the third person",
            ));
        }
        in_comment = text.is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str =
        "# comment\n\nexempt docs/\ntangle -> string_world\n\"at odds\" -> different\n";

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let tree = Tree::of(&[(LIST, ROWS), (path, text)]);
        check(&tree).iter().map(|violation| violation.line).collect()
    }

    #[test]
    fn retired_names_are_found_in_identifiers() {
        assert_eq!(lines("bench/src/a.rs", "fn f() {\n    old_tangle(tangle);\n}"), [2, 2]);
        assert_eq!(lines("bench/src/a.rs", "fn entangled() {} // a tangle in prose"), [0; 0]);
    }

    #[test]
    fn retired_phrases_are_found_in_comments() {
        assert_eq!(lines("bench/src/a.rs", "// At odds.\nlet s = \"at odds\";"), [1, 2]);
        assert_eq!(lines("CODE_STYLE.md", "never at odds\nat oddsmakers"), [1]);
    }

    #[test]
    fn exempt_files_are_not_searched() {
        assert_eq!(lines("docs/guide.md", "at odds"), [0; 0]);
    }

    #[test]
    fn bad_lines_of_the_list_are_reported() {
        let tree = Tree::of(&[(LIST, "tangle\n")]);
        assert_eq!(check(&tree).len(), 1);
    }

    #[test]
    fn doc_comments_that_open_with_a_question_word_are_found() {
        let text = "//! How a rope hangs.\n\n/// The length,\n/// What follows is fine.\nfn f() {}\n/// Who holds it.\n";
        assert_eq!(lines("bench/src/a.rs", text), [1, 6]);
    }
}
