//! Documents whose wiggles drive recorded modes, as written by `lariat modes --document`.
//!
//! For every mode, a few keys are found with which a spring of its frequency and half-life follows
//! the recording (`lariat_core::modes::drive`). Every recorded body becomes a `shape`; wiggles
//! drive the first, and the others follow it. With a [`MeshBody`], all points belong to one mesh.
//!
//! The distance from the recording is measured on the document: its text is checked, bound and
//! evaluated.
//!
//! Tests: `names_are_plain_and_unique`, `relative_paths_start_at_the_document`,
//! `lengths_have_four_digits`.

use std::f64::consts::LN_10;
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};
use std::path::{Component, Path, PathBuf};

use lariat_core::modes::{
    Drive, DriveError, DriveKnot, DriveOptions, ModeSet, PartKind, Recording, RecordingError,
    Residual, ResidualSum, drive, lag_degrees,
};
use lariat_core::num::{complex, ops};
use lariat_eval::{Assets, FileError, Files, MemoryFiles, Scene};
use lariat_scene::{Limits, Table, Thing, Value, check::check, format};

use crate::Folder;

/// Keys per line of the document.
const KEYS_PER_LINE: usize = 6;

/// Options of a document.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Allowed distance of all curves together from the recording, as a share of the motion.
    pub tolerance: f64,
    /// Maximum number of keys per curve.
    pub max_keys: usize,
    /// Fluidity: 0 stiff, 1 as recorded.
    pub slosh: f64,
}

/// Mesh that the modes move.
#[derive(Clone, Debug)]
pub struct MeshBody {
    /// Name of the body.
    pub name: String,
    /// Path of the mesh, relative to the document.
    pub file: String,
    /// Up axis, if it differs from that of the format.
    pub up: Option<&'static str>,
    /// Folder of the document.
    pub folder: Folder,
}

/// A document that drives modes.
#[derive(Clone, Debug)]
pub struct ModesDocument {
    /// Text of the document.
    pub text: String,
    /// Number of keys of all curves.
    pub keys: usize,
    /// Distance from the recording, or without one, from the motion of the modes.
    pub residual: Residual,
    /// Curve of every mode.
    drives: Vec<Drive>,
    slosh: f64,
}

/// Stage of [`write()`], for progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Finding keys.
    Keys,
    /// Evaluating the document.
    Evaluation,
}

/// Reason why a document could not be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ModesDocumentError {
    /// No keys were found, or the search was cancelled.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// The document could not be evaluated, or the evaluation was cancelled.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The document has errors.
    #[error("the generated document has errors: {0}")]
    Invalid(String),
}

/// Progress callback: stage and share done; breaks to cancel.
pub type Progress<'p> = &'p mut dyn FnMut(Stage, f64) -> ControlFlow<()>;

/// Writes the document of modes that are in `file`, a path relative to the document.
pub fn write(
    set: &ModeSet,
    recording: Option<&Recording>,
    file: &str,
    mesh: Option<&MeshBody>,
    options: &Options,
    progress: Progress<'_>,
) -> Result<ModesDocument, ModesDocumentError> {
    let drives = drives(set, options, progress)?;
    let keys = drives.iter().map(|drive| drive.knots.len()).sum();
    let groups = match mesh {
        Some(mesh) => vec![Group::of_mesh(set, mesh)],
        None => groups(set, &[]),
    };
    let body = format!(
        "{}{}",
        shot(set),
        bodies_text(set, &groups, 0..drives.len(), (file, mesh), |place, k| {
            let leader = (place > 0).then(|| groups[0].name.as_str());
            driven(&drives[k], options.slosh, leader.map(|name| (name, k)))
        })
    );
    let residual = measure(set, recording, &body, (file, mesh), &groups, progress)?;
    let text = format!("{}{body}", header(set, recording.is_some(), keys, &residual, options));
    Ok(ModesDocument { text, keys, residual, drives, slosh: options.slosh })
}

