//! Executable form of a formula: a stack machine.
//!
//! The largest stack depth is known after parsing, so the stack is a fixed array and running
//! allocates nothing. Every result is checked: a value that is not finite stops the run at the
//! operation that produced it.

use crate::num::ops;

use super::FormulaError;

/// Stack depth. Formulas in practice need fewer than ten.
pub(super) const DEPTH: usize = 64;

/// Operation that pops its arguments and pushes one result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Floor,
    Min,
    Max,
    Clamp,
    Smoothstep,
    Mix,
}

/// Named functions with their signatures.
pub(super) const NAMED: [(&str, Function, &str); 13] = [
    ("sin", Function::Sin, "sin(x)"),
    ("cos", Function::Cos, "cos(x)"),
    ("tan", Function::Tan, "tan(x)"),
    ("exp", Function::Exp, "exp(x)"),
    ("ln", Function::Ln, "ln(x)"),
    ("sqrt", Function::Sqrt, "sqrt(x)"),
    ("abs", Function::Abs, "abs(x)"),
    ("floor", Function::Floor, "floor(x)"),
    ("min", Function::Min, "min(a, b)"),
    ("max", Function::Max, "max(a, b)"),
    ("clamp", Function::Clamp, "clamp(x, lo, hi)"),
    ("smoothstep", Function::Smoothstep, "smoothstep(lo, hi, x)"),
    ("mix", Function::Mix, "mix(a, b, t)"),
];

impl Function {
    /// Number of arguments.
    pub(super) fn arity(self) -> usize {
        match self {
            Self::Negate | Self::Sin | Self::Cos | Self::Tan | Self::Exp | Self::Ln => 1,
            Self::Sqrt | Self::Abs | Self::Floor => 1,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power => 2,
            Self::Min | Self::Max => 2,
            Self::Clamp | Self::Smoothstep | Self::Mix => 3,
        }
    }

    fn of(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Self::Negate => -a,
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => ops::pow(a, b),
            Self::Sin => ops::sin(a),
            Self::Cos => ops::cos(a),
            Self::Tan => ops::tan(a),
            Self::Exp => ops::exp(a),
            Self::Ln => ops::ln(a),
            Self::Sqrt => a.sqrt(),
            Self::Abs => a.abs(),
            Self::Floor => a.floor(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            // Not `f64::clamp`, which panics if the bounds are the wrong way round.
            Self::Clamp => a.max(b).min(c),
            Self::Smoothstep => smoothstep(a, b, c),
            Self::Mix => a + (b - a) * c,
        }
    }

    /// Message parts for a result that is not finite: operation, argument, remedy.
    fn error_parts(self, a: f64, b: f64) -> (&'static str, f64, &'static str) {
        const BIG: &str = "keep the numbers smaller";
        match self {
            Self::Divide if b == 0.0 => ("a division by", b, "keep the divisor away from 0"),
            Self::Divide => ("a quotient of", a, BIG),
            Self::Power => ("a power of", a, "keep the base above 0, or the exponent whole"),
            Self::Exp => ("the exponential of", a, "keep it below 700"),
            Self::Ln => ("the logarithm of", a, "keep it above 0, as with max(a, 1e-6)"),
            Self::Sqrt => ("the root of", a, "keep it at 0 or more, as with max(a, 0)"),
            Self::Multiply => ("a product of", a, BIG),
            _ => ("the result for", a, BIG),
        }
    }
}

/// 0 below `low`, 1 above `high`, a smooth rise between; a step if both are equal.
fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    if low == high {
        return if x < low { 0.0 } else { 1.0 };
    }
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Number(f64),
    /// Index of an attribute.
    Variable(usize),
    Apply(Function),
}

/// Steps of a formula, each with its column in the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Program {
    steps: Vec<(Step, usize)>,
    depth: usize,
}

impl Program {
    /// Appends a step; an error if the stack would overflow.
    pub(super) fn push(&mut self, step: Step, column: usize) -> Result<(), FormulaError> {
        match step {
            Step::Number(_) | Step::Variable(_) => self.depth += 1,
            Step::Apply(function) => self.depth -= function.arity() - 1,
        }
        if self.depth > DEPTH {
            return Err(FormulaError::TooDeep { column, most: DEPTH });
        }
        self.steps.push((step, column));
        Ok(())
    }

    /// Runs the program for one point; `variable` returns its attributes.
    pub(super) fn run(
        &self,
        point: usize,
        variable: impl Fn(usize) -> f64,
    ) -> Result<f64, FormulaError> {
        let mut stack = [0.0; DEPTH];
        let mut top = 0;
        for &(step, column) in &self.steps {
            let (value, what, asked, help) = match step {
                Step::Number(value) => (value, "the number", value, "write a smaller one"),
                Step::Variable(slot) => {
                    let value = variable(slot);
                    (value, "the attribute value", value, "repair the body's points or attributes")
                }
                Step::Apply(function) => {
                    top -= function.arity();
                    // Entries beyond its arguments are stale and unused.
                    let number = |i: usize| stack.get(top + i).copied().unwrap_or_default();
                    let (a, b, c) = (number(0), number(1), number(2));
                    let (what, asked, help) = function.error_parts(a, b);
                    (function.of(a, b, c), what, asked, help)
                }
            };
            if !value.is_finite() {
                return Err(FormulaError::Undefined { point, column, what, value: asked, help });
            }
            stack[top] = value;
            top += 1;
        }
        Ok(stack[0])
    }
}
