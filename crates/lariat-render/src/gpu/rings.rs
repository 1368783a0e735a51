//! Rings with every number of sides, which the card sweeps along a strand.

use lariat_core::num::ops;

use super::rows::SIDES;

/// Position of a ring in the buffers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ring {
    pub first: i32,
    pub joined: (u32, u32),
    pub cap_first: i32,
    pub cap_joined: (u32, u32),
}

/// Corners of rings with every number of sides, the indices of their faces, and their offsets.
pub(super) fn rings() -> (Vec<f32>, Vec<u32>, [Ring; SIDES.len()]) {
    let (mut corners, mut joined) = (Vec::new(), Vec::new());
    let rings = SIDES.map(|sides| {
        // Between its corners a polygon is too thin: this factor makes it right on average.
        let wider = 2.0 / (1.0 + ops::cos_turns(0.5 / f64::from(sides)));
        let mut corner = |turns: f64, end: f64| {
            let (cos, sin) = (ops::cos_turns(turns), ops::sin_turns(turns));
            corners.extend([cos, sin, turns, wider, end].map(|x| x as f32));
            corners.len() as u32 / 5
        };
        let turns = |k: u32| f64::from(k) / f64::from(sides);
        let first = corner(0.0, 0.0) as i32 - 1;
        corner(0.0, 1.0);
        for k in 1..=sides {
            corner(turns(k), 0.0);
            corner(turns(k), 1.0);
        }
        let cap_first = corner(0.0, 0.0) as i32 - 1;
        for k in 0..=sides {
            corner(turns(k), 1.0);
        }
        let from = joined.len() as u32;
        for k in 0..sides {
            let a = 2 * k;
            joined.extend([a, a + 2, a + 3, a, a + 3, a + 1]);
        }
        let to = joined.len() as u32;
        for k in 0..sides {
            joined.extend([0, k + 1, k + 2]);
        }
        Ring { first, joined: (from, to), cap_first, cap_joined: (to, joined.len() as u32) }
    });
    (corners, joined, rings)
}
