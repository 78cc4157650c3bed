package rust_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/languages/rust"
)

func TestRelations(t *testing.T) {
	got := languagetest.Relations(t, rust.Language{}, map[string]string{
		"Cargo.toml": "[package]\nname = \"a\"\n",
		"src/lib.rs": `mod b;
mod gone;
use b::{Own, helper as help};
use b::*;
pub use b::Own as Renamed;
use std::fmt::Display;
use crate::b::deep;
macro_rules! mine { () => {}; }
pub trait Base { fn run(&self); fn provided(&self) {} fn stat(); const N: u8; type T; }
pub trait More: Base { fn more(&self) {} }
pub struct K { done: fn(u8) }
pub struct V;
pub enum Kind { One(u8) }
impl Base for K { fn run(&self) {} fn stat() {} const N: u8 = 1; type T = u8; }
impl Base for V { fn run(&self) {} fn provided(&self) {} fn stat() {} }
impl<T> Base for Vec<T> { fn run(&self) {} }
impl More for K { fn more(&self) {} }
impl K { fn own(&self) {} }
impl<T: Base> More for T {}
fn run() {}
`,
		"src/b.rs": "pub struct Own; pub fn helper() {} pub mod deep { pub fn f() {} }\n",
	}, "src/lib.rs")
	languagetest.CheckRelations(t, got, `
Base calls Base, Self
Base.run below K.run, V.run, Vec.run
Base.provided below V.provided
Base.stat below K.stat, V.stat
Base.T calls T, Self
More calls More, Self
More.more below K.more
K calls K, Self
V calls V, Self
Kind calls Kind, Self
K.run above Base.run
K.stat above Base.stat
K.T calls T, Self
V.run above Base.run
V.provided above Base.provided
V.stat above Base.stat
Vec.run above Base.run
K.more above More.more
import self::b src/b.rs
import self::gone
import b Own src/b.rs
import b helper src/b.rs
import b * src/b.rs
import b Own src/b.rs
import std::fmt Display
import crate::b deep src/b.rs
`)
}
