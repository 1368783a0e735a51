//! Documents that are generated from the schema: whatever `check` accepts has finite points.
//!
//! A document is built from a list of numbers, each of which decides one choice: which parameter is
//! given, which kind of value it gets, and which number. Zero is the plainest choice, and a list
//! that is too short continues with zeros, so proptest shrinks a failure to few parameters.
//!
//! The number of documents is `PROPTEST_CASES`, if it is set.

use std::cell::Cell;

use lariat_core::num::ops::pow;
use lariat_eval::{Assets, BodyMoment, MemoryFiles, Scene, Warning};
use lariat_scene::check::{Code, Diagnostic, check};
use lariat_scene::schema::{self, Bound, Family, Field, Kind, Preset, Range, RecordType, Unit};
use lariat_scene::{Document, Limits, Table, Value, format};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use super::meshes::BELLY;

/// Number of documents, unless `PROPTEST_CASES` is set.
const CASES: u32 = 400;

/// Last frame of the shot: 60 steps of a simulation.
const LAST: f64 = 6.0;

/// Choices of a document.
struct Choices<'c> {
    list: std::slice::Iter<'c, u16>,
    locators: Vec<String>,
    colliders: Vec<String>,
    bodies: Vec<String>,
    /// Whether numbers at the ends of their ranges, and very large and small ones, are chosen.
    extreme: bool,
}

