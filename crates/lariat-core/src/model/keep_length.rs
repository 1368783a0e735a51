//! Ropes that keep their length: waves use up slack instead of growing the rope.
//!
//! Not in Barzel's paper, which says that "an unduly large wave magnitude can perceptibly
//! increase the length". Here the gross shape is adapted: a hung rope is drawn tighter and a loose
//! one is shortened until the displaced and clamped curve is as long as the rope.
//!
//! Length is that of the smooth curve behind the samples (`model::displaced_length`), so it does not
//! depend on the number of samples, and a rope without waves is exactly the catenary.
//!
//! A hung rope is fitted by the catenary's parameter `a`, of which the length is a smooth function
//! even at the taut end. A loose rope that meets a clamp is laid link by link along the surface
//! (`lay`), because a free end cannot be drawn tighter.
//!
//! Tests: `random_poses_keep_their_length`, `waves_without_slack_shrink_and_are_reported`,
//! `a_rope_on_a_floor_keeps_its_length`, `a_loose_rope_lies_down`, `published_ropes_grow`.

use glam::DVec3;

use super::PoseWarning;
use super::displaced_length::{Budget, FIT_TOLERANCE, Gauge, Workspace, chord_length};
use super::layer::{Clamp, Displacement, Layers, Offset, displaced};
use crate::curve::bend::BentLine;
use crate::curve::catenary::Catenary;
use crate::curve::{Frame, GrossShape};
use crate::num::root;

/// A fitted gross shape: with `share` of the displacements it has the rope's length.
#[derive(Clone, Debug)]
pub(super) struct Fitted<G> {
    pub gross: G,
    pub share: f64,
    pub warning: Option<PoseWarning>,
    /// Error bound of the measured length, in metres.
    pub error_bound: f64,
}

/// Relative tolerance of kept lengths. A larger error bound is reported.
const KEPT_TOLERANCE: f64 = 1e-6;

impl<G> Fitted<G> {
    /// The shape with all of the displacements and no warnings.
    pub(super) fn whole(gross: G) -> Self {
        Self { gross, share: 1.0, warning: None, error_bound: 0.0 }
    }

    /// Warnings about a rope of `length`.
    pub(super) fn warnings(&self, length: f64) -> impl Iterator<Item = PoseWarning> {
        let too_fine = PoseWarning::TooFine { error_bound: self.error_bound };
        let too_fine = (self.error_bound > KEPT_TOLERANCE * length).then_some(too_fine);
        self.warning.into_iter().chain(too_fine)
    }
}

/// Draws a hung rope tighter until its displaced length is `length`.
pub(super) fn fit_hung(
    rope: Catenary,
    length: f64,
    layers: Layers<'_>,
    scratch: &mut Workspace,
) -> Fitted<Catenary> {
    if length < rope.gap() {
        let warning = Some(PoseWarning::TooShort { length, gap: rope.gap() });
        return Fitted { share: 0.0, warning, ..Fitted::whole(rope) };
    }
    let full_fit = Fitted::whole(rope.clone());
    let sharpest = (rope.sharpest().1, rope.scale());
    let Some(gauge) = Gauge::new(layers, length, sharpest, &[], scratch) else {
        return full_fit;
    };
    let close = FIT_TOLERANCE * length;
    let excess = gauge.hung(&rope, 1.0) - length;
    if excess.abs() <= close {
        return full_fit;
    }
    let Some(full) = rope.parameter() else {
        return fit_fold(&rope, length, excess, &gauge);
    };
    // First guess: the waves add the other leg of a right triangle, which is exact for a straight
    // rope. Then secant steps: usually two or three.
    let trial = |a: f64| {
        let gross = rope.with_parameter(a);
        let miss = gauge.hung(&gross, 1.0) - length;
        (gross, miss)
    };
    let (mut a0, mut f0) = (full, excess);
    let leg = (length + excess) * (length + excess) - length * length;
    let left = (length * length - leg).max(0.0).sqrt();
    let mut a1 = rope.with_length(left).parameter().unwrap_or(full);
    for _ in 0..5 {
        if !(a1 > 0.0 && a1 < 2.0 * full) {
            break;
        }
        let (gross, f1) = trial(a1);
        if f1.abs() <= close {
            return Fitted { error_bound: gauge.error_bound(), ..Fitted::whole(gross) };
        }
        let next = a1 - f1 * (a1 - a0) / (f1 - f0);
        (a0, f0, a1) = (a1, f1, next);
    }
    // Fallback: bracket the root, unless even the taut rope is too long.
    let (mut low, mut high) = (0.0, full);
    let (mut f_low, mut f_high) = (trial(low).1, excess);
    if f_low >= 0.0 && excess > 0.0 {
        let taut = rope.with_parameter(0.0);
        let (share, warning) = shrink(length, f_low, |share| gauge.hung(&taut, share));
        return Fitted { gross: taut, share, warning, error_bound: gauge.error_bound() };
    }
    let mut tries = 0;
    while f_high < 0.0 && tries < 40 {
        (low, f_low) = (high, f_high);
        high = high * 1.2 + 0.01;
        f_high = trial(high).1;
        tries += 1;
    }
    let a = root::bracketed((low, f_low), (high, f_high), close, 100, |a| trial(a).1);
    Fitted { error_bound: gauge.error_bound(), ..Fitted::whole(rope.with_parameter(a)) }
}

