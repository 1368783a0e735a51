//! Meshes: OBJ, and glTF as text or binary.

use lariat_import::{Format, Import};

use super::scene;
use crate::promise::{self, within};

/// Limit on points, so that a file cannot ask for more than the test can afford.
const MAX_POINTS: usize = 20_000;

/// Most bytes of memory per byte of a file.
const PROPORTION: u64 = 300;

/// Bytes of memory per point that a glTF may ask for without storing it: rows that are not stored are
/// zero.
const BYTES_PER_POINT: usize = 200;

/// A body with the mesh in the file, placed, and jiggled by a formula.
const BODY: &str = r#"
lariat = 2
[[body]]
name = "mesh"
model = "mesh"
file = "PATH"
position = [1, 2, 0.2]
rotation = [10, 20, 30]
size = 0.82
jiggles = [{ drive = { wiggle = [[1, 0], [20, 0.5]], hertz = 1 }, amplitude = "0.1 * z", lag = "x" }]
"#;

/// Reads an OBJ.
///
/// # Panics
/// If a promise is broken.
pub(super) fn obj(bytes: &[u8]) {
    read(Format::Obj, bytes);
}

/// Reads a glTF, as text or binary. The file beside it that it may name is the same for all.
///
/// # Panics
/// If a promise is broken.
pub(super) fn gltf(bytes: &[u8]) {
    read(Format::Gltf, bytes);
}

fn read(format: Format, bytes: &[u8]) {
    let import = Import { max_points: MAX_POINTS, ..Import::default() };
    let mut beside = |name: &str| match name {
        "points.bin" => Ok(points()),
        _ => Err("there is no such file".to_owned()),
    };
    let unstored = if format == Format::Gltf { MAX_POINTS * BYTES_PER_POINT } else { 0 };
    match within(bytes, PROPORTION, |_| unstored, || import.read(format, bytes, &mut beside)) {
        Ok(mesh) => {
            assert!(mesh.points().len() <= MAX_POINTS);
            promise::mesh(&mesh);
            let (path, bytes) = match format {
                Format::Obj => ("mesh.obj", bytes),
                Format::Gltf => ("mesh.glb", bytes),
            };
            scene::drawn(path, bytes, &BODY.replace("PATH", path));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Four points of a square, as floats, and the corners of two triangles, as 16-bit numbers.
fn points() -> Vec<u8> {
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut bytes: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|corner| corner.to_le_bytes()));
    bytes
}

/// A square as `.glb`, and the text of one with its numbers in another file.
pub(super) fn glb() -> Vec<(String, Vec<u8>)> {
    let json = |buffer: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"scale":[1,2,1]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],"buffers":[{buffer}]}}"#
        )
    };
    let mut text = json(r#"{"byteLength":60}"#);
    while !text.len().is_multiple_of(4) {
        text.push(' ');
    }
    let bytes = points();
    let size = 12 + 8 + text.len() + 8 + bytes.len();
    let words = |words: [usize; 2]| words.into_iter().flat_map(|word| (word as u32).to_le_bytes());
    let mut glb = b"glTF".to_vec();
    glb.extend(words([2, size]));
    glb.extend(words([text.len(), 0x4E4F_534A]));
    glb.extend(text.bytes());
    glb.extend(words([bytes.len(), 0x004E_4942]));
    glb.extend(bytes);
    let beside = json(r#"{"byteLength":60,"uri":"points.bin"}"#);
    vec![("square.glb".to_owned(), glb), ("beside.gltf".to_owned(), beside.into_bytes())]
}
