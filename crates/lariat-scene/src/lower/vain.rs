//! What a wiggle says in vain, or against itself; and springs that leave their range.
//!
//! Two words that exclude each other are an error; a word that changes nothing is a warning. The
//! parameters of a spring are looked at here and not while frames are evaluated: by then the curve
//! is solved, and nobody asks for them again.
//!
//! Tests: `words_of_a_key_without_effect_are_told`, `words_of_a_spring_without_effect_are_told`,
//! `a_spring_begins_in_one_way`, `what_a_loop_is_around_comes_round`,
//! `a_spring_that_leaves_its_range_is_told_with_its_frames`.

use lariat_core::motion::wiggly::Knot;
use lariat_core::motion::{Animate, Channel};

use super::{At, Lowering, Record, model::fixed};
use crate::{
    check::{Code, Diagnostic, FrameRange},
    format::number,
    schema::{self, Field},
    value::Table,
};

/// What a value may differ by at the two ends of a round, relative to itself: a wiggle that comes
/// round does so to a rounding error. More would hide a small pop.
const SAME: f64 = 1e-9;

/// How many frames of a shot a spring is looked at, evenly: a shot of a million frames must not
/// make reading slow, and whatever strays for so short is not missed for long.
const MOST_FRAMES: u64 = 10_000;

/// The parameters of a spring that can be keyed.
const SPRING: [&str; 6] = ["hertz", "swings", "half-life", "damping", "decay", "bandwidth"];

/// Which way out of a channel that leaves its range.
fn back_into_range(channel: &Channel<f64>) -> &'static str {
    match channel {
        Channel::Following(_) => {
            "follow it with less `gain`, or `around` a value that leaves it room"
        }
        Channel::Wiggly(_) => "give it plain `keys`, or let it wiggle `around` another value",
        Channel::Keyed(_) | Channel::Constant(_) => {
            "add a key there, or say `tangents = \"clamped-auto\"` and `after = \"hold\"`, which never go beyond the keys"
        }
    }
}

/// "at frame 12", or "in frames 12–40, worst at frame 31".
fn when(frames: &FrameRange) -> String {
    let FrameRange { first, last, count, worst } = frames;
    if *count == 1 {
        format!("at frame {first}")
    } else if *count == last.abs_diff(*first) + 1 {
        format!("in frames {first}–{last}, worst at frame {worst}")
    } else {
        format!("in {count} frames between {first} and {last}, worst at frame {worst}")
    }
}