impl ModesDocument {
    /// The bodies of the document, for another one that has things already: modes from `file`, all or
    /// one of them, and names that are not `taken`. There is at least one.
    pub fn bodies(
        &self,
        set: &ModeSet,
        file: &str,
        only: Option<usize>,
        taken: &[String],
    ) -> Result<Vec<Table>, ModesDocumentError> {
        let groups = groups(set, taken);
        let modes = only.map_or(0..self.drives.len(), |mode| mode..mode + 1);
        if modes.is_empty() || modes.end > self.drives.len() {
            let message = format!("there is no such mode; there are {}", self.drives.len());
            return Err(ModesDocumentError::Invalid(message));
        }
        let first = modes.start;
        let text = bodies_text(set, &groups, modes, (file, None), |place, k| {
            let leader = (place > 0).then(|| groups[0].name.as_str());
            driven(&self.drives[k], self.slosh, leader.map(|name| (name, k - first)))
        });
        let invalid = |why: &str| ModesDocumentError::Invalid(why.to_owned());
        let read = format::read(&format!("lariat = 2\n{text}")).map_err(|diagnostics| {
            invalid(diagnostics.first().map_or("it cannot be parsed", |one| &one.message))
        })?;
        let path = lariat_scene::Path::root().field(Thing::Body.list());
        let bodies = read.document.get(&path).and_then(Value::list).unwrap_or_default();
        match bodies.iter().filter_map(Value::table).cloned().collect::<Vec<_>>() {
            none if none.is_empty() => Err(invalid("it has no bodies")),
            bodies => Ok(bodies),
        }
    }
}

/// Curve of every mode.
fn drives(
    set: &ModeSet,
    options: &Options,
    progress: Progress<'_>,
) -> Result<Vec<Drive>, DriveError> {
    let modes = set.modes();
    // Norm of the whole motion, from the share of the first mode.
    let whole = modes.first().map_or(0.0, |mode| mode.sigma / mode.share.max(1e-12).sqrt());
    let each = options.tolerance * whole / (modes.len().max(1) as f64).sqrt();
    let mut found = Vec::with_capacity(modes.len());
    for (k, mode) in modes.iter().enumerate() {
        // In metres of the point that moves farthest, the unit of documents.
        let scale = mode.max_displacement();
        let course: Vec<_> = mode.coefficients.iter().map(|c| c * scale).collect();
        let options = DriveOptions { error: each * scale, max_knots: options.max_keys };
        let mut go_on = || progress(Stage::Keys, k as f64 / modes.len() as f64);
        found.push(drive(&course, mode.pole, set.origin(), &options, &mut go_on)?);
    }
    Ok(found)
}

/// A body of the document: its name, its part of the file, and the indices of these parts.
pub(crate) struct Group {
    name: String,
    part: Option<String>,
    members: Vec<usize>,
}

impl Group {
    /// All points, as one mesh.
    fn of_mesh(set: &ModeSet, mesh: &MeshBody) -> Self {
        let members = (0..set.parts().len()).collect();
        Self { name: unique_name(&mesh.name, &[]), part: None, members }
    }
}

/// Recorded bodies with names that are not taken: strands of a body together, every mesh on its own.
pub(crate) fn groups(set: &ModeSet, taken: &[String]) -> Vec<Group> {
    let parts = set.parts();
    let is_mesh = |k: usize| matches!(parts[k].kind, PartKind::Mesh { .. });
    let key = |k: usize| match parts[k].name.rsplit_once('/') {
        Some((body, _)) if !is_mesh(k) && !body.is_empty() => body,
        _ => parts[k].name.as_str(),
    };
    let mut groups: Vec<Group> = Vec::new();
    for k in 0..parts.len() {
        match groups.iter_mut().find(|group| group.part.as_deref() == Some(key(k))) {
            Some(group) => group.members.push(k),
            None => {
                let part = Some(key(k).to_owned());
                groups.push(Group { name: String::new(), part, members: vec![k] });
            }
        }
    }
    // If a prefix matches parts of other bodies, every part becomes a body.
    let takes = |name: &str| -> Vec<usize> { set.named(name) };
    if groups.iter().any(|group| group.part.as_deref().map(takes) != Some(group.members.clone())) {
        groups = (0..parts.len())
            .map(|k| Group {
                name: String::new(),
                part: Some(parts[k].name.clone()),
                members: vec![k],
            })
            .collect();
    }
    let mut taken = taken.to_vec();
    for group in &mut groups {
        group.name = unique_name(group.part.as_deref().unwrap_or_default(), &taken);
        taken.push(group.name.clone());
    }
    if let [only] = &mut groups[..] {
        only.part = None;
    }
    groups
}