impl Choices<'_> {
    fn next(&mut self) -> usize {
        self.list.next().map_or(0, |choice| usize::from(*choice))
    }

    /// True in one of `of` cases.
    fn once_in(&mut self, of: usize) -> bool {
        self.next() % of == of - 1
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.next() % list.len()]
    }

    /// Number from 0 to 1.
    fn fraction(&mut self) -> f64 {
        self.next() as f64 / f64::from(u16::MAX)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.fraction()
    }

    /// A number that a field allows.
    fn number(&mut self, field: &Field, unit: Unit) -> f64 {
        // A simulation that starts a million frames earlier only takes longer.
        if self.extreme && unit != Unit::Frames && self.once_in(8) {
            let all =
                [0.0, 1.0, -1.0, 1e-9, 1e-16, 1e-300, 1e3, -1e3, 1e6, -1e6, 1e12, -1e50, 1e100];
            let ends = [field.range.low, field.range.high].map(|bound| match bound {
                Bound::Open => 0.0,
                Bound::At(edge) => edge,
                Bound::Past(edge) => edge + 1e-12,
            });
            let all: Vec<f64> = all.into_iter().chain(ends).collect();
            let number = self.one(&all);
            let too_small = field.range.low == Bound::Past(0.0) && number < 1e-16;
            if field.range.contains(number) && !too_small {
                return number;
            }
        }
        let number = match (field.preset, unit) {
            (Preset::Number(usual), _) if usual != 0.0 => usual * self.between(0.5, 2.0),
            (_, Unit::Degrees) => self.between(-200.0, 200.0),
            (_, Unit::Fraction) => self.fraction(),
            (_, Unit::Frames) => self.between(-2.0, 3.0).round(),
            (_, Unit::Hertz) => self.between(0.2, 4.0),
            (_, Unit::Pascals) => pow(10.0, self.between(4.0, 11.0)),
            (_, Unit::KilogramsPerCubicMetre) => self.between(10.0, 8000.0),
            (_, Unit::Newtons) => pow(10.0, self.between(-1.0, 4.0)),
            (_, Unit::NewtonSquareMetres | Unit::NewtonMetres) => {
                pow(10.0, self.between(-6.0, 0.0))
            }
            (_, Unit::Seconds) => self.between(0.0, 0.5),
            _ => self.between(-1.0, 3.0),
        };
        inside(field.range, number)
    }

    fn whole(&mut self, field: &Field) -> f64 {
        // Counts are small, so that a document takes milliseconds.
        let most = match field.name {
            "seed" => 1e15,
            "segments" | "control-points" | "springs" => 8.0,
            _ => 24.0,
        };
        let low = inside(field.range, 2.0);
        (low + self.fraction() * (most - low)).round()
    }

    fn vector(&mut self, field: &Field, unit: Unit) -> Vec<f64> {
        (0..3).map(|_| self.number(field, unit)).collect()
    }

    /// A constant, keys or a wiggle.
    fn channel(&mut self, field: &Field, mut value: impl FnMut(&mut Self) -> Value) -> Value {
        if !field.animatable || !self.once_in(4) {
            return value(self);
        }
        let wiggles = self.once_in(2) && !matches!(field.kind, Kind::Switch | Kind::Anchor);
        let mut keys = Vec::new();
        let mut frame = self.between(-3.0, 4.0).round();
        for _ in 0..=self.next() % 3 {
            keys.push(Value::List(vec![frame.into(), value(self)]));
            frame += [1.0, 0.5, 12.0, 3.0, 1e-3][self.next() % 5];
        }
        let (name, family) =
            if wiggles { ("wiggle", &schema::WIGGLE) } else { ("keys", &schema::CHANNEL) };
        let mut table = Table::new();
        for field in family.types[0].fields {
            let given = match field.name {
                own if own == name => Value::List(std::mem::take(&mut keys)),
                "around" | "push" => continue,
                "hertz" => Value::from(self.number(field, Unit::Hertz)),
                _ if !self.once_in(6) => continue,
                _ => self.value(field),
            };
            table.set(field.name, given);
        }
        only_one(family.types[0], &mut table, self);
        Value::Table(table)
    }

    fn anchor(&mut self, field: &Field) -> Value {
        let mut table = Table::new();
        let offset = |choices: &mut Self| Value::from(choices.vector(field, Unit::Metres));
        match self.next() % 6 {
            4 if !self.locators.is_empty() => {
                let name = self.next() % self.locators.len();
                table.set("locator", &*self.locators[name]);
            }
            5 if !self.bodies.is_empty() => {
                let name = self.next() % self.bodies.len();
                table.set("body", &*self.bodies[name]);
                table.set("at", self.fraction());
            }
            _ => return self.channel(field, offset),
        }
        if self.once_in(3) {
            table.set("offset", offset(self));
        }
        Value::Table(table)
    }

    fn value(&mut self, field: &Field) -> Value {
        match field.kind {
            Kind::Scalar(_) if field.name == "rate" => {
                Value::from(self.one(&[240.0, 120.0, 480.0]))
            }
            Kind::Scalar(unit) => self.channel(field, |own| Value::from(own.number(field, unit))),
            Kind::Integer => Value::from(self.whole(field)),
            Kind::Vector(unit) => self.channel(field, |own| Value::from(own.vector(field, unit))),
            Kind::Direction => {
                let any = Field { range: Range::ANY, ..*field };
                self.channel(field, |own| {
                    let mut vector = own.vector(&any, Unit::Metres);
                    vector[2] += if vector == [0.0; 3] { 1.0 } else { 0.0 };
                    Value::from(vector)
                })
            }
            Kind::Colour => self.channel(field, |_| Value::from("#ff8800")),
            Kind::Switch => self.channel(field, |own| Value::from(own.once_in(2))),
            Kind::Text => Value::from(self.one(&["rope", "steel", "leather"])),
            Kind::File => Value::from("belly.obj"),
            Kind::Choice(choices) => Value::from(self.one(choices).name),
            Kind::Anchor => self.anchor(field),
            Kind::Along(unit) => {
                let row = |own: &mut Self, u: f64| Value::from([u, own.number(field, unit)]);
                Value::List([0.0, 0.4, 1.0].map(|u| row(self, u)).into())
            }
            Kind::PerPoint(unit, on) => match self.next() % 2 {
                0 => Value::from(self.number(field, unit)),
                _ if on == schema::On::Rope => Value::from("sin(3 * u)"),
                _ => Value::from("smoothstep(0, 1, z)"),
            },
            Kind::Records(family) => {
                Value::List((0..=self.next() % 2).map(|_| self.record(family)).collect())
            }
            Kind::Record(family) => self.record(family),
            Kind::Outline => match self.next() % 3 {
                0 => Value::from("round"),
                1 => Value::from("flat"),
                _ => Value::from(vec![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]),
            },
            Kind::Grid(unit) => Value::List(
                (0..3)
                    .map(|_| {
                        Value::from((0..3).map(|_| self.number(field, unit)).collect::<Vec<_>>())
                    })
                    .collect(),
            ),
            Kind::Scalars(count, unit) => {
                Value::from((0..count).map(|_| self.number(field, unit)).collect::<Vec<_>>())
            }
            Kind::Vectors(count, unit) => {
                Value::List((0..count).map(|_| Value::from(self.vector(field, unit))).collect())
            }
            Kind::Colours => Value::from(["#ff8800", "#0088ff"]),
            Kind::Bodies => Value::from(self.bodies.iter().map(|name| &**name).collect::<Vec<_>>()),
            Kind::Against if self.colliders.is_empty() => Value::from("floor"),
            Kind::Against => {
                let name = self.next() % self.colliders.len();
                Value::from(&*self.colliders[name])
            }
            Kind::LocatorName | Kind::BodyName | Kind::Rate | Kind::Frames | Kind::Anything => {
                Value::from(1)
            }
        }
    }

    fn record(&mut self, family: &'static Family) -> Value {
        let record = self.one(family.types);
        let mut table = self.fields(record, 5);
        if let Some(tag) = family.tag {
            table.set(tag, record.name);
        }
        Value::Table(table)
    }

    /// Required parameters, and one in `of` others.
    fn fields(&mut self, record: &'static RecordType, of: usize) -> Table {
        let mut table = Table::new();
        for field in record.fields {
            let simulated = field.name == "dynamics" && schema::can_be_simulated(record);
            let given = match field.name {
                "name" | "modes" => false,
                "dynamics" => simulated && self.once_in(2),
                // Their defaults are larger, and slower.
                "segments" | "control-points" => true,
                _ => field.required || self.once_in(of),
            };
            if given {
                let value = self.value(field);
                table.set(field.name, value);
            }
        }
        only_one(record, &mut table, self);
        table
    }
}

