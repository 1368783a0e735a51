//! The same bits for every scene and recipe, at any number of threads and in any order of frames.
//!
//! Every document is bound anew for 1, 2, 4 and 8 threads and evaluated at the same frames, each time
//! in another order. Simulations run for their first frames only, so that the test takes seconds; the
//! comparison with WebAssembly is `cargo xtask wasm`.

use lariat_core::num::fnv::Fnv64;
use lariat_eval::Scene;
use lariat_museum::{RECIPES, SCENES};
use lariat_scene::Limits;
use lariat_scene::check::check;
use rayon::prelude::*;

use super::bound;

/// Frames after its start up to which a simulation is compared: enough for the first tears.
const SIMULATED: f64 = 36.0;

/// The same for the bridge, whose frames take a hundred times as long as those of other scenes.
const SIMULATED_OF_MANY: f64 = 12.0;

/// Number of simulated bodies from which on there are many.
const MANY: usize = 40;

/// Frames to compare: five of the shot, and if something is simulated, those in which it has just
/// begun to move.
fn frames(scene: &Scene) -> Vec<f64> {
    let (first, last) = (scene.shot().first as f64, scene.shot().last as f64);
    let starts = scene.simulated().into_iter().filter_map(|b| scene.simulated_from(b));
    let Some(start) = starts.reduce(f64::min) else {
        return [0.0, 0.21, 0.5, 0.77, 1.0].map(|share| first + share * (last - first)).to_vec();
    };
    let many = scene.simulated().len() >= MANY;
    let run = if many { SIMULATED_OF_MANY } else { SIMULATED };
    [-0.1, 0.0, 0.3, 0.55, 1.0].map(|share| start + share * run).to_vec()
}

/// Hash of everything that is drawn at a frame.
fn hash(scene: &Scene, frame: f64) -> u64 {
    let mut hash = Fnv64::new();
    for body in scene.evaluate(frame).bodies {
        if let Some(mesh) = &body.mesh {
            for p in mesh.points().iter().chain(mesh.normals()) {
                p.to_array().into_iter().for_each(|x| hash.number(x));
            }
        }
        for strand in &body.strands {
            for (p, f) in strand.points().iter().zip(strand.frames()) {
                p.to_array().into_iter().for_each(|x| hash.number(x));
                f.normal().to_array().into_iter().for_each(|x| hash.number(x));
            }
            strand.radius().iter().chain(strand.twist()).for_each(|x| hash.number(*x));
            strand.tensions().into_iter().flatten().for_each(|x| hash.number(x));
        }
    }
    for camera in 0..scene.camera_count() {
        hash.bytes(format!("{:?}", scene.evaluate_camera(camera, frame).camera).into_bytes());
    }
    hash.finish()
}

/// Hashes of some frames, evaluated by `threads` threads in an order that depends on their number:
/// forwards, backwards, from the middle, and all at the same time.
fn hashes(name: &str, text: &str, threads: usize) -> (Vec<f64>, Vec<u64>) {
    let content = check(text.as_bytes(), &Limits::default()).content;
    let content = content.unwrap_or_else(|| panic!("{name} cannot be read"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started").install(|| {
        let scene = bound(&content.lowered);
        let frames = frames(&scene);
        let mut order: Vec<usize> = (0..frames.len()).collect();
        match threads {
            1 => {}
            2 => order.reverse(),
            4 => order.rotate_left(frames.len() / 2),
            _ => {
                let hashes = frames.par_iter().map(|frame| hash(&scene, *frame)).collect();
                return (frames, hashes);
            }
        }
        let mut hashes = vec![0; frames.len()];
        for at in order {
            hashes[at] = hash(&scene, frames[at]);
        }
        (frames, hashes)
    })
}

#[test]
fn every_document_has_the_same_bits_at_any_number_of_threads() {
    let scenes = SCENES.iter().map(|scene| (scene.name, scene.text));
    let recipes = RECIPES.iter().map(|recipe| (recipe.name, recipe.text));
    let mut moving = 0;
    for (name, text) in scenes.chain(recipes) {
        let (frames, expected) = hashes(name, text, 1);
        moving += usize::from(expected.windows(2).any(|two| two[0] != two[1]));
        for threads in [2, 4, 8] {
            let (_, found) = hashes(name, text, threads);
            assert_eq!(found, expected, "{name} at the frames {frames:?}, {threads} threads");
        }
    }
    let all = SCENES.len() + RECIPES.len();
    assert!(2 * moving > all, "only {moving} of {all} hashes see the motion");
}
