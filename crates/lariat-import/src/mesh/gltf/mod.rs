//! Reader of glTF 2.0: the nodes of the scene become one mesh.
//!
//! ```text
//! container.rs  text or `.glb`; embedded, inline and external buffers
//! accessor.rs   typed rows of numbers in buffers
//! base64.rs     inline buffers
//! ```
//!
//! Every mesh of the default scene is instantiated by its nodes. `COLOR_0` becomes the attributes
//! `red`, `green`, `blue`; custom scalar attributes such as `_WEIGHT` become `weight`. Points
//! without a value have 0, without a colour 1.
//!
//! A glTF splits points wherever a texture coordinate or a normal is discontinuous. Coincident
//! points with the same normal are merged for shading, so seams stay invisible and hard edges hard.
//!
//! Written here and not taken from a crate: only faces are needed, errors must name their place,
//! and no file may cause a panic.
//!
//! Skeletons, morph targets, textures, cameras, lights and compression extensions are not
//! supported.
//!
//! Tests: `nodes_place_their_meshes`, `a_mirrored_node_keeps_its_orientation`,
//! `colours_and_custom_values_become_attributes`, `seams_are_smooth_and_edges_are_not`,
//! `errors_name_their_place`, `corners_are_limited_with_the_points`,
//! `no_change_of_a_file_makes_it_panic`.

mod accessor;
mod base64;
mod container;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use glam::{DAffine3, DMat4, DQuat, DVec3};
use lariat_core::geometry::Attribute;

use self::container::Container;
use super::{CORNERS_PER_POINT, Found, ImportError, ResourceLoader};
use crate::json::Value;

/// Error at a property.
fn invalid(place: impl Into<String>, problem: impl Into<String>) -> ImportError {
    ImportError::Gltf { place: place.into(), problem: problem.into() }
}

/// Integer field; `None` if absent.
fn whole(of: Value<'_>, field: &str, place: &str) -> Result<Option<usize>, ImportError> {
    of.get(field).map(|value| whole_value(value, field, place)).transpose()
}

/// The integer of a field.
fn whole_value(value: Value<'_>, field: &str, place: &str) -> Result<usize, ImportError> {
    let number = value.unsigned().and_then(|number| usize::try_from(number).ok());
    number.ok_or_else(|| invalid(format!("{place}.{field}"), "is not a whole number"))
}

/// Required integer field.
fn needed(of: Value<'_>, field: &str, place: &str) -> Result<usize, ImportError> {
    whole(of, field, place)?.ok_or_else(|| invalid(format!("{place}.{field}"), "is missing"))
}

/// Field of `N` numbers; `None` if absent.
fn numbers<const N: usize>(
    of: Value<'_>,
    field: &str,
    place: &str,
) -> Result<Option<[f64; N]>, ImportError> {
    let Some(value) = of.get(field) else { return Ok(None) };
    let wrong = || invalid(format!("{place}.{field}"), format!("is not a list of {N} numbers"));
    let mut list = value.items().ok_or_else(wrong)?;
    let mut row = [0.0; N];
    for x in &mut row {
        let number = list.next().and_then(Value::number);
        *x = number.filter(|x| x.is_finite()).ok_or_else(wrong)?;
    }
    if list.next().is_some() {
        return Err(wrong());
    }
    Ok(Some(row))
}

pub(crate) fn read(
    bytes: &[u8],
    max_points: usize,
    beside: &mut ResourceLoader<'_>,
) -> Result<Found, ImportError> {
    let file = Container::open(bytes, beside)?;
    let mut reading =
        Reading { file: &file, most: max_points, found: Found::default(), names: Vec::new() };
    reading.scene()?;
    Ok(reading.finish())
}

/// Maximum depth of nodes in nodes. Skeletons have about a hundred levels.
const MAX_DEPTH: usize = 10_000;

/// Nodes that are still to be read: the children of a node, or the roots.
struct Nodes<'f> {
    list: Box<dyn Iterator<Item = Result<usize, ImportError>> + 'f>,
    world_from_parent: DAffine3,
}

