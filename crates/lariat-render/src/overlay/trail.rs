//! Path of a point over time: the past in a warm colour, the future in a cool one.
//!
//! It fades with the distance in time, and has a dot at every whole frame: widely spaced dots are
//! fast motion, dense ones slow motion.
//!
//! Tests: `a_trail_fades_in_time`.

use glam::{DVec2, DVec3};

use super::{
    AFTER, BEFORE,
    canvas::{Canvas, Ink, PALE, SHADE},
};
use crate::{Projection, tone::srgb_from_linear};

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Time relative to now, -1 to 1 over the whole trail; negative is in the past.
    pub age: f64,
    /// Position.
    pub at: DVec3,
    /// Whether this is a whole frame, which gets a dot.
    pub frame: bool,
}

fn bytes(linear: [f32; 3]) -> [u8; 3] {
    linear.map(|c| (255.0 * srgb_from_linear(c.into())).round() as u8)
}

/// Paints a path; steps are in chronological order.
pub fn trail(canvas: &mut Canvas<'_>, projection: &Projection, steps: &[Step]) {
    let unit = canvas.unit();
    let place = |p: DVec3| projection.project(p).map(|(x, y, _)| DVec2::new(x, y));
    let ink = |age: f64| {
        let colour = bytes(if age < 0.0 { BEFORE } else { AFTER });
        Ink { colour, cover: 0.12 + 0.88 * (1.0 - age.abs()).clamp(0.0, 1.0) }
    };
    for pair in steps.windows(2) {
        if let (Some(a), Some(b)) = (place(pair[0].at), place(pair[1].at)) {
            let ink = ink(0.5 * (pair[0].age + pair[1].age));
            canvas.line(a, b, 2.4 * unit, ink);
        }
    }
    for step in steps.iter().filter(|step| step.frame && step.age != 0.0) {
        let Some(at) = place(step.at) else { continue };
        let ink = ink(step.age);
        canvas.disc(at, 3.4 * unit, SHADE.times(0.6 * ink.cover));
        canvas.disc(at, 2.4 * unit, ink);
    }
    for step in steps.iter().filter(|step| step.age == 0.0) {
        let Some(at) = place(step.at) else { continue };
        canvas.disc(at, 5.4 * unit, SHADE);
        canvas.disc(at, 4.0 * unit, PALE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Lens, Picture, Size};

    #[test]
    fn a_trail_fades_in_time() {
        let size = Size::new(200, 20).unwrap();
        let mut picture = Picture::new(size, [0, 0, 0, 255]);
        let lens = Lens::Orthographic { height: 0.2 };
        let camera = Camera { eye: DVec3::NEG_Y, target: DVec3::ZERO, up: DVec3::Z, lens };
        let steps: Vec<Step> = (-10..=10)
            .map(|k| {
                let age = f64::from(k) / 10.0;
                Step { age, at: DVec3::X * (0.9 * age), frame: k % 2 == 0 }
            })
            .collect();
        trail(&mut Canvas::new(&mut picture), &camera.projection(size).unwrap(), &steps);
        let (red, blue) = (|x| picture.at(x, 10)[0], |x| picture.at(x, 10)[2]);
        assert!(red(80) > red(50) && red(50) > red(14) + 20, "{} {} {}", red(80), red(50), red(14));
        assert!(blue(120) > blue(150) && blue(150) > blue(184) + 20);
        assert!(red(100) > 200 && blue(100) > 200, "the present is pale");
        assert!(blue(60) < red(60) && blue(140) > red(140));
    }
}
