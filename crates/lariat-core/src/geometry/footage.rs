//! Anything that can say what its bodies look like at a frame, and from where: a bound scene, or a recorded take.
//!
//! Exporters and renderers pull from a [`Footage`] body by body and frame by frame, in whatever
//! order suits the file, so that nothing has to be held in memory for longer than it is written.

use super::{Camera, Strand};

/// Bodies whose strands can be asked for at any frame, in any order, from any thread.
pub trait Footage: Sync {
    /// How many bodies there are.
    fn body_count(&self) -> usize;

    /// The name of a body; unique.
    fn body_name(&self, body: usize) -> &str;

    /// Replaces `out` with the strands of one body at one frame (fractions are between frames).
    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>);

    /// The names of the cameras, each its own; most footage has none.
    fn camera_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// One camera at one frame (fractions are between frames); nothing if there are fewer.
    fn camera(&self, _camera: usize, _frame: f64) -> Option<Camera> {
        None
    }
}

/// Strands recorded at whole frames.
#[derive(Clone, Debug, Default)]
pub struct Take {
    /// The frame of the first recording.
    pub first: i64,
    /// Name and recordings of every body, one `Vec<Strand>` a frame.
    pub bodies: Vec<(String, Vec<Vec<Strand>>)>,
}

impl Footage for Take {
    fn body_count(&self) -> usize {
        self.bodies.len()
    }

    fn body_name(&self, body: usize) -> &str {
        &self.bodies[body].0
    }

    /// The recording nearest to `frame`; before the first and after the last, that one.
    fn strands(&self, body: usize, frame: f64, out: &mut Vec<Strand>) {
        out.clear();
        let recordings = &self.bodies[body].1;
        if recordings.is_empty() {
            return;
        }
        let index = (frame.round() - self.first as f64).max(0.0) as usize;
        out.extend_from_slice(&recordings[index.min(recordings.len() - 1)]);
    }
}
