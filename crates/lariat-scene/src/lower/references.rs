//! References by name, and attachments between bodies.
//!
//! A rope can be attached to a locator or to a point of another body, be clamped against a collider,
//! or be part of a compound; a camera can be attached like a rope. References are resolved when all
//! names are known. Cycles of attachments are reported. A body attached to something with errors is
//! skipped.

mod held_loads;
mod methods;
mod tied;

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use super::{
    Cursor, Link, Lowered, Lowering, Names, Record, Units, cursor::Trail, diagnostics::Diagnostics,
    slot_of, unit::Unit,
};
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

/// A reference of a body or camera to a name.
#[derive(Debug)]
pub(super) struct Reference {
    to: To,
    name: Arc<str>,
    span: Option<Span>,
    pub(super) trail: Trail,
}

/// A defined name.
#[derive(Clone, Copy)]
pub(super) struct Named {
    /// Index among the things of its kind.
    pub(super) index: usize,
    pub(super) span: Option<Span>,
}

/// A body or camera in the graph of attachments. Nothing can be attached to a camera.
pub(super) struct Node<'u> {
    thing: Thing,
    unit: &'u Unit,
    pub(super) record: Option<Arc<Record>>,
    name: Arc<str>,
    /// Bodies it is attached to, each with the index of its reference.
    on: Vec<(usize, usize)>,
    pub(super) valid: bool,
    /// Maximum number of points at any frame.
    pub(super) max_points: u64,
}

