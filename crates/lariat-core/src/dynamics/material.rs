//! Materials of simulated ropes and strings: one table for both simulators.
//!
//! Each row describes its material as if the rope were a solid rod of its drawn radius: density,
//! stiffness and strength are per volume or per cross-section, air between strands included.
//! Thickness enters with [`Material::at_radius`].
//!
//! Two stress curves with two slopes each (Rungjiratananon et al. 2012, section 5.1, figure 3):
//! tension over cross-section against stretch, and shear at the surface against twist. Below the
//! yield point the material is elastic; beyond it part of the deformation stays; at the rupture
//! point it tears. Stress is force over the cross-section at rest, stretch is relative to the
//! length at rest. Spline ropes use the first slope only and report a stretch beyond the rupture
//! point; strings use all of it.
//!
//! `source` says where the numbers of a row come from. They are rounded and typical of the name,
//! not a measurement of one product; a document can replace each of them.
//!
//! * Stiffness against bending is `rigidity` times that of a solid rod, since strands slide along
//!   each other. Shear moduli of spun and braided materials are those of loose bundles, far below
//!   a solid rod's.
//! * Inner friction is chosen by eye: a bight of hemp that is released swings back once or twice, as
//!   with a quarter of critical damping at 1 Hz.
//!
//! Tests: `weights_match_manufacturers_tables`, `stress_curves_pass_through_their_points`,
//! `rows_are_found_and_ordered`.

use std::f64::consts::PI;

/// Physical properties of a material, independent of thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Name in documents.
    pub name: &'static str,
    /// Construction and character in one sentence: laid rope, monofilament, braid, chain.
    pub description: &'static str,
    /// Origin of the numbers.
    pub source: &'static str,
    /// Mass per drawn volume, air between strands included, in kg/m³.
    pub density: f64,
    /// Young's modulus up to the yield point, in pascals; infinite for a string that does not
    /// stretch before it yields.
    pub modulus: f64,
    /// Slope of stress over stretch beyond the yield point, in pascals; below `modulus`.
    pub plastic_modulus: f64,
    /// Tensile stress at the yield point, in pascals.
    pub yield_stress: f64,
    /// Tensile stress at the rupture point, in pascals.
    pub rupture_stress: f64,
    /// Shear modulus up to the yield point, in pascals.
    pub shear_modulus: f64,
    /// Slope of shear stress beyond the yield point, in pascals; below `shear_modulus`.
    pub plastic_shear_modulus: f64,
    /// Shear of the surface at the yield point: radius times twist per metre.
    pub yield_shear: f64,
    /// Shear of the surface at the rupture point.
    pub rupture_shear: f64,
    /// Stiffness against bending, relative to a solid rod of the same modulus.
    pub rigidity: f64,
    /// Share of the stretch stiffness that resists compression, 0–1; spline ropes only.
    pub compression: f64,
    /// Damping over stiffness, in seconds.
    pub inner_friction: f64,
}

