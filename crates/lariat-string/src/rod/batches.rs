//! Strings on several threads.
//!
//! Strings lie one after the other in flat arrays, so a batch of them is a slice of each array and two
//! threads never share a number. Strings that touch another one are solved after the others, by one
//! thread. The result has the same bits for any number of threads.
//!
//! Tests: `any_number_of_threads_gives_the_same_bits`.

use std::ops::Range;

use super::super::batches::Executor;
use super::super::strings::WORTH;
use super::group::{Group, Shared};
use super::pairs::Pair;
use super::state::{Rows, Span, Support};
use super::strings::StepReport;

/// Slices of the state and of the pairs, for some pieces that follow each other.
pub(super) struct Lent<'a> {
    pub spans: &'a mut [Span],
    /// Number of the first piece, and of the first particle.
    pub piece: usize,
    pub base: usize,
    pub rows: Rows<'a>,
    pub pairs: &'a mut [Pair],
    /// Forces at obstacles when the substep begins, of all pieces.
    pub supports: &'a [Support],
}

impl Lent<'_> {
    /// The rows of some particles.
    pub(super) fn rows_of(&mut self, range: &Range<usize>) -> Rows<'_> {
        self.rows.part(range.start - self.base..range.end - self.base)
    }

    /// The first pieces, and the others.
    fn split(self, pieces: usize) -> (Self, Self) {
        let particles: usize = self.spans[..pieces].iter().map(|span| span.count).sum();
        let base = self.base + particles;
        let (spans, other_spans) = self.spans.split_at_mut(pieces);
        let (rows, other_rows) = self.rows.split_at(particles);
        let at = self.pairs.partition_point(|pair| (pair.segments[0] as usize) < base);
        let (pairs, other_pairs) = self.pairs.split_at_mut(at);
        let (piece, supports) = (self.piece, self.supports);
        (
            Lent { spans, piece, base: self.base, rows, pairs, supports },
            Lent {
                spans: other_spans,
                piece: piece + pieces,
                base,
                rows: other_rows,
                pairs: other_pairs,
                supports,
            },
        )
    }
}

/// The entries of a sorted list whose keys are in a range.
pub(super) fn within<'a, T>(
    list: &'a [T],
    range: &Range<usize>,
    key: impl Fn(&T) -> usize,
) -> &'a [T] {
    let from = list.partition_point(|entry| key(entry) < range.start);
    let until = from + list[from..].partition_point(|entry| key(entry) < range.end);
    &list[from..until]
}

/// Room and results of a batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub group: Group,
    pub report: StepReport,
    /// Whether a group has no finite solution.
    pub diverged: bool,
}

/// Number of batches for some threads and particles.
pub(super) fn batches(hands: usize, particles: usize) -> usize {
    if hands < 2 { 1 } else { (4 * hands).min(particles / WORTH).max(1) }
}

/// Moves all pieces that touch no other one.
pub(super) fn advance_single(
    executor: &dyn Executor,
    all: &Shared<'_>,
    lent: Lent<'_>,
    batches: &mut [Batch],
) {
    if batches.len() > 1 && lent.spans.len() > 1 {
        // As many particles on both sides, as far as pieces allow.
        let half: usize = lent.spans.iter().map(|span| span.count).sum::<usize>() / 2;
        let mut sum = 0;
        let pieces = lent.spans.iter().position(|span| {
            sum += span.count;
            sum >= half
        });
        let pieces = pieces.map_or(1, |at| at + 1).clamp(1, lent.spans.len() - 1);
        let (one, other) = lent.split(pieces);
        let (few, others) = batches.split_at_mut(batches.len() / 2);
        let (mut one, mut other) = (Some(one), Some(other));
        executor.both(
            &mut || {
                if let Some(lent) = one.take() {
                    advance_single(executor, all, lent, few);
                }
            },
            &mut || {
                if let Some(lent) = other.take() {
                    advance_single(executor, all, lent, others);
                }
            },
        );
        return;
    }
    let (mut lent, Some(batch)) = (lent, batches.first_mut()) else { return };
    for k in 0..lent.spans.len() {
        let piece = lent.piece + k;
        if all.single[piece] {
            batch.group.pieces.clear();
            batch.group.pieces.push(piece);
            batch.diverged |= !batch.group.advance(all, &mut lent, &mut batch.report);
        }
    }
}
