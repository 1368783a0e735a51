//! Names beside bodies, without overlapping each other.
//!
//! Each name has a few possible places around the outermost points of its body. Bodies are named in
//! order; each name takes the place that covers the least of all bodies. A name without a free
//! place inside the picture is left out.
//!
//! Tests: `names_are_beside_their_bodies`, `names_do_not_overlap`, `names_stay_in_the_picture`.

use glam::{DVec2, DVec3};

use super::canvas::Canvas;
use crate::Projection;

/// Part of the shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Points with their radius, in metres.
    pub points: Vec<(DVec3, f64)>,
    /// Whether neighbouring points are connected, as on a strand.
    pub joined: bool,
}

/// Distance from a body to its name, in heights of capitals.
const APART: f64 = 0.5;

/// Largest number of positions that are checked between two points of an outline.
const STEPS: f64 = 64.0;

/// A position in the picture that a body covers, and its radius in pixels.
type Spot = (DVec2, f64);

/// Paints the name of each body beside it.
pub fn names(canvas: &mut Canvas<'_>, projection: &Projection, bodies: &[(&str, Vec<Outline>)]) {
    let step = 0.5 * canvas.letter();
    let spots: Vec<Vec<Spot>> = bodies
        .iter()
        .map(|(_, outlines)| {
            let mut spots = Vec::new();
            for outline in outlines {
                cover(projection, outline, step, &mut spots);
            }
            let size = canvas.size();
            spots.retain(|(p, r)| (p + *r).min_element() >= 0.0 && (p - *r).cmple(size).all());
            spots
        })
        .collect();
    let mut taken: Vec<[DVec2; 2]> = Vec::new();
    let named = bodies.iter().zip(&spots).filter(|((name, _), _)| !name.is_empty());
    for ((name, _), own) in named {
        let room = canvas.plate_size(name);
        let free = places(own, room, APART * canvas.letter()).into_iter().filter(|low| {
            let high = *low + room;
            let inside = low.min_element() >= 0.0 && high.cmple(canvas.size()).all();
            // Some air between two names.
            let air = 0.25 * canvas.letter();
            inside
                && taken
                    .iter()
                    .all(|[a, b]| low.cmpge(*b + air).any() || high.cmple(*a - air).any())
        });
        let covered = |low: &DVec2| {
            let high = *low + room;
            let hit = |(p, r): &&Spot| p.clamp(*low, high).distance(*p) < *r + 1.0;
            spots.iter().flatten().filter(hit).count()
        };
        if let Some(low) = free.min_by_key(covered) {
            canvas.plate(name, low);
            taken.push([low, low + room]);
        }
    }
}

/// Positions that an outline covers, at most `step` pixels apart where it is joined.
fn cover(projection: &Projection, outline: &Outline, step: f64, spots: &mut Vec<Spot>) {
    let mut before: Option<Spot> = None;
    for (p, radius) in &outline.points {
        let here = projection
            .project(*p)
            .map(|(x, y, depth)| (DVec2::new(x, y), radius / projection.pixel_at(depth)));
        if let (Some((from, _)), Some((to, r))) = (before.filter(|_| outline.joined), here) {
            let count = (from.distance(to) / step).clamp(0.0, STEPS) as u32;
            let between = |k: u32| from.lerp(to, f64::from(k) / f64::from(count + 1));
            spots.extend((1..=count).map(|k| (between(k), r)));
        }
        spots.extend(here);
        before = here;
    }
}

