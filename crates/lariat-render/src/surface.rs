//! Surfaces of strands, by the name of their look: finish, relief, glow.
//!
//! A surface is a few numbers, which both renderers read. Relief is a height above the round
//! surface, in radii, as a function of the position along and around the strand, also in radii. It
//! moves with the strand's frames and its twist, which makes twist visible. Relief affects only
//! normals and tint; the outline stays round. It fades where its wavelengths approach the size of a
//! pixel, so that a distant rope is smooth and does not glitter.
//!
//! The names and their descriptions are [`LOOKS`].
//!
//! A mesh has no direction along, so it is smooth; but a mesh cut from timber shows the rings and
//! fibres at its position in the trunk.
//!
//! Unknown names are matte surfaces of their colour.
//!
//! Tests: `unknown_names_are_plain`, `every_listed_name_has_a_surface`,
//! `a_laid_rope_repeats_after_a_third_of_its_pitch`, `slopes_are_the_derivative_of_the_height`,
//! `relief_fades_with_the_size_of_a_pixel`, `noise_is_periodic_without_a_seam`,
//! `rings_run_along_the_grain`.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};
use lariat_core::{
    geometry::{LOOKS, Look},
    num::ops,
};

use crate::stage::smooth;

/// Names of all looks with a surface: all of [`LOOKS`] but the last, `plain`.
pub const NAMES: [&str; LOOKS.len() - 1] = {
    let mut names = [""; LOOKS.len() - 1];
    let mut row = 0;
    while row < names.len() {
        names[row] = LOOKS[row].0;
        row += 1;
    }
    names
};

/// Resolved shading of a strand: colour, relief, reflection, roughness and glow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Linear colour.
    pub colour: DVec3,
    /// Bumps and their tint.
    pub relief: Relief,
    /// Reflectance at normal incidence, 0–1; metals reflect in their own colour.
    pub reflect: f64,
    /// 0 is a mirror, 1 is chalk.
    pub roughness: f64,
    /// Whether it is metal: no colour below its reflection.
    pub metal: bool,
    /// Brightness of its own light.
    pub glow: f64,
}

/// The pattern of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// None.
    Smooth,
    /// Strands laid around each other, right-handed.
    Laid {
        /// Number of strands.
        strands: u32,
        /// Whether each is spun of yarns.
        yarns: bool,
    },
    /// Interlaced carriers.
    Braid,
    /// Threads crossing at right angles.
    Weave,
    /// Grain, edges, and a seam on flat strands.
    Leather,
    /// Grain along the strand.
    Wood,
    /// A socket and glass.
    Bulb,
}

/// A place on a strand's surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Distance from the start, in local radii.
    pub along: f64,
    /// 0–1 from start to end.
    pub u: f64,
    /// Turns around, from the twisted normal towards the binormal.
    pub angle: f64,
    /// Position in the cross-section, in radii: along the twisted normal and binormal.
    pub across: DVec2,
    /// Radius, in metres.
    pub radius: f64,
    /// Size of a pixel here, in metres.
    pub pixel: f64,
    /// Whether the profile is round.
    pub round: bool,
}

/// Effect of the pattern at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Slope of the surface along the strand and around it.
    pub slope: DVec2,
    /// Factor on the colour.
    pub tint: f64,
    /// Openness of the place: 1 on top, less in a groove.
    pub open: f64,
    /// Another colour, and its share.
    pub paint: (DVec3, f64),
    /// Factor on the glow.
    pub glow: f64,
}

impl Touch {
    pub(crate) const NONE: Self =
        Self { slope: DVec2::ZERO, tint: 1.0, open: 1.0, paint: (DVec3::ZERO, 0.0), glow: 1.0 };
}

