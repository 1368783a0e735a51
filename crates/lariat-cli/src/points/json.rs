//! One JSON object with frames, bodies, strands and points.
//!
//! ```json
//! {"shot":{"fps":24,"first":1,"last":120,"unit":"m","up":"z"},"frames":[
//! {"frame":12.5,"bodies":[
//! {"name":"rein","visible":true,"slack":0.41,"warnings":[{"code":"L0602","field":"waves"}],
//! "strands":[{"name":"rope","closed":false,"material":"rope","colour":[0.45,0.29,0.13],
//! "points":[[0,0,2],[1,0,2]],"radius":[0.01,0.01],"twist_degrees":[0,0]}]}]}]}
//! ```
//!
//! A mesh body also has `meshes`, with name, material, colour and points.

use std::io::{self, Write};

use lariat_core::geometry::{Mesh, Strand};
use lariat_scene::lower::Shot;

use super::{Posed, Writer, mesh, strands};
use crate::json::Json;

pub(super) struct Frames<'w> {
    out: &'w mut dyn Write,
    follows: bool,
}

impl<'w> Frames<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, follows: false }
    }
}

impl Writer for Frames<'_> {
    fn begin(&mut self, shot: &Shot) -> io::Result<()> {
        self.out.write_all(b"{\"shot\":")?;
        Json::new(self.out).object(|json| {
            json.field("fps", shot.rate.per_second())?;
            json.field("first", shot.first as f64)?;
            json.field("last", shot.last as f64)?;
            json.field("unit", "m")?;
            json.field("up", "z")
        })?;
        self.out.write_all(b",\"frames\":[")
    }

    fn frame(&mut self, frame: f64, bodies: &[Posed<'_>]) -> io::Result<()> {
        let comma = if std::mem::replace(&mut self.follows, true) { ",\n" } else { "\n" };
        self.out.write_all(comma.as_bytes())?;
        Json::new(self.out).object(|json| {
            json.field("frame", frame)?;
            json.list("bodies", bodies, |json, (name, moment)| {
                json.newline()?;
                json.object(|json| {
                    json.field("name", *name)?;
                    json.field("visible", moment.visible)?;
                    json.field("slack", moment.slack)?;
                    json.list("warnings", &moment.warnings, |json, warning| {
                        json.object(|json| {
                            json.field("code", warning.code().name())?;
                            json.field("field", &*warning.parameter())
                        })
                    })?;
                    json.list("strands", strands(moment), |json, strand| {
                        json.newline()?;
                        json.object(|json| write_strand(json, strand))
                    })?;
                    let Some(mesh) = mesh(moment) else { return Ok(()) };
                    json.list("meshes", [mesh], |json, mesh| {
                        json.newline()?;
                        json.object(|json| write_mesh(json, mesh))
                    })
                })
            })
        })
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.write_all(b"]}\n")
    }
}

fn write_mesh(json: &mut Json<'_>, mesh: &Mesh) -> io::Result<()> {
    json.field("name", &*mesh.name)?;
    json.field("material", &*mesh.look.name)?;
    json.list("colour", mesh.look.colour, Json::value)?;
    json.list("points", mesh.points(), |json, point| json.numbers(point.to_array()))
}

fn write_strand(json: &mut Json<'_>, strand: &Strand) -> io::Result<()> {
    json.field("name", &*strand.name)?;
    json.field("closed", strand.closed)?;
    json.field("material", &*strand.look.name)?;
    json.list("colour", strand.look.colour, Json::value)?;
    json.list("points", strand.points(), |json, point| json.numbers(point.to_array()))?;
    json.list("radius", strand.radius(), |json, radius| json.value(*radius))?;
    let degrees = strand.twist().iter().map(|twist| twist.to_degrees());
    json.list("twist_degrees", degrees, Json::value)
}
