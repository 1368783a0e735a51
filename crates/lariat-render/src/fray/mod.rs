//! Torn ends: a laid rope opens into its strands and these into yarns, a braid into a brush; metal
//! and rubber break obliquely.
//!
//! A torn end consists of additional strands, so every renderer that draws ropes draws it. They
//! depend only on the strand's name and grain, on the end (start or end), on its look, its arc
//! length and the last few radii before the end: they move with the rope, turn with its twist and
//! do not flicker. Pieces of a rope get new names after every tear; there, the position of the end
//! on the whole rope and the side of the tear replace the name. All lengths are in radii of the
//! rope.
//!
//! The strands of a laid rope leave it on the helix of its relief (`surface::lay`), so they
//! continue the surface. Between them the rope itself becomes thin enough to be hidden: three
//! touching strands leave room for a quarter of its radius.
//!
//! ```text
//! mod.rs    kinds of breaks, and the remainder of the strand
//! tuft.rs   yarns and splinters of the ends
//! ```
//!
//! Tests: `whole_ends_stay_whole`, `the_same_name_frays_the_same_way`, `frays_move_with_the_rope`,
//! `a_laid_rope_opens_into_its_strands`, `strands_continue_the_relief`,
//! `two_ropes_of_one_name_fray_differently`, `an_end_keeps_its_look_when_the_rope_tears_elsewhere`,
//! `colours_continue_into_the_yarns`, `torn_ends` (golden).

mod tuft;

use glam::DVec3;
use lariat_core::{
    curve::Frame,
    geometry::{Profile, Strand},
    num::ops,
};

use self::tuft::{Dice, Tuft};
use crate::{
    laid::lay,
    surface::{Relief, Surface},
    view::{Appearance, DrawnStrand},
};

/// Passes on the strands to draw for one strand: itself, or, if it is torn, its remainder and its
/// yarns, all with its appearance.
pub(crate) fn with_frays(drawn: &DrawnStrand<'_>, mut each: impl FnMut(&DrawnStrand<'_>)) {
    let strand = drawn.strand;
    if strand.torn == [false; 2] {
        each(drawn);
        return;
    }
    let mut ends = [0, 1].map(|side| End::torn(strand, side));
    if ends.iter().all(Option::is_none) {
        each(drawn);
        return;
    }
    let (rest, sources) = shortened(strand, &ends);
    for end in ends.iter_mut().flatten() {
        end.continue_from(&rest);
    }
    let along: Vec<[f32; 3]> = match drawn.appearance {
        Appearance::Map(colours) => sources.iter().map(|at| between(colours, *at)).collect(),
        Appearance::Look | Appearance::Ghost { .. } => Vec::new(),
    };
    let appearance = match drawn.appearance {
        Appearance::Map(_) => Appearance::Map(&along),
        other => other,
    };
    each(&DrawnStrand { strand: &rest, appearance });
    for end in ends.iter().flatten() {
        for yarn in end.yarns(strand) {
            let colours = match drawn.appearance {
                Appearance::Map(colours) => vec![colours[end.point]; yarn.points().len()],
                Appearance::Look | Appearance::Ghost { .. } => Vec::new(),
            };
            let appearance = match drawn.appearance {
                Appearance::Map(_) => Appearance::Map(&colours),
                other => other,
            };
            each(&DrawnStrand { strand: &yarn, appearance });
        }
    }
}

/// Kind of break of an end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Break {
    /// Into a number of strands, and these into a number of yarns each; soft or stiff.
    Unlaid { strands: u32, yarns: u32, soft: bool },
    /// Into a brush of yarns.
    Brush { yarns: u32 },
    /// Threads along the edge of a flat strand.
    Fringe,
    /// An oblique break of a solid, which necks to the share `neck` of its radius before.
    Oblique { neck: f64 },
    /// Splinters of a material with a grain.
    Splinters,
    /// No break.
    Clean,
}

impl Break {
    fn of(strand: &Strand) -> Self {
        let surface = Surface::of(&strand.look);
        let round = strand.profile == Profile::Round;
        match surface.relief {
            Relief::Bulb => Self::Clean,
            _ if !round => Self::Fringe,
            Relief::Laid { strands, yarns } => {
                Self::Unlaid { strands, yarns: if yarns { 8 } else { 5 }, soft: yarns }
            }
            Relief::Braid | Relief::Weave => Self::Brush { yarns: 44 },
            Relief::Wood => Self::Splinters,
            Relief::Smooth | Relief::Leather => {
                Self::Oblique { neck: if surface.metal { 0.7 } else { 0.97 } }
            }
        }
    }

