//! A document whose wiggles drive modes, so that a recording can be keyed.
//!
//! For every mode few keys are found that make a spring of its hertz and half-life move as it was
//! recorded (`lariat_core::modes::drive`). Every recorded body becomes a `shape`; the first is
//! driven by the wiggles, and the others follow it. Or all points are those of one mesh (`mesh.rs`).
//!
//! How far the result is from the recording is measured on the document itself: its text is
//! checked, bound and evaluated like any other.
//!
//! Tests: `names_are_plain_and_each_is_its_own`, `a_file_is_seen_from_the_document`.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use lariat::Folder;
use lariat_core::modes::{
    Drive, DriveKnot, DriveOptions, ModeSet, PartKind, Recording, Residual, ResidualSum, drive,
    lag_degrees,
};
use lariat_core::num::complex;
use lariat_eval::{Assets, FileError, Files, MemoryFiles, Scene};
use lariat_scene::{Limits, Value, check::check, format};

use super::mesh::Dress;
use super::table;
use super::watch::Watch;
use crate::{exit::Failure, words};

/// Keys in a line of the document.
const IN_A_LINE: usize = 6;

/// What is asked of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    /// How far all curves together may be from the courses, as a share of the motion.
    pub(crate) tolerance: f64,
    /// Keys that each curve may have.
    pub(crate) most_keys: usize,
    /// How fluid it is to look.
    pub(crate) slosh: f64,
}

/// A document, and how good it is.
pub(crate) struct Made {
    pub(crate) text: String,
    /// Keys of all curves.
    pub(crate) keys: usize,
    /// How far it is from the recording; or, if that is not there, from what the modes make.
    pub(crate) left: Residual,
}

/// Makes the document of a set of modes that are in the file `file`, as seen from the document.
pub(crate) fn make(
    set: &ModeSet,
    recording: Option<&Recording>,
    file: &str,
    dress: Option<&Dress>,
    wishes: &Wishes,
    watch: &Watch,
) -> Result<Made, Failure> {
    let drives = drives(set, wishes, watch)?;
    let keys = drives.iter().map(|drive| drive.knots.len()).sum();
    let groups = match dress {
        Some(dress) => vec![Group::dressed(set, dress)],
        None => groups(set),
    };
    let body = written(set, &drives, &groups, (file, dress), wishes);
    let left = measure(set, recording, &body, (file, dress), &groups, watch)?;
    let text = format!("{}{body}", header(set, recording.is_some(), keys, &left, wishes));
    Ok(Made { text, keys, left })
}

/// The curve of every mode.
fn drives(set: &ModeSet, wishes: &Wishes, watch: &Watch) -> Result<Vec<Drive>, Failure> {
    let modes = set.modes();
    // What all modes that the motion has would weigh, from the share of the first.
    let whole = modes.first().map_or(0.0, |mode| mode.sigma / mode.share.max(1e-12).sqrt());
    let each = wishes.tolerance * whole / (modes.len().max(1) as f64).sqrt();
    let found = watch.over("diagnostic keys", |advance| {
        let mut found = Vec::with_capacity(modes.len());
        for (k, mode) in modes.iter().enumerate() {
            // In metres of the point that moves farthest, as documents have it.
            let scale = mode.max_displacement();
            let course: Vec<_> = mode.coefficients.iter().map(|c| c * scale).collect();
            let options = DriveOptions { error: each * scale, max_knots: wishes.most_keys };
            let mut go_on = || -> ControlFlow<()> { advance(k as f64 / modes.len() as f64) };
            found.push(drive(&course, mode.pole, set.origin(), &options, &mut go_on)?);
        }
        Ok(found)
    });
    found.map_err(|error: lariat_core::modes::DriveError| watch.failed(&error))
}

/// A body of the document: its name, what it takes of the file, and which parts these are.
struct Group {
    name: String,
    part: Option<String>,
    members: Vec<usize>,
}

impl Group {
    /// All points, as those of one mesh.
    fn dressed(set: &ModeSet, dress: &Dress) -> Self {
        let members = (0..set.parts().len()).collect();
        Self { name: own_name(&dress.name, &[]), part: None, members }
    }
}

