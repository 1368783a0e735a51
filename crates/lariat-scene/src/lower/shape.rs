//! Values of many numbers: profiles along the rope, cross-sections, height fields and formulas.

use glam::{DVec2, DVec3};
use lariat_core::modes::{Formula, FormulaError, PointAttributes};

use super::{
    Cursor, Lowering,
    record::{CrossSection, Grid, PerPoint},
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema::{Field, Kind, On, Range, did_you_mean},
    value::Value,
};

/// Number of samples along a rope, ends included, at which formulas are evaluated.
pub const FORMULA_SAMPLES: usize = 97;

/// Names that a formula of a mesh has and a formula of a rope does not.
const COORDINATES: [&str; 3] = ["x", "y", "z"];

fn unknown_name(column: usize, name: &str) -> String {
    format!("column {column}: unknown name `{name}`; a rope has `u`, 0 to 1 along the rope")
}

/// First coordinate name in a formula, and its column.
fn coordinate_name(text: &str) -> Option<(usize, String)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut word = String::new();
    for (i, c) in text.chars().chain([' ']).enumerate() {
        if is_letter(c) {
            word.push(c);
            continue;
        }
        if COORDINATES.contains(&&*word) {
            return Some((i + 1 - word.chars().count(), word));
        }
        word.clear();
    }
    None
}

