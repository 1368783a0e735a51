//! Whole documents that are opened and edited, in one test binary.

mod attach;
mod editor;
mod finding;
mod generate;
mod gesture;
mod handle;
mod journal;
mod live;
mod marker;
mod physics;
mod pull;
mod reload;
mod tool;

use lariat_editor::{Editor, Options};
use lariat_scene::{Edit, Value};

/// Document with all kinds of things, comments, keys and attachments.
const SAMPLE: &str = include_str!("sample.lariat");

fn open(text: &str) -> Editor {
    Editor::open(text, Options::default()).expect("the text is a document")
}

fn set(path: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.parse().expect("a path"), value: value.into() }
}