    /// Remaining rope near the end: (radii before the end, share of its radius).
    fn taper(self) -> &'static [(f64, f64)] {
        match self {
            Self::Unlaid { .. } => &[(1.5, 1.0), (1.0, 0.7), (0.6, 0.24), (0.0, 0.2)],
            Self::Brush { .. } => &[(1.0, 1.0), (0.5, 0.93), (0.15, 0.8), (0.0, 0.66)],
            Self::Oblique { neck } if neck < 0.9 => {
                &[(1.6, 1.0), (1.1, 0.96), (0.6, 0.84), (0.25, 0.73), (0.0, 0.7)]
            }
            Self::Oblique { .. } => &[(0.3, 1.0), (0.0, 0.97)],
            Self::Splinters | Self::Fringe | Self::Clean => &[],
        }
    }
}

/// Spacing of samples of the axis inside the strand, in radii, and their number.
const INSIDE: f64 = 0.25;
const STEPS: u32 = 13;

/// A torn end, with everything that its yarns depend on.
#[derive(Clone, Debug)]
struct End {
    side: usize,
    point: usize,
    at: DVec3,
    /// Outward direction, and two perpendicular directions that turn with the twist.
    out: DVec3,
    normal: DVec3,
    binormal: DVec3,
    radius: f64,
    /// Axis inside the strand, from the end backwards in steps of [`INSIDE`] radii: position and
    /// both perpendicular directions.
    inside: Vec<[DVec3; 3]>,
    /// Arc length at the end in radii, as counted by the relief of the remaining strand, and the
    /// sign of its growth along `out`.
    radii: f64,
    sign: f64,
    how: Break,
}

impl End {
    fn torn(strand: &Strand, side: usize) -> Option<Self> {
        let n = strand.points().len();
        let how = Break::of(strand);
        if !strand.torn[side] || strand.closed || n < 2 || how == Break::Clean {
            return None;
        }
        let point = if side == 0 { 0 } else { n - 1 };
        let radius = strand.radius()[point];
        let frame = strand.frames()[point].twisted(strand.twist()[point]);
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let length: f64 = strand.points().windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        (radius > 0.0 && length > 0.0).then(|| Self {
            side,
            point,
            at: strand.points()[point],
            out: frame.tangent() * sign,
            normal: frame.normal(),
            binormal: frame.binormal(),
            radius,
            inside: (0..STEPS)
                .map(|k| axis(strand, side, INSIDE * f64::from(k) * radius))
                .collect(),
            radii: 0.0,
            sign,
            how,
        })
    }

    /// Continues the arc length from where the remaining strand has its full radius, so that its
    /// pattern and the yarns match there.
    fn continue_from(&mut self, rest: &Strand) {
        let thin = self.how.taper().first().map_or(0.0, |(before, _)| *before);
        let mut knots = Vec::new();
        lay(rest, false, |laid| knots.push((laid.knot.s, laid.knot.radii)));
        let whole = knots.last().map_or(0.0, |knot| knot.0);
        let off = (thin * self.radius).min(0.5 * whole);
        let at = if self.side == 0 { off } else { whole - off };
        let nearest = knots.iter().min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()));
        self.radii = nearest.map_or(0.0, |knot| knot.1) + self.sign * off / self.radius;
    }

    /// Point at `x` beyond the end (negative: before it) and `r` off the axis, at an angle in
    /// turns; lengths in radii.
    fn place(&self, x: f64, r: f64, turns: f64) -> DVec3 {
        let (cos, sin) = (ops::cos_turns(turns), ops::sin_turns(turns));
        if x >= 0.0 {
            let across = self.normal * cos + self.binormal * sin;
            return self.at + (self.out * x + across * r) * self.radius;
        }
        let back = -x / INSIDE;
        let i = (back as usize).min(self.inside.len() - 2);
        let mix = |k: usize| self.inside[i][k].lerp(self.inside[i + 1][k], back - i as f64);
        mix(0) + (mix(1) * cos + mix(2) * sin) * (r * self.radius)
    }

    fn yarns(&self, strand: &Strand) -> Vec<Strand> {
        let mut tuft =
            Tuft { end: self, of: strand, dice: Dice::of(strand, self.side), all: Vec::new() };
        match self.how {
            Break::Unlaid { strands, yarns, soft } => tuft.unlay(strands, yarns, soft),
            Break::Brush { yarns } => tuft.brush(yarns),
            Break::Fringe => tuft.fringe(),
            Break::Oblique { neck } => tuft.shear(neck),
            Break::Splinters => tuft.splinter(),
            Break::Clean => {}
        }
        tuft.all
    }
}

