//! Content of pictures: light, shadow, twist, blur, alpha.

use std::f64::consts::TAU;

use glam::DVec3;
use lariat_core::geometry::{Bounds, Mesh, Profile, Strand, Sweep};
use lariat_render::{
    Background, Camera, CpuRenderer, Ground, Lens, Moment, NamedView, Picture, Quality,
    RenderError, Renderer, Size, Stage, View, bounds_of,
};

use crate::{
    meshes::ball,
    scenes::{QUALITY, draw, lights, rope_and_spring, strand},
};

fn brightness(pixel: [u8; 4]) -> u32 {
    pixel[..3].iter().map(|c| u32::from(*c)).sum()
}

/// From straight above, 4 m by 4 m, with pixels of 4 cm.
fn from_above() -> Camera {
    Camera {
        eye: DVec3::Z * 9.0,
        target: DVec3::ZERO,
        up: DVec3::Y,
        lens: Lens::Orthographic { height: 4.0 },
    }
}

fn draw_with(strands: &[Strand], camera: Camera, stage: &Stage, size: (u32, u32)) -> Picture {
    let size = Size::new(size.0, size.1).unwrap();
    let moments = [Moment::new(strands, camera)];
    CpuRenderer::new().draw(&View { moments: &moments, stage, size, quality: QUALITY }).unwrap()
}

fn level_stage() -> Stage {
    let bounds = Bounds { low: DVec3::new(-2.0, -2.0, 0.0), high: DVec3::splat(2.0) };
    let mut stage = Stage::day(&bounds);
    stage.ground = Some(Ground { lines: 0.0, ..stage.ground.unwrap() });
    stage
}

#[test]
fn shadows_fall_away_from_the_light() {
    let pole = strand("wood", [0.2; 3], &[DVec3::ZERO, DVec3::Z], &Sweep::round(DVec3::X, 0.05));
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let mut stage = level_stage();
        stage.key.towards = DVec3::new(x, y, 1.0);
        let picture = draw_with(std::slice::from_ref(&pole), from_above(), &stage, (100, 100));
        // Half a metre from the pole, on either side, with 25 pixels per metre.
        let at = |way: f64| {
            let (px, py) = (50.0 + 12.5 * x * way, 50.0 - 12.5 * y * way);
            brightness(picture.at(px as u32, py as u32))
        };
        let (towards, away) = (at(1.0), at(-1.0));
        assert!(towards > away + 150, "{away} behind the pole, {towards} before it");
        // The shadow is as long as the pole, because the light comes down at 45 degrees.
        assert!(at(-1.8) + 100 < at(-2.4), "{} and {}", at(-1.8), at(-2.4));
    }
}

#[test]
fn a_soft_light_makes_a_soft_shadow() {
    let pole = strand(
        "wood",
        [0.2; 3],
        &[DVec3::new(0.0, -2.0, 1.0), DVec3::new(0.0, 2.0, 1.0)],
        &Sweep::round(DVec3::Z, 0.1),
    );
    let steps = |spread: f64| {
        let mut stage = level_stage();
        stage.key.towards = DVec3::new(1.0, 0.0, 1.0);
        stage.key.spread = spread;
        let picture = draw_with(std::slice::from_ref(&pole), from_above(), &stage, (100, 100));
        // Across the shadow, which is a metre to the left.
        let row: Vec<u32> = (12..40)
            .map(|x| (40..60).map(|y| brightness(picture.at(x, y))).sum::<u32>() / 20)
            .collect();
        let (low, high) = (*row.iter().min().unwrap(), *row.iter().max().unwrap());
        row.iter().filter(|b| **b > low + (high - low) / 8 && **b < high - (high - low) / 8).count()
    };
    let (hard, soft) = (steps(0.0), steps(0.08));
    assert!(soft > hard + 2, "{soft} pixels of half-light, {hard} without a disc");
}

#[test]
fn twist_is_visible_on_a_rope_and_not_on_a_wire() {
    let points: Vec<DVec3> = (0..30).map(|i| DVec3::new(f64::from(i) * 0.05, 0.0, 0.5)).collect();
    let turned = |name: &str, turns: f64| {
        let twist = move |_: f64| turns * TAU;
        let sweep = Sweep { rotation: Some(&twist), ..Sweep::round(DVec3::Z, 0.1) };
        let strands = [strand(name, [0.4, 0.3, 0.2], &points, &sweep)];
        let stage = Stage::day(&bounds_of(&strands)).transparent();
        draw(&strands, &stage, DVec3::Y, (160, 40), QUALITY)
    };
    let different = |a: &Picture, b: &Picture| {
        let pairs = a.pixels().iter().zip(b.pixels());
        pairs.filter(|(a, b)| brightness(**a).abs_diff(brightness(**b)) > 30).count()
    };
    let rope = turned("rope", 0.0);
    let sixth = turned("rope", 1.0 / 6.0);
    assert!(different(&rope, &sixth) > 300, "{} pixels", different(&rope, &sixth));
    let outline = |p: &Picture| p.pixels().iter().map(|p| p[3]).collect::<Vec<_>>();
    assert!(outline(&rope) == outline(&sixth), "only the pattern turns");
    assert!(different(&rope, &turned("rope", 1.0)) < 5, "a whole turn changes nothing");
    assert!(turned("wire", 0.0) == turned("wire", 1.0 / 6.0), "twist is visible on a smooth wire");
}

