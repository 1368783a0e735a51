//! Small pictures of all scenes and recipes, for a page to choose from.
//!
//! `cargo xtask figures` makes them. They are behind the feature `thumbnails`: only a window shows
//! them, and the command line would carry them along.
//!
//! Tests: `every_scene_and_recipe_has_a_thumbnail`.

/// Width and height of every thumbnail, in pixels.
pub const THUMBNAIL_SIZE: [u32; 2] = [208, 117];

/// Returns the thumbnail of a scene or a recipe: a PNG file with a palette.
pub fn thumbnail(name: &str) -> Option<&'static [u8]> {
    THUMBNAILS.iter().find(|(scene, _)| *scene == name).map(|(_, png)| *png)
}

/// Files of `museum/thumbnails`, by the names of their scenes.
macro_rules! table {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../thumbnails/", $name, ".png")))),*]
    };
}

const THUMBNAILS: &[(&str, &[u8])] = table![
    "attach-chain"
    "barzel-02-suspended"
    "barzel-03-magnitude"
    "barzel-04-frequency"
    "barzel-05-phase"
    "barzel-06-azimuth"
    "barzel-08-loose"
    "barzel-10-coiled-cord"
    "barzel-13-spring"
    "barzel-16-lasso"
    "barzel-17-lights"
    "barzel-18-strap"
    "barzel-19-microphone"
    "barzel-20-slinky"
    "barzel-21-lasso"
    "camera-travel"
    "clamp-ground"
    "clamp-solids"
    "compound-lead"
    "dog-tail"
    "edge-compression"
    "edge-few-points"
    "edge-floor"
    "edge-frames"
    "edge-length"
    "edge-pincers"
    "edge-sag"
    "edge-scale"
    "edge-taut"
    "edge-time"
    "edge-vertical"
    "edge-wire"
    "hanging-sign"
    "jiggling-belly"
    "jump-rope-double-dutch"
    "jump-rope"
    "kass-01-frequency"
    "kass-02-equilibrium"
    "kass-03-response"
    "kass-04-complex"
    "kass-05-stretch"
    "kass-06-tail"
    "kass-07-belly"
    "kass-08-mode"
    "kass-hula"
    "keys-extend"
    "keys-tangents"
    "lasso"
    "layer-envelopes"
    "layer-humps"
    "layer-jiggle"
    "layer-noise"
    "layer-twist"
    "learned-motion"
    "look-materials"
    "look-torn"
    "looping-spring"
    "party-lights"
    "rope-bridge"
    "rope-snaps"
    "rung-06a-boxes"
    "rung-06b-loop"
    "rung-06c-coil"
    "rung-06d-rigidity"
    "rung-07a-rupture"
    "rung-07b-modulus"
    "rung-07c-torsion"
    "rung-08-set"
    "rung-09-flick"
    "rung-10-bridge"
    "ship-rigging-roll"
    "ship-rigging"
    "solid-swing"
    "string-lines"
    "telephone-cord"
    "tuzel-bungee"
    "tuzel-curtain"
    "tuzel-dragged"
    "tuzel-dropped"
    "tuzel-materials"
    "tuzel-pins"
    "tuzel-published"
    "tuzel-swung"
    "tuzel-weight"
    "tuzel-whip"
    "wiggle-few-keys"
    "wiggle-follow"
    "wiggle-loop"
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RECIPES, SCENES};

    #[test]
    fn every_scene_and_recipe_has_a_thumbnail() {
        let names = || RECIPES.iter().map(|one| one.name).chain(SCENES.iter().map(|one| one.name));
        for name in names() {
            let png = thumbnail(name).unwrap_or_else(|| panic!("{name} has no thumbnail"));
            // The header of the file: width and height follow the name of the first chunk.
            let side = |at: usize| u32::from_be_bytes(*png[at..].first_chunk().expect("a header"));
            assert_eq!((&png[1..4], [side(16), side(20)]), (&b"PNG"[..], THUMBNAIL_SIZE), "{name}");
        }
        assert_eq!(THUMBNAILS.len(), names().count(), "a thumbnail belongs to nothing");
        let bytes: usize = THUMBNAILS.iter().map(|(_, png)| png.len()).sum();
        assert!(bytes < 1_000_000, "{bytes} bytes");
    }
}
