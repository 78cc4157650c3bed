package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestBatch asks several questions in one call: each is a call of its own with
// its share of the budget, and a result that two of them have is shown once.
func TestBatch(t *testing.T) {
	var asked []*contract.SearchRequest
	s := serve(&fake{hook: func(_ context.Context, r contract.Request) (any, error) {
		q := r.(*contract.SearchRequest)
		asked = append(asked, q)
		if q.Query == "gone" {
			return notIndexedAnswer(), nil
		}
		return searchAnswer(), nil
	}}, Options{Format: contract.FormatText})
	text, isError, err := s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":["create order","gone","create order"],"max_tokens":3000,"limit":4}`))
	if err != nil || isError {
		t.Fatalf("%v %s", err, text)
	}
	if len(asked) != 3 || asked[0].MaxTokens != 1000 || asked[2].Limit != 4 {
		t.Errorf("asked %+v", asked)
	}
	for _, want := range []string{"== create order\norders/api/router.go:41-66 method Router.Create\n  func",
		"== gone\nnot_indexed: ",
		"== create order\norders/api/router.go:41-66 method Router.Create (above)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	text, _, err = s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":["create order","gone"],"format":"json"}`))
	var whole struct{ Answers []contract.Outcome }
	if err != nil || json.Unmarshal([]byte(text), &whole) != nil || len(whole.Answers) != 2 ||
		whole.Answers[1].Status != contract.StatusNotIndexed {
		t.Errorf("as JSON: %v %s", err, text)
	}
	one, _, _ := s.Call(t.Context(), contract.ToolSearch, json.RawMessage(`{"path":"/ws","query":["create order"]}`))
	if strings.HasPrefix(one, "==") {
		t.Errorf("a list of one has a title: %s", one)
	}
	for _, args := range []string{`{"path":"/ws","query":[]}`,
		`{"path":"/ws","query":["a","b","c","d","e","f","g","h","i","j","k"]}`} {
		if text, isError, _ := s.Call(t.Context(), contract.ToolSearch, json.RawMessage(args)); !isError ||
			!strings.Contains(text, "query: expected one, or a list of 1 to 10") {
			t.Errorf("%s: %s", args, text)
		}
	}
	asked = nil
	if _, _, err := s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":["create order"],"maxTokens":700}`)); err != nil || len(asked) != 1 ||
		asked[0].MaxTokens != 700 {
		t.Errorf("a list of one: %v, %+v", err, asked)
	}
	if text, isError, _ := s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":[7,{}]}`)); !isError {
		t.Errorf("wrong items: %s", text)
	}
}

// TestNullIsNoList checks that an argument that is null counts as left out, as
// clients send it for what they do not set.
func TestNullIsNoList(t *testing.T) {
	s := serve(&fake{}, Options{})
	for tool, args := range map[string]string{
		contract.ToolRead:  `{"path":"/ws/orders/api/router.go","file":null,"open_symbol":null}`,
		contract.ToolGraph: `{"path":"/ws","symbolRef":"F","expand":null}`,
	} {
		if text, isError, err := s.Call(t.Context(), tool, json.RawMessage(args)); err != nil || isError {
			t.Errorf("%s: %v %s", args, err, text)
		}
	}
}
