//! Recorded motion: bodies with a constant number of points over a range of frames.
//!
//! The common form of every motion that is analysed (a simulation, a cache of another program, one
//! of our takes): a list of parts, and per frame one row with `x`, `y` and `z` of every point of
//! every part.
//!
//! Tests: `a_take_becomes_rows`, `meshes_are_recorded_beside_strands`,
//! `strands_that_change_are_named`, `a_recording_can_be_stopped`,
//! `point_and_frame_numbers_are_limited`.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};

use thiserror::Error;

use crate::geometry::{Footage, Look, Mesh, Strand};
use crate::motion::FrameRate;
use crate::num::{MAX_VALUE, is_in_range};

/// Limit on the points of all parts together: more than any machine holds, and three coordinates
/// for each still fit a 32-bit count.
const MAX_POINTS: usize = 1_000_000_000;

/// Limit on frame numbers, as in documents. Sums of frames stay far from the ends of `i64`.
const MAX_FRAME: i64 = 1_000_000_000;

/// One strand or one mesh of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name, unique within the recording: `body/strand`, or `body` for a mesh.
    pub name: String,
    /// Number of points, the same at every frame.
    pub points: usize,
    /// Curve or surface through the points.
    pub kind: PartKind,
}

/// Curve or surface through the points of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum PartKind {
    /// A rope through the points, in their order.
    Strand {
        /// Whether the last point repeats the first.
        closed: bool,
        /// Radius at each point in metres, at the first frame; empty if unknown.
        radius: Vec<f64>,
        /// Twist of the profile at each point in radians, at the first frame; empty for none.
        twist: Vec<f64>,
        /// Appearance, if known.
        look: Option<Look>,
    },
    /// A surface.
    Mesh {
        /// Number of corners of every face.
        counts: Vec<u32>,
        /// Point indices of the corners, face after face.
        corners: Vec<u32>,
    },
}

impl PartKind {
    /// An open strand without radius, twist or look.
    pub fn plain_strand() -> Self {
        Self::Strand { closed: false, radius: Vec::new(), twist: Vec::new(), look: None }
    }
}

impl Part {
    /// Description of the first inconsistency, for a [`RecordingError`].
    fn flaw(&self) -> Option<String> {
        match &self.kind {
            PartKind::Strand { radius, twist, .. } => {
                for (what, row) in [("radii", radius), ("twists", twist)] {
                    if !row.is_empty() && row.len() != self.points {
                        return Some(format!("has {} {what}", row.len()));
                    }
                    if let Some(value) = row.iter().find(|x| !is_in_range(**x)) {
                        return Some(format!("has {value} among its {what}"));
                    }
                }
                None
            }
            PartKind::Mesh { counts, corners } => {
                let needed: u64 = counts.iter().map(|&count| u64::from(count)).sum();
                if needed != corners.len() as u64 {
                    return Some(format!(
                        "has faces with {needed} corners in all, but lists {}",
                        corners.len()
                    ));
                }
                let beyond = corners.iter().find(|&&corner| corner as usize >= self.points);
                beyond.map(|corner| format!("has a face with corner {corner}"))
            }
        }
    }
}

/// Error of [`Recording::new`] and [`Recording::from_footage`].
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RecordingError {
    /// No frames.
    #[error("the recording has no frames")]
    NoFrames,
    /// No points.
    #[error("the recording has no points; record at least one body")]
    NoPoints,
    /// Two parts with the same name.
    #[error("duplicate part name `{name}`; part names must be unique")]
    SameName {
        /// The name.
        name: String,
    },
    /// Too many points.
    #[error("the parts up to `{part}` have more than {MAX_POINTS} points; select fewer parts")]
    TooManyPoints {
        /// Part that exceeds the limit.
        part: String,
    },
    /// A frame number beyond the limit.
    #[error("frame {frame} is out of range; frames go from -{MAX_FRAME} to {MAX_FRAME}")]
    OutOfReach {
        /// The frame.
        frame: i64,
    },
    /// Radii, twists or faces that do not match the points.
    #[error("part `{part}` of {points} points {flaw}")]
    BadPart {
        /// The part.
        part: String,
        /// Number of its points.
        points: usize,
        /// Description of the mismatch.
        flaw: String,
    },
    /// Rows of the wrong length.
    #[error("the rows have {given} numbers; {frames} frames of {points} points need {needed}")]
    WrongLength {
        /// Length of all rows together.
        given: usize,
        /// Number of frames.
        frames: usize,
        /// Points of all parts.
        points: usize,
        /// Expected length.
        needed: usize,
    },
    /// NaN, infinity, or a number beyond [`MAX_VALUE`].
    #[error(
        "point {point} of `{part}` is at {value:e} on axis {axis} at frame {frame}; \
         expected a finite number up to {MAX_VALUE:e}"
    )]
    OutOfRange {
        /// The part.
        part: String,
        /// The frame.
        frame: i64,
        /// Index of the point in the part.
        point: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// The value found.
        value: f64,
    },
    /// A part that appears, disappears, or changes its number of points.
    #[error(
        "`{part}` has {found} at frame {frame} but {expected} at frame {first}; modes need the \
         same points at every frame: select other frames, or leave the part out"
    )]
    Changes {
        /// The part.
        part: String,
        /// The first frame of the recording.
        first: i64,
        /// Its content at the first frame: `25 points`, `nothing`.
        expected: String,
        /// First frame that differs.
        frame: i64,
        /// Its content at that frame.
        found: String,
    },
    /// The progress callback asked to stop.
    #[error("the recording was stopped")]
    Stopped,
}

