//! Which camera takes the pictures: one of the document's, or one that finds its place by itself.
//!
//! A document's cameras are plain numbers when they come from a scene; here they become what the
//! renderer draws with, which has never heard of documents.
//!
//! Tests: `a_camera_is_handed_over_as_it_is`; `two_cameras_give_two_pictures` and its neighbours
//! among the tests of the command.

use lariat_core::geometry;
use lariat_render::Camera;
use lariat_scene::lower::{Lowered, Record};

use crate::{console::Console, exit::Failure, words};

/// What is said on the command line for a camera that finds its place by itself.
pub(crate) const AUTOMATIC: &str = "auto";

/// Cameras that are named in an error; more are counted.
const NAMED: usize = 12;

/// The camera that is asked for, as an index into the document's; nothing for one that finds its
/// place by itself. Without a wish it is the document's first, if it has any.
pub(crate) fn choose(
    lowered: &Lowered,
    asked: Option<&str>,
    console: Console,
) -> Result<Option<usize>, Failure> {
    match asked {
        Some(name) => match lowered.camera_index(name) {
            Some(camera) => Ok(Some(camera)),
            None if name == AUTOMATIC => Ok(None),
            None => Err(unknown(lowered, name)),
        },
        None => match &lowered.cameras[..] {
            [] => Ok(None),
            [_] => Ok(Some(0)),
            [first, ..] => {
                console.remark(&format!(
                    "the document has {} cameras, and the first is used, `{}`: choose another with \
                     --camera",
                    lowered.cameras.len(),
                    words::shown(first.name())
                ));
                Ok(Some(0))
            }
        },
    }
}

fn unknown(lowered: &Lowered, name: &str) -> Failure {
    let shown = words::shown(name);
    if lowered.cameras_left_out.iter().any(|out| out == name) {
        return Failure::new(format!(
            "camera `{shown}` is left out because of errors: mend them, or choose another camera"
        ));
    }
    let names = lowered.cameras.iter().map(Record::name);
    let named: Vec<String> =
        names.take(NAMED).map(|name| format!("`{}`", words::shown(name))).collect();
    let more = match lowered.cameras.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let there = match &named[..] {
        [] => "the document has none".to_owned(),
        [only] => format!("there is {only}"),
        several => format!("there are {}{more}", several.join(", ")),
    };
    Failure::new(format!(
        "there is no camera `{shown}`: {there}, and `{AUTOMATIC}` finds its place by itself"
    ))
}

/// The same camera in the renderer's own words.
pub(crate) fn drawn_by(camera: &geometry::Camera) -> Camera {
    let geometry::Camera { eye, target, up, lens } = *camera;
    Camera { eye, target, up, lens }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use lariat_render::Size;

    use super::*;

    #[test]
    fn a_camera_is_handed_over_as_it_is() {
        let (eye, target) = (DVec3::new(1.0, -4.0, 3.0), DVec3::new(0.0, 0.0, 1.0));
        let size = Size::new(90, 60).unwrap();
        for lens in [
            geometry::Lens::Perspective { angle: 0.7 },
            geometry::Lens::Orthographic { height: 3.0 },
        ] {
            let camera = geometry::Camera::upright(eye, target, 0.4, lens).unwrap();
            let sights = drawn_by(&camera).sights(size).unwrap();
            // What is looked at is in the middle, and up in the picture is up.
            let (x, y, _) = sights.project(target).unwrap();
            assert!((x - 45.0).abs() < 1e-9 && (y - 30.0).abs() < 1e-9, "{x}, {y}");
            let (x, y, _) = sights.project(target + camera.up * 0.1).unwrap();
            assert!((x - 45.0).abs() < 1e-9 && y < 29.0, "{x}, {y}");
        }
    }
}
