//! Container of a glTF: its JSON and its buffers.

use serde_json::Value;

use super::{base64, invalid, whole};
use crate::{ImportError, ResourceLoader};

/// Parsed JSON and loaded buffers.
#[derive(Debug)]
pub(super) struct Container {
    pub(super) json: Value,
    pub(super) buffers: Vec<Vec<u8>>,
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Extensions that affect shading only.
const HARMLESS: [&str; 6] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_xmp",
];

impl Container {
    pub(super) fn open(bytes: &[u8], beside: &mut ResourceLoader<'_>) -> Result<Self, ImportError> {
        let not = |why: String| ImportError::NotGltf { why };
        let (text, mut inside) = match bytes.strip_prefix(MAGIC) {
            Some(rest) => chunks(rest).map_err(|why| not(why.to_owned()))?,
            None => (bytes, None),
        };
        let json: Value = serde_json::from_slice(text).map_err(|error| not(error.to_string()))?;
        let version = json.get("asset").and_then(|asset| asset.get("version"));
        match version.and_then(Value::as_str) {
            Some(version) if version.starts_with("2.") => {}
            Some(version) => return Err(not(format!("its version is {version}; expected 2.0"))),
            None => return Err(not("it has no version".to_owned())),
        }
        let required = json.get("extensionsRequired").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
                return Err(ImportError::Extension { name: name.to_owned() });
            }
        }
        let mut file = Self { json, buffers: Vec::new() };
        for index in 0..file.list("buffers").len() {
            let buffer = file.buffer(index, &mut inside, beside)?;
            file.buffers.push(buffer);
        }
        Ok(file)
    }

    /// A top-level list; empty if absent.
    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.json.get(name).and_then(Value::as_array).map_or(&[], |list| list)
    }

    fn buffer(
        &self,
        index: usize,
        inside: &mut Option<&[u8]>,
        beside: &mut ResourceLoader<'_>,
    ) -> Result<Vec<u8>, ImportError> {
        let place = format!("buffers[{index}].uri");
        let buffer = &self.list("buffers")[index];
        let bytes = match buffer.get("uri").and_then(Value::as_str) {
            None => {
                let missing = || invalid(&place, "is missing, and the file has no binary chunk");
                inside.take().ok_or_else(missing)?.to_vec()
            }
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let text = data.split_once(";base64,").map(|(_, text)| text);
                    let decoded = text.and_then(base64::decode);
                    decoded.ok_or_else(|| invalid(&place, "is not valid base64"))?
                }
                None => {
                    let file = unescaped(uri);
                    beside(&file).map_err(|why| ImportError::Unread { place, file, why })?
                }
            },
        };
        let place = format!("buffers[{index}]");
        if let Some(length) = whole(buffer, "byteLength", &place)?
            && bytes.len() < length
        {
            let problem = format!("is {length}, but there are {} bytes", bytes.len());
            return Err(invalid(format!("{place}.byteLength"), problem));
        }
        Ok(bytes)
    }
}

/// JSON and binary chunk of a `.glb`, after the magic number.
fn chunks(rest: &[u8]) -> Result<(&[u8], Option<&[u8]>), &'static str> {
    const SHORT: &str = "it ends in the middle of a chunk";
    let word = |at: usize| -> Option<u32> {
        let four = rest.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    if word(0).ok_or(SHORT)? != 2 {
        return Err("its .glb version is not 2");
    }
    let (mut at, mut text, mut bytes) = (8, None, None);
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        let (from, to) = (at + 8, (at + 8).checked_add(length as usize).ok_or(SHORT)?);
        let chunk = rest.get(from..to).ok_or(SHORT)?;
        match kind {
            JSON if text.is_none() => text = Some(chunk),
            BIN if bytes.is_none() => bytes = Some(chunk),
            _ => {}
        }
        at = to;
    }
    Ok((text.ok_or("it has no JSON chunk")?, bytes))
}

/// Decodes percent escapes: `a%20b` becomes `a b`.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let byte =
            digits.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
