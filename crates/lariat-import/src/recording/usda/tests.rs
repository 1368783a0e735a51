//! USD text of other programs, and invalid files.

use proptest::prelude::*;

use super::*;

fn recorded(text: &str) -> Recording {
    read(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn error_of(text: &str) -> String {
    read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
}

/// A file with metres, Z up, and the given prims.
fn file(prims: &str) -> String {
    format!("#usda 1.0\n(\n metersPerUnit = 1\n upAxis = \"Z\"\n)\n{prims}")
}

const CLOTH: &str = r#"#usda 1.0
(
    "a comment"
    customLayerData = { dictionary a = { string upAxis = "X" } }
    defaultPrim = "World"
    subLayers = [@./other.usd@ (offset = 1; scale = 2)]
    timeCodesPerSecond = 30
)

class "_class" { def Mesh "no" { } }

def Xform "World" (
    prepend references = @cloth.usd@</Cloth>
    variants = { string look = "red" }
)
{
    variantSet "look" = { "red" { def Mesh "alsoNo" { } } }
    rel material:binding = </World/Look>
    reorder nameChildren = ["b", "a"]

    def Mesh "cloth" ( kind = "component" )
    {
        float3[] extent = [(0, 0, 0), (100, 100, 0)]
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)] ( interpolation = "vertex" )
        custom double unset
        point3f[] points = [(9, 9, 9), (9, 9, 9), (9, 9, 9)]
        point3f[] points.timeSamples = {
            3: [(0, 0, 0), (100, 0, 0), (0, 100, 20)],
            1: [(0, 0, 0), (100, 0, 0), (0, 100, 0)], # out of order
            2.5: None,
        }
        token visibility.timeSamples = { 1: "inherited" }
    }

    over "b" { def BasisCurves "hair" {
        uniform token type = "cubic"
        uniform token wrap = 'periodic'
        int[] curveVertexCounts = [2, 3]
        point3f[] points = [(1,0,0),(2,0,0),(3,0,0),(4,0,0),(5,0,0)]
        float[] widths = [2] ( interpolation = "constant" )
    } }
}
"#;

#[test]
fn files_of_other_programs_are_read() {
    let recording = recorded(CLOTH);
    assert_eq!((recording.first(), recording.last()), (1, 3));
    assert_eq!(recording.rate().to_string(), "30");
    let parts: Vec<_> = recording.parts().iter().map(|p| (p.name.as_str(), p.points)).collect();
    assert_eq!(parts, [("World/cloth", 3), ("World/b/hair/0", 3), ("World/b/hair/1", 4)]);
    let mesh = PartKind::Mesh { counts: vec![3], corners: vec![0, 1, 2] };
    assert_eq!(recording.parts()[0].kind, mesh);
    let PartKind::Strand { closed, radius, .. } = &recording.parts()[2].kind else {
        panic!("curves became {:?}", recording.parts()[2].kind);
    };
    assert_eq!((*closed, radius.as_slice()), (true, &[0.01; 4][..]));
    // Centimetres and Y up by default; frame 2 is interpolated.
    let width = recording.width();
    assert_eq!(width, 30);
    let second = &recording.rows()[width..2 * width];
    assert_eq!(second[..9], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -0.1, 1.0]);
    // A closed curve ends at its first point.
    assert_eq!([second[9], second[12], second[15]], [0.01, 0.02, 0.01]);
    assert_eq!([second[18], second[27]], [0.03, 0.03]);
}

#[test]
fn transforms_are_applied() {
    let prims = r#"
def Xform "hand" {
    double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 2: (2, 0, 0) }
    float3 xformOp:rotateXYZ = (90, 0, 90)
    float3 xformOp:scale = (1, 1, 2)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ", "xformOp:scale"]
    def BasisCurves "rope" {
        matrix4d xformOp:transform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(5,0,0,1))
        double3 xformOp:translate:pivot = (0, 7, 0)
        uniform token[] xformOpOrder = ["xformOp:transform", "xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]
        point3f[] points = [(0,0,0), (0,1,0), (0,0,1)]
    }
    def BasisCurves "alone" {
        quatf xformOp:orient = (2, 0, 0, 2)
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:orient"]
        point3f[] points = [(1,0,0)]
    }
}
"#;
    let recording = recorded(&file(prims));
    assert_eq!((recording.first(), recording.frames()), (0, 3));
    // (5,0,0) is rotated about X, then about Z: X becomes Y. (0,1,0) is rotated to Z and stays
    // there; (0,0,1) is scaled to 2, rotated to −Y, and on to X.
    let expected = [1.0, 5.0, 0.0, 1.0, 5.0, 1.0, 3.0, 5.0, 0.0, 0.0, 1.0, 0.0];
    let row = &recording.rows()[12..24];
    for (found, expected) in row.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14, "{row:?}");
    }
}

