//! Files and rooms stay small enough to know.
//!
//! A file holds one noun or one family of verbs. Past [`LONG`] lines it is worth asking whether
//! it still does; past [`TOO_LONG`] it does not. A room of `lariat-core` past [`LARGE_ROOM`]
//! lines is a crate that has not moved out yet.
//!
//! Tests: `a_long_file_is_a_remark_and_a_longer_one_a_failure`, `a_room_must_not_outgrow_the_house`.

use super::{
    rooms::{ROOMS, room_of},
    tree::Tree,
    violation::Violation,
};

/// Lines of a file that are worth a remark; the median is near 250.
const LONG: usize = 600;

/// Lines of a file that nobody keeps in mind.
const TOO_LONG: usize = 900;

/// Lines of a room of `lariat-core` after which it should become a crate.
const LARGE_ROOM: usize = 8000;

pub(crate) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in tree.rust() {
        let lines = file.text.lines().count();
        if lines > LONG {
            let violation = Violation::failure(
                &file.path,
                0,
                format!("{lines} lines (worth a look past {LONG}, too long past {TOO_LONG})"),
                "split it where a reader would look for the parts: by noun, or by family of verbs",
            );
            violations.push(if lines > TOO_LONG { violation } else { violation.into_remark() });
        }
    }
    for (room, lines) in rooms(tree) {
        if lines > LARGE_ROOM {
            violations.push(Violation::failure(
                format!("crates/lariat-core/src/{room}"),
                0,
                format!("the room has {lines} lines, more than {LARGE_ROOM}"),
                "let it, or a part of it, leave home as a crate of its own",
            ));
        }
    }
    violations
}

/// `rooms of lariat-core: num 412, curve 1301, …`.
pub(crate) fn rooms_in_one_line(tree: &Tree) -> String {
    let list: Vec<String> =
        rooms(tree).map(|(room, lines)| format!("{room} {lines} lines")).collect();
    format!("rooms of lariat-core: {}", list.join(", "))
}

/// Every room that has something in it, with its lines.
fn rooms(tree: &Tree) -> impl Iterator<Item = (&'static str, usize)> {
    ROOMS.iter().filter_map(|(room, _)| {
        let files = tree.rust().filter(|file| room_of(&file.path) == Some(room));
        let lines = files.map(|file| file.text.lines().count()).sum();
        (lines > 0).then_some((*room, lines))
    })
}

#[cfg(test)]
mod tests {
    use super::{super::violation::Weight, *};

    #[test]
    fn a_long_file_is_a_remark_and_a_longer_one_a_failure() {
        let of = |lines: usize| {
            let tree = Tree::of(&[("bench/src/a.rs", &"//! Line.\n".repeat(lines))]);
            check(&tree).first().map(|violation| violation.weight)
        };
        assert_eq!(of(LONG), None);
        assert_eq!(of(LONG + 1), Some(Weight::Remark));
        assert_eq!(of(TOO_LONG), Some(Weight::Remark));
        assert_eq!(of(TOO_LONG + 1), Some(Weight::Failure));
    }

    #[test]
    fn a_room_must_not_outgrow_the_house() {
        let text = "//! Line.\n".repeat(500);
        let paths: Vec<String> =
            (0..17).map(|i| format!("crates/lariat-core/src/model/part_{i}.rs")).collect();
        let files: Vec<(&str, &str)> =
            paths.iter().map(|path| (path.as_str(), text.as_str())).collect();
        assert_eq!(check(&Tree::of(&files[..16])), []);
        let tree = Tree::of(&files);
        let violations = check(&tree);
        assert_eq!(violations.len(), 1);
        assert!(violations[0].message.contains("8500 lines"), "{}", violations[0]);
        assert_eq!(rooms_in_one_line(&tree), "rooms of lariat-core: model 8500 lines");
    }
}
