//! Invalid movies and their messages; and a full disk.

use std::{
    cell::RefCell,
    io::{self, Cursor, Seek, SeekFrom, Write},
    rc::Rc,
};

use lariat_render::{
    Picture,
    movie::{Coding, Format, Movie},
};

use crate::films::{line, settings, size};

fn refusal(width: u32, height: u32, rate: &str, format: Format) -> String {
    let mut settings = settings(&Picture::new(size(1, 1), [0; 4]), rate, 1);
    settings.size = size(width, height);
    Movie::new(Cursor::new(Vec::new()), format, settings).err().unwrap().to_string()
}

#[test]
fn sizes_and_rates_have_limits() {
    assert_eq!(
        refusal(4000, 1000, "24", Format::MP4),
        "a .mp4 of 4000x1000 pixels is too large; the limit is 3840x2160, upright or sideways"
    );
    assert_eq!(
        refusal(64, 15, "24", Format::MP4),
        "a .mp4 of 64x15 pixels is too small; the minimum is 16x16"
    );
    assert!(refusal(70_000, 1, "24", Format::GIF).contains("65535x65535"));
    assert!(refusal(1, 16_384, "24", Format::WEBP).contains("16383x16383"));
    assert_eq!(
        refusal(64, 64, "60", Format::GIF),
        "a .gif cannot play at 60 frames per second; players support 0.1 to 50"
    );
    assert!(refusal(64, 64, "120", Format::WEBP).contains("0.1 to 90"));
    assert!(refusal(64, 64, "1/11", Format::MP4).contains("cannot play at 1/11"));
    assert!(refusal(64, 64, "24", Format::Mp4 { step: 11 }).contains("expected 12 (finest) to 51"));
    let lossy = |quality| Format::Webp(Coding::Lossy { quality });
    assert!(refusal(64, 64, "24", lossy(f32::NAN)).contains("cannot be NaN"));
    assert!(refusal(64, 64, "24", lossy(101.0)).contains("cannot be 101"));
}

#[test]
fn limits_are_inclusive() {
    for (width, height) in [(16, 16), (16, 3840), (3839, 17)] {
        let picture = line(size(width, height), 1);
        let mut movie =
            Movie::new(Cursor::new(Vec::new()), Format::MP4, settings(&picture, "240", 1)).unwrap();
        movie.add(&picture).unwrap();
        movie.finish().unwrap();
    }
}

#[test]
fn pictures_must_fit() {
    for format in [Format::MP4, Format::GIF, Format::WEBP] {
        let picture = line(size(32, 32), 0);
        let start =
            || Movie::new(Cursor::new(Vec::new()), format, settings(&picture, "24", 2)).unwrap();
        let name = format.name();
        assert_eq!(
            start().finish().unwrap_err().to_string(),
            format!("a .{name} needs at least one picture")
        );
        let mut movie = start();
        movie.add(&picture).unwrap();
        assert_eq!(
            movie.add(&line(size(32, 30), 0)).unwrap_err().to_string(),
            "picture 2 has 32x30 pixels, but the movie has 32x32"
        );
        movie.add(&picture).unwrap();
        assert_eq!(
            movie.add(&picture).unwrap_err().to_string(),
            "the movie was started for 2 pictures; one more was added"
        );
        movie.finish().unwrap();
    }
}

/// A disk with limited space.
struct Disk {
    bytes: Rc<RefCell<Cursor<Vec<u8>>>>,
    room: u64,
}

impl Write for Disk {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.borrow_mut();
        let room = self.room.saturating_sub(bytes.position());
        if room == 0 {
            return Err(io::Error::other("disk full"));
        }
        bytes.write(&data[..data.len().min(room as usize)])
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.borrow_mut().seek(to)
    }
}

#[test]
fn a_full_disk_loses_no_whole_second() {
    let pictures: Vec<Picture> = (0..40).map(|i| line(size(160, 96), i)).collect();
    for format in [Format::MP4, Format::WEBP] {
        let whole = crate::films::film(&pictures, "10", format).len() as u64;
        let bytes = Rc::new(RefCell::new(Cursor::new(Vec::new())));
        let disk = Disk { bytes: Rc::clone(&bytes), room: whole * 7 / 10 };
        let mut movie = Movie::new(disk, format, settings(&pictures[0], "10", 40)).unwrap();
        let error = pictures.iter().find_map(|picture| movie.add(picture).err()).unwrap();
        assert_eq!(error.to_string(), "cannot write the movie: disk full");
        let added = movie.added() as usize;
        drop(movie);
        let file = bytes.borrow().get_ref().clone();
        let played = match format {
            // The table refers to no frame after the last whole second.
            Format::Mp4 { .. } => crate::mp4::play(&upto_mdat(&file)).len(),
            _ => crate::webp::play(&file).len(),
        };
        assert!(added > 15 && played >= added / 10 * 10, "{played} of {added}, {format:?}");
    }
}

/// An `.mp4` truncated after its frames.
fn upto_mdat(file: &[u8]) -> Vec<u8> {
    let at = file.windows(4).position(|w| w == b"mdat").unwrap();
    let length = u64::from_be_bytes(*file[at + 4..].first_chunk().unwrap()) as usize;
    file[..at - 4 + length].to_vec()
}
