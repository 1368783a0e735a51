//! Small pictures of panels, compared with reviewed copies under `tests/golden`.
//!
//! Drivers differ in the last bits of a colour, so a few are allowed to be off; a row of text that moves
//! is not. `UPDATE_GOLDEN=1` replaces the copies; review them.

use std::{env, fs, path::PathBuf};

use lariat_scene::Thing;
use lariat_studio::{HiddenWindow, Opening, Panel, Studio, host::native::Native};

/// Size of the window, in pixels.
const SIZE: [u32; 2] = [1120, 700];

/// Difference of a colour from which on a pixel is another one, of 255.
const OTHER: u8 = 24;

/// Share of the pixels that may be other ones. Edges of letters and curves move by less than a pixel
/// between drivers; a line of text that moved is several times as much.
const SHARE: f64 = 0.004;

/// A part of the window: left, top, width and height.
struct Part(&'static str, [u32; 4]);

const BOTTOM: [u32; 4] = [0, 480, 1120, 220];

/// The list of things, and the parameters of a body.
const SIDES: [Part; 2] =
    [Part("outliner", [0, 24, 180, 430]), Part("inspector", [756, 24, 364, 430])];

fn window(panel: Panel) -> (HiddenWindow, Studio) {
    let state = tempfile::tempdir().unwrap();
    let host = Native::with_state(state.path().join("state"));
    let opening = Opening::Document("museum:wiggle-few-keys".to_owned());
    let mut studio = Studio::new(Box::new(host), &opening);
    let document = studio.session().expect("a document is open").editor.document();
    let name = document.names(Thing::Body).next().expect("a body").to_owned();
    studio.workspace.select(Thing::Body, &name, false);
    studio.workspace.panel = panel;
    let mut window = HiddenWindow::new(SIZE).expect("a graphics driver");
    window.show(&mut studio);
    (window, studio)
}

/// Pixels of a part, without their opacity.
fn part(picture: &[u8], [left, top, width, height]: [u32; 4]) -> Vec<u8> {
    let row = |y: u32| {
        let from = 4 * (y * SIZE[0] + left) as usize;
        picture[from..from + 4 * width as usize].chunks_exact(4).flat_map(|pixel| &pixel[..3])
    };
    (top..top + height).flat_map(row).copied().collect()
}

/// Share of the pixels that differ from the reviewed copy.
fn difference(name: &str, pixels: &[u8], [.., width, height]: [u32; 4]) -> f64 {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let place = folder.join(format!("{name}.png"));
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(&folder).unwrap();
        let mut encoder = png::Encoder::new(fs::File::create(&place).unwrap(), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    }
    let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(&place).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut copy = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut copy).unwrap();
    assert_eq!(copy.len(), pixels.len(), "{name} has another size");
    let is_other = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > OTHER);
    let pairs = copy.chunks_exact(3).zip(pixels.chunks_exact(3));
    pairs.filter(|pair| is_other(*pair)).count() as f64 / f64::from(width * height)
}

#[test]
fn panels_look_as_they_were_reviewed() {
    for panel in Panel::ALL {
        let (mut window, _studio) = window(panel);
        let picture = window.picture().unwrap();
        let name = panel.name().to_lowercase();
        let off = difference(&name, &part(&picture, BOTTOM), BOTTOM);
        assert!(off < SHARE, "{name}: {:.2} % of the pixels", 100.0 * off);
        if panel == Panel::Timeline {
            for Part(name, area) in SIDES {
                let off = difference(name, &part(&picture, area), area);
                assert!(off < SHARE, "{name}: {:.2} % of the pixels", 100.0 * off);
            }
        }
    }
}
