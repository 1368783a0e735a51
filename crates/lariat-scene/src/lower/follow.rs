//! A parameter that follows another.
//!
//! What is followed is looked up in the document itself and lowered where it is needed: leaders
//! may stand before or after their followers, in any body. What is on the way is kept, so that a
//! circle is found where it closes.
//!
//! Tests: `a_followers_follower_is_further_behind_keyed_or_not`, `what_is_followed_is_used`,
//! `a_follower_stands_before_or_after_its_leader`, `a_long_chain_is_no_circle`,
//! `all_that_lead_into_a_circle_are_told`, `what_branches_without_end_is_refused_at_once`.

use std::mem;
use std::sync::Arc;

use lariat_core::motion::wiggly::{Follow, Lag, Wiggly};
use lariat_core::motion::{Animate, Channel};

use super::channel::One;
use super::wiggle::Opened;
use super::{At, Lowering, parameter};
use crate::{
    check::Code,
    path::Path,
    place::Places,
    schema::{self, Field, Kind},
    value::{Table, Value},
};

/// Parameters that may be looked at for one that follows. Each is lowered within the one before, so
/// a much longer chain would overrun the stack; and where each needs the next twice, the work
/// doubles with every step.
const MOST_LEADERS: usize = 64;

#[cfg(test)]
thread_local! {
    /// Leaders that were looked at by this thread: a test counts work, not time.
    pub(super) static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The way from a parameter to what it follows in the end.
#[derive(Default)]
pub(super) struct Way {
    /// Leaders that are being lowered, each because of the one before.
    open: Vec<Path>,
    /// How many leaders have been looked at so far.
    looked: usize,
    /// More would have been needed than there may be.
    is_too_far: bool,
    /// Those that follow each other in a circle, if one was met.
    circle: Vec<Path>,
}

/// What is followed, through how many followers ever.
struct Leader<T> {
    leader: Wiggly<T>,
    lags: Vec<Lag>,
    around: Option<Channel<T>>,
}

/// Why something cannot be followed.
enum Unled {
    /// There is no such parameter, and why.
    Unknown(String),
    Absent,
    OtherKind,
    NoPhase,
    /// It is part of a circle.
    Circle,
    /// It leads into one.
    LeadsToCircle,
    TooFar,
    Wrong,
}

impl<'l> Lowering<'l> {
    /// `{ follow = "tail.swing", lag = … }`.
    pub(super) fn follow<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        table: &Table,
        at: &At,
        one: One<'l, T>,
    ) -> Option<Channel<T>> {
        let errors = self.diagnostics.errors();
        let wanted = [("around", *field)];
        let Opened { record, channels: [around] } =
            self.open(&schema::FOLLOW, value, table, at, wanted, one);
        let record = record?;
        if self.diagnostics.errors() != errors {
            return None;
        }
        let name = record.text("follow")?;
        let at = at.field("follow", table.position("follow")?);
        let leader = match self.leader(field, name, one)? {
            Ok(leader) => leader,
            Err(why) => {
                self.cannot_follow(name, &why, &at);
                return None;
            }
        };
        let number = |name: &str, default: f64| {
            record.scalar(name).cloned().unwrap_or(Channel::Constant(default))
        };
        // A follower's follower is one of the same leader, further behind.
        let mut lags = leader.lags;
        let own = Lag { degrees: number("lag", 0.0), gain: number("gain", 1.0) };
        match lags.last_mut().and_then(|last| last.then(&own)) {
            Some(both) => *lags.last_mut()? = both,
            None => lags.push(own),
        }
        let mut follow = Follow { leader: leader.leader, lags, around };
        if follow.around.is_none() {
            follow.around = leader.around;
        }
        Some(Channel::Following(Arc::new(follow)))
    }

    /// What oscillates at a path; nothing where there is no document to look in.
    fn leader<T: Animate>(
        &mut self,
        field: &Field,
        name: &str,
        one: One<'l, T>,
    ) -> Option<Result<Leader<T>, Unled>> {
        let document = self.document?;
        let (path, row) = match parameter::find(document, name) {
            Ok(found) => found,
            Err(why) => return Some(Err(Unled::Unknown(why))),
        };
        self.followed.push(path.clone());
        let Some(value) = document.get(&path) else { return Some(Err(Unled::Absent)) };
        if !same_kind(row.kind, field.kind) {
            return Some(Err(Unled::OtherKind));
        }
        Some(match self.channel_there(row, value, path, one) {
            Ok(Channel::Wiggly(leader)) => Ok(Leader { leader, lags: Vec::new(), around: None }),
            Ok(Channel::Following(follow)) => Ok(Leader {
                leader: follow.leader.clone(),
                lags: follow.lags.clone(),
                around: follow.around.clone(),
            }),
            Ok(Channel::Constant(_) | Channel::Keyed(_)) => Err(Unled::NoPhase),
            Err(why) => Err(why),
        })
    }

    /// The channel at another place of the document. Its own diagnostics are told where it stands.
    fn channel_there<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        path: Path,
        one: One<'l, T>,
    ) -> Result<Channel<T>, Unled> {
        if let Some(start) = self.way.open.iter().position(|open| *open == path) {
            self.way.circle = self.way.open[start..].to_vec();
            return Err(Unled::Circle);
        }
        if self.way.looked >= MOST_LEADERS {
            self.way.is_too_far = true;
            return Err(Unled::TooFar);
        }
        let mut there = Lowering::new(self.limits);
        (there.rate, there.document) = (self.rate, self.document);
        there.last_second = self.last_second;
        there.way = mem::take(&mut self.way);
        there.way.open.push(path);
        there.way.looked += 1;
        #[cfg(test)]
        LOOKED.with(|looked| looked.set(looked.get() + 1));
        let places = Places::none();
        let channel = there.channel(field, value, &At::top(&places), one);
        let mut way = there.way;
        let is_in_circle = way.open.pop().is_some_and(|path| way.circle.contains(&path));
        let why = if way.is_too_far {
            Unled::TooFar
        } else if is_in_circle {
            Unled::Circle
        } else if !way.circle.is_empty() {
            Unled::LeadsToCircle
        } else {
            Unled::Wrong
        };
        // Whatever else the parameter follows is another way.
        self.way = if way.open.is_empty() { Way::default() } else { way };
        channel.ok_or(why)
    }

    fn cannot_follow(&mut self, name: &str, why: &Unled, at: &At) {
        let cannot = |what: &str| format!("`{name}` cannot be followed: {what}");
        let (code, message, label, help) = match why {
            Unled::Unknown(why) => (
                Code::UnknownChannel,
                format!("there is no parameter `{name}` to follow: {why}"),
                "no such parameter",
                "name a body and its parameter: \"tail.swing\", \"rope.waves[0].height\"",
            ),
            Unled::Absent => (
                Code::NotOscillating,
                cannot("it is not given"),
                "nothing oscillates there",
                "make it a wiggle: `{ wiggle = [[1, 0], [24, 35]], hertz = 2 }`",
            ),
            Unled::OtherKind => (
                Code::NotOscillating,
                cannot("it is of another kind"),
                "nothing oscillates there",
                "a number follows a number, a vector a vector",
            ),
            Unled::NoPhase => (
                Code::NotOscillating,
                cannot("it has no phase, being a plain value or plain keys"),
                "nothing oscillates there",
                "make it a wiggle: write `wiggle` instead of `keys`, and give it `hertz`",
            ),
            Unled::Circle => (
                Code::FollowCycle,
                format!("`{name}` follows itself in the end"),
                "leads back here",
                "let one of them wiggle by itself",
            ),
            Unled::LeadsToCircle => (
                Code::FollowCycle,
                format!("`{name}` leads to parameters that follow each other in a circle"),
                "leads into a circle",
                "let one of them wiggle by itself",
            ),
            Unled::TooFar => (
                Code::NotOscillating,
                cannot(&format!("it leads to more than {MOST_LEADERS} parameters")),
                "leads too far",
                "follow what they all follow in the end, with the lags added up",
            ),
            Unled::Wrong => (
                Code::NotOscillating,
                cannot("it has errors of its own"),
                "nothing oscillates there",
                "mend those first",
            ),
        };
        self.wrong(code, at, message, label.to_owned(), Some(help.to_owned()));
    }
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
