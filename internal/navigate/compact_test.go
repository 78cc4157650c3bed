package navigate_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// asText sends a request for compact text, as the MCP server does. It returns the answer and its
// text.
func asText[R any, P interface {
	*R
	contract.Request
}, A any](b *navigatetest.Bench, r R, ask func(R) A) (A, string) {
	b.T.Helper()
	p := P(&r)
	p.Want().Format, p.Want().Price = contract.FormatText, compact.Cost(p)
	r = navigatetest.Normal[R, P](b.T, r)
	answer := ask(r)
	text, err := compact.Text(P(&r), answer)
	if err != nil {
		b.T.Fatal(err)
	}
	if n, most := contract.Tokens(text), P(&r).Want().MaxTokens; n > most {
		b.T.Errorf("%+v: %d tokens of %d", r, n, most)
	}
	return answer, text
}

// numbered matches a line that begins with a place: "  a.go:12,14 Label".
var numbered = regexp.MustCompile(`^(?: +| *([^ :]+):)(\d+(?:,\d+)*)(?: |:)`)

// sitesIn returns the places at the start of the lines of a text. Headings in the text name their
// files, which known contains.
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

// callables returns the labels of the functions in files of a bench.
func callables(b *navigatetest.Bench, files ...string) (labels []string) {
	for _, file := range files {
		a, err := b.Service.Outline(b.T.Context(), navigatetest.Normal(b.T, contract.OutlineRequest{Path: b.Dir, File: file, Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}))
		if err != nil {
			b.T.Fatal(err)
		}
		for _, s := range a.Outline.Symbols {
			if s.Kind.Callable() {
				labels = append(labels, file+":"+s.QualifiedName)
			}
		}
	}
	return labels
}

// TestTextOfGraphsAgreesWithJSON checks that text and JSON of one request contain the same call
// sites: the text counts the sites that it omits, and the arguments it names show them.
func TestTextOfGraphsAgreesWithJSON(t *testing.T) {
	b := navigatetest.Indexed(t, "text/template")
	labels := callables(b, "exec.go", "parse/parse.go", "parse/node.go", "funcs.go", "parse/lex.go")
	random := rand.New(rand.NewPCG(1, 2))
	folded := 0
	for range 60 {
		label := labels[random.IntN(len(labels))]
		req := contract.GraphRequest{Path: b.Dir, SymbolRef: contract.SymbolRef{SymbolLabel: label}, Direction: contract.DirectionCallers, Limit: contract.MaxEdgeLimit, Verify: contract.VerifyOff}
		whole := b.Graph(req)
		want, files := map[string]bool{}, map[string]bool{}
		for _, e := range whole.Edges {
			want[fmt.Sprintf("%s:%d", e.Site.File, e.Site.StartLine)] = true
			files[e.Site.File] = true
		}
		req.MaxTokens = contract.MaxMaxTokens
		a, text := asText(b, req, b.Graph)
		got := map[string]bool{}
		for _, site := range sitesIn(text, files) {
			if !want[site] {
				t.Errorf("%s: %s is not in the JSON\n%s", label, site, text)
			}
			got[site] = true
		}
		missing := len(whole.Edges) - len(a.Edges)
		if f := a.Folded; f != nil {
			folded++
			missing -= f.Tests + f.Dynamic
			for _, n := range []int{f.Tests, f.Dynamic} {
				if n > 0 && !strings.Contains(text, "+"+strconv.Itoa(n)+" ") {
					t.Errorf("%s: %d folded edges are not counted\n%s", label, n, text)
				}
			}
		}
		if missing != 0 {
			t.Errorf("%s: %d edges are neither shown nor counted\n%s", label, missing, text)
		}
		// A request with the named arguments shows the rest, page by page.
		req.Expand, req.Limit = []contract.Fold{contract.FoldTests, contract.FoldDynamic}, 7
		for page := 0; ; page++ {
			a, text := asText(b, req, b.Graph)
			for _, site := range sitesIn(text, files) {
				got[site] = true
			}
			if req.Cursor = a.Cursor; a.Cursor == "" || page == 100 {
				break
			}
		}
		if lost := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(s string) bool { return got[s] }); len(lost) > 0 {
			t.Errorf("%s: no call shows %v", label, lost)
		}
	}
	if folded == 0 {
		t.Error("nothing was folded")
	}
}

