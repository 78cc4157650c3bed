package l2meta

import (
	"fmt"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
)

func TestVerdictsAreKeptByTheirBytes(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), Schemas: []store.Schema{Schema()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one, two := code.Hash{1}, code.Hash{2}
	add := func(path string, v Verdicts, now int64) {
		t.Helper()
		if err := db.Update(t.Context(), func(tx *store.Tx) error {
			return Index{}.AddVerdicts(t.Context(), tx, path, v, now)
		}); err != nil {
			t.Fatal(err)
		}
	}
	get := func(path string) (v Verdicts, found bool) {
		t.Helper()
		if err := db.View(t.Context(), func(view *store.View) (err error) {
			v, found, err = Index{}.Verdicts(t.Context(), view, path)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return v, found
	}
	if _, found := get("a.go"); found {
		t.Error("verdicts out of nothing")
	}
	site := Verdict{Syntax: "s", At: 5, Target: "b.go", Hash: two, Offset: 7}
	add("a.go", Verdicts{File: one, Basis: "x", Server: "s v1", Sites: map[int]Verdict{3: site}}, 1)
	add("a.go", Verdicts{File: one, Basis: "x", Server: "s v1", Sites: map[int]Verdict{9: {Module: "fmt"}},
		Named: map[int]Naming{1: {Generation: 2, Sites: []NamedAt{{"c.go", 4}}}}}, 2)
	if v, _ := get("a.go"); len(v.Sites) != 2 || v.Sites[3] != site || v.Sites[9].Module != "fmt" ||
		v.Named[1].Sites[0].Offset != 4 {
		t.Errorf("%+v", v)
	}
	add("a.go", Verdicts{File: two, Basis: "x", Sites: map[int]Verdict{1: {Unknown: true}}}, 3)
	if v, _ := get("a.go"); len(v.Sites) != 1 || v.File != two {
		t.Errorf("of other bytes: %+v", v)
	}
	add("a.go", Verdicts{File: two, Basis: "y"}, 4)
	if v, _ := get("a.go"); len(v.Sites) != 0 {
		t.Errorf("on another basis: %+v", v)
	}

	for i := range 30 {
		add(fmt.Sprintf("f%d.go", i), Verdicts{File: one}, int64(10+i))
	}
	if err := db.Update(t.Context(), func(tx *store.Tx) error {
		return trimVerdicts(t.Context(), tx, 20)
	}); err != nil {
		t.Fatal(err)
	}
	left := 0
	for i := range 30 {
		if _, found := get(fmt.Sprintf("f%d.go", i)); found {
			left++
		} else if i > 15 {
			t.Errorf("f%d.go went before an older one", i)
		}
	}
	if left > 20 || left < 15 {
		t.Errorf("%d of 31 are left, want at most 20", left)
	}
}
