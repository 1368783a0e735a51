//! Transform of a prim: its `xformOp`s and those of its ancestors at one time.

use glam::{DMat3, DMat4, DQuat, DVec3};
use lariat_core::num::ops;

use super::super::ReadError;
use super::tree::Prim;

/// World from prim at a time code; `None` for the identity.
pub(super) fn world_from_prim(
    prims: &[Prim],
    prim: usize,
    time: f64,
) -> Result<Option<DMat4>, ReadError> {
    let mut world: Option<DMat4> = None;
    let mut at = Some(prim);
    while let Some(prim) = at.map(|at| &prims[at]) {
        let order = || prim.words("xformOpOrder");
        for name in order().rev().filter(|name| *name != "!resetXformStack!") {
            let step = step(prim, name, time)?;
            world = Some(world.map_or(step, |world| step * world));
        }
        let alone = order().any(|name| name == "!resetXformStack!");
        at = prim.parent.filter(|_| !alone);
    }
    Ok(world)
}

/// Matrix of one entry of `xformOpOrder`.
fn step(prim: &Prim, name: &str, time: f64) -> Result<DMat4, ReadError> {
    let cannot = |what: String| ReadError::Prim {
        line: prim.line,
        prim: prim.path.clone(),
        what,
        help: "write its points in world space, or use translate, rotate, scale, orient or transform",
    };
    let (plain, inverted) = match name.strip_prefix("!invert!") {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    let kind = plain.split(':').nth(1).unwrap_or_default();
    let Some(n) = prim.numbers(plain, time) else {
        return Err(cannot(format!("has no value for `{plain}`")));
    };
    let axis = |axis: DVec3, degrees: f64| {
        let (sin, cos) = ops::sin_cos(ops::radians(degrees));
        // Rodrigues' formula for the coordinate axes.
        let across =
            DMat3::from_cols(axis.cross(DVec3::X), axis.cross(DVec3::Y), axis.cross(DVec3::Z));
        DMat4::from_mat3(DMat3::IDENTITY + across * sin + across * across * (1.0 - cos))
    };
    let (x, y, z) = (|d| axis(DVec3::X, d), |d| axis(DVec3::Y, d), |d| axis(DVec3::Z, d));
    let matrix = match (kind, n.as_ref()) {
        ("translate", &[a, b, c]) => DMat4::from_translation(DVec3::new(a, b, c)),
        ("scale", &[a, b, c]) => DMat4::from_scale(DVec3::new(a, b, c)),
        ("rotateX", &[a]) => x(a),
        ("rotateY", &[a]) => y(a),
        ("rotateZ", &[a]) => z(a),
        // The first letter is applied first.
        ("rotateXYZ", &[a, b, c]) => z(c) * y(b) * x(a),
        ("rotateXZY", &[a, b, c]) => y(b) * z(c) * x(a),
        ("rotateYXZ", &[a, b, c]) => z(c) * x(a) * y(b),
        ("rotateYZX", &[a, b, c]) => x(a) * z(c) * y(b),
        ("rotateZXY", &[a, b, c]) => y(b) * x(a) * z(c),
        ("rotateZYX", &[a, b, c]) => x(a) * y(b) * z(c),
        ("orient", &[w, a, b, c]) => {
            let turn = DQuat::from_xyzw(a, b, c, w);
            let length = turn.length();
            if length == 0.0 {
                return Err(cannot(format!("has no direction in `{plain}`")));
            }
            DMat4::from_quat(turn / length)
        }
        // USD uses row vectors, so its rows are our columns.
        ("transform", n) if n.len() == 16 => DMat4::from_cols_array(&std::array::from_fn(|i| n[i])),
        _ => return Err(cannot(format!("has `{plain}` of {} numbers", n.len()))),
    };
    if !inverted {
        return Ok(matrix);
    }
    if matrix.determinant() == 0.0 {
        return Err(cannot(format!("inverts `{plain}`, which has no inverse")));
    }
    Ok(matrix.inverse())
}
