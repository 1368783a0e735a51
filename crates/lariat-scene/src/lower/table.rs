//! Conversion of tables to records, as the schema describes them.

use super::{
    Cursor, Lowering,
    record::{Given, Record, Slot},
};
use crate::{
    check::{Code, Diagnostic},
    format::number,
    schema::{self, Family, Field, Kind, Preset, RecordType, Unit, did_you_mean, removed, renamed},
    value::{Table, Value},
};

impl Lowering<'_> {
    /// Converts a value to a record of one of the types of a family.
    pub(super) fn record_of(
        &mut self,
        family: &'static Family,
        value: &Value,
        at: &Cursor,
    ) -> Option<Record> {
        match value {
            Value::Table(table) => {
                let record_type = self.type_of(family, table, at)?;
                self.record(family, record_type, table, at)
            }
            Value::Text(word) if family.shorthand.is_some() => match family.find(word) {
                Some(record_type) => self.record(family, record_type, &Table::new(), at),
                None => {
                    self.unknown_type(family, word, at);
                    None
                }
            },
            other => {
                self.wrong(
                    Code::WrongType,
                    at,
                    format!(
                        "{} must be a table, not {}",
                        with_article(family.noun),
                        other.describe()
                    ),
                    String::new(),
                    Some(example_of(family)),
                );
                None
            }
        }
    }

    /// Finds the type of a table within a family.
    fn type_of(
        &mut self,
        family: &'static Family,
        table: &Table,
        at: &Cursor,
    ) -> Option<&'static RecordType> {
        let Some(tag) = family.tag else { return family.types.first().copied() };
        let Some(position) = table.position(tag) else {
            if let Some(shorthand) = &family.shorthand
                && table.get(shorthand.unique_field).is_some()
            {
                return family.find(shorthand.type_name);
            }
            let words = type_names(family);
            let named = table.text("name").map_or_else(String::new, |name| format!(" `{name}`"));
            // `modle = …`: the tag is misspelt.
            let misspelt = table
                .iter()
                .map(|(name, _)| name)
                .find(|name| did_you_mean(name, [tag]).is_some())
                .map(|name| format!("did you mean `{tag}` instead of `{name}`?"));
            self.find(
                Diagnostic::new(
                    Code::MissingField,
                    format!("the {}{named} has no `{tag}`", family.noun),
                )
                .label(at.span(), at.path(), format!("`{tag}` is missing"))
                .help(misspelt.unwrap_or_else(|| format!("add `{tag} = …`, one of {words}"))),
            );
            return None;
        };
        let (_, value) = table.entry(position)?;
        let at = at.field(tag, position);
        let Value::Text(word) = value else {
            self.wrong(
                Code::WrongType,
                &at,
                format!("`{tag}` takes a word, not {}", value.describe()),
                format!("one of {}", type_names(family)),
                None,
            );
            return None;
        };
        let found = family.find(word);
        if found.is_none() {
            self.unknown_type(family, word, &at);
        }
        found
    }

    fn unknown_type(&mut self, family: &'static Family, word: &str, at: &Cursor) {
        let names = || family.types.iter().map(|record_type| record_type.name);
        let meant = did_you_mean(word, names());
        let help = match meant {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("choose one of {}", type_names(family)),
        };
        let tag = family.tag.unwrap_or("kind");
        self.wrong_value(
            Code::UnknownChoice,
            at,
            format!("unknown {} {tag} {word:?}", family.noun),
            format!("unknown {tag}"),
            Some(help),
            meant.map(Value::from),
        );
    }

    /// Converts a table to a record of a known type.
    pub(super) fn record(
        &mut self,
        family: &'static Family,
        record_type: &'static RecordType,
        table: &Table,
        at: &Cursor,
    ) -> Option<Record> {
        let errors = self.diagnostics.errors();
        let mut given: Vec<Given> = Vec::with_capacity(table.len());
        for (position, (name, value)) in table.iter().enumerate() {
            let at = at.field(name, position);
            let Some(field) = record_type.position(name) else {
                if Some(name) != family.tag {
                    self.unknown_field(record_type, Some(family), name, &at);
                }
                continue;
            };
            let row = &record_type.fields[field];
            let at = at.known(row.name);
            let (span, name_span) = (at.span(), at.name_span());
            if let Some(before) = given.iter().find(|before| before.field == field) {
                let before = before.name_span;
                self.given_twice(row, name, &at, before);
                continue;
            }
            // Invalid values count as given, so that they are not also reported as missing.
            let slot = self.slot(row, value, &at).unwrap_or(Slot::Absent);
            given.push(Given { field, span, name_span, slot });
        }
        let has = |field: usize| given.iter().any(|given| given.field == field);
        for (index, field) in record_type.fields.iter().enumerate() {
            if field.required && !has(index) {
                self.find(
                    Diagnostic::new(
                        Code::MissingField,
                        format!("{} has no `{}`", subject(family, table), display_name(field)),
                    )
                    .label(at.span(), at.path(), format!("`{}` is missing", display_name(field)))
                    .help(format!(
                        "add `{}`: {}{}",
                        example(field),
                        field.help,
                        also(field)
                    )),
                );
            }
        }
        for one_of in record_type.one_of {
            let is_given = |name: &&str| record_type.position(name).is_some_and(has);
            let present: Vec<&str> = one_of.fields.iter().copied().filter(is_given).collect();
            if present.len() == 1 {
                continue;
            }
            let subject = subject(family, table);
            let all = one_of.fields.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
            if present.is_empty() && one_of.required {
                self.find(
                    Diagnostic::new(
                        Code::NeedsOneOf,
                        format!("{subject} needs {}", all.join(" or ")),
                    )
                    .label(at.span(), at.path(), "none of them is given")
                    .help(format!("add {}", all.join(" or "))),
                );
            }
            if let [first, second, ..] = present[..] {
                let place = |name: &str| {
                    given
                        .iter()
                        .find(|given| record_type.fields[given.field].name == name)
                        .and_then(|given| given.name_span)
                };
                self.find(
                    Diagnostic::new(
                        Code::OnlyOneOf,
                        format!("{subject} has both `{first}` and `{second}`"),
                    )
                    .label(
                        place(second),
                        at.path().field(second),
                        format!("conflicts with `{first}`"),
                    )
                    .label(place(first), at.path().field(first), "given here")
                    .help(format!("keep only one of {}", all.join(" and "))),
                );
            }
        }
        (self.diagnostics.errors() == errors).then(|| Record {
            record_type,
            trail: at.trail(),
            span: at.span(),
            defaults: self.defaults(record_type),
            given,
        })
    }

    pub(super) fn given_twice(
        &mut self,
        row: &Field,
        name: &str,
        at: &Cursor,
        before: Option<crate::Span>,
    ) {
        let message = format!("`{name}` is already given under another name");
        self.find(
            Diagnostic::new(Code::GivenTwice, message)
                .label(at.name_span(), at.path(), "given again here")
                .label(before, at.path(), "first given here")
                .help(format!(
                    "`{}` and `{}` are the same parameter: keep one of them",
                    row.name,
                    row.plain.join("` and `")
                )),
        );
    }

    pub(super) fn unknown_field(
        &mut self,
        record_type: &'static RecordType,
        family: Option<&'static Family>,
        name: &str,
        at: &Cursor,
    ) {
        if self.diagnostics.is_full() {
            return self.find(Diagnostic::new(Code::UnknownField, ""));
        }
        let what = match family {
            Some(family) if family.tag.is_some() => {
                format!("{} {} has", with_article(record_type.name), family.noun)
            }
            _ if record_type.name == schema::CHANNEL.types[0].name => "keys have".to_owned(),
            _ => format!("{} has", with_article(record_type.name)),
        };
        let names = record_type
            .fields
            .iter()
            .flat_map(|field| std::iter::once(field.name).chain(field.plain.iter().copied()))
            .chain(family.and_then(|family| family.tag));
        let elsewhere: Vec<&str> = family
            .into_iter()
            .flat_map(|family| family.types)
            .filter(|other| other.field(name).is_some())
            .map(|other| other.name)
            .collect();
        let help = if !elsewhere.is_empty() {
            format!("`{name}` is a parameter of {}", elsewhere.join(", "))
        } else if let Some(meant) = renamed(name, record_type) {
            format!("did you mean `{meant}`? It was called `{name}` in version 1 of the format")
        } else if let Some(advice) = removed(name, record_type) {
            advice.to_owned()
        } else if let Some(meant) = did_you_mean(name, names.clone()) {
            format!("did you mean `{meant}`?")
        } else if record_type.fields.is_empty() {
            "it has no parameters".to_owned()
        } else {
            let all: Vec<&str> = record_type.fields.iter().map(display_name).collect();
            format!("available: {}", all.join(", "))
        };
        self.find(
            Diagnostic::new(Code::UnknownField, format!("{what} no parameter `{name}`"))
                .label(at.name_span(), at.path(), "unknown parameter")
                .help(help),
        );
    }
}

