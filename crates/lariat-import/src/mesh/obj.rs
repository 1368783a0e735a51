//! Reader of Wavefront OBJ, a text format with one statement per line.
//!
//! Points (`v`) and polygonal faces (`f`) are read. Corners count from 1, or backwards from the
//! last point so far. Texture and normal indices, lines, loose points, object and group names, and
//! materials are ignored. Colours after a point, `v x y z r g b`, which several programs write,
//! become the attributes `red`, `green` and `blue`; points without colours have 1.
//!
//! Normals of the file are not used: they would have to move with the points.
//!
//! Tests: `a_cube_keeps_its_squares`, `corners_count_backwards_too`, `colours_become_attributes`,
//! `errors_name_their_line`, `no_bytes_make_it_panic`.

use glam::DVec3;
use lariat_core::geometry::Attribute;

use super::{Found, ImportError};

pub(crate) fn read(bytes: &[u8], max_points: usize) -> Result<Found, ImportError> {
    let mut found = Found::default();
    let mut colours: Vec<[f64; 3]> = Vec::new();
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let mut joined = Vec::new();
    while let Some((at, mut text)) = lines.next() {
        let line = at + 1;
        // A backslash at the end continues the line.
        if trimmed(text).ends_with(b"\\") {
            joined.clear();
            while let Some(begun) = trimmed(text).strip_suffix(b"\\") {
                joined.extend_from_slice(begun);
                joined.push(b' ');
                text = lines.next().map_or(&[], |(_, next)| next);
            }
            joined.extend_from_slice(text);
            text = &joined;
        }
        let text = text.split(|byte| *byte == b'#').next().unwrap_or_default();
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => point(words, line, max_points, &mut found, &mut colours)?,
            Some(b"f") => face(words, line, &mut found)?,
            _ => {}
        }
    }
    if !colours.is_empty() {
        colours.resize(found.points.len(), [1.0; 3]);
        for (k, name) in ["red", "green", "blue"].into_iter().enumerate() {
            let values = colours.iter().map(|colour| colour[k]).collect();
            found.attributes.push(Attribute { name: name.into(), values });
        }
    }
    Ok(found)
}

fn trimmed(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\r").unwrap_or(text)
}

fn point<'w>(
    words: impl Iterator<Item = &'w [u8]>,
    line: usize,
    most: usize,
    found: &mut Found,
    colours: &mut Vec<[f64; 3]>,
) -> Result<(), ImportError> {
    // x, y, z; a weight, or red, green, blue, or both.
    let (mut row, mut count) = ([0.0; 7], 0);
    for word in words.take(row.len()) {
        row[count] = number(word, line)?;
        count += 1;
    }
    if count < 3 {
        return Err(ImportError::FewNumbers { line, found: count });
    }
    if found.points.len() >= most {
        return Err(ImportError::TooManyPoints { most });
    }
    if count >= 6 {
        colours.resize(found.points.len(), [1.0; 3]);
        colours.push([row[count - 3], row[count - 2], row[count - 1]]);
    }
    found.points.push(DVec3::new(row[0], row[1], row[2]));
    Ok(())
}

fn number(word: &[u8], line: usize) -> Result<f64, ImportError> {
    let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
    number
        .filter(|number| number.is_finite())
        .ok_or_else(|| ImportError::NotANumber { line, word: shown(word) })
}

fn face<'w>(
    words: impl Iterator<Item = &'w [u8]>,
    line: usize,
    found: &mut Found,
) -> Result<(), ImportError> {
    let (first, points) = (found.corners.len(), found.points.len());
    for word in words {
        let index = word.split(|byte| *byte == b'/').next().unwrap_or_default();
        let index = std::str::from_utf8(index).ok().and_then(|index| index.parse::<i64>().ok());
        let Some(index) = index.filter(|index| *index != 0) else {
            return Err(ImportError::NotACorner { line, word: shown(word) });
        };
        let from_zero = if index > 0 { index - 1 } else { index.saturating_add(points as i64) };
        match usize::try_from(from_zero) {
            Ok(corner) if corner < points => found.corners.push(corner as u32),
            _ => return Err(ImportError::NoSuchPoint { line, point: index, points }),
        }
    }
    let corners = found.corners.len() - first;
    if corners < 3 {
        return Err(ImportError::FewCorners { line, corners });
    }
    found.counts.push(corners as u32);
    Ok(())
}

