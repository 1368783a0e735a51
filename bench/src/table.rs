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
        println!("| job | median | fastest | target | |");
        println!("|---|---|---|---|---|");
        Self { quick, filter, missed: Vec::new() }
    }

    /// Whether long jobs are skipped.
    pub(crate) fn quick(&self) -> bool {
        self.quick
    }

    /// Whether a job is selected.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|f| name.contains(f.as_str()))
    }

    /// Times `job` and prints a row; `per` is the number of items per run, `target` is in seconds
    /// per item. Returns the median per item.
    pub(crate) fn time(
        &mut self,
        name: &str,
        per: f64,
        target: Option<f64>,
        mut job: impl FnMut(),
    ) -> Option<f64> {
        self.time_prepared(name, per, target, &mut (), |()| (), |()| job())
    }

    /// The same for a job on `subject`, which `prepare` makes ready for each run outside of the
    /// measured time.
    pub(crate) fn time_prepared<S>(
        &mut self,
        name: &str,
        per: f64,
        target: Option<f64>,
        subject: &mut S,
        mut prepare: impl FnMut(&mut S),
        mut job: impl FnMut(&mut S),
    ) -> Option<f64> {
        if !self.wants(name) {
            return None;
        }
        let runs = if self.quick { 7 } else { 31 };
        prepare(subject);
        job(subject);
        let mut seconds: Vec<f64> = (0..runs)
            .map(|_| {
                prepare(subject);
                let start = Instant::now();
                job(subject);
                start.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let (median, fastest) = (seconds[runs / 2] / per, seconds[0] / per);
        let verdict = target.map_or("", |r| if median <= r { "met" } else { "missed" });
        if verdict == "missed" {
            self.missed.push(name.to_owned());
        }
        let target = target.map_or_else(String::new, show);
        println!("| {name} | {} | {} | {target} | {verdict} |", show(median), show(fastest));
        Some(median)
    }

    /// A row that is not a time.
    pub(crate) fn row(&mut self, name: &str, value: &str, target: &str, met: Option<bool>) {
        let verdict = match met {
            None => "",
            Some(true) => "met",
            Some(false) => {
                self.missed.push(name.to_owned());
                "missed"
            }
        };
        println!("| {name} | {value} | | {target} | {verdict} |");
    }

    /// Growth of the cost: the time of each size relative to that of the previous one, divided by
    /// the ratio of sizes.
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

/// Seconds of `runs` runs, after a warm-up.
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

/// Median of a few runs.
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
