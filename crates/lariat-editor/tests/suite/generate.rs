//! Random edits of a document, and random sequences of operations.

use lariat_scene::{Document, Edit, Path, Step, Table, Thing, Value};
use proptest::{prelude::*, sample::Index};

/// Random number, usually an ordinary one.
pub(crate) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (-20..60).prop_map(f64::from),
        4 => -5.0..5.0,
        1 => prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
    ]
}

/// Random finite value.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        5 => number().prop_map(Value::Number),
        1 => any::<bool>().prop_map(Value::Switch),
        1 => prop::sample::select(vec!["rein", "hand", "barrel", "loose-rope", "#ff8800", "cycle"])
            .prop_map(Value::from),
        1 => ".{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            1 => prop::collection::vec((".{0,4}", inner.clone()), 0..4)
                .prop_map(|fields| Value::Table(fields.into_iter().collect())),
            1 => inner.prop_map(|value| Value::Table(Table::new().with(
                "keys",
                vec![Value::List(vec![Value::from(1), value])],
            ))),
        ]
    })
}

/// Choice of an edit; it becomes one for a given document.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    kind: u8,
    pick: Index,
    other: Index,
    name: String,
    value: Value,
}

pub(crate) fn choice() -> impl Strategy<Value = Choice> {
    let name = prop_oneof![
        prop::sample::select(vec!["rein", "lead", "hand", "length", "swing", "height", "x y"])
            .prop_map(str::to_owned),
        ".{1,4}",
    ];
    (any::<u8>(), any::<Index>(), any::<Index>(), name, value())
        .prop_map(|(kind, pick, other, name, value)| Choice { kind, pick, other, name, value })
}

impl Choice {
    /// The edit in a document; it may fail.
    pub(crate) fn edit(&self, document: &Document) -> Edit {
        let all = paths(document);
        let value = self.value.clone();
        if all.is_empty() {
            return Edit::Set { path: Path::root().field(&*self.name), value };
        }
        let path = self.pick.get(&all).clone();
        let lists: Vec<&Path> = all
            .iter()
            .filter(|path| document.get(path).and_then(Value::list).is_some_and(|l| !l.is_empty()))
            .collect();
        let list = (!lists.is_empty()).then(|| (*self.pick.get(&lists)).clone());
        let length =
            |list: &Path| document.get(list).and_then(Value::list).map_or(0, <[Value]>::len);
        match (self.kind % 10, list) {
            (0, _) => Edit::Set { path, value },
            (1, _) => match document.get(&path) {
                Some(Value::Table(_)) => Edit::Set { path: path.field(&*self.name), value },
                _ => Edit::Set { path, value },
            },
            (2, _) => {
                let fields: Vec<&Path> = all
                    .iter()
                    .filter(|path| matches!(path.steps().last(), Some(Step::Field(_))))
                    .collect();
                Edit::Unset { path: (*self.pick.get(&fields)).clone() }
            }
            (3, Some(list)) => {
                let index = self.other.index(length(&list) + 1);
                Edit::Insert { list, index, value }
            }
            (4, Some(list)) => {
                let index = self.other.index(length(&list));
                Edit::Remove { list, index }
            }
            (5, Some(list)) => {
                let (from, to) = (self.pick.index(length(&list)), self.other.index(length(&list)));
                Edit::Move { list, from, to }
            }
            (6, _) => {
                let thing = Thing::ALL[self.other.index(Thing::ALL.len())];
                let names: Vec<&str> = document.names(thing).collect();
                let from = match names.is_empty() {
                    true => self.name.clone(),
                    false => (*self.pick.get(&names)).to_owned(),
                };
                Edit::Rename { thing, from, to: self.name.clone() }
            }
            (7, _) => {
                Edit::SetKey { channel: path, frame: self.other.index(60) as f64 / 2.0, value }
            }
            (8, _) => Edit::RemoveKey { channel: path, frame: self.other.index(60) as f64 },
            _ => {
                let set = Edit::Set { path: path.clone(), value };
                Edit::Batch(vec![set.clone(), Edit::Batch(vec![Edit::Unset { path }]), set])
            }
        }
    }
}

/// Paths of all values in a document.
fn paths(document: &Document) -> Vec<Path> {
    fn collect(value: &Value, path: &Path, out: &mut Vec<Path>) {
        out.push(path.clone());
        match value {
            Value::List(list) => {
                for (index, value) in list.iter().enumerate() {
                    collect(value, &path.clone().index(index), out);
                }
            }
            Value::Table(table) => {
                for (name, value) in table.iter() {
                    collect(value, &path.clone().field(name), out);
                }
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    for (name, value) in document.root.iter() {
        collect(value, &Path::root().field(name), &mut out);
    }
    out
}

/// One operation of an editor.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Apply(Choice),
    Begin,
    Preview(Choice),
    Extend(Choice),
    Commit,
    Cancel,
    Undo(usize),
    Redo(usize),
    Save,
}

pub(crate) fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let one = prop_oneof![
        4 => choice().prop_map(Operation::Apply),
        3 => Just(Operation::Begin),
        4 => choice().prop_map(Operation::Preview),
        2 => choice().prop_map(Operation::Extend),
        3 => Just(Operation::Commit),
        1 => Just(Operation::Cancel),
        3 => (1..4_usize).prop_map(Operation::Undo),
        2 => (1..4_usize).prop_map(Operation::Redo),
        1 => Just(Operation::Save),
    ];
    prop::collection::vec(one, 0..24)
}
