package vector

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"sextant/internal/budget"
)

const testDimensions = 128

// topics returns unit vectors that resemble those of code: grouped around
// topics of very different sizes, with a larger share of their own than of the
// topic.
func topics(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(1, 1))
	centres := make([]float32, 300*testDimensions)
	for i := range centres {
		centres[i] = float32(r.NormFloat64())
	}
	r = rand.New(rand.NewPCG(seed, 2))
	out := make([]float32, n*testDimensions)
	for i := range n {
		at := int(math.Pow(r.Float64(), 2) * 300)
		other := r.IntN(300)
		v := out[i*testDimensions : (i+1)*testDimensions]
		for k := range v {
			v[k] = centres[at*testDimensions+k] + 0.5*centres[other*testDimensions+k] + 0.9*float32(r.NormFloat64())
		}
		normalize(v)
	}
	return out
}

func row(flat []float32, i int) []float32 { return flat[i*testDimensions : (i+1)*testDimensions] }

func TestRecords(t *testing.T) {
	flat := topics(50, 2)
	r := Records{Dimensions: testDimensions}
	for i := range 50 {
		r.Append(uint64(i)<<40, row(flat, i))
	}
	r.Append(7, nil)
	if r.Len() != 51 || r.Vectors() != 50 || r.Has(50) || r.Key(50) != 7 || r.Key(3) != 3<<40 {
		t.Fatalf("records are not what was added: %d, %d", r.Len(), r.Vectors())
	}
	r.SetCell(4, 900)
	buf := make([]float32, testDimensions)
	for i := range 50 {
		v := r.Vector(i, buf)
		if n := dot(v, v); math.Abs(float64(n)-1) > 1e-6 {
			t.Errorf("vector %d has length² %v", i, n)
		}
		for j := range 50 {
			if got, want := r.Dot(i, row(flat, j)),
				dot(row(flat, i), row(flat, j)); math.Abs(float64(got-want)) > 0.003 {
				t.Errorf("cosine of %d and %d moved from %v to %v", i, j, want, got)
			}
		}
	}
	if r.Cell(4) != 900 || r.Cell(5) != 0 {
		t.Error("a cell is not kept")
	}
	c := Records{Dimensions: testDimensions}
	c.AppendFrom(r, 4)
	if c.Cell(0) != 0 || c.Key(0) != r.Key(4) || c.Dot(0, row(flat, 1)) != r.Dot(4, row(flat, 1)) {
		t.Error("a copied record is another one")
	}
}

func TestCellsPack(t *testing.T) {
	c := Train(testDimensions, 30000, topics(2000, 3))
	d, err := UnpackCells(c.Pack())
	if err != nil {
		t.Fatal(err)
	}
	for i, flat := 0, topics(100, 4); i < 100; i++ {
		if c.Of(row(flat, i)) != d.Of(row(flat, i)) {
			t.Fatal("unpacked cells group differently")
		}
	}
	for _, damaged := range [][]byte{nil, c.Pack()[:40], make([]byte, 8)} {
		if _, err := UnpackCells(damaged); err == nil {
			t.Errorf("%d bytes pass for cells", len(damaged))
		}
	}
}

// filled returns a store of n vectors in cells.
func filled(t testing.TB, flat []float32) (*Store, *Cells) { return filledWithin(t, flat, nil) }

// filledWithin is like filled, with a budget.
func filledWithin(t testing.TB, flat []float32, b *budget.Budget) (*Store, *Cells) {
	t.Helper()
	n := len(flat) / testDimensions
	c := Train(testDimensions, n, flat[:min(n, SampleSize(n))*testDimensions])
	s := NewStore(testDimensions, StoreOptions{Dir: t.TempDir(), Budget: b})
	t.Cleanup(s.Close)
	r := Records{Dimensions: testDimensions}
	for i := range n {
		r.Data = r.Data[:0]
		r.Append(0, row(flat, i))
		r.SetCell(0, c.Of(row(flat, i)))
		if err := s.Put(context.Background(), int64(i), r, 0); err != nil {
			t.Fatal(err)
		}
	}
	return s, c
}

