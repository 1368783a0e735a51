//! `lariat eval`: where the points of bodies are at frames.

use std::io::Write;

use lariat_eval::Moment;

use crate::{
    console::Console,
    exit::{Done, Outcome},
    frames::FrameSet,
    points::{self, Remarks},
    prepare::{self, Reading},
};

/// Print the points of bodies at frames
///
/// One row per point: body, strand, frame, index, `u` along the strand, place and radius in metres,
/// twist in degrees.
/// How much slack ropes have, and what could not be done as told, goes to standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    reading: Reading,

    /// Frames: 1-10, 1,5-9, 1-100x2, -5-3, or between two: 12.5 [default: first of the shot]
    #[arg(long, short, value_name = "SET", allow_hyphen_values = true)]
    frames: Option<FrameSet>,

    /// How points are written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: points::Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Eval {
    pub(crate) fn run(&self, console: Console) -> Done {
        let Some(mut ready) = prepare::read(&self.reading, console)? else {
            return Ok(Outcome::Diagnostics);
        };
        let first = ready.scene.shot().first;
        let set = self.frames.clone().unwrap_or_else(|| FrameSet::range(first, first));
        let frames = ready.frames(&set)?;
        if !ready.look(&self.reading.bodies, &[], &frames, console)? {
            return Ok(Outcome::Diagnostics);
        }
        let bodies = ready.bodies(&self.reading)?;
        let format = if self.json { points::Format::Json } else { self.format };
        let mut out = Console::results();
        let mut writer = format.writer(&mut out);
        let mut remarks = Remarks::default();
        let mut moment = Moment::default();
        writer.begin(ready.scene.shot())?;
        for &frame in &frames {
            bodies.evaluate_into(frame, &mut moment);
            let posed: Vec<_> = bodies
                .indices()
                .iter()
                .map(|&body| (ready.scene.body_name(body), &moment.bodies[body]))
                .collect();
            remarks.note(&posed);
            writer.frame(frame, &posed)?;
        }
        writer.end()?;
        drop(writer);
        out.flush()?;
        remarks.say(console);
        Ok(Outcome::diagnostics_if(ready.has_errors))
    }
}
