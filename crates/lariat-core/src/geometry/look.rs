//! Looks: the appearance of strands and meshes, by name.
//!
//! A look is a name and a colour. The renderer resolves the name to a surface; exports write it as
//! it is, so that other programs can bind a shader to it. Names that are not in [`LOOKS`] are
//! allowed and drawn as `plain`.
//!
//! Tests: `looks_are_found_by_name`.

use std::sync::Arc;

/// Appearance of a strand: a name that the renderer knows, and a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// `rope`, `rubber`, `steel`, …
    pub name: Arc<str>,
    /// Linear red, green, blue in 0–1.
    pub colour: [f64; 3],
}

/// Natural linear colour of a look; `None` for looks that come in any colour and for unknown names.
pub fn natural_colour(name: &str) -> Option<[f64; 3]> {
    Some(match name {
        "rope" | "hemp" | "manila" => [0.45, 0.29, 0.13],
        "cable" | "wire-rope" | "steel" | "iron" => [0.52, 0.53, 0.55],
        "chrome" => [0.62, 0.63, 0.65],
        "bare-wire" | "copper" => [0.8, 0.42, 0.25],
        "brass" => [0.72, 0.5, 0.18],
        "gold" => [0.9, 0.62, 0.2],
        "rubber" => [0.02, 0.02, 0.022],
        "leather" => [0.17, 0.075, 0.03],
        "wood" => [0.22, 0.12, 0.05],
        _ => return None,
    })
}

/// Names and descriptions of all looks that the renderer knows.
pub const LOOKS: [(&str, &str); 30] = [
    ("rope", "three strands laid right-handed, each of yarns"),
    ("hemp", "as `rope`"),
    ("manila", "as `rope`"),
    ("cord", "sixteen carriers braided over and under each other"),
    ("cotton", "as `cord`"),
    ("nylon", "as `cord`"),
    ("braid", "as `cord`"),
    ("string", "as `cord`"),
    ("cable", "six steel strands"),
    ("wire-rope", "as `cable`"),
    ("wire", "smooth and glossy"),
    ("coated-wire", "as `wire`"),
    ("plastic", "as `wire`"),
    ("bare-wire", "twisted bright metal"),
    ("copper", "as `bare-wire`"),
    ("steel", "drawn metal"),
    ("brass", "as `steel`"),
    ("iron", "as `steel`"),
    ("gold", "as `steel`"),
    ("chrome", "as `steel`, nearly a mirror"),
    ("rubber", "black with a soft shine"),
    ("leather", "grain, dark edges, and a seam along a flat strap"),
    ("wood", "grain along the strand"),
    ("cloth", "a plain weave"),
    ("canvas", "as `cloth`"),
    ("webbing", "as `cloth`"),
    ("skin", "smooth and soft"),
    ("bulb", "glows beyond its socket"),
    ("glass", "as `bulb`"),
    ("plain", "a matte surface of its colour"),
];

/// Returns true if the renderer knows a look of this name.
pub fn is_look(name: &str) -> bool {
    LOOKS.iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_found_by_name() {
        assert!(is_look("leather") && is_look("plain") && !is_look("lether"));
        for (name, _) in LOOKS {
            let count = LOOKS.iter().filter(|(other, _)| *other == name).count();
            assert_eq!(count, 1, "{name}");
        }
    }
}