// TestNearestFewAreTheFirstOfMany checks that a search for n vectors returns the first n matches of a search
// for all.
func TestNearestFewAreTheFirstOfMany(t *testing.T) {
	const vectors = 3000
	s, _ := filled(t, topics(vectors, 5))
	asked := topics(20, 6)
	for q := range 20 {
		many, err := s.Near(context.Background(), row(asked, q), vectors)
		if err != nil || len(many) < 1000 {
			t.Fatalf("%d matches, %v", len(many), err)
		}
		for _, n := range []int{1, 2, 13, 180} {
			few, err := s.Near(context.Background(), row(asked, q), n)
			if err != nil || !slices.Equal(few, many[:n]) {
				t.Errorf("the nearest %d: %v, %v, want %v", n, few, err, many[:n])
			}
		}
	}
}

func TestStoreFindsWhatAScanFinds(t *testing.T) {
	flat := topics(30000, 5)
	s, _ := filled(t, flat)
	const questions = 60
	asked := topics(questions, 6)
	found := 0
	for q := range questions {
		var exact []Match
		for i := range 30000 {
			exact = append(exact, Match{int64(i), float64(dot(row(flat, i), row(asked, q)))})
		}
		SortMatches(exact)
		near, err := s.Near(context.Background(), row(asked, q), 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range exact[:10] {
			if slices.ContainsFunc(near, func(m Match) bool { return m.ID == e.ID }) {
				found++
			}
		}
	}
	recall := float64(found) / (10 * questions)
	t.Logf("recall@10 %.3f with %d of %d cells", recall, probes, len(s.cells))
	if recall < 0.95 {
		t.Errorf("recall@10 is %.3f", recall)
	}
}

func TestStoreDeletes(t *testing.T) {
	flat := topics(100, 7)
	s, c := filled(t, flat)
	if err := s.Delete(context.Background(), c.Of(row(flat, 50))); err != nil || s.Len() != 100 {
		t.Fatalf("%d vectors are left when none is deleted, %v", s.Len(), err)
	}
	for i := range int64(40) {
		if err := s.Delete(context.Background(), c.Of(row(flat, int(i))), i, 5000+i); err != nil {
			t.Fatal(err)
		}
	}
	if s.Len() != 60 {
		t.Errorf("%d vectors are left of 60", s.Len())
	}
	near, err := s.Near(context.Background(), row(flat, 3), 100)
	if err != nil || len(near) != 60 {
		t.Fatalf("%d are near, %v", len(near), err)
	}
	for _, m := range near {
		if m.ID < 40 {
			t.Errorf("%d was deleted", m.ID)
		}
	}
}

// TestStoreSettles checks that moving the directory to a file changes no answer, before and after
// vectors are put and deleted, and that the file is made anew when most of it is unused.
func TestStoreSettles(t *testing.T) {
	flat := topics(1000, 9)
	want, c := filled(t, flat)
	s, _ := filled(t, flat)
	s.settleAt = 1
	s.Settle()
	if s.lists == nil {
		t.Skip("this system maps no files")
	}
	on := func(s *Store) (heap int64) {
		for _, c := range s.cells {
			if !c.kept {
				heap += c.listBytes()
			}
		}
		return heap
	}
	if on(s) != 0 || s.loose != 0 || s.directoryBytes() >= want.directoryBytes()/2 {
		t.Errorf("%d bytes of %d are on the heap", s.directoryBytes(), want.directoryBytes())
	}
	records := Records{Dimensions: testDimensions}
	records.Append(1, row(flat, 0))
	first, anew := s.lists, false
	for round := range 300 {
		id := int64(1000 + round)
		at := row(flat, round)
		records.SetCell(0, c.Of(at))
		for _, s := range []*Store{s, want} {
			if err := s.Put(t.Context(), id, records, 0); err != nil {
				t.Fatal(err)
			}
			if err := s.Delete(t.Context(), c.Of(at), int64(round)); err != nil {
				t.Fatal(err)
			}
		}
		if s.loose != on(s) {
			t.Fatalf("%d bytes count as loose, %d are", s.loose, on(s))
		}
		s.Settle()
		if anew = anew || s.lists != first; round%7 > 0 {
			continue
		}
		got, err := s.Near(t.Context(), at, 20)
		if err != nil {
			t.Fatal(err)
		}
		if expected, err := want.Near(t.Context(), at, 20); err != nil || !slices.Equal(got, expected) {
			t.Fatalf("round %d finds %v, want %v, %v", round, got, expected, err)
		}
	}
	if !anew {
		t.Error("the file is never made anew")
	}
}

func TestStoreMemory(t *testing.T) {
	const vectors = 15000
	flat := topics(vectors, 8)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, _ := filled(t, flat)
	runtime.GC()
	runtime.ReadMemStats(&after)
	directory := float64(after.HeapAlloc) - float64(before.HeapAlloc)
	t.Logf("%.0f bytes a vector before any is asked, %.0f reported", directory/vectors, float64(s.Bytes())/vectors)
	if said := float64(s.Bytes()); said < 0.7*directory || said > 1.3*directory {
		t.Errorf("%.0f bytes are reported, %.0f are held", said, directory)
	}
	if directory > 60*vectors {
		t.Errorf("%.0f bytes a vector are kept that nobody asks", directory/vectors)
	}
	for _, c := range s.cells {
		if _, err := c.load(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held, raw := float64(after.HeapAlloc)-float64(before.HeapAlloc), float64(4*len(flat))
	t.Logf("%.0f bytes a vector, %.2f times their float32 bytes; %.0f reported", held/vectors, held/raw,
		float64(s.Bytes())/vectors)
	if held > 1.8*raw {
		t.Errorf("vectors take %.2f times their bytes", held/raw)
	}
	if said := float64(s.Bytes()); said < 0.85*held || said > 1.15*held {
		t.Errorf("%.0f bytes are reported, %.0f are held", said, held)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(flat)
}

// TestStoreWithinABudget checks that a store with a budget gives the same
// results as one without, before and after changes, and stays within the
// budget.
func TestStoreWithinABudget(t *testing.T) {
	flat := topics(9000, 9)
	whole, c := filled(t, flat)
	b := budget.New(3 << 19)
	little, _ := filledWithin(t, flat, b)
	directory, _ := b.Held()
	asked := topics(25, 10)
	same := func(when string) {
		t.Helper()
		for q := range 25 {
			want, err := whole.Near(t.Context(), row(asked, q), 20)
			if err != nil {
				t.Fatal(err)
			}
			got, err := little.Near(t.Context(), row(asked, q), 20)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s, question %d: %v, want %v (%v)", when, q, got, want, err)
			}
			if held, limit := b.Held(); held > limit {
				t.Fatalf("%s: %d bytes of %d", when, held, limit)
			}
		}
	}
	same("at first")
	if held, _ := b.Held(); held <= directory {
		t.Error("nothing was kept of what was asked")
	}
	for _, s := range []*Store{whole, little} {
		for i := range int64(2000) {
			if err := s.Delete(t.Context(), c.Of(row(flat, int(i))), i); err != nil {
				t.Fatal(err)
			}
		}
		r := Records{Dimensions: testDimensions}
		more := topics(1000, 11)
		for i := range 1000 {
			r.Data = r.Data[:0]
			r.Append(0, row(more, i))
			r.SetCell(0, c.Of(row(more, i)))
			if err := s.Put(t.Context(), int64(50000+i), r, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if little.Len() != 8000 {
		t.Errorf("%d vectors are left of 8,000", little.Len())
	}
	same("after changes")
	b.Clear()
	same("after all was dropped")
	little.Close()
	if held, _ := b.Held(); held != 0 {
		t.Errorf("%d bytes are counted of a store that is closed", held)
	}
}

// TestStoreWithoutAFile checks that vectors stay in memory if there is no file, and that a file that cannot be
// read gives an error, not wrong vectors.
func TestStoreWithoutAFile(t *testing.T) {
	flat := topics(500, 12)
	s := NewStore(testDimensions, StoreOptions{Dir: "/nowhere/at/all"})
	defer s.Close()
	broken := NewStore(testDimensions, StoreOptions{Dir: t.TempDir()})
	defer broken.Close()
	r := Records{Dimensions: testDimensions}
	for i := range 500 {
		if i == 300 {
			broken.rest.file.Close()
		}
		r.Data = r.Data[:0]
		r.Append(0, row(flat, i))
		for _, s := range []*Store{s, broken} {
			if err := s.Put(t.Context(), int64(i), r, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	near, err := s.Near(t.Context(), row(flat, 400), 5)
	if err != nil || near[0].ID != 400 {
		t.Errorf("%v, %v", near, err)
	}
	if _, err := broken.Near(t.Context(), row(flat, 400), 5); err == nil {
		t.Error("vectors that cannot be read are no error")
	}
}
