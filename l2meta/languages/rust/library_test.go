package rust_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// rustLibraryFiles declare methods with the names of library methods, so that only the type of a
// receiver determines the called method.
func rustLibraryFiles(use string) map[string]string {
	return map[string]string{
		"Cargo.toml": "[package]\nname = \"a\"\nversion = \"1.0.0\"\n",
		"src/lib.rs": `mod row;
mod used;
`,
		"src/row.rs": `pub struct Row;
impl Row {
    pub fn unwrap(&self) {} pub fn map(&self) {} pub fn copied(&self) {} pub fn replace(&self) {} pub fn is_empty(&self) {}
    pub fn push(&self) {} pub fn to_str(&self) {} pub fn arg(&self) {} pub fn output(&self) {} pub fn count(&self) {} pub fn next(&self) {}
    pub fn write_str(&self) {} pub fn new(&self) {} pub fn iter(&self) {} pub fn nth(&self) {} pub fn first(&self) {}
}
pub trait Loud { fn shout(&self); fn trim(&self); }
impl Loud for String { fn shout(&self) {} fn trim(&self) {} }
pub struct Path;
impl Path { pub fn exists(&self) {} }
`,
		"src/used.rs": use,
	}
}

// TestRustLibrary checks that the library's table, literals and macros give receivers a type.
func TestRustLibrary(t *testing.T) {
	languagetest.Settles(t, rustLibraryFiles(`use crate::row::Row;
use std::process::Command;
fn f(row: Row, rows: Vec<Row>) {
    b"1234".iter().copied().map(|b| b as char);
    let mut parts = vec![];
    parts.push(1);
    let text = format!("a");
    text.replace("a", "b").is_empty();
    Command::new("git").arg("a").output().unwrap();
    std::env::args().nth(1);
    (0..9).count();
    r#"a"b"#.lines().next();
    std::path::Path::new("a").to_str();
    vec![row].first();
}
`), "src/used.rs",
		"iter external", "copied external", "map external", "push external", "replace external",
		"is_empty external", "arg external",
		"output external", "unwrap external", "nth external", "count external", "next external",
		"to_str external", "first external")
}

// TestRustLibraryTraps checks that declarations of the workspace come before the library's table: a
// type of the same name, and a trait that adds a missing method to a type.
func TestRustLibraryTraps(t *testing.T) {
	languagetest.Settles(t, rustLibraryFiles(`use crate::row::{Loud, Path, Row};
macro_rules! format { ($x:expr) => { Row } }
fn f(path: Path, name: String, f: &mut fmt::Formatter, rows: Vec<Row>) {
    path.exists();
    name.shout();
    name.trim();
    f.write_str("a");
    format!("a").replace();
    rows.pop().unwrap().first();
}
fn g(row: Unknown) { row.is_empty(); }
`), "src/used.rs",
		"exists = src/row.rs:10", "shout = src/row.rs:8", "trim external", "write_str external", "replace open",
		"unwrap external",
		"first = src/row.rs:5", "is_empty open")
}
