//! The nodes of a tree that is being built, and TOML's rules about naming things twice.
//!
//! A table can be made by a header, by the way of a longer header, by dotted names, or inline;
//! who made it decides who may add to it.

use std::sync::Arc;

use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::{Form, Place, Span},
    value::{Table, Value},
};

/// A name that was read: its text, its number among all names, and where it stands.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) id: u32,
    pub(super) span: Span,
}

/// A value's place, and the places in it as long as more can be added.
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) below: Below,
}

pub(super) enum Below {
    /// Nothing, or all laid down already.
    Done,
    /// Fields of a table that can grow.
    Fields(Vec<Node>),
    /// Elements of a list of headers.
    Elements(Vec<Node>),
}

/// A table that more can be added to.
pub(super) fn growing(form: Form, span: Span, name_span: Span, name: u32) -> Node {
    let place = Place { span, name_span, name, form, ..Place::default() };
    Node { place, below: Below::Fields(Vec::new()) }
}

/// A name that is taken.
pub(super) struct Twice {
    name: Arc<str>,
    here: Span,
    before: Span,
    what: &'static str,
}

impl Twice {
    pub(super) fn new(name: &Name, before: &Place) -> Self {
        let what = match before.form {
            Form::Headers => "a list of tables",
            Form::Header | Form::Implied | Form::Dotted => "a table",
            Form::Inline => "a value",
        };
        Self { name: name.text.clone(), here: name.span, before: before.name_span, what }
    }

    pub(super) fn diagnostic(self) -> Diagnostic {
        let Self { name, here, before, what } = self;
        Diagnostic::new(Code::DuplicateKey, format!("`{name}` is given twice in one table"))
            .label(Some(here), Path::root(), "given again here")
            .label(Some(before), Path::root(), format!("already {what} here"))
            .help(if what == "a list of tables" {
                format!("write `[[{name}]]` for another element of the list")
            } else {
                format!("remove one of the two, or rename it; a list of tables is `[[{name}]]`")
            })
    }
}

/// Steps into a table, or into the last table of a list of headers.
pub(super) fn into_table<'t>(
    value: &'t mut Value,
    node: &'t mut Node,
) -> Option<(&'t mut Table, &'t mut Vec<Node>)> {
    match (value, &mut node.below) {
        (Value::Table(table), Below::Fields(nodes)) => Some((table, nodes)),
        (Value::List(values), Below::Elements(elements)) => {
            into_table(values.last_mut()?, elements.last_mut()?)
        }
        _ => None,
    }
}

/// Walks down the names, making the tables that are not there yet.
pub(super) fn descend<'t>(
    mut table: &'t mut Table,
    mut nodes: &'t mut Vec<Node>,
    path: &[Name],
    making: Form,
) -> Result<(&'t mut Table, &'t mut Vec<Node>), Twice> {
    for name in path {
        let position = table.position(&name.text).unwrap_or_else(|| {
            table.push_new(name.text.clone(), Value::Table(Table::new()));
            nodes.push(growing(making, name.span, name.span, name.id));
            table.len() - 1
        });
        let node = &mut nodes[position];
        let dotted = making == Form::Dotted;
        let allowed = match node.place.form {
            Form::Inline => false,
            Form::Header | Form::Headers => !dotted,
            Form::Dotted => true,
            Form::Implied => {
                if dotted {
                    node.place.form = Form::Dotted;
                }
                true
            }
        };
        if !allowed {
            return Err(Twice::new(name, &node.place));
        }
        match into_table(table.at_mut(position), node) {
            Some(next) => (table, nodes) = next,
            None => unreachable!("every form but Inline holds tables"),
        }
    }
    Ok((table, nodes))
}

/// Adds a field to a table that must not have it yet.
pub(super) fn put(
    table: &mut Table,
    nodes: &mut Vec<Node>,
    name: &Name,
    value: Value,
    node: Node,
) -> Result<(), Twice> {
    if let Some(position) = table.position(&name.text) {
        return Err(Twice::new(name, &nodes[position].place));
    }
    table.push_new(name.text.clone(), value);
    nodes.push(node);
    Ok(())
}
