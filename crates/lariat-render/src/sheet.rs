//! Contact sheet: frames side by side in one picture, each with its number.
//!
//! Pictures are added one at a time, so none has to be kept.
//!
//! Tests: `pictures_are_in_their_cells`, `frame_numbers_are_drawn`,
//! `pictures_that_do_not_fit_are_refused`.

use crate::{Picture, RenderError, Size, typeface::dots};

/// Colours of the paper and of the numbers.
const PAPER: [u8; 4] = [30, 31, 34, 255];
const INK: [u8; 4] = [216, 218, 222, 255];

/// A contact sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    cell: Size,
    columns: u32,
    count: usize,
    /// Pixels per dot of a digit.
    dot: u32,
    paper: Picture,
}

impl Sheet {
    /// An empty sheet for `count` pictures of one size.
    pub fn new(cell: Size, count: usize, columns: u32) -> Result<Self, RenderError> {
        let columns = columns.clamp(1, count.clamp(1, 1 << 16) as u32);
        let rows = count.div_ceil(columns as usize).max(1);
        let dot = (cell.height() / 120).clamp(1, 8);
        let mut sheet =
            Self { cell, columns, count, dot, paper: Picture::new(Size::new(1, 1)?, PAPER) };
        let side = |cells: u64, cell: u64, gap: u64| cells * (cell + gap) + gap;
        let gap = u64::from(sheet.gap());
        let width = side(u64::from(columns), u64::from(cell.width()), gap);
        let height = side(rows as u64, u64::from(cell.height()) + u64::from(sheet.label()), gap);
        let short = |x: u64| u32::try_from(x).unwrap_or(u32::MAX);
        sheet.paper = Picture::new(Size::new(short(width), short(height))?, PAPER);
        Ok(sheet)
    }

    /// Number of columns that gives the sheet about the aspect ratio of a screen.
    pub fn columns_for(cell: Size, count: usize) -> u32 {
        let wanted = (count.max(1) as f64 * 1.78 / cell.aspect()).sqrt();
        (wanted.round() as u32).max(1)
    }

    /// Adds a picture to a cell, counted from 0, row by row, with its frame number below.
    pub fn put(&mut self, index: usize, frame: i64, picture: &Picture) -> Result<(), RenderError> {
        if index >= self.count {
            return Err(RenderError::NoCell { index, count: self.count });
        }
        if picture.size() != self.cell {
            return Err(RenderError::Cell {
                width: self.cell.width(),
                height: self.cell.height(),
                found_width: picture.size().width(),
                found_height: picture.size().height(),
            });
        }
        let (left, top) = self.corner(index);
        for y in 0..self.cell.height() {
            for x in 0..self.cell.width() {
                let over = picture.at(x, y);
                let mix = |c: usize| {
                    let (a, b) = (u32::from(over[c]), u32::from(PAPER[c]));
                    let alpha = u32::from(over[3]);
                    ((a * alpha + b * (255 - alpha) + 127) / 255) as u8
                };
                self.set(left + x, top + y, [mix(0), mix(1), mix(2), 255]);
            }
        }
        self.write(&frame.to_string(), left, top + self.cell.height() + 2 * self.dot);
        Ok(())
    }

    /// Returns the sheet.
    pub fn finish(self) -> Picture {
        self.paper
    }

    fn gap(&self) -> u32 {
        4 * self.dot
    }

    /// Height of the line with the number.
    fn label(&self) -> u32 {
        10 * self.dot
    }

    fn corner(&self, index: usize) -> (u32, u32) {
        let (column, row) = (index as u32 % self.columns, (index / self.columns as usize) as u32);
        let gap = self.gap();
        (
            gap + column * (self.cell.width() + gap),
            gap + row * (self.cell.height() + self.label() + gap),
        )
    }

    fn set(&mut self, x: u32, y: u32, colour: [u8; 4]) {
        let size = self.paper.size();
        if x < size.width() && y < size.height() {
            self.paper.pixels_mut()[y as usize * size.width() as usize + x as usize] = colour;
        }
    }

    fn write(&mut self, text: &str, left: u32, top: u32) {
        let dot = self.dot;
        for (x, y) in dots(text) {
            for (dx, dy) in (0..dot).flat_map(|y| (0..dot).map(move |x| (x, y))) {
                self.set(left + x * dot + dx, top + y * dot + dy, INK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_in_their_cells() {
        let cell = Size::new(10, 6).unwrap();
        let mut sheet = Sheet::new(cell, 5, 3).unwrap();
        for k in 0..5u8 {
            let picture = Picture::new(cell, [50 * k, 0, 255, 255]);
            sheet.put(k as usize, i64::from(k), &picture).unwrap();
        }
        let sheet = sheet.finish();
        assert_eq!((sheet.size().width(), sheet.size().height()), (4 + 3 * 14, 4 + 2 * 20));
        for k in 0..5u32 {
            let (x, y) = (4 + (k % 3) * 14, 4 + (k / 3) * 20);
            assert_eq!(sheet.at(x, y), [50 * k as u8, 0, 255, 255]);
            assert_eq!(sheet.at(x + 9, y + 5), [50 * k as u8, 0, 255, 255]);
            assert_eq!(sheet.at(x + 10, y), PAPER);
        }
        assert_eq!(sheet.at(4 + 2 * 14, 4 + 20), PAPER, "the sixth cell is empty");
    }

    #[test]
    fn frame_numbers_are_drawn() {
        let cell = Size::new(20, 10).unwrap();
        let numbered = |frame: i64| {
            let mut sheet = Sheet::new(cell, 1, 1).unwrap();
            sheet.put(0, frame, &Picture::new(cell, [0; 4])).unwrap();
            sheet.finish()
        };
        let ink = |sheet: &Picture| sheet.pixels().iter().filter(|p| **p == INK).count();
        // A 1 has ten dots, a minus three.
        assert_eq!(ink(&numbered(1)), 10);
        assert_eq!(ink(&numbered(-1)), 13);
        assert_ne!(numbered(12), numbered(21));
    }

    #[test]
    fn pictures_that_do_not_fit_are_refused() {
        let cell = Size::new(10, 6).unwrap();
        let mut sheet = Sheet::new(cell, 2, 2).unwrap();
        let picture = Picture::new(Size::new(6, 10).unwrap(), PAPER);
        let error = sheet.put(0, 1, &picture).unwrap_err().to_string();
        assert_eq!(error, "a picture of 6x10 pixels does not fit a cell of 10x6");
        let error = sheet.put(2, 1, &picture).unwrap_err().to_string();
        assert_eq!(error, "cell 2 is out of range; the sheet has 2 cells");
        assert!(Sheet::new(Size::new(10_000, 10_000).unwrap(), 100, 10).is_err());
        assert_eq!(Sheet::columns_for(Size::new(160, 90).unwrap(), 9), 3);
    }
}
