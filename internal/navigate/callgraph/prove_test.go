package callgraph_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/internal/navigate/callgraph"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// fakeServer is a language server that reads its answers from comments. A call on a line
// that ends with "// -> id" calls the declaration on the line that ends with "// @id". A
// method on a line that ends with "< id" implements the method with that id. "// ->
// /outside.go" names a file outside, "id+" adds the first byte of the file, which
// declares nothing, and "=id" means the function assigned on the line. Its field ill
// selects a fault.
type fakeServer struct {
	root  string
	whole bool

	mu    sync.Mutex
	rooms []string      // guarded by mu; the folders that it was started in
	ill   string        // guarded by mu; "", starting, indexing, empty, slow, wrong, dead, missing, capped
	heals int           // guarded by mu; after so many questions ill is reset
	asked []string      // guarded by mu; "definition b.go:12"
	wake  chan struct{} // closed to let a slow server answer
}

func (f *fakeServer) set(ill string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ill = ill
}

func (f *fakeServer) illness() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ill
}

func (f *fakeServer) questions() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}

func (f *fakeServer) Pool() contract.L3State { return contract.L3State{Max: 3} }

func (f *fakeServer) Server(language, folder string) proof.ServerInfo {
	if language != "go" && language != "typescript" {
		return proof.ServerInfo{}
	}
	info := proof.ServerInfo{Name: "fake", Identity: "fake 1", Manifests: []string{"go.mod"},
		State: contract.ServerReady, Whole: f.whole, Implements: true}
	switch ill := f.illness(); ill {
	case "missing":
		info.Identity, info.State = "", contract.ServerMissing
	case "starting", "indexing", "capped":
		info.State = contract.ServerPhase(ill)
	case "dead":
		info.State = contract.ServerCrashed
	case "stopped":
		info.State = ""
	}
	return info
}

func (f *fakeServer) Ask(ctx context.Context, b *proof.Batch) (proof.Report, error) {
	ill := f.illness()
	f.mu.Lock()
	f.rooms = append(f.rooms, b.Folder)
	if f.heals > 0 {
		if f.heals--; f.heals == 0 {
			f.ill = ""
		}
	}
	f.mu.Unlock()
	rep := proof.Report{Server: "fake v1", State: contract.ServerReady,
		Answers: make([][]proof.Answer, len(b.Files))}
	switch ill {
	case "starting", "capped":
		return rep, &proof.ServerError{Server: "fake", State: contract.ServerPhase(ill),
			Detail: "as the test wants it"}
	case "dead":
		return rep, &proof.ServerError{Server: "fake", State: contract.ServerCrashed,
			Detail: "as the test wants it", After: 10 * time.Millisecond}
	case "indexing":
		rep.State = contract.ServerIndexing
	case "slow":
		select {
		case <-ctx.Done():
		case <-f.wake:
		}
	case "wrong": // as for a server that is not ready: its answer to the canary was wrong
		rep.State = contract.ServerIndexing
	}
	for i, file := range b.Files {
		rep.Answers[i] = make([]proof.Answer, len(file.Offsets))
		if ill == "slow" && ctx.Err() != nil {
			continue
		}
		for k, at := range file.Offsets {
			f.mu.Lock()
			f.asked = append(f.asked, fmt.Sprintf("%v %s:%d", b.Ask, filepath.Base(file.Path),
				strings.Count(string(file.Text[:at]), "\n")+1))
			f.mu.Unlock()
			a := proof.Answer{Asked: true}
			switch {
			case ill == "empty":
			case ill == "wrong":
				a.Locations = f.declared("decoy")
			case b.Ask == proof.AskReferences:
				a.Locations = f.references(idAt(file.Text, at, "// @"))
			case b.Ask == proof.AskImplementations:
				a.Locations = f.marked("< " + idAt(file.Text, at, "// @"))
			default:
				if id := idAt(file.Text, at, "// -> "); strings.HasPrefix(id, "/") {
					a.Locations = []proof.Location{{Path: id, Line: 1, Offset: -1}}
				} else if id != "" {
					a.Locations = f.declared(id)
				}
			}
			rep.Answers[i][k] = a
		}
	}
	return rep, nil
}

