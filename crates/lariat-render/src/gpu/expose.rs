//! Pictures: moments exposed pass by pass, then developed into a target.

use glam::DVec2;

use super::{
    GpuRenderer,
    live::{LiveView, Target},
    pipelines::TILE_STRIDE,
    rows::SIDES,
    targets::{Lights, Readback, Targets, covering},
    uniforms::{self, Maps, PassCamera, VICINITY},
};
use crate::{
    Picture, RenderError, Size, View, camera::Projection, cpu::samples::Samples, view::Moment,
};

/// Completed step of a picture, for progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The strands of the first moment are prepared for the card.
    LaidOut,
    /// The card has drawn everything.
    Drawn,
    /// The bytes have been read back.
    ReadBack,
}

/// One pass of several.
#[derive(Clone, Copy)]
struct Pass {
    /// Offset from the centre of a pixel, in pixels.
    at: DVec2,
    number: usize,
    /// Number of passes drawn before it.
    order: usize,
    of: usize,
    /// Whether it is the first pass of its moment.
    first: bool,
}

/// Light of all moments, ready to be developed.
struct Exposed {
    halos: Vec<[f32; 8]>,
    passes: usize,
}

impl GpuRenderer {
    /// Draws one picture and reports every completed step.
    pub fn draw_watched(
        &mut self,
        view: &View<'_>,
        mut report: impl FnMut(Step),
    ) -> Result<Picture, RenderError> {
        self.card.check_alive()?;
        self.simple = false;
        let exposed = self.expose_all(view, || report(Step::LaidOut))?;
        if self.readback.as_ref().is_none_or(|readback| !readback.fits(view.size)) {
            self.readback = Some(Readback::new(&self.card.device, view.size));
        }
        let mut encoder = self.encoder();
        self.add_halos(&mut encoder, &exposed);
        if let (Some(readback), Some(targets)) = (&self.readback, &self.targets) {
            let mut pass = covering(&mut encoder, "develop", &readback.view);
            self.develop(&mut pass, targets, exposed.passes, &self.pipelines.develop);
            drop(pass);
            readback.copy_out(&mut encoder);
        }
        self.card.queue.submit([encoder.finish()]);
        let done = self.card.wait();
        if done.is_err() {
            // After an error, everything is rebuilt the next time.
            (self.targets, self.lights, self.readback) = (None, None, None);
        }
        done?;
        report(Step::Drawn);
        let readback = self.readback.as_ref().ok_or(RenderError::NoMoment)?;
        let picture = readback.picture(&self.card)?;
        report(Step::ReadBack);
        Ok(picture)
    }

    /// Draws a view into a texture of the caller and submits the work, without waiting for it.
    pub fn draw_into(
        &mut self,
        live: &LiveView<'_>,
        target: &Target<'_>,
    ) -> Result<(), RenderError> {
        let mut encoder = self.encoder();
        self.record_into(live, target, &mut encoder)?;
        let scopes = self.card.collect_errors();
        self.card.queue.submit([encoder.finish()]);
        scopes.pop()
    }

    /// As [`draw_into`](Self::draw_into), but records the last pass, the only one that uses the
    /// target, into `encoder`. The passes before it are submitted at once; so `encoder` must be
    /// submitted before this renderer draws another view.
    pub fn record_into(
        &mut self,
        live: &LiveView<'_>,
        target: &Target<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), RenderError> {
        self.card.check_alive()?;
        self.card.check()?;
        let scopes = self.card.collect_errors();
        let recorded = self.record(live, target, encoder);
        let done = scopes.pop();
        if done.is_err() {
            // After an error, everything is rebuilt the next time.
            (self.targets, self.lights) = (None, None);
        }
        recorded?;
        done
    }

