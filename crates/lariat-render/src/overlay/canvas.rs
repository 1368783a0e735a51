//! Painting on a finished picture: shapes with soft edges, blended over it.
//!
//! A pixel within half a pixel of an edge is covered in proportion to the distance of its centre
//! from the edge. Only additions, multiplications and square roots are used, so the bytes are the
//! same everywhere.
//!
//! Tests: `edges_are_soft`, `pixels_outside_are_unchanged`, `ink_covers_transparent_pixels`,
//! `letters_grow_with_the_picture`,
//! `text_is_where_it_is_measured`, `a_caption_is_readable_on_any_background`.

use glam::DVec2;

use crate::{Picture, typeface};

/// A colour as bytes (sRGB) and its opacity, 0–1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// Red, green, blue.
    pub colour: [u8; 3],
    /// Opacity: 0 is invisible, 1 opaque.
    pub cover: f64,
}

impl Ink {
    /// An opaque colour.
    pub const fn full(colour: [u8; 3]) -> Self {
        Self { colour, cover: 1.0 }
    }

    /// The colour with its opacity multiplied by `share`.
    #[must_use]
    pub fn times(self, share: f64) -> Self {
        Self { cover: self.cover * share.clamp(0.0, 1.0), ..self }
    }
}

/// Background of text and outline of marks.
pub(super) const SHADE: Ink = Ink { colour: [18, 19, 22], cover: 0.72 };

/// Text and interior of marks.
pub(super) const PALE: Ink = Ink::full([236, 238, 242]);

/// Largest horizontal position of a text, in pixels: far beyond any picture, and exact as a number.
const FARTHEST: f64 = 1e9;

/// A picture to paint on.
pub struct Canvas<'p> {
    picture: &'p mut Picture,
    unit: f64,
    letter: f64,
}

/// Smallest height of capitals in pixels: smaller letters run together.
pub(crate) const LEAST_LETTER: f64 = 8.0;

/// Lines of a picture per pixel of the height of its capitals: 720 lines have letters of 13.
const LINES_A_LETTER: f64 = 56.0;

impl<'p> Canvas<'p> {
    /// Paints on a picture.
    pub fn new(picture: &'p mut Picture) -> Self {
        let size = picture.size();
        let unit = (f64::from(size.height()) / 720.0).clamp(0.6, 8.0);
        let short = f64::from(size.height().min(size.width()));
        let letter = (short / LINES_A_LETTER).round().max(LEAST_LETTER);
        Self { picture, unit, letter }
    }

    /// Sets the height of capitals, in pixels.
    #[must_use]
    pub fn with_letter(self, letter: f64) -> Self {
        Self { letter, ..self }
    }

    /// Size in pixels of one pixel of a picture with 720 lines.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Height of capitals in pixels.
    pub fn letter(&self) -> f64 {
        self.letter
    }

    /// Width and height in pixels.
    pub fn size(&self) -> DVec2 {
        let size = self.picture.size();
        DVec2::new(size.width().into(), size.height().into())
    }

    /// A line with round ends, of a width in pixels.
    pub fn line(&mut self, a: DVec2, b: DVec2, width: f64, ink: Ink) {
        let along = b - a;
        let long = along.dot(along);
        let half = DVec2::splat(0.5 * width + 1.0);
        self.fill(a.min(b) - half, a.max(b) + half, ink, |p| {
            let t = if long > 0.0 { ((p - a).dot(along) / long).clamp(0.0, 1.0) } else { 0.0 };
            p.distance(a + along * t) - 0.5 * width
        });
    }

    /// A disc.
    pub fn disc(&mut self, at: DVec2, radius: f64, ink: Ink) {
        let half = DVec2::splat(radius + 1.0);
        self.fill(at - half, at + half, ink, |p| p.distance(at) - radius);
    }

    /// A rectangle between two corners.
    pub fn panel(&mut self, low: DVec2, high: DVec2, ink: Ink) {
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        self.fill(low - 1.0, high + 1.0, ink, |p| ((p - middle).abs() - half).max_element());
    }

