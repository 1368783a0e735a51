//! Reader of USD as text: curves and meshes with time samples.
//!
//! It reads the points of every `BasisCurves` and every `Mesh` at whole frames, converted to world
//! space in metres with Z up. A prim of several curves becomes several parts. Widths become radii.
//! Prims of our own export keep the names of their bodies; other prims are named by their path.
//!
//! * Frames follow `framesPerSecond`, else `timeCodesPerSecond`, else 24 frames per second. Between
//!   two samples points are interpolated linearly, as in USD.
//! * Defaults are those of USD: Y up, centimetres.
//! * `xformOp`s are applied, animated or not (`transform.rs`).
//! * References, payloads, variants and classes are not followed; `usdcat --flatten` resolves them.
//! * Binary files are refused with the command that converts them to text.
//!
//! Tests: `our_own_export_reads_back`, `files_of_other_programs_are_read`,
//! `transforms_are_applied`, `invalid_files_are_refused_with_a_reason`, `no_text_makes_it_panic`.

mod lex;
mod transform;
mod tree;

use std::collections::BTreeSet;

use glam::DVec3;
use lariat_core::geometry::Look;
use lariat_core::modes::{Part, PartKind, Recording, RecordingError};
use lariat_core::motion::FrameRate;
use lariat_core::num::{is_in_range, ops};

use self::tree::{Layer, Prim, Value};
use super::{MAX_FRAMES, ReadError, ReadOptions, nothing, numbers, text_of};

/// Reads a recording.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Recording, ReadError> {
    if bytes.starts_with(b"PXR-USDC") {
        return Err(ReadError::Binary { kind: "binary", extension: "usdc" });
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(ReadError::Binary { kind: "zipped", extension: "usdz" });
    }
    let text = text_of(bytes)?;
    if !text.starts_with("#usda") {
        return Err(ReadError::Unexpected {
            line: 1,
            expected: "`#usda 1.0`".to_owned(),
            found: format!(
                "`{}`",
                text.lines().next().unwrap_or_default().chars().take(40).collect::<String>()
            ),
        });
    }
    let layer = tree::parse(text)?;
    let clock = Clock::of(&layer, options)?;
    let shapes = shapes(&layer, options)?;
    let (first, last) = clock.span(&layer, &shapes)?;
    let frames = (last - first + 1) as usize;

    let mut parts = Vec::new();
    for shape in &shapes {
        shape.parts(&layer, clock.time(first), &mut parts)?;
    }
    let points: usize = parts.iter().map(|part| part.points).sum();
    let total = numbers(points, frames)?;
    // Memory follows the size of the file, then the valid frames: a short file can name frames that
    // are far apart.
    let (mut rows, mut read) = (Vec::with_capacity(total.min(bytes.len())), 0);
    let world_from_file = space(&layer);
    for frame in first..=last {
        let begun = rows.len();
        if rows.capacity() - begun < 3 * points {
            rows.reserve_exact(begun.clamp(3 * points, total - begun));
        }
        for shape in &shapes {
            shape.row(&layer, &clock, first, frame, &world_from_file, &mut rows)?;
        }
        read += 1;
        if !rows[begun..].iter().all(|x| is_in_range(*x)) {
            // `Recording::new` reports it with its place.
            break;
        }
    }
    Ok(Recording::new(clock.rate, first, parts, read, rows)?)
}

/// Conversion between time codes and frames.
struct Clock {
    rate: FrameRate,
    frames_per_code: f64,
}

impl Clock {
    fn of(layer: &Layer, options: &ReadOptions) -> Result<Self, ReadError> {
        let given = |name: &str| match layer.head.get(name) {
            Some(Value::Numbers(numbers)) => numbers.first().copied(),
            _ => None,
        };
        let (codes, frames) = (given("timeCodesPerSecond"), given("framesPerSecond"));
        let codes = codes.or(frames).unwrap_or(24.0);
        let rate = match options.rate {
            Some(rate) => rate,
            None => {
                let fps = frames.unwrap_or(codes);
                FrameRate::from_number(fps)
                    .map_err(|error| ReadError::Nothing { why: error.to_string() })?
            }
        };
        FrameRate::from_number(codes)
            .map_err(|error| ReadError::Nothing { why: error.to_string() })?;
        Ok(Self { rate, frames_per_code: rate.per_second() / codes })
    }

    /// Time code of a frame.
    fn time(&self, frame: i64) -> f64 {
        frame as f64 / self.frames_per_code
    }

