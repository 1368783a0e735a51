//! `lariat new`: documents to start from.

use lariat_scene::schema;

use crate::harness::Folder;

#[test]
fn a_newcomer_has_a_swinging_rope_in_three_steps() {
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
fn every_model_has_a_start() {
    let folder = Folder::new();
    for model in schema::models() {
        let file = format!("{}.lariat", model.name);
        folder.run(&format!("new {file} --model {}", model.name)).expect(0);
        let ran = folder.run(&format!("check --strict {file}")).expect(0);
        assert!(ran.out.starts_with("0 errors, 0 warnings in"), "{}", ran.out);
    }
}

#[test]
fn a_file_that_is_there_is_not_overwritten() {
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
fn a_start_can_be_looked_at_first() {
    let folder = Folder::new();
    let ran = folder.run("new - --model hoop").expect(0);
    assert!(ran.out.contains("model = \"hoop\""), "{}", ran.out);
    assert_eq!((ran.err.as_str(), folder.names().len()), ("", 0));
}

#[test]
fn a_place_that_does_not_exist_is_told() {
    let folder = Folder::new();
    folder.run("new shots/rope.lariat").expect_failure(
        "cannot write `shots/rope.lariat`: there is no folder `shots`; create it, or choose another location",
    );
}

#[test]
fn quiet_says_nothing() {
    let ran = Folder::new().run("new rope.lariat --quiet").expect(0);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
}
