//! Sizes of a text, counted before its tree is built.
//!
//! The memory of a tree depends on the number of its values, not on the size of its file: a number in
//! a list can take two bytes of text. So the tokens of a long text are counted first. The counts give
//! an upper bound of the memory, and the lengths of long lists, whose arrays then need not grow.
//!
//! Tests: `memory_stays_below_the_limit`.

use toml_parser::{Source, lexer::TokenKind};

use crate::value::MAX_DEPTH;

/// Length from which a list is long. Growing shorter arrays wastes little memory.
const LONG: u32 = 1024;

/// Size in bytes up to which a text is not surveyed, because it cannot take much memory.
const SMALL: usize = 64 * 1024;

/// Bytes of memory per byte of a text, at most: `[[[…]]]` has a value for every two bytes.
const WORST: u64 = 160;

/// Memory of any text: tokens of a chunk, diagnostics.
const ANY: u64 = 2 * 1024 * 1024;
/// Memory of a value: itself, its position, its share of growing arrays, and its lowered form.
const VALUE: u64 = 96;
/// Memory of a value in a long list, whose array does not grow.
const ELEMENT: u64 = 44;
/// Memory of a list or table, in addition to that of a value: heap blocks and capacity.
const CONTAINER: u64 = 64;
/// Memory of a name: interned, in a table and its index, with its position.
const NAME: u64 = 192;
/// Memory of a heap block, in addition to its content.
const BLOCK: u64 = 32;

/// Sizes of a text.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Upper bound of the memory of its tree in bytes.
    pub(super) memory: u64,
    /// Number of values; at most, for a short text.
    pub(super) values: u64,
    /// Number of tokens; at most, for a short text.
    pub(super) tokens: usize,
    /// Start and length of each long list, in the order of the text.
    long_lists: Vec<(u32, u32)>,
}

impl Survey {
    /// Counts the tokens of a text.
    pub(super) fn of(text: &str) -> Self {
        if text.len() <= SMALL {
            let bytes = text.len() as u64;
            return Self {
                memory: ANY + WORST * bytes,
                values: bytes / 2,
                tokens: text.len() + 1,
                ..Self::default()
            };
        }
        let mut survey = Self::default();
        // Start and number of commas of each open list, and the number of lists in the deepest.
        let (mut open, mut deeper): (Vec<(u32, u32)>, u64) = (Vec::new(), 0);
        let (mut containers, mut names, mut words, mut in_long, mut content) = (0, 0, 0, 0, 0);
        // Dots since the last separator: of a float, or of a name if an `=` follows.
        let mut dots = 0;
        let (mut in_value, mut in_word) = (false, false);
        for token in Source::new(text).lex() {
            survey.tokens += 1;
            let was_in_word = std::mem::replace(&mut in_word, false);
            match token.kind() {
                TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                    containers += 1;
                    dots = 0;
                    if open.len() < MAX_DEPTH {
                        open.push((token.span().start() as u32, 0));
                    } else {
                        deeper += 1;
                    }
                }
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                    if !in_value {
                        // The end of a header.
                        names += 1 + std::mem::take(&mut dots);
                    }
                    if deeper > 0 {
                        deeper -= 1;
                        continue;
                    }
                    // A list can end with a comma, so it has one more or equally many elements.
                    let closed = open.pop().filter(|(_, commas)| *commas >= LONG);
                    if let Some((start, commas)) = closed {
                        in_long += u64::from(commas);
                        survey.long_lists.push((start, commas + 1));
                    }
                }
                TokenKind::Comma => {
                    dots = 0;
                    if let Some((_, commas)) = open.last_mut() {
                        *commas += 1;
                    }
                }
                TokenKind::Newline => {
                    dots = 0;
                    in_value &= !open.is_empty();
                }
                TokenKind::Equals => {
                    names += 1 + std::mem::take(&mut dots);
                    in_value = true;
                }
                TokenKind::Dot => {
                    dots += 1;
                    in_word = true;
                }
                TokenKind::Atom => {
                    words += u64::from(!was_in_word);
                    in_word = true;
                }
                TokenKind::LiteralString
                | TokenKind::BasicString
                | TokenKind::MlLiteralString
                | TokenKind::MlBasicString => {
                    words += u64::from(!was_in_word);
                    content += token.span().len() as u64 + BLOCK;
                }
                _ => {}
            }
        }
        survey.long_lists.sort_unstable();
        let values = containers + words;
        survey.values = values;
        let in_long = in_long.min(values);
        survey.memory = ANY
            + (values - in_long) * VALUE
            + in_long * ELEMENT
            + containers * CONTAINER
            + names * NAME
            + content;
        survey
    }

    /// Number of elements of the list that starts at a byte, if it is long; perhaps one more.
    pub(super) fn long_list(&self, start: usize) -> Option<usize> {
        let at = self.long_lists.binary_search_by_key(&start, |(start, _)| *start as usize).ok()?;
        Some(self.long_lists[at].1 as usize)
    }
}
