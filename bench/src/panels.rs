//! Panels of the studio: CPU time of one pass of the UI, without drawing it.

use std::fmt::Write;
use std::hint::black_box;

use egui::{Event, Pos2, RawInput, Rect, pos2, vec2};
use lariat_scene::Thing;
use lariat_studio::{Opening, Panel, Studio, host::native::Native};

use crate::table::Table;

/// Size of the window, in points.
const SIZE: egui::Vec2 = vec2(1440.0, 900.0);

pub(crate) fn run(table: &mut Table) {
    let name = "UI code per frame, 200 channels in the dope sheet";
    if table.wants(name) {
        let mut window = Window::new(Panel::Timeline);
        table.time(name, 1.0, Some(4e-3), || window.pass());
    }
    let name = "UI code per frame, 10 curves in the graph";
    if table.wants(name) {
        let mut window = Window::new(Panel::Graph);
        window.studio.workspace.select(Thing::Body, "rope 3", false);
        window.pass();
        table.time(name, 1.0, Some(4e-3), || window.pass());
    }
}

/// Ropes with ten keyed channels each, of eight keys.
fn keyed(ropes: usize) -> String {
    let mut text = "lariat = 2\n[shot]\nframes = [1, 120]\n".to_owned();
    let keys =
        "[[1, 0.1], [12, 0.3], [24, 0.2], [40, 0.4], [60, 0.1], [80, 0.2], [100, 0.3], [120, 0]]";
    for i in 0..ropes {
        let _ = write!(
            text,
            "[[body]]\nname = \"rope {i}\"\nmodel = \"suspended-rope\"\nfrom = [0, {i}, 4]\n\
             to = [2, {i}, 4]\nlength = 2.6\nswing = {{ wiggle = {keys}, hertz = 1.5 }}\n\
             sway = {{ keys = {keys} }}\nwaves = ["
        );
        for _ in 0..2 {
            let _ = write!(
                text,
                "{{ height = {{ keys = {keys} }}, ripples = {{ keys = {keys} }}, \
                 phase = {{ keys = {keys} }}, direction = {{ keys = {keys} }} }},"
            );
        }
        text.push_str("]\n");
    }
    text
}

struct Window {
    context: egui::Context,
    studio: Studio,
    time: f64,
}

impl Window {
    fn new(panel: Panel) -> Self {
        let folder = std::env::temp_dir().join(format!("lariat-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("keyed.lariat");
        std::fs::write(&file, keyed(20)).expect("a file");
        let opening = Opening::Document(file.to_string_lossy().into_owned());
        let host = Native::with_state(folder.join("state"));
        let mut studio = Studio::new(Box::new(host), &opening);
        assert_eq!(studio.message(), None);
        studio.workspace.panel = panel;
        let mut window = Self { context: egui::Context::default(), studio, time: 0.0 };
        (0..8).for_each(|_| window.pass());
        let _ = std::fs::remove_dir_all(&folder);
        window
    }

    /// One pass, with the pointer over the panel at the bottom.
    fn pass(&mut self) {
        self.time += 1.0 / 60.0;
        let pointer = pos2(400.0 + (self.time * 97.0 % 500.0) as f32, 820.0);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.time),
            focused: true,
            events: vec![Event::PointerMoved(pointer)],
            ..Default::default()
        };
        let Self { context, studio, .. } = self;
        let output = context.run_ui(input, |ui| studio.show(ui, None));
        black_box(output.shapes.len());
        output.drop_without_applying_deltas();
    }
}
