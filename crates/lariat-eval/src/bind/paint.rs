//! A field painted on the mesh that it moves: hue is how late a point moves, saturation how far.
//!
//! The colours belong to the field and not to the moment: they stay while the mesh moves, whatever
//! drives it, and change only where `slosh` is keyed. A field that is switched off can be looked at
//! too.
//!
//! Tests: `a_painted_jiggle_shows_lag_as_hue_and_amplitude_as_saturation`,
//! `a_painted_mode_shows_how_points_move_along_its_main_direction`,
//! `colours_follow_the_slosh_and_nothing_else`, `paint_does_not_stay_in_memory`,
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
    /// If they are always the same.
    colours: OnceLock<Arc<[[f64; 3]]>>,
}

impl Paint {
    /// The first field of a body that is painted on its mesh. What is wrong with it has been told.
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
        // Whatever there is to say about the slosh is said where it moves points.
        let now = || paint::colours(&self.weights, self.slosh.at(t, &mut Vec::new())).into();
        if self.slosh.is_constant() { self.colours.get_or_init(now).clone() } else { now() }
    }

    /// Gives a mesh its colours, or takes away those that its memory still has.
    pub(super) fn put(paint: Option<&Self>, t: f64, mesh: &mut Mesh) {
        let put = mesh.set_colours(paint.map(|paint| paint.colours(t)));
        debug_assert!(put.is_ok(), "a field has a weight for each point of its mesh");
    }
}

/// A field of a body: which list it is in, at which place, and what it says.
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

/// What is wrong with what is painted on a body.
pub(crate) fn diagnostics(body: &Record, is_mesh: bool) -> Vec<Diagnostic> {
    let mut all = painted(body);
    let Some((list, place, first)) = all.next() else { return Vec::new() };
    if !is_mesh {
        let message =
            format!("a mode is painted on body `{}`, which is made of ropes", body.name());
        let diagnostic = Diagnostic::new(Code::PaintedRopes, message)
            .label(first.span("painted"), first.path_of("painted"), "a rope has one colour")
            .help("take `painted` out; only the points of meshes have colours of their own");
        return vec![diagnostic];
    }
    let twice = |(.., second): Listed<'_>| {
        let already = format!("`{list}[{place}]` is painted already");
        Diagnostic::new(
            Code::PaintedTwice,
            format!("two fields are painted on body `{}`", body.name()),
        )
        .label(second.span("painted"), second.path_of("painted"), already)
        .help("leave `painted` with one of them, or make a body for each")
        .note("until then the first is seen")
    };
    all.map(twice).collect()
}
