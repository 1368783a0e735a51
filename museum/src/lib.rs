//! Museum scenes: named documents, each with the reason why it is there.
//!
//! Tests, benches, the guide and `lariat museum` share these scenes, so a number in a benchmark, a
//! picture in the guide and a failing test are about the same rope. The figures of the four papers
//! come first, in the order of the papers. Edge cases follow: ropes without slack, ends that meet,
//! coils that would run backwards.
//!
//! A scene is a file, `scenes/NAME.lariat`, written as an animator would write it. Every scene is
//! clean: no errors and no warnings at any frame. Two scenes never show the same thing.
//!
//! [`RECIPES`] are documents of another kind: each is made to be changed, and has a page in the
//! guide. [`TOPICS`] says which scenes and recipes teach what.
//!
//! Meshes and modes that documents load lie in the same folders; programs find them in [`FILES`].
//! With the feature `thumbnails`, each scene and recipe has a small picture.
//!
//! The crate is data and depends on nothing. Its tests use the whole library:
//!
//! ```text
//! tests/suite/scenes.rs     every scene is clean, and together they cover the whole schema
//! tests/suite/recipes.rs    every recipe and each of its suggestions is clean, and claims hold
//! tests/suite/figures.rs    Barzel's statements about his figures hold for ours
//! tests/suite/springs.rs    Kass and Anderson's statements hold, and so does the page on wiggles
//! tests/suite/determinism.rs  the same bits at any number of threads and in any order of frames
//! tests/suite/dynamics.rs   properties of simulated ropes
//! tests/suite/strings.rs    properties of strings that twist, tear and flick
//! tests/suite/modes.rs      modes learned from a motion reproduce it
//! tests/suite/limits.rs     behaviour at the limits
//! tests/suite/guide.rs      examples of the guide are clean, its tables match the schema
//! ```
//!
//! ```
//! let lights = lariat_museum::find("barzel-17-lights").expect("a scene of this name");
//! assert_eq!(lights.figure, Some("Barzel 1997, figure 17"));
//! assert!(lights.text.contains("string-of-lights"));
//! ```

mod files;
mod recipes;
mod table;
#[cfg(feature = "thumbnails")]
mod thumbnails;
mod topics;

pub use files::{FILES, file};
pub use recipes::{RECIPES, Recipe, recipe};
pub use table::SCENES;
#[cfg(feature = "thumbnails")]
pub use thumbnails::{THUMBNAIL_SIZE, thumbnail};
pub use topics::{TOPICS, Topic, topics_of};

/// One museum scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// File name without its extension; the argument of `lariat museum open`.
    pub name: &'static str,
    /// Short description.
    pub title: &'static str,
    /// Figure that it reproduces, if any.
    pub figure: Option<&'static str>,
    /// Reason why the scene is in the museum, in one sentence.
    pub why: &'static str,
    /// Text of the document.
    pub text: &'static str,
}

/// Returns the scene with this name.
pub fn find(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// Runs the examples of the guide's library page as tests of this crate, the only one that depends
/// on everything they use.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/library.md")]
struct Library;
