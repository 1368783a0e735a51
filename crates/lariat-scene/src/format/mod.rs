//! Text format of documents: reading with positions, and writing that preserves comments.
//!
//! ```text
//! read.rs     bytes or text -> Document and Places, or diagnostics
//! tree.rs     tree of TOML's headers, dotted names and inline tables
//! node.rs     its nodes, and the rules about duplicate names
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

mod migrate;
mod node;
mod patch;
mod read;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod unclosed;
mod write;

pub use migrate::VERSION;
pub use patch::patch;
pub use read::{Read, read, read_bytes};
pub(crate) use write::number;
pub use write::{write, write_value};