/// A unique name without characters that are reserved in addresses.
fn unique_name(name: &str, taken: &[String]) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = match name.trim_matches(['-', ' ']) {
        "" => "shape".to_owned(),
        name => name.to_owned(),
    };
    let numbered = |n: usize| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    (1..=taken.len() + 1).map(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

/// The shot of a document: the frames of the modes.
pub(crate) fn shot(set: &ModeSet) -> String {
    let origin = set.origin();
    let rate = match origin.rate.denominator() {
        1 => origin.rate.to_string(),
        _ => quoted(&origin.rate.to_string()),
    };
    let last = origin.first + set.frames() as i64 - 1;
    format!("lariat = 2\n\n[shot]\nfps = {rate}\nframes = [{}, {last}]\n", origin.first)
}

/// Bodies with some of the modes; `motion` has the parameters of a mode, by the index of the body and
/// of the mode.
pub(crate) fn bodies_text(
    set: &ModeSet,
    groups: &[Group],
    modes: Range<usize>,
    (file, mesh): (&str, Option<&MeshBody>),
    motion: impl Fn(usize, usize) -> String,
) -> String {
    debug_assert!(modes.end <= set.modes().len(), "{modes:?}");
    let mut out = String::new();
    for (place, group) in groups.iter().enumerate() {
        let (model, body_file) = mesh.map_or(("shape", file), |mesh| ("mesh", &mesh.file));
        let _ = write!(
            out,
            "\n[[body]]\nname = {}\nmodel = {}\nfile = {}\n",
            quoted(&group.name),
            quoted(model),
            quoted(body_file)
        );
        if let Some(up) = mesh.and_then(|mesh| mesh.up) {
            let _ = writeln!(out, "up = {}", quoted(up));
        }
        if let Some(part) = &group.part {
            let _ = writeln!(out, "part = {}", quoted(part));
        }
        for k in modes.clone() {
            out += "\n[[body.modes]]\n";
            // A shape refers to its modes, a mesh to its own file.
            if mesh.is_some() {
                let _ = writeln!(out, "file = {}", quoted(file));
            }
            let _ = writeln!(out, "mode = {}", k + 1);
            out += &motion(place, k);
        }
    }
    out
}

fn quoted(text: &str) -> String {
    format::write_value(&Value::from(text))
}

/// Parameters of a mode that follows its wiggle, or the mode of another body by name and index.
fn driven(drive: &Drive, slosh: f64, leader: Option<(&str, usize)>) -> String {
    let number = |number: f64| format::write_value(&Value::from(number));
    let coupling = format!(
        "gain = {}\nlag = {}\nslosh = {}\n",
        number(rounded(complex::abs(drive.coupling), 6)),
        number(rounded(lag_degrees(drive.coupling), 4)),
        number(slosh)
    );
    let curve = match leader {
        None => wiggle(drive),
        Some((name, mode)) => {
            format!("drive = {{ follow = {} }}\n", quoted(&format!("{name}.modes[{mode}].drive")))
        }
    };
    coupling + &curve
}

fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$}").parse().unwrap_or(number)
}

/// `[body.modes.drive]` with its keys.
fn wiggle(drive: &Drive) -> String {
    let mut out = format!("[body.modes.drive]\nhertz = {}\n", drive.hertz);
    let _ = match drive.half_life {
        Some(half) => writeln!(out, "half-life = {half}"),
        None => writeln!(out, "decay = 0"),
    };
    let _ = writeln!(out, "around = {}", drive.around);
    out += if drive.loop_frames.is_some() { "loop = true\n" } else { "start = \"free\"\n" };
    let key = |knot: &DriveKnot| match knot.slope {
        None => format!("[{}, {}]", knot.frame, knot.value),
        Some(slope) => format!(
            "{{ frame = {}, value = {}, slope = {slope}, local = true }}",
            knot.frame, knot.value
        ),
    };
    let mut keys: Vec<String> = drive.knots.iter().map(key).collect();
    if let (Some(round), Some(first)) = (drive.loop_frames, drive.knots.first()) {
        keys.push(format!("[{}, {}]", first.frame + round as i64, first.value));
    }
    out += "wiggle = [\n";
    for line in
        keys.chunks(if drive.knots.iter().any(|k| k.slope.is_some()) { 1 } else { KEYS_PER_LINE })
    {
        let _ = writeln!(out, "    {},", line.join(", "));
    }
    out += "]\n";
    out
}

