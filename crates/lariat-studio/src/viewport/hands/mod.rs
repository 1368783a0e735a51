//! Hands in the view: handles that are dragged, bodies that are pulled, things that are moved, turned
//! and placed.
//!
//! Every drag is a gesture of the editor: it begins when the pointer moves, previews while it moves,
//! and is committed when the button is released. Escape ends it without a trace.
//!
//! ```text
//! motion.rs  a motion in the view, constrained or typed
//! grip.rs    everything that can be taken hold of: handles, arrows, rings
//! shift.rs   handles and things that are moved
//! turn.rs    things that are turned
//! pull.rs    bodies that are pulled by their points
//! live.rs    simulated bodies that are pulled while time goes on
//! place.rs   new bodies, by one or two clicks
//! ```
//!
//! Tests: `crates/lariat-studio/tests/studio/hands.rs`, `crates/lariat-studio/tests/studio/live.rs`.

mod grip;
mod live;
mod motion;
mod place;
mod placeable;
mod pull;
mod shift;
mod turn;

pub(crate) use grip::{Gizmo, Grips, Handle, Part, area, distance, label_of};
pub(crate) use live::LivePulling;
pub(crate) use motion::{AXES, Constraint};
pub(crate) use place::Placing;
pub(crate) use placeable::Placeable;
pub(crate) use pull::Pulling;
pub(crate) use shift::Shifting;
pub(crate) use turn::Turning;

use egui::{Key, Pos2};
use lariat_editor::handle::{Attached, DragOptions};

use crate::{action::Action, panel::PanelContext, viewport::Eye};

/// A gesture that is going on.
#[derive(Debug)]
pub(crate) enum Gesture {
    /// Handles or things are moved.
    Shift(Box<Shifting>),
    /// Things are turned.
    Turn(Turning),
    /// A body is pulled.
    Pull(Box<Pulling>),
    /// A simulated body is pulled while time goes on.
    Live(Box<LivePulling>),
    /// A new body is placed.
    Place(Box<Placing>),
}

/// An edit that is offered after a drag, beside the pointer.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// Text of its button.
    pub(crate) label: String,
    /// Name of the entry.
    pub(crate) entry: String,
    pub(crate) edit: lariat_scene::Edit,
    pub(crate) at: Pos2,
}

/// Hands of the view, between two passes.
#[derive(Debug, Default)]
pub(crate) struct Hands {
    pub(crate) gesture: Option<Gesture>,
    /// Whether the gesture was cancelled and the button is still down.
    pub(crate) is_spent: bool,
    /// An offer after a drag.
    pub(crate) offer: Option<Offer>,
    /// Body of the last pull, its parameters, and whether a pull may change them.
    pub(crate) switches: Option<(String, Vec<(String, bool)>)>,
    /// A gesture that starts where the pointer is, without a button.
    pub(crate) wanted: Option<Wanted>,
}

/// A gesture that a command asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Moves the selected things.
    Move,
    /// Turns the active thing.
    Turn,
}

/// The pointer during a gesture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer {
    pub(crate) at: Pos2,
    /// The main button.
    pub(crate) button: Button,
    /// Ctrl snaps, Alt detaches.
    pub(crate) modifiers: egui::Modifiers,
}

/// The main button in a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    /// It is up.
    Up,
    /// It was just pressed in the view.
    Pressed,
    /// It is down.
    Down,
    /// It was just released in the view.
    Released,
}

impl Pointer {
    fn is_down(&self) -> bool {
        matches!(self.button, Button::Pressed | Button::Down)
    }

    fn is_pressed(&self) -> bool {
        self.button == Button::Pressed
    }

    fn is_released(&self) -> bool {
        self.button == Button::Released
    }

    fn snaps(&self) -> bool {
        self.modifiers.command
    }
}

impl Hands {
    /// Whether keys belong to the gesture instead of to commands.
    pub(crate) fn takes_keys(&self) -> bool {
        self.gesture.is_some()
    }

    /// Begins to place a thing.
    pub(crate) fn place(&mut self, kind: Placeable) {
        self.gesture = Some(Gesture::Place(Box::new(Placing::new(kind))));
    }

    /// The pose of a simulated body that is pulled, and a number that changes with it.
    pub(crate) fn live(&self) -> Option<(&lariat_eval::Moment, u64)> {
        match &self.gesture {
            Some(Gesture::Live(pulling)) => Some(pulling.shown()),
            _ => None,
        }
    }

    /// Ends the gesture without a trace.
    pub(crate) fn cancel(&mut self, context: &mut PanelContext<'_>) {
        if self.gesture.take().is_some_and(|gesture| gesture.has_begun()) {
            context.actions.push(Action::Cancel);
        }
    }

