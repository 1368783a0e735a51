//! Writing a document in a fixed order and layout.
//!
//! Equal documents give equal text. Fields are in the order of the schema (`name`, `model`, `from`,
//! `to`, `length`, …), followed by unknown fields in alphabetical order. Lists that do not fit on a
//! line have one line per entry. Numbers have the fewest digits that give the same bits.

use std::{collections::HashMap, sync::LazyLock};

use crate::{
    document::Document,
    path::is_plain,
    schema,
    value::{Table, Value},
};

/// Maximum width of a line; longer ones are broken at their lists.
const WIDTH: usize = 100;

/// Writes a document.
pub fn write(document: &Document) -> String {
    let mut out = String::new();
    if document.root.is_empty() {
        // An empty file would look like a failed save.
        out.push_str("# an empty document\n");
    }
    let fields = in_order(&document.root);
    for (name, value) in &fields {
        if !has_header(value) {
            field(&mut out, name, value);
        }
    }
    for (name, value) in fields {
        match value {
            Value::Table(table) => section(&mut out, &format!("[{}]", key(name)), table),
            Value::List(list) if has_header(value) => {
                for element in list.iter().filter_map(Value::table) {
                    section(&mut out, &format!("[[{}]]", key(name)), element);
                }
            }
            _ => {}
        }
    }
    out
}

/// Writes one value, as it appears after an `=`.
pub fn write_value(value: &Value) -> String {
    let mut out = String::new();
    inline(&mut out, value);
    out
}

/// Returns true if a value at the top of a document is written under its own header.
pub(super) fn has_header(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::List(list) => {
            !list.is_empty() && list.iter().all(|value| matches!(value, Value::Table(_)))
        }
        _ => false,
    }
}

/// Writes a header and its fields, after an empty line.
pub(super) fn section(out: &mut String, header: &str, table: &Table) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    out.push_str(header);
    out.push('\n');
    for (name, value) in in_order(table) {
        field(out, name, value);
    }
}

/// Writes `name = value`, on several lines if it is long.
pub(super) fn field(out: &mut String, name: &str, value: &Value) {
    let start = out.len();
    out.push_str(&key(name));
    out.push_str(" = ");
    let column = out.len() - start;
    broken(out, value, 0, column);
    out.push('\n');
}

/// Fields of a table in the order of writing.
pub(super) fn in_order(table: &Table) -> Vec<(&str, &Value)> {
    let mut fields: Vec<(&str, &Value)> = table.iter().collect();
    fields.sort_by_cached_key(|(name, _)| (rank(name), *name));
    fields
}

/// Rank of a name in the order of writing; unknown names come last.
fn rank(name: &str) -> usize {
    static RANKS: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
        let mut ranks = HashMap::new();
        for (rank, names) in schema::names_in_order().into_iter().enumerate() {
            for name in names {
                ranks.entry(name).or_insert(rank);
            }
        }
        ranks
    });
    RANKS.get(name).copied().unwrap_or(usize::MAX)
}

/// Writes a value that starts at `column` of a line indented by `indent`, broken if it is too long.
pub(super) fn broken(out: &mut String, value: &Value, indent: usize, column: usize) {
    let line = write_value(value);
    if column + line.len() <= WIDTH {
        out.push_str(&line);
        return;
    }
    match value {
        Value::List(list) => {
            out.push_str("[\n");
            for element in list {
                out.extend(std::iter::repeat_n(' ', indent + 2));
                broken(out, element, indent + 2, indent + 2);
                out.push_str(",\n");
            }
            out.extend(std::iter::repeat_n(' ', indent));
            out.push(']');
        }
        Value::Table(table) => {
            // TOML 1.0 keeps an inline table on its line, except inside its lists.
            out.push_str("{ ");
            for (i, (name, value)) in in_order(table).into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&key(name));
                out.push_str(" = ");
                let column = out.len() - out.rfind('\n').map_or(0, |newline| newline + 1);
                broken(out, value, indent, column);
            }
            out.push_str(" }");
        }
        _ => out.push_str(&line),
    }
}

/// Writes a value on one line.
fn inline(out: &mut String, value: &Value) {
    match value {
        Value::Number(number) => out.push_str(&self::number(*number)),
        Value::Text(text) => quote(out, text),
        Value::Switch(switch) => out.push_str(if *switch { "true" } else { "false" }),
        Value::List(list) => {
            out.push('[');
            for (i, element) in list.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                inline(out, element);
            }
            out.push(']');
        }
        Value::Table(table) if table.is_empty() => out.push_str("{}"),
        Value::Table(table) => {
            out.push_str("{ ");
            for (i, (name, value)) in in_order(table).into_iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(&key(name));
                out.push_str(" = ");
                inline(out, value);
            }
            out.push_str(" }");
        }
    }
}

