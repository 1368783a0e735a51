//! Recorded motion: points of bodies that keep their number, frame after frame.
//!
//! Whatever a motion comes from (a simulation, another program's cache, one of our own takes), it
//! is taken apart in this form: parts one after the other, and of every frame one row with the
//! `x`, `y` and `z` of every point of every part.
//!
//! Tests: `a_take_becomes_rows`, `meshes_are_recorded_beside_strands`,
//! `strands_that_change_are_named`, `a_recording_can_be_stopped`,
//! `points_and_frames_are_within_reach`.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};

use thiserror::Error;

use crate::geometry::{Footage, Look, Mesh, Strand};
use crate::motion::FrameRate;

/// Points that all parts together may have. Three numbers for each are still counted in 32 bits,
/// and no machine holds as many.
const MAX_POINTS: usize = 1_000_000_000;

/// Frames beyond this are out of reach, as they are in documents. Sums of frames stay far from the
/// ends of `i64`.
const FURTHEST: i64 = 1_000_000_000;

/// One strand or one mesh of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Unique within its recording: `body/strand`, or the body's name for a mesh.
    pub name: String,
    /// How many points it has, at every frame.
    pub points: usize,
    /// What the points are joined to.
    pub kind: PartKind,
}

/// What the points of a part are joined to.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// A rope through the points, in their order.
    Strand {
        /// The last point repeats the first.
        closed: bool,
        /// Radius at each point in metres, at the first frame; empty if nobody said.
        radius: Vec<f64>,
        /// Turn of the profile at each point in radians, at the first frame; empty for none.
        twist: Vec<f64>,
        /// What it is made of, if anybody said.
        look: Option<Look>,
    },
    /// A surface.
    Mesh {
        /// Corners of every face.
        counts: Vec<u32>,
        /// Which points are the corners, face after face, from 0.
        corners: Vec<u32>,
    },
}

impl PartKind {
    /// A rope of which nothing is known but its points.
    pub fn plain_strand() -> Self {
        Self::Strand { closed: false, radius: Vec::new(), twist: Vec::new(), look: None }
    }
}

impl Part {
    /// What is wrong with it, if anything.
    fn flaw(&self) -> Option<String> {
        match &self.kind {
            PartKind::Strand { radius, twist, .. } => {
                for (what, row) in [("radii", radius), ("twists", twist)] {
                    if !row.is_empty() && row.len() != self.points {
                        return Some(format!("has {} {what}", row.len()));
                    }
                    if let Some(value) = row.iter().find(|x| !x.is_finite()) {
                        return Some(format!("has {value} among its {what}"));
                    }
                }
                None
            }
            PartKind::Mesh { counts, corners } => {
                let needed: u64 = counts.iter().map(|&count| u64::from(count)).sum();
                if needed != corners.len() as u64 {
                    return Some(format!(
                        "has faces of {needed} corners in all, but names {}",
                        corners.len()
                    ));
                }
                let beyond = corners.iter().find(|&&corner| corner as usize >= self.points);
                beyond.map(|corner| format!("has a face with corner {corner}"))
            }
        }
    }
}

