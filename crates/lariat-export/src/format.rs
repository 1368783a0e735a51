//! Export formats by name and file name extension.

use std::io::Write;
use std::path::Path;

use lariat_core::geometry::Footage;

use crate::{ExportError, Options, Progress, Summary, Timing, csv, json, svg, usda};

/// An export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// USD as text, for Blender, Houdini, Maya and others.
    Usda,
    /// One row per point.
    Csv,
    /// Bodies, strands, frames, points.
    Json,
    /// A drawing with one picture per frame on a sheet.
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Usda, Self::Csv, Self::Json, Self::Svg];

    /// Name, which is also the file name extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usda => "usda",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Svg => "svg",
        }
    }

    /// Format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// Format of a path by its extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_name(path.extension()?.to_str()?)
    }

    /// Writes all bodies of the footage with the `write` function of the format.
    pub fn write(
        self,
        footage: &dyn Footage,
        timing: &Timing,
        options: &Options,
        out: &mut dyn Write,
        progress: &dyn Progress,
    ) -> Result<Summary, ExportError> {
        match self {
            Self::Usda => usda::write(footage, timing, options, out, progress),
            Self::Csv => csv::write(footage, timing, options, out, progress),
            Self::Json => json::write(footage, timing, options, out, progress),
            Self::Svg => svg::write(footage, timing, options, out, progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_of_a_file_selects_its_format() {
        assert_eq!(Format::from_path(Path::new("shots/barn.v2.usda")), Some(Format::Usda));
        assert_eq!(Format::from_path(Path::new("BARN.CSV")), Some(Format::Csv));
        assert_eq!(Format::from_path(Path::new("barn.usd")), None);
        assert_eq!(Format::from_path(Path::new("json")), None);
    }

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
    }
}
