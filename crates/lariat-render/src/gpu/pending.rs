//! Pictures of live views that are read back without waiting for the device.
//!
//! Tests, in the suite: `a_pending_picture_is_that_of_the_view`.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use super::{
    GpuRenderer,
    live::{LiveView, Target},
    pipelines::BYTES,
    targets::Readback,
};
use crate::{Picture, RenderError};

/// States of the buffer.
const WAITING: u8 = 0;
const MAPPED: u8 = 1;
const FAILED: u8 = 2;

/// A picture that the device is still drawing.
pub struct PendingPicture {
    readback: Readback,
    state: Arc<AtomicU8>,
}

impl std::fmt::Debug for PendingPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingPicture").field("state", &self.state).finish_non_exhaustive()
    }
}

impl GpuRenderer {
    /// Begins to draw a view and to read it back.
    pub fn draw_pending(&mut self, live: &LiveView<'_>) -> Result<PendingPicture, RenderError> {
        let readback = Readback::new(&self.card.device, live.view.size);
        let mut encoder = self.encoder();
        let target = Target { view: &readback.view, format: BYTES };
        self.record_into(live, &target, &mut encoder)?;
        readback.copy_out(&mut encoder);
        let scopes = self.card.collect_errors();
        self.card.queue.submit([encoder.finish()]);
        scopes.pop()?;
        let state = Arc::new(AtomicU8::new(WAITING));
        let mapped = Arc::clone(&state);
        readback.map(move |is_mapped| {
            mapped.store(if is_mapped { MAPPED } else { FAILED }, Ordering::Release);
        });
        Ok(PendingPicture { readback, state })
    }

    /// The picture, once it is there. Returns at once.
    pub fn finished(&self, pending: &PendingPicture) -> Option<Result<Picture, RenderError>> {
        // In browsers, callbacks come without polling.
        drop(self.card.device.poll(wgpu::PollType::Poll));
        match pending.state.load(Ordering::Acquire) {
            WAITING => None,
            MAPPED => Some(pending.readback.mapped_picture()),
            _ => Some(Err(RenderError::GpuLost)),
        }
    }
}