/// Fits a fold, which has no parameter `a`, by the length of its legs.
fn fit_fold(rope: &Catenary, length: f64, excess: f64, gauge: &Gauge<'_>) -> Fitted<Catenary> {
    let gap = rope.gap();
    let taut = rope.with_length(gap);
    let f_taut = gauge.hung(&taut, 1.0) - length;
    if f_taut >= 0.0 {
        let (share, warning) = shrink(length, f_taut, |share| gauge.hung(&taut, share));
        return Fitted { gross: taut, share, warning, error_bound: gauge.error_bound() };
    }
    let f = |l: f64| gauge.hung(&rope.with_length(l), 1.0) - length;
    // A displacement towards the inside of the turn shortens the rope: the legs must be longer.
    let (mut low, mut high) = ((gap, f_taut), (length, excess));
    let mut tries = 0;
    while high.1 < 0.0 && tries < 40 {
        let l = high.0 * 1.2;
        (low, high) = (high, (l, f(l)));
        tries += 1;
    }
    let l = root::bracketed(low, high, FIT_TOLERANCE * length, 100, f);
    Fitted { error_bound: gauge.error_bound(), ..Fitted::whole(rope.with_length(l)) }
}

/// Scales the displacements down if the gross shape is taut already.
fn shrink(length: f64, excess: f64, measured: impl Fn(f64) -> f64) -> (f64, Option<PoseWarning>) {
    let f = |share: f64| measured(share) - length;
    let none = f(0.0);
    let share = if none < 0.0 {
        root::bracketed((0.0, none), (1.0, excess), FIT_TOLERANCE * length, 100, f)
    } else {
        0.0
    };
    (share, Some(PoseWarning::TooWavy { share, missing: excess }))
}

