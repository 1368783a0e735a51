//! Mesh formats and their file name extensions.

/// A supported mesh format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ: `.obj`.
    Obj,
    /// Khronos glTF 2.0: `.gltf` and `.glb`.
    Gltf,
}

impl Format {
    /// File name extensions of all formats.
    pub const EXTENSIONS: [&'static str; 3] = ["obj", "gltf", "glb"];

    /// Format of a path by its extension, ignoring case.
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
    fn every_extension_has_its_format() {
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
