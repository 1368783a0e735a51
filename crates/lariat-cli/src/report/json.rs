//! Diagnostics as JSON, with places as numbers.

use std::io;

use lariat_scene::{Span, check::Diagnostic};

use super::lines::Lines;
use crate::{input::Source, json::Json};

/// Writes the field `diagnostics` of an object.
pub(crate) fn write_diagnostics(
    json: &mut Json<'_>,
    source: &Source,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    let lines = Lines::new(source);
    json.list("diagnostics", diagnostics, |json, diagnostic| {
        json.newline()?;
        json.object(|json| {
            json.field("code", diagnostic.code.name())?;
            json.field("severity", diagnostic.severity.to_string())?;
            json.field("title", diagnostic.code.title())?;
            json.field("message", &diagnostic.message)?;
            json.list("labels", &diagnostic.labels, |json, label| {
                json.object(|json| {
                    json.field("path", label.path.to_string())?;
                    json.field("text", &label.text)?;
                    write_place(json, &lines, label.span)
                })
            })?;
            json.list("helps", &diagnostic.helps, Json::value)?;
            json.list("notes", &diagnostic.notes, Json::value)?;
            let Some(frames) = diagnostic.frames else { return Ok(()) };
            json.nested("frames", |json| {
                json.field("first", frames.first)?;
                json.field("last", frames.last)?;
                json.field("count", frames.count)?;
                json.field("worst", frames.worst)
            })?;
            json.nested("values", |json| {
                diagnostic.values.iter().try_for_each(|(name, value)| json.field(name, *value))
            })
        })
    })
}

/// Byte offsets count from 0, lines and columns from 1; ends are exclusive.
fn write_place(json: &mut Json<'_>, lines: &Lines<'_>, span: Option<Span>) -> io::Result<()> {
    let Some(span) = span else { return Ok(()) };
    let range = span.range();
    let (line, column) = lines.line_and_column(range.start);
    let (end_line, end_column) = lines.line_and_column(range.end);
    json.field("start", range.start)?;
    json.field("end", range.end)?;
    json.field("line", line)?;
    json.field("column", column)?;
    json.field("end_line", end_line)?;
    json.field("end_column", end_column)
}