/// Nodes that are children of no other.
fn roots<'f>(
    file: &'f Container<'_>,
) -> Result<impl Iterator<Item = usize> + use<'f>, ImportError> {
    let nodes = file.list("nodes");
    let mut inner = vec![false; nodes.len()];
    for node in (0..nodes.len()).filter_map(|node| nodes.get(node)) {
        for child in children(node, "children", "nodes") {
            if let Some(inner) = inner.get_mut(child?) {
                *inner = true;
            }
        }
    }
    Ok((0..nodes.len()).filter(move |node| !inner[*node]))
}

/// Indices in a list.
fn children<'f>(
    of: Value<'f>,
    field: &'static str,
    place: &str,
) -> impl Iterator<Item = Result<usize, ImportError>> + use<'f> {
    let place = format!("{place}.{field}");
    let list = of.get(field).and_then(Value::items).into_iter().flatten();
    list.map(move |value| {
        let index = value.unsigned().and_then(|index| usize::try_from(index).ok());
        index.ok_or_else(|| invalid(&place, "is not a list of whole numbers"))
    })
}

fn transform(node: Value<'_>, place: &str) -> Result<DAffine3, ImportError> {
    if let Some(matrix) = numbers::<16>(node, "matrix", place)? {
        return Ok(DAffine3::from_mat4(DMat4::from_cols_array(&matrix)));
    }
    let shift = numbers::<3>(node, "translation", place)?.map_or(DVec3::ZERO, DVec3::from);
    let scale = numbers::<3>(node, "scale", place)?.map_or(DVec3::ONE, DVec3::from);
    let turn = numbers::<4>(node, "rotation", place)?.map_or(DQuat::IDENTITY, DQuat::from_array);
    let length = turn.length();
    if !(length > 0.0 && length.is_finite()) {
        return Err(invalid(format!("{place}.rotation"), "is zero; expected a unit quaternion"));
    }
    Ok(DAffine3::from_scale_rotation_translation(scale, turn / length, shift))
}

/// State of assembling a mesh.
struct Reading<'f> {
    file: &'f Container<'f>,
    most: usize,
    found: Found,
    /// Names of all attributes, in order of appearance.
    names: Vec<String>,
}

