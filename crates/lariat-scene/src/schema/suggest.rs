//! "Did you mean": the nearest word among those that would have been right.

/// The candidate that a mistyped word most likely meant, if any is near enough.
///
/// Underscores and capitals are forgiven first (`Sag_Form`), then letters swapped, left out,
/// doubled or mistaken: one in three at most.
pub fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Longer words are no typing slips, and comparing them with every name would take long.
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
            // `freq` for `frequency`: an abbreviation is near, a slip of one letter nearer.
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
    fn slips_are_understood() {
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