#[test]
fn a_rope_looks_the_same_between_its_points() {
    // A straight rope of two points or sixty, including its relief.
    let along = |n: u32| {
        let points: Vec<DVec3> =
            (0..n).map(|i| DVec3::new(f64::from(i) / f64::from(n - 1), 0.0, 0.5)).collect();
        let strands = [strand("rope", [0.4, 0.3, 0.2], &points, &Sweep::round(DVec3::Z, 0.08))];
        draw(&strands, &Stage::day(&bounds_of(&strands)), DVec3::Y, (120, 40), QUALITY)
    };
    let (few, many) = (along(2), along(61));
    let far = few.pixels().iter().zip(many.pixels());
    let far = far.map(|(a, b)| brightness(*a).abs_diff(brightness(*b))).max();
    assert!(far < Some(12), "{far:?}");
}

#[test]
fn without_a_background_only_objects_and_shadows_are_drawn() {
    let strands = rope_and_spring();
    let stage = Stage::day(&bounds_of(&strands)).transparent();
    let direction = NamedView::ThreeQuarter.direction();
    let picture = draw(&strands, &stage, direction, (160, 120), QUALITY);
    assert_eq!(picture.at(0, 0), [0; 4], "the sky");
    let count = |of: fn(&[u8; 4]) -> bool| picture.pixels().iter().filter(|p| of(p)).count();
    let (nothing, full) = (count(|p| p[3] == 0), count(|p| p[3] == 255));
    let shadow = count(|p| p[3] > 20 && p[3] < 235 && p[..3].iter().all(|c| *c < 30));
    assert!(nothing > 5000, "{nothing} of 19200 pixels are empty");
    assert!(full > 1500, "{full} are covered");
    assert!(shadow > 200, "{shadow} are shadow");
    assert!(!picture.is_opaque());

    let without_floor = Stage { ground: None, ..stage.clone() };
    let picture = draw(&strands, &without_floor, direction, (160, 120), QUALITY);
    let half = picture.pixels().iter().filter(|p| p[3] > 0 && p[3] < 255);
    assert!(half.count() < 3000, "only edges are partially covered");

    let opaque = Stage::day(&bounds_of(&strands));
    assert!(draw(&strands, &opaque, direction, (160, 120), Quality::DRAFT).is_opaque());
}

#[test]
fn moments_blur_into_each_other() {
    let at = |x: f64| {
        let ends = [DVec3::new(x, -2.0, 0.5), DVec3::new(x, 2.0, 0.5)];
        [strand("plain", [0.5; 3], &ends, &Sweep::round(DVec3::Z, 0.2))]
    };
    let mut stage = level_stage().transparent();
    stage.ground = None;
    let size = Size::new(100, 20).unwrap();
    let camera = Camera { lens: Lens::Orthographic { height: 0.8 }, ..from_above() };
    let shown = |places: &[f64]| {
        let strands: Vec<_> = places.iter().map(|x| at(*x)).collect();
        let moments: Vec<_> = strands.iter().map(|s| Moment::new(s, camera)).collect();
        let view = View { moments: &moments, stage: &stage, size, quality: QUALITY };
        CpuRenderer::new().draw(&view).unwrap()
    };
    // With 25 pixels per metre, the bar is 10 pixels wide.
    let blurred = shown(&[-1.0, 1.0]);
    assert_eq!([25, 50, 75].map(|x| blurred.at(x, 10)[3]), [128, 0, 128]);
    assert_eq!([25, 50, 75].map(|x| shown(&[-1.0]).at(x, 10)[3]), [255, 0, 0]);
    let many: Vec<f64> = (0..16).map(|k| -1.0 + f64::from(k) / 8.0).collect();
    let streak = shown(&many);
    // Each pixel is covered three or four times out of sixteen.
    for x in 30..=66 {
        assert!((40..=72).contains(&streak.at(x, 10)[3]), "{} at {x}", streak.at(x, 10)[3]);
    }
}