impl Lowering<'_> {
    /// Frames rather than seconds, for messages.
    pub(super) fn frame_said(&self, seconds: f64) -> String {
        let frame = self.rate.frame(seconds);
        // Keys between frames have a few digits; what division adds is nobody's.
        let rounded = (frame * 1e6).round() / 1e6;
        if rounded.fract() == 0.0 && rounded.abs() < 1e18 {
            format!("{rounded:.0}")
        } else {
            number(if rounded.is_finite() { rounded } else { frame })
        }
    }

    /// A key that has two slopes on one side, or is to be soft without any.
    pub(super) fn check_key_words(&mut self, field: &Field, table: &Table, at: &At) {
        let place = |name: &str| table.position(name);
        for one_of in schema::KNOT.types[0].one_of {
            let [first, second] = one_of.fields else { continue };
            let (Some(one), Some(other)) = (place(first), place(second)) else { continue };
            let what = format!("a key of `{}` has both `{first}` and `{second}`", field.name);
            self.find(
                Diagnostic::new(Code::OnlyOneOf, what)
                    .label(
                        at.field(second, other).name_span(),
                        at.field(second, other).path(),
                        "this says it again, differently",
                    )
                    .label(
                        at.field(first, one).name_span(),
                        at.field(first, one).path(),
                        "already said here",
                    )
                    .help("keep `slope` for both sides, or `in` and `out` for one each"),
            );
        }
        if let Some(soft) = place("soft")
            && ["slope", "in", "out"].into_iter().all(|name| place(name).is_none())
        {
            let at = at.field("soft", soft);
            self.find(
                Diagnostic::new(
                    Code::KeySettingIgnored,
                    format!("`soft` says nothing in a key of `{}`: it has no slope", field.name),
                )
                .label(at.name_span(), at.path(), "has no effect")
                .help("say which slope it is pulled to, like `slope = 0`, or leave it out"),
            );
        }
    }

    /// Words about the whole of a wiggle; whether it can be solved at all. `at` is the list of
    /// its keys.
    pub(super) fn check_wiggle_words<T: Animate>(
        &mut self,
        field: &Field,
        record: &Record,
        knots: &[Knot<T>],
        (around, push): (Option<&Channel<T>>, Option<&Channel<T>>),
        at: &At,
    ) -> bool {
        let errors = self.diagnostics.errors();
        let rings = record.switch("loop").is_some_and(|on| on.at(0.0));
        let free = record.choice("start") == Some("free");
        if record.is_given("rest-until") && free {
            self.exclude(
                field,
                record,
                ("rest-until", "start = \"free\""),
                "start",
                "at rest up to a frame, or in whatever swing suits the keys: keep one of them",
            );
        }
        if record.is_given("rest-until") && rings {
            self.exclude(
                field,
                record,
                ("rest-until", "loop"),
                "loop",
                "a loop has no beginning at which it could rest: keep one of them",
            );
        }
        if rings {
            let why = "a loop has no beginning";
            self.no_effect_if_given(record, "start", why, "leave it out");
        }
        self.check_bandwidth(record);
        self.check_spring_range(field, record);
        let Some(first) = knots.first() else { return self.diagnostics.errors() == errors };
        let driven = [around, push].into_iter().flatten().filter(|channel| !channel.is_constant());
        let earliest = driven.filter_map(|channel| channel.key_times().first().copied());
        let precedes = !free && earliest.fold(f64::INFINITY, f64::min) < first.time;
        let arrives = rings || record.is_given("rest-until") || precedes;
        if !arrives && first.left.is_some() && first.left != first.right {
            let what =
                format!("`in` of the first key of `{}` has nothing to arrive from", field.name);
            self.vain_key(
                what,
                "nothing comes before this key",
                "write `out`: the slope with which it leaves",
                &at.index(0),
            );
        }
        if let ([first, .., last], true) = (knots, rings) {
            self.check_round(field, first, last, around, &at.index(knots.len() - 1));
        }
        self.diagnostics.errors() == errors
    }

    fn check_round<T: Animate>(
        &mut self,
        field: &Field,
        first: &Knot<T>,
        last: &Knot<T>,
        around: Option<&Channel<T>>,
        at: &At,
    ) {
        let says = last.left.is_some() || last.right.is_some() || last.local;
        if says && (last.left, last.right, last.local) != (first.left, first.right, first.local) {
            let what = format!(
                "the last key of `{}` says more than its value, but in a loop it is the first of the next round",
                field.name
            );
            self.vain_key(what, "only its frame and value count", "say it in the first key", at);
        }
        let Some(around) = around else { return };
        let (begins, ends) = (around.at(first.time), around.at(last.time));
        let differ = |i: usize| {
            let (a, b) = (begins.part(i), ends.part(i));
            (a - b).abs() > SAME * a.abs().max(b.abs()).max(1.0)
        };
        if (0..T::PARTS).any(differ) {
            let (from, to) = (self.frame_said(first.time), self.frame_said(last.time));
            self.wrong(
                Code::LoopJumps,
                at,
                format!(
                    "`{}` is a loop around what does not come round: `around` is {} on frame {from} and {} on frame {to}",
                    field.name,
                    super::wiggle::said(&begins),
                    super::wiggle::said(&ends)
                ),
                format!("here `around` jumps, on frame {to} of every round"),
                Some(format!(
                    "give `around` on frame {to} the value that it has on frame {from}"
                )),
            );
        }
    }

    /// Two words of which one makes the other impossible.
    fn exclude(
        &mut self,
        field: &Field,
        record: &Record,
        (one, other): (&str, &str),
        second: &str,
        help: &str,
    ) {
        self.find(
            Diagnostic::new(
                Code::OnlyOneOf,
                format!("`{}` has both `{one}` and `{other}`", field.name),
            )
            .label(record.name_span(one), record.path_of(one), "cannot be beside the other")
            .label(record.name_span(second), record.path_of(second), "the other")
            .help(help),
        );
    }

    fn vain_key(&mut self, what: String, label: &str, help: &str, at: &At) {
        self.wrong(Code::KeySettingIgnored, at, what, label.to_owned(), Some(help.to_owned()));
    }

    /// The rhythm stretches by half of itself at most, and that of a real spring not at all.
    fn check_bandwidth(&mut self, record: &Record) {
        if !record.is_given("bandwidth") {
            return;
        }
        if record.choice("kind") == Some("real") {
            let why = "`kind = \"real\"` is sharp in its rhythm";
            self.no_effect(
                record,
                "bandwidth",
                why,
                "leave it out, or choose `kind = \"complex\"`",
            );
            return;
        }
        let constant = |name: &str| record.scalar(name).and_then(fixed);
        let (Some(hertz), Some(wide)) = (constant("hertz"), constant("bandwidth")) else { return };
        let most = 0.5 * hertz;
        if wide > most {
            self.find(
                Diagnostic::new(
                    Code::NoEffect,
                    format!(
                        "`bandwidth` has no effect beyond {} Hz, half of `hertz`",
                        number(most)
                    ),
                )
                .label(
                    record.span("bandwidth"),
                    record.path_of("bandwidth"),
                    format!("{} Hz, of which {} Hz count", number(wide), number(most)),
                )
                .help(format!("lower it to {} or less", number(most))),
            );
        }
    }

    /// Every frame of the shot at which a parameter of the spring is outside its range.
    fn check_spring_range(&mut self, field: &Field, record: &Record) {
        for name in SPRING {
            let Some(row) = record.record_type().field(name) else { continue };
            let Some(channel) = record.scalar(name).filter(|channel| !channel.is_constant()) else {
                continue;
            };
            let (mut frames, mut worst) = (None::<FrameRange>, (0.0, 0.0));
            let count = self.frames.end.saturating_sub(self.frames.start).unsigned_abs();
            let step = usize::try_from(count / MOST_FRAMES + 1).unwrap_or(usize::MAX);
            for frame in self.frames.clone().step_by(step) {
                let value = channel.at(self.rate.seconds(frame as f64));
                if row.range.contains(value) {
                    continue;
                }
                let off = (value - row.range.nearest(value)).abs();
                let seen = frames.get_or_insert(FrameRange {
                    first: frame,
                    last: frame,
                    count: 0,
                    worst: frame,
                });
                (seen.last, seen.count) = (frame, seen.count + 1);
                if seen.count == 1 || off > worst.1 {
                    (seen.worst, worst) = (frame, (value, off));
                }
            }
            let Some(frames) = frames else { continue };
            let when = when(&frames);
            let diagnostic = Diagnostic::new(
                Code::LeavesRange,
                format!("`{name}` of `{}` leaves its range between keys", field.name),
            )
            .label(
                record.span(name),
                record.path_of(name),
                format!("it comes to {:.4} {when}; it must be {}", worst.0, row.range.words()),
            )
            .help(back_into_range(channel))
            .at_frames(frames, vec![("value", worst.0)]);
            self.find(diagnostic);
        }
    }
}
