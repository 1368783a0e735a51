//! Small scenes in every format: snapshots, and reading back without loss.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

mod scenes;

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;
use lariat_core::curve::Frame;
use lariat_core::geometry::tube::Tube;
use lariat_core::geometry::{Camera, Footage, Lens, RecordedFootage, Strand};
use lariat_core::motion::FrameRate;
use lariat_export::{ExportError, NoProgress, Options, Timing, TubeOptions, csv, json, usda};
use scenes::{oddities, rope, shaped, take};

fn frames(range: std::ops::RangeInclusive<i64>) -> Timing {
    Timing::new(FrameRate::FILM, range).unwrap()
}

fn as_usda(footage: &dyn Footage, timing: &Timing, options: &Options) -> String {
    let mut out = Vec::new();
    let summary = usda::write(footage, timing, options, &mut out, &NoProgress).unwrap();
    assert_eq!(summary.bytes, out.len() as u64);
    String::from_utf8(out).unwrap()
}

fn as_csv(footage: &dyn Footage, timing: &Timing, options: &Options) -> String {
    let mut out = Vec::new();
    csv::write(footage, timing, options, &mut out, &NoProgress).unwrap();
    String::from_utf8(out).unwrap()
}

fn as_json(footage: &dyn Footage, timing: &Timing, options: &Options) -> serde_json::Value {
    let mut out = Vec::new();
    json::write(footage, timing, options, &mut out, &NoProgress).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// The strand of that name at a frame.
fn strand_at(take: &RecordedFootage, body: usize, frame: i64, name: &str) -> Option<Strand> {
    let mut strands = Vec::new();
    take.strands(body, frame as f64, &mut strands);
    strands.into_iter().find(|strand| &*strand.name == name)
}

/// The lines of the prim that starts with this line, without their indentation.
fn prim<'a>(file: &'a str, opening: &str) -> Vec<&'a str> {
    let start = file.find(opening).unwrap_or_else(|| panic!("no {opening} in\n{file}"));
    let lines = file[start..].lines();
    lines.take_while(|line| *line != "        }").map(str::trim).collect()
}

#[test]
fn a_rope_in_usd() {
    let swing = [0.0, 1.0 / 3.0].map(|x| vec![rope("rope", &[[0.0, 0.0, 2.0], [x, 0.0, 1.0]])]);
    let footage = take(&[("rein", swing.to_vec())]);
    insta::assert_snapshot!(as_usda(&footage, &frames(1..=2), &Options::default()));
}

#[test]
fn oddities_in_usd() {
    insta::assert_snapshot!(as_usda(&oddities(), &frames(1..=4), &Options::default()));
}

#[test]
fn oddities_in_csv() {
    insta::assert_snapshot!(as_csv(&oddities(), &frames(1..=4), &Options::default()));
}

