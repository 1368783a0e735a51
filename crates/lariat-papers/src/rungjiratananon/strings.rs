//! The set of strings and its step.
//!
//! The caller sets clamps, forces, torques and obstacles as they are at the end of the next step and calls
//! [`Strings::step`]. [`State`] is everything that a run remembers.
//!
//! Masses are at the particles, half of each segment's mass at both of its ends. The seed
//! determines the variation of strength and stiffness from segment to segment (section 7), so a
//! string always tears at the same place.
//!
//! Tests: `a_checkpoint_continues_with_the_same_bits`, `strings_do_not_diverge_or_panic`,
//! `a_step_that_diverges_leaves_everything_as_it_was`, `the_seed_decides_where_a_string_is_weak`.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};
use lariat_core::dynamics::Diverged;
use lariat_core::dynamics::air::Air;
use lariat_core::dynamics::contact::Obstacle;
use lariat_core::dynamics::material::Material;

use super::build::{Build, BuildError, Regions, factor_at};
use super::controls::{Clamp, Force, Overrides, Tear, Torque};
use super::curve::Curve;
use super::state::{Span, State};

/// Properties of one string that do not change.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(super) struct Kind {
    pub material: Material,
    pub shape: Option<Regions>,
    pub twist: Option<Regions>,
    pub curved: bool,
    pub stretches: bool,
    pub flicks: bool,
    pub tears: bool,
    /// First particle and number of particles, as added.
    pub first: usize,
    pub count: usize,
}

/// Properties of particles, segments and joints that do not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// Masses of the particles, in kilograms.
    pub mass: Vec<f64>,
    /// Lengths of the segments as built, in metres.
    pub length: Vec<f64>,
    /// Radii of the segments, in metres.
    pub radius: Vec<f64>,
    /// Factors of strength and of stiffness of the segments.
    pub strength: Vec<f64>,
    pub stiffness: Vec<f64>,
    /// Moments of inertia of the segments about their axes, in kg m².
    pub inertia: Vec<f64>,
    /// Torsional rigidity `GJ` of the segments, in N m².
    pub torsion: Vec<f64>,
    /// Half widths of the twist regions around the segments.
    pub twist_width: Vec<usize>,
    /// Places of the particles in the shape at rest; arc length in `x` for straight strings.
    pub shape: Vec<DVec3>,
}

/// Numbers of one step.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// Places before the step.
    pub before: Vec<DVec3>,
    /// Places before the strain limit: `x'`.
    pub free: Vec<DVec3>,
    /// True for particles that are held in this step.
    pub held: Vec<bool>,
    /// True for particles that collide in this step.
    pub touched: Vec<bool>,
    /// Forces on the particles, in newtons.
    pub forces: Vec<DVec3>,
    /// Angles to which clamps turn segments.
    pub turned: Vec<Option<f64>>,
    /// Torques on the segments, in N m.
    pub torques: Vec<f64>,
    /// Tensions of segments that follow from the distance between two clamps, in newtons.
    pub taut: Vec<f64>,
}

/// Strings that move as published.
#[derive(Clone, Debug)]
pub struct Strings {
    /// Places, velocities, tensions and twist.
    pub state: State,
    /// Particles that are held, each with its target at the end of the next step.
    pub clamps: Vec<Clamp>,
    /// Forces on particles.
    pub forces: Vec<Force>,
    /// Torques on segments.
    pub torques: Vec<Torque>,
    /// Obstacles, each with its place at the start and the end of the next step. Particles keep a
    /// distance of their radius, or of the margin if that is more.
    pub obstacles: Vec<Obstacle>,
    /// Gravity in m/s².
    pub gravity: DVec3,
    /// Air around the strings.
    pub air: Air,
    /// Values of the strings in their order. Strings without an entry use [`Strings::usual`].
    pub overrides: Vec<Overrides>,
    /// Values of strings without an entry in `overrides`.
    pub usual: Overrides,
    /// Factor on the mass of colliding particles while shape is matched; 3 in section 6.
    pub collision_mass: f64,
    /// Segments that tore in the last step.
    pub torn: Vec<Tear>,
    pub(super) kinds: Vec<Kind>,
    pub(super) parts: Parts,
    pub(super) work: Work,
}

impl Default for Strings {
    fn default() -> Self {
        Self {
            state: State::default(),
            clamps: Vec::new(),
            forces: Vec::new(),
            torques: Vec::new(),
            obstacles: Vec::new(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            air: Air::default(),
            overrides: Vec::new(),
            usual: Overrides { friction: 0.4, viscosity: 0.0, drag: 1.2, contact: true },
            collision_mass: 3.0,
            torn: Vec::new(),
            kinds: Vec::new(),
            parts: Parts::default(),
            work: Work::default(),
        }
    }
}

impl Strings {
    /// A set without strings.
    pub fn new() -> Self {
        Self::default()
    }

