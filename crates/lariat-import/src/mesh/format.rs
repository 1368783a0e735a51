//! Which format a file's name says.

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront's: `.obj`.
    Obj,
    /// Khronos's: `.gltf` and `.glb`.
    Gltf,
}

impl Format {
    /// The endings that are known.
    pub const ENDINGS: [&'static str; 3] = ["obj", "gltf", "glb"];

    /// The format that the ending of a path says, in large letters or small.
    pub fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match &*ending.to_ascii_lowercase() {
            "obj" => Some(Self::Obj),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_its_format() {
        for ending in Format::ENDINGS {
            assert!(Format::of(&format!("a.b/belly.{ending}")).is_some(), "{ending}");
            assert_eq!(
                Format::of(&format!("x.{}", ending.to_uppercase())),
                Format::of(&format!("x.{ending}"))
            );
        }
        assert_eq!(Format::of("belly.fbx"), None);
        assert_eq!(Format::of("belly"), None);
    }
}
