//! `lariat museum`: example scenes and recipes.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::builder::PossibleValuesParser;
use lariat_museum::{RECIPES, SCENES, TOPICS, topics_of};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    json::Json,
    museum::{Example, examples, find},
    output, words,
};

/// Width of the list, in columns.
const WIDTH: usize = 100;

/// List, show and copy the museum scenes (examples)
///
/// Without a subcommand, it lists them.
#[derive(Debug, clap::Args)]
pub(crate) struct Museum {
    #[command(subcommand)]
    action: Option<Action>,
}

/// Subcommands of `lariat museum`.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List recipes and scenes: name, title and topics
    List {
        /// List only those that teach this
        #[arg(
            long,
            value_name = "TOPIC",
            value_parser = PossibleValuesParser::new(TOPICS.iter().map(|topic| {
                clap::builder::PossibleValue::new(topic.name).help(topic.about)
            }))
        )]
        topic: Option<String>,

        /// Add the figure and the reason for each scene
        #[arg(long)]
        long: bool,

        /// Print the list as JSON
        #[arg(long, conflicts_with = "long")]
        json: bool,
    },
    /// Print the text of a scene
    Show {
        /// Name of the scene or recipe
        name: String,
    },
    /// Copy a scene to the current folder and print the next steps
    Open {
        /// Name of the scene or recipe
        name: String,

        /// Replace existing files
        #[arg(long)]
        force: bool,
    },
    /// Copy a scene, or all of them
    Copy {
        /// Name of the scene or recipe
        #[arg(required_unless_present = "all")]
        name: Option<String>,

        /// File, folder, or `-` for standard output; a path that ends in `/` is a folder, created
        /// if missing [default: NAME.lariat]
        path: Option<PathBuf>,

        /// Copy all scenes and recipes to this folder
        #[arg(long, value_name = "FOLDER", conflicts_with_all = ["name", "path"])]
        all: Option<PathBuf>,

        /// Replace existing files
        #[arg(long)]
        force: bool,
    },
}

impl Museum {
    pub(crate) fn run(&self, console: Console) -> Done {
        match &self.action {
            None => list(None, false, console),
            Some(Action::List { topic, json: true, .. }) => list_json(topic.as_deref()),
            Some(Action::List { topic, long, .. }) => list(topic.as_deref(), *long, console),
            Some(Action::Show { name }) => {
                output::put(Path::new("-"), false, find(name)?.text)?;
                Ok(Outcome::Clean)
            }
            Some(Action::Open { name, force }) => open(&find(name)?, *force, console),
            Some(Action::Copy { all: Some(folder), force, .. }) => {
                copy_all(folder, *force, console)
            }
            Some(Action::Copy { name, path, force, .. }) => {
                let example = find(name.as_deref().unwrap_or_default())?;
                copy(&example, path.as_deref(), *force, console)
            }
        }
    }
}

/// Headings of the list, each with the beginnings of the names below it. Recipes come before them,
/// the remaining scenes after.
const GROUPS: &[(&str, &[&str])] = &[
    ("Hanging and loose ropes, cords, springs (Barzel 1997)", &["barzel-"]),
    ("Springs through keys, tails, modes (Kass and Anderson 2008)", &["kass-"]),
    ("Simulated ropes (after Tuzel)", &["tuzel-"]),
    ("Strings that twist and tear (Rungjiratananon and others 2012)", &["rung-", "string-"]),
    ("Limits", &["edge-"]),
];

/// Heading of the scenes that are in no group.
const REST: &str = "Layers, attachments, keys, looks";

/// Heading of a scene.
fn group_of(name: &str) -> &'static str {
    let begins = |(_, starts): &&(_, &[&str])| starts.iter().any(|start| name.starts_with(start));
    GROUPS.iter().find(begins).map_or(REST, |(heading, _)| heading)
}

/// Names of the topics of a scene or a recipe.
fn topics(name: &str) -> Vec<&'static str> {
    topics_of(name).map(|topic| topic.name).collect()
}

/// Whether a scene or a recipe is in the topic, if one is chosen.
fn is_in(topic: Option<&str>, name: &str) -> bool {
    topic.is_none_or(|topic| topics(name).contains(&topic))
}

