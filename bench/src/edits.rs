//! Edits of a document, to the new geometry of a frame.

use std::fmt::Write;
use std::hint::black_box;

use lariat_eval::Evaluator;
use lariat_scene::edit::Edit;
use lariat_scene::{Document, Limits, Path, Value, format};

use crate::scenes::ship;
use crate::table::Table;

pub(crate) fn run(table: &mut Table) {
    drag_a_knot(table);
    for (count, target) in [(2000, Some(4e-3)), (200, None)] {
        set_a_parameter(table, count, target);
    }
    insert_and_remove(table);
}

fn evaluator(text: &str) -> Evaluator {
    let document = format::read(text).expect("a document").document;
    let mut evaluator = Evaluator::new(document, Limits::DEFAULT, 8);
    evaluator.at(FRAME);
    evaluator
}

/// The frame that is shown.
const FRAME: f64 = 17.0;

/// Ropes with a wiggly swing of eight knots each.
fn wiggly(ropes: usize) -> String {
    let mut text = "lariat = 2\n[shot]\nframes = [1, 120]\n".to_owned();
    for i in 0..ropes {
        let _ = write!(
            text,
            "[[body]]\nname = \"rope {i}\"\nmodel = \"suspended-rope\"\nfrom = [0, {i}, 4]\n\
             to = [2, {i}, 4]\nlength = 2.6\nswing = {{ wiggle = [[1, 0], [12, 35], [24, -10], \
             [40, 20], [60, 0], [80, 15], [100, -20], [120, 0]], hertz = 1.5, swings = 6 }}\n\
             waves = [{{ height = 0.05, ripples = 3, travel = 0.4 }}]\n"
        );
    }
    text
}

fn drag_a_knot(table: &mut Table) {
    let name = "knot of one wiggly channel dragged, to the new geometry, 20 bodies";
    if !table.wants(name) {
        return;
    }
    let mut evaluator = evaluator(&wiggly(20));
    let path: Path = "body[7].swing.wiggle[2][1]".parse().expect("a path");
    let mut value = 0.0;
    table.time(name, 1.0, Some(2e-3), || {
        value += 0.25;
        let edit = Edit::Set { path: path.clone(), value: Value::from(value) };
        evaluator.apply(&edit).expect("a good edit");
        black_box(evaluator.pose(FRAME));
    });
}

fn set_a_parameter(table: &mut Table, count: usize, target: Option<f64>) {
    let name = format!("edit of one parameter of {count} bodies, to the new geometry");
    if !table.wants(&name) {
        return;
    }
    let mut evaluator = evaluator(&ship(count, 48, 240, true));
    let path: Path = format!("body[{}].length", count / 2).parse().expect("a path");
    let mut length = 3.3;
    let mut edit = || {
        length += 1e-3;
        Edit::Set { path: path.clone(), value: Value::from(length) }
    };
    table.time(&name, 1.0, target, || {
        evaluator.apply(&edit()).expect("a good edit");
        black_box(evaluator.pose(FRAME));
    });
    let fresh = |document: &Document| {
        black_box(Evaluator::new(document.clone(), Limits::DEFAULT, 1).at(FRAME));
    };
    table.time(&format!("  the same {count} bodies, evaluated from nothing"), 1.0, None, || {
        fresh(evaluator.document());
    });
}

fn insert_and_remove(table: &mut Table) {
    let name = "first of 2000 bodies removed and inserted again, to the new geometry";
    if !table.wants(name) {
        return;
    }
    let mut evaluator = evaluator(&ship(2000, 48, 240, true));
    let list: Path = "body".parse().expect("a path");
    let remove = Edit::Remove { list, index: 0 };
    table.time(name, 1.0, None, || {
        let applied = evaluator.apply(&remove).expect("a good edit");
        black_box(evaluator.pose(FRAME));
        evaluator.apply(&applied.inverse).expect("its inverse");
        black_box(evaluator.pose(FRAME));
    });
}
