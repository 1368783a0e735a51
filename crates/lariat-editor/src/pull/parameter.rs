//! Parameters of a body that can move its points.

use lariat_scene::{
    Path, Value,
    lower::{Anchor, Record},
    schema::{Bound, Field, Kind, Range, Unit},
};

use crate::{channel::ChannelForm, editor::Editor};

/// Group of parameters that a pull uses together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PullGroup {
    /// Shape of the body: length or sag, swing, bends, modes. Used unless it is switched off.
    Shape,
    /// Heights of waves. Not used unless they are switched on.
    Waves,
    /// Ends and positions. Used near an end, and for bodies without a shape of their own.
    Ends,
}

/// A parameter that can move the grabbed point.
#[derive(Clone, Debug, PartialEq)]
pub struct PullParameter {
    /// Path in the document: `body[0].length`.
    pub path: Path,
    /// Name without indices, the same for all bodies: `length`, `bends.angle`.
    pub key: String,
    /// Its group.
    pub group: PullGroup,
    /// Whether the pull may change it.
    pub allowed: bool,
    /// Value at the frame, one number or three.
    pub(super) now: Vec<f64>,
    /// Change that counts as 1 in the solve.
    pub(super) scale: f64,
    pub(super) range: Range,
    /// Whether the value is a list of vectors that is set as a whole.
    pub(super) is_list: bool,
}

/// Numbers that shape a body, of all models.
const SHAPE: [&str; 11] = [
    "length",
    "sag",
    "swing",
    "sway",
    "turn",
    "lift",
    "hoop-radius",
    "tilt",
    "tilt-azimuth",
    "twirl",
    "span-length",
];

/// A radian, in degrees: turning a body by it moves its points by their distance from the axis.
const RADIAN: f64 = 57.295_779_513_082_32;

/// Length of a change of an end compared to that of a length: ends are moved less readily.
const ENDS: f64 = 0.3;

impl Editor {
    /// Parameters that can move points of a body with a size in metres, at a frame. For a compound,
    /// those of its parts.
    pub(super) fn pull_parameters(&self, body: &str, frame: f64, size: f64) -> Vec<PullParameter> {
        let mut found = Vec::new();
        let lowered = self.lowered();
        let Some(record) = lowered.body_index(body).map(|index| &*lowered.bodies[index]) else {
            return found;
        };
        if record.has("parts") {
            for part in record.names("parts").unwrap_or_default() {
                found.extend(self.pull_parameters(part, frame, size));
            }
            return found;
        }
        let t = lowered.shot.seconds(frame);
        for field in record.record_type().fields {
            self.add_field(record, field, t, size, &mut found);
            let (list, names): (&str, &[&str]) = match field.name {
                list @ "bends" => (list, &["angle", "azimuth"]),
                list @ "modes" => (list, &["drive"]),
                list @ ("waves" | "hoop-waves" | "span-waves" | "tail-waves" | "layers") => {
                    (list, &["magnitude"])
                }
                _ => continue,
            };
            for inner in record.records(list) {
                for name in names {
                    let Some(field) = inner.record_type().field(name) else { continue };
                    let (Kind::Scalar(unit), Some(channel)) = (field.kind, inner.scalar(name))
                    else {
                        continue;
                    };
                    let group =
                        if *name == "magnitude" { PullGroup::Waves } else { PullGroup::Shape };
                    let key = format!("{list}.{name}");
                    let (path, now) = (inner.path_of(name), vec![channel.at(t)]);
                    self.add(field, path, key, group, now, scale(unit, 0.3 * size), &mut found);
                }
            }
        }
        found
    }

    fn add_field(
        &self,
        record: &Record,
        field: &'static Field,
        t: f64,
        size: f64,
        out: &mut Vec<PullParameter>,
    ) {
        let (name, path) = (field.name, record.path_of(field.name));
        let key = name.to_owned();
        match field.kind {
            Kind::Scalar(unit) if SHAPE.contains(&name) => {
                // Of parameters that exclude each other, the given one.
                let excluded = record
                    .record_type()
                    .one_of
                    .iter()
                    .any(|one_of| one_of.fields.contains(&name) && !record.is_given(name));
                if let (Some(channel), false) = (record.scalar(name), excluded) {
                    let now = vec![channel.at(t)];
                    let scale = scale(unit, 0.5 * size);
                    self.add(field, path, key, PullGroup::Shape, now, scale, out);
                }
            }
            Kind::Direction if name == "direction" => {
                if let Some(channel) = record.vector(name) {
                    let now = channel.at(t);
                    let scale = now.length().max(1e-9);
                    self.add(
                        field,
                        path,
                        key,
                        PullGroup::Shape,
                        now.to_array().to_vec(),
                        scale,
                        out,
                    );
                }
            }
            Kind::Vectors(..) if name == "inner" => {
                let given = self.document().get(&self.written(&path)).and_then(Value::list);
                let is_constant = given
                    .unwrap_or_default()
                    .iter()
                    .all(|element| ChannelForm::of(Some(element)) == ChannelForm::Constant);
                if let (Some(vectors), true) = (record.vectors(name), is_constant) {
                    let now = vectors.iter().flat_map(|v| v.at(t).to_array()).collect();
                    self.add(field, path, key, PullGroup::Shape, now, 0.5 * size, out);
                }
            }
            Kind::Anchor => {
                if let Some(Anchor::Point(channel)) = record.anchor(name) {
                    let now = channel.at(t).to_array().to_vec();
                    self.add(field, path, key, PullGroup::Ends, now, ENDS * size, out);
                }
            }
            Kind::Vector(Unit::Metres) if name == "position" => {
                if let Some(channel) = record.vector(name) {
                    let now = channel.at(t).to_array().to_vec();
                    self.add(field, path, key, PullGroup::Ends, now, ENDS * size, out);
                }
            }
            _ => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of one parameter")]
    fn add(
        &self,
        field: &'static Field,
        path: Path,
        key: String,
        group: PullGroup,
        now: Vec<f64>,
        scale: f64,
        out: &mut Vec<PullParameter>,
    ) {
        let path = self.written(&path);
        // The motion of a follower belongs to its leader.
        if self.form_of(&path) == ChannelForm::Following {
            return;
        }
        let is_list = matches!(field.kind, Kind::Vectors(..));
        let (allowed, range) = (true, field.range);
        out.push(PullParameter { path, key, group, allowed, now, scale, range, is_list });
    }
}

fn scale(unit: Unit, metres: f64) -> f64 {
    match unit {
        Unit::Degrees => RADIAN,
        _ => metres,
    }
}

/// Lowest and highest number of a range; exclusive bounds are kept off by a part of `scale`.
pub(super) fn bounds(range: &Range, scale: f64) -> (f64, f64) {
    let low = match range.low {
        Bound::Open => f64::NEG_INFINITY,
        Bound::At(low) => low,
        Bound::Past(low) => low + 1e-4 * scale,
    };
    let high = match range.high {
        Bound::Open => f64::INFINITY,
        Bound::At(high) => high,
        Bound::Past(high) => high - 1e-4 * scale,
    };
    (low, high)
}
