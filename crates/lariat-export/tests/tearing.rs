//! A tearing rope in every format: pieces keep their names, counts change with them, and nothing is
//! interpolated across a tear.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod scenes;

use std::collections::BTreeMap;

use lariat_core::geometry::{Footage, Strand};
use lariat_core::motion::FrameRate;
use lariat_export::{Format, NoProgress, Options, Timing, TubeOptions};
use scenes::{TEARS, pieces, tearing};

fn written(footage: &dyn Footage, format: Format, options: &Options) -> String {
    let timing = Timing::new(FrameRate::FILM, 1..=8).unwrap();
    let mut out = Vec::new();
    format.write(footage, &timing, options, &mut out, &NoProgress).unwrap();
    String::from_utf8(out).unwrap()
}

/// The numbers of an attribute of a prim, frame by frame.
fn samples(file: &str, prim: &str, attribute: &str) -> BTreeMap<i64, Vec<f64>> {
    let (_, rest) = file.split_once(&format!("\"{prim}\"\n")).unwrap();
    let prim = rest.split("\n        }\n").next().unwrap();
    let opening = format!(" {attribute}.timeSamples = {{\n");
    let Some((_, rest)) = prim.split_once(&opening) else {
        panic!("{attribute} has no time samples in\n{prim}");
    };
    let lines = rest.lines().take_while(|line| line.trim() != "}");
    lines
        .map(|line| {
            let (frame, numbers) = line.trim().split_once(": ").unwrap();
            let numbers = numbers.split(|c: char| "[](), ".contains(c));
            let numbers = numbers.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap());
            (frame.parse().unwrap(), numbers.collect())
        })
        .collect()
}

/// Number of points at each frame of the piece that begins with a segment; `None` where it is
/// absent.
fn expected(first: usize) -> Vec<Option<usize>> {
    let count = |tears: &&[usize]| {
        let begins = first == 0 || tears.contains(&first);
        let end = tears.iter().copied().find(|tear| *tear > first).unwrap_or(8);
        begins.then_some(end - first + 1)
    };
    TEARS.iter().map(count).collect()
}

#[test]
fn counts_are_time_samples_and_pieces_keep_their_names() {
    let options = Options { velocities: true, orientations: true, ..Options::default() };
    let file = written(&tearing(), Format::Usda, &options);
    for first in [0, 1, 2, 4, 6] {
        let prim = if first == 0 { "line_rope".to_owned() } else { format!("line_rope_{first}") };
        // Two coincident points stand for an absent piece.
        let counts: Vec<f64> =
            expected(first).iter().map(|count| count.unwrap_or(2) as f64).collect();
        let rows = |attribute, each: usize| -> Vec<f64> {
            let rows = samples(&file, &prim, attribute);
            assert_eq!(rows.keys().copied().collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
            rows.values().map(|row| row.len() as f64 / each as f64).collect()
        };
        let found: Vec<f64> =
            samples(&file, &prim, "curveVertexCounts").values().map(|row| row[0]).collect();
        assert_eq!(found, counts, "{prim}");
        for (attribute, each) in [
            ("points", 3),
            ("velocities", 3),
            ("primvars:twist", 1),
            ("primvars:st", 2),
            ("primvars:frame", 4),
        ] {
            assert_eq!(rows(attribute, each), counts, "{attribute} of {prim}");
        }
    }
    assert!(file.contains("token visibility.timeSamples = {\n                1: \"invisible\",\n                6: \"inherited\",\n            }"));
}

#[test]
fn faces_of_a_torn_tube_have_their_points() {
    let tubes = Some(TubeOptions::default());
    let options = Options { curves: false, tubes, ..Options::default() };
    let file = written(&tearing(), Format::Usda, &options);
    for (prim, first) in [("line_rope_tube", 0), ("line_rope_2_tube", 2), ("line_rope_4_tube", 4)] {
        let [counts, corners, points, coordinates] =
            ["faceVertexCounts", "faceVertexIndices", "points", "primvars:st"]
                .map(|attribute| samples(&file, prim, attribute));
        for (frame, there) in (1..=8).zip(expected(first)) {
            let faces = &counts[&frame];
            assert_eq!(faces.is_empty(), there.is_none(), "{prim} at {frame}");
            assert_eq!(faces.iter().sum::<f64>() as usize, corners[&frame].len());
            assert_eq!(coordinates[&frame].len(), 2 * corners[&frame].len());
            let last = corners[&frame].iter().copied().fold(-1.0, f64::max);
            assert_eq!(3 * (last as i64 + 1), points[&frame].len() as i64, "{prim} at {frame}");
        }
    }
}

/// The tearing rope evaluated at any time, with nine points on every piece.
struct Resampled;

impl Footage for Resampled {
    fn body_count(&self) -> usize {
        1
    }

    fn body_name(&self, _body: usize) -> &'static str {
        "line"
    }

    fn strands(&self, _body: usize, frame: f64, out: &mut Vec<Strand>) {
        out.clear();
        // It tears a third of a frame after frame 4.
        let tears: &[usize] = if frame > 4.3 { &[4] } else { &[] };
        for strand in pieces(tears, frame) {
            let (from, to) = (strand.points()[0], strand.points()[strand.points().len() - 1]);
            let points: Vec<[f64; 3]> =
                (0..9).map(|i| from.lerp(to, f64::from(i) / 8.0).to_array()).collect();
            let mut even = scenes::rope(&strand.name, &points);
            even.piece = strand.piece;
            out.push(even);
        }
    }
}

