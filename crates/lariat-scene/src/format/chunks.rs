//! Tokens of a file in chunks, each of which is a document of its own to the parser.
//!
//! The parser of `toml_parser` takes all tokens at once, and the tokens of `[1,1,…]` take 24 times
//! the memory of their text. So a file is lexed in chunks, which end after a line, or after a comma in
//! a list or inline table. A chunk that starts within lists and tables begins with tokens that open
//! them again, and one that ends within them has tokens that close them; the events of both are
//! dropped by [`Resumed`].
//!
//! After an error the parser may skip tokens to the end of a value, which a chunk may not contain.
//! So the caller parses a file with errors again, in one chunk if memory permits.
//!
//! Tests: `chunks_do_not_change_the_result`.

use toml_parser::{
    ErrorSink, Source, Span,
    decoder::Encoding,
    lexer::{Lexer, Token, TokenKind},
    parser::EventReceiver,
};

use crate::value::MAX_DEPTH;

/// Tokens of a file, chunk by chunk.
pub(super) struct Chunks<'i> {
    lexer: Lexer<'i>,
    tokens: Vec<Token>,
    /// Opening brackets without their partner so far.
    open: Vec<TokenKind>,
    /// Number of tokens after which a chunk ends at the next opportunity.
    size: usize,
    at_end: bool,
}

/// One chunk.
pub(super) struct Chunk<'c> {
    pub(super) tokens: &'c [Token],
    /// Number of tokens at its beginning that open lists and tables again.
    reopened: usize,
    /// End of its last token in the file, if tokens follow that close lists and tables.
    end: Option<usize>,
}

impl<'i> Chunks<'i> {
    pub(super) fn new(source: Source<'i>, size: usize) -> Self {
        let tokens = Vec::with_capacity(size.min(source.input().len() / 3));
        Self { lexer: source.lex(), tokens, open: Vec::new(), size, at_end: false }
    }

    /// Returns the next chunk.
    pub(super) fn next(&mut self) -> Option<Chunk<'_>> {
        if self.at_end {
            return None;
        }
        self.tokens.clear();
        let reopened = self.reopen();
        let mut end = None;
        loop {
            let Some(token) = self.lexer.next() else {
                self.at_end = true;
                break;
            };
            self.tokens.push(token);
            match token.kind() {
                TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                    self.open.push(token.kind());
                }
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                    self.open.pop();
                }
                _ => {}
            }
            if self.tokens.len() - reopened < self.size {
                continue;
            }
            match token.kind() {
                TokenKind::Newline if self.open.is_empty() => break,
                TokenKind::Comma if (1..=MAX_DEPTH).contains(&self.open.len()) => {
                    end = Some(token.span().end());
                    self.close();
                    break;
                }
                _ => {}
            }
        }
        Some(Chunk { tokens: &self.tokens, reopened, end })
    }

    /// Adds tokens that open the open lists and tables; returns their number.
    fn reopen(&mut self) -> usize {
        let mut text = String::new();
        let mut named = true;
        for bracket in &self.open {
            let is_list = *bracket == TokenKind::LeftSquareBracket;
            text += if named { "k=" } else { "" };
            text += if is_list { "[" } else { "{" };
            named = !is_list;
        }
        if !text.is_empty() {
            self.tokens.extend(Source::new(&text).lex().filter(|t| t.kind() != TokenKind::Eof));
        }
        self.tokens.len()
    }

    /// Adds tokens that close the open lists and tables.
    fn close(&mut self) {
        let is_list = |bracket: &TokenKind| *bracket == TokenKind::LeftSquareBracket;
        let text: String = self
            .open
            .iter()
            .rev()
            .map(|bracket| if is_list(bracket) { ']' } else { '}' })
            .collect();
        self.tokens.extend(Source::new(&text).lex());
    }
}

/// Receiver of the events of a chunk, without those of the added tokens.
pub(super) struct Resumed<'r, R> {
    receiver: &'r mut R,
    /// Number of events to drop. Each of the tokens that open lists and tables gives one.
    reopening: usize,
    end: Option<usize>,
    /// Whether the last token of the chunk in the file has been received.
    at_end: bool,
}

impl<'r, R: EventReceiver> Resumed<'r, R> {
    pub(super) fn new(receiver: &'r mut R, chunk: &Chunk<'_>) -> Self {
        Self { receiver, reopening: chunk.reopened, end: chunk.end, at_end: false }
    }

    /// Receiver of the next event, unless it is dropped.
    fn next(&mut self) -> Option<&mut R> {
        match self.reopening.checked_sub(1) {
            Some(left) => {
                self.reopening = left;
                None
            }
            None if self.at_end => None,
            None => Some(self.receiver),
        }
    }
}

impl<R: EventReceiver> EventReceiver for Resumed<'_, R> {
    fn std_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.std_table_open(span, error));
    }
    fn std_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.std_table_close(span, error));
    }
    fn array_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.array_table_open(span, error));
    }
    fn array_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.array_table_close(span, error));
    }
    fn inline_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.next().is_none_or(|receiver| receiver.inline_table_open(span, error))
    }
    fn inline_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.inline_table_close(span, error));
    }
    fn array_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.next().is_none_or(|receiver| receiver.array_open(span, error))
    }
    fn array_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.array_close(span, error));
    }
    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.simple_key(span, encoding, error));
    }
    fn key_sep(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.key_sep(span, error));
    }
    fn key_val_sep(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.key_val_sep(span, error));
    }
    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.scalar(span, encoding, error));
    }
    fn value_sep(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.next().into_iter().for_each(|receiver| receiver.value_sep(span, error));
        self.at_end |= self.end == Some(span.end());
    }
}
