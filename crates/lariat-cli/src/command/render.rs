//! `lariat render`: a document becomes a picture, numbered pictures, a movie or a contact sheet.
//!
//! Every file is written beside its place and renamed when it is complete, so it is whole or not
//! there, also after Ctrl-C; the numbered pictures before it stay. All that can be refused is
//! refused before the first picture is drawn.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use lariat_export::{
    ExportError,
    file::{self, IfExists, save_seekable},
};
use lariat_render::{
    Picture, Quality, RenderError, Sheet, Size,
    movie::{Format, Movie, MovieError, Reel},
};

use crate::{
    bodies::Bodies,
    camera,
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::FrameSet,
    input::is_standard,
    interrupt::Interrupt,
    output,
    prepare::{self, Reading, Ready},
    progress::Progress,
    renderer::Choice,
    sequence::{Sequence, size_of_png},
    shoot::{Shoot, Viewpoint, Wish, cannot_draw},
    show::Show,
    words,
};

/// Pictures on a contact sheet, unless frames are named.
const CELLS: i64 = 12;

/// Draw bodies: one picture, numbered pictures, a movie or a contact sheet
///
/// The ending of the file chooses: .png is a picture, .mp4, .gif and .webp are movies. With `#` in
/// its name (`frame-####.png`) every frame becomes a picture of its own. The camera is the
/// document's first; without one it finds its place by itself, so that the whole motion of the
/// shot is in view.
///
/// A graphics card draws if there is one; with --renderer cpu none is needed, and the same bytes
/// come out on every machine and with any number of threads. A file that is there already is
/// replaced only with --force, and a file is only ever seen complete.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Render {
    #[command(flatten)]
    reading: Reading,

    /// Where to: .png, .mp4, .gif or .webp; `frame-####.png` numbers pictures
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// Frames: 1-10, 1,5-9, 1-100x2, -5-3 [default: the whole shot; of one picture its first]
    #[arg(long, short, value_name = "SET", allow_hyphen_values = true)]
    frames: Option<FrameSet>,

    /// One frame; a single picture may lie between two, as 12.5 does
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = one_frame,
        conflicts_with_all = ["frames", "contact_sheet"]
    )]
    frame: Option<FrameSet>,

    /// Chosen frames in one .png with their numbers [default: 12, evenly spread]
    #[arg(long)]
    contact_sheet: bool,

    /// Keep numbered pictures that are complete already, and draw those that are missing
    #[arg(long, conflicts_with = "force")]
    skip_existing: bool,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// Look no further than the last frame that is drawn: quick for an early one that is simulated
    ///
    /// Ground, light and a camera that finds its place are then as of a shot that ends there, so
    /// these pictures need not fit those of the whole shot.
    #[arg(long)]
    so_far: bool,

    /// Pixels across and down [default: 1280x720; on a contact sheet 480x270]
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "How it looks")]
    size: Option<Size>,

    /// What draws: the graphics card, or the processor
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHAT",
        env = "LARIAT_RENDERER",
        hide_env_values = true,
        help_heading = "How it looks"
    )]
    renderer: Choice,

    /// How much work is spent on a picture
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "How it looks")]
    quality: Finish,

    /// From where: degrees around and above, or front, side or top [default: 23,17]
    ///
    /// 0,0 is the front. The names look straight along an axis, without perspective.
    #[arg(
        long,
        value_name = "AROUND,ABOVE",
        allow_hyphen_values = true,
        help_heading = "How it looks"
    )]
    view: Option<Viewpoint>,

    /// A camera of the document; auto finds its place by itself [default: the first, or auto]
    #[arg(long, value_name = "NAME", conflicts_with = "view", help_heading = "How it looks")]
    camera: Option<String>,

    /// What is behind everything; transparent for .png and .webp
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", help_heading = "How it looks")]
    background: Background,

    /// Blur what moves: so many moments of the half frame that the shutter is open
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(1..=256),
        help_heading = "How it looks"
    )]
    motion_blur: u32,

    /// Lay over it: control-points, frames, tension, slack, ghosts, trails; several with commas
    ///
    /// control-points are what an animator takes hold of; frames are tangent (blue), normal (red)
    /// and binormal (green) with the twist in them; tension and slack colour strands, with the
    /// same colours in the whole shot; ghosts are neighbouring frames, two each way or as many as
    /// ghosts:BEFORE+AFTER says, ghosts:3+1x4 every fourth; trails are paths through time.
    #[arg(long, value_name = "LIST", help_heading = "How it looks")]
    show: Option<Show>,

    /// Draw bodies as if made of this; BODY=NAME for one of them, and any number of times
    #[arg(long, value_name = "[BODY=]NAME", help_heading = "How it looks")]
    look: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Finish {
    /// For a first look
    Draft,
    /// For working
    #[default]
    Preview,
    /// For showing
    Final,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Background {
    /// The ground and the sky
    #[default]
    Stage,
    /// Nothing but shadows
    Transparent,
}

fn one_frame(text: &str) -> Result<FrameSet, String> {
    let set: FrameSet = text.parse().map_err(|error| format!("{error}"))?;
    match set.frames(1) {
        Ok(_) => Ok(set),
        Err(_) => Err("that is more than one frame: --frames takes sets".to_owned()),
    }
}

fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X', '×']);
    let side = |side: &str| side.trim().parse::<u32>().ok();
    let sides = sides.and_then(|(width, height)| Some((side(width)?, side(height)?)));
    let (width, height) = sides.ok_or("write pixels across and down, as in 1280x720")?;
    Size::new(width, height).map_err(|error| error.to_string())
}

