//! Pulling a body by any of its points: the parameters that can move the point follow.
//!
//! A [`Pull`] begins with a grabbed point. [`Pull::to`] finds the values of the body's own parameters
//! that bring the point to a target with the least change, or as near to it as they can, and returns
//! them as one edit. The document itself stays as it is: poses are tried on a branch of the evaluator.
//!
//! ```text
//! live.rs       a simulated body, pulled while time goes on
//! parameter.rs  parameters that can move the points of a body
//! solve.rs      damped least squares
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_editor::{Editor, Options, pull::{BodyPoint, Pull, PullOptions}};
//!
//! let text = "lariat = 2\n[[body]]\nname = \"rein\"\nmodel = \"suspended-rope\"\n\
//!             from = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n";
//! let mut editor = Editor::open(text, Options::default()).expect("a document");
//! let mut pull = Pull::new(&editor, "rein", BodyPoint::Along(0.5), 1.0, &PullOptions::default())?;
//! let target = pull.point() + DVec3::NEG_Z * 0.3;
//! let pulled = pull.to(target);
//! assert!(pulled.remaining < 1e-6);
//! editor.apply("Pull rein", &pulled.edit.expect("a change")).expect("it fits the document");
//! assert!(editor.text().contains("length = 4."));
//! # Ok::<(), lariat_editor::pull::PullError>(())
//! ```
//!
//! Tests: `crates/lariat-editor/tests/suite/pull.rs`.

mod live;
mod parameter;
mod solve;

pub use live::LivePull;
pub use parameter::{PullGroup, PullParameter};

use std::collections::BTreeMap;

use glam::DVec3;
use lariat_eval::{BodyMoment, Evaluator, LiveError};
use lariat_scene::{Document, Edit, Path, Value};

use crate::{
    channel::{Amount, value_at},
    editor::Editor,
    handle::Ray,
};
use solve::{Limits, Problem, Target};

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyPoint {
    /// A place along a rope, or along the backbone of a coil, by sample index: 0 to 1.
    Along(f64),
    /// A vertex of a mesh.
    Vertex(usize),
}

impl BodyPoint {
    /// The point of a body that is nearest to a point on its surface; `None` if it has no shape.
    pub fn nearest(body: &BodyMoment, to: DVec3) -> Option<Self> {
        let spine = body.spine();
        let nearest_vertex = || {
            let points = body.mesh.iter().flat_map(|mesh| mesh.points().iter().enumerate());
            let (index, _) = points.min_by(|(_, a), (_, b)| {
                a.distance_squared(to).total_cmp(&b.distance_squared(to))
            })?;
            Some(Self::Vertex(index))
        };
        let mut best: Option<(f64, f64)> = None;
        for (k, pair) in spine.windows(2).enumerate() {
            let along = pair[1] - pair[0];
            let length_sq = along.length_squared();
            let share = if length_sq > 0.0 { (to - pair[0]).dot(along) / length_sq } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            let off = (pair[0] + along * share).distance_squared(to);
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, (k as f64 + share) / (spine.len() - 1) as f64));
            }
        }
        best.map(|(_, u)| Self::Along(u)).or_else(nearest_vertex)
    }

    /// Its position on a body.
    pub fn on(self, body: &BodyMoment) -> Option<DVec3> {
        let point = match self {
            Self::Along(u) => {
                let spine = body.spine();
                let last = spine.len().checked_sub(1)?;
                let at = u.clamp(0.0, 1.0) * last as f64;
                let k = (at as usize).min(last.saturating_sub(1));
                let next = spine.get(k + 1).unwrap_or(&spine[k]);
                spine[k].lerp(*next, at - k as f64)
            }
            Self::Vertex(index) => *body.mesh.as_ref()?.points().get(index)?,
        };
        point.is_finite().then_some(point)
    }
}

/// Options of a pull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PullOptions {
    /// Sets a key at the frame if a parameter has keys. Otherwise all of its keys are moved.
    pub auto_key: bool,
    /// Parameters that are switched on or off, by their [key](PullParameter::key).
    pub switches: BTreeMap<String, bool>,
}

/// Reason why a body cannot be pulled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PullError {
    /// There is no such body, or it has errors.
    #[error("there is no body `{name}` to pull")]
    NoBody {
        /// The name.
        name: String,
    },
    /// The body is simulated at this frame.
    #[error(
        "`{name}` is simulated from frame {from}; pull it at frame {from}, or move its ends and pins"
    )]
    Simulated {
        /// The body, or one that it is attached to.
        name: String,
        /// First frame of its simulation.
        from: f64,
    },
    /// The simulation cannot be pulled.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// No parameter of the body is switched on.
    #[error("no parameter of `{name}` may be changed by pulling; switch one on")]
    NoParameter {
        /// The body.
        name: String,
    },
}

/// Result of a pull.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulled {
    /// Edit from the document at the start of the pull; `None` if nothing changes.
    pub edit: Option<Edit>,
    /// Position of the grabbed point after the edit.
    pub point: DVec3,
    /// Distance from there to the target, in metres.
    pub remaining: f64,
    /// Parameters that the edit changes.
    pub changed: Vec<Path>,
}

