//! Numerical methods that do not depend on the rest of the crate.

pub mod banded;
pub mod banded_blocks;
pub mod banded_points;
pub mod banded_qr;
pub mod complex;
pub mod fnv;
pub mod hermitian;
pub mod ops;
pub mod quadrature;
pub mod root;
pub mod rotor;
pub mod tridiagonal;
mod two;

/// Largest number of a document or of a file that it loads, in any unit. Squares and products of two
/// such numbers are far from overflow, so later sums need no check.
pub const MAX_VALUE: f64 = 1e100;

/// Returns true for a finite number of at most [`MAX_VALUE`] in size.
pub fn is_in_range(x: f64) -> bool {
    x.abs() <= MAX_VALUE
}