/// A word, escaped for a message.
fn shown(word: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(word).chars().take(40).collect();
    text.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::Mesh;
    use proptest::prelude::*;

    use super::super::{Format, Import, Up};
    use super::*;

    fn import(text: &str) -> Result<Mesh, ImportError> {
        let beside = &mut |_: &str| Err("an OBJ is alone".to_owned());
        Import::default().read(Format::Obj, text.as_bytes(), beside)
    }

    const CUBE: &str = "# a cube\r\no cube\r\ng sides\r\nmtllib none.mtl\r\n\
        v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n\
        vt 0 0\r\nvn 0 0 1\r\nusemtl red\r\ns off\r\n\
        f 1/1/1 4/1/1 3/1/1 2/1/1\r\nf 5//1 6//1 7//1 8//1\r\nf 1/1 2/1 6/1 5/1\r\n\
        f 2 3 7 6\r\nf 3 4 \\\r\n 8 7 # goes on\r\nf 4 1 5 8\r\nl 1 7\r\np 1\r\n";

    #[test]
    fn a_cube_keeps_its_squares() {
        let cube = import(CUBE).unwrap();
        assert_eq!(cube.shape().counts(), [4; 6]);
        assert_eq!(cube.shape().corners()[16..20], [2, 3, 7, 6]);
        assert_eq!(cube.points()[6].to_array(), [1.0; 3]);
        // Counter-clockwise seen from outside: the signed volume is that of the cube.
        let volume: f64 = cube
            .shape()
            .triangles()
            .iter()
            .map(|t| t.map(|i| cube.points()[i as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        assert!((volume - 1.0).abs() < 1e-15, "{volume}");
    }

    #[test]
    fn the_up_axis_is_converted() {
        let beside = &mut |_: &str| Err(String::new());
        let mut up = |up: Option<Up>| {
            let import = Import { up, ..Import::default() };
            let text = b"v 1 2 3\nv 0 0 0\nv 0 1 0\nf 1 2 3";
            import.read(Format::Obj, text, beside).unwrap().points()[0].to_array()
        };
        assert_eq!(up(None), [1.0, 2.0, 3.0]);
        assert_eq!(up(Some(Up::Z)), [1.0, 2.0, 3.0]);
        assert_eq!(up(Some(Up::Y)), [1.0, -3.0, 2.0]);
    }

    #[test]
    fn corners_count_backwards_too() {
        let mesh = import("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\nf -1 -4 1");
        assert_eq!(mesh.unwrap().shape().corners(), [1, 2, 3, 4, 1, 0]);
    }

    #[test]
    fn colours_become_attributes() {
        let mesh =
            import("v 0 0 0\nv 1 0 0 1 0.5 0.25 0.125\nv 0 1 0 0.1 0.2 0.3\nf 1 2 3").unwrap();
        let shape = mesh.shape();
        let names: Vec<&str> = shape.attributes().iter().map(|a| &*a.name).collect();
        assert_eq!(names, ["red", "green", "blue"]);
        assert_eq!(shape.attribute("red"), Some(&[1.0, 0.5, 0.1][..]));
        assert_eq!(shape.attribute("blue"), Some(&[1.0, 0.125, 0.3][..]));
        assert!(
            import("v 0 0 0\nv 1 0 0 1\nv 0 1 0\nf 1 2 3").unwrap().shape().attributes().is_empty()
        );
    }

    #[test]
    fn errors_name_their_line() {
        let three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        for (text, expected) in [
            ("v 0 0\n", "line 1: a point has 2 coordinates; expected x, y and z"),
            ("v 0 0 0\nv 0 nan 0\n", "line 2: `nan` is not a finite number"),
            ("v 0 0 x\u{7}y\n", "line 1: `x\\u{7}y` is not a finite number"),
            (&format!("{three}f 1 2\n"), "line 4: a face has 2 corners; expected 3 or more"),
            (
                &format!("{three}f 1 2 4\n"),
                "line 4: a face refers to point 4, but only 3 points are defined so far",
            ),
            (
                &format!("{three}f 1 2 -4\n"),
                "line 4: a face refers to point -4, but only 3 points are defined so far",
            ),
            (
                &format!("{three}f 1 2 0\n"),
                "line 4: `0` is not a valid face corner; expected a point index, counted from 1",
            ),
            (three, "the file has 3 points and no faces"),
            ("", "the file has no points and no faces"),
        ] {
            assert_eq!(import(text).unwrap_err().to_string(), expected);
        }
        let few = Import { max_points: 2, ..Import::default() };
        let error = few.read(Format::Obj, three.as_bytes(), &mut |_| Err(String::new()));
        assert_eq!(error.unwrap_err().to_string(), "the mesh has more than 2 points");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            bytes in prop::collection::vec(prop::sample::select(b"vf 12-/\\#\n\r.e\xff".to_vec()), 0..80)
        ) {
            let found = read(&bytes, 1000).and_then(Found::mesh);
            if let Ok(mesh) = found {
                prop_assert!(!mesh.shape().triangles().is_empty());
            }
        }
    }
}