#[test]
fn no_velocity_crosses_a_tear() {
    let options = Options { velocities: true, ..Options::default() };
    let file = written(&Resampled, Format::Usda, &options);
    // The far end falls by 8 cm per frame before the tear, and by 4 cm after it.
    for (frame, speeds) in samples(&file, "line_rope", "velocities") {
        let expected = if frame <= 4 { -0.08 * 24.0 } else { -0.04 * 24.0 };
        let found = speeds[3 * 8 + 2];
        assert!((found - expected).abs() < 1e-5, "{found} at frame {frame}");
        assert_eq!(speeds[3 * 8], 0.0, "nothing moves along X");
    }
}

#[test]
fn both_sides_of_a_tear_have_the_same_u() {
    let table = written(&tearing(), Format::Csv, &Options::default());
    let mut rows: BTreeMap<i64, Vec<(&str, f64)>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let row = (columns[1], columns[4].parse().unwrap());
        rows.entry(columns[2].parse().unwrap()).or_default().push(row);
    }
    for (frame, tears) in (1..=8).zip(TEARS) {
        let rows = &rows[&frame];
        // Each point once, and those of tears twice.
        assert_eq!(rows.len(), 9 + tears.len());
        for tear in tears {
            let at = *tear as f64 / 8.0;
            let names: Vec<&str> = rows.iter().filter(|row| row.1 == at).map(|row| row.0).collect();
            assert!(names.len() == 2 && names.contains(&&*format!("rope-{tear}")), "{names:?}");
        }
    }
}

#[test]
fn json_marks_torn_ends() {
    let file = written(&tearing(), Format::Json, &Options::default());
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    let strands = file["bodies"][0]["strands"].as_array().unwrap();
    let names: Vec<&str> = strands.iter().map(|strand| strand["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["rope", "rope-4", "rope-2", "rope-1", "rope-6"]);
    let rope = strands[0]["frames"].as_array().unwrap();
    assert_eq!(rope[2].get("torn"), None);
    assert_eq!(rope[3]["torn"], serde_json::json!([false, true]));
    assert_eq!(rope[3]["piece"], serde_json::json!([0, 0.5]));
    let second = strands[2]["frames"].as_array().unwrap();
    assert_eq!((second[0]["frame"].as_i64(), second.len()), (Some(6), 3));
    assert_eq!(second[0]["torn"], serde_json::json!([true, true]));
}

#[test]
fn drawings_show_every_piece() {
    let strokes = |frame: i64| {
        let timing = Timing::new(FrameRate::FILM, [frame]).unwrap();
        let mut out = Vec::new();
        Format::Svg.write(&tearing(), &timing, &Options::default(), &mut out, &NoProgress).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.matches("<path").count() + text.matches("<polyline").count()
    };
    let (whole, torn) = (strokes(1), strokes(8));
    assert!(torn >= whole + 4, "{whole} strokes, then {torn}");
}
