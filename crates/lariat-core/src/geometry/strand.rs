//! A strand: a curve at one frame with all attributes that renderers and exporters need.
//!
//! A rope is one strand. A string of lights is many: two wires, and one for every bulb. Renderers
//! and exporters read strands only, never documents.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::curve::{Frame, Framing, frames_along};
use crate::num::ops;

use super::{Look, RopePiece, Tension};

/// The shape of the cross-section, in units of the strand's radius.
#[derive(Clone, Debug, PartialEq)]
pub enum Profile {
    /// A circle of the strand's radius.
    Round,
    /// A closed outline, counter-clockwise seen against the tangent; `x` goes along the normal,
    /// `y` along the binormal, both times the radius. The last point joins the first.
    Closed(Arc<[DVec2]>),
    /// An open outline: a ribbon without thickness, or a channel.
    Open(Arc<[DVec2]>),
}

impl Profile {
    /// A flat strap `width` by `thickness`, for a strand whose radius is half the width.
    ///
    /// It is thin along the normal, which points up at the start: the strap lies flat on a floor, and
    /// a wave with azimuth 0 bends it about its width.
    pub fn flat(width: f64, thickness: f64) -> Self {
        let x = if width > 0.0 { (thickness / width).min(1.0) } else { 1.0 };
        Self::Closed(
            [DVec2::new(x, -1.0), DVec2::new(x, 1.0), DVec2::new(-x, 1.0), DVec2::new(-x, -1.0)]
                .into(),
        )
    }

    /// Largest distance of the outline from the axis, in radii.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Round => 1.0,
            Self::Closed(outline) | Self::Open(outline) => {
                outline.iter().map(|p| p.length()).fold(0.0, f64::max)
            }
        }
    }
}

/// One swept curve of one body at one moment.
///
/// The arrays are private because they always have one entry per point.
#[derive(Clone, Debug)]
pub struct Strand {
    /// Unique within its body: `rope`, `wire-1`, `bulb-07`. The name identifies the strand at every
    /// frame; see [`piece_name`](super::piece_name) for torn ropes.
    pub name: Arc<str>,
    /// Closed curve: the last point repeats the first.
    pub closed: bool,
    /// The cross-section.
    pub profile: Profile,
    /// Its appearance.
    pub look: Look,
    /// Whether start and end were torn: renderers draw torn ends frayed.
    pub torn: [bool; 2],
    /// Seed that distinguishes strands of the same name, for example in the fraying of ends.
    pub grain: u32,
    /// Piece of its rope, if the rope may tear; set at all frames, also before the first tear, so that
    /// the look does not change there.
    pub piece: Option<RopePiece>,
    /// Tension, if known.
    pub tension: Option<Tension>,
    points: Vec<DVec3>,
    frames: Vec<Frame>,
    radius: Vec<f64>,
    twist: Vec<f64>,
    /// All radii are equal: a sweep of the same radius then does not rewrite them.
    even_radius: bool,
    even_twist: bool,
}

impl Strand {
    /// The samples, in metres.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// One frame per point, without the twist.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Radius at each point, in metres.
    pub fn radius(&self) -> &[f64] {
        &self.radius
    }

    /// Turn of the profile about the tangent at each point, in radians.
    pub fn twist(&self) -> &[f64] {
        &self.twist
    }

    /// An empty strand, to be [swept](Self::sweep).
    pub fn empty(name: impl Into<Arc<str>>, look: Look) -> Self {
        Self {
            name: name.into(),
            closed: false,
            profile: Profile::Round,
            look,
            torn: [false; 2],
            grain: 0,
            piece: None,
            tension: None,
            points: Vec::new(),
            frames: Vec::new(),
            radius: Vec::new(),
            twist: Vec::new(),
            even_radius: false,
            even_twist: false,
        }
    }

