//! One particle of the matrix with its segment and its joint, and how it is eliminated.
//!
//! Tests: `the_band_vs_a_dense_solve`.

#![expect(
    clippy::inline_always,
    reason = "a kernel of small operations is one loop only if all of them are inlined"
)]

use super::super::super::twist::FOLDED;
use super::super::lanes::{
    Lane, Mat3, Sym3, Vec3, ZERO, ZERO3, add, along_and_across, cross, dot, f64x2, full, lane3,
    mat_minus, mat_mul, mat_t_mul, scale, sub, sym_inverse, sym_mat_t, sym_minus, sym_mul,
};

/// A segment that is shorter by less than this share of its length counts as pulled.
pub(super) const LEVEL: f64 = 1e-9;

/// Largest force that may contradict the branch of the stress curve that it was found with, over
/// that which pushes the segment together, or over the yield tension.
pub(super) const CONTRADICTS: f64 = 1e-3;

/// A particle, the segment after it and the joint after that, in the direction of its lane.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Node<V> {
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
pub(in super::super) struct Extra<V> {
    pub force: Vec3<V>,
    /// Stiffness of the particle, and coupling with the next one.
    pub own: Sym3<V>,
    pub link: Sym3<V>,
}

pub(super) const NO_EXTRA: Extra<f64x2> = Extra { force: ZERO3, own: [ZERO; 6], link: [ZERO; 6] };

