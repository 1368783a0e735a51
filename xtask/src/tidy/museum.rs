//! Every museum scene is listed, with its reason.
//!
//! A scene is a `.lariat` file in `museum/scenes/`; `museum/src` must include it. Its reason is in
//! the same row of the table there: a text of [`SENTENCE`] words or more that ends with a full
//! stop.
//!
//! Tests: `an_unlisted_scene_is_found`, `a_scene_without_a_reason_is_found`.

use super::{
    rust::Source,
    tree::{Tree, has_extension, line_of},
    violation::Violation,
};

/// Fewest words of a reason.
const SENTENCE: usize = 4;

const SCENES: &str = "museum/scenes/";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    let tables: Vec<_> = tree
        .rust()
        .filter(|file| file.path.starts_with("museum/src/"))
        .map(|file| (file, file.source()))
        .collect();
    for scene in tree.files.iter().filter(|file| has_extension(&file.path, "lariat")) {
        let Some(name) = scene.path.strip_prefix(SCENES) else { continue };
        let row = tables.iter().find_map(|(file, source)| {
            let literals = source.literals.iter();
            let path = format!("/scenes/{name}");
            let shown = literals.clone().find(|literal| literal.text.ends_with(&path))?;
            Some((*file, source, shown.offset))
        });
        match row {
            None => violations.push(Violation::failure(
                &scene.path,
                0,
                "no table in museum/src lists this scene",
                "add a row with a reason, or remove the scene",
            )),
            Some((file, source, offset)) if !gives_a_reason(source, offset) => {
                violations.push(Violation::failure(
                    &file.path,
                    line_of(&file.text, offset),
                    format!("`{name}` has no reason in the table"),
                    "add a sentence to its row about what only this scene shows, with a full stop",
                ));
            }
            Some(_) => {}
        }
    }
    violations
}

/// Whether the row of the table around `offset` contains a sentence.
fn gives_a_reason(source: &Source, offset: usize) -> bool {
    let row = row_around(&source.code, offset);
    source.literals.iter().filter(|literal| row.contains(&literal.offset)).any(|literal| {
        let text = literal.text.trim();
        text.ends_with('.') && text.split_whitespace().count() >= SENTENCE
    })
}

/// Innermost brackets around `offset` that contain more than its literal: those of the row, not
/// those of `include_str!`.
fn row_around(code: &str, offset: usize) -> std::ops::Range<usize> {
    let (mut start, mut end) = (offset, offset);
    loop {
        let Some(open) = unmatched(code[..start].char_indices().rev(), ['}', ')', ']']) else {
            return 0..code.len();
        };
        let close = unmatched(code[end..].char_indices(), ['{', '(', '[']);
        (start, end) = (open, close.map_or(code.len(), |close| end + close + 1));
        if code[..open].trim_end().ends_with('!') {
            continue; // the brackets of a macro call
        }
        return start..end;
    }
}

/// First bracket that is not closed (or opened) by an earlier one.
fn unmatched(text: impl Iterator<Item = (usize, char)>, inner: [char; 3]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text {
        if inner.contains(&c) {
            depth += 1;
        } else if matches!(c, '{' | '(' | '[' | '}' | ')' | ']') {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: (&str, &str) = ("museum/scenes/rein.lariat", "lariat = 2\n");

    fn found(table: &str) -> Vec<String> {
        let tree = Tree::of(&[SCENE, ("museum/src/lib.rs", table)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_scene_with_a_reason_is_fine() {
        let row = "Scene { name: \"rein\", why: \"The plainest rope there is.\", \
                   text: include_str!(\"../scenes/rein.lariat\") }";
        assert_eq!(found(&format!("const ALL: &[Scene] = &[{row}];")), [""; 0]);
        let call = "scene(\"rein\", \"The plainest rope there is.\", \
                    include_str!(\"../../museum/scenes/rein.lariat\"))";
        assert_eq!(found(&format!("[{call}]")), [""; 0]);
    }

    #[test]
    fn an_unlisted_scene_is_found() {
        let found = found("const ALL: &[Scene] = &[];");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("rein.lariat: no table"), "{}", found[0]);
    }

    #[test]
    fn a_scene_without_a_reason_is_found() {
        let row = "Scene { why: \"\", text: include_str!(\"../scenes/rein.lariat\") }";
        // Its neighbour's reason does not count.
        let other = "Scene { why: \"It shows a very fine knot.\", text: \"\" }";
        let found = found(&format!("//! Scenes.\n[{other},\n{row}, {other}]"));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("lib.rs:3: `rein.lariat` has no reason"), "{}", found[0]);
    }

    #[test]
    fn a_title_is_not_a_reason() {
        for title in ["The rein of a horse", "A rein."] {
            let row = format!("(\"{title}\", include_str!(\"../scenes/rein.lariat\"))");
            assert_eq!(found(&row).len(), 1, "{title}");
        }
    }
}