/// Shortens a loose rope until its displaced length is `length`.
pub(super) fn fit_loose(
    rope: &BentLine,
    layers: Layers<'_>,
    scratch: &mut Workspace,
) -> Fitted<BentLine> {
    let length = rope.length();
    let full_fit = Fitted::whole(rope.clone());
    if length <= 0.0 {
        return full_fit;
    }
    let Some(gauge) = Gauge::new(layers, length, (1.0, rope.tightest()), &rope.cuts(), scratch)
    else {
        return full_fit;
    };
    let close = FIT_TOLERANCE * length;
    let f = |l: f64| gauge.loose(&rope.with_length(l), 1.0) - length;
    let excess = f(length);
    // First step by the excess, then secant steps.
    let (mut l0, mut f0, mut l1) = (length, excess, length - excess);
    for _ in 0..6 {
        if !(l1 > 0.0 && l1 < 2.0 * length) {
            break;
        }
        let f1 = f(l1);
        if f1.abs() <= close {
            return Fitted {
                error_bound: gauge.error_bound(),
                ..Fitted::whole(rope.with_length(l1))
            };
        }
        let next = l1 - f1 * (l1 - l0) / (f1 - f0);
        (l0, f0, l1) = (l1, f1, next);
    }
    let (mut low, mut f_low, mut high, mut f_high) = (0.0, f(0.0), length, excess);
    if f_low >= 0.0 {
        let none = rope.with_length(0.0);
        let (share, warning) = shrink(length, f_low, |share| gauge.loose(&none, share));
        return Fitted { gross: none, share, warning, error_bound: gauge.error_bound() };
    }
    let mut tries = 0;
    while f_high < 0.0 && tries < 40 {
        (low, f_low) = (high, f_high);
        high *= 1.2;
        f_high = f(high);
        tries += 1;
    }
    let l = root::bracketed((low, f_low), (high, f_high), close, 100, f);
    Fitted { error_bound: gauge.error_bound(), ..Fitted::whole(rope.with_length(l)) }
}

/// The displaced point at `u`.
pub(super) fn point_at(gross: &impl GrossShape, layers: Layers<'_>, share: f64, u: f64) -> DVec3 {
    let (point, frame) = gross.at(u);
    let offset = if share == 0.0 { Offset::default() } else { layers.at(u) };
    displaced(point, frame, offset, share)
}

/// Draws a hung rope tighter or slacker until it is `length` long with its clamps.
///
/// Called only if a clamp touches the rope. The ends are held in any case.
///
/// The legs of a fold, a rope whose ends are above one another, can only get shorter. If a floor
/// cuts them off, the rest of the rope cannot be laid and is reported as left over.
pub(super) fn fit_clamped(
    fitted: Fitted<Catenary>,
    length: f64,
    layers: Layers<'_>,
    clamps: &[Clamp],
    n: usize,
) -> Fitted<Catenary> {
    // Search variable: the catenary's parameter, or the length of a fold.
    let fold = fitted.gross.parameter().is_none();
    let (start, taut) = match fitted.gross.parameter() {
        Some(a) => (a, 0.0),
        None => (fitted.gross.length(), fitted.gross.gap()),
    };
    let gross_at = |a: f64| match fold {
        true => fitted.gross.with_length(a),
        false => fitted.gross.with_parameter(a),
    };
    let (share, budget) = (fitted.share, Budget::new());
    let half_waves = layers.list.iter().map(Displacement::half_waves).fold(0.0, f64::max);
    let n = n.max((2.0 * half_waves).ceil() as usize);
    let trial = |a: f64| {
        let gross = gross_at(a);
        chord_length(n, FIT_TOLERANCE * length * 0.1, &budget, |u| {
            let p = point_at(&gross, layers, share, u);
            if u == 0.0 || u == 1.0 { p } else { Clamp::push_all(clamps, p) }
        }) - length
    };
    let close = FIT_TOLERANCE * length;
    let miss = trial(start);
    // Chords miss ripples smaller than their error, so the earlier error bound still applies.
    let earlier = fitted.error_bound;
    let bounded = |fitted| Fitted { error_bound: budget.error_bound().max(earlier), ..fitted };
    if miss.abs() <= close {
        return bounded(fitted);
    }
    let (mut low, mut high) = ((start, miss), (start, miss));
    if miss < 0.0 {
        // Slacker. A rope with parameter 25 hangs straight down on both sides.
        while high.1 < 0.0 && high.0 < 25.0 && !fold {
            low = high;
            let a = high.0 * 1.25 + 0.05;
            high = (a, trial(a));
        }
        if high.1 < 0.0 {
            let warning = Some(PoseWarning::TooLong { left_over: -high.1 });
            return bounded(Fitted { gross: gross_at(high.0), warning, ..fitted });
        }
    } else {
        while low.1 > 0.0 && low.0 > taut {
            high = low;
            let a = if low.0 - taut < 1e-3 * start { taut } else { taut + (low.0 - taut) * 0.7 };
            low = (a, trial(a));
        }
        if low.1 > 0.0 {
            // Taut over an obstacle that needs more rope than there is.
            let warning = Some(PoseWarning::TooShort { length, gap: length + low.1 });
            return bounded(Fitted { gross: gross_at(taut), warning, ..fitted });
        }
    }
    let a = root::bracketed(low, high, close, 100, trial);
    bounded(Fitted { gross: gross_at(a), ..fitted })
}

