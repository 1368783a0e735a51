//! Table of points, rounded to 0.1 mm and 0.01 degrees.
//!
//! Columns grow with their content and never shrink from one frame to the next.

use std::io::{self, Write};

use lariat_scene::lower::Shot;

use super::{Posed, Writer, mesh, strands};
use crate::words;

pub(super) struct Table<'w> {
    out: &'w mut dyn Write,
    /// Widths of the columns `frame`, `body`, `strand`, `index`.
    widths: [usize; 4],
    headed: bool,
}

impl<'w> Table<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, widths: ["frame", "body", "strand", "index"].map(str::len), headed: false }
    }

    fn widen(&mut self, frame: &str, bodies: &[Posed<'_>]) {
        let mut widen = |column: usize, width: usize| {
            self.widths[column] = self.widths[column].max(width);
        };
        widen(0, frame.len());
        for (name, moment) in bodies {
            widen(1, words::shown(name).chars().count());
            for strand in strands(moment) {
                widen(2, words::shown(&strand.name).chars().count());
                widen(3, strand.points().len().to_string().len());
            }
            if let Some(mesh) = mesh(moment) {
                widen(2, words::shown(&mesh.name).chars().count());
                widen(3, mesh.points().len().to_string().len());
            }
        }
    }
}

impl Writer for Table<'_> {
    fn begin(&mut self, _shot: &Shot) -> io::Result<()> {
        Ok(())
    }

    fn frame(&mut self, frame: f64, bodies: &[Posed<'_>]) -> io::Result<()> {
        let frame = words::frame(frame);
        self.widen(&frame, bodies);
        let [w0, w1, w2, w3] = self.widths;
        if !std::mem::replace(&mut self.headed, true) {
            writeln!(
                self.out,
                "{:>w0$}  {:<w1$}  {:<w2$}  {:>w3$}  {:>10}  {:>10}  {:>10}  {:>8}  {:>9}",
                "frame", "body", "strand", "index", "x", "y", "z", "radius", "twist"
            )?;
        }
        for (name, moment) in bodies {
            let name = words::shown(name);
            for strand in strands(moment) {
                let strand_name = words::shown(&strand.name);
                for (index, point) in strand.points().iter().enumerate() {
                    let [x, y, z] = point.to_array().map(|number| rounded(number, 4));
                    let radius = rounded(strand.radius()[index], 4);
                    let twist = rounded(strand.twist()[index].to_degrees(), 2);
                    writeln!(
                        self.out,
                        "{frame:>w0$}  {name:<w1$}  {strand_name:<w2$}  {index:>w3$}  {x:>10}  \
                         {y:>10}  {z:>10}  {radius:>8}  {twist:>9}"
                    )?;
                }
            }
            if let Some(mesh) = mesh(moment) {
                let mesh_name = words::shown(&mesh.name);
                for (index, point) in mesh.points().iter().enumerate() {
                    let [x, y, z] = point.to_array().map(|number| rounded(number, 4));
                    writeln!(
                        self.out,
                        "{frame:>w0$}  {name:<w1$}  {mesh_name:<w2$}  {index:>w3$}  {x:>10}  \
                         {y:>10}  {z:>10}"
                    )?;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A number with fixed decimals; zero has no sign.
fn rounded(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(positive) if positive.bytes().all(|b| matches!(b, b'0' | b'.')) => positive.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(rounded(-0.000_01, 4), "0.0000");
        assert_eq!(rounded(-0.0, 2), "0.00");
        assert_eq!(rounded(-0.000_06, 4), "-0.0001");
        assert_eq!(rounded(12.345_67, 4), "12.3457");
    }
}
