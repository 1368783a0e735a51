//! Construction of the document tree and its positions from the events of `toml_parser`.
//!
//! The builder keeps a path to the table of the last header, and a stack of open lists and inline
//! tables. The document and the positions grow in parallel, with the same indices. When a list or
//! inline table is complete, its positions are stored in the array of [`Places`].
//!
//! A long file is lexed in chunks that start at headers, which bounds the memory for tokens. If a
//! boundary falls within a list or a string, the chunk has an error; after any error the whole file is
//! parsed at once. So chunks affect only speed, not the result.
//!
//! The rules for duplicate tables are those of `toml_edit`; a test compares both on mutated files.

use std::{borrow::Cow, sync::Arc};

use toml_parser::{
    ErrorSink, Raw, Source,
    decoder::{Encoding, ScalarKind},
    parser::{EventReceiver, ValidateWhitespace, parse_document},
};

use super::{
    node::{Below, Duplicate, Name, Node, descend, into_table, open_table_node, put},
    syntax::SyntaxErrors,
    unclosed::unclosed,
};
use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::{Form, Place, Places, Span},
    value::{MAX_DEPTH, Table, Value},
};

/// Size of a chunk in bytes. Its tokens take about a megabyte and stay in the cache.
const CHUNK: usize = 64 * 1024;

/// Builds the tree of a text, or returns all errors.
pub(super) fn build(text: &str) -> Result<(Table, Places), Vec<Diagnostic>> {
    match build_in_chunks(text, CHUNK) {
        Err(_) if text.len() > CHUNK => build_in_chunks(text, usize::MAX),
        result => result,
    }
}

pub(super) fn build_in_chunks(
    text: &str,
    chunk: usize,
) -> Result<(Table, Places), Vec<Diagnostic>> {
    let mut builder = Builder::new(text);
    let mut errors = SyntaxErrors::default();
    let mut start = 0;
    while start < text.len() {
        let end = next_boundary(text, start.saturating_add(chunk));
        let source = Source::new(&text[start..end]);
        let tokens = source.lex().into_vec();
        builder.start = start;
        let mut receiver = ValidateWhitespace::new(&mut builder, source);
        parse_document(&tokens, &mut receiver, &mut errors);
        start = end;
    }
    let mut diagnostics = errors.diagnostics(text);
    let invalid_syntax = !diagnostics.is_empty();
    diagnostics.append(&mut builder.diagnostics);
    if diagnostics.is_empty() {
        return Ok(builder.finish_all());
    }
    // After an unclosed bracket the parser misreads everything that follows, so the rest is parsed
    // without that value.
    if let Some((unclosed, rest)) = unclosed(text).filter(|_| invalid_syntax) {
        diagnostics = build_in_chunks(&rest, chunk).err().unwrap_or_default();
        diagnostics.extend(unclosed);
    }
    diagnostics.sort_by_key(Diagnostic::span);
    Err(diagnostics)
}

/// Start of the first line at or after `from` that looks like a header.
fn next_boundary(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        let Some(newline) = bytes[at..].iter().position(|byte| *byte == b'\n') else { break };
        let line = at + newline + 1;
        let header = match bytes[line..] {
            [b'[', b'[', first, ..] | [b'[', first, ..] => first.is_ascii_alphabetic(),
            _ => false,
        };
        if header {
            return line;
        }
        at = line;
    }
    bytes.len()
}

/// Maximum number of diagnostics of a builder, to bound the memory for malicious files.
const MAX_DIAGNOSTICS: usize = 1000;

/// An open list or inline table.
enum Open {
    List {
        start: Span,
        values: Vec<Value>,
        nodes: Vec<Node>,
    },
    Table {
        start: Span,
        table: Table,
        nodes: Vec<Node>,
        key: Vec<Name>,
    },
    /// Nested too deeply: its content is skipped.
    Refused,
}

struct Builder<'i> {
    text: &'i str,
    /// Start of the current chunk.
    start: usize,
    names: Vec<Arc<str>>,
    /// Most recent name of each hash bucket.
    recent: Vec<u32>,
    root: Table,
    nodes: Vec<Node>,
    all: Vec<Place>,
    /// Empty arrays for reuse.
    spare: Vec<Vec<Node>>,
    /// Path from the root to the table of the last header: positions in tables; in a list of headers
    /// the last element is meant.
    cursor: Vec<usize>,
    /// Length of the path of that table.
    header_depth: usize,
    /// Whether the header was invalid and its fields are dropped.
    lost: bool,
    open: Vec<Open>,
    /// Dotted name at the start of a line or in a header.
    key: Vec<Name>,
    after_dot: bool,
    header: Span,
    diagnostics: Vec<Diagnostic>,
}