impl Surface {
    /// Surface of a look; plain and matte for an unknown name.
    pub fn of(look: &Look) -> Self {
        let plain = Self {
            colour: DVec3::from(look.colour).max(DVec3::ZERO),
            relief: Relief::Smooth,
            reflect: 0.04,
            roughness: 0.8,
            metal: false,
            glow: 0.0,
        };
        let metal = Self { metal: true, reflect: 1.0, roughness: 0.25, ..plain };
        match &*look.name {
            "rope" | "hemp" | "manila" => {
                Self { relief: Relief::Laid { strands: 3, yarns: true }, roughness: 0.9, ..plain }
            }
            "cord" | "cotton" | "nylon" | "braid" | "string" => {
                Self { relief: Relief::Braid, roughness: 0.75, ..plain }
            }
            "cable" | "wire-rope" => {
                Self { relief: Relief::Laid { strands: 6, yarns: false }, roughness: 0.35, ..metal }
            }
            "wire" | "coated-wire" | "plastic" => Self { roughness: 0.28, reflect: 0.045, ..plain },
            "bare-wire" | "copper" => {
                Self { relief: Relief::Laid { strands: 7, yarns: false }, roughness: 0.25, ..metal }
            }
            "steel" | "brass" | "gold" | "iron" => metal,
            "chrome" => Self { roughness: 0.08, ..metal },
            "rubber" => Self { roughness: 0.42, reflect: 0.05, ..plain },
            "leather" => Self { relief: Relief::Leather, roughness: 0.5, reflect: 0.045, ..plain },
            "wood" => Self { relief: Relief::Wood, roughness: 0.6, ..plain },
            "cloth" | "canvas" | "webbing" => {
                Self { relief: Relief::Weave, roughness: 0.95, ..plain }
            }
            "skin" => Self { roughness: 0.55, ..plain },
            "bulb" | "glass" => {
                Self { relief: Relief::Bulb, roughness: 0.12, reflect: 0.06, glow: 1.0, ..plain }
            }
            _ => plain,
        }
    }
}

impl Relief {
    /// Effect of the pattern at a place.
    pub fn at(self, place: &Place) -> Touch {
        match self {
            Self::Smooth => Touch::NONE,
            Self::Laid { strands, yarns } => laid(place, f64::from(strands), yarns),
            Self::Braid => braid(place),
            Self::Weave => weave(place),
            Self::Leather => leather(place),
            Self::Wood => wood(place),
            Self::Bulb => bulb(place),
        }
    }
}

/// Remaining share of a wave of this length for a pixel of this size.
fn keep(wavelength: f64, pixel: f64) -> f64 {
    smooth(1.2, 3.5, wavelength / pixel.max(1e-12))
}

/// Length of one turn of a strand around the rope, in radii: the lay.
pub(crate) const PITCH: f64 = 7.0;

/// Lay of `n` strands of a rope: length of one turn in metres, and the radius of each in radii of
/// the rope.
pub(crate) fn lay(n: f64, radius: f64) -> (f64, f64) {
    let half = ops::sin_turns(0.5 / n);
    (PITCH * radius * (n / 3.0).max(1.0).sqrt(), half / (1.0 + half))
}

/// Circles side by side around a common centre, all touching the outer one: with `ρ = sin(π/n) /
/// (1 + sin(π/n))` their radius and `c = 1 − ρ` that of their centres, the outline is
/// `r(φ) = c cos φ + √(ρ² − c² sin² φ)` for `φ` from the middle of one of them.
fn laid(place: &Place, n: f64, yarns: bool) -> Touch {
    let (pitch, rho) = lay(n, 1.0);
    let v = n * (place.angle - place.along / pitch);
    let x = 2.0 * (v - v.floor()) - 1.0;
    // Where neighbours touch, the outline is vertical; stop slightly before.
    let phi = x * 0.93 / (2.0 * n); // turns
    let (sin, cos) = (ops::sin_turns(phi), ops::cos_turns(phi));
    let c = 1.0 - rho;
    let root = (rho * rho - c * c * sin * sin).max(1e-4).sqrt();
    let r = c * cos + root;
    let slope = (-c * sin - c * c * sin * cos / root).clamp(-1.5, 1.5);
    let shown = keep(TAU * place.radius / n * 0.75, place.pixel);
    let floor = c * ops::cos_turns(0.5 / n);
    let depth = ((r - floor) / (1.0 - floor)).clamp(0.0, 1.0);
    let open = 0.28 + 0.72 * depth.sqrt();
    let mut touch = Touch {
        slope: DVec2::new(-slope * TAU / pitch, slope / r) * shown,
        open: 0.83 + (open - 0.83) * shown,
        ..Touch::NONE
    };
    if yarns {
        yarn(place, n, pitch, v.floor().rem_euclid(n), &mut touch);
    }
    touch
}

/// Yarns turn the opposite way within a strand, so on top of a laid rope they run nearly along it.
fn yarn(place: &Place, n: f64, pitch: f64, strand: f64, touch: &mut Touch) {
    let count = n * 6.0;
    let y = count * (place.angle + 0.22 * place.along / pitch);
    let x = 2.0 * (y - y.floor()) - 1.0;
    let shown = keep(TAU * place.radius / count, place.pixel);
    let around = (y.floor() as i64).rem_euclid(count as i64);
    let own = hash(around, strand as i64 + 7) - 0.5;
    // Fibres: fine intermittent stripes.
    let fibre = noise(place.angle * count * 3.0, count * 3.0, place.along * 1.3) - 0.5;
    touch.slope += DVec2::new(0.0, -0.55 * x * shown);
    touch.tint *= 1.0 + (0.34 * own + 0.3 * fibre) * shown;
    touch.open *= 1.0 - 0.25 * x * x * shown;
}