/// Distance that counts as reached, in metres.
pub const CLOSE: f64 = 1e-7;

/// Share of a rope near an end in which that end moves along.
const NEAR_END: f64 = 0.03;

/// A body that is held at a point.
#[derive(Debug)]
pub struct Pull {
    parameters: Vec<PullParameter>,
    trial: Trial,
    point: DVec3,
    /// Scaled values of the last solution, from which the next one starts.
    last: Vec<f64>,
    rest: Vec<f64>,
    limits: Vec<Limits>,
}

/// A branch of the evaluator, on which poses are tried.
#[derive(Debug)]
struct Trial {
    evaluator: Evaluator,
    document: Document,
    body: String,
    at: BodyPoint,
    frame: f64,
    auto_key: bool,
    /// Edit that takes the last trial back.
    back: Option<Edit>,
}

impl Pull {
    /// Takes hold of a point of a body at a frame.
    pub fn new(
        editor: &Editor,
        body: &str,
        at: BodyPoint,
        frame: f64,
        options: &PullOptions,
    ) -> Result<Self, PullError> {
        let no_body = || PullError::NoBody { name: body.to_owned() };
        let (scene, index) = (editor.scene(), editor.scene().body_index(body).ok_or_else(no_body)?);
        for of in std::iter::once(&index).chain(scene.dependencies(index)) {
            if let Some(from) = scene.simulated_from(*of).filter(|from| *from < frame) {
                return Err(PullError::Simulated { name: scene.body_name(*of).to_owned(), from });
            }
        }
        let posed = scene.evaluate_body(index, frame);
        let point = at.on(&posed).ok_or_else(no_body)?;
        let mut parameters = editor.pull_parameters(body, frame, size(&posed));
        switch(&mut parameters, at, point, &options.switches);
        let used = || parameters.iter().filter(|one| one.allowed);
        if used().next().is_none() {
            return Err(PullError::NoParameter { name: body.to_owned() });
        }
        let rest: Vec<f64> =
            used().flat_map(|one| one.now.iter().map(|now| now / one.scale)).collect();
        let limits = used()
            .flat_map(|one| {
                let (low, high) = parameter::bounds(&one.range, one.scale);
                one.now.iter().map(move |now| Limits {
                    // A value that is out of range may stay.
                    low: low.min(*now) / one.scale,
                    high: high.max(*now) / one.scale,
                })
            })
            .collect();
        let trial = Trial {
            evaluator: editor.evaluator.branch(),
            document: editor.document().clone(),
            body: body.to_owned(),
            at,
            frame,
            auto_key: options.auto_key,
            back: None,
        };
        Ok(Self { parameters, trial, point, last: rest.clone(), rest, limits })
    }

    /// Position of the grabbed point at the start.
    pub fn point(&self) -> DVec3 {
        self.point
    }

    /// Name of the body.
    pub fn body(&self) -> &str {
        &self.trial.body
    }

    /// All parameters that could move the point.
    pub fn parameters(&self) -> &[PullParameter] {
        &self.parameters
    }

    /// Brings the point to a target, or as near to it as the parameters can.
    pub fn to(&mut self, target: DVec3) -> Pulled {
        self.solve(Target::Point(target))
    }

    /// Brings the point under the pointer, or as near to it as the parameters can: anywhere on a ray,
    /// in front of its origin or behind.
    pub fn to_ray(&mut self, ray: &Ray) -> Pulled {
        self.solve(Target::Line(ray.origin, ray.direction.normalize_or_zero()))
    }

    fn solve(&mut self, target: Target) -> Pulled {
        let parameters: Vec<&PullParameter> =
            self.parameters.iter().filter(|one| one.allowed).collect();
        let (trial, rest) = (&mut self.trial, &self.rest);
        let unmoved = Pulled { edit: None, point: self.point, remaining: 0.0, changed: Vec::new() };
        if target.distance(self.point) <= CLOSE {
            self.last.clone_from(rest);
            return Pulled { remaining: target.distance(self.point), ..unmoved };
        }
        let mut map = |x: &[f64]| trial.point(&parameters, x, rest);
        let found = match target.way(self.point).is_finite() {
            true => {
                let limits = &self.limits;
                let problem = Problem { limits, rest, target, close: 0.1 * CLOSE };
                solve::solve(&mut map, &problem, &self.last)
            }
            false => None,
        };
        let Some(found) = found else {
            return Pulled { remaining: target.distance(self.point), ..unmoved };
        };
        // Rounded as a document shows them, unless that is felt.
        let rounded = rounded(&parameters, &found.x, rest);
        let (x, point) = match trial.point(&parameters, &rounded, rest) {
            Some(point)
                if target.distance(point) <= target.distance(found.point).max(5.0 * CLOSE) =>
            {
                (rounded, point)
            }
            _ => (found.x, found.point),
        };
        let edits = edits(trial, &parameters, &x, rest);
        let (changed, mut edits): (Vec<Path>, Vec<Edit>) = edits.into_iter().unzip();
        let edit = match edits.len() {
            0 => None,
            1 => Some(edits.swap_remove(0)),
            _ => Some(Edit::Batch(edits)),
        };
        self.last = x;
        Pulled { edit, point, remaining: target.distance(point), changed }
    }
}

