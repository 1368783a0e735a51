//! One row of the list: name, eye, switch to show it alone, menu.

use egui::{
    Align, Key, Layout, Rect, Response, RichText, Sense, TextEdit, TextStyle, TextWrapMode, Ui,
    WidgetInfo, WidgetText, pos2, vec2,
};
use lariat_scene::{Edit, Path, Thing, check::Severity};

use super::{State, drop, id, title as title_of};
use crate::{
    action::Action,
    command::Command,
    icon::{self, Icon},
    panel::{PanelContext, inspector},
    theme::{self, GAP, ROW},
    workspace::Selection,
};

/// Width of an icon with the space after it, in points.
const ICON: f32 = 20.0;

/// The row of a thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThingRow<'r> {
    pub(super) thing: Thing,
    pub(super) name: &'r str,
    pub(super) icon: Icon,
    /// Place in the list of its kind.
    pub(super) index: usize,
}

/// The title of a kind of things.
pub(super) fn title(ui: &mut Ui, thing: Thing) {
    let size = vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Max), |ui| {
        ui.label(RichText::new(title_of(thing)).small().color(theme::of(ui).weak));
    });
}

/// An end that is tied to something; a click shows its parameter.
pub(super) fn tie(ui: &mut Ui, context: &mut PanelContext<'_>, path: &Path, words: &str) {
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, words));
    let colours = theme::of(ui);
    let colour = if response.hovered() { colours.text } else { colours.weak };
    // A line from the thing above.
    let corner = rect.left_center() + vec2(GAP + 7.0, -2.0);
    let line = [corner - vec2(0.0, 7.0), corner, corner + vec2(6.0, 0.0)];
    let stroke = egui::Stroke::new(1.0, colours.weak.gamma_multiply(0.6));
    ui.painter().add(egui::Shape::line(line.to_vec(), stroke));
    let text = Rect::from_min_max(pos2(rect.left() + GAP + ICON, rect.top()), rect.max);
    paint_text(ui, text, RichText::new(words).small().color(colour));
    if response.on_hover_text("Shows the place at which it is held.").clicked() {
        context.actions.push(Action::Reveal(path.clone()));
    }
}