/// "body `rein`", or "the wave" for records without a name.
pub(super) fn subject(family: &Family, table: &Table) -> String {
    match table.text("name") {
        Some(name) => format!("{} `{name}`", family.noun),
        None => format!("the {}", family.noun),
    }
}

/// "a wave", "an envelope"; "dynamics".
fn with_article(noun: &str) -> String {
    if noun == schema::DYNAMICS.noun {
        return noun.to_owned();
    }
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Name of a field for messages: the plain name if there is one. Exceptions are `npinch`, the
/// paper's name for `count`, and the plain names of springs, because the guide uses `hertz`,
/// `swings`, `bandwidth` and `around`.
pub(super) fn display_name(field: &Field) -> &'static str {
    const OTHER: [&str; 7] =
        ["npinch", "fast", "bouncy", "loose", "equilibrium", "color", "bulb-colors"];
    match field.plain.first() {
        Some(plain) if !OTHER.contains(plain) => plain,
        _ => field.name,
    }
}

/// Sentence about the other name of a field, if messages do not use that name.
fn also(field: &Field) -> String {
    match field.plain.first() {
        Some(plain) if *plain != display_name(field) => format!(" Also called `{plain}`."),
        _ => String::new(),
    }
}

fn type_names(family: &Family) -> String {
    let names: Vec<String> =
        family.types.iter().map(|record_type| format!("\"{}\"", record_type.name)).collect();
    names.join(", ")
}