/// Number of hash buckets of [`Builder::recent`].
const BUCKETS: usize = 512;

impl<'i> Builder<'i> {
    fn new(text: &'i str) -> Self {
        Self {
            text,
            start: 0,
            names: Vec::new(),
            recent: vec![u32::MAX; BUCKETS],
            root: Table::new(),
            nodes: Vec::new(),
            all: Vec::with_capacity(text.len() / 8),
            spare: Vec::new(),
            cursor: Vec::new(),
            header_depth: 0,
            lost: false,
            open: Vec::new(),
            key: Vec::new(),
            after_dot: false,
            header: Span::default(),
            diagnostics: Vec::new(),
        }
    }

    fn finish_all(mut self) -> (Table, Places) {
        let mut root = Place { form: Form::Header, ..Place::default() };
        let nodes = std::mem::take(&mut self.nodes);
        (root.first, root.count) = self.store(nodes);
        (self.root, Places { root, all: self.all, names: self.names })
    }

    /// Stores positions in the array, children first; returns the index of the first and the count.
    fn store(&mut self, mut nodes: Vec<Node>) -> (u32, u32) {
        for node in &mut nodes {
            match std::mem::replace(&mut node.below, Below::Done) {
                Below::Done => {}
                Below::Fields(below) | Below::Elements(below) => {
                    (node.place.first, node.place.count) = self.store(below);
                }
            }
        }
        let (first, count) = (self.all.len() as u32, nodes.len() as u32);
        self.all.extend(nodes.drain(..).map(|node| node.place));
        self.spare.push(nodes);
        (first, count)
    }

    fn spare(&mut self) -> Vec<Node> {
        self.spare.pop().unwrap_or_default()
    }

