//! Lines and outlines in the picture: selection, hover, grid, trails, ghosts, contacts, and things that
//! are only seen in the view.

use egui::Color32;
use glam::DVec3;
use lariat_core::geometry::Strand;
use lariat_editor::pull::BodyPoint;
use lariat_eval::{Contact, Moment as Pose, Touched};
use lariat_render::{
    Appearance as Look, DrawnStrand, Guides, Picked,
    guides::{Colour, Dot, DotShape, Grid, Highlight, Stroke},
};
use lariat_scene::Thing;

use super::{Drawn, Eye, Wire};
use crate::{
    session::Session,
    theme::{self, Colours},
    workspace::{Appearance, Overlay, Workspace},
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
            .filter(|one| workspace.shows(&one.name))
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

/// Contacts of a pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    /// The pose and the hidden things that they belong to.
    of: Option<[u64; 2]>,
    pub(crate) found: Vec<Contact>,
}

impl Contacts {
    /// Finds the contacts of a pose, if they are shown.
    pub(crate) fn update(&mut self, session: &Session, workspace: &Workspace, pose: &Pose) {
        let version = [session.pose_version(), workspace.visibility.version()];
        let of = (workspace.overlay == Some(Overlay::Contact)).then_some(version);
        if self.of != of {
            let scene = session.editor.scene();
            let is_fresh = pose.bodies.len() == scene.body_count();
            let has_some = of.is_some() && is_fresh;
            self.found = if has_some { scene.contacts(pose) } else { Vec::new() };
            let shows = |body: usize| workspace.shows(scene.body_name(body));
            self.found.retain(|one| match one.with {
                Touched::Strand(other) => shows(one.body) && shows(other),
                Touched::Obstacle => shows(one.body),
            });
            self.of = of;
        }
    }

    fn add_to(&self, guides: &mut Guides, scale: f32) {
        for contact in &self.found {
            let kind = usize::from(contact.with == Touched::Obstacle);
            let (radius, colour) = (3.5 * scale, encoded(theme::CONTACTS[kind]));
            let dot = Dot { at: contact.at, shape: DotShape::Disc, radius, colour, hidden: 0.35 };
            guides.dot(dot);
        }
    }
}

/// Everything that is marked in the picture.
pub(crate) struct Marked<'a> {
    pub(crate) drawn: &'a Drawn<'a>,
    pub(crate) session: &'a Session,
    pub(crate) workspace: &'a Workspace,
    pub(crate) eye: &'a Eye,
    /// Body under the pointer.
    pub(crate) hovered: Option<usize>,
    /// Collider or camera under the pointer.
    pub(crate) hovered_wire: Option<usize>,
    pub(crate) traces: &'a Traces,
    pub(crate) contacts: &'a Contacts,
    pub(crate) wires: &'a [Wire],
    /// Height of the ground, in metres.
    pub(crate) ground: f64,
}

/// Strands as they are in the document, while others are shown in their place.
pub(crate) fn ghosts_of<'s>(strands: &'s [Strand], colours: &Colours) -> Vec<DrawnStrand<'s>> {
    let tint = linear(colours.accent);
    let ghost = |strand| DrawnStrand { strand, appearance: Look::Ghost { tint, opacity: 0.45 } };
    strands.iter().map(ghost).collect()
}

/// Marks in the picture; without tools, only those that belong to the scene.
pub(crate) fn guides(marked: &Marked<'_>, with_tools: bool) -> Guides {
    let Marked { workspace, eye, .. } = *marked;
    let colours = theme::colours(workspace.appearance);
    let mut guides = Guides::default();
    if workspace.shows_grid && with_tools {
        grid(&mut guides, workspace, eye, marked.ground);
    }
    marked.traces.add_to(&mut guides, &colours, eye.scale);
    marked.contacts.add_to(&mut guides, eye.scale);
    if with_tools {
        wires(&mut guides, marked, &colours);
        outlines(&mut guides, marked, &colours);
    }
    guides
}

/// Colliders and cameras.
fn wires(guides: &mut Guides, marked: &Marked<'_>, colours: &Colours) {
    for (index, wire) in marked.wires.iter().enumerate() {
        let is_selected = marked.workspace.is_selected(wire.thing, &wire.name);
        let (width, colour, mut alpha) = match (is_selected, marked.hovered_wire == Some(index)) {
            (true, _) => (2.0, colours.accent, 1.0),
            (false, true) => (1.5, colours.text, 0.9),
            (false, false) => (1.0, colours.weak, 0.7),
        };
        // A grid across the whole view stays behind its content.
        if !wire.is_solid {
            alpha *= 0.4;
        }
        let [r, g, b, _] = encoded(colour);
        let width = width * marked.eye.scale;
        let stroke = Stroke { hidden: 0.3, ..Stroke::new(width, [r, g, b, alpha]) };
        wire.lines.iter().for_each(|line| guides.polyline(line, &stroke));
    }
}

/// Outlines of the selected bodies and of the one under the pointer.
fn outlines(guides: &mut Guides, marked: &Marked<'_>, colours: &Colours) {
    let drawn = marked.drawn;
    let scene = marked.session.editor.scene();
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
            let (width, colour) = (width * marked.eye.scale, encoded(colour));
            guides.highlight(Highlight { object, width, colour });
        }
    };
    let selected = marked.workspace.selected.iter().filter(|one| one.thing == Thing::Body);
    let bodies: Vec<usize> = selected.filter_map(|one| scene.body_index(&one.name)).collect();
    if let Some(body) = marked.hovered.filter(|body| !bodies.contains(body)) {
        outline(body, 1.25, colours.text);
    }
    for body in bodies {
        outline(body, 1.5, colours.accent);
    }
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
