//! glTF files assembled byte by byte.

use lariat_core::geometry::Mesh;
use proptest::prelude::*;

use super::*;
use crate::{Format, Import};

/// Bytes of a buffer of floats.
fn bytes_of(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Three corners of a unit square, facing +Z in the file.
const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// A triangle with the given scene nodes and further attributes.
fn triangle(nodes: &str, attributes: &str, more: &str) -> String {
    let count = nodes.matches("\"mesh\"").count().max(1);
    let roots: Vec<String> = (0..count).map(|k| k.to_string()).collect();
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [{}]}}],
        "nodes": [{nodes}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0{attributes}}}}}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}{more}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}},
            {{"buffer": 1, "byteLength": 3}}, {{"buffer": 1, "byteLength": 12, "byteStride": 4}}],
        "buffers": [{{"uri": "corners%20of%20it.bin", "byteLength": 36}},
            {{"uri": "data:application/octet-stream;base64,AID/AP8AAAD/AID/", "byteLength": 12}}]}}"#,
        roots.join(",")
    )
}

fn import(bytes: &[u8]) -> Result<Mesh, ImportError> {
    let beside = &mut |name: &str| match name {
        "corners of it.bin" => Ok(bytes_of(&CORNERS)),
        other => Err(format!("there is no `{other}`")),
    };
    Import::default().read(Format::Gltf, bytes, beside)
}

#[test]
fn nodes_place_their_meshes() {
    // One instance rotated a quarter turn about Y, raised by 3 m and doubled; one unchanged.
    let half = 0.5_f64.sqrt();
    let turned = format!(
        r#"{{"mesh": 0, "scale": [2, 2, 2], "rotation": [0, {half}, 0, {half}], "translation": [0, 3, 0]}}, {{"mesh": 0}}"#
    );
    let mesh = import(triangle(&turned, "", "").as_bytes()).unwrap();
    assert_eq!((mesh.points().len(), mesh.shape().counts()), (6, &[3, 3][..]));
    // X goes to −Z in the file, which is +Y in Lariat; Y of the file is up.
    for (point, expected) in
        [(0, [0.0, 0.0, 3.0]), (1, [0.0, 2.0, 3.0]), (2, [0.0, 0.0, 5.0]), (4, [1.0, 0.0, 0.0])]
    {
        assert!(mesh.points()[point].distance(expected.into()) < 1e-12, "{point}");
    }
    // +Z in the file is −Y in Lariat.
    assert!(mesh.normals()[3].distance(DVec3::NEG_Y) < 1e-12);
}

#[test]
fn children_follow_their_parents() {
    let nodes = r#"{"matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,0,0,1], "children": [1]},
        {"mesh": 0, "translation": [1, 0, 0]}"#;
    let mesh = import(triangle(nodes, "", "").as_bytes()).unwrap();
    assert_eq!(mesh.points()[0].to_array(), [6.0, 0.0, 0.0]);
}

