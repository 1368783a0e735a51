//! glTF 2.0: the nodes of its scene become one mesh.
//!
//! ```text
//! container.rs  text or `.glb`; buffers from inside, from text, from files beside it
//! accessor.rs   numbers out of buffers, whatever they are packed as
//! base64.rs     bytes written as text
//! ```
//!
//! Every mesh of the default scene is taken as often as it is there, where its nodes put it.
//! `COLOR_0` becomes the attributes `red`, `green`, `blue`; whatever single numbers a program has
//! painted on, `_WEIGHT`, becomes `weight`. Points without a number have 0, without a colour 1.
//!
//! A glTF splits points wherever a texture or a normal jumps. Those that lie on each other and have
//! the same normal share one again, so that a seam is not seen and an edge that was hard stays so.
//!
//! Written here rather than taken from a crate: of glTF only faces are wanted, a slip must be told
//! with its place, and no file may cause a panic.
//!
//! Not here: bones, morphs, textures, cameras, lights, and compression by extensions.
//!
//! Tests: `nodes_put_meshes_where_they_belong`, `a_mirrored_node_keeps_its_outside_out`,
//! `colours_and_painted_numbers_become_attributes`, `seams_are_smooth_and_edges_are_not`,
//! `a_slip_is_told_with_its_place`, `faces_are_bounded_with_the_points`, `no_change_of_a_file_brings_the_reader_down`.

mod accessor;
mod base64;
mod container;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use lariat_core::geometry::Attribute;
use serde_json::Value;

use self::container::Container;
use super::{CORNERS_PER_POINT, Found, ImportError, ResourceLoader};

/// Something is wrong at a place.
fn slip(place: impl Into<String>, trouble: impl Into<String>) -> ImportError {
    ImportError::Gltf { place: place.into(), trouble: trouble.into() }
}

/// A whole number in a field; nothing if the field is not there.
fn whole(of: &Value, field: &str, place: &str) -> Result<Option<usize>, ImportError> {
    let Some(value) = of.get(field) else { return Ok(None) };
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.map(Some).ok_or_else(|| slip(format!("{place}.{field}"), "is no whole number"))
}

/// A whole number that must be there.
fn needed(of: &Value, field: &str, place: &str) -> Result<usize, ImportError> {
    whole(of, field, place)?.ok_or_else(|| slip(format!("{place}.{field}"), "is missing"))
}

/// So many numbers in a field; nothing if the field is not there.
fn numbers<const N: usize>(
    of: &Value,
    field: &str,
    place: &str,
) -> Result<Option<[f64; N]>, ImportError> {
    let Some(value) = of.get(field) else { return Ok(None) };
    let list = value.as_array().filter(|list| list.len() == N);
    let wrong = || slip(format!("{place}.{field}"), format!("is no list of {N} numbers"));
    let list = list.ok_or_else(wrong)?;
    let mut row = [0.0; N];
    for (x, value) in row.iter_mut().zip(list) {
        *x = value.as_f64().filter(|x| x.is_finite()).ok_or_else(wrong)?;
    }
    Ok(Some(row))
}

pub(crate) fn read(
    bytes: &[u8],
    most_points: usize,
    beside: &mut ResourceLoader<'_>,
) -> Result<Found, ImportError> {
    let file = Container::open(bytes, beside)?;
    let mut reading =
        Reading { file: &file, most: most_points, found: Found::default(), names: Vec::new() };
    for (mesh, place) in placed(&file)? {
        reading.mesh(mesh, &place)?;
    }
    Ok(reading.finish())
}

/// Every mesh of the scene with where it is, in the order of the nodes.
fn placed(file: &Container) -> Result<Vec<(usize, DAffine3)>, ImportError> {
    let nodes = file.list("nodes");
    let mut open: Vec<(usize, DAffine3)> = Vec::new();
    let scenes = file.list("scenes");
    let scene = whole(&file.json, "scene", "scene")?.unwrap_or(0);
    if let Some(scene) = scenes.get(scene) {
        let place = "scenes.nodes";
        for root in children(scene, "nodes", place)?.into_iter().rev() {
            open.push((root, DAffine3::IDENTITY));
        }
    } else if nodes.is_empty() {
        // A library of meshes that nobody has put anywhere.
        return Ok((0..file.list("meshes").len()).map(|m| (m, DAffine3::IDENTITY)).collect());
    } else {
        let mut inner = vec![false; nodes.len()];
        for node in nodes {
            for child in children(node, "children", "nodes")? {
                if let Some(inner) = inner.get_mut(child) {
                    *inner = true;
                }
            }
        }
        let roots = (0..nodes.len()).rev().filter(|node| !inner[*node]);
        open.extend(roots.map(|root| (root, DAffine3::IDENTITY)));
    }
    let mut seen = vec![false; nodes.len()];
    let mut meshes = Vec::new();
    while let Some((index, world_from_parent)) = open.pop() {
        let place = format!("nodes[{index}]");
        let Some(node) = nodes.get(index) else {
            return Err(slip(place, format!("is not there: there are {}", nodes.len())));
        };
        if std::mem::replace(&mut seen[index], true) {
            return Err(slip(place, "has two parents, or is its own"));
        }
        let world_from_node = world_from_parent * transform(node, &place)?;
        if let Some(mesh) = whole(node, "mesh", &place)? {
            meshes.push((mesh, world_from_node));
        }
        for child in children(node, "children", &place)?.into_iter().rev() {
            open.push((child, world_from_node));
        }
    }
    Ok(meshes)
}

