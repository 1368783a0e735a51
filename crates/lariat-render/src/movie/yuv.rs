//! Conversion from RGB to luma and chroma, as video stores them.
//!
//! ITU-R BT.709-6, items 3.2 to 3.4 and 4.6: with `Kr = 0.2126`, `Kb = 0.0722`,
//! `Y = 16 + 219·(Kr R + Kg G + Kb B)`, `Cb = 128 + 224·(B − Y') / 2(1 − Kb)`, `Cr` likewise with
//! red; so black is 16 and white 235, as players expect. The transfer functions of BT.709 and sRGB
//! differ slightly; video players ignore the difference, and so does this file: bytes are
//! unchanged.
//!
//! Chroma is stored for every second pixel of every second row. By default H.264 places it on the
//! even columns, between two rows (its figure 6-4); so it is weighted 1 2 1 across and 1 1 down. A
//! plain mean of four would shift all colours by a quarter of a pixel, which is visible on a thin
//! red rope.
//!
//! Integer arithmetic, so the bytes are the same on every machine.
//!
//! Tests: `primaries_have_the_values_of_the_standard`, `greys_have_no_colour`,
//! `chroma_is_on_even_columns`.

/// Fractional bits.
const POINT: u32 = 16;

/// `numerator / denominator` with [`POINT`] fractional bits, rounded.
const fn fixed(numerator: i64, denominator: i64) -> i32 {
    ((2 * (numerator << POINT) + denominator) / (2 * denominator)) as i32
}

// Weights in ten-thousandths, times the range, over 255. Green takes the remainder, so that white
// is exactly 235 and greys have exactly no chroma.
const Y_RED: i32 = fixed(2126 * 219, 10_000 * 255);
const Y_BLUE: i32 = fixed(722 * 219, 10_000 * 255);
const Y_GREEN: i32 = fixed(219, 255) - Y_RED - Y_BLUE;
const HALF: i32 = fixed(112, 255);
const CB_RED: i32 = -fixed(2126 * 112, (10_000 - 722) * 255);
const CR_BLUE: i32 = -fixed(722 * 112, (10_000 - 2126) * 255);

/// A picture as luma and chroma; both sides even.
pub(super) struct Yuv {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) y: Vec<u8>,
    pub(super) cb: Vec<u8>,
    pub(super) cr: Vec<u8>,
}

impl Yuv {
    /// Buffers for a picture; odd sides are rounded up.
    pub(super) fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let quarter = vec![128; width * height / 4];
        Self { width, height, y: vec![16; width * height], cb: quarter.clone(), cr: quarter }
    }

    /// Converts rows of `width` pixels. A missing last column or row repeats the previous one.
    pub(super) fn fill(&mut self, rgb: &[[u8; 3]], width: usize) {
        let rows = rgb.len() / width;
        let last = width - 1;
        for (j, pair) in self.y.chunks_exact_mut(2 * self.width).enumerate() {
            let above = &rgb[2 * j * width..][..width];
            let below = &rgb[(2 * j + 1).min(rows - 1) * width..][..width];
            let (upper, lower) = pair.split_at_mut(self.width);
            for (out, row) in [(upper, above), (lower, below)] {
                for (out, pixel) in out.iter_mut().zip(row) {
                    *out = luma(*pixel);
                }
                out[self.width - 1] = luma(row[last]);
            }
            let at = |i: usize, c: usize| i32::from(above[i][c]) + i32::from(below[i][c]);
            let half = self.width / 2;
            let cb = &mut self.cb[j * half..][..half];
            let cr = &mut self.cr[j * half..][..half];
            for (i, (cb, cr)) in cb.iter_mut().zip(cr).enumerate() {
                let (a, b, c) = ((2 * i).max(1) - 1, 2 * i, (2 * i + 1).min(last));
                let sum = |k: usize| at(a, k) + 2 * at(b, k) + at(c, k);
                [*cb, *cr] = chroma([sum(0), sum(1), sum(2)]);
            }
        }
    }
}

fn luma([r, g, b]: [u8; 3]) -> u8 {
    let sum = Y_RED * i32::from(r) + Y_GREEN * i32::from(g) + Y_BLUE * i32::from(b);
    (16 + ((sum + (1 << (POINT - 1))) >> POINT)) as u8
}

/// Chroma of the sum of eight colours.
fn chroma([r, g, b]: [i32; 3]) -> [u8; 2] {
    // 2^16 · 8 · 255 · 0.44 stays below 2^31.
    let shift = POINT + 3;
    let round = |sum: i32| (128 + ((sum + (1 << (shift - 1))) >> shift)).clamp(16, 240) as u8;
    [
        round(CB_RED * r - (HALF + CB_RED) * g + HALF * b),
        round(HALF * r - (HALF + CR_BLUE) * g + CR_BLUE * b),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(rgb: [u8; 3]) -> [u8; 3] {
        let mut yuv = Yuv::new(3, 3);
        yuv.fill(&[rgb; 9], 3);
        for plane in [&yuv.y, &yuv.cb, &yuv.cr] {
            assert!(plane.iter().all(|v| *v == plane[0]), "{rgb:?} is not flat: {plane:?}");
        }
        [yuv.y[0], yuv.cb[0], yuv.cr[0]]
    }

    #[test]
    fn primaries_have_the_values_of_the_standard() {
        // The colour bars of BT.709 at 100 %, in 8 bits.
        for (rgb, expected) in [
            ([255, 255, 255], [235, 128, 128]),
            ([255, 255, 0], [219, 16, 138]),
            ([0, 255, 255], [188, 154, 16]),
            ([0, 255, 0], [173, 42, 26]),
            ([255, 0, 255], [78, 214, 230]),
            ([255, 0, 0], [63, 102, 240]),
            ([0, 0, 255], [32, 240, 118]),
            ([0, 0, 0], [16, 128, 128]),
        ] {
            assert_eq!(flat(rgb), expected, "{rgb:?}");
        }
    }

    #[test]
    fn greys_have_no_colour() {
        for grey in 0..=255 {
            let [y, cb, cr] = flat([grey; 3]);
            assert_eq!((cb, cr), (128, 128));
            let exact = 16.0 + 219.0 * f64::from(grey) / 255.0;
            assert!((f64::from(y) - exact).abs() <= 0.501, "{grey}: {y} for {exact}");
        }
    }

    #[test]
    fn chroma_is_on_even_columns() {
        // A red column at 4 affects only its own sample; at 5, both neighbours equally.
        let column = |red: usize| {
            let row: Vec<[u8; 3]> =
                (0..10).map(|x| if x == red { [255, 0, 0] } else { [0; 3] }).collect();
            let mut yuv = Yuv::new(10, 2);
            yuv.fill(&row.repeat(2), 10);
            yuv.cr
        };
        assert_eq!(column(4), [128, 128, 184, 128, 128]);
        assert_eq!(column(5), [128, 128, 156, 156, 128]);
    }

    #[test]
    fn odd_sides_repeat_their_last() {
        let mut yuv = Yuv::new(3, 1);
        yuv.fill(&[[0; 3], [0; 3], [255; 3]], 3);
        assert_eq!((yuv.width, yuv.height), (4, 2));
        assert_eq!(yuv.y, [16, 16, 235, 235].repeat(2));
    }
}
