//! `lariat play`: games of the automatic player, as text, JSON and contact sheets.

use crate::harness::Folder;

#[test]
fn the_automatic_player_can_win_and_lose() {
    let folder = Folder::new();
    let won = folder.run("play twist --auto --skill 1 --seed 1").expect(0);
    assert!(won.out.starts_with("won after "), "{}", won.out);
    assert!(won.out.contains("the string tore"), "{}", won.out);
    assert_eq!(won.err, "");
    let lost = folder.run("play twist --auto --skill 0.1").expect(0);
    assert!(lost.out.starts_with("lost after "), "{}", lost.out);
    assert!(lost.out.contains("30 shots"), "{}", lost.out);
}

#[test]
fn the_seed_determines_the_game() {
    let folder = Folder::new();
    let play = |seed: u32| {
        folder.run(&format!("play twist --auto --skill 0.1 --seed {seed} --json")).expect(0).out
    };
    let (one, again, other) = (play(3), play(3), play(4));
    assert_eq!(one, again);
    assert_ne!(one, other);
    let report: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(report["result"], "lost");
    assert_eq!(report["shots"], 30);
    assert!(report["hits"].as_u64().unwrap() < 30);
}

#[test]
fn a_game_becomes_a_sheet_of_pictures() {
    let folder = Folder::new();
    // The game of figure 11 in the documentation; its twist is spread almost evenly.
    let ran = folder.run("play twist --auto --seed 1 -o game.png --renderer cpu --json").expect(0);
    assert!(ran.err.contains("wrote game.png: 12 pictures"), "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["result"], "won");
    assert!((3.5..=4.1).contains(&report["most-turns"].as_f64().unwrap()), "{}", ran.out);
    assert!(report["seconds"].as_f64().unwrap() < 60.0, "{}", ran.out);
    assert!(std::fs::read(folder.path("game.png")).unwrap().starts_with(b"\x89PNG"));
    // An existing file is reported before the game is played.
    let ran = folder.run("play twist --auto -o game.png").expect(2);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    assert_eq!(ran.out, "");
}

#[test]
fn invalid_games_are_reported_with_a_remedy() {
    let folder = Folder::new();
    let ran = folder.run("play twist").expect(2);
    assert!(ran.err.contains("--auto"), "{}", ran.err);
    let ran = folder.run("play twist --auto --skill 2").expect(2);
    assert!(ran.err.contains("from 0 to 1"), "{}", ran.err);
    let ran = folder.run("play twist --auto -o game.mp4").expect(2);
    assert!(ran.err.contains(".png"), "{}", ran.err);
}
