//! Everything that a person arranges and that is not undone: frame, selection, view, panels.

use std::collections::BTreeMap;

use lariat_core::geometry::Bounds;
use lariat_editor::tool::KeyRef;
use lariat_render::{NamedView, OrbitCamera};
use lariat_scene::Thing;
use lariat_shoot::Measure;

use crate::visibility::Visibility;

/// A selected thing of the document, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Selection {
    /// Kind of the thing.
    pub thing: Thing,
    /// Its name.
    pub name: String,
}

/// Panels at the bottom of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// Keys of all channels.
    #[default]
    Timeline,
    /// Curves of the chosen channels.
    Graph,
    /// Physics and recordings.
    Simulation,
    /// Modes of recorded motion.
    Modes,
}

impl Panel {
    /// All panels, in the order of their tabs.
    pub const ALL: [Self; 4] = [Self::Timeline, Self::Graph, Self::Simulation, Self::Modes];

    /// Name of the tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timeline => "Timeline",
            Self::Graph => "Graph",
            Self::Simulation => "Simulation",
            Self::Modes => "Modes",
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Appearance {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

/// Results of simulations over the picture of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Colours by tension.
    Tension,
    /// Colours by twist.
    Twist,
    /// Marks where strands touch something.
    Contact,
}

impl Overlay {
    /// All overlays, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Tension, Self::Twist, Self::Contact];

    /// Name in the menu.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tension => "Tension",
            Self::Twist => "Twist",
            Self::Contact => "Contact",
        }
    }

    /// The measure that colours strands, if it is one.
    pub fn measure(self) -> Option<Measure> {
        match self {
            Self::Tension => Some(Measure::Tension),
            Self::Twist => Some(Measure::Twist),
            Self::Contact => None,
        }
    }
}

/// The arrangement of the window.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch in a menu")]
pub struct Workspace {
    /// Current frame.
    pub frame: f64,
    /// Selected things, the one selected last at the end.
    pub selected: Vec<Selection>,
    /// Things that are hidden, and bodies that are shown alone.
    pub visibility: Visibility,
    /// Paths of the channels that the graph shows.
    pub channels: Vec<String>,
    /// Selected keys.
    pub keys: Vec<KeyRef>,
    /// First and last visible frame of timeline and graph; none shows the shot.
    pub visible_frames: Option<[f64; 2]>,
    /// View of the scene.
    pub view: OrbitCamera,
    /// Index of the camera of the document that is looked through.
    pub camera: Option<usize>,
    /// Whether the view frames the scene at the next picture.
    pub frames_all: bool,
    /// A box that the view frames at the next picture.
    pub framed: Option<Bounds>,
    /// Panel at the bottom.
    pub panel: Panel,
    /// Whether the list of things is shown.
    pub shows_outliner: bool,
    /// Whether the history is shown below the list of things.
    pub shows_history: bool,
    /// Whether the parameters of the selection are shown.
    pub shows_inspector: bool,
    /// Whether the panel at the bottom is shown.
    pub shows_bottom: bool,
    /// Sizes of the list of things, the history below it, the parameters and the panel at the bottom, in
    /// points.
    pub sizes: [f32; 4],
    /// Whether playback starts again at its end.
    pub loops: bool,
    /// Whether moving a keyed parameter sets a key at the current frame.
    pub auto_key: bool,
    /// Whether simulations run in the background.
    pub simulates: bool,
    /// Whether technical parameters are shown besides the common ones.
    pub shows_all_parameters: bool,
    /// Whether the view has a grid on the ground.
    pub shows_grid: bool,
    /// Whether the selected bodies have ghosts of other frames.
    pub shows_ghosts: bool,
    /// Whether the selected bodies have trails.
    pub shows_trails: bool,
    /// Results of simulations that are shown.
    pub overlay: Option<Overlay>,
    /// Parameters that pulling a body may or may not change, by their names; others as by default.
    pub pull_switches: BTreeMap<String, bool>,
    /// Light or dark.
    pub appearance: Appearance,
    /// Size of text and controls, 1 is normal.
    pub scale: f32,
}

