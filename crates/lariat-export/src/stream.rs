//! Evaluation and writing of bodies in order, within a memory limit.
//!
//! A format describes a body as text, strand by strand: fixed text, and series of samples with one
//! entry per frame ([`Form`], [`Piece`]). This file schedules the evaluation.
//!
//! * A body that fits in memory over all frames, as nearly all do, is one job: every frame is
//!   evaluated once and held, the whole body is formatted, and its text is written in turn. Many
//!   such
//!   jobs run in parallel.
//! * A larger body is written in its turn, with its frames in parallel. It is surveyed once, then
//!   its
//!   strands are processed in groups that fit in memory. A strand that is too large by itself is
//!   evaluated again for every series of samples, and each sample is written immediately. So a body
//!   of a million points takes the memory of a few of its frames.
//!
//! A mesh is written after the strands of its body (usually none) in the same two ways.
//!
//! The choice does not change the file (`memory_changes_no_byte`).

use std::io::Write;
use std::ops::Range;
use std::sync::{PoisonError, RwLock};

use lariat_core::geometry::{Footage, Mesh};

use crate::mesh::{MeshRole, check};
use crate::ordered::ordered;
use crate::pen::Pen;
use crate::still::{Place, Still, look};
use crate::survey::{Role, Survey, pick};
use crate::{ExportError, Options, Progress, Summary, Timing};

/// Memory of a strand per point: position, frame, radius, twist.
const HELD_BYTES_PER_POINT: usize = 88;

/// Memory of a strand besides its points.
const HELD_BYTES_PER_STRAND: usize = 400;

/// A body with the results of its survey.
pub(crate) struct Body {
    /// Index in the footage.
    pub(crate) index: usize,
    /// Name.
    pub(crate) name: String,
    /// Strands over all frames.
    pub(crate) survey: Survey,
    /// Mesh over all frames, if it has one.
    pub(crate) mesh: Option<MeshRole>,
    /// Labels of the format; see [`Form::labels`].
    pub(crate) labels: Vec<String>,
}

impl Body {
    /// Strands in the order of the file.
    pub(crate) fn roles(&self) -> &[Role] {
        self.survey.roles()
    }
}

/// A section of a strand's text.
pub(crate) enum Piece<Row> {
    /// Text that does not depend on the frame.
    Text(Pen),
    /// One entry for every frame.
    Samples(Row),
}

/// A format that writes body by body, and within a body strand by strand.
pub(crate) trait Form: Sync {
    /// Kind of a series of samples: positions, widths, …
    type Row: Sync;

    /// Kind of a series of mesh samples.
    type MeshRow: Sync;

    /// Whether the format needs velocities.
    fn velocities(&self) -> bool {
        false
    }

    /// Whether a series needs velocities; called only if the format needs them.
    fn uses_velocities(&self, _row: &Self::Row) -> bool {
        false
    }

    /// Strings to keep for each body, such as the names of its strands.
    fn labels(&self, _body: usize, _roles: &[Role]) -> Vec<String> {
        Vec::new()
    }

    /// Approximate bytes per point and frame; affects how much is held, not what is written.
    fn bytes_per_point(&self) -> usize;

    /// Writes the start of the file.
    fn head(&self, pen: &mut Pen);

    /// Writes the start of a body.
    fn body_head(&self, body: &Body, pen: &mut Pen);

    /// Sections of a strand: text and series of samples, in the order of the file.
    fn strand(&self, body: &Body, strand: usize) -> Result<Vec<Piece<Self::Row>>, ExportError>;

    /// Writes one sample of a series; `at` is the index of the frame, `still` is `None` where the
    /// strand is absent.
    fn sample(
        &self,
        row: &Self::Row,
        body: &Body,
        strand: usize,
        at: usize,
        still: Option<&Still>,
        pen: &mut Pen,
    ) -> Result<(), ExportError>;