/// What comes out.
enum Product {
    Picture,
    Sheet,
    Sequence(Sequence),
    Movie(Format),
}

/// What was drawn, for the last line.
struct Drawn {
    frames: u64,
    kept: u64,
    bytes: u64,
}

impl Render {
    pub(crate) fn run(&self, console: Console) -> Done {
        let product = self.product()?;
        self.check_flags(&product)?;
        output::not_the_document(&self.reading.file, &self.output)?;
        let Some(mut ready) = prepare::read(&self.reading, console)? else {
            return Ok(Outcome::Diagnostics);
        };
        let frames = self.frames(&ready, &product)?;
        let product = self.numbered(product, &frames, console)?;
        let frames_to_draw = self.check_room(&product, &frames, &ready)?;
        let camera = self.camera(&ready, console)?;
        if !ready.look(&self.reading.bodies, camera.as_slice(), &frames_to_draw, console)? {
            return Ok(Outcome::Diagnostics);
        }
        let bodies = ready.bodies(&self.reading)?.wearing(&ready.content.lowered, &self.look)?;
        let interrupt = Interrupt::listen()?;
        let kept = (frames.len() - frames_to_draw.len()) as u64;
        let begun;
        let mut by = String::new();
        let mut drawn = if frames_to_draw.is_empty() {
            begun = Instant::now();
            Drawn { frames: 0, kept, bytes: 0 }
        } else {
            let shoot = self.set_up(&ready, &bodies, camera, &frames, console, &interrupt)?;
            shoot.by().clone_into(&mut by);
            begun = Instant::now();
            self.write(&product, &shoot, &frames_to_draw, &ready, console, &interrupt)?
        };
        drawn.kept = kept;
        if let Some(camera) = camera {
            let name = words::shown(ready.scene.camera_name(camera));
            by = format!("camera `{name}`, {by}");
        }
        self.remark(&product, &frames, &drawn, (begun, &by), console);
        Ok(Outcome::diagnostics_if(ready.has_errors))
    }

