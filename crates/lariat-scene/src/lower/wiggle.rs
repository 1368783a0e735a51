//! A parameter that oscillates.

use lariat_core::motion::wiggly::{
    Damping, Knot, Resonance, Setup, Slope, Spring, Start, Wiggly, WigglyError,
    default_overshoot_penalty,
};
use lariat_core::motion::{Animate, Channel};

use super::channel::{One, difference_of};
use super::{At, Lowering, Record};
use crate::{
    check::Code,
    format::number,
    schema::{self, Family, Field},
    value::{Table, Value},
};

/// Seconds after the shot up to which a moving equilibrium is still followed.
const AFTERWARDS: f64 = 60.0;

/// The table of a channel that oscillates or follows, and the channels in it.
pub(super) struct Opened<T, const N: usize> {
    pub(super) record: Option<Record>,
    /// Those that were asked for; nothing for what is not given, or wrong.
    pub(super) channels: [Option<Channel<T>>; N],
}

impl<'l> Lowering<'l> {
    /// `{ wiggle = …, hertz = … }`.
    pub(super) fn wiggle<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        table: &Table,
        at: &At,
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

    /// The table as a record, and the channels in it that are of the parameter's own kind.
    pub(super) fn open<T: Animate, const N: usize>(
        &mut self,
        family: &'static Family,
        value: &Value,
        table: &Table,
        at: &At,
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

    /// Solves it, and says what is wrong with it.
    fn oscillate<T: Animate>(
        &mut self,
        field: &Field,
        record: &Record,
        mut knots: Vec<Knot<T>>,
        (around, push): (Option<Channel<T>>, Option<Channel<T>>),
        at: &At,
    ) -> Option<Wiggly<T>> {
        if !self.check_wiggle_words(field, record, &knots, (around.as_ref(), push.as_ref()), at) {
            return None;
        }
        let mut spring = spring(record);
        if let Some(calm) = record.scalar("calm") {
            spring.overshoot_penalty = calm.at(0.0);
        }
        let mut setup = Setup::new(spring);
        (setup.around, setup.push) = (around, push);
        setup.until = self.last_second + AFTERWARDS;
        setup.start = match (record.choice("start"), record.scalar("rest-until")) {
            (_, Some(frame)) => Start::RestUntil(self.rate.seconds(frame.at(0.0))),
            (Some("free"), None) => Start::Free,
            _ => Start::Rest,
        };
        if record.switch("loop").is_some_and(|on| on.at(0.0)) {
            let closes = matches!(&knots[..], [first, .., last] if first.value == last.value);
            let [first, .., last] = &knots[..] else {
                self.bad_wiggle(
                    field,
                    at,
                    "a loop needs two keys or more",
                    "the last key is the first of the next round: repeat it there",
                );
                return None;
            };
            if !closes {
                self.bad_wiggle(
                    field,
                    at,
                    &format!(
                        "a loop ends where it began, but its first key is {} and its last {}",
                        said(&first.value),
                        said(&last.value)
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
                self.look_for_resonance(field, &wiggly, frame, at);
                Some(wiggly)
            }
            Err(WigglyError::Knot(error)) => {
                self.keys_error(field, &error, at);
                None
            }
            Err(error) => {
                let what = match &error {
                    WigglyError::RestsTooLong { until, first } => format!(
                        "it is to rest until frame {}, but its first key is on frame {}",
                        self.frame_said(*until),
                        self.frame_said(*first)
                    ),
                    WigglyError::ShortLoop { period, span } => format!(
                        "a loop of {} frames is too short for keys that are {} frames apart",
                        self.frame_said(*period),
                        self.frame_said(*span)
                    ),
                    other => other.to_string(),
                };
                let help = match &error {
                    WigglyError::RestsTooLong { first, .. } => format!(
                        "let it rest until frame {} at most, or remove the key",
                        self.frame_said(*first)
                    ),
                    WigglyError::Nothing => {
                        "give it keys, `wiggle = [[1, 0], [24, 35]]`, or `around`".to_owned()
                    }
                    WigglyError::Switch => "use `keys`: a switch jumps".to_owned(),
                    _ => "move its keys apart".to_owned(),
                };
                self.bad_wiggle(field, at, &what, &help);
                None
            }
        }
    }

    fn bad_wiggle(&mut self, field: &Field, at: &At, what: &str, help: &str) {
        self.wrong(
            Code::InvalidWiggle,
            at,
            format!("`{}` cannot wiggle like this: {what}", field.name),
            "these keys".to_owned(),
            Some(help.to_owned()),
        );
    }

    fn tell_of_resonance<T: Animate>(
        &mut self,
        field: &Field,
        wiggly: &Wiggly<T>,
        found: Resonance,
        frame: f64,
        at: &At,
    ) {
        let Resonance { half_periods, reach, asked, .. } = found;
        let (from, to) = (self.frame_said(found.from), self.frame_said(found.to));
        let half_period = (found.to - found.from) / half_periods.max(1e-9) / frame;
        let spring = &wiggly.setup().spring;
        let (place, label, mut help) = if let Some((time, slope)) = found.slope {
            // A swing passes its middle at the fastest.
            let enough = asked * std::f64::consts::TAU * wiggly.hertz(time);
            (
                format!(
                    "because it passes its key at frame {} with a slope of {}",
                    self.frame_said(time),
                    number(slope)
                ),
                "a slope of these keys throws the spring",
                format!(
                    "a swing as wide as the keys is nowhere steeper than {enough:.0} per second: lower the slope, or leave it out"
                ),
            )
        } else if half_periods < 0.5 {
            let apart = "move those keys further apart, or bring their values closer together";
            (
                format!("because its keys at frames {from} and {to} are so close"),
                "these keys are too close together for the spring",
                // A spring that hardly swings has no half of it to speak of.
                if half_period < 1e5 {
                    format!("half a swing is {half_period:.1} frames: {apart}, or raise `hertz`")
                } else {
                    apart.to_owned()
                },
            )
        } else if found.to.is_infinite() {
            (
                format!("after its last key at frame {from}"),
                "these keys throw the spring",
                "move the last keys further apart, or set one more where it should turn".to_owned(),
            )
        } else {
            let help = if half_periods < 200.0 {
                format!(
                    "half a swing is {half_period:.1} frames, and between those keys there are {half_periods:.2} of them: move a key by a few frames, change `hertz`, or set a key between them"
                )
            } else {
                "set a key between them, or move one of them".to_owned()
            };
            (
                format!("between its keys at frames {from} and {to}"),
                "these keys are in resonance with the spring",
                help,
            )
        };
        if spring.overshoot_penalty != default_overshoot_penalty(spring.kind) {
            help += "; and leave out `calm`, which is chosen so that this hardly happens";
        }
        self.wrong(
            Code::Overshoot,
            at,
            format!(
                "`{}` swings out to {reach:.3} {place}, while its keys ask for {asked:.3} at most",
                field.name
            ),
            label.to_owned(),
            Some(help),
        );
    }

    fn look_for_resonance<T: Animate>(
        &mut self,
        field: &Field,
        wiggly: &Wiggly<T>,
        frame: f64,
        at: &At,
    ) {
        if let Some(found) = wiggly.resonance() {
            self.tell_of_resonance(field, wiggly, found, frame, at);
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
                    "`{}` swings {} times a second, but {} frames a second show {} swings at most",
                    field.name,
                    number(fastest),
                    number((rate * 1e3).round() / 1e3),
                    number((0.5 * rate * 1e3).round() / 1e3)
                ),
                "faster than the frames".to_owned(),
                Some(
                    "lower `hertz`, or raise the frame rate; the curve itself is right at any rate"
                        .to_owned(),
                ),
            );
        }
    }

    /// The keys of a wiggle.
    fn knots<T: Animate>(
        &mut self,
        field: &Field,
        list: &Value,
        at: &At,
        one: One<'l, T>,
    ) -> Option<Vec<Knot<T>>> {
        let Value::List(list) = list else {
            self.wrong(
                Code::WrongType,
                at,
                format!("`wiggle` is a list, not {}", list.describe()),
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
        at: &At,
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
        self.check_key_words(field, table, at);
        for missing in ["frame", "value"] {
            if table.get(missing).is_none() {
                self.bad_key(
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

pub(super) fn said<T: Animate>(value: &T) -> String {
    let parts: Vec<String> = (0..T::PARTS).map(|i| number(value.part(i))).collect();
    if parts.len() == 1 { parts.concat() } else { format!("[{}]", parts.join(", ")) }
}

/// The spring that a table describes.
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
