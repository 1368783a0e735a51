//! Test scenes, made with the models of core.

use glam::DVec3;
use lariat_core::{
    geometry::{Look, Profile, Strand, Sweep},
    model::{Lights, SagDirection, SuspendedRope},
    num::ops,
};
use lariat_render::{CpuRenderer, Framing, Moment, Picture, Quality, Renderer, Size, Stage, View};

/// Low quality for tests.
pub(crate) const QUALITY: Quality =
    Quality { samples: 4, shadow_rays: 2, sky_rays: 1, shades_once: false };

pub(crate) fn strand(name: &str, colour: [f64; 3], points: &[DVec3], sweep: &Sweep<'_>) -> Strand {
    let mut strand = Strand::empty(name, Look { name: name.into(), colour });
    strand.sweep(points, sweep);
    strand
}

/// A hanging laid rope, a braided cord, a brass spring and a strap, above a floor.
pub(crate) fn rope_and_spring() -> Vec<Strand> {
    let hang = |y: f64, length: f64| {
        let (from, to) = (DVec3::new(0.0, y, 1.0), DVec3::new(1.2, y, 1.1));
        SuspendedRope::new(from, to, length).pose().unwrap().points
    };
    let coil: Vec<DVec3> = (0..=160)
        .map(|i| {
            let v = f64::from(i) / 20.0;
            DVec3::new(
                0.25 + 0.09 * v,
                0.3 + 0.12 * ops::cos_turns(v),
                0.14 + 0.12 * ops::sin_turns(v),
            )
        })
        .collect();
    let mut strap = strand(
        "leather",
        [0.17, 0.075, 0.03],
        &hang(0.35, 1.5),
        &Sweep { rotation: Some(&|u| 6.0 * u), ..Sweep::round(DVec3::Z, 0.06) },
    );
    strap.profile = Profile::flat(0.12, 0.01);
    vec![
        strand("rope", [0.45, 0.29, 0.13], &hang(0.0, 1.6), &Sweep::round(DVec3::Z, 0.035)),
        strand("cord", [0.5, 0.06, 0.04], &hang(0.15, 1.9), &Sweep::round(DVec3::Z, 0.03)),
        strand("brass", [0.72, 0.5, 0.18], &coil, &Sweep::round(DVec3::Z, 0.012)),
        strap,
    ]
}

/// A hanging rope with its tension.
pub(crate) fn hung(y: f64, length: f64) -> Strand {
    let (from, to) = (DVec3::new(0.0, 0.0, 1.0), DVec3::new(1.2, 0.0, 1.1));
    let mut rope = SuspendedRope::new(from, to, length);
    rope.sag_direction = SagDirection::World { swing: y, sway: 0.0 };
    let pose = rope.pose().unwrap();
    let mut strand =
        strand("rope", [0.45, 0.29, 0.13], &pose.points, &Sweep::round(pose.up, 0.025));
    strand.tension = pose.tension;
    strand
}

/// Torn ends: laid rope, braid, cable, metal, wood and webbing.
pub(crate) fn torn() -> Vec<Strand> {
    let names = [
        ("rope", [0.45, 0.29, 0.13]),
        ("nylon", [0.5, 0.06, 0.04]),
        ("cable", [0.52, 0.53, 0.55]),
        ("steel", [0.52, 0.53, 0.55]),
        ("wood", [0.22, 0.12, 0.05]),
        ("webbing", [0.16, 0.2, 0.1]),
    ];
    let piece = |(k, (name, colour)): (usize, (&str, [f64; 3]))| {
        let x = 0.13 * k as f64;
        let ends = [DVec3::new(x, 0.0, 0.55), DVec3::new(x, 0.0, 0.25)];
        let mut strand = strand(name, colour, &ends, &Sweep::round(DVec3::NEG_Y, 0.03));
        if name == "webbing" {
            strand.profile = Profile::flat(0.06, 0.006);
        }
        strand.torn = [false, true];
        strand
    };
    names.into_iter().enumerate().map(piece).collect()
}

/// A string of lights.
pub(crate) fn lights() -> Vec<Strand> {
    let rope = SuspendedRope::new(DVec3::Z * 0.5, DVec3::new(0.8, 0.0, 0.55), 1.0).pose().unwrap();
    let lights = Lights {
        wire_radius: 0.006,
        pair_turns: 12.0,
        bulb_spacing: 0.15,
        bulb_size: 0.09,
        rest_length: None,
    };
    let mut strands: Vec<Strand> = lights
        .wires(&rope)
        .iter()
        .map(|wire| {
            strand("wire", [0.01, 0.045, 0.012], &wire.points, &Sweep::round(wire.up, 0.006))
        })
        .collect();
    let colours = [[0.9, 0.05, 0.03], [0.02, 0.45, 0.06], [0.03, 0.1, 0.85], [0.95, 0.6, 0.03]];
    for (bulb, colour) in lights.bulbs(&rope).iter().zip(colours.iter().cycle()) {
        let mut glass = strand("bulb", *colour, &bulb.points, &Sweep::round(DVec3::Z, 1.0));
        glass.set_radius(&bulb.radius);
        strands.push(glass);
    }
    strands
}

/// Draws strands with a camera that frames them from `direction`.
pub(crate) fn draw(
    strands: &[Strand],
    stage: &Stage,
    direction: DVec3,
    (width, height): (u32, u32),
    quality: Quality,
) -> Picture {
    let size = Size::new(width, height).unwrap();
    let mut framing = Framing::new(direction, size.aspect());
    framing.include_strands(strands);
    let moments = [Moment::new(strands, framing.camera())];
    CpuRenderer::new().draw(&View { moments: &moments, stage, size, quality }).unwrap()
}
