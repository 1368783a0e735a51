//! `lariat explain`: pages about codes, models, records and parameters.

use lariat_scene::{check::Code, schema};

use crate::harness::Folder;

#[test]
fn every_code_can_be_explained() {
    let folder = Folder::new();
    for code in Code::ALL {
        let ran = folder.run(&format!("explain {code}")).expect(0);
        assert!(ran.out.starts_with(&format!("{code}: {}\n", code.title())), "{}", ran.out);
        assert!(ran.out.lines().count() > 5, "{}", ran.out);
        assert!(ran.out.contains("Fix"), "{}", ran.out);
        assert_eq!(ran.err, "");
    }
}

#[test]
fn codes_are_found_in_any_spelling() {
    let folder = Folder::new();
    let page = folder.run("explain L0601").expect(0).out;
    for name in ["l0601", "0601"] {
        assert_eq!(folder.run(&format!("explain {name}")).expect(0).out, page);
    }
}

#[test]
fn without_a_name_all_codes_are_listed() {
    let ran = Folder::new().run("explain").expect(0);
    for code in Code::ALL {
        let row = ran.out.lines().find(|line| line.contains(code.name()));
        assert!(row.is_some_and(|row| row.contains(code.title())), "{code}");
    }
}

#[test]
fn every_model_and_record_has_a_table() {
    let folder = Folder::new();
    let records = schema::families().flat_map(|family| family.types.iter().copied());
    for record in records.chain([&schema::DOCUMENT]) {
        let ran = folder.run(&format!("explain {}", record.name)).expect(0);
        assert!(ran.out.starts_with(&format!("{}\n", record.name)), "{}", ran.out);
        let page = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for field in record.fields {
            assert!(ran.out.contains(&format!("\n  {}", field.name)), "{}", ran.out);
            assert!(page.contains(field.help), "{}: {}", field.name, ran.out);
        }
    }
    let hoop = folder.run("explain hoop").expect(0).out;
    let entry = "\n  hoop-radius: metres, above 0, or keys; default 0.5 m\n      How wide";
    assert!(hoop.contains(entry), "{hoop}");
    // The line is broken where it is too long.
    let last = hoop.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(last.ends_with("`lariat explain layer`, `lariat explain wave`."), "{hoop}");
}

#[test]
fn families_list_their_members_and_pages_refer_to_others() {
    let folder = Folder::new();
    let page = folder.run("explain body").expect(0).out;
    // Sentences are broken into lines.
    let flowing = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for model in schema::models() {
        let begins = model.help.split(':').next().unwrap();
        assert!(flowing.contains(begins), "{begins}");
    }
    for family in schema::families() {
        for record in family.types {
            let page = folder.run(&format!("explain {}", record.name)).expect(0).out;
            for part in page.split("`lariat explain ").skip(1) {
                let name = part.split('`').next().unwrap();
                folder.run(&format!("explain {name}")).expect(0);
            }
        }
    }
    let layers = folder.run("explain layer").expect(0).out;
    assert!(layers.contains("kind = \"torsion-wave\""), "{layers}");
}

#[test]
fn a_parameter_lists_its_records() {
    let folder = Folder::new();
    let swing = folder.run("explain swing").expect(0).out;
    assert!(swing.starts_with("swing\n\nIn suspended-rope, string-of-lights, "), "{swing}");
    assert!(swing.contains(" and lasso:\n\n  swing: degrees, or keys; default 0°\n"), "{swing}");
    let plain = folder.run("explain height").expect(0).out;
    assert!(plain.contains("magnitude or height"), "{plain}");
}

#[test]
fn a_value_lists_its_parameters() {
    let folder = Folder::new();
    let flowing = |out: &str| out.split_whitespace().collect::<Vec<_>>().join(" ");
    let hemp = flowing(&folder.run("explain hemp").expect(0).out);
    assert!(
        hemp.starts_with("hemp `material = \"hemp\"` in spline-rope and string: Laid rope"),
        "{hemp}"
    );
    assert!(hemp.contains("density: 930 kg/m³ - modulus: 900 MPa"), "{hemp}");
    let materials = flowing(&folder.run("explain material").expect(0).out);
    for section in ["hemp", "nylon-rope", "nylon-line", "steel-cable", "rubber", "chain"] {
        assert!(materials.contains(&format!("- `\"{section}\"`: ")), "{materials}");
        folder.run(&format!("explain {section}")).expect(0);
    }
    assert!(materials.contains("music wire breaks at 1.5e9 Pa"), "{materials}");
    folder
        .run("explain steel-cabel")
        .expect_failure("nothing to explain for `steel-cabel`; did you mean `steel-cable`?");
    let json = folder.run("explain steel-cable --json").expect(0).json();
    assert_eq!(json["words"][0]["parameter"], "material");
    let json = folder.run("explain material --json").expect(0).json();
    assert_eq!(json["records"][0]["parameters"][0]["words"][4]["word"], "chain");
}

#[test]
fn every_value_of_a_parameter_is_found() {
    let folder = Folder::new();
    let records = schema::families().flat_map(|family| family.types.iter().copied());
    let mut words: Vec<&str> = Vec::new();
    for field in records.flat_map(|record| record.fields) {
        if let schema::Kind::Choice(choices) = field.kind {
            words.extend(choices.iter().map(|word| word.name));
        }
    }
    words.sort_unstable();
    words.dedup();
    assert!(words.len() > 20);
    for word in words {
        folder.run(&format!("explain {word}")).expect(0);
    }
}

#[test]
fn typing_errors_are_corrected() {
    let folder = Folder::new();
    folder
        .run("explain suspended-rop")
        .expect_failure("nothing to explain for `suspended-rop`; did you mean `suspended-rope`?");
    for nothing in ["elephant", "L0699"] {
        let ran = folder.run(&format!("explain {nothing}")).expect(2);
        assert!(ran.err.contains("`lariat explain` lists all codes"), "{}", ran.err);
    }
}

#[test]
fn explanations_are_available_as_json() {
    let folder = Folder::new();
    let codes = folder.run("explain --json").expect(0).json();
    assert_eq!(codes["codes"].as_array().unwrap().len(), Code::ALL.len());
    let code = folder.run("explain L0601 --json").expect(0).json();
    assert_eq!(code["page"], Code::find("L0601").unwrap().page());
    let record = folder.run("explain suspended-rope --json").expect(0).json();
    let parameters = record["parameters"].as_array().unwrap();
    let length = parameters.iter().find(|row| row["name"] == "length").unwrap();
    assert_eq!(length["takes"], "metres, above 0, or keys");
    assert_eq!(length["animatable"], true);
    let field = folder.run("explain swing --json").expect(0).json();
    assert!(field["records"].as_array().unwrap().len() > 3);
}

#[test]
fn records_of_one_name_are_named_once() {
    let page = Folder::new().run("explain ripples").expect(0).out;
    assert!(!page.contains("wave, wave"), "{page}");
    assert!(
        page.contains("frequency or ripples") || page.contains("`frequency` or `ripples`"),
        "{page}"
    );
}
