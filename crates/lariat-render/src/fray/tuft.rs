//! Geometry of a torn end: strands, yarns, fibres, splinters.
//!
//! All lengths are in radii of the rope. Random numbers come from [`Dice`], seeded by the strand's
//! name, or by its position on a rope that may tear, so they are the same in every frame.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::{
    curve::Frame,
    geometry::{Look, Profile, Strand, Sweep},
    num::{fnv::Fnv64, ops},
};

use super::{Break, End};
use crate::{stage::smooth, surface};

/// Golden angle in turns; gives an even distribution of directions.
const GOLDEN: f64 = 0.381_966_011_250_105;

/// Builder of the yarns of one end.
pub(super) struct Tuft<'a> {
    pub end: &'a End,
    pub of: &'a Strand,
    pub dice: Dice,
    pub all: Vec<Strand>,
}

impl Tuft<'_> {
    /// Adds a strand along points, with a radius at its start and a taper, in radii.
    fn add(&mut self, points: &[DVec3], radius: f64, taper: &[(f64, f64)], name: &str, light: f64) {
        let colour = self.of.look.colour.map(|c| (c * light).clamp(0.0, 1.0));
        let look = Look { name: name.into(), colour };
        let mut yarn = Strand::empty(self.of.name.clone(), look);
        let radius = radius * self.end.radius;
        yarn.sweep(points, &Sweep { taper, ..Sweep::round(self.end.normal, radius) });
        self.all.push(yarn);
    }

    /// Strands that continue along the lay and open into yarns, and these into fibres.
    pub(super) fn unlay(&mut self, strands: u32, yarns: u32, soft: bool) {
        let end = self.end;
        let name = self.of.look.name.clone();
        let n = f64::from(strands);
        let (pitch, rho) = surface::lay(n, end.radius);
        let turns_per_radius = end.sign * end.radius / pitch;
        for k in 0..strands {
            let long = self.dice.between(4.2, 6.4) * if soft { 1.0 } else { 0.9 };
            let flare = self.dice.between(0.5, 1.5) * if soft { 1.0 } else { 0.7 };
            let swerve = self.dice.between(-0.09, 0.09);
            let start = end.radii * end.radius / pitch + (f64::from(k) + 0.5) / n;
            // Along the helix at first; then the rotation decays and the strand leaves the axis.
            let core = |x: f64| {
                let ahead = x.max(0.0);
                let open = (ahead / long).min(1.6);
                let left = 1.0 - open.min(1.0);
                let turned = x.min(0.0) + long * (1.0 - left * left * left) / 3.0;
                // It leaves the rope before the rope thins, so that no seam is visible.
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

    /// Yarns of a strand that runs along `core` and opens from `from` on.
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
        let name = self.of.look.name.clone();
        let name: &str = if soft { &name } else { "steel" };
        let thick = if soft { 0.3 } else { 0.27 };
        for j in 0..yarns {
            // One at the centre, the others around it.
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

    /// Fibres that stick out from a yarn.
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

    /// Yarns from the whole cross-section, fanning out.
    pub(super) fn brush(&mut self, yarns: u32) {
        let end = self.end;
        for j in 0..yarns {
            // A sunflower pattern: even over the disc.
            let r0 = 0.86 * ((f64::from(j) + 0.5) / f64::from(yarns)).sqrt();
            let around = f64::from(j) * GOLDEN + self.dice.between(-0.04, 0.04);
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

    /// Threads that stick out of the end of a flat strand.
    pub(super) fn fringe(&mut self) {
        let end = self.end;
        let outline = match &self.of.profile {
            Profile::Closed(outline) | Profile::Open(outline) => outline.clone(),
            Profile::Round => return,
        };
        if outline.is_empty() {
            return;
        }
        let count = 40;
        for j in 0..count {
            // Halfway between two points of the outline, so inside it if it is convex.
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

    /// Spikes along the wall of the strand, longest on one side: together an oblique, ragged break.
    pub(super) fn shear(&mut self, neck: f64) {
        let towards = self.dice.between(0.0, 1.0);
        self.horn(towards, 0.98 * neck, 1.5 * neck, 0.05);
        for k in 1..12 {
            let around = towards + f64::from(k) / 12.0 + self.dice.between(-0.04, 0.04);
            // Shorter on the opposite side.
            let near = 0.5 + 0.5 * ops::cos_turns(around - towards);
            let thick = self.dice.between(0.22, 0.5) * neck;
            let long = (0.3 + 1.1 * near) * self.dice.between(0.6, 1.2) * neck;
            self.horn(around, thick, long, 0.06);
        }
    }

    /// Long splinters over the whole cross-section.
    pub(super) fn splinter(&mut self) {
        let count = 34;
        for j in 0..count {
            let around = f64::from(j) * GOLDEN;
            let uneven = self.dice.between(0.0, 1.0);
            let thick = self.dice.between(0.16, 0.34);
            let within = (1.0 - thick) * (1.0 - ((f64::from(j) + 0.5) / f64::from(count)).sqrt());
            self.spike(around, thick, 0.35 + 2.0 * uneven * uneven, within, 0.05);
        }
    }

    /// A cone whose outer side continues the wall of the strand.
    fn horn(&mut self, around: f64, thick: f64, long: f64, tip: f64) {
        let wall = match self.end.how {
            Break::Oblique { neck } => 1.0 - neck,
            _ => 0.0,
        };
        self.spike(around, thick, long, wall, tip);
    }

    /// A cone whose outer side is `within` inside the wall; in radii.
    fn spike(&mut self, around: f64, thick: f64, long: f64, within: f64, tip: f64) {
        let end = self.end;
        let name = self.of.look.name.clone();
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

/// Pseudo-random numbers of a strand.
pub(super) struct Dice(u64);

impl Dice {
    /// Seeded by name, grain and end; for a piece, by its position on the rope.
    pub(super) fn of(strand: &Strand, side: usize) -> Self {
        let mut hash = Fnv64::new();
        match strand.piece {
            None => hash.bytes(strand.name.bytes()),
            Some(piece) => hash.bytes([piece.from, piece.to][side].to_le_bytes()),
        }
        hash.bytes(strand.grain.to_le_bytes().into_iter().chain([side as u8]));
        Self(hash.finish())
    }

    /// Next number in a range (`SplitMix`: Steele, Lea and Flood).
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * share
    }
}