/// Why something is no recording.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RecordingError {
    /// No frames.
    #[error("there are no frames in it: record some")]
    NoFrames,
    /// Nothing in them.
    #[error("there are no points in it: record bodies that have some")]
    NoPoints,
    /// Two parts of the same name.
    #[error("two parts are called `{name}`: give each its own name")]
    SameName {
        /// The name.
        name: String,
    },
    /// More points than can be counted on.
    #[error("the parts up to `{part}` have more than {MAX_POINTS} points: take fewer of them")]
    TooManyPoints {
        /// The part with which there are too many.
        part: String,
    },
    /// A frame too far from frame 0.
    #[error("frame {frame} is out of reach: frames go from -{FURTHEST} to {FURTHEST}")]
    OutOfReach {
        /// The frame.
        frame: i64,
    },
    /// Radii, twists or faces that do not belong to the points.
    #[error("part `{part}` of {points} points {flaw}: they must belong to its points")]
    BadPart {
        /// The part.
        part: String,
        /// Its points.
        points: usize,
        /// What is wrong.
        flaw: String,
    },
    /// A row of the wrong length.
    #[error("the rows hold {given} numbers, but {frames} frames of {points} points are {needed}")]
    WrongLength {
        /// How many there are.
        given: usize,
        /// Frames.
        frames: usize,
        /// Points of all parts.
        points: usize,
        /// How many there should be.
        needed: usize,
    },
    /// NaN or infinity.
    #[error(
        "point {point} of `{part}` is at {value} on axis {axis} at frame {frame}: a recording has \
         only finite numbers"
    )]
    NotFinite {
        /// The part.
        part: String,
        /// The frame.
        frame: i64,
        /// Which of its points, from 0.
        point: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// What is there.
        value: f64,
    },
    /// A part that comes, goes, or changes its number of points.
    #[error(
        "`{part}` has {found} at frame {frame} but {expected} at frame {first}: modes need the \
         same points at every frame, so record other frames or leave it out"
    )]
    Changes {
        /// The part.
        part: String,
        /// The first frame of the recording.
        first: i64,
        /// What it has there: `25 points`, `nothing`.
        expected: String,
        /// The frame where it is different.
        frame: i64,
        /// What it has there.
        found: String,
    },
    /// Whoever watched said stop.
    #[error("the recording was stopped")]
    Stopped,
}

/// Bodies over frames. All rows are equally long and finite, which is why the fields are private.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    rate: FrameRate,
    first: i64,
    parts: Vec<Part>,
    rows: Vec<f64>,
    width: usize,
}

impl Recording {
    /// Of its parts and rows: for every frame from `first` on `x`, `y`, `z` of every point of every
    /// part, in order.
    pub fn new(
        rate: FrameRate,
        first: i64,
        parts: Vec<Part>,
        frames: usize,
        rows: Vec<f64>,
    ) -> Result<Self, RecordingError> {
        let points = check_parts(&parts)?;
        within_reach(first)?;
        if frames == 0 {
            return Err(RecordingError::NoFrames);
        }
        let needed = frames.saturating_mul(points).saturating_mul(3);
        if rows.len() != needed {
            return Err(RecordingError::WrongLength { given: rows.len(), frames, points, needed });
        }
        let recording = Self { rate, first, parts, rows, width: 3 * points };
        within_reach(recording.last())?;
        if let Some(at) = recording.rows.iter().position(|x| !x.is_finite()) {
            let (part, point, axis) = recording.place(at % recording.width);
            return Err(RecordingError::NotFinite {
                part,
                frame: first + (at / recording.width) as i64,
                point,
                axis,
                value: recording.rows[at],
            });
        }
        Ok(recording)
    }

    /// Records a footage at whole frames: a part is `body/strand`, or `body` for a mesh.
    pub fn from_footage(
        footage: &dyn Footage,
        rate: FrameRate,
        frames: RangeInclusive<i64>,
    ) -> Result<Self, RecordingError> {
        Self::from_footage_with_progress(footage, rate, frames, &mut |_| ControlFlow::Continue(()))
    }

