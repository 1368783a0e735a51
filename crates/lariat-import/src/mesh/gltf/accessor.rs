//! Reader of accessors: typed rows of numbers in buffers.
//!
//! An accessor gives the number of rows, the numbers per row, one of six component types, the
//! offset and the stride, and optionally replacements for a few rows (`sparse`). Rows must not
//! overlap and must lie within the bytes of the buffer, so a small file cannot expand to a large
//! mesh.
//!
//! Tests: `rows_must_not_overlap`, `sparse_rows_replace_others`.

use super::{container::Container, invalid, needed, whole};
use crate::{ImportError, json::Value};

/// Bytes and layout of the rows of an accessor.
struct View<'f> {
    bytes: &'f [u8],
    stride: usize,
    component: Component,
    /// Whether integers are normalised to 0–1 or −1–1.
    shares: bool,
}

/// Component type.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn named(number: usize) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Number at the start of `bytes`, and the integer that is normalised to 1.
    fn read(self, bytes: &[u8]) -> Option<(f64, f64)> {
        Some(match self {
            Self::I8 => (f64::from(i8::from_le_bytes([*bytes.first()?])), 127.0),
            Self::U8 => (f64::from(*bytes.first()?), 255.0),
            Self::I16 => (f64::from(i16::from_le_bytes(*bytes.first_chunk()?)), 32767.0),
            Self::U16 => (f64::from(u16::from_le_bytes(*bytes.first_chunk()?)), 65535.0),
            Self::U32 => (f64::from(u32::from_le_bytes(*bytes.first_chunk()?)), 4_294_967_295.0),
            Self::F32 => (f64::from(f32::from_le_bytes(*bytes.first_chunk()?)), 1.0),
        })
    }
}

/// Numbers per row.
fn width(accessor: Value<'_>) -> Option<usize> {
    match &*accessor.get("type")?.text()? {
        "SCALAR" => Some(1),
        "VEC2" => Some(2),
        "VEC3" => Some(3),
        "VEC4" => Some(4),
        _ => None,
    }
}

