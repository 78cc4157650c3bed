package l1fts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l1fts/embed"
)

// counted is the built-in embedder with a name of its own. It counts documents
// and fails on demand.
type counted struct {
	embed.Embedder
	name string
	docs atomic.Int64
	fail atomic.Bool
}

func newCounted(name string) *counted { return &counted{Embedder: embed.Builtin(), name: name} }

func (c *counted) Fingerprint() string { return c.name }

func (c *counted) Documents(ctx context.Context, docs []embed.Document) ([][]float32, error) {
	if c.fail.Load() {
		return nil, errors.New("no such server")
	}
	c.docs.Add(int64(len(docs)))
	return c.Embedder.Documents(ctx, docs)
}

func near(t *testing.T, db *store.DB, x *Index, text string, opt SearchOptions) (hits []Hit, state NearState) {
	t.Helper()
	ctx := t.Context()
	q, err := x.EmbedQuery(ctx, text)
	if err != nil {
		t.Fatal(err)
	}
	query, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(ctx, func(v *store.View) error {
		hits, state, err = x.Near(ctx, v, q, query, opt)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hits, state
}

func load(t testing.TB, db *store.DB, x *Index) {
	t.Helper()
	if err := db.View(t.Context(), func(v *store.View) error { return x.Load(t.Context(), v) }); err != nil {
		t.Fatal(err)
	}
}

// placed formats hits, rounded so that rounding errors do not matter.
func placed(hits []Hit) (out []string) {
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s:%d %.4f", h.Path, h.StartLine, h.Score))
	}
	slices.Sort(out)
	return out
}

func source(i, version int) *code.File {
	words := []string{"session", "refund", "invoice", "socket", "parser", "matrix", "colour", "ledger"}
	text := "package p\n"
	for k := range 4 {
		a, b := words[(i+k)%8], words[(i*3+version+k)%8]
		text += fmt.Sprintf("\n// %s%d checks the %s of a %s.\nfunc %s%s%d() {\n\tuse(%q)\n}\n", a, k, a, b, a, b, k, b)
	}
	return goFile(fmt.Sprintf("p%d/f%d.go", i%5, i), []byte(text))
}

// TestNearIsTheSameFromMemoryAndDatabase makes random edits and compares the
// results of memory, which is updated step by step, with those of a scan.
func TestNearIsTheSameFromMemoryAndDatabase(t *testing.T) {
	db := openDB(t)
	x, cold := New(Options{Embedder: embed.Builtin()}), New(Options{Embedder: embed.Builtin()})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		put(t, db, x, source(i, 0))
	}
	load(t, db, x)
	for round := range 40 {
		i := r.IntN(60)
		if r.IntN(4) == 0 {
			remove(t, db, x, source(i, 0).Path)
		} else {
			put(t, db, x, source(i, round))
		}
		for _, opt := range []SearchOptions{{Limit: 10}, {Limit: 5, Filter: Filter{Prefix: "p2"}},
			{Limit: 5, Filter: Filter{Classes: []code.Class{code.ClassDocs}}}} {
			a, sa := near(t, db, x, "where is the refund of an invoice checked", opt)
			b, sb := near(t, db, cold, "where is the refund of an invoice checked", opt)
			if !sa.Loaded || sb.Loaded || !sa.Complete {
				t.Fatalf("round %d: states %+v and %+v", round, sa, sb)
			}
			if !slices.Equal(placed(a), placed(b)) {
				t.Fatalf("round %d, %+v:\n%v\n%v", round, opt, placed(a), placed(b))
			}
			if opt.Filter.Prefix != "" && len(a) == 0 {
				t.Errorf("round %d: nothing below %s", round, opt.Filter.Prefix)
			}
		}
	}
	if m := x.Memory(); !m.Loaded || m.Vectors == 0 || m.Bytes < int64(m.Vectors)*512 {
		t.Errorf("memory is %+v", m)
	}
	x.Unload()
	if m := x.Memory(); m.Loaded {
		t.Errorf("memory after unloading is %+v", m)
	}
}

