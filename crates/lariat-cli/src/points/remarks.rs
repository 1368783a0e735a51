//! What is said about points on standard error: how much slack ropes have, and which are hidden.

use std::collections::BTreeMap;

use super::Posed;
use crate::{console::Console, words};

/// More bodies than this are counted, not listed.
const MOST: usize = 12;

/// What is worth saying about bodies over all frames.
#[derive(Default)]
pub(crate) struct Remarks {
    /// Least and most slack of each body that has any, in metres.
    slack: BTreeMap<String, (f64, f64)>,
    /// In how many frames a body is hidden.
    hidden: BTreeMap<String, u64>,
    frames: u64,
}

impl Remarks {
    /// Takes note of one frame.
    pub(crate) fn note(&mut self, bodies: &[Posed<'_>]) {
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

    /// Says it.
    pub(crate) fn say(&self, console: Console) {
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
        for line in some(slack, "slack of").into_iter().chain(some(hidden, "not visible:")) {
            console.remark(&line);
        }
    }
}

/// The first lines, and how many more there are.
fn some(mut lines: impl Iterator<Item = String>, what: &str) -> Vec<String> {
    let mut shown: Vec<String> = lines.by_ref().take(MOST).collect();
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
    fn long_lists_are_cut_short() {
        let lines = |n: usize| some((0..n).map(|i| i.to_string()), "slack of");
        assert_eq!(lines(MOST).len(), MOST);
        assert_eq!(lines(MOST + 7).last().unwrap(), "slack of 7 more bodies not listed");
    }
}
