//! `lariat explain`: a page about a finding, a model, a record, or a parameter.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use lariat_scene::{
    check::Code,
    schema::{self, Family, Field, Kind, RecordType, did_you_mean},
};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    json::Json,
    markdown::{self, Style},
    words,
};

/// Explain a finding, a model, a record or a parameter
///
/// A code (L0601) has a page: what it means, why it matters, an example, and how to mend it. A
/// model or record (suspended-rope, wave, document) has a table of its parameters, a family of
/// them (body, layer, collider, envelope) a table of each. A parameter (swing) tells where it can
/// be used. Without a name, all codes are listed.
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// Code, model, record or parameter
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// The same for programs
    #[arg(long)]
    json: bool,
}

/// The head of a table of parameters.
const HEAD: &str = "| parameter | takes | default | what it does |\n|---|---|---|---|\n";

/// What a name stands for.
enum Topic {
    Codes,
    Code(Code),
    Record(&'static RecordType),
    Family(&'static Family),
    /// Records that have the parameter, with its row.
    Field(Vec<(&'static RecordType, &'static Field)>),
}

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

/// Every record there is, the document itself included.
fn records() -> impl Iterator<Item = &'static RecordType> {
    let families = schema::families().flat_map(|family| family.types.iter().copied());
    std::iter::once(&schema::DOCUMENT).chain(families)
}

fn unknown(name: &str) -> Failure {
    let nouns = schema::families().map(|family| family.noun);
    let records = || records().map(|record| record.name);
    let fields = self::records().flat_map(|record| record.fields).map(|field| field.name);
    let way_out = match did_you_mean(name, nouns.chain(records()).chain(fields)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            "`lariat explain` lists all codes, and models are called ".to_owned()
                + &words::either(schema::models().map(|model| model.name))
        }
    };
    Failure::new(format!("there is nothing called `{}` to explain: {way_out}", words::shown(name)))
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
        (!having.is_empty()).then_some(Self::Field(having))
    }

    /// The page, as Markdown.
    fn page(&self) -> String {
        match self {
            Self::Codes => {
                let row = |code: &Code| {
                    format!("{code}  {:<7}  {}\n", code.severity().to_string(), code.title())
                };
                let rows: String = Code::ALL.iter().map(row).collect();
                format!("```\n{rows}```\n\n`lariat explain CODE` has a page about each.\n")
            }
            Self::Code(code) => code.page().to_owned(),
            Self::Record(record) => record_page(record),
            Self::Family(family) => family_page(family),
            Self::Field(having) => field_page(having),
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
        }
    }
}

/// A record: what it is for, its parameters, and where to read on about what stands in its lists.
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
        let _ = writeln!(page, "\nWhat stands in its lists: {}.", more.join(", "));
    }
    page
}

/// A family of records: how they are told apart, and each of them; of models only what they are
/// for, because all their parameters would be a book.
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

/// A parameter: what it does, and where. Records that say the same about it are named together.
fn field_page(having: &[(&'static RecordType, &'static Field)]) -> String {
    let mut groups: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for (record, field) in having {
        let Some(row) = row(record, field) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == row) {
            // A wave may stand among the waves of a model or among its layers.
            Some((_, records)) if records.contains(&record.name) => {}
            Some((_, records)) => records.push(record.name),
            None => groups.push((row, vec![record.name])),
        }
    }
    let name = having.first().map_or("", |(_, field)| field.name);
    let mut page = format!("# {name}\n");
    for (row, records) in groups {
        let records = words::either(records).replace(" or ", " and ");
        let _ = write!(page, "\nIn {records}:\n\n{HEAD}| {} |\n", row.join(" | "));
    }
    page
}

/// The cells of a parameter's row in the table of its record.
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
                json.field("help", field.help)
            })
        })
    })
}