    /// The same for what takes long: `watch` is told how far the work is, from 0 to 1, and may
    /// stop it.
    pub fn from_footage_with_progress(
        footage: &dyn Footage,
        rate: FrameRate,
        frames: RangeInclusive<i64>,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Self, RecordingError> {
        let (first, last) = (*frames.start(), *frames.end());
        let all = (last - first + 1).max(1) as f64;
        let mut parts: Vec<Part> = Vec::new();
        let mut rows = Vec::new();
        let (mut strands, mut mesh) = (Vec::new(), None);
        let mut count = 0;
        for frame in frames {
            if watch(count as f64 / all).is_break() {
                return Err(RecordingError::Stopped);
            }
            let mut at = 0;
            let changes = |(part, expected, found): (String, String, String)| {
                RecordingError::Changes { part, first, expected, frame, found }
            };
            let mut take = |part: &dyn Fn() -> Part, name: String, points: &[glam::DVec3]| {
                if frame == first {
                    parts.push(part());
                } else if let Some(change) = change(parts.get(at), &name, points.len()) {
                    return Err(changes(change));
                }
                at += 1;
                rows.extend(points.iter().flat_map(glam::DVec3::to_array));
                Ok(())
            };
            for body in 0..footage.body_count() {
                let name = footage.body_name(body);
                footage.strands(body, frame as f64, &mut strands);
                for strand in &strands {
                    let name = format!("{name}/{}", strand.name);
                    take(&|| of_strand(&name, strand), name.clone(), strand.points())?;
                }
                footage.mesh(body, frame as f64, &mut mesh);
                if let Some(mesh) = &mesh {
                    take(&|| of_mesh(name, mesh), name.to_owned(), mesh.points())?;
                }
            }
            if let Some(gone) = parts.get(at) {
                let expected = format!("{} points", gone.points);
                return Err(changes((gone.name.clone(), expected, "nothing".to_owned())));
            }
            count += 1;
        }
        if count == 0 {
            return Err(RecordingError::NoFrames);
        }
        Self::new(rate, first, parts, count, rows)
    }

    /// How fast the frames pass.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// The first frame.
    pub fn first(&self) -> i64 {
        self.first
    }

    /// The last frame.
    pub fn last(&self) -> i64 {
        self.first + self.frames() as i64 - 1
    }

    /// How many frames there are, at least one.
    pub fn frames(&self) -> usize {
        self.rows.len() / self.width
    }

    /// The parts, in the order of the rows.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many numbers a row has: three for every point.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All rows, one after the other.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// The part, point and axis that a number of a row belongs to.
    pub(super) fn place(&self, coordinate: usize) -> (String, usize, char) {
        let axis = ['x', 'y', 'z'][coordinate % 3];
        let mut point = coordinate / 3;
        for part in &self.parts {
            if point < part.points {
                return (part.name.clone(), point, axis);
            }
            point -= part.points;
        }
        (String::new(), point, axis)
    }
}

/// Points of all parts, if the parts are in order.
pub(super) fn check_parts(parts: &[Part]) -> Result<usize, RecordingError> {
    let mut names = BTreeSet::new();
    let mut points = 0_usize;
    for part in parts {
        if let Some(flaw) = part.flaw() {
            let (part, points) = (part.name.clone(), part.points);
            return Err(RecordingError::BadPart { part, points, flaw });
        }
        if !names.insert(part.name.as_str()) {
            return Err(RecordingError::SameName { name: part.name.clone() });
        }
        let sum = points.checked_add(part.points).filter(|sum| *sum <= MAX_POINTS);
        points = sum.ok_or_else(|| RecordingError::TooManyPoints { part: part.name.clone() })?;
    }
    if points == 0 { Err(RecordingError::NoPoints) } else { Ok(points) }
}

/// Whether there can be such a frame.
pub(super) fn within_reach(frame: i64) -> Result<(), RecordingError> {
    if (-FURTHEST..=FURTHEST).contains(&frame) {
        return Ok(());
    }
    Err(RecordingError::OutOfReach { frame })
}

fn of_strand(name: &str, strand: &Strand) -> Part {
    let twisted = strand.twist().iter().any(|&twist| twist != 0.0);
    let kind = PartKind::Strand {
        closed: strand.closed,
        radius: strand.radius().to_vec(),
        twist: if twisted { strand.twist().to_vec() } else { Vec::new() },
        look: Some(strand.look.clone()),
    };
    Part { name: name.to_owned(), points: strand.points().len(), kind }
}

fn of_mesh(name: &str, mesh: &Mesh) -> Part {
    let shape = mesh.shape();
    let kind =
        PartKind::Mesh { counts: shape.counts().to_vec(), corners: shape.corners().to_vec() };
    Part { name: name.to_owned(), points: mesh.points().len(), kind }
}

/// What is different about a part: its name, what was expected, what was found.
fn change(expected: Option<&Part>, name: &str, points: usize) -> Option<(String, String, String)> {
    let found = format!("{points} points");
    match expected {
        Some(part) if part.name == name && part.points == points => None,
        Some(part) if part.name == name => {
            Some((name.to_owned(), format!("{} points", part.points), found))
        }
        // Another part stands where it was, or one more has come: this one was not there.
        _ => Some((name.to_owned(), "nothing in this place".to_owned(), found)),
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::geometry::{MeshTopology, RecordedFootage, Sweep};

    fn strand(name: &str, points: &[DVec3]) -> Strand {
        let mut strand =
            Strand::empty(name, Look { name: "rope".into(), colour: [0.5, 0.25, 0.125] });
        strand.sweep(points, &Sweep::round(DVec3::Z, 0.02));
        strand
    }

    fn take(frames: Vec<Vec<Strand>>) -> RecordedFootage {
        RecordedFootage {
            first: 10,
            bodies: vec![("rein".to_owned(), frames)],
            ..RecordedFootage::default()
        }
    }

    #[test]
    fn meshes_are_recorded_beside_strands() {
        let corners = |t: f64| vec![DVec3::X, DVec3::Y, DVec3::Z * t, DVec3::ONE];
        let mesh = |t: f64| {
            let shape = MeshTopology::new(&corners(t), vec![4], vec![0, 1, 2, 3]).unwrap();
            let look = Look { name: "plain".into(), colour: [0.5; 3] };
            Mesh::new("mesh", shape, corners(t), look).unwrap()
        };
        let line = [DVec3::ZERO, DVec3::X];
        let mut take = take(vec![vec![strand("rope", &line)], vec![strand("rope", &line)]]);
        take.bodies.push(("belly".to_owned(), Vec::new()));
        take.meshes = vec![Vec::new(), vec![Some(mesh(1.0)), Some(mesh(2.0))]];
        let recording = Recording::from_footage(&take, FrameRate::FILM, 10..=11).unwrap();
        let names: Vec<_> =
            recording.parts().iter().map(|part| (part.name.as_str(), part.points)).collect();
        assert_eq!(names, [("rein/rope", 2), ("belly", 4)]);
        let faces = PartKind::Mesh { counts: vec![4], corners: vec![0, 1, 2, 3] };
        assert_eq!(recording.parts()[1].kind, faces);
        assert_eq!(recording.rows()[18 + 6..][6..9], [0.0, 0.0, 2.0]);
        take.meshes[1][1] = None;
        let gone =
            Recording::from_footage(&take, FrameRate::FILM, 10..=11).unwrap_err().to_string();
        assert!(gone.starts_with("`belly` has nothing at frame 11 but 4 points"), "{gone}");
    }

    #[test]
    fn a_recording_can_be_stopped() {
        let line = [DVec3::ZERO, DVec3::X];
        let take = take(vec![vec![strand("rope", &line)]]);
        let mut seen = Vec::new();
        let mut watch = |done: f64| {
            seen.push(done);
            if done < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let stopped =
            Recording::from_footage_with_progress(&take, FrameRate::FILM, 10..=13, &mut watch)
                .unwrap_err();
        assert_eq!(stopped, RecordingError::Stopped);
        assert_eq!(seen, [0.0, 0.25, 0.5]);
    }

    #[test]
    fn a_take_becomes_rows() {
        let at = |t: f64| [DVec3::X * t, DVec3::new(t, 1.0, 2.0)];
        let frames = (0..3).map(|t| vec![strand("rope", &at(f64::from(t)))]).collect();
        let recording = Recording::from_footage(&take(frames), FrameRate::FILM, 10..=12).unwrap();
        assert_eq!((recording.first(), recording.last(), recording.frames()), (10, 12, 3));
        assert_eq!(recording.width(), 6);
        assert_eq!(&recording.rows()[6..12], [1.0, 0.0, 0.0, 1.0, 1.0, 2.0]);
        let part = &recording.parts()[0];
        assert_eq!((part.name.as_str(), part.points), ("rein/rope", 2));
        let PartKind::Strand { closed, radius, twist, look } = &part.kind else {
            panic!("a strand became {:?}", part.kind);
        };
        assert_eq!(
            (*closed, radius.as_slice(), twist.as_slice()),
            (false, &[0.02; 2][..], &[][..])
        );
        assert_eq!(look.as_ref().unwrap().colour, [0.5, 0.25, 0.125]);
    }

    #[test]
    fn strands_that_change_are_named() {
        let (two, three) = ([DVec3::ZERO, DVec3::X], [DVec3::ZERO, DVec3::X, DVec3::Y]);
        let complaint = |frames: Vec<Vec<Strand>>| {
            let last = 9 + frames.len() as i64;
            let take = take(frames);
            Recording::from_footage(&take, FrameRate::FILM, 10..=last).unwrap_err().to_string()
        };
        assert_eq!(
            complaint(vec![vec![strand("rope", &two)], vec![strand("rope", &three)]]),
            "`rein/rope` has 3 points at frame 11 but 2 points at frame 10: modes need the same \
             points at every frame, so record other frames or leave it out"
        );
        assert!(
            complaint(vec![vec![strand("rope", &two)], vec![]])
                .starts_with("`rein/rope` has nothing at frame 11 but 2 points at frame 10")
        );
        assert!(
            complaint(vec![vec![], vec![strand("rope", &two)]])
                .starts_with("`rein/rope` has 2 points at frame 11 but nothing in this place")
        );
        assert!(complaint(vec![]).contains("no frames"));
        assert!(complaint(vec![vec![]]).contains("no points"));
    }

    #[test]
    fn what_is_not_finite_is_found() {
        let broken = [DVec3::ZERO, DVec3::new(0.0, 0.0, f64::NAN)];
        let error = Recording::from_footage(
            &take(vec![vec![strand("rope", &broken)]]),
            FrameRate::FILM,
            10..=10,
        );
        assert_eq!(
            error.unwrap_err().to_string(),
            "point 1 of `rein/rope` is at NaN on axis z at frame 10: a recording has only finite \
             numbers"
        );
    }

    #[test]
    fn points_and_frames_are_within_reach() {
        let part = |name: &str, points: usize| Part {
            name: name.to_owned(),
            points,
            kind: PartKind::plain_strand(),
        };
        // Together they would be 2 points, if they were counted round.
        let half = usize::MAX / 2 + 2;
        assert_eq!(
            check_parts(&[part("a", half), part("b", half)]).unwrap_err().to_string(),
            "the parts up to `a` have more than 1000000000 points: take fewer of them"
        );
        assert_eq!(
            check_parts(&[part("a", 500_000_000), part("b", 500_000_001)]),
            Err(RecordingError::TooManyPoints { part: "b".to_owned() })
        );
        let last = |first: i64, frames: usize| {
            let rows = vec![0.0; 3 * frames];
            Recording::new(FrameRate::FILM, first, vec![part("a", 1)], frames, rows)
                .map(|recording| recording.last())
        };
        assert_eq!(last(FURTHEST, 1), Ok(FURTHEST));
        for frame in [i64::MAX, i64::MIN, FURTHEST + 1] {
            assert_eq!(last(frame, 1), Err(RecordingError::OutOfReach { frame }));
        }
        let beyond = RecordingError::OutOfReach { frame: FURTHEST + 2 };
        assert_eq!(last(FURTHEST, 3), Err(beyond));
    }

    #[test]
    fn parts_must_fit_their_points() {
        let part = |name: &str, kind: PartKind| Part { name: name.to_owned(), points: 3, kind };
        let new = |parts: Vec<Part>, numbers: usize| {
            Recording::new(FrameRate::FILM, 1, parts, 1, vec![0.0; numbers])
                .unwrap_err()
                .to_string()
        };
        let mesh = |counts: &[u32], corners: &[u32]| PartKind::Mesh {
            counts: counts.to_vec(),
            corners: corners.to_vec(),
        };
        assert_eq!(
            new(vec![part("a", mesh(&[3], &[0, 1, 3]))], 9),
            "part `a` of 3 points has a face with corner 3: they must belong to its points"
        );
        assert!(new(vec![part("a", mesh(&[4], &[0, 1, 2]))], 9).contains("4 corners in all"));
        let short =
            PartKind::Strand { closed: false, radius: vec![0.1], twist: vec![], look: None };
        assert!(new(vec![part("a", short)], 9).contains("has 1 radii"));
        let plain = || part("a", PartKind::plain_strand());
        assert!(new(vec![plain(), plain()], 18).contains("two parts are called `a`"));
        assert!(new(vec![plain()], 8).contains("8 numbers"));
    }
}