impl Default for Workspace {
    fn default() -> Self {
        Self {
            frame: 1.0,
            selected: Vec::new(),
            visibility: Visibility::default(),
            channels: Vec::new(),
            keys: Vec::new(),
            visible_frames: None,
            view: OrbitCamera::default(),
            camera: None,
            frames_all: true,
            framed: None,
            panel: Panel::default(),
            shows_outliner: true,
            shows_history: true,
            shows_inspector: true,
            shows_bottom: true,
            sizes: [190.0, 280.0, 364.0, 210.0],
            loops: true,
            auto_key: true,
            simulates: true,
            shows_all_parameters: false,
            shows_grid: true,
            shows_ghosts: false,
            shows_trails: false,
            overlay: None,
            pull_switches: BTreeMap::new(),
            appearance: Appearance::default(),
            scale: 1.0,
        }
    }
}

impl Appearance {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
        }
    }
}

impl Workspace {
    /// Looks along a named direction, in parallel, from outside every camera.
    pub fn look(&mut self, view: NamedView) {
        self.view.look(view);
        self.camera = None;
        self.frames_all = true;
    }

    /// Shows an overlay instead of the other ones, or hides it.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.overlay = (self.overlay != Some(overlay)).then_some(overlay);
    }

    /// The thing that was selected last.
    pub fn active(&self) -> Option<&Selection> {
        self.selected.last()
    }

    /// Whether a thing is selected.
    pub fn is_selected(&self, thing: Thing, name: &str) -> bool {
        self.selected.iter().any(|one| one.thing == thing && one.name == name)
    }

    /// Selects a thing; `adds` keeps the others, and deselects it if it was selected.
    pub fn select(&mut self, thing: Thing, name: &str, adds: bool) {
        let was = self.is_selected(thing, name);
        if adds {
            self.selected.retain(|one| !(one.thing == thing && one.name == name));
        } else {
            self.selected.clear();
        }
        if !(adds && was) {
            self.selected.push(Selection { thing, name: name.to_owned() });
        }
    }

    /// Whether a body is in the view: not hidden, and alone if others are.
    pub fn shows(&self, body: &str) -> bool {
        self.shows_thing(Thing::Body, body)
    }

    /// Whether a thing is in the view.
    pub fn shows_thing(&self, thing: Thing, name: &str) -> bool {
        self.visibility.shows(thing, name)
    }

    /// Hides the selected things; shows them again if all of them are hidden.
    pub(crate) fn hide_selected(&mut self) {
        let visibility = &mut self.visibility;
        let hides = self.selected.iter().any(|one| !visibility.is_hidden(one.thing, &one.name));
        for one in &self.selected {
            visibility.hide(one.thing, &one.name, hides);
        }
    }

    /// Shows the selected bodies alone; with the others again if all of them are.
    pub(crate) fn solo_selected(&mut self) {
        let visibility = &mut self.visibility;
        let bodies = self.selected.iter().filter(|one| one.thing == Thing::Body);
        let alone = bodies.clone().any(|one| !visibility.is_alone(&one.name));
        for one in bodies {
            visibility.show_alone(&one.name, alone);
        }
    }

    /// Follows a thing that was renamed.
    pub(crate) fn rename(&mut self, thing: Thing, from: &str, to: &str) {
        for one in &mut self.selected {
            if one.thing == thing && one.name == from {
                to.clone_into(&mut one.name);
            }
        }
        self.visibility.rename(thing, from, to);
    }

    /// Forgets things that the document no longer has.
    pub fn retain(&mut self, has: impl Fn(Thing, &str) -> bool) {
        self.selected.retain(|one| has(one.thing, &one.name));
        self.visibility.retain(has);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selecting_again_with_the_others_deselects() {
        let mut workspace = Workspace::default();
        workspace.select(Thing::Body, "rope", false);
        workspace.select(Thing::Body, "lead", true);
        assert_eq!(workspace.active().map(|one| &*one.name), Some("lead"));
        workspace.select(Thing::Body, "lead", true);
        assert_eq!(workspace.selected.len(), 1);
        workspace.select(Thing::Locator, "rope", false);
        assert!(!workspace.is_selected(Thing::Body, "rope"));
    }
}
