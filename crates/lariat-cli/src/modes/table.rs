//! Table of modes with their frequencies and residuals.
//!
//! Tests: `columns_are_aligned`.

use lariat::{
    extraction::half_life,
    modes_document::{metres, percent},
};
use lariat_core::modes::{ModeSet, Residual};

/// Share of a travelling wave above which a direction is shown.
const TRAVELS: f64 = 0.15;

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

fn travel(share: Option<f64>) -> String {
    match share {
        None => "-".to_owned(),
        Some(share) if share > TRAVELS => format!("to the end {}", percent(share)),
        Some(share) if share < -TRAVELS => format!("to the start {}", percent(-share)),
        Some(_) => "standing".to_owned(),
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
    fn travelling_modes_state_their_direction() {
        assert_eq!(travel(Some(0.93)), "to the end 93.0 %");
        assert_eq!(travel(Some(-0.5)), "to the start 50.0 %");
        assert_eq!(travel(Some(0.1)), "standing");
        assert_eq!(travel(None), "-");
    }
}
