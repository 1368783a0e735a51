//! Table of modes.
//!
//! Tests: `columns_are_aligned`, `a_length_has_four_digits`.

use std::f64::consts::{LN_2, LN_10};

use lariat_core::modes::{Mode, ModeSet, Residual};
use lariat_core::num::ops;

use crate::words;

/// Share of a travelling wave above which a direction is shown.
const TRAVELS: f64 = 0.15;

/// Smallest length shown, in metres.
const SMALLEST: f64 = 0.000_001;

/// Seconds above which a half-life counts as infinite.
const UNDAMPED: f64 = 1000.0;

/// Table of a set of modes; `left` is the residual of the recording after each mode.
pub(crate) fn table(set: &ModeSet, left: Option<&[Residual]>) -> String {
    let mut rows = vec![
        ["mode", "hertz", "half-life", "share", "travel", "rms residual", "max residual"]
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
            travel(set.travel(mode)),
            rms,
            worst,
        ]);
    }
    columns(&rows)
}

/// One-line description of the recording.
pub(crate) fn origin(set: &ModeSet) -> String {
    let origin = set.origin();
    let points: usize = set.parts().iter().map(|part| part.points).sum();
    let last = origin.first + set.frames() as i64 - 1;
    let spent = match origin.margin {
        0 if origin.periodic => ", as a loop".to_owned(),
        0 => String::new(),
        1 => "; 1 frame discarded at each end".to_owned(),
        margin => format!("; {margin} frames discarded at each end"),
    };
    format!(
        "{} in {}, frames {}–{last} at {} per second{spent}",
        words::count(points as u64, "point"),
        words::count(set.parts().len() as u64, "part"),
        origin.first,
        origin.rate,
    )
}

/// RMS and maximum distance.
pub(crate) fn distance(left: &Residual) -> String {
    format!(
        "{} RMS ({}), {} maximum ({})",
        metres(left.rms),
        percent(left.rms_share),
        metres(left.worst),
        percent(left.worst_share)
    )
}

fn half_life(mode: &Mode) -> String {
    let half = LN_2 / mode.pole.decay;
    if half.abs() >= UNDAMPED {
        "undamped".to_owned()
    } else if half < 0.0 {
        "grows".to_owned()
    } else {
        format!("{half:.3} s")
    }
}

fn travel(share: Option<f64>) -> String {
    match share {
        None => "-".to_owned(),
        Some(share) if share > TRAVELS => format!("to the end {}", percent(share)),
        Some(share) if share < -TRAVELS => format!("to the start {}", percent(-share)),
        Some(_) => "standing".to_owned(),
    }
}

/// A length with four significant digits.
pub(crate) fn metres(length: f64) -> String {
    if length < SMALLEST {
        return if length == 0.0 { "0 m".to_owned() } else { format!("below {SMALLEST} m") };
    }
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

/// Right-aligned columns.
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
    fn columns_are_aligned() {
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
    fn travelling_modes_state_their_direction() {
        assert_eq!(travel(Some(0.93)), "to the end 93.0 %");
        assert_eq!(travel(Some(-0.5)), "to the start 50.0 %");
        assert_eq!(travel(Some(0.1)), "standing");
        assert_eq!(travel(None), "-");
    }
}