/// Sixteen carriers, eight in each direction; the upper one alternates from diamond to diamond.
fn braid(place: &Place) -> Touch {
    const CARRIERS: f64 = 8.0;
    let pitch = 7.5;
    let turns = place.along / pitch;
    let (a, b) = (CARRIERS * (place.angle + turns), CARRIERS * (place.angle - turns));
    let a_on_top = (a.floor() + b.floor()) as i64 & 1 == 0;
    // Across the upper carrier, and along it; `inclination` is +1 or −1.
    let (across, along, inclination) = if a_on_top { (a, b, 1.0) } else { (b, a, -1.0) };
    let x = 2.0 * (across - across.floor()) - 1.0;
    let y = 2.0 * (along - along.floor()) - 1.0;
    let cell = TAU / CARRIERS;
    let shown = keep(0.7 * cell * place.radius, place.pixel);
    // A cushion: rounded across, dipping at both ends. Slopes per cell, then per metre.
    let (dx, dy) = (-0.55 * x, -0.42 * y);
    let lean = CARRIERS / pitch * cell;
    let slope = DVec2::new(inclination * lean * (dx - dy), dx + dy);
    let threads = 2.0 * (across * 3.0 - (across * 3.0).floor()) - 1.0;
    let fine = keep(0.2 * cell * place.radius, place.pixel);
    let own = hash(across.floor().rem_euclid(CARRIERS) as i64, i64::from(a_on_top)) - 0.5;
    let groove = (x * x).max(y * y);
    Touch {
        slope: (slope * shown) + DVec2::new(inclination * lean, 1.0) * (-0.25 * threads * fine),
        tint: 1.0 + 0.1 * own * shown,
        open: 0.9 + (1.0 - 0.5 * groove * groove - 0.9) * shown,
        ..Touch::NONE
    }
}

/// Distance around the surface in radii, for straps as well as tubes.
fn around(place: &Place) -> f64 {
    if place.round { place.angle * TAU } else { place.across.y }
}

fn weave(place: &Place) -> Touch {
    let cell = 0.16; // radii
    let (a, b) = (around(place) / cell, place.along / cell);
    let over = (a.floor() + b.floor()) as i64 & 1 == 0;
    let (x, y) = (2.0 * (a - a.floor()) - 1.0, 2.0 * (b - b.floor()) - 1.0);
    let shown = keep(cell * place.radius, place.pixel);
    let slope = if over { DVec2::new(-0.2 * y, -0.5 * x) } else { DVec2::new(-0.5 * y, -0.2 * x) };
    let worn = noise(place.angle * 4.0, 4.0, place.along / 3.0) - 0.5;
    Touch {
        slope: slope * shown,
        tint: 1.0 + 0.2 * worn,
        open: 1.0 - 0.25 * (x * x).max(y * y) * shown,
        ..Touch::NONE
    }
}

fn leather(place: &Place) -> Touch {
    let scale = 0.09; // of the grain, in radii
    let (a, b) = (around(place) / scale, place.along / scale);
    let period = if place.round { (TAU / scale).round() } else { 1e6 };
    let a = if place.round { place.angle * period } else { a };
    let shown = keep(scale * place.radius * 1.5, place.pixel);
    let at = |da: f64, db: f64| noise(a + da, period, b + db);
    let here = at(0.0, 0.0);
    let mut touch = Touch {
        slope: DVec2::new(at(0.0, 0.3) - here, at(0.3, 0.0) - here) * (-0.55 * shown),
        tint: 1.0 + (here - 0.5) * 0.25 * shown,
        ..Touch::NONE
    };
    if !place.round {
        // Edges are burnished dark; a seam runs inside them, on the faces.
        let y = place.across.y.abs();
        touch.tint *= 1.0 - 0.55 * smooth(0.88, 0.99, y);
        let on_face = y < 0.97;
        let (from_row, stitch) = ((y - 0.8) / 0.035, place.along / 0.28);
        let along = (2.0 * (stitch - stitch.floor()) - 1.0) / 0.72;
        let shown = keep(0.1 * place.radius, place.pixel);
        let far = from_row * from_row + along * along * along * along;
        if on_face && far < 1.0 {
            touch.paint = (DVec3::new(0.62, 0.5, 0.33), (1.0 - far).sqrt().min(1.0) * shown);
            touch.slope += DVec2::new(-0.5 * along, 0.9 * from_row) * shown;
        } else if on_face && from_row.abs() < 1.6 {
            touch.tint *= 1.0 - 0.3 * shown; // its groove
        }
    }
    touch
}

