//! Writing a document as changes to an existing file.
//!
//! Comments, the order of lines and the alignment of an existing file are preserved. The file is read
//! again, both trees are compared, and every difference becomes a replacement of bytes.
//!
//! ```text
//! mod.rs           tables with headers, and the lines under them
//! headers.rs       lists of [[headers]]: bodies added, removed, moved
//! inline.rs        lists and tables within a line
//! replacements.rs  replacements, and the text they apply to
//! ```
//!
//! A removed line takes the comment at its end with it. Comments on their own lines stay, except
//! those directly above a header, which are removed and moved with it. New values are written as in
//! `write`.
//!
//! Finally the result is read again. If it is not the given document (no such case is known), the
//! whole document is written without the comments.

mod headers;
mod inline;
mod replacements;

use self::replacements::Replacements;
use super::{
    migrate::{VERSION, upgrade},
    tree,
    write::{broken, field, has_header, in_order, key, section, write},
};
use crate::{
    document::Document,
    place::{Form, Place, Places},
    value::{Table, Value},
};

/// Returns the text of a document as changes to the text of an earlier state.
///
/// Unchanged values keep their bytes. If `original` cannot be read, the whole document is written.
/// An original of an older format version is upgraded first.
pub fn patch(document: &Document, original: &str) -> String {
    let is_current =
        document.root.get("lariat").is_none_or(|own| *own == Value::from(f64::from(VERSION)));
    if let Some(upgraded) = upgrade(original).filter(|_| is_current) {
        return patch_current(document, &upgraded);
    }
    patch_current(document, original)
}

fn patch_current(document: &Document, original: &str) -> String {
    let Ok((root, places)) = tree::build(original) else { return write(document) };
    if root == document.root {
        return original.to_owned();
    }
    let text = patch_unchecked(document, original, &root, &places);
    match tree::build(&text) {
        Ok((written, _)) if written == document.root && !text.trim().is_empty() => text,
        _ => write(document),
    }
}

/// Patches the text without checking the result.
fn patch_unchecked(document: &Document, original: &str, root: &Table, places: &Places) -> String {
    let mut patcher = Patcher { places, replacements: Replacements::new(original, places) };
    patcher.table(root, &document.root, &places.root, &mut Vec::new());
    patcher.replacements.apply()
}

struct Patcher<'t> {
    places: &'t Places,
    replacements: Replacements<'t>,
}

