//! The rules of the house that neither the compiler nor clippy can check: `cargo xtask tidy`.
//!
//! A rule is a function from the tree to violations; the table below is the whole list. All of
//! them run every time and every violation is printed, with its place and the way out, so that one
//! run is enough to put things right. A violation either fails the run or is only a remark, such as
//! a file that is growing long.
//!
//! Each rule has its own file and its own tests there, which show it failing on a bad sample.
//! The tests of this file run all of them over the real tree, so `cargo test` does what
//! `cargo xtask tidy` does.
//!
//!   violation.rs  what a rule has to say, and how it is printed
//!   tree.rs     the files and crates the rules look at
//!   rust.rs     just enough of Rust's grammar to tell code from comments and text
//!
//! Tests: `the_tree_is_tidy`, `every_rule_is_silent_about_an_empty_tree`,
//! `every_rule_has_a_name_of_its_own`.

mod codes;
mod dependencies;
mod headers;
mod links;
mod machines;
mod museum;
mod named_tests;
mod pictures;
mod rooms;
mod rust;
mod sizes;
mod stubs;
mod tree;
mod violation;
mod walls;

use std::fmt::Write;

use tree::Tree;
use violation::{Violation, Weight};

/// One rule of the house.
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
    Rule { name: "rooms", what: "the rooms of lariat-core only look down", check: rooms::check },
    Rule {
        name: "walls",
        what: "crates keep to their side, and to the lints",
        check: walls::check,
    },
    Rule {
        name: "dependencies",
        what: "every dependency has its sentence",
        check: dependencies::check,
    },
    Rule { name: "machines", what: "no paths or addresses of one machine", check: machines::check },
    Rule { name: "stubs", what: "nothing is left for later", check: stubs::check },
    Rule { name: "sizes", what: "files and rooms stay small enough to know", check: sizes::check },
    Rule { name: "codes", what: "every diagnostic code has its page", check: codes::check },
    Rule {
        name: "museum",
        what: "every scene is shown, with a sentence why",
        check: museum::check,
    },
    Rule {
        name: "pictures",
        what: "every picture is made from a scene, and shown",
        check: pictures::check,
    },
    Rule { name: "links", what: "every link in a page leads somewhere", check: links::check },
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
    println!("{}", sizes::rooms_in_one_line(&tree));
    println!("{} files, {} rules, {failures} violations", tree.files.len(), RULES.len());
    if failures == 0 { Ok(()) } else { Err(String::new()) }
}

/// Everything the rules have to say, sorted by rule and place, and how many violations fail the run.
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
        assert!(tree.file("xtask/src/tidy/mod.rs").is_some(), "this very file was not looked at");
        assert!(tree.packages.iter().any(|package| package.name == "lariat-core"));
    }

    #[test]
    fn every_rule_is_silent_about_an_empty_tree() {
        assert_eq!(report(&Tree::of(&[])), (String::new(), 0));
    }

    #[test]
    fn every_rule_has_a_name_of_its_own() {
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
        for expected in ["headers: ", "rooms: ", "links: ", "num/a.rs:1: ", "docs/guide.md:1: "] {
            assert!(report.contains(expected), "{report}");
        }
    }
}
