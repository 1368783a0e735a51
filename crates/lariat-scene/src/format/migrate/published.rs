//! Published methods of simulated bodies, as documents of version 1 asked for them.
//!
//! A spline rope had four settings, `method`, `elasticity`, `hold-by` and `knots`, which could be
//! combined freely. Now `method = "published"` is the whole rope of the paper, and everything else is
//! `"implicit"`. The paper's explicit steps with its springs become `"published"`; other combinations
//! become `"implicit"`, the method that they approximate.
//!
//! Tests: `the_paper_stays_the_paper_and_mixtures_become_implicit`, `unknown_words_are_left_to_the_checks`.

use crate::value::{Table, Value};

/// Settings that are gone, and the words that they allowed.
const GONE: [(&str, &[&str]); 3] = [
    ("elasticity", &["energy", "springs"]),
    ("hold-by", &["constraint", "penalty"]),
    ("knots", &["clamped", "uniform"]),
];

/// Replaces the old settings in every body.
pub(super) fn migrate(root: &mut Table) {
    let Some(Value::List(bodies)) = root.get_mut("body") else { return };
    for body in bodies {
        if let Value::Table(body) = body
            && let Some(Value::Table(dynamics)) = body.get_mut("dynamics")
            && word(dynamics, "kind").is_none_or(|kind| kind == "spline-rope")
        {
            spline_rope(dynamics);
        }
    }
}

fn word<'t>(table: &'t Table, name: &str) -> Option<&'t str> {
    match table.get(name) {
        Some(Value::Text(text)) => Some(text.as_str()),
        _ => None,
    }
}

fn spline_rope(dynamics: &mut Table) {
    let method = word(dynamics, "method").unwrap_or("implicit");
    if !["implicit", "local-global", "semi-implicit", "explicit"].contains(&method) {
        return;
    }
    let springs = word(dynamics, "elasticity") == Some("springs");
    let published = springs && method == "explicit";
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
        for mixed in [
            "method = 'explicit', knots = 'uniform'",
            "method = 'semi-implicit', elasticity = 'springs', springs = 20",
            "method = 'local-global', hold-by = 'penalty'",
            "elasticity = 'springs', springs = 9",
            "elasticity = 'energy', hold-by = 'constraint', knots = 'clamped'",
        ] {
            assert_eq!(read(mixed), (Some("implicit".to_owned()), None, none.clone()), "{mixed}");
        }
    }

    #[test]
    fn unknown_words_are_left_to_the_checks() {
        assert_eq!(read("method = 'verlet'").2, ["L0207"]);
        assert_eq!(read("knots = 'clampt'").2, ["L0201"]);
    }
}
