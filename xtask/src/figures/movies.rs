//! Table of all moving pictures in the documentation: file, scene, frames, view, size.
//!
//! Each row is the animated picture `docs/pictures/FILE.webp`, drawn from a recipe or a museum
//! scene. Pages show it as they show a still picture; browsers play it in an endless loop, so shots
//! that close their loop are best. Every recipe has a row, in the folder `recipes`.
//!
//! Tests: `rows_can_be_drawn`, `files_differ`.

/// One moving picture in the documentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingFigure {
    /// Path below the folder of the pictures, without its extension.
    pub file: &'static str,
    /// Name of the recipe or the scene.
    pub scene: &'static str,
    /// Range of frames, as in `1-96`, or `1-95x2` for every second.
    pub frames: &'static str,
    /// Degrees around and above, or `camera` for the camera of the scene.
    pub view: &'static str,
    /// Width and height in pixels.
    pub size: &'static str,
    /// Further arguments of `lariat render`.
    pub flags: &'static [&'static str],
}

impl MovingFigure {
    const fn new(
        file: &'static str,
        scene: &'static str,
        frames: &'static str,
        view: &'static str,
        size: &'static str,
    ) -> Self {
        Self { file, scene, frames, view, size, flags: &[] }
    }

    /// Creates the picture of a recipe, whose name follows the folder in `file`.
    const fn recipe(file: &'static str, frames: &'static str) -> Self {
        let (_, scene) = file.split_at("recipes/".len());
        Self::new(file, scene, frames, "camera", "480x270")
    }
}

/// Largest size of one file in bytes: a page shows several, and a reader waits for them.
pub(crate) const LARGEST: u64 = 1_000_000;

/// Value of `lariat render --webp-quality`: smaller files, with no difference that is visible in
/// motion.
pub(crate) const COMPRESSION: &str = "60";

/// All moving pictures.
pub(crate) const MOVING: &[MovingFigure] = &[
    MovingFigure::new("readme/ship", "ship-rigging", "1-95x2", "camera", "720x405"),
    MovingFigure::new("readme/length", "edge-length", "1-48", "4,10", "480x170"),
    MovingFigure::new("readme/coil", "rung-06c-coil", "1-111x2", "camera", "480x270"),
    MovingFigure {
        flags: &["--show", "ghosts:4+4x4"],
        ..MovingFigure::new("readme/any-frame", "tuzel-dropped", "1-71x2", "camera", "480x270")
    },
    MovingFigure::recipe("recipes/party-lights", "1-95x2"),
    MovingFigure::recipe("recipes/dog-tail", "1-96"),
    MovingFigure::recipe("recipes/telephone-cord", "1-95x2"),
    MovingFigure::recipe("recipes/rope-snaps", "1-84"),
    MovingFigure::recipe("recipes/hanging-sign", "1-95x2"),
    MovingFigure::recipe("recipes/rope-bridge", "1-95x2"),
    MovingFigure::recipe("recipes/looping-spring", "1-48"),
    MovingFigure::recipe("recipes/lasso", "1-48"),
    MovingFigure::recipe("recipes/jump-rope", "1-48"),
    MovingFigure::recipe("recipes/ship-rigging-roll", "1-95x2"),
    MovingFigure::recipe("recipes/jiggling-belly", "1-48"),
    MovingFigure::recipe("recipes/learned-motion", "1-95x2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_can_be_drawn() {
        for MovingFigure { file, frames, view, size, .. } in MOVING {
            let size: Vec<u32> = size.split('x').flat_map(str::parse).collect();
            assert!(matches!(size[..], [200..=800, 150..=450]), "{file}: size {size:?}");
            let (range, step) = frames.split_once('x').unwrap_or((frames, "1"));
            let ends: Vec<i64> = range.split('-').flat_map(str::parse).collect();
            assert!(step.parse::<i64>().is_ok_and(|step| step > 0), "{file}: frames {frames}");
            assert!(matches!(ends[..], [first, last] if first < last), "{file}: frames {frames}");
            let angles: Vec<f64> = view.split(',').flat_map(str::parse).collect();
            assert!(view.starts_with("camera") || angles.len() == 2, "{file}: view {view}");
        }
    }

    #[test]
    fn files_differ() {
        for (k, row) in MOVING.iter().enumerate() {
            assert!(MOVING[..k].iter().all(|other| other.file != row.file), "{}", row.file);
        }
    }
}
