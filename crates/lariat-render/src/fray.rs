//! Torn ends: a laid rope opens into its strands and these into yarns, a braid into a brush, metal
//! and rubber break obliquely.
//!
//! A torn end is more strands, so every renderer that can draw a rope can draw it. They depend on
//! nothing but the strand's name and which end it is, its material, and at that end place, frame,
//! twist, radius and arc length: they move with the rope, turn with its twist and do not flicker.
//! All lengths are in radii of the rope.
//!
//! The strands of a laid rope leave it on the helix that its relief shows ([`material::lay`]), so
//! they go on where the surface stops. Inside them the rope itself becomes so thin that it is
//! hidden: between three strands that touch there is room for a quarter of its radius.
//!
//! Tests: `whole_ends_stay_whole`, `the_same_name_frays_the_same_way`, `frays_move_with_the_rope`,
//! `a_laid_rope_opens_into_its_strands`, `colours_go_on_into_the_yarns`, `torn_ends` (golden).

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::{
    curve::Frame,
    geometry::{Material, Profile, Strand, Sweep},
    num::ops,
};

use crate::{
    material::{self, Look, Relief},
    stage::smooth,
    view::{Dress, Shown},
};

/// Hands on what is to be drawn of a strand: itself, or if it is torn, what is left of it and its
/// yarns, all in its dress.
pub(crate) fn with_frays(shown: &Shown<'_>, mut each: impl FnMut(&Shown<'_>)) {
    let strand = shown.strand;
    let ends = [0, 1].map(|side| End::torn(strand, side));
    if ends.iter().all(Option::is_none) {
        each(shown);
        return;
    }
    let (rest, sources) = shortened(strand, &ends);
    let along: Vec<[f32; 3]> = match shown.dress {
        Dress::Map(colours) => sources.iter().map(|at| between(colours, *at)).collect(),
        Dress::Material | Dress::Ghost { .. } => Vec::new(),
    };
    let dress = match shown.dress {
        Dress::Map(_) => Dress::Map(&along),
        other => other,
    };
    each(&Shown { strand: &rest, dress });
    for end in ends.iter().flatten() {
        for yarn in end.yarns(strand) {
            let colours = match shown.dress {
                Dress::Map(colours) => vec![colours[end.point]; yarn.points().len()],
                Dress::Material | Dress::Ghost { .. } => Vec::new(),
            };
            let dress = match shown.dress {
                Dress::Map(_) => Dress::Map(&colours),
                other => other,
            };
            each(&Shown { strand: &yarn, dress });
        }
    }
}

/// How an end breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Break {
    /// Into so many strands, and these into so many yarns each; soft or stiff.
    Unlaid { strands: u32, yarns: u32, soft: bool },
    /// Into a brush of so many yarns.
    Brush { yarns: u32 },
    /// Threads along the edge of something flat.
    Fringe,
    /// An oblique break of a solid, which was drawn as thin as `neck` before.
    Oblique { neck: f64 },
    /// Splinters of something that has a grain.
    Splinters,
    /// Not at all.
    Clean,
}

impl Break {
    fn of(strand: &Strand) -> Self {
        let look = Look::of(&strand.material);
        let round = strand.profile == Profile::Round;
        match look.relief {
            Relief::Bulb => Self::Clean,
            _ if !round => Self::Fringe,
            Relief::Laid { strands, yarns } => {
                Self::Unlaid { strands, yarns: if yarns { 8 } else { 5 }, soft: yarns }
            }
            Relief::Braid | Relief::Weave => Self::Brush { yarns: 44 },
            Relief::Wood => Self::Splinters,
            Relief::Smooth | Relief::Leather => {
                Self::Oblique { neck: if look.metal { 0.7 } else { 0.97 } }
            }
        }
    }

