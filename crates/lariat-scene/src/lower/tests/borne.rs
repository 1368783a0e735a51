//! What pulls at ropes, hangs on them or wrings them where they are held.

use super::*;
use crate::check::Diagnostic;

/// Diagnostics about a body of two simulated ones, as code, place, words under it and way out.
fn acted_on(body: &str, dynamics: &str) -> Vec<[String; 4]> {
    let text = format!(
        "lariat = 1\n[shot]\nframes = [1, 40]\n[[body]]\nname = 'crate'\nmodel = 'solid'\ndynamics = 'rigid'\n[[body]]\nname = 'line'\n{body}\nlength = 2\n[body.dynamics]\n{dynamics}\n"
    );
    let told = |f: &Diagnostic| {
        [
            f.code.name().to_owned(),
            f.path().unwrap().to_string(),
            f.labels[0].text.clone(),
            f.helps.join(" "),
        ]
    };
    check(text.as_bytes(), &Limits::DEFAULT).diagnostics.iter().map(told).collect()
}

const HUNG: &str = "model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = [1, 0, 2]";
const LOOSE: &str = "model = 'loose-rope'\nfrom = [0, 0, 2]";

#[test]
fn what_pulls_where_a_rope_is_held_is_told() {
    for kind in ["string", "spline-rope"] {
        let told = |body: &str, line: &str| acted_on(body, &format!("kind = '{kind}'\n{line}"));
        // Where it is if nobody says so.
        let found = told(HUNG, "forces = [{ force = [0, 3, -4] }]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][..2], ["L0407", "body[1].dynamics.forces[0].force"]);
        assert_eq!(found[0][2], "5 N at its end, where it is unless `at` says otherwise");
        assert!(found[0][3].contains("`at = 0.5`") && found[0][3].contains("`hold-end = false`"));
        assert_eq!(told(LOOSE, "forces = [{ force = [0, 3, -4] }]"), [[""; 4]; 0]);
        let found = told(LOOSE, "weights = [{ mass = 3 }, { mass = 2, at = 0 }]");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][..3], ["L0407", "body[1].dynamics.weights[1].at", "2 kg at its start"]);
        // By a pin, and as hard as it ever pulls.
        let pin = "pins = [{ at = 0.25, to = [0, 0, 1] }]\nforces = [{ at = 0.25, force = { keys = [[1, [0, 0, 0]], [20, [0, 0, 8]]] } }]";
        let found = told(LOOSE, pin);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0][2], "8 N at the pin at 0.25");
        assert!(found[0][3].contains("turn the pin off"), "{found:?}");
        assert_eq!(told(LOOSE, &pin.replace("at = 0.25, to", "at = 0.5, to")), [[""; 4]; 0]);
    }
    // What wrings is borne by what keeps the twist.
    let wrung = |line: &str| acted_on(HUNG, &format!("kind = 'string'\n{line}"));
    let found = wrung("torques = [{ torque = -0.5 }]");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0][1], "body[1].dynamics.torques[0].torque");
    assert!(found[0][2].starts_with("0.5 N m at its end"), "{found:?}");
    assert!(found[0][3].contains("`swivel-end = true`") && found[0][3].contains("`twist-end`"));
    assert_eq!(wrung("torques = [{ torque = 0.5 }]\nswivel-end = true"), [[""; 4]; 0]);
    let pin = "pins = [{ at = 0.5, to = [0.5, 0, 2] }]\ntorques = [{ at = 0.5, torque = 1 }]";
    assert_eq!(wrung(pin), [[""; 4]; 0]);
    // Beside an end, but nearer to it than to the next particle; the last segment is one of two.
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
fn what_is_held_for_a_while_feels_what_pulls() {
    let told = |line: &str| acted_on(HUNG, &format!("kind = 'string'\n{line}")).len();
    let force = "forces = [{ force = [0, 0, 9] }]";
    assert_eq!(told(force), 1);
    assert_eq!(told(&format!("hold-end = false\n{force}")), 0);
    let opens = "hold-end = { keys = [[1, true], [20, false]] }";
    assert_eq!(told(&format!("{opens}\n{force}")), 0);
    // Over before the hand opens; or it never does.
    let early = "forces = [{ force = [0, 0, 9], on = { keys = [[1, true], [12, false]] } }]";
    assert_eq!(told(&format!("{opens}\n{early}")), 1);
    assert_eq!(told(&format!("{}\n{force}", opens.replace("20", "60"))), 1);
    let fades = "forces = [{ force = { keys = [[1, [0, 0, 9]], [15, [0, 0, 0]]] } }]";
    assert_eq!(told(&format!("{opens}\n{fades}")), 1);
    assert_eq!(told("twist-by = 'none'\ntorques = [{ torque = 1 }]"), 1);
    // It moves away from the end; it never pulls.
    assert_eq!(told("forces = [{ at = { keys = [[1, 1], [40, 0.5]] }, force = [0, 0, 9] }]"), 0);
    assert_eq!(told("forces = [{ force = [0, 0, 9], on = false }]"), 0);
    assert_eq!(told("forces = [{ force = [0, 0, 0] }]"), 0);
}

#[test]
fn a_solid_feels_what_pulls_where_it_is_tied() {
    let told = |to: &str, kind: &str| {
        let body = format!("model = 'suspended-rope'\nfrom = [0, 0, 2]\nto = {to}");
        acted_on(&body, &format!("kind = '{kind}'\nforces = [{{ force = [0, 0, 9] }}]")).len()
    };
    let crate_ = "{ body = 'crate', offset = [0, 0, 0.5] }";
    assert_eq!([told(crate_, "string"), told("[1, 0, 2]", "string")], [0, 1]);
    // A spline rope follows it, and does not pull.
    assert_eq!(told(crate_, "spline-rope"), 1);
}
