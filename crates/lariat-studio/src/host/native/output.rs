//! Pictures, movies and exports, written on a thread of their own.
//!
//! A snapshot of the scene is drawn, so editing goes on meanwhile. Files are complete or absent.
//!
//! Tests: `crates/lariat-studio/tests/studio/output.rs`.

use std::{
    io,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Instant,
};

use lariat_export::{
    Format as ExportFormat, Options, Progress, Timing,
    file::{IfExists, save},
};
use lariat_render::movie;
use lariat_shoot::{
    BUDGET, Bodies, Moments, Product, Sequence, Settings, Shoot, ShootError, simulate_ahead,
    with_dependencies,
};

use crate::host::{OutputProgress, OutputRequest, OutputWork};

/// An output that is being written.
#[derive(Debug)]
pub(super) struct OutputThread {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    cancelled: AtomicBool,
}

#[derive(Debug)]
struct State {
    progress: OutputProgress,
    begun: Instant,
    result: Option<Result<String, String>>,
}

impl Shared {
    fn with<T>(&self, read: impl FnOnce(&mut State) -> T) -> T {
        read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OutputThread {
    /// Starts writing. `report` is called when there is progress, and at the end.
    pub(super) fn start(
        request: OutputRequest,
        report: Box<dyn Fn() + Send + Sync>,
    ) -> io::Result<Self> {
        let progress = OutputProgress { stage: "Starting", share: 0.0, seconds_left: None };
        let state = State { progress, begun: Instant::now(), result: None };
        let shared =
            Arc::new(Shared { state: Mutex::new(state), cancelled: AtomicBool::new(false) });
        let its = shared.clone();
        let thread = thread::Builder::new().name("output".to_owned()).spawn(move || {
            let watch = Watch { shared: &its, report: &*report, stage: "Simulating" };
            let result = write(&request, &watch);
            its.with(|state| state.result = Some(result));
            report();
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    pub(super) fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    pub(super) fn progress(&self) -> OutputProgress {
        self.shared.with(|state| state.progress)
    }

    /// The sentence about the file or the error, once.
    pub(super) fn result(&self) -> Option<Result<String, String>> {
        self.shared.with(|state| state.result.take())
    }
}

impl Drop for OutputThread {
    fn drop(&mut self) {
        self.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reports progress to the window.
#[derive(Clone, Copy)]
struct Watch<'s> {
    shared: &'s Shared,
    report: &'s (dyn Fn() + Sync),
    stage: &'static str,
}

impl Watch<'_> {
    /// The same for another stage of the work, with its own clock.
    fn stage(self, stage: &'static str) -> Self {
        self.shared.with(|state| {
            state.begun = Instant::now();
            state.progress = OutputProgress { stage, share: 0.0, seconds_left: None };
        });
        Watch { stage, ..self }
    }
}

impl Progress for Watch<'_> {
    fn advance(&self, done: u64, total: u64) {
        self.shared.with(|state| {
            let share = done as f64 / total.max(1) as f64;
            let passed = state.begun.elapsed().as_secs_f64();
            let left = (done > 0).then(|| passed * (1.0 - share) / share);
            state.progress = OutputProgress { stage: self.stage, share, seconds_left: left };
        });
        (self.report)();
    }

    fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}

/// Writes a file; returns a sentence about it.
fn write(request: &OutputRequest, watch: &Watch<'_>) -> Result<String, String> {
    let OutputRequest { place, scene, lowered, work, replaces, frames } = request;
    let path = Path::new(place);
    let existing = if *replaces { IfExists::Replace } else { IfExists::Fail };
    let bodies = Bodies::choose(scene, lowered, &[]).map_err(|error| error.to_string())?;
    let frames: Vec<f64> = frames.clone().map(|frame| frame as f64).collect();
    let last = frames.last().copied().unwrap_or_default();
    let needed = with_dependencies(scene, bodies.indices().iter().copied());
    let simulated = simulate_ahead(scene, &needed, last, &|_| Box::new(*watch));
    simulated.map_err(|error| error.to_string())?;
    match work {
        OutputWork::Render { size, quality, camera } => {
            let product = product(path)?;
            let settings = Settings { quality: *quality, camera: *camera, ..Settings::new(*size) };
            let moments = Moments::new(&bodies, &frames, 0.0, BUDGET);
            let framing = watch.stage("Framing");
            let shoot = Shoot::new(&moments, settings, &frames, &framing);
            let shoot = shoot.map_err(|error| error.to_string())?;
            let chosen = if product == Product::Picture { &frames[..1] } else { &frames[..] };
            let watch = watch.stage("Rendering");
            let written = product.write(&shoot, chosen, &[], (path, existing), &watch);
            let written = written.map_err(|error| sentence(&error))?;
            let plural = if written.pictures == 1 { "picture" } else { "pictures" };
            Ok(format!("Rendered {} {plural} to {place}", written.pictures))
        }
        OutputWork::Export => {
            let format = ExportFormat::from_path(path);
            let format = format.ok_or("the name must end in .usda, .csv, .json or .svg")?;
            let frames = frames.into_iter().map(|frame| frame as i64);
            let timing = Timing::new(scene.shot().rate, frames);
            let timing = timing.map_err(|error| error.to_string())?;
            let watch = watch.stage("Exporting");
            save(path, existing, |out| {
                format.write(bodies.footage(), &timing, &Options::default(), out, &watch)
            })
            .map_err(|error| error.to_string())?;
            Ok(format!("Exported to {place}"))
        }
    }
}

fn sentence(error: &ShootError) -> String {
    match error {
        ShootError::Cancelled => "Cancelled; no file was written".to_owned(),
        other => other.to_string(),
    }
}

/// Kind of picture or movie by the end of its name.
fn product(path: &Path) -> Result<Product, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "png" => match Sequence::marked(path) {
            Ok(Some(sequence)) => Ok(Product::Sequence(sequence)),
            Ok(None) => Ok(Product::Picture),
            Err(error) => Err(error.to_string()),
        },
        "mp4" => Ok(Product::Movie(movie::Format::MP4)),
        "gif" => Ok(Product::Movie(movie::Format::GIF)),
        _ => Err("the name must end in .mp4, .gif or .png (#### numbers pictures)".to_owned()),
    }
}
