//! Markers: marked frames of the shot, with names.
//!
//! Tests: `markers_are_set_named_moved_and_removed`.

use lariat_scene::{Document, Edit, Path, Table, Value};

fn markers() -> Path {
    Path::root().field("shot").field("markers")
}

/// Edit that marks a frame. Markers are written in the order of their frames.
pub fn add_marker(document: &Document, frame: i64, name: &str) -> Edit {
    let mut marker = Table::new().with("frame", frame as f64);
    if !name.is_empty() {
        marker.set("name", name);
    }
    let first = || Value::List(vec![marker.clone().into()]);
    match document.root.get("shot").and_then(Value::table) {
        None => {
            let shot = Table::new().with("markers", first());
            Edit::Set { path: Path::root().field("shot"), value: shot.into() }
        }
        Some(shot) => match shot.get("markers").and_then(Value::list) {
            None => Edit::Set { path: markers(), value: first() },
            Some(list) => {
                let at = |value: &Value| value.table()?.get("frame")?.number();
                let is_later = |value: &Value| at(value).is_some_and(|other| other > frame as f64);
                let index = list.iter().position(is_later).unwrap_or(list.len());
                Edit::Insert { list: markers(), index, value: marker.into() }
            }
        },
    }
}

/// Edit that gives a marker a name, or none.
pub fn name_marker(index: usize, name: &str) -> Edit {
    let path = markers().index(index).field("name");
    match name.is_empty() {
        true => Edit::Unset { path },
        false => Edit::Set { path, value: name.into() },
    }
}

/// Edit that moves a marker to another frame.
pub fn move_marker(index: usize, frame: i64) -> Edit {
    Edit::Set { path: markers().index(index).field("frame"), value: (frame as f64).into() }
}

/// Edit that removes a marker; the last one takes the list with it.
pub fn remove_marker(document: &Document, index: usize) -> Edit {
    match document.get(&markers()).and_then(Value::list) {
        Some([_]) => Edit::Unset { path: markers() },
        _ => Edit::Remove { list: markers(), index },
    }
}
