//! Peak memory of reading files, relative to their size, for files of every format and shape.
//!
//! Peaks are counted in bytes that are allocated at the same time. An array that grows counts twice,
//! as the old and the new one; natively most large arrays grow in place.

use allocation_counter::measure;
use lariat_import::recording::{MAX_PARTS, ReadError, ReadOptions, csv, usda};
use lariat_import::{Format, Import, mode_file};

/// Size of the files in bytes.
const SIZE: usize = 1 << 20;

/// A text of about [`SIZE`] bytes: `start`, pieces separated by `between`, `end`.
fn text(start: &str, between: &str, piece: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = start.to_owned();
    for i in 0.. {
        if text.len() >= SIZE {
            break;
        }
        text += if i > 0 { between } else { "" };
        text += &piece(i);
    }
    text + end
}

fn list(name: &str, piece: &str) -> String {
    text(&format!("\"{name}\":["), ",", |_| piece.to_owned(), "]")
}

/// Bytes taken to read a file, relative to its size.
fn factor(bytes: &[u8], read: impl Fn(&[u8])) -> f64 {
    measure(|| read(bytes)).bytes_max as f64 / bytes.len() as f64
}

fn all_below(most: f64, factors: &[(&str, f64)]) {
    let high: Vec<String> = factors
        .iter()
        .filter(|(_, factor)| *factor >= most)
        .map(|(name, factor)| format!("{name}: {factor:.1}"))
        .collect();
    assert!(high.is_empty(), "more than {most} times their size: {high:#?}");
}

/// Parts of JSON with as many values as possible.
fn hostile(name: &str) -> Vec<(&'static str, String)> {
    vec![
        ("numbers", list(name, "1")),
        ("empty lists", list(name, "[]")),
        ("empty objects", list(name, "{}")),
        ("empty words", list(name, "\"\"")),
        ("rows", list(name, "[1,2,3]")),
        ("objects", list(name, "{\"\":1}")),
        ("nested lists", list(name, &format!("{}{}", "[".repeat(100), "]".repeat(100)))),
        ("names", text(&format!("\"{name}\":{{"), ",", |i| format!("\"{i:x}\":1"), "}")),
        ("escapes", text(&format!("\"{name}\":\""), "", |_| "\\n".to_owned(), "\"")),
        ("strings", list(name, "\"rope and spring\"")),
        ("spaces", list(name, "     1    ")),
    ]
}

#[test]
fn modes_take_less_than_ten_times_their_file() {
    let read = |bytes: &[u8]| drop(mode_file::read(bytes));
    let head = |points: usize| {
        format!(
            "{{\"lariat-modes\":1,\"rate\":\"24\",\"first\":1,\"margin\":0,\"periodic\":true,\
             \"rms\":0,\"worst\":0,\"parts\":[{{\"name\":\"a\",\"points\":{points},\
             \"kind\":\"strand\",\"closed\":false,\"radius\":[],\"twist\":[],\"material\":null}}],"
        )
    };
    let facts = "\"hertz\":1,\"decay\":0,\"sigma\":1,\"share\":1,\"missing\":0,\"gauge\":0";
    let full = |number: &str| {
        let point = format!("[{}]", [number; 3].join(","));
        let weights = format!("[{}]", [number; 6].join(","));
        let points = SIZE / (point.len() + weights.len() + 2);
        let rows = |row: &str| vec![row; points].join(",");
        format!(
            "{}\"mean\":[{}],\"modes\":[{{{facts},\"weights\":[{}],\"course\":[]}}]}}",
            head(points),
            rows(&point),
            rows(&weights)
        )
    };
    let mut files = vec![
        ("short numbers", full("1")),
        ("long numbers", full("-0.12345678901234567")),
        (
            "course",
            text(
                &format!(
                    "{}\"mean\":[[0,0,0]],\"modes\":[{{{facts},\"weights\":[[0,0,0,0,0,0]],\"course\":[",
                    head(1)
                ),
                ",",
                |_| "[1,2]".to_owned(),
                "]}]}",
            ),
        ),
    ];
    for (_, file) in &files {
        mode_file::read(file.as_bytes()).unwrap();
    }
    for name in ["mean", "parts", "modes", "comment"] {
        let start = head(0);
        files.extend(
            hostile(name).into_iter().map(|(what, part)| (what, format!("{start}{part}}}"))),
        );
    }
    let factors: Vec<_> =
        files.iter().map(|(name, file)| (*name, factor(file.as_bytes(), read))).collect();
    all_below(10.0, &factors);
}

