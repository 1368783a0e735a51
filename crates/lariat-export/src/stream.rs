//! Evaluation and writing of bodies in order, within a memory limit.
//!
//! A format describes a body as text, strand by strand: fixed text, and series of samples with one
//! entry per frame ([`FormatWriter`], [`Piece`]). This file schedules the evaluation.
//!
//! * A body that fits in memory over all frames, as nearly all do, is one job: every frame is
//!   evaluated once and held, the whole body is formatted, and its text is written in turn. Many
//!   such jobs run in parallel.
//! * A larger body is written in its turn, with its frames in parallel. It is surveyed once, then
//!   its strands are processed in groups that fit in memory. A strand that is too large by itself
//!   is evaluated again for every series of samples, and each sample is written immediately. So a
//!   body of a million points takes the memory of a few of its frames.
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
use crate::still::{Place, Still, evaluate};
use crate::survey::{Role, Survey, pick};
use crate::text_buffer::TextBuffer;
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
    /// Labels of the format; see [`FormatWriter::labels`].
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
    Text(TextBuffer),
    /// One entry for every frame.
    Samples(Row),
}

/// A format that writes body by body, and within a body strand by strand.
pub(crate) trait FormatWriter: Sync {
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
    fn head(&self, out: &mut TextBuffer);

    /// Writes the start of a body.
    fn body_head(&self, body: &Body, out: &mut TextBuffer);

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
        out: &mut TextBuffer,
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
        out: &mut TextBuffer,
    ) -> Result<(), ExportError>;

    /// Writes the end of a body.
    fn body_foot(&self, body: &Body, out: &mut TextBuffer);

    /// Writes the end of the file.
    fn foot(&self, out: &mut TextBuffer);
}

/// Writes all bodies of the footage in one format.
pub(crate) fn stream<F: FormatWriter>(
    format: &F,
    footage: &dyn Footage,
    timing: &Timing,
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<Summary, ExportError> {
    let bodies = footage.body_count();
    let frames = timing.frames().len() as u64;
    let threads = rayon::current_num_threads();
    let context = Context {
        format,
        footage,
        timing,
        threads,
        memory: options.memory_per_thread.saturating_mul(threads),
    };
    let total = bodies as u64 * frames;
    let mut output = Output { out, progress, done: 0, total, summary: Summary::default() };
    output.summary.bodies = bodies as u64;
    output.summary.frames = frames;

    output.write_with(|out| format.head(out))?;
    ordered(
        bodies,
        context.ahead(),
        |body| context.small_body(body),
        |body, outcome| {
            match outcome? {
                Outcome::Written { text, strands, meshes, points } => {
                    output.write(text.as_bytes())?;
                    output.summary.strands += strands;
                    output.summary.meshes += meshes;
                    output.summary.points += points;
                }
                Outcome::TooLarge => context.large_body(body, &mut output)?,
            }
            output.advance_to((body as u64 + 1) * frames)
        },
    )?;
    output.write_with(|out| format.foot(out))?;
    output.out.flush()?;
    Ok(output.summary)
}

/// Result of trying to hold a whole body.
enum Outcome {
    /// The whole body as text.
    Written { text: TextBuffer, strands: u64, meshes: u64, points: u64 },
    /// More than fits in memory.
    TooLarge,
}

/// Output with progress and summary.
struct Output<'a> {
    out: &'a mut dyn Write,
    progress: &'a dyn Progress,
    done: u64,
    total: u64,
    summary: Summary,
}

impl Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.check()?;
        self.out.write_all(bytes)?;
        self.summary.bytes += bytes.len() as u64;
        Ok(())
    }

    fn write_with(&mut self, write: impl FnOnce(&mut TextBuffer)) -> Result<(), ExportError> {
        let mut out = TextBuffer::new();
        write(&mut out);
        self.write(out.as_bytes())
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
struct Context<'a, F> {
    format: &'a F,
    footage: &'a dyn Footage,
    timing: &'a Timing,
    threads: usize,
    memory: usize,
}

