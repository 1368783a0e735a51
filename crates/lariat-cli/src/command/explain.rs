//! `lariat explain`: pages about diagnostics, models, records, parameters and their values.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use lariat_core::geometry::LOOKS;
use lariat_scene::{
    check::Code,
    schema::{self, Choice, Family, Field, Kind, RecordType, did_you_mean},
};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    json::Json,
    markdown::{self, Style},
    words,
};

/// Explain a diagnostic code, a model, a record, a parameter or a value
///
/// The page of a code (L0601) describes its meaning, shows an example and the fix. The page of a
/// model or record (suspended-rope, wave, document) lists its parameters; that of a family (body,
/// layer, collider, envelope) lists those of each member. The page of a parameter (swing) lists the
/// records that have it, and that of a value (hemp) the parameters that accept it. Without a name,
/// lists all codes.
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// Code, model, record, parameter or value
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Header of a table of parameters.
const HEAD: &str = "| parameter | takes | default | what it does |\n|---|---|---|---|\n";

/// Subject of a page.
enum Topic {
    Codes,
    Code(Code),
    Record(&'static RecordType),
    Family(&'static Family),
    /// Records that have the parameter.
    Field(Vec<(&'static RecordType, &'static Field)>),
    /// Parameters that accept the value.
    Choice(Vec<Accepting>),
}

/// A value, the parameter that accepts it, and its record.
type Accepting = (&'static RecordType, &'static Field, &'static Choice);

impl Explain {
    pub(crate) fn run(&self, console: Console) -> Done {
        let topic = match &self.name {
            None => Topic::Codes,
            Some(name) => Topic::find(name).ok_or_else(|| unknown(name))?,
        };
        let mut out = Console::results();
        if self.json {
            topic.write_json(&mut Json::new(&mut out))?;
            out.write_all(b"\n")?;
        } else {
            let page = markdown::render(&topic.page(), Style::new(console.colours_results()));
            out.write_all(page.as_bytes())?;
        }
        out.flush()?;
        Ok(Outcome::Clean)
    }
}

/// All records, including the document.
fn records() -> impl Iterator<Item = &'static RecordType> {
    let families = schema::families().flat_map(|family| family.types.iter().copied());
    std::iter::once(&schema::DOCUMENT).chain(families)
}

/// Values that a parameter accepts; empty if it does not take one of a list.
fn choices(field: &Field) -> &'static [Choice] {
    match field.kind {
        Kind::Choice(choices) => choices,
        _ => &[],
    }
}

/// All values of all parameters.
fn all_choices() -> impl Iterator<Item = Accepting> {
    let fields =
        records().flat_map(|record| record.fields.iter().map(move |field| (record, field)));
    fields.flat_map(|(record, field)| choices(field).iter().map(move |word| (record, field, word)))
}

fn unknown(name: &str) -> Failure {
    let nouns = schema::families().map(|family| family.noun);
    let records = || records().map(|record| record.name);
    let fields = self::records().flat_map(|record| record.fields).map(|field| field.name);
    let taken = all_choices().map(|(_, _, word)| word.name);
    let remedy = match did_you_mean(name, nouns.chain(records()).chain(fields).chain(taken)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            "`lariat explain` lists all codes; models: ".to_owned()
                + &schema::models().map(|model| model.name).collect::<Vec<_>>().join(", ")
        }
    };
    Failure::new(format!("nothing to explain for `{}`; {remedy}", words::shown(name)))
}

impl Topic {
    fn find(name: &str) -> Option<Self> {
        if let Some(code) = Code::find(name) {
            return Some(Self::Code(code));
        }
        let record = records().find(|record| record.name == name).or_else(|| schema::find(name));
        if let Some(record) = record {
            return Some(Self::Record(record));
        }
        if let Some(family) = schema::families().find(|family| family.noun == name) {
            return Some(Self::Family(family));
        }
        let having = |record: &'static RecordType| Some((record, record.field(name)?));
        let having: Vec<_> = records().filter_map(having).collect();
        if !having.is_empty() {
            return Some(Self::Field(having));
        }
        let taking: Vec<_> = all_choices().filter(|(_, _, word)| word.name == name).collect();
        (!taking.is_empty()).then_some(Self::Choice(taking))
    }

    /// The page, as Markdown.
    fn page(&self) -> String {
        match self {
            Self::Codes => {
                let row = |code: &Code| {
                    format!("{code}  {:<7}  {}\n", code.severity().to_string(), code.title())
                };
                let rows: String = Code::ALL.iter().map(row).collect();
                format!("```\n{rows}```\n\nRun `lariat explain CODE` for details.\n")
            }
            Self::Code(code) => code.page().to_owned(),
            Self::Record(record) => record_page(record),
            Self::Family(family) => family_page(family),
            Self::Field(having) => field_page(having),
            Self::Choice(taking) => choice_page(taking),
        }
    }

    fn write_json(&self, json: &mut Json<'_>) -> io::Result<()> {
        let head = |json: &mut Json<'_>, code: &Code| {
            json.field("code", code.name())?;
            json.field("severity", code.severity().to_string())?;
            json.field("title", code.title())
        };
        match self {
            Self::Codes => json.object(|json| {
                json.list("codes", Code::ALL, |json, code| {
                    json.newline()?;
                    json.object(|json| head(json, code))
                })
            }),
            Self::Code(code) => json.object(|json| {
                head(json, code)?;
                json.field("page", code.page())
            }),
            Self::Record(record) => write_record(json, record, record.fields.iter()),
            Self::Family(family) => json.object(|json| {
                json.list("records", family.types, |json, record| {
                    json.newline()?;
                    write_record(json, record, record.fields.iter())
                })
            }),
            Self::Field(having) => json.object(|json| {
                json.list("records", having, |json, (record, field)| {
                    json.newline()?;
                    write_record(json, record, std::iter::once(*field))
                })
            }),
            Self::Choice(taking) => json.object(|json| {
                json.list("words", taking, |json, (record, field, word)| {
                    json.newline()?;
                    json.object(|json| {
                        json.field("word", word.name)?;
                        json.field("record", record.name)?;
                        json.field("parameter", field.name)?;
                        json.field("help", word.help)
                    })
                })
            }),
        }
    }
}

