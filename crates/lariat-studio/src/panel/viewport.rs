//! The picture of the scene: turning, moving and zooming the view, and selecting in it.

use egui::{PointerButton, Rect, Sense, Ui, pos2};
use egui_wgpu::RenderState;
use lariat_core::geometry::Camera as Eye;
use lariat_render::{Camera, Picker, RenderError, Size};
use lariat_scene::Thing;

use super::PanelContext;
use crate::{
    theme,
    viewport::{Drawn, PictureSettings, ScenePicture, bounds},
};

/// Distance in points at which a thin rope is still under the pointer.
const TOLERANCE: f32 = 6.0;

/// Drags that are going on.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Whether the view moves, and is drawn with less detail.
    moves: bool,
}

/// Shows the picture, and lets the pointer turn it and select in it.
pub(crate) fn viewport(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    state: Option<&RenderState>,
    picture: &mut Option<ScenePicture>,
) -> Result<(), RenderError> {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "View of the scene"));
    let scale = ui.pixels_per_point();
    let pixels = |points: f32| (points * scale).round().max(1.0) as u32;
    let Ok(size) = Size::new(pixels(rect.width()), pixels(rect.height())) else { return Ok(()) };
    let (Some(pose), Some(state)) = (context.session.shown(), state) else {
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).well);
        return Ok(());
    };
    let scene = context.session.editor.scene();
    let workspace = &mut *context.workspace;
    if std::mem::take(&mut workspace.frames_all) {
        workspace.view.frame(&bounds(pose, |body| scene.is_drawn(body)), size);
    }
    if let Some(around) = workspace.framed.take() {
        workspace.view.frame(&around, size);
    }
    navigate(ui, &response, rect, size, scale, context);
    let camera = camera(context);
    let settings = PictureSettings {
        size,
        camera,
        moves: context.is_playing || context.state.viewport.moves,
        revision: context.session.editor.revision(),
        pose: context.session.pose_version(),
    };
    let picture = match picture {
        Some(picture) => picture,
        none => none.insert(ScenePicture::new(state)?),
    };
    let texture = picture.draw(state, settings, scene, pose)?;
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
    if response.clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        let drawn = Drawn::new(scene, pose, camera);
        let picker = Picker::new(&drawn.moment, size)?;
        let at = (pointer - rect.min) * scale;
        let tolerance = f64::from(TOLERANCE * scale);
        let found = picker.at(f64::from(at.x), f64::from(at.y), tolerance);
        let body = found.and_then(|found| drawn.body(found.object));
        let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        match body {
            Some(body) => context.workspace.select(Thing::Body, scene.body_name(body), adds),
            None if !adds => context.workspace.selected.clear(),
            None => {}
        }
    }
    Ok(())
}

/// The camera of the view: of the document, or free.
fn camera(context: &PanelContext<'_>) -> Camera {
    let scene = context.session.editor.scene();
    let pose = context.session.shown();
    let chosen = context.workspace.camera.filter(|camera| *camera < scene.camera_count());
    match (chosen, pose) {
        (Some(camera), Some(pose)) => {
            let seen = scene.evaluate_camera_in(camera, pose.frame, &pose.bodies);
            let Eye { eye, target, up, lens } = seen.camera;
            Camera { eye, target, up, lens }
        }
        _ => context.workspace.view.camera(),
    }
}

/// Middle button, or left on nothing: turn; with Shift: move; wheel: zoom.
fn navigate(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    size: Size,
    scale: f32,
    context: &mut PanelContext<'_>,
) {
    let view = &mut context.workspace.view;
    let before = *view;
    let shift = ui.input(|input| input.modifiers.shift);
    let drag = response.drag_delta() * scale;
    let (dx, dy) = (f64::from(drag.x), f64::from(drag.y));
    let by = |button| response.dragged_by(button);
    if by(PointerButton::Secondary) || (shift && by(PointerButton::Middle)) {
        view.pan(dx, dy, size);
    } else if by(PointerButton::Middle) || by(PointerButton::Primary) {
        view.orbit(dx, dy, size);
    }
    let wheel = ui.input(|input| input.smooth_scroll_delta().y);
    if let (Some(pointer), true) = (response.hover_pos(), wheel != 0.0) {
        let at = (pointer - rect.min) * scale;
        let factor = f64::from((-wheel * 0.003).exp());
        view.zoom_at(factor, f64::from(at.x), f64::from(at.y), size);
    }
    let moves = *view != before;
    if moves {
        context.workspace.camera = None;
    }
    // A last picture with all detail once the view rests.
    if context.state.viewport.moves && !moves {
        ui.ctx().request_repaint();
    }
    context.state.viewport.moves = moves;
}