#[test]
fn frames_are_those_of_the_rate() {
    // 24 frames per second in a file of 1000 time codes per second.
    let mut samples = String::new();
    for frame in 0..5 {
        samples += &format!("{}: [({frame}, 0, 0)],", f64::from(frame) * 1000.0 / 24.0);
    }
    let text = file(&format!(
        "def BasisCurves \"a\" {{ point3f[] points.timeSamples = {{ {samples} }} }}"
    ))
    .replace("upAxis", "timeCodesPerSecond = 1000\n framesPerSecond = 24\n upAxis");
    let recording = recorded(&text);
    assert_eq!(
        (recording.first(), recording.frames(), recording.rate().to_string().as_str()),
        (0, 5, "24")
    );
    for (frame, row) in recording.rows().chunks(3).enumerate() {
        assert!((row[0] - frame as f64).abs() < 1e-9, "{row:?}");
    }
    let twice = ReadOptions { rate: Some(FrameRate::new(48, 1).unwrap()), only: Vec::new() };
    let recording = read(text.as_bytes(), &twice).unwrap();
    assert_eq!(recording.frames(), 9);
    assert!((recording.rows()[3] - 0.5).abs() < 1e-9);
}

#[test]
fn invalid_files_are_refused_with_a_reason() {
    for (text, message) in refused() {
        assert_eq!(error_of(&text), message);
    }
    let deep = NESTED.repeat(100_000);
    assert!(error_of(&file(&deep)).contains("nested deeper than 256"));
    let nested = format!("float a = {}", "[".repeat(100_000));
    assert!(error_of(&prim(&nested)).contains("closing bracket"));
}

/// A prim that is not closed.
const NESTED: &str = "def \"a\" {";

/// A file with one mesh.
fn prim(body: &str) -> String {
    file(&format!("def Mesh \"a\" {{\n{body}\n}}"))
}

/// Invalid files with their messages.
fn refused() -> Vec<(String, &'static str)> {
    vec![
        (
            "PXR-USDC\0\0".to_owned(),
            "binary USD is not supported; convert the file to text with `usdcat -o x.usda x.usdc`",
        ),
        (
            "PK\u{3}\u{4}".to_owned(),
            "zipped USD is not supported; convert the file to text with `usdcat -o x.usda x.usdz`",
        ),
        ("v 1 2 3".to_owned(), "line 1: expected `#usda 1.0`, found `v 1 2 3`"),
        (file(""), "nothing to read: the file has no `BasisCurves` and no `Mesh`"),
        (
            file("def Mesh \"a\" {"),
            "line 6: expected `}` at the end of a prim, found the end of the file",
        ),
        (file("def Mesh a {"), "line 6: expected the name of a prim in quotes, found `a`"),
        (file("}"), "line 6: expected a prim, an attribute or the end, found `}`"),
        (
            prim("point3f[] points = [(1,2,x)]"),
            "line 7: expected a number, `,` or a closing bracket, found `x`",
        ),
        (
            prim("point3f[] points = [(1,2)]"),
            "line 6: `/a` has 2 numbers for its points, not a multiple of 3; repair it, or omit it",
        ),
        (
            prim(""),
            "line 6: `/a` has no points; resolve references with `usdcat --flatten`, or omit it",
        ),
        (
            prim("point3f[] points.timeSamples = { a: 1 }"),
            "line 7: expected the time of a sample, found `a`",
        ),
        (
            prim("point3f[] points.timeSamples = { 1: [(0,0,0)], 2: [] }"),
            "`a` has 0 points at frame 2 but 1 points at frame 1; modes need the same points at every frame: select other frames, or leave the part out",
        ),
        (
            prim("point3f[] points.timeSamples = { 1: [(0,0,0)], 1e12: [(0,0,0)] }"),
            "samples reach from frame 1 to 1000000000000, more than the limit of 100000 frames; trim the file",
        ),
        (
            prim("point3f[] points = [(0,0,nan)]"),
            "point 0 of `a` is at NaN on axis z at frame 0; expected a finite number up to 1e100",
        ),
        (
            prim("int[] faceVertexCounts = [0.5]\n point3f[] points = [(0,0,0)]"),
            "line 6: `/a` has a number in `faceVertexCounts` that is not a count; repair it, or omit it",
        ),
        (
            prim(
                "int[] faceVertexCounts = [1]\nint[] faceVertexIndices = [4]\n point3f[] points = [(0,0,0)]",
            ),
            "part `a` of 1 points has a face with corner 4",
        ),
        (
            prim(
                "uniform token[] xformOpOrder = [\"xformOp:skew\"]\nfloat xformOp:skew = 1\npoint3f[] points = [(0,0,0)]",
            ),
            "line 6: `/a` has `xformOp:skew` of 1 numbers; write its points in world space, or use translate, rotate, scale, orient or transform",
        ),
        (
            file(
                "def BasisCurves \"a\" { point3f[] points = [(0,0,0)]\nint[] curveVertexCounts = [2] }",
            ),
            "line 6: `/a` has 1 points, but its curves need 2; repair it, or omit it",
        ),
        (
            file("def BasisCurves \"a\" { point3f[] points = [(0,0,1e)]}"),
            "line 6: expected a number, found `1e`",
        ),
    ]
}

