//! What pulls at a simulated rope, hangs on it or wrings it where it is held: the hand bears all of
//! it, and the rope feels nothing.
//!
//! That is a slip, and an easy one: a force or weight is at the last end unless its `at` says so, and
//! most models hold that end. What is held for a while only is good, and so is what is tied to a solid
//! that is simulated, for that feels it.
//!
//! Places are particles of a string once it is simulated. Without `segments` nobody knows here how many
//! there are, and only what is exactly where a rope is held is told.
//!
//! Tests: `what_pulls_where_a_rope_is_held_is_told`, `what_is_held_for_a_while_feels_what_pulls`,
//! `a_solid_feels_what_pulls_where_it_is_tied`.

use lariat_core::motion::Channel;

use super::Node;
use crate::{
    check::{Code, Diagnostic},
    format::number,
    lower::{Anchor, Lowering, Record, model::fixed},
};

/// Lists of what acts at a place, the parameter that says how much, its unit, and what is
/// done.
const ACTS: [(&str, &str, &str, &str); 3] = [
    ("forces", "force", "N", "is pulled"),
    ("weights", "mass", "kg", "is weighed down"),
    ("torques", "torque", "N m", "is wrung"),
];

/// Ends of a rope: the parameter of its model that holds it, whether it is held, and whether it turns.
const ENDS: [(&str, &str, &str); 2] =
    [("from", "hold-start", "swivel-start"), ("to", "hold-end", "swivel-end")];

/// Places as near as this along a rope are one, 0–1. Less: a third is not a third.
const SAME: f64 = 1e-9;

/// What holds a place of a rope.
struct Hold<'r> {
    /// Where along it, 0–1.
    at: f64,
    /// Whether it does; always, if nothing says so.
    on: Option<&'r Channel<bool>>,
    /// Whether it lets the rope turn there; a pin always does.
    turns: Option<&'r Channel<bool>>,
    /// Which end it is; nothing for a pin.
    end: Option<usize>,
}

impl Lowering<'_> {
    /// What acts on a simulated rope in vain, because the place is held as long as it does.
    pub(super) fn check_borne(&mut self, nodes: &[Node], body: usize) {
        let (Some(rope), Some(record)) = (nodes[body].dynamics(), &nodes[body].record) else {
            return;
        };
        let acts = |list: &str| if rope.has(list) { rope.records(list) } else { &[] };
        if ACTS.iter().all(|(list, ..)| acts(list).is_empty()) {
            return;
        }
        let holds = holds(&nodes[body], record, rope, nodes);
        let segments = rope.has("segments").then(|| rope.integer("segments")).flatten();
        // Places of a string that are one particle are one; what wrings is at the segment that begins there.
        let same = |a: f64, b: f64, last: i64| match segments {
            Some(count) => {
                let [a, b] = [a, b].map(|u| (u * count as f64).round().min((count - last) as f64));
                a == b
            }
            None => (a - b).abs() <= SAME,
        };
        let start = rope.scalar("start").and_then(fixed).unwrap_or(self.frames.start as f64);
        let frames = self.frames.clone().map(|frame| frame as f64).filter(|frame| *frame >= start);
        let times: Vec<f64> = frames.map(|frame| self.rate.seconds(frame)).collect();
        let no_twist = rope.has("twist-by") && rope.choice("twist-by") == Some("none");
        for (list, amount, unit, does) in ACTS {
            for act in acts(list) {
                let Some(at) = act.scalar("at") else { continue };
                // Without twist all of them are in vain, which is told elsewhere.
                if list == "torques" && no_twist {
                    continue;
                }
                let on = act.has("on").then(|| act.switch("on")).flatten();
                let wrings = list == "torques";
                let bears = |hold: &&Hold<'_>, t: f64| {
                    same(at.at(t), hold.at, i64::from(wrings))
                        && hold.on.is_none_or(|on| on.at(t))
                        && (!wrings || hold.turns.is_some_and(|turns| !turns.at(t)))
                };
                let constant = at.is_constant()
                    && is_constant(act, amount)
                    && on.is_none_or(Channel::is_constant)
                    && holds.iter().all(|hold| {
                        [hold.on, hold.turns].into_iter().flatten().all(Channel::is_constant)
                    });
                let times = if constant { &times[..times.len().min(1)] } else { &times[..] };
                let (mut holder, mut most) = (None, 0.0_f64);
                let mut acting = times
                    .iter()
                    .filter(|t| on.is_none_or(|on| on.at(**t)) && how_much(act, amount, **t) > 0.0);
                let borne = acting.all(|t| {
                    most = most.max(how_much(act, amount, *t));
                    holder = holds.iter().find(|hold| bears(hold, *t));
                    holder.is_some()
                });
                if let (true, Some(hold)) = (borne, holder) {
                    self.borne(record.name(), act, (amount, unit, does), most, hold);
                }
            }
        }
    }

    fn borne(
        &mut self,
        name: &str,
        act: &Record,
        (amount, unit, does): (&str, &str, &str),
        most: f64,
        hold: &Hold<'_>,
    ) {
        let place = match hold.end {
            Some(0) => "its start".to_owned(),
            Some(_) => "its end".to_owned(),
            None => format!("the pin at {}", number(hold.at)),
        };
        let given = act.is_given("at");
        let whose = if given { "" } else { ", where it is unless `at` says otherwise" };
        let field = if given { "at" } else { amount };
        let free = match hold.end.map(|end| ENDS[end]) {
            Some((_, hold, swivel)) if amount == "torque" => format!(
                "let that end turn with `{swivel} = true`, turn it with `{}`, or let it go with `{hold} = false`",
                swivel.replace("swivel", "twist")
            ),
            Some((_, hold, _)) => format!("let that end go with `{hold} = false`"),
            None => "turn the pin off with `on`".to_owned(),
        };
        self.find(
            Diagnostic::new(
                Code::NoEffect,
                format!("`{amount}` has no effect here: `{name}` is held where it {does}"),
            )
            .label(
                act.span(field),
                act.path_of(field),
                format!("{} {unit} at {place}{whose}", number(most)),
            )
            .help(format!("say where else along it, like `at = 0.5`, or {free}"))
            .note("what holds a place bears all that acts there"),
        );
    }
}

