//! Extraction of modes: a body is simulated and recorded, or a file is read; then its modes are found,
//! and the keys of the wiggles that drive them.
//!
//! Tests: `crates/lariat-studio/tests/studio/modes.rs`.

use std::{fs, ops::ControlFlow, path::Path};

use lariat::{
    extraction::{Extracted, MotionFile, extract, record},
    import::{mode_file, recording::ReadOptions},
    is_named_pipe,
    modes_document::{self, Options, Stage},
    modes_replay::Replay,
};
use lariat_core::modes::{ExtractOptions, ModeCount, Recording};
use lariat_eval::Scene;
use lariat_export::Progress;
use lariat_scene::{Limits, lower::Lowered};
use lariat_shoot::{Bodies, simulate_ahead, with_dependencies};

use super::task::Watch;
use crate::host::{ExtractedModes, MOST_MODES, ModesRequest, ModesSource};

/// Steps of a progress bar.
const STEPS: f64 = 200.0;

/// Wiggles follow the recording within a tenth of the motion, as on the command line. Smaller:
/// more keys than a person wants to drag. Larger: another motion.
const FOLLOW: Options = Options { tolerance: 0.1, max_keys: usize::MAX, slosh: 1.0 };

type ModesWatch<'w> = Watch<'w, Box<ExtractedModes>>;

/// Extracts modes.
pub(super) fn extract_modes(
    request: &ModesRequest,
    watch: &ModesWatch<'_>,
) -> Result<Box<ExtractedModes>, String> {
    found(request, watch).map_err(|why| match watch.cancelled() {
        true => "Cancelled; no modes were extracted".to_owned(),
        false => why,
    })
}

fn found(request: &ModesRequest, watch: &ModesWatch<'_>) -> Result<Box<ExtractedModes>, String> {
    let (extracted, recording) = match &request.source {
        ModesSource::File(place) if MotionFile::of(Path::new(place)) == MotionFile::Modes => {
            let set = mode_file::read(&bytes(place)?).map_err(|error| about(place, &error))?;
            (Extracted { set, residuals: Vec::new(), notes: Vec::new() }, None)
        }
        source => {
            let recording = match source {
                ModesSource::Body { scene, lowered, name } => {
                    recorded(scene, lowered, name, request, watch)?
                }
                ModesSource::File(place) => {
                    let read = MotionFile::of(Path::new(place));
                    let read = read.read(&bytes(place)?, &ReadOptions::default());
                    read.map_err(|error| about(place, &error))?
                }
            };
            let stage = watch.stage("Extracting modes");
            let find = |options| extract(&recording, options, &mut |share| step(&stage, share));
            let mut extracted = find(&request.options).map_err(|error| error.to_string())?;
            if extracted.set.modes().len() > MOST_MODES
                && matches!(request.options.mode_count, ModeCount::Share(_))
            {
                let mode_count = ModeCount::Count(MOST_MODES);
                let options = ExtractOptions { mode_count, ..request.options.clone() };
                extracted = find(&options).map_err(|error| error.to_string())?;
            }
            (extracted, Some(recording))
        }
    };
    let mut current = (Stage::Keys, watch.stage("Finding keys"));
    let mut progress = |stage: Stage, share: f64| {
        if stage != current.0 {
            current = (stage, current.1.stage("Comparing"));
        }
        step(&current.1, share)
    };
    let set = &extracted.set;
    let document =
        modes_document::write(set, recording.as_ref(), "m.modes", None, &FOLLOW, &mut progress);
    let document = document.map_err(|error| error.to_string())?;
    let file = mode_file::write(set);
    let replay = Replay::new(set, &file);
    Ok(Box::new(ExtractedModes { extracted, document, file, replay }))
}

fn step(watch: &ModesWatch<'_>, share: f64) -> ControlFlow<()> {
    watch.advance((STEPS * share) as u64, STEPS as u64);
    if watch.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Simulates a body as far as it is needed, and records it.
fn recorded(
    scene: &Scene,
    lowered: &Lowered,
    name: &str,
    request: &ModesRequest,
    watch: &ModesWatch<'_>,
) -> Result<Recording, String> {
    let shot = scene.shot();
    let frames = request.options.frames.clone().unwrap_or(shot.first..=shot.last);
    let bodies = Bodies::choose(scene, lowered, &[name.to_owned()]).map_err(|e| e.to_string())?;
    let needed = with_dependencies(scene, bodies.indices().iter().copied());
    let simulated = simulate_ahead(scene, &needed, *frames.end() as f64, &|_| Box::new(*watch));
    simulated.map_err(|error| error.to_string())?;
    let stopped = bodies.indices().iter().find_map(|body| scene.simulation(*body));
    if let Some(run) = stopped.filter(|run| run.stopped && run.to < *frames.end() as f64) {
        let last = run.to.floor();
        return Err(format!(
            "the simulation of {name} stops after frame {last}; choose frames up to it"
        ));
    }
    let stage = watch.stage("Recording");
    let mut step = |share| step(&stage, share);
    record(bodies.footage(), shot.rate, frames, &mut step).map_err(|error| error.to_string())
}

fn about(place: &str, error: &dyn std::fmt::Display) -> String {
    let name = Path::new(place).file_name().unwrap_or_default().to_string_lossy();
    format!("`{name}`: {error}")
}

fn bytes(place: &str) -> Result<Vec<u8>, String> {
    let path = Path::new(place);
    let most = Limits::DEFAULT.bytes_per_asset;
    let found = fs::metadata(path).map_err(|error| about(place, &error))?;
    match () {
        () if is_named_pipe(path) || !found.is_file() => Err(about(place, &"it is not a file")),
        () if found.len() > most => {
            let size = found.len();
            Err(about(place, &format!("it has {size} bytes; the limit is {most}")))
        }
        () => fs::read(path).map_err(|error| about(place, &error)),
    }
}