    /// Continues the gesture.
    pub(crate) fn go_on(
        &mut self,
        ui: &egui::Ui,
        eye: &Eye,
        pointer: Pointer,
        context: &mut PanelContext<'_>,
    ) {
        if self.is_spent {
            self.is_spent = pointer.is_down();
            return;
        }
        let Some(gesture) = &self.gesture else { return };
        let escapes = ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Escape));
        let enters = ui.input(|input| input.key_pressed(Key::Enter));
        let right = ui.input(|input| input.pointer.secondary_clicked());
        if escapes || right && gesture.is_modal() {
            self.is_spent = pointer.is_down();
            return self.cancel(context);
        }
        let Some(mut gesture) = self.gesture.take() else { return };
        let options = options(context, pointer);
        ui.input_mut(|input| gesture.take_keys(input));
        match &mut gesture {
            Gesture::Shift(shifting) => shifting.go_on(eye, pointer, options, context),
            Gesture::Turn(turning) => turning.go_on(eye, pointer, options, context),
            Gesture::Pull(pulling) => pulling.go_on(eye, pointer, context),
            Gesture::Live(pulling) => pulling.go_on(eye, pointer, context, ui),
            Gesture::Place(placing) => {
                if placing.go_on(eye, pointer, context) {
                    return;
                }
            }
        }
        let ends = match gesture.is_modal() {
            true => pointer.is_released() || enters,
            false => !pointer.is_down(),
        };
        if ends && !matches!(gesture, Gesture::Place(_)) {
            if gesture.has_begun() {
                context.actions.push(Action::Commit);
            }
            self.offer = match &gesture {
                Gesture::Shift(shifting) => shifting.offer(pointer.at, context),
                Gesture::Live(pulling) => pulling.offer(context, pointer.at),
                _ => None,
            };
            return;
        }
        self.gesture = Some(gesture);
    }
}

impl Gesture {
    /// Whether it goes on without a button.
    fn is_modal(&self) -> bool {
        match self {
            Self::Shift(shifting) => shifting.is_modal,
            Self::Turn(turning) => turning.is_modal,
            Self::Pull(_) | Self::Live(_) => false,
            Self::Place(_) => true,
        }
    }

    fn has_begun(&self) -> bool {
        match self {
            Self::Shift(shifting) => shifting.has_begun,
            Self::Turn(turning) => turning.has_begun,
            Self::Pull(pulling) => pulling.has_begun,
            // The document stays as it is.
            Self::Live(_) => false,
            Self::Place(placing) => placing.has_begun(),
        }
    }

    /// The body that a dragged end would be attached to.
    pub(crate) fn target(&self) -> Option<&str> {
        match self {
            Self::Shift(shifting) => {
                let near = shifting.near().filter(|near| near.thing == lariat_scene::Thing::Body);
                near.map(|near| &*near.name)
            }
            _ => None,
        }
    }

    fn take_keys(&mut self, input: &mut egui::InputState) {
        match self {
            Self::Shift(shifting) => shifting.motion.take_keys(input),
            Self::Turn(turning) => turning.motion.take_keys(input),
            Self::Pull(pulling) => pulling.motion.take_keys(input),
            Self::Live(pulling) => pulling.motion.take_keys(input),
            Self::Place(_) => {}
        }
    }

    /// The state of the gesture, in words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Shift(shifting) => shifting.words(),
            Self::Turn(turning) => turning.words(),
            Self::Pull(pulling) => pulling.words(),
            Self::Live(pulling) => pulling.words(),
            Self::Place(placing) => placing.words(),
        }
    }

    /// Constraint and origin of the motion, for a line through it.
    pub(crate) fn constraint(&self) -> Option<(Constraint, glam::DVec3)> {
        let motion = match self {
            Self::Shift(shifting) => &shifting.motion,
            Self::Turn(turning) => &turning.motion,
            Self::Pull(pulling) => &pulling.motion,
            Self::Live(pulling) => &pulling.motion,
            Self::Place(_) => return None,
        };
        Some((motion.constraint, motion.start))
    }
}

/// Options of drags: keys from the workspace, Alt detaches.
fn options(context: &PanelContext<'_>, pointer: Pointer) -> DragOptions {
    let attached = if pointer.modifiers.alt { Attached::Detach } else { Attached::Carry };
    DragOptions { auto_key: context.workspace.auto_key, attached }
}

/// Previews an edit; begins the gesture before the first.
fn preview(
    context: &mut PanelContext<'_>,
    has_begun: &mut bool,
    name: &str,
    edit: lariat_scene::Edit,
) {
    if !std::mem::replace(has_begun, true) {
        context.actions.push(Action::Begin { name: name.to_owned() });
    }
    context.actions.push(Action::Preview(edit));
}
