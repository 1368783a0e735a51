//! Overlays of a shot: strands get the dress that `--show` asks for, and marks are painted on the
//! finished picture.
//!
//! What a colour means must not change from frame to frame, so the range of a measure is that of
//! the whole shot, found while the camera looks through it. Ghosts and trails stay within the shot:
//! beyond it nothing is meant.
//!
//! Tests: `slack_is_what_is_longer_than_the_gap`, `ranges_hold_what_they_saw`,
//! `what_is_simulated_shows_its_tension_in_newtons`,
//! `a_trail_stays_on_its_piece`, `every_overlay_changes_the_picture`, `colours_mean_the_same_in_every_frame`.

use glam::DVec3;
use lariat_core::geometry::{Mesh, Strand};
use lariat_eval::{BodyMoment, HandleKind, Moment as Pose};
use lariat_render::{
    Camera, Dress, Picture, RenderError, Shown,
    overlay::{self, AFTER, BEFORE, Canvas, Legend, Mark, Step, UNKNOWN, colour_of},
};
use rayon::prelude::*;

use crate::{
    bodies::Bodies,
    exit::Failure,
    shoot::strands,
    show::{Ghosts, Measure, Show},
};

/// How much the nearest ghost covers.
const OPACITY: f64 = 0.8;

/// Frames that a trail reaches, each way, and steps in a frame.
const REACH: i32 = 12;
const STEPS: i32 = 4;

/// Frames that are looked at to find which point of a body moves most.
const LOOKS: i32 = 24;

/// The numbers that a measure had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: f64,
    high: f64,
    /// The same of a tension in newtons, and whether every strand knew it.
    newtons: (f64, f64),
    known: bool,
}

impl Range {
    pub(crate) const EMPTY: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
        newtons: (f64::INFINITY, f64::NEG_INFINITY),
        known: true,
    };

    /// Holds what a measure says of a strand; infinitely much is off the map.
    pub(crate) fn include(&mut self, measure: Option<Measure>, strand: &Strand) {
        let Some(all) = measure.and_then(|measure| numbers(measure, false, strand)) else { return };
        let mut any = false;
        for number in all.filter(|number| number.is_finite()) {
            (self.low, self.high) = (self.low.min(number), self.high.max(number));
            any = true;
        }
        match measure.and_then(|measure| numbers(measure, true, strand)) {
            Some(newtons) => {
                let (low, high) = &mut self.newtons;
                newtons.for_each(|number| (*low, *high) = (low.min(number), high.max(number)));
            }
            None => self.known &= !any,
        }
    }

    pub(crate) fn include_all_of(&mut self, other: Self) {
        *self = Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            newtons: (self.newtons.0.min(other.newtons.0), self.newtons.1.max(other.newtons.1)),
            known: self.known && other.known,
        };
    }

    /// Whether every strand that was seen and knows its tension knows it in newtons.
    fn is_in_newtons(&self) -> bool {
        self.known && self.newtons.0 <= self.newtons.1
    }
}

/// What a measure says of each point of a strand, if it knows; a tension in newtons, or in metres of the
/// strand's own weight.
fn numbers(
    measure: Measure,
    newtons: bool,
    strand: &Strand,
) -> Option<Box<dyn Iterator<Item = f64> + '_>> {
    match measure {
        Measure::Tension if newtons => {
            let tension = strand.tension.as_ref()?;
            tension.newtons(0.0)?;
            let last = (strand.points().len().max(2) - 1) as f64;
            let at = move |i: usize| tension.newtons(i as f64 / last).unwrap_or(0.0);
            Some(Box::new((0..strand.points().len()).map(at)))
        }
        Measure::Tension => Some(Box::new(strand.tensions()?)),
        Measure::Slack => {
            let slack = slack(strand)?;
            Some(Box::new(strand.points().iter().map(move |_| slack)))
        }
    }
}

/// How much longer a strand is than its ends are apart, in percent; a ring has no ends.
fn slack(strand: &Strand) -> Option<f64> {
    let points = strand.points();
    let gap = points.first()?.distance(*points.last()?);
    let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let apart = !strand.closed && gap > 1e-9 * length;
    apart.then(|| ((length / gap - 1.0) * 100.0).max(0.0))
}