fn children(of: &Value, field: &str, place: &str) -> Result<Vec<usize>, ImportError> {
    let list = of.get(field).and_then(Value::as_array).map_or(&[][..], |list| list);
    let index = |value: &Value| value.as_u64().and_then(|index| usize::try_from(index).ok());
    let all: Option<Vec<usize>> = list.iter().map(index).collect();
    all.ok_or_else(|| slip(format!("{place}.{field}"), "is no list of whole numbers"))
}

fn transform(node: &Value, place: &str) -> Result<DAffine3, ImportError> {
    if let Some(matrix) = numbers::<16>(node, "matrix", place)? {
        return Ok(DAffine3::from_mat4(DMat4::from_cols_array(&matrix)));
    }
    let shift = numbers::<3>(node, "translation", place)?.map_or(DVec3::ZERO, DVec3::from);
    let scale = numbers::<3>(node, "scale", place)?.map_or(DVec3::ONE, DVec3::from);
    let turn = numbers::<4>(node, "rotation", place)?.map_or(DQuat::IDENTITY, DQuat::from_array);
    let length = turn.length();
    if !(length > 0.0 && length.is_finite()) {
        return Err(slip(format!("{place}.rotation"), "is zero, and turns nowhere"));
    }
    Ok(DAffine3::from_scale_rotation_translation(scale, turn / length, shift))
}

/// A mesh on its way.
struct Reading<'f> {
    file: &'f Container,
    most: usize,
    found: Found,
    /// Names of attributes that any part has, in the order they are met.
    names: Vec<String>,
}