impl<'u> Node<'u> {
    fn new(thing: Thing, unit: &'u Unit) -> Self {
        let record = unit.valid_record().cloned();
        Self {
            thing,
            unit,
            valid: record.is_some(),
            record,
            name: unit.name.clone().unwrap_or_default(),
            on: Vec::new(),
            max_points: 0,
        }
    }

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
        if self.refers {
            let (span, trail) = (at.span(), at.trail());
            self.references.push(Reference { to, name: name.clone(), span, trail });
        }
    }

    /// Defines the name of a thing; reports duplicates. Returns true if the name is valid.
    pub(super) fn name_thing(
        &mut self,
        thing: Thing,
        name: &Arc<str>,
        index: usize,
        span: Option<Span>,
    ) -> bool {
        let path_of = |index: usize| Path::root().field(thing.list()).index(index).field("name");
        if name.trim().is_empty() {
            self.find(
                Diagnostic::new(Code::BlankName, format!("the name of a {thing} is blank"))
                    .label(span, path_of(index), "blank name")
                    .help("give it a name, like \"rein\""),
            );
            return false;
        }
        if thing == Thing::Collider && **name == *"floor" {
            self.find(
                Diagnostic::new(
                    Code::DuplicateName,
                    "a collider cannot be named `floor`, which refers to the floor",
                )
                .label(span, path_of(index), "reserved name")
                .help("use another name, for example \"ground\""),
            );
            return false;
        }
        match self.named.entry((thing, name.clone())) {
            Entry::Vacant(vacant) => {
                self.names.push(vacant.key().clone());
                vacant.insert(Named { index, span });
                true
            }
            Entry::Occupied(first) => {
                let first = *first.get();
                self.find(
                    Diagnostic::new(
                        Code::DuplicateName,
                        format!("two {} have the name `{name}`", thing.plural()),
                    )
                    .label(span, path_of(index), "used again here")
                    .label(first.span, path_of(first.index), "already used here")
                    .help(format!("rename one of them, for example to \"{name}-2\"")),
                );
                false
            }
        }
    }

    /// Resolves all references and assembles the things without errors.
    pub(super) fn finish(&mut self, units: &Units) -> Lowered {
        let nodes = [Thing::Body, Thing::Camera].into_iter();
        let nodes = nodes.flat_map(|t| units.of(t).iter().map(move |unit| Node::new(t, unit)));
        let mut nodes: Vec<Node<'_>> = nodes.collect();
        let records = |thing: Thing| -> Vec<Option<Arc<Record>>> {
            units.of(thing).iter().map(|unit| unit.valid_record().cloned()).collect()
        };
        let (locators, colliders) = (records(Thing::Locator), records(Thing::Collider));
        let holders = nodes.iter().enumerate();
        let holders =
            holders.flat_map(|(i, node)| node.unit.references.iter().map(move |r| (i, r)));
        let (holders, references): (Vec<usize>, Vec<&Reference>) = holders.unzip();
        let mut used =
            Used { locators: vec![false; locators.len()], colliders: vec![false; colliders.len()] };
        let mut broken: Vec<(usize, String)> = Vec::new();
        // Index of the thing that each reference names, among its kind.
        let mut targets: Vec<usize> = Vec::with_capacity(references.len());
        for (which, (holder, reference)) in holders.iter().copied().zip(&references).enumerate() {
            let key = (reference.to.thing(), reference.name.clone());
            let Some(Named { index, .. }) = self.named.get(&key).copied() else {
                self.unknown(reference);
                nodes[holder].valid = false;
                targets.push(usize::MAX);
                continue;
            };
            targets.push(index);
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
                    let twice = nodes[holder]
                        .on
                        .iter()
                        .find(|(on, _)| *on == index)
                        .map(|(_, which)| *which)
                        .filter(|before| {
                            reference.to == To::Part && references[*before].to == To::Part
                        });
                    if let Some(before) = twice {
                        self.repeated_part(reference, references[before]);
                        nodes[holder].valid = false;
                    }
                    nodes[holder].on.push((index, which));
                    true
                }
            };
            if !thing_valid {
                broken.push((holder, format!("{} `{}`", reference.to.thing(), reference.name)));
            }
        }
        // Followed locators and colliders count as used.
        for path in units.all().flat_map(|unit| &unit.followed) {
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
        self.assemble(units, nodes, &targets)
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
    fn find_cycles(&mut self, nodes: &mut [Node<'_>], references: &[&Reference]) -> Vec<usize> {
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
        nodes: &mut [Node<'_>],
        references: &[&Reference],
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
        nodes: &mut [Node<'_>],
        references: &[&Reference],
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
            self.check_attached(nodes, body, is_string);
        }
    }

    /// Checks a simulated body together with the bodies it is attached to, unless they are as before.
    fn check_attached(&mut self, nodes: &[Node<'_>], body: usize, is_string: bool) {
        let node = &nodes[body];
        if node.dynamics().is_none() {
            return;
        }
        let revision = |node: &Node<'_>| node.record.as_ref().map(|_| node.unit.revision);
        let key = (node.unit.revision, node.unit.index);
        let on = || node.on.iter().map(|(on, _)| revision(&nodes[*on]));
        let room = self.diagnostics.room();
        let known = self.checks.results.get_mut(&key);
        let known = known.filter(|known| {
            !known.diagnostics.has_more_for(room) && known.on.iter().copied().eq(on())
        });
        if let Some(known) = known {
            known.is_used = true;
            self.diagnostics.append(&known.diagnostics);
            return;
        }
        let outer = std::mem::replace(&mut self.diagnostics, Diagnostics::with_room(room));
        if is_string {
            self.check_tied(nodes, body);
        }
        self.check_held_loads(nodes, body);
        let diagnostics = std::mem::replace(&mut self.diagnostics, outer);
        self.diagnostics.append(&diagnostics);
        if self.keeps_values {
            let checked = Checked { on: on().collect(), diagnostics, is_used: true };
            self.checks.results.insert(key, checked);
        }
    }

    /// Skips everything attached to something with errors.
    fn skip_dependents(&mut self, nodes: &mut [Node<'_>], broken: &[(usize, String)]) {
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
                .label(node.unit.span, node.unit.trail.path(), format!("depends on {because}"))
                .help(format!("fix {because} first")),
            );
        }
    }

    fn find_unused(&mut self, thing: Thing, records: &[Option<Arc<Record>>], used: &[bool]) {
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

    /// Collects the things without errors. `targets` are the indices of all references, in order.
    fn assemble(&mut self, units: &Units, nodes: Vec<Node<'_>>, targets: &[usize]) -> Lowered {
        let valid = |thing: Thing| {
            let valid = units.of(thing).iter();
            valid.filter_map(|unit| Some((unit.valid_record()?.clone(), unit.revision)))
        };
        let (locators, locator_revisions): (Vec<_>, Vec<_>) = valid(Thing::Locator).unzip();
        let (colliders, collider_revisions): (Vec<_>, Vec<_>) = valid(Thing::Collider).unzip();
        // Index of each valid thing among those of its kind.
        let count_valid = |valid: &mut dyn Iterator<Item = bool>| -> Vec<usize> {
            let mut count = 0;
            let place = |valid: bool| {
                count += usize::from(valid);
                if valid { count - 1 } else { usize::MAX }
            };
            valid.map(place).collect()
        };
        let records = |thing: Thing| units.of(thing).iter().map(|u| u.valid_record().is_some());
        let places = [
            count_valid(&mut nodes.iter().map(|node| node.valid && node.thing == Thing::Body)),
            count_valid(&mut records(Thing::Locator)),
            count_valid(&mut records(Thing::Collider)),
        ];
        let mut names = NameList::new(self.previous_names.take());
        for thing in [Thing::Locator, Thing::Collider] {
            let valid = units.of(thing).iter().filter(|unit| unit.valid_record().is_some());
            let all = valid.map(|unit| unit.name.clone().unwrap_or_default());
            all.enumerate().for_each(|(index, name)| names.add(thing, name, index));
        }
        let (mut bodies, mut dependencies, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let (mut cameras, mut camera_links) = (Vec::new(), Vec::new());
        let (mut body_revisions, mut camera_revisions) = (Vec::new(), Vec::new());
        let (mut skipped, mut skipped_cameras) = (Vec::new(), Vec::new());
        let mut max_points = Vec::new();
        let mut targets = targets.iter().copied();
        for node in nodes {
            let linked = node.unit.references.iter().zip(targets.by_ref());
            let link = |(reference, target): (&Reference, usize)| {
                let thing = reference.to.thing();
                (thing, places[slot_of(thing)].get(target).copied().unwrap_or(usize::MAX))
            };
            let linked: Vec<Link> = linked.map(link).collect();
            match (node.valid, node.record) {
                (true, Some(record)) if node.thing == Thing::Camera => {
                    names.add(Thing::Camera, node.name, cameras.len());
                    cameras.push(record);
                    camera_links.push(linked);
                    camera_revisions.push(node.unit.revision);
                }
                (true, Some(record)) => {
                    let mut on: Vec<usize> = node.on.iter().map(|(on, _)| places[0][*on]).collect();
                    on.sort_unstable();
                    on.dedup();
                    names.add(Thing::Body, node.name, bodies.len());
                    bodies.push(record);
                    body_revisions.push(node.unit.revision);
                    dependencies.push(on);
                    links.push(linked);
                    max_points.push(node.max_points);
                }
                _ if node.thing == Thing::Camera => skipped_cameras.push(node.name.to_string()),
                _ => skipped.push(node.name.to_string()),
            }
        }
        // The record of the world always exists: without errors or with all defaults.
        let world = units.world.record.clone();
        Lowered {
            shot: units.shot,
            shot_valid: true,
            markers: Vec::new(),
            frames_span: None,
            world: world.unwrap_or_else(|| Arc::new(self.default_world())),
            world_valid: units.world.diagnostics.errors() == 0,
            locators,
            colliders,
            cameras,
            bodies,
            skipped,
            skipped_cameras,
            dependencies,
            links,
            camera_links,
            max_points,
            names: names.finish(),
            revisions: [body_revisions, locator_revisions, collider_revisions, camera_revisions],
            world_revision: units.world.revision,
        }
    }
}

/// Names of valid things. They are shared with those before an edit while they are the same.
struct NameList {
    before: Option<Arc<Names>>,
    all: Vec<(Thing, Arc<str>, usize)>,
}

impl NameList {
    fn new(before: Option<Arc<Names>>) -> Self {
        Self { before, all: Vec::new() }
    }

    fn add(&mut self, thing: Thing, name: Arc<str>, index: usize) {
        self.all.push((thing, name, index));
    }

    fn finish(self) -> Arc<Names> {
        let same = |before: &Arc<Names>| {
            // All names of a kind differ, so equal numbers of names are the same names.
            let known = |(thing, name, index): &(Thing, Arc<str>, usize)| {
                before.get(&(*thing, name.clone())) == Some(index)
            };
            before.len() == self.all.len() && self.all.iter().all(known)
        };
        match self.before.as_ref().filter(|before| same(before)) {
            Some(before) => before.clone(),
            None => Arc::new(self.all.into_iter().map(|(t, name, i)| ((t, name), i)).collect()),
        }
    }
}

/// Results of the checks of simulated bodies and of those they are attached to, by the revision and
/// the index of the body.
#[derive(Debug, Default)]
pub(super) struct Checks {
    results: HashMap<(u64, usize), Checked>,
}

#[derive(Debug)]
struct Checked {
    /// Revisions of the bodies it is attached to; `None` for those with errors.
    on: Vec<Option<u64>>,
    diagnostics: Diagnostics,
    is_used: bool,
}

impl Checks {
    /// Drops results that were not used since the last call.
    pub(super) fn forget_unused(&mut self) {
        self.results.retain(|_, checked| std::mem::take(&mut checked.is_used));
    }
}

struct Used {
    locators: Vec<bool>,
    colliders: Vec<bool>,
}
