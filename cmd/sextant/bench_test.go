package main

import (
	"context"
	"fmt"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// benchRoot returns the tree that benchmarks index: SEXTANT_BENCH_ROOT, else
// the source of the Go distribution.
func benchRoot() string {
	if p := os.Getenv("SEXTANT_BENCH_ROOT"); p != "" {
		return p
	}
	return filepath.Join(build.Default.GOROOT, "src")
}

// benchHome returns the data folder: SEXTANT_BENCH_HOME, which keeps its index
// between runs, else a new temporary folder.
func benchHome(b *testing.B) string {
	if p := os.Getenv("SEXTANT_BENCH_HOME"); p != "" {
		return p
	}
	return b.TempDir()
}

// benchApp returns an app without language servers, whose work in the
// background would disturb the measurement.
func benchApp(b *testing.B, home string) *app {
	b.Helper()
	env := map[string]string{"SEXTANT_HOME": home, "SEXTANT_MAX_SERVERS": "0"}
	a := newApp(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard,
		env: func(k string) string { return env[k] }})
	a.quiet = true
	if _, err := a.open(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { a.close() })
	return a
}

// BenchmarkColdIndex builds the index of a tree from nothing. It reports the MB
// and files of indexed source per second.
func BenchmarkColdIndex(b *testing.B) {
	for b.Loop() {
		a := benchApp(b, b.TempDir())
		start := time.Now()
		if err := a.build(context.Background(), benchRoot()); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start).Seconds()
		root, _, err := a.roots.Resolve(context.Background(), benchRoot())
		if err != nil {
			b.Fatal(err)
		}
		status, err := root.Status(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		var bytes int64
		files := 0
		err = root.View(context.Background(), func(v *jit.View) error {
			return v.Files(context.Background(), func(f jit.FileRow) error {
				if f.Skip == "" {
					bytes += f.Key.Size
					files++
				}
				return nil
			})
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(bytes)/1e6/took, "MB/s")
		b.ReportMetric(float64(files)/took, "files/s")
		b.ReportMetric(float64(status.Bytes)/float64(bytes), "disk/source")
	}
}

// benchQueries are the kinds of query in the performance table of the README.
var benchQueries = []struct {
	kind    string
	queries []string
}{
	{"identifier", []string{"ListenAndServe", "NewReader", "roundTrip", "Unmarshal", "parseFile"}},
	{"words2to4", []string{"close idle connections", "parse url query", "read request body", "lock timeout",
		"compile regular expression"}},
	{"words8", []string{"where does the http transport close its idle connections",
		"how is a certificate chain verified against the system roots",
		"which function decides whether a file must be rebuilt"}},
	{"misspelt", []string{"ListenAndSevre", "Unmarhsal", "close NewRaeder again"}},
	{"prefix", []string{"serv*", "unmarsh*", "trans*"}},
	{"commonWord", []string{"error", "string", "file"}},
	{"must", []string{`must:"ctx.Err()"`, `must:"sync.Pool"`, `must:"TODO(rsc)"`}},
	{"regex", []string{`regex:"func \(s \*Server\) \w+\("`, `regex:"errors\.New\(.*timeout"`,
		`regex:"^type \w+ interface"`}},
}

// BenchmarkWarmSearch searches an indexed tree. It reports percentiles by kind
// of query.
func BenchmarkWarmSearch(b *testing.B) {
	a := benchApp(b, b.TempDir())
	if err := a.build(context.Background(), benchRoot()); err != nil {
		b.Fatal(err)
	}
	for _, k := range benchQueries {
		b.Run(k.kind, func(b *testing.B) {
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				times = append(times, ask(b, a, k.queries[i%len(k.queries)]))
			}
			percentiles(b, times)
		})
	}
}

func ask(b *testing.B, a *app, query string) time.Duration {
	b.Helper()
	req := contract.SearchRequest{Path: benchRoot(), Query: query, Scope: contract.ScopeMixed}
	if err := req.Normalize(); err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	answer, err := a.service.Search(context.Background(), req)
	if err != nil || answer.Status != contract.StatusOK {
		b.Fatalf("%q: %v, %+v", query, err, answer)
	}
	return time.Since(start)
}

func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	at := func(p float64) float64 { return times[int(p*float64(len(times)-1))].Seconds() * 1e3 }
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.95), "p95-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}

// BenchmarkEditToAnswer edits one file of a copied package and searches for the
// new text.
func BenchmarkEditToAnswer(b *testing.B) {
	dir := b.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(build.Default.GOROOT, "src", "net"))); err != nil {
		b.Fatal(err)
	}
	a := benchApp(b, b.TempDir())
	if err := a.build(context.Background(), dir); err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(dir, "http", "cookie.go") // 500 lines
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("freshlyWritten%d", i)
		if err := os.WriteFile(file, append(text[:len(text):len(text)], "\nfunc "+name+"() {}\n"...),
			0o644); err != nil {
			b.Fatal(err)
		}
		req := contract.SearchRequest{Path: dir, Query: name}
		if err := req.Normalize(); err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		answer, err := a.service.Search(context.Background(), req)
		times = append(times, time.Since(start))
		if err != nil || len(answer.Results) == 0 || answer.Results[0].(*contract.Group).SymbolLabel != name {
			b.Fatalf("the edit is not found: %v", err)
		}
	}
	percentiles(b, times)
}

// BenchmarkGate synchronizes the index of an unchanged tree.
func BenchmarkGate(b *testing.B) {
	a := benchApp(b, b.TempDir())
	if err := a.build(context.Background(), benchRoot()); err != nil {
		b.Fatal(err)
	}
	root, _, err := a.roots.Resolve(context.Background(), benchRoot())
	if err != nil {
		b.Fatal(err)
	}
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := root.Sync(context.Background()); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	percentiles(b, times)
}
