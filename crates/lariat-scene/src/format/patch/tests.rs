//! Unchanged values keep their bytes, and changed documents read back.

use proptest::prelude::*;

use super::*;
use crate::{
    document::Thing,
    edit::Edit,
    format::read,
    path::Path,
    testing::{self, SAMPLE},
};

/// Returns the text after some edits, without the fallback of writing the whole document.
fn after_edits(original: &str, edits: &[Edit]) -> String {
    let mut document = read(original).unwrap().document;
    for edit in edits {
        document.apply(edit).unwrap();
    }
    let (root, places) = tree::build(original).unwrap();
    let text = patch_unchecked(&document, original, &root, &places);
    let again = tree::build(&text).map(|(root, _)| root);
    assert_eq!(again.as_ref(), Ok(&document.root), "written as\n{text}");
    assert_eq!(patch(&document, original), text);
    text
}

fn set(path: &str, value: impl Into<Value>) -> Edit {
    Edit::Set { path: path.parse().unwrap(), value: value.into() }
}

fn unset(path: &str) -> Edit {
    Edit::Unset { path: path.parse().unwrap() }
}

fn insert(list: &str, index: usize, value: impl Into<Value>) -> Edit {
    Edit::Insert { list: list.parse().unwrap(), index, value: value.into() }
}

fn remove(list: &str, index: usize) -> Edit {
    Edit::Remove { list: list.parse().unwrap(), index }
}

#[test]
fn a_document_that_did_not_change_keeps_every_byte() {
    let document = testing::sample();
    for text in [SAMPLE.to_owned(), SAMPLE.replace('\n', "\r\n"), format!("\u{feff}{SAMPLE}")] {
        assert_eq!(patch(&document, &text), text);
    }
}

#[test]
fn the_sign_of_zero_is_patched() {
    let edits = [set("a", -0.0), set("b[1]", 0.0)];
    let text = after_edits("lariat = 2\na = 0 # here\nb = [nan, -0.0]\n", &edits);
    assert_eq!(text, "lariat = 2\na = -0.0 # here\nb = [nan, 0]\n");
}

#[test]
fn a_changed_value_changes_only_its_own_bytes() {
    let read = read(SAMPLE).unwrap();
    for path in testing::places(&read.document) {
        if !matches!(read.document.get(&path), Some(Value::Number(_) | Value::Text(_))) {
            continue;
        }
        if path.to_string() == "lariat" {
            continue;
        }
        let mut document = read.document.clone();
        document.apply(&Edit::Set { path: path.clone(), value: 123.5.into() }).unwrap();
        let mut expected = SAMPLE.to_owned();
        expected.replace_range(read.places.value(&path).unwrap().range(), "123.5");
        assert_eq!(patch(&document, SAMPLE), expected, "{path}");
    }
}

#[test]
fn a_text_keeps_its_quotes() {
    let text = "lariat = 2\n[[body]]\nname = 'rein' # held\nmodel = \"tail\"\n";
    let after = |model: &str, name: &str| {
        let name = Edit::Rename { thing: Thing::Body, from: "rein".into(), to: name.into() };
        after_edits(text, &[set("body.rein.model", model), name])
    };
    let expected = text.replace("rein", "lead").replace("tail", "strap");
    assert_eq!(after("strap", "lead"), expected);
    assert_eq!(after("tail", "Ann's"), text.replace("'rein'", "\"Ann's\""));
}

const YARD: &str = r#"# a yard
lariat = 2

[shot]
fps = 24 # film

# the rein
[[body]]
name = "rein"   # held by the bit
length = 4.2
swing = { keys = [
  [1, 0],    # at rest
  # the gust comes
  [24, 35],
  [96, 0],   # over
] }
# sway = 3

# --- further off ---

# the lead
[[body]]
name = "lead"
waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
"#;

