//! Contact sheet of a game: box, string, beam and shots.
//!
//! The game is recorded as positions; only the pictures of the sheet become meshes and strands. The
//! camera is fixed. The halves of the box have two colours to show its orientation, and a bar on
//! the beam shows the twist of the string relative to its limit.
//!
//! Tests: `the_bar_is_as_long_as_the_twist`, `the_box_has_two_halves_that_meet`.

use std::{f64::consts::PI, path::Path};

use glam::{DMat3, DVec3};
use lariat_core::{
    geometry::{Bounds, Look, Mesh, MeshTopology, Strand, Sweep, interpolate_linear},
    num::ops,
};
use lariat_export::file::save_seekable;
use lariat_render::{
    Camera, Moment, NamedView, Picture, Quality, Renderer, Sheet, Size, Stage, View,
};
use lariat_rigid::{Shape, Solid};
use lariat_shoot::{OpenRenderer, RendererChoice};
use lariat_twist::{Game, Outcome};

use crate::{exit::Failure, output, renderer::rendered_by, words};

/// Seconds per frame.
pub(super) const FRAME: f64 = 1.0 / 60.0;
/// Number of pictures on a sheet, and the size of each in pixels.
const CELLS: usize = 12;
const CELL: (u32, u32) = (340, 300);
/// Half width and height of the view, from the beam downwards, in metres.
const AROUND: f64 = 0.35;
const DOWN: f64 = 0.8;
/// Half sizes of the beam, and of the full bar on its face.
const BEAM: DVec3 = DVec3::new(0.42, 0.04, 0.04);
const BAR: DVec3 = DVec3::new(0.38, 0.006, 0.02);

/// State at a frame.
struct Still {
    solids: Vec<Solid>,
    /// Twist of the string relative to its limit.
    wound: f64,
    /// Points, their angles, and torn ends of each piece of string.
    pieces: Vec<(Vec<DVec3>, Vec<f64>, [bool; 2])>,
}

/// Recorded game.
#[derive(Default)]
pub(super) struct Film {
    stills: Vec<Still>,
    beam: DVec3,
    radius: f64,
}

impl Film {
    /// Records the state.
    pub(super) fn take(&mut self, game: &Game) {
        let strings = game.strings();
        let state = &strings.state;
        self.beam = game.beam();
        self.radius = strings.radius(0);
        let pieces = state.spans.iter().filter(|span| span.count > 1).map(|span| {
            let mut angles: Vec<f64> = span.segments().map(|i| state.angles[i]).collect();
            angles.push(angles[angles.len() - 1]);
            (state.positions[span.particles()].to_vec(), angles, span.torn)
        });
        let pieces = pieces.collect();
        // A torn string has no twist.
        let torn = game.outcome() == Outcome::Won;
        let wound = if torn { 0.0 } else { (game.turns().abs() / game.rules().turns).min(1.0) };
        self.stills.push(Still { solids: game.solids().solids.clone(), wound, pieces });
    }

    /// Renders the sheet and returns its description.
    pub(super) fn draw(
        self,
        path: &Path,
        force: bool,
        by: RendererChoice,
    ) -> Result<String, Failure> {
        let cell = Size::new(CELL.0, CELL.1)?;
        let count = CELLS.min(self.stills.len());
        let mut sheet = Sheet::new(cell, count, Sheet::columns_for(cell, count))?;
        let OpenRenderer { mut renderer, card } = by.open(cell)?;
        for k in 0..count {
            let frame = (self.stills.len() - 1) * k / (count - 1).max(1);
            let picture = self.picture(frame, cell, renderer.as_mut())?;
            sheet.put(k, frame as i64, &picture)?;
        }
        let picture = sheet.finish();
        save_seekable(path, output::existing(force), |out| {
            Ok::<_, Failure>(picture.encode_png(out)?)
        })?;
        let pictures = words::count(count as u64, "picture");
        let by = rendered_by(card.as_deref());
        Ok(format!("{pictures} of {:.1} s, {by}", self.stills.len() as f64 * FRAME))
    }

    fn picture(
        &self,
        frame: usize,
        size: Size,
        renderer: &mut dyn Renderer,
    ) -> Result<Picture, Failure> {
        let still = &self.stills[frame];
        let mut meshes = beam(self.beam, still.wound).to_vec();
        meshes.extend(still.solids.iter().enumerate().flat_map(|(k, solid)| meshes_of(k, solid)));
        let meshes: Vec<Mesh> = meshes.into_iter().flatten().collect();
        let strands: Vec<Strand> = still.pieces.iter().map(|piece| self.strand(piece)).collect();
        let mut seen = Bounds::EMPTY;
        seen.include(self.beam - DVec3::new(AROUND, 0.1, DOWN), 0.0);
        seen.include(self.beam + DVec3::new(AROUND, 0.1, 0.1), 0.0);
        let camera = Camera::framing(&seen, NamedView::ThreeQuarter.direction(), size.aspect());
        seen.include(DVec3::ZERO, 0.0);
        let view = View {
            moments: &[Moment::new(&strands, camera).with_meshes(&meshes)],
            stage: &Stage::day(&seen),
            size,
            quality: Quality::PREVIEW,
        };
        Ok(renderer.draw(&view)?)
    }

    fn strand(&self, (points, angles, torn): &(Vec<DVec3>, Vec<f64>, [bool; 2])) -> Strand {
        let mut strand = Strand::empty("string", section("rope", [0.62, 0.42, 0.18]));
        let last = (points.len() - 1) as f64;
        let along: Vec<(f64, f64)> =
            angles.iter().enumerate().map(|(i, angle)| (i as f64 / last, *angle)).collect();
        let rotation = |u: f64| interpolate_linear(&along, u);
        let sweep = Sweep { rotation: Some(&rotation), ..Sweep::round(DVec3::X, self.radius) };
        strand.sweep(points, &sweep);
        strand.torn = *torn;
        strand
    }
}

