//! A finished picture, and its encoding as PNG.
//!
//! Red, green and blue are sRGB, alpha is straight (not premultiplied), rows run from the top. This
//! crate writes to any [`std::io::Write`]; callers open the files.
//!
//! Tests: `a_png_reads_back_as_it_was`, `opaque_pictures_carry_no_alpha`, `sizes_have_limits`.

use std::io::{self, Write};

use crate::RenderError;

/// Size of a picture in pixels: at least one pixel, at most [`Size::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: u32,
    height: u32,
}

impl Size {
    /// Largest number of pixels: half a gigabyte as bytes, four times that as light while drawing.
    pub const MOST: u64 = 1 << 27;

    /// Checks the limits.
    pub fn new(width: u32, height: u32) -> Result<Self, RenderError> {
        if width == 0 || height == 0 {
            return Err(RenderError::Empty { width, height });
        }
        if u64::from(width) * u64::from(height) > Self::MOST {
            return Err(RenderError::TooLarge { width, height, most: Self::MOST });
        }
        Ok(Self { width, height })
    }

    /// Width, in pixels.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Height, in pixels.
    pub fn height(self) -> u32 {
        self.height
    }

    /// Number of pixels.
    pub fn pixels(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Width over height.
    pub fn aspect(self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }
}

/// Pixels as bytes: red, green, blue, alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    size: Size,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// A picture of one colour.
    pub fn new(size: Size, colour: [u8; 4]) -> Self {
        Self { size, pixels: vec![colour; size.pixels()] }
    }

    /// Size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// All pixels, mutable.
    pub fn pixels_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.pixels
    }

    /// One pixel, counted from the top left.
    ///
    /// # Panics
    /// If the pixel is outside of the picture.
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        assert!(x < self.size.width, "column {x} of {}", self.size.width);
        self.pixels[y as usize * self.size.width as usize + x as usize]
    }

    /// Whether every pixel is opaque.
    pub fn is_opaque(&self) -> bool {
        self.pixels.iter().all(|p| p[3] == 255)
    }

    /// Writes the picture as a PNG, without alpha if it is opaque.
    ///
    /// The bytes depend on the pixels alone.
    pub fn encode_png(&self, out: &mut impl Write) -> Result<(), RenderError> {
        let opaque = self.is_opaque();
        let mut encoder = png::Encoder::new(out, self.size.width, self.size.height);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(io_error)?;
        if opaque {
            let rgb: Vec<u8> = self.pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
            writer.write_image_data(&rgb).map_err(io_error)?;
        } else {
            writer.write_image_data(self.pixels.as_flattened()).map_err(io_error)?;
        }
        writer.finish().map_err(io_error)
    }
}

fn io_error(error: png::EncodingError) -> RenderError {
    match error {
        png::EncodingError::IoError(error) => error.into(),
        other => io::Error::other(other).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> (png::OutputInfo, Vec<u8>) {
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        (info, pixels)
    }

    #[test]
    fn a_png_reads_back_as_it_was() {
        let mut picture = Picture::new(Size::new(5, 3).unwrap(), [9, 8, 7, 6]);
        for (i, pixel) in picture.pixels_mut().iter_mut().enumerate() {
            *pixel = [i as u8 * 17, 255 - i as u8, 3, i as u8];
        }
        let mut bytes = Vec::new();
        picture.encode_png(&mut bytes).unwrap();
        let (info, pixels) = decode(&bytes);
        assert_eq!((info.width, info.height, info.color_type), (5, 3, png::ColorType::Rgba));
        assert_eq!(pixels, picture.pixels().as_flattened());
        assert_eq!(picture.at(1, 2), picture.pixels()[11]);
    }

    #[test]
    fn opaque_pictures_carry_no_alpha() {
        let picture = Picture::new(Size::new(2, 2).unwrap(), [1, 2, 3, 255]);
        let mut bytes = Vec::new();
        picture.encode_png(&mut bytes).unwrap();
        let (info, pixels) = decode(&bytes);
        assert_eq!((info.color_type, pixels), (png::ColorType::Rgb, [1, 2, 3].repeat(4)));
    }

    #[test]
    fn sizes_have_limits() {
        let error = Size::new(0, 720).unwrap_err().to_string();
        assert!(error.starts_with("a picture of 0x720 pixels is empty"), "{error}");
        let error = Size::new(100_000, 100_000).unwrap_err().to_string();
        assert!(error.ends_with("too large; the limit is 134217728 pixels"), "{error}");
    }

    #[test]
    fn write_errors_are_returned() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("disk full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let picture = Picture::new(Size::new(2, 2).unwrap(), [1, 2, 3, 255]);
        let error = picture.encode_png(&mut Full).unwrap_err().to_string();
        assert_eq!(error, "cannot write the picture: disk full");
    }
}
