//! Attachments between the bodies of a scene, and the order in which they are posed.

use lariat_scene::lower::Lowered;

/// Attachments of all bodies.
#[derive(Debug)]
pub(super) struct Graph {
    /// For each body, the bodies that it is attached to.
    pub dependencies: Vec<Vec<usize>>,
    /// Bodies by level of attachment, and the level of each.
    pub levels: Vec<Vec<usize>>,
    pub depth: Vec<usize>,
    /// For each body, true if others are attached to it.
    pub leads: Vec<bool>,
}

impl Graph {
    pub(super) fn new(lowered: &Lowered) -> Self {
        let bodies = 0..lowered.bodies.len();
        let dependencies: Vec<Vec<usize>> =
            bodies.map(|b| lowered.dependencies(b).to_vec()).collect();
        let (levels, depth) = levels(&dependencies);
        let mut leads = vec![false; dependencies.len()];
        dependencies.iter().flatten().for_each(|leader| leads[*leader] = true);
        Self { dependencies, levels, depth, leads }
    }

    /// Whether it is the graph of a document.
    pub(super) fn is_of(&self, lowered: &Lowered) -> bool {
        self.dependencies.len() == lowered.bodies.len()
            && self.dependencies.iter().enumerate().all(|(b, on)| lowered.dependencies(b) == on)
    }

    /// The bodies, each after all that it is attached to.
    pub(super) fn in_order(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().flatten().copied()
    }
}

/// Groups bodies so that each is attached only to bodies of earlier groups; also returns the group
/// of each body. Every body and attachment is visited once. Cycles, which reading a document rules
/// out, would be left out.
fn levels(dependencies: &[Vec<usize>]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut missing: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    for (b, on) in dependencies.iter().enumerate() {
        for d in on {
            followers[*d].push(b);
        }
    }
    let mut depth = vec![0; dependencies.len()];
    let mut levels = Vec::new();
    let mut level: Vec<usize> = (0..missing.len()).filter(|b| missing[*b] == 0).collect();
    while !level.is_empty() {
        let mut next = Vec::new();
        for &b in &level {
            depth[b] = levels.len();
            for &f in &followers[b] {
                missing[f] -= 1;
                if missing[f] == 0 {
                    next.push(f);
                }
            }
        }
        next.sort_unstable();
        levels.push(std::mem::replace(&mut level, next));
    }
    (levels, depth)
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn bodies_come_after_their_leaders() {
        // 0 hangs on 3, 3 on 1; 2 on its own.
        let (groups, depth) = levels(&[vec![3], vec![], vec![], vec![1]]);
        assert_eq!(groups, [vec![1, 2], vec![3], vec![0]]);
        assert_eq!(depth, [2, 0, 0, 1]);
        assert_eq!(levels(&[]).0, Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_long_chain_in_the_wrong_order_takes_one_pass() {
        // Each hangs on the one after it. Repeated passes over all bodies would take minutes.
        let chain: Vec<Vec<usize>> =
            (1..=200_000).map(|b| if b < 200_000 { vec![b] } else { Vec::new() }).collect();
        let (groups, depth) = levels(&chain);
        assert_eq!((groups.len(), depth[0]), (200_000, 199_999));
    }
}
