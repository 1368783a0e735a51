//! Letters and digits of five by seven dots, for text in pictures.
//!
//! Built in, so that text needs no font file and no licence and has exact pixels. Lower-case
//! letters are drawn as capitals.
//!
//! Tests: `letters_differ`, `words_are_as_wide_as_their_dots`.

/// Dots from one letter to the next.
pub(crate) const PITCH: u32 = 6;

/// Height of a letter in dots.
pub(crate) const HEIGHT: u32 = 7;

/// Width of a text, in dots.
pub(crate) fn width(text: &str) -> u32 {
    (text.chars().count() as u32 * PITCH).saturating_sub(1)
}

/// Dots of a text, as columns and rows from its top left.
pub(crate) fn dots(text: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    text.chars().enumerate().flat_map(|(k, letter)| {
        let rows = glyph(letter.to_ascii_uppercase());
        (0..HEIGHT).flat_map(move |y| {
            let row = rows[y as usize];
            let inked = (0..5u32).filter(move |x| row >> (4 - x) & 1 == 1);
            inked.map(move |x| (k as u32 * PITCH + x, y))
        })
    })
}

/// Rows from the top, five dots each, the leftmost in the highest bit.
fn glyph(letter: char) -> [u8; 7] {
    match letter {
        '0' => [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        '1' => [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        '2' => [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        '3' => [0b11111, 0b00010, 0b00100, 0b00110, 0b00001, 0b10001, 0b01110],
        '4' => [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        '5' => [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        '6' => [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        '7' => [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
        '8' => [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        '9' => [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        'A' => [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        'B' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
        'C' => [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
        'D' => [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
        'E' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
        'F' => [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
        'G' => [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01110],
        'H' => [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        'I' => [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        'J' => [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
        'K' => [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
        'L' => [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        'M' => [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
        'N' => [0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001],
        'O' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        'P' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
        'Q' => [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101],
        'R' => [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        'S' => [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        'T' => [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
        'U' => [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        'V' => [0b10001, 0b10001, 0b10001, 0b01010, 0b01010, 0b01010, 0b00100],
        'W' => [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
        'X' => [0b10001, 0b01010, 0b01010, 0b00100, 0b01010, 0b01010, 0b10001],
        'Y' => [0b10001, 0b01010, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
        'Z' => [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111],
        '-' => [0, 0, 0, 0b01110, 0, 0, 0],
        '.' => [0, 0, 0, 0, 0, 0b01100, 0b01100],
        ',' => [0, 0, 0, 0, 0b00110, 0b00100, 0b01000],
        '%' => [0b11001, 0b11010, 0b00010, 0b00100, 0b01000, 0b01011, 0b10011],
        '/' => [0b00001, 0b00010, 0b00010, 0b00100, 0b01000, 0b01000, 0b10000],
        '+' => [0, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0],
        ':' => [0, 0b01100, 0b01100, 0, 0b01100, 0b01100, 0],
        '(' => [0b00010, 0b00100, 0b01000, 0b01000, 0b01000, 0b00100, 0b00010],
        ')' => [0b01000, 0b00100, 0b00010, 0b00010, 0b00010, 0b00100, 0b01000],
        '°' => [0b01100, 0b10010, 0b10010, 0b01100, 0, 0, 0],
        '²' => [0b01100, 0b10010, 0b00100, 0b01000, 0b11110, 0, 0],
        '±' => [0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0, 0b11111],
        '=' => [0, 0, 0b11111, 0, 0b11111, 0, 0],
        '<' => [0b00010, 0b00100, 0b01000, 0b10000, 0b01000, 0b00100, 0b00010],
        '>' => [0b01000, 0b00100, 0b00010, 0b00001, 0b00010, 0b00100, 0b01000],
        '[' => [0b01110, 0b01000, 0b01000, 0b01000, 0b01000, 0b01000, 0b01110],
        ']' => [0b01110, 0b00010, 0b00010, 0b00010, 0b00010, 0b00010, 0b01110],
        '_' => [0, 0, 0, 0, 0, 0, 0b11111],
        '\'' => [0b00100, 0b00100, 0b01000, 0, 0, 0, 0],
        _ => [0; 7],
    }
}

/// Whether the typeface has every character of a text.
#[cfg(test)]
pub(crate) fn has_all(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || glyph(c.to_ascii_uppercase()) != [0; 7])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_differ() {
        let all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.,%/+:()°²±=<>[]_' ";
        let glyphs: std::collections::BTreeSet<_> = all.chars().map(glyph).collect();
        assert_eq!(glyphs.len(), all.chars().count());
    }

    #[test]
    fn words_are_as_wide_as_their_dots() {
        for text in ["M", "12.5", "HEMP"] {
            let widest = dots(text).map(|(x, _)| x).max();
            assert!(widest.is_some_and(|x| x < width(text)), "{text}");
        }
        assert_eq!((width(""), width("MM")), (0, 11));
        assert_eq!(dots("m").count(), dots("M").count());
    }
}
