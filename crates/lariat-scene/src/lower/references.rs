//! References by name, and attachments between bodies.
//!
//! A rope can be attached to a locator or to a point of another body, be clamped against a collider,
//! or be part of a compound; a camera can be attached like a rope. References are resolved when all
//! names are known. Cycles of attachments are reported. A body attached to something with errors is
//! skipped.

mod held_loads;
mod methods;
mod tied;

use std::{collections::HashMap, sync::Arc};

use super::{Cursor, Lowered, Lowering, Record, Shot, cursor::Trail};
use crate::{
    check::{Code, Diagnostic},
    document::Thing,
    path::{Path, Step},
    place::Span,
    schema::did_you_mean,
};

/// Kind of thing that a reference names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    Locator,
    Collider,
    Body,
    /// A body that becomes part of a compound.
    Part,
}

impl To {
    fn thing(self) -> Thing {
        match self {
            Self::Locator => Thing::Locator,
            Self::Collider => Thing::Collider,
            Self::Body | Self::Part => Thing::Body,
        }
    }

    fn unknown(self) -> Code {
        match self {
            Self::Locator => Code::UnknownLocator,
            Self::Collider => Code::UnknownCollider,
            Self::Body => Code::UnknownBody,
            Self::Part => Code::UnknownPart,
        }
    }
}

/// A reference to a name.
pub(super) struct Reference {
    /// Index of the body or camera with the reference.
    holder: usize,
    to: To,
    name: Arc<str>,
    span: Option<Span>,
    trail: Trail,
}

/// A defined name.
#[derive(Clone, Copy)]
pub(super) struct Named {
    /// Index among the things of its kind.
    pub(super) index: usize,
    pub(super) span: Option<Span>,
}

/// A body or camera in the graph of attachments. Nothing can be attached to a camera.
pub(super) struct Node {
    thing: Thing,
    pub(super) record: Option<Record>,
    name: Arc<str>,
    trail: Trail,
    span: Option<Span>,
    /// Bodies it is attached to, each with the index of its reference.
    on: Vec<(usize, usize)>,
    pub(super) valid: bool,
    /// Maximum number of points at any frame.
    pub(super) max_points: u64,
}

impl Node {
    /// Record of its dynamics, if it is simulated.
    fn dynamics(&self) -> Option<&Record> {
        let record = self.record.as_ref().filter(|record| record.has("dynamics"))?;
        record.record("dynamics")
    }

    /// Returns true for a simulated string.
    fn is_string(&self) -> bool {
        self.dynamics().is_some_and(|dynamics| dynamics.kind() == "string")
    }

    /// Returns true for a simulated solid, which strings can be tied to.
    fn is_rigid(&self) -> bool {
        self.dynamics().is_some_and(|dynamics| dynamics.kind() == "rigid")
    }

    pub(super) fn has_lights(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.has("bulb-spacing"))
    }
}

