//! The ropes of `strings/falling.rs` in other simulators: rapier's soft rope here, and `MuJoCo`,
//! `pyPBD` and `Bullet` through `bench/rivals.py`, if they are installed.
//!
//! Each uses the coarsest step, found by trial, at which the whole rope is never more than 1 % too
//! long (ours meets that in every segment) and its tip is within 6 mm of a converged chain after
//! 0.4 s. The accuracy is printed next to the speed. Times of others are CPU times of one core or
//! the fastest of several runs, ours is the median of wall-clock times, so noise is in their
//! favour.

use std::time::Instant;

use glam::DVec3;
use rapier3d_f64::prelude::{
    PhysicsWorld, SoftBodyBuilder, SoftBodyHandle, SpringCoefficients, Vector,
};

use crate::python;
use crate::table::Table;

/// Seconds between two observations of a rope.
const FRAME: f64 = 0.02;

/// Python packages, as pip names them.
const PACKAGES: [&str; 3] = ["mujoco", "pypbd", "pybullet"];

/// Task of a rope.
#[derive(Clone, Copy)]
pub(crate) enum Job<'a> {
    /// Held at one end and released horizontally; the expected position of the tip after 0.4 s.
    Fall(DVec3),
    /// Held at both ends until it hangs like this.
    Hang(&'a [DVec3]),
}

/// Result of one simulator.
struct Done {
    name: String,
    /// Simulated seconds.
    simulated: f64,
    /// CPU seconds of one core; infinite if it never settled.
    spent: f64,
    /// Largest excess length of the whole rope, as a share.
    stretch: f64,
    /// Error of the tip in metres, if it was measured.
    off: f64,
}

/// Rows of all simulators; `ours` is the wall-clock time for a second of fall, or until it hangs.
pub(crate) fn compared(table: &mut Table, job: Job, ropes: u32, points: &[DVec3], ours: f64) {
    let segments = points.len() - 1;
    let runs = if long(ropes, segments) { 1 } else { 5 };
    row(table, job, ours, fastest(runs, || Ok(rapier(job, ropes, points))));
    for package in PACKAGES {
        // Setting up ten thousand balls takes half a minute.
        if table.quick() && ropes > 1 && package == "pybullet" {
            table.row("  pybullet: skipped by --quick", "", "", None);
            continue;
        }
        let done = fastest(runs, || asked(package, job, ropes, segments));
        row(table, job, ours, done.map_err(|why| format!("{package}: {why}")));
    }
}

/// Whether a run takes seconds and is run only once.
fn long(ropes: u32, segments: usize) -> bool {
    ropes > 1 || segments > 100
}

fn fastest(runs: usize, run: impl Fn() -> Result<Done, String>) -> Result<Done, String> {
    let mut best = run()?;
    for _ in 1..runs {
        let next = run()?;
        best = if next.spent < best.spent { next } else { best };
    }
    Ok(best)
}

fn row(table: &mut Table, job: Job, ours: f64, done: Result<Done, String>) {
    let done = match done {
        Ok(done) => done,
        Err(why) => return table.row(&format!("  {why}"), "", "", None),
    };
    let too_long = 100.0 * done.stretch;
    let (name, text) = match job {
        _ if !done.stretch.is_finite() => (done.name, "diverged: NOT MET".to_owned()),
        _ if !done.spent.is_finite() => (done.name, "does not settle".to_owned()),
        Job::Hang(_) => {
            let times = done.spent / ours;
            let ms = 1e3 * done.spent;
            (done.name, format!("{times:.0} times ours ({ms:.1} ms, {too_long:.2} % too long)"))
        }
        Job::Fall(_) => {
            let rate = done.simulated / done.spent;
            let met = if done.off.is_nan() {
                format!("over {:.2} s, not judged", done.simulated)
            } else {
                let wrong = done.stretch > 0.01 || done.off > 0.006;
                let verdict = if wrong { ": NOT MET" } else { "" };
                format!("{:.1} mm off, {too_long:.2} % too long{verdict}", 1e3 * done.off)
            };
            let times = 1.0 / (ours * rate);
            (done.name, format!("{times:.0} times as long as ours ({rate:.3} s/s; {met})"))
        }
    };
    table.row(&format!("  {name}"), &text, "", None);
}

/// Simulated seconds: many ropes take too long for a whole second.
fn limit(job: Job, ropes: u32) -> f64 {
    match job {
        Job::Hang(_) => 3.0,
        Job::Fall(_) if ropes > 1 => 0.1,
        Job::Fall(_) => 1.0,
    }
}

/// CPU seconds of this thread, if the system reports them, in steps of some milliseconds; otherwise
/// wall-clock seconds.
fn core_seconds(since: Instant) -> f64 {
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = reported.and_then(|words| words.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |n| 1e-9 * n)
}

