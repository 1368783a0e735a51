//! `lariat new`: a document to start from.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use lariat_scene::schema;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    input::is_standard,
    output, starter, words,
};

/// Write a document to start from: one body that moves, with every parameter explained
///
/// What must be said is said, everything else stands there as a comment with its default, to be
/// taken in or thrown out.
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// Where to; `-` is standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Which kind of body
    #[arg(
        long,
        value_name = "MODEL",
        default_value = "suspended-rope",
        value_parser = PossibleValuesParser::new(schema::models().map(|model| model.name))
    )]
    model: String,

    /// Replace a file that is there already
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
            console.remark(&format!(
                "wrote {name}; go on with\n  lariat check {name}\n  lariat render {name} -o \
                 {movie}\n  lariat export {name} -o {usda}"
            ));
        }
        Ok(Outcome::Clean)
    }

    /// What the document names is put beside it, unless there is one of that name already.
    fn put_file(&self, model: &schema::RecordType, console: Console) -> Result<(), Failure> {
        let Some((name, text)) = starter::file(model) else { return Ok(()) };
        let path = self.file.parent().unwrap_or(Path::new("")).join(name);
        let shown = words::shown(&path.to_string_lossy());
        if path.exists() && !self.force {
            console.remark(&format!("{shown} is there already and stays as it is"));
            return Ok(());
        }
        output::put(&path, true, &text)?;
        console.remark(&format!("wrote {shown}"));
        Ok(())
    }
}
