//! `lariat modes`: recorded motion is taken apart into modes, and put together again as a document.
//!
//! Both files are written beside their places and renamed when they are complete; neither is
//! begun before the work is done, so Ctrl-C leaves nothing behind.

use std::io::Write;
use std::path::{Path, PathBuf};

use lariat_core::modes::{ExtractOptions, ModeCount, ModeSet, Recording, extract};
use lariat_core::motion::FrameRate;
use lariat_export::file;
use lariat_import::mode_file;

use crate::{
    console::Console,
    exit::{Done, Failure, Outcome},
    frames::FrameSet,
    input::is_standard,
    limit::{self, Limit},
    modes::{
        document::{self, Made, Wishes},
        mesh::Dress,
        remarks,
        source::{self, Asked, Kind, Source},
        table,
        watch::Watch,
    },
    output,
    prepare::Reading,
    words,
};

/// Find the modes of a recorded motion: few shapes that swing, with their speed, half-life and phase
///
/// The motion comes from a document, which is evaluated, or from a point cache: USD as text, or CSV
/// with the columns frame, point, x, y, z. What is found is printed as a table and written to a
/// file that documents can name. With --document, a document is written as well, in which wiggles
/// with few keys drive the modes; how far it is from the recording is measured and said.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag that may be given or not")]
pub(crate) struct Modes {
    /// A document (`museum:NAME` too), a take beside one, a .usda or .csv point cache, or a .modes
    /// file; `-` reads a document or a cache from standard input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// Where the modes go (.modes); `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also write a document in which wiggles drive the modes
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,

    /// In the document, the modes move this mesh (.obj, .gltf, .glb) instead of points in a row
    ///
    /// A CSV has points but no faces, and what comes of it is drawn as ropes through its points.
    /// With the mesh that they belong to, of as many points in the same order, it is that mesh.
    #[arg(long, value_name = "FILE", requires = "document")]
    mesh: Option<PathBuf>,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// So many modes
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "share",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "What is looked for"
    )]
    modes: Option<u32>,

    /// As many modes as explain this share of the motion, 0–1 [default: 0.99]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "What is looked for")]
    share: Option<f64>,

    /// The slowest swing of interest in hertz: the slower, the more frames are spent at both ends
    #[arg(long, value_name = "HZ", help_heading = "What is looked for")]
    lowest: Option<f64>,

    /// The motion is a loop: its last frame is followed by its first, and none is spent
    #[arg(long, help_heading = "What is looked for")]
    periodic: bool,

    /// Frames, as in 1-96 [default: the whole shot, or all that were recorded]
    #[arg(
        long,
        short,
        value_name = "FIRST-LAST",
        allow_hyphen_values = true,
        help_heading = "What is looked for"
    )]
    frames: Option<FrameSet>,

    /// Only the body (of a cache, the part) of this name; can be given several times
    #[arg(long = "body", value_name = "NAME", help_heading = "What is looked for")]
    bodies: Vec<String>,

    /// Frames per second of a point cache that does not say, as in 30 or 24000/1001 [default: 24]
    #[arg(long, value_name = "RATE", help_heading = "What is looked for")]
    fps: Option<FrameRate>,

    /// How far the curves of the document may be from the recorded ones, as a share of the motion
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "0.1",
        value_parser = share,
        help_heading = "What goes into the document"
    )]
    tolerance: f64,

    /// How many keys each curve may have
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "What goes into the document"
    )]
    most_keys: Option<u32>,

    /// How fluid it is to look: 0 stiff, 1 as recorded, 2.3 sloshy
    #[arg(
        long,
        value_name = "S",
        default_value = "1",
        value_parser = slosh,
        help_heading = "What goes into the document"
    )]
    slosh: f64,

    /// Go on in spite of errors in the document, with what can be made
    #[arg(long)]
    keep_going: bool,

    #[arg(long = "limit", value_name = "NAME=N", help = limit::SHORT, long_help = limit::help())]
    limits: Vec<Limit>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("write a share above 0, up to 1, as in 0.99".to_owned()),
    }
}

