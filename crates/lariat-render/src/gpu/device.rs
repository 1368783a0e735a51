//! The graphics device: opened here, or given by the caller; its errors and its loss.
//!
//! A device of the caller keeps its handlers: errors are collected by error scopes around the work
//! on it, and its loss is found by mapping a small buffer, which fails on a lost device.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, Waker},
};

use crate::RenderError;

/// An open graphics card.
pub(super) struct Device {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Name of the card and of its graphics API.
    pub name: String,
    /// First asynchronous error.
    first_error: Arc<Mutex<Option<String>>>,
    probe: Probe,
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
        let name = format!("{} ({})", info.name, info.backend);
        let probe = Probe::new(&device);
        Ok(Self { device, queue, name, first_error, probe })
    }

    /// A device of the caller.
    pub(super) fn given(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        let name = format!("{} ({})", info.name, info.backend);
        let scopes = Scopes::push(&device);
        let probe = Probe::new(&device);
        let error = scopes.pop().err().map(|error| error.to_string());
        Self { device, queue, name, first_error: Arc::new(Mutex::new(error)), probe }
    }

    /// Returns an error if the device is lost.
    pub(super) fn check_alive(&self) -> Result<(), RenderError> {
        // Also collects the error of a buffer that was created on a lost device.
        let scopes = self.collect_errors();
        let alive = self.probe.check();
        let mapped = scopes.pop();
        alive.and(mapped.map_err(|_| RenderError::GpuLost))
    }

    /// Collects the errors of this thread's work on the device until the scopes are popped.
    pub(super) fn collect_errors(&self) -> Scopes {
        Scopes::push(&self.device)
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

/// Error scopes of all kinds, innermost last.
pub(super) struct Scopes([wgpu::ErrorScopeGuard; 3]);

impl Scopes {
    fn push(device: &wgpu::Device) -> Self {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        Self([OutOfMemory, Internal, Validation].map(|filter| device.push_error_scope(filter)))
    }

    /// Returns the first error that was collected. In browsers errors arrive later and are written
    /// to the console instead.
    pub(super) fn pop(self) -> Result<(), RenderError> {
        let [outer, middle, inner] = self.0;
        // All are popped, the innermost first.
        let found = [inner, middle, outer].map(|scope| {
            let mut error = pin!(scope.pop());
            match error.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(error) => error,
                Poll::Pending => None,
            }
        });
        match found.into_iter().flatten().next() {
            Some(error) => Err(RenderError::Gpu { reason: error.to_string() }),
            None => Ok(()),
        }
    }
}

/// Small buffer that can be mapped as long as the device is not lost.
struct Probe {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

/// States of a probe.
const IDLE: u8 = 0;
const MAPPING: u8 = 1;
const MAPPED: u8 = 2;
const FAILED: u8 = 3;

impl Probe {
    fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("probe"),
            size: 4,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { buffer, state: Arc::new(AtomicU8::new(IDLE)) }
    }

    /// Returns an error if the last attempt to map the buffer failed, and starts another attempt.
    /// On a lost device an attempt fails at once, in browsers before the next picture.
    fn check(&self) -> Result<(), RenderError> {
        if self.state.load(Ordering::Acquire) == MAPPED {
            self.buffer.unmap();
            self.state.store(IDLE, Ordering::Release);
        }
        if self.state.load(Ordering::Acquire) == IDLE {
            self.state.store(MAPPING, Ordering::Release);
            let state = Arc::clone(&self.state);
            self.buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
                state.store(if mapped.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
            });
        }
        match self.state.load(Ordering::Acquire) {
            FAILED => Err(RenderError::GpuLost),
            _ => Ok(()),
        }
    }
}
