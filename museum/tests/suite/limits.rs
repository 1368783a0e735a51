//! The museum scenes at the limits behave as their comments describe.

use glam::DVec3;
use lariat_core::curve::{Polyline, Spline};

use super::{apart, end, points, scene};

#[test]
fn a_rope_as_long_as_its_gap_is_straight() {
    let scene = scene("edge-taut");
    for (i, p) in points(&scene, "exact", 1.0).iter().enumerate() {
        let straight = DVec3::new(0.0, 0.0, 1.0).lerp(DVec3::new(3.0, 0.0, 5.0), i as f64 / 48.0);
        assert!(p.distance(straight) < 1e-14);
    }
    let lowest = |frame: f64| {
        points(&scene, "drawn", frame).iter().map(|p| p.z).fold(f64::INFINITY, f64::min)
    };
    assert_eq!(lowest(24.0), 1.0);
    assert!(lowest(23.9) > 0.9 && lowest(23.9) < 1.0, "it arrives, it does not jump");
}

#[test]
fn an_end_may_pass_through_the_other() {
    let scene = scene("edge-vertical");
    let lowest = |frame: f64| {
        points(&scene, "through", frame).iter().map(|p| p.z).fold(f64::INFINITY, f64::min)
    };
    assert!((lowest(25.0) - 1.8).abs() < 1e-9, "folded: 1.2 m down");
    for hundredths in 2450..2550 {
        let frame = f64::from(hundredths) / 100.0;
        let step = (lowest(frame) - lowest(frame + 0.01)).abs();
        // The lowest of 49 points is off the lowest point of the curve by up to half a segment.
        assert!(step < 0.03, "frame {frame}: {step} m");
    }
}

#[test]
fn kept_ropes_keep_their_length_and_published_ones_grow() {
    let scene = scene("edge-length");
    let length = |name: &str, frame: f64| {
        let fine = Polyline::new(points(&scene, name, frame)).expect("points make a curve");
        Spline::through(&fine).length()
    };
    for frame in [1.0, 13.0, 25.0, 40.0] {
        assert!((length("kept", frame) - 4.5).abs() < 2e-3, "frame {frame}");
        assert!((length("just-enough", frame) - 4.03).abs() < 2e-3, "frame {frame}");
    }
    assert!(length("grown", 25.0) > 4.5 * 1.15);
}

#[test]
fn true_sag_is_the_dip_of_the_rope_in_the_scene() {
    let scene = scene("edge-sag");
    let dip = |name: &str, frame: f64| {
        2.0 - points(&scene, name, frame).iter().map(|p| p.z).fold(f64::INFINITY, f64::min)
    };
    assert!((dip("true", 1.0) - 0.5).abs() < 1e-9);
    assert!((dip("published", 1.0) - 0.438).abs() < 1e-3);
    assert!((dip("let-down", 24.0) - 1.2).abs() < 1e-9);
}

#[test]
fn ropes_of_every_size_have_one_shape() {
    let scene = scene("edge-scale");
    for frame in [1.0, 7.0, 24.0] {
        let metre = points(&scene, "metre", frame);
        let scaled = |name: &str, by: f64, origin: DVec3| -> Vec<DVec3> {
            points(&scene, name, frame).iter().map(|p| (*p - origin) / by).collect()
        };
        assert!(apart(&metre, &scaled("millimetre", 1e-3, DVec3::ZERO)) < 1e-7);
        assert!(apart(&metre, &scaled("ten-kilometres", 1e4, DVec3::ZERO)) < 1e-7);
        assert!(apart(&metre, &scaled("far-away", 1.0, DVec3::X * 1e5)) < 1e-7);
    }
}

#[test]
fn one_seed_is_one_motion() {
    let scene = scene("layer-noise");
    for frame in [1.0, 50.0, 96.0] {
        let moved = |name: &str, y: f64| -> Vec<DVec3> {
            points(&scene, name, frame).iter().map(|p| *p - DVec3::Y * y).collect()
        };
        let first = moved("seed-1", 0.0);
        assert!(apart(&first, &moved("seed-1-again", 1.2)) < 1e-12);
        assert!(apart(&first, &moved("seed-2", 0.6)) > 0.01);
    }
}

#[test]
fn every_interpolation_meets_the_same_keys() {
    let scene = scene("keys-tangents");
    for (frame, height) in [(1.0, 2.0), (25.0, 2.6), (37.0, 2.5), (61.0, 1.6), (85.0, 2.0)] {
        for (i, name) in ["clamped-auto", "auto", "flat", "free", "linear", "step", "bounce-out"]
            .iter()
            .enumerate()
        {
            let key = end(&scene, name, frame);
            assert_eq!((key.x, key.z), (1.2, height), "{name} on frame {frame}");
            assert!((key.y - 0.6 * i as f64).abs() < 1e-12);
        }
    }
}

#[test]
fn attached_bodies_stay_on_their_rope_at_every_frame() {
    let scene = scene("attach-chain");
    for frame in 1..=72 {
        let frame = f64::from(frame);
        let bob = points(&scene, "bob", frame)[0];
        assert_eq!(bob, end(&scene, "third", frame));
        let nearest = points(&scene, "second", frame)
            .windows(2)
            .map(|w| {
                let along = (w[1] - w[0]).normalize_or_zero();
                let share = (bob - w[0]).dot(along).clamp(0.0, w[0].distance(w[1]));
                bob.distance(w[0] + along * share)
            })
            .fold(f64::INFINITY, f64::min);
        assert!(nearest < 2e-3, "frame {frame}: {nearest} m beside the rope");
    }
}
