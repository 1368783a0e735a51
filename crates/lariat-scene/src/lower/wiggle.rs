//! A parameter that oscillates, and one that follows another.
//!
//! What is followed is looked up in the document itself and lowered where it is needed: leaders
//! may stand before or after their followers, in any body.

use std::sync::Arc;

use lariat_core::motion::wiggly::{
    Follow, Knot, Loss, Setup, Slope, Spring, Start, Wiggly, WigglyError, default_calm,
};
use lariat_core::motion::{Animate, Channel};

use super::channel::{One, difference_of};
use super::{At, Lowering, Record, parameter};
use crate::{
    check::Code,
    format::number,
    schema::{self, Field, Kind},
    value::{Table, Value},
};

/// Seconds after the shot up to which a moving equilibrium is still followed.
const AFTERWARDS: f64 = 60.0;

/// Followers of followers of followers: deeper is a circle, or might as well be.
const DEEPEST: usize = 16;

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
        let errors = self.findings.errors();
        let record = self.record_of(&schema::WIGGLE, value, at);
        let nested = |own: &mut Self, name: &str, of: &Field| {
            let (position, value) = schema::WIGGLE.types[0].find_in(table, name)?;
            let at = at.field(name, position);
            own.channel(of, value, &at, one)
        };
        let around = nested(self, "around", &Field { animatable: true, ..*field });
        let push = nested(self, "push", &Field { animatable: true, ..difference_of(field) });
        let position = table.position("wiggle")?;
        let (_, list) = table.entry(position)?;
        let knots_at = at.field("wiggle", position);
        let knots = self.knots(field, list, &knots_at, one)?;
        let record = record?;
        if self.findings.errors() != errors {
            return None;
        }
        self.oscillate(field, &record, knots, (around, push), &knots_at).map(Channel::Wiggly)
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
            spring.calm = calm.at(0.0);
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
            Code::BadWiggle,
            at,
            format!("`{}` cannot wiggle like this: {what}", field.name),
            "these keys".to_owned(),
            Some(help.to_owned()),
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
            let (from, to) = (self.frame_said(found.from), self.frame_said(found.to));
            let half_period = (found.to - found.from) / found.half_periods.max(1e-9) / frame;
            let mut help = if found.half_periods > 0.5 && found.half_periods < 200.0 {
                format!(
                    "half a swing is {half_period:.1} frames, and between those keys there are {:.2} of them: move a key by a few frames, change `hertz`, or set a key between them",
                    found.half_periods
                )
            } else {
                "set a key between them, or move one of them".to_owned()
            };
            let spring = &wiggly.setup().spring;
            if spring.calm != default_calm(spring.kind) {
                help += "; and leave out `calm`, which is chosen so that this hardly happens";
            }
            self.wrong(
                Code::Resonant,
                at,
                format!(
                    "`{}` swings out to {:.3} between its keys at frames {from} and {to}, while its keys ask for {:.3} at most",
                    field.name, found.reach, found.asked
                ),
                "these keys are in resonance with the spring".to_owned(),
                Some(help),
            );
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
        let errors = self.findings.errors();
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
        if self.findings.errors() != errors {
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

    /// `{ follow = "tail.swing", lag = … }`.
    pub(super) fn follow<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        table: &Table,
        at: &At,
        one: One<'l, T>,
    ) -> Option<Channel<T>> {
        let errors = self.findings.errors();
        let record = self.record_of(&schema::FOLLOW, value, at);
        let around =
            schema::FOLLOW.types[0].find_in(table, "around").and_then(|(position, value)| {
                let at = at.field("around", position);
                self.channel(&Field { animatable: true, ..*field }, value, &at, one)
            });
        let record = record?;
        if self.findings.errors() != errors {
            return None;
        }
        let name = record.text("follow")?;
        let at = at.field("follow", table.position("follow")?);
        let leader = self.leader(field, name, &at, one)?;
        let number = |name: &str, default: f64| {
            record.scalar(name).cloned().unwrap_or(Channel::Constant(default))
        };
        let mut follow = Follow {
            leader: leader.leader,
            lag: number("lag", 0.0),
            gain: number("gain", 1.0),
            around,
        };
        // A follower's follower is one of the same leader, further behind.
        let through = (&leader.lag, &leader.gain, &follow.lag, &follow.gain);
        if let (
            Channel::Constant(a),
            Channel::Constant(b),
            Channel::Constant(c),
            Channel::Constant(d),
        ) = through
        {
            (follow.lag, follow.gain) = ((a + c).into(), (b * d).into());
        } else if leader.is_follower {
            self.wrong(
                Code::NothingToFollow,
                &at,
                format!("`{name}` follows something itself, and one of the two has keys in `lag` or `gain`"),
                "a follower".to_owned(),
                Some("follow what it follows".to_owned()),
            );
            return None;
        }
        if follow.around.is_none() {
            follow.around = leader.around;
        }
        Some(Channel::Following(Arc::new(follow)))
    }

    /// The wiggle at a path.
    fn leader<T: Animate>(
        &mut self,
        field: &Field,
        name: &str,
        at: &At,
        one: One<'l, T>,
    ) -> Option<Leader<T>> {
        let document = self.document?;
        let unknown = |own: &mut Self, why: String| {
            own.wrong(
                Code::UnknownChannel,
                at,
                format!("there is no parameter `{name}` to follow: {why}"),
                "no such parameter".to_owned(),
                Some(
                    "name a body and its parameter: \"tail.swing\", \"rope.waves[0].height\""
                        .to_owned(),
                ),
            );
            None
        };
        let (path, row) = match parameter::find(document, name) {
            Ok(found) => found,
            Err(why) => return unknown(self, why),
        };
        let nothing = |own: &mut Self, what: &str, help: &str| {
            own.wrong(
                Code::NothingToFollow,
                at,
                format!("`{name}` cannot be followed: {what}"),
                "nothing oscillates there".to_owned(),
                Some(help.to_owned()),
            );
            None
        };
        let Some(value) = document.get(&path) else {
            return nothing(
                self,
                "it is not given",
                "make it a wiggle: `{ wiggle = [[1, 0], [24, 35]], hertz = 2 }`",
            );
        };
        if !same_kind(row.kind, field.kind) {
            return nothing(
                self,
                "it is of another kind",
                "a number follows a number, a vector a vector",
            );
        }
        if self.depth >= DEEPEST {
            self.wrong(
                Code::FollowCycle,
                at,
                format!("`{name}` follows itself in the end"),
                "leads back here".to_owned(),
                Some("let one of them wiggle by itself".to_owned()),
            );
            return None;
        }
        // Its own findings are told where it stands.
        let mut there = Lowering::new(self.limits);
        (there.rate, there.document) = (self.rate, self.document);
        (there.last_second, there.depth) = (self.last_second, self.depth + 1);
        let places = crate::place::Places::none();
        let channel = there.channel(row, value, &At::top(&places), one);
        match channel {
            Some(Channel::Wiggly(leader)) => Some(Leader {
                leader,
                lag: 0.0.into(),
                gain: 1.0.into(),
                around: None,
                is_follower: false,
            }),
            Some(Channel::Following(follow)) => Some(Leader {
                leader: follow.leader.clone(),
                lag: follow.lag.clone(),
                gain: follow.gain.clone(),
                around: follow.around.clone(),
                is_follower: true,
            }),
            Some(Channel::Constant(_) | Channel::Keyed(_)) => nothing(
                self,
                "it has no phase, being a plain value or plain keys",
                "make it a wiggle: write `wiggle` instead of `keys`, and give it `hertz`",
            ),
            None if there.findings.finish().iter().any(|found| found.code == Code::FollowCycle) => {
                self.wrong(
                    Code::FollowCycle,
                    at,
                    format!("`{name}` follows itself in the end"),
                    "leads back here".to_owned(),
                    Some("let one of them wiggle by itself".to_owned()),
                );
                None
            }
            None => nothing(self, "it has errors of its own", "mend those first"),
        }
    }
}

/// What is followed, through how many followers ever.
struct Leader<T> {
    leader: Wiggly<T>,
    lag: Channel<f64>,
    gain: Channel<f64>,
    around: Option<Channel<T>>,
    is_follower: bool,
}

fn same_kind(a: Kind, b: Kind) -> bool {
    let parts = |kind| match kind {
        Kind::Scalar(_) | Kind::Scalars(..) => 1,
        Kind::Vector(_) | Kind::Vectors(..) | Kind::Anchor => 3,
        Kind::Colour | Kind::Colours => 4,
        _ => 0,
    };
    parts(a) == parts(b)
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
        number("half-life").map(Loss::HalfLife),
        number("damping").map(Loss::Ratio),
        number("decay").map(Loss::PerSecond),
        number("swings").map(Loss::Swings),
    ];
    if let Some(loss) = losses.into_iter().flatten().next() {
        spring = spring.with_loss(loss);
    }
    if record.is_given("bandwidth")
        && let Some(bandwidth) = number("bandwidth")
    {
        spring = spring.with_bandwidth(bandwidth);
    }
    if record.choice("kind") == Some("real") {
        spring = spring.real();
    }
    spring.calm = default_calm(spring.kind);
    spring
}
