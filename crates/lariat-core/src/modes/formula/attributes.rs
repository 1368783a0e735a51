//! Attributes of the points of a body, the variables of a formula.

use std::borrow::Cow;

use glam::DVec3;

use super::FormulaError;
use super::parse::is_taken;

/// Named values at the points of a body.
///
/// Fields are private because every column has one value per point.
#[derive(Clone, Debug)]
pub struct PointAttributes<'a> {
    count: usize,
    columns: Vec<(Cow<'a, str>, Cow<'a, [f64]>)>,
}

impl<'a> PointAttributes<'a> {
    /// Points with their position: `x`, `y`, `z`.
    pub fn of_points(points: &[DVec3]) -> Self {
        let mut sites = Self { count: points.len(), columns: Vec::new() };
        sites.components(["x", "y", "z"], points);
        sites
    }

    /// Points of a rope with `x`, `y`, `z`, and `u` from 0 at the first to 1 at the last.
    pub fn of_rope(points: &[DVec3]) -> Self {
        let last = (points.len().max(2) - 1) as f64;
        let u: Vec<f64> = (0..points.len()).map(|i| i as f64 / last).collect();
        let mut sites = Self::of_points(points);
        sites.columns.push(("u".into(), u.into()));
        sites
    }

    /// Adds the surface normals: `nx`, `ny`, `nz`.
    ///
    /// # Panics
    /// If there is not one normal per point.
    #[must_use]
    pub fn with_normals(mut self, normals: &[DVec3]) -> Self {
        assert_eq!(normals.len(), self.count, "one normal per point");
        self.components(["nx", "ny", "nz"], normals);
        self
    }

    /// Adds a named attribute with one value per point.
    pub fn with_attribute(
        mut self,
        name: &'a str,
        values: &'a [f64],
    ) -> Result<Self, FormulaError> {
        let mut letters = name.chars();
        let is_word = letters.next().is_some_and(char::is_alphabetic)
            && letters.all(|c| c.is_alphanumeric() || c == '_');
        if !is_word || is_taken(name) || self.names().any(|other| other == name) {
            return Err(FormulaError::BadName { name: name.to_owned() });
        }
        if values.len() != self.count {
            return Err(FormulaError::WrongLength {
                name: name.to_owned(),
                needed: self.count,
                given: values.len(),
            });
        }
        self.columns.push((name.into(), values.into()));
        Ok(self)
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Names of all attributes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_ref())
    }

    pub(super) fn value(&self, column: usize, point: usize) -> f64 {
        self.columns[column].1[point]
    }

    fn components(&mut self, names: [&'static str; 3], vectors: &[DVec3]) {
        for (axis, name) in names.into_iter().enumerate() {
            let column: Vec<f64> = vectors.iter().map(|v| v[axis]).collect();
            self.columns.push((name.into(), column.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_value_per_point() {
        let points = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0)];
        let weight = [7.0, 8.0];
        let sites = PointAttributes::of_rope(&points).with_normals(&[DVec3::X, DVec3::Z]);
        let sites = sites.with_attribute("weight_2", &weight).unwrap();
        let names: Vec<_> = sites.names().collect();
        assert_eq!(names, ["x", "y", "z", "u", "nx", "ny", "nz", "weight_2"]);
        let second: Vec<_> = (0..8).map(|column| sites.value(column, 1)).collect();
        assert_eq!(second, [4.0, 5.0, 6.0, 1.0, 0.0, 0.0, 1.0, 8.0]);
    }

    #[test]
    fn names_that_formulas_cannot_use_are_refused() {
        for name in ["", "2nd", "a-b", "a b", "pi", "sin", "x", "_a"] {
            let error = PointAttributes::of_points(&[DVec3::ZERO])
                .with_attribute(name, &[1.0])
                .unwrap_err();
            assert!(matches!(error, FormulaError::BadName { .. }), "`{name}`: {error}");
        }
        let error =
            PointAttributes::of_points(&[DVec3::ZERO]).with_attribute("soft", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "attribute `soft` has 0 values for 1 points; give one per point"
        );
    }
}
