//! Text format of documents: reading with positions, and writing that preserves comments.
//!
//! ```text
//! read.rs     bytes or text -> Document and Places, or diagnostics
//! tree.rs     tree of TOML's headers, dotted names and inline tables
//! chunks.rs   tokens of a long file, some thousands at a time
//! node.rs     its nodes, and the rules about duplicate names
//! survey.rs   sizes and memory of a text, counted before its tree is built
//! syntax.rs   syntax errors
//! unclosed.rs lists and inline tables that are never closed
//! migrate.rs  migration of older format versions
//! write.rs    Document -> text in a fixed order and layout
//! patch/      Document -> text as changes to an existing file
//! ```
//!
//! The lexer and grammar are those of `toml_parser`. The tree is built here, because no existing
//! crate keeps the positions of all values, reports all errors at once, and reads a ship with five
//! thousand ropes in a few milliseconds. The tests compare it with `toml_edit`.

mod chunks;
mod migrate;
mod node;
mod patch;
mod read;
mod survey;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod unclosed;
mod write;

pub use migrate::VERSION;
pub use patch::patch;
pub use read::{Read, read, read_bytes};
pub(crate) use write::{number, quote};
pub use write::{write, write_value};
