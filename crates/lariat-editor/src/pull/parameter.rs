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

/// Range of the swing of a rope that hangs, in degrees.
const QUARTER_TURN: Range = Range::between(-90.0, 90.0);

/// Change of the swing and sway of a rope that hangs, compared to that of other angles. A rope that is
/// pulled down gets longer, although swinging it also brings it down in a view from above. Larger: it
/// swings, too. Smaller: a pull to the side takes more iterations.
const SWINGS: f64 = 0.25;

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
            if let Some(one) = self.of_field(record, field, t, size) {
                self.add(one, &mut found);
            }
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
                    let group = match *name {
                        "magnitude" => PullGroup::Waves,
                        _ => PullGroup::Shape,
                    };
                    let (path, now) = (inner.path_of(name), vec![channel.at(t)]);
                    let scale = scale(unit, 0.3 * size);
                    let key = format!("{list}.{name}");
                    let one = PullParameter::new(field, path, group, now, scale);
                    self.add(PullParameter { key, ..one }, &mut found);
                }
            }
        }
        found
    }

    /// A field of a body, if it can move its points.
    fn of_field(
        &self,
        record: &Record,
        field: &'static Field,
        t: f64,
        size: f64,
    ) -> Option<PullParameter> {
        let (name, path) = (field.name, record.path_of(field.name));
        let (group, now, scale) = match field.kind {
            Kind::Scalar(unit) if SHAPE.contains(&name) => {
                // Of parameters that exclude each other, the given one.
                let one_of = record.record_type().one_of.iter();
                if one_of.filter(|one_of| one_of.fields.contains(&name)).count() > 0
                    && !record.is_given(name)
                {
                    return None;
                }
                let now = vec![record.scalar(name)?.at(t)];
                (PullGroup::Shape, now, scale(unit, 0.5 * size))
            }
            Kind::Direction if name == "direction" => {
                let now = record.vector(name)?.at(t);
                (PullGroup::Shape, now.to_array().to_vec(), now.length().max(1e-9))
            }
            Kind::Vectors(..) if name == "inner" => {
                let given = self.document().get(&self.written(&path)).and_then(Value::list);
                let mut forms = given.unwrap_or_default().iter().map(|v| ChannelForm::of(Some(v)));
                if forms.any(|form| form != ChannelForm::Constant) {
                    return None;
                }
                let now = record.vectors(name)?.iter().flat_map(|v| v.at(t).to_array()).collect();
                (PullGroup::Shape, now, 0.5 * size)
            }
            Kind::Anchor => {
                let Anchor::Point(channel) = record.anchor(name)? else { return None };
                (PullGroup::Ends, channel.at(t).to_array().to_vec(), ENDS * size)
            }
            Kind::Vector(Unit::Metres) if name == "position" => {
                let now = record.vector(name)?.at(t);
                (PullGroup::Ends, now.to_array().to_vec(), ENDS * size)
            }
            _ => return None,
        };
        let mut one = PullParameter::new(field, path, group, now, scale);
        // A rope that hangs is not lifted above its ends by swinging it over.
        if record.has("axes") && matches!(name, "swing" | "sway") {
            one.range = QUARTER_TURN;
            one.scale *= SWINGS;
        }
        Some(one)
    }

    /// Adds a parameter, unless it follows another one: the motion belongs to its leader.
    fn add(&self, mut one: PullParameter, out: &mut Vec<PullParameter>) {
        one.path = self.written(&one.path);
        if self.form_of(&one.path) != ChannelForm::Following {
            out.push(one);
        }
    }
}

impl PullParameter {
    /// Value at the frame of the pull: one number or three, or those of all vectors of a list.
    pub fn values(&self) -> &[f64] {
        &self.now
    }

    /// A noticeable change: half the size of the body, or a part of a turn.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Range of its numbers during a pull.
    pub fn range(&self) -> &Range {
        &self.range
    }

    fn new(field: &Field, path: Path, group: PullGroup, now: Vec<f64>, scale: f64) -> Self {
        let is_list = matches!(field.kind, Kind::Vectors(..));
        let (key, range) = (field.name.to_owned(), field.range);
        Self { path, key, group, allowed: true, now, scale, range, is_list }
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