pub(super) const NO_NODE: Node<f64x2> = Node {
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
pub(super) struct Factor<V> {
    pub(super) inverse: Sym3<V>,
    pub(super) upper: Mat3<V>,
    pub(super) upper_next: Mat3<V>,
    pub(super) known: Vec3<V>,
    /// Of the segment after it: direction, stiffness and tension where it was assembled.
    pub(super) along: Vec3<V>,
    pub(super) stiffness: V,
    pub(super) tension: V,
    pub(super) branch: [V; 2],
}

pub(super) const NO_FACTOR: Factor<f64x2> = Factor {
    inverse: [ZERO; 6],
    upper: [ZERO; 9],
    upper_next: [ZERO; 9],
    known: ZERO3,
    along: ZERO3,
    stiffness: ZERO,
    tension: ZERO,
    branch: [ZERO; 2],
};

pub(super) const NO_FACTOR_ONE: Factor<f64> = Factor {
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
pub(super) struct Segment<V> {
    pub(super) offset: Vec3<V>,
    pub(super) along: Vec3<V>,
    pub(super) per_length: V,
    pub(super) tension: V,
    pub(super) stiffness: V,
    /// One over its stiffness, and how much longer than without tension it is.
    pub(super) give: V,
    pub(super) gap: V,
    /// Tension of the iteration before.
    pub(super) last_tension: V,
    /// 1 if it is pulled, −1 if it is pushed; 1 if it yields, −1 if not.
    pub(super) branch: [V; 2],
    /// The part of the joints' forces that acts along the segment, which is none of bending.
    pub(super) bias: V,
}

pub(super) const NO_SEGMENT: Segment<f64> = Segment {
    offset: [0.0; 3],
    along: [0.0; 3],
    per_length: 0.0,
    tension: 0.0,
    stiffness: 0.0,
    give: 0.0,
    gap: 0.0,
    last_tension: 0.0,
    branch: [0.0; 2],
    bias: 0.0,
};

/// The part of the matrix that eliminated particles have changed.
#[derive(Clone, Copy)]
pub(super) struct Front<V> {
    pub(super) own: Sym3<V>,
    pub(super) link: Mat3<V>,
    pub(super) next: Sym3<V>,
    pub(super) force: Vec3<V>,
    pub(super) force_next: Vec3<V>,
}

impl<V: Lane> Front<V> {
    #[inline(always)]
    pub(super) fn empty() -> Self {
        let o = V::splat(0.0);
        Self { own: [o; 6], link: [o; 9], next: [o; 6], force: [o; 3], force_next: [o; 3] }
    }
}

impl Front<f64x2> {
    pub(super) fn lane(&self, lane: usize) -> Front<f64> {
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
    pub(super) fn lane(&self, i: usize) -> Node<f64> {
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
    pub(super) fn lane(&self, i: usize) -> Extra<f64> {
        Extra {
            force: lane3(&self.force, i),
            own: self.own.map(|v| v.lane(i)),
            link: self.link.map(|v| v.lane(i)),
        }
    }
}

/// The segment from a node to a position.
#[inline(always)]
pub(super) fn segment<V: Lane>(node: &Node<V>, to: Vec3<V>) -> Segment<V> {
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
    let give = stiffness.recip();
    Segment {
        offset,
        along: scale(offset, per_length),
        per_length,
        tension,
        stiffness,
        give,
        gap: tension * give,
        last_tension: node.tension,
        branch: [pulled.choose(one, -one), over.choose(one, -one)],
        bias: V::splat(0.0),
    }
}

/// How far a tension contradicts the branch of the stress curve that it was found with.
#[inline(always)]
pub(super) fn contradiction<V: Lane>(node: &Node<V>, branch: [V; 2], tension: V) -> V {
    let [pulled, yields] = branch;
    let pushed_together = tension * node.slack * node.rest_length.recip();
    let over = tension * node.per_yield - V::splat(1.0);
    let latched = V::splat(1.0) - node.latch;
    (-(pulled * pushed_together * latched)).larger(-(yields * over))
}

/// The stiffness of a segment across itself.
#[inline(always)]
pub(super) fn segment_block<V: Lane>(here: &Segment<V>, bias: V) -> Sym3<V> {
    let across = (here.last_tension - bias).larger(V::splat(0.0)) * here.per_length;
    along_and_across(across, -across, here.along)
}

/// Adds a block to another.
#[inline(always)]
pub(super) fn add_sym<V: Lane>(to: &mut Sym3<V>, more: &Sym3<V>) {
    for (to, more) in to.iter_mut().zip(more) {
        *to = *to + *more;
    }
}

/// Adds `a bᵀ` where that is symmetric.
#[inline(always)]
pub(super) fn add_outer<V: Lane>(to: &mut Sym3<V>, a: Vec3<V>, b: Vec3<V>) {
    let more = [a[0] * b[0], a[0] * b[1], a[0] * b[2], a[1] * b[1], a[1] * b[2], a[2] * b[2]];
    add_sym(to, &more);
}

/// Subtracts `a bᵀ`.
#[inline(always)]
pub(super) fn subtract_outer<V: Lane>(from: &mut Mat3<V>, a: Vec3<V>, b: Vec3<V>) {
    for row in 0..3 {
        for column in 0..3 {
            from[3 * row + column] = from[3 * row + column] - a[row] * b[column];
        }
    }
}

#[inline(always)]
pub(super) fn add_diagonal<V: Lane>(to: &mut Sym3<V>, more: V) {
    for k in [0, 3, 5] {
        to[k] = to[k] + more;
    }
}

/// Eliminates a particle; `here` is the segment after it, `there` the one after that.
#[inline(always)]
pub(super) fn eliminate<V: Lane, const BENT: bool, const EXTRA: bool>(
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
        let straight =
            sub(scale(there.offset, node.per_after), scale(here.offset, node.per_before));
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
    let pull = scale(here.along, bias);
    force = sub(force, pull);
    force_next = add(force_next, pull);
    let inverse = sym_inverse(&own, node.free);
    let upper = sym_mat_t(&inverse, &link);
    // The tension: `give T = gap + t·(x₁ − x₀)`.
    let yields = sym_mul(&inverse, here.along);
    let per_give = (here.give + dot(here.along, yields)).recip();
    let next_pull = add(here.along, mat_mul(&link, yields));
    let next_scaled = scale(next_pull, per_give);
    let known = sym_mul(&inverse, force);
    let tension = per_give * (here.gap - dot(here.along, known));
    front.own = sym_minus(&next, &link, &upper);
    add_outer(&mut front.own, next_scaled, next_pull);
    front.force = sub(sub(force_next, mat_t_mul(&upper, force)), scale(next_pull, tension));
    let mut upper_next = [o; 9];
    if BENT {
        let far_pull = mat_mul(&link_far, yields);
        let far_scaled = scale(far_pull, per_give);
        upper_next = sym_mat_t(&inverse, &link_far);
        front.force_next =
            sub(sub(force_far, mat_t_mul(&upper_next, force)), scale(far_pull, tension));
        front.link = mat_minus(&link_next, &link_far, &upper);
        subtract_outer(&mut front.link, far_pull, scale(next_scaled, -V::splat(1.0)));
        front.next = sym_minus(&far, &link_far, &upper_next);
        add_outer(&mut front.next, far_scaled, far_pull);
        subtract_outer(&mut upper_next, yields, far_scaled);
    } else {
        (front.force_next, front.link, front.next) = (force_far, link_next, far);
    }
    let mut upper = upper;
    subtract_outer(&mut upper, yields, next_scaled);
    let mut inverse = inverse;
    add_outer(&mut inverse, yields, scale(yields, -per_give));
    let known = add(known, scale(yields, tension));
    Factor {
        inverse,
        upper,
        upper_next,
        known,
        along: here.along,
        stiffness: here.stiffness,
        tension: here.tension,
        branch: here.branch,
    }
}
