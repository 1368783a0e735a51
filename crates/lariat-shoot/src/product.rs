//! Pictures of a shot as files: one picture, a contact sheet, numbered pictures or a movie.
//!
//! Every file is written under a temporary name and renamed when it is complete.
//!
//! Tests: `movies_play_at_true_speed`; `crates/lariat-cli/tests/command/render.rs`.

use std::{fs, io, path::Path};

use lariat_core::motion::FrameRate;
use lariat_export::{
    ExportError, Progress,
    file::{IfExists, save_seekable},
};
use lariat_render::{
    Picture, RenderError, Sheet, Size,
    movie::{Format, Movie, MovieError, MovieSettings},
    overlay::Canvas,
};

use crate::{error::ShootError, sequence::Sequence, shot::Shoot};

/// Kind of output file.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// One picture.
    Picture,
    /// Pictures with their frame numbers on one sheet.
    Sheet,
    /// Numbered pictures.
    Sequence(Sequence),
    /// A movie.
    Movie(Format),
}

/// Files that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Number of pictures.
    pub pictures: u64,
    /// Size of all files in bytes.
    pub bytes: u64,
}

impl Product {
    /// Number of frames on a contact sheet by default.
    pub const CELLS: i64 = 12;

    /// Returns an error if pictures of these frames and this size do not fit.
    pub fn check(&self, size: Size, rate: FrameRate, frames: &[f64]) -> Result<(), ShootError> {
        match self {
            Self::Movie(format) => Ok(format.check(&movie_settings(size, rate, frames))?),
            Self::Sheet => Ok(sheet(size, frames.len()).map(drop)?),
            Self::Picture | Self::Sequence(_) => Ok(()),
        }
    }

    /// Returns an error unless there is one caption per picture, or none.
    pub fn check_captions(&self, captions: usize, pictures: usize) -> Result<(), ShootError> {
        match self {
            _ if captions == 0 => Ok(()),
            Self::Picture | Self::Sheet if captions == pictures => Ok(()),
            Self::Picture | Self::Sheet => Err(ShootError::Captions { captions, pictures }),
            Self::Sequence(_) | Self::Movie(_) => Err(ShootError::NoCaptions),
        }
    }

    /// Draws frames of a shot and writes them to a file; a sequence has its own paths. Pictures and
    /// sheets have one caption per frame, or none.
    ///
    /// When a sequence fails or is cancelled, the pictures that `progress` has counted are
    /// complete.
    pub fn write(
        &self,
        shoot: &Shoot<'_>,
        frames: &[f64],
        captions: &[String],
        (path, existing): (&Path, IfExists),
        progress: &dyn Progress,
    ) -> Result<Written, ShootError> {
        let (size, rate) = (shoot.settings().size, shoot.rate());
        let pictures = frames.len() as u64;
        self.check_captions(captions.len(), frames.len())?;
        match self {
            Self::Picture => {
                shoot.pictures(frames, progress, |index, picture| {
                    let Some(caption) = captions.get(index).filter(|text| !text.is_empty()) else {
                        return save_png(path, existing, picture);
                    };
                    let mut picture = picture.clone();
                    Canvas::new(&mut picture).caption(caption);
                    save_png(path, existing, &picture)
                })?;
            }
            Self::Sheet => {
                let mut sheet = sheet(size, frames.len())?.with_captions(captions.to_vec());
                shoot.pictures(frames, progress, |index, picture| {
                    Ok::<_, ShootError>(sheet.put(index, frames[index] as i64, picture)?)
                })?;
                save_png(path, existing, &sheet.finish())?;
            }
            Self::Movie(format) => save_seekable(path, existing, |out| {
                let settings = movie_settings(size, rate, frames);
                let failed = |error| movie_error(path, error);
                let mut movie = Movie::new(out, *format, settings).map_err(failed)?;
                shoot
                    .pictures(frames, progress, |_, picture| movie.add(picture).map_err(failed))?;
                movie.finish().map_err(failed)?;
                Ok::<_, ShootError>(())
            })?,
            Self::Sequence(sequence) => {
                let mut bytes = 0;
                shoot.pictures(frames, progress, |index, picture| {
                    let path = sequence.path(frames[index] as i64);
                    save_png(&path, existing, picture)?;
                    bytes += file_size(&path);
                    Ok::<_, ShootError>(())
                })?;
                return Ok(Written { pictures, bytes });
            }
        }
        Ok(Written { pictures, bytes: file_size(path) })
    }
}

fn movie_settings(size: Size, rate: FrameRate, frames: &[f64]) -> MovieSettings {
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    MovieSettings { size, rate: movie_rate(rate, frames), frames: count, backdrop: [0; 3] }
}

/// Frame rate of a movie of these frames. A movie of every second frame has half the rate of the
/// shot, so that it plays at true speed; frames at uneven distances play at the rate of the shot.
fn movie_rate(rate: FrameRate, frames: &[f64]) -> FrameRate {
    let step = match frames {
        [first, second, ..] => second - first,
        _ => 1.0,
    };
    let is_even = frames.windows(2).all(|pair| pair[1] - pair[0] == step);
    if !is_even || step < 2.0 || step > f64::from(u32::MAX) {
        return rate;
    }
    let denominator = rate.denominator().checked_mul(step as u32);
    denominator.and_then(|slow| FrameRate::new(rate.numerator(), slow).ok()).unwrap_or(rate)
}

fn sheet(cell: Size, count: usize) -> Result<Sheet, RenderError> {
    Sheet::new(cell, count, Sheet::columns_for(cell, count))
}

fn save_png(path: &Path, existing: IfExists, picture: &Picture) -> Result<(), ShootError> {
    save_seekable(path, existing, |out| {
        picture.encode_png(out).map_err(|error| match error {
            RenderError::Write(error) => disk_error(path, &error),
            other => other.into(),
        })
    })
}

fn file_size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

fn movie_error(path: &Path, error: MovieError) -> ShootError {
    match error {
        MovieError::Write(error) => disk_error(path, &error),
        other => other.into(),
    }
}

fn disk_error(path: &Path, error: &io::Error) -> ShootError {
    ExportError::Place { path: path.to_owned(), reason: error.to_string() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movies_play_at_true_speed() {
        let rate = |frames: &[f64]| movie_rate(FrameRate::FILM, frames).per_second();
        assert_eq!(rate(&[1.0, 2.0, 3.0]), 24.0);
        assert_eq!(rate(&[1.0, 3.0, 5.0]), 12.0);
        assert_eq!(rate(&[4.0, 7.0]), 8.0);
        // Single frames, uneven distances and movies that run backwards have no other true speed.
        for frames in [&[1.0][..], &[1.0, 3.0, 4.0], &[3.0, 1.0], &[]] {
            assert_eq!(rate(frames), 24.0, "{frames:?}");
        }
        let ntsc = FrameRate::new(30_000, 1001).expect("a rate");
        let every_third = movie_rate(ntsc, &[1.0, 4.0, 7.0]);
        assert_eq!((every_third.numerator(), every_third.denominator()), (10_000, 1001));
    }
}
