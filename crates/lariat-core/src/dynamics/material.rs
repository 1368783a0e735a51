//! What ropes are made of, and what that makes of their numbers.
//!
//! Five stuffs by name, told as if the rope were solid: mass per volume, stiffness per area, and how
//! much of a solid rod's stiffness against bending is left when strands slide along each other. The
//! numbers are rounded from makers' tables of ropes about 12 mm thick (laid manila weighs 10.5 kg
//! per 100 m and breaks at 10 to 13 % of stretch with 10.6 kN; laid nylon 8.9 kg and about 35 % with
//! 29 kN; a wire rope 53 kg, with the modulus of its wires, some 1e11 Pa, on half of its area). They
//! are what a rope of that name may be, not a measurement of any; each can be replaced.
//!
//! Inner friction is chosen by eye: strands rub on each other, so a bight of hemp that is let go
//! swings back once or twice and no more, as it would with a quarter of critical damping at 1 Hz.
//!
//! Tests: `a_rope_weighs_what_the_tables_say`, `names_are_found`.

use std::f64::consts::PI;

/// What a rope is made of, whatever its thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// As documents say it.
    pub name: &'static str,
    /// Mass of a rope's volume as it is drawn, in kg/m³; air between strands counts.
    pub density: f64,
    /// Pull over cross-section and stretch, in pascals.
    pub modulus: f64,
    /// Stiffness against bending, relative to a solid rod of that modulus: strands slide.
    pub rigidity: f64,
    /// How much of its stiffness resists being pushed together.
    pub compression: f64,
    /// Damping over stiffness, in seconds.
    pub inner_friction: f64,
    /// Stretch at which it would break, 0.1 being a tenth longer than at rest; nothing here breaks
    /// it.
    pub breaks_at: f64,
}

/// Every material, in the order of the guide.
pub const MATERIALS: [Material; 5] = [
    Material {
        name: "hemp",
        density: 930.0,
        modulus: 0.9e9,
        rigidity: 0.02,
        compression: 0.1,
        inner_friction: 0.08,
        breaks_at: 0.12,
    },
    Material {
        name: "nylon",
        density: 790.0,
        modulus: 0.4e9,
        rigidity: 0.01,
        compression: 0.1,
        inner_friction: 0.04,
        breaks_at: 0.35,
    },
    Material {
        name: "steel-cable",
        density: 4700.0,
        modulus: 50e9,
        rigidity: 0.01,
        compression: 1.0,
        inner_friction: 0.02,
        breaks_at: 0.02,
    },
    Material {
        name: "rubber",
        density: 1100.0,
        modulus: 2e6,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.01,
        breaks_at: 5.0,
    },
    Material {
        name: "chain",
        density: 2600.0,
        modulus: 20e9,
        rigidity: 0.0,
        compression: 0.0,
        inner_friction: 0.002,
        breaks_at: 0.02,
    },
];

/// The numbers of one rope: what a solver is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// In kg/m.
    pub mass_per_metre: f64,
    /// Pull over stretch, `EA`, in newtons.
    pub stretch: f64,
    /// Moment over curvature, `EI`, in N m².
    pub bend: f64,
    /// How much of `stretch` resists being pushed together, 0–1.
    pub compression: f64,
    /// Damping over stiffness, in seconds.
    pub inner_friction: f64,
}

impl Material {
    /// The material of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        MATERIALS.iter().find(|material| material.name == name)
    }

    /// The numbers of a rope of this radius in metres.
    pub fn at_radius(&self, radius: f64) -> Section {
        let area = PI * radius * radius;
        Section {
            mass_per_metre: self.density * area,
            stretch: self.modulus * area,
            bend: self.rigidity * self.modulus * area * radius * radius / 4.0,
            compression: self.compression,
            inner_friction: self.inner_friction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_weighs_what_the_tables_say() {
        let of = |name: &str| Material::find(name).unwrap().at_radius(0.006);
        let near = |ours: f64, tables: f64| (ours / tables - 1.0).abs() < 0.05;
        assert!(near(of("hemp").mass_per_metre, 0.105));
        assert!(near(of("nylon").mass_per_metre, 0.089));
        assert!(near(of("steel-cable").mass_per_metre, 0.53));
        // 10.6 kN at 10 to 13 % of stretch.
        assert!((10.6e3 / 0.13..10.6e3 / 0.10).contains(&of("hemp").stretch));
        // A rod of radius r has I = π r⁴ / 4.
        let rod = of("rubber");
        assert!(near(rod.bend, 2e6 * PI * 1.296e-9 / 4.0));
    }

    #[test]
    fn names_are_found() {
        for material in &MATERIALS {
            assert_eq!(Material::find(material.name), Some(material));
        }
        assert_eq!(Material::find("jelly"), None);
    }
}
