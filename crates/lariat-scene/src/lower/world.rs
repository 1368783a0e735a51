//! World of the simulated bodies: gravity, wind and air.
//!
//! Missing values have their defaults. A world with errors has only defaults, so that its bodies can
//! still be evaluated.
//!
//! Tests: `a_document_without_a_world_has_still_air_on_earth`, `a_world_with_errors_is_invalid`,
//! `a_world_without_effect_is_reported`.

use std::sync::Arc;

use super::{
    Cursor, Lowering, Record, diagnostics::Diagnostics, incremental::Previous, model::fixed,
    unit::Unit,
};
use crate::{
    check::{Code, Diagnostic},
    place::Places,
    schema::{self, RecordType},
    value::{Table, Value},
};

impl Lowering<'_> {
    /// Lowers the world of the document, unless an edit did not touch it.
    pub(super) fn world_unit(&mut self, root: &Table, at: &Cursor) -> Unit {
        let room = self.diagnostics.room();
        let kept = self.previous.as_mut().and_then(Previous::reuse_world);
        let kept = kept.filter(|kept| !kept.diagnostics.has_more_for(room));
        let unit = kept.unwrap_or_else(|| {
            self.records_lowered += 1;
            let outer = std::mem::replace(&mut self.diagnostics, Diagnostics::with_room(room));
            let record = self.world(root, at);
            let mut unit = Unit {
                index: 0,
                value: root.get("world").filter(|_| self.keeps_values).cloned(),
                name: None,
                name_span: None,
                name_valid: true,
                trail: record.trail.clone(),
                span: record.span,
                record: Some(Arc::new(record)),
                diagnostics: std::mem::replace(&mut self.diagnostics, outer),
                references: std::mem::take(&mut self.references),
                followed: std::mem::take(&mut self.followed),
                reads: std::mem::take(&mut self.reads),
                revision: self.new_revision(),
            };
            if let Some(previous) = &self.previous {
                previous.keep_equal_world(&mut unit);
            }
            unit
        });
        self.diagnostics.append(&unit.diagnostics);
        unit
    }

    fn world(&mut self, root: &Table, at: &Cursor) -> Record {
        let record_type = schema::WORLD.types[0];
        let position = root.position("world");
        let at = at.field("world", position.unwrap_or(0)).known("world");
        let given = match position.and_then(|position| root.entry(position)) {
            Some((_, Value::Table(table))) => self.record(&schema::WORLD, record_type, table, &at),
            Some((_, other)) => {
                self.wrong(
                    Code::WrongType,
                    &at,
                    format!("`world` must be a table, not {}", other.describe()),
                    String::new(),
                    Some("write `[world]`, and below it `wind = [3, 0, 0]`".to_owned()),
                );
                None
            }
            None => None,
        };
        given.unwrap_or_else(|| self.default_record(record_type, &at))
    }

    /// A world without a place in the document.
    pub(super) fn default_world(&mut self) -> Record {
        let places = Places::none();
        self.default_record(schema::WORLD.types[0], &Cursor::top(&places))
    }

    fn default_record(&mut self, record_type: &'static RecordType, at: &Cursor) -> Record {
        Record {
            record_type,
            trail: at.trail(),
            span: at.span(),
            defaults: self.defaults(record_type),
            given: Vec::new(),
        }
    }

    /// Reports a world without simulated bodies, and gusts without turbulence.
    pub(super) fn check_world(&mut self, world: &Record, root: &Table) {
        let bodies = root.get("body").and_then(Value::list).unwrap_or_default();
        let simulated = |body: &Value| body.table().is_some_and(|t| t.get("dynamics").is_some());
        if !world.given.is_empty() && !bodies.iter().any(simulated) {
            self.find(
                Diagnostic::new(Code::NoEffect, "`world` has no effect here: no body is simulated")
                    .label(world.place(), world.path(), "has no effect")
                    .help(
                        "simulate a body with `dynamics = \"spline-rope\"` or `\"string\"`, or remove `world`",
                    ),
            );
        } else if world.scalar("turbulence").and_then(fixed) == Some(0.0) {
            for name in ["gust-size", "gust-speed", "seed"] {
                let help = "set the strength of the gusts, like `turbulence = 2`, or remove it";
                self.no_effect_if_given(world, name, "there is no `turbulence`", help);
            }
        }
    }
}
