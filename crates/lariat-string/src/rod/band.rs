//! Newton's matrix of one string: assembled, factored and solved in one sweep from both ends.
//!
//! The unknowns are the positions of the particles at the end of a substep. Particle `i` is coupled
//! to `i ± 1` by the segments and to `i ± 2` by the joints, so the matrix is symmetric, of 3 by 3
//! blocks, with two blocks on each side of the diagonal:
//!
//! ```text
//! inertia   m/c (x − aim)                          c: square of the coefficient of the time step
//! segment   T t,   k t tᵀ + T/l (1 − t tᵀ)         tension T and stiffness k of the stress curve
//! joint     B e,   e = d₊/l₊ − d₋/l₋ − bent        lengths l as they were when the substep began
//! twist     τ t₋×t₊ / (1 + t₋·t₊) / l              and the part of its derivative that turns with it
//! extra     contact with obstacles, targets, air   `Extra`, one block per particle and per segment
//! ```
//!
//! A segment's tension is not an unknown of its own: it follows from the displacements after the
//! solve (`advance`), and takes part in the next iteration's geometric stiffness. So even a string
//! that hardly stretches turns freely in one iteration. Only tension counts there: pushed segments
//! add nothing, which keeps the matrix positive definite.
//!
//! Lane 0 eliminates from the first particle, lane 1 from the last; they meet at two particles in
//! the middle. A held particle has `free = 0`: its displacement is zero, and the force that holds it
//! does not appear.
//!
//! Tests: `the_band_vs_a_dense_solve`, `another_right_side_vs_a_dense_solve`.

use glam::DVec3;

use super::lanes::*;

/// The smallest denominator of the curvature binormal. Smaller: a folded joint flings its particles.
const FOLDED: f64 = 0.1;

/// A segment that is shorter by less than this share of its length counts as pulled.
const LEVEL: f64 = 1e-9;

/// Largest force that may contradict the branch of the stress curve that it was found with, over
/// that which pushes the segment together, or over the yield tension.
const CONTRADICTS: f64 = 1e-3;

/// A particle, the segment after it and the joint after that, in the direction of its lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<V> {
    pub position: Vec3<V>,
    /// Position at the end of the substep if nothing but the constant forces acted.
    pub aim: Vec3<V>,
    /// Mass over `c`.
    pub inertia: V,
    /// 1, or 0 for a held particle.
    pub free: V,
    pub rest_length: V,
    /// Newtons per metre of a pulled and of a pushed segment, and metres per newton of the latter.
    pub stiffness: V,
    pub compression: V,
    pub slack: V,
    /// Tension at which the segment yields, one over it, and the slope beyond it over the slope
    /// before it.
    pub yield_tension: V,
    pub per_yield: V,
    pub yield_slope: V,
    /// Tension of the last iteration.
    pub tension: V,
    /// 1 if the segment counts as pulled whatever its tension is, else 0.
    pub latch: V,
    /// One over the lengths before and after the joint.
    pub per_before: V,
    pub per_after: V,
    /// Bending stiffness of the joint, and its inner friction along one direction.
    pub bend: V,
    pub friction: V,
    pub friction_axis: Vec3<V>,
    pub friction_start: V,
    /// Curvature of the joint at rest, in world axes.
    pub bent: Vec3<V>,
    /// Torque that the joint is twisted with.
    pub torque: V,
}

/// Stiffness and force beyond those of the string itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra<V> {
    pub force: Vec3<V>,
    /// Stiffness of the particle, and coupling with the next one.
    pub own: Sym3<V>,
    pub link: Sym3<V>,
}

const NO_EXTRA: Extra<f64x2> = Extra { force: ZERO3, own: [ZERO; 6], link: [ZERO; 6] };

const NO_NODE: Node<f64x2> = Node {
    position: ZERO3,
    aim: ZERO3,
    inertia: ZERO,
    free: ZERO,
    rest_length: ZERO,
    stiffness: ZERO,
    compression: ZERO,
    slack: ZERO,
    yield_tension: ZERO,
    per_yield: ZERO,
    yield_slope: ZERO,
    tension: ZERO,
    latch: ZERO,
    per_before: ZERO,
    per_after: ZERO,
    bend: ZERO,
    friction: ZERO,
    friction_axis: ZERO3,
    friction_start: ZERO,
    bent: ZERO3,
    torque: ZERO,
};

/// An eliminated particle.
#[derive(Clone, Copy, Debug)]
struct Factor<V> {
    inverse: Sym3<V>,
    upper: Mat3<V>,
    upper_next: Mat3<V>,
    known: Vec3<V>,
    /// Of the segment after it: direction, stiffness and tension where it was assembled.
    along: Vec3<V>,
    stiffness: V,
    tension: V,
    branch: [V; 2],
}