    /// One step of `dt` seconds. A step that diverges leaves the state as it was. A step of no length,
    /// or one that is not finite, does nothing.
    pub fn step(&mut self, dt: f64) -> Result<(), Diverged> {
        self.torn.clear();
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(());
        }
        let before = self.state.clone();
        self.read_controls(); //          strings.rs       clamps, forces, torques
        self.begin_flicks(dt); //         flick.rs         section 5.4: released strings
        self.add_flicks(dt); //           flick.rs         section 5.4: tension that pulls on
        self.add_twist_forces(dt); //     twist_force.rs   eqs 6, 7
        self.predict(dt); //              predict.rs       section 3: particles move by external forces
        self.collide(); //                collide.rs       section 6
        self.match_shapes(dt); //         match_shape.rs   section 3: goal positions
        self.allow_strain(dt); //         tension.rs       eq. 10: L_max
        self.limit_strain(); //           limit.rs         section 5.2
        self.measure_tension(dt); //      tension.rs       eq. 12
        self.push_out(); //               collide.rs       obstacles, after lengths
        self.finish_motion(dt); //        predict.rs       v = (x − x_old) / dt
        self.limit_energy(dt); //         energy.rs        sweeps add no energy
        self.carry_frames(); //           frames.rs        twist-free frames
        self.spread_twist(dt); //         twist.rs         eqs 1–5
        self.keep_plastic(); //           yielding.rs      section 5.4: yield points
        self.tear(dt); //                 tear.rs          section 5.4: rupture points
        self.state.time += dt;
        if self.state.is_finite() {
            return Ok(());
        }
        self.state = before;
        self.torn.clear();
        Err(Diverged::NotFinite { time: self.state.time + dt })
    }

    /// Adds a string at rest and returns its index.
    pub fn add(&mut self, build: &Build) -> Result<usize, BuildError> {
        build.check()?;
        let (points, material) = (&build.points, &build.material);
        let n = points.len();
        let (first, string) = (self.state.particles(), self.kinds.len());
        let laid: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        let scale = build.length.map_or(1.0, |length| length / laid);
        let mut variation = Variation::new(build.seed, build.variation);
        let parts = &mut self.parts;
        parts.mass.resize(first + n, 0.0);
        let mut arc = 0.0;
        for (i, point) in points.iter().enumerate() {
            // The last particle has no segment: it repeats the one before it.
            let segment = i.min(n - 2);
            let length = points[segment].distance(points[segment + 1]) * scale;
            let middle = if i < n - 1 { arc + 0.5 * length } else { arc };
            let u = middle / (laid * scale);
            let radius = build.radius * factor_at(&build.radius_along, u);
            let rigidity = factor_at(&build.twist_along, u);
            let area = PI * radius * radius;
            let mass = material.density * area * length;
            parts.length.push(length);
            parts.radius.push(radius);
            parts.strength.push(variation.next());
            parts.stiffness.push(variation.next());
            parts.inertia.push(0.5 * mass * radius * radius);
            parts.torsion.push(0.5 * material.shear_modulus * rigidity * area * radius * radius);
            parts.twist_width.push(build.twist.map_or(0, |twist| twist.half_width_for(rigidity)));
            parts.shape.push(if build.curved { *point * scale } else { DVec3::X * arc });
            if i < n - 1 {
                parts.mass[first + i] += 0.5 * mass;
                parts.mass[first + i + 1] += 0.5 * mass;
                arc += length;
            }
        }
        for (u, kilograms) in &build.weights {
            let at = nearest(&parts.length[first..first + n - 1], *u);
            parts.mass[first + at] += kilograms;
        }
        self.kinds.push(Kind {
            material: *material,
            shape: build.shape,
            twist: build.twist,
            curved: build.curved,
            stretches: build.stretches,
            flicks: build.flicks && material.modulus.is_finite(),
            tears: build.tears,
            first,
            count: n,
        });
        let state = &mut self.state;
        let span = Span { first, count: n, string, ..Span::default() };
        state.spans.push(span);
        for row in state.scalars_mut() {
            row.resize(first + n, 0.0);
        }
        for row in state.vectors_mut() {
            row.resize(first + n, DVec3::ZERO);
        }
        state.rotations.resize(first + n, DMat3::IDENTITY);
        state.positions[first..].copy_from_slice(points);
        state.rests[first..].copy_from_slice(&self.parts.length[first..]);
        for joint in first..first + n {
            let spacing = self.joint_spacing(joint.max(first + 1));
            let shear = material.yield_shear * self.parts.strength[joint];
            self.state.twist_yields[joint] = shear * spacing / self.parts.radius[joint];
        }
        self.lay_frames(&span);
        self.lay_regions(&span);
        Ok(string)
    }

