//! Pictures per second of a live view, and the time of a pick.

use std::{collections::VecDeque, time::Instant};

use glam::DVec3;
use lariat_core::{
    geometry::{Look, Strand, Sweep},
    num::ops,
};
use lariat_render::{
    Camera, Detail, GpuRenderer, LiveView, Moment, Picker, Quality, Size, Target, View, bounds_of,
};

use crate::{
    pictures::{Shot, strands},
    table::Table,
};

const NAME: &str = "live view, playback of barzel-17-lights";
const PICK: &str = "pick under 200 ropes x 100 points, preparation included";

/// Pictures per second that a viewer takes for motion.
const SMOOTH: f64 = 24.0;

pub(crate) fn run(table: &mut Table) {
    picks(table);
    let jobs = [
        ("960x540, moving", (960, 540), Detail::MOVING, Quality::MOVING, Some(SMOOTH)),
        (
            "960x540, moving, smooth edges",
            (960, 540),
            Detail::MOVING,
            Quality { samples: 4, ..Quality::MOVING },
            None,
        ),
        ("960x540, at rest", (960, 540), Detail::FULL, Quality::PREVIEW, None),
        ("1280x720, moving", (1280, 720), Detail::MOVING, Quality::MOVING, None),
    ];
    let mut opened = None;
    for (title, (width, height), detail, quality, target) in jobs {
        let title = format!("{NAME}, {title}");
        if !table.wants(&title) {
            continue;
        }
        let renderer = opened.get_or_insert_with(GpuRenderer::new);
        let renderer = match renderer {
            Ok(renderer) => renderer,
            Err(error) => {
                table.row(NAME, &error.to_string(), "", None);
                return;
            }
        };
        let shot = Shot::of("barzel-17-lights", width, height);
        let frames = if table.quick() { 24 } else { 96 };
        let before = processor_seconds();
        let (median, fastest) = play(&shot, renderer, detail, quality, frames);
        let shown = format!(
            "{:.1} a second by the median ({:.1} ms), {:.1} by the fastest, on {}{}",
            1.0 / median,
            1e3 * median,
            1.0 / fastest,
            renderer.card(),
            // On a busy machine this says more than the clock.
            before.zip(processor_seconds()).map_or_else(String::new, |(from, to)| {
                format!("; {:.0} ms of processor time each", 1e3 * (to - from) / f64::from(frames))
            })
        );
        let goal = target.map_or_else(String::new, |target| format!("{target} a second"));
        table.row(&title, &shown, &goal, target.map(|target| 1.0 / median >= target));
    }
}

/// Median and fastest seconds per picture: evaluated, drawn and finished by the device.
fn play(
    shot: &Shot,
    renderer: &mut GpuRenderer,
    detail: Detail,
    quality: Quality,
    frames: u32,
) -> (f64, f64) {
    let format = wgpu::TextureFormat::Bgra8Unorm;
    let size = shot.size;
    let texture = renderer.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: size.width(),
            height: size.height(),
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut seconds = VecDeque::new();
    // The first pictures compile pipelines.
    for frame in 0..frames + 4 {
        let begun = Instant::now();
        let strands = strands(&shot.scene, f64::from(1 + frame % 100));
        let moments = [Moment::new(&strands, shot.camera())];
        let view = View { quality, ..shot.view(&moments) };
        let live = LiveView { detail, ..LiveView::new(view) };
        renderer.draw_into(&live, &Target { view: &target, format }).expect("a picture");
        let done = renderer.device().poll(wgpu::PollType::wait_indefinitely());
        done.expect("the device answers");
        seconds.push_back(begun.elapsed().as_secs_f64());
    }
    let mut seconds: Vec<f64> = seconds.into_iter().skip(4).collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[seconds.len() / 2], seconds[0])
}

/// Processor time of this process in seconds, if the system reports it: in hundredths.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain spaces.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks: [f64; 2] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
    Some((ticks[0] + ticks[1]) / 100.0)
}

/// 200 ropes of 100 points, all behind each other in the middle of the picture.
fn picks(table: &mut Table) {
    if !table.wants(PICK) {
        return;
    }
    let look = Look { name: "rope".into(), colour: [0.45, 0.29, 0.13] };
    let ropes: Vec<Strand> = (0..200)
        .map(|k| {
            let (row, column) = (f64::from(k / 20), f64::from(k % 20));
            let points: Vec<DVec3> = (0..100)
                .map(|i| {
                    let u = f64::from(i) / 99.0;
                    let sag = ops::sin_turns(0.5 * u);
                    DVec3::new(4.0 * u, 0.1 * row, 0.05 * column + 1.0 - 0.6 * sag)
                })
                .collect();
            let mut strand = Strand::empty("rope", look.clone());
            strand.sweep(&points, &Sweep::round(DVec3::Z, 0.01));
            strand
        })
        .collect();
    let size = Size::new(960, 540).expect("a valid size");
    let camera = Camera::framing(&bounds_of(&ropes), DVec3::new(-0.2, 1.0, -0.3), size.aspect());
    let moment = Moment::new(&ropes, camera);
    let mut found = 0;
    table.time(PICK, 1.0, Some(1e-3), || {
        let picker = Picker::new(&moment, size).expect("finite strands");
        found += usize::from(picker.at(480.0, 300.0, 6.0).is_some());
    });
    assert!(found > 0, "there is a rope");
}