// idAt returns the text behind a mark on the line of an offset, "" without the mark.
func idAt(text []byte, at int, mark string) string {
	line, _, _ := strings.Cut(string(text[at:]), "\n")
	_, id, _ := strings.Cut(line, mark)
	return strings.TrimSpace(id)
}

var nameBefore = regexp.MustCompile(`func (?:\([^)]*\) )?(\w+)|^  (\w+)(?:: \w+)? = |(\w+)\(`)

// marked returns every place on a line that ends with a mark.
func (f *fakeServer) marked(mark string) (out []proof.Location) {
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "*.ts"} {
		found, _ := filepath.Glob(filepath.Join(f.root, pattern))
		files = append(files, found...)
	}
	for _, path := range files {
		text, _ := os.ReadFile(path)
		at := 0
		for n, line := range strings.Split(string(text), "\n") {
			if m := nameBefore.FindStringSubmatchIndex(line); strings.HasSuffix(line, mark) && m != nil {
				out = append(out, proof.Location{Path: path, Line: n + 1, Offset: at + max(m[2], m[4], m[6])})
			}
			at += len(line) + 1
		}
	}
	return out
}

func (f *fakeServer) declared(id string) []proof.Location {
	id, signature := strings.CutSuffix(id, "+")
	id, value := strings.CutPrefix(id, "=")
	out := f.marked("// @" + id)
	for i := range out {
		if text, _ := os.ReadFile(out[i].Path); value {
			out[i].Offset += strings.Index(string(text[out[i].Offset:]), "= ") + len("= ")
		}
	}
	if signature {
		out = append(out, proof.Location{Path: out[0].Path, Line: 1, Offset: 0})
	}
	return out
}

func (f *fakeServer) references(id string) []proof.Location {
	if id == "" {
		return nil
	}
	return f.marked("// -> " + id)
}

// proven returns a bench whose service asks a fakeServer.
func proven(t *testing.T, files map[string]string) (*navigatetest.Bench, *fakeServer) {
	t.Helper()
	b := navigatetest.Of(t, files)
	f := &fakeServer{root: b.Dir, wake: make(chan struct{})}
	b.Service = navigate.New(navigate.Options{Roots: b.Roots, Version: "test", Prover: f, Resident: true})
	t.Cleanup(b.Service.Close)
	return b, f
}

// planted is a workspace in which syntax resolves some calls, and the server corrects
// some of them.
var planted = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"a.go": `package m

import "m/other"

func right() {} // @right
func moved() {} // @moved.here
func outside() {} // @outside.here
func same() { same2() } // @same

func same2() {} // @same2

type T struct{}

func (T) Do() {} // @T.Do

func caller(x any, t T) {
	right() // -> right
	moved() // -> moved.there
	outside() // -> /usr/lib/go/src/fmt/print.go
	t.Do() // -> U.Do
	x.(interface{ Run() }).Run() // -> R.Run
	hidden(x).Fly() // -> other.Fly
	other.Away() // -> other.Away
}

func decoyed() {} // @decoy
`,
	"b.go": `package m

type U struct{}

func (U) Do() {} // @U.Do

type R struct{}

func (R) Run() {} // @R.Run
`,
	"other/o.go": `package other

type F struct{}

func (F) Fly() { deep() } // @other.Fly

func deep() {} // @deep

func Away() {} // @other.Away
func moved() {} // @moved.there
`,
}

func edgesOf(a *contract.GraphAnswer) (out []string) {
	label := map[string]string{}
	for _, n := range a.Nodes {
		label[n.SymbolID] = n.File + ":" + n.SymbolLabel
	}
	for _, e := range a.Edges {
		out = append(out, fmt.Sprintf("%s -> %s %s %s %s", label[e.Src], label[e.Dst], e.Evidence, e.State, e.Strategy))
	}
	slices.Sort(out)
	return out
}