    /// Builds a strand from its parts; the four arrays must be equally long.
    ///
    /// # Panics
    /// If they are not: that is a mistake in the program, never in a document.
    pub fn new(
        name: impl Into<Arc<str>>,
        points: Vec<DVec3>,
        frames: Vec<Frame>,
        radius: Vec<f64>,
        twist: Vec<f64>,
        look: Look,
    ) -> Self {
        let n = points.len();
        assert!(
            frames.len() == n && radius.len() == n && twist.len() == n,
            "a strand of {n} points has {} frames, {} radii, {} twists",
            frames.len(),
            radius.len(),
            twist.len()
        );
        Self { points, frames, radius, twist, ..Self::empty(name, look) }
    }

    /// Lays the strand along `points`, reusing memory.
    pub fn sweep(&mut self, points: &[DVec3], sweep: &Sweep<'_>) {
        let n = points.len();
        self.closed = sweep.closed;
        self.points.clear();
        self.points.extend_from_slice(points);
        frames_along(points, sweep.closed, sweep.up, sweep.framing, &mut self.frames);
        if sweep.closed && n > 1 {
            self.close_frames();
        }
        let along = |i: usize| i as f64 / (n.max(2) - 1) as f64;
        match sweep.taper {
            [] => fill_evenly(&mut self.radius, &mut self.even_radius, n, sweep.radius),
            taper => {
                self.radius.clear();
                self.radius
                    .extend((0..n).map(|i| sweep.radius * interpolate_linear(taper, along(i))));
                self.even_radius = false;
            }
        }
        match sweep.rotation {
            None => fill_evenly(&mut self.twist, &mut self.even_twist, n, 0.0),
            Some(rotation) => {
                self.twist.clear();
                self.twist.extend((0..n).map(|i| rotation(along(i))));
                self.even_twist = false;
            }
        }
    }

    /// Closes the frames of a ring. A frame carried around it comes back turned by an angle, which is
    /// spread evenly so that the tube has no seam.
    fn close_frames(&mut self) {
        let last = self.frames.len() - 1;
        let (start, end) = (self.frames[0], self.frames[last]);
        let gap = ops::atan2(start.normal().dot(end.binormal()), start.normal().dot(end.normal()));
        for (i, frame) in self.frames.iter_mut().enumerate() {
            *frame = frame.twisted(gap * i as f64 / last as f64);
        }
        self.frames[last] = self.frames[0];
    }

    /// Tension at each point, in metres of its own weight; infinite for a taut rope.
    pub fn tensions(&self) -> Option<impl Iterator<Item = f64> + '_> {
        let tension = self.tension.as_ref()?;
        let last = (self.points.len().max(2) - 1) as f64;
        Some((0..self.points.len()).map(move |i| tension.at(i as f64 / last)))
    }

    /// Position of a point along the strand, 0–1; for a torn piece, along the whole rope.
    pub fn place(&self, point: usize) -> f64 {
        let u = point as f64 / (self.points.len().max(2) - 1) as f64;
        self.piece.map_or(u, |piece| piece.place(u))
    }

    /// Adds to the twist, in radians, one number per point.
    ///
    /// # Panics
    /// If there is not one per point: a mistake in the program, never in a document.
    pub fn add_twist(&mut self, twist: &[f64]) {
        assert_eq!(twist.len(), self.points.len(), "one twist per point");
        for (own, more) in self.twist.iter_mut().zip(twist) {
            *own += more;
        }
        self.even_twist = false;
    }

    /// Replaces the radii, one per point.
    ///
    /// # Panics
    /// If there is not one per point: a mistake in the program, never in a document.
    pub fn set_radius(&mut self, radius: &[f64]) {
        assert_eq!(radius.len(), self.points.len(), "one radius per point");
        self.radius.clear();
        self.radius.extend_from_slice(radius);
        self.even_radius = false;
    }
}

/// Fills `row` with `n` times `value`; `even` marks a row that is filled already.
fn fill_evenly(row: &mut Vec<f64>, even: &mut bool, n: usize, value: f64) {
    if !(*even && row.len() == n && row.first() == Some(&value)) {
        row.clear();
        row.resize(n, value);
        *even = true;
    }
}

/// Strands are equal if they look the same.
impl PartialEq for Strand {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points
            && self.frames == other.frames
            && self.radius == other.radius
            && self.twist == other.twist
            && (&self.name, self.closed, self.torn, self.grain, self.piece)
                == (&other.name, other.closed, other.torn, other.grain, other.piece)
            && (&self.profile, &self.look) == (&other.profile, &other.look)
    }
}

