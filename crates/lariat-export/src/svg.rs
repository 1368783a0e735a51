//! SVG: a drawing for documents and previews, with one picture per frame on a sheet.
//!
//! An orthographic view with the vertical axis up. Strands are cut into short runs and painted from
//! far to near, each over a halo in the colour of the paper, so that crossings are readable. A
//! round strand gets a highlight stripe; a flat strand and the front faces of a mesh are shaded by
//! their angle to the light. Shadows fall straight down. This is a drawing, not a render: no
//! perspective, no hidden surfaces within a run.
//!
//! All frames share one scale, so they are evaluated twice, once to find it and once to draw.
//!
//! Tests: `near_strokes_are_painted_last`, `a_tapered_rope_and_its_shadow_narrow_evenly`.

use std::fmt::Write as _;
use std::io::Write;
use std::ops::Range;

use glam::{DVec2, DVec3};
use lariat_core::geometry::{Bounds, Footage, Mesh, Profile, Strand};
use lariat_core::motion::Colour;
use lariat_core::num::ops;

use crate::mesh::check;
use crate::still::Place;
use crate::{ExportError, Options, Progress, Summary, Timing};

/// Width of one picture on the sheet, in pixels.
const WIDTH: f64 = 420.0;
/// Margin around the drawing, in pixels.
const MARGIN: f64 = 18.0;
/// Colour of the paper.
const PAPER: &str = "#f7f5f0";
/// Smallest line width in pixels; thinner lines would vanish.
const THINNEST: f64 = 1.3;
/// Points closer than this on paper, in pixels, are left out.
const FINEST: f64 = 0.4;
/// Segments per run: short enough for sorting by depth, long enough for small files.
const RUN: usize = 4;
/// Offset of the highlight stripe from the centre line, in widths of the strand.
const STRIPE: DVec2 = DVec2::new(-0.12, -0.16);
/// A floor further below than this share of the height is left out.
const NEAR: f64 = 0.5;
/// Limit on the points of one drawing.
const MOST_POINTS: u64 = 2_000_000;

/// Draws all bodies at every requested frame.
pub fn write(
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    let frames = timing.frames();
    let mut summary = Summary {
        bodies: footage.body_count() as u64,
        frames: frames.len() as u64,
        ..Summary::default()
    };
    let total = 2 * frames.len() as u64;
    let mut strands = Vec::new();
    let mut all = Drawn::default();
    let mut bounds = Bounds::EMPTY;
    for (done, frame) in frames.iter().enumerate() {
        report_progress(progress, done as u64, total)?;
        gather(footage, *frame, &mut strands, &mut all)?;
        bounds = all.strands.iter().map(Bounds::of).fold(bounds, Bounds::union);
        bounds = all.meshes.iter().map(Bounds::of_mesh).fold(bounds, Bounds::union);
        summary.points += all.strands.iter().map(|s| s.points().len() as u64).sum::<u64>();
        summary.points += all.meshes.iter().map(|m| m.points().len() as u64).sum::<u64>();
        summary.strands = summary.strands.max(all.strands.len() as u64);
        summary.meshes = summary.meshes.max(all.meshes.len() as u64);
        if summary.points > MOST_POINTS {
            return Err(ExportError::TooMuchToDraw { points: summary.points, most: MOST_POINTS });
        }
    }
    let sheet = Sheet::new(bounds, frames.len(), options.view);
    let mut text = sheet.head();
    for (at, frame) in frames.iter().enumerate() {
        report_progress(progress, (frames.len() + at) as u64, total)?;
        gather(footage, *frame, &mut strands, &mut all)?;
        sheet.picture(at, *frame, &all, &mut text);
        out.write_all(text.as_bytes())?;
        summary.bytes += text.len() as u64;
        text.clear();
    }
    text.push_str("</svg>\n");
    out.write_all(text.as_bytes())?;
    summary.bytes += text.len() as u64;
    report_progress(progress, total, total)?;
    Ok(summary)
}

fn report_progress(progress: &dyn Progress, done: u64, total: u64) -> Result<(), ExportError> {
    progress.advance(done, total);
    if progress.cancelled() { Err(ExportError::Cancelled) } else { Ok(()) }
}

/// Contents of one picture.
#[derive(Default)]
struct Drawn {
    strands: Vec<Strand>,
    meshes: Vec<Mesh>,
}

