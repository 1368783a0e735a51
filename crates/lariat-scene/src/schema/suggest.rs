//! "Did you mean": the most similar valid name, and names of former format versions, which have
//! little similarity with the current ones.
//!
//! Tests: `typing_errors_are_corrected`, `former_names_lead_to_current_ones`.

use super::RecordType;

/// Former names of fields, each with the current one.
const RENAMED: [(&str, &str); 4] = [
    ("made-of", "material"),
    ("material", "look"),
    ("calm", "overshoot-penalty"),
    ("calm", "segment-damping"),
];

/// Finds the field of a record that had this name in a former version of the format.
pub(crate) fn renamed(name: &str, record: &RecordType) -> Option<&'static str> {
    let now = RENAMED.iter().filter(|(former, _)| *former == name).map(|(_, now)| *now);
    now.into_iter().find(|now| record.field(now).is_some())
}

/// Advice about a setting of version 1 that no field of today replaces.
pub(crate) fn removed(name: &str, record: &RecordType) -> Option<&'static str> {
    let paper = "it is a setting of version 1; remove it, or set `method = \"published\"` for the method of the paper";
    match (record.name, name) {
        ("string", "length-by" | "bend-by" | "plastic-by") => Some(paper),
        ("spline-rope", "elasticity" | "hold-by" | "knots") => Some(paper),
        _ => None,
    }
}

/// Advice about a word of version 1 that no word of today replaces.
pub(crate) fn removed_word(field: &str, word: &str) -> Option<&'static str> {
    match (field, word) {
        ("twist-by", "averaged") => Some(
            "averaged twist belongs to `method = \"published\"`: set that, and remove `twist-by`",
        ),
        ("method", "explicit" | "semi-implicit" | "local-global") => Some(
            "it is a method of version 1; set `method = \"published\"` for the method of the paper, or remove it",
        ),
        _ => None,
    }
}

/// Current choices that replace a choice of a former version.
pub(crate) fn renamed_words(word: &str) -> &'static [&'static str] {
    match word {
        "nylon" => &["nylon-rope", "nylon-line"],
        "rubber-cord" => &["rubber"],
        _ => &[],
    }
}

/// Returns the candidate most similar to a misspelt word, if one is similar enough.
///
/// Case, underscores and spaces do not matter (`Sag_Form`). Up to one letter in three may be
/// swapped, missing, added or wrong.
pub fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Longer words are not misspelt names, and slow to compare.
    const LONGEST: usize = 40;
    if word.len() > LONGEST {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace(['_', ' '], "-");
    let word = plain(word);
    let most = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = plain(candidate);
        let distance = if other == word {
            0
        } else if word.len() >= 3 && (other.starts_with(&word) || word.starts_with(&other)) {
            // `freq` for `frequency`: an abbreviation is similar, a single wrong letter more so.
            if other.len() >= 3 { 2.min(most) } else { continue }
        } else {
            strsim::damerau_levenshtein(&word, &other)
        };
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_lead_to_current_ones() {
        let now = |record: &str, name| renamed(name, crate::schema::find(record).unwrap());
        assert_eq!(now("suspended-rope", "material"), Some("look"));
        assert_eq!(now("spline-rope", "made-of"), Some("material"));
        assert_eq!(now("string", "calm"), Some("segment-damping"));
        assert_eq!(now("wiggle", "calm"), Some("overshoot-penalty"));
        assert_eq!(now("wave", "calm"), None);
        assert_eq!(renamed_words("nylon"), ["nylon-rope", "nylon-line"]);
        for (record, name) in [("string", "length-by"), ("spline-rope", "hold-by")] {
            let record = crate::schema::find(record).unwrap();
            assert!(removed(name, record).unwrap().contains("`method = \"published\"`"));
            assert!(record.field(name).is_none());
        }
        assert_eq!(removed("hold-by", crate::schema::find("string").unwrap()), None);
        assert!(removed_word("twist-by", "averaged").is_some());
        assert!(
            removed_word("method", "explicit").is_some_and(|advice| advice.contains("published"))
        );
        assert_eq!(removed_word("twist-by", "torque"), None);
    }

    #[test]
    fn typing_errors_are_corrected() {
        let names = ["length", "sag", "sag-form", "swing", "sway", "frequency", "colour"];
        for (word, meant) in [
            ("lenght", Some("length")),
            ("Length", Some("length")),
            ("sag_form", Some("sag-form")),
            ("swign", Some("swing")),
            ("freq", Some("frequency")),
            ("color", Some("colour")),
            ("sga", Some("sag")),
            ("elephant", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(did_you_mean(word, names), meant, "{word}");
        }
        assert_eq!(did_you_mean(&"length".repeat(1000), names), None);
    }
}
