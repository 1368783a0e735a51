//! `lariat validate`: the table of checks.

use crate::harness::Folder;

#[test]
fn the_table_can_be_filtered_and_printed_as_json() {
    let folder = Folder::new();
    let ran = folder.run("validate --filter catenary-level-lowest").expect(0);
    assert!(ran.out.contains("pass"), "{}", ran.out);
    let json = folder.run("validate --filter catenary-level-lowest --json").expect(0).json();
    assert_eq!((&json["checks"], &json["failed"]), (&1.into(), &0.into()));
    assert_eq!(json["rows"][0]["pass"], true);
}

#[test]
fn a_filter_without_matches_is_an_error() {
    Folder::new()
        .run("validate --filter elephants")
        .expect_failure("no check matches `elephants`; omit --filter to run all of them");
}

#[test]
fn the_help_names_every_paper() {
    let help = Folder::new().run("validate --help").expect(0).out;
    for paper in ["barzel", "kass", "tuzel", "rungjiratananon"] {
        assert!(help.contains(paper), "{paper}: {help}");
    }
}
