//! Commands on the first page of the guide: they succeed or fail as shown, with the output shown.
//!
//! A document after `<!-- file: NAME -->` is written to that file; `NAME, with KEY = VALUE` writes
//! the last document again with one line replaced. Lines of a `console` block that start with `$`
//! are run, and the lines below are their output. Rendering is left to other tests.

use crate::harness::Folder;

/// The last document, with the line of `key` replaced.
fn replaced(document: &str, setting: &str) -> String {
    let key = setting.split(" = ").next().expect("a setting has a key");
    let line = |line: &str| {
        if line.starts_with(&format!("{key} =")) { setting.to_owned() } else { line.to_owned() }
    };
    document.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn the_first_page_of_the_guide_shows_true_output() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/ten-minutes.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
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