impl<'f> Reading<'f> {
    /// Reads the meshes of the scene, in the order of its nodes.
    fn scene(&mut self) -> Result<(), ImportError> {
        let (file, nodes) = (self.file, self.file.list("nodes"));
        let scene = whole(file.root(), "scene", "scene")?.unwrap_or(0);
        let list: Box<dyn Iterator<Item = _> + 'f> = match file.list("scenes").get(scene) {
            Some(scene) => Box::new(children(scene, "nodes", "scenes")),
            None if nodes.len() == 0 => {
                // A library of meshes without nodes.
                return (0..file.list("meshes").len())
                    .try_for_each(|mesh| self.mesh(mesh, &DAffine3::IDENTITY));
            }
            None => Box::new(roots(file)?.map(Ok)),
        };
        let mut open = vec![Nodes { list, world_from_parent: DAffine3::IDENTITY }];
        let mut seen = vec![false; nodes.len()];
        while let Some(Nodes { list, world_from_parent }) = open.last_mut() {
            let Some(index) = list.next() else {
                open.pop();
                continue;
            };
            let index = index?;
            let place = format!("nodes[{index}]");
            let Some(node) = nodes.get(index) else {
                return Err(invalid(place, format!("does not exist; there are {}", nodes.len())));
            };
            if std::mem::replace(&mut seen[index], true) {
                return Err(invalid(place, "has two parents, or is its own ancestor"));
            }
            let world_from_node = *world_from_parent * transform(node, &place)?;
            if let Some(mesh) = whole(node, "mesh", &place)? {
                self.mesh(mesh, &world_from_node)?;
            }
            if node.get("children").is_some() {
                if open.len() > MAX_DEPTH {
                    return Err(invalid(place, format!("is in more than {MAX_DEPTH} others")));
                }
                let list = Box::new(children(node, "children", &place));
                open.push(Nodes { list, world_from_parent: world_from_node });
            }
        }
        Ok(())
    }

    fn mesh(&mut self, index: usize, world_from_mesh: &DAffine3) -> Result<(), ImportError> {
        let meshes = self.file.list("meshes");
        let Some(mesh) = meshes.get(index) else {
            let problem = format!("does not exist; there are {}", meshes.len());
            return Err(invalid(format!("meshes[{index}]"), problem));
        };
        let parts = mesh.get("primitives").and_then(Value::items).into_iter().flatten();
        // Points already read, by their accessors: first index and count.
        let mut laid: HashMap<Box<[[&str; 2]]>, (usize, usize)> = HashMap::new();
        // Coincident points of one mesh with the same normal.
        let mut same: HashMap<[u64; 6], u32> = HashMap::new();
        for (k, part) in parts.enumerate() {
            let place = format!("meshes[{index}].primitives[{k}]");
            let mode = whole(part, "mode", &place)?.unwrap_or(4);
            // Modes below 4 are points and lines.
            let (Some(attributes), 4..) = (part.get("attributes"), mode) else { continue };
            let mut accessors: Box<[[&str; 2]]> =
                attributes.members().map(|(name, accessor)| [name.raw(), accessor.raw()]).collect();
            accessors.sort_unstable();
            let (first, count) = if let Some(before) = laid.get(&accessors) {
                *before
            } else {
                let first = self.found.points.len();
                let count = self.points(attributes, &place, world_from_mesh, &mut same)?;
                laid.insert(accessors, (first, count));
                (first, count)
            };
            let corners: Vec<usize> = match whole(part, "indices", &place)? {
                Some(accessor) => self.file.indices(accessor, count)?,
                None => (0..count).collect(),
            };
            self.check_corners(corners.len(), mode)?;
            let mirrored = world_from_mesh.matrix3.determinant() < 0.0;
            self.triangles(&corners, mode, first, mirrored)
                .map_err(|problem| invalid(format!("{place}.mode"), problem))?;
        }
        Ok(())
    }

    /// Adds the points of a primitive with their attributes; returns their number.
    fn points(
        &mut self,
        attributes: Value<'_>,
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
        // In the order of their names, not of the file; of two with one name, the last.
        let members = attributes.members().filter_map(|(name, value)| Some((name.text()?, value)));
        let own: BTreeMap<_, _> = members.filter(|(name, _)| name.starts_with('_')).collect();
        for (name, value) in &own {
            let accessor = whole_value(*value, name, &place)?;
            if self.file.is_scalar(accessor) {
                let values = self.rows_for::<1>(accessor, count)?;
                let name = name.trim_start_matches('_').to_lowercase();
                self.paint(&name, first, values.iter().map(|value| value[0]));
            }
        }
        Ok(count)
    }

    /// Rows of an accessor, exactly `count`.
    fn rows_for<const N: usize>(
        &self,
        accessor: usize,
        count: usize,
    ) -> Result<Vec<[f64; N]>, ImportError> {
        let place = format!("accessors[{accessor}].count");
        let problem = format!("is larger than the count of POSITION, {count}");
        let rows = self.file.rows::<N>(accessor, count, &invalid(&place, problem))?;
        if rows.len() < count {
            let problem = format!("is {}, but that of POSITION is {count}", rows.len());
            return Err(invalid(place, problem));
        }
        Ok(rows)
    }

    /// Adds values to an attribute from point `first` on.
    fn paint(&mut self, name: &str, first: usize, values: impl Iterator<Item = f64>) {
        let at = self.names.iter().position(|other| other == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.found.attributes.push(Attribute { name: name.into(), values: Vec::new() });
            self.names.len() - 1
        });
        let all = &mut self.found.attributes[at].values;
        // A second attribute of the same name without underscores.
        if all.len() > first {
            return;
        }
        all.resize(first, bare(name));
        all.extend(values);
    }

    /// Checks the limit for `corners` more corners of triangles, a strip or a fan.
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
            4 => return Err(format!("is triangles, but {n} corners are not a multiple of 3")),
            // Every second triangle of a strip has the opposite winding.
            5 => (2..n).for_each(|k| {
                push(if k % 2 == 0 { [k - 2, k - 1, k] } else { [k - 1, k - 2, k] });
            }),
            6 => (2..n).for_each(|k| push([0, k - 1, k])),
            other => return Err(format!("is {other}; expected 0 to 6")),
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

/// Default value of an attribute: 1 for colours, else 0.
fn bare(name: &str) -> f64 {
    if matches!(name, "red" | "green" | "blue") { 1.0 } else { 0.0 }
}
