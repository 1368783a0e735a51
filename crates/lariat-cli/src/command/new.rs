//! `lariat new`: starter documents.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use lariat::starter;
use lariat_scene::schema;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    input::is_standard,
    output, words,
};

/// Write a starter document: one moving body, with every parameter explained
///
/// Required fields are filled in; every other parameter is listed as a comment with its default.
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// Output file; `-` is standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Model of the body
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "suspended-rope",
        value_parser = PossibleValuesParser::new(schema::models().map(|model| model.name))
    )]
    model: String,

    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl New {
    pub(crate) fn run(&self, console: Console) -> Done {
        let model = schema::BODY.find(&self.model);
        let model = model.ok_or_else(|| Failure::new(format!("no model `{}`", self.model)))?;
        output::put(&self.file, self.force, &starter::document(model))?;
        if !is_standard(&self.file) {
            self.put_file(model, console)?;
            let name = words::shown(&self.file.to_string_lossy());
            let [usda, movie] = ["usda", "mp4"]
                .map(|ending| words::shown(&self.file.with_extension(ending).to_string_lossy()));
            console.note(&format!(
                "wrote {name}; next steps:\n  lariat check {name}\n  lariat render {name} -o \
                 {movie}\n  lariat export {name} -o {usda}"
            ));
        }
        Ok(Outcome::Clean)
    }

    /// Writes the file that the document refers to beside it, unless it exists.
    fn put_file(&self, model: &schema::RecordType, console: Console) -> Result<(), Failure> {
        let Some((name, text)) = starter::file(model) else { return Ok(()) };
        let path = self.file.parent().unwrap_or(Path::new("")).join(name);
        let shown = words::shown(&path.to_string_lossy());
        if path.exists() && !self.force {
            console.note(&format!("{shown} already exists; kept"));
            return Ok(());
        }
        output::put(&path, true, &text)?;
        console.note(&format!("wrote {shown}"));
        Ok(())
    }
}
