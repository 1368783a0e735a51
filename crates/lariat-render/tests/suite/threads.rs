//! The same bytes with any number of threads.

use lariat_render::{NamedView, Stage, bounds_of};
use rayon::ThreadPoolBuilder;

use crate::scenes::{QUALITY, draw, lights, rope_and_spring};

#[test]
fn the_number_of_threads_changes_nothing() {
    for strands in [rope_and_spring(), lights()] {
        let stage = Stage::for_strands(&strands, &bounds_of(&strands));
        let with = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let direction = NamedView::ThreeQuarter.direction();
            pool.install(|| draw(&strands, &stage, direction, (96, 64), QUALITY))
        };
        let one = with(1);
        for threads in [2, 3] {
            assert!(
                with(threads) == one,
                "the picture of {threads} threads differs from that of one"
            );
        }
    }
}
