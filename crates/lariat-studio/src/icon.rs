//! Icons, painted as shapes: one family, at any scale, in the colour of the text.

use egui::{Color32, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};

use crate::theme::{self, ROW};

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// A triangle to the right.
    Play,
    /// Two bars.
    Pause,
    /// A triangle to the right with a bar: the last frame.
    Last,
    /// A triangle to the left with a bar: the first frame.
    First,
    /// A small chevron to the right: the next frame.
    Next,
    /// A small chevron to the left: the frame before.
    Previous,
    /// A sheet of paper.
    Document,
    /// A folder.
    Folder,
    /// An arrow up.
    Up,
    /// An arrow down.
    Down,
    /// A plus.
    Add,
    /// A cross.
    Remove,
    /// An arrow that turns back.
    Reset,
    /// A ring with a shank and a bow: a place to be held at.
    Anchor,
}

impl Icon {
    /// Paints it into a square.
    pub(crate) fn paint(self, painter: &egui::Painter, square: Rect, colour: Color32) {
        let at = |x: f32, y: f32| -> Pos2 { square.min + vec2(x, y) * square.size() };
        let fill = |points: &[(f32, f32)]| {
            let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
        };
        let line = |points: &[(f32, f32)]| {
            let points = points.iter().map(|(x, y)| at(*x, *y)).collect();
            painter.add(Shape::line(points, Stroke::new(1.5, colour)));
        };
        match self {
            Self::Play => fill(&[(0.25, 0.15), (0.85, 0.5), (0.25, 0.85)]),
            Self::Pause => {
                fill(&[(0.22, 0.18), (0.42, 0.18), (0.42, 0.82), (0.22, 0.82)]);
                fill(&[(0.58, 0.18), (0.78, 0.18), (0.78, 0.82), (0.58, 0.82)]);
            }
            Self::Last => {
                fill(&[(0.2, 0.2), (0.7, 0.5), (0.2, 0.8)]);
                line(&[(0.78, 0.2), (0.78, 0.8)]);
            }
            Self::First => {
                fill(&[(0.8, 0.2), (0.8, 0.8), (0.3, 0.5)]);
                line(&[(0.22, 0.2), (0.22, 0.8)]);
            }
            Self::Next => line(&[(0.38, 0.22), (0.66, 0.5), (0.38, 0.78)]),
            Self::Previous => line(&[(0.62, 0.22), (0.34, 0.5), (0.62, 0.78)]),
            Self::Document => {
                line(&[
                    (0.25, 0.1),
                    (0.6, 0.1),
                    (0.78, 0.3),
                    (0.78, 0.9),
                    (0.25, 0.9),
                    (0.25, 0.1),
                ]);
            }
            Self::Folder => line(&[
                (0.12, 0.8),
                (0.12, 0.22),
                (0.42, 0.22),
                (0.5, 0.34),
                (0.88, 0.34),
                (0.88, 0.8),
                (0.12, 0.8),
            ]),
            Self::Up => {
                line(&[(0.5, 0.85), (0.5, 0.2)]);
                line(&[(0.25, 0.45), (0.5, 0.18), (0.75, 0.45)]);
            }
            Self::Down => {
                line(&[(0.5, 0.15), (0.5, 0.8)]);
                line(&[(0.25, 0.55), (0.5, 0.82), (0.75, 0.55)]);
            }
            Self::Add => {
                line(&[(0.5, 0.2), (0.5, 0.8)]);
                line(&[(0.2, 0.5), (0.8, 0.5)]);
            }
            Self::Remove => {
                line(&[(0.27, 0.27), (0.73, 0.73)]);
                line(&[(0.73, 0.27), (0.27, 0.73)]);
            }
            Self::Reset => {
                line(&[(0.2, 0.2), (0.2, 0.45), (0.45, 0.45)]);
                let turn = |k: u8| {
                    let angle = (205.0 + 27.0 * f32::from(k)).to_radians();
                    (0.52 + 0.32 * angle.cos(), 0.56 + 0.32 * angle.sin())
                };
                line(&(0..=10).map(turn).collect::<Vec<_>>());
            }
            Self::Anchor => {
                let ring = Stroke::new(1.5, colour);
                painter.circle_stroke(at(0.5, 0.22), 0.11 * square.width(), ring);
                line(&[(0.5, 0.33), (0.5, 0.88)]);
                line(&[(0.3, 0.46), (0.7, 0.46)]);
                line(&[(0.14, 0.58), (0.22, 0.76), (0.5, 0.88), (0.78, 0.76), (0.86, 0.58)]);
            }
        }
    }
}

/// A button with an icon, and a name for those who do not see it.
pub(crate) fn button(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ROW + 4.0, ROW), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    let colours = theme::of(ui);
    let fill = match () {
        () if response.is_pointer_button_down_on() => colours.line,
        () if response.hovered() || response.has_focus() => colours.hover,
        () => colours.control,
    };
    ui.painter().rect_filled(rect, 4.0, fill);
    let square = Rect::from_center_size(rect.center(), vec2(14.0, 14.0));
    icon.paint(ui.painter(), square, colours.text);
    response
}

/// A small icon without a frame that can be clicked, for rows.
pub(crate) fn quiet(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(14.0, ROW), Sense::click());
    let is_enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, name));
    let colours = theme::of(ui);
    let colour = match () {
        () if !is_enabled => colours.weak.gamma_multiply(0.35),
        () if response.hovered() || response.has_focus() => colours.text,
        () => colours.weak,
    };
    let square = Rect::from_center_size(rect.center(), vec2(11.0, 11.0));
    icon.paint(ui.painter(), square, colour);
    response
}

/// An icon in a line of text.
pub(crate) fn show(ui: &mut Ui, icon: Icon) {
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    icon.paint(ui.painter(), rect.shrink(1.0), theme::of(ui).weak);
}