/// Parameters of a sweep along points.
#[derive(Clone, Copy)]
pub struct Sweep<'a> {
    /// Up direction: determines the first normal.
    pub up: DVec3,
    /// Method for the frames.
    pub framing: Framing,
    /// The last point repeats the first.
    pub closed: bool,
    /// Radius in metres.
    pub radius: f64,
    /// Factors on the radius along the strand, (u, factor) in ascending `u`; 1 everywhere if empty.
    pub taper: &'a [(f64, f64)],
    /// Turn of the profile at `u`, in radians.
    pub rotation: Option<&'a dyn Fn(f64) -> f64>,
}

impl Sweep<'_> {
    /// A plain round rope.
    pub fn round(up: DVec3, radius: f64) -> Self {
        let framing = Framing::RotationMinimising;
        Self { up, framing, closed: false, radius, taper: &[], rotation: None }
    }
}

/// Linear interpolation of `(u, value)` with ascending `u`, constant beyond the ends; 1 if `points`
/// is empty.
pub fn interpolate_linear(points: &[(f64, f64)], u: f64) -> f64 {
    let after = points.partition_point(|p| p.0 <= u);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((u0, w0)), Some((u1, w1))) => w0 + (w1 - w0) * (u - u0) / (u1 - u0),
        (Some((_, w)), None) => w,
        (None, Some((_, w))) => *w,
        (None, None) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn look() -> Look {
        Look { name: "rope".into(), colour: [0.5; 3] }
    }

    #[test]
    fn a_sweep_fills_every_array() {
        let points: Vec<_> = (0..5).map(|i| DVec3::X * f64::from(i)).collect();
        let mut strand = Strand::empty("rope", look());
        let sweep = Sweep {
            taper: &[(0.0, 1.0), (1.0, 0.0)],
            rotation: Some(&|u| TAU * u),
            ..Sweep::round(DVec3::Z, 0.2)
        };
        strand.sweep(&points, &sweep);
        assert_eq!(strand.radius(), [0.2, 0.2 * 0.75, 0.1, 0.2 * 0.25, 0.0]);
        assert_eq!(strand.twist()[2], TAU / 2.0);
        assert_eq!(strand.frames().len(), 5);
        strand.sweep(&points[..2], &Sweep::round(DVec3::Z, 0.1));
        assert_eq!(
            (strand.points().len(), strand.radius(), strand.twist()),
            (2, &[0.1; 2][..], &[0.0; 2][..])
        );
    }

    #[test]
    fn a_closed_strand_has_no_seam() {
        // A ring that is not flat, so that carrying a frame around it turns it.
        let points: Vec<_> = (0..=60)
            .map(|i| {
                let a = TAU * f64::from(i % 60) / 60.0;
                DVec3::new(
                    1.7 * ops::cos(a),
                    ops::sin(a),
                    0.8 * ops::sin(2.0 * a + 0.4) + 0.3 * ops::cos(3.0 * a),
                )
            })
            .collect();
        let mut strand = Strand::empty("ring", look());
        strand.sweep(&points, &Sweep { closed: true, ..Sweep::round(DVec3::Z, 0.1) });
        let f = strand.frames();
        assert_eq!(f[0], f[60]);
        // The missing rotation is spread evenly: the spin over the seam is that of any other step.
        let spin = |i: usize| {
            let carried = f[i].carried(points[i], points[i + 1], f[i + 1].tangent());
            ops::atan2(
                f[i + 1].normal().dot(carried.binormal()),
                f[i + 1].normal().dot(carried.normal()),
            )
        };
        assert!(spin(30).abs() > 1e-3, "this ring must turn its frame: {}", spin(30));
        assert!((spin(59) - spin(30)).abs() < 1e-9 && (spin(0) - spin(30)).abs() < 1e-9);
    }

    #[test]
    #[should_panic(expected = "a strand of 1 points has 0 frames")]
    fn arrays_of_different_lengths_are_rejected() {
        let _ = Strand::new("x", vec![DVec3::ZERO], vec![], vec![1.0], vec![0.0], look());
    }
}