/// Ropes of particles and edges, the fastest kind in rapier: balls on spherical joints take five
/// times as long, a multibody a thousand times.
fn soft_ropes(
    ropes: u32,
    points: &[DVec3],
    held: &[u32],
    drag: f64,
) -> (PhysicsWorld, SoftBodyHandle) {
    let segments = points.len() as u32 - 1;
    let mut world = PhysicsWorld { gravity: Vector::new(0.0, 0.0, -9.81), ..PhysicsWorld::new() };
    let mut masses = vec![1e-3; points.len()];
    masses[segments as usize] *= 0.5;
    let mut insert = |y: f64| {
        let rope = SoftBodyBuilder::new(points.iter().map(|p| Vector::new(p.x, y, p.z)).collect())
            .masses(masses.clone())
            .edges((0..segments).map(|i| [i, i + 1]).collect())
            .softness(SpringCoefficients::joint_defaults())
            .pinned_particles(held.iter().copied())
            .linear_damping(drag)
            .self_contacts(false)
            .no_surface_collider()
            .can_sleep(false);
        world.insert_soft_body(rope)
    };
    let first = insert(0.0);
    for k in 1..ropes {
        insert(0.1 * f64::from(k));
    }
    (world, first)
}

fn rapier(job: Job, ropes: u32, points: &[DVec3]) -> Done {
    let segments = points.len() - 1;
    // Substeps per frame and iterations per substep, found by trial.
    let (held, drag, (parts, rounds)) = match job {
        Job::Fall(_) if segments > 100 => (vec![0], 0.0, (600, 1)),
        Job::Fall(_) => (vec![0], 0.0, (42, 4)),
        Job::Hang(_) => (vec![0, segments as u32], 20.0, (20, 1)),
    };
    let (mut world, rope) = soft_ropes(ropes, points, &held, drag);
    world.integration_parameters.dt = FRAME;
    world.integration_parameters.num_solver_iterations = parts;
    world.integration_parameters.num_internal_pgs_iterations = rounds;
    world.integration_parameters.num_internal_stabilization_iterations = 0;
    let length = |points: &[DVec3]| points.windows(2).map(|w| w[0].distance(w[1])).sum::<f64>();
    let (whole, start) = (length(points), Instant::now());
    let clock = || {
        if long(ropes, segments) { core_seconds(start) } else { start.elapsed().as_secs_f64() }
    };
    let mut done = Done {
        name: format!("rapier {}", version_of("rapier3d-f64")),
        simulated: 0.0,
        spent: 0.0,
        stretch: 0.0,
        off: f64::NAN,
    };
    let (mut spent, mut hangs) = (0.0, false);
    for frame in 1..=(limit(job, ropes) / FRAME).round() as u32 {
        let before = clock();
        world.step();
        spent += clock() - before;
        let now: Vec<DVec3> = world.soft_bodies[rope]
            .particle_positions()
            .map(|p| DVec3::new(p.x, p.y, p.z))
            .collect();
        let longer = length(&now) / whole - 1.0;
        // Propagates NaN, which `max` would drop.
        let finite = (done.stretch + longer).is_finite();
        done.stretch = if finite { done.stretch.max(longer) } else { f64::NAN };
        let simulated = FRAME * f64::from(frame);
        match job {
            Job::Fall(tip) => {
                (done.simulated, done.spent) = (simulated, spent);
                if frame == 20 {
                    done.off = now[segments].distance(tip);
                }
            }
            Job::Hang(known) => {
                let close = now.iter().zip(known).all(|(a, b)| a.distance(*b) <= 0.01);
                if !close {
                    done.spent = f64::INFINITY;
                } else if !hangs {
                    (done.simulated, done.spent) = (simulated, spent);
                }
                hangs = close;
            }
        }
    }
    done
}

/// Runs `rivals.py`.
fn asked(package: &str, job: Job, ropes: u32, segments: usize) -> Result<Done, String> {
    let word = if matches!(job, Job::Hang(_)) { "hang" } else { "fall" };
    let reported = [segments.to_string(), ropes.to_string(), limit(job, ropes).to_string()];
    let [segments, ropes, limit] = reported.each_ref().map(String::as_str);
    let words = python::ask("rivals.py", package, &[package, word, segments, ropes, limit])?;
    let unexpected = || format!("unexpected output: {words}");
    let last = words.lines().last().ok_or_else(unexpected)?;
    let (version, numbers) = last.split_once(' ').ok_or_else(unexpected)?;
    let numbers: Vec<f64> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
    let [simulated, spent, stretch, off] = numbers[..] else {
        return Err(unexpected());
    };
    Ok(Done { name: format!("{package} {version}"), simulated, spent, stretch, off })
}

/// Version of a crate in this build.
fn version_of(name: &str) -> &'static str {
    let lock = include_str!("../../Cargo.lock");
    let package = lock
        .split("[[package]]")
        .find(|package| package.trim_start().starts_with(&format!("name = \"{name}\"")));
    let line = package.and_then(|package| package.lines().find(|line| line.starts_with("version")));
    line.and_then(|line| line.split('"').nth(1)).unwrap_or("(unknown version)")
}
