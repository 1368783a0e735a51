//! Wires wound around a backbone: coiled cord, microphone cord, spring, Slinky.

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};
use lariat_core::model::layer::coils::Compression;
use lariat_core::model::layer::{Envelope, Pincer};
use lariat_core::model::{Bunching, CoiledCord, Slinky, Spring, Winding};
use lariat_core::motion::Channel;
use lariat_scene::lower::{Lowered, Record};

use super::layers::BoundCoilWave;
use super::suspended::{Extent, Hung, displacements};
use super::{Body, Place, Work};
use crate::moment::BodyMoment;
use crate::number::Number;
use crate::scene::World;
use crate::warning::Warning;

#[derive(Debug)]
pub(crate) struct Coiled {
    backbone: Hung,
    backbone_samples: usize,
    coil_radius: Number,
    coils: f64,
    points_per_coil: usize,
    wire_length: Option<Number>,
    leads: Option<[Channel<f64>; 2]>,
    bunching: Option<BoundBunching>,
    slinky: Option<BoundSlinky>,
}

#[derive(Debug)]
struct BoundBunching {
    pincers: Vec<[Number; 3]>,
    waves: Vec<BoundCoilWave>,
    compression: &'static str,
    plateau: Option<Number>,
    rounding: Number,
}

#[derive(Debug)]
struct BoundSlinky {
    from_normal: Option<Channel<DVec3>>,
    to_normal: Option<Channel<DVec3>>,
    reach: Number,
    inner: Vec<Channel<DVec3>>,
    rest_distance: Option<Number>,
}

impl Coiled {
    pub(super) fn bind(record: &Record, lowered: &Lowered) -> Self {
        let springy = matches!(record.kind(), "spring" | "slinky");
        let leads = if record.kind() == "microphone-cord" { record.scalars("leads") } else { None };
        Self {
            backbone: Hung::bind(record, lowered, "backbone-samples"),
            backbone_samples: record.integer("backbone-samples").unwrap_or(65).max(3) as usize,
            coil_radius: Number::of(record, "coil-radius"),
            coils: record.scalar("coils").map_or(0.0, |c| c.at(0.0)),
            points_per_coil: record.integer("points-per-coil").unwrap_or(24).max(4) as usize,
            wire_length: Number::read(record, "wire-length"),
            leads: leads.and_then(|l| <[Channel<f64>; 2]>::try_from(l.to_vec()).ok()),
            bunching: springy.then(|| BoundBunching::bind(record)),
            slinky: (record.kind() == "slinky").then(|| BoundSlinky::bind(record)),
        }
    }

    pub(super) fn places(&self) -> [&Place; 2] {
        [&self.backbone.from, &self.backbone.to]
    }

    /// The inner control points of a Slinky.
    pub(super) fn inner_points(&self, body: &Body, world: &World<'_>) -> Option<[DVec3; 2]> {
        let mut ignored = Vec::new();
        let winding = self.winding(body, world.t, &mut ignored);
        let slinky = self.slinky.as_ref()?.at(self, body, world, winding, &mut ignored);
        Some(slinky.inner_points())
    }

    /// Positions at which the pincers begin, 0–1 along the backbone.
    pub(super) fn pincer_positions(&self, t: f64) -> Vec<f64> {
        let at = |[position, ..]: &[Number; 3]| position.at(t, &mut Vec::new()).clamp(0.0, 1.0);
        self.bunching.iter().flat_map(|bunching| &bunching.pincers).map(at).collect()
    }

    /// First and last position at which a pincer can begin: it must not overlap its neighbours or
    /// extend past the end of the spring.
    pub(super) fn room(&self, pincer: usize, t: f64) -> Option<(f64, f64)> {
        let pincers = &self.bunching.as_ref()?.pincers;
        let at = |number: &Number| number.at(t, &mut Vec::new()).clamp(0.0, 1.0);
        let [own, length, _] = pincers.get(pincer)?;
        let (own, length) = (at(own), at(length));
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (k, [other, extent, _]) in pincers.iter().enumerate().filter(|(k, _)| *k != pincer) {
            let other = at(other);
            match (other, k) < (own, pincer) {
                true => first = first.max(other + at(extent)),
                false => last = last.min(other),
            }
        }
        let first = first.min(own);
        Some((first, (last - length).max(first)))
    }