/// Recorded bodies: the strands of one together, every mesh by itself.
fn groups(set: &ModeSet) -> Vec<Group> {
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
    // Where a beginning would take in what belongs elsewhere, every part is a body.
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
    let mut taken: Vec<String> = Vec::new();
    for group in &mut groups {
        group.name = own_name(group.part.as_deref().unwrap_or_default(), &taken);
        taken.push(group.name.clone());
    }
    if let [only] = &mut groups[..] {
        only.part = None;
    }
    groups
}

/// A name that an address in a document can say, and nobody else has.
fn own_name(name: &str, taken: &[String]) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ') { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = match name.trim_matches(['-', ' ']) {
        "" => "shape".to_owned(),
        name => name.to_owned(),
    };
    let numbered = |n: usize| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    (1..=taken.len() + 1).map(numbered).find(|name| !taken.contains(name)).unwrap_or(name)
}

/// Everything but the remarks at the top.
fn written(
    set: &ModeSet,
    drives: &[Drive],
    groups: &[Group],
    (file, dress): (&str, Option<&Dress>),
    wishes: &Wishes,
) -> String {
    let origin = set.origin();
    let text = |text: &str| format::write_value(&Value::Text(text.to_owned()));
    let number = |number: f64| format::write_value(&Value::from(number));
    let rate = match origin.rate.denominator() {
        1 => origin.rate.to_string(),
        _ => text(&origin.rate.to_string()),
    };
    let last = origin.first + set.frames() as i64 - 1;
    let mut out =
        format!("lariat = 1\n\n[shot]\nfps = {rate}\nframes = [{}, {last}]\n", origin.first);
    for (place, group) in groups.iter().enumerate() {
        let (model, body_file) = dress.map_or(("shape", file), |dress| ("mesh", &dress.file));
        let _ = write!(
            out,
            "\n[[body]]\nname = {}\nmodel = {}\nfile = {}\n",
            text(&group.name),
            text(model),
            text(body_file)
        );
        if let Some(up) = dress.and_then(|dress| dress.up) {
            let _ = writeln!(out, "up = {}", text(up));
        }
        if let Some(part) = &group.part {
            let _ = writeln!(out, "part = {}", text(part));
        }
        for (k, drive) in drives.iter().enumerate() {
            out += "\n[[body.modes]]\n";
            // A shape has the file of its modes, a mesh its own.
            if dress.is_some() {
                let _ = writeln!(out, "file = {}", text(file));
            }
            let _ = write!(
                out,
                "mode = {}\ngain = {}\nlag = {}\nslosh = {}\n",
                k + 1,
                number(rounded(complex::abs(drive.coupling), 6)),
                number(rounded(lag_degrees(drive.coupling), 4)),
                number(wishes.slosh)
            );
            if place == 0 {
                out += &wiggle(drive);
            } else {
                let leader = format!("{}.modes[{k}].drive", groups[0].name);
                let _ = writeln!(out, "drive = {{ follow = {} }}", text(&leader));
            }
        }
    }
    out
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
        keys.chunks(if drive.knots.iter().any(|k| k.slope.is_some()) { 1 } else { IN_A_LINE })
    {
        let _ = writeln!(out, "    {},", line.join(", "));
    }
    out += "]\n";
    out
}

/// The files of a document whose modes are not on disk yet.
#[derive(Debug)]
struct Unwritten {
    /// What the document calls its modes.
    file: String,
    shelf: MemoryFiles,
    folder: Option<Folder>,
}

impl Files for Unwritten {
    fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        match &self.folder {
            Some(folder) if path != self.file => folder.read(path, most),
            _ => self.shelf.read(path, most),
        }
    }
}

