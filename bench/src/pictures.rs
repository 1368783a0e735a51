//! Time per picture of the reference renderer, and its memory over many pictures.

use lariat_core::geometry::{Bounds, Strand};
use lariat_eval::Scene;
use lariat_render::{
    Camera, CpuRenderer, Framing, Moment, NamedView, Picture, Quality, Renderer, Size, Stage, View,
};

use crate::scenes::bound;
use crate::table::Table;

/// A museum scene with a camera that frames all of its motion.
pub(crate) struct Shot {
    pub scene: Scene,
    framing: Framing,
    stage: Stage,
    pub size: Size,
}

impl Shot {
    pub(crate) fn of(name: &str, width: u32, height: u32) -> Self {
        let scene = bound(lariat_museum::find(name).expect("a museum scene").text);
        let size = Size::new(width, height).expect("a valid size");
        let mut framing = Framing::new(NamedView::ThreeQuarter.direction(), size.aspect());
        let mut bounds = Bounds::EMPTY;
        for frame in scene.shot().first..=scene.shot().last {
            let strands = strands(&scene, frame as f64);
            framing.include_strands(&strands);
            bounds = strands.iter().map(Bounds::of).fold(bounds, Bounds::union);
        }
        let stage = Stage::for_strands(&strands(&scene, 1.0), &bounds);
        Self { scene, framing, stage, size }
    }

    /// Draws one frame, evaluation included.
    pub(crate) fn draw(&self, renderer: &mut impl Renderer, frame: f64) {
        let picture = self.picture(renderer, &strands(&self.scene, frame));
        assert_eq!(picture.size(), self.size);
    }

    /// Draws the evaluated bodies.
    pub(crate) fn picture(&self, renderer: &mut impl Renderer, strands: &[Strand]) -> Picture {
        let moments = [Moment::new(strands, self.camera())];
        renderer.draw(&self.view(&moments)).expect("a picture")
    }

    pub(crate) fn camera(&self) -> Camera {
        self.framing.camera()
    }

    pub(crate) fn view<'a>(&'a self, moments: &'a [Moment<'a>]) -> View<'a> {
        View { moments, stage: &self.stage, size: self.size, quality: Quality::PREVIEW }
    }
}

pub(crate) fn strands(scene: &Scene, frame: f64) -> Vec<Strand> {
    let bodies = scene.evaluate(frame).bodies.into_iter().enumerate();
    let drawn = bodies.filter(|(index, body)| scene.is_drawn(*index) && body.visible);
    drawn.flat_map(|(_, body)| body.strands).collect()
}

pub(crate) fn run(table: &mut Table) {
    for (name, target) in
        [("barzel-17-lights", Some(1.0)), ("ship-rigging", None), ("barzel-20-slinky", None)]
    {
        let title = format!("picture by the CPU, 1280x720, preview, {name}");
        if !table.wants(&title) {
            continue;
        }
        let shot = Shot::of(name, 1280, 720);
        table.time(&title, 1.0, target, || shot.draw(&mut CpuRenderer::new(), 12.0));
    }
    let title = "picture by the CPU, memory after 60 frames over that after 3";
    if table.wants(title) {
        let shot = Shot::of("barzel-17-lights", 640, 360);
        let after = |frames: i32| {
            let mut cpu = CpuRenderer::new();
            (0..frames).for_each(|frame| shot.draw(&mut cpu, f64::from(frame % 30)));
            resident()
        };
        if let (Some(few), Some(many)) = (after(3), after(60)) {
            table.row(title, &format!("{:.2}", many / few), "1", Some(many < 1.1 * few));
        }
    }
}

/// Resident memory of this process in kilobytes, if the system reports it.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
