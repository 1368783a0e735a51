//! Rules of the project that neither the compiler nor clippy can check: `cargo xtask tidy`.
//!
//! A rule is a function from the tree to violations; the table below lists all rules. Every run
//! applies all of them and prints every violation with its place and its fix. A violation fails the
//! run, or is only a note, such as a file that is growing long.
//!
//! Each rule has its own file, whose tests show it failing on a bad sample. The tests of this file
//! apply all rules to the real tree, so `cargo test` includes `cargo xtask tidy`.
//!
//!   violation.rs  a violation and its text
//!   tree.rs       files and crates that the rules see
//!   rust.rs       a lexer that separates code from comments and literals
//!
//! Tests: `the_tree_is_tidy`, `an_empty_tree_has_no_violations`,
//! `rule_names_are_unique`.

mod codes;
mod crate_boundaries;
mod dependencies;
mod headers;
mod links;
mod machines;
mod module_order;
mod museum;
mod named_tests;
mod pictures;
mod rust;
mod sizes;
mod stubs;
mod tree;
mod violation;
mod words;

use std::fmt::Write;

use tree::Tree;
use violation::{Violation, Weight};

/// One rule.
struct Rule {
    name: &'static str,
    what: &'static str,
    check: fn(&Tree) -> Vec<Violation>,
}

const RULES: &[Rule] = &[
    Rule {
        name: "headers",
        what: "every Rust file opens with its //! header",
        check: headers::check,
    },
    Rule {
        name: "module-order",
        what: "modules of lariat-core use only lower ones",
        check: module_order::check,
    },
    Rule {
        name: "crate-boundaries",
        what: "crates depend only on the crates they may, and share the lints",
        check: crate_boundaries::check,
    },
    Rule {
        name: "dependencies",
        what: "every dependency has its sentence",
        check: dependencies::check,
    },
    Rule { name: "machines", what: "no paths or addresses of one machine", check: machines::check },
    Rule { name: "stubs", what: "no stubs, debug prints or reminders", check: stubs::check },
    Rule { name: "sizes", what: "files and modules stay small", check: sizes::check },
    Rule { name: "codes", what: "every diagnostic code has its page", check: codes::check },
    Rule { name: "museum", what: "every scene is listed, with its reason", check: museum::check },
    Rule {
        name: "pictures",
        what: "every picture is made from a scene, and shown on a page",
        check: pictures::check,
    },
    Rule { name: "links", what: "every link in a page has a valid target", check: links::check },
    Rule {
        name: "words",
        what: "retired words stay retired, doc comments start with their subject",
        check: words::check,
    },
    Rule { name: "tests", what: "every test named in a header exists", check: named_tests::check },
];

/// `cargo xtask tidy`.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if let Some(extra) = arguments.first() {
        return Err(format!("`tidy` takes no arguments, but was given `{extra}`"));
    }
    let tree = Tree::read(&crate::shell::root())?;
    let (report, failures) = report(&tree);
    print!("{report}");
    println!("{}", sizes::modules_in_one_line(&tree));
    println!("{} files, {} rules, {failures} violations", tree.files.len(), RULES.len());
    if failures == 0 { Ok(()) } else { Err(String::new()) }
}

/// Report of all rules, sorted by rule and place, and the number of violations that fail the run.
fn report(tree: &Tree) -> (String, usize) {
    let (mut text, mut failures) = (String::new(), 0);
    for rule in RULES {
        let mut violations = (rule.check)(tree);
        if violations.is_empty() {
            continue;
        }
        violations.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        let _ = writeln!(text, "{}: {}", rule.name, rule.what);
        for violation in &violations {
            let _ = write!(text, "{violation}");
            failures += usize::from(violation.weight == Weight::Failure);
        }
        text.push('\n');
    }
    (text, failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let tree = Tree::read(&crate::shell::root()).expect("the tree can be read");
        let (report, failures) = report(&tree);
        assert_eq!(failures, 0, "\n{report}");
        assert!(tree.file("xtask/src/tidy/mod.rs").is_some(), "this file was not read");
        assert!(tree.packages.iter().any(|package| package.name == "lariat-core"));
    }

    #[test]
    fn an_empty_tree_has_no_violations() {
        assert_eq!(report(&Tree::of(&[])), (String::new(), 0));
    }

    #[test]
    fn rule_names_are_unique() {
        for (i, rule) in RULES.iter().enumerate() {
            assert!(RULES[..i].iter().all(|other| other.name != rule.name), "{}", rule.name);
        }
    }

    #[test]
    fn one_run_reports_everything() {
        let tree = Tree::of(&[
            ("crates/lariat-core/src/num/a.rs", "use crate::model::Rope;\n"),
            ("docs/guide.md", "[gone](nowhere.md)\n"),
        ]);
        let (report, failures) = report(&tree);
        assert_eq!(failures, 3, "{report}");
        for expected in
            ["headers: ", "module-order: ", "links: ", "num/a.rs:1: ", "docs/guide.md:1: "]
        {
            assert!(report.contains(expected), "{report}");
        }
    }
}
