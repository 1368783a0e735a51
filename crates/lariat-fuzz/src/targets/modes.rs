//! `.modes` files: read, drawn, and written back.

use lariat_import::mode_file;

use super::scene;
use crate::promise::in_proportion;

/// Most bytes of memory per byte of a file.
const PROPORTION: u64 = 300;

/// A body with the shape in the file, moved by its first mode.
const BODY: &str = r#"
lariat = 2
[[body]]
name = "shape"
model = "shape"
file = "shape.modes"
position = [1, 2, 0.2]
rotation = [10, 20, 30]
size = 0.82
modes = [{ drive = { wiggle = [[1, 0], [20, 0.5]], hertz = 1 }, gain = 0.7, lag = 30 }]
"#;

/// Reads a mode file; whatever reads is written and reads back bit for bit.
///
/// # Panics
/// If a promise is broken.
pub(super) fn modes(bytes: &[u8]) {
    let set = match in_proportion(bytes, PROPORTION, || mode_file::read(bytes)) {
        Ok(set) => set,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert!(set.mean().iter().all(|x| x.is_finite()), "the mean pose is not finite");
    for mode in set.modes() {
        let all = mode.weights.iter().chain(&mode.coefficients);
        assert!(all.clone().all(|z| z.is_finite()), "a mode is not finite");
        assert!(!mode.pole.half_life().is_some_and(f64::is_nan));
        assert!(!set.travel(mode).is_some_and(f64::is_nan));
        assert!(!mode.max_displacement().is_nan());
    }
    scene::drawn("shape.modes", bytes, BODY);
    let text = mode_file::write(&set);
    assert_eq!(mode_file::read(text.as_bytes()).as_ref(), Ok(&set), "written as\n{text}");
    assert_eq!(mode_file::write(&set), text);
}