    /// The backbone at the world's time; `None` if it has fewer than two points.
    pub(super) fn backbone_curve(&self, body: &Body, world: &World<'_>) -> Option<Spline> {
        let mut ignored = Vec::new();
        let winding = self.winding(body, world.t, &mut ignored);
        let points = match &self.slinky {
            Some(slinky) => slinky.at(self, body, world, winding, &mut ignored).backbone_points(),
            None => {
                let mut work = Work::default();
                self.backbone.fill(body, world, winding.radius, &mut work.hung, &mut ignored);
                let (backbone, bunching) = (work.hung.clone(), Bunching::default());
                let spring = Spring { backbone, winding, bunching };
                spring.pose_backbone(&mut work.pose, &mut work.scratch).ok()?;
                work.pose.points
            }
        };
        Polyline::new(points).ok().map(|curve| Spline::through(&curve))
    }

    pub(super) fn is_still(&self) -> bool {
        self.backbone.is_still()
            && self.coil_radius.is_constant()
            && self.wire_length.as_ref().is_none_or(Number::is_constant)
            && self.leads.iter().flatten().all(Channel::is_constant)
            && self.bunching.as_ref().is_none_or(BoundBunching::is_still)
            && self.slinky.as_ref().is_none_or(BoundSlinky::is_still)
    }

    pub(super) fn pose(
        &self,
        body: &Body,
        world: &World<'_>,
        work: &mut Work,
        out: &mut BodyMoment,
    ) {
        let winding = self.winding(body, world.t, &mut out.warnings);
        if let Some(slinky) = &self.slinky {
            let spring = slinky.at(self, body, world, winding, &mut out.warnings);
            spring.pose_into(&mut work.pose, &mut work.scratch);
        } else {
            self.backbone.fill(body, world, winding.radius, &mut work.hung, &mut out.warnings);
            let backbone = work.hung.clone();
            let wound = match &self.bunching {
                None => {
                    CoiledCord { backbone, winding }.pose_into(&mut work.pose, &mut work.scratch)
                }
                Some(bunching) => {
                    let bunching = bunching.at(self.coils, world.t, &mut out.warnings);
                    Spring { backbone, winding, bunching }
                        .pose_into(&mut work.pose, &mut work.scratch)
                }
            };
            debug_assert!(wound.is_ok(), "{wound:?}");
        }
        body.sweep(world, work, out);
    }

    pub(super) fn needs_rest_distance(&self) -> bool {
        self.slinky.as_ref().is_some_and(|s| s.rest_distance.is_none())
    }

    pub(super) fn distance(&self, world: &World<'_>) -> f64 {
        let mut ignored = Vec::new();
        self.backbone
            .from
            .at(world, &mut ignored)
            .distance(self.backbone.to.at(world, &mut ignored))
    }

    pub(super) fn set_rest_distance(&mut self, distance: f64) {
        if let Some(slinky) = &mut self.slinky {
            slinky.rest_distance = Some(Number::constant(distance));
        }
    }

    fn winding(&self, body: &Body, t: f64, w: &mut Vec<Warning>) -> Winding {
        let mut rotations = Vec::new();
        body.layers.rotations(t, &mut rotations, w);
        Winding {
            radius: self.coil_radius.at(t, w),
            coils: self.coils,
            points_per_coil: self.points_per_coil,
            wire_length: self.wire_length.as_ref().map(|n| n.at(t, w)),
            leads: self.leads.as_ref().map_or((0.0, 0.0), |[a, b]| (a.at(t), b.at(t))),
            rotations,
        }
    }
}

