//! Exported files read back as the same recording, with the same modes.

use std::ops::ControlFlow;

use glam::DVec3;
use lariat_core::geometry::{Look, RecordedFootage, Strand, Sweep};
use lariat_core::modes::{ExtractOptions, PartKind, Recording, extract};
use lariat_core::motion::FrameRate;
use lariat_core::num::ops;
use lariat_export::{Format, NoProgress, Options, Timing, TubeOptions};
use lariat_import::recording::{self, ReadOptions};

/// A swinging rope, two twisted wires of one body, and a ring, at frames 10 to 73.
fn take() -> RecordedFootage {
    let swing_of = |t: f64| 0.1 * ops::cos_turns(2.0 * t);
    let strand = |name: &str, phase: f64, frame: u32| {
        let t = f64::from(frame) / 24.0;
        let points: Vec<DVec3> = (0..12)
            .map(|i| {
                let u = f64::from(i) / 11.0;
                let swing = 0.3 * u * ops::cos_turns(2.0 * t - 0.4 * u + phase);
                DVec3::new(u, swing, 1.0 - 0.2 * u * u)
            })
            .collect();
        let mut strand =
            Strand::empty(name, Look { name: "rope".into(), colour: [0.25, 0.5, 0.125] });
        let taper = [(0.0, 1.0), (1.0, 0.5)];
        let turn = |u: f64| phase * 10.0 * u;
        let rotation: Option<&dyn Fn(f64) -> f64> = if phase == 0.0 { None } else { Some(&turn) };
        let sweep = Sweep { taper: &taper, rotation, ..Sweep::round(DVec3::Z, 0.03) };
        strand.sweep(&points, &sweep);
        if name == "ring" {
            let at = |i: u32| {
                DVec3::new(ops::cos_turns(f64::from(i % 8) / 8.0), swing_of(t), f64::from(i % 8))
            };
            let ring: Vec<DVec3> = (0..=8).map(at).collect();
            strand.sweep(&ring, &Sweep { closed: true, ..Sweep::round(DVec3::Z, 0.03) });
        }
        strand
    };
    let body = |names: &[&str], phase: f64| {
        (0..64).map(|f| names.iter().map(|name| strand(name, phase, f)).collect()).collect()
    };
    RecordedFootage {
        first: 10,
        bodies: vec![
            ("the \"tail\"".to_owned(), body(&["rope"], 0.0)),
            ("lights, two".to_owned(), body(&["wire-1", "wire-2"], 0.2)),
            ("hoop".to_owned(), body(&["ring"], 0.0)),
        ],
        ..RecordedFootage::default()
    }
}

fn recorded() -> Recording {
    Recording::from_footage(&take(), FrameRate::FILM, 10..=73).expect("64 whole frames")
}

fn exported(format: Format, options: &Options) -> Vec<u8> {
    let timing = Timing::new(FrameRate::FILM, 10..=73).expect("64 frames");
    let mut file = Vec::new();
    format
        .write(&take(), &timing, options, &mut file, &NoProgress)
        .expect("writing to memory succeeds");
    file
}

/// The same parts, and positions that differ by `tolerance` at most.
fn assert_alike(ours: &Recording, theirs: &Recording, tolerance: f64) {
    assert_eq!(
        (ours.first(), ours.last(), ours.rate()),
        (theirs.first(), theirs.last(), theirs.rate())
    );
    for (a, b) in ours.parts().iter().zip(theirs.parts()) {
        assert_eq!((&a.name, a.points), (&b.name, b.points));
        let (
            PartKind::Strand { closed, radius, twist, .. },
            PartKind::Strand { closed: closed_b, radius: radius_b, twist: twist_b, .. },
        ) = (&a.kind, &b.kind)
        else {
            panic!("{:?} for {:?}", a.kind, b.kind);
        };
        assert_eq!((closed, radius.len(), twist.len()), (closed_b, radius_b.len(), twist_b.len()));
        let gap =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(gap(radius, radius_b) <= tolerance, "{}", a.name);
        // Files store degrees.
        assert!(gap(twist, twist_b) <= 1e-15 + 10.0 * tolerance, "{}", a.name);
    }
    assert_eq!(
        (ours.parts().len(), ours.rows().len()),
        (theirs.parts().len(), theirs.rows().len())
    );
    for (a, b) in ours.rows().iter().zip(theirs.rows()) {
        assert!((a - b).abs() <= tolerance, "{a} for {b}");
    }
}

#[test]
fn our_own_export_reads_back() {
    let csv = exported(Format::Csv, &Options { axes: true, ..Options::default() });
    let csv = recording::csv::read(&csv, &ReadOptions::default()).unwrap();
    // CSV stores 64 bits, USD 32.
    assert_alike(&csv, &recorded(), 0.0);
    let usda = exported(Format::Usda, &Options::default());
    let usda = recording::usda::read(&usda, &ReadOptions::default()).unwrap();
    assert_alike(&usda, &recorded(), 1e-7);
    let PartKind::Strand { look, .. } = &usda.parts()[1].kind else { panic!("no strand") };
    let look = look.as_ref().unwrap();
    assert_eq!((look.name.as_ref(), look.colour), ("rope", [0.25, 0.5, 0.125]));
}

#[test]
fn tubes_are_read_beside_their_curves() {
    let options =
        Options { tubes: Some(TubeOptions { sides: 6, caps: true }), ..Options::default() };
    let file = exported(Format::Usda, &options);
    let both = recording::usda::read(&file, &ReadOptions::default()).unwrap();
    let names: Vec<_> = both.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names[..2], ["the \"tail\"/rope", "Lariat/the__tail_/the__tail__rope_tube"]);
    let PartKind::Mesh { counts, corners } = &both.parts()[1].kind else { panic!("no mesh") };
    assert!(counts.len() >= 66 && corners.len() >= 4 * 66, "{} faces", counts.len());
    let curve = ReadOptions { only: vec!["the \"tail\"".into()], rate: None };
    assert_eq!(recording::usda::read(&file, &curve).unwrap().parts().len(), 1);
}

#[test]
fn modes_do_not_depend_on_the_file_format() {
    let modes = |recording: &Recording| {
        let mut go_on = |_| ControlFlow::Continue(());
        extract(recording, &ExtractOptions::default(), &mut go_on).unwrap()
    };
    let direct = modes(&recorded());
    let csv = exported(Format::Csv, &Options::default());
    let csv = modes(&recording::csv::read(&csv, &ReadOptions::default()).unwrap());
    assert_eq!(direct.modes(), csv.modes());
    let usda = exported(Format::Usda, &Options::default());
    let usda = modes(&recording::usda::read(&usda, &ReadOptions::default()).unwrap());
    for (a, b) in direct.modes().iter().zip(usda.modes()) {
        assert!((a.pole.hertz - 2.0).abs() < 0.01 && (a.pole.hertz - b.pole.hertz).abs() < 1e-6);
        assert!((a.sigma / b.sigma - 1.0).abs() < 1e-6);
    }
}
