//! Materials, runs, distances and random numbers that several tests share.

use glam::DVec3;
use lariat_core::dynamics::material::Material;
use lariat_string::Build;
use lariat_string::rod::StepReport;

use super::World;

/// Default step, in seconds.
pub(crate) const DT: f64 = 1.0 / 240.0;

/// Default gravity of strings, in m/s².
pub(crate) const GRAVITY: f64 = 9.81;

/// A row of the table of materials.
pub(crate) fn material(name: &str) -> Material {
    *Material::find(name).expect("a material of the table")
}

/// A world with one string.
pub(crate) fn world(build: &Build) -> World {
    World::of(build).expect("a valid string")
}

/// Points along a line.
pub(crate) fn line(from: DVec3, to: DVec3, segments: usize) -> Vec<DVec3> {
    (0..=segments).map(|i| from.lerp(to, i as f64 / segments as f64)).collect()
}

/// Makes one step, which must succeed.
pub(crate) fn step(world: &mut World, dt: f64) -> StepReport {
    let time = world.state.time;
    match world.step(dt) {
        Ok(report) => report,
        Err(error) => panic!("the step at {time} s failed: {error}"),
    }
}

/// Runs at the default rate.
pub(crate) fn run(world: &mut World, seconds: f64) {
    run_at(world, seconds, DT);
}

/// Runs with steps of `dt`.
pub(crate) fn run_at(world: &mut World, seconds: f64, dt: f64) {
    for _ in 0..(seconds / dt).round() as u32 {
        step(world, dt);
    }
}

/// Runs at the default rate with a viscosity of 5/s, and sets it back to 0.
pub(crate) fn settle(world: &mut World, seconds: f64) {
    world.viscosity = 5.0;
    run(world, seconds);
    world.viscosity = 0.0;
}

/// Largest speed of a particle, in m/s.
pub(crate) fn fastest(world: &World) -> f64 {
    world.state.velocities.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Asserts that no string has torn.
pub(crate) fn assert_whole(world: &World) {
    let torn = world.state.spans.len() - world.strings();
    assert_eq!(torn, 0, "{torn} tears at {} s", world.state.time);
}

/// Distance of `p` from a segment.
pub(crate) fn from_point(p: DVec3, [a, b]: [DVec3; 2]) -> f64 {
    let along = b - a;
    let s = ((p - a).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0);
    p.distance(a + along * s)
}

/// Least distance of all points along the segments between `points` from an infinite line through
/// `point` along the unit vector `way`.
pub(crate) fn least_from_line(points: &[DVec3], point: DVec3, way: DVec3) -> f64 {
    let across = |x: &DVec3| (*x - point) - way * (*x - point).dot(way);
    let flat: Vec<DVec3> = points.iter().map(across).collect();
    let pairs = flat.windows(2).map(|pair| from_point(DVec3::ZERO, [pair[0], pair[1]]));
    pairs.fold(f64::INFINITY, f64::min)
}

/// Distance between two segments: the distance to one, along the other, has one minimum, which is
/// found by ternary search.
pub(crate) fn apart(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let at = |s: f64| from_point(a[0].lerp(a[1], s), b);
    for _ in 0..40 {
        let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(one) < at(two) { high = two } else { low = one }
    }
    at(0.5 * (low + high))
}

/// Least distance between segments of one string that are more than `skip` segments apart along it.
pub(crate) fn least_between_strands(points: &[DVec3], skip: usize) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in points.windows(2).enumerate() {
        let (middle, half) = (a[0].midpoint(a[1]), 0.5 * a[0].distance(a[1]));
        for b in points.windows(2).skip(i + skip + 1) {
            let reach = half + 0.5 * b[0].distance(b[1]);
            if middle.distance(b[0].midpoint(b[1])) - reach < least {
                least = least.min(apart([a[0], a[1]], [b[0], b[1]]));
            }
        }
    }
    least
}

/// Mean period of a swinging value, between the times at which it falls through zero; these are
/// interpolated linearly between steps.
pub(crate) fn period(dt: f64, steps: u32, mut next: impl FnMut() -> f64) -> f64 {
    let (mut crossings, mut before) = (Vec::new(), 0.0);
    for step in 0..steps {
        let now = next();
        if before > 0.0 && now <= 0.0 {
            crossings.push(dt * (f64::from(step) + before / (before - now)));
        }
        before = now;
    }
    let count = crossings.len();
    assert!(count > 1, "it crossed zero {count} times in {steps} steps");
    (crossings[count - 1] - crossings[0]) / (count - 1) as f64
}

/// Reproducible random numbers: splitmix64 (Steele, Lea, Flood 2014).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number from `low` up to, not including, `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0; // 2⁵³
        low + (high - low) * unit
    }

    /// A vector with each component between `-reach` and `reach`.
    pub(crate) fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::from_array([(); 3].map(|()| self.between(-reach, reach)))
    }
}
