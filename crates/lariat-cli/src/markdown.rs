//! Markdown pages for a terminal.
//!
//! Supports headings, paragraphs, lists, fenced examples and tables. Tables of parameters are too
//! wide for a terminal, so every row becomes an entry: name and type, with the description below.
//!
//! Tests: `a_page_is_wrapped_and_indented`, `rows_of_a_table_are_found`.

use std::fmt::Write as _;

use crate::words;

/// Maximum width of lines.
const MAX_WIDTH: usize = 92;

/// Width and colours of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    width: usize,
    colours: bool,
}

impl Style {
    /// Width of the terminal (`COLUMNS`), within bounds.
    pub(crate) fn new(colours: bool) -> Self {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self { width: columns.unwrap_or(MAX_WIDTH).clamp(40, MAX_WIDTH), colours }
    }

    fn bold(self, text: &str) -> String {
        if self.colours { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Renders a page as text.
pub(crate) fn render(page: &str, style: Style) -> String {
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                let _ = writeln!(out, "{}", format!("    {line}").trim_end());
            }
        } else if line.starts_with('#') {
            let _ = writeln!(out, "{}", style.bold(line.trim_start_matches('#').trim_start()));
        } else if line.starts_with('|') {
            let mut table = format!("{line}\n");
            while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                let _ = writeln!(table, "{line}");
            }
            out.push_str(&entries(&table, style));
        } else {
            let (mark, text) = match line.strip_prefix("* ").or_else(|| line.strip_prefix("- ")) {
                Some(item) => ("- ", item),
                None => ("", line),
            };
            paragraph(&mut out, mark, text, style.width);
        }
    }
    out
}

/// Wraps a paragraph; lines after the first are indented by the width of the mark.
fn paragraph(out: &mut String, mark: &str, text: &str, width: usize) {
    let mut lead = mark.to_owned();
    let lines = words::wrap(text, width.saturating_sub(mark.len()).max(20));
    if lines.is_empty() {
        out.push('\n');
    }
    for line in lines {
        let _ = writeln!(out, "{lead}{line}");
        lead = " ".repeat(mark.len());
    }
}

/// Renders a table of parameters as entries.
fn entries(table: &str, style: Style) -> String {
    let mut out = String::new();
    for row in rows(table) {
        let [name, takes, default, last] = row.as_slice() else { continue };
        let name = name.replace('`', "");
        let default = match default.as_str() {
            "none" => String::new(),
            "required" => "; required".to_owned(),
            default => format!("; default {default}"),
        };
        let _ = writeln!(out, "  {}: {takes}{default}", style.bold(&name));
        paragraph(&mut out, "      ", last, style.width);
    }
    out
}

/// Cells of the rows of a Markdown table, without its header.
pub(crate) fn rows(table: &str) -> Vec<Vec<String>> {
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let row = row.trim().trim_start_matches('|').trim_end_matches('|');
        row.split('|').map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use lariat_scene::{check::Code, schema};

    use super::*;

    const PLAIN: Style = Style { width: 40, colours: false };

    #[test]
    fn a_page_is_wrapped_and_indented() {
        let page = "# wave\n\nA wave that pushes the rope sideways, and again sideways.\n\n\
                    | parameter | value | default | description |\n|---|---|---|---|\n\
                    | `height` or `magnitude` | metres, or keys | required | How far it pushes the rope aside. |\n\
                    | `floor` | metres | none | How low. |\n\
                    | `turns` | turns | 0.5 turns | How far. |\n\n- one\n* two\n\n```lariat\na = 1\n\n# b\n```\n";
        let expected = "wave\n\nA wave that pushes the rope sideways,\nand again sideways.\n\n  \
                        height or magnitude: metres, or keys; required\n      How far it pushes the rope aside.\n  \
                        floor: metres\n      How low.\n  turns: turns; default 0.5 turns\n      How far.\n\n- one\n- two\n\n    a = 1\n\n    # b\n";
        assert_eq!(render(page, PLAIN), expected);
    }

    #[test]
    fn colours_are_only_for_terminals() {
        assert_eq!(render("# a\n", Style { colours: true, ..PLAIN }), "\x1b[1ma\x1b[0m\n");
        assert_eq!(render("# a\n", PLAIN), "a\n");
    }

    #[test]
    fn rows_of_a_table_are_found() {
        for record in schema::families().flat_map(|family| family.types) {
            let rows = rows(&schema::parameters(record));
            assert_eq!(rows.len(), record.fields.len(), "{}", record.name);
            for (row, field) in rows.iter().zip(record.fields) {
                assert_eq!(row.len(), 4, "{row:?}");
                assert!(row[0].starts_with(&format!("`{}`", field.name)), "{row:?}");
                assert_eq!(row[3], field.help);
            }
        }
    }

    #[test]
    fn no_line_of_a_page_is_too_wide() {
        let style = Style { width: 80, colours: false };
        for code in Code::ALL {
            let text = render(code.page(), style);
            let example = |line: &&str| !line.starts_with("    ");
            let wide = text.lines().filter(example).find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{code}");
        }
    }
}
