//! Animatable parameters: constants, keys, wiggles and followers.
//!
//! Frames of keys are converted to seconds by the function that evaluation uses, so the value of a
//! key on frame 37 is exact at frame 37. A side of a key with a handle has free tangents unless its
//! key sets `tangents`; a side without a handle uses the tangents of the channel.

use lariat_core::motion::{
    Animate, Channel, Extrapolation, FrameRate, Handle, Interpolation, Interval, Key, Keys,
    KeysError, Named, Tangent, TangentKind,
};

use super::{Cursor, Lowering};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    limits::Limits,
    place::Places,
    schema::{self, Field, Kind, Unit, did_you_mean},
    value::{Table, Value},
};

/// Function that lowers one value of a channel.
pub(super) type One<'l, T> = fn(&mut Lowering<'l>, &Field, &Value, &Cursor) -> Option<T>;

/// Difference between two states of a parameter.
pub(crate) enum Difference {
    /// Unknown: one of the states has no valid keys.
    Unknown,
    /// Equal at all frames.
    Nowhere,
    /// Different only at these frames.
    Frames(Interval),
}

impl Difference {
    /// Compares two states of a parameter of any type.
    pub(crate) fn between(was: &Value, is: &Value) -> Self {
        fn by<T: Animate>(
            was: &Value,
            is: &Value,
            kind: Kind,
            one: One<'static, T>,
        ) -> Option<Difference> {
            let (was, is) = (in_frames(was, kind, one)?, in_frames(is, kind, one)?);
            let difference = match (&was, &is) {
                (Channel::Keyed(was), Channel::Keyed(is)) => was.difference(is),
                (Channel::Wiggly(was), Channel::Wiggly(is)) => was.difference(is),
                _ => return None,
            };
            Some(difference.map_or(Difference::Nowhere, Difference::Frames))
        }
        // Curves through 0 and −0 compare as equal, but shapes may have other bits.
        if has_negative_zero(was) || has_negative_zero(is) {
            return Self::Unknown;
        }
        by(was, is, Kind::Scalar(Unit::Number), Lowering::number)
            .or_else(|| by(was, is, Kind::Vector(Unit::Number), Lowering::vector))
            .or_else(|| by(was, is, Kind::Switch, Lowering::one_switch))
            .or_else(|| by(was, is, Kind::Colour, Lowering::one_colour))
            .unwrap_or(Self::Unknown)
    }
}

fn has_negative_zero(value: &Value) -> bool {
    match value {
        Value::Number(number) => *number == 0.0 && number.is_sign_negative(),
        Value::List(list) => list.iter().any(has_negative_zero),
        Value::Table(table) => table.iter().any(|(_, value)| has_negative_zero(value)),
        _ => false,
    }
}

/// Lowers a parameter of this kind with frames as its unit of time.
fn in_frames<T: Animate>(value: &Value, kind: Kind, one: One<'static, T>) -> Option<Channel<T>> {
    let mut lowering = Lowering::new(&Limits::DEFAULT);
    // At one frame per second, seconds are frames.
    lowering.rate = FrameRate::new(1, 1).ok()?;
    let field = Field::new("parameter", kind, "").keyed();
    lowering.channel(&field, value, &Cursor::top(&Places::none()), one)
}

/// Field for differences of two values: no range, and zero vectors are allowed.
pub(super) fn difference_of(field: &Field) -> Field {
    let kind = match field.kind {
        Kind::Direction => Kind::Vector(Unit::Number),
        kind => kind,
    };
    Field { range: schema::Range::ANY, kind, ..*field }
}

/// Check of the frame order of keys.
#[derive(Default)]
pub(super) struct Order {
    previous: Option<f64>,
    broken: bool,
    wiggles: bool,
}

impl Order {
    /// Creates the check for keys of a wiggle.
    pub(super) fn of_a_wiggle() -> Self {
        Self { wiggles: true, ..Self::default() }
    }