/// Page of a record: description, parameters, and references to the records in its lists.
fn record_page(record: &RecordType) -> String {
    let mut page =
        format!("# {}\n\n{}\n\n{}", record.name, record.help, schema::parameters(record));
    let inner = record.fields.iter().filter_map(|field| match field.kind {
        Kind::Records(family) | Kind::Record(family) => Some(family.noun),
        _ => None,
    });
    let mut inner: Vec<String> = inner.map(|noun| noun.replace(' ', "-")).collect();
    inner.sort_unstable();
    inner.dedup();
    if !inner.is_empty() {
        let more: Vec<String> =
            inner.iter().map(|noun| format!("`lariat explain {noun}`")).collect();
        let _ = writeln!(page, "\nSee also: {}.", more.join(", "));
    }
    page
}

/// Page of a family of records; models are listed without their parameters.
fn family_page(family: &Family) -> String {
    let mut page = format!("# {}\n", family.noun);
    for record in family.types {
        let title = match family.tag {
            Some(tag) => format!("{tag} = \"{}\"", record.name),
            None => record.name.to_owned(),
        };
        let _ = writeln!(page, "\n## {title}\n\n{}", record.help);
        if family.noun != schema::BODY.noun {
            let _ = write!(page, "\n{}", schema::parameters(record));
        }
    }
    page
}

/// Records grouped by equal content, each once.
struct Groups<T>(Vec<(T, Vec<&'static str>)>);

impl<T: PartialEq> Groups<T> {
    fn add(&mut self, content: T, record: &RecordType) {
        match self.0.iter_mut().find(|(other, _)| *other == content) {
            // A wave may be among the waves of a model or among its layers.
            Some((_, records)) if records.contains(&record.name) => {}
            Some((_, records)) => records.push(record.name),
            None => self.0.push((content, vec![record.name])),
        }
    }
}

/// Page of a parameter: its description in each record, and the values it accepts.
fn field_page(having: &[(&'static RecordType, &'static Field)]) -> String {
    let mut groups = Groups(Vec::new());
    for (record, field) in having {
        let Some(row) = row(record, field) else { continue };
        groups.add((row, choices(field)), record);
    }
    let name = having.first().map_or("", |(_, field)| field.name);
    let mut page = format!("# {name}\n");
    for ((row, choices), records) in groups.0 {
        let records = words::either(records).replace(" or ", " and ");
        let _ = write!(page, "\nIn {records}:\n\n{HEAD}| {} |\n", row.join(" | "));
        let words = choices.iter().map(|word| format!("* `\"{}\"`: {}\n", word.name, word.help));
        let words: String = words.collect();
        if !words.is_empty() {
            let _ = write!(page, "\n{words}");
        }
    }
    match name {
        "material" => page += &format!("\n{}", schema::materials()),
        "look" => {
            page += "\nLooks:\n\n";
            for (name, description) in LOOKS {
                let _ = writeln!(page, "* `\"{name}\"`: {description}");
            }
        }
        _ => {}
    }
    page
}

/// Page of a value: the parameters that accept it.
fn choice_page(taking: &[Accepting]) -> String {
    let mut groups = Groups(Vec::new());
    for (record, field, word) in taking {
        groups.add((field.name, word.help), record);
    }
    let name = taking.first().map_or("", |(_, _, word)| word.name);
    let mut page = format!("# {name}\n");
    for ((field, help), records) in groups.0 {
        let records = words::either(records).replace(" or ", " and ");
        let _ = write!(page, "\n`{field} = \"{name}\"` in {records}:\n\n{help}\n");
        if field == "material"
            && let Some(numbers) = schema::material(name)
        {
            let _ = write!(page, "\n{numbers}");
        }
        let _ = writeln!(page, "\nOther values: `lariat explain {field}`.");
    }
    page
}

/// Cells of a parameter in the table of its record.
fn row(record: &RecordType, field: &Field) -> Option<Vec<String>> {
    let position = record.fields.iter().position(|other| other.name == field.name)?;
    markdown::rows(&schema::parameters(record)).into_iter().nth(position)
}

fn write_record(
    json: &mut Json<'_>,
    record: &RecordType,
    fields: impl Iterator<Item = &'static Field>,
) -> io::Result<()> {
    json.object(|json| {
        json.field("record", record.name)?;
        json.field("help", record.help)?;
        json.list("parameters", fields, |json, field| {
            let row = row(record, field).unwrap_or_default();
            let cell = |index: usize| row.get(index).map_or("", String::as_str);
            json.newline()?;
            json.object(|json| {
                json.field("name", field.name)?;
                json.list("plain", field.plain, |json, word| json.value(*word))?;
                json.field("takes", cell(1))?;
                json.field("default", cell(2))?;
                json.field("required", field.required)?;
                json.field("animatable", field.animatable)?;
                json.list("words", choices(field), |json, word| {
                    json.object(|json| {
                        json.field("word", word.name)?;
                        json.field("help", word.help)
                    })
                })?;
                json.field("help", field.help)
            })
        })
    })
}
