//! Shot: frame rate, first and last frame, ground, markers.
//!
//! Tests: `markers_are_lowered_in_the_order_of_their_frames`.

use std::sync::Arc;

use lariat_core::motion::FrameRate;

use super::{Cursor, Lowering, record::Slot};
use crate::{
    check::Code,
    format::number,
    place::Span,
    schema,
    value::{Table, Value},
};

/// Frame rate, frame range and ground of a shot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Frames per second.
    pub rate: FrameRate,
    /// The first frame.
    pub first: i64,
    /// The last frame; not before the first.
    pub last: i64,
    /// Ground of its pictures.
    pub ground: ShotGround,
    /// Height of the ground in metres; chosen by the renderer if not given.
    pub ground_height: Option<f64>,
}

/// Ground of a shot's pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShotGround {
    /// A matte floor.
    #[default]
    Floor,
    /// Water with ripples.
    Water,
    /// No ground.
    None,
}

/// A marked frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The frame.
    pub frame: i64,
    /// Its name, which may be empty.
    pub name: Arc<str>,
    /// Index in the `markers` of the document.
    pub index: usize,
}

/// A shot and everything beside it that does not affect poses.
#[derive(Debug, Default)]
pub(super) struct WholeShot {
    pub(super) shot: Shot,
    /// Position of its frames in the file.
    pub(super) frames_span: Option<Span>,
    pub(super) markers: Vec<Marker>,
}

impl Default for Shot {
    fn default() -> Self {
        Self {
            rate: FrameRate::FILM,
            first: 1,
            last: 120,
            ground: ShotGround::Floor,
            ground_height: None,
        }
    }
}

impl Shot {
    /// Number of frames.
    pub fn frame_count(&self) -> u64 {
        self.last.abs_diff(self.first) + 1
    }

    /// Time of a frame in seconds.
    pub fn seconds(&self, frame: f64) -> f64 {
        self.rate.seconds(frame)
    }
}

impl Lowering<'_> {
    /// Lowers the shot of the document.
    pub(super) fn shot(&mut self, root: &Table, at: &Cursor) -> WholeShot {
        let mut whole = WholeShot::default();
        let Some(position) = root.position("shot") else { return whole };
        let Some((_, value)) = root.entry(position) else { return whole };
        let at = at.field("shot", position);
        let Value::Table(table) = value else {
            self.wrong(
                Code::WrongType,
                &at,
                format!("`shot` must be a table, not {}", value.describe()),
                String::new(),
                Some("write `[shot]`, and below it `fps = 24` and `frames = [1, 120]`".to_owned()),
            );
            whole.frames_span = at.span();
            return whole;
        };
        whole.frames_span = at.span();
        let shot = &mut whole.shot;
        for (position, (name, value)) in table.iter().enumerate() {
            let at = at.field(name, position);
            match name {
                "fps" => {
                    if let Some(rate) = self.frame_rate(value, &at) {
                        shot.rate = rate;
                    }
                }
                "frames" => {
                    whole.frames_span = at.span();
                    if let Some((first, last)) = self.frame_range(value, &at) {
                        (shot.first, shot.last) = (first, last);
                    }
                }
                "ground" => {
                    if let Some(ground) = self.ground(value, &at) {
                        shot.ground = ground;
                    }
                }
                "ground-height" => {
                    let field = schema::SHOT.types[0].field(name);
                    let height = field.and_then(|field| self.number(field, value, &at));
                    shot.ground_height = height.or(shot.ground_height);
                }
                "markers" => whole.markers = self.markers(value, &at),
                _ => self.unknown_field(schema::SHOT.types[0], None, name, &at),
            }
        }
        whole
    }

    /// Lowers the markers without errors, in the order of their frames.
    fn markers(&mut self, value: &Value, at: &Cursor) -> Vec<Marker> {
        let Some(list) = value.list() else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`markers` must be a list of tables, not {}", value.describe()),
                String::new(),
                Some("write it like `markers = [{ frame = 12, name = \"snap\" }]`".to_owned()),
            );
            return Vec::new();
        };
        let mut markers = Vec::with_capacity(list.len());
        for (index, value) in list.iter().enumerate() {
            let Some(record) = self.record_of(&schema::MARKER, value, &at.index(index)) else {
                continue;
            };
            if let Some(frame) = record.integer("frame") {
                let name = record.text("name").unwrap_or_default().into();
                markers.push(Marker { frame, name, index });
            }
        }
        markers.sort();
        markers
    }

    fn ground(&mut self, value: &Value, at: &Cursor) -> Option<ShotGround> {
        let field = schema::SHOT.types[0].field("ground")?;
        let Slot::Choice(choice) = self.slot(field, value, at)? else { return None };
        Some(match choice {
            "water" => ShotGround::Water,
            "none" => ShotGround::None,
            _ => ShotGround::Floor,
        })
    }

    fn frame_rate(&mut self, value: &Value, at: &Cursor) -> Option<FrameRate> {
        let rate = match value {
            Value::Number(fps) => FrameRate::from_number(*fps).map_err(|error| error.to_string()),
            Value::Text(text) => text.parse::<FrameRate>().map_err(|error| error.to_string()),
            other => Err(format!("`fps` takes a number, not {}", other.describe())),
        };
        match rate {
            Ok(rate) => Some(rate),
            Err(message) => {
                self.wrong(
                    Code::InvalidFrameRate,
                    at,
                    message,
                    "not a frame rate".to_owned(),
                    Some("write `fps = 24`, or `fps = \"24000/1001\"`".to_owned()),
                );
                None
            }
        }
    }

    fn frame_range(&mut self, value: &Value, at: &Cursor) -> Option<(i64, i64)> {
        /// Largest frame number, more than a year from frame 0 at 24 frames per second.
        const MAX_FRAME: f64 = 1e9;
        let frames: Option<(f64, f64)> = match value.list() {
            Some([Value::Number(first), Value::Number(last)]) => Some((*first, *last)),
            _ => None,
        };
        let Some((first, last)) = frames else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`frames` takes the first and the last frame, not {}", value.describe()),
                "expected `[first, last]`".to_owned(),
                Some("write it like `frames = [1, 120]`".to_owned()),
            );
            return None;
        };
        for frame in [first, last] {
            if !frame.is_finite() || frame.abs() > MAX_FRAME {
                self.wrong(
                    if frame.is_finite() { Code::OutOfRange } else { Code::NotFinite },
                    at,
                    format!("frame {} is out of range", number(frame)),
                    format!("must be between -{MAX_FRAME:e} and {MAX_FRAME:e}"),
                    None,
                );
                return None;
            }
            if frame.fract() != 0.0 {
                self.wrong(
                    Code::NotWhole,
                    at,
                    format!("`frames` must be whole numbers, but one is {}", number(frame)),
                    "not a whole number".to_owned(),
                    Some(format!("write {}", number(frame.round()))),
                );
                return None;
            }
        }
        if last < first {
            self.wrong(
                Code::InvalidFrameRange,
                at,
                format!("the last frame, {last}, is before the first frame, {first}"),
                "no frames".to_owned(),
                Some(format!("swap them: `frames = [{last}, {first}]`")),
            );
            return None;
        }
        let (count, most) = (last - first + 1.0, self.limits.frames);
        if count > most as f64 {
            self.wrong(
                Code::TooManyFrames,
                at,
                format!("the shot has {count} frames, more than the limit of {most}"),
                format!("{count} frames"),
                Some("raise the limit with `--limit frames=N`, or shorten the shot".to_owned()),
            );
            return None;
        }
        Some((first as i64, last as i64))
    }
}
