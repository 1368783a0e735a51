//! Files that cannot be read, and documents that come through a pipe.

use std::fs;

use crate::harness::{Folder, ROPE, SHORT};

/// Commands that read a document, and their other arguments.
const READERS: [(&str, &str); 3] = [("check", ""), ("eval", ""), ("export", "-o out.csv")];

#[test]
fn a_missing_file_is_reported_with_help() {
    let folder = Folder::with("barn.lariat", ROPE);
    folder.write("bom.lariat", ROPE);
    for (command, rest) in READERS {
        folder.run(&format!("{command} shed.lariat {rest}")).expect_failure(
            "there is no file `shed.lariat`; create one with `lariat new shed.lariat`",
        );
        // The extension is not compared.
        folder.run(&format!("{command} nope.lariat {rest}")).expect_failure(
            "there is no file `nope.lariat`; create one with `lariat new nope.lariat`",
        );
        folder
            .run(&format!("{command} bran.lariat {rest}"))
            .expect_failure("there is no file `bran.lariat`; did you mean `barn.lariat`?");
        folder.run(&format!("{command} barn.lariat/x.lariat {rest}")).expect_failure(
            "there is no file `barn.lariat/x.lariat`: part of its path is a file, not a folder",
        );
    }
    assert_eq!(folder.names(), ["barn.lariat", "bom.lariat"]);
}

#[test]
fn a_folder_is_no_document() {
    let folder = Folder::new();
    fs::create_dir(folder.path("shots")).unwrap();
    for (command, rest) in READERS {
        folder
            .run(&format!("{command} shots {rest}"))
            .expect_failure("`shots` is a folder; choose a file in it");
    }
    folder.write("shots/barn.lariat", ROPE);
    folder
        .run("check shots")
        .expect_failure("`shots` is a folder; choose a file in it, such as `shots/barn.lariat`");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_reported() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::with("barn.lariat", ROPE);
    let path = folder.path("barn.lariat");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // root may read everything
    }
    folder.run("check barn.lariat").expect_failure("cannot read `barn.lariat`: permission denied");
}

#[test]
fn a_name_cannot_change_the_terminal() {
    let ran = Folder::new().run_args(&["check", "a\u{1b}[31m.lariat"]).expect(2);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    // Characters that reverse the text after them.
    for c in ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{2028}'] {
        let text = ROPE.replace("rein", &format!("re{c}in"));
        assert_ne!(text, ROPE);
        let folder = Folder::with("rope.lariat", &text);
        let wrong = text.replace("length", "lengthh");
        folder.write("wrong.lariat", &wrong);
        for (line, code) in [
            ("eval rope.lariat", 0),
            ("check wrong.lariat", 1),
            ("eval rope.lariat --body zz", 2),
            ("plot rope.lariat --channel zz", 2),
            ("render rope.lariat -o a.png --look zz=steel", 2),
        ] {
            let ran = folder.run(line).expect(code);
            assert!(!format!("{}{}", ran.out, ran.err).contains(c), "{line}: {ran:?}");
        }
    }
}

#[test]
fn documents_can_come_through_a_pipe() {
    let folder = Folder::new();
    let ran = folder.run_with_input("check -", ROPE.as_bytes()).expect(0);
    assert_eq!(ran.out, "0 errors, 0 warnings in 1 body, 24 frames\n");
    let ran = folder.run_with_input("check -", SHORT.as_bytes()).expect(1);
    assert!(ran.out.contains("standard input:11:10"), "{}", ran.out);
    let ran = folder.run_with_input("eval -", ROPE.as_bytes()).expect(0);
    assert_eq!(ran.out.lines().count(), 6);
    folder.run_with_input("export - -o rope.usda", ROPE.as_bytes()).expect(0);
    assert_eq!(folder.names(), ["rope.usda"]);
}

#[test]
fn a_pipe_is_read_up_to_the_limit() {
    let text = ROPE.to_owned() + &"#".repeat(1 << 20);
    let ran = Folder::new().run_with_input("check - --limit file-bytes=1000000", text.as_bytes());
    let ran = ran.expect(1);
    assert!(ran.out.contains("error[L0101]: there are more bytes than the limit"), "{}", ran.out);
}
