//! Recipes: each is clean at every frame, so is each of its suggestions, loops close, and the
//! claims of the guide about them hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glam::DVec3;
use lariat_eval::{Scene, survey};
use lariat_museum::{RECIPES, Recipe, SCENES, TOPICS, recipe, topics_of};
use lariat_scene::Limits;
use lariat_scene::check::check;

use super::{body, bound, points};

/// Suggested changes of every recipe.
const SUGGESTIONS: usize = 3;

/// A document bound with the files of the museum. It must have no errors and no warnings at any
/// frame; a tear is only a note.
fn clean(text: &str, label: &str) -> Scene {
    let checked = check(text.as_bytes(), &Limits::default());
    let mut found: Vec<String> = checked.diagnostics.iter().map(ToString::to_string).collect();
    let content = checked.content.unwrap_or_else(|| panic!("{label}: {}", found.join("\n")));
    let scene = bound(&content.lowered);
    found.extend(survey(&scene, &content.lowered, |_| true).iter().map(ToString::to_string));
    found.retain(|diagnostic| !diagnostic.contains("L0666"));
    assert!(found.is_empty(), "{label}: {}", found.join("\n"));
    scene
}

/// The recipe of this name, bound.
fn scene(name: &str) -> Scene {
    clean(found(name).text, name)
}

fn found(name: &str) -> &'static Recipe {
    recipe(name).unwrap_or_else(|| panic!("no recipe is called {name}"))
}

/// The recipe with the first suggestion that contains `part`.
fn with_suggestion(name: &str, part: &str) -> Scene {
    let suggestions = found(name).suggestions();
    let (line, text) =
        suggestions.iter().find(|(line, _)| line.contains(part)).expect("it is suggested");
    clean(text, line)
}

/// Points and colours of all that is drawn at a frame, body by body, strand by strand.
fn drawn(scene: &Scene, frame: f64) -> Vec<(Vec<DVec3>, [f64; 3])> {
    let moments = scene.evaluate(frame).bodies;
    let parts = moments.iter().flat_map(|moment| {
        let strands =
            moment.strands.iter().map(|strand| (strand.points().to_vec(), strand.look.colour));
        strands.chain(moment.mesh.iter().map(|mesh| (mesh.points().to_vec(), mesh.look.colour)))
    });
    parts.collect()
}

/// Largest distance between points of two pictures of the same bodies; infinite if they have
/// different strands, points or colours.
fn apart(a: &[(Vec<DVec3>, [f64; 3])], b: &[(Vec<DVec3>, [f64; 3])]) -> f64 {
    let alike = |(a, b): (&(Vec<DVec3>, _), &(Vec<DVec3>, _))| a.0.len() == b.0.len() && a.1 == b.1;
    if a.len() != b.len() || !a.iter().zip(b).all(alike) {
        return f64::INFINITY;
    }
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.0.iter().zip(&b.0));
    let gap = |(a, b): (&DVec3, &DVec3)| Some(a.distance(*b)).filter(|gap| gap.is_finite());
    pairs.map(|pair| gap(pair).unwrap_or(f64::INFINITY)).fold(0.0, f64::max)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes")
}

#[test]
fn every_recipe_and_every_file_of_the_folder_is_listed() {
    let mut expected = BTreeSet::new();
    for recipe in RECIPES {
        assert!(expected.insert(format!("{}.lariat", recipe.name)), "{} twice", recipe.name);
        for file in recipe.files {
            let bytes = lariat_museum::file(file).expect("the museum has it");
            assert_eq!(std::fs::read(folder().join(file)).unwrap(), bytes, "{file}");
            expected.insert((*file).to_owned());
        }
        let text = std::fs::read_to_string(folder().join(format!("{}.lariat", recipe.name)));
        assert_eq!(text.unwrap(), recipe.text, "{} has the text of another", recipe.name);
        assert!(recipe.text.starts_with("# "), "{} does not say what it shows", recipe.name);
        assert!(recipe.teaches.ends_with('.'), "{}", recipe.teaches);
        assert!(lariat_museum::find(recipe.name).is_none(), "{} is a scene, too", recipe.name);
    }
    let names = std::fs::read_dir(folder()).expect("the recipes are there");
    let names: BTreeSet<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, expected);
}