#[test]
fn oddities_in_json() {
    let mut out = Vec::new();
    json::write(&oddities(), &frames(1..=4), &Options::default(), &mut out, &NoProgress).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn constant_properties_are_written_once() {
    let file = as_usda(&oddities(), &frames(1..=4), &Options::default());
    let post = prim(&file, "def BasisCurves \"post_rope\"");
    assert!(post.iter().all(|line| !line.contains("timeSamples")), "{post:#?}");
    assert!(post.contains(&"point3f[] points = [(0,0,0),(0,0,1)]"), "{post:#?}");
    let rein = prim(&file, "def BasisCurves \"left_rein_rope\"");
    assert!(rein.contains(&"point3f[] points.timeSamples = {"), "{rein:#?}");
    assert!(rein.contains(&"int[] curveVertexCounts = [3]"), "{rein:#?}");
    assert!(rein.contains(&"float[] widths = [0.01] ("), "{rein:#?}");
}

#[test]
fn colliding_usd_names_become_unique_and_originals_are_kept() {
    let file = as_usda(&oddities(), &frames(1..=4), &Options::default());
    for (identifier, name) in
        [("left_rein", "left rein"), ("left_rein_2", "left-rein"), ("_7________", "7 верёвок")]
    {
        let opening = format!(
            "    def Xform \"{identifier}\"\n    {{\n        custom string lariat:name = \"{name}\"\n"
        );
        assert!(file.contains(&opening), "{opening} is not in\n{file}");
    }
}

#[test]
fn a_strand_that_tears_changes_its_counts() {
    let file = as_usda(&oddities(), &frames(1..=4), &Options::default());
    let left = prim(&file, "def BasisCurves \"tears___then__falls_left\"").join("\n");
    let counts = "int[] curveVertexCounts.timeSamples = {\n1: [3],\n2: [3],\n3: [2],\n4: [2],\n}";
    assert!(left.contains(counts), "{left}");
    assert!(!left.contains("visibility"), "{left}");
}

#[test]
fn an_absent_strand_is_hidden_and_has_no_size() {
    let file = as_usda(&oddities(), &frames(1..=4), &Options::default());
    let right = prim(&file, "def BasisCurves \"tears___then__falls_right\"").join("\n");
    let hidden = "token visibility.timeSamples = {\n1: \"invisible\",\n3: \"inherited\",\n}";
    assert!(right.contains(hidden), "{right}");
    assert!(right.contains("1: [(1,0,0.5),(1,0,0.5)],"), "{right}");
    assert!(right.contains("float[] widths.timeSamples = {\n1: [0],\n2: [0],\n3: [0.01],"));
    // A single point is not a curve either.
    let dot = prim(&file, "def BasisCurves \"comes_and_goes_dot\"").join("\n");
    assert!(dot.contains("token visibility = \"invisible\""), "{dot}");
}

#[test]
fn the_box_includes_the_thickness() {
    let thick = shaped(&rope("rope", &[[0.0; 3], [1.0, 0.0, 0.0]]), &[0.25, 0.5], &[0.0; 2]);
    let file = as_usda(&take(&[("b", vec![vec![thick]])]), &frames(1..=1), &Options::default());
    assert!(file.contains("float3[] extent = [(-0.5,-0.5,-0.5),(1.5,0.5,0.5)]"), "{file}");
    assert!(file.contains("float[] widths = [0.5,1] ("), "{file}");
}

#[test]
fn time_codes_are_frames_and_the_rate_is_exact() {
    let post = rope("rope", &[[0.0; 3], [0.0, 0.0, 1.0]]);
    let moved = rope("rope", &[[0.0; 3], [0.0, 0.5, 1.0]]);
    let footage = take(&[("b", vec![vec![post], vec![moved]])]);
    let ntsc = Timing::new(FrameRate::new(24000, 1001).unwrap(), [-10, 1, 2, 7]).unwrap();
    let file = as_usda(&footage, &ntsc, &Options::default());
    for line in [
        "    startTimeCode = -10\n",
        "    endTimeCode = 7\n",
        "    framesPerSecond = 23.976023976023978\n",
        "    timeCodesPerSecond = 23.976023976023978\n",
        "    metersPerUnit = 1\n",
        "    upAxis = \"Z\"\n",
        "    defaultPrim = \"Lariat\"\n",
        "\n                -10: [(0,0,0),(0,0,1)],\n                1: [(0,0,0),(0,0,1)],\n                2: [(0,0,0),(0,0.5,1)],\n                7:",
    ] {
        assert!(file.contains(line), "{line} is not in\n{file}");
    }
}

#[test]
fn velocities_are_metres_per_second() {
    /// Moves along X by an eighth of a metre per frame.
    struct Cart;

    impl Footage for Cart {
        fn body_count(&self) -> usize {
            1
        }

        fn body_name(&self, _body: usize) -> &'static str {
            "cart"
        }

        fn strands(&self, _body: usize, frame: f64, out: &mut Vec<Strand>) {
            out.clear();
            // Eighths, so that the differences are exact.
            out.push(rope("rope", &[[frame / 8.0, 0.0, 0.0], [frame / 8.0, 0.0, 1.0]]));
        }
    }

    let options = Options { velocities: true, ..Options::default() };
    let file = as_usda(&Cart, &frames(1..=3), &options);
    assert!(file.contains("vector3f[] velocities = [(3,0,0),(3,0,0)]\n"), "{file}");
}

/// A rope and two cameras, one flying by and one looking down.
struct Filmed(RecordedFootage);

impl Footage for Filmed {
    fn body_count(&self) -> usize {
        self.0.body_count()
    }

    fn body_name(&self, body: usize) -> &str {
        self.0.body_name(body)
    }

    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        self.0.strands(body, frame, out);
    }

    fn camera_names(&self) -> Vec<&str> {
        vec!["fly by", "map"]
    }

    fn camera(&self, camera: usize, frame: f64) -> Option<Camera> {
        let (eye, lens) = match camera {
            0 => (DVec3::new(frame, -3.0, 4.0), Lens::Perspective { angle: FRAC_PI_2 }),
            _ => (DVec3::new(1.0, 0.0, 9.0), Lens::Orthographic { height: 2.5 }),
        };
        Camera::upright(eye, DVec3::new(1.0, 0.0, 1.0), 0.0, lens)
    }
}

/// The lines of a camera, without their indentation.
fn camera<'a>(file: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!("    def Camera \"{name}\"\n");
    let (_, camera) = file.split_once(&opening).expect("the camera is there");
    camera.lines().skip(1).take_while(|line| *line != "    }").map(str::trim).collect()
}