/// A `.glb` with the given JSON and bytes.
fn glb(text: &str, bytes: &[u8]) -> Vec<u8> {
    let mut file = b"glTF".to_vec();
    let word = |file: &mut Vec<u8>, x: usize| file.extend((x as u32).to_le_bytes());
    word(&mut file, 2);
    word(&mut file, 12 + 16 + text.len() + bytes.len());
    for (kind, chunk) in [(0x4E4F_534A, text.as_bytes()), (0x004E_4942, bytes)] {
        word(&mut file, chunk.len());
        word(&mut file, kind);
        file.extend_from_slice(chunk);
    }
    file
}

/// Number of points of a grid that fills [`SIZE`] with 12 bytes for a point and 24 for its corners.
const POINTS: usize = SIZE / 36;

/// Positions and corners of a grid of triangles, and JSON that describes it.
fn grid(uri: &str) -> (String, Vec<u8>) {
    let mut bytes: Vec<u8> = Vec::new();
    for i in 0..POINTS {
        for x in [i as f32, (i % 100) as f32, 0.5] {
            bytes.extend(x.to_le_bytes());
        }
    }
    for i in 0..2 * POINTS {
        for corner in [i, i + 1, i + 100] {
            bytes.extend(((corner % POINTS) as u32).to_le_bytes());
        }
    }
    let (count, corners, of_points) = (POINTS, 6 * POINTS, 12 * POINTS);
    let json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\
         \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"indices\":1}}]}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{count},\"type\":\"VEC3\"}},\
         {{\"bufferView\":1,\"componentType\":5125,\"count\":{corners},\"type\":\"SCALAR\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{of_points}}},\
         {{\"buffer\":0,\"byteOffset\":{of_points},\"byteLength\":{}}}],\
         \"buffers\":[{{{uri}\"byteLength\":{}}}]}}",
        4 * corners,
        bytes.len()
    );
    (json, bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for k in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * k) & 63) as usize] as char;
            out.push(if k <= three.len() { letter } else { '=' });
        }
    }
    out
}

#[test]
fn gltf_takes_less_than_ten_times_its_file() {
    let import = |bytes: &[u8]| {
        Import::default().read(Format::Gltf, bytes, &mut |_| Err("alone".to_owned()))
    };
    let (json, bytes) = grid("");
    let (_, content) = grid("");
    let uri = format!("\"uri\":\"data:;base64,{}\",", base64(&content));
    let mut files: Vec<(&str, Vec<u8>)> =
        vec![("glb", glb(&json, &bytes)), ("base64", grid(&uri).0.into_bytes())];
    for (name, file) in &files {
        assert_eq!(import(file).unwrap().points().len(), POINTS, "{name}");
    }
    let start = "{\"asset\":{\"version\":\"2.0\"},";
    for name in ["nodes", "meshes", "accessors", "bufferViews", "buffers", "extras"] {
        let part = |(what, part)| (what, format!("{start}{part}}}").into_bytes());
        files.extend(hostile(name).into_iter().map(part));
    }
    let whole = |part: String| format!("{start}{part}}}").into_bytes();
    let mesh = "\"meshes\":[{}],";
    files.extend([
        ("nodes with a mesh", whole(mesh.to_owned() + &list("nodes", "{\"mesh\":0}"))),
        (
            "chain of nodes",
            whole(text("\"nodes\":[", ",", |i| format!("{{\"children\":[{}]}}", i + 1), "]")),
        ),
        ("children", whole(text("\"nodes\":[{\"children\":[", ",", |i| format!("{i}"), "]}]"))),
        ("roots", whole(format!("\"nodes\":[{{}}],\"scenes\":[{{{}}}]", list("nodes", "0")))),
        (
            "primitives",
            whole(format!(
                "\"nodes\":[{{\"mesh\":0}}],\"meshes\":[{{{}}}]",
                list("primitives", "{\"attributes\":{}}")
            )),
        ),
        (
            "primitives with attributes",
            whole(text(
                "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[",
                ",",
                |i| format!("{{\"attributes\":{{\"A\":{i}}}}}"),
                "]}]",
            )),
        ),
        ("extensions", whole(list("extensionsRequired", "\"KHR_xmp\""))),
    ]);
    let factors: Vec<_> = files
        .iter()
        .map(|(name, file)| (*name, factor(file, |bytes| drop(import(bytes)))))
        .collect();
    all_below(10.0, &factors);
}