/// Everything that is shown besides the picture.
pub(crate) struct Overlay<'s> {
    bodies: &'s Bodies<'s>,
    show: Show,
    legend: Option<Legend>,
    /// Whether tension is shown in newtons.
    newtons: bool,
    /// First and last frame of the shot.
    shot: (f64, f64),
    /// The point of each chosen body that a trail follows: start, middle or end.
    followed: Vec<Option<usize>>,
}

impl<'s> Overlay<'s> {
    /// Makes ready for a shot in which the measure had these numbers.
    pub(crate) fn new(
        bodies: &'s Bodies<'s>,
        show: Show,
        range: Range,
        frames: &[f64],
    ) -> Result<Self, Failure> {
        let whole = |(low, high): (f64, f64), frame: &f64| (low.min(*frame), high.max(*frame));
        let shot = frames.iter().fold((f64::INFINITY, f64::NEG_INFINITY), whole);
        let legend = show.measure.map(|measure| legend(measure, range)).transpose()?;
        let followed =
            if show.trails && !bodies.are_still() { most_moving(bodies, shot) } else { Vec::new() };
        Ok(Self { bodies, show, legend, newtons: range.is_in_newtons(), shot, followed })
    }

    /// The neighbours of a frame that are shown as ghosts.
    pub(crate) fn ghosts(&self, frame: f64) -> Vec<(Pose, Dress<'static>)> {
        let Some(Ghosts { before, after, step }) = self.show.ghosts else { return Vec::new() };
        let ghost = |k: u32, of: u32, way: f64, tint: [f32; 3]| {
            let at = frame + way * f64::from(k) * f64::from(step);
            let inside = (self.shot.0..=self.shot.1).contains(&at);
            inside.then(|| {
                let mut pose = Pose::default();
                self.bodies.pose_into(at, &mut pose);
                let opacity = (OPACITY * f64::from(of + 1 - k) / f64::from(of)) as f32;
                (pose, Dress::Ghost { tint, opacity })
            })
        };
        let before = (1..=before).filter_map(|k| ghost(k, before, -1.0, BEFORE));
        before.chain((1..=after).filter_map(|k| ghost(k, after, 1.0, AFTER))).collect()
    }

    /// The colours of all strands of a pose; none if they are shown as what they are made of.
    pub(crate) fn colours(&self, pose: &Pose) -> Vec<Vec<[f32; 3]>> {
        let (Some(measure), Some(legend)) = (self.show.measure, &self.legend) else {
            return Vec::new();
        };
        let colours = |strand: &Strand| match numbers(measure, self.newtons, strand) {
            Some(numbers) => numbers.map(|number| colour_of(legend.place(number))).collect(),
            None => vec![UNKNOWN; strand.points().len()],
        };
        strands(self.bodies, pose).map(colours).collect()
    }

    /// The strands of a pose in their colours, and ghosts around them.
    pub(crate) fn dressed<'p>(
        &self,
        pose: &'p Pose,
        colours: &'p [Vec<[f32; 3]>],
        ghosts: &'p [(Pose, Dress<'static>)],
    ) -> Vec<Shown<'p>>
    where
        's: 'p,
    {
        let there = strands(self.bodies, pose).enumerate().map(|(k, strand)| Shown {
            strand,
            dress: colours.get(k).map_or(Dress::Look, |map| Dress::Map(map)),
        });
        let ghosts = ghosts.iter().flat_map(|(pose, dress)| {
            strands(self.bodies, pose).map(|strand| Shown { strand, dress: *dress })
        });
        there.chain(ghosts).collect()
    }

    /// Paints the marks of a frame.
    pub(crate) fn paint(
        &self,
        frame: f64,
        pose: &Pose,
        camera: &Camera,
        picture: &mut Picture,
    ) -> Result<(), RenderError> {
        if self.show == Show::default() {
            return Ok(());
        }
        let sights = camera.sights(picture.size())?;
        let canvas = &mut Canvas::new(picture);
        for (k, point) in self.followed.iter().enumerate() {
            let visible = pose.bodies[self.bodies.indices()[k]].visible;
            if let Some(point) = point.filter(|_| visible) {
                overlay::trail(canvas, &sights, &self.path(k, point, frame));
            }
        }
        if self.show.frames {
            for strand in strands(self.bodies, pose) {
                overlay::axes(canvas, &sights, strand);
            }
        }
        if self.show.handles {
            for body in self.bodies.indices().iter().filter(|body| pose.bodies[**body].visible) {
                let handles = self.bodies.handles(*body, frame);
                let marks: Vec<(DVec3, Mark)> =
                    handles.points.iter().map(|handle| (handle.at, mark(handle.kind))).collect();
                overlay::marks(canvas, &sights, &marks, handles.polygon);
            }
        }
        if let Some(legend) = &self.legend {
            legend.paint(canvas);
        }
        Ok(())
    }

    /// Where a point of the `k`th chosen body is around a frame.
    fn path(&self, k: usize, point: usize, frame: f64) -> Vec<Step> {
        let whole = REACH * STEPS;
        let look = |step: i32| {
            let at = frame + f64::from(step) / f64::from(STEPS);
            let inside = (self.shot.0..=self.shot.1).contains(&at);
            let places = inside.then(|| self.bodies.body_at(self.bodies.indices()[k], at))?;
            places.visible.then_some(())?;
            let age = f64::from(step) / f64::from(whole);
            let frame = step % STEPS == 0;
            Some(Step { age, at: candidates(&places)?[point], frame })
        };
        (-whole..=whole).into_par_iter().filter_map(look).collect()
    }
}

