package rust_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

func TestRustSettlesThroughCratesAndTypes(t *testing.T) {
	languagetest.World(t, map[string]string{
		"Cargo.toml": "[workspace]\nmembers = [\"core\", \"app\"]\n[workspace.dependencies]\n" +
			"my-core = { path = \"core\" }\n",
		"core/Cargo.toml": "[package]\nname = \"my-core\"\n",
		"core/src/lib.rs": "mod store;\npub use store::{Store, open as open_store};\n" +
			"pub trait Draw { fn draw(&self); fn twice(&self) { self.draw() } }\n",
		"core/src/store.rs": "use crate::Draw;\npub struct Store { items: Vec<Item> }\npub struct Item;\n" +
			"impl Item { pub fn weigh(&self) -> u32 { 1 } }\nimpl Store {\n" +
			"    pub fn new() -> Self { Store { items: Vec::new() } }\n" +
			"    pub fn first(&self) -> Option<&Item> { self.items.first() }\n" +
			"    pub fn with(self, n: u32) -> Self { self }\n}\nimpl Draw for Store { fn draw(&self) {} }\n" +
			"pub fn open() -> Result<Store, String> { Ok(Store::new()) }\n",
		"app/Cargo.toml": "[package]\nname = \"app\"\n[dependencies]\nmy-core.workspace = true\nserde = \"1\"\n",
		"app/src/main.rs": "mod util;\nuse my_core::{open_store, Draw, Store};\nuse util::*;\n" +
			"fn run<T: Draw>(t: &T, f: fn()) -> Result<(), String> {\n    let s = open_store()?;\n" +
			"    if let Some(item) = s.first() { item.weigh(); }\n    let s = s.with(1).with(2);\n    t.twice();\n" +
			"    s.draw();\n    helper();\n    f();\n    serde::ser();\n    unknown.mystery();\n    Ok(())\n}\n",
		"app/src/util.rs":     "pub fn helper() {}\nfn mystery() {}\n",
		"app/tests/common.rs": "pub fn helper() {}\n",
	}, func(r *resolve.Resolver) {
		languagetest.Expect(t, r, "app/src/main.rs", map[string]string{
			"open_store": "core/src/store.rs open", "first": "core/src/store.rs Store.first",
			"weigh": "core/src/store.rs Item.weigh",
			"with":  "core/src/store.rs Store.with", "twice": "core/src/lib.rs Draw.twice",
			"draw":   "core/src/store.rs Store.draw",
			"helper": "app/src/util.rs helper", "f": "", "ser": "", "mystery": "", "Ok": "",
		})
		draw := languagetest.Sites(t, r, "core/src/lib.rs")["draw"]
		if draw.Outcome != resolve.Settled || draw.Target.Symbol().QualifiedName != "Draw.draw" {
			t.Fatalf("self.draw() in the trait: %+v", draw.Verdict)
		}
		if out, err := r.Implementations(draw.Target, resolve.Ref{}); err != nil || len(out) != 1 ||
			out[0].Target.File.Path != "core/src/store.rs" {
			t.Errorf("implementations of Draw::draw: %v, %v", out, err)
		}
	})
}

func TestRustNamesHoldWithinTheirScope(t *testing.T) {
	languagetest.World(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"a\"\n",
		"src/lib.rs": "pub struct A;\npub struct B;\nimpl A { pub fn a(&self) {} }\nimpl B { pub fn b(&self) {} }\n" +
			"pub fn f(x: A, list: Vec<B>) {\n    for x in list.iter() { x.b(); }\n    x.a();\n" +
			"    match list.get(0) { Some(x) => x.b(), None => x.a() }\n    let x = B;\n    x.b();\n}\n",
	}, func(r *resolve.Resolver) {
		f := r.World().File("src/lib.rs")
		list, err := r.Sites(f.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			want := map[string]string{"a": "A.a", "b": "B.b"}[s.Call.Callee]
			if want != "" && (s.Outcome != resolve.Settled || s.Target.Symbol().QualifiedName != want) {
				t.Errorf("%s on line %d: %+v", s.Call.Callee, s.Call.NameSpan.StartLine, s.Verdict)
			}
		}
	})
}
