//! `lariat-studio [FILE]`: the window of Lariat.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::run()
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::{
        fs,
        path::{Path, PathBuf},
        process::ExitCode,
        thread,
        time::{Duration, Instant},
    };

    use clap::Parser;
    use lariat_editor::journal::Recovery;
    use lariat_export::file::{IfExists, save};
    use lariat_scene::Thing;
    use lariat_studio::{
        Appearance, HiddenWindow, Opening, Overlay, Panel, Studio,
        host::{self, Host, LeftJournal, carry_files, native::Native},
    };

    /// Time to wait for the simulation of a frame, in seconds. Longer: a frame that cannot be simulated
    /// hangs. Shorter: slow machines draw a pose of another frame.
    const PATIENCE: u64 = 120;

    /// The window of Lariat
    #[derive(Debug, Parser)]
    #[command(name = "lariat-studio", version)]
    struct Arguments {
        /// Document to open; `museum:NAME` is a museum scene
        #[arg(value_name = "FILE")]
        file: Option<String>,

        /// Draw the window into a picture instead of opening it; needs no display
        #[arg(long, value_name = "OUT.png")]
        screenshot: Option<PathBuf>,

        /// Save the documents that a crash left behind into a folder instead of opening the window
        #[arg(long, value_name = "FOLDER", conflicts_with_all = ["file", "screenshot"])]
        recover: Option<PathBuf>,

        /// Frame to show [default: the first of the shot]
        #[arg(long, value_name = "FRAME", allow_hyphen_values = true)]
        frame: Option<f64>,

        /// Select a body
        #[arg(long, value_name = "BODY")]
        select: Option<String>,

        /// Panel at the bottom: timeline, graph, simulation or modes
        #[arg(long, value_name = "PANEL", value_parser = panel)]
        panel: Option<Panel>,

        /// Show an overlay: tension, twist or contact
        #[arg(long, value_name = "OVERLAY", value_parser = overlay)]
        overlay: Option<Overlay>,

        /// Size of the window in pixels
        #[arg(long, value_name = "WxH", default_value = "1440x900", value_parser = size)]
        size: [u32; 2],

        /// Light panels
        #[arg(long)]
        light: bool,
    }

    /// `1440x900`.
    fn size(text: &str) -> Result<[u32; 2], String> {
        let sides = text.split_once('x').map(|(wide, high)| (wide.parse(), high.parse()));
        match sides {
            Some((Ok(wide @ 320..=8192), Ok(high @ 240..=8192))) => Ok([wide, high]),
            _ => Err("expected a size from 320x240 to 8192x8192, like 1440x900".to_owned()),
        }
    }

    fn panel(text: &str) -> Result<Panel, String> {
        one_of(&Panel::ALL, Panel::name, text)
    }

    fn overlay(text: &str) -> Result<Overlay, String> {
        one_of(&Overlay::ALL, Overlay::name, text)
    }

    /// The value with a name, in small letters.
    fn one_of<T: Copy>(all: &[T], name: fn(T) -> &'static str, text: &str) -> Result<T, String> {
        let names = || all.iter().map(|one| name(*one).to_lowercase());
        let found = names().position(|name| name == text);
        let known = || names().collect::<Vec<_>>().join(", ");
        found.map(|index| all[index]).ok_or_else(|| format!("expected one of: {}", known()))
    }

    /// A place that is not taken: `shot.lariat`, `shot-2.lariat`.
    fn free_place(folder: &Path, title: &str) -> PathBuf {
        let mut place = folder.join(format!("{title}.lariat"));
        for number in 2.. {
            if fs::symlink_metadata(&place).is_err() {
                break;
            }
            place.set_file_name(format!("{title}-{number}.lariat"));
        }
        place
    }

    impl Arguments {
        fn studio(&self) -> Studio {
            let opening = self.file.clone().map_or(Opening::Welcome, Opening::Document);
            // Pictures of the window are the same for everyone.
            let host = match self.screenshot {
                Some(_) => Native::without_state(),
                None => Native::new(),
            };
            let mut studio = Studio::new(Box::new(host), &opening);
            let workspace = &mut studio.workspace;
            workspace.frame = self.frame.unwrap_or(workspace.frame);
            if let Some(name) = &self.select {
                workspace.select(Thing::Body, name, false);
            }
            workspace.panel = self.panel.unwrap_or(workspace.panel);
            workspace.overlay = self.overlay;
            if self.light {
                workspace.appearance = Appearance::Light;
            }
            // The panel of modes is empty without them.
            if self.panel == Some(Panel::Modes) && self.select.is_some() {
                studio.extract_modes();
            }
            studio
        }

        /// Saves all documents that were left behind, and prints their places. Their journals stay. A
        /// document that fails does not keep the others from being saved.
        fn recover(folder: &Path) -> Result<(), String> {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot create `{}`: {error}", folder.display()))?;
            let mut host = Native::new();
            let left = host.left_journals();
            let mut failed = 0;
            for one in &left {
                if let Err(why) = Self::recover_one(&mut host, one, folder) {
                    eprintln!("error: `{}`: {why}", one.journal);
                    failed += 1;
                }
            }
            match failed {
                0 => Ok(()),
                _ => Err(format!("{failed} of {} documents were not recovered", left.len())),
            }
        }

        fn recover_one(host: &mut Native, left: &LeftJournal, folder: &Path) -> Result<(), String> {
            let LeftJournal { journal, title } = left;
            let (_, bytes) = host.open_journal(journal)?;
            let recovered =
                host::recover(host, journal, &bytes).map_err(|error| error.to_string())?;
            let Recovery { editor, damage, .. } = recovered.recovery;
            let (place, text) = (free_place(folder, title), editor.text());
            save(&place, IfExists::Fail, |out| Ok(out.write_all(text.as_bytes())?))
                .map_err(|error| error.to_string())?;
            println!("{}", place.display());
            if damage.is_some() {
                eprintln!("warning: `{journal}`: the last change was cut off");
            }
            let place = place.to_string_lossy();
            match carry_files(host, &editor, &recovered.files, &place) {
                Some(why) => Err(format!("not all files of `{place}` were saved: {why}")),
                None => Ok(()),
            }
        }

        fn take_screenshot(&self, path: &Path) -> Result<(), String> {
            let mut studio = self.studio();
            if let Some(message) = studio.message() {
                return Err(message.to_owned());
            }
            let mut window = HiddenWindow::new(self.size)?;
            window.show(&mut studio);
            let begun = Instant::now();
            while studio.session().is_some_and(|session| !session.waiting().is_empty())
                && begun.elapsed() < Duration::from_secs(PATIENCE)
            {
                thread::sleep(Duration::from_millis(20));
                window.show(&mut studio);
            }
            let bytes = window.picture()?;
            let [width, height] = self.size;
            save(path, IfExists::Replace, |out| {
                let mut encoder = png::Encoder::new(out, width, height);
                encoder.set_color(png::ColorType::Rgba);
                let failed = |error: png::EncodingError| std::io::Error::other(error);
                let mut writer = encoder.write_header().map_err(failed)?;
                Ok(writer.write_image_data(&bytes).map_err(failed)?)
            })
            .map_err(|error| error.to_string())
        }

        fn open_window(self) -> ExitCode {
            let [width, height] = self.size.map(|side| side as f32);
            let viewport = egui::ViewportBuilder::default()
                .with_title("Lariat")
                .with_app_id("lariat-studio")
                .with_inner_size([width, height])
                .with_min_inner_size([640.0, 400.0]);
            let options = eframe::NativeOptions { viewport, ..Default::default() };
            let made = eframe::run_native(
                "Lariat",
                options,
                Box::new(move |_| Ok(Box::new(self.studio()))),
            );
            match made {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("error: the window cannot be opened: {error}");
                    ExitCode::from(2)
                }
            }
        }
    }

    pub(super) fn run() -> ExitCode {
        let arguments = Arguments::parse();
        let done = match (&arguments.screenshot, &arguments.recover) {
            (Some(path), _) => arguments.take_screenshot(path),
            (None, Some(folder)) => Arguments::recover(folder),
            (None, None) => return arguments.open_window(),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("error: {why}");
                ExitCode::from(2)
            }
        }
    }
}
