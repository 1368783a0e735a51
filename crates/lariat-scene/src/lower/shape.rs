//! Values made of many numbers: profiles along the rope, cross-sections, height fields.

use glam::{DVec2, DVec3};
use lariat_core::modes::{Formula, FormulaError, PointAttributes};

use super::{
    At, Lowering,
    record::{Grid, Outline, Spread},
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema::{Field, Kind, On, Range, did_you_mean},
    value::Value,
};

/// Places along a rope, ends included, at which formulas are worked out.
pub const FORMULA_PLACES: usize = 97;

/// Names that points of a mesh have, and those of a rope have not.
const SPACE: [&str; 3] = ["x", "y", "z"];

fn nothing_is_called(column: usize, name: &str) -> String {
    format!("column {column}: nothing is called `{name}` here: there is `u`, 0 to 1 along the rope")
}

/// The first word of a formula that is a place in space, and its column.
fn in_space(text: &str) -> Option<(usize, String)> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut word = String::new();
    for (i, c) in text.chars().chain([' ']).enumerate() {
        if is_letter(c) {
            word.push(c);
            continue;
        }
        if SPACE.contains(&&*word) {
            return Some((i + 1 - word.chars().count(), word));
        }
        word.clear();
    }
    None
}

impl Lowering<'_> {
    /// A number for all points, a formula, or points along a rope.
    pub(super) fn spread(
        &mut self,
        field: &Field,
        on: On,
        value: &Value,
        at: &At,
    ) -> Option<Spread> {
        match value {
            Value::List(_) if on == On::Rope => self.along(field, value, at).map(Spread::Along),
            Value::Text(text) => {
                match on {
                    On::Rope => self.rope_formula(field, text, at)?,
                    On::Mesh => {
                        // What only a mesh can know is found when it is there.
                        let points = [DVec3::ZERO, DVec3::X];
                        let sites = PointAttributes::of_points(&points).with_normals(&points);
                        match Formula::parse(text, &sites) {
                            Ok(_) | Err(FormulaError::UnknownName { .. }) => {}
                            Err(error) => {
                                self.bad_formula(field, &error.to_string(), at);
                                return None;
                            }
                        }
                    }
                }
                Some(Spread::Formula(text.as_str().into()))
            }
            Value::Number(_) => self.number(field, value, at).map(Spread::Even),
            other => {
                self.wrong_type(field, other, at);
                None
            }
        }
    }

    /// A formula along a rope, tried at every place where it will be worked out.
    fn rope_formula(&mut self, field: &Field, text: &str, at: &At) -> Option<()> {
        let line = vec![DVec3::ZERO; FORMULA_PLACES];
        let sites = PointAttributes::of_rope(&line);
        let parsed = Formula::parse(text, &sites);
        let error = match (&parsed, in_space(text)) {
            // The rope moves, so a place in space is no place on it.
            (Ok(_), Some((column, name))) => Some(nothing_is_called(column, &name)),
            (Err(FormulaError::UnknownName { column, name, suggestion, .. }), _)
                if suggestion.as_deref().is_none_or(|name| SPACE.contains(&name)) =>
            {
                Some(nothing_is_called(*column, name))
            }
            (Err(error), _) => Some(error.to_string()),
            (Ok(_), None) => None,
        };
        if let Some(error) = error {
            self.bad_formula(field, &error, at);
            return None;
        }
        let formula = parsed.ok()?;
        let Err(error) = formula.over(&sites) else { return Some(()) };
        let why = match &error {
            FormulaError::Undefined { point, column, what, value, way_out } => format!(
                "at u = {:.4}, column {column}: {what} {} is not a finite number: {way_out}",
                *point as f64 / (FORMULA_PLACES - 1) as f64,
                number(*value)
            ),
            other => other.to_string(),
        };
        self.wrong(
            Code::FormulaFails,
            at,
            format!("the formula of `{}` has no value everywhere: {why}", field.name),
            "this formula".to_owned(),
            Some("it needs one from u = 0, the start of the rope, to u = 1, its end".to_owned()),
        );
        None
    }

    fn bad_formula(&mut self, field: &Field, error: &str, at: &At) {
        self.wrong(
            Code::InvalidFormula,
            at,
            format!("the formula of `{}` cannot be read: {error}", field.name),
            "this formula".to_owned(),
            Some("the guide has the names and functions: docs/guide/jiggle.md".to_owned()),
        );
    }

    /// `[[u, value], …]` with `u` rising within 0–1.
    pub(super) fn along(
        &mut self,
        field: &Field,
        value: &Value,
        at: &At,
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
                    format!("a point of `{name}` is `[u, value]`, not {}", value.describe()),
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
                    format!("`{name}` does not rise along the rope: {after} follows {before}"),
                    format!("must lie beyond {before}"),
                    Some("put the points in order, each at its own place".to_owned()),
                );
                return None;
            }
        }
        Some(points)
    }

    pub(super) fn outline(&mut self, field: &Field, value: &Value, at: &At) -> Option<Outline> {
        match value {
            Value::Text(word) => match &**word {
                "round" => Some(Outline::Round),
                "flat" => Some(Outline::Flat),
                _ => {
                    self.unknown_choice(field.name, word, ["round", "flat"].into_iter(), at);
                    None
                }
            },
            Value::List(_) => self.outline_points(field, value, at, true),
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
                                .map_or("there are points, closed".to_owned(), |meant| {
                                    format!("did you mean `{meant}`?")
                                });
                            self.find(
                                Diagnostic::new(
                                    Code::UnknownField,
                                    format!("a profile has no parameter `{name}`"),
                                )
                                .label(at.name_span(), at.path(), "no such parameter")
                                .help(help),
                            );
                            return None;
                        }
                    }
                }
                match (points, table.get("points")) {
                    (Some(at), Some(points)) => self.outline_points(field, points, &at, closed),
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

    fn outline_points(
        &mut self,
        field: &Field,
        value: &Value,
        at: &At,
        closed: bool,
    ) -> Option<Outline> {
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
                    format!("a corner of `{}` is `[x, y]`, not {}", field.name, value.describe()),
                    "expected two numbers".to_owned(),
                    None,
                );
                return None;
            };
            let x = own.number(&corner, x, &at.index(0));
            let y = own.number(&corner, y, &at.index(1));
            Some(DVec2::new(x?, y?))
        })?;
        Some(Outline::Points { points, closed })
    }

    pub(super) fn grid(&mut self, field: &Field, value: &Value, at: &At) -> Option<Grid> {
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
                    Some("make all rows equally long".to_owned()),
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
