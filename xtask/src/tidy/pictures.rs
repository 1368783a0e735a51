//! Every scene has its picture, every picture its scene, and a page that shows it.
//!
//! `cargo xtask figures` makes the pictures of the documentation from the rows of its manifest.
//! Games have rows but no scenes. Pictures without a row, rows without a picture, and pictures that
//! no page shows are violations.
//!
//! Tests: `a_scene_without_a_row_is_found`, `a_row_without_a_scene_is_found`,
//! `a_missing_picture_is_found`, `a_game_needs_its_picture_and_no_scene`,
//! `an_orphan_is_found`, `a_picture_that_is_not_shown_is_found`.

use std::collections::BTreeSet;

use super::{
    links::{resolve, targets},
    tree::Tree,
    violation::Violation,
};
use crate::figures::manifest::{FIGURES, FOLDER};

const MANIFEST: &str = "xtask/src/figures/manifest.rs";
const SCENES: &str = "museum/scenes/";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    // A tree without a museum has nothing to show.
    if tree.below(SCENES).next().is_none() {
        return Vec::new();
    }
    let names = |game: bool| -> Vec<&str> {
        let rows = FIGURES.iter().filter(|figure| figure.game.is_some() == game);
        rows.map(|figure| figure.scene).collect()
    };
    check_rows(tree, &names(false), &names(true))
}

fn check_rows(tree: &Tree, rows: &[&str], games: &[&str]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for scene in tree.below(SCENES).filter_map(|path| path.strip_suffix(".lariat")) {
        if !rows.contains(&scene) {
            violations.push(Violation::failure(
                format!("{SCENES}{scene}.lariat"),
                0,
                "has no picture",
                format!("add a row to {MANIFEST}, then run `cargo xtask figures {scene}`"),
            ));
        }
    }
    for row in rows.iter().chain(games) {
        if rows.contains(row) && !tree.has(&format!("{SCENES}{row}.lariat")) {
            violations.push(Violation::failure(
                MANIFEST,
                0,
                format!("`{row}` is not a scene"),
                "remove the row, or write the scene",
            ));
        } else if !tree.has(&format!("{FOLDER}/{row}.png")) {
            violations.push(Violation::failure(
                MANIFEST,
                0,
                format!("the picture of `{row}` is missing"),
                format!("run `cargo xtask figures {row}`"),
            ));
        }
    }
    let shown = shown(tree);
    for name in tree.below(&format!("{FOLDER}/")) {
        let path = format!("{FOLDER}/{name}");
        let is_row = |name: &str| rows.contains(&name) || games.contains(&name);
        let made = name.strip_suffix(".png").is_some_and(is_row);
        if !made {
            violations.push(Violation::failure(
                &path,
                0,
                "belongs to no row of the manifest",
                format!("remove it, or add its row to {MANIFEST}"),
            ));
        } else if !shown.contains(&path) {
            violations.push(Violation::failure(
                &path,
                0,
                "is shown on no page",
                "show it on a page",
            ));
        }
    }
    violations
}

/// Everything that a page links to or shows, by its path from the root.
fn shown(tree: &Tree) -> BTreeSet<String> {
    let linked = tree.pages().flat_map(|page| {
        let targets = targets(&page.text).into_iter();
        targets.filter_map(|(_, target)| resolve(&page.path, &target))
    });
    linked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: (&str, &str) = ("museum/scenes/swing.lariat", "lariat = 2");
    const PICTURE: (&str, &str) = ("docs/pictures/swing.png", "PNG");
    const PAGE: (&str, &str) = ("docs/guide/page.md", "![A swing](../pictures/swing.png)");

    fn found(files: &[(&str, &str)], rows: &[&str]) -> Vec<String> {
        check_rows(&Tree::of(files), rows, &[]).iter().map(ToString::to_string).collect()
    }

    fn assert_only(found: &[String], expected: &str) {
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(expected), "{}", found[0]);
    }

    #[test]
    fn a_picture_that_is_made_and_shown_is_fine() {
        assert_eq!(found(&[SCENE, PICTURE, PAGE], &["swing"]), [""; 0]);
    }

    #[test]
    fn a_scene_without_a_row_is_found() {
        assert_only(&found(&[SCENE], &[]), "museum/scenes/swing.lariat: has no picture");
    }

    #[test]
    fn a_row_without_a_scene_is_found() {
        let found = found(&[SCENE, PICTURE, PAGE], &["swing", "kite"]);
        assert_only(&found, "`kite` is not a scene");
    }

    #[test]
    fn a_missing_picture_is_found() {
        assert_only(&found(&[SCENE], &["swing"]), "the picture of `swing` is missing");
    }

    #[test]
    fn a_game_needs_its_picture_and_no_scene() {
        let found = |files: &[(&str, &str)]| -> Vec<String> {
            check_rows(&Tree::of(files), &[], &["swing"]).iter().map(ToString::to_string).collect()
        };
        assert_eq!(found(&[PICTURE, PAGE]), [""; 0]);
        assert_only(&found(&[PAGE]), "the picture of `swing` is missing");
    }

    #[test]
    fn an_orphan_is_found() {
        for orphan in ["docs/pictures/kite.png", "docs/pictures/swing.svg"] {
            let found = found(&[SCENE, PICTURE, PAGE, (orphan, "")], &["swing"]);
            assert_only(&found, &format!("{orphan}: belongs to no row"));
        }
    }

    #[test]
    fn a_picture_that_is_not_shown_is_found() {
        let found =
            found(&[SCENE, PICTURE, ("README.md", "`docs/pictures/swing.png`")], &["swing"]);
        assert_only(&found, "docs/pictures/swing.png: is shown on no page");
    }
}
