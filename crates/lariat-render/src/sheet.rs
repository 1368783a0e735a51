//! Contact sheet: frames side by side in one picture, each with its number and an optional caption.
//!
//! Pictures are added one at a time, so none has to be kept. If the last row is not full, it is
//! centred.
//!
//! Tests: `pictures_are_in_their_cells`, `frame_numbers_are_drawn`, `captions_are_drawn`,
//! `rows_are_full_where_possible`, `an_incomplete_row_is_centred`, `long_captions_are_shortened`,
//! `pictures_that_do_not_fit_are_refused`.

use glam::DVec2;

use crate::{
    Picture, RenderError, Size,
    overlay::{Canvas, Ink, LEAST_LETTER},
    typeface,
};

/// Colours of the paper, of captions, and of numbers beside a caption.
const PAPER: [u8; 4] = [30, 31, 34, 255];
const INK: Ink = Ink::full([226, 228, 232]);
const PALER: Ink = Ink::full([150, 153, 160]);

/// Narrowest and widest sheet without empty cells, as width over height: three frames of 16:9 are a
/// row, five are not.
const SHAPES: std::ops::RangeInclusive<f64> = 0.6..=5.5;

/// Width over height of a screen.
const SCREEN: f64 = 16.0 / 9.0;

/// A contact sheet.
#[derive(Clone, Debug)]
pub struct Sheet {
    cell: Size,
    columns: u32,
    count: usize,
    /// Height of capitals in pixels.
    letter: f64,
    captions: Vec<String>,
    paper: Picture,
}

impl Sheet {
    /// An empty sheet for `count` pictures of one size.
    pub fn new(cell: Size, count: usize, columns: u32) -> Result<Self, RenderError> {
        let columns = columns.clamp(1, count.clamp(1, 1 << 16) as u32);
        let rows = count.div_ceil(columns as usize).max(1);
        // Letters grow more slowly than cells: a large cell is looked at more closely.
        let short = f64::from(cell.height().min(cell.width()));
        let letter = (0.8 * short.sqrt()).round().max(LEAST_LETTER);
        let paper = Picture::new(Size::new(1, 1)?, PAPER);
        let mut sheet = Self { cell, columns, count, letter, captions: Vec::new(), paper };
        let side = |cells: u64, cell: u64, gap: u64| cells * (cell + gap) + gap;
        let gap = u64::from(sheet.gap());
        let width = side(u64::from(columns), u64::from(cell.width()), gap);
        let height = side(rows as u64, u64::from(cell.height()) + u64::from(sheet.label()), gap);
        let short = |x: u64| u32::try_from(x).unwrap_or(u32::MAX);
        sheet.paper = Picture::new(Size::new(short(width), short(height))?, PAPER);
        Ok(sheet)
    }

    /// Sets the captions of the pictures, in order.
    #[must_use]
    pub fn with_captions(self, captions: Vec<String>) -> Self {
        Self { captions, ..self }
    }

    /// Number of columns with full rows that gives the sheet about the shape of a screen; if there
    /// is none, the one with the fewest empty cells.
    pub fn columns_for(cell: Size, count: usize) -> u32 {
        let count = count.clamp(1, 1 << 16);
        let judged = (1..=count).map(|columns| {
            let rows = count.div_ceil(columns);
            let shape = cell.aspect() * columns as f64 / rows as f64;
            let empty = if SHAPES.contains(&shape) { columns * rows - count } else { count };
            (columns, empty, (shape / SCREEN).max(SCREEN / shape))
        });
        // Of equally good ones, the widest, because screens and pages are scrolled down.
        let better = |a: &(usize, usize, f64), b: &(usize, usize, f64)| {
            let nearly = 1.0 + 1e-9;
            b.1 < a.1 || (b.1 == a.1 && b.2 <= a.2 * nearly)
        };
        let best = judged.reduce(|a, b| if better(&a, &b) { b } else { a });
        best.map_or(1, |(columns, ..)| columns as u32)
    }