#[test]
fn bulbs_glow() {
    let strands = lights();
    let stage = Stage::dusk(&bounds_of(&strands));
    let lit = draw(&strands, &stage, DVec3::Y, (160, 90), QUALITY);
    let mut dark = strands.clone();
    for strand in &mut dark {
        strand.look.name = "plastic".into();
    }
    let dark = draw(&dark, &stage, DVec3::Y, (160, 90), QUALITY);
    let bright = |p: &Picture| p.pixels().iter().filter(|p| brightness(**p) > 380).count();
    assert!(bright(&lit) > 60 && bright(&dark) == 0, "{} and {}", bright(&lit), bright(&dark));
    // The halo and the light extend beyond the glass.
    let changed = lit.pixels().iter().zip(dark.pixels());
    let changed = changed.filter(|(a, b)| brightness(**a) > brightness(**b) + 6).count();
    assert!(changed > 1500, "{changed}");
}

#[test]
fn degenerate_strands_are_drawn_without_panic() {
    let point = DVec3::new(0.3, 0.0, 0.5);
    let mut ribbon = strand("cloth", [0.4; 3], &[DVec3::Z, point], &Sweep::round(DVec3::X, 0.1));
    ribbon.profile = Profile::Open([glam::DVec2::NEG_Y, glam::DVec2::Y].into());
    let strands = [
        strand("rope", [0.4; 3], &[], &Sweep::round(DVec3::Z, 0.1)),
        strand("rope", [0.4; 3], &[point], &Sweep::round(DVec3::Z, 0.1)),
        strand("rope", [0.4; 3], &[point, point, point], &Sweep::round(DVec3::Z, 0.1)),
        strand("steel", [0.4; 3], &[DVec3::ZERO, point, DVec3::X], &Sweep::round(DVec3::Z, 0.0)),
        strand("bulb", [9.0, -1.0, 0.0], &[point, DVec3::X], &Sweep::round(DVec3::Z, -0.1)),
        ribbon,
    ];
    let stage = Stage::for_strands(&strands, &bounds_of(&strands));
    let picture = draw(&strands, &stage, DVec3::new(0.0, 1.0, -0.2), (40, 30), QUALITY);
    assert!(picture.is_opaque());
    // An empty scene is valid.
    assert!(draw(&[], &Stage::day(&Bounds::EMPTY), DVec3::Y, (8, 6), QUALITY).is_opaque());
}

#[test]
fn invalid_views_are_reported() {
    let stage = level_stage();
    let size = Size::new(8, 6).unwrap();
    let view = View { moments: &[], stage: &stage, size, quality: QUALITY };
    assert!(matches!(CpuRenderer::new().draw(&view), Err(RenderError::NoMoment)));
    let blind = Camera { eye: DVec3::ZERO, target: DVec3::ZERO, ..from_above() };
    let moments = [Moment::new([], blind)];
    let error = CpuRenderer::new().draw(&View { moments: &moments, ..view }).unwrap_err();
    assert!(error.to_string().starts_with("invalid camera: eye and target"), "{error}");
    let moments = [Moment::new([], from_above())];
    let quality = Quality { samples: 0, ..QUALITY };
    let error = CpuRenderer::new().draw(&View { moments: &moments, quality, ..view }).unwrap_err();
    assert!(error.to_string().contains("0 samples"), "{error}");
    assert_eq!(CpuRenderer::new().name(), "cpu");
}

#[test]
fn drafts_have_smooth_edges() {
    let rod = [DVec3::new(-1.0, -0.7, 0.5), DVec3::new(1.1, 0.8, 0.5)];
    let rods = [0.0, 0.3].map(|aside| {
        let points = rod.map(|p| p + DVec3::Y * aside);
        strand("plain", [0.2; 3], &points, &Sweep::round(DVec3::Z, 0.1))
    });
    let stage = Stage { ground: None, background: Background::Transparent, ..level_stage() };
    let size = Size::new(100, 100).unwrap();
    let alpha = |shades_once: bool| -> Vec<u8> {
        let quality = Quality { shades_once, ..Quality::DRAFT };
        let moments = [Moment::new(&rods, from_above())];
        let view = View { moments: &moments, stage: &stage, size, quality };
        let picture = CpuRenderer::new().draw(&view).unwrap();
        picture.pixels().iter().map(|pixel| pixel[3]).collect()
    };
    let once = alpha(true);
    assert!(once.iter().filter(|alpha| (1..=254).contains(*alpha)).count() > 50);
    assert!(once == alpha(false), "shading once changes what is covered");
}

/// A bulb of this colour at a height, pointing down.
fn bulb(colour: [f64; 3], at: DVec3) -> Strand {
    let points: Vec<DVec3> = (0..9).map(|i| at - DVec3::Z * (0.01 * f64::from(i))).collect();
    let mut bulb = strand("bulb", colour, &points, &Sweep::round(DVec3::X, 1.0));
    bulb.set_radius(&[0.01, 0.012, 0.012, 0.02, 0.03, 0.03, 0.02, 0.01, 0.001]);
    bulb
}