#[test]
fn a_recipe_comes_with_the_files_that_it_loads() {
    for recipe in RECIPES {
        let content = check(recipe.text.as_bytes(), &Limits::default()).content.unwrap();
        for needed in content.lowered.files() {
            assert!(recipe.files.contains(&needed.path), "{}: {}", recipe.name, needed.path);
        }
    }
}

#[test]
fn every_suggestion_replaces_a_line_with_the_same_key() {
    for recipe in RECIPES {
        let lines: Vec<&str> = recipe.text.lines().collect();
        let mut suggestions = 0;
        for pair in lines.windows(2) {
            let Some(line) = pair[0].strip_prefix("# Try: ") else { continue };
            suggestions += 1;
            let key = |line: &str| line.split_once(" = ").map(|(key, _)| key.to_owned());
            assert_eq!(key(line), key(pair[1]), "{}: {line}", recipe.name);
            assert_ne!(line, pair[1], "{}", recipe.name);
        }
        assert_eq!(suggestions, SUGGESTIONS, "{}", recipe.name);
        assert_eq!(recipe.suggestions().len(), SUGGESTIONS, "{}", recipe.name);
    }
}

#[test]
fn every_recipe_and_every_suggestion_is_clean_and_looks_different() {
    for recipe in RECIPES {
        let plain = clean(recipe.text, recipe.name);
        let (first, last) = (plain.shot().first, plain.shot().last);
        let frames: Vec<f64> = (first..=last).step_by(5).map(|frame| frame as f64).collect();
        for (line, text) in recipe.suggestions() {
            let changed = clean(&text, line);
            let apart = frames
                .iter()
                .map(|&frame| apart(&drawn(&plain, frame), &drawn(&changed, frame)))
                .fold(0.0, f64::max);
            assert!(apart > 0.015, "{}: `{line}` changes only {apart} m", recipe.name);
        }
    }
}

#[test]
fn a_loop_closes_and_moves() {
    for recipe in RECIPES.iter().filter(|recipe| recipe.loops) {
        let scene = clean(recipe.text, recipe.name);
        let (first, last) = (scene.shot().first as f64, scene.shot().last as f64);
        let start = drawn(&scene, first);
        let gap = apart(&start, &drawn(&scene, last + 1.0));
        assert!(gap < 1e-9, "the loop of {} is open by {gap} m", recipe.name);
        // No step is much larger than both of its neighbours: nothing jumps, also not at the seam.
        let frames = (scene.shot().first..=scene.shot().last + 2).map(|frame| frame as f64);
        let steps: Vec<f64> =
            frames.map(|frame| apart(&drawn(&scene, frame), &drawn(&scene, frame + 1.0))).collect();
        for (frame, step) in steps.windows(3).enumerate() {
            let jumps = step[1] > 2.0 * step[0].max(step[2]) + 0.02;
            assert!(!jumps, "{} jumps at frame {}: {step:?}", recipe.name, frame + 2);
        }
        let middle = drawn(&scene, f64::midpoint(first, last).round() - 6.0);
        assert!(apart(&start, &middle) > 0.01, "{} does not move", recipe.name);
    }
}

#[test]
fn the_loop_of_the_spring_closes_to_a_rounding_error() {
    let scene = scene("looping-spring");
    for frame in [1.0, 13.5, 31.0, 47.25] {
        let gap = apart(&drawn(&scene, frame), &drawn(&scene, frame + 48.0));
        assert!(gap < 1e-13, "{gap} m at frame {frame}");
    }
}

