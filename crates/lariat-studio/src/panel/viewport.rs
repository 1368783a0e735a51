//! The picture of the scene: turning, moving and zooming the view, selecting, and hands in it.
//!
//! ```text
//! overlay.rs  dots, arrows and words over the picture
//! legend.rs   the legend of tension, twist and contact
//! menu.rs     the menu of the thing under the pointer
//! hint.rs     first steps in an empty shot
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/hands.rs`, `crates/lariat-studio/tests/studio/view.rs`.

mod hint;
mod legend;
mod menu;
mod overlay;

use egui::{PointerButton, Pos2, Rect, Sense, Ui, pos2};
use egui_wgpu::RenderState;
use lariat_core::geometry::Camera as Seen;
use lariat_editor::pull::{BodyPoint, PullError};
use lariat_render::{Camera, Guides, RenderError, Size};
use lariat_scene::Thing;
use lariat_shoot::BodyPart;

use super::{
    PanelContext,
    inspector::{end_menu, is_anchor},
};
use crate::{
    action::Action,
    command::Command,
    theme,
    viewport::{
        Additions, Contacts, Copying, Drawn, Eye, Ground, Marked, Measured, PictureSettings,
        ScenePicture, Traces, Wire, bounds, ghosts_of, guides,
        hands::{
            Button, Gesture, Grips, Hands, LivePulling, Part, Placeable, Pointer, Pulling,
            Shifting, Turning, Wanted, area,
        },
        wires,
    },
};

/// Distance in points at which a thin rope is still under the pointer.
const TOLERANCE: f32 = 6.0;

/// Drags that are going on.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Whether the view moves, and is drawn with less detail.
    moves: bool,
    hands: Hands,
    traces: Traces,
    pub(crate) ground: Ground,
    measured: Measured,
    contacts: Contacts,
    copying: Copying,
    /// Part of a body under the pointer, and what it belongs to: pose, hidden things and position of the
    /// pointer.
    hovered: Option<(Option<UnderPointer>, [u64; 2], Pos2)>,
}

/// A part of a body under the pointer.
#[derive(Clone, Copy, Debug)]
struct UnderPointer {
    part: BodyPart,
    /// Position along its strand, 0–1.
    u: f64,
}

impl State {
    /// Whether keys belong to a gesture instead of to commands.
    pub(crate) fn takes_keys(&self) -> bool {
        self.hands.takes_keys()
    }

    /// Frame and held point of a simulated body that is being pulled.
    pub(crate) fn pulled(&self) -> Option<(f64, glam::DVec3)> {
        match &self.hands.gesture {
            Some(Gesture::Live(pulling)) => Some((pulling.shown().0.frame, pulling.point())),
            _ => None,
        }
    }

    /// Drops the offer after a drag; returns whether there was one.
    pub(crate) fn drop_offer(&mut self) -> bool {
        self.hands.offer.take().is_some()
    }

    /// Begins to place a thing.
    pub(crate) fn place(&mut self, kind: Placeable) {
        self.hands.place(kind);
    }

    /// Copies the picture of the view in the next pass.
    pub(crate) fn copy(&mut self) {
        self.copying.is_wanted = true;
    }

    /// Begins a gesture where the pointer is.
    pub(crate) fn want(&mut self, wanted: Wanted) {
        self.hands.wanted = Some(wanted);
    }
}

/// Shows the picture, and lets the pointer turn it, select and take hold of things in it.
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
    let session = context.session;
    let Some(pose) = session.shown() else {
        ui.painter().rect_filled(rect, 0.0, theme::of(ui).well);
        return Ok(());
    };
    let scene = session.editor.scene();
    let workspace = &mut *context.workspace;
    if std::mem::take(&mut workspace.frames_all) {
        let is_seen = |body| scene.is_drawn(body) && workspace.shows(scene.body_name(body));
        let around = bounds(pose, is_seen);
        workspace.view.frame(&around, size);
    }
    if let Some(around) = workspace.framed.take() {
        workspace.view.frame(&around, size);
    }
    navigate(ui, &response, rect, size, scale, context);
    let Some(eye) = Eye::new(rect, scale, size, camera(context)) else { return Ok(()) };
    let is_idle = context.state.viewport.hands.gesture.is_none() && !context.is_playing;
    follow(ui, context, is_idle);
    let content = context.state.viewport.ground.content();
    let wires = wires(session, context.workspace, pose, &eye, &content);
    let grips = Grips::new(session, context.workspace, pose, &eye);
    let hovered_handle = hands(ui, &response, &eye, &grips, &wires, context);
    let pointer = response.hover_pos().filter(|_| is_idle && hovered_handle.is_none());
    let under = pointer.and_then(|pointer| part_under(context, &eye, pointer));
    let hovered_wire = pointer.and_then(|at| wire_under(&wires, &eye, at, under.as_ref()));
    let hovered = under.filter(|_| hovered_wire.is_none()).map(|under| under.part.body);
    // The body that a dragged end would be attached to.
    let target = context.state.viewport.hands.gesture.as_ref().and_then(Gesture::target);
    let hovered = hovered.or_else(|| scene.body_index(target?));
    if hovered.is_some() || hovered_handle.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    } else if hovered_wire.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    context.state.viewport.traces.update(session, context.workspace, pose);
    let replay = context.state.modes.replayed(session, context.workspace);
    let live = context.state.viewport.hands.live().map(|(moment, _)| moment.clone());
    let shown = replay.as_ref().and_then(|replay| replay.pose.as_ref()).unwrap_or(pose);
    let shown = live.as_ref().unwrap_or(shown);
    let drawn = Drawn::new(scene, shown, eye.camera, context.workspace);
    let marked = Marked {
        drawn: &drawn,
        session,
        workspace: context.workspace,
        eye: &eye,
        hovered,
        hovered_wire,
        traces: &context.state.viewport.traces,
        contacts: &context.state.viewport.contacts,
        wires: &wires,
        ground: context.state.viewport.ground.height(scene.shot()),
    };
    match state {
        None => drop(ui.painter().rect_filled(rect, 0.0, theme::of(ui).well)),
        Some(state) => {
            let moves = context.is_playing || live.is_some() || context.state.viewport.moves;
            let is_wanted = std::mem::take(&mut context.state.viewport.copying.is_wanted);
            let copied = is_wanted.then(|| guides(&marked, false));
            let guides = guides(&marked, true);
            show_picture(ui, context, state, picture, &eye, (guides, copied), moves)?;
        }
    }
    legend::show(ui, &eye, context, under.map(|under| (under.part, under.u)));
    menu::show(&response, context);
    overlay::show(
        ui,
        &eye,
        &grips,
        hovered_handle,
        &mut context.state.viewport.hands,
        context.workspace,
        context.actions,
    );
    hint::show(ui, &eye, context);
    Ok(())
}

/// Lets ground, colours and contacts follow the pose.
fn follow(ui: &Ui, context: &mut PanelContext<'_>, is_idle: bool) {
    let session = context.session;
    let Some(pose) = session.shown() else { return };
    let (workspace, state) = (&*context.workspace, &mut context.state.viewport);
    let dt = f64::from(ui.input(|input| input.stable_dt));
    let rests = is_idle && session.editor.gesture_name().is_none();
    let posed = (session.editor.scene(), pose, session.pose_version());
    if state.ground.update(posed, rests, dt) {
        ui.ctx().request_repaint();
    }
    state.measured.update(session, workspace, pose);
    state.contacts.update(session, workspace, pose);
}

/// Draws the picture, and copies it if that is asked for.
fn show_picture(
    ui: &Ui,
    context: &mut PanelContext<'_>,
    state: &RenderState,
    picture: &mut Option<ScenePicture>,
    eye: &Eye,
    (guides, copied): (Guides, Option<Guides>),
    moves: bool,
) -> Result<(), RenderError> {
    let session = context.session;
    let Some(pose) = session.shown() else { return Ok(()) };
    let scene = session.editor.scene();
    let replay = context.state.modes.replayed(session, context.workspace);
    let others = replay.as_ref().map_or(&[][..], |replay| &replay.bodies);
    let original = replay.as_ref().map_or(&[][..], |replay| &replay.original);
    // While it is pulled, a simulation is shown as it goes on.
    let live = context.state.viewport.hands.live();
    let live = live.map(|(moment, version)| (moment.clone(), u64::MAX - version));
    let settings = PictureSettings {
        size: eye.size,
        camera: eye.camera,
        moves,
        revision: session.editor.revision(),
        pose: live.as_ref().map_or(session.pose_version(), |(_, version)| *version),
        replay: replay.as_ref().map_or(0, |replay| replay.version),
        visibility: context.workspace.visibility.version(),
        measured: context.state.viewport.measured.of(),
    };
    let picture = match picture {
        Some(picture) => picture,
        none => none.insert(ScenePicture::new(state)?),
    };
    let workspace = &*context.workspace;
    let appearance = workspace.appearance;
    let view = &mut context.state.viewport;
    let stage = view.ground.stage(scene, pose, appearance);
    let colours = theme::of(ui);
    let shown = replay.as_ref().and_then(|replay| replay.pose.as_ref()).unwrap_or(pose);
    let shown = live.as_ref().map_or(shown, |(moment, _)| moment);
    let ghosts = || {
        let ghosts = view.traces.ghosts(&colours);
        ghosts.chain(ghosts_of(original, &colours)).collect::<Vec<_>>()
    };
    if let Some(guides) = copied {
        let (stage, ghosts) = (stage.clone(), ghosts());
        let additions = Additions { workspace, stage, guides, ghosts, others };
        match picture.copy(settings, (scene, shown), &additions) {
            Ok(pending) => view.copying.begin(pending, view.measured.legend()),
            Err(error) => {
                context.actions.push(Action::Report(format!("The view cannot be copied: {error}")));
            }
        }
    }
    let now = ui.input(|input| input.time);
    let additions = Additions { workspace, stage, guides, ghosts: ghosts(), others };
    let texture = picture.draw(state, settings, (scene, shown), additions, now)?;
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture, eye.rect, whole, egui::Color32::WHITE);
    if picture.is_coarse() && !moves {
        ui.ctx().request_repaint();
    }
    if let Some(wait) = picture.look(state, now).filter(|_| moves) {
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(wait));
    }
    if let Some(image) = view.copying.take(picture) {
        let image = image?;
        let [width, height] = image.size;
        ui.ctx().copy_image(image);
        context.actions.push(Action::Report(format!("Copied {width}×{height}")));
    } else if view.copying.is_pending() {
        ui.ctx().request_repaint();
    }
    Ok(())
}

/// Takes hold of handles, arrows, rings and bodies; selects what is clicked. Returns the handle under
/// the pointer.
fn hands(
    ui: &Ui,
    response: &egui::Response,
    eye: &Eye,
    grips: &Grips,
    wires: &[Wire],
    context: &mut PanelContext<'_>,
) -> Option<usize> {
    let mut hands = std::mem::take(&mut context.state.viewport.hands);
    let at = ui.input(|input| input.pointer.latest_pos());
    let (mut hovered, mut clicked_handle) = (None, None);
    let mut started = None;
    for (index, one) in grips.handles.iter().enumerate() {
        let id = response.id.with(("handle", one.handle.path.to_string()));
        let handle = ui.interact(area(one.at), id, Sense::click_and_drag());
        handle.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &one.label));
        if handle.hovered() || handle.dragged() {
            hovered = Some(index);
        }
        if handle.clicked() {
            clicked_handle = Some(index);
        }
        if handle.secondary_clicked() {
            context.workspace.select(one.handle.thing, &one.handle.name, false);
        }
        if context.workspace.is_selected(one.handle.thing, &one.handle.name) {
            if is_anchor(context, &one.handle.path) {
                let (paths, words) = ([one.handle.path.clone()], one.end().to_owned());
                handle.context_menu(|ui| end_menu(ui, context, &paths, &words));
            } else {
                menu::show(&handle, context);
            }
        }
        if handle.drag_started_by(PointerButton::Primary) {
            started = Some(index);
        }
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    let is_idle = hands.gesture.is_none() && !hands.is_spent;
    if let (Some(wanted), Some(at)) = (hands.wanted.take(), at.or(Some(eye.rect.center()))) {
        hands.gesture = want(context, eye, grips, wanted, at);
    } else if let (Some(index), Some(origin), true) = (started, origin, is_idle) {
        let one = &grips.handles[index];
        hands.offer = None;
        hands.gesture = Some(Gesture::Shift(Box::new(Shifting::handle(&one.handle, origin))));
        if !one.is_selected {
            context.workspace.select(one.handle.thing, &one.handle.name, false);
        }
    } else if let (true, Some(origin), true) =
        (response.drag_started_by(PointerButton::Primary), origin, is_idle)
    {
        hands.offer = None;
        match take_hold(context, eye, grips, (origin, ui.input(|input| input.time))) {
            Ok(gesture) => hands.gesture = gesture,
            Err(why) => {
                context.actions.push(Action::Report(why));
                // The view stays, so that the message is not taken for a slip.
                hands.is_spent = true;
            }
        }
    } else if let (true, Some(at), true) = (response.clicked(), at, is_idle) {
        hands.offer = None;
        select(ui, context, eye, wires, at);
    } else if let (true, Some(at), true) = (response.secondary_clicked(), at, is_idle) {
        select(ui, context, eye, wires, at);
    }
    if let (Some(index), true) = (clicked_handle, is_idle) {
        let one = &grips.handles[index].handle;
        let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        context.workspace.select(one.thing, &one.name, adds);
    }
    if let Some(at) = at {
        let is_over = response.contains_pointer() || hovered.is_some();
        let (button, modifiers) = ui.input(|input| {
            let pointer = &input.pointer;
            let button = match () {
                () if pointer.primary_released() && is_over => Button::Released,
                () if pointer.primary_pressed() && is_over => Button::Pressed,
                () if pointer.primary_down() => Button::Down,
                () => Button::Up,
            };
            (button, input.modifiers)
        });
        let pointer = Pointer { at, button, modifiers };
        hands.go_on(ui, eye, pointer, context);
    } else if hands.takes_keys()
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
    {
        hands.cancel(context);
    }
    context.state.viewport.hands = hands;
    hovered
}

/// The gesture of a command.
fn want(
    context: &mut PanelContext<'_>,
    eye: &Eye,
    grips: &Grips,
    wanted: Wanted,
    at: Pos2,
) -> Option<Gesture> {
    let (gesture, why) = match wanted {
        Wanted::Move => {
            let shifting = Shifting::selection(context, at, eye);
            (shifting.map(|one| Gesture::Shift(Box::new(one))), "Select something to move it")
        }
        Wanted::Turn => {
            let gizmo = grips.gizmo.as_ref();
            let turning = gizmo.and_then(|gizmo| Turning::new(gizmo, None, at));
            (turning.map(Gesture::Turn), "Select a solid, a mesh or a locator to turn it")
        }
    };
    if gesture.is_none() {
        context.actions.push(Action::Report(why.to_owned()));
    }
    gesture
}

/// The gesture that begins where the button was pressed, or the reason why there is none there; on
/// nothing, the view is turned.
fn take_hold(
    context: &mut PanelContext<'_>,
    eye: &Eye,
    grips: &Grips,
    (origin, now): (Pos2, f64),
) -> Result<Option<Gesture>, String> {
    if let (Some(part), Some(gizmo)) = (grips.part_at(eye, origin), &grips.gizmo) {
        return Ok(match part {
            Part::Arrow(axis) => {
                let shifting = Shifting::handle(&gizmo.position, origin).along(axis);
                Some(Gesture::Shift(Box::new(shifting)))
            }
            Part::Ring(axis) => Turning::new(gizmo, Some(axis), origin).map(Gesture::Turn),
        });
    }
    let session = context.session;
    let (scene, Some(pose)) = (session.editor.scene(), session.shown()) else { return Ok(None) };
    let drawn = Drawn::new(scene, pose, eye.camera, context.workspace);
    let Some((body, pick)) = drawn.pick(eye, origin, TOLERANCE) else { return Ok(None) };
    let Some(point) = BodyPoint::nearest(&pose.bodies[body], pick.point) else { return Ok(None) };
    let name = scene.body_name(body).to_owned();
    if !context.workspace.is_selected(Thing::Body, &name) {
        context.workspace.select(Thing::Body, &name, false);
    }
    match Pulling::new(context, eye, &name, point, origin) {
        Ok(pulling) => Ok(Some(Gesture::Pull(Box::new(pulling)))),
        // A follower of a simulated body is refused by its own name.
        Err(PullError::Simulated { name: simulated, .. }) if simulated == name => {
            let live = LivePulling::new(context, eye, &name, point, (origin, now));
            let live = live.map_err(|error| error.to_string())?;
            if context.is_playing {
                // The pull has a time of its own, which begins at this frame.
                context.actions.push(Action::Run(Command::Play));
            }
            Ok(Some(Gesture::Live(Box::new(live))))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Selects the thing under the pointer.
fn select(ui: &Ui, context: &mut PanelContext<'_>, eye: &Eye, wires: &[Wire], at: Pos2) {
    let scene = context.session.editor.scene();
    let under = part_under(context, eye, at);
    let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
    let wire = wire_under(wires, eye, at, under.as_ref()).map(|index| &wires[index]);
    match (wire, under) {
        (Some(wire), _) => context.workspace.select(wire.thing, &wire.name, adds),
        (None, Some(under)) => {
            let name = scene.body_name(under.part.body);
            context.workspace.select(Thing::Body, name, adds);
        }
        (None, None) if !adds => context.workspace.selected.clear(),
        (None, None) => {}
    }
}

/// The collider or camera under the pointer. A strand there comes first, since it is thin; a mesh hides
/// the inside of a solid, not its lines.
fn wire_under(wires: &[Wire], eye: &Eye, at: Pos2, under: Option<&UnderPointer>) -> Option<usize> {
    if under.is_some_and(|under| under.part.strand.is_some()) {
        return None;
    }
    let near = wires.iter().enumerate().map(|(index, wire)| (wire.distance(eye, at), index));
    let near = near.filter(|(off, _)| *off < TOLERANCE).min_by(|a, b| a.0.total_cmp(&b.0));
    let inside = || wires.iter().position(|wire| wire.covers(eye, at));
    near.map(|(_, index)| index).or_else(|| if under.is_none() { inside() } else { None })
}

/// The part of a body under the pointer, looked for again only if the pointer or the pose moved.
fn part_under(context: &mut PanelContext<'_>, eye: &Eye, pointer: Pos2) -> Option<UnderPointer> {
    let version = [context.session.pose_version(), context.workspace.visibility.version()];
    if let Some((under, of, at)) = context.state.viewport.hovered
        && (of, at) == (version, pointer)
        && !context.state.viewport.moves
    {
        return under;
    }
    let pose = context.session.shown()?;
    let scene = context.session.editor.scene();
    let drawn = Drawn::new(scene, pose, eye.camera, context.workspace);
    let under = drawn.pick_part(eye, pointer, TOLERANCE);
    let under = under.map(|(part, pick)| UnderPointer { part, u: pick.u });
    context.state.viewport.hovered = Some((under, version, pointer));
    under
}

/// The camera of the view: of the document, or free.
fn camera(context: &PanelContext<'_>) -> Camera {
    let scene = context.session.editor.scene();
    let pose = context.session.shown();
    let chosen = context.workspace.camera.filter(|camera| *camera < scene.camera_count());
    match (chosen, pose) {
        (Some(camera), Some(pose)) => {
            let seen = scene.evaluate_camera_in(camera, pose.frame, &pose.bodies);
            let Seen { eye, target, up, lens } = seen.camera;
            Camera { eye, target, up, lens }
        }
        _ => context.workspace.view.camera(),
    }
}

/// Middle button, or left on nothing: turn; right, or middle with Shift: move; wheel: zoom.
fn navigate(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    size: Size,
    scale: f32,
    context: &mut PanelContext<'_>,
) {
    let hands = &context.state.viewport.hands;
    // The pass in which a drag begins is decided by the hands.
    let is_free = hands.gesture.is_none() && !hands.is_spent && !response.drag_started();
    let view = &mut context.workspace.view;
    let before = *view;
    let shift = ui.input(|input| input.modifiers.shift);
    let drag = response.drag_delta() * scale;
    let (dx, dy) = (f64::from(drag.x), f64::from(drag.y));
    let by = |button| response.dragged_by(button);
    if by(PointerButton::Secondary) || (shift && by(PointerButton::Middle)) {
        view.pan(dx, dy, size);
    } else if by(PointerButton::Middle) || is_free && by(PointerButton::Primary) {
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
