//! Header of a take: the document, the body and the size of the simulation, with a checksum.

use lariat_core::num::fnv::Fnv128;

use super::{Reader, Take, TakeError};

const MAGIC: &[u8] = b"lariat take 5\n";

/// Magic bytes of earlier versions, which had the same hash and name: only the name in such a take can
/// be read.
pub(super) const OLDER: [&[u8]; 3] = [b"lariat take 2\n", b"lariat take 3\n", b"lariat take 4\n"];

/// Longest header of a take in bytes; the longest name of a body fits.
pub const LONGEST_HEADER: u64 = 1 << 20;

/// Bytes of a header after its size, without name and numbers: hash, length of the name, checksum.
const FIELDS: usize = 16 + 4 + 16;

/// The bytes of a header, and its checksum.
pub(in crate::simulate) struct Header {
    pub bytes: Vec<u8>,
    pub key: u128,
}

impl Header {
    /// The header of a take.
    pub(super) fn of(take: &impl Take, name: &str, hash: u128) -> Self {
        let history = take.history();
        let numbers: Vec<f64> =
            [history.start, history.rate].into_iter().chain(take.head()).collect();
        let size = (FIELDS + name.len() + 8 * numbers.len()) as u32;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(size.to_le_bytes());
        bytes.extend((!size).to_le_bytes());
        bytes.extend(hash.to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend(numbers.into_iter().flat_map(f64::to_le_bytes));
        let key = checksum(&bytes[MAGIC.len()..]);
        bytes.extend(key.to_le_bytes());
        Self { bytes, key }
    }
}

/// Checksum of the header after its magic bytes, which count as those of this version.
fn checksum(bytes: &[u8]) -> u128 {
    let mut hash = Fnv128::new();
    hash.many_bytes(MAGIC);
    hash.many_bytes(bytes);
    hash.finish()
}

/// A header that was read.
pub(super) struct HeaderRead {
    hash: u128,
    name: String,
    /// Start, rate and further numbers.
    pub numbers: Vec<f64>,
    /// Its checksum.
    pub key: u128,
    /// Its number of bytes.
    pub size: usize,
}

/// Reads the header of a take of this version.
pub(super) fn read_header(bytes: &[u8]) -> Result<HeaderRead, TakeError> {
    let magic = bytes.get(..MAGIC.len()).ok_or_else(|| match MAGIC.starts_with(bytes) {
        true => TakeError::CutShort,
        false => TakeError::NotATake,
    })?;
    let mut reader = Reader(&bytes[MAGIC.len()..]);
    let header = read_header_fields(&mut reader);
    let size = bytes.len() - reader.0.len();
    match header {
        // The checksum fits, so this is a take; a bit of its magic bytes may have flipped.
        Some(_) if magic != MAGIC => Err(TakeError::Damaged),
        Some((hash, name, numbers, key)) => Ok(HeaderRead { hash, name, numbers, key, size }),
        None if OLDER.contains(&magic) => Err(TakeError::Older),
        None if magic != MAGIC => Err(TakeError::NotATake),
        None if is_cut(&bytes[MAGIC.len()..]) => Err(TakeError::CutShort),
        None => Err(TakeError::Damaged),
    }
}

/// Reads the size of a header: the number of bytes after it. None if it is damaged.
fn read_size(reader: &mut Reader<'_>) -> Option<usize> {
    let [size, inverse] = [reader.array()?, reader.array()?].map(u32::from_le_bytes);
    (size == !inverse).then_some(size as usize)
}

/// Hash, name, numbers and checksum; none if the checksum is another one.
fn read_header_fields(reader: &mut Reader<'_>) -> Option<(u128, String, Vec<f64>, u128)> {
    let all = reader.0;
    let size = read_size(reader)?;
    let mut fields = Reader(reader.bytes(size)?);
    let check = fields.0.len().checked_sub(size_of::<u128>())?;
    let key = checksum(&all[..all.len() - reader.0.len() - size_of::<u128>()]);
    let (inside, found) = fields.0.split_at(check);
    if found != key.to_le_bytes() {
        return None;
    }
    fields.0 = inside;
    let hash = fields.array().map(u128::from_le_bytes)?;
    let length = fields.array().map(u32::from_le_bytes)?;
    let name = String::from_utf8(fields.bytes(length as usize)?.to_vec()).ok()?;
    Some((hash, name, fields.numbers().collect(), key))
}

/// True if these bytes after the magic ones can be the beginning of a longer header.
fn is_cut(bytes: &[u8]) -> bool {
    let mut reader = Reader(bytes);
    bytes.len() < 2 * size_of::<u32>()
        || read_size(&mut reader).is_some_and(|size| reader.0.len() < size)
}

/// Returns the name of the body that a take is of, empty for the string world; and the reason why the
/// take does not match `hash`, if it does not. The beginning of the file is enough: the length of the
/// name plus some hundred bytes.
pub fn take_of(bytes: &[u8], hash: u128) -> Result<(String, Option<TakeError>), TakeError> {
    match read_header(bytes) {
        Ok(header) => Ok((header.name, (header.hash != hash).then_some(TakeError::OtherDocument))),
        Err(TakeError::Older) => {
            let mut reader = Reader(&bytes[MAGIC.len()..]);
            reader.bytes(size_of::<u128>()).ok_or(TakeError::CutShort)?;
            let length = reader.array().map(u32::from_le_bytes).ok_or(TakeError::CutShort)?;
            let name = reader.bytes(length as usize).ok_or(TakeError::CutShort)?.to_vec();
            let name = String::from_utf8(name).map_err(|_| TakeError::NotATake)?;
            Ok((name, Some(TakeError::Older)))
        }
        Err(error) => Err(error),
    }
}
