//! Forces, weights and torques at held places of ropes.

use super::*;
use crate::check::Diagnostic;

/// Diagnostics of a simulated body: code, path, label and help.
fn acted_on(body: &str, dynamics: &str) -> Vec<[String; 4]> {
    let text = format!(
        "lariat = 2\n[shot]\nframes = [1, 40]\n[[body]]\nname = 'crate'\nmodel = 'solid'\ndynamics = 'rigid'\n[[body]]\nname = 'line'\n{body}\nlength = 2\n[body.dynamics]\n{dynamics}\n"
    );
    let reported = |f: &Diagnostic| {
        [
            f.code.name().to_owned(),
            f.path().unwrap().to_string(),
            f.labels[0].text.clone(),
            f.helps.join(" "),
        ]
    };
    check(text.as_bytes(), &Limits::DEFAULT).diagnostics.iter().map(reported).collect()
}

const HUNG: &str = "model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = [1, 0, 2]";
const LOOSE: &str = "model = 'loose-rope'\nfrom = [0, 0, 2]";

#[test]
fn a_load_at_a_held_place_is_reported() {
    for kind in ["string", "spline-rope"] {
        let reported = |body: &str, line: &str| acted_on(body, &format!("kind = '{kind}'\n{line}"));
        // At the default place.
        let found = reported(HUNG, "forces = [{ force = [0, 3, -4] }]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][..2], ["L0407", "body[1].dynamics.forces[0].force"]);
        assert_eq!(found[0][2], "5 N at its end, the default of `at`");
        assert!(found[0][3].contains("`at = 0.5`") && found[0][3].contains("`hold-end = false`"));
        assert_eq!(reported(LOOSE, "forces = [{ force = [0, 3, -4] }]"), [[""; 4]; 0]);
        let found = reported(LOOSE, "weights = [{ mass = 3 }, { mass = 2, at = 0 }]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][..3], ["L0407", "body[1].dynamics.weights[1].at", "2 kg at its start"]);
        // At a pin, with the largest force.
        let pin = "pins = [{ at = 0.25, to = [0, 0, 1] }]\nforces = [{ at = 0.25, force = { keys = [[1, [0, 0, 0]], [20, [0, 0, 8]]] } }]";
        let found = reported(LOOSE, pin);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][2], "8 N at the pin at 0.25");
        assert!(found[0][3].contains("switch the pin off"), "{found:?}");
        assert_eq!(reported(LOOSE, &pin.replace("at = 0.25, to", "at = 0.5, to")), [[""; 4]; 0]);
    }
    // A torque is carried by an end that cannot turn.
    let wrung = |line: &str| acted_on(HUNG, &format!("kind = 'string'\n{line}"));
    let found = wrung("torques = [{ torque = -0.5 }]");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0][1], "body[1].dynamics.torques[0].torque");
    assert!(found[0][2].starts_with("0.5 N m at its end"), "{found:?}");
    assert!(found[0][3].contains("`swivel-end = true`") && found[0][3].contains("`twist-end`"));
    assert_eq!(wrung("torques = [{ torque = 0.5 }]\nswivel-end = true"), [[""; 4]; 0]);
    let pin = "pins = [{ at = 0.5, to = [0.5, 0, 2] }]\ntorques = [{ at = 0.5, torque = 1 }]";
    assert_eq!(wrung(pin), [[""; 4]; 0]);
    // Next to an end, but nearer to it than to the next particle; the last segment has two.
    let near = |segments: &str, list: &str| wrung(&format!("{segments}\n{list}")).len();
    let force = "forces = [{ at = 0.98, force = [0, 0, 1] }]";
    assert_eq!(
        [near("", force), near("segments = 20", force), near("segments = 60", force)],
        [0, 1, 0]
    );
    let torque = "torques = [{ at = 0.95, torque = 1 }]";
    assert_eq!([near("segments = 20", torque), near("segments = 60", torque)], [1, 0]);
}

#[test]
fn a_place_held_for_a_while_receives_loads() {
    let reported = |line: &str| acted_on(HUNG, &format!("kind = 'string'\n{line}")).len();
    let force = "forces = [{ force = [0, 0, 9] }]";
    assert_eq!(reported(force), 1);
    assert_eq!(reported(&format!("hold-end = false\n{force}")), 0);
    let opens = "hold-end = { keys = [[1, true], [20, false]] }";
    assert_eq!(reported(&format!("{opens}\n{force}")), 0);
    // The load ends before the end is released, or the end is never released.
    let early = "forces = [{ force = [0, 0, 9], on = { keys = [[1, true], [12, false]] } }]";
    assert_eq!(reported(&format!("{opens}\n{early}")), 1);
    assert_eq!(reported(&format!("{}\n{force}", opens.replace("20", "60"))), 1);
    let fades = "forces = [{ force = { keys = [[1, [0, 0, 9]], [15, [0, 0, 0]]] } }]";
    assert_eq!(reported(&format!("{opens}\n{fades}")), 1);
    assert_eq!(reported("twist-by = 'none'\ntorques = [{ torque = 1 }]"), 1);
    // The load moves away from the end, or never acts.
    assert_eq!(
        reported("forces = [{ at = { keys = [[1, 1], [40, 0.5]] }, force = [0, 0, 9] }]"),
        0
    );
    assert_eq!(reported("forces = [{ force = [0, 0, 9], on = false }]"), 0);
    assert_eq!(reported("forces = [{ force = [0, 0, 0] }]"), 0);
}

#[test]
fn a_solid_receives_loads_where_it_is_tied() {
    let reported = |to: &str, kind: &str| {
        let body = format!("model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = {to}");
        acted_on(&body, &format!("kind = '{kind}'\nforces = [{{ force = [0, 0, 9] }}]")).len()
    };
    let crate_ = "{ body = 'crate', offset = [0, 0, 0.5] }";
    assert_eq!([reported(crate_, "string"), reported("[1, 0, 2]", "string")], [0, 1]);
    // A spline rope follows the solid and does not pull it.
    assert_eq!(reported(crate_, "spline-rope"), 1);
}