const NO_FACTOR: Factor<f64x2> = Factor {
    inverse: [ZERO; 6],
    upper: [ZERO; 9],
    upper_next: [ZERO; 9],
    known: ZERO3,
    along: ZERO3,
    stiffness: ZERO,
    tension: ZERO,
    branch: [ZERO; 2],
};

const NO_FACTOR_ONE: Factor<f64> = Factor {
    inverse: [0.0; 6],
    upper: [0.0; 9],
    upper_next: [0.0; 9],
    known: [0.0; 3],
    along: [0.0; 3],
    stiffness: 0.0,
    tension: 0.0,
    branch: [0.0; 2],
};

/// A segment where its ends are.
#[derive(Clone, Copy, Debug)]
struct Segment<V> {
    offset: Vec3<V>,
    along: Vec3<V>,
    per_length: V,
    tension: V,
    stiffness: V,
    /// Tension of the iteration before.
    last_tension: V,
    /// 1 if it is pulled, −1 if it is pushed; 1 if it yields, −1 if not.
    branch: [V; 2],
    /// The part of the joints' forces that acts along the segment, which is none of bending.
    bias: V,
}

const NO_SEGMENT: Segment<f64> = Segment {
    offset: [0.0; 3],
    along: [0.0; 3],
    per_length: 0.0,
    tension: 0.0,
    stiffness: 0.0,
    last_tension: 0.0,
    branch: [0.0; 2],
    bias: 0.0,
};

/// The part of the matrix that eliminated particles have changed.
#[derive(Clone, Copy)]
struct Front<V> {
    own: Sym3<V>,
    link: Mat3<V>,
    next: Sym3<V>,
    force: Vec3<V>,
    force_next: Vec3<V>,
}

impl<V: Lane> Front<V> {
    #[inline(always)]
    fn empty() -> Self {
        let o = V::splat(0.0);
        Self { own: [o; 6], link: [o; 9], next: [o; 6], force: [o; 3], force_next: [o; 3] }
    }
}

impl Front<f64x2> {
    fn lane(&self, lane: usize) -> Front<f64> {
        Front {
            own: self.own.map(|v| v.lane(lane)),
            link: self.link.map(|v| v.lane(lane)),
            next: self.next.map(|v| v.lane(lane)),
            force: lane3(&self.force, lane),
            force_next: lane3(&self.force_next, lane),
        }
    }
}

impl Node<f64x2> {
    fn lane(&self, i: usize) -> Node<f64> {
        Node {
            position: lane3(&self.position, i),
            aim: lane3(&self.aim, i),
            inertia: self.inertia.lane(i),
            free: self.free.lane(i),
            rest_length: self.rest_length.lane(i),
            stiffness: self.stiffness.lane(i),
            compression: self.compression.lane(i),
            slack: self.slack.lane(i),
            yield_tension: self.yield_tension.lane(i),
            per_yield: self.per_yield.lane(i),
            yield_slope: self.yield_slope.lane(i),
            tension: self.tension.lane(i),
            latch: self.latch.lane(i),
            per_before: self.per_before.lane(i),
            per_after: self.per_after.lane(i),
            bend: self.bend.lane(i),
            friction: self.friction.lane(i),
            friction_axis: lane3(&self.friction_axis, i),
            friction_start: self.friction_start.lane(i),
            bent: lane3(&self.bent, i),
            torque: self.torque.lane(i),
        }
    }
}

impl Extra<f64x2> {
    fn lane(&self, i: usize) -> Extra<f64> {
        Extra {
            force: lane3(&self.force, i),
            own: self.own.map(|v| v.lane(i)),
            link: self.link.map(|v| v.lane(i)),
        }
    }
}

/// The segment from a node to a position.
#[inline(always)]
fn segment<V: Lane>(node: &Node<V>, to: Vec3<V>) -> Segment<V> {
    let offset = sub(to, node.position);
    let length = dot(offset, offset).root().larger(V::splat(f64::MIN_POSITIVE));
    let per_length = length.recip();
    let longer = length - node.rest_length;
    // Length and tension have the same sign at the solution. The length of a stiff segment says
    // little before that, so both decide whether it is pulled.
    let one = V::splat(1.0);
    let pulled = longer + node.tension * node.slack + node.rest_length * V::splat(LEVEL);
    let pulled = (-node.latch).choose(pulled, one);
    let stiffness = pulled.choose(node.stiffness, node.compression);
    let tension = stiffness * longer;
    // Beyond the yield point, which the tension of the last iteration decides.
    let over = node.tension - node.yield_tension;
    let flowing = node.yield_tension + (tension - node.yield_tension) * node.yield_slope;
    let stiffness = over.choose(stiffness * node.yield_slope, stiffness);
    let tension = over.choose(flowing, tension);
    Segment {
        offset,
        along: scale(offset, per_length),
        per_length,
        tension,
        stiffness,
        last_tension: node.tension,
        branch: [pulled.choose(one, -one), over.choose(one, -one)],
        bias: V::splat(0.0),
    }
}

