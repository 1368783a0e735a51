//! Choice, recognition and standard texts of licences.
//!
//! Tests: `the_shortest_licence_of_a_choice_is_taken`, `licences_are_recognised_by_their_words`,
//! `copyright_lines_are_separated_from_the_text`,
//! `a_crate_without_a_file_gets_the_standard_text`.

/// A licence: its identifier, its title, and words that only its text contains.
struct Licence {
    id: &'static str,
    title: &'static str,
    words: &'static [&'static str],
}

/// Known licences: short texts with few conditions first, except that a text which contains the words
/// of another comes before it.
const PREFERRED: [Licence; 7] = [
    Licence { id: "Unicode-3.0", title: "Unicode licence v3", words: &["UNICODE LICENSE V3"] },
    Licence {
        id: "MIT",
        title: "MIT licence",
        words: &["Permission is hereby granted, free of charge"],
    },
    Licence {
        id: "ISC",
        title: "ISC licence",
        words: &["Permission to use, copy, modify, and/or distribute this software"],
    },
    Licence {
        id: "Zlib",
        title: "zlib licence",
        words: &["Altered source versions must be plainly marked"],
    },
    Licence {
        id: "BSD-3-Clause",
        title: "BSD licence, three clauses",
        words: &["Redistributions of source code must retain", "endorse or promote"],
    },
    Licence {
        id: "BSD-2-Clause",
        title: "BSD licence, two clauses",
        words: &["Redistributions of source code must retain"],
    },
    Licence {
        id: "Apache-2.0",
        title: "Apache licence 2.0",
        words: &["Apache License", "Version 2.0, January 2004", "Grant of Patent License"],
    },
];

/// Titles of texts that are no crate's licence.
const OTHERS: [(&str, &str); 2] = [
    ("SIL OPEN FONT LICENSE", "SIL open font licence"),
    ("Additional IP Rights Grant", "Additional grant of patent rights"),
];

const MIT: &str = include_str!("../../../LICENSE-MIT");
const APACHE: &str = include_str!("../../../LICENSE-APACHE");
const BSD_2: &str = include_str!("../../licences/bsd-2-clause.txt");

/// Text of a licence, with its copyright lines apart.
pub(super) struct Text {
    pub title: &'static str,
    /// Copyright lines at the beginning.
    pub holders: Vec<String>,
    pub body: String,
}

impl Text {
    /// Separates title and copyright lines at the beginning from the text.
    pub(super) fn of(text: &str) -> Self {
        let mut holders = Vec::new();
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            let line = line.trim();
            let lower = line.to_lowercase();
            // Titles are short: "MIT License", "The MIT License (MIT)".
            let is_title = line.len() < 40 && lower.contains("license") && lower.contains("mit");
            let is_rule = line.chars().all(|letter| "=-#".contains(letter));
            if lower.starts_with("copyright") || lower.starts_with("(c) ") {
                holders.push(line.to_owned());
            } else if !(is_title || is_rule || lower == "all rights reserved.") {
                break;
            }
            rest = after;
        }
        let lines: Vec<&str> = rest.lines().map(str::trim_end).collect();
        Self { title: title(text), holders, body: lines.join("\n") }
    }

    /// The words of the body, by which two texts are compared.
    pub(super) fn words(&self) -> String {
        let plain = self.body.replace(['"', '“', '”', '\'', '`', '*', '#'], "");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

impl Licence {
    fn is(&self, text: &str) -> bool {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.words.iter().all(|words| text.contains(words))
    }
}

/// Heading under which a text is listed.
fn title(text: &str) -> &'static str {
    let other = OTHERS.iter().find(|(words, _)| text.contains(words)).map(|(_, title)| *title);
    let known = || PREFERRED.iter().find(|licence| licence.is(text)).map(|licence| licence.title);
    other.or_else(known).unwrap_or("Other licence")
}

/// Returns the identifier of the licence that a text is.
pub(super) fn recognise(text: &str) -> Option<&'static str> {
    PREFERRED.iter().find(|licence| licence.is(text)).map(|licence| licence.id)
}

