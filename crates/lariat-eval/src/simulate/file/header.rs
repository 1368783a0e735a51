//! Header of a take: the document, the body and the size of the simulation, with a checksum.

use lariat_core::num::fnv::Fnv128;

use super::{Reader, Take, TakeError};

const MAGIC: &[u8] = b"lariat take 5\n";

/// Magic bytes of earlier versions, which had the same hash and name: only the name in such a take can
/// be read.
pub(super) const OLDER: [&[u8]; 3] = [b"lariat take 2\n", b"lariat take 3\n", b"lariat take 4\n"];

/// Longest header that is read; the longest name of a body fits.
pub(super) const LONGEST_HEADER: u64 = 1 << 20;

/// Bytes of the checksum at its end.
const CHECK: usize = 16;

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
        let mut bytes = MAGIC.to_vec();
        bytes.extend(hash.to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend((numbers.len() as u32).to_le_bytes());
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
        None if (bytes.len() as u64) < LONGEST_HEADER && header_is_cut(&bytes[MAGIC.len()..]) => {
            Err(TakeError::CutShort)
        }
        None => Err(TakeError::Damaged),
    }
}

/// Hash, name, numbers and checksum; none if the checksum is another one.
fn read_header_fields(reader: &mut Reader<'_>) -> Option<(u128, String, Vec<f64>, u128)> {
    let all = reader.0;
    let hash = reader.array().map(u128::from_le_bytes)?;
    let length = reader.array().map(u32::from_le_bytes)?;
    let name = reader.bytes(length as usize)?;
    let count = reader.array().map(u32::from_le_bytes)?;
    let numbers = reader.bytes((count as usize).checked_mul(8)?)?;
    let key = checksum(&all[..all.len() - reader.0.len()]);
    if reader.array().map(u128::from_le_bytes)? != key {
        return None;
    }
    let name = String::from_utf8(name.to_vec()).ok()?;
    Some((hash, name, Reader(numbers).numbers().collect(), key))
}

/// True if these bytes can be the beginning of a header.
fn header_is_cut(bytes: &[u8]) -> bool {
    let mut reader = Reader(bytes);
    let mut is_complete = || {
        reader.bytes(16)?;
        let length = reader.array().map(u32::from_le_bytes)?;
        reader.bytes(length as usize)?;
        let count = reader.array().map(u32::from_le_bytes)?;
        reader.bytes(8 * count as usize + CHECK)
    };
    is_complete().is_none()
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
