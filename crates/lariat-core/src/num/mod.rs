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
