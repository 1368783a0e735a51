//! Names that must exist, and bodies that hang on each other.
//!
//! A rope can be held by a locator, hang on a point of another body, be clamped against a
//! collider, or be part of a compound; a camera can be held as a rope is. Every such name is looked up once all names are known.
//! Bodies that hang on each other in a circle cannot be posed, whichever is begun with: the
//! circle is named. What hangs on something with errors is left out with it.

mod borne;
mod tied;

use std::{collections::HashMap, sync::Arc};

use super::{At, Lowered, Lowering, Record, Shot, at::Trail};
use crate::{
    check::{Code, Diagnostic},
    document::Thing,
    path::{Path, Step},
    place::Span,
    schema::did_you_mean,
};

/// What a name must be the name of.
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

/// A name that must exist.
pub(super) struct Reference {
    /// The body or camera that uses it.
    holder: usize,
    to: To,
    name: Arc<str>,
    span: Option<Span>,
    trail: Trail,
}

/// A name that was given to something.
#[derive(Clone, Copy)]
pub(super) struct Named {
    /// Which of its kind.
    pub(super) index: usize,
    pub(super) span: Option<Span>,
}

/// One body or camera, while it is found out who hangs on whom. Nothing hangs on a camera.
pub(super) struct Node {
    thing: Thing,
    pub(super) record: Option<Record>,
    name: Arc<str>,
    trail: Trail,
    span: Option<Span>,
    /// The bodies it hangs on, and where it says so.
    on: Vec<(usize, usize)>,
    pub(super) good: bool,
    /// How many points it may have at any frame.
    pub(super) most_points: u64,
}

impl Node {
    /// How it is simulated, if it is.
    fn dynamics(&self) -> Option<&Record> {
        let record = self.record.as_ref().filter(|record| record.has("dynamics"))?;
        record.record("dynamics")
    }

    /// Whether it moves with all strings.
    fn is_string(&self) -> bool {
        self.dynamics().is_some_and(|dynamics| dynamics.kind() == "string")
    }

    /// Whether it is a solid that moves with them, and that they can be tied to.
    fn is_rigid(&self) -> bool {
        self.dynamics().is_some_and(|dynamics| dynamics.kind() == "rigid")
    }

    pub(super) fn has_lights(&self) -> bool {
        self.record.as_ref().is_some_and(|record| record.has("bulb-spacing"))
    }
}

