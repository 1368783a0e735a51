//! The same bits in any order of frames, at any number of threads.

use lariat_eval::Moment;
use proptest::prelude::*;

use crate::scene;

/// Many ropes with waves, noise, jiggles, bends and keys.
fn busy() -> String {
    let mut text = String::new();
    for i in 0..40 {
        let model = ["suspended-rope", "jump-rope", "loose-rope", "spring"][i % 4];
        let x = i as f64 * 0.3;
        let ends = match model {
            "loose-rope" => {
                "length = 1.4\nfloor = 0\nbends = [{ position = 0.2, length = 0.3, angle = 50 }]"
                    .to_owned()
            }
            "spring" => format!(
                "to = [{x}, 2, 1]\nsag = 0.2\ncoil-waves = [{{ tightness = 1, bunches = 2, travel = 0.4 }}]"
            ),
            _ => format!("to = [{x}, 2, 1.3]\nlength = 2.9"),
        };
        let (height, phase) = (0.02 * (i % 5) as f64, 9 * i);
        text += &format!(
            "[[body]]\nname = \"rope {i}\"\nmodel = \"{model}\"\nfrom = {{ keys = [[1, [{x}, 0, 1]], [40, [{x}, 0.4, 1.5]]] }}\n{ends}\n\
             waves = [{{ height = {height}, ripples = 2.5, phase = {phase}, travel = 0.3 }}]\n\
             layers = [{{ kind = \"noise\", height = 0.01, seed = {i} }}, {{ kind = \"jiggle\", drive = {{ \
             wiggle = [[1, 0], [20, 0.05]], hertz = {{ keys = [[1, 1], [30, 2.5]] }} }}, amplitude = \
             \"sin(pi * u)\", lag = \"90 * u\" }}]\n"
        );
    }
    text
}

fn hash(moment: &Moment) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325_u64;
    for strand in moment.bodies.iter().flat_map(|b| &b.strands) {
        for p in strand.points() {
            for x in p.to_array() {
                h = (h ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    h
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let scene = scene(&busy());
    let hashes: Vec<u64> = [1, 2, 3, 8]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| hash(&scene.evaluate(17.0)))
        })
        .collect();
    assert!(hashes.windows(2).all(|w| w[0] == w[1]), "{hashes:x?}");
    assert_ne!(hash(&scene.evaluate(18.0)), hashes[0], "the hash must see the motion");
}

#[test]
fn any_order_of_frames_gives_the_same_bits() {
    let scene = scene(&busy());
    let forward: Vec<u64> = (1..=30).map(|f| hash(&scene.evaluate(f64::from(f)))).collect();
    // Backwards, in the memory of the frame before.
    let mut moment = Moment::default();
    for f in (1..=30).rev() {
        scene.evaluate_into(f64::from(f), &mut moment);
        assert_eq!(hash(&moment), forward[f as usize - 1], "frame {f}");
    }
}

#[test]
fn trimming_the_shot_moves_nothing() {
    let whole = scene(&busy()).evaluate(25.0);
    let trimmed = scene(&format!("[shot]\nframes = [20, 30]\n{}", busy())).evaluate(25.0);
    assert_eq!(hash(&whole), hash(&trimmed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_frame_is_finite(frame in -1e4..1e6_f64) {
        let moment = scene(&busy()).evaluate(frame);
        for strand in moment.bodies.iter().flat_map(|b| &b.strands) {
            prop_assert!(strand.points().iter().all(|p| p.is_finite()));
            prop_assert!(strand.frames().iter().all(|f| f.normal().is_finite()));
        }
    }
}
