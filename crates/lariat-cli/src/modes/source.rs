//! Input of `lariat modes`: an evaluated document, a point cache, or a file of modes.
//!
//! Tests: `ranges_are_whole_and_without_gaps`, `piped_input_is_recognised_by_its_beginning`,
//! `takes_are_named_as_their_bodies`, `a_take_gives_the_modes_of_its_body`.

use std::{
    fs::{self, File},
    io::{self, BufRead, Read},
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use lariat::extraction::{MotionFile as Kind, RecordError, record};
use lariat_core::modes::{ModeSet, Recording};
use lariat_core::motion::FrameRate;
use lariat_import::mode_file;
use lariat_import::recording::ReadOptions;

use super::watch::Watch;
use crate::{
    console::Console,
    exit::Failure,
    frames::FrameSet,
    input::{is_standard, not_a_named_pipe},
    limit,
    prepare::{self, Reading},
    words,
};

/// Supported point caches.
const CACHES: &str = ".usda, or .csv with the columns frame, point, x, y, z";

/// Error for a file that is not a recording, by extension.
pub(crate) fn not_a_recording(path: &Path) -> Option<Failure> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    let is = match ending.as_str() {
        "obj" | "gltf" | "glb" | "stl" | "ply" => "a mesh at rest",
        "png" | "jpg" | "jpeg" | "exr" | "tif" | "tiff" | "svg" => "a picture",
        "mp4" | "mov" | "mkv" | "webm" | "webp" | "gif" => "a movie",
        "abc" | "fbx" | "bvh" | "mdd" | "pc2" | "blend" | "json" => {
            return Some(Failure::new(format!(
                "unsupported recording format .{ending}; supported: {CACHES}"
            )));
        }
        _ => return None,
    };
    Some(Failure::new(format!(
        "`{}` is {is}, not a recording; use a document that animates it, or a point cache: \
         {CACHES}",
        words::shown(&path.to_string_lossy())
    )))
}