fn list(topic: Option<&str>, long: bool, console: Console) -> Done {
    let mut out = Console::results();
    let (bold, plain) = if console.colours_results() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let program = words::program();
    let recipes = format!("Recipes (`{program} new --recipe NAME`)");
    let headings = std::iter::once(recipes.as_str())
        .chain(GROUPS.iter().map(|(heading, _)| *heading))
        .chain([REST]);
    let widest = examples().map(|example| example.name.len()).max().unwrap_or(0);
    for (place, heading) in headings.enumerate() {
        let shown: Vec<Example> = if place == 0 {
            RECIPES.iter().map(Example::from).collect()
        } else {
            let of_group = SCENES.iter().filter(|scene| group_of(scene.name) == heading);
            of_group.map(Example::from).collect()
        };
        let mut below = shown.iter().filter(|example| is_in(topic, example.name)).peekable();
        if below.peek().is_none() {
            continue;
        }
        writeln!(out, "{bold}{heading}{plain}")?;
        for example in below {
            let Example { name, title, about, .. } = example;
            let topics = topics(name).join(", ");
            let row = format!("  {name:widest$}  {title}");
            let room = WIDTH.saturating_sub(row.chars().count());
            let indent = if topics.len() + 2 <= room {
                room - topics.len()
            } else {
                writeln!(out, "{row}")?;
                WIDTH - topics.len()
            };
            let row = if topics.len() + 2 <= room { row } else { String::new() };
            writeln!(out, "{row}{:indent$}{topics}", "")?;
            if long {
                let figure = SCENES.iter().find(|scene| scene.name == *name);
                let figure = figure.and_then(|scene| scene.figure);
                let figure = figure.map(|figure| format!(" ({figure})")).unwrap_or_default();
                for line in words::wrap(&format!("{about}{figure}"), WIDTH - 6) {
                    writeln!(out, "      {line}")?;
                }
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "{bold}Topics{plain} (`{program} museum list --topic NAME`)")?;
    let widest = TOPICS.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    for shown in TOPICS.iter().filter(|shown| topic.is_none_or(|topic| topic == shown.name)) {
        writeln!(out, "  {:widest$}  {}", shown.name, shown.about)?;
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

fn list_json(topic: Option<&str>) -> Done {
    let mut out = Console::results();
    let mut json = Json::new(&mut out);
    json.object(|json| {
        let recipes = RECIPES.iter().filter(|recipe| is_in(topic, recipe.name));
        json.list("recipes", recipes, |json, recipe| {
            json.newline()?;
            json.object(|json| {
                json.field("name", recipe.name)?;
                json.field("title", recipe.title)?;
                json.field("teaches", recipe.teaches)?;
                json.list("topics", topics(recipe.name), Json::value)?;
                json.field("loops", recipe.loops)?;
                json.list("files", recipe.files, Json::value)
            })
        })?;
        let scenes = SCENES.iter().filter(|scene| is_in(topic, scene.name));
        json.list("scenes", scenes, |json, museum_scene| {
            json.newline()?;
            json.object(|json| {
                json.field("name", museum_scene.name)?;
                json.field("title", museum_scene.title)?;
                json.field("figure", museum_scene.figure)?;
                json.field("why", museum_scene.why)?;
                json.list("topics", topics(museum_scene.name), Json::value)
            })
        })
    })?;
    json.newline()?;
    out.flush()?;
    Ok(Outcome::Clean)
}

fn open(example: &Example, force: bool, console: Console) -> Done {
    let file = example.file_name();
    example.write(Path::new(&file), force)?;
    // The path is the result; the next steps are a message.
    let mut out = Console::results();
    writeln!(out, "{file}")?;
    out.flush()?;
    let Example { name, title, about, .. } = example;
    let program = words::program();
    console.note(&format!(
        "{title}: {about}\nnext steps:\n  {program} render {file} -o {name}.mp4    \
         render a movie\n  {program} check {file}\n  {program} export {file} -o \
         {name}.usda    for Blender or any USD viewer"
    ));
    Ok(Outcome::Clean)
}

fn copy(example: &Example, path: Option<&Path>, force: bool, console: Console) -> Done {
    let name = example.file_name();
    let names_folder = |path: &Path| path.to_string_lossy().ends_with(std::path::is_separator);
    let path = match path {
        None => PathBuf::from(name),
        Some(path) if crate::input::is_standard(path) => {
            output::put(path, force, example.text)?;
            return Ok(Outcome::Clean);
        }
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(folder) if names_folder(folder) => {
            make_folder(folder)?;
            folder.join(name)
        }
        Some(path) => path.to_owned(),
    };
    output::sweep(&path, console);
    example.write(&path, force)?;
    console.note(&format!("wrote {}", words::shown(&path.to_string_lossy())));
    Ok(Outcome::Clean)
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    let shown = words::shown(&folder.to_string_lossy());
    fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("cannot create folder `{shown}`: {error}")))
}

fn copy_all(folder: &Path, force: bool, console: Console) -> Done {
    let shown = words::shown(&folder.to_string_lossy());
    make_folder(folder)?;
    let path = |example: &Example| folder.join(example.file_name());
    // Existing files are reported before anything is written.
    let existing = examples().find_map(|example| example.existing(&path(&example)));
    if let Some(path) = existing.filter(|_| !force) {
        return Err(output::failure(&lariat_export::ExportError::Exists { path }));
    }
    output::sweep(&folder.join("scene.lariat"), console);
    for example in examples() {
        example.write(&path(&example), force)?;
    }
    let recipes = words::count(RECIPES.len() as u64, "recipe");
    let scenes = words::count(SCENES.len() as u64, "scene");
    console.note(&format!("wrote {recipes} and {scenes} into {shown}"));
    Ok(Outcome::Clean)
}
