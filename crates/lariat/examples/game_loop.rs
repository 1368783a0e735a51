//! A rope in a plain game loop: add it once, move its hold, step, read points and events.
//!
//! ```sh
//! cargo run --release -p lariat --example game_loop
//! ```

use lariat::glam::DVec3;
use lariat::num::ops;
use lariat::world::{RopeDef, World, WorldError, WorldEvent};

fn main() -> Result<(), WorldError> {
    let mut world = World::new();
    world.add_floor(0.0);
    let (from, to) = (DVec3::new(0.0, 0.0, 2.0), DVec3::new(1.5, 0.0, 2.0));
    let rope = world.add_rope(&RopeDef::between(from, to))?;
    let hand = world.hold(rope, 0.0, from)?;

    // Ten seconds at 60 frames per second; a real game passes the measured time of each frame.
    let frame_time = 1.0 / 60.0;
    for frame in 0..600 {
        // The player swings the rope, and lets go after eight seconds.
        let t = f64::from(frame) * frame_time;
        if frame < 480 {
            world.set_target(hand, from + DVec3::X * (0.3 * ops::sin(3.0 * t)))?;
        } else if frame == 480 {
            world.release(hand)?;
        }

        world.step(frame_time)?;

        for event in world.events() {
            match event {
                WorldEvent::Torn { place, .. } => println!("{t:.2} s: the rope tore at {place:.2}"),
            }
        }
        if frame % 60 == 59 {
            let end = world.points(rope).last().copied().unwrap_or(from);
            println!("{t:5.2} s: end at {end:.2}, tension {:.1} N", world.max_tension(rope));
        }
    }
    Ok(())
}
