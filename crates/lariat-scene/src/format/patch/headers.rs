//! Lists of `[[headers]]`: bodies added, removed, renamed and moved.
//!
//! Elements are identified by their names, so a moved body keeps its comments. As many as possible
//! stay in place (a longest increasing subsequence); the others are removed and inserted again with
//! their changes.

use std::collections::HashMap;

use super::{Patcher, section};
use crate::{
    place::Place,
    value::{Table, Value},
};

impl Patcher<'_> {
    pub(super) fn headers(&mut self, old: &[Value], new: &[Value], place: &Place) {
        let places: Vec<Place> = self.places.within(place).collect();
        let (Some(old), Some(new)) = (tables(old), tables(new)) else { return };
        if places.len() != old.len() {
            return;
        }
        let from = matched(&old, &new);
        let stays = longest_increasing(&from);
        for (index, place) in places.iter().enumerate() {
            if !from.contains(&Some(index)) {
                self.remove(place);
            }
        }
        // New and moved elements go after the previous element that stays.
        let mut after: Option<usize> = None;
        for (index, table) in new.iter().enumerate() {
            match from[index] {
                Some(was) if stays[index] => {
                    self.table(old[was], table, &places[was], &mut Vec::new());
                    after = Some(was);
                }
                was => {
                    let block = match was {
                        Some(was) => self.take_out(old[was], table, &places[was]),
                        None => {
                            let mut block = String::new();
                            let header = self.header_path(place);
                            section(&mut block, &format!("[[{header}]]"), table);
                            block
                        }
                    };
                    let at = match after {
                        Some(after) => self.end_of(&places[after]),
                        None => self.replacements.block_start(places[0].span.range().start),
                    };
                    self.replacements.insert_block(at, &block);
                }
            }
        }
    }

    /// Removes an element and returns its text with its changes.
    fn take_out(&mut self, old: &Table, new: &Table, place: &Place) -> String {
        let mark = self.replacements.mark();
        self.table(old, new, place, &mut Vec::new());
        let replacements = self.replacements.since(mark);
        let mut text = String::new();
        for block in self.blocks(place) {
            let inside = replacements
                .iter()
                .filter(|r| r.range.start >= block.start && r.range.end <= block.end)
                .cloned()
                .collect();
            text += &self.replacements.patched(block.clone(), inside);
            self.replacements.replace(block, String::new());
        }
        text
    }

    /// Blocks of an element: its own, and those of the headers below it.
    fn blocks(&self, place: &Place) -> Vec<std::ops::Range<usize>> {
        fn collect(patcher: &Patcher, place: &Place, blocks: &mut Vec<std::ops::Range<usize>>) {
            if place.form == crate::place::Form::Header {
                blocks.push(patcher.replacements.block(place, patcher.last_line(place)));
            }
            if place.form != crate::place::Form::Inline {
                for inside in patcher.places.within(place) {
                    collect(patcher, &inside, blocks);
                }
            }
        }
        let mut blocks = Vec::new();
        collect(self, place, &mut blocks);
        blocks.sort_by_key(|block| block.start);
        blocks
    }

    /// End of the last block of an element or a table.
    pub(super) fn end_of(&self, place: &Place) -> usize {
        self.blocks(place).last().map_or(0, |block| block.end)
    }
}

fn tables(list: &[Value]) -> Option<Vec<&Table>> {
    list.iter().map(Value::table).collect()
}

/// For each new element, the index of the old one it comes from.
fn matched(old: &[&Table], new: &[&Table]) -> Vec<Option<usize>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, table) in old.iter().enumerate().rev() {
        if let Some(name) = table.text("name") {
            by_name.entry(name).or_default().push(index);
        }
    }
    let mut taken = vec![false; old.len()];
    let mut from: Vec<Option<usize>> = new
        .iter()
        .map(|table| {
            let index = by_name.get_mut(table.text("name")?)?.pop()?;
            taken[index] = true;
            Some(index)
        })
        .collect();
    // Remaining elements: equal ones first, then those at the same index (renamed or without a name).
    for index in 0..new.len() {
        if from[index].is_none()
            && let Some(same) =
                (0..old.len().min(4096)).find(|was| !taken[*was] && *old[*was] == *new[index])
        {
            taken[same] = true;
            from[index] = Some(same);
        }
    }
    for index in 0..new.len().min(old.len()) {
        if from[index].is_none() && !taken[index] {
            taken[index] = true;
            from[index] = Some(index);
        }
    }
    from
}

/// Elements that can stay in place: a longest increasing subsequence of old indices.
fn longest_increasing(from: &[Option<usize>]) -> Vec<bool> {
    // Patience sorting: `tops[n]` ends the best run of length n + 1.
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; from.len()];
    for (index, was) in from.iter().enumerate() {
        let Some(was) = was else { continue };
        let pile = tops.partition_point(|top| from[*top].is_some_and(|other| other < *was));
        before[index] = pile.checked_sub(1).map(|pile| tops[pile]);
        if pile == tops.len() {
            tops.push(index);
        } else {
            tops[pile] = index;
        }
    }
    let mut stays = vec![false; from.len()];
    let mut at = tops.last().copied();
    while let Some(index) = at {
        stays[index] = true;
        at = before[index];
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_possible_stay() {
        let stays = |from: &[usize]| {
            longest_increasing(&from.iter().copied().map(Some).collect::<Vec<_>>())
        };
        assert_eq!(stays(&[0, 1, 2]), [true; 3]);
        assert_eq!(stays(&[2, 0, 1]), [false, true, true]);
        assert_eq!(stays(&[1, 2, 0]), [true, true, false]);
        assert_eq!(longest_increasing(&[None, Some(0), None]), [false, true, false]);
    }
}
