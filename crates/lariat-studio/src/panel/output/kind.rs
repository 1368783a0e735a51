//! Kinds of files that the dialogs offer, by the end of their names.
//!
//! Tests: `choosing_a_kind_changes_only_the_end_of_a_name`, `a_typed_name_chooses_its_kind`.

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileKind {
    /// Name in the list.
    pub(super) name: &'static str,
    /// End of the name of a file, after its stem.
    pub(super) ending: &'static str,
    /// Number of frames that it holds.
    pub(super) holds: Holds,
}

/// Frames that a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A range of frames.
    Range,
    /// One frame.
    One,
}

/// Pictures and movies; the first one is proposed.
pub(super) const RENDERS: [FileKind; 4] = [
    FileKind { name: "Movie (.mp4)", ending: ".mp4", holds: Holds::Range },
    FileKind { name: "Animated picture (.gif)", ending: ".gif", holds: Holds::Range },
    FileKind { name: "Numbered pictures (.png)", ending: ".####.png", holds: Holds::Range },
    FileKind { name: "One picture (.png)", ending: ".png", holds: Holds::One },
];

/// Files for other programs; the first one is proposed.
pub(super) const EXPORTS: [FileKind; 4] = [
    FileKind { name: "USD (.usda)", ending: ".usda", holds: Holds::Range },
    FileKind { name: "Table (.csv)", ending: ".csv", holds: Holds::Range },
    FileKind { name: "JSON (.json)", ending: ".json", holds: Holds::Range },
    FileKind { name: "Drawing (.svg)", ending: ".svg", holds: Holds::Range },
];

/// The kind of a file by its name; the longest ending decides.
pub(super) fn of(kinds: &[FileKind], place: &str) -> Option<FileKind> {
    let place = place.to_ascii_lowercase();
    let fits = |kind: &&FileKind| match kind.ending.strip_prefix(".####") {
        // Any number of digits, anywhere in the name.
        Some(ending) => place.ends_with(ending) && place.contains('#'),
        None => place.ends_with(kind.ending),
    };
    kinds.iter().filter(fits).max_by_key(|kind| kind.ending.len()).copied()
}

/// The name of a file with the ending of another kind.
pub(super) fn renamed(kinds: &[FileKind], place: &str, to: FileKind) -> String {
    let stem = of(kinds, place).and_then(|from| {
        let end = place.len().checked_sub(from.ending.len())?;
        place.get(..end).filter(|_| place[end..].eq_ignore_ascii_case(from.ending))
    });
    let stem = stem.unwrap_or_else(|| {
        let name = place.rfind(['/', '\\']).map_or(0, |at| at + 1);
        place.rfind('.').filter(|dot| *dot > name).map_or(place, |dot| &place[..dot])
    });
    format!("{stem}{}", to.ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choosing_a_kind_changes_only_the_end_of_a_name() {
        let [mp4, gif, numbered, one] = RENDERS;
        for kind in [mp4, gif, numbered, one] {
            for back in [mp4, gif, numbered, one] {
                let named = renamed(&RENDERS, "films/take.2.mp4", kind);
                assert_eq!(of(&RENDERS, &named), Some(kind));
                assert_eq!(renamed(&RENDERS, &named, back), format!("films/take.2{}", back.ending));
            }
        }
        assert_eq!(renamed(&RENDERS, "a.b/film", gif), "a.b/film.gif");
        assert_eq!(renamed(&RENDERS, "film.avi", mp4), "film.mp4");
    }

    #[test]
    fn a_typed_name_chooses_its_kind() {
        let name = |place: &str| of(&RENDERS, place).map(|kind| kind.ending);
        assert_eq!(name("film.MP4"), Some(".mp4"));
        assert_eq!(name("film.png"), Some(".png"));
        assert_eq!(name("film_##.png"), Some(".####.png"));
        assert_eq!(name("film.avi"), None);
        assert_eq!(of(&EXPORTS, "rope.usda").map(|kind| kind.name), Some("USD (.usda)"));
    }
}