#[test]
fn a_mirrored_node_keeps_its_orientation() {
    let mesh = import(triangle(r#"{"mesh": 0, "scale": [-1, 1, 1]}"#, "", "").as_bytes()).unwrap();
    assert_eq!(mesh.points()[1].x, -1.0);
    assert!(mesh.normals()[0].distance(DVec3::NEG_Y) < 1e-12);
}

#[test]
fn colours_and_custom_values_become_attributes() {
    let more = r#", {"bufferView": 1, "componentType": 5121, "normalized": true, "count": 3, "type": "SCALAR"},
        {"bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC3"}"#;
    let text = triangle(r#"{"mesh": 0}"#, r#", "_WEIGHT": 1, "COLOR_0": 2"#, more);
    let mesh = import(text.as_bytes()).unwrap();
    let shape = mesh.shape();
    assert_eq!(shape.attribute("weight"), Some(&[0.0, 128.0 / 255.0, 1.0][..]));
    assert_eq!(shape.attribute("red"), Some(&[0.0, 1.0, 1.0][..]));
    assert_eq!(shape.attribute("green"), Some(&[128.0 / 255.0, 0.0, 0.0][..]));
    assert_eq!(shape.attributes().len(), 4);
}

/// A `.glb` with the given JSON and bytes.
fn glb(text: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = b"glTF".to_vec();
    let word = |file: &mut Vec<u8>, x: u32| file.extend(x.to_le_bytes());
    word(&mut file, 2);
    word(&mut file, (12 + 16 + text.len() + bytes.len()) as u32);
    for (kind, chunk) in [(0x4E4F_534A, text.as_bytes()), (0x004E_4942, bytes)] {
        word(&mut file, chunk.len() as u32);
        word(&mut file, kind);
        file.extend_from_slice(chunk);
    }
    file
}

/// Two squares with a common edge, as a strip and an indexed fan; the second has the given normals.
fn two_squares(normal: [f32; 3]) -> Vec<u8> {
    let square = |z: [f32; 4]| {
        [[0.0, 0.0, z[0]], [1.0, 0.0, z[1]], [0.0, 1.0, z[2]], [1.0, 1.0, z[3]]].concat()
    };
    let mut bytes = bytes_of(&square([0.0; 4]));
    bytes.extend(bytes_of(&[[0.0, 0.0, 1.0]; 4].concat()));
    // Folded down at y = 1.
    let folded = [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, -1.0], [0.0, 1.0, -1.0]].concat();
    bytes.extend(bytes_of(&folded));
    bytes.extend(bytes_of(&[normal; 4].concat()));
    bytes.extend([0_u8, 1, 2, 3].iter().flat_map(|i| u16::from(*i).to_le_bytes()));
    let float = |view: usize| {
        format!(r#"{{"bufferView": {view}, "componentType": 5126, "count": 4, "type": "VEC3"}}"#)
    };
    let view = |from: usize, length: usize| {
        format!(r#"{{"buffer": 0, "byteOffset": {from}, "byteLength": {length}}}"#)
    };
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "meshes": [{{"primitives": [
            {{"attributes": {{"POSITION": 0, "NORMAL": 1}}, "mode": 5}},
            {{"attributes": {{"POSITION": 2, "NORMAL": 3}}, "mode": 6, "indices": 4}},
            {{"attributes": {{"POSITION": 0}}, "mode": 1}}]}}],
        "accessors": [{}, {}, {}, {}, {{"bufferView": 4, "componentType": 5123, "count": 4, "type": "SCALAR"}}],
        "bufferViews": [{}, {}, {}, {}, {}], "buffers": [{{"byteLength": {}}}]}}"#,
        float(0),
        float(1),
        float(2),
        float(3),
        view(0, 48),
        view(48, 48),
        view(96, 48),
        view(144, 48),
        view(192, 8),
        bytes.len()
    );
    glb(&text, &bytes)
}

#[test]
fn seams_are_smooth_and_edges_are_not() {
    let smooth = import(&two_squares([0.0, 0.0, 1.0])).unwrap();
    assert_eq!((smooth.points().len(), smooth.shape().counts().len()), (8, 4));
    assert_eq!(smooth.normals()[2], smooth.normals()[4]);
    assert_ne!(smooth.normals()[2], smooth.normals()[0]);
    let hard = import(&two_squares([0.0, 1.0, 0.0])).unwrap();
    assert_eq!(hard.normals()[2], hard.normals()[0]);
    assert!(hard.normals()[4].dot(hard.normals()[0]).abs() < 1e-12);
}

#[test]
fn errors_name_their_place() {
    let good = triangle(r#"{"mesh": 0}"#, "", "");
    let message = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        import(good.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("\"count\": 3", "\"count\": 4", "`accessors[0]` needs more than the 36 bytes it has"),
        (
            "5126",
            "5199",
            "`accessors[0].componentType` is 5199; expected 5120 to 5123, 5125 or 5126",
        ),
        ("\"type\": \"VEC3\"", "\"type\": \"VEC2\"", "`accessors[0].type` has too few numbers"),
        ("POSITION\": 0", "POSITION\": 7", "`accessors[7]` does not exist; there are 1"),
        (
            "\"byteLength\": 36}",
            "\"byteLength\": 37}",
            "`bufferViews[0]` extends beyond the 36 bytes of its buffer",
        ),
        (
            "corners%20of",
            "edges%20of",
            "`buffers[0].uri` refers to the file `edges of it.bin`: there is no `edges of it.bin`",
        ),
        ("base64,AID", "base64,?ID", "`buffers[1].uri` is not valid base64"),
        ("{\"mesh\": 0}", "{\"mesh\": 3}", "`meshes[3]` does not exist; there are 1"),
        (
            "{\"mesh\": 0}",
            "{\"mesh\": 0, \"children\": [0]}",
            "`nodes[0]` has two parents, or is its own ancestor",
        ),
        ("2.0", "1.0", "not a glTF file: its version is 1.0; expected 2.0"),
        (
            "\"scene\": 0",
            "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]",
            "requires the unsupported extension `KHR_draco_mesh_compression`; export without it",
        ),
    ] {
        assert_eq!(message(from, to), expected);
    }
    let many = Import { max_points: 2, ..Import::default() };
    let error = many.read(Format::Gltf, good.as_bytes(), &mut |_| Ok(bytes_of(&CORNERS)));
    assert_eq!(error.unwrap_err(), ImportError::TooManyPoints { most: 2 });
    assert!(import(b"glTF").unwrap_err().to_string().contains("middle of a chunk"));
    assert!(import(b"solid belly").unwrap_err().to_string().starts_with("not a glTF file"));
}

/// An indexed triangle with its own buffer view.
fn indexed(count: &str, view: &str) -> String {
    let more = format!(
        r#", {{"bufferView": 3, "componentType": 5121, "count": {count}, "type": "SCALAR"}}"#
    );
    let text =
        triangle(r#"{"mesh": 0}"#, "", &more).replacen("0}}]}]", r#"0}, "indices": 1}]}]"#, 1);
    text.replacen(r#""byteStride": 4}]"#, &format!(r#""byteStride": 4}}, {view}]"#), 1)
}

#[test]
fn rows_must_not_overlap() {
    let view = r#"{"buffer": 1, "byteLength": 1}"#;
    assert_eq!(
        import(indexed("1000000000000", view).as_bytes()).unwrap_err().to_string(),
        "`accessors[1]` needs more than the 1 bytes it has"
    );
    for (stride, count) in [(0, "3"), (0, "1000000000000")] {
        let view = format!(r#"{{"buffer": 1, "byteLength": 4, "byteStride": {stride}}}"#);
        assert_eq!(
            import(indexed(count, &view).as_bytes()).unwrap_err().to_string(),
            "`bufferViews[3].byteStride` is 0, but a row of `accessors[1]` takes 1 bytes"
        );
    }
    let close = triangle(r#"{"mesh": 0}"#, "", "").replacen("36}", r#"36, "byteStride": 4}"#, 1);
    assert_eq!(
        import(close.as_bytes()).unwrap_err().to_string(),
        "`bufferViews[0].byteStride` is 4, but a row of `accessors[0]` takes 12 bytes"
    );
}

/// `count` triangles with the given attributes.
fn parts(count: usize, attributes: impl Fn(usize) -> String) -> String {
    let one = r#"{"attributes": {"POSITION": 0}}"#;
    let many: Vec<String> = (0..count)
        .map(|k| format!(r#"{{"attributes": {{"POSITION": 0{}}}}}"#, attributes(k)))
        .collect();
    triangle(r#"{"mesh": 0}"#, "", "").replacen(one, &many.join(","), 1)
}

#[test]
fn corners_are_limited_with_the_points() {
    // Eight corners for each of four points: ten triangles are accepted, eleven refused.
    let few = Import { max_points: 4, ..Import::default() };
    let read = |count: usize| {
        few.read(Format::Gltf, parts(count, |_| String::new()).as_bytes(), &mut |_| {
            Ok(bytes_of(&CORNERS))
        })
    };
    let ten = read(10).unwrap();
    assert_eq!((ten.points().len(), ten.shape().counts().len()), (3, 10));
    assert_eq!(
        read(11).unwrap_err().to_string(),
        "the mesh has more than 32 face corners, 8 for each of the 4 points allowed"
    );
}

#[test]
fn parts_share_points_if_all_their_attributes_are_the_same() {
    let points = |of: fn(usize) -> usize| {
        let text = parts(30_000, |k| format!(r#", "TEXCOORD_0": {}"#, of(k)));
        import(text.as_bytes()).unwrap().points().len()
    };
    assert_eq!(points(|k| k), 90_000);
    assert_eq!(points(|k| k % 1000), 3000);
}

#[test]
fn sparse_rows_replace_others() {
    let text = triangle(r#"{"mesh": 0}"#, "", "").replacen(
        "\"type\": \"VEC3\"",
        r#""type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 1, "byteOffset": 0, "componentType": 5121},
            "values": {"bufferView": 0, "byteOffset": 12}}"#,
        1,
    );
    // Row 0 is replaced by row 1.
    let mesh = import(text.as_bytes()).unwrap();
    assert_eq!(mesh.points()[0], mesh.points()[1]);
}

/// Replacements for a number in a file.
const DIGITS: &str = "[0-9]{1,20}|-[0-9]|null";

proptest! {
    #[test]
    fn no_change_of_a_file_makes_it_panic(at in 0_usize..4000, to in any::<u8>(), cut in any::<bool>()) {
        let mut file = two_squares([0.0, 0.0, 1.0]);
        let at = at % file.len();
        if cut {
            file.truncate(at);
        } else {
            file[at] = to;
        }
        if let Ok(mesh) = import(&file) {
            prop_assert!(mesh.points().iter().all(|p| p.is_finite()));
        }
    }

    #[test]
    fn no_changed_number_makes_it_panic(which in 0_usize..400, digits in DIGITS) {
        let text = triangle(r#"{"mesh": 0, "scale": [2, 2, 2]}"#, "", "");
        let places: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
        let at = places[which % places.len()];
        let changed = [&text[..at], &digits, &text[at + 1..]].concat();
        if let Ok(mesh) = import(changed.as_bytes()) {
            prop_assert!(!mesh.shape().triangles().is_empty());
        }
    }
}
