//! Values of a document: numbers, text, switches, lists and tables.
//!
//! A [`Value`] is one node of the tree, and a [`Table`] maps names to values. `schema` defines the
//! meaning of names.
//!
//! Two tables are equal if they have equal fields, in any order. The order is still preserved, for
//! writing. Two numbers are equal if they are written in the same way: −0 differs from 0, and NaN is
//! equal to itself.

use std::{collections::HashMap, sync::Arc};

/// Maximum nesting depth of values in a document.
///
/// Real documents have about eight levels. The limit keeps recursion over a tree, its comparison and
/// its drop within the smallest stack (a browser's worker). Reading and editing both enforce it.
pub const MAX_DEPTH: usize = 64;

/// One node of a document.
#[derive(Clone, Debug)]
pub enum Value {
    /// A number; the file may spell it as an integer or as a float.
    Number(f64),
    /// Text: names, choices, colours like `#ff8800`.
    Text(Box<str>),
    /// `true` or `false`.
    Switch(bool),
    /// Values in order.
    List(Vec<Value>),
    /// Values by name.
    Table(Table),
}

impl Value {
    /// Describes the value for a message: "a number", "a list of 3", …
    pub fn describe(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {}", crate::format::number(*number)),
            Self::Text(text) if text.chars().count() > 40 => {
                format!("the text \"{}…\"", text.chars().take(40).collect::<String>())
            }
            Self::Text(text) => format!("the text {text:?}"),
            Self::Switch(switch) => format!("the switch `{switch}`"),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Table(table) if table.is_empty() => "an empty table".to_owned(),
            Self::Table(table) => {
                let names: Vec<&str> = table.iter().map(|(name, _)| name).take(4).collect();
                let more = if table.len() > names.len() { ", …" } else { "" };
                format!("a table {{ {}{more} }}", names.join(", "))
            }
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The switch, if it is one.
    pub fn switch(&self) -> Option<bool> {
        if let Self::Switch(switch) = self { Some(*switch) } else { None }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Value]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    /// Number of nesting levels, including this one.
    pub fn depth(&self) -> usize {
        // Uses an explicit stack, because this check decides whether recursion is safe.
        let mut deepest = 0;
        let mut waiting = vec![(self, 1)];
        while let Some((value, depth)) = waiting.pop() {
            deepest = deepest.max(depth);
            match value {
                Self::List(list) => waiting.extend(list.iter().map(|value| (value, depth + 1))),
                Self::Table(table) => {
                    waiting.extend(table.iter().map(|(_, value)| (value, depth + 1)));
                }
                _ => {}
            }
        }
        deepest
    }

    /// First number in the value that is not finite.
    pub fn first_not_finite(&self) -> Option<f64> {
        match self {
            Self::Number(number) if !number.is_finite() => Some(*number),
            Self::List(list) => list.iter().find_map(Self::first_not_finite),
            Self::Table(table) => table.iter().find_map(|(_, value)| value.first_not_finite()),
            _ => None,
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(f64::from(number))
    }
}

impl From<bool> for Value {
    fn from(switch: bool) -> Self {
        Self::Switch(switch)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Table> for Value {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(list: [T; N]) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl From<glam::DVec3> for Value {
    fn from(vector: glam::DVec3) -> Self {
        Self::from(vector.to_array())
    }
}

/// Map from names to values that preserves their order.
#[derive(Clone, Default)]
pub struct Table {
    /// `None` if empty. Boxed to keep values small.
    content: Option<Box<TableContent>>,
}

#[derive(Clone, Default)]
struct TableContent {
    entries: Vec<(Arc<str>, Value)>,
    /// Index of names of a large table, to avoid quadratic time.
    index: Option<Box<Index>>,
}

/// Positions of the names of a large table.
#[derive(Clone)]
struct Index(HashMap<Arc<str>, u32>);

/// Maximum number of names for a linear search, which is faster than hashing.
const SEARCHED: usize = 32;

impl Table {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    fn entries(&self) -> &[(Arc<str>, Value)] {
        self.content.as_ref().map_or(&[], |content| &content.entries)
    }

    fn entries_mut(&mut self) -> &mut [(Arc<str>, Value)] {
        self.content.as_mut().map_or(&mut [], |content| &mut content.entries)
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Returns true if it is empty.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + ExactSizeIterator {
        self.entries().iter().map(|(name, value)| (&**name, value))
    }

    /// Names and mutable values in order.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&str, &mut Value)> {
        self.entries_mut().iter_mut().map(|(name, value)| (&**name, value))
    }

    /// Position of a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        let content = self.content.as_ref()?;
        match &content.index {
            Some(index) => index.0.get(name).map(|position| *position as usize),
            None => content.entries.iter().position(|(own, _)| **own == *name),
        }
    }

    /// Name and value at a position.
    pub fn entry(&self, position: usize) -> Option<(&str, &Value)> {
        self.entries().get(position).map(|(name, value)| (&**name, value))
    }

    /// Value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.position(name).map(|position| &self.entries()[position].1)
    }

    /// Mutable value of a name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.position(name).map(|position| self.at_mut(position))
    }

    /// Text value of a name, such as the name of a body or the kind of a layer.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::text)
    }

    /// Sets the value of a name; a new name is added at the end. Returns the old value.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) -> Option<Value> {
        let (name, value) = (name.into(), value.into());
        match self.position(&name) {
            Some(position) => Some(std::mem::replace(self.at_mut(position), value)),
            None => {
                self.push_new(name, value);
                None
            }
        }
    }

