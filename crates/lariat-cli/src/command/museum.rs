//! `lariat museum`: example scenes.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use lariat_museum::{SCENES, Scene};
use lariat_scene::{Limits, check::check};

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    json::Json,
    museum::find,
    output, words,
};

/// List, show and copy the museum scenes (examples)
#[derive(Debug, clap::Args)]
pub(crate) struct Museum {
    #[command(subcommand)]
    action: Action,
}

/// Subcommands of `lariat museum`.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the scenes: name, title, figure and description
    List {
        /// Print the list as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the text of a scene
    Show {
        /// Name of the scene
        name: String,
    },
    /// Copy a scene to the current folder and print the next steps
    Open {
        /// Name of the scene
        name: String,

        /// Replace an existing file
        #[arg(long)]
        force: bool,
    },
    /// Copy a scene, or all of them
    Copy {
        /// Name of the scene
        #[arg(required_unless_present = "all")]
        name: Option<String>,

        /// File, folder, or `-` for standard output; a path that ends in `/` is a folder, created
        /// if missing [default: NAME.lariat]
        path: Option<PathBuf>,

        /// Copy all scenes to this folder
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
            Action::List { json: true } => list_json(),
            Action::List { json: false } => list(console),
            Action::Show { name } => {
                output::put(Path::new("-"), false, find(name)?.text)?;
                Ok(Outcome::Clean)
            }
            Action::Open { name, force } => open(find(name)?, *force, console),
            Action::Copy { all: Some(folder), force, .. } => copy_all(folder, *force, console),
            Action::Copy { name, path, force, .. } => {
                let museum_scene = find(name.as_deref().unwrap_or_default())?;
                copy(museum_scene, path.as_deref(), *force, console)
            }
        }
    }
}

fn file_name(museum_scene: &Scene) -> String {
    format!("{}.lariat", museum_scene.name)
}

fn list(console: Console) -> Done {
    let mut out = Console::results();
    let (bold, plain) = if console.colours_results() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    for museum_scene in SCENES {
        let figure = museum_scene.figure.map(|figure| format!(" ({figure})")).unwrap_or_default();
        writeln!(out, "{bold}{}{plain}: {}{figure}", museum_scene.name, museum_scene.title)?;
        for line in words::wrap(museum_scene.why, 88) {
            writeln!(out, "    {line}")?;
        }
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

fn list_json() -> Done {
    let mut out = Console::results();
    let mut json = Json::new(&mut out);
    json.object(|json| {
        json.list("scenes", SCENES, |json, museum_scene| {
            json.newline()?;
            json.object(|json| {
                json.field("name", museum_scene.name)?;
                json.field("title", museum_scene.title)?;
                json.field("figure", museum_scene.figure)?;
                json.field("why", museum_scene.why)
            })
        })
    })?;
    json.newline()?;
    out.flush()?;
    Ok(Outcome::Clean)
}

fn open(museum_scene: &Scene, force: bool, console: Console) -> Done {
    let file = file_name(museum_scene);
    output::put(Path::new(&file), force, museum_scene.text)?;
    put_files(museum_scene, Path::new(""))?;
    let name = museum_scene.name;
    // The path is the result; the next steps are a message.
    let mut out = Console::results();
    writeln!(out, "{file}")?;
    out.flush()?;
    console.note(&format!(
        "{}: {}\nnext steps:\n  lariat render {file} -o {name}.mp4    \
         render a movie\n  lariat check {file}\n  lariat export {file} -o \
         {name}.usda    for Blender or any USD viewer",
        museum_scene.title, museum_scene.why
    ));
    Ok(Outcome::Clean)
}

/// Writes the files that a museum scene refers to beside its copy, replacing existing ones.
fn put_files(museum_scene: &Scene, folder: &Path) -> Result<(), Failure> {
    let Some(content) = check(museum_scene.text.as_bytes(), &Limits::DEFAULT).content else {
        return Ok(());
    };
    for needed in content.lowered.files() {
        let Some(bytes) = lariat_museum::file(needed.path) else { continue };
        let path = folder.join(needed.path);
        let cannot = |error| {
            let path = words::shown(&path.to_string_lossy());
            Failure::new(format!("cannot write `{path}`: {error}"))
        };
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(cannot)?;
        fs::write(&path, bytes).map_err(cannot)?;
    }
    Ok(())
}

fn copy(museum_scene: &Scene, path: Option<&Path>, force: bool, console: Console) -> Done {
    let name = file_name(museum_scene);
    let names_folder = |path: &Path| path.to_string_lossy().ends_with(std::path::is_separator);
    let path = match path {
        None => PathBuf::from(name),
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(folder) if names_folder(folder) => {
            make_folder(folder)?;
            folder.join(name)
        }
        Some(path) => path.to_owned(),
    };
    output::put(&path, force, museum_scene.text)?;
    if !crate::input::is_standard(&path) {
        put_files(museum_scene, path.parent().unwrap_or(Path::new("")))?;
        console.note(&format!("wrote {}", words::shown(&path.to_string_lossy())));
    }
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
    let paths: Vec<PathBuf> = SCENES.iter().map(|e| folder.join(file_name(e))).collect();
    // Existing files are reported before anything is written.
    if let Some(path) = paths.iter().find(|path| !force && path.exists()) {
        return Err(output::failure(&lariat_export::ExportError::Exists { path: path.clone() }));
    }
    for (museum_scene, path) in SCENES.iter().zip(&paths) {
        output::put(path, force, museum_scene.text)?;
        put_files(museum_scene, folder)?;
    }
    console.note(&format!("wrote {} into {shown}", words::count(SCENES.len() as u64, "scene")));
    Ok(Outcome::Clean)
}
