//! Modules of `lariat-core` use only lower ones.
//!
//! ```text
//! num < curve < geometry, motion < model < modes < dynamics
//! ```
//!
//! A module may use itself and every module on a lower level; `geometry` and `motion` are on one
//! level and do not use each other. `curve` can be understood without models, and a module that
//! grows too large can become a crate.
//!
//! Paths in code are followed: `crate::…`, groups in braces, and `super::super::…` out of a module.
//! Comments and the examples in them are not checked. Tests inside a module are.
//!
//! Tests: `use_of_a_higher_module_is_found`, `use_of_the_same_level_is_found`,
//! `escapes_by_super_are_followed`, `a_new_module_needs_a_level`.

use super::{
    rust::{Token, closing},
    tree::{File, Tree, line_of},
    violation::Violation,
};

/// Every module and its level.
pub(crate) const MODULES: [(&str, usize); 7] = [
    ("num", 0),
    ("curve", 1),
    ("geometry", 2),
    ("motion", 2),
    ("model", 3),
    ("modes", 4),
    ("dynamics", 5),
];

const SOURCES: &str = "crates/lariat-core/src/";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in tree.rust() {
        let Some(path) = file.path.strip_prefix(SOURCES) else { continue };
        let modules = modules(path);
        let Some(module) = modules.first() else { continue };
        match level(module) {
            Some(level) => check_file(file, module, level, modules.len(), &mut violations),
            None => violations.push(Violation::failure(
                &file.path,
                1,
                format!("`{module}` is not a module of lariat-core"),
                "move the file into a module, or add the level of the new module to xtask/src/tidy/module_order.rs",
            )),
        }
    }
    violations
}

/// The module that a file of `lariat-core` is in.
pub(crate) fn module_of(path: &str) -> Option<&'static str> {
    let modules = modules(path.strip_prefix(SOURCES)?);
    MODULES.iter().map(|(module, _)| *module).find(|module| modules.first() == Some(module))
}

fn level(module: &str) -> Option<usize> {
    MODULES.iter().find(|(name, _)| *name == module).map(|(_, level)| *level)
}

/// Module path of a file: `model/layer/wave.rs` is `[model, layer, wave]`.
fn modules(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib"))) {
        parts.pop();
    }
    parts
}

fn check_file(
    file: &File,
    module: &str,
    level: usize,
    depth: usize,
    violations: &mut Vec<Violation>,
) {
    let source = file.source();
    for target in targets(&source.tokens(), depth) {
        let line = line_of(&file.text, target.offset);
        let used = target.text;
        match self::level(used) {
            Some(other) if used == module || other < level => {}
            Some(other) => violations.push(Violation::failure(
                &file.path,
                line,
                format!(
                    "`{module}` uses {} `{used}`",
                    if other == level {
                        "the module on its own level"
                    } else {
                        "the higher module"
                    }
                ),
                format!(
                    "move shared code to a lower module, or this code into `{used}` or above it"
                ),
            )),
            None => violations.push(Violation::failure(
                &file.path,
                line,
                format!("`{module}` imports `{used}` from the root of the crate"),
                "import it from its module",
            )),
        }
    }
}