func notesOf(a *contract.GraphAnswer, kind contract.NoteType) (out []string) {
	for _, n := range a.Notes {
		if n.Type == kind {
			out = append(out, fmt.Sprintf("%s:%d %s: %s", n.File, n.Line, n.Target, n.Detail))
		}
	}
	return out
}

func TestServersConfirmRefuteAndAdd(t *testing.T) {
	b, f := proven(t, planted)
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees, Depth: 2}
	before := func() *contract.GraphAnswer {
		r := req
		r.Verify = contract.VerifyOff
		return b.Graph(r)
	}()
	if got := edgesOf(before); len(got) != 5 || before.Verification.State != contract.VerificationOff ||
		!strings.Contains(strings.Join(got, "\n"), "a.go:caller -> a.go:moved") {
		t.Fatalf("syntax does not present the planted edges: %v, %+v", got, before.Verification)
	}
	a := b.Graph(req)
	want := []string{
		"a.go:caller -> a.go:right proven confirmed same_file",
		"a.go:caller -> b.go:R.Run proven confirmed lsp",
		"a.go:caller -> b.go:U.Do proven confirmed lsp",
		"a.go:caller -> other/o.go:Away proven confirmed imported",
		"a.go:caller -> other/o.go:F.Fly proven confirmed lsp",
		"a.go:caller -> other/o.go:moved proven confirmed lsp",
	}
	got := edgesOf(a)
	got = slices.DeleteFunc(got, func(e string) bool { return strings.Contains(e, "deep") })
	if !slices.Equal(got, want) {
		t.Errorf("edges\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.ContainsFunc(edgesOf(a), func(e string) bool {
		return strings.HasPrefix(e, "other/o.go:F.Fly -> other/o.go:deep")
	}) {
		t.Errorf("the walk does not go on from what the server added: %v", edgesOf(a))
	}
	refuted := notesOf(a, contract.NoteRefuted)
	if len(refuted) != 3 || !strings.Contains(strings.Join(refuted, "\n"),
		"a.go:18 moved: fake v1: calls moved in other/o.go") ||
		!strings.Contains(strings.Join(refuted, "\n"), "a.go:19 outside: fake v1: calls something of fmt") {
		t.Errorf("refuted: %q", refuted)
	}
	v := a.Verification
	if v.State != contract.VerificationComplete && v.Pending == 0 || v.Confirmed != 2 ||
		v.Added != 4 || v.Refuted != 3 {
		t.Errorf("verification %+v", v)
	}
	for _, e := range a.Edges {
		if e.State == contract.StateConfirmed &&
			(e.ConfirmedBy != "fake v1" || e.Confidence < callgraph.ProvenConfidence) {
			t.Errorf("confirmed by %q at %v", e.ConfirmedBy, e.Confidence)
		}
	}

	// The verdicts are stored: neither this process nor another needs the server again.
	asked := len(f.questions())
	f.set("stopped")
	for _, s := range []*navigate.Service{b.Service,
		navigate.New(navigate.Options{Roots: b.Roots, Version: "test", Prover: f, Resident: true})} {
		b.Service = s
		again := b.Graph(req)
		if !slices.Equal(edgesOf(again), edgesOf(a)) || again.Verification.State != v.State {
			t.Errorf("without the server: %v\nwant %v\n%+v", edgesOf(again), edgesOf(a), again.Verification)
		}
	}
	if n := len(f.questions()); n != asked {
		t.Errorf("asked %d times more: %v", n-asked, f.questions()[asked:])
	}

	// An edit drops the verdicts that depend on the file, and no others.
	f.set("")
	b.Edit("b.go", func(s string) string { return "// edited\n" + s })
	edited := b.Graph(req)
	if got := edgesOf(edited); !slices.Equal(got, edgesOf(a)) {
		t.Errorf("after an edit: %v\nwant %v", got, edgesOf(a))
	}
	for _, q := range f.questions()[asked:] {
		if q != "0 a.go:20" && q != "0 a.go:21" && !strings.HasPrefix(q, "0 b.go") {
			t.Errorf("asked again: %s", q)
		}
	}
}

