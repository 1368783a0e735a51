//! Every scene has its picture, every picture its scene, and a page that shows it.
//!
//! `cargo xtask figures` makes the pictures of the documentation from the rows of its two tables,
//! of still and of moving pictures. Games have rows but no scenes; every recipe has a moving
//! picture. Pictures without a row, rows without a picture, and pictures that no page shows are
//! violations.
//!
//! Tests: `a_scene_without_a_row_is_found`, `a_row_without_a_scene_is_found`,
//! `a_missing_picture_is_found`, `a_game_needs_its_picture_and_no_scene`,
//! `a_recipe_needs_its_moving_picture`, `an_orphan_is_found`,
//! `a_picture_that_is_not_shown_is_found`.

use std::collections::BTreeSet;

use super::{
    links::{resolve, targets},
    tree::Tree,
    violation::Violation,
};
use crate::figures::{
    manifest::{FIGURES, FOLDER},
    movies::{MOVING, MovingFigure},
};

const MANIFEST: &str = "xtask/src/figures/manifest.rs";
const MOVIES: &str = "xtask/src/figures/movies.rs";
const SCENES: &str = "museum/scenes/";
const RECIPES: &str = "museum/recipes/";

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    // A tree without a museum has nothing to show.
    if tree.below(SCENES).next().is_none() {
        return Vec::new();
    }
    let names = |game: bool| -> Vec<&str> {
        let rows = FIGURES.iter().filter(|figure| figure.game.is_some() == game);
        rows.map(|figure| figure.scene).collect()
    };
    check_rows(tree, &names(false), &names(true), MOVING)
}

fn check_rows(
    tree: &Tree,
    rows: &[&str],
    games: &[&str],
    moving: &[MovingFigure],
) -> Vec<Violation> {
    let mut violations = check_moving(tree, moving);
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
    let is_folder = |name: &&str| !name.contains('.');
    for name in tree.below(&format!("{FOLDER}/")).filter(|name| !is_folder(name)) {
        let path = format!("{FOLDER}/{name}");
        let is_row = |name: &str| rows.contains(&name) || games.contains(&name);
        let is_moving = |name: &str| moving.iter().any(|figure| figure.file == name);
        let made = name.strip_suffix(".png").is_some_and(is_row)
            || name.strip_suffix(".webp").is_some_and(is_moving);
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

/// Every recipe has a moving picture, and every moving picture exists and has a source.
fn check_moving(tree: &Tree, moving: &[MovingFigure]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for recipe in tree.below(RECIPES).filter_map(|path| path.strip_suffix(".lariat")) {
        if !moving.iter().any(|figure| figure.scene == recipe) {
            violations.push(Violation::failure(
                format!("{RECIPES}{recipe}.lariat"),
                0,
                "has no moving picture",
                format!("add a row to {MOVIES}, then run `cargo xtask figures {recipe}`"),
            ));
        }
    }
    for MovingFigure { file, scene, .. } in moving {
        let is_there = |folder: &&str| tree.has(&format!("{folder}{scene}.lariat"));
        if ![SCENES, RECIPES].iter().any(is_there) {
            violations.push(Violation::failure(
                MOVIES,
                0,
                format!("`{scene}` is neither a scene nor a recipe"),
                "remove the row, or write the document",
            ));
        } else if !tree.has(&format!("{FOLDER}/{file}.webp")) {
            violations.push(Violation::failure(
                MOVIES,
                0,
                format!("the moving picture `{file}` is missing"),
                format!("run `cargo xtask figures {file}`"),
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
        check_rows(&Tree::of(files), rows, &[], &[]).iter().map(ToString::to_string).collect()
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
            let violations = check_rows(&Tree::of(files), &[], &["swing"], &[]);
            violations.iter().map(ToString::to_string).collect()
        };
        assert_eq!(found(&[PICTURE, PAGE]), [""; 0]);
        assert_only(&found(&[PAGE]), "the picture of `swing` is missing");
    }

    #[test]
    fn a_recipe_needs_its_moving_picture() {
        const RECIPE: (&str, &str) = ("museum/recipes/tail.lariat", "lariat = 2");
        const MOVIE: (&str, &str) = ("docs/pictures/recipes/tail.webp", "RIFF");
        const SHOWN: (&str, &str) = ("docs/tail.md", "![A tail](pictures/recipes/tail.webp)");
        let row = MovingFigure { file: "recipes/tail", scene: "tail", ..MOVING[0] };
        let found = |files: &[(&str, &str)], moving: &[MovingFigure]| -> Vec<String> {
            let violations = check_rows(&Tree::of(files), &[], &[], moving);
            violations.iter().map(ToString::to_string).collect()
        };
        assert_eq!(found(&[RECIPE, MOVIE, SHOWN], &[row]), [""; 0]);
        assert_only(&found(&[RECIPE], &[]), "tail.lariat: has no moving picture");
        assert_only(&found(&[RECIPE], &[row]), "`recipes/tail` is missing");
        assert_only(&found(&[MOVIE, SHOWN], &[row]), "`tail` is neither a scene nor a recipe");
        assert_only(&found(&[RECIPE, MOVIE], &[row]), "tail.webp: is shown on no page");
        let still = MovingFigure { file: "recipes/dog", ..row };
        let found = found(&[RECIPE, MOVIE, SHOWN], &[still]);
        assert!(found.iter().any(|text| text.contains("belongs to no row")), "{found:?}");
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