/// Files of a document whose modes are not on disk yet.
#[derive(Debug)]
struct UnsavedModes {
    /// Path of the modes in the document.
    file: String,
    shelf: MemoryFiles,
    folder: Option<Folder>,
}

impl Files for UnsavedModes {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        match &self.folder {
            Some(folder) if path != self.file => folder.read(path, most),
            _ => self.shelf.read(path, most),
        }
    }
}

/// Limits of documents that are written here, whose size is that of the recording.
pub(crate) fn unlimited() -> Limits {
    Limits {
        samples_per_body: u64::MAX,
        keys_per_channel: u64::MAX,
        bytes_per_asset: u64::MAX,
        bodies: u64::MAX,
        points_per_mesh: u64::MAX,
        file_bytes: u64::MAX,
        ..Limits::DEFAULT
    }
}

/// Distance of the document from the recording.
fn measure(
    set: &ModeSet,
    recording: Option<&Recording>,
    text: &str,
    (file, mesh): (&str, Option<&MeshBody>),
    groups: &[Group],
    progress: Progress<'_>,
) -> Result<Residual, ModesDocumentError> {
    let limits = unlimited();
    let checked = check(text.as_bytes(), &limits);
    let shelf = MemoryFiles::default().with(file, lariat_import::mode_file::write(set));
    let folder = mesh.map(|mesh| mesh.folder.clone());
    let files = UnsavedModes { file: file.to_owned(), shelf, folder };
    let invalid = |diagnostic: String| ModesDocumentError::Invalid(diagnostic);
    let mut errors = checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    if let Some(error) = errors.next() {
        return Err(invalid(error.to_string()));
    }
    let Some(content) = checked.content else {
        return Err(invalid("it cannot be parsed".to_owned()));
    };
    let assets = Assets::load(&content.lowered, &limits, &files);
    if let Some(diagnostic) = assets.diagnostics(&content.lowered, &limits).first() {
        return Err(invalid(diagnostic.to_string()));
    }
    let scene = Scene::bind_with(&content.lowered, &assets);
    let (first, frames) = (set.origin().first, set.frames() as i64);
    let mut advance = |done: f64| progress(Stage::Evaluation, done);
    let frames = first..=first + frames - 1;
    let again =
        Recording::from_footage_with_progress(&scene, set.origin().rate, frames, &mut advance)?;
    let order: Vec<usize> = groups.iter().flat_map(|group| group.members.clone()).collect();
    Ok(compare(set, recording, &again, &order))
}

/// Compares the motion of a document with the recording, or with the motion of the modes; `order`
/// is the part of the set for each part of the document.
fn compare(
    set: &ModeSet,
    recording: Option<&Recording>,
    again: &Recording,
    order: &[usize],
) -> Residual {
    let width = set.mean().len();
    let mut starts = vec![0];
    for part in set.parts() {
        starts.push(starts[starts.len() - 1] + 3 * part.points);
    }
    let (mut tally, mut pose) = (ResidualSum::default(), Vec::new());
    for (at, row) in again.rows().chunks_exact(width).enumerate() {
        let expected = match recording {
            Some(recording) => {
                let frame = (set.origin().first - recording.first()) as usize + at;
                &recording.rows()[frame * width..][..width]
            }
            None => {
                set.pose_into(1.0, &set.recorded(at), &mut pose);
                &pose[..]
            }
        };
        let ours = order.iter().flat_map(|part| starts[*part]..starts[*part + 1]);
        let coordinates: Vec<usize> = ours.collect();
        for (point, here) in coordinates.chunks_exact(3).zip(row.chunks_exact(3)) {
            let (mut off, mut moved) = (0.0, 0.0);
            for (p, x) in point.iter().zip(here) {
                off += (x - expected[*p]) * (x - expected[*p]);
                moved += (expected[*p] - set.mean()[*p]) * (expected[*p] - set.mean()[*p]);
            }
            tally.add(off, moved);
        }
    }
    tally.residual()
}

