package l2meta_test

import (
	"context"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

func openIndex(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(),
		store.Options{Dir: t.TempDir(), Schemas: []store.Schema{l2meta.Schema()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func write(t testing.TB, db *store.DB, f *code.File) (id int64) {
	t.Helper()
	ctx := context.Background()
	put := l2meta.Index{}.Prepare(t.Context(), f)
	err := db.Update(ctx, func(tx *store.Tx) (err error) {
		if id, err = tx.PutFile(ctx, store.FileRow{Path: f.Path, Language: f.Language,
			Class: code.ClassSource}); err != nil {
			return err
		}
		return put(ctx, tx, id)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// stored returns s with the fields that the symbols table keeps.
func stored(s code.Symbol) code.Symbol {
	s.Parameters, s.Annotations, s.Modifiers, s.Returns, s.Doc, s.Body = nil, nil, nil, "", "", [2]int{}
	s.NameSpan = code.Span{StartByte: s.NameSpan.StartByte}
	return s
}

func TestIndexRoundTripOnRealFiles(t *testing.T) {
	db := openIndex(t)
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", "net", "http", "*.go"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := languages.Extract(filepath.Base(path), text)
		if err != nil {
			t.Fatal(err)
		}
		id := write(t, db, &f)
		id2 := write(t, db, &f) // replaces, adds nothing
		err = db.View(t.Context(), func(v *store.View) error {
			rows, err := l2meta.Index{}.OfFile(t.Context(), v, id)
			if len(rows) != len(f.Symbols) || id != id2 {
				t.Fatalf("%s: %d rows of %d symbols", path, len(rows), len(f.Symbols))
			}
			for i, r := range rows {
				if want := stored(f.Symbols[i]); !reflect.DeepEqual(r.Symbol, want) ||
					r.Path != f.Path || r.Index != i {
					t.Fatalf("%s: symbol %d is %+v\nwant %+v", path, i, r, want)
				}
			}
			checkQueries(t, v, rows)
			facts, ferr := l2meta.Index{}.Facts(t.Context(), v, id)
			if ferr != nil || !equalFacts(facts, &f) {
				t.Errorf("%s: facts differ: %v", path, ferr)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	checkLookups(t, db)
}

func equalFacts(got l2meta.Facts, f *code.File) bool {
	if len(got.Symbols) != len(f.Symbols) {
		return false
	}
	for i := range f.Symbols {
		if !reflect.DeepEqual(got.Symbols[i], packedSymbol(f.Symbols[i])) {
			return false
		}
	}
	return reflect.DeepEqual(append([]code.Call{}, f.Calls...), got.Calls()) &&
		reflect.DeepEqual(append([]code.Import{}, f.Imports...), got.Imports) &&
		reflect.DeepEqual(append([]code.Export{}, f.Exports...), got.Exports) &&
		reflect.DeepEqual(append([]code.Fact{}, f.Facts...), got.Facts())
}

// packedSymbol returns s with the fields that the packed facts keep.
func packedSymbol(s code.Symbol) code.Symbol {
	s.Signature, s.Doc = "", ""
	s.NameSpan = code.Span{StartByte: s.NameSpan.StartByte, StartLine: s.NameSpan.StartLine}
	if s.Body[1] > s.Body[0] {
		s.Body = [2]int{s.NameSpan.StartByte, s.Span.EndByte}
	}
	if len(s.Parameters) == 0 {
		s.Parameters = nil
	}
	if len(s.Annotations) == 0 {
		s.Annotations = nil
	}
	if len(s.Modifiers) == 0 {
		s.Modifiers = nil
	}
	s.Parameters = slices.Clone(s.Parameters)
	for i := range s.Parameters {
		if s.Parameters[i].Default != "" {
			s.Parameters[i].Default = "…"
		}
	}
	return s
}

func checkLookups(t *testing.T, db *store.DB) {
	t.Helper()
	err := db.View(t.Context(), func(v *store.View) error {
		rows, err := l2meta.Index{}.Named(t.Context(), v, "listenandserve", 10)
		if err != nil || len(rows) != 2 {
			t.Errorf("Named(listenandserve) = %d rows, %v; want the function and the method", len(rows), err)
		}
		ids, err := l2meta.Index{}.Calling(t.Context(), v, "ListenAndServe")
		if err != nil || len(ids) == 0 {
			t.Errorf("nobody calls ListenAndServe: %v", err)
		}
		c, err := l2meta.Index{}.Count(t.Context(), v)
		if c.Symbols < 3000 || c.Calls < 3000 || c.FilesWithSymbols == 0 {
			t.Errorf("counts = %+v", c)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCalleeNamesOfAnyBytes(t *testing.T) {
	db := openIndex(t)
	names := []string{"empty?", "operator()", "größe", "a b", `say"hi"`, "snake_case", "Plain9", "x"}
	f := code.File{Path: "x.rb", Parsed: true}
	for _, n := range names {
		f.Calls = append(f.Calls, code.Call{Callee: n, Caller: -1})
	}
	id := write(t, db, &f)
	err := db.View(t.Context(), func(v *store.View) error {
		for _, n := range names {
			ids, err := l2meta.Index{}.Calling(t.Context(), v, n)
			if err != nil || len(ids) != 1 || ids[0] != id {
				t.Errorf("Calling(%q) = %v, %v", n, ids, err)
			}
		}
		ids, err := l2meta.Index{}.Calling(t.Context(), v, "absent")
		if len(ids) != 0 {
			t.Errorf("Calling(absent) = %v", ids)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNamesLookedUpTogether looks up a few names that files have among many that no file has, more
// than fit one query.
func TestNamesLookedUpTogether(t *testing.T) {
	db := openIndex(t)
	f := code.File{Path: "x.go", Language: "go", Parsed: true,
		Calls:   []code.Call{{Callee: "getOrder", Caller: -1}, {Callee: "put order?", Caller: -1}},
		Symbols: []code.Symbol{{Name: "GetOrder", Kind: code.KindFunction, Parent: -1}}}
	write(t, db, &f)
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("absent%d", i))
	}
	names[0], names[131], names[299] = "getOrder", `say "x"`, "put order?"
	err := db.View(t.Context(), func(v *store.View) error {
		called, err := l2meta.Index{}.CalledAmong(t.Context(), v, names)
		if want := []string{"getOrder", "put order?"}; !slices.Equal(called, want) {
			t.Errorf("CalledAmong = %q, %v; want %q", called, err, want)
		}
		declared, err := l2meta.Index{}.DeclaredAmong(t.Context(), v, names)
		if want := []string{"getOrder"}; !slices.Equal(declared, want) {
			t.Errorf("DeclaredAmong = %q, %v; want %q", declared, err, want)
		}
		languages, err := l2meta.Index{}.LanguagesPresent(t.Context(), v)
		if !slices.Equal(languages, []string{"go"}) {
			t.Errorf("LanguagesPresent = %q, %v", languages, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Names returns names by first letter and length, within its limit.
func TestNames(t *testing.T) {
	db := openIndex(t)
	f := code.File{Path: "x.go", Parsed: true}
	for _, n := range []string{"handle", "Handle", "hand_le", "Hand", "server", "Zeta", "größe", "_x"} {
		f.Symbols = append(f.Symbols, code.Symbol{Kind: code.KindFunction, Name: n, QualifiedName: n, Parent: -1})
	}
	write(t, db, &f)
	err := db.View(t.Context(), func(v *store.View) error {
		for _, c := range []struct {
			first              rune
			least, most, limit int
			want               []string
		}{
			{'h', 5, 7, 100, []string{"hand_le", "handle"}}, {'h', 1, 4, 100, []string{"hand"}},
			{'g', 5, 5, 100, []string{"größe"}}, {'z', 1, 9, 100, []string{"zeta"}},
			{0, 1, 9, 100, []string{"_x", "größe", "hand", "hand_le", "handle", "server", "zeta"}},
			{0, 1, 9, 3, []string{"_x", "größe", "hand"}}, {'q', 1, 9, 100, nil},
		} {
			names, err := l2meta.Index{}.Names(t.Context(), v, c.first, c.least, c.most, c.limit)
			for i := range names {
				names[i] = strings.ToLower(names[i])
			}
			slices.Sort(names)
			if err != nil || !slices.Equal(names, c.want) {
				t.Errorf("Names(%q, %d to %d, %d): %v, %v; want %v", c.first, c.least, c.most,
					c.limit, names, err, c.want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzUnpack(f *testing.F) {
	whole, err := languages.Extract("queue.go", []byte("package q\nimport a \"b\"\nfunc F(x int) { a.G(x) }\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(l2meta.Pack(&whole))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := l2meta.Unpack(b)
		if err != nil {
			return
		}
		again, err := l2meta.Unpack(l2meta.Pack(&code.File{Symbols: got.Symbols, Calls: got.Calls(),
			Imports: got.Imports, Exports: got.Exports, Facts: got.Facts()}))
		if err != nil || !reflect.DeepEqual(got.Symbols, again.Symbols) ||
			!reflect.DeepEqual(got.Calls(), again.Calls()) || !reflect.DeepEqual(got.Imports, again.Imports) ||
			!reflect.DeepEqual(got.Exports, again.Exports) || !reflect.DeepEqual(got.Facts(), again.Facts()) {
			t.Errorf("unpack of a repack differs: %v", err)
		}
	})
}

// checkQueries checks the queries that pick symbols of a file against all of them, for ten of them.
func checkQueries(t *testing.T, v *store.View, all []l2meta.Row) {
	t.Helper()
	same := func(what string, got []l2meta.Row, err error, want func(r *l2meta.Row) bool) {
		t.Helper()
		picked := slices.DeleteFunc(slices.Clone(all), func(r l2meta.Row) bool { return !want(&r) })
		if err != nil || !slices.EqualFunc(got, picked, func(a, b l2meta.Row) bool { return a.Index == b.Index }) {
			t.Errorf("%s: %d symbols, want %d: %v", what, len(got), len(picked), err)
		}
	}
	for i := 0; i < len(all); i += 1 + len(all)/10 {
		of := &all[i]
		like := func(r *l2meta.Row) bool {
			return r.Symbol.Parent == of.Symbol.Parent && r.Symbol.Kind == of.Symbol.Kind &&
				(strings.HasPrefix(r.Symbol.Name, of.Symbol.Name) || strings.HasPrefix(of.Symbol.Name, r.Symbol.Name))
		}
		got, err := l2meta.Index{}.Variants(t.Context(), v, of)
		same("variants of "+of.Symbol.Name, got, err, like)
		first, last := of.Symbol.Span.StartLine, of.Symbol.Span.EndLine
		got, err = l2meta.Index{}.Within(t.Context(), v, of.FileID, first, last, 3)
		same("within "+of.Symbol.Name, got, err, func(r *l2meta.Row) bool {
			return r.Symbol.Span.StartLine >= first && r.Symbol.Span.EndLine <= last && r.Symbol.Span.Lines() <= 3
		})
		got, err = l2meta.Index{}.Namesakes(t.Context(), v, of, 1000)
		got = slices.DeleteFunc(got, func(r l2meta.Row) bool { return r.FileID != of.FileID })
		slices.SortFunc(got, func(a, b l2meta.Row) int { return a.Index - b.Index })
		same("namesakes of "+of.Symbol.Name, got, err, func(r *l2meta.Row) bool {
			return r.Symbol.Name == of.Symbol.Name && r.Symbol.Kind == of.Symbol.Kind
		})
	}
}

// TestNamedIgnoresTheOrderOfWrites writes two files against the order of their paths, as an index that
// was updated has them.
func TestNamedIgnoresTheOrderOfWrites(t *testing.T) {
	db := openIndex(t)
	for _, path := range []string{"b.go", "a.go"} {
		text := []byte("package p\n\nfunc Get() {}\n\ntype T struct{}\n\nfunc (T) Get() {}\n")
		f, err := languages.Extract(path, text)
		if err != nil {
			t.Fatal(err)
		}
		write(t, db, &f)
	}
	want := []string{"a.go:3", "a.go:7", "b.go:3", "b.go:7"}
	for _, limit := range []int{10, 4, 3, 1} {
		var got []string
		err := db.View(t.Context(), func(v *store.View) error {
			rows, err := l2meta.Index{}.Named(t.Context(), v, "get", limit)
			for _, r := range rows {
				got = append(got, fmt.Sprintf("%s:%d", r.Path, r.Symbol.Span.StartLine))
			}
			return err
		})
		if want := want[:min(limit, len(want))]; err != nil || !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, %v; want %v", limit, got, err, want)
		}
	}
}
