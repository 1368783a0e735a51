//! Formatting of numbers and text; most of the time of an export is spent here.
//!
//! Numbers have the fewest digits that read back as the same bits. For USD these are 32-bit
//! numbers; USD reads them as 64-bit ones and rounds, which gives the same bits for every finite
//! `f32` but one (all were tried), and that one is written with more digits. Directions are written
//! with a fixed number of decimals, which is shorter and three times as fast.

/// The only `f32` whose shortest decimal comes back as its neighbour when read through an `f64`.
const NOT_ROUND_TRIPPING: f32 = 7.038_531e-26;

/// Digits of 00–99, to write two at a time.
const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819\
2021222324252627282930313233343536373839\
4041424344454647484950515253545556575859\
6061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";

/// A buffer of formatted text.
#[derive(Debug, Default)]
pub(crate) struct TextBuffer {
    bytes: Vec<u8>,
}

impl TextBuffer {
    /// An empty buffer.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// An empty buffer with a capacity of `bytes`.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    /// The bytes written so far.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends a byte.
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends text.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Opens the `index`-th vector of a list: `(`, after a comma unless it is the first.
    pub(crate) fn open_vector(&mut self, index: usize) {
        if index > 0 {
            self.byte(b',');
        }
        self.byte(b'(');
    }

    /// Appends an integer.
    pub(crate) fn whole(&mut self, value: i64) {
        if value < 0 {
            self.byte(b'-');
        }
        self.count(value.unsigned_abs());
    }

    /// Appends an unsigned integer.
    pub(crate) fn count(&mut self, mut value: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.bytes(&digits[at..]);
    }

    /// Appends the shortest number that reads back as the same `f64`; `value` must be finite.
    pub(crate) fn double(&mut self, value: f64) {
        // Adding zero turns -0 into 0, which not every reader distinguishes.
        self.number(zmij::Buffer::new().format_finite(value + 0.0));
    }

    /// Appends the shortest number that reads back as the same `f32`; `value` must be finite.
    pub(crate) fn single(&mut self, value: f32) {
        if value.abs() == NOT_ROUND_TRIPPING {
            self.double(f64::from(value));
        } else {
            self.number(zmij::Buffer::new().format_finite(value + 0.0));
        }
    }

    /// Appends digits, `1.0` as `1`.
    fn number(&mut self, digits: &str) {
        let digits = digits.as_bytes();
        self.short(digits.strip_suffix(b".0").unwrap_or(digits));
    }

