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
                line(&[(0.25, 0.1), (0.6, 0.1), (0.78, 0.3), (0.78, 0.9), (0.25, 0.9), (0.25, 0.1)])
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

/// An icon in a line of text.
pub(crate) fn show(ui: &mut Ui, icon: Icon) {
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    icon.paint(ui.painter(), rect.shrink(1.0), theme::of(ui).weak);
}
