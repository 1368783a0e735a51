//! Cameras in USD: looking along their −Z axis, with an aperture and a focal length.
//!
//! USD measures apertures and focal lengths in tenths of a unit, here of a metre: an aperture of
//! 0.24 is 24 mm high. The vertical angle of view `a` gives the focal length `film / (2 tan(a/2))`.
//! The horizontal aperture is that of 16:9; tools with another aspect ratio fit it. An orthographic
//! aperture is as large as the view, and the focal length has no meaning.
//!
//! Tests: `a_camera_in_usd_has_the_same_view`, `a_camera_that_stands_still_is_written_once`.

use glam::DVec3;
use lariat_core::geometry::{Camera, Footage, Lens};
use lariat_core::num::ops;

use crate::still::Place;
use crate::text_buffer::TextBuffer;
use crate::{ExportError, Timing};

/// Aperture height of perspective cameras in tenths of a metre: that of 35 mm film, so that focal
/// lengths have their usual meaning.
const FILM: f64 = 0.24;

/// Aspect ratio of a picture.
const ASPECT: f64 = 16.0 / 9.0;

/// Tenths in a unit.
const TENTHS: f64 = 10.0;

/// Constant attributes of every camera. The default of USD clips everything closer than a metre.
const FIXED: &str = "        float2 clippingRange = (0.01, 100000)\n";

/// A lens in USD's numbers.
#[derive(Clone, Copy, PartialEq)]
struct Film {
    height: f64,
    focal_length: f64,
}

impl Film {
    fn of(lens: Lens) -> Self {
        match lens {
            Lens::Perspective { angle } => {
                Self { height: FILM, focal_length: FILM / (2.0 * ops::tan(0.5 * angle)) }
            }
            Lens::Orthographic { height } => Self { height: TENTHS * height, focal_length: 0.5 },
        }
    }
}

/// All cameras of the footage, each under its prim name.
pub(super) fn all(
    footage: &dyn Footage,
    timing: &Timing,
    prims: &[String],
) -> Result<TextBuffer, ExportError> {
    let mut out = TextBuffer::new();
    for (index, (name, prim)) in footage.camera_names().into_iter().zip(prims).enumerate() {
        let frames = timing.frames();
        let samples: Vec<(i64, Camera)> = frames
            .iter()
            .filter_map(|&frame| Some((frame, footage.camera(index, frame as f64)?)))
            .collect();
        if !samples.is_empty() {
            write(name, prim, &samples, &mut out)?;
        }
    }
    Ok(out)
}

fn write(
    name: &str,
    prim: &str,
    samples: &[(i64, Camera)],
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    out.text("\n    def Camera \"");
    out.text(prim);
    out.text("\"\n    {\n        custom string lariat:name = ");
    out.usd_string(name);
    out.byte(b'\n');
    out.text(FIXED);
    if matches!(samples[0].1.lens, Lens::Orthographic { .. }) {
        out.text("        token projection = \"orthographic\"\n");
    }
    let films: Vec<(i64, Film)> = samples.iter().map(|(f, c)| (*f, Film::of(c.lens))).collect();
    let number = |what: &'static str, of: fn(Film) -> f64| {
        move |frame: i64, film: &Film, out: &mut TextBuffer| {
            let place = Place { body: name, strand: "camera", frame };
            out.single(place.single(0, what, of(*film))?);
            Ok(())
        }
    };
    attribute(out, "float focalLength", &films, number("focal length", |film| film.focal_length))?;
    let width = number("film width", |film| ASPECT * film.height);
    attribute(out, "float horizontalAperture", &films, width)?;
    attribute(out, "float verticalAperture", &films, number("film height", |film| film.height))?;
    attribute(out, "matrix4d xformOp:transform", samples, |frame, camera, out| {
        let place = Place { body: name, strand: "camera", frame };
        let [right, up, back] = camera.axes();
        let rows = [(right, 0.0), (up, 0.0), (back, 0.0), (camera.eye, 1.0)];
        out.text("( ");
        for (index, (row, last)) in rows.into_iter().enumerate() {
            vector(index, row, last, &place, out)?;
        }
        out.text(" )");
        Ok(())
    })?;
    out.text("        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n");
    Ok(())
}

/// One row of a matrix.
fn vector(
    index: usize,
    row: DVec3,
    last: f64,
    place: &Place,
    out: &mut TextBuffer,
) -> Result<(), ExportError> {
    out.open_vector(index);
    for value in row.to_array() {
        out.double(place.finite(index, "transform", value)?);
        out.byte(b',');
    }
    out.double(last);
    out.byte(b')');
    Ok(())
}

/// Writes an attribute: once if it is constant, otherwise as time samples.
fn attribute<T: PartialEq>(
    out: &mut TextBuffer,
    name: &str,
    samples: &[(i64, T)],
    mut value: impl FnMut(i64, &T, &mut TextBuffer) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (first, is) = &samples[0];
    out.text("        ");
    out.text(name);
    if samples.iter().all(|(_, other)| other == is) {
        out.text(" = ");
        value(*first, is, out)?;
        out.byte(b'\n');
        return Ok(());
    }
    out.text(".timeSamples = {\n");
    for (frame, is) in samples {
        out.text("            ");
        out.whole(*frame);
        out.text(": ");
        value(*frame, is, out)?;
        out.text(",\n");
    }
    out.text("        }\n");
    Ok(())
}