func remove(t testing.TB, db *store.DB, x *Index, path string) {
	t.Helper()
	ctx := t.Context()
	err := db.Update(ctx, func(tx *store.Tx) error {
		row, found, err := tx.File(ctx, path)
		if err != nil || !found {
			return err
		}
		if err := x.Delete(ctx, tx, row.ID); err != nil {
			return err
		}
		return tx.DeleteFile(ctx, row.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// catchUp adds the missing vectors with Behind, Late and CaughtUp, as their caller does after a write. It
// returns the error of the embedder.
func catchUp(t *testing.T, db *store.DB, x *Index, files map[string]*code.File) error {
	t.Helper()
	ctx := t.Context()
	var ids []int64
	byID := map[int64]*code.File{}
	err := db.View(ctx, func(v *store.View) (err error) {
		for after, first := int64(0), true; first || after > 0; first = false {
			var some []int64
			if some, after, err = x.Behind(ctx, v, after, 7); err != nil {
				return err
			}
			ids = append(ids, some...)
		}
		for _, id := range ids {
			row, _, err := v.FileByID(ctx, id)
			if err != nil {
				return err
			}
			byID[id] = files[row.Path]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	writes, err := x.Late(ctx, db.View, byID)
	if err != nil {
		return err
	}
	return db.Update(ctx, func(tx *store.Tx) error {
		for id, write := range writes {
			if err := write(ctx, tx, id); err != nil {
				return err
			}
		}
		return x.CaughtUp(ctx, tx)
	})
}

// TestNothingIsEmbedded checks that an index without files lacks no vectors.
func TestNothingIsEmbedded(t *testing.T) {
	db, x := openDB(t), New(Options{Embedder: newCounted("none-1")})
	if _, state := near(t, db, x, "invoice", SearchOptions{}); !state.Complete {
		t.Errorf("without files: %+v", state)
	}
}

// TestTrailing uses a slow embedder: files are found by their words immediately
// and by their vectors later, an edit embeds only the changed chunks, and the
// vector of an older text produces no hit.
func TestTrailing(t *testing.T) {
	db := openDB(t)
	e := newCounted("slow-1")
	x := New(Options{Embedder: e, Trailing: true})
	files := map[string]*code.File{}
	for i := range 20 {
		f := source(i, 0)
		files[f.Path] = f
		put(t, db, x, f)
	}
	const question = "where is the ledger of a session checked"
	if hits, state := near(t, db, x, question, SearchOptions{}); len(hits) > 0 || e.docs.Load() > 0 {
		t.Fatalf("%d hits before anything was embedded, %+v", len(hits), state)
	}
	e.fail.Store(true)
	if err := catchUp(t, db, x, files); err == nil {
		t.Fatal("a failing embedder passes")
	}
	e.fail.Store(false)
	if err := catchUp(t, db, x, files); err != nil {
		t.Fatal(err)
	}
	all := e.docs.Load()
	if hits, state := near(t, db, x, question, SearchOptions{}); len(hits) == 0 || !state.Complete {
		t.Fatalf("%d hits, %+v", len(hits), state)
	}
	// After a change to one function, the other functions keep their vectors.
	f := source(3, 0)
	edited := goFile(f.Path, append(slices.Clone(f.Text), "\n// zeppelin flies.\nfunc zeppelin() {}\n"...))
	files[f.Path] = edited
	put(t, db, x, edited)
	_, state := near(t, db, x, question, SearchOptions{})
	if state.Complete {
		t.Error("an edited file counts as embedded")
	}
	if hits, _ := near(t, db, x, "zeppelin flies", SearchOptions{Limit: 1}); len(hits) > 0 && hits[0].StartLine > 26 {
		t.Errorf("found by a vector that nobody made: %+v", hits[0])
	}
	kept := 0
	for _, h := range func() []Hit { h, _ := near(t, db, x, question, SearchOptions{Limit: 200}); return h }() {
		if h.Path == f.Path {
			kept++
		}
	}
	if kept < 3 {
		t.Errorf("%d of the edited file's vectors were kept", kept)
	}
	if err := catchUp(t, db, x, files); err != nil {
		t.Fatal(err)
	}
	if n := e.docs.Load() - all; n > 2 {
		t.Errorf("%d documents were embedded for one new function", n)
	}
	if hits, state := near(t, db, x, "zeppelin flies", SearchOptions{Limit: 1}); !state.Complete ||
		len(hits) == 0 || hits[0].Path != f.Path {
		t.Errorf("%+v, %+v", hits, state)
	}
}

// TestAnotherEmbedder switches to another embedder and back.
func TestAnotherEmbedder(t *testing.T) {
	db := openDB(t)
	first := New(Options{Embedder: newCounted("a")})
	files := map[string]*code.File{}
	for i := range 10 {
		f := source(i, 0)
		files[f.Path] = f
		put(t, db, first, f)
	}
	e := newCounted("b")
	second := New(Options{Embedder: e})
	if hits, _ := near(t, db, second, "invoice", SearchOptions{}); len(hits) > 0 {
		t.Fatalf("%d hits by another embedder's vectors", len(hits))
	}
	if err := catchUp(t, db, second, files); err != nil {
		t.Fatal(err)
	}
	if hits, state := near(t, db, second, "invoice", SearchOptions{}); len(hits) == 0 || !state.Complete {
		t.Fatalf("%d hits, %+v", len(hits), state)
	}
	// The vectors of the first embedder are kept, except those of changed files.
	if hits, state := near(t, db, first, "invoice", SearchOptions{Limit: 100}); len(hits) != 50 || !state.Complete {
		t.Fatalf("%d hits, %+v", len(hits), state)
	}
	f := source(2, 5)
	files[f.Path] = f
	put(t, db, second, f)
	hits, state := near(t, db, first, "invoice", SearchOptions{Limit: 100})
	if state.Complete || slices.ContainsFunc(hits, func(h Hit) bool { return h.Path == f.Path }) {
		t.Errorf("vectors of an older text are shown: %+v", state)
	}
	// Files can be written without an embedder.
	put(t, db, New(Options{}), source(4, 9))
	if hits, state := near(t, db, second, "invoice", SearchOptions{Limit: 100}); state.Complete ||
		slices.ContainsFunc(hits, func(h Hit) bool { return h.Path == source(4, 9).Path }) {
		t.Errorf("vectors of an older text are shown: %+v", state)
	}
	third := New(Options{Embedder: newCounted("c")})
	if err := catchUp(t, db, third, files); err != nil {
		t.Fatal(err)
	}
	var models, rows int
	err := db.View(t.Context(), func(v *store.View) error {
		_, err := v.QueryRow(t.Context(),
			"SELECT (SELECT count(*) FROM l1_models), (SELECT count(DISTINCT model) FROM l1_vectors)", nil, &models,
			&rows)
		return err
	})
	if err != nil || models > maxModels || rows > maxModels {
		t.Errorf("%d models are kept, vectors of %d; %v", models, rows, err)
	}
}

// TestCells groups vectors into cells and compares the hits before and after.
func TestCells(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	db := openDB(t)
	x := New(Options{Embedder: embed.Builtin(), ScanLimit: 1 << 30})
	put(t, db, x, tree(t, goroot(), 1200)...)
	questions := []string{"parse a URL with its query", "compress data with huffman codes",
		"read the header of a zip file", "rotate left by some bits", "sign with an elliptic curve"}
	before := map[string][]Hit{}
	for _, q := range questions {
		before[q], _ = near(t, db, x, q, SearchOptions{Limit: 10})
	}
	load(t, db, x)
	for more := true; more; {
		err := db.Update(t.Context(), func(tx *store.Tx) (err error) {
			more, err = x.groupVectors(t.Context(), tx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if x.Memory().Vectors < cellsFrom {
		t.Fatalf("%d vectors are too few to be grouped", x.Memory().Vectors)
	}
	load(t, db, x)
	same, all := 0, 0
	for _, q := range questions {
		after, state := near(t, db, x, q, SearchOptions{Limit: 10})
		if !state.Loaded {
			t.Errorf("%s is not asked of memory", q)
		}
		for _, h := range before[q] {
			all++
			if slices.Contains(placed(after), placed([]Hit{h})[0]) {
				same++
			}
		}
	}
	t.Logf("%d of the %d nearest are found by cells", same, all)
	if same*100 < all*95 {
		t.Errorf("%d of the %d nearest are found by cells", same, all)
	}
}
