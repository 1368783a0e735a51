//! Checks of the guide against the command line: its tables of options are generated, and its
//! commands can be parsed.
//!
//! The text of `docs/guide/reference/command-line.md` between `<!-- command: NAME -->` and
//! `<!-- end -->` comes from the definitions in `command/`. After a change of these,
//!
//! ```sh
//! UPDATE_GUIDE=1 cargo test -p lariat-cli guide
//! ```
//!
//! writes it again. Tests: `options_in_the_guide_match_the_commands`,
//! `commands_in_the_guide_can_be_parsed`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory};

use crate::args::Args;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Description and options of a command as Markdown; without a name, the global options.
fn section(name: &str) -> Option<String> {
    let mut root = Args::command();
    root.build();
    let mut command = &root;
    for word in name.split_whitespace() {
        command = command.find_subcommand(word)?;
    }
    if name.is_empty() {
        return Some(options(command.get_arguments().filter(|arg| arg.is_global_set())));
    }
    let mut out = String::new();
    write_command(command, &mut out);
    let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
    for inner in inner {
        let _ = write!(out, "\n\n### {name} {}\n\n", inner.get_name());
        write_command(inner, &mut out);
    }
    Some(out)
}

fn write_command(command: &Command, out: &mut String) {
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    // The first line of a help text has no full stop.
    let (first, rest) = about.split_once('\n').unwrap_or((&about, ""));
    let _ = write!(out, "{}.\n{rest}", first.trim_end_matches('.'));
    out.truncate(out.trim_end().len());
    let shown =
        |arg: &&Arg| !arg.is_global_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    let table = options(command.get_arguments().filter(shown));
    if !table.is_empty() {
        let _ = write!(out, "\n\n{}", table.trim_end());
    }
}

/// A table of arguments and options, empty if there are none.
fn options<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let mut rows = String::new();
    for arg in args {
        let _ = writeln!(rows, "| {} | {} |", spelling(arg), description(arg));
    }
    if rows.is_empty() { rows } else { format!("| option | description |\n|---|---|\n{rows}") }
}

/// Option as it is typed: `` `-f`, `--frames SET` ``.
fn spelling(arg: &Arg) -> String {
    let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let value = value.map(|names| names.join(" ")).unwrap_or_default();
    match (arg.get_short(), arg.get_long()) {
        (_, None) => format!("`{}`", value.replace('|', "\\|")),
        (short, Some(long)) => {
            let short = short.map(|short| format!("`-{short}`, ")).unwrap_or_default();
            format!("{short}`--{}`", format!("{long} {value}").trim_end())
        }
    }
}

/// Help text, possible values and default in one line.
fn description(arg: &Arg) -> String {
    if arg.get_long() == Some("limit") {
        return "Set a [limit](limits.md); can be repeated".to_owned();
    }
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let (first, rest) = help.split_once("\n\n").unwrap_or((&help, ""));
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = one_line(first);
    let takes_values = arg.get_action().takes_values();
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| takes_values && !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}`: {help}", value.get_name()),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if !values.is_empty() {
        let _ = write!(out, ". {}", values.join("; "));
    }
    let default: Vec<_> = arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
    if takes_values && !default.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(out, " [default: {}]", default.join(" "));
    }
    if !rest.is_empty() {
        let _ = write!(out, ". {}", one_line(rest));
    }
    out.replace('|', "\\|").replace('<', "&lt;")
}

#[test]
fn options_in_the_guide_match_the_commands() {
    let path = docs().join("guide/reference/command-line.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let (mut fresh, mut rest) = (String::new(), page.as_str());
    let mut seen = Vec::new();
    while let Some((before, from)) = rest.split_once("<!-- command:") {
        let (name, after) = from.split_once(" -->\n").expect("a marker ends its line");
        let (_, after) = after.split_once("<!-- end -->\n").expect("a marker has an end");
        let text = section(name.trim()).unwrap_or_else(|| panic!("no command `{name}`"));
        let _ =
            write!(fresh, "{before}<!-- command:{name} -->\n\n{}\n\n<!-- end -->\n", text.trim());
        seen.push(name.trim().to_owned());
        rest = after;
    }
    fresh += rest;
    for command in Args::command().get_subcommands() {
        assert!(seen.iter().any(|name| name == command.get_name()), "{}", command.get_name());
    }
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        // The other test reads the page meanwhile.
        let written = path.with_extension("md.new");
        std::fs::write(&written, fresh).expect("the page can be written");
        std::fs::rename(written, &path).expect("the page can be replaced");
    } else {
        assert!(page == fresh, "run UPDATE_GUIDE=1 cargo test -p lariat-cli guide");
    }
}

/// Every page below `folder`.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the guide is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Arguments of a line of a shell block that runs `lariat`.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line.trim_start().trim_start_matches("$ ");
    let line = line.strip_prefix("cargo ").unwrap_or(line);
    let line = line.strip_prefix("lariat ")?;
    let mut words = vec!["lariat".to_owned()];
    for word in line.split_whitespace() {
        // Comments, pipes and redirections are the shell's.
        if matches!(word, "#" | "|" | ">" | "&&") {
            break;
        }
        words.push(word.trim_matches(['\'', '"']).to_owned());
    }
    Some(words)
}

#[test]
fn commands_in_the_guide_can_be_parsed() {
    let mut found = Vec::new();
    pages(&docs(), &mut found);
    found.push(docs().join("../README.md"));
    found.sort();
    let mut parsed = 0;
    for path in found {
        let page = std::fs::read_to_string(&path).expect("pages are text");
        let mut shell = false;
        for (number, line) in page.lines().enumerate() {
            if let Some(info) = line.trim_start().strip_prefix("```") {
                shell = !shell && matches!(info, "sh" | "console");
                continue;
            }
            let Some(words) = arguments(line).filter(|_| shell) else { continue };
            parsed += 1;
            if let Err(error) = Args::command().try_get_matches_from(&words) {
                panic!("{}:{}: {line}\n{error}", path.display(), number + 1);
            }
        }
    }
    assert!(parsed > 60, "only {parsed} commands: is the guide still there?");
}
