//! Limits on the size of a document.
//!
//! They protect memory against typing errors (`samples = 10000000`) and untrusted files. Every limit
//! is far above the needs of a shot, is named in its diagnostic, and can be raised:
//! `lariat check --limit bodies=500000`.

/// Limits on the size of a document. Any values are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of a file in bytes. The hard maximum is 4 GiB − 1.
    pub file_bytes: u64,
    /// Memory of a document in bytes, as estimated before it is built.
    pub document_memory: u64,
    /// Bodies in a document; locators, colliders and cameras have the same limit.
    pub bodies: u64,
    /// Points of one body.
    pub samples_per_body: u64,
    /// Points of all bodies together.
    pub samples_in_all: u64,
    /// Points of one mesh from a file.
    pub points_per_mesh: u64,
    /// Size in bytes of one file that a document refers to.
    pub bytes_per_asset: u64,
    /// Keys of one parameter.
    pub keys_per_channel: u64,
    /// Entries in one list: waves, bends, pincers, layers, points of a profile.
    pub entries_per_list: u64,
    /// Heights of one height field.
    pub cells: u64,
    /// Frames of a shot.
    pub frames: u64,
    /// Memory in bytes for the recorded motion of all simulations; older records go to disk.
    pub take_memory: u64,
    /// Size in bytes of one recorded simulation.
    pub bytes_per_take: u64,
    /// Diagnostics that are listed; further ones are only counted.
    pub diagnostics: u64,
}

/// A limit with its name on the command line.
#[derive(Clone, Copy, Debug)]
pub struct LimitRow {
    /// Name: `bodies`, `samples-per-body`, …
    pub name: &'static str,
    /// Description.
    pub help: &'static str,
    get: fn(&Limits) -> u64,
    set: fn(&mut Limits, u64),
}

impl LimitRow {
    /// Value of this limit in `limits`.
    pub fn of(&self, limits: &Limits) -> u64 {
        (self.get)(limits)
    }
}

macro_rules! rows {
    ($($name:literal $field:ident $help:literal)*) => {
        &[$(LimitRow {
            name: $name,
            help: $help,
            get: |limits| limits.$field,
            set: |limits, value| limits.$field = value,
        }),*]
    };
}

impl Limits {
    /// Default limits.
    pub const DEFAULT: Self = Self {
        file_bytes: 64 * 1024 * 1024,
        document_memory: 640 * 1024 * 1024,
        bodies: 100_000,
        samples_per_body: 1_000_000,
        samples_in_all: 20_000_000,
        points_per_mesh: 4_000_000,
        bytes_per_asset: 512 * 1024 * 1024,
        keys_per_channel: 1_000_000,
        entries_per_list: 1_000,
        cells: 4_000_000,
        frames: 1_000_000,
        take_memory: 256 * 1024 * 1024,
        bytes_per_take: 16 * 1024 * 1024 * 1024,
        diagnostics: 1_000,
    };

    /// All limits by name.
    pub const ROWS: &'static [LimitRow] = rows! {
        "file-bytes" file_bytes "size of the file in bytes"
        "document-memory" document_memory "memory of the document in bytes, estimated before it is read"
        "bodies" bodies "bodies in a document; also locators, colliders, and cameras"
        "samples-per-body" samples_per_body "points of one body"
        "samples-in-all" samples_in_all "points of all bodies together"
        "points-per-mesh" points_per_mesh "points of one mesh from a file"
        "bytes-per-asset" bytes_per_asset "size in bytes of one file that a document refers to"
        "keys-per-channel" keys_per_channel "keys of one parameter"
        "entries-per-list" entries_per_list "entries in one list: waves, bends, pincers, layers, outline points"
        "cells" cells "heights of one height field"
        "frames" frames "frames of a shot"
        "take-memory" take_memory "memory in bytes for the recorded motion of all simulations; older records go to disk"
        "bytes-per-take" bytes_per_take "size in bytes of one recorded simulation"
        "diagnostics" diagnostics "diagnostics that are listed; further ones are only counted"
    };

    /// Sets a limit by name; returns `false` if the name is unknown.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        match Self::ROWS.iter().find(|row| row.name == name) {
            Some(row) => {
                (row.set)(self, value);
                true
            }
            None => false,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_by_name() {
        for (i, row) in Limits::ROWS.iter().enumerate() {
            let mut limits = Limits::DEFAULT;
            assert!(limits.set(row.name, 7));
            for (j, other) in Limits::ROWS.iter().enumerate() {
                let expected = if i == j { 7 } else { other.of(&Limits::DEFAULT) };
                assert_eq!(other.of(&limits), expected, "{} set, {} read", row.name, other.name);
            }
        }
        let mut limits = Limits::DEFAULT;
        assert!(!limits.set("ropes", 1));
        assert_eq!(limits, Limits::DEFAULT);
    }
}
