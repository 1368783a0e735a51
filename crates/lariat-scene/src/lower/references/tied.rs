//! Checks of strings tied to simulated solids: an ineffective `start` or twist, and a knot inside a
//! solid.
//!
//! Tests: `a_string_is_tied_directly_to_a_solid`, `a_knot_inside_a_solid_is_reported`,
//! `a_twist_keyed_at_a_solid_is_reported`.

use glam::{DMat3, DVec3};
use lariat_core::model::layer::Collider;

use super::Node;
use crate::{
    check::{Code, Diagnostic},
    format::number,
    lower::{Anchor, Lowering, Record, model::fixed},
};

/// Ends of a string: the parameters for their attachment and twist.
const ENDS: [(&str, &str); 2] = [("from", "twist-start"), ("to", "twist-end")];

/// Minimum depth of a knot that is reported, in metres. It excludes rounding errors.
const DEEP: f64 = 1e-3;

impl Lowering<'_> {
    /// Checks a string that is tied to simulated solids.
    pub(super) fn check_tied(&mut self, nodes: &[Node<'_>], body: usize) {
        let (Some(string), Some(record)) = (nodes[body].dynamics(), nodes[body].record.as_deref())
        else {
            return;
        };
        let solids: Vec<&Node<'_>> =
            nodes[body].on.iter().map(|(on, _)| &nodes[*on]).filter(|on| on.is_rigid()).collect();
        if solids.is_empty() {
            return;
        }
        self.check_tied_start(string, &solids);
        let solid_of = |record: &Record, name: &str| {
            let anchor = record.record_type().field(name).and_then(|_| record.anchor(name));
            match anchor {
                Some(Anchor::Body { name, offset, .. }) => {
                    let solid = solids.iter().find(|solid| solid.name == *name)?;
                    Some((*solid, offset.at(self.rate.seconds(self.start_of(solid)))))
                }
                _ => None,
            }
        };
        let (mut inside, mut turned) = (Vec::new(), Vec::new());
        for (end, turn) in ENDS {
            let Some((solid, offset)) = solid_of(record, end) else { continue };
            turned.push((turn, solid));
            // The ends of a coiled wire are beside its attachment.
            if record.record_type().field("coil-radius").is_none() {
                inside.push((record, end, solid, offset));
            }
        }
        for pin in string.records("pins") {
            if let Some((solid, offset)) = solid_of(pin, "to") {
                inside.push((pin, "to", solid, offset));
            }
        }
        let own = record.record_type().field("radius").and_then(|_| record.scalar("radius"));
        let thick = own.and_then(fixed).map_or(0.0, |radius| 2.0 * radius).max(DEEP);
        for (turn, solid) in turned {
            self.check_tied_twist(string, turn, solid);
        }
        for (held, field, solid, offset) in inside {
            self.check_knot(held, field, solid, offset, thick);
        }
    }

    /// First simulated frame of a solid.
    fn start_of(&self, solid: &Node<'_>) -> f64 {
        let start = solid.dynamics().and_then(|dynamics| dynamics.scalar("start"));
        start.and_then(fixed).unwrap_or(self.frames.start as f64)
    }

    /// Reports a string that starts later than the solid it is tied to.
    fn check_tied_start(&mut self, string: &Record, solids: &[&Node<'_>]) {
        let first = self.frames.start as f64;
        let own = string.scalar("start").and_then(fixed).unwrap_or(first);
        let starts = solids.iter().map(|solid| (self.start_of(solid), solid.name.clone()));
        let earliest = starts.filter(|(begins, _)| *begins < own);
        let earliest = earliest.reduce(|a, b| if b.0 < a.0 { b } else { a });
        if let Some((begins, name)) = earliest {
            self.find(
                Diagnostic::new(
                    Code::NoEffect,
                    "`start` has no effect here: the string is released together with the solid that it is tied to",
                )
                .label(
                    string.span("start"),
                    string.path_of("start"),
                    format!("frame {}; `{name}` starts at frame {}", number(own), number(begins)),
                )
                .help(format!("start both at frame {}, or start the solid later", number(begins))),
            );
        }
    }

    /// Reports a twist that is keyed after the solid starts, which then turns the end.
    fn check_tied_twist(&mut self, string: &Record, turn: &'static str, solid: &Node<'_>) {
        let Some(twist) = string.scalar(turn).filter(|twist| !twist.is_constant()) else { return };
        let begins = self.start_of(solid);
        let at = |frame: f64| twist.at(self.rate.seconds(frame));
        let mut later = self.frames.clone().map(|frame| frame as f64);
        let keyed = later.find(|frame| *frame > begins && (at(*frame) - at(begins)).abs() > 1e-9);
        let Some(keyed) = keyed else { return };
        let name = &solid.name;
        self.find(
            Diagnostic::new(
                Code::NoEffect,
                format!(
                    "`{turn}` has no effect after frame {}: from then on the solid `{name}` turns this end",
                    number(begins)
                ),
            )
            .label(
                string.span(turn),
                string.path_of(turn),
                format!(
                    "{:.3} turns at the start; at frame {} it is {:.3}",
                    at(begins),
                    number(keyed),
                    at(keyed)
                ),
            )
            .help(format!(
                "end its keys at frame {}, twist the other end, give `{name}` a `spin`, or use `torques`",
                number(begins)
            )),
        );
    }

    /// Reports a knot inside a solid.
    fn check_knot(
        &mut self,
        held: &Record,
        field: &'static str,
        solid: &Node<'_>,
        offset: DVec3,
        thick: f64,
    ) {
        let Some(shape) = solid.record.as_deref().and_then(shape_of) else { return };
        let (distance, out) = shape.distance(offset);
        if -distance <= thick {
            return;
        }
        // From the centre, the top; otherwise the nearest point on the surface.
        let surface =
            if offset.length() > 1e-6 { offset - out * distance } else { DVec3::Z * top(&shape) };
        let rounded = surface.to_array().map(|x| number((x * 1e4).round() / 1e4));
        let name = &solid.name;
        self.find(
            Diagnostic::new(
                Code::TiedInside,
                format!("a string is tied inside the solid `{name}`, which it collides with"),
            )
            .label(
                held.span(field),
                held.path_of(field),
                format!("{:.3} m below its surface", -distance),
            )
            .help(format!(
                "tie it to the surface: `{{ body = \"{name}\", offset = [{}] }}`",
                rounded.join(", ")
            ))
            .note("the string runs through the solid as if through a hole"),
        );
    }
}

/// Shape of a solid around its centre.
fn shape_of(solid: &Record) -> Option<Collider> {
    let size = |name: &str| solid.scalar(name).and_then(fixed);
    let up = |half: f64| DVec3::Z * half;
    Some(match solid.choice("shape")? {
        "ball" => Collider::Sphere { centre: DVec3::ZERO, radius: size("radius")? },
        "cylinder" => {
            let half = 0.5 * size("height")?;
            Collider::Cylinder { from: up(-half), to: up(half), radius: size("radius")? }
        }
        _ => Collider::Box {
            centre: DVec3::ZERO,
            half: solid.vector("size").and_then(fixed)? * 0.5,
            world_from_box: DMat3::IDENTITY,
        },
    })
}

/// Distance from the centre to the top.
fn top(shape: &Collider) -> f64 {
    match shape {
        Collider::Sphere { radius, .. } => *radius,
        Collider::Box { half, .. } => half.z,
        Collider::Cylinder { to, .. } => to.z,
        _ => 0.0,
    }
}
