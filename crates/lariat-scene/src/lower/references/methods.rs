//! Methods of the strings of a document: one for all, and no published strings beside solids.
//!
//! Strings collide with each other and with simulated solids, so all of them are one simulation.
//!
//! Tests: `strings_of_two_methods_are_reported`, `published_strings_beside_solids_are_reported`.

use super::Node;
use crate::{
    check::{Code, Diagnostic},
    lower::Lowering,
};

impl Lowering<'_> {
    /// Reports strings that cannot be in one simulation with the others, and skips them.
    pub(super) fn check_methods(&mut self, nodes: &mut [Node<'_>]) {
        let strings: Vec<usize> =
            (0..nodes.len()).filter(|i| nodes[*i].valid && nodes[*i].is_string()).collect();
        let Some(first) = strings.first().copied() else { return };
        let solid = nodes.iter().position(|node| node.valid && node.is_rigid());
        for &string in &strings {
            let differs = nodes[string].method() != nodes[first].method();
            if differs {
                self.mixed_methods(&nodes[first], &nodes[string]);
            } else if let Some(solid) = solid.filter(|_| nodes[string].is_published()) {
                self.published_with_solids(&nodes[string], &nodes[solid]);
            } else {
                continue;
            }
            nodes[string].valid = false;
        }
    }

    fn mixed_methods(&mut self, first: &Node<'_>, other: &Node<'_>) {
        let (Some(theirs), Some(own)) = (first.dynamics(), other.dynamics()) else { return };
        let (method, name) = (first.method().unwrap_or_default(), &first.name);
        let is = other.method().unwrap_or_default();
        // The default is not written in the document; then the whole table is the place.
        let place = |node: &Node| {
            let dynamics = node.dynamics().filter(|dynamics| dynamics.is_given("method"));
            let record = node.record.as_ref();
            dynamics.map_or_else(
                || {
                    (
                        record.and_then(|r| r.name_span("dynamics")),
                        record.map(|r| r.path_of("dynamics")),
                    )
                },
                |dynamics| (dynamics.span("method"), Some(dynamics.path_of("method"))),
            )
        };
        let ((span, path), (first_span, first_path)) = (place(other), place(first));
        let help = if own.is_given("method") {
            format!("set `method = \"{method}\"` here too, or set \"{is}\" for all strings")
        } else {
            format!("add `method = \"{method}\"` here, or remove it from `{name}`")
        };
        debug_assert!(theirs.kind() == own.kind(), "both are strings");
        self.find(
            Diagnostic::new(
                Code::MixedMethods,
                format!("the strings `{name}` and `{}` have different methods", other.name),
            )
            .label(span, path.unwrap_or_default(), format!("\"{is}\""))
            .label(first_span, first_path.unwrap_or_default(), format!("\"{method}\""))
            .help(help)
            .note("all strings of a document are simulated together, by one method"),
        );
    }

    fn published_with_solids(&mut self, string: &Node<'_>, solid: &Node<'_>) {
        let Some(dynamics) = string.dynamics() else { return };
        let (name, solid) = (&string.name, &solid.name);
        self.find(
            Diagnostic::new(
                Code::PublishedWithSolids,
                format!("the string `{name}` cannot be simulated together with the solid `{solid}`"),
            )
            .label(
                dynamics.span("method"),
                dynamics.path_of("method"),
                "these strings do not interact with solids",
            )
            .help(format!(
                "remove `method` from the strings, use `weights` instead of `{solid}`, or remove `dynamics` from `{solid}`"
            )),
        );
    }
}

impl Node<'_> {
    /// Method of a string, given or not.
    fn method(&self) -> Option<&str> {
        self.dynamics().filter(|_| self.is_string())?.choice("method")
    }

    fn is_published(&self) -> bool {
        self.method() == Some("published")
    }
}
