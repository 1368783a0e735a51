//! Stress over stretch of the material of the active body. The yield point and the point at which a
//! string tears can be dragged: they are parameters of strings.
//!
//! Tests: `points_become_parameters_and_back`, `a_string_that_tears_before_it_yields_has_one_line`.

use egui::{Color32, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, vec2};
use lariat_core::dynamics::material::Material;
use lariat_scene::{Edit, Path, Table, Value};

use super::{
    super::PanelContext,
    note,
    physics::{self, Physics},
    title,
};
use crate::{
    action::Action,
    label,
    theme::{self, SPACE},
};

/// Height of the plot, in points.
const HEIGHT: f32 = 108.0;

/// Two straight lines: up to the yield point, and from there to the point at which it tears.
#[derive(Clone, Copy, Debug, PartialEq)]
struct StressCurve {
    /// Stretch and stress in pascals at the yield point; none if it tears before.
    yields: Option<(f64, f64)>,
    /// The same where it tears.
    tears: (f64, f64),
}

impl StressCurve {
    fn of(material: &Material, table: Option<&Table>) -> Self {
        let number = |name: &str, usual: f64| {
            table.and_then(|table| table.get(name)?.number()).unwrap_or(usual)
        };
        let stress = number("yield-stress", material.yield_stress);
        let rupture = number("rupture-stress", material.rupture_stress);
        let modulus = number("modulus", material.modulus);
        if rupture <= stress {
            return Self { yields: None, tears: (rupture / modulus, rupture) };
        }
        let stretch = stress / modulus;
        let beyond = (rupture - stress) / number("plastic-modulus", material.plastic_modulus);
        Self { yields: Some((stretch, stress)), tears: (stretch + beyond, rupture) }
    }

    /// Parameters of the curve.
    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let tears = self.tears;
        match self.yields {
            None => vec![("modulus", tears.1 / tears.0), ("rupture-stress", tears.1)],
            Some(yields) => vec![
                ("modulus", yields.1 / yields.0),
                ("plastic-modulus", (tears.1 - yields.1) / (tears.0 - yields.0)),
                ("yield-stress", yields.1),
                ("rupture-stress", tears.1),
            ],
        }
    }

    /// The curve with another yield point, as far as strings allow it: the curve rises, and less
    /// steeply after that point.
    fn with_yield(&self, to: (f64, f64)) -> Self {
        let stress = to.1.clamp(1e-3 * self.tears.1, 0.98 * self.tears.1);
        // The slope is steeper than that of the line to the point where it tears.
        let most = 0.98 * self.tears.0 * stress / self.tears.1;
        Self { yields: Some((to.0.clamp(1e-3 * most, most), stress)), ..*self }
    }

    /// The curve with another point at which it tears, as far as strings allow it.
    fn with_tear(&self, to: (f64, f64)) -> Self {
        let tears = match self.yields {
            None => (to.0.max(0.01 * self.tears.0), to.1.max(0.01 * self.tears.1)),
            Some(yields) => {
                let stress = to.1.max(1.02 * yields.1);
                (to.0.max(1.02 * yields.0 * stress / yields.1), stress)
            }
        };
        Self { tears, ..*self }
    }
}

/// The column with the plot.
pub(super) fn curve(ui: &mut Ui, context: &mut PanelContext<'_>) {
    title(ui, "Stress over stretch");
    let Ok(physics) = physics::active(context) else { return };
    let scene = context.session.editor.scene();
    let found = scene.body_index(&physics.name).and_then(|body| scene.resolved_material(body));
    let material = found.and_then(|found| Some((found, Material::find(found.name)?)));
    let Some((found, material)) = material else {
        return note(ui, "Ropes and strings with physics have a material.");
    };
    let curve = StressCurve::of(material, physics.table.filter(|_| found.is_string));
    plot(ui, context, &physics, curve, found.is_string);
    let (stretch, stress) = curve.tears;
    let share = label::number((1000.0 * stretch).round() / 10.0);
    let text = match found.is_string {
        true => format!("Tears at {} and {share} % of stretch.", pascals(stress)),
        false => format!("Reported beyond {share} % of stretch; a spline rope does not tear."),
    };
    note(ui, &text);
}

/// Pascals with a prefix.
fn pascals(stress: f64) -> String {
    let (scale, unit) = match stress {
        stress if stress < 1e5 => (1e3, "kPa"),
        stress if stress < 1e9 => (1e6, "MPa"),
        _ => (1e9, "GPa"),
    };
    format!("{} {unit}", label::number((stress / scale * 100.0).round() / 100.0))
}

