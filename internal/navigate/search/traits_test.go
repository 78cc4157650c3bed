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
		"Shop.kt": "interface Store<T>\nclass Cart : Base(), Store<Order>, shop.Basket\nclass Order : Keeps<Store>()\n",
		"kit.rs":  "struct Kit;\ntrait Tool {}\nimpl Tool for Kit {}\n",
		"kit.go":  "package kit\n\ntype Base struct{}\n\ntype Kit struct {\n\t*Base\n}\n",
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
		"exclude:Transactional kind:class":         "Shop.kt:2 Shop.kt:3",
		"exclude:app.task kind:class":              "Pay.java:1 Shop.kt:2 Shop.kt:3",
		"extends:Store":                            "Shop.kt:2",
		"extends:Base":                             "Shop.kt:2 kit.go:5",
		"extends:Basket":                           "Shop.kt:2",
		"extends:shop.Basket":                      "Shop.kt:2",
		"extends:Store<Order>":                     "Shop.kt:2",
		"extends:Order":                            "",
		"extends:Tool":                             "kit.rs:1",
		"extends:Base must:Basket":                 "Shop.kt:2",
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

// TestSubtypes checks that a question for the subtypes of a type is answered by all of them, unless no type names it.
func TestSubtypes(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"Shop.java": "class Shop implements Handler {}\nclass Till extends Shop {}\nclass HandlerList { Handler first; }\n",
		"a.py":      "class A(Base): pass\n",
		"b.py":      "class B(Base): pass\n",
		"door.go":   "package door\n\ntype Opener interface{ Open() }\n\ntype Door struct{}\n\nfunc (Door) Open() {}\n",
	})
	for query, want := range map[string]string{
		"implementations of Handler":     "Shop.java:1",
		"all implementations of Handler": "Shop.java:1",
		"which classes extend Shop?":     "Shop.java:2",
		"what implements `Handler`":      "Shop.java:1",
		"classes that implement Handler": "Shop.java:1",
		"implementations of Opener":      "ranked",
		"extends Handler in tests":       "ranked",
		"implement handler":              "ranked",
	} {
		a := b.Search(contract.SearchRequest{Query: query})
		got := "ranked"
		if a.Matches != nil {
			got = fmt.Sprintf("%s:%d", a.Results[0].(*contract.Group).File, a.Results[0].(*contract.Group).MatchedLines[0].Line)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	first := b.Search(contract.SearchRequest{Query: "subclasses of Base", Limit: 1})
	next := b.Search(contract.SearchRequest{Query: "subclasses of Base", Limit: 1, Cursor: first.Cursor})
	if first.Query != "extends:Base" || first.Matches.Files != 2 || len(next.Results) != 1 || next.Cursor != "" {
		t.Errorf("%q has %d files, then %d results and %q; want extends:Base, 2 files, the second, no more", first.Query,
			first.Matches.Files, len(next.Results), next.Cursor)
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
