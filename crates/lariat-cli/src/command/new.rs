//! `lariat new`: starter documents and recipes.

use std::{
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::builder::{PossibleValue, PossibleValuesParser};
use lariat::starter;
use lariat_museum::RECIPES;
use lariat_scene::schema;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    input::is_standard,
    museum::Example,
    output, words,
};

/// Write a document to start from: a recipe, or a starter with every parameter explained
///
/// A recipe is a short scene that suggests three changes. A starter has one moving body: required
/// fields are filled in, and every other parameter is listed as a comment with its default.
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// Output file; `-` is standard output [default with --recipe: NAME.lariat]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write this recipe, and the files that it needs beside it; without NAME, list all
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        action = clap::ArgAction::Set,
        conflicts_with = "model",
        value_parser = PossibleValuesParser::new(
            RECIPES.iter().map(|recipe| PossibleValue::new(recipe.name).help(recipe.title))
        )
    )]
    recipe: Option<Vec<String>>,

    /// List recipes and models
    #[arg(long, conflicts_with_all = ["file", "recipe", "model"])]
    list: bool,

    /// Model of the body of a starter
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "suspended-rope",
        value_parser = PossibleValuesParser::new(schema::models().map(|model| model.name))
    )]
    model: String,

    /// Replace existing files
    #[arg(long)]
    force: bool,
}

impl New {
    pub(crate) fn run(&self, console: Console) -> Done {
        match (self.recipe.as_deref(), &self.file) {
            (Some([]), None) => show_list(),
            _ if self.list => show_list(),
            (Some([]), Some(_)) => {
                Err(Failure::new(format!("`--recipe` needs the name of a recipe\n\n{}", listed())))
            }
            (Some([name, ..]), file) => self.recipe(name, file.as_deref(), console),
            (None, Some(file)) => self.starter(file, console),
            (None, None) => Err(Failure::new(format!(
                "no file and no recipe given: `{program} new FILE` writes a starter, `{program} \
                 new --recipe NAME` a recipe\n\n{}",
                listed(),
                program = words::program()
            ))),
        }
    }

    fn recipe(&self, name: &str, file: Option<&Path>, console: Console) -> Done {
        let recipe = lariat_museum::recipe(name);
        let recipe = recipe.ok_or_else(|| Failure::new(format!("no recipe `{name}`")))?;
        let example = Example::from(recipe);
        let path = file.map_or_else(|| PathBuf::from(example.file_name()), Path::to_owned);
        if is_standard(&path) {
            output::put(&path, self.force, example.text)?;
            return Ok(Outcome::Clean);
        }
        output::sweep(&path, console);
        let files = example.write(&path, self.force)?;
        let beside = if files.is_empty() { String::new() } else { " with ".to_owned() };
        let wrote = format!("{}{beside}{}", shown(&path), files.join(", "));
        let movie = shown(&path.with_extension("mp4"));
        let (program, name) = (words::program(), shown(&path));
        console.note(&format!(
            "wrote {wrote}; next steps:\n  {program} render {name} -o {movie}\n  {program} check \
             {name}\nthree comments `# Try:` in it suggest changes"
        ));
        Ok(Outcome::Clean)
    }

    fn starter(&self, file: &Path, console: Console) -> Done {
        let model = schema::BODY.find(&self.model);
        let model = model.ok_or_else(|| Failure::new(format!("no model `{}`", self.model)))?;
        output::sweep(file, console);
        output::put(file, self.force, &starter::document(model))?;
        if !is_standard(file) {
            self.put_file(file, model, console)?;
            let [usda, movie] = ["usda", "mp4"].map(|ending| shown(&file.with_extension(ending)));
            let (program, name) = (words::program(), shown(file));
            console.note(&format!(
                "wrote {name}; next steps:\n  {program} check {name}\n  {program} render {name} -o \
                 {movie}\n  {program} export {name} -o {usda}"
            ));
        }
        Ok(Outcome::Clean)
    }

    /// Writes the file that the document refers to beside it, unless it exists.
    fn put_file(
        &self,
        document: &Path,
        model: &schema::RecordType,
        console: Console,
    ) -> Result<(), Failure> {
        let Some((name, text)) = starter::file(model) else { return Ok(()) };
        let path = document.parent().unwrap_or(Path::new("")).join(name);
        let shown = shown(&path);
        if path.exists() && !self.force {
            console.note(&format!("{shown} already exists; kept"));
            return Ok(());
        }
        output::put(&path, true, &text)?;
        console.note(&format!("wrote {shown}"));
        Ok(())
    }
}

fn shown(path: &Path) -> String {
    words::shown(&path.to_string_lossy())
}

/// Recipes with their titles, and the names of all models.
fn listed() -> String {
    let program = words::program();
    let widest = RECIPES.iter().map(|recipe| recipe.name.len()).max().unwrap_or(0);
    let mut out = format!("Recipes (`{program} new --recipe NAME`)\n");
    for recipe in RECIPES {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {:widest$}  {}", recipe.name, recipe.title);
    }
    let _ = writeln!(out, "\nModels (`{program} new FILE --model NAME`)");
    let names: Vec<&str> = schema::models().map(|model| model.name).collect();
    for line in words::wrap(&names.join(", "), 96) {
        let _ = writeln!(out, "  {line}");
    }
    out.truncate(out.trim_end().len());
    out
}

fn show_list() -> Done {
    let mut out = Console::results();
    writeln!(out, "{}", listed())?;
    out.flush()?;
    Ok(Outcome::Clean)
}
