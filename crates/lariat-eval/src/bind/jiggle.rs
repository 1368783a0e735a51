//! Fields of amplitude and lag: on a rope as a layer, on a mesh as one of its jiggles.
//!
//! Formulas are evaluated once, when a document is bound. At a time, only the driving curve is
//! evaluated; its complex value turns every weight into a displacement.

use glam::DVec3;
use lariat_core::geometry::{Mesh, interpolate_linear};
use lariat_core::modes::{Field, Formula, FormulaError, PointAttributes, field};
use lariat_core::motion::Channel;
use lariat_core::num::ops;
use lariat_scene::lower::{FORMULA_SAMPLES, PerPoint, Record};
use num_complex::Complex64;

use crate::number::Number;
use crate::warning::Warning;

/// A field with the curve that drives it and its slosh.
#[derive(Debug)]
pub(super) struct Driven {
    drive: Number,
    slosh: Number,
    on: Channel<bool>,
    field: Field,
}

impl Driven {
    fn bind(record: &Record, field: Field) -> Self {
        Self {
            drive: Number::of(record, "drive"),
            slosh: Number::of(record, "slosh"),
            on: record.switch("on").cloned().unwrap_or(Channel::Constant(true)),
            field,
        }
    }

    /// On a rope.
    pub(super) fn along_rope(record: &Record) -> Self {
        let line: Vec<DVec3> = (0..FORMULA_SAMPLES)
            .map(|i| DVec3::X * (i as f64 / (FORMULA_SAMPLES - 1) as f64))
            .collect();
        let sites = PointAttributes::of_rope(&line);
        // Formulas of ropes were tried when the document was read.
        let field = field_of(record, &sites, FORMULA_SAMPLES).unwrap_or_default();
        Self::bind(record, field)
    }

    /// Phasor of the driving curve and its rest value, which has no phase.
    fn value(&self, t: f64, w: &mut Vec<Warning>) -> (Complex64, f64) {
        let value = self.drive.at(t, w);
        match self.drive.channel().phasor(0, t) {
            Some(x) => (x, value - x.re),
            // Without a phase everything moves at once.
            None => (Complex64::ZERO, value),
        }
    }

    /// Displacement of each point at a time, in metres; `None` while the layer is off.
    pub(super) fn pushes(&self, t: f64, w: &mut Vec<Warning>) -> Option<Vec<f64>> {
        if !self.on.at(t) {
            return None;
        }
        let ((x, rest), slosh) = (self.value(t, w), self.slosh.at(t, w));
        Some(self.field.displacements(slosh, x, rest).collect())
    }

    pub(super) fn is_still(&self) -> bool {
        self.drive.is_constant() && self.slosh.is_constant() && self.on.is_constant()
    }
}

/// A field on a mesh.
#[derive(Debug)]
pub(super) struct BoundJiggle {
    driven: Driven,
    /// Nothing: along the normals of the file.
    direction: Option<Channel<DVec3>>,
}

impl BoundJiggle {
    pub(super) fn bind(record: &Record, rest: &Mesh) -> Self {
        // Formulas that fail are reported with the diagnostics about files.
        let field = on_mesh(record, rest).unwrap_or_default();
        let direction = match record.choice("along") {
            Some("normal") => None,
            _ => Some(record.vector("direction").cloned().unwrap_or(DVec3::Z.into())),
        };
        Self { driven: Driven::bind(record, field), direction }
    }

    /// Displaces the points of a mesh in its rest space, before it is placed.
    pub(super) fn push(&self, rest: &Mesh, t: f64, points: &mut [DVec3], w: &mut Vec<Warning>) {
        let Some(pushes) = self.driven.pushes(t, w) else { return };
        let all = self.direction.as_ref().map(|d| d.at(t).normalize_or(DVec3::Z));
        for (i, (point, push)) in points.iter_mut().zip(pushes).enumerate() {
            *point += all.unwrap_or(rest.normals()[i]) * push;
        }
    }

    pub(super) fn is_still(&self) -> bool {
        self.driven.is_still() && self.direction.as_ref().is_none_or(Channel::is_constant)
    }
}

/// The field of a jiggle on the points of a mesh.
pub(crate) fn on_mesh(record: &Record, rest: &Mesh) -> Result<Field, FormulaError> {
    let mut sites = PointAttributes::of_points(rest.points()).with_normals(rest.normals());
    for attribute in rest.shape().attributes() {
        // An attribute whose name is not an identifier cannot occur in a formula.
        if let Ok(more) = sites.clone().with_attribute(&attribute.name, &attribute.values) {
            sites = more;
        }
    }
    field_of(record, &sites, rest.points().len())
}

/// Amplitude and lag of a record at all points, as weights.
fn field_of(
    record: &Record,
    sites: &PointAttributes<'_>,
    count: usize,
) -> Result<Field, FormulaError> {
    let values = |name: &str| match record.per_point(name) {
        Some(PerPoint::Uniform(value)) => Ok(vec![*value; count]),
        Some(PerPoint::Along(points)) => {
            let place = |i: usize| i as f64 / (count.max(2) - 1) as f64;
            Ok((0..count).map(|i| interpolate_linear(points, place(i))).collect())
        }
        Some(PerPoint::Formula(text)) => Formula::parse(text, sites)?.over(sites),
        None => Ok(vec![0.0; count]),
    };
    let (amplitudes, lags) = (values("amplitude")?, values("lag")?);
    // Larger lags are later.
    let weight = |(a, lag): (f64, f64)| field::weight(a, -ops::radians(lag));
    Ok(Field { weights: amplitudes.into_iter().zip(lags).map(weight).collect() })
}