/// Start, middle and end; of a mesh, as its file has them. Of a rope that tears they stay where they
/// are on it, whichever piece that has come to be.
fn candidates(body: &BodyMoment) -> Option<[DVec3; 3]> {
    if body.strands.first().is_some_and(|strand| strand.piece.is_some()) {
        let [start, middle, end] = [0.0, 0.5, 1.0].map(|place| on_piece(&body.strands, place));
        return Some([start?, middle?, end?]);
    }
    let strand = body.strands.first().map(Strand::points);
    let points = strand.or(body.mesh.as_ref().map(Mesh::points))?;
    Some([*points.first()?, points[points.len() / 2], *points.last()?])
}

/// The point nearest to a place of a rope, on whichever piece it is; at a tear, on that before it.
fn on_piece(strands: &[Strand], place: f64) -> Option<DVec3> {
    strands.iter().find_map(|strand| {
        let u = strand.piece?.along(place)?;
        let last = strand.points().len().checked_sub(1)?;
        Some(strand.points()[(u * last as f64).round() as usize])
    })
}

/// Which of start, middle and end of each chosen body goes farthest in a shot.
fn most_moving(bodies: &Bodies<'_>, (first, last): (f64, f64)) -> Vec<Option<usize>> {
    let looks: Vec<Vec<Option<[DVec3; 3]>>> = (0..=LOOKS)
        .into_par_iter()
        .map(|k| {
            let mut pose = Pose::default();
            let frame = first + (last - first) * f64::from(k) / f64::from(LOOKS);
            bodies.pose_into(frame, &mut pose);
            bodies.indices().iter().map(|body| candidates(&pose.bodies[*body])).collect()
        })
        .collect();
    let farthest = |body: usize| {
        let mut gone = [0.0; 3];
        for pair in looks.windows(2) {
            let (a, b) = (pair[0][body]?, pair[1][body]?);
            for (gone, (a, b)) in gone.iter_mut().zip(a.into_iter().zip(b)) {
                *gone += a.distance(b);
            }
        }
        // Of equals the middle: there is more to see.
        let best =
            [1, 2, 0].into_iter().fold(1, |best, k| if gone[k] > gone[best] { k } else { best });
        (gone[best] > 1e-9).then_some(best)
    };
    (0..bodies.indices().len()).map(farthest).collect()
}

fn mark(kind: HandleKind) -> Mark {
    match kind {
        HandleKind::Point => Mark::Square,
        HandleKind::Locator | HandleKind::Body => Mark::Disc,
        HandleKind::Bend => Mark::Diamond,
    }
}

fn legend(measure: Measure, range: Range) -> Result<Legend, Failure> {
    let known = range.low <= range.high;
    match measure {
        Measure::Tension if !known => Err(Failure::new(
            "no strand in this shot knows its tension: only ropes that hang free between two ends \
             do, and ropes that are simulated; `--show slack` works for every strand that has ends",
        )),
        Measure::Tension => {
            let title = "tension".to_owned();
            let (unit, low, high) = match range.is_in_newtons() {
                true => ("N", range.newtons.0, range.newtons.1),
                // Ropes that are only posed have no mass.
                false => ("metres of own weight", range.low, range.high),
            };
            // One number for all still needs two ends.
            let room = if high > low { 0.0 } else { 0.05 * high.max(1e-3) };
            let (low, high) = ((low - room).max(0.0), high + room);
            Ok(Legend { title, unit: unit.to_owned(), low, high })
        }
        Measure::Slack => {
            let high = if known && range.high > 1e-6 { range.high } else { 1.0 };
            Ok(Legend { title: "slack".to_owned(), unit: "%".to_owned(), low: 0.0, high })
        }
    }
}

