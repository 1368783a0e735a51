//! `lariat render`: draws a document as a picture, numbered pictures, a movie or a contact sheet.
//!
//! Every file is written under a temporary name and renamed when it is complete, so it is complete
//! or absent, also after Ctrl-C; earlier numbered pictures stay. Invalid requests are rejected
//! before the first picture is drawn.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use lariat_export::{ExportError, file};
use lariat_render::{
    Quality, RenderError, Size,
    movie::{Coding, Format},
};
use lariat_shoot::{
    BUDGET, Bodies, Moments, Overlays, Product, Sequence, Settings, Shoot, ShootError, Viewpoint,
    Written, choose_camera, is_unfinished,
};

use crate::{
    ahead,
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::FrameSet,
    input::is_standard,
    interrupt::Interrupt,
    kept::{self, Kept},
    output,
    prepare::{self, Reading, Ready},
    progress::{Progress, Watch},
    renderer::{RendererFlag, rendered_by},
    words,
};

/// Render a picture, numbered pictures, a movie or a contact sheet
///
/// The extension of the output file selects the format: .png is a picture; .mp4, .gif and .webp are
/// movies. If the name contains `#` (`frame-####.png`), every frame becomes a numbered picture. The
/// document's first camera is used; without one, an automatic camera frames the whole shot.
///
/// Renders on the graphics card if there is one. --renderer cpu needs none and gives the same bytes
/// on every machine and with any number of threads. Existing files are replaced only with --force.
/// Files are written atomically.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Render {
    #[command(flatten)]
    reading: Reading,

    /// Output file: .png, .mp4, .gif or .webp; `frame-####.png` numbers pictures
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Frames: 1-10, 1,5-9, 1-100x2, -5-3 [default: the whole shot; its first for one picture]
    #[arg(long, short, value_name = "SET", allow_hyphen_values = true)]
    frames: Option<FrameSet>,

    /// A single frame; for a single picture also a fractional one, such as 12.5
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = one_frame,
        conflicts_with_all = ["frames", "contact_sheet"]
    )]
    frame: Option<FrameSet>,

    /// Arrange frames with their numbers on one .png [default: 12, evenly spaced]
    #[arg(long)]
    contact_sheet: bool,

    /// Caption of a picture or of a frame of a contact sheet; repeat it for each frame
    ///
    /// One caption per frame, in order; an empty one leaves a frame without.
    #[arg(long, value_name = "TEXT")]
    caption: Vec<String>,

    /// Keep complete numbered pictures and render only missing and damaged ones
    #[arg(long, conflicts_with = "force")]
    skip_existing: bool,

    /// Replace existing files
    #[arg(long)]
    force: bool,

    /// Frame and simulate only up to the last rendered frame
    ///
    /// Saves time for an early frame of a simulation. Ground, light and the automatic camera are
    /// those of a shot that ends there, so the pictures may differ from those of the whole shot.
    #[arg(long)]
    so_far: bool,

    /// Width and height in pixels [default: 1280x720; on a contact sheet 480x270]
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Appearance")]
    size: Option<Size>,

    /// Renderer: graphics card or CPU
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "RENDERER",
        env = "LARIAT_RENDERER",
        hide_env_values = true,
        help_heading = "Appearance"
    )]
    renderer: RendererFlag,

    /// Render quality: work per pixel [default: draft]
    #[arg(long, value_enum, value_name = "QUALITY", help_heading = "Appearance")]
    quality: Option<Finish>,

    /// Compression quality of a .webp, 0 (smallest) to 100 [default: 85]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u8).range(0..=100),
        help_heading = "Appearance"
    )]
    webp_quality: Option<u8>,

    /// Viewpoint: degrees around and above, or front, side or top [default: chosen from the motion]
    ///
    /// 0,0 is the front. front, side and top look along an axis, without perspective. The default is
    /// 23,17, unless another side shows clearly more of the bodies and of their motion.
    #[arg(
        long,
        value_name = "AROUND,ABOVE",
        allow_hyphen_values = true,
        help_heading = "Appearance"
    )]
    view: Option<Viewpoint>,

    /// Camera of the document, or auto to frame the whole shot [default: the first, or auto]
    #[arg(long, value_name = "NAME", conflicts_with = "view", help_heading = "Appearance")]
    camera: Option<String>,

    /// Background; transparent for .png and .webp
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "BACKGROUND",
        help_heading = "Appearance"
    )]
    background: Background,

    /// Motion blur: number of moments to blend per picture, over half a frame
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..=256),
        help_heading = "Appearance"
    )]
    motion_blur: u32,

    /// Overlays, separated by commas: control-points, frames, names, tension, twist, slack, ghosts, trails
    ///
    /// control-points: points that an animator drags. frames: tangent (blue), normal (red) and
    /// binormal (green), including twist. names: the name of each body beside it. tension, twist,
    /// slack: colours along strands, with one scale for the whole shot. ghosts: neighbouring frames, two before and two after; ghosts:BEFORE+AFTER
    /// sets the numbers, and ghosts:3+1x4 shows every fourth frame. trails: paths over time.
    #[arg(long, value_name = "LIST", help_heading = "Appearance")]
    show: Option<Overlays>,

    /// Draw bodies with this look; BODY=NAME applies to one body; can be repeated
    #[arg(long, value_name = "[BODY=]NAME", help_heading = "Appearance")]
    look: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Finish {
    /// For a first look: smooth edges, hard and coarse shadows
    #[default]
    Draft,
    /// For daily work: 8 samples per pixel, soft shadows with some grain
    Preview,
    /// For presentation: 24 samples per pixel
    Final,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Background {
    /// Ground and sky
    #[default]
    Stage,
    /// Only shadows
    Transparent,
}

fn one_frame(text: &str) -> Result<FrameSet, String> {
    let set: FrameSet = text.parse().map_err(|error| format!("{error}"))?;
    match set.frames(1) {
        Ok(_) => Ok(set),
        Err(_) => Err("more than one frame; use --frames for sets".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X', '×']);
    let side = |side: &str| side.trim().parse::<u32>().ok();
    let sides = sides.and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let (width, height) = sides.ok_or("expected WIDTHxHEIGHT in pixels, as in 1280x720")?;
    Size::new(width, height).map_err(|error| error.to_string())
}

impl Render {
    pub(crate) fn run(&self, console: Console) -> Done {
        let product = self.product()?;
        self.check_flags(&product)?;
        output::not_the_document(&self.reading.file, &self.output)?;
        let Some(ready) = prepare::read(&self.reading, console)? else {
            return Ok(Outcome::Diagnostics);
        };
        let frames = self.frames(&ready, &product)?;
        let product = self.numbered(product, &frames, console)?;
        product.check_captions(self.caption.len(), frames.len())?;
        let (frames_to_draw, damaged) = self.check_room(&product, &frames, &ready, console)?;
        let camera = self.camera(&ready, console)?;
        let bodies = ready.bodies(&self.reading)?.with_looks(&ready.content.lowered, &self.look)?;
        let reach = self.show.unwrap_or_default().reach();
        let moments = Moments::new(&bodies, &frames_to_draw, reach, BUDGET);
        if ready.refuses_recordings(&bodies, camera.as_slice(), self.last(&ready, &frames), console)
        {
            return Ok(Outcome::Diagnostics);
        }
        let surveyed = ready.survey(&moments, camera.as_slice(), &frames_to_draw, console)?;
        let Some(has_errors) = surveyed else { return Ok(Outcome::Diagnostics) };
        let kept = (frames.len() - frames_to_draw.len()) as u64;
        let mut begun = Instant::now();
        let (mut written, mut by) = (Written::default(), String::new());
        if !frames_to_draw.is_empty() {
            let interrupt = Interrupt::listen();
            let shoot = self.set_up(&ready, &moments, camera, &frames, console, &interrupt)?;
            by = rendered_by(shoot.card());
            begun = Instant::now();
            // Frames to draw have no picture or a damaged one, which stays until the new one is complete.
            let existing = output::existing(self.force || !damaged.is_empty());
            let to_write = (frames_to_draw.as_slice(), existing);
            written = self.write(&product, &shoot, to_write, console, &interrupt)?;
        }
        if let Some(camera) = camera {
            let name = words::shown(ready.scene.camera_name(camera));
            by = format!("camera `{name}`, {by}");
        }
        self.note(&product, &frames, (written, kept), (begun, &by), console);
        Ok(Outcome::diagnostics_if(ready.has_errors || has_errors))
    }

    /// Kind of file by its extension and the flags.
    fn product(&self) -> Result<Product, Failure> {
        let name = words::shown(&self.output.to_string_lossy());
        if is_standard(&self.output) {
            return Err(Failure::new(
                "pictures cannot be written to standard output; choose a file with the extension .png, \
                 .mp4, .gif or .webp",
            ));
        }
        let extension = self.output.extension().and_then(|found| found.to_str()).unwrap_or("");
        let product = match extension.to_ascii_lowercase().as_str() {
            "png" => match Sequence::marked(&self.output) {
                Ok(Some(sequence)) => Product::Sequence(sequence),
                Ok(None) if self.contact_sheet => Product::Sheet,
                Ok(None) => Product::Picture,
                Err(error) => return Err(Failure::new(format!("`{name}`: {error}"))),
            },
            "mp4" | "gif" | "webp" if self.output.to_string_lossy().contains('#') => {
                return Err(Failure::new(format!(
                    "`{name}`: `#` numbers pictures, but a movie is one file; omit it, or use the \
                     extension .png"
                )));
            }
            "mp4" => Product::Movie(Format::MP4),
            "gif" => Product::Movie(Format::GIF),
            "webp" => Product::Movie(match self.webp_quality {
                Some(quality) => Format::Webp(Coding::Lossy { quality: f32::from(quality) }),
                None => Format::WEBP,
            }),
            _ => {
                return Err(Failure::new(format!(
                    "unknown format of `{name}`; supported: .png, .mp4, .gif, .webp"
                )));
            }
        };
        Ok(product)
    }

    /// Returns an error for flags that do not apply to the product.
    fn check_flags(&self, product: &Product) -> Result<(), Failure> {
        if self.contact_sheet && *product != Product::Sheet {
            return Err(Failure::new(
                "a contact sheet is one picture; use the extension .png, without `#`",
            ));
        }
        if self.webp_quality.is_some() && !matches!(product, Product::Movie(Format::Webp(_))) {
            return Err(Failure::new(
                "--webp-quality applies to .webp movies only; omit it, or use the extension .webp",
            ));
        }
        if let Product::Movie(format) = product {
            if self.skip_existing {
                return Err(Failure::new(
                    "--skip-existing applies to numbered pictures only, not to movies; omit it, or \
                     write to `frame-####.png`",
                ));
            }
            if self.background == Background::Transparent && !format.is_transparent() {
                return Err(Failure::new(format!(
                    ".{} files cannot be transparent; write a .png or .webp, or omit --background",
                    format.name()
                )));
            }
        }
        let between = self.frames.as_ref().and_then(FrameSet::fractional).or_else(|| {
            let single = *product == Product::Picture;
            self.frame.as_ref().filter(|_| !single).and_then(FrameSet::fractional)
        });
        if let Some(frame) = between {
            return Err(Failure::new(format!(
                "frame {frame} is fractional, which only a single picture supports; render it with \
                 `--frame {frame}` to a .png"
            )));
        }
        Ok(())
    }

    fn frames(&self, ready: &Ready, product: &Product) -> Result<Vec<f64>, Failure> {
        let shot = ready.scene.shot();
        if let Some(set) = self.frames.as_ref().or(self.frame.as_ref()) {
            return ready.frames(set);
        }
        match product {
            Product::Picture => Ok(vec![shot.first as f64]),
            Product::Sheet => {
                let steps = (Product::CELLS - 1).min(shot.last - shot.first);
                let frame =
                    |k: i64| shot.first + ((shot.last - shot.first) * k + steps / 2) / steps.max(1);
                Ok((0..=steps).map(|k| frame(k) as f64).collect())
            }
            _ => ready.frames(&FrameSet::range(shot.first, shot.last)),
        }
    }

    /// Numbered pictures instead of one picture if there are several frames.
    fn numbered(
        &self,
        product: Product,
        frames: &[f64],
        console: Console,
    ) -> Result<Product, Failure> {
        if let (Product::Picture, [first, _, ..]) = (&product, frames) {
            let sequence = Sequence::beside(&self.output);
            console.note(&format!(
                "writing {} as numbered pictures: `{}` and so on",
                words::count(frames.len() as u64, "frame"),
                words::shown(&sequence.path(*first as i64).to_string_lossy())
            ));
            return Ok(Product::Sequence(sequence));
        }
        if self.skip_existing && !matches!(product, Product::Sequence(_)) {
            return Err(Failure::new(
                "--skip-existing applies to numbered pictures only; omit it, or write to \
                 `frame-####.png`",
            ));
        }
        Ok(product)
    }

    fn size(&self) -> Result<Size, Failure> {
        let (width, height) = if self.contact_sheet { (480, 270) } else { (1280, 720) };
        Ok(self.size.map_or_else(|| Size::new(width, height), Ok)?)
    }

    /// Checks sizes, formats and existing files. Returns the frames to draw, and the damaged pictures
    /// among them.
    fn check_room(
        &self,
        product: &Product,
        frames: &[f64],
        ready: &Ready,
        console: Console,
    ) -> Result<(Vec<f64>, Vec<PathBuf>), Failure> {
        let size = self.size()?;
        let existing = output::existing(self.force);
        let fits = product.check(size, ready.scene.shot().rate, frames);
        fits.map_err(|error| match error {
            ShootError::Render(error @ RenderError::TooLarge { .. }) => Failure::new(format!(
                "{error}; choose fewer than {}, or a smaller --size",
                words::count(frames.len() as u64, "frame")
            )),
            other => other.into(),
        })?;
        let Product::Sequence(sequence) = product else {
            file::check(&self.output, existing)?;
            return Ok((frames.to_vec(), Vec::new()));
        };
        let (mut to_draw, mut damaged) = (Vec::new(), Vec::new());
        let kept = Kept::read_all(sequence, frames, size, self.skip_existing, console)?;
        for (frame, kept) in frames.iter().zip(kept) {
            let path = sequence.path(*frame as i64);
            output::not_the_document(&self.reading.file, &path)?;
            match kept {
                Kept::Complete => continue,
                Kept::Damaged => {
                    to_draw.push(*frame);
                    damaged.push(path);
                    continue;
                }
                Kept::Missing => {}
            }
            file::check(&path, existing).map_err(|error| match error {
                ExportError::Exists { path } => Failure::new(format!(
                    "`{}` already exists; replace it with --force, keep it with --skip-existing, or \
                     choose another name",
                    words::shown(&path.to_string_lossy())
                )),
                other => other.into(),
            })?;
            to_draw.push(*frame);
        }
        kept::note_damaged(&damaged, console);
        Ok((to_draw, damaged))
    }

    /// Camera of the document; `None` for the automatic one.
    fn camera(&self, ready: &Ready, console: Console) -> Result<Option<usize>, Failure> {
        if self.view.is_some() {
            return Ok(None);
        }
        let cameras = &ready.content.lowered.cameras;
        if let (None, [first, _, ..]) = (&self.camera, &cameras[..]) {
            console.note(&format!(
                "using `{}`, the first of {} cameras; choose another with --camera",
                words::shown(first.name()),
                cameras.len()
            ));
        }
        Ok(choose_camera(&ready.content.lowered, self.camera.as_deref())?)
    }

    /// The last frame that is needed: camera, ground and light depend on the whole shot.
    fn last(&self, ready: &Ready, chosen: &[f64]) -> f64 {
        let drawn = chosen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if self.so_far { drawn } else { drawn.max(ready.scene.shot().last as f64) }
    }

    /// Frames the whole shot, even if only some frames are rendered, so that all pictures of a shot
    /// match. With --so-far, the shot ends at the last rendered frame.
    fn set_up<'s>(
        &self,
        ready: &Ready,
        moments: &'s Moments<'s>,
        camera: Option<usize>,
        chosen: &[f64],
        console: Console,
        interrupt: &Interrupt,
    ) -> Result<Shoot<'s>, Failure> {
        let shot = ready.scene.shot();
        let (first, mut last) = (shot.first as f64, shot.last as f64);
        let drawn = chosen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut frames = ready.frames(&FrameSet::range(shot.first, shot.last))?;
        if self.so_far {
            last = last.min(drawn);
            frames.retain(|frame| *frame <= last);
        }
        frames.extend(chosen.iter().filter(|frame| !(first..=last).contains(frame)));
        let settings = Settings {
            quality: match self.quality.unwrap_or_default() {
                Finish::Draft => Quality::DRAFT,
                Finish::Preview => Quality::PREVIEW,
                Finish::Final => Quality::FINAL,
            },
            viewpoint: self.view.unwrap_or_default(),
            camera: camera.into(),
            transparent: self.background == Background::Transparent,
            blur: self.motion_blur,
            overlays: self.show.unwrap_or_default(),
            renderer: self.renderer.into(),
            ..Settings::new(self.size()?)
        };
        let bodies: &Bodies<'_> = moments.bodies();
        let is_open = |body: &usize| {
            ready.scene.simulation(*body).is_some_and(|run| is_unfinished(run, last))
        };
        if drawn < last && bodies.indices().iter().any(is_open) {
            console.note(&format!(
                "simulating up to frame {last}, because camera, ground and light depend on the whole \
                 shot; `lariat simulate` records it once, and --so-far skips it"
            ));
        }
        ahead::simulate(bodies, camera.as_slice(), &frames, console)?;
        let watch = Watch::new(Progress::new(console, "framing", "frames"), interrupt.clone());
        Ok(Shoot::new(moments, settings, &frames, &watch)?)
    }

    fn write(
        &self,
        product: &Product,
        shoot: &Shoot<'_>,
        (frames, existing): (&[f64], file::IfExists),
        console: Console,
        interrupt: &Interrupt,
    ) -> Result<Written, Failure> {
        let first = frames.first().copied().unwrap_or_default() as i64;
        match product {
            Product::Sequence(sequence) => output::sweep(&sequence.path(first), console),
            _ => output::sweep(&self.output, console),
        }
        let watch = Watch::new(Progress::new(console, "rendering", "frames"), interrupt.clone());
        let place = (self.output.as_path(), existing);
        let written = product.write(shoot, frames, &self.caption, place, &watch);
        let done = watch.done();
        drop(watch);
        if let (Err(_), Product::Sequence(_), 1..) = (&written, product, done) {
            let frames = words::count(frames.len() as u64, "frame");
            console.note(&format!("wrote {done} of {frames}; continue with --skip-existing"));
        }
        Ok(written?)
    }

    fn note(
        &self,
        product: &Product,
        frames: &[f64],
        (written, kept): (Written, u64),
        (begun, by): (Instant, &str),
        console: Console,
    ) {
        let shown = |path: &Path| words::shown(&path.to_string_lossy());
        let name = match (product, frames) {
            (Product::Sequence(sequence), [first, .., last]) => format!(
                "{} to {}",
                shown(&sequence.path(*first as i64)),
                shown(&sequence.path(*last as i64))
            ),
            (Product::Sequence(sequence), [only]) => shown(&sequence.path(*only as i64)),
            _ => shown(&self.output),
        };
        let pictures = words::count(kept, "picture");
        if written.pictures == 0 {
            console.note(&format!("nothing to render in {name}; {pictures} already complete"));
            return;
        }
        let seconds = begun.elapsed().as_secs_f64() / written.pictures as f64;
        let Ok(size) = self.size() else { return };
        console.note(&format!(
            "wrote {name}: {}, {}x{}, {}, {} per frame, {by}{}",
            words::count(written.pictures, "frame"),
            size.width(),
            size.height(),
            words::size(written.bytes),
            words::seconds(seconds),
            if kept > 0 { format!("; {pictures} kept") } else { String::new() },
        ));
        if self.quality.is_none() {
            console.note(
                "this is draft quality; --quality preview draws soft shadows, --quality final has the \
                 least grain",
            );
        }
    }
}