    /// First and last whole frame covered by the samples that move the shapes.
    fn span(&self, layer: &Layer, shapes: &[Shape]) -> Result<(i64, i64), ReadError> {
        // Rounding tolerance of times, in frames.
        const NEAR: f64 = 1e-6;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for shape in shapes {
            let mut at = Some(shape.prim);
            while let Some(prim) = at.map(|at| &layer.prims[at]) {
                for (name, attribute) in &prim.attributes {
                    let moves = name == "points" || name.starts_with("xformOp:");
                    for (time, _) in attribute.samples.iter().filter(|_| moves) {
                        low = low.min(time * self.frames_per_code);
                        high = high.max(time * self.frames_per_code);
                    }
                }
                at = prim.parent;
            }
        }
        if low > high {
            let start = match layer.head.get("startTimeCode") {
                Some(Value::Numbers(numbers)) => numbers.first().copied(),
                _ => None,
            };
            low = start.filter(|start| start.is_finite()).unwrap_or(0.0) * self.frames_per_code;
            high = low;
        }
        let (first, last) = ((low - NEAR).ceil() as i64, (high + NEAR).floor() as i64);
        if last.saturating_sub(first) >= MAX_FRAMES {
            return Err(ReadError::TooManyFrames { first, last, most: MAX_FRAMES });
        }
        Ok((first, last.max(first)))
    }
}

/// Conversion from the file's axes and unit to metres with Z up.
fn space(layer: &Layer) -> impl Fn(DVec3) -> DVec3 {
    let metres = match layer.head.get("metersPerUnit") {
        Some(Value::Numbers(numbers)) => numbers.first().copied().unwrap_or(0.01),
        _ => 0.01,
    };
    let z_up =
        matches!(layer.head.get("upAxis"), Some(Value::Words(words)) if words.iter().eq(["Z"]));
    move |p: DVec3| {
        let p = if z_up { p } else { DVec3::new(p.x, -p.z, p.y) };
        p * metres
    }
}

/// A prim that is read.
struct Shape {
    prim: usize,
    name: String,
    is_mesh: bool,
    /// Whether the curve is closed without repeating its first point.
    periodic: bool,
}

/// All prims to read, each with its name.
fn shapes(layer: &Layer, options: &ReadOptions) -> Result<Vec<Shape>, ReadError> {
    let mut shapes: Vec<Shape> = Vec::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut others = Vec::new();
    for (index, prim) in layer.prims.iter().enumerate() {
        let is_mesh = prim.kind == "Mesh";
        if prim.is_class || !(is_mesh || prim.kind == "BasisCurves") {
            continue;
        }
        let path = prim.path.trim_start_matches('/').to_owned();
        let name = given_name(layer, prim).filter(|name| !taken.contains(name));
        let name = name.unwrap_or(path);
        if !options.includes(&name) {
            others.push(name);
            continue;
        }
        if !prim.attributes.contains_key("points") {
            return Err(ReadError::Prim {
                line: prim.line,
                prim: prim.path.clone(),
                what: "has no points".to_owned(),
                help: "resolve references with `usdcat --flatten`, or omit it",
            });
        }
        let periodic = !is_mesh && prim.words("wrap").eq(["periodic"]);
        taken.insert(name.clone());
        shapes.push(Shape { prim: index, name, is_mesh, periodic });
    }
    if shapes.is_empty() {
        return Err(nothing(options, &others, "`BasisCurves` and no `Mesh`"));
    }
    Ok(shapes)
}

/// `body/strand`, as written by our own export.
fn given_name(layer: &Layer, prim: &Prim) -> Option<String> {
    let strand = prim.words("lariat:name").next()?;
    let body = layer.prims[prim.parent?].words("lariat:name").next()?;
    Some(format!("{body}/{strand}"))
}

fn cannot(prim: &Prim, what: String) -> ReadError {
    ReadError::Prim {
        line: prim.line,
        prim: prim.path.clone(),
        what,
        help: "repair it, or omit it",
    }
}

impl Shape {
    /// Points per curve; a mesh is one piece.
    fn pieces(&self, layer: &Layer, time: f64) -> Result<Vec<usize>, ReadError> {
        let prim = &layer.prims[self.prim];
        let numbers = prim.numbers("points", time).unwrap_or_default();
        if !numbers.len().is_multiple_of(3) {
            return Err(cannot(
                prim,
                format!("has {} numbers for its points, not a multiple of 3", numbers.len()),
            ));
        }
        let points = numbers.len() / 3;
        let counts = prim.attributes.get("curveVertexCounts").filter(|_| !self.is_mesh);
        let Some(counts) = counts.and_then(|counts| counts.numbers(time)) else {
            return Ok(vec![points]);
        };
        let counts = whole_numbers(&counts)
            .ok_or_else(|| cannot(prim, "has an invalid number of points per curve".to_owned()))?;
        let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if sum != points as u64 {
            return Err(cannot(prim, format!("has {points} points, but its curves need {sum}")));
        }
        Ok(counts.into_iter().map(|count| count as usize).collect())
    }

