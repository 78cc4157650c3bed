package l2meta_test

import (
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// Facts about the file as a whole are packed apart, and come back in their places.
func TestFactsKeepTheirOrder(t *testing.T) {
	leaf := func(pointer string) code.Fact {
		return code.Fact{Kind: code.FactField, Owner: -1, Name: pointer, Type: "v"}
	}
	other := func(owner int, name string) code.Fact {
		return code.Fact{Kind: code.FactVar, Owner: owner, Name: name, Type: "T",
			Span: code.Span{StartByte: 7 * owner, EndByte: 7*owner + 3, StartLine: owner, EndLine: owner}}
	}
	name := code.Fact{Kind: code.FactPackage, Owner: -1, Type: "p"}
	for _, facts := range [][]code.Fact{
		{other(1, "a")},
		{name, other(1, "a"), other(2, "b")},
		{other(1, "a"), name, leaf("/x"), other(5, "b"), leaf("/y"), other(3, "c")},
		{leaf("/x"), leaf("/y")},
	} {
		got, err := l2meta.Unpack(l2meta.Pack(&code.File{Facts: facts}))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Facts(), facts) {
			t.Errorf("facts %+v, want %+v", got.Facts(), facts)
		}
		for _, f := range got.Stated {
			if f.Owner >= 0 {
				t.Errorf("%+v is about a part of the file", f)
			}
		}
	}
}

// BenchmarkUnpack unpacks the declarations of net/http.
func BenchmarkUnpack(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src/net/http/*.go"))
	if err != nil || len(files) == 0 {
		b.Skip("no sources of net/http")
	}
	var packed [][]byte
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		f, err := languages.Extract(path, text)
		if err != nil {
			b.Fatal(err)
		}
		packed = append(packed, l2meta.Pack(&f))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range packed {
			if _, err := l2meta.Unpack(p); err != nil {
				b.Fatal(err)
			}
		}
	}
}
