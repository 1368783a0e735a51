//! Bodies are simulated from a frame, and ends are let go.

use lariat_editor::{
    Editor,
    tool::{End, ToolError},
};

use crate::open;

const ROPE: &str = "lariat = 2\n[shot]\nframes = [1, 60]\n[[body]]\nname = 'rein'\n\
                    model = 'suspended-rope'\nfrom = [0, 0, 2] # the hook\nto = [3, 0, 2]\nlength = 4\n";

#[test]
fn both_ends_are_let_go_at_a_frame_and_the_rope_falls() {
    let mut editor = open(ROPE);
    let edit = editor.let_go("rein", &End::BOTH, 40.0, Some(0.0)).unwrap();
    editor.apply("Let it fall", &edit).unwrap();
    let physics =
        "dynamics = { kind = \"string\", start = 40, hold-start = false, hold-end = false }\n";
    assert!(editor.text().ends_with(&format!("floor = 0\n{physics}")), "{}", editor.text());
    assert!(editor.diagnostics().iter().all(|one| !one.is_error()), "{:?}", editor.diagnostics());
    let centre = |editor: &mut Editor, frame: f64| {
        let spine = editor.at(frame).bodies[0].spine().to_vec();
        spine.iter().map(|point| point.z).sum::<f64>() / spine.len() as f64
    };
    let held = centre(&mut editor, 1.0);
    assert!((centre(&mut editor, 40.0) - held).abs() < 1e-3, "it is held until then");
    // 8 frames of free fall, a third of a second, slowed by the air.
    let (fallen, free) = (held - centre(&mut editor, 48.0), 0.5 * 9.81 / 9.0);
    assert!((0.95 * free..free).contains(&fallen), "{fallen} of {free}");
    editor.undo().unwrap();
    assert_eq!(editor.text(), ROPE);
}

#[test]
fn an_end_of_a_simulated_rope_gets_a_key() {
    let mut editor = open(&format!("{ROPE}dynamics = \"spline-rope\"\n"));
    let edit = editor.let_go("rein", &[End::End], 24.0, None).unwrap();
    editor.apply("Let go", &edit).unwrap();
    let hold = "hold-end = { keys = [[1, true], [24, false]] }";
    assert!(editor.text().contains(hold), "{}", editor.text());
    assert!(editor.text().contains("kind = \"spline-rope\"") && !editor.text().contains("floor"));
    // Again at another frame: a key more, and only one at each frame.
    for _ in 0..2 {
        let edit = editor.let_go("rein", &[End::End], 12.0, None).unwrap();
        editor.apply("Let go", &edit).unwrap();
    }
    let hold = "hold-end = { keys = [[1, true], [12, false], [24, false]] }";
    assert!(editor.text().contains(hold), "{}", editor.text());
}

#[test]
fn a_solid_is_simulated_with_a_floor() {
    let text = "lariat = 2\n[[body]]\nname = 'box'\nmodel = 'solid'\nposition = [0, 0, 2]\n";
    let mut editor = open(text);
    let edit = editor.simulate_from("box", 1.0, Some(-0.5)).unwrap();
    editor.apply("Simulate", &edit).unwrap();
    let physics = "dynamics = { kind = \"rigid\", floor = -0.5 }\n";
    assert!(editor.text().ends_with(physics), "{}", editor.text());
    let nothing = editor.let_go("box", &End::BOTH, 1.0, None);
    assert!(matches!(nothing, Err(ToolError::Unsuitable { .. })));
}

#[test]
fn a_hoop_cannot_be_simulated() {
    let text = "lariat = 2\n[[body]]\nname = 'ring'\nmodel = 'hoop'\ncentre = [0, 0, 2]\nhoop-radius = 1\n";
    let editor = open(text);
    assert!(editor.simulate_from("ring", 1.0, None).is_err());
}
