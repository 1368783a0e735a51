//! Formatting of numbers in warnings.

/// Modulus of steel, in pascals. Hardly any material is stiffer.
pub(super) const STEEL: f64 = 2e11;

/// The highest `rate` that the schema allows.
pub(super) const HIGHEST_RATE: f64 = 1e6;

/// A number with four significant digits: `15.71`, `29530`; with a power of ten if it is very large or
/// very small: `2e11`.
pub(super) fn digits(number: f64) -> String {
    let rounded = format!("{number:.3e}").parse().unwrap_or(number);
    let plain = rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs());
    if plain { rounded.to_string() } else { format!("{rounded:e}") }
}

/// A length in metres, rounded up to the millimetre so that it suffices.
pub(super) fn at_least(metres: f64) -> String {
    format!("{:.3}", suffices(metres))
}

/// A length in metres, rounded up to the millimetre.
pub(super) fn suffices(metres: f64) -> f64 {
    (metres * 1000.0 + 1e-6).ceil() / 1000.0
}

/// A position in the notation of documents, to the millimetre.
pub(super) fn place(at: glam::DVec3) -> String {
    format!("[{:.3}, {:.3}, {:.3}]", at.x, at.y, at.z)
}