    /// What is left of the rope itself near the end: (radii before the end, share of its radius).
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

/// Steps in which the axis is known inside the strand, and how many, in radii.
const INSIDE: f64 = 0.25;
const STEPS: u32 = 13;

/// A torn end, and all that its yarns depend on.
#[derive(Clone, Debug)]
struct End {
    side: usize,
    point: usize,
    at: DVec3,
    /// Outwards, and two directions across that turn with the twist.
    out: DVec3,
    normal: DVec3,
    binormal: DVec3,
    radius: f64,
    /// The axis inside, from the end backwards in steps of [`INSIDE`] radii: place and both
    /// directions across.
    inside: Vec<[DVec3; 3]>,
    /// Arc length here, and which way it grows along `out`.
    s: f64,
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
        let length = strand.points().windows(2).map(|pair| pair[0].distance(pair[1])).sum();
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
            s: if side == 0 { 0.0 } else { length },
            sign,
            how,
        })
    }

    /// A place `x` beyond the end, or before it if less than 0, and `r` off the axis at an angle in
    /// turns; in radii.
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

/// The axis of a strand so many metres before an end, and both directions across with the twist in
/// them; at the other end it stops.
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

/// The yarns of one end in the making.
struct Tuft<'a> {
    end: &'a End,
    of: &'a Strand,
    dice: Dice,
    all: Vec<Strand>,
}

