//! What changes over the frames of one body, and what does not.
//!
//! A file is much smaller when a radius that never changes is written once instead of once a
//! frame, but that is known only after the last frame. So every body is looked through before it
//! is written. Of each strand the first sight is kept, every later one is compared with it and
//! let go: comparing ends at the first difference, so what moves costs next to nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ExportError;
use crate::still::{Still, find};

/// One strand of a body over all frames.
#[derive(Debug)]
pub(crate) struct Role {
    /// Its name within the body.
    pub(crate) name: Arc<str>,
    /// The strand when it was seen first.
    pub(crate) first: Still,
    /// How many points it has at each frame; `None` where it is not there.
    pub(crate) counts: Vec<Option<usize>>,
    /// What is different at some frame from what it was first.
    pub(crate) changes: Changes,
    /// Whether the radius is the same along the strand, at each frame by itself.
    pub(crate) even: bool,
}

impl Role {
    /// Points at all frames together.
    pub(crate) fn points(&self) -> u64 {
        self.counts.iter().flatten().map(|&count| count as u64).sum()
    }

    /// The first frame, by its place in the shot, where the strand is there.
    pub(crate) fn entrance(&self) -> usize {
        self.counts.iter().position(Option::is_some).unwrap_or(0)
    }
}

/// Which parts of a strand are not the same at all frames where it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one yes or no for each thing a strand has")]
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
    /// What is different between two sights of the same strand.
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

/// All strands of one body over all frames, in the order in which they were seen first.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    roles: Vec<Role>,
    by_name: BTreeMap<Arc<str>, usize>,
}

/// What one look at one strand told.
#[derive(Debug)]
pub(crate) enum Sight {
    /// A strand that was known.
    Known(Known),
    /// A strand that was not.
    New(Box<Still>),
}

/// How a strand that was known looks now.
#[derive(Debug)]
pub(crate) struct Known {
    role: usize,
    count: usize,
    changes: Changes,
    even: bool,
}

impl Survey {
    /// The strands, in the order in which they were seen first.
    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Which role a strand plays; `hint` is where it stood in its frame.
    pub(crate) fn role_of(&self, still: &Still, hint: usize) -> Option<usize> {
        match self.roles.get(hint) {
            Some(role) if role.name == still.strand.name => Some(hint),
            _ => self.by_name.get(&still.strand.name).copied(),
        }
    }

    /// Compares a strand with its first sight.
    fn compare(&self, role: usize, still: &Still) -> Known {
        let changes = Changes::between(&self.roles[role].first, still);
        Known { role, count: still.len(), changes, even: is_even(still) }
    }

    /// Compares the strands of one frame with their first sights, and keeps only the new ones.
    pub(crate) fn look_at(&self, stills: Vec<Still>) -> Vec<Sight> {
        let sight = |(hint, still)| match self.role_of(&still, hint) {
            Some(role) => Sight::Known(self.compare(role, &still)),
            None => Sight::New(Box::new(still)),
        };
        stills.into_iter().enumerate().map(sight).collect()
    }

    /// Takes note of one strand at frame `at` of `frames`; returns its role, or `Err(name)` if
    /// that role is taken at this frame already.
    fn note(&mut self, at: usize, frames: usize, sight: Sight) -> Result<usize, Arc<str>> {
        let known = match sight {
            Sight::Known(known) => known,
            // It may have become known while this sight was on its way.
            Sight::New(still) => match self.by_name.get(&still.strand.name) {
                Some(&role) => self.compare(role, &still),
                None => return Ok(self.enter(at, frames, *still)),
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

    /// A strand that nobody has seen before.
    fn enter(&mut self, at: usize, frames: usize, first: Still) -> usize {
        let index = self.roles.len();
        let name = first.strand.name.clone();
        let mut counts = vec![None; frames];
        counts[at] = Some(first.len());
        self.by_name.insert(name.clone(), index);
        let even = is_even(&first);
        self.roles.push(Role { name, first, counts, changes: Changes::default(), even });
        index
    }

    /// Takes note of all strands of one frame, the `at`-th of `frames`.
    pub(crate) fn absorb(
        &mut self,
        at: usize,
        frames: &[i64],
        body: &str,
        sights: Vec<Sight>,
    ) -> Result<(), ExportError> {
        for sight in sights {
            self.note(at, frames.len(), sight)
                .map_err(|strand| same_name(body, &strand, frames[at]))?;
        }
        Ok(())
    }

    /// Takes note of all strands of one frame while the strands stay with the caller; returns
    /// the role of each.
    pub(crate) fn see(
        &mut self,
        at: usize,
        frames: &[i64],
        body: &str,
        stills: &[Still],
    ) -> Result<Vec<usize>, ExportError> {
        let mut roles = Vec::with_capacity(stills.len());
        for (hint, still) in stills.iter().enumerate() {
            let sight = match self.role_of(still, hint) {
                Some(role) => Sight::Known(self.compare(role, still)),
                None => Sight::New(Box::new(still.clone())),
            };
            let role = self
                .note(at, frames.len(), sight)
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

/// The strand of that name among those of one frame; `hint` is looked at first.
pub(crate) fn pick(mut stills: Vec<Still>, name: &str, hint: usize) -> Option<Still> {
    find(&stills, hint, |still| &*still.strand.name == name).map(|found| stills.swap_remove(found))
}
