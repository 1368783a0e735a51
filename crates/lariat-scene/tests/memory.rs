//! Peak memory of checking a document, for texts of every shape.
//!
//! Peaks are counted in bytes that are allocated at the same time. An array that grows counts twice,
//! as the old and the new one; natively most large arrays grow in place.

use allocation_counter::measure;
use lariat_scene::{
    Limits,
    check::{Checked, Code, check},
};

/// Size of the texts in bytes.
const SIZE: usize = 1 << 20;

/// A text of about [`SIZE`] bytes: `start`, pieces, `end`.
fn text(start: &str, piece: impl Fn(usize) -> String, end: &str) -> String {
    let mut text = format!("lariat = 2\n{start}");
    for i in 0.. {
        if text.len() >= SIZE {
            break;
        }
        text += &piece(i);
    }
    text + end
}

fn list(piece: &str) -> String {
    text("x = [", |_| piece.to_owned(), "]\n")
}

/// A body with a keyed parameter.
fn keyed(piece: impl Fn(usize) -> String) -> String {
    let start = "[[body]]\nname = 'rope'\nmodel = 'suspended-rope'\nfrom = [0, 0, 2]\n\
                 to = [1, 0, 2]\nlength = { keys = [\n";
    text(start, piece, "] }\n")
}

/// Texts as people and programs write them.
fn plausible() -> Vec<(&'static str, String)> {
    let body = |i: usize| {
        format!(
            "[[body]]\nname = \"rope-{i}\"\nmodel = \"suspended-rope\"\nfrom = [0.0, {i}, 2.5]\n\
             to = [1.25, {i}, 2.5]\nlength = 1.5\nwaves = [{{ height = 0.1, ripples = 3 }}]\n\n"
        )
    };
    vec![
        ("heights", list("0.125, ")),
        ("long heights", list("0.12345678901234567, ")),
        ("keys", keyed(|i| format!("  [{i}, {}.25],\n", i % 90))),
        ("bodies", text("", body, "")),
        ("words", list("'rope and spring', ")),
        ("one word", text("x = '", |_| "rope and spring".to_owned(), "'\n")),
        ("comments", text("", |i| format!("# comment number {i}\n"), "")),
    ]
}

/// Texts with as many values as possible.
fn hostile() -> Vec<(&'static str, String)> {
    vec![
        ("whole numbers", list("1,")),
        ("rows", list("[1,2],")),
        ("empty lists", list("[],")),
        ("empty tables", list("{},")),
        ("empty words", list("'',")),
        ("inline tables", list("{a=1},")),
        ("inline tables with dots", list("{a.b.c=1},")),
        ("nested lists", list(&format!("{}{},", "[".repeat(60), "]".repeat(60)))),
        ("nested tables", list(&format!("{}1{},", "{a=".repeat(60), "}".repeat(60)))),
        ("bodies", text("", |_| "[[body]]\n".to_owned(), "")),
        ("tables", text("", |i| format!("[t{i}]\n"), "")),
        ("deep tables", text("", |i| format!("[t{i}.a.b.c.d.e.f]\n"), "")),
        ("names", text("", |i| format!("k{i}=1\n"), "")),
        ("names in a table", text("x = {", |i| format!("k{i}=1,"), "}\n")),
        ("dotted names", text("", |i| format!("a.k{i}=1\n"), "")),
        ("deep dotted names", text("", |i| format!("a{i}.b.c.d.e.f=1\n"), "")),
        ("dots", text("", |i| format!("a{i}{}=1\n", ".b".repeat(60)), "")),
        ("empty comments", text("", |_| "#\n".to_owned(), "")),
        ("empty lines", text("", |_| "\n".to_owned(), "")),
        ("errors", text("", |_| "= = =\n".to_owned(), "")),
        ("unclosed lists", text("", |_| "a = [\n".to_owned(), "")),
        ("brackets", text("a = ", |_| "[".to_owned(), "")),
        ("quotes", text("a = ", |_| "\"".to_owned(), "")),
        ("dates", list("1979-05-27,")),
        ("large numbers", list("99999999999999999999,")),
        ("error at the end", list("1,") + "="),
    ]
}

fn peak(text: &str, limits: &Limits) -> (u64, Checked) {
    let mut checked = check(b"", limits);
    let peak = measure(|| checked = check(text.as_bytes(), limits)).bytes_max;
    (peak, checked)
}

fn factor(bytes: u64, text: &str) -> f64 {
    bytes as f64 / text.len() as f64
}

#[test]
fn a_long_list_takes_less_than_ten_times_its_text() {
    for (name, text) in plausible() {
        let (peak, checked) = peak(&text, &Limits::DEFAULT);
        assert!(checked.content.is_some(), "{name}: {:?}", checked.diagnostics.first());
        let factor = factor(peak, &text);
        // A key becomes a Bezier segment with two handles, and a body becomes a record.
        let most = if matches!(name, "keys" | "bodies") { 20.0 } else { 10.0 };
        assert!(factor < most, "{name}: {factor:.1} times its size");
    }
}

#[test]
fn memory_stays_below_the_limit() {
    for (name, text) in plausible().into_iter().chain(hostile()) {
        // Too little memory: refused with the estimate, and without taking memory.
        let within = |document_memory| Limits { document_memory, ..Limits::DEFAULT };
        let (refusing, refused) = peak(&text, &within(0));
        assert!(refusing < 32 * 1024, "{name}: {refusing} bytes to refuse it");
        let [diagnostic] = &refused.diagnostics[..] else { panic!("{:?}", refused.diagnostics) };
        assert_eq!(diagnostic.code, Code::FileTooLarge);
        assert!(diagnostic.helps[0].contains("--limit document-memory=N"), "{diagnostic}");
        let after = diagnostic.message.split("up to ").nth(1).unwrap();
        let estimate: u64 = after.split(' ').next().unwrap().parse().unwrap();
        // As much as estimated, less one byte: the same.
        let (_, refused) = peak(&text, &within(estimate - 1));
        assert_eq!(refused.diagnostics[0].code, Code::FileTooLarge, "{name}");
        // As much as estimated: read, without taking more.
        let (taken, checked) = peak(&text, &within(estimate));
        assert!(checked.diagnostics.iter().all(|d| d.code != Code::FileTooLarge), "{name}");
        let (taken, estimate) = (factor(taken, &text), factor(estimate, &text));
        assert!(taken < estimate, "{name}: {taken:.1} times its size, estimated {estimate:.1}");
    }
}

#[test]
fn the_motion_hash_copies_no_values() {
    for (name, text) in plausible() {
        let (_, checked) = peak(&text, &Limits::DEFAULT);
        let document = checked.content.unwrap().document;
        let taken = measure(|| {
            std::hint::black_box(document.motion_hash());
        })
        .bytes_max;
        assert!(taken < 4096, "{name}: {taken} bytes");
    }
}
