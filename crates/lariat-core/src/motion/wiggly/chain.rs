//! The linear system of a wiggly spline: nodes in a chain or a ring, four unknowns each.
//!
//! The state of a node is `(Re x, Im x, Re v, Im v)`; neighbours are coupled by the stretch between
//! them. Block elimination along the chain is O(n). A ring is cut at its first node, which is
//! carried along as a border and eliminated last. The factors are reused for every right-hand side.

/// Four by four, by rows.
pub(super) type Block = [[f64; 4]; 4];

/// The state of one node.
pub(super) type State = [f64; 4];

pub(super) const ZERO: Block = [[0.0; 4]; 4];

/// Block tridiagonal system: diagonal blocks, those between a node and the next, and for a ring the
/// one from the last node to the first.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Cholesky factors of the diagonal blocks, each in its lower half.
    pivots: Vec<Block>,
    next: Vec<Block>,
    /// For a ring, coupling of each node to the first, after elimination.
    border: Vec<Block>,
}

impl Chain {
    /// Factors the system. `next` has one block less than `diagonal`; `wrap` couples the last node
    /// (rows) to the first (columns) of a ring.
    pub(super) fn factor(mut diagonal: Vec<Block>, next: Vec<Block>, wrap: Option<Block>) -> Self {
        let n = diagonal.len();
        debug_assert_eq!(next.len() + 1, n);
        let Some(wrap) = wrap else {
            for k in 0..n {
                cholesky(&mut diagonal[k]);
                if k + 1 < n {
                    let solved = solve_block(&diagonal[k], &next[k]);
                    subtract_product(&mut diagonal[k + 1], &next[k], &solved);
                }
            }
            return Self { pivots: diagonal, next, border: Vec::new() };
        };
        if n == 1 {
            add(&mut diagonal[0], &wrap);
            add(&mut diagonal[0], &transposed(&wrap));
            cholesky(&mut diagonal[0]);
            return Self { pivots: diagonal, next, border: vec![ZERO] };
        }
        let mut border = vec![ZERO; n];
        border[1] = transposed(&next[0]);
        add(&mut border[n - 1], &wrap);
        for k in 1..n {
            cholesky(&mut diagonal[k]);
            let to_first = solve_block(&diagonal[k], &border[k]);
            let coupling = border[k];
            subtract_product(&mut diagonal[0], &coupling, &to_first);
            if k + 1 < n {
                let solved = solve_block(&diagonal[k], &next[k]);
                subtract_product(&mut diagonal[k + 1], &next[k], &solved);
                subtract_product(&mut border[k + 1], &next[k], &to_first);
            }
        }
        cholesky(&mut diagonal[0]);
        Self { pivots: diagonal, next, border }
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [State]) {
        let n = self.pivots.len();
        let ring = !self.border.is_empty();
        let first = usize::from(ring);
        for k in first..n {
            let solved = solve_state(&self.pivots[k], &b[k]);
            if k + 1 < n {
                subtract_transposed(&mut b[k + 1], &self.next[k], &solved);
            }
            if ring {
                subtract_transposed(&mut b[0], &self.border[k], &solved);
            }
        }
        if ring {
            b[0] = solve_state(&self.pivots[0], &b[0]);
        }
        for k in (first..n).rev() {
            let mut rest = b[k];
            if k + 1 < n {
                subtract(&mut rest, &self.next[k], &b[k + 1]);
            }
            if ring {
                subtract(&mut rest, &self.border[k], &b[0]);
            }
            b[k] = solve_state(&self.pivots[k], &rest);
        }
    }
}

/// `a += b`.
pub(super) fn add(a: &mut Block, b: &Block) {
    for (a, b) in a.iter_mut().flatten().zip(b.iter().flatten()) {
        *a += b;
    }
}

pub(super) fn transposed(a: &Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// `out += a v`.
pub(super) fn add_product(out: &mut State, a: &Block, v: &State) {
    for (out, row) in out.iter_mut().zip(a) {
        *out += row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3];
    }
}

