//! A finished picture, and its encoding as PNG.
//!
//! Red, green and blue are sRGB, alpha is straight (not premultiplied), rows run from the top. This
//! crate writes to any [`std::io::Write`]; callers open the files.
//!
//! Tests: `a_png_reads_back_as_it_was`, `a_png_with_any_wrong_byte_has_no_size`,
//! `opaque_pictures_carry_no_alpha`, `sizes_have_limits`.

use std::io::{self, BufRead, Seek, Write};

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

/// Size of a PNG, after decoding all of it; `None` if it is damaged or incomplete. One that is larger
/// than a [`Size`] can be is an error.
///
/// Chunks must have their checksums, and so must the compressed pixels, which most readers do not
/// check.
pub fn size_of_png(from: impl BufRead + Seek) -> io::Result<Option<Size>> {
    match decode_png(from) {
        Ok(size) => Ok(Some(size)),
        Err(png::DecodingError::IoError(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Err(error)
        }
        Err(_) => Ok(None),
    }
}

fn decode_png(from: impl BufRead + Seek) -> Result<Size, png::DecodingError> {
    let mut options = png::DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_skip_ancillary_crc_failures(false);
    let mut decoder = png::Decoder::new_with_options(from, options);
    let header = decoder.read_header_info()?;
    let too_large = |error: RenderError| io::Error::other(error.to_string());
    let size = Size::new(header.width, header.height).map_err(too_large)?;
    // One row of the largest picture is above the default.
    decoder.set_limits(png::Limits { bytes: usize::MAX });
    let mut reader = decoder.read_info()?;
    while reader.next_row()?.is_some() {}
    reader.finish()?;
    Ok(size)
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

    /// CRC-32 of the PNG specification, annex D.
    fn crc(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for byte in bytes {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            }
        }
        !crc
    }

    #[test]
    fn a_png_with_any_wrong_byte_has_no_size() {
        let size = Size::new(20, 10).unwrap();
        let mut picture = Picture::new(size, [1, 2, 3, 255]);
        for (i, pixel) in picture.pixels_mut().iter_mut().enumerate() {
            *pixel = [i as u8, (i * i) as u8, 3, 255];
        }
        let mut whole = Vec::new();
        picture.encode_png(&mut whole).unwrap();
        let read = |bytes: &[u8]| size_of_png(io::Cursor::new(bytes)).unwrap();
        assert_eq!(read(&whole), Some(size));
        for place in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[place] ^= 1;
            assert_eq!(read(&wrong), None, "byte {place}");
            assert_eq!(read(&whole[..place]), None, "cut at {place}");
        }
        whole.push(0);
        assert_eq!(read(&whole), Some(size), "viewers ignore the rest");
        whole.pop();
        // Chunks with right checksums around compressed pixels with a wrong one.
        let data = whole.windows(4).position(|four| four == b"IDAT").unwrap();
        let length = u32::from_be_bytes(whole[data - 4..data].try_into().unwrap()) as usize;
        let end = data + 4 + length;
        whole[end - 1] ^= 1;
        let sum = crc(&whole[data..end]).to_be_bytes();
        whole[end..end + 4].copy_from_slice(&sum);
        assert_eq!(read(&whole), None, "Adler-32");
        whole[end - 1] ^= 1;
        let sum = crc(&whole[data..end]).to_be_bytes();
        whole[end..end + 4].copy_from_slice(&sum);
        assert_eq!(read(&whole), Some(size));
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
