//! Attachments: to a point, a locator or a point of another body.

use lariat_core::motion::Channel;

use super::{
    Cursor, Lowering,
    record::{Anchor, Record},
};
use crate::{
    check::Code,
    schema::{ANCHOR_TO_BODY, ANCHOR_TO_LOCATOR, Field, Kind, Unit, did_you_mean},
    value::Value,
};

impl Lowering<'_> {
    pub(super) fn anchor(&mut self, field: &Field, value: &Value, at: &Cursor) -> Option<Anchor> {
        // A constant or animated point.
        let point = Field { kind: Kind::Vector(Unit::Metres), ..*field };
        match value {
            Value::Table(table) => {
                let family = if table.get("locator").is_some() {
                    &ANCHOR_TO_LOCATOR
                } else if table.get("body").is_some() {
                    &ANCHOR_TO_BODY
                } else if ["keys", "wiggle", "follow"].iter().any(|word| table.get(word).is_some())
                {
                    return self.channel(&point, value, at, Self::vector).map(Anchor::Point);
                } else if table.get("camera").is_some() {
                    self.wrong(
                        Code::WrongType,
                        at,
                        format!("`{}` cannot be attached to a camera", field.name),
                        "expected a point, a locator or a body".to_owned(),
                        Some("attach both to the same locator".to_owned()),
                    );
                    return None;
                } else {
                    let meant = table.iter().find_map(|(name, _)| {
                        did_you_mean(name, ["locator", "body", "keys", "wiggle", "follow"])
                            .map(|meant| format!("did you mean `{meant}` instead of `{name}`?"))
                    });
                    self.wrong(
                        Code::WrongType,
                        at,
                        format!("`{}` takes a point, a locator or a body, not {}", field.name, value.describe()),
                        "expected a point, a locator or a body".to_owned(),
                        Some(meant.unwrap_or_else(|| {
                            "write `[x, y, z]`, `{ locator = \"hand\" }` or `{ body = \"rein\", at = 0.5 }`; animate a point with `{ keys = … }` or `{ wiggle = … }`"
                                .to_owned()
                        })),
                    );
                    return None;
                };
                let record = self.record(family, family.types[0], table, at)?;
                Some(from_record(&record))
            }
            Value::Text(name) => {
                self.wrong(
                    Code::WrongType,
                    at,
                    format!("`{}` is the text {name:?}: is that a locator or a body?", field.name),
                    "expected a point, a locator or a body".to_owned(),
                    Some(format!("write `{{ locator = {name:?} }}` or `{{ body = {name:?} }}`")),
                );
                None
            }
            _ => self.channel(&point, value, at, Self::vector).map(Anchor::Point),
        }
    }
}

fn from_record(record: &Record) -> Anchor {
    let nowhere = || Channel::Constant(glam::DVec3::ZERO);
    let offset = record.vector("offset").cloned().unwrap_or_else(nowhere);
    if record.has("locator") {
        Anchor::Locator { name: record.text("locator").unwrap_or_default().into(), offset }
    } else {
        Anchor::Body {
            name: record.text("body").unwrap_or_default().into(),
            at: record.scalar("at").cloned().unwrap_or(Channel::Constant(0.0)),
            offset,
        }
    }
}
