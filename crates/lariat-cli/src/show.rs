//! What `--show` lists: overlays by name, and how they are written.
//!
//! Tests: `lists_are_read`, `what_is_unknown_is_named_with_the_names`.

use std::str::FromStr;

/// Every name, and what it shows: for messages.
const NAMES: &str = "control-points, frames, tension, slack, ghosts and trails";

/// What is shown besides the picture itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Show {
    /// What an animator would take hold of.
    pub(crate) handles: bool,
    /// Axes along the strands.
    pub(crate) frames: bool,
    /// Paths through time.
    pub(crate) trails: bool,
    /// What colours mean, if not material.
    pub(crate) measure: Option<Measure>,
    /// Neighbouring frames.
    pub(crate) ghosts: Option<Ghosts>,
}

/// What strands are coloured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// How hard a rope is pulled: in newtons if all that is shown is simulated, in metres of its own
    /// weight otherwise.
    Tension,
    /// How much longer a strand is than its ends are apart, in percent.
    Slack,
}

/// Neighbouring frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ghosts {
    /// How many of what was.
    pub(crate) before: u32,
    /// How many of what will be.
    pub(crate) after: u32,
    /// Frames from one to the next.
    pub(crate) step: u32,
}

impl Ghosts {
    /// Two each way: enough to see where things come from, few enough to see through.
    const DEFAULT: Self = Self { before: 2, after: 2, step: 1 };

    /// The most each way; beyond that they are a fog.
    const MOST: u32 = 24;
}

impl FromStr for Ghosts {
    type Err = String;

    /// `3`, `3+1` or `3+1x4`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`ghosts:{text}` is not understood: write how many before and after, as in \
                 ghosts:3+1, and frames from one to the next, as in ghosts:3+1x4; {} each way are \
                 the most",
                Self::MOST
            )
        };
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let (counts, step) = text.split_once('x').unwrap_or((text, "1"));
        let (before, after) = counts.split_once('+').unwrap_or((counts, counts));
        let ghosts = Self { before: number(before)?, after: number(after)?, step: number(step)? };
        let most = ghosts.before.max(ghosts.after);
        if most > Self::MOST || most == 0 || !(1..=100_000).contains(&ghosts.step) {
            return Err(wrong());
        }
        Ok(ghosts)
    }
}

impl FromStr for Show {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut show = Self::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "control-points" => show.handles = true,
                "frames" => show.frames = true,
                "trails" => show.trails = true,
                "tension" => show.colour_by(Measure::Tension)?,
                "slack" => show.colour_by(Measure::Slack)?,
                "ghosts" => show.ghosts = Some(Ghosts::DEFAULT),
                other => match other.strip_prefix("ghosts:") {
                    Some(ghosts) => show.ghosts = Some(ghosts.parse()?),
                    None => {
                        return Err(format!("there is no overlay `{other}`: there are {NAMES}"));
                    }
                },
            }
        }
        Ok(show)
    }
}

impl Show {
    fn colour_by(&mut self, measure: Measure) -> Result<(), String> {
        if self.measure.is_some_and(|other| other != measure) {
            return Err("a colour can mean tension or slack, not both: draw two pictures".into());
        }
        self.measure = Some(measure);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let show: Show = "frames, control-points,ghosts:3+1x4,slack".parse().unwrap();
        assert!(show.frames && show.handles && !show.trails);
        assert_eq!(show.measure, Some(Measure::Slack));
        assert_eq!(show.ghosts, Some(Ghosts { before: 3, after: 1, step: 4 }));
        let ghosts = |text: &str| text.parse::<Show>().unwrap().ghosts.unwrap();
        assert_eq!(ghosts("ghosts"), Ghosts { before: 2, after: 2, step: 1 });
        assert_eq!(ghosts("ghosts:5x2"), Ghosts { before: 5, after: 5, step: 2 });
        assert_eq!(ghosts("ghosts:0+3"), Ghosts { before: 0, after: 3, step: 1 });
    }

    #[test]
    fn what_is_unknown_is_named_with_the_names() {
        let says = |text: &str| text.parse::<Show>().unwrap_err();
        assert_eq!(
            says("frames,tensoin"),
            "there is no overlay `tensoin`: there are control-points, frames, tension, slack, \
             ghosts and trails"
        );
        for bad in ["ghosts:", "ghosts:-1", "ghosts:99", "ghosts:0", "ghosts:1x0", "ghosts:a+b"] {
            assert!(says(bad).contains("as in ghosts:3+1"), "{bad}");
        }
        assert!(says("tension,slack").contains("not both"));
    }
}
