//! Warnings about the poses that simulations start from: found by `simulate/run/start_pose.rs` and
//! `simulate/string_world/start_checks.rs`.
//!
//! Tests, in `tests/suite/solids.rs`: `a_tie_that_misses_its_string_is_reported`,
//! `a_line_that_starts_through_its_box_is_reported`, `a_line_that_starts_through_an_obstacle_is_reported`,
//! `a_box_that_starts_inside_an_obstacle_is_reported`.

use std::sync::Arc;

use glam::DVec3;
use lariat_scene::check::{Code, Diagnostic};

use super::text::{digits, place};
use super::{Context, Describe};

family! {
    /// Starts of simulations.
    StartWarning in Start:
    PoseMissed, PinMissed, RunsThrough, StartsInside
}

/// A body has too few control points or segments for the curve that it starts from.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseMissed {
    /// Largest distance from the pose, in metres.
    pub missed: f64,
    /// Distance that cannot be seen, in metres.
    pub tolerance: f64,
    /// Control points of a spline rope, or segments of a string.
    pub control_points: usize,
}

impl Describe for PoseMissed {
    fn code(&self) -> Code {
        Code::StartPoseMissed
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("missed", self.missed),
            ("tolerance", self.tolerance),
            ("control_points", self.control_points as f64),
        ]
    }

    fn size(&self) -> f64 {
        self.missed
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { missed, tolerance, control_points }, Context { name, .. }) = (self, context);
        let string = context.dynamics().is_some_and(|how| how.kind() == "string");
        let (what, field) =
            if string { ("segments", "segments") } else { ("control points", "control-points") };
        context
            .diagnostic(
                format!("`{name}` has too few {what} for the curve that it starts from"),
                format!(
                    "with {control_points} of them it misses its pose by {missed:.4} m; {tolerance:.4} m would not be visible"
                ),
            )
            .help(format!(
                "set `{field} = {}` or more, or leave it out to use as many as needed",
                2 * control_points
            ))
            .note("until then it jumps by that distance when its simulation starts")
    }
}

/// A pin is away from the place of the string that it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct PinMissed {
    /// Place along the string, 0–1.
    pub at: f64,
    /// Metres between string and pin when the simulation starts.
    pub missed: f64,
    /// Position of that place of the string, in metres.
    pub place: DVec3,
    /// Name of the simulated solid that the pin ties it to, if it does.
    pub solid: Option<Arc<str>>,
}

impl Describe for PinMissed {
    fn code(&self) -> Code {
        Code::PinAwayFromString
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        let DVec3 { x, y, z } = self.place;
        vec![("at", self.at), ("missed", self.missed), ("x", x), ("y", y), ("z", z)]
    }

    fn size(&self) -> f64 {
        self.missed
    }

    fn key(&self) -> Option<Arc<str>> {
        Some(self.at.to_string().into())
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { at, missed, place, solid }, Context { name, .. }) = (self, context);
        let there = format!("[{:.5}, {:.5}, {:.5}]", place.x, place.y, place.z);
        let apart = format!("{missed:.4} m apart at {at:.4} of the string when it starts");
        if let Some(solid) = solid {
            let message =
                format!("`{name}` is tied to a place of `{solid}` that is away from the string");
            context
                .diagnostic(message, apart)
                .help(format!("the string starts at {there} there: tie it to that place of `{solid}`, or move either of them"))
                .note("the first step pulls both together with their full stiffness")
        } else {
            context
                .diagnostic(format!("a pin of `{name}` is away from the string"), apart)
                .help(format!("the string starts at {there} there: pin it there, or pose it so that it passes through the pin"))
                .note("the first step pulls it to the pin with its full stiffness")
        }
    }
}

/// An obstacle of strings and solids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObstacleName {
    /// The floor of a body, by its name.
    Floor(Arc<str>),
    /// A collider, by its name.
    Collider(Arc<str>),
    /// A simulated solid, by its name.
    Solid(Arc<str>),
}

impl ObstacleName {
    /// The obstacle in a sentence about a body.
    fn in_words(&self, body: &str) -> String {
        match self {
            Self::Floor(of) if **of == *body => "its floor".to_owned(),
            Self::Floor(of) => format!("the floor of `{of}`"),
            Self::Collider(name) | Self::Solid(name) => format!("`{name}`"),
        }
    }