#[test]
fn a_floor_near_a_red_bulb_is_redder() {
    let red = |bulbs: &[Strand], x: f64| {
        let mut stage = Stage::dusk(&Bounds { low: DVec3::ZERO, high: DVec3::splat(2.0) });
        stage.ground = Some(Ground { lines: 0.0, ..stage.ground.unwrap() });
        let picture = draw_with(bulbs, from_above(), &stage, (100, 100));
        let [r, g, _, _] = picture.at((50.0 + 25.0 * x) as u32, 50);
        i32::from(r) - i32::from(g)
    };
    let lit = [bulb([0.9, 0.05, 0.03], DVec3::new(0.0, 0.0, 0.4))];
    // Beside the bulb and its halo, which hide the floor below it.
    let (dark, near, far) = (red(&[], 0.4), red(&lit, 0.4), red(&lit, 1.6));
    assert!(near > dark + 20, "{near} near a red bulb, {dark} without one");
    assert!(near > far + 10, "{near} near the bulb, {far} away from it");
    assert!(far > dark, "{far} within reach, {dark} without a bulb");
}

#[test]
fn a_bulb_behind_a_wire_keeps_most_of_its_halo() {
    let shown = |radius: f64| {
        let ends = [DVec3::new(-1.0, 0.0, 5.1), DVec3::new(1.0, 0.0, 5.1)];
        let wire = strand("rubber", [0.01; 3], &ends, &Sweep::round(DVec3::Z, radius));
        let strands = [bulb([0.9, 0.05, 0.03], DVec3::Z * 5.0), wire];
        let stage = Stage::dusk(&Bounds { low: DVec3::ZERO, high: DVec3::splat(2.0) });
        // Beside the wire and the bulb, in its halo; the floor is out of reach.
        draw_with(&strands, from_above(), &stage, (400, 400)).at(200, 191)[0]
    };
    let (without, thin, thick) = (shown(1e-4), shown(0.01), shown(0.04));
    assert!(thin > thick + 10, "{thin} behind a wire, {thick} behind a rope");
    assert!(without.abs_diff(thin) < without.abs_diff(thick), "{without} {thin} {thick}");
}

/// A red ball over the water, seen at a low angle.
fn over_water(stage: &Stage, meshes: &[Mesh]) -> Picture {
    let camera = Camera {
        eye: DVec3::new(0.0, -6.0, 1.4),
        target: DVec3::new(0.0, 0.0, 0.2),
        up: DVec3::Z,
        lens: Lens::Perspective { angle: 0.5 },
    };
    let size = Size::new(120, 80).unwrap();
    let moments = [Moment::new([], camera).with_meshes(meshes)];
    CpuRenderer::new().draw(&View { moments: &moments, stage, size, quality: QUALITY }).unwrap()
}

#[test]
fn water_mirrors_objects_and_moves() {
    let bounds = Bounds { low: DVec3::splat(-1.0), high: DVec3::splat(1.0) };
    let stage = Stage::day(&bounds).with_water();
    let meshes = [ball(DVec3::Z * 0.7, 0.4, 32, "plain", [0.8, 0.02, 0.02])];
    let (with, without) = (over_water(&stage, &meshes), over_water(&stage, &[]));
    // Below the ball, where its mirror image is.
    let red = |picture: &Picture| {
        let pixels = (50..70).flat_map(|x| (52..66).map(move |y| (x, y)));
        pixels
            .map(|(x, y)| picture.at(x, y))
            .map(|p| i32::from(p[0]) - i32::from(p[2]))
            .sum::<i32>()
    };
    assert!(red(&with) > red(&without) + 280 * 8, "{} {}", red(&with), red(&without));
    // Water is dark below the viewer and bright far away; it is blue-green.
    let [r, g, b, _] = without.at(60, 78);
    assert!(g > r && b > r, "{r} {g} {b}");
    assert!(brightness(without.at(60, 20)) > brightness([r, g, b, 255]) + 60);
    // Ripples move, and every time gives the same picture again.
    let later = stage.clone().at_time(0.4);
    assert!(over_water(&later, &[]) != without, "the water stands still");
    assert!(over_water(&later.at_time(0.0), &[]) == without);
}

#[test]
fn a_ground_can_be_raised() {
    let bounds = Bounds { low: DVec3::splat(-1.0), high: DVec3::splat(1.0) };
    assert!(Stage::day(&bounds).ground.unwrap().height < -1.0, "below everything");
    let raised = Stage::day(&bounds).with_ground_at(-0.25).ground.unwrap();
    assert_eq!((raised.height, raised.centre.z), (-0.25, -0.25));
    assert_eq!(Stage::day(&bounds).with_water().ground.unwrap().height, 0.0);
}
