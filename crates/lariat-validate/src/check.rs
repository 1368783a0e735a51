//! Checks, their outcomes, and the rows of the table.
//!
//! A check passes if its error is at most its bar. NaN fails, and so does a check whose code under
//! test returned no answer.
//!
//! Tests: `an_error_above_its_bar_fails`, `no_answer_fails`, `a_wrong_bit_fails`.

/// Checks that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// Heading: one word.
    pub name: &'static str,
    /// Subject, in a few words.
    pub title: &'static str,
    /// The checks, in the order of the table.
    pub checks: &'static [Check],
}

/// A comparison with a reference that does not come from the code under test.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Name in kebab-case, unique in the whole table.
    pub name: &'static str,
    /// Description of the compared quantity.
    pub what: &'static str,
    /// Unit of both values; empty for plain numbers.
    pub unit: &'static str,
    /// Source of the reference: method of computation, or citation.
    pub source: &'static str,
    /// Unit of the error, or `relative`.
    pub counted: &'static str,
    /// The largest error that passes.
    pub bar: f64,
    /// Computes the outcome.
    pub run: Run,
}

/// Computes a reference and the value of the code under test; `None` if that returns no answer.
pub type Run = fn() -> Option<Outcome>;

/// A value that is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A hash.
    Bits(u64),
}

/// Reference, value and error of a check that has been run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Reference value.
    pub reference: Value,
    /// Value of the code under test.
    pub ours: Value,
    /// Error, in the unit of [`Check::counted`].
    pub error: f64,
}

impl Outcome {
    /// Two numbers and an error computed by the check.
    pub fn new(reference: f64, ours: f64, error: f64) -> Self {
        Self { reference: Value::Number(reference), ours: Value::Number(ours), error }
    }

    /// Two numbers, judged by their difference.
    pub fn absolute(reference: f64, ours: f64) -> Self {
        Self::new(reference, ours, (ours - reference).abs())
    }

    /// Two numbers, judged by their difference over the reference.
    pub fn relative(reference: f64, ours: f64) -> Self {
        Self::new(reference, ours, ((ours - reference) / reference).abs())
    }

    /// A number that should be zero: the worst error over many cases.
    pub fn worst(error: f64) -> Self {
        Self::new(0.0, error, error)
    }

    /// A number that must not be less than the reference, such as an order of convergence.
    pub fn at_least(reference: f64, ours: f64) -> Self {
        let missing = reference - ours;
        Self::new(reference, ours, if missing < 0.0 { 0.0 } else { missing })
    }

    /// Two hashes, judged by the number of bits that differ.
    pub fn bits(reference: u64, ours: u64) -> Self {
        let error = f64::from((reference ^ ours).count_ones());
        Self { reference: Value::Bits(reference), ours: Value::Bits(ours), error }
    }
}

/// A check that has been run.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Topic of the check.
    pub topic: &'static Topic,
    /// The check.
    pub check: &'static Check,
    /// `None` if the code under test returned no answer.
    pub outcome: Option<Outcome>,
    /// Whether the error is at most the bar.
    pub pass: bool,
}

impl Row {
    /// Runs a check.
    pub fn of(topic: &'static Topic, check: &'static Check) -> Self {
        let outcome = (check.run)();
        Self { topic, check, outcome, pass: passes(outcome, check.bar) }
    }
}

/// Result of the expression of a check in `topic!`.
pub(crate) trait IntoOutcome {
    fn into_outcome(self) -> Option<Outcome>;
}

impl IntoOutcome for Outcome {
    fn into_outcome(self) -> Option<Outcome> {
        Some(self)
    }
}

/// A number that should be zero.
impl IntoOutcome for f64 {
    fn into_outcome(self) -> Option<Outcome> {
        Some(Outcome::worst(self))
    }
}

impl<T: IntoOutcome> IntoOutcome for Option<T> {
    fn into_outcome(self) -> Option<Outcome> {
        self?.into_outcome()
    }
}

/// Defines `TOPIC`, the checks of a module. A check is written
///
/// ```text
/// "name": "what is compared" ["unit"],
///     "source of the reference", bar ["unit of the error"], expression;
/// ```
///
/// The expression has the type `f64` (a number that should be zero), [`Outcome`], or an `Option`
/// of either.
macro_rules! topic {
    ($topic:literal: $title:literal; $($name:literal: $what:literal $([$unit:literal])?,
        $source:expr, $bar:literal $([$counted:literal])?, $run:expr;)*) => {
        pub(crate) const TOPIC: $crate::Topic = $crate::Topic {
            name: $topic,
            title: $title,
            checks: &[$($crate::Check {
                name: $name,
                what: $what,
                unit: concat!($($unit)?),
                source: $source,
                counted: concat!($($counted)?),
                bar: $bar,
                run: || $crate::check::IntoOutcome::into_outcome($run),
            }),*],
        };
    };
}

pub(crate) use topic;

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
    fn no_answer_fails() {
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
