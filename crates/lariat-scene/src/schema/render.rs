//! The schema as Markdown, for the pages of the guide and `lariat explain MODEL`.

use std::fmt::Write as _;

use super::{Family, Field, Kind, Preset, RecordType};
use crate::format::{number, write_value};

/// Parameters of a record as a Markdown table.
///
/// Each row has the technical and plain names, the accepted values, the default and the help text.
/// The second column shows whether the parameter can be keyed.
pub fn parameters(record: &RecordType) -> String {
    let mut out = String::new();
    if record.fields.is_empty() {
        return "No parameters.\n".to_owned();
    }
    out.push_str("| parameter | value | default | description |\n|---|---|---|---|\n");
    for field in record.fields {
        let plain: String =
            field.plain.iter().fold(String::new(), |all, word| all + " or `" + word + "`");
        let _ = writeln!(
            out,
            "| `{}`{plain} | {} | {} | {} |",
            field.name,
            accepts(field),
            default(field),
            field.help
        );
    }
    for one_of in record.one_of {
        let names: Vec<String> = one_of.fields.iter().map(|name| format!("`{name}`")).collect();
        let count = if one_of.required { "exactly" } else { "at most" };
        let _ = writeln!(out, "\nSet {count} one of {}.", names.join(", "));
    }
    out
}

/// Page about a record in Markdown: its help text, its parameters, and those of the records in its
/// lists.
pub fn page(record: &RecordType) -> String {
    let mut out = format!("# {}\n\n{}\n\n{}", record.name, record.help, parameters(record));
    let mut families: Vec<&'static Family> = Vec::new();
    collect(record, &mut families);
    for family in families {
        for inner in family.types {
            let title = match family.tag {
                Some(tag) => format!("{}: {tag} = \"{}\"", family.noun, inner.name),
                None => family.noun.to_owned(),
            };
            let _ = write!(out, "\n## {title}\n\n{}\n\n{}", inner.help, parameters(inner));
        }
    }
    out
}

fn collect(record: &RecordType, families: &mut Vec<&'static Family>) {
    for field in record.fields {
        if let Kind::Records(family) | Kind::Record(family) = field.kind
            && !families.iter().any(|known| std::ptr::eq(*known, family))
        {
            families.push(family);
            for inner in family.types {
                collect(inner, families);
            }
        }
    }
}

/// Values that a field accepts, and whether it can be keyed: "metres, above 0, or keys".
pub fn accepts(field: &Field) -> String {
    let keyed = match field.kind {
        _ if !field.animatable => "",
        Kind::Scalars(..) | Kind::Vectors(..) => ", each of which can be keyed",
        _ => ", or keys",
    };
    takes(field) + keyed
}

/// Values that a field accepts, without keys: "metres, above 0".
pub(crate) fn takes(field: &Field) -> String {
    let range = field.range.words();
    let with_range = |what: String| {
        if range.is_empty() { what } else { format!("{what}, {range}") }
    };
    match field.kind {
        Kind::Scalar(unit) => with_range(unit.long().to_owned()),
        Kind::Integer => with_range("whole number".to_owned()),
        Kind::Vector(unit) => with_range(format!("`[x, y, z]` in {}", plural(unit.long()))),
        Kind::Direction => "direction `[x, y, z]`".to_owned(),
        Kind::Colour => "colour".to_owned(),
        Kind::Switch => "`true` or `false`".to_owned(),
        Kind::Text => "text".to_owned(),
        Kind::File => "file path".to_owned(),
        Kind::Choice(choices) if choices.len() > 8 => {
            let some: Vec<String> =
                choices.iter().take(6).map(|choice| format!("\"{}\"", choice.name)).collect();
            format!("{}, …", some.join(", "))
        }
        Kind::Choice(choices) => {
            let names: Vec<String> =
                choices.iter().map(|choice| format!("\"{}\"", choice.name)).collect();
            names.join(" or ")
        }
        Kind::Anchor => "point, locator or body".to_owned(),
        Kind::PerPoint(_, super::On::Rope) => {
            with_range("number, formula of `u`, or `[[u, value], …]`".to_owned())
        }
        Kind::PerPoint(_, super::On::Mesh) => with_range("number or formula".to_owned()),
        Kind::Along(_) => with_range("`[[u, value], …]`".to_owned()),
        Kind::Records(family) => format!("list of {}", several(family.noun)),
        Kind::Record(family) => family.noun.to_owned(),
        Kind::Outline => "\"round\", \"flat\" or points".to_owned(),
        Kind::Grid(unit) => format!("rows of numbers in {}", unit.long()),
        Kind::Scalars(count, unit) => with_range(format!("{count} numbers in {}", unit.long())),
        Kind::Vectors(count, unit) => format!("{count} vectors in {}", unit.long()),
        Kind::Colours => "list of colours".to_owned(),
        Kind::Bodies => "list of names of bodies".to_owned(),
        Kind::Against => "name of a collider, or \"floor\"".to_owned(),
        Kind::LocatorName => "name of a locator".to_owned(),
        Kind::BodyName => "name of a body".to_owned(),
        Kind::Rate => "number or fraction".to_owned(),
        Kind::Frames => "`[first, last]`".to_owned(),
        Kind::Anything => "same as the parameter".to_owned(),
    }
}

