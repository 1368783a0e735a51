//! The same document gives the same bits: on every machine, in any order, on any number of threads.
//!
//! A scene with a body of every family is evaluated at three times and everything about its
//! strands is hashed. The reference is the hash as it came out where this row was last changed.
//! It changes when the mathematics of a model or a default of the document does, and only then:
//! who does that on purpose copies the new value from the column `ours`.
//!
//! Tests: `a_single_bit_is_noticed`, `the_published_hash_comes_out`.

use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_eval::{BodyMoment, Scene};
use lariat_scene::{Limits, check};

use super::check::{Check, Outcome, Topic};

pub(super) const TOPIC: Topic = Topic {
    name: "determinism",
    title: "the same bits everywhere",
    checks: &[
        Check {
            name: "same-bits-everywhere",
            what: "30 bodies of 9 models at 3 times: every bit of every strand",
            unit: "",
            source: "FNV-1a hash recorded on x86-64 Linux, optimised and not",
            counted: "bits",
            bar: 0.0,
            run: || Some(Outcome::bits(RECORDED, hash(&scene()?, &TIMES))),
        },
        Check {
            name: "same-bits-in-any-order",
            what: "the same, body by body, from the last to the first",
            unit: "",
            source: "all bodies at once, in the order of time",
            counted: "bits",
            bar: 0.0,
            run: any_order,
        },
        Check {
            name: "same-bits-on-any-threads",
            what: "the same on 1, 2 and 5 threads",
            unit: "",
            source: "the thread it is asked on",
            counted: "bits",
            bar: 0.0,
            run: any_threads,
        },
    ],
};

/// What the scene hashed to when this row was last changed.
const RECORDED: u64 = 0xdd06_f5b1_5e31_65e1;

/// Frames; one lies between two, one before the keys.
const TIMES: [f64; 3] = [-3.0, 12.5, 24.0];

/// One body of every family, with keys, travelling waves, a floor, and things that hang on
/// others; twenty more are added, so that threads have something to share.
const BODIES: &str = r#"
lariat = 1

[shot]
fps = "24000/1001"
frames = [1, 48]

[[locator]]
name = "hand"
position = { keys = [[1, [0, 0, 2]], [24, [1, 0.5, 2.2]], [40, [0, 0, 1]]], after = "cycle" }
rotation = [0, 0, 30]

[[body]]
name = "rein"
model = "suspended-rope"
from = { locator = "hand" }
to = [3, 0, 1.2]
length = 4.6
swing = { keys = [[1, 0], [24, 35], [40, 0]] }
waves = [{ height = 0.08, ripples = 3, travel = { keys = [[1, 0.5], [24, 2]] } }]
floor = 0.1

[[body]]
name = "leash"
model = "loose-rope"
from = { body = "rein", at = 0.25 }
length = 2.4
bends = [{ position = 0.2, length = 0.3, angle = 70, direction = 20 }]
waves = [{ height = 0.05, ripples = 2, phase = { keys = [[1, 0], [24, 300]] } }]
floor = 0

[[body]]
name = "strap"
model = "strap"
from = [0, 3, 2]
length = 1
twist = 0.5

[[body]]
name = "cord"
model = "coiled-cord"
from = [0, -2, 1]
to = { keys = [[1, [1, -2, 1]], [24, [2, -2, 1.5]]] }
sag = 0.2
sag-form = "true"
coils = 12

[[body]]
name = "spring"
model = "spring"
from = [0, -3, 1]
to = [2, -3, 1]
coils = 14
pincers = [{ position = 0.3, length = 0.1, count = 5 }]
coil-waves = [{ tightness = 0.8, bunches = 2, travel = 0.7 }]
compression = "rigid-ends"

[[body]]
name = "lights"
model = "string-of-lights"
from = [0, 4, 2]
to = [2, 4, 2]
length = 2.5

[[body]]
name = "hoop"
model = "hoop"
centre = [0, 0, 3]
hoop-radius = 0.7
tilt = 20
twirl = { keys = [[1, 0], [24, 360]] }

[[body]]
name = "lasso"
model = "lasso"
centre = [2, 2, 3]
hoop-radius = 0.6
hand = [0, 2, 1.5]
length = 7
span-length = 3.1

