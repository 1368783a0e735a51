//! Things that are hidden from the view, or shown alone. The document does not know.
//!
//! Tests: `alone_comes_before_hidden`, `names_follow_and_are_forgotten`.

use std::collections::{BTreeMap, BTreeSet};

use lariat_scene::Thing;

/// Hidden things, and bodies that are shown alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    hidden: BTreeMap<Thing, BTreeSet<String>>,
    alone: BTreeSet<String>,
    version: u64,
}

impl Visibility {
    /// Whether a thing is in the view. While bodies are shown alone, other bodies are not.
    pub fn shows(&self, thing: Thing, name: &str) -> bool {
        match thing {
            Thing::Body if !self.alone.is_empty() => self.alone.contains(name),
            _ => !self.is_hidden(thing, name),
        }
    }

    /// Whether a thing is hidden by itself.
    pub fn is_hidden(&self, thing: Thing, name: &str) -> bool {
        self.hidden.get(&thing).is_some_and(|names| names.contains(name))
    }

    /// Whether a body is shown alone.
    pub fn is_alone(&self, body: &str) -> bool {
        self.alone.contains(body)
    }

    /// Number that changes with every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Hides a thing, or shows it again.
    pub fn hide(&mut self, thing: Thing, name: &str, hides: bool) {
        put(self.hidden.entry(thing).or_default(), name, hides);
        self.version += 1;
    }

    /// Shows a body alone, with others that are; or with all others again.
    pub fn show_alone(&mut self, body: &str, alone: bool) {
        put(&mut self.alone, body, alone);
        self.version += 1;
    }

    /// Shows everything.
    pub fn show_all(&mut self) {
        *self = Self { version: self.version + 1, ..Self::default() };
    }

    /// Follows a thing that was renamed.
    pub(crate) fn rename(&mut self, thing: Thing, from: &str, to: &str) {
        let lists = self.hidden.get_mut(&thing).into_iter();
        let alone = (thing == Thing::Body).then_some(&mut self.alone);
        for names in lists.chain(alone) {
            if names.remove(from) {
                names.insert(to.to_owned());
            }
        }
    }

    /// Forgets things that are gone, so that new ones of the same name are seen.
    pub(crate) fn retain(&mut self, has: impl Fn(Thing, &str) -> bool) {
        let count =
            |all: &Self| all.hidden.values().map(BTreeSet::len).sum::<usize>() + all.alone.len();
        let before = count(self);
        for (thing, names) in &mut self.hidden {
            names.retain(|name| has(*thing, name));
        }
        self.alone.retain(|name| has(Thing::Body, name));
        if count(self) != before {
            self.version += 1;
        }
    }
}

fn put(names: &mut BTreeSet<String>, name: &str, is_in: bool) {
    match is_in {
        true => drop(names.insert(name.to_owned())),
        false => drop(names.remove(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_comes_before_hidden() {
        let mut all = Visibility::default();
        all.hide(Thing::Body, "rein", true);
        assert!(!all.shows(Thing::Body, "rein") && all.shows(Thing::Locator, "rein"));
        all.show_alone("rein", true);
        assert!(all.shows(Thing::Body, "rein") && !all.shows(Thing::Body, "lead"));
        assert!(all.shows(Thing::Locator, "post"), "only bodies are alone");
        all.show_alone("rein", false);
        assert!(!all.shows(Thing::Body, "rein") && all.shows(Thing::Body, "lead"));
    }

    #[test]
    fn names_follow_and_are_forgotten() {
        let mut all = Visibility::default();
        all.hide(Thing::Body, "rein", true);
        all.rename(Thing::Body, "rein", "lead");
        assert!(all.is_hidden(Thing::Body, "lead") && !all.is_hidden(Thing::Body, "rein"));
        let version = all.version();
        all.retain(|_, _| true);
        assert_eq!(all.version(), version);
        all.retain(|_, name| name != "lead");
        assert!(all.shows(Thing::Body, "lead") && all.version() > version);
    }
}
