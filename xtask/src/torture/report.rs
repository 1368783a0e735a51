//! Counts and failures of a run.
//!
//! Tests: `the_table_has_a_row_per_check`, `repeated_failures_are_counted`.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use super::job::files;

/// Folders of failures that are kept for inspection.
const KEPT: usize = 5;

/// Kinds of failures of a row that are printed; further ones are counted.
const PRINTED: usize = 6;

/// One row of the table.
#[derive(Debug, Default)]
struct Row {
    name: String,
    runs: usize,
    disturbed: usize,
    failures: usize,
    printed: usize,
    /// Reason why the check was left out.
    skipped: Option<String>,
}

/// Runs of which at least one is disturbed unless the check does nothing.
const MANY: usize = 20;

/// Counts of all checks.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<Row>,
    kept: usize,
    /// Failures by their text without numbers.
    kinds: BTreeMap<String, usize>,
}

impl Report {
    /// Begins a row.
    pub(super) fn begin(&mut self, name: &str) {
        println!("{name} …");
        self.rows.push(Row { name: name.to_owned(), ..Row::default() });
    }

    /// Counts a run, and whether the disturbance reached it.
    pub(super) fn count(&mut self, disturbed: bool) {
        if let Some(row) = self.rows.last_mut() {
            row.runs += 1;
            row.disturbed += usize::from(disturbed);
        }
    }

    /// Leaves the check out.
    pub(super) fn skip(&mut self, reason: &str) {
        println!("  skipped: {reason}");
        if let Some(row) = self.rows.last_mut() {
            row.skipped = Some(reason.to_owned());
        }
    }

    /// Adds a failure; the first folders are kept beside the folder of the run.
    pub(super) fn failure(&mut self, what: &str, text: &str, folder: &Path) {
        let Some(row) = self.rows.last_mut() else { return };
        row.failures += 1;
        let plain = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
        let kind = format!("{}: {}: {}", row.name, plain(what), plain(text));
        let seen = self.kinds.entry(kind).or_default();
        *seen += 1;
        if *seen > 1 || row.printed == PRINTED {
            return;
        }
        row.printed += 1;
        println!("  FAILED {what}: {text}");
        if self.kept < KEPT {
            self.kept += 1;
            let name = format!("failure-{}", self.kept);
            let target = folder.with_file_name(name);
            match keep(folder, &target) {
                Ok(()) => println!("    files: {}", target.display()),
                Err(error) => println!("    its files could not be kept: {error}"),
            }
        }
    }

    /// Number of failures, and of checks that disturbed none of many runs.
    pub(super) fn failures(&self) -> usize {
        let idle = |row: &&Row| row.runs >= MANY && row.disturbed == 0;
        let failures: usize = self.rows.iter().map(|row| row.failures).sum();
        failures + self.rows.iter().filter(idle).count()
    }

    /// One row per check.
    pub(super) fn table(&self) -> String {
        let mut text =
            format!("{:24} {:>6} {:>10} {:>9}\n", "check", "runs", "disturbed", "failures");
        for row in &self.rows {
            let skipped = row.skipped.as_ref().map(|reason| format!("  skipped: {reason}"));
            let _ = writeln!(
                text,
                "{:24} {:6} {:10} {:9}{}",
                row.name,
                row.runs,
                row.disturbed,
                row.failures,
                skipped.unwrap_or_default()
            );
        }
        text
    }
}

/// Copies the files of a folder.
fn keep(from: &Path, to: &Path) -> Result<(), String> {
    super::job::empty(to)?;
    for (path, bytes) in files(from)? {
        let path = to.join(path);
        let parent = path.parent().unwrap_or(to);
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        super::job::write(&path, &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nowhere() -> &'static Path {
        Path::new("no-such-folder/at-all")
    }

    #[test]
    fn the_table_has_a_row_per_check() {
        let mut report = Report::default();
        report.begin("kill export");
        report.count(true);
        report.count(false);
        report.failure("export", "`a` is partial", nowhere());
        report.begin("full disk");
        report.skip("no namespaces");
        let table = report.table();
        let rows: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["kill", "export", "2", "1", "1"], "{table}");
        assert!(table.contains("skipped: no namespaces"), "{table}");
        assert_eq!(report.failures(), 1);
    }

    #[test]
    fn repeated_failures_are_counted() {
        let mut report = Report::default();
        report.begin("kill export");
        for k in 0..4 {
            report.failure(&format!("killed after {k} ms"), "`a` is partial", nowhere());
        }
        assert_eq!((report.failures(), report.kinds.len()), (4, 1));
    }
}