/// How far the document is from the recording, frame by frame, point by point.
fn measure(
    set: &ModeSet,
    recording: Option<&Recording>,
    text: &str,
    (file, dress): (&str, Option<&Dress>),
    groups: &[Group],
    watch: &Watch,
) -> Result<Residual, Failure> {
    let limits =
        Limits { samples_per_body: u64::MAX, keys_per_channel: u64::MAX, ..Limits::DEFAULT };
    let limits = Limits { bytes_per_asset: u64::MAX, bodies: u64::MAX, ..limits };
    let limits = Limits { points_per_mesh: u64::MAX, ..limits };
    let checked = check(text.as_bytes(), &limits);
    let shelf = MemoryFiles::default().with(file, lariat_import::mode_file::write(set));
    let folder = dress.map(|dress| dress.folder.clone());
    let files = Unwritten { file: file.to_owned(), shelf, folder };
    let wrong = |diagnostic: &dyn std::fmt::Display| {
        Failure::new(format!("the document that came of it does not check: {diagnostic}"))
    };
    let mut errors = checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    if let Some(error) = errors.next() {
        return Err(wrong(error));
    }
    let Some(content) = checked.content else { return Err(wrong(&"it cannot be read")) };
    let assets = Assets::load(&content.lowered, &limits, &files);
    if let Some(diagnostic) = assets.diagnostics(&content.lowered, &limits).first() {
        return Err(wrong(diagnostic));
    }
    let scene = Scene::bind_with(&content.lowered, &assets);
    let (first, frames) = (set.origin().first, set.frames() as i64);
    let again = watch.over("trying it", |advance| {
        let frames = first..=first + frames - 1;
        Recording::from_footage_with_progress(&scene, set.origin().rate, frames, advance)
    });
    let again = again.map_err(|error| watch.failed(&error))?;
    let order: Vec<usize> = groups.iter().flat_map(|group| group.members.clone()).collect();
    Ok(compare(set, recording, &again, &order))
}

/// Compares what a document makes with what was recorded, or else with what the modes make;
/// `order` says which part of the set each part of the document is.
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
    left: &Residual,
    wishes: &Wishes,
) -> String {
    let modes = words::count(set.modes().len() as u64, "mode");
    let keys = words::count(keys as u64, "key");
    let against = if is_recorded { "the recording" } else { "what its modes make" };
    let mut out = format!(
        "# A recorded motion: {modes} driven by wiggles with {keys} in all.\n\
         # {}.\n\
         # This document is {} from {against}.\n",
        table::origin(set),
        table::distance(left)
    );
    if wishes.slosh != 1.0 {
        let _ = writeln!(out, "# (with slosh = {}; 1 is as recorded)", wishes.slosh);
    }
    out += "#\n\
        # To change by hand: `hertz` is how fast a mode swings, `half-life` how many seconds it\n\
        # rings, `slosh` how fluid it looks (0 stiff, 1 as recorded, 2.3 sloshy); the keys are in\n\
        # metres of the point that moves farthest.\n";
    out
}

/// A file as seen from the folder of a document.
pub(crate) fn seen_from(document: &Path, file: &Path) -> String {
    let folder = |path: &Path| -> Option<PathBuf> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.unwrap_or(Path::new(".")).canonicalize().ok()
    };
    let name = file.file_name().map(PathBuf::from).unwrap_or_default();
    let path = match (folder(document), folder(file)) {
        (Some(from), Some(to)) => relative(&from, &to).join(name),
        _ => file.to_owned(),
    };
    // Documents are read on every system.
    path.to_string_lossy().replace('\\', "/")
}

/// The way from one folder to another.
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
    fn names_are_plain_and_each_is_its_own() {
        let taken = ["rein".to_owned(), "rein-2".to_owned()];
        assert_eq!(own_name("rein", &taken), "rein-3");
        assert_eq!(own_name("World/Char.belly", &taken), "World-Char-belly");
        assert_eq!(own_name("the \"tail\"", &[]), "the -tail");
        assert_eq!(own_name("//", &[]), "shape");
    }

    #[test]
    fn a_file_is_seen_from_the_document() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(way("/shots/a", "/shots/a"), Path::new(""));
        assert_eq!(way("/shots/a", "/shots/b/modes"), Path::new("../b/modes"));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cache")).unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(seen_from(&at("a.lariat"), &at("a.modes")), "a.modes");
        assert_eq!(seen_from(&at("a.lariat"), &at("cache/a.modes")), "cache/a.modes");
        assert_eq!(seen_from(&at("cache/a.lariat"), &at("a.modes")), "../a.modes");
    }
}