/// Strands and meshes of all bodies at a frame.
fn gather(
    footage: &dyn Footage,
    frame: i64,
    strands: &mut Vec<Strand>,
    all: &mut Drawn,
) -> Result<(), ExportError> {
    all.strands.clear();
    all.meshes.clear();
    for body in 0..footage.body_count() {
        footage.strands(body, frame as f64, strands);
        for strand in strands.drain(..) {
            if let Some((what, index, value)) = not_finite(&strand) {
                let (body, strand) = (footage.body_name(body).to_owned(), strand.name.to_string());
                return Err(ExportError::NotFinite { body, strand, frame, index, what, value });
            }
            all.strands.push(strand);
        }
        let mut mesh = None;
        footage.mesh(body, frame as f64, &mut mesh);
        if let Some(mesh) = mesh {
            let strand = mesh.name.clone();
            check(&mesh, &Place { body: footage.body_name(body), strand: &strand, frame })?;
            all.meshes.push(mesh);
        }
    }
    Ok(())
}

/// First value of a strand that is not finite: property, point, value.
fn not_finite(strand: &Strand) -> Option<(&'static str, usize, f64)> {
    let bad = |what, values: &mut dyn Iterator<Item = f64>| {
        values.enumerate().find(|(_, v)| !v.is_finite()).map(|(at, v)| (what, at, v))
    };
    let positions = &mut strand.points().iter().flat_map(DVec3::to_array);
    bad("position", positions)
        .map(|(what, at, v)| (what, at / 3, v))
        .or_else(|| bad("radius", &mut strand.radius().iter().copied()))
        .or_else(|| bad("twist", &mut strand.twist().iter().copied()))
}

/// Layout of the sheet and projection onto it.
struct Sheet {
    right: DVec3,
    up: DVec3,
    towards: DVec3,
    /// Pixels per metre.
    scale: f64,
    /// Upper left corner of a picture, in metres on paper.
    corner: DVec2,
    height: f64,
    columns: usize,
    rows: usize,
    /// Height of the ground with shadows, if it is in the picture.
    ground: Option<f64>,
    numbered: bool,
}

/// A stroke with its depth.
struct Stroke {
    depth: f64,
    text: String,
}

impl Sheet {
    fn new(bounds: Bounds, frames: usize, (azimuth, elevation): (f64, f64)) -> Self {
        let ((sa, ca), (se, ce)) =
            (ops::sin_cos(ops::radians(azimuth)), ops::sin_cos(ops::radians(elevation)));
        let right = DVec3::new(ca, sa, 0.0);
        let towards = DVec3::new(sa * ce, -ca * ce, se);
        let up = towards.cross(right);
        let bounds =
            if bounds.is_empty() { Bounds { low: DVec3::ZERO, high: DVec3::ONE } } else { bounds };
        // Shadows lie on the floor, or below everything if something is under it.
        let floor = bounds.low.z.min(0.0);
        let ground = (bounds.low.z - floor < NEAR * (bounds.high - bounds.low).max_element())
            .then_some(floor);
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for k in 0..8 {
            let pick = |bit: usize, a: f64, b: f64| if k >> bit & 1 == 0 { a } else { b };
            for z in [pick(2, bounds.low.z, bounds.high.z), ground.unwrap_or(bounds.low.z)] {
                let p = DVec3::new(
                    pick(0, bounds.low.x, bounds.high.x),
                    pick(1, bounds.low.y, bounds.high.y),
                    z,
                );
                let q = DVec2::new(p.dot(right), p.dot(up));
                (low, high) = (low.min(q), high.max(q));
            }
        }
        let size = (high - low).max(DVec2::splat(1e-6));
        let scale = ((WIDTH - 2.0 * MARGIN) / size.x).min(1.6 * WIDTH / size.y);
        let columns = (frames as f64).sqrt().ceil().clamp(1.0, 6.0) as usize;
        let spare = WIDTH - 2.0 * MARGIN - size.x * scale;
        Self {
            right,
            up,
            towards,
            scale,
            corner: DVec2::new(low.x - 0.5 * spare / scale, high.y),
            height: size.y * scale + 2.0 * MARGIN,
            columns,
            rows: frames.div_ceil(columns),
            ground,
            numbered: frames > 1,
        }
    }

