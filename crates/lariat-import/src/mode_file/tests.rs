//! Round trips and errors of `.modes` files.

use lariat_core::geometry::Look;
use lariat_core::modes::{Mode, ModeSet, Origin, Part, PartKind, Pole};
use lariat_core::motion::FrameRate;
use lariat_core::num::is_in_range;
use num_complex::Complex64;
use proptest::prelude::*;
use serde_json::Value;

use super::{read, write};

/// A rope of two points and a triangle, with two modes of three frames; numbers from `bits`.
fn set(mut bits: impl FnMut() -> f64) -> ModeSet {
    let rope = PartKind::Strand {
        closed: false,
        radius: vec![0.02, bits()],
        twist: vec![],
        look: Some(Look { name: "ro\"pe".into(), colour: [0.1, 0.2, bits()] }),
    };
    let triangle = PartKind::Mesh { counts: vec![3], corners: vec![0, 1, 2] };
    let parts = vec![
        Part { name: "rein/rope".into(), points: 2, kind: rope },
        Part { name: "flag".into(), points: 3, kind: triangle },
        Part { name: "plain".into(), points: 0, kind: PartKind::plain_strand() },
    ];
    let mut complex =
        |n: usize| -> Vec<Complex64> { (0..n).map(|_| Complex64::new(bits(), bits())).collect() };
    let modes = (0..2).map(|k| Mode {
        weights: complex(15),
        coefficients: complex(3),
        pole: Pole { hertz: 2.0, decay: -0.125 },
        sigma: 3.0,
        share: 0.75,
        residual: 0.1,
        gauge: f64::from(k),
    });
    let modes = modes.collect();
    let mean = complex(15).into_iter().map(|c| c.re).collect();
    let rate = FrameRate::new(24_000, 1001).unwrap();
    let origin = Origin { rate, first: -3, margin: 11, periodic: true, rms: 1e-300, worst: 0.25 };
    ModeSet::new(origin, parts, mean, modes).unwrap()
}

fn plain() -> ModeSet {
    let mut next = 0.0;
    set(move || {
        next += 0.5;
        next
    })
}

/// Bits of all numbers of a set; floating-point equality would not distinguish −0 from 0.
fn bits(set: &ModeSet) -> Vec<u64> {
    let complex = |c: &Complex64| [c.re.to_bits(), c.im.to_bits()];
    let of_mode = |mode: &Mode| {
        mode.weights.iter().chain(&mode.coefficients).flat_map(complex).collect::<Vec<_>>()
    };
    let mean = set.mean().iter().map(|x| x.to_bits());
    mean.chain(set.modes().iter().flat_map(of_mode)).collect()
}

proptest! {
    #[test]
    fn a_written_file_reads_back_bit_for_bit(
        numbers in prop::collection::vec(prop::num::f64::ANY.prop_map(|x| if is_in_range(x) { x } else { 0.1 }), 90)
    ) {
        let mut numbers = numbers.into_iter().cycle();
        let set = set(|| numbers.next().unwrap());
        let text = write(&set);
        let back = read(text.as_bytes()).unwrap();
        prop_assert_eq!(bits(&back), bits(&set));
        prop_assert_eq!(&back, &set);
        prop_assert_eq!(write(&back), text);
    }
}

#[test]
fn zero_keeps_its_sign() {
    let set = set(|| -0.0);
    // With a decimal point, for programs that read numbers without one as integers.
    assert!(write(&set).contains("[-0.0, -0.0, -0.0]"), "{}", write(&set));
    assert_eq!(bits(&read(write(&set).as_bytes()).unwrap()), bits(&set));
}

