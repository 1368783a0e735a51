//! Bytes or text become a document that knows its places, or a list of all that is wrong.
//!
//! Only what concerns the file is found here: too large, not text, not TOML, too deep, of a
//! version to come. What the words mean is looked at by `lower`.

use super::{migrate, tree};
use crate::{
    check::{Code, Diagnostic},
    document::Document,
    limits::Limits,
    path::Path,
    place::{Places, Span, line_and_column},
};

/// A document as it was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// What the file says.
    pub document: Document,
    /// Where it says it.
    pub places: Places,
    /// What is good to know about the file itself; no errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a document from bytes, as they come from a file.
///
/// A byte order mark is skipped; the places count it.
pub fn read_bytes(bytes: &[u8], limits: &Limits) -> Result<Read, Vec<Diagnostic>> {
    read_within(check_bytes(bytes, limits)?)
}

/// Reads a document from text, with the bounds that hold by default.
pub fn read(text: &str) -> Result<Read, Vec<Diagnostic>> {
    read_bytes(text.as_bytes(), &Limits::DEFAULT)
}

/// The text in the bytes, if they are text and not too many.
fn check_bytes<'b>(bytes: &'b [u8], limits: &Limits) -> Result<&'b str, Vec<Diagnostic>> {
    // Places are 32 bits wide.
    let most = limits.file_bytes.min(u64::from(u32::MAX) - 1);
    if bytes.len() as u64 > most {
        let diagnostic = Diagnostic::new(
            Code::FileTooLarge,
            format!("the file has {} bytes, more than the limit of {most}", bytes.len()),
        )
        .label(None, Path::root(), "")
        .help("raise the limit with `--limit file-bytes=N`, or split the shot");
        return Err(vec![diagnostic]);
    }
    std::str::from_utf8(bytes).map_err(|error| vec![broken_text(bytes, &error)])
}

fn broken_text(bytes: &[u8], error: &std::str::Utf8Error) -> Diagnostic {
    let at = error.valid_up_to();
    let (line, column) = line_and_column(&String::from_utf8_lossy(&bytes[..at]), usize::MAX);
    let byte = bytes[at];
    let diagnostic = Diagnostic::new(
        Code::NotUtf8,
        format!("the file is not UTF-8 text: byte 0x{byte:02x} in line {line}, column {column}"),
    )
    .label(
        Some(Span::new(at, at + 1)),
        Path::root(),
        format!("byte {at} of {} is 0x{byte:02x}", bytes.len()),
    );
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            diagnostic.help("the file looks like UTF-16: save it as UTF-8")
        }
        _ if bytes.contains(&0) => diagnostic.help("this looks like no text file at all"),
        _ => diagnostic.help("save the file as UTF-8 in your editor"),
    }
}

fn read_within(text: &str) -> Result<Read, Vec<Diagnostic>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.trim().is_empty() {
        return Err(vec![
            Diagnostic::new(Code::EmptyFile, "the file is empty")
                .label(Some(Span::new(0, text.len())), Path::root(), "")
                .help("start a document with `lariat new FILE`"),
        ]);
    }
    let (root, places) = tree::build(text)?;
    let mut document = Document { root };
    let diagnostics = migrate::migrate(&mut document, &places)?;
    Ok(Read { document, places, diagnostics })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<Code> {
        match read_bytes(bytes, &Limits::DEFAULT) {
            Ok(read) => read.diagnostics.into_iter().map(|diagnostic| diagnostic.code).collect(),
            Err(diagnostics) => diagnostics.into_iter().map(|diagnostic| diagnostic.code).collect(),
        }
    }

    #[test]
    fn what_is_no_text_is_told_by_its_first_bad_byte() {
        let diagnostics =
            read_bytes(b"lariat = 1\nname = \"\xe9\"\n", &Limits::DEFAULT).unwrap_err();
        assert_eq!(diagnostics[0].code, Code::NotUtf8);
        assert!(diagnostics[0].message.contains("0xe9 in line 2, column 9"), "{}", diagnostics[0]);
        assert_eq!(diagnostics[0].span().unwrap().range(), 19..20);
        assert!(
            read_bytes(b"\xff\xfel\0", &Limits::DEFAULT).unwrap_err()[0].helps[0]
                .contains("UTF-16")
        );
    }

    #[test]
    fn a_byte_order_mark_is_skipped_and_counted() {
        let read = read("\u{feff}lariat = 1\n").unwrap();
        assert_eq!(read.places.value(&"lariat".parse().unwrap()).unwrap().range(), 12..13);
    }

    #[test]
    fn an_empty_file_is_told() {
        for text in ["", "  \n\n", "\u{feff}"] {
            assert_eq!(codes(text.as_bytes()), [Code::EmptyFile], "{text:?}");
        }
    }

    #[test]
    fn a_file_of_the_limit_is_read_and_one_byte_more_is_not() {
        let text = "lariat = 1\n";
        let mut limits = Limits { file_bytes: text.len() as u64, ..Limits::DEFAULT };
        assert!(read_bytes(text.as_bytes(), &limits).is_ok());
        limits.file_bytes -= 1;
        assert_eq!(read_bytes(text.as_bytes(), &limits).unwrap_err()[0].code, Code::FileTooLarge);
    }
}
