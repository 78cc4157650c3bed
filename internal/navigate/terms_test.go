package navigate

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/jit"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

func TestBeginsWord(t *testing.T) {
	for _, c := range []struct {
		text, term string
		want       bool
	}{
		{"func readFile()", "file", true},
		{"profile of a run", "file", false},
		{"profile_file", "file", true},
		{"HTTPServer", "server", true},
		{"HTTPServer", "ttp", false},
		{"OBSERVERS", "server", false},
		{"parseURLs", "url", true},
		{"sha256sum", "sum", true},
		{"a truncated run", "run", true},
		{"", "run", false},
		{"Übertragung läuft", "tragung", false},
		{"\u212a and profile", "file", true}, // the Kelvin sign has another length in lower case
	} {
		if got := beginsWord(c.text, strings.ToLower(c.text), c.term); got != c.want {
			t.Errorf("%q begins a word of %q: %t", c.term, c.text, got)
		}
	}
}

// A rare word says more of a question than one that is everywhere, and one that
// is nowhere the most.
func TestWeigh(t *testing.T) {
	r := &search{terms: queryTerms("retrying the zeppelin request")}
	r.weigh(l1fts.Stats{Chunks: 1000, Terms: []l1fts.Term{{Word: "request", Frequency: 400}, {Word: "retrying", Frequency: 10}, {Word: "zeppelin"}}})
	retry, zeppelin, request := r.rarity[0], r.rarity[1], r.rarity[2]
	if !(zeppelin > retry && retry > request && request > 0) || math.Abs(retry+zeppelin+request-1) > 1e-9 {
		t.Errorf("rarities of %v: %v", r.terms, r.rarity)
	}
	if got := r.share("func retryRequest() {}"); math.Abs(got-retry-request) > 1e-9 {
		t.Errorf("share %g, want %g", got, retry+request)
	}
}

// What was indexed anew after the answer was found is not shown with the places
// that its symbols had before.
func TestReaderKeepsToTheSnapshot(t *testing.T) {
	b := indexed(t, "net/http/cookiejar")
	p, _, _, err := b.locate(t.Context(), b.dir)
	if err != nil || p == nil {
		t.Fatal(p, err)
	}
	files := &reader{root: p.root, files: map[string]*shownFile{}}
	err = p.root.View(t.Context(), func(v *jit.View) error {
		row, _, err := v.File(t.Context(), "jar.go")
		files.known, _ = knowFiles(t.Context(), v, []candidate{{path: "jar.go", fileID: row.ID}, {path: "gone.go", fileID: row.ID + 1000}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.edit("jar.go", func(s string) string { return s + "\nfunc added() {}\n" })
	if _, err := p.root.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := files.file(t.Context(), "jar.go"); !isGone(err) {
		t.Errorf("the text of another snapshot is read: %v", err)
	}
}

// Names of tests read like questions; what they test is asked for.
func TestSourcesBeforeTests(t *testing.T) {
	b := indexed(t, "net/http/cookiejar").with(Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	b.write("room.go", "package cookiejar\n\n// stretch makes room for cookies.\nfunc stretch(j *Jar) { j.entries = nil }\n")
	b.write("room_test.go", "package cookiejar\n\nfunc TestJarMakesRoomForCookies() { println(\"the jar makes room for more cookies\") }\n")
	a := b.search(SearchRequest{Query: "how does the jar make room for more cookies"})
	var labels []string
	for _, r := range a.Results {
		labels = append(labels, r.(*Group).SymbolLabel)
	}
	source, test := slices.Index(labels, "stretch"), slices.Index(labels, "TestJarMakesRoomForCookies")
	if source < 0 || test >= 0 && test < source {
		t.Errorf("what makes room is behind its test: %v", labels)
	}
	if a := b.search(SearchRequest{Query: "TestJarMakesRoomForCookies"}); len(a.Results) == 0 || a.Results[0].(*Group).SymbolLabel != "TestJarMakesRoomForCookies" {
		t.Errorf("a test is not found by its name: %+v", a.Results)
	}
}

// write makes a file of the codebase.
func (b *bench) write(file, text string) {
	b.t.Helper()
	path := filepath.Join(b.dir, file)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

// A word of a short query that happens to name many things does not bury what
// the rest of the query says.
func TestShortQueriesAreReadWhole(t *testing.T) {
	b := indexed(t, "net/http/cookiejar")
	b.write("names.go", "package cookiejar\n\nfunc parse(a string) string { return a }\n\n// parsePunycodeTable reads the table.\nfunc parsePunycodeTable() string { return parse(\"punycode table\") }\n")
	a := b.search(SearchRequest{Query: "parse punycode-table"})
	if len(a.Results) == 0 || a.Results[0].(*Group).SymbolLabel != "parsePunycodeTable" {
		for _, r := range a.Results {
			t.Log(r.(*Group).SymbolLabel, r.(*Group).Score)
		}
		t.Error("the function that the whole query is about is not first")
	}
}

// A name is found by itself although its word says nothing in a question.
func TestNamesThatAreCommonWords(t *testing.T) {
	b := indexed(t, "net/http/cookiejar")
	b.write("names_test.go", "package cookiejar\n\nfunc find(entries []entry) int { return len(entries) }\n")
	b.write("names.go", "package cookiejar\n\n// finder is found where one has to find what was found.\nfunc finder() { println(\"find find find\") }\n")
	if a := b.search(SearchRequest{Query: "find"}); len(a.Results) == 0 || a.Results[0].(*Group).SymbolLabel != "find" {
		t.Errorf("find is not first: %+v", a.Results)
	}
}