impl Tuft<'_> {
    /// Adds a strand along points: so thick at its start, in radii, and thinner as `taper` says.
    fn add(&mut self, points: &[DVec3], radius: f64, taper: &[(f64, f64)], name: &str, light: f64) {
        let colour = self.of.material.colour.map(|c| (c * light).clamp(0.0, 1.0));
        let material = Material { name: name.into(), colour };
        let mut yarn = Strand::empty(self.of.name.clone(), material);
        let radius = radius * self.end.radius;
        yarn.sweep(points, &Sweep { taper, ..Sweep::round(self.end.normal, radius) });
        self.all.push(yarn);
    }

    /// Strands that go on along the lay and open, each of them into yarns, these into fibres.
    fn unlay(&mut self, strands: u32, yarns: u32, soft: bool) {
        let end = self.end;
        let name = self.of.material.name.clone();
        let n = f64::from(strands);
        let (pitch, rho) = material::lay(n, end.radius);
        let turns_per_radius = end.sign * end.radius / pitch;
        for k in 0..strands {
            let long = self.dice.between(4.2, 6.4) * if soft { 1.0 } else { 0.9 };
            let flare = self.dice.between(0.5, 1.5) * if soft { 1.0 } else { 0.7 };
            let swerve = self.dice.between(-0.09, 0.09);
            let start = end.s / pitch + (f64::from(k) + 0.5) / n;
            // Along the helix at first; then the turning dies down and the strand leaves the axis.
            let core = |x: f64| {
                let ahead = x.max(0.0);
                let open = (ahead / long).min(1.6);
                let left = 1.0 - open.min(1.0);
                let turned = x.min(0.0) + long * (1.0 - left * left * left) / 3.0;
                // Out of the rope before it becomes thin, so that no seam is seen.
                let risen = 0.93 + 0.1 * smooth(-2.8, -1.2, x);
                let r = (1.0 - rho) * risen + flare * open * open * (1.2 - 0.25 * open);
                end.place(x, r, start + turns_per_radius * turned + swerve * open * open)
            };
            let points: Vec<DVec3> =
                (0..=28).map(|i| core(-2.9 + (long + 2.9) * f64::from(i) / 28.0)).collect();
            let share = if soft { 0.55 } else { 0.75 };
            let opens = (share * long + 2.9) / (long + 2.9);
            let taper = [(0.0, 1.0), (opens, 1.0), (opens + 0.1, 0.6), (1.0, 0.3)];
            self.add(&points, rho * 0.985, &taper, &name, 1.0);
            self.open(&core, share * long - 0.6, long, rho, yarns, soft);
        }
    }

    /// The yarns of one strand, which runs along `core` and opens from `from` on.
    fn open(
        &mut self,
        core: &dyn Fn(f64) -> DVec3,
        from: f64,
        long: f64,
        rho: f64,
        yarns: u32,
        soft: bool,
    ) {
        let end = self.end;
        let name = self.of.material.name.clone();
        let name: &str = if soft { &name } else { "steel" };
        let thick = if soft { 0.3 } else { 0.27 };
        for j in 0..yarns {
            // One in the middle, the others around it.
            let around = (f64::from(j) + self.dice.between(-0.2, 0.2)) / f64::from(yarns);
            let within = if j == 0 { 0.1 } else { 0.62 };
            let reach = long * self.dice.between(0.92, 1.3);
            let flare = self.dice.between(0.25, if soft { 1.5 } else { 0.9 });
            let (wave, phase) = (self.dice.between(0.08, 0.3), self.dice.between(0.0, 1.0));
            let wave = if soft { wave } else { 0.25 * wave };
            let spin = self.dice.between(-0.25, 0.25);
            let path = |t: f64| {
                let x = from + (reach - from) * t;
                let turns = around + spin * t;
                let r = rho * within + flare * t * t;
                let curl = wave * t * ops::sin_turns(1.3 * t + phase);
                let across =
                    end.normal * ops::cos_turns(turns) + end.binormal * ops::sin_turns(turns);
                let aside =
                    end.binormal * ops::cos_turns(turns) - end.normal * ops::sin_turns(turns);
                core(x) + (across * r + aside * curl) * end.radius
            };
            let points: Vec<DVec3> = (0..=14).map(|i| path(f64::from(i) / 14.0)).collect();
            let light = self.dice.between(0.85, 1.25);
            let taper: &[_] = if soft {
                &[(0.0, 1.0), (0.75, 0.85), (1.0, 0.35)]
            } else {
                &[(0.0, 1.0), (1.0, 0.8)]
            };
            self.add(&points, rho * thick, taper, name, light);
            if soft {
                self.fibres(&points, 4);
            }
        }
    }

    /// Hairs that stand off a yarn.
    fn fibres(&mut self, yarn: &[DVec3], count: u32) {
        let end = self.end;
        for _ in 0..count {
            let first = self.dice.between(0.35, 0.98) * (yarn.len() - 1) as f64;
            let i = (first as usize).min(yarn.len() - 2);
            let root = yarn[i].lerp(yarn[i + 1], first - i as f64);
            let along = (yarn[i + 1] - yarn[i]).normalize_or(end.out);
            let frame = Frame::new(along, end.normal);
            let aside = frame.around(self.dice.between(0.0, 1.0));
            let long = self.dice.between(0.6, 2.2) * end.radius;
            let (lean, bow) = (self.dice.between(0.15, 0.9), self.dice.between(-0.6, 0.6));
            let other = along.cross(aside);
            let points: Vec<DVec3> = (0..=7)
                .map(|k| {
                    let t = f64::from(k) / 7.0;
                    root + (along * (t * (1.0 - 0.3 * lean))
                        + aside * (lean * t * t)
                        + other * (bow * t * t * t))
                        * long
                })
                .collect();
            let light = self.dice.between(1.0, 1.5);
            self.add(&points, 0.016, &[(0.0, 1.0), (1.0, 0.4)], "fibre", light);
        }
    }

    /// Yarns from the whole of the cross-section, fanning out.
    fn brush(&mut self, yarns: u32) {
        let end = self.end;
        for j in 0..yarns {
            // A sunflower: evenly over the disc.
            let r0 = 0.86 * ((f64::from(j) + 0.5) / f64::from(yarns)).sqrt();
            let around = f64::from(j) * 0.381_966_011_250_105 + self.dice.between(-0.04, 0.04);
            let long = self.dice.between(1.6, 4.6) - 0.8 * r0;
            let flare = r0 * self.dice.between(0.45, 1.5);
            let (wave, phase) = (self.dice.between(0.05, 0.3), self.dice.between(0.0, 1.0));
            let spin = self.dice.between(-0.12, 0.12);
            let path = |t: f64| {
                let x = -0.7 + (long + 0.7) * t;
                let open = x.max(0.0) / long;
                let r = r0 * (0.78 + 0.1 * t) + flare * open * open.sqrt();
                let curl = wave * open * ops::sin_turns(1.1 * open + phase);
                end.place(x, r + 0.4 * curl, around + spin * open + curl / (TAU * (0.5 + r)))
            };
            let points: Vec<DVec3> = (0..=14).map(|i| path(f64::from(i) / 14.0)).collect();
            let light = self.dice.between(0.86, 1.22);
            self.add(&points, 0.098, &[(0.0, 1.0), (0.7, 0.85), (1.0, 0.3)], "yarn", light);
            self.fibres(&points, 2);
        }
    }

    /// Threads that stand out of the end of something flat.
    fn fringe(&mut self) {
        let end = self.end;
        let outline = match &self.of.profile {
            Profile::Closed(outline) | Profile::Open(outline) => outline.clone(),
            Profile::Round => return,
        };
        let count = 40;
        for j in 0..count {
            // Halfway between two places of the outline, so inside of it if it bulges.
            let pick = |u: f64| {
                let at = u * outline.len() as f64;
                let i = (at as usize).min(outline.len() - 1);
                outline[i].lerp(outline[(i + 1) % outline.len()], at - i as f64)
            };
            let one = (f64::from(j) + self.dice.between(0.0, 0.9)) / f64::from(count);
            let root = pick(one).lerp(pick(1.0 - one), self.dice.between(0.1, 0.9));
            let base = end.at + (end.normal * root.x + end.binormal * root.y) * end.radius;
            let long = self.dice.between(0.2, 1.15);
            let (lean, side) = (self.dice.between(-0.3, 0.3), self.dice.between(-0.3, 0.3));
            let points: Vec<DVec3> = (0..=8)
                .map(|i| {
                    let t = f64::from(i) / 8.0;
                    let x = -0.1 + (long + 0.1) * t;
                    base + (end.out * x
                        + end.normal * (lean * t * t)
                        + end.binormal * (side * t * t))
                        * end.radius
                })
                .collect();
            let light = self.dice.between(0.75, 1.25);
            self.add(&points, 0.03, &[(0.0, 1.0), (1.0, 0.4)], "yarn", light);
        }
    }

    /// Horns that lean on the wall of the strand, the longest on one side: together an oblique,
    /// ragged break.
    fn shear(&mut self, neck: f64) {
        let towards = self.dice.between(0.0, 1.0);
        self.horn(towards, 0.98 * neck, 1.5 * neck, 0.05);
        for k in 1..12 {
            let around = towards + f64::from(k) / 12.0 + self.dice.between(-0.04, 0.04);
            // Shorter on the other side.
            let near = 0.5 + 0.5 * ops::cos_turns(around - towards);
            let thick = self.dice.between(0.22, 0.5) * neck;
            let long = (0.3 + 1.1 * near) * self.dice.between(0.6, 1.2) * neck;
            self.horn(around, thick, long, 0.06);
        }
    }

    /// Long splinters, all over the cross-section.
    fn splinter(&mut self) {
        let count = 34;
        for j in 0..count {
            let around = f64::from(j) * 0.381_966_011_250_105;
            let uneven = self.dice.between(0.0, 1.0);
            let thick = self.dice.between(0.16, 0.34);
            let within = (1.0 - thick) * (1.0 - ((f64::from(j) + 0.5) / f64::from(count)).sqrt());
            self.spike(around, thick, 0.35 + 2.0 * uneven * uneven, within, 0.05);
        }
    }

    /// A cone whose outer side goes on where the wall of the strand ends.
    fn horn(&mut self, around: f64, thick: f64, long: f64, tip: f64) {
        let wall = match self.end.how {
            Break::Oblique { neck } => 1.0 - neck,
            _ => 0.0,
        };
        self.spike(around, thick, long, wall, tip);
    }

    /// A cone with its outer side `within` the wall by so much; in radii.
    fn spike(&mut self, around: f64, thick: f64, long: f64, within: f64, tip: f64) {
        let end = self.end;
        let name = self.of.material.name.clone();
        let shape = [(-0.25, 1.0), (0.0, 1.0), (0.3, 0.86), (0.6, 0.58), (0.85, 0.26), (1.0, tip)];
        let points: Vec<DVec3> = shape
            .iter()
            .map(|(t, r)| {
                let x = if *t < 0.0 { *t } else { long * t };
                end.place(x, (1.0 - within - thick * r).max(0.0), around)
            })
            .collect();
        let radii: Vec<f64> = shape.iter().map(|(_, r)| thick * r * end.radius).collect();
        let light = self.dice.between(0.92, 1.12);
        self.add(&points, thick, &[], &name, light);
        if let Some(spike) = self.all.last_mut() {
            spike.set_radius(&radii);
        }
    }
}

