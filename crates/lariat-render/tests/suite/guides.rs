//! Guides over a live view: position, width, colour, depth.

use glam::DVec3;
use lariat_core::geometry::{Strand, Sweep};
use lariat_render::{
    Camera, Detail, GpuRenderer, Guides, Lens, LiveView, Moment, Picked, Picture, Quality, Size,
    Stage, View, bounds_of,
    guides::{Colour, Dot, DotShape, Grid, Highlight, Stroke},
};
use wgpu::TextureFormat;

use crate::{
    golden::save,
    live::{Caller, caller, camera},
    meshes::ball,
    scenes::{rope_and_spring, strand},
};

const BYTES: TextureFormat = TextureFormat::Rgba8Unorm;
const RED: Colour = [1.0, 0.0, 0.0, 1.0];
const BLUE: Colour = [0.0, 0.0, 1.0, 1.0];

fn size() -> Size {
    Size::new(200, 100).unwrap()
}

/// From ten metres in front; a pixel is two centimetres, the origin between pixels 99 and 100, 49
/// and 50.
fn flat() -> Camera {
    Camera {
        eye: DVec3::new(0.0, -10.0, 0.0),
        target: DVec3::ZERO,
        up: DVec3::Z,
        lens: Lens::Orthographic { height: 2.0 },
    }
}

fn rope(radius: f64) -> Strand {
    let ends = [DVec3::new(-0.5, 0.0, 0.0), DVec3::new(0.5, 0.0, 0.0)];
    strand("plain", [0.0, 0.3, 0.0], &ends, &Sweep::round(DVec3::Z, radius))
}

/// Draws guides over strands in front of a black background.
fn drawn(caller: &Caller, strands: &[Strand], camera: Camera, guides: &Guides) -> Picture {
    let mut renderer = caller.renderer().unwrap();
    drawn_as(caller, &mut renderer, strands, camera, guides, BYTES)
}

fn drawn_as(
    caller: &Caller,
    renderer: &mut GpuRenderer,
    strands: &[Strand],
    camera: Camera,
    guides: &Guides,
    format: TextureFormat,
) -> Picture {
    let mut stage = Stage::day(&bounds_of(strands));
    stage.ground = None;
    stage.background = lariat_render::Background::Gradient { level: [0.0; 3], above: [0.0; 3] };
    let moments = [Moment::new(strands, camera)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::DRAFT };
    let live = LiveView { guides: Some(guides), ..LiveView::new(view) };
    caller.draw(renderer, &live, format).unwrap()
}

#[test]
fn a_line_is_drawn_where_it_projects_to() {
    let Some(caller) = caller() else { return };
    let mut guides = Guides::default();
    // Four pixels wide, around the boundary of rows 29 and 30.
    let stroke = Stroke::new(4.0, RED);
    guides.line(DVec3::new(-1.0, 0.0, 0.4), DVec3::new(1.0, 0.0, 0.4), &stroke);
    let picture = drawn(&caller, &[], flat(), &guides);
    for x in 52..148 {
        let column = [27, 28, 29, 30, 31, 32].map(|y| picture.at(x, y)[0]);
        assert_eq!(column, [0, 255, 255, 255, 255, 0], "column {x}");
    }
    assert_eq!(picture.at(48, 30)[0], 0, "beyond its end");
    // The same colour in a target that encodes colours itself.
    let mut renderer = caller.renderer().unwrap();
    let mut grey = Guides::default();
    grey.line(DVec3::NEG_X, DVec3::X, &Stroke::new(6.0, [0.5, 0.25, 0.75, 1.0]));
    for format in [BYTES, TextureFormat::Rgba8UnormSrgb] {
        let picture = drawn_as(&caller, &mut renderer, &[], flat(), &grey, format);
        let [r, g, b, _] = picture.at(100, 50);
        let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
        assert!(near(r, 128) && near(g, 64) && near(b, 191), "{:?}", picture.at(100, 50));
    }
}

#[test]
fn a_hidden_line_is_dim() {
    let Some(caller) = caller() else { return };
    let strands = [rope(0.2)];
    let across = |y: f64, stroke: &Stroke| {
        let mut guides = Guides::default();
        guides.line(DVec3::new(0.0, y, -0.6), DVec3::new(0.0, y, 0.6), stroke);
        drawn(&caller, &strands, flat(), &guides)
    };
    let plain = drawn(&caller, &strands, flat(), &Guides::default()).at(100, 50);
    let red = |picture: &Picture, y| picture.at(100, y)[0];
    let front = across(-1.0, &Stroke::new(4.0, RED));
    assert_eq!((red(&front, 50), red(&front, 25)), (255, 255));
    let behind = across(1.0, &Stroke::new(4.0, RED));
    let expected = f64::from(plain[0]) * 0.75 + 255.0 * 0.25;
    assert!((f64::from(red(&behind, 50)) - expected).abs() < 2.0, "{}", red(&behind, 50));
    assert_eq!(red(&behind, 25), 255, "above the rope nothing hides it");
    let on_top = across(1.0, &Stroke::on_top(4.0, RED));
    assert_eq!(red(&on_top, 50), 255);
}