func TestGraphWithoutCallsIsComplete(t *testing.T) {
	b, _ := proven(t, planted)
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "same2"},
		Direction: contract.DirectionCallees})
	if v := a.Verification; v.State != contract.VerificationComplete || len(a.Edges) != 0 {
		t.Errorf("verification %+v of %d edges", v, len(a.Edges))
	}
}

// TestInstalledCopyRefutesNothing checks that no edge is refuted if a server, which does not know
// the source tree, names the installed copy of the workspace's own package.
func TestInstalledCopyRefutesNothing(t *testing.T) {
	b, _ := proven(t, map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"src/m/a.go": `package m

func copied() {}
func gone() {}

func caller() {
	copied() // -> /usr/lib/python3/site-packages/m/a.go
	gone() // -> /usr/lib/python3/site-packages/other/b.go
}
`,
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees})
	if got, want := edgesOf(a),
		[]string{"src/m/a.go:caller -> src/m/a.go:copied syntactic candidate same_file"}; !slices.Equal(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
	if refuted := notesOf(a, contract.NoteRefuted); len(refuted) != 1 || !strings.Contains(refuted[0], "gone") {
		t.Errorf("refuted: %q", refuted)
	}
}

// A server may name both a property and its type's call signature, a function instead of
// the property that it is assigned to, and the signature of an overload instead of its
// implementation.
func TestServersNameSignaturesAndFunctions(t *testing.T) {
	b, _ := proven(t, map[string]string{
		"package.json": "{}\n",
		"a.ts": `// The first byte declares nothing.
export class Context {
  text: Respond = (s: string) => s // @text
  fetch = (url: string) => url // @fetch
  other = (url: string) => url // @other
}

export function fill(s: string): void // @fill
export function fill(s: any) {}

export interface Respond { (s: string): string }
`,
		"b.ts": `import { make } from 'elsewhere'

function caller(c) {
  c.text('x') // -> text+
  c.fetch('x') // -> =fetch
  c.mute('x') // -> text+
  c.fetch('y') // -> other+
  c.fill('y') // -> fill
}
`,
	})
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees})
	want := []string{
		"b.ts:caller -> a.ts:Context.fetch proven confirmed lsp",
		"b.ts:caller -> a.ts:Context.text proven confirmed lsp",
		"b.ts:caller -> a.ts:fill proven confirmed lsp",
	}
	if got := edgesOf(a); !slices.Equal(got, want) {
		t.Errorf("edges\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.ContainsFunc(a.Nodes, func(n contract.Node) bool {
		return n.SymbolLabel == "fill" && n.Span.StartLine == 9
	}) {
		t.Errorf("an overload leads to its signature: %+v", a.Nodes)
	}
}

var shapes = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"a.go": `package m

type Shape interface {
	Area() int // @Shape.Area
}

func total(s Shape) int {
	return s.Area() // -> Shape.Area
}
`,
	"b.go": `package m

type Square struct{}

func (Square) Area() int { return 1 } // < Shape.Area

type Other struct{}

func (Other) Area() int { return 2 }

type Odd struct{ Square }

func (Odd) Area(scale int) int { return scale } // < Shape.Area

func (Odd) Far() int { return 3 } // < Shape.Area
`,
}