#[test]
fn a_camera_in_usd_has_the_same_view() {
    let file = as_usda(&Filmed(oddities()), &frames(1..=2), &Options::default());
    let camera = camera(&file, "fly_by");
    assert!(camera.contains(&"custom string lariat:name = \"fly by\""), "{camera:#?}");
    // A right angle of view: the focal length is half of the aperture.
    assert!(camera.contains(&"float focalLength = 0.12"), "{camera:#?}");
    assert!(camera.contains(&"float verticalAperture = 0.24"), "{camera:#?}");
    assert!(!camera.iter().any(|line| line.contains("projection")), "{camera:#?}");
    let matrix = |frame: &str| -> Vec<f64> {
        let start = format!("{frame}: ( ");
        let line = camera.iter().find_map(|line| line.strip_prefix(&start)).expect("a sample");
        let numbers = line.split(|c: char| "(), ".contains(c)).filter(|word| !word.is_empty());
        numbers.map(|word| word.parse().unwrap()).collect()
    };
    // Rows: right, up, back, eye. At frame 1 it looks north and down by 45 degrees.
    let half = 0.5_f64.sqrt();
    let expected = [1., 0., 0., 0., 0., half, half, 0., 0., -half, half, 0., 1., -3., 4., 1.];
    let found = matrix("1");
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
    assert_eq!(matrix("2")[12..], [2.0, -3.0, 4.0, 1.0]);
}

#[test]
fn a_camera_that_stands_still_is_written_once() {
    let file = as_usda(&Filmed(oddities()), &frames(1..=3), &Options::default());
    assert_eq!(
        camera(&file, "map"),
        [
            "custom string lariat:name = \"map\"",
            "float2 clippingRange = (0.01, 100000)",
            "token projection = \"orthographic\"",
            "float focalLength = 0.5",
            "float horizontalAperture = 44.444443",
            "float verticalAperture = 25",
            "matrix4d xformOp:transform = ( (1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,9,1) )",
            "uniform token[] xformOpOrder = [\"xformOp:transform\"]",
        ]
    );
}

#[test]
fn orientations_can_be_left_out() {
    let options = Options { orientations: false, ..Options::default() };
    assert!(!as_usda(&oddities(), &frames(1..=4), &options).contains("quatf"));
}

#[test]
fn tubes_keep_every_corner() {
    let tubes = Some(TubeOptions { sides: 6, caps: true });
    let options = Options { tubes, curves: false, ..Options::default() };
    let file = as_usda(&oddities(), &frames(1..=4), &options);
    assert!(!file.contains("BasisCurves"));
    let post = prim(&file, "def Mesh \"post_rope_tube\"");
    let value = |attribute: &str| {
        let line = post.iter().find_map(|line| line.strip_prefix(attribute));
        line.unwrap_or_else(|| panic!("no {attribute} in {post:#?}")).trim_end_matches(" (")
    };
    let list = |attribute: &str| -> Vec<f64> {
        let numbers = value(attribute).split(['[', ']', '(', ')', ',']);
        numbers.filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect()
    };
    let strand = strand_at(&oddities(), 0, 1, "rope").unwrap();
    let tube = Tube::sweep(&strand, 6, true);
    let counts = list("int[] faceVertexCounts = ");
    let corners = list("int[] faceVertexIndices = ");
    assert_eq!(counts.len(), tube.quads.len() + tube.triangles.len());
    assert_eq!(counts.iter().sum::<f64>(), corners.len() as f64);
    assert!(corners.iter().all(|&corner| corner < tube.positions.len() as f64));
    let singles = |value: f64| f64::from(value as f32);
    let positions = tube.positions.iter().flat_map(DVec3::to_array);
    assert_eq!(
        list("point3f[] points = ").iter().map(|&x| singles(x)).collect::<Vec<_>>(),
        positions.map(singles).collect::<Vec<_>>()
    );
    let coordinates = corners.iter().flat_map(|&corner| tube.uvs[corner as usize].to_array());
    assert_eq!(
        list("texCoord2f[] primvars:st = ").iter().map(|&x| singles(x)).collect::<Vec<_>>(),
        coordinates.map(singles).collect::<Vec<_>>()
    );
    let normals = list("normal3f[] normals = ");
    let expected: Vec<f64> = tube.normals.iter().flat_map(DVec3::to_array).collect();
    assert_eq!(normals.len(), expected.len());
    assert!(normals.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6));
    assert!(post.contains(&"uniform token subdivisionScheme = \"none\""));
    assert!(post.contains(&"interpolation = \"faceVarying\""));
}