/// The strand with its torn ends made thin, and for each of its points where on the old one it is,
/// counted in points.
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
            share.min(by_straight_lines(end.how.taper(), off / end.radius))
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
        strand.material.clone(),
    );
    rest.profile = strand.profile.clone();
    (rest, sources)
}

/// Values joined by straight lines, in falling order of their places; held beyond the ends.
fn by_straight_lines(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|p| p.0 >= x);
    match (after.checked_sub(1).map(|i| points[i]), points.get(after)) {
        (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (x0 - x) / (x0 - x1),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 1.0,
    }
}

/// The colour at a place counted in points.
fn between(colours: &[[f32; 3]], at: f64) -> [f32; 3] {
    let i = (at as usize).min(colours.len() - 2);
    let h = (at - i as f64) as f32;
    std::array::from_fn(|c| colours[i][c] + (colours[i + 1][c] - colours[i][c]) * h)
}

/// Numbers that look random and belong to a name.
struct Dice(u64);

impl Dice {
    /// FNV-1a of the name and the end.
    fn of(strand: &Strand, side: usize) -> Self {
        let bytes = strand.name.bytes().chain([side as u8]);
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }

    /// The next number, between two others (Steele, Lea and Flood's SplitMix).
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rope(material: &str, torn: [bool; 2], lift: f64) -> Strand {
        let points: Vec<_> = (0..9).map(|i| DVec3::new(f64::from(i) * 0.25, 0.0, lift)).collect();
        let material = Material { name: material.into(), colour: [0.4, 0.3, 0.2] };
        let mut strand = Strand::empty("rope", material);
        strand.sweep(&points, &Sweep::round(DVec3::Z, 0.1));
        strand.torn = torn;
        strand
    }

