//! Reading: bytes or text to a document with positions, or to diagnostics.
//!
//! Only problems of the file are reported here: its size, encoding, syntax, nesting and version.
//! `lower` checks the parameters.

use super::{migrate, survey::Survey, tree};
use crate::{
    check::{Code, Diagnostic},
    document::Document,
    limits::Limits,
    path::Path,
    place::{Places, Span, line_and_column},
};

/// Result of reading a document.
#[derive(Clone, Debug)]
pub struct Read {
    /// The document.
    pub document: Document,
    /// Position of every value in the file.
    pub places: Places,
    /// Notes and warnings about the file; no errors.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a document from the bytes of a file.
///
/// A byte order mark is skipped, but counts in the positions.
pub fn read_bytes(bytes: &[u8], limits: &Limits) -> Result<Read, Vec<Diagnostic>> {
    read_within(check_bytes(bytes, limits)?, limits)
}

/// Reads a document from text, with the default limits.
pub fn read(text: &str) -> Result<Read, Vec<Diagnostic>> {
    read_bytes(text.as_bytes(), &Limits::DEFAULT)
}

/// Checks the size and the encoding of a file; returns its text.
fn check_bytes<'b>(bytes: &'b [u8], limits: &Limits) -> Result<&'b str, Vec<Diagnostic>> {
    // Positions have 32 bits.
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
    std::str::from_utf8(bytes).map_err(|error| vec![not_utf8(bytes, &error)])
}

fn not_utf8(bytes: &[u8], error: &std::str::Utf8Error) -> Diagnostic {
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
        _ if bytes.contains(&0) => diagnostic.help("this does not look like a text file"),
        _ => diagnostic.help("save the file as UTF-8 in your editor"),
    }
}

fn too_much_memory(text: &str, survey: &Survey, limits: &Limits) -> Diagnostic {
    let Survey { memory, values, .. } = survey;
    Diagnostic::new(
        Code::FileTooLarge,
        format!(
            "the file has {values} values in {} bytes; the document would take up to {memory} bytes \
             of memory, more than the limit of {}",
            text.len(),
            limits.document_memory
        ),
    )
    .label(None, Path::root(), "")
    .help("raise the limit with `--limit document-memory=N`, or split the shot")
}

fn read_within(text: &str, limits: &Limits) -> Result<Read, Vec<Diagnostic>> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if body.trim().is_empty() {
        return Err(vec![
            Diagnostic::new(Code::EmptyFile, "the file is empty")
                .label(Some(Span::new(0, text.len())), Path::root(), "")
                .help("start a document with `lariat new FILE`"),
        ]);
    }
    let survey = Survey::of(text);
    if survey.memory > limits.document_memory {
        return Err(vec![too_much_memory(text, &survey, limits)]);
    }
    let (root, mut places) = tree::build_within(text, &survey, limits.document_memory)?;
    let mut document = Document { root };
    let diagnostics = migrate::migrate(&mut document, &mut places)?;
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
    fn invalid_utf8_reports_its_first_invalid_byte() {
        let diagnostics =
            read_bytes(b"lariat = 2\nname = \"\xe9\"\n", &Limits::DEFAULT).unwrap_err();
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
        let read = read("\u{feff}lariat = 2\n").unwrap();
        assert_eq!(read.places.value(&"lariat".parse().unwrap()).unwrap().range(), 12..13);
    }

    #[test]
    fn an_empty_file_is_reported() {
        for text in ["", "  \n\n", "\u{feff}"] {
            assert_eq!(codes(text.as_bytes()), [Code::EmptyFile], "{text:?}");
        }
    }

    #[test]
    fn a_file_of_the_limit_is_read_and_one_byte_more_is_not() {
        let text = "lariat = 2\n";
        let mut limits = Limits { file_bytes: text.len() as u64, ..Limits::DEFAULT };
        assert!(read_bytes(text.as_bytes(), &limits).is_ok());
        limits.file_bytes -= 1;
        assert_eq!(read_bytes(text.as_bytes(), &limits).unwrap_err()[0].code, Code::FileTooLarge);
    }
}