/// Axis of a strand `back` metres before an end, and both perpendicular directions including twist;
/// clamped at the other end.
fn axis(strand: &Strand, side: usize, back: f64) -> [DVec3; 3] {
    let points = strand.points();
    let last = points.len() - 1;
    let at = |k: usize| if side == 0 { k } else { last - k };
    let (mut k, mut left) = (0, back);
    while k + 1 < last && left > points[at(k)].distance(points[at(k + 1)]) {
        left -= points[at(k)].distance(points[at(k + 1)]);
        k += 1;
    }
    let (a, b) = (at(k), at(k + 1));
    let wide = points[a].distance(points[b]);
    let share = if wide > 0.0 { (left / wide).min(1.0) } else { 0.0 };
    let frame = |i: usize| strand.frames()[i].twisted(strand.twist()[i]);
    let (f, g) = (frame(a), frame(b));
    [
        points[a].lerp(points[b], share),
        f.normal().lerp(g.normal(), share),
        f.binormal().lerp(g.binormal(), share),
    ]
}

/// The strand with thinned torn ends, and for each of its points its position on the original
/// strand as a fractional point index.
fn shortened(strand: &Strand, ends: &[Option<End>; 2]) -> (Strand, Vec<f64>) {
    let points = strand.points();
    let mut along = vec![0.0];
    for pair in points.windows(2) {
        along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
    }
    let whole = along[along.len() - 1];
    let mut stops: Vec<f64> = along.clone();
    for end in ends.iter().flatten() {
        for (before, _) in end.how.taper() {
            let s = (before * end.radius).min(0.5 * whole);
            stops.push(if end.side == 0 { s } else { whole - s });
        }
    }
    stops.sort_by(f64::total_cmp);
    stops.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * whole);
    let source = |s: &f64| {
        let next = along.partition_point(|x| x < s).clamp(1, along.len() - 1);
        let wide = along[next] - along[next - 1];
        (next - 1) as f64
            + if wide > 0.0 { ((s - along[next - 1]) / wide).clamp(0.0, 1.0) } else { 0.0 }
    };
    let sources: Vec<f64> = stops.iter().map(source).collect();
    let at = |row: &[f64], place: f64| {
        let i = (place as usize).min(row.len() - 2);
        row[i] + (row[i + 1] - row[i]) * (place - i as f64)
    };
    let thin = |s: f64| {
        ends.iter().flatten().fold(1.0, |share: f64, end| {
            let off = if end.side == 0 { s } else { whole - s };
            share.min(interpolate_linear(end.how.taper(), off / end.radius))
        })
    };
    let frames = sources.iter().map(|place| {
        let i = (*place as usize).min(points.len() - 2);
        let (a, b, h) = (&strand.frames()[i], &strand.frames()[i + 1], place - i as f64);
        Frame::new(a.tangent().lerp(b.tangent(), h), a.normal().lerp(b.normal(), h))
    });
    let place = |place: &f64| {
        let i = (*place as usize).min(points.len() - 2);
        points[i].lerp(points[i + 1], place - i as f64)
    };
    let radius =
        stops.iter().zip(&sources).map(|(s, place)| at(strand.radius(), *place) * thin(*s));
    let mut rest = Strand::new(
        strand.name.clone(),
        sources.iter().map(place).collect(),
        frames.collect(),
        radius.collect(),
        sources.iter().map(|place| at(strand.twist(), *place)).collect(),
        strand.look.clone(),
    );
    rest.profile = strand.profile.clone();
    rest.piece = strand.piece;
    (rest, sources)
}

/// Linear interpolation between points in descending order of `x`; constant beyond the ends.
fn interpolate_linear(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|p| p.0 >= x);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x0 - x) / (x0 - x1),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 1.0,
    }
}

