//! Named scenes, each with a sentence why it is shown.
//!
//! Tests, benches, the guide and `lariat museum` all take their scenes from here, so that a
//! number in a benchmark, a picture in the guide and a failing test speak of the same rope.
//! Barzel's figures and Kass and Anderson's are here one by one; ropes that are simulated, as Tuzel
//! does it; and beside them the cases that have taught us something: ropes without slack, ends that
//! meet, coils that would run backwards.
//!
//! A scene is a file, `scenes/NAME.lariat`, written as an animator would write it. All of them are
//! clean: no errors and no warnings, at any frame. An exhibit that shows the same as another goes.
//!
//! What a scene needs besides its text, meshes and modes, is in [`FILES`].
//!
//! The crate is data; it depends on nothing. Its tests look at the scenes with everything there is:
//!
//! ```text
//! tests/suite/exhibits.rs   every scene is clean, and together they show everything there is
//! tests/suite/figures.rs    what the paper says about its figures holds for ours
//! tests/suite/springs.rs    what the other paper says about its own, and what wiggles promise
//! tests/suite/dynamics.rs   what must hold of the ropes that are simulated
//! tests/suite/strings.rs    what must hold of strings that twist, tear and flick
//! tests/suite/modes.rs      what was learned from a motion is what made it, and can be mixed
//! tests/suite/limits.rs     what happens when a limit is reached
//! tests/suite/guide.rs      the examples of the guide are clean, its tables are the schema's
//! ```
//!
//! ```
//! let lights = lariat_museum::find("barzel-17-lights").expect("it is on show");
//! assert_eq!(lights.figure, Some("Barzel 1997, figure 17"));
//! assert!(lights.text.contains("string-of-lights"));
//! ```

mod files;
mod table;

pub use files::{FILES, file};
pub use table::EXHIBITS;

/// One scene on show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// What it is called: the name of its file, and what `lariat museum open` takes.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// The figure that it reproduces, if it is one.
    pub figure: Option<&'static str>,
    /// Why it is shown, in a sentence.
    pub why: &'static str,
    /// The document.
    pub text: &'static str,
}

/// The exhibit of a name.
pub fn find(name: &str) -> Option<&'static Exhibit> {
    EXHIBITS.iter().find(|exhibit| exhibit.name == name)
}

/// The examples of the guide's page about the library run as tests of this crate, because only
/// here does everything come together.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/library.md")]
struct Library;