impl ThingRow<'_> {
    fn selection(self) -> Selection {
        Selection { thing: self.thing, name: self.name.to_owned() }
    }

    pub(super) fn show(self, ui: &mut Ui, context: &mut PanelContext<'_>, state: &mut State) {
        let is_renamed = |renaming: &super::Renaming| {
            renaming.of.thing == self.thing && renaming.of.name == self.name
        };
        if state.renaming.as_ref().is_some_and(is_renamed) {
            return self.name_field(ui, context, state);
        }
        let size = vec2(ui.available_width(), ROW);
        // By its name, so that a row keeps its state when others come and go.
        ui.push_id((self.thing, self.name), |ui| {
            ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                ui.add_space(2.0);
                self.switches(ui, context);
                let width = ui.available_width();
                let (rect, response) =
                    ui.allocate_exact_size(vec2(width, ROW), Sense::CLICK | Sense::DRAG);
                self.paint(ui, context, rect, &response);
                self.answer(ui, context, state, &response);
            });
        });
    }

    /// Whether it is in the view, and whether it is there alone.
    fn switches(self, ui: &mut Ui, context: &mut PanelContext<'_>) {
        let Self { thing, name, .. } = self;
        let visibility = &mut context.workspace.visibility;
        let is_hidden = visibility.is_hidden(thing, name);
        let (icon, words) = match is_hidden {
            true => (Icon::Hidden, format!("Show {name}")),
            false => (Icon::Eye, format!("Hide {name}")),
        };
        let eye = icon::toggle(ui, icon, &words, is_hidden);
        if eye
            .on_hover_text("Whether it is in the view. Renders and exports have it anyway.")
            .clicked()
        {
            visibility.hide(thing, name, !is_hidden);
        }
        if thing == Thing::Body {
            let is_alone = visibility.is_alone(name);
            let words = match is_alone {
                true => format!("Show {name} with others"),
                false => format!("Show {name} alone"),
            };
            let alone = icon::toggle(ui, Icon::Solo, &words, is_alone);
            if alone.on_hover_text("Shows only this body, and others that are alone.").clicked() {
                visibility.show_alone(name, !is_alone);
            }
        }
    }

    fn paint(self, ui: &Ui, context: &PanelContext<'_>, rect: Rect, response: &Response) {
        let Self { thing, name, icon, .. } = self;
        let is_selected = context.workspace.is_selected(thing, name);
        response.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, is_selected, name));
        let colours = theme::of(ui);
        let fill = match () {
            () if is_selected => ui.visuals().selection.bg_fill,
            () if response.hovered() => colours.hover,
            () => egui::Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, 4.0, fill);
        let editor = &context.session.editor;
        let path = inspector::path_of(thing, name);
        let colour = match editor.diagnostics_at(&path).map(|one| one.severity).max() {
            Some(Severity::Error) => colours.error,
            Some(Severity::Warning) => colours.warning,
            _ => colours.text,
        };
        let is_seen = context.workspace.shows_thing(thing, name);
        let colour = if is_seen { colour } else { colour.gamma_multiply(0.5) };
        let centre = rect.left_center() + vec2(GAP + 7.0, 0.0);
        let square = Rect::from_center_size(centre, vec2(14.0, 14.0));
        let shade = if is_selected { colours.text } else { colours.weak };
        icon.paint(ui.painter(), square, if is_seen { shade } else { shade.gamma_multiply(0.5) });
        let text = Rect::from_min_max(pos2(rect.left() + GAP + ICON, rect.top()), rect.max);
        paint_text(ui, text, RichText::new(name).color(colour));
    }

    fn answer(
        self,
        ui: &Ui,
        context: &mut PanelContext<'_>,
        state: &mut State,
        response: &Response,
    ) {
        let Self { thing, name, .. } = self;
        if response.clicked() {
            let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
            context.workspace.select(thing, name, adds);
            ui.memory_mut(|memory| memory.request_focus(id()));
        }
        if response.double_clicked() {
            state.rename(self.selection());
        }
        response.dnd_set_drag_payload(self.selection());
        drop::over(ui, context, state, self, response);
        response.context_menu(|ui| self.menu(ui, context, state));
    }

    fn menu(self, ui: &mut Ui, context: &mut PanelContext<'_>, state: &mut State) {
        let Self { thing, name, .. } = self;
        if !context.workspace.is_selected(thing, name) {
            context.workspace.select(thing, name, false);
        }
        if ui.button(Command::Rename.row().label).clicked() {
            state.rename(self.selection());
            ui.close();
        }
        if thing == Thing::Body {
            ui.menu_button("Model", |ui| inspector::models(ui, context, name));
        }
        let mut commands = vec![Command::Duplicate, Command::Delete, Command::Hide];
        if thing == Thing::Body {
            commands.push(Command::Solo);
        }
        for command in commands {
            if ui.button(command.row().label).on_hover_text(command.row().help).clicked() {
                context.actions.push(Action::Run(command));
                ui.close();
            }
        }
    }

    /// The name as a field.
    fn name_field(self, ui: &mut Ui, context: &mut PanelContext<'_>, state: &mut State) {
        let Some(renaming) = &mut state.renaming else { return };
        let edit = TextEdit::singleline(&mut renaming.typed).desired_width(f32::INFINITY);
        let response = ui.add_sized(vec2(ui.available_width(), ROW), edit);
        let response = response.accessible_name("New name");
        if !renaming.is_open {
            renaming.is_open = true;
            response.request_focus();
            response.scroll_to_me(None);
            return;
        }
        if !response.lost_focus() {
            return;
        }
        let (enters, escapes) =
            ui.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
        let to = renaming.typed.trim().to_owned();
        state.renaming = None;
        if enters {
            ui.memory_mut(|memory| memory.request_focus(id()));
        }
        if !escapes && !to.is_empty() && to != self.name {
            let from = self.name.to_owned();
            let edit = Edit::Rename { thing: self.thing, from, to };
            context.actions.apply(format!("Rename {}", self.name), edit);
        }
    }
}

/// A line of text that ends with dots where it is too long.
fn paint_text(ui: &Ui, rect: Rect, text: RichText) {
    let text = WidgetText::from(text);
    let truncate = Some(TextWrapMode::Truncate);
    let galley = text.into_galley(ui, truncate, rect.width() - GAP, TextStyle::Body);
    let at = pos2(rect.left(), rect.center().y - 0.5 * galley.size().y);
    ui.painter().galley(at, galley, theme::of(ui).text);
}
