//! The example of every page reports its diagnostic, and its fixed form reports nothing.

use super::*;
use crate::limits::Limits;

/// A fenced block of a page.
struct Block {
    fixed: bool,
    bytes: Vec<u8>,
    limits: Limits,
}

/// The `lariat` blocks of a page. Words after `lariat`: `fixed`, `bytes` (`\xNN` stands for a
/// byte), `limit name=number`.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```lariat") else { continue };
        let words: Vec<&str> = info.split_whitespace().collect();
        let mut text = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            text += line;
            text.push('\n');
        }
        let mut limits = Limits::DEFAULT;
        for word in &words {
            if let Some((name, number)) = word.split_once('=') {
                assert!(limits.set(name, number.parse().unwrap()), "no limit {name}");
            }
        }
        let bytes = if words.contains(&"bytes") { unescape(&text) } else { text.into_bytes() };
        blocks.push(Block { fixed: words.contains(&"fixed"), bytes, limits });
    }
    blocks
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    bytes
}

#[test]
fn every_example_reports_its_diagnostic_and_its_fixed_form_does_not() {
    for code in Code::ALL {
        let blocks = blocks(code.page());
        let kinds: Vec<bool> = blocks.iter().map(|block| block.fixed).collect();
        assert_eq!(kinds, [false, true], "{code}: an example and its fixed form");
        for block in blocks {
            let diagnostics = check(&block.bytes, &block.limits).diagnostics;
            let reported: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
            let found = diagnostics.iter().any(|diagnostic| diagnostic.code == *code);
            if block.fixed {
                assert!(reported.is_empty(), "{code}, fixed: {reported:#?}");
            } else if code.name().starts_with("L06") {
                // Only evaluation reports it; lowering accepts the example.
                assert!(reported.is_empty(), "{code}: {reported:#?}");
            } else {
                assert!(found, "{code} is not among {reported:#?}");
                assert!(
                    diagnostics.len() <= 3,
                    "{code}: its example shows more than itself: {reported:#?}"
                );
            }
        }
    }
}

#[test]
fn every_diagnostic_has_help_and_a_place_unless_it_is_about_the_file() {
    for code in Code::ALL {
        for block in blocks(code.page()) {
            for diagnostic in check(&block.bytes, &block.limits).diagnostics {
                let about_file = matches!(
                    diagnostic.code,
                    Code::FileTooLarge
                        | Code::VersionMissing
                        | Code::NoBodies
                        | Code::TooManyDiagnostics
                );
                assert!(!diagnostic.labels.is_empty(), "{diagnostic}");
                assert_eq!(diagnostic.span().is_none(), about_file, "{diagnostic}");
                assert!(!diagnostic.helps.is_empty(), "no help: {diagnostic}");
                if let Some(span) = diagnostic.span() {
                    assert!(span.range().end <= block.bytes.len() && span.start <= span.end);
                }
            }
        }
    }
}

#[test]
fn every_page_has_its_headings() {
    for code in Code::ALL {
        let page = code.page();
        assert!(page.starts_with(&format!("# {code}: {}\n", code.title())), "{code}");
        for heading in ["## Example", "## Fix"] {
            assert!(page.contains(heading), "{code} lacks {heading}");
        }
    }
}

#[test]
fn codes_rise_and_are_found_by_name() {
    assert!(Code::ALL.windows(2).all(|pair| pair[0].name() < pair[1].name()));
    assert_eq!(Code::find("L0201"), Some(Code::UnknownField));
    assert_eq!(Code::find("l0201"), Some(Code::UnknownField));
    assert_eq!(Code::find("0201"), Some(Code::UnknownField));
    assert_eq!(Code::find("L9999"), None);
    assert_eq!(Code::find(""), None);
    assert!(explain("L0601").unwrap().contains("shorter than the distance"));
}

#[test]
fn all_diagnostics_come_in_one_run() {
    let text = "lariat = 2\n[shot]\nfps = 0\nframes = [9, 1]\n[[body]]\nname = 'a'\nmodel = 'spring'\nfrom = [0, 0]\nto = [nan, 0, 0]\ncoil = 3\n[[body]]\nname = 'a'\nmodel = 'loos-rope'\n";
    let checked = check(text.as_bytes(), &Limits::DEFAULT);
    let codes: Vec<&str> =
        checked.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect();
    assert_eq!(codes, ["L0221", "L0220", "L0217", "L0204", "L0201", "L0301", "L0207"]);
    assert!(checked.has_errors());
    assert_eq!(checked.content.unwrap().lowered.skipped, ["a", "a"]);
}

#[test]
fn a_single_edit_is_named_as_the_remedy_and_works() {
    let rope = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'suspended-rope'\nfrom = [0, 0, 1]\nto = [1, 0, 1]\n";
    for (field, remedy) in [
        ("length = -2", Some("set body[0].length = 2.0")),
        ("length = 2\naxes = 'chrd'", Some("set body[0].axes = \"chord\"")),
        ("length = 2\nlook = 'stel'", Some("set body[0].look = \"steel\"")),
        (
            "length = 2\ndynamics = { kind = 'strng' }",
            Some("set body[0].dynamics.kind = \"string\""),
        ),
        ("length = 2\nsamples = 1", Some("set body[0].samples = 2.0")),
        // Above 0 has no nearest value, and nothing is similar to this word.
        ("length = 0", None),
        ("length = 2\naxes = 'zebra'", None),
    ] {
        let mut read = crate::format::read(&format!("{rope}{field}\n")).unwrap();
        let (_, found) = lower(&read.document, &read.places, &Limits::DEFAULT);
        let [diagnostic] = &found[..] else { panic!("{field}: {found:#?}") };
        let edit = diagnostic.remedy.as_deref().map(Remedy::edit);
        let norm = |text: String| text.replace(".0", "");
        let named = edit.as_ref().map(|edit| norm(edit.to_string()));
        assert_eq!(named, remedy.map(|text| norm(text.to_owned())), "{field}");
        if let Some(edit) = edit {
            read.document.apply(&edit).unwrap();
            let (_, found) = lower(&read.document, &Places::none(), &Limits::DEFAULT);
            assert!(found.is_empty(), "{field}: {found:#?}");
        }
    }
}
