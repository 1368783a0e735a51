//! `lariat new`: starter documents and recipes.

use lariat_museum::RECIPES;
use lariat_scene::schema;
use serde_json::Value;

use crate::harness::Folder;

#[test]
fn a_new_document_can_be_checked_and_exported() {
    let folder = Folder::new();
    let ran = folder.run("new rope.lariat").expect(0);
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("lariat check rope.lariat"), "{}", ran.err);
    let text = folder.read("rope.lariat");
    assert!(text.contains("model = \"suspended-rope\"") && text.contains("swing = { keys ="));
    let ran = folder.run("check rope.lariat --strict").expect(0);
    assert_eq!(ran.out, "0 errors, 0 warnings in 1 body, 96 frames\n");
    folder.run("export rope.lariat -o rope.usda").expect(0);
    assert_eq!(folder.names(), ["rope.lariat", "rope.usda"]);
}

#[test]
fn every_model_has_a_starter() {
    let folder = Folder::new();
    for model in schema::models() {
        let file = format!("{}.lariat", model.name);
        folder.run(&format!("new {file} --model {}", model.name)).expect(0);
        let ran = folder.run(&format!("check --strict {file}")).expect(0);
        assert!(ran.out.starts_with("0 errors, 0 warnings in"), "{}", ran.out);
    }
}

#[test]
fn an_existing_file_is_not_overwritten() {
    let folder = Folder::with("rope.lariat", "mine");
    folder.run("new rope.lariat").expect_failure(
        "`rope.lariat` already exists; choose another name, or replace it with --force",
    );
    assert_eq!(folder.read("rope.lariat"), "mine");
    folder.run("new rope.lariat --force").expect(0);
    assert!(folder.read("rope.lariat").contains("[[body]]"));
    assert_eq!(folder.names(), ["rope.lariat"]);
}

#[test]
fn a_starter_can_be_printed() {
    let folder = Folder::new();
    let ran = folder.run("new - --model hoop").expect(0);
    assert!(ran.out.contains("model = \"hoop\""), "{}", ran.out);
    assert_eq!((ran.err.as_str(), folder.names().len()), ("", 0));
}

#[test]
fn a_missing_folder_is_an_error() {
    let folder = Folder::new();
    folder.run("new shots/rope.lariat").expect_failure(
        "cannot write `shots/rope.lariat`: there is no folder `shots`; create it, or choose another location",
    );
}

#[test]
fn quiet_prints_nothing() {
    let ran = Folder::new().run("new rope.lariat --quiet").expect(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
}

#[test]
fn every_recipe_is_written_with_its_files_and_is_clean() {
    for recipe in RECIPES {
        let folder = Folder::new();
        let ran = folder.run(&format!("new --recipe {}", recipe.name)).expect(0);
        let file = format!("{}.lariat", recipe.name);
        assert_eq!((ran.out.as_str(), folder.read(&file)), ("", recipe.text.to_owned()));
        let step = format!("\n  lariat render {file} -o {}.mp4\n", recipe.name);
        assert!(ran.err.contains(&step), "{}", ran.err);
        let mut files: Vec<&str> = recipe.files.iter().copied().chain([file.as_str()]).collect();
        files.sort_unstable();
        assert_eq!(folder.names(), files);
        let ran = folder.run(&format!("check --strict {file}")).expect(0);
        assert!(ran.out.contains("0 errors, 0 warnings"), "{}", ran.out);
    }
}

#[test]
fn a_recipe_replaces_nothing_unasked() {
    let folder = Folder::with("penguin.obj", "mine");
    folder.run("new --recipe jiggling-belly").expect_failure(
        "`penguin.obj` already exists; choose another name, or replace it with --force",
    );
    assert_eq!(
        (folder.names(), folder.read("penguin.obj")),
        (vec!["penguin.obj".into()], "mine".into())
    );
    folder.run("new --recipe jiggling-belly --force").expect(0);
    assert_eq!(folder.names(), ["jiggling-belly.lariat", "penguin-front.obj", "penguin.obj"]);
    // The files are the same already, so another name is enough.
    folder.run("new --recipe jiggling-belly").expect(2);
    folder.run("new second.lariat --recipe jiggling-belly").expect(0);
    assert_eq!(folder.read("second.lariat"), folder.read("jiggling-belly.lariat"));
}

#[test]
fn recipes_are_listed_and_suggested() {
    let folder = Folder::new();
    let list = folder.run("new --list").expect(0).out;
    assert_eq!(folder.run("new --recipe").expect(0).out, list);
    let help = folder.run("new --help").expect(0).out;
    let none = folder.run("new").expect(2);
    assert!(none.err.starts_with("error: no file and no recipe given"), "{}", none.err);
    for recipe in RECIPES {
        for text in [&list, &help, &none.err] {
            assert!(text.contains(recipe.name) && text.contains(recipe.title), "{text}");
        }
    }
    for model in schema::models() {
        assert!(list.contains(model.name) && none.err.contains(model.name), "{}", model.name);
    }
    let ran = folder.run("new --recipe party-light").expect(2);
    assert!(ran.err.contains("a similar value exists: 'party-lights'"), "{}", ran.err);
    folder.run("new a.lariat --recipe").expect(2);
    folder.run("new --recipe lasso --recipe jump-rope").expect(2);
    folder.run("new a.lariat --recipe lasso --model tail").expect(2);
    assert!(folder.names().is_empty());
    let ran = folder.run("new - --recipe lasso").expect(0);
    assert_eq!(ran.out, lariat_museum::recipe("lasso").unwrap().text);
    assert!(folder.run("completions bash").expect(0).out.contains("party-lights"));
}

#[test]
fn next_steps_name_the_command_that_was_used() {
    let folder = Folder::new();
    let mut command = folder.command(["new", "--recipe", "lasso"]);
    let output = command.env("CARGO_MANIFEST_DIR", "somewhere").output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("\n  cargo lariat render lasso.lariat -o lasso.mp4\n"), "{err}");
}

/// Largest difference of the numbers of two JSON values of the same structure.
fn numbers_apart(a: &Value, b: &Value) -> f64 {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs(),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).map(|(a, b)| numbers_apart(a, b)).fold(0.0, f64::max)
        }
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().map(|(key, a)| numbers_apart(a, &b[key])).fold(0.0, f64::max)
        }
        _ if a == b => 0.0,
        _ => f64::INFINITY,
    }
}

#[test]
fn the_recording_of_the_recipe_has_its_modes() {
    let folder = Folder::new();
    folder.run("new --recipe learned-motion").expect(0);
    let text = folder.read("learned-motion.lariat");
    let line = text.lines().find_map(|line| line.strip_prefix("#   lariat ")).expect("the command");
    let kept: Value = serde_json::from_str(&folder.read("reed.modes")).unwrap();
    let ran = folder.run(&format!("{line} --force")).expect(0);
    assert!(ran.out.contains("99.1 %"), "{}", ran.out);
    let made: Value = serde_json::from_str(&folder.read("reed.modes")).unwrap();
    let apart = numbers_apart(&made, &kept);
    assert!(apart < 1e-9, "{apart}");
}
