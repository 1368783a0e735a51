//! Renders strands and meshes into pictures, for a given stage and camera.
//!
//! This crate is independent of documents. It takes strands at one moment, or at several for motion
//! blur, and returns a [`Picture`]. All renderers implement [`Renderer`]. [`CpuRenderer`] needs no
//! graphics card and is the reference: it gives the same bytes on every machine and with any number
//! of threads.
//!
//! ```text
//! view.rs       the view to draw, its quality, and the interface of all renderers
//! camera.rs     cameras: position, lens, projection
//! orbit.rs      the camera of a viewport
//! framing.rs    the camera that shows everything
//! stage.rs      light, ground, background
//! water.rs      ripples of a ground that is water
//! surface.rs    surfaces of rope, steel, leather and other looks
//! fray/         torn ends
//! laid.rs       preparation of strands, shared by all renderers
//! lamps.rs      light of bulbs, shared by all renderers
//! cpu/          the reference renderer
//! gpu/          the renderer on a graphics card
//! tone.rs       tone mapping: light to bytes
//! picture.rs    bytes to PNG
//! movie/        pictures to movies: mp4, gif, webp
//! sheet.rs      contact sheets with frame numbers
//! plot/         plots of curves, as SVG or pixels
//! overlay/      overlays: handles, frames, trails, a legend
//! guides.rs     lines, points and outlines in live views
//! pick.rs       the strand or mesh under a pixel
//! typeface.rs   letters of five by seven dots
//! error.rs      errors
//! ```
//!
//! ```
//! use glam::DVec3;
//! use lariat_core::geometry::{Look, Strand, Sweep};
//! use lariat_render::{
//!     Camera, CpuRenderer, Moment, NamedView, Quality, Renderer, Size, Stage, View, bounds_of,
//! };
//!
//! let hemp = Look { name: "rope".into(), colour: [0.45, 0.29, 0.13] };
//! let mut rope = Strand::empty("mooring", hemp);
//! rope.sweep(&[DVec3::Z, DVec3::new(2.0, 0.0, 1.0)], &Sweep::round(DVec3::Z, 0.05));
//!
//! let bounds = bounds_of([&rope]);
//! let size = Size::new(64, 36)?;
//! let camera = Camera::framing(&bounds, NamedView::ThreeQuarter.direction(), size.aspect());
//! let view = View {
//!     moments: &[Moment::new([&rope], camera)],
//!     stage: &Stage::day(&bounds),
//!     size,
//!     quality: Quality::DRAFT,
//! };
//! let picture = CpuRenderer::new().draw(&view)?;
//! let mut file = Vec::new();
//! picture.encode_png(&mut file)?;
//! assert!(file.starts_with(b"\x89PNG"));
//! # Ok::<(), lariat_render::RenderError>(())
//! ```

mod camera;
mod cpu;
mod error;
mod framing;
mod fray;
#[cfg(feature = "gpu")]
mod gpu;
pub mod guides;
mod laid;
mod lamps;
pub mod movie;
mod orbit;
pub mod overlay;
mod pick;
mod picture;
pub mod plot;
mod sheet;
mod stage;
pub mod surface;
pub mod tone;
mod typeface;
mod view;
mod water;

pub use camera::{ANGLE, Camera, MARGIN, NamedView, Projection, Ray};
pub use cpu::CpuRenderer;
pub use error::RenderError;
pub use framing::Framing;
#[cfg(feature = "gpu")]
pub use gpu::{Detail, GpuRenderer, LiveView, PendingPicture, Step, Target};
pub use guides::Guides;
pub use lariat_core::geometry::Lens;
pub use orbit::OrbitCamera;
pub use pick::{Pick, Picked, Picker};
pub use picture::{Picture, Size, size_of_png};
pub use sheet::Sheet;
pub use stage::{Background, Ground, Key, Sky, Stage};
pub use view::{Appearance, DrawnStrand, Moment, Quality, Renderer, View, bounds_of};
pub use water::Water;