    /// As [`Self::set`], for chaining: `Table::new().with("name", "rein")`.
    #[must_use]
    pub fn with(mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) -> Self {
        self.set(name, value);
        self
    }

    /// Removes a name; returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let position = self.position(name)?;
        let content = self.content.as_mut()?;
        let (_, value) = content.entries.remove(position);
        content.reindex();
        Some(value)
    }

    /// Appends a new name.
    pub(crate) fn push_new(&mut self, name: Arc<str>, value: Value) {
        let content = self.content.get_or_insert_default();
        if let Some(index) = &mut content.index {
            index.0.insert(name.clone(), content.entries.len() as u32);
        }
        if content.entries.is_empty() {
            // A vector has room for four otherwise, and tables with one name are common.
            content.entries.reserve_exact(1);
        }
        content.entries.push((name, value));
        if content.index.is_none() && content.entries.len() > SEARCHED {
            content.reindex();
        }
    }

    /// Inserts a new name at a position, or at the end if there are fewer.
    pub(crate) fn insert_new(&mut self, position: usize, name: Arc<str>, value: Value) {
        match &mut self.content {
            Some(content) if position < content.entries.len() => {
                content.entries.insert(position, (name, value));
                content.reindex();
            }
            _ => self.push_new(name, value),
        }
    }

    /// Gives a field another name, which must be new, in the same position; false if there is no
    /// such field.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(position) = self.position(from) else { return false };
        let Some(content) = &mut self.content else { return false };
        content.entries[position].0 = to.into();
        content.reindex();
        true
    }

    /// Returns unused memory.
    pub(crate) fn shrink(&mut self) {
        if let Some(content) = &mut self.content {
            content.entries.shrink_to_fit();
        }
    }

    /// Mutable value at a position.
    pub(crate) fn at_mut(&mut self, position: usize) -> &mut Value {
        &mut self.entries_mut()[position].1
    }
}

impl TableContent {
    fn reindex(&mut self) {
        self.index = (self.entries.len() > SEARCHED).then(|| {
            let positions = self.entries.iter().zip(0_u32..);
            let index = positions.map(|((name, _), position)| (name.clone(), position)).collect();
            Box::new(Index(index))
        });
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(x), Self::Number(y)) => {
                x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
            }
            (Self::Text(x), Self::Text(y)) => x == y,
            (Self::Switch(x), Self::Switch(y)) => x == y,
            (Self::List(x), Self::List(y)) => x == y,
            (Self::Table(x), Self::Table(y)) => x == y,
            _ => false,
        }
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.entries().iter().enumerate().all(|(position, (name, value))| {
                // Usually the names are in the same order.
                match other.entries().get(position) {
                    Some((same, theirs)) if same == name => value == theirs,
                    _ => other.get(name).is_some_and(|theirs| value == theirs),
                }
            })
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: Into<Arc<str>>, V: Into<Value>> FromIterator<(N, V)> for Table {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        let mut table = Self::new();
        for (name, value) in entries {
            table.set(name, value);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_24_bytes() {
        // A document can have millions of them.
        assert_eq!(size_of::<Value>(), 24);
    }

    #[test]
    fn numbers_are_equal_if_they_are_written_in_the_same_way() {
        assert_eq!(Value::from(f64::NAN), Value::from(-f64::NAN));
        assert_ne!(Value::from(0.0), Value::from(-0.0));
        assert_ne!(Value::from(1.0), Value::from(f64::NAN));
        assert_ne!(Value::from(1.0), Value::from(true));
        assert_eq!(Value::from([1.0, f64::NAN]), Value::from([1.0, f64::NAN]));
    }

    #[test]
    fn tables_are_equal_in_any_order() {
        let one = Table::new().with("length", 4.0).with("swing", 10.0);
        let other = Table::new().with("swing", 10.0).with("length", 4.0);
        assert_eq!(one, other);
        assert_ne!(one, other.clone().with("sway", 0.0));
        assert_ne!(one, Table::new().with("length", 4.0).with("sway", 10.0));
    }

    #[test]
    fn a_wide_table_finds_its_names_after_every_change() {
        let mut table: Table = (0..200).map(|i| (format!("n{i}"), Value::from(i))).collect();
        assert_eq!(table.get("n150"), Some(&Value::from(150)));
        assert_eq!(table.remove("n20"), Some(Value::from(20)));
        assert_eq!(table.get("n20"), None);
        assert_eq!(table.get("n150"), Some(&Value::from(150)));
        assert_eq!(table.set("n150", 1), Some(Value::from(150)));
        assert_eq!(table.get("n150"), Some(&Value::from(1)));
        for i in 0..180 {
            table.remove(&format!("n{i}"));
        }
        assert_eq!(table.len(), 20);
        assert_eq!(table.get("n199"), Some(&Value::from(199)));
    }

    #[test]
    fn depth_counts_levels() {
        assert_eq!(Value::from(1).depth(), 1);
        assert_eq!(Value::from([[1, 2], [3, 4]]).depth(), 3);
        assert_eq!(Value::from(Table::new().with("keys", [1, 2])).depth(), 3);
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_anywhere() {
        let value = Value::from(Table::new().with("keys", vec![Value::from([1.0, f64::INFINITY])]));
        assert_eq!(value.first_not_finite(), Some(f64::INFINITY));
        assert_eq!(Value::from([1.0, 2.0]).first_not_finite(), None);
    }
}
