//! Published methods of simulated bodies, as documents of version 1 asked for them.
//!
//! A spline rope had four settings, `method`, `elasticity`, `hold-by` and `knots`, which could be
//! combined freely. Now `method = "published"` is the whole rope of the paper, and everything else is
//! `"implicit"`. The paper's explicit steps with its springs become `"published"`; other combinations
//! become `"implicit"`, the method that they approximate.
//!
//! A string had four settings, `length-by`, `twist-by`, `bend-by` and `plastic-by`. Sweeps with the regions
//! of the paper are its method; the other two settings are details of it. So `length-by = "sweeps"` with
//! `bend-by = "published"` becomes `"published"`, and everything else the default, if all strings of the
//! document asked for it and nothing is a simulated solid: one simulator steps all of them.
//!
//! A body that asked for part of a published method and becomes `"implicit"` gets a note (L0113).
//!
//! Tests: `the_paper_stays_the_paper_and_mixtures_become_implicit`, `unknown_words_are_left_to_the_checks`,
//! `strings_of_the_paper_stay_the_papers`, `mixed_strings_become_implicit`.

use super::Upgrade;
use crate::{
    check::{Code, Diagnostic},
    path::Path,
    value::{Table, Value},
};

/// Settings that are gone, and the words that they allowed.
const GONE: [(&str, &[&str]); 3] = [
    ("elasticity", &["energy", "springs"]),
    ("hold-by", &["constraint", "penalty"]),
    ("knots", &["clamped", "uniform"]),
];

/// Settings of strings that are gone, and the words that they allowed.
const GONE_OF_STRINGS: [(&str, &[&str]); 3] = [
    ("length-by", &["tension", "sweeps"]),
    ("bend-by", &["stiffness", "published"]),
    ("plastic-by", &["curve", "published"]),
];

/// Settings of version 1 that asked for part of a published method.
const PUBLISHED: [(&str, &str); 10] = [
    ("method", "explicit"),
    ("method", "semi-implicit"),
    ("method", "local-global"),
    ("elasticity", "springs"),
    ("hold-by", "penalty"),
    ("knots", "uniform"),
    ("length-by", "sweeps"),
    ("bend-by", "published"),
    ("twist-by", "averaged"),
    ("plastic-by", "published"),
];

/// Kind of simulation of a body that has one.
#[derive(Clone, Copy, PartialEq)]
enum Simulated {
    SplineRope,
    PublishedString,
    OtherString,
    Solid,
}

/// Replaces the old settings in every body.
pub(super) fn migrate(root: &mut Table, upgrade: &mut Upgrade<'_>) {
    let list = upgrade.field(Some(upgrade.places.root), "body");
    let Some(Value::List(bodies)) = root.get_mut("body") else { return };
    let kinds: Vec<Simulated> = bodies.iter().filter_map(simulated).collect();
    let published = !kinds.contains(&Simulated::OtherString) && !kinds.contains(&Simulated::Solid);
    for (index, body) in bodies.iter_mut().enumerate() {
        let Some(kind) = simulated(body) else { continue };
        let Value::Table(body) = body else { continue };
        let name = body.text("name").unwrap_or_default().to_owned();
        let Some(Value::Table(dynamics)) = body.get_mut("dynamics") else { continue };
        let asked: Vec<String> = PUBLISHED
            .iter()
            .filter(|(field, choice)| word(dynamics, field) == Some(choice))
            .map(|(field, choice)| format!("`{field} = \"{choice}\"`"))
            .collect();
        match kind {
            Simulated::SplineRope => spline_rope(dynamics),
            Simulated::PublishedString => string(dynamics, published),
            Simulated::OtherString => string(dynamics, false),
            Simulated::Solid => {}
        }
        if !asked.is_empty() && word(dynamics, "method") != Some("published") {
            let path = Path::root().field("body").index(index).field("dynamics");
            let place = upgrade.field(upgrade.element(list, index), "dynamics");
            let message = format!("the method of `{name}` no longer exists: {}", asked.join(", "));
            upgrade.notes.push(
                Diagnostic::new(Code::MethodReplaced, message)
                    .label(place.and_then(|place| place.known()), path, "simulated as `implicit`")
                    .help("remove these settings, or set `method = \"published\"` for the method of the paper"),
            );
        }
    }
}