/// How far a tension contradicts the branch of the stress curve that it was found with.
#[inline(always)]
fn contradiction<V: Lane>(node: &Node<V>, branch: [V; 2], tension: V) -> V {
    let [pulled, yields] = branch;
    let pushed_together = tension * node.slack * node.rest_length.recip();
    let over = tension * node.per_yield - V::splat(1.0);
    let latched = V::splat(1.0) - node.latch;
    (-(pulled * pushed_together * latched)).larger(-(yields * over))
}

/// The stiffness of a segment.
#[inline(always)]
fn segment_block<V: Lane>(here: &Segment<V>, bias: V) -> Sym3<V> {
    let across = (here.last_tension - bias).larger(V::splat(0.0)) * here.per_length;
    along_and_across(across, here.stiffness - across, here.along)
}

/// Adds a block to another.
#[inline(always)]
fn add_sym<V: Lane>(to: &mut Sym3<V>, more: &Sym3<V>) {
    for (to, more) in to.iter_mut().zip(more) {
        *to = *to + *more;
    }
}

#[inline(always)]
fn add_diagonal<V: Lane>(to: &mut Sym3<V>, more: V) {
    for k in [0, 3, 5] {
        to[k] = to[k] + more;
    }
}

/// Eliminates a particle; `here` is the segment after it, `there` the one after that.
#[inline(always)]
fn eliminate<V: Lane, const BENT: bool, const EXTRA: bool>(
    front: &mut Front<V>,
    node: &Node<V>,
    extra: &Extra<V>,
    here: &Segment<V>,
    there: &mut Segment<V>,
) -> Factor<V> {
    let o = V::splat(0.0);
    let mut bias = here.bias;
    let mut curvature = [o; 3];
    if BENT {
        let straight = sub(scale(there.offset, node.per_after), scale(here.offset, node.per_before));
        curvature = sub(straight, node.bent);
        let stored = V::splat(0.5) * node.bend * dot(curvature, straight);
        bias = bias + node.per_before * stored;
        there.bias = node.per_after * stored;
    }
    let block = segment_block(here, bias);
    let (mut own, mut next) = (front.own, front.next);
    add_sym(&mut own, &block);
    add_sym(&mut next, &block);
    add_diagonal(&mut own, node.inertia);
    let mut link = front.link;
    for (to, more) in link.iter_mut().zip(full(&block)) {
        *to = *to - more;
    }
    let inert = scale(sub(node.aim, node.position), node.inertia);
    let mut force = add(front.force, inert);
    let mut force_next = front.force_next;
    if EXTRA {
        add_sym(&mut own, &extra.own);
        for (to, more) in link.iter_mut().zip(full(&extra.link)) {
            *to = *to + more;
        }
        force = add(force, extra.force);
    }
    let (mut link_far, mut far, mut link_next, mut force_far) = ([o; 9], [o; 6], [o; 9], [o; 3]);
    if BENT {
        let (p, q) = (node.per_before, node.per_after);
        let both = p + q;
        let axis = node.friction_axis;
        let rate = dot(axis, add(curvature, node.bent)) - node.friction_start;
        let moment = add(scale(curvature, node.bend), scale(axis, node.friction * rate));
        force = sub(force, scale(moment, p));
        force_next = add(force_next, scale(moment, both));
        force_far = sub(force_far, scale(moment, q));
        // Twist.
        let near = V::splat(1.0) + dot(here.along, there.along);
        let twisted = node.torque * near.larger(V::splat(FOLDED)).recip();
        let binormal = scale(cross(here.along, there.along), twisted);
        let (first, last) = (scale(binormal, here.per_length), scale(binormal, there.per_length));
        force = add(force, first);
        force_next = add(force_next, sub(last, first));
        force_far = sub(force_far, last);
        let turn = V::splat(0.5) * twisted * here.per_length * there.per_length;
        let v = scale(add(here.along, there.along), turn);
        let stiff = along_and_across(node.bend, node.friction, axis);
        let (pp, ww, qq, pw, pq, qw) = (p * p, both * both, q * q, p * both, p * q, q * both);
        for i in 0..6 {
            own[i] = own[i] + stiff[i] * pp;
            next[i] = next[i] + stiff[i] * ww;
            far[i] = stiff[i] * qq;
        }
        let stiff = full(&stiff);
        let turned = [o, -v[2], v[1], v[2], o, -v[0], -v[1], v[0], o];
        for i in 0..9 {
            link[i] = link[i] - stiff[i] * pw - turned[i];
            link_far[i] = stiff[i] * pq + turned[i];
            link_next[i] = -(stiff[i] * qw) - turned[i];
        }
    }
    let pull = scale(here.along, here.tension - bias);
    force = add(force, pull);
    force_next = sub(force_next, pull);
    let inverse = sym_inverse(&own, node.free);
    let upper = sym_mat_t(&inverse, &link);
    front.own = sym_minus(&next, &link, &upper);
    front.force = sub(force_next, mat_t_mul(&upper, force));
    let mut upper_next = [o; 9];
    if BENT {
        upper_next = sym_mat_t(&inverse, &link_far);
        front.force_next = sub(force_far, mat_t_mul(&upper_next, force));
        front.link = mat_minus(&link_next, &link_far, &upper);
        front.next = sym_minus(&far, &link_far, &upper_next);
    } else {
        (front.force_next, front.link, front.next) = (force_far, link_next, far);
    }
    Factor {
        inverse,
        upper,
        upper_next,
        known: sym_mul(&inverse, force),
        along: here.along,
        stiffness: here.stiffness,
        tension: here.tension,
        branch: here.branch,
    }
}

