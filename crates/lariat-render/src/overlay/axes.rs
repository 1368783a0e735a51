//! Frames along a strand, as three short axes: tangent blue, normal red, binormal green.
//!
//! The normal includes the twist, which makes twist visible on smooth surfaces. Axes have a
//! readable length at any scale of the scene, and extend beyond the strand.
//!
//! Tests: `twist_turns_the_axes`, `axes_are_spread_by_length`.

use glam::{DVec2, DVec3};
use lariat_core::{curve::Frame, geometry::Strand};

use super::canvas::{Canvas, Ink, SHADE};
use crate::Projection;

const TANGENT: Ink = Ink::full([72, 140, 255]);
const NORMAL: Ink = Ink::full([240, 72, 60]);
const BINORMAL: Ink = Ink::full([72, 205, 96]);

/// Length of an axis and distance between two frames, in pixels; largest number of frames per
/// strand.
const LONG: f64 = 24.0;
const APART: f64 = 64.0;
const MOST: f64 = 40.0;

/// Paints frames at equal distances along a strand.
pub fn axes(canvas: &mut Canvas<'_>, projection: &Projection, strand: &Strand) {
    let unit = canvas.unit();
    for (at, frame, radius) in places(projection, strand, APART * unit) {
        let Some((x, y, depth)) = projection.project(at) else { continue };
        let long = (LONG * unit * projection.pixel_at(depth)).max(2.0 * radius);
        let start = DVec2::new(x, y);
        let mut arms =
            [(frame.tangent(), TANGENT), (frame.normal(), NORMAL), (frame.binormal(), BINORMAL)]
                .map(|(way, ink)| {
                    let tip = projection.project(at + way * long);
                    (tip.map_or(f64::NEG_INFINITY, |tip| tip.2), tip, ink)
                });
        // Axes towards the viewer are painted over axes away from it.
        arms.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, tip, ink) in arms {
            let Some((x, y, _)) = tip else { continue };
            let tip = DVec2::new(x, y);
            canvas.line(start, tip, 4.2 * unit, SHADE.times(0.5));
            canvas.line(start, tip, 2.6 * unit, ink);
        }
        canvas.disc(start, 2.4 * unit, SHADE);
    }
}

/// Points at equal distances along the strand, about `apart` pixels, with frames that include
/// twist.
fn places(projection: &Projection, strand: &Strand, apart: f64) -> Vec<(DVec3, Frame, f64)> {
    let points = strand.points();
    let seen: Vec<_> = points.iter().map(|p| projection.project(*p)).collect();
    let pixels: f64 = seen
        .windows(2)
        .filter_map(|pair| {
            let ((ax, ay, _), (bx, by, _)) = (pair[0]?, pair[1]?);
            Some(DVec2::new(ax, ay).distance(DVec2::new(bx, by)))
        })
        .sum();
    let along: Vec<f64> = points
        .windows(2)
        .scan(0.0, |s, pair| {
            *s += pair[0].distance(pair[1]);
            Some(*s)
        })
        .collect();
    let whole = along.last().copied().unwrap_or(0.0);
    let count = (pixels / apart).round().clamp(1.0, MOST) as usize;
    let ends = if pixels > 0.4 * apart { 0..=count } else { 0..=0 };
    ends.filter_map(|k| {
        let s = whole * k as f64 / count as f64;
        let next = along.partition_point(|x| *x < s).min(along.len().checked_sub(1)?);
        // The nearer end of the link, because frames belong to points.
        let start = if next == 0 { 0.0 } else { along[next - 1] };
        let i = if s - start > 0.5 * (along[next] - start) { next + 1 } else { next };
        Some((points[i], strand.frames()[i].twisted(strand.twist()[i]), strand.radius()[i]))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, Sweep};

    use super::*;
    use crate::{Camera, Lens, Picture, Size};

    fn bar(rotation: &dyn Fn(f64) -> f64) -> Strand {
        // Points are denser at the start.
        let points: Vec<_> =
            (0..=60).map(|i| DVec3::X * (f64::from(i * i) / 1800.0 - 1.0)).collect();
        let mut strand = Strand::empty("x", Look { name: "wire".into(), colour: [0.5; 3] });
        strand.sweep(&points, &Sweep { rotation: Some(rotation), ..Sweep::round(DVec3::Z, 0.01) });
        strand
    }

    fn projection(size: Size) -> Projection {
        let lens = Lens::Orthographic { height: 2.2 };
        let camera = Camera { eye: DVec3::NEG_Y, target: DVec3::ZERO, up: DVec3::Z, lens };
        camera.projection(size).unwrap()
    }

    #[test]
    fn twist_turns_the_axes() {
        let size = Size::new(200, 200).unwrap();
        let reds = |turn: f64| {
            let mut picture = Picture::new(size, [0, 0, 0, 255]);
            axes(&mut Canvas::new(&mut picture), &projection(size), &bar(&|_| turn));
            // Only a normal that points up reaches ten pixels above the axis.
            (0..200).filter(|x| picture.at(*x, 90)[0] > 80).count()
        };
        assert!(reds(0.0) >= 4, "{} columns", reds(0.0));
        assert_eq!(reds(std::f64::consts::FRAC_PI_2), 0);
    }

    #[test]
    fn axes_are_spread_by_length() {
        let size = Size::new(200, 200).unwrap();
        let found = places(&projection(size), &bar(&|_| 0.0), 30.0);
        assert_eq!(found.len(), 7);
        for pair in found.windows(2) {
            let apart = pair[0].0.distance(pair[1].0);
            assert!((apart - 2.0 / 6.0).abs() < 0.07, "{apart}");
        }
    }
}