    fn head(&self) -> String {
        let (w, h) = (WIDTH * self.columns as f64, self.height * self.rows as f64);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" \
             fill=\"none\" stroke-linejoin=\"round\" font-family=\"sans-serif\">\n<rect width=\"{w:.0}\" height=\"{h:.0}\" fill=\"{PAPER}\"/>\n"
        )
    }

    fn picture(&self, at: usize, frame: i64, all: &Drawn, text: &mut String) {
        let (x, y) = ((at % self.columns) as f64 * WIDTH, (at / self.columns) as f64 * self.height);
        let _ = writeln!(text, "<g transform=\"translate({x:.1} {y:.1})\">");
        for strand in &all.strands {
            self.shadow(strand, text);
        }
        for mesh in &all.meshes {
            self.mesh_shadow(mesh, text);
        }
        let mut strokes = Vec::new();
        for mesh in &all.meshes {
            self.faces(mesh, &mut strokes);
        }
        for strand in &all.strands {
            match strand.profile {
                Profile::Round => self.round(strand, &mut strokes),
                _ => self.flat(strand, &mut strokes),
            }
        }
        strokes.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        for stroke in &strokes {
            text.push_str(&stroke.text);
        }
        if self.numbered {
            let (x, y) = (MARGIN * 0.6, self.height - MARGIN * 0.5);
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"13\" fill=\"#8a857a\">{frame}</text>"
            );
        }
        text.push_str("</g>\n");
    }

    fn on_paper(&self, p: DVec3) -> DVec2 {
        let q = DVec2::new(p.dot(self.right), p.dot(self.up)) - self.corner;
        DVec2::new(MARGIN + q.x * self.scale, MARGIN - q.y * self.scale)
    }

    /// Points as an SVG path, without coincident ones.
    fn path(&self, points: impl Iterator<Item = DVec3>) -> String {
        let mut text = String::new();
        let mut before: Option<DVec2> = None;
        let mut points = points.map(|p| self.on_paper(p)).peekable();
        while let Some(p) = points.next() {
            let near = before.is_some_and(|b| b.distance(p) < FINEST) && points.peek().is_some();
            if !near {
                let _ = write!(
                    text,
                    "{}{:.1} {:.1}",
                    if before.is_none() { "M" } else { " " },
                    p.x,
                    p.y
                );
                before = Some(p);
            }
        }
        text
    }

    fn shadow(&self, strand: &Strand, text: &mut String) {
        let Some(ground) = self.ground else { return };
        if is_tapered(strand) {
            let below = |p: DVec3| DVec3::new(p.x, p.y, ground);
            let path = self.ribbon(strand, 0..strand.points().len(), &below, 1.0, 0.0);
            let _ = writeln!(text, "<path d=\"{path}\" fill=\"#000\" fill-opacity=\"0.07\"/>");
            return;
        }
        let flat = strand.points().iter().map(|p| DVec3::new(p.x, p.y, ground));
        let width = self.width(strand, 0, strand.points().len());
        let path = self.path(flat);
        let _ = writeln!(
            text,
            "<path d=\"{path}\" stroke=\"#000\" stroke-opacity=\"0.07\" stroke-width=\"{width:.1}\"/>"
        );
    }

    /// One group, so that overlapping faces are not darker.
    fn mesh_shadow(&self, mesh: &Mesh, text: &mut String) {
        let Some(ground) = self.ground else { return };
        text.push_str("<g fill=\"#000\" opacity=\"0.07\">\n");
        for face in faces(mesh) {
            let below = face.iter().map(|point| {
                let p = mesh.points()[*point as usize];
                DVec3::new(p.x, p.y, ground)
            });
            let _ = writeln!(text, "<path d=\"{}Z\"/>", self.path(below));
        }
        text.push_str("</g>\n");
    }

    /// Front faces, shaded by their angle to the light.
    fn faces(&self, mesh: &Mesh, strokes: &mut Vec<Stroke>) {
        let light = DVec3::new(-0.35, -0.5, 0.8);
        for face in faces(mesh) {
            let at = |k: usize| mesh.points()[face[k % face.len()] as usize];
            let normal: DVec3 =
                (2..face.len()).map(|k| (at(k - 1) - at(0)).cross(at(k) - at(0))).sum();
            let normal = normal.normalize_or_zero();
            if normal.dot(self.towards) <= 0.0 {
                continue;
            }
            let share = 1.0 / face.len() as f64;
            let colour = match mesh.colours() {
                Some(colours) => {
                    let sum: DVec3 = face.iter().map(|p| DVec3::from(colours[*p as usize])).sum();
                    (sum * share).to_array()
                }
                None => mesh.look.colour,
            };
            let colour = shade(colour, 0.7 + 0.9 * normal.dot(light).max(0.0));
            let path = self.path((0..face.len()).map(at));
            let middle = (0..face.len()).map(at).sum::<DVec3>() * share;
            let text = format!(
                "<path d=\"{path}Z\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.6\"/>\n"
            );
            strokes.push(Stroke { depth: middle.dot(self.towards), text });
        }
    }

    /// Width on paper of the samples `from..to`.
    fn width(&self, strand: &Strand, from: usize, to: usize) -> f64 {
        let radii = &strand.radius()[from..to];
        let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
        (2.0 * mean * self.scale).max(THINNEST)
    }

    /// Outline of the samples in `range`, each `times` its thickness and shifted by `towards_light`
    /// of the stripe's offset; `place` may move them.
    ///
    /// A sample has the same two corners in every range, so overlapping ranges coincide.
    fn ribbon(
        &self,
        strand: &Strand,
        range: Range<usize>,
        place: &dyn Fn(DVec3) -> DVec3,
        times: f64,
        towards_light: f64,
    ) -> String {
        let points = strand.points();
        let at = |i: usize| self.on_paper(place(points[i]));
        let corners = range.clone().map(|i| {
            let width = self.width(strand, i, i + 1);
            let along = at((i + 1).min(points.len() - 1)) - at(i.saturating_sub(1));
            // A rope along the view direction has no sides on paper; any direction will do.
            let side = along.perp().try_normalize().unwrap_or(DVec2::Y);
            // Shifted across the rope only, so that the stripe ends with the rope.
            let moved = side * (STRIPE.dot(side) * towards_light * width);
            (at(i) + moved, side * (0.5 * times * width))
        });
        let corners: Vec<(DVec2, DVec2)> = corners.collect();
        let there = corners.iter().map(|(middle, side)| *middle + *side);
        let back = corners.iter().rev().map(|(middle, side)| *middle - *side);
        let text: Vec<String> =
            there.chain(back).map(|p| format!("{:.1} {:.1}", p.x, p.y)).collect();
        format!("M{}Z", text.join(" "))
    }

    /// A rope of varying thickness, drawn as outlines: lines of constant width would look like
    /// beads.
    fn tapered(&self, strand: &Strand, strokes: &mut Vec<Stroke>) {
        let points = strand.points();
        let (dark, light) = (shade(strand.look.colour, 0.72), shade(strand.look.colour, 1.5));
        for from in (0..points.len().saturating_sub(1)).step_by(RUN) {
            let to = (from + RUN + 1).min(points.len());
            let wider = from.saturating_sub(1)..(to + 1).min(points.len());
            let width = self.width(strand, from, to);
            let outline = |range: Range<usize>, times: f64, towards_light: f64| {
                self.ribbon(strand, range, &|p| p, times, towards_light)
            };
            let mut text = String::new();
            let halo = outline(from..to, (width + 2.0) / width, 0.0);
            let _ = writeln!(text, "<path d=\"{halo}\" fill=\"{PAPER}\"/>");
            let body = outline(wider.clone(), 1.0, 0.0);
            let _ = writeln!(
                text,
                "<path d=\"{body}\" fill=\"{dark}\" stroke=\"{dark}\" stroke-width=\"0.6\"/>"
            );
            if width > 2.5 {
                let stripe = outline(wider, 0.4, 1.0);
                let _ = writeln!(
                    text,
                    "<path d=\"{stripe}\" fill=\"{light}\" stroke=\"{light}\" stroke-width=\"0.6\"/>"
                );
            }
            let middle = points[from + (to - from) / 2];
            strokes.push(Stroke { depth: middle.dot(self.towards), text });
        }
    }

    fn round(&self, strand: &Strand, strokes: &mut Vec<Stroke>) {
        if is_tapered(strand) {
            return self.tapered(strand, strokes);
        }
        let points = strand.points();
        let (dark, light) = (shade(strand.look.colour, 0.72), shade(strand.look.colour, 1.5));
        for from in (0..points.len().saturating_sub(1)).step_by(RUN) {
            let to = (from + RUN + 1).min(points.len());
            let width = self.width(strand, from, to);
            // Extended a little on both sides, so that runs meet without gaps.
            let path = self
                .path(points[from.saturating_sub(1)..(to + 1).min(points.len())].iter().copied());
            let halo = self.path(points[from..to].iter().copied());
            let middle = points[from + (to - from) / 2];
            let mut text = String::new();
            let _ = writeln!(
                text,
                "<path d=\"{halo}\" stroke=\"{PAPER}\" stroke-width=\"{:.1}\"/>",
                width + 2.0
            );
            let _ = writeln!(
                text,
                "<path d=\"{path}\" stroke=\"{dark}\" stroke-width=\"{width:.1}\" stroke-linecap=\"round\"/>"
            );
            if width > 2.5 {
                let stripe = 0.4 * width;
                let _ = writeln!(
                    text,
                    "<path d=\"{path}\" stroke=\"{light}\" stroke-width=\"{stripe:.1}\" stroke-linecap=\"round\" transform=\"translate({:.1} {:.1})\"/>",
                    STRIPE.x * width,
                    STRIPE.y * width
                );
            }
            strokes.push(Stroke { depth: middle.dot(self.towards), text });
        }
    }

    /// A strap: its widest line swept, each step a face shaded by its angle to the light.
    fn flat(&self, strand: &Strand, strokes: &mut Vec<Stroke>) {
        let (Profile::Closed(outline) | Profile::Open(outline)) = &strand.profile else { return };
        let extreme = |sign: f64| {
            outline.iter().copied().max_by(|a, b| (sign * a.x).total_cmp(&(sign * b.x)))
        };
        let (Some(left), Some(right)) = (extreme(-1.0), extreme(1.0)) else { return };
        let light = DVec3::new(-0.35, -0.5, 0.8);
        let edge = |i: usize, corner: DVec2| {
            let frame = strand.frames()[i].twisted(strand.twist()[i]);
            let r = strand.radius()[i];
            strand.points()[i] + frame.normal() * (r * corner.x) + frame.binormal() * (r * corner.y)
        };
        for i in 0..strand.points().len().saturating_sub(1) {
            let corners = [edge(i, left), edge(i, right), edge(i + 1, right), edge(i + 1, left)];
            let facing =
                (corners[1] - corners[0]).cross(corners[3] - corners[0]).normalize_or_zero();
            let colour = shade(strand.look.colour, 0.7 + 0.9 * facing.dot(light).abs());
            let path = self.path(corners.iter().copied());
            let middle = 0.25 * corners.iter().copied().sum::<DVec3>();
            let text = format!(
                "<path d=\"{path}Z\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.6\"/>\n"
            );
            strokes.push(Stroke { depth: middle.dot(self.towards), text });
        }
    }
}

