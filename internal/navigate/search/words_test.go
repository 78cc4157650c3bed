package search

import (
	"math"
	"strings"
	"testing"

	"sextant/l1fts"
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

// TestWeigh checks that a rare word has a greater share of a question than a common one, and an
// unknown word the greatest.
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