#[test]
fn the_rope_snaps_when_the_ball_hits_and_rubber_holds() {
    let pieces = |scene: &Scene, frame: f64| body(scene, "rope", frame).strands.len();
    let snaps = scene("rope-snaps");
    assert_eq!(pieces(&snaps, 18.0), 1);
    assert_eq!(pieces(&snaps, 24.0), 2);
    let height = |scene: &Scene, frame: f64| {
        let mesh = body(scene, "crate", frame).mesh.expect("a crate");
        mesh.points().iter().map(|point| point.z).fold(f64::INFINITY, f64::min)
    };
    assert!(height(&snaps, 18.0) > 0.9 && height(&snaps, 84.0) < 0.02, "the crate falls");
    for holds in ["rubber", "mass = 4,", "position"] {
        let holds = with_suggestion("rope-snaps", holds);
        assert_eq!(pieces(&holds, 84.0), 1);
    }
}

/// Largest distance of a point of the sign from its place on the first frame.
fn swing_of_the_sign(scene: &Scene) -> f64 {
    let points = |frame: f64| body(scene, "sign", frame).mesh.expect("a sign").points().to_vec();
    let rest = points(1.0);
    (1..=96).map(|frame| super::apart(&rest, &points(f64::from(frame)))).fold(0.0, f64::max)
}

