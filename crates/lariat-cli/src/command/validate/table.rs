//! The rows of `lariat validate` as a table and as JSON.
//!
//! Every topic lists its rows, then the sources that they refer to by letter. The last line
//! summarises. The output does not depend on the clock, the machine or the terminal, so two
//! reports can be compared with `diff`.
//!
//! Tests: `a_failed_row_is_marked`, `one_check_is_summarised_in_the_singular`,
//! `json_has_every_field_of_every_row`, `numbers_keep_their_digits`.

use std::io::{self, Write};

use lariat_validate::{Check, Outcome, Row, Value};
use serde_json::{Value as Json, json};

/// Writes the rows to `out`: as a table, or as JSON.
pub(super) fn print(rows: &[Row], as_json: bool, out: &mut dyn Write) -> io::Result<()> {
    if as_json { print_json(rows, out) } else { print_table(rows, out) }
}

fn print_json(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let number = |x: f64| Json::from(x); // null if it is not finite
    let value = |value: Option<Value>| match value {
        None => Json::Null,
        Some(Value::Number(x)) => number(x),
        Some(Value::Bits(bits)) => Json::from(format!("{bits:016x}")),
    };
    let rows: Vec<Json> = rows
        .iter()
        .map(|row| {
            let Check { name, what, unit, source, counted, bar, .. } = *row.check;
            json!({
                "topic": row.topic.name,
                "name": name,
                "what": what,
                "unit": unit,
                "reference": value(row.outcome.map(|o| o.reference)),
                "source": source,
                "ours": value(row.outcome.map(|o| o.ours)),
                "error": row.outcome.map_or(Json::Null, |o| number(o.error)),
                "counted": counted,
                "bar": number(bar),
                "pass": row.pass,
            })
        })
        .collect();
    let failed = rows.iter().filter(|row| row["pass"] != true).count();
    let report = json!({ "checks": rows.len(), "failed": failed, "rows": rows });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

const HEADINGS: [&str; 5] = ["what", "reference", "ours", "error", "bar"];

fn print_table(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut begin = 0;
    while begin < rows.len() {
        let topic = rows[begin].topic;
        let more = rows[begin..].iter().take_while(|row| row.topic.name == topic.name).count();
        writeln!(out, "{}: {}", topic.name, topic.title)?;
        print_topic(&rows[begin..begin + more], out)?;
        writeln!(out)?;
        begin += more;
    }
    let failed: Vec<_> = rows.iter().filter(|row| !row.pass).map(|row| row.check.name).collect();
    match (rows.len(), failed.as_slice()) {
        (1, []) => writeln!(out, "1 check passes"),
        (1, [name]) => writeln!(out, "1 check FAILS: {name}"),
        (checks, []) => writeln!(out, "{checks} checks, all pass"),
        (checks, some) => {
            writeln!(out, "{checks} checks, {} FAIL: {}", some.len(), some.join(", "))
        }
    }
}

fn print_topic(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut sources: Vec<&str> = Vec::new();
    let lines: Vec<(&Row, [String; 5])> = rows
        .iter()
        .map(|row| {
            let source = row.check.source;
            let known = sources.iter().position(|s| *s == source);
            let index = known.unwrap_or_else(|| {
                sources.push(source);
                sources.len() - 1
            });
            (row, cells(row, letter(index)))
        })
        .collect();
    let mut widths = HEADINGS.map(str::len);
    for (_, cells) in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut line = |mark: &str, cells: [&str; 5]| {
        let [what, numbers @ ..] = cells;
        write!(out, "  {mark:4}  {what:0$}", widths[0])?;
        for (cell, width) in numbers.iter().zip(&widths[1..]) {
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)
    };
    line("", HEADINGS)?;
    for (row, cells) in &lines {
        line(if row.pass { "pass" } else { "FAIL" }, cells.each_ref().map(String::as_str))?;
    }
    for (index, source) in sources.iter().enumerate() {
        writeln!(out, "        {}  {source}", letter(index))?;
    }
    Ok(())
}

fn letter(index: usize) -> char {
    char::from(b'a' + (index % 26) as u8)
}

/// Cells of a row: quantity, reference with the letter of its source, ours, error, bar.
fn cells(row: &Row, source: char) -> [String; 5] {
    let Check { what, unit, counted, bar, .. } = *row.check;
    let what = if unit.is_empty() { what.to_owned() } else { format!("{what}, {unit}") };
    let [reference, ours, error] = match row.outcome {
        None => ["none".into(), "no answer".into(), "none".into()],
        // A value that should be zero is an error, and is formatted like one.
        Some(Outcome { reference, ours: Value::Number(x), error })
            if reference == Value::Number(0.0) =>
        {
            [value(reference), small(x), small(error)]
        }
        Some(o) => [value(o.reference), value(o.ours), small(o.error)],
    };
    let counted = if counted.is_empty() { String::new() } else { format!(" {counted}") };
    [what, format!("{reference} {source}"), ours, format!("{error}{counted}"), small(bar)]
}

fn value(value: Value) -> String {
    match value {
        Value::Number(x) => digits(x),
        Value::Bits(bits) => format!("{bits:016x}"),
    }
}

/// An error: two digits are enough.
fn small(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

/// A number with 13 significant digits, without empty zeros at the end.
fn digits(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let scientific = format!("{x:.12e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let trimmed = |s: &str| {
        let short = if s.contains('.') { s.trim_end_matches('0') } else { s };
        short.trim_end_matches('.').to_owned()
    };
    match exponent.parse::<i32>() {
        Ok(power @ -4..=12) => trimmed(&format!("{x:.*}", (12 - power) as usize)),
        _ => format!("{}e{exponent}", trimmed(mantissa)),
    }
}

#[cfg(test)]
mod tests {
    use lariat_validate::Topic;

    use super::*;

    static TOPIC: Topic = Topic {
        name: "knots",
        title: "what ties and what slips",
        checks: &[
            Check {
                name: "bowline",
                what: "loop",
                unit: "m",
                source: "a ruler",
                counted: "relative",
                bar: 1e-6,
                run: || Some(Outcome::relative(0.5, 0.5)),
            },
            Check {
                name: "granny",
                what: "holds",
                unit: "",
                source: "a ruler",
                counted: "",
                bar: 1e-6,
                run: || Some(Outcome::worst(0.25)),
            },
            Check {
                name: "ghost",
                what: "hash",
                unit: "",
                source: "nobody",
                counted: "bits",
                bar: 0.0,
                run: || None,
            },
        ],
    };

    fn printed(as_json: bool) -> String {
        printed_of(TOPIC.checks, as_json)
    }

    fn printed_of(checks: &'static [Check], as_json: bool) -> String {
        let rows: Vec<_> = checks.iter().map(|check| Row::of(&TOPIC, check)).collect();
        let mut out = Vec::new();
        print(&rows, as_json, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_failed_row_is_marked() {
        let expected = "\
knots: what ties and what slips
        what     reference       ours       error     bar
  pass  loop, m      0.5 a        0.5  0 relative  1.0e-6
  FAIL  holds          0 a     2.5e-1      2.5e-1  1.0e-6
  FAIL  hash        none b  no answer   none bits       0
        a  a ruler
        b  nobody

3 checks, 2 FAIL: granny, ghost
";
        assert_eq!(printed(false), expected);
    }

    #[test]
    fn one_check_is_summarised_in_the_singular() {
        assert!(printed_of(&TOPIC.checks[..1], false).ends_with("\n1 check passes\n"));
        assert!(printed_of(&TOPIC.checks[1..2], false).ends_with("\n1 check FAILS: granny\n"));
    }

    #[test]
    fn json_has_every_field_of_every_row() {
        let report: Json = serde_json::from_str(&printed(true)).unwrap();
        assert_eq!((&report["checks"], &report["failed"]), (&json!(3), &json!(2)));
        let bowline = json!({
            "topic": "knots", "name": "bowline", "what": "loop", "unit": "m", "reference": 0.5,
            "source": "a ruler", "ours": 0.5, "error": 0.0, "counted": "relative", "bar": 1e-6,
            "pass": true,
        });
        assert_eq!(report["rows"][0], bowline);
        assert_eq!(report["rows"][2]["ours"], Json::Null);
        assert_eq!(report["rows"][2]["pass"], json!(false));
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(digits(-2.010_533_046_593_260_7), "-2.010533046593");
        assert_eq!(digits(816_460.289_836_793), "816460.2898368");
        assert_eq!(digits(6.0), "6");
        assert_eq!(digits(1e6), "1000000");
        assert_eq!(digits(1.25e-7), "1.25e-7");
        assert_eq!(digits(f64::NAN), "NaN");
        assert_eq!(small(0.0), "0");
    }
}
