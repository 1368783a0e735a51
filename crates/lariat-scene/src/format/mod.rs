//! Documents as text: reading keeps every place, writing keeps every comment.
//!
//! ```text
//! read.rs     bytes or text -> Document and Places, or everything that is wrong with the file
//! tree.rs     the tree that TOML's headers, dotted names and inline tables describe
//! node.rs     its nodes, and the rules about naming things twice
//! syntax.rs   what TOML's parser complains about, in words and with a place
//! migrate.rs  a file of an older version becomes one of today
//! write.rs    Document -> text, always in the same order and layout
//! over/       Document -> text over an existing file: what did not change keeps its bytes
//! ```
//!
//! The lexer and grammar are `toml_parser`'s; the tree is built here, because no tree that can
//! be had keeps the places of everything, reports all errors at once, and reads a ship with
//! five thousand ropes in a few milliseconds. `toml_edit` judges it in the tests.

mod migrate;
mod node;
mod over;
mod read;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use migrate::VERSION;
pub use over::write_over;
pub use read::{Read, read, read_bytes};
pub(crate) use write::number;
pub use write::{write, write_value};