/// All materials, in the order of the guide.
pub const MATERIALS: [Material; 11] = [
    Material {
        name: "hemp",
        description: "Laid rope of hemp: light, bends easily, comes to rest soon.",
        source: "makers' tables of laid manila, 12 mm: 10.5 kg per 100 m, breaks with 10.6 kN at 10 to 13 % of stretch; inner friction and twist are estimates",
        density: 930.0,
        modulus: 0.9e9,
        plastic_modulus: 0.72e9,
        yield_stress: 36e6,
        rupture_stress: 94e6,
        shear_modulus: 20e6,
        plastic_shear_modulus: 8e6,
        yield_shear: 0.5,
        rupture_shear: 1.5,
        rigidity: 0.02,
        compression: 0.1,
        inner_friction: 0.08,
    },
    Material {
        name: "nylon-rope",
        description: "Laid climbing or mooring rope of nylon: light, stretches.",
        source: "makers' tables of laid nylon, 12 mm: 8.9 kg per 100 m, breaks at about 35 % of stretch with 29 kN; the stretch is kept, and with the modulus of small loads it needs half of that load; yield point, twist and inner friction are estimates",
        density: 790.0,
        modulus: 0.4e9,
        plastic_modulus: 0.35e9,
        yield_stress: 80e6,
        rupture_stress: 132.5e6,
        shear_modulus: 10e6,
        plastic_shear_modulus: 4e6,
        yield_shear: 0.5,
        rupture_shear: 1.5,
        rigidity: 0.01,
        compression: 0.1,
        inner_friction: 0.04,
    },
    Material {
        name: "steel-cable",
        description: "Wire rope of six strands: heavy, hard to stretch and to bend.",
        source: "makers' tables of wire rope, 12 mm: 53 kg per 100 m; modulus of its wires, some 1e11 Pa, on half of its area, and so is their strength (see `steel-wire`); twist and inner friction are estimates",
        density: 4700.0,
        modulus: 50e9,
        plastic_modulus: 27e9,
        yield_stress: 0.45e9,
        rupture_stress: 0.75e9,
        shear_modulus: 0.4e9,
        plastic_shear_modulus: 0.15e9,
        yield_shear: 0.1,
        rupture_shear: 0.5,
        rigidity: 0.01,
        compression: 1.0,
        inner_friction: 0.02,
    },
    Material {
        name: "rubber",
        description: "Solid rubber cord: stretches far and snaps back.",
        source: "rounded, source not recorded; yield point, twist and inner friction are estimates",
        density: 1100.0,
        modulus: 2e6,
        plastic_modulus: 1.5e6,
        yield_stress: 6e6,
        rupture_stress: 12e6,
        shear_modulus: 0.67e6,
        plastic_shear_modulus: 0.5e6,
        yield_shear: 3.0,
        rupture_shear: 7.0,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.01,
    },
    Material {
        name: "chain",
        description: "Welded links: heavy, bends without resistance.",
        source: "rounded, source not recorded; strength, twist and inner friction are estimates",
        density: 2600.0,
        modulus: 20e9,
        plastic_modulus: 10e9,
        yield_stress: 0.2e9,
        rupture_stress: 0.3e9,
        shear_modulus: 1e6,
        plastic_shear_modulus: 0.5e6,
        yield_shear: 1.0,
        rupture_shear: 3.0,
        rigidity: 0.0,
        compression: 0.0,
        inner_friction: 0.002,
    },
    Material {
        name: "cotton-thread",
        description: "Spun sewing cotton.",
        source: "makers' tables of sewing cotton, 0.3 mm: breaks with about 10 N at 7 % of stretch; twist and inner friction are estimates",
        density: 1000.0,
        modulus: 3e9,
        plastic_modulus: 1.7e9,
        yield_stress: 45e6,
        rupture_stress: 140e6,
        shear_modulus: 60e6,
        plastic_shear_modulus: 20e6,
        yield_shear: 0.4,
        rupture_shear: 1.5,
        rigidity: 0.02,
        compression: 0.1,
        inner_friction: 0.02,
    },
    Material {
        name: "nylon-line",
        description: "Monofilament fishing line: springy, hard to tear.",
        source: "makers' tables of nylon line, 0.3 mm: breaks with about 45 N at 25 % of stretch; moduli rounded from handbooks; inner friction is an estimate",
        density: 1140.0,
        modulus: 3e9,
        plastic_modulus: 2.2e9,
        yield_stress: 70e6,
        rupture_stress: 600e6,
        shear_modulus: 0.8e9,
        plastic_shear_modulus: 0.3e9,
        yield_shear: 0.15,
        rupture_shear: 1.0,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.01,
    },
    Material {
        name: "spaghetti",
        description: "Boiled spaghetti: soft and weak.",
        source: "estimates from the kitchen: breaks at a third more than its length",
        density: 1100.0,
        modulus: 0.3e6,
        plastic_modulus: 0.15e6,
        yield_stress: 40e3,
        rupture_stress: 75e3,
        shear_modulus: 0.1e6,
        plastic_shear_modulus: 0.04e6,
        yield_shear: 0.25,
        rupture_shear: 0.8,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.05,
    },
    Material {
        name: "licorice",
        description: "Licorice string: stays as long as it was pulled.",
        source: "estimates from the kitchen: breaks at two thirds more than its length",
        density: 1350.0,
        modulus: 2e6,
        plastic_modulus: 0.4e6,
        yield_stress: 0.15e6,
        rupture_stress: 0.4e6,
        shear_modulus: 0.7e6,
        plastic_shear_modulus: 0.14e6,
        yield_shear: 0.15,
        rupture_shear: 1.2,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.08,
    },
    Material {
        name: "steel-wire",
        description: "Solid spring-steel wire: springy, stays twisted past its yield point.",
        source: "rounded from handbooks; music wire breaks at 1.5e9 Pa; inner friction is an estimate",
        density: 7850.0,
        modulus: 200e9,
        plastic_modulus: 10e9,
        yield_stress: 0.9e9,
        rupture_stress: 1.5e9,
        shear_modulus: 79e9,
        plastic_shear_modulus: 4e9,
        yield_shear: 0.007,
        rupture_shear: 0.15,
        rigidity: 1.0,
        compression: 1.0,
        inner_friction: 0.0005,
    },
    Material {
        name: "shoelace",
        description: "Braided lace: limp.",
        source: "estimates; a loose braid has a shear modulus far below that of a solid rod",
        density: 700.0,
        modulus: 0.3e9,
        plastic_modulus: 0.15e9,
        yield_stress: 20e6,
        rupture_stress: 60e6,
        shear_modulus: 3e6,
        plastic_shear_modulus: 1e6,
        yield_shear: 0.6,
        rupture_shear: 2.0,
        rigidity: 0.005,
        compression: 0.1,
        inner_friction: 0.1,
    },
];

/// Cross-section properties of one rope, as a solver needs them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Mass per length, in kg/m.
    pub mass_per_metre: f64,
    /// Tension over stretch, `EA`, in newtons.
    pub stretch: f64,
    /// Moment over curvature, `EI`, in N m².
    pub bend: f64,
    /// Share of `stretch` that resists compression, 0–1.
    pub compression: f64,
    /// Damping over stiffness, in seconds.
    pub inner_friction: f64,
}

