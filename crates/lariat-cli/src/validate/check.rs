//! One row of the table: what is claimed, by whom it is judged, and how it came out.
//!
//! A check passes if its error is at or below its bar. An error that is not a number is above
//! every bar, and so is a check that could not be computed at all.
//!
//! Tests: `an_error_above_its_bar_fails`, `no_answer_is_no_pass`, `a_wrong_bit_fails`.

/// Checks that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Topic {
    /// The heading: one word.
    pub(crate) name: &'static str,
    /// What it is about, in a few words.
    pub(crate) title: &'static str,
    /// In the order of the table.
    pub(crate) checks: &'static [Check],
}

/// One thing that has an outside truth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// Unique in the whole table, in kebab-case.
    pub(crate) name: &'static str,
    /// What is compared.
    pub(crate) what: &'static str,
    /// Unit of both values; empty for plain numbers.
    pub(crate) unit: &'static str,
    /// Where the reference comes from: how it is computed, or who says so.
    pub(crate) source: &'static str,
    /// What the error is counted in: a unit, or `relative`.
    pub(crate) counted: &'static str,
    /// The largest error that passes.
    pub(crate) bar: f64,
    /// Computes both values.
    pub(crate) run: Run,
}

/// Computes a reference and what the code under test says; `None` if that refuses.
pub(crate) type Run = fn() -> Option<Outcome>;

/// Something to compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Number(f64),
    /// A hash.
    Bits(u64),
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The truth.
    pub(crate) reference: Value,
    /// What the code under test says.
    pub(crate) ours: Value,
    /// How far apart they are.
    pub(crate) error: f64,
}

impl Outcome {
    /// Two numbers, their difference, and its size in the eyes of the check.
    pub(crate) fn new(reference: f64, ours: f64, error: f64) -> Self {
        Self { reference: Value::Number(reference), ours: Value::Number(ours), error }
    }

    /// Judged by the difference.
    pub(crate) fn absolute(reference: f64, ours: f64) -> Self {
        Self::new(reference, ours, (ours - reference).abs())
    }

    /// Judged by the difference over the reference.
    pub(crate) fn relative(reference: f64, ours: f64) -> Self {
        Self::new(reference, ours, ((ours - reference) / reference).abs())
    }

    /// Something that should be zero: the worst error over many cases.
    pub(crate) fn worst(error: f64) -> Self {
        Self::new(0.0, error, error)
    }

    /// Something that must not be less than the reference, such as an order of convergence.
    pub(crate) fn at_least(reference: f64, ours: f64) -> Self {
        let missing = reference - ours;
        Self::new(reference, ours, if missing < 0.0 { 0.0 } else { missing })
    }

    /// Two hashes, judged by the number of bits that differ.
    pub(crate) fn bits(reference: u64, ours: u64) -> Self {
        let error = f64::from((reference ^ ours).count_ones());
        Self { reference: Value::Bits(reference), ours: Value::Bits(ours), error }
    }
}

/// A check that has been run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Its heading.
    pub(crate) topic: &'static Topic,
    /// What was checked.
    pub(crate) check: &'static Check,
    /// `None` if the code under test refused to answer.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the error is at or below the bar.
    pub(crate) pass: bool,
}

impl Row {
    /// Runs a check.
    pub(crate) fn of(topic: &'static Topic, check: &'static Check) -> Self {
        let outcome = (check.run)();
        Self { topic, check, outcome, pass: passes(outcome, check.bar) }
    }
}

fn passes(outcome: Option<Outcome>, bar: f64) -> bool {
    // False for NaN.
    outcome.is_some_and(|outcome| outcome.error <= bar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_above_its_bar_fails() {
        assert!(passes(Some(Outcome::absolute(1.0, 1.1)), 0.2));
        assert!(!passes(Some(Outcome::absolute(1.0, 1.1)), 0.09));
        assert!(!passes(Some(Outcome::relative(0.01, 0.011)), 0.09));
        assert!(!passes(Some(Outcome::worst(1e-300)), 0.0));
        assert!(passes(Some(Outcome::at_least(4.0, 5.0)), 0.1));
        assert!(!passes(Some(Outcome::at_least(4.0, 3.8)), 0.1));
    }

    #[test]
    fn no_answer_is_no_pass() {
        assert!(!passes(None, f64::INFINITY));
        assert!(!passes(Some(Outcome::worst(f64::NAN)), f64::INFINITY));
        assert!(!passes(Some(Outcome::at_least(4.0, f64::NAN)), 1.0));
        assert!(!passes(Some(Outcome::relative(1.0, f64::NAN)), 1.0));
    }

    #[test]
    fn a_wrong_bit_fails() {
        assert!(passes(Some(Outcome::bits(0xfeed, 0xfeed)), 0.0));
        assert!(!passes(Some(Outcome::bits(0xfeed, 0xfeec)), 0.0));
    }
}
