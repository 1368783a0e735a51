//! Tests of a world in the situations that games start with.

use std::f64::consts::PI;

use lariat_core::dynamics::material::Material;

use super::*;

const LEFT: DVec3 = DVec3::new(-1.0, 0.0, 2.0);
const RIGHT: DVec3 = DVec3::new(1.0, 0.0, 2.0);

fn hung() -> (World, RopeId, HoldId) {
    let mut world = World::new();
    let rope = world.add_rope(&RopeDef::between(LEFT, RIGHT).with_length(3.0)).unwrap();
    let left = world.hold(rope, 0.0, LEFT).unwrap();
    world.hold(rope, 1.0, RIGHT).unwrap();
    (world, rope, left)
}

#[test]
fn a_slack_rope_starts_as_it_hangs() {
    let (mut world, rope, left) = hung();
    let start = world.points(rope).to_vec();
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
    }
    let moved =
        start.iter().zip(world.points(rope)).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(moved < 0.03, "it moved by {moved} m");
    // Each end carries half of the weight.
    let hemp = Material::find("hemp").unwrap();
    let weight = 3.0 * hemp.density * PI * 0.005 * 0.005 * 9.81;
    let carried = -world.force_on(left).z;
    assert!((carried / weight - 0.5).abs() < 0.02, "{carried} N of {weight} N");
}

#[test]
fn gravity_and_wind_can_be_set() {
    // A free rope falls as the gravity that was set, and air carries it along.
    let tip_after = |gravity: DVec3, wind: DVec3| {
        let mut world = World::new();
        world.set_gravity(gravity);
        if wind != DVec3::ZERO {
            world.set_wind(wind);
        }
        let rope = world.add_rope(&RopeDef::between(LEFT, RIGHT)).unwrap();
        for _ in 0..60 {
            world.step(1.0 / 60.0).unwrap();
        }
        world.points(rope)[0] - LEFT
    };
    let fallen = tip_after(DVec3::NEG_Z * 1.62, DVec3::ZERO);
    assert!((fallen.z / -0.81 - 1.0).abs() < 0.05, "{fallen} after a second on the moon");
    assert_eq!(tip_after(DVec3::ZERO, DVec3::ZERO).length(), 0.0);
    let blown = tip_after(DVec3::ZERO, DVec3::Y * 10.0);
    assert!((0.5..10.0).contains(&blown.y), "{blown} in a wind of 10 m/s");
}

#[cfg(feature = "rigid")]
#[test]
fn a_pushed_solid_gains_the_momentum_of_its_force() {
    let mut world = World::new();
    world.set_rate(100.0).unwrap();
    world.set_gravity(DVec3::ZERO);
    let crate_id = world.add_solid(&SolidDef::cuboid(DVec3::ONE, 4.0, DVec3::Z)).unwrap();
    for _ in 0..50 {
        world.push_solid(crate_id, DVec3::X * 8.0, DVec3::Z).unwrap();
        world.step(0.01).unwrap();
    }
    let speed = world.solid(crate_id).unwrap().velocity.x;
    assert!((speed - 1.0).abs() < 0.05, "{speed} m/s for 8 N on 4 kg for half a second");
    let missing = world.push_solid(SolidId(7), DVec3::X, DVec3::ZERO);
    assert!(matches!(missing, Err(WorldError::NoSolid { id: 7 })), "{missing:?}");
}

#[test]
fn points_are_interpolated_between_fixed_steps() {
    let mut world = World::new();
    world.set_rate(50.0).unwrap();
    let rope =
        world.add_rope(&RopeDef::between(DVec3::Z * 10.0, DVec3::new(1.0, 0.0, 10.0))).unwrap();
    // Two whole steps, then half a step more.
    world.step(0.04).unwrap();
    let (z1, z2) = (world.before[0].z, world.strings().state.positions[0].z);
    assert_eq!(world.points(rope)[0].z, z1);
    let summary = world.step(0.01).unwrap();
    assert_eq!(summary.steps, 0);
    assert!((world.points(rope)[0].z - 0.5 * (z1 + z2)).abs() < 1e-9);
    assert_eq!(world.points_f32(rope)[0][2], world.points(rope)[0].z as f32);
}

#[test]
fn the_frame_rate_does_not_change_the_motion() {
    let run = |frames: u32, rate: f64| {
        let (mut world, rope, left) = hung();
        for frame in 0..frames {
            // The same motion of the hold, sampled at two frame rates with whole steps each.
            let t = f64::from(frame + 1) / rate;
            world.set_target(left, LEFT + DVec3::Y * (0.1 * t)).unwrap();
            world.step(1.0 / rate).unwrap();
        }
        world.strings().state.positions[world.ropes[rope.0].clone()].to_vec()
    };
    let (fine, coarse) = (run(60, 60.0), run(30, 30.0));
    let apart = fine.iter().zip(&coarse).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart} m apart");
}

