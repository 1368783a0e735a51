//! Scenes and recipes that can be chosen, and the search in them.
//!
//! Tests: `words_are_found_in_names_titles_and_topics`.

use lariat_museum::{RECIPES, SCENES, topics_of};

/// A scene or a recipe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Description in one sentence.
    pub(super) about: &'static str,
}

/// The recipes that a search finds.
pub(super) fn recipes(search: &str) -> Vec<Entry> {
    let all =
        RECIPES.iter().map(|one| Entry { name: one.name, title: one.title, about: one.teaches });
    all.filter(|entry| entry.is_found(search)).collect()
}

/// The museum scenes that a search finds.
pub(super) fn scenes(search: &str) -> Vec<Entry> {
    let all = SCENES.iter().map(|one| Entry { name: one.name, title: one.title, about: one.why });
    all.filter(|entry| entry.is_found(search)).collect()
}

impl Entry {
    /// Whether every word of a search is in the name, the title, the description or a topic.
    fn is_found(&self, search: &str) -> bool {
        // Most passes search for nothing.
        if search.trim().is_empty() {
            return true;
        }
        let mut text = [self.name, self.title, self.about].join(" ");
        for topic in topics_of(self.name) {
            text.extend([" ", topic.name]);
        }
        contains(&text, search)
    }
}

/// Whether every word of a search is in a text, in small or capital letters.
pub(super) fn contains(text: &str, search: &str) -> bool {
    let text = text.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(entries: &[Entry]) -> Vec<&'static str> {
        entries.iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn words_are_found_in_names_titles_and_topics() {
        assert_eq!(names(&recipes("PENGUIN")), ["jiggling-belly"]);
        assert_eq!(names(&recipes(" tail dog ")), ["dog-tail"]);
        assert_eq!(names(&scenes("barzel-17")), ["barzel-17-lights"]);
        let tearing: Vec<&str> = names(&scenes("tearing"));
        let topic = lariat_museum::TOPICS.iter().find(|topic| topic.name == "tearing").unwrap();
        let of_topic = topic.scenes.iter().filter(|name| lariat_museum::find(name).is_some());
        assert!(of_topic.clone().count() > 1);
        assert!(of_topic.clone().all(|name| tearing.contains(name)), "{tearing:?}");
        assert!(recipes("zeppelin").is_empty() && scenes("zeppelin").is_empty());
        assert_eq!((recipes("").len(), scenes(" ").len()), (RECIPES.len(), SCENES.len()));
    }
}
