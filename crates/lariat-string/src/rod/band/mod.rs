//! Newton's matrix of one string: assembled, factored and solved in one sweep from both ends.
//!
//! The unknowns are the positions of the particles at the end of a substep. Particle `i` is coupled
//! to `i ± 1` by the segments and to `i ± 2` by the joints, so the matrix is symmetric, of 3 by 3
//! blocks, with two blocks on each side of the diagonal:
//!
//! ```text
//! inertia   m/c (x − aim)                          c: square of the coefficient of the time step
//! segment   T t,   T/l (1 − t tᵀ)                  tension T, length l
//! joint     B e,   e = d₊/l₊ − d₋/l₋ − bent        lengths l as they were when the substep began
//! twist     τ t₋×t₊ / (1 + t₋·t₊) / l              and the part of its derivative that turns with it
//! extra     contact with obstacles, targets, air   `Extra`, one block per particle and per segment
//! ```
//!
//! The tension of a segment is an unknown of its own, `T/k = l − rest` for its stiffness `k`, and is
//! eliminated with its particle: with `k` in the matrix instead, all digits of a stiff string would be
//! lost. It takes part in the next iteration's stiffness across the segment, so even a string
//! that hardly stretches turns freely in one iteration. Only tension counts there: pushed segments
//! add nothing, which keeps the matrix positive definite.
//!
//! Lane 0 eliminates from the first particle, lane 1 from the last; they meet at two particles in
//! the middle. A held particle has `free = 0`: its displacement is zero, and the force that holds it
//! does not appear.
//!
//! ```text
//! element.rs   a particle with its segment and its joint
//! answer.rs    further right sides
//! ```
//!
//! Tests: `the_band_vs_a_dense_solve`, `another_right_side_vs_a_dense_solve`.

#![expect(
    clippy::inline_always,
    reason = "a kernel of small operations is one loop only if all of them are inlined"
)]

mod answer;
mod element;

use glam::DVec3;

use self::element::{
    CONTRADICTS, Factor, Front, NO_EXTRA, NO_FACTOR, NO_FACTOR_ONE, NO_NODE, NO_SEGMENT, Segment,
    add_diagonal, add_outer, add_sym, contradiction, eliminate, segment, segment_block,
    subtract_outer,
};
pub(super) use self::element::{Extra, Node};
use super::lanes::{
    Lane, Mat3, Sym3, Vec3, ZERO, ZERO3, add, add_to3, dot, f64x2, full, lane3, mat_mul, mat_t_mul,
    pair, scale, sub, sym_inverse, sym_mat_t, sym_minus, sym_mul, transposed, vector,
};

/// The two particles in the middle.
#[derive(Clone, Copy, Debug)]
struct Middle {
    inverse_a: Sym3<f64>,
    upper: Mat3<f64>,
    inverse_b: Sym3<f64>,
}

impl Middle {
    fn solve(&self, force_a: Vec3<f64>, force_b: Vec3<f64>) -> (Vec3<f64>, Vec3<f64>) {
        let b = sym_mul(&self.inverse_b, sub(force_b, mat_t_mul(&self.upper, force_a)));
        (sub(sym_mul(&self.inverse_a, force_a), mat_mul(&self.upper, b)), b)
    }
}

