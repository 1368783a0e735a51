//! Fields and modes that are painted on the meshes they move.

use lariat_core::geometry::{Footage, Mesh};
use lariat_core::modes::{field, paint};
use lariat_core::motion::Colour;
use lariat_core::num::ops;
use lariat_eval::{Assets, Scene};
use lariat_scene::Limits;
use lariat_scene::check::Code;

use super::lowered;
use super::modes::files;

const MESH: &str = "[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"belly.obj\"\n";
const WIGGLE: &str = "{ wiggle = [[1, 0.2], [13, -0.1], [40, 0.3]], hertz = 2, around = 0 }";

fn scene(text: &str) -> Scene {
    let lowered = lowered(text);
    let assets = Assets::load(&lowered, &Limits::DEFAULT, &files());
    assert_eq!(assets.diagnostics(&lowered, &Limits::DEFAULT), []);
    Scene::bind_with(&lowered, &assets)
}

fn mesh(text: &str, frame: f64) -> Mesh {
    scene(text).evaluate_body(0, frame).mesh.expect("it is a mesh")
}

fn hex(text: &str, frame: f64) -> Vec<String> {
    let mesh = mesh(text, frame);
    let colours = mesh.colours().expect("it is painted");
    colours.iter().map(|colour| Colour(*colour).to_hex()).collect()
}

fn jiggle(more: &str) -> String {
    format!("{MESH}jiggles = [{{ drive = {WIGGLE}, painted = true, {more} }}]\n")
}

fn mode(more: &str) -> String {
    format!("{MESH}modes = [{{ drive = {WIGGLE}, painted = true, {more} }}]\n")
}

#[test]
fn a_painted_jiggle_shows_lag_as_hue_and_amplitude_as_saturation() {
    // The corners are at the origin, x = 3, y = 2 and z = 1.
    let text = jiggle("amplitude = \"x / 3 + y / 2 + z / 2\", lag = \"120 * y / 2 + 240 * z\"");
    assert_eq!(hex(&text, 1.0), ["#ebebeb", "#eb0000", "#00eb00", "#7575eb"]);
    // A mesh that is not painted has the colour of its look.
    assert!(mesh(&text.replace("painted = true", "painted = false"), 1.0).colours().is_none());
    assert!(mesh(MESH, 1.0).colours().is_none());
}

#[test]
fn a_painted_mode_shows_motion_along_its_main_direction() {
    // Its points move up and down: not at all, fully, fully, and a quarter of a swing late.
    let bob = mode("file = \"belly.modes\"");
    assert_eq!(hex(&bob, 1.0), ["#ebebeb", "#eb0000", "#eb0000", "#75eb00"]);
    // All points move sideways at once.
    assert_eq!(hex(&mode("file = \"sway.modes\", mode = 2"), 1.0), ["#eb0000"; 4]);
    // A shape is painted like any other mesh.
    let shape = "[[body]]\nname = \"s\"\nmodel = \"shape\"\nfile = \"belly.modes\"\n";
    let shape = format!("{shape}modes = [{{ drive = {WIGGLE}, painted = true }}]\n");
    assert_eq!(hex(&shape, 1.0), hex(&bob, 1.0));
}

#[test]
fn colours_depend_only_on_the_field_and_its_slosh() {
    let (amplitude, lag) = ("1 + x", "40 * y + 150 * z");
    let field = format!("amplitude = \"{amplitude}\", lag = \"{lag}\"");
    let weights: Vec<_> = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
        .iter()
        .map(|[x, y, z]| field::weight(1.0 + x, -ops::radians(40.0 * y + 150.0 * z)))
        .collect();
    for slosh in [0.0, 1.0, 2.3] {
        let text = jiggle(&format!("{field}, slosh = {slosh}"));
        for frame in [1.0, 17.5] {
            let mesh = mesh(&text, frame);
            assert_eq!(mesh.colours().unwrap(), paint::colours(&weights, slosh));
        }
    }
    let keyed = jiggle(&format!(
        "{field}, slosh = {{ keys = [[1, 0], [25, 2]], interpolation = \"linear\" }}"
    ));
    assert_eq!(mesh(&keyed, 13.0).colours().unwrap(), paint::colours(&weights, 1.0));
    assert_eq!(mesh(&keyed, 25.0).colours().unwrap(), paint::colours(&weights, 2.0));
    // Gain, lag and the switch do not belong to the field.
    let plain = hex(&mode("file = \"belly.modes\""), 1.0);
    for more in ["gain = -3", "lag = 77", "on = false"] {
        assert_eq!(hex(&mode(&format!("file = \"belly.modes\", {more}")), 9.0), plain, "{more}");
    }
}

#[test]
fn paint_does_not_stay_in_memory() {
    let (painted, plain) = (scene(&mode("file = \"belly.modes\"")), scene(MESH));
    let mut seen = None;
    painted.mesh(0, 1.0, &mut seen);
    assert!(seen.as_ref().unwrap().colours().is_some());
    plain.mesh(0, 1.0, &mut seen);
    assert!(seen.as_ref().unwrap().colours().is_none());
    let moving = scene(&mode("file = \"belly.modes\"").replace("painted = true", "gain = 1"));
    painted.mesh(0, 1.0, &mut seen);
    moving.mesh(0, 1.0, &mut seen);
    assert!(seen.unwrap().colours().is_none());
}

#[test]
fn one_field_is_painted_at_a_time_and_never_on_ropes() {
    let reported = |text: &str| {
        let lowered = lowered(text);
        let assets = Assets::load(&lowered, &Limits::DEFAULT, &files());
        let found = assets.diagnostics(&lowered, &Limits::DEFAULT);
        assert_eq!(found.len(), 1, "{found:?}");
        let label = &found[0].labels[0];
        let colours = Scene::bind_with(&lowered, &assets).evaluate_body(0, 1.0).mesh;
        let colours = colours.and_then(|mesh| mesh.colours().map(<[_]>::to_vec));
        (found[0].code, format!("{}: {}", label.path, label.text), colours)
    };
    let mode = "{ file = \"belly.modes\", drive = 0, painted = true }";
    let both = format!(
        "{MESH}modes = [{mode}]\njiggles = [{{ drive = 0, amplitude = \"z\", painted = true }}]\n"
    );
    let (code, label, colours) = reported(&both);
    assert_eq!(code, Code::PaintedTwice);
    assert_eq!(label, "body[0].modes[0].painted: `jiggles[0]` is already painted");
    // The first is shown.
    let alone = both.replace(mode, "");
    assert_eq!(colours, mesh(&alone, 1.0).colours().map(<[_]>::to_vec));

    let ropes = "[[body]]\nname = \"rein\"\nmodel = \"shape\"\nfile = \"rope.modes\"\n";
    let (code, label, _) = reported(&format!("{ropes}modes = [{{ drive = 0, painted = true }}]\n"));
    assert_eq!(code, Code::PaintedRopes);
    assert_eq!(label, "body[0].modes[0].painted: a rope has one colour");
    // A missing mode is reported once, and not painted.
    let gone = format!(
        "{MESH}modes = [{{ file = \"belly.modes\", mode = 9, drive = 0, painted = true }}]\n"
    );
    let (code, _, colours) = reported(&gone);
    assert_eq!((code, colours), (Code::UnknownMode, None));
}