fn wood(place: &Place) -> Touch {
    let long = place.along / 9.0;
    let broad = noise(place.angle * 7.0, 7.0, long) - 0.5;
    let fine = noise(place.angle * 31.0, 31.0, long * 1.7) - 0.5;
    let shown = keep(TAU * place.radius / 31.0, place.pixel);
    Touch { tint: 1.0 + 0.5 * broad + 0.7 * fine * shown, ..Touch::NONE }
}

/// Wood at a position in the trunk, in metres, along it and from its centre. Rings are 17
/// millimetres wide, light earlywood and dark latewood; fibres run along them.
pub(crate) fn timber(at: DVec3, pixel: f64) -> Touch {
    const RING: f64 = 0.017;
    const FIBRE: f64 = 0.004;
    const WIDE: f64 = 4096.0; // period of the noise in cells
    let DVec3 { x, y, z } = at;
    // Trunks are neither straight nor round.
    let bow = noise(y * 6.0 + z * 4.0, WIDE, x * 1.7) - 0.5;
    let r = (y * y + z * z).sqrt() + 0.022 * bow;
    let rings = r / RING;
    let f = rings - rings.floor();
    let autumn = if f < 0.8 { f * f / 0.64 } else { 5.0 * (1.0 - f) };
    let own = hash(rings.floor() as i64, 11) - 0.5;
    let fibre = noise(y / FIBRE, WIDE, x * 5.0) + noise(z / FIBRE, WIDE, x * 5.0 + 31.0) - 1.0;
    let broad = noise(y * 9.0 - z * 7.0, WIDE, x * 2.3 + 5.0) - 0.5;
    let (rings_shown, fibre_shown) = (keep(RING, pixel), keep(FIBRE, pixel));
    let tint = 1.06 - (0.42 * (autumn - 0.38) + 0.1 * own) * rings_shown
        + 0.3 * fibre * fibre_shown
        + 0.3 * broad;
    Touch { tint, ..Touch::NONE }
}

/// Extent of a bulb's socket along it, 0–1.
pub(crate) const SOCKET: f64 = 0.29;

/// Part of the socket below the glass that its light shines through, 0–1 along the bulb.
pub(crate) const COLLAR: f64 = 0.1;

fn bulb(place: &Place) -> Touch {
    if place.u > SOCKET {
        return Touch::NONE;
    }
    let lit = smooth(SOCKET - COLLAR, SOCKET, place.u);
    Touch { paint: (DVec3::new(0.03, 0.042, 0.032), 1.0), glow: 0.12 * lit, ..Touch::NONE }
}

/// Hash of a point of the integer grid, 0–1.
fn hash(x: i64, y: i64) -> f64 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
    f64::from(h ^ (h >> 15)) / 4_294_967_296.0
}

/// Smooth noise in 0–1, periodic in `x` with a whole number `period`.
fn noise(x: f64, period: f64, y: f64) -> f64 {
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let (sx, sy) = (fx * fx * (3.0 - 2.0 * fx), fy * fy * (3.0 - 2.0 * fy));
    let wrap = |x: f64| x.rem_euclid(period) as i64;
    let (x0, x1) = (wrap(x.floor()), wrap(x.floor() + 1.0));
    let (y0, y1) = (y.floor() as i64, y.floor() as i64 + 1);
    let low = hash(x0, y0) + (hash(x1, y0) - hash(x0, y0)) * sx;
    let high = hash(x0, y1) + (hash(x1, y1) - hash(x0, y1)) * sx;
    low + (high - low) * sy
}