    fn record(
        &mut self,
        live: &LiveView<'_>,
        target: &Target<'_>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), RenderError> {
        self.simple = live.detail.simple;
        let (size, drawn) = (live.view.size, live.detail.picture_size(live.view.size)?);
        let exposed = self.expose_all(&View { size: drawn, ..live.view.clone() }, || {})?;
        let enlarged = drawn != size;
        self.pipelines.prepare_target(&self.card.device, target.format, enlarged);
        let mut own = self.encoder();
        self.add_halos(&mut own, &exposed);
        self.card.queue.submit([own.finish()]);
        let pipeline = self.pipelines.live(target.format, enlarged);
        if let (Some(targets), Some(pipeline)) = (&self.targets, pipeline) {
            let mut pass = covering(encoder, "develop", target.view);
            self.develop(&mut pass, targets, exposed.passes, pipeline);
        }
        let guides = live.guides.filter(|guides| !guides.is_empty());
        if let (Some(guides), Some(moment)) = (guides, live.view.moments.last()) {
            let to = (target.view, target.format);
            let scale = f64::from(drawn.height()) / f64::from(size.height());
            self.draw_guides(guides, moment, (size, scale as f32), to, encoder);
        }
        Ok(())
    }

    pub(super) fn encoder(&self) -> wgpu::CommandEncoder {
        self.card.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Draws the light of all moments and submits every pass.
    fn expose_all(
        &mut self,
        view: &View<'_>,
        mut laid_out: impl FnMut(),
    ) -> Result<Exposed, RenderError> {
        view.quality.check()?;
        if view.moments.is_empty() {
            return Err(RenderError::NoMoment);
        }
        self.check_size(view.size)?;
        // A pass has four well-distributed samples per pixel, equivalent to eight of the reference.
        // More samples mean more passes, each slightly shifted, divided among the moments.
        let moments = view.moments.len();
        let passes =
            (view.quality.samples as usize).div_ceil(8).max(moments).next_multiple_of(moments);
        let samples = if view.quality.samples > 1 { 4 } else { 1 };
        let places = Samples::new(passes, 0, 0).pixel;
        let several = passes > 1;
        if self.targets.as_ref().is_none_or(|targets| !targets.fits(view.size, samples, several)) {
            let (device, pipelines) = (&self.card.device, &self.pipelines);
            self.targets = Some(Targets::new(device, pipelines, view.size, samples, several));
        }
        let mut halos = Vec::new();
        let each = passes / moments;
        self.triangles = 0;
        for (index, moment) in view.moments.iter().enumerate() {
            let projection = moment.camera.projection(view.size)?;
            self.lay_out(moment, &projection)?;
            if index == 0 {
                laid_out();
            }
            self.triangles += self.count_triangles() * each as u64;
            if self.targets.as_ref().is_some_and(Targets::alternates) {
                // Halos of this moment only, for each of its passes.
                halos.clear();
                self.glows(&projection, 1.0, &mut halos);
                self.halos.write(&self.card, bytemuck::cast_slice(&halos));
            } else {
                self.glows(&projection, 1.0 / moments as f64, &mut halos);
            }
            for pass in 0..each {
                let number = pass * moments + index;
                let order = index * each + pass;
                let first = pass == 0;
                let pass = Pass { at: places[number], number, order, of: passes, first };
                self.expose(view, &projection, pass, halos.len());
            }
        }
        Ok(Exposed { halos, passes })
    }

    fn check_size(&self, size: Size) -> Result<(), RenderError> {
        let (width, height) = (size.width(), size.height());
        let longest = self.card.longest();
        if width.max(height) > longest {
            return Err(RenderError::TooLargeForGpu { width, height, longest });
        }
        Ok(())
    }

    /// Uploads the strands of a moment.
    fn lay_out(&mut self, moment: &Moment<'_>, projection: &Projection) -> Result<(), RenderError> {
        self.rows.fill(
            &moment.strands,
            &moment.meshes,
            &moment.bounds(),
            projection,
            self.simple,
        )?;
        self.knots.write(&self.card, bytemuck::cast_slice(&self.rows.knots));
        self.corners.write(&self.card, bytemuck::cast_slice(&self.rows.corners));
        self.caps.write(&self.card, bytemuck::cast_slice(&self.rows.caps));
        self.skin_points.write(&self.card, bytemuck::cast_slice(&self.rows.skins.points));
        self.skin_triangles.write(&self.card, bytemuck::cast_slice(&self.rows.skins.triangles));
        Ok(())
    }

    /// Number of triangles of a pass.
    fn count_triangles(&self) -> u64 {
        let sides = |index: usize| u64::from(SIDES[index]);
        let runs = self.rows.runs.iter();
        let tubes: u64 =
            runs.map(|run| 2 * sides(run.sides) * u64::from(run.end - run.first - 1)).sum();
        let parts = self.rows.cap_parts.iter();
        let caps: u64 =
            parts.map(|part| sides(part.sides) * u64::from(part.end - part.first)).sum();
        tubes + caps + self.rows.corners.len() as u64 / 3 + self.rows.skins.triangles.len() as u64
    }

    /// Draws one pass and adds its light to that of the others.
    fn expose(&mut self, view: &View<'_>, projection: &Projection, pass: Pass, halos: usize) {
        let half = DVec2::new(f64::from(view.size.width()), f64::from(view.size.height())) * 0.5;
        let maps = Maps::new(&self.rows, view.stage, &view.quality);
        let share = 1.0 / pass.of as f64;
        let pass_camera = PassCamera {
            projection,
            half,
            jitter: pass.at,
            share,
            pass: pass.number,
            simple: self.simple,
        };
        let globals = uniforms::pack(&self.rows, &maps, view.stage, &view.quality, &pass_camera);
        self.card.queue.write_buffer(&self.globals, 0, bytemuck::cast_slice(&globals));
        let mut tiles = vec![0.0_f32; (TILE_STRIDE as usize / 4) * (1 + maps.skies.len())];
        for (tile, map) in std::iter::once(&maps.key).chain(&maps.skies).enumerate() {
            let at = tile * TILE_STRIDE as usize / 4;
            tiles[at..at + 12].copy_from_slice(&map.rows.concat());
            let t = map.towards;
            let row = [t.x, t.y, t.z, map.texel].map(|x| x as f32);
            tiles[at + 12..at + 16].copy_from_slice(&row);
            // Size of a texel of the vicinity map, in texels of the key map.
            let coarse = maps.key_texels / VICINITY;
            tiles[at + 16] = (maps.key_reach + 1.5 * f64::from(coarse) * maps.key.texel) as f32;
        }
        self.card.queue.write_buffer(&self.tiles, 0, bytemuck::cast_slice(&tiles));
        if self.lights.as_ref().is_none_or(|lights| lights.key_texels != maps.key_texels) {
            self.lights = Some(Lights::new(&self.card.device, &self.pipelines, maps.key_texels));
        }
        self.prepare();
        let (Some(lights), Some(targets)) = (&self.lights, &self.targets) else { return };
        let mut encoder = self.encoder();
        if pass.first {
            self.draw_maps(&mut encoder, lights, &maps);
        }
        self.draw_scene(&mut encoder, lights, targets, view);
        if targets.alternates() {
            self.draw_halos(&mut encoder, targets, halos);
        }
        targets.gather(&mut encoder, &self.pipelines, &self.globals_group, pass.order);
        self.card.queue.submit([encoder.finish()]);
    }

    /// Adds halos to the light of all passes, unless every pass has its own.
    fn add_halos(&mut self, encoder: &mut wgpu::CommandEncoder, exposed: &Exposed) {
        if self.targets.as_ref().is_none_or(Targets::alternates) {
            return;
        }
        self.halos.write(&self.card, bytemuck::cast_slice(&exposed.halos));
        if let Some(targets) = &self.targets {
            self.draw_halos(encoder, targets, exposed.halos.len());
        }
    }

    fn draw_halos(&self, encoder: &mut wgpu::CommandEncoder, targets: &Targets, halos: usize) {
        if let (Some(buffer), 1..) = (self.halos.buffer(), halos) {
            let mut pass = targets.adding(encoder);
            pass.set_pipeline(self.pipelines.halo(targets.is_blended()));
            pass.set_bind_group(0, &self.globals_group, &[]);
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..6, 0..halos as u32);
        }
    }

    /// Applies tone mapping to the finished light.
    fn develop(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        targets: &Targets,
        passes: usize,
        pipeline: &wgpu::RenderPipeline,
    ) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.globals_group, &[]);
        pass.set_bind_group(1, targets.whole_group(passes), &[]);
        pass.draw(0..3, 0..1);
    }
}
