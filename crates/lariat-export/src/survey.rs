//! Survey of a body: which properties of its strands change over the frames.
//!
//! A radius that never changes is written once instead of once per frame, which makes files much
//! smaller, but this is known only after the last frame. So every body is surveyed before it is
//! written. The first frame of each strand is kept, every later one is compared with it and
//! dropped. Comparing stops at the first difference, so moving properties are cheap.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ExportError;
use crate::still::{Still, find};

/// One strand of a body over all frames.
#[derive(Debug)]
pub(crate) struct Role {
    /// Name within the body.
    pub(crate) name: Arc<str>,
    /// The strand at its first frame.
    pub(crate) first: Still,
    /// Number of points at each frame; `None` where it is absent.
    pub(crate) counts: Vec<Option<usize>>,
    /// Properties that differ from the first frame at some frame.
    pub(crate) changes: Changes,
    /// Whether the radius is constant along the strand at every frame.
    pub(crate) even: bool,
}

impl Role {
    /// Number of points of all frames.
    pub(crate) fn points(&self) -> u64 {
        self.counts.iter().flatten().map(|&count| count as u64).sum()
    }

    /// Index of the first frame at which the strand exists.
    pub(crate) fn first_index(&self) -> usize {
        self.counts.iter().position(Option::is_some).unwrap_or(0)
    }
}

/// Properties of a strand that change over the frames at which it exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one flag per property")]
pub(crate) struct Changes {
    pub(crate) count: bool,
    pub(crate) points: bool,
    pub(crate) frames: bool,
    pub(crate) radius: bool,
    pub(crate) twist: bool,
    pub(crate) profile: bool,
    pub(crate) closed: bool,
    pub(crate) look: bool,
    pub(crate) velocities: bool,
    pub(crate) piece: bool,
}

impl Changes {
    /// Differences between two frames of the same strand.
    fn between(first: &Still, now: &Still) -> Self {
        let (a, b) = (&first.strand, &now.strand);
        Self {
            count: a.points().len() != b.points().len(),
            points: a.points() != b.points(),
            frames: a.frames() != b.frames(),
            radius: a.radius() != b.radius(),
            twist: a.twist() != b.twist(),
            profile: a.profile != b.profile,
            closed: a.closed != b.closed,
            look: a.look != b.look,
            velocities: first.velocities != now.velocities,
            piece: a.piece != b.piece,
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            count: self.count || other.count,
            points: self.points || other.points,
            frames: self.frames || other.frames,
            radius: self.radius || other.radius,
            twist: self.twist || other.twist,
            profile: self.profile || other.profile,
            closed: self.closed || other.closed,
            look: self.look || other.look,
            velocities: self.velocities || other.velocities,
            piece: self.piece || other.piece,
        }
    }
}

/// All strands of one body over all frames, in order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    roles: Vec<Role>,
    by_name: BTreeMap<Arc<str>, usize>,
}

/// Result of comparing one strand at one frame.
#[derive(Debug)]
pub(crate) enum Observation {
    /// A known strand.
    Known(Known),
    /// A new strand.
    New(Box<Still>),
}

/// Comparison of a known strand with its first frame.
#[derive(Debug)]
pub(crate) struct Known {
    role: usize,
    count: usize,
    changes: Changes,
    even: bool,
}

impl Survey {
    /// Strands in order of their first appearance.
    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Index of a strand by its name; `hint` is its index in the frame.
    pub(crate) fn role_of(&self, still: &Still, hint: usize) -> Option<usize> {
        match self.roles.get(hint) {
            Some(role) if role.name == still.strand.name => Some(hint),
            _ => self.by_name.get(&still.strand.name).copied(),
        }
    }

    /// Compares a strand with its first frame.
    fn compare(&self, role: usize, still: &Still) -> Known {
        let changes = Changes::between(&self.roles[role].first, still);
        Known { role, count: still.len(), changes, even: is_even(still) }
    }

    /// Compares the strands of one frame with their first frames, and keeps only new ones.
    pub(crate) fn compare_all(&self, stills: Vec<Still>) -> Vec<Observation> {
        let observation = |(hint, still)| match self.role_of(&still, hint) {
            Some(role) => Observation::Known(self.compare(role, &still)),
            None => Observation::New(Box::new(still)),
        };
        stills.into_iter().enumerate().map(observation).collect()
    }

    /// Records one strand at frame index `at` of `frames` and returns its index, or `Err(name)` if
    /// a strand of that name was already recorded at this frame.
    fn record_one(
        &mut self,
        at: usize,
        frames: usize,
        observation: Observation,
    ) -> Result<usize, Arc<str>> {
        let known = match observation {
            Observation::Known(known) => known,
            // Another frame may have added it meanwhile.
            Observation::New(still) => match self.by_name.get(&still.strand.name) {
                Some(&role) => self.compare(role, &still),
                None => return Ok(self.insert(at, frames, *still)),
            },
        };
        let role = &mut self.roles[known.role];
        if role.counts[at].replace(known.count).is_some() {
            return Err(role.name.clone());
        }
        role.changes = role.changes.or(known.changes);
        role.even &= known.even;
        Ok(known.role)
    }

    /// Adds a new strand.
    fn insert(&mut self, at: usize, frames: usize, first: Still) -> usize {
        let index = self.roles.len();
        let name = first.strand.name.clone();
        let mut counts = vec![None; frames];
        counts[at] = Some(first.len());
        self.by_name.insert(name.clone(), index);
        let even = is_even(&first);
        self.roles.push(Role { name, first, counts, changes: Changes::default(), even });
        index
    }

    /// Records all strands of frame index `at` of `frames`.
    pub(crate) fn record(
        &mut self,
        at: usize,
        frames: &[i64],
        body: &str,
        observations: Vec<Observation>,
    ) -> Result<(), ExportError> {
        for observation in observations {
            self.record_one(at, frames.len(), observation)
                .map_err(|strand| same_name(body, &strand, frames[at]))?;
        }
        Ok(())
    }

    /// Records all strands of one frame without taking them from the caller; returns the index of
    /// each.
    pub(crate) fn record_stills(
        &mut self,
        at: usize,
        frames: &[i64],
        body: &str,
        stills: &[Still],
    ) -> Result<Vec<usize>, ExportError> {
        let mut roles = Vec::with_capacity(stills.len());
        for (hint, still) in stills.iter().enumerate() {
            let observation = match self.role_of(still, hint) {
                Some(role) => Observation::Known(self.compare(role, still)),
                None => Observation::New(Box::new(still.clone())),
            };
            let role = self
                .record_one(at, frames.len(), observation)
                .map_err(|strand| same_name(body, &strand, frames[at]))?;
            roles.push(role);
        }
        Ok(roles)
    }
}

fn same_name(body: &str, strand: &str, frame: i64) -> ExportError {
    ExportError::SameName { body: body.to_owned(), strand: strand.to_owned(), frame }
}

fn is_even(still: &Still) -> bool {
    still.strand.radius().windows(2).all(|pair| pair[0] == pair[1])
}

/// Strand of that name among those of one frame; `hint` is tried first.
pub(crate) fn pick(mut stills: Vec<Still>, name: &str, hint: usize) -> Option<Still> {
    find(&stills, hint, |still| &*still.strand.name == name).map(|found| stills.swap_remove(found))
}
