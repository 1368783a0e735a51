//! Temporary files of a process that ends at once. Alone in its process, because all files that it
//! writes are affected.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot continue has failed")]

use std::fs::{self, File};

use lariat_export::file::{IfExists, save};
use lariat_export::temporary::{discard_open, is_temporary};

#[test]
fn files_open_for_writing_are_discarded() {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let written = save(&ours.path().join("rope.csv"), IfExists::Fail, |_| {
        let [draft] = fs::read_dir(ours.path())?.collect::<Vec<_>>().try_into().unwrap();
        let name = draft?.file_name();
        assert!(is_temporary(name.to_str().unwrap()));
        // A file of another program, which this one has just looked at.
        fs::write(theirs.path().join(&name), "theirs")?;
        let _looked_at = File::open(theirs.path().join(&name))?;
        discard_open();
        assert!(!ours.path().join(&name).exists());
        assert!(theirs.path().join(&name).exists());
        Ok(())
    });
    assert!(written.is_err());
    assert_eq!(fs::read_dir(ours.path()).unwrap().count(), 0);
}
