//! Animated channels of the document: parameters with keys, a wiggle or a leader.
//!
//! Tests: `channels_are_listed_by_their_owner_in_the_order_of_the_document`.

use lariat_editor::{ChannelForm, Editor, tool::key_frame};
use lariat_scene::{Document, Path, Step, Table, Thing, Value};

use crate::{label, workspace::Workspace};

/// The thing that a channel belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Owner {
    /// A thing by its kind and name.
    Thing(Thing, String),
    /// The world.
    World,
}

impl Owner {
    /// Name in the list.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Thing(_, name) => name,
            Self::World => "World",
        }
    }

    /// Returns true if its channels are shown: it is selected, or nothing is.
    pub(crate) fn is_shown(&self, workspace: &Workspace) -> bool {
        match self {
            _ if workspace.selected.is_empty() => true,
            Self::Thing(thing, name) => workspace.is_selected(*thing, name),
            Self::World => false,
        }
    }
}

/// A parameter with keys, a wiggle or a leader.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnimatedChannel {
    /// Full path, with the name of the thing: `body.rope.swing`.
    pub(crate) path: Path,
    /// Path as documents write it: `rope.swing`.
    pub(crate) label: String,
    /// Name below its thing: "Swing".
    pub(crate) name: String,
    /// The thing it belongs to.
    pub(crate) owner: Owner,
    /// Keys, wiggle or follower.
    pub(crate) form: ChannelForm,
    /// Frames of its keys, ascending.
    pub(crate) frames: Vec<f64>,
}

impl AnimatedChannel {
    /// Indices of the keys from one frame to another, both included.
    pub(crate) fn keys_in(&self, first: f64, last: f64) -> std::ops::Range<usize> {
        let start = self.frames.partition_point(|frame| *frame < first);
        let end = self.frames.partition_point(|frame| *frame <= last);
        start..end.max(start)
    }
}

/// All animated channels of a document, kept while it does not change.
#[derive(Debug, Default)]
pub(crate) struct ChannelList {
    revision: Option<u64>,
    channels: Vec<AnimatedChannel>,
}

impl ChannelList {
    /// The channels of the document as it is now.
    pub(crate) fn update(&mut self, editor: &Editor) -> &[AnimatedChannel] {
        if self.revision != Some(editor.revision()) {
            self.revision = Some(editor.revision());
            self.channels = animated(editor.document());
        }
        &self.channels
    }

    /// The channels of the last update.
    pub(crate) fn all(&self) -> &[AnimatedChannel] {
        &self.channels
    }
}

/// Lists the animated channels, in the order of the document; those of the world last.
fn animated(document: &Document) -> Vec<AnimatedChannel> {
    let mut out = Vec::new();
    for thing in Thing::ALL {
        for (index, table) in document.things(thing) {
            let base = Path::root().field(thing.list()).index(index);
            let start = out.len();
            for (name, value) in table.iter() {
                add(&mut out, &base.clone().field(name), value);
            }
            if out.len() > start {
                let owner = owner_name(thing, index, table);
                for channel in &mut out[start..] {
                    channel.owner = owner.clone();
                    channel.path = document.named(&channel.path);
                }
            }
        }
    }
    if let Some(world) = document.root.get("world").and_then(Value::table) {
        for (name, value) in world.iter() {
            add(&mut out, &Path::root().field("world").field(name), value);
        }
    }
    for channel in &mut out {
        channel.label = short(&channel.path);
    }
    out
}

fn owner_name(thing: Thing, index: usize, table: &Table) -> Owner {
    let name = table.text("name").map_or_else(|| format!("{thing} {}", index + 1), str::to_owned);
    Owner::Thing(thing, name)
}

/// A path without the list of bodies, as documents write it.
fn short(path: &Path) -> String {
    let text = path.to_string();
    text.strip_prefix("body.").map_or(text.clone(), str::to_owned)
}

fn add(out: &mut Vec<AnimatedChannel>, path: &Path, value: &Value) {
    match value {
        Value::Table(table) => {
            let form = ChannelForm::of(Some(value));
            if form != ChannelForm::Constant {
                let keys = ["keys", "wiggle"].iter().find_map(|word| table.get(word)?.list());
                let mut frames: Vec<f64> =
                    keys.unwrap_or_default().iter().filter_map(key_frame).collect();
                frames.sort_by(f64::total_cmp);
                out.push(AnimatedChannel {
                    path: path.clone(),
                    label: String::new(),
                    name: below_thing(path),
                    owner: Owner::World,
                    form,
                    frames,
                });
            }
            for (name, value) in table.iter() {
                if !matches!(name, "keys" | "wiggle") {
                    add(out, &path.clone().field(name), value);
                }
            }
        }
        Value::List(list) => {
            for (index, value) in list.iter().enumerate() {
                if matches!(value, Value::Table(_)) {
                    add(out, &path.clone().index(index), value);
                }
            }
        }
        _ => {}
    }
}

/// Words for the steps below a thing: "Waves 1 · height". Numbers count from one.
fn below_thing(path: &Path) -> String {
    let steps = path.steps();
    let is_world = matches!(steps.first(), Some(Step::Field(name)) if &**name == "world");
    let mut words = String::new();
    for step in &steps[if is_world { 1 } else { 2 }.min(steps.len())..] {
        match step {
            Step::Index(index) => words.push_str(&format!(" {}", index + 1)),
            Step::Field(name) if words.is_empty() => words = label::words(name),
            Step::Field(name) => {
                words.push_str(&format!(" · {}", label::words(name).to_lowercase()));
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_listed_by_their_owner_in_the_order_of_the_document() {
        let text = "lariat = 2\n[world]\nwind = { keys = [[1, [0, 0, 0]]] }\n\
            [[locator]]\nname = 'hand'\nposition = { keys = [[3, [0, 0, 0]], [1, [1, 0, 0]]] }\n\
            [[body]]\nname = 'rope'\nmodel = 'suspended-rope'\n\
            waves = [{ height = 0.1 }, { height = { keys = [[1, 0]] } }]\n\
            swing = { wiggle = [[1, 0], [5, 20]], hertz = { keys = [[1, 2]] } }\n";
        let document = lariat_scene::format::read(text).expect("a document").document;
        let channels = animated(&document);
        let labels: Vec<&str> = channels.iter().map(|channel| &*channel.label).collect();
        let mut expected = vec!["rope.waves[1].height", "rope.swing", "rope.swing.hertz"];
        expected.extend(["locator.hand.position", "world.wind"]);
        assert_eq!(labels, expected);
        assert_eq!(channels[0].name, "Waves 2 · height");
        assert_eq!(channels[1].form, ChannelForm::Wiggly);
        assert_eq!(channels[1].path.to_string(), "body.rope.swing");
        assert_eq!(channels[3].frames, [1.0, 3.0]);
        assert_eq!(channels[3].keys_in(2.0, 3.0), 1..2);
        assert_eq!(channels[4].owner.name(), "World");
    }
}