/// Plural of a noun: "waves", "bodies".
fn several(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

fn plural(unit: &str) -> &str {
    if unit == "number" { "plain numbers" } else { unit }
}

/// Default of a field, in words.
fn default(field: &Field) -> String {
    let unit = match field.kind {
        Kind::Scalar(unit) | Kind::Vector(unit) | Kind::Scalars(_, unit) => unit.short(),
        _ => "",
    };
    let with_unit = |text: String| match unit {
        "" => text,
        "°" => format!("{text}°"),
        // Singular: "1 cycle"; symbols like "1 s" and "1 m/s" have none.
        unit if text == "1" && unit.len() > 1 && unit.ends_with('s') && !unit.ends_with("/s") => {
            format!("1 {}", &unit[..unit.len() - 1])
        }
        unit => format!("{text} {unit}"),
    };
    match field.preset {
        Preset::None if field.required => "required".to_owned(),
        Preset::None => "none".to_owned(),
        Preset::Computed(words) => words.to_owned(),
        Preset::Number(value) => with_unit(number(value)),
        Preset::Numbers(numbers) if matches!(field.kind, Kind::Vectors(..)) => {
            let vectors: Vec<Vec<f64>> = numbers.chunks(3).map(<[f64]>::to_vec).collect();
            write_value(&vectors.into())
        }
        Preset::Numbers(numbers) => with_unit(write_value(&numbers.to_vec().into())),
        Preset::Colours(colours) => {
            colours.iter().map(|c| write_value(&c.to_vec().into())).collect::<Vec<_>>().join(", ")
        }
        Preset::Switch(switch) => switch.to_string(),
        Preset::Text(text) => format!("\"{text}\""),
        Preset::Empty => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{self, Unit};

    #[test]
    fn every_parameter_has_a_row() {
        for model in schema::models() {
            let page = page(model);
            for field in model.fields {
                assert!(page.contains(&format!("| `{}`", field.name)), "{}", field.name);
                assert!(page.contains(field.help), "{}", field.name);
            }
        }
    }

    #[test]
    fn numbers_and_units_have_correct_forms() {
        let all: String =
            schema::families().flat_map(|family| family.types.iter()).map(|r| page(r)).collect();
        assert!(all.contains("| `seed` | whole number, 0 to 9007199254740992 |"), "{all}");
        for line in all.lines() {
            for wrong in ["| 1 cycles |", "| 1 turns |", "| 1 coils |", "bodys", "keies", "992.0"] {
                assert!(!line.contains(wrong), "{line}");
            }
        }
    }

    #[test]
    fn only_unit_words_have_a_singular() {
        for (unit, text) in [
            (Unit::Cycles, "1 cycle"),
            (Unit::Seconds, "1 s"),
            (Unit::MetresPerSecond, "1 m/s"),
            (Unit::LengthsPerSecond, "1 lengths/s"),
            (Unit::NewtonSquareMetres, "1 N m²"),
            (Unit::Degrees, "1°"),
        ] {
            let field = Field::new("a", Kind::Scalar(unit), "").number(1.0);
            assert_eq!(default(&field), text);
        }
    }

    #[test]
    fn lists_are_shown_as_they_are_written() {
        let slinky = page(schema::find("slinky").unwrap());
        let cells = "2 vectors in metres, each of which can be keyed | [[0, 0, 0], [0, 0, 0]] |";
        assert!(slinky.contains(&format!("| `inner` | {cells}")), "{slinky}");
        let cord = page(schema::find("microphone-cord").unwrap());
        assert!(
            cord.contains("2 numbers in metres, 0 or more, each of which can be keyed"),
            "{cord}"
        );
    }

    #[test]
    fn a_page_has_rows_groups_and_inner_records() {
        let page = page(schema::find("suspended-rope").unwrap());
        for line in [
            "| `radius` | metres, above 0, or keys | 0.01 m | Radius of the rope, half its thickness, in metres. |",
            "Set exactly one of `length`, `sag`.",
            "## layer: kind = \"pulse\"",
            "| `magnitude` or `height` | metres, or keys | required | Largest displacement, in metres. |",
        ] {
            assert!(page.contains(line), "{line} is not in\n{page}");
        }
    }
}
