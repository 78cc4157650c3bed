package navigate_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
	"sextant/mcp"
)

// TestSuggestedCallKeepsItsFormat checks that the call for the next page of a JSON answer, sent as it stands to a server
// whose default is text, has its answer as JSON, too.
func TestSuggestedCallKeepsItsFormat(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n\nfunc F() { g(); h() }\n\nfunc g() {}\n\nfunc h() {}\n"})
	s := mcp.NewServer(mcp.Options{Dir: b.Dir, Open: func(context.Context) (mcp.Service, error) { return b.Service, nil }})
	args := json.RawMessage(`{"symbolRef":"F","limit":1,"format":"json"}`)
	for range 2 {
		text, isError, err := s.Call(t.Context(), contract.ToolGraph, args)
		var page struct {
			Edges     []json.RawMessage
			Truncated *struct {
				Next struct{ Args json.RawMessage }
			}
		}
		if err != nil || isError || json.Unmarshal([]byte(text), &page) != nil || len(page.Edges) != 1 {
			t.Fatalf("%s: %v %s", args, err, text)
		}
		if page.Truncated != nil {
			args = page.Truncated.Next.Args
		}
	}
	if !strings.Contains(string(args), `"cursor"`) {
		t.Errorf("the first page suggests %s", args)
	}
}