impl Container<'_> {
    fn accessor(&self, index: usize) -> Result<(Value<'_>, String), ImportError> {
        let (accessors, place) = (self.list("accessors"), format!("accessors[{index}]"));
        match accessors.get(index) {
            Some(accessor) => Ok((accessor, place)),
            None => Err(invalid(place, format!("does not exist; there are {}", accessors.len()))),
        }
    }

    /// Whether its rows are scalars.
    pub(super) fn is_scalar(&self, index: usize) -> bool {
        self.accessor(index).is_ok_and(|(accessor, _)| width(accessor) == Some(1))
    }

    /// First `N` numbers of every row; `too_many` if there are more than `most` rows.
    pub(super) fn rows<const N: usize>(
        &self,
        index: usize,
        most: usize,
        too_many: &ImportError,
    ) -> Result<Vec<[f64; N]>, ImportError> {
        let (accessor, place) = self.accessor(index)?;
        let wide = width(accessor).filter(|wide| *wide >= N);
        let wide = wide.ok_or_else(|| invalid(format!("{place}.type"), "has too few numbers"))?;
        let count = needed(accessor, "count", &place)?;
        if count > most {
            return Err(too_many.clone());
        }
        let component = component(accessor, &place)?;
        let shares = accessor.get("normalized").and_then(Value::boolean) == Some(true);
        let mut rows = match whole(accessor, "bufferView", &place)? {
            // All zero, except for the sparse rows.
            None => vec![[0.0; N]; count],
            Some(_) => {
                let view = self.view(accessor, &place, component, wide, shares)?;
                view.holds::<N>(count, &place)?;
                (0..count).map(|row| view.row(row, &place)).collect::<Result<_, _>>()?
            }
        };
        if let Some(sparse) = accessor.get("sparse") {
            let place = format!("{place}.sparse");
            self.replace(sparse, &place, (component, wide, shares), &mut rows)?;
        }
        Ok(rows)
    }

    /// Applies the sparse replacements.
    fn replace<const N: usize>(
        &self,
        sparse: Value<'_>,
        place: &str,
        (kind, wide, shares): (Component, usize, bool),
        rows: &mut [[f64; N]],
    ) -> Result<(), ImportError> {
        let part = |name: &str| {
            let place = format!("{place}.{name}");
            sparse.get(name).map(|part| (part, place.clone())).ok_or(invalid(&place, "is missing"))
        };
        let ((indices, at), (values, from)) = (part("indices")?, part("values")?);
        let which = self.view(indices, &at, component(indices, &at)?, 1, false)?;
        let values = self.view(values, &from, kind, wide, shares)?;
        for k in 0..needed(sparse, "count", place)?.min(rows.len()) {
            let [row] = which.row::<1>(k, &at)?;
            let value = values.row(k, &from)?;
            match rows.get_mut(row as usize) {
                Some(row) => *row = value,
                None => {
                    return Err(invalid(at, format!("refers to row {row}, which does not exist")));
                }
            }
        }
        Ok(())
    }

    /// Point indices, each below `count`.
    pub(super) fn indices(&self, index: usize, count: usize) -> Result<Vec<usize>, ImportError> {
        let (accessor, place) = self.accessor(index)?;
        let component = component(accessor, &place)?;
        let corners = needed(accessor, "count", &place)?;
        let view = self.view(accessor, &place, component, 1, false)?;
        view.holds::<1>(corners, &place)?;
        let mut all = Vec::with_capacity(corners);
        for k in 0..corners {
            let [point] = view.row::<1>(k, &place)?;
            if !(point >= 0.0 && point < count as f64 && point.fract() == 0.0) {
                let problem =
                    format!("has the index {point} in row {k}, but there are {count} points");
                return Err(invalid(place, problem));
            }
            all.push(point as usize);
        }
        Ok(all)
    }

    /// Bytes of an accessor, or of the indices or values of a sparse one.
    fn view(
        &self,
        of: Value<'_>,
        place: &str,
        component: Component,
        wide: usize,
        shares: bool,
    ) -> Result<View<'_>, ImportError> {
        let index = needed(of, "bufferView", place)?;
        let there = format!("bufferViews[{index}]");
        let Some(view) = self.list("bufferViews").get(index) else {
            return Err(invalid(there, format!("does not exist, but `{place}` refers to it")));
        };
        let buffer = needed(view, "buffer", &there)?;
        let Some(bytes) = self.buffers.get(buffer) else {
            return Err(invalid(
                format!("{there}.buffer"),
                format!("is {buffer}, which does not exist"),
            ));
        };
        let from = whole(view, "byteOffset", &there)?.unwrap_or(0);
        let length = needed(view, "byteLength", &there)?;
        let within = from.checked_add(length).and_then(|to| bytes.get(from..to));
        let Some(within) = within else {
            let problem = format!("extends beyond the {} bytes of its buffer", bytes.len());
            return Err(invalid(there, problem));
        };
        let skip = whole(of, "byteOffset", place)?.unwrap_or(0);
        let Some(bytes) = within.get(skip..) else {
            let problem = format!("is {skip}, beyond the {length} bytes of its view");
            return Err(invalid(format!("{place}.byteOffset"), problem));
        };
        let row = wide * component.size();
        let stride = whole(view, "byteStride", &there)?.unwrap_or(row);
        if stride < row {
            let problem = format!("is {stride}, but a row of `{place}` takes {row} bytes");
            return Err(invalid(format!("{there}.byteStride"), problem));
        }
        Ok(View { bytes, stride, component, shares })
    }
}

fn component(of: Value<'_>, place: &str) -> Result<Component, ImportError> {
    let number = needed(of, "componentType", place)?;
    let known = Component::named(number);
    known.ok_or_else(|| {
        invalid(
            format!("{place}.componentType"),
            format!("is {number}; expected 5120 to 5123, 5125 or 5126"),
        )
    })
}

impl View<'_> {
    /// Checks that there are bytes for `rows` rows of `N` numbers. Rows do not overlap, so the
    /// result is no larger than the file.
    fn holds<const N: usize>(&self, rows: usize, place: &str) -> Result<(), ImportError> {
        let Some(before) = rows.checked_sub(1) else { return Ok(()) };
        let end = before.checked_mul(self.stride);
        let end = end.and_then(|last| last.checked_add(N * self.component.size()));
        if end.is_none_or(|end| end > self.bytes.len()) {
            return Err(self.too_short(place));
        }
        Ok(())
    }

    fn too_short(&self, place: &str) -> ImportError {
        invalid(place, format!("needs more than the {} bytes it has", self.bytes.len()))
    }

    fn row<const N: usize>(&self, row: usize, place: &str) -> Result<[f64; N], ImportError> {
        let size = self.component.size();
        let mut out = [0.0; N];
        for (k, x) in out.iter_mut().enumerate() {
            let at = row.checked_mul(self.stride).and_then(|at| at.checked_add(k * size));
            let read = at.and_then(|at| self.component.read(self.bytes.get(at..)?));
            let Some((number, one)) = read else { return Err(self.too_short(place)) };
            if !number.is_finite() {
                return Err(invalid(
                    place,
                    format!("has {number} in row {row}; expected a finite number"),
                ));
            }
            *x = if self.shares { (number / one).max(-1.0) } else { number };
        }
        Ok(out)
    }
}
