//! Oscillating parameters and their followers.

use super::super::follow::LEADERS_LOWERED;
use super::*;

fn swing(text: &str) -> Channel<f64> {
    let document = read(&rope(text)).unwrap().document;
    match parameter(&document, &Limits::DEFAULT, "rein.swing").unwrap().channel {
        ParameterChannel::Number(channel) => channel,
        other => panic!("{other:?}"),
    }
}

fn rope(lines: &str) -> String {
    format!(
        "lariat = 2\n[shot]\nfps = 24\nframes = [1, 96]\n[[body]]\nname = 'rein'\nmodel = \
         'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\n{lines}\n"
    )
}

#[test]
fn a_wiggle_passes_through_its_keys() {
    let swing = swing("swing = { wiggle = [[1, 0], [24, 35.1], [50.5, -7]], hertz = 1.4 }");
    let rate = FrameRate::FILM;
    for (frame, value) in [(1.0, 0.0), (24.0, 35.1), (50.5, -7.0)] {
        assert_eq!(swing.at(rate.seconds(frame)), value);
    }
    assert!(swing.phasor(0, 1.3).is_some());
}

#[test]
fn fast_bouncy_and_loose_are_plain_names() {
    let plain = swing("swing = { wiggle = [[1, 0], [24, 35]], fast = 2, bouncy = 3, loose = 0.1 }");
    let technical =
        swing("swing = { wiggle = [[1, 0], [24, 35]], hertz = 2, swings = 3, bandwidth = 0.1 }");
    assert_eq!(plain, technical);
    let seconds = swing(
        "swing = { wiggle = [[1, 0], [24, 35]], hertz = 2, half-life = 1.5, bandwidth = 0.1 }",
    );
    // Three periods of half a second each.
    assert!((plain.at(2.2) - seconds.at(2.2)).abs() < 1e-12);
    assert_eq!(
        codes_of_line("swing = { wiggle = [[1, 0]], hertz = 1, swings = 2, decay = 1 }"),
        ["L0209"]
    );
}

#[test]
fn a_wiggle_without_damping_has_that_of_the_schema() {
    let record = schema::WIGGLE.types[0];
    let (name, number) = record.one_of[0].otherwise.unwrap();
    let without = swing("swing = { wiggle = [[1, 0], [24, 35]], hertz = 2 }");
    let with =
        swing(&format!("swing = {{ wiggle = [[1, 0], [24, 35]], hertz = 2, {name} = {number} }}"));
    assert_eq!(without, with);
}

#[test]
fn slopes_are_per_second_hard_or_soft() {
    let with = |slope: &str| {
        swing(&format!(
            "swing = {{ wiggle = [[1, 0], {{ frame = 24, value = 10, {slope} }}, [60, 0]], hertz = 1 }}"
        ))
    };
    assert!((with("slope = 40").slope(1.0) - 40.0).abs() < 1e-9);
    let broken = with("in = 40, out = -40");
    assert!((broken.slope(1.0) + 40.0).abs() < 1e-9);
    assert!((broken.slope(1.0 - 1e-9) - 40.0).abs() < 1e-3);
    let soft = with("slope = 40, soft = 1").slope(1.0);
    assert!((soft - 40.0).abs() > 0.1 && (soft - 40.0).abs() < 40.0, "{soft}");
}

#[test]
fn the_last_key_of_a_loop_is_its_first() {
    let swing = swing("swing = { wiggle = [[1, 0], [20, 30], [49, 0]], hertz = 1, loop = true }");
    assert_eq!(swing.at(FrameRate::FILM.seconds(20.0 + 48.0 * 7.0)), 30.0);
    assert_eq!(
        codes_of_line("swing = { wiggle = [[1, 0], [24, 5]], hertz = 1, loop = true }"),
        ["L0225"]
    );
    assert_eq!(codes_of_line("swing = { wiggle = [[1, 0]], hertz = 1, loop = true }"), ["L0225"]);
}

