//! Formatting of numbers and names in messages: plurals, lists, sizes, escaped names.

/// Command that starts this program, for suggestions that can be pasted: `cargo lariat` if cargo
/// started it, otherwise `lariat`.
pub(crate) fn program() -> &'static str {
    // Cargo sets this for the programs that it runs, and for nothing else.
    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { "cargo lariat" } else { "lariat" }
}

/// `1 error`, `3 errors`, `0 bodies`, `2 keys`.
pub(crate) fn count(number: u64, one: &str) -> String {
    let many = match one.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{one}s"),
    };
    format!("{number} {}", if number == 1 { one } else { &many })
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn either<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// A name from a file as it is shown in a terminal ([`lariat_scene::printable`]).
pub(crate) fn shown(name: &str) -> String {
    lariat_scene::printable(name)
}

/// `812 bytes`, `3.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return count(bytes, "byte");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    // 1000.0 after rounding becomes 1.0 of the next unit.
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `0.84 s`, `0.004 s`: two decimals, three below a tenth.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{seconds:.3} s") } else { format!("{seconds:.2} s") }
}

/// A number with three significant digits: `0.0884`, `70700`.
pub(crate) fn three_digits(number: f64) -> String {
    // The shortest text of the rounded number.
    format!("{number:.2e}").parse::<f64>().unwrap_or(number).to_string()
}

/// A frame number, without decimals if it is whole.
pub(crate) fn frame(frame: f64) -> String {
    // The shortest text that reads back as the same number.
    format!("{frame}")
}

/// `frames 1–120 at 24 per second`.
pub(crate) fn shot(shot: &lariat_scene::lower::Shot) -> String {
    format!("frames {}–{} at {} per second", shot.first, shot.last, shot.rate)
}

/// Wraps text at spaces into lines of at most `width` characters; longer words are not split.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut room = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if length < room => {
                line.push(' ');
                line.push_str(word);
                room -= length + 1;
            }
            _ => {
                lines.push(word.to_owned());
                room = width.saturating_sub(length);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_english() {
        assert_eq!(count(0, "error"), "0 errors");
        assert_eq!(count(1, "body"), "1 body");
        assert_eq!(count(4, "body"), "4 bodies");
        assert_eq!(count(2, "key"), "2 keys");
    }

    #[test]
    fn sizes_have_units() {
        let sizes = [1, 999, 1000, 999_949, 999_950, 3_400_000, 5_000_000_000].map(size);
        assert_eq!(
            sizes,
            ["1 byte", "999 bytes", "1.0 kB", "999.9 kB", "1.0 MB", "3.4 MB", "5.0 GB"]
        );
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("left rein"), "left rein");
        assert_eq!(shown("верёвка"), "верёвка");
        assert_eq!(shown("a\u{1b}[31m\nb\u{9b}"), "a\\u{1b}[31m\\nb\\u{9b}");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("unbreakable it is", 4), ["unbreakable", "it", "is"]);
        assert_eq!(wrap("", 4), [""; 0]);
    }

    #[test]
    fn lists_end_with_or() {
        assert_eq!(either(["a"]), "a");
        assert_eq!(either(["a", "b", "c"]), "a, b or c");
    }
}
