//! Parameters that follow another.
//!
//! A leader is looked up in the document and lowered on demand, so it may come before or after its
//! followers, in any body. The chain of leaders is recorded in order to detect cycles.
//!
//! Tests: `lags_of_a_chain_of_followers_add_up`, `a_followed_locator_counts_as_used`,
//! `a_follower_comes_before_or_after_its_leader`, `a_long_chain_is_not_a_cycle`,
//! `all_parameters_that_lead_into_a_cycle_are_reported`,
//! `a_branching_chain_without_end_is_rejected_at_once`.

use std::mem;
use std::sync::Arc;

use lariat_core::motion::wiggly::{Follow, Lag, Wiggly};
use lariat_core::motion::{Animate, Channel};

use super::channel::One;
use super::wiggle::Opened;
use super::{Cursor, Lowering, parameter};
use crate::{
    check::Code,
    path::Path,
    place::Places,
    schema::{self, Field, Kind},
    value::{Table, Value},
};

/// Maximum number of leaders that are lowered for one follower. The lowering is recursive, so a much
/// longer chain would overflow the stack; and if each leader needs the next one twice, the work
/// doubles with every level.
const MOST_LEADERS: usize = 64;

#[cfg(test)]
thread_local! {
    /// Number of leaders that this thread lowered, for a test of the amount of work.
    pub(super) static LEADERS_LOWERED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// State of the search for the leader of a parameter.
#[derive(Default)]
pub(super) struct LeaderSearch {
    /// Leaders being lowered, each for the one before.
    open: Vec<Path>,
    /// Number of leaders lowered so far.
    lowered: usize,
    /// Whether the maximum was exceeded.
    is_too_long: bool,
    /// Parameters of the cycle, if one was found.
    cycle: Vec<Path>,
}

/// Wiggle at the end of a chain of followers.
struct Leader<T> {
    leader: Wiggly<T>,
    lags: Vec<Lag>,
    around: Option<Channel<T>>,
}

/// Reason why a parameter cannot be followed.
enum CannotFollow {
    /// The parameter does not exist, with a reason.
    Unknown(String),
    Absent,
    OtherKind,
    NoPhase,
    /// It is part of a cycle.
    Cycle,
    /// It leads into a cycle.
    LeadsToCycle,
    TooLong,
    Invalid,
}

impl<'l> Lowering<'l> {
    /// Lowers `{ follow = "tail.swing", lag = … }`.
    pub(super) fn follow<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        table: &Table,
        at: &Cursor,
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
        // A follower of a follower follows the same leader with a larger lag.
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

    /// Finds the wiggle at a path; `None` if there is no document.
    fn leader<T: Animate>(
        &mut self,
        field: &Field,
        name: &str,
        one: One<'l, T>,
    ) -> Option<Result<Leader<T>, CannotFollow>> {
        let document = self.document?;
        let (path, row) = match parameter::find(document, name) {
            Ok(found) => found,
            Err(why) => {
                self.reads.add_everything();
                return Some(Err(CannotFollow::Unknown(why)));
            }
        };
        self.reads.add(&path);
        self.followed.push(path.clone());
        let Some(value) = document.get(&path) else { return Some(Err(CannotFollow::Absent)) };
        if !same_kind(row.kind, field.kind) {
            return Some(Err(CannotFollow::OtherKind));
        }
        Some(match self.channel_there(row, value, path, one) {
            Ok(Channel::Wiggly(leader)) => Ok(Leader { leader, lags: Vec::new(), around: None }),
            Ok(Channel::Following(follow)) => Ok(Leader {
                leader: follow.leader.clone(),
                lags: follow.lags.clone(),
                around: follow.around.clone(),
            }),
            Ok(Channel::Constant(_) | Channel::Keyed(_)) => Err(CannotFollow::NoPhase),
            Err(why) => Err(why),
        })
    }

    /// Lowers the channel at another place of the document. Its diagnostics are reported there.
    fn channel_there<T: Animate>(
        &mut self,
        field: &Field,
        value: &Value,
        path: Path,
        one: One<'l, T>,
    ) -> Result<Channel<T>, CannotFollow> {
        if let Some(start) = self.leaders.open.iter().position(|open| *open == path) {
            self.leaders.cycle = self.leaders.open[start..].to_vec();
            return Err(CannotFollow::Cycle);
        }
        if self.leaders.lowered >= MOST_LEADERS {
            self.leaders.is_too_long = true;
            return Err(CannotFollow::TooLong);
        }
        let mut there = Lowering::new(self.limits);
        (there.rate, there.document) = (self.rate, self.document);
        there.last_second = self.last_second;
        there.leaders = mem::take(&mut self.leaders);
        there.leaders.open.push(path);
        there.leaders.lowered += 1;
        #[cfg(test)]
        LEADERS_LOWERED.with(|count| count.set(count.get() + 1));
        let places = Places::none();
        let channel = there.channel(field, value, &Cursor::top(&places), one);
        self.reads.append(there.reads);
        let mut leaders = there.leaders;
        let is_in_cycle = leaders.open.pop().is_some_and(|path| leaders.cycle.contains(&path));
        let why = if leaders.is_too_long {
            CannotFollow::TooLong
        } else if is_in_cycle {
            CannotFollow::Cycle
        } else if !leaders.cycle.is_empty() {
            CannotFollow::LeadsToCycle
        } else {
            CannotFollow::Invalid
        };
        // Another follower within the parameter starts a new chain.
        self.leaders = if leaders.open.is_empty() { LeaderSearch::default() } else { leaders };
        channel.ok_or(why)
    }

    fn cannot_follow(&mut self, name: &str, why: &CannotFollow, at: &Cursor) {
        let cannot = |what: &str| format!("`{name}` cannot be followed: {what}");
        let (code, message, label, help) = match why {
            CannotFollow::Unknown(why) => (
                Code::UnknownChannel,
                format!("there is no parameter `{name}` to follow: {why}"),
                "unknown parameter",
                "write a body and its parameter: \"tail.swing\", \"rope.waves[0].height\"",
            ),
            CannotFollow::Absent => (
                Code::NotOscillating,
                cannot("it is not set"),
                "does not oscillate",
                "make it a wiggle: `{ wiggle = [[1, 0], [24, 35]], hertz = 2 }`",
            ),
            CannotFollow::OtherKind => (
                Code::NotOscillating,
                cannot("it has another type"),
                "does not oscillate",
                "a number can follow only a number, and a vector only a vector",
            ),
            CannotFollow::NoPhase => (
                Code::NotOscillating,
                cannot("it is constant or has plain keys, and does not oscillate"),
                "does not oscillate",
                "make it a wiggle: write `wiggle` instead of `keys`, and add `hertz`",
            ),
            CannotFollow::Cycle => (
                Code::FollowCycle,
                format!("`{name}` follows itself through other parameters"),
                "leads back here",
                "make one of them a wiggle",
            ),
            CannotFollow::LeadsToCycle => (
                Code::FollowCycle,
                format!("`{name}` leads to parameters that follow each other in a cycle"),
                "leads into a cycle",
                "make one of them a wiggle",
            ),
            CannotFollow::TooLong => (
                Code::NotOscillating,
                cannot(&format!("it depends on more than {MOST_LEADERS} parameters")),
                "too many leaders",
                "follow the first leader directly, with the lags added up",
            ),
            CannotFollow::Invalid => (
                Code::NotOscillating,
                cannot("it has errors"),
                "does not oscillate",
                "fix those first",
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