/// First name after the root of the crate in every path of the code, for a file whose module is
/// `depth` below the root.
fn targets<'a>(tokens: &[Token<'a>], depth: usize) -> Vec<Token<'a>> {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let mut found = Vec::new();
    // Indices of the closing braces of the enclosing `mod name { … }`.
    let mut inline: Vec<usize> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        inline.retain(|&end| i < end);
        if *word == "mod" && words.get(i + 2) == Some(&"{") {
            inline.push(closing(&words, i + 2).unwrap_or(words.len()));
        }
        let starts = i == 0 || words[i - 1] != "::";
        let continues = words.get(i + 1) == Some(&"::");
        match *word {
            "crate" if continues => follow(tokens, i + 2, 0, &mut found),
            "self" | "super" if starts && continues => {
                follow(tokens, i, depth + inline.len(), &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Follows a path from token `i`, in a module `depth` below the root.
fn follow<'a>(tokens: &[Token<'a>], i: usize, depth: usize, found: &mut Vec<Token<'a>>) {
    let Some(token) = tokens.get(i) else { return };
    let continues = tokens.get(i + 1).is_some_and(|next| next.text == "::");
    match token.text {
        "super" if continues => follow(tokens, i + 2, depth.saturating_sub(1), found),
        "self" if continues => follow(tokens, i + 2, depth, found),
        "{" => {
            let words: Vec<&str> = tokens[i..].iter().map(|token| token.text).collect();
            let end = i + closing(&words, 0).unwrap_or(words.len() - 1);
            let mut open = 0_usize;
            for j in i..end {
                match tokens[j].text {
                    "{" => open += 1,
                    "}" => open -= 1,
                    _ => {}
                }
                if open == 1 && matches!(tokens[j].text, "{" | ",") && j + 1 < end {
                    follow(tokens, j + 1, depth, found);
                }
            }
        }
        _ if depth == 0 => found.push(*token),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::of(&[(&format!("{SOURCES}{path}"), text)]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    fn message(path: &str, text: &str) -> String {
        let found = violations(path, text);
        assert_eq!(found.len(), 1, "{path}: {text}\n{found:?}");
        found[0].clone()
    }

    #[test]
    fn use_of_lower_modules_is_fine() {
        let text =
            "use crate::{curve::{Frame, Polyline}, num::ops};\nuse crate::model::layer::Wave;";
        assert_eq!(violations("model/suspended.rs", text), [""; 0]);
        assert_eq!(violations("num/mod.rs", "pub(crate) use crate::num::ops;"), [""; 0]);
        assert_eq!(violations("motion/keys.rs", "use crate::num::root;"), [""; 0]);
        assert_eq!(violations("lib.rs", "pub use crate::model::Rope;"), [""; 0]);
    }

    #[test]
    fn use_of_a_higher_module_is_found() {
        let text = "//! Curves.\n\nuse crate::num::ops;\nuse crate::model::Rope;\n";
        let message = message("curve/mod.rs", text);
        assert!(
            message.contains("curve/mod.rs:4: `curve` uses the higher module `model`"),
            "{message}"
        );
    }

    #[test]
    fn use_of_the_same_level_is_found() {
        let inside = "fn f() { let c = crate::motion::Channel::at(0.0); }";
        assert!(message("geometry/strand.rs", inside).contains("its own level `motion`"));
        let grouped = "use crate::{num::ops, geometry::{Strand, Take}};";
        assert!(message("motion/keys.rs", grouped).contains("its own level `geometry`"));
    }

    #[test]
    fn escapes_by_super_are_followed() {
        assert!(
            message("num/ops.rs", "use super::super::model::Rope;")
                .contains("the higher module `model`")
        );
        assert!(
            message("num/mod.rs", "use super::curve::Frame;").contains("the higher module `curve`")
        );
        assert!(message("num/mod.rs", "use self::super::curve::Frame;").contains("`curve`"));
        let in_tests = "mod tests { use super::super::super::dynamics; fn f() {} }";
        assert!(message("num/ops.rs", in_tests).contains("the higher module `dynamics`"));
        // One `super` fewer stays inside the module; after the inner module, fewer are needed
        // again.
        let inside = "mod tests { use super::super::root; }";
        assert_eq!(violations("num/ops.rs", inside), [""; 0]);
        let after = "mod tests { fn f() {} } use super::super::model::Rope;";
        assert!(message("num/ops.rs", after).contains("the higher module `model`"));
    }

    #[test]
    fn comments_and_literals_are_not_checked() {
        let text =
            "/// ```\n/// use crate::model::Rope;\n/// ```\nconst S: &str = \"crate::model\";";
        assert_eq!(violations("num/ops.rs", text), [""; 0]);
    }

    #[test]
    fn imports_from_the_root_are_found() {
        assert!(message("num/ops.rs", "use crate::*;").contains("imports `*`"));
        assert!(message("num/ops.rs", "use crate::Rope;").contains("imports `Rope`"));
    }

    #[test]
    fn a_new_module_needs_a_level() {
        assert!(
            message("attic/mod.rs", "use crate::num::ops;").contains("`attic` is not a module")
        );
    }
}