// Verdicts confirm and add edges of possible dispatch, and never refute one.
func TestServersTellImplementations(t *testing.T) {
	b, f := proven(t, shapes)
	down := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "total"},
		Direction: contract.DirectionCallees, MinConfidence: new(float64)}
	want := []string{
		"a.go:total -> a.go:Shape.Area proven confirmed typed_written",
		"a.go:total -> b.go:Odd.Area proven confirmed lsp",
		"a.go:total -> b.go:Other.Area syntactic candidate dispatch",
		"a.go:total -> b.go:Square.Area proven confirmed dispatch",
	}
	a := b.Graph(down)
	if got := edgesOf(a); !slices.Equal(got, want) || a.Verification.State != contract.VerificationComplete {
		t.Errorf("%+v, edges\n%s\nwant\n%s", a.Verification, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for symbol, want := range map[string][]string{
		"Square.Area": {"a.go:Shape.Area -> b.go:Square.Area proven confirmed dispatch",
			"a.go:total -> b.go:Square.Area proven confirmed dispatch"},
		"Other.Area": {"a.go:Shape.Area -> b.go:Other.Area syntactic candidate dispatch",
			"a.go:total -> b.go:Other.Area syntactic candidate dispatch"},
		"Odd.Area": {"a.go:Shape.Area -> b.go:Odd.Area proven confirmed lsp",
			"a.go:total -> b.go:Odd.Area proven confirmed lsp"},
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: symbol},
			Direction: contract.DirectionCallers})
		if got := edgesOf(a); !slices.Equal(got, want) || a.Verification.State != contract.VerificationComplete {
			t.Errorf("callers of %s: %v, want %v; %+v", symbol, got, want, a.Verification)
		}
	}

	// The verdict holds until a file changes; then the next request asks once more.
	asked := len(f.questions())
	if again := b.Graph(down); !slices.Equal(edgesOf(again), want) || len(f.questions()) != asked {
		t.Errorf("asked again: %v", f.questions()[asked:])
	}
	b.Edit("b.go", func(s string) string {
		return strings.Replace(s, "int { return 2 }", "int { return 2 } // < Shape.Area", 1)
	})
	want[2] = "a.go:total -> b.go:Other.Area proven confirmed dispatch"
	if got := edgesOf(b.Graph(down)); !slices.Equal(got, want) {
		t.Errorf("after an edit\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	f.set("dead")
	b.Edit("b.go", func(s string) string { return "// edited\n" + s })
	down.Verify, down.DeadlineMs = contract.VerifyWait, 3000
	if got := edgesOf(b.Graph(down)); len(got) != 3 || slices.ContainsFunc(got, func(e string) bool {
		return strings.Contains(e, "-> b.go:") && !strings.Contains(e, "syntactic pending")
	}) {
		t.Errorf("of a dead server: %v", got)
	}
	f.set("missing")
	if a := b.Graph(down); a.Verification.State != contract.VerificationUnavailable || a.Verification.Pending > 0 {
		t.Errorf("of a missing server: %+v", a.Verification)
	}
}

func TestServersTellCallers(t *testing.T) {
	b, _ := proven(t, planted)
	for symbol, want := range map[string][]string{
		"R.Run":      {"a.go:caller -> b.go:R.Run proven confirmed lsp"},
		"F.Fly":      {"a.go:caller -> other/o.go:F.Fly proven confirmed lsp"},
		"U.Do":       {"a.go:caller -> b.go:U.Do proven confirmed lsp"},
		"other.Away": {"a.go:caller -> other/o.go:Away proven confirmed imported"},
		"T.Do":       nil,
		"outside":    nil,
	} {
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: symbol},
			Direction: contract.DirectionCallers})
		if got := edgesOf(a); !slices.Equal(got, want) || a.Verification.State != contract.VerificationComplete {
			t.Errorf("callers of %s: %v, want %v; %+v", symbol, got, want, a.Verification)
		}
		if want == nil && len(notesOf(a, contract.NoteRefuted)) != 1 {
			t.Errorf("callers of %s: %+v", symbol, a.Notes)
		}
	}
}

// A server runs in the folder of the service, or in the root if it wants the whole
// workspace.
func TestServersAreAskedInTheirFolder(t *testing.T) {
	files := map[string]string{"go.mod": planted["go.mod"], "top.go": "package m\n",
		"sub/go.mod": "module sub\n\ngo 1.24\n",
		"sub/s.go":   "package sub\n\nfunc up() { down() } // -> down\n\nfunc down() {} // @down\n"}
	for _, whole := range []bool{false, true} {
		b, f := proven(t, files)
		f.whole = whole
		a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "up"},
			Direction: contract.DirectionCallees})
		want := filepath.Join(b.Dir, "sub")
		if whole {
			want = b.Dir
		}
		if len(f.rooms) != 1 || f.rooms[0] != want || a.Verification.Confirmed != 1 {
			t.Errorf("whole %t: asked in %v, want %s; %+v", whole, f.rooms, want, a.Verification)
		}
		if s := a.Verification.Servers; len(s) != 1 || s[0].Root != want {
			t.Errorf("whole %t: %+v", whole, s)
		}
	}
}

