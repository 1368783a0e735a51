//! Meshes in every format: constant properties are written once, and files read back without loss.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use lariat_core::geometry::{Attribute, Look, Mesh, MeshTopology, RecordedFootage};
use lariat_core::motion::FrameRate;
use lariat_export::{Format, NoProgress, Options, Timing};

/// A roof: two squares that meet at a ridge, with a weight that rises towards it.
fn roof() -> Mesh {
    let points: Vec<DVec3> = [
        [0.0, -1.0, 0.0],
        [2.0, -1.0, 0.0],
        [2.0, 0.0, 1.0],
        [0.0, 0.0, 1.0],
        [2.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ]
    .map(DVec3::from)
    .to_vec();
    let shape = MeshTopology::new(&points, vec![4, 4], vec![0, 1, 2, 3, 3, 2, 4, 5]);
    let shape = shape.expect("a roof is a mesh");
    let weight =
        |name: &str| Attribute { name: name.into(), values: vec![0.0, 0.0, 1.0, 0.75, 0.0, 0.0] };
    let shape = shape
        .with_attributes(vec![weight("weight"), weight("st")])
        .expect("one number for each point");
    let look = Look { name: "plain".into(), colour: [0.5, 0.25, 0.125] };
    Mesh::new("mesh", shape, points, look).expect("a roof is a mesh")
}

fn take(meshes: Vec<Option<Mesh>>) -> RecordedFootage {
    let frames = meshes.len();
    let bodies = vec![("roof".to_owned(), vec![Vec::new(); frames])];
    RecordedFootage { first: 1, bodies, meshes: vec![meshes] }
}

fn still() -> RecordedFootage {
    take(vec![Some(roof()); 3])
}

fn rising() -> RecordedFootage {
    let rest = roof();
    let at = |z: f64| {
        let mut mesh = rest.clone();
        mesh.pose(&rest, None, &DAffine3::from_translation(DVec3::Z * z));
        Some(mesh)
    };
    take(vec![at(0.0), at(1.0), at(2.0)])
}

fn written_with(take: &RecordedFootage, format: Format, options: &Options) -> String {
    let timing = Timing::new(FrameRate::FILM, 1..=3).expect("there are frames");
    let mut out = Vec::new();
    let summary =
        format.write(take, &timing, options, &mut out, &NoProgress).expect("writing succeeds");
    assert_eq!((summary.bodies, summary.meshes, summary.bytes), (1, 1, out.len() as u64));
    String::from_utf8(out).expect("files are text")
}

fn written(take: &RecordedFootage, format: Format) -> String {
    written_with(take, format, &Options::default())
}

#[test]
fn faces_are_written_once() {
    let (still, rising) = (written(&still(), Format::Usda), written(&rising(), Format::Usda));
    for (text, samples) in [(&still, 0), (&rising, 3)] {
        for once in [
            "int[] faceVertexCounts = [4,4]",
            "int[] faceVertexIndices = [0,1,2,3,3,2,4,5]",
            "float[] primvars:weight = [0,0,1,0.75,0,0]",
            // `st` is reserved for texture coordinates.
            "float[] primvars:st_2 = [0,0,1,0.75,0,0]",
            "color3f[] primvars:displayColor = [(0.5,0.25,0.125)]",
            "def Mesh \"roof_mesh\"",
        ] {
            assert_eq!(text.matches(once).count(), 1, "{once} in\n{text}");
        }
        let places = text.matches("(0,-1,").count() - usize::from(samples == 0);
        // In the extent and among the points of every frame.
        assert_eq!(places, if samples == 0 { 1 } else { 6 }, "{text}");
    }
    assert!(!still.contains("timeSamples"), "{still}");
    assert!(rising.contains("point3f[] points.timeSamples"), "{rising}");
    assert!(rising.contains("3: [(0,-1,2),(2,-1,2),(2,0,3),(0,0,3),(2,1,2),(0,1,2)],"), "{rising}");
    assert!(rising.contains("3: [(0,-1,2),(2,1,3)],"), "{rising}");
}

#[test]
fn an_absent_mesh_is_invisible_and_collapsed() {
    let mesh = Some(roof());
    let text = written(&take(vec![mesh.clone(), None, mesh]), Format::Usda);
    let tokens =
        "1: \"inherited\",\n                2: \"invisible\",\n                3: \"inherited\",";
    assert!(text.contains(tokens), "{text}");
    assert!(text.contains("2: [(0,-1,0),(0,-1,0),(0,-1,0),(0,-1,0),(0,-1,0),(0,-1,0)],"), "{text}");
    let rows = written(&take(vec![None, Some(roof()), None]), Format::Csv);
    assert_eq!(rows.lines().count(), 1 + 6);
    assert!(rows.lines().nth(1).unwrap().starts_with("roof,mesh,2,0,"));
}

#[test]
fn points_that_have_colours_show_them() {
    let mut mesh = roof();
    let colours: Arc<[[f64; 3]]> = (0..6).map(|i| [f64::from(i) / 8.0, 0.0, 1.0]).collect();
    mesh.set_colours(Some(colours)).unwrap();
    let take = take(vec![Some(mesh); 3]);
    let text = written(&take, Format::Usda);
    let painted = "primvars:displayColor = [(0,0,1),(0.125,0,1),(0.25,0,1),(0.375,0,1),(0.5,0,1),(0.625,0,1)] (\n                interpolation = \"vertex\"";
    assert!(text.contains(painted), "{text}");
    let json: serde_json::Value = serde_json::from_str(&written(&take, Format::Json)).unwrap();
    assert_eq!(json["bodies"][0]["mesh"]["colours"][1], serde_json::json!([0.125, 0, 1]));
}

#[test]
fn rows_of_a_mesh_have_empty_strand_fields() {
    let rows = written(&rising(), Format::Csv);
    let lines: Vec<&str> = rows.lines().collect();
    let columns = |line: &str| line.split(',').count();
    assert_eq!(lines.len(), 1 + 3 * 6);
    assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{rows}");
    assert_eq!(lines[1 + 6 + 2], "roof,mesh,2,2,,2,0,2,,");
    let axes = Options { axes: true, ..Options::default() };
    let rows = written_with(&rising(), Format::Csv, &axes);
    let lines: Vec<&str> = rows.lines().collect();
    assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{rows}");
    assert!(lines[3].ends_with(",,,,,,0,0,1"), "{}", lines[3]);
}

#[test]
fn json_reads_back_as_the_same_mesh() {
    for (take, frames) in [(still(), 3), (rising(), 3), (take(vec![None, Some(roof()), None]), 1)] {
        let json: serde_json::Value = serde_json::from_str(&written(&take, Format::Json)).unwrap();
        let body = &json["bodies"][0];
        assert_eq!(body["strands"], serde_json::json!([]));
        let mesh = &body["mesh"];
        assert_eq!(mesh["faces"]["counts"], serde_json::json!([4, 4]));
        assert_eq!(mesh["faces"]["corners"], serde_json::json!([0, 1, 2, 3, 3, 2, 4, 5]));
        assert_eq!(mesh["attributes"]["weight"][3], 0.75);
        assert_eq!(mesh["material"]["name"], "plain");
        assert_eq!(mesh["frames"].as_array().unwrap().len(), frames);
        assert_eq!(mesh["frames"][0]["points"][1], serde_json::json!([2, -1, 0]));
    }
}

#[test]
fn a_drawing_shows_front_faces() {
    let faces = |view: (f64, f64)| {
        let options = Options { view, ..Options::default() };
        let text = written_with(&take(vec![Some(roof())]), Format::Svg, &options);
        let picture = text.split("<g transform").nth(1).unwrap();
        picture.matches("stroke-width=\"0.6\"").count()
    };
    // From the south one half of the roof is seen, from above both, from below none.
    assert_eq!((faces((0.0, 0.0)), faces((0.0, 90.0)), faces((0.0, -90.0))), (1, 2, 0));
}

#[test]
fn memory_changes_no_byte_of_a_mesh() {
    for format in [Format::Usda, Format::Csv, Format::Json] {
        for take in [still(), rising()] {
            let little = Options { memory_per_thread: 1, ..Options::default() };
            assert_eq!(written(&take, format), written_with(&take, format, &little), "{format:?}");
        }
    }
}
