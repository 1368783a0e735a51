//! Construction of the document tree and its positions from the events of `toml_parser`.
//!
//! The builder keeps a path to the table of the last header, and a stack of open lists and inline
//! tables. The document and the positions grow in parallel, with the same indices. When a list or
//! inline table is complete, its positions are stored in the array of [`Places`].
//!
//! A long file is lexed in chunks, which bounds the memory for tokens. After any error it is parsed
//! again in one chunk, so chunks do not affect the result. Only if the tokens of a file with errors
//! would take more memory than allowed, the errors of the first chunk that has any are reported.
//!
//! The rules for duplicate tables are those of `toml_edit`; a test compares both on mutated files.

use std::{borrow::Cow, sync::Arc};

use toml_parser::{
    ErrorSink, Raw, Source,
    decoder::{Encoding, ScalarKind},
    lexer::Token,
    parser::{EventReceiver, ValidateWhitespace, parse_document},
};

use super::{
    chunks::{Chunks, Resumed},
    node::{Below, Duplicate, Name, Node, descend, into_table, open_table_node, put},
    survey::Survey,
    syntax::SyntaxErrors,
    unclosed::unclosed,
};
use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::{ChildKind, Children, Element, Form, Place, Places, Span},
    value::{MAX_DEPTH, Table, Value},
};

/// Size of a chunk in tokens. They take about 400 kB and stay in the cache.
const CHUNK: usize = 16 * 1024;

/// Builds the tree of a text, or returns all errors.
pub(super) fn build(text: &str) -> Result<(Table, Places), Vec<Diagnostic>> {
    build_within(text, &Survey::of(text), u64::MAX)
}

/// As [`build`], for a text that was surveyed. `memory` is the limit on its memory in bytes.
pub(super) fn build_within(
    text: &str,
    survey: &Survey,
    memory: u64,
) -> Result<(Table, Places), Vec<Diagnostic>> {
    let built = build_in_chunks(text, survey, CHUNK);
    // A vector that grows can have twice the needed capacity, next to the half that it had before.
    let tokens = 3 * (survey.tokens * size_of::<Token>()) as u64;
    if built.is_ok() || survey.tokens < CHUNK || survey.memory + tokens > memory {
        return built;
    }
    build_in_chunks(text, survey, usize::MAX)
}

pub(super) fn build_in_chunks(
    text: &str,
    survey: &Survey,
    chunk: usize,
) -> Result<(Table, Places), Vec<Diagnostic>> {
    let mut builder = Builder::new(text, survey);
    let mut errors = SyntaxErrors::default();
    let source = Source::new(text);
    let mut chunks = Chunks::new(source, chunk);
    while let Some(chunk) = chunks.next()
        && errors.is_empty()
    {
        let mut receiver = Resumed::new(&mut builder, &chunk);
        let mut receiver = ValidateWhitespace::new(&mut receiver, source);
        parse_document(chunk.tokens, &mut receiver, &mut errors);
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
        diagnostics = build_in_chunks(&rest, &Survey::of(&rest), chunk).err().unwrap_or_default();
        diagnostics.extend(unclosed);
    }
    diagnostics.sort_by_key(Diagnostic::span);
    Err(diagnostics)
}

/// Maximum number of diagnostics of a builder, to bound the memory for malicious files.
const MAX_DIAGNOSTICS: usize = 1000;

/// Positions of the elements of an open list.
enum ListPlaces {
    /// Numbers, texts and switches so far.
    Scalars(Vec<Span>),
    Elements(Vec<Element>),
}

impl ListPlaces {
    fn push(&mut self, place: &Place) {
        let (span, children) = (place.span, place.children());
        match self {
            Self::Scalars(spans) if children == Children::default() => spans.push(span),
            Self::Scalars(spans) => {
                let mut elements = Vec::with_capacity(spans.capacity());
                elements
                    .extend(spans.iter().map(|span| Element { span: *span, ..Element::default() }));
                elements.push(Element { span, children });
                *self = Self::Elements(elements);
            }
            Self::Elements(elements) => elements.push(Element { span, children }),
        }
    }
}