/// Shortest text that reads back as the same number.
pub(crate) fn number(number: f64) -> String {
    // Beyond 2^53 not every whole number is representable; floats show that.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if number == 0.0 && number.is_sign_negative() {
        "-0.0".to_owned()
    } else if number.fract() == 0.0 && number.abs() < WHOLE {
        format!("{}", number as i64)
    } else if number.is_nan() {
        "nan".to_owned()
    } else {
        // inf, -inf, 0.1, 1e-7, 1e300: all are TOML floats.
        format!("{number:?}")
    }
}

/// Writes a name before the `=`.
pub(super) fn key(name: &str) -> String {
    if is_plain(name) {
        name.to_owned()
    } else {
        let mut out = String::new();
        quote(&mut out, name);
        out
    }
}

/// Writes a text in quotes, on one line.
pub(crate) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_of_a_camera_comes_before_its_lens() {
        let table = Table::new()
            .with("angle", 35)
            .with("roll", 5)
            .with("target", [0, 0, 1])
            .with("position", [0, -5, 1])
            .with("name", "main");
        let names: Vec<&str> = in_order(&table).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["name", "position", "target", "roll", "angle"]);
        // Bends keep their order.
        let bend = Table::new().with("angle", 1).with("length", 1).with("position", 0);
        let names: Vec<&str> = in_order(&bend).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["position", "length", "angle"]);
    }

    #[test]
    fn numbers_are_short_and_exact() {
        for (value, text) in [
            (3.0, "3"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e300, "1e300"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
            (-1e-7, "-1e-7"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn fields_come_in_the_order_of_the_schema() {
        let document = Document {
            root: Table::new()
                .with(
                    "body",
                    vec![
                        Table::new()
                            .with("zebra", 1)
                            .with("length", 4.2)
                            .with("to", [3, 0, 1])
                            .with("name", "rein")
                            .with(
                                "from",
                                Table::new().with("offset", [0, 0, 1]).with("locator", "bit"),
                            )
                            .with("model", "suspended-rope"),
                    ],
                )
                .with("shot", Table::new().with("frames", [1, 120]).with("fps", 24))
                .with("lariat", 2),
        };
        insta::assert_snapshot!(write(&document), @r#"
        lariat = 2

        [shot]
        fps = 24
        frames = [1, 120]

        [[body]]
        name = "rein"
        model = "suspended-rope"
        from = { locator = "bit", offset = [0, 0, 1] }
        to = [3, 0, 1]
        length = 4.2
        zebra = 1
        "#);
    }

    #[test]
    fn world_and_dynamics_come_in_the_order_of_the_schema() {
        let pin = Table::new().with("at", 0.5).with("to", [0, 0, 1]);
        let dynamics = Table::new()
            .with("pins", vec![pin])
            .with("rate", 600)
            .with("material", "nylon-rope")
            .with("kind", "spline-rope");
        let world = Table::new()
            .with("air", 1.2)
            .with("seed", 3)
            .with("turbulence", 2)
            .with("gravity", [0, 0, -1]);
        let body = Table::new().with("dynamics", dynamics).with("length", 2).with("name", "lead");
        let root = Table::new()
            .with("body", vec![body])
            .with("world", world)
            .with("shot", Table::new().with("fps", 24))
            .with("lariat", 2);
        let document = Document { root };
        insta::assert_snapshot!(write(&document), @r#"
        lariat = 2

        [shot]
        fps = 24

        [world]
        gravity = [0, 0, -1]
        turbulence = 2
        air = 1.2
        seed = 3

        [[body]]
        name = "lead"
        length = 2
        dynamics = { kind = "spline-rope", material = "nylon-rope", rate = 600, pins = [
          { to = [0, 0, 1], at = 0.5 },
        ] }
        "#);
        assert_eq!(crate::format::read(&write(&document)).unwrap().document, document);
        // Noise keeps its order.
        let noise = Table::new().with("seed", 1).with("magnitude", 1).with("kind", "noise");
        let names: Vec<&str> = in_order(&noise).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["kind", "magnitude", "seed"]);
    }

    #[test]
    fn long_lists_get_a_line_per_entry() {
        let keys: Vec<Value> = (0..9).map(|i| Value::from([i * 10, i * 1_000_000])).collect();
        let table =
            Table::new().with("length", Table::new().with("after", "cycle").with("keys", keys));
        let mut out = String::new();
        section(&mut out, "[[body]]", &table);
        insta::assert_snapshot!(out, @r#"
        [[body]]
        length = { keys = [
          [0, 0],
          [10, 1000000],
          [20, 2000000],
          [30, 3000000],
          [40, 4000000],
          [50, 5000000],
          [60, 6000000],
          [70, 7000000],
          [80, 8000000],
        ], after = "cycle" }
        "#);
    }

    #[test]
    fn any_text_can_be_a_name_or_a_value() {
        let text = "a \"b\" \\ \n \u{7f} \u{0} é";
        let document = Document { root: Table::new().with("x", Table::new().with(text, text)) };
        let read = crate::format::read(&write(&document)).unwrap();
        assert_eq!(read.document, document);
    }
}
