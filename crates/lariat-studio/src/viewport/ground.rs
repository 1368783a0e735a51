//! Light and ground of the view, and the height of the ground.
//!
//! Both follow from the content, but only once, from the first pose of a document. A ground at the
//! lowest point of the content would jump after every pull. Later only content that lies below the
//! ground at rest lowers it, in a fraction of a second.
//!
//! Tests: `the_ground_stays_under_a_rope_that_is_lifted`, `a_rope_below_the_ground_lowers_it`;
//! `crates/lariat-studio/tests/studio/view.rs`.

use lariat_core::{geometry::Bounds, num::ops};
use lariat_eval::{Moment as Pose, Scene};
use lariat_render::{Ground as Plane, Stage};
use lariat_scene::lower::{Shot, ShotGround};

use super::bounds;
use crate::workspace::Appearance;

/// Time in seconds in which the ground goes two thirds of its way. Longer: the rope stays hidden below
/// it. Shorter: it jumps.
const EASE: f64 = 0.08;

/// Distance of the ground below the content, and its largest depth in it, relative to the content.
const BELOW: f64 = 0.02;

/// Light and ground of a document in the view.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ground {
    /// Height in metres, once it is chosen.
    height: Option<f64>,
    /// Content that light and ground are made for.
    around: Option<Bounds>,
    /// The pose whose bounds are known.
    pose: Option<(u64, Bounds)>,
    /// Whether it is being lowered.
    sinks: bool,
}

impl Ground {
    /// Follows a pose, given its version. `rests` allows the ground to be lowered; returns true while
    /// that is not finished. `dt` is the time since the last pass, in seconds.
    pub(crate) fn update(
        &mut self,
        (scene, pose, version): (&Scene, &Pose, u64),
        rests: bool,
        dt: f64,
    ) -> bool {
        let content = match self.pose {
            Some((of, content)) if of == version => content,
            _ => bounds(pose, |body| scene.is_drawn(body)),
        };
        self.pose = Some((version, content));
        if content.is_empty() {
            return false;
        }
        let size = (content.high - content.low).length();
        self.around = Some(match self.around {
            // The ground reaches further than that.
            Some(around) if is_within(&content, &around) => around,
            Some(around) => around.union(content),
            None => content,
        });
        let height =
            *self.height.get_or_insert_with(|| Plane::under(&content, [0.0; 3], 0.0).height);
        self.sinks = rests && (self.sinks || content.low.z < height - BELOW * size);
        let target = content.low.z - BELOW * size;
        if !self.sinks {
            return false;
        }
        let next = height + (target - height) * (1.0 - ops::exp(-dt / EASE));
        self.sinks = (next - target).abs() > 1e-3 * size;
        self.height = Some(if self.sinks { next } else { target });
        self.sinks
    }

    /// Box around the content of the last pose.
    pub(crate) fn content(&self) -> Bounds {
        self.pose.map_or(Bounds::EMPTY, |(_, content)| content)
    }

    /// Height of the ground that is shown, in metres.
    pub(crate) fn height(&self, shot: &Shot) -> f64 {
        match shot.ground {
            ShotGround::Water => shot.ground_height.unwrap_or(0.0),
            _ => shot.ground_height.or(self.height).unwrap_or(0.0),
        }
    }

    /// Light, ground and background: those of the shot if it has water or glowing strands, else calm
    /// ones that go with the window.
    pub(crate) fn stage(&self, scene: &Scene, pose: &Pose, appearance: Appearance) -> Stage {
        let bounds = self.around.unwrap_or(Bounds::EMPTY);
        let strands = pose.bodies.iter().flat_map(|body| &body.strands);
        let mut stage = Stage::for_strands(strands, &bounds);
        let shot = scene.shot();
        let glows = stage == Stage::dusk(&bounds);
        if !glows && shot.ground != ShotGround::Water {
            stage = match appearance {
                Appearance::Dark => Stage::dark_viewport(&bounds),
                Appearance::Light => Stage::light_viewport(&bounds),
            };
        }
        match shot.ground {
            ShotGround::Floor => {}
            ShotGround::Water => stage = stage.with_water(),
            ShotGround::None => stage.ground = None,
        }
        stage = stage.with_ground_at(self.height(shot));
        // The grid of the view has its own lines.
        if let Some(ground) = &mut stage.ground {
            ground.lines = 0.0;
        }
        stage.at_time(shot.rate.seconds(pose.frame))
    }
}

/// Whether content is nowhere further from a box than the size of the box.
fn is_within(content: &Bounds, around: &Bounds) -> bool {
    let size = around.high - around.low;
    let room = size.length();
    let grown = [around.low - room, around.high + room];
    content.low.cmpge(grown[0]).all() && content.high.cmple(grown[1]).all()
}

#[cfg(test)]
mod tests {
    use lariat_scene::{Limits, check::check};

    use super::*;

    fn posed(height: f64) -> (Scene, Pose) {
        let text = format!(
            "lariat = 2\n[[body]]\nname = 'a'\nmodel = 'suspended-rope'\nfrom = [0, 0, {height}]\nto = \
             [2, 0, {height}]\nlength = 3\n"
        );
        let lowered = check(text.as_bytes(), &Limits::DEFAULT).content.unwrap().lowered;
        let scene = Scene::bind(&lowered);
        let pose = scene.evaluate(1.0);
        (scene, pose)
    }

    #[test]
    fn the_ground_stays_under_a_rope_that_is_lifted() {
        let mut ground = Ground::default();
        for (version, height) in [(0, 10.0), (1, 14.0), (2, 10.5)] {
            let (scene, pose) = posed(height);
            assert!(!ground.update((&scene, &pose, version), true, 0.1));
            let stage = ground.stage(&scene, &pose, Appearance::Dark);
            let low = posed(10.0).1;
            let first = Plane::under(&bounds(&low, |_| true), [0.0; 3], 0.0).height;
            assert_eq!(stage.ground.unwrap().height, first);
            assert_eq!(ground.height(scene.shot()), first);
        }
    }

    #[test]
    fn a_rope_below_the_ground_lowers_it() {
        let mut ground = Ground::default();
        let (scene, pose) = posed(10.0);
        ground.update((&scene, &pose, 0), true, 0.1);
        let first = ground.height(scene.shot());
        let (scene, pose) = posed(8.0);
        assert!(!ground.update((&scene, &pose, 1), false, 0.1), "not during a drag");
        assert_eq!(ground.height(scene.shot()), first);
        let mut passes = 0;
        while ground.update((&scene, &pose, 1), true, 0.02) {
            passes += 1;
        }
        assert!((5..100).contains(&passes), "{passes}");
        let low = bounds(&pose, |_| true).low.z;
        assert!(ground.height(scene.shot()) < low && low - ground.height(scene.shot()) < 0.1);
    }
}
