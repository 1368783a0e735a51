//! Solids of a world: boxes, balls and cylinders that ropes are tied to (feature `rigid`).

use glam::{DQuat, DVec3};
use lariat_rigid::{Shape, Solid};

use super::{SolidId, World, WorldError};

/// Definition of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidDef {
    /// Shape about its centre.
    pub shape: Shape,
    /// Mass in kilograms.
    pub mass: f64,
    /// Centre, in metres.
    pub position: DVec3,
    /// Rotation from its own axes to the world's.
    pub rotation: DQuat,
    /// Coefficient of friction with obstacles; two solids use the mean of theirs.
    pub friction: f64,
    /// Coefficient of restitution with obstacles, 0–1; two solids use the mean of theirs.
    pub restitution: f64,
}

impl SolidDef {
    /// Defines a box with these edge lengths in metres.
    pub fn cuboid(size: DVec3, mass: f64, position: DVec3) -> Self {
        Self::new(Shape::Box { half: 0.5 * size }, mass, position)
    }

    /// Defines a ball.
    pub fn ball(radius: f64, mass: f64, position: DVec3) -> Self {
        Self::new(Shape::Ball { radius }, mass, position)
    }

    /// Defines a solid at rest, with its axes along the world's.
    pub fn new(shape: Shape, mass: f64, position: DVec3) -> Self {
        let Solid { rotation, friction, bounce, .. } = Solid::new(shape, mass, position);
        Self { shape, mass, position, rotation, friction, restitution: bounce }
    }
}

impl World {
    /// Adds a solid.
    pub fn add_solid(&mut self, def: &SolidDef) -> Result<SolidId, WorldError> {
        let solids = &mut self.simulation.solids;
        solids.solids.push(Solid {
            rotation: def.rotation,
            friction: def.friction,
            bounce: def.restitution,
            ..Solid::new(def.shape, def.mass, def.position)
        });
        if let Err(error) = solids.check() {
            solids.solids.pop();
            return Err(WorldError::Solids(error.into()));
        }
        Ok(SolidId(solids.solids.len() - 1))
    }

    /// Position, rotation and velocity of a solid after the last fixed step.
    pub fn solid(&self, id: SolidId) -> Result<&Solid, WorldError> {
        self.simulation.solids.solids.get(id.0).ok_or(WorldError::NoSolid { id: id.0 })
    }

    /// Applies a force in newtons at a place of a solid during the next fixed step.
    pub fn push_solid(
        &mut self,
        id: SolidId,
        force: DVec3,
        place: DVec3,
    ) -> Result<(), WorldError> {
        self.solid(id)?;
        self.simulation.solids.push(id.0, force, place);
        Ok(())
    }
}
