//! Modules of `lariat-core` use only lower ones.
//!
//! ```text
//! num < curve < geometry, motion < model < modes < dynamics
//! ```
//!
//! A module may use itself and every module on a lower level; `geometry` and `motion` are on one level
//! and do not use each other. A reader of `curve` never has to know models, and a module that grows
//! too large can become a crate.
//!
//! Paths are followed in code: `crate::…`, groups in braces, and `super::super::…` out of a module.
//! Comments and the examples in them are not checked. Tests inside a module are.
//!
//! Tests: `looking_up_is_found`, `looking_sideways_is_found`, `escapes_by_super_are_followed`,
//! `a_new_module_needs_a_level`.

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
            Some(level) => look_from(file, module, level, modules.len(), &mut violations),
            None => violations.push(Violation::failure(
                &file.path,
                1,
                format!("`{module}` is not a module of lariat-core"),
                "move the file into a module, or give the new module its level in xtask/src/tidy/module_order.rs",
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

/// The module a file is: `model/layer/wave.rs` is `[model, layer, wave]`.
fn modules(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib"))) {
        parts.pop();
    }
    parts
}

fn look_from(
    file: &File,
    module: &str,
    level: usize,
    depth: usize,
    violations: &mut Vec<Violation>,
) {
    let source = file.source();
    for target in targets(&source.tokens(), depth) {
        let line = line_of(&file.text, target.offset);
        let seen = target.text;
        match self::level(seen) {
            Some(other) if seen == module || other < level => {}
            Some(other) => violations.push(Violation::failure(
                &file.path,
                line,
                format!(
                    "`{module}` looks {} `{seen}`",
                    if other == level { "sideways at" } else { "up at" }
                ),
                format!("move what is shared below both, or this code into `{seen}` or above it"),
            )),
            None => violations.push(Violation::failure(
                &file.path,
                line,
                format!("`{module}` reaches through the root of the crate for `{seen}`"),
                "name the module the thing lives in",
            )),
        }
    }
}

/// First name after the root of the crate in every path of the code, for a file whose module is
/// `depth` below the root.
fn targets<'a>(tokens: &[Token<'a>], depth: usize) -> Vec<Token<'a>> {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let mut found = Vec::new();
    // Braces of `mod name { … }` we are in: index of the closing one.
    let mut inline: Vec<usize> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        inline.retain(|&end| i < end);
        if *word == "mod" && words.get(i + 2) == Some(&"{") {
            inline.push(closing(&words, i + 2).unwrap_or(words.len()));
        }
        let starts = i == 0 || words[i - 1] != "::";
        let goes_on = words.get(i + 1) == Some(&"::");
        match *word {
            "crate" if goes_on => follow(tokens, i + 2, 0, &mut found),
            "self" | "super" if starts && goes_on => {
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
    let goes_on = tokens.get(i + 1).is_some_and(|next| next.text == "::");
    match token.text {
        "super" if goes_on => follow(tokens, i + 2, depth.saturating_sub(1), found),
        "self" if goes_on => follow(tokens, i + 2, depth, found),
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

    fn complaint(path: &str, text: &str) -> String {
        let found = violations(path, text);
        assert_eq!(found.len(), 1, "{path}: {text}\n{found:?}");
        found[0].clone()
    }

    #[test]
    fn looking_down_is_fine() {
        let text =
            "use crate::{curve::{Frame, Polyline}, num::ops};\nuse crate::model::layer::Wave;";
        assert_eq!(violations("model/suspended.rs", text), [""; 0]);
        assert_eq!(violations("num/mod.rs", "pub(crate) use crate::num::ops;"), [""; 0]);
        assert_eq!(violations("motion/keys.rs", "use crate::num::root;"), [""; 0]);
        assert_eq!(violations("lib.rs", "pub use crate::model::Rope;"), [""; 0]);
    }

    #[test]
    fn looking_up_is_found() {
        let text = "//! Curves.\n\nuse crate::num::ops;\nuse crate::model::Rope;\n";
        let complaint = complaint("curve/mod.rs", text);
        assert!(complaint.contains("curve/mod.rs:4: `curve` looks up at `model`"), "{complaint}");
    }

    #[test]
    fn looking_sideways_is_found() {
        let inside = "fn f() { let c = crate::motion::Channel::at(0.0); }";
        assert!(complaint("geometry/strand.rs", inside).contains("sideways at `motion`"));
        let grouped = "use crate::{num::ops, geometry::{Strand, Take}};";
        assert!(complaint("motion/keys.rs", grouped).contains("sideways at `geometry`"));
    }

    #[test]
    fn escapes_by_super_are_followed() {
        assert!(
            complaint("num/ops.rs", "use super::super::model::Rope;").contains("up at `model`")
        );
        assert!(complaint("num/mod.rs", "use super::curve::Frame;").contains("up at `curve`"));
        assert!(complaint("num/mod.rs", "use self::super::curve::Frame;").contains("`curve`"));
        let in_tests = "mod tests { use super::super::super::dynamics; fn f() {} }";
        assert!(complaint("num/ops.rs", in_tests).contains("up at `dynamics`"));
        // One step fewer stays inside the module, and after the module one step is enough again.
        let inside = "mod tests { use super::super::root; }";
        assert_eq!(violations("num/ops.rs", inside), [""; 0]);
        let after = "mod tests { fn f() {} } use super::super::model::Rope;";
        assert!(complaint("num/ops.rs", after).contains("up at `model`"));
    }

    #[test]
    fn comments_and_text_may_speak_of_anything() {
        let text =
            "/// ```\n/// use crate::model::Rope;\n/// ```\nconst S: &str = \"crate::model\";";
        assert_eq!(violations("num/ops.rs", text), [""; 0]);
    }

    #[test]
    fn the_root_is_no_way_round() {
        assert!(complaint("num/ops.rs", "use crate::*;").contains("for `*`"));
        assert!(complaint("num/ops.rs", "use crate::Rope;").contains("for `Rope`"));
    }

    #[test]
    fn a_new_module_needs_a_level() {
        assert!(
            complaint("attic/mod.rs", "use crate::num::ops;").contains("`attic` is not a module")
        );
    }
}