/// Returns the changed lines in the format of a diff.
fn diff(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = (0..rest).take_while(|i| old[old.len() - 1 - i] == new[new.len() - 1 - i]).count();
    let mut out = String::new();
    for line in &old[head..old.len() - tail] {
        out += &format!("-{line}\n");
    }
    for line in &new[head..new.len() - tail] {
        out += &format!("+{line}\n");
    }
    out
}

fn diff_of(edit: Edit) -> String {
    diff(YARD, &after_edits(YARD, &[edit]))
}

#[test]
fn keys_are_added_and_removed_on_separate_lines() {
    assert_eq!(diff_of(insert("body.rein.swing.keys", 1, [12, 5])), "+  [12, 5],\n");
    assert_eq!(diff_of(insert("body.rein.swing.keys", 3, [120, 5])), "+  [120, 5],\n");
    assert_eq!(diff_of(insert("body.rein.swing.keys", 0, [-5, 5])), "+  [-5, 5],\n");
    assert_eq!(diff_of(remove("body.rein.swing.keys", 0)), "-  [1, 0],    # at rest\n");
    assert_eq!(diff_of(remove("body.rein.swing.keys", 1)), "-  [24, 35],\n");
    assert_eq!(diff_of(remove("body.rein.swing.keys", 2)), "-  [96, 0],   # over\n");
    insta::assert_snapshot!(diff_of(set("body.rein.swing.keys[1][1]", 40)), @r"
    -  [24, 35],
    +  [24, 40],
    ");
}

#[test]
fn entries_are_added_and_removed_within_a_line() {
    insta::assert_snapshot!(diff_of(insert("body.lead.waves", 1, Table::new().with("height", 1))), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1 }, { height = 1 }, { height = 0.2, ripples = 3 }]
    ");
    insta::assert_snapshot!(diff_of(insert("body.lead.waves", 2, Table::new().with("height", 1))), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }, { height = 1 }]
    ");
    insta::assert_snapshot!(diff_of(remove("body.lead.waves", 1)), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1 }]
    ");
    insta::assert_snapshot!(diff_of(remove("body.lead.waves", 0)), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.2, ripples = 3 }]
    ");
    insta::assert_snapshot!(diff_of(set("body.lead.waves[0].travel", 0.5)), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1, travel = 0.5 }, { height = 0.2, ripples = 3 }]
    ");
    insta::assert_snapshot!(diff_of(unset("body.lead.waves[1].ripples")), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1 }, { height = 0.2 }]
    ");
    insta::assert_snapshot!(diff_of(unset("body.lead.waves[1].height")), @r"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    +waves = [{ height = 0.1 }, { ripples = 3 }]
    ");
}

#[test]
fn fields_are_added_and_removed_on_separate_lines() {
    assert_eq!(diff_of(set("body.rein.radius", 0.02)), "+radius = 0.02\n");
    assert_eq!(diff_of(unset("body.rein.length")), "-length = 4.2\n");
    assert_eq!(diff_of(set("shot.frames", [1, 48])), "+frames = [1, 48]\n");
    assert_eq!(diff_of(set("author", "me")), "+author = \"me\"\n");
}

