//! Palettes of at most 256 colours for pictures with thousands.
//!
//! If there are few enough colours, they are the palette, exactly. Otherwise colours are counted in
//! cells of a 32 by 32 by 32 cube, and `NeuQuant` (Dekker 1994, in the crate `color_quant`) learns
//! from them. Then every colour of the palette moves to the mean of its pixels, a few times: the
//! net alone leaves rare colours off by 20 of 255.
//!
//! # Differences from `NeuQuant`
//!
//! `NeuQuant` usually trains on the pixels, so large areas take most of the palette, and a thin red
//! rope in front of a large grey wall turns grey. Here each cell is presented as often as the
//! *square root* of its number of pixels. In `a_thin_line_keeps_its_colour` the worst shade of a
//! red line is then off by 23 of 255, and by 59 with the usual weights.
//!
//! Tests: `few_colours_are_exact`, `a_thin_line_keeps_its_colour`,
//! `an_empty_picture_has_a_palette`.

use std::collections::{HashMap, hash_map::Entry};

use color_quant::NeuQuant;

/// Bits per channel of a cell for counting colours.
const COUNT_BITS: u32 = 5;

/// Bits per channel of a cell for looking up a colour. The centre represents the cell, with an
/// error of at most 2 of 255.
const LOOKUP_BITS: u32 = 6;

/// Sampling factor of `NeuQuant`, from fast (30) to thorough (1). Its input here is small.
const THOROUGH: i32 = 1;

/// Iterations that move each colour to the mean of its pixels. After three they hardly move.
const POLISH: usize = 3;

const UNKNOWN: u16 = u16::MAX;

pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    kind: Kind,
}

enum Kind {
    Exact(HashMap<[u8; 3], u8>),
    /// Nearest colour of each cell, once looked up.
    Learnt(Vec<u16>),
}

/// Colours counted together.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    sum: [u32; 3],
}

impl Cell {
    fn add(&mut self, colour: [u8; 3], times: u32) {
        self.count += times;
        for (sum, c) in self.sum.iter_mut().zip(colour) {
            *sum += u32::from(c) * times;
        }
    }
}

impl Palette {
    /// A palette of at most `most` colours (64 to 256).
    pub(super) fn of(colours: impl Iterator<Item = [u8; 3]> + Clone, most: usize) -> Self {
        if let Some(exact) = Self::exact(colours.clone(), most) {
            return exact;
        }
        let mut cells = vec![Cell::default(); 1 << (3 * COUNT_BITS)];
        for colour in colours {
            cells[index(colour, COUNT_BITS)].add(colour, 1);
        }
        let training: Vec<([u8; 3], u32)> = cells
            .iter()
            .filter(|cell| cell.count > 0)
            .map(|cell| (mean(cell.sum, cell.count), cell.count.isqrt()))
            .collect();
        let colours = polished(learnt(&training, most), &training);
        Self { colours, kind: Kind::Learnt(vec![UNKNOWN; 1 << (3 * LOOKUP_BITS)]) }
    }

    fn exact(colours: impl Iterator<Item = [u8; 3]>, most: usize) -> Option<Self> {
        let mut known = HashMap::new();
        let mut list = Vec::new();
        let mut last = None;
        for colour in colours {
            if last == Some(colour) {
                continue;
            }
            last = Some(colour);
            if let Entry::Vacant(place) = known.entry(colour) {
                if list.len() == most {
                    return None;
                }
                place.insert(list.len() as u8);
                list.push(colour);
            }
        }
        Some(Self { colours: list, kind: Kind::Exact(known) })
    }

    /// The colours, in order.
    pub(super) fn colours(&self) -> &[[u8; 3]] {
        &self.colours
    }

