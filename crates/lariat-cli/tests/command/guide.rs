//! Commands and their output in the guide.
//!
//! On the first page, a document after `<!-- file: NAME -->` is written to that file; `NAME, with
//! KEY = VALUE` writes the last document again with one line replaced. Lines of a `console` block
//! that start with `$` are run, and the lines below are their output. Rendering is left to other
//! tests.

use crate::harness::Folder;

/// Text of a page below `docs/guide/`.
fn page(name: &str) -> String {
    let path = format!("{}/../../docs/guide/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The first block of a kind on a page.
fn first_block<'p>(page: &'p str, kind: &str) -> &'p str {
    let (_, from) = page.split_once(&format!("```{kind}\n")).expect("the page has such a block");
    from.split_once("```").expect("the block ends").0
}

/// A document with the line of a setting replaced.
fn replaced(document: &str, setting: &str) -> String {
    let key = setting.split(" = ").next().expect("a setting has a key");
    let line = |line: &str| {
        if line.starts_with(&format!("{key} =")) { setting.to_owned() } else { line.to_owned() }
    };
    document.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn the_first_page_of_the_guide_shows_true_output() {
    let page = page("ten-minutes.md");
    let folder = Folder::new();
    let (mut file, mut document, mut compared) = (None, String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("<!-- file: ") {
            let name = name.trim_end_matches(" -->");
            match name.split_once(", with ") {
                Some((name, setting)) => folder.write(name, replaced(&document, setting)),
                None => file = Some(name),
            }
            continue;
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if kind == "lariat"
            && let Some(name) = file.take()
        {
            document = block.join("\n") + "\n";
            folder.write(name, &document);
        }
        if kind != "console" {
            continue;
        }
        let (first, shown) = block.split_first().expect("a console block has a command");
        let command = first.strip_prefix("$ cargo lariat ").expect("it runs the program");
        assert!(!command.starts_with("render"), "{command}: rendering is too slow for this test");
        let ran = folder.run(command);
        if shown.is_empty() {
            ran.expect(0);
        } else {
            assert_eq!(ran.out.trim_end(), shown.join("\n"), "{command}\n{}", ran.err);
            compared += 1;
        }
    }
    assert!(compared >= 3, "only {compared} outputs: is the page still there?");
}

#[test]
fn the_first_page_of_the_guide_quotes_the_starter() {
    let starter = Folder::new().run("new -").expect(0).out;
    for line in first_block(&page("ten-minutes.md"), "toml").lines() {
        assert!(starter.lines().any(|written| written == line), "no line `{line}`:\n{starter}");
    }
}

#[test]
fn the_sample_diagnostic_of_the_guide_is_true() {
    let folder = Folder::new();
    let starter = folder.run("new -").expect(0).out;
    folder.write("swing.lariat", replaced(&starter, "length = 2.5"));
    let ran = folder.run("check swing.lariat").expect(1);
    let sample = first_block(&page("reference/codes.md"), "text").to_owned();
    assert!(ran.out.starts_with(&sample), "{sample}\n{}", ran.out);
}

#[test]
fn the_sample_game_of_the_guide_is_true() {
    let ran = Folder::new().run("play twist --auto --skill 0.9 --seed 1").expect(0);
    assert_eq!(ran.out, first_block(&page("play.md"), "text"));
}