fn header(
    set: &ModeSet,
    is_recorded: bool,
    keys: usize,
    residual: &Residual,
    options: &Options,
) -> String {
    let modes = count(set.modes().len(), "mode");
    let keys = count(keys, "key");
    let against = if is_recorded { "the recording" } else { "the motion of its modes" };
    let mut out = format!(
        "# Recorded motion: {modes}, driven by wiggles with {keys}.\n\
         # {}.\n\
         # Distance from {against}: {}.\n",
        origin(set),
        distance(residual)
    );
    if options.slosh != 1.0 {
        let _ = writeln!(out, "# (with slosh = {}; 1 is as recorded)", options.slosh);
    }
    out += "#\n\
        # Parameters: `hertz` is the frequency of a mode, `half-life` its decay in seconds, `slosh`\n\
        # its fluidity (0 stiff, 1 as recorded, 2.3 sloshy); keys are in metres of the point that\n\
        # moves farthest.\n";
    out
}

/// `1 mode`, `2 modes`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// One-line description of the recording of modes.
pub fn origin(set: &ModeSet) -> String {
    let origin = set.origin();
    let points: usize = set.parts().iter().map(|part| part.points).sum();
    let last = origin.first + set.frames() as i64 - 1;
    let margin = match origin.margin {
        0 if origin.periodic => ", as a loop".to_owned(),
        0 => String::new(),
        margin => format!("; {} discarded at each end", count(margin, "frame")),
    };
    format!(
        "{} in {}, frames {}–{last} at {} per second{margin}",
        count(points, "point"),
        count(set.parts().len(), "part"),
        origin.first,
        origin.rate,
    )
}

/// RMS and maximum of a residual, in metres and as shares of the motion.
pub fn distance(residual: &Residual) -> String {
    format!(
        "{} RMS ({}), {} maximum ({})",
        metres(residual.rms),
        percent(residual.rms_share),
        metres(residual.worst),
        percent(residual.worst_share)
    )
}

/// Smallest length shown, in metres.
const SMALLEST: f64 = 0.000_001;

/// A length with four significant digits.
pub fn metres(length: f64) -> String {
    if length < SMALLEST {
        return if length == 0.0 { "0 m".to_owned() } else { format!("below {SMALLEST} m") };
    }
    let digits = (3.0 - (ops::ln(length) / LN_10).floor()).clamp(0.0, 9.0) as usize;
    format!("{length:.digits$} m")
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.1 {
        format!("{percent:.3} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// Path of a file relative to a document, with forward slashes.
pub fn relative_path(document: &Path, file: &Path) -> String {
    let folder = |path: &Path| -> Option<PathBuf> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    let name = file.file_name().map(PathBuf::from).unwrap_or_default();
    let path = match (folder(document), folder(file)) {
        (Some(from), Some(to)) => relative(&from, &to).join(name),
        _ => file.to_owned(),
    };
    path.to_string_lossy().replace('\\', "/")
}

/// Path from one folder to another.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let (mut from, mut to) = (from.components().peekable(), to.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.map(|_| Component::ParentDir);
    up.chain(to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_unique() {
        let taken = ["rein".to_owned(), "rein-2".to_owned()];
        assert_eq!(unique_name("rein", &taken), "rein-3");
        assert_eq!(unique_name("World/Char.belly", &taken), "World-Char-belly");
        assert_eq!(unique_name("the \"tail\"", &[]), "the -tail");
        assert_eq!(unique_name("//", &[]), "shape");
    }

    #[test]
    fn relative_paths_start_at_the_document() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(path("/shots/a", "/shots/a"), Path::new(""));
        assert_eq!(path("/shots/a", "/shots/b/modes"), Path::new("../b/modes"));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cache")).unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(relative_path(&at("a.lariat"), &at("a.modes")), "a.modes");
        assert_eq!(relative_path(&at("a.lariat"), &at("cache/a.modes")), "cache/a.modes");
        assert_eq!(relative_path(&at("cache/a.lariat"), &at("a.modes")), "../a.modes");
    }
    #[test]
    fn lengths_have_four_digits() {
        assert_eq!(metres(0.0), "0 m");
        assert_eq!(metres(0.012_345_6), "0.01235 m");
        assert_eq!(metres(12.345_6), "12.35 m");
        assert_eq!(metres(0.000_012_345), "0.00001234 m");
        assert_eq!(metres(1e-30), "below 0.000001 m");
        assert_eq!([0.99, 0.0004].map(percent), ["99.0 %", "0.040 %"]);
    }
}
