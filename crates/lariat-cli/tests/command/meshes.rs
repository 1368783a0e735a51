//! Bodies that are meshes, from the file to every output.

use crate::harness::Folder;

const SHOT: &str = r#"lariat = 2

[shot]
frames = [1, 3]

[[body]]
name = "belly"
model = "mesh"
file = "models/belly.obj"
position = { keys = [[1, [0, 0, 0]], [3, [2, 0, 0]]], interpolation = "linear" }

[[body]]
name = "rope"
model = "suspended-rope"
from = [0, 0, 2]
to = { body = "belly", at = 0, offset = [0, 0, 1] }
length = 3
samples = 3
"#;

const BELLY: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn folder() -> Folder {
    let folder = Folder::with("shot.lariat", SHOT);
    std::fs::create_dir(folder.path("models")).unwrap();
    folder.write("models/belly.obj", BELLY);
    folder
}

#[test]
fn paths_are_relative_to_the_document() {
    let folder = folder();
    let ran = folder.run("check shot.lariat --strict").expect(0);
    assert_eq!(ran.out, "0 errors, 0 warnings in 2 bodies, 3 frames\n");
    let ran = folder.run("eval shot.lariat --frames 2 --format csv --body belly").expect(0);
    assert!(ran.out.contains("belly,mesh,2,1,,2,0,0,,\n"), "{}", ran.out);
    let json = folder.run("eval shot.lariat --json").expect(0).json();
    assert_eq!(json["frames"][0]["bodies"][0]["meshes"][0]["points"][3][2], 1);
    assert!(folder.run("eval shot.lariat").expect(0).out.contains("mesh"));
}

#[test]
fn a_missing_file_is_an_error_with_its_place() {
    let folder = Folder::with("shot.lariat", SHOT);
    let ran = folder.run("check shot.lariat").expect(1);
    for part in [
        "error[L0640]: body `belly` needs the file `models/belly.obj`, which cannot be read",
        "shot.lariat:9:8",
        "tried `models/belly.obj`: there is no such file",
    ] {
        assert!(ran.out.contains(part), "{part} is not in\n{}", ran.out);
    }
    folder.run("export shot.lariat -o shot.csv").expect(1);
    let ran = folder.run("export shot.lariat -o shot.csv --keep-going").expect(1);
    assert!(ran.err.contains("L0640"), "{}", ran.err);
    let rows = folder.read("shot.csv");
    assert!(rows.contains("rope,rope,3,2,") && !rows.contains("belly"), "{rows}");
}

#[test]
fn a_mesh_is_exported_and_drawn() {
    let folder = folder();
    for file in ["shot.usda", "shot.csv", "shot.json", "shot.svg"] {
        folder.run(&format!("export shot.lariat -o {file}")).expect(0);
    }
    assert!(folder.read("shot.usda").contains("def Mesh \"belly_mesh\""));
    // Also with the body alone.
    folder.run("export shot.lariat -o one.usda --body belly").expect(0);
    assert!(folder.read("one.usda").contains("def Mesh \"belly_mesh\""));
    for show in ["", " --show trails", " --show ghosts", " --show control-points", " --show slack"]
    {
        let draw = "render shot.lariat -o shot.png --renderer cpu --quality draft --size 64x48";
        folder.run(&format!("{draw} --frames 2 --force{show}")).expect(0);
    }
}

#[test]
fn limits_hold_for_files() {
    let folder = folder();
    let ran = folder.run("check shot.lariat --limit points-per-mesh=3").expect(1);
    assert!(ran.out.contains("error[L0643]"), "{}", ran.out);
    let ran = folder.run("check shot.lariat --limit bytes-per-asset=3").expect(1);
    assert!(ran.out.contains("more than the limit of 3"), "{}", ran.out);
}