impl<F: FormatWriter> Context<'_, F> {
    /// Limit on jobs that are running or waiting for their turn.
    fn ahead(&self) -> usize {
        2 * self.threads + 2
    }

    /// Approximate bytes of a strand at one frame while it is held and written.
    fn cost(&self, points: usize) -> usize {
        let speeds = if self.format.velocities() { 24 } else { 0 };
        HELD_BYTES_PER_STRAND
            + points * (HELD_BYTES_PER_POINT + speeds + self.format.bytes_per_point())
    }

    /// Evaluates a body with everything the format needs.
    fn evaluate(&self, body: usize, frame: i64) -> Vec<Still> {
        evaluate(self.footage, self.timing, body, frame, self.format.velocities())
    }

    /// A body after its survey.
    fn body(&self, index: usize, survey: Survey, mesh: Option<MeshRole>) -> Body {
        let name = self.footage.body_name(index).to_owned();
        let labels = self.format.labels(index, survey.roles());
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
        let mesh = role.evaluate(self.footage, body.index, frame, at);
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
            let stills = self.evaluate(index, frame);
            cost += stills.iter().map(|still| self.cost(still.len())).sum::<usize>();
            if cost > limit {
                return Ok(Outcome::TooLarge);
            }
            let roles = survey.record_stills(at, frames, name, &stills)?;
            held.resize_with(survey.roles().len(), || none(frames.len()));
            for (role, still) in roles.into_iter().zip(stills) {
                held[role][at] = Some(still);
            }
        }
        let mesh = self.mesh_role(index, limit);
        if let Some(mesh) = &mesh {
            let text = mesh.all_points() as usize * self.format.bytes_per_point();
            if mesh.held.is_none() || cost.saturating_add(text) > limit {
                return Ok(Outcome::TooLarge);
            }
        }
        let body = self.body(index, survey, mesh);
        let points: u64 = body.roles().iter().map(Role::points).sum();
        let mut out = TextBuffer::with_capacity(points as usize * self.format.bytes_per_point());
        self.format.body_head(&body, &mut out);
        for (strand, stills) in held.iter().enumerate() {
            self.held_strand(&body, strand, stills, &mut out)?;
        }
        if let Some(role) = &body.mesh {
            for piece in self.format.mesh(&body, role)? {
                match piece {
                    Piece::Text(text) => out.bytes(text.as_bytes()),
                    Piece::Samples(row) => {
                        for at in 0..frames.len() {
                            let mesh = self.mesh_at(&body, role, at)?;
                            self.format.mesh_sample(
                                &row,
                                &body,
                                role,
                                at,
                                mesh.as_ref(),
                                &mut out,
                            )?;
                        }
                    }
                }
            }
        }
        self.format.body_foot(&body, &mut out);
        let (strands, meshes) = (body.roles().len() as u64, u64::from(body.mesh.is_some()));
        let points = points + body.mesh.as_ref().map_or(0, MeshRole::all_points);
        Ok(Outcome::Written { text: out, strands, meshes, points })
    }

    /// Writes a strand whose frames are all in memory.
    fn held_strand(
        &self,
        body: &Body,
        strand: usize,
        stills: &[Option<Still>],
        out: &mut TextBuffer,
    ) -> Result<(), ExportError> {
        for piece in self.format.strand(body, strand)? {
            match piece {
                Piece::Text(text) => out.bytes(text.as_bytes()),
                Piece::Samples(row) => {
                    for (at, still) in stills.iter().enumerate() {
                        self.format.sample(&row, body, strand, at, still.as_ref(), out)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a body that does not fit in memory: frames in parallel, strands in groups.
    fn large_body(&self, index: usize, output: &mut Output) -> Result<(), ExportError> {
        let from = output.done;
        let frames = self.timing.frames().len() as u64;
        let mesh = self.mesh_role(index, self.memory / 2);
        let body = self.body(index, self.survey(index, output)?, mesh);
        output.summary.meshes += u64::from(body.mesh.is_some());
        output.summary.points += body.mesh.as_ref().map_or(0, MeshRole::all_points);
        output.summary.strands += body.roles().len() as u64;
        output.summary.points += body.roles().iter().map(Role::points).sum::<u64>();

        output.write_with(|out| self.format.body_head(&body, out))?;
        let strands = body.roles().len() as u64;
        for group in self.groups(body.roles()) {
            let share = |strand: usize| from + frames * strand as u64 / strands;
            let too_long =
                |&strand: &usize| self.role_cost(&body.roles()[strand]) > self.memory / 2;
            match only(&group).filter(too_long) {
                Some(strand) => self.long_strand(&body, strand, None, share(strand + 1), output)?,
                None => self.held_group(&body, group.clone(), share, output)?,
            }
            output.advance_to(share(group.end))?;
        }
        if let Some(role) = &body.mesh {
            self.long_mesh(&body, role, output)?;
        }
        output.write_with(|out| self.format.body_foot(&body, out))
    }

    /// Writes a mesh frame by frame, the samples of a series in parallel. Frames that are not held
    /// are evaluated again for every series.
    fn long_mesh(
        &self,
        body: &Body,
        role: &MeshRole,
        output: &mut Output,
    ) -> Result<(), ExportError> {
        for piece in self.format.mesh(body, role)? {
            let row = match piece {
                Piece::Text(text) => {
                    output.write(text.as_bytes())?;
                    continue;
                }
                Piece::Samples(row) => row,
            };
            ordered(
                role.there.len(),
                self.threads + 1,
                |at| {
                    let mut out = TextBuffer::new();
                    let mesh = self.mesh_at(body, role, at)?;
                    self.format.mesh_sample(&row, body, role, at, mesh.as_ref(), &mut out)?;
                    Ok::<TextBuffer, ExportError>(out)
                },
                |_, out| output.write(out?.as_bytes()),
            )?;
        }
        Ok(())
    }

    /// Surveys a body, frames in parallel; only the first frame of each strand is held.
    fn survey(&self, body: usize, output: &Output) -> Result<Survey, ExportError> {
        let frames = self.timing.frames();
        let name = self.footage.body_name(body);
        let survey = RwLock::new(Survey::default());
        let compare = |at: usize| {
            let stills = self.evaluate(body, frames[at]);
            survey.read().unwrap_or_else(PoisonError::into_inner).compare_all(stills)
        };
        let record = |at: usize, observations| {
            output.check()?;
            let mut survey = survey.write().unwrap_or_else(PoisonError::into_inner);
            survey.record(at, frames, name, observations)
        };
        // The first frame comes first, so that nearly all strands are known to the others.
        record(0, compare(0))?;
        ordered(
            frames.len() - 1,
            self.threads + 1,
            |later| compare(later + 1),
            |later, observations| record(later + 1, observations),
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
        output: &mut Output,
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
                let stills = self.evaluate(body.index, frames[at]);
                stills.into_iter().enumerate().filter_map(keep).collect::<Vec<_>>()
            },
            |at, stills| {
                output.check()?;
                for (row, still) in stills {
                    held[row][at] = Some(still);
                }
                Ok::<(), ExportError>(())
            },
        )?;
        if group.len() < self.threads {
            // Too few strands to occupy all threads: parallel over frames instead.
            for (strand, stills) in group.zip(&held) {
                self.long_strand(body, strand, Some(stills), share(strand + 1), output)?;
            }
            return Ok(());
        }
        ordered(
            group.len(),
            self.ahead(),
            |row| {
                let mut out = TextBuffer::new();
                self.held_strand(body, group.start + row, &held[row], &mut out).map(|()| out)
            },
            |_, out| output.write(out?.as_bytes()),
        )
    }

    /// Writes a strand frame by frame, the samples of a series in parallel. Frames that are not
    /// held are evaluated again for every series. The progress ends at `until`.
    fn long_strand(
        &self,
        body: &Body,
        strand: usize,
        held: Option<&[Option<Still>]>,
        until: u64,
        output: &mut Output,
    ) -> Result<(), ExportError> {
        let frames = self.timing.frames();
        let role = &body.roles()[strand];
        let pieces = self.format.strand(body, strand)?;
        let is_row = |piece: &&Piece<F::Row>| matches!(piece, Piece::Samples(_));
        let samples = (pieces.iter().filter(is_row).count() * frames.len()) as u64;
        let (from, mut written) = (output.done, 0);
        for piece in pieces {
            let row = match piece {
                Piece::Text(text) => {
                    output.write(text.as_bytes())?;
                    continue;
                }
                Piece::Samples(row) => row,
            };
            let velocities = self.format.velocities() && self.format.uses_velocities(&row);
            ordered(
                frames.len(),
                self.threads + 1,
                |at| {
                    let mut out = TextBuffer::new();
                    let mut write =
                        |still| self.format.sample(&row, body, strand, at, still, &mut out);
                    if let Some(stills) = held {
                        write(stills[at].as_ref())?;
                    } else {
                        let frame = frames[at];
                        let stills =
                            evaluate(self.footage, self.timing, body.index, frame, velocities);
                        write(pick(stills, &role.name, strand).as_ref())?;
                    }
                    Ok::<TextBuffer, ExportError>(out)
                },
                |_, out| {
                    output.write(out?.as_bytes())?;
                    written += 1;
                    output.advance_to(from + (until - from) * written / samples)
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
