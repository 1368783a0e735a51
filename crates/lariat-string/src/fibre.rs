//! What strings are made of: how they stretch, twist, yield and break.
//!
//! Two curves with two slopes each (section 5.1 of the paper, figure 3): pull over cross-section
//! against stretch, and shear at the surface against twist. Below the yield point a string comes
//! back; beyond it part of the change stays; at the rupture point it tears. Stress is newtons over
//! the cross-section at rest, stretch is relative to the length at rest.
//!
//! Eight by name, told as if the string were solid. The numbers are rounded from handbooks and
//! makers' tables where these exist (sewing cotton of 0.3 mm breaks at about 10 N and 7 %, laid
//! hemp of 12 mm at 10.6 kN and 12 %, nylon line of 0.3 mm at about 45 N and 25 %, music wire at
//! 1.5e9 Pa) and are guesses from the kitchen where they do not (boiled spaghetti breaks at a third
//! more than its length, licorice at two thirds). They are what a string of that name may be, not a
//! measurement of any; each can be replaced. Shear moduli of what is spun or braided are those of
//! loose bundles, far below a solid rod's.
//!
//! Tests: `curves_meet_their_points`, `fibres_are_found_and_ordered`.

/// What a string is made of, whatever its thickness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibre {
    /// As documents say it.
    pub name: &'static str,
    /// In kg/m³.
    pub density: f64,
    /// Young's modulus up to the yield point, in pascals; infinite is a string that does not
    /// stretch before it yields.
    pub modulus: f64,
    /// Slope beyond the yield point, in pascals; below `modulus`.
    pub plastic_modulus: f64,
    /// Stress where it yields, in pascals.
    pub yield_stress: f64,
    /// Stress where it breaks, in pascals.
    pub rupture_stress: f64,
    /// Shear modulus up to the yield point, in pascals.
    pub shear_modulus: f64,
    /// Slope beyond, in pascals.
    pub plastic_shear_modulus: f64,
    /// Shear of the surface where it yields: radius times twist per metre.
    pub yield_shear: f64,
    /// Shear of the surface where it breaks.
    pub rupture_shear: f64,
    /// Stiffness against bending, relative to a solid rod of that modulus: strands slide.
    pub rigidity: f64,
    /// Damping over stiffness against bending and twisting, in seconds.
    pub inner_friction: f64,
}

impl Fibre {
    /// The fibre of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        FIBRES.iter().find(|fibre| fibre.name == name)
    }

    /// One that never stretches, bends back, yields or breaks: a fine chain.
    pub fn ideal(density: f64) -> Self {
        Self {
            name: "ideal",
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
            inner_friction: 0.0,
        }
    }

    /// Stretch at a stress, loaded for the first time.
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

    /// Stretch at which it breaks.
    pub fn breaks_at(&self) -> f64 {
        self.strain(self.rupture_stress)
    }
}

/// Every fibre, in the order of the guide.
pub const FIBRES: [Fibre; 8] = [
    Fibre {
        name: "cotton-thread",
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
        inner_friction: 0.02,
    },
    Fibre {
        name: "hemp",
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
        inner_friction: 0.08,
    },
    Fibre {
        name: "nylon",
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
        inner_friction: 0.01,
    },
    Fibre {
        name: "rubber-cord",
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
        inner_friction: 0.01,
    },
    Fibre {
        name: "spaghetti",
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
        inner_friction: 0.05,
    },
    Fibre {
        name: "licorice",
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
        inner_friction: 0.08,
    },
    Fibre {
        name: "steel-wire",
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
        inner_friction: 0.0005,
    },
    Fibre {
        name: "shoelace",
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
        inner_friction: 0.1,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_meet_their_points() {
        let near = |ours: f64, known: f64| (ours / known - 1.0).abs() < 0.07;
        for (name, breaks) in [("cotton-thread", 0.07), ("hemp", 0.12), ("nylon", 0.26)] {
            let fibre = Fibre::find(name).unwrap();
            assert!(near(fibre.breaks_at(), breaks), "{name}: {}", fibre.breaks_at());
        }
        for fibre in &FIBRES {
            let below = fibre.strain(fibre.yield_stress * (1.0 - 1e-9));
            let above = fibre.strain(fibre.yield_stress * (1.0 + 1e-9));
            assert!(near(below, above) && above > below, "{}", fibre.name);
            // Loading follows Ep, unloading E: what stays is their difference.
            let (top, span) = (fibre.rupture_stress, fibre.rupture_stress - fibre.yield_stress);
            let stays = fibre.strain(top) - top / fibre.modulus;
            assert!((stays - span * fibre.flow()).abs() < 1e-12 * stays.max(1.0), "{}", fibre.name);
        }
    }

    #[test]
    fn fibres_are_found_and_ordered() {
        for fibre in &FIBRES {
            assert_eq!(Fibre::find(fibre.name), Some(fibre));
            assert!(fibre.plastic_modulus < fibre.modulus, "{}", fibre.name);
            assert!(fibre.yield_stress < fibre.rupture_stress, "{}", fibre.name);
            assert!(fibre.plastic_shear_modulus < fibre.shear_modulus, "{}", fibre.name);
            assert!(fibre.yield_shear < fibre.rupture_shear, "{}", fibre.name);
        }
        assert_eq!(Fibre::find("jelly"), None);
    }
}
