package symbols_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// spelt is a workspace in several languages, for references in the notations of these languages.
var spelt = map[string]string{
	"lib/releases.ex":             "defmodule Hexpm.Releases do\n  def publish(a, b), do: {a, b}\nend\n",
	"lua/pickers.lua":             "local Picker = {}\nfunction Picker:find() end\nreturn Picker\n",
	"src/Controller/Blog.php":     "<?php\nnamespace App\\Controller;\nclass Blog { public function show() {} }\n",
	"src/Kernel.php":              "<?php\nnamespace App;\nclass Kernel { public function boot() {} }\n",
	"my-view/Cargo.toml":          "[package]\nname = \"my-view\"\n",
	"my-view/src/document.rs":     "pub struct Document;\nimpl Document { pub fn apply<F>(&self, f: F) {} }\n",
	"my-core/src/document.rs":     "pub struct Change;\nimpl Change { pub fn apply(&self) {} }\n",
	"my-core/src/range.rs":        "pub struct Range;\nimpl Default for Range { fn default() -> Self { Range } }\n",
	"my-core/src/text.rs":         "pub struct Text;\nimpl Default for Text { fn default() -> Self { Text } }\n",
	"core/Sync.kt":                "interface Syncer\nsuspend fun <T> Syncer.push(list: List<T>) {}\nfun String.push() {}\n",
	"models/pages.py":             "class Base:\n    def copy(self): pass\n    def own(self): pass\n\nclass Mixin:\n    pass\n",
	"models/page.py":              "class Page(Mixin, Base):\n    def own(self): pass\n\n\nclass News(Page):\n    pass\n",
	"models/lone.py":              "class Lone:\n    pass\n",
	"app/account.rb":              "class Account\n  include Comparable, Syncable\nend\n\nclass Plain\nend\n",
	"app/syncable.rb":             "module Syncable\n  def sync_later; end\nend\n",
	"geometry/point.h":            "struct Point { bool operator<(const Point& o) const; };\n",
	"geometry/point.cpp":          "#include \"point.h\"\nbool Point::operator<(const Point& o) const { return true; }\n",
	"web/serve.go":                "package web\n\ntype Server struct{}\n\nfunc (s *Server) Handle(a, b int) {}\n",
	"geometry/unrelated/copy.txt": "copy\n",
}

// TestNotations checks that a reference in the notation of its language finds its symbol.
func TestNotations(t *testing.T) {
	b := navigatetest.Of(t, spelt)
	for label, want := range map[string]string{
		"Hexpm.Releases.publish/2": "Hexpm.Releases.publish", "Releases.publish/2": "Hexpm.Releases.publish",
		"Picker:find": "Picker.find", `App\Controller\Blog::show`: "Blog.show", `\App\Kernel::boot()`: "Kernel.boot",
		"Blog@show":                "Blog.show",
		"my_view::Document::apply": "Document.apply", "crate::document::Document::apply::<F>": "Document.apply",
		"<Range as Default>::default": "Range.default", "Document::apply<F>": "Document.apply",
		"Syncer.push": "push", "Page.copy": "Base.copy", "Account#sync_later": "Syncable.sync_later",
		"News.copy": "Base.copy", "News.own": "Page.own",
		"Point::operator<": "Point.operator<", "Server.Handle(a, b)": "Server.Handle", "(*Server).Handle": "Server.Handle",
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.SymbolRef.SymbolLabel != want {
			t.Errorf("%s: %+v, want %s", label, a.Outcome, want)
		}
	}
	decoys := []string{"other_view::Document::apply", `Vendor\Package\Blog::show`, "Lone.copy",
		"Plain#sync_later", "Lone:find", "Other.push",
		"<Missing as Default>::default", "Hexpm.Other.publish/2"}
	for _, label := range decoys {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: label}})
		if a.Status != contract.StatusNotFound {
			t.Errorf("%s: found %+v, %+v", label, a.SymbolRef, a.Outcome)
		}
	}
}

// TestNotationInFile checks that the notations are also understood if the reference names a file.
func TestNotationInFile(t *testing.T) {
	b := navigatetest.Of(t, spelt)
	for file, label := range map[string]string{"lua/pickers.lua": "Picker:find", "lib/releases.ex": "publish/2",
		"src/Kernel.php": `App\Kernel::boot`, "core/Sync.kt": "Syncer.push"} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{File: file, SymbolLabel: label}})
		if !slices.Contains([]contract.Status{contract.StatusOK, contract.StatusUnsupported}, a.Status) {
			t.Errorf("%s in %s: %+v", label, file, a.Outcome)
		}
	}
}

// TestMissingLabelOfSigns checks that a label without a name suggests no search for nothing.
func TestMissingLabelOfSigns(t *testing.T) {
	b := navigatetest.Of(t, spelt)
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: ".*"}})
	if a.Status != contract.StatusNotFound || len(a.Hints.NextSteps) > 0 {
		t.Errorf("%+v, %+v", a.Outcome, a.Hints)
	}
}
