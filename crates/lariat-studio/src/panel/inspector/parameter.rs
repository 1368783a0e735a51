//! Parameters of the selected things: their values at the current frame, and edits of all of them.
//!
//! Tests: `a_path_is_the_same_parameter_of_another_thing`, `a_short_record_is_opened_before_it_is_edited`.

use egui::Id;
use lariat_editor::{
    ChannelForm,
    tool::{self, ToolError},
};
use lariat_scene::{
    Document, Edit, Path, Table, Value,
    schema::{self, Family, Field, Kind, Preset},
};

use super::super::PanelContext;
use crate::{action::Action, label, session::Session};

/// The things whose parameters are shown, and the columns of the panel.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The active thing.
    pub(crate) root: Path,
    /// Other selected things of the same type, which are edited along.
    pub(crate) others: Vec<Path>,
    /// Left end of the controls, in points.
    pub(crate) controls: f32,
    /// Words that parameters are searched by, in lower case; all if empty.
    pub(crate) search: String,
}

impl Scope {
    /// The same parameter of all selected things; that of the active one first.
    pub(crate) fn paths(&self, path: &Path) -> Vec<Path> {
        let below = path.steps().get(self.root.steps().len()..).unwrap_or_default();
        let others = self.others.iter();
        let others = others.map(|root| root.steps().iter().chain(below).cloned().collect());
        std::iter::once(path.clone()).chain(others).collect()
    }
}

/// A parameter of the active thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter<'p> {
    pub(crate) scope: &'p Scope,
    /// Its record.
    pub(crate) owner: &'p Path,
    /// The family of its record.
    pub(crate) family: Option<&'static Family>,
    pub(crate) path: &'p Path,
    /// Its value as written, if it is given.
    pub(crate) given: Option<&'p Value>,
    pub(crate) field: &'static Field,
    /// Kind of its value: that of the parameter that oscillates, for an equilibrium.
    pub(crate) kind: Kind,
    /// Its name as people read it.
    pub(crate) words: &'p str,
    /// Id of the label with its name.
    pub(crate) named: Id,
    /// Whether the selected things have different values.
    pub(crate) is_mixed: bool,
}

impl Parameter<'_> {
    /// Name of the entry that sets it.
    pub(crate) fn entry(&self) -> String {
        let words = self.words.to_lowercase();
        match self.scope.others.len() {
            0 => format!("Set {words}"),
            others => format!("Set {words} of {}", others + 1),
        }
    }

    /// Its value at a frame, as it would be written; the default if it is not given.
    pub(crate) fn value(&self, context: &PanelContext<'_>) -> Option<Value> {
        let from_editor =
            || context.session.editor.value_at(self.path, context.workspace.frame).ok();
        if let (Kind::Switch, Some(given)) = (self.kind, self.given)
            && ChannelForm::of(Some(given)) == ChannelForm::Keyed
        {
            return held_key(given, context.workspace.frame);
        }
        match (self.given, self.field.preset) {
            (Some(value), _) if ChannelForm::of(Some(value)) == ChannelForm::Constant => {
                Some(value.clone())
            }
            (None, Preset::Number(number)) => Some(number.into()),
            (None, Preset::Numbers(numbers)) => Some(numbers.to_vec().into()),
            (None, Preset::Switch(on)) => Some(on.into()),
            (None, Preset::Text(text)) => Some(text.into()),
            (None, Preset::Colours(colours)) => {
                Some(Value::List(colours.iter().map(|one| Value::from(one.to_vec())).collect()))
            }
            (None, Preset::Computed(_) | Preset::None | Preset::Empty) => self.otherwise(context),
            (Some(_), _) => from_editor(),
        }
    }

    /// Its value if it applies since no alternative is given.
    fn otherwise(&self, context: &PanelContext<'_>) -> Option<Value> {
        let document = context.session.editor.document();
        let record = schema::record_at(document, self.owner)?;
        let table = document.get(self.owner)?.table()?;
        let alternatives =
            record.one_of.iter().find(|one| one.fields.contains(&self.field.name))?;
        let (name, number) = alternatives.otherwise?;
        let is_given = |field: &Field| table.iter().any(|(name, _)| field.is_called(name));
        let mut fields = record.fields.iter();
        let is_alone =
            !fields.any(|field| alternatives.fields.contains(&field.name) && is_given(field));
        (name == self.field.name && is_alone).then(|| number.into())
    }

    /// The edit after which all selected things have a value at the current frame.
    pub(crate) fn set(&self, context: &PanelContext<'_>, value: &Value) -> Result<Edit, ToolError> {
        let (session, workspace) = (context.session, &*context.workspace);
        let (frame, auto_key) = (workspace.frame, workspace.auto_key);
        let document = session.editor.document();
        self.all(|owner, path| match opened(document, owner, self.family) {
            Some(open) => {
                Ok(Edit::Batch(vec![open, Edit::Set { path: path.clone(), value: value.clone() }]))
            }
            None if self.field.animatable => session.editor.set_at(path, frame, value, auto_key),
            None => tool::set(document, path, value.clone()),
        })
    }

    /// The edits of all selected things as one.
    pub(crate) fn all(
        &self,
        edit: impl Fn(&Path, &Path) -> Result<Edit, ToolError>,
    ) -> Result<Edit, ToolError> {
        let owners = self.scope.paths(self.owner);
        let paths = self.scope.paths(self.path);
        let mut edits = Vec::with_capacity(paths.len());
        for (owner, path) in owners.iter().zip(&paths) {
            edits.push(edit(owner, path)?);
        }
        Ok(if edits.len() == 1 { edits.swap_remove(0) } else { Edit::Batch(edits) })
    }

    /// Sets it as one entry of the history.
    pub(crate) fn apply(&self, context: &mut PanelContext<'_>, value: &Value) {
        let edit = self.set(context, value);
        ask(context, self.entry(), edit);
    }

    /// Applies an edit of the active thing and the same of the others.
    pub(crate) fn apply_all(
        &self,
        context: &mut PanelContext<'_>,
        name: impl Into<String>,
        edit: impl Fn(&Session, &Path) -> Result<Edit, ToolError>,
    ) {
        let session = context.session;
        ask(context, name, self.all(|_, path| edit(session, path)));
    }
}

