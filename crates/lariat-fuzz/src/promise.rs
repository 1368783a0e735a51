//! Promises that several targets check.

use glam::DVec3;
use lariat_core::geometry::Mesh;
use lariat_core::modes::Recording;
use lariat_core::num::fnv::Fnv64;
use lariat_eval::{Moment, Scene};

/// Runs a reader and compares the most memory it has at one time with the size of its input.
///
/// # Panics
/// If it takes more than `most` bytes for each byte of input, beyond a quarter of a megabyte for
/// messages and tables.
pub fn in_proportion<T>(input: &[u8], most: u64, read: impl FnOnce() -> T) -> T {
    within(input, most, |_| 0, read)
}

/// As [`in_proportion`], with `more` bytes for the result in addition, for formats that state much in
/// few words.
///
/// # Panics
/// If it takes more.
pub fn within<T>(
    input: &[u8],
    most: u64,
    more: impl FnOnce(&T) -> usize,
    read: impl FnOnce() -> T,
) -> T {
    let mut result = None;
    let counted = allocation_counter::measure(|| result = Some(read()));
    let result = result.unwrap_or_else(|| unreachable!("`measure` calls its argument"));
    let allowed = 256 * 1024 + most * input.len() as u64 + more(&result) as u64;
    assert!(
        counted.bytes_max <= allowed,
        "{} bytes of memory for {} bytes of input; expected at most {allowed}",
        counted.bytes_max,
        input.len()
    );
    result
}

/// Adds a number to a hash.
///
/// # Panics
/// If it is not finite.
fn finite(hash: &mut Fnv64, x: f64, place: impl FnOnce() -> String) {
    assert!(x.is_finite(), "{x} in {}", place());
    hash.number(x);
}

/// Adds the coordinates of a vector to a hash.
///
/// # Panics
/// If one of them is not finite.
fn all_finite(hash: &mut Fnv64, v: DVec3, place: impl Fn() -> String) {
    for x in v.to_array() {
        finite(hash, x, &place);
    }
}

/// Hash of all numbers of a mesh.
///
/// # Panics
/// If one of them is not finite, or a face names a point that does not exist.
pub fn mesh(mesh: &Mesh) -> u64 {
    let mut hash = Fnv64::new();
    for (i, p) in mesh.points().iter().enumerate() {
        all_finite(&mut hash, *p, || format!("point {i} of a mesh"));
    }
    for (i, n) in mesh.normals().iter().enumerate() {
        all_finite(&mut hash, *n, || format!("normal {i} of a mesh"));
    }
    for attribute in mesh.shape().attributes() {
        for x in &attribute.values {
            finite(&mut hash, *x, || format!("attribute `{}`", attribute.name));
        }
    }
    let points = mesh.points().len();
    for corner in mesh.shape().triangles().iter().flatten() {
        assert!((*corner as usize) < points, "corner {corner} of a mesh with {points} points");
    }
    hash.finish()
}

/// Hash of all numbers of a recording.
///
/// # Panics
/// If one of them is not finite, or their count is not that of points and frames.
pub fn recording(recording: &Recording) -> u64 {
    let mut hash = Fnv64::new();
    let points: usize = recording.parts().iter().map(|part| part.points).sum();
    assert_eq!(recording.rows().len(), 3 * points * recording.frames());
    for (i, x) in recording.rows().iter().enumerate() {
        finite(&mut hash, *x, || format!("number {i} of a recording"));
    }
    hash.finish()
}

/// Hash of all numbers of a moment.
///
/// # Panics
/// If one of them is not finite.
pub fn moment(scene: &Scene, moment: &Moment) -> u64 {
    let mut hash = Fnv64::new();
    for (b, body) in moment.bodies.iter().enumerate() {
        let place =
            |what: &str| format!("{what} of `{}` at frame {}", scene.body_name(b), moment.frame);
        if let Some(its) = &body.mesh {
            hash.bytes(mesh(its).to_le_bytes());
        }
        for strand in &body.strands {
            for p in strand.points() {
                all_finite(&mut hash, *p, || place("a point"));
            }
            for f in strand.frames() {
                all_finite(&mut hash, f.normal(), || place("a normal"));
            }
            for x in strand.radius() {
                finite(&mut hash, *x, || place("a radius"));
            }
            for x in strand.twist() {
                finite(&mut hash, *x, || place("the twist"));
            }
            for x in strand.tensions().into_iter().flatten() {
                // Infinite for a taut rope.
                assert!(!x.is_nan(), "{x} in {}", place("a tension"));
                hash.number(x);
            }
        }
        if let Some(slack) = body.slack {
            finite(&mut hash, slack, || place("the slack"));
        }
        for warning in &body.warnings {
            for (name, x) in warning.numbers() {
                assert!(!x.is_nan(), "`{name}` of {warning:?} in {}", place("a warning"));
            }
        }
    }
    hash.finish()
}