    /// A square, rotated by 45 degrees if `tipped`.
    pub fn square(&mut self, at: DVec2, half: f64, tipped: bool, ink: Ink) {
        let room = DVec2::splat(1.5 * half + 1.0);
        self.fill(at - room, at + room, ink, |p| {
            let off = (p - at).abs();
            // √½: the distance to a rotated side.
            if tipped { (off.x + off.y) * 0.707_106_781_186_547_5 } else { off.max_element() }
                .max(0.0)
                - half
        });
    }

    /// Text in one line; `at` is the upper left corner of its capitals. Lines are aligned to whole
    /// pixels for sharpness.
    pub fn text(&mut self, text: &str, at: DVec2, ink: Ink) {
        let size = self.size();
        let line = (at.y + self.letter).round();
        // A line outside the picture; also one that is not finite.
        if !(at.x.abs() <= FARTHEST && line >= 0.0 && line <= size.y + 2.0 * self.letter) {
            return;
        }
        let (width, height) = (size.x as i64, size.y as i64);
        let pixels = self.picture.pixels_mut();
        typeface::draw(text, self.letter, (at.x, line), |x, y, cover| {
            let cover = cover * ink.cover;
            if (0..width).contains(&x) && (0..height).contains(&y) && cover > 0.0 {
                blend(&mut pixels[(y * width + x) as usize], ink.colour, cover);
            }
        });
    }

    /// Width of a text and height of its capitals, in pixels.
    pub fn text_size(&self, text: &str) -> DVec2 {
        DVec2::new(typeface::width(text, self.letter), self.letter)
    }

    /// Text on a dark plate, from the upper left corner of the plate.
    pub fn plate(&mut self, text: &str, low: DVec2) {
        self.panel(low, low + self.plate_size(text), SHADE);
        self.text(text, low + DVec2::new(0.6, 0.5) * self.letter, PALE);
    }

    /// Size of a text with its plate, in pixels.
    pub fn plate_size(&self, text: &str) -> DVec2 {
        (self.text_size(text) + DVec2::new(1.2, 1.0) * self.letter).ceil()
    }

    /// A caption in the upper left corner.
    pub fn caption(&mut self, text: &str) {
        self.plate(text, DVec2::splat((16.0 * self.unit).round()));
    }

    /// Blends ink over the pixels of a box; `outside` gives the signed distance to the shape.
    pub(super) fn fill(
        &mut self,
        low: DVec2,
        high: DVec2,
        ink: Ink,
        outside: impl Fn(DVec2) -> f64,
    ) {
        let most = self.size();
        if !(low.is_finite() && high.is_finite()) {
            return;
        }
        let (low, high) = (low.max(DVec2::ZERO).floor(), high.min(most).ceil());
        let width = self.picture.size().width() as usize;
        for y in low.y as usize..high.y.max(0.0) as usize {
            for x in low.x as usize..high.x.max(0.0) as usize {
                let middle = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
                let cover = ink.cover * (0.5 - outside(middle)).clamp(0.0, 1.0);
                if cover > 0.0 {
                    blend(&mut self.picture.pixels_mut()[y * width + x], ink.colour, cover);
                }
            }
        }
    }
}

