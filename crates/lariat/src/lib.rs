//! Ropes, cords, springs and strings: the library to add to a project of your own.
//!
//! Everything of Lariat under one roof, and a [`prelude`] with what most programs need. There are
//! two ways to work with it.
//!
//! # Ropes made in Rust
//!
//! A model is plain numbers, and posing it gives points. Nothing here knows of time or files:
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
//! // Held ends do not move, not even by a rounding error …
//! assert_eq!(pose.points[0], rope.from);
//! assert_eq!(pose.points[48], rope.to);
//! // … and the waves have used up slack, so the rope is as long as it was told to be.
//! assert_eq!(pose.warnings, []);
//! assert!(pose.slack.is_some_and(|slack| slack < 1.0));
//! # Ok::<(), lariat::curve::catenary::CatenaryError>(())
//! ```
//!
//! # A rope in a game
//!
//! A [`SplineRope`](dynamics::spline_rope::SplineRope) moves by forces, one step at a time. Its state
//! is in plain arrays, pins and obstacles may be elsewhere at every step, and no step allocates:
//!
//! ```
//! use lariat::game::*;
//!
//! // Two metres of hemp, a centimetre thick, in a hand above the floor.
//! let line: Vec<DVec3> = (0..=20).map(|i| DVec3::new(0.1 * f64::from(i), 0.0, 1.5)).collect();
//! let hemp = Material::find("hemp").ok_or("not a material")?.at_radius(0.005);
//! let mut rope = SplineRope::along(&line, &Build::new(16, hemp))?;
//! rope.obstacles.push(Obstacle::standing(Collider::floor(0.0), 0.005));
//! rope.pins.push(Pin::at(0.0, line[0]));
//!
//! let dt = 1.0 / 60.0;
//! for frame in 0..60 {
//!     // Where the hand is at the end of the step, and where the whole rope is then.
//!     rope.pins[0].target = DVec3::new(0.0, 0.01 * f64::from(frame), 1.5);
//!     rope.step(dt)?;
//!     let _place = rope.point(0.5);
//! }
//! assert!(rope.point(0.0).distance(rope.pins[0].target) < 1e-12);
//! assert!(rope.state.positions.iter().all(|point| point.z > -0.01));
//!
//! // Let go.
//! rope.pins[0].on = false;
//! rope.step(dt)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Strands
//!
//! What becomes a picture or a file is a [`Strand`](geometry::Strand), swept along the points:
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
//! # Documents
//!
//! A `.lariat` document is a whole shot, keyed through time. [`open()`] reads and checks it, and the
//! scene it gives can be evaluated at any frame, in any order, with the same bits:
//!
//! ```
//! use lariat::export::{Format, Options, NoProgress};
//! use lariat::prelude::*;
//!
//! let text = r#"
//! lariat = 1
//!
//! [shot]
//! frames = [1, 48]
//!
//! [[body]]
//! name = "rein"
//! model = "suspended-rope"
//! from = [0, 0, 2]
//! to = [3, 0, 2]
//! length = 4
//! swing = { keys = [[1, 0], [24, 40], [48, 0]] }
//! "#;
//!
//! let opened = lariat::open(text.as_bytes(), &Limits::DEFAULT);
//! assert!(opened.diagnostics.is_empty());
//! let scene = opened.scene.expect("there are no errors");
//!
//! let moment = scene.evaluate(12.0);
//! let rope = &moment.bodies[0].strands[0];
//! assert_eq!(rope.points()[0], DVec3::new(0.0, 0.0, 2.0));
//!
//! // The whole shot as USD, or as anything else that `export` can write.
//! let timing = Timing::new(scene.shot().rate, scene.shot().first..=scene.shot().last)?;
//! let mut file = Vec::new();
//! Format::Usda.write(&scene, &timing, &Options::default(), &mut file, &NoProgress)?;
//! assert!(file.starts_with(b"#usda 1.0"));
//! # Ok::<(), ExportError>(())
//! ```
//!
//! A document with meshes names files; [`open_file`] looks for them beside it, [`open_with`] asks
//! whoever has them. What was recorded of bodies that are simulated lies beside it too: [`takes`].
//!
//! What is wrong with a document comes as diagnostics, all of them at once, each with its code, its
//! place, the numbers and the way out:
//!
//! ```
//! use lariat::prelude::*;
//!
//! let opened = lariat::open(b"lariat = 1\n[[bdoy]]\nname = 'rein'\n", &Limits::DEFAULT);
//! let diagnostic = opened.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).expect("a slip");
//! assert_eq!(diagnostic.code.name(), "L0201");
//! assert_eq!(diagnostic.helps, ["did you mean `body`?"]);
//! assert!(opened.scene.is_none());
//! ```

mod files;
pub mod modes_document;
mod open;
pub mod starter;
pub mod takes;

pub use lariat_core::{curve, dynamics, geometry, model, modes, motion, num};
pub use lariat_eval as eval;
pub use lariat_export as export;
pub use lariat_import as import;
#[cfg(feature = "render")]
pub use lariat_render as render;
pub use lariat_scene as scene;
#[cfg(feature = "render")]
pub use lariat_shoot as shoot;
#[cfg(feature = "validate")]
pub use lariat_validate as validate;

pub use files::Folder;
pub use open::{
    Opened, open, open_file, open_file_without_takes, open_from, open_with, sort_diagnostics,
};

pub use glam;

/// What a rope needs that moves by forces, step by step: `use lariat::game::*`.
pub mod game {
    pub use glam::{DMat3, DVec3};
    pub use lariat_core::{
        dynamics::{
            Diverged,
            air::{Air, Gusts},
            contact::Obstacle,
            material::{Material, Section},
            spline_rope::{Build, BuildError, Force, Pin, SplineRope, State, StepReport},
        },
        model::layer::Collider,
    };
}

/// What most programs need: `use lariat::prelude::*`.
///
/// Every model is here with all that it is built of. What has a common name (`Format`, `Options`,
/// `Code`, `open`) stays in its module, so that a glob brings nothing that could be anyone's.
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
    pub use lariat_eval::{
        Assets, BodyMoment, CameraMoment, Evaluator, Files, MemoryFiles, Moment, Scene,
    };
    pub use lariat_export::{ExportError, Timing};
    pub use lariat_scene::{Document, Edit, Limits, Path, Value, check::Diagnostic};

    pub use crate::{Folder, Opened};
}