impl Lowering<'_> {
    /// Lowers a number for all points, a formula, or points along a rope.
    pub(super) fn per_point(
        &mut self,
        field: &Field,
        on: On,
        value: &Value,
        at: &Cursor,
    ) -> Option<PerPoint> {
        match value {
            Value::List(_) if on == On::Rope => self.along(field, value, at).map(PerPoint::Along),
            Value::Text(text) => {
                match on {
                    On::Rope => self.rope_formula(field, text, at)?,
                    On::Mesh => {
                        // Attributes of the mesh are unknown until it is loaded.
                        let points = [DVec3::ZERO, DVec3::X];
                        let sites = PointAttributes::of_points(&points).with_normals(&points);
                        match Formula::parse(text, &sites) {
                            Ok(_) | Err(FormulaError::UnknownName { .. }) => {}
                            Err(error) => {
                                self.invalid_formula(field, &error.to_string(), at);
                                return None;
                            }
                        }
                    }
                }
                Some(PerPoint::Formula((**text).into()))
            }
            Value::Number(_) => self.number(field, value, at).map(PerPoint::Uniform),
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    /// Checks a formula along a rope at all places where it will be evaluated.
    fn rope_formula(&mut self, field: &Field, text: &str, at: &Cursor) -> Option<()> {
        let line = vec![DVec3::ZERO; FORMULA_SAMPLES];
        let sites = PointAttributes::of_rope(&line);
        let parsed = Formula::parse(text, &sites);
        let error = match (&parsed, coordinate_name(text)) {
            // A rope moves, so coordinates do not identify a place on it.
            (Ok(_), Some((column, name))) => Some(unknown_name(column, &name)),
            (Err(FormulaError::UnknownName { column, name, suggestion, .. }), _)
                if suggestion.as_deref().is_none_or(|name| COORDINATES.contains(&name)) =>
            {
                Some(unknown_name(*column, name))
            }
            (Err(error), _) => Some(error.to_string()),
            (Ok(_), None) => None,
        };
        if let Some(error) = error {
            self.invalid_formula(field, &error, at);
            return None;
        }
        let formula = parsed.ok()?;
        let Err(error) = formula.over(&sites) else { return Some(()) };
        let why = match &error {
            FormulaError::Undefined { point, column, what, value, help } => format!(
                "at u = {:.4}, column {column}: {what} {} is not a finite number; {help}",
                *point as f64 / (FORMULA_SAMPLES - 1) as f64,
                number(*value)
            ),
            other => other.to_string(),
        };
        self.wrong(
            Code::FormulaFails,
            at,
            format!("the formula of `{}` is not defined everywhere: {why}", field.name),
            "this formula".to_owned(),
            Some(
                "it needs a value from u = 0, the start of the rope, to u = 1, its end".to_owned(),
            ),
        );
        None
    }

    fn invalid_formula(&mut self, field: &Field, error: &str, at: &Cursor) {
        self.wrong(
            Code::InvalidFormula,
            at,
            format!("invalid formula for `{}`: {error}", field.name),
            "this formula".to_owned(),
            Some("names and functions are listed in docs/guide/reference/formulas.md".to_owned()),
        );
    }

    /// Lowers `[[u, value], …]` with `u` increasing from 0 to 1.
    pub(super) fn along(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
    ) -> Option<Vec<(f64, f64)>> {
        let list = self.list(field, value, at)?;
        if list.is_empty() {
            self.wrong_count(field, "at least one", 0, at);
            return None;
        }
        let name = field.name;
        let points = self.each(list, at, |own, value, at| {
            let Some([u, weight]) = value.list() else {
                own.wrong(
                    Code::WrongCount,
                    at,
                    format!("a point of `{name}` must be `[u, value]`, not {}", value.describe()),
                    "expected two numbers".to_owned(),
                    Some(format!("write it like `{}`", super::table::example(field))),
                );
                return None;
            };
            let along = Field { range: Range::UNIT, ..*field };
            let u = own.number(&along, u, &at.index(0));
            let weight = own.number(field, weight, &at.index(1));
            Some((u?, weight?))
        })?;
        for (index, pair) in points.windows(2).enumerate() {
            if pair[1].0 <= pair[0].0 {
                let (before, after) = (number(pair[0].0), number(pair[1].0));
                self.wrong(
                    Code::PositionsOutOfOrder,
                    &at.index(index + 1),
                    format!("the positions of `{name}` do not increase: {after} follows {before}"),
                    format!("must be greater than {before}"),
                    Some("sort the points by position, without duplicates".to_owned()),
                );
                return None;
            }
        }
        Some(points)
    }

    pub(super) fn cross_section(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
    ) -> Option<CrossSection> {
        match value {
            Value::Text(word) => match &**word {
                "round" => Some(CrossSection::Round),
                "flat" => Some(CrossSection::Flat),
                _ => {
                    self.unknown_choice(field.name, word, ["round", "flat"].into_iter(), at);
                    None
                }
            },
            Value::List(_) => self.corner_points(field, value, at, true),
            Value::Table(table) => {
                let mut closed = true;
                let mut points = None;
                for (position, (name, value)) in table.iter().enumerate() {
                    let at = at.field(name, position);
                    match name {
                        "points" => points = Some(at),
                        "closed" => {
                            let switch = Field { name: "closed", kind: Kind::Switch, ..*field };
                            closed = self.one_switch(&switch, value, &at)?;
                        }
                        _ => {
                            let help = did_you_mean(name, ["points", "closed"])
                                .map_or("available: points, closed".to_owned(), |meant| {
                                    format!("did you mean `{meant}`?")
                                });
                            self.find(
                                Diagnostic::new(
                                    Code::UnknownField,
                                    format!("a profile has no parameter `{name}`"),
                                )
                                .label(at.name_span(), at.path(), "unknown parameter")
                                .help(help),
                            );
                            return None;
                        }
                    }
                }
                match (points, table.get("points")) {
                    (Some(at), Some(points)) => self.corner_points(field, points, &at, closed),
                    _ => {
                        self.wrong_type(field, value, at);
                        None
                    }
                }
            }
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    fn corner_points(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        closed: bool,
    ) -> Option<CrossSection> {
        let list = self.list(field, value, at)?;
        let least = if closed { 3 } else { 2 };
        if list.len() < least {
            self.wrong_count(field, &format!("at least {least}"), list.len(), at);
            return None;
        }
        let corner = Field { name: "a corner of a profile", ..*field };
        let points = self.each(list, at, |own, value, at| {
            let Some([x, y]) = value.list() else {
                own.wrong(
                    Code::WrongCount,
                    at,
                    format!(
                        "a corner of `{}` must be `[x, y]`, not {}",
                        field.name,
                        value.describe()
                    ),
                    "expected two numbers".to_owned(),
                    None,
                );
                return None;
            };
            let x = own.number(&corner, x, &at.index(0));
            let y = own.number(&corner, y, &at.index(1));
            Some(DVec2::new(x?, y?))
        })?;
        Some(CrossSection::Points { points, closed })
    }

    pub(super) fn grid(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<Grid> {
        let Value::List(rows) = value else {
            self.wrong_type(field, value, at);
            return None;
        };
        let columns = rows.first().and_then(Value::list).map_or(0, <[Value]>::len);
        if rows.len() < 2 || columns < 2 {
            self.wrong(
                Code::WrongCount,
                at,
                format!("`{}` needs at least 2 rows of 2 numbers", field.name),
                format!("{} rows of {columns}", rows.len()),
                Some(format!("write it like `{}`", super::table::example(field))),
            );
            return None;
        }
        let most = self.limits.cells;
        let count = (rows.len() as u64).saturating_mul(columns as u64);
        if count > most {
            self.wrong(
                Code::TooManyCells,
                at,
                format!("`{}` has {count} heights, more than the limit of {most}", field.name),
                format!("{} rows of {columns}", rows.len()),
                Some("raise the limit with `--limit cells=N`, or use larger cells".to_owned()),
            );
            return None;
        }
        let mut cells = Vec::with_capacity(rows.len() * columns);
        let mut good = true;
        for (index, row) in rows.iter().enumerate() {
            let at = at.index(index);
            let Value::List(row) = row else {
                self.wrong_type(field, row, &at);
                return None;
            };
            if row.len() != columns {
                let numbers = match row.len() {
                    1 => "1 number".to_owned(),
                    many => format!("{many} numbers"),
                };
                self.wrong(
                    Code::RaggedGrid,
                    &at,
                    format!(
                        "row {} of `{}` has {numbers}, the first has {columns}",
                        index + 1,
                        field.name,
                    ),
                    numbers,
                    Some("give all rows the same length".to_owned()),
                );
                good = false;
                continue;
            }
            for (column, cell) in row.iter().enumerate() {
                match self.number(field, cell, &at.index(column)) {
                    Some(cell) => cells.push(cell),
                    None => good = false,
                }
            }
        }
        good.then(|| Grid::new(columns, cells))
    }
}
