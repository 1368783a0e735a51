//! Reader of CSV point caches: our own export, and simple tables of other programs.
//!
//! The first line names the columns, in any order. Required are `frame`, `point` (or `index`,
//! `vertex`, `id`) and `x`, `y`, `z` in metres with Z up. Optional columns: `body`, `strand` and
//! `part` (or `name`, `object`) distinguish several parts; `radius` (metres) and `twist_degrees`
//! are read at the first frame. Other columns are ignored. The separator is a comma, a semicolon or
//! a tab, whichever the first line has; fields may be quoted as in RFC 4180.
//!
//! Rows may be in any order, but every point must occur exactly once at every frame. A part may
//! leave its `radius` empty throughout, as our export does for meshes.
//!
//! Tests: `a_part_may_have_no_radii`, `our_own_export_reads_back`,
//! `columns_and_rows_may_come_in_any_order`, `errors_name_their_line`, `no_bytes_make_it_panic`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lariat_core::modes::{Part, PartKind, Recording};
use lariat_core::motion::FrameRate;
use lariat_core::num::ops;

use super::{MAX_FRAMES, MAX_PARTS, ReadError, ReadOptions, nothing, numbers, text_of};

/// Names of the columns, the usual one first.
const COLUMNS: [(&str, &[&str]); 10] = [
    ("frame", &["frame"]),
    ("point", &["point", "index", "vertex", "id"]),
    ("x", &["x"]),
    ("y", &["y"]),
    ("z", &["z"]),
    ("body", &["body"]),
    ("strand", &["strand"]),
    ("part", &["part", "name", "object"]),
    ("radius", &["radius"]),
    ("twist_degrees", &["twist_degrees"]),
];
/// Number of required columns, the first of [`COLUMNS`].
const NEEDED: usize = 5;

/// Index of each of [`COLUMNS`] in a row.
struct Header {
    places: [Option<usize>; 10],
    fields: usize,
}

/// One row of the file.
struct Row {
    frame: i64,
    part: u32,
    point: u32,
    line: u32,
    at: [f64; 3],
    /// `None` if the field is empty.
    radius: Option<f64>,
    twist: f64,
}

/// Reads a recording.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Recording, ReadError> {
    let text = text_of(bytes)?;
    let first_line = text.lines().next().unwrap_or_default();
    let separator = [',', ';', '\t'].into_iter().find(|c| first_line.contains(*c)).unwrap_or(',');
    let mut lines = Lines { text, line: 1, separator };
    let mut fields = Vec::new();
    if !lines.next(&mut fields)? {
        return Err(ReadError::Unexpected {
            line: 1,
            expected: "a header such as `frame,point,x,y,z`".to_owned(),
            found: "nothing".to_owned(),
        });
    }
    let header = header(&fields)?;
    let mut names: Vec<String> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    let mut known: BTreeMap<String, Option<u32>> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    loop {
        lines.skip_empty();
        let line = lines.line;
        if !lines.next(&mut fields)? {
            break;
        }
        if fields.len() != header.fields {
            let (needed, given) = (header.fields, fields.len());
            return Err(ReadError::WrongFields { line, needed, given });
        }
        let name = header.part_name(&fields);
        let part = match known.get(name.as_ref()) {
            Some(part) => *part,
            None => {
                if known.len() >= MAX_PARTS {
                    return Err(ReadError::TooManyParts { line, most: MAX_PARTS });
                }
                let list = if options.includes(&name) { &mut names } else { &mut others };
                list.push(name.to_string());
                let part = options.includes(&name).then(|| names.len() as u32 - 1);
                known.insert(name.into_owned(), part);
                part
            }
        };
        if let Some(part) = part {
            if rows.is_empty() {
                rows.reserve_exact(lines.most_rows());
            }
            rows.push(header.row(&fields, part, line)?);
        }
    }
    if rows.is_empty() {
        return Err(nothing(options, &others, "rows after its header"));
    }
    assemble(rows, names, options.rate.unwrap_or(FrameRate::FILM))
}