/// Blends straight alpha over straight alpha.
fn blend(pixel: &mut [u8; 4], colour: [u8; 3], cover: f64) {
    let below = f64::from(pixel[3]) / 255.0 * (1.0 - cover);
    let alpha = cover + below;
    for (channel, ink) in pixel.iter_mut().zip(colour) {
        let mixed = (f64::from(ink) * cover + f64::from(*channel) * below) / alpha;
        *channel = mixed.round() as u8;
    }
    pixel[3] = (alpha * 255.0).round() as u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    const RED: Ink = Ink::full([255, 0, 0]);

    fn black(width: u32, height: u32) -> Picture {
        Picture::new(Size::new(width, height).unwrap(), [0, 0, 0, 255])
    }

    #[test]
    fn edges_are_soft() {
        let mut picture = black(20, 20);
        let mut canvas = Canvas::new(&mut picture);
        canvas.line(DVec2::new(4.0, 10.25), DVec2::new(16.0, 10.25), 2.0, RED);
        let column = [8, 9, 10, 11, 12].map(|y| picture.at(10, y)[0]);
        assert_eq!(column, [0, 191, 255, 64, 0], "two pixels of ink, a quarter of it below");
    }

    #[test]
    fn pixels_outside_are_unchanged() {
        let mut picture = black(20, 20);
        let mut canvas = Canvas::new(&mut picture);
        for far in [-1e9, 1e9, f64::NAN, f64::INFINITY] {
            canvas.disc(DVec2::splat(far), 3.0, RED);
            canvas.square(DVec2::new(far, 5.0), 3.0, true, RED);
            canvas.text("12", DVec2::new(5.0, far), RED);
        }
        assert_eq!(picture, black(20, 20));
        // A line that crosses the picture from far outside is drawn where visible.
        Canvas::new(&mut picture).line(DVec2::new(-1e6, 5.5), DVec2::new(1e6, 5.5), 1.0, RED);
        assert_eq!((picture.at(0, 5)[0], picture.at(19, 5)[0], picture.at(9, 7)[0]), (255, 255, 0));
    }

    #[test]
    fn ink_covers_transparent_pixels() {
        let mut picture = Picture::new(Size::new(8, 8).unwrap(), [9, 9, 9, 0]);
        Canvas::new(&mut picture).panel(DVec2::splat(2.0), DVec2::splat(6.0), RED.times(0.5));
        assert_eq!((picture.at(4, 4), picture.at(0, 0)), ([255, 0, 0, 128], [9, 9, 9, 0]));
    }

    #[test]
    fn letters_grow_with_the_picture() {
        let inked = |width: u32, height: u32| {
            let mut picture = black(width, height);
            Canvas::new(&mut picture).text("H", DVec2::splat(4.0), RED);
            let rows = (0..height).filter(|y| (0..60).any(|x| picture.at(x, *y)[0] > 200));
            rows.count()
        };
        // Small pictures keep letters that can be read.
        assert_eq!([(300, 169), (640, 360)].map(|(w, h)| inked(w, h)), [8, 8]);
        assert_eq!([(1280, 720), (1920, 1080)].map(|(w, h)| inked(w, h)), [13, 19]);
        assert_eq!(inked(720, 1280), 13, "the shorter side counts");
    }

    #[test]
    fn a_caption_is_readable_on_any_background() {
        for ground in [0, 90, 160, 255] {
            let mut picture =
                Picture::new(Size::new(300, 169).unwrap(), [ground, ground, ground, 255]);
            Canvas::new(&mut picture).caption("before");
            let found = picture.pixels().iter().map(|p| p[0]);
            let (low, high) = (found.clone().min().unwrap(), found.max().unwrap());
            assert!(high - low > 120, "{low} to {high} on {ground}");
            assert_eq!(picture.at(299, 168)[0], ground);
        }
    }

    #[test]
    fn text_is_where_it_is_measured() {
        let mut picture = black(200, 40);
        let mut canvas = Canvas::new(&mut picture).with_letter(12.0);
        let room = canvas.text_size("Hemp");
        canvas.text("Hemp", DVec2::new(10.0, 8.0), RED);
        let columns: Vec<u32> =
            (0..200).filter(|x| (0..40).any(|y| picture.at(*x, y)[0] > 60)).collect();
        let (first, last) = (f64::from(columns[0]), f64::from(*columns.last().unwrap()));
        assert!((first - 10.0).abs() < 2.5 && (last + 1.0 - 10.0 - room.x).abs() < 2.5);
        assert!((0..200).all(|x| picture.at(x, 7)[0] == 0), "nothing is above the capitals");
    }
}