impl Lowering<'_> {
    /// Remembers that a name must exist.
    pub(super) fn refer(&mut self, to: To, name: &Arc<str>, at: &At) {
        if let Some(holder) = self.holder {
            let (span, trail) = (at.span(), at.trail());
            self.references.push(Reference { holder, to, name: name.clone(), span, trail });
        }
    }

    /// Remembers the name of a thing; no two of a kind have the same.
    pub(super) fn name_thing(&mut self, thing: Thing, name: &str, index: usize, at: &At) {
        if name.trim().is_empty() {
            self.wrong(
                Code::BlankName,
                at,
                format!("the name of a {thing} is blank"),
                "nothing to call it by".to_owned(),
                Some("give it a name, like \"rein\"".to_owned()),
            );
            return;
        }
        if thing == Thing::Collider && name == "floor" {
            self.wrong(
                Code::DuplicateName,
                at,
                "a collider cannot be called `floor`: that is the name of the floor".to_owned(),
                "taken".to_owned(),
                Some("give it another name, for example \"ground\"".to_owned()),
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

    /// Resolves all names and puts together what is good.
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
                good: record.is_some(),
                record,
                name,
                trail,
                span,
                on: Vec::new(),
                most_points: 0,
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
                nodes[reference.holder].good = false;
                continue;
            };
            let thing_good = match reference.to {
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
                        nodes[reference.holder].good = false;
                    }
                    nodes[reference.holder].on.push((index, which));
                    true
                }
            };
            if !thing_good {
                broken.push((
                    reference.holder,
                    format!("{} `{}`", reference.to.thing(), reference.name),
                ));
            }
        }
        // What is followed is used as well.
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
        let order = self.find_circles(&mut nodes, &references);
        self.find_strings_on_strings(&mut nodes, &references, &order);
        self.count_points(&mut nodes, &order, &locators);
        self.leave_out(&mut nodes, &broken);
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
            format!("there is a {other} of that name: write `{{ {other} = {name:?} }}`")
        } else if let Some(meant) = did_you_mean(name, names.iter().copied()) {
            format!("did you mean \"{meant}\"?")
        } else if names.is_empty() {
            format!("there are none: add `[[{thing}]]` with `name = {name:?}`")
        } else {
            let some: Vec<String> =
                names.iter().take(8).map(|name| format!("\"{name}\"")).collect();
            let more = if names.len() > some.len() { ", …" } else { "" };
            format!("there are {}{more}", some.join(", "))
        };
        self.find(
            Diagnostic::new(reference.to.unknown(), format!("there is no {thing} called `{name}`"))
                .label(reference.span, reference.trail.path(), "no such name")
                .help(help),
        );
    }

    fn repeated_part(&mut self, reference: &Reference, before: &Reference) {
        self.find(
            Diagnostic::new(
                Code::RepeatedPart,
                format!("`{}` is twice in the same compound", reference.name),
            )
            .label(reference.span, reference.trail.path(), "again here")
            .label(before.span, before.trail.path(), "already a part here")
            .help("a body can be joined only once: copy it under another name"),
        );
    }

    /// Bodies that hang on each other in a circle. By a stack of our own: a chain of bodies can
    /// be as long as the document. Returns the bodies, each after those it hangs on.
    fn find_circles(&mut self, nodes: &mut [Node], references: &[Reference]) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            OnTheWay,
            Done,
        }
        let mut seen = vec![Seen::Not; nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        for start in 0..nodes.len() {
            if seen[start] != Seen::Not {
                continue;
            }
            seen[start] = Seen::OnTheWay;
            let mut way = vec![(start, 0)];
            while let Some((body, next)) = way.last_mut() {
                let Some((on, _)) = nodes[*body].on.get(*next).copied() else {
                    seen[*body] = Seen::Done;
                    order.push(*body);
                    way.pop();
                    continue;
                };
                *next += 1;
                match seen[on] {
                    Seen::Done => {}
                    Seen::Not => {
                        seen[on] = Seen::OnTheWay;
                        way.push((on, 0));
                    }
                    Seen::OnTheWay => {
                        let from = way.iter().position(|(body, _)| *body == on).unwrap_or(0);
                        let circle: Vec<(usize, usize)> = way[from..]
                            .iter()
                            .map(|(body, next)| (*body, nodes[*body].on[*next - 1].1))
                            .collect();
                        self.circle(nodes, references, &circle);
                    }
                }
            }
        }
        order
    }

    fn circle(&mut self, nodes: &mut [Node], references: &[Reference], circle: &[(usize, usize)]) {
        // A circle of thousands is told by its first links.
        const TOLD: usize = 8;
        let name = |body: usize| &*nodes[body].name;
        let mut names: Vec<&str> = circle.iter().take(TOLD).map(|(body, _)| name(*body)).collect();
        let message = if let [only] = names[..] {
            format!("`{only}` hangs on itself")
        } else {
            if circle.len() > TOLD {
                names.push("…");
            }
            names.push(name(circle[0].0));
            let count = circle.len();
            format!("{count} bodies hang on each other in a circle: {}", names.join(" → "))
        };
        let mut diagnostic = Diagnostic::new(Code::AttachmentCycle, message);
        for (body, which) in circle.iter().take(TOLD) {
            let reference = &references[*which];
            diagnostic = diagnostic.label(
                reference.span,
                reference.trail.path(),
                format!("`{}` hangs on `{}`", nodes[*body].name, reference.name),
            );
        }
        self.find(diagnostic.help("let one of them be held by a point or a locator instead"));
        for (body, _) in circle {
            nodes[*body].good = false;
        }
    }

    /// All strings move together, so what one of them hangs on must be there before any is: no
    /// string, and nothing that hangs on one. Solids that are simulated move with them, and strings
    /// are tied to them, but not by way of others.
    fn find_strings_on_strings(
        &mut self,
        nodes: &mut [Node],
        references: &[Reference],
        order: &[usize],
    ) {
        // For each body, a string or solid that it is or hangs on.
        let mut moves_with: Vec<Option<usize>> = vec![None; nodes.len()];
        for &body in order {
            let is_string = nodes[body].is_string();
            let tied = |on: usize| is_string && nodes[on].is_rigid();
            let free = nodes[body].on.iter().filter(|(on, _)| !tied(*on));
            let below = free.clone().find_map(|(on, which)| Some((moves_with[*on]?, *which)));
            if let (true, Some((moves, which))) = (is_string, below) {
                let reference = &references[which];
                let what = if nodes[moves].is_rigid() { "solid" } else { "string" };
                let (name, on, moves) = (&nodes[body].name, &reference.name, &nodes[moves].name);
                let hangs = if on == moves {
                    format!("string `{name}` hangs on the {what} `{on}`")
                } else {
                    format!("string `{name}` hangs on `{on}`, and that on the {what} `{moves}`")
                };
                let help = match what {
                    "solid" => "tie it to the solid itself, with an `offset`",
                    _ => "let it be held by a point, a locator or a body that hangs on no string",
                };
                let mut diagnostic = Diagnostic::new(Code::StringOnString, hangs)
                    .label(reference.span, reference.trail.path(), "moves only with the strings")
                    .help(help);
                if what == "string" {
                    diagnostic = diagnostic.help(format!(
                        "or tie both to a bead, `[[body]]` with `name = \"bead\"`, `model = \"solid\"`, `shape = \"ball\"`, `radius = 0.01` and `dynamics = {{ kind = \"rigid\", mass = 0.01 }}`: `{name}` is held by `{{ body = \"bead\", offset = [0, 0, -0.01] }}`, and `{moves}` has a pin to `{{ body = \"bead\", offset = [0, 0, 0.01] }}`"
                    ));
                }
                let diagnostic = diagnostic
                    .note("all strings of a document are simulated together, step by step");
                self.find(diagnostic);
                nodes[body].good = false;
            }
            let itself = is_string || nodes[body].is_rigid();
            moves_with[body] = if itself { Some(body) } else { below.map(|(moves, _)| moves) };
            if is_string {
                self.check_tied(nodes, body);
            }
            self.check_borne(nodes, body);
        }
    }

    /// What hangs on something with errors is left out with it.
    fn leave_out(&mut self, nodes: &mut [Node], broken: &[(usize, String)]) {
        let mut hanging: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (body, node) in nodes.iter().enumerate() {
            for (on, _) in &node.on {
                hanging[*on].push(body);
            }
        }
        let mut waiting: Vec<usize> = (0..nodes.len()).filter(|body| !nodes[*body].good).collect();
        let mut left_out: Vec<(usize, String)> = Vec::new();
        for (body, because) in broken {
            if nodes[*body].good {
                nodes[*body].good = false;
                left_out.push((*body, because.clone()));
                waiting.push(*body);
            }
        }
        while let Some(bad) = waiting.pop() {
            for body in std::mem::take(&mut hanging[bad]) {
                if nodes[body].good {
                    nodes[body].good = false;
                    left_out.push((body, format!("body `{}`", nodes[bad].name)));
                    waiting.push(body);
                }
            }
        }
        left_out.sort_unstable();
        for (body, because) in left_out {
            let node = &nodes[body];
            self.find(
                Diagnostic::new(
                    Code::Skipped,
                    format!(
                        "{} `{}` is left out because {because} has errors",
                        node.thing, node.name
                    ),
                )
                .label(node.span, node.trail.path(), format!("needs {because}"))
                .help(format!("mend {because} first")),
            );
        }
    }

    fn find_unused(&mut self, thing: Thing, records: &[Option<Record>], used: &[bool]) {
        let (code, what) = match thing {
            Thing::Collider => (Code::UnusedCollider, "no body is clamped against"),
            _ => (Code::UnusedLocator, "nothing holds on to"),
        };
        for (record, used) in records.iter().zip(used) {
            if let (Some(record), false) = (record, used) {
                let name = record.name();
                let help = if thing == Thing::Collider {
                    format!(
                        "add `{{ kind = \"clamp\", against = {name:?} }}` to the `layers` of a body, or remove it"
                    )
                } else {
                    format!("use it: `from = {{ locator = {name:?} }}`, or remove it")
                };
                self.find(
                    Diagnostic::new(code, format!("{what} the {thing} `{name}`"))
                        .label(record.span("name"), record.path(), "not used")
                        .help(help),
                );
            }
        }
    }
}

/// A body as it was lowered, or something else that has a name; good or not.
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
    // Where each good body will stand; cameras come after all bodies, and nothing asks for them.
    let mut place = vec![usize::MAX; nodes.len()];
    let mut count = 0;
    for (node, place) in nodes.iter().zip(&mut place) {
        if node.good && node.thing == Thing::Body {
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
    let (mut left_out, mut cameras_left_out) = (Vec::new(), Vec::new());
    let mut cameras = Vec::new();
    let mut most_points = Vec::with_capacity(count);
    for node in nodes {
        match (node.good, node.record) {
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
                most_points.push(node.most_points);
            }
            _ if node.thing == Thing::Camera => cameras_left_out.push(node.name.to_string()),
            _ => left_out.push(node.name.to_string()),
        }
    }
    Lowered {
        shot,
        shot_is_good: true,
        frames_span,
        world,
        world_is_good: true,
        locators,
        colliders,
        cameras,
        bodies,
        left_out,
        cameras_left_out,
        dependencies,
        most_points,
        names,
    }
}