    fn find(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    fn too_deep(&mut self, span: Span) {
        self.find(
            Diagnostic::new(
                Code::NestedTooDeep,
                format!("values are nested more than {MAX_DEPTH} levels deep"),
            )
            .label(Some(span), Path::root(), format!("this would be level {}", MAX_DEPTH + 1))
            .help("look for a bracket that is not closed"),
        );
    }

    /// Length of the path of the current value.
    fn depth(&self) -> usize {
        let keys: usize = self
            .open
            .iter()
            .map(|open| if let Open::Table { key, .. } = open { key.len() } else { 1 })
            .sum();
        self.header_depth + self.key.len() + keys
    }

    /// Interns a name. Names repeat often, so the most recent one of its bucket usually matches.
    fn name(&mut self, raw: Raw<'i>, span: Span, error: &mut dyn ErrorSink) -> Name {
        let mut decoded = Cow::Borrowed("");
        raw.decode_key(&mut decoded, error);
        let bytes = decoded.as_bytes();
        let bucket = match bytes {
            [] => 0,
            [first, .., last] => usize::from(*first) + 7 * usize::from(*last) + 31 * bytes.len(),
            [only] => usize::from(*only),
        } % BUCKETS;
        if let Some(known) = self.names.get(self.recent[bucket] as usize)
            && **known == *decoded
        {
            return Name { text: known.clone(), id: self.recent[bucket], span };
        }
        let text: Arc<str> = Arc::from(decoded);
        let id = self.names.len() as u32;
        self.recent[bucket] = id;
        self.names.push(text.clone());
        Name { text, id, span }
    }

    /// Adds a complete value to its parent.
    fn finish(&mut self, value: Value, place: Place) {
        let mut node = Node { place, below: Below::Done };
        let result = match self.open.last_mut() {
            Some(Open::Refused) => Ok(()),
            Some(Open::List { values, nodes, .. }) => {
                values.push(value);
                nodes.push(node);
                Ok(())
            }
            Some(Open::Table { table, nodes, key, .. }) => match key.split_last() {
                Some((name, path)) => {
                    (node.place.name_span, node.place.name) = (name.span, name.id);
                    let result = descend(table, nodes, path, Form::Dotted)
                        .and_then(|(table, nodes)| put(table, nodes, name, value, node));
                    key.clear();
                    result
                }
                None => Ok(()),
            },
            None if self.lost => Ok(()),
            None => {
                let mut key = std::mem::take(&mut self.key);
                let result = match key.split_last() {
                    Some((name, path)) => {
                        (node.place.name_span, node.place.name) = (name.span, name.id);
                        let (table, nodes) = self.current();
                        descend(table, nodes, path, Form::Dotted)
                            .and_then(|(table, nodes)| put(table, nodes, name, value, node))
                    }
                    None => Ok(()),
                };
                key.clear();
                self.key = key;
                result
            }
        };
        if let Err(duplicate) = result {
            self.find(duplicate.diagnostic());
        }
    }

    /// Table of the last header.
    fn current(&mut self) -> (&mut Table, &mut Vec<Node>) {
        let (mut table, mut nodes) = (&mut self.root, &mut self.nodes);
        for position in &self.cursor {
            (table, nodes) = into_table(table.at_mut(*position), &mut nodes[*position])
                .unwrap_or_else(|| unreachable!("the cursor only passes tables"));
        }
        (table, nodes)
    }

    fn start_table(&mut self, close: Span, list: bool) {
        self.lost = true;
        let key = std::mem::take(&mut self.key);
        let Some((name, path)) = key.split_last() else { return };
        let span = self.header.to(close);
        self.cursor.clear();
        self.header_depth = 0;
        if key.len() > MAX_DEPTH {
            return self.too_deep(name.span);
        }
        self.lost = false;
        if let Err(duplicate) = self.open_table(path, name, span, list) {
            self.lost = true;
            self.find(duplicate.diagnostic());
        }
    }

    /// Moves the cursor to the table of a header, creating it if necessary.
    fn open_table(
        &mut self,
        path: &[Name],
        name: &Name,
        span: Span,
        list: bool,
    ) -> Result<(), Duplicate> {
        let (table, nodes) = descend(&mut self.root, &mut self.nodes, path, Form::Implied)?;
        let element = || {
            let (name, id) = if list { (name.span, u32::MAX) } else { (name.span, name.id) };
            open_table_node(Form::Header, span, name, id)
        };
        match (table.position(&name.text), list) {
            (None, false) => {
                table.push_new(name.text.clone(), Value::Table(Table::new()));
                nodes.push(element());
            }
            (None, true) => {
                table.push_new(name.text.clone(), Value::List(vec![Value::Table(Table::new())]));
                let mut node = open_table_node(Form::Headers, span, name.span, name.id);
                node.below = Below::Elements(vec![element()]);
                nodes.push(node);
            }
            (Some(position), false) => {
                let place = &mut nodes[position].place;
                if place.form != Form::Implied {
                    return Err(Duplicate::new(name, place));
                }
                (place.form, place.span, place.name_span) = (Form::Header, span, name.span);
            }
            (Some(position), true) => {
                let Node { place, below } = &mut nodes[position];
                match (table.at_mut(position), below) {
                    (Value::List(values), Below::Elements(elements)) => {
                        values.push(Value::Table(Table::new()));
                        elements.push(element());
                    }
                    _ => return Err(Duplicate::new(name, place)),
                }
            }
        }
        // Computes the positions of the cursor now that the table exists.
        let mut table = &self.root;
        for one in path.iter().chain([name]) {
            let Some(position) = table.position(&one.text) else { return Ok(()) };
            self.cursor.push(position);
            self.header_depth += 1;
            match table.entry(position) {
                Some((_, Value::Table(next))) => table = next,
                Some((_, Value::List(list))) => match list.last() {
                    Some(Value::Table(next)) => {
                        self.header_depth += 1;
                        table = next;
                    }
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
        if self.header_depth > MAX_DEPTH {
            self.lost = true;
            self.too_deep(name.span);
        }
        Ok(())
    }

    fn close(&mut self, end: Span) {
        let (start, value, nodes) = match self.open.pop() {
            Some(Open::List { start, values, nodes }) => (start, Value::List(values), nodes),
            Some(Open::Table { start, table, nodes, .. }) => (start, Value::Table(table), nodes),
            Some(Open::Refused) | None => return,
        };
        let (first, count) = self.store(nodes);
        self.finish(value, Place { span: start.to(end), first, count, ..Place::default() });
    }

    /// Checks the depth of a new list or table.
    fn may_open(&mut self, span: Span) -> bool {
        if matches!(self.open.last(), Some(Open::Refused)) {
            self.open.push(Open::Refused);
            return false;
        }
        if self.depth() > MAX_DEPTH {
            self.too_deep(span);
            self.open.push(Open::Refused);
            return false;
        }
        true
    }

    /// Converts a position in the chunk to one in the file.
    fn own(&self, span: toml_parser::Span) -> Span {
        Span::new(self.start + span.start(), self.start + span.end())
    }

    fn raw(&self, span: toml_parser::Span, encoding: Option<Encoding>) -> Option<Raw<'i>> {
        let text = self.text.get(self.own(span).range())?;
        Some(Raw::new_unchecked(text, encoding, span))
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        (self.header, self.after_dot) = (self.own(span), false);
        self.key.clear();
        self.open.clear();
    }

    fn std_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.start_table(self.own(span), false);
    }

    fn array_table_open(&mut self, span: toml_parser::Span, error: &mut dyn ErrorSink) {
        self.std_table_open(span, error);
    }

    fn array_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.start_table(self.own(span), true);
    }

    fn inline_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let start = self.own(span);
        self.after_dot = false;
        self.may_open(start) && {
            let (table, nodes, key) = (Table::new(), self.spare(), Vec::new());
            self.open.push(Open::Table { start, table, nodes, key });
            true
        }
    }