fn header(fields: &[Cow<'_, str>]) -> Result<Header, ReadError> {
    let mut places = [None; 10];
    for (at, field) in fields.iter().enumerate() {
        let name = field.trim().to_lowercase();
        let Some(kind) = COLUMNS.iter().position(|(_, names)| names.contains(&name.as_str()))
        else {
            continue;
        };
        if let Some(before) = places[kind].replace(at) {
            return Err(ReadError::TwoColumns {
                column: COLUMNS[kind].0,
                first: fields[before].to_string(),
                second: field.to_string(),
            });
        }
    }
    if let Some(kind) = (0..NEEDED).find(|&kind| places[kind].is_none()) {
        let header = fields.iter().map(|field| format!("`{field}`")).collect();
        return Err(ReadError::NoColumn { column: COLUMNS[kind].0, header });
    }
    Ok(Header { places, fields: fields.len() })
}

impl Header {
    fn field<'a>(&self, fields: &'a [Cow<'_, str>], kind: usize) -> Option<&'a str> {
        self.places[kind].map(|at| fields[at].trim())
    }

    /// `body/strand`, or the one of the two that exists, or `points`.
    fn part_name<'a>(&self, fields: &'a [Cow<'_, str>]) -> Cow<'a, str> {
        let names = [5, 6, 7].map(|kind| self.field(fields, kind));
        let mut given = names.into_iter().flatten();
        match (given.next(), given.next(), given.next()) {
            (None, ..) => Cow::Borrowed("points"),
            (Some(only), None, _) => Cow::Borrowed(only),
            (Some(one), Some(two), None) => Cow::Owned(format!("{one}/{two}")),
            (Some(one), Some(two), Some(three)) => Cow::Owned(format!("{one}/{two}/{three}")),
        }
    }

    fn row(&self, fields: &[Cow<'_, str>], part: u32, line: usize) -> Result<Row, ReadError> {
        let unexpected = |expected: String, found: &str| ReadError::Unexpected {
            line,
            expected,
            found: format!("`{found}`"),
        };
        let number = |kind: usize| {
            let Some(field) = self.field(fields, kind) else { return Ok(0.0) };
            let value = field.parse::<f64>().ok().filter(|value| value.is_finite());
            value.ok_or_else(|| {
                unexpected(format!("a finite number for {}", COLUMNS[kind].0), field)
            })
        };
        let optional = |kind: usize| {
            let empty = self.field(fields, kind).is_none_or(str::is_empty);
            if empty { Ok(None) } else { number(kind).map(Some) }
        };
        let whole = |kind: usize, least: f64, most: f64| {
            let value = number(kind)?;
            if value == value.floor() && (least..=most).contains(&value) {
                return Ok(value);
            }
            let found = self.field(fields, kind).unwrap_or_default();
            let what = COLUMNS[kind].0;
            Err(unexpected(format!("a whole number for {what}, {least} to {most}"), found))
        };
        Ok(Row {
            frame: whole(0, -1e9, 1e9)? as i64,
            point: whole(1, 0.0, 4e9)? as u32,
            at: [number(2)?, number(3)?, number(4)?],
            radius: optional(8)?,
            twist: ops::radians(optional(9)?.unwrap_or(0.0)),
            part,
            line: line as u32,
        })
    }
}

/// Sorts rows, checks for missing and duplicate points, and makes a recording.
fn assemble(
    mut rows: Vec<Row>,
    names: Vec<String>,
    rate: FrameRate,
) -> Result<Recording, ReadError> {
    let (mut first, mut last) = (i64::MAX, i64::MIN);
    let mut points = vec![0_usize; names.len()];
    for row in &rows {
        (first, last) = (first.min(row.frame), last.max(row.frame));
        let count = &mut points[row.part as usize];
        *count = (*count).max(row.point as usize + 1);
    }
    if last - first >= MAX_FRAMES {
        return Err(ReadError::TooManyFrames { first, last, most: MAX_FRAMES });
    }
    // In the order of the file where they are equal; a stable sort would copy half of them.
    rows.sort_unstable_by_key(|row| (row.frame, row.part, row.point, row.line));
    // Expected position of the next row.
    let (mut frame, mut part, mut point) = (first, 0, 0);
    for row in &rows {
        let (found, due) =
            ((row.frame, row.part as usize, row.point as usize), (frame, part, point));
        if found < due {
            return Err(ReadError::Twice {
                line: row.line as usize,
                part: names[row.part as usize].clone(),
                point: row.point as usize,
                frame: row.frame,
            });
        }
        if found > due {
            return Err(ReadError::Missing {
                part: names[part].clone(),
                point,
                frame,
                first,
                last,
            });
        }
        point += 1;
        if point == points[part] {
            (part, point) = (part + 1, 0);
        }
        if part == names.len() {
            (frame, part) = (frame + 1, 0);
        }
    }
    if frame <= last {
        return Err(ReadError::Missing { part: names[part].clone(), point, frame, first, last });
    }
    let frames = (last - first + 1) as usize;
    let mut at = Vec::with_capacity(numbers(points.iter().sum(), frames)?);
    let mut start = 0;
    let mut parts = Vec::with_capacity(names.len());
    for (name, points) in names.into_iter().zip(points) {
        let own = &rows[start..][..points];
        start += points;
        let radius: Vec<f64> = own.iter().filter_map(|row| row.radius).collect();
        if !radius.is_empty()
            && let Some(row) = own.iter().find(|row| row.radius.is_none())
        {
            return Err(ReadError::Unexpected {
                line: row.line as usize,
                expected: format!("a radius, as other points of `{name}` have one"),
                found: "none".to_owned(),
            });
        }
        let twist: Vec<f64> = own.iter().map(|row| row.twist).collect();
        let kind = PartKind::Strand {
            closed: points > 3 && own[0].at == own[points - 1].at,
            radius,
            twist: if twist.iter().any(|&twist| twist != 0.0) { twist } else { Vec::new() },
            look: None,
        };
        parts.push(Part { name, points, kind });
    }
    at.extend(rows.iter().flat_map(|row| row.at));
    Ok(Recording::new(rate, first, parts, frames, at)?)
}

/// Iterator over rows; a quoted field may contain separators, quotes and line breaks.
struct Lines<'a> {
    text: &'a str,
    line: usize,
    separator: char,
}

impl<'a> Lines<'a> {
    /// Upper bound of the number of rows from the last one on. A row has five numbers at least, and a
    /// separator after each.
    fn most_rows(&self) -> usize {
        let lines = self.text.bytes().filter(|byte| *byte == b'\n').count();
        lines.min(self.text.len() / 10) + 2
    }

    fn skip_empty(&mut self) {
        while let Some(rest) = self.text.strip_prefix("\r\n").or(self.text.strip_prefix('\n')) {
            self.text = rest;
            self.line += 1;
        }
    }

    /// Replaces `fields` with those of the next row; `false` at the end.
    fn next(&mut self, fields: &mut Vec<Cow<'a, str>>) -> Result<bool, ReadError> {
        fields.clear();
        if self.text.is_empty() {
            return Ok(false);
        }
        loop {
            let field = if self.text.starts_with('"') { self.quoted()? } else { self.plain() };
            fields.push(field);
            if let Some(rest) = self.text.strip_prefix(self.separator) {
                self.text = rest;
                continue;
            }
            if let Some(rest) = self.text.strip_prefix("\r\n").or(self.text.strip_prefix('\n')) {
                self.text = rest;
                self.line += 1;
            }
            return Ok(true);
        }
    }

    fn plain(&mut self) -> Cow<'a, str> {
        let separator = self.separator;
        let end = self.text.find([separator, '\n']).unwrap_or(self.text.len());
        let field = &self.text[..end];
        // A carriage return belongs to the line end.
        let end =
            if field.ends_with('\r') && self.text[end..].starts_with('\n') { end - 1 } else { end };
        let field = &self.text[..end];
        self.text = &self.text[end..];
        Cow::Borrowed(field)
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let started = self.line;
        let mut rest = &self.text[1..];
        let mut field = Cow::Borrowed("");
        loop {
            let Some(end) = rest.find('"') else {
                return Err(ReadError::Unexpected {
                    line: started,
                    expected: "a closing quote".to_owned(),
                    found: "the end of the file".to_owned(),
                });
            };
            let piece = &rest[..end];
            self.line += piece.matches('\n').count();
            rest = &rest[end + 1..];
            if field.is_empty() {
                field = Cow::Borrowed(piece);
            } else {
                field.to_mut().push_str(piece);
            }
            match rest.strip_prefix('"') {
                Some(after) => {
                    field.to_mut().push('"');
                    rest = after;
                }
                None => break,
            }
        }
        let ends =
            rest.is_empty() || rest.starts_with([self.separator, '\n']) || rest.starts_with("\r\n");
        if !ends {
            return Err(ReadError::Unexpected {
                line: self.line,
                expected: "a separator after the closing quote".to_owned(),
                found: format!("`{}`", rest.chars().next().unwrap_or_default()),
            });
        }
        self.text = rest;
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn recorded(text: &str) -> Recording {
        read(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn error_of(text: &str) -> String {
        read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
    }

    #[test]
    fn columns_and_rows_may_come_in_any_order() {
        let plain =
            recorded("frame,point,x,y,z\n3,0,1,2,3\n3,1,4,5,6\n4,0,7,8,9\n4,1,1e-3,-.5,0\n");
        assert_eq!((plain.first(), plain.frames(), plain.width()), (3, 2, 6));
        assert_eq!(plain.rows(), [1., 2., 3., 4., 5., 6., 7., 8., 9., 1e-3, -0.5, 0.]);
        assert_eq!(plain.parts()[0].name, "points");
        let mixed = recorded(
            "\u{feff}Z;weight;ID;Frame; X ;y\r\n0;9;1;4;1e-3;-.5\r\n\r\n3;9;0;3;1;2\r\n9;;0;4.0;7;8\r\n6;9;1;3;4;5",
        );
        assert_eq!(mixed.rows(), plain.rows());
        assert_eq!(recorded("frame\tindex\tx\ty\tz\n3\t0\t1\t2\t3\n").rows(), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn parts_keep_their_order_and_their_names() {
        let text =
            "object,frame,point,x,y,z\nb,1,0,1,1,1\n\"a, \"\"b\"\"\nc\",1,0,2,2,2\nb,1,1,3,3,3\n";
        let all = recorded(text);
        let names: Vec<_> = all.parts().iter().map(|p| (p.name.as_str(), p.points)).collect();
        assert_eq!(names, [("b", 2), ("a, \"b\"\nc", 1)]);
        assert_eq!(all.rows(), [1., 1., 1., 3., 3., 3., 2., 2., 2.]);
        let only = ReadOptions { only: vec!["a, \"b\"\nc".into()], rate: None };
        assert_eq!(read(text.as_bytes(), &only).unwrap().rows(), [2.0; 3]);
        let none = ReadOptions { only: vec!["c".into()], rate: None };
        assert_eq!(
            read(text.as_bytes(), &none).unwrap_err().to_string(),
            "nothing to read: no part is named c; parts: b, a, \"b\"\nc"
        );
    }

    #[test]
    fn a_part_may_have_no_radii() {
        let head = "body,strand,frame,index,u,x,y,z,radius,twist_degrees\n";
        let all = recorded(&format!(
            "{head}belly,skin,1,0,,1,2,3,,\nbelly,skin,1,1,,4,5,6,,\nrope,axis,1,0,0,7,8,9,0.1,0\n"
        ));
        assert_eq!((all.parts()[0].points, &all.parts()[0].kind), (2, &PartKind::plain_strand()));
        let PartKind::Strand { radius, .. } = &all.parts()[1].kind else { panic!("no rope") };
        assert_eq!(radius, &[0.1]);
        assert_eq!(
            error_of(&format!("{head}a,b,1,0,0,1,2,3,0.1,0\na,b,1,1,1,4,5,6,,0\n")),
            "line 3: expected a radius, as other points of `a/b` have one, found none"
        );
    }

    #[test]
    fn errors_name_their_line() {
        let head = "frame,point,x,y,z\n";
        for (rows, message) in [
            ("1,0,1,2\n", "line 2 has 4 fields, but the header has 5"),
            ("1,0,1,2,3\n\n1,1,1,a,3\n", "line 4: expected a finite number for y, found `a`"),
            ("1,0,1,nan,3\n", "line 2: expected a finite number for y, found `nan`"),
            (
                "1.5,0,1,2,3\n",
                "line 2: expected a whole number for frame, -1000000000 to 1000000000, found `1.5`",
            ),
            (
                "1,-1,1,2,3\n",
                "line 2: expected a whole number for point, 0 to 4000000000, found `-1`",
            ),
            (
                "1,0,1,2,3\n2,0,1,2,3\n1,0,1,2,3\n",
                "line 4: point 0 of `points` occurs twice at frame 1",
            ),
            (
                "1,0,1,2,3\n3,0,1,2,3\n",
                "point 0 of `points` is missing at frame 2; every point must occur at every frame from 1 to 3",
            ),
            (
                "1,0,1,2,3\n1,1,1,2,3\n2,0,1,2,3\n",
                "point 1 of `points` is missing at frame 2; every point must occur at every frame from 1 to 2",
            ),
            (
                "1,4000000000,1,2,3\n",
                "point 0 of `points` is missing at frame 1; every point must occur at every frame from 1 to 1",
            ),
            (
                "1,0,1,2,3\n900000,0,1,2,3\n",
                "samples reach from frame 1 to 900000, more than the limit of 100000 frames; trim the file",
            ),
            ("1,\"0,1,2,3\n", "line 2: expected a closing quote, found the end of the file"),
            ("1,\"0\"0,1,2,3\n", "line 2: expected a separator after the closing quote, found `0`"),
            ("", "nothing to read: the file has no rows after its header"),
        ] {
            assert_eq!(error_of(&format!("{head}{rows}")), message);
        }
        assert_eq!(
            error_of("frame,x,y,z\n1,2,3,4\n"),
            "the header has no column `point`; it has `frame`, `x`, `y`, `z`, but frame, point, x, y, z are required"
        );
        assert_eq!(
            error_of("frame,point,id,x,y,z\n"),
            "the header has two columns for the point, `point` and `id`; remove one"
        );
        assert!(error_of("").starts_with("line 1: expected a header"));
    }

    /// Rows that are almost valid.
    const ROWS: &str = "([0-3\",;.\r\n]|frame|é){0,60}";

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(rows in ROWS) {
            let text = format!("frame,point,x,y,z\n{rows}");
            for text in [text.as_str(), rows.as_str()] {
                if let Ok(recording) = read(text.as_bytes(), &ReadOptions::default()) {
                    prop_assert!(recording.rows().iter().all(|x| x.is_finite()));
                }
            }
        }
    }
}
