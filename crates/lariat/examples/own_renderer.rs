//! A rope drawn by a custom renderer, here one that draws characters in a terminal.
//!
//! The renderer takes the points as `f32` triples, as a vertex buffer would, without copying them.
//!
//! ```sh
//! cargo run --release -p lariat --example own_renderer
//! ```

use lariat::glam::DVec3;
use lariat::world::{RopeDef, World, WorldError};

const WIDTH: usize = 72;
const HEIGHT: usize = 18;

/// A renderer without knowledge of ropes: it draws line strips seen along Y.
struct Terminal {
    cells: [[char; WIDTH]; HEIGHT],
}

impl Terminal {
    fn new() -> Self {
        Self { cells: [[' '; WIDTH]; HEIGHT] }
    }

    /// Draws a strip of lines through the points; the view is 4 m wide and 3 m high.
    fn draw_strip(&mut self, points: &[[f32; 3]]) {
        for pair in points.windows(2) {
            for i in 0..8 {
                let share = i as f32 / 8.0;
                let [x, z] = [0, 2].map(|k| pair[0][k] + share * (pair[1][k] - pair[0][k]));
                let column = ((x + 2.0) / 4.0 * WIDTH as f32) as usize;
                let row = ((3.0 - z) / 3.0 * HEIGHT as f32) as usize;
                if let Some(cell) = self.cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *cell = '#';
                }
            }
        }
    }

    fn show(&self) {
        for row in &self.cells {
            println!("{}", row.iter().collect::<String>().trim_end());
        }
        println!("{}", "-".repeat(WIDTH));
    }
}

fn main() -> Result<(), WorldError> {
    let mut world = World::new();
    world.add_floor(0.0);
    let (left, right) = (DVec3::new(-1.5, 0.0, 2.5), DVec3::new(1.5, 0.0, 2.5));
    let rope = world.add_rope(&RopeDef::between(left, right).with_length(4.0))?;
    world.hold(rope, 0.0, left)?;
    let hand = world.hold(rope, 1.0, right)?;

    for frame in 0..120 {
        if frame == 40 {
            world.release(hand)?;
        }
        world.step(1.0 / 60.0)?;
        if frame % 20 == 0 {
            let mut terminal = Terminal::new();
            terminal.draw_strip(world.points_f32(rope));
            terminal.show();
        }
    }
    Ok(())
}