    /// Adds a picture to a cell, counted from 0, row by row. Below it are its caption and its frame
    /// number.
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
        let at = DVec2::new(left.into(), (top + self.cell.height()).into());
        self.write(index, frame, at + DVec2::new(0.0, (0.6 * self.letter).round()));
        Ok(())
    }

    /// Returns the sheet.
    pub fn finish(self) -> Picture {
        self.paper
    }

    fn gap(&self) -> u32 {
        (0.8 * self.letter).round() as u32
    }

    /// Height of the line with caption and number.
    fn label(&self) -> u32 {
        (1.7 * self.letter).round() as u32
    }

    fn corner(&self, index: usize) -> (u32, u32) {
        let columns = self.columns as usize;
        let (column, row) = ((index % columns) as u32, (index / columns) as u32);
        let gap = self.gap();
        let empty = (row + 1) as usize * columns - self.count.min((row + 1) as usize * columns);
        let centred = empty as u32 * (self.cell.width() + gap) / 2;
        (
            gap + column * (self.cell.width() + gap) + centred,
            gap + row * (self.cell.height() + self.label() + gap),
        )
    }

    fn set(&mut self, x: u32, y: u32, colour: [u8; 4]) {
        let size = self.paper.size();
        if x < size.width() && y < size.height() {
            self.paper.pixels_mut()[y as usize * size.width() as usize + x as usize] = colour;
        }
    }

    /// Writes the caption on the left and the number on the right, or the number on the left if
    /// there is no caption. A number without space is left out.
    fn write(&mut self, index: usize, frame: i64, at: DVec2) {
        let letter = self.letter;
        let number = format!("frame {frame}");
        let room = f64::from(self.cell.width());
        let mut canvas = Canvas::new(&mut self.paper).with_letter(letter);
        let Some(caption) = self.captions.get(index).filter(|caption| !caption.is_empty()) else {
            // A narrow cell has space for the digits alone.
            let fits = typeface::width(&number, letter) <= room;
            let number = if fits { number } else { frame.to_string() };
            return canvas.text(&number, at, INK);
        };
        let caption = shortened(caption, letter, room);
        canvas.text(&caption, at, INK);
        let used = typeface::width(&caption, letter) + letter;
        let left = room - typeface::width(&number, letter);
        if left >= used {
            canvas.text(&number, at + DVec2::new(left, 0.0), PALER);
        }
    }
}

