//! Parameters that oscillate like springs.

use lariat_core::motion::wiggly::{
    Damping, Knot, Resonance, Setup, Slope, Spring, Start, Wiggly, WigglyError,
    default_overshoot_penalty,
};
use lariat_core::motion::{Animate, Channel};

use super::channel::{One, difference_of};
use super::{Cursor, Lowering, Record};
use crate::{
    check::Code,
    format::number,
    schema::{self, Family, Field},
    value::{Table, Value},
};

/// Seconds after the shot for which a moving rest position is still followed.
const SECONDS_AFTER_SHOT: f64 = 60.0;

/// Table of a wiggle or follower, and the channels in it.
pub(super) struct Opened<T, const N: usize> {
    pub(super) record: Option<Record>,
    /// Requested channels; `None` for missing or invalid ones.
    pub(super) channels: [Option<Channel<T>>; N],
}

impl<'l> Lowering<'l> {
    /// Lowers `{ wiggle = …, hertz = … }`.
    pub(super) fn wiggle<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        table: &Table,
        at: &Cursor,
        one: One<'l, T>,
    ) -> Option<Channel<T>> {
        let errors = self.diagnostics.errors();
        let wanted = [("around", *field), ("push", difference_of(field))];
        let Opened { record, channels: [around, push] } =
            self.open(&schema::WIGGLE, value, table, at, wanted, one);
        let position = table.position("wiggle")?;
        let (_, list) = table.entry(position)?;
        let knots_at = at.field("wiggle", position);
        let knots = self.knots(field, list, &knots_at, one)?;
        let record = record?;
        if self.diagnostics.errors() != errors {
            return None;
        }
        self.oscillate(field, &record, knots, (around, push), &knots_at).map(Channel::Wiggly)
    }

    /// Lowers the table to a record, and the channels in it that have the type of the parameter.
    pub(super) fn open<T: Animate, const N: usize>(
        &mut self,
        family: &'static Family,
        value: &Value,
        table: &Table,
        at: &Cursor,
        wanted: [(&str, Field); N],
        one: One<'l, T>,
    ) -> Opened<T, N> {
        let record = self.record_of(family, value, at);
        let channels = wanted.map(|(name, field)| {
            let (position, value) = family.types[0].find_in(table, name)?;
            let field = Field { animatable: true, ..field };
            self.channel(&field, value, &at.field(name, position), one)
        });
        Opened { record, channels }
    }

    /// Solves the wiggle, and reports its problems.
    fn oscillate<T: Animate>(
        &mut self,
        field: &Field,
        record: &Record,
        mut knots: Vec<Knot<T>>,
        (around, push): (Option<Channel<T>>, Option<Channel<T>>),
        at: &Cursor,
    ) -> Option<Wiggly<T>> {
        if !self.check_wiggle_settings(field, record, &knots, (around.as_ref(), push.as_ref()), at)
        {
            return None;
        }
        let mut spring = spring(record);
        if let Some(penalty) = record.scalar("overshoot-penalty") {
            spring.overshoot_penalty = penalty.at(0.0);
        }
        let mut setup = Setup::new(spring);
        (setup.around, setup.push) = (around, push);
        setup.until = self.last_second + SECONDS_AFTER_SHOT;
        setup.start = match (record.choice("start"), record.scalar("rest-until")) {
            (_, Some(frame)) => Start::RestUntil(self.rate.seconds(frame.at(0.0))),
            (Some("free"), None) => Start::Free,
            _ => Start::Rest,
        };
        if record.switch("loop").is_some_and(|on| on.at(0.0)) {
            let closes = matches!(&knots[..], [first, .., last] if first.value == last.value);
            let [first, .., last] = &knots[..] else {
                self.invalid_wiggle(
                    field,
                    at,
                    "a loop needs at least two keys",
                    "repeat the first key at the end of the loop",
                );
                return None;
            };
            if !closes {
                self.invalid_wiggle(
                    field,
                    at,
                    &format!(
                        "the first and last key of a loop must be equal, but are {} and {}",
                        value_text(&first.value),
                        value_text(&last.value)
                    ),
                    "give the last key the value of the first",
                );
                return None;
            }
            setup.period = Some(last.time - first.time);
            knots.pop();
        }
        let frame = self.rate.seconds(1.0);
        match Wiggly::new(knots, setup) {
            Ok(wiggly) => {
                self.check_overshoot(field, &wiggly, frame, at);
                Some(wiggly)
            }
            Err(WigglyError::Knot(error)) => {
                self.keys_error(field, &error, at);
                None
            }
            Err(error) => {
                let what = match &error {
                    WigglyError::RestsTooLong { until, first } => format!(
                        "it rests until frame {}, but its first key is on frame {}",
                        self.frame_text(*until),
                        self.frame_text(*first)
                    ),
                    WigglyError::ShortLoop { period, span } => format!(
                        "a loop of {} frames is too short for keys that are {} frames apart",
                        self.frame_text(*period),
                        self.frame_text(*span)
                    ),
                    other => other.to_string(),
                };
                let help = match &error {
                    WigglyError::RestsTooLong { first, .. } => format!(
                        "let it rest until frame {} at most, or remove the key",
                        self.frame_text(*first)
                    ),
                    WigglyError::Nothing => {
                        "add keys, `wiggle = [[1, 0], [24, 35]]`, or `around`".to_owned()
                    }
                    WigglyError::Switch => "use `keys` for a switch".to_owned(),
                    _ => "move its keys further apart".to_owned(),
                };
                self.invalid_wiggle(field, at, &what, &help);
                None
            }
        }
    }

    fn invalid_wiggle(&mut self, field: &Field, at: &Cursor, what: &str, help: &str) {
        self.wrong(
            Code::InvalidWiggle,
            at,
            format!("invalid wiggle for `{}`: {what}", field.name),
            "these keys".to_owned(),
            Some(help.to_owned()),
        );
    }

    fn report_overshoot<T: Animate>(
        &mut self,
        field: &Field,
        wiggly: &Wiggly<T>,
        found: Resonance,
        frame: f64,
        at: &Cursor,
    ) {
        let Resonance { half_periods, reach, asked, .. } = found;
        let (from, to) = (self.frame_text(found.from), self.frame_text(found.to));
        let half_period = (found.to - found.from) / half_periods.max(1e-9) / frame;
        let spring = &wiggly.setup().spring;
        let (place, label, mut help) = if let Some((time, slope)) = found.slope {
            // An oscillation is steepest at its rest position.
            let enough = asked * std::f64::consts::TAU * wiggly.hertz(time);
            (
                format!(
                    "because it passes its key at frame {} with a slope of {}",
                    self.frame_text(time),
                    number(slope)
                ),
                "a slope of these keys is too steep",
                format!(
                    "a swing as wide as the keys has a slope of at most {enough:.0} per second: lower the slope, or remove it"
                ),
            )
        } else if half_periods < 0.5 {
            let apart = "move those keys further apart, or bring their values closer together";
            (
                format!("because its keys at frames {from} and {to} are so close"),
                "these keys are too close together for the spring",
                // The period of an almost constant spring is meaningless.
                if half_period < 1e5 {
                    format!("half a period is {half_period:.1} frames: {apart}, or raise `hertz`")
                } else {
                    apart.to_owned()
                },
            )
        } else if found.to.is_infinite() {
            (
                format!("after its last key at frame {from}"),
                "these keys cause an overshoot",
                "move the last keys further apart, or add a key where the motion should turn"
                    .to_owned(),
            )
        } else {
            let help = if half_periods < 200.0 {
                format!(
                    "half a period is {half_period:.1} frames, and those keys are {half_periods:.2} half periods apart: move a key by a few frames, change `hertz`, or add a key between them"
                )
            } else {
                "add a key between them, or move one of them".to_owned()
            };
            (
                format!("between its keys at frames {from} and {to}"),
                "these keys are in resonance with the spring",
                help,
            )
        };
        if spring.overshoot_penalty != default_overshoot_penalty(spring.kind) {
            help += "; also remove `overshoot-penalty`: its default rarely lets this happen";
        }
        self.wrong(
            Code::Overshoot,
            at,
            format!(
                "`{}` overshoots to {reach:.3} {place}; its keys reach {asked:.3} at most",
                field.name
            ),
            label.to_owned(),
            Some(help),
        );
    }

    fn check_overshoot<T: Animate>(
        &mut self,
        field: &Field,
        wiggly: &Wiggly<T>,
        frame: f64,
        at: &Cursor,
    ) {
        if let Some(found) = wiggly.resonance() {
            self.report_overshoot(field, wiggly, found, frame, at);
        }
        let spring = &wiggly.setup().spring;
        let times = spring.hertz.key_times();
        let fastest =
            times.iter().map(|t| spring.hertz.at(*t)).fold(spring.hertz.at(0.0), f64::max);
        let rate = 1.0 / frame;
        if fastest > 0.5 * rate {
            self.wrong(
                Code::FasterThanFrames,
                at,
                format!(
                    "`{}` oscillates at {} Hz, but {} frames per second can show at most {} Hz",
                    field.name,
                    number(fastest),
                    number((rate * 1e3).round() / 1e3),
                    number((0.5 * rate * 1e3).round() / 1e3)
                ),
                "too fast for the frame rate".to_owned(),
                Some(
                    "lower `hertz`, or raise the frame rate; the curve itself is correct"
                        .to_owned(),
                ),
            );
        }
    }

    /// Lowers the keys of a wiggle.
    fn knots<T: Animate>(
        &mut self,
        field: &Field,
        list: &Value,
        at: &Cursor,
        one: One<'l, T>,
    ) -> Option<Vec<Knot<T>>> {
        let Value::List(list) = list else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`wiggle` takes a list, not {}", list.describe()),
                "expected `[[frame, value], …]`".to_owned(),
                Some("write it like `wiggle = [[1, 0], [24, 35]]`".to_owned()),
            );
            return None;
        };
        self.count_keys(field, list.len(), at)?;
        let mut knots = Vec::with_capacity(list.len());
        let mut order = super::channel::Order::of_a_wiggle();
        let mut good = true;
        for (index, value) in list.iter().enumerate() {
            let at = at.index(index);
            let Some((frame, knot)) = self.knot(field, value, &at, one) else {
                good = false;
                continue;
            };
            order.next(self, field, frame, &at);
            knots.push(knot);
        }
        (good && order.is_kept()).then_some(knots)
    }

    fn knot<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        at: &Cursor,
        one: One<'l, T>,
    ) -> Option<(f64, Knot<T>)> {
        let Value::Table(table) = value else {
            let (frame, value) = self.short_key(field, value, at, one)?;
            return Some((frame, Knot::new(self.rate.seconds(frame), value)));
        };
        let errors = self.diagnostics.errors();
        let record_type = schema::KNOT.types[0];
        let (mut frame, mut knot_value, mut soft) = (None, None, None);
        let (mut left, mut right, mut local) = (None, None, false);
        let steep = difference_of(field);
        for (position, (name, value)) in table.iter().enumerate() {
            let at = at.field(name, position);
            match name {
                "frame" => frame = self.frame(value, &at),
                "value" => knot_value = one(self, field, value, &at),
                "slope" => {
                    left = one(self, &steep, value, &at);
                    right = left;
                }
                "in" => left = one(self, &steep, value, &at),
                "out" => right = one(self, &steep, value, &at),
                "soft" => {
                    let row = record_type.field("soft")?;
                    soft = self.number(row, value, &at);
                }
                "local" => {
                    let row = record_type.field("local")?;
                    local = self.one_switch(row, value, &at).unwrap_or(false);
                }
                _ => self.unknown_field(record_type, None, name, &at),
            }
        }
        self.check_key_settings(field, table, at);
        for missing in ["frame", "value"] {
            if table.get(missing).is_none() {
                self.invalid_key(
                    field,
                    &format!("a table without `{missing}`"),
                    "write it like `{ frame = 24, value = 0.5 }`",
                    at,
                );
            }
        }
        if self.diagnostics.errors() != errors {
            return None;
        }
        let side = |slope: Option<T>| {
            slope.map(|slope| match soft {
                Some(strength) => Slope::Soft(slope, strength),
                None => Slope::Hard(slope),
            })
        };
        let (frame, value) = (frame?, knot_value?);
        let mut knot =
            Knot::new(self.rate.seconds(frame), value).with_slopes(side(left), side(right));
        knot.local = local;
        Some((frame, knot))
    }
}

pub(super) fn value_text<T: Animate>(value: &T) -> String {
    let parts: Vec<String> = (0..T::PARTS).map(|i| number(value.part(i))).collect();
    if parts.len() == 1 { parts.concat() } else { format!("[{}]", parts.join(", ")) }
}

/// Creates the spring that a table describes.
fn spring(record: &Record) -> Spring {
    let number = |name: &str| record.scalar(name).cloned();
    let hertz = number("hertz").unwrap_or(Channel::Constant(0.0));
    let mut spring = Spring::new(hertz);
    let losses = [
        number("half-life").map(Damping::HalfLife),
        number("damping").map(Damping::Ratio),
        number("decay").map(Damping::PerSecond),
        number("swings").map(Damping::Swings),
    ];
    if let Some(loss) = losses.into_iter().flatten().next() {
        spring = spring.with_damping(loss);
    }
    if record.is_given("bandwidth")
        && let Some(bandwidth) = number("bandwidth")
    {
        spring = spring.with_bandwidth(bandwidth);
    }
    if record.choice("kind") == Some("real") {
        spring = spring.real();
    }
    spring.overshoot_penalty = default_overshoot_penalty(spring.kind);
    spring
}