impl Patcher<'_> {
    /// Patches a table with a header, the top of the file, or a dotted table; `dotted` are the names
    /// between its header and it.
    fn table(&mut self, old: &Table, new: &Table, place: &Place, dotted: &mut Vec<String>) {
        for (position, (name, was)) in old.iter().enumerate() {
            let Some(inside) = self.places.field(place, name, position) else { continue };
            match new.get(name) {
                Some(is) if is == was => {}
                Some(is) => self.field(name, was, is, &inside, place, dotted),
                None => self.remove(&inside),
            }
        }
        let mut fresh = Table::new();
        // A restored field returns to its place between the lines of others; new fields come last.
        let last_known = new.iter().rposition(|(name, _)| old.position(name).is_some());
        let mut above = None;
        for (position, (name, value)) in new.iter().enumerate() {
            if let Some(known) = old.position(name) {
                above = self.places.field(place, name, known);
            } else if last_known.is_none_or(|last| position > last)
                || !self.add_between(name, value, place, above)
            {
                fresh.set(name, value.clone());
            }
        }
        // In the order `write` has them; at the top, lines before headers.
        let (headers, lines): (Vec<_>, Vec<_>) = in_order(&fresh)
            .into_iter()
            .partition(|(_, value)| self.is_top(place) && has_header(value));
        for (name, value) in lines.into_iter().chain(headers) {
            self.add(name, value, place, dotted);
        }
    }

    fn is_top(&self, place: &Place) -> bool {
        *place == self.places.root
    }

    /// Patches a field that exists in both states and has changed.
    fn field(
        &mut self,
        name: &str,
        was: &Value,
        is: &Value,
        inside: &Place,
        place: &Place,
        dotted: &mut Vec<String>,
    ) {
        match (inside.form, was, is) {
            (Form::Inline, _, _) => self.inline(was, is, inside),
            (Form::Header | Form::Implied, Value::Table(was), Value::Table(is)) => {
                self.table(was, is, inside, &mut Vec::new());
            }
            (Form::Dotted, Value::Table(was), Value::Table(is)) if !is.is_empty() => {
                dotted.push(key(name));
                self.table(was, is, inside, dotted);
                dotted.pop();
            }
            (Form::Headers, Value::List(was), Value::List(is))
                if is.iter().all(|value| value.table().is_some()) && !is.is_empty() =>
            {
                self.headers(was, is, inside);
            }
            _ => {
                self.remove(inside);
                self.add(name, is, place, dotted);
            }
        }
    }

    /// Removes a field with its content.
    fn remove(&mut self, place: &Place) {
        match place.form {
            Form::Inline => self.replacements.remove_line(place),
            Form::Header | Form::Implied | Form::Dotted | Form::Headers => {
                if place.form == Form::Header {
                    let block = self.replacements.block(place, self.last_line(place));
                    self.replacements.replace(block, String::new());
                }
                for inside in self.places.within(place) {
                    // Lines under a header go with it.
                    if place.form != Form::Header || inside.form != Form::Inline {
                        self.remove_below(&inside, place.form == Form::Header);
                    }
                }
            }
        }
    }

    /// As [`Self::remove`], for a value in a table whose own lines may already be removed.
    fn remove_below(&mut self, place: &Place, lines_gone: bool) {
        match place.form {
            Form::Inline if lines_gone => {}
            Form::Dotted => {
                for inside in self.places.within(place) {
                    self.remove_below(&inside, lines_gone);
                }
            }
            _ => self.remove(place),
        }
    }

    /// Adds a field to a table.
    fn add(&mut self, name: &str, value: &Value, place: &Place, dotted: &[String]) {
        let top = self.is_top(place);
        if top && has_header(value) {
            let mut text = String::new();
            match value {
                Value::Table(table) => section(&mut text, &format!("[{}]", key(name)), table),
                Value::List(list) => {
                    for table in list.iter().filter_map(Value::table) {
                        section(&mut text, &format!("[[{}]]", key(name)), table);
                    }
                }
                _ => {}
            }
            self.replacements.append_block(&text);
            return;
        }
        let mut line = String::new();
        if dotted.is_empty() {
            field(&mut line, name, value);
        } else {
            line = format!("{}.{} = ", dotted.join("."), key(name));
            let column = line.len();
            broken(&mut line, value, 0, column);
            line.push('\n');
        }
        if place.form == Form::Implied {
            // It has no lines yet. They go after its longer headers; at the end of the file they
            // could belong to another body.
            let header = self.header_path(place);
            self.replacements.insert_block(self.end_of(place), &format!("[{header}]\n{line}"));
        } else {
            let last = self.last_line(place);
            self.replacements.add_line(&line, last, (!top).then_some(place));
        }
    }

    /// Adds a line to a table after the line of another field, or as its first line; returns false if
    /// that is not possible.
    fn add_between(
        &mut self,
        name: &str,
        value: &Value,
        place: &Place,
        above: Option<Place>,
    ) -> bool {
        let top = self.is_top(place);
        if !(top || place.form == Form::Header) || (top && has_header(value)) {
            return false;
        }
        let at = match above {
            Some(above) if above.form == Form::Inline => above.span,
            None if !top => place.span,
            _ => return false,
        };
        let mut line = String::new();
        field(&mut line, name, value);
        self.replacements.add_line(&line, Some(at.range().end), None);
        true
    }

    /// End of the last line of a table itself, if it has any.
    fn last_line(&self, place: &Place) -> Option<usize> {
        self.places
            .within(place)
            .filter_map(|inside| match inside.form {
                Form::Inline => Some(inside.span.range().end),
                Form::Dotted => self.last_line(&inside),
                _ => None,
            })
            .max()
    }

    /// Full name of a table or a list in its headers.
    fn header_path(&self, place: &Place) -> String {
        fn find(places: &Places, here: &Place, wanted: &Place, path: &mut Vec<String>) -> bool {
            if here == wanted {
                return true;
            }
            places.within(here).any(|inside| {
                let named = places.names.get(inside.name as usize);
                if let Some(name) = named {
                    path.push(key(name));
                }
                let found = find(places, &inside, wanted, path);
                if !found && named.is_some() {
                    path.pop();
                }
                found
            })
        }
        let mut path = Vec::new();
        find(self.places, &self.places.root, place, &mut path);
        path.join(".")
    }
}

#[cfg(test)]
mod tests;
