//! Sampled curves of channels, kept while neither document nor view change.
//!
//! An entry is kept if its value in the document, the shot and the view are the same; a drag samples
//! only the channels that it changes. Followers depend on their leader and are sampled after every
//! change.
//!
//! Tests: `curves_are_sampled_again_only_if_they_changed`, `jumps_of_steps_are_vertical`,
//! `the_equilibrium_of_a_wiggle_is_a_curve`.

use std::{collections::BTreeMap, sync::Arc};

use lariat_core::motion::{Channel, FrameRate};
use lariat_editor::{ChannelForm, Editor};
use lariat_scene::{
    Path, Step, Value,
    lower::{ParameterChannel, parameter},
};

use crate::panel::keys::AnimatedChannel;

/// Distance of samples, in points of the window.
const DENSITY: f64 = 2.0;

/// Time before a key at which a jump is sampled, in frames.
const BEFORE: f64 = 1e-4;

/// A line of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    /// The value.
    Value,
    /// The equilibrium of a wiggle.
    Equilibrium,
    /// The imaginary part, about the equilibrium.
    Imaginary,
    /// The phase, in degrees.
    Phase,
    /// The residual force.
    Force,
}

/// Visible frames, and width of the plot in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) range: [f64; 2],
    pub(super) width: f32,
}

/// A channel with its samples.
#[derive(Debug)]
pub(super) struct Curve {
    /// The channel.
    pub(super) channel: AnimatedChannel,
    /// Its components.
    pub(super) parts: Vec<Channel<f64>>,
    /// Frames of the shot per second.
    pub(super) rate: FrameRate,
    /// Lines by component, each as frames and values.
    pub(super) lines: Vec<(usize, Line, Vec<[f64; 2]>)>,
}

impl Curve {
    /// Value of a component at a frame.
    pub(super) fn at(&self, part: usize, frame: f64) -> f64 {
        self.parts.get(part).map_or(f64::NAN, |channel| channel.at(self.rate.seconds(frame)))
    }

    /// Slope of a component at a frame, per second.
    pub(super) fn slope(&self, part: usize, frame: f64) -> f64 {
        self.parts.get(part).map_or(0.0, |channel| channel.slope(self.rate.seconds(frame)))
    }

    /// Value of a line at a frame.
    pub(super) fn line_at(&self, part: usize, line: Line, frame: f64) -> Option<f64> {
        value(self.parts.get(part)?, line, self.rate.seconds(frame))
    }

    /// Name of a component: "x", or nothing for a number.
    pub(super) fn suffix(&self, part: usize) -> &'static str {
        if self.parts.len() == 1 { "" } else { [" x", " y", " z"].get(part).copied().unwrap_or("") }
    }
}

/// Curves that were sampled before.
#[derive(Debug, Default)]
pub(super) struct CurveCache {
    view: Option<(View, Vec<Line>, FrameRate, i64)>,
    entries: BTreeMap<Path, Entry>,
    /// Number of curves that were sampled.
    pub(super) sampled: usize,
}

#[derive(Debug)]
struct Entry {
    revision: u64,
    value: Option<Value>,
    /// None if the channel has errors.
    curve: Option<Arc<Curve>>,
}

impl CurveCache {
    /// The curves of channels. Those with errors show their last good curve, and are missing without
    /// one.
    pub(super) fn update(
        &mut self,
        editor: &Editor,
        channels: &[AnimatedChannel],
        view: View,
        lines: &[Line],
    ) -> Vec<Arc<Curve>> {
        let shot = editor.scene().shot();
        let now = (view, lines.to_vec(), shot.rate, shot.last);
        if self.view.as_ref() != Some(&now) {
            self.view = Some(now);
            self.entries.clear();
        }
        self.entries.retain(|path, _| channels.iter().any(|one| one.path == *path));
        channels.iter().filter_map(|channel| self.one(editor, channel, view, lines)).collect()
    }