/// An open list or inline table.
enum Open {
    List {
        start: Span,
        values: Vec<Value>,
        places: ListPlaces,
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
    survey: &'i Survey,
    names: Vec<Arc<str>>,
    /// Most recent name of each hash bucket.
    recent: Vec<u32>,
    root: Table,
    nodes: Vec<Node>,
    places: Places,
    /// Empty arrays for reuse.
    spare: Vec<Vec<Node>>,
    spare_spans: Vec<Span>,
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
    fn new(text: &'i str, survey: &'i Survey) -> Self {
        Self {
            text,
            survey,
            names: Vec::new(),
            recent: vec![u32::MAX; BUCKETS],
            root: Table::new(),
            nodes: Vec::new(),
            places: Places::default(),
            spare: Vec::new(),
            spare_spans: Vec::new(),
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
        self.spare.clear();
        self.places.fields.reserve_exact(count(&nodes));
        root = root.with_children(store(&mut self.places.fields, &mut self.spare, nodes));
        (self.root, Places { root, names: self.names, ..self.places })
    }

    /// Stores the positions of the elements of a list.
    fn store_list(&mut self, places: ListPlaces) -> Children {
        fn append<T>(all: &mut Vec<T>, mut more: Vec<T>, kind: ChildKind) -> (Children, Vec<T>) {
            if more.is_empty() {
                return (Children::default(), more);
            }
            let (first, count) = (all.len() as u32, more.len() as u32);
            all.append(&mut more);
            (Children { first, count, kind }, more)
        }
        match places {
            ListPlaces::Scalars(spans) => {
                let (children, spare) = append(&mut self.places.scalars, spans, ChildKind::Scalar);
                if spare.capacity() < 1024 {
                    self.spare_spans = spare;
                }
                children
            }
            ListPlaces::Elements(elements) => {
                append(&mut self.places.elements, elements, ChildKind::Element).0
            }
        }
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
            Some(Open::List { values, places, .. }) => {
                values.push(value);
                places.push(&node.place);
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
                node.below = Below::Elements(Box::new(vec![element()]));
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
                        // Headers add to the last element only.
                        if let Some(before) = elements.last_mut() {
                            store_below(&mut self.places.fields, &mut self.spare, before);
                        }
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
        let (start, value, children) = match self.open.pop() {
            Some(Open::List { start, mut values, places }) => {
                // The length of a long list was known, except for a comma at its end.
                if values.capacity() > values.len() + 1 {
                    values.shrink_to_fit();
                }
                (start, Value::List(values), self.store_list(places))
            }
            Some(Open::Table { start, mut table, nodes, .. }) => {
                table.shrink();
                let children = store(&mut self.places.fields, &mut self.spare, nodes);
                (start, Value::Table(table), children)
            }
            Some(Open::Refused) | None => return,
        };
        let place = Place { span: start.to(end), ..Place::default() };
        self.finish(value, place.with_children(children));
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

    fn raw(&self, span: toml_parser::Span, encoding: Option<Encoding>) -> Option<Raw<'i>> {
        let text = self.text.get(span.start()..span.end())?;
        Some(Raw::new_unchecked(text, encoding, span))
    }
}

/// Stores positions in an array, children first. Empty arrays go to `spare`.
fn store(fields: &mut Vec<Place>, spare: &mut Vec<Vec<Node>>, mut nodes: Vec<Node>) -> Children {
    if nodes.is_empty() {
        return Children::default();
    }
    for node in &mut nodes {
        store_below(fields, spare, node);
    }
    let (first, count) = (fields.len() as u32, nodes.len() as u32);
    fields.extend(nodes.drain(..).map(|node| node.place));
    if spare.len() < MAX_DEPTH && nodes.capacity() < 1024 {
        spare.push(nodes);
    }
    Children { first, count, kind: ChildKind::Field }
}

/// Stores the positions in a node, to which nothing can be added any more.
fn store_below(fields: &mut Vec<Place>, spare: &mut Vec<Vec<Node>>, node: &mut Node) {
    match std::mem::replace(&mut node.below, Below::Done) {
        Below::Done => {}
        Below::Fields(below) | Below::Elements(below) => {
            node.place = node.place.with_children(store(fields, spare, *below));
        }
    }
}

/// Number of nodes, with those in them.
fn count(nodes: &[Node]) -> usize {
    let inside = |node: &Node| match &node.below {
        Below::Done => 0,
        Below::Fields(below) | Below::Elements(below) => count(below),
    };
    nodes.len() + nodes.iter().map(inside).sum::<usize>()
}

fn own(span: toml_parser::Span) -> Span {
    Span::new(span.start(), span.end())
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        (self.header, self.after_dot) = (own(span), false);
        self.key.clear();
        self.open.clear();
    }

    fn std_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.start_table(own(span), false);
    }

    fn array_table_open(&mut self, span: toml_parser::Span, error: &mut dyn ErrorSink) {
        self.std_table_open(span, error);
    }

    fn array_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.start_table(own(span), true);
    }

    fn inline_table_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let start = own(span);
        self.after_dot = false;
        self.may_open(start) && {
            let (table, nodes, key) = (Table::new(), self.spare(), Vec::new());
            self.open.push(Open::Table { start, table, nodes, key });
            true
        }
    }

    fn inline_table_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(own(span));
    }

    fn array_open(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) -> bool {
        let start = own(span);
        self.may_open(start) && {
            let mut spans = std::mem::take(&mut self.spare_spans);
            let mut values = Vec::new();
            if let Some(length) = self.survey.long_list(span.start()) {
                values.reserve_exact(length);
                spans.reserve_exact(length);
            }
            self.open.push(Open::List { start, values, places: ListPlaces::Scalars(spans) });
            true
        }
    }

    fn array_close(&mut self, span: toml_parser::Span, _: &mut dyn ErrorSink) {
        self.close(own(span));
    }

    fn simple_key(
        &mut self,
        span: toml_parser::Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) {
        let Some(raw) = self.raw(span, encoding) else { return };
        let span = own(span);
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
        let span = own(span);
        if self.depth() > MAX_DEPTH {
            return self.too_deep(span);
        }
        let value = match kind {
            ScalarKind::String => Value::Text(decoded.into()),
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