/// Links per sample of a loose rope on a surface.
const LINKS: usize = 8;

/// Lays a loose rope link by link. Every link keeps its length; it keeps its direction too, unless
/// that leads into a collider; then it follows the surface.
///
/// `out` receives `n` samples. A rope that meets the surface at a right angle continues along the
/// normal of its first frame, or along its last heading.
pub(super) fn lay(
    fitted: &Fitted<BentLine>,
    length: f64,
    layers: Layers<'_>,
    clamps: &[Clamp],
    scratch: &mut Workspace,
    (n, out): (usize, &mut Vec<DVec3>),
) {
    let count = (n - 1) * LINKS;
    let links = &mut scratch.links;
    links.clear();
    links.extend(
        (0..=count).map(|i| point_at(&fitted.gross, layers, fitted.share, i as f64 / count as f64)),
    );
    lay_links(links, length, clamps, fitted.gross.at(0.0).1.normal(), |_, _| {});
    out.clear();
    out.extend(links.iter().step_by(LINKS));
}

/// Lays a chain of links in place. Links are scaled so that their lengths sum to `length`; the
/// chords alone are slightly shorter.
///
/// A link that meets a surface is split there, and its remainder follows the surface. Its ends are
/// then closer than its length; `corner` receives the index of the link and the point of the split.
fn lay_links(
    links: &mut [DVec3],
    length: f64,
    clamps: &[Clamp],
    mut heading: DVec3,
    mut corner: impl FnMut(usize, DVec3),
) {
    let chords: f64 = links.windows(2).map(|w| w[0].distance(w[1])).sum();
    let scale = if chords > 0.0 { length / chords } else { 1.0 };
    let mut free = links[0];
    let mut laid = free;
    // Normal of the surface touched last: the fallback direction.
    let mut away = heading;
    for (i, link) in links.iter_mut().enumerate().skip(1) {
        let step = (*link - free) * scale;
        free = *link;
        let direction = step.normalize_or(heading);
        let mut to = laid + step;
        let mut touching: [Option<&Clamp>; 2] = [None, None];
        let (start, rest) = match touch_down(clamps, laid, step) {
            Some(t) => {
                corner(i, laid + step * t);
                (laid + step * t, (1.0 - t) * step.length())
            }
            None => (laid, step.length()),
        };
        // A plane takes one iteration, a wedge two, curved surfaces a few.
        for _ in 0..8 {
            let Some(hit) = clamps.iter().find(|c| c.collider.distance(to).0 < c.margin - 1e-10)
            else {
                break;
            };
            if !touching.iter().flatten().any(|c| std::ptr::eq(*c, hit)) {
                touching = [Some(hit), touching[0]];
            }
            to = along_surfaces(touching, (start, to), rest, direction, (heading, away));
        }
        if let [Some(clamp), _] = touching {
            heading = (to - start).normalize_or(heading);
            away = clamp.collider.distance(to).1;
        }
        laid = to;
        *link = laid;
    }
}

/// Fraction of a link from `from` over `step` before it meets a surface; `None` if it meets none,
/// or if it starts on the surface that it is pressed into.
fn touch_down(clamps: &[Clamp], from: DVec3, step: DVec3) -> Option<f64> {
    let mut first: Option<f64> = None;
    for clamp in clamps {
        let free = |t: f64| clamp.collider.distance(from + step * t).0 - clamp.margin;
        let (before, after) = (free(0.0), free(1.0));
        // The same tolerance as in `lay_links`.
        if after > -1e-10 {
            continue;
        }
        if before < 1e-10 {
            return None;
        }
        let t = root::bracketed((0.0, before), (1.0, after), 1e-13, 60, free);
        first = Some(first.map_or(t, |f| f.min(t)));
    }
    first
}

