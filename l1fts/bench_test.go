package l1fts

import (
	"context"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

func goroot() string { return filepath.Join(build.Default.GOROOT, "src") }

// corpus returns the tree that searches are measured on: SEXTANT_CORPUS, a
// folder of repositories, or else the standard library.
func corpus() string {
	if dir := os.Getenv("SEXTANT_CORPUS"); dir != "" {
		return dir
	}
	return goroot()
}

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
			x.Prepare(b.Context(), f)
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
			writes = append(writes, x.Prepare(b.Context(), f))
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
		var size int64
		if err := db.View(b.Context(), func(v *store.View) (err error) {
			size, err = v.Bytes(b.Context())
			return err
		}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size)/float64(bytesOf(files)), "db/source")
	}
}

var queryClasses = []struct {
	name    string
	queries []string
}{
	{"identifier", []string{"ServeHTTP", "parseDirectives", "newPersistConn", "mallocgc", "typeCheckFuncBody",
		"ReadHeader", "BufferPool", "asmcgocall"}},
	{"words", []string{"read request header", "tls handshake timeout", "garbage collector sweep",
		"parse struct tag", "json decode string", "close idle connection"}},
	{"sentence", []string{"where are idle http connections closed after a timeout",
		"how does the scheduler steal work from other processors",
		"parse the command line flags and set default values",
		"read bytes from the file until the end of line", "get the value of the key in the map and return error",
		"check the type of the given function argument is valid"}},
	{"prefix", []string{"serv*", "handl* request", "con*", "unmarsh*", "goroutine* stack"}},
	{"common", []string{"get", "error", "string", "value", "return", "type", "name", "func"}},
}

func BenchmarkSearch(b *testing.B) {
	x, db := New(Options{}), openDB(b)
	put(b, db, x, tree(b, corpus(), 100_000)...)
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
					_, _, err := x.Search(b.Context(), v, q,
						SearchOptions{Filter: Filter{Classes: []code.Class{code.ClassSource, code.ClassTest}}})
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

// BenchmarkCandidates measures an exhaustive query up to the reading of bytes.
func BenchmarkCandidates(b *testing.B) {
	x, db := New(Options{}), openDB(b)
	put(b, db, x, tree(b, corpus(), 100_000)...)
	if err := db.Update(b.Context(), func(tx *store.Tx) error {
		_, err := x.Merge(b.Context(), tx)
		return err
	}); err != nil {
		b.Fatal(err)
	}
	for _, raw := range []string{"must:mallocgc", `must:"func (s *Server) "`, `regex:"(?i)idle.*timeout"`,
		`regex:"\bctx\.(Done|Err)\("`} {
		q, err := Parse(raw)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(raw, func(b *testing.B) {
			for b.Loop() {
				err := db.View(b.Context(), func(v *store.View) error {
					found, err := x.Candidates(b.Context(), v, q, Filter{})
					b.ReportMetric(float64(len(found)), "candidates")
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOneFile measures the work after an edit: one file is split into
// chunks, its rows are replaced, and the transaction is committed.
func BenchmarkOneFile(b *testing.B) {
	x, db := New(Options{}), openDB(b)
	files := tree(b, goroot(), 3000)
	put(b, db, x, files...)
	for i := 0; b.Loop(); i++ {
		put(b, db, x, files[i%len(files)])
	}
}
