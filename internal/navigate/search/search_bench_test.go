//go:build unix

package search_test

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// askedOften are questions like those of agents: prose, a few words, and names.
var askedOften = []string{
	"where are requests retried after a failure", "how is a connection pool emptied when idle",
	"parse the header of a compressed file",
	"which cookies are sent to a host", "close everything when the context is cancelled",
	"convert a time to another zone", "read configuration from the environment",
	"check a signature with a public key", "what happens when a buffer is full",
	"find the longest common prefix of two strings", "write a log line with its level",
	"how are goroutines scheduled", "validate user input before it is stored", "escape html in a template",
	"decode numbers of variable length", "limit how many requests are served at once",
	"remove entries that have expired from a cache", "compare two versions", "walk a directory tree",
	"start a process and read what it prints",
	"session refresh", "error handling middleware", "parse url query", "hash table resize",
	"json marshal", "lock order",
	"NewReader", "Close", "parseConfig", "ServeHTTP",
}

// processorTime returns the CPU time that the process has used.
func processorTime(b *testing.B) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// BenchmarkSearch searches SEXTANT_BENCH_ROOT (default: net of the standard library) by words and
// meaning, with the vectors in memory. It reports wall and CPU time. SEXTANT_BENCH_HOME keeps the
// index for the next run.
func BenchmarkSearch(b *testing.B) {
	dir, home := os.Getenv("SEXTANT_BENCH_ROOT"), os.Getenv("SEXTANT_BENCH_HOME")
	if dir == "" {
		dir = filepath.Join(build.Default.GOROOT, "src", "net")
	}
	if home == "" {
		home = b.TempDir()
	}
	opt := l1fts.Options{Embedder: embed.Builtin()}
	roots, err := jit.Open(b.Context(), navigate.IndexOptions(home, opt))
	if err != nil {
		b.Fatal(err)
	}
	defer roots.Close()
	s := navigate.New(navigate.Options{Roots: roots, Version: "bench", Words: opt, Resident: true,
		VectorWait: time.Minute})
	root, err := roots.Track(b.Context(), dir, jit.Policy{})
	if err == nil {
		err = root.Build(b.Context(), "create", nil)
	}
	if err == nil {
		err = root.Tidy(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
	ask := func(query string) *contract.SearchAnswer {
		req := contract.SearchRequest{Path: dir, Query: query, Delivery: contract.Delivery{MaxTokens: 8000}}
		if err := req.Normalize(); err != nil {
			b.Fatal(err)
		}
		a, err := s.Search(b.Context(), req)
		if err != nil {
			b.Fatal(err)
		}
		return a
	}
	for _, q := range askedOften { // load vectors and frequencies into memory
		ask(q)
	}
	var clock, processors []time.Duration
	for i := 0; b.Loop(); i++ {
		used, start := processorTime(b), time.Now()
		if a := ask(askedOften[i%len(askedOften)]); a.Tiers.Semantic.State != contract.TierOK {
			b.Fatalf("the semantic tier is %+v", a.Tiers.Semantic)
		}
		clock, processors = append(clock, time.Since(start)), append(processors, processorTime(b)-used)
	}
	for name, times := range map[string][]time.Duration{"ms": clock, "cpu-ms": processors} {
		slices.Sort(times)
		for _, p := range []int{50, 95, 99} {
			b.ReportMetric(times[len(times)*p/100].Seconds()*1e3, fmt.Sprintf("%s-p%d", name, p))
		}
	}
	status, err := s.Manage(b.Context(),
		contract.ManageRequest{Action: contract.ManageStatus, Path: dir,
			Delivery: contract.Delivery{MaxTokens: contract.DefaultMaxTokens}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(status.Tiers.L1.Vectors), "vectors")
}
