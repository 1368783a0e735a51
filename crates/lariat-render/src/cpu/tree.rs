//! A tree of boxes with four children per node, for rays.
//!
//! `obvhs` builds a binary tree; pairs of its levels become one node here, whose four boxes are
//! tested at once. A ray visits half as many nodes.
//!
//! Boxes and rays are in 32 bits. Boxes must be larger than their contents by more than the
//! rounding error (`world.rs`), so that no ray misses anything.
//!
//! Tests: `the_tree_gives_the_same_hits_as_testing_everything`, `every_primitive_is_in_a_leaf`.

use glam::{DVec3, Vec3A, Vec4};
use obvhs::{
    aabb::Aabb,
    bvh2::{Bvh2, leaf_collapser::collapse, reinsertion::ReinsertionOptimizer},
    ploc::{PlocBuilder, PlocSearchDistance, SortPrecision},
    ray::safe_inverse,
};

/// Mark of a leaf among children; the number of primitives minus 1 and the first follow.
const LEAF: u32 = 1 << 31;

/// Bits of the first primitive of a leaf.
const FIRST_BITS: u32 = 29;

/// Largest number of primitives in a leaf.
const LEAF_MOST: u32 = 4;

/// Entries of the traversal stack, which is cleared for every ray: enough for 15 levels.
const STACK: usize = 48;

/// The same for deeper trees, of 63 levels. Still deeper ones take their stack from the heap.
const DEEP_STACK: usize = 192;

/// Four boxes and their contents.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Low and high sides of the four boxes, by axis.
    low: [Vec4; 3],
    high: [Vec4; 3],
    /// Indices of nodes, or leaves.
    children: [u32; 4],
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Indices of primitives; leaves are ranges of it.
    primitives: Vec<u32>,
    /// Largest number of entries that a traversal puts on its stack.
    stack: usize,
}

impl Tree {
    /// Builds a tree over boxes, at most 2²⁹ of them, each with the index of its primitive. A
    /// primitive may have several boxes, and is visited several times if a ray meets them.
    pub(crate) fn build(boxes: &[Aabb], owners: &[u32]) -> Self {
        let count = boxes.len();
        if count == 0 {
            return Self::default();
        }
        // The all-in-one function of `obvhs` reads the clock.
        let mut binary = PlocBuilder::with_capacity(count).build(
            PlocSearchDistance::Low,
            boxes,
            (0..count as u32).collect(),
            SortPrecision::U64,
            2,
        );
        ReinsertionOptimizer::default().run(&mut binary, 0.05, None);
        collapse(&mut binary, LEAF_MOST, 2.0);
        let mut nodes = Vec::with_capacity(binary.nodes.len() / 3 + 1);
        let mut depth = 1;
        // Nodes of the binary tree that still need a node here, with its index and its depth.
        let mut open = vec![(0u32, 0usize, 1usize)];
        nodes.push(Node::EMPTY);
        while let Some((root, at, level)) = open.pop() {
            depth = depth.max(level);
            for (k, child) in four(&binary, root).into_iter().flatten().enumerate() {
                let old = &binary.nodes[child as usize];
                let reference = if old.is_leaf() {
                    LEAF | (old.prim_count - 1) << FIRST_BITS | old.first_index
                } else {
                    nodes.push(Node::EMPTY);
                    open.push((child, nodes.len() - 1, level + 1));
                    nodes.len() as u32 - 1
                };
                nodes[at].set(k, old.aabb(), reference);
            }
        }
        let primitives = binary.primitive_indices.iter().map(|i| owners[*i as usize]).collect();
        Self { nodes, primitives, stack: 3 * depth + 1 }
    }

    /// Visits primitives whose boxes a ray meets, roughly from near to far. `visit` returns the
    /// distance beyond which nothing more is needed, or a negative one to stop.
    #[inline]
    pub(crate) fn walk(&self, ray: &Ray32, most: f32, visit: impl FnMut(u32) -> f32) {
        self.with_stack(|stack| self.walk_with::<true>(stack, ray, most, visit));
    }

    /// Like [`walk`](Self::walk), in any order, which is faster if the first hit ends it.
    #[inline]
    pub(crate) fn walk_unordered(&self, ray: &Ray32, most: f32, visit: impl FnMut(u32) -> f32) {
        self.with_stack(|stack| self.walk_with::<false>(stack, ray, most, visit));
    }

    #[inline]
    fn with_stack(&self, walk: impl FnOnce(&mut [(u32, f32)])) {
        if self.stack <= STACK {
            walk(&mut [(0, 0.0); STACK]);
        } else if self.stack <= DEEP_STACK {
            walk(&mut [(0, 0.0); DEEP_STACK]);
        } else {
            walk(&mut vec![(0, 0.0); self.stack]);
        }
    }