fn simulated(body: &Value) -> Option<Simulated> {
    let Value::Table(body) = body else { return None };
    let kind = match body.get("dynamics")? {
        Value::Text(kind) => &**kind,
        Value::Table(dynamics) => {
            let by = |name: &str, choice: &str| word(dynamics, name) == Some(choice);
            match word(dynamics, "kind") {
                Some("string")
                    if by("method", "published")
                        || by("length-by", "sweeps") && by("bend-by", "published") =>
                {
                    return Some(Simulated::PublishedString);
                }
                kind => kind.unwrap_or("spline-rope"),
            }
        }
        _ => return None,
    };
    match kind {
        "spline-rope" => Some(Simulated::SplineRope),
        "string" => Some(Simulated::OtherString),
        "rigid" => Some(Simulated::Solid),
        _ => None,
    }
}

fn string(dynamics: &mut Table, published: bool) {
    if published {
        dynamics.set("method", "published");
        for name in ["bend-stiffness", "inner-friction", "segment-damping"] {
            dynamics.remove(name);
        }
    }
    for (name, words) in GONE_OF_STRINGS {
        if word(dynamics, name).is_some_and(|word| words.contains(&word)) {
            dynamics.remove(name);
        }
    }
    let twist = word(dynamics, "twist-by");
    if twist == Some("averaged") || (published && twist == Some("torque")) {
        dynamics.remove("twist-by");
    }
}

fn word<'t>(table: &'t Table, name: &str) -> Option<&'t str> {
    match table.get(name) {
        Some(Value::Text(text)) => Some(&**text),
        _ => None,
    }
}