#[inline(always)]
fn join(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64x2> {
    [pair(a[0], b[0]), pair(a[1], b[1]), pair(a[2], b[2])]
}

/// Newton's matrix of a string, its factor and its solution.
#[derive(Clone, Debug)]
pub(super) struct Band {
    /// Number of segments.
    segments: usize,
    /// Particles that both lanes eliminate before the middle.
    both: usize,
    /// Whether lane 0 eliminates one particle more.
    odd: bool,
    pub nodes: Vec<Node<f64x2>>,
    pub extras: Vec<Extra<f64x2>>,
    factors: Vec<Factor<f64x2>>,
    odd_factor: Factor<f64>,
    middle: Middle,
    middle_segment: Segment<f64>,
    /// Displacements of the last solve.
    pub moved: Vec<Vec3<f64x2>>,
    /// Room for further right sides.
    right: Vec<Vec3<f64x2>>,
    bent: bool,
    extra: bool,
}

impl Default for Band {
    fn default() -> Self {
        Self {
            segments: 0,
            both: 0,
            odd: false,
            nodes: Vec::new(),
            extras: Vec::new(),
            factors: Vec::new(),
            odd_factor: NO_FACTOR_ONE,
            middle: Middle { inverse_a: [0.0; 6], upper: [0.0; 9], inverse_b: [0.0; 6] },
            middle_segment: NO_SEGMENT,
            moved: Vec::new(),
            right: Vec::new(),
            bent: false,
            extra: false,
        }
    }
}

impl Band {
    /// Makes room for a string; `bent` if its joints resist bending or twist.
    pub(super) fn fit(&mut self, segments: usize, bent: bool) {
        self.segments = segments;
        (self.both, self.odd) = (segments.saturating_sub(1) / 2, segments.is_multiple_of(2));
        self.odd &= segments > 0;
        let places = if segments == 0 { 1 } else { self.both + 2 + usize::from(self.odd) };
        self.nodes.resize(places, NO_NODE);
        self.extras.resize(places, NO_EXTRA);
        self.factors.resize(self.both, NO_FACTOR);
        self.moved.resize(places, ZERO3);
        self.right.resize(self.both + 3, ZERO3);
        self.right.fill(ZERO3);
        self.bent = bent;
    }

    /// Number of places, each with a particle in both lanes.
    pub(super) fn places(&self) -> usize {
        self.nodes.len()
    }

    /// The last place in which lane 0 has a particle that lane 1 has not.
    pub(super) fn halfway(&self) -> usize {
        self.both + usize::from(self.odd)
    }

    /// Place and lane of a particle.
    #[inline(always)]
    pub(super) fn place(&self, particle: usize) -> (usize, usize) {
        if particle <= self.halfway() { (particle, 0) } else { (self.segments - particle, 1) }
    }

    /// Calls `set` with every place and lane of a particle: those in the middle have two.
    #[inline(always)]
    pub(super) fn each_place(
        &mut self,
        particle: usize,
        mut set: impl FnMut(&mut Self, usize, usize),
    ) {
        let places = self.places();
        if particle < places {
            set(self, particle, 0);
        }
        let from_end = self.segments - particle;
        if from_end < places && self.segments > 0 {
            set(self, from_end, 1);
        }
    }

    /// Calls `set` with every place and lane of a segment.
    #[inline(always)]
    pub(super) fn each_segment(
        &mut self,
        segment: usize,
        set: impl FnMut(&mut Self, usize, usize),
    ) {
        self.each_segment_before(segment, segment, set);
    }

    /// Calls `set` with every place and lane of the joint at a particle.
    #[inline(always)]
    pub(super) fn each_joint(&mut self, joint: usize, set: impl FnMut(&mut Self, usize, usize)) {
        self.each_segment_before(joint - 1, joint, set);
    }

    #[inline(always)]
    fn each_segment_before(
        &mut self,
        from_start: usize,
        segment: usize,
        mut set: impl FnMut(&mut Self, usize, usize),
    ) {
        let places = self.places();
        if from_start < places {
            set(self, from_start, 0);
        }
        let from_end = self.segments - 1 - segment;
        if from_end < places {
            set(self, from_end, 1);
        }
    }

    /// Removes all extra stiffness and force.
    pub(super) fn clear_extras(&mut self) {
        if self.extra {
            self.extras.fill(NO_EXTRA);
            self.extra = false;
        }
    }

    /// Adds stiffness and force to a particle.
    #[inline]
    pub(super) fn add_extra(&mut self, particle: usize, own: &Sym3<f64>, force: DVec3) {
        self.extra = true;
        self.each_place(particle, |band, place, lane| {
            let extra = &mut band.extras[place];
            for (to, more) in extra.own.iter_mut().zip(own) {
                to.as_mut_array()[lane] += more;
            }
            add_to3(&mut extra.force, lane, force);
        });
    }

    /// Adds a force to a particle in this iteration.
    #[inline]
    pub(super) fn add_force(&mut self, particle: usize, force: DVec3) {
        self.extra = true;
        self.each_place(particle, |band, place, lane| {
            add_to3(&mut band.extras[place].force, lane, force);
        });
    }

    /// Adds stiffness between the ends of a segment.
    #[inline]
    pub(super) fn add_link(&mut self, segment: usize, link: &Sym3<f64>) {
        self.extra = true;
        self.each_segment(segment, |band, place, lane| {
            for (to, more) in band.extras[place].link.iter_mut().zip(link) {
                to.as_mut_array()[lane] += more;
            }
        });
    }

    /// Displacement of a particle by the last solve.
    #[inline(always)]
    pub(super) fn displacement(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.place(particle);
        vector(&self.moved[place], lane)
    }

    /// Displacement at a place by the last solve.
    #[inline(always)]
    pub(super) fn displacement_at(&self, place: usize, lane: usize) -> DVec3 {
        vector(&self.moved[place], lane)
    }

    pub(super) fn tension(&self, segment: usize) -> f64 {
        if segment + 1 < self.places() {
            self.nodes[segment].tension.lane(0)
        } else {
            self.nodes[self.segments - 1 - segment].tension.lane(1)
        }
    }

    /// Assembles the matrix where particles are, factors it, and solves for their displacements.
    pub(super) fn solve(&mut self) {
        match (self.segments, self.bent, self.extra) {
            (0, ..) => self.solve_one(),
            (_, true, true) => self.sweep::<true, true>(),
            (_, true, false) => self.sweep::<true, false>(),
            (_, false, true) => self.sweep::<false, true>(),
            (_, false, false) => self.sweep::<false, false>(),
        }
    }

    /// A single particle.
    fn solve_one(&mut self) {
        let (node, extra) = (self.nodes[0].lane(0), self.extras[0].lane(0));
        let mut own = extra.own;
        add_diagonal(&mut own, node.inertia);
        let inverse_a = sym_inverse(&own, node.free);
        self.middle = Middle { inverse_a, upper: [0.0; 9], inverse_b: [0.0; 6] };
        let inert = scale(sub(node.aim, node.position), node.inertia);
        let moved = sym_mul(&inverse_a, add(inert, extra.force));
        self.moved[0] = join(moved, moved);
    }

    fn sweep<const BENT: bool, const EXTRA: bool>(&mut self) {
        let both = self.both;
        let (nodes, extras, factors) =
            (&self.nodes[..], &self.extras[..], &mut self.factors[..both]);
        let mut front = Front::<f64x2>::empty();
        let mut here = segment(&nodes[0], nodes[1].position);
        for k in 0..both {
            let mut there = segment(&nodes[k + 1], nodes[k + 2].position);
            factors[k] = eliminate::<f64x2, BENT, EXTRA>(
                &mut front, &nodes[k], &extras[k], &here, &mut there,
            );
            here = there;
        }
        let (mut left, right) = (front.lane(0), front.lane(1));
        let (first, second) = (nodes[both].lane(0), nodes[both + 1].lane(0));
        let (mut a, mut extra_a) = (first, extras[both].lane(0));
        let mut between = segment(&first, second.position);
        between.bias = here.bias.lane(0);
        if self.odd {
            let mut there = segment(&second, nodes[both + 2].lane(0).position);
            self.odd_factor =
                eliminate::<f64, BENT, EXTRA>(&mut left, &first, &extra_a, &between, &mut there);
            (a, extra_a) = (second, extras[both + 1].lane(0));
            between = there;
        }
        between.bias += here.bias.lane(1);
        let (b, extra_b) = (nodes[both].lane(1), extras[both].lane(1));
        let block = segment_block(&between, between.bias);
        let (mut own_a, mut own_b) = (left.own, left.next);
        add_sym(&mut own_a, &right.next);
        add_sym(&mut own_b, &right.own);
        for own in [&mut own_a, &mut own_b] {
            add_sym(own, &block);
        }
        add_diagonal(&mut own_a, a.inertia);
        add_diagonal(&mut own_b, b.inertia);
        let (other, block) = (transposed(&right.link), full(&block));
        let mut link: Mat3<f64> = std::array::from_fn(|k| left.link[k] + other[k] - block[k]);
        let pull = scale(between.along, -between.bias);
        let inert = |node: &Node<f64>| scale(sub(node.aim, node.position), node.inertia);
        let mut force_a = add(add(left.force, right.force_next), add(inert(&a), pull));
        let mut force_b = add(add(left.force_next, right.force), sub(inert(&b), pull));
        if EXTRA {
            add_sym(&mut own_a, &extra_a.own);
            add_sym(&mut own_b, &extra_b.own);
            let more = full(&extra_a.link);
            for (to, more) in link.iter_mut().zip(more) {
                *to += more;
            }
            force_a = add(force_a, extra_a.force);
            force_b = add(force_b, extra_b.force);
        }
        let mut inverse_a = sym_inverse(&own_a, a.free);
        let mut upper = sym_mat_t(&inverse_a, &link);
        let yields = sym_mul(&inverse_a, between.along);
        let per_give = (between.give + dot(between.along, yields)).recip();
        let next_pull = add(between.along, mat_mul(&link, yields));
        let known = sym_mul(&inverse_a, force_a);
        let tension = per_give * (between.gap - dot(between.along, known));
        let mut own_b = sym_minus(&own_b, &link, &upper);
        add_outer(&mut own_b, scale(next_pull, per_give), next_pull);
        let inverse_b = sym_inverse(&own_b, b.free);
        let force_b = sub(sub(force_b, mat_t_mul(&upper, force_a)), scale(next_pull, tension));
        subtract_outer(&mut upper, yields, scale(next_pull, per_give));
        add_outer(&mut inverse_a, yields, scale(yields, -per_give));
        self.middle = Middle { inverse_a, upper, inverse_b };
        self.middle_segment = between;
        let moved_b = sym_mul(&inverse_b, force_b);
        let known = add(known, scale(yields, tension));
        let moved_a = sub(known, mat_mul(&upper, moved_b));
        let last = self.spread_middle::<BENT>(moved_a, moved_b, self.odd_factor.known);
        let (factors, moved) = (&self.factors[..both], &mut self.moved[..]);
        for (moved, last) in moved[both..].iter_mut().zip(last) {
            *moved = last;
        }
        let [mut near, mut far, _] = last;
        for k in (0..both).rev() {
            let factor = &factors[k];
            let mut x = sub(factor.known, mat_mul(&factor.upper, near));
            if BENT {
                x = sub(x, mat_mul(&factor.upper_next, far));
            }
            moved[k] = x;
            (far, near) = (near, x);
        }
    }

    /// Solutions at the last three places from those of the two particles in the middle; `known`
    /// belongs to the particle before them, if there is an odd one.
    #[inline(always)]
    fn spread_middle<const BENT: bool>(
        &self,
        a: Vec3<f64>,
        b: Vec3<f64>,
        known: Vec3<f64>,
    ) -> [Vec3<f64x2>; 3] {
        if !self.odd {
            return [join(a, b), join(b, a), ZERO3];
        }
        let factor = &self.odd_factor;
        let mut c = sub(known, mat_mul(&factor.upper, a));
        if BENT {
            c = sub(c, mat_mul(&factor.upper_next, b));
        }
        [join(c, b), join(a, a), join(b, c)]
    }

    /// Moves particles by their displacements times `share`, and sets the tensions that belong to
    /// them. Returns false if one of them contradicts the branch of the stress curve that it was
    /// found with. `late` if iterations have been many: a segment that is pulled now stays on that
    /// branch to the end of the substep, so that none goes to and fro.
    pub(super) fn advance(&mut self, share: f64, late: bool) -> bool {
        let both = self.both;
        let mut worst = ZERO;
        let late = f64x2::splat(f64::from(u8::from(late)));
        if self.segments > 0 {
            for k in 0..both {
                let factor = &self.factors[k];
                let change = sub(self.moved[k + 1], self.moved[k]);
                let longer = dot(factor.along, change) * f64x2::splat(share);
                let tension = factor.tension + factor.stiffness * longer;
                let node = &mut self.nodes[k];
                node.tension = tension;
                node.latch = node.latch.larger(late * factor.branch[0]);
                worst = worst.larger(contradiction(node, factor.branch, tension));
            }
            let between = &self.middle_segment;
            let at = |place: usize, lane: usize| lane3(&self.moved[place], lane);
            let tension = |along: Vec3<f64>, tension: f64, stiffness: f64, change: Vec3<f64>| {
                tension + stiffness * (dot(along, change) * share)
            };
            let last = at(both, 1);
            if self.odd {
                let (c, a) = (at(both, 0), at(both + 1, 0));
                let one = tension(between.along, between.tension, between.stiffness, sub(last, a));
                let factor = &self.odd_factor;
                let two = tension(factor.along, factor.tension, factor.stiffness, sub(a, c));
                self.nodes[both].tension = pair(two, one);
                self.nodes[both + 1].tension = pair(one, two);
                let branch = [0, 1].map(|k| pair(factor.branch[k], between.branch[k]));
                let latch = self.nodes[both].latch.larger(late * branch[0]);
                self.nodes[both].latch = latch;
                self.nodes[both + 1].latch = pair(latch.lane(1), latch.lane(0));
                let node = &self.nodes[both];
                worst = worst.larger(contradiction(node, branch, node.tension));
            } else {
                let change = sub(last, at(both, 0));
                let one = tension(between.along, between.tension, between.stiffness, change);
                self.nodes[both].tension = pair(one, one);
                let branch = between.branch.map(f64x2::splat);
                self.nodes[both].latch = self.nodes[both].latch.larger(late * branch[0]);
                let node = &self.nodes[both];
                worst = worst.larger(contradiction(node, branch, node.tension));
            }
        }
        let share = f64x2::splat(share);
        for (node, moved) in self.nodes.iter_mut().zip(&self.moved) {
            node.position = add(node.position, scale(*moved, share));
        }
        let [a, b] = *worst.as_array();
        a.max(b) <= CONTRADICTS
    }

    /// Lets all segments choose their branch of the stress curve again.
    pub(super) fn unlatch(&mut self) {
        for node in &mut self.nodes {
            node.latch = ZERO;
        }
    }

    /// Square of the largest change of a segment by the last solve, over its length.
    pub(super) fn largest_turn(&self) -> f64 {
        if self.segments == 0 {
            return 0.0;
        }
        let mut most = ZERO;
        for k in 0..=self.both {
            let change = sub(self.moved[k + 1], self.moved[k]);
            let rest = self.nodes[k].rest_length;
            most = most.larger(dot(change, change) / (rest * rest));
            // NaN must not be lost in the comparison.
            most += ZERO * change[0];
        }
        let [a, b] = *most.as_array();
        if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
    }
}
