//! Reading is compared with `toml_edit`; writing with reading.

use proptest::prelude::*;

use super::{survey::Survey, *};
use crate::{
    check::Code,
    document::Document,
    limits::Limits,
    place::Places,
    testing::{self, SAMPLE},
    value::{MAX_DEPTH, Table, Value},
};

/// Tree of `toml_edit`; `None` if it rejects the text, or if the text has dates or numbers that
/// documents do not allow.
fn judged(text: &str) -> Option<Table> {
    fn value(item: &toml_edit::Value) -> Option<Value> {
        Some(match item {
            toml_edit::Value::String(text) => Value::Text(text.value().as_str().into()),
            toml_edit::Value::Integer(number) => Value::Number(*number.value() as f64),
            toml_edit::Value::Float(number) => Value::Number(*number.value()),
            toml_edit::Value::Boolean(switch) => Value::Switch(*switch.value()),
            toml_edit::Value::Datetime(_) => return None,
            toml_edit::Value::Array(list) => {
                Value::List(list.iter().map(value).collect::<Option<_>>()?)
            }
            toml_edit::Value::InlineTable(table) => Value::Table(
                table
                    .iter()
                    .map(|(name, item)| Some((name.to_owned(), value(item)?)))
                    .collect::<Option<Table>>()?,
            ),
        })
    }
    fn table(found: &toml_edit::Table) -> Option<Table> {
        let mut out = Table::new();
        for (name, item) in found {
            let value = match item {
                toml_edit::Item::None => continue,
                toml_edit::Item::Value(found) => value(found)?,
                toml_edit::Item::Table(inner) => Value::Table(table(inner)?),
                toml_edit::Item::ArrayOfTables(list) => Value::List(
                    list.iter()
                        .map(|inner| table(inner).map(Value::Table))
                        .collect::<Option<_>>()?,
                ),
            };
            out.set(name, value);
        }
        Some(out)
    }
    let document: toml_edit::DocumentMut = text.parse().ok()?;
    table(document.as_table())
}

/// `None` for valid TOML that documents do not allow.
fn ours(text: &str) -> Result<Table, Vec<Code>> {
    tree::build(text)
        .map(|(table, _)| table)
        .map_err(|diagnostics| diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
}

fn agree(text: &str) -> Result<(), TestCaseError> {
    match (ours(text), judged(text)) {
        (Ok(ours), Some(theirs)) => {
            // As text, because NaN is not equal to itself.
            let text_of = |root| write(&Document { root });
            prop_assert_eq!(text_of(ours), text_of(theirs), "{}", text);
        }
        (Ok(_), None) => prop_assert!(false, "only we read\n{text}"),
        (Err(codes), Some(_)) => prop_assert!(
            codes.iter().all(|code| matches!(code, Code::NestedTooDeep | Code::IntegerTooLarge)),
            "only we refuse ({codes:?})\n{text}"
        ),
        (Err(_), None) => {}
    }
    Ok(())
}

/// Valid and invalid pieces of TOML, to be combined at random.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b",
        "body",
        "\"q r\"",
        "''",
        ".",
        "=",
        " = ",
        "1",
        "-2.5",
        "0x1F",
        "1_000",
        "1e3",
        "inf",
        "nan",
        "true",
        "\"t\"",
        "'l'",
        "\"\"\"m\nl\"\"\"",
        "'''x'''",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ",",
        "\n",
        "\r\n",
        "# c\n",
        " ",
        "[a]\n",
        "[a.b]\n",
        "[[body]]\n",
        "[body.x]\n",
        "[[body.y]]\n",
        "a.b = 1\n",
        "a = { b = 1 }\n",
        "a = [1, 2]\n",
        "a.c.d = 2\n",
        "b = 3\n",
        "x = [\n1, # one\n2\n]\n",
        "\u{e9}",
        "\t",
        "+",
        "_",
        "1979-05-27",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn reading_vs_toml_edit_on_pieces(pieces in prop::collection::vec(piece(), 0..14)) {
        agree(&pieces.concat())?;
    }

    #[test]
    fn reading_vs_toml_edit_on_lines(lines in prop::collection::vec(
        prop::sample::select(vec![
            "[a]", "[a.b]", "[a.b.c]", "[[a]]", "[[a.b]]", "[b]", "[[b]]", "a = 1", "a.b = 1",
            "a.b.c = 1", "b = { a = 1 }", "b.c = 2", "a = []", "c = [[1, 2], { x.y = 1, x.z = 2 }]",
            "c.d = 1", "b = { a.x = 1, a = 2 }",
        ]),
        0..7,
    )) {
        agree(&lines.join("\n"))?;
    }
}

