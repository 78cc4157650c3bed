package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"sextant/cmd/dev/internal/stdio"
)

// session is a running server, with the tree and the symbols to query it about.
type session struct {
	*stdio.Client
	*table
	root   string
	calls  int
	random *rand.Rand
	sample sample
}

// sample holds files and callables of a tree, drawn at random.
type sample struct {
	files   []string
	symbols []symbol
	common  []symbol // symbols with the most frequent names
}

// symbol is a callable: the path of its file and its label, such as Server.Handle.
type symbol struct{ file, label string }

// name returns the last part of the label: Handle of Server.Handle.
func (s symbol) name() string { return s.label[strings.LastIndexByte(s.label, '.')+1:] }

// session measures a new server process, from its first answer on. Another server process answers
// the queries that draw the sample, so that this one starts without caches.
func (b *bench) session(ctx context.Context, t *table, home, dir string) error {
	random := rand.New(rand.NewPCG(b.seed, 1))
	drawn, err := b.draw(ctx, home, dir, random)
	if err != nil {
		return err
	}
	s := &session{table: t, root: dir, calls: b.calls, random: random, sample: drawn}
	began := time.Now()
	if s.Client, err = stdio.Serve(ctx, b.binary, home, dir); err != nil {
		return err
	}
	t.add("start to handshake", "p50 ms", time.Since(began).Seconds()*1e3)
	if err := errors.Join(s.kinds(b.settle), s.Close()); err != nil || !b.settle {
		return err
	}
	if s.Client, err = stdio.Serve(ctx, b.binary, home, dir); err != nil {
		return err
	}
	return errors.Join(s.restart(), s.Close())
}

// draw returns a random sample of the files and symbols of a tree.
func (b *bench) draw(ctx context.Context, home, dir string, random *rand.Rand) (out sample, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, p) // no error: p is below dir
			out.files = append(out.files, rel)
		}
		return err
	})
	if err != nil {
		return out, err
	}
	random.Shuffle(len(out.files), func(i, j int) { out.files[i], out.files[j] = out.files[j], out.files[i] })
	conn, err := stdio.Serve(ctx, b.binary, home, dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	frequency := map[string]int{}
	for _, file := range out.files[:min(len(out.files), 10*b.calls)] {
		var a struct {
			Outline struct {
				Symbols []struct{ SymbolLabel, Kind string }
			}
		}
		if conn.Call("file_outline", map[string]any{"path": dir, "file": file}, &a) != nil {
			continue // an error means that the file is not indexed
		}
		for _, x := range a.Outline.Symbols {
			if x.Kind == "function" || x.Kind == "method" {
				sym := symbol{file, x.SymbolLabel}
				out.symbols = append(out.symbols, sym)
				frequency[sym.name()]++
			}
		}
	}
	if len(out.symbols) == 0 {
		return out, fmt.Errorf("no function was found in %s", dir)
	}
	random.Shuffle(len(out.symbols), func(i, j int) { out.symbols[i], out.symbols[j] = out.symbols[j], out.symbols[i] })
	out.common = slices.Clone(out.symbols)
	slices.SortStableFunc(out.common, func(x, y symbol) int {
		return cmp.Compare(frequency[y.name()], frequency[x.name()])
	})
	return out, nil
}

// kind is a kind of tool call, with the number of calls to send. call returns the tool and the
// arguments of call i. If the arguments have no path, the call is about the whole tree.
type kind struct {
	name  string
	calls int
	call  func(i int) (tool string, args map[string]any)
}

// kinds measures each kind of call in turn.
func (s *session) kinds(settle bool) error {
	for _, k := range append(s.searches(), s.others()...) {
		if err := s.measure(k); err != nil {
			return err
		}
	}
	if !settle {
		return nil
	}
	return s.rest("background until at rest")
}

// searches returns the kinds of search.
func (s *session) searches() []kind {
	search := func(query func(i int) string) func(i int) (string, map[string]any) {
		return func(i int) (string, map[string]any) { return "search_codebase", map[string]any{"query": query(i)} }
	}
	return []kind{
		{"first search of a process", 1, search(func(int) string { return s.name() })},
		{"an identifier", s.calls, search(func(int) string { return s.name() })},
		{"3 words", s.calls, search(func(int) string { return s.words(3) })},
		{"8 words", s.calls, search(func(int) string { return s.words(8) })},
		{"must:, every match", s.calls, search(func(int) string { return "must:" + s.name() })},
		{"regex:, every match", s.calls, search(func(int) string { return "regex:" + s.name() + `\w*\(` })},
	}
}