/// The text, or as much of its beginning as fits into a width, followed by an ellipsis.
fn shortened(text: &str, letter: f64, room: f64) -> String {
    if typeface::width(text, letter) <= room {
        return text.to_owned();
    }
    let mut start: String = text.to_owned();
    loop {
        let end = if start.pop().is_none() { "" } else { "…" };
        let short = format!("{}{end}", start.trim_end());
        if end.is_empty() || typeface::width(&short, letter) <= room {
            return short;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_in_their_cells() {
        let cell = Size::new(10, 6).unwrap();
        let mut sheet = Sheet::new(cell, 6, 3).unwrap();
        for k in 0..6u8 {
            let picture = Picture::new(cell, [50 * k, 0, 255, 255]);
            sheet.put(k as usize, i64::from(k), &picture).unwrap();
        }
        let sheet = sheet.finish();
        let (gap, line) = (6, 14);
        let size = (gap + 3 * (10 + gap), gap + 2 * (6 + line + gap));
        assert_eq!((sheet.size().width(), sheet.size().height()), size);
        for k in 0..6u32 {
            let (x, y) = (gap + (k % 3) * (10 + gap), gap + (k / 3) * (6 + line + gap));
            assert_eq!(sheet.at(x, y), [50 * k as u8, 0, 255, 255]);
            assert_eq!(sheet.at(x + 9, y + 5), [50 * k as u8, 0, 255, 255]);
            assert_eq!(sheet.at(x + 10, y), PAPER);
        }
    }

    #[test]
    fn an_incomplete_row_is_centred() {
        let cell = Size::new(10, 6).unwrap();
        let mut sheet = Sheet::new(cell, 5, 3).unwrap();
        for k in 0..5 {
            sheet.put(k, 0, &Picture::new(cell, [255, 0, 0, 255])).unwrap();
        }
        let sheet = sheet.finish();
        let red = |y: u32| -> Vec<u32> {
            (0..sheet.size().width()).filter(|x| sheet.at(*x, y) == [255, 0, 0, 255]).collect()
        };
        let (full, short) = (red(8), red(34));
        assert_eq!((full.len(), short.len()), (30, 20));
        let right = sheet.size().width() - 1;
        assert_eq!(short[0], right - short[19], "as much paper on the left as on the right");
    }

    #[test]
    fn rows_are_full_where_possible() {
        let wide = Size::new(480, 270).unwrap();
        let columns = |count| Sheet::columns_for(wide, count);
        let even = [(1, 1), (2, 2), (3, 3), (4, 2), (6, 3), (8, 4), (9, 3), (10, 5), (12, 4)];
        for (count, expected) in even {
            assert_eq!((columns(count), count as u32 % columns(count)), (expected, 0), "{count}");
        }
        // A row of five or seven is too wide; one cell stays empty.
        assert_eq!([5, 7, 11].map(columns), [3, 4, 4]);
        assert_eq!(Sheet::columns_for(Size::new(200, 200).unwrap(), 5), 5);
        assert_eq!(Sheet::columns_for(Size::new(90, 160).unwrap(), 6), 6);
        assert_eq!(columns(0), 1);
    }

    fn labelled(frame: i64, captions: &[&str], cell: (u32, u32)) -> Picture {
        let cell = Size::new(cell.0, cell.1).unwrap();
        let captions = captions.iter().map(|text| (*text).to_owned()).collect();
        let mut sheet = Sheet::new(cell, 1, 1).unwrap().with_captions(captions);
        sheet.put(0, frame, &Picture::new(cell, [0; 4])).unwrap();
        sheet.finish()
    }

    /// Columns with ink, from the first to the last.
    fn inked(sheet: &Picture) -> (u32, u32) {
        let size = sheet.size();
        let rows = |x: &u32| (0..size.height()).any(|y| sheet.at(*x, y) != PAPER);
        let columns: Vec<u32> = (0..size.width()).filter(rows).collect();
        (columns[0], *columns.last().unwrap())
    }

    #[test]
    fn frame_numbers_are_drawn() {
        let number = |frame| labelled(frame, &[], (300, 169));
        assert_ne!(number(12), number(21));
        let (first, last) = inked(&number(44));
        let letter = 10.0;
        let wide = typeface::width("frame 44", letter);
        assert!(first < 12 && (f64::from(last - first) - wide).abs() < 3.0, "{first} {last}");
        // A cell without space for the word has the digits alone.
        let (first, last) = inked(&labelled(44, &[], (20, 12)));
        assert!(last - first < 16, "{first} {last}");
    }

    #[test]
    fn captions_are_drawn() {
        let sheet = labelled(44, &["pulled"], (300, 169));
        assert_ne!(sheet, labelled(44, &["pushed"], (300, 169)));
        assert_ne!(sheet, labelled(45, &["pulled"], (300, 169)));
        let (first, last) = inked(&sheet);
        assert!(first < 12 && last > 300, "the number is on the right: {first} {last}");
        assert_eq!(labelled(44, &[""], (300, 169)), labelled(44, &[], (300, 169)));
    }

    #[test]
    fn long_captions_are_shortened() {
        let long = "a caption that is longer than its picture is wide";
        let short = shortened(long, 8.0, 100.0);
        assert!(short.ends_with('…') && long.starts_with(short.trim_end_matches('…')), "{short}");
        let width = typeface::width(&short, 8.0);
        assert!(width <= 100.0 && width > 85.0, "{width}");
        assert_eq!(
            (shortened("ab", 8.0, 100.0), shortened("ab", 8.0, 1.0)),
            ("ab".into(), String::new())
        );
        let (first, last) = inked(&labelled(1, &[long], (100, 60)));
        assert!(first >= 6 && last < 106, "{first} {last}");
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
    }
}
