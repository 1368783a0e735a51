//! The banded solve against a dense one.

use super::super::band::Band;
use super::super::lanes::{f64x2, set3, vector};
use super::*;

/// Random numbers for a band of so many segments, and the same as plain numbers.
struct Plain {
    x: Vec<DVec3>,
    aim: Vec<DVec3>,
    inertia: Vec<f64>,
    free: Vec<f64>,
    own: Vec<[f64; 6]>,
    force: Vec<DVec3>,
    /// Of segments: rest length, stiffness, compression, last tension, link.
    segments: Vec<([f64; 4], [f64; 6])>,
    /// Of joints: lengths before and after (one over), bending, friction, its start, torque; axis and rest.
    joints: Vec<([f64; 6], DVec3, DVec3)>,
}

fn plain(n: usize, seed: u64) -> Plain {
    let mut dice = Dice(seed);
    let mut number = move || dice.unit();
    let mut three = {
        let mut dice = Dice(seed + 77);
        move || DVec3::new(dice.unit(), dice.unit(), dice.unit()) - DVec3::splat(0.5)
    };
    let x: Vec<DVec3> = (0..=n).map(|i| DVec3::X * i as f64 + three() * 0.6).collect();
    let aim = x.iter().map(|x| *x + three() * 0.1).collect();
    let own = |v: DVec3| {
        [v.x * v.x + 0.1, v.x * v.y, v.x * v.z, v.y * v.y + 0.1, v.y * v.z, v.z * v.z + 0.1]
    };
    Plain {
        aim,
        inertia: (0..=n).map(|_| 1.0 + number()).collect(),
        free: (0..=n).map(|i| if i % 5 == 2 { 0.0 } else { 1.0 }).collect(),
        own: (0..=n).map(|_| own(three())).collect(),
        force: (0..=n).map(|_| three()).collect(),
        segments: (0..n)
            .map(|_| {
                let link = own(three()).map(|x| 0.1 * x);
                ([0.9 + 0.3 * number(), 20.0 + number(), 3.0, 2.0 * number()], link)
            })
            .collect(),
        joints: (0..=n)
            .map(|_| {
                let numbers =
                    [0.8 + number(), 0.9 + number(), number(), number(), number(), number()];
                (numbers, three().normalize_or(DVec3::X), three() * 0.3)
            })
            .collect(),
        x,
    }
}

fn band(plain: &Plain, bent: bool) -> Band {
    let n = plain.x.len() - 1;
    let mut band = Band::default();
    band.fit(n, bent && n > 1);
    for i in 0..=n {
        band.each_place(i, |band, place, lane| {
            let node = &mut band.nodes[place];
            set3(&mut node.position, lane, plain.x[i]);
            set3(&mut node.aim, lane, plain.aim[i]);
            node.inertia.as_mut_array()[lane] = plain.inertia[i];
            node.free.as_mut_array()[lane] = plain.free[i];
        });
        band.add_extra(i, &plain.own[i], plain.force[i]);
    }
    for (i, (segment, link)) in plain.segments.iter().enumerate() {
        band.each_segment(i, |band, place, lane| {
            let node = &mut band.nodes[place];
            let set = |to: &mut f64x2, x: f64| to.as_mut_array()[lane] = x;
            set(&mut node.rest_length, segment[0]);
            set(&mut node.stiffness, segment[1]);
            set(&mut node.compression, segment[2]);
            set(&mut node.tension, segment[3]);
            set(&mut node.slack, 0.0);
            set(&mut node.yield_tension, f64::INFINITY);
            set(&mut node.per_yield, 0.0);
            set(&mut node.yield_slope, 1.0);
        });
        band.add_link(i, link);
    }
    for j in 1..n {
        let (numbers, axis, rest) = plain.joints[j];
        band.each_joint(j, |band, place, lane| {
            let node = &mut band.nodes[place];
            let set = |to: &mut f64x2, x: f64| to.as_mut_array()[lane] = x;
            // Seen from the other end, before and after are exchanged.
            let (before, after) = if lane == 0 { (0, 1) } else { (1, 0) };
            set(&mut node.per_before, numbers[before]);
            set(&mut node.per_after, numbers[after]);
            set(&mut node.bend, numbers[2]);
            set(&mut node.friction, numbers[3]);
            set(&mut node.friction_start, numbers[4]);
            set(&mut node.torque, numbers[5]);
            set3(&mut node.friction_axis, lane, axis);
            set3(&mut node.bent, lane, rest);
        });
    }
    band
}

