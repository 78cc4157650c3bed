package l1fts

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/store"
)

func search(t *testing.T, db *store.DB, x *Index, raw string, opt SearchOptions) []Hit {
	t.Helper()
	q, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	var hits []Hit
	err = db.View(t.Context(), func(v *store.View) error {
		hits, _, err = x.Search(t.Context(), v, q, opt)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return hits
}

func paths(hits []Hit) (out []string) {
	for _, h := range hits {
		if !slices.Contains(out, h.Path) {
			out = append(out, h.Path)
		}
	}
	slices.Sort(out)
	return out
}

const server = `package web

import "net/http"

// Server answers the requests of one tenant.
type Server struct {
	sessionStore map[string]int
	addr string
	port int
}

// refreshSession renews what a browser holds
// before it expires.
func (s *Server) refreshSession(id string) error {
	return http.ErrAbortHandler
}

// HTTPHandler is the entry.
func HTTPHandler() {}
`

func TestChunksBelongToSymbols(t *testing.T) {
	f := goFile("web/server.go", []byte(server))
	cut, _ := chunks(f)
	type owned struct {
		name        string
		first, last int
		folded      []string
	}
	var got []owned
	for _, c := range cut {
		o := owned{first: c.first, last: c.last}
		if c.symbol >= 0 {
			o.name = f.Symbols[c.symbol].Name
		}
		for _, i := range c.folded {
			o.folded = append(o.folded, f.Symbols[i].Name)
		}
		got = append(got, o)
	}
	want := []owned{
		{"", 1, 17, nil}, // the lines between the declarations: 1 to 4, 11, 17
		{"Server", 5, 10, []string{"sessionStore", "addr", "port"}},
		{"refreshSession", 12, 16, nil},
		{"HTTPHandler", 18, 19, nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("chunks:\n%+v\nwant\n%+v", got, want)
	}
}

func TestChunksCoverEveryLineOnce(t *testing.T) {
	for _, f := range tree(t, goroot()+"/net", 150) {
		cut, starts := chunks(f)
		seen := make([]int, len(starts)-1)
		for i, c := range cut {
			size := 0
			for _, r := range c.runs {
				size += starts[r[1]] - starts[r[0]]
				for l := r[0]; l < r[1]; l++ {
					seen[l]++
					if l+1 < c.first || l+1 > c.last {
						t.Errorf("%s: chunk %d (%d-%d) holds line %d", f.Path, i, c.first, c.last, l+1)
					}
				}
			}
			if lines := c.last - c.first + 1; size > maxChunkBytes && len(c.runs) > 1 || lines > maxChunkLines*maxGap {
				t.Errorf("%s: chunk %d has %d bytes over %d lines", f.Path, i, size, lines)
			}
		}
		for l, n := range seen {
			if n != 1 {
				t.Errorf("%s: line %d is in %d chunks", f.Path, l+1, n)
			}
		}
	}
}

func TestPackedChunksRoundTrip(t *testing.T) {
	for _, f := range tree(t, goroot()+"/net/http", 40) {
		cut, _ := chunks(f)
		data := packChunks(f, cut)
		got, err := unpackChunks(data, len(cut))
		if err != nil {
			t.Fatalf("%s: %v", f.Path, err)
		}
		for i, c := range cut {
			if g := got[i]; g.symbol != c.symbol || g.first != c.first || g.last != c.last ||
				g.weight != weight(f, &c) {
				t.Errorf("%s: chunk %d is %+v, want %+v", f.Path, i, g, c)
			}
		}
		if _, err := unpackChunks(data[:len(data)-1], len(cut)); err == nil {
			t.Errorf("%s: cut data unpack without an error", f.Path)
		}
	}
}

func TestSearchFindsByNamePartsStemsAndComments(t *testing.T) {
	x, db := New(Options{}), openDB(t)
	f := goFile("web/server.go", []byte(server))
	put(t, db, x, f, goFile("other/noise.go", []byte("package other\n\nfunc Nothing() { panic(1) }\n")))
	for raw, want := range map[string]string{
		"refreshSession":                "refreshSession",
		"refresh sessions":              "refreshSession",
		"REFRESH_SESSION":               "refreshSession",
		"refresh*":                      "refreshSession",
		"expiring browsers":             "refreshSession",
		"tenant":                        "Server",
		"session store":                 "Server",
		"http handler":                  "HTTPHandler",
		"HTTPHandler":                   "HTTPHandler",
		`"http" AND (handler` + "\x00*": "HTTPHandler",
	} {
		hits := search(t, db, x, raw, SearchOptions{})
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", raw)
			continue
		}
		h := hits[0]
		if h.Symbol < 0 || f.Symbols[h.Symbol].Name != want || h.Path != "web/server.go" {
			t.Errorf("%q finds first %+v, want %s", raw, h, want)
		}
	}
}

func TestQuerySyntaxNeverReachesFTS5(t *testing.T) {
	x, db := New(Options{}), openDB(t)
	put(t, db, x, goFile("web/server.go", []byte(server)))
	for _, raw := range []string{`"`, `"" x`, `*`, `a*`, `^a`, `(`, `)`, `a AND`, `NOT`, `a NOT b`, `NEAR(a b, 3)`,
		`name:server`, `{name}: server`, `a + b`, `-server`, `server:`,
		`'; DROP TABLE l1_fts; --`, `x"y"z`, "\\", "\x00", "sess\x00ion", "ses\xffsion", strings.Repeat("(", 500),
		strings.Repeat("word ", 3000), `\must:x`, "🙂", "ｓｅｒｖｅｒ", "𝔖erver*"} {
		search(t, db, x, raw, SearchOptions{})
	}
}

func TestWriteReplacesAndDeleteRemoves(t *testing.T) {
	x, db := New(Options{}), openDB(t)
	put(t, db, x, goFile("a.go", []byte("package a\n\nfunc OldName() {}\n\nfunc Kept() {}\n")),
		goFile("b.go", []byte("package b\n\nfunc Kept() {}\n")))
	put(t, db, x, goFile("a.go", []byte("package a\n\nfunc NewName() {}\n")))
	if hits := search(t, db, x, "OldName", SearchOptions{}); slices.ContainsFunc(hits,
		func(h Hit) bool { return h.StartLine > 1 && h.Score > 3 }) {
		t.Errorf("replaced text is found: %+v", hits)
	}
	if got := paths(search(t, db, x, "NewName", SearchOptions{})); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("new text is in %v", got)
	}
	if got := paths(search(t, db, x, "kept", SearchOptions{})); !slices.Equal(got, []string{"b.go"}) {
		t.Errorf("kept is in %v, want b.go alone", got)
	}
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		row, _, err := tx.File(t.Context(), "b.go")
		if err != nil {
			return err
		}
		if err := x.Delete(t.Context(), tx, row.ID); err != nil {
			return err
		}
		if err := x.Delete(t.Context(), tx, row.ID); err != nil {
			t.Errorf("deleting twice: %v", err)
		}
		return tx.DeleteFile(t.Context(), row.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	if hits := search(t, db, x, "kept", SearchOptions{}); len(hits) > 0 {
		t.Errorf("deleted text is found: %+v", hits)
	}
}

func TestFilters(t *testing.T) {
	x, db := New(Options{}), openDB(t)
	var files []*code.File
	for i, path := range []string{"svc/a/main.go", "svc/ab/main.go", "svc/a/deep/x_test.go", "docs/retry.md",
		"lib/retry.py"} {
		f := goFile(path, fmt.Appendf(nil, "package p\n\n// Retry number%d\nfunc Retry() {\n\tbackoff()\n}\n", i))
		files = append(files, f)
	}
	put(t, db, x, files...)
	for name, c := range map[string]struct {
		raw    string
		filter Filter
		want   []string
	}{
		"all": {"retry", Filter{}, []string{"docs/retry.md", "lib/retry.py", "svc/a/deep/x_test.go",
			"svc/a/main.go", "svc/ab/main.go"}},
		"prefix":   {"retry", Filter{Prefix: "svc/a"}, []string{"svc/a/deep/x_test.go", "svc/a/main.go"}},
		"class":    {"retry", Filter{Classes: []code.Class{code.ClassDocs}}, []string{"docs/retry.md"}},
		"dirs":     {"retry", Filter{Dirs: []string{"docs", "lib/"}}, []string{"docs/retry.md", "lib/retry.py"}},
		"language": {"retry", Filter{Languages: []string{"py"}}, []string{"lib/retry.py"}},
		"lang:":    {"retry lang:py lang:md", Filter{}, []string{"docs/retry.md", "lib/retry.py"}},
		"path:":    {"retry path:*.go -path:deep/", Filter{}, []string{"svc/a/main.go", "svc/ab/main.go"}},
		"kind:": {"retry kind:function", Filter{},
			[]string{"svc/a/deep/x_test.go", "svc/a/main.go", "svc/ab/main.go"}},
		"no words": {"kind:function path:svc/a/**", Filter{}, []string{"svc/a/deep/x_test.go", "svc/a/main.go"}},
		"none":     {"retry kind:class", Filter{}, nil},
	} {
		if got := paths(search(t, db, x, c.raw, SearchOptions{Filter: c.filter})); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q in %v, want %v", name, c.raw, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"HTTPServer":             "httpserver http server",
		"parseURLs":              "parseurls parse urls",
		"max_doc_bytes":          "maxdocbytes max doc bytes",
		"__init__":               "init",
		"sha256Sum":              "sha256sum sha256 sha 256 sum",
		"utf8":                   "utf8 utf",
		"Server":                 "server",
		"a.b(c)":                 "a b c",
		"größe ÄNDERN":           "größe ändern",
		"漢字かな":                   "漢字 字か かな",
		"x\xffy":                 "x y",
		strings.Repeat("a", 300): "",
	} {
		var got []string
		words([]byte(text), nil, func(w []byte) { got = append(got, string(w)) })
		if g := strings.Join(got, " "); g != want {
			t.Errorf("words(%q) = %q, want %q", text, g, want)
		}
	}
}

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"*.go", []string{"a.go", "x/y/a.go", "d.go/x"}, []string{"a.gox", "go"}},
		{"vendor/", []string{"vendor/a", "x/vendor/b/c"}, []string{"vendor", "vendors/a"}},
		{"src/*.ts", []string{"src/a.ts"}, []string{"x/src/a.ts", "src/b/a.ts"}},
		{"src/**/*.ts", []string{"src/a.ts", "src/b/c/a.ts"}, []string{"a.ts"}},
		{"/top", []string{"top", "top/x"}, []string{"x/top"}},
		{"**/gen", []string{"gen/a", "a/b/gen"}, []string{"gene"}},
		{"a?[0-9].c", []string{"ab1.c"}, []string{"a/1.c", "abc.c"}},
		{"[!a]x", []string{"bx"}, []string{"ax", "/x"}},
		{`\*x`, []string{"*x"}, []string{"ax"}},
		{"lib/**", []string{"lib/a", "lib/a/b"}, []string{"lib", "libs/a"}},
		{"app/[id]/page.tsx", []string{"app/[id]/page.tsx", "app/i/page.tsx"}, []string{"app/x/page.tsx"}},
		{"app/[...slug]/**", []string{"app/[...slug]/a/b"}, []string{"app/[..slug]/a"}},
		{"[z-a]/b", []string{"[z-a]/b"}, []string{"z/b"}},
		{`[a\-z]x`, []string{"-x", "ax"}, []string{"bx"}},
		{`\éx`, []string{"éx"}, []string{"ex"}},
		{"*.{ts,tsx}", []string{"a.ts", "b/a.tsx", "a.{ts,tsx}"}, []string{"a.js", "a.t"}},
		{"{src,lib}/{a,b}.go", []string{"src/a.go", "lib/b.go"}, []string{"src/c.go", "x/src/a.go"}},
		{"{a,b", []string{"{a,b"}, []string{"a"}},
	} {
		re, err := compileGlob(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.yes {
			if !re.MatchString(p) {
				t.Errorf("%s does not match %s (%s)", c.pattern, p, re)
			}
		}
		for _, p := range c.no {
			if re.MatchString(p) {
				t.Errorf("%s matches %s (%s)", c.pattern, p, re)
			}
		}
	}
}

