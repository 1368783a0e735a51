//! Settings of a wiggle that have no effect or exclude each other, and springs out of range.
//!
//! Settings that exclude each other are errors; settings without effect are warnings. The range of
//! spring parameters is checked here because evaluation only sees the solved curve.
//!
//! Tests: `ineffective_settings_of_a_key_are_reported`, `ineffective_settings_of_a_spring_are_reported`,
//! `rest_until_excludes_a_free_start_and_a_loop`, `around_of_a_loop_is_equal_at_both_ends`,
//! `a_spring_out_of_range_reports_its_frames`.

use lariat_core::motion::wiggly::Knot;
use lariat_core::motion::{Animate, Channel};

use super::{Cursor, Lowering, Record, model::fixed};
use crate::{
    check::{Code, Diagnostic, FrameRange},
    format::number,
    schema::{self, Field},
    value::Table,
};

/// Relative tolerance for equal values at the two ends of a loop. It covers rounding errors; a larger
/// one would hide small jumps.
const SAME: f64 = 1e-9;

/// Maximum number of frames at which the range of a spring is checked, evenly spaced over the shot,
/// so that long shots are not slow to read.
const MOST_FRAMES: u64 = 10_000;

/// Parameters of a spring that can be keyed.
const SPRING: [&str; 6] = ["hertz", "swings", "half-life", "damping", "decay", "bandwidth"];

