//! A field painted on the mesh that it moves: hue is the lag of a point, saturation its amplitude.
//!
//! The colours depend on the field, not on the driving curve: they change only where `slosh` is
//! keyed. A field that is switched off can be painted too.
//!
//! Tests: `a_painted_jiggle_shows_lag_as_hue_and_amplitude_as_saturation`,
//! `a_painted_mode_shows_motion_along_its_main_direction`,
//! `colours_depend_only_on_the_field_and_its_slosh`, `paint_does_not_stay_in_memory`,
//! `one_field_is_painted_at_a_time_and_never_on_ropes`.

use std::sync::{Arc, OnceLock};

use lariat_core::geometry::Mesh;
use lariat_core::modes::paint;
use lariat_scene::check::{Code, Diagnostic};
use lariat_scene::lower::Record;
use num_complex::Complex64;

use super::{jiggle, modes};
use crate::assets::Assets;
use crate::number::Number;

/// The field that a mesh shows.
#[derive(Debug)]
pub(super) struct Paint {
    /// One for each point.
    weights: Vec<Complex64>,
    slosh: Number,
    /// The colours, if they are constant.
    colours: OnceLock<Arc<[[f64; 3]]>>,
}

impl Paint {
    /// The first painted field of a body; `None` if it has errors, which have been reported.
    pub(super) fn bind(body: &Record, rest: &Mesh, assets: &Assets) -> Option<Self> {
        let (list, _, record) = painted(body).next()?;
        let weights = if list == "jiggles" {
            jiggle::on_mesh(record, rest).ok()?.weights
        } else {
            let mode = modes::weights(body, record, rest.points().len(), assets).ok()?;
            paint::along(&mode, paint::main_direction(&mode))
        };
        Some(Self { weights, slosh: Number::of(record, "slosh"), colours: OnceLock::new() })
    }

    /// The colour of every point at a time.
    pub(super) fn colours(&self, t: f64) -> Arc<[[f64; 3]]> {
        // Warnings about the slosh are added where it moves points.
        let now = || paint::colours(&self.weights, self.slosh.at(t, &mut Vec::new())).into();
        if self.slosh.is_constant() { self.colours.get_or_init(now).clone() } else { now() }
    }

    /// Sets the colours of a mesh, or removes those that its memory still has.
    pub(super) fn put(paint: Option<&Self>, t: f64, mesh: &mut Mesh) {
        let put = mesh.set_colours(paint.map(|paint| paint.colours(t)));
        debug_assert!(put.is_ok(), "a field has a weight for each point of its mesh");
    }
}

/// A field of a body: name of its list, index in that list, record.
type Listed<'r> = (&'static str, usize, &'r Record);

/// Every painted field of a body.
fn painted(body: &Record) -> impl Iterator<Item = Listed<'_>> {
    let known = |list: &&str| body.record_type().field(list).is_some();
    let fields = ["jiggles", "modes"].into_iter().filter(known).flat_map(|list| {
        let records = body.records(list).iter().enumerate();
        records.map(move |(place, record)| (list, place, record))
    });
    fields.filter(|(.., record)| record.switch("painted").is_some_and(|painted| painted.at(0.0)))
}

/// Diagnostics about the painted fields of a body.
pub(crate) fn diagnostics(body: &Record, is_mesh: bool) -> Vec<Diagnostic> {
    let mut all = painted(body);
    let Some((list, place, first)) = all.next() else { return Vec::new() };
    if !is_mesh {
        let message =
            format!("a mode is painted on body `{}`, which is made of ropes", body.name());
        let diagnostic = Diagnostic::new(Code::PaintedRopes, message)
            .label(first.span("painted"), first.path_of("painted"), "a rope has one colour")
            .help("remove `painted`; only meshes have a colour for each point");
        return vec![diagnostic];
    }
    let twice = |(.., second): Listed<'_>| {
        let already = format!("`{list}[{place}]` is already painted");
        Diagnostic::new(
            Code::PaintedTwice,
            format!("two fields are painted on body `{}`", body.name()),
        )
        .label(second.span("painted"), second.path_of("painted"), already)
        .help("keep `painted` on one of them, or make a body for each")
        .note("until then the first one is shown")
    };
    all.map(twice).collect()
}