    /// What the ending and the flags ask for.
    fn product(&self) -> Result<Product, Failure> {
        let name = words::shown(&self.output.to_string_lossy());
        if is_standard(&self.output) {
            return Err(Failure::new(
                "pictures do not go to standard output: name a file that ends in .png, .mp4, .gif \
                 or .webp",
            ));
        }
        let ending = self.output.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let product = match ending.to_ascii_lowercase().as_str() {
            "png" => match Sequence::marked(&self.output) {
                Ok(Some(sequence)) => Product::Sequence(sequence),
                Ok(None) if self.contact_sheet => Product::Sheet,
                Ok(None) => Product::Picture,
                Err(reason) => return Err(Failure::new(format!("`{name}`: {reason}"))),
            },
            "mp4" | "gif" | "webp" if self.output.to_string_lossy().contains('#') => {
                return Err(Failure::new(format!(
                    "`{name}`: `#` numbers pictures, and a movie is one file; leave it out, or let \
                     the name end in .png"
                )));
            }
            "mp4" => Product::Movie(Format::MP4),
            "gif" => Product::Movie(Format::GIF),
            "webp" => Product::Movie(Format::WEBP),
            _ => {
                return Err(Failure::new(format!(
                    "the ending of `{name}` says no kind of picture: let it end in .png, .mp4, \
                     .gif or .webp"
                )));
            }
        };
        Ok(product)
    }

