//! `lariat museum`: example scenes and recipes.

use lariat_museum::{RECIPES, SCENES, TOPICS, topics_of};

use crate::harness::Folder;

/// Names and titles of all recipes and scenes.
fn names_and_titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    let recipes = RECIPES.iter().map(|recipe| (recipe.name, recipe.title));
    recipes.chain(SCENES.iter().map(|scene| (scene.name, scene.title)))
}

#[test]
fn a_path_with_a_trailing_slash_creates_a_folder() {
    let folder = Folder::new();
    let museum_scene = &SCENES[0];
    folder.run(&format!("museum copy {} new/scenes/", museum_scene.name)).expect(0);
    assert_eq!(folder.read(&format!("new/scenes/{}.lariat", museum_scene.name)), museum_scene.text);
}

#[test]
fn every_scene_is_listed_with_its_topics() {
    let folder = Folder::new();
    let ran = folder.run("museum list").expect(0);
    assert_eq!(folder.run("museum").expect(0).out, ran.out);
    let rows: Vec<&str> = ran.out.lines().collect();
    let row = |name: &str| {
        let found = rows.iter().position(|row| row.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("{name} is not listed:\n{}", ran.out))
    };
    for (name, title) in names_and_titles() {
        let at = row(name);
        assert!(rows[at].contains(title), "{}", rows[at]);
        let shown = format!("{} {}", rows[at], rows[at + 1]);
        for topic in topics_of(name) {
            assert!(shown.contains(topic.name), "{name}: {shown}");
        }
    }
    assert!(rows.iter().all(|row| row.chars().count() <= 100), "{}", ran.out);
    assert!(rows[0].contains("new --recipe"), "recipes come first: {}", rows[0]);
    assert_eq!(row(RECIPES[0].name), 1);
    let long = folder.run("museum list --long").expect(0).out;
    let plain = long.split_whitespace().collect::<Vec<_>>().join(" ");
    for museum_scene in SCENES {
        let why = museum_scene.why.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(&why), "{}", museum_scene.name);
    }
}

#[test]
fn the_list_is_filtered_by_topic() {
    let folder = Folder::new();
    for topic in TOPICS {
        let ran = folder.run(&format!("museum list --topic {}", topic.name)).expect(0);
        for (name, _) in names_and_titles() {
            let listed = ran.out.lines().any(|row| row.starts_with(&format!("  {name} ")));
            assert_eq!(listed, topic.scenes.contains(&name), "{name}, {}", topic.name);
        }
    }
    let ran = folder.run("museum list --topic wave").expect(2);
    assert!(ran.err.contains("a similar value exists: 'waves'"), "{}", ran.err);
}

#[test]
fn the_list_is_printed_as_json() {
    let folder = Folder::new();
    let json = folder.run("museum list --json").expect(0).json();
    let [recipes, scenes] = ["recipes", "scenes"].map(|key| json[key].as_array().unwrap());
    assert_eq!((recipes.len(), scenes.len()), (RECIPES.len(), SCENES.len()));
    let topics = |name: &str| topics_of(name).map(|topic| topic.name).collect::<Vec<_>>();
    for (entry, recipe) in recipes.iter().zip(RECIPES) {
        assert_eq!(entry["name"], recipe.name);
        assert_eq!(entry["teaches"], recipe.teaches);
        assert_eq!(entry["loops"], recipe.loops);
        assert_eq!(entry["files"], serde_json::json!(recipe.files));
        assert_eq!(entry["topics"], serde_json::json!(topics(recipe.name)));
    }
    for (entry, museum_scene) in scenes.iter().zip(SCENES) {
        assert_eq!(entry["name"], museum_scene.name);
        assert_eq!(entry["figure"].as_str(), museum_scene.figure);
        assert_eq!(entry["why"], museum_scene.why);
        assert_eq!(entry["topics"], serde_json::json!(topics(museum_scene.name)));
    }
}

#[test]
fn a_recipe_is_read_and_opened_like_a_scene() {
    let folder = Folder::new();
    let ran = folder.run("check museum:ship-rigging-roll").expect(0);
    assert!(ran.out.contains("96 frames"), "{}", ran.out);
    folder.run("museum open ship-rigging-roll").expect(0);
    assert_eq!(folder.names(), ["boat.obj", "ship-rigging-roll.lariat"]);
    folder.run("check ship-rigging-roll.lariat").expect(0);
    folder.run("check museum:party-light").expect_failure(
        "there is no museum scene or recipe `party-light`; did you mean `party-lights`?",
    );
}

#[test]
fn a_file_beside_a_scene_is_not_replaced_unasked() {
    let folder = Folder::with("ball.obj", "mine");
    folder.run("museum open tuzel-curtain").expect_failure(
        "`ball.obj` already exists; choose another name, or replace it with --force",
    );
    assert_eq!(folder.names(), ["ball.obj"]);
    folder.run("museum open tuzel-curtain --force").expect(0);
    assert_ne!(folder.read("ball.obj"), "mine");
}