/// Matrix and right side, element by element, and the solution by Gauss's elimination.
fn dense(plain: &Plain, bent: bool, extra: &[(usize, DVec3)]) -> Vec<DVec3> {
    let n = plain.x.len() - 1;
    let wide = 3 * (n + 1);
    let mut a = vec![vec![0.0; wide + 1]; wide];
    let block = |a: &mut Vec<Vec<f64>>, i: usize, j: usize, m: [[f64; 3]; 3], by: f64| {
        for (r, row) in m.iter().enumerate() {
            for (c, x) in row.iter().enumerate() {
                a[3 * i + r][3 * j + c] += by * x;
            }
        }
    };
    let push = |a: &mut Vec<Vec<f64>>, i: usize, f: DVec3| {
        for (r, x) in f.to_array().iter().enumerate() {
            a[3 * i + r][wide] += x;
        }
    };
    let sym = |s: [f64; 6]| [[s[0], s[1], s[2]], [s[1], s[3], s[4]], [s[2], s[4], s[5]]];
    let across = |t: DVec3, along: f64, across: f64| {
        let t = t.to_array();
        let mut m = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                m[r][c] = (along - across) * t[r] * t[c] + if r == c { across } else { 0.0 };
            }
        }
        m
    };
    for i in 0..=n {
        block(&mut a, i, i, across(DVec3::X, plain.inertia[i], plain.inertia[i]), 1.0);
        block(&mut a, i, i, sym(plain.own[i]), 1.0);
        push(&mut a, i, (plain.aim[i] - plain.x[i]) * plain.inertia[i] + plain.force[i]);
    }
    let way = |i: usize| plain.x[i + 1] - plain.x[i];
    let mut bias = vec![0.0; n];
    for j in 1..n {
        if !bent {
            continue;
        }
        let ([p, q, bend, friction, start, torque], axis, rest) = plain.joints[j];
        let straight = way(j) * q - way(j - 1) * p;
        let e = straight - rest;
        let stored = 0.5 * bend * e.dot(straight);
        bias[j - 1] += p * stored;
        bias[j] += q * stored;
        let moment = e * bend + axis * (friction * (axis.dot(straight) - start));
        let weights = [(j - 1, p), (j, -p - q), (j + 1, q)];
        for (i, w) in weights {
            push(&mut a, i, -moment * w);
            for (k, v) in weights {
                block(&mut a, i, k, across(axis, bend + friction, bend), w * v);
            }
        }
        let (t, u) = (way(j - 1).normalize_or(DVec3::X), way(j).normalize_or(DVec3::X));
        let (l, m) = (1.0 / way(j - 1).length(), 1.0 / way(j).length());
        let c = torque / (1.0 + t.dot(u));
        let kb = t.cross(u) * c;
        push(&mut a, j - 1, kb * l);
        push(&mut a, j, kb * m - kb * l);
        push(&mut a, j + 1, -kb * m);
        let v = (t + u) * (0.5 * c * l * m);
        let x = [[0.0, -v.z, v.y], [v.z, 0.0, -v.x], [-v.y, v.x, 0.0]];
        let pairs = [(j - 1, j, 1.0), (j - 1, j + 1, -1.0), (j, j + 1, 1.0)];
        for (i, k, sign) in pairs {
            block(&mut a, i, k, x, sign);
            // The other triangle is the transpose.
            block(&mut a, k, i, x, -sign);
        }
    }
    for (i, ([rest, stiff, soft, last], link)) in plain.segments.iter().enumerate() {
        let t = way(i).normalize_or(DVec3::X);
        let longer = way(i).length() - rest;
        let k = if longer >= 0.0 { *stiff } else { *soft };
        let geometric = (last - bias[i]).max(0.0) / way(i).length();
        let m = across(t, k, geometric);
        for (r, c, by) in [(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)] {
            block(&mut a, r, c, m, by);
        }
        block(&mut a, i, i + 1, sym(*link), 1.0);
        block(&mut a, i + 1, i, sym(*link), 1.0);
        let pull = t * (k * longer - bias[i]);
        push(&mut a, i, pull);
        push(&mut a, i + 1, -pull);
    }
    if !extra.is_empty() {
        for row in &mut a {
            row[wide] = 0.0;
        }
        for (i, f) in extra {
            push(&mut a, *i, *f);
        }
    }
    for i in 0..=n {
        if plain.free[i] == 0.0 {
            for r in 0..3 {
                let row = 3 * i + r;
                a[row].fill(0.0);
                for other in &mut a {
                    other[row] = 0.0;
                }
                a[row][row] = 1.0;
            }
        }
    }
    for k in 0..wide {
        let best = (k..wide).max_by(|r, s| a[*r][k].abs().total_cmp(&a[*s][k].abs())).unwrap();
        a.swap(k, best);
        let pivot = a[k].clone();
        for row in &mut a[k + 1..] {
            let by = row[k] / pivot[k];
            for (x, p) in row.iter_mut().zip(&pivot).skip(k) {
                *x -= by * p;
            }
        }
    }
    let mut x = vec![0.0; wide];
    for k in (0..wide).rev() {
        let sum: f64 = (k + 1..wide).map(|c| a[k][c] * x[c]).sum();
        x[k] = (a[k][wide] - sum) / a[k][k];
    }
    x.chunks(3).map(DVec3::from_slice).collect()
}

