//! Colliders and cameras as lines: they are not in the rendered picture, but can be seen, selected and
//! moved in the view.
//!
//! Tests: `a_ball_covers_what_is_behind_it`; `crates/lariat-studio/tests/studio/view.rs`.

use egui::Pos2;
use glam::DVec3;
use lariat_core::{
    geometry::{Bounds, Camera, Lens},
    model::layer::{Collider, collider::HeightField},
    num::ops,
};
use lariat_eval::Moment as Pose;
use lariat_scene::Thing;

use super::{Eye, hands::distance};
use crate::{session::Session, workspace::Workspace};

/// Pieces of a circle.
const PIECES: usize = 48;

/// Lines of a plane or of uneven ground in each direction. More: the view is full of lines. Fewer: the
/// shape is not seen.
const LINES: usize = 12;

/// Points along a line of uneven ground at most.
const POINTS: usize = 96;

/// Size of a camera, in points of the window.
const CAMERA: f64 = 34.0;

/// Width over height of the picture of a camera.
const ASPECT: f64 = 16.0 / 9.0;

/// A thing as lines.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(crate) thing: Thing,
    pub(crate) name: String,
    pub(crate) lines: Vec<Vec<DVec3>>,
    /// Whether it is a solid all around, which a click can also hit between its lines.
    pub(crate) is_solid: bool,
}

impl Wire {
    /// Distance of its nearest line from a position in the window, in points.
    pub(crate) fn distance(&self, eye: &Eye, at: Pos2) -> f32 {
        let lines = self.lines.iter().flat_map(|line| line.windows(2));
        lines
            .filter_map(|pair| Some((eye.project(pair[0])?, eye.project(pair[1])?)))
            .map(|(a, b)| distance(at, a, b))
            .fold(f32::INFINITY, f32::min)
    }

    /// Whether a solid is seen at a position in the window. All solids are convex, so it is the hull of
    /// its lines.
    pub(crate) fn covers(&self, eye: &Eye, at: Pos2) -> bool {
        let points = self.lines.iter().flatten().filter_map(|point| eye.project(*point));
        self.is_solid && is_in_hull(points.collect(), at)
    }
}

/// Colliders and cameras of a pose, with planes as large as the content.
pub(crate) fn wires(
    session: &Session,
    workspace: &Workspace,
    pose: &Pose,
    eye: &Eye,
    content: &Bounds,
) -> Vec<Wire> {
    let (scene, lowered) = (session.editor.scene(), session.editor.lowered());
    let colliders = lowered.colliders.iter().enumerate().filter_map(|(index, record)| {
        let collider = scene.evaluate_collider(index, pose.frame)?;
        Some(Wire {
            thing: Thing::Collider,
            name: record.name().to_owned(),
            lines: lines_of(&collider, content),
            is_solid: !matches!(collider, Collider::Plane { .. } | Collider::HeightField(_)),
        })
    });
    let is_fresh = pose.bodies.len() == scene.body_count();
    let cameras = 0..if is_fresh { scene.camera_count() } else { 0 };
    let cameras = cameras.filter(|camera| workspace.camera != Some(*camera)).map(|camera| {
        let posed = scene.evaluate_camera_in(camera, pose.frame, &pose.bodies).camera;
        let size = eye.point_size(posed.eye) * CAMERA;
        let name = scene.camera_name(camera).to_owned();
        Wire { thing: Thing::Camera, name, lines: pyramid(&posed, size), is_solid: true }
    });
    let wires = colliders.chain(cameras);
    wires.filter(|wire| workspace.shows_thing(wire.thing, &wire.name)).collect()
}

fn lines_of(collider: &Collider, content: &Bounds) -> Vec<Vec<DVec3>> {
    match collider {
        Collider::Plane { point, normal } => plane(*point, *normal, content),
        Collider::Sphere { centre, radius } => {
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * *radius);
            [(x, y), (y, z), (z, x)].map(|(a, b)| arc(*centre, a, b, 1.0)).to_vec()
        }
        Collider::Box { centre, half, world_from_box } => {
            let corner =
                |x: f64, y: f64, z: f64| *centre + *world_from_box * (DVec3::new(x, y, z) * *half);
            let around = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
            let [low, high] = [-1.0, 1.0].map(|z| around.map(|(x, y)| corner(x, y, z)).to_vec());
            let edges = (0..4).map(|k| vec![low[k], high[k]]).collect::<Vec<_>>();
            [vec![low, high], edges].concat()
        }
        Collider::Cylinder { from, to, radius } => tube(*from, *to, *radius).0,
        Collider::Capsule { from, to, radius } => {
            let (mut lines, [along, a, b]) = tube(*from, *to, *radius);
            for (end, out) in [(*from, -along), (*to, along)] {
                lines.extend([a, b].map(|side| arc(end, side, out * *radius, 0.5)));
            }
            lines
        }
        Collider::HeightField(field) => ground(field),
    }
}

/// Part of a circle, in turns, from `a` over `b`.
fn arc(centre: DVec3, a: DVec3, b: DVec3, turns: f64) -> Vec<DVec3> {
    let at = |k: usize| {
        let turn = turns * k as f64 / PIECES as f64;
        centre + a * ops::cos_turns(turn) + b * ops::sin_turns(turn)
    };
    (0..=PIECES).map(at).collect()
}

/// Both ends of a cylinder and four lines between them; its direction, and two radii across.
fn tube(from: DVec3, to: DVec3, radius: f64) -> (Vec<Vec<DVec3>>, [DVec3; 3]) {
    let along = (to - from).normalize_or(DVec3::Z);
    let (a, b) = along.any_orthonormal_pair();
    let (a, b) = (a * radius, b * radius);
    let mut lines = vec![arc(from, a, b, 1.0), arc(to, a, b, 1.0)];
    lines.extend([a, b, -a, -b].map(|side| vec![from + side, to + side]));
    (lines, [along, a, b])
}

