//! Draws a frame of a museum scene and prints the time:
//! `cargo run --release -p lariat-bench --example draw -- SCENE [FRAME] [options]`.
//!
//! The scene `all` is every museum scene at the middle of its shot, on one sheet. The example is
//! here because the renderer is independent of documents.
//!
//! ```text
//! -o FILE             output file (draw.png)
//! --size W H          pixels (1280 720)
//! --quality NAME      draft, preview, final (preview)
//! --view NAME         three-quarter, front, side, top (three-quarter)
//! --body NAME         frame this body only
//! --zoom X            factor on the size of the content (1)
//! --ortho             without perspective
//! --blur N            moments within half a frame (1)
//! --transparent       without background
//! --day, --dusk       choose the stage
//! --sheet N           contact sheet of N frames
//! --repeat N          repetitions, for timing (1)
//! ```

use std::{error::Error, fs::File, io::BufWriter, time::Instant};

use lariat_core::geometry::{Bounds, Strand};
use lariat_eval::Scene;
use lariat_render::{
    Camera, CpuRenderer, Framing, Moment, NamedView, Picture, Quality, Renderer, Sheet, Size,
    Stage, View,
};
use lariat_scene::{Limits, check::check};

struct Options {
    scene: String,
    frame: Option<f64>,
    out: String,
    size: Size,
    quality: Quality,
    view: NamedView,
    body: Option<String>,
    zoom: f64,
    ortho: bool,
    blur: usize,
    transparent: bool,
    dusk: Option<bool>,
    sheet: usize,
    repeat: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    if options.scene == "all" {
        let museum_scenes = lariat_museum::SCENES;
        let columns = Sheet::columns_for(options.size, museum_scenes.len());
        let mut sheet = Sheet::new(options.size, museum_scenes.len(), columns)?;
        for (k, museum_scene) in museum_scenes.iter().enumerate() {
            println!("{k} {}", museum_scene.name);
            sheet.put(k, k as i64, &show(museum_scene, &options)?)?;
        }
        return save(&sheet.finish(), &options.out);
    }
    let museum_scene =
        lariat_museum::find(&options.scene).ok_or("there is no such museum scene")?;
    save(&show(museum_scene, &options)?, &options.out)
}

/// The requested picture of one museum scene.
fn show(museum_scene: &lariat_museum::Scene, options: &Options) -> Result<Picture, Box<dyn Error>> {
    let checked = check(museum_scene.text.as_bytes(), &Limits::DEFAULT);
    let content = checked.content.ok_or("it cannot be read")?;
    let scene = Scene::bind(&content.lowered);
    let (first, last) = (scene.shot().first, scene.shot().last);

    let mut bounds = Bounds::EMPTY;
    let mut framing = Framing::new(options.view.direction(), options.size.aspect());
    for frame in first..=last {
        for (name, strand) in strands_at(&scene, frame as f64) {
            bounds = bounds.union(Bounds::of(&strand));
            if options.body.as_ref().is_none_or(|body| *body == name) {
                framing.include_strands([&strand]);
            }
        }
    }
    let mut camera = if options.ortho {
        Camera::orthographic(&bounds, options.view, options.size.aspect())
    } else {
        framing.camera()
    };
    camera.eye = camera.target + (camera.eye - camera.target) / options.zoom;

    let strands = strands_at(&scene, first as f64);
    let mut stage = match options.dusk {
        Some(true) => Stage::dusk(&bounds),
        Some(false) => Stage::day(&bounds),
        None => Stage::for_strands(strands.iter().map(|s| &s.1), &bounds),
    };
    if options.transparent {
        stage = stage.transparent();
    }

    if options.sheet > 0 {
        let columns = Sheet::columns_for(options.size, options.sheet);
        let mut sheet = Sheet::new(options.size, options.sheet, columns)?;
        for k in 0..options.sheet {
            let frame = first + (last - first) * k as i64 / (options.sheet.max(2) - 1) as i64;
            sheet.put(k, frame, &draw(&scene, frame as f64, camera, &stage, options)?)?;
        }
        return Ok(sheet.finish());
    }
    let frame = options.frame.unwrap_or_else(|| (0.5 * (first + last) as f64).round());
    for _ in 1..options.repeat {
        draw(&scene, frame, camera, &stage, options)?;
    }
    draw(&scene, frame, camera, &stage, options)
}

fn draw(
    scene: &Scene,
    frame: f64,
    camera: Camera,
    stage: &Stage,
    options: &Options,
) -> Result<Picture, Box<dyn Error>> {
    let strands: Vec<Vec<(String, Strand)>> = (0..options.blur)
        .map(|k| strands_at(scene, frame + 0.5 * k as f64 / options.blur as f64))
        .collect();
    let moments: Vec<Moment<'_>> =
        strands.iter().map(|strands| Moment::new(strands.iter().map(|s| &s.1), camera)).collect();
    let view = View { moments: &moments, stage, size: options.size, quality: options.quality };
    let start = Instant::now();
    let picture = CpuRenderer::new().draw(&view)?;
    println!("frame {frame}: {:.3} s", start.elapsed().as_secs_f64());
    Ok(picture)
}

/// All strands, each with the name of its body.
fn strands_at(scene: &Scene, frame: f64) -> Vec<(String, Strand)> {
    let bodies = scene.evaluate(frame).bodies.into_iter().enumerate();
    bodies
        .filter(|(index, body)| scene.is_drawn(*index) && body.visible)
        .flat_map(|(index, body)| {
            let name = scene.body_name(index).to_owned();
            body.strands.into_iter().map(move |strand| (name.clone(), strand))
        })
        .collect()
}

fn save(picture: &Picture, path: &str) -> Result<(), Box<dyn Error>> {
    picture.encode_png(&mut BufWriter::new(File::create(path)?))?;
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let mut options = Options {
        scene: words.next().ok_or("which scene?")?,
        frame: None,
        out: "draw.png".into(),
        size: Size::new(1280, 720)?,
        quality: Quality::PREVIEW,
        view: NamedView::ThreeQuarter,
        body: None,
        zoom: 1.0,
        ortho: false,
        blur: 1,
        transparent: false,
        dusk: None,
        sheet: 0,
        repeat: 1,
    };
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
        match word.as_str() {
            "-o" => options.out = next()?,
            "--size" => options.size = Size::new(next()?.parse()?, next()?.parse()?)?,
            "--quality" => {
                options.quality = match next()?.as_str() {
                    "draft" => Quality::DRAFT,
                    "final" => Quality::FINAL,
                    _ => Quality::PREVIEW,
                }
            }
            "--view" => {
                options.view = match next()?.as_str() {
                    "front" => NamedView::Front,
                    "side" => NamedView::Side,
                    "top" => NamedView::Top,
                    _ => NamedView::ThreeQuarter,
                }
            }
            "--body" => options.body = Some(next()?),
            "--zoom" => options.zoom = next()?.parse()?,
            "--ortho" => options.ortho = true,
            "--blur" => options.blur = next()?.parse::<usize>()?.max(1),
            "--transparent" => options.transparent = true,
            "--day" => options.dusk = Some(false),
            "--dusk" => options.dusk = Some(true),
            "--sheet" => options.sheet = next()?.parse()?,
            "--repeat" => options.repeat = next()?.parse()?,
            frame => options.frame = Some(frame.parse()?),
        }
    }
    Ok(options)
}
