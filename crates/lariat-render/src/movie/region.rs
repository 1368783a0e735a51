//! Rectangle of a picture that differs from the previous one; often only a rope moves.
//!
//! Source pictures are compared, not stored ones, so losses do not accumulate: a pixel that did not
//! change is not drawn again and keeps its first colour.
//!
//! Tests: `the_region_is_the_smallest_around_all_changes`, `an_unchanged_picture_has_no_region`,
//! `squares_end_where_the_picture_ends`.

/// A non-empty rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Region {
    /// Smallest region that contains all pixels, of rows of `width`, for which `is_in` holds.
    pub(super) fn around(
        width: usize,
        height: usize,
        is_in: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let row_has = |y: usize| (y * width..(y + 1) * width).any(&is_in);
        let top = (0..height).find(|y| row_has(*y))?;
        let bottom = (top..height).rev().find(|y| row_has(*y))?;
        let (mut left, mut right) = (width - 1, 0);
        for y in top..=bottom {
            // Only pixels that could extend the region are tested.
            let row = y * width;
            if let Some(x) = (0..left).find(|x| is_in(row + x)) {
                left = x;
            }
            if let Some(x) = (right..width).rev().find(|x| is_in(row + x)) {
                right = x;
            }
        }
        Some(Self { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top })
    }

    /// The region in pixels, for squares of `side` that cover `width` by `height` pixels.
    #[cfg(feature = "webp")]
    pub(super) fn times(self, side: usize, width: usize, height: usize) -> Self {
        let (x, y) = (self.x * side, self.y * side);
        Self {
            x,
            y,
            width: (self.width * side).min(width - x),
            height: (self.height * side).min(height - y),
        }
    }

    /// The region extended to start at even coordinates.
    #[cfg(feature = "webp")]
    pub(super) fn begun_even(self) -> Self {
        let (x, y) = (self.x & !1, self.y & !1);
        Self { x, y, width: self.width + self.x - x, height: self.height + self.y - y }
    }

    /// Indices of its pixels in a picture with rows of `width`, row by row.
    pub(super) fn indices(self, width: usize) -> impl Iterator<Item = usize> + Clone {
        (self.y..self.y + self.height)
            .flat_map(move |y| y * width + self.x..y * width + self.x + self.width)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WHOLE: Region = Region { x: 0, y: 0, width: 4, height: 3 };

    #[test]
    fn squares_end_where_the_picture_ends() {
        let square = Region { x: 1, y: 0, width: 1, height: 1 };
        assert_eq!(square.times(16, 20, 9), Region { x: 16, y: 0, width: 4, height: 9 });
    }

    #[test]
    fn an_unchanged_picture_has_no_region() {
        assert_eq!(Region::around(4, 3, |_| false), None);
        assert_eq!(Region::around(4, 3, |_| true), Some(WHOLE));
    }

    proptest! {
        #[test]
        fn the_region_is_the_smallest_around_all_changes(
            marks in proptest::collection::vec((0_usize..7, 0_usize..5), 1..6),
        ) {
            let region = Region::around(7, 5, |k| marks.contains(&(k % 7, k / 7))).unwrap();
            let xs = || marks.iter().map(|m| m.0);
            let ys = || marks.iter().map(|m| m.1);
            prop_assert_eq!(region.x, xs().min().unwrap());
            prop_assert_eq!(region.y, ys().min().unwrap());
            prop_assert_eq!(region.x + region.width - 1, xs().max().unwrap());
            prop_assert_eq!(region.y + region.height - 1, ys().max().unwrap());
            let even = region.begun_even();
            prop_assert!(even.x.is_multiple_of(2) && even.y.is_multiple_of(2));
            prop_assert!(region.indices(7).all(|k| even.indices(7).any(|e| e == k)));
        }
    }
}