#[test]
fn a_follower_comes_before_or_after_its_leader() {
    for lines in [
        "sway = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }\nswing = { follow = 'rein.sway', lag = 90, gain = 2 }",
        "swing = { follow = 'body.rein.sway', lag = 90, gain = 2 }\nsway = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }",
    ] {
        let swing = swing(lines);
        let Channel::Following(follow) = &swing else { panic!("{swing:?}") };
        let x = follow.leader.phasor(0, 1.7);
        // A lag of a quarter period gives the imaginary part.
        assert!((swing.at(1.7) - 2.0 * x.im).abs() < 1e-12);
    }
}

#[test]
fn a_wiggle_without_hertz_cannot_be_followed() {
    let leader = "sway = { wiggle = [[1, 3], [24, 35], [60, -4]], hertz = 0 }";
    let quarter = swing(&format!("{leader}\nswing = {{ follow = 'rein.sway', lag = 90 }}"));
    let none = swing(&format!("{leader}\nswing = {{ follow = 'rein.sway' }}"));
    for frame in [1.0, 10.0, 24.0, 40.0, 60.0] {
        let t = FrameRate::FILM.seconds(frame);
        assert!((quarter.at(t) - 3.0).abs() < 1e-12, "it rests at frame {frame}");
    }
    assert!((none.at(1.0) - 35.0).abs() < 1e-12);
}

#[test]
fn lags_of_a_chain_of_followers_add_up() {
    let plain = swing(
        "sway = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }\nturn = { follow = 'rein.sway', lag = 30, gain = 0.5 }\nswing = { follow = 'rein.turn', lag = 60, gain = 0.5 }"
            .replace("turn", "twist").as_str(),
    );
    let Channel::Following(follow) = &plain else { panic!("{plain:?}") };
    assert_eq!(follow.lags.len(), 1);
    assert_eq!((follow.lags[0].degrees.at(0.0), follow.lags[0].gain.at(0.0)), (90.0, 0.25));
    // Keyed lags and gains are applied one after the other.
    let leader = "sway = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }";
    let lags = ["{ keys = [[1, 0], [48, 90]] }", "{ keys = [[1, 10], [24, 40]] }"];
    let first = swing(&format!("{leader}\nswing = {{ follow = 'rein.sway', lag = {} }}", lags[0]));
    let both = swing(&format!(
        "{leader}\ntwist = {{ follow = 'rein.sway', lag = {} }}\nswing = {{ follow = 'rein.twist', lag = {}, gain = {{ keys = [[1, 1], [30, 0.5]] }} }}",
        lags[0], lags[1]
    ));
    let own = swing(&format!(
        "{leader}\nswing = {{ follow = 'rein.sway', lag = {}, gain = {{ keys = [[1, 1], [30, 0.5]] }} }}",
        lags[1]
    ));
    let lead = swing(&leader.replace("sway", "swing"));
    for frame in [5.0, 20.0, 33.0, 60.0] {
        let [x, a, b, ab] = [&lead, &first, &own, &both]
            .map(|c| c.phasor(0, FrameRate::FILM.seconds(frame)).unwrap());
        let gap = (ab * x - a * b).norm_sqr().sqrt();
        assert!(gap < 1e-9 * (1.0 + x.norm_sqr()), "frame {frame}: {gap}");
    }
}

#[test]
fn a_followed_locator_counts_as_used() {
    let text = format!(
        "{}\n[[locator]]\nname = 'hand'\nposition = {{ wiggle = [[1, [0, 0, 2]], [12, [0, 1, 2]]], hertz = 1 }}\n",
        rope("").replace(
            "to = [1, 0, 0]",
            "to = { follow = 'locator.hand.position', lag = 40, around = [1, 0, 0] }"
        )
    );
    assert!(text.contains("follow"), "{text}");
    assert_eq!(codes(&text), [""; 0]);
    let unfollowed = text
        .replace("{ follow = 'locator.hand.position', lag = 40, around = [1, 0, 0] }", "[1, 0, 0]");
    assert_eq!(codes(&unfollowed), ["L0307"]);
}

/// Ropes of which each follows the next, up to one with a wiggle.
fn followers(count: usize) -> String {
    let mut text = rope("swing = { follow = 'rein1.swing', lag = 2 }");
    for k in 1..=count {
        let swing = if k == count {
            "swing = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }".to_owned()
        } else {
            format!("swing = {{ follow = 'rein{}.swing', lag = 2 }}", k + 1)
        };
        let next = rope(&swing).replace("'rein'", &format!("'rein{k}'"));
        text += &next[next.find("[[body]]").unwrap()..];
    }
    text
}

