package navigate

import (
	"cmp"
	"encoding/json"
	"errors"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sextant/internal/store"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
)

// bench is a service over one indexed directory.
type bench struct {
	*Service
	t    *testing.T
	dir  string
	home string
}

// indexed copies a directory of the Go distribution, real code that is always
// there, and indexes it.
func indexed(t *testing.T, from string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(build.Default.GOROOT, "src", from))); err != nil {
		t.Fatal(err)
	}
	b := (&bench{t: t, dir: dir, home: t.TempDir()}).process()
	a := b.manage(ManageRequest{Action: "create", Path: dir, Wait: true, DeadlineMs: MaxWait})
	if a.Status != StatusOK || a.Coverage == nil || a.Coverage.Parsed == 0 {
		t.Fatalf("create: %+v", a)
	}
	return b
}

// process is the bench as another process on the same home sees it.
func (b *bench) process() *bench {
	b.t.Helper()
	roots := openRoots(b.t, b.home, l1fts.Options{})
	return &bench{Service: New(Options{Roots: roots, Version: "test", ReadLines: 200}), t: b.t, dir: b.dir, home: b.home}
}

// openRoots opens the roots of home, none of which is watched. Each question
// waits until all that changed is indexed, however slow the machine is.
func openRoots(t testing.TB, home string, words l1fts.Options) *jit.Roots {
	t.Helper()
	roots, err := jit.Open(t.Context(), jit.Options{
		Home: home, Extract: l2meta.Extract, Tiers: []jit.Indexer{l1fts.New(words), l2meta.Index{}},
		Schemas: []store.Schema{l1fts.Schema(), l2meta.Schema()}, Watch: jit.WatchOff, Version: "test", Budget: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { roots.Close() })
	return roots
}

func normal[R any, P interface {
	*R
	Request
}](t *testing.T, r R) R {
	t.Helper()
	if err := P(&r).Normalize(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (b *bench) manage(r ManageRequest) *ManageAnswer {
	b.t.Helper()
	a, err := b.Manage(b.t.Context(), normal(b.t, r))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bench) search(r SearchRequest) *SearchAnswer {
	b.t.Helper()
	r.Path = b.dir
	a, err := b.Search(b.t.Context(), normal(b.t, r))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bench) outline(file string) *OutlineAnswer {
	b.t.Helper()
	a, err := b.Outline(b.t.Context(), normal(b.t, OutlineRequest{Path: b.dir, File: file}))
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

// graph asks with a deadline that no busy machine misses, unless r has one of its
// own. A call that was given up before it had begun to walk is repeated: what it
// read stays, so it gets there.
func (b *bench) graph(r GraphRequest) *GraphAnswer {
	b.t.Helper()
	r.Path, r.DeadlineMs = b.dir, cmp.Or(r.DeadlineMs, MaxDeadline)
	for tries := 0; ; tries++ {
		a, err := b.CallGraph(b.t.Context(), normal(b.t, r))
		if err != nil {
			b.t.Fatal(err)
		}
		if a.Reason != ReasonDeadline || tries == 50 {
			return a
		}
	}
}

func (b *bench) read(r ReadRequest) (*ReadAnswer, error) {
	b.t.Helper()
	return b.Read(b.t.Context(), normal(b.t, r))
}

func (b *bench) edit(file string, change func(string) string) {
	b.t.Helper()
	path := filepath.Join(b.dir, file)
	text, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	after := change(string(text))
	if after == string(text) {
		b.t.Fatalf("the edit of %s changed nothing", file)
	}
	if err := os.WriteFile(path, []byte(after), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func symbol(t *testing.T, a *OutlineAnswer, label string) OutlineSymbol {
	t.Helper()
	for _, s := range a.Outline.Symbols {
		if s.SymbolLabel == label {
			return s
		}
	}
	t.Fatalf("no symbol %s in %s", label, a.File)
	return OutlineSymbol{}
}

func TestReferencesSurviveEdits(t *testing.T) {
	b := indexed(t, "bufio")
	before := symbol(t, b.outline("bufio.go"), "Reader.Peek")
	open := &OpenSymbol{SymbolID: before.SymbolID, SymbolInstanceID: before.CallGraphHint.SymbolRef.SymbolInstanceID}
	path := filepath.Join(b.dir, "bufio.go")

	b.edit("bufio.go", func(s string) string {
		return strings.Replace(s, "package bufio\n", "package bufio\n\n// moved\n// down\n", 1)
	})
	a, err := b.read(ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || !a.Plain || !strings.HasPrefix(string(a.Text), "func (b *Reader) Peek(") || len(a.Warnings) > 0 {
		t.Errorf("after an edit above it: %v, %+v", err, a)
	}

	b.edit("bufio.go", func(s string) string {
		return strings.Replace(s, "func (b *Reader) Peek(n int) ([]byte, error) {\n", "func (b *Reader) Peek(n int) ([]byte, error) {\n\t// edited\n", 1)
	})
	a, err = b.read(ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || len(a.Warnings) != 1 || a.Warnings[0].Code != "SYMBOL_MOVED" || !strings.Contains(a.Content, "// edited") {
		t.Errorf("after an edit inside it: %v, %+v", err, a)
	}

	b.edit("bufio.go", func(s string) string { return strings.ReplaceAll(s, ") Peek(", ") Glance(") })
	a, err = b.read(ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || a.Status != StatusNotFound || a.Reason != ReasonMissingSymbol {
		t.Errorf("after it was renamed: %v, %+v; want missing_symbol, never a guess", err, a.Outcome)
	}
}

func TestLabels(t *testing.T) {
	b := indexed(t, "bufio")
	g := b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "(*Reader).ReadLine"}})
	if g.Status != StatusOK || g.SymbolRef.SymbolLabel != "Reader.ReadLine" || g.SymbolRef.File != "bufio.go" {
		t.Errorf("a label as Go writes it: %+v, %+v", g.Outcome, g.SymbolRef)
	}
	g = b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "Read"}})
	if g.Status != StatusAmbiguous || len(g.Candidates) < 2 {
		t.Errorf("Read: %s with %d candidates; want ambiguous", g.Status, len(g.Candidates))
	}
	g = b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "NoSuchThing"}})
	if g.Status != StatusNotFound || g.Reason != ReasonMissingSymbol {
		t.Errorf("NoSuchThing: %+v", g.Outcome)
	}
}

