//! The graph editor: curves of the chosen channels.
//!
//! ```text
//! curve.rs   sampled curves, kept while they do not change
//! handle.rs  handles of Bezier keys, slopes of wiggle knots
//! plot.rs    one plot: grid, lines, knots
//! hand.rs    clicks, boxes and drags in a plot
//! list.rs    channels beside the plots
//! menu.rs    optional lines; interpolation, tangents and slopes of the selected keys
//! ```

mod curve;
mod hand;
mod handle;
mod list;
mod menu;
mod plot;

pub(crate) use handle::HandleDrag;

use std::{collections::BTreeSet, sync::Arc};

use egui::{Rect, Ui, pos2, vec2};
use lariat_editor::{ChannelForm, Editor};
use lariat_scene::{Path, Step, Value};

use self::{
    curve::{Curve, CurveCache, Line, View},
    plot::{Plot, PlotKind},
};
use super::{
    PanelContext,
    keys::{
        AnimatedChannel, Area, FrameScale, RULER, navigate_time, ruler, ruler_height,
        shown_in_graph, visible_frames,
    },
    timeline::NAMES,
};
use crate::{label, theme::SPACE};

/// Width of the numbers beside a plot, in points.
const NUMBERS: f32 = 44.0;

/// Parameters of the spring of a wiggle.
const SPRING: [&str; 9] =
    ["hertz", "fast", "swings", "bouncy", "half-life", "damping", "decay", "bandwidth", "push"];

/// Optional lines of wiggles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lines {
    /// Lines besides the value.
    shown: BTreeSet<Line>,
    /// Whether frequency and damping are shown also where they are constant.
    spring: bool,
}

/// The moment of the graph.
#[derive(Debug, Default)]
pub(crate) struct State {
    cache: CurveCache,
    lines: Lines,
    /// Visible values by kind of plot; those without fit their curves.
    values: [Option<[f64; 2]>; PlotKind::ALL.len()],
    /// Lines and channels that the values were fitted to.
    fitted: (Lines, Vec<Path>),
    /// Curves before the drag that is going on.
    ghosts: Vec<Arc<Curve>>,
}

/// Shows the list of channels and their curves.
pub(crate) fn graph(ui: &mut Ui, context: &mut PanelContext<'_>) {
    if let Some(text) = context.state.keys.copied.take() {
        ui.ctx().copy_text(text);
    }
    let mut list = std::mem::take(&mut context.state.keys.channels);
    let all = list.update(&context.session.editor);
    context.state.keys.forget_missing(&context.session.editor, all, context.workspace);
    let area = ui.available_rect_before_wrap();
    context.state.keys.note_pointer(ui, area, Area::Graph);
    let channels = channels(&context.session.editor, all, context);
    refit(context, &channels);
    let shot = *context.session.editor.scene().shot();
    let time = Rect::from_min_max(pos2(area.left() + NAMES + NUMBERS, area.top()), area.max);
    let range = visible_frames(context.workspace, shot.first as f64, shot.last as f64);
    let scale = FrameScale::new(time.shrink2(vec2(SPACE, 0.0)), range);
    let top = ruler_height(context.session);
    let head = Rect::from_min_size(time.min, vec2(time.width(), top));
    ruler(ui, context, head, &scale);
    let view =
        View { range: [scale.frame(time.left()), scale.frame(time.right())], width: time.width() };
    let lines: Vec<Line> = context.state.graph.lines.shown.iter().copied().collect();
    let curves = context.state.graph.cache.update(&context.session.editor, &channels, view, &lines);
    if context.state.keys.drag.is_none() {
        context.state.graph.ghosts.clear();
    }
    let corner = Rect::from_min_size(area.min, vec2(NAMES + NUMBERS, RULER));
    menu::bar(ui, context, corner);
    let names = Rect::from_min_max(
        pos2(area.left(), area.top() + top),
        pos2(area.left() + NAMES, area.bottom()),
    );
    list::list(ui, context, all, &curves, names);
    let body = Rect::from_min_max(pos2(area.left() + NAMES, area.top() + top), area.max);
    plots(ui, context, &curves, &scale, body);
    context.state.keys.channels = list;
}

