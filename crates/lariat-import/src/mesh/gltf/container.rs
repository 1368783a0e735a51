//! Container of a glTF: its JSON and its buffers.

use std::borrow::Cow;

use super::{base64, invalid, whole};
use crate::json::{Json, JsonError, Value};
use crate::{ImportError, ResourceLoader};

/// Indexed JSON and loaded buffers.
#[derive(Debug)]
pub(super) struct Container<'t> {
    json: Json<'t>,
    lists: Vec<(&'static str, Vec<u32>)>,
    pub(super) buffers: Vec<Cow<'t, [u8]>>,
}

/// Lists at the top of a file whose elements are referred to by index.
const LISTS: [&str; 6] = ["accessors", "bufferViews", "buffers", "meshes", "nodes", "scenes"];

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

impl<'t> Container<'t> {
    pub(super) fn open(
        bytes: &'t [u8],
        beside: &mut ResourceLoader<'_>,
    ) -> Result<Self, ImportError> {
        let not = |why: String| ImportError::NotGltf { why };
        let (text, mut inside) = match bytes.strip_prefix(MAGIC) {
            Some(rest) => chunks(rest).map_err(|why| not(why.to_owned()))?,
            None => (bytes, None),
        };
        let json = Json::read(text).map_err(|JsonError { line, column, what }| match line {
            0 => not(what),
            _ => not(format!("{what} at line {line} column {column}")),
        })?;
        let root = json.root();
        let version = root.get("asset").and_then(|asset| asset.get("version"));
        match version.and_then(Value::text) {
            Some(version) if version.starts_with("2.") => {}
            Some(version) => return Err(not(format!("its version is {version}; expected 2.0"))),
            None => return Err(not("it has no version".to_owned())),
        }
        let required = root.get("extensionsRequired").and_then(Value::items);
        for name in required.into_iter().flatten().filter_map(Value::text) {
            if !HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
                return Err(ImportError::Extension { name: name.into_owned() });
            }
        }
        let list = |name: &'static str| {
            let items = || root.get(name).and_then(Value::items).into_iter().flatten();
            let mut indices = Vec::with_capacity(items().count());
            indices.extend(items().map(Value::index));
            (name, indices)
        };
        let lists = LISTS.map(list).into();
        let mut file = Self { json, lists, buffers: Vec::new() };
        for index in 0..file.list("buffers").len() {
            let buffer = file.buffer(index, &mut inside, beside)?;
            file.buffers.push(buffer);
        }
        Ok(file)
    }

    /// The outermost value.
    pub(super) fn root(&self) -> Value<'_> {
        self.json.root()
    }

    /// One of [`LISTS`]; empty if absent.
    pub(super) fn list(&self, name: &str) -> List<'_> {
        let list = self.lists.iter().find(|(own, _)| *own == name);
        List { json: &self.json, indices: list.map_or(&[], |(_, indices)| indices) }
    }

    fn buffer(
        &self,
        index: usize,
        inside: &mut Option<&'t [u8]>,
        beside: &mut ResourceLoader<'_>,
    ) -> Result<Cow<'t, [u8]>, ImportError> {
        let place = format!("buffers[{index}].uri");
        let buffers = self.list("buffers");
        let buffer = buffers.get(index).ok_or_else(|| invalid(&place, "does not exist"))?;
        let uri = buffer.get("uri").and_then(Value::text);
        let bytes = match uri.as_deref() {
            None => {
                let missing = || invalid(&place, "is missing, and the file has no binary chunk");
                Cow::Borrowed(inside.take().ok_or_else(missing)?)
            }
            Some(uri) => match uri.strip_prefix("data:") {
                Some(data) => {
                    let text = data.split_once(";base64,").map(|(_, text)| text);
                    let decoded = text.and_then(base64::decode);
                    decoded.ok_or_else(|| invalid(&place, "is not valid base64"))?.into()
                }
                None => {
                    let file = unescaped(uri);
                    let bytes = beside(&file);
                    bytes.map_err(|why| ImportError::Unread { place, file, why })?.into()
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

/// Elements of a list, by index.
#[derive(Clone, Copy)]
pub(super) struct List<'f> {
    json: &'f Json<'f>,
    indices: &'f [u32],
}

impl<'f> List<'f> {
    pub(super) fn len(self) -> usize {
        self.indices.len()
    }

    pub(super) fn get(self, index: usize) -> Option<Value<'f>> {
        self.indices.get(index).map(|index| self.json.at(*index))
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