    fn one(
        &mut self,
        editor: &Editor,
        channel: &AnimatedChannel,
        view: View,
        lines: &[Line],
    ) -> Option<Arc<Curve>> {
        let (document, revision) = (editor.document(), editor.revision());
        let kept = self.entries.get_mut(&channel.path);
        if let Some(entry) = kept {
            if entry.revision == revision {
                return entry.curve.clone();
            }
            let written = document.as_written(&channel.path)?;
            if channel.form != ChannelForm::Following
                && entry.value.as_ref() == document.get(&written)
            {
                entry.revision = revision;
                return entry.curve.clone();
            }
        }
        self.sampled += 1;
        let before = self.entries.remove(&channel.path).and_then(|entry| entry.curve);
        let written = document.as_written(&channel.path)?;
        let curve = parts_of(editor, &channel.path).map(|parts| {
            let rate = editor.scene().shot().rate;
            let lines = sample(&parts, channel, rate, view, lines);
            Arc::new(Curve { channel: channel.clone(), parts, rate, lines })
        });
        // A channel with errors shows its last good curve, so that a drag can go back.
        let curve = curve.or(before);
        let value = document.get(&written).cloned();
        let entry = Entry { revision, value, curve: curve.clone() };
        self.entries.insert(channel.path.clone(), entry);
        curve
    }
}

/// Components of a channel; none if it has errors.
fn parts_of(editor: &Editor, path: &Path) -> Option<Vec<Channel<f64>>> {
    let found = |path: &Path| {
        let found = parameter(editor.document(), editor.limits(), &path.to_string()).ok()?;
        Some(components(&found.channel))
    };
    if let Some(parts) = found(path) {
        return Some(parts);
    }
    // Equilibrium and push have the kind of values of their wiggle, which knows them.
    let (wiggle, Step::Field(name)) = path.parent()? else { return None };
    let own = |part: &Channel<f64>| match (part, &**name) {
        (Channel::Wiggly(wiggly), "around" | "equilibrium") => wiggly.setup().around.clone(),
        (Channel::Wiggly(wiggly), "push") => wiggly.setup().push.clone(),
        (Channel::Following(follow), "around" | "equilibrium") => follow.around.clone(),
        _ => None,
    };
    found(&wiggle)?.iter().map(own).collect()
}

fn components(channel: &ParameterChannel) -> Vec<Channel<f64>> {
    match channel {
        ParameterChannel::Number(channel) => vec![channel.clone()],
        ParameterChannel::Vector(channel) => (0..3).map(|part| channel.part(part)).collect(),
        ParameterChannel::Colour(channel) => (0..3).map(|part| channel.part(part)).collect(),
    }
}

fn sample(
    parts: &[Channel<f64>],
    channel: &AnimatedChannel,
    rate: FrameRate,
    view: View,
    lines: &[Line],
) -> Vec<(usize, Line, Vec<[f64; 2]>)> {
    let frames = frames(channel, view);
    let mut out = Vec::new();
    for (part, component) in parts.iter().enumerate() {
        for line in std::iter::once(&Line::Value).chain(lines) {
            let at = |frame: &f64| Some([*frame, value(component, *line, rate.seconds(*frame))?]);
            let points: Vec<[f64; 2]> = frames.iter().filter_map(at).collect();
            if !points.is_empty() {
                out.push((part, *line, points));
            }
        }
    }
    out
}

/// Frames at which a curve is sampled: evenly, and at its keys, where they can be told apart.
fn frames(channel: &AnimatedChannel, view: View) -> Vec<f64> {
    let View { range: [first, last], width } = view;
    let count = (f64::from(width) / DENSITY).clamp(2.0, 4000.0).round();
    let mut frames: Vec<f64> =
        (0..=count as usize).map(|k| first + (last - first) * k as f64 / count).collect();
    let keys = channel.keys_in(first, last);
    if keys.len() < frames.len() {
        frames.extend(channel.frames[keys].iter().flat_map(|key| [*key - BEFORE, *key]));
        frames.sort_by(f64::total_cmp);
    }
    frames
}

