package l1fts

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sextant/internal/code"
)

func TestParse(t *testing.T) {
	for raw, want := range map[string]Query{
		`retry backoff`: {Text: "retry backoff"},
		`lang:Go lang:ts path:src/** -path:vendor/ retry`: {Text: "retry", Langs: []string{"go", "ts"},
			Paths: []string{"src/**"}, NotPaths: []string{"vendor/"}},
		`must:"a \"b\" \d" exclude:mock x`: {Text: "x", Must: []string{`a "b" \d`},
			Exclude: []string{"mock"}},
		`kind:Method service:cart`: {Kinds: []code.Kind{"method"}, Services: []string{"cart"}},
		`\lang:go "lang:py kind:x" http://x foo:bar`: {Text: "lang:go lang:py kind:x http://x foo:bar",
			Quoted: []string{"lang:py kind:x"}},
		`lang: go`:                            {Text: "lang: go", Bare: []string{"lang"}},
		`say "unclosed`:                       {Text: `say "unclosed`},
		"panic here\n\nlang:go must:x":        {Text: "panic here lang:go must:x"},
		"\n\nlang:go x":                       {Text: "x", Langs: []string{"go"}},
		strings.Repeat("é ", 100) + "lang:go": {Text: strings.TrimSpace(strings.Repeat("é ", 100)) + " lang:go"},
		strings.Repeat("é ", 99) + "lang:go x": {Text: strings.TrimSpace(strings.Repeat("é ", 99)) + " x",
			Langs: []string{"go"}},
	} {
		got, err := Parse(raw)
		want.Raw = raw
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Parse(%q) = %+v, %v\nwant %+v", raw, got, err, want)
		}
	}
}

func TestParseErrorsSayWhatIsExpected(t *testing.T) {
	for raw, want := range map[string]string{
		``:                                   "words or identifiers",
		`exclude:x`:                          "positive operator",
		`regex:a(`:                           `as in regex:"func`,
		`regex:"a\nb"`:                       "lines are matched one by one",
		`kind:thing`:                         "one of file, module",
		`must:"a`:                            `write must:"two words"`,
		`must:"" x`:                          "needs a value",
		`path:a[`:                            "gitignore pattern",
		`regex:(?P<x>a`:                      "RE2",
		`regex:a{1001}`:                      "RE2",
		`regex:\pFoo`:                        "RE2",
		strings.Repeat("x", maxQueryBytes+1): "more than",
	} {
		if _, err := Parse(raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.40q): %v; want %q in it", raw, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`a lang:go must:"x y" \must:z`, `regex:"a|b" -path:x/ "`, "x\n\ny", "must:\"\xff",
		`kind:method "`, "path:[!a]**/\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := Parse(raw)
		if err != nil {
			return
		}
		terms, _ := queryTerms(q.Text)
		for _, w := range terms {
			if w.word == "" || strings.ContainsAny(w.word, `"*() `) {
				t.Errorf("%q asks for the word %q", raw, w.word)
			}
		}
		if q.Text != "" { // text alone parses to itself, once its operators are quoted away
			again, err := Parse(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(q.Text) + `"`)
			if err != nil || len(again.Must)+len(again.Langs)+len(again.Regex) > 0 {
				t.Errorf("quoted %q = %+v, %v", q.Text, again, err)
			}
		}
		if _, err := newFilter(Filter{}, q); err != nil {
			t.Errorf("%q parses, and its filter does not compile: %v", raw, err)
		}
	})
}

// naiveLines defines the expected result: it matches each line separately with
// Go's engine.
func naiveLines(text []byte, matches func([]byte) bool) (lines []int) {
	parts := bytes.SplitAfter(text, []byte{'\n'})
	for i, p := range parts {
		if i == len(parts)-1 && len(p) == 0 {
			break
		}
		if matches(bytes.TrimSuffix(p, []byte{'\n'})) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func FuzzMatcher(f *testing.F) {
	for _, s := range [][2]string{{"a\nbc\r\n\nabc", "bc"}, {"foo(bar)\nFOO", `(?i)foo|bar`},
		{"x\xffy\nxy", "x.?y"}, {"K s\nſ", "(?i)ks?"}, {"\n\n", "^$"}, {"aa\nab\nba", "(ab|ba)+$"},
		{"straße", "(?i)STRASSE|aß"}} {
		f.Add([]byte(s[0]), s[1])
	}
	f.Fuzz(func(t *testing.T, text []byte, pattern string) {
		if len(pattern) > 60 || len(text) > 4096 {
			return
		}
		g := newGrammer()
		packed := g.file(text)
		held := map[gram]bool{}
		if err := eachGram(packed, func(v gram) bool { held[v] = true; return true }); err != nil {
			t.Fatal(err)
		}
		if pattern != "" && !strings.Contains(pattern, "\n") {
			m := Query{Must: []string{pattern}}
			lines, ok, err := m.Matcher().MatchLines(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			want := naiveLines(text, func(l []byte) bool { return bytes.Contains(l, []byte(pattern)) })
			if !slices.Equal(lines, want) || ok != (len(want) > 0) {
				t.Errorf("must %q in %q: %v, %v; want %v", pattern, text, lines, ok, want)
			}
			if ok && !gramsOfQuery(m).inSet(held) {
				t.Errorf("must %q matches %q, and is no candidate", pattern, text)
			}
		}
		re, err := compileRegex(pattern)
		if err != nil {
			return
		}
		plain := regexp.MustCompile(pattern)
		got := re.lines(t.Context(), nil, text)
		want := naiveLines(text, func(l []byte) bool { return re.Matches(t.Context(), l) })
		if utf8.Valid(text) {
			want = naiveLines(text, plain.Match)
		}
		if !slices.Equal(got, want) {
			t.Errorf("regex %q in %q: %v; want %v", pattern, text, got, want)
		}
		if q := (Query{Regex: []*Regex{re}}); len(got) > 0 && !gramsOfQuery(q).inSet(held) {
			t.Errorf("regex %q matches %q, and is no candidate", pattern, text)
		}
	})
}