func TestGraphSettlesWithinThePackage(t *testing.T) {
	b := indexed(t, "bufio")
	g := b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "Reader.fill"}, View: "tree", Limit: 100})
	var callers []string
	for _, n := range g.Nodes {
		if n.Depth == 1 {
			callers = append(callers, n.SymbolLabel)
		}
	}
	for _, want := range []string{"Reader.Peek", "Reader.Discard", "Reader.ReadByte", "Reader.ReadSlice", "Reader.WriteTo"} {
		if !slices.Contains(callers, want) {
			t.Errorf("%s calls fill, and is not among %v", want, callers)
		}
		if !strings.Contains(g.Tree, want+"  bufio.go:") {
			t.Errorf("the tree does not show %s:\n%s", want, g.Tree)
		}
	}
	for _, e := range g.Edges {
		if e.Confidence < DefaultConfidence || e.Confidence >= 1 || e.Evidence.String() != "syntactic" || e.State != "candidate" || e.Strategy == "" || e.Provenance == "" {
			t.Errorf("edge without honest evidence: %+v", e)
		}
	}
	silent := b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "ReadWriter"}, Direction: "callers"})
	if len(silent.Edges) == 0 && (silent.InboundCoverageEvidence == nil || !slices.Contains(silent.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL")) {
		t.Errorf("no callers are claimed without their coverage: %+v", silent)
	}
}

