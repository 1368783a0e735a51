//! Choice of the camera: one of the document, a fixed one, or the automatic one.
//!
//! Tests: `a_camera_reaches_the_renderer_unchanged`; `two_cameras_give_two_pictures` among the
//! tests of the command.

use lariat_core::geometry;
use lariat_render::Camera;
use lariat_scene::{lower::Lowered, printable};

use crate::error::ShootError;

/// Name of the automatic camera.
pub const AUTOMATIC: &str = "auto";

/// Number of cameras that an error lists at most.
const NAMED: usize = 12;

/// Camera of the pictures of a shot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ShotCamera {
    /// Frames the whole shot.
    #[default]
    Automatic,
    /// A camera of the document, by its index.
    Document(usize),
    /// The same camera in every frame.
    Fixed(Camera),
}

impl From<Option<usize>> for ShotCamera {
    fn from(camera: Option<usize>) -> Self {
        camera.map_or(Self::Automatic, Self::Document)
    }
}

/// Index of a camera of the document by name; `None` for the automatic camera.
///
/// Without a name, the document's first camera, or the automatic one if there is none.
pub fn choose_camera(lowered: &Lowered, name: Option<&str>) -> Result<Option<usize>, ShootError> {
    let Some(name) = name else { return Ok((!lowered.cameras.is_empty()).then_some(0)) };
    match lowered.camera_index(name) {
        Some(camera) => Ok(Some(camera)),
        None if name == AUTOMATIC => Ok(None),
        None => Err(unknown(lowered, name)),
    }
}

fn unknown(lowered: &Lowered, name: &str) -> ShootError {
    let name = name.to_owned();
    if lowered.skipped_cameras.contains(&name) {
        return ShootError::CameraLeftOut { name };
    }
    let names = lowered.cameras.iter().map(|record| record.name());
    let named: Vec<String> =
        names.take(NAMED).map(|name| format!("`{}`", printable(name))).collect();
    let more = match lowered.cameras.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let help = match &named[..] {
        [] => format!("there is only `{AUTOMATIC}`, the automatic camera"),
        [only] => format!("there is {only}, and `{AUTOMATIC}` for the automatic camera"),
        several => format!(
            "there are {}{more}, and `{AUTOMATIC}` for the automatic camera",
            several.join(", ")
        ),
    };
    ShootError::UnknownCamera { name, help }
}

/// Converts a camera of the document to one of the renderer.
pub(crate) fn render_camera(camera: &geometry::Camera) -> Camera {
    let geometry::Camera { eye, target, up, lens } = *camera;
    Camera { eye, target, up, lens }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_render::Size;

    use super::*;

    #[test]
    fn a_camera_reaches_the_renderer_unchanged() {
        let (eye, target) = (DVec3::new(1.0, -4.0, 3.0), DVec3::new(0.0, 0.0, 1.0));
        let size = Size::new(90, 60).unwrap();
        for lens in [
            geometry::Lens::Perspective { angle: 0.7 },
            geometry::Lens::Orthographic { height: 3.0 },
        ] {
            let camera = geometry::Camera::upright(eye, target, 0.4, lens).unwrap();
            let projection = render_camera(&camera).projection(size).unwrap();
            // The target is in the middle, and up in the picture is up.
            let (x, y, _) = projection.project(target).unwrap();
            assert!((x - 45.0).abs() < 1e-9 && (y - 30.0).abs() < 1e-9, "{x}, {y}");
            let (x, y, _) = projection.project(target + camera.up * 0.1).unwrap();
            assert!((x - 45.0).abs() < 1e-9 && y < 29.0, "{x}, {y}");
        }
    }
}
