//! `lariat eval`: points of bodies at frames.

use std::io::Write;

use lariat_eval::Moment;

use crate::{
    console::Console,
    exit::{Done, Outcome},
    frames::FrameSet,
    points::{self, Summary},
    prepare::{self, Reading},
};

/// Print the points of bodies at frames
///
/// One row per point: body, strand, frame, index, `u` along the strand, position and radius in
/// metres, twist in degrees. The slack of ropes and warnings go to standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    reading: Reading,

    /// Frames: 1-10, 1,5-9, 1-100x2, -5-3, or fractional: 12.5 [default: first of the shot]
    #[arg(long, short, value_name = "SET", allow_hyphen_values = true)]
    frames: Option<FrameSet>,

    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: points::Format,

    /// Same as --format json
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
        if !ready.check_frames(&self.reading.bodies, &[], &frames, console)? {
            return Ok(Outcome::Diagnostics);
        }
        let bodies = ready.bodies(&self.reading)?;
        let format = if self.json { points::Format::Json } else { self.format };
        let mut out = Console::results();
        let mut writer = format.writer(&mut out);
        let mut summary = Summary::default();
        let mut moment = Moment::default();
        writer.begin(ready.scene.shot())?;
        for &frame in &frames {
            bodies.evaluate_into(frame, &mut moment);
            let posed: Vec<_> = bodies
                .indices()
                .iter()
                .map(|&body| (ready.scene.body_name(body), &moment.bodies[body]))
                .collect();
            summary.add(&posed);
            writer.frame(frame, &posed)?;
        }
        writer.end()?;
        drop(writer);
        out.flush()?;
        summary.print(console);
        Ok(Outcome::diagnostics_if(ready.has_errors))
    }
}
