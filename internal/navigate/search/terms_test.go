package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// TestSourcesBeforeTests checks that code ranks above its tests, whose names read like questions.
func TestSourcesBeforeTests(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http/cookiejar").With(
		navigate.Options{Words: l1fts.Options{Embedder: embed.Builtin()}})
	b.Write("room.go",
		"package cookiejar\n\n// stretch makes room for cookies.\nfunc stretch(j *Jar) { j.entries = nil }\n")
	b.Write("room_test.go",
		"package cookiejar\n\nfunc TestJarMakesRoomForCookies() { println(\"the jar makes room for more cookies\") }\n")
	a := b.Search(contract.SearchRequest{Query: "how does the jar make room for more cookies"})
	var labels []string
	for _, r := range a.Results {
		labels = append(labels, r.(*contract.Group).SymbolLabel)
	}
	source, test := slices.Index(labels, "stretch"), slices.Index(labels, "TestJarMakesRoomForCookies")
	if source < 0 || test >= 0 && test < source {
		t.Errorf("what makes room is behind its test: %v", labels)
	}
	if a := b.Search(contract.SearchRequest{Query: "TestJarMakesRoomForCookies"}); len(a.Results) == 0 ||
		a.Results[0].(*contract.Group).SymbolLabel != "TestJarMakesRoomForCookies" {
		t.Errorf("a test is not found by its name: %+v", a.Results)
	}
}

// TestShortQueriesAreReadWhole checks that a word of a short query which is the name of many
// symbols does not displace matches of the whole query.
func TestShortQueriesAreReadWhole(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http/cookiejar")
	b.Write("names.go",
		"package cookiejar\n\nfunc parse(a string) string { return a }\n\n"+
			"// parsePunycodeTable reads the table.\nfunc parsePunycodeTable() string { return parse(\"punycode "+
			"table\") }\n")
	a := b.Search(contract.SearchRequest{Query: "parse punycode-table"})
	if len(a.Results) == 0 || a.Results[0].(*contract.Group).SymbolLabel != "parsePunycodeTable" {
		for _, r := range a.Results {
			t.Log(r.(*contract.Group).SymbolLabel, r.(*contract.Group).Score)
		}
		t.Error("the function that the whole query is about is not first")
	}
}

// TestNamesThatAreCommonWords checks that a symbol is found by its name although that is a stop
// word in questions.
func TestNamesThatAreCommonWords(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http/cookiejar")
	b.Write("names_test.go", "package cookiejar\n\nfunc find(entries []entry) int { return len(entries) }\n")
	b.Write("names.go",
		"package cookiejar\n\n// finder is found where one has to find what was found.\n"+
			"func finder() { println(\"find find find\") }\n")
	if a := b.Search(contract.SearchRequest{Query: "find"}); len(a.Results) == 0 ||
		a.Results[0].(*contract.Group).SymbolLabel != "find" {
		t.Errorf("find is not first: %+v", a.Results)
	}
}
