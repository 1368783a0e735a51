//! Names and numbers as people read them.
//!
//! Tests: `names_of_fields_are_words`, `numbers_have_as_many_digits_as_they_need`,
//! `messages_become_sentences`.

/// A name of the schema as words: `sag-form` is "Sag form".
pub(crate) fn words(name: &str) -> String {
    let mut words = name.replace(['-', '_'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// A number without needless digits; with a power of ten if it is very large or very small.
pub(crate) fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{:e}", format!("{value:.3e}").parse().unwrap_or(value));
    }
    let rounded = (value * 1e4).round() / 1e4;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// A number with three digits.
pub(crate) fn short(value: f64) -> String {
    number(format!("{value:.2e}").parse().unwrap_or(value))
}

/// A message of a diagnostic as a sentence on the screen: a capital letter, and no marks of code.
pub(crate) fn sentence(message: &str) -> String {
    let mut text = message.replace('`', "");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_words() {
        assert_eq!(words("sag-form"), "Sag form");
        assert_eq!(words(""), "");
        assert_eq!(words("école"), "école");
    }

    #[test]
    fn numbers_have_as_many_digits_as_they_need() {
        assert_eq!(number(4.0), "4");
        assert_eq!(number(1.0 / 3.0), "0.3333");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(9e8), "9e8");
        assert_eq!(number(0.000_2), "2e-4");
    }

    #[test]
    fn messages_become_sentences() {
        assert_eq!(sentence("rope `rein` is too short"), "Rope rein is too short");
    }
}
