package l1fts

import (
	"fmt"
	"slices"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
)

func candidatesOf(t *testing.T, db *store.DB, x *Index, raw string) (out []string) {
	t.Helper()
	q, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(v *store.View) error {
		cs, err := x.Candidates(t.Context(), v, q, Filter{})
		for _, c := range cs {
			out = append(out, c.Path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCandidatesSurviveFoldingAndCompaction writes files in rounds, some of
// them again with other text, with calls of Merge in between, and searches for
// each text.
func TestCandidatesSurviveFoldingAndCompaction(t *testing.T) {
	x, db := New(Options{}), openDB(t)
	current := map[string]string{}
	round := func(from, n, version int) {
		var files []*code.File
		for i := from; i < from+n; i++ {
			path := fmt.Sprintf("d%d/f%05d.txt", i%7, i)
			current[path] = fmt.Sprintf("tok%05dv%d", i, version)
			files = append(files, goFile(path, []byte("some text\n"+current[path]+"\n")))
		}
		put(t, db, x, files...)
	}
	segments := func() (n int) {
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			if _, err := x.Merge(t.Context(), tx); err != nil {
				return err
			}
			_, err := tx.QueryRow(t.Context(), "SELECT count(*) FROM l1_gram_segments", nil, &n)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	round(0, segmentFiles+10, 0)
	if n := segments(); n == 0 {
		t.Fatal("a full segment was not folded")
	}
	for v := 1; v <= 14; v++ {
		round(v*50, idlePending, v)
		if n := segments(); n > spareSegments+2 {
			t.Errorf("round %d: %d segments", v, n)
		}
	}
	round(20, 5, 99) // pending
	i := 0
	for path, text := range current {
		if i++; i%40 != 0 {
			continue
		}
		got := candidatesOf(t, db, x, "must:"+text)
		if !slices.Contains(got, path) {
			t.Errorf("%s holds %s; candidates %v", path, text, got)
		}
	}
	if got := candidatesOf(t, db, x, "must:tok00021v0"); len(got) > 1 {
		t.Errorf("replaced text has candidates %v", got)
	}
	if got := candidatesOf(t, db, x, "must:d3/f00003.txt"); len(got) > 0 {
		t.Errorf("what a path alone holds has candidates %v", got)
	}
}

func TestInvertAgreesWithTheSets(t *testing.T) {
	g := newGrammer()
	var sets [][]byte
	want := map[gram][]uint16{}
	for i, f := range tree(t, goroot()+"/strings", 100) {
		set := g.file(f.Text)
		sets = append(sets, set)
		if err := eachGram(set, func(v gram) bool { want[v] = append(want[v], uint16(i)); return true }); err != nil {
			t.Fatal(err)
		}
	}
	got, err := invert(sets)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d grams, %v; want %d", len(got), err, len(want))
	}
	for _, p := range got {
		if !slices.Equal(p.ordinals, want[p.gram]) {
			t.Errorf("gram %d: %v, want %v", p.gram, p.ordinals, want[p.gram])
		}
		set, err := unpackOrdinals(packOrdinals(nil, p.ordinals))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range p.ordinals {
			if set[o>>6]>>(o&63)&1 == 0 {
				t.Fatalf("gram %d lost ordinal %d", p.gram, o)
			}
		}
	}
}