#[test]
fn a_rope_that_is_thinner_than_a_pixel_far_away_is_outlined() {
    let Some(caller) = caller() else { return };
    let camera = Camera { lens: Lens::Perspective { angle: 0.6 }, ..flat() };
    let ends = [DVec3::new(-0.05, -9.0, 0.0), DVec3::new(20.0, 60.0, 0.0)];
    let rope = strand("plain", [0.0, 0.3, 0.0], &ends, &Sweep::round(DVec3::Z, 0.02));
    let mut guides = Guides::default();
    guides.highlight(Highlight { object: Picked::Strand(0), width: 2.0, colour: RED });
    let picture = drawn(&caller, &[rope], camera, &guides);
    assert!((40..60).any(|y| picture.at(100, y)[0] > 200));
}

#[test]
fn a_line_through_the_eye_ends_in_front_of_it() {
    let Some(caller) = caller() else { return };
    let camera = Camera { lens: Lens::Perspective { angle: 0.6 }, ..flat() };
    let mut guides = Guides::default();
    let right = DVec3::new(0.5, 0.0, 0.0);
    guides.line(right, right + DVec3::NEG_Y * 100.0, &Stroke::new(4.0, RED));
    guides.line(DVec3::NEG_Y * 20.0, DVec3::new(1.0, -30.0, 0.0), &Stroke::new(4.0, BLUE));
    let picture = drawn(&caller, &[], camera, &guides);
    let lit = |x: u32| picture.at(x, 50)[0] == 255;
    assert!((112..200).all(lit), "from the point to the edge of the picture");
    assert!((0..100).all(|x| picture.at(x, 50)[0] == 0), "nothing on the other side");
    assert!(picture.pixels().iter().all(|p| p[2] < 20), "nothing behind the eye");
}

#[test]
fn dots_have_their_shape() {
    let Some(caller) = caller() else { return };
    let counts =
        [DotShape::Disc, DotShape::Ring, DotShape::Square, DotShape::Diamond].map(|shape| {
            let mut guides = Guides::default();
            guides.dot(Dot { at: DVec3::ZERO, shape, radius: 10.0, colour: RED, hidden: 1.0 });
            let picture = drawn(&caller, &[], flat(), &guides);
            let sum: u32 = picture.pixels().iter().map(|p| u32::from(p[0])).sum();
            f64::from(sum) / 255.0
        });
    let areas = [std::f64::consts::PI * 100.0, std::f64::consts::PI * 36.0, 400.0, 400.0];
    for (found, area) in counts.into_iter().zip(areas) {
        assert!((found / area - 1.0).abs() < 0.03, "{found} pixels for {area}");
    }
}

#[test]
fn a_highlight_outlines_its_strand_only() {
    let Some(caller) = caller() else { return };
    let mut other = rope(0.1);
    let points: Vec<DVec3> = other.points().iter().map(|p| *p + DVec3::Z * 0.7).collect();
    other.sweep(&points, &Sweep::round(DVec3::Z, 0.1));
    let strands = [other, rope(0.2)];
    let mut guides = Guides::default();
    guides.highlight(Highlight { object: Picked::Strand(1), width: 3.0, colour: BLUE });
    let picture = drawn(&caller, &strands, flat(), &guides);
    // Its outline is ten pixels from the axis, three wide.
    let blue = |y: u32| picture.at(100, y)[2] > 200 && picture.at(100, y)[1] < 60;
    assert!(blue(38) && blue(61), "{:?} {:?}", picture.at(100, 38), picture.at(100, 61));
    assert!(!blue(34) && !blue(44) && !blue(65));
    let above = 15 - 5 - 2;
    assert!(!blue(above) && !blue(21), "the other strand has none");
}

#[test]
fn an_outline_is_closed_around_flat_ends() {
    let Some(caller) = caller() else { return };
    let mut guides = Guides::default();
    guides.highlight(Highlight { object: Picked::Strand(0), width: 3.0, colour: BLUE });
    let picture = drawn(&caller, &[rope(0.2)], flat(), &guides);
    let blue = |x: u32, y: u32| picture.at(x, y)[2] > 200 && picture.at(x, y)[1] < 60;
    // The rope ends at pixels 75 and 125, and is ten pixels thick to both sides.
    for y in 42..58 {
        assert!(blue(73, y) && blue(126, y), "row {y}");
        assert!(!blue(76, y) && !blue(123, y) && !blue(129, y), "row {y}");
    }
}