#[test]
fn a_long_chain_is_not_a_cycle() {
    for count in [17, 64] {
        let text = followers(count);
        assert_eq!(codes(&text), [""; 0], "{count}");
        let document = read(&text).unwrap().document;
        let found = parameter(&document, &Limits::DEFAULT, "rein.swing").unwrap().channel;
        let ParameterChannel::Number(Channel::Following(follow)) = found else {
            panic!("{found:?}")
        };
        assert_eq!(follow.lags[0].degrees.at(0.0), 2.0 * count as f64);
    }
}

#[test]
fn all_parameters_that_lead_into_a_cycle_are_reported() {
    let text = followers(3).replace(
        "swing = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }",
        "swing = { follow = 'rein2.swing' }",
    );
    let found = check(text.as_bytes(), &Limits::DEFAULT).diagnostics;
    assert!(found.iter().all(|diagnostic| diagnostic.code.name() == "L0314"), "{found:?}");
    let messages: Vec<&str> = found.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`rein1.swing` leads to parameters that follow each other in a cycle",
            "`rein2.swing` follows itself through other parameters",
            "`rein3.swing` follows itself through other parameters",
            "`rein2.swing` follows itself through other parameters",
        ]
    );
}

#[test]
fn a_chain_that_is_too_long_has_its_own_message() {
    let found = check(followers(70).as_bytes(), &Limits::DEFAULT).diagnostics;
    assert_eq!(found[0].code.name(), "L0313");
    assert_eq!(
        found[0].message,
        "`rein1.swing` cannot be followed: it depends on more than 64 parameters"
    );
    // From the seventh on the chain is short enough.
    assert_eq!(found.len(), 6);
}

/// Each parameter needs the next one twice, so that every level would double the work.
#[test]
fn a_branching_chain_without_end_is_rejected_at_once() {
    let mut text = rope("");
    for k in 0..30 {
        let next = format!("{{ follow = 'rein{}.swing' }}", k + 1);
        let swing = format!(
            "swing = {{ wiggle = [[1, 0], [24, 35]], hertz = 1.4, around = {next}, push = {next} }}"
        );
        let body = rope(&swing).replace("'rein'", &format!("'rein{k}'"));
        text += &body[body.find("[[body]]").unwrap()..];
    }
    let last = rope("swing = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }");
    text += &last.replace("'rein'", "'rein30'")[last.find("[[body]]").unwrap()..];
    let document = read(&text).unwrap().document;
    let before = LEADERS_LOWERED.get();
    let refused = parameter(&document, &Limits::DEFAULT, "rein0.swing").unwrap_err().to_string();
    assert!(refused.contains("depends on more than 64 parameters"), "{refused}");
    // At most 64 for each parameter, not exponentially many.
    let lowered = LEADERS_LOWERED.get() - before;
    assert!((64..=64 * 31).contains(&lowered), "{lowered} leaders");
}

#[test]
fn a_leader_that_cannot_be_followed_is_reported() {
    let wiggle = "sway = { wiggle = [[1, 0], [24, 35]], hertz = 1.4 }";
    for (line, code) in [
        ("swing = { follow = 'rein.swy' }", "L0312"),
        ("swing = { follow = 'nobody.sway' }", "L0312"),
        ("swing = { follow = '' }", "L0312"),
        ("swing = { follow = 'rein.length' }", "L0313"),
        ("swing = { follow = 'rein.from' }", "L0313"),
        ("swing = { follow = 'rein.swing' }", "L0314"),
    ] {
        let found = codes_of_line(&format!("{wiggle}\n{line}"));
        assert_eq!(found, [code], "{line}");
    }
}

#[test]
fn a_switch_cannot_wiggle() {
    let found = codes_of_line("visible = { wiggle = [[1, true], [24, false]], hertz = 1 }");
    assert_eq!(found, ["L0225"]);
    assert_eq!(codes_of_line("samples = { wiggle = [[1, 3]], hertz = 1 }"), ["L0203"]);
}

