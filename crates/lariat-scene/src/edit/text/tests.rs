//! The text of every edit reads back as the same edit, and no text panics.

use proptest::prelude::*;

use super::*;
use crate::{document::Thing, path::Step, testing, value::Table};

/// Equality with the bits of all numbers and the order of all fields, by a method of its own.
fn same(a: &Edit, b: &Edit) -> bool {
    fn bits(edit: &Edit, out: &mut Vec<u64>) {
        match edit {
            Edit::Set { value, .. } | Edit::Restore { value, .. } | Edit::Insert { value, .. } => {
                value_bits(value, out);
            }
            Edit::SetKey { frame, value, .. } => {
                out.push(frame.to_bits());
                value_bits(value, out);
            }
            Edit::RemoveKey { frame, .. } => out.push(frame.to_bits()),
            Edit::Batch(edits) => edits.iter().for_each(|edit| bits(edit, out)),
            _ => {}
        }
    }
    fn value_bits(value: &Value, out: &mut Vec<u64>) {
        match value {
            Value::Number(x) => out.push(x.to_bits()),
            Value::List(list) => list.iter().for_each(|value| value_bits(value, out)),
            Value::Table(table) => table.iter().for_each(|(_, value)| value_bits(value, out)),
            _ => {}
        }
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    bits(a, &mut x);
    bits(b, &mut y);
    // The debug text contains everything but the bits of NaN.
    x == y && format!("{a:?}") == format!("{b:?}")
}

fn reads_back(edit: &Edit) {
    let text = edit.to_string();
    assert!(!text.contains(['\n', '\r']), "one line: {text}");
    match text.parse::<Edit>() {
        Ok(read) => assert!(same(&read, edit), "{text} became {read:?}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

#[test]
fn every_kind_of_edit_is_readable() {
    let wave = Table::new().with("ripples", 3).with("height", 0.1);
    for (edit, text) in [
        (
            Edit::Set { path: path("body.rein.length"), value: 4.5.into() },
            "set body.rein.length = 4.5",
        ),
        (
            Edit::Set { path: path("body.\"a b\\n\".name"), value: "x\n\"y\"".into() },
            r#"set body."a b\n".name = "x\n\"y\"""#,
        ),
        (Edit::Unset { path: path("shot.fps") }, "unset shot.fps"),
        (
            Edit::Restore { path: path("body[0].length"), position: 3, value: f64::NAN.into() },
            "restore body[0].length at 3 = nan",
        ),
        (
            Edit::Insert { list: path("body[0].waves"), index: 1, value: wave.into() },
            "insert body[0].waves at 1 = { ripples = 3, height = 0.1 }",
        ),
        (Edit::Remove { list: path("body"), index: 2 }, "remove body at 2"),
        (Edit::Move { list: path("body"), from: 2, to: 0 }, "move body from 2 to 0"),
        (
            Edit::Rename { thing: Thing::Body, from: "rein".into(), to: "left rein".into() },
            "rename body \"rein\" to \"left rein\"",
        ),
        (
            Edit::SetKey { channel: path("body.rein.swing"), frame: 24.0, value: 40.into() },
            "key body.rein.swing at 24 = 40",
        ),
        (
            Edit::RemoveKey { channel: path("body.rein.swing"), frame: 0.5 },
            "unkey body.rein.swing at 0.5",
        ),
        (Edit::Batch(Vec::new()), "batch {}"),
        (
            Edit::Batch(vec![
                Edit::Unset { path: path("a") },
                Edit::Batch(vec![Edit::Set { path: path("b"), value: vec![true, false].into() }]),
            ]),
            "batch { unset a; batch { set b = [true, false] } }",
        ),
        (Edit::Unset { path: Path::root() }, "unset ."),
        (Edit::Unset { path: path("[3].a") }, "unset [3].a"),
    ] {
        assert_eq!(edit.to_string(), text);
        reads_back(&edit);
    }
}

#[test]
fn an_error_names_the_column_and_the_expected_text() {
    for (text, message) in [
        (
            "",
            "column 1: expected `set`, `unset`, `restore`, `insert`, `remove`, `move`, `rename`, `key`, `unkey` or `batch`, found the end",
        ),
        ("set", "column 4: expected a path, like `body.rein.length`, found the end"),
        ("set a.é = 3", "column 7: expected a path, like `body.rein.length`, found `é = 3`"),
        ("set a 3", "column 7: expected `=`, found `3`"),
        ("set a = 3 4", "column 11: expected the end, found `4`"),
        ("set a = é", "column 9: expected a value, found `é`"),
        ("set a = [1, 2", "column 14: expected `,` or `]`, found the end"),
        (
            "set a = { b = 1, b = 2 }",
            "column 18: expected a name that is not in the table yet, found `b = 2 }`",
        ),
        ("set a = \"x", "column 11: expected a closing `\"`, found the end"),
        (
            "set a = \"\\x\"",
            "column 11: expected `\"`, `\\`, `n`, `r`, `t` or `u` with four digits, found `x\\\"`",
        ),
        ("set a = 1e999", "column 9: expected a value, found `1e999`"),
        (
            "set a = nan:3ff0000000000000",
            "column 9: expected a value, found `nan:3ff0000000000000`",
        ),
        ("remove a at -1", "column 13: expected a whole number, found `-1`"),
        (
            "remove a at 99999999999999999999",
            "column 13: expected a whole number, found `99999999999999999999`",
        ),
        ("move a from 1 2", "column 15: expected `to`, found `2`"),
        (
            "rename rope \"a\" to \"b\"",
            "column 8: expected `body`, `locator`, `collider` or `camera`, found `rope \\\"a\\\" to \\\"b\\\"`",
        ),
        ("key a at x = 1", "column 10: expected a number, found `x = 1`"),
        ("batch { unset a unset b }", "column 17: expected `;` or `}`, found `unset b }`"),
    ] {
        assert_eq!(text.parse::<Edit>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn numbers_read_back_bit_for_bit() {
    for x in [
        0.0,
        -0.0,
        0.1,
        -1.0 / 3.0,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        f64::from_bits(0x7ff0_0000_0000_0001),
        9_007_199_254_740_993.0,
    ] {
        reads_back(&Edit::Restore { path: path("a"), position: 0, value: x.into() });
        reads_back(&Edit::RemoveKey { channel: path("a"), frame: x });
    }
}

#[test]
fn nesting_is_bounded() {
    let lists = |depth: usize| format!("set a = {}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(lists(crate::MAX_DEPTH).parse::<Edit>().is_ok());
    let error = lists(crate::MAX_DEPTH + 1).parse::<Edit>().unwrap_err();
    assert!(error.expected.contains("64 levels"), "{error}");
    assert!(lists(1_000_000).parse::<Edit>().is_err());
    let batches =
        |depth: usize| format!("{}unset a{}", "batch { ".repeat(depth), " }".repeat(depth));
    assert!(batches(MAX_BATCH_DEPTH).parse::<Edit>().is_ok());
    assert!(batches(MAX_BATCH_DEPTH + 1).parse::<Edit>().is_err());
    assert!(batches(1_000_000).parse::<Edit>().is_err());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<u64>().prop_map(|bits| Value::Number(f64::from_bits(bits))),
        testing::number().prop_map(Value::Number),
        any::<bool>().prop_map(Value::Switch),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Table(fields.into_iter().collect())),
        ]
    })
}

fn any_path() -> impl Strategy<Value = Path> {
    let step = prop_oneof![
        testing::name().prop_map(|name| Step::Field(name.into())),
        any::<String>().prop_map(|name| Step::Field(name.into())),
        any::<usize>().prop_map(Step::Index),
    ];
    prop::collection::vec(step, 0..5).prop_map(|steps| steps.into_iter().collect())
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let leaf = (
        (0..9_u8, any_path(), any_value()),
        (any::<usize>(), any::<usize>(), any::<u64>()),
        (any::<String>(), any::<String>(), prop::sample::select(Thing::ALL.to_vec())),
    )
        .prop_map(|((kind, path, value), (index, to, frame), (from, name, thing))| {
            let frame = f64::from_bits(frame);
            match kind {
                0 => Edit::Set { path, value },
                1 => Edit::Unset { path },
                2 => Edit::Restore { path, position: index, value },
                3 => Edit::Insert { list: path, index, value },
                4 => Edit::Remove { list: path, index },
                5 => Edit::Move { list: path, from: index, to },
                6 => Edit::Rename { thing, from, to: name },
                7 => Edit::SetKey { channel: path, frame, value },
                _ => Edit::RemoveKey { channel: path, frame },
            }
        });
    leaf.prop_recursive(3, 12, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Edit::Batch))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_edit_reads_back(edit in any_edit()) {
        reads_back(&edit);
    }

    #[test]
    fn any_text_is_rejected_or_reads_back(
        text in "(set|key|batch|insert|rename)?[ a-z\\[\\]{}=.,;\"\\\\0-9:+é-]{0,40}",
    ) {
        if let Ok(edit) = text.parse::<Edit>() {
            reads_back(&edit);
        }
    }

    #[test]
    fn a_cut_or_damaged_text_does_not_panic(
        edit in any_edit(),
        at in any::<prop::sample::Index>(),
        with in any::<char>(),
    ) {
        let text = edit.to_string();
        let cut: Vec<char> = text.chars().collect();
        let at = at.index(cut.len());
        let _ = cut[..at].iter().collect::<String>().parse::<Edit>();
        let damaged: String = cut[..at].iter().chain([&with]).chain(&cut[at + 1..]).collect();
        if let Ok(edit) = damaged.parse::<Edit>() {
            reads_back(&edit);
        }
    }
}