// placesIn returns the places of those lines of a text that are places: "a.go:1-20 function F".
func placesIn(text string) (places []string) {
	for line := range strings.Lines(text) {
		if m := regexp.MustCompile(`^([^ :]+):(\d+)(?:-\d+)?(?: |\n)`).FindStringSubmatch(line); m != nil {
			places = append(places, m[1]+":"+m[2])
		}
	}
	return places
}

// TestTextOfSearchesAgreesWithJSON checks that the pages of a search contain the same results in
// the same order as text and as JSON. Text may show other lines of a result without a symbol.
func TestTextOfSearchesAgreesWithJSON(t *testing.T) {
	b := navigatetest.Indexed(t, "text/template")
	queries := []string{"parse an action", "Tree", "lexIdentifier", "must:errorf", "regex:\"func .*Node\"", "evaluate a field of a value", "range over a channel", "must:template.Must", "Parse", "nothing bears this"}
	const pages = 4
	for _, q := range queries {
		req := contract.SearchRequest{Path: b.Dir, Query: q, Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
		var whole []*contract.Group
		files := map[string]bool{}
		for range pages {
			a := b.Search(req)
			for _, r := range a.Results {
				g := r.(*contract.Group)
				whole, files[g.File], files[g.File+" (test)"] = append(whole, g), true, true
			}
			if req.Cursor = a.Cursor; a.Cursor == "" {
				break
			}
		}
		req.Cursor = ""
		var got []string
		for {
			a, text := asText(b, req, b.Search)
			if sites := placesIn(text); a.Matches == nil {
				got = append(got, sites...)
			} else {
				got = append(got, sitesIn(text, files)...)
			}
			m := regexp.MustCompile(`cursor: "([^"]+)"`).FindStringSubmatch(text)
			if m == nil || len(got) >= len(whole) && a.Matches == nil {
				break
			}
			req.Cursor = m[1]
		}
		var want []string // or any line of the result
		for _, g := range whole {
			for _, l := range g.MatchedLines {
				want = append(want, fmt.Sprintf("%s:%d-%d", g.File, l.Line, l.Line))
			}
			span := g.Span
			if g.SymbolSpan != nil {
				span = *g.SymbolSpan
			}
			if len(g.MatchedLines) == 0 {
				want = append(want, fmt.Sprintf("%s:%d-%d", g.File, span.StartLine, span.EndLine))
			}
		}
		for i, w := range want {
			if i >= len(got) || !covers(w, strings.Replace(got[i], " (test):", ":", 1)) {
				t.Errorf("%s: result %d is %s in JSON; the text has %v", q, i, w, got)
				break
			}
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

// TestTextOfOutlinesAgreesWithJSON checks that the text of an outline contains every symbol or
// counts those that it omits.
func TestTextOfOutlinesAgreesWithJSON(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	for _, file := range []string{"server.go", "transport.go", "cookie.go"} {
		outline := func(r contract.OutlineRequest) *contract.OutlineAnswer {
			a, err := b.Service.Outline(t.Context(), navigatetest.Normal(t, r))
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		req := contract.OutlineRequest{Path: b.Dir, File: file, Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
		whole := 0
		for all := req; ; {
			a := outline(all)
			whole += len(a.Outline.Symbols)
			if all.Cursor = a.Cursor; a.Cursor == "" {
				break
			}
		}
		a, text := asText(b, req, outline)
		rows := 0
		for line := range strings.Lines(text) {
			if regexp.MustCompile(`^ *\d+(-\d+)? `).MatchString(line) {
				rows++
			}
		}
		if rows+a.Unexported+a.Fields != whole || a.Unexported > 0 != strings.Contains(text, fmt.Sprintf("+%d unexported   exported: false", a.Unexported)) {
			t.Errorf("%s: %d symbols shown and %d counted of %d\n%s", file, rows, a.Unexported, whole, text)
		}
	}
}