    #[inline]
    fn walk_with<const ORDERED: bool>(
        &self,
        stack: &mut [(u32, f32)],
        ray: &Ray32,
        mut most: f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        // Empty boxes are at infinity.
        most = most.min(f32::MAX);
        let (mut top, mut next) = (0, 0u32);
        loop {
            if next & LEAF == 0 {
                let node = &self.nodes[next as usize];
                let (near, mask) = node.meets(ray, most);
                let near = near.to_array();
                let first = top;
                let mut left = mask;
                while left != 0 {
                    let k = left.trailing_zeros() as usize;
                    left &= left - 1;
                    // The nearest is on top.
                    let (child, t) = (node.children[k], near[k]);
                    let mut place = top;
                    while ORDERED && place > first && stack[place - 1].1 < t {
                        stack[place] = stack[place - 1];
                        place -= 1;
                    }
                    stack[place] = (child, t);
                    top += 1;
                }
            } else {
                let first = (next & ((1 << FIRST_BITS) - 1)) as usize;
                let count = (next >> FIRST_BITS & 3) as usize + 1;
                for &index in &self.primitives[first..first + count] {
                    most = most.min(visit(index));
                    if most < 0.0 {
                        return;
                    }
                }
            }
            loop {
                if top == 0 {
                    return;
                }
                top -= 1;
                let (child, t) = stack[top];
                if t <= most {
                    next = child;
                    break;
                }
            }
        }
    }
}

/// Up to four descendants of a node of the binary tree: its children, the larger ones replaced by
/// theirs. The root may be a leaf.
fn four(binary: &Bvh2, root: u32) -> [Option<u32>; 4] {
    let mut found = [None; 4];
    found[0] = Some(root);
    for count in 1..4 {
        let inner = |k: &usize| found[*k].is_some_and(|n| !binary.nodes[n as usize].is_leaf());
        let area = |k: usize| found[k].map_or(0.0, |n| binary.nodes[n as usize].aabb().half_area());
        let largest = (0..count).filter(inner).reduce(|a, b| if area(b) > area(a) { b } else { a });
        let Some(largest) = largest else { break };
        let first = found[largest].map_or(0, |n| binary.nodes[n as usize].first_index);
        found[largest] = Some(first);
        found[count] = Some(first + 1);
    }
    found
}

impl Node {
    /// Boxes at infinity, which no ray meets within a finite distance.
    const EMPTY: Self =
        Self { low: [Vec4::INFINITY; 3], high: [Vec4::INFINITY; 3], children: [0; 4] };

    fn set(&mut self, k: usize, bounds: &Aabb, child: u32) {
        for axis in 0..3 {
            self.low[axis][k] = bounds.min[axis];
            self.high[axis][k] = bounds.max[axis];
        }
        self.children[k] = child;
    }

    /// Distances at which a ray enters the boxes, and a bit for each box that it meets.
    #[inline]
    fn meets(&self, ray: &Ray32, most: f32) -> (Vec4, u32) {
        let (mut near, mut far) = (Vec4::ZERO, Vec4::splat(most));
        for axis in 0..3 {
            let (from, inverse) = (ray.from[axis], ray.inverse[axis]);
            let (a, b) = ((self.low[axis] - from) * inverse, (self.high[axis] - from) * inverse);
            near = near.max(a.min(b));
            far = far.min(a.max(b));
        }
        (near, near.cmple(far).bitmask())
    }
}

/// A ray in 32 bits, each coordinate four times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray32 {
    from: [Vec4; 3],
    inverse: [Vec4; 3],
}

impl Ray32 {
    /// From a point along a direction.
    #[inline]
    pub(crate) fn new(from: DVec3, direction: DVec3) -> Self {
        let inverse = |x: f64| Vec4::splat(safe_inverse(x as f32));
        let four = |x: f64| Vec4::splat(x as f32);
        Self {
            from: [four(from.x), four(from.y), four(from.z)],
            inverse: [inverse(direction.x), inverse(direction.y), inverse(direction.z)],
        }
    }
}

/// A box in 32 bits.
pub(crate) fn short_box(low: DVec3, high: DVec3) -> Aabb {
    let short = |p: DVec3| -> Vec3A { p.as_vec3a() };
    Aabb::new(short(low), short(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_is_in_a_leaf() {
        for count in [1, 2, 3, 7, 300] {
            let boxes: Vec<Aabb> = (0..count)
                .map(|k| DVec3::X * f64::from(k))
                .map(|low| short_box(low, low + 0.5))
                .collect();
            let owners: Vec<u32> = (0..count).rev().collect();
            let tree = Tree::build(&boxes, &owners);
            let mut seen = vec![0; count as usize];
            let ray = Ray32::new(DVec3::new(-1.0, 0.2, 0.2), DVec3::X);
            tree.walk(&ray, f32::INFINITY, |index| {
                seen[index as usize] += 1;
                f32::INFINITY
            });
            assert!(seen.iter().all(|n| *n == 1), "{seen:?}");
        }
    }
}
