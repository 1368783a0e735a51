use lariat_core::geometry::*;
use lariat_render::*;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let num = |k: &str, d: u32| std::env::var(k).ok().and_then(|x| x.parse().ok()).unwrap_or(d);
    let size = Size::new(num("W", 960), num("H", 540)).unwrap();
    let text = lariat_museum::find(&a[1]).unwrap().text;
    let checked = lariat_scene::check::check(text.as_bytes(), &lariat_scene::Limits::DEFAULT);
    let scene = lariat_eval::Scene::bind(&checked.content.unwrap().lowered);
    let strands = |f: f64| -> Vec<Strand> {
        scene
            .evaluate(f)
            .bodies
            .into_iter()
            .enumerate()
            .filter(|(i, b)| scene.is_drawn(*i) && b.visible)
            .flat_map(|(_, b)| b.strands)
            .collect()
    };
    let mut framing = Framing::new(NamedView::ThreeQuarter.direction(), size.aspect());
    let mut bounds = Bounds::EMPTY;
    for f in scene.shot().first..=scene.shot().last {
        let s = strands(f as f64);
        framing.include_strands(&s);
        bounds = s.iter().map(Bounds::of).fold(bounds, Bounds::union);
    }
    let mut stage = Stage::for_strands(&strands(1.0), &bounds);
    if num("NOGROUND", 0) == 1 {
        stage.ground = None;
    }
    let quality = Quality {
        samples: num("S", 1),
        shadow_rays: num("SH", 1),
        sky_rays: num("SKY", 0),
        shades_once: true,
    };
    let mut gpu = GpuRenderer::new().unwrap();
    let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d {
            width: size.width(),
            height: size.height(),
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    let n = num("N", 15);
    let mut times = [vec![], vec![], vec![]];
    for k in 0..n {
        let t0 = Instant::now();
        let s = strands(1.0 + f64::from(k));
        let t1 = Instant::now();
        let mut s = s;
        if num("NOLAMP", 0) == 1 {
            for x in &mut s {
                if x.look.name.contains("bulb") {
                    x.look.name = "plain".into();
                }
            }
        }
        let moments = [Moment::new(&s, framing.camera())];
        let v = View { moments: &moments, stage: &stage, size, quality };
        gpu.draw_into(
            &LiveView { detail: Detail { simple: num("SIMPLE", 1) == 1 }, ..LiveView::new(v) },
            &Target { view: &view, format: wgpu::TextureFormat::Rgba8Unorm },
        )
        .unwrap();
        let t2 = Instant::now();
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let t3 = Instant::now();
        for (v, (a, b)) in times.iter_mut().zip([(t0, t1), (t1, t2), (t2, t3)]) {
            v.push((b - a).as_secs_f64() * 1e3);
        }
        if k == 0 {
            println!(
                "{} strands {} points {} tris {}",
                s.len(),
                s.iter().map(|s| s.points().len()).sum::<usize>(),
                s.iter().filter(|s| s.look.name.contains("bulb")).count(),
                gpu.triangles()
            );
        }
    }
    let m: Vec<f64> = times
        .iter_mut()
        .map(|v| {
            v.sort_by(f64::total_cmp);
            v[v.len() / 2]
        })
        .collect();
    println!("eval {:.2} submit {:.2} wait {:.2}", m[0], m[1], m[2]);

    if let Ok(out) = std::env::var("OUT") {
        let stride = (4 * size.width()).next_multiple_of(256);
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(stride * size.height()),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(stride),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            texture.size(),
        );
        gpu.queue().submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        gpu.device().poll(wgpu::PollType::wait_indefinitely()).unwrap();
        let bytes = buffer.get_mapped_range(..).unwrap();
        let mut picture = Picture::new(size, [0; 4]);
        for (to, from) in picture
            .pixels_mut()
            .chunks_mut(size.width() as usize)
            .zip(bytes.chunks(stride as usize))
        {
            to.as_flattened_mut().copy_from_slice(&from[..4 * size.width() as usize]);
        }
        picture
            .encode_png(&mut std::io::BufWriter::new(std::fs::File::create(out).unwrap()))
            .unwrap();
    }
}