    /// Index of the particle of a string nearest to the place `u` (0–1) along it.
    ///
    /// # Panics
    ///
    /// If there is no such string.
    pub fn particle(&self, string: usize, u: f64) -> usize {
        let Kind { first, count, .. } = self.kinds[string];
        first + nearest(&self.parts.length[first..first + count - 1], u)
    }

    /// Number of strings, as added.
    pub fn strings(&self) -> usize {
        self.kinds.len()
    }

    /// Mass of a particle, in kilograms.
    pub fn mass(&self, particle: usize) -> f64 {
        self.parts.mass[particle]
    }

    /// Radius of a segment now, in metres: a stretched segment keeps its volume (section 5.4).
    pub fn radius(&self, segment: usize) -> f64 {
        let length = self.state.positions[segment].distance(self.state.positions[segment + 1]);
        let rest = self.parts.length[segment];
        self.parts.radius[segment] * (rest / length.max(rest)).sqrt()
    }

    /// Tensile stress of a segment in pascals: tension over the cross-section at rest (eq. 8).
    pub fn stress(&self, segment: usize) -> f64 {
        self.state.tensions[segment] / self.area(segment)
    }

    /// Strength of a segment as built: newtons, and turns per metre.
    pub fn strength(&self, segment: usize) -> [f64; 2] {
        let string = self.kinds.partition_point(|kind| kind.first <= segment).saturating_sub(1);
        let (material, strength) = (&self.kinds[string].material, self.parts.strength[segment]);
        let turn = 2.0 * PI * self.parts.radius[segment];
        [
            material.rupture_stress * strength * self.area(segment),
            material.rupture_shear * strength / turn,
        ]
    }

    /// Values of a string: its own or the usual ones.
    pub(super) fn values(&self, string: usize) -> Overrides {
        self.overrides.get(string).copied().unwrap_or(self.usual)
    }

    /// Cross-section of a segment at rest, in m².
    pub(super) fn area(&self, segment: usize) -> f64 {
        PI * self.parts.radius[segment] * self.parts.radius[segment]
    }

    /// Mean length of the two segments at a joint, in metres.
    pub(super) fn joint_spacing(&self, joint: usize) -> f64 {
        0.5 * (self.parts.length[joint - 1] + self.parts.length[joint])
    }

    /// Stress-strain curve of a segment of a string.
    pub(super) fn curve(&self, string: usize, segment: usize) -> Curve {
        let kind = &self.kinds[string];
        let factors = [self.parts.strength[segment], self.parts.stiffness[segment]];
        Curve::new(&kind.material, kind.stretches, kind.tears, factors)
    }

    /// Reads clamps, forces and torques for this step. Entries without a particle, and those that are
    /// not finite, are ignored.
    fn read_controls(&mut self) {
        let (n, work) = (self.state.particles(), &mut self.work);
        work.before.clone_from(&self.state.positions);
        work.held.clear();
        work.held.resize(n, false);
        work.touched.clear();
        work.touched.resize(n, false);
        work.forces.clear();
        work.forces.extend(self.parts.mass.iter().map(|mass| self.gravity * *mass));
        work.turned.clear();
        work.turned.resize(n, None);
        for row in [&mut work.torques, &mut work.taut] {
            row.clear();
            row.resize(n, 0.0);
        }
        for Clamp { particle, target, angle } in &self.clamps {
            if *particle < n && target.is_finite() {
                work.held[*particle] = true;
                self.state.positions[*particle] = *target;
                let spans = &self.state.spans;
                let at = spans.partition_point(|span| span.first <= *particle) - 1;
                let segments = spans[at].segments();
                let angle = angle.filter(|angle| angle.is_finite() && !segments.is_empty());
                if let Some(angle) = angle {
                    work.turned[(*particle).min(segments.end - 1)] = Some(angle);
                }
            }
        }
        for Torque { segment, torque } in &self.torques {
            if *segment < n && torque.is_finite() {
                work.torques[*segment] += torque;
            }
        }
        for Force { particle, force } in &self.forces {
            if *particle < n && force.is_finite() {
                work.forces[*particle] += *force;
            }
        }
    }
}

/// The particle nearest to a share of the whole length.
fn nearest(lengths: &[f64], u: f64) -> usize {
    let total: f64 = lengths.iter().sum();
    let place = u.clamp(0.0, 1.0) * total;
    let mut arc = 0.0;
    for (i, length) in lengths.iter().enumerate() {
        if place < arc + 0.5 * length {
            return i;
        }
        arc += length;
    }
    lengths.len()
}

/// Factors around 1 that belong to a seed.
struct Variation {
    state: u64,
    width: f64,
}

impl Variation {
    fn new(seed: u64, width: f64) -> Self {
        Self { state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d_4c95_7f2d, width }
    }

    /// The next factor, from `1 − width` to `1 + width` (`SplitMix64`).
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        1.0 + self.width * (2.0 * unit - 1.0)
    }
}