    fn inline_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(self.own(span));
    }

    fn array_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let start = self.own(span);
        self.may_open(start) && {
            let nodes = self.spare();
            self.open.push(Open::List { start, values: Vec::new(), nodes });
            true
        }
    }

    fn array_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(self.own(span));
    }

    fn simple_key(
        &mut self,
        span: toml_parser::Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) {
        let Some(raw) = self.raw(span, encoding) else { return };
        let span = self.own(span);
        let name = self.name(raw, span, error);
        let continues = std::mem::take(&mut self.after_dot);
        let key = match self.open.last_mut() {
            None => &mut self.key,
            Some(Open::Table { key, .. }) => key,
            Some(_) => return,
        };
        if !continues {
            key.clear();
        }
        if key.len() < MAX_DEPTH {
            key.push(name);
        }
        if self.depth() > MAX_DEPTH {
            self.too_deep(span);
            // Its tables are not built; a short name keeps the rest parsable.
            match self.open.last_mut() {
                Some(Open::Table { key, .. }) => key.truncate(1),
                _ => self.key.truncate(1),
            }
        }
    }

    fn key_sep(&mut self, _: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.after_dot = true;
    }

    fn scalar(
        &mut self,
        span: toml_parser::Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) {
        let Some(raw) = self.raw(span, encoding) else { return };
        let mut decoded = Cow::Borrowed("");
        let kind = raw.decode_scalar(&mut decoded, error);
        let span = self.own(span);
        if self.depth() > MAX_DEPTH {
            return self.too_deep(span);
        }
        let value = match kind {
            ScalarKind::String => Value::Text(decoded.into_owned()),
            ScalarKind::Boolean(switch) => Value::Switch(switch),
            // Errors have been reported by the decoder.
            ScalarKind::Float => Value::Number(decoded.parse().unwrap_or(0.0)),
            ScalarKind::Integer(radix) => match i64::from_str_radix(&decoded, radix.value()) {
                Ok(number) => Value::Number(number as f64),
                Err(_) => {
                    self.find(
                        Diagnostic::new(
                            Code::IntegerTooLarge,
                            format!("the whole number {decoded} is too large"),
                        )
                        .label(Some(span), Path::root(), "beyond ±9,223,372,036,854,775,807")
                        .help(format!("write it as a float: {decoded}.0")),
                    );
                    Value::Number(0.0)
                }
            },
            ScalarKind::DateTime => {
                let text = raw.as_str();
                self.find(
                    Diagnostic::new(Code::DateValue, format!("`{text}` is a date or a time"))
                        .label(Some(span), Path::root(), "dates are not allowed")
                        .help(format!("for text, add quotes: \"{text}\"")),
                );
                Value::Number(0.0)
            }
        };
        self.finish(value, Place { span, ..Place::default() });
    }
}
