//! USD identifiers: ASCII letters, digits and underscores, unique.
//!
//! Newer USD accepts any script, but not every tool that opens the file does, so prim names are
//! plain ASCII and the original name is stored as `lariat:name`.

use std::collections::{BTreeMap, BTreeSet};

/// One identifier per name. A name that is a valid identifier is kept; in others invalid characters
/// become `_`, and collisions are numbered.
pub(crate) fn identifiers<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut taken: BTreeSet<String> =
        names.clone().filter(|name| plain(name) == **name).map(String::from).collect();
    let mut kept = BTreeSet::new();
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    names
        .map(|name| {
            let base = plain(name);
            if base == name && kept.insert(base.clone()) {
                return base;
            }
            if taken.insert(base.clone()) {
                return base;
            }
            let number = numbers.entry(base.clone()).or_insert(1);
            loop {
                *number += 1;
                let numbered = format!("{base}_{number}");
                if taken.insert(numbered.clone()) {
                    return numbered;
                }
            }
        })
        .collect()
}

/// Replaces all characters but letters, digits and underscores.
fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 1);
    // An identifier is not empty and does not start with a digit.
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    out.extend(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<String> {
        identifiers(names.iter().copied())
    }

    #[test]
    fn valid_names_are_kept() {
        assert_eq!(of(&["rein", "_x", "Rope_2"]), ["rein", "_x", "Rope_2"]);
    }

    #[test]
    fn other_characters_become_underscores() {
        assert_eq!(
            of(&["left rein", "2nd", "", "тур", "a-b"]),
            ["left_rein", "_2nd", "_", "___", "a_b"]
        );
    }

    #[test]
    fn colliding_names_are_numbered_and_valid_ones_are_kept() {
        assert_eq!(
            of(&["a b", "a-b", "a_b", "a_b_2", "a.b"]),
            ["a_b_3", "a_b_4", "a_b", "a_b_2", "a_b_5"]
        );
    }

    #[test]
    fn equal_names_become_unique() {
        assert_eq!(of(&["rope", "rope", "rope"]), ["rope", "rope_2", "rope_3"]);
    }

    #[test]
    fn a_hundred_thousand_colliding_names_are_fast() {
        let names: Vec<String> = (0..100_000).map(|i| format!("é{}", "-".repeat(i % 3))).collect();
        let all = identifiers(names.iter().map(String::as_str));
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