[[body]]
name = "tail"
model = "tail"
from = [4, 0, 1]
length = 1.5
swing = { wiggle = [[1, 0], [9, 30], [20, -12], [33, 8]], hertz = { keys = [[1, 1.1], [30, 2]] }, swings = 2 }
lift = { follow = "tail.swing", lag = 70, gain = 0.4 }
lag = 200

[[body]]
name = "willow"
model = "loose-rope"
from = [5, 0, 2]
direction = [0, 0, -1]
length = 1.4
layers = [{ kind = "jiggle", drive = { wiggle = [[1, 0], [10, 0.2]], hertz = 1.3, around = { keys = [[1, 0], [24, 0.05]] } }, amplitude = "u^1.5", lag = "150 * u", slosh = 1.4 }]
"#;

fn scene() -> Option<Scene> {
    use std::fmt::Write as _;

    let mut text = BODIES.to_owned();
    for i in 0..20 {
        let (x, swing) = (0.1 * f64::from(i), 3 * i - 20);
        let row = write!(
            text,
            "[[body]]\nname = \"line-{i}\"\nmodel = \"suspended-rope\"\nfrom = [{x:.1}, 0, 1]\n\
             to = [{x:.1}, 3, 1.5]\nlength = 4\nswing = {swing}\nwaves = [{{ height = 0.1, \
             ripples = 2, travel = 1 }}]\n"
        );
        row.ok()?;
    }
    let checked = check::check(text.as_bytes(), &Limits::default());
    if checked.has_errors() {
        return None;
    }
    Some(Scene::bind(&checked.content?.lowered))
}

/// FNV-1a with 64 bits over everything about some strands.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for x in numbers {
            self.bytes(&x.to_bits().to_le_bytes());
        }
    }

    fn strand(&mut self, strand: &Strand) {
        self.bytes(strand.name.as_bytes());
        self.numbers(strand.points().iter().flat_map(DVec3::to_array));
        for frame in strand.frames() {
            self.numbers(frame.tangent().to_array());
            self.numbers(frame.normal().to_array());
        }
        self.numbers(strand.radius().iter().chain(strand.twist()).copied());
    }

    fn body(&mut self, body: &BodyMoment) {
        body.strands.iter().for_each(|strand| self.strand(strand));
        let mesh = body.mesh.iter().flat_map(|mesh| mesh.points().iter().chain(mesh.normals()));
        self.numbers(mesh.flat_map(DVec3::to_array));
        self.numbers(body.slack);
    }
}

/// All bodies at every time.
fn hash(scene: &Scene, times: &[f64]) -> u64 {
    let mut hash = Fnv::new();
    for frame in times {
        scene.evaluate(*frame).bodies.iter().for_each(|body| hash.body(body));
    }
    hash.0
}

fn any_order() -> Option<Outcome> {
    let scene = scene()?;
    let mut single: Vec<(usize, usize, BodyMoment)> = Vec::new();
    for time in (0..TIMES.len()).rev() {
        for body in (0..scene.body_count()).rev() {
            single.push((time, body, scene.evaluate_body(body, TIMES[time])));
        }
    }
    single.sort_by_key(|(time, body, _)| (*time, *body));
    let mut ours = Fnv::new();
    for (_, _, moment) in &single {
        ours.body(moment);
    }
    Some(Outcome::bits(hash(&scene, &TIMES), ours.0))
}

fn any_threads() -> Option<Outcome> {
    let scene = scene()?;
    let reference = hash(&scene, &TIMES);
    let mut worst = Outcome::bits(reference, reference);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        let outcome = Outcome::bits(reference, pool.install(|| hash(&scene, &TIMES)));
        worst = if outcome.error > worst.error { outcome } else { worst };
    }
    Some(worst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_bit_is_noticed() {
        let (mut one, mut other) = (Fnv::new(), Fnv::new());
        one.numbers([1.0, 2.0]);
        other.numbers([1.0, f64::from_bits(2.0_f64.to_bits() + 1)]);
        assert!(Outcome::bits(one.0, other.0).error > 0.0);
        let scene = scene().unwrap();
        assert_ne!(hash(&scene, &TIMES), hash(&scene, &[-3.0, 12.5, 24.000_000_001]));
    }

    #[test]
    fn the_published_hash_comes_out() {
        // Fowler, Noll and Vo's own test vectors.
        let mut hash = Fnv::new();
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }
}