    /// What the product cannot do is refused rather than forgotten.
    fn check_flags(&self, product: &Product) -> Result<(), Failure> {
        if self.contact_sheet && !matches!(product, Product::Sheet) {
            return Err(Failure::new(
                "a contact sheet is one picture: let its name end in .png, without `#`",
            ));
        }
        if let Product::Movie(format) = product {
            if self.skip_existing {
                return Err(Failure::new(
                    "--skip-existing is for numbered pictures, and a movie is drawn in one go: \
                     leave it out, or draw to `frame-####.png`",
                ));
            }
            if self.background == Background::Transparent && !format.is_transparent() {
                return Err(Failure::new(format!(
                    "a .{} cannot be transparent: draw to .png or .webp, or leave out --background",
                    format.name()
                )));
            }
        }
        let between = self.frames.as_ref().and_then(FrameSet::between).or_else(|| {
            let picture = matches!(product, Product::Picture);
            self.frame.as_ref().filter(|_| !picture).and_then(FrameSet::between)
        });
        if let Some(frame) = between {
            return Err(Failure::new(format!(
                "frame {frame} lies between two frames, which only a single picture can: draw it \
                 with `--frame {frame}` to a .png"
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
                let steps = (CELLS - 1).min(shot.last - shot.first);
                let frame =
                    |k: i64| shot.first + ((shot.last - shot.first) * k + steps / 2) / steps.max(1);
                Ok((0..=steps).map(|k| frame(k) as f64).collect())
            }
            _ => ready.frames(&FrameSet::range(shot.first, shot.last)),
        }
    }

    /// Several frames cannot be one picture, so they get numbers.
    fn numbered(
        &self,
        product: Product,
        frames: &[f64],
        console: Console,
    ) -> Result<Product, Failure> {
        if let (Product::Picture, [first, _, ..]) = (&product, frames) {
            let sequence = Sequence::beside(&self.output);
            console.remark(&format!(
                "{} do not fit into one picture: they are written as `{}` and so on",
                words::count(frames.len() as u64, "frame"),
                words::shown(&sequence.path(*first as i64).to_string_lossy())
            ));
            return Ok(Product::Sequence(sequence));
        }
        if self.skip_existing && !matches!(product, Product::Sequence(_)) {
            return Err(Failure::new(
                "--skip-existing is for numbered pictures: leave it out, or draw to \
                 `frame-####.png`",
            ));
        }
        Ok(product)
    }

    fn size(&self) -> Result<Size, Failure> {
        let (width, height) = if self.contact_sheet { (480, 270) } else { (1280, 720) };
        self.size.map_or_else(|| Size::new(width, height).map_err(|e| cannot_draw(&e)), Ok)
    }

    /// Looks whether everything will fit and nothing is in the way; the frames to be drawn.
    fn check_room(
        &self,
        product: &Product,
        frames: &[f64],
        ready: &Ready,
    ) -> Result<Vec<f64>, Failure> {
        let size = self.size()?;
        let existing = output::existing(self.force);
        let Product::Sequence(sequence) = product else {
            match product {
                Product::Movie(format) => {
                    format.check(&reel(size, frames, ready)).map_err(|error| refused(&error))?;
                }
                Product::Sheet => drop(sheet(size, frames.len())?),
                _ => {}
            }
            file::check(&self.output, existing)?;
            return Ok(frames.to_vec());
        };
        let mut to_draw = Vec::new();
        for frame in frames {
            let path = sequence.path(*frame as i64);
            output::not_the_document(&self.reading.file, &path)?;
            if self.skip_existing && path.is_file() {
                is_complete(&path, size)?;
                continue;
            }
            file::check(&path, existing).map_err(|error| match error {
                ExportError::Exists { path } => Failure::new(format!(
                    "`{}` exists already: replace it with --force, keep it with --skip-existing, \
                     or choose another name",
                    words::shown(&path.to_string_lossy())
                )),
                other => other.into(),
            })?;
            to_draw.push(*frame);
        }
        Ok(to_draw)
    }

    /// The document's camera; with --view, or without any in the document, none of its own.
    fn camera(&self, ready: &Ready, console: Console) -> Result<Option<usize>, Failure> {
        if self.view.is_some() {
            return Ok(None);
        }
        camera::choose(&ready.content.lowered, self.camera.as_deref(), console)
    }

    /// The camera sees the whole shot, whichever frames are drawn: so pictures of one shot fit
    /// together. Who wants a quick look has it end with what is drawn.
    fn set_up<'s>(
        &self,
        ready: &Ready,
        bodies: &'s Bodies<'s>,
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
        let wish = Wish {
            size: self.size()?,
            quality: match self.quality {
                Finish::Draft => Quality::DRAFT,
                Finish::Preview => Quality::PREVIEW,
                Finish::Final => Quality::FINAL,
            },
            viewpoint: self.view.unwrap_or_default(),
            camera,
            transparent: self.background == Background::Transparent,
            moments: self.motion_blur,
            show: self.show.unwrap_or_default(),
        };
        let open = |body: &usize| {
            let run = ready.scene.simulation(*body);
            run.is_some_and(|run| !run.stopped && run.from < last && run.to < last)
        };
        if drawn < last && bodies.indices().iter().any(open) {
            console.remark(&format!(
                "the shot is simulated up to frame {last}: camera, ground and light are the same for all \
                 of its frames; `lariat simulate` does it once, and `--so-far` leaves it out"
            ));
        }
        bodies.simulate(camera.as_slice(), &frames, console)?;
        let progress = Progress::new(console, "framing", "frames");
        Shoot::set_up(bodies, wish, self.renderer, &frames, &progress, interrupt)
    }

    fn write(
        &self,
        product: &Product,
        shoot: &Shoot<'_>,
        frames: &[f64],
        ready: &Ready,
        console: Console,
        interrupt: &Interrupt,
    ) -> Result<Drawn, Failure> {
        let progress = Progress::new(console, "drawing", "frames");
        let total = frames.len() as u64;
        let advance = |index: usize| progress.advance(index as u64 + 1, total);
        let existing = output::existing(self.force);
        let path = &self.output;
        let size = self.size()?;
        match product {
            Product::Picture => shoot.each(frames, interrupt, |_, picture| {
                save_png(path, existing, picture)?;
                Ok(())
            })?,
            Product::Sheet => {
                let mut sheet = sheet(size, frames.len())?;
                shoot.each(frames, interrupt, |index, picture| {
                    let put = sheet.put(index, frames[index] as i64, picture);
                    put.map_err(|error| cannot_draw(&error))?;
                    advance(index);
                    Ok(())
                })?;
                save_png(path, existing, &sheet.finish())?;
            }
            Product::Movie(format) => save_seekable(path, existing, |out| {
                let broken = |error| broken(path, error);
                let reel = reel(size, frames, ready);
                let mut movie = Movie::new(out, *format, reel).map_err(broken)?;
                shoot.each(frames, interrupt, |index, picture| {
                    movie.add(picture).map_err(broken)?;
                    advance(index);
                    Ok(())
                })?;
                movie.finish().map_err(broken)?;
                Ok::<_, Failure>(())
            })?,
            Product::Sequence(sequence) => {
                let (mut done, mut bytes) = (0, 0);
                let drawing = shoot.each(frames, interrupt, |index, picture| {
                    let path = sequence.path(frames[index] as i64);
                    save_png(&path, existing, picture)?;
                    bytes += length(&path);
                    done += 1;
                    advance(index);
                    Ok(())
                });
                drop(progress);
                if drawing.is_err() && done > 0 {
                    let frames = words::count(total, "frame");
                    console.remark(&format!(
                        "{done} of {frames} are written: go on from there with --skip-existing"
                    ));
                }
                drawing?;
                return Ok(Drawn { frames: total, kept: 0, bytes });
            }
        }
        Ok(Drawn { frames: total, kept: 0, bytes: length(path) })
    }

    fn remark(
        &self,
        product: &Product,
        frames: &[f64],
        drawn: &Drawn,
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
        let kept = words::count(drawn.kept, "picture");
        if drawn.frames == 0 {
            console.remark(&format!("nothing to draw in {name}: {kept} complete already"));
            return;
        }
        let seconds = begun.elapsed().as_secs_f64() / drawn.frames as f64;
        let Ok(size) = self.size() else { return };
        console.remark(&format!(
            "wrote {name}: {}, {}x{}, {}, {} per frame, {by}{}",
            words::count(drawn.frames, "frame"),
            size.width(),
            size.height(),
            words::size(drawn.bytes),
            words::seconds(seconds),
            if drawn.kept > 0 { format!("; {kept} kept") } else { String::new() },
        ));
    }
}

fn reel(size: Size, frames: &[f64], ready: &Ready) -> Reel {
    let count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    Reel { size, rate: ready.scene.shot().rate, frames: count, backdrop: [0; 3] }
}

fn sheet(cell: Size, count: usize) -> Result<Sheet, Failure> {
    Sheet::new(cell, count, Sheet::columns_for(cell, count)).map_err(|error| {
        let RenderError::TooLarge { .. } = error else { return cannot_draw(&error) };
        let count = words::count(count as u64, "frame");
        Failure::new(format!("{error}, and {count} need it: name fewer, or a smaller --size"))
    })
}

/// A file that is there is only kept if it is what would be drawn.
fn is_complete(path: &Path, size: Size) -> Result<(), Failure> {
    let name = words::shown(&path.to_string_lossy());
    match size_of_png(path) {
        Ok(Some(found)) if found == size => Ok(()),
        Ok(Some(found)) => Err(Failure::new(format!(
            "`{name}` has {}x{} pixels and cannot stand beside {}x{}: ask for the same --size, \
             choose another name, or replace all with --force",
            found.width(),
            found.height(),
            size.width(),
            size.height()
        ))),
        Ok(None) => Err(Failure::new(format!(
            "`{name}` is there but is no complete picture: remove it, or replace all with --force"
        ))),
        Err(error) => Err(Failure::new(format!(
            "`{name}` is there but cannot be read: {error}; replace all with --force"
        ))),
    }
}

fn save_png(path: &Path, existing: IfExists, picture: &Picture) -> Result<(), Failure> {
    save_seekable(path, existing, |out| {
        picture.encode_png(out).map_err(|error| match error {
            RenderError::Write(error) => disk(path, &error),
            other => cannot_draw(&other),
        })
    })
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

/// Why a movie of that kind cannot be, and the way out.
fn refused(error: &MovieError) -> Failure {
    Failure::new(match error {
        MovieError::TooLarge { .. } => format!("{error}; ask for a smaller --size"),
        MovieError::TooSmall { .. } => format!("{error}; ask for a larger --size"),
        MovieError::Rate { format: "mp4", .. } => {
            format!("{error}; change `fps`, or draw numbered pictures to `frame-####.png`")
        }
        MovieError::Rate { .. } => format!("{error}; draw to .mp4, or change `fps`"),
        MovieError::TooLong { .. } => format!("{error}; name fewer frames, or a smaller --size"),
        other => other.to_string(),
    })
}

fn broken(path: &Path, error: MovieError) -> Failure {
    match error {
        MovieError::Write(error) => disk(path, &error),
        other => refused(&other),
    }
}

fn disk(path: &Path, error: &std::io::Error) -> Failure {
    ExportError::Place { path: path.to_owned(), reason: error.to_string() }.into()
}
