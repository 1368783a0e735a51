//! Colours, type scale and spacing, light and dark.
//!
//! One accent colour marks the selection and the current frame; red and amber are for errors and
//! warnings only. Type has four sizes, spaces are multiples of four points.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2};

use crate::workspace::Appearance;

/// Colours of one appearance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    /// Background of panels.
    pub(crate) panel: Color32,
    /// Background of fields and lanes, further back than panels.
    pub(crate) well: Color32,
    /// Background of controls.
    pub(crate) control: Color32,
    /// Background of controls under the pointer.
    pub(crate) hover: Color32,
    /// Lines between panels and in grids.
    pub(crate) line: Color32,
    /// Text.
    pub(crate) text: Color32,
    /// Text of second importance.
    pub(crate) weak: Color32,
    /// Selection and current frame.
    pub(crate) accent: Color32,
    /// Text on the accent.
    pub(crate) on_accent: Color32,
    /// Errors.
    pub(crate) error: Color32,
    /// Warnings.
    pub(crate) warning: Color32,
    /// Keys.
    pub(crate) key: Color32,
}

/// Axes and the curves of vectors: x, y, z.
pub(crate) const AXES: [Color32; 3] = [
    Color32::from_rgb(226, 87, 76),
    Color32::from_rgb(122, 178, 72),
    Color32::from_rgb(76, 139, 226),
];

/// Contacts with strands, and with everything else: apart also for people who are colour-blind.
pub(crate) const CONTACTS: [Color32; 2] =
    [Color32::from_rgb(230, 110, 20), Color32::from_rgb(86, 180, 233)];

const DARK: Colours = Colours {
    panel: Color32::from_rgb(32, 34, 38),
    well: Color32::from_rgb(24, 25, 28),
    control: Color32::from_rgb(50, 53, 59),
    hover: Color32::from_rgb(63, 67, 75),
    line: Color32::from_rgb(50, 53, 59),
    text: Color32::from_rgb(222, 224, 228),
    weak: Color32::from_rgb(146, 151, 160),
    accent: Color32::from_rgb(240, 160, 64),
    on_accent: Color32::from_rgb(30, 22, 10),
    error: Color32::from_rgb(236, 98, 88),
    warning: Color32::from_rgb(226, 186, 74),
    key: Color32::from_rgb(198, 203, 212),
};

const LIGHT: Colours = Colours {
    panel: Color32::from_rgb(243, 243, 241),
    well: Color32::from_rgb(255, 255, 254),
    control: Color32::from_rgb(226, 227, 226),
    hover: Color32::from_rgb(212, 214, 214),
    line: Color32::from_rgb(212, 213, 212),
    text: Color32::from_rgb(36, 38, 42),
    weak: Color32::from_rgb(104, 108, 116),
    accent: Color32::from_rgb(196, 108, 12),
    on_accent: Color32::WHITE,
    error: Color32::from_rgb(190, 48, 38),
    warning: Color32::from_rgb(148, 104, 0),
    key: Color32::from_rgb(74, 79, 88),
};

/// Colours of an appearance.
pub(crate) fn colours(appearance: Appearance) -> Colours {
    match appearance {
        Appearance::Dark => DARK,
        Appearance::Light => LIGHT,
    }
}

/// Colours of the current appearance.
pub(crate) fn of(ui: &egui::Ui) -> Colours {
    if ui.visuals().dark_mode { DARK } else { LIGHT }
}

/// Small space between related things, in points.
pub(crate) const GAP: f32 = 4.0;

/// Space between groups and around the content of panels, in points.
pub(crate) const SPACE: f32 = 8.0;

/// Height of a row of a list or a lane, in points.
pub(crate) const ROW: f32 = 22.0;

/// Applies the theme.
pub(crate) fn apply(context: &egui::Context, appearance: Appearance, scale: f32) {
    let c = colours(appearance);
    let theme = match appearance {
        Appearance::Dark => egui::Theme::Dark,
        Appearance::Light => egui::Theme::Light,
    };
    context.set_theme(theme);
    context.set_zoom_factor(scale);
    context.style_mut_of(theme, |style| {
        let font = |size: f32| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(11.0)),
            (TextStyle::Body, font(13.0)),
            (TextStyle::Button, font(13.0)),
            (TextStyle::Heading, font(17.0)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(SPACE, GAP);
        style.spacing.button_padding = Vec2::new(SPACE, 3.0);
        style.spacing.interact_size.y = ROW;
        style.spacing.menu_margin = Margin::same(6);
        style.spacing.slider_width = 96.0;
        let visuals = &mut style.visuals;
        visuals.panel_fill = c.panel;
        visuals.window_fill = c.panel;
        visuals.window_stroke = Stroke::new(1.0, c.line);
        visuals.extreme_bg_color = c.well;
        visuals.faint_bg_color = c.well;
        visuals.error_fg_color = c.error;
        visuals.warn_fg_color = c.warning;
        visuals.hyperlink_color = c.accent;
        visuals.weak_text_color = Some(c.weak);
        visuals.selection.bg_fill = c.accent.gamma_multiply(0.35);
        visuals.selection.stroke = Stroke::new(1.0, c.text);
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals.menu_corner_radius = CornerRadius::same(6);
        let radius = CornerRadius::same(4);
        let widgets = &mut visuals.widgets;
        widgets.noninteractive.bg_fill = c.panel;
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, c.line);
        widgets.noninteractive.fg_stroke = Stroke::new(1.0, c.text);
        for (widget, fill) in [
            (&mut widgets.inactive, c.control),
            (&mut widgets.hovered, c.hover),
            (&mut widgets.active, c.hover),
            (&mut widgets.open, c.control),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::NONE;
            widget.fg_stroke = Stroke::new(1.0, c.text);
            widget.corner_radius = radius;
            widget.expansion = 0.0;
        }
        widgets.active.bg_stroke = Stroke::new(1.0, c.accent);
    });
}
