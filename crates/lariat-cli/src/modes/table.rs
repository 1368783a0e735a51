//! What was found, to be read: a line for each mode.
//!
//! Tests: `columns_stand_under_their_heads`, `a_length_has_four_digits`.

use std::f64::consts::{LN_2, LN_10};

use lariat_core::modes::{Mode, ModeSet, Residual};
use lariat_core::num::ops;

use crate::words;

/// How much of a mode must run one way before it is said to: less is mostly standing.
const RUNS: f64 = 0.15;

/// Metres below which nobody measures.
const SMALLEST: f64 = 0.000_001;

/// Seconds beyond which a half-life is as good as none, and a growth likewise.
const FOR_EVER: f64 = 1000.0;

/// The modes of a set; `left` is what is left of the recording after each, if it is there.
pub(crate) fn table(set: &ModeSet, left: Option<&[Residual]>) -> String {
    let mut rows = vec![
        ["mode", "hertz", "half-life", "share", "runs", "rms left", "worst left"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for (k, mode) in set.modes().iter().enumerate() {
        let (rms, worst) = match left.and_then(|left| left.get(k)) {
            Some(left) => (
                format!("{} ({})", metres(left.rms), percent(left.rms_share)),
                format!("{} ({})", metres(left.worst), percent(left.worst_share)),
            ),
            None => (percent(mode.residual), "-".to_owned()),
        };
        rows.push(vec![
            (k + 1).to_string(),
            format!("{:.3}", mode.pole.hertz),
            half_life(mode),
            percent(mode.share),
            runs(set.travel(mode)),
            rms,
            worst,
        ]);
    }
    columns(&rows)
}

/// Where the modes come from, in a line.
pub(crate) fn origin(set: &ModeSet) -> String {
    let origin = set.origin();
    let points: usize = set.parts().iter().map(|part| part.points).sum();
    let last = origin.first + set.frames() as i64 - 1;
    let spent = match origin.margin {
        0 if origin.periodic => ", as a loop".to_owned(),
        0 => String::new(),
        1 => "; 1 frame at each end is spent".to_owned(),
        margin => format!("; {margin} frames at each end are spent"),
    };
    format!(
        "{} in {}, frames {}–{last} at {} per second{spent}",
        words::count(points as u64, "point"),
        words::count(set.parts().len() as u64, "part"),
        origin.first,
        origin.rate,
    )
}

/// How far something is from the recording, in a phrase.
pub(crate) fn distance(left: &Residual) -> String {
    format!(
        "{} RMS ({}), {} at worst ({})",
        metres(left.rms),
        percent(left.rms_share),
        metres(left.worst),
        percent(left.worst_share)
    )
}

fn half_life(mode: &Mode) -> String {
    let half = LN_2 / mode.pole.decay;
    if half.abs() >= FOR_EVER {
        "for ever".to_owned()
    } else if half < 0.0 {
        "grows".to_owned()
    } else {
        format!("{half:.3} s")
    }
}

fn runs(travel: Option<f64>) -> String {
    match travel {
        None => "-".to_owned(),
        Some(travel) if travel > RUNS => format!("to the end {}", percent(travel)),
        Some(travel) if travel < -RUNS => format!("to the start {}", percent(-travel)),
        Some(_) => "stands".to_owned(),
    }
}

/// A length, in the digits that it deserves.
pub(crate) fn metres(length: f64) -> String {
    if length < SMALLEST {
        return if length == 0.0 { "0 m".to_owned() } else { format!("below {SMALLEST} m") };
    }
    // Four digits, wherever the point is.
    let digits = (3.0 - (ops::ln(length) / LN_10).floor()).clamp(0.0, 9.0) as usize;
    format!("{length:.digits$} m")
}

fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.1 {
        format!("{percent:.3} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// Lines whose cells stand under each other, at the right of their columns.
fn columns(rows: &[Vec<String>]) -> String {
    let wide = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(wide).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_their_heads() {
        let rows = [["mode", "hertz"], ["1", "12.345"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(columns(&rows), "mode   hertz\n   1  12.345\n");
    }

    #[test]
    fn a_length_has_four_digits() {
        assert_eq!(metres(0.0), "0 m");
        assert_eq!(metres(0.012_345_6), "0.01235 m");
        assert_eq!(metres(12.345_6), "12.35 m");
        assert_eq!(metres(0.000_012_345), "0.00001234 m");
        assert_eq!(metres(1e-30), "below 0.000001 m");
        assert_eq!([0.99, 0.0004].map(percent), ["99.0 %", "0.040 %"]);
    }

    #[test]
    fn what_runs_is_told_with_its_end() {
        assert_eq!(runs(Some(0.93)), "to the end 93.0 %");
        assert_eq!(runs(Some(-0.5)), "to the start 50.0 %");
        assert_eq!(runs(Some(0.1)), "stands");
        assert_eq!(runs(None), "-");
    }
}