#[test]
fn the_band_vs_a_dense_solve() {
    for n in 0..14 {
        for bent in [false, true] {
            let plain = plain(n, n as u64 + 3);
            let mut band = band(&plain, bent);
            band.solve();
            let known = dense(&plain, bent && n > 1, &[]);
            for (i, known) in known.iter().enumerate() {
                let ours = band.displacement(i);
                assert!(ours.distance(*known) < 1e-11, "{n} {bent} {i}: {ours} for {known}");
            }
        }
    }
}

#[test]
fn another_right_side_vs_a_dense_solve() {
    for n in 0..14 {
        for bent in [false, true] {
            let plain = plain(n, n as u64 + 30);
            let mut band = band(&plain, bent);
            band.solve();
            for loaded in 0..=n {
                let force = DVec3::new(0.3, -0.7, 1.1);
                let (place, lane) = band.place(loaded);
                let known = dense(&plain, bent && n > 1, &[(loaded, force)]);
                band.clear_right();
                band.load_place(place, lane, force);
                let before: Vec<DVec3> = (0..=n).map(|i| band.displacement(i)).collect();
                band.add_answer(place);
                let mut columns = Vec::new();
                band.columns(&mut columns, &[(place, lane, 1.0)], 0);
                for (i, known) in known.iter().enumerate() {
                    let ours = band.displacement(i) - before[i];
                    assert!(
                        ours.distance(*known) < 1e-11,
                        "{n} {bent} {loaded} {i}: {ours} {known}"
                    );
                    let (at, lane) = band.place(i);
                    let mut sum = DVec3::ZERO;
                    for (axis, by) in force.to_array().into_iter().enumerate() {
                        sum += vector(&columns[at][axis], lane) * by;
                    }
                    assert!(sum.distance(*known) < 1e-11, "{n} {bent} {loaded} {i}: {sum} {known}");
                }
            }
        }
    }
}