    /// Whether it contains every colour of its input.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Exact(_))
    }

    /// Index of the nearest colour. An exact palette is queried only for its own colours.
    pub(super) fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        match &mut self.kind {
            Kind::Exact(known) => known.get(&colour).copied().unwrap_or(0),
            Kind::Learnt(found) => {
                let cell = &mut found[index(colour, LOOKUP_BITS)];
                if *cell == UNKNOWN {
                    let rest = 8 - LOOKUP_BITS;
                    let middle = colour.map(|c| (c >> rest << rest) | (1 << (rest - 1)));
                    *cell = nearest(&self.colours, middle) as u16;
                }
                *cell as u8
            }
        }
    }
}

/// Palette of weighted colours.
fn learnt(training: &[([u8; 3], u32)], most: usize) -> Vec<[u8; 3]> {
    let mut shown = Vec::new();
    for ([r, g, b], times) in training {
        (0..*times).for_each(|_| shown.extend([*r, *g, *b, 255]));
    }
    // It advances in steps of about 500 pixels and should visit each.
    while shown.len() < 4 * 2048 {
        shown.extend_from_within(..);
    }
    NeuQuant::new(THOROUGH, most, &shown).color_map_rgb().as_chunks().0.to_vec()
}

/// Moves every colour to the mean of those that are nearest to it (Lloyd 1982).
fn polished(mut colours: Vec<[u8; 3]>, training: &[([u8; 3], u32)]) -> Vec<[u8; 3]> {
    for _ in 0..POLISH {
        let mut drawn = vec![Cell::default(); colours.len()];
        for (colour, times) in training {
            drawn[nearest(&colours, *colour)].add(*colour, *times);
        }
        for (colour, cell) in colours.iter_mut().zip(drawn) {
            if cell.count > 0 {
                *colour = mean(cell.sum, cell.count);
            }
        }
    }
    colours
}

fn nearest(colours: &[[u8; 3]], to: [u8; 3]) -> usize {
    let distance = |colour: &[u8; 3]| -> u32 {
        colour.iter().zip(to).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    (0..colours.len()).min_by_key(|i| distance(&colours[*i])).unwrap_or(0)
}

fn mean(sum: [u32; 3], count: u32) -> [u8; 3] {
    sum.map(|sum| ((sum + count / 2) / count) as u8)
}

fn index(colour: [u8; 3], bits: u32) -> usize {
    colour.into_iter().fold(0, |index, c| index << bits | usize::from(c >> (8 - bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_exact() {
        let colours: Vec<[u8; 3]> = (0..255).map(|i| [i, 255 - i, i / 2]).collect();
        let mut palette = Palette::of(colours.iter().copied().cycle().take(3000), 255);
        assert!(palette.is_exact());
        for colour in &colours {
            let i = palette.nearest(*colour);
            assert_eq!(palette.colours()[usize::from(i)], *colour);
        }
        assert!(!Palette::of(colours.into_iter().chain([[7, 7, 7]]), 255).is_exact());
    }

    #[test]
    fn an_empty_picture_has_a_palette() {
        assert!(Palette::of(std::iter::empty(), 255).colours().is_empty());
    }

    #[test]
    fn a_thin_line_keeps_its_colour() {
        // 400,000 pixels of a smooth wall, and a line of forty shades of red with ten pixels each.
        let wall = (0..400_000_u32).map(|k| {
            let grey = 60 + (k % 150) as u8;
            [grey, grey.saturating_add((k / 150 % 40) as u8), grey.saturating_add((k / 6000) as u8)]
        });
        let line = (0..40).map(|i| [110 + 3 * i, 20 + i, 15 + i]);
        let thin = line.clone().flat_map(|colour| [colour; 10]);
        let mut palette = Palette::of(wall.chain(thin), 255);
        let off = line.map(|colour| {
            let i = palette.nearest(colour);
            let found = palette.colours()[usize::from(i)];
            found.iter().zip(colour).map(|(a, b)| a.abs_diff(b)).max()
        });
        let worst = off.max().flatten();
        assert!(worst <= Some(30), "a shade is off by {worst:?} of 255");
    }
}
