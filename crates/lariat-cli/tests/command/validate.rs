//! `lariat validate`: the table of checks.

use crate::harness::Folder;

#[test]
fn the_table_can_be_asked_for_in_parts_and_by_programs() {
    let folder = Folder::new();
    let ran = folder.run("validate --filter catenary-level-lowest").expect(0);
    assert!(ran.out.contains("pass"), "{}", ran.out);
    let json = folder.run("validate --filter catenary-level-lowest --json").expect(0).json();
    assert_eq!((&json["checks"], &json["failed"]), (&1.into(), &0.into()));
    assert_eq!(json["rows"][0]["pass"], true);
}

#[test]
fn a_filter_that_fits_nothing_is_told() {
    Folder::new().run("validate --filter elephants").expect_failure(
        "no check has `elephants` in its topic or name: without --filter all of them are run",
    );
}

#[test]
fn the_help_names_every_paper() {
    let help = Folder::new().run("validate --help").expect(0).out;
    for paper in ["barzel", "kass", "tuzel", "rungjiratananon"] {
        assert!(help.contains(paper), "{paper}: {help}");
    }
}