fn section(name: &str, colour: [f64; 3]) -> Look {
    Look { name: name.into(), colour }
}

/// The beam and the bar on its face: the filled and the empty part.
fn beam(top: DVec3, wound: f64) -> [Option<Mesh>; 3] {
    let upright = DMat3::IDENTITY;
    let middle = top + DVec3::Z * BEAM.z;
    let face = middle - DVec3::Y * (BEAM.y + BAR.y);
    let part = |name: &str, from: f64, to: f64, colour: [f64; 3]| {
        let half = BAR.with_x(BAR.x * (to - from));
        let place = face + DVec3::X * (BAR.x * (from + to - 1.0));
        (to > from).then(|| faceted(name, half, place, upright, section("paint", colour)))?
    };
    [
        faceted("beam", BEAM, middle, upright, section("wood", [0.2, 0.11, 0.05])),
        part("wound", 0.0, wound, [0.8, 0.42, 0.02]),
        part("left", wound, 1.0, [0.02, 0.02, 0.025]),
    ]
}

/// Meshes of a solid: the box in two halves, or a shot.
fn meshes_of(k: usize, solid: &Solid) -> Vec<Option<Mesh>> {
    match solid.shape {
        Shape::Box { half } => {
            let turned = DMat3::from_quat(solid.rotation);
            let halves = [(-0.5, [0.65, 0.09, 0.05]), (0.5, [0.75, 0.7, 0.6])];
            let painted = |(side, colour): (f64, [f64; 3])| {
                let place = solid.position + turned * (DVec3::X * (side * half.x));
                let half = half.with_x(0.5 * half.x);
                faceted("box", half, place, turned, section("plastic", colour))
            };
            halves.map(painted).to_vec()
        }
        Shape::Ball { radius } | Shape::Cylinder { radius, .. } => {
            vec![ball(&format!("shot-{k}"), radius, solid.position)]
        }
    }
}

/// A box with hard edges: faces do not share corners.
fn faceted(name: &str, half: DVec3, place: DVec3, turned: DMat3, look: Look) -> Option<Mesh> {
    let mut points = Vec::with_capacity(24);
    for (out, a, b) in [
        (DVec3::X, DVec3::Y, DVec3::Z),
        (DVec3::Y, DVec3::Z, DVec3::X),
        (DVec3::Z, DVec3::X, DVec3::Y),
    ] {
        for sign in [1.0, -1.0] {
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let corner = out * sign + a * (u * sign) + b * v;
                points.push(place + turned * (corner * half));
            }
        }
    }
    let shape = MeshTopology::new(&points, vec![4; 6], (0..24).collect()).ok()?;
    Mesh::new(name, shape, points, look).ok()
}

/// A sphere.
fn ball(name: &str, radius: f64, place: DVec3) -> Option<Mesh> {
    const RINGS: u32 = 10;
    const SIDES: u32 = 16;
    let mut points = Vec::new();
    for ring in 0..=RINGS {
        let (sin, cos) = ops::sin_cos(PI * f64::from(ring) / f64::from(RINGS));
        for side in 0..SIDES {
            let (y, x) = ops::sin_cos(2.0 * PI * f64::from(side) / f64::from(SIDES));
            points.push(place + DVec3::new(sin * x, sin * y, cos) * radius);
        }
    }
    let mut corners = Vec::new();
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let next = (side + 1) % SIDES;
            let (up, down) = (ring * SIDES, (ring + 1) * SIDES);
            corners.extend([up + side, down + side, down + next, up + next]);
        }
    }
    let shape = MeshTopology::new(&points, vec![4; (RINGS * SIDES) as usize], corners).ok()?;
    Mesh::new(name, shape, points, section("steel", [0.52, 0.53, 0.55])).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Extent of a mesh along X.
    fn along(mesh: &Mesh) -> [f64; 2] {
        let x = mesh.points().iter().map(|p| p.x);
        [x.clone().fold(f64::INFINITY, f64::min), x.fold(f64::NEG_INFINITY, f64::max)]
    }

    #[test]
    fn the_bar_is_as_long_as_the_twist() {
        let [_, wound, left] = beam(DVec3::Z, 0.25).map(|mesh| mesh.map(|mesh| along(&mesh)));
        let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(wound.is_some_and(|bar| near(bar, [-0.38, -0.19])), "{wound:?}");
        assert!(left.is_some_and(|bar| near(bar, [-0.19, 0.38])), "{left:?}");
        let there = |wound: f64| beam(DVec3::Z, wound).map(|mesh| mesh.is_some());
        assert_eq!([there(0.0), there(1.0)], [[true, false, true], [true, true, false]]);
    }

    #[test]
    fn the_box_has_two_halves_that_meet() {
        let half = DVec3::new(0.2, 0.05, 0.05);
        let solid = Solid::new(Shape::Box { half }, 1.0, DVec3::X);
        let halves: Vec<Mesh> = meshes_of(0, &solid).into_iter().flatten().collect();
        assert_eq!(halves.len(), 2);
        assert_ne!(halves[0].look.colour, halves[1].look.colour);
        let ([a, b], [c, d]) = (along(&halves[0]), along(&halves[1]));
        assert!((a - 0.8).abs() < 1e-12 && (d - 1.2).abs() < 1e-12 && (b - c).abs() < 1e-12);
    }
}