    fn drawn(strand: &Strand) -> Vec<Strand> {
        let mut all = Vec::new();
        with_frays(&strand.into(), |shown| all.push(shown.strand.clone()));
        all
    }

    #[test]
    fn whole_ends_stay_whole() {
        let whole = rope("rope", [false; 2], 0.0);
        assert_eq!(drawn(&whole), [whole.clone()]);
        let mut ring = rope("rope", [true; 2], 0.0);
        ring.closed = true;
        assert_eq!(drawn(&ring).len(), 1);
        assert_eq!(drawn(&rope("bulb", [true; 2], 0.0)).len(), 1);
    }

    #[test]
    fn the_same_name_frays_the_same_way() {
        for name in crate::material::NAMES {
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
        // Away from the torn end it is what it was.
        assert_eq!(here[0].points()[0], DVec3::ZERO);
        assert_eq!(here[0].radius()[0], 0.1);
    }

    #[test]
    fn a_laid_rope_opens_into_its_strands() {
        let parts = drawn(&rope("rope", [false, true], 0.0));
        let thick = parts[1..].iter().filter(|part| part.radius()[0] > 0.04);
        let (strands, mut apart) = (thick.clone().count(), Vec::new());
        for strand in thick {
            // Within the rope at first, out of it at the end.
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
    fn colours_go_on_into_the_yarns() {
        let torn = rope("rope", [false, true], 0.0);
        let map: Vec<[f32; 3]> = (0..9).map(|i| [i as f32 / 8.0, 0.0, 1.0]).collect();
        let mut count = 0;
        with_frays(&Shown { strand: &torn, dress: Dress::Map(&map) }, |shown| {
            assert!(shown.check().is_ok());
            let Dress::Map(colours) = shown.dress else { panic!("a map stays one") };
            assert_eq!(colours.last(), Some(&[1.0, 0.0, 1.0]));
            count += 1;
        });
        assert!(count > 3);
    }
}