#[test]
fn bodies_are_added_and_removed_with_their_comments() {
    let body = Table::new().with("name", "girth").with("model", "strap");
    insta::assert_snapshot!(diff_of(insert("body", 1, body.clone())), @r#"
    +[[body]]
    +name = "girth"
    +model = "strap"
    +
    "#);
    insta::assert_snapshot!(diff_of(insert("body", 2, body.clone())), @r#"
    +
    +[[body]]
    +name = "girth"
    +model = "strap"
    "#);
    insta::assert_snapshot!(diff_of(insert("body", 0, body)), @r#"
    +[[body]]
    +name = "girth"
    +model = "strap"
    +
    "#);
    insta::assert_snapshot!(diff_of(remove("body", 0)), @r##"
    -# the rein
    -[[body]]
    -name = "rein"   # held by the bit
    -length = 4.2
    -swing = { keys = [
    -  [1, 0],    # at rest
    -  # the gust comes
    -  [24, 35],
    -  [96, 0],   # over
    -] }
    -# sway = 3
    -
    "##);
    insta::assert_snapshot!(diff_of(remove("body", 1)), @r#"
    -# the lead
    -[[body]]
    -name = "lead"
    -waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    "#);
    let locator = Table::new().with("name", "bit");
    insta::assert_snapshot!(diff_of(insert("locator", 0, locator)), @r#"
    +
    +[[locator]]
    +name = "bit"
    "#);
}

#[test]
fn a_new_line_at_the_end_of_the_file_comes_before_a_new_header() {
    let text = "[a]\n[taper]";
    let edits = [set("a", vec![Table::new()]), set("taper.x", 1)];
    assert_eq!(after_edits(text, &edits), "[taper]\nx = 1\n\n\n[[a]]\n");
}

#[test]
fn a_moved_body_keeps_its_comments() {
    let moved = after_edits(
        YARD,
        &[Edit::Move { list: "body".parse().unwrap(), from: 1, to: 0 }, set("body.lead.length", 2)],
    );
    insta::assert_snapshot!(moved, @r##"
    # a yard
    lariat = 2

    [shot]
    fps = 24 # film

    # the lead
    [[body]]
    name = "lead"
    waves = [{ height = 0.1 }, { height = 0.2, ripples = 3 }]
    length = 2

    # the rein
    [[body]]
    name = "rein"   # held by the bit
    length = 4.2
    swing = { keys = [
      [1, 0],    # at rest
      # the gust comes
      [24, 35],
      [96, 0],   # over
    ] }
    # sway = 3

    # --- further off ---
    "##);
}

const PINNED: &str = r#"[[body]]
name = "lead"
model = "loose-rope"

[body.dynamics]
kind = "spline-rope" # it falls

# the knee
[[body.dynamics.pins]]
at = 0.5

# the boot
[[body.dynamics.pins]]
at = 1

# another
[[body]]
name = "rein"
"#;

#[test]
fn headers_below_a_body_are_added_and_removed_in_it() {
    let pinned = |edit: Edit| diff(PINNED, &after_edits(PINNED, &[edit]));
    let pin = Table::new().with("at", 0.7);
    for index in 0..3 {
        let diff = pinned(insert("body.lead.dynamics.pins", index, pin.clone()));
        assert_eq!(diff, "+[[body.dynamics.pins]]\n+at = 0.7\n+\n", "{index}");
    }
    assert_eq!(pinned(set("body.lead.dynamics.rate", 600)), "+rate = 600\n");
    insta::assert_snapshot!(pinned(remove("body.lead.dynamics.pins", 0)), @r"
    -# the knee
    -[[body.dynamics.pins]]
    -at = 0.5
    -
    ");
    insta::assert_snapshot!(pinned(unset("body.lead.dynamics")), @r#"
    -[body.dynamics]
    -kind = "spline-rope" # it falls
    -
    -# the knee
    -[[body.dynamics.pins]]
    -at = 0.5
    -
    -# the boot
    -[[body.dynamics.pins]]
    -at = 1
    -
    "#);
    // Tables that exist only in longer headers.
    let implied = PINNED.replace("[body.dynamics]\nkind = \"spline-rope\" # it falls\n\n", "");
    let set = set("body.lead.dynamics.kind", "spline-rope");
    insta::assert_snapshot!(diff(&implied, &after_edits(&implied, &[set])), @r#"
    +[body.dynamics]
    +kind = "spline-rope"
    +
    "#);
}

#[test]
fn a_renamed_body_stays_where_it_is() {
    let rename =
        Edit::Rename { thing: Thing::Body, from: "rein".to_owned(), to: "bridle".to_owned() };
    insta::assert_snapshot!(diff_of(rename), @r#"
    -name = "rein"   # held by the bit
    +name = "bridle"   # held by the bit
    "#);
}

#[test]
fn unusual_formatting_is_preserved() {
    for (before, edit, after) in [
        // Dotted names.
        (
            "shot.fps = 24 # film\n",
            set("shot.frames", [1, 9]),
            "shot.fps = 24 # film\nshot.frames = [1, 9]\n",
        ),
        ("shot.fps = 24\nshot.frames = [1, 9]\n", unset("shot.fps"), "shot.frames = [1, 9]\n"),
        // Headers that create their parents implicitly.
        ("[a.b]\nx = 1\n", set("a.y", 2), "[a.b]\nx = 1\n\n[a]\ny = 2\n"),
        ("[a.b]\nx = 1\n", set("a.b.y", 2), "[a.b]\nx = 1\ny = 2\n"),
        ("[a]\nz = 1\n[a.b]\nx = 1\n", unset("a.b"), "[a]\nz = 1\n"),
        // No line break at the end.
        ("[shot]\nfps = 24", set("shot.frames", [1, 9]), "[shot]\nfps = 24\nframes = [1, 9]\n"),
        ("[shot]", set("shot.fps", 24), "[shot]\nfps = 24\n"),
        // Windows line breaks.
        (
            "[shot]\r\nfps = 24\r\n",
            set("shot.frames", [1, 9]),
            "[shot]\r\nfps = 24\r\nframes = [1, 9]\r\n",
        ),
        // A whole list in one line.
        (
            "body = [{ name = 'a' }]\n",
            set("body.a.length", 2),
            "body = [{ name = 'a', length = 2 }]\n",
        ),
        // Quoted names.
        ("\"a b\" = 1\n", set("\"a b\"", 2), "\"a b\" = 2\n"),
        // A list that becomes empty, and one that was.
        ("a = [1] # one\n", remove("a", 0), "a = [] # one\n"),
        ("a = [] # none\n", insert("a", 0, 1), "a = [1] # none\n"),
        ("a = [1, 2,]\n", insert("a", 2, 3), "a = [1, 2, 3,]\n"),
        ("a = [\n  1,\n  2 # two\n]\n", insert("a", 2, 3), "a = [\n  1,\n  2, # two\n  3\n]\n"),
        ("a = [\n  1, # one\n  2 # two\n]\n", remove("a", 1), "a = [\n  1 # one # two\n]\n"),
        ("[[body]]\nname = 'a'\n", remove("body", 0), "body = []\n\n"),
    ] {
        assert_eq!(after_edits(before, std::slice::from_ref(&edit)), after, "{edit:?} on {before}");
    }
}

proptest! {
    #[test]
    fn any_change_reads_back_without_the_fallback(
        edits in prop::collection::vec(
            (0..9_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>(), testing::name(), testing::value()),
            1..6,
        )
    ) {
        let mut document = testing::sample();
        for (choice, pick, other, name, value) in edits {
            let edit = testing::edit_of(&document, choice, pick, other, name, value);
            let _ = document.apply(&edit);
        }
        let (root, places) = tree::build(SAMPLE).unwrap();
        let text = patch_unchecked(&document, SAMPLE, &root, &places);
        let again = tree::build(&text);
        prop_assert!(
            again.as_ref().is_ok_and(|(again, _)| *again == document.root),
            "{again:?}\nwritten as\n{text}"
        );
        // After undoing, only lines that the edit removed have lost their comments.
        let back = patch(&testing::sample(), &text);
        prop_assert_eq!(read(&back).unwrap().document, testing::sample());
    }

    #[test]
    fn one_document_over_another_reads_back(one in testing::document(), other in testing::document()) {
        let text = write(&one);
        let (root, places) = tree::build(&text).unwrap();
        prop_assert_eq!(&root, &one.root);
        let text = patch_unchecked(&other, &text, &root, &places);
        let again = tree::build(&text);
        prop_assert!(
            again.as_ref().is_ok_and(|(again, _)| *again == other.root),
            "{again:?}\nwritten as\n{text}"
        );
    }
}

#[test]
fn an_unreadable_original_is_replaced() {
    let document = testing::sample();
    assert_eq!(patch(&document, "this is = = no TOML"), write(&document));
    assert_eq!(Path::root().to_string(), "");
}
