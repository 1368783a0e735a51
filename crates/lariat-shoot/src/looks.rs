//! Looks that replace those of a document.
//!
//! Tests: `looks_are_for_all_bodies_or_for_one`, `unknown_looks_are_refused_with_the_list`.

use std::sync::Arc;

use lariat_core::geometry::{is_look, natural_colour};
use lariat_eval::BodyMoment;
use lariat_render::surface::{NAMES, Surface};
use lariat_scene::schema::did_you_mean;

use crate::error::ShootError;

/// Replacement looks of the bodies of a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looks {
    /// One entry per body of the scene, or none at all.
    bodies: Vec<Option<Arc<str>>>,
}

impl Looks {
    /// Parses `LOOK` and `BODY=LOOK`. The latter has precedence, and of several for one body the
    /// last. `index` finds a body by name.
    pub(crate) fn read(
        entries: &[String],
        count: usize,
        index: impl Fn(&str) -> Result<usize, ShootError>,
    ) -> Result<Self, ShootError> {
        let mut looks = Self::default();
        let mut own = Vec::new();
        for entry in entries {
            let (body, name) = match entry.rsplit_once('=') {
                Some((body, name)) => (Some(index(body)?), name),
                None => (None, entry.as_str()),
            };
            let name = known(name)?;
            looks.bodies.resize(count, None);
            match body {
                Some(body) => own.push((body, name)),
                None => looks.bodies.fill(Some(name)),
            }
        }
        for (body, name) in own {
            looks.bodies[body] = Some(name);
        }
        Ok(looks)
    }

    /// Replaces the look of a body. Surfaces that glow keep theirs.
    pub(crate) fn apply(&self, body: usize, moment: &mut BodyMoment) {
        let Some(Some(name)) = self.bodies.get(body) else { return };
        let strands = moment.strands.iter_mut().map(|strand| &mut strand.look);
        let mesh = moment.mesh.as_mut().map(|mesh| &mut mesh.look);
        for look in strands.chain(mesh) {
            if Surface::of(look).glow > 0.0 {
                continue;
            }
            look.name = name.clone();
            if let Some(colour) = natural_colour(name) {
                look.colour = colour;
            }
        }
    }
}

fn known(name: &str) -> Result<Arc<str>, ShootError> {
    if is_look(name) {
        return Ok(name.into());
    }
    let near = did_you_mean(name, NAMES);
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help = format!("{near}supported: {}", NAMES.join(", "));
    Err(ShootError::UnknownLook { name: name.to_owned(), help })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &[&str]) -> Result<Vec<Option<Arc<str>>>, String> {
        let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
        let index = |name: &str| match name {
            "a" => Ok(0),
            "b=c" => Ok(1),
            _ => Err(ShootError::UnknownBody { name: name.to_owned(), help: String::new() }),
        };
        let read = Looks::read(&entries, 2, index);
        read.map(|looks| looks.bodies).map_err(|error| error.to_string())
    }

    #[test]
    fn looks_are_for_all_bodies_or_for_one() {
        let steel = || Some(Arc::from("steel"));
        let wood = || Some(Arc::from("wood"));
        assert_eq!(read(&[]), Ok(vec![]));
        assert_eq!(read(&["steel"]), Ok(vec![steel(), steel()]));
        assert_eq!(read(&["b=c=wood"]), Ok(vec![None, wood()]));
        assert!(read(&["plain"]).is_ok(), "the look of unknown names");
        assert_eq!(
            read(&["a=wood", "steel"]),
            Ok(vec![wood(), steel()]),
            "the look of a single body has precedence"
        );
    }

    #[test]
    fn unknown_looks_are_refused_with_the_list() {
        let error = read(&["stel"]).unwrap_err();
        assert!(error.contains("did you mean `steel`?") && error.contains("glass"), "{error}");
        assert!(read(&["z=steel"]).unwrap_err().contains("there is no body `z`"));
    }
}
