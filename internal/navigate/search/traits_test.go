package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestTraits(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"Pay.java": `class Pay {
  @Transactional(readOnly = true)
  public Future<Receipt> pay(Request r) {
    return send(r);
  }

  @TransactionalEventListener
  void listen(RequestEvent e) {}

  Receipt send(Request r) { return null; }
}
`,
		"pay.py":  "@app.task\ndef pay(request: Request) -> Receipt:\n    return Transactional()\n",
		"Docs.md": "Use @Transactional on a Request.\n",
	})
	for query, want := range map[string]string{
		"annotation:Transactional":                 "Pay.java:3",
		"annotation:@Transactional":                "Pay.java:3",
		"annotation:task":                          "pay.py:2",
		"param:Request":                            "Pay.java:10 Pay.java:3 pay.py:2",
		"param:Request kind:function":              "pay.py:2",
		"param:Request annotation:Transactional":   "Pay.java:3",
		"param:Request returns:Receipt":            "Pay.java:10 Pay.java:3 pay.py:2",
		"returns:Future":                           "Pay.java:3",
		"param:Request returns:Receipt lang:java":  "Pay.java:10 Pay.java:3",
		"annotation:Transactional must:send":       "Pay.java:4",
		"annotation:Transactional must:listen":     "",
		"param:Request exclude:Future":             "pay.py:2",
		"annotation:Event":                         "",
		"annotation:Transactional kind:class":      "",
		"returns:Receipt path:*.py":                "pay.py:2",
		"param:e":                                  "Pay.java:8",
		"annotation:TransactionalEventListener x":  "Pay.java:8",
		"annotation:Transactional -path:Pay.java":  "",
		"annotation:Transactional scope:something": "Pay.java:3",
		"must:Request kind:method":                 "Pay.java:10 Pay.java:3 Pay.java:8",
		"must:Request kind:class":                  "Pay.java:10 Pay.java:3 Pay.java:8",
		"must:Transactional kind:function":         "pay.py:3",
		"must:Transactional kind:interface":        "",
		"exclude:Transactional kind:class":         "",
		"exclude:app.task kind:class":              "Pay.java:1",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		var got []string
		for _, r := range a.Results {
			g := r.(*contract.Group)
			for _, l := range g.MatchedLines {
				got = append(got, fmt.Sprintf("%s:%d", g.File, l.Line))
			}
		}
		if g := strings.Join(sorted(got), " "); g != want || a.Matches.Lines != len(got) {
			t.Errorf("%s: %s (%d lines), want %s", query, g, a.Matches.Lines, want)
		}
	}
}

func TestCountOnly(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\n// x1\n// x1\n", "b.go": "package a // x1\n",
		"c.go": "package a // one y\n"})
	a := b.Search(contract.SearchRequest{Query: "must:x1", CountOnly: true})
	if len(a.Results) != 0 || a.Matches.Lines != 3 || a.Matches.Files != 2 || a.Cursor != "" || a.Truncated != nil {
		t.Errorf("%+v, %d results", a.Matches, len(a.Results))
	}
	one := b.Search(contract.SearchRequest{Query: "must:y", CountOnly: true})
	if text, err := compact.Text(&contract.SearchRequest{Path: b.Dir}, one); err != nil ||
		text != "1 line in 1 file\n" {
		t.Errorf("%v: %q", err, text)
	}
	if best := b.Search(contract.SearchRequest{Query: "x1", CountOnly: true}); len(best.Results) != 1 ||
		best.Matches != nil ||
		!slices.ContainsFunc(best.Warnings, func(w contract.Warning) bool { return w.Code == "ARGUMENT_CLAMPED" }) {
		t.Errorf("best results: %+v", best)
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}
