//! Recordings with known modes, analysed and rebuilt.

use super::*;
use crate::modes::{PartKind, coupling};
use crate::num::ops;

const CONTINUE: fn(f64) -> ControlFlow<()> = |_| ControlFlow::Continue(());

/// A tail of ten points along X that oscillates at `hertz` with a lagging tip and decays at
/// `decay`/s.
fn tail(frames: usize, hertz: f64, decay: f64) -> Recording {
    let part = Part { name: "tail".into(), points: 10, kind: PartKind::plain_strand() };
    let mut rows = Vec::new();
    for frame in 0..frames {
        let t = frame as f64 / 24.0;
        for point in 0..10 {
            let u = f64::from(point) / 9.0;
            let swing = u * ops::exp(-decay * t) * ops::cos_turns(hertz * t - 0.3 * u);
            rows.extend([u, 0.2 * swing, 0.05 * swing + 1.0]);
        }
    }
    Recording::new(FrameRate::FILM, 1, vec![part], frames, rows).unwrap()
}

fn modes_of(recording: &Recording, options: &ExtractOptions) -> ModeSet {
    extract(recording, options, &mut { CONTINUE }).unwrap()
}

#[test]
fn modes_rebuild_their_recording() {
    let recording = tail(120, 2.0, 0.2);
    let set = modes_of(&recording, &ExtractOptions::default());
    assert_eq!((set.origin.margin, set.origin.first, set.origin.periodic), (29, 30, false));
    assert_eq!(set.modes[0].coefficients.len(), 120 - 58);
    let mut pose = Vec::new();
    let mut worst = 0.0_f64;
    for at in 0..62 {
        set.pose_into(1.0, &set.recorded(at), &mut pose);
        let row = &recording.rows()[(at + 29) * 30..][..30];
        for (a, b) in row.chunks(3).zip(pose.chunks(3)) {
            let gap = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
            worst = worst.max(gap.sqrt());
        }
    }
    assert_eq!(worst, set.origin.worst);
    assert!(
        set.origin.rms < set.origin.worst && set.origin.worst < 0.004,
        "{} {}",
        set.origin.rms,
        set.origin.worst
    );
    // The held end stays exactly where it is.
    assert_eq!(pose[..3], [0.0, 0.0, 1.0]);
}

#[test]
fn modes_have_the_frequency_of_the_motion() {
    for (hertz, decay) in [(2.0, 0.1), (3.5, 0.5)] {
        let options = ExtractOptions { lowest: Some(1.0), ..ExtractOptions::default() };
        let set = modes_of(&tail(200, hertz, decay), &options);
        assert_eq!(set.origin.margin, 23);
        let pole = set.modes[0].pole;
        assert!((pole.hertz - hertz).abs() < 1e-3, "{pole:?}");
        assert!((pole.decay - decay).abs() < 5e-3, "{pole:?}");
    }
}

#[test]
fn all_frequencies_are_positive() {
    // Too slow for the transformer: a part of the motion appears at negative frequency.
    let recording = tail(48, 1.0, 0.0);
    let options = ExtractOptions { mode_count: ModeCount::Count(3), ..ExtractOptions::default() };
    let set = modes_of(&recording, &options);
    assert!(set.modes().len() >= 2);
    let rows = &recording.rows()[set.origin.margin * 30..];
    let mut pose = Vec::new();
    for at in 0..set.frames() {
        set.pose_into(1.0, &set.recorded(at), &mut pose);
        let gap = pose.iter().zip(&rows[at * 30..]).map(|(a, b)| (a - b).abs());
        assert!(gap.fold(0.0, f64::max) < 1e-9, "frame {at}");
    }
    for mode in set.modes() {
        assert!(mode.pole.hertz > 0.9, "{:?}", mode.pole);
    }
}

#[test]
fn a_loop_is_analysed_without_margins() {
    let options = ExtractOptions {
        periodic: true,
        mode_count: ModeCount::Count(3),
        ..ExtractOptions::default()
    };
    // Two hertz for one second; the 25th frame is the first again.
    for frames in [24, 25] {
        let mut recording = tail(frames, 2.0, 0.0);
        if frames == 25 {
            let first = recording.rows()[..30].to_vec();
            let mut rows = recording.rows().to_vec();
            rows[24 * 30..].copy_from_slice(&first);
            let parts = recording.parts().to_vec();
            recording = Recording::new(FrameRate::FILM, 1, parts, 25, rows).unwrap();
        }
        let set = modes_of(&recording, &options);
        assert_eq!((set.origin.margin, set.origin.first, set.modes.len()), (0, 1, 1));
        assert_eq!(set.modes[0].coefficients.len(), 24);
        assert!(set.origin.worst < 1e-14, "{}", set.origin.worst);
        // One curve drives the mode, here a rotating phasor.
        let arrow: Vec<_> = (0..24).map(|t| complex::cis(TAU * f64::from(t) / 12.0)).collect();
        let factor = coupling(&arrow, &set.modes[0].coefficients).unwrap();
        let driven: Vec<_> = arrow.iter().map(|x| x * factor).collect();
        for (a, b) in driven.iter().zip(&set.modes[0].coefficients) {
            assert!(complex::abs(a - b) < 1e-12, "{a} for {b}");
        }
    }
}