    fn key(&self) -> Arc<str> {
        format!("{self:?}").into()
    }
}

/// The pose that a string starts from runs through an obstacle that it touches.
#[derive(Clone, Debug, PartialEq)]
pub struct RunsThrough {
    /// The obstacle.
    pub through: ObstacleName,
    /// True if its model keeps it out of the obstacle, or it is tied to it.
    pub own: bool,
    /// Frame at which the simulation starts.
    pub frame: f64,
    /// First and last place inside along the string, 0–1.
    pub part: [f64; 2],
    /// Metres of string that are inside.
    pub long: f64,
    /// Largest depth below the surface, in metres.
    pub depth: f64,
    /// Point where it enters on its way to an end that is tied there, in the axes of the solid.
    pub offset: Option<DVec3>,
}

impl Describe for RunsThrough {
    fn code(&self) -> Code {
        Code::StartPoseIntersects
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        let [from, to] = self.part;
        vec![
            ("frame", self.frame),
            ("from", from),
            ("to", to),
            ("long", self.long),
            ("depth", self.depth),
        ]
    }

    fn size(&self) -> f64 {
        self.depth
    }

    fn key(&self) -> Option<Arc<str>> {
        Some(self.through.key())
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let Self { through, own, frame, part: [from, to], long, depth, offset } = self;
        let name = context.name;
        let what = through.in_words(name);
        let tied = matches!(through, ObstacleName::Solid(_)) && *own;
        let held = if tied { ", which it is tied to" } else { "" };
        let beside = format!("pose it so that it passes outside {what}");
        context
            .diagnostic(
                format!("`{name}` starts from a pose that runs through {what}{held}"),
                format!(
                    "at frame {}, {long:.3} m of it are inside, from {from:.3} to {to:.3} of the string, up to {depth:.3} m below the surface",
                    digits(*frame)
                ),
            )
            .help(match (through, offset) {
                (ObstacleName::Solid(solid), Some(at)) => format!(
                    "tie it to where it enters, `{{ body = \"{solid}\", offset = {} }}`, or give it less slack",
                    place(*at)
                ),
                _ if tied => {
                    format!("{beside}: with less slack, with another shape, or tied to another side")
                }
                (ObstacleName::Solid(_), _) => format!("{beside}, or move either of them"),
                _ if *own => format!("{beside}, or give it more `segments`"),
                (ObstacleName::Floor(_), _) => {
                    format!("{beside}, or set its `floor` as well, which keeps its pose above")
                }
                (ObstacleName::Collider(collider), _) => format!(
                    "{beside}, or clamp it as well, which keeps its pose outside: `layers = [{{ kind = \"clamp\", against = \"{collider}\" }}]`"
                ),
            })
            .note("the first step pushes it out over its full depth, and it may tear")
    }
}

/// A solid starts inside an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct StartsInside {
    /// The obstacle.
    pub inside: ObstacleName,
    /// Frame at which the simulation starts.
    pub frame: f64,
    /// Metres that it is inside.
    pub depth: f64,
    /// Position of the solid that would be outside, in metres.
    pub place: DVec3,
}

impl Describe for StartsInside {
    fn code(&self) -> Code {
        Code::SolidStartsInside
    }

    fn numbers(&self) -> Vec<(&'static str, f64)> {
        let DVec3 { x, y, z } = self.place;
        vec![("frame", self.frame), ("depth", self.depth), ("x", x), ("y", y), ("z", z)]
    }

    fn size(&self) -> f64 {
        self.depth
    }

    fn key(&self) -> Option<Arc<str>> {
        Some(self.inside.key())
    }

    fn describe(&self, context: &Context<'_>) -> Diagnostic {
        let (Self { inside, frame, depth, place: out }, name) = (self, context.name);
        let what = inside.in_words(name);
        context
            .diagnostic(
                format!("`{name}` starts inside {what}"),
                format!("at frame {}, by {depth:.3} m", digits(*frame)),
            )
            .help(format!("move it out, to `position = {}`, or move {what}", place(*out)))
            .note("the first step pushes it out, and it is thrown")
    }
}