#[test]
fn holds_move_evenly_over_the_steps_of_a_call() {
    let (mut world, rope, left) = hung();
    world.set_target(left, LEFT + DVec3::Y * 0.08).unwrap();
    let summary = world.step(4.0 / World::DEFAULT_RATE).unwrap();
    assert_eq!(summary.steps, 4);
    assert_eq!(world.strings().state.positions[0], LEFT + DVec3::Y * 0.08);
    assert!((world.before[0].y - 0.06).abs() < 1e-12, "{}", world.before[0].y);
    world.release(left).unwrap();
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
    }
    assert!(world.points(rope)[0].z < 1.5, "a released end falls: {}", world.points(rope)[0]);
}

#[test]
fn an_overloaded_rope_tears_and_is_reported() {
    let mut world = World::new();
    let thread = Material::find("cotton-thread").copied().unwrap();
    let def = RopeDef::between(DVec3::ZERO, DVec3::X).with_material(thread).with_radius(0.000_15);
    let rope = world.add_rope(&def).unwrap();
    world.hold(rope, 0.0, DVec3::ZERO).unwrap();
    let end = world.hold(rope, 1.0, DVec3::X).unwrap();
    let mut torn = None;
    for frame in 1..=120 {
        world.set_target(end, DVec3::X * (1.0 + 0.002 * f64::from(frame))).unwrap();
        world.step(1.0 / 60.0).unwrap();
        if let Some(WorldEvent::Torn { rope: which, cause, .. }) = world.events().first() {
            torn = Some((*which, *cause, frame));
            break;
        }
    }
    let (which, cause, frame) = torn.expect("the thread tears");
    assert_eq!((which, cause), (rope, TearCause::Tension));
    // Cotton thread breaks at a stretch of about 7 %.
    assert!((30..45).contains(&frame), "at a stretch of {} %", 0.2 * f64::from(frame));
    assert_eq!(world.pieces(rope).count(), 2);
    assert_eq!(world.pieces(rope).map(<[DVec3]>::len).sum::<usize>(), world.points(rope).len());
}

#[test]
fn a_moving_collider_carries_a_rope() {
    let mut world = World::new();
    let ball = |y: f64| Collider::Sphere { centre: DVec3::new(0.0, y, 1.0), radius: 0.2 };
    let collider = world.add_collider(ball(-0.5));
    let rope = world.add_rope(&RopeDef::between(DVec3::Z * 2.0, DVec3::ZERO)).unwrap();
    world.hold(rope, 0.0, DVec3::Z * 2.0).unwrap();
    for frame in 0..60 {
        world.set_collider(collider, ball(-0.5 + 0.01 * f64::from(frame))).unwrap();
        world.step(1.0 / 60.0).unwrap();
    }
    let furthest = world.points(rope).iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
    assert!(furthest > 0.2, "the rope is pushed aside: {furthest} m");
}

#[test]
fn time_is_dropped_instead_of_piling_up() {
    let (mut world, ..) = hung();
    let summary = world.step(1.0).unwrap();
    assert_eq!(summary.steps, World::MAX_STEPS);
    assert!((summary.dropped - (1.0 - 16.0 / 120.0)).abs() < 1e-9, "{}", summary.dropped);
}

#[test]
fn bad_definitions_are_refused() {
    let mut world = World::new();
    let rope = RopeDef::between(LEFT, RIGHT);
    let refused = |world: &mut World, def: RopeDef| world.add_rope(&def).unwrap_err().to_string();
    assert_eq!(
        refused(&mut world, rope.clone().with_segments(0)),
        "a rope needs at least 1 segment, not 0"
    );
    assert!(refused(&mut world, rope.clone().with_radius(-1.0)).contains("radius"));
    assert!(refused(&mut world, rope.clone().with_length(f64::INFINITY)).contains("inf"));
    let id = world.add_rope(&rope).unwrap();
    assert_eq!(world.hold(id, 1.5, LEFT).unwrap_err(), WorldError::PlaceOnRope { u: 1.5 });
    assert!(world.hold(id, 0.5, DVec3::NAN).is_err());
    assert!(world.step(f64::NAN).is_err() && world.set_rate(0.0).is_err());
    assert_eq!(world.release(HoldId(7)).unwrap_err(), WorldError::NoHold { id: 7 });
}

#[cfg(feature = "rigid")]
#[test]
fn a_box_hangs_on_a_rope_with_its_weight() {
    let mut world = World::new();
    let top = DVec3::Z * 3.0;
    let rope = world.add_rope(&RopeDef::between(top, DVec3::Z * 2.0)).unwrap();
    let hook = world.hold(rope, 0.0, top).unwrap();
    let crate_ = SolidDef::cuboid(DVec3::splat(0.2), 5.0, DVec3::Z * 1.9);
    let crate_ = world.add_solid(&crate_).unwrap();
    let knot = world.hold(rope, 1.0, crate_).unwrap();
    for _ in 0..240 {
        world.step(1.0 / 60.0).unwrap();
    }
    let carried = -world.force_on(hook).z;
    assert!((carried / (5.0 * 9.81) - 1.0).abs() < 0.05, "{carried} N");
    assert!((world.solid(crate_).unwrap().position.z - 1.9).abs() < 0.05);
    assert!(matches!(world.set_target(knot, DVec3::ZERO), Err(WorldError::Tied { .. })));
    world.release(knot).unwrap();
    for _ in 0..30 {
        world.step(1.0 / 60.0).unwrap();
    }
    assert!(world.solid(crate_).unwrap().position.z < 1.2, "a released box falls");
}