/// Colour at a fractional point index.
fn between(colours: &[[f32; 3]], at: f64) -> [f32; 3] {
    let i = (at as usize).min(colours.len() - 2);
    let h = (at - i as f64) as f32;
    std::array::from_fn(|c| colours[i][c] + (colours[i + 1][c] - colours[i][c]) * h)
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, RopePiece, Sweep, piece_name};

    use super::*;
    use crate::surface::NAMES;

    fn rope(look: &str, torn: [bool; 2], lift: f64) -> Strand {
        let points: Vec<_> = (0..9).map(|i| DVec3::new(f64::from(i) * 0.25, 0.0, lift)).collect();
        let look = Look { name: look.into(), colour: [0.4, 0.3, 0.2] };
        let mut strand = Strand::empty("rope", look);
        strand.sweep(&points, &Sweep::round(DVec3::Z, 0.1));
        strand.torn = torn;
        strand
    }

    fn drawn(strand: &Strand) -> Vec<Strand> {
        let mut all = Vec::new();
        with_frays(&strand.into(), |drawn| all.push(drawn.strand.clone()));
        all
    }

    #[test]
    fn whole_ends_stay_whole() {
        let whole = rope("rope", [false; 2], 0.0);
        assert_eq!(drawn(&whole), std::slice::from_ref(&whole));
        let mut ring = rope("rope", [true; 2], 0.0);
        ring.closed = true;
        assert_eq!(drawn(&ring).len(), 1);
        assert_eq!(drawn(&rope("bulb", [true; 2], 0.0)).len(), 1);
    }

    #[test]
    fn the_same_name_frays_the_same_way() {
        for name in NAMES {
            let torn = rope(name, [true; 2], 0.0);
            assert_eq!(drawn(&torn), drawn(&torn), "{name}");
            for part in drawn(&torn) {
                assert!(part.points().iter().all(|p| p.is_finite()), "{name}");
                assert!(part.radius().iter().all(|r| *r >= 0.0), "{name}");
            }
        }
        let mut other = rope("rope", [true; 2], 0.0);
        other.name = "other".into();
        assert_ne!(drawn(&other)[1].points(), drawn(&rope("rope", [true; 2], 0.0))[1].points());
    }

    /// Segments `first` to `last` of a rope of eight, torn at both ends.
    fn piece(first: usize, last: usize) -> Strand {
        let whole = rope("cord", [first > 0, last < 8], 0.0);
        let mut piece = Strand::empty(piece_name(&whole.name, first), whole.look.clone());
        piece.sweep(&whole.points()[first..=last], &Sweep::round(DVec3::Z, 0.1));
        piece.torn = whole.torn;
        piece.piece = Some(RopePiece::whole(2.0, 0.1).part(first as f64 / 8.0, last as f64 / 8.0));
        piece
    }

    #[test]
    fn an_end_keeps_its_look_when_the_rope_tears_elsewhere() {
        // All yarns at one end of a strand, which are its last points.
        let yarns_at = |strand: &Strand, x: f64| -> Vec<Strand> {
            let near = |part: &Strand| part.points().iter().all(|p| (p.x - x).abs() < 0.75);
            drawn(strand).into_iter().skip(1).filter(near).collect()
        };
        // Torn in the middle first; then the first half tears again and gets another name.
        let (whole, later) = (piece(0, 4), piece(2, 4));
        assert_ne!(whole.name, later.name);
        let (before, after) = (yarns_at(&whole, 1.0), yarns_at(&later, 1.0));
        let before: Vec<&[DVec3]> = before.iter().map(Strand::points).collect();
        assert!(before.len() > 20);
        for yarn in &before {
            let same = |other: &Strand| {
                let pairs = yarn.iter().zip(other.points());
                yarn.len() == other.points().len()
                    && pairs.clone().all(|(a, b)| a.distance(*b) < 1e-9)
            };
            assert!(after.iter().any(same), "a yarn has changed");
        }
        // The other side of the tear differs, and so does the new end with this name.
        let (right, new) = (drawn(&piece(4, 8)), drawn(&piece(0, 2)));
        let mirrored = |p: DVec3| DVec3::new(2.0 - p.x, p.y, p.z);
        let last = |points: &[DVec3]| points[points.len() - 1];
        let (right, new) = (last(right[1].points()), last(new[1].points()));
        assert!(before.iter().all(|yarn| last(yarn).distance(mirrored(right)) > 1e-6));
        assert!(before.iter().all(|yarn| last(yarn).distance(new + DVec3::X * 0.5) > 1e-6));
    }

    #[test]
    fn frays_move_with_the_rope() {
        let (here, there) =
            (drawn(&rope("cord", [false, true], 0.0)), drawn(&rope("cord", [false, true], 3.0)));
        assert_eq!(here.len(), there.len());
        for (a, b) in here.iter().zip(&there) {
            for (p, q) in a.points().iter().zip(b.points()) {
                assert!((*q - *p).distance(DVec3::Z * 3.0) < 1e-12);
            }
        }
        // Away from the torn end nothing changes.
        assert_eq!(here[0].points()[0], DVec3::ZERO);
        assert_eq!(here[0].radius()[0], 0.1);
    }

    #[test]
    fn a_laid_rope_opens_into_its_strands() {
        let parts = drawn(&rope("rope", [false, true], 0.0));
        let thick = parts[1..].iter().filter(|part| part.radius()[0] > 0.04);
        let (strands, mut apart) = (thick.clone().count(), Vec::new());
        for strand in thick {
            // Inside the rope at first, outside at the end.
            let off = |p: DVec3| DVec3::new(0.0, p.y, p.z).length();
            let (first, last) = (strand.points()[0], *strand.points().last().unwrap());
            assert!(off(first) + strand.radius()[0] < 0.1, "{}", off(first));
            apart.push(off(last));
        }
        assert_eq!(strands, 3);
        assert!(apart.iter().all(|off| *off > 0.09), "{apart:?}");
        assert!(parts.len() > 40, "{} yarns and fibres", parts.len());
    }

    #[test]
    fn colours_continue_into_the_yarns() {
        let torn = rope("rope", [false, true], 0.0);
        let map: Vec<[f32; 3]> = (0..9).map(|i| [i as f32 / 8.0, 0.0, 1.0]).collect();
        let mut count = 0;
        with_frays(&DrawnStrand { strand: &torn, appearance: Appearance::Map(&map) }, |drawn| {
            assert!(drawn.check().is_ok());
            let Appearance::Map(colours) = drawn.appearance else {
                panic!("expected a colour map")
            };
            assert_eq!(colours.last(), Some(&[1.0, 0.0, 1.0]));
            count += 1;
        });
        assert!(count > 3);
    }

    #[test]
    fn strands_continue_the_relief() {
        let points: Vec<DVec3> = (0..=60).map(|i| DVec3::X * f64::from(i) * 0.05).collect();
        let look = Look { name: "rope".into(), colour: [0.4; 3] };
        let mut rope = Strand::empty("rope", look);
        rope.sweep(&points, &Sweep::round(DVec3::Z, 0.1));
        rope.torn = [true; 2];
        let mut parts = Vec::new();
        with_frays(&DrawnStrand::from(&rope), |part| parts.push(part.strand.clone()));
        let mut relief = Vec::new();
        lay(&parts[0], false, |laid| relief.push(*laid));
        for x in [0.15, 2.85] {
            // Ridge of the relief where the rope begins to thin, in turns.
            let knot = relief.iter().find(|laid| (laid.ring.centre.x - x).abs() < 1e-9).unwrap();
            let third = knot.knot.radii / 7.0 * 3.0;
            // The three strands that leave it there.
            let mut met = 0;
            for strand in &parts[1..] {
                let near = strand.points().windows(2).find(|pair| {
                    (pair[0].x - x) * (pair[1].x - x) <= 0.0 && strand.radius()[0] > 0.03
                });
                let Some([a, b]) = near.map(|pair| [pair[0], pair[1]]) else { continue };
                let p = a.lerp(b, (x - a.x) / (b.x - a.x));
                let frame = knot.knot;
                let (n, m) = (frame.normal, frame.tangent.cross(frame.normal));
                let turns = ops::atan2(p.dot(m), p.dot(n)) / std::f64::consts::TAU * 3.0;
                let off = (turns - third - 0.5).rem_euclid(1.0);
                assert!(off.min(1.0 - off) < 0.05, "{off} of a strand off, at {x}");
                met += 1;
            }
            assert_eq!(met, 3, "at {x}");
        }
    }

    #[test]
    fn two_ropes_of_one_name_fray_differently() {
        let look = Look { name: "rope".into(), colour: [0.4; 3] };
        let mut rope = Strand::empty("rope", look);
        rope.sweep(&[DVec3::ZERO, DVec3::X], &Sweep::round(DVec3::Z, 0.1));
        rope.torn = [false, true];
        let last = |rope: &Strand| {
            let mut last = DVec3::ZERO;
            with_frays(&DrawnStrand::from(rope), |part| {
                last = *part.strand.points().last().unwrap();
            });
            last
        };
        let one = last(&rope);
        rope.grain = 7;
        assert!(last(&rope).distance(one) > 1e-3);
    }
}