#[test]
fn vectors_and_colours_wiggle_too() {
    let text = rope("").replace(
        "to = [1, 0, 0]",
        "to = { wiggle = [[1, [1, 0, 0]], [12, [1.5, 0, 0.2]]], hertz = 2 }\ncolour = { wiggle = [[1, '#ff0000'], [12, '#00ff00']], hertz = 1 }",
    );
    let document = read(&text).unwrap().document;
    let found = parameter(&document, &Limits::DEFAULT, "rein.to").unwrap().channel;
    let ParameterChannel::Vector(to) = found else { panic!("{found:?}") };
    assert_eq!(to.at(0.5), DVec3::new(1.5, 0.0, 0.2));
    let found = parameter(&document, &Limits::DEFAULT, "rein.colour").unwrap().channel;
    assert!(matches!(found, ParameterChannel::Colour(Channel::Wiggly(_))), "{found:?}");
}

#[test]
fn animated_parameters_are_listed_by_path() {
    let text = rope(
        "swing = { wiggle = [[1, 0], [24, 35]], hertz = { keys = [[1, 1], [9, 2]] } }\nwaves = [{ height = { keys = [[1, 0], [9, 1]] } }]",
    );
    let document = read(&text).unwrap().document;
    let all = animated_parameters(&document);
    assert_eq!(all, ["rein.swing", "rein.swing.hertz", "rein.waves[0].height"]);
    for name in all {
        assert!(parameter(&document, &Limits::DEFAULT, &name).is_ok(), "{name}");
    }
    let error = parameter(&document, &Limits::DEFAULT, "rein.swnig").unwrap_err().to_string();
    assert!(error.contains("rein.swnig"), "{error}");
}

#[test]
fn the_same_seconds_give_the_same_curve_at_any_frame_rate() {
    let at = |fps: f64| {
        let text = format!(
            "lariat = 2\n[shot]\nfps = {fps}\nframes = [0, {}]\n[[body]]\nname = 'rein'\nmodel = 'suspended-rope'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nlength = 2\nswing = {{ wiggle = [[0, 0], [{}, 35], [{}, -3]], hertz = {{ keys = [[0, 1], [{}, 3]] }} }}\n",
            4.0 * fps,
            fps,
            2.5 * fps,
            2.0 * fps
        );
        let document = read(&text).unwrap().document;
        match parameter(&document, &Limits::DEFAULT, "rein.swing").unwrap().channel {
            ParameterChannel::Number(channel) => channel,
            other => panic!("{other:?}"),
        }
    };
    let (film, screen, fast) = (at(24.0), at(60.0), at(144.0));
    for i in 0..200 {
        let t = f64::from(i) * 0.02;
        assert_eq!(film.at(t).to_bits(), screen.at(t).to_bits());
        assert_eq!(film.at(t).to_bits(), fast.at(t).to_bits());
    }
}

#[test]
fn an_invalid_formula_is_reported() {
    let layer = |amplitude: &str| {
        codes_of_line(&format!(
            "layers = [{{ kind = 'jiggle', drive = {{ wiggle = [[1, 0], [9, 1]], hertz = 2 }}, amplitude = {amplitude} }}]"
        ))
    };
    assert_eq!(layer("'sin(pi * u)'"), [""; 0]);
    assert_eq!(layer("0.5"), [""; 0]);
    assert_eq!(layer("[[0, 0], [0.5, 1], [1, 0]]"), [""; 0]);
    assert_eq!(layer("'sin(pi * v)'"), ["L0226"]);
    assert_eq!(layer("'1 +'"), ["L0226"]);
    assert_eq!(layer("true"), ["L0203"]);
}

#[test]
fn a_lag_without_an_oscillation_is_reported() {
    let tail = |lines: &str| {
        codes(&format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'tail'\nfrom = [0, 0, 0]\nlength = 1\n{lines}\n"
        ))
    };
    assert_eq!(tail("swing = { keys = [[1, 0], [9, 40]] }\nlag = 40"), ["L0407"]);
    let wiggle = "swing = { wiggle = [[1, 0], [9, 40]], hertz = 2 }";
    assert_eq!(tail(&format!("{wiggle}\nlag = 40")), [""; 0]);
    assert_eq!(tail(&format!("{wiggle}\nlag = 40\npace = 'weight'")), ["L0407"]);
}