/// The channels that are shown, with the parameters of their springs.
fn channels(
    editor: &Editor,
    all: &[AnimatedChannel],
    context: &PanelContext<'_>,
) -> Vec<AnimatedChannel> {
    let shown = shown_in_graph(all, context.workspace);
    let mut channels: Vec<AnimatedChannel> = shown.iter().map(|k| all[*k].clone()).collect();
    if context.state.graph.lines.spring {
        for index in shown {
            add_spring(editor, &all[index], &mut channels);
        }
    }
    channels
}

/// Adds the constant parameters of a wiggle's spring.
fn add_spring(editor: &Editor, wiggle: &AnimatedChannel, channels: &mut Vec<AnimatedChannel>) {
    if wiggle.form != ChannelForm::Wiggly {
        return;
    }
    let document = editor.document();
    let Some(written) = document.as_written(&wiggle.path) else { return };
    let Some(table) = document.get(&written).and_then(Value::table) else { return };
    for (name, value) in table.iter().filter(|(name, _)| SPRING.contains(name)) {
        if ChannelForm::of(Some(value)) == ChannelForm::Constant {
            channels.push(AnimatedChannel {
                path: wiggle.path.clone().field(name),
                label: format!("{}.{name}", wiggle.label),
                name: format!("{} · {}", wiggle.name, label::words(name).to_lowercase()),
                owner: wiggle.owner.clone(),
                form: ChannelForm::Constant,
                frames: Vec::new(),
            });
        }
    }
}

/// Fits the values again after other channels were chosen, or on request.
fn refit(context: &mut PanelContext<'_>, channels: &[AnimatedChannel]) {
    let state = &mut context.state.graph;
    let (lines, paths) = &state.fitted;
    let is_same = *lines == state.lines
        && paths.len() == channels.len()
        && paths.iter().zip(channels).all(|(path, channel)| *path == channel.path);
    if !is_same || std::mem::take(&mut context.state.keys.fits) {
        state.values = [None; PlotKind::ALL.len()];
        let paths = channels.iter().map(|channel| channel.path.clone()).collect();
        state.fitted = (state.lines.clone(), paths);
    }
}

/// Returns true for a parameter of the spring of a wiggle.
fn is_spring(curve: &Curve, curves: &[Arc<Curve>]) -> bool {
    let path = &curve.channel.path;
    let Some((parent, Step::Field(name))) = path.parent() else { return false };
    let is_wiggle = |one: &Arc<Curve>| one.channel.path == parent;
    SPRING.contains(&&**name) && (curves.iter().any(is_wiggle) || parent.steps().len() > 2)
}

/// Shows the plots below each other: values, then the others that have lines.
fn plots(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    curves: &[Arc<Curve>],
    scale: &FrameScale,
    body: Rect,
) {
    let kinds: Vec<PlotKind> = PlotKind::ALL
        .into_iter()
        .filter(|kind| {
            *kind == PlotKind::Values
                || curves.iter().any(|one| kind.has_lines(one, is_spring(one, curves)))
        })
        .collect();
    let weight = |kind: PlotKind| if kind == PlotKind::Values { 2.0 } else { 1.0 };
    let total: f32 = kinds.iter().map(|kind| weight(*kind)).sum();
    let mut top = body.top();
    for kind in kinds {
        let height = body.height() * weight(kind) / total;
        let rect = Rect::from_min_size(pos2(body.left(), top), vec2(body.width(), height));
        top += height;
        let mine: Vec<(usize, Arc<Curve>)> = curves
            .iter()
            .enumerate()
            .filter(|(_, one)| kind.has_lines(one, is_spring(one, curves)))
            .map(|(k, one)| (k, one.clone()))
            .collect();
        let plot = Plot::new(kind, mine, rect, *scale, context.state.graph.values[kind as usize]);
        context.state.graph.values[kind as usize] = Some(plot.values.range());
        let response = plot.show(ui, context);
        navigate_time(ui, context.workspace, scale, &response, true);
        hand::navigate_values(ui, context, &plot, &response);
        hand::hands(ui, context, &plot, &response);
        menu::context(ui, context, &plot, &response);
    }
    hand::finish(ui, context);
}