/// Possible upper left corners of a name around the outermost spots of a body, the best first.
fn places(spots: &[Spot], room: DVec2, apart: f64) -> Vec<DVec2> {
    let outermost = |way: DVec2| {
        let reach = |(p, r): &Spot| p.dot(way) + r;
        spots.iter().copied().reduce(|a, b| if reach(&b) > reach(&a) { b } else { a })
    };
    let (right, left) = (DVec2::X, DVec2::NEG_X);
    let (up, down) = (DVec2::NEG_Y, DVec2::Y);
    let middle = |_: DVec2| spots.get(spots.len() / 2).copied();
    let mut places = Vec::new();
    let mut add = |spot: Option<Spot>, way: DVec2| {
        let Some((p, r)) = spot else { return };
        let centre = p + way * (r + apart) + way * (0.5 * room);
        places.push((centre - 0.5 * room).round());
    };
    // A rope that hangs is named below its end, one that lies beside its end.
    let reach = |way: DVec2| outermost(way).map_or(0.0, |(p, r)| p.dot(way) + r);
    let hangs = reach(up) + reach(down) > reach(left) + reach(right);
    let first = if hangs { [down, right, up, left] } else { [right, down, up, left] };
    for way in first {
        add(outermost(way), way);
    }
    for way in [up, down, right, left] {
        add(middle(way), way);
    }
    for way in first {
        for across in [way.perp(), -way.perp()] {
            add(outermost(way), way + across);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Lens, Picture, Size};

    const GROUND: [u8; 4] = [200, 200, 200, 255];

    fn bar(from: (f64, f64), to: (f64, f64)) -> Vec<Outline> {
        let point = |(x, z): (f64, f64)| (DVec3::new(x, 0.0, z), 0.02);
        vec![Outline { points: vec![point(from), point(to)], joined: true }]
    }

    /// Paints names on a picture of 400 by 200 pixels that shows 4 by 2 metres.
    fn painted(bodies: &[(&str, Vec<Outline>)]) -> Picture {
        let size = Size::new(400, 200).unwrap();
        let mut picture = Picture::new(size, GROUND);
        let lens = Lens::Orthographic { height: 2.0 };
        let camera = Camera { eye: DVec3::NEG_Y, target: DVec3::ZERO, up: DVec3::Z, lens };
        names(&mut Canvas::new(&mut picture), &camera.projection(size).unwrap(), bodies);
        picture
    }

    fn painted_pixels(picture: &Picture) -> Vec<(u32, u32)> {
        let all = (0..200).flat_map(|y| (0..400).map(move |x| (x, y)));
        all.filter(|(x, y)| picture.at(*x, *y) != GROUND).collect()
    }

    #[test]
    fn names_are_beside_their_bodies() {
        let picture = painted(&[("bar", bar((-1.0, 0.0), (1.0, 0.0)))]);
        let pixels = painted_pixels(&picture);
        assert!(!pixels.is_empty());
        for (x, y) in &pixels {
            let near = (f64::from(*x) - 300.0).abs() < 60.0 && (f64::from(*y) - 100.0).abs() < 20.0;
            assert!(near && *x > 302, "{x}, {y}: right of the end");
        }
        let hanging = painted(&[("bar", bar((0.0, 0.5), (0.0, -0.3)))]);
        assert!(painted_pixels(&hanging).iter().all(|(_, y)| *y > 130), "below the end");
        // A body in the way moves the name.
        let wall = bar((1.2, -0.3), (1.2, 0.3));
        let moved = painted(&[("bar", bar((-1.0, 0.0), (1.0, 0.0))), ("", wall)]);
        assert!(painted_pixels(&moved).iter().all(|(x, _)| !(315..325).contains(x)));
    }

    #[test]
    fn names_do_not_overlap() {
        let one = painted_pixels(&painted(&[("rope", bar((-0.5, 0.0), (0.5, 0.0)))])).len();
        for count in 1..=4 {
            let bodies: Vec<(&str, Vec<Outline>)> = (0..count)
                .map(|k| ("rope", bar((-0.5, 0.01 * f64::from(k)), (0.5, 0.01 * f64::from(k)))))
                .collect();
            assert_eq!(painted_pixels(&painted(&bodies)).len(), count as usize * one, "{count}");
        }
    }

    #[test]
    fn names_stay_in_the_picture() {
        let wide = painted(&[("long rope", bar((-3.0, 0.0), (3.0, 0.0)))]);
        assert!(!painted_pixels(&wide).is_empty());
        let long = "a name that is longer than the picture is wide ".repeat(2);
        let outside = [
            (long.as_str(), bar((-1.0, 0.0), (1.0, 0.0))),
            ("far", bar((9.0, 0.0), (9.0, 1.0))),
            ("nothing", Vec::new()),
        ];
        assert!(painted_pixels(&painted(&outside)).is_empty());
    }
}