#[test]
fn a_scene_can_be_opened_and_worked_with() {
    let Some(museum_scene) = SCENES.first() else { return };
    let folder = Folder::new();
    let ran = folder.run(&format!("museum open {}", museum_scene.name)).expect(0);
    let file = format!("{}.lariat", museum_scene.name);
    assert_eq!(ran.out, format!("{file}\n"));
    assert_eq!(folder.read(&file), museum_scene.text);
    assert!(ran.err.contains(&format!("lariat render {file} -o {}.mp4", museum_scene.name)));
    assert!(ran.err.contains(&format!("lariat export {file} -o {}.usda", museum_scene.name)));
    folder.run(&format!("check {file}")).expect(0);
    let again = folder.run(&format!("museum open {}", museum_scene.name)).expect(2);
    assert!(again.err.contains("--force"), "{}", again.err);
}

#[test]
fn scenes_can_be_shown_and_copied() {
    let Some(museum_scene) = SCENES.first() else { return };
    let name = museum_scene.name;
    let folder = Folder::new();
    assert_eq!(folder.run(&format!("museum show {name}")).expect(0).out, museum_scene.text);
    folder.run(&format!("museum copy {name} mine.lariat")).expect(0);
    std::fs::create_dir(folder.path("shots")).unwrap();
    folder.run(&format!("museum copy {name}.lariat shots")).expect(0);
    assert_eq!(folder.run(&format!("museum copy {name} -")).expect(0).out, museum_scene.text);
    for file in ["mine.lariat".to_owned(), format!("shots/{name}.lariat")] {
        assert_eq!(folder.read(&file), museum_scene.text);
    }
    folder.write("mine.lariat", "changed");
    folder.run(&format!("museum copy {name} mine.lariat")).expect(2);
    assert_eq!(folder.read("mine.lariat"), "changed");
    folder.run(&format!("museum copy {name} mine.lariat --force")).expect(0);
    assert_eq!(folder.read("mine.lariat"), museum_scene.text);
}

#[test]
fn all_scenes_are_copied_or_none() {
    let Some(last) = SCENES.last() else { return };
    let folder = Folder::new();
    std::fs::create_dir(folder.path("there")).unwrap();
    folder.write(&format!("there/{}.lariat", last.name), "mine");
    folder.run("museum copy --all there").expect(2);
    assert_eq!(std::fs::read_dir(folder.path("there")).unwrap().count(), 1);
    folder.run("museum copy --all new/folder").expect(0);
    let copied = std::fs::read_dir(folder.path("new/folder")).unwrap().count();
    assert_eq!(copied, SCENES.len() + RECIPES.len() + lariat_museum::FILES.len());
    folder.run("museum copy --all there --force").expect(0);
    assert_eq!(folder.read(&format!("there/{}.lariat", last.name)), last.text);
}

#[test]
fn an_unknown_scene_is_an_error() {
    let folder = Folder::new();
    for line in ["museum show nothing-like-it", "museum open nothing-like-it"] {
        folder.run(line).expect_failure(
            "there is no museum scene or recipe `nothing-like-it`; `lariat museum` lists all of them",
        );
    }
    folder.run("museum copy").expect(2);
    folder.run("museum copy a --all b").expect(2);
}

#[test]
fn a_scene_is_read_by_name_like_a_file() {
    let folder = Folder::new();
    let name = "barzel-17-lights";
    let ran = folder.run(&format!("check museum:{name}")).expect(0);
    assert!(ran.out.contains("30 frames"), "{}", ran.out);
    folder.run(&format!("museum copy {name} copy.lariat")).expect(0);
    for file in [format!("museum:{name}"), format!("museum:{name}.lariat")] {
        let ours = folder.run(&format!("eval {file} --frames 7 --format csv")).expect(0);
        let theirs = folder.run("eval copy.lariat --frames 7 --format csv").expect(0);
        assert_eq!(ours.out, theirs.out);
    }
    folder.run(&format!("render museum:{name} -o a.png --size 32x18 --quality draft")).expect(0);
    assert_eq!(folder.names(), ["a.png", "copy.lariat"], "no copy is left behind");
    folder.run("check museum:barzel-17-light").expect_failure(
        "there is no museum scene or recipe `barzel-17-light`; did you mean `barzel-17-lights`?",
    );
    let limited = folder.run(&format!("check museum:{name} --limit file-bytes=10")).expect(1);
    assert!(limited.out.contains("limit of 10"), "{}{}", limited.out, limited.err);
}

#[cfg(unix)]
#[test]
fn a_file_named_like_a_scene_can_be_read() {
    let folder = Folder::new();
    folder.write("museum:mine", crate::harness::ROPE);
    folder.run("check ./museum:mine").expect(0);
    folder.run("check museum:mine").expect_failure(
        "there is no museum scene or recipe `mine`; `lariat museum` lists all of them",
    );
}
