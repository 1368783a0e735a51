//! CSV with one row per point, in the columns of `lariat export`.
//!
//! Rows are ordered by frame, and frames may be fractional. Numbers read back as the same bits;
//! names are quoted as RFC 4180 requires.

use std::io::{self, Write};

use lariat_export::csv;
use lariat_scene::lower::Shot;

use super::{Posed, Writer, mesh, strands};
use crate::words;

pub(super) struct Csv<'w> {
    pub(super) out: &'w mut dyn Write,
}

impl Writer for Csv<'_> {
    fn begin(&mut self, _shot: &Shot) -> io::Result<()> {
        self.out.write_all(b"body,strand,frame,index,u,x,y,z,radius,twist_degrees\n")
    }

    fn frame(&mut self, frame: f64, bodies: &[Posed<'_>]) -> io::Result<()> {
        let frame = words::frame(frame);
        for (name, moment) in bodies {
            let name = csv::field(name);
            for strand in strands(moment) {
                let strand_name = csv::field(&strand.name);
                let last = (strand.points().len().max(2) - 1) as f64;
                for (index, point) in strand.points().iter().enumerate() {
                    let [x, y, z] = point.to_array();
                    let (u, radius) = (index as f64 / last, strand.radius()[index]);
                    let twist = strand.twist()[index].to_degrees();
                    writeln!(
                        self.out,
                        "{name},{strand_name},{frame},{index},{u},{x},{y},{z},{radius},{twist}"
                    )?;
                }
            }
            if let Some(mesh) = mesh(moment) {
                let mesh_name = csv::field(&mesh.name);
                for (index, point) in mesh.points().iter().enumerate() {
                    let [x, y, z] = point.to_array();
                    writeln!(self.out, "{name},{mesh_name},{frame},{index},,{x},{y},{z},,")?;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}