/// Help for a channel that leaves its range.
fn back_into_range(channel: &Channel<f64>) -> &'static str {
    match channel {
        Channel::Following(_) => "reduce `gain`, or change `around`",
        Channel::Wiggly(_) => "use plain `keys`, or change `around`",
        Channel::Keyed(_) | Channel::Constant(_) => {
            "add a key there, or use `tangents = \"clamped-auto\"` and `after = \"hold\"`, which never overshoot the keys"
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
    /// Formats a time in frames.
    pub(super) fn frame_text(&self, seconds: f64) -> String {
        let frame = self.rate.frame(seconds);
        // Rounds away the error of the conversion from seconds.
        let rounded = (frame * 1e6).round() / 1e6;
        if rounded.fract() == 0.0 && rounded.abs() < 1e18 {
            format!("{rounded:.0}")
        } else {
            number(if rounded.is_finite() { rounded } else { frame })
        }
    }

    /// Reports a key with two slopes on one side, or with `soft` but no slope.
    pub(super) fn check_key_settings(&mut self, field: &Field, table: &Table, at: &Cursor) {
        let place = |name: &str| table.position(name);
        for one_of in schema::KNOT.types[0].one_of {
            let [first, second] = one_of.fields else { continue };
            let (Some(one), Some(other)) = (place(first), place(second)) else { continue };
            let message = format!("a key of `{}` has both `{first}` and `{second}`", field.name);
            self.find(
                Diagnostic::new(Code::OnlyOneOf, message)
                    .label(
                        at.field(second, other).name_span(),
                        at.field(second, other).path(),
                        format!("conflicts with `{first}`"),
                    )
                    .label(
                        at.field(first, one).name_span(),
                        at.field(first, one).path(),
                        "given here",
                    )
                    .help("use `slope` for both sides, or `in` and `out` for each side"),
            );
        }
        if let Some(soft) = place("soft")
            && ["slope", "in", "out"].into_iter().all(|name| place(name).is_none())
        {
            let at = at.field("soft", soft);
            self.find(
                Diagnostic::new(
                    Code::KeySettingIgnored,
                    format!("`soft` has no effect in a key of `{}` without a slope", field.name),
                )
                .label(at.name_span(), at.path(), "has no effect")
                .help("add a slope, like `slope = 0`, or remove it"),
            );
        }
    }

    /// Checks the settings of a wiggle; returns true if it can be solved. `at` is the list of its
    /// keys.
    pub(super) fn check_wiggle_settings<T: Animate>(
        &mut self,
        field: &Field,
        record: &Record,
        knots: &[Knot<T>],
        (around, push): (Option<&Channel<T>>, Option<&Channel<T>>),
        at: &Cursor,
    ) -> bool {
        let errors = self.diagnostics.errors();
        let loops = record.switch("loop").is_some_and(|on| on.at(0.0));
        let free = record.choice("start") == Some("free");
        if record.is_given("rest-until") && free {
            self.exclude(
                field,
                record,
                ("rest-until", "start = \"free\""),
                "start",
                "keep one of them: the first starts at rest, the second with any motion that fits the keys",
            );
        }
        if record.is_given("rest-until") && loops {
            self.exclude(
                field,
                record,
                ("rest-until", "loop"),
                "loop",
                "a loop has no start at which it could rest: keep one of them",
            );
        }
        if loops {
            let why = "a loop has no start";
            self.no_effect_if_given(record, "start", why, "remove it");
        }
        self.check_bandwidth(record);
        self.check_spring_range(field, record);
        let Some(first) = knots.first() else { return self.diagnostics.errors() == errors };
        let driven = [around, push].into_iter().flatten().filter(|channel| !channel.is_constant());
        let earliest = driven.filter_map(|channel| channel.key_times().first().copied());
        let precedes = !free && earliest.fold(f64::INFINITY, f64::min) < first.time;
        let arrives = loops || record.is_given("rest-until") || precedes;
        if !arrives && first.left.is_some() && first.left != first.right {
            let message = format!("`in` has no effect on the first key of `{}`", field.name);
            self.ineffective_key(
                message,
                "there is no curve before this key",
                "use `out` for the slope after the key",
                &at.index(0),
            );
        }
        if let ([first, .., last], true) = (knots, loops) {
            self.check_loop_ends(field, first, last, around, &at.index(knots.len() - 1));
        }
        self.diagnostics.errors() == errors
    }

    fn check_loop_ends<T: Animate>(
        &mut self,
        field: &Field,
        first: &Knot<T>,
        last: &Knot<T>,
        around: Option<&Channel<T>>,
        at: &Cursor,
    ) {
        let has_settings = last.left.is_some() || last.right.is_some() || last.local;
        if has_settings
            && (last.left, last.right, last.local) != (first.left, first.right, first.local)
        {
            let message = format!(
                "the last key of `{}` has settings, but in a loop it is the first key of the next cycle",
                field.name
            );
            self.ineffective_key(
                message,
                "only its frame and value are used",
                "set them on the first key",
                at,
            );
        }
        let Some(around) = around else { return };
        let (begins, ends) = (around.at(first.time), around.at(last.time));
        let differs = |i: usize| {
            let (a, b) = (begins.part(i), ends.part(i));
            (a - b).abs() > SAME * a.abs().max(b.abs()).max(1.0)
        };
        if (0..T::PARTS).any(differs) {
            let (from, to) = (self.frame_text(first.time), self.frame_text(last.time));
            self.wrong(
                Code::LoopJumps,
                at,
                format!(
                    "`around` of the loop `{}` differs at its two ends: it is {} on frame {from} and {} on frame {to}",
                    field.name,
                    super::wiggle::value_text(&begins),
                    super::wiggle::value_text(&ends)
                ),
                "`around` jumps here, at the end of every cycle".to_owned(),
                Some(format!(
                    "give `around` the same value on frame {to} as on frame {from}"
                )),
            );
        }
    }

    /// Reports two settings that exclude each other.
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
            .label(record.name_span(one), record.path_of(one), "excludes the other")
            .label(record.name_span(second), record.path_of(second), "the other")
            .help(help),
        );
    }

    fn ineffective_key(&mut self, message: String, label: &str, help: &str, at: &Cursor) {
        self.wrong(Code::KeySettingIgnored, at, message, label.to_owned(), Some(help.to_owned()));
    }

    /// Reports a bandwidth above half of `hertz`, or of a real spring.
    fn check_bandwidth(&mut self, record: &Record) {
        if !record.is_given("bandwidth") {
            return;
        }
        if record.choice("kind") == Some("real") {
            let why = "`kind = \"real\"` has a fixed frequency";
            self.no_effect(record, "bandwidth", why, "remove it, or choose `kind = \"complex\"`");
            return;
        }
        let constant = |name: &str| record.scalar(name).and_then(fixed);
        let (Some(hertz), Some(wide)) = (constant("hertz"), constant("bandwidth")) else { return };
        let most = 0.5 * hertz;
        if wide > most {
            self.find(
                Diagnostic::new(
                    Code::NoEffect,
                    format!("`bandwidth` has no effect above {} Hz, half of `hertz`", number(most)),
                )
                .label(
                    record.span("bandwidth"),
                    record.path_of("bandwidth"),
                    format!("{} Hz, limited to {} Hz", number(wide), number(most)),
                )
                .help(format!("lower it to {} or less", number(most))),
            );
        }
    }

    /// Reports the frames at which a parameter of the spring is out of range.
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
                format!("reaches {:.4} {when}; must be {}", worst.0, row.range.words()),
            )
            .help(back_into_range(channel))
            .at_frames(frames, vec![("value", worst.0)]);
            self.find(diagnostic);
        }
    }
}
