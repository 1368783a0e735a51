//! Pictures of a shot as files: one picture, a contact sheet, numbered pictures or a movie.
//!
//! Every file is written under a temporary name and renamed when it is complete.
//!
//! Tests: `crates/lariat-cli/tests/command/render.rs`.

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

    /// Returns an error if this many pictures of this size do not fit.
    pub fn check(&self, size: Size, rate: FrameRate, pictures: usize) -> Result<(), ShootError> {
        match self {
            Self::Movie(format) => Ok(format.check(&movie_settings(size, rate, pictures))?),
            Self::Sheet => Ok(sheet(size, pictures).map(drop)?),
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
                let settings = movie_settings(size, rate, frames.len());
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

fn movie_settings(size: Size, rate: FrameRate, pictures: usize) -> MovieSettings {
    let frames = u32::try_from(pictures).unwrap_or(u32::MAX);
    MovieSettings { size, rate, frames, backdrop: [0; 3] }
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
