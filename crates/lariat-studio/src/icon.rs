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
    /// A curve between two points.
    Rope,
    /// A curve that hangs from one point.
    Loose,
    /// A curve with bulbs below it.
    Lights,
    /// Coils.
    Coil,
    /// A ring.
    Hoop,
    /// A box.
    Solid,
    /// A diamond.
    Locator,
    /// A wall with a slope at its foot.
    Collider,
    /// A camera with its lens.
    Camera,
    /// An open eye.
    Eye,
    /// A closed eye.
    Hidden,
    /// A dot in a ring: nothing else.
    Solo,
}

/// A curve that sags between two points.
const SAG: [(f32, f32); 5] = [(0.08, 0.28), (0.24, 0.56), (0.5, 0.7), (0.76, 0.56), (0.92, 0.28)];

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
            Self::Rope => line(&SAG),
            Self::Loose => line(&[(0.3, 0.12), (0.3, 0.4), (0.42, 0.6), (0.6, 0.66), (0.66, 0.88)]),
            Self::Lights => {
                line(&SAG.map(|(x, y)| (x, y - 0.12)));
                for (x, y) in [(0.22, 0.62), (0.5, 0.8), (0.78, 0.62)] {
                    painter.circle_filled(at(x, y), 0.1 * square.width(), colour);
                }
            }
            Self::Coil => {
                let x = |k: u8| 0.1 + 0.1 * f32::from(k);
                line(
                    &(0..=8)
                        .map(|k| (x(k), if k % 2 == 0 { 0.72 } else { 0.28 }))
                        .collect::<Vec<_>>(),
                );
            }
            Self::Hoop => {
                painter.circle_stroke(
                    at(0.5, 0.5),
                    0.36 * square.width(),
                    Stroke::new(1.5, colour),
                );
            }
            Self::Solid => {
                line(&[
                    (0.5, 0.12),
                    (0.86, 0.3),
                    (0.86, 0.7),
                    (0.5, 0.88),
                    (0.14, 0.7),
                    (0.14, 0.3),
                    (0.5, 0.12),
                ]);
                line(&[(0.14, 0.3), (0.5, 0.48), (0.86, 0.3)]);
                line(&[(0.5, 0.48), (0.5, 0.88)]);
            }
            Self::Locator => {
                line(&[
                    (0.5, 0.14),
                    (0.86, 0.5),
                    (0.5, 0.86),
                    (0.14, 0.5),
                    (0.5, 0.14),
                    (0.86, 0.5),
                ]);
                painter.circle_filled(at(0.5, 0.5), 0.09 * square.width(), colour);
            }
            Self::Collider => {
                line(&[(0.14, 0.14), (0.14, 0.86), (0.88, 0.86)]);
                line(&[(0.14, 0.44), (0.34, 0.74), (0.88, 0.86)]);
            }
            Self::Camera => {
                line(&[
                    (0.1, 0.28),
                    (0.62, 0.28),
                    (0.62, 0.74),
                    (0.1, 0.74),
                    (0.1, 0.28),
                    (0.62, 0.28),
                ]);
                fill(&[(0.66, 0.5), (0.92, 0.3), (0.92, 0.72)]);
            }
            Self::Eye => {
                line(&[(0.06, 0.5), (0.28, 0.28), (0.5, 0.22), (0.72, 0.28), (0.94, 0.5)]);
                line(&[(0.06, 0.5), (0.28, 0.72), (0.5, 0.78), (0.72, 0.72), (0.94, 0.5)]);
                painter.circle_filled(at(0.5, 0.5), 0.14 * square.width(), colour);
            }
            Self::Hidden => {
                line(&[(0.06, 0.44), (0.28, 0.64), (0.5, 0.7), (0.72, 0.64), (0.94, 0.44)]);
                for (from, to) in [
                    ((0.22, 0.6), (0.12, 0.76)),
                    ((0.5, 0.7), (0.5, 0.88)),
                    ((0.78, 0.6), (0.88, 0.76)),
                ] {
                    line(&[from, to]);
                }
            }
            Self::Solo => {
                painter.circle_stroke(
                    at(0.5, 0.5),
                    0.38 * square.width(),
                    Stroke::new(1.5, colour),
                );
                painter.circle_filled(at(0.5, 0.5), 0.16 * square.width(), colour);
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

/// A small switch in a row: in the colour of the selection while it is on, and faint while it is off.
/// It takes no focus, since a list of thousands of rows would have as many stops.
pub(crate) fn toggle(ui: &mut Ui, icon: Icon, name: &str, is_on: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(16.0, ROW), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_on, name));
    let colours = theme::of(ui);
    let colour = match () {
        () if response.hovered() => colours.text,
        () if is_on => colours.accent,
        () => colours.weak.gamma_multiply(0.55),
    };
    let square = Rect::from_center_size(rect.center(), vec2(12.0, 12.0));
    icon.paint(ui.painter(), square, colour);
    response
}

/// An icon in a line of text.
pub(crate) fn show(ui: &mut Ui, icon: Icon) {
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 16.0), Sense::hover());
    icon.paint(ui.painter(), rect.shrink(1.0), theme::of(ui).weak);
}