    /// Sections of a mesh, which follows the strands.
    fn mesh(&self, body: &Body, role: &MeshRole) -> Result<Vec<Piece<Self::MeshRow>>, ExportError>;

    /// Writes one sample of a mesh; `mesh` is `None` where it is absent.
    fn mesh_sample(
        &self,
        row: &Self::MeshRow,
        body: &Body,
        role: &MeshRole,
        at: usize,
        mesh: Option<&Mesh>,
        pen: &mut Pen,
    ) -> Result<(), ExportError>;

    /// Writes the end of a body.
    fn body_foot(&self, body: &Body, pen: &mut Pen);

    /// Writes the end of the file.
    fn foot(&self, pen: &mut Pen);
}

/// Writes all bodies of the footage in one format.
pub(crate) fn stream<F: Form>(
    form: &F,
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    let bodies = footage.body_count();
    let frames = timing.frames().len() as u64;
    let threads = rayon::current_num_threads();
    let studio = Studio {
        form,
        footage,
        timing,
        threads,
        memory: options.memory_per_thread.saturating_mul(threads),
    };
    let total = bodies as u64 * frames;
    let mut desk = Desk { out, progress, done: 0, total, summary: Summary::default() };
    desk.summary.bodies = bodies as u64;
    desk.summary.frames = frames;

    desk.write_with(|pen| form.head(pen))?;
    ordered(
        bodies,
        studio.ahead(),
        |body| studio.small_body(body),
        |body, outcome| {
            match outcome? {
                Outcome::Written { page, strands, meshes, points } => {
                    desk.write(page.page())?;
                    desk.summary.strands += strands;
                    desk.summary.meshes += meshes;
                    desk.summary.points += points;
                }
                Outcome::TooLarge => studio.large_body(body, &mut desk)?,
            }
            desk.advance_to((body as u64 + 1) * frames)
        },
    )?;
    desk.write_with(|pen| form.foot(pen))?;
    desk.out.flush()?;
    Ok(desk.summary)
}

/// Result of trying to hold a whole body.
enum Outcome {
    /// The whole body as text.
    Written { page: Pen, strands: u64, meshes: u64, points: u64 },
    /// More than fits in memory.
    TooLarge,
}

/// Output with progress and summary.
struct Desk<'a> {
    out: &'a mut dyn Write,
    progress: &'a dyn Progress,
    done: u64,
    total: u64,
    summary: Summary,
}

impl Desk<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.check()?;
        self.out.write_all(bytes)?;
        self.summary.bytes += bytes.len() as u64;
        Ok(())
    }

    fn write_with(&mut self, write: impl FnOnce(&mut Pen)) -> Result<(), ExportError> {
        let mut pen = Pen::new();
        write(&mut pen);
        self.write(pen.page())
    }

    fn advance_to(&mut self, done: u64) -> Result<(), ExportError> {
        self.check()?;
        if done > self.done {
            self.done = done;
            self.progress.advance(done, self.total);
        }
        Ok(())
    }

    fn check(&self) -> Result<(), ExportError> {
        if self.progress.cancelled() { Err(ExportError::Cancelled) } else { Ok(()) }
    }
}

/// Context of all jobs.
struct Studio<'a, F> {
    form: &'a F,
    footage: &'a dyn Footage,
    timing: &'a Timing,
    threads: usize,
    memory: usize,
}

