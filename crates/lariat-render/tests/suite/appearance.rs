//! Strands drawn with another appearance than their look: colour maps and ghosts.

use glam::DVec3;
use lariat_core::geometry::{Strand, Sweep};
use lariat_render::{
    Appearance, Camera, CpuRenderer, DrawnStrand, Lens, Moment, Picture, RenderError, Renderer,
    Size, Stage, View, bounds_of,
};

use crate::scenes::{QUALITY, strand};

const GHOST: Appearance<'_> = Appearance::Ghost { tint: [0.1, 0.2, 0.9], opacity: 0.5 };

/// A bar along x at a height; seen from above by [`draw`], where 0.1 m are 3 pixels.
fn bar(height: f64, y: f64) -> Strand {
    let ends = [DVec3::new(-1.0, y, height), DVec3::new(1.0, y, height)];
    strand("steel", [0.6, 0.5, 0.4], &ends, &Sweep::round(DVec3::Z, 0.1))
}

fn try_draw(strands: &[DrawnStrand<'_>]) -> Result<Picture, RenderError> {
    let camera = Camera {
        eye: DVec3::Z * 9.0,
        target: DVec3::ZERO,
        up: DVec3::Y,
        lens: Lens::Orthographic { height: 2.0 },
    };
    let stage = Stage::day(&bounds_of([&bar(1.0, 0.0)]));
    let moments = [Moment { strands: strands.to_vec(), meshes: Vec::new(), camera }];
    let size = Size::new(60, 60)?;
    CpuRenderer::new().draw(&View { moments: &moments, stage: &stage, size, quality: QUALITY })
}

fn draw(strands: &[DrawnStrand<'_>]) -> Picture {
    try_draw(strands).unwrap()
}

#[test]
fn ghosts_tint_objects_behind_them() {
    let (low, high) = (bar(0.3, 0.0), bar(1.0, 0.0));
    let plain = draw(&[(&low).into()]).at(30, 30);
    let before =
        draw(&[(&low).into(), DrawnStrand { strand: &high, appearance: GHOST }]).at(30, 30);
    let blue = |pixel: [u8; 4]| i32::from(pixel[2]) - i32::from(pixel[0]);
    assert!(blue(before) > blue(plain) + 20, "{before:?} before {plain:?}");
    let full = Appearance::Ghost { tint: [0.1, 0.2, 0.9], opacity: 1.0 };
    let hidden = draw(&[DrawnStrand { strand: &high, appearance: full }]).at(30, 30);
    assert_ne!(before, hidden, "the bar behind the ghost is hidden");
    // An opaque strand hides a ghost behind it, bit for bit.
    assert_eq!(
        draw(&[(&high).into(), DrawnStrand { strand: &low, appearance: GHOST }]).at(30, 30),
        { draw(&[(&high).into()]).at(30, 30) }
    );
}

#[test]
fn ghosts_cast_no_shadow() {
    let (solid, ghost) = (bar(0.3, 0.0), bar(0.3, 0.6));
    let plain = draw(&[(&solid).into()]);
    let both = draw(&[(&solid).into(), DrawnStrand { strand: &ghost, appearance: GHOST }]);
    let mut veiled = 0;
    for y in 0..60 {
        for x in 0..60 {
            // The ghost fills the rows from 0.7 m to 0.5 m above the middle.
            if (8..=15).contains(&y) {
                veiled += u32::from(both.at(x, y) != plain.at(x, y));
            } else {
                assert_eq!(both.at(x, y), plain.at(x, y), "({x}, {y}) is outside the ghost");
            }
        }
    }
    assert!(veiled > 60 * 5, "the ghost covers {veiled} pixels");
}

#[test]
fn a_coincident_ghost_is_hidden() {
    let (there, ghost) = (bar(0.5, 0.0), bar(0.501, 0.001));
    let plain = draw(&[(&there).into()]);
    let both = draw(&[(&there).into(), DrawnStrand { strand: &ghost, appearance: GHOST }]);
    let different = plain.pixels().iter().zip(both.pixels()).filter(|(a, b)| a != b).count();
    assert!(different <= 60, "{different} pixels differ, more than a row at the rim");
}

#[test]
fn maps_colour_strands_along() {
    let bar = bar(0.5, 0.0);
    let map = [[0.8, 0.05, 0.05], [0.05, 0.05, 0.8]];
    let picture = draw(&[DrawnStrand { strand: &bar, appearance: Appearance::Map(&map) }]);
    let (left, right) = (picture.at(5, 29), picture.at(54, 29));
    assert!(left[0] > left[2] + 60 && right[2] > right[0] + 60, "{left:?} {right:?}");
    let error = try_draw(&[DrawnStrand { strand: &bar, appearance: Appearance::Map(&map[..1]) }])
        .unwrap_err();
    assert_eq!(error.to_string(), "the colour map of strand `steel` has 1 colours for 2 points");
}