proptest! {
    #[test]
    fn a_written_document_reads_back(document in testing::document()) {
        let text = write(&document);
        prop_assert_eq!(&read(&text).unwrap().document, &document, "{}", text);
        prop_assert_eq!(judged(&text), Some(document.root), "{}", text);
    }

    #[test]
    fn equal_documents_give_equal_text(document in testing::document()) {
        let turned: Table = document
            .root
            .iter()
            .rev()
            .map(|(name, value)| (name, value.clone()))
            .collect();
        prop_assert_eq!(write(&Document { root: turned }), write(&document));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn chunks_do_not_change_the_result(length in 1..2000_usize, at in any::<prop::sample::Index>()) {
        let built = |text: &str| tree::build_in_chunks(text, &Survey::of(text), length).unwrap();
        same_tree(SAMPLE, &built(SAMPLE))?;
        // Chunks end within lists and tables.
        let mut text = SAMPLE.to_owned();
        let lines: Vec<usize> = text.match_indices("\n[").map(|(byte, _)| byte + 1).collect();
        let line = lines[at.index(lines.len())];
        text.insert_str(line, "[[note]]\ntext = '''\n[shot]\n[[body]]\n'''\nlist = [\n[\n1\n],\n{ a = [1, { b.c = 2, d = [[]], }, 3], e = 4 }, [], 5 ]\n");
        same_tree(&text, &built(&text))?;
        same_tree(&text, &tree::build(&text).unwrap())?;
    }
}

/// Checks that a tree is equal to that of the whole text.
fn same_tree(text: &str, built: &(Table, Places)) -> Result<(), TestCaseError> {
    let whole = tree::build_in_chunks(text, &Survey::of(text), usize::MAX).unwrap();
    prop_assert_eq!(&built.0, &whole.0);
    for path in testing::places(&Document { root: whole.0 }) {
        prop_assert_eq!(built.1.value(&path), whole.1.value(&path));
        prop_assert_eq!(built.1.name(&path), whole.1.name(&path));
    }
    Ok(())
}

#[test]
fn every_position_contains_its_value() {
    let read = read(SAMPLE).unwrap();
    for path in testing::places(&read.document) {
        let text = &SAMPLE[read.places.value(&path).unwrap().range()];
        match read.document.get(&path).unwrap() {
            Value::Number(number) => assert_eq!(text.parse(), Ok(*number), "{path}"),
            Value::Text(words) => assert_eq!(text, format!("\"{words}\""), "{path}"),
            Value::Switch(switch) => assert_eq!(text, switch.to_string(), "{path}"),
            Value::List(_) => assert!(text.starts_with('['), "{path}: {text}"),
            Value::Table(_) => assert!(text.starts_with(['[', '{']), "{path}: {text}"),
        }
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    // On a small stack, like that of a browser's worker.
    let run = || {
        for n in [MAX_DEPTH - 2, MAX_DEPTH, 100_000] {
            for text in [
                format!("a = {}{}", "[".repeat(n), "]".repeat(n)),
                format!("a = {}1{}", "{ b = ".repeat(n), " }".repeat(n)),
                format!("a = {}", "[".repeat(n)),
                format!("a = {}", "{ b = ".repeat(n)),
                format!("a{} = 1", ".b".repeat(n)),
                format!("[a{}]", ".b".repeat(n)),
                format!("[[a{}]]", ".b".repeat(n)),
                format!("[a{}]\nx.y.z = [[[[1]]]]", ".b".repeat(n)),
                format!("a = {{ b{} = 1 }}", ".c".repeat(n)),
            ] {
                let checked = crate::check::check(text.as_bytes(), &Limits::DEFAULT);
                if n > MAX_DEPTH {
                    assert!(checked.has_errors());
                }
                if let Some(content) = checked.content {
                    assert_eq!(read(&write(&content.document)).unwrap().document, content.document);
                }
            }
        }
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
}

fn many(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect::<Vec<_>>().concat()
}

#[test]
fn malicious_files_take_linear_memory() {
    /// Bytes allocated to check files of `n` pieces.
    fn taken(n: usize) -> Vec<(String, u64)> {
        let texts = [
            many(n, |i| format!("k{i} = 1\n")),
            many(n, |i| format!("[t{i}]\n")),
            many(n, |i| format!("a.k{i} = 1\n")),
            format!("a = {{ {} }}", many(n, |i| format!("k{i} = 1, "))),
            "[[body]]\n".repeat(n),
            "= = =\n".repeat(n),
            "[".repeat(n),
            "a = 1\n".repeat(n),
            "\"".repeat(n),
            "a = [\n".repeat(n / 20),
        ];
        let take = |text: String| {
            let counted = allocation_counter::measure(|| {
                let checked = crate::check::check(text.as_bytes(), &Limits::DEFAULT);
                assert!(checked.has_errors());
                assert!(checked.diagnostics.len() as u64 <= Limits::DEFAULT.diagnostics + 100);
            });
            (text[..20].to_owned(), counted.bytes_total)
        };
        texts.into_iter().map(take).collect()
    }
    // Four times as many take four times the memory, rounded up to a power of two; quadratic growth
    // would take sixteen times the memory.
    for ((name, few), (_, many)) in taken(12_500).into_iter().zip(taken(50_000)) {
        assert!(many < 8 * few, "{name}…: {many} bytes for 50000, {few} for 12500");
    }
}

#[test]
fn all_syntax_errors_come_in_one_run() {
    let text = "lariat = 2\nname = rein\nok = 2\nx = [1, 2\ny = 3\n= 4\n";
    let diagnostics = read(text).unwrap_err();
    let lines: Vec<usize> = diagnostics
        .iter()
        .map(|diagnostic| crate::line_and_column(text, diagnostic.span().unwrap().start as usize).0)
        .collect();
    assert!(lines.contains(&2) && lines.contains(&6) && lines.len() >= 3, "{diagnostics:#?}");
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.code == Code::Syntax));
    for text in ["a = [1,,2]", "a = 007", "a = +-1", "a = \"\\q\"", "a = {b = 1", "a = [1 2]", "a"]
    {
        let diagnostics = read(text).unwrap_err();
        assert!(
            diagnostics.iter().all(|diagnostic| !diagnostic.helps.is_empty()),
            "{diagnostics:#?}"
        );
    }
}

#[test]
fn a_control_character_is_named_in_the_help() {
    let Err(diagnostics) = read("lariat = 2\0\n") else { panic!("it reads") };
    let help = &diagnostics[0].helps[0];
    assert_eq!(help, "remove the control character U+0000");
}