/// Example of a record of a family.
fn example_of(family: &Family) -> String {
    let record_type = family.types[0];
    let mut words: Vec<String> =
        family.tag.iter().map(|tag| format!("{tag} = \"{}\"", record_type.name)).collect();
    words.extend(record_type.fields.iter().filter(|field| field.required).map(example));
    if words.is_empty() {
        words.extend(record_type.fields.iter().take(1).map(example));
    }
    let table = format!("`{{ {} }}`", words.join(", "));
    match family.shorthand {
        Some(_) => format!("write it like `\"{}\"`, or like {table}", record_type.name),
        None => format!("write it like {table}"),
    }
}

/// Example of a field with a value.
pub(super) fn example(field: &Field) -> String {
    let value = match field.kind {
        Kind::Scalar(unit) => {
            let usual = match unit {
                Unit::Coils | Unit::Frames => 12.0,
                Unit::Degrees => 30.0,
                Unit::Cycles => 3.0,
                // Typical for a rope one centimetre thick.
                Unit::Newtons => 50_000.0,
                Unit::NewtonSquareMetres | Unit::NewtonMetres => 0.01,
                Unit::Pascals => 1e9,
                Unit::KilogramsPerMetre => 0.1,
                Unit::KilogramsPerCubicMetre => 1.2,
                _ => 0.5,
            };
            match field.preset {
                _ if field.range.contains(usual) => number(usual),
                Preset::Number(preset) => number(preset),
                _ => number(1.0),
            }
        }
        Kind::Integer => "24".to_owned(),
        Kind::Vector(_) | Kind::Direction | Kind::Anchor => "[0, 0, 1]".to_owned(),
        Kind::Colour => "\"#c08040\"".to_owned(),
        Kind::Colours => "[\"#c08040\"]".to_owned(),
        Kind::Switch => "true".to_owned(),
        Kind::Text if field.name == "follow" => "\"tail.swing\"".to_owned(),
        Kind::Text => "\"rein\"".to_owned(),
        Kind::File => "\"belly.obj\"".to_owned(),
        Kind::Choice(choices) => {
            choices.first().map_or(String::new(), |c| format!("\"{}\"", c.name))
        }
        Kind::PerPoint(_, schema::On::Rope) => "\"u^2\"".to_owned(),
        Kind::PerPoint(_, schema::On::Mesh) => "\"smoothstep(0, 1, z)\"".to_owned(),
        Kind::Along(_) => "[[0, 1], [1, 0.5]]".to_owned(),
        Kind::Records(_) => "[]".to_owned(),
        Kind::Record(_) => "{}".to_owned(),
        Kind::Outline => "\"round\"".to_owned(),
        Kind::Grid(_) => "[[0, 0], [0, 0.1]]".to_owned(),
        Kind::Scalars(count, _) => format!("[{}]", vec!["0.1"; count].join(", ")),
        Kind::Vectors(count, _) => format!("[{}]", vec!["[0, 0, 0]"; count].join(", ")),
        Kind::Bodies => "[\"span\", \"tail\"]".to_owned(),
        Kind::Against => "\"floor\"".to_owned(),
        Kind::LocatorName => "\"hand\"".to_owned(),
        Kind::BodyName => "\"rein\"".to_owned(),
        Kind::Rate => "24".to_owned(),
        Kind::Frames => "[1, 120]".to_owned(),
        Kind::Anything => "…".to_owned(),
    };
    format!("{} = {value}", display_name(field))
}