#[test]
fn tubes_and_curves_can_be_combined() {
    let options = Options { tubes: Some(TubeOptions::default()), ..Options::default() };
    let file = as_usda(&oddities(), &frames(1..=4), &options);
    assert_eq!(file.matches("def BasisCurves").count(), file.matches("def Mesh").count());
    let right = prim(&file, "def Mesh \"tears___then__falls_right_tube\"").join("\n");
    assert!(right.contains("int[] faceVertexCounts.timeSamples = {\n1: [],\n2: [],\n3: [4,"));
}

#[test]
fn options_without_contents_are_refused() {
    let fails = |options: Options| {
        let out = &mut Vec::new();
        usda::write(&oddities(), &frames(1..=4), &options, out, &NoProgress).unwrap_err()
    };
    let nothing = Options { curves: false, ..Options::default() };
    assert!(matches!(fails(nothing), ExportError::NothingAsked));
    let flat = Options { tubes: Some(TubeOptions { sides: 2, caps: true }), ..Options::default() };
    assert!(matches!(fails(flat), ExportError::TooFewSides { sides: 2 }));
}

/// Splits a CSV file into fields as RFC 4180 defines.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(row.is_empty() && field.is_empty() && !quoted, "the last line is incomplete");
    rows
}

#[test]
fn csv_reads_back_bit_for_bit() {
    let scene = oddities();
    let text = as_csv(&scene, &frames(1..=4), &Options { axes: true, ..Options::default() });
    let rows = rows(&text);
    let header = "body,strand,frame,index,u,x,y,z,radius,twist_degrees,tx,ty,tz,nx,ny,nz";
    assert_eq!(rows[0].join(","), header);
    let mut expected = 0;
    for recording in scene.bodies.iter().flat_map(|(_, recordings)| recordings) {
        expected += recording.iter().map(|strand| strand.points().len()).sum::<usize>();
    }
    assert_eq!(rows.len() - 1, expected);
    for row in &rows[1..] {
        let body = scene.bodies.iter().position(|(name, _)| *name == row[0]).unwrap();
        let strand = strand_at(&scene, body, row[2].parse().unwrap(), &row[1]).unwrap();
        let index: usize = row[3].parse().unwrap();
        let number = |column: usize| row[column].parse::<f64>().unwrap();
        let vector = |column| DVec3::new(number(column), number(column + 1), number(column + 2));
        assert_eq!(vector(5), strand.points()[index]);
        assert_eq!(number(8), strand.radius()[index]);
        assert_eq!(number(9), strand.twist()[index].to_degrees());
        assert_eq!(vector(10), strand.frames()[index].tangent());
        assert_eq!(vector(13), strand.frames()[index].normal());
        let last = strand.points().len() - 1;
        assert_eq!(number(4), if last == 0 { 0.0 } else { index as f64 / last as f64 });
    }
}

fn numbers(list: &serde_json::Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn vectors(list: &serde_json::Value) -> Vec<DVec3> {
    list.as_array().unwrap().iter().map(|vector| DVec3::from_slice(&numbers(vector))).collect()
}

#[test]
fn json_reads_back_bit_for_bit() {
    let scene = oddities();
    let file = as_json(&scene, &frames(1..=4), &Options { axes: true, ..Options::default() });
    assert_eq!(file["shot"]["rate"], serde_json::json!([24, 1]));
    assert_eq!(file["shot"]["frames"], serde_json::json!([1, 2, 3, 4]));
    let bodies = file["bodies"].as_array().unwrap();
    assert_eq!(bodies.len(), scene.bodies.len());
    let mut compared = 0;
    for (index, body) in bodies.iter().enumerate() {
        assert_eq!(body["name"], scene.bodies[index].0);
        for strand in body["strands"].as_array().unwrap() {
            for entry in strand["frames"].as_array().unwrap() {
                let frame = entry["frame"].as_i64().unwrap();
                let name = strand["name"].as_str().unwrap();
                let ours = strand_at(&scene, index, frame, name).unwrap();
                let points: Vec<DVec3> = vectors(&entry["points"]);
                assert_eq!(points, ours.points());
                assert_eq!(numbers(&entry["radius"]), ours.radius());
                let degrees: Vec<f64> = ours.twist().iter().map(|t| t.to_degrees()).collect();
                assert_eq!(numbers(&entry["twist_degrees"]), degrees);
                let value = |key: &str| entry.get(key).or_else(|| strand.get(key)).unwrap();
                assert_eq!(value("closed"), ours.closed);
                assert_eq!(value("material")["name"], *ours.look.name);
                assert_eq!(numbers(&value("material")["colour"]), ours.look.colour);
                let normals: Vec<DVec3> = ours.frames().iter().map(Frame::normal).collect();
                assert_eq!(vectors(&entry["normals"]), normals);
                compared += 1;
            }
        }
    }
    let recordings = scene.bodies.iter().flat_map(|(_, recordings)| recordings);
    assert_eq!(compared, recordings.map(Vec::len).sum::<usize>());
}
