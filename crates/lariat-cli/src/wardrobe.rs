//! `--material`: bodies drawn as if they were made of something else.
//!
//! Tests: `materials_are_for_all_or_for_one`, `unknown_materials_are_refused_with_the_list`.

use std::sync::Arc;

use lariat_core::geometry::natural_colour;
use lariat_eval::BodyMoment;
use lariat_render::surface::{NAMES, Surface};
use lariat_scene::schema::did_you_mean;

use crate::{exit::Failure, words};

/// What bodies are made of instead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wardrobe {
    /// One entry per body of the scene, or none at all.
    bodies: Vec<Option<Arc<str>>>,
}

impl Wardrobe {
    /// Reads `NAME` and `BODY=NAME`; the latter wins, and of several the last. `index` finds a
    /// body by name.
    pub(crate) fn read(
        wishes: &[String],
        count: usize,
        index: impl Fn(&str) -> Result<usize, Failure>,
    ) -> Result<Self, Failure> {
        let mut wardrobe = Self::default();
        let mut own = Vec::new();
        for wish in wishes {
            let (body, name) = match wish.rsplit_once('=') {
                Some((body, name)) => (Some(index(body)?), name),
                None => (None, wish.as_str()),
            };
            let name = known(name)?;
            wardrobe.bodies.resize(count, None);
            match body {
                Some(body) => own.push((body, name)),
                None => wardrobe.bodies.fill(Some(name)),
            }
        }
        for (body, name) in own {
            wardrobe.bodies[body] = Some(name);
        }
        Ok(wardrobe)
    }

    /// Dresses a body; what glows stays what it is.
    pub(crate) fn dress(&self, body: usize, moment: &mut BodyMoment) {
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

fn known(name: &str) -> Result<Arc<str>, Failure> {
    if NAMES.contains(&name) {
        return Ok(name.into());
    }
    let near = did_you_mean(name, NAMES);
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    Err(Failure::new(format!(
        "there is no material `{}`: {near}there are {}",
        words::shown(name),
        NAMES.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wishes: &[&str]) -> Result<Vec<Option<Arc<str>>>, String> {
        let wishes: Vec<String> = wishes.iter().map(|wish| (*wish).to_owned()).collect();
        let index = |name: &str| match name {
            "a" => Ok(0),
            "b=c" => Ok(1),
            _ => Err(Failure::new("there is no such body")),
        };
        let read = Wardrobe::read(&wishes, 2, index);
        read.map(|wardrobe| wardrobe.bodies).map_err(|failure| failure.to_string())
    }

    #[test]
    fn materials_are_for_all_or_for_one() {
        let steel = || Some(Arc::from("steel"));
        let wood = || Some(Arc::from("wood"));
        assert_eq!(read(&[]), Ok(vec![]));
        assert_eq!(read(&["steel"]), Ok(vec![steel(), steel()]));
        assert_eq!(read(&["b=c=wood"]), Ok(vec![None, wood()]));
        assert_eq!(read(&["a=wood", "steel"]), Ok(vec![wood(), steel()]), "its own wins");
    }

    #[test]
    fn unknown_materials_are_refused_with_the_list() {
        let error = read(&["stel"]).unwrap_err();
        assert!(error.contains("did you mean `steel`?") && error.contains("glass"), "{error}");
        assert!(read(&["z=steel"]).unwrap_err().contains("no such body"));
    }
}