fn spline_rope(dynamics: &mut Table) {
    let method = word(dynamics, "method").unwrap_or("implicit");
    if !["implicit", "local-global", "semi-implicit", "explicit", "published"].contains(&method) {
        return;
    }
    let springs = word(dynamics, "elasticity") == Some("springs");
    let published = method == "published" || (springs && method == "explicit");
    if published {
        dynamics.set("method", "published");
    } else if method != "implicit" {
        dynamics.remove("method");
    }
    if springs && !published {
        dynamics.remove("springs");
    }
    for (name, words) in GONE {
        if word(dynamics, name).is_some_and(|word| words.contains(&word)) {
            dynamics.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Limits;
    use crate::check::check;

    /// Method and number of springs of a rope with these settings in a document of version 1, and the
    /// codes of its diagnostics.
    fn read(settings: &str) -> (Option<String>, Option<i64>, Vec<String>) {
        let text = format!(
            "lariat = 1\n[[body]]\nname = 'rope'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n\
             dynamics = {{ kind = 'spline-rope', {settings} }}\n"
        );
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let codes = checked.diagnostics.iter().map(|found| found.code.name().to_owned()).collect();
        let lowered = checked.content.expect("a document").lowered;
        let dynamics = lowered.bodies.first().and_then(|body| body.record("dynamics"));
        let method = dynamics.and_then(|dynamics| dynamics.choice("method")).map(str::to_owned);
        (method, dynamics.and_then(|dynamics| dynamics.integer("springs")), codes)
    }

    #[test]
    fn the_paper_stays_the_paper_and_mixtures_become_implicit() {
        let none = Vec::<String>::new();
        let paper = "method = 'explicit', elasticity = 'springs', springs = 20, hold-by = 'penalty', \
                     knots = 'uniform'";
        assert_eq!(read(paper), (Some("published".to_owned()), Some(20), none.clone()));
        let replaced = vec!["L0113".to_owned()];
        for mixed in [
            "method = 'explicit', knots = 'uniform'",
            "method = 'semi-implicit', elasticity = 'springs', springs = 20",
            "method = 'local-global', hold-by = 'penalty'",
            "elasticity = 'springs', springs = 9",
        ] {
            let implicit = (Some("implicit".to_owned()), None, replaced.clone());
            assert_eq!(read(mixed), implicit, "{mixed}");
        }
        let ours = "elasticity = 'energy', hold-by = 'constraint', knots = 'clamped'";
        assert_eq!(read(ours), (Some("implicit".to_owned()), None, none));
    }

    /// Methods of the strings with these settings in a document of version 1, and the codes of its
    /// diagnostics.
    fn read_strings(settings: &[&str], solid: bool) -> (Vec<String>, Vec<String>) {
        let mut text = "lariat = 1\n".to_owned();
        for (i, settings) in settings.iter().enumerate() {
            text += &format!(
                "[[body]]\nname = 's{i}'\nmodel = 'loose-rope'\nfrom = [0, {i}, 2]\nlength = 1\n\
                 dynamics = {{ kind = 'string'{settings} }}\n"
            );
        }
        if solid {
            text +=
                "[[body]]\nname = 'box'\nmodel = 'solid'\nsize = [1, 1, 1]\ndynamics = 'rigid'\n";
        }
        let checked = check(text.as_bytes(), &Limits::DEFAULT);
        let codes = checked.diagnostics.iter().map(|found| found.code.name().to_owned()).collect();
        let lowered = checked.content.expect("a document").lowered;
        let dynamics = lowered.bodies.iter().filter_map(|body| body.record("dynamics"));
        let strings = dynamics.filter(|dynamics| dynamics.kind() == "string");
        (strings.filter_map(|string| string.choice("method")).map(str::to_owned).collect(), codes)
    }

    const PAPER: &str = ", length-by = 'sweeps', bend-by = 'published'";

    #[test]
    fn strings_of_the_paper_stay_the_papers() {
        let none = Vec::<String>::new();
        for details in [
            "",
            ", twist-by = 'averaged'",
            ", plastic-by = 'published', twist-by = 'averaged'",
            ", plastic-by = 'curve', twist-by = 'torque', bend-stiffness = 0.1, calm = 3",
        ] {
            let paper = format!("{PAPER}{details}");
            let read = read_strings(&[&paper, PAPER], false);
            assert_eq!(read, (vec!["published".to_owned(); 2], none.clone()), "{details}");
        }
        // Twist that is not followed stays so.
        let untwisted = format!("{PAPER}, twist-by = 'none'");
        assert_eq!(read_strings(&[&untwisted], false).0, ["published"]);
    }

    #[test]
    fn mixed_strings_become_implicit() {
        let replaced = vec!["L0113".to_owned()];
        for mixed in [
            ", length-by = 'sweeps'",
            ", bend-by = 'published', twist-by = 'averaged', plastic-by = 'published'",
        ] {
            let read = read_strings(&[mixed], false);
            assert_eq!(read, (vec!["implicit".to_owned()], replaced.clone()), "{mixed}");
        }
        let ours = ", length-by = 'tension', bend-by = 'stiffness', plastic-by = 'curve'";
        assert_eq!(read_strings(&[ours], false), (vec!["implicit".to_owned()], Vec::new()));
        // One simulator steps all of them.
        assert_eq!(
            read_strings(&[PAPER, ""], false),
            (vec!["implicit".to_owned(); 2], replaced.clone())
        );
        assert_eq!(read_strings(&[PAPER], true), (vec!["implicit".to_owned()], replaced));
    }

    #[test]
    fn unknown_words_are_left_to_the_checks() {
        assert_eq!(read("method = 'verlet'").2, ["L0207"]);
        assert_eq!(read("knots = 'clampt'").2, ["L0201"]);
        assert_eq!(read_strings(&[", length-by = 'sweep'"], false).1, ["L0201"]);
        assert_eq!(read_strings(&[", twist-by = 'averagd'"], false).1, ["L0207"]);
    }
}