/// Angle of a position in the cross-section, in turns.
pub(crate) fn angle_of(across: DVec2) -> f64 {
    ops::atan2(across.y, across.x) * (0.5 / PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position `s` metres along a rope of two centimetres.
    fn place(s: f64, angle: f64) -> Place {
        let across = DVec2::new(ops::cos_turns(angle), ops::sin_turns(angle));
        Place { along: s / 0.02, u: 0.5, angle, across, radius: 0.02, pixel: 1e-6, round: true }
    }

    fn surface(name: &str) -> Surface {
        Surface::of(&Look { name: name.into(), colour: [0.1, 0.2, 0.3] })
    }

    #[test]
    fn unknown_names_are_plain() {
        let plain = surface("stardust");
        assert_eq!(plain.relief, Relief::Smooth);
        assert_eq!((plain.metal, plain.glow), (false, 0.0));
        assert_eq!(plain.colour, DVec3::new(0.1, 0.2, 0.3));
        assert!(surface("steel").metal && surface("bulb").glow > 0.0);
        assert_ne!(surface("rope").relief, Relief::Smooth);
    }

    #[test]
    fn every_listed_name_has_a_surface() {
        for name in NAMES {
            assert_ne!(surface(name), surface("stardust"), "`{name}` looks like any other");
        }
    }

    #[test]
    fn a_laid_rope_repeats_after_a_third_of_its_pitch() {
        let relief = Relief::Laid { strands: 3, yarns: false };
        let pitch = PITCH * 0.02;
        for k in 0..50 {
            let (s, angle) = (f64::from(k) * 0.0031, f64::from(k) * 0.071);
            let here = relief.at(&place(s, angle));
            for other in [
                relief.at(&place(s + pitch / 3.0, angle)),
                relief.at(&place(s, angle + 1.0 / 3.0)),
                // Strands are right-handed: further along is further around.
                relief.at(&place(s + 0.1 * pitch, angle + 0.1)),
            ] {
                assert!((here.slope - other.slope).length() < 1e-6, "{here:?} {other:?}");
            }
        }
    }

    #[test]
    fn slopes_are_the_derivative_of_the_height() {
        // The outline of three touching circles, straight from their equation.
        let n: f64 = 3.0;
        let rho = 0.866_025_403_784_438_6 / 1.866_025_403_784_438_6;
        let c = 1.0 - rho;
        let outline = |phi: f64| {
            c * ops::cos(phi) + (rho * rho - c * c * ops::sin(phi) * ops::sin(phi)).sqrt()
        };
        for k in -8..=8 {
            let phi = f64::from(k) * 0.07;
            let h = 1e-6;
            let expected = (outline(phi + h) - outline(phi - h)) / (2.0 * h) / outline(phi);
            // The middle of a strand is at a sixth of a turn; 0.93 stretches it slightly.
            let angle = 0.5 / n + phi / TAU / 0.93;
            let found = Relief::Laid { strands: 3, yarns: false }.at(&place(0.0, angle)).slope.y;
            assert!((found - expected).abs() < 1e-4, "{found} for {expected} at {phi}");
        }
    }

    #[test]
    fn relief_fades_with_the_size_of_a_pixel() {
        for relief in [Relief::Laid { strands: 3, yarns: true }, Relief::Braid, Relief::Weave] {
            let mut near: f64 = 0.0;
            for k in 0..40 {
                let here = place(f64::from(k) * 0.0017, f64::from(k) * 0.013);
                near = near.max(relief.at(&here).slope.length());
                let far = relief.at(&Place { pixel: 0.1, ..here });
                assert_eq!(far.slope, DVec2::ZERO, "{relief:?}");
            }
            assert!(near > 0.3, "{relief:?} is flat: {near}");
        }
    }

    #[test]
    fn rings_run_along_the_grain() {
        // Along the trunk little changes, across the rings a lot.
        let tint = |x: f64, y: f64| timber(DVec3::new(x, y, 0.1), 1e-6).tint;
        let rises = |dx: f64, dy: f64| -> f64 {
            let places = (0..200).map(|k| (0.013 * f64::from(k), 0.1 + 0.0007 * f64::from(k)));
            places.map(|(x, y)| (tint(x + dx, y + dy) - tint(x, y)).abs()).sum::<f64>() / 200.0
        };
        assert!(rises(0.0, 0.005) > 4.0 * rises(0.005, 0.0), "{}", rises(0.005, 0.0));
        // At a distance, only broad variations remain.
        let far = |k: u32| timber(DVec3::new(1.0, 0.1 + 0.001 * f64::from(k), 0.1), 0.1).tint;
        assert!((0..20).all(|k| (far(k) - far(0)).abs() < 0.06));
    }

    #[test]
    fn noise_is_periodic_without_a_seam() {
        for k in 0..30 {
            let y = f64::from(k) * 0.37;
            assert!((noise(0.0, 7.0, y) - noise(7.0, 7.0, y)).abs() < 1e-12);
            assert!((noise(6.999_999, 7.0, y) - noise(0.000_001, 7.0, y)).abs() < 1e-4);
            assert!((0.0..=1.0).contains(&noise(0.3 * f64::from(k), 7.0, y)));
        }
    }
}