// declaring returns a file of n constants, each followed by sep.
func declaring(n int, sep string) *code.File {
	f := &code.File{Path: "gen.go", Language: "go", Class: code.ClassSource, Parsed: true}
	line := 1
	for range n {
		f.Symbols = append(f.Symbols, code.Symbol{Kind: code.KindConstant, Name: "generated", Parent: -1,
			Span: code.Span{StartLine: line, EndLine: line}})
		f.Text = append(f.Text, "const generated = 1"+sep...)
		line += strings.Count(sep, "\n")
	}
	return f
}

// TestSymbolsBeyondTheLastChunkAreLeftOut cuts a table of 300,000 lines, which has more than maxChunks chunks,
// and checks that names after the last chunk are folded into none.
func TestSymbolsBeyondTheLastChunkAreLeftOut(t *testing.T) {
	const lines = (maxChunks + 100) * maxChunkLines
	cut, _ := chunks(declaring(lines, "\n"))
	if len(cut) != maxChunks {
		t.Fatalf("%d chunks, want %d", len(cut), maxChunks)
	}
	for i := range cut {
		if n := len(cut[i].folded); n > maxChunkLines {
			t.Fatalf("chunk %d holds %d symbols, want at most one a line", i, n)
		}
	}
}

func TestNamesOfALineThatAreEmbeddedAreBounded(t *testing.T) {
	f := declaring(100_000, ";")
	cut, starts := chunks(f)
	docs, _ := documents(f, cut, starts)
	if len(docs) == 0 || len(docs[0].Signature) > maxBody+len(" generated") {
		t.Fatalf("%d documents, the first with %d bytes of names", len(docs), len(docs[0].Signature))
	}
}

func TestPrepareStopsWhenItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p := New(Options{}).prepare(ctx, declaring(1000, "\n")); len(p.rows) > 0 {
		t.Errorf("%d chunks were prepared after the context ended", len(p.rows))
	}
}

// TestStatsFollowEdits edits every file of an index several times, and half of them, which share a word,
// once more. The rarity of words, which ranks results, must then be that of a new index of the same files.
func TestStatsFollowEdits(t *testing.T) {
	var files []*code.File
	const half = 40
	for i := range 2 * half {
		text := fmt.Appendf(nil, "package p\n\nvar shared%d = walnut\n", i)
		tree := "chestnut"
		if i >= half {
			tree = "hazel"
		}
		for j := range 30 {
			text = fmt.Appendf(text, "\n// F%d is %s walnut.\nfunc F%dx%d() {\n\treturn\n}\n", j, tree, i, j)
		}
		files = append(files, goFile(fmt.Sprintf("f%d.go", i), text))
	}
	edited, x := openDB(t), New(Options{})
	for range 4 {
		put(t, edited, x, files...)
	}
	put(t, edited, x, files[:half]...)
	put(t, edited, x, goFile("gone.go", []byte("package p\n\nfunc Gone() {}\n")))
	remove(t, edited, x, "gone.go")
	fresh, y := openDB(t), New(Options{})
	put(t, fresh, y, files...)
	for _, raw := range []string{"shared7", "walnut", "walnut return f7", "chestnut hazel"} {
		got, want := statsOf(t, edited, x, raw), statsOf(t, fresh, y, raw)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, of a new index %+v", raw, got, want)
		}
		for _, term := range got.Terms {
			if term.Frequency > got.Chunks {
				t.Errorf("%s: %d of %d chunks contain %q", raw, term.Frequency, got.Chunks, term.Word)
			}
		}
	}
}