    /// Appends bytes, fastest for 8 to 16 of them: the first eight and the overlapping last eight
    /// are single moves instead of a call.
    fn short(&mut self, bytes: &[u8]) {
        match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(first), Some(last)) if bytes.len() <= 16 => {
                let end = self.bytes.len() + bytes.len();
                self.bytes.extend_from_slice(first);
                self.bytes.truncate(end - 8);
                self.bytes.extend_from_slice(last);
            }
            _ => self.bytes(bytes),
        }
    }

    /// Appends a number of at most 1 in size with six decimals; 1e-6 is 0.0001 degrees of
    /// direction.
    pub(crate) fn direction(&mut self, value: f64) {
        let scaled = (value * 1e6).clamp(-1e6, 1e6);
        let millionths = (scaled + 0.5_f64.copysign(scaled)) as i32;
        let size = millionths.unsigned_abs();
        if millionths < 0 {
            self.byte(b'-');
        }
        let mut text = *b"0.000000";
        text[0] += (size / 1_000_000) as u8;
        let decimals = size % 1_000_000;
        for (place, pair) in
            [(2, decimals / 10_000), (4, decimals / 100 % 100), (6, decimals % 100)]
        {
            let pair = 2 * pair as usize;
            text[place..place + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
        }
        // All eight digits at once, then trailing zeros and a bare point are removed.
        self.bytes.extend_from_slice(&text);
        let zeros = text[2..].iter().rev().take_while(|&&digit| digit == b'0').count();
        let bare = usize::from(zeros == 6);
        self.bytes.truncate(self.bytes.len() - zeros - bare);
    }

    /// Appends a string quoted and escaped for JSON.
    pub(crate) fn json_string(&mut self, text: &str) {
        self.byte(b'"');
        for c in text.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '\t' => self.text("\\t"),
                c if u32::from(c) < 0x20 => self.text(&format!("\\u{:04x}", u32::from(c))),
                c => self.text(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.byte(b'"');
    }

    /// Appends a string quoted and escaped for USD.
    pub(crate) fn usd_string(&mut self, text: &str) {
        self.byte(b'"');
        for c in text.chars() {
            match c {
                '"' => self.text("\\\""),
                '\\' => self.text("\\\\"),
                '\n' => self.text("\\n"),
                '\r' => self.text("\\r"),
                '\t' => self.text("\\t"),
                c if u32::from(c) < 0x20 || c == '\u{7f}' => {
                    self.text(&format!("\\x{:02x}", u32::from(c)));
                }
                c => self.text(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.byte(b'"');
    }

    /// Appends a field of a CSV row, quoted as RFC 4180 requires.
    pub(crate) fn csv_field(&mut self, text: &str) {
        self.text(&crate::csv::field(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut TextBuffer)) -> String {
        let mut out = TextBuffer::new();
        write(&mut out);
        String::from_utf8(out.as_bytes().to_vec()).unwrap()
    }

    /// Deterministic bit patterns over all magnitudes.
    fn scattered(count: u64) -> impl Iterator<Item = u64> {
        (1..=count).map(|i| {
            let mut x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x ^ (x >> 27)
        })
    }

    #[test]
    fn singles_read_back_through_a_double() {
        let tricky = [
            NOT_ROUND_TRIPPING,
            -NOT_ROUND_TRIPPING,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
            1e10,
            0.1,
        ];
        let many = scattered(200_000).map(|bits| f32::from_bits(bits as u32));
        for value in tricky.into_iter().chain(many).filter(|v| v.is_finite()) {
            let text = written(|out| out.single(value));
            assert_eq!(text.parse::<f64>().unwrap() as f32, value, "{text}");
        }
    }

    #[test]
    fn doubles_read_back() {
        for value in scattered(200_000).map(f64::from_bits).filter(|v| v.is_finite()) {
            let text = written(|out| out.double(value));
            assert_eq!(text.parse::<f64>().unwrap(), value, "{text}");
        }
    }

    #[test]
    fn whole_numbers_have_no_point_and_zero_has_no_sign() {
        assert_eq!(written(|out| out.single(12.0)), "12");
        assert_eq!(written(|out| out.double(-3.0)), "-3");
        assert_eq!(written(|out| out.single(-0.0)), "0");
        assert_eq!(written(|out| out.double(-0.0)), "0");
        assert_eq!(written(|out| out.whole(i64::MIN)), i64::MIN.to_string());
        assert_eq!(written(|out| out.count(0)), "0");
        assert_eq!(written(|out| out.count(100)), "100");
    }

    #[test]
    fn directions_have_six_decimals_at_most() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.0, "-1"),
            (0.5, "0.5"),
            (-0.25, "-0.25"),
            (0.123_456_4, "0.123456"),
            (0.123_456_6, "0.123457"),
            (-0.000_001, "-0.000001"),
            (-0.000_000_4, "0"),
            (0.999_999_9, "1"),
            (0.1, "0.1"),
            (0.000_1, "0.0001"),
            (1.000_000_000_1, "1"),
        ] {
            assert_eq!(written(|out| out.direction(value)), text);
        }
        for value in scattered(100_000).map(|bits| bits as f64 / u64::MAX as f64 * 2.0 - 1.0) {
            let text = written(|out| out.direction(value));
            let read: f64 = text.parse().unwrap();
            assert!((read - value).abs() <= 0.5e-6 + 1e-12, "{value} became {text}");
        }
    }

    #[test]
    fn strings_are_escaped_for_each_format() {
        let name = "a \"b\"\\\n\u{1}é";
        assert_eq!(written(|out| out.json_string(name)), r#""a \"b\"\\\n\u0001é""#);
        assert_eq!(written(|out| out.usd_string(name)), r#""a \"b\"\\\n\x01é""#);
        assert_eq!(written(|out| out.csv_field("say \"hi\"")), "\"say \"\"hi\"\"\"");
        assert_eq!(written(|out| out.csv_field("a,b")), "\"a,b\"");
        assert_eq!(written(|out| out.csv_field("plain é")), "plain é");
    }
}
