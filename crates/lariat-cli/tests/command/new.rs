//! `lariat new`: starter documents.

use lariat_scene::schema;

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
