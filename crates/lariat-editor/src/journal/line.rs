//! One line of a journal: the checksum in 16 hexadecimal digits, a space, the content.
//!
//! The checksum of a line continues that of the line before, so a line that is missing, repeated or
//! from another journal is noticed.
//!
//! Tests: `a_line_reads_back`, `a_missing_line_is_noticed`.

use lariat_core::num::fnv::Fnv64;

/// State of the checksum after a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain(u64);

impl Chain {
    fn after(self, content: &[u8]) -> Self {
        let mut hash = Fnv64::new();
        hash.bytes(self.0.to_le_bytes());
        hash.bytes(content.iter().copied());
        Self(hash.finish())
    }
}

/// Appends a line; returns the state of the checksum after it.
pub(super) fn push_line(text: &mut String, chain: Chain, content: &str) -> Chain {
    debug_assert!(!content.contains('\n'), "a line of a journal is one line");
    let next = chain.after(content.as_bytes());
    text.push_str(&format!("{:016x} {content}\n", next.0));
    next
}

/// Reads the first line of a journal, or of its remainder.
///
/// Returns its content, the state of the checksum, and the remainder; or the reason why the line is
/// not complete.
pub(super) fn next_line(bytes: &[u8], chain: Chain) -> Result<(&str, Chain, &[u8]), &'static str> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        return Err("the line is not complete");
    };
    let Some((digits, content)) =
        bytes[..end].split_at_checked(16).and_then(|(d, rest)| Some((d, rest.strip_prefix(b" ")?)))
    else {
        return Err("the line has no checksum");
    };
    let next = chain.after(content);
    if digits != format!("{:016x}", next.0).as_bytes() {
        return Err("the checksum does not match");
    }
    match std::str::from_utf8(content) {
        Ok(content) => Ok((content, next, &bytes[end + 1..])),
        Err(_) => Err("the line is not UTF-8 text"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        let mut text = String::new();
        let chain = push_line(&mut text, Chain::default(), "undo 1");
        let (content, next, rest) = next_line(text.as_bytes(), Chain::default()).unwrap();
        assert_eq!((content, next, rest.len()), ("undo 1", chain, 0));
        for cut in 0..text.len() {
            assert!(next_line(&text.as_bytes()[..cut], Chain::default()).is_err(), "{cut}");
        }
    }

    #[test]
    fn a_missing_line_is_noticed() {
        let mut text = String::new();
        let mut chain = Chain::default();
        for line in ["undo 1", "undo 1", "redo 1"] {
            chain = push_line(&mut text, chain, line);
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let without = lines[0].to_owned() + lines[2];
        let (_, chain, rest) = next_line(without.as_bytes(), Chain::default()).unwrap();
        assert_eq!(next_line(rest, chain), Err("the checksum does not match"));
    }
}
