//! Forces, weights and torques at held places of a simulated rope, which have no effect.
//!
//! This is a common mistake: loads act at the last end unless `at` is given, and most models hold that
//! end. A place that is held only part of the time is fine, and so is one tied to a simulated solid,
//! which receives the load.
//!
//! Positions along a string are rounded to particles. Without `segments` their number is not known
//! here, and only loads exactly at a held place are reported.
//!
//! Tests: `a_load_at_a_held_place_is_reported`, `a_place_held_for_a_while_receives_loads`,
//! `a_solid_receives_loads_where_it_is_tied`.

use lariat_core::motion::Channel;

use super::Node;
use crate::{
    check::{Code, Diagnostic},
    format::number,
    lower::{Anchor, Lowering, Record, model::fixed},
};

/// Lists of loads, with the parameter for their amount and its unit.
const LOADS: [(&str, &str, &str); 3] =
    [("forces", "force", "N"), ("weights", "mass", "kg"), ("torques", "torque", "N m")];

/// Ends of a rope: the parameters for its attachment, whether it is held, and whether it can turn.
const ENDS: [(&str, &str, &str); 2] =
    [("from", "hold-start", "swivel-start"), ("to", "hold-end", "swivel-end")];

/// Tolerance for equal positions along a rope, 0–1. It covers rounding errors.
const SAME: f64 = 1e-9;

/// A held place of a rope.
struct Hold<'r> {
    /// Position along the rope, 0–1.
    at: f64,
    /// Whether it is active; always if `None`.
    on: Option<&'r Channel<bool>>,
    /// Whether the rope can turn there; always at a pin.
    turns: Option<&'r Channel<bool>>,
    /// Index of the end; `None` for a pin.
    end: Option<usize>,
}

impl Lowering<'_> {
    /// Reports loads on a simulated rope at places that are held for as long as they act.
    pub(super) fn check_held_loads(&mut self, nodes: &[Node<'_>], body: usize) {
        let (Some(rope), Some(record)) = (nodes[body].dynamics(), &nodes[body].record) else {
            return;
        };
        let loads = |list: &str| if rope.has(list) { rope.records(list) } else { &[] };
        if LOADS.iter().all(|(list, ..)| loads(list).is_empty()) {
            return;
        }
        let holds = holds(&nodes[body], record, rope, nodes);
        let segments = rope.has("segments").then(|| rope.integer("segments")).flatten();
        // Positions on a string are rounded to particles; a torque acts on the segment that starts there.
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
        for (list, amount, unit) in LOADS {
            for load in loads(list) {
                let Some(at) = load.scalar("at") else { continue };
                // Without twist all torques are ineffective, which is reported elsewhere.
                if list == "torques" && no_twist {
                    continue;
                }
                let on = load.has("on").then(|| load.switch("on")).flatten();
                let is_torque = list == "torques";
                let carries = |hold: &&Hold<'_>, t: f64| {
                    same(at.at(t), hold.at, i64::from(is_torque))
                        && hold.on.is_none_or(|on| on.at(t))
                        && (!is_torque || hold.turns.is_some_and(|turns| !turns.at(t)))
                };
                let constant = at.is_constant()
                    && is_constant(load, amount)
                    && on.is_none_or(Channel::is_constant)
                    && holds.iter().all(|hold| {
                        [hold.on, hold.turns].into_iter().flatten().all(Channel::is_constant)
                    });
                let times = if constant { &times[..times.len().min(1)] } else { &times[..] };
                let (mut holder, mut most) = (None, 0.0_f64);
                let mut acting = times.iter().filter(|t| {
                    on.is_none_or(|on| on.at(**t)) && amount_at(load, amount, **t) > 0.0
                });
                let carried = acting.all(|t| {
                    most = most.max(amount_at(load, amount, *t));
                    holder = holds.iter().find(|hold| carries(hold, *t));
                    holder.is_some()
                });
                if let (true, Some(hold)) = (carried, holder) {
                    self.report_held_load(record.name(), load, (amount, unit), most, hold);
                }
            }
        }
    }

    fn report_held_load(
        &mut self,
        name: &str,
        load: &Record,
        (amount, unit): (&str, &str),
        most: f64,
        hold: &Hold<'_>,
    ) {
        let place = match hold.end {
            Some(0) => "its start".to_owned(),
            Some(_) => "its end".to_owned(),
            None => format!("the pin at {}", number(hold.at)),
        };
        let given = load.is_given("at");
        let default = if given { "" } else { ", the default of `at`" };
        let field = if given { "at" } else { amount };
        let free = match hold.end.map(|end| ENDS[end]) {
            Some((_, hold, swivel)) if amount == "torque" => format!(
                "let that end turn with `{swivel} = true`, twist it with `{}`, or release it with `{hold} = false`",
                swivel.replace("swivel", "twist")
            ),
            Some((_, hold, _)) => format!("release that end with `{hold} = false`"),
            None => "switch the pin off with `on`".to_owned(),
        };
        self.find(
            Diagnostic::new(
                Code::NoEffect,
                format!("`{amount}` has no effect here: `{name}` is held where it acts"),
            )
            .label(
                load.span(field),
                load.path_of(field),
                format!("{} {unit} at {place}{default}", number(most)),
            )
            .help(format!("choose another place, like `at = 0.5`, or {free}"))
            .note("the support carries everything that acts there"),
        );
    }
}

/// Held places of a rope, except those tied to simulated solids, which can move.
fn holds<'r>(
    node: &Node<'_>,
    record: &'r Record,
    rope: &'r Record,
    nodes: &[Node<'_>],
) -> Vec<Hold<'r>> {
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
        // Without a setting, the model decides.
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

/// Returns true if the amount of a load is constant.
fn is_constant(load: &Record, amount: &str) -> bool {
    match amount {
        "force" => load.vector(amount).is_none_or(Channel::is_constant),
        _ => load.scalar(amount).is_none_or(Channel::is_constant),
    }
}

/// Amount of a load at a time.
fn amount_at(load: &Record, amount: &str, t: f64) -> f64 {
    match amount {
        "force" => load.vector(amount).map_or(0.0, |force| force.at(t).length()),
        _ => load.scalar(amount).map_or(0.0, |size| size.at(t).abs()),
    }
}