impl Material {
    /// Returns the material of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        MATERIALS.iter().find(|material| material.name == name)
    }

    /// A material that never stretches, yields or breaks and has no stiffness against bending and
    /// twisting: a fine chain.
    pub fn ideal(density: f64) -> Self {
        Self {
            name: "ideal",
            description: "Does not stretch, bends and twists freely.",
            source: "an idealisation",
            density,
            modulus: f64::INFINITY,
            plastic_modulus: f64::INFINITY,
            yield_stress: f64::INFINITY,
            rupture_stress: f64::INFINITY,
            shear_modulus: 0.0,
            plastic_shear_modulus: 0.0,
            yield_shear: f64::INFINITY,
            rupture_shear: f64::INFINITY,
            rigidity: 0.0,
            compression: 0.0,
            inner_friction: 0.0,
        }
    }

    /// Cross-section properties of a rope of this radius in metres.
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

    /// Stretch at a tensile stress under first loading, 0.1 being a tenth longer than at rest.
    pub fn strain(&self, stress: f64) -> f64 {
        let elastic = stress.min(self.yield_stress) / self.modulus;
        let beyond = (stress - self.yield_stress).max(0.0);
        if beyond > 0.0 { elastic + beyond / self.plastic_modulus } else { elastic }
    }

    /// Further stretch per stress beyond the yield point: `1/Eₚ − 1/E`.
    pub fn flow(&self) -> f64 {
        if self.yield_stress.is_finite() {
            (1.0 / self.plastic_modulus - 1.0 / self.modulus).max(0.0)
        } else {
            0.0
        }
    }

    /// Stretch at the rupture point.
    pub fn breaking_strain(&self) -> f64 {
        self.strain(self.rupture_stress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_match_manufacturers_tables() {
        let of = |name: &str| Material::find(name).unwrap().at_radius(0.006);
        let near = |ours: f64, tables: f64| (ours / tables - 1.0).abs() < 0.05;
        assert!(near(of("hemp").mass_per_metre, 0.105));
        assert!(near(of("nylon-rope").mass_per_metre, 0.089));
        assert!(near(of("steel-cable").mass_per_metre, 0.53));
        // 10.6 kN at 10 to 13 % of stretch.
        assert!((10.6e3 / 0.13..10.6e3 / 0.10).contains(&of("hemp").stretch));
        // A rod of radius r has I = π r⁴ / 4.
        let rod = of("rubber");
        assert!(near(rod.bend, 2e6 * PI * 1.296e-9 / 4.0));
    }

    #[test]
    fn stress_curves_pass_through_their_points() {
        let near = |ours: f64, known: f64| (ours / known - 1.0).abs() < 0.07;
        for (name, breaks) in [
            ("cotton-thread", 0.07),
            ("hemp", 0.12),
            ("nylon-line", 0.26),
            ("nylon-rope", 0.35),
            ("steel-cable", 0.02),
            ("chain", 0.02),
        ] {
            let material = Material::find(name).unwrap();
            let strain = material.breaking_strain();
            assert!(near(strain, breaks), "{name}: {strain}");
        }
        // A thread of 0.3 mm breaks with about 10 N, a line of 0.3 mm with 45 N, a laid rope of
        // 12 mm with 10.6 kN.
        for (name, radius, newtons) in
            [("cotton-thread", 1.5e-4, 10.0), ("nylon-line", 1.5e-4, 43.0), ("hemp", 6e-3, 10.6e3)]
        {
            let load = Material::find(name).unwrap().rupture_stress * PI * radius * radius;
            assert!(near(load, newtons), "{name}: {load} N");
        }
        for material in &MATERIALS {
            let name = material.name;
            let below = material.strain(material.yield_stress * (1.0 - 1e-9));
            let above = material.strain(material.yield_stress * (1.0 + 1e-9));
            assert!(near(below, above) && above > below, "{name}");
            // Loading follows Ep, unloading E: the difference stays.
            let top = material.rupture_stress;
            let stays = material.strain(top) - top / material.modulus;
            let flowed = (top - material.yield_stress) * material.flow();
            assert!((stays - flowed).abs() < 1e-12 * stays.max(1.0), "{name}");
        }
    }

    #[test]
    fn rows_are_found_and_ordered() {
        for material in &MATERIALS {
            let name = material.name;
            assert_eq!(Material::find(name), Some(material));
            assert!(material.plastic_modulus < material.modulus, "{name}");
            assert!(material.yield_stress < material.rupture_stress, "{name}");
            assert!(material.plastic_shear_modulus < material.shear_modulus, "{name}");
            assert!(material.yield_shear < material.rupture_shear, "{name}");
            assert!(material.description.ends_with('.') && !material.source.is_empty(), "{name}");
        }
        assert_eq!(Material::find("jelly"), None);
    }
}