/// Asks for an edit, or shows why there is none.
pub(crate) fn ask(
    context: &mut PanelContext<'_>,
    name: impl Into<String>,
    edit: Result<Edit, ToolError>,
) {
    match edit {
        Ok(edit) => context.actions.apply(name, edit),
        Err(error) => context.actions.push(Action::Report(error.to_string())),
    }
}

/// The edit that makes a record a table, if it is missing or written as a single word.
pub(crate) fn opened(
    document: &Document,
    owner: &Path,
    family: Option<&'static Family>,
) -> Option<Edit> {
    let table = match document.get(owner) {
        None => Table::new(),
        Some(Value::Text(word)) => Table::new().with(family?.tag?, &**word),
        Some(_) => return None,
    };
    Some(Edit::Set { path: owner.clone(), value: table.into() })
}

/// The word that animators use, if there is one, and not just another spelling.
pub(crate) fn plain_name(field: &Field) -> &'static str {
    let spelled = |name: &&&str| !name.contains("color");
    field.plain.iter().find(spelled).copied().unwrap_or(field.name)
}

/// Name of a parameter as people read it.
pub(crate) fn words_of(field: &Field) -> String {
    match field.name {
        "dynamics" => "Physics".to_owned(),
        "fps" => "Frames per second".to_owned(),
        _ => label::words(plain_name(field)),
    }
}

/// Frames of the keys of a parameter.
pub(crate) fn key_frames(value: &Value) -> Vec<f64> {
    let table = value.table();
    let keys = table.and_then(|table| table.get("keys").or_else(|| table.get("wiggle")));
    let keys = keys.and_then(Value::list).unwrap_or_default();
    let frame = |key: &Value| match key {
        Value::List(list) => list.first().and_then(Value::number),
        Value::Table(table) => table.get("frame").and_then(Value::number),
        _ => None,
    };
    keys.iter().filter_map(frame).collect()
}

/// The value of the last key at or before a frame; of the first before all of them. Switches hold
/// their values.
fn held_key(value: &Value, frame: f64) -> Option<Value> {
    let frames = key_frames(value);
    let passed = frames.iter().filter(|key| **key <= frame).count();
    let key = value.table()?.get("keys")?.list()?.get(passed.max(1) - 1)?;
    match key {
        Value::List(pair) => pair.get(1).cloned(),
        Value::Table(key) => key.get("value").cloned(),
        _ => None,
    }
}

/// Three numbers.
pub(crate) fn numbers(value: &Value) -> Option<[f64; 3]> {
    let list = value.list()?;
    let numbers: Option<Vec<f64>> = list.iter().map(Value::number).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use lariat_scene::format;

    use super::*;

    #[test]
    fn a_path_is_the_same_parameter_of_another_thing() {
        let path = |text: &str| text.parse::<Path>().expect("a path");
        let scope = Scope {
            root: path("body.rein"),
            others: vec![path("body.\"lead 2\"")],
            controls: 0.0,
            search: String::new(),
        };
        let paths = scope.paths(&path("body.rein.waves[0].height"));
        let paths: Vec<String> = paths.iter().map(Path::to_string).collect();
        assert_eq!(paths, ["body.rein.waves[0].height", "body.\"lead 2\".waves[0].height"]);
    }

    #[test]
    fn a_short_record_is_opened_before_it_is_edited() {
        let text = "lariat = 2\n[[body]]\nname = 'a'\ndynamics = 'string'\n";
        let mut document = format::read(text).expect("TOML").document;
        let owner: Path = "body.a.dynamics".parse().expect("a path");
        let open = opened(&document, &owner, Some(&schema::DYNAMICS)).expect("an edit");
        document.apply(&open).expect("a record");
        assert_eq!(document.get(&owner).and_then(|v| v.table()?.text("kind")), Some("string"));
        assert_eq!(opened(&document, &owner, Some(&schema::DYNAMICS)), None);
        assert!(opened(&document, &Path::root().field("world"), None).is_some());
    }
}