#[test]
fn rotating_a_mode_does_not_change_its_motion() {
    let set = modes_of(&tail(100, 2.0, 0.0), &ExtractOptions::default());
    let mut turned = set.clone();
    turned.modes = set.modes.iter().map(|mode| mode.turned(0.8)).collect();
    let pose = |set: &ModeSet, slosh: f64| {
        let mut pose = Vec::new();
        set.pose_into(slosh, &set.recorded(20), &mut pose);
        pose
    };
    let gap = |slosh: f64| {
        let (a, b) = (pose(&set, slosh), pose(&turned, slosh));
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    assert!(gap(1.0) < 1e-15, "{}", gap(1.0));
    assert!(gap(0.0) > 1e-3, "stiff versions depend on the gauge");
    assert_eq!(turned.modes[0].gauge, 0.8);
}

#[test]
fn inconsistent_numbers_are_refused() {
    let set = modes_of(&tail(100, 2.0, 0.0), &ExtractOptions::default());
    let refused = |change: &dyn Fn(&mut Vec<f64>, &mut Vec<Mode>)| {
        let (mut mean, mut modes) = (set.mean.clone(), set.modes.clone());
        modes.push(modes[0].clone());
        change(&mut mean, &mut modes);
        ModeSet::new(set.origin, set.parts.clone(), mean, modes).unwrap_err().to_string()
    };
    assert_eq!(refused(&|mean, _| mean.truncate(29)), "the mean pose has 29 numbers; expected 30");
    assert_eq!(
        refused(&|_, modes| modes[1].weights[3].im = f64::NAN),
        "number 7 of `weights` of mode 2 is NaN; expected a finite number up to 1e100"
    );
    assert_eq!(
        refused(&|_, modes| modes[1].coefficients.truncate(5)),
        "`course` of mode 2 has 5 numbers; expected 50"
    );
    assert!(refused(&|_, modes| modes[0].pole.decay = f64::INFINITY).contains("a property"));
    // Finite, but its square is not.
    assert!(refused(&|mean, _| mean[4] = -1e200).contains("the mean pose is -1e200"));
    let same = ModeSet::new(set.origin, set.parts.clone(), set.mean.clone(), set.modes.clone());
    assert_eq!(same.as_ref(), Ok(&set));
}

#[test]
fn recordings_without_modes_are_refused_with_a_reason() {
    let error_of = |recording: &Recording, options: ExtractOptions| {
        extract(recording, &options, &mut { CONTINUE }).unwrap_err().to_string()
    };
    let plain = ExtractOptions::default;
    let still =
        Recording::new(FrameRate::FILM, 5, tail(2, 1.0, 0.0).parts().to_vec(), 20, vec![0.1; 600]);
    assert_eq!(
        error_of(&still.unwrap(), plain()),
        "nothing moves in frames 5–24, so there are no modes"
    );
    assert_eq!(
        error_of(&tail(40, 2.0, 0.0), ExtractOptions { frames: Some(0..=40), ..plain() }),
        "frames 0–40 were requested, but the recording has 1–40"
    );
    assert_eq!(
        error_of(&tail(40, 2.0, 0.0), ExtractOptions { lowest: Some(1.0), ..plain() }),
        "40 frames are too few: the filter drops 23 at each end and needs 3 more; record 49 or \
         more, raise the lowest frequency, or mark the motion as a loop"
    );
    for hertz in [0.0, -1.0, 12.0, f64::NAN] {
        let message =
            error_of(&tail(40, 2.0, 0.0), ExtractOptions { lowest: Some(hertz), ..plain() });
        assert!(message.contains("above 0 and below 12"), "{message}");
    }
    // A tiny frequency does not exhaust memory.
    let slow = ExtractOptions { lowest: Some(1e-300), ..plain() };
    assert!(error_of(&tail(40, 2.0, 0.0), slow).contains("40 frames are too few"));
    assert!(error_of(&tail(1, 2.0, 0.0), plain()).contains("1 frames are too few"));
}

#[test]
fn a_range_of_frames_is_analysed_by_itself() {
    let options = ExtractOptions { frames: Some(21..=100), ..ExtractOptions::default() };
    let set = modes_of(&tail(120, 2.0, 0.2), &options);
    assert_eq!((set.origin.margin, set.origin.first), (19, 40));
    assert_eq!(set.modes[0].coefficients.len(), 80 - 38);
}

#[test]
fn progress_is_reported() {
    let mut seen = Vec::new();
    let mut note = |done: f64| {
        seen.push(done);
        ControlFlow::Continue(())
    };
    extract(&tail(100, 2.0, 0.0), &ExtractOptions::default(), &mut note).unwrap();
    assert!(seen.is_sorted() && seen.last().is_some_and(|&d| d > 0.9 && d <= 1.0), "{seen:?}");
}
