//! 256 colours or fewer for a picture that has thousands.
//!
//! If there are few enough, they are the palette, exactly. Else the colours are counted in
//! cells of a 32 by 32 by 32 cube, and `NeuQuant` (Dekker 1994, by the crate `color_quant`) learns
//! from them. Then every colour moves into the middle of those that it stands for, a few times:
//! the net alone leaves rare colours off by 20 of 255.
//!
//! # Where we leave the usual way
//!
//! `NeuQuant` is usually shown the pixels themselves, so that what covers the picture takes most of
//! the palette, and a thin red rope before a large grey wall turns grey. We show it each cell as
//! often as the *square root* of its pixels. In `a_thin_line_keeps_its_colour` the worst shade of a
//! red line is then off by 23 of 255, and by 59 with the usual weights.
//!
//! Tests: `few_colours_are_exact`, `a_thin_line_keeps_its_colour`, `nothing_is_a_palette_too`.

use std::collections::{HashMap, hash_map::Entry};

use color_quant::NeuQuant;

/// Bits of a channel that choose a cell when colours are counted.
const COUNT_BITS: u32 = 5;

/// Bits of a channel that choose a cell when a colour is looked up. The cell's middle stands for
/// all of it, which is off by 2 of 255 at most.
const LOOK_BITS: u32 = 6;

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
    /// Which colour each cell was found to be nearest to.
    Learnt(Vec<u16>),
}

/// Colours that are counted together.
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
    /// A palette of `most` colours (64 to 256) or fewer.
    pub(super) fn of(colours: impl Iterator<Item = [u8; 3]> + Clone, most: usize) -> Self {
        if let Some(exact) = Self::exact(colours.clone(), most) {
            return exact;
        }
        let mut cells = vec![Cell::default(); 1 << (3 * COUNT_BITS)];
        for colour in colours {
            cells[index(colour, COUNT_BITS)].add(colour, 1);
        }
        let lesson: Vec<([u8; 3], u32)> = cells
            .iter()
            .filter(|cell| cell.count > 0)
            .map(|cell| (mean(cell.sum, cell.count), cell.count.isqrt()))
            .collect();
        let colours = polished(learnt(&lesson, most), &lesson);
        Self { colours, kind: Kind::Learnt(vec![UNKNOWN; 1 << (3 * LOOK_BITS)]) }
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

    /// Whether it has every colour it was made from.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.kind, Kind::Exact(_))
    }

    /// Which colour comes nearest to one. An exact palette is asked for its own colours only.
    pub(super) fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        match &mut self.kind {
            Kind::Exact(known) => known.get(&colour).copied().unwrap_or(0),
            Kind::Learnt(found) => {
                let cell = &mut found[index(colour, LOOK_BITS)];
                if *cell == UNKNOWN {
                    let rest = 8 - LOOK_BITS;
                    let middle = colour.map(|c| (c >> rest << rest) | (1 << (rest - 1)));
                    *cell = nearest(&self.colours, middle) as u16;
                }
                *cell as u8
            }
        }
    }
}

/// Palette of weighted colours.
fn learnt(lesson: &[([u8; 3], u32)], most: usize) -> Vec<[u8; 3]> {
    let mut shown = Vec::new();
    for ([r, g, b], times) in lesson {
        (0..*times).for_each(|_| shown.extend([*r, *g, *b, 255]));
    }
    // It walks in steps of about 500 pixels and wants to meet each.
    while shown.len() < 4 * 2048 {
        shown.extend_from_within(..);
    }
    NeuQuant::new(THOROUGH, most, &shown).color_map_rgb().as_chunks().0.to_vec()
}

/// Moves every colour into the middle of those that are nearest to it (Lloyd 1982).
fn polished(mut colours: Vec<[u8; 3]>, lesson: &[([u8; 3], u32)]) -> Vec<[u8; 3]> {
    for _ in 0..POLISH {
        let mut drawn = vec![Cell::default(); colours.len()];
        for (colour, times) in lesson {
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
    fn nothing_is_a_palette_too() {
        assert!(Palette::of(std::iter::empty(), 255).colours().is_empty());
    }

    #[test]
    fn a_thin_line_keeps_its_colour() {
        // Four hundred thousand pixels of a soft wall, and a line of forty shades of red, ten
        // pixels each.
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