// A faulty server never removes an edge, and the answer stays open for later verdicts.
func TestIllServersRefuteNothing(t *testing.T) {
	for _, ill := range []string{"starting", "indexing", "empty", "slow", "wrong", "dead", "capped", "missing"} {
		for _, verify := range []string{"auto", "wait"} {
			t.Run(ill+" "+verify, func(t *testing.T) {
				t.Parallel()
				b, f := proven(t, planted)
				f.set(ill)
				defer close(f.wake)
				off := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
					Direction: contract.DirectionCallees, Verify: contract.VerifyOff})
				began := time.Now()
				a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
					Direction: contract.DirectionCallees, Verify: contract.VerifyMode(verify), DeadlineMs: 2000})
				if took := time.Since(began); took > 20*time.Second { // ten times the deadline, for a busy machine
					t.Errorf("took %s of 2 s", took)
				}
				if len(notesOf(a, contract.NoteRefuted)) > 0 || a.Verification.Refuted > 0 ||
					len(a.Edges) < len(off.Edges) {
					t.Errorf("refuted %v; %d edges, without a server %d", notesOf(a, contract.NoteRefuted),
						len(a.Edges), len(off.Edges))
				}
				for _, e := range a.Edges {
					if e.State == contract.StateConfirmed && ill != "indexing" {
						t.Errorf("confirmed by a server that is %s: %+v", ill, e)
					}
				}
				checkPending(t, ill, a)

				none := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "R.Run"},
					Direction: contract.DirectionCallers, Verify: contract.VerifyMode(verify), DeadlineMs: 2000})
				if len(none.Edges) > 0 {
					t.Fatalf("callers out of nothing: %v", edgesOf(none))
				}
				if !slices.Contains(none.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL") {
					t.Errorf("no callers without a warning: %v", none.Warnings)
				}
				checkPending(t, ill, none)
			})
		}
	}
}

// checkPending checks that an answer says what servers may still prove, and suggests the
// request to repeat.
func checkPending(t *testing.T, ill string, a *contract.GraphAnswer) {
	t.Helper()
	v := a.Verification
	switch ill {
	case "missing":
		if v.State != contract.VerificationUnavailable || v.Pending > 0 || len(v.Servers) != 1 ||
			v.Servers[0].State != contract.ServerMissing {
			t.Errorf("%+v", v)
		}
		return
	case "empty": // it was ready, and knew nothing: there is no more to wait for
		if v.State != contract.VerificationComplete || slices.ContainsFunc(a.Edges, func(e contract.Edge) bool {
			return e.State != contract.StateCandidate
		}) {
			t.Errorf("%+v %v", v, edgesOf(a))
		}
		return
	}
	if v.State != contract.VerificationPartial || v.Pending == 0 || len(v.Servers) == 0 || v.Servers[0].State == "" {
		t.Errorf("%+v", v)
	}
	if !slices.Contains(a.Warnings, callgraph.WarnVerificationPending) || a.Hints == nil || a.Hints.Retry == nil {
		t.Errorf("pending, and not said: %v %+v", a.Warnings, a.Hints)
	} else if r := a.Hints.Retry.Args.(*contract.GraphRequest); r.Verify != contract.VerifyWait {
		t.Errorf("the call to repeat is %+v", r)
	}
	for _, e := range a.Edges {
		if e.State == contract.StateCandidate && e.Kind == code.EdgeCall {
			t.Errorf("not pending: %+v", e)
		}
	}
}

