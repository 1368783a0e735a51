//! Measured properties of the simulated ropes.

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_eval::Scene;
use lariat_scene::Limits;
use lariat_scene::check::check;

use super::{apart, bound, content, end, find, points, scene};

/// Frames of a shot, every `step`.
fn frames(scene: &Scene, step: usize) -> impl Iterator<Item = f64> {
    (scene.shot().first..=scene.shot().last).step_by(step).map(|frame| frame as f64)
}

fn length(points: Vec<DVec3>) -> f64 {
    Spline::through(&Polyline::new(points).expect("points make a curve")).length()
}

fn lowest(points: &[DVec3]) -> f64 {
    points.iter().map(|p| p.z).fold(f64::INFINITY, f64::min)
}

#[test]
fn ropes_keep_their_length_and_stay_above_the_floor() {
    for (name, rope, rest, radius) in [
        ("tuzel-swung", "rope", 1.5, 0.024),
        ("tuzel-dropped", "rope", 3.4, 0.018),
        ("tuzel-pins", "rope", 4.8, 0.02),
        ("tuzel-dragged", "rope", 3.5, 0.022),
        ("tuzel-weight", "loaded", 1.8, 0.022),
        ("tuzel-curtain", "cord-5", 1.65, 0.013),
    ] {
        let scene = scene(name);
        for frame in frames(&scene, 3) {
            let points = points(&scene, rope, frame);
            let low = lowest(&points);
            assert!(low > radius - 3e-3, "{name}, frame {frame}: {low} m above the floor");
            let long = length(points);
            assert!((long / rest - 1.0).abs() < 0.01, "{name}, frame {frame}: {long} m");
        }
    }
}

#[test]
fn the_hand_holds_its_rope_exactly() {
    let scene = scene("tuzel-swung");
    let lowered = content(find("tuzel-swung")).lowered;
    let hand = lowered.locators[0].vector("position").expect("it has a place");
    for frame in frames(&scene, 1) {
        let held = points(&scene, "rope", frame)[0];
        assert!(held.distance(hand.at(lowered.shot.seconds(frame))) < 1e-12, "frame {frame}");
    }
}

#[test]
fn a_released_rope_is_posed_until_its_release_and_comes_to_rest() {
    let scene = scene("tuzel-dropped");
    let (left, right) = (DVec3::new(0.0, 0.0, 1.6), DVec3::new(2.0, 0.0, 1.6));
    let start = |frame: f64| points(&scene, "rope", frame)[0];
    assert!(start(20.0).distance(left) < 1e-9 && start(22.0).distance(left) > 0.01);
    assert!(end(&scene, "rope", 31.0).distance(right) < 1e-9);
    assert!(end(&scene, "rope", 34.0).distance(right) > 0.01);
    // There is no jump at the release: it moves as far per frame as before.
    let before = apart(&points(&scene, "rope", 19.0), &points(&scene, "rope", 20.0));
    let after = apart(&points(&scene, "rope", 20.0), &points(&scene, "rope", 21.0));
    assert!(after < 1.5 * before, "{before} m, then {after} m");
    let last = scene.shot().last as f64;
    let lying = points(&scene, "rope", last);
    for p in &lying {
        assert!((p.z - 0.018).abs() < 2e-3, "{p} is not on the floor");
    }
    let stirred = apart(&points(&scene, "rope", 66.0), &lying);
    assert!(stirred < 1e-3, "it still moves: {stirred} m after frame 66");
}

#[test]
fn pins_hold_their_places_until_they_are_switched_off() {
    let scene = scene("tuzel-pins");
    let lowered = content(find("tuzel-pins")).lowered;
    for (hook, (index, off)) in [(40, 60.0), (80, 72.0), (120, 84.0)].into_iter().enumerate() {
        let place = lowered.locators[hook].vector("position").expect("it has a place");
        let gap = |frame: f64| {
            points(&scene, "rope", frame)[index].distance(place.at(lowered.shot.seconds(frame)))
        };
        for frame in [2.0, 25.0, off - 1.0] {
            assert!(gap(frame) < 1e-9, "hook {}, frame {frame}: {} m", hook + 1, gap(frame));
        }
        assert!(gap(off + 6.0) > 0.1, "hook {}: {} m", hook + 1, gap(off + 6.0));
    }
}

