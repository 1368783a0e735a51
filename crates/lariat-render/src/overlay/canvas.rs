//! Painting on a finished picture: shapes with soft edges, blended over it.
//!
//! A pixel within half a pixel of an edge is covered in proportion to the distance of its centre
//! from the edge. Only additions, multiplications and square roots are used, so the bytes are the
//! same everywhere.
//!
//! Tests: `edges_are_soft`, `pixels_outside_are_unchanged`, `ink_covers_transparent_pixels`,
//! `marks_grow_with_the_picture`.

use glam::DVec2;

use crate::{
    Picture,
    typeface::{self, HEIGHT},
};

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

/// A picture to paint on.
pub struct Canvas<'p> {
    picture: &'p mut Picture,
    unit: f64,
    dot: u32,
}

impl<'p> Canvas<'p> {
    /// Paints on a picture.
    pub fn new(picture: &'p mut Picture) -> Self {
        let height = picture.size().height();
        let unit = (f64::from(height) / 720.0).clamp(0.6, 8.0);
        Self { picture, unit, dot: (height / 360).clamp(1, 8) }
    }

    /// Sets the size of letters, in pixels per dot.
    #[must_use]
    pub fn with_dot(self, dot: u32) -> Self {
        Self { dot: dot.max(1), ..self }
    }

    /// Size in pixels of one pixel of a picture with 720 lines.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Size in pixels of a dot of the typeface.
    pub(super) fn dot(&self) -> f64 {
        f64::from(self.dot)
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

    /// Text in capitals, from its top left corner; aligned to whole pixels for sharpness.
    pub fn text(&mut self, text: &str, at: DVec2, ink: Ink) {
        let (at, dot) = (at.round(), self.dot());
        for (x, y) in typeface::dots(text) {
            let low = at + DVec2::new(x.into(), y.into()) * dot;
            self.panel(low, low + dot, ink);
        }
    }

    /// Size of a text, in pixels.
    pub fn text_size(&self, text: &str) -> DVec2 {
        DVec2::new(typeface::width(text).into(), HEIGHT.into()) * self.dot()
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
    fn marks_grow_with_the_picture() {
        let inked = |height: u32| {
            let mut picture = black(40 * height / 360, height);
            Canvas::new(&mut picture).text("1", DVec2::splat(2.0), RED);
            picture.pixels().iter().filter(|p| p[0] == 255).count()
        };
        // A 1 has ten dots.
        assert_eq!((inked(360), inked(720), inked(1080)), (10, 40, 90));
    }
}