/// Nearest number in a range.
fn inside(range: Range, number: f64) -> f64 {
    match (range.contains(number), range.low) {
        (true, _) => number,
        (false, Bound::Past(edge)) if number <= edge => edge + (edge - number).abs() + 0.1,
        _ => range.nearest(number),
    }
}

/// Removes parameters that exclude each other, but one.
fn only_one(record: &RecordType, table: &mut Table, choices: &mut Choices<'_>) {
    for group in record.one_of {
        let given: Vec<&str> =
            group.fields.iter().copied().filter(|name| table.get(name).is_some()).collect();
        if given.is_empty() && group.required {
            let name = choices.one(group.fields);
            if let Some(field) = record.field(name) {
                let value = choices.value(field);
                table.set(name, value);
            }
        }
        for name in given.iter().skip(1) {
            table.remove(name);
        }
    }
}

fn generated(list: &[u16]) -> Document {
    let mut choices = Choices {
        list: list.iter(),
        locators: Vec::new(),
        colliders: Vec::new(),
        bodies: Vec::new(),
        extreme: false,
    };
    choices.extreme = choices.once_in(2);
    let mut root = Table::new().with("lariat", 2);
    root.set("shot", Table::new().with("frames", vec![1.0, LAST]));
    if choices.once_in(2) {
        let world = choices.fields(schema::WORLD.types[0], 3);
        root.set("world", world);
    }
    let models: Vec<&RecordType> = schema::models().filter(|model| model.name != "shape").collect();
    for (list, family) in [("locator", &schema::LOCATOR), ("collider", &schema::COLLIDER)] {
        let things = (0..choices.next() % 3).map(|index| {
            let name = format!("{list}-{index}");
            let Value::Table(mut table) = choices.record(family) else { unreachable!() };
            table.set("name", &*name);
            let names =
                if list == "locator" { &mut choices.locators } else { &mut choices.colliders };
            names.push(name);
            Value::Table(table)
        });
        let things: Vec<Value> = things.collect();
        if !things.is_empty() {
            root.set(list, Value::List(things));
        }
    }
    let bodies = (0..=choices.next() % 3).map(|index| {
        let model = choices.one(&models);
        let name = format!("{}-{index}", model.name);
        let mut table = choices.fields(model, 6);
        table.set("name", &*name);
        table.set("model", model.name);
        choices.bodies.push(name);
        Value::Table(table)
    });
    let bodies = Value::List(bodies.collect());
    root.set("body", bodies);
    Document { root }
}