#[test]
fn the_dragged_rope_goes_round_the_log_and_not_through_it() {
    let scene = scene("tuzel-dragged");
    let mut on_it = 0;
    for frame in frames(&scene, 2) {
        for p in points(&scene, "rope", frame) {
            let out = (p - DVec3::Z * 0.95).reject_from(DVec3::Y).length() - 0.2 - 0.022;
            assert!(out > -2e-3, "frame {frame}: {p} is {out} m inside");
            on_it += usize::from(out < 1e-3);
        }
    }
    assert!(on_it > 200, "it hardly touched the log: {on_it} points");
    let tail = end(&scene, "rope", scene.shot().last as f64);
    assert!(tail.x > 0.3, "its end has not come over the log: {tail}");
}

/// Speed of a point of a body, in m/s, between two moments a tenth of a frame apart.
fn speed(scene: &Scene, name: &str, index: usize, frame: f64) -> f64 {
    let at = |frame: f64| points(scene, name, frame)[index];
    let seconds = scene.shot().seconds(frame + 0.1) - scene.shot().seconds(frame);
    at(frame).distance(at(frame + 0.1)) / seconds
}

#[test]
fn the_tip_of_the_whip_is_many_times_as_fast_as_the_hand_and_the_loop_runs_there() {
    let scene = scene("tuzel-whip");
    let moments = || (70..220).map(|tenth| f64::from(tenth) / 10.0);
    let fastest = |index: usize| {
        moments().map(|frame| speed(&scene, "whip", index, frame)).fold(0.0, f64::max)
    };
    let (hand, tip) = (fastest(0), fastest(160));
    assert!(tip > 8.0 * hand, "the hand makes {hand} m/s, the tip {tip}");
    // The loop is at the foremost point of the thong, and runs along it to the tip.
    let ahead = |frame: f64| {
        let points = points(&scene, "whip", frame);
        let far = |a: &usize, b: &usize| points[*a].x.total_cmp(&points[*b].x);
        (0..points.len()).max_by(far).unwrap_or(0)
    };
    let run: Vec<usize> = [13.0, 14.0, 15.0, 16.0, 17.0, 17.5].map(ahead).into();
    assert!(run.is_sorted() && run[5] > run[0] + 60, "{run:?} of 160");
}

#[test]
fn a_weight_draws_its_rope_straight() {
    let scene = scene("tuzel-weight");
    let bow = |name: &str| {
        let bows = frames(&scene, 3).map(|frame| {
            let points = points(&scene, name, frame);
            let chord = points[64] - points[0];
            let away = |p: &DVec3| (*p - points[0]).reject_from(chord).length();
            points.iter().map(away).fold(0.0, f64::max)
        });
        bows.fold(0.0, f64::max)
    };
    let (loaded, bare) = (bow("loaded"), bow("bare"));
    assert!(loaded < 0.05 && bare > 3.0 * loaded, "{loaded} m and {bare} m");
    // Both are at rest until the push.
    let before = apart(&points(&scene, "loaded", 1.0), &points(&scene, "loaded", 12.0));
    assert!(before < 1e-3, "{before} m");
}

#[test]
fn the_keg_falls_is_caught_and_bounces_lower_every_time() {
    let scene = scene("tuzel-bungee");
    let height: Vec<f64> = frames(&scene, 1).map(|frame| end(&scene, "cord", frame).z).collect();
    let turns = |way: f64| -> Vec<f64> {
        let turn = |w: &&[f64]| way * (w[1] - w[0]) > 0.0 && way * (w[2] - w[1]) <= 0.0;
        height[12..].windows(3).filter(turn).map(|w| w[1]).collect()
    };
    let (tops, bottoms) = (turns(1.0), turns(-1.0));
    assert!(tops.len() >= 3 && bottoms.len() >= 3, "{tops:?} {bottoms:?}");
    assert!(tops.is_sorted_by(|a, b| a > b), "it rises higher: {tops:?}");
    assert!(bottoms.is_sorted_by(|a, b| a < b), "it falls lower: {bottoms:?}");
    // It stays half a keg above the ground, and the cord is stretched by at least half of its
    // length.
    assert!(bottoms[0] > 0.17 + 0.3, "{bottoms:?}");
    assert!(bottoms[0] < 4.45 - 1.5 * 2.0, "{bottoms:?}");
    // No jerk: the deceleration is limited.
    let brakes = |w: &[f64]| (w[2] - 2.0 * w[1] + w[0]) * 24.0 * 24.0;
    let worst = height[12..].windows(3).map(brakes).fold(0.0, f64::max);
    assert!(worst < 60.0, "{worst} m/s²");
}

