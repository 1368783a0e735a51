//! Shared code of the tests: a sample document, and generators of random values, documents and edits.

use proptest::prelude::*;

use crate::{
    document::{Document, Thing},
    edit::Edit,
    path::{Path, Step},
    value::{Table, Value},
};

/// Sample document with all kinds of things, and with comments.
pub(crate) const SAMPLE: &str = include_str!("testing.lariat");

pub(crate) fn sample() -> Document {
    crate::format::read(SAMPLE).expect("the sample is a document").document
}

/// Random name, usually one of the schema.
pub(crate) fn name() -> impl Strategy<Value = String> {
    let known: Vec<&'static str> = crate::schema::names_in_order().into_iter().flatten().collect();
    prop_oneof![
        6 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "[a-z]{1,3}",
        1 => ".{0,4}",
    ]
}

/// Random text, usually a word with a meaning.
fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "rein",
            "hand",
            "barrel",
            "floor",
            "lead",
            "loose-rope",
            "spring",
            "half-sine",
            "wave",
            "clamp",
            "#ff8800",
            "24000/1001",
            "cycle",
            "free",
            "bezier",
        ])
        .prop_map(str::to_owned),
        ".{0,6}",
    ]
}

/// Random finite number, usually an ordinary one.
pub(crate) fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-50..50).prop_map(f64::from),
        4 => -10.0..10.0,
        1 => prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
        1 => prop::sample::select(vec![0.0, 1.0, 1e100, 1e300, -1e9, 9_007_199_254_740_993.0]),
    ]
}

/// Random value without NaN or infinity.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => number().prop_map(Value::Number),
        1 => any::<bool>().prop_map(Value::Switch),
        2 => words().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            2 => table_of(inner.clone()).prop_map(Value::Table),
            1 => prop::collection::vec((number(), inner), 0..4).prop_map(|keys| {
                let keys: Vec<Value> = keys
                    .into_iter()
                    .map(|(frame, value)| Value::List(vec![Value::Number(frame), value]))
                    .collect();
                Value::Table(Table::new().with("keys", keys))
            }),
        ]
    })
}

fn table_of(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Table> {
    prop::collection::vec((name(), inner), 0..5).prop_map(|fields| fields.into_iter().collect())
}

/// Random document with the usual structure.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    let things = || prop::collection::vec(table_of(value()).prop_map(Value::Table), 0..4);
    (
        prop::option::of(things()),
        prop::option::of(things()),
        prop::option::of(things()),
        prop::option::of(table_of(value())),
        table_of(value()),
    )
        .prop_map(|(bodies, locators, cameras, shot, rest)| {
            let mut root = rest;
            root.set("lariat", 2);
            for (list, things) in [("body", bodies), ("locator", locators), ("camera", cameras)] {
                if let Some(things) = things {
                    root.set(list, Value::List(things));
                }
            }
            if let Some(shot) = shot {
                root.set("shot", shot);
            }
            Document { root }
        })
}

/// Paths of all values in a document.
pub(crate) fn places(document: &Document) -> Vec<Path> {
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

/// Random edit that usually succeeds: `pick` chooses the path, `choice` the kind.
pub(crate) fn edit_of(
    document: &Document,
    choice: u8,
    pick: prop::sample::Index,
    other: prop::sample::Index,
    name: String,
    value: Value,
) -> Edit {
    let all = places(document);
    if all.is_empty() {
        return Edit::Set { path: Path::root().field(name), value };
    }
    let path = pick.get(&all).clone();
    let found = document.get(&path);
    let lists: Vec<&Path> = all
        .iter()
        .filter(|path| matches!(document.get(path), Some(Value::List(list)) if !list.is_empty()))
        .collect();
    let list = (!lists.is_empty()).then(|| (*pick.get(&lists)).clone());
    let length = |list: &Path| document.get(list).and_then(Value::list).map_or(0, <[Value]>::len);
    match (choice % 9, list) {
        (0, _) => Edit::Set { path, value },
        (1, _) => match found {
            Some(Value::Table(_)) => Edit::Set { path: path.field(name), value },
            _ => Edit::Set { path, value },
        },
        (2, _) => {
            let fields: Vec<&Path> = all
                .iter()
                .filter(|path| matches!(path.steps().last(), Some(Step::Field(_))))
                .collect();
            Edit::Unset { path: (*pick.get(&fields)).clone() }
        }
        (3, Some(list)) => {
            let index = other.index(length(&list) + 1);
            Edit::Insert { list, index, value }
        }
        (4, Some(list)) => {
            let index = other.index(length(&list));
            Edit::Remove { list, index }
        }
        (5, Some(list)) => {
            let (from, to) = (pick.index(length(&list)), other.index(length(&list)));
            Edit::Move { list, from, to }
        }
        (6, _) => {
            let thing = Thing::ALL[other.index(Thing::ALL.len())];
            let names: Vec<&str> = document.names(thing).collect();
            match names.is_empty() {
                true => Edit::Unset { path },
                false => Edit::Rename { thing, from: (*pick.get(&names)).to_owned(), to: name },
            }
        }
        (7, _) => Edit::SetKey { channel: path, frame: other.index(60) as f64 / 2.0, value },
        (8, _) => {
            let keyed: Vec<&Path> = all
                .iter()
                .filter(|path| document.get(&(*path).clone().field("keys")).is_some())
                .collect();
            let Some(channel) = (!keyed.is_empty()).then(|| (*pick.get(&keyed)).clone()) else {
                return Edit::Set { path, value };
            };
            let frame = document
                .get(&channel.clone().field("keys"))
                .and_then(Value::list)
                .and_then(|keys| keys.first()?.list()?.first()?.number())
                .unwrap_or(1.0);
            Edit::RemoveKey { channel, frame }
        }
        _ => Edit::Set { path, value },
    }
}
