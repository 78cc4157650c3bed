package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestPanicOfRendering checks that a panic while an answer is rendered is an internal error of that call.
func TestPanicOfRendering(t *testing.T) {
	a := searchAnswer()
	a.Results = append(a.Results, nil)
	s := serve(&fake{hook: func(context.Context, contract.Request) (any, error) { return a, nil }},
		Options{Format: contract.FormatText})
	text, isError, err := s.Call(t.Context(), contract.ToolSearch, json.RawMessage(`{"path":"/ws","query":"x"}`))
	if err != nil || !isError || !strings.HasPrefix(text, "error internal_error") {
		t.Errorf("%v %v %s", isError, err, text)
	}
}

// TestPanicIsAnswered checks that the response after any panic has the id of its request: a client waits for it.
func TestPanicIsAnswered(t *testing.T) {
	s := NewServer(Options{Dir: "/ws", Open: func(context.Context) (Service, error) { panic("boom") }})
	c := connect(t, s)
	c.handshake("2025-06-18")
	c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_codebases","arguments":{}}}`)
	if m := c.receive(); string(m.ID) != "7" || m.Error == nil {
		t.Errorf("id %s, error %+v", m.ID, m.Error)
	}
}

// TestBatchBudget checks that several questions share a budget that is clamped as a whole, that a number may be
// written as a string, and that anything else is refused.
func TestBatchBudget(t *testing.T) {
	var asked []*contract.SearchRequest
	s := serve(&fake{hook: func(_ context.Context, r contract.Request) (any, error) {
		asked = append(asked, r.(*contract.SearchRequest))
		return searchAnswer(), nil
	}}, Options{Format: contract.FormatText})
	for budget, want := range map[string]int{`"6000"`: 3000, `6e3`: 3000, `900000`: contract.MaxMaxTokens / 2,
		`1`: contract.MinMaxTokens, `null`: batchTokens} {
		asked = nil
		text, isError, err := s.Call(t.Context(), contract.ToolSearch,
			json.RawMessage(`{"path":"/ws","query":["a","b"],"maxTokens":`+budget+`}`))
		if err != nil || isError || len(asked) != 2 || asked[1].MaxTokens != want {
			t.Errorf("%s: %v %+v %s", budget, err, asked, text)
		}
		clamps := budget == `900000` || budget == `1`
		if said := strings.Contains(text, "maxTokens is "+budget); said != clamps {
			t.Errorf("%s: says %v that it was clamped:\n%s", budget, said, text)
		}
	}
	text, isError, _ := s.Call(t.Context(), contract.ToolSearch,
		json.RawMessage(`{"path":"/ws","query":["a","b"],"maxTokens":"lots"}`))
	if !isError || !strings.Contains(text, "maxTokens: expected a whole number") {
		t.Errorf("a word as the budget: %s", text)
	}
}

// TestFreeTurnNeedsNoWait checks that a call which may not wait gets a turn if one is free, and none otherwise.
func TestFreeTurnNeedsNoWait(t *testing.T) {
	s := serve(&fake{}, Options{Calls: 1})
	for range 200 {
		done, err := s.turn(t.Context(), 0)
		if err != nil {
			t.Fatalf("a turn was free: %v", err)
		}
		if _, err := s.turn(t.Context(), 0); err == nil {
			t.Fatal("two calls run, and one is allowed")
		}
		done()
	}
}
