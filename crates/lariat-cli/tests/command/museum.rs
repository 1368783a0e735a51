//! `lariat museum`: example scenes.

use lariat_museum::SCENES;

use crate::harness::Folder;

#[test]
fn a_path_with_a_trailing_slash_creates_a_folder() {
    let folder = Folder::new();
    let museum_scene = &SCENES[0];
    folder.run(&format!("museum copy {} new/scenes/", museum_scene.name)).expect(0);
    assert_eq!(folder.read(&format!("new/scenes/{}.lariat", museum_scene.name)), museum_scene.text);
}

#[test]
fn every_scene_is_listed_with_its_reason() {
    let folder = Folder::new();
    let ran = folder.run("museum list").expect(0);
    let plain = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for museum_scene in SCENES {
        assert!(
            ran.out.contains(&format!("{}: {}", museum_scene.name, museum_scene.title)),
            "{}",
            ran.out
        );
        let why = museum_scene.why.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains(&why), "{}", museum_scene.name);
    }
    let json = folder.run("museum list --json").expect(0).json();
    let list = json["scenes"].as_array().unwrap();
    assert_eq!(list.len(), SCENES.len());
    for (entry, museum_scene) in list.iter().zip(SCENES) {
        assert_eq!(entry["name"], museum_scene.name);
        assert_eq!(entry["figure"].as_str(), museum_scene.figure);
        assert_eq!(entry["why"], museum_scene.why);
    }
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
    assert_eq!(copied, SCENES.len() + lariat_museum::FILES.len());
    folder.run("museum copy --all there --force").expect(0);
    assert_eq!(folder.read(&format!("there/{}.lariat", last.name)), last.text);
}

#[test]
fn an_unknown_scene_is_an_error() {
    let folder = Folder::new();
    for line in ["museum show nothing-like-it", "museum open nothing-like-it"] {
        folder.run(line).expect_failure(
            "there is no museum scene `nothing-like-it`; `lariat museum list` lists all scenes",
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
        "there is no museum scene `barzel-17-light`; did you mean `barzel-17-lights`?",
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
    folder
        .run("check museum:mine")
        .expect_failure("there is no museum scene `mine`; `lariat museum list` lists all scenes");
}