// If a server becomes ready while the request waits, the unanswered questions are sent once
// more.
func TestUnansweredIsAskedAgain(t *testing.T) {
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees, Verify: contract.VerifyWait, DeadlineMs: 60_000}
	for _, ill := range []string{"indexing", "dead"} {
		b, f := proven(t, planted)
		f.set(ill)
		f.heals = 1
		a := b.Graph(req)
		if v := a.Verification; v.State != contract.VerificationComplete || v.Refuted != 3 || v.Added != 4 {
			t.Errorf("%s at first: %+v", ill, v)
		}
		if n := len(f.rooms); n != 2 {
			t.Errorf("%s at first: asked %d times", ill, n)
		}
	}
	b, f := proven(t, planted)
	f.set("indexing")
	// not resident: questions of the background would be counted, too
	b.Service = navigate.New(navigate.Options{Roots: b.Roots, Version: "test", Prover: f})
	b.Graph(req)
	asked := slices.DeleteFunc(f.questions(), func(q string) bool { return q != "0 a.go:18" }) // the call of moved
	if len(asked) != callgraph.MaxAttempts {
		t.Errorf("one place was asked about %d times", len(asked))
	}
}

// A slow server finishes in the background, and the next answer has its verdicts.
func TestBackgroundProves(t *testing.T) {
	b, f := proven(t, planted)
	f.set("slow")
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees, Verify: contract.VerifyWait, DeadlineMs: 1000}
	if a := b.Graph(req); a.Verification.State != contract.VerificationPartial {
		t.Fatalf("%+v", a.Verification)
	}
	close(f.wake)
	b.Service.Idle()
	f.set("stopped")
	a := b.Graph(req)
	if a.Verification.State != contract.VerificationComplete || a.Verification.Refuted != 3 ||
		a.Verification.Added != 4 {
		t.Errorf("%+v\n%v", a.Verification, edgesOf(a))
	}
}

// TestServersAreAskedWhatOnlyTheNameTells checks that servers are also asked about a call that
// syntax takes to leave the workspace only because no symbol has its name. They may resolve it to
// the workspace, or name the module.
func TestServersAreAskedWhatOnlyTheNameTells(t *testing.T) {
	b, f := proven(t, map[string]string{
		"a.ts": "export function caller(x: any) {\n  x.nowhere() // -> real\n  x.missing() // -> /lib/out.ts\n}\n",
		"b.go": "package b\n\nfunc nowhere() {} // @real\n",
	})
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees, Depth: 1, Detail: contract.DetailFull, Verify: contract.VerifyOff}
	before := b.Graph(req)
	if len(before.Edges) != 2 || before.Edges[1].Provenance !=
		"leaves the workspace: no typescript declaration in the workspace is named nowhere" {
		t.Fatalf("%+v", before.Edges)
	}
	req.Verify = contract.VerifyWait
	if got := strings.Join(edgesOf(b.Graph(req)), "\n"); !strings.Contains(got,
		"a.ts:caller -> b.go:nowhere proven confirmed lsp") ||
		!strings.Contains(got, "missing proven confirmed external") {
		t.Errorf("%s, asked %v", got, f.questions())
	}
}

// Pages have no gap or duplicate while verdicts arrive in between.
func TestPagesUnderVerification(t *testing.T) {
	b, f := proven(t, planted)
	f.set("indexing")
	req := contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "caller"},
		Direction: contract.DirectionCallees, Limit: 2, Verify: contract.VerifyWait, DeadlineMs: 1000}
	first := b.Graph(req)
	if first.Truncated == nil {
		t.Fatalf("%+v", first)
	}
	b.Service.Idle()
	f.set("")
	stale := false
	for next := first.Truncated.Next.Args.(*contract.GraphRequest); next != nil; {
		a := b.Graph(*next)
		if a.Status != contract.StatusOK {
			stale = a.Reason == contract.ReasonStaleCursor
			break
		}
		if next = nil; a.Truncated != nil {
			next = a.Truncated.Next.Args.(*contract.GraphRequest)
		}
	}
	if !stale {
		t.Error("a page went on over an edge that was refuted since")
	}
	all, _ := follow(b, contract.GraphRequest{SymbolRef: req.SymbolRef, Direction: contract.DirectionCallees, Limit: 2})
	whole := b.Graph(contract.GraphRequest{SymbolRef: req.SymbolRef, Direction: contract.DirectionCallees})
	if len(all) != len(whole.Edges) {
		t.Errorf("%d edges on pages, %d at once", len(all), len(whole.Edges))
	}
}
