//! Further right sides for a matrix that is factored: forces of contacts, and their compliance.
//!
//! Tests: `another_right_side_vs_a_dense_solve`.

#![expect(
    clippy::inline_always,
    reason = "a kernel of small operations is one loop only if all of them are inlined"
)]

use glam::DVec3;

use super::super::lanes::{
    Vec3, ZERO3, add, add_to3, f64x2, lane3, mat_mul, mat_t_mul, sub, sym_mul, vector,
};
use super::{Band, join};

impl Band {
    /// Adds a force to the next right side.
    #[inline(always)]
    pub(crate) fn load_place(&mut self, place: usize, lane: usize, force: DVec3) {
        add_to3(&mut self.right[place], lane, force);
    }

    /// Solves for the right side that was loaded, at places from `from` on, and adds the
    /// displacements to those of the last solve. The right side is used up.
    pub(crate) fn add_answer(&mut self, from: usize) {
        let mut right = std::mem::take(&mut self.right);
        self.answer(&mut right, from, 0);
        for (moved, more) in self.moved.iter_mut().zip(&right) {
            *moved = add(*moved, *more);
        }
        right.fill(ZERO3);
        self.right = right;
    }

    /// Solves for the right side that was loaded; read it with [`Band::answered_place`], then call
    /// [`Band::clear_right`].
    pub(crate) fn answer_here(&mut self, from: usize) {
        let mut right = std::mem::take(&mut self.right);
        self.answer(&mut right, from, from);
        self.right = right;
    }

    pub(crate) fn clear_right(&mut self) {
        self.right.fill(ZERO3);
    }

    #[inline(always)]
    pub(crate) fn answered_place(&self, place: usize, lane: usize) -> DVec3 {
        vector(&self.right[place], lane)
    }

    /// Replaces a right side by its solution, at all places from `until` on; its entries before
    /// place `from` are zero.
    fn answer(&self, right: &mut [Vec3<f64x2>], from: usize, until: usize) {
        if self.segments == 0 {
            let x = sym_mul(&self.middle.inverse_a, lane3(&right[0], 0));
            right[0] = join(x, x);
        } else if self.bent {
            self.answer_with::<true>(right, from.min(self.both), until);
        } else {
            self.answer_with::<false>(right, from.min(self.both), until);
        }
    }

    fn answer_with<const BENT: bool>(&self, right: &mut [Vec3<f64x2>], from: usize, until: usize) {
        let both = self.both;
        for k in from..both {
            let factor = &self.factors[k];
            let force = right[k];
            right[k + 1] = sub(right[k + 1], mat_t_mul(&factor.upper, force));
            if BENT {
                right[k + 2] = sub(right[k + 2], mat_t_mul(&factor.upper_next, force));
            }
            right[k] = sym_mul(&factor.inverse, force);
        }
        let last = [right[both], right[both + 1], right[both + 2]];
        let [mut near, mut far, beyond] = self.answer_middle::<BENT>(&last);
        (right[both], right[both + 1], right[both + 2]) = (near, far, beyond);
        for k in (until..both).rev() {
            let factor = &self.factors[k];
            let known = if k >= from { right[k] } else { ZERO3 };
            let mut x = sub(known, mat_mul(&factor.upper, near));
            if BENT {
                x = sub(x, mat_mul(&factor.upper_next, far));
            }
            right[k] = x;
            (far, near) = (near, x);
        }
    }

    /// Solutions at the last three places from what the sweeps have left of the right side there.
    #[inline(always)]
    fn answer_middle<const BENT: bool>(&self, right: &[Vec3<f64x2>; 3]) -> [Vec3<f64x2>; 3] {
        let at = |place: usize, lane: usize| lane3(&right[place], lane);
        let (mut force_a, mut force_b) = (at(0, 0), at(0, 1));
        let mut known = [0.0; 3];
        if self.odd {
            let (factor, force) = (&self.odd_factor, force_a);
            force_a = add(at(1, 0), at(1, 1));
            force_a = sub(force_a, mat_t_mul(&factor.upper, force));
            if BENT {
                force_b = sub(force_b, mat_t_mul(&factor.upper_next, force));
            }
            known = sym_mul(&factor.inverse, force);
        } else {
            force_a = add(force_a, at(1, 1));
            force_b = add(force_b, at(1, 0));
        }
        let (a, b) = self.middle.solve(force_a, force_b);
        self.spread_middle::<BENT>(a, b, known)
    }

    /// The displacements of some particles by a unit force along each axis, distributed over other
    /// particles by weights: `columns` is room, `loads` and `reads` are places, lanes and weights.
    pub(crate) fn columns(
        &self,
        columns: &mut Vec<[Vec3<f64x2>; 3]>,
        loads: &[(usize, usize, f64)],
        until: usize,
    ) {
        columns.resize(self.right.len(), [ZERO3; 3]);
        let both = self.both;
        let from = loads.iter().fold(both, |from, (place, ..)| from.min(*place));
        for right in &mut columns[until.min(from)..] {
            *right = [ZERO3; 3];
        }
        for (place, lane, weight) in loads {
            for (axis, column) in columns[*place].iter_mut().enumerate() {
                column[axis].as_mut_array()[*lane] += weight;
            }
        }
        if self.segments == 0 {
            for column in &mut columns[0] {
                let x = sym_mul(&self.middle.inverse_a, lane3(column, 0));
                *column = join(x, x);
            }
        } else if self.bent {
            self.columns_with::<true>(columns, from, until.min(from));
        } else {
            self.columns_with::<false>(columns, from, until.min(from));
        }
    }

    fn columns_with<const BENT: bool>(
        &self,
        columns: &mut [[Vec3<f64x2>; 3]],
        from: usize,
        until: usize,
    ) {
        let both = self.both;
        for k in from..both {
            let factor = &self.factors[k];
            let force = columns[k];
            for (axis, force) in force.into_iter().enumerate() {
                let next = &mut columns[k + 1][axis];
                *next = sub(*next, mat_t_mul(&factor.upper, force));
                if BENT {
                    let far = &mut columns[k + 2][axis];
                    *far = sub(*far, mat_t_mul(&factor.upper_next, force));
                }
                columns[k][axis] = sym_mul(&factor.inverse, force);
            }
        }
        for axis in 0..3 {
            let last = [both, both + 1, both + 2].map(|place| columns[place][axis]);
            for (column, x) in columns[both..].iter_mut().zip(self.answer_middle::<BENT>(&last)) {
                column[axis] = x;
            }
        }
        for k in (until..both).rev() {
            let factor = &self.factors[k];
            let (near, far) = (columns[k + 1], columns[k + 2]);
            for (axis, column) in columns[k].iter_mut().enumerate() {
                let known = if k >= from { *column } else { ZERO3 };
                let mut x = sub(known, mat_mul(&factor.upper, near[axis]));
                if BENT {
                    x = sub(x, mat_mul(&factor.upper_next, far[axis]));
                }
                *column = x;
            }
        }
    }
}