/// Everything that holds a rope, but for solids that are simulated: those give way.
fn holds<'r>(node: &Node, record: &'r Record, rope: &'r Record, nodes: &[Node]) -> Vec<Hold<'r>> {
    let rigid: Vec<&str> = node
        .on
        .iter()
        .map(|(on, _)| &nodes[*on])
        .filter(|on| on.is_rigid())
        .map(|on| &*on.name)
        .collect();
    let tied = |of: &Record, field: &str| {
        let string = node.is_string() && of.has(field);
        let anchor = string.then(|| of.anchor(field)).flatten();
        matches!(anchor, Some(Anchor::Body { name, .. }) if rigid.contains(&&**name))
    };
    let switch = |of: &'r Record, name: &str| of.has(name).then(|| of.switch(name)).flatten();
    let mut holds = Vec::new();
    for (end, (anchor, hold, swivel)) in ENDS.into_iter().enumerate() {
        let on = switch(rope, hold);
        // Nothing said: as its model has it.
        if tied(record, anchor) || (on.is_none() && !record.has(anchor)) {
            continue;
        }
        holds.push(Hold { at: end as f64, on, turns: switch(rope, swivel), end: Some(end) });
    }
    for pin in rope.records("pins") {
        let Some(at) = pin.scalar("at").and_then(fixed).filter(|_| !tied(pin, "to")) else {
            continue;
        };
        holds.push(Hold { at, on: switch(pin, "on"), turns: None, end: None });
    }
    holds
}

/// Whether what acts is always the same.
fn is_constant(act: &Record, amount: &str) -> bool {
    match amount {
        "force" => act.vector(amount).is_none_or(Channel::is_constant),
        _ => act.scalar(amount).is_none_or(Channel::is_constant),
    }
}

/// The size of what acts, at a time.
fn how_much(act: &Record, amount: &str, t: f64) -> f64 {
    match amount {
        "force" => act.vector(amount).map_or(0.0, |force| force.at(t).length()),
        _ => act.scalar(amount).map_or(0.0, |size| size.at(t).abs()),
    }
}