#[test]
fn memory_is_taken_for_valid_frames_only() {
    let points = vec!["(0,0,0)"; 100].join(",");
    // The last sample is not finite, so no frame after the first is.
    let last = points.replacen('0', "1e999", 1);
    let samples = format!("point3f[] points.timeSamples = {{ 3: [{points}], 90000: [{last}] }}");
    let mut error = String::new();
    let taken = allocation_counter::measure(|| error = error_of(&prim(&samples))).bytes_max;
    assert!(error.contains("at frame 4; expected a finite number"), "{error}");
    assert!(taken < 1_000_000, "{taken} bytes for two frames of 100 points");
}

#[test]
fn files_that_would_exhaust_memory_are_refused() {
    let points = vec!["(0,0,0)"; 1000].join(",");
    let samples = format!("point3f[] points.timeSamples = {{ 0: [{points}], 99999: [{points}] }}");
    assert_eq!(
        error_of(&prim(&samples)),
        "1000 points at 100000 frames are 300000000 numbers, more than the limit of 250000000; select fewer \
         parts, or trim the file"
    );
}

#[test]
fn thousands_of_prims_become_parts_in_order() {
    let mut prims = String::from("def Xform \"all\" { string lariat:name = \"all\"\n");
    for k in 0..30_000 {
        prims += &format!(
            "def BasisCurves \"c{k}\" {{\n  string lariat:name = \"{k}\"\n  point3f[] points = [(0,0,0)]\n}}\n"
        );
    }
    let recording = recorded(&file(&(prims + "}")));
    assert_eq!(recording.parts().len(), 30_000);
    for (k, part) in recording.parts().iter().enumerate() {
        assert_eq!(part.name, format!("all/{k}"));
    }
}

#[test]
fn parts_can_be_selected() {
    let options = ReadOptions { only: vec!["World/b".into()], rate: None };
    let hair = read(CLOTH.as_bytes(), &options).unwrap();
    assert_eq!((hair.parts().len(), hair.frames()), (2, 1));
    let options = ReadOptions { only: vec!["Wig".into()], rate: None };
    assert_eq!(
        read(CLOTH.as_bytes(), &options).unwrap_err().to_string(),
        "nothing to read: no part is named Wig; parts: World/cloth, World/b/hair"
    );
}

/// Words of USD files, and others.
const WORDS: &[&str] = &[
    "def",
    "class",
    "Mesh",
    "BasisCurves",
    "\"a\"",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=",
    "points",
    "points.timeSamples",
    "1",
    "-2.5",
    ":",
    ",",
    "None",
    "<a>",
    "@",
    "'",
    "#\n",
    "xformOpOrder",
    "[\"xformOp:orient\"]",
    "xformOp:orient",
    "curveVertexCounts",
    "é",
    "[(1,2,3),(4,5,6)]",
    "{ 1: [(1,2,3)] }",
    "nan",
    "variantSet",
    "wrap",
    "\"periodic\"",
];

proptest! {
    #[test]
    fn no_text_makes_it_panic(
        words in prop::collection::vec(
            prop::sample::select(WORDS),
            0..40,
        )
    ) {
        let text = format!("#usda 1.0\n{}", words.join(" "));
        if let Ok(recording) = read(text.as_bytes(), &ReadOptions::default()) {
            prop_assert!(recording.rows().iter().all(|x| x.is_finite()));
        }
    }
}
