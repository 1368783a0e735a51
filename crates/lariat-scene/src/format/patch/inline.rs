//! Lists and tables within a line (or several): keys, waves, anchors.

use super::{Patcher, broken, in_order, key};
use crate::{
    place::{Form, Place},
    value::{Table, Value},
};

impl Patcher<'_> {
    /// Patches a value after an `=` or in a list.
    pub(super) fn inline(&mut self, old: &Value, new: &Value, place: &Place) {
        let places: Vec<Place> = self.places.within(place).collect();
        match (old, new) {
            (Value::List(old), Value::List(new))
                if !old.is_empty() && !new.is_empty() && places.len() == old.len() =>
            {
                self.list(old, new, place, &places);
            }
            (Value::Table(old), Value::Table(new))
                if !old.is_empty()
                    && !new.is_empty()
                    && places.len() == old.len()
                    && places.iter().all(|place| place.form == Form::Inline)
                    && old.iter().any(|(name, _)| new.get(name).is_some()) =>
            {
                self.inline_table(old, new, place, &places);
            }
            _ => {
                let range = place.span.range();
                let text = self.in_single_quotes(new, &range);
                let text = text.unwrap_or_else(|| self.written(new, range.start));
                self.replacements.replace(range, text);
            }
        }
    }

    /// A text in the quotes of the one that it replaces, where those are single ones.
    fn in_single_quotes(&self, new: &Value, range: &std::ops::Range<usize>) -> Option<String> {
        let old = &self.replacements.text()[range.clone()];
        let is_single = old.starts_with('\'') && !old.starts_with("'''");
        // Within single quotes nothing is escaped.
        let needs_escapes = |c: char| c == '\'' || c.is_control();
        let text = new.text().filter(|text| is_single && !text.contains(needs_escapes))?;
        Some(format!("'{text}'"))
    }

    /// Writes a value at a position.
    fn written(&self, value: &Value, at: usize) -> String {
        let mut text = String::new();
        let column = at - self.replacements.line_start(at);
        broken(&mut text, value, self.replacements.indent(at).len(), column);
        text
    }

    fn list(&mut self, old: &[Value], new: &[Value], place: &Place, places: &[Place]) {
        let shorter = old.len().min(new.len());
        let head = (0..shorter).take_while(|i| old[*i] == new[*i]).count();
        let tail = (0..shorter - head)
            .take_while(|i| old[old.len() - 1 - i] == new[new.len() - 1 - i])
            .count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let both = (old_end - head).min(new_end - head);
        for i in head..head + both {
            if old[i] != new[i] {
                self.inline(&old[i], &new[i], &places[i]);
            }
        }
        let spans: Vec<(usize, usize)> =
            places.iter().map(|place| (place.span.range().start, place.span.range().end)).collect();
        let end = place.span.range().end;
        self.take_from_row(&spans, head + both, old_end, end);
        let fresh: Vec<String> =
            new[head + both..new_end].iter().map(|value| self.written(value, spans[0].0)).collect();
        self.put_in_row(&spans, head + both, &fresh, end);
    }

    fn inline_table(&mut self, old: &Table, new: &Table, place: &Place, places: &[Place]) {
        let spans: Vec<(usize, usize)> = places
            .iter()
            .map(|place| (place.name_span.range().start, place.span.range().end))
            .collect();
        let end = place.span.range().end;
        let mut gone = Vec::new();
        for (index, (name, was)) in old.iter().enumerate() {
            match new.get(name) {
                Some(is) if is == was => {}
                Some(is) => self.inline(was, is, &places[index]),
                None => gone.push(index),
            }
        }
        // Neighbours are removed together; at the end, with the comma before them.
        let mut index = 0;
        while index < gone.len() {
            let first = gone[index];
            while index + 1 < gone.len() && gone[index + 1] == gone[index] + 1 {
                index += 1;
            }
            self.take_from_row(&spans, first, gone[index] + 1, end);
            index += 1;
        }
        let entry = |(name, value): (&str, &Value)| {
            format!("{} = {}", key(name), crate::format::write_value(value))
        };
        // Restored entries return to their place between others; new entries come last.
        let mut between: Vec<String> = Vec::new();
        for (name, value) in new.iter() {
            match old.position(name) {
                Some(next) => {
                    self.put_in_row(&spans, next, &std::mem::take(&mut between), end);
                }
                None => between.push(entry((name, value))),
            }
        }
        let last_known = new.iter().rposition(|(name, _)| old.position(name).is_some());
        let fresh: Vec<String> = in_order(new)
            .into_iter()
            .filter(|(name, _)| new.position(name) > last_known)
            .map(entry)
            .collect();
        // After the last entry that stays, because those after it may be removed.
        let last = (0..old.len()).rev().find(|index| !gone.contains(index)).unwrap_or(0);
        if gone.last() == Some(&(old.len() - 1)) && !fresh.is_empty() {
            let at = spans[last].1;
            let text = row(&fresh, ", ", "");
            self.replacements.replace(at..at, text);
        } else {
            self.put_in_row(&spans, old.len(), &fresh, end);
        }
    }

    /// Removes some, but not all, entries between brackets.
    fn take_from_row(&mut self, spans: &[(usize, usize)], from: usize, to: usize, end: usize) {
        if from >= to {
            return;
        }
        let text = self.replacements.text();
        if to < spans.len() {
            // Up to the next entry, except comments on separate lines above it, which belong to it.
            let (start, next) = (spans[from].0, spans[to].0);
            let gap = spans[to - 1].1..next;
            let until = match text[gap.clone()].find('\n') {
                Some(newline) => {
                    let line = gap.start + newline + 1;
                    line + (text[line..next].len()
                        - text[line..next].trim_start_matches([' ', '\t']).len())
                }
                None => next,
            };
            self.replacements.replace(start..until, String::new());
            return;
        }
        // The last entries: with the white space before them, and the comma after or before them.
        let stay = spans[from - 1].1;
        let start = {
            let before = text[stay..spans[from].0].trim_end_matches([' ', '\t']);
            let before = before.strip_suffix('\n').unwrap_or(before);
            let before = before.strip_suffix('\r').unwrap_or(before);
            stay + before.len()
        };
        let last = spans[to - 1].1;
        match comma(text, last, end) {
            Some(comma) => {
                let line_end = self.replacements.line_end_before_break(comma);
                let rest = text[comma + 1..line_end.min(end)].trim_start();
                let until = if rest.starts_with('#') { line_end } else { comma + 1 };
                self.replacements.replace(start..until, String::new());
            }
            None => {
                if let Some(comma) = comma(text, stay, end).filter(|comma| *comma < start) {
                    self.replacements.replace(comma..comma + 1, String::new());
                    self.replacements.replace(start..last, String::new());
                } else {
                    self.replacements.replace(stay..last, String::new());
                }
            }
        }
    }

    /// Inserts entries between brackets, before the entry `index` or at the end.
    fn put_in_row(&mut self, spans: &[(usize, usize)], index: usize, fresh: &[String], end: usize) {
        if fresh.is_empty() {
            return;
        }
        let text = self.replacements.text();
        if let Some((next, _)) = spans.get(index).copied() {
            let between = if self.replacements.is_first_on_line(next) {
                format!(",\n{}", self.replacements.indent(next))
            } else {
                ", ".to_owned()
            };
            let all = row(fresh, "", &between);
            self.replacements.replace(next..next, all);
            return;
        }
        let Some((start, last)) = spans.last().copied() else { return };
        if !self.replacements.is_first_on_line(start) {
            let all = row(fresh, ", ", "");
            self.replacements.replace(last..last, all);
            return;
        }
        // One line per entry, after the comment of the last one.
        let indent = self.replacements.indent(start);
        let comma = comma(text, last, end);
        let line_end = self.replacements.line_end_before_break(comma.unwrap_or(last));
        if line_end >= end {
            // The bracket closes on the same line.
            let all = row(fresh, &format!(",\n{indent}"), "");
            self.replacements.replace(last..last, all);
            return;
        }
        if comma.is_none() {
            self.replacements.replace(last..last, ",".to_owned());
        }
        let mut all = row(fresh, &format!("\n{indent}"), ",");
        if comma.is_none() {
            all.pop();
        }
        self.replacements.replace(line_end..line_end, all);
    }
}

/// Joins entries, each with a prefix and a suffix.
fn row(entries: &[String], before: &str, after: &str) -> String {
    entries.iter().flat_map(|entry| [before, entry, after]).collect()
}

/// Position of the comma after an entry, if there is one before the bracket; skips comments.
fn comma(text: &str, from: usize, end: usize) -> Option<usize> {
    let mut at = from;
    let bytes = text.as_bytes();
    while at < end {
        match bytes[at] {
            b',' => return Some(at),
            b'#' => at += text[at..end].find('\n')?,
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            _ => return None,
        }
    }
    None
}