impl Reading<'_> {
    fn mesh(&mut self, index: usize, world_from_mesh: &DAffine3) -> Result<(), ImportError> {
        let meshes = self.file.list("meshes");
        let Some(mesh) = meshes.get(index) else {
            let trouble = format!("is not there: there are {}", meshes.len());
            return Err(slip(format!("meshes[{index}]"), trouble));
        };
        let parts = mesh.get("primitives").and_then(Value::as_array).map_or(&[][..], |list| list);
        // Points that are there already, by their accessors: the first, and how many.
        let mut laid: HashMap<&Value, (usize, usize)> = HashMap::new();
        // Points of one mesh that lie on each other, and face the same way.
        let mut same: HashMap<[u64; 6], u32> = HashMap::new();
        for (k, part) in parts.iter().enumerate() {
            let place = format!("meshes[{index}].primitives[{k}]");
            let mode = whole(part, "mode", &place)?.unwrap_or(4);
            // Fewer than 4 are points and lines.
            let (Some(attributes), 4..) = (part.get("attributes"), mode) else { continue };
            let (first, count) = if let Some(before) = laid.get(attributes) {
                *before
            } else {
                let first = self.found.points.len();
                let count = self.points(attributes, &place, world_from_mesh, &mut same)?;
                laid.insert(attributes, (first, count));
                (first, count)
            };
            let corners: Vec<usize> = match whole(part, "indices", &place)? {
                Some(accessor) => self.file.indices(accessor, count)?,
                None => (0..count).collect(),
            };
            self.check_corners(corners.len(), mode)?;
            let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
            self.triangles(&corners, mode, first, mirrored)
                .map_err(|trouble| slip(format!("{place}.mode"), trouble))?;
        }
        Ok(())
    }

    /// Adds the points of a part, with what is painted on them; how many there are.
    fn points(
        &mut self,
        attributes: &Value,
        place: &str,
        world_from_mesh: &DAffine3,
        same: &mut HashMap<[u64; 6], u32>,
    ) -> Result<usize, ImportError> {
        let place = format!("{place}.attributes");
        let Some(accessor) = whole(attributes, "POSITION", &place)? else { return Ok(0) };
        let first = self.found.points.len();
        let room = self.most.saturating_sub(first);
        let too_many = ImportError::TooManyPoints { most: self.most };
        let positions = self.file.rows::<3>(accessor, room, &too_many)?;
        let count = positions.len();
        let normals = match whole(attributes, "NORMAL", &place)? {
            Some(accessor) => self.rows_for::<3>(accessor, count)?,
            None => vec![[0.0; 3]; count],
        };
        for (k, (p, n)) in positions.iter().zip(&normals).enumerate() {
            self.found.points.push(world_from_mesh.transform_point3(DVec3::from(*p)));
            let bits = |x: f64| (x + 0.0).to_bits();
            let key = [p[0], p[1], p[2], n[0], n[1], n[2]].map(bits);
            let own = (first + k) as u32;
            self.found.together.push(*same.entry(key).or_insert(own));
        }
        if let Some(accessor) = whole(attributes, "COLOR_0", &place)? {
            let colours = self.rows_for::<3>(accessor, count)?;
            for (k, name) in ["red", "green", "blue"].into_iter().enumerate() {
                self.paint(name, first, colours.iter().map(|colour| colour[k]));
            }
        }
        let named = attributes.as_object().into_iter().flatten();
        for name in named.map(|(name, _)| name).filter(|name| name.starts_with('_')) {
            if let Some(accessor) = whole(attributes, name, &place)?
                && self.file.is_scalar(accessor)
            {
                let values = self.rows_for::<1>(accessor, count)?;
                let name = name.trim_start_matches('_').to_lowercase();
                self.paint(&name, first, values.iter().map(|value| value[0]));
            }
        }
        Ok(count)
    }

    /// Rows of numbers, exactly so many.
    fn rows_for<const N: usize>(
        &self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[f64; N]>, ImportError> {
        let place = format!("accessors[{accessor}].count");
        let trouble = format!("is larger than that of POSITION, {count}");
        let rows = self.file.rows::<N>(accessor, count, &slip(&place, trouble))?;
        if rows.len() < count {
            let trouble = format!("is {}, and that of POSITION {count}", rows.len());
            return Err(slip(place, trouble));
        }
        Ok(rows)
    }

    /// Adds numbers to an attribute, from point `first` on.
    fn paint(&mut self, name: &str, first: usize, values: impl Iterator<Item = f64>) {
        let at = self.names.iter().position(|other| other == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.found.attributes.push(Attribute { name: name.into(), values: Vec::new() });
            self.names.len() - 1
        });
        let all = &mut self.found.attributes[at].values;
        // The second of two that are called the same but for their underlines.
        if all.len() > first {
            return;
        }
        all.resize(first, bare(name));
        all.extend(values);
    }

    /// Whether there is room for so many more corners, as triangles, strip or fan.
    fn check_corners(&self, corners: usize, mode: usize) -> Result<(), ImportError> {
        let more = if mode == 4 { corners } else { 3 * corners.saturating_sub(2) };
        let most = self.most.saturating_mul(CORNERS_PER_POINT);
        if more > most.saturating_sub(self.found.corners.len()) {
            return Err(ImportError::TooManyCorners { most, points: self.most });
        }
        Ok(())
    }

    fn triangles(
        &mut self,
        corners: &[usize],
        mode: usize,
        first: usize,
        mirrored: bool,
    ) -> Result<(), String> {
        let n = corners.len();
        let mut push = |[a, b, c]: [usize; 3]| {
            let (b, c) = if mirrored { (c, b) } else { (b, c) };
            self.found.counts.push(3);
            self.found.corners.extend([a, b, c].map(|k| (first + corners[k]) as u32));
        };
        match mode {
            4 if n.is_multiple_of(3) => (0..n / 3).for_each(|k| push([0, 1, 2].map(|i| 3 * k + i))),
            4 => return Err(format!("says triangles, but there are {n} corners")),
            // Every second triangle of a strip runs the other way round.
            5 => (2..n).for_each(|k| {
                push(if k % 2 == 0 { [k - 2, k - 1, k] } else { [k - 1, k - 2, k] });
            }),
            6 => (2..n).for_each(|k| push([0, k - 1, k])),
            other => return Err(format!("is {other}: there are 0 to 6")),
        }
        Ok(())
    }

    fn finish(mut self) -> Found {
        let count = self.found.points.len();
        for attribute in &mut self.found.attributes {
            attribute.values.resize(count, bare(&attribute.name));
        }
        self.found
    }
}

/// What a point has that nobody painted: white, or nothing.
fn bare(name: &str) -> f64 {
    if matches!(name, "red" | "green" | "blue") { 1.0 } else { 0.0 }
}
