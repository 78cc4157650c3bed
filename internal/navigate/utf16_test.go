package navigate_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestWideTextIsIndexed checks that a file of UTF-16 is searched, outlined, traced and read like one of UTF-8, and
// that an edit of it is a change.
func TestWideTextIsIndexed(t *testing.T) {
	wide := func(text string) string {
		out := binary.LittleEndian.AppendUint16(nil, 0xFEFF)
		for _, u := range utf16.Encode([]rune(text)) {
			out = binary.LittleEndian.AppendUint16(out, u)
		}
		return string(out)
	}
	b := navigatetest.Of(t, map[string]string{
		"Wide.cs":  wide("// größe\r\nclass Wide {\r\n  void Grow() { Shrink(); }\r\n  void Shrink() { }\r\n}\r\n"),
		"Plain.cs": "class Plain { void F(Wide w) { } }\n",
	})
	b.Git("init", "-q")
	b.Git("add", "-A")
	b.Git("commit", "-qm", "all")
	a := b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{SymbolLabel: "Wide.Shrink"},
		Direction: contract.DirectionCallers})
	if len(a.Edges) != 1 || a.Edges[0].Site.StartLine != 3 {
		t.Errorf("Shrink is called by %+v", a.Edges)
	}
	if found := b.Search(contract.SearchRequest{Query: "must:größe"}); found.Matches == nil || found.Matches.Lines != 1 {
		t.Errorf("must: finds %+v", found.Matches)
	}
	diff := ""
	change := func() *contract.GraphAnswer {
		return b.Graph(contract.GraphRequest{SymbolRef: contract.SymbolRef{Diff: &diff}})
	}
	if a := change(); a.Impact == nil || len(a.Impact.Files) != 0 {
		t.Errorf("unchanged, the impact is %+v", a.Impact)
	}
	b.Write("Wide.cs", wide("// größe\r\nclass Wide {\r\n  void Grow() { Shrink(); }\r\n"+
		"  void Shrink() { Grow(); }\r\n}\r\n"))
	if a := change(); a.Impact == nil || len(a.Impact.Files) != 1 {
		t.Errorf("the impact of an edit is %+v", a.Impact)
	}
}