fn slosh(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(slosh) if (0.0..=1e6).contains(&slosh) => Ok(slosh),
        _ => Err("write a number from 0 on: 0 is stiff, 1 as recorded".to_owned()),
    }
}

/// Refuses a name that says something else than what the file is to be.
fn check_ending(path: &Path, what: &str, are: &str, ending: &str) -> Result<(), Failure> {
    let given = path.extension().map(|given| given.to_string_lossy());
    let found = match given.as_deref() {
        Some(given) if given.eq_ignore_ascii_case(ending) => return Ok(()),
        Some(given) => format!("not as `.{}`", words::shown(given)),
        None => format!("and `{}` has no ending", words::shown(&path.to_string_lossy())),
    };
    let better = path.with_extension(ending);
    Err(Failure::new(format!(
        "{what} {are} written as .{ending}, {found}: name it `{}`",
        words::shown(&better.to_string_lossy())
    )))
}

impl Modes {
    pub(crate) fn run(&self, console: Console) -> Done {
        let (file, bodies) = source::of_take(&self.input, &self.bodies)?;
        self.check_places(&file)?;
        let reading =
            Reading { file, bodies, keep_going: self.keep_going, limits: self.limits.clone() };
        let watch = Watch::new(console)?;
        let asked = Asked { reading: &reading, frames: self.frames.as_ref(), rate: self.fps };
        let (set, recording, has_errors) = match source::read(&asked, &watch, console)? {
            Source::Diagnostics => return Ok(Outcome::Diagnostics),
            Source::Modes(set) => (set, None, false),
            Source::Recording(recording, has_errors) => {
                let set = self.extract(&recording, &watch, console)?;
                (set, Some(recording), has_errors)
            }
        };
        let dress = match (&self.mesh, &self.document) {
            (Some(mesh), Some(document)) => {
                let most = limit::limits(&self.limits).bytes_per_asset;
                Some(Dress::new(mesh, document, &set, most)?)
            }
            _ => None,
        };
        let made = match &self.document {
            None => None,
            Some(place) => {
                let file = document::seen_from(place, self.output.as_ref().unwrap_or(&self.input));
                let wishes = Wishes {
                    tolerance: self.tolerance,
                    most_keys: self.most_keys.map_or(usize::MAX, |most| most as usize),
                    slosh: self.slosh,
                };
                let (recording, dress) = (recording.as_ref(), dress.as_ref());
                Some(document::make(&set, recording, &file, dress, &wishes, &watch)?)
            }
        };
        if let Some(place) = &self.output {
            output::put(place, self.force, &mode_file::write(&set))?;
        }
        if let (Some(place), Some(made)) = (&self.document, &made) {
            output::put(place, self.force, &made.text)?;
        }
        self.say(&set, recording.as_ref(), made.as_ref(), dress.as_ref(), console)?;
        Ok(Outcome::diagnostics_if(has_errors))
    }