impl BoundBunching {
    fn bind(record: &Record) -> Self {
        let pincer = |p: &Record| ["position", "length", "count"].map(|name| Number::of(p, name));
        Self {
            pincers: record.records("pincers").iter().map(pincer).collect(),
            waves: record.records("coil-waves").iter().map(BoundCoilWave::bind).collect(),
            compression: record.choice("compression").unwrap_or("pinned"),
            plateau: Number::read(record, "plateau"),
            rounding: Number::of(record, "rounding"),
        }
    }

    fn is_still(&self) -> bool {
        self.pincers.iter().flatten().all(Number::is_constant)
            && self.waves.iter().all(BoundCoilWave::is_still)
            && self.plateau.as_ref().is_none_or(Number::is_constant)
            && self.rounding.is_constant()
    }

    fn at(&self, coils: f64, t: f64, w: &mut Vec<Warning>) -> Bunching {
        // Half a coil at each end, as in figure 14.
        let plateau =
            self.plateau.as_ref().map_or_else(|| (0.5 / coils.max(1.0)).min(0.5), |n| n.at(t, w));
        let pincer = |[position, length, count]: &[Number; 3], w: &mut Vec<Warning>| Pincer {
            position: position.at(t, w),
            length: length.at(t, w),
            count: count.at(t, w),
        };
        Bunching {
            pincers: self.pincers.iter().map(|p| pincer(p, w)).collect(),
            waves: self.waves.iter().filter_map(|wave| wave.at(t, w)).collect(),
            compression: match self.compression {
                "rigid-ends" => Compression::RigidEnds { plateau },
                "published" => Compression::Published { plateau },
                _ => Compression::Pinned,
            },
            rounding: self.rounding.at(t, w),
        }
    }
}

impl BoundSlinky {
    fn bind(record: &Record) -> Self {
        Self {
            from_normal: record.vector("from-normal").cloned(),
            to_normal: record.vector("to-normal").cloned(),
            reach: Number::of(record, "reach"),
            inner: record.vectors("inner").unwrap_or_default().to_vec(),
            rest_distance: Number::read(record, "rest-distance"),
        }
    }

    fn is_still(&self) -> bool {
        [&self.from_normal, &self.to_normal]
            .into_iter()
            .flatten()
            .chain(&self.inner)
            .all(Channel::is_constant)
            && self.reach.is_constant()
            && self.rest_distance.as_ref().is_none_or(Number::is_constant)
    }

    fn at(
        &self,
        coiled: &Coiled,
        body: &Body,
        world: &World<'_>,
        winding: Winding,
        w: &mut Vec<Warning>,
    ) -> Slinky {
        let t = world.t;
        let (from, to) = (coiled.backbone.from.at(world, w), coiled.backbone.to.at(world, w));
        let across = (to - from).normalize_or(DVec3::X);
        let normal = |given: &Option<Channel<DVec3>>, place: &Place| match given {
            Some(channel) => channel.at(t),
            None => place.outward(world).unwrap_or(across),
        };
        let rest_distance = self.rest_distance.as_ref().map_or(0.0, |d| d.at(t, w));
        let sag = match &coiled.backbone.extent {
            Extent::Sag(sag, _) => sag.at(t, w),
            Extent::Length(_) => 0.0,
        };
        let mut waves = Vec::new();
        displacements(&coiled.backbone.waves, body, t, &Envelope::BOTH_ENDS, &mut waves, w);
        let mut clamps = Vec::new();
        body.layers.clamps(world, &body.looks, winding.radius, &mut clamps, w);
        body.layers.ends_inside(world, &[("from", from), ("to", to)], &clamps, w);
        let inner = |k: usize| self.inner.get(k).map_or(DVec3::ZERO, |c| c.at(t));
        let bunching =
            coiled.bunching.as_ref().map(|b| b.at(coiled.coils, t, w)).unwrap_or_default();
        Slinky {
            from,
            to,
            from_normal: normal(&self.from_normal, &coiled.backbone.from),
            to_normal: normal(&self.to_normal, &coiled.backbone.to),
            reach: self.reach.at(t, w),
            inner: [inner(0), inner(1)],
            sag,
            rest_distance,
            displacements: waves,
            clamps,
            samples: coiled.backbone_samples,
            winding,
            bunching,
        }
    }
}