fn plot(
    ui: &mut Ui,
    context: &mut PanelContext<'_>,
    physics: &Physics<'_>,
    curve: StressCurve,
    is_string: bool,
) {
    let colours = theme::of(ui);
    let size = vec2(ui.available_width() - SPACE, HEIGHT);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(rect.expand(1.0));
    painter.rect(rect, 4.0, colours.well, Stroke::new(1.0, colours.line), StrokeKind::Inside);
    let inner = rect.shrink2(vec2(12.0, 12.0));
    let scale = held_scale(ui, physics, (1.25 * curve.tears.0, 1.25 * curve.tears.1));
    let at = |(stretch, stress): (f64, f64)| -> Pos2 {
        let (x, y) = ((stretch / scale.0) as f32, (stress / scale.1) as f32);
        Pos2::new(inner.left() + x * inner.width(), inner.bottom() - y * inner.height())
    };
    let line = Stroke::new(1.0, colours.line);
    painter.line_segment([inner.left_bottom(), inner.right_bottom()], line);
    painter.line_segment([inner.left_bottom(), inner.left_top()], line);
    let path = [Some((0.0, 0.0)), curve.yields, Some(curve.tears)].into_iter().flatten();
    let path = path.map(at).collect();
    painter.add(egui::Shape::line(path, Stroke::new(1.5, colours.text)));
    let points = [
        (curve.yields, "Yield point", colours.warning),
        (Some(curve.tears), "Point at which it tears", colours.error),
    ];
    for (point, name, colour) in points {
        let Some(point) = point else { continue };
        if !is_string {
            painter.circle_filled(at(point), 3.0, colour);
            continue;
        }
        let moved = handle(ui, &painter, at(point), name, colour);
        let to = moved.interact_pointer_pos().map(|to| value_at(inner, scale, to));
        let to = to.map(|to| match name {
            "Yield point" => curve.with_yield(to),
            _ => curve.with_tear(to),
        });
        drag(context, physics, &moved, name, to);
        moved.on_hover_text(format!(
            "{name}: {} at {} % of stretch. Drag it.",
            pascals(point.1),
            label::number((1000.0 * point.0).round() / 10.0)
        ));
    }
}

fn value_at(inner: Rect, scale: (f64, f64), at: Pos2) -> (f64, f64) {
    let x = f64::from((at.x - inner.left()) / inner.width());
    let y = f64::from((inner.bottom() - at.y) / inner.height());
    (x * scale.0, y * scale.1)
}

fn handle(
    ui: &Ui,
    painter: &egui::Painter,
    at: Pos2,
    name: &str,
    colour: Color32,
) -> egui::Response {
    let around = Rect::from_center_size(at, vec2(14.0, 14.0));
    let response = ui.interact(around, ui.scope_id().with(name), Sense::drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, name));
    let radius = if response.hovered() || response.dragged() { 5.5 } else { 4.0 };
    painter.circle(at, radius, colour, Stroke::new(1.5, theme::of(ui).well));
    response
}

/// The scale of the plot stays while a point is dragged.
fn held_scale(ui: &Ui, physics: &Physics<'_>, fresh: (f64, f64)) -> (f64, f64) {
    let id = egui::Id::unique(("stress curve", physics.path.to_string()));
    let is_down = ui.input(|input| input.pointer.any_down());
    let held = ui.data(|data| data.get_temp::<(f64, f64)>(id));
    match held {
        Some(held) if is_down => held,
        _ => {
            ui.data_mut(|data| data.insert_temp(id, fresh));
            fresh
        }
    }
}

fn drag(
    context: &mut PanelContext<'_>,
    physics: &Physics<'_>,
    response: &egui::Response,
    name: &str,
    curve: Option<StressCurve>,
) {
    if response.drag_started() {
        context.actions.push(Action::Begin { name: format!("Move {}", name.to_lowercase()) });
    }
    if let (true, Some(curve)) = (response.dragged(), curve) {
        context.actions.push(Action::Preview(set(&physics.path, physics.table, &curve)));
    }
    if response.drag_stopped() {
        context.actions.push(Action::Commit);
    }
}

/// The edit that gives a string the parameters of a curve, to four digits.
fn set(path: &Path, table: Option<&Table>, curve: &StressCurve) -> Edit {
    let mut table = table.cloned().unwrap_or_else(|| Table::new().with("kind", "string"));
    for (name, value) in curve.parameters() {
        let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
        table.set(name, rounded);
    }
    Edit::Set { path: path.clone(), value: Value::from(table) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_become_parameters_and_back() {
        let hemp = Material::find("hemp").expect("a material");
        let curve = StressCurve::of(hemp, None);
        assert!((curve.tears.0 - hemp.breaking_strain()).abs() < 1e-12);
        let moved = curve.with_tear((0.2, 120e6));
        let edit = set(&Path::root(), None, &moved);
        let Edit::Set { value: Value::Table(table), .. } = edit else { panic!("{edit:?}") };
        let again = StressCurve::of(hemp, Some(&table));
        assert!((again.tears.0 - 0.2).abs() < 1e-3 && again.tears.1 == 120e6, "{again:?}");
        let stretch = |curve: &StressCurve| curve.yields.expect("a yield point").0;
        assert!((stretch(&again) - stretch(&curve)).abs() < 1e-3);
        // It stays a curve that strings accept, wherever a point is dragged.
        for to in [(-1.0, -1.0), (0.0, 0.0), (9.0, 1e3), (1e-9, 1e12), (9.0, 1e12)] {
            for moved in [curve.with_yield(to), curve.with_tear(to)] {
                let parameters = moved.parameters();
                let [(_, modulus), (_, plastic), (_, yields), (_, tears)] = parameters[..] else {
                    panic!("{parameters:?}")
                };
                assert!(plastic > 0.0 && plastic < modulus, "{to:?} {moved:?}");
                assert!(yields > 0.0 && yields < tears, "{to:?} {moved:?}");
            }
        }
    }

    #[test]
    fn a_string_that_tears_before_it_yields_has_one_line() {
        let hemp = Material::find("hemp").expect("a material");
        let table = Table::new().with("rupture-stress", 9e6);
        let curve = StressCurve::of(hemp, Some(&table));
        assert_eq!(curve, StressCurve { yields: None, tears: (0.01, 9e6) });
        assert_eq!(curve.with_tear((0.02, 9e6)).parameters()[0], ("modulus", 4.5e8));
    }
}
