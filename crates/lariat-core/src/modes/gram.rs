//! Gram matrix of the frames of a motion: the one expensive step of the analysis.
//!
//! `G = S Sᵀ` for a motion of `T` frames and `P` coordinates takes `T²P/2` multiplications. Frames
//! are packed in panels of four, coordinate by coordinate, and a kernel keeps the sixteen products
//! of two panels in registers while it runs along the coordinates. Every product is summed in the
//! same order on every machine: coordinate by coordinate within a block of [`BLOCK`], then block
//! by block.
//!
//! Tests: `every_product_is_the_sum_over_coordinates`, `results_do_not_depend_on_the_panels`.

use std::ops::ControlFlow;

/// Frames per panel: sixteen registers of two numbers hold four by four sums.
const PANEL: usize = 4;

/// Coordinates per block: two panels of 8 kB fit in the L1 cache. Much more: they do not. Much
/// less: sums are written to memory more often. Results depend on it in the last bit.
const BLOCK: usize = 256;

/// Products of all rows with each other, `frames` × `frames`, symmetric. Each row has `width`
/// numbers, from which `mean` is subtracted. `watch` receives the progress from 0 to 1 and may stop
/// the work; the result is then `None`.
pub(super) fn gram(
    rows: &[f64],
    width: usize,
    mean: &[f64],
    watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Option<Vec<f64>> {
    let frames = rows.len().checked_div(width).unwrap_or(0);
    let panels = frames.div_ceil(PANEL);
    let mut products = vec![[[0.0; PANEL]; PANEL]; panels * panels];
    // The last panel is padded with frames of zeros.
    let mut packed = vec![[0.0; PANEL]; panels * BLOCK];
    for start in (0..width).step_by(BLOCK) {
        if watch(start as f64 / width as f64).is_break() {
            return None;
        }
        let count = BLOCK.min(width - start);
        for (frame, row) in rows.chunks_exact(width).enumerate() {
            let panel = &mut packed[frame / PANEL * BLOCK..][..count];
            let block = row[start..][..count].iter().zip(&mean[start..][..count]);
            for (place, (value, mean)) in panel.iter_mut().zip(block) {
                place[frame % PANEL] = value - mean;
            }
        }
        for i in 0..panels {
            let a = &packed[i * BLOCK..][..count];
            for j in 0..=i {
                let b = &packed[j * BLOCK..][..count];
                kernel(a, b, &mut products[i * panels + j]);
            }
        }
    }
    let product =
        |i: usize, j: usize| products[i / PANEL * panels + j / PANEL][i % PANEL][j % PANEL];
    let mut out = vec![0.0; frames * frames];
    for i in 0..frames {
        for j in 0..=i {
            (out[i * frames + j], out[j * frames + i]) = (product(i, j), product(i, j));
        }
    }
    Some(out)
}

/// Adds the sixteen products of two panels to `out`.
#[inline(never)]
fn kernel(a: &[[f64; PANEL]], b: &[[f64; PANEL]], out: &mut [[f64; PANEL]; PANEL]) {
    let mut sums = [[0.0; PANEL]; PANEL];
    for (a, b) in a.iter().zip(b) {
        for i in 0..PANEL {
            for j in 0..PANEL {
                sums[i][j] += a[i] * b[j];
            }
        }
    }
    for i in 0..PANEL {
        for j in 0..PANEL {
            out[i][j] += sums[i][j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(i: usize) -> f64 {
        ((i * 2_654_435_761) % 10_007) as f64 / 5003.5 - 1.0
    }

    fn gram_of(rows: &[f64], mean: &[f64]) -> Vec<f64> {
        gram(rows, mean.len(), mean, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn every_product_is_the_sum_over_coordinates() {
        for (frames, width) in [(1, 1), (3, 5), (4, 256), (9, 257), (13, 700)] {
            let rows: Vec<f64> = (0..frames * width).map(number).collect();
            let mean: Vec<f64> = (0..width).map(|p| number(p + 77)).collect();
            let ours = gram_of(&rows, &mean);
            for i in 0..frames {
                for j in 0..frames {
                    let at = |t: usize, p: usize| rows[t * width + p] - mean[p];
                    let sum: f64 = (0..width).map(|p| at(i, p) * at(j, p)).sum();
                    let found = ours[i * frames + j];
                    assert!((found - sum).abs() < 1e-11, "{frames} x {width}: {found} for {sum}");
                }
            }
        }
    }

    #[test]
    fn results_do_not_depend_on_the_panels() {
        // The same frames in other panels give the same bits.
        let (frames, width) = (11, 300);
        let rows: Vec<f64> = (0..frames * width).map(number).collect();
        let mean = vec![0.0; width];
        let all = gram_of(&rows, &mean);
        let some = gram_of(&rows[3 * width..], &mean);
        for i in 0..8 {
            for j in 0..8 {
                assert_eq!(some[i * 8 + j], all[(i + 3) * frames + j + 3]);
            }
        }
    }

    #[test]
    fn the_product_can_be_stopped() {
        assert_eq!(gram(&[1.0; 12], 4, &[0.0; 4], &mut |_| ControlFlow::Break(())), None);
    }
}