#[test]
fn a_file_has_one_line_per_row() {
    let text = write(&plain());
    let head = "{\n  \"lariat-modes\": 1,\n  \"rate\": \"24000/1001\",\n  \"first\": -3,\n  \"margin\": 11,\n  \
                \"periodic\": true,\n  \"rms\": 1e-300,\n  \"worst\": 0.25,\n  \"parts\": [\n";
    assert!(text.starts_with(head), "{text}");
    assert!(
        text.contains("\n        [1.5, 2, 2.5, 3, 3.5, 4],\n"),
        "a point of the weights:\n{text}"
    );
    // One line a point and a frame: 5 of the mean, 2 × (5 + 3) of the modes.
    assert_eq!(text.lines().filter(|line| line.trim_start().starts_with('[')).count(), 21);
    assert!(text.ends_with("  ]\n}\n"));
}

#[test]
fn errors_name_their_place() {
    let good: Value = serde_json::from_str(&write(&plain())).unwrap();
    let complaint = |pointer: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        read(bad.to_string().as_bytes()).unwrap_err().to_string()
    };
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (pointer, value, message) in [
        (
            "/lariat-modes",
            "2",
            "the file has version 2, but this program supports up to 1; use a newer Lariat",
        ),
        ("/lariat-modes", "null", "not a `.modes` file: it has no `lariat-modes` version"),
        ("/rate", "\"fast\"", "`rate`: expected a frame rate such as \"24\", found \"fast\""),
        ("/first", "1.5", "`first`: expected a whole number, found 1.5"),
        (
            "/first",
            "9223372036854775807",
            "frame 9223372036854775807 is out of range; frames go from -1000000000 to 1000000000",
        ),
        (
            "/first",
            "-1000000001",
            "frame -1000000001 is out of range; frames go from -1000000000 to 1000000000",
        ),
        (
            "/parts/2/points",
            "9223372036854775809",
            "the parts up to `plain` have more than 1000000000 points; select fewer parts",
        ),
        ("/margin", "-1", "`margin`: expected a whole number, 0 or more, found -1"),
        ("/periodic", "0", "`periodic`: expected true or false, found 0"),
        ("/mean/4", "[1, 2]", "`mean[4]`: expected a list of 3 numbers, found a list of 2"),
        ("/mean", "[]", "the mean pose has 0 numbers; expected 15"),
        (
            "/modes/1/weights/3",
            "[1, 2, 3, 4, 5, null]",
            "`modes[1].weights[3]`: expected a list of 6 numbers, found a list of 6",
        ),
        ("/modes/1/weights", "[]", "`weights` of mode 2 has 0 numbers; expected 15"),
        ("/modes/1/course", "[[1, 2]]", "`course` of mode 2 has 1 numbers; expected 3"),
        ("/modes/0/hertz", "\"two\"", "`modes[0].hertz`: expected a number, found \"two\""),
        ("/modes/0", "{}", "`modes[0].weights`: expected a list, found nothing"),
        (
            "/parts/0/kind",
            "\"rope\"",
            "`parts[0].kind`: expected \"strand\" or \"mesh\", found \"rope\"",
        ),
        ("/parts/1/corners/2", "3", "part `flag` of 3 points has a face with corner 3"),
        (
            "/parts/1/corners/2",
            "5000000000",
            "`parts[1].corners[2]`: expected a 32-bit number, found 5000000000",
        ),
        ("/parts/1/name", "\"plain\"", "duplicate part name `plain`; part names must be unique"),
    ] {
        assert_eq!(complaint(pointer, json(value)), message);
    }
    for (text, message) in [
        ("", "line 1, column 0: invalid JSON: EOF while parsing a value"),
        ("{\"lariat-modes\": 1,\n \"rms\": NaN}", "line 2, column 9: invalid JSON: expected value"),
        (
            "{\"lariat-modes\": 1,\n \"rms\": 1e999}",
            "line 2, column 13: invalid JSON: number out of range",
        ),
        ("[1]", "not a `.modes` file: it has no `lariat-modes` version"),
    ] {
        assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message, "for {text:?}");
    }
    assert!(read(b"\xff").is_err());
}

#[test]
fn unknown_names_are_ignored() {
    let text = write(&plain()).replacen("{\n", "{\n  \"comment\": \"the good one\",\n", 1);
    assert_eq!(read(text.as_bytes()).unwrap(), plain());
}