/// End of a link of `length` from `laid` that meets the surfaces near `to` and follows them.
fn along_surfaces(
    touching: [Option<&Clamp>; 2],
    (laid, to): (DVec3, DVec3),
    length: f64,
    direction: DVec3,
    (heading, away): (DVec3, DVec3),
) -> DVec3 {
    // Each surface as its tangent plane: normal, and height of the link's start above it.
    let plane = |clamp: &Clamp| {
        let (distance, normal) = clamp.collider.distance(to);
        (normal, normal.dot(laid - to) - (clamp.margin - distance))
    };
    let (first, second) = (touching[0].map(plane), touching[1].map(plane));
    let Some((n1, above)) = first else { return to };
    let (down, forward) = match second {
        Some((n2, above2)) if n1.cross(n2).length() > 1e-3 => {
            // A wedge: down to the line where both meet, then along it.
            let c = n1.dot(n2);
            let inverse = 1.0 / (1.0 - c * c);
            let down =
                n1 * ((above - c * above2) * inverse) + n2 * ((above2 - c * above) * inverse);
            let line = n1.cross(n2).normalize_or(heading);
            (down, if line.dot(direction + heading * 0.5) < 0.0 { -line } else { line })
        }
        _ => {
            let along = |v: DVec3| v - n1 * n1.dot(v);
            // The more the link points into the surface, the more it keeps its heading.
            let pressed = (-n1.dot(direction)).max(0.0);
            let on = if along(heading).length() > 0.1 { along(heading) } else { along(away) };
            let forward = along(direction) + on * pressed;
            (n1 * above, forward.normalize_or(Frame::new(n1, heading).normal()))
        }
    };
    let down = down.clamp_length_max(length);
    laid - down + forward * (length * length - down.length_squared()).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::layer::{Collider, Envelope, Wave};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn laid_links_keep_their_length_and_their_distance(
            height in 0.1..2.0_f64, lean in -1.0..1.0_f64, magnitude in 0.0..0.1_f64, ball in any::<bool>(),
        ) {
            let wave = Wave { magnitude, frequency: 2.0, phase: 0.3, azimuth: 0.4, envelope: Envelope::START };
            let frame = Frame::new(DVec3::new(lean, 0.0, -1.0), DVec3::Z);
            let rope = BentLine::new(DVec3::Z * height, frame, 3.0, &[]);
            let mut clamps = vec![Clamp { collider: Collider::floor(0.0), margin: 0.01 }];
            if ball {
                clamps.push(Clamp { collider: Collider::Sphere { centre: DVec3::X * 0.7, radius: 0.3 }, margin: 0.01 });
            }
            let layers = [wave.into()];
            let layers = Layers::from_start(&layers);
            let fitted = fit_loose(&rope, layers, &mut Workspace::default());
            let mut links: Vec<_> = (0..=2000).map(|i| point_at(&fitted.gross, layers, fitted.share, f64::from(i) / 2000.0)).collect();
            let mut corners = vec![None; 2001];
            lay_links(&mut links, 3.0, &clamps, DVec3::X, |i, p| corners[i] = Some(p));
            let length: f64 = (1..=2000).map(|i| match corners[i] {
                Some(corner) => links[i - 1].distance(corner) + corner.distance(links[i]),
                None => links[i - 1].distance(links[i]),
            }).sum();
            prop_assert!((length / 3.0 - 1.0).abs() < 1e-6, "{}", length);
            for p in &links {
                prop_assert!(clamps.iter().all(|c| c.collider.distance(*p).0 > c.margin - 2e-3), "{} {:?}", p, clamps);
            }
        }
    }
}
