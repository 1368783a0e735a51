//! Renders a document to pictures and movies: cameras, looks, overlays, framing and quality.
//!
//! [`Bodies`] are chosen from a scene and simulated up to the last frame. [`Moments`] evaluates
//! them and keeps frames for reuse. A [`Shoot`] frames the whole shot and draws pictures, which a
//! [`Product`] writes to files. The crate prints nothing; progress and cancellation go through a
//! [`Progress`].
//!
//! ```text
//! bodies.rs     the bodies of a scene that are drawn
//! looks.rs      looks that replace those of the document
//! simulate.rs   simulation up to a frame before anything is drawn
//! moments.rs    evaluated frames, kept within a budget
//! survey.rs     warnings of frames as diagnostics
//! camera.rs     the document's cameras by name
//! viewpoint.rs  direction of the automatic camera
//! framing.rs    extent of a shot, for the automatic camera and the stage
//! drawn.rs      an evaluated frame for live views and picks
//! overlay/      control points, axes, names, measures, ghosts and trails
//! renderer.rs   graphics card or processor
//! shot.rs       a shot that is ready to be drawn
//! product.rs    pictures, sheets and movies as files
//! sequence.rs   names of numbered pictures
//! error.rs      reasons why a shot cannot be drawn
//! ```
//!
//! ```
//! use lariat_eval::Scene;
//! use lariat_render::{Quality, Size};
//! use lariat_scene::{Limits, check::check};
//! use lariat_shoot::{BUDGET, Bodies, Moments, NoProgress, RendererChoice, Settings, Shoot};
//!
//! let text = "lariat = 2\n[[body]]\nname = 'rein'\nmodel = 'loose-rope'\nfrom = [0, 0, 2]\nlength = 1\n";
//! let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.ok_or("no document")?.lowered;
//! let scene = Scene::bind(&lowered);
//!
//! let bodies = Bodies::choose(&scene, &lowered, &[])?;
//! let frames = [1.0, 2.0, 3.0];
//! let moments = Moments::new(&bodies, &frames, 0.0, BUDGET);
//! let size = Size::new(32, 18)?;
//! let settings = Settings {
//!     quality: Quality::DRAFT,
//!     renderer: RendererChoice::Cpu,
//!     ..Settings::new(size)
//! };
//! let shoot = Shoot::new(&moments, settings, &frames, &NoProgress)?;
//! assert_eq!(shoot.picture(2.0)?.size(), size);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bodies;
mod camera;
mod drawn;
mod error;
mod framing;
mod looks;
mod moments;
mod overlay;
mod product;
mod renderer;
mod sequence;
mod shot;
mod simulate;
mod survey;
mod viewpoint;

pub use bodies::Bodies;
pub use camera::{AUTOMATIC, ShotCamera, choose_camera};
pub use drawn::{BodyPart, DrawnMoment};
pub use error::ShootError;
pub use lariat_export::{NoProgress, Progress};
pub use moments::{BUDGET, Moments};
pub use overlay::{Ghosts, Measure, MeasureRange, OverlayError, Overlays};
pub use product::{Product, Written};
pub use renderer::{OpenRenderer, RendererChoice};
pub use sequence::{ExistingPicture, Sequence, existing_picture};
pub use shot::{Settings, Shoot};
pub use simulate::{frames_done, is_unfinished, simulate_ahead, with_dependencies};
pub use survey::{survey, survey_recordings};
pub use viewpoint::{Viewpoint, ViewpointError, parse_angles};