/// Corners of each face of a mesh.
fn faces(mesh: &Mesh) -> impl Iterator<Item = &[u32]> {
    let mut left = mesh.shape().corners();
    mesh.shape().counts().iter().map(move |count| {
        let (face, after) = left.split_at(*count as usize);
        left = after;
        face
    })
}

/// Whether the thickness varies along a strand.
fn is_tapered(strand: &Strand) -> bool {
    strand.radius().windows(2).any(|r| r[0] != r[1])
}

/// A linear colour scaled, as sRGB.
fn shade(colour: [f64; 3], by: f64) -> String {
    // A little ambient light, or black would hide every stripe.
    Colour(colour.map(|c| c * by + 0.012 * by)).to_hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_core::geometry::{Look, RecordedFootage, Sweep};
    use lariat_core::motion::FrameRate;

    fn take() -> RecordedFootage {
        let rope = |z: f64| {
            let points: Vec<_> = (0..9).map(|i| DVec3::new(f64::from(i) * 0.25, 0.0, z)).collect();
            let mut strand =
                Strand::empty("rope", Look { name: "rope".into(), colour: [0.5, 0.2, 0.1] });
            strand.sweep(&points, &Sweep::round(DVec3::Z, 0.02));
            strand
        };
        let bodies = vec![("line".to_owned(), vec![vec![rope(1.0)], vec![rope(1.5)]])];
        RecordedFootage { first: 1, bodies, meshes: Vec::new() }
    }

    fn drawn(frames: std::ops::RangeInclusive<i64>, view: (f64, f64)) -> (String, Summary) {
        let timing = Timing::new(FrameRate::FILM, frames).unwrap();
        let options = Options { view, ..Options::default() };
        let mut out = Vec::new();
        let summary = write(&take(), &timing, &options, &mut out, &crate::NoProgress).unwrap();
        (String::from_utf8(out).unwrap(), summary)
    }

    #[test]
    fn a_drawing_is_complete_and_counts_are_right() {
        let (text, summary) = drawn(1..=2, (-25.0, 15.0));
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert_eq!(text.matches("<g ").count(), 2);
        assert!(text.contains(">1</text>") && text.contains(">2</text>"));
        assert_eq!((summary.frames, summary.points, summary.bytes), (2, 18, text.len() as u64));
    }

    #[test]
    fn seen_from_the_front_x_is_right_and_z_is_up() {
        let timing = Timing::new(FrameRate::FILM, 1..=2).unwrap();
        let sheet = Sheet::new(
            Bounds { low: DVec3::ZERO, high: DVec3::new(2.0, 0.0, 1.0) },
            timing.frames().len(),
            (0.0, 0.0),
        );
        let (a, b) = (sheet.on_paper(DVec3::ZERO), sheet.on_paper(DVec3::new(2.0, 7.0, 1.0)));
        assert!((b.x - a.x - (WIDTH - 2.0 * MARGIN)).abs() < 1e-9, "the width is filled");
        assert!(b.y < a.y && (b.y - MARGIN).abs() < 1e-9, "up is up, and Y goes into the paper");
    }

    fn tapered() -> Strand {
        let points: Vec<_> = (0..9).map(|i| DVec3::new(f64::from(i) * 0.25, 0.0, 1.0)).collect();
        let radii: Vec<f64> = (0..9).map(|i| 0.09 - 0.01 * f64::from(i)).collect();
        let mut strand =
            Strand::empty("rope", Look { name: "rope".into(), colour: [0.5, 0.2, 0.1] });
        strand.sweep(&points, &Sweep::round(DVec3::Z, 1.0));
        strand.set_radius(&radii);
        strand
    }

    #[test]
    fn a_tapered_rope_and_its_shadow_narrow_evenly() {
        let bounds = Bounds { low: DVec3::ZERO, high: DVec3::new(2.0, 0.0, 1.0) };
        let sheet = Sheet::new(bounds, 1, (0.0, 30.0));
        let strand = tapered();
        // Corners of an outline: along one side and back along the other.
        let widths = |text: &str| -> Vec<f64> {
            let numbers: Vec<f64> =
                text.trim_matches(['M', 'Z']).split(' ').map(|n| n.parse().unwrap()).collect();
            let corners: Vec<DVec2> = numbers.chunks(2).map(|c| DVec2::new(c[0], c[1])).collect();
            let n = corners.len();
            (0..n / 2).map(|i| corners[i].distance(corners[n - 1 - i])).collect()
        };
        let outline = widths(&sheet.ribbon(&strand, 0..9, &|p| p, 1.0, 0.0));
        for (width, radius) in outline.iter().zip(strand.radius()) {
            assert!((width - 2.0 * radius * sheet.scale).abs() < 0.2, "{outline:?}");
        }
        // Overlapping runs coincide.
        let (a, b) = (
            sheet.ribbon(&strand, 0..5, &|p| p, 0.4, 1.0),
            sheet.ribbon(&strand, 3..9, &|p| p, 0.4, 1.0),
        );
        let there = |text: &str, at: usize| {
            text[1..].split(' ').skip(2 * at).take(2).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!((there(&a, 3), there(&a, 4)), (there(&b, 0), there(&b, 1)));
        let mut shadow = String::new();
        sheet.shadow(&strand, &mut shadow);
        let path = shadow.split('"').nth(1).unwrap();
        let shadow = widths(path);
        assert!(shadow[0] > 5.0 * shadow[8], "{shadow:?}");
    }

    #[test]
    fn near_strokes_are_painted_last() {
        let sheet = Sheet::new(Bounds { low: DVec3::ZERO, high: DVec3::ONE }, 1, (0.0, 0.0));
        assert!(DVec3::NEG_Y.dot(sheet.towards) > DVec3::Y.dot(sheet.towards));
    }
}
