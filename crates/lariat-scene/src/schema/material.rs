//! Materials in documents: names and descriptions of the one table that both simulators use.
//!
//! The table is [`MATERIALS`] in `lariat-core`; nothing here repeats its numbers.
//!
//! Tests: `every_material_is_a_choice_of_both_simulators`, `the_table_has_every_number`.

use std::fmt::Write as _;

use lariat_core::dynamics::material::{MATERIALS, Material};

use super::{Choice, Field, Kind, Preset};
use crate::format::number;

/// Choices of [`MATERIAL`].
static CHOICES: [Choice; MATERIALS.len()] = choices();

const fn choices() -> [Choice; MATERIALS.len()] {
    let mut choices = [Choice { name: "", help: "" }; MATERIALS.len()];
    let mut row = 0;
    while row < MATERIALS.len() {
        choices[row] = Choice { name: MATERIALS[row].name, help: MATERIALS[row].description };
        row += 1;
    }
    choices
}

/// Material of a simulated body.
pub(super) const MATERIAL: Field = Field::new(
    "material",
    Kind::Choice(&CHOICES),
    "Physical material, which sets mass, stiffness, strength and inner friction for the radius; each of these can also be set directly.",
)
.preset(Preset::Text("hemp"));

/// All materials as a Markdown table: description, numbers and their origin.
pub fn materials() -> String {
    let mut out = "| material | description | density, kg/m³ | modulus | yields at | tears at | tears at a stretch of | inner friction, s |\n|---|---|---|---|---|---|---|---|\n".to_owned();
    for material in &MATERIALS {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | {:.0} % | {} |",
            material.name,
            material.description,
            number(material.density),
            pascals(material.modulus),
            pascals(material.yield_stress),
            pascals(material.rupture_stress),
            100.0 * material.breaking_strain(),
            number(material.inner_friction)
        );
    }
    out.push_str("\nOrigin of the numbers:\n\n");
    for material in &MATERIALS {
        let _ = writeln!(out, "* `{}`: {}.", material.name, material.source);
    }
    out
}

/// Numbers of one material and their origin as a Markdown list; `None` for an unknown name.
pub fn material(name: &str) -> Option<String> {
    let material = Material::find(name)?;
    let rows = [
        ("density", format!("{} kg/m³", number(material.density))),
        ("modulus", pascals(material.modulus)),
        ("modulus beyond the yield point", pascals(material.plastic_modulus)),
        ("yields at", pascals(material.yield_stress)),
        ("tears at", pascals(material.rupture_stress)),
        ("tears at a stretch of", format!("{:.0} %", 100.0 * material.breaking_strain())),
        ("shear modulus", pascals(material.shear_modulus)),
        ("shear modulus beyond the yield point", pascals(material.plastic_shear_modulus)),
        ("yields at a shear of", number(material.yield_shear)),
        ("tears at a shear of", number(material.rupture_shear)),
        ("bending stiffness, relative to a solid rod", number(material.rigidity)),
        ("compression stiffness, relative to stretching", number(material.compression)),
        ("inner friction", format!("{} s", number(material.inner_friction))),
        ("origin of the numbers", material.source.to_owned()),
    ];
    Some(rows.iter().fold(String::new(), |out, (name, value)| format!("{out}* {name}: {value}\n")))
}

/// A stress with the prefix that keeps it short: `50 GPa`, `36 MPa`, `75 kPa`.
fn pascals(stress: f64) -> String {
    let (unit, scale) = match stress {
        s if s < 1e5 => ("kPa", 1e3),
        s if s < 1e9 => ("MPa", 1e6),
        _ => ("GPa", 1e9),
    };
    // Removes the rounding error of the division.
    format!("{} {unit}", number((stress / scale * 1e6).round() / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::DYNAMICS;

    #[test]
    fn every_material_is_a_choice_of_both_simulators() {
        for record in DYNAMICS.types {
            let Some(Kind::Choice(choices)) = record.field(MATERIAL.name).map(|field| field.kind)
            else {
                panic!("{} has no materials", record.name);
            };
            for (choice, material) in choices.iter().zip(&MATERIALS) {
                assert_eq!((choice.name, choice.help), (material.name, material.description));
            }
            assert_eq!(choices.len(), MATERIALS.len());
        }
    }

    #[test]
    fn the_table_has_every_number() {
        let table = materials();
        for row in [
            "| `hemp` | Laid rope of hemp: light, bends easily, comes to rest soon. | 930 | 900 MPa | 36 MPa | 94 MPa | 12 % | 0.08 |",
            "| `spaghetti` | Boiled spaghetti: soft and weak. | 1100 | 0.3 MPa | 40 kPa | 75 kPa | 37 % | 0.05 |",
            "| `steel-wire` | Solid spring-steel wire: springy, stays twisted past its yield point. | 7850 | 200 GPa | 900 MPa | 1.5 GPa | 6 % | 0.0005 |",
        ] {
            assert!(table.contains(row), "{row} is not in\n{table}");
        }
        let hemp = material("hemp").unwrap();
        assert!(hemp.contains("* shear modulus: 20 MPa\n"), "{hemp}");
        assert_eq!(material("jelly"), None);
        for material in &MATERIALS {
            assert!(table.contains(material.source), "{}", material.name);
        }
    }
}
