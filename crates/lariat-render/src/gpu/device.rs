//! Selection of a graphics card.

use std::sync::{Arc, Mutex};

use crate::RenderError;

/// An open graphics card.
pub(super) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Name of the card and of its graphics API.
    pub name: String,
    /// First asynchronous error.
    first_error: Arc<Mutex<Option<String>>>,
}

impl Device {
    /// Opens the first available card: Vulkan and similar APIs, then OpenGL. `WGPU_BACKEND`
    /// overrides the choice. Software emulation counts only with `software`.
    pub(super) fn open(software: bool) -> Result<Self, RenderError> {
        let asked = wgpu::Backends::from_env();
        let turns = match asked {
            Some(backends) => vec![backends],
            None => vec![wgpu::Backends::PRIMARY, wgpu::Backends::GL],
        };
        let mut reasons = Vec::new();
        for backends in turns {
            match Self::of(backends, software) {
                Ok(device) => return Ok(device),
                Err(reason) => reasons.push(reason),
            }
        }
        reasons.dedup();
        Err(RenderError::NoGpu { reason: reasons.join("; ") })
    }

    fn of(backends: wgpu::Backends, software: bool) -> Result<Self, String> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = backends;
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))
        .map_err(|error| error.to_string())?;
        let info = adapter.get_info();
        if info.device_type == wgpu::DeviceType::Cpu && !software {
            return Err(format!("only {}, a software renderer", info.name));
        }
        let limits = wgpu::Limits {
            max_buffer_size: adapter.limits().max_buffer_size,
            ..wgpu::Limits::downlevel_webgl2_defaults()
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("lariat"),
            // Optional features only where available, no required ones.
            required_features: adapter.features() & wgpu::Features::FLOAT32_BLENDABLE,
            required_limits: limits.using_resolution(adapter.limits()),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| error.to_string())?;
        let first_error = Arc::new(Mutex::new(None));
        let stored = Arc::clone(&first_error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut slot) = stored.lock() {
                slot.get_or_insert(error.to_string());
            }
        }));
        Ok(Self { device, queue, name: format!("{} ({})", info.name, info.backend), first_error })
    }

    /// Largest width or height of a picture.
    pub(super) fn longest(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Returns an error if the card reported one.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        let error = self.first_error.lock().ok().and_then(|mut slot| slot.take());
        error.map_or(Ok(()), |reason| Err(RenderError::Gpu { reason }))
    }

    /// Waits until all submitted work is done.
    pub(super) fn wait(&self) -> Result<(), RenderError> {
        let done = self.device.poll(wgpu::PollType::wait_indefinitely());
        done.map_err(|error| RenderError::Gpu { reason: error.to_string() })?;
        self.check()
    }
}
