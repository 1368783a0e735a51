//! Meshes in pictures: smooth, shaded, coloured, visible from both sides.

use glam::{DVec2, DVec3};
use lariat_core::{
    geometry::{Bounds, Look, Mesh, MeshTopology, Solid},
    num::ops,
};
use lariat_render::{
    Camera, CpuRenderer, Lens, Moment, Picture, Quality, RenderError, Renderer, Size, Stage, View,
};

use crate::scenes::QUALITY;

fn mesh(points: Vec<DVec3>, faces: &[Vec<u32>], name: &str, colour: [f64; 3]) -> Mesh {
    let counts = faces.iter().map(|face| face.len() as u32).collect();
    let shape = MeshTopology::new(&points, counts, faces.concat()).unwrap();
    Mesh::new("mesh", shape, points, Look { name: name.into(), colour }).unwrap()
}

/// A ball with `around` quads around and half as many from pole to pole.
pub(crate) fn ball(centre: DVec3, radius: f64, around: u32, name: &str, colour: [f64; 3]) -> Mesh {
    let down = around / 2;
    let mut points = vec![centre + DVec3::Z * radius];
    for i in 1..down {
        let angle = 0.5 * f64::from(i) / f64::from(down);
        let (s, c) = (ops::sin_turns(angle), ops::cos_turns(angle));
        for j in 0..around {
            let turns = f64::from(j) / f64::from(around);
            let way = DVec3::new(s * ops::cos_turns(turns), s * ops::sin_turns(turns), c);
            points.push(centre + way * radius);
        }
    }
    points.push(centre - DVec3::Z * radius);
    let at = |i: u32, j: u32| 1 + (i - 1) * around + j % around;
    let last = points.len() as u32 - 1;
    let mut faces = Vec::new();
    for j in 0..around {
        faces.push(vec![0, at(1, j), at(1, j + 1)]);
        for i in 1..down - 1 {
            faces.push(vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
        faces.push(vec![at(down - 1, j), last, at(down - 1, j + 1)]);
    }
    mesh(points, &faces, name, colour)
}

/// A square of two metres, level, facing up.
pub(crate) fn sheet(height: f64, colour: [f64; 3]) -> Mesh {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let points = corners.map(|[x, y]| DVec3::new(x, y, height)).to_vec();
    mesh(points, &[vec![0, 1, 2, 3]], "plain", colour)
}

fn draw(meshes: &[Mesh], camera: Camera, stage: &Stage) -> Picture {
    let size = Size::new(100, 100).unwrap();
    let moments = [Moment::new([], camera).with_meshes(meshes)];
    CpuRenderer::new().draw(&View { moments: &moments, stage, size, quality: QUALITY }).unwrap()
}

fn stage() -> Stage {
    let bounds = Bounds { low: DVec3::new(-2.0, -2.0, 0.0), high: DVec3::splat(2.0) };
    let mut stage = Stage::day(&bounds);
    stage.ground = stage.ground.map(|ground| lariat_render::Ground { lines: 0.0, ..ground });
    stage
}

/// A view four metres wide, with 25 pixels per metre.
fn from(eye: DVec3, up: DVec3) -> Camera {
    Camera { eye, target: DVec3::ZERO, up, lens: Lens::Orthographic { height: 4.0 } }
}

fn brightness(picture: &Picture, x: u32, y: u32) -> i32 {
    picture.at(x, y)[..3].iter().map(|c| i32::from(*c)).sum()
}

#[test]
fn a_ball_of_triangles_looks_like_a_ball() {
    // A coarse ball differs from a fine one only at its outline.
    let of = |around: u32| {
        let balls = [ball(DVec3::ZERO, 1.5, around, "plain", [0.5; 3])];
        let mut stage = stage();
        stage.ground = None;
        draw(&balls, from(DVec3::new(0.0, -9.0, 0.0), DVec3::Z), &stage)
    };
    let (coarse, fine) = (of(24), of(240));
    let mut worst = 0;
    for (x, y) in (0..100).flat_map(|x| (0..100).map(move |y| (x, y))) {
        let off = DVec2::new(f64::from(x) - 49.5, f64::from(y) - 49.5);
        if off.length() < 33.0 {
            worst = worst.max((brightness(&coarse, x, y) - brightness(&fine, x, y)).abs());
        }
    }
    // A triangle of the coarse ball is seven pixels wide; flat, it would be off by a hundred.
    assert!(worst < 60, "{worst} of 765");
    // Lit from the left and from above.
    assert!(brightness(&fine, 35, 30) > brightness(&fine, 65, 70) + 200);
}

#[test]
fn a_sheet_is_seen_from_both_sides() {
    let mut stage = stage();
    stage.ground = None;
    let sheets = [sheet(0.0, [0.9, 0.1, 0.1])];
    let above = draw(&sheets, from(DVec3::Z * 9.0, DVec3::Y), &stage);
    let below = draw(&sheets, from(DVec3::Z * -9.0, DVec3::Y), &stage);
    for picture in [&above, &below] {
        let [r, g, _, _] = picture.at(50, 50);
        assert!(r > 2 * g, "{:?}", picture.at(50, 50));
    }
    assert!(brightness(&above, 50, 50) > brightness(&below, 50, 50) + 100, "the light is above");
}

#[test]
fn a_mesh_casts_shadows_on_the_ground_and_on_meshes() {
    let mut stage = stage();
    stage.key.towards = DVec3::new(-1.0, 0.0, 1.0);
    let ball = ball(DVec3::new(0.0, 0.0, 1.0), 0.3, 32, "plain", [0.4; 3]);
    let camera = from(DVec3::Z * 9.0, DVec3::Y);
    // One metre up, with light at 45 degrees: one metre to the right.
    let on_ground = draw(std::slice::from_ref(&ball), camera, &stage);
    assert!(brightness(&on_ground, 75, 50) + 150 < brightness(&on_ground, 75, 80));
    let on_sheet = draw(&[ball, sheet(0.2, [0.6; 3])], camera, &stage);
    assert!(brightness(&on_sheet, 70, 50) + 150 < brightness(&on_sheet, 70, 65));
}

#[test]
fn points_show_their_colours() {
    let mut painted = sheet(0.0, [0.5; 3]);
    let colours = [[0.9, 0.0, 0.0], [0.0, 0.0, 0.9], [0.0, 0.0, 0.9], [0.9, 0.0, 0.0]];
    painted.set_colours(Some(colours.into())).unwrap();
    let mut stage = stage();
    stage.ground = None;
    let picture = draw(&[painted], from(DVec3::Z * 9.0, DVec3::Y), &stage);
    let [left, middle, right] = [27, 50, 73].map(|x| picture.at(x, 50));
    assert!(left[0] > 3 * left[2] && right[2] > 3 * right[0], "{left:?} {right:?}");
    assert!(middle[0].abs_diff(middle[2]) < 25, "{middle:?}");
}

#[test]
fn a_mesh_out_of_range_is_named_in_the_error() {
    let far = ball(DVec3::X * 1e90, 1.0, 8, "plain", [0.5; 3]);
    let moments = [Moment::new([], from(DVec3::Z * 9.0, DVec3::Y)).with_meshes([&far])];
    let size = Size::new(8, 8).unwrap();
    let stage = stage();
    let view = View { moments: &moments, stage: &stage, size, quality: Quality::DRAFT };
    let error = CpuRenderer::new().draw(&view).unwrap_err();
    assert!(matches!(error, RenderError::MeshNotFinite { point: 0, .. }), "{error}");
}

/// A box of a metre and a half, rotated so that three faces are visible.
pub(crate) fn wooden_box(name: &str) -> Mesh {
    let (shape, mut points) = Solid::Box { size: DVec3::new(1.5, 1.0, 1.0) }.mesh().unwrap();
    let grain = shape.grain().unwrap().iter().map(|at| *at + DVec3::splat(0.7)).collect();
    let shape = shape.with_grain(grain).unwrap();
    for p in &mut points {
        *p = DVec3::new(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y, p.z + 0.5);
    }
    let look = Look { name: name.into(), colour: [0.3, 0.17, 0.07] };
    Mesh::new("mesh", shape, points, look).unwrap()
}

#[test]
fn a_wooden_box_shows_its_grain() {
    // Towards the middle of a side, four millimetres per pixel.
    let camera = Camera {
        eye: DVec3::new(2.0, -6.0, 3.5),
        target: DVec3::Z * 0.5,
        up: DVec3::Z,
        lens: Lens::Orthographic { height: 0.4 },
    };
    let [wood, plain] = ["wood", "plain"].map(|name| draw(&[wooden_box(name)], camera, &stage()));
    // Difference of neighbouring pixels across the grain.
    let rough = |picture: &Picture| -> i32 {
        let pairs = (30..60).flat_map(|x| (55..75).map(move |y| (x, y)));
        pairs.map(|(x, y)| (brightness(picture, x, y) - brightness(picture, x, y + 1)).abs()).sum()
    };
    assert!(rough(&wood) > 2 * rough(&plain), "{} and {}", rough(&wood), rough(&plain));
}