#[test]
fn a_painted_field_is_in_every_file_that_has_colours() {
    let folder = folder();
    let rope = "\n[[body]]\nname = \"rope\"";
    let field = "jiggles = [{ drive = 0, amplitude = \"max(x, y) + 0.5 * z\", lag = \"120 * y\", painted = true }]";
    let text = SHOT.replace(rope, &format!("{field}\n{rope}"));
    folder.write("shot.lariat", &text);
    folder.write("plain.lariat", text.replace("painted = true", "painted = false"));
    for file in ["shot.usda", "shot.json", "shot.svg", "plain.svg"] {
        let document = file.replace("usda", "lariat").replace("json", "lariat");
        let document = document.replace("svg", "lariat");
        folder.run(&format!("export {document} -o {file} --body belly")).expect(0);
    }
    let usda = folder.read("shot.usda");
    let mut lines = usda.lines().skip_while(|line| !line.contains("primvars:displayColor"));
    let (colours, how) = (lines.next().unwrap(), lines.next().unwrap());
    assert!(how.contains("interpolation = \"vertex\""), "{how}");
    let json: serde_json::Value = serde_json::from_str(&folder.read("shot.json")).unwrap();
    let in_json = json.pointer("/bodies/0/mesh/colours");
    let in_json = in_json.unwrap_or_else(|| panic!("no colours in {json}"));
    let in_usda = colours.split_once("= ").unwrap().1.trim_end_matches(" (");
    let in_usda = in_usda.replace('(', "[").replace(')', "]");
    let in_usda: serde_json::Value = serde_json::from_str(&in_usda).unwrap();
    // White, red, green, pale red: sRGB 0.92 and half of it are 0.8276 and 0.1789 in linear light.
    let (full, half) = (0.827_571, 0.178_868);
    let expected = [[full; 3], [full, 0.0, 0.0], [0.0, full, 0.0], [full, half, half]];
    for file in [&in_usda, in_json] {
        for (point, colour) in expected.iter().enumerate() {
            for (channel, light) in colour.iter().enumerate() {
                let found = file[point][channel].as_f64().unwrap();
                assert!((found - light).abs() < 1e-5, "{file}");
            }
        }
    }
    assert_ne!(folder.read("plain.svg"), folder.read("shot.svg"));
}

#[test]
fn an_unpaintable_field_is_reported_with_its_place() {
    let folder = folder();
    let belly =
        "lariat = 2\n\n[[body]]\nname = \"belly\"\nmodel = \"mesh\"\nfile = \"models/belly.obj\"\n";
    let twice =
        "jiggles = [\n  { drive = 0, painted = true },\n  { drive = 1, painted = true },\n]\n";
    folder.write("twice.lariat", format!("{belly}{twice}"));
    let ran = folder.run("check twice.lariat").expect(1);
    assert_eq!(
        ran.out,
        "\
error[L0655]: two fields are painted on body `belly`
  ╭▸ twice.lariat:9:26
  │
8 │   { drive = 0, painted = true },
9 │   { drive = 1, painted = true },
  │                          ━━━━ `jiggles[0]` is already painted
  │
  ├ help: keep `painted` on one of them, or make a body for each
  ├ note: until then the first one is shown
  ╰ more: lariat explain L0655

1 error, 0 warnings in 1 body, 120 frames
"
    );
    folder.run("new wave.lariat --model shape").expect(0);
    let shape = "[[body]]\nname = \"rope\"\nmodel = \"shape\"\nfile = \"wave.modes\"\n";
    folder.write(
        "ropes.lariat",
        format!("lariat = 2\n\n{shape}modes = [{{ drive = 0, painted = true }}]\n"),
    );
    let ran = folder.run("check ropes.lariat").expect(1);
    assert_eq!(
        ran.out,
        "\
error[L0656]: a mode is painted on body `rope`, which is made of ropes
  ╭▸ ropes.lariat:7:33
  │
6 │ file = \"wave.modes\"
7 │ modes = [{ drive = 0, painted = true }]
  │                                 ━━━━ a rope has one colour
  │
  ├ help: remove `painted`; only meshes have a colour for each point
  ╰ more: lariat explain L0656

1 error, 0 warnings in 1 body, 120 frames
"
    );
}
