//! Lines and outlines in the picture: selection, hover, grid, trails and ghosts.

use egui::Color32;
use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_editor::pull::BodyPoint;
use lariat_eval::Moment as Pose;
use lariat_render::{
    Appearance as Look, DrawnStrand, Guides, Picked,
    guides::{Colour, Grid, Highlight, Stroke},
};
use lariat_scene::Thing;

use super::{Drawn, Eye};
use crate::{
    session::Session,
    theme::{self, Colours},
    workspace::{Appearance, Workspace},
};

/// Frames before and after the current one that a trail shows.
const TRAIL: i32 = 12;

/// Frames of ghosts, relative to the current one.
const GHOSTS: [f64; 4] = [-8.0, -4.0, 4.0, 8.0];

/// Past and present of the selected bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traces {
    /// Pose, selection and switches that they belong to.
    of: Option<(u64, Vec<usize>, bool, bool)>,
    trails: Vec<Vec<(f64, DVec3)>>,
    /// Strands, with their distance in frames.
    ghosts: Vec<(f64, Strand)>,
}

impl Traces {
    /// Computes traces again if something changed. Simulated bodies have none, because they would have
    /// to be simulated first.
    pub(crate) fn update(&mut self, session: &Session, workspace: &Workspace, pose: &Pose) {
        let (trails, ghosts) = (workspace.shows_trails, workspace.shows_ghosts);
        let scene = session.editor.scene();
        let bodies: Vec<usize> = workspace
            .selected
            .iter()
            .filter(|one| one.thing == Thing::Body && (trails || ghosts))
            .filter_map(|one| scene.body_index(&one.name))
            .filter(|body| {
                let leaders = scene.dependencies(*body).iter().chain([body]);
                leaders.into_iter().all(|of| scene.simulated_from(*of).is_none())
            })
            .collect();
        let of = (session.pose_version(), bodies, trails, ghosts);
        if self.of.as_ref() == Some(&of) {
            return;
        }
        self.trails.clear();
        self.ghosts.clear();
        let shot = scene.shot();
        let is_inside = |frame: f64| (shot.first as f64..=shot.last as f64).contains(&frame);
        for body in of.1.iter().copied().filter(|body| !scene.is_still(*body)) {
            if trails {
                let at = match pose.bodies[body].spine().is_empty() {
                    true => BodyPoint::Vertex(0),
                    false => BodyPoint::Along(0.5),
                };
                let frames = (-TRAIL..=TRAIL).map(f64::from);
                let points = frames.filter(|by| is_inside(pose.frame + by)).filter_map(|by| {
                    Some((by, at.on(&scene.evaluate_body(body, pose.frame + by))?))
                });
                self.trails.push(points.collect());
            }
            if ghosts {
                for by in GHOSTS.into_iter().filter(|by| is_inside(pose.frame + by)) {
                    let posed = scene.evaluate_body(body, pose.frame + by);
                    self.ghosts.extend(posed.strands.into_iter().map(|strand| (by, strand)));
                }
            }
        }
        self.of = Some(of);
    }

    /// Ghosts as strands of a picture.
    pub(crate) fn ghosts(&self, colours: &Colours) -> impl Iterator<Item = DrawnStrand<'_>> {
        let [past, coming] = [colours.weak, colours.accent].map(linear);
        self.ghosts.iter().map(move |(by, strand)| DrawnStrand {
            strand,
            appearance: Look::Ghost {
                tint: if *by < 0.0 { past } else { coming },
                opacity: 0.45 - 0.025 * by.abs() as f32,
            },
        })
    }

    fn add_to(&self, guides: &mut Guides, colours: &Colours, scale: f32) {
        for trail in &self.trails {
            let points: Vec<DVec3> = trail.iter().map(|(_, at)| *at).collect();
            let colour = |by: f64| {
                let base = if by < 0.0 { colours.weak } else { colours.accent };
                let [r, g, b, _] = encoded(base);
                [r, g, b, 1.0 - 0.8 * (by.abs() / f64::from(TRAIL)) as f32]
            };
            let shades: Vec<Colour> = trail.iter().map(|(by, _)| colour(*by)).collect();
            guides.faded(&points, &shades, &Stroke::new(1.5 * scale, [1.0; 4]));
        }
    }
}

/// Everything that is drawn over the scene within the picture.
pub(crate) fn guides(
    drawn: &Drawn<'_>,
    workspace: &Workspace,
    session: &Session,
    eye: &Eye,
    hovered: Option<usize>,
    traces: &Traces,
    ground: f64,
) -> Guides {
    let colours = theme::colours(workspace.appearance);
    let mut guides = Guides::default();
    if workspace.shows_grid {
        grid(&mut guides, workspace, eye, ground);
    }
    traces.add_to(&mut guides, &colours, eye.scale);
    let scene = session.editor.scene();
    let mut outline = |body: usize, width: f32, colour: Color32| {
        let length = |object: Picked| match object {
            Picked::Strand(index) => {
                let points = drawn.0.moment.strands[index].strand.points();
                points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
            }
            Picked::Mesh(_) => f64::INFINITY,
        };
        let longest = drawn.0.objects_of(body).map(length).fold(0.0, f64::max);
        // The bulbs of a string of lights keep their colours; its wires suffice.
        for object in drawn.0.objects_of(body).filter(|one| length(*one) >= 0.2 * longest) {
            let (width, colour) = (width * eye.scale, encoded(colour));
            guides.highlight(Highlight { object, width, colour });
        }
    };
    let selected = workspace.selected.iter().filter(|one| one.thing == Thing::Body);
    let bodies: Vec<usize> = selected.filter_map(|one| scene.body_index(&one.name)).collect();
    if let Some(body) = hovered.filter(|body| !bodies.contains(body)) {
        outline(body, 1.25, colours.text);
    }
    for body in bodies {
        outline(body, 2.0, colours.accent);
    }
    guides
}

/// A grid on the ground that fades out around the pivot, and the axes.
fn grid(guides: &mut Guides, workspace: &Workspace, eye: &Eye, height: f64) {
    let pivot = workspace.view.pivot;
    let centre = DVec3::new(pivot.x, pivot.y, height);
    let spacing = eye.spacing(pivot, 48.0);
    let reach = 26.0 * spacing;
    let colour = match workspace.appearance {
        Appearance::Dark => [0.62, 0.65, 0.7, 0.3],
        Appearance::Light => [0.2, 0.22, 0.26, 0.34],
    };
    let stroke = Stroke { width: eye.scale, colour, hidden: 0.15 };
    let axes = [DVec3::X, DVec3::Y];
    guides.grid(&Grid { centre, origin: DVec3::Z * height, axes, spacing, reach, stroke });
    for (axis, along) in axes.into_iter().enumerate() {
        let [r, g, b, _] = encoded(theme::AXES[axis]);
        let middle = along * centre.dot(along) + DVec3::Z * height;
        let far = (centre - middle).length();
        let half = (reach * reach - far * far).max(0.0).sqrt();
        let points = [middle - along * half, middle, middle + along * half];
        let shades = [[r, g, b, 0.0], [r, g, b, 0.55], [r, g, b, 0.0]];
        guides.faded(&points, &shades, &Stroke { width: 1.25 * eye.scale, ..stroke });
    }
}

fn encoded(colour: Color32) -> Colour {
    let [r, g, b, a] = colour.to_srgba_unmultiplied().map(|byte| f32::from(byte) / 255.0);
    [r, g, b, a]
}

fn linear(colour: Color32) -> [f32; 3] {
    let rgba = egui::Rgba::from(colour);
    [rgba.r(), rgba.g(), rgba.b()]
}