    /// Parts of the prim.
    fn parts(&self, layer: &Layer, time: f64, parts: &mut Vec<Part>) -> Result<(), ReadError> {
        let prim = &layer.prims[self.prim];
        let pieces = self.pieces(layer, time)?;
        if self.is_mesh {
            let count = |name: &str| {
                let numbers = prim.numbers(name, time).unwrap_or_default();
                whole_numbers(&numbers).ok_or_else(|| {
                    cannot(prim, format!("has a number in `{name}` that is not a count"))
                })
            };
            let (counts, corners) = (count("faceVertexCounts")?, count("faceVertexIndices")?);
            let kind = PartKind::Mesh { counts, corners };
            parts.push(Part { name: self.name.clone(), points: pieces[0], kind });
            return Ok(());
        }
        let metres = match layer.head.get("metersPerUnit") {
            Some(Value::Numbers(numbers)) => numbers.first().copied().unwrap_or(0.01),
            _ => 0.01,
        };
        let widths = prim.numbers("widths", time).unwrap_or_default();
        let twists = prim.numbers("primvars:twist", time).unwrap_or_default();
        let points = prim.numbers("points", time).unwrap_or_default();
        let all: usize = pieces.iter().sum();
        let colour = prim.numbers("primvars:displayColor", time).unwrap_or_default();
        let look = prim.words("lariat:material").next().map(|name| Look {
            name: name.into(),
            colour: if let [r, g, b] = *colour { [r, g, b] } else { [0.5; 3] },
        });
        let mut start = 0;
        for (number, &count) in pieces.iter().enumerate() {
            let own = start..start + count;
            let mut radius: Vec<f64> = match widths.len() {
                1 => vec![0.5 * metres * widths[0]; count],
                n if n == all => widths[own.clone()].iter().map(|w| 0.5 * metres * w).collect(),
                _ => Vec::new(),
            };
            let mut twist: Vec<f64> = match twists.len() {
                n if n == all => twists[own.clone()].iter().map(|&t| ops::radians(t)).collect(),
                _ => Vec::new(),
            };
            if twist.iter().all(|&twist| twist == 0.0) {
                twist.clear();
            }
            let mut closed =
                count > 3 && points[3 * own.start..][..3] == points[3 * own.end - 3..][..3];
            let mut total = count;
            if self.periodic && count > 0 {
                (closed, total) = (true, count + 1);
                radius.extend(radius.first().copied());
                twist.extend(twist.first().copied());
            }
            let name = if pieces.len() == 1 {
                self.name.clone()
            } else {
                format!("{}/{number}", self.name)
            };
            let look = look.clone();
            let kind = PartKind::Strand { closed, radius, twist, look };
            parts.push(Part { name, points: total, kind });
            start += count;
        }
        Ok(())
    }

    /// Points at one frame, which must have the same pieces as at the first.
    fn row(
        &self,
        layer: &Layer,
        clock: &Clock,
        first: i64,
        frame: i64,
        world_from_file: &impl Fn(DVec3) -> DVec3,
        rows: &mut Vec<f64>,
    ) -> Result<(), ReadError> {
        let prim = &layer.prims[self.prim];
        let (pieces, due) =
            (self.pieces(layer, clock.time(frame))?, self.pieces(layer, clock.time(first))?);
        if pieces != due {
            let describe = |pieces: &[usize]| match pieces {
                [points] => format!("{points} points"),
                _ => format!("{} points in {} curves", pieces.iter().sum::<usize>(), pieces.len()),
            };
            return Err(ReadError::Recording(RecordingError::Changes {
                part: self.name.clone(),
                first,
                expected: describe(&due),
                frame,
                found: describe(&pieces),
            }));
        }
        let numbers = prim.numbers("points", clock.time(frame)).unwrap_or_default();
        let file_from_prim =
            transform::world_from_prim(&layer.prims, self.prim, clock.time(frame))?;
        let mut start = 0;
        for count in pieces {
            let own = numbers[3 * start..3 * (start + count)].chunks_exact(3);
            let again = own.clone().take(usize::from(self.periodic));
            for point in own.chain(again) {
                let point = DVec3::new(point[0], point[1], point[2]);
                let point = file_from_prim.map_or(point, |matrix| matrix.transform_point3(point));
                rows.extend(world_from_file(point).to_array());
            }
            start += count;
        }
        Ok(())
    }
}

fn whole_numbers(numbers: &[f64]) -> Option<Vec<u32>> {
    let whole =
        |x: &f64| (*x == x.floor() && (0.0..=f64::from(u32::MAX)).contains(x)).then_some(*x as u32);
    numbers.iter().map(whole).collect()
}

#[cfg(test)]
mod tests;