func TestPlainReadIsCutWithItsContinuation(t *testing.T) {
	b := indexed(t, "bufio")
	path := filepath.Join(b.dir, "bufio.go")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	next := regexp.MustCompile(`start_line=(\d+)\.\)$`)
	for start := 0; ; {
		a, err := b.read(ReadRequest{Path: path, StartLine: start})
		if err != nil || !a.Plain {
			t.Fatalf("read from %d: %v, %+v", start, err, a)
		}
		got = append(got, a.Text...)
		m := next.FindStringSubmatch(a.Continuation)
		if m == nil {
			break
		}
		if _, err := jsonNumber(m[1], &start); err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != string(whole) {
		t.Errorf("the pieces make %d bytes, the file has %d", len(got), len(whole))
	}
}

func jsonNumber(s string, n *int) (int, error) { return *n, json.Unmarshal([]byte(s), n) }

func TestRefusedPaths(t *testing.T) {
	b := indexed(t, "bufio")
	for name, text := range map[string]string{".env": "KEY=1", "ignored.log": "x", ".gitignore": "*.log\n", "blob.bin": "a\x00b", "id_rsa": "-----BEGIN"} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(b.dir, "out")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Reason{".env": ReasonSecret, "id_rsa": ReasonSecret, "ignored.log": ReasonIgnored} {
		_, err := b.read(ReadRequest{Path: filepath.Join(b.dir, name)})
		var refused *Refusal
		if !errors.As(err, &refused) || refused.Reason != want || refused.Message == "" {
			t.Errorf("%s: %v; want %s", name, err, want)
		}
	}
	for _, path := range []string{"/etc/passwd", filepath.Join(b.dir, "out")} {
		a, err := b.read(ReadRequest{Path: path})
		if err == nil && a.Plain {
			t.Errorf("%s was read", path)
		}
	}
}

func TestAnswersKeepTheirBudget(t *testing.T) {
	b := indexed(t, "net/http")
	for _, max := range []int{400, 1500, 8000} {
		d := Delivery{MaxTokens: max}
		answers := map[string]any{
			"search":     b.search(SearchRequest{Query: "close idle connections", Limit: 50, Detail: "full", Delivery: d}),
			"exhaustive": b.search(SearchRequest{Query: "must:Request", Scope: "mixed", Limit: 50, Delivery: d}),
			"graph":      b.graph(GraphRequest{SymbolRef: SymbolRef{File: "server.go", SymbolLabel: "conn.serve"}, Depth: 6, Limit: 500, View: "tree", Delivery: d}),
		}
		outline, err := b.Outline(t.Context(), normal(t, OutlineRequest{Path: b.dir, File: "server.go", Delivery: d}))
		if err != nil {
			t.Fatal(err)
		}
		answers["outline"] = outline
		for name, a := range answers {
			text, err := Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			// One result is shown whatever it costs: an answer without any says nothing.
			if n := Tokens(text); n > max && max > 400 {
				t.Errorf("%s takes %d tokens of %d", name, n, max)
			}
		}
	}
}

// times are the moments in an answer, and durations, which are left out below
// a millisecond.
var times = regexp.MustCompile(`"(checkedAt|lastSyncAt|validatedAt|builtAt)":"[^"]*"|,"durationMs":\d+`)

func TestEqualRequestsGiveEqualBytes(t *testing.T) {
	b := indexed(t, "net/http")
	ask := func() string {
		var out strings.Builder
		for _, a := range []any{
			b.search(SearchRequest{Query: "read request body"}),
			b.search(SearchRequest{Query: `regex:"func \(s \*Server\)"`}),
			b.graph(GraphRequest{SymbolRef: SymbolRef{SymbolLabel: "Server.Serve"}, Depth: 3, Limit: 100, View: "mermaid", DeadlineMs: MaxDeadline}),
			b.outline("server.go"),
		} {
			text, err := Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(text)
		}
		return times.ReplaceAllString(out.String(), "")
	}
	first := ask()
	for range 3 {
		if again := ask(); again != first {
			t.Fatal("the same requests gave other bytes")
		}
	}
}

func TestOneRootOwnsAPath(t *testing.T) {
	b := indexed(t, "net/http")
	sub := filepath.Join(b.dir, "httptest")
	a := b.manage(ManageRequest{Action: "create", Path: sub})
	if a.Status != StatusBlocked || a.Reason != ReasonTrackedAncestor || a.Hints == nil || a.Hints.UseRoot == nil {
		t.Errorf("create below a tracked root: %+v", a.Outcome)
	}
	before := b.status().Operation
	for action, hint := range map[string]func(*Hints) *Action{"reindex": func(h *Hints) *Action { return h.Reindex }, "clear": func(h *Hints) *Action { return h.Clear }} {
		a := b.manage(ManageRequest{Action: action, Path: sub, CustomExtensions: []string{"foo"}})
		if a.Reason != ReasonTrackedAncestor || a.Preflight.Owner != b.dir || a.Hints.UseRoot == nil || hint(a.Hints).Args.(*ManageRequest).Path != b.dir {
			t.Errorf("%s below a tracked root: %+v, %+v", action, a.Outcome, a.Hints)
		}
	}
	if after := b.status().Operation; after.ID != before.ID {
		t.Errorf("a refused action has begun %+v", after)
	}
	s, err := b.Search(t.Context(), normal(t, SearchRequest{Path: sub, Query: "NewRecorder"}))
	if err != nil || len(s.Results) == 0 || s.CodebaseRoot != b.dir || s.Path != sub {
		t.Fatalf("search below the root: %v, %+v", err, s)
	}
	for _, r := range s.Results {
		if file, _ := r.Place(); !strings.HasPrefix(file, "httptest/") {
			t.Errorf("%s lies outside of the path asked for", file)
		}
	}
	cleared := b.manage(ManageRequest{Action: "clear", Path: b.dir})
	if cleared.Status != StatusOK {
		t.Errorf("clear: %+v", cleared.Outcome)
	}
	if s := b.manage(ManageRequest{Action: "status", Path: b.dir}); s.Status != StatusNotIndexed || s.Hints.Create == nil {
		t.Errorf("status after clear: %+v", s.Outcome)
	}
}

// No rule is blamed for a file that none keeps out: not while it grows, nor when
// it is elsewhere.
func TestOnlyRulesMakeAnIgnoredFile(t *testing.T) {
	b := indexed(t, "net/http/httptest")
	growing := filepath.Join(b.dir, "growing.txt")
	f, err := os.Create(growing)
	if err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				ended <- f.Close()
				return
			default:
				if _, err := f.WriteString("one more line\n"); err != nil {
					ended <- err
					return
				}
			}
			if at, _ := f.Seek(0, io.SeekCurrent); at > 1<<20 {
				_ = f.Truncate(0)
				_, _ = f.Seek(0, io.SeekStart)
			}
		}
	}()
	for range 20 {
		a, err := b.Read(t.Context(), normal(t, ReadRequest{Path: growing, EndLine: 1}))
		if err != nil || a.Status != StatusOK && a.Reason != ReasonSourceChanged {
			t.Errorf("a growing file: %+v, %v", a, err)
			break
		}
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(b.dir, "self")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]Reason{"../x.go": ReasonOutside, "self/server.go": ReasonSymlink} {
		if err := os.WriteFile(filepath.Join(b.dir, filepath.Clean("../x.go")), []byte("package x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var refused *Refusal
		req := OutlineRequest{Path: b.dir, File: file}
		if _, err := b.Outline(t.Context(), req); !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}