#[test]
fn obj_takes_less_than_ten_times_its_file() {
    let import =
        |bytes: &[u8]| Import::default().read(Format::Obj, bytes, &mut |_| Err("alone".to_owned()));
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let files = [
        ("points", text("", "", |_| "v 0 0 0\n".to_owned(), "f 1 2 3\n")),
        (
            "grid",
            text(
                points,
                "",
                |i| format!("v {i}.25 0.125 1.5\nf {} {} {}\n", i + 1, i + 2, i + 3),
                "",
            ),
        ),
        ("faces", text(points, "", |_| "f 1 2 3\n".to_owned(), "")),
        ("one face", text(&format!("{points}f"), "", |_| " 1 2 3".to_owned(), "\n")),
        ("comments", text(points, "", |_| "#\n".to_owned(), "f 1 2 3\n")),
    ];
    let factors: Vec<_> = files
        .iter()
        .map(|(name, file)| (*name, factor(file.as_bytes(), |bytes| drop(import(bytes)))))
        .collect();
    all_below(10.0, &factors);
}

#[test]
fn recordings_take_less_than_ten_times_their_file() {
    let header = "frame,point,x,y,z\n";
    let files = [
        ("rows", text(header, "", |i| format!("{},{},0,0,0\n", i / 100, i % 100), "")),
        (
            "long rows",
            text(header, "", |i| format!("{},{},0.125,-2.75,1.0625\n", i / 100, i % 100), ""),
        ),
    ];
    let options = ReadOptions::default();
    let mut factors: Vec<_> = files
        .iter()
        .map(|(name, file)| (*name, factor(file.as_bytes(), |b| drop(csv::read(b, &options)))))
        .collect();
    let mesh = "#usda 1.0\ndef Mesh \"a\"\n{\n";
    let sample = |i: usize| format!("{i}: [{}],\n", vec!["(0,0,0)"; 100].join(","));
    let files = [
        (
            "points",
            text(&format!("{mesh}point3f[] points = ["), ",", |_| "(0,0,0)".to_owned(), "]\n}\n"),
        ),
        (
            "numbers",
            text(&format!("{mesh}int[] faceVertexCounts = ["), ",", |_| "3".to_owned(), "]\n}\n"),
        ),
        (
            "samples",
            text(&format!("{mesh}point3f[] points.timeSamples = {{\n"), "", sample, "}\n}\n"),
        ),
        (
            "small samples",
            text(
                &format!("{mesh}point3f[] points.timeSamples = {{\n"),
                "",
                |i| format!("{i}:[],"),
                "}\n}\n",
            ),
        ),
        (
            "words",
            text(&format!("{mesh}token[] xformOpOrder = ["), ",", |_| "\"\"".to_owned(), "]\n}\n"),
        ),
        ("attributes", text(mesh, "", |i| format!("int xformOp:{i}=1\n"), "}\n")),
        ("other attributes", text(mesh, "", |i| format!("int a{i}=1\n"), "}\n")),
    ];
    factors.extend(files.iter().map(|(name, file)| {
        (*name, factor(file.as_bytes(), |bytes| drop(usda::read(bytes, &options))))
    }));
    all_below(10.0, &factors);
}

#[test]
fn parts_of_a_recording_are_limited() {
    // A part takes some hundred bytes, and can take ten in its file.
    let many = |start: &str, piece: fn(usize) -> String| {
        let pieces: Vec<String> = (0..=MAX_PARTS).map(piece).collect();
        format!("{start}{}", pieces.concat())
    };
    let options = ReadOptions::default();
    let table = many("frame,point,x,y,z,part\n", |i| format!("0,0,0,0,0,{i}\n"));
    let found = csv::read(table.as_bytes(), &options).unwrap_err();
    assert_eq!(found, ReadError::TooManyParts { line: MAX_PARTS + 2, most: MAX_PARTS });
    let prims = many("#usda 1.0\n", |i| format!("def \"{i}\"{{}}\n"));
    let found = usda::read(prims.as_bytes(), &options).unwrap_err();
    assert_eq!(found, ReadError::TooManyParts { line: MAX_PARTS + 2, most: MAX_PARTS });
}
