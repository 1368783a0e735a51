//! Evaluation of a curve at many times.

use super::Wiggly;
use crate::motion::Animate;

/// Iterator over the values of a curve at many times; see [`Wiggly::values_at`].
pub struct ValuesAt<'a, T, I> {
    curve: &'a Wiggly<T>,
    times: I,
    /// Stretch of the last time: start, end and index.
    start: f64,
    end: f64,
    stretch: usize,
}

impl<'a, T: Animate, I: Iterator<Item = f64>> ValuesAt<'a, T, I> {
    pub(super) fn new(curve: &'a Wiggly<T>, times: I) -> Self {
        // An empty interval.
        let (start, end) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { curve, times, start, end, stretch: 0 }
    }
}

impl<T: Animate, I: Iterator<Item = f64>> Iterator for ValuesAt<'_, T, I> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let t = self.times.next()?;
        let solved = &*self.curve.0;
        if self.start < t
            && t < self.end
            && let Some(plan) = &solved.plan
        {
            let stretch = &plan.stretches.list[self.stretch];
            return Some(T::from_parts(|i| solved.inside(plan, stretch, i, t)));
        }
        if let Some((plan, k)) = solved.stretch_at(t) {
            let stretch = &plan.stretches.list[k];
            (self.start, self.end, self.stretch) = (stretch.start, stretch.end, k);
        }
        Some(self.curve.at(t))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.times.size_hint()
    }
}
