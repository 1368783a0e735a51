//! Summary of `lariat eval` on standard error: slack of ropes, and hidden bodies.

use std::collections::BTreeMap;

use super::Posed;
use crate::{console::Console, words};

/// Maximum number of bodies listed.
const MAX_LISTED: usize = 12;

/// Slack and visibility of bodies over all frames.
#[derive(Default)]
pub(crate) struct Summary {
    /// Minimum and maximum slack of each body, in metres.
    slack: BTreeMap<String, (f64, f64)>,
    /// Number of frames in which a body is hidden.
    hidden: BTreeMap<String, u64>,
    frames: u64,
}

impl Summary {
    /// Adds a frame.
    pub(crate) fn add(&mut self, bodies: &[Posed<'_>]) {
        self.frames += 1;
        for (name, moment) in bodies {
            if !moment.visible {
                *self.hidden.entry((*name).to_owned()).or_default() += 1;
            } else if let Some(slack) = moment.slack {
                let seen = self.slack.entry((*name).to_owned()).or_insert((slack, slack));
                *seen = (seen.0.min(slack), seen.1.max(slack));
            }
        }
    }

    /// Prints the summary.
    pub(crate) fn print(&self, console: Console) {
        let slack = self.slack.iter().map(|(name, (least, most))| {
            let amount = if least == most {
                format!("{least:.3} m")
            } else {
                format!("{least:.3} m to {most:.3} m")
            };
            format!("slack of `{}`: {amount}", words::shown(name))
        });
        let hidden = self.hidden.iter().map(|(name, frames)| {
            let when = if *frames == self.frames {
                String::new()
            } else {
                format!(" in {frames} of {}", words::count(self.frames, "frame"))
            };
            format!("`{}` is not visible{when}", words::shown(name))
        });
        for line in
            truncated(slack, "slack of").into_iter().chain(truncated(hidden, "not visible:"))
        {
            console.note(&line);
        }
    }
}

/// The first lines, and the number of omitted ones.
fn truncated(mut lines: impl Iterator<Item = String>, what: &str) -> Vec<String> {
    let mut shown: Vec<String> = lines.by_ref().take(MAX_LISTED).collect();
    match lines.count() {
        0 => {}
        more => shown.push(format!("{what} {more} more bodies not listed")),
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_truncated() {
        let lines = |n: usize| truncated((0..n).map(|i| i.to_string()), "slack of");
        assert_eq!(lines(MAX_LISTED).len(), MAX_LISTED);
        assert_eq!(lines(MAX_LISTED + 7).last().unwrap(), "slack of 7 more bodies not listed");
    }
}
