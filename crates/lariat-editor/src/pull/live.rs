//! A simulated body that is pulled while its simulation runs, and kept as a keyed pin.
//!
//! The simulation goes on from the frame of the grab, on a branch: the document and its recordings stay
//! as they are. A damped spring pulls the point to a target that is given as time goes on. The spring is
//! as stiff as the body is heavy (`lariat_eval::LiveRun`), so the point is near the target, not at it.
//!
//! [`LivePull::keep`] turns the way of the point into a pin whose position has keys, from the frame of
//! the grab to that of the release. The way is thinned out to [`LivePull::tolerance`].
//!
//! Tests: `crates/lariat-editor/tests/suite/live.rs`.

use glam::DVec3;
use lariat_core::motion::{Key, Keys};
use lariat_eval::{LiveError, LiveRun, Moment};
use lariat_scene::{Edit, Path, Table, Thing, Value};

use super::{BodyPoint, PullError};
use crate::editor::Editor;

/// Largest distance of the kept way from the pulled one, relative to the length of the body. Larger: the
/// kept motion is visibly another one. Smaller: there is a key at nearly every frame.
const TOLERANCE: f64 = 2e-3;

/// Rounding of kept positions, relative to the tolerance. Larger: the rope jerks where the pin takes
/// hold. Smaller: keys with more digits than anyone can see.
const ROUNDING: f64 = 1e-3;

/// A simulated body that is held at a point while time goes on.
#[derive(Debug)]
pub struct LivePull {
    run: LiveRun,
    /// Frame at which the simulation starts.
    start: f64,
    tolerance: f64,
}

impl LivePull {
    /// Takes hold of a point of a simulated body, at a frame that is recorded.
    pub fn begin(
        editor: &Editor,
        body: &str,
        at: BodyPoint,
        frame: f64,
    ) -> Result<Self, PullError> {
        let scene = editor.scene();
        let no_body = || PullError::NoBody { name: body.to_owned() };
        let index = scene.body_index(body).ok_or_else(no_body)?;
        let not_simulated = || LiveError::NotSimulated { name: body.to_owned(), frame };
        let start = scene.simulated_from(index).ok_or_else(not_simulated)?;
        let along = match at {
            BodyPoint::Along(u) => u,
            BodyPoint::Vertex(_) => return Err(LiveError::Solid { name: body.to_owned() }.into()),
        };
        let run = LiveRun::begin(&editor.evaluator, index, along, frame)?;
        let tolerance = TOLERANCE * super::size(&run.moment().bodies[index]);
        Ok(Self { run, start, tolerance })
    }

    /// Moves the target on: to a point, which it reaches a number of frames after the last one.
    pub fn aim(&mut self, frames: f64, target: DVec3) {
        self.run.aim(frames, target);
    }

    /// Makes at most a number of steps towards the end of the path of the target; returns true once that
    /// is reached.
    pub fn run(&mut self, steps: u64) -> bool {
        let mut left = steps;
        self.run.run(|| {
            let goes_on = left > 0;
            left = left.saturating_sub(1);
            goes_on
        })
    }

    /// All bodies at the frame that is reached.
    pub fn pose(&mut self) -> &Moment {
        self.run.pose()
    }

    /// All bodies as they were posed last.
    pub fn moment(&self) -> &Moment {
        self.run.moment()
    }

    /// The held point, as it was posed last.
    pub fn point(&self) -> DVec3 {
        self.run.point()
    }

    /// Distance from the held point to its target in metres, in the last pose.
    pub fn stretch(&self) -> f64 {
        self.run.target().distance(self.run.point())
    }

    /// Name of the body.
    pub fn body(&self) -> &str {
        self.run.body_name()
    }

    /// Frame of the grab.
    pub fn from(&self) -> f64 {
        self.run.from()
    }

    /// The frame that is reached.
    pub fn reached(&self) -> f64 {
        self.run.reached()
    }

    /// The held point at a frame between the grab and the frame that is reached.
    pub fn way(&self, frame: f64) -> DVec3 {
        self.run.point_at(frame)
    }

    /// Largest distance of the kept way from the pulled one, in metres.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// An edit that adds a pin that leads the point along its way and lets go at the last whole frame
    /// that is reached; `None` if that is not after the grab.
    pub fn keep(&self, editor: &Editor) -> Option<Edit> {
        let (first, last) = (self.from(), self.reached().floor());
        let document = editor.document();
        let (index, _) = document.find(Thing::Body, self.body())?;
        let dynamics = Path::root().field(Thing::Body.list()).index(index).field("dynamics");
        let mut edits = Vec::new();
        if let Some(Value::Text(kind)) = document.get(&dynamics) {
            let value = Table::new().with("kind", &**kind).into();
            edits.push(Edit::Set { path: dynamics.clone(), value });
        }
        let way = self.thinned(first, last)?;
        let key = |(frame, at): &(f64, DVec3)| Value::List(vec![(*frame).into(), (*at).into()]);
        let to = Table::new().with("keys", Value::List(way.iter().map(key).collect()));
        let switch = |frame: f64, on: bool| Value::List(vec![frame.into(), on.into()]);
        let mut switches = vec![switch(first, true), switch(last, false)];
        if self.start < first {
            switches.insert(0, switch(self.start, false));
        }
        let on = Table::new().with("keys", Value::List(switches));
        let place = rounded(self.run.place(), 1e-6);
        let pin = Table::new().with("at", place).with("to", to).with("on", on);
        let list = dynamics.field("pins");
        let index = document.get(&list).and_then(Value::list).map_or(0, <[Value]>::len);
        edits.push(Edit::Insert { list, index, value: pin.into() });
        Some(if edits.len() == 1 { edits.swap_remove(0) } else { Edit::Batch(edits) })
    }

    /// The way of the point as keys: the ends, and the frame that is furthest from the curve through the
    /// others, until all frames are within the tolerance.
    fn thinned(&self, first: f64, last: f64) -> Option<Vec<(f64, DVec3)>> {
        if last <= first {
            return None;
        }
        let whole = (0..).map(|k| first.floor() + 1.0 + f64::from(k));
        let frames = std::iter::once(first).chain(whole.take_while(|frame| *frame <= last));
        let unit = ROUNDING * self.tolerance;
        let place = |frame: f64| {
            let at = self.way(frame).to_array();
            (frame, DVec3::from_array(at.map(|x| rounded(x, unit))))
        };
        let way: Vec<(f64, DVec3)> = frames.map(place).collect();
        let mut kept = vec![0, way.len() - 1];
        loop {
            let keys = kept.iter().map(|k| Key::new(way[*k].0, way[*k].1)).collect();
            let curve = Keys::new(keys).ok()?;
            let off = |(frame, at): &(f64, DVec3)| curve.at(*frame).distance(*at);
            let furthest = (0..way.len()).max_by(|a, b| off(&way[*a]).total_cmp(&off(&way[*b])))?;
            match kept.binary_search(&furthest) {
                Err(slot) if off(&way[furthest]) > self.tolerance => kept.insert(slot, furthest),
                _ => break,
            }
        }
        Some(kept.into_iter().map(|k| way[k]).collect())
    }
}

/// A number with as many decimals as a unit has.
fn rounded(x: f64, unit: f64) -> f64 {
    let (mut digits, mut last) = (0, 1.0);
    while last > unit && digits < 12 {
        (digits, last) = (digits + 1, 0.1 * last);
    }
    format!("{x:.digits$}").parse().unwrap_or(x)
}