/// Document and body of a take, if the input is one: `NAME.takes/BODY.take` beside `NAME.lariat`.
pub(crate) fn of_take(path: &Path, bodies: &[String]) -> Result<(PathBuf, Vec<String>), Failure> {
    let ends = |path: &Path, ending: &str| {
        path.extension().is_some_and(|given| given.eq_ignore_ascii_case(ending))
    };
    if is_standard(path) || !ends(path, "take") {
        return Ok((path.to_owned(), bodies.to_vec()));
    }
    let shown = |path: &Path| words::shown(&path.to_string_lossy());
    // A bare file name has no parent.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(std::env::current_dir, |folder| Ok(folder.to_owned()));
    let document = folder.ok().filter(|folder| ends(folder, "takes"));
    let document = document.map(|folder| folder.with_extension("lariat"));
    let Some(document) = document.filter(|document| document.is_file()) else {
        return Err(Failure::new(format!(
            "there is no document for the take `{}` (NAME.lariat beside NAME.takes); use the \
             document as input",
            shown(path)
        )));
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let Some(body) = unescaped(stem).filter(|body| bodies.iter().all(|other| other == body)) else {
        return Err(Failure::new(format!(
            "`{}` is the take of one body; use `{}` and choose bodies with --body",
            shown(path),
            shown(&document)
        )));
    };
    Ok((document, vec![body]))
}

/// Name of the body of a take file: `%2F` is `/`.
fn unescaped(stem: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(stem.len());
    let mut pieces = stem.split('%');
    bytes.extend_from_slice(pieces.next()?.as_bytes());
    for piece in pieces {
        let (code, rest) = piece.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Input that was read.
pub(crate) enum Source {
    /// A recording, and whether its document has errors.
    Recording(Recording, bool),
    /// Modes without their recording.
    Modes(ModeSet),
    /// A document with errors, which have been reported.
    Diagnostics,
}

/// Options for reading a recording.
pub(crate) struct Request<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) frames: Option<&'a FrameSet>,
    pub(crate) rate: Option<FrameRate>,
}

/// Reads the input, or evaluates it.
pub(crate) fn read(
    request: &Request<'_>,
    watch: &Watch,
    console: Console,
) -> Result<Source, Failure> {
    let path = &request.reading.file;
    let kind = if is_standard(path) { piped()? } else { Kind::of(path) };
    match kind {
        Kind::Document => evaluated(request, watch, console),
        Kind::Modes => {
            let bytes = bytes(request.reading)?;
            mode_file::read(&bytes).map(Source::Modes).map_err(|error| about(path, &error))
        }
        kind => {
            let bytes = bytes(request.reading)?;
            if kind == Kind::Csv && request.rate.is_none() {
                console.note(&format!(
                    "assuming {} frames per second; set another rate with --fps",
                    FrameRate::FILM
                ));
            }
            let options = ReadOptions { rate: request.rate, only: request.reading.bodies.clone() };
            let recording = kind.read(&bytes, &options).map_err(|error| about(path, &error))?;
            Ok(Source::Recording(recording, false))
        }
    }
}

fn about(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    if is_standard(path) {
        return Failure::new(format!("standard input: {error}"));
    }
    Failure::new(format!("`{}`: {error}", words::shown(&path.to_string_lossy())))
}

fn unreadable(error: &io::Error) -> Failure {
    Failure::new(format!("cannot read standard input: {error}"))
}

/// Kind of standard input, by its beginning, without consuming it.
fn piped() -> Result<Kind, Failure> {
    let mut stdin = io::stdin().lock();
    match stdin.fill_buf().map(begins).map_err(|error| unreadable(&error))? {
        Kind::Modes => {
            Err(Failure::new("cannot read modes from standard input; use the .modes file"))
        }
        kind => Ok(kind),
    }
}

/// Kind of a file by its beginning; CSV is recognised by its column names.
fn begins(bytes: &[u8]) -> Kind {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if text.starts_with("#usda") {
        return Kind::Usd;
    }
    if text.trim_start().starts_with('{') {
        return Kind::Modes;
    }
    let fields = text.lines().next().unwrap_or_default().split([',', ';', '\t']);
    let names: Vec<String> =
        fields.map(|field| field.trim().trim_matches('"').to_lowercase()).collect();
    let has = |name: &str| names.iter().any(|field| field == name);
    if has("frame") && ["x", "y", "z"].into_iter().any(has) { Kind::Csv } else { Kind::Document }
}

fn bytes(reading: &Reading) -> Result<Vec<u8>, Failure> {
    let (path, most) = (&reading.file, limit::limits(&reading.limits).bytes_per_asset);
    if is_standard(path) {
        let mut bytes = Vec::new();
        let mut stdin = io::stdin().lock().take(most.saturating_add(1));
        stdin.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        if bytes.len() as u64 > most {
            return Err(Failure::new(format!(
                "standard input exceeds the limit of {most} bytes; raise it with `--limit \
                 bytes-per-asset=N`"
            )));
        }
        return Ok(bytes);
    }
    let cannot = |why: String| {
        let name = words::shown(&path.to_string_lossy());
        Failure::new(format!("cannot read `{name}`: {why}"))
    };
    not_a_named_pipe(path)?;
    let size = fs::metadata(path).map_err(|error| cannot(error.to_string()))?.len();
    if size > most {
        return Err(cannot(format!(
            "{size} bytes exceed the limit of {most}; raise it with `--limit \
             bytes-per-asset={size}`"
        )));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // The size of a pipe or a device is not known.
    let file = File::open(path).map_err(|error| cannot(error.to_string()))?;
    let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| cannot(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(cannot(format!(
            "more bytes than the limit of {most}; raise it with `--limit bytes-per-asset=N`"
        )));
    }
    Ok(bytes)
}

/// Evaluates a document at every frame.
fn evaluated(request: &Request<'_>, watch: &Watch, console: Console) -> Result<Source, Failure> {
    if request.rate.is_some() {
        return Err(Failure::new("--fps does not apply to documents; omit it, or change `[shot]`"));
    }
    let Some(mut ready) = prepare::read(request.reading, console)? else {
        return Ok(Source::Diagnostics);
    };
    let shot = *ready.scene.shot();
    let whole = FrameSet::range(shot.first, shot.last);
    let frames = ready.frames(request.frames.unwrap_or(&whole))?;
    let range = range(&frames)?;
    if !ready.check_frames(&request.reading.bodies, &[], &frames, console)? {
        return Ok(Source::Diagnostics);
    }
    let bodies = ready.bodies(request.reading)?;
    let footage = bodies.footage();
    let recording =
        watch.over("recording", |watch| record(footage, shot.rate, range.clone(), watch));
    let recording = recording.map_err(|error| match error {
        RecordError::TooLarge { .. } => Failure::new(format!("{error} with --frames or --body")),
        RecordError::Recording(_) => watch.failed(&error),
    })?;
    Ok(Source::Recording(recording, ready.has_errors))
}

/// Range of frames, if they are contiguous.
pub(crate) fn range(frames: &[f64]) -> Result<RangeInclusive<i64>, Failure> {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
        return Err(Failure::new("no frames; choose some with --frames"));
    };
    if let Some(between) = frames.iter().find(|frame| frame.fract() != 0.0) {
        return Err(Failure::new(format!(
            "frame {between} is fractional; modes need whole frames"
        )));
    }
    if let Some([before, after]) = frames.windows(2).find(|two| two[1] - two[0] != 1.0) {
        return Err(Failure::new(format!(
            "frames {before} and {after} are not contiguous; choose one range, as in {first}-{last}"
        )));
    }
    Ok(*first as i64..=*last as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_whole_and_without_gaps() {
        assert_eq!(range(&[3.0, 4.0, 5.0]).unwrap(), 3..=5);
        let why = |frames: &[f64]| range(frames).unwrap_err().to_string();
        assert!(why(&[3.0, 5.0]).starts_with("frames 3 and 5 are not contiguous"));
        assert!(why(&[3.0, 3.5]).contains("frame 3.5 is fractional"));
        assert!(why(&[]).contains("no frames"));
    }

    #[test]
    fn piped_input_is_recognised_by_its_beginning() {
        assert_eq!(begins(b"frame,point,x,y,z\n1,0,0,0,0\n"), Kind::Csv);
        assert_eq!(begins("\u{feff}\"Frame\";\"X\"\r\n".as_bytes()), Kind::Csv);
        assert_eq!(begins(b"#usda 1.0\n"), Kind::Usd);
        assert_eq!(begins(b"{\"lariat-modes\": 1}"), Kind::Modes);
        for document in ["lariat = 2\n", "# frame, x\nlariat = 1\n", "", "frame = 'x,y,z'"] {
            assert_eq!(begins(document.as_bytes()), Kind::Document, "{document}");
        }
    }

    #[test]
    fn takes_are_named_as_their_bodies() {
        for body in ["rope", "a/b", ".x", "10 % of ä→b", "a.b"] {
            let file = lariat::takes::file_of(Path::new(""), body);
            let stem = file.file_stem().unwrap().to_str().unwrap();
            assert_eq!(unescaped(stem).as_deref(), Some(body));
        }
        assert_eq!((unescaped("a%"), unescaped("a%zz"), unescaped("a%2ä")), (None, None, None));
    }
}