impl Lowering<'_> {
    /// Adds a reference.
    pub(super) fn refer(&mut self, to: To, name: &Arc<str>, at: &Cursor) {
        if let Some(holder) = self.holder {
            let (span, trail) = (at.span(), at.trail());
            self.references.push(Reference { holder, to, name: name.clone(), span, trail });
        }
    }

    /// Defines the name of a thing; reports duplicates.
    pub(super) fn name_thing(&mut self, thing: Thing, name: &str, index: usize, at: &Cursor) {
        if name.trim().is_empty() {
            self.wrong(
                Code::BlankName,
                at,
                format!("the name of a {thing} is blank"),
                "blank name".to_owned(),
                Some("give it a name, like \"rein\"".to_owned()),
            );
            return;
        }
        if thing == Thing::Collider && name == "floor" {
            self.wrong(
                Code::DuplicateName,
                at,
                "a collider cannot be named `floor`, which refers to the floor".to_owned(),
                "reserved name".to_owned(),
                Some("use another name, for example \"ground\"".to_owned()),
            );
            return;
        }
        let span = at.span();
        let named = Named { index, span };
        if let Some(first) = self.named.get(&(thing, Arc::from(name))).copied() {
            self.find(
                Diagnostic::new(
                    Code::DuplicateName,
                    format!("two {} have the name `{name}`", thing.plural()),
                )
                .label(span, at.path(), "used again here")
                .label(
                    first.span,
                    Path::root().field(thing.list()).index(first.index).field("name"),
                    "already used here",
                )
                .help(format!("rename one of them, for example to \"{name}-2\"")),
            );
        } else {
            let key = (thing, Arc::from(name));
            self.names.push(key.clone());
            self.named.insert(key, named);
        }
    }

    /// Resolves all references and assembles the things without errors.
    pub(super) fn finish(
        &mut self,
        plays: (Shot, Option<Span>),
        world: Record,
        locators: Vec<Option<Record>>,
        colliders: Vec<Option<Record>>,
        bodies: Vec<Body>,
        cameras: Vec<Body>,
    ) -> Lowered {
        let bodies = bodies.into_iter().map(|body| (Thing::Body, body));
        let cameras = cameras.into_iter().map(|camera| (Thing::Camera, camera));
        let mut nodes: Vec<Node> = bodies
            .chain(cameras)
            .map(|(thing, Body { record, name, trail, span })| Node {
                thing,
                valid: record.is_some(),
                record,
                name,
                trail,
                span,
                on: Vec::new(),
                max_points: 0,
            })
            .collect();
        let references = std::mem::take(&mut self.references);
        let mut used =
            Used { locators: vec![false; locators.len()], colliders: vec![false; colliders.len()] };
        let mut broken: Vec<(usize, String)> = Vec::new();
        for (which, reference) in references.iter().enumerate() {
            let key = (reference.to.thing(), reference.name.clone());
            let Some(Named { index, .. }) = self.named.get(&key).copied() else {
                self.unknown(reference);
                nodes[reference.holder].valid = false;
                continue;
            };
            let thing_valid = match reference.to {
                To::Locator => {
                    used.locators[index] = true;
                    locators[index].is_some()
                }
                To::Collider => {
                    used.colliders[index] = true;
                    colliders[index].is_some()
                }
                To::Body | To::Part => {
                    let twice = nodes[reference.holder]
                        .on
                        .iter()
                        .find(|(on, _)| *on == index)
                        .map(|(_, which)| *which)
                        .filter(|before| {
                            reference.to == To::Part && references[*before].to == To::Part
                        });
                    if let Some(before) = twice {
                        self.repeated_part(reference, &references[before]);
                        nodes[reference.holder].valid = false;
                    }
                    nodes[reference.holder].on.push((index, which));
                    true
                }
            };
            if !thing_valid {
                broken.push((
                    reference.holder,
                    format!("{} `{}`", reference.to.thing(), reference.name),
                ));
            }
        }
        // Followed locators and colliders count as used.
        for path in &self.followed {
            let [Step::Field(list), Step::Index(index), ..] = path.steps() else { continue };
            let all = match &**list {
                "locator" => &mut used.locators,
                "collider" => &mut used.colliders,
                _ => continue,
            };
            if let Some(used) = all.get_mut(*index) {
                *used = true;
            }
        }
        let order = self.find_cycles(&mut nodes, &references);
        self.find_strings_on_strings(&mut nodes, &references, &order);
        self.check_methods(&mut nodes);
        self.count_points(&mut nodes, &order, &locators);
        self.skip_dependents(&mut nodes, &broken);
        self.find_unused(Thing::Locator, &locators, &used.locators);
        self.find_unused(Thing::Collider, &colliders, &used.colliders);
        assemble(plays, world, locators, colliders, nodes)
    }

    fn unknown(&mut self, reference: &Reference) {
        let thing = reference.to.thing();
        if self.diagnostics.is_full() {
            return self.find(Diagnostic::new(reference.to.unknown(), ""));
        }
        let names: Vec<&str> = self
            .names
            .iter()
            .filter(|(other, _)| *other == thing)
            .map(|(_, name)| &**name)
            .collect();
        let name = &reference.name;
        let elsewhere = [Thing::Body, Thing::Locator]
            .into_iter()
            .find(|other| *other != thing && self.named.contains_key(&(*other, name.clone())));
        let help = if let (Some(other), To::Locator | To::Body) = (elsewhere, reference.to) {
            format!("there is a {other} with this name: write `{{ {other} = {name:?} }}`")
        } else if let Some(meant) = did_you_mean(name, names.iter().copied()) {
            format!("did you mean \"{meant}\"?")
        } else if names.is_empty() {
            format!(
                "the document has no {}: add `[[{thing}]]` with `name = {name:?}`",
                thing.plural()
            )
        } else {
            let some: Vec<String> =
                names.iter().take(8).map(|name| format!("\"{name}\"")).collect();
            let more = if names.len() > some.len() { ", …" } else { "" };
            format!("available: {}{more}", some.join(", "))
        };
        self.find(
            Diagnostic::new(reference.to.unknown(), format!("there is no {thing} named `{name}`"))
                .label(reference.span, reference.trail.path(), "unknown name")
                .help(help),
        );
    }

    fn repeated_part(&mut self, reference: &Reference, before: &Reference) {
        self.find(
            Diagnostic::new(
                Code::RepeatedPart,
                format!("`{}` is listed twice in the same compound", reference.name),
            )
            .label(reference.span, reference.trail.path(), "listed again here")
            .label(before.span, before.trail.path(), "first listed here")
            .help("a body can be a part only once; copy it under another name"),
        );
    }

    /// Reports cycles of attachments. Returns the bodies, each after those it is attached to. Uses an
    /// explicit stack, because a chain of bodies can be as long as the document.
    fn find_cycles(&mut self, nodes: &mut [Node], references: &[Reference]) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            InProgress,
            Done,
        }
        let mut seen = vec![Seen::Not; nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        for start in 0..nodes.len() {
            if seen[start] != Seen::Not {
                continue;
            }
            seen[start] = Seen::InProgress;
            let mut stack = vec![(start, 0)];
            while let Some((body, next)) = stack.last_mut() {
                let Some((on, _)) = nodes[*body].on.get(*next).copied() else {
                    seen[*body] = Seen::Done;
                    order.push(*body);
                    stack.pop();
                    continue;
                };
                *next += 1;
                match seen[on] {
                    Seen::Done => {}
                    Seen::Not => {
                        seen[on] = Seen::InProgress;
                        stack.push((on, 0));
                    }
                    Seen::InProgress => {
                        let from = stack.iter().position(|(body, _)| *body == on).unwrap_or(0);
                        let cycle: Vec<(usize, usize)> = stack[from..]
                            .iter()
                            .map(|(body, next)| (*body, nodes[*body].on[*next - 1].1))
                            .collect();
                        self.report_cycle(nodes, references, &cycle);
                    }
                }
            }
        }
        order
    }

    fn report_cycle(
        &mut self,
        nodes: &mut [Node],
        references: &[Reference],
        cycle: &[(usize, usize)],
    ) {
        // Only the first links of a long cycle are listed.
        const LISTED: usize = 8;
        let name = |body: usize| &*nodes[body].name;
        let mut names: Vec<&str> = cycle.iter().take(LISTED).map(|(body, _)| name(*body)).collect();
        let message = if let [only] = names[..] {
            format!("`{only}` is attached to itself")
        } else {
            if cycle.len() > LISTED {
                names.push("…");
            }
            names.push(name(cycle[0].0));
            let count = cycle.len();
            format!("{count} bodies are attached to each other in a cycle: {}", names.join(" → "))
        };
        let mut diagnostic = Diagnostic::new(Code::AttachmentCycle, message);
        for (body, which) in cycle.iter().take(LISTED) {
            let reference = &references[*which];
            diagnostic = diagnostic.label(
                reference.span,
                reference.trail.path(),
                format!("`{}` is attached to `{}`", nodes[*body].name, reference.name),
            );
        }
        self.find(diagnostic.help("attach one of them to a point or a locator instead"));
        for (body, _) in cycle {
            nodes[*body].valid = false;
        }
    }

    /// Reports strings attached to a string, or to a body that depends on one. All strings are
    /// simulated together, so their supports must be known before. Strings can be tied directly to
    /// simulated solids, which are part of the same simulation.
    fn find_strings_on_strings(
        &mut self,
        nodes: &mut [Node],
        references: &[Reference],
        order: &[usize],
    ) {
        // For each body, the string or solid that it is or depends on.
        let mut depends_on: Vec<Option<usize>> = vec![None; nodes.len()];
        for &body in order {
            let is_string = nodes[body].is_string();
            let tied = |on: usize| is_string && nodes[on].is_rigid();
            let free = nodes[body].on.iter().filter(|(on, _)| !tied(*on));
            let below = free.clone().find_map(|(on, which)| Some((depends_on[*on]?, *which)));
            if let (true, Some((moves, which))) = (is_string, below) {
                let reference = &references[which];
                let what = if nodes[moves].is_rigid() { "solid" } else { "string" };
                let (name, on, moves) = (&nodes[body].name, &reference.name, &nodes[moves].name);
                let message = if on == moves {
                    format!("string `{name}` is attached to the {what} `{on}`")
                } else {
                    format!(
                        "string `{name}` is attached to `{on}`, which depends on the {what} `{moves}`"
                    )
                };
                let help = match what {
                    "solid" => "tie it directly to the solid, with an `offset`",
                    _ => {
                        "attach it to a point, a locator or a body that does not depend on a string"
                    }
                };
                let mut diagnostic = Diagnostic::new(Code::StringOnString, message)
                    .label(reference.span, reference.trail.path(), "part of the same simulation")
                    .help(help);
                if what == "string" {
                    diagnostic = diagnostic.help(format!(
                        "or tie both to a bead, `[[body]]` with `name = \"bead\"`, `model = \"solid\"`, `shape = \"ball\"`, `radius = 0.01` and `dynamics = {{ kind = \"rigid\", mass = 0.01 }}`: hold `{name}` by `{{ body = \"bead\", offset = [0, 0, -0.01] }}`, and pin `{moves}` to `{{ body = \"bead\", offset = [0, 0, 0.01] }}`"
                    ));
                }
                let diagnostic =
                    diagnostic.note("all strings of a document are simulated together");
                self.find(diagnostic);
                nodes[body].valid = false;
            }
            let itself = is_string || nodes[body].is_rigid();
            depends_on[body] = if itself { Some(body) } else { below.map(|(moves, _)| moves) };
            if is_string {
                self.check_tied(nodes, body);
            }
            self.check_held_loads(nodes, body);
        }
    }

    /// Skips everything attached to something with errors.
    fn skip_dependents(&mut self, nodes: &mut [Node], broken: &[(usize, String)]) {
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (body, node) in nodes.iter().enumerate() {
            for (on, _) in &node.on {
                dependents[*on].push(body);
            }
        }
        let mut waiting: Vec<usize> = (0..nodes.len()).filter(|body| !nodes[*body].valid).collect();
        let mut skipped: Vec<(usize, String)> = Vec::new();
        for (body, because) in broken {
            if nodes[*body].valid {
                nodes[*body].valid = false;
                skipped.push((*body, because.clone()));
                waiting.push(*body);
            }
        }
        while let Some(bad) = waiting.pop() {
            for body in std::mem::take(&mut dependents[bad]) {
                if nodes[body].valid {
                    nodes[body].valid = false;
                    skipped.push((body, format!("body `{}`", nodes[bad].name)));
                    waiting.push(body);
                }
            }
        }
        skipped.sort_unstable();
        for (body, because) in skipped {
            let node = &nodes[body];
            self.find(
                Diagnostic::new(
                    Code::Skipped,
                    format!(
                        "{} `{}` is skipped because {because} has errors",
                        node.thing, node.name
                    ),
                )
                .label(node.span, node.trail.path(), format!("depends on {because}"))
                .help(format!("fix {because} first")),
            );
        }
    }

    fn find_unused(&mut self, thing: Thing, records: &[Option<Record>], used: &[bool]) {
        let (code, message) = match thing {
            Thing::Collider => (Code::UnusedCollider, "no body is clamped against"),
            _ => (Code::UnusedLocator, "nothing is attached to"),
        };
        for (record, used) in records.iter().zip(used) {
            if let (Some(record), false) = (record, used) {
                let name = record.name();
                let help = if thing == Thing::Collider {
                    format!(
                        "add `{{ kind = \"clamp\", against = {name:?} }}` to the `layers` of a body, or remove the collider"
                    )
                } else {
                    format!("use it: `from = {{ locator = {name:?} }}`, or remove it")
                };
                self.find(
                    Diagnostic::new(code, format!("{message} the {thing} `{name}`"))
                        .label(record.span("name"), record.path(), "not used")
                        .help(help),
                );
            }
        }
    }
}

