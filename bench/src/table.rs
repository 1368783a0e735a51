//! Running, timing and printing.

use std::time::Instant;

/// Jobs, run as they are added and printed as they finish.
pub(crate) struct Table {
    quick: bool,
    filter: Option<String>,
    missed: Vec<String>,
}

impl Table {
    pub(crate) fn new(quick: bool, filter: Option<String>) -> Self {
        println!("| job | median | fastest | reach | |");
        println!("|---|---|---|---|---|");
        Self { quick, filter, missed: Vec::new() }
    }

    /// Whether long jobs are left out.
    pub(crate) fn quick(&self) -> bool {
        self.quick
    }

    /// Whether a job of this name is wanted.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|f| name.contains(f.as_str()))
    }

    /// Times `job` and prints a row; `per` is how many things one run does, `reach` is in
    /// seconds for one of them. Returns the median for one of them.
    pub(crate) fn time(
        &mut self,
        name: &str,
        per: f64,
        reach: Option<f64>,
        job: impl FnMut(),
    ) -> Option<f64> {
        if !self.wants(name) {
            return None;
        }
        let runs = if self.quick { 7 } else { 31 };
        let mut seconds = sampled(runs, job);
        seconds.sort_by(f64::total_cmp);
        let (median, fastest) = (seconds[runs / 2] / per, seconds[0] / per);
        let verdict = reach.map_or("", |r| if median <= r { "reached" } else { "missed" });
        if verdict == "missed" {
            self.missed.push(name.to_owned());
        }
        let reach = reach.map_or_else(String::new, show);
        println!("| {name} | {} | {} | {reach} | {verdict} |", show(median), show(fastest));
        Some(median)
    }

    /// A row that is not a time.
    pub(crate) fn row(&mut self, name: &str, value: &str, reach: &str, reached: Option<bool>) {
        let verdict = match reached {
            None => "",
            Some(true) => "reached",
            Some(false) => {
                self.missed.push(name.to_owned());
                "missed"
            }
        };
        println!("| {name} | {value} | | {reach} | {verdict} |");
    }

    /// Growth of the cost: the time of each size over that of the size before, by the ratio of
    /// sizes.
    pub(crate) fn growth(&mut self, name: &str, sizes: &[(f64, f64)]) {
        let per_size: Vec<String> = sizes
            .windows(2)
            .map(|w| format!("{:.2}", (w[1].1 / w[0].1) / (w[1].0 / w[0].0)))
            .collect();
        self.row(name, &format!("{} (1 is linear)", per_size.join(", ")), "1", None);
    }

    pub(crate) fn finish(&self) {
        if !self.missed.is_empty() {
            println!("\nmissed: {}", self.missed.join("; "));
        }
    }
}

/// Seconds of `runs` runs, after one to warm up.
pub(crate) fn sampled(runs: usize, mut job: impl FnMut()) -> Vec<f64> {
    job();
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            job();
            start.elapsed().as_secs_f64()
        })
        .collect()
}

/// The median of a few runs.
pub(crate) fn median(runs: usize, job: impl FnMut()) -> f64 {
    let mut seconds = sampled(runs, job);
    seconds.sort_by(f64::total_cmp);
    seconds[runs / 2]
}

fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
