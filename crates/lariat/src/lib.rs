//! Ropes, cords, springs and strings for your own programs.
//!
//! | feature | adds | dependencies |
//! |---|---|---|
//! | (none) | models posed by numbers, curves through keys, and [`world`], ropes for games | glam |
//! | `rigid` | solids in [`world`], tied to ropes | rapier |
//! | `document` | `.lariat` documents: open, check, evaluate, edit, export | rapier, rayon |
//! | `render` | pictures and movies of documents | wgpu |
//! | `validate` | the checks of `lariat validate` | |
//!
//! The [`prelude`] has the names that most programs need.
//!
//! # Ropes from numbers
//!
//! A model is a struct of plain numbers; posing it returns points. Models use neither time nor
//! files:
//!
//! ```
//! use lariat::prelude::*;
//!
//! let mut rope = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 5.0);
//! rope.sag_direction = SagDirection::World { swing: 0.4, sway: 0.0 };
//! rope.displacements = vec![
//!     Wave { magnitude: 0.1, frequency: 3.0, phase: 0.0, azimuth: 0.0, envelope: Envelope::BOTH_ENDS }
//!         .into(),
//! ];
//! let pose = rope.pose()?;
//!
//! // Held ends do not move, not even by a rounding error.
//! assert_eq!(pose.points[0], rope.from);
//! assert_eq!(pose.points[48], rope.to);
//! // The waves take up slack, so the rope keeps its length.
//! assert_eq!(pose.warnings, []);
//! assert!(pose.slack.is_some_and(|slack| slack < 1.0));
//! # Ok::<(), lariat::curve::catenary::CatenaryError>(())
//! ```
//!
//! # Strands
//!
//! Renderers and exporters take a [`Strand`](geometry::Strand), swept along the points:
//!
//! ```
//! use lariat::prelude::*;
//!
//! let pose = SuspendedRope::new(DVec3::ZERO, DVec3::X * 4.0, 5.0).pose()?;
//! let hemp = Look { name: "rope".into(), colour: [0.45, 0.29, 0.13] };
//! let mut strand = Strand::empty("mooring", hemp);
//! strand.sweep(&pose.points, &Sweep::round(pose.up, 0.01));
//! assert_eq!(strand.frames().len(), 49);
//! # Ok::<(), lariat::curve::catenary::CatenaryError>(())
//! ```
//!
//! # Ropes in a game
//!
//! A [`World`](world::World) simulates ropes at a fixed rate and returns interpolated points:
//!
//! ```
//! use lariat::prelude::*;
//! use lariat::world::{RopeDef, World};
//!
//! let mut world = World::new();
//! world.add_floor(0.0);
//! let rope = world.add_rope(&RopeDef::between(DVec3::Z * 2.0, DVec3::new(2.0, 0.0, 2.0)))?;
//! let hand = world.hold(rope, 0.0, DVec3::Z * 2.0)?;
//! for frame in 0..60 {
//!     world.set_target(hand, DVec3::new(0.0, 0.01 * f64::from(frame), 2.0))?;
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world.points(rope).iter().all(|point| point.z > 0.0));
//! # Ok::<(), lariat::world::WorldError>(())
//! ```
//!
//! `examples/game_loop.rs` and `examples/own_renderer.rs` are complete programs.
#![cfg_attr(feature = "document", doc = "")]
#![cfg_attr(feature = "document", doc = include_str!("documents.md"))]

#[cfg(feature = "document")]
pub mod extraction;
#[cfg(feature = "document")]
mod files;
#[cfg(feature = "document")]
pub mod journal;
#[cfg(feature = "document")]
pub mod modes_document;
#[cfg(feature = "document")]
pub mod modes_replay;
#[cfg(feature = "document")]
mod open;
#[cfg(feature = "document")]
pub mod starter;
#[cfg(feature = "document")]
pub mod takes;
#[cfg(feature = "document")]
mod worker;
pub mod world;

pub use lariat_core::{curve, dynamics, geometry, model, modes, motion, num};
#[cfg(feature = "document")]
pub use lariat_editor as editor;
#[cfg(feature = "document")]
pub use lariat_eval as eval;
#[cfg(feature = "document")]
pub use lariat_export as export;
#[cfg(feature = "document")]
pub use lariat_import as import;
#[cfg(feature = "render")]
pub use lariat_render as render;
#[cfg(feature = "document")]
pub use lariat_scene as scene;
#[cfg(feature = "render")]
pub use lariat_shoot as shoot;
#[cfg(feature = "validate")]
pub use lariat_validate as validate;

#[cfg(feature = "document")]
pub use files::{Folder, is_named_pipe, is_regular};
#[cfg(feature = "document")]
pub use open::{
    Opened, open, open_file, open_file_with, open_file_without_takes, open_from, open_with,
    sort_diagnostics,
};

#[cfg(feature = "document")]
pub use worker::SimulationWorker;

pub use glam;

/// Names that most programs need: `use lariat::prelude::*`.
///
/// Contains every model with its parts. Generic names (`Format`, `Options`, `Code`, `open`) stay in
/// their modules, so that a glob import does not clash with the names of a program.
pub mod prelude {
    pub use glam::{DMat3, DVec2, DVec3};
    pub use lariat_core::{
        curve::{Frame, Framing, Polyline, Spline, bend::Bend},
        geometry::{Footage, Look, Mesh, Profile, RecordedFootage, Strand, Sweep, tube::Tube},
        model::{
            Bunching, CoiledCord, Hoop, Lasso, Lights, LooseRope, Pose, PoseWarning, SagDirection,
            SagForm, Slinky, Spring, SuspendedRope, Winding, Workspace,
            layer::{
                Clamp, Collider, CompressionWave, Displacement, Envelope, Noise, Pincer, Pulse,
                PulseShape, Rotation, Wave, coils::Compression,
            },
        },
        motion::{Channel, Colour, Extrapolation, FrameRate, Interpolation, Key, Keys, Tangent},
    };
    #[cfg(feature = "document")]
    pub use lariat_eval::{
        Assets, BodyMoment, CameraMoment, Evaluator, Files, MemoryFiles, Moment, Scene,
    };
    #[cfg(feature = "document")]
    pub use lariat_export::{ExportError, Timing};
    #[cfg(feature = "document")]
    pub use lariat_scene::{Document, Edit, Limits, Path, Value, check::Diagnostic};

    #[cfg(feature = "document")]
    pub use crate::{Folder, Opened};
}
