package navigate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// numbered matches a line that begins with a place: "  a.go:12,14 Label".
var numbered = regexp.MustCompile(`^(?: +| *([^ :]+):)(\d+(?:,\d+)*)(?: |:)`)

// sitesIn returns the places at the beginning of lines. Their file is in the line or, if the line
// is indented, in the heading above it.
func sitesIn(text string, known map[string]bool) (sites []string) {
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if known[line] {
			heading = line
			continue
		}
		m := numbered.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		file := heading
		if m[1] != "" {
			file = m[1]
		}
		if file == "" {
			continue // a count, not a place
		}
		for n := range strings.SplitSeq(m[2], ",") {
			sites = append(sites, file+":"+n)
		}
	}
	return sites
}

var (
	placeOfPath  = regexp.MustCompile(`^([^ :]+):(\d+)(?:-\d+)?[ ,:\n]`)
	placeBelow   = regexp.MustCompile(`^  (\d+)(?:-\d+)?[ ,:]`)
	headingOfAll = regexp.MustCompile(`^([^ :]+)(?: \(\w+\))?\n`)
)

// placesIn returns the places at the beginning of lines such as "a.go:1-20 function F", and with below those of
// lines below a path, "  1-20 F".
func placesIn(text string, below bool) (places []string) {
	heading := ""
	for line := range strings.Lines(text) {
		if m := placeOfPath.FindStringSubmatch(line); m != nil {
			places = append(places, m[1]+":"+m[2])
		} else if m := headingOfAll.FindStringSubmatch(line); m != nil {
			heading = m[1]
		} else if m := placeBelow.FindStringSubmatch(line); m != nil && below {
			places = append(places, heading+":"+m[1])
		}
	}
	return places
}

// TestTextAgreesRankedSearch checks that text and JSON of one search have the same results, on the first page in
// the same order. Text may show other lines of a result that has no symbol.
func TestTextAgreesRankedSearch(t *testing.T) {
	for _, b := range benches(t, "text/template") {
		random := rand.New(rand.NewPCG(15, 16))
		queries := []string{"parse an action", "evaluate a field of a value", "range over a channel",
			"nothing bears this"}
		labels := named(b)
		for range tries(20) {
			_, label, _ := strings.Cut(pick(random, labels...), ":")
			words := strings.FieldsFunc(label, func(r rune) bool { return r == '.' })
			queries = append(queries, pick(random, label, words[len(words)-1], strings.ToLower(label),
				strings.Join(words, " ")))
		}
		for _, q := range queries {
			sameResults(b, contract.SearchRequest{Path: b.Dir, Query: q, Limit: pick(random, 0, 3, 30),
				Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}})
		}
	}
}

// sameResults compares the first pages of a ranked search as JSON and as text.
func sameResults(b *navigatetest.Bench, req contract.SearchRequest) {
	b.T.Helper()
	const pages = 4
	var want, got, later []string // want has any line of each result, later the places after the first page
	for range pages {
		a := b.Search(req)
		for _, r := range a.Results {
			g := r.(*contract.Group)
			span := g.Span
			if g.SymbolSpan != nil {
				span = *g.SymbolSpan
			}
			want = append(want, fmt.Sprintf("%s:%d-%d", g.File, span.StartLine, span.EndLine))
		}
		if req.Cursor = a.Cursor; a.Cursor == "" {
			break
		}
	}
	first := req
	first.Cursor = ""
	for page := range pages + 1 { // text that shows named results alone has one more
		_, text := asText(b, first, b.Search)
		if page == 0 {
			got = append(got, placesIn(text, false)...)
		} else {
			later = append(later, placesIn(text, true)...)
		}
		folds := foldsIn(text)
		if n := len(folds); n == 0 || folds[n-1].args["cursor"] == nil {
			break
		}
		first = changed(b.T, first, map[string]json.RawMessage{"cursor": folds[len(folds)-1].args["cursor"]})
	}
	for i, w := range want {
		shown := i < len(got) && covers(w, got[i])
		if !shown && !slices.ContainsFunc(later, func(place string) bool { return covers(w, place) }) {
			b.T.Errorf("%+v: result %d is %s in JSON; the text has %v", req, i, w, got)
			return
		}
	}
}

// covers reports whether a place, "a.go:12", is within another, "a.go:10-20".
func covers(span, place string) bool {
	file, lines, _ := strings.Cut(span, ":")
	other, line, _ := strings.Cut(place, ":")
	first, last, _ := strings.Cut(lines, "-")
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return -1
		}
		return n
	}
	return file == other && number(first) <= number(line) && number(line) <= number(last)
}