/// A square grid on a plane, below the content.
fn plane(point: DVec3, normal: DVec3, content: &Bounds) -> Vec<Vec<DVec3>> {
    let (middle, half) = match content.is_empty() {
        true => (point, 1.0),
        false => (
            (content.low + content.high) * 0.5,
            0.6 * (content.high - content.low).length().max(0.1),
        ),
    };
    let centre = middle - normal * (middle - point).dot(normal);
    let along = (DVec3::X - normal * normal.x).try_normalize();
    let along = along.unwrap_or_else(|| normal.any_orthonormal_vector());
    let across = normal.cross(along);
    let place = |k: usize| half * (2.0 * k as f64 / LINES as f64 - 1.0);
    let line = |a: DVec3, b: DVec3, k: usize| {
        vec![centre + a * place(k) - b * half, centre + a * place(k) + b * half]
    };
    let both = (0..=LINES).flat_map(|k| [line(along, across, k), line(across, along, k)]);
    both.collect()
}

fn ground(field: &HeightField) -> Vec<Vec<DVec3>> {
    let rows = field.heights.len().checked_div(field.columns).unwrap_or(0);
    if rows < 2 || field.columns < 2 {
        return Vec::new();
    }
    let at = |i: usize, j: usize| {
        let height = field.heights[j * field.columns + i];
        field.origin + DVec3::new(i as f64 * field.cell, j as f64 * field.cell, height)
    };
    let some = |count: usize, most: usize| {
        let most = most.min(count);
        (0..most).map(move |k| k * (count - 1) / (most - 1).max(1))
    };
    let along = some(rows, 2 * LINES)
        .map(|j| some(field.columns, POINTS).map(|i| at(i, j)).collect::<Vec<_>>());
    let across = some(field.columns, 2 * LINES)
        .map(|i| some(rows, POINTS).map(|j| at(i, j)).collect::<Vec<_>>());
    along.chain(across).collect()
}

/// A camera: a pyramid that opens where it looks, with a tip above its picture.
fn pyramid(camera: &Camera, size: f64) -> Vec<Vec<DVec3>> {
    let forward = (camera.target - camera.eye).normalize_or(DVec3::Y);
    let right = forward.cross(camera.up).normalize_or(forward.any_orthonormal_vector());
    let up = right.cross(forward);
    let (half, from) = match camera.lens {
        // A long lens stays visible, a wide one does not fill the view.
        Lens::Perspective { angle } => (size * ops::tan(0.5 * angle).clamp(0.12, 0.5), 0.0),
        Lens::Orthographic { .. } => (0.3 * size, 1.0),
    };
    let corner = |x: f64, y: f64, far: f64, open: f64| {
        camera.eye + forward * far + (right * (x * ASPECT) + up * y) * (half * open)
    };
    let around = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let front: Vec<DVec3> = around.map(|(x, y)| corner(x, y, size, 1.0)).to_vec();
    let back = around.map(|(x, y)| corner(x, y, 0.0, from));
    let mut lines: Vec<Vec<DVec3>> = (0..4).map(|k| vec![back[k], front[k]]).collect();
    lines.push([&front[..], &front[..1]].concat());
    let tip =
        [corner(-0.5, 1.1, size, 1.0), corner(0.0, 1.7, size, 1.0), corner(0.5, 1.1, size, 1.0)];
    lines.push(vec![tip[0], tip[1], tip[2], tip[0]]);
    lines
}

/// Whether a point is inside the convex hull of others.
fn is_in_hull(mut points: Vec<Pos2>, at: Pos2) -> bool {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let turn = |a: Pos2, b: Pos2, c: Pos2| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let half = |points: &mut dyn Iterator<Item = Pos2>| {
        let mut hull: Vec<Pos2> = Vec::new();
        for point in points {
            while hull.len() > 1 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0 {
                hull.pop();
            }
            hull.push(point);
        }
        hull
    };
    let lower = half(&mut points.iter().copied());
    let upper = half(&mut points.iter().rev().copied());
    let is_left = |hull: &[Pos2]| hull.windows(2).all(|pair| turn(pair[0], pair[1], at) >= 0.0);
    points.len() > 2 && is_left(&lower) && is_left(&upper)
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2, vec2};
    use lariat_render::{OrbitCamera, Size};

    use super::*;

    #[test]
    fn a_ball_covers_what_is_behind_it() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 300.0));
        let camera = OrbitCamera::default().camera();
        let eye = Eye::new(rect, 1.0, Size::new(400, 300).unwrap(), camera).unwrap();
        let (centre, radius) = (DVec3::new(0.1, 0.2, 0.0), 0.3);
        let ball = Collider::Sphere { centre, radius };
        let lines = lines_of(&ball, &Bounds::EMPTY);
        let wire = Wire { thing: Thing::Collider, name: String::new(), lines, is_solid: true };
        let at = eye.project(centre).unwrap();
        let reach = (radius / eye.point_size(centre)) as f32;
        for direction in [vec2(1.0, 0.0), vec2(-0.6, 0.8), vec2(0.0, -1.0)] {
            assert!(wire.covers(&eye, at + direction * (0.85 * reach)));
            assert!(!wire.covers(&eye, at + direction * (1.15 * reach)));
        }
        assert!(wire.distance(&eye, at + vec2(2.0 * reach, 0.0)) > 0.5 * reach);
    }
}