    /// Adds the frame of the next key; reports the first one that is out of order.
    pub(super) fn next(
        &mut self,
        lowering: &mut Lowering<'_>,
        field: &Field,
        frame: f64,
        at: &Cursor,
    ) {
        if let Some(previous) = self.previous
            && frame <= previous
            && !self.broken
        {
            // Only the first one: later reports would be consequences of it.
            self.broken = true;
            lowering.out_of_order(field, (previous, frame), self.wiggles, at);
        }
        self.previous = Some(frame);
    }

    pub(super) fn is_kept(&self) -> bool {
        !self.broken
    }
}

/// Returns true for `[[frame, value], …]`; no parameter that can be keyed takes such a list.
fn are_keys(value: &Value) -> bool {
    value.list().is_some_and(|list| {
        let is_key = |key: &Value| matches!(key.list(), Some([Value::Number(_), _]));
        !list.is_empty() && list.iter().all(is_key)
    })
}

/// Defaults of a channel for its keys.
#[derive(Clone, Copy)]
struct KeyDefaults {
    interpolation: Interpolation,
    tangents: TangentKind,
}

impl<'l> Lowering<'l> {
    /// Lowers a constant, keys, a wiggle or a follower.
    pub(super) fn channel<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        one: One<'l, T>,
    ) -> Option<Channel<T>> {
        let Value::Table(table) = value else {
            if field.animatable && are_keys(value) {
                self.wrong(
                    Code::WrongType,
                    at,
                    format!("the keys of `{}` must be in a table", field.name),
                    "these look like keys".to_owned(),
                    Some("write keys like `{ keys = [[1, …], [24, …]] }`".to_owned()),
                );
                return None;
            }
            return one(self, field, value, at).map(Channel::Constant);
        };
        let words = ["keys", "wiggle", "follow"];
        let Some(word) = words.into_iter().find(|word| table.get(word).is_some()) else {
            if field.animatable {
                self.not_animated(field, value, table, at);
            } else {
                self.wrong_type(field, value, at);
            }
            return None;
        };
        if !field.animatable {
            self.find(
                Diagnostic::new(Code::NotAnimatable, format!("`{}` cannot be keyed", field.name))
                    .label(at.span(), at.path(), "keys given here")
                    .help(format!("use a constant value, like `{}`", super::table::example(field))),
            );
            return None;
        }
        match word {
            "wiggle" => return self.wiggle(field, value, table, at, one),
            "follow" => return self.follow(field, value, table, at, one),
            _ => {}
        }
        let position = table.position("keys")?;
        let errors = self.diagnostics.errors();
        let mut defaults = KeyDefaults {
            interpolation: Interpolation::default(),
            tangents: TangentKind::default(),
        };
        let (mut before, mut after) = (Extrapolation::default(), Extrapolation::default());
        let record_type = schema::CHANNEL.types[0];
        let mut interpolation_span = None;
        for (position, (name, value)) in table.iter().enumerate() {
            let at = at.field(name, position);
            match name {
                "keys" => {}
                "interpolation" | "ease" => {
                    if let Some(row) = record_type.field(name)
                        && let Some(first) = interpolation_span.replace(at.name_span())
                    {
                        self.given_twice(row, name, &at, first);
                    }
                    self.named(name, value, &at, &mut defaults.interpolation);
                }
                "tangents" => self.named(name, value, &at, &mut defaults.tangents),
                "before" => self.named(name, value, &at, &mut before),
                "after" => self.named(name, value, &at, &mut after),
                _ => self.unknown_field(record_type, None, name, &at),
            }
        }
        let (_, list) = table.entry(position)?;
        let keys_at = at.field("keys", position);
        let keys = self.keys(field, list, &keys_at, defaults, one)?;
        if self.diagnostics.errors() != errors {
            return None;
        }
        match Keys::extended(keys, before, after) {
            Ok(keys) => Some(Channel::Keyed(keys)),
            Err(error) => {
                self.keys_error(field, &error, &keys_at);
                None
            }
        }
    }

    /// Reports a table without `keys`, `wiggle` or `follow`.
    fn not_animated(&mut self, field: &Field, value: &Value, table: &Table, at: &Cursor) {
        let slip = table.iter().find_map(|(name, _)| {
            let meant = did_you_mean(name, ["keys", "wiggle", "follow"])?;
            Some(format!("did you mean `{meant}` instead of `{name}`?"))
        });
        let animate = "to animate it, write `{ keys = [[1, …], [24, …]] }` or `{ wiggle = [[1, …], [24, …]], \
                    hertz = 2 }`";
        let help = match slip {
            Some(slip) => format!("{slip} An animated parameter has `keys`, `wiggle` or `follow`"),
            None => format!("write it like `{}`; {animate}", super::table::example(field)),
        };
        let expected = super::value::expected(field);
        self.wrong(
            Code::WrongType,
            at,
            format!("`{}` takes {expected}, not {}", field.name, value.describe()),
            format!("expected {expected}, or a table with `keys`, `wiggle` or `follow`"),
            Some(help),
        );
    }

    /// Lowers the keys of a channel; `None` if one of them is invalid.
    fn keys<T: Animate>(
        &mut self,
        field: &Field,
        list: &Value,
        at: &Cursor,
        defaults: KeyDefaults,
        one: One<'l, T>,
    ) -> Option<Vec<Key<T>>> {
        let Value::List(list) = list else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`keys` takes a list, not {}", list.describe()),
                "expected `[[frame, value], …]`".to_owned(),
                Some("write it like `keys = [[1, 0], [24, 35]]`".to_owned()),
            );
            return None;
        };
        if list.is_empty() {
            self.wrong(
                Code::NoKeys,
                at,
                format!("`{}` has no keys", field.name),
                "this list is empty".to_owned(),
                Some("add a key, like `[[1, 0]]`, or write a constant value".to_owned()),
            );
            return None;
        }
        self.count_keys(field, list.len(), at)?;
        let mut keys = Vec::with_capacity(list.len());
        let mut order = Order::default();
        let mut good = true;
        for (index, value) in list.iter().enumerate() {
            let at = at.index(index);
            let Some((frame, key)) = self.key(field, value, &at, defaults, one) else {
                good = false;
                continue;
            };
            order.next(self, field, frame, &at);
            keys.push(key);
        }
        (good && order.is_kept()).then_some(keys)
    }

    /// Checks the number of keys against the limit.
    pub(super) fn count_keys(&mut self, field: &Field, count: usize, at: &Cursor) -> Option<()> {
        let most = self.limits.keys_per_channel;
        if count as u64 <= most {
            return Some(());
        }
        self.wrong(
            Code::TooManyKeys,
            at,
            format!("`{}` has {count} keys, more than the limit of {most}", field.name),
            format!("{count} keys"),
            Some("raise the limit with `--limit keys-per-channel=N`".to_owned()),
        );
        None
    }

    /// Lowers `[frame, value]`.
    pub(super) fn short_key<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        one: One<'l, T>,
    ) -> Option<(f64, T)> {
        let Some(list) = value.list() else {
            self.invalid_key(field, &value.describe(), "write it like `[24, 0.5]`", at);
            return None;
        };
        let [frame, value] = list else {
            let help = if list.len() == 4 && T::PARTS == 3 {
                "put the vector in its own brackets: `[frame, [x, y, z]]`"
            } else {
                "write it like `[24, 0.5]`"
            };
            self.invalid_key(field, &format!("a list of {}", list.len()), help, at);
            return None;
        };
        let frame = self.frame(frame, &at.index(0));
        let value = one(self, field, value, &at.index(1));
        Some((frame?, value?))
    }

    fn out_of_order(
        &mut self,
        field: &Field,
        (previous, frame): (f64, f64),
        wiggles: bool,
        at: &Cursor,
    ) {
        let (name, frame_text) = (field.name, number(frame));
        if frame == previous {
            self.wrong(
                Code::TwoKeysOnOneFrame,
                at,
                format!("`{name}` has two keys on frame {frame_text}"),
                "second key".to_owned(),
                Some(
                    if wiggles {
                        "remove or move one of them; a wiggle cannot jump"
                    } else {
                        "remove or move one of them; for a jump use `interpolation = \"step\"`"
                    }
                    .to_owned(),
                ),
            );
        } else {
            self.wrong(
                Code::KeysOutOfOrder,
                at,
                format!(
                    "the keys of `{name}` are not in order: frame {frame_text} follows frame {}",
                    number(previous)
                ),
                format!("frame {frame_text} comes before frame {}", number(previous)),
                Some("sort the keys by frame".to_owned()),
            );
        }
    }

    /// Lowers one key; returns it with its frame.
    fn key<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        defaults: KeyDefaults,
        one: One<'l, T>,
    ) -> Option<(f64, Key<T>)> {
        if let Value::Table(table) = value {
            return self.long_key(field, table, at, defaults, one);
        }
        let (frame, value) = self.short_key(field, value, at, one)?;
        let mut key = Key::new(self.rate.seconds(frame), value);
        (key.interpolation, key.incoming.kind, key.outgoing.kind) =
            (defaults.interpolation, defaults.tangents, defaults.tangents);
        Some((frame, key))
    }

    pub(super) fn invalid_key(&mut self, field: &Field, found: &str, help: &str, at: &Cursor) {
        self.wrong(
            Code::InvalidKey,
            at,
            format!("a key of `{}` must be a frame and a value, not {found}", field.name),
            "expected `[frame, value]`".to_owned(),
            Some(help.to_owned()),
        );
    }

    pub(super) fn frame(&mut self, value: &Value, at: &Cursor) -> Option<f64> {
        const FRAME: Field = Field::new("frame", Kind::Scalar(Unit::Frames), "The frame of a key.");
        self.number(&FRAME, value, at)
    }

    /// Lowers a key in the table form.
    fn long_key<T: Animate>(
        &mut self,
        field: &Field,
        table: &Table,
        at: &Cursor,
        defaults: KeyDefaults,
        one: One<'l, T>,
    ) -> Option<(f64, Key<T>)> {
        let record_type = schema::KEY.types[0];
        let (mut frame, mut key_value) = (None, None);
        let mut interpolation = defaults.interpolation;
        let mut tangents = None;
        let mut handles = [None, None];
        let mut interpolation_span = None;
        for (position, (name, value)) in table.iter().enumerate() {
            let at = at.field(name, position);
            match name {
                "frame" => frame = Some(self.frame(value, &at)),
                "value" => key_value = Some(one(self, field, value, &at)),
                "interpolation" | "ease" => {
                    if let Some(row) = record_type.field(name)
                        && let Some(first) = interpolation_span.replace(at.name_span())
                    {
                        self.given_twice(row, name, &at, first);
                    }
                    self.named(name, value, &at, &mut interpolation);
                }
                "tangents" => {
                    let mut kind = defaults.tangents;
                    self.named(name, value, &at, &mut kind);
                    tangents = Some(kind);
                }
                "in" => handles[0] = self.handle(field, value, &at, true, one),
                "out" => handles[1] = self.handle(field, value, &at, false, one),
                _ => self.unknown_field(record_type, None, name, &at),
            }
            if T::STEPS && matches!(name, "interpolation" | "ease" | "tangents" | "in" | "out") {
                self.wrong(
                    Code::KeySettingIgnored,
                    &at,
                    format!("`{name}` has no effect on a switch, which always jumps"),
                    "has no effect".to_owned(),
                    Some(format!("remove `{name}`")),
                );
            }
        }
        if frame.is_none() || key_value.is_none() {
            let missing = if frame.is_none() { "frame" } else { "value" };
            self.invalid_key(
                field,
                &format!("a table without `{missing}`"),
                "write it like `{ frame = 24, value = 0.5 }`",
                at,
            );
        }
        let (frame, value) = (frame??, key_value??);
        let side = |handle: Option<Handle<T>>| Tangent {
            kind: tangents.unwrap_or(if handle.is_some() {
                TangentKind::Free
            } else {
                defaults.tangents
            }),
            handle,
        };
        let [incoming, outgoing] = handles.map(side);
        let key = Key::new(self.rate.seconds(frame), value)
            .with_interpolation(interpolation)
            .with_tangents(incoming, outgoing);
        Some((frame, key))
    }

    /// Lowers a handle, `[frames, value]` relative to the key.
    fn handle<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        incoming: bool,
        one: One<'l, T>,
    ) -> Option<Handle<T>> {
        let Some([frames, value]) = value.list() else {
            self.wrong(
                Code::WrongType,
                at,
                format!("a handle is `[frames, value]` from its key, not {}", value.describe()),
                "expected `[frames, value]`".to_owned(),
                Some(if incoming { "in = [-4, 0]" } else { "out = [4, 0]" }.to_owned()),
            );
            return None;
        };
        let mut frames = self.frame(frames, &at.index(0))?;
        let value = one(self, &difference_of(field), value, &at.index(1))?;
        if if incoming { frames > 0.0 } else { frames < 0.0 } {
            let (name, direction, sign) =
                if incoming { ("in", "back", "negative") } else { ("out", "forwards", "positive") };
            self.find(
                Diagnostic::new(
                    Code::HandleBackwards,
                    format!(
                        "the handle `{name}` of a key of `{}` points in the wrong direction in time",
                        field.name
                    ),
                )
                .label(
                    at.span(),
                    at.path(),
                    format!("{} frames, but `{name}` points {direction}", number(frames)),
                )
                .help(format!("use a {sign} number of frames: {}", number(-frames)))
                .note("until then it is shortened to zero"),
            );
            frames = 0.0;
        }
        Some(Handle { time: self.rate.seconds(frames), value })
    }

    /// Lowers a word of `lariat_core::motion`.
    fn named<N: Named>(&mut self, name: &str, value: &Value, at: &Cursor, out: &mut N) {
        let Value::Text(word) = value else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`{name}` takes a word, not {}", value.describe()),
                "expected a word".to_owned(),
                Some(format!("write it like `{name} = \"{}\"`", N::NAMES[0].name)),
            );
            return;
        };
        match N::from_name(word) {
            Ok(found) => *out = found,
            Err(_) => {
                self.unknown_choice(name, word, N::NAMES.iter().map(|row| row.name), at);
            }
        }
    }

    /// Reports an error of the list of keys.
    pub(super) fn keys_error(&mut self, field: &Field, error: &KeysError, at: &Cursor) {
        let code = match error {
            KeysError::SameTime { .. } => Code::TwoKeysOnOneFrame,
            KeysError::OutOfOrder { .. } => Code::KeysOutOfOrder,
            KeysError::NotFinite { .. } => Code::NotFinite,
            KeysError::WrongWay { .. } => Code::HandleBackwards,
            KeysError::Empty | KeysError::NoKeyThere { .. } => Code::NoKeys,
            KeysError::TooLarge { .. } => Code::OutOfRange,
        };
        let problem = self.keys_message(error);
        let message = format!("the keys of `{}` cannot be used: {problem}", field.name);
        let at = error.index().map_or(*at, |index| at.index(index));
        let mut diagnostic = Diagnostic::new(code, message).label(at.span(), at.path(), "this key");
        diagnostic.severity = crate::check::Severity::Error;
        if matches!(error, KeysError::TooLarge { .. }) {
            diagnostic = diagnostic.help("move it closer to the shot and to the other keys");
        }
        self.find(diagnostic);
    }

    /// Message of an error of keys, with times in frames instead of seconds.
    fn keys_message(&self, error: &KeysError) -> String {
        let frame = |seconds: f64| self.frame_text(seconds);
        match *error {
            KeysError::TooLarge { index, what: "time", number, limit } => format!(
                "key {} is on frame {}, beyond the limit of frame {}",
                index + 1,
                frame(number),
                frame(limit.copysign(number))
            ),
            KeysError::OutOfOrder { index, time, previous } => format!(
                "key {} on frame {} comes after a key on frame {}; sort the keys by frame",
                index + 1,
                frame(time),
                frame(previous)
            ),
            KeysError::SameTime { index, time } => format!(
                "key {} on frame {} is too close to the key before it; remove one of them",
                index + 1,
                frame(time)
            ),
            KeysError::WrongWay { index, what, time } => format!(
                "key {}: its {what} points {} frames in the wrong direction",
                index + 1,
                frame(time.abs())
            ),
            _ => error.to_string(),
        }
    }
}
