//! Writer of `.modes` files.

use std::fmt::Write;

use lariat_core::modes::{Mode, ModeSet, Part, PartKind};
use serde_json::Value;

use super::VERSION;

/// Text of a `.modes` file.
pub fn write(set: &ModeSet) -> String {
    let origin = set.origin();
    let mut out = format!("{{\n  \"lariat-modes\": {VERSION},\n");
    fact(&mut out, "  ", "rate", &text(&origin.rate.to_string()));
    fact(&mut out, "  ", "first", &origin.first.to_string());
    fact(&mut out, "  ", "margin", &origin.margin.to_string());
    fact(&mut out, "  ", "periodic", &origin.periodic.to_string());
    fact(&mut out, "  ", "rms", &number(origin.rms));
    fact(&mut out, "  ", "worst", &number(origin.worst));
    out += "  \"parts\": [\n";
    list(&mut out, set.parts(), part);
    out += "  ],\n  \"mean\": [\n";
    let points: Vec<&[f64]> = set.mean().chunks(3).collect();
    list(&mut out, &points, |out, point| *out += &format!("    {}", row(point.iter().copied())));
    out += "  ],\n  \"modes\": [\n";
    list(&mut out, set.modes(), mode);
    out += "  ]\n}\n";
    out
}

fn part(out: &mut String, part: &Part) {
    let (name, points) = (text(&part.name), part.points);
    *out += &format!("    {{ \"name\": {name}, \"points\": {points}");
    match &part.kind {
        PartKind::Strand { closed, radius, twist, look } => {
            *out += &format!(", \"kind\": \"strand\", \"closed\": {closed}");
            *out += &format!(",\n      \"radius\": {}", row(radius.iter().copied()));
            *out += &format!(",\n      \"twist\": {}", row(twist.iter().copied()));
            match look {
                Some(look) => {
                    let (name, colour) = (text(&look.name), row(look.colour));
                    *out += &format!(",\n      \"material\": {name}, \"colour\": {colour}");
                }
                None => *out += ",\n      \"material\": null",
            }
        }
        PartKind::Mesh { counts, corners } => {
            let whole = |numbers: &[u32]| {
                let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                format!("[{}]", words.join(", "))
            };
            *out += ", \"kind\": \"mesh\"";
            *out += &format!(",\n      \"counts\": {}", whole(counts));
            *out += &format!(",\n      \"corners\": {}", whole(corners));
        }
    }
    *out += " }";
}

fn mode(out: &mut String, mode: &Mode) {
    *out += "    {\n";
    for (name, value) in [
        ("hertz", mode.pole.hertz),
        ("decay", mode.pole.decay),
        ("sigma", mode.sigma),
        ("share", mode.share),
        ("missing", mode.residual),
        ("gauge", mode.gauge),
    ] {
        fact(out, "      ", name, &number(value));
    }
    *out += "      \"weights\": [\n";
    let points: Vec<_> = mode.weights.chunks(3).collect();
    list(out, &points, |out, point| {
        *out += &format!("        {}", row(point.iter().flat_map(|w| [w.re, w.im])));
    });
    *out += "      ],\n      \"course\": [\n";
    list(out, &mode.coefficients, |out, c| *out += &format!("        {}", row([c.re, c.im])));
    *out += "      ]\n    }";
}

/// `"name": value,` on its own line.
fn fact(out: &mut String, indent: &str, name: &str, value: &str) {
    *out += &format!("{indent}\"{name}\": {value},\n");
}

/// Items separated by commas and line ends.
fn list<T>(out: &mut String, items: &[T], mut item: impl FnMut(&mut String, &T)) {
    for (i, each) in items.iter().enumerate() {
        item(out, each);
        *out += if i + 1 < items.len() { ",\n" } else { "\n" };
    }
}

/// `[1, 2.5]`.
fn row(numbers: impl IntoIterator<Item = f64>) -> String {
    let mut out = String::from("[");
    for (i, value) in numbers.into_iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        // Writing to a string cannot fail.
        let _ = write!(out, "{comma}{}", number(value));
    }
    out.push(']');
    out
}

/// Shortest text that reads back as the same bits, as Rust prints it.
fn number(value: f64) -> String {
    let text = format!("{value:?}");
    // An integer needs no decimal point; −0 does, or some programs would read it as the integer 0.
    match text.strip_suffix(".0") {
        Some(whole) if whole != "-0" => whole.to_owned(),
        _ => text,
    }
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}
