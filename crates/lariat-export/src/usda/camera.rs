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

use crate::pen::Pen;
use crate::still::Place;
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
) -> Result<Pen, ExportError> {
    let mut pen = Pen::new();
    for (index, (name, prim)) in footage.camera_names().into_iter().zip(prims).enumerate() {
        let frames = timing.frames();
        let samples: Vec<(i64, Camera)> = frames
            .iter()
            .filter_map(|&frame| Some((frame, footage.camera(index, frame as f64)?)))
            .collect();
        if !samples.is_empty() {
            write(name, prim, &samples, &mut pen)?;
        }
    }
    Ok(pen)
}

fn write(
    name: &str,
    prim: &str,
    samples: &[(i64, Camera)],
    pen: &mut Pen,
) -> Result<(), ExportError> {
    pen.text("\n    def Camera \"");
    pen.text(prim);
    pen.text("\"\n    {\n        custom string lariat:name = ");
    pen.usd_string(name);
    pen.byte(b'\n');
    pen.text(FIXED);
    if matches!(samples[0].1.lens, Lens::Orthographic { .. }) {
        pen.text("        token projection = \"orthographic\"\n");
    }
    let films: Vec<(i64, Film)> = samples.iter().map(|(f, c)| (*f, Film::of(c.lens))).collect();
    let number = |what: &'static str, of: fn(Film) -> f64| {
        move |frame: i64, film: &Film, pen: &mut Pen| {
            let place = Place { body: name, strand: "camera", frame };
            pen.single(place.single(0, what, of(*film))?);
            Ok(())
        }
    };
    attribute(pen, "float focalLength", &films, number("focal length", |film| film.focal_length))?;
    let width = number("film width", |film| ASPECT * film.height);
    attribute(pen, "float horizontalAperture", &films, width)?;
    attribute(pen, "float verticalAperture", &films, number("film height", |film| film.height))?;
    attribute(pen, "matrix4d xformOp:transform", samples, |frame, camera, pen| {
        let place = Place { body: name, strand: "camera", frame };
        let [right, up, back] = camera.axes();
        let rows = [(right, 0.0), (up, 0.0), (back, 0.0), (camera.eye, 1.0)];
        pen.text("( ");
        for (index, (row, last)) in rows.into_iter().enumerate() {
            vector(index, row, last, &place, pen)?;
        }
        pen.text(" )");
        Ok(())
    })?;
    pen.text("        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n");
    Ok(())
}

/// One row of a matrix.
fn vector(
    index: usize,
    row: DVec3,
    last: f64,
    place: &Place,
    pen: &mut Pen,
) -> Result<(), ExportError> {
    pen.open_vector(index);
    for value in row.to_array() {
        pen.double(place.finite(index, "transform", value)?);
        pen.byte(b',');
    }
    pen.double(last);
    pen.byte(b')');
    Ok(())
}

/// Writes an attribute: once if it is constant, otherwise as time samples.
fn attribute<T: PartialEq>(
    pen: &mut Pen,
    name: &str,
    samples: &[(i64, T)],
    mut value: impl FnMut(i64, &T, &mut Pen) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (first, is) = &samples[0];
    pen.text("        ");
    pen.text(name);
    if samples.iter().all(|(_, other)| other == is) {
        pen.text(" = ");
        value(*first, is, pen)?;
        pen.byte(b'\n');
        return Ok(());
    }
    pen.text(".timeSamples = {\n");
    for (frame, is) in samples {
        pen.text("            ");
        pen.whole(*frame);
        pen.text(": ");
        value(*frame, is, pen)?;
        pen.text(",\n");
    }
    pen.text("        }\n");
    Ok(())
}
