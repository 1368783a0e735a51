//! Edits of commands: add, duplicate, delete.

use glam::DVec3;
use lariat_editor::tool::{self, Added, ToolError};
use lariat_scene::{Edit, Thing};

use crate::{
    command::Command,
    session::Session,
    workspace::{Selection, Workspace},
};

/// Distance of a copy from its original, in metres, so that both are seen.
const BESIDE: DVec3 = DVec3::new(0.3, 0.0, 0.0);

/// An edit, the name of its entry, and the things that are selected afterwards.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) name: String,
    pub(crate) edit: Edit,
    pub(crate) selected: Vec<Selection>,
    /// A sentence about side effects, if there are any.
    pub(crate) note: Option<String>,
}

/// The edit of a command; `None` if it has none.
pub(crate) fn edit_of(
    command: Command,
    session: &Session,
    workspace: &Workspace,
) -> Option<Result<Made, ToolError>> {
    match command {
        Command::Delete => delete(session, workspace),
        Command::Duplicate => duplicate(session, workspace),
        Command::AddLocator => {
            let added = tool::add_locator(session.editor.document(), workspace.view.pivot);
            Some(Ok(made(Thing::Locator, added)))
        }
        Command::AddCamera => {
            let camera = workspace.view.camera();
            let (eye, target): (DVec3, DVec3) = (camera.eye, camera.target);
            let added = tool::add_camera(session.editor.document(), eye, target);
            Some(Ok(made(Thing::Camera, added)))
        }
        _ => None,
    }
}

fn made(thing: Thing, added: Added) -> Made {
    let Added { name, edit, .. } = added;
    let selected = vec![Selection { thing, name: name.clone() }];
    Made { name: format!("Add {name}"), edit, selected, note: None }
}

fn delete(session: &Session, workspace: &Workspace) -> Option<Result<Made, ToolError>> {
    let document = session.editor.document();
    let name = match workspace.selected.as_slice() {
        [] => return None,
        [one] => format!("Delete {}", one.name),
        many => format!("Delete {} things", many.len()),
    };
    let (mut edits, mut referrers) = (Vec::new(), Vec::new());
    for thing in Thing::ALL {
        let selected = workspace.selected.iter().filter(|one| one.thing == thing);
        let names: Vec<&str> = selected.map(|one| &*one.name).collect();
        if names.is_empty() {
            continue;
        }
        match tool::delete(document, thing, &names) {
            Ok(deleted) => {
                edits.push(deleted.edit);
                referrers.extend(deleted.referrers.iter().map(ToString::to_string));
            }
            Err(error) => return Some(Err(error)),
        }
    }
    let note = (!referrers.is_empty())
        .then(|| format!("{} referred to what was deleted", referrers.join(", ")));
    Some(Ok(Made { name, edit: Edit::Batch(edits), selected: Vec::new(), note }))
}

fn duplicate(session: &Session, workspace: &Workspace) -> Option<Result<Made, ToolError>> {
    let one = workspace.active()?;
    let copied = tool::duplicate(session.editor.document(), one.thing, &one.name, BESIDE);
    Some(copied.map(|added| Made {
        name: format!("Duplicate {}", one.name),
        selected: vec![Selection { thing: one.thing, name: added.name }],
        edit: added.edit,
        note: None,
    }))
}