#[test]
fn the_sign_swings_in_the_wind_and_rests_without() {
    assert!(swing_of_the_sign(&scene("hanging-sign")) > 0.3);
    let text = found("hanging-sign").text;
    let calm: String = text
        .lines()
        .map(|line| match line.split_once(" = ") {
            Some(("wind", _)) => "wind = [0, 0, 0]\n".to_owned(),
            Some(("turbulence", _)) => "turbulence = 0\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    let rest = swing_of_the_sign(&clean(&calm, "without wind"));
    assert!(rest < 0.005, "{rest} m without wind");
}

#[test]
fn the_ball_jumps_over_the_rope() {
    let scene = scene("jump-rope");
    for quarter in 4..=4 * 48 {
        let frame = f64::from(quarter) / 4.0;
        let ball = body(&scene, "ball", frame).mesh.expect("a ball");
        let surface = ball.points();
        let centre = surface.iter().sum::<DVec3>() / surface.len() as f64;
        let nearest = points(&scene, "rope", frame)
            .iter()
            .map(|point| point.distance(centre))
            .fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.22 + 0.018, "{nearest} m from the centre at frame {frame}");
    }
    let lowest = points(&scene, "rope", 1.0).iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    assert!((0.018..0.08).contains(&lowest), "the rope passes {lowest} m above the floor");
}

#[test]
fn the_bridge_sinks_under_the_barrel() {
    let scene = scene("rope-bridge");
    // The barrel is in the middle of the bridge at frame 25, and left of it at frame 13.
    let middle = |frame: f64| points(&scene, "deck", frame)[60].z;
    assert!(middle(13.0) - middle(25.0) > 0.05, "{} {}", middle(13.0), middle(25.0));
    for frame in [1.0, 25.0, 40.0] {
        let barrel = points(&scene, "barrel", frame);
        let (from, to) = (barrel[0], barrel[barrel.len() - 1]);
        let centre = (from + to) / 2.0;
        let deck = points(&scene, "deck", frame);
        let nearest = deck.iter().map(|p| p.distance(centre)).fold(f64::INFINITY, f64::min);
        assert!((nearest - 0.22).abs() < 0.01, "{nearest} m above the deck at frame {frame}");
    }
}

#[test]
fn the_ball_pushes_the_belly_in_on_its_key() {
    let scene = scene("jiggling-belly");
    let depth = |frame: f64| {
        let mesh = body(&scene, "penguin", frame).mesh.expect("a penguin");
        mesh.points().iter().map(|p| p.y).fold(f64::INFINITY, f64::min)
    };
    let rest = front_of_the_file();
    assert!(depth(13.0) > rest + 0.02, "{} at the hit, {rest} at rest", depth(13.0));
    assert!((depth(10.0) - rest).abs() < 0.003, "{} before the hit", depth(10.0));
    // Half a swing later it bulges.
    assert!(depth(13.0 + 24.0 / 2.5 / 2.0) < rest - 0.005);
}

/// Least y of the file, in metres: the front of the belly at rest.
fn front_of_the_file() -> f64 {
    let bytes = lariat_museum::file("penguin.obj").expect("the museum has it");
    let text = std::str::from_utf8(bytes).expect("it is text");
    let points = text.lines().filter_map(|line| line.strip_prefix("v "));
    points
        .filter_map(|line| line.split(' ').nth(1)?.parse::<f64>().ok())
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn reeds_follow_the_first_one_later() {
    let scene = scene("learned-motion");
    // Frame of the crest after `from`, by the distance of the tip to the right of the foot.
    let crest = |name: &str, from: f64| {
        let tip = |frame: f64| {
            let points = points(&scene, name, frame);
            points[points.len() - 1].x - points[0].x
        };
        let frames = (0..=180).map(|tenth| from + f64::from(tenth) / 10.0);
        frames.max_by(|a, b| tip(*a).total_cmp(&tip(*b))).unwrap()
    };
    // One swing is 24 frames; lags of 60 and 120 degrees are 4 and 8 frames.
    let first = crest("first", 22.0);
    let second = crest("second", first - 4.0);
    let third = crest("third", first);
    assert!((second - first - 4.0).abs() < 1.5, "{first} {second}");
    assert!((third - first - 8.0).abs() < 2.0, "{first} {third}");
}

#[test]
fn every_scene_and_recipe_has_a_topic() {
    let recipes = RECIPES.iter().map(|recipe| recipe.name);
    for name in SCENES.iter().map(|scene| scene.name).chain(recipes) {
        let topics = topics_of(name).count();
        assert!((1..=4).contains(&topics), "{name} has {topics} topics");
    }
}

#[test]
fn every_topic_has_several_scenes() {
    let order: Vec<&str> =
        RECIPES.iter().map(|r| r.name).chain(SCENES.iter().map(|s| s.name)).collect();
    for topic in TOPICS {
        assert!(topic.scenes.len() >= 5, "{} has {}", topic.name, topic.scenes.len());
        let places: Vec<Option<usize>> =
            topic.scenes.iter().map(|scene| order.iter().position(|name| name == scene)).collect();
        assert!(places.iter().all(Option::is_some), "{}: {places:?}", topic.name);
        assert!(places.is_sorted(), "{}: {places:?}", topic.name);
    }
}

/// Page of a recipe, or the gallery with all of them.
fn page(name: &str) -> String {
    let path = folder().join("../../docs/guide/recipes").join(format!("{name}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_recipe_has_a_page_with_the_whole_document_and_its_suggestions() {
    let gallery = page("README");
    for recipe in RECIPES {
        let page = page(recipe.name);
        let block = format!("```lariat\n{}```\n", recipe.text);
        assert!(page.contains(&block), "the page of {} has another document", recipe.name);
        assert!(page.contains(&format!("lariat new --recipe {}\n", recipe.name)));
        assert!(page.contains(&format!("](../../pictures/recipes/{}.webp)", recipe.name)));
        let (_, changes) = page.split_once("## Three things to change").expect("the section");
        for (line, _) in recipe.suggestions() {
            assert!(changes.contains(&format!("`{line}`")), "{}: {line}", recipe.name);
        }
        assert!(gallery.contains(&format!("]({}.md)", recipe.name)), "{}", recipe.name);
        assert!(gallery.contains(&format!("](../../pictures/recipes/{}.webp)", recipe.name)));
        assert!(gallery.contains(recipe.teaches), "{}", recipe.teaches);
    }
    assert_eq!(gallery.matches(".webp)").count(), RECIPES.len());
}
