//! Single functions of core.

use std::hint::black_box;

use glam::DVec3;
use lariat_core::curve::catenary::Catenary;
use lariat_core::geometry::{Look, Strand, Sweep, tube::Tube};
use lariat_core::model::layer::coils::Compression;
use lariat_core::model::layer::{CompressionWave, Pincer};
use lariat_core::model::{Bunching, Pose, Spring, SuspendedRope, Winding, Workspace};

use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    let ends: Vec<(DVec3, DVec3, f64)> = (0..1000)
        .map(|i| {
            let f = f64::from(i);
            let to = DVec3::new(1.0 + f * 0.003, (f * 0.37) % 1.0, (f * 0.11) % 1.0 - 0.5);
            (DVec3::ZERO, to, to.length() * (1.001 + (f * 0.013) % 1.5))
        })
        .collect();
    table.time("one catenary solved", ends.len() as f64, Some(150e-9), || {
        for (from, to, length) in &ends {
            black_box(Catenary::between(*from, *to, *length, DVec3::Z).expect("finite numbers"));
        }
    });

    let spring = spring();
    let (mut pose, mut scratch) = (Pose::default(), Workspace::default());
    let mut strand = Strand::empty("wire", Look { name: "steel".into(), colour: [0.5; 3] });
    let mut tube = Tube::default();
    table.time(
        "spring of 100 coils, 32 points each, with tube mesh of 8 sides",
        1.0,
        Some(0.5e-3),
        || {
            spring.pose_into(&mut pose, &mut scratch).expect("finite numbers");
            strand.sweep(&pose.points, &Sweep::round(pose.up, 0.002));
            tube.rebuild(&strand, 8, true);
            black_box(&tube);
        },
    );
    table.time("  of which the curve and its frames", 1.0, None, || {
        spring.pose_into(&mut pose, &mut scratch).expect("finite numbers");
        strand.sweep(&pose.points, &Sweep::round(pose.up, 0.002));
        black_box(&strand);
    });
}

/// A spring with pincers, a compression wave and a sagging backbone: all features.
fn spring() -> Spring {
    let mut backbone = SuspendedRope::new(DVec3::Z, DVec3::new(2.0, 0.0, 1.0), 2.4);
    (backbone.keep_length, backbone.samples) = (false, 65);
    let winding = Winding {
        radius: 0.05,
        coils: 100.0,
        points_per_coil: 32,
        wire_length: None,
        leads: (0.0, 0.0),
        rotations: Vec::new(),
    };
    let bunching = Bunching {
        pincers: vec![Pincer { position: 0.3, length: 0.1, count: 25.0 }],
        waves: vec![CompressionWave { magnitude: 0.6, frequency: 2.0, phase: 0.4 }],
        compression: Compression::Pinned,
        rounding: 0.5,
    };
    Spring { backbone, winding, bunching }
}
