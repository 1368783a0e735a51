//! Samples of a pixel that see the same strand, for qualities that shade once per strand.
//!
//! Visibility costs little and shading much. So all samples of a pixel look for their strand, which
//! gives smooth edges, and each strand is shaded only at the first sample that sees it.
//!
//! Tests: `samples_are_counted_per_strand`, `more_strands_than_rows_are_refused`;
//! `drafts_have_smooth_edges` among the tests of pictures.

use super::shade::FirstHit;
use crate::camera::Ray;

/// Strands that a pixel may have; samples of further ones are shaded one by one.
const MOST: usize = 4;

/// Samples of a pixel that see one strand, or nothing.
#[derive(Clone, Copy)]
pub(crate) struct Sighting {
    /// Strand, or `None` for nothing.
    strand: Option<u32>,
    /// Hit, ray and index of the first sample that sees it.
    pub hit: FirstHit,
    pub ray: Ray,
    pub sample: usize,
    /// Number of samples that see it.
    pub samples: f64,
}

/// Strands that the samples of a pixel see, in the order of the samples.
#[derive(Default)]
pub(crate) struct Sightings {
    rows: [Option<Sighting>; MOST],
}

impl Sightings {
    /// Counts a sample; returns whether there was room for it.
    pub(crate) fn add(
        &mut self,
        strand: Option<u32>,
        hit: FirstHit,
        ray: Ray,
        sample: usize,
    ) -> bool {
        for row in &mut self.rows {
            match row {
                Some(found) if found.strand == strand => found.samples += 1.0,
                Some(_) => continue,
                None => *row = Some(Sighting { strand, hit, ray, sample, samples: 1.0 }),
            }
            return true;
        }
        false
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Sighting> {
        self.rows.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    const RAY: Ray = Ray { origin: DVec3::ZERO, direction: DVec3::X };

    #[test]
    fn samples_are_counted_per_strand() {
        let mut seen = Sightings::default();
        for (sample, strand) in [Some(7), None, Some(7), Some(2), None, Some(7)].iter().enumerate()
        {
            assert!(seen.add(*strand, FirstHit::Nothing, RAY, sample));
        }
        let found: Vec<_> = seen.iter().map(|s| (s.strand, s.sample, s.samples)).collect();
        assert_eq!(found, [(Some(7), 0, 3.0), (None, 1, 2.0), (Some(2), 3, 1.0)]);
    }

    #[test]
    fn more_strands_than_rows_are_refused() {
        let mut seen = Sightings::default();
        let strands = 0..MOST as u32 + 1;
        let added: Vec<bool> =
            strands.map(|strand| seen.add(Some(strand), FirstHit::Nothing, RAY, 0)).collect();
        assert_eq!(added, [true, true, true, true, false]);
    }
}