/// Description of the first number of a body that is not finite.
fn not_finite(body: &BodyMoment) -> Option<String> {
    for strand in &body.strands {
        let frames = strand.frames().iter();
        let checks = [
            ("points", strand.points().iter().position(|p| !p.is_finite())),
            ("radius", strand.radius().iter().position(|x| !x.is_finite())),
            ("twist", strand.twist().iter().position(|x| !x.is_finite())),
            (
                "frames",
                { frames }.position(|f| !(f.tangent().is_finite() && f.normal().is_finite())),
            ),
        ];
        for (what, found) in checks {
            if let Some(index) = found {
                return Some(format!("{what}[{index}] of strand {}", strand.name));
            }
        }
    }
    let mesh = body.mesh.as_ref()?;
    let index = mesh.points().iter().position(|point| !point.is_finite())?;
    Some(format!("points[{index}] of its mesh"))
}

/// Checks a document; returns false if `check` refuses it.
fn is_finite(list: &[u16]) -> Result<bool, TestCaseError> {
    let text = format::write(&generated(list));
    let limits = Limits { samples_per_body: 5_000, samples_in_all: 10_000, ..Limits::DEFAULT };
    let checked = check(text.as_bytes(), &limits);
    if checked.has_errors() {
        return Ok(false);
    }
    let content = checked.content.expect("a document without errors has content");
    let files = MemoryFiles::default().with("belly.obj", BELLY);
    let assets = Assets::load(&content.lowered, &limits, &files);
    if assets.diagnostics(&content.lowered, &limits).iter().any(Diagnostic::is_error) {
        return Ok(false);
    }
    let scene = Scene::bind_with(&content.lowered, &assets);
    for frame in [1.0, 3.5, LAST, LAST + 1.0, -2.0] {
        let moment = scene.evaluate(frame);
        for (index, body) in moment.bodies.iter().enumerate() {
            if let Some(what) = not_finite(body) {
                let name = scene.body_name(index);
                let codes: Vec<Code> = body.warnings.iter().map(Warning::code).collect();
                let problem =
                    format!("`{name}` at frame {frame}: {what}; warnings {codes:?}\n{text}");
                return Err(TestCaseError::fail(problem));
            }
        }
    }
    Ok(true)
}

#[test]
fn whatever_check_accepts_has_finite_points() {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    config.failure_persistence = None;
    let (accepted, all) = (Cell::new(0_u32), Cell::new(0_u32));
    let choices = prop::collection::vec(any::<u16>(), 0..500);
    TestRunner::new(config)
        .run(&choices, |list| {
            all.set(all.get() + 1);
            accepted.set(accepted.get() + u32::from(is_finite(&list)?));
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let (accepted, all) = (accepted.get(), all.get());
    assert!(2 * accepted > all, "check accepts only {accepted} of {all} documents");
}
