//! Rows of the dope sheet: things that can be folded, and their channels.
//!
//! Tests: `folded_things_keep_one_row`.

use std::collections::BTreeSet;

use lariat_editor::tool::KeyRef;

use crate::{
    panel::keys::{AnimatedChannel, Owner},
    workspace::Workspace,
};

/// A row of the sheet.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Row {
    /// A thing, with the range of its channels in the list.
    Thing { channels: std::ops::Range<usize>, is_folded: bool },
    /// A channel by its index in the list.
    Channel(usize),
}

impl Row {
    /// Indices of the channels whose keys it shows.
    pub(super) fn channels(&self) -> std::ops::Range<usize> {
        match self {
            Self::Thing { channels, .. } => channels.clone(),
            Self::Channel(index) => *index..*index + 1,
        }
    }

    /// Keys from one frame to another, both included.
    pub(super) fn keys_in(&self, all: &[AnimatedChannel], first: f64, last: f64) -> Vec<KeyRef> {
        let channels = all[self.channels()].iter();
        channels
            .flat_map(|channel| {
                let frames = &channel.frames[channel.keys_in(first, last)];
                frames.iter().map(|frame| KeyRef { channel: channel.path.clone(), frame: *frame })
            })
            .collect()
    }

    /// The frame with a key that is nearest to another frame, within a distance.
    pub(super) fn nearest(&self, all: &[AnimatedChannel], frame: f64, within: f64) -> Option<f64> {
        let channels = all[self.channels()].iter();
        channels
            .flat_map(|one| &one.frames[one.keys_in(frame - within, frame + within)])
            .copied()
            .min_by(|a, b| (a - frame).abs().total_cmp(&(b - frame).abs()))
    }
}

/// The rows of the channels that are shown, grouped by thing.
pub(super) fn rows(
    all: &[AnimatedChannel],
    workspace: &Workspace,
    folded: &BTreeSet<Owner>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    while let Some(first) = all.get(start) {
        let count = all[start..].iter().take_while(|one| one.owner == first.owner).count();
        if first.owner.is_shown(workspace) {
            let is_folded = folded.contains(&first.owner);
            rows.push(Row::Thing { channels: start..start + count, is_folded });
            if !is_folded {
                rows.extend((start..start + count).map(Row::Channel));
            }
        }
        start += count;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use lariat_editor::ChannelForm;
    use lariat_scene::{Path, Thing};

    fn channel(owner: &str, name: &str) -> AnimatedChannel {
        AnimatedChannel {
            path: Path::root().field("body").field(owner).field(name),
            label: String::new(),
            name: name.to_owned(),
            owner: Owner::Thing(Thing::Body, owner.to_owned()),
            form: ChannelForm::Keyed,
            frames: vec![1.0, 5.0],
        }
    }

    #[test]
    fn folded_things_keep_one_row() {
        let all = [channel("a", "x"), channel("a", "y"), channel("b", "x")];
        let mut workspace = Workspace::default();
        let mut folded = BTreeSet::new();
        assert_eq!(rows(&all, &workspace, &folded).len(), 5);
        folded.insert(all[0].owner.clone());
        let some = rows(&all, &workspace, &folded);
        assert_eq!(some.len(), 3);
        assert_eq!(some[0].keys_in(&all, 1.0, 4.0).len(), 2, "of both channels");
        assert_eq!(some[2].nearest(&all, 4.4, 1.0), Some(5.0));
        assert_eq!(some[2].nearest(&all, 3.0, 1.0), None);
        workspace.select(Thing::Body, "b", false);
        assert_eq!(rows(&all, &workspace, &folded).len(), 2);
    }
}
