//! `lariat-studio [FILE]`: the window of Lariat.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::run()
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::process::ExitCode;

    use clap::Parser;
    use lariat_studio::{Opening, Studio, host::native::Native};

    /// The window of Lariat
    #[derive(Debug, Parser)]
    #[command(name = "lariat-studio", version)]
    struct Arguments {
        /// Document to open; `museum:NAME` is a museum scene
        #[arg(value_name = "FILE")]
        file: Option<String>,
    }

    pub(super) fn run() -> ExitCode {
        let arguments = Arguments::parse();
        let opening = arguments.file.map_or(Opening::Welcome, Opening::Document);
        let viewport = egui::ViewportBuilder::default()
            .with_title("Lariat")
            .with_app_id("lariat-studio")
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([640.0, 400.0]);
        let options = eframe::NativeOptions { viewport, ..Default::default() };
        let made = eframe::run_native(
            "Lariat",
            options,
            Box::new(move |_| Ok(Box::new(Studio::new(Box::new(Native::new()), &opening)))),
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
