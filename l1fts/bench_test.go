package l1fts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

func goroot() string { return filepath.Join(runtime.GOROOT(), "src") }

func bytesOf(files []*code.File) (n int64) {
	for _, f := range files {
		n += int64(len(f.Text))
	}
	return n
}

func BenchmarkPrepare(b *testing.B) {
	files := tree(b, goroot(), 3000)
	x := New(Options{})
	b.SetBytes(bytesOf(files))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			x.Prepare(f)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	files := tree(b, goroot(), 3000)
	b.SetBytes(bytesOf(files))
	for b.Loop() {
		b.StopTimer()
		x, db := New(Options{}), openDB(b)
		var writes []func(context.Context, *store.Tx, int64) error
		for _, f := range files {
			writes = append(writes, x.Prepare(f))
		}
		b.StartTimer()
		for i := 0; i < len(files); i += 500 {
			end := min(i+500, len(files))
			if err := db.Update(b.Context(), func(tx *store.Tx) error {
				for j := i; j < end; j++ {
					id, err := tx.PutFile(b.Context(), store.FileRow{Path: files[j].Path, Class: files[j].Class})
					if err != nil {
						return err
					}
					if err := writes[j](b.Context(), tx, id); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(db.Bytes())/float64(bytesOf(files)), "db/source")
	}
}

var queryClasses = []struct {
	name    string
	queries []string
}{
	{"identifier", []string{"ServeHTTP", "parseDirectives", "newPersistConn", "mallocgc", "typeCheckFuncBody", "ReadHeader", "BufferPool", "asmcgocall"}},
	{"words", []string{"read request header", "tls handshake timeout", "garbage collector sweep", "parse struct tag", "json decode string", "close idle connection"}},
	{"sentence", []string{"where are idle http connections closed after a timeout", "how does the scheduler steal work from other processors", "parse the command line flags and set default values",
		"read bytes from the file until the end of line", "get the value of the key in the map and return error", "check the type of the given function argument is valid"}},
	{"prefix", []string{"serv*", "handl* request", "con*", "unmarsh*", "goroutine* stack"}},
	{"common", []string{"get", "error", "string", "value", "return", "type", "name", "func"}},
}

func BenchmarkSearch(b *testing.B) {
	x, db := New(Options{}), openDB(b)
	put(b, db, x, tree(b, goroot(), 100_000)...)
	for _, class := range queryClasses {
		b.Run(class.name, func(b *testing.B) {
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				q, err := Parse(class.queries[i%len(class.queries)])
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				err = db.View(b.Context(), func(v *store.View) error {
					_, _, err := x.Search(b.Context(), v, q, SearchOptions{Filter: Filter{Classes: []code.Class{code.ClassSource, code.ClassTest}}})
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			for _, p := range []int{50, 95, 99} {
				b.ReportMetric(float64(times[len(times)*p/100])/1e6, fmt.Sprintf("ms-p%d", p))
			}
		})
	}
}

func TestScratch(t *testing.T) {
	dir := os.Getenv("SCRATCH_DIR")
	if dir == "" {
		dir = goroot()
	}
	start := time.Now()
	files := tree(t, dir, 100_000)
	total := float64(bytesOf(files))
	t.Logf("%d files, %.1f MB read+ast in %v", len(files), total/1e6, time.Since(start))
	x, db := New(Options{}), openDB(t)
	start = time.Now()
	chunks, out, grams := 0, 0, 0
	for _, f := range files {
		p := x.prepare(f)
		chunks += len(p.rows)
		grams += len(p.grams)
		for _, r := range p.rows {
			out += len(r.name) + len(r.signature) + len(r.path) + len(r.body)
		}
	}
	d := time.Since(start)
	t.Logf("prepare %v = %.1f MB/s; %d chunks, columns %.2f of source, grams %.2f", d, total/1e6/d.Seconds(), chunks, float64(out)/total, float64(grams)/total)
	start = time.Now()
	put(t, db, x, files...)
	d = time.Since(start)
	t.Logf("put %v = %.1f MB/s, %.0f files/s; db %.1f MB = %.2f of source", d, total/1e6/d.Seconds(), float64(len(files))/d.Seconds(), float64(db.Bytes())/1e6, float64(db.Bytes())/total)
	sizes(t, db)
	for round := range 2 {
		for _, class := range queryClasses {
			for _, raw := range class.queries {
				q, err := Parse(raw)
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				var hits []Hit
				var stats Stats
				err = db.View(t.Context(), func(v *store.View) (err error) {
					hits, stats, err = x.Search(t.Context(), v, q, SearchOptions{Filter: Filter{Classes: []code.Class{code.ClassSource, code.ClassTest}}})
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				d := time.Since(start)
				t.Logf("%d %-8v %-40s %d hits %+v", round, d.Round(10*time.Microsecond), raw, len(hits), stats)
				if round == 1 {
					for _, h := range hits[:min(4, len(hits))] {
						t.Logf("      %6.2f %s:%d-%d sym %d w %d", h.Score, h.Path, h.StartLine, h.EndLine, h.Symbol, h.Weight)
					}
				}
			}
		}
	}
}

func sizes(t *testing.T, db *store.DB) {
	db.View(t.Context(), func(v *store.View) error {
		rows, err := v.Query(t.Context(), "SELECT name, sum(pgsize) FROM dbstat GROUP BY name")
		if err != nil {
			t.Log(err)
			return nil
		}
		defer rows.Close()
		m := map[string]float64{}
		var names []string
		for rows.Next() {
			var n string
			var s float64
			rows.Scan(&n, &s)
			m[n] = s
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			t.Logf("   %-28s %.1f MB", n, m[n]/1e6)
		}
		return nil
	})
}