#[test]
fn materials_hang_and_fly_in_their_order() {
    let scene = scene("tuzel-materials");
    let names = ["steel-cable", "hemp", "nylon", "rubber", "chain"];
    // Drop of its lower end below the peg before the wind rises, averaged over a second.
    let drop = |name: &str| {
        let frames = (40..64).map(f64::from);
        1.6 - frames.map(|frame| lowest(&points(&scene, name, frame))).sum::<f64>() / 24.0
    };
    let drops = names.map(drop);
    assert!(drops[..4].is_sorted(), "{names:?}: {drops:?}");
    assert!(drops[4] > drops[1], "chain hangs lower than hemp: {drops:?}");
    // None slides off its peg.
    for (i, name) in ["hemp", "nylon", "steel-cable", "rubber", "chain"].into_iter().enumerate() {
        let peg = DVec3::new(1.15 * i as f64, 0.0, 1.6);
        let last = points(&scene, name, scene.shot().last as f64);
        let near = last.iter().map(|p| (*p - peg).reject_from(DVec3::Y).length());
        let near = near.fold(f64::INFINITY, f64::min);
        assert!((near - 0.059).abs() < 2e-3, "{name} is {near} m from the middle of its peg");
    }
}

#[test]
fn cords_give_way_to_the_ball() {
    let scene = scene("tuzel-curtain");
    let lowered = content(find("tuzel-curtain")).lowered;
    let centre = lowered.colliders[0].vector("centre").expect("it has a middle");
    let mut pushed: f64 = 0.0;
    for frame in frames(&scene, 2) {
        let ball = centre.at(lowered.shot.seconds(frame));
        for p in points(&scene, "cord-5", frame) {
            let out = p.distance(ball) - 0.4 - 0.013;
            assert!(out > -4e-3, "frame {frame}: {p} is {out} m inside");
            pushed = pushed.max(p.y);
        }
    }
    assert!(pushed > 0.5, "it was pushed by {pushed} m");
}

/// "11 control points, 20 springs, and 20 contact points", uniform knots, explicit steps.
#[test]
fn the_published_rope_is_built_as_published() {
    let lowered = content(find("tuzel-published")).lowered;
    let body = &lowered.bodies[lowered.body_index("published").expect("it is there")];
    let dynamics = body.record("dynamics").expect("it is simulated");
    for (field, count) in [("control-points", 11), ("springs", 20), ("contact-points", 20)] {
        assert_eq!(dynamics.integer(field), Some(count), "{field}");
    }
    assert_eq!(dynamics.choice("method"), Some("published"));
    // Unlike ours, it stretches.
    let scene = scene("tuzel-published");
    let lengths = |name: &str| {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for frame in frames(&scene, 1) {
            let long = length(points(&scene, name, frame)) / 1.2;
            (least, most) = (least.min(long), most.max(long));
        }
        (least, most)
    };
    let (published, ours) = (lengths("published"), lengths("ours"));
    assert!((1.03..1.034).contains(&published.1), "{published:?}");
    assert!((0.75..0.8).contains(&published.0), "{published:?}");
    assert!(ours.0 > 0.995 && ours.1 < 1.001, "{ours:?}");
}

#[test]
fn at_60_frames_a_second_the_motion_is_the_same() {
    let film = find("tuzel-weight").text;
    let mut video = film.to_owned();
    // Frame 0 is second 0 at any rate, so frame numbers are multiplied by 2.5.
    for (was, is) in [
        ("fps = 24", "fps = 60"),
        ("frames = [1, 144]", "frames = [1, 360]"),
        ("[[12, [", "[[30, ["),
        ("[14, [", "[35, ["),
        ("[24, [", "[60, ["),
        ("[26, [", "[65, ["),
        ("kind = \"spline-rope\"", "kind = \"spline-rope\"\nstart = 2.5"),
    ] {
        assert!(video.contains(was), "{was}");
        video = video.replace(was, is);
    }
    let checked = check(video.as_bytes(), &Limits::default());
    let video = bound(&checked.content.expect("it is a document").lowered);
    let film = scene("tuzel-weight");
    for name in ["loaded", "bare"] {
        for frame in [12.0, 25.0, 60.0, 144.0] {
            let gap = apart(&points(&film, name, frame), &points(&video, name, 2.5 * frame));
            assert!(gap < 1e-9, "{name}, frame {frame}: {gap:e} m");
        }
    }
}

#[test]
fn ropes_of_every_construction_can_be_seen() {
    for name in ["hemp", "nylon-rope", "steel-cable", "rubber", "chain"] {
        let line = format!("material = \"{name}\"");
        assert!(find("tuzel-materials").text.contains(&line), "{line}");
    }
}
