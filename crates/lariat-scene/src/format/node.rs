//! Nodes of a tree under construction, and TOML's rules about duplicate names.
//!
//! A table can be created by a header, implicitly by a longer header, by dotted names, or inline. How
//! it was created determines what may be added to it.

use std::sync::Arc;

use crate::{
    check::{Code, Diagnostic},
    path::Path,
    place::{Form, Place, Span},
    value::{Table, Value},
};

/// A name: its text, its index among all names, and its position.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) id: u32,
    pub(super) span: Span,
}

/// Position of a value, and the nodes in it while more can be added.
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) below: Below,
}

#[expect(clippy::box_collection, reason = "most nodes are done: a box takes a third of a list")]
pub(super) enum Below {
    /// Empty, or already stored.
    Done,
    /// Fields of an open table.
    Fields(Box<Vec<Node>>),
    /// Elements of a list of headers.
    Elements(Box<Vec<Node>>),
}

/// Creates the node of an open table.
pub(super) fn open_table_node(form: Form, span: Span, name_span: Span, name: u32) -> Node {
    let place = Place { span, name_span, name, form, ..Place::default() };
    Node { place, below: Below::Fields(Box::default()) }
}

/// A duplicate name.
pub(super) struct Duplicate {
    name: Arc<str>,
    here: Span,
    before: Span,
    what: &'static str,
}

impl Duplicate {
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

/// Follows a path of names, creating missing tables.
pub(super) fn descend<'t>(
    mut table: &'t mut Table,
    mut nodes: &'t mut Vec<Node>,
    path: &[Name],
    making: Form,
) -> Result<(&'t mut Table, &'t mut Vec<Node>), Duplicate> {
    for name in path {
        let position = table.position(&name.text).unwrap_or_else(|| {
            table.push_new(name.text.clone(), Value::Table(Table::new()));
            push(nodes, open_table_node(making, name.span, name.span, name.id));
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
            return Err(Duplicate::new(name, &node.place));
        }
        match into_table(table.at_mut(position), node) {
            Some(next) => (table, nodes) = next,
            None => unreachable!("every form but Inline holds tables"),
        }
    }
    Ok((table, nodes))
}

/// Adds a new field to a table.
pub(super) fn put(
    table: &mut Table,
    nodes: &mut Vec<Node>,
    name: &Name,
    value: Value,
    node: Node,
) -> Result<(), Duplicate> {
    if let Some(position) = table.position(&name.text) {
        return Err(Duplicate::new(name, &nodes[position].place));
    }
    table.push_new(name.text.clone(), value);
    push(nodes, node);
    Ok(())
}

/// Adds a node to those of a table.
pub(super) fn push(nodes: &mut Vec<Node>, node: Node) {
    if nodes.capacity() == 0 {
        // A vector has room for four otherwise, and tables with one name are common.
        nodes.reserve_exact(1);
    }
    nodes.push(node);
}
