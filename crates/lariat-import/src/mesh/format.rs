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
    pub const EXTENSIONS: [&'static str; 3] = ["obj", "gltf", "glb"];

    /// The format that the ending of a path says, in large letters or small.
    pub fn from_path(path: &str) -> Option<Self> {
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
        for ending in Format::EXTENSIONS {
            assert!(Format::from_path(&format!("a.b/belly.{ending}")).is_some(), "{ending}");
            assert_eq!(
                Format::from_path(&format!("x.{}", ending.to_uppercase())),
                Format::from_path(&format!("x.{ending}"))
            );
        }
        assert_eq!(Format::from_path("belly.fbx"), None);
        assert_eq!(Format::from_path("belly"), None);
    }
}