#[test]
fn a_mesh_has_an_outline() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let meshes = [ball(DVec3::ZERO, 0.4, 48, "plain", [0.3; 3])];
    let mut guides = Guides::default();
    guides.highlight(Highlight { object: Picked::Mesh(0), width: 3.0, colour: BLUE });
    let stage = Stage { ground: None, ..Stage::day(&bounds_of([])) };
    let moments = [Moment::new([], flat()).with_meshes(&meshes)];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::DRAFT };
    let live = LiveView { guides: Some(&guides), ..LiveView::new(view) };
    let picture = caller.draw(&mut renderer, &live, BYTES).unwrap();
    let blue = |x: u32| picture.at(x, 50)[2] == 255 && picture.at(x, 50)[0] == 0;
    assert!(blue(78) && blue(121) && !blue(74) && !blue(100) && !blue(126));
}

#[test]
fn guides_over_an_enlarged_picture_keep_their_size() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let strands = [rope(0.2)];
    let mut guides = Guides::default();
    guides.line(DVec3::new(-1.0, 0.0, 0.6), DVec3::new(1.0, 0.0, 0.6), &Stroke::new(4.0, RED));
    guides.highlight(Highlight { object: Picked::Strand(0), width: 4.0, colour: BLUE });
    let stage = Stage { ground: None, ..Stage::day(&bounds_of(&strands)) };
    let moments = [Moment::new(&strands, flat())];
    let view = View { moments: &moments, stage: &stage, size: size(), quality: Quality::DRAFT };
    let column = |detail: Detail, renderer: &mut GpuRenderer| {
        let live = LiveView { detail, guides: Some(&guides), view: view.clone() };
        let picture = caller.draw(renderer, &live, BYTES).unwrap();
        let red = |y: &u32| picture.at(100, *y)[0] == 255;
        let blue = |y: &u32| picture.at(100, *y)[2] == 255 && picture.at(100, *y)[0] == 0;
        ((0..100).filter(red).collect::<Vec<_>>(), (0..100).filter(blue).collect::<Vec<_>>())
    };
    let full = column(Detail::FULL, &mut renderer);
    assert_eq!((full.0.len(), full.1.len()), (4, 8), "{full:?}");
    assert_eq!(column(Detail { scale: 0.5, ..Detail::FULL }, &mut renderer), full);
}

/// Saved to be looked at: everything at once, with the shading of a view that moves.
#[test]
fn guides_over_a_moving_view_are_drawn() {
    let Some(caller) = caller() else { return };
    let mut renderer = caller.renderer().unwrap();
    let strands = rope_and_spring();
    let size = Size::new(960, 540).unwrap();
    let bounds = bounds_of(&strands);
    let moments = [Moment::new(&strands, camera(&strands, size))];
    for (name, stage) in
        [("light", Stage::light_viewport(&bounds)), ("dark", Stage::dark_viewport(&bounds))]
    {
        let mut guides = Guides::default();
        guides.highlight(Highlight {
            object: Picked::Strand(0),
            width: 2.5,
            colour: [1.0, 0.55, 0.1, 1.0],
        });
        for (axis, colour) in [
            (DVec3::X, [0.9, 0.25, 0.3, 1.0]),
            (DVec3::Y, [0.45, 0.75, 0.2, 1.0]),
            (DVec3::Z, [0.25, 0.5, 0.95, 1.0]),
        ] {
            guides.line(DVec3::ZERO, axis * 0.5, &Stroke::new(3.0, colour));
        }
        let trail: Vec<DVec3> = strands[0].points().iter().map(|p| *p + DVec3::Z * 0.25).collect();
        let fade = |i: usize| [0.2, 0.8, 0.9, i as f32 / trail.len() as f32];
        let colours: Vec<Colour> = (0..trail.len()).map(fade).collect();
        guides.faded(&trail, &colours, &Stroke::new(2.5, RED));
        for (at, shape) in [
            (strands[0].points()[0], DotShape::Disc),
            (trail[trail.len() / 2], DotShape::Diamond),
            (DVec3::X * 0.5, DotShape::Ring),
            (DVec3::Z * 0.5, DotShape::Square),
        ] {
            guides.dot(Dot { at, shape, radius: 6.0, colour: [1.0, 0.8, 0.2, 1.0], hidden: 0.6 });
        }
        guides.grid(&Grid {
            centre: DVec3::ZERO,
            origin: DVec3::ZERO,
            axes: [DVec3::X, DVec3::Z],
            spacing: 0.1,
            reach: 1.0,
            stroke: Stroke::new(1.0, [0.5, 0.5, 0.6, 0.8]),
        });
        let quality = Quality { samples: 4, ..Quality::MOVING };
        let view = View { moments: &moments, stage: &stage, size, quality };
        let live = LiveView { detail: Detail::MOVING, guides: Some(&guides), view };
        let picture = caller.draw(&mut renderer, &live, BYTES).unwrap();
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gpu");
        std::fs::create_dir_all(&folder).unwrap();
        save(&picture, &folder.join(format!("guides-{name}.png")));
        assert!(picture.is_opaque());
    }
}