/// Size of a body, in metres: the length of its spine, or half the diagonal of its mesh.
fn size(body: &BodyMoment) -> f64 {
    let length: f64 = body.spine().windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let of_mesh = || {
        let mesh = body.mesh.as_ref()?;
        let (low, high) =
            mesh.points().iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(*p), high.max(*p))
            });
        Some(0.5 * low.distance(high))
    };
    let size = if length > 0.0 { length } else { of_mesh().unwrap_or(1.0) };
    if size.is_finite() { size.clamp(1e-3, 1e6) } else { 1.0 }
}

/// Switches parameters on and off: as chosen, or by their group.
fn switch(
    parameters: &mut [PullParameter],
    at: BodyPoint,
    point: DVec3,
    switches: &BTreeMap<String, bool>,
) {
    let has_shape = parameters.iter().any(|one| one.group == PullGroup::Shape);
    let is_near_end =
        matches!(at, BodyPoint::Along(u) if !(NEAR_END..=1.0 - NEAR_END).contains(&u));
    // Of two ends, the one at the point.
    let off = |one: &PullParameter| match one.now[..] {
        [x, y, z] => DVec3::new(x, y, z).distance(point),
        _ => f64::INFINITY,
    };
    let ends = parameters.iter().filter(|one| one.group == PullGroup::Ends);
    let nearest = ends.map(&off).fold(f64::INFINITY, f64::min);
    for one in parameters {
        let by_group = match one.group {
            PullGroup::Shape => true,
            PullGroup::Waves => false,
            PullGroup::Ends => !has_shape || is_near_end && off(one) <= nearest,
        };
        one.allowed = switches.get(&one.key).copied().unwrap_or(by_group);
    }
}

/// Values with as many digits as a person would write, where they have changed.
fn rounded(parameters: &[&PullParameter], x: &[f64], rest: &[f64]) -> Vec<f64> {
    let scales = parameters.iter().flat_map(|one| one.now.iter().map(|_| one.scale));
    x.iter()
        .zip(rest)
        .zip(scales)
        .map(|((x, rest), scale)| match x == rest {
            true => *x,
            false => (x * scale * 1e7).round() / 1e7 / scale,
        })
        .collect()
}

/// Edits after which the changed parameters have their values.
fn edits(
    trial: &Trial,
    parameters: &[&PullParameter],
    x: &[f64],
    rest: &[f64],
) -> Vec<(Path, Edit)> {
    let mut found = Vec::new();
    let mut first = 0;
    for one in parameters {
        let range = first..first + one.now.len();
        first = range.end;
        if x[range.clone()] == rest[range.clone()] {
            continue;
        }
        let wanted: Vec<f64> = range
            .map(|k| match x[k] == rest[k] {
                true => one.now[k + one.now.len() - first],
                // Without the last bits of the scaling.
                false => (x[k] * one.scale * 1e12).round() / 1e12,
            })
            .collect();
        let amount = |numbers: &[f64]| match *numbers {
            [x, y, z] => Amount::Vector(DVec3::new(x, y, z)),
            _ => Amount::Number(numbers[0]),
        };
        let edit = if one.is_list {
            let vectors = wanted.chunks(3).map(|v| Value::from(v.to_vec())).collect();
            Some(Edit::Set { path: one.path.clone(), value: Value::List(vectors) })
        } else {
            let (now, wanted) = (amount(&one.now), amount(&wanted));
            value_at(&trial.document, &one.path, trial.frame, now, wanted, trial.auto_key)
        };
        found.extend(edit.map(|edit| (one.path.clone(), edit)));
    }
    found
}

impl Trial {
    /// The point with other values of the parameters; `None` if the body has errors then.
    fn point(&mut self, parameters: &[&PullParameter], x: &[f64], rest: &[f64]) -> Option<DVec3> {
        let edits = edits(self, parameters, x, rest).into_iter().map(|(_, edit)| edit).collect();
        self.apply(Edit::Batch(edits))?;
        let scene = self.evaluator.scene();
        let body = scene.body_index(&self.body)?;
        self.at.on(&scene.evaluate_body(body, self.frame))
    }

    /// Applies an edit in place of the last one; `None` if it does not fit the document.
    fn apply(&mut self, edit: Edit) -> Option<()> {
        let Some(back) = self.back.take() else {
            self.back = Some(self.evaluator.apply(&edit).ok()?.inverse);
            return Some(());
        };
        // Both in one edit, so that the document is evaluated once.
        let both = Edit::Batch(vec![back.clone(), edit]);
        match self.evaluator.apply(&both).map(|applied| applied.inverse) {
            // Inverses are in reverse order: the first is that of `edit`.
            Ok(Edit::Batch(inverses)) => {
                self.back = inverses.into_iter().next();
                Some(())
            }
            _ => {
                self.back = Some(back);
                None
            }
        }
    }
}