impl<F: Form> Studio<'_, F> {
    /// Limit on jobs that are running or waiting for their turn.
    fn ahead(&self) -> usize {
        2 * self.threads + 2
    }

    /// Approximate bytes of a strand at one frame while it is held and written.
    fn cost(&self, points: usize) -> usize {
        let speeds = if self.form.velocities() { 24 } else { 0 };
        HELD_BYTES_PER_STRAND
            + points * (HELD_BYTES_PER_POINT + speeds + self.form.bytes_per_point())
    }

    /// Evaluates a body with everything the format needs.
    fn look(&self, body: usize, frame: i64) -> Vec<Still> {
        look(self.footage, self.timing, body, frame, self.form.velocities())
    }

    /// A body after its survey.
    fn body(&self, index: usize, survey: Survey, mesh: Option<MeshRole>) -> Body {
        let name = self.footage.body_name(index).to_owned();
        let labels = self.form.labels(index, survey.roles());
        Body { index, name, survey, mesh, labels }
    }

    /// Surveys the mesh of a body, if it has one.
    fn mesh_role(&self, index: usize, memory: usize) -> Option<MeshRole> {
        MeshRole::survey(self.footage, index, self.timing.frames(), memory)
    }

    /// A mesh at one frame; an error if it is not finite.
    fn mesh_at(
        &self,
        body: &Body,
        role: &MeshRole,
        at: usize,
    ) -> Result<Option<Mesh>, ExportError> {
        let frame = self.timing.frames()[at];
        let mesh = role.look(self.footage, body.index, frame, at);
        if let Some(mesh) = &mesh {
            check(mesh, &Place { body: &body.name, strand: &mesh.name, frame })?;
        }
        Ok(mesh)
    }

    /// Evaluates, holds and formats a whole body, if it fits in memory.
    fn small_body(&self, index: usize) -> Result<Outcome, ExportError> {
        let limit = self.memory / self.ahead();
        let frames = self.timing.frames();
        let name = self.footage.body_name(index);
        let mut survey = Survey::default();
        let mut held: Vec<Vec<Option<Still>>> = Vec::new();
        let mut cost = 0;
        for (at, &frame) in frames.iter().enumerate() {
            let stills = self.look(index, frame);
            cost += stills.iter().map(|still| self.cost(still.len())).sum::<usize>();
            if cost > limit {
                return Ok(Outcome::TooLarge);
            }
            let roles = survey.see(at, frames, name, &stills)?;
            held.resize_with(survey.roles().len(), || none(frames.len()));
            for (role, still) in roles.into_iter().zip(stills) {
                held[role][at] = Some(still);
            }
        }
        let mesh = self.mesh_role(index, limit);
        if let Some(mesh) = &mesh {
            let text = mesh.all_points() as usize * self.form.bytes_per_point();
            if mesh.held.is_none() || cost.saturating_add(text) > limit {
                return Ok(Outcome::TooLarge);
            }
        }
        let body = self.body(index, survey, mesh);
        let points: u64 = body.roles().iter().map(Role::points).sum();
        let mut page = Pen::with_room(points as usize * self.form.bytes_per_point());
        self.form.body_head(&body, &mut page);
        for (strand, stills) in held.iter().enumerate() {
            self.held_strand(&body, strand, stills, &mut page)?;
        }
        if let Some(role) = &body.mesh {
            for piece in self.form.mesh(&body, role)? {
                match piece {
                    Piece::Text(text) => page.bytes(text.page()),
                    Piece::Samples(row) => {
                        for at in 0..frames.len() {
                            let mesh = self.mesh_at(&body, role, at)?;
                            self.form.mesh_sample(
                                &row,
                                &body,
                                role,
                                at,
                                mesh.as_ref(),
                                &mut page,
                            )?;
                        }
                    }
                }
            }
        }
        self.form.body_foot(&body, &mut page);
        let (strands, meshes) = (body.roles().len() as u64, u64::from(body.mesh.is_some()));
        let points = points + body.mesh.as_ref().map_or(0, MeshRole::all_points);
        Ok(Outcome::Written { page, strands, meshes, points })
    }

    /// Writes a strand whose frames are all in memory.
    fn held_strand(
        &self,
        body: &Body,
        strand: usize,
        stills: &[Option<Still>],
        pen: &mut Pen,
    ) -> Result<(), ExportError> {
        for piece in self.form.strand(body, strand)? {
            match piece {
                Piece::Text(text) => pen.bytes(text.page()),
                Piece::Samples(row) => {
                    for (at, still) in stills.iter().enumerate() {
                        self.form.sample(&row, body, strand, at, still.as_ref(), pen)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a body that does not fit in memory: frames in parallel, strands in groups.
    fn large_body(&self, index: usize, desk: &mut Desk) -> Result<(), ExportError> {
        let from = desk.done;
        let frames = self.timing.frames().len() as u64;
        let mesh = self.mesh_role(index, self.memory / 2);
        let body = self.body(index, self.survey(index, desk)?, mesh);
        desk.summary.meshes += u64::from(body.mesh.is_some());
        desk.summary.points += body.mesh.as_ref().map_or(0, MeshRole::all_points);
        desk.summary.strands += body.roles().len() as u64;
        desk.summary.points += body.roles().iter().map(Role::points).sum::<u64>();

        desk.write_with(|pen| self.form.body_head(&body, pen))?;
        let strands = body.roles().len() as u64;
        for group in self.groups(body.roles()) {
            let share = |strand: usize| from + frames * strand as u64 / strands;
            let too_long =
                |&strand: &usize| self.role_cost(&body.roles()[strand]) > self.memory / 2;
            match only(&group).filter(too_long) {
                Some(strand) => self.long_strand(&body, strand, None, share(strand + 1), desk)?,
                None => self.held_group(&body, group.clone(), share, desk)?,
            }
            desk.advance_to(share(group.end))?;
        }
        if let Some(role) = &body.mesh {
            self.long_mesh(&body, role, desk)?;
        }
        desk.write_with(|pen| self.form.body_foot(&body, pen))
    }

    /// Writes a mesh frame by frame, the samples of a series in parallel. Frames that are not held
    /// are evaluated again for every series.
    fn long_mesh(&self, body: &Body, role: &MeshRole, desk: &mut Desk) -> Result<(), ExportError> {
        for piece in self.form.mesh(body, role)? {
            let row = match piece {
                Piece::Text(text) => {
                    desk.write(text.page())?;
                    continue;
                }
                Piece::Samples(row) => row,
            };
            ordered(
                role.there.len(),
                self.threads + 1,
                |at| {
                    let mut pen = Pen::new();
                    let mesh = self.mesh_at(body, role, at)?;
                    self.form.mesh_sample(&row, body, role, at, mesh.as_ref(), &mut pen)?;
                    Ok::<Pen, ExportError>(pen)
                },
                |_, pen| desk.write(pen?.page()),
            )?;
        }
        Ok(())
    }

    /// Surveys a body, frames in parallel; only the first frame of each strand is held.
    fn survey(&self, body: usize, desk: &Desk) -> Result<Survey, ExportError> {
        let frames = self.timing.frames();
        let name = self.footage.body_name(body);
        let survey = RwLock::new(Survey::default());
        let look_at = |at: usize| {
            let stills = self.look(body, frames[at]);
            survey.read().unwrap_or_else(PoisonError::into_inner).look_at(stills)
        };
        let absorb = |at: usize, sights| {
            desk.check()?;
            let mut survey = survey.write().unwrap_or_else(PoisonError::into_inner);
            survey.absorb(at, frames, name, sights)
        };
        // The first frame comes first, so that nearly all strands are known to the others.
        absorb(0, look_at(0))?;
        ordered(
            frames.len() - 1,
            self.threads + 1,
            |later| look_at(later + 1),
            |later, sights| absorb(later + 1, sights),
        )?;
        Ok(survey.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn role_cost(&self, role: &Role) -> usize {
        role.counts.iter().flatten().map(|&count| self.cost(count)).sum()
    }

    /// Groups of neighbouring strands that fit in memory; one too large by itself is a group.
    fn groups(&self, roles: &[Role]) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut cost = usize::MAX;
        for (strand, role) in roles.iter().enumerate() {
            let own = self.role_cost(role);
            cost = cost.saturating_add(own);
            match groups.last_mut() {
                Some(group) if cost <= self.memory / 2 => group.end = strand + 1,
                _ => {
                    groups.push(strand..strand + 1);
                    cost = own;
                }
            }
        }
        groups
    }

    /// Writes a group of strands: evaluates all frames, keeps only those strands, then formats the
    /// strands in parallel. `share` is the progress before each strand.
    fn held_group(
        &self,
        body: &Body,
        group: Range<usize>,
        share: impl Fn(usize) -> u64,
        desk: &mut Desk,
    ) -> Result<(), ExportError> {
        let frames = self.timing.frames();
        let mut held: Vec<Vec<Option<Still>>> = group.clone().map(|_| none(frames.len())).collect();
        let keep = |(hint, still): (usize, Still)| {
            let role = body.survey.role_of(&still, hint)?;
            group.contains(&role).then(|| (role - group.start, still))
        };
        ordered(
            frames.len(),
            self.threads + 1,
            |at| {
                let stills = self.look(body.index, frames[at]);
                stills.into_iter().enumerate().filter_map(keep).collect::<Vec<_>>()
            },
            |at, stills| {
                desk.check()?;
                for (row, still) in stills {
                    held[row][at] = Some(still);
                }
                Ok::<(), ExportError>(())
            },
        )?;
        if group.len() < self.threads {
            // Too few strands to occupy all threads: parallel over frames instead.
            for (strand, stills) in group.zip(&held) {
                self.long_strand(body, strand, Some(stills), share(strand + 1), desk)?;
            }
            return Ok(());
        }
        ordered(
            group.len(),
            self.ahead(),
            |row| {
                let mut pen = Pen::new();
                self.held_strand(body, group.start + row, &held[row], &mut pen).map(|()| pen)
            },
            |_, pen| desk.write(pen?.page()),
        )
    }

    /// Writes a strand frame by frame, the samples of a series in parallel. Frames that are not
    /// held
    /// are evaluated again for every series. The progress ends at `until`.
    fn long_strand(
        &self,
        body: &Body,
        strand: usize,
        held: Option<&[Option<Still>]>,
        until: u64,
        desk: &mut Desk,
    ) -> Result<(), ExportError> {
        let frames = self.timing.frames();
        let role = &body.roles()[strand];
        let pieces = self.form.strand(body, strand)?;
        let is_row = |piece: &&Piece<F::Row>| matches!(piece, Piece::Samples(_));
        let samples = (pieces.iter().filter(is_row).count() * frames.len()) as u64;
        let (from, mut written) = (desk.done, 0);
        for piece in pieces {
            let row = match piece {
                Piece::Text(text) => {
                    desk.write(text.page())?;
                    continue;
                }
                Piece::Samples(row) => row,
            };
            let velocities = self.form.velocities() && self.form.uses_velocities(&row);
            ordered(
                frames.len(),
                self.threads + 1,
                |at| {
                    let mut pen = Pen::new();
                    let mut write =
                        |still| self.form.sample(&row, body, strand, at, still, &mut pen);
                    if let Some(stills) = held {
                        write(stills[at].as_ref())?;
                    } else {
                        let frame = frames[at];
                        let stills = look(self.footage, self.timing, body.index, frame, velocities);
                        write(pick(stills, &role.name, strand).as_ref())?;
                    }
                    Ok::<Pen, ExportError>(pen)
                },
                |_, pen| {
                    desk.write(pen?.page())?;
                    written += 1;
                    desk.advance_to(from + (until - from) * written / samples)
                },
            )?;
        }
        Ok(())
    }
}

fn none(frames: usize) -> Vec<Option<Still>> {
    std::iter::repeat_with(|| None).take(frames).collect()
}

/// The element of a range of length one.
fn only(range: &Range<usize>) -> Option<usize> {
    (range.len() == 1).then_some(range.start)
}
