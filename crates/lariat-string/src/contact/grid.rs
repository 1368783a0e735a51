//! Which segments may touch: a uniform grid of their middles.
//!
//! Cells are as wide as the longest segment with its thickness, and every cell is looked at with its
//! 26 neighbours (half of them from each side, so that each pair is met once). Then nothing that
//! touches is missed: middles of touching segments are at most `l + 2r` apart.
//!
//! # Where we leave the paper
//!
//! * R10 of the notes: its seven voxels are too few. Two segments may cross though no two of their
//!   ends lie in equal or face-adjacent cells, and with any thickness that fails for every size of
//!   cell. Both counterexamples are tests.
//!
//! Tests: `crossing_segments_that_seven_voxels_miss`, `thick_segments_that_seven_voxels_miss`,
//! `no_contact_is_missed_in_a_million_pairs`.

use std::ops::Range;

use glam::DVec3;

/// Cells before and beside the own one; their opposites look back.
const AHEAD: [[i32; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// One segment in its cell.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    cell: [i32; 3],
    id: u32,
}

/// A grid of middles.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Grid {
    middles: Vec<(u32, [i32; 3])>,
    starts: Vec<u32>,
    items: Vec<Item>,
    mask: u32,
}

fn bucket(cell: [i32; 3], mask: u32) -> usize {
    let [x, y, z] = cell.map(|c| c as u32);
    let mixed = x.wrapping_mul(0x9e37_79b1)
        ^ y.wrapping_mul(0x85eb_ca77).rotate_left(11)
        ^ z.wrapping_mul(0xc2b2_ae3d).rotate_left(21);
    ((mixed ^ (mixed >> 15)) & mask) as usize
}

impl Grid {
    /// Sorts middles into cells of a size.
    pub(in super::super) fn sort(
        &mut self,
        middles: impl Iterator<Item = (u32, DVec3)>,
        size: f64,
    ) {
        let per = 1.0 / size;
        self.middles.clear();
        self.middles.extend(middles.map(|(id, middle)| {
            let cell = (middle * per).floor().clamp(DVec3::splat(-1e9), DVec3::splat(1e9));
            (id, [cell.x as i32, cell.y as i32, cell.z as i32])
        }));
        let buckets = (2 * self.middles.len()).next_power_of_two().max(16);
        self.mask = buckets as u32 - 1;
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for (_, cell) in &self.middles {
            self.starts[bucket(*cell, self.mask)] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        self.items.resize(self.middles.len(), Item::default());
        // From the back, so that each bucket is in the order of its segments.
        for (id, cell) in self.middles.iter().rev() {
            let start = &mut self.starts[bucket(*cell, self.mask)];
            *start -= 1;
            self.items[*start as usize] = Item { cell: *cell, id: *id };
        }
    }

    fn in_cell(&self, cell: [i32; 3]) -> impl Iterator<Item = u32> {
        let at = bucket(cell, self.mask);
        let (from, to) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        self.items[from..to].iter().filter(move |item| item.cell == cell).map(|item| item.id)
    }

    /// All pairs in equal or neighbouring cells, each once: those of some middles, in the order in which
    /// they were sorted in.
    pub(in super::super) fn pairs(&self, of: Range<usize>, mut found: impl FnMut(u32, u32)) {
        for (id, cell) in &self.middles[of] {
            for other in self.in_cell(*cell).filter(|other| other > id) {
                found(*id, other);
            }
            for step in AHEAD {
                let there = [cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]];
                for other in self.in_cell(there) {
                    found(*id, other);
                }
            }
        }
    }
}