/// `out += aᵀ v`.
pub(super) fn add_transposed(out: &mut State, a: &Block, v: &State) {
    for (row, v) in a.iter().zip(v) {
        for (out, a) in out.iter_mut().zip(row) {
            *out += a * v;
        }
    }
}

fn subtract(out: &mut State, a: &Block, v: &State) {
    add_product(out, a, &v.map(|v| -v));
}

fn subtract_transposed(out: &mut State, a: &Block, v: &State) {
    add_transposed(out, a, &v.map(|v| -v));
}

/// `out -= aᵀ b`.
fn subtract_product(out: &mut Block, a: &Block, b: &Block) {
    for k in 0..4 {
        for i in 0..4 {
            for j in 0..4 {
                out[i][j] -= a[k][i] * b[k][j];
            }
        }
    }
}

/// `L Lᵀ` in place; the lower half is `L` with the reciprocals of its diagonal.
fn cholesky(a: &mut Block) {
    for j in 0..4 {
        let before: f64 = a[j][..j].iter().map(|l| l * l).sum();
        let pivot = a[j][j] - before;
        // The ridge keeps pivots positive; if rounding still makes one zero, its unknown is left
        // unchanged.
        let scale = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 0.0 };
        a[j][j] = scale;
        for i in j + 1..4 {
            let before: f64 = a[i][..j].iter().zip(&a[j][..j]).map(|(l, m)| l * m).sum();
            a[i][j] = (a[i][j] - before) * scale;
        }
    }
}

fn solve_state(l: &Block, b: &State) -> State {
    let mut x = *b;
    for i in 0..4 {
        for k in 0..i {
            x[i] -= l[i][k] * x[k];
        }
        x[i] *= l[i][i];
    }
    for i in (0..4).rev() {
        for k in i + 1..4 {
            x[i] -= l[k][i] * x[k];
        }
        x[i] *= l[i][i];
    }
    x
}

fn solve_block(l: &Block, b: &Block) -> Block {
    let columns: [State; 4] = std::array::from_fn(|j| solve_state(l, &b.map(|row| row[j])));
    transposed(&columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudo_random(seed: usize) -> Block {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| ((seed * 37 + i * 11 + j * 5) as f64 * 0.731).fract() - 0.5)
        })
    }

    /// Residual of a solved system.
    fn residual(n: usize, ring: bool) -> f64 {
        let stiff = |k| {
            let mut block = ZERO;
            for (i, row) in block.iter_mut().enumerate() {
                row[i] = 6.0 + k as f64 * 0.1;
            }
            block
        };
        let diagonal: Vec<Block> = (0..n).map(stiff).collect();
        let next: Vec<Block> = (0..n - 1).map(pseudo_random).collect();
        let wrap = ring.then(|| pseudo_random(99));
        let b: Vec<State> = (0..n).map(|k| pseudo_random(k + 7)[0]).collect();
        let mut x = b.clone();
        Chain::factor(diagonal.clone(), next.clone(), wrap).solve(&mut x);
        let mut rest = b;
        for k in 0..n {
            subtract(&mut rest[k], &diagonal[k], &x[k]);
            if k + 1 < n {
                subtract(&mut rest[k], &next[k], &x[k + 1]);
                subtract_transposed(&mut rest[k + 1], &next[k], &x[k]);
            }
        }
        if let Some(wrap) = wrap {
            subtract(&mut rest[n - 1], &wrap, &x[0]);
            subtract_transposed(&mut rest[0], &wrap, &x[n - 1]);
        }
        rest.iter().flatten().fold(0.0, |most, r| r.abs().max(most))
    }

    #[test]
    fn chains_and_rings_of_any_length_are_solved() {
        for n in 1..12 {
            for ring in [false, true] {
                assert!(residual(n, ring) < 1e-14, "n {n} ring {ring}: {}", residual(n, ring));
            }
        }
    }
}