func statsOf(t *testing.T, db *store.DB, x *Index, raw string) (stats Stats) {
	t.Helper()
	q, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(t.Context(), func(v *store.View) error {
		_, stats, err = x.Search(t.Context(), v, q, SearchOptions{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

// TestEqualChunksFollowEdits searches for a word of many chunks with equal scores, most of which are beyond the
// first ones that are looked up. Which of them are found must not depend on the order in which their files were
// written.
func TestEqualChunksFollowEdits(t *testing.T) {
	var files []*code.File
	for i := range 400 {
		text := "package p\n\nfunc F() {\n\twalnut()\n\treturn\n}\n"
		if i%40 == 7 {
			text = "package p\n\nfunc Walnut() {\n\twalnut()\n}\n"
		}
		files = append(files, goFile(fmt.Sprintf("f%03d.go", i), []byte(text)))
	}
	edited, x := openDB(t), New(Options{})
	put(t, edited, x, files...)
	put(t, edited, x, files[:30]...)
	fresh, y := openDB(t), New(Options{})
	put(t, fresh, y, files...)
	for _, raw := range []string{"walnut", "walnut package", "-path:f00* walnut"} {
		got, want := search(t, edited, x, raw, SearchOptions{}), search(t, fresh, y, raw, SearchOptions{})
		if len(got) != 50 || !slices.EqualFunc(got, want, func(a, b Hit) bool {
			return a.Path == b.Path && a.StartLine == b.StartLine && a.Score == b.Score
		}) {
			t.Errorf("%s: %d hits, %v, in a new index %v", raw, len(got), got, want)
		}
	}
}

// TestEditedFilesHaveCommonWords searches for words of so many chunks that only some are scored. Those of a file
// that was edited must be among them.
func TestEditedFilesHaveCommonWords(t *testing.T) {
	var files []*code.File
	for i := range 100 {
		files = append(files, goFile(fmt.Sprintf("f%03d.go", i), []byte("package p\n\nfunc F() {\n\twalnut(hazel)\n}\n")))
	}
	db, x := openDB(t), New(Options{Postings: 10})
	put(t, db, x, files...)
	put(t, db, x, files[70])
	hits := search(t, db, x, "walnut hazel", SearchOptions{})
	if !slices.ContainsFunc(hits, func(h Hit) bool { return h.Path == "f070.go" }) {
		t.Errorf("found only %v", hits)
	}
}