/// Positions of parts over frames. Fields are private because rows are equally long and finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    rate: FrameRate,
    first: i64,
    parts: Vec<Part>,
    rows: Vec<f64>,
    width: usize,
}

impl Recording {
    /// Checks and stores a recording. `rows` has, for every frame from `first` on, `x`, `y`, `z` of
    /// every point of every part in order.
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
        if let Some(at) = recording.rows.iter().position(|x| !is_in_range(*x)) {
            let (part, point, axis) = recording.place(at % recording.width);
            return Err(RecordingError::OutOfRange {
                part,
                frame: first + (at / recording.width) as i64,
                point,
                axis,
                value: recording.rows[at],
            });
        }
        Ok(recording)
    }

    /// Records footage at whole frames. Parts are named `body/strand`, or `body` for a mesh.
    pub fn from_footage(
        footage: &dyn Footage,
        rate: FrameRate,
        frames: RangeInclusive<i64>,
    ) -> Result<Self, RecordingError> {
        Self::from_footage_with_progress(footage, rate, frames, &mut |_| ControlFlow::Continue(()))
    }

    /// As [`from_footage`](Self::from_footage); `watch` receives the progress from 0 to 1 and may
    /// stop the work.
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

    /// Frame rate.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// First frame.
    pub fn first(&self) -> i64 {
        self.first
    }

    /// Last frame.
    pub fn last(&self) -> i64 {
        self.first + self.frames() as i64 - 1
    }

    /// Number of frames, at least one.
    pub fn frames(&self) -> usize {
        self.rows.len() / self.width
    }

    /// Parts, in the order of their columns.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Numbers per row: three per point.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All rows, concatenated.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Part, point and axis of a column.
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

/// Checks the parts and returns the number of their points.
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

/// Checks that a frame number is within the limit.
pub(super) fn within_reach(frame: i64) -> Result<(), RecordingError> {
    if (-MAX_FRAME..=MAX_FRAME).contains(&frame) {
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

/// Change of a part from the first frame: its name, its content there, its content now.
fn change(expected: Option<&Part>, name: &str, points: usize) -> Option<(String, String, String)> {
    let found = format!("{points} points");
    match expected {
        Some(part) if part.name == name && part.points == points => None,
        Some(part) if part.name == name => {
            Some((name.to_owned(), format!("{} points", part.points), found))
        }
        // Another part is at this index, or the part is new.
        _ => Some((name.to_owned(), "nothing".to_owned(), found)),
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
        let error_of = |frames: Vec<Vec<Strand>>| {
            let last = 9 + frames.len() as i64;
            let take = take(frames);
            Recording::from_footage(&take, FrameRate::FILM, 10..=last).unwrap_err().to_string()
        };
        assert_eq!(
            error_of(vec![vec![strand("rope", &two)], vec![strand("rope", &three)]]),
            "`rein/rope` has 3 points at frame 11 but 2 points at frame 10; modes need the same \
             points at every frame: select other frames, or leave the part out"
        );
        assert!(
            error_of(vec![vec![strand("rope", &two)], vec![]])
                .starts_with("`rein/rope` has nothing at frame 11 but 2 points at frame 10")
        );
        assert!(
            error_of(vec![vec![], vec![strand("rope", &two)]])
                .starts_with("`rein/rope` has 2 points at frame 11 but nothing at frame 10")
        );
        assert!(error_of(vec![]).contains("no frames"));
        assert!(error_of(vec![vec![]]).contains("no points"));
    }

    #[test]
    fn a_value_out_of_range_is_located() {
        for value in [f64::NAN, -1e200] {
            let broken = [DVec3::ZERO, DVec3::new(0.0, 0.0, value)];
            let error = Recording::from_footage(
                &take(vec![vec![strand("rope", &broken)]]),
                FrameRate::FILM,
                10..=10,
            );
            assert_eq!(
                error.unwrap_err().to_string(),
                format!(
                    "point 1 of `rein/rope` is at {value:e} on axis z at frame 10; expected a finite \
                     number up to 1e100"
                )
            );
        }
    }

    #[test]
    fn point_and_frame_numbers_are_limited() {
        let part = |name: &str, points: usize| Part {
            name: name.to_owned(),
            points,
            kind: PartKind::plain_strand(),
        };
        // A sum that wraps around would be 2 points.
        let half = usize::MAX / 2 + 2;
        assert_eq!(
            check_parts(&[part("a", half), part("b", half)]).unwrap_err().to_string(),
            "the parts up to `a` have more than 1000000000 points; select fewer parts"
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
        assert_eq!(last(MAX_FRAME, 1), Ok(MAX_FRAME));
        for frame in [i64::MAX, i64::MIN, MAX_FRAME + 1] {
            assert_eq!(last(frame, 1), Err(RecordingError::OutOfReach { frame }));
        }
        let beyond = RecordingError::OutOfReach { frame: MAX_FRAME + 2 };
        assert_eq!(last(MAX_FRAME, 3), Err(beyond));
    }

    #[test]
    fn parts_must_match_their_points() {
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
            "part `a` of 3 points has a face with corner 3"
        );
        assert!(new(vec![part("a", mesh(&[4], &[0, 1, 2]))], 9).contains("4 corners in all"));
        let short =
            PartKind::Strand { closed: false, radius: vec![0.1], twist: vec![], look: None };
        assert!(new(vec![part("a", short)], 9).contains("has 1 radii"));
        let plain = || part("a", PartKind::plain_strand());
        assert!(new(vec![plain(), plain()], 18).contains("duplicate part name `a`"));
        assert!(new(vec![plain()], 8).contains("8 numbers"));
    }
}