/// The two particles in the middle.
#[derive(Clone, Copy, Debug)]
struct Middle {
    inverse_a: Sym3<f64>,
    link: Mat3<f64>,
    inverse_b: Sym3<f64>,
}

impl Middle {
    fn solve(&self, force_a: Vec3<f64>, force_b: Vec3<f64>) -> (Vec3<f64>, Vec3<f64>) {
        let known = sym_mul(&self.inverse_a, force_a);
        let b = sym_mul(&self.inverse_b, sub(force_b, mat_mul(&self.link, known)));
        (sym_mul(&self.inverse_a, sub(force_a, mat_t_mul(&self.link, b))), b)
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
            middle: Middle { inverse_a: [0.0; 6], link: [0.0; 9], inverse_b: [0.0; 6] },
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
    pub fn fit(&mut self, segments: usize, bent: bool) {
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
    pub fn places(&self) -> usize {
        self.nodes.len()
    }

    /// The last place in which lane 0 has a particle that lane 1 has not.
    pub fn halfway(&self) -> usize {
        self.both + usize::from(self.odd)
    }

    /// Place and lane of a particle.
    #[inline(always)]
    pub fn place(&self, particle: usize) -> (usize, usize) {
        if particle <= self.halfway() { (particle, 0) } else { (self.segments - particle, 1) }
    }

    /// Calls `set` with every place and lane of a particle: those in the middle have two.
    #[inline(always)]
    pub fn each_place(&mut self, particle: usize, mut set: impl FnMut(&mut Self, usize, usize)) {
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
    pub fn each_segment(&mut self, segment: usize, set: impl FnMut(&mut Self, usize, usize)) {
        self.each_segment_before(segment, segment, set);
    }

    /// Calls `set` with every place and lane of the joint at a particle.
    #[inline(always)]
    pub fn each_joint(&mut self, joint: usize, set: impl FnMut(&mut Self, usize, usize)) {
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
    pub fn clear_extras(&mut self) {
        if self.extra {
            self.extras.fill(NO_EXTRA);
            self.extra = false;
        }
    }

    /// Adds stiffness and force to a particle.
    #[inline]
    pub fn add_extra(&mut self, particle: usize, own: &Sym3<f64>, force: DVec3) {
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
    pub fn add_force(&mut self, particle: usize, force: DVec3) {
        self.extra = true;
        self.each_place(particle, |band, place, lane| {
            add_to3(&mut band.extras[place].force, lane, force);
        });
    }

    /// Adds stiffness between the ends of a segment.
    #[inline]
    pub fn add_link(&mut self, segment: usize, link: &Sym3<f64>) {
        self.extra = true;
        self.each_segment(segment, |band, place, lane| {
            for (to, more) in band.extras[place].link.iter_mut().zip(link) {
                to.as_mut_array()[lane] += more;
            }
        });
    }

    pub fn position(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.place(particle);
        vector(&self.nodes[place].position, lane)
    }

    /// Displacement of a particle by the last solve.
    #[inline(always)]
    pub fn displacement(&self, particle: usize) -> DVec3 {
        let (place, lane) = self.place(particle);
        vector(&self.moved[place], lane)
    }

    /// Displacement at a place by the last solve.
    #[inline(always)]
    pub fn displacement_at(&self, place: usize, lane: usize) -> DVec3 {
        vector(&self.moved[place], lane)
    }

    pub fn tension(&self, segment: usize) -> f64 {
        if segment + 1 < self.places() {
            self.nodes[segment].tension.lane(0)
        } else {
            self.nodes[self.segments - 1 - segment].tension.lane(1)
        }
    }

    /// Assembles the matrix where particles are, factors it, and solves for their displacements.
    pub fn solve(&mut self) {
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
        self.middle = Middle { inverse_a, link: [0.0; 9], inverse_b: [0.0; 6] };
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
            self.odd_factor = eliminate::<f64, BENT, EXTRA>(
                &mut left, &first, &extra_a, &between, &mut there,
            );
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
        let pull = scale(between.along, between.tension - between.bias);
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
        let inverse_a = sym_inverse(&own_a, a.free);
        let upper = sym_mat_t(&inverse_a, &link);
        let inverse_b = sym_inverse(&sym_minus(&own_b, &link, &upper), b.free);
        self.middle = Middle { inverse_a, link, inverse_b };
        self.middle_segment = between;
        let (moved_a, moved_b) = self.middle.solve(force_a, force_b);
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

    /// Adds a force to the next right side.
    #[inline(always)]
    pub fn load_place(&mut self, place: usize, lane: usize, force: DVec3) {
        add_to3(&mut self.right[place], lane, force);
    }

    /// Solves for the right side that was loaded, at places from `from` on, and adds the
    /// displacements to those of the last solve. The right side is used up.
    pub fn add_answer(&mut self, from: usize) {
        let mut right = std::mem::take(&mut self.right);
        self.answer(&mut right, from, 0);
        for (moved, more) in self.moved.iter_mut().zip(&right) {
            *moved = add(*moved, *more);
        }
        right.fill(ZERO3);
        self.right = right;
    }

    /// Solves for the right side that was loaded; read it with [`Band::answered`], then call
    /// [`Band::clear_right`].
    pub fn answer_here(&mut self, from: usize) {
        let mut right = std::mem::take(&mut self.right);
        self.answer(&mut right, from, from);
        self.right = right;
    }

    pub fn clear_right(&mut self) {
        self.right.fill(ZERO3);
    }

    #[inline(always)]
    pub fn answered_place(&self, place: usize, lane: usize) -> DVec3 {
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

    fn answer_with<const BENT: bool>(
        &self,
        right: &mut [Vec3<f64x2>],
        from: usize,
        until: usize,
    ) {
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
    pub fn columns(
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
            for axis in 0..3 {
                columns[*place][axis][axis].as_mut_array()[*lane] += weight;
            }
        }
        if self.segments == 0 {
            for axis in 0..3 {
                let x = sym_mul(&self.middle.inverse_a, lane3(&columns[0][axis], 0));
                columns[0][axis] = join(x, x);
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
            for axis in 0..3 {
                let known = if k >= from { columns[k][axis] } else { ZERO3 };
                let mut x = sub(known, mat_mul(&factor.upper, columns[k + 1][axis]));
                if BENT {
                    x = sub(x, mat_mul(&factor.upper_next, columns[k + 2][axis]));
                }
                columns[k][axis] = x;
            }
        }
    }

    /// Moves particles by their displacements times `share`, and sets the tensions that belong to
    /// them. Returns false if one of them contradicts the branch of the stress curve that it was
    /// found with. `late` if iterations have been many: a segment that is pulled now stays on that
    /// branch to the end of the substep, so that none goes to and fro.
    pub fn advance(&mut self, share: f64, late: bool) -> bool {
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
    pub fn unlatch(&mut self) {
        for node in &mut self.nodes {
            node.latch = ZERO;
        }
    }

    /// Square of the largest change of a segment by the last solve, over its length.
    pub fn largest_turn(&self) -> f64 {
        if self.segments == 0 {
            return 0.0;
        }
        let mut most = ZERO;
        for k in 0..=self.both {
            let change = sub(self.moved[k + 1], self.moved[k]);
            let rest = self.nodes[k].rest_length;
            most = most.larger(dot(change, change) / (rest * rest));
            // NaN must not be lost in the comparison.
            most = most + ZERO * change[0];
        }
        let [a, b] = *most.as_array();
        if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
    }
}