/// Licences of a crate by its expression, one of each choice; empty if one is unknown.
pub(super) fn chosen(expression: &str) -> Vec<&'static str> {
    let parts: Vec<Option<&'static str>> = expression
        .split(" AND ")
        .map(|choice| {
            let offered: Vec<&str> = choice
                .split([' ', '/', '(', ')'])
                .filter(|word| !matches!(*word, "" | "OR"))
                .collect();
            // An exception grants more than the licence; the plain one must be offered, too.
            let is_plain = |at: &usize| offered.get(at + 1) != Some(&"WITH");
            let ids: Vec<&str> =
                (0..offered.len()).filter(is_plain).map(|at| offered[at]).collect();
            PREFERRED.iter().map(|licence| licence.id).find(|id| ids.contains(id))
        })
        .collect();
    parts.into_iter().collect::<Option<_>>().unwrap_or_default()
}

/// Standard text of a licence, for crates that come without a file.
pub(super) fn standard(id: &str, authors: &[String]) -> Option<Text> {
    let mut text = match id {
        "MIT" => Text::of(MIT),
        "BSD-2-Clause" => Text::of(BSD_2),
        "Apache-2.0" => return Some(apache()),
        _ => return None,
    };
    let without_address =
        |author: &String| author.split(" <").next().unwrap_or_default().trim().to_owned();
    let names: Vec<String> = authors.iter().map(without_address).collect();
    text.holders = vec![format!("Copyright {}", names.join(", "))];
    (!names.is_empty()).then_some(text)
}

/// Apache licence, which names no holders.
pub(super) fn apache() -> Text {
    Text::of(APACHE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_licence_of_a_choice_is_taken() {
        assert_eq!(chosen("Apache-2.0 OR MIT"), ["MIT"]);
        assert_eq!(chosen("Apache-2.0/MIT"), ["MIT"]);
        assert_eq!(chosen("Zlib OR Apache-2.0"), ["Zlib"]);
        assert_eq!(chosen("(MIT OR Apache-2.0) AND Unicode-3.0"), ["MIT", "Unicode-3.0"]);
        assert_eq!(chosen("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT"), ["MIT"]);
        assert_eq!(chosen("GPL-3.0"), [""; 0]);
        assert_eq!(chosen("MIT AND GPL-3.0"), [""; 0]);
        assert_eq!(chosen("Apache-2.0 WITH LLVM-exception"), [""; 0]);
    }

    #[test]
    fn licences_are_recognised_by_their_words() {
        let font = include_str!("../../../crates/lariat-render/typeface/LICENSE.txt");
        assert_eq!(title(font), "SIL open font licence");
        assert_eq!(recognise(MIT), Some("MIT"));
        assert_eq!(recognise(APACHE), Some("Apache-2.0"));
        assert_eq!(recognise(BSD_2), Some("BSD-2-Clause"));
        assert_eq!(recognise(&format!("{BSD_2}to endorse or\npromote")), Some("BSD-3-Clause"));
        assert_eq!(recognise("Do as you like."), None);
    }

    #[test]
    fn copyright_lines_are_separated_from_the_text() {
        let text =
            "The MIT License (MIT)\n=====\n\nCopyright (c) 1997 R\n(c) 2001 C\n\nPermission\nis.\n";
        let text = Text::of(text);
        assert_eq!(text.holders, ["Copyright (c) 1997 R", "(c) 2001 C"]);
        assert_eq!(
            (text.body.as_str(), text.words().as_str()),
            ("Permission\nis.", "Permission is.")
        );
    }

    #[test]
    fn a_crate_without_a_file_gets_the_standard_text() {
        let authors = ["Ralf R <r@example.org>".to_owned(), "C".to_owned()];
        let text = standard("MIT", &authors).expect("a known licence");
        assert_eq!(
            (text.title, text.holders),
            ("MIT licence", vec!["Copyright Ralf R, C".to_owned()])
        );
        assert!(text.body.starts_with("Permission is hereby granted"), "{}", text.body);
        assert!(standard("MIT", &[]).is_none(), "nobody to name");
        assert!(standard("Zlib", &authors).is_none());
    }
}
