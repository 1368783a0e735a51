//! Names and numbers as people read them.
//!
//! Tests: `names_of_fields_are_words`, `numbers_have_as_many_digits_as_they_need`.

/// A name of the schema as words: `sag-form` is "Sag form".
pub(crate) fn words(name: &str) -> String {
    let mut words = name.replace(['-', '_'], " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// A number without needless digits.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
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
    }
}