/// A lowered thing with a name, valid or not.
pub(super) struct Body {
    pub(super) record: Option<Record>,
    pub(super) name: Arc<str>,
    pub(super) trail: Trail,
    pub(super) span: Option<Span>,
}

struct Used {
    locators: Vec<bool>,
    colliders: Vec<bool>,
}

fn assemble(
    (shot, frames_span): (Shot, Option<Span>),
    world: Record,
    locators: Vec<Option<Record>>,
    colliders: Vec<Option<Record>>,
    nodes: Vec<Node>,
) -> Lowered {
    let locators: Vec<Record> = locators.into_iter().flatten().collect();
    let colliders: Vec<Record> = colliders.into_iter().flatten().collect();
    // Index of each valid body; cameras come after all bodies and are not referenced.
    let mut place = vec![usize::MAX; nodes.len()];
    let mut count = 0;
    for (node, place) in nodes.iter().zip(&mut place) {
        if node.valid && node.thing == Thing::Body {
            *place = count;
            count += 1;
        }
    }
    let mut names = HashMap::with_capacity(count + locators.len() + colliders.len());
    for (thing, records) in [(Thing::Locator, &locators), (Thing::Collider, &colliders)] {
        for (index, record) in records.iter().enumerate() {
            names.insert((thing, Arc::from(record.name())), index);
        }
    }
    let mut bodies = Vec::with_capacity(count);
    let mut dependencies = Vec::with_capacity(count);
    let (mut skipped, mut skipped_cameras) = (Vec::new(), Vec::new());
    let mut cameras = Vec::new();
    let mut max_points = Vec::with_capacity(count);
    for node in nodes {
        match (node.valid, node.record) {
            (true, Some(record)) if node.thing == Thing::Camera => {
                names.insert((Thing::Camera, node.name), cameras.len());
                cameras.push(record);
            }
            (true, Some(record)) => {
                let mut on: Vec<usize> = node.on.iter().map(|(on, _)| place[*on]).collect();
                on.sort_unstable();
                on.dedup();
                names.insert((Thing::Body, node.name), bodies.len());
                bodies.push(record);
                dependencies.push(on);
                max_points.push(node.max_points);
            }
            _ if node.thing == Thing::Camera => skipped_cameras.push(node.name.to_string()),
            _ => skipped.push(node.name.to_string()),
        }
    }
    Lowered {
        shot,
        shot_valid: true,
        frames_span,
        world,
        world_valid: true,
        locators,
        colliders,
        cameras,
        bodies,
        skipped,
        skipped_cameras,
        dependencies,
        max_points,
        names,
    }
}
