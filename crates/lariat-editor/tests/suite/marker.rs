//! Markers of the shot.

use lariat_editor::{
    Editor, Options,
    tool::{add_marker, move_marker, name_marker, remove_marker},
};

#[test]
fn markers_are_set_named_moved_and_removed() {
    for text in ["lariat = 2\n", "lariat = 2\n\n[shot]\nfps = 25 # television\n"] {
        let mut editor = Editor::open(text, Options::default()).expect("a document");
        let hash = editor.document().motion_hash();
        for frame in [40, 12, 24] {
            let edit = add_marker(editor.document(), frame, "");
            let change = editor.apply("Set marker", &edit).expect("it can be set");
            // Nothing is posed or simulated again for a marker in a shot.
            assert!(!change.shot || editor.lowered().markers.len() == 1);
            assert_eq!(editor.document().motion_hash(), hash, "takes stay current");
        }
        let frames = |editor: &Editor| -> Vec<_> {
            editor.lowered().markers.iter().map(|one| (one.frame, one.index)).collect()
        };
        assert_eq!(frames(&editor), [(12, 0), (24, 1), (40, 2)], "written in order");
        editor.apply("Name marker", &name_marker(2, "snap")).expect("it can be named");
        editor.apply("Move marker", &move_marker(2, 20)).expect("it can be moved");
        assert_eq!(frames(&editor), [(12, 0), (20, 2), (24, 1)], "others keep their place");
        assert!(editor.text().contains("{ name = \"snap\", frame = 20 }"), "{}", editor.text());
        for _ in 0..2 {
            let edit = remove_marker(editor.document(), 0);
            editor.apply("Remove marker", &edit).expect("it can be removed");
        }
        assert_eq!(&*editor.lowered().markers[0].name, "snap");
        let edit = remove_marker(editor.document(), 0);
        editor.apply("Remove marker", &edit).expect("it can be removed");
        assert!(!editor.text().contains("markers"), "{}", editor.text());
        while editor.undo().is_some() {}
        assert_eq!(editor.text(), text);
    }
}
