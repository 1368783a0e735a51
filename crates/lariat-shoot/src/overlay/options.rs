//! Overlays by name, as in `frames,ghosts:3+1`.
//!
//! Tests: `lists_of_overlays_are_read`, `unknown_overlays_are_refused_with_the_list`.

use std::str::FromStr;

use super::trail::REACH;

/// Names of all overlays.
const NAMES: &str = "control-points, frames, names, tension, twist, slack, ghosts and trails";

/// Overlays of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is an overlay that is shown or not")]
pub struct Overlays {
    /// Control points that an animator drags.
    pub handles: bool,
    /// Axes of the frames along strands.
    pub frames: bool,
    /// Names of bodies.
    pub names: bool,
    /// Paths through time.
    pub trails: bool,
    /// Measure that colours strands.
    pub measure: Option<Measure>,
    /// Neighbouring frames.
    pub ghosts: Option<Ghosts>,
}

/// Measure that colours strands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Tension of a rope: in newtons if all strands that are shown are simulated, otherwise in
    /// metres of the rope's own weight.
    Tension,
    /// Twist of strands that are twisted or simulated, in turns per metre.
    Twist,
    /// Length of a strand in excess of the distance between its ends, in percent.
    Slack,
}

impl Measure {
    /// Name of the quantity, as in lists of overlays.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tension => "tension",
            Self::Twist => "twist",
            Self::Slack => "slack",
        }
    }
}

/// Neighbouring frames that are shown as ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghosts {
    /// Number of earlier frames.
    pub before: u32,
    /// Number of later frames.
    pub after: u32,
    /// Frames from one ghost to the next.
    pub step: u32,
}

impl Ghosts {
    /// Two before and two after.
    const DEFAULT: Self = Self { before: 2, after: 2, step: 1 };

    /// Largest number before or after; more ghosts hide each other.
    const MOST: u32 = 24;
}

/// Error in a list of overlays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverlayError {
    /// There is no overlay of this name.
    #[error("unknown overlay `{0}`; supported: {NAMES}")]
    Unknown(String),
    /// The numbers of ghosts are invalid.
    #[error(
        "invalid ghosts `{0}`; expected numbers before and after, as in ghosts:3+1, and optionally \
         the step in frames, as in ghosts:3+1x4; at most {most} before and after",
        most = Ghosts::MOST
    )]
    Ghosts(String),
    /// Several measures were requested.
    #[error("colours show one of tension, twist and slack; render two pictures")]
    TwoMeasures,
}

impl FromStr for Ghosts {
    type Err = OverlayError;

    /// Reads `3`, `3+1` or `3+1x4`.
    fn from_str(text: &str) -> Result<Self, OverlayError> {
        let wrong = || OverlayError::Ghosts(text.to_owned());
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

impl FromStr for Overlays {
    type Err = OverlayError;

    /// Reads names separated by commas.
    fn from_str(text: &str) -> Result<Self, OverlayError> {
        let mut overlays = Self::default();
        for name in text.split(',').map(str::trim) {
            match name {
                "control-points" => overlays.handles = true,
                "frames" => overlays.frames = true,
                "names" => overlays.names = true,
                "trails" => overlays.trails = true,
                "tension" => overlays.colour_by(Measure::Tension)?,
                "twist" => overlays.colour_by(Measure::Twist)?,
                "slack" => overlays.colour_by(Measure::Slack)?,
                "ghosts" => overlays.ghosts = Some(Ghosts::DEFAULT),
                other => match other.strip_prefix("ghosts:") {
                    Some(ghosts) => overlays.ghosts = Some(ghosts.parse()?),
                    None => return Err(OverlayError::Unknown(other.to_owned())),
                },
            }
        }
        Ok(overlays)
    }
}

impl Overlays {
    /// Distance in frames from a drawn frame to the farthest frame that its overlays show.
    pub fn reach(&self) -> f64 {
        let ghosts = self.ghosts.map_or(0, |ghosts| ghosts.before.max(ghosts.after) * ghosts.step);
        let trails = if self.trails { REACH } else { 0 };
        f64::from(ghosts).max(f64::from(trails))
    }

    fn colour_by(&mut self, measure: Measure) -> Result<(), OverlayError> {
        if self.measure.is_some_and(|other| other != measure) {
            return Err(OverlayError::TwoMeasures);
        }
        self.measure = Some(measure);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_overlays_are_read() {
        let overlays: Overlays = "frames, control-points,names,ghosts:3+1x4,slack".parse().unwrap();
        assert!(overlays.frames && overlays.handles && overlays.names && !overlays.trails);
        assert_eq!(overlays.measure, Some(Measure::Slack));
        assert_eq!(overlays.ghosts, Some(Ghosts { before: 3, after: 1, step: 4 }));
        assert_eq!(overlays.reach(), 12.0);
        let ghosts = |text: &str| text.parse::<Overlays>().unwrap().ghosts.unwrap();
        assert_eq!(ghosts("ghosts"), Ghosts { before: 2, after: 2, step: 1 });
        assert_eq!(ghosts("ghosts:5x2"), Ghosts { before: 5, after: 5, step: 2 });
        assert_eq!(ghosts("ghosts:0+3"), Ghosts { before: 0, after: 3, step: 1 });
    }

    #[test]
    fn unknown_overlays_are_refused_with_the_list() {
        let error = |text: &str| text.parse::<Overlays>().unwrap_err().to_string();
        assert_eq!(
            error("frames,tensoin"),
            "unknown overlay `tensoin`; supported: control-points, frames, names, tension, twist, \
             slack, ghosts and trails"
        );
        for bad in ["ghosts:", "ghosts:-1", "ghosts:99", "ghosts:0", "ghosts:1x0", "ghosts:a+b"] {
            assert!(error(bad).contains("as in ghosts:3+1"), "{bad}");
        }
        assert!(error("tension,slack").contains("one of"));
    }
}