// others returns the kinds of calls of tools other than search.
func (s *session) others() []kind {
	graph := func(symbols []symbol, depth int, direction string) func(i int) (string, map[string]any) {
		return func(i int) (string, map[string]any) {
			x := symbols[i%len(symbols)]
			return "call_graph", map[string]any{"depth": depth, "limit": 200, "direction": direction,
				"symbolRef": map[string]any{"file": x.file, "symbolLabel": x.label}}
		}
	}
	file := func() string { return s.sample.files[s.random.IntN(len(s.sample.files))] }
	return []kind{
		{"call_graph, depth 1", s.calls, graph(s.sample.symbols, 1, "both")},
		{"call_graph, depth 6, 200 edges", s.calls, graph(s.sample.symbols, 6, "both")},
		{"callers of common names", s.calls, graph(s.sample.common, 1, "callers")},
		{"file_outline", s.calls, func(int) (string, map[string]any) {
			return "file_outline", map[string]any{"file": file()}
		}},
		{"read_file", s.calls, func(int) (string, map[string]any) {
			return "read_file", map[string]any{"path": filepath.Join(s.root, file())}
		}},
		{"manage_index status", s.calls, func(int) (string, map[string]any) {
			return "manage_index", map[string]any{"action": "status"}
		}},
		{"list_codebases", s.calls, func(int) (string, map[string]any) { return "list_codebases", nil }},
	}
}

// measure sends the calls of a kind, and adds to the table their times and the memory after them.
// An answer may be an error, such as that of a file that is not indexed.
func (s *session) measure(k kind) error {
	before, err := used(s.PID())
	if err != nil {
		return err
	}
	times := make([]float64, k.calls)
	for i := range k.calls {
		tool, args := k.call(i)
		if args != nil && args["path"] == nil {
			args["path"] = s.root
		}
		began := time.Now()
		if _, _, err := s.Text(tool, args); err != nil {
			return err
		}
		times[i] = time.Since(began).Seconds() * 1e3
	}
	after, err := used(s.PID())
	if err != nil {
		return err
	}
	slices.Sort(times)
	s.add(k.name, "p50 ms", percentile(times, 0.5))
	s.add(k.name, "p90 ms", percentile(times, 0.9))
	s.add(k.name, "p99 ms", percentile(times, 0.99))
	s.add(k.name, "CPU ms a call", (after-before).Seconds()*1e3/float64(k.calls))
	return s.memory(k.name)
}

// memory adds the memory of the server to a row of the table.
func (s *session) memory(row string) error {
	own, peak, err := resident(s.PID())
	s.add(row, "MB", own/1e6)
	s.add(row, "peak MB", peak/1e6)
	return err
}

// restart measures the work that a new server does in the background after its first call graph, on
// an index in which an earlier process has resolved all calls.
func (s *session) restart() error {
	x := s.sample.symbols[0]
	_, _, err := s.Text("call_graph", map[string]any{"path": s.root,
		"symbolRef": map[string]any{"file": x.file, "symbolLabel": x.label}})
	if err != nil {
		return err
	}
	return s.rest("background after a restart")
}

const (
	// restEvery is the interval at which the CPU time of a server is read.
	restEvery = 5 * time.Second
	// restCPU is the CPU time within restEvery below which a server counts as at rest.
	restCPU = 50 * time.Millisecond
)

// rest waits until the server is at rest, and adds the CPU time that it used
// until then to a row of the table.
func (s *session) rest(row string) error {
	first, err := used(s.PID())
	if err != nil {
		return err
	}
	for last := first; ; {
		time.Sleep(restEvery)
		now, err := used(s.PID())
		if err != nil {
			return err
		}
		if now-last < restCPU {
			s.add(row, "CPU s", (now - first).Seconds())
			return s.memory(row)
		}
		last = now
	}
}

func (s *session) name() string { return s.sample.symbols[s.random.IntN(len(s.sample.symbols))].name() }

// words returns n words from the names of random symbols. It returns fewer if the names that it
// draws have too few words.
func (s *session) words(n int) string {
	var out []string
	for range 10 * n {
		out = append(out, split(s.name())...)
	}
	return strings.Join(out[:min(n, len(out))], " ")
}

// split returns the words of a name that have three letters or more, in lower
// case: close and idle of closeIdle_2.
func split(name string) (out []string) {
	var word strings.Builder
	for _, c := range name + "." {
		if !unicode.IsLetter(c) || unicode.IsUpper(c) {
			if word.Len() > 2 {
				out = append(out, word.String())
			}
			word.Reset()
		}
		if unicode.IsLetter(c) {
			word.WriteRune(unicode.ToLower(c))
		}
	}
	return out
}
