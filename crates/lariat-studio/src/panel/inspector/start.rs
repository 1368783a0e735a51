//! Values that a parameter, a record or an element of a list starts with when it is added.

use egui::{Button, RichText, Ui};
use glam::DVec3;
use lariat_scene::{
    Step, Table, Thing, Value,
    schema::{Family, Field, Kind, Preset, RecordType, Unit},
};

use super::{super::PanelContext, parameter::Parameter};
use crate::{label, theme};

/// A parameter without a value: a button that gives it one.
pub(super) fn unset(ui: &mut Ui, context: &mut PanelContext<'_>, parameter: &Parameter<'_>) {
    let text = match parameter.field.preset {
        Preset::Computed(_) if parameter.field.name == "start" => "First frame".to_owned(),
        Preset::Computed(words) => label::words(words),
        _ if parameter.field.name == "around" => "Value of the first key".to_owned(),
        _ if excludes(context, parameter) => "Use instead".to_owned(),
        _ => "Not set".to_owned(),
    };
    let text = RichText::new(text).color(theme::of(ui).weak);
    let button = Button::new(text).truncate().min_size(egui::vec2(ui.available_width(), 0.0));
    let button = ui.add(button).accessible_name(format!("Set {}", parameter.words.to_lowercase()));
    if button.on_hover_text("Gives it a value of its own.").clicked() {
        let value = measured(context, parameter)
            .or_else(|| first(context, parameter.field, parameter.owner))
            .unwrap_or(Value::Number(0.0));
        parameter.apply(context, &value);
    }
}

/// Whether a given parameter excludes this one.
fn excludes(context: &PanelContext<'_>, parameter: &Parameter<'_>) -> bool {
    let document = context.session.editor.document();
    let record = lariat_scene::schema::record_at(document, parameter.owner);
    record.is_some_and(|record| {
        record.one_of.iter().any(|one_of| one_of.fields.contains(&parameter.field.name))
    })
}

/// The value that a parameter has without being given: length and sag of the shape that is shown,
/// numbers of the material.
fn measured(context: &PanelContext<'_>, parameter: &Parameter<'_>) -> Option<Value> {
    let [Step::Field(list), Step::Field(name), ..] = parameter.scope.root.steps() else {
        return None;
    };
    if &**list != "body" {
        return None;
    }
    let scene = context.session.editor.scene();
    let body = scene.body_index(name)?;
    let material = || Some(scene.resolved_material(body)?.section);
    let number = match parameter.field.name {
        "length" if parameter.owner.steps().len() == 2 => length(spine(context, name)?),
        "sag" => sag(spine(context, name)?),
        "mass-per-metre" => material()?.mass_per_metre,
        "stretch-stiffness" => material()?.stretch,
        "bend-stiffness" => material()?.bend,
        "start" => context.workspace.frame.round(),
        _ => return None,
    };
    Some(Value::from((number * 1e4).round() / 1e4)).filter(|_| number.is_finite())
}

/// The curve of a body that is shown.
pub(super) fn spine<'s>(context: &PanelContext<'s>, name: &str) -> Option<&'s [DVec3]> {
    let body = context.session.editor.scene().body_index(name)?;
    let spine = context.session.shown()?.bodies.get(body)?.spine();
    (spine.len() >= 2).then_some(spine)
}

/// Length of a curve, in metres.
pub(super) fn length(spine: &[DVec3]) -> f64 {
    spine.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Greatest drop below the straight line between both ends, in metres.
fn sag(spine: &[DVec3]) -> f64 {
    let (Some(first), Some(last)) = (spine.first(), spine.last()) else { return 0.0 };
    let count = (spine.len() - 1) as f64;
    let drop = |(k, point): (usize, &DVec3)| first.lerp(*last, k as f64 / count).z - point.z;
    spine.iter().enumerate().map(drop).fold(0.0, f64::max)
}

/// A sensible first value of a parameter; none if only a person can know it.
pub(super) fn first(
    context: &PanelContext<'_>,
    field: &Field,
    owner: &lariat_scene::Path,
) -> Option<Value> {
    let document = context.session.editor.document();
    let own = match owner.steps() {
        [_, Step::Field(name), ..] => Some(&**name),
        _ => None,
    };
    let name_of = |thing: Thing| {
        let mut names = document.names(thing).filter(|name| Some(*name) != own);
        names.next().map(Value::from)
    };
    let number = |usual: f64| Value::from(field.range.nearest(usual));
    Some(match (field.kind, field.preset) {
        (_, Preset::Number(number)) => number.into(),
        (_, Preset::Numbers(numbers)) => numbers.to_vec().into(),
        (_, Preset::Switch(on)) => on.into(),
        (_, Preset::Text(text)) => text.into(),
        (Kind::Scalar(unit) | Kind::PerPoint(unit, _), _) => match unit {
            Unit::Metres if field.name == "floor" => 0.0.into(),
            Unit::Metres | Unit::Kilograms => number(0.1),
            Unit::Fraction => number(0.5),
            Unit::Degrees => number(30.0),
            Unit::Coils => number(3.0),
            Unit::Frames => context.workspace.frame.round().into(),
            _ => number(1.0),
        },
        (Kind::Integer, _) => number(1.0),
        (Kind::Vector(Unit::Newtons) | Kind::Direction, _) => DVec3::Z.into(),
        (Kind::Vector(_), _) => DVec3::ZERO.into(),
        (Kind::Anchor, _) => {
            let spine = own.and_then(|name| spine(context, name));
            spine
                .and_then(|spine| spine.get(spine.len() / 2))
                .copied()
                .unwrap_or(DVec3::ZERO)
                .into()
        }
        (Kind::Switch, _) => true.into(),
        (Kind::Choice(choices), _) => choices.first()?.name.into(),
        (Kind::Against, _) => name_of(Thing::Collider).unwrap_or_else(|| "floor".into()),
        (Kind::LocatorName, _) => name_of(Thing::Locator)?,
        (Kind::BodyName, _) => name_of(Thing::Body)?,
        (Kind::Colour, _) => [0.5, 0.5, 0.5].into(),
        (Kind::Along(_), _) => Value::List(vec![[0.0, 1.0].into(), [1.0, 1.0].into()]),
        (Kind::Records(_), _) => Value::List(Vec::new()),
        _ => return None,
    })
}

/// A new record of a type, with values for everything that must be given.
pub(super) fn record(
    context: &PanelContext<'_>,
    family: &'static Family,
    record: &'static RecordType,
    owner: &lariat_scene::Path,
) -> Table {
    let mut table = Table::new();
    if let Some(tag) = family.tag {
        table.set(tag, record.name);
    }
    let one_of = record.one_of.iter().filter(|one_of| one_of.required);
    let chosen: Vec<&str> = one_of.filter_map(|one_of| one_of.fields.first().copied()).collect();
    for field in record.fields {
        if (field.required || chosen.contains(&field.name))
            && let Some(value) = first(context, field, owner)
        {
            table.set(super::parameter::plain_name(field), value);
        }
    }
    table
}
