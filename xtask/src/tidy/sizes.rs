//! Files and modules stay small.
//!
//! A file contains one noun or one family of verbs. A file above [`LONG`] lines is noted, one above
//! [`TOO_LONG`] fails. A module of `lariat-core` above [`LARGE_MODULE`] lines must become a crate.
//!
//! Tests: `a_long_file_is_noted_and_a_longer_one_fails`, `a_module_above_the_limit_fails`.

use super::{
    module_order::{MODULES, module_of},
    tree::Tree,
    violation::Violation,
};

/// Lines above which a file is noted; the median is near 250.
const LONG: usize = 600;

/// Lines above which a file fails.
const TOO_LONG: usize = 900;

/// Lines above which a module of `lariat-core` must become a crate.
const LARGE_MODULE: usize = 8000;

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in tree.rust() {
        let lines = file.text.lines().count();
        if lines > LONG {
            let violation = Violation::failure(
                &file.path,
                0,
                format!("{lines} lines; consider splitting above {LONG}, the limit is {TOO_LONG}"),
                "split it by noun or by family of verbs",
            );
            violations.push(if lines > TOO_LONG { violation } else { violation.into_note() });
        }
    }
    for (module, lines) in modules(tree) {
        if lines > LARGE_MODULE {
            violations.push(Violation::failure(
                format!("crates/lariat-core/src/{module}"),
                0,
                format!("the module has {lines} lines, more than {LARGE_MODULE}"),
                "move it, or part of it, into a separate crate",
            ));
        }
    }
    violations
}

/// `modules of lariat-core: num 412, curve 1301, …`.
pub(crate) fn modules_in_one_line(tree: &Tree) -> String {
    let list: Vec<String> =
        modules(tree).map(|(module, lines)| format!("{module} {lines} lines")).collect();
    format!("modules of lariat-core: {}", list.join(", "))
}

/// Every module that is not empty, with its number of lines.
fn modules(tree: &Tree) -> impl Iterator<Item = (&'static str, usize)> {
    MODULES.iter().filter_map(|(module, _)| {
        let files = tree.rust().filter(|file| module_of(&file.path) == Some(module));
        let lines = files.map(|file| file.text.lines().count()).sum();
        (lines > 0).then_some((*module, lines))
    })
}

#[cfg(test)]
mod tests {
    use super::{super::violation::Weight, *};

    #[test]
    fn a_long_file_is_noted_and_a_longer_one_fails() {
        let of = |lines: usize| {
            let tree = Tree::of(&[("bench/src/a.rs", &"//! Line.\n".repeat(lines))]);
            check(&tree).first().map(|violation| violation.weight)
        };
        assert_eq!(of(LONG), None);
        assert_eq!(of(LONG + 1), Some(Weight::Note));
        assert_eq!(of(TOO_LONG), Some(Weight::Note));
        assert_eq!(of(TOO_LONG + 1), Some(Weight::Failure));
    }

    #[test]
    fn a_module_above_the_limit_fails() {
        let text = "//! Line.\n".repeat(500);
        let paths: Vec<String> =
            (0..17).map(|i| format!("crates/lariat-core/src/model/part_{i}.rs")).collect();
        let files: Vec<(&str, &str)> =
            paths.iter().map(|path| (path.as_str(), text.as_str())).collect();
        assert_eq!(check(&Tree::of(&files[..16])), []);
        let tree = Tree::of(&files);
        let violations = check(&tree);
        assert_eq!(violations.len(), 1);
        assert!(violations[0].message.contains("8500 lines"), "{}", violations[0]);
        assert_eq!(modules_in_one_line(&tree), "modules of lariat-core: model 8500 lines");
    }
}