#[cfg(test)]
mod tests {
    use lariat_core::geometry::{Look, RopePiece, Sweep, Tension};

    use super::*;

    fn rope(points: &[DVec3]) -> Strand {
        let mut strand = Strand::empty("x", Look { name: "rope".into(), colour: [0.5; 3] });
        strand.sweep(points, &Sweep::round(DVec3::Z, 0.1));
        strand
    }

    #[test]
    fn slack_is_what_is_longer_than_the_gap() {
        let bent = rope(&[DVec3::ZERO, DVec3::new(3.0, 4.0, 0.0), DVec3::X * 6.0]);
        assert!((slack(&bent).unwrap() - 200.0 / 3.0).abs() < 1e-12);
        assert_eq!(slack(&rope(&[DVec3::ZERO, DVec3::X])), Some(0.0));
        assert_eq!(slack(&rope(&[DVec3::ZERO, DVec3::X, DVec3::ZERO])), None, "ends that meet");
    }

    #[test]
    fn a_trail_stays_on_its_piece() {
        let mut line: Vec<DVec3> = (0..9).map(|i| DVec3::X * f64::from(i)).collect();
        let mut body = BodyMoment::default();
        let whole = RopePiece::whole(8.0, 0.1);
        let piece = |points: &[DVec3], from: f64, to: f64| {
            let mut strand = rope(points);
            strand.piece = Some(whole.part(from, to));
            strand
        };
        body.strands = vec![piece(&line, 0.0, 1.0)];
        assert_eq!(candidates(&body), Some([line[0], line[4], line[8]]));
        // Torn after two segments: the start stays, the rest has fallen.
        let start = piece(&line[..3], 0.0, 0.25);
        for p in &mut line {
            p.z = -1.0;
        }
        body.strands = vec![piece(&line[2..], 0.25, 1.0), start];
        assert_eq!(candidates(&body), Some([DVec3::ZERO, line[4], line[8]]));
    }

    #[test]
    fn ranges_hold_what_they_saw() {
        let mut strand = rope(&[DVec3::ZERO, DVec3::X]);
        let mut range = Range::EMPTY;
        range.include(Some(Measure::Tension), &strand);
        assert_eq!(range, Range::EMPTY, "nobody told it");
        assert!(legend(Measure::Tension, range).is_err());
        strand.tension = Some(Tension::Hanging {
            horizontal: f64::INFINITY,
            vertical_at_start: 0.0,
            weight: 1.0,
        });
        range.include(Some(Measure::Tension), &strand);
        assert_eq!(range, Range::EMPTY, "endless is off the map");
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Some(Measure::Tension), &strand);
        assert_eq!((range.low, range.high), (3.0, 5.0));
        assert_eq!(legend(Measure::Tension, range).ok().unwrap().unit, "metres of own weight");
    }

    #[test]
    fn what_is_simulated_shows_its_tension_in_newtons() {
        let mut strand = rope(&[DVec3::ZERO, DVec3::X]);
        let newtons = [40.0, 80.0].into();
        strand.tension = Some(Tension::Measured { newtons, weight_per_metre: 2.0 });
        let mut range = Range::EMPTY;
        range.include(Some(Measure::Tension), &strand);
        let shown = legend(Measure::Tension, range).ok().unwrap();
        assert_eq!((shown.unit.as_str(), shown.low, shown.high), ("N", 40.0, 80.0));
        let numbers = numbers(Measure::Tension, range.is_in_newtons(), &strand).unwrap();
        assert_eq!(numbers.collect::<Vec<_>>(), [40.0, 80.0]);
        // Beside a rope that is only posed, both in what both have.
        strand.tension =
            Some(Tension::Hanging { horizontal: 3.0, vertical_at_start: 0.0, weight: 4.0 });
        range.include(Some(Measure::Tension), &strand);
        let shown = legend(Measure::Tension, range).ok().unwrap();
        assert_eq!((shown.unit.as_str(), shown.high), ("metres of own weight", 40.0));
    }
}