fn value(channel: &Channel<f64>, line: Line, t: f64) -> Option<f64> {
    let equilibrium = || match channel {
        Channel::Wiggly(wiggly) => Some(wiggly.equilibrium(t)),
        Channel::Following(follow) => Some(follow.rest(t)),
        Channel::Constant(_) | Channel::Keyed(_) => None,
    };
    match line {
        Line::Value => Some(channel.at(t)),
        Line::Equilibrium => equilibrium(),
        Line::Imaginary => Some(equilibrium()? + channel.phasor(0, t)?.im),
        Line::Phase => {
            let phasor = channel.phasor(0, t)?;
            Some(lariat_core::num::ops::atan2(phasor.im, phasor.re).to_degrees())
        }
        Line::Force => match channel {
            Channel::Wiggly(wiggly) => Some(wiggly.residual(0, t).re),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::keys::ChannelList;
    use lariat_editor::Options;
    use lariat_scene::Edit;

    const TEXT: &str = "lariat = 2\n[[body]]\nname = 'rope'\nmodel = 'suspended-rope'\n\
        from = [0, 0, 2]\nto = [3, 0, 2]\nlength = 4\n\
        swing = { wiggle = [[1, 0], [13, 20]], hertz = 1 }\n\
        sway = { keys = [[1, 0], [5, 10]], interpolation = 'step' }\n";

    #[test]
    fn curves_are_sampled_again_only_if_they_changed() {
        let mut editor = Editor::open(TEXT, Options::default()).expect("a document");
        let view = View { range: [0.0, 40.0], width: 400.0 };
        let mut cache = CurveCache::default();
        let mut update = |editor: &Editor, view| {
            let mut list = ChannelList::default();
            let curves = cache.update(editor, list.update(editor), view, &[]);
            (cache.sampled, curves)
        };
        let (sampled, curves) = update(&editor, view);
        assert_eq!((sampled, curves.len()), (2, 2));
        assert_eq!(update(&editor, view).0, 2, "nothing changed");
        let channel: Path = "body.rope.swing".parse().expect("a path");
        let edit = Edit::SetKey { channel, frame: 13.0, value: 30.0.into() };
        editor.apply("Move", &edit).expect("it applies");
        let (sampled, after) = update(&editor, view);
        assert_eq!(sampled, 3, "one channel changed");
        assert_eq!(after[0].at(0, 13.0), 30.0);
        assert_ne!(curves[0].lines, after[0].lines);
        assert_eq!(curves[1].lines, after[1].lines);
        let closer = View { range: [0.0, 20.0], ..view };
        assert_eq!(update(&editor, closer).0, 5, "the view changed");
    }

    #[test]
    fn the_equilibrium_of_a_wiggle_is_a_curve() {
        let text = TEXT.replace("hertz = 1 }", "hertz = 1, around = { keys = [[1, 2], [9, 6]] } }");
        let editor = Editor::open(&text, Options::default()).expect("a document");
        let view = View { range: [0.0, 40.0], width: 40.0 };
        let mut list = ChannelList::default();
        let curves = CurveCache::default().update(&editor, list.update(&editor), view, &[]);
        let around = curves.iter().find(|one| one.channel.label == "rope.swing.around");
        let around = around.expect("a curve");
        assert_eq!((around.at(0, 1.0), around.at(0, 9.0)), (2.0, 6.0));
    }

    #[test]
    fn jumps_of_steps_are_vertical() {
        let editor = Editor::open(TEXT, Options::default()).expect("a document");
        let view = View { range: [0.0, 40.0], width: 40.0 };
        let mut list = ChannelList::default();
        let curves = CurveCache::default().update(&editor, list.update(&editor), view, &[]);
        let points = &curves[1].lines[0].2;
        let jump = points.windows(2).find(|pair| pair[0][1] != pair[1][1]).expect("a jump");
        assert!(jump[1][0] - jump[0][0] < 1e-3 && jump[1][0] == 5.0, "{jump:?}");
    }
}