    /// Refuses what cannot be written, before any work is done.
    fn check_places(&self, input: &Path) -> Result<(), Failure> {
        if let Some(failure) = source::no_recording(&self.input) {
            return Err(failure);
        }
        let is_modes = Kind::of(&self.input) == Kind::Modes;
        match (&self.output, &self.document) {
            (None, _) if !is_modes => {
                return Err(Failure::new("where to? say it with -o, as in `-o motion.modes`"));
            }
            (None, None) => {}
            (Some(_), _) if is_modes => {
                return Err(Failure::new(
                    "a .modes file has been taken apart already: leave -o out, and make a \
                     document of it with --document",
                ));
            }
            _ => {}
        }
        let looked_for = [
            (self.modes.is_some(), "--modes"),
            (self.share.is_some(), "--share"),
            (self.lowest.is_some(), "--lowest"),
            (self.periodic, "--periodic"),
            (self.frames.is_some(), "--frames"),
            (!self.bodies.is_empty(), "--body"),
            (self.fps.is_some(), "--fps"),
        ];
        if let Some((_, flag)) = looked_for.iter().find(|(given, _)| is_modes && *given) {
            return Err(Failure::new(format!(
                "{flag} is for recordings, and a .modes file has been taken apart already: leave \
                 it out, or start from the recording"
            )));
        }
        if self.document.as_deref().is_some_and(is_standard) {
            return Err(Failure::new("a document names its modes by their place: give it one too"));
        }
        if self.document.is_some() && self.output.as_deref().is_some_and(is_standard) {
            return Err(Failure::new("a document names its modes: give them a file with -o"));
        }
        for place in self.output.iter().chain(&self.document) {
            output::not_the_document(input, place)?;
            if !is_standard(place) {
                file::check(place, output::existing(self.force))
                    .map_err(|error| output::failure(&error))?;
            }
        }
        if let (Some(modes), Some(document)) = (&self.output, &self.document)
            && output::is_one_file(modes, document)
        {
            return Err(Failure::new("the modes and the document cannot be one file: name two"));
        }
        if let Some(modes) = self.output.as_deref().filter(|modes| !is_standard(modes)) {
            check_ending(modes, "modes", "are", "modes")?;
        }
        if let Some(document) = &self.document {
            check_ending(document, "a document", "is", "lariat")?;
        }
        Ok(())
    }

    fn extract(
        &self,
        recording: &Recording,
        watch: &Watch,
        console: Console,
    ) -> Result<ModeSet, Failure> {
        let mode_count = match (self.modes, self.share) {
            (Some(modes), _) => ModeCount::Count(modes as usize),
            (None, share) => ModeCount::Share(share.unwrap_or(0.99)),
        };
        let frames = match &self.frames {
            None => None,
            Some(set) => {
                let most = limit::limits(&self.limits).frames;
                let frames = set.frames(most).map_err(|error| Failure::new(error.to_string()))?;
                Some(source::range(&frames)?)
            }
        };
        let (lowest, periodic) = (self.lowest, self.periodic);
        let options = ExtractOptions { mode_count, lowest, periodic, frames };
        let set = watch
            .over("taking apart", |advance| extract(recording, &options, advance))
            .map_err(|error| watch.failed(&error))?;
        let open = periodic.then(|| remarks::open_loop(recording, options.frames.as_ref()));
        let few = remarks::too_few(&set, self.modes).into_iter().chain(remarks::too_short(&set));
        for remark in open.flatten().into_iter().chain(few) {
            console.remark(&remark);
        }
        Ok(set)
    }

    /// The table to standard output, unless the modes are there; what was written, beside it.
    fn say(
        &self,
        set: &ModeSet,
        recording: Option<&Recording>,
        made: Option<&Made>,
        dress: Option<&Dress>,
        console: Console,
    ) -> Result<(), Failure> {
        let left = recording.and_then(|recording| set.residual_after_each_mode(recording));
        let mut text = format!("{}\n\n", table::origin(set));
        text += &table::table(set, left.as_deref());
        if let Some(made) = made {
            let against = if recording.is_some() { "the recording" } else { "what the modes make" };
            text += &format!(
                "\nthe document, with {}, is {} from {against}\n",
                words::count(made.keys as u64, "key"),
                table::distance(&made.left)
            );
        }
        if let Some(dress) = dress {
            let off = table::metres(dress.off);
            text += &format!("the mesh at rest is {off} RMS from the mean of the motion\n");
        }
        if self.output.as_deref().is_some_and(is_standard) {
            console.remark(&text);
        } else {
            let mut out = Console::results();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        let shown = |path: &Path| words::shown(&path.to_string_lossy());
        for place in self.output.iter().chain(&self.document).filter(|place| !is_standard(place)) {
            console.remark(&format!("wrote {}", shown(place)));
        }
        Ok(())
    }
}
