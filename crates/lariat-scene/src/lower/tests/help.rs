//! Help of diagnostics: suggestions, examples and grammar.

use super::*;

#[test]
fn help_suggests_the_closest_name() {
    let help = |line: &str| {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n{line}\n"
        );
        check(text.as_bytes(), &Limits::DEFAULT).diagnostics[0].helps[0].clone()
    };
    assert_eq!(help("lenth = 3"), "did you mean `length`?");
    assert_eq!(help("bends = []"), "`bends` is a parameter of loose-rope, strap, tail, lasso");
    assert_eq!(help("axes = 'cord'"), "did you mean \"chord\"?");
    assert_eq!(help("radius = -0.1"), "did you mean 0.1?");
    assert_eq!(help("samples = '48'"), "remove the quotes: 48");
}

/// Message and help of the only diagnostic about an additional line in a body.
fn reported(model: &str, line: &str) -> (String, String) {
    let text = format!(
        "lariat = 2\n[[body]]\nname = 'rein'\nmodel = '{model}'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n{line}\n"
    );
    let diagnostics = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:#?}") };
    (diagnostic.message.clone(), diagnostic.helps.first().cloned().unwrap_or_default())
}

#[test]
fn keys_without_a_table_are_recognised() {
    let keys = "write keys like `{ keys = [[1, …], [24, …]] }`";
    for line in [
        "length = 2\nswing = [[1, 0], [24, 30]]",
        "length = 2\ncolour = [[1, '#ffffff'], [24, '#000000']]",
        "length = 2\nvisible = [[1, true], [24, false]]",
    ] {
        assert_eq!(reported("suspended-rope", line).1, keys, "{line}");
    }
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = 1\nfrom = [[1, [0, 0, 0]], [24, [1, 0, 0]]]";
    let diagnostics = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    assert_eq!(diagnostics[0].helps[0], keys, "{diagnostics:#?}");
}

#[test]
fn help_keys_the_entries_of_a_list_separately() {
    let (_, help) = reported("microphone-cord", "leads = { keys = [[1, 0.1], [24, 0.2]] }");
    assert_eq!(help, "key its 2 entries one by one: `leads = [{ keys = … }, { keys = … }]`");
    let (_, help) = reported("slinky", "inner = { keys = [[1, [0, 0, 0]]] }");
    assert!(help.starts_with("key its 2 entries one by one"), "{help}");
}

#[test]
fn help_uses_plain_names() {
    let (message, help) = reported("suspended-rope", "length = 2\nwaves = [{ ripples = 3 }]");
    assert_eq!(message, "the wave has no `height`");
    assert!(help.starts_with("add `height = "), "{help}");
    let (message, help) =
        reported("suspended-rope", "length = 2\nswing = { keys = [[1, 0]], x-y-z = 1 }");
    assert_eq!(message, "keys have no parameter `x-y-z`");
    assert!(help.contains("ease"), "{help}");
}

#[test]
fn messages_are_grammatical() {
    let (message, _) = reported(
        "suspended-rope",
        "length = 2\nlayers = [{ kind = 'pulse', height = 1, xyzzy = 1 }]",
    );
    assert_eq!(message, "a pulse layer has no parameter `xyzzy`");
    let text = "lariat = 2\n[[locator]]\nname = 'h'\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nlength = 1\nfrom = { locator = 'h', xyzzy = 1 }\n[[collider]]\nname = 'g'\nshape = 'height-field'\ncell = 1\nheights = [[0, 0], [0]]";
    let diagnostics = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    let reported: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(
        reported.iter().any(|f| f.contains("an anchor-to-locator has no parameter")),
        "{reported:#?}"
    );
    assert!(reported.iter().any(|f| f.contains("has 1 number, the first has 2")), "{reported:#?}");
    let (_, help) = self::reported("spring", "coils = 'many'");
    assert_eq!(help, "write it like `coils = 12`");
}

#[test]
fn examples_have_realistic_numbers() {
    for (line, example) in [
        ("stretch-stiffness = 'much'", "stretch-stiffness = 50000"),
        ("bend-stiffness = 'little'", "bend-stiffness = 0.01"),
        ("mass-per-metre = 'light'", "mass-per-metre = 0.1"),
        ("rate = 'fast'", "rate = 240"),
    ] {
        let dynamics = format!("length = 2\ndynamics = {{ kind = 'spline-rope', {line} }}");
        let (_, help) = reported("suspended-rope", &dynamics);
        assert_eq!(help, format!("write it like `{example}`"));
    }
}

#[test]
fn unlisted_diagnostics_are_counted_by_severity() {
    let text = "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'loose-rope'\nfrom = [0, 0, 0]\nlength = -1\nradius = -1\nsamples = -1\ncolor = 1\n[[locator]]\nname = 'h'\n";
    let limits = Limits { diagnostics: 1, ..Limits::DEFAULT };
    let diagnostics = check(text.as_bytes(), &limits).diagnostics;
    assert_eq!(diagnostics.len(), 2, "{diagnostics:#?}");
    assert_eq!(diagnostics[1].severity, Code::TooManyDiagnostics.severity());
    assert_eq!(diagnostics[1].values, [("errors", 3.0), ("warnings", 1.0), ("notes", 0.0)]);
}
