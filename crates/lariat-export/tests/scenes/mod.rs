//! Small footage that covers the difficult cases of the formats.

use glam::{DVec2, DVec3};
use lariat_core::curve::Frame;
use lariat_core::geometry::{
    Footage, Look, Profile, RecordedFootage, RopePiece, Strand, piece_name,
};
use lariat_core::num::ops;

/// A strand of hemp through points, a centimetre thick, with upright frames.
pub(crate) fn rope(name: &str, points: &[[f64; 3]]) -> Strand {
    let points: Vec<DVec3> = points.iter().map(|&p| DVec3::from(p)).collect();
    let n = points.len();
    let along = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
        Frame::new((points[b] - points[a]).try_normalize().unwrap_or(DVec3::X), DVec3::Z)
    };
    let frames = (0..n).map(along).collect();
    let look = Look { name: "hemp".into(), colour: [0.5, 0.25, 0.125] };
    Strand::new(name, points, frames, vec![0.005; n], vec![0.0; n], look)
}

/// The same strand with a radius and a twist, in radians, for every point.
pub(crate) fn shaped(strand: &Strand, radius: &[f64], twist: &[f64]) -> Strand {
    let mut out = Strand::new(
        strand.name.clone(),
        strand.points().to_vec(),
        strand.frames().to_vec(),
        radius.to_vec(),
        twist.to_vec(),
        strand.look.clone(),
    );
    out.closed = strand.closed;
    out.profile = strand.profile.clone();
    out
}

/// Recorded footage of the given bodies.
pub(crate) fn take(bodies: &[(&str, Vec<Vec<Strand>>)]) -> RecordedFootage {
    let bodies = bodies.iter().map(|(n, r)| ((*n).to_owned(), r.clone())).collect();
    RecordedFootage { first: 1, bodies, meshes: Vec::new() }
}

/// Four frames of unusual cases.
#[allow(dead_code, reason = "not every test uses every scene")]
pub(crate) fn oddities() -> RecordedFootage {
    let post = rope("rope", &[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    let swung = |x: f64| rope("rope", &[[0.0, 0.0, 2.0], [x / 3.0, 0.0, 1.0], [x, 0.1, 0.0]]);

    let whole = rope("left", &[[0.0, 0.0, 1.0], [1.0, 0.0, 0.9], [2.0, 0.0, 1.0]]);
    let torn_left = rope("left", &[[0.0, 0.0, 1.0], [1.0, 0.0, 0.5]]);
    let torn_right = rope("right", &[[1.0, 0.0, 0.5], [2.0, 0.0, 1.0]]);
    let dropped = rope("left", &[[0.0, 0.0, 1.0], [0.9, 0.0, 0.25]]);

    let tapered = shaped(&swung(0.5), &[0.01, 0.02, 0.005], &[0.0, 0.5, -1.0]);
    let mut strap = shaped(&swung(0.25), &[0.02; 3], &[0.0, 1.0, 2.0]);
    let outline = [[1.0, 0.1], [-1.0, 0.1], [-1.0, -0.1], [1.0, -0.1]];
    strap.profile = Profile::Closed(outline.into_iter().map(DVec2::from).collect());
    let ring = (0..=8).map(|i| {
        let (sin, cos) = ops::sin_cos(std::f64::consts::TAU * f64::from(i % 8) / 8.0);
        [0.5 * cos, 0.5 * sin, 3.0]
    });
    let mut hoop = rope("hoop", &ring.collect::<Vec<_>>());
    hoop.closed = true;
    let lamp = |red: f64| {
        let mut lamp = rope("bulb \"7\"", &[[0.0, 0.0, 1.0 / 3.0], [0.0, 0.0, 0.4]]);
        lamp.look = Look { name: "glass\n".into(), colour: [red, 0.0, 0.0] };
        lamp
    };

    take(&[
        ("post", vec![vec![post]; 4]),
        ("left rein", [0.0, 0.1, 0.2, 0.3].map(|x| vec![swung(x)]).to_vec()),
        (
            "left-rein",
            vec![vec![tapered.clone()], vec![tapered.clone()], vec![strap], vec![tapered]],
        ),
        (
            "tears, \"then\" falls",
            vec![
                vec![whole.clone()],
                vec![whole],
                vec![torn_left, torn_right.clone()],
                vec![torn_right, dropped],
            ],
        ),
        (
            "comes and goes",
            vec![vec![], vec![lamp(1.0)], vec![lamp(0.5)], vec![rope("dot", &[[9.0, 9.0, 9.0]])]],
        ),
        ("7 верёвок", vec![vec![hoop]; 4]),
        ("nothing", vec![vec![]; 4]),
    ])
}

/// Segments after which a rope of eight is torn, per frame.
#[allow(dead_code, reason = "not every test uses every scene")]
pub(crate) const TEARS: [&[usize]; 8] =
    [&[], &[], &[], &[4], &[4], &[2, 4], &[2, 4], &[1, 2, 4, 6]];

/// Pieces of a rope of eight segments torn after `tears`; each piece drifts differently.
#[allow(dead_code, reason = "not every test uses every scene")]
pub(crate) fn pieces(tears: &[usize], frame: f64) -> Vec<Strand> {
    let whole = RopePiece::whole(2.0, 0.005);
    let ends: Vec<usize> = std::iter::once(0).chain(tears.iter().copied()).chain([8]).collect();
    let piece = |pair: &[usize]| {
        let (first, last) = (pair[0], pair[1]);
        let drift = 0.05 * frame * first as f64;
        let point = |i: usize| [0.25 * i as f64, drift, 1.0 - 0.01 * frame * i as f64];
        let points: Vec<[f64; 3]> = (first..=last).map(point).collect();
        let mut strand = rope(&piece_name(&"rope".into(), first), &points);
        strand.piece = Some(whole.part(first as f64 / 8.0, last as f64 / 8.0));
        strand.torn = [first > 0, last < 8];
        strand
    };
    ends.windows(2).map(piece).collect()
}

/// A rope that tears, and tears again: one strand, two, three, five.
#[allow(dead_code, reason = "not every test uses every scene")]
pub(crate) fn tearing() -> RecordedFootage {
    let frames = TEARS.iter().enumerate();
    let frames = frames.map(|(at, tears)| pieces(tears, at as f64 + 1.0)).collect();
    take(&[("line", frames)])
}

/// Many swaying ropes of different lengths and numbers of strands, evaluated on demand.
#[allow(dead_code, reason = "not every test uses every scene")]
pub(crate) struct Fleet {
    names: Vec<String>,
}

#[allow(dead_code, reason = "not every test uses every scene")]
impl Fleet {
    /// A fleet of `bodies` bodies.
    pub(crate) fn new(bodies: usize) -> Self {
        Self { names: (0..bodies).map(|body| format!("body {body}")).collect() }
    }
}

impl Footage for Fleet {
    fn body_count(&self) -> usize {
        self.names.len()
    }

    fn body_name(&self, body: usize) -> &str {
        &self.names[body]
    }

    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        out.clear();
        for strand in 0..=body % 4 {
            // Some strands appear only at some frames, and some grow.
            if (frame as usize + strand) % 5 == 4 {
                continue;
            }
            let n = 2 + 7 * body % 11 + if body.is_multiple_of(3) { frame as usize % 3 } else { 0 };
            let sway = ops::sin(0.3 * frame + body as f64);
            let point = |i: usize| [i as f64 * 0.1, sway * i as f64 / n as f64, strand as f64];
            out.push(rope(&format!("strand {strand}"), &(0..n).map(point).collect::<Vec<_>>()));
        }
    }
}
